//! The build of a sentence: whether it states, orders or wishes, and of what.
//!
//! Phrases catch what people say in so many words (`cues`). Most of what is
//! worth keeping is said plainly, though ("we bill per seat"), and told only by
//! how the sentence is built. What such a statement weighs is decided here; the
//! numbers were set on labelled messages (`tests/observed.rs`).

use super::entity::is_declined;
use super::lookup::Lookup;
use crate::ask::speech::{Language, Word, count_content, is_content, is_english, language_among, words_of};
use crate::kind::Kind;
use std::sync::LazyLock;

/// A trait of how a sentence is built. The Turkish ones are read in Turkish
/// sentences only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trait {
    /// When something is, was or will be.
    Times,
    /// Endings that no English word has.
    TurkishEnding,
    /// A bare Turkish verb at the end.
    TurkishOrder,
    /// What a group does: "we bill per seat".
    WeDo,
    /// It is about our affairs.
    Ours,
    /// One thing hangs on another.
    Links,
    /// It speaks of more than one case.
    General,
    /// Something does not work, or is so at this moment.
    Trouble,
    /// What is asked for, put as if it were so.
    Specified,
    /// It happened once.
    Happened,
    /// What is on a screen is mostly there to be mended or made.
    Screen,
    /// How a Turkish sentence ends that says what is so.
    TurkishStates,
    TurkishOurs,
    TurkishLinks,
    TurkishGeneral,
    TurkishTrouble,
    TurkishScreen,
    /// What all of a sort do or must not do.
    Ruled,
    /// What we did, and will keep to.
    Decided,
    /// What will be.
    Coming,
    /// How parts hang together.
    Built,
    TurkishRuled,
    TurkishDecided,
    TurkishComing,
    TurkishPurpose,
    TurkishBuilt,
}

/// A sentence, taken apart.
pub(super) struct Shape<'w> {
    words: &'w [Word],
    /// One bit for each trait.
    traits: u32,
    pub(super) turkish: bool,
}

impl<'w> Shape<'w> {
    pub(super) fn of(sentence: &str, words: &'w [Word]) -> Self {
        static LOOKUP: LazyLock<Lookup<Trait>> = LazyLock::new(|| Lookup::new(TRAITS));
        let traits = LOOKUP.said_in(words).iter().fold(0, |traits, phrase| traits | 1 << phrase.sign as u32);
        let mut shape = Self { words, traits, turkish: false };
        // Quickly typed Turkish has neither letters of its own nor many small
        // words, but its endings.
        shape.turkish = language_among(sentence, words) == Language::Turkish
            || shape.has(Trait::TurkishEnding)
            || is_spelt_in_turkish(sentence, words);
        shape
    }

    fn has(&self, one: Trait) -> bool {
        self.traits & 1 << one as u32 != 0
    }

    /// Whether it says when something is, was or will be.
    pub(super) fn tells_a_time(&self) -> bool {
        self.has(Trait::Times)
    }

    /// Whether something is said to be so, of something other than this
    /// moment's "it": a subject, and a verb.
    pub(super) fn states(&self) -> bool {
        let Some((first, rest)) = self.words.split_first() else { return false };
        if self.turkish {
            return rest.len() > 2 && !VAGUE_TURKISH.contains(&first.folded.as_str()) && !self.orders();
        }
        let second = rest.first().map_or("", |second| second.folded.as_str());
        let vague = match first.folded.as_str() {
            "i" => {
                rest.first().is_none_or(|second| !is_content(second))
                    || second.ends_with("ed")
                    || MOMENTS.contains(&second)
            }
            "this" | "that" => rest.first().is_none_or(|second| !is_content(second)),
            first => VAGUE.contains(&first),
        };
        !vague && rest.len() > 1 && rest.iter().any(|word| is_verb(&word.folded))
    }

    /// What a plain statement weighs that holds no phrase of the tables: the
    /// more it is about our affairs, the more generally it speaks and the more
    /// it names, the more it is worth. A report of what goes wrong just now, or
    /// of what is wanted, is worth less.
    pub(super) fn weight(&self, entities: usize, numbers: usize) -> f64 {
        let worth = |one: Trait, worth: f64| if self.has(one) { worth } else { 0.0 };
        // A Turkish word does the work of two English ones.
        let content = count_content(self.words) / if self.turkish { 2 } else { 3 };
        let named = 0.15 * (entities.min(3) + numbers.min(2) + usize::from(self.tells_a_time())) as f64;
        let meant = if self.turkish {
            worth(Trait::TurkishStates, 0.15) - 0.15
                + worth(Trait::TurkishOurs, 0.35)
                + worth(Trait::TurkishLinks, 0.25)
                + worth(Trait::TurkishGeneral, 0.3)
                + worth(Trait::TurkishTrouble, -0.5)
                + worth(Trait::TurkishScreen, -0.4)
                + if self.words.iter().any(|word| is_wish(&word.folded)) { -0.6 } else { 0.0 }
        } else {
            worth(Trait::WeDo, 0.4).max(worth(Trait::Ours, 0.3))
                + worth(Trait::Links, 0.25)
                + worth(Trait::General, 0.3)
                + worth(Trait::Trouble, -0.6)
                + worth(Trait::Specified, -0.5)
                + worth(Trait::Screen, -0.4)
                + worth(Trait::Happened, -0.3)
                + if self.speaks_of_many() { 0.35 } else { 0.0 }
        };
        0.6 + 0.1 * content.min(3) as f64 + named + meant
    }

    /// What sort of thing such a statement says. What a person does is a habit,
    /// what all of a sort do is a rule, what we did was decided.
    pub(super) fn kind(&self) -> Kind {
        let first = self.words.first().map_or("", |first| first.folded.as_str());
        if self.turkish {
            return match () {
                () if self.has(Trait::TurkishDecided) => Kind::Decision,
                () if self.has(Trait::TurkishRuled) => Kind::Convention,
                () if self.has(Trait::TurkishComing) => Kind::Plan,
                () if self.has(Trait::TurkishBuilt) => Kind::Architecture,
                () => Kind::Fact,
            };
        }
        let of_all = self.speaks_of_many() && self.has(Trait::Ruled);
        match () {
            () if first == "i" => Kind::Preference,
            () if self.has(Trait::Decided) => Kind::Decision,
            () if self.has(Trait::Coming) => Kind::Plan,
            () if of_all || matches!(first, "each" | "every" | "all" | "any" | "no") => Kind::Convention,
            () if self.has(Trait::Built) => Kind::Architecture,
            () => Kind::Fact,
        }
    }

    /// Whether it orders a piece of work: in English the verb comes first, in
    /// Turkish last.
    pub(super) fn orders(&self) -> bool {
        if self.turkish {
            return self.has(Trait::TurkishOrder);
        }
        let mut rest = self.words.iter().skip_while(|word| LEAD_IN.contains(&word.folded.as_str()));
        let Some(verb) = rest.next().map(|word| word.folded.as_str()) else { return false };
        let object = rest.next().is_none_or(|next| OBJECTS.contains(&next.folded.as_str()));
        ORDERS.contains(&verb) || NOUNS_TOO.contains(&verb) && object
    }

    /// Whether it tells the steps to a result: a purpose or a condition first,
    /// then orders ("to rotate the key, create a new one"), or one order after
    /// the other.
    pub(super) fn tells_steps(&self, sentence: &str) -> bool {
        let orders = |clause: &str| {
            let words = words_of(clause);
            let shape = Shape { words: &words, traits: 0, turkish: false };
            words.len() > 1 && shape.orders()
        };
        let first = self.words.first().map_or("", |first| first.folded.as_str());
        if self.turkish {
            return self.has(Trait::TurkishPurpose) && self.has(Trait::TurkishOrder);
        }
        let ordered = sentence.split([',', ':', ';']).skip(1).filter(|clause| orders(clause)).count();
        match first {
            "to" | "if" | "when" | "for" | "before" | "after" | "whenever" => ordered >= 1,
            _ => ordered >= 2,
        }
    }

    /// "Migrations are numbered by date": a plural without an article speaks of
    /// all of its kind.
    fn speaks_of_many(&self) -> bool {
        let plural = |word: &Word| {
            let word = word.folded.as_str();
            word.len() > 4 && word.ends_with('s') && !word.ends_with("ss") && !NO_PLURALS.contains(&word)
        };
        self.words.iter().take(2).any(plural)
            && self
                .words
                .first()
                .is_some_and(|first| is_content(first) && !NO_PLURALS.contains(&first.folded.as_str()))
    }
}

/// "Sürüm" and "Hetzner'de": letters and endings that tell, where no small word
/// is English.
fn is_spelt_in_turkish(sentence: &str, words: &[Word]) -> bool {
    let spelt = |word: &Word| {
        let written = &sentence[word.at.clone()];
        let small = written.starts_with(char::is_lowercase) && written.contains(['ç', 'ö', 'ü']);
        small || is_declined(written)
    };
    let has = words.last().is_some_and(|last| matches!(last.folded.as_str(), "var" | "yok"));
    (has || words.iter().any(spelt)) && !words.iter().any(|word| is_english(&word.folded))
}

const NO_PLURALS: &[&str] = &[
    "thanks",
    "looks",
    "sounds",
    "seems",
    "works",
    "always",
    "perhaps",
    "sometimes",
    "needs",
    "gets",
    "here",
    "ours",
];

/// A Turkish wish for a third one ("açılsın"), which is how a task is put; the
/// same ending after a verb in the present means "you".
fn is_wish(word: &str) -> bool {
    (word.ends_with("sin") || word.ends_with("sun") || word.ends_with("masin"))
        && word.len() > 5
        && !["yorsun", "zsin", "rsin", "rsun", "misin", "musun", "ksin", "tsin"]
            .iter()
            .any(|ending| word.ends_with(ending))
}

/// Subjects that point at what is on the screen, and no subjects at all.
const VAGUE_TURKISH: &[&str] = &["bu", "su", "bunu", "sunu", "onu", "ben", "sen"];
const VAGUE: &[&str] = &["it", "its", "thats", "im", "ill", "ive", "lets", "let", "same", "not"];

/// What "I" do at this moment.
#[rustfmt::skip]
const MOMENTS: &[&str] = &[
    "guess", "found", "saw", "see", "hope", "wonder", "actually", "forget", "forgot", "wish", "suppose", "believe",
    "feel", "hear", "heard", "wrote", "ran", "came", "went", "took", "sent", "left", "bet", "love", "understand",
];

/// Whether a word may be the verb of a statement: a small one, one of the list,
/// or one with the ending of the third person or of the past. A plural noun has
/// the same ending; to take a sentence for a statement that is none costs little.
fn is_verb(word: &str) -> bool {
    word.len() > 3 && (word.ends_with('s') || word.ends_with("ed")) || VERBS.contains(&word)
}

#[rustfmt::skip]
const VERBS: &[&str] = &[
    "is", "are", "has", "have", "was", "were", "be", "been", "can", "cant", "cannot", "must", "will",
    "wont", "isnt", "arent", "doesnt", "dont", "does", "do", "theres", "hes", "shes", "theyre", "run",
    "live", "use", "need", "take", "cost", "send", "handle", "accept", "depend", "require", "contain",
    "support", "sit", "belong", "own", "stay", "start", "listen", "read", "write", "talk", "go", "come",
    "mean", "return", "expect", "serve", "point", "ship", "hold", "keep", "hit", "trust", "lost", "work",
    "get", "became", "pin", "differ", "speak", "share", "see", "build", "put", "name", "follow", "store",
    "hand", "call", "want", "found", "left", "sat", "went", "made", "kept", "meant", "got",
];

/// Verbs that are nouns as well, so that only what follows tells an order.
#[rustfmt::skip]
const NOUNS_TOO: &[&str] = &[
    "test", "build", "port", "profile", "plan", "format", "list", "document", "review", "commit", "push", "release",
    "deploy", "merge", "patch", "search", "change", "copy", "split", "hook", "sketch", "draft", "help", "set",
    "print", "start", "check", "look", "get",
];

#[rustfmt::skip]
const OBJECTS: &[&str] = &[
    "the", "a", "an", "this", "that", "it", "all", "my", "our", "your", "every", "again", "for", "and", "them", "these",
    "those", "some", "me", "up", "at", "if", "into", "whether", "rid",
];

/// Words that come before an order without changing it.
#[rustfmt::skip]
const LEAD_IN: &[&str] = &[
    "ok", "okay", "yes", "yeah", "yep", "please", "now", "then", "and", "also", "just", "so", "next", "can", "could",
    "lets", "let", "us", "go", "ahead", "first", "alright", "great", "cool", "hey", "hi", "well", "again", "hm",
    "hmm", "no", "sure", "thanks", "maybe", "quickly",
];

/// Verbs that order work. A verb that also opens statements is not here.
#[rustfmt::skip]
const ORDERS: &[&str] = &[
    "add", "fix", "rename", "write", "refactor", "update", "implement", "run", "rerun", "move", "create",
    "make", "try", "remove", "delete", "bump", "take", "revert", "show", "find", "read", "open", "close",
    "explain", "install", "rebase", "replace", "convert", "extract", "clean", "generate", "tell", "give",
    "put", "use", "do", "continue", "stop", "finish", "handle", "wire", "paste", "debug", "investigate",
    "upgrade", "downgrade", "configure", "enable", "disable", "wrap", "inline", "simplify", "improve",
    "optimise", "optimize", "ensure", "verify", "compare", "apply", "undo", "redo", "retry", "reset",
    "summarise", "summarize", "translate", "think", "pull", "fetch", "drop",
];

use Trait::*;

const TRAITS: &[(Trait, f64, &str)] = &[
    (
        Times,
        1.0,
        "january|february|march|april|june|july|august|september|october|november|december, \
            monday|tuesday|wednesday|thursday|friday|saturday|sunday, \
            today|tomorrow|yesterday|tonight, utc|am|pm, \
            week|weeks|month|months|year|years|daily|weekly|monthly|nightly|hourly, q1|q2|q3|q4, \
            sprint|deadline, seconds|minutes|hours|days, \
            ocak*|subat*|mart|martta|nisan*|mayis*|haziran*|temmuz*|agustos*|eylul*|ekim*|kasim*|aralik*, \
            pazartesi*|sali|carsamba*|persembe*|cuma*|pazar*, bugun|yarin|dun|gece|sabah|aksam, \
            hafta*|ay|ayda|yil*|saat*|dakika*|saniye*",
    ),
    (
        TurkishEnding,
        1.0,
        "*iyor|*uyor|*iyoruz|*uyoruz|*iyorum|*uyorum|*iyorsun, *larin|*lerin|*lari|*leri, \
            *acak|*ecek|*acagiz|*ecegiz, degil|lazim|gerek|olsun|artik|bence, \
            *sinda|*sinde|*inda|*inde|*unda|*unde|*undan|*inden, *misin|*mis|*mus, *elim|*alim, *mali|*meli, \
            *dik|*tik|*duk|*tuk, *dim|*tim, *miz|*muz|*riz|*ruz|*erim|*arim|*irim|*iyim|*uyum, \
            pazartesi|sali|carsamba|persembe|cuma|gunu|hafta|saat, lideri|sahibi|sorumlusu, \
            turkce|ingilizce, tum|butun|sadece|eski|olur|kendi, *ebilir|*abilir, kullan|kullanma, \
            ekle|duzelt|calistir|goster|guncelle",
    ),
    (
        TurkishOrder,
        1.0,
        "ekle|duzelt|yap|yaz|sil|ac|kapat|goster|calistir|guncelle|getir|bak|dene|soyle|degistir|tasi|kucult|buyult|kullan \
            $, \
            pushla|commitle|al|et|kur|ver|cikar|oku|kaldir|birak|anlat|incele|hazirla|olustur|kontrol|listele|bul|cevir|ayarla|temizle|bol|birlestir|test \
            $, \
            ekle|duzelt|yap|yaz|sil|ac|kapat|goster|calistir|guncelle|getir|bak|dene|soyle|degistir|tasi|al|et \
            lutfen",
    ),
    (
        WeDo,
        1.0,
        "we \
            host|write|bill|squash|park|parked|run|ship|deploy|release|use|keep|store|sell|build|test|tag|pin|buy|own|pay, \
            we _ed, we have|dont|never|only|always|never, we *ed, weve *ed",
    ),
    (
        Ours,
        1.0,
        "our|ours|we|us|weve, \
            team|teams|company|customers|customer|tenants|tenant|clients|users|everyone|finance|legal|support|marketing, \
            prod|production|staging|repo|repository|codebase|firmware|pipeline|cluster",
    ),
    (
        Links,
        1.0,
        "so|because|since|otherwise|unless|until|only|while|whereas|unlike|except|before|after|instead|through|via|by|but|per",
    ),
    (
        General,
        1.0,
        "usually|always|never|normally|typically|generally|hourly|daily|weekly|nightly|monthly, \
            any|anything|everything|nothing|nobody|none|each|every|both|all, \
            mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays, no _ of, own|its, \
            is|are *ed by|from|in|with|at|on|through, at startup|boot|runtime|night, up to, at \
            most|least",
    ),
    (
        Trouble,
        1.0,
        "misaligned|crashes|crashing|failing|overlaps|overlap|overlapping|blank|blurry|flickers|freezes|stuck|hangs|missing|jumps|jumping, \
            doesnt|dont|isnt|arent|wont|cant|didnt \
            work|load|show|open|close|add|appear|update|start|match|render|respond|save|compile|build, \
            not *ing|stored|saved|shown|loading|showing|updating|visible|there, is|are|looks \
            off|wrong|weird|broken|slow|red|green, trace|undefined, returns|throws a|an, \
            now|today|still|again|yet|currently|nearly|almost|left|remaining, has|have been _ for, \
            for an|now|today, with|without this|it, my _ shows|takes|says|is|has|keeps|prints, my \
            build|machine|laptop|terminal|editor|browser, shows each|it|the, when you|i \
            click|press|tap|hover|scroll, as it is, stay as, can stay|wait|go|ignore, \
            reads|looks|feels nicer|better|good|cleaner",
    ),
    (
        Specified,
        1.0,
        "should|shall|ought, needs a|an|some|another field|button|page|column|test|option|flag, \
            here are the, requirements, users|user can|should|must|sees, optional",
    ),
    (
        Happened,
        1.0,
        "took|went|ran|printed|showed|came|got|did|happened|said|tried|saw, last \
            run|time|one|night|week, first|second|third time|one|run",
    ),
    (
        Screen,
        1.0,
        "^ the|one|this|that .. \
            button|page|dialog|modal|icon|header|sidebar|dropdown|tooltip|menu|field|form|layout|label|scrollbar|popup|checkbox|spinner|font|text|screen",
    ),
    (
        TurkishStates,
        1.0,
        "*iyor|*uyor|*iyoruz|*uyoruz|*iyorlar|*uyorlar, *ir|*er|*ar|*ur|*maz|*mez $, \
            *irlar|*erler|*arlar|*mazlar|*mezler $, *dir|*tir|*dur, var|yok|degil|lazim|sart, \
            *mali|*meli, *acak|*ecek|*acagiz|*ecegiz, *mis|*mus, *da|*de|*ta|*te|*dan|*den $, \
            zorunda, eski|ayri $, lideri|sahibi, surumu|surumumuz, *im|*um $, *di|*ti|*du|*tu $, \
            *eyiz|*ayiz $, bizim",
    ),
    (
        TurkishOurs,
        1.0,
        "biz|bizim|bizde|bize|kendimiz, *imiz|*umuz|*imizi|*imizde|*imizin|*umuzu, \
            ekip*|musteri*|sirket*|kullanicilar*|muhasebe, \
            prod|production|staging|uretim*|proje*|repo*, altinda|uzerinden|hepsinde, \
            *iyoruz|*uyoruz",
    ),
    (
        TurkishLinks,
        1.0,
        "cunku|yoksa|sadece|yalnizca|ancak|yuzden|icin|once|sonra|ama|ise|olmadan|kendi|kadar, \
            *ince|*inca|*unca|*unce",
    ),
    (
        TurkishGeneral,
        1.0,
        "her|hep|hicbir|hic|genelde|genellikle|tum|butun|normalde|herkes|tek|asla|hepsi, \
            *ir|*er|*ar|*ur|*maz|*mez $, *nir|*ilir|*ulur|*anir|*enir|*unur, \
            *iliyor|*uluyor|*niyor|*nuyor, *lar|*ler, *lar|*ler .. *iyor|*uyor",
    ),
    (
        TurkishTrouble,
        1.0,
        "cokuyor|patliyor|donuyor|takiliyor|kaymis|zipliyor|titriyor, *miyor|*muyor $, hata \
            veriyor|aliyorum, simdi|hala|yine|bugun|su, saattir|dakikadir|gundur, \
            bence|galiba|dusunmemistim, kirmizi|yesil, bos|kirik|bozuk|garip|tuhaf $, \
            goremiyorum|bulamiyorum, kaldi $, surdu, eksik $, gosteriyor $",
    ),
    (
        TurkishScreen,
        1.0,
        "buton*|sayfa*|baslik|logo*|menu*|form|forma|formu*|ikon*|pencere*|cubugu|yerlesim*|ekranda|tooltip|acilir",
    ),
    (
        Ruled,
        1.0,
        "are|get|gets *ed, never|nobody|always|only, belong|belongs|go|goes|come \
            in|into|under|from",
    ),
    (Decided, 1.0, "we took|picked|went|dropped|moved|parked|bought|*ed, ^ were *ing, so _ it is"),
    (
        Coming,
        1.0,
        "will|well _, launch|demo|rollout, go live, by \
            january|february|march|april|june|july|august|september|october|november|december",
    ),
    (
        Built,
        1.0,
        "embeds|connects|queries|authenticate|authenticates|stateless, is|are \
            written|copied|kept|sent|stored|pushed|streamed to|in|by|into|through, \
            around|over|between|through .. server|service|layer|broker|queue, is|are *ed .. and, \
            keep|keeps a local, thin|replica|replicas",
    ),
    (
        TurkishRuled,
        1.0,
        "*miyoruz|*muyoruz, *lar|*lari|*leri .. *lar|*ler|*ir $, \
            *nir|*ilir|*ulur|*anir|*enir|*unur|*maz|*mez $, *nir|*ilir|*ulur|*olur|*durur _, \
            *lar|*ler .. *ir|*er|*ar|*ur $",
    ),
    (TurkishDecided, 1.0, "*dik|*tik|*duk|*tuk $, *dik|*tik|*duk|*tuk _, emekli *iyoruz, biraktik"),
    (
        TurkishComing,
        1.0,
        "lansman*|demo|yayin*|teslim*, kadar *mezse|*mazsa, *memiz|*mamiz gerek*|lazim, kadar .. \
            gerek*|lazim",
    ),
    (TurkishPurpose, 1.0, "*mak|*mek icin, *irsa|*arsa|*erse|*ursa"),
    (TurkishBuilt, 1.0, "*iliyor|*uluyor|*aniyor|*eniyor, *ip|*up .. *iyor|*uyor"),
];
