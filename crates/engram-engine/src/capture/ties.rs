//! What a new memory is tied to: the things it names, and the memories it bears
//! on.

use super::near::Found;
use super::{Draft, Fact};
use crate::shelf::Shelf;
use engram_core::claim::Bearing;
use engram_core::decision::{Action, Pair, Review};
use engram_core::gate::Gated;
use engram_core::graph::{Bond, Named, bonds_in, strengthened};
use engram_core::link::{
    ENOUGH_EDGES, EntityBook, EntityPlan, KnownEntity, MOST_EDGES, Neighbour, Newcomer, alias_pairs,
    plan_entities, plan_pruning, plan_relations,
};
use engram_core::observe::{Entity, entities_of};
use engram_core::{Confidence, EntityId, Memory, MemoryId, Relation, RelationKind, Write};

/// The things that are named in a change that is being made. They are in the
/// book at once, so that the facts after it find them, and out of it again if
/// the change does not come about. Only with the door held.
pub(crate) struct Naming<'s> {
    shelf: &'s Shelf,
    /// What was known of each, the latest last.
    before: Vec<(EntityId, Option<KnownEntity>)>,
}

impl<'s> Naming<'s> {
    pub(crate) const fn new(shelf: &'s Shelf) -> Self {
        Self { shelf, before: Vec::new() }
    }

    /// The change has come about.
    pub(crate) fn keep(&mut self) {
        self.before.clear();
    }

    /// What the text of a memory that nobody reads names.
    pub(crate) fn read(&mut self, memory: &Memory) -> Vec<Write> {
        let at = memory.created_at;
        let plan = {
            let book = &self.shelf.hearing().book;
            let found = all_named(book, &memory.content, &entities_of(&memory.content));
            plan_entities(book, &found, &[], at)
        };
        let mentions = plan.mentions_by(memory.id, at).into_iter().map(|mention| Write::Mention { mention });
        let mut writes: Vec<Write> = mentions.collect();
        for entity in plan.entities {
            self.put(entity.clone());
            writes.push(Write::Name { entity: Box::new(entity) });
        }
        writes
    }

    pub(super) fn put(&mut self, entity: KnownEntity) {
        let mut hearing = self.shelf.hearing();
        self.before.push((entity.id, hearing.book.get(entity.id).cloned()));
        hearing.book.put(entity);
    }

    pub(super) fn remove(&mut self, id: EntityId) {
        let known = self.shelf.hearing().book.remove(id);
        self.before.push((id, known));
    }
}

impl Drop for Naming<'_> {
    fn drop(&mut self) {
        let mut hearing = self.shelf.hearing();
        for (id, known) in self.before.drain(..).rev() {
            match known {
                Some(entity) => hearing.book.put(entity),
                None => drop(hearing.book.remove(id)),
            }
        }
    }
}

/// What a text names: what was found in it, and what is known by the word it
/// uses.
fn all_named(book: &EntityBook, text: &str, found: &[Entity]) -> Vec<Entity> {
    let mut all = found.to_vec();
    let is_new = |known: &Entity| !found.iter().any(|entity| entity.written.contains(&known.written));
    all.extend(book.spelt_in(text).into_iter().filter(is_new));
    all
}

/// How sure a language model's edge is.
const ADVISED: f64 = 0.8;
/// Edges are looked for among so many of the nearest.
const NEIGHBOURS: usize = 5;

impl Draft<'_> {
    /// Ties the memory that a fact became, or that it changed.
    pub(super) fn tie(&mut self, fact: &Fact<'_>, id: MemoryId, gated: &Gated, found: &[Found]) {
        // What says the same names nothing new.
        if gated.action == Action::Reinforce {
            return;
        }
        let at = fact.turn.said_at;
        let aliases = alias_pairs(&fact.turn.content);
        let plan = {
            let book = &self.shelf.hearing().book;
            plan_entities(book, &all_named(book, &fact.prospect.text, &fact.prospect.entities), &aliases, at)
        };
        let named = self.name(&plan, id, at);
        self.bind(fact, id, at);
        if gated.action == Action::Update {
            return;
        }
        let known: Vec<(&Found, Vec<EntityId>)> = found
            .iter()
            .filter(|found| found.memory.id != id && found.memory.status.is_current())
            // Whose place it took, or whom it challenges, has its edge already.
            .filter(|found| {
                let settled = matches!(gated.action, Action::Supersede | Action::Challenge);
                !(settled && gated.others.contains(&found.memory.id))
            })
            .take(NEIGHBOURS)
            .map(|found| (found, self.named_by(&found.memory.content)))
            .collect();
        let unrelated = Bearing::Unrelated;
        let neighbours: Vec<Neighbour<'_>> = known
            .iter()
            .map(|(found, entities)| Neighbour {
                id: found.memory.id,
                text: &found.memory.content,
                kind: found.memory.kind,
                entities,
                likeness: found.similarity,
                bearing: gated
                    .bearings
                    .iter()
                    .find(|(other, ..)| *other == found.memory.id)
                    .map_or(&unrelated, |(_, _, bearing)| bearing),
                same_turn: found.memory.provenance.evidence.contains(&fact.turn.id),
                before: true,
            })
            .collect();
        let new = Newcomer {
            id,
            text: &fact.prospect.text,
            kind: fact.prospect.kind,
            entities: &named,
            opening: fact.opening,
            at,
        };
        // A contradiction is the gate's to find.
        let advised = fact.related.filter(|(_, kind)| *kind != RelationKind::Contradicts);
        let advised = advised.map(|(other, kind)| Relation {
            confidence: Confidence::clamped(ADVISED),
            ..Relation::certain(id, kind, other, at)
        });
        // In a full store each edge pushes another one out: the strongest will do,
        // unless it would be the first to go itself.
        let full = self.shelf.count_edges() >= ENOUGH_EDGES;
        let loose = |edge: &Relation| matches!(edge.kind, RelationKind::RelatedTo | RelationKind::SimilarTo);
        let by_rule = plan_relations(&new, &neighbours).into_iter();
        let by_rule = by_rule.filter(|edge| !(full && loose(edge))).take(if full { 1 } else { usize::MAX });
        let told = |edge: &Relation| advised.as_ref().is_some_and(|it| [edge.from, edge.to].contains(&it.to));
        let by_rule: Vec<Relation> = by_rule.filter(|edge| !told(edge)).collect();
        let edges = advised.into_iter().chain(by_rule);
        self.writes.extend(edges.map(|relation| Write::Relate { relation }));
    }

    /// Keeps the things that a memory names, and who names them.
    fn name(&mut self, plan: &EntityPlan, id: MemoryId, at: engram_core::Timestamp) -> Vec<EntityId> {
        for merge in &plan.merges {
            self.naming.remove(merge.gone);
            self.writes.push(Write::Unname { merge: *merge });
        }
        for entity in &plan.entities {
            self.naming.put(entity.clone());
            self.writes.push(Write::Name { entity: Box::new(entity.clone()) });
        }
        for mention in plan.mentions_by(id, at) {
            self.writes.push(Write::Mention { mention });
        }
        for proposal in &plan.proposals {
            let spelt = |id| {
                let known = self.shelf.hearing().book.get(id).map(|entity| entity.written.clone());
                known.unwrap_or_else(|| "?".to_owned())
            };
            let reason = format!("{} may be {}", spelt(proposal.new), spelt(proposal.old));
            let pair = Pair::Entities { newer: proposal.new, older: proposal.old };
            let review = Review::open(pair, reason, Some(proposal.likeness), self.at);
            self.writes.push(Write::Review { before: None, after: Box::new(review) });
        }
        plan.entities.iter().map(|entity| entity.id).collect()
    }

    /// Keeps how the things are bound that a fact names, more firmly with every
    /// memory that says so.
    fn bind(&mut self, fact: &Fact<'_>, id: MemoryId, at: engram_core::Timestamp) {
        let prospect = &fact.prospect;
        let named: Vec<Named<'_>> = {
            let hearing = self.shelf.hearing();
            let known = |entity: &Entity| Some(hearing.book.named(entity.kind, &entity.name)?.id);
            let of = |entity| Some(Named { id: known(entity)?, name: &entity.written, kind: entity.kind });
            prospect.entities.iter().filter_map(of).collect()
        };
        for key in bonds_in(&prospect.text, &named) {
            let here = self.writes.iter().rev().find_map(|write| match write {
                Write::Bond { after: Some(bond), .. } if bond.key() == key => Some(bond.clone()),
                _ => None,
            });
            let known = here.or_else(|| self.shelf.hearing().bonds.get(&key).cloned().map(Box::new));
            let after = match &known {
                Some(bond) => strengthened(bond, id, at),
                None => Bond::new(key, id, at),
            };
            if known.as_deref() != Some(&after) {
                self.writes.push(Write::Bond { before: known, after: Some(Box::new(after)) });
            }
        }
    }

    /// The known things that a text names.
    fn named_by(&self, text: &str) -> Vec<EntityId> {
        let found = entities_of(text);
        let hearing = self.shelf.hearing();
        found.iter().filter_map(|entity| Some(hearing.book.named(entity.kind, &entity.name)?.id)).collect()
    }

    /// Lets the loosest edges go where there are too many.
    pub(super) fn prune(&mut self, shelf: &Shelf) {
        let drawn = self.writes.iter().filter_map(|write| match write {
            Write::Relate { relation } => Some(relation.clone()),
            _ => None,
        });
        let drawn: Vec<Relation> = drawn.collect();
        if drawn.is_empty() || shelf.count_edges() + drawn.len() <= MOST_EDGES {
            return;
        }
        let mut edges = shelf.all_edges();
        edges.extend(drawn);
        for relation in plan_pruning(&edges) {
            let fresh = |write: &Write| matches!(write, Write::Relate { relation: new } if *new == relation);
            match self.writes.iter().position(fresh) {
                Some(place) => drop(self.writes.remove(place)),
                None => self.writes.push(Write::Unrelate { relation }),
            }
        }
    }
}
