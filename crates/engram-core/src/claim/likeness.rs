//! How alike two texts are by their words alone.
//!
//! Each word looks for its nearest in the other text: the same word, another
//! form of it (Turkish hangs whole phrases on a root, so a shared beginning
//! counts), another word for it, or one that shares its letters. Long words
//! tell more than short ones, small words hardly anything. What the texts
//! claim is not known here.

use super::lists::{Tie, tie};
use super::reading::speak_turkish;
use super::words::{Word, words_of};
use crate::Similarity;
use std::collections::HashSet;

/// What a small word weighs against one that says something.
const SMALL: f64 = 0.2;
/// Letters beyond this make a word weigh no more.
const LONG: usize = 8;
/// From here on two words are forms of one.
const ANOTHER_FORM: f64 = 0.7;
/// The share of the letters in the whole, beside the share of the words.
const LETTERS: f64 = 0.35;

/// The likeness of two texts by their words.
pub fn likeness(one: &str, other: &str) -> Similarity {
    likeness_with(one, other, |_, _| None)
}

/// The same, with a likeness of two words from elsewhere (a table of word
/// vectors, say), which counts where it is higher than what the letters tell.
pub fn likeness_with(
    one: &str,
    other: &str,
    of_words: impl Fn(&str, &str) -> Option<Similarity>,
) -> Similarity {
    let turkish = speak_turkish(one, other);
    let (first, second) = (words_of(one, turkish), words_of(other, turkish));
    if first.is_empty() || second.is_empty() {
        return Similarity::clamped(if first.is_empty() && second.is_empty() { 1.0 } else { 0.0 });
    }
    let by_words =
        (found(&first, &second, turkish, &of_words) + found(&second, &first, turkish, &of_words)) / 2.0;
    Similarity::clamped(by_words * (1.0 - LETTERS) + by_letters(&first, &second) * LETTERS)
}

/// Of the words that either text has, the share that both have, in whatever
/// form. Small words are in every text and do not count.
pub fn overlap(one: &str, other: &str) -> Similarity {
    let turkish = speak_turkish(one, other);
    let telling = |text: &str| {
        let mut words = words_of(text, turkish);
        words.retain(|word| !word.small);
        words.sort_by(|one, other| one.folded.cmp(&other.folded));
        words.dedup_by(|one, other| one.folded == other.folded);
        words
    };
    let (first, second) = (telling(one), telling(other));
    let found = |words: &[Word], others: &[Word]| {
        let there =
            |word: &&Word| others.iter().any(|other| word_likeness(word, other, turkish) >= ANOTHER_FORM);
        words.iter().filter(there).count() as f64
    };
    // Two forms in one text may both find the one form in the other.
    let shared = found(&first, &second).min(found(&second, &first));
    let either = (first.len() + second.len()) as f64 - shared;
    Similarity::clamped(if either > 0.0 { shared / either } else { 0.0 })
}

/// The share of `words` that is found among `others`.
fn found(
    words: &[Word],
    others: &[Word],
    turkish: bool,
    of_words: &impl Fn(&str, &str) -> Option<Similarity>,
) -> f64 {
    let (mut whole, mut sum) = (0.0, 0.0);
    for word in words {
        let weight = weight_of(word);
        let nearest = others.iter().map(|other| {
            let told = of_words(&word.folded, &other.folded).map_or(0.0, Similarity::get);
            word_likeness(word, other, turkish).max(told)
        });
        whole += weight;
        sum += weight * nearest.fold(0.0, f64::max);
    }
    sum / whole
}

fn weight_of(word: &Word) -> f64 {
    if word.small { SMALL } else { (word.folded.chars().count().min(LONG) as f64).sqrt() }
}

fn word_likeness(one: &Word, other: &Word, turkish: bool) -> f64 {
    if one.folded == other.folded {
        return 1.0;
    }
    if one.is_literal() || other.is_literal() {
        return 0.0;
    }
    // A kind and one of its kind are two things here: a man is not a child.
    if tie(&one.stem, &other.stem) == Some(Tie::Same) {
        return 0.95;
    }
    let shared = one.folded.chars().zip(other.folded.chars()).take_while(|(one, other)| one == other).count();
    let short = one.folded.chars().count().min(other.folded.chars().count());
    match shared {
        0..=2 => 0.0,
        _ if !turkish && shared + 2 < short => 0.0,
        3 if short > 3 && shared + 2 >= short => 0.6,
        _ if shared + 2 >= short => 0.95,
        5.. => 0.7,
        4 if shared * 5 >= short * 3 => 0.7,
        _ => 0.0,
    }
}

/// Dice over the pairs and triples of letters of all words.
fn by_letters(one: &[Word], other: &[Word]) -> f64 {
    let (ours, theirs) = (letters_of(one), letters_of(other));
    let shared = ours.intersection(&theirs).count();
    if ours.is_empty() && theirs.is_empty() {
        0.0
    } else {
        2.0 * shared as f64 / (ours.len() + theirs.len()) as f64
    }
}

fn letters_of(words: &[Word]) -> HashSet<String> {
    let mut runs = HashSet::new();
    for word in words.iter().filter(|word| !word.small) {
        let letters: Vec<char> = format!("^{}", word.folded).chars().collect();
        runs.extend(letters.windows(3).map(|run| run.iter().collect::<String>()));
    }
    runs
}
