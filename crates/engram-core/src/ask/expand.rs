//! Statements that an answer might be made of, built from the question.
//!
//! A memory is a statement and a question is not, so their vectors differ more
//! than their subjects do. A frame around the words of the question brings
//! them nearer. It was measured to hurt more often than it serves, so recall
//! uses it only when told to. No model is asked and nothing is looked up here.

use super::speech::{Language, TURKISH_ASKING, Word, count_content, language_of, says, words_of};

/// The sort of statement that would answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Definition,
    Howto,
    Reasoning,
    Lookup,
    Technical,
    Preference,
    General,
}

/// A frame around more words than this says nothing new.
const LONGEST: usize = 40;

/// Two or three statements that might answer the question, in its language.
/// Empty where the question has no subject to make a statement about, or is too
/// long to be one question.
pub fn expansions_of(question: &str) -> Vec<String> {
    let words = words_of(question);
    let language = language_of(question);
    if words.len() > LONGEST || count_content(&words) == 0 {
        return Vec::new();
    }
    let answer = answer_of(&words, language);
    let Some(topic) = topic_of(question, &words, language) else { return Vec::new() };
    frames_of(answer, language).iter().map(|frame| frame.replace("{}", &topic)).collect()
}

/// The first row that fits decides.
fn answer_of(words: &[Word], language: Language) -> Answer {
    let table = match language {
        Language::English => ENGLISH_CUES,
        Language::Turkish => TURKISH_CUES,
    };
    table.iter().find(|(_, cues)| says(words, cues)).map_or(Answer::General, |(answer, _)| *answer)
}

/// What the question is about, as it was written: without the words that make
/// it a question. English has those in front, and "do" also within ("which port
/// does redis use"); Turkish has them anywhere.
fn topic_of(question: &str, words: &[Word], language: Language) -> Option<String> {
    let is_one_of = |word: &Word, list: &[&str]| list.contains(&word.folded.as_str());
    let first = match language {
        Language::English => words.iter().position(|word| !is_one_of(word, ENGLISH_ASKING))?,
        Language::Turkish => 0,
    };
    let dropped = |word: &Word| match language {
        Language::English => is_one_of(word, &["do", "does", "did"]),
        Language::Turkish => is_one_of(word, TURKISH_ASKING) || is_one_of(word, TURKISH_FILLING),
    };
    let mut topic = String::new();
    let mut end = None;
    for word in words[first..].iter().filter(|word| !dropped(word)) {
        // What joins two words that stayed is kept: a dot, a slash, a comma.
        match end.map(|end| &question[end..word.at.start]) {
            Some(between) if !between.contains(char::is_alphanumeric) => topic.push_str(between),
            Some(_) => topic.push(' '),
            None => {}
        }
        topic.push_str(&question[word.at.clone()]);
        end = Some(word.at.end);
    }
    (!topic.is_empty()).then_some(topic)
}

/// The beginnings of statements, written so that both a thing ("the key") and
/// a whole clause ("we drop the cache") can stand in them.
fn frames_of(answer: Answer, language: Language) -> &'static [&'static str] {
    use Answer::*;
    match (language, answer) {
        (Language::English, Definition) => &["{} is", "{} means", "Definition of {}:"],
        (Language::English, Howto) => &["To {}, first", "The steps to {} are", "You can {} by"],
        (Language::English, Reasoning) => &["{} because", "The reason that {} is", "{} in order to"],
        (Language::English, Lookup) => &["{} is", "{}: found in", "It was noted that {}"],
        (Language::English, Technical) => &["{} is configured with", "The cause of {} was", "Fixed: {}"],
        (Language::English, Preference) => &["The user prefers {}", "Preference: {}"],
        (Language::English, General) => &["{}", "It was noted that {}"],
        (Language::Turkish, Definition) => &["{} şudur:", "{} şu anlama gelir:", "{} demek"],
        (Language::Turkish, Howto) => &["{}: adımlar", "{}: önce", "{} için komut"],
        (Language::Turkish, Reasoning) => &["{} çünkü", "{}, bunun sebebi", "{} şu nedenle:"],
        (Language::Turkish, Lookup) => &["{}: kayıtlı yer", "{} şöyle kayıtlı:", "Not: {}"],
        (Language::Turkish, Technical) => &["{}: çözüm", "{}: ayar", "{} sorununun kaynağı"],
        (Language::Turkish, Preference) => &["Kullanıcının tercihi: {}", "Tercih: {}"],
        (Language::Turkish, General) => &["{}", "{} hakkında not:"],
    }
}

const ENGLISH_CUES: &[(Answer, &str)] = &[
    (
        Answer::Preference,
        "prefer*, favorite*, favourite*, do|does|did|would .. like|love|hate|dislike|enjoy, likes|dislikes",
    ),
    (Answer::Reasoning, "why, how come, reason|reasons, what caused|led, rationale"),
    (Answer::Howto, "how to, how do|can|could|should|would i|we|you|one, steps to|for, way to"),
    (
        Answer::Technical,
        "error*, exception*, panic*, crash*, fail*, bug*, debug*, broken, timeout*, config*, setting*, \
            compile*, stacktrace|traceback|backtrace",
    ),
    (
        Answer::Lookup,
        "where|wheres, when, who|whos|whose|whom, which, how many|much|long|often|old, \
            what time|date|port|version|name|number",
    ),
    (
        Answer::Definition,
        "what is|are|was|were|does, whats, define, definition of, meaning of, explain|describe",
    ),
];

const TURKISH_CUES: &[(Answer, &str)] = &[
    (Answer::Preference, "tercih*, favori*, sever*, sevdig*, seviyor*, hoslan*, begen*, nefret"),
    (Answer::Reasoning, "neden, niye, nicin, sebep|sebebi, ne yuzden"),
    (Answer::Howto, "nasil, adim*, yapmak icin"),
    (
        Answer::Technical,
        "hata*, cokuyor|coktu|cokme*, patla*, calismiyor, bozuk|bozuldu, ayar*, error*, exception*, config*, \
            debug*, derlenmiyor, zaman asimi*",
    ),
    (
        Answer::Lookup,
        "nerede|nerde|neresi|nereye|nereden|nerden, ne zaman, kim|kimin|kime|kimi, hangi|hangisi, kac|kaci",
    ),
    (Answer::Definition, "nedir|ne|neydi, ne demek, tanim*, acikla*, anlat*"),
];

/// Words in front of the topic of an English question.
#[rustfmt::skip]
const ENGLISH_ASKING: &[&str] = &[
    "what", "whats", "which", "who", "whos", "whom", "whose", "when", "where", "wheres", "why", "how",
    "come", "hows", "is", "are", "was", "were", "do", "does", "did", "can", "could", "should", "would",
    "will", "has", "have", "had", "i", "you", "me", "tell", "please", "to", "about", "explain", "describe",
    "define", "show", "remind", "ok", "okay", "so", "and", "but", "hi", "hey", "hello", "many", "much",
    "there", "know", "remember",
];

/// Words that go with a Turkish question without being part of its subject.
const TURKISH_FILLING: &[&str] = &["zaman", "acaba", "lutfen", "peki", "bana", "soyle", "anlat", "demek"];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(question: &str, first: &str) {
        let expansions = expansions_of(question);
        assert!((2..=3).contains(&expansions.len()), "{question}: {expansions:?}");
        assert_eq!(expansions[0], first, "{question}");
    }

    #[test]
    fn a_question_becomes_the_beginning_of_an_answer() {
        check("What is the staging key?", "the staging key is");
        check("How do I rotate the staging key?", "To rotate the staging key, first");
        check("Why did we drop Redis?", "we drop Redis because");
        check("where is the audit log", "the audit log is");
        check("which port does redis use?", "port redis use is");
        check("timeout in src/login.rs", "timeout in src/login.rs is configured with");
        check("which editor does Nadia prefer?", "The user prefers editor Nadia prefer");
        check("the nightly job", "the nightly job");
    }

    #[test]
    fn a_turkish_question_becomes_a_turkish_statement() {
        check("Staging anahtarı nedir?", "Staging anahtarı şudur:");
        check("İmza anahtarı nasıl yenilenir?", "İmza anahtarı yenilenir: adımlar");
        check("Redis'i neden kaldırdık?", "Redis'i kaldırdık çünkü");
        check("denetim kaydı nerede", "denetim kaydı: kayıtlı yer");
        check("giriş modülü hatası", "giriş modülü hatası: çözüm");
        check("Nadia hangi editörü tercih ediyor?", "Kullanıcının tercihi: Nadia editörü tercih ediyor");
    }

    #[test]
    fn without_a_subject_there_is_no_statement() {
        for question in ["", "why?", "what is it", "neden", "???"] {
            assert_eq!(expansions_of(question), [""; 0], "{question}");
        }
        assert_eq!(expansions_of(&"where is the key ".repeat(20)), [""; 0]);
    }
}
