//! Evolution: what becomes of memories on the evidence of their use (S1).
//!
//! Nothing evolves without its evidence. What there is to do, whether it may be
//! done and what was done is decided and told here; who asks and who writes is
//! not known.

mod actions;
mod candidates;
mod due;
mod report;
mod rules;

#[cfg(test)]
mod tests;

pub(crate) use actions::refuse;
pub use actions::{
    CannotEvolve, Order, cases_of, kept_of, likeness_to, merged_text, plan_archive, plan_deprecate,
    plan_merge, plan_refine,
};
pub(crate) use candidates::ignored_told;
pub use candidates::{Candidate, Ground, candidates};
pub use due::{EvolutionSettings, NextRun, Tally, due, next_run};
pub use report::{ActionsTaken, Detail, EvolutionReport, report};
pub use rules::{Case, Missing, RULES, Rule, missing};
pub(crate) use rules::{count, short};

use crate::change::Actor;
use crate::id::{MemoryId, OperationId};
use crate::words::words;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

words! {
    /// What to look for among what might evolve (S1).
    pub enum Criteria ("criteria") {
        /// What proved of little use.
        LowQ = "low_q",
        /// What nobody has used for 90 days.
        Stale = "stale",
        /// Procedures that are alike and belong to no skill.
        UnlinkedProcesses = "unlinked_processes",
        /// Memories that say nearly the same.
        SimilarPairs = "similar_pairs",
        /// What is shown again and again and hardly ever taken up.
        Noise = "noise",
    }
}

words! {
    /// How much it matters that something evolves, the most pressing first (S1).
    pub enum Priority ("priority") {
        Critical = "critical",
        High = "high",
        Medium = "medium",
        Low = "low",
    }
}

words! {
    /// What evolution does to a memory (S1).
    pub enum Evolving ("evolution action") {
        /// It keeps failing, and is no longer to be followed.
        Deprecated = "deprecated",
        /// A better text took its place.
        Refined = "refined",
        /// It went into another that says the same.
        Merged = "merged",
        /// Nobody uses it any more.
        Archived = "archived",
        /// A skill was made of it and others.
        Induced = "induced",
    }
}

/// A memory evolved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvolutionLogged {
    /// The operation that did it, and the place in it.
    pub operation: OperationId,
    pub number: u32,
    pub action: Evolving,
    pub node: MemoryId,
    /// What was made of it, or what it went into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<MemoryId>,
    pub reason: String,
    pub actor: Actor,
    pub at: Timestamp,
}
