//! Rows as the database holds them, and how they become nouns.
//!
//! A row that cannot be understood is an error that names it; nothing
//! half-checked walks in.

use engram_core::change::Inverse;
use engram_core::memory::PromotionStep;
use engram_core::observe::Emotion;
use engram_core::port::ReadError;
use engram_core::recalled::{RecallLogged, Surface};
use engram_core::vector::Packed;
use engram_core::{
    Changes, Confidence, Memory, MemoryId, Operation, Provenance, RecallId, Relation, StatusChange,
    StatusStep, StoredVector, Surprise, Timestamp, Trace, Validity,
};
use std::fmt::Display;
use std::str::FromStr;
use surrealdb::types::{Array, Bytes, Datetime, Object, RecordId, RecordIdKey, SurrealValue, Value};

#[derive(SurrealValue)]
pub(crate) struct MemoryRow {
    id: RecordId,
    scope: String,
    tier: String,
    kind: String,
    status: String,
    status_at: Datetime,
    status_reason: String,
    status_cause: String,
    content: String,
    summary: Option<String>,
    tags: Vec<String>,
    domain: Option<String>,
    structured: Option<Object>,
    importance: f64,
    confidence: f64,
    utility: f64,
    surprise: Option<f64>,
    valence: Option<f64>,
    arousal: Option<f64>,
    feeling: Option<String>,
    pinned: bool,
    immutable: bool,
    access_count: i64,
    last_used_at: Datetime,
    stability: f64,
    difficulty: Option<f64>,
    fades_at: Option<Datetime>,
    valid_from: Datetime,
    valid_until: Option<Datetime>,
    recorded_at: Datetime,
    source_session: Option<String>,
    source_project: Option<String>,
    write_source: String,
    data_source: String,
    speaker: Option<String>,
    author: Option<String>,
    trust: f64,
    evidence: Option<Vec<String>>,
    promotion_chain: Vec<PromotionRow>,
    created_at: Datetime,
    updated_at: Datetime,
    revision: i64,
}

#[derive(SurrealValue)]
struct PromotionRow {
    scope: String,
    memory_id: String,
    promoted_at: Datetime,
    by: Option<String>,
    place: Option<String>,
}

impl MemoryRow {
    pub(crate) fn from_memory(memory: &Memory) -> Self {
        Self {
            id: memory_record(memory.id),
            scope: memory.scope.to_string(),
            tier: memory.tier.to_string(),
            kind: memory.kind.to_string(),
            status: memory.status.to_string(),
            status_at: to_datetime(memory.status_change.at),
            status_reason: memory.status_change.reason.clone(),
            status_cause: memory.status_change.cause.to_string(),
            content: memory.content.clone(),
            summary: memory.summary.clone(),
            tags: memory.tags.iter().cloned().collect(),
            domain: memory.domain.clone(),
            structured: memory.structured.clone().map(to_object),
            importance: memory.importance.get(),
            confidence: memory.confidence.get(),
            utility: memory.utility.get(),
            surprise: memory.surprise.map(Surprise::get),
            valence: memory.emotion.map(|emotion| emotion.valence.get()),
            arousal: memory.emotion.map(|emotion| emotion.arousal.get()),
            feeling: memory.emotion.and_then(|emotion| emotion.feeling).map(|word| word.to_string()),
            pinned: memory.pinned,
            immutable: memory.immutable,
            access_count: memory.trace.access_count.into(),
            last_used_at: to_datetime(memory.trace.last_used_at),
            stability: memory.trace.stability.get(),
            difficulty: memory.trace.difficulty.map(|difficulty| difficulty.get()),
            fades_at: memory.trace.fades_at.map(to_datetime),
            valid_from: to_datetime(memory.validity.valid_from),
            valid_until: memory.validity.valid_until.map(to_datetime),
            recorded_at: to_datetime(memory.validity.recorded_at),
            source_session: memory.provenance.source_session.map(String::from),
            source_project: memory.provenance.source_project.clone().map(String::from),
            write_source: memory.provenance.write_source.to_string(),
            data_source: memory.provenance.data_source.to_string(),
            speaker: memory.provenance.speaker.clone(),
            author: memory.provenance.author.map(String::from),
            trust: memory.provenance.trust.get(),
            evidence: match memory.provenance.evidence.as_slice() {
                [] => None,
                turns => Some(turns.iter().copied().map(String::from).collect()),
            },
            promotion_chain: memory
                .provenance
                .promotion_chain
                .iter()
                .map(|step| PromotionRow {
                    scope: step.scope.to_string(),
                    memory_id: step.memory_id.to_string(),
                    promoted_at: to_datetime(step.promoted_at),
                    by: step.by.map(String::from),
                    place: step.place.clone(),
                })
                .collect(),
            created_at: to_datetime(memory.created_at),
            updated_at: to_datetime(memory.updated_at),
            revision: memory.revision.into(),
        }
    }

    pub(crate) fn into_memory(self) -> Result<Memory, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(Memory {
            id: reader.key(&self.id)?,
            scope: reader.word(&self.scope)?,
            tier: reader.word(&self.tier)?,
            kind: reader.word(&self.kind)?,
            status: reader.word(&self.status)?,
            status_change: StatusChange {
                at: reader.moment(self.status_at)?,
                reason: self.status_reason,
                cause: reader.word(&self.status_cause)?,
            },
            content: self.content,
            summary: self.summary,
            tags: self.tags.into_iter().collect(),
            domain: self.domain,
            structured: self.structured.map(|object| reader.map(object)).transpose()?,
            importance: reader.number(self.importance)?,
            confidence: reader.number(self.confidence)?,
            utility: reader.number(self.utility)?,
            surprise: self.surprise.map(|value| reader.number(value)).transpose()?,
            emotion: match (self.valence, self.arousal) {
                (Some(valence), Some(arousal)) => Some(Emotion {
                    valence: reader.number(valence)?,
                    arousal: reader.number(arousal)?,
                    feeling: self.feeling.map(|word| reader.word(&word)).transpose()?,
                }),
                _ => None,
            },
            pinned: self.pinned,
            immutable: self.immutable,
            trace: Trace {
                access_count: reader.count(self.access_count)?,
                last_used_at: reader.moment(self.last_used_at)?,
                stability: reader.number(self.stability)?,
                difficulty: self.difficulty.map(|value| reader.number(value)).transpose()?,
                fades_at: self.fades_at.map(|at| reader.moment(at)).transpose()?,
            },
            validity: Validity {
                valid_from: reader.moment(self.valid_from)?,
                valid_until: self.valid_until.map(|at| reader.moment(at)).transpose()?,
                recorded_at: reader.moment(self.recorded_at)?,
            },
            provenance: Provenance {
                source_session: self.source_session.map(|id| reader.word(&id)).transpose()?,
                source_project: self.source_project.map(|key| reader.word(&key)).transpose()?,
                write_source: reader.word(&self.write_source)?,
                data_source: reader.word(&self.data_source)?,
                speaker: self.speaker,
                author: self.author.map(|id| reader.word(&id)).transpose()?,
                trust: reader.number(self.trust)?,
                evidence: self
                    .evidence
                    .iter()
                    .flatten()
                    .map(|id| reader.word(id))
                    .collect::<Result<_, _>>()?,
                promotion_chain: self
                    .promotion_chain
                    .into_iter()
                    .map(|step| {
                        Ok(PromotionStep {
                            scope: reader.word(&step.scope)?,
                            memory_id: reader.word(&step.memory_id)?,
                            promoted_at: reader.moment(step.promoted_at)?,
                            by: step.by.map(|id| reader.word(&id)).transpose()?,
                            place: step.place,
                        })
                    })
                    .collect::<Result<_, ReadError>>()?,
            },
            created_at: reader.moment(self.created_at)?,
            updated_at: reader.moment(self.updated_at)?,
            revision: reader.count(self.revision)?,
        })
    }
}

#[derive(SurrealValue)]
pub(crate) struct HistoryRow {
    memory: RecordId,
    from_status: Option<String>,
    to_status: String,
    at: Datetime,
    reason: String,
    cause: String,
}

impl HistoryRow {
    pub(crate) fn into_step(self) -> Result<StatusStep, ReadError> {
        let reader = Reader { row: format!("status_history of {}", record_text(&self.memory)) };
        Ok(StatusStep {
            from: self.from_status.map(|word| reader.word(&word)).transpose()?,
            to: reader.word(&self.to_status)?,
            change: StatusChange {
                at: reader.moment(self.at)?,
                reason: self.reason,
                cause: reader.word(&self.cause)?,
            },
        })
    }
}

#[derive(SurrealValue)]
pub(crate) struct RelationRow {
    id: RecordId,
    #[surreal(rename = "in")]
    from: RecordId,
    out: RecordId,
    kind: String,
    created_at: Datetime,
    confidence: Option<f64>,
}

impl RelationRow {
    pub(crate) fn from_relation(relation: &Relation) -> Self {
        Self {
            id: relation_record(relation),
            from: memory_record(relation.from),
            out: memory_record(relation.to),
            kind: relation.kind.to_string(),
            created_at: to_datetime(relation.created_at),
            confidence: Some(relation.confidence.get()),
        }
    }

    pub(crate) fn into_relation(self) -> Result<Relation, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(Relation {
            from: reader.key(&self.from)?,
            kind: reader.word(&self.kind)?,
            to: reader.key(&self.out)?,
            created_at: reader.moment(self.created_at)?,
            confidence: self.confidence.map_or(Ok(Confidence::CERTAIN), |value| reader.number(value))?,
        })
    }
}

#[derive(SurrealValue)]
pub(crate) struct OperationRow {
    id: RecordId,
    cause: String,
    actor: String,
    at: Datetime,
    memories: Vec<String>,
    undoes: Option<String>,
    undone_by: Option<String>,
    part_of: Option<String>,
    /// `Inverse` values as JSON: read back whole, never queried.
    inverse: String,
}

impl OperationRow {
    pub(crate) fn of_changes(changes: &Changes) -> Result<Self, serde_json::Error> {
        let entry = changes.log_entry();
        Ok(Self {
            id: operation_record(entry.id),
            cause: entry.cause.to_string(),
            actor: entry.actor.to_string(),
            at: to_datetime(entry.at),
            memories: entry.memories.into_iter().map(String::from).collect(),
            undoes: entry.undoes.map(String::from),
            undone_by: entry.undone_by.map(String::from),
            part_of: entry.part_of.map(String::from),
            inverse: serde_json::to_string(&entry.inverse)?,
        })
    }

    pub(crate) fn into_operation(self) -> Result<Operation, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(Operation {
            id: reader.key(&self.id)?,
            cause: reader.word(&self.cause)?,
            actor: reader.word(&self.actor)?,
            at: reader.moment(self.at)?,
            memories: self.memories.iter().map(|id| reader.word(id)).collect::<Result<_, _>>()?,
            undoes: self.undoes.map(|id| reader.word(&id)).transpose()?,
            undone_by: self.undone_by.map(|id| reader.word(&id)).transpose()?,
            part_of: self.part_of.map(|id| reader.word(&id)).transpose()?,
            inverse: serde_json::from_str::<Vec<Inverse>>(&self.inverse)
                .map_err(|error| reader.bad(error))?,
        })
    }
}

#[derive(SurrealValue)]
pub(crate) struct VectorRow {
    id: RecordId,
    embedder: String,
    text_hash: String,
    codes: Bytes,
}

impl VectorRow {
    pub(crate) fn from_vector(vector: &StoredVector) -> Self {
        Self {
            id: vector_record(vector.memory, &vector.embedder),
            embedder: vector.embedder.clone(),
            text_hash: vector.text_hash.clone(),
            codes: Bytes::from(vector.packed.to_bytes()),
        }
    }

    pub(crate) fn into_vector(self) -> Result<StoredVector, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        let memory = match &self.id.key {
            RecordIdKey::Array(key) => match key.first() {
                Some(Value::String(id)) => reader.word(id)?,
                other => return Err(reader.bad(format!("its memory is {other:?}"))),
            },
            other => return Err(reader.bad(format!("its key is {other:?}"))),
        };
        let packed =
            Packed::from_bytes(&self.codes).ok_or_else(|| reader.bad("its codes are no direction"))?;
        Ok(StoredVector { memory, embedder: self.embedder, text_hash: self.text_hash, packed })
    }
}

#[derive(SurrealValue)]
pub(crate) struct RecallRow {
    id: RecordId,
    via: Option<String>,
    query: String,
    query_type: String,
    intent: String,
    strategy: String,
    results_returned: i64,
    results_used: i64,
    user_feedback: Option<String>,
    latency_ms: f64,
    scope: Vec<String>,
    with_model: Option<bool>,
    shown: Vec<String>,
    /// `Pooled` values as JSON: read back whole, never queried.
    pool: Option<String>,
    used: Option<Vec<String>>,
    settled_at: Option<Datetime>,
    confidence: f64,
    session: Option<String>,
    at: Datetime,
}

impl RecallRow {
    pub(crate) fn from_recall(recall: &RecallLogged) -> Self {
        Self {
            id: recall_record(recall.id),
            via: Some(recall.via.to_string()),
            query: recall.query.clone(),
            query_type: recall.query_type.to_string(),
            intent: recall.intent.to_string(),
            strategy: recall.strategy.to_string(),
            results_returned: recall.results_returned.into(),
            results_used: recall.results_used.into(),
            user_feedback: recall.user_feedback.map(|word| word.to_string()),
            latency_ms: recall.latency_ms,
            scope: recall.scopes.iter().map(ToString::to_string).collect(),
            with_model: Some(recall.with_model),
            shown: recall.shown.iter().copied().map(String::from).collect(),
            pool: match recall.pool.as_slice() {
                [] => None,
                pool => serde_json::to_string(pool).ok(),
            },
            used: match recall.used.as_slice() {
                [] => None,
                used => Some(used.iter().copied().map(String::from).collect()),
            },
            settled_at: recall.settled_at.map(to_datetime),
            confidence: recall.confidence.get(),
            session: recall.session.map(String::from),
            at: to_datetime(recall.at),
        }
    }

    pub(crate) fn into_recall(self) -> Result<RecallLogged, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(RecallLogged {
            // Those from before they had names of their own have a ULID as well.
            id: reader.key(&self.id)?,
            via: self.via.map_or(Ok(Surface::Search), |word| reader.word(&word))?,
            query_type: reader.word(&self.query_type)?,
            intent: reader.word(&self.intent)?,
            strategy: reader.word(&self.strategy)?,
            results_returned: reader.count(self.results_returned)?,
            results_used: reader.count(self.results_used)?,
            user_feedback: self.user_feedback.map(|word| reader.word(&word)).transpose()?,
            latency_ms: self.latency_ms,
            scopes: self.scope.iter().map(|word| reader.word(word)).collect::<Result<_, _>>()?,
            with_model: self.with_model.unwrap_or(false),
            shown: self.shown.iter().map(|id| reader.word(id)).collect::<Result<_, _>>()?,
            pool: match &self.pool {
                Some(pool) => serde_json::from_str(pool).map_err(|error| reader.bad(error))?,
                None => Vec::new(),
            },
            used: self.used.iter().flatten().map(|id| reader.word(id)).collect::<Result<_, _>>()?,
            settled_at: self.settled_at.map(|at| reader.moment(at)).transpose()?,
            confidence: reader.number(self.confidence)?,
            session: self.session.map(|id| reader.word(&id)).transpose()?,
            at: reader.moment(self.at)?,
            query: self.query,
        })
    }
}

pub(crate) fn memory_record(id: MemoryId) -> RecordId {
    record("memory", id)
}

pub(crate) fn operation_record(id: engram_core::OperationId) -> RecordId {
    record("operation", id)
}

pub(crate) fn recall_record(id: RecallId) -> RecordId {
    record("retrieval_log", id)
}

/// Named by its memory first, so that all vectors of one memory lie together.
fn vector_record(memory: MemoryId, embedder: &str) -> RecordId {
    let key = [memory.to_string(), embedder.to_owned()].map(Value::String);
    RecordId { table: "vector".into(), key: RecordIdKey::Array(Array::from(key.to_vec())) }
}

/// Named by what it joins, so that the same edge cannot be drawn twice.
pub(crate) fn relation_record(relation: &Relation) -> RecordId {
    record("relates_to", format!("{}_{}_{}", relation.from, relation.kind, relation.to))
}

pub(crate) fn record(table: &str, key: impl Display) -> RecordId {
    RecordId { table: table.into(), key: RecordIdKey::String(key.to_string()) }
}

pub(crate) fn record_text(id: &RecordId) -> String {
    match &id.key {
        RecordIdKey::String(key) => format!("{}:{key}", id.table),
        other => format!("{}:{other:?}", id.table),
    }
}

/// Both sides keep nanoseconds, so nothing is lost on the way.
pub(crate) fn to_datetime(at: Timestamp) -> Datetime {
    let mut seconds = at.as_second();
    let mut nanos = at.subsec_nanosecond();
    if nanos < 0 {
        seconds -= 1;
        nanos += 1_000_000_000;
    }
    Datetime::from_timestamp(seconds, nanos.unsigned_abs()).unwrap_or(Datetime::MAX_UTC)
}

pub(crate) fn to_timestamp(at: Datetime) -> Result<Timestamp, jiff_error::Error> {
    let inner = at.into_inner();
    let nanos = i32::try_from(inner.timestamp_subsec_nanos()).unwrap_or(999_999_999);
    Timestamp::new(inner.timestamp(), nanos)
}

/// The error of the calendar, named here so that no other module needs it.
mod jiff_error {
    pub(crate) use jiff::Error;
}

pub(crate) fn to_object(map: serde_json::Map<String, serde_json::Value>) -> Object {
    map.into_iter().map(|(key, value)| (key, value.into_value())).collect()
}

/// Reads the fields of one row and names it when one is bad.
pub(crate) struct Reader {
    pub(crate) row: String,
}

impl Reader {
    pub(crate) fn map(
        &self,
        object: Object,
    ) -> Result<serde_json::Map<String, serde_json::Value>, ReadError> {
        match serde_json::Value::from_value(Value::Object(object)) {
            Ok(serde_json::Value::Object(map)) => Ok(map),
            Ok(other) => Err(self.bad(format!("an object is {other}"))),
            Err(error) => Err(self.bad(error)),
        }
    }

    pub(crate) fn bad(&self, problem: impl Display) -> ReadError {
        ReadError::BadRow { row: self.row.clone(), problem: problem.to_string() }
    }

    pub(crate) fn word<T: FromStr<Err: Display>>(&self, text: &str) -> Result<T, ReadError> {
        text.parse().map_err(|error| self.bad(error))
    }

    /// A name can be written in small letters as well, and is another row's then.
    pub(crate) fn key<T: FromStr<Err: Display> + Display>(&self, id: &RecordId) -> Result<T, ReadError> {
        match &id.key {
            RecordIdKey::String(key) => match self.word::<T>(key)? {
                read if read.to_string() == *key => Ok(read),
                read => Err(self.bad(format!("its key is not {read}"))),
            },
            other => Err(self.bad(format!("its key is {other:?}"))),
        }
    }

    pub(crate) fn number<T: TryFrom<f64, Error: Display>>(&self, value: f64) -> Result<T, ReadError> {
        T::try_from(value).map_err(|error| self.bad(error))
    }

    pub(crate) fn count(&self, value: i64) -> Result<u32, ReadError> {
        u32::try_from(value).map_err(|error| self.bad(error))
    }

    pub(crate) fn moment(&self, at: Datetime) -> Result<Timestamp, ReadError> {
        to_timestamp(at).map_err(|error| self.bad(error))
    }
}
