//! A store in plain maps: the twin that engine tests run on.

mod evolved;

use engram_core::change::PURGED;
use engram_core::decision::{Decision, Review};
use engram_core::dream::{
    Awaiting, ConsolidationLogged, ConsolidationRequest, CrossProjectPattern, Dream, Note, Part,
};
use engram_core::evolve::EvolutionLogged;
use engram_core::graph::Bond;
use engram_core::law::LogsKept;
use engram_core::learn::{Learned, LearnedKey, WeightChange};
use engram_core::link::{KnownEntity, Mention};
use engram_core::port::{CommitError, Histories, Pending, ReadError, Store};
use engram_core::recalled::{RecallLogged, RecallSettled};
use engram_core::reflect::{Insight, ReflectionLogged};
use engram_core::team::{Outgoing, Position};
use engram_core::turn::Turn;
use engram_core::used::{Promotion, Usage};
use engram_core::{
    Cause, Changes, EntityId, Memory, MemoryId, Operation, OperationId, RecallId, Relation, ReviewId,
    SessionId, StatusStep, StoredVector, Timestamp, TurnId, Write,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard};

#[derive(Default, Clone)]
struct Truth {
    memories: BTreeMap<MemoryId, Memory>,
    history: BTreeMap<MemoryId, Vec<StatusStep>>,
    relations: Vec<Relation>,
    operations: BTreeMap<OperationId, Operation>,
    /// By memory and embedder.
    vectors: BTreeMap<(MemoryId, String), StoredVector>,
    recalls: BTreeMap<RecallId, RecallLogged>,
    turns: BTreeMap<TurnId, Turn>,
    unread: BTreeSet<TurnId>,
    decisions: Vec<Decision>,
    entities: BTreeMap<EntityId, KnownEntity>,
    mentions: Vec<Mention>,
    reviews: BTreeMap<ReviewId, Review>,
    promotions: Vec<Promotion>,
    usages: Vec<Usage>,
    bonds: Vec<Bond>,
    dreams: BTreeMap<OperationId, Dream>,
    parts: BTreeMap<(OperationId, u32), Part>,
    awaiting: BTreeMap<MemoryId, Awaiting>,
    consolidations: Vec<ConsolidationLogged>,
    requests: BTreeMap<Timestamp, ConsolidationRequest>,
    patterns: BTreeMap<MemoryId, CrossProjectPattern>,
    learned: BTreeMap<LearnedKey, Learned>,
    weight_history: Vec<WeightChange>,
    evolved: BTreeMap<(OperationId, u32), EvolutionLogged>,
    insights: BTreeMap<String, Insight>,
    reflections: BTreeMap<OperationId, ReflectionLogged>,
    outbox: BTreeMap<OperationId, Outgoing>,
    heard: Option<Position>,
    held_most: Option<usize>,
}

/// Keeps what it is told, for as long as the test lasts.
#[derive(Default)]
pub struct FakeStore {
    truth: Mutex<Truth>,
}

impl FakeStore {
    fn truth(&self) -> MutexGuard<'_, Truth> {
        self.truth.lock().unwrap()
    }

    /// Another store that holds the same, to try something else with.
    pub fn copy(&self) -> Self {
        Self { truth: Mutex::new(self.truth().clone()) }
    }
}

impl Truth {
    fn put(&mut self, memory: Memory) {
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
                self.relations.retain(|edge| edge.from != memory.id && edge.to != memory.id);
                self.mentions.retain(|mention| mention.memory != memory.id);
            }
            Write::Upkeep { change } => {
                let Some(mut after) = self.memories.get(&change.id).cloned() else { return };
                change.after.put(&mut after);
                self.put(after);
            }
            Write::Relate { relation } => self.relations.push(relation),
            Write::Unrelate { relation } => self.relations.retain(|edge| *edge != relation),
            Write::Hear { turn } => {
                self.unread.insert(turn.id);
                self.turns.insert(turn.id, *turn);
            }
            Write::Read { turn, decisions } => {
                self.unread.remove(&turn);
                self.decisions.extend(decisions);
            }
            Write::Name { entity } => {
                self.entities.insert(entity.id, *entity);
            }
            Write::Mention { mention } if self.mentions.contains(&mention) => {}
            Write::Mention { mention } => self.mentions.push(mention),
            Write::Unname { merge } => {
                self.entities.remove(&merge.gone);
                let (gone, kept): (Vec<Mention>, Vec<Mention>) = std::mem::take(&mut self.mentions)
                    .into_iter()
                    .partition(|mention| mention.entity == merge.gone);
                self.mentions = kept;
                for mention in gone {
                    let mention = Mention { entity: merge.into, ..mention };
                    let known =
                        |other: &Mention| other.memory == mention.memory && other.entity == mention.entity;
                    if !self.mentions.iter().any(known) {
                        self.mentions.push(mention);
                    }
                }
            }
            Write::Review { after, .. } => {
                self.reviews.insert(after.id, *after);
            }
            Write::Promote { promotion } => self.promotions.push(*promotion),
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
            Write::Queue { outgoing } => drop(self.outbox.insert(outgoing.operation, *outgoing)),
            Write::Unqueue { operation } => drop(self.outbox.remove(&operation)),
            Write::Heard { position } => self.heard = Some(position),
            Write::Hold { most } => self.held_most = most,
        }
    }

    /// Whether all of a change can be done: nothing is done before that is
    /// known, so that there is nothing to take back.
    fn check(&self, changes: &Changes) -> Result<(), CommitError> {
        if self.operations.contains_key(&changes.operation) {
            return Err(CommitError::AlreadyApplied(changes.operation));
        }
        // The revisions as the writes so far leave them.
        let mut left: BTreeMap<MemoryId, Option<u32>> = BTreeMap::new();
        let mut heard: BTreeSet<TurnId> = BTreeSet::new();
        for write in &changes.writes {
            if let Write::Replace { before, after } = write
                && before.status != after.status
                && before.status_change == after.status_change
            {
                let why = "a change of status needs its own time, reason and cause";
                return Err(CommitError::Refused(why.to_owned()));
            }
            let (id, expected, after) = match write {
                Write::Create { memory } => (memory.id, None, Some(memory.revision)),
                Write::Replace { before, after } => (after.id, Some(before.revision), Some(after.revision)),
                Write::Remove { memory } => (memory.id, Some(memory.revision), None),
                Write::Upkeep { change } => {
                    (change.id, Some(change.before.revision), Some(change.after.revision))
                }
                Write::Hear { turn } if self.turns.contains_key(&turn.id) || !heard.insert(turn.id) => {
                    return Err(CommitError::Refused(format!("turn {} exists", turn.id)));
                }
                _ => continue,
            };
            let here = self.memories.get(&id).map(|memory| memory.revision);
            match (left.get(&id).copied().unwrap_or(here), expected) {
                (Some(_), None) => return Err(CommitError::Refused(format!("memory {id} exists"))),
                (now, Some(expected)) if now != Some(expected) => return Err(CommitError::Conflict(id)),
                _ => drop(left.insert(id, after)),
            }
        }
        Ok(())
    }

    fn note(&mut self, note: Note) {
        match note {
            Note::Dream(dream) => drop(self.dreams.insert(dream.id, dream)),
            Note::PartDone { dream, number } => drop(self.parts.remove(&(dream, number))),
            Note::Awaiting(awaiting) => drop(self.awaiting.insert(awaiting.summary, awaiting)),
            Note::Consolidated(logged) => self.consolidations.push(logged),
            Note::Request(request) => drop(self.requests.insert(request.requested_at, request)),
            Note::Pattern(pattern) => drop(self.patterns.insert(pattern.memory, pattern)),
            Note::Evolved(logged) => {
                drop(self.evolved.insert((logged.operation, logged.number), logged));
            }
            Note::Insight(insight) => drop(self.insights.insert(insight.id.clone(), insight)),
            Note::Reflected(logged) => drop(self.reflections.insert(logged.dream, logged)),
        }
    }

    fn commit(&mut self, changes: Changes) {
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
        changes.writes.into_iter().for_each(|write| self.apply(write, cause, at));
    }
}

impl Truth {
    fn scrub_heard(&mut self, purged: &[MemoryId], evidence: &[TurnId]) {
        let heard = self.turns.values_mut().filter(|turn| evidence.contains(&turn.id));
        heard.for_each(Turn::clear_text);
        let names = |id: Option<MemoryId>| id.is_some_and(|id| purged.contains(&id));
        for decision in &mut self.decisions {
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
            .iter()
            .filter(|mention| purged.contains(&mention.memory))
            .map(|mention| mention.entity)
            .collect();
        self.mentions.retain(|mention| !purged.contains(&mention.memory));
        let left: Vec<EntityId> = self.mentions.iter().map(|mention| mention.entity).collect();
        self.entities.retain(|id, _| !named.contains(id) || left.contains(id));
    }

    /// What carries their words is not said any more.
    fn scrub_outbox(&mut self, purged: &[MemoryId]) {
        let carries =
            |outgoing: &Outgoing| outgoing.intent.newborn().is_some_and(|memory| purged.contains(&memory.id));
        self.outbox.retain(|_, outgoing| !carries(outgoing));
    }

    fn keep(&mut self, vectors: Vec<StoredVector>) {
        for vector in vectors {
            if self.memories.contains_key(&vector.memory) {
                self.vectors.insert((vector.memory, vector.embedder.clone()), vector);
            }
        }
    }
}

impl Store for FakeStore {
    fn commit(&self, changes: Changes, vectors: Vec<StoredVector>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            let mut truth = self.truth();
            truth.check(&changes)?;
            truth.commit(changes);
            truth.keep(vectors);
            Ok(())
        })
    }

    fn record_use(&self, used: Vec<Memory>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            let mut truth = self.truth();
            used.into_iter().for_each(|memory| truth.put(memory));
            Ok(())
        })
    }

    fn load(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Vec<Memory>, ReadError>> {
        Box::pin(async move {
            let truth = self.truth();
            Ok(ids.iter().filter_map(|id| truth.memories.get(id).cloned()).collect())
        })
    }

    fn scan<'a>(&'a self, take: &'a mut (dyn FnMut(Memory) + Send)) -> Pending<'a, Result<(), ReadError>> {
        Box::pin(async move {
            self.truth().memories.values().cloned().for_each(take);
            Ok(())
        })
    }

    fn keep_vectors(&self, vectors: Vec<StoredVector>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            self.truth().keep(vectors);
            Ok(())
        })
    }

    fn scan_vectors<'a>(
        &'a self,
        take: &'a mut (dyn FnMut(StoredVector) + Send),
    ) -> Pending<'a, Result<(), ReadError>> {
        Box::pin(async move {
            self.truth().vectors.values().cloned().for_each(take);
            Ok(())
        })
    }

    fn drop_vectors(&self, embedder: String) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            self.truth().vectors.retain(|(_, by), _| *by != embedder);
            Ok(())
        })
    }

    fn log_recalls(&self, recalls: Vec<RecallLogged>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            self.truth().log_recalls(recalls);
            Ok(())
        })
    }

    fn scrub(&self, purged: Vec<MemoryId>, evidence: Vec<TurnId>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            let mut truth = self.truth();
            truth.scrub_heard(&purged, &evidence);
            truth.scrub_evolved(&purged);
            truth.scrub_recalls(&purged);
            truth.scrub_outbox(&purged);
            Ok(())
        })
    }

    fn recalls_before(
        &self,
        before: Option<RecallId>,
        limit: usize,
    ) -> Pending<'_, Result<Vec<RecallLogged>, ReadError>> {
        Box::pin(async move {
            let truth = self.truth();
            let found = truth.recalls.values().rev().filter(|recall| before.is_none_or(|id| recall.id < id));
            Ok(found.take(limit).cloned().collect())
        })
    }

    fn find_recall(&self, id: RecallId) -> Pending<'_, Result<Option<RecallLogged>, ReadError>> {
        Box::pin(async move { Ok(self.truth().recalls.get(&id).cloned()) })
    }

    fn recalls_since(
        &self,
        since: Timestamp,
        limit: usize,
    ) -> Pending<'_, Result<Vec<RecallLogged>, ReadError>> {
        Box::pin(async move { Ok(self.truth().recalls_since(since, limit, |_| true)) })
    }

    fn recalls_in(
        &self,
        session: SessionId,
        since: Timestamp,
        limit: usize,
    ) -> Pending<'_, Result<Vec<RecallLogged>, ReadError>> {
        let own = move |recall: &RecallLogged| recall.session == Some(session);
        Box::pin(async move { Ok(self.truth().recalls_since(since, limit, own)) })
    }

    fn settle_recalls(&self, settled: Vec<RecallSettled>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            self.truth().settle(settled);
            Ok(())
        })
    }

    fn record_evidence(
        &self,
        usages: Vec<Usage>,
        judged: Vec<Memory>,
    ) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            self.truth().record_evidence(usages, judged);
            Ok(())
        })
    }

    fn usages_since(&self, since: Timestamp) -> Pending<'_, Result<Vec<Usage>, ReadError>> {
        Box::pin(async move {
            Ok(self.truth().usages.iter().filter(|usage| usage.at >= since).cloned().collect())
        })
    }

    fn load_learned(&self) -> Pending<'_, Result<Vec<Learned>, ReadError>> {
        Box::pin(async move { Ok(self.truth().learned.values().cloned().collect()) })
    }

    fn weight_history(&self, limit: usize) -> Pending<'_, Result<Vec<WeightChange>, ReadError>> {
        Box::pin(async move { Ok(self.truth().weight_history.iter().rev().take(limit).cloned().collect()) })
    }

    fn latest_evolved(&self, since: Timestamp) -> Pending<'_, Result<Vec<EvolutionLogged>, ReadError>> {
        Box::pin(async move {
            let truth = self.truth();
            Ok(truth.evolved.values().rev().filter(|logged| logged.at >= since).cloned().collect())
        })
    }

    fn evolved_by(&self, operation: OperationId) -> Pending<'_, Result<Vec<EvolutionLogged>, ReadError>> {
        Box::pin(async move {
            let truth = self.truth();
            let rows = truth.evolved.range((operation, 0)..=(operation, u32::MAX));
            Ok(rows.map(|(_, logged)| logged.clone()).collect())
        })
    }

    fn load_insights(&self) -> Pending<'_, Result<Vec<Insight>, ReadError>> {
        Box::pin(async move { Ok(self.truth().insights.values().cloned().collect()) })
    }

    fn latest_reflections(&self, limit: usize) -> Pending<'_, Result<Vec<ReflectionLogged>, ReadError>> {
        Box::pin(async move { Ok(self.truth().reflections.values().rev().take(limit).cloned().collect()) })
    }

    fn load_page(
        &self,
        after: Option<MemoryId>,
        limit: usize,
    ) -> Pending<'_, Result<Vec<Memory>, ReadError>> {
        Box::pin(async move {
            let truth = self.truth();
            let later = |memory: &&Memory| after.is_none_or(|after| memory.id > after);
            Ok(truth.memories.values().filter(later).take(limit).cloned().collect())
        })
    }

    fn load_history(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Histories, ReadError>> {
        Box::pin(async move {
            let truth = self.truth();
            Ok(ids.into_iter().map(|id| (id, truth.history.get(&id).cloned().unwrap_or_default())).collect())
        })
    }

    fn load_relations(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Vec<Relation>, ReadError>> {
        Box::pin(async move {
            let truth = self.truth();
            let touches = |edge: &&Relation| ids.contains(&edge.from) || ids.contains(&edge.to);
            let mut found: Vec<Relation> = truth.relations.iter().filter(touches).cloned().collect();
            found.sort();
            Ok(found)
        })
    }

    fn load_edges(&self) -> Pending<'_, Result<Vec<Relation>, ReadError>> {
        Box::pin(async move { Ok(self.truth().relations.clone()) })
    }

    fn load_turns(&self, ids: Vec<TurnId>) -> Pending<'_, Result<Vec<Turn>, ReadError>> {
        Box::pin(async move {
            let truth = self.truth();
            Ok(truth.turns.values().filter(|turn| ids.contains(&turn.id)).cloned().collect())
        })
    }

    fn worded_turns_before(&self, moment: Timestamp) -> Pending<'_, Result<Vec<TurnId>, ReadError>> {
        Box::pin(async move {
            let truth = self.truth();
            let worded = |turn: &&Turn| {
                turn.said_at < moment && turn.content != PURGED && !truth.unread.contains(&turn.id)
            };
            Ok(truth.turns.values().filter(worded).map(|turn| turn.id).collect())
        })
    }

    fn unread_turns(&self) -> Pending<'_, Result<Vec<Turn>, ReadError>> {
        Box::pin(async move {
            let truth = self.truth();
            Ok(truth.unread.iter().filter_map(|id| truth.turns.get(id)).cloned().collect())
        })
    }

    fn latest_turns(
        &self,
        session: Option<SessionId>,
        limit: usize,
    ) -> Pending<'_, Result<Vec<Turn>, ReadError>> {
        Box::pin(async move {
            let truth = self.truth();
            let mut turns: Vec<Turn> =
                truth.turns.values().filter(|turn| turn.session == session).cloned().collect();
            turns.sort_by_key(|turn| std::cmp::Reverse(turn.turn_number));
            turns.truncate(limit);
            Ok(turns)
        })
    }

    fn promotions_from(&self, session: SessionId) -> Pending<'_, Result<Vec<Promotion>, ReadError>> {
        Box::pin(async move {
            let truth = self.truth();
            let from = truth.promotions.iter().filter(|promotion| promotion.session == Some(session));
            Ok(from.cloned().collect())
        })
    }

    fn usage_of(&self, id: MemoryId) -> Pending<'_, Result<Vec<Usage>, ReadError>> {
        Box::pin(async move {
            let truth = self.truth();
            Ok(truth.usages.iter().filter(|usage| usage.memory == id).cloned().collect())
        })
    }

    fn decisions_on(&self, id: MemoryId) -> Pending<'_, Result<Vec<Decision>, ReadError>> {
        Box::pin(async move {
            let about = |decision: &&Decision| decision.memory == Some(id) || decision.other == Some(id);
            Ok(self.truth().decisions.iter().filter(about).cloned().collect())
        })
    }

    fn load_reviews(&self) -> Pending<'_, Result<Vec<Review>, ReadError>> {
        Box::pin(async move { Ok(self.truth().reviews.values().cloned().collect()) })
    }

    fn load_entities(&self) -> Pending<'_, Result<Vec<KnownEntity>, ReadError>> {
        Box::pin(async move { Ok(self.truth().entities.values().cloned().collect()) })
    }

    fn load_mentions(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Vec<Mention>, ReadError>> {
        Box::pin(async move {
            let truth = self.truth();
            Ok(truth.mentions.iter().filter(|mention| ids.contains(&mention.memory)).cloned().collect())
        })
    }

    fn all_mentions(&self) -> Pending<'_, Result<Vec<Mention>, ReadError>> {
        Box::pin(async move { Ok(self.truth().mentions.clone()) })
    }

    fn load_bonds(&self) -> Pending<'_, Result<Vec<Bond>, ReadError>> {
        Box::pin(async move { Ok(self.truth().bonds.clone()) })
    }

    fn keep_plan(&self, dream: Dream, parts: Vec<Part>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            let mut truth = self.truth();
            truth.parts.extend(parts.into_iter().map(|part| ((dream.id, part.number), part)));
            truth.dreams.insert(dream.id, dream);
            Ok(())
        })
    }

    fn next_part(&self, dream: OperationId) -> Pending<'_, Result<Option<Part>, ReadError>> {
        Box::pin(async move {
            let truth = self.truth();
            let mut parts = truth.parts.range((dream, 0)..=(dream, u32::MAX));
            Ok(parts.next().map(|(_, part)| part.clone()))
        })
    }

    fn latest_dreams(&self, limit: usize) -> Pending<'_, Result<Vec<Dream>, ReadError>> {
        Box::pin(async move {
            let mut dreams: Vec<Dream> = self.truth().dreams.values().rev().cloned().collect();
            dreams.sort_by_key(|dream| dream.finished_at.is_some());
            dreams.truncate(limit);
            Ok(dreams)
        })
    }

    fn parts_done(&self, whole: OperationId) -> Pending<'_, Result<Vec<Operation>, ReadError>> {
        Box::pin(async move {
            let truth = self.truth();
            Ok(truth.operations.values().filter(|op| op.part_of == Some(whole)).cloned().collect())
        })
    }

    fn awaiting(&self) -> Pending<'_, Result<Vec<Awaiting>, ReadError>> {
        Box::pin(async move {
            let truth = self.truth();
            Ok(truth.awaiting.values().filter(|waiting| waiting.done_at.is_none()).cloned().collect())
        })
    }

    fn latest_consolidations(
        &self,
        limit: usize,
    ) -> Pending<'_, Result<Vec<ConsolidationLogged>, ReadError>> {
        Box::pin(async move { Ok(self.truth().consolidations.iter().rev().take(limit).cloned().collect()) })
    }

    fn load_requests(&self) -> Pending<'_, Result<Vec<ConsolidationRequest>, ReadError>> {
        Box::pin(async move { Ok(self.truth().requests.values().cloned().collect()) })
    }

    fn load_patterns(&self) -> Pending<'_, Result<Vec<CrossProjectPattern>, ReadError>> {
        Box::pin(async move { Ok(self.truth().patterns.values().cloned().collect()) })
    }

    fn tidy_logs(&self, kept: LogsKept) -> Pending<'_, Result<usize, CommitError>> {
        Box::pin(async move { Ok(self.truth().tidy(kept)) })
    }

    fn outgoing(&self, limit: usize) -> Pending<'_, Result<Vec<Outgoing>, ReadError>> {
        Box::pin(async move { Ok(self.truth().outbox.values().take(limit).cloned().collect()) })
    }

    fn heard(&self) -> Pending<'_, Result<Option<Position>, ReadError>> {
        Box::pin(async move { Ok(self.truth().heard) })
    }

    fn held_most(&self) -> Pending<'_, Result<Option<usize>, ReadError>> {
        Box::pin(async move { Ok(self.truth().held_most) })
    }

    fn find_operation(&self, id: OperationId) -> Pending<'_, Result<Option<Operation>, ReadError>> {
        Box::pin(async move { Ok(self.truth().operations.get(&id).cloned()) })
    }

    fn operations_before(
        &self,
        before: Option<OperationId>,
        causes: Vec<Cause>,
        limit: usize,
    ) -> Pending<'_, Result<Vec<Operation>, ReadError>> {
        Box::pin(async move {
            let truth = self.truth();
            let wanted = |operation: &&Operation| {
                operation.part_of.is_none()
                    && before.is_none_or(|before| operation.id < before)
                    && (causes.is_empty() || causes.contains(&operation.cause))
            };
            Ok(truth.operations.values().rev().filter(wanted).take(limit).cloned().collect())
        })
    }

    fn operations_on(&self, id: MemoryId) -> Pending<'_, Result<Vec<Operation>, ReadError>> {
        Box::pin(async move {
            let truth = self.truth();
            Ok(truth.operations.values().filter(|op| op.memories.contains(&id)).cloned().collect())
        })
    }
}
