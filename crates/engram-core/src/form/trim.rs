//! Words that carry nothing: how a sentence is begun, not what it says.
//!
//! Only listed words go, and only where they cannot mean anything else.
//! "Actually" stays, because it corrects; "I think" stays, because it doubts,
//! unless a proposal follows that is one without it.

use super::Step;
use super::edit::Edit;
use super::grammar::{Clause, PRONOUNS};
use crate::ask::when::token::Kind;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nothing,
    /// "Well, ...", not "well tested".
    Comma,
    /// A comma, or a clause that begins at once.
    Beginning,
    /// "I think we should".
    Proposal,
}

/// Longer ones first.
const OPENINGS: &[(&str, Needs)] = &[
    ("just so you know", Needs::Nothing),
    ("for your information", Needs::Nothing),
    ("please remember that", Needs::Nothing),
    ("please note that", Needs::Nothing),
    ("please keep in mind that", Needs::Nothing),
    ("keep in mind that", Needs::Nothing),
    ("remember that", Needs::Nothing),
    ("note that", Needs::Nothing),
    ("to be honest", Needs::Nothing),
    ("by the way", Needs::Nothing),
    ("you know", Needs::Comma),
    ("i mean", Needs::Comma),
    ("i think", Needs::Proposal),
    ("i guess", Needs::Proposal),
    ("ok so", Needs::Beginning),
    ("okay so", Needs::Beginning),
    ("please", Needs::Nothing),
    ("btw", Needs::Nothing),
    ("fyi", Needs::Nothing),
    ("um", Needs::Nothing),
    ("uh", Needs::Nothing),
    ("hmm", Needs::Nothing),
    ("well", Needs::Beginning),
    ("so", Needs::Beginning),
    ("oh", Needs::Comma),
    ("ok", Needs::Comma),
    ("okay", Needs::Comma),
    ("anyway", Needs::Comma),
    ("basically", Needs::Beginning),
    ("honestly", Needs::Comma),
    ("like", Needs::Comma),
    ("bu arada", Needs::Nothing),
    ("yani", Needs::Nothing),
    ("sey", Needs::Comma),
    ("iste", Needs::Comma),
    ("hani", Needs::Nothing),
    ("neyse", Needs::Comma),
    ("acikcasi", Needs::Nothing),
    ("lutfen", Needs::Nothing),
    ("tamam", Needs::Comma),
    ("evet", Needs::Comma),
    ("unutma", Needs::Comma),
];

pub(super) fn fillers(clause: &Clause<'_>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let at = start(clause);
    let left = (at..clause.len()).any(|at| clause.get(at).is_some_and(|token| token.kind != Kind::Mark));
    if at > 0 && left {
        let until = clause.get(at).map_or(0, |token| token.start);
        edits.push(Edit::new(0..until, "", Step::Trimmed));
    }
    for within in at..clause.len() {
        // "We should just use": only how much it is said with.
        if clause.any(within, "just") && clause.after_any(within, "should could lets") {
            edits.push(Edit::new(
                clause.bytes(within - 1..within).end..clause.bytes(within..within + 1).end,
                "",
                Step::Trimmed,
            ));
        }
        let between = within > at && clause.is_mark(within - 1, ",");
        for words in ["you know", "i mean", "yani", "sey", "iste", "btw", "by the way", "bu arada"] {
            let closed = clause.phrase(within, words).filter(|end| between && clause.is_mark(*end, ",."));
            if let Some(end) = closed {
                // Of two commas around it neither is left.
                let end = if clause.is_mark(end, ",") { end + 1 } else { end };
                edits.push(Edit::new(
                    clause.bytes(within - 1..within).start..clause.bytes(within..end).end,
                    "",
                    Step::Trimmed,
                ));
            }
        }
    }
    edits
}

/// The first token after what only begins the sentence.
pub(super) fn start(clause: &Clause<'_>) -> usize {
    let mut at = 0;
    while let Some(end) = opening(clause, at) {
        at = end;
    }
    at
}

/// The token after the filler that begins here.
fn opening(clause: &Clause<'_>, at: usize) -> Option<usize> {
    OPENINGS.iter().find_map(|(words, needs)| {
        let end = clause.phrase(at, words)?;
        let comma = clause.is_mark(end, ",…");
        let after = if comma || clause.is_mark(end, ":") { end + 1 } else { end };
        let begins = clause.any(after, PRONOUNS)
            || clause.any(after, "the our my lets in on for with")
            || clause.get(after).is_some_and(|token| {
                token.text == "let" || PRONOUNS.split(' ').any(|word| word == token.text)
            });
        let meant = match needs {
            Needs::Nothing => true,
            Needs::Comma => comma,
            Needs::Beginning => comma || begins,
            Needs::Proposal => {
                clause.any(after, "we you") && clause.any(after + 1, "should could can must need")
                    || clause.get(after).is_some_and(|token| token.text == "let" && token.tail == "s")
            }
        };
        meant.then_some(after)
    })
}
