//! What a member reads of the server.
//!
//! One row that cannot be read is passed over: any member with a key can write one,
//! and it would stop everybody's replica.
//! Whoever is no longer let in would read empty tables, and believe that all is
//! gone; so every question begins by asking whether one still is.

use super::deliver::REFUSED;
use super::{FarTeam, explain_far};
use crate::door::first_cause;
use crate::heard::ReviewRow;
use crate::row::{MemoryRow, Reader, RelationRow, memory_record, record_text};
use engram_core::port::ReadError;
use engram_core::team::port::{FarError, FarQuestion, Ties, Unsearched};
use engram_core::team::{Charter, FeedLine, Head, Member, Position, Print, Proposal, Role};
use engram_core::{Memory, MemoryId};
use std::collections::{BTreeMap, BTreeSet};
use surrealdb::types::{Datetime, Number, Object, RecordId, RecordIdKey, SurrealValue, Value};

/// Asked before anything else, in the same request.
pub(super) const STILL_IN: &str =
    "IF !$auth.active { THROW 'engram denied: no longer a member of this team' };";

/// So many rows fit into one answer, however long their texts are.
const PAGE: usize = 2000;

#[derive(SurrealValue)]
struct TeamRow {
    name: String,
    review: String,
    rulers: String,
    search: bool,
    pepper: String,
}

#[derive(SurrealValue)]
struct HeadRow {
    latest: i64,
    oldest: i64,
}

#[derive(SurrealValue)]
struct FeedRow {
    id: RecordId,
    what: String,
    key: String,
    gone: bool,
}

#[derive(SurrealValue)]
struct MemberRow {
    id: RecordId,
    handle: String,
    role: String,
    active: bool,
    since: Datetime,
}

#[derive(SurrealValue)]
struct ProposalRow {
    id: RecordId,
    memory: Object,
    corrects: Option<CorrectsRow>,
    at: Datetime,
}

#[derive(SurrealValue)]
pub(super) struct CorrectsRow {
    pub(super) memory: String,
    pub(super) base: i64,
}

#[derive(SurrealValue)]
struct LookedRow {
    name: String,
    missing: bool,
}

#[derive(SurrealValue)]
struct SightingRow {
    print: String,
    member: String,
}

impl FarTeam {
    /// The rows of one statement.
    pub(super) async fn ask<T: SurrealValue, const N: usize>(
        &self,
        text: &str,
        parameters: [(&str, Value); N],
    ) -> Result<Vec<T>, FarError> {
        let mut query = self.db.query(STILL_IN).query(text);
        for (name, value) in parameters {
            query = query.bind((name.to_owned(), value));
        }
        let mut answer = self.patience.limit(query).await?;
        if let Some(error) = first_cause(&mut answer) {
            return Err(explain_far(&error));
        }
        answer.take(1).map_err(|error| FarError::BadRow(error.to_string()))
    }

    pub(super) async fn read_head(&self) -> Result<Head, FarError> {
        let rows: Vec<HeadRow> = self.ask("SELECT latest, oldest FROM head:feed", []).await?;
        let row = rows.into_iter().next().ok_or_else(|| FarError::BadRow("head:feed".to_owned()))?;
        Ok(Head { latest: position(row.latest)?, oldest: position(row.oldest)? })
    }

    pub(super) async fn read_feed(&self, after: Position, limit: usize) -> Result<Vec<FeedLine>, FarError> {
        let text = format!("SELECT * FROM feed:[{}].. LIMIT {}", after.0.saturating_add(1), limit.min(PAGE));
        let rows: Vec<FeedRow> = self.ask(&text, []).await?;
        let mut lines = Vec::with_capacity(rows.len());
        for row in rows {
            let reader = Reader { row: record_text(&row.id) };
            let number = match &row.id.key {
                RecordIdKey::Array(key) => match key.first() {
                    Some(Value::Number(Number::Int(number))) => position(*number)?,
                    _ => return Err(FarError::BadRow(reader.row)),
                },
                _ => return Err(FarError::BadRow(reader.row)),
            };
            // A newer engram has more words; the line counts all the same.
            let told = row.what.parse().ok();
            lines.push(FeedLine { number, told, key: row.key, gone: row.gone });
        }
        self.tell(lines.last().map_or(after, |line| line.number));
        Ok(lines)
    }

    pub(super) async fn read_memories(&self, ids: Vec<MemoryId>) -> Result<Vec<Memory>, FarError> {
        let mut memories = Vec::with_capacity(ids.len());
        for some in ids.chunks(PAGE) {
            let some: Vec<RecordId> = some.iter().copied().map(memory_record).collect();
            let rows = self.ask("SELECT * FROM $ids", [("ids", some.into_value())]).await?;
            memories.extend(self.readable(rows, MemoryRow::into_memory));
        }
        Ok(memories)
    }

    pub(super) async fn read_page(
        &self,
        before: Option<MemoryId>,
        limit: usize,
    ) -> Result<Vec<Memory>, FarError> {
        let limit = limit.min(PAGE);
        let mut memories = Vec::new();
        let mut before = before.map(String::from);
        // Fewer than were asked for is how the end is told; so what is passed over is
        // made up for.
        loop {
            // Between backticks, since a name of digits alone would be a number.
            let from = before.map_or_else(|| "memory".to_owned(), |key| format!("memory:..`{key}`"));
            let left = limit - memories.len();
            let text = format!("SELECT * FROM {from} ORDER BY id DESC LIMIT {left}");
            let rows: Vec<Value> = self.ask(&text, []).await?;
            let last = rows.last().filter(|_| rows.len() == left).map(name_of);
            memories.extend(self.readable(rows, MemoryRow::into_memory));
            let Some(last) = last.filter(|_| memories.len() < limit) else { return Ok(memories) };
            let key = last.strip_prefix("memory:").filter(|key| !key.contains(['`', '\\']));
            before = Some(key.ok_or_else(|| FarError::BadRow(last.clone()))?.to_owned());
        }
    }

    /// What of these rows can be read; what cannot is passed over.
    fn readable<R: SurrealValue, T>(
        &self,
        rows: Vec<Value>,
        read: impl Fn(R) -> Result<T, ReadError>,
    ) -> Vec<T> {
        let mut readable = Vec::with_capacity(rows.len());
        for row in rows {
            let name = name_of(&row);
            match R::from_value(row).ok().and_then(|row| read(row).ok()) {
                Some(noun) => readable.push(noun),
                None => self.pass_over(&name),
            }
        }
        readable
    }

    pub(super) async fn read_ties(&self, ids: Vec<MemoryId>) -> Result<Ties, FarError> {
        let (mut relations, mut reviews) = (Vec::new(), BTreeMap::new());
        for some in ids.chunks(PAGE) {
            let records: Vec<RecordId> = some.iter().copied().map(memory_record).collect();
            let text = "SELECT * FROM relates_to WHERE in IN $ids";
            let rows = self.ask(text, [("ids", records.into_value())]).await?;
            relations.extend(self.readable(rows, RelationRow::into_relation));
            let names: Vec<String> = some.iter().map(ToString::to_string).collect();
            let text = "SELECT * FROM review WHERE newer IN $ids OR older IN $ids";
            let rows = self.ask(text, [("ids", names.into_value())]).await?;
            let readable = self.readable(rows, ReviewRow::into_review);
            reviews.extend(readable.into_iter().map(|review| (review.id, review)));
        }
        relations.sort();
        relations.dedup();
        Ok((relations, reviews.into_values().collect()))
    }

    pub(super) async fn read_members(&self) -> Result<Vec<Member>, FarError> {
        let rows = self.ask("SELECT * FROM member", []).await?;
        let read = |row: MemberRow| {
            let reader = Reader { row: record_text(&row.id) };
            Ok(Member {
                id: reader.key(&row.id)?,
                handle: row.handle,
                role: reader.word::<Role>(&row.role)?,
                active: row.active,
                since: reader.moment(row.since)?,
            })
        };
        Ok(self.readable(rows, read))
    }

    pub(super) async fn read_proposals(&self) -> Result<Vec<Proposal>, FarError> {
        let rows = self.ask("SELECT * FROM proposal", []).await?;
        let read = |row: ProposalRow| {
            let reader = Reader { row: record_text(&row.id) };
            let mut memory = row.memory;
            memory.insert("id", RecordId { table: "memory".into(), key: row.id.key });
            let memory = MemoryRow::from_value(Value::Object(memory)).map_err(|error| reader.bad(error))?;
            Ok(Proposal {
                memory: memory.into_memory()?,
                corrects: match row.corrects {
                    Some(of) => Some((reader.word(&of.memory)?, reader.count(of.base)?)),
                    None => None,
                },
                at: reader.moment(row.at)?,
            })
        };
        Ok(self.readable(rows, read))
    }

    pub(super) async fn read_sighted(&self, prints: Vec<Print>) -> Result<Vec<(Print, usize)>, FarError> {
        let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for some in prints.chunks(PAGE) {
            let names: Vec<String> = some.iter().map(|print| print.0.clone()).collect();
            let text = "SELECT print, member FROM sighting WHERE print IN $prints";
            let rows: Vec<SightingRow> = self.ask(text, [("prints", names.into_value())]).await?;
            for row in rows {
                seen.entry(row.print).or_default().insert(row.member);
            }
        }
        Ok(prints
            .into_iter()
            .map(|print| {
                let count = seen.get(&print.0).map_or(0, BTreeSet::len);
                (print, count)
            })
            .collect())
    }

    /// Both indexes have a say: what stands high in either comes first.
    pub(super) async fn find(&self, asked: FarQuestion) -> Result<Vec<MemoryId>, FarError> {
        let limit = asked.limit.clamp(1, PAGE);
        let near = match asked.direction.as_slice() {
            [] => "[]".to_owned(),
            _ => format!(
                "(SELECT VALUE record::id(id) FROM (SELECT id, vector::distance::knn() AS away FROM search \
                 WHERE direction <|{limit},{}|> $direction ORDER BY away))",
                limit * 2
            ),
        };
        let worded = match asked.words.as_str() {
            "" => "[]".to_owned(),
            _ => format!(
                "(SELECT VALUE record::id(id) FROM (SELECT id, search::score(0) AS score FROM search \
                 WHERE words @0,OR@ $words ORDER BY score DESC LIMIT {limit}))"
            ),
        };
        let text = format!(
            "{{ IF !team:this.search {{ THROW '{REFUSED}its indexes are switched off' }}; \
             RETURN [{near}, {worded}] }}"
        );
        let direction: Vec<f64> = asked.direction.iter().copied().map(f64::from).collect();
        let given = [("direction", direction.into_value()), ("words", asked.words.into_value())];
        let lists: Vec<Vec<String>> = self.ask(&text, given).await?;
        let mut scores: BTreeMap<String, f64> = BTreeMap::new();
        for list in lists {
            for (rank, name) in (1_u32..).zip(list) {
                *scores.entry(name).or_default() += 1.0 / (60.0 + f64::from(rank));
            }
        }
        let mut found: Vec<(String, f64)> = scores.into_iter().collect();
        found.sort_by(|one, other| other.1.total_cmp(&one.1));
        let found = found.iter().filter_map(|(name, _)| name.parse().ok());
        Ok(found.take(limit).collect())
    }

    /// A page at a time: over all of them one statement could take longer than the
    /// server allows.
    pub(super) async fn read_unsearched(&self, after: Option<MemoryId>) -> Result<Unsearched, FarError> {
        let from = after.map_or_else(|| "memory".to_owned(), |id| format!("memory:`{id}`>.."));
        let text = format!(
            "SELECT record::id(id) AS name, content != '' \
             AND !record::exists(type::record('search', record::id(id))) AS missing FROM {from} LIMIT {PAGE}"
        );
        let rows: Vec<LookedRow> = self.ask(&text, []).await?;
        let id = |row: &LookedRow| row.name.parse().ok();
        let full = rows.len() == PAGE;
        Ok(Unsearched {
            unsearched: rows.iter().filter(|row| row.missing).filter_map(id).collect(),
            last: rows.iter().rev().find_map(id).filter(|_| full),
        })
    }

    pub(super) async fn read_charter(&self) -> Result<Charter, FarError> {
        let text = "SELECT name, review, rulers, search, pepper FROM team:this";
        let row: Option<TeamRow> = self.ask(text, []).await?.into_iter().next();
        let reader = Reader { row: "team:this".to_owned() };
        let row = row.ok_or_else(|| FarError::BadRow(reader.row.clone()))?;
        Ok(Charter {
            name: reader.word(&row.name).map_err(bad)?,
            review: reader.word(&row.review).map_err(bad)?,
            rulers: reader.word(&row.rulers).map_err(bad)?,
            search: row.search,
            pepper: row.pepper,
        })
    }
}

/// What a row is called, whatever else is in it.
fn name_of(row: &Value) -> String {
    match row {
        Value::Object(fields) => match fields.get("id") {
            Some(Value::RecordId(id)) => record_text(id),
            _ => "a row without a name".to_owned(),
        },
        _ => "a row without fields".to_owned(),
    }
}

fn position(number: i64) -> Result<Position, FarError> {
    u64::try_from(number).map(Position).map_err(|_| FarError::BadRow(format!("a place of {number}")))
}

fn bad(error: ReadError) -> FarError {
    FarError::BadRow(error.to_string())
}
