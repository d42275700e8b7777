//! Everything a store keeps, in maps: what a change does to them, all of it or
//! nothing.
//!
//! It does not know who asks, nor how long anything is kept.

use engram_core::change::{PURGED_REASON, clear_reason};
use engram_core::decision::{Decision, Review};
use engram_core::dream::{
    Awaiting, ConsolidationLogged, ConsolidationRequest, CrossProjectPattern, Dream, Note, Part,
};
use engram_core::evolve::EvolutionLogged;
use engram_core::graph::Bond;
use engram_core::learn::{Learned, LearnedKey, WeightChange};
use engram_core::link::{KnownEntity, Mention};
use engram_core::port::CommitError;
use engram_core::recalled::RecallLogged;
use engram_core::reflect::{Insight, ReflectionLogged};
use engram_core::team::{Outgoing, Position};
use engram_core::turn::Turn;
use engram_core::used::{Promotion, Usage};
use engram_core::{
    Cause, Changes, EntityId, Memory, MemoryId, Operation, OperationId, RecallId, Relation, RelationKind,
    ReviewId, Scope, Status, StatusChange, StatusStep, StoredVector, Timestamp, TurnId, Write,
};
use std::collections::{BTreeMap, BTreeSet};

/// An edge is known by what it joins.
type Joins = (MemoryId, RelationKind, MemoryId);

const fn joins(edge: &Relation) -> Joins {
    (edge.from, edge.kind, edge.to)
}

#[derive(Default, Clone)]
pub(crate) struct Maps {
    /// The one whose memories these are. None: nobody looks.
    pub(crate) scope: Option<Scope>,
    pub(crate) memories: BTreeMap<MemoryId, Memory>,
    pub(crate) history: BTreeMap<MemoryId, Vec<StatusStep>>,
    pub(crate) relations: BTreeMap<Joins, Relation>,
    pub(crate) operations: BTreeMap<OperationId, Operation>,
    /// By memory and embedder.
    pub(crate) vectors: BTreeMap<(MemoryId, String), StoredVector>,
    pub(crate) recalls: BTreeMap<RecallId, RecallLogged>,
    pub(crate) turns: BTreeMap<TurnId, Turn>,
    pub(crate) unread: BTreeSet<TurnId>,
    /// By turn and place.
    pub(crate) decisions: BTreeMap<(TurnId, u32), Decision>,
    pub(crate) entities: BTreeMap<EntityId, KnownEntity>,
    pub(crate) mentions: BTreeMap<(MemoryId, EntityId), Mention>,
    pub(crate) reviews: BTreeMap<ReviewId, Review>,
    pub(crate) promotions: BTreeMap<(MemoryId, Timestamp), Promotion>,
    pub(crate) usages: Vec<Usage>,
    pub(crate) bonds: Vec<Bond>,
    pub(crate) dreams: BTreeMap<OperationId, Dream>,
    pub(crate) parts: BTreeMap<(OperationId, u32), Part>,
    pub(crate) awaiting: BTreeMap<MemoryId, Awaiting>,
    pub(crate) consolidations: BTreeMap<(OperationId, u32), ConsolidationLogged>,
    pub(crate) requests: BTreeMap<Timestamp, ConsolidationRequest>,
    pub(crate) patterns: BTreeMap<MemoryId, CrossProjectPattern>,
    pub(crate) learned: BTreeMap<LearnedKey, Learned>,
    pub(crate) weight_history: Vec<WeightChange>,
    pub(crate) evolved: BTreeMap<(OperationId, u32), EvolutionLogged>,
    pub(crate) insights: BTreeMap<String, Insight>,
    pub(crate) reflections: BTreeMap<OperationId, ReflectionLogged>,
    /// By its place: it is told in the order in which it was queued.
    pub(crate) outbox: BTreeMap<u64, Outgoing>,
    pub(crate) places: BTreeMap<OperationId, u64>,
    pub(crate) last_place: u64,
    pub(crate) heard: Option<Position>,
    pub(crate) held_most: Option<usize>,
}

impl Maps {
    pub(crate) fn put(&mut self, memory: Memory) {
        let before = self.memories.get(&memory.id).map(|old| old.status);
        if before != Some(memory.status) {
            let step = StatusStep { from: before, to: memory.status, change: memory.status_change.clone() };
            self.history.entry(memory.id).or_default().push(step);
        }
        self.memories.insert(memory.id, memory);
    }

    fn apply(&mut self, write: Write, cause: Cause, at: Timestamp) {
        match write {
            Write::Create { memory } => self.put(*memory),
            Write::Replace { before, after } => {
                if before.content != after.content {
                    self.vectors.retain(|(memory, _), _| *memory != after.id);
                }
                self.put(*after);
            }
            Write::Remove { memory } => {
                self.memories.remove(&memory.id);
                self.history.remove(&memory.id);
                self.vectors.retain(|(of, _), _| *of != memory.id);
                self.relations.retain(|(from, _, to), _| *from != memory.id && *to != memory.id);
                self.mentions.retain(|(of, _), _| *of != memory.id);
            }
            Write::Upkeep { change } => {
                let Some(mut after) = self.memories.get(&change.id).cloned() else { return };
                change.after.put(&mut after);
                self.put(after);
            }
            Write::Relate { relation } => drop(self.relations.insert(joins(&relation), relation)),
            Write::Unrelate { relation } => drop(self.relations.remove(&joins(&relation))),
            Write::Hear { turn } => {
                self.unread.insert(turn.id);
                self.turns.insert(turn.id, *turn);
            }
            Write::Read { turn, decisions } => {
                self.unread.remove(&turn);
                self.decisions.extend(decisions.into_iter().map(|one| ((one.turn, one.number), one)));
            }
            Write::Name { entity } => {
                self.entities.insert(entity.id, *entity);
            }
            Write::Mention { mention } => self.mention(mention),
            Write::Unname { merge } => {
                self.entities.remove(&merge.gone);
                let gone = self.mentions.extract_if(.., |(_, of), _| *of == merge.gone);
                let gone: Vec<Mention> = gone.map(|(_, mention)| mention).collect();
                for mention in gone {
                    self.mention(Mention { entity: merge.into, ..mention });
                }
            }
            Write::Review { after, .. } => {
                self.reviews.insert(after.id, *after);
            }
            Write::Promote { promotion } => {
                self.promotions.insert((promotion.memory, promotion.at), *promotion);
            }
            Write::Record { usage } => self.record(*usage),
            Write::Unrecord { usage } => self.unrecord(&usage),
            Write::Rate { rating } => self.rate(&rating),
            Write::Entity { before, after } => {
                if let Some(before) = before {
                    self.entities.remove(&before.id);
                }
                if let Some(after) = after {
                    self.entities.insert(after.id, *after);
                }
            }
            Write::Bond { before, after } => {
                let gone = before.iter().chain(&after).map(|bond| bond.key()).collect::<Vec<_>>();
                self.bonds.retain(|bond| !gone.contains(&bond.key()));
                self.bonds.extend(after.map(|bond| *bond));
            }
            Write::Note { note } => self.note(*note),
            Write::Learn { before, after } => self.learn(before, after, cause, at),
            Write::Queue { outgoing } => self.queue(*outgoing),
            Write::Unqueue { operation } => {
                if let Some(place) = self.places.remove(&operation) {
                    self.outbox.remove(&place);
                }
            }
            Write::Heard { position } => self.heard = Some(position),
            Write::Hold { most } => self.held_most = most,
        }
    }

    /// A memory names a thing once, however often it says the name.
    fn mention(&mut self, mention: Mention) {
        self.mentions.entry((mention.memory, mention.entity)).or_insert(mention);
    }

    /// Whether all of a change can be done: nothing is done before that is
    /// known, so that there is nothing to take back.
    pub(crate) fn check(&self, changes: &Changes) -> Result<(), CommitError> {
        if self.operations.contains_key(&changes.operation) {
            return Err(CommitError::AlreadyApplied(changes.operation));
        }
        // The revisions as the writes so far leave them.
        let mut left: BTreeMap<MemoryId, Option<u32>> = BTreeMap::new();
        let mut heard: BTreeSet<TurnId> = BTreeSet::new();
        let mut joined: BTreeMap<Joins, bool> = BTreeMap::new();
        let mut gone: BTreeSet<MemoryId> = BTreeSet::new();
        let mut decided: BTreeSet<(TurnId, u32)> = BTreeSet::new();
        for write in &changes.writes {
            let other = |memory: &&Memory| self.scope.is_some_and(|scope| memory.scope != scope);
            if let Write::Create { memory } | Write::Replace { after: memory, .. } = write
                && let Some(memory) = Some(&**memory).filter(other)
            {
                return Err(CommitError::Refused(format!("memory {} is of another scope", memory.id)));
            }
            if let Write::Replace { before, after } = write {
                steps_openly((before.status, &before.status_change), (after.status, &after.status_change))?;
            }
            let (id, expected, after) = match write {
                Write::Create { memory } => (memory.id, None, Some(memory.revision)),
                Write::Replace { before, after } => (after.id, Some(before.revision), Some(after.revision)),
                Write::Remove { memory } => {
                    // Its edges go with it.
                    gone.insert(memory.id);
                    joined.retain(|(from, _, to), _| *from != memory.id && *to != memory.id);
                    (memory.id, Some(memory.revision), None)
                }
                Write::Upkeep { change } => {
                    (change.id, Some(change.before.revision), Some(change.after.revision))
                }
                Write::Relate { relation } => {
                    let left = !gone.contains(&relation.from) && !gone.contains(&relation.to);
                    let there = left && self.relations.contains_key(&joins(relation));
                    if joined.insert(joins(relation), true).unwrap_or(there) {
                        return Err(CommitError::Refused(format!("{} has this edge", relation.from)));
                    }
                    continue;
                }
                Write::Unrelate { relation } => {
                    joined.insert(joins(relation), false);
                    continue;
                }
                Write::Hear { turn } if self.turns.contains_key(&turn.id) || !heard.insert(turn.id) => {
                    return Err(CommitError::Refused(format!("turn {} exists", turn.id)));
                }
                Write::Read { decisions, .. } => {
                    for Decision { turn, number, .. } in decisions {
                        if self.decisions.contains_key(&(*turn, *number)) || !decided.insert((*turn, *number))
                        {
                            return Err(CommitError::Refused(format!("turn {turn} has decision {number}")));
                        }
                    }
                    continue;
                }
                _ => continue,
            };
            let here = self.memories.get(&id).map(|memory| memory.revision);
            match (left.get(&id).copied().unwrap_or(here), expected) {
                (Some(_), None) => return Err(CommitError::Refused(format!("memory {id} exists"))),
                (now, Some(expected)) if now != Some(expected) => return Err(CommitError::Conflict(id)),
                _ => drop(left.insert(id, after)),
            }
            if let Write::Upkeep { change } = write {
                let (before, after) = (&change.before, &change.after);
                steps_openly((before.status, &before.status_change), (after.status, &after.status_change))?;
            }
        }
        Ok(())
    }

    fn note(&mut self, note: Note) {
        match note {
            Note::Dream(dream) => drop(self.dreams.insert(dream.id, dream)),
            Note::PartDone { dream, number } => drop(self.parts.remove(&(dream, number))),
            Note::Awaiting(awaiting) => drop(self.awaiting.insert(awaiting.summary, awaiting)),
            Note::Consolidated(logged) => {
                drop(self.consolidations.insert((logged.operation, logged.number), logged));
            }
            Note::Request(request) => drop(self.requests.insert(request.requested_at, request)),
            Note::Pattern(pattern) => drop(self.patterns.insert(pattern.memory, pattern)),
            Note::Evolved(logged) => {
                drop(self.evolved.insert((logged.operation, logged.number), logged));
            }
            Note::Insight(insight) => drop(self.insights.insert(insight.id.clone(), insight)),
            Note::Reflected(logged) => drop(self.reflections.insert(logged.dream, logged)),
        }
    }

    pub(crate) fn commit(&mut self, changes: Changes) {
        if changes.cause == Cause::Purge {
            let purged: Vec<_> = changes.writes.iter().filter_map(Write::memory_id).collect();
            for operation in self.operations.values_mut() {
                operation.inverse.retain(|inverse| !inverse.quotes(&purged));
            }
            self.scrub_heard(&purged, &changes.purged_evidence());
            self.scrub_evolved(&purged);
            self.scrub_outbox(&purged);
            for report in self.dreams.values_mut().flat_map(|dream| &mut dream.steps) {
                report.deeds.retain(|deed| !deed.is_about(|id| purged.contains(&id)));
            }
        }
        if changes.is_logged() {
            self.operations.insert(changes.operation, changes.log_entry());
        }
        if let Some(undone) = changes.undoes {
            for operation in self.operations.values_mut() {
                if operation.undone_by == Some(undone) {
                    operation.undone_by = None;
                }
            }
            if let Some(operation) = self.operations.get_mut(&undone) {
                operation.undone_by = Some(changes.operation);
            }
        }
        let (cause, at) = (changes.cause, changes.at);
        let touched: Vec<MemoryId> = changes.writes.iter().filter_map(Write::memory_id).collect();
        changes.writes.into_iter().for_each(|write| self.apply(write, cause, at));
        if cause == Cause::Purge {
            for id in touched {
                let steps = self.history.get_mut(&id).into_iter().flatten();
                steps.for_each(|step| clear_reason(&mut step.change));
            }
        }
    }
}

/// A change of status has its own time, reason or cause, or it would be missing in the
/// history. A purge that came later leaves the same word in the place of both reasons.
fn steps_openly(
    (from, was): (Status, &StatusChange),
    (to, is): (Status, &StatusChange),
) -> Result<(), CommitError> {
    if from != to && was == is && is.reason != PURGED_REASON {
        let why = "a change of status needs its own time, reason and cause";
        return Err(CommitError::Refused(why.to_owned()));
    }
    Ok(())
}

impl Maps {
    /// Counts, last use, deadlines and status of the memories that are there: nothing
    /// else of them, and nothing of one that is gone.
    pub(crate) fn record_use(&mut self, used: Vec<Memory>) -> Result<(), CommitError> {
        let mut left: BTreeMap<MemoryId, Memory> = BTreeMap::new();
        for used in &used {
            let here = left.get(&used.id).or_else(|| self.memories.get(&used.id));
            let Some(mut memory) = here.cloned() else { continue };
            steps_openly((memory.status, &memory.status_change), (used.status, &used.status_change))?;
            memory.trace = used.trace.clone();
            memory.status = used.status;
            memory.status_change = used.status_change.clone();
            left.insert(used.id, memory);
        }
        left.into_values().for_each(|memory| self.put(memory));
        Ok(())
    }

    pub(crate) fn scrub_heard(&mut self, purged: &[MemoryId], evidence: &[TurnId]) {
        let heard = self.turns.values_mut().filter(|turn| evidence.contains(&turn.id));
        heard.for_each(Turn::clear_text);
        let names = |id: Option<MemoryId>| id.is_some_and(|id| purged.contains(&id));
        for decision in self.decisions.values_mut() {
            if names(decision.memory) || names(decision.other) || evidence.contains(&decision.turn) {
                decision.clear_text();
            }
        }
        let about = self.reviews.values_mut().filter(|review| review.is_about(purged));
        about.for_each(Review::clear_text);
        let told = self.usages.iter_mut().filter(|usage| purged.contains(&usage.memory));
        told.for_each(|usage| usage.note = None);
        let named: Vec<EntityId> = self
            .mentions
            .values()
            .filter(|mention| purged.contains(&mention.memory))
            .map(|mention| mention.entity)
            .collect();
        self.mentions.retain(|(memory, _), _| !purged.contains(memory));
        let left: BTreeSet<EntityId> = self.mentions.keys().map(|(_, entity)| *entity).collect();
        self.entities.retain(|id, _| !named.contains(id) || left.contains(id));
    }

    /// What carries their words is not said any more.
    pub(crate) fn scrub_outbox(&mut self, purged: &[MemoryId]) {
        let carries =
            |outgoing: &Outgoing| outgoing.intent.newborn().is_some_and(|memory| purged.contains(&memory.id));
        self.outbox.retain(|_, outgoing| !carries(outgoing));
        self.places.retain(|_, place| self.outbox.contains_key(place));
    }

    /// A line that is there keeps its place.
    fn queue(&mut self, outgoing: Outgoing) {
        let place = *self.places.entry(outgoing.operation).or_insert_with(|| {
            self.last_place += 1;
            self.last_place
        });
        self.outbox.insert(place, outgoing);
    }

    pub(crate) fn keep(&mut self, vectors: Vec<StoredVector>) {
        for vector in vectors {
            if self.memories.contains_key(&vector.memory) {
                self.vectors.insert((vector.memory, vector.embedder.clone()), vector);
            }
        }
    }
}
