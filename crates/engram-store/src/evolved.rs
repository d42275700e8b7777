//! What follows from evidence, in rows: what was learned and its history, what
//! evolved, and what the memory tells of itself.

use crate::door::Transaction;
use crate::open::SurrealStore;
use crate::row::{Reader, record, record_text, to_datetime, to_object};
use engram_core::change::PURGED;
use engram_core::evolve::EvolutionLogged;
use engram_core::law::LogsKept;
use engram_core::learn::{Learned, LearnedKey, Shares, WeightChange};
use engram_core::port::ReadError;
use engram_core::reflect::{Insight, Proposal, ReflectionLogged};
use engram_core::{Changes, MemoryId, OperationId, Share, Timestamp, Write};
use std::collections::BTreeMap;
use surrealdb::types::{Array, Datetime, Object, RecordId, RecordIdKey, SurrealValue, Value};

#[derive(SurrealValue)]
struct LearnedRow {
    id: RecordId,
    subject: String,
    query_type: Option<String>,
    with_model: bool,
    shares: BTreeMap<String, f64>,
    votes: i64,
    update_count: i64,
    still: i64,
    reason: String,
    updated_at: Datetime,
}

impl LearnedRow {
    fn from_learned(learned: &Learned) -> Self {
        Self {
            id: learned_record(&learned.key),
            subject: learned.key.subject.to_string(),
            query_type: learned.key.query_type.map(|word| word.to_string()),
            with_model: learned.key.with_model,
            shares: to_numbers(&learned.shares),
            votes: learned.votes.into(),
            update_count: learned.updates.into(),
            still: learned.still.into(),
            reason: learned.reason.clone(),
            updated_at: to_datetime(learned.updated_at),
        }
    }

    fn into_learned(self) -> Result<Learned, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(Learned {
            key: key_of(&reader, &self.subject, self.query_type.as_deref(), self.with_model)?,
            shares: to_shares(&reader, self.shares)?,
            votes: reader.count(self.votes)?,
            updates: reader.count(self.update_count)?,
            still: reader.count(self.still)?,
            reason: self.reason,
            updated_at: reader.moment(self.updated_at)?,
        })
    }
}

#[derive(SurrealValue)]
struct ChangeRow {
    id: RecordId,
    subject: String,
    query_type: Option<String>,
    with_model: bool,
    shares_before: Option<BTreeMap<String, f64>>,
    shares_after: Option<BTreeMap<String, f64>>,
    reason: String,
    at: Datetime,
}

impl ChangeRow {
    fn from_change(change: &WeightChange, operation: OperationId, place: usize) -> Self {
        Self {
            id: placed("weight_history", operation, i64::try_from(place).unwrap_or(i64::MAX)),
            subject: change.key.subject.to_string(),
            query_type: change.key.query_type.map(|word| word.to_string()),
            with_model: change.key.with_model,
            shares_before: change.before.as_ref().map(to_numbers),
            shares_after: change.after.as_ref().map(to_numbers),
            reason: change.reason.clone(),
            at: to_datetime(change.at),
        }
    }

    fn into_change(self) -> Result<WeightChange, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(WeightChange {
            key: key_of(&reader, &self.subject, self.query_type.as_deref(), self.with_model)?,
            before: self.shares_before.map(|shares| to_shares(&reader, shares)).transpose()?,
            after: self.shares_after.map(|shares| to_shares(&reader, shares)).transpose()?,
            reason: self.reason,
            at: reader.moment(self.at)?,
        })
    }
}

#[derive(SurrealValue)]
pub(crate) struct EvolvedRow {
    id: RecordId,
    operation: String,
    number: i64,
    action: String,
    node: String,
    made: Option<String>,
    reason: String,
    actor: String,
    at: Datetime,
}

impl EvolvedRow {
    pub(crate) fn from_logged(logged: &EvolutionLogged) -> Self {
        Self {
            id: placed("evolution_log", logged.operation, logged.number.into()),
            operation: logged.operation.to_string(),
            number: logged.number.into(),
            action: logged.action.to_string(),
            node: logged.node.to_string(),
            made: logged.made.map(String::from),
            reason: logged.reason.clone(),
            actor: logged.actor.to_string(),
            at: to_datetime(logged.at),
        }
    }

    fn into_logged(self) -> Result<EvolutionLogged, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(EvolutionLogged {
            operation: reader.word(&self.operation)?,
            number: reader.count(self.number)?,
            action: reader.word(&self.action)?,
            node: reader.word(&self.node)?,
            made: self.made.map(|id| reader.word(&id)).transpose()?,
            reason: self.reason,
            actor: reader.word(&self.actor)?,
            at: reader.moment(self.at)?,
        })
    }
}

#[derive(SurrealValue)]
pub(crate) struct InsightRow {
    id: RecordId,
    insight_type: String,
    subject: String,
    description: String,
    evidence: Vec<String>,
    action_taken: Option<String>,
    proposal: Option<Object>,
    created_at: Datetime,
    last_seen_at: Datetime,
    closed_at: Option<Datetime>,
}

impl InsightRow {
    pub(crate) fn from_insight(insight: &Insight) -> Self {
        let told = |proposal: &Proposal| match serde_json::to_value(proposal) {
            Ok(serde_json::Value::Object(map)) => Some(to_object(map)),
            _ => None,
        };
        Self {
            id: record("meta_memory", &insight.id),
            insight_type: insight.insight.to_string(),
            subject: insight.subject.clone(),
            description: insight.description.clone(),
            evidence: insight.evidence.clone(),
            action_taken: insight.action_taken.clone(),
            proposal: insight.proposal.as_ref().and_then(told),
            created_at: to_datetime(insight.created_at),
            last_seen_at: to_datetime(insight.last_seen_at),
            closed_at: insight.closed_at.map(to_datetime),
        }
    }

    fn into_insight(self) -> Result<Insight, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        let proposal = |object: Object| {
            let map = serde_json::Value::Object(reader.map(object)?);
            serde_json::from_value::<Proposal>(map).map_err(|error| reader.bad(error))
        };
        Ok(Insight {
            id: reader.key(&self.id)?,
            insight: reader.word(&self.insight_type)?,
            subject: self.subject,
            description: self.description,
            evidence: self.evidence,
            action_taken: self.action_taken,
            proposal: self.proposal.map(proposal).transpose()?,
            created_at: reader.moment(self.created_at)?,
            last_seen_at: reader.moment(self.last_seen_at)?,
            closed_at: self.closed_at.map(|at| reader.moment(at)).transpose()?,
        })
    }
}

#[derive(SurrealValue)]
pub(crate) struct ReflectionRow {
    id: RecordId,
    triggered_by: String,
    session_count_at: i64,
    insights_generated: i64,
    entities_merged: i64,
    edges_pruned: i64,
    memories_archived: i64,
    duration_ms: i64,
    at: Datetime,
}

impl ReflectionRow {
    pub(crate) fn from_logged(logged: &ReflectionLogged) -> Self {
        Self {
            id: record("reflection_log", logged.dream),
            triggered_by: logged.triggered_by.to_string(),
            session_count_at: i64::try_from(logged.session_count_at).unwrap_or(i64::MAX),
            insights_generated: logged.insights_generated.into(),
            entities_merged: logged.entities_merged.into(),
            edges_pruned: logged.edges_pruned.into(),
            memories_archived: logged.memories_archived.into(),
            duration_ms: i64::try_from(logged.duration_ms).unwrap_or(i64::MAX),
            at: to_datetime(logged.at),
        }
    }

    fn into_logged(self) -> Result<ReflectionLogged, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(ReflectionLogged {
            dream: reader.key(&self.id)?,
            triggered_by: reader.word(&self.triggered_by)?,
            session_count_at: u64::try_from(self.session_count_at).map_err(|error| reader.bad(error))?,
            insights_generated: reader.count(self.insights_generated)?,
            entities_merged: reader.count(self.entities_merged)?,
            edges_pruned: reader.count(self.edges_pruned)?,
            memories_archived: reader.count(self.memories_archived)?,
            duration_ms: u64::try_from(self.duration_ms).map_err(|error| reader.bad(error))?,
            at: reader.moment(self.at)?,
        })
    }
}

fn to_numbers(shares: &Shares) -> BTreeMap<String, f64> {
    shares.iter().map(|(word, share)| (word.to_owned(), share.get())).collect()
}

fn to_shares(reader: &Reader, numbers: BTreeMap<String, f64>) -> Result<Shares, ReadError> {
    let mut shares: BTreeMap<String, Share> = BTreeMap::new();
    for (word, number) in numbers {
        shares.insert(word, reader.number(number)?);
    }
    Shares::new(shares).map_err(|error| reader.bad(error))
}

fn key_of(
    reader: &Reader,
    subject: &str,
    query_type: Option<&str>,
    with_model: bool,
) -> Result<LearnedKey, ReadError> {
    let query_type = query_type.map(|word| reader.word(word)).transpose()?;
    Ok(LearnedKey { subject: reader.word(subject)?, query_type, with_model })
}

fn learned_record(key: &LearnedKey) -> RecordId {
    let query_type = key.query_type.map_or("all", |query_type| query_type.as_str());
    let key = vec![
        Value::String(key.subject.to_string()),
        Value::String(query_type.to_owned()),
        key.with_model.into_value(),
    ];
    RecordId { table: "strategy_weights".into(), key: RecordIdKey::Array(Array::from(key)) }
}

/// Named by an operation and the place in it.
fn placed(table: &str, operation: OperationId, place: i64) -> RecordId {
    let key = vec![Value::String(operation.to_string()), place.into_value()];
    RecordId { table: table.into(), key: RecordIdKey::Array(Array::from(key)) }
}

impl Transaction {
    /// What was learned, and the line of its history.
    pub(crate) fn learn(&mut self, changes: &Changes) {
        for (place, write) in changes.writes.iter().enumerate() {
            let Write::Learn { before, after } = write else { continue };
            let (before, after) = (before.as_deref(), after.as_deref());
            if let Some(after) = after {
                let row = self.parameter(LearnedRow::from_learned(after));
                self.say(format!("UPSERT ${row}.id CONTENT ${row} RETURN NONE;"));
            } else if let Some(before) = before {
                let id = self.parameter(learned_record(&before.key));
                self.say(format!("DELETE ${id} RETURN NONE;"));
            }
            if let Some(change) = WeightChange::of(before, after, changes.cause, changes.at) {
                let row = self.parameter(ChangeRow::from_change(&change, changes.operation, place));
                self.say(format!("UPSERT ${row}.id CONTENT ${row} RETURN NONE;"));
            }
        }
    }

    /// What was told of purged memories. An insight that rests on one, or on a
    /// question that found one, may repeat its words even in its name.
    pub(crate) fn scrub_evolved(&mut self, purged: &[MemoryId]) {
        let names: Vec<String> = purged.iter().copied().map(String::from).collect();
        let names = self.parameter(names);
        let word = self.parameter(PURGED);
        let found = self.found_one_of(purged);
        self.say(format!("LET $asked = (SELECT VALUE record::id(id) FROM retrieval_log WHERE {found});"));
        self.say(format!(
            "DELETE meta_memory WHERE evidence CONTAINSANY ${names} OR evidence CONTAINSANY $asked RETURN NONE;"
        ));
        self.say(format!(
            "UPDATE evolution_log SET reason = ${word} WHERE node IN ${names} OR made IN ${names} RETURN NONE;"
        ));
    }

    pub(crate) fn tidy_evolved(&mut self, kept: LogsKept) {
        let weights = self.parameter(to_datetime(kept.weights));
        self.say(format!("DELETE weight_history WHERE at < ${weights} RETURN NONE;"));
        let insights = self.parameter(to_datetime(kept.insights));
        self.say(format!(
            "DELETE meta_memory WHERE closed_at IS NOT NONE AND closed_at < ${insights} RETURN NONE;"
        ));
    }
}

impl SurrealStore {
    pub(crate) async fn learned(&self) -> Result<Vec<Learned>, ReadError> {
        let rows: Vec<LearnedRow> = self.read("SELECT * FROM strategy_weights", []).await?;
        let mut learned = rows.into_iter().map(LearnedRow::into_learned).collect::<Result<Vec<_>, _>>()?;
        learned.sort_by_key(|learned| learned.key);
        Ok(learned)
    }

    pub(crate) async fn weight_changes(&self, limit: usize) -> Result<Vec<WeightChange>, ReadError> {
        let rows: Vec<ChangeRow> = self.last_of("weight_history", limit).await?;
        rows.into_iter().map(ChangeRow::into_change).collect()
    }

    pub(crate) async fn evolved(&self, since: Timestamp) -> Result<Vec<EvolutionLogged>, ReadError> {
        let since = to_datetime(since).into_value();
        let text = "SELECT * FROM evolution_log WHERE at >= $since";
        let rows: Vec<EvolvedRow> = self.read(text, [("since", since)]).await?;
        rows.into_iter().rev().map(EvolvedRow::into_logged).collect()
    }

    pub(crate) async fn evolved_in(&self, operation: OperationId) -> Result<Vec<EvolutionLogged>, ReadError> {
        let text = format!("SELECT * FROM evolution_log:['{operation}', NONE]..=['{operation}', ..]");
        let rows: Vec<EvolvedRow> = self.read(&text, []).await?;
        rows.into_iter().map(EvolvedRow::into_logged).collect()
    }

    pub(crate) async fn insights(&self) -> Result<Vec<Insight>, ReadError> {
        let rows: Vec<InsightRow> = self.read("SELECT * FROM meta_memory ORDER BY id", []).await?;
        rows.into_iter().map(InsightRow::into_insight).collect()
    }

    pub(crate) async fn reflections(&self, limit: usize) -> Result<Vec<ReflectionLogged>, ReadError> {
        let rows: Vec<ReflectionRow> = self.last_of("reflection_log", limit).await?;
        rows.into_iter().map(ReflectionRow::into_logged).collect()
    }
}
