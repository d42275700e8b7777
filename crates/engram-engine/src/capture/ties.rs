//! What a new memory is tied to: the things it names, and the memories it bears
//! on.

use super::near::Found;
use super::{Draft, Fact};
use crate::shelf::Shelf;
use engram_core::claim::Bearing;
use engram_core::decision::{Action, Pair, Review};
use engram_core::gate::Gated;
use engram_core::link::{
    EntityPlan, Neighbour, Newcomer, alias_pairs, plan_entities, plan_pruning, plan_relations,
};
use engram_core::observe::entities_of;
use engram_core::{EntityId, MemoryId, Relation, Write};

impl Draft<'_> {
    /// Ties the memory that a fact became, or that it changed.
    pub(super) fn tie(&mut self, fact: &Fact<'_>, id: MemoryId, gated: &Gated, found: &[Found]) {
        // What says the same names nothing new.
        if gated.action == Action::Reinforce {
            return;
        }
        let at = fact.turn.said_at;
        let aliases = alias_pairs(&fact.turn.content);
        let plan = plan_entities(&self.book, &fact.prospect.entities, &aliases, at);
        let named = self.name(&plan, id, at);
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
            turn: Some(fact.turn.id),
            at,
        };
        let edges = plan_relations(&new, &neighbours);
        self.writes.extend(edges.into_iter().map(|relation| Write::Relate { relation }));
    }

    /// Keeps the things that a memory names, and who names them.
    fn name(&mut self, plan: &EntityPlan, id: MemoryId, at: engram_core::Timestamp) -> Vec<EntityId> {
        for merge in &plan.merges {
            self.book.remove(merge.gone);
            self.writes.push(Write::Unname { merge: *merge });
        }
        for entity in &plan.entities {
            self.book.put(entity.clone());
            self.writes.push(Write::Name { entity: Box::new(entity.clone()) });
        }
        for mention in plan.mentions_by(id, at) {
            self.writes.push(Write::Mention { mention });
        }
        for proposal in &plan.proposals {
            let spelt = |id| self.book.get(id).map_or("?", |entity| entity.written.as_str());
            let reason = format!("{} may be {}", spelt(proposal.new), spelt(proposal.old));
            let pair = Pair::Entities { newer: proposal.new, older: proposal.old };
            let review = Review::open(pair, reason, Some(proposal.likeness), self.at);
            self.writes.push(Write::Review { before: None, after: Box::new(review) });
        }
        plan.entities.iter().map(|entity| entity.id).collect()
    }

    /// The known things that a text names.
    fn named_by(&self, text: &str) -> Vec<EntityId> {
        let found = entities_of(text);
        found.iter().filter_map(|entity| Some(self.book.named(entity.kind, &entity.name)?.id)).collect()
    }

    /// Lets the loosest edges go where there are too many.
    pub(super) fn prune(&mut self, shelf: &Shelf) {
        let drawn = self.writes.iter().filter_map(|write| match write {
            Write::Relate { relation } => Some(relation.clone()),
            _ => None,
        });
        let drawn: Vec<Relation> = drawn.collect();
        if drawn.is_empty() {
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
