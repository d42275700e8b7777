//! Rows of what was heard and what became of it: turns, decisions, entities,
//! reviews.

use crate::row::{Reader, memory_record, record, record_text, to_datetime, to_object};
use engram_core::decision::{Closed, Decision, Pair, Review};
use engram_core::link::{KnownEntity, Mention};
use engram_core::port::ReadError;
use engram_core::turn::{ToolCall, Turn};
use engram_core::{Confidence, EntityId, ReviewId, Similarity, TurnId};
use surrealdb::types::{Array, Datetime, Object, RecordId, RecordIdKey, SurrealValue, Value};

#[derive(SurrealValue)]
pub(crate) struct TurnRow {
    id: RecordId,
    event: String,
    role: String,
    session: Option<String>,
    turn_number: i64,
    speaker: Option<String>,
    content: String,
    token_count: i64,
    source: Option<String>,
    kind: Option<String>,
    agent: Option<String>,
    instructions: i64,
    created_at: Datetime,
    recorded_at: Datetime,
}

#[derive(SurrealValue)]
pub(crate) struct ToolCallRow {
    id: RecordId,
    tool_name: String,
    arguments: Object,
    result_summary: Option<String>,
    success: bool,
    duration_ms: Option<i64>,
    turn_ref: RecordId,
    created_at: Datetime,
}

impl TurnRow {
    pub(crate) fn from_turn(turn: &Turn) -> Self {
        Self {
            id: turn_record(turn.id),
            event: turn.event.to_string(),
            role: turn.role.to_string(),
            session: turn.session.map(String::from),
            turn_number: turn.turn_number.into(),
            speaker: turn.speaker.clone(),
            content: turn.content.clone(),
            token_count: turn.token_count.into(),
            source: turn.source.clone(),
            kind: turn.kind.map(|kind| kind.to_string()),
            agent: turn.agent.clone(),
            instructions: turn.instructions.into(),
            created_at: to_datetime(turn.said_at),
            recorded_at: to_datetime(turn.recorded_at),
        }
    }

    pub(crate) fn into_turn(self, tool: Option<ToolCallRow>) -> Result<Turn, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(Turn {
            id: reader.key(&self.id)?,
            event: reader.word(&self.event)?,
            role: reader.word(&self.role)?,
            session: self.session.map(|id| reader.word(&id)).transpose()?,
            turn_number: reader.count(self.turn_number)?,
            speaker: self.speaker,
            content: self.content,
            tool: tool.map(ToolCallRow::into_tool_call).transpose()?,
            token_count: reader.count(self.token_count)?,
            source: self.source,
            kind: self.kind.map(|kind| reader.word(&kind)).transpose()?,
            agent: self.agent,
            instructions: reader.count(self.instructions)?,
            said_at: reader.moment(self.created_at)?,
            recorded_at: reader.moment(self.recorded_at)?,
        })
    }

    pub(crate) fn key(&self) -> &RecordIdKey {
        &self.id.key
    }
}

impl ToolCallRow {
    pub(crate) fn of_turn(turn: &Turn) -> Option<Self> {
        let tool = turn.tool.as_ref()?;
        Some(Self {
            id: record("tool_call", turn.id),
            tool_name: tool.tool_name.clone(),
            arguments: to_object(tool.arguments.clone()),
            result_summary: tool.result_summary.clone(),
            success: tool.success,
            duration_ms: tool.duration_ms.map(|ms| i64::try_from(ms).unwrap_or(i64::MAX)),
            turn_ref: turn_record(turn.id),
            created_at: to_datetime(turn.said_at),
        })
    }

    fn into_tool_call(self) -> Result<ToolCall, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(ToolCall {
            tool_name: self.tool_name,
            arguments: reader.map(self.arguments)?,
            result_summary: self.result_summary,
            success: self.success,
            duration_ms: self.duration_ms.and_then(|ms| u64::try_from(ms).ok()),
        })
    }

    pub(crate) fn key(&self) -> &RecordIdKey {
        &self.id.key
    }
}

#[derive(SurrealValue)]
pub(crate) struct DecisionRow {
    id: RecordId,
    turn: String,
    number: i64,
    action: String,
    memory: Option<String>,
    other: Option<String>,
    fact: Option<String>,
    reason: String,
    similarity: Option<f64>,
    by: String,
    at: Datetime,
}

impl DecisionRow {
    pub(crate) fn from_decision(decision: &Decision) -> Self {
        let key = Array::from(vec![
            Value::String(decision.turn.to_string()),
            i64::from(decision.number).into_value(),
        ]);
        Self {
            id: RecordId { table: "decision".into(), key: RecordIdKey::Array(key) },
            turn: decision.turn.to_string(),
            number: decision.number.into(),
            action: decision.action.to_string(),
            memory: decision.memory.map(String::from),
            other: decision.other.map(String::from),
            fact: decision.fact.clone(),
            reason: decision.reason.clone(),
            similarity: decision.similarity.map(Similarity::get),
            by: decision.by.to_string(),
            at: to_datetime(decision.at),
        }
    }

    pub(crate) fn into_decision(self) -> Result<Decision, ReadError> {
        let reader = Reader { row: format!("decision {} of turn {}", self.number, self.turn) };
        Ok(Decision {
            turn: reader.word(&self.turn)?,
            number: reader.count(self.number)?,
            action: reader.word(&self.action)?,
            memory: self.memory.map(|id| reader.word(&id)).transpose()?,
            other: self.other.map(|id| reader.word(&id)).transpose()?,
            fact: self.fact,
            reason: self.reason,
            similarity: self.similarity.map(|value| reader.number(value)).transpose()?,
            by: reader.word(&self.by)?,
            at: reader.moment(self.at)?,
        })
    }
}

#[derive(SurrealValue)]
pub(crate) struct EntityRow {
    id: RecordId,
    kind: String,
    name: String,
    written: String,
    aliases: Vec<String>,
    version: Option<String>,
    confidence: Option<f64>,
    mentions: i64,
    first_seen_at: Datetime,
    last_seen_at: Datetime,
}

impl EntityRow {
    pub(crate) fn from_entity(entity: &KnownEntity) -> Self {
        Self {
            id: entity_record(entity.id),
            kind: entity.kind.to_string(),
            name: entity.name.clone(),
            written: entity.written.clone(),
            aliases: entity.aliases.iter().cloned().collect(),
            version: entity.version.clone(),
            confidence: entity.confidence.map(Confidence::get),
            mentions: entity.mentions.into(),
            first_seen_at: to_datetime(entity.first_seen_at),
            last_seen_at: to_datetime(entity.last_seen_at),
        }
    }

    pub(crate) fn into_entity(self) -> Result<KnownEntity, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(KnownEntity {
            id: reader.key(&self.id)?,
            kind: reader.word(&self.kind)?,
            name: self.name,
            written: self.written,
            aliases: self.aliases.into_iter().collect(),
            version: self.version,
            confidence: self.confidence.map(|value| reader.number(value)).transpose()?,
            mentions: reader.count(self.mentions)?,
            first_seen_at: reader.moment(self.first_seen_at)?,
            last_seen_at: reader.moment(self.last_seen_at)?,
        })
    }
}

#[derive(SurrealValue)]
pub(crate) struct MentionRow {
    id: RecordId,
    memory: RecordId,
    entity: RecordId,
    at: Datetime,
}

impl MentionRow {
    pub(crate) fn from_mention(mention: &Mention) -> Self {
        Self {
            id: mention_record(mention),
            memory: memory_record(mention.memory),
            entity: entity_record(mention.entity),
            at: to_datetime(mention.at),
        }
    }

    pub(crate) fn into_mention(self) -> Result<Mention, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(Mention {
            memory: reader.key(&self.memory)?,
            entity: reader.key(&self.entity)?,
            at: reader.moment(self.at)?,
        })
    }
}

#[derive(SurrealValue)]
pub(crate) struct ReviewRow {
    id: RecordId,
    pair: String,
    newer: String,
    older: String,
    reason: String,
    similarity: Option<f64>,
    opened_at: Datetime,
    ruling: Option<String>,
    actor: Option<String>,
    closed_at: Option<Datetime>,
}

impl ReviewRow {
    pub(crate) fn from_review(review: &Review) -> Self {
        let (pair, newer, older) = match review.pair {
            Pair::Memories { newer, older } => ("memories", newer.to_string(), older.to_string()),
            Pair::Entities { newer, older } => ("entities", newer.to_string(), older.to_string()),
        };
        Self {
            id: review_record(review.id),
            pair: pair.to_owned(),
            newer,
            older,
            reason: review.reason.clone(),
            similarity: review.similarity.map(Similarity::get),
            opened_at: to_datetime(review.opened_at),
            ruling: review.closed.map(|closed| closed.ruling.to_string()),
            actor: review.closed.map(|closed| closed.actor.to_string()),
            closed_at: review.closed.map(|closed| to_datetime(closed.at)),
        }
    }

    pub(crate) fn into_review(self) -> Result<Review, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        let pair = match self.pair.as_str() {
            "memories" => {
                Pair::Memories { newer: reader.word(&self.newer)?, older: reader.word(&self.older)? }
            }
            "entities" => {
                Pair::Entities { newer: reader.word(&self.newer)?, older: reader.word(&self.older)? }
            }
            other => return Err(reader.bad(format!("it is about {other}"))),
        };
        let closed = match (self.ruling, self.actor, self.closed_at) {
            (Some(ruling), Some(actor), Some(at)) => Some(Closed {
                ruling: reader.word(&ruling)?,
                actor: reader.word(&actor)?,
                at: reader.moment(at)?,
            }),
            _ => None,
        };
        Ok(Review {
            id: reader.key(&self.id)?,
            pair,
            reason: self.reason,
            similarity: self.similarity.map(|value| reader.number(value)).transpose()?,
            opened_at: reader.moment(self.opened_at)?,
            closed,
        })
    }
}

fn mention_record(mention: &Mention) -> RecordId {
    let key = [mention.memory.to_string(), mention.entity.to_string()].map(Value::String);
    RecordId { table: "mentions".into(), key: RecordIdKey::Array(Array::from(key.to_vec())) }
}

pub(crate) fn turn_record(id: TurnId) -> RecordId {
    record("turn", id)
}

pub(crate) fn entity_record(id: EntityId) -> RecordId {
    record("entity", id)
}

pub(crate) fn review_record(id: ReviewId) -> RecordId {
    record("review", id)
}
