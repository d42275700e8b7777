//! Whether a text says by itself that something changed.
//!
//! "We moved the key back to vault" does, "the key is in vault" does not, and
//! a correction ("actually it is in 1password, not in vault") does. A plan to
//! change something, a question about it and a change that happens every night
//! tell of none. What changed is not asked here.

use super::change::CHANGES;
use super::known::Mark;
use super::reading::{Mood, Reading, read, tells_since};
use super::text::sentences_of;
use super::words::{Word, tongue_of};

/// Whether a text says that something is not as it was, or not as was said.
pub fn tells_of_change(text: &str) -> bool {
    let turkish = tongue_of(text).turkish;
    sentences_of(text).into_iter().any(|sentence| says_so(&read(sentence, turkish)))
}

fn says_so(reading: &Reading) -> bool {
    if matches!(reading.mood, Mood::Asked | Mood::Planned) {
        return false;
    }
    let words = &reading.words;
    let denied = reading.change.as_ref().is_some_and(|change| change.denied);
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
                || is_over && (has_changed(words, at) || reading.turkish && has_changed_in_turkish(words, at))
        })
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

const PRESENT: &[&str] = &["is", "are", "be", "being", "get", "gets"];

fn is_after(words: &[Word], at: usize, list: &[&str]) -> bool {
    at.checked_sub(1).is_some_and(|before| list.contains(&words[before].folded.as_str()))
}

/// The verb is last and tells of what is past.
fn has_changed_in_turkish(words: &[Word], at: usize) -> bool {
    const PAST: &[&str] =
        &["di", "du", "ti", "tu", "dik", "duk", "tik", "tuk", "dim", "dum", "tim", "tum", "mis", "mus"];
    let word = words[at].folded.as_str();
    at + 1 == words.len()
        && CHANGES.iter().any(|root| word.starts_with(root))
        && PAST.iter().any(|ending| word.ends_with(ending))
}
