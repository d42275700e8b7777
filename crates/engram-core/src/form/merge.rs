//! Two texts about one thing made into one, without losing a fact.
//!
//! A sentence goes only if another one says all of its words in the same
//! order and nothing that turns them around. What the sentences are about is
//! not known here, nor which of two that disagree is right: both stay.

use super::pieces::sentences;
use crate::ask::when::token::folded;
use std::ops::Range;

/// The old text with what the new one adds.
pub fn merge(old: &str, new: &str) -> String {
    let (old, new) = (old.trim(), new.trim());
    if old.is_empty() || new.is_empty() {
        return if old.is_empty() { new.to_owned() } else { old.to_owned() };
    }
    let known = sentences_of(old);
    let mut replaced: Vec<Option<usize>> = vec![None; known.len()];
    let said = sentences_of(new);
    let mut added: Vec<usize> = Vec::new();
    for (place, (_, words)) in said.iter().enumerate() {
        let covered = known.iter().any(|(_, other)| covers(other, words))
            || said.iter().enumerate().any(|(at, (_, other))| {
                at != place && covers(other, words) && (at < place || !covers(words, other))
            });
        if covered {
            continue;
        }
        // Of several old sentences that it says better it takes the place of
        // the first; the others go with it.
        let better: Vec<usize> =
            (0..known.len()).filter(|at| replaced[*at].is_none() && covers(words, &known[*at].1)).collect();
        for at in &better {
            replaced[*at] = Some(place);
        }
        if better.is_empty() {
            added.push(place);
        }
    }
    let mut merged = String::new();
    let mut from = 0;
    let mut placed: Vec<usize> = Vec::new();
    for (at, (range, _)) in known.iter().enumerate() {
        let between = &old[from..range.start];
        from = range.end;
        match replaced[at] {
            Some(place) if placed.contains(&place) => {}
            Some(place) => {
                placed.push(place);
                merged.push_str(between);
                merged.push_str(&new[said[place].0.clone()]);
            }
            None => {
                merged.push_str(between);
                merged.push_str(&old[range.clone()]);
            }
        }
    }
    merged.push_str(&old[from..]);
    for place in added {
        let sentence = &new[said[place].0.clone()];
        let lines = merged.contains('\n') || sentence.contains('\n') || merged.ends_with("```");
        merged.push_str(match () {
            () if lines => "\n",
            () if merged.ends_with(['.', '!', '?', '…', ':', ';']) => " ",
            () => ". ",
        });
        merged.push_str(sentence);
    }
    merged
}

/// Each sentence with its words. A text with code in it is one sentence.
fn sentences_of(text: &str) -> Vec<(Range<usize>, Vec<String>)> {
    let whole = text.contains("```") || text.contains("~~~");
    let ranges =
        if whole { std::iter::once(0..text.len()).collect() } else { sentences(text, 0..text.len()) };
    ranges.into_iter().map(|range| (range.clone(), words(&text[range]))).collect()
}

/// What is between blanks, without the marks around it: "1.2" and "a_b" are
/// words, and so is a mark that stands alone.
fn words(sentence: &str) -> Vec<String> {
    sentence
        .split_whitespace()
        .map(|word| {
            let inner = word.trim_matches(|c: char| {
                !c.is_alphanumeric() && !matches!(c, '+' | '#' | '-' | '/' | '~' | '_')
            });
            folded(if inner.is_empty() { word } else { inner })
        })
        .filter(|word| !matches!(word.as_str(), "a" | "an" | "the" | "also" | "ayrica"))
        .collect()
}

/// Whether one sentence says all that the other does, in its order, and what
/// it adds does not turn it around.
fn covers(one: &[String], other: &[String]) -> bool {
    let mut rest = other.iter().peekable();
    let mut more: Vec<&str> = Vec::new();
    for word in one {
        if rest.next_if(|next| *next == word).is_none() {
            more.push(word);
        }
    }
    rest.peek().is_none() && !more.iter().any(|word| turns(word))
}

fn turns(word: &str) -> bool {
    TURNING.split_ascii_whitespace().any(|known| known == word)
        || word.ends_with("n't")
        || word.ends_with("n’t")
}

const TURNING: &str = "not no never none nothing without unless if except neither nor cannot hardly longer stopped used \
    instead until maybe might may could would old former formerly dont doesnt isnt arent cant wont degil yok asla hic \
    eger eskiden artik haric belki";
