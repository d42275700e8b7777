//! Dreaming: how a store is looked after while nobody waits for it.
//!
//! A dream is an ordered list of steps. Each step is a pure planner: it looks
//! at the night (the store as the steps before it leave it) and returns what it
//! would write and why. A dry run is that plan, printed; a dream is that plan,
//! kept and then done part by part. Who loads the night, who asks a model or
//! looks at a working tree, and who writes, is not known here.

mod adapt;
mod cluster;
mod evolve;
mod graph;
mod night;
mod note;
mod reflect;
mod retain;
mod standing;
mod summary;
mod truth;
mod upkeep;

#[cfg(test)]
mod tests;

pub use adapt::plan_adapt;
pub use cluster::{Cluster, clusters, plan_consolidation, plan_redundancy};
pub use evolve::{PROPOSED, plan_evolve};
pub use graph::{card_for, plan_bridges, plan_cards, plan_contradictions, plan_entities};
pub use night::{Caps, Deed, Night, Sight, Sources, StepPlan};
pub use note::{
    Awaiting, ConsolidationLogged, ConsolidationMethod, ConsolidationRequest, CrossProjectPattern, Dream,
    DreamTrigger, Note, Part, RequestStatus, StepReport, parts_of,
};
pub use reflect::plan_reflect;
pub use retain::{BY_RULE, plan_retain};
pub use standing::{is_project_specific, plan_promotions, plan_tiers};
pub use summary::{
    SummaryMethod, extract, is_summary_of, made_of, plan_patterns, plan_submitted, plan_summaries,
};
pub use truth::{Drifted, plan_drift, plan_probe};
pub use upkeep::{
    FULL, plan_emotional, plan_expire, plan_fade, plan_forget, plan_rehearse, plan_replay, plan_settle,
};

use crate::words::words;

words! {
    /// One thing that a dream does, in the order in which it does them.
    pub enum Step ("dream step") {
        /// Texts that a rule of retention lets nobody keep any longer are purged.
        Retain = "retain",
        /// What was said to hold until a moment is put away after it.
        Expire = "expire",
        /// What is new becomes active; deadlines follow the curve in force.
        Fade = "fade",
        /// Utility that nobody added to has drifted back to the middle.
        Settle = "settle",
        /// What proved useful and is about to fade is gone over again.
        Rehearse = "rehearse",
        /// What was said in great excitement is kept safe.
        Emotional = "emotional",
        /// What was shown together grows stronger together.
        Replay = "replay",
        /// What has faded is put away, what was put away long ago loses its text.
        Forget = "forget",
        /// Episodes about one thing are summed up.
        Consolidate = "consolidate",
        /// Kinds with many memories have a summary of their own.
        Summarise = "summarise",
        /// Of two that say the same one is put away.
        Redundancy = "redundancy",
        /// What several episodes have in common becomes a pattern.
        Abstract = "abstract",
        /// What proved itself moves to a slower tier.
        Tiers = "tiers",
        /// What holds beyond this project goes up to the user.
        Promote = "promote",
        /// Things with a name: alike ones are proposed, forgotten ones go.
        Entities = "entities",
        /// What cannot both be so is queued for review.
        Contradictions = "contradictions",
        /// What is known of a thing, on one card.
        Cards = "cards",
        /// Things of different fields that have something in common.
        Bridges = "bridges",
        /// Old beliefs are held against newer evidence.
        Probe = "probe",
        /// What is said of the code is held against the code.
        Drift = "drift",
        /// How much each arm of the search counts follows what was used.
        Adapt = "adapt",
        /// What keeps failing is deprecated, what says the same is merged.
        Evolve = "evolve",
        /// What the memory has to tell of itself is noted.
        Reflect = "reflect",
        /// The vectors of what fades take less room.
        Compress = "compress",
        /// Old lines of the logs go.
        Tidy = "tidy",
    }
}

words! {
    /// How deep a dream goes.
    pub enum Depth ("dream depth") {
        /// After every session: what follows from time and use alone.
        Light = "light",
        /// After every fifth: summaries, the graph, the working tree.
        Full = "full",
        /// After every twentieth: patterns, cards, bridges, beliefs, and what
        /// the use of the memories teaches, as well.
        Reflective = "reflective",
    }
}

/// So many sessions lie between two full dreams, and between two reflective ones.
const FULL_EVERY: u64 = 5;
const REFLECTIVE_EVERY: u64 = 20;

impl Depth {
    /// How deep to dream after the session of this number.
    pub const fn after(session: u64) -> Depth {
        if session.is_multiple_of(REFLECTIVE_EVERY) {
            Depth::Reflective
        } else if session.is_multiple_of(FULL_EVERY) {
            Depth::Full
        } else {
            Depth::Light
        }
    }

    /// How long it may take, in seconds.
    pub const fn seconds(self) -> u64 {
        match self {
            Depth::Light => 30,
            Depth::Full => 120,
            Depth::Reflective => 300,
        }
    }

    pub fn steps(self) -> impl Iterator<Item = Step> {
        Step::ALL.iter().copied().filter(move |step| step.depth() <= self)
    }
}

impl Step {
    /// From which depth on it is done.
    pub const fn depth(self) -> Depth {
        use Step::*;
        match self {
            Expire | Fade | Settle | Rehearse | Emotional | Replay | Forget | Tiers | Promote => Depth::Light,
            Retain | Consolidate | Summarise | Redundancy | Entities | Contradictions | Drift | Compress
            | Tidy => Depth::Full,
            Abstract | Cards | Bridges | Probe | Adapt | Evolve | Reflect => Depth::Reflective,
        }
    }
}
