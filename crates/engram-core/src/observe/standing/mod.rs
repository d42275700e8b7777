//! Whether a few words say something that stays so.
//!
//! A short sentence has no room for the phrases of `cues` and names little, so
//! that only its build tells "we deploy with Ansible" from "we need to fix
//! this". What stays is said of a person, of what is ours or of all of a sort,
//! in the present of habit; what passes points at something at hand ("this",
//! "here", "the second one") or tells the state it is in ("is red"). What such
//! a statement weighs is not known here.

mod english;
mod turkish;

use super::shape::Shape;
use crate::ask::speech::Word;
use crate::kind::Kind;

/// Longer sentences say enough to be weighed by what they say.
const MOST_WORDS: usize = 9;

/// A word as it is compared, and whether it is written as names are.
#[derive(Clone, Copy)]
struct Said<'t> {
    word: &'t str,
    /// A capital that does not open the sentence, or a digit.
    named: bool,
    /// An ending after an apostrophe, as Turkish names have it.
    declined: bool,
    /// A comma or a colon follows.
    pauses: bool,
}

/// What a short sentence is by its build.
pub(super) struct Standing {
    /// The kind of statement it is, if it is one that stays true.
    pub(super) kind: Option<Kind>,
    /// It is about something that only those who look at it know.
    pub(super) points: bool,
}

pub(super) fn standing_of(sentence: &str, words: &[Word], shape: &Shape<'_>) -> Standing {
    let said: Vec<Said<'_>> =
        words.iter().enumerate().map(|(at, word)| said_at(sentence, word, at == 0)).collect();
    let of = |said: &[Said<'_>]| match shape.turkish {
        true => turkish::standing_of(said, shape.orders()),
        false => english::standing_of(said),
    };
    if said.len() <= MOST_WORDS {
        return of(&said);
    }
    // Of a longer one, a clause may say it.
    let clauses =
        said.split_inclusive(|said| said.pauses).filter(|clause| (3..=MOST_WORDS).contains(&clause.len()));
    let kind = clauses.map(of).find_map(|standing| standing.kind.filter(|_| !standing.points));
    Standing { kind, points: false }
}

fn said_at<'t>(sentence: &str, word: &'t Word, opens: bool) -> Said<'t> {
    let written = &sentence[word.at.clone()];
    let ending = written.split_once(['\'', '’']).map(|(_, ending)| ending);
    Said {
        word: &word.folded,
        named: !opens && written.starts_with(char::is_uppercase)
            || written.contains(|mark: char| mark.is_ascii_digit()),
        declined: ending.is_some_and(|ending| ending.chars().all(char::is_lowercase)),
        pauses: sentence[word.at.end..].starts_with([',', ':', ';']),
    }
}

fn one_of(list: &[&str], said: &Said<'_>) -> bool {
    list.contains(&said.word)
}

fn ends_in(endings: &[&str], word: &str) -> bool {
    endings.iter().any(|ending| word.len() > ending.len() && word.ends_with(ending))
}

#[cfg(test)]
mod tests;
