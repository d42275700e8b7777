//! Cutting a message that asks several things into its questions.
//!
//! A question that was torn apart finds less than one that was left whole, so
//! every rule here asks for more than a conjunction: both sides must be able
//! to stand as questions. What a part asks is not known here.

use super::gate::spoken;
use super::speech::{
    Language, TURKISH_ASKING, Word, begins, count_content, is_content, language_of, says, words_of,
};
use std::ops::Range;

/// A lookup for each part costs time; more than these are not made.
const MOST: usize = 4;

/// A message with more words than this tells before it asks: only the
/// sentences that ask are worth a lookup of their own.
const LONG: usize = 120;

/// A sentence of more words is no question that could be cut.
const LONGEST_SENTENCE: usize = 80;

/// The questions that the message is made of, each with its subject, at most
/// four. Empty where the message is one question or it is unclear where to
/// cut: then it is asked as it stands. A single part comes out of a long
/// message only, as the one sentence of it that asks.
pub fn parts_of(message: &str) -> Vec<String> {
    let spoken = spoken(message);
    let (text, had_code) = without_code(&spoken);
    let words = words_of(&text).len();
    let language = language_of(&text);
    let sentences = sentences_of(&text);
    let long = had_code || words > LONG;
    let any_marked = sentences.iter().any(|sentence| is_marked(sentence));

    let mut parts: Vec<String> = Vec::new();
    let mut subject = String::new();
    for sentence in &sentences {
        // Where somebody uses question marks, a sentence without one is telling.
        let asking = if any_marked {
            is_marked(sentence) && asks(sentence, language)
        } else {
            sentences.len() == 1 || requests(sentence)
        };
        for clause in clauses_of(sentence, language) {
            if asking && stands_alone(&clause) {
                let part = with_subject(&clause, &subject);
                if !parts.iter().any(|known| known.eq_ignore_ascii_case(&part)) {
                    parts.push(part);
                }
            }
            let named = subject_of(&clause, language);
            if !named.is_empty() {
                subject = named;
            }
        }
        // Past its sentence only a name is still spoken of: several words, or
        // one that is not written like every other.
        if subject.chars().all(char::is_lowercase) {
            subject.clear();
        }
    }
    // Who writes at length comes to the point at the end.
    let parts = parts.split_off(parts.len().saturating_sub(MOST));
    let cut = parts.len() > 1 || long && parts.len() == 1 && sentences.len() > 1;
    if cut { parts } else { Vec::new() }
}

/// The text without fenced blocks, and whether there were any.
fn without_code(text: &str) -> (String, bool) {
    let mut kept = String::new();
    let mut inside = false;
    let mut found = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
            found = true;
        } else if !inside {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    (kept, found)
}

/// A sentence ends with a line, or at a mark that space follows, outside of
/// quotes; so `main.rs`, an address and a title stay in one piece.
fn sentences_of(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut from = 0;
    let mut before = ' ';
    let mut closing = None;
    let mut marks = text.char_indices().peekable();
    while let Some((at, mark)) = marks.next() {
        let next = marks.peek().map_or(' ', |(_, next)| *next);
        let opens = !before.is_alphanumeric() && next.is_alphanumeric();
        let ends = closing.is_none() && matches!(mark, '.' | '!' | '?') && next.is_whitespace();
        if mark == '\n' || ends {
            let end = at + mark.len_utf8();
            sentences.push(text[from..end].trim());
            // A quote that nobody closed ends with its line.
            (from, closing) = (end, None);
        } else if closing == Some(mark) && !next.is_alphanumeric() {
            closing = None;
        } else if closing.is_none() && opens {
            closing = QUOTES.iter().find(|(open, _)| *open == mark).map(|(_, close)| *close);
        }
        before = mark;
    }
    sentences.push(text[from..].trim());
    sentences.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    sentences
}

const QUOTES: &[(char, char)] = &[('"', '"'), ('\'', '\''), ('“', '”'), ('‘', '’'), ('«', '»')];

fn is_marked(sentence: &str) -> bool {
    sentence.ends_with('?')
}

/// Whether a sentence with a question mark asks with its words, too. "My phone,
/// you know?" and "We agreed on this, right?" do not.
fn asks(sentence: &str, language: Language) -> bool {
    let words = words_of(sentence);
    match language {
        Language::English => {
            says(&words, "^ .. what|whats|which|who|whos|whom|whose|why|how|when|where|wheres")
                || words.iter().take(3).any(|word| AUXILIARIES.contains(&word.folded.as_str()))
        }
        Language::Turkish => words.iter().any(|word| TURKISH_ASKING.contains(&word.folded.as_str())),
    }
}

/// Whether a sentence without a question mark asks to be told something.
fn requests(sentence: &str) -> bool {
    let words = words_of(sentence);
    opens_question(&words) || says(&words, REQUESTS)
}

/// Whether there is something in it to look for.
fn stands_alone(clause: &str) -> bool {
    count_content(&words_of(clause)) > 0
}

/// The clause, with what was spoken of before it if it only points there.
fn with_subject(clause: &str, subject: &str) -> String {
    let words = words_of(clause);
    let points = words.iter().any(|word| POINTERS.contains(&word.folded.as_str()))
        || words.last().is_some_and(|word| LAST_POINTERS.contains(&word.folded.as_str()))
        || words.first().is_some_and(|word| TURKISH_ASKING.contains(&word.folded.as_str()));
    // A clause of many words names its own things.
    let brief = count_content(&words) <= 3;
    if points && brief && !subject.is_empty() { format!("{subject}: {clause}") } else { clause.to_owned() }
}

/// What a clause speaks of: its longest run of words with content. Of equal
/// ones English has it late ("where is the key"), Turkish early.
fn subject_of(clause: &str, language: Language) -> String {
    let words = words_of(clause);
    let runs = words.chunk_by(|one, next| {
        let between = &clause[one.at.end..next.at.start];
        // A comma ends a name; a dot inside of one does not.
        let apart = between.contains(char::is_whitespace) && !between.trim().is_empty();
        is_content(one) && is_content(next) && !apart
    });
    let runs = runs.filter(|run| is_content(&run[0]));
    let longest = match language {
        Language::English => runs.max_by_key(|run| run.len()),
        Language::Turkish => runs.rev().max_by_key(|run| run.len()),
    };
    longest.map_or(String::new(), |run| {
        // Three words name a thing; more of them are a whole thought.
        let last = &run[run.len().min(3) - 1];
        clause[run[0].at.start..last.at.end].to_owned()
    })
}

/// The sentence, cut where a second question begins.
fn clauses_of(sentence: &str, language: Language) -> Vec<String> {
    let words = words_of(sentence);
    if words.len() > LONGEST_SENTENCE {
        return vec![sentence.to_owned()];
    }
    let mark = if is_marked(sentence) { "?" } else { "" };
    let mut clauses = Vec::new();
    let mut lead = String::new();
    let (mut from, mut at) = (0, 1);
    while at < words.len() {
        let (left, rest) = (&words[from..at], &words[at..]);
        let semicolon = sentence[words[at - 1].at.end..words[at].at.start].contains(';');
        let cut = match language {
            Language::English => english_cut(sentence, left, rest, semicolon),
            Language::Turkish => turkish_cut(left, rest, semicolon),
        };
        if let Some(Cut { joiner, next_lead }) = cut {
            clauses.push(lead + clause(sentence, &words, from..at) + mark);
            lead = next_lead;
            from = at + joiner;
            at = from;
        }
        at += 1;
    }
    clauses.push(lead + clause(sentence, &words, from..words.len()) + mark);
    clauses
}

/// The words of a range as they are written, with the signs around them, but
/// without what only leads over from the clause before.
fn clause<'a>(sentence: &'a str, words: &[Word], range: Range<usize>) -> &'a str {
    let opening =
        words[range.clone()].iter().take_while(|word| OPENINGS.contains(&word.folded.as_str())).count();
    let first = range.start + opening;
    let start = if first == 0 { 0 } else { words[first - 1].at.end };
    let end = words.get(range.end).map_or(sentence.len(), |next| next.at.start);
    let leads_over =
        |mark: char| mark.is_whitespace() || matches!(mark, ',' | ';' | ':' | '.' | '…' | '-' | '–');
    sentence[start..end]
        .trim_start_matches(leads_over)
        .trim_end_matches(|mark| leads_over(mark) || matches!(mark, '?' | '!'))
}

/// Where two clauses part: how many words join them, and what the second
/// borrows from the first to be a question.
struct Cut {
    joiner: usize,
    next_lead: String,
}

fn english_cut(sentence: &str, left: &[Word], rest: &[Word], semicolon: bool) -> Option<Cut> {
    let (joiner, strong) = joiner(rest, ENGLISH_JOINERS, semicolon)?;
    let right = &rest[joiner..];
    // "Between a and b" needs both of them.
    if !is_whole(left) || count_content(right) == 0 || says(left, "between|both|among|compare|versus|vs") {
        return None;
    }
    let told_twice = begins(left, TELLING) && begins(right, TELLING);
    // "Tell me which one we use and where it is": the order of a statement.
    let told = is_embedded(left) && says(right, "^ what|which|who|whom|why|how|where|when _ _");
    if told_twice || (told || opens_question(right)) && !repeats_inside(left, right) {
        return Some(Cut { joiner, next_lead: String::new() });
    }
    // "And also" joins a second thing to the same question.
    let lead = lead_of(sentence, left)?;
    let two_things = strong && count_content(left) >= 2 && count_content(right) >= 2;
    two_things.then_some(Cut { joiner, next_lead: lead })
}

fn turkish_cut(left: &[Word], rest: &[Word], semicolon: bool) -> Option<Cut> {
    let (joiner, _) = joiner(rest, TURKISH_JOINERS, semicolon)?;
    let right = &rest[joiner..];
    let asks = |words: &[Word]| {
        count_content(words) > 0 && words.iter().any(|word| TURKISH_ASKING.contains(&word.folded.as_str()))
    };
    (asks(left) && asks(right)).then_some(Cut { joiner, next_lead: String::new() })
}

/// How many words join here, and whether they promise a second question.
fn joiner(rest: &[Word], joiners: &[(&str, bool)], semicolon: bool) -> Option<(usize, bool)> {
    let found = joiners.iter().find(|(phrase, _)| begins(rest, phrase));
    match found {
        Some((phrase, strong)) => Some((phrase.split(' ').count(), *strong)),
        None => semicolon.then_some((0, false)),
    }
}

/// Whether a question begins here, rather than a relative clause or a second
/// predicate: "and which is slow", "and is used by".
fn opens_question(words: &[Word]) -> bool {
    says(words, ENGLISH_ASKING)
}

/// Whether the words before the joiner are a question of their own. "When and
/// where did" is not, nor is "how many apples and how many pears did".
fn is_whole(left: &[Word]) -> bool {
    count_content(left) > 0 && (says(left, WHOLE_QUESTIONS) || is_embedded(left) && count_content(left) >= 2)
}

/// "Can you tell me which", "I forgot how".
fn is_embedded(left: &[Word]) -> bool {
    let asks_first = says(left, "^ what|which|who|whom|whose|why|how|when|where");
    !asks_first && says(left, "^ .. what|which|who|whom|why|how|when|where")
}

/// "What happens when I push and when I merge": the second "when" belongs to
/// the first, not to a new question.
fn repeats_inside(left: &[Word], right: &[Word]) -> bool {
    left.iter().skip(1).any(|word| word.folded == right[0].folded)
}

/// The beginning of a question that a second thing can be put to: "where is",
/// "how do I".
fn lead_of(sentence: &str, left: &[Word]) -> Option<String> {
    let auxiliary = left.iter().take(4).position(|word| AUXILIARIES.contains(&word.folded.as_str()))?;
    let before = left[..auxiliary].iter().all(|word| !is_content(word)) && auxiliary > 0;
    let person = left.get(auxiliary + 1).filter(|word| PERSONS.contains(&word.folded.as_str()));
    let last = person.unwrap_or(&left[auxiliary]);
    before.then(|| format!("{} ", &sentence[left[0].at.start..last.at.end]))
}

/// Words that join, with whether they promise something new.
const ENGLISH_JOINERS: &[(&str, bool)] = &[
    ("and also", true),
    ("and additionally", true),
    ("and then", false),
    ("as well as", false),
    ("and", false),
    ("also", false),
    ("plus", false),
    ("but", false),
];

const TURKISH_JOINERS: &[(&str, bool)] = &[
    ("ve ayrica", true),
    ("ve bir de", true),
    ("bir de", true),
    ("ayrica", true),
    ("ve", false),
    ("peki", false),
];

/// How a question begins. Where, when and which also begin relative clauses,
/// so they need an auxiliary behind them.
const ENGLISH_ASKING: &str = "^ what|whats|why|how|whose|whos _, ^ who _ _, \
    ^ when|where|whom is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|to _, \
    ^ wheres _, ^ which _ is|are|was|were|do|does|did|can|could|should|would|will|has|have|had, \
    ^ which _ _ is|are|was|were|do|does|did|can|could|should|would|will|has|have|had, \
    ^ in|at|on|for|to|by|with|from what|which|whom|how _, \
    ^ do|does|did|can|could|should|would|will i|we|you|they|he|she|it|there _, \
    ^ is|are|was|were there|it|they|we|you _";

/// A question with its verb, or an order to tell.
const WHOLE_QUESTIONS: &str = "^ .. what|whats|which|who|whos|whom|whose|why|how|when|where|wheres .. \
    is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|to, \
    ^ whats|whos|wheres, ^ who _ _, ^ _ whats|whos|wheres, \
    ^ do|does|did|can|could|should|would|will|is|are|was|were|has|have|had _ _, \
    ^ tell|show|list|explain|describe|find|give|summarize|remind _ _";

const REQUESTS: &str = "tell|remind|show me, ^ explain|describe|list|find|summarize, \
    ^ please explain|describe|list|find|summarize, i want|need|like|love to know, \
    i would|id like|love to know, i wonder, im wondering, wondering if|whether|how|why|what, \
    any idea|ideas how|why|what|where, hatirlat, merak ediyorum, bilmek istiyorum, soyler misin, \
    anlat|anlatir|acikla|aciklar";

/// An order to tell something.
const TELLING: &str = "tell|show|list|explain|describe|find|give|summarize|remind _ _";

const AUXILIARIES: &[&str] = &[
    "is", "are", "was", "were", "do", "does", "did", "can", "could", "should", "would", "will", "has",
    "have", "had",
];

const PERSONS: &[&str] = &["i", "we", "you", "they", "he", "she", "it"];

/// Words that only lead over from what came before.
const OPENINGS: &[&str] = &["and", "also", "but", "so", "then", "plus", "oh", "ve", "ayrica", "peki", "ama"];

/// Words that point to something named elsewhere.
const POINTERS: &[&str] = &[
    "it", "its", "they", "them", "their", "he", "she", "him", "his", "hers", "onu", "onun", "ona", "bunu",
    "bunun", "buna", "onlari", "onlarin", "bunlari",
];

/// These point only at the end; elsewhere they belong to the next word.
const LAST_POINTERS: &[&str] = &["this", "that", "these", "those", "one", "her"];

#[cfg(test)]
mod tests {
    use super::*;

    /// Nobody waits for a message that somebody pasted.
    #[test]
    fn a_very_long_sentence_is_not_cut() {
        assert!(parts_of(&"why a,b and ".repeat(20_000)).len() <= 1);
    }

    #[track_caller]
    fn check(message: &str, expected: &[&str]) {
        assert_eq!(parts_of(message), expected, "{message}");
    }

    #[test]
    fn one_question_stays_one() {
        for message in [
            "What did Ann and Bob decide?",
            "what is the difference between the queue and how we batch",
            "what are the pros and cons of sqlite",
            "When and where did the team meet?",
            "how many tests and how many benches do we have",
            "What happens when I push and when I merge?",
            "which crate is small and is used by the daemon",
            "who wrote the parser and the printer?",
            "we use tabs and spaces",
            "postgres",
            "",
            "Ne zaman ve nerede buluştuk?",
            "Ali ve Ayşe neye karar verdi?",
            "redis ile postgres arasındaki fark ne",
            "staging ve prod anahtarı nerede",
            "the port in config.toml?x=1 is wrong?",
            "I moved the keys today. Where did I put them? Right?",
        ] {
            check(message, &[]);
        }
    }

    #[test]
    fn each_question_mark_ends_a_question() {
        check("Where is the log? Who rotates the keys?", &["Where is the log?", "Who rotates the keys?"]);
        check(
            "Log nerede duruyor? Anahtarı kim yeniliyor?",
            &["Log nerede duruyor?", "Anahtarı kim yeniliyor?"],
        );
        check(
            "I am new here. Where is the log? And who rotates the keys? Thanks!",
            &["Where is the log?", "who rotates the keys?"],
        );
    }

    #[test]
    fn a_conjunction_parts_two_questions() {
        check(
            "where is the staging key and how do I rotate the signing key",
            &["where is the staging key", "how do I rotate the signing key"],
        );
        check(
            "What port does redis use and why did we pick 7000?",
            &["What port does redis use?", "why did we pick 7000?"],
        );
        check(
            "who owns billing; when does the audit start?",
            &["who owns billing?", "when does the audit start?"],
        );
        check(
            "explain the retry loop and show me the callers of `connect()`",
            &["explain the retry loop", "show me the callers of `connect()`"],
        );
        check(
            "can you tell me which node we use and where it is pinned?",
            &["can you tell me which node we use?", "node: where it is pinned?"],
        );
        check(
            "Redis portu kaç ve yedekler nereye yazılıyor?",
            &["Redis portu kaç?", "yedekler nereye yazılıyor?"],
        );
        check("sunucu adı ne ve ayrıca loglar nerede", &["sunucu adı ne", "loglar nerede"]);
        check("testler nasıl çalışır bir de sürüm kaç", &["testler nasıl çalışır", "sürüm kaç"]);
    }

    #[test]
    fn a_second_thing_takes_the_question_of_the_first() {
        check(
            "what is the redis port and also the postgres password?",
            &["what is the redis port?", "what is the postgres password?"],
        );
        check("how do I build docs and also run benches", &["how do I build docs", "how do I run benches"]);
    }

    #[test]
    fn a_part_that_points_back_brings_its_subject() {
        check(
            "where is the staging key and how do I rotate it?",
            &["where is the staging key?", "staging key: how do I rotate it?"],
        );
        check(
            "We moved to Redis. Which port does it use? Who owns billing?",
            &["Redis: Which port does it use?", "Who owns billing?"],
        );
        check(
            "staging anahtarı nerede ve nasıl yenilenir?",
            &["staging anahtarı nerede?", "staging anahtarı: nasıl yenilenir?"],
        );
    }

    #[test]
    fn a_long_message_gives_the_sentences_that_ask() {
        let telling = "The worker reads a job and writes the result to the table. ".repeat(15);
        check(&format!("{telling}\nWhere is the lease kept? {telling}"), &["Where is the lease kept?"]);
        check(
            &format!("{telling} I wonder which test covers the lease."),
            &["I wonder which test covers the lease"],
        );
        check(&telling, &[]);
        check(
            "This does not build:\n```rust\nlet x = what? is? this?;\n```\nWhich feature do I miss?",
            &["Which feature do I miss?"],
        );
        let many: String = (1..=6).map(|n| format!("Where is file{n} kept? ")).collect();
        assert_eq!(parts_of(&many).len(), 4);
    }
}
