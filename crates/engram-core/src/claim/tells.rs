//! Whether a text says by itself that something changed.
//!
//! "We moved the key back to vault" does, "the key is in vault" does not, and
//! a correction ("actually it is in 1password, not in vault") does. A plan to
//! change something, a question about it and a change that happens every night
//! tell of none. What changed is not asked here.

use super::change::{CHANGES, Change};
use super::known::Mark;
use super::nouns::is_of_person;
use super::reading::{Mood, Reading, read, tells_since};
use super::text::sentences_of;
use super::values::begins_large;
use super::words::{Word, tongue_of};

/// Whether a text says that something is not as it was, or not as was said.
pub fn tells_of_change(text: &str) -> bool {
    let turkish = tongue_of(text).turkish;
    sentences_of(text).into_iter().any(|sentence| says_so(&read(sentence, turkish)))
}

pub(super) fn says_so(reading: &Reading) -> bool {
    if matches!(reading.mood, Mood::Asked | Mood::Planned) {
        return false;
    }
    let words = &reading.words;
    let denied =
        reading.change.as_ref().is_some_and(|change| change.denied && denies_a_name(reading, change));
    let corrected = |at: usize| at > 0 && words[at].after_pause && words[at].folded == "not";
    let not_but = |at: usize| reading.turkish && words[at].folded == "degil" && at + 1 < words.len();
    let small = |at: usize| {
        let marks = if reading.turkish { SMALL_TURKISH } else { SMALL_ENGLISH };
        marks.contains(&words[at].folded.as_str()) || tells_since(words, at)
    };
    let is_over = !reading.negated || reading.ended;
    reading.ended
        || denied
        || (0..words.len()).any(|at| {
            corrected(at)
                || not_but(at)
                || small(at)
                || used_to(words, at)
                || begins_now(words, at)
                || is_over && (has_changed(words, at) || reading.turkish && has_changed_in_turkish(words, at))
        })
}

/// "We do not use X, we use Y" names what is not so; "it is optional, it is not
/// enforced" says one thing twice.
fn denies_a_name(reading: &Reading, change: &Change) -> bool {
    let told = |item: &usize| change.to.iter().any(|to| reading.word(*to).stem == reading.word(*item).stem);
    let named = |item: &&usize| {
        let word = reading.word(**item);
        let in_code =
            word.folded.contains(|mark: char| mark.is_ascii_digit() || matches!(mark, '_' | '.' | '/'));
        begins_large(word) || in_code || !word.by_stem().known.classes.is_empty()
    };
    reading.ended || change.from.iter().filter(named).any(|item| !told(item))
}

#[rustfmt::skip]
const SMALL_ENGLISH: &[&str] = &[
    "now", "nowadays", "anymore", "instead", "actually", "correction", "previously", "formerly",
];
#[rustfmt::skip]
const SMALL_TURKISH: &[&str] = &[
    "artik", "simdi", "yerine", "eskiden", "onceden", "aslinda", "bundan", "duzeltme",
];

/// "We used to deploy by hand", but not "it is used to deploy".
fn used_to(words: &[Word], at: usize) -> bool {
    let next = words.get(at + 1).map_or("", |word| word.folded.as_str());
    words[at].folded == "used" && next == "to" && !is_after(words, at, PRESENT)
}

/// What is moved every night, or is called "the changed files", has not
/// changed.
fn has_changed(words: &[Word], at: usize) -> bool {
    const ALSO: &[&str] = &["replaced", "swapped", "became", "rewrote", "reverted"];
    let word = words[at].folded.as_str();
    let back = word == "back"
        && words.get(at + 1).is_some_and(|next| matches!(next.folded.as_str(), "to" | "in" | "on" | "from"));
    let told = (words[at].is(Mark::Moved) || ALSO.contains(&word)) && !is_after(words, at, PRESENT);
    back || told && !is_after(words, at, &["the", "a", "an", "every", "each", "any", "all"])
}

/// "As of today", "these days", "from here on", "I changed my mind".
fn begins_now(words: &[Word], at: usize) -> bool {
    let next = words.get(at + 1).map_or("", |word| word.folded.as_str());
    match (words[at].folded.as_str(), next) {
        ("as", "of") | ("these", "days") | ("now", "that") => true,
        ("from", "here" | "now" | "today" | "this") => true,
        ("changed" | "change" | "changing", "my" | "our") => {
            words.get(at + 2).is_some_and(|word| word.folded == "mind" || word.folded == "minds")
        }
        ("come" | "came", "around" | "round") => true,
        ("fikrim" | "fikrimi" | "fikrimizi" | "kararim" | "kararimi", next) => next.starts_with("degis"),
        _ => false,
    }
}

/// Whether a claim that holds a value says that it held another before. Less
/// tells that than tells of a change in any text: the values are compared.
pub(super) fn tells_new_value(reading: &Reading) -> bool {
    if matches!(reading.mood, Mood::Asked | Mood::Planned) {
        return false;
    }
    let words = &reading.words;
    says_so(reading)
        || (0..words.len()).any(|at| {
            let done = if reading.turkish { is_done_in_turkish } else { is_done };
            done(words, at) || names_new(reading, at) || words[at].folded == "again"
        })
}

/// Whether a word says what was done, and nothing of what it was done to.
pub(super) fn is_deed(reading: &Reading, at: usize) -> bool {
    if reading.turkish { is_done_in_turkish(&reading.words, at) } else { is_done(&reading.words, at) }
}

/// What was done to a thing, and not what is done to it every day.
fn is_done(words: &[Word], at: usize) -> bool {
    const DONE: &[&str] = &[
        "rescheduled",
        "pushed",
        "turned",
        "enabled",
        "disabled",
        "activated",
        "deactivated",
        "shifted",
        "postponed",
        "rehosted",
        "replaced",
        "promoted",
        "adopted",
    ];
    let folded = |at: usize| words.get(at).map_or("", |word| word.folded.as_str());
    let before = at.checked_sub(1).map_or("", folded);
    match folded(at) {
        "taken" if matches!(before, "been" | "was" | "were") && leads_on(words, at) => true,
        "took" | "taken" => words[at..].iter().any(|word| matches!(word.folded.as_str(), "over" | "from")),
        "handed" => true,
        "since" => at > 0,
        "went" => matches!(folded(at + 1), "to" | "up" | "down" | "from"),
        "left" => folded(at + 1) == "the" || words.get(at + 1).is_some_and(|next| next.after_pause),
        word => {
            let told =
                matches!(before, "been" | "was" | "were" | "got" | "we" | "i" | "has" | "have" | "user");
            let past = is_past(word);
            told && (DONE.contains(&word) || past && (before == "been" || leads_on(words, at)))
                || past && goes_on(words, at)
        }
    }
}

/// "The sync shifted to 09:45": who or what did so stands right before it, and
/// it is not said how things are.
fn goes_on(words: &[Word], at: usize) -> bool {
    const FAR: usize = 5;
    let near = words[at + 1..].iter().take(FAR);
    at > 0
        && !words[at].after_pause
        && !words[..=at].iter().any(|word| word.is(Mark::Copula) || is_usual(word))
        && near.into_iter().any(|word| matches!(word.folded.as_str(), "to" | "onto" | "into"))
}

fn is_usual(word: &Word) -> bool {
    matches!(word.folded.as_str(), "get" | "gets" | "be" | "being" | "can" | "must" | "should")
}

fn is_past(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ed")
        || matches!(
            word,
            "cut"
                | "put"
                | "set"
                | "took"
                | "brought"
                | "made"
                | "swapped"
                | "sent"
                | "gave"
                | "given"
                | "shrunk"
                | "grown"
                | "split"
                | "shut"
                | "redone"
                | "rebuilt"
                | "rewritten"
                | "taken"
        )
}

/// What was done leads somewhere: "to", "onto", "for".
fn leads_on(words: &[Word], at: usize) -> bool {
    words[at + 1..]
        .iter()
        .any(|word| matches!(word.folded.as_str(), "to" | "onto" | "into" | "on" | "off" | "at" | "under"))
}

/// "Our new contact is": of a thing of which there is one at a time.
fn names_new(reading: &Reading, at: usize) -> bool {
    let words = &reading.words;
    matches!(words[at].folded.as_str(), "new" | "yeni")
        && (at + 1..words.len().min(at + 4))
            .take_while(|next| !words[*next].small && !words[*next].after_pause)
            .any(|next| {
                words[next].is(Mark::SlotNoun) || is_of_person(&words[next]) || is_ours(words, at, next)
            })
        || words[at].folded == "new" && has_one(words, at)
}

/// "It has a new home", "the repo got a new name".
fn has_one(words: &[Word], at: usize) -> bool {
    at > 1
        && words[at - 1].folded == "a"
        && matches!(words[at - 2].folded.as_str(), "has" | "have" | "got" | "found")
        && words.get(at + 1).is_some_and(|next| {
            matches!(next.folded.as_str(), "home" | "name" | "owner" | "place" | "host" | "address" | "lead")
        })
}

/// "Our new designer is": whatever it is, it is the one.
fn is_ours(words: &[Word], at: usize, next: usize) -> bool {
    let ours = at > 0 && matches!(words[at - 1].folded.as_str(), "our" | "my");
    ours && words.get(next + 1).is_some_and(|word| word.is(Mark::Copula))
}

/// The verb is last in its clause and tells of what is past.
fn is_done_in_turkish(words: &[Word], at: usize) -> bool {
    #[rustfmt::skip]
    const DONE: &[&str] = &[
        "kaydir", "aldik", "alindi", "alin", "cektik", "cekil", "devral", "devret", "devredil", "yaptik",
        "yapildi", "actik", "actim", "acildi", "kapatt", "kapatil", "kapandi", "gecir", "ertele", "ayril",
        "birak", "etkinlestir", "atandi", "cikar", "indir", "artir", "kalk", "kaldir", "veril", "cikt",
        "yuksel", "dustu", "indi", "naklet", "nakled", "aktar", "gocur", "don", "getir", "durdur",
    ];
    const WE_DID: &[&str] = &["dik", "duk", "tik", "tuk", "dim", "dum", "tim", "tum"];
    let word = words[at].folded.as_str();
    let ends = at + 1 == words.len() || words[at + 1].after_pause;
    let cases = ["a", "e", "ya", "ye", "na", "ne", "dan", "den", "tan", "ten"];
    let moves = |word: &Word| cases.contains(&word.ending.as_str());
    // "14 işçiye", "altına".
    let to_it = |at: usize| {
        let word = &words[at];
        let ends = |endings: &[&str]| endings.iter().any(|end| word.folded.ends_with(end));
        let counted = at > 0 && words[at - 1].is_number();
        word.letters > 3
            && !word.is_literal()
            && (ends(&["ina", "ine", "una", "une"]) || counted && ends(&["a", "e"]))
    };
    let leads = || {
        (0..at).any(to_it)
            || words[..at].iter().any(|word| {
                moves(word)
                    || word.folded == "olarak"
                    || ["sine", "sina"].iter().any(|end| word.folded.ends_with(end))
            })
    };
    let past = PAST.iter().any(|ending| word.len() > 4 && word.ends_with(ending));
    let done =
        DONE.iter().any(|root| word.starts_with(root)) && PAST.iter().any(|ending| word.ends_with(ending));
    ends && (done
        || past && leads()
        || WE_DID.iter().any(|ending| word.len() > 5 && word.ends_with(ending)) && leads())
}

const PRESENT: &[&str] = &["is", "are", "be", "being", "get", "gets"];

fn is_after(words: &[Word], at: usize, list: &[&str]) -> bool {
    at.checked_sub(1).is_some_and(|before| list.contains(&words[before].folded.as_str()))
}

/// The verb is last and tells of what is past.
fn has_changed_in_turkish(words: &[Word], at: usize) -> bool {
    let word = words[at].folded.as_str();
    (at + 1 == words.len() || words[at + 1].after_pause)
        && CHANGES.iter().any(|root| word.starts_with(root))
        && PAST.iter().any(|ending| word.ends_with(ending))
}

const PAST: &[&str] =
    &["di", "du", "ti", "tu", "dik", "duk", "tik", "tuk", "dim", "dum", "tim", "tum", "mis", "mus"];
