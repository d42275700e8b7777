//! Changes of a text that are gathered first and made at once.
//!
//! It knows neither why a change is made nor what the words mean. What was
//! asked for first wins where two changes meet.

use super::Step;
use super::grammar::Clause;
use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    /// Bytes of the text; empty where something is only put in.
    pub(super) at: Range<usize>,
    pub(super) with: String,
    /// None: nobody needs to know.
    pub(super) step: Option<Step>,
}

impl Edit {
    pub(super) fn new(at: Range<usize>, with: impl Into<String>, step: Step) -> Edit {
        Edit { at, with: with.into(), step: Some(step) }
    }

    fn meets(&self, other: &Edit) -> bool {
        self.at.start < other.at.end && other.at.start < self.at.end || self.at.start == other.at.start
    }
}

/// The text after the changes, and what was done.
pub(super) fn apply(text: &str, edits: Vec<Edit>) -> (String, Vec<Step>) {
    let mut kept: Vec<Edit> = Vec::new();
    for edit in edits {
        if !kept.iter().any(|known| known.meets(&edit)) {
            kept.push(edit);
        }
    }
    kept.sort_by_key(|edit| edit.at.start);
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for edit in &kept {
        out.push_str(&text[from..edit.at.start]);
        out.push_str(&edit.with);
        from = edit.at.end;
    }
    out.push_str(&text[from..]);
    (out.trim().to_owned(), kept.into_iter().filter_map(|edit| edit.step).collect())
}

/// A sentence that was broken into lines becomes one line.
pub(super) fn joined_lines(clause: &Clause<'_>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (at, _) in clause.text.match_indices('\n') {
        let before = clause.text[..at].trim_end().len();
        let after = clause.text.len() - clause.text[at..].trim_start().len();
        let known = edits.last().is_some_and(|edit: &Edit| edit.at.end > at);
        if !known && !clause.is_fixed(&(before..after)) {
            edits.push(Edit { at: before..after, with: " ".to_owned(), step: None });
        }
    }
    edits
}
