//! How alike two texts are by their words alone.
//!
//! Each word looks for its nearest in the other text: the same word, another
//! form of it (Turkish hangs whole phrases on a root, so a shared beginning
//! counts), another word for it, or one that shares its letters. Long words
//! tell more than short ones, small words hardly anything. What the texts
//! claim is not known here.

use super::lists::{Tie, tie};
use super::text::{Text, speak_turkish};
use super::words::Word;
use crate::Similarity;

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
    Text::of(one).likeness(&Text::of(other))
}

/// The same, with a likeness of two words from elsewhere (a table of word
/// vectors, say), which counts where it is higher than what the letters tell.
pub fn likeness_with(
    one: &str,
    other: &str,
    of_words: impl Fn(&str, &str) -> Option<Similarity>,
) -> Similarity {
    likeness_of(&Text::of(one), &Text::of(other), of_words)
}

pub(super) fn likeness_of(
    one: &Text<'_>,
    other: &Text<'_>,
    of_words: impl Fn(&str, &str) -> Option<Similarity>,
) -> Similarity {
    let turkish = speak_turkish(one.whole(), other.whole());
    let (one, other) = (one.whole().cut(turkish), other.whole().cut(turkish));
    let (first, second) = (&one.words[..], &other.words[..]);
    if first.is_empty() || second.is_empty() {
        return Similarity::clamped(if first.is_empty() && second.is_empty() { 1.0 } else { 0.0 });
    }
    let mut nearest = (vec![0.0; first.len()], vec![0.0; second.len()]);
    for (word, ours) in first.iter().zip(&mut nearest.0) {
        for (other, theirs) in second.iter().zip(&mut nearest.1) {
            let told =
                |one: &Word, other: &Word| of_words(&one.folded, &other.folded).map_or(0.0, Similarity::get);
            let like = word_likeness(word, other, turkish);
            *ours = like.max(told(word, other)).max(*ours);
            *theirs = like.max(told(other, word)).max(*theirs);
        }
    }
    let by_words = (found(first, &nearest.0) + found(second, &nearest.1)) / 2.0;
    Similarity::clamped(by_words * (1.0 - LETTERS) + by_letters(one.runs(), other.runs()) * LETTERS)
}

/// Of the words that either text has, the share that both have, in whatever
/// form. Small words are in every text and do not count.
pub fn overlap(one: &str, other: &str) -> Similarity {
    let (one, other) = (Text::of(one), Text::of(other));
    let turkish = speak_turkish(one.whole(), other.whole());
    let (first, second) =
        (telling(&one.whole().cut(turkish).words), telling(&other.whole().cut(turkish).words));
    let found = |words: &[&Word], others: &[&Word]| {
        let there =
            |word: &&&Word| others.iter().any(|other| word_likeness(word, other, turkish) >= ANOTHER_FORM);
        words.iter().filter(there).count() as f64
    };
    // Two forms in one text may both find the one form in the other.
    let shared = found(&first, &second).min(found(&second, &first));
    let either = (first.len() + second.len()) as f64 - shared;
    Similarity::clamped(if either > 0.0 { shared / either } else { 0.0 })
}

/// The words that say something, each once.
fn telling(words: &[Word]) -> Vec<&Word> {
    let mut words: Vec<&Word> = words.iter().filter(|word| !word.small).collect();
    words.sort_by(|one, other| one.folded.cmp(&other.folded));
    words.dedup_by(|one, other| one.folded == other.folded);
    words
}

/// The share of `words` that is found in another text, where each has its
/// `nearest`.
fn found(words: &[Word], nearest: &[f64]) -> f64 {
    let (mut whole, mut sum) = (0.0, 0.0);
    for (word, nearest) in words.iter().zip(nearest) {
        let weight = weight_of(word);
        whole += weight;
        sum += weight * nearest;
    }
    sum / whole
}

fn weight_of(word: &Word) -> f64 {
    if word.small { SMALL } else { (word.letters.min(LONG) as f64).sqrt() }
}

/// The same whichever of the two comes first.
fn word_likeness(one: &Word, other: &Word, turkish: bool) -> f64 {
    if one.folded == other.folded {
        return 1.0;
    }
    if one.is_literal() || other.is_literal() {
        return 0.0;
    }
    // A kind and one of its kind are two things here: a man is not a child.
    if tie(one.by_stem(), other.by_stem()) == Some(Tie::Same) {
        return 0.95;
    }
    let shared = one.folded.chars().zip(other.folded.chars()).take_while(|(one, other)| one == other).count();
    let short = one.letters.min(other.letters);
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
fn by_letters(ours: &[u64], theirs: &[u64]) -> f64 {
    if ours.is_empty() && theirs.is_empty() {
        0.0
    } else {
        2.0 * count_shared(ours, theirs) as f64 / (ours.len() + theirs.len()) as f64
    }
}

fn count_shared(mut ours: &[u64], mut theirs: &[u64]) -> usize {
    let mut shared = 0;
    while let ([mine, our_rest @ ..], [their, their_rest @ ..]) = (ours, theirs) {
        shared += usize::from(mine == their);
        if mine <= their {
            ours = our_rest;
        }
        if their <= mine {
            theirs = their_rest;
        }
    }
    shared
}

/// Each three letters that follow each other in a word that says something, in
/// one number, and each number once, in order. A word begins with a mark of its
/// own.
pub(super) fn runs_of(words: &[Word]) -> Vec<u64> {
    let mut runs = Vec::new();
    for word in words.iter().filter(|word| !word.small) {
        let mut run = u64::from('^');
        for (at, letter) in word.folded.chars().enumerate() {
            run = (run << LETTER_BITS | u64::from(letter)) & RUN;
            if at > 0 {
                runs.push(run);
            }
        }
    }
    runs.sort_unstable();
    runs.dedup();
    runs
}

/// Every letter there is fits into so many bits.
const LETTER_BITS: u32 = 21;
/// Three of them.
const RUN: u64 = (1 << (3 * LETTER_BITS)) - 1;
