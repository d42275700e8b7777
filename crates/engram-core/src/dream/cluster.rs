//! Which memories belong together, and what is done with those that do: several
//! episodes about one thing are summed up, and of two that say the same one is
//! put away.

use super::Step;
use super::graph::card_for;
use super::night::{Made, Night, StepPlan};
use super::note::{Awaiting, ConsolidationLogged, ConsolidationMethod, Note};
use super::summary::{SummaryMethod, category_of, extract};
use super::upkeep::answer_request;
use crate::change::Write;
use crate::claim::{Bearing, compare};
use crate::id::{EntityId, MemoryId};
use crate::kind::{Class, Kind, Tier};
use crate::law;
use crate::memory::{Memory, Relation, RelationKind};
use crate::remind::Reminder;
use crate::status::Status;
use crate::unit::{Importance, Similarity};
use jiff::{SignedDuration, Timestamp};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Episodes about one thing, from this many on.
const LEAST_SHARING: usize = 3;
/// Episodes that are merely alike, from this many on, and how alike.
const LEAST_ALIKE: usize = 5;
const ALIKE: f64 = 0.8;
/// A summary of more than this says nothing any more.
const LARGEST: usize = 12;
/// What was learned today may still change.
const SETTLED: SignedDuration = SignedDuration::from_hours(24);
/// What a summary matters.
const SUMMARY_IMPORTANCE: f64 = 0.8;

/// Memories that belong together, oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cluster {
    pub topic: String,
    pub members: Vec<MemoryId>,
}

/// The episodes that could be summed up, the largest groups first: those that
/// name the same thing, then those that are merely alike.
pub fn clusters(night: &Night<'_>) -> (Vec<Cluster>, usize) {
    // What is on a card or in the summary of its kind is told beside others
    // there, and not summed up.
    let sums_up = |memory: &Memory| {
        memory.status.is_current() && card_for(memory).is_none() && category_of(memory).is_none()
    };
    let summed: BTreeSet<MemoryId> = night
        .edges
        .iter()
        .filter(|edge| edge.kind == RelationKind::DerivedFrom)
        .filter(|edge| night.memories.get(&edge.from).is_some_and(|memory| sums_up(memory)))
        .map(|edge| edge.to)
        .collect();
    let fit = |memory: &Arc<Memory>| {
        (memory.tier == Tier::Episodic || law::wants_consolidation(memory, night.held(memory)))
            && matches!(memory.status, Status::Created | Status::Active)
            && memory.class() != Class::Narrative
            && memory.kind != Kind::Plan
            && Reminder::of(memory).is_none()
            && law::guarded(memory).is_none()
            && night.at.duration_since(memory.created_at) >= SETTLED
            && !summed.contains(&memory.id)
    };
    let mut episodes: Vec<Arc<Memory>> = night.current().into_iter().filter(fit).collect();
    episodes.sort_by_key(|memory| Reverse((memory.created_at, memory.id)));
    let left = episodes.len().saturating_sub(night.caps.memories);
    episodes.truncate(night.caps.memories);
    let mut free: BTreeMap<MemoryId, Arc<Memory>> =
        episodes.iter().map(|memory| (memory.id, memory.clone())).collect();
    let mut found = by_entity(night, &mut free);
    found.extend(by_likeness(night, &mut free));
    (found, left)
}

fn by_entity(night: &Night<'_>, free: &mut BTreeMap<MemoryId, Arc<Memory>>) -> Vec<Cluster> {
    let everywhere = night.everywhere();
    let mut naming: BTreeMap<EntityId, Vec<MemoryId>> = BTreeMap::new();
    for id in free.keys() {
        for entity in night.mentions.get(id).into_iter().flatten() {
            naming.entry(*entity).or_default().push(*id);
        }
    }
    let topic = |(entity, ids): &(EntityId, Vec<MemoryId>)| {
        ids.len() >= LEAST_SHARING && !everywhere.contains(entity)
    };
    let mut groups: Vec<(EntityId, Vec<MemoryId>)> = naming.into_iter().filter(topic).collect();
    groups.sort_by_key(|(entity, ids)| (Reverse(ids.len()), *entity));
    let mut clusters = Vec::new();
    for (entity, ids) in groups {
        let Some(known) = night.entities.get(&entity) else { continue };
        let here: Vec<MemoryId> = ids.into_iter().filter(|id| free.contains_key(id)).collect();
        for members in here.chunks(LARGEST).filter(|members| members.len() >= LEAST_SHARING) {
            members.iter().for_each(|id| drop(free.remove(id)));
            clusters.push(Cluster { topic: known.written.clone(), members: members.to_vec() });
        }
    }
    clusters
}

fn by_likeness(night: &Night<'_>, free: &mut BTreeMap<MemoryId, Arc<Memory>>) -> Vec<Cluster> {
    let mut clusters = Vec::new();
    let ids: Vec<MemoryId> = free.keys().copied().collect();
    for id in ids {
        let Some(seed) = free.get(&id).cloned() else { continue };
        let near = night.sight.near(id, LARGEST);
        let mut members: Vec<MemoryId> = near
            .into_iter()
            .filter(|(other, similarity)| {
                similarity.get() > ALIKE && *other != id && free.contains_key(other)
            })
            .map(|(other, _)| other)
            .take(LARGEST - 1)
            .collect();
        members.push(id);
        if members.len() < LEAST_ALIKE {
            continue;
        }
        members.sort();
        members.iter().for_each(|id| drop(free.remove(id)));
        clusters.push(Cluster { topic: seed.kind.to_string(), members });
    }
    clusters
}

/// Sums clusters up, each in a memory of its own that is tied to what it was
/// made of. `texts` are those that a model wrote, by the place of their cluster;
/// the others are extracted.
pub fn plan_consolidation(
    night: &mut Night<'_>,
    clusters: &[Cluster],
    left: usize,
    texts: &BTreeMap<usize, String>,
) -> StepPlan {
    let mut plan = StepPlan::new(Step::Consolidate);
    plan.left = left;
    for (place, cluster) in clusters.iter().enumerate() {
        plan.looked_at += cluster.members.len();
        let sources: Vec<Arc<Memory>> =
            cluster.members.iter().filter_map(|id| night.memories.get(id)).cloned().collect();
        let (text, method) = match texts.get(&place) {
            Some(text) => (text.clone(), SummaryMethod::Model),
            None => (extract(&cluster.topic, &sources), SummaryMethod::Extractive),
        };
        let made = Made {
            kind: Kind::Summary,
            content: text,
            tags: BTreeSet::new(),
            structured: method.structured(&cluster.topic),
            importance: Importance::clamped(SUMMARY_IMPORTANCE),
            reason: format!("{} memories about {}, {method}", cluster.members.len(), cluster.topic),
            told: "summed up",
        };
        let summary = night.give_birth(&mut plan, made, &cluster.members);
        for id in &cluster.members {
            night.put(&mut plan, *id, Status::Consolidated, format!("summed up in {summary}"));
        }
        let logged = ConsolidationLogged {
            operation: night.dream,
            number: u32::try_from(place + 1).unwrap_or(u32::MAX),
            method: ConsolidationMethod::SummarizeCluster,
            sources: cluster.members.clone(),
            results: vec![summary],
            at: night.at,
        };
        plan.writes.push(Write::Note { note: Box::new(Note::Consolidated(logged)) });
        if method == SummaryMethod::Extractive {
            let awaiting = Awaiting {
                summary,
                sources: cluster.members.clone(),
                topic: cluster.topic.clone(),
                reason: "it was extracted, not written".to_owned(),
                queued_at: night.at,
                done_at: None,
            };
            plan.writes.push(Write::Note { note: Box::new(Note::Awaiting(awaiting)) });
        }
    }
    answer_request(night, &mut plan, !clusters.is_empty());
    plan
}

/// So many of the nearest are looked at.
const NEIGHBOURS: usize = 4;

/// Of two memories that say the same, or of which one says all that the other
/// says, one is put away: the less useful, and never the one that says more.
pub fn plan_redundancy(night: &mut Night<'_>) -> StepPlan {
    let mut plan = StepPlan::new(Step::Redundancy);
    let mut all = night.current();
    all.retain(|memory| memory.class() != Class::Narrative && memory.status != Status::Challenged);
    all.sort_by_key(|memory| Reverse((memory.updated_at, memory.id)));
    let mut looked_at = night.in_turn(Step::Redundancy, all, |memory| memory.updated_at);
    plan.left = looked_at.len().saturating_sub(night.caps.memories);
    looked_at.truncate(night.caps.memories);
    let mut compared = BTreeSet::new();
    let mut number = 1;
    for memory in looked_at {
        for (other, similarity) in night.sight.near(memory.id, NEIGHBOURS) {
            let pair = (memory.id.min(other), memory.id.max(other));
            if similarity.get() <= ALIKE || memory.id == other || compared.contains(&pair) {
                continue;
            }
            let [one, two] = [memory.id, other].map(|id| night.memories.get(&id).cloned());
            let (Some(one), Some(two)) = (one, two) else { continue };
            let both = |test: fn(&Memory) -> bool| test(&one) && test(&two);
            // What is doubted itself takes nothing's place.
            let in_force =
                |memory: &Memory| memory.status.is_current() && memory.status != Status::Challenged;
            if !both(in_force)
                || !both(|memory| memory.tier != Tier::Codebase)
                || law::redundant(&one, &two, similarity, night.at).is_none()
            {
                continue;
            }
            if compared.len() >= night.caps.comparisons {
                plan.left += 1;
                continue;
            }
            compared.insert(pair);
            plan.looked_at += 1;
            let Some(gone) = the_lesser(&one, &two, similarity, night.at) else { continue };
            let (kept, gone) = if gone == one.id { (&two, &one) } else { (&one, &two) };
            let reason = law::ArchivalRule::Redundant.reason(&format!("{} says the same", kept.id));
            if night.put(&mut plan, gone.id, Status::Archived, reason) {
                let at = night.at;
                night.relate(&mut plan, Relation::certain(kept.id, RelationKind::SimilarTo, gone.id, at));
                let logged = ConsolidationLogged {
                    operation: night.dream,
                    number: 1_000 + number,
                    method: ConsolidationMethod::MergeSimilar,
                    sources: vec![one.id, two.id],
                    results: vec![kept.id],
                    at,
                };
                number += 1;
                plan.writes.push(Write::Note { note: Box::new(Note::Consolidated(logged)) });
            }
        }
    }
    plan
}

/// The one to put away. None: each says something of its own, or the one that
/// says less is protected.
fn the_lesser(one: &Memory, two: &Memory, likeness: Similarity, at: Timestamp) -> Option<MemoryId> {
    match compare(&one.content, &two.content) {
        Bearing::Same => law::redundant(one, two, likeness, at).map(|gone| gone.id),
        // The second says what the first says, and more.
        Bearing::Adds => law::is_protected(one, at).is_none().then_some(one.id),
        Bearing::Contained => law::is_protected(two, at).is_none().then_some(two.id),
        _ => None,
    }
}
