//! Which evidence each action wants at least, as a table (S1, Evidence
//! Requirements), and what of it is missing.

use super::Evolving;
use crate::id::MemoryId;
use crate::kind::Kind;
use crate::law;
use crate::memory::Memory;
use crate::unit::{Similarity, Utility};
use crate::used::{Outcome, Usage};
use jiff::{SignedDuration, Timestamp};

/// What one action wants at least. None, zero and false: it does not ask for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rule {
    pub action: Evolving,
    pub utility_below: Option<f64>,
    pub uses: u32,
    /// That it fails again and again.
    pub pattern: bool,
    /// That somebody knows how it gets better.
    pub path: bool,
    pub similarity_above: Option<f64>,
    pub same_kind: bool,
    pub idle_days: Option<i64>,
    /// That so many memories take part.
    pub sources: usize,
}

const NOTHING: Rule = Rule {
    action: Evolving::Archived,
    utility_below: None,
    uses: 0,
    pattern: false,
    path: false,
    similarity_above: None,
    same_kind: false,
    idle_days: None,
    sources: 1,
};

/// In the order of the actions. The numbers are the seed's (S1, Evidence
/// Requirements): deprecate Q < .2, usage >= 10, failure pattern; refine Q < .3,
/// usage >= 5, improvement path; merge similarity > .95, same type; archive no
/// usage for 90 days; induce three or more alike.
pub static RULES: [Rule; 5] = [
    Rule { action: Evolving::Deprecated, utility_below: Some(0.2), uses: 10, pattern: true, ..NOTHING },
    Rule { action: Evolving::Refined, utility_below: Some(0.3), uses: 5, path: true, ..NOTHING },
    Rule { action: Evolving::Merged, similarity_above: Some(0.95), same_kind: true, sources: 2, ..NOTHING },
    Rule { action: Evolving::Archived, idle_days: Some(90), ..NOTHING },
    Rule { action: Evolving::Induced, sources: 3, ..NOTHING },
];

impl Rule {
    pub fn of(action: Evolving) -> &'static Rule {
        &RULES[action as usize]
    }
}

/// A pattern shows in so many of the latest uses,
const LATEST: usize = 10;
/// of which at least this share failed,
const PATTERN: f64 = 2.0 / 3.0;
/// and of these last ones none succeeded.
const LAST: usize = 3;
/// What failed in so many uses, each of them, is wrong and not merely
/// unfinished (S1: deprecate it instead of refining it).
const WRONG: u32 = 10;

/// What is known about one memory.
#[derive(Debug, Clone, Copy)]
pub struct Case<'m> {
    pub memory: &'m Memory,
    /// As it is read at `at`.
    pub utility: Utility,
    /// Oldest first.
    pub usages: &'m [Usage],
    pub at: Timestamp,
}

impl<'m> Case<'m> {
    pub fn of(memory: &'m Memory, usages: &'m [Usage], at: Timestamp) -> Self {
        Self { memory, utility: law::utility_now(memory, at), usages, at }
    }

    /// What was merely shown was not tried.
    fn tries(&self) -> impl DoubleEndedIterator<Item = &'m Usage> {
        self.usages.iter().filter(|usage| usage.outcome != Outcome::Ignored)
    }

    /// How often somebody followed it.
    pub fn tried(&self) -> u32 {
        u32::try_from(self.tries().count()).unwrap_or(u32::MAX)
    }

    pub fn failures(&self) -> u32 {
        let failed = self.tries().filter(|usage| usage.outcome == Outcome::Failure).count();
        u32::try_from(failed).unwrap_or(u32::MAX)
    }

    /// Since somebody was last shown it or followed it.
    pub fn idle(&self) -> SignedDuration {
        let tried = self.tries().map(|usage| usage.at).max();
        let last = tried.unwrap_or(self.memory.trace.last_used_at).max(self.memory.trace.last_used_at);
        self.at.duration_since(last).max(SignedDuration::ZERO)
    }

    pub fn idle_days(&self) -> i64 {
        self.idle().as_hours() / 24
    }

    /// Of the latest uses, how many failed of how many.
    fn lately(&self) -> (usize, usize) {
        let latest = || self.tries().rev().take(LATEST);
        (latest().filter(|usage| usage.outcome == Outcome::Failure).count(), latest().count())
    }

    /// Whether failing is what it does: of its latest uses two thirds failed,
    /// and it did not just begin to work.
    pub fn fails_consistently(&self) -> bool {
        let (failed, of) = self.lately();
        let works_now = self.tries().rev().take(LAST).any(|usage| usage.outcome == Outcome::Success);
        of > 0 && failed as f64 >= PATTERN * of as f64 && !works_now
    }

    /// What speaks for doing something about it, in a line.
    pub fn evidence(&self) -> String {
        let (utility, tried, (failed, of)) = (short(self.utility.get()), self.tried(), self.lately());
        match tried {
            0 => format!("utility {utility}, never used"),
            _ => format!("utility {utility} after {}, {failed} of the last {of} failed", count(tried, "use")),
        }
    }
}

/// A piece of evidence that is not there.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Missing {
    #[error("utility below {} (it is {})", short(*.below), short(.is.get()))]
    Utility { is: Utility, below: f64 },
    #[error("at least {} (it has {is})", count(*.least, "use"))]
    Uses { is: u32, least: u32 },
    #[error(
        "a pattern of failure: two thirds of the last ten uses, and no success among the last three \
         ({failed} of {of} failed)"
    )]
    Pattern { failed: usize, of: usize },
    #[error("a way in which it gets better: a reason, and a text that does not say the same as before")]
    Path,
    #[error("something that worked at least once; what failed in each of {0} uses is to be deprecated")]
    Wrong(u32),
    #[error("a likeness above {} ({memory} has {})", short(*.above), short(.is.get()))]
    Similarity { memory: MemoryId, is: Similarity, above: f64 },
    #[error("memories of one kind ({0} and {1} are two)")]
    Kinds(Kind, Kind),
    #[error("memories that do not contradict each other ({0})")]
    Contradiction(String),
    #[error("a memory that nobody doubts ({0} is challenged)")]
    Doubted(MemoryId),
    #[error("a text that holds all that {0} says")]
    Unsaid(MemoryId),
    #[error("{least} days without use (it is {days})")]
    Idle { days: i64, least: i64 },
    #[error("at least {least} of them (there are {is})")]
    Sources { is: usize, least: usize },
    #[error("procedures that are alike ({0} is not like the others)")]
    NotAlike(MemoryId),
    #[error(
        "procedures that belong to no skill ({0} belongs to \"{1}\": refine that one, or deprecate it or undo \
         what made it first)"
    )]
    Instance(MemoryId, String),
    #[error("skills alone, or memories that are none ({0} is of the other sort)")]
    OtherSort(MemoryId),
    #[error("procedures that hold beyond their occasion ({0} {1})")]
    Generalizable(MemoryId, String),
    #[error("a justification, because {0} is {1}")]
    Justification(MemoryId, &'static str),
}

/// What of a rule's evidence the memory itself does not bring. What others must
/// bring (a text, a likeness, a number of them) is looked at by each action.
pub fn missing(rule: &Rule, case: &Case<'_>) -> Vec<Missing> {
    let mut missing = Vec::new();
    let (tried, (failed, of)) = (case.tried(), case.lately());
    if let Some(below) = rule.utility_below.filter(|below| case.utility.get() >= *below) {
        missing.push(Missing::Utility { is: case.utility, below });
    }
    if tried < rule.uses {
        missing.push(Missing::Uses { is: tried, least: rule.uses });
    }
    if rule.pattern && !case.fails_consistently() {
        missing.push(Missing::Pattern { failed, of });
    }
    if rule.path && tried >= WRONG && case.failures() == tried {
        missing.push(Missing::Wrong(tried));
    }
    if let Some(least) = rule.idle_days.filter(|least| case.idle_days() < *least) {
        missing.push(Missing::Idle { days: case.idle_days(), least });
    }
    missing
}

/// A number as people read it here: `.41`, `.2`, `0`, `1`.
pub(crate) fn short(number: f64) -> String {
    let digits = format!("{number:.2}");
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    match digits.strip_prefix("0.") {
        Some(part) => format!(".{part}"),
        None => digits.to_owned(),
    }
}

/// `1 use`, `2 uses`.
pub(crate) fn count(number: u32, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
