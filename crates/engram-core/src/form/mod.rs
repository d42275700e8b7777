//! From what was said to facts that stand alone.
//!
//! A message becomes facts of one claim each: names in place of pronouns,
//! dates in place of "tomorrow", the third person in place of "I". Everything
//! here reads word lists in English and Turkish and the moment it was said; no
//! store, no model. Where a reading is not sure, the words stay as they were:
//! a fact that was left alone can be read again, one that was bent cannot.
//!
//! Nothing is cut off: every byte that is not blank belongs to the evidence of
//! some fact, and code, quotations, numbers and names are never touched.

mod ahead;
mod clause;
mod dates;
mod edit;
mod foresee;
mod grammar;
mod merge;
mod moments;
mod person;
pub(crate) mod pieces;
mod refer;
mod show;
#[cfg(test)]
mod tests;
mod trim;

use crate::words::words;
use dates::Dates;
use edit::Edit;
use grammar::Clause;
use jiff::{Timestamp, ToSpan, Zoned};
pub use merge::merge;
pub(crate) use moments::{Moment, moments_in};
use pieces::Piece;
pub(crate) use pieces::quotations;
use refer::Spoken;
use std::ops::Range;

/// Around what was said.
#[derive(Debug, Clone, Copy)]
pub struct Said<'a> {
    /// When it was said; its time zone is the speaker's.
    pub at: &'a Zoned,
    /// The speaker's name. None: the user.
    pub speaker: Option<&'a str>,
    /// Subjects spoken of lately, the latest last.
    pub before: &'a [String],
}

/// One claim that can be read without what was around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    pub text: String,
    /// The bytes it was made of.
    pub evidence: Range<usize>,
    pub valid_from: Option<Timestamp>,
    /// Exclusive, as everywhere.
    pub valid_until: Option<Timestamp>,
    /// It speaks of what is to come.
    pub foresight: bool,
    /// What was done to the words, each once, in the order of the glossary.
    pub steps: Vec<Step>,
}

words! {
    /// What was done to the words of a fact.
    pub enum Step ("step") {
        Dated = "dated",
        Resolved = "resolved",
        Split = "split",
        Rewritten = "rewritten",
        Trimmed = "trimmed",
    }
}

/// No fact is made of more bytes than this.
pub const MOST_BYTES: usize = 1_500;

/// A plan without a date is believed for so long.
const FORESEEN_DAYS: i64 = 7;

/// The facts of a text, in its order.
pub fn form(text: &str, said: &Said<'_>) -> Vec<Fact> {
    form_within(text, said, MOST_BYTES)
}

/// As `form`, from evidence of at most so many bytes each.
pub fn form_within(text: &str, said: &Said<'_>, most: usize) -> Vec<Fact> {
    let mut spoken = Spoken::new(said.before);
    let mut facts = Vec::new();
    for piece in pieces::pieces(text, most) {
        form_piece(text, &piece, said, &mut spoken, &mut facts);
    }
    facts
}

fn form_piece(text: &str, piece: &Piece, said: &Said<'_>, spoken: &mut Spoken, facts: &mut Vec<Fact>) {
    let lead = piece.lead.as_deref().map(|lead| Shaped::of(lead, said, None));
    if piece.verbatim {
        let shaped = Shaped { text: text[piece.body.clone()].to_owned(), ..Shaped::default() };
        facts.push(shaped.under(lead).fact(piece.whole.clone(), said));
        return;
    }
    let sentence = &text[piece.body.clone()];
    let clauses = clause::clauses(sentence);
    let split = clauses.len() > 1;
    for (place, clause) in clauses.iter().enumerate() {
        let mut shaped = Shaped::of(&sentence[clause.body.clone()], said, Some(&mut *spoken));
        if split || piece.lead.is_some() && piece.listed {
            shaped.steps.push(Step::Split);
        }
        // What stands before the sentence, a bullet or a heading, and what
        // parts two clauses are evidence as well.
        let start = if place == 0 { piece.whole.start } else { piece.body.start + clause.whole.start };
        let last = place + 1 == clauses.len();
        let end = if last { piece.whole.end } else { piece.body.start + clause.whole.end };
        facts.push(shaped.under(lead.clone()).fact(start..end, said));
    }
}

/// A clause after all that was done to it.
#[derive(Debug, Clone, Default)]
struct Shaped {
    text: String,
    dates: Dates,
    foresees: bool,
    steps: Vec<Step>,
}

impl Shaped {
    /// Without `spoken` no pronoun is looked up.
    fn of(words: &str, said: &Said<'_>, spoken: Option<&mut Spoken>) -> Shaped {
        let clause = Clause::read(words);
        let reader = clause.reader(said.at);
        let tense = foresee::tense(&clause);
        let dated = dates::dates(&clause, &reader, tense);
        let mut edits: Vec<Edit> = dated.iter().filter_map(|found| found.edit.clone()).collect();
        edits.extend(trim::fillers(&clause));
        let (told, prefix) = person::third_person(&clause, said.speaker);
        edits.extend(told);
        if let Some(spoken) = spoken {
            edits.extend(spoken.resolve(&clause, said.speaker));
        }
        edits.extend(edit::joined_lines(&clause));
        let (text, mut steps) = edit::apply(words, edits);
        let dates = dates::validity(&dated);
        let text = match prefix {
            Some(prefix) => {
                steps.push(Step::Rewritten);
                format!("{prefix}: {text}")
            }
            None => text,
        };
        Shaped { text, foresees: foresee::foresees(&clause, !dated.is_empty()), dates, steps }
    }

    /// With the heading it stands under, whose time is its own if it has none.
    fn under(self, lead: Option<Shaped>) -> Shaped {
        let Some(lead) = lead else { return self };
        let mut steps = self.steps;
        steps.extend(lead.steps);
        Shaped {
            text: format!("{}: {}", lead.text, self.text),
            dates: self.dates.or(lead.dates),
            foresees: self.foresees || lead.foresees,
            steps,
        }
    }

    fn fact(mut self, evidence: Range<usize>, said: &Said<'_>) -> Fact {
        self.steps.sort_unstable();
        self.steps.dedup();
        let zone = said.at.time_zone();
        let at = |local| zone.to_timestamp(local).ok();
        let valid_from = self.dates.from.and_then(at);
        let until = self.dates.until.and_then(at).filter(|until| valid_from.is_none_or(|from| from < *until));
        let foresight = self.foresees || self.dates.ahead;
        let seven_days = || {
            let later = valid_from.filter(|from| *from > said.at.timestamp());
            let start = later.map_or(said.at.clone(), |from| from.to_zoned(zone.clone()));
            start.checked_add(FORESEEN_DAYS.days()).ok().map(|at| at.timestamp())
        };
        let valid_until = if foresight { until.or_else(seven_days) } else { until };
        Fact { text: self.text, evidence, valid_from, valid_until, foresight, steps: self.steps }
    }
}
