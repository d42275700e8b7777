//! What a replica of the team's memories knows of its server, in rows: what is
//! still to be said there, how much of the feed was heard, and how much of it
//! all is held here.

use crate::door::Transaction;
use crate::open::SurrealStore;
use crate::row::{Reader, record_text, to_datetime};
use engram_core::port::ReadError;
use engram_core::team::{Intent, Outgoing, Position, Waiting};
use engram_core::{Changes, OperationId, Write};
use surrealdb::types::{Datetime, RecordId, SurrealValue};

#[derive(SurrealValue)]
struct OutgoingRow {
    id: RecordId,
    intent: String,
    newborn: Option<String>,
    queued_at: Datetime,
    tries: i64,
    problem: Option<String>,
    refused_at: Option<Datetime>,
}

impl OutgoingRow {
    fn from_outgoing(outgoing: &Outgoing) -> Self {
        Self {
            id: outgoing_record(outgoing.operation),
            intent: serde_json::to_string(&outgoing.intent).unwrap_or_default(),
            newborn: outgoing.intent.newborn().map(|memory| memory.id.to_string()),
            queued_at: to_datetime(outgoing.queued_at),
            tries: outgoing.tries.into(),
            problem: outgoing.problem.clone(),
            refused_at: outgoing.refused_at.map(to_datetime),
        }
    }

    fn into_outgoing(self) -> Result<Outgoing, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        let intent: Intent = serde_json::from_str(&self.intent).map_err(|error| reader.bad(error))?;
        Ok(Outgoing {
            operation: reader.key(&self.id)?,
            intent,
            queued_at: reader.moment(self.queued_at)?,
            tries: reader.count(self.tries)?,
            problem: self.problem,
            refused_at: self.refused_at.map(|at| reader.moment(at)).transpose()?,
        })
    }
}

#[derive(SurrealValue)]
struct WaitingRow {
    id: RecordId,
    newborn: Option<String>,
}

impl WaitingRow {
    fn into_waiting(self) -> Result<Waiting, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(Waiting {
            operation: reader.key(&self.id)?,
            newborn: self.newborn.map(|id| reader.word(&id)).transpose()?,
        })
    }
}

fn outgoing_record(operation: OperationId) -> RecordId {
    RecordId::new("outbox", operation.to_string())
}

#[derive(SurrealValue)]
struct HeardRow {
    position: i64,
}

#[derive(SurrealValue)]
struct HeldRow {
    most: Option<i64>,
}

impl Transaction {
    pub(crate) fn replica(&mut self, changes: &Changes) {
        for write in &changes.writes {
            match write {
                Write::Queue { outgoing } => {
                    let id = self.parameter(outgoing_record(outgoing.operation));
                    let row = self.parameter(OutgoingRow::from_outgoing(outgoing));
                    // Its place is given once. A line from before there were places has none.
                    self.say(format!(
                        "LET ${id}_place = IF record::exists(${id}) {{ ${id}.number }} ELSE {{
                            (UPSERT ONLY outbox_end:this SET number = (number ?? 0) + 1 RETURN AFTER).number
                        }};
                        UPSERT ${id} CONTENT ${row} RETURN NONE;
                        UPDATE ${id} SET number = ${id}_place RETURN NONE;"
                    ));
                }
                Write::Unqueue { operation } => {
                    let name = self.parameter(outgoing_record(*operation));
                    self.say(format!("DELETE ${name} RETURN NONE;"));
                }
                Write::Heard { position } => {
                    let position = self.parameter(i64::try_from(position.0).unwrap_or(i64::MAX));
                    let at = self.parameter(to_datetime(changes.at));
                    self.say(format!(
                        "UPSERT heard:feed MERGE {{ position: ${position}, at: ${at} }} RETURN NONE;"
                    ));
                }
                Write::Hold { most } => {
                    let most = most.map(|most| i64::try_from(most).unwrap_or(i64::MAX));
                    let most = self.parameter(most);
                    self.say(format!("UPDATE heard:feed SET most = ${most} RETURN NONE;"));
                }
                _ => {}
            }
        }
    }
}

impl SurrealStore {
    pub(crate) async fn read_outgoing(&self, limit: usize) -> Result<Vec<Outgoing>, ReadError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows: Vec<OutgoingRow> = self
            .read(
                "SELECT * FROM outbox ORDER BY number, queued_at, id LIMIT $limit",
                [("limit", limit.into_value())],
            )
            .await?;
        rows.into_iter().map(OutgoingRow::into_outgoing).collect()
    }

    pub(crate) async fn read_waiting(&self) -> Result<Vec<Waiting>, ReadError> {
        let text = "SELECT id, newborn, number, queued_at FROM outbox WHERE refused_at IS NONE \
                    ORDER BY number, queued_at, id";
        let rows: Vec<WaitingRow> = self.read(text, []).await?;
        rows.into_iter().map(WaitingRow::into_waiting).collect()
    }

    pub(crate) async fn outgoing_named(&self, operation: OperationId) -> Result<Option<Outgoing>, ReadError> {
        let id = outgoing_record(operation).into_value();
        let rows: Vec<OutgoingRow> = self.read("SELECT * FROM $id", [("id", id)]).await?;
        rows.into_iter().next().map(OutgoingRow::into_outgoing).transpose()
    }

    pub(crate) async fn lines_of_outbox(&self) -> Result<usize, ReadError> {
        let rows: Vec<i64> =
            self.read("SELECT VALUE count FROM (SELECT count() FROM outbox GROUP ALL)", []).await?;
        Ok(rows.first().map_or(0, |count| usize::try_from(*count).unwrap_or(0)))
    }

    pub(crate) async fn read_heard(&self) -> Result<Option<Position>, ReadError> {
        let rows: Vec<HeardRow> = self.read("SELECT position FROM heard:feed", []).await?;
        Ok(rows.first().map(|row| Position(row.position.try_into().unwrap_or(0))))
    }

    pub(crate) async fn read_held_most(&self) -> Result<Option<usize>, ReadError> {
        let rows: Vec<HeldRow> = self.read("SELECT most FROM heard:feed", []).await?;
        Ok(rows.first().and_then(|row| row.most).map(|most| most.try_into().unwrap_or(0)))
    }
}
