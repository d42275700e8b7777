//! A change in the making: what the gate decided about one fact after the
//! other, and the memories as they will be when it is committed.

use super::near::Found;
use super::ties::Naming;
use super::{Fact, Reader, current, encoded};
use crate::shelf::{ChangeError, Shelf};
use engram_core::decision::{Action, Decision};
use engram_core::gate::Gated;
use engram_core::law::{captured, captured_by, captures, is_tagged, weigh};
use engram_core::plan::{Formed, Setting, decision_of, plan_fact, plan_retire};
use engram_core::turn::Turn;
use engram_core::{Actor, Cause, Codes, Memory, MemoryId, OperationId, Similarity, Status, Timestamp, Write};
use engram_index::Entry;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is going to be committed, and the memories as they will be then.
pub(super) struct Draft<'s> {
    pub(super) shelf: &'s Shelf,
    pub(super) operation: OperationId,
    pub(super) cause: Cause,
    pub(super) actor: Actor,
    pub(super) at: Timestamp,
    pub(super) part_of: Option<OperationId>,
    pub(super) writes: Vec<Write>,
    pub(super) pending: BTreeMap<MemoryId, Pending>,
    pub(super) decisions: Vec<Decision>,
    pub(super) naming: Naming<'s>,
}

/// A memory that is made or changed in this very change.
pub(super) struct Pending {
    pub(super) memory: Arc<Memory>,
    /// Of a new one: its direction, to be found by the facts after it.
    pub(super) direction: Option<Codes>,
}

impl<'s> Draft<'s> {
    pub(super) fn new(shelf: &'s Shelf, operation: OperationId, at: Timestamp) -> Self {
        Self {
            shelf,
            operation,
            cause: Cause::Capture,
            actor: Actor::Engram,
            at,
            part_of: None,
            writes: Vec::new(),
            pending: BTreeMap::new(),
            decisions: Vec::new(),
            naming: Naming::new(shelf),
        }
    }

    /// Takes in what the gate decided about one fact.
    pub(super) async fn take(
        &mut self,
        fact: &Fact<'_>,
        gated: Gated,
        found: &[Found],
        reader: &Reader,
    ) -> Result<Decision, ChangeError> {
        let all: Vec<&Found> = found.iter().collect();
        let nearest: Vec<Similarity> = current(&all).map(|found| found.similarity).collect();
        let replaces = gated.action == Action::Supersede;
        let formed = Formed {
            id: fact.born,
            text: fact.prospect.text.clone(),
            kind: fact.prospect.kind,
            confidence: fact.prospect.confidence,
            emotion: Some(fact.prospect.emotion),
            valid_from: fact.prospect.valid_from,
            valid_until: fact.prospect.valid_until,
            tags: fact.prospect.tags.clone(),
            summary: fact.prospect.summary.clone(),
            pinned: fact.prospect.pinned,
            domain: fact.prospect.domain.clone(),
            structured: fact.prospect.structured.clone(),
            weighed: weigh(&encoded(fact, &nearest, replaces)),
            write_source: fact.prospect.write_source,
        };
        let about = gated.others.first().filter(|_| gated.action == Action::Reinforce);
        let about = about.and_then(|id| found.iter().find(|found| found.memory.id == *id));
        let repeated = match about {
            Some(found) => self.shelf.was_said_in(&found.memory, fact.turn.session).await?,
            None => false,
        };
        let setting = Setting { repeated, ..self.setting(fact, reader) };
        let known: BTreeMap<MemoryId, Memory> = found
            .iter()
            .filter(|found| gated.others.contains(&found.memory.id))
            .map(|found| (found.memory.id, Memory::clone(&found.memory)))
            .collect();
        let (writes, memory) = plan_fact(&formed, &gated, &known, &setting)?;
        let decision = decision_of(fact.number, &formed, &gated, memory, &setting, fact.by);
        for write in &writes {
            match write {
                Write::Create { memory } => {
                    let pending = Pending {
                        memory: Arc::new(memory.as_ref().clone()),
                        direction: fact.direction.clone(),
                    };
                    self.pending.insert(memory.id, pending);
                }
                Write::Replace { after, .. } => {
                    let direction = self.pending.remove(&after.id).and_then(|pending| pending.direction);
                    self.pending
                        .insert(after.id, Pending { memory: Arc::new(after.as_ref().clone()), direction });
                }
                _ => {}
            }
        }
        self.writes.extend(writes);
        if let Some(id) = memory {
            self.tie(fact, id, &gated, found);
            self.capture_the_weak(id, fact.turn.said_at)?;
        }
        self.decisions.push(decision.clone());
        Ok(decision)
    }

    fn setting<'f>(&self, fact: &'f Fact<'_>, reader: &'f Reader) -> Setting<'f> {
        Setting {
            turn: fact.turn,
            repeated: false,
            scope: self.shelf.scope(),
            project: reader.project.as_ref(),
            operation: self.operation,
            cause: self.cause,
            actor: fact.actor,
            at: self.at,
        }
    }

    /// A memory of this store gives way to one that is made in another.
    pub(super) fn retire(
        &mut self,
        fact: &Fact<'_>,
        gated: &Gated,
        old: &Memory,
        reader: &Reader,
    ) -> Result<(), ChangeError> {
        let write = plan_retire(old, fact.born, gated, &self.setting(fact, reader))?;
        if let Write::Replace { after, .. } = &write {
            let direction = self.pending.remove(&old.id).and_then(|pending| pending.direction);
            self.pending.insert(old.id, Pending { memory: Arc::new(after.as_ref().clone()), direction });
        }
        self.writes.push(write);
        Ok(())
    }

    pub(super) fn decisions_of(&self, turn: &Turn) -> Vec<Decision> {
        self.decisions.iter().filter(|decision| decision.turn == turn.id).cloned().collect()
    }

    /// A strong memory settles the weak ones that were said around it.
    fn capture_the_weak(&mut self, id: MemoryId, at: Timestamp) -> Result<(), ChangeError> {
        let Some(strong) = self.pending.get(&id).map(|pending| pending.memory.clone()) else { return Ok(()) };
        if !captures(strong.importance) || strong.status != Status::Created {
            return Ok(());
        }
        let Some(session) = strong.provenance.source_session else { return Ok(()) };
        let weak = |entry: &Entry| entry.status.is_current() && !captures(entry.importance);
        let mut others: Vec<Memory> = self
            .shelf
            .kept_of_session(session, weak)
            .iter()
            .filter(|memory| !self.pending.contains_key(&memory.id) && is_tagged(memory, at))
            .map(|memory| Memory::clone(memory))
            .collect();
        others.extend(self.pending.values().map(|pending| Memory::clone(&pending.memory)));
        for weak in captured_by(&strong, &others, at) {
            let Some(before) = others.iter().find(|memory| memory.id == weak) else { continue };
            let mut after = before.clone();
            after.trace.stability = captured(before.trace.stability);
            let direction = self.pending.remove(&weak).and_then(|pending| pending.direction);
            self.pending.insert(weak, Pending { memory: Arc::new(after.clone()), direction });
            self.writes.push(Write::Replace { before: Box::new(before.clone()), after: Box::new(after) });
        }
        Ok(())
    }
}
