//! Taking words out of every row, whatever table it is in: what a purge of single
//! memories does not reach.
//!
//! Memories, turns and tool calls are not touched here; they go by the purge and
//! the scrubbing of `door.rs`. Which words are meant the caller says.

use crate::heard::entity_record;
use crate::open::SurrealStore;
use crate::row::record;
use engram_core::change::PURGED;
use engram_core::erase::reword;
use engram_core::port::{CommitError, ReadError};
use engram_core::turn::Turn;
use engram_core::{EntityId, ProjectKey, TurnId};
use surrealdb::types::{Object, RecordId, RecordIdKey, SurrealValue, Value};

/// So many turns are read at once.
const PAGE: usize = 200;

/// Rows that go as a whole when one of their strings says it: they are nothing
/// without their words.
const GO: [&str; 5] = ["retrieval_log", "meta_memory", "consolidation_queue", "dream_part", "entity"];
/// Rows in which other hands have the words, or that have none.
const PASSED_OVER: [&str; 7] = ["memory", "turn", "tool_call", "vector", "relates_to", "mentions", "unread"];

impl SurrealStore {
    /// Hands over every turn that is kept.
    pub async fn scan_turns(&self, take: &mut (dyn FnMut(Turn) + Send)) -> Result<(), ReadError> {
        let rows: Vec<RecordId> = self.read("SELECT VALUE id FROM turn", []).await?;
        let names = rows.iter().filter_map(|id| match &id.key {
            RecordIdKey::String(key) => key.parse().ok(),
            _ => None,
        });
        let ids: Vec<TurnId> = names.collect();
        for page in ids.chunks(PAGE) {
            self.turns_named(page.to_vec()).await?.into_iter().for_each(&mut *take);
        }
        Ok(())
    }

    /// Hands over the former states that each entry of the log keeps.
    pub async fn scan_log(&self, take: &mut (dyn FnMut(serde_json::Value) + Send)) -> Result<(), ReadError> {
        let rows: Vec<String> = self.read("SELECT VALUE inverse FROM operation", []).await?;
        rows.iter().filter_map(|inverse| serde_json::from_str(inverse).ok()).for_each(take);
        Ok(())
    }

    /// Takes the words out of every row but those of memories and turns. Says how
    /// many rows there were.
    pub async fn reword(&self, says: &(dyn Fn(&str) -> bool + Sync)) -> Result<usize, CommitError> {
        let unavailable = |error: ReadError| CommitError::Unavailable(error.to_string());
        let mut rows_changed = 0;
        for table in self.tables().await.map_err(unavailable)? {
            if PASSED_OVER.contains(&table.as_str()) {
                continue;
            }
            let rows = self.read::<Value, 0>(&format!("SELECT * FROM {table}"), []).await;
            for row in rows.map_err(unavailable)? {
                let Value::Object(row) = row else { continue };
                let Some(Value::RecordId(id)) = row.get("id").cloned() else { continue };
                let changed = reworded(&table, &row, says);
                if changed.is_empty() {
                    continue;
                }
                rows_changed += 1;
                if GO.contains(&table.as_str()) {
                    self.write("DELETE $id RETURN NONE", [("id", id.into_value())]).await?;
                } else {
                    let changed = Object::from_iter(changed).into_value();
                    let fields = [("id", id.into_value()), ("changed", changed)];
                    self.write("UPDATE $id MERGE $changed RETURN NONE", fields).await?;
                }
            }
        }
        Ok(rows_changed)
    }

    /// Nobody is to read these turns any more.
    pub async fn pass_over(&self, ids: &[TurnId]) -> Result<(), CommitError> {
        let unread: Vec<RecordId> = ids.iter().map(|id| record("unread", id)).collect();
        self.write("DELETE $unread RETURN NONE", [("unread", unread.into_value())]).await
    }

    /// Lets go of things with a name, of who names them and how they are bound.
    pub async fn remove_entities(&self, ids: &[EntityId]) -> Result<(), CommitError> {
        let entities: Vec<RecordId> = ids.iter().copied().map(entity_record).collect();
        self.write(
            "BEGIN; DELETE mentions WHERE entity IN $entities RETURN NONE;
             DELETE bond WHERE first IN $entities OR second IN $entities RETURN NONE;
             DELETE $entities RETURN NONE; COMMIT;",
            [("entities", entities.into_value())],
        )
        .await
    }

    /// In the user's store: this project was never seen.
    pub async fn forget_project(&self, key: &ProjectKey) -> Result<(), CommitError> {
        self.write(
            "BEGIN; DELETE $id RETURN NONE;
             UPDATE cross_project_pattern SET source_projects = array::complement(source_projects, [$key])
                WHERE source_projects CONTAINS $key RETURN NONE; COMMIT;",
            [("id", record("project_registry", key).into_value()), ("key", key.to_string().into_value())],
        )
        .await
    }

    async fn tables(&self) -> Result<Vec<String>, ReadError> {
        let told: Vec<Value> = self.read("INFO FOR DB", []).await?;
        let Some(Value::Object(told)) = told.into_iter().next() else { return Ok(Vec::new()) };
        let Some(Value::Object(tables)) = told.get("tables") else { return Ok(Vec::new()) };
        Ok(tables.keys().map(ToString::to_string).collect())
    }
}

/// The fields of a row that say it, as they are without it.
fn reworded(table: &str, row: &Object, says: &(dyn Fn(&str) -> bool + Sync)) -> Vec<(String, Value)> {
    let fields = row.iter().filter(|(name, _)| name.as_str() != "id");
    fields
        .filter_map(|(name, value)| {
            let mut value = value.clone();
            let inverse = table == "operation" && name.as_str() == "inverse";
            let changed = match &mut value {
                Value::String(text) if inverse => without_writes(text, says),
                value => reword_value(value, says),
            };
            changed.then(|| (name.to_string(), value))
        })
        .collect()
}

/// A log entry keeps former states as a list of writes. One that says it goes: a
/// half of it could not be taken back.
fn without_writes(text: &mut String, says: &(dyn Fn(&str) -> bool + Sync)) -> bool {
    let Ok(serde_json::Value::Array(mut writes)) = serde_json::from_str(text) else {
        return says(text) && {
            "[]".clone_into(text);
            true
        };
    };
    let before = writes.len();
    writes.retain(|write| !engram_core::erase::any_string(write, &|text: &str| says(text)));
    let changed = writes.len() < before;
    if changed {
        *text = serde_json::Value::Array(writes).to_string();
    }
    changed
}

fn reword_value(value: &mut Value, says: &(dyn Fn(&str) -> bool + Sync)) -> bool {
    match value {
        Value::String(text) => {
            let mut json = serde_json::Value::String(text.clone());
            let changed = reword(&mut json, &|text: &str| says(text), PURGED) > 0;
            if let serde_json::Value::String(reworded) = json {
                *text = reworded;
            }
            changed
        }
        Value::Array(values) => {
            values.iter_mut().fold(false, |changed, value| reword_value(value, says) | changed)
        }
        Value::Object(fields) => {
            fields.values_mut().fold(false, |changed, value| reword_value(value, says) | changed)
        }
        _ => false,
    }
}
