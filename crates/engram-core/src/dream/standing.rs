//! What a memory has earned: a slower tier, or a wider scope.

use super::Step;
use super::night::{Night, StepPlan};
use crate::id::{EntityId, MemoryId, SessionId};
use crate::kind::{Kind, Tier};
use crate::law;
use crate::memory::{Memory, WriteSource};
use crate::observe::{EntityKind, entities_of};
use crate::recalled::Surface;
use crate::status::Status;
use std::collections::{BTreeMap, BTreeSet};

/// What proved itself moves to a slower tier: what was of the moment first, so
/// that it counts among the episodes of the same night.
pub fn plan_tiers(night: &mut Night<'_>) -> StepPlan {
    let mut plan = StepPlan::new(Step::Tiers);
    plan.looked_at = night.current().len();
    climb(night, &mut plan, Tier::Working);
    climb(night, &mut plan, Tier::Episodic);
    plan
}

/// Moves what is in this tier and has earned another.
fn climb(night: &mut Night<'_>, plan: &mut StepPlan, from: Tier) {
    let mut current = night.current();
    current.retain(|memory| memory.tier == from);
    let (everywhere, mean) = (night.everywhere(), night.mean_uses());
    let mut naming: BTreeMap<EntityId, usize> = BTreeMap::new();
    for memory in &current {
        for entity in night.mentions.get(&memory.id).into_iter().flatten() {
            *naming.entry(*entity).or_default() += 1;
        }
    }
    naming.retain(|entity, _| !everywhere.contains(entity));
    for memory in current {
        let named = night.mentions.get(&memory.id).into_iter().flatten();
        let sharing = named.filter_map(|entity| naming.get(entity)).max();
        let Some((tier, why)) = law::tier_after(&memory, sharing.copied().unwrap_or(0), night.at) else {
            continue;
        };
        // What would be put away from there at once has not proved itself.
        let there = Memory { tier, ..Memory::clone(&memory) };
        if law::archival_rule(&there, night.held(&there), mean, night.at).is_some() {
            continue;
        }
        if night.stand(plan, memory.id, |memory| memory.tier = tier) {
            plan.tell(memory.id, tier.as_str(), format!("{why}"));
        }
    }
}

/// So many sessions have to have used it.
const SESSIONS: usize = 3;
/// At most so many go up in one night, the most worthwhile first.
const MOST_RISING: usize = 20;

/// What holds beyond this project goes up to the user: it is worth enough, was
/// used in several sessions, is of a kind that can hold elsewhere, and names
/// nothing of this project. `names` are what the project is called.
pub fn plan_promotions(night: &mut Night<'_>, worth: &dyn Fn(&Memory) -> f64, names: &[String]) -> StepPlan {
    let mut plan = StepPlan::new(Step::Promote);
    let mut sessions: BTreeMap<MemoryId, BTreeSet<SessionId>> = BTreeMap::new();
    // What opens every session was asked for in none.
    for recall in night.recalls.iter().filter(|recall| recall.via != Surface::SessionStart) {
        let Some(session) = recall.session else { continue };
        for id in &recall.shown {
            sessions.entry(*id).or_default().insert(session);
        }
    }
    let mut rising: Vec<(f64, MemoryId)> = Vec::new();
    for memory in night.current() {
        plan.looked_at += 1;
        let used_in = sessions.get(&memory.id).map_or(0, BTreeSet::len);
        let settled = matches!(memory.status, Status::Created | Status::Active | Status::Consolidated);
        if used_in < SESSIONS || !settled || !generalises(&memory) || law::guarded(&memory).is_some() {
            continue;
        }
        let score = worth(&memory);
        if score < law::TO_USER {
            continue;
        }
        if let Some(what) = is_project_specific(&memory.content, names) {
            plan.spare(memory.id, "stays", format!("it names {what}, which belongs to this project"));
            continue;
        }
        rising.push((score, memory.id));
    }
    rising.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    plan.left = rising.len().saturating_sub(MOST_RISING);
    for (score, id) in rising.into_iter().take(MOST_RISING) {
        let used_in = sessions.get(&id).map_or(0, BTreeSet::len);
        plan.tell(id, "promoted", format!("worth {score:.2}, used in {used_in} sessions"));
        plan.rising.push(id);
    }
    plan
}

/// Whether what a memory says can hold outside of where it was learned.
fn generalises(memory: &Memory) -> bool {
    use Kind::*;
    matches!(memory.kind, Pattern | Convention | Preference | Procedure | Fact)
        && memory.provenance.write_source != WriteSource::Dream
}

/// What in a text belongs to one project: a path, a host, or what the project
/// is called.
pub fn is_project_specific(text: &str, names: &[String]) -> Option<String> {
    let found = entities_of(text);
    let of_project = found.iter().find(|entity| matches!(entity.kind, EntityKind::File | EntityKind::Host));
    if let Some(entity) = of_project {
        return Some(entity.name.clone());
    }
    let words: BTreeSet<String> = text
        .split(|mark: char| !(mark.is_alphanumeric() || "-_.".contains(mark)))
        .map(|word| word.trim_matches(['.', '-']).to_lowercase())
        .collect();
    names.iter().find(|name| words.contains(&name.to_lowercase())).cloned()
}
