//! The `Store` port over SurrealDB: one commit door, and the reads.
//!
//! A commit is one transaction. The text of it is made from the writes in
//! their order; every value travels as a parameter.

use crate::database::Held;
use crate::heard::{DecisionRow, EntityRow, MentionRow, ReviewRow};
use crate::open::SurrealStore;
use crate::row::{
    HistoryRow, MemoryRow, OperationRow, RelationRow, VectorRow, memory_record, operation_record,
    relation_record, to_datetime,
};
use engram_core::decision::{Decision, Review};
use engram_core::dream::{
    Awaiting, ConsolidationLogged, ConsolidationRequest, CrossProjectPattern, Dream, Part,
};
use engram_core::evolve::EvolutionLogged;
use engram_core::graph::Bond;
use engram_core::law::LogsKept;
use engram_core::learn::{Learned, WeightChange};
use engram_core::link::{KnownEntity, Mention};
use engram_core::port::{CommitError, Histories, Pending, ReadError, Store};
use engram_core::recalled::{RecallLogged, RecallSettled};
use engram_core::reflect::{Insight, ReflectionLogged};
use engram_core::team::{Outgoing, Position, Waiting};
use engram_core::turn::Turn;
use engram_core::used::{Promotion, Usage};
use engram_core::{
    Cause, Changes, Memory, MemoryId, Operation, OperationId, RecallId, Relation, SessionId, StoredVector,
    Timestamp, TurnId, Write,
};
use futures_core::Stream as _;
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::pin::Pin;
use std::time::Duration;
use surrealdb::method::StreamItem;
use surrealdb::types::{Object, RecordId, SurrealValue, Value, Variables};

/// What the database throws when a memory is not what the planner saw.
pub(crate) const CHANGED: &str = "changed in the meantime: ";

impl Store for SurrealStore {
    fn commit(&self, changes: Changes, vectors: Vec<StoredVector>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            let scrubbed = match changes.cause {
                Cause::Purge => self.scrubbed_log(&changes).await?,
                _ => Vec::new(),
            };
            let purged: Vec<MemoryId> = match changes.cause {
                Cause::Purge => changes.writes.iter().filter_map(Write::memory_id).collect(),
                _ => Vec::new(),
            };
            let dreams = if purged.is_empty() { Vec::new() } else { self.scrubbed_dreams(&purged).await? };
            let mut transaction = Transaction::of(&changes)?;
            transaction.vectors(&changes, &vectors);
            transaction.scrub_log(scrubbed);
            if changes.cause == Cause::Purge {
                transaction.scrub_reasons(&changes);
                transaction.scrub_heard(&purged, &changes.purged_evidence());
                transaction.scrub_use(&purged);
                transaction.scrub_evolved(&purged);
                transaction.scrub_dreams(dreams, &purged);
            }
            self.run(transaction, Some(changes.operation)).await
        })
    }

    fn record_use(&self, used: Vec<Memory>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            let mut transaction = Transaction::default();
            transaction.used(&used);
            self.run(transaction, None).await
        })
    }

    fn load(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Vec<Memory>, ReadError>> {
        Box::pin(async move {
            let ids: Vec<RecordId> = ids.into_iter().map(memory_record).collect();
            let rows: Vec<MemoryRow> = self.read("SELECT * FROM $ids", [("ids", ids.into_value())]).await?;
            rows.into_iter().map(MemoryRow::into_memory).collect()
        })
    }

    fn scan<'a>(&'a self, take: &'a mut (dyn FnMut(Memory) + Send)) -> Pending<'a, Result<(), ReadError>> {
        Box::pin(self.stream("SELECT * FROM memory", move |row: MemoryRow| {
            take(row.into_memory()?);
            Ok(())
        }))
    }

    fn keep_vectors(&self, vectors: Vec<StoredVector>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            let mut transaction = Transaction::default();
            transaction.keep(&vectors);
            self.run(transaction, None).await
        })
    }

    fn scan_vectors<'a>(
        &'a self,
        take: &'a mut (dyn FnMut(StoredVector) + Send),
    ) -> Pending<'a, Result<(), ReadError>> {
        Box::pin(self.stream("SELECT * FROM vector", move |row: VectorRow| {
            take(row.into_vector()?);
            Ok(())
        }))
    }

    fn drop_vectors(&self, embedder: String) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            let mut transaction = Transaction::default();
            let name = transaction.parameter(embedder);
            transaction.say(format!("DELETE vector WHERE embedder = ${name} RETURN NONE;"));
            self.run(transaction, None).await
        })
    }

    fn log_recalls(&self, recalls: Vec<RecallLogged>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(self.keep_recalls(recalls))
    }

    fn scrub(&self, purged: Vec<MemoryId>, evidence: Vec<TurnId>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            let mut transaction = Transaction::default();
            transaction.scrub_heard(&purged, &evidence);
            transaction.scrub_use(&purged);
            transaction.scrub_evolved(&purged);
            transaction.scrub_recalls(&purged);
            self.run(transaction, None).await
        })
    }

    fn recalls_before(
        &self,
        before: Option<RecallId>,
        limit: usize,
    ) -> Pending<'_, Result<Vec<RecallLogged>, ReadError>> {
        Box::pin(self.recalls(before, limit))
    }

    fn find_recall(&self, id: RecallId) -> Pending<'_, Result<Option<RecallLogged>, ReadError>> {
        Box::pin(self.recall_named(id))
    }

    fn recalls_since(
        &self,
        since: Timestamp,
        limit: usize,
    ) -> Pending<'_, Result<Vec<RecallLogged>, ReadError>> {
        Box::pin(self.recalls_after(None, since, limit))
    }

    fn recalls_in(
        &self,
        session: SessionId,
        since: Timestamp,
        limit: usize,
    ) -> Pending<'_, Result<Vec<RecallLogged>, ReadError>> {
        Box::pin(self.recalls_after(Some(session), since, limit))
    }

    fn settle_recalls(&self, settled: Vec<RecallSettled>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(self.settle(settled))
    }

    fn record_evidence(
        &self,
        usages: Vec<Usage>,
        judged: Vec<Memory>,
    ) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(self.keep_evidence(usages, judged))
    }

    fn load_page(
        &self,
        after: Option<MemoryId>,
        limit: usize,
    ) -> Pending<'_, Result<Vec<Memory>, ReadError>> {
        Box::pin(async move {
            let limit = i64::try_from(limit).unwrap_or(i64::MAX).into_value();
            let rows: Vec<MemoryRow> = match after {
                None => self.read("SELECT * FROM memory LIMIT $limit", [("limit", limit)]).await?,
                Some(id) => {
                    let text = format!("SELECT * FROM memory:{id}>.. LIMIT $limit");
                    self.read(&text, [("limit", limit)]).await?
                }
            };
            rows.into_iter().map(MemoryRow::into_memory).collect()
        })
    }

    fn load_history(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Histories, ReadError>> {
        Box::pin(async move {
            let mut histories = Vec::with_capacity(ids.len());
            for id in ids {
                let text = format!("SELECT * FROM status_history:['{id}', NONE]..=['{id}', ..]");
                let rows: Vec<HistoryRow> = self.read(&text, []).await?;
                let steps = rows.into_iter().map(HistoryRow::into_step);
                histories.push((id, steps.collect::<Result<Vec<_>, _>>()?));
            }
            Ok(histories)
        })
    }

    fn load_relations(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Vec<Relation>, ReadError>> {
        Box::pin(async move {
            let ids: Vec<RecordId> = ids.into_iter().map(memory_record).collect();
            let mut relations = Vec::new();
            for side in ["in", "out"] {
                let text = format!("SELECT * FROM relates_to WHERE {side} IN $ids");
                let rows: Vec<RelationRow> = self.read(&text, [("ids", ids.clone().into_value())]).await?;
                for row in rows {
                    relations.push(row.into_relation()?);
                }
            }
            relations.sort();
            relations.dedup();
            Ok(relations)
        })
    }

    fn load_edges(&self) -> Pending<'_, Result<Vec<Relation>, ReadError>> {
        Box::pin(async move {
            let rows: Vec<RelationRow> = self.read("SELECT * FROM relates_to", []).await?;
            rows.into_iter().map(RelationRow::into_relation).collect()
        })
    }

    fn find_operation(&self, id: OperationId) -> Pending<'_, Result<Option<Operation>, ReadError>> {
        Box::pin(async move {
            let rows: Vec<OperationRow> =
                self.read("SELECT * FROM $id", [("id", operation_record(id).into_value())]).await?;
            rows.into_iter().next().map(OperationRow::into_operation).transpose()
        })
    }

    fn operations_before(
        &self,
        before: Option<OperationId>,
        causes: Vec<Cause>,
        limit: usize,
    ) -> Pending<'_, Result<Vec<Operation>, ReadError>> {
        Box::pin(async move {
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let from = before.map_or_else(|| "operation".to_owned(), |id| format!("operation:..{id}"));
            let named = if causes.is_empty() { "" } else { "AND cause IN $causes" };
            let text =
                format!("SELECT * FROM {from} WHERE part_of IS NONE {named} ORDER BY id DESC LIMIT $limit");
            let causes: Vec<String> = causes.iter().map(ToString::to_string).collect();
            let given = [("limit", limit.into_value()), ("causes", causes.into_value())];
            let rows: Vec<OperationRow> = self.read(&text, given).await?;
            rows.into_iter().map(OperationRow::into_operation).collect()
        })
    }

    fn operations_on(&self, id: MemoryId) -> Pending<'_, Result<Vec<Operation>, ReadError>> {
        Box::pin(async move {
            let rows: Vec<OperationRow> = self
                .read(
                    "SELECT * FROM operation WHERE memories CONTAINS $id ORDER BY id",
                    [("id", id.to_string().into_value())],
                )
                .await?;
            rows.into_iter().map(OperationRow::into_operation).collect()
        })
    }

    fn load_turns(&self, ids: Vec<TurnId>) -> Pending<'_, Result<Vec<Turn>, ReadError>> {
        Box::pin(self.turns_named(ids))
    }

    fn worded_turns_before(&self, moment: Timestamp) -> Pending<'_, Result<Vec<TurnId>, ReadError>> {
        Box::pin(self.turns_with_words(moment))
    }

    fn unread_turns(&self) -> Pending<'_, Result<Vec<Turn>, ReadError>> {
        Box::pin(self.turns_unread())
    }

    fn latest_turns(
        &self,
        session: Option<SessionId>,
        limit: usize,
    ) -> Pending<'_, Result<Vec<Turn>, ReadError>> {
        Box::pin(self.turns_of(session, limit))
    }

    fn decisions_on(&self, id: MemoryId) -> Pending<'_, Result<Vec<Decision>, ReadError>> {
        Box::pin(async move {
            let text = "SELECT * FROM decision WHERE memory = $id OR other = $id";
            let rows: Vec<DecisionRow> = self.read(text, [("id", id.to_string().into_value())]).await?;
            let mut decisions =
                rows.into_iter().map(DecisionRow::into_decision).collect::<Result<Vec<_>, _>>()?;
            decisions.sort_by_key(|decision| (decision.at, decision.turn, decision.number));
            Ok(decisions)
        })
    }

    fn promotions_from(&self, session: SessionId) -> Pending<'_, Result<Vec<Promotion>, ReadError>> {
        Box::pin(self.promotions_from(session))
    }

    fn usage_of(&self, id: MemoryId) -> Pending<'_, Result<Vec<Usage>, ReadError>> {
        Box::pin(self.usage_of(id))
    }

    fn usages_since(&self, since: Timestamp) -> Pending<'_, Result<Vec<Usage>, ReadError>> {
        Box::pin(self.usages_after(since))
    }

    fn load_learned(&self) -> Pending<'_, Result<Vec<Learned>, ReadError>> {
        Box::pin(self.learned())
    }

    fn weight_history(&self, limit: usize) -> Pending<'_, Result<Vec<WeightChange>, ReadError>> {
        Box::pin(self.weight_changes(limit))
    }

    fn latest_evolved(&self, since: Timestamp) -> Pending<'_, Result<Vec<EvolutionLogged>, ReadError>> {
        Box::pin(self.evolved(since))
    }

    fn evolved_by(&self, operation: OperationId) -> Pending<'_, Result<Vec<EvolutionLogged>, ReadError>> {
        Box::pin(self.evolved_in(operation))
    }

    fn outgoing(&self, limit: usize) -> Pending<'_, Result<Vec<Outgoing>, ReadError>> {
        Box::pin(self.read_outgoing(limit))
    }

    fn waiting(&self) -> Pending<'_, Result<Vec<Waiting>, ReadError>> {
        Box::pin(self.read_waiting())
    }

    fn find_outgoing(&self, operation: OperationId) -> Pending<'_, Result<Option<Outgoing>, ReadError>> {
        Box::pin(self.outgoing_named(operation))
    }

    fn count_outgoing(&self) -> Pending<'_, Result<usize, ReadError>> {
        Box::pin(self.lines_of_outbox())
    }

    fn heard(&self) -> Pending<'_, Result<Option<Position>, ReadError>> {
        Box::pin(self.read_heard())
    }

    fn held_most(&self) -> Pending<'_, Result<Option<usize>, ReadError>> {
        Box::pin(self.read_held_most())
    }

    fn load_insights(&self) -> Pending<'_, Result<Vec<Insight>, ReadError>> {
        Box::pin(self.insights())
    }

    fn latest_reflections(&self, limit: usize) -> Pending<'_, Result<Vec<ReflectionLogged>, ReadError>> {
        Box::pin(self.reflections(limit))
    }

    fn load_reviews(&self) -> Pending<'_, Result<Vec<Review>, ReadError>> {
        Box::pin(async move {
            let rows: Vec<ReviewRow> = self.read("SELECT * FROM review", []).await?;
            rows.into_iter().map(ReviewRow::into_review).collect()
        })
    }

    fn load_entities(&self) -> Pending<'_, Result<Vec<KnownEntity>, ReadError>> {
        Box::pin(async move {
            let rows: Vec<EntityRow> = self.read("SELECT * FROM entity", []).await?;
            rows.into_iter().map(EntityRow::into_entity).collect()
        })
    }

    fn load_mentions(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Vec<Mention>, ReadError>> {
        Box::pin(async move {
            let mut rows: Vec<MentionRow> = Vec::new();
            for id in ids {
                let text = format!("SELECT * FROM mentions:['{id}', NONE]..=['{id}', ..]");
                rows.extend(self.read::<MentionRow, 0>(&text, []).await?);
            }
            rows.into_iter().map(MentionRow::into_mention).collect()
        })
    }

    fn all_mentions(&self) -> Pending<'_, Result<Vec<Mention>, ReadError>> {
        Box::pin(async move {
            let rows: Vec<MentionRow> = self.read("SELECT * FROM mentions", []).await?;
            rows.into_iter().map(MentionRow::into_mention).collect()
        })
    }

    fn load_bonds(&self) -> Pending<'_, Result<Vec<Bond>, ReadError>> {
        Box::pin(self.bonds())
    }

    fn keep_plan(&self, dream: Dream, parts: Vec<Part>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(self.keep_plan_of(dream, parts))
    }

    fn next_part(&self, dream: OperationId) -> Pending<'_, Result<Option<Part>, ReadError>> {
        Box::pin(self.part_after(dream))
    }

    fn latest_dreams(&self, limit: usize) -> Pending<'_, Result<Vec<Dream>, ReadError>> {
        Box::pin(self.dreams(limit))
    }

    fn parts_done(&self, whole: OperationId) -> Pending<'_, Result<Vec<Operation>, ReadError>> {
        Box::pin(async move {
            let text = "SELECT * FROM operation WHERE part_of = $whole ORDER BY id";
            let rows: Vec<OperationRow> =
                self.read(text, [("whole", whole.to_string().into_value())]).await?;
            rows.into_iter().map(OperationRow::into_operation).collect()
        })
    }

    fn awaiting(&self) -> Pending<'_, Result<Vec<Awaiting>, ReadError>> {
        Box::pin(self.queue())
    }

    fn latest_consolidations(
        &self,
        limit: usize,
    ) -> Pending<'_, Result<Vec<ConsolidationLogged>, ReadError>> {
        Box::pin(self.consolidations(limit))
    }

    fn load_requests(&self) -> Pending<'_, Result<Vec<ConsolidationRequest>, ReadError>> {
        Box::pin(self.requests())
    }

    fn load_patterns(&self) -> Pending<'_, Result<Vec<CrossProjectPattern>, ReadError>> {
        Box::pin(self.patterns())
    }

    fn tidy_logs(&self, kept: LogsKept) -> Pending<'_, Result<usize, CommitError>> {
        Box::pin(self.tidy(kept))
    }
}

impl SurrealStore {
    async fn held(&self) -> Result<Held<'_>, ReadError> {
        self.database.held().await.map_err(|error| ReadError::Unavailable(error.to_string()))
    }

    pub(crate) async fn held_to_write(&self) -> Result<Held<'_>, CommitError> {
        self.database.held().await.map_err(|error| CommitError::Unavailable(error.to_string()))
    }

    pub(crate) async fn read<T: SurrealValue, const N: usize>(
        &self,
        text: &str,
        parameters: [(&str, Value); N],
    ) -> Result<Vec<T>, ReadError> {
        let unavailable = |error: surrealdb::Error| ReadError::Unavailable(error.to_string());
        let mut answer = self.held().await?.ask(text, variables(parameters)).await.map_err(unavailable)?;
        answer.take(0).map_err(unavailable)
    }

    /// The last rows of a table with hundreds of them, the last first.
    ///
    /// Not by `ORDER BY id DESC`: to come to its table from behind, the database
    /// goes through whatever is in memory of the tables that follow it, tens of
    /// milliseconds where ten thousand memories are.
    pub(crate) async fn last_of<T: SurrealValue>(
        &self,
        table: &str,
        limit: usize,
    ) -> Result<Vec<T>, ReadError> {
        let mut ids: Vec<RecordId> = self.read(&format!("SELECT VALUE id FROM {table}"), []).await?;
        let mut last = ids.split_off(ids.len().saturating_sub(limit));
        last.reverse();
        self.read("SELECT * FROM $ids", [("ids", last.into_value())]).await
    }

    /// Hands over the rows of a query one by one, without holding them all.
    async fn stream<T: SurrealValue>(
        &self,
        text: &str,
        mut take: impl FnMut(T) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let unavailable = |error: surrealdb::Error| ReadError::Unavailable(error.to_string());
        let db = self.held().await?;
        let mut rows = db.stream(text).map_err(unavailable)?;
        while let Some(item) = poll_fn(|context| Pin::new(&mut rows).poll_next(context)).await {
            match item.map_err(unavailable)? {
                StreamItem::Row { value, .. } => take(value.into_t().map_err(unavailable)?)?,
                StreamItem::StatementEnd { result, .. } => result.map_err(unavailable)?,
            }
        }
        Ok(())
    }

    /// All of it or nothing. Two transactions that met are tried again, one after
    /// the other: neither has done anything then.
    pub(crate) async fn run(
        &self,
        transaction: Transaction,
        operation: Option<OperationId>,
    ) -> Result<(), CommitError> {
        let text = transaction.text();
        for _ in 1..MOST_TRIES {
            match self.run_once(&text, transaction.parameters.clone(), operation).await {
                Err(CommitError::Unavailable(problem)) if problem.contains(MET) => {}
                outcome => return outcome,
            }
        }
        self.run_once(&text, transaction.parameters, operation).await
    }

    async fn run_once(
        &self,
        text: &str,
        parameters: Variables,
        operation: Option<OperationId>,
    ) -> Result<(), CommitError> {
        let unavailable = |error: surrealdb::Error| CommitError::Unavailable(error.to_string());
        let mut answer = self.held_to_write().await?.ask(text, parameters).await.map_err(unavailable)?;
        if let Some(cause) = first_cause(&mut answer) {
            return Err(explain(&cause, operation));
        }
        self.database.renew_if_long().await;
        Ok(())
    }

    /// The log entries that mention a purged memory, without its text.
    async fn scrubbed_log(&self, changes: &Changes) -> Result<Vec<(OperationId, String)>, CommitError> {
        let mut scrubbed = BTreeMap::new();
        let purged: Vec<MemoryId> = changes.writes.iter().filter_map(Write::memory_id).collect();
        let unavailable = |error: ReadError| CommitError::Unavailable(error.to_string());
        for id in &purged {
            // What a dream made of it repeats its words as well, and names it.
            let text =
                "SELECT * FROM operation WHERE memories CONTAINS $id OR string::contains(inverse, $id)";
            let rows: Vec<OperationRow> =
                self.read(text, [("id", id.to_string().into_value())]).await.map_err(unavailable)?;
            for row in rows {
                let mut operation = row.into_operation().map_err(unavailable)?;
                operation.inverse.retain(|inverse| !inverse.quotes(&purged));
                let text = serde_json::to_string(&operation.inverse)
                    .map_err(|error| CommitError::Refused(error.to_string()))?;
                scrubbed.insert(operation.id, text);
            }
        }
        Ok(scrubbed.into_iter().collect())
    }
}

pub(crate) fn variables<const N: usize>(parameters: [(&str, Value); N]) -> Variables {
    parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Why a transaction failed. After the statement that did, the others only say
/// that they were not executed; the first error that says something else is the
/// cause.
pub(crate) fn first_cause(answer: &mut surrealdb::IndexedResults) -> Option<surrealdb::Error> {
    let mut errors: BTreeMap<usize, surrealdb::Error> = answer.take_errors().into_iter().collect();
    let told = errors.iter().find(|(_, error)| !error.to_string().contains("not executed"));
    let place = told.or_else(|| errors.iter().next()).map(|(place, _)| *place)?;
    errors.remove(&place)
}

/// A short while, by chance, and longer after each meeting: those who met once
/// would meet again.
pub(crate) async fn breath(meeting: u32) {
    let most = 5_u64 << meeting.min(6);
    let chance = RandomState::new().build_hasher().finish() % most;
    tokio::time::sleep(Duration::from_millis(chance + 1)).await;
}

/// How the database says that two transactions wanted the same.
pub(crate) const MET: &str = "can be retried";
pub(crate) const MOST_TRIES: usize = 8;

fn explain(error: &surrealdb::Error, operation: Option<OperationId>) -> CommitError {
    let text = error.to_string();
    if let Some((_, id)) = text.split_once(CHANGED)
        && let Ok(id) = id.trim().parse()
    {
        return CommitError::Conflict(id);
    }
    // Only the log entry tells that it was done; any other row that is there
    // already is a defect of the plan.
    if let Some(operation) = operation
        && error.is_already_exists()
        && text.contains("operation:")
    {
        return CommitError::AlreadyApplied(operation);
    }
    // What the storage below could not do, as against what the schema does not
    // allow: the database tells them apart only in words.
    let passing = ["datastore", "IO error", MET];
    if error.is_connection() || passing.iter().any(|word| text.contains(word)) {
        return CommitError::Unavailable(text);
    }
    CommitError::Refused(text)
}

/// The text and the parameters of one transaction in the making.
#[derive(Default)]
pub(crate) struct Transaction {
    text: String,
    parameters: Variables,
    count: usize,
}

impl Transaction {
    fn of(changes: &Changes) -> Result<Self, CommitError> {
        let mut transaction = Self::default();
        if changes.is_logged() {
            let entry =
                OperationRow::of_changes(changes).map_err(|error| CommitError::Refused(error.to_string()))?;
            let name = transaction.parameter(entry);
            transaction.say(format!("CREATE ${name}.id CONTENT ${name} RETURN NONE;"));
        }
        if let Some(undone) = changes.undoes {
            transaction.take_back(undone, changes.operation);
        }
        let mut writes = changes.writes.as_slice();
        while let [first, rest @ ..] = writes {
            writes = rest;
            match first {
                Write::Create { memory } => {
                    let mut rows = vec![MemoryRow::from_memory(memory)];
                    while let [Write::Create { memory }, rest @ ..] = writes {
                        rows.push(MemoryRow::from_memory(memory));
                        writes = rest;
                    }
                    if rows.len() == 1 {
                        let name = transaction.parameter(rows.pop());
                        transaction.say(format!("CREATE ${name}.id CONTENT ${name} RETURN NONE;"));
                        continue;
                    }
                    let name = transaction.parameter(rows);
                    transaction.say(format!("INSERT INTO memory ${name} RETURN NONE;"));
                }
                Write::Replace { before, after } => transaction.replace(before, after),
                Write::Remove { memory } => transaction.remove(memory),
                Write::Upkeep { change } => {
                    let mut kept = vec![&**change];
                    while let [Write::Upkeep { change }, rest @ ..] = writes {
                        kept.push(change);
                        writes = rest;
                    }
                    transaction.stand(&kept, CHANGED);
                }
                Write::Relate { relation } => {
                    let mut rows = vec![RelationRow::from_relation(relation)];
                    while let [Write::Relate { relation }, rest @ ..] = writes {
                        rows.push(RelationRow::from_relation(relation));
                        writes = rest;
                    }
                    let name = transaction.parameter(rows);
                    transaction.say(format!("INSERT RELATION INTO relates_to ${name} RETURN NONE;"));
                }
                Write::Unrelate { relation } => {
                    let mut gone = vec![relation_record(relation)];
                    while let [Write::Unrelate { relation }, rest @ ..] = writes {
                        gone.push(relation_record(relation));
                        writes = rest;
                    }
                    let name = transaction.parameter(gone);
                    transaction.say(format!("DELETE ${name} RETURN NONE;"));
                }
                Write::Hear { .. }
                | Write::Read { .. }
                | Write::Name { .. }
                | Write::Mention { .. }
                | Write::Unname { .. }
                | Write::Review { .. }
                | Write::Promote { .. }
                | Write::Record { .. }
                | Write::Unrecord { .. }
                | Write::Rate { .. }
                | Write::Entity { .. }
                | Write::Bond { .. }
                | Write::Note { .. }
                | Write::Queue { .. }
                | Write::Unqueue { .. }
                | Write::Heard { .. }
                | Write::Hold { .. }
                | Write::Learn { .. } => {}
            }
        }
        transaction.heard(changes);
        transaction.log_use(changes);
        transaction.dreamt(changes);
        transaction.learn(changes);
        transaction.replica(changes);
        Ok(transaction)
    }

    pub(crate) fn text(&self) -> String {
        format!("BEGIN;\n{}COMMIT;", self.text)
    }

    pub(crate) const fn parameters(&self) -> &Variables {
        &self.parameters
    }

    pub(crate) fn say(&mut self, statement: String) {
        self.text.push_str(&statement);
        self.text.push('\n');
    }

    pub(crate) fn parameter(&mut self, value: impl SurrealValue) -> String {
        let name = format!("p{}", self.count);
        self.count += 1;
        self.parameters.insert(name.clone(), value.into_value());
        name
    }

    /// Marks `undone`. Taking back an undo puts the first operation in force
    /// again.
    fn take_back(&mut self, undone: OperationId, by: OperationId) {
        let record = self.parameter(operation_record(undone));
        let by = self.parameter(by.to_string());
        self.say(format!("UPDATE ${record} SET undone_by = ${by} RETURN NONE;"));
        self.say(format!(
            "IF ${record}.undoes {{
                UPDATE type::record('operation', ${record}.undoes) SET undone_by = NONE RETURN NONE;
            }};"
        ));
    }

    fn replace(&mut self, before: &Memory, after: &Memory) {
        let row = self.parameter(MemoryRow::from_memory(after));
        let id = self.parameter(memory_record(before.id));
        let revision = self.parameter(i64::from(before.revision));
        self.say(format!(
            "IF array::len(UPDATE ${id} CONTENT ${row} WHERE revision = ${revision} RETURN id) = 0 \
             {{ THROW '{CHANGED}{}' }};",
            before.id
        ));
    }

    fn remove(&mut self, memory: &Memory) {
        let id = self.parameter(memory_record(memory.id));
        let revision = self.parameter(i64::from(memory.revision));
        self.say(format!(
            "IF array::len(DELETE ${id} WHERE revision = ${revision} RETURN BEFORE) = 0 \
             {{ THROW '{CHANGED}{}' }};",
            memory.id
        ));
    }

    fn used(&mut self, used: &[Memory]) {
        let rows: Vec<Object> = used
            .iter()
            .map(|memory| {
                let mut row = Object::new();
                row.insert("id", memory_record(memory.id));
                row.insert("access_count", i64::from(memory.trace.access_count));
                row.insert("last_used_at", to_datetime(memory.trace.last_used_at));
                row.insert("fades_at", memory.trace.fades_at.map(to_datetime));
                row.insert("stability", memory.trace.stability.get());
                row.insert("difficulty", memory.trace.difficulty.map(|difficulty| difficulty.get()));
                row.insert("status", memory.status.to_string());
                row.insert("status_at", to_datetime(memory.status_change.at));
                row.insert("status_reason", memory.status_change.reason.clone());
                row.insert("status_cause", memory.status_change.cause.to_string());
                row
            })
            .collect();
        let name = self.parameter(rows);
        self.say(format!(
            "FOR $used IN ${name} {{
                UPDATE $used.id SET access_count = $used.access_count,
                    last_used_at = $used.last_used_at, fades_at = $used.fades_at,
                    stability = $used.stability, difficulty = $used.difficulty,
                    status = $used.status, status_at = $used.status_at,
                    status_reason = $used.status_reason, status_cause = $used.status_cause
                    RETURN NONE;
            }};"
        ));
    }

    /// A vector holds for one text: where the text changed, the old ones go.
    fn vectors(&mut self, changes: &Changes, vectors: &[StoredVector]) {
        for write in &changes.writes {
            if let Write::Replace { before, after } = write
                && before.content != after.content
            {
                let id = after.id;
                self.say(format!("DELETE vector:['{id}', NONE]..=['{id}', ..] RETURN NONE;"));
            }
        }
        if !vectors.is_empty() {
            let rows: Vec<VectorRow> = vectors.iter().map(VectorRow::from_vector).collect();
            let rows = self.parameter(rows);
            self.say(format!("INSERT INTO vector ${rows} RETURN NONE;"));
        }
    }

    fn keep(&mut self, vectors: &[StoredVector]) {
        for vector in vectors {
            let row = self.parameter(VectorRow::from_vector(vector));
            let memory = self.parameter(memory_record(vector.memory));
            self.say(format!(
                "IF record::exists(${memory}) {{ UPSERT ${row}.id CONTENT ${row} RETURN NONE }};"
            ));
        }
    }

    /// A reason is free text, and may repeat what is to go.
    fn scrub_reasons(&mut self, changes: &Changes) {
        for id in changes.writes.iter().filter_map(Write::memory_id) {
            self.say(format!(
                "UPDATE status_history:['{id}', NONE]..=['{id}', ..] SET reason = 'purged' RETURN NONE;"
            ));
        }
    }

    fn scrub_log(&mut self, scrubbed: Vec<(OperationId, String)>) {
        for (operation, inverse) in scrubbed {
            let id = self.parameter(operation_record(operation));
            let inverse = self.parameter(inverse);
            self.say(format!("UPDATE ${id} SET inverse = ${inverse} RETURN NONE;"));
        }
    }
}
