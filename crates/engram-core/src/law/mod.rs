//! The laws. Each formula of the system exists once, here, as a pure function.

mod activation;
mod archival;
mod encoding;
mod floor;
mod importance;
mod logs;
mod promotion;
mod retain;
mod retention;
#[cfg(test)]
pub(crate) mod sample;
mod storage;
mod surprise;
mod tagging;
mod tier;
mod utility;
mod weigh;
mod working;

pub use activation::{activation_at, freshness_at};
pub use archival::{
    ArchivalRule, MOST_ACTIVE, activates, archival_rule, born_worthless, capacity_of, contradicted, guarded,
    has_faded, is_forgettable, is_protected, redundant, wants_consolidation, wants_rehearsal,
};
pub use encoding::{Channels, boost_of, encoding_importance};
pub use floor::{Floor, floating_threshold, kept_at_least};
pub use importance::{Factors, ImportanceTable, Term, factors_of, living_importance, terms};
pub use logs::{LogsKept, logs_kept_from};
pub use promotion::{AT_ONCE, TO_PROJECT, TO_USER, discounted, worth_of};
pub use retain::{BadKindRule, KindRules, MOST_DAYS, RetainRules, is_over, retained_until};
pub use retention::{
    Grade, Model, fades_at, grade_of, graded, graded_at, held_at, held_unfrozen_at, lives_of, model_reads,
    reaches_at, retention_in, retention_of, strength_at,
};
pub use storage::storage_of;
pub use surprise::{NEIGHBOURS, is_redundant, surprise_of};
pub use tagging::{captured, captured_by, captures, is_tagged};
pub use tier::{
    CannotDemote, SubTier, TierReason, is_hot, may_demote, observed_tier, sub_tier_of, tier_after,
};
pub use utility::{utility_after, utility_after_evidence, utility_at, utility_now, utility_without};
pub use weigh::{Encoded, Weighed, channels_of, first_stability, is_flashbulb, was_flashbulb, weigh};
pub(crate) use weigh::{FLASHBULB_IMPORTANCE, FLASHBULB_STABILITY};
pub use working::{WORKING_PLACES, evicted, is_working_candidate, working_score};
