//! What a question is after: its intent, which sets how to search, and its
//! query type, by which the search learns.
//!
//! Both are read from ordered tables of cues: the first row that fits decides.
//! Nothing here searches, and a moment in time is not parsed here; whoever did
//! that says so with one flag.

use super::speech::{Language, TURKISH_ASKING, Word, language_of, says, words_of};
use crate::kind::Kind;
use crate::memory::RelationKind;
use crate::words::words;

words! {
    /// What a question is after.
    pub enum Intent ("intent") {
        Factual = "factual",
        Temporal = "temporal",
        Causal = "causal",
        EntityProfile = "entity_profile",
        Preference = "preference",
        General = "general",
    }
}

words! {
    /// The sort of question, under which it is noted how well an answer served.
    pub enum QueryType ("query type") {
        CodeSearch = "code_search",
        ErrorDebug = "error_debug",
        Convention = "convention",
        Architecture = "architecture",
        HowTo = "how_to",
        RecallFact = "recall_fact",
        FindPattern = "find_pattern",
        General = "general",
    }
}

/// Along which edges, and how far, a search goes on from what it found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    pub along: &'static [RelationKind],
    pub hops: usize,
}

/// How to search for one intent, as the third seed proposes it.
///
/// These are proposals; how far recall follows them is a weight, which the
/// evaluation in eval/ set. That a question asks for the latest or the earliest
/// is read from its words and not from its intent, and what was replaced is
/// shown only to whoever asks for the past.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Route {
    /// The share of likeness in meaning.
    pub vector: f64,
    /// The share of common words. Where the two shares leave something to one,
    /// it belongs to the walk.
    pub keyword: f64,
    /// How many memories to return.
    pub limit: usize,
    /// How much utility adds.
    pub utility: f64,
    /// The kinds the intent is after; empty for any.
    pub kinds: &'static [Kind],
    pub walk: Option<Walk>,
}

impl Intent {
    pub const fn route(self) -> Route {
        const BALANCED: Route =
            Route { vector: 0.5, keyword: 0.5, limit: 10, utility: 0.2, kinds: &[], walk: None };
        match self {
            Intent::Factual => Route { vector: 0.6, keyword: 0.4, ..BALANCED },
            Intent::Temporal => Route { vector: 0.4, keyword: 0.6, limit: 15, utility: 0.0, ..BALANCED },
            Intent::Causal => Route {
                vector: 0.3,
                keyword: 0.3,
                limit: 20,
                utility: 0.0,
                walk: Some(Walk { along: CAUSES, hops: 2 }),
                ..BALANCED
            },
            Intent::EntityProfile => Route { limit: 15, utility: 0.3, ..BALANCED },
            Intent::Preference => Route { utility: 0.0, kinds: TASTES, ..BALANCED },
            Intent::General => BALANCED,
        }
    }
}

/// The seed names causes and elaborates; our edges also say the former from
/// the other end.
const CAUSES: &[RelationKind] = &[RelationKind::Causes, RelationKind::CausedBy, RelationKind::Elaborates];

const TASTES: &[Kind] = &[Kind::Preference, Kind::Correction];

/// One row of a table: the question is `is` if it says one of the cues and
/// none of the exceptions. Turkish cues count in Turkish questions only, since
/// their short words are names and keywords elsewhere; English ones always do,
/// since Turkish developers use them.
struct Row<T: 'static> {
    is: T,
    english: &'static str,
    turkish: &'static str,
    unless: &'static str,
}

fn first_of<T: Copy>(table: &[Row<T>], words: &[Word], language: Language) -> Option<T> {
    let fits = |row: &&Row<T>| {
        let said = says(words, row.english) || language == Language::Turkish && says(words, row.turkish);
        said && !says(words, row.unless)
    };
    table.iter().find(fits).map(|row| row.is)
}

/// What the question is after. `speaks_of_time` says that somebody found a
/// moment or a stretch of time in it.
///
/// "Why" comes before time, because a cause does not become a date when the
/// question names one; time comes before taste, because tastes change and the
/// question is which one held then.
pub fn intent_of(question: &str, speaks_of_time: bool) -> Intent {
    let words = words_of(question);
    let language = language_of(question);
    match first_of(INTENTS, &words, language) {
        Some(Intent::Causal) => Intent::Causal,
        _ if speaks_of_time => Intent::Temporal,
        Some(intent) => intent,
        None if asks(&words, question, language) && !says(&words, ADVICE) => Intent::Factual,
        None => Intent::General,
    }
}

/// The sort of question. Agreed ways come before errors, since people ask how
/// errors are to be handled; a name in the shape of code decides only where no
/// word did.
pub fn query_type_of(question: &str) -> QueryType {
    let words = words_of(question);
    let language = language_of(question);
    match first_of(QUERY_TYPES, &words, language) {
        Some(found) => found,
        None if names_code(question) => QueryType::CodeSearch,
        None if asks(&words, question, language) => QueryType::RecallFact,
        None => QueryType::General,
    }
}

/// Whether this is a question at all, by its mark or by its words.
fn asks(words: &[Word], question: &str, language: Language) -> bool {
    question.contains('?')
        || says(words, QUESTIONS)
        || language == Language::Turkish
            && words.iter().any(|word| {
                TURKISH_ASKING.contains(&word.folded.as_str()) || word.folded.starts_with("hatirla")
            })
}

/// A file, a path, a call or an identifier of several parts.
fn names_code(question: &str) -> bool {
    question.split_whitespace().any(|word| {
        let word =
            word.trim_matches(|mark: char| !mark.is_alphanumeric() && !matches!(mark, '_' | '(' | ')'));
        let humps = word
            .as_bytes()
            .windows(2)
            .filter(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
        let extension = word.rsplit_once('.').map_or("", |(_, extension)| extension);
        word.contains("::")
            || word.ends_with("()")
            || SOURCE_FILES.contains(&extension)
            // Names of products have one hump ("GitHub"), types often two.
            || humps.count() >= 2
            || word.trim_matches('_').contains('_')
    })
}

#[rustfmt::skip]
const SOURCE_FILES: &[&str] = &[
    "rs", "py", "ts", "tsx", "js", "jsx", "go", "java", "kt", "c", "h", "cpp", "hpp", "cs", "rb", "php",
    "swift", "sh", "sql", "toml", "yaml", "yml", "json", "md", "html", "css", "lock", "proto", "tf",
];

const QUESTIONS: &str = "what|whats|whos|whose|wheres, ^ .. which|who|whom|where, ^ when, \
    how many|much|long|often|old|far|big|large, \
    ^ is|are|was|were|do|does|did|has|have|had|can|could|will|would|should, remind me, do you remember, \
    do you know";

/// A question for advice or for the way to do a thing is not after one fact.
const ADVICE: &str = "how to, how do|can|could|should|would|might i|we|you, should i|we, \
    any|some|your suggestions|tips|ideas|recommendations|advice|thoughts, what can i|we do, \
    do you suggest|recommend|think|have, would you suggest|recommend|say|do, \
    can|could|would|will you \
    suggest|recommend|help|show|explain|give|provide|walk|list|summarize|write|make|create, \
    nasil, oner|onerir|onerin|onerirsin|onerebilir";

const INTENTS: &[Row<Intent>] = &[
    Row {
        is: Intent::Causal,
        english: "why, whys, how come, reason|reasons for|behind|why|that|to|not, for what|which reason, \
            what .. reason|reasons, \
            what made|makes|motivat*|inspired|inspires|prompted|caused|led|leads|drove|triggered, \
            what causes the|a|an|this|that|these|our|my, cause|causes of, root cause, rationale, \
            because of what, what was|is behind",
        turkish: "neden, niye, nicin, sebep|sebebi|sebepler*|sebebiyle, gerekce*, yuzunden, ne yuzden, \
            neye dayanarak, nedeni|nedenle*, ne sebep*",
        unless: "neden sonra",
    },
    Row {
        is: Intent::Temporal,
        english: "when and where, when did|was|were|is|are|am|do|does|will|have|has|had|should, since when, \
            until when, what time|date|day|month|year, which day|date|month|year|week, how long ago, \
            how long since|have|has, how many days|weeks|months|years|hours, \
            how many _ days|weeks|months|years|hours, in order $, list|mention .. in order, \
            timeline|chronolog*, history of, in what|which order, order in which, the order of, \
            what changed, has|have .. changed, changed since, i|we|you|they|he|she|it used to, \
            previously|formerly|originally, most recent*, latest, happened first|last|before|after, \
            first time|last time, so far",
        turkish: "ne zaman*, hangi tarih*|gun*|ay*|yil*|hafta*|sira*, kac gun|ay|yil|hafta|saat, \
            ne kadar sure*, kronoloji*, gecmisi, eskiden|onceden|onceki|oncesinde, en son|yeni, \
            ilk kez|defa, son kez|defa, ne degisti, o zamandan, tarihinde, su ana kadar",
        unless: "when it comes to",
    },
    Row {
        is: Intent::Preference,
        english: "prefer*, favorite|favorites|favourite|favourites, \
            do|does|did|would|dont|doesnt _ like|love|hate|dislike|enjoy, \
            do|does|did|would|dont|doesnt _ _ like|love|hate|dislike|enjoy, \
            do|does|did|would|dont|doesnt _ _ _ like|love|hate|dislike|enjoy, likes|dislikes|hates, \
            like best|most|more|better, fond of, my|our|his|her|their taste|tastes|likes|usual",
        turkish: "tercih*, favori*, sever|severim|sevdigi*|sevdigim*|seviyor*|sevmez|sevmiyor*|sevmem, \
            begen*, hoslan*, nefret, en sevdig*, daha cok ister*",
        unless: "look|looks|looked|feel|feels|sound|sounds|seem|seems|was|is like, would like to, \
            like to know, would .. like to",
    },
    Row {
        is: Intent::EntityProfile,
        english: "who is|are|was|were _ $, who is|was _ _ $, whos _ $, tell me about, \
            tell me more|everything|something|all about, what do|does|did we|you|i|it know about, \
            everything|anything|all about, everything|anything|all we|you know about, ^ describe, \
            please describe, profile of, overview of, introduce, ^ what is|are|whats _ $, \
            background on|of, what kind|sort of person|company|team|project|service",
        turkish: "kimdir, kim $, ^ _ nedir, ^ _ _ nedir $, \
            hakkinda .. biliyor*|bilgi|anlat*|bildig*|ne|neler, anlat|anlatir|tanit|tanitir, tarif et, \
            ozet*, nasil biri*",
        unless: "about how|why|when|what|whether|any, what is|are it|this|that|these|those|wrong|next|new",
    },
];

const QUERY_TYPES: &[Row<QueryType>] = &[
    Row {
        is: QueryType::Convention,
        english: "convention|conventions, style guide, coding style|standard|standards, code style, naming, \
            guideline*, our|the|any|project|team rule|rules for|about|on|of, best practice|practices, \
            do we usually|normally|always|generally, \
            how do|should we \
            name|format|write|handle|log|test|structure|organize|style|document|order|version|commit, \
            how should .. be named|formatted|written|handled|logged|tested|structured|documented, \
            agreed way|on, allowed to, supposed to, \
            lint|linter|linting|formatter|rustfmt|prettier|clippy",
        turkish: "kural*, gelenek*, standart*|standard*, adlandir*|isimlendir*, stil|stili|stilimiz, \
            genelde|genellikle nasil|ne, \
            nasil yaziyoruz|adlandiriyoruz|isimlendiriyoruz|bicimlendiriyoruz, bicim*, teamul*, \
            yazim kurallari",
        unless: "lint|clippy error|errors|fails|failed, to|at a|the convention",
    },
    Row {
        is: QueryType::CodeSearch,
        english: "where is|are|does|do|did|was .. \
            defined|implemented|declared|called|used|handled|computed|configured|set|registered|parsed, \
            where is|are .. \
            function|method|class|struct|trait|module|file|constant|enum|code|test|tests|script, \
            which|what \
            file|files|function|method|class|struct|module|crate|package|folder|directory|line|script, \
            find .. function|method|class|struct|trait|module|file|usages|usage|callers|code|definition, \
            who calls, callers of, usages of, references to, \
            definition of .. function|method|class|struct|trait, signature of, grep, in the codebase, \
            source of .. function|class",
        turkish: "hangi dosya*|fonksiyon*|metod*|metot*|sinif*|modul*|klasor*|satir*|paket*|betik*, \
            nerede|nerde tanimli*|tanimlan*|kullanil*|cagril*|gecer|geciyor|ayarlan*|isleniyor, \
            _ tanimi nerede|nerde, fonksiyon*|metod*|sinif*|dosya*|modul* nerede|nerde|neresi, \
            kodu nerede|nerde, kod tabaninda",
        unless: "",
    },
    Row {
        is: QueryType::ErrorDebug,
        english: "error|errors|erroring, exception|exceptions, panic|panics|panicked|panicking, \
            crash|crashes|crashed|crashing, fail|fails|failing|failure|failures, \
            build|test|tests|job|pipeline|ci|deploy|request|login|migration \
            failed|broke|breaks|hangs|hung|red, \
            stack trace, stacktrace|traceback|backtrace|segfault|deadlock|oom, \
            bug|bugs|buggy|debug|debugging, is|are|was broken, broken build|test|tests|link|pipeline, \
            doesnt|didnt|isnt|not work|working|compile|start|load|respond, \
            not working|compiling|starting|loading|responding, \
            cannot|cant|couldnt find|connect|resolve|borrow|compile|build|import|open, could not, \
            timeout|timeouts|timed, times out, memory leak, race condition, exit code, status code, \
            undefined, null pointer, nullpointer*, permission denied, connection refused, \
            what|whats is wrong, whats wrong, went wrong, troubleshoot*, root cause, workaround, \
            fix|fixes|fixed|fixing",
        turkish: "hata|hatasi|hatayi|hatalar*|hatanin|hataya|hatali|hatasini, \
            coktu|cokuyor|cokme*, patla*, patliyor*, \
            calismiyor|calismadi|calismaz, derlenmiyor|derlenmedi, \
            acilmiyor|baglanmiyor|baglanamiyor*|yuklenmiyor, bozuk|bozuldu|bozuluyor, basarisiz*, \
            duzelt*, cozum*|cozeriz|cozduk|cozulur, sorun|sorunu|sorunun|sorunlar*, zaman asimi*, \
            takili*|takildi, donuyor|dondu",
        unless: "crash course, trial and error",
    },
    Row {
        is: QueryType::Architecture,
        english: "architect*, design of|doc|document|decision|decisions, \
            how does|do|is|are .. \
            work|works|built|implemented|structured|organized|wired|connected|designed|deployed|stored|interact, \
            components|component of|in|for, data flow|model, database schema, \
            modules|layers|layering|subsystem*|microservice*, depends|depend on, \
            dependency|dependencies of|between|graph, diagram, high level, entry point|points, \
            tech stack, system overview, responsible for",
        turkish: "mimari*, tasarim*, katman*, bilesen*, \
            nasil calisiyor|calisir|isliyor|isler|kurulu|tasarlandi|bagli|haberlesiyor|konusuyor, \
            akis|akisi*, yapisi|yapisini|yapi, bagimli*, sema|semasi|semayi, genel bakis, moduller*, \
            giris noktasi*, sorumlu",
        unless: "how do|does i|we|he|she .. work out, responsible for me",
    },
    Row {
        is: QueryType::FindPattern,
        english: "pattern|patterns, example|examples of|for|where|from, \
            similar|same to|way|problem|issue|approach|situation|thing, other places, elsewhere, \
            recurring|recur|recurs|repeatedly, every time, how often, in common, trend|trends, \
            tend|tends to, usually|typically|commonly|habit|habits, have|did we|i .. before $, \
            seen this|that before, all the times, other times|cases|instances",
        turkish: "ornek*, benzer*, kalip|kaliplar*|kalibi, desen*, ortak, sik sik, ne siklikla, \
            her seferinde, tekrar eden|tekrarlayan, baska nerede|nerelerde, nerelerde, aliskanlik*, \
            egilim*, daha once .. mi|miydik|yasadik|gorduk|yaptik, genelde|genellikle",
        unless: "",
    },
    Row {
        is: QueryType::HowTo,
        english: "how to, how do|can|could|should|would|might i|we|you|one, \
            how is|are .. done|made|run|rotated|updated|released|deployed, steps to|for|in|needed, \
            step by step, instructions|tutorial|walkthrough, guide to|for, \
            best|right|easiest|proper|correct way to, a way to, command|commands to|for|that, \
            to|i|we set up|install|configure, setting up, show me how, walk me through, \
            what should i|we do to|about, can|could|please help me, procedure",
        turkish: "nasil, adimlar*|adim, yapmak icin, hangi komut*, komutu|komut ne|nedir, kurulum*, \
            yonerge*|talimat*, yolu ne|nedir, yapmam gerek*|lazim",
        unless: "how do|did i|we|you feel|know|say, how would you describe, nasil biri|hissed*",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(question: &str, intent: Intent, query_type: QueryType) {
        let read = (intent_of(question, false), query_type_of(question));
        assert_eq!(read, (intent, query_type), "{question}");
    }

    #[test]
    fn english_questions() {
        use Intent::*;
        check("where is the staging key kept", Factual, QueryType::RecallFact);
        check("What port does Redis listen on?", Factual, QueryType::RecallFact);
        check("how many workers run in production", Factual, QueryType::RecallFact);
        check("When did we move to Postgres?", Temporal, QueryType::RecallFact);
        check("what changed in the billing service", Temporal, QueryType::RecallFact);
        check("Why was the cache dropped?", Causal, QueryType::RecallFact);
        check("why does the login test fail on CI", Causal, QueryType::ErrorDebug);
        check("what is the reason for two queues", Causal, QueryType::RecallFact);
        check("who is Nadia?", EntityProfile, QueryType::RecallFact);
        check("Tell me about the ingest service", EntityProfile, QueryType::General);
        check("what is terraform?", EntityProfile, QueryType::RecallFact);
        check("which editor does Nadia prefer", Preference, QueryType::RecallFact);
        check("does she like long reviews?", Preference, QueryType::RecallFact);
        check("what does the config look like", Factual, QueryType::RecallFact);
        check("how do I rotate the signing key", General, QueryType::HowTo);
        check("what is our naming rule for tables", Factual, QueryType::Convention);
        check("how do we handle errors in handlers", General, QueryType::Convention);
        check("error E0499 when I borrow twice", General, QueryType::ErrorDebug);
        check("the build fails with exit code 101", General, QueryType::ErrorDebug);
        check("how does the scheduler work", General, QueryType::Architecture);
        check("where is parse_header defined", Factual, QueryType::CodeSearch);
        check("which file holds the retry loop", Factual, QueryType::CodeSearch);
        check("plan_remember", General, QueryType::CodeSearch);
        check("src/main.rs", General, QueryType::CodeSearch);
        check("show examples of a paged query", General, QueryType::FindPattern);
        check("have we met this before?", Factual, QueryType::FindPattern);
        check("add a button to the page", General, QueryType::General);
        check("", General, QueryType::General);
    }

    #[test]
    fn turkish_questions() {
        use Intent::*;
        check("staging anahtarı nerede duruyor", Factual, QueryType::RecallFact);
        check("Redis hangi portu dinliyor?", Factual, QueryType::RecallFact);
        check("Postgres'e ne zaman geçtik", Temporal, QueryType::RecallFact);
        check("önbelleği neden kaldırdık", Causal, QueryType::RecallFact);
        check("giriş testi neden patlıyor?", Causal, QueryType::ErrorDebug);
        check("Nadia kimdir", EntityProfile, QueryType::RecallFact);
        check("ödeme servisi hakkında ne biliyoruz", EntityProfile, QueryType::RecallFact);
        check("Nadia hangi editörü tercih ediyor", Preference, QueryType::RecallFact);
        check("imza anahtarı nasıl yenilenir?", General, QueryType::HowTo);
        check("tablo adlandırma kuralımız ne", Factual, QueryType::Convention);
        check("derleme hatası alıyorum", General, QueryType::ErrorDebug);
        check("zamanlayıcı nasıl çalışıyor", General, QueryType::Architecture);
        check("parse_header nerede tanımlı", Factual, QueryType::CodeSearch);
        check("benzer bir sorgu örneği göster", General, QueryType::FindPattern);
    }

    #[test]
    fn a_named_time_makes_it_temporal_unless_a_cause_is_asked() {
        assert_eq!(intent_of("what did we decide on tuesday", true), Intent::Temporal);
        assert_eq!(intent_of("which editor did she prefer last year", true), Intent::Temporal);
        assert_eq!(intent_of("why did the deploy stop on tuesday", true), Intent::Causal);
    }

    /// A Turkish word of three letters is a name in an English sentence.
    #[test]
    fn turkish_cues_count_in_turkish_questions_only() {
        check("send the report to Kim", Intent::General, QueryType::General);
        check("the user mu is a greek letter", Intent::General, QueryType::General);
    }

    /// The numbers of the third seed, row by row.
    #[test]
    fn the_routes_are_those_of_the_seed() {
        let mut picture = String::new();
        for intent in Intent::ALL {
            let route = intent.route();
            picture += &format!(
                "{intent:<15}{:.1} {:.1} {:>2} {:.1}{}{}\n",
                route.vector,
                route.keyword,
                route.limit,
                route.utility,
                if route.kinds.is_empty() { String::new() } else { format!(" {:?}", route.kinds) },
                route.walk.map_or(String::new(), |walk| format!(" {} hops", walk.hops)),
            );
        }
        assert_eq!(
            picture,
            "factual        0.6 0.4 10 0.2\n\
             temporal       0.4 0.6 15 0.0\n\
             causal         0.3 0.3 20 0.0 2 hops\n\
             entity_profile 0.5 0.5 15 0.3\n\
             preference     0.5 0.5 10 0.0 [Preference, Correction]\n\
             general        0.5 0.5 10 0.2\n"
        );
    }
}
