//! The steps that ask whether a memory still holds: against newer evidence, and
//! against the code it speaks of. What no longer holds is challenged with the
//! reason; nothing is thrown away.

use super::Step;
use super::graph::card_for;
use super::night::{Night, StepPlan};
use crate::claim::{Bearing, compare, likeness};
use crate::decision::{Pair, Review};
use crate::drift::{Claim, Finding};
use crate::gate::is_of_one_matter;
use crate::id::MemoryId;
use crate::kind::{Class, Tier};
use crate::law;
use crate::memory::{Memory, Relation, RelationKind, WriteSource};
use crate::status::Status;
use crate::unit::{Importance, Similarity};
use jiff::SignedDuration;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A belief is old after so long.
const OLD: SignedDuration = SignedDuration::from_hours(30 * 24);
/// What is less like it than this speaks of something else.
const SAME_MATTER: f64 = 0.5;
const NEIGHBOURS: usize = 5;
/// What a belief that is in doubt is left of what it mattered.
const DOUBTED: f64 = 0.8;

/// Old beliefs are held against what was learned since. One that newer evidence
/// contradicts is challenged, and somebody is asked.
pub fn plan_probe(night: &mut Night<'_>) -> StepPlan {
    let mut plan = StepPlan::new(Step::Probe);
    let old = |memory: &Arc<Memory>| {
        memory.tier != Tier::Episodic
            && memory.class() != Class::Narrative
            // A card follows what it was made of.
            && card_for(memory).is_none()
            && memory.status != Status::Challenged
            && night.at.duration_since(memory.validity.valid_from) >= OLD
    };
    let mut beliefs: Vec<Arc<Memory>> = night.current().into_iter().filter(old).collect();
    beliefs.sort_by_key(|memory| Reverse((memory.importance, memory.id)));
    let mut beliefs = night.in_turn(Step::Probe, beliefs, |memory| memory.updated_at);
    plan.left = beliefs.len().saturating_sub(night.caps.memories);
    beliefs.truncate(night.caps.memories);
    let mut pairs: Vec<(Arc<Memory>, Arc<Memory>, Similarity)> = Vec::new();
    for belief in beliefs {
        for (other, similarity) in night.sight.near(belief.id, NEIGHBOURS) {
            let Some(newer) = night.memories.get(&other).cloned() else { continue };
            if similarity.get() >= SAME_MATTER && is_evidence(night, &newer, &belief) {
                pairs.push((belief.clone(), newer, similarity));
            }
        }
    }
    let mut done: BTreeSet<MemoryId> = BTreeSet::new();
    for (belief, newer, similarity) in night.in_turn(Step::Probe, pairs, |(_, newer, _)| newer.updated_at) {
        let doubted = |memory: &Arc<Memory>| memory.status == Status::Challenged;
        let evidence = !night.memories.get(&newer.id).is_some_and(doubted);
        if !evidence || done.contains(&belief.id) || night.is_reviewed(belief.id, newer.id) {
            continue;
        }
        if plan.looked_at >= night.caps.comparisons {
            plan.left += 1;
            continue;
        }
        plan.looked_at += 1;
        let Bearing::Contradicts(difference) = compare(&belief.content, &newer.content) else { continue };
        if !is_of_one_matter(&difference, likeness(&belief.content, &newer.content)) {
            continue;
        }
        done.insert(belief.id);
        // Without the words of either: what is told of one stays when the other is
        // purged. The review, which goes with both, has them.
        let why = format!("newer evidence speaks against it: {}, {}", newer.id, difference.why);
        if let Some(shield) = law::guarded(&belief) {
            plan.spare(belief.id, "left alone", format!("{shield}, although {why}"));
            continue;
        }
        if night.put(&mut plan, belief.id, Status::Challenged, why.clone()) {
            night.stand(&mut plan, belief.id, |memory| {
                memory.importance = Importance::clamped(memory.importance.get() * DOUBTED);
            });
            let at = night.at;
            night.relate(&mut plan, Relation::certain(newer.id, RelationKind::Contradicts, belief.id, at));
            let pair = Pair::Memories { newer: newer.id, older: belief.id };
            night.review(&mut plan, Review::open(pair, difference.to_string(), Some(similarity), at));
        }
    }
    plan
}

/// Whether one memory may speak against another. What is doubted itself, is
/// over, or was made by a dream of what was known before, may not.
fn is_evidence(night: &Night<'_>, newer: &Memory, belief: &Memory) -> bool {
    newer.status.is_current()
        && newer.status != Status::Challenged
        && newer.validity.holds_at(night.at)
        && newer.provenance.write_source != WriteSource::Dream
        && newer.tier != Tier::Codebase
        && newer.class() != Class::Narrative
        && newer.validity.valid_from > belief.validity.valid_from
        && newer.provenance.trust >= belief.provenance.trust
}

/// How the reason of a challenge by drift begins; it is taken back when the code
/// bears the memory out again.
const DRIFTED: &str = "the code says otherwise: ";

/// What was found about the claims of one memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Drifted {
    pub memory: MemoryId,
    pub findings: Vec<(Claim, Finding)>,
}

/// What is said of the code is held against the code. `left` claims were not
/// looked at for want of time; `why_not` tells why none was.
pub fn plan_drift(
    night: &mut Night<'_>,
    drifted: &[Drifted],
    left: usize,
    why_not: Option<String>,
) -> StepPlan {
    if let Some(why) = why_not {
        return StepPlan::skipped(Step::Drift, why);
    }
    let mut plan = StepPlan::new(Step::Drift);
    plan.left = left;
    for Drifted { memory: id, findings } in drifted {
        plan.looked_at += findings.len();
        let Some(memory) = night.memories.get(id).cloned() else { continue };
        let gone: Vec<&str> = findings
            .iter()
            .filter_map(|(_, finding)| match finding {
                Finding::Gone { reason } => Some(reason.as_str()),
                Finding::Holds | Finding::Unknown => None,
            })
            .collect();
        if gone.is_empty() {
            bear_out(night, &mut plan, &memory, findings);
            continue;
        }
        let why = gone.join("; ");
        match law::guarded(&memory) {
            Some(shield) => plan.spare(*id, "left alone", format!("{shield}, although {why}")),
            None if memory.status == Status::Challenged => {}
            None => drop(night.put(&mut plan, *id, Status::Challenged, format!("{DRIFTED}{why}"))),
        }
    }
    plan
}

/// A memory that was challenged by the code holds again when all it claims does.
fn bear_out(night: &mut Night<'_>, plan: &mut StepPlan, memory: &Memory, findings: &[(Claim, Finding)]) {
    let holds = !findings.is_empty() && findings.iter().all(|(_, finding)| *finding == Finding::Holds);
    let by_drift = memory.status == Status::Challenged && memory.status_change.reason.starts_with(DRIFTED);
    if holds && by_drift {
        let reason = "the code bears it out again".to_owned();
        night.put(plan, memory.id, Status::Active, reason);
    }
}
