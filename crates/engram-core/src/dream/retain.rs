//! The step that keeps the rules of retention. What it plans is no write: a text
//! that has to go is purged, and a purge is done at once, in every file, by
//! whoever has the store for himself.

use super::Step;
use super::night::{Night, StepPlan};
use crate::id::MemoryId;
use crate::kind::Kind;
use crate::law;
use std::collections::BTreeMap;

/// What is told of each rule, beside what goes because of it.
pub const BY_RULE: &str = "by rule";

/// The memories whose text a rule takes away, and how many turns lose theirs. For
/// the steps that follow they are gone.
pub fn plan_retain(night: &mut Night<'_>) -> StepPlan {
    let rules = &night.retain;
    let mut plan = StepPlan::new(Step::Retain);
    if rules.kinds.is_empty() && rules.turns_days.is_none() {
        return plan;
    }
    plan.looked_at = night.memories.len();
    let over = |id: &&MemoryId| law::is_over(&night.memories[*id], rules, night.at);
    let gone: Vec<MemoryId> = night.memories.keys().filter(over).copied().collect();
    let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
    for id in &gone {
        *counts.entry(night.memories[id].kind).or_default() += 1;
    }
    // First, so that they are told however many there are.
    for (kind, count) in counts {
        let days = rules.kinds.days_of(kind).unwrap_or_default();
        plan.spare(None, BY_RULE, format!("{kind}={days}: {count} purged, which cannot be undone"));
    }
    if let Some(days) = rules.turns_days.filter(|_| night.old_turns > 0) {
        let told =
            format!("{} turns from more than {days} days ago, which cannot be undone", night.old_turns);
        plan.tell(None, "turns purged", told);
    }
    for id in gone {
        let Some(memory) = night.memories.remove(&id) else { continue };
        plan.tell(id, "purged", format!("{} of {}", memory.kind, memory.created_at.strftime("%Y-%m-%d")));
        night.edges.retain(|edge| edge.from != id && edge.to != id);
        night.mentions.remove(&id);
    }
    plan
}
