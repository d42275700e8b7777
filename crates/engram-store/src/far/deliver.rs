//! What a member asks the server to do: one transaction, its operation first.
//!
//! The server skips in silence what a member may not do. So every statement
//! counts what came of it, and a count that is wrong ends the transaction.

use super::FarTeam;
use super::read::{CorrectsRow, STILL_IN};
use crate::door::{CHANGED, MET, MOST_TRIES, Transaction, breath, first_cause};
use crate::row::{
    MemoryRow, RelationRow, memory_record, operation_record, record, relation_record, to_datetime,
};
use engram_core::decision::{Pair, Review};
use engram_core::team::port::{FarError, Searchable};
use engram_core::team::{Act, Deed, Delivery, Print, Proposal, Role, Sent, Stand};
use engram_core::{Actor, Cause, MemberId, MemoryId, OperationId, Relation, Similarity};
use surrealdb::types::{Array, Object, RecordId, RecordIdKey, SurrealValue, Value};

/// What the server says where a member may not do a thing.
pub(super) const REFUSED: &str = "engram refused: ";

impl FarTeam {
    pub(super) async fn send(&self, delivery: Delivery) -> Result<(), FarError> {
        self.run(Asked::of(&delivery)?.transaction, Some(delivery.operation)).await
    }

    pub(super) async fn send_searchable(&self, rows: Vec<Searchable>) -> Result<(), FarError> {
        let mut transaction = Transaction::default();
        transaction.say(STILL_IN.to_owned());
        let count = rows.len();
        let rows: Vec<Object> = rows.into_iter().map(search_row).collect();
        let rows = transaction.parameter(rows);
        transaction.say(format!(
            "IF array::len(INSERT INTO search ${rows} ON DUPLICATE KEY UPDATE words = $input.words, \
             direction = $input.direction RETURN id) != {count} {{ THROW '{REFUSED}search' }};"
        ));
        self.run(transaction, None).await
    }

    async fn run(&self, transaction: Transaction, operation: Option<OperationId>) -> Result<(), FarError> {
        let text = transaction.text();
        for meeting in 0.. {
            let query = self.db.query(text.as_str()).bind(transaction.parameters().clone());
            let mut answer = self.patience.limit(query).await?;
            let Some(error) = first_cause(&mut answer) else { return Ok(()) };
            if error.to_string().contains(MET) && meeting < MOST_TRIES {
                breath(u32::try_from(meeting).unwrap_or(u32::MAX)).await;
                continue;
            }
            return Err(why_not(&error, operation));
        }
        Ok(())
    }
}

fn why_not(error: &surrealdb::Error, operation: Option<OperationId>) -> FarError {
    let text = error.to_string();
    if let Some((_, id)) = text.split_once(CHANGED)
        && let Ok(id) = id.trim().parse()
    {
        return FarError::Conflict(id);
    }
    if error.is_already_exists() || text.contains("already exists") {
        if let Some(operation) = operation.filter(|_| text.contains("operation:")) {
            return FarError::AlreadyDone(operation);
        }
        // Somebody shared it before: whoever asks has not heard of that yet.
        let name = text.split("memory:").nth(1).and_then(|rest| rest.get(..26));
        if let Some(id) = name.and_then(|name| name.parse().ok()) {
            return FarError::Conflict(id);
        }
    }
    super::explain_far(error)
}

/// A delivery on its way to being text.
struct Asked<'a> {
    delivery: &'a Delivery,
    transaction: Transaction,
    acts: i64,
}

impl<'a> Asked<'a> {
    fn of(delivery: &'a Delivery) -> Result<Self, FarError> {
        let mut asked = Self { delivery, transaction: Transaction::default(), acts: 0 };
        asked.transaction.say(STILL_IN.to_owned());
        asked.operation();
        let mut writes = delivery.writes.as_slice();
        while let [first, rest @ ..] = writes {
            writes = rest;
            match first {
                Sent::Insert(memory) => {
                    let mut rows = vec![MemoryRow::from_memory(memory)];
                    while let [Sent::Insert(memory), rest @ ..] = writes {
                        rows.push(MemoryRow::from_memory(memory));
                        writes = rest;
                    }
                    let count = rows.len();
                    let rows = asked.transaction.parameter(rows);
                    asked.must(&format!("INSERT INTO memory ${rows} RETURN id"), count, "memory");
                }
                Sent::Replace { before, after } => {
                    asked.replace(*before, after.id, MemoryRow::from_memory(after))
                }
                Sent::Relate(relation) => {
                    let mut relations = vec![relation];
                    while let [Sent::Relate(relation), rest @ ..] = writes {
                        relations.push(relation);
                        writes = rest;
                    }
                    asked.relate(&relations);
                }
                Sent::Propose(proposal) => asked.propose(proposal)?,
                Sent::TakeBack { proposal } => {
                    let id = asked.transaction.parameter(record("proposal", proposal));
                    asked.must(&format!("DELETE ${id} RETURN BEFORE"), 1, "proposal");
                }
                Sent::Act(act) => asked.act(act)?,
                Sent::Sight(prints) => asked.sight(prints),
                Sent::Member { member, role, active } => asked.member(*member, *role, *active),
            }
        }
        Ok(asked)
    }

    /// Rows that are not there afterwards were refused.
    fn must(&mut self, statement: &str, count: usize, what: &str) {
        self.transaction.say(format!("IF array::len({statement}) != {count} {{ THROW '{REFUSED}{what}' }};"));
    }

    fn operation(&mut self) {
        let delivery = self.delivery;
        let mut memories: Vec<String> = delivery.writes.iter().flat_map(named).collect();
        memories.sort();
        memories.dedup();
        let mut row = Object::new();
        row.insert("cause", Cause::Sync.as_str());
        row.insert("actor", Actor::Human.as_str());
        row.insert("at", to_datetime(delivery.at));
        row.insert("memories", memories);
        row.insert("author", delivery.author.to_string());
        row.insert("inverse", "[]");
        let id = self.transaction.parameter(operation_record(delivery.operation));
        let row = self.transaction.parameter(row);
        self.must(&format!("CREATE ${id} CONTENT ${row} RETURN id"), 1, "operation");
    }

    fn replace(&mut self, before: u32, id: MemoryId, row: MemoryRow) {
        let record = self.transaction.parameter(memory_record(id));
        let row = self.transaction.parameter(row);
        let revision = self.transaction.parameter(i64::from(before));
        self.transaction.say(format!(
            "IF array::len(UPDATE ${record} CONTENT ${row} WHERE revision = ${revision} RETURN id) = 0 \
             {{ THROW '{CHANGED}{id}' }};"
        ));
    }

    /// An edge that is drawn already is as good.
    fn relate(&mut self, relations: &[&Relation]) {
        let rows: Vec<RelationRow> =
            relations.iter().map(|relation| RelationRow::from_relation(relation)).collect();
        let ids: Vec<RecordId> = relations.iter().map(|relation| relation_record(relation)).collect();
        let rows = self.transaction.parameter(rows);
        let ids = self.transaction.parameter(ids);
        self.transaction.say(format!("INSERT RELATION IGNORE INTO relates_to ${rows} RETURN NONE;"));
        self.must(&format!("SELECT VALUE id FROM ${ids}"), relations.len(), "relation");
    }

    fn propose(&mut self, proposal: &Proposal) -> Result<(), FarError> {
        let Value::Object(mut memory) = MemoryRow::from_memory(&proposal.memory).into_value() else {
            return Err(FarError::BadRow("a memory is no object".to_owned()));
        };
        memory.remove("id");
        let mut row = Object::new();
        row.insert("author", self.delivery.author.to_string());
        row.insert("memory", Value::Object(memory));
        let corrects = proposal.corrects.as_ref();
        row.insert(
            "corrects",
            corrects.map(|(of, base)| CorrectsRow { memory: of.to_string(), base: i64::from(*base) }),
        );
        row.insert("at", to_datetime(proposal.at));
        let id = self.transaction.parameter(record("proposal", proposal.memory.id));
        let row = self.transaction.parameter(row);
        self.must(&format!("CREATE ${id} CONTENT ${row} RETURN id"), 1, "proposal");
        Ok(())
    }

    fn act(&mut self, act: &Act) -> Result<(), FarError> {
        let mut row = Object::new();
        row.insert("by", self.delivery.author.to_string());
        row.insert("at", to_datetime(self.delivery.at));
        row.insert("reason", act.reason.clone());
        let what = match &act.deed {
            Deed::Challenge { review } => {
                row.insert("review", review_of(review)?);
                "challenge"
            }
            Deed::Rule { reviews, ruling, stands } => {
                row.insert("reviews", reviews.iter().map(ToString::to_string).collect::<Vec<_>>());
                row.insert("ruling", ruling.as_str());
                row.insert("stands", stands.iter().map(stand).collect::<Vec<_>>());
                "rule"
            }
            Deed::Withdraw { memory } => {
                row.insert("about", memory_record(*memory));
                "withdraw"
            }
            Deed::Approve { proposal } => {
                row.insert("proposal", record("proposal", proposal));
                "approve"
            }
            Deed::Refuse { proposal } => {
                row.insert("proposal", record("proposal", proposal));
                "refuse"
            }
        };
        row.insert("what", what);
        let name = vec![Value::String(self.delivery.operation.to_string()), self.acts.into_value()];
        self.acts += 1;
        let id = RecordId { table: "act".into(), key: RecordIdKey::Array(Array::from(name)) };
        let id = self.transaction.parameter(id);
        let row = self.transaction.parameter(row);
        self.must(&format!("CREATE ${id} CONTENT ${row} RETURN id"), 1, what);
        Ok(())
    }

    /// What this member has seen before stays as it is.
    fn sight(&mut self, prints: &[Print]) {
        let by = self.delivery.author.to_string();
        let mut prints: Vec<&str> = prints.iter().map(|print| print.0.as_str()).collect();
        prints.sort_unstable();
        prints.dedup();
        let mut ids = Vec::new();
        let mut rows = Vec::new();
        for print in prints {
            let name = [print.to_owned(), by.clone()].map(Value::String);
            let key = RecordIdKey::Array(Array::from(name.to_vec()));
            let id = RecordId { table: "sighting".into(), key };
            let mut row = Object::new();
            row.insert("id", id.clone());
            row.insert("print", print.to_owned());
            row.insert("member", by.clone());
            row.insert("at", to_datetime(self.delivery.at));
            ids.push(id);
            rows.push(row);
        }
        let count = rows.len();
        let ids = self.transaction.parameter(ids);
        let rows = self.transaction.parameter(rows);
        self.transaction.say(format!("INSERT IGNORE INTO sighting ${rows} RETURN NONE;"));
        self.must(&format!("SELECT VALUE id FROM ${ids}"), count, "sighting");
    }

    fn member(&mut self, member: MemberId, role: Role, active: bool) {
        let id = self.transaction.parameter(record("member", member));
        let role = self.transaction.parameter(role.as_str());
        let active = self.transaction.parameter(active);
        self.must(&format!("UPDATE ${id} SET role = ${role}, active = ${active} RETURN id"), 1, "member");
    }
}

/// The memories that a write is about.
fn named(sent: &Sent) -> Vec<String> {
    let ids: Vec<MemoryId> = match sent {
        Sent::Insert(memory) | Sent::Replace { after: memory, .. } => vec![memory.id],
        Sent::Propose(proposal) => vec![proposal.memory.id],
        Sent::TakeBack { proposal } => vec![*proposal],
        Sent::Act(act) => match &act.deed {
            Deed::Challenge { review } => match review.pair {
                Pair::Memories { newer, older } => vec![newer, older],
                Pair::Entities { .. } => Vec::new(),
            },
            Deed::Rule { stands, .. } => stands.iter().map(|stand| stand.memory).collect(),
            Deed::Withdraw { memory } => vec![*memory],
            Deed::Approve { proposal } | Deed::Refuse { proposal } => vec![*proposal],
        },
        Sent::Relate(_) | Sent::Sight(_) | Sent::Member { .. } => Vec::new(),
    };
    ids.into_iter().map(String::from).collect()
}

fn search_row(told: Searchable) -> Object {
    let direction: Vec<f64> = told.direction.into_iter().map(f64::from).collect();
    let mut row = Object::new();
    row.insert("id", record("search", told.memory));
    row.insert("words", told.words);
    row.insert("direction", direction);
    row
}

fn review_of(review: &Review) -> Result<Object, FarError> {
    let Pair::Memories { newer, older } = review.pair else {
        return Err(FarError::Refused("a team decides about memories only".to_owned()));
    };
    let mut row = Object::new();
    row.insert("key", review.id.to_string());
    row.insert("newer", newer.to_string());
    row.insert("older", older.to_string());
    row.insert("reason", review.reason.clone());
    row.insert("similarity", review.similarity.map(Similarity::get));
    row.insert("opened_at", to_datetime(review.opened_at));
    Ok(row)
}

fn stand(stand: &Stand) -> Object {
    let mut row = Object::new();
    row.insert("memory", stand.memory.to_string());
    row.insert("status", stand.status.as_str());
    row.insert("revision", i64::from(stand.revision));
    row
}
