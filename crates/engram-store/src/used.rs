//! What came of memories, in rows: promotions and outcomes of use.

use crate::door::Transaction;
use crate::open::SurrealStore;
use crate::row::{Reader, record_text, to_datetime};
use engram_core::port::ReadError;
use engram_core::used::{Promotion, Usage};
use engram_core::{Changes, MemoryId, SessionId, Timestamp, Write};
use surrealdb::types::{Array, Datetime, RecordId, RecordIdKey, SurrealValue, Value};

#[derive(SurrealValue)]
struct PromotionRow {
    id: RecordId,
    memory: String,
    source_session: Option<String>,
    from_scope: String,
    to_scope: String,
    original_kind: String,
    reason: String,
    score: f64,
    merged_into: Option<String>,
    promoted_at: Datetime,
}

impl PromotionRow {
    fn from_promotion(promotion: &Promotion) -> Self {
        Self {
            id: row_of("promotion_log", promotion.memory, promotion.at),
            memory: promotion.memory.to_string(),
            source_session: promotion.session.map(String::from),
            from_scope: promotion.from.to_string(),
            to_scope: promotion.to.to_string(),
            original_kind: promotion.kind.to_string(),
            reason: promotion.reason.to_string(),
            score: promotion.score,
            merged_into: promotion.merged_into.map(String::from),
            promoted_at: to_datetime(promotion.at),
        }
    }

    fn into_promotion(self) -> Result<Promotion, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(Promotion {
            memory: reader.word(&self.memory)?,
            session: self.source_session.map(|id| reader.word(&id)).transpose()?,
            from: reader.word(&self.from_scope)?,
            to: reader.word(&self.to_scope)?,
            kind: reader.word(&self.original_kind)?,
            reason: reader.word(&self.reason)?,
            score: self.score,
            merged_into: self.merged_into.map(|id| reader.word(&id)).transpose()?,
            at: reader.moment(self.promoted_at)?,
        })
    }
}

#[derive(SurrealValue)]
struct UsageRow {
    id: RecordId,
    memory: String,
    outcome: String,
    note: Option<String>,
    session: Option<String>,
    at: Datetime,
}

impl UsageRow {
    fn from_usage(usage: &Usage) -> Self {
        Self {
            id: row_of("usage_record", usage.memory, usage.at),
            memory: usage.memory.to_string(),
            outcome: usage.outcome.to_string(),
            note: usage.note.clone(),
            session: usage.session.map(String::from),
            at: to_datetime(usage.at),
        }
    }

    fn into_usage(self) -> Result<Usage, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(Usage {
            memory: reader.word(&self.memory)?,
            outcome: reader.word(&self.outcome)?,
            note: self.note,
            session: self.session.map(|id| reader.word(&id)).transpose()?,
            at: reader.moment(self.at)?,
        })
    }
}

fn row_of(table: &str, memory: MemoryId, at: Timestamp) -> RecordId {
    let key = vec![Value::String(memory.to_string()), Value::Datetime(to_datetime(at))];
    RecordId { table: table.into(), key: RecordIdKey::Array(Array::from(key)) }
}

impl Transaction {
    /// The two logs of a commit.
    pub(crate) fn log_use(&mut self, changes: &Changes) {
        for write in &changes.writes {
            match write {
                Write::Promote { promotion } => {
                    let row = self.parameter(PromotionRow::from_promotion(promotion));
                    self.say(format!("UPSERT ${row}.id CONTENT ${row} RETURN NONE;"));
                }
                Write::Record { usage } => {
                    let row = self.parameter(UsageRow::from_usage(usage));
                    self.say(format!("UPSERT ${row}.id CONTENT ${row} RETURN NONE;"));
                }
                _ => {}
            }
        }
    }

    /// What was said about the use of purged memories.
    pub(crate) fn scrub_use(&mut self, purged: &[MemoryId]) {
        let names: Vec<String> = purged.iter().copied().map(String::from).collect();
        let names = self.parameter(names);
        self.say(format!("UPDATE usage_record SET note = NONE WHERE memory IN ${names} RETURN NONE;"));
    }
}

impl SurrealStore {
    pub(crate) async fn promotions_from(&self, session: SessionId) -> Result<Vec<Promotion>, ReadError> {
        let text = "SELECT * FROM promotion_log WHERE source_session = $of ORDER BY promoted_at";
        let rows: Vec<PromotionRow> = self.read(text, [("of", session.to_string().into_value())]).await?;
        rows.into_iter().map(PromotionRow::into_promotion).collect()
    }

    pub(crate) async fn usage_of(&self, id: MemoryId) -> Result<Vec<Usage>, ReadError> {
        let text = format!("SELECT * FROM usage_record:['{id}', NONE]..=['{id}', ..]");
        let rows: Vec<UsageRow> = self.read(&text, []).await?;
        rows.into_iter().map(UsageRow::into_usage).collect()
    }
}
