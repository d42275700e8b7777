//! What came of memories, in rows: promotions and outcomes of use.

use crate::door::Transaction;
use crate::open::SurrealStore;
use crate::row::{Reader, memory_record, record_text, to_datetime};
use engram_core::port::{CommitError, ReadError};
use engram_core::used::{EvidenceSource, Promotion, Usage};
use engram_core::{Changes, Memory, MemoryId, SessionId, Timestamp, Write};
use surrealdb::types::{Array, Datetime, Object, RecordId, RecordIdKey, SurrealValue, Value};

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
            id: row_of("promotion_log", promotion.memory, promotion.at, None),
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
    source: Option<String>,
    recall: Option<String>,
    note: Option<String>,
    session: Option<String>,
    at: Datetime,
}

impl UsageRow {
    fn from_usage(usage: &Usage) -> Self {
        Self {
            id: row_of("usage_record", usage.memory, usage.at, Some(usage.source)),
            memory: usage.memory.to_string(),
            outcome: usage.outcome.to_string(),
            source: Some(usage.source.to_string()),
            recall: usage.recall.map(String::from),
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
            source: self.source.map_or(Ok(EvidenceSource::Told), |word| reader.word(&word))?,
            recall: self.recall.map(|id| reader.word(&id)).transpose()?,
            note: self.note,
            session: self.session.map(|id| reader.word(&id)).transpose()?,
            at: reader.moment(self.at)?,
        })
    }
}

/// Rows of usage from before they told their source are named without it.
fn row_of(table: &str, memory: MemoryId, at: Timestamp, source: Option<EvidenceSource>) -> RecordId {
    let mut key = vec![Value::String(memory.to_string()), Value::Datetime(to_datetime(at))];
    key.extend(source.map(|source| Value::String(source.to_string())));
    RecordId { table: table.into(), key: RecordIdKey::Array(Array::from(key)) }
}

impl Transaction {
    /// What a commit writes into the logs of use, and takes out of them.
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
                Write::Unrecord { usage } => {
                    let id = row_of("usage_record", usage.memory, usage.at, Some(usage.source));
                    let id = self.parameter(id);
                    self.say(format!("DELETE ${id} RETURN NONE;"));
                }
                Write::Rate { rating } => self.rate(rating),
                _ => {}
            }
        }
    }

    /// Usages that are new, and what they make of the memories' utility.
    fn judge(&mut self, usages: &[Usage], judged: &[Memory]) {
        if !usages.is_empty() {
            let rows: Vec<UsageRow> = usages.iter().map(UsageRow::from_usage).collect();
            let rows = self.parameter(rows);
            self.say(format!("INSERT IGNORE INTO usage_record ${rows} RETURN NONE;"));
        }
        let row = |memory: &Memory| {
            let mut row = Object::new();
            row.insert("id", memory_record(memory.id));
            row.insert("utility", memory.utility.get());
            row
        };
        let rows = self.parameter(judged.iter().map(row).collect::<Vec<Object>>());
        self.say(format!(
            "FOR $judged IN ${rows} {{ UPDATE $judged.id SET utility = $judged.utility RETURN NONE; }};"
        ));
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

    pub(crate) async fn usages_after(&self, since: Timestamp) -> Result<Vec<Usage>, ReadError> {
        let since = to_datetime(since).into_value();
        let text = "SELECT * FROM usage_record WHERE at >= $since";
        let rows: Vec<UsageRow> = self.read(text, [("since", since)]).await?;
        let mut usages = rows.into_iter().map(UsageRow::into_usage).collect::<Result<Vec<_>, _>>()?;
        usages.sort_by_key(|usage| (usage.at, usage.memory, usage.source.as_str()));
        Ok(usages)
    }

    pub(crate) async fn keep_evidence(
        &self,
        usages: Vec<Usage>,
        judged: Vec<Memory>,
    ) -> Result<(), CommitError> {
        let mut transaction = Transaction::default();
        transaction.judge(&usages, &judged);
        self.run(transaction, None).await
    }
}
