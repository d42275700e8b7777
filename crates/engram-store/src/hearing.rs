//! The part of a commit that keeps what was heard and what became of it, and
//! how it is read back.

use crate::door::Transaction;
use crate::heard::{
    DecisionRow, EntityRow, MentionRow, ReviewRow, ToolCallRow, TurnRow, entity_record, turn_record,
};
use crate::open::SurrealStore;
use crate::row::{memory_record, record, to_datetime};
use engram_core::change::PURGED;
use engram_core::port::ReadError;
use engram_core::turn::Turn;
use engram_core::{Changes, MemoryId, SessionId, Timestamp, TurnId, Write};
use std::collections::{BTreeMap, BTreeSet};
use surrealdb::types::{RecordId, SurrealValue as _, Value};

impl Transaction {
    /// In rows of one kind each: a batch of turns is a few statements, not a few
    /// for each.
    pub(crate) fn heard(&mut self, changes: &Changes) {
        let mut heard = BTreeSet::new();
        let mut turns = Vec::new();
        let mut calls = Vec::new();
        let mut read = Vec::new();
        let mut decisions = Vec::new();
        // Each as it is known last.
        let mut entities = BTreeMap::new();
        let mut mentions = Vec::new();
        let mut reviews = Vec::new();
        let mut merges = Vec::new();
        // What is read in the same breath has not to wait for it.
        let at_once = |id: TurnId| {
            changes.writes.iter().any(|write| matches!(write, Write::Read { turn, .. } if *turn == id))
        };
        let mut unread = Vec::new();
        for write in &changes.writes {
            match write {
                Write::Hear { turn } => {
                    if !at_once(turn.id) {
                        unread.push(record("unread", turn.id));
                    }
                    heard.insert(turn.id);
                    turns.push(TurnRow::from_turn(turn));
                    calls.extend(ToolCallRow::of_turn(turn));
                }
                Write::Read { turn, decisions: decided } => {
                    if !heard.contains(turn) {
                        read.push(record("unread", turn));
                    }
                    decisions.extend(decided.iter().map(DecisionRow::from_decision));
                }
                Write::Name { entity } => {
                    entities.insert(entity.id, EntityRow::from_entity(entity));
                }
                Write::Mention { mention } => mentions.push(MentionRow::from_mention(mention)),
                Write::Review { after, .. } => reviews.push(ReviewRow::from_review(after)),
                Write::Unname { merge } => merges.push(*merge),
                _ => {}
            }
        }
        if !turns.is_empty() {
            let turns = self.parameter(turns);
            self.say(format!("INSERT INTO turn ${turns} RETURN NONE;"));
        }
        if !unread.is_empty() {
            let unread = self.parameter(unread);
            self.say(format!("CREATE ${unread} RETURN NONE;"));
        }
        if !calls.is_empty() {
            let calls = self.parameter(calls);
            self.say(format!("INSERT INTO tool_call ${calls} RETURN NONE;"));
        }
        if !read.is_empty() {
            let read = self.parameter(read);
            self.say(format!("DELETE ${read} RETURN NONE;"));
        }
        if !decisions.is_empty() {
            let decisions = self.parameter(decisions);
            self.say(format!("INSERT INTO decision ${decisions} RETURN NONE;"));
        }
        if !entities.is_empty() {
            let entities: Vec<EntityRow> = entities.into_values().collect();
            let entities = self.parameter(entities);
            self.say(format!(
                "INSERT INTO entity ${entities} ON DUPLICATE KEY UPDATE
                    kind = $input.kind, name = $input.name, written = $input.written,
                    aliases = $input.aliases, version = $input.version, mentions = $input.mentions,
                    description = $input.description, confidence = $input.confidence,
                    first_seen_at = $input.first_seen_at, last_seen_at = $input.last_seen_at
                    RETURN NONE;"
            ));
        }
        if !mentions.is_empty() {
            let mentions = self.parameter(mentions);
            self.say(format!("INSERT IGNORE INTO mentions ${mentions} RETURN NONE;"));
        }
        for merge in merges {
            let (gone, into) =
                (self.parameter(entity_record(merge.gone)), self.parameter(entity_record(merge.into)));
            self.say(format!(
                "FOR $old IN (SELECT * FROM mentions WHERE entity = ${gone}) {{
                    INSERT IGNORE INTO mentions {{
                        id: [record::id($old.memory), record::id(${into})],
                        memory: $old.memory, entity: ${into}, at: $old.at
                    }} RETURN NONE;
                    DELETE $old.id RETURN NONE
                }};"
            ));
            self.say(format!("DELETE ${gone} RETURN NONE;"));
        }
        for review in reviews {
            let review = self.parameter(review);
            self.say(format!("UPSERT ${review}.id CONTENT ${review} RETURN NONE;"));
        }
    }

    /// The words a purged memory came from, what was decided about it, and what
    /// only it named.
    pub(crate) fn scrub_heard(&mut self, purged: &[MemoryId], evidence: &[TurnId]) {
        let word = self.parameter(PURGED);
        let turns: Vec<RecordId> = evidence.iter().copied().map(turn_record).collect();
        let calls: Vec<RecordId> = evidence.iter().map(|turn| record("tool_call", turn)).collect();
        let turn_names: Vec<String> = evidence.iter().copied().map(String::from).collect();
        let memory_names: Vec<String> = purged.iter().copied().map(String::from).collect();
        let records: Vec<RecordId> = purged.iter().copied().map(memory_record).collect();
        let (turns, calls) = (self.parameter(turns), self.parameter(calls));
        self.say(format!(
            "UPDATE ${turns} SET content = ${word}, source = NONE, speaker = NONE RETURN NONE;"
        ));
        self.say(format!("UPDATE ${calls} SET arguments = {{}}, result_summary = NONE RETURN NONE;"));
        let (turn_names, memory_names) = (self.parameter(turn_names), self.parameter(memory_names));
        self.say(format!(
            "UPDATE decision SET fact = IF fact IS NONE {{ NONE }} ELSE {{ ${word} }}, reason = ${word}
                WHERE memory IN ${memory_names} OR other IN ${memory_names} OR turn IN ${turn_names}
                RETURN NONE;"
        ));
        self.say(format!(
            "UPDATE review SET reason = ${word}
                WHERE newer IN ${memory_names} OR older IN ${memory_names} RETURN NONE;"
        ));
        self.say(format!("DELETE outbox WHERE newborn IN ${memory_names} RETURN NONE;"));
        let records = self.parameter(records);
        self.say(format!("LET $named = SELECT VALUE entity FROM mentions WHERE memory IN ${records};"));
        self.say(format!("DELETE mentions WHERE memory IN ${records} RETURN NONE;"));
        self.say(
            "FOR $entity IN $named {
                IF array::len(SELECT VALUE id FROM mentions WHERE entity = $entity LIMIT 1) = 0 {
                    DELETE $entity RETURN NONE
                }
            };"
            .to_owned(),
        );
    }
}

impl SurrealStore {
    pub(crate) async fn turns_named(&self, ids: Vec<TurnId>) -> Result<Vec<Turn>, ReadError> {
        let turns: Vec<RecordId> = ids.iter().copied().map(turn_record).collect();
        let rows = self.read("SELECT * FROM $ids", [("ids", turns.into_value())]).await?;
        self.with_calls(rows).await
    }

    pub(crate) async fn turns_with_words(&self, before: Timestamp) -> Result<Vec<TurnId>, ReadError> {
        let text = "SELECT VALUE record::id(id) FROM turn
            WHERE created_at < $before AND content != $gone AND extracted";
        let before = Value::Datetime(to_datetime(before));
        let names: Vec<String> = self.read(text, [("before", before), ("gone", PURGED.into_value())]).await?;
        let named = |name: String| {
            name.parse().map_err(|_| ReadError::BadRow { row: name, problem: "its name is none".to_owned() })
        };
        let mut ids: Vec<TurnId> = names.into_iter().map(named).collect::<Result<_, _>>()?;
        ids.sort();
        Ok(ids)
    }

    pub(crate) async fn turns_unread(&self) -> Result<Vec<Turn>, ReadError> {
        let rows: Vec<RecordId> = self.read("SELECT VALUE id FROM unread", []).await?;
        let ids = rows.into_iter().map(|id| RecordId { table: "turn".into(), key: id.key });
        let ids: Vec<RecordId> = ids.collect();
        let rows = self.read("SELECT * FROM $ids", [("ids", ids.into_value())]).await?;
        self.with_calls(rows).await
    }

    pub(crate) async fn turns_of(
        &self,
        session: Option<SessionId>,
        limit: usize,
    ) -> Result<Vec<Turn>, ReadError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX).into_value();
        let session = session.map(String::from).into_value();
        let text = "SELECT * FROM turn WHERE session = $of ORDER BY turn_number DESC LIMIT $limit";
        let rows = self.read(text, [("of", session), ("limit", limit)]).await?;
        let mut turns = self.with_calls(rows).await?;
        turns.sort_by_key(|turn| std::cmp::Reverse(turn.turn_number));
        Ok(turns)
    }

    /// Oldest first, each with what its tool was called with.
    async fn with_calls(&self, rows: Vec<TurnRow>) -> Result<Vec<Turn>, ReadError> {
        let calls: Vec<RecordId> =
            rows.iter().map(|row| RecordId { table: "tool_call".into(), key: row.key().clone() }).collect();
        let mut calls: Vec<ToolCallRow> =
            self.read("SELECT * FROM $ids", [("ids", calls.into_value())]).await?;
        let mut turns = Vec::with_capacity(rows.len());
        for row in rows {
            let call = calls.iter().position(|call| call.key() == row.key());
            turns.push(row.into_turn(call.map(|at| calls.swap_remove(at)))?);
        }
        turns.sort_by_key(|turn| turn.id);
        Ok(turns)
    }
}
