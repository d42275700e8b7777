//! The steps about things with a name: which go, which cannot both be so, what
//! is known of each on one card, and which fields they join.

use super::Step;
use super::night::{Made, Night, StepPlan};
use super::summary::set_sources;
use crate::change::Write;
use crate::decision::{Pair, Review};
use crate::graph::{
    Bond, BondKey, BondKind, Surroundings, bridges, card_of, contradicting_values, contradictions, hub_of,
    plan_graph_pruning,
};
use crate::id::{EntityId, MemoryId};
use crate::kind::Kind;
use crate::link::{EntityBook, KnownEntity, Mention};
use crate::memory::{Memory, Relation, RelationKind, WriteSource};
use crate::observe::EntityKind;
use crate::unit::{Confidence, Importance, Similarity, Weight};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl Night<'_> {
    /// Who names what, as rows. When a memory was told of does not matter here.
    fn mention_rows(&self) -> Vec<Mention> {
        let rows = self.mentions.iter().flat_map(|(memory, entities)| {
            entities.iter().map(|entity| Mention { memory: *memory, entity: *entity, at: self.at })
        });
        rows.collect()
    }

    fn set_bond(&mut self, plan: &mut StepPlan, before: Option<Bond>, after: Option<Bond>) {
        if let Some(before) = &before {
            self.bonds.retain(|bond| bond.key() != before.key());
        }
        self.bonds.extend(after.clone());
        plan.writes.push(Write::Bond { before: before.map(Box::new), after: after.map(Box::new) });
    }
}

/// Things that nobody names any more go, with their bonds; weak bonds end; and
/// things whose names are alike are proposed to be one.
pub fn plan_entities(night: &mut Night<'_>) -> StepPlan {
    let mut plan = StepPlan::new(Step::Entities);
    let known: Vec<KnownEntity> = night.entities.values().cloned().collect();
    plan.looked_at = known.len() + night.bonds.len();
    let in_force = |id: &MemoryId| night.memories.get(id).is_some_and(|memory| !memory.content.is_empty());
    let mentioned: BTreeSet<EntityId> =
        night.mentions.iter().filter(|(id, _)| in_force(id)).flat_map(|(_, named)| named.clone()).collect();
    let pruning = plan_graph_pruning(&known, &mentioned, &night.bonds, night.at);
    for bond in pruning.gone {
        night.set_bond(&mut plan, Some(bond), None);
    }
    for after in pruning.invalid {
        let before = night.bonds.iter().find(|bond| bond.key() == after.key()).cloned();
        plan.tell(None, "bond ended", format!("{} with little confidence for 30 days", after.kind));
        night.set_bond(&mut plan, before, Some(after));
    }
    for id in pruning.entities {
        let Some(entity) = night.entities.remove(&id) else { continue };
        plan.tell(None, "entity pruned", format!("{} has not been named for 30 days", entity.kind));
        plan.writes.push(Write::Entity { before: Some(Box::new(entity)), after: None });
    }
    propose_merges(night, &mut plan);
    plan
}

/// Two names that are alike, in letters or in what they mean, may be one
/// thing's. It is proposed, never done.
fn propose_merges(night: &mut Night<'_>, plan: &mut StepPlan) {
    let book = EntityBook::new(night.entities.values().cloned());
    let mut alike: BTreeMap<(EntityId, EntityId), Similarity> = BTreeMap::new();
    for entity in night.entities.values() {
        for (other, likeness) in book.near(entity.kind, &entity.name) {
            alike.insert((entity.id.min(other), entity.id.max(other)), likeness);
        }
    }
    for (pair, likeness) in alike_in_meaning(night) {
        alike.entry(pair).or_insert(likeness);
    }
    let mut proposed = 0;
    for ((one, other), likeness) in alike {
        let (Some(one), Some(other)) = (night.entities.get(&one), night.entities.get(&other)) else {
            continue;
        };
        let by_age = (one.first_seen_at, one.id) < (other.first_seen_at, other.id);
        let (older, newer) = if by_age { (one, other) } else { (other, one) };
        let pair = Pair::Entities { newer: newer.id, older: older.id };
        let seen = |review: &Review| match review.pair {
            Pair::Entities { newer: known, older: before } => {
                [known, before].contains(&newer.id) && [known, before].contains(&older.id)
            }
            Pair::Memories { .. } => false,
        };
        if night.reviews.iter().any(seen) {
            continue;
        }
        if proposed >= night.caps.comparisons {
            plan.left += 1;
            continue;
        }
        proposed += 1;
        let reason = format!("{} may be {}", newer.written, older.written);
        plan.tell(None, "proposed", reason.clone());
        night.review(plan, Review::open(pair, reason, Some(likeness), night.at));
    }
}

/// From here on two names may mean the same. S0 asks for .88, at which the table
/// finds none of ten pairs such as golang and go; here it finds six of them, and
/// of fourteen pairs of rivals none but hosts that differ in a number.
const SAME_MEANING: f64 = 0.72;
/// The names that come up most are held against each other.
const MOST_NAMES: usize = 200;

/// Tools and packages have names that mean something; those of files and people
/// do not, and what differs in a number differs.
fn alike_in_meaning(night: &Night<'_>) -> Vec<((EntityId, EntityId), Similarity)> {
    let mut found = Vec::new();
    for kinds in [&[EntityKind::Tool, EntityKind::Service][..], &[EntityKind::Package][..]] {
        let mut things: Vec<&KnownEntity> =
            night.entities.values().filter(|entity| kinds.contains(&entity.kind)).collect();
        things.sort_by_key(|entity| (std::cmp::Reverse(entity.mentions), entity.id));
        things.truncate(MOST_NAMES);
        let names: Vec<&str> = things.iter().map(|entity| entity.name.as_str()).collect();
        for (one, other, likeness) in night.sight.names(&names) {
            if likeness.get() >= SAME_MEANING && digits_of(names[one]) == digits_of(names[other]) {
                let (one, other) = (things[one].id, things[other].id);
                found.push(((one.min(other), one.max(other)), likeness));
            }
        }
    }
    found
}

fn digits_of(name: &str) -> String {
    name.chars().filter(char::is_ascii_digit).collect()
}

/// What cannot both be so is queued for review: bonds that exclude each other,
/// and memories that say different things of one thing.
pub fn plan_contradictions(night: &mut Night<'_>) -> StepPlan {
    let mut plan = StepPlan::new(Step::Contradictions);
    let found: Vec<(Bond, Bond, &'static str)> = contradictions(&night.bonds)
        .into_iter()
        .map(|(one, other, why)| (night.bonds[one].clone(), night.bonds[other].clone(), why))
        .collect();
    plan.looked_at = night.bonds.len();
    let mut opened = 0;
    for (one, other, why) in found {
        // The latest memories that say so, and are still in force, are what
        // somebody can decide about.
        let said = |bond: &Bond| {
            let current = |id: &MemoryId| {
                let memory = night.memories.get(id).filter(|memory| memory.status.is_current())?;
                Some((memory.validity.valid_from, *id))
            };
            bond.evidence.iter().rev().find_map(current)
        };
        let (Some(first), Some(second)) = (said(&one), said(&other)) else { continue };
        if first.1 == second.1 || night.is_reviewed(first.1, second.1) {
            continue;
        }
        if opened >= night.caps.comparisons {
            plan.left += 1;
            continue;
        }
        opened += 1;
        let (newer, older) = if first >= second { (first.1, second.1) } else { (second.1, first.1) };
        open(night, &mut plan, newer, older, why.to_owned());
    }
    let current = night.current();
    let memories: Vec<&Memory> = current.iter().map(|memory| &**memory).collect();
    let relations: Vec<Relation> = night.edges.iter().cloned().collect();
    let conflicts =
        contradicting_values(&memories, &night.mention_rows(), &relations, night.caps.comparisons, night.at);
    plan.looked_at += memories.len().min(night.caps.comparisons);
    for conflict in conflicts {
        if conflict.both_current && !night.is_reviewed(conflict.newer, conflict.older) {
            open(night, &mut plan, conflict.newer, conflict.older, conflict.reason);
        }
    }
    plan
}

fn open(night: &mut Night<'_>, plan: &mut StepPlan, newer: MemoryId, older: MemoryId, why: String) {
    let at = night.at;
    night.relate(plan, Relation::certain(newer, RelationKind::Contradicts, older, at));
    // What is told stays when the words of the other are purged.
    plan.tell(newer, "queued for review", format!("it and {older} cannot both be so"));
    night.review(plan, Review::open(Pair::Memories { newer, older }, why, None, at));
}

/// What a card matters.
const CARD_IMPORTANCE: f64 = 0.6;
/// Beside its text a card keeps what it is a card of.
const CARD_OF: &str = "card_of";

/// The thing that a memory is a card of.
pub fn card_for(memory: &Memory) -> Option<EntityId> {
    let kept = memory.structured.as_ref()?;
    let own = memory.kind == Kind::Summary && memory.provenance.write_source == WriteSource::Dream;
    kept.get(CARD_OF).filter(|_| own)?.as_str()?.parse().ok()
}

/// What is known of each thing that enough is known of, on one card that is
/// brought up to date in its place. One that somebody put away is not made again.
pub fn plan_cards(night: &mut Night<'_>) -> StepPlan {
    let mut plan = StepPlan::new(Step::Cards);
    let current = night.current();
    let mut cards: Vec<(EntityId, Arc<Memory>)> =
        night.memories.values().filter_map(|memory| Some((card_for(memory)?, memory.clone()))).collect();
    cards.sort_by_key(|(_, card)| card.status.is_current());
    let of_entity: BTreeMap<EntityId, Arc<Memory>> = cards.into_iter().collect();
    let mentions = night.mention_rows();
    let holds = |memory: &&Arc<Memory>| {
        memory.validity.valid_until.is_none_or(|until| night.at < until) && card_for(memory).is_none()
    };
    let memories: Vec<Arc<Memory>> = current.iter().filter(holds).cloned().collect();
    let mut entities: Vec<KnownEntity> = night.entities.values().cloned().collect();
    entities.sort_by_key(|entity| (std::cmp::Reverse(entity.mentions), entity.id));
    plan.left = entities.len().saturating_sub(night.caps.memories);
    entities.truncate(night.caps.memories);
    for entity in entities {
        plan.looked_at += 1;
        let naming = hub_of(entity.id, &mentions, memories.iter().map(|memory| &**memory));
        let bonds: Vec<Bond> = night
            .bonds
            .iter()
            .filter(|bond| bond.is_valid() && [bond.from, bond.to].contains(&entity.id))
            .cloned()
            .collect();
        let named: Vec<(&Bond, &str)> = bonds
            .iter()
            .filter_map(|bond| {
                let other = if bond.from == entity.id { bond.to } else { bond.from };
                Some((bond, night.entities.get(&other)?.written.as_str()))
            })
            .collect();
        let Some(card) = card_of(&entity, &naming, &named) else { continue };
        let known = of_entity.get(&entity.id);
        match known {
            Some(known) if known.content == card.text || !known.status.is_current() => {}
            Some(known) => {
                let (id, at, text) = (known.id, night.at, card.text);
                let done = night.rewrite(&mut plan, id, |memory| {
                    memory.content = text;
                    memory.updated_at = at;
                    set_sources(memory, &card.memories);
                });
                if done {
                    let why = format!("what is known of {} has changed", entity.written);
                    plan.tell(id, "card brought up to date", why);
                    night.make_of(&mut plan, id, &card.memories);
                }
            }
            None => {
                let structured = [(CARD_OF.to_owned(), json!(entity.id.to_string()))].into_iter().collect();
                let made = Made {
                    kind: Kind::Summary,
                    content: card.text,
                    tags: BTreeSet::new(),
                    structured,
                    importance: Importance::clamped(CARD_IMPORTANCE),
                    reason: format!("what {} memories say of {}", card.among, entity.written),
                    told: "card",
                };
                night.give_birth(&mut plan, made, &card.memories);
            }
        }
    }
    plan
}

/// At most so many bridges are drawn in one night.
const MOST_BRIDGES: usize = 10;
/// How sure a bridge is that nobody has confirmed.
const BRIDGE_CONFIDENCE: f64 = 0.3;
const BRIDGE_WEIGHT: f64 = 0.2;

/// Things of different fields that have a third in common are bound loosely.
pub fn plan_bridges(night: &mut Night<'_>) -> StepPlan {
    let mut plan = StepPlan::new(Step::Bridges);
    let mut around: BTreeMap<EntityId, Surroundings> = BTreeMap::new();
    for memory in night.current() {
        let mut named = night.mentions.get(&memory.id).cloned().unwrap_or_default();
        named.retain(|entity| night.entities.contains_key(entity));
        let domain =
            memory.domain.clone().or_else(|| memory.provenance.source_project.clone().map(String::from));
        for entity in &named {
            let known = around.entry(*entity).or_insert_with(|| Surroundings {
                entity: *entity,
                domains: BTreeMap::new(),
                neighbours: BTreeSet::new(),
            });
            if let Some(domain) = &domain {
                *known.domains.entry(domain.clone()).or_default() += 1;
            }
            known.neighbours.extend(named.iter().filter(|other| *other != entity));
        }
    }
    for bond in night.bonds.iter().filter(|bond| bond.is_valid()) {
        for (one, other) in [(bond.from, bond.to), (bond.to, bond.from)] {
            if let Some(known) = around.get_mut(&one) {
                known.neighbours.insert(other);
            }
        }
    }
    let things: Vec<Surroundings> = around.into_values().collect();
    plan.looked_at = things.len();
    for bridge in bridges(&things, MOST_BRIDGES) {
        let key: BondKey = (bridge.a, BondKind::RelatedTo, bridge.b);
        if night.bonds.iter().any(|bond| bond.key() == key) {
            continue;
        }
        let naming = |entity: EntityId| {
            let names = |(id, named): &(&MemoryId, &BTreeSet<EntityId>)| {
                let current = night.memories.get(id).is_some_and(|memory| memory.status.is_current());
                current && named.contains(&entity)
            };
            night.mentions.iter().filter(names).map(|(id, _)| *id).next_back()
        };
        let Some(by) = naming(bridge.via).or_else(|| naming(bridge.a)) else { continue };
        let bond = Bond {
            weight: Weight::clamped(BRIDGE_WEIGHT),
            confidence: Confidence::clamped(BRIDGE_CONFIDENCE),
            ..Bond::new(key, by, night.at)
        };
        plan.tell(None, "bridge", bridge.reason);
        night.set_bond(&mut plan, None, Some(bond));
    }
    plan
}
