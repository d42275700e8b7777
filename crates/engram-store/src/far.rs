//! The team's server behind the `Far` port.
//!
//! The client below reconnects for ever and waits for ever: a hung server is
//! never noticed by it. So every call has a limit here, and after any trouble
//! the whole handle is dropped and made anew by whoever holds it.

pub(crate) mod connect;
mod deliver;
mod live;
mod read;
pub(crate) mod sign;

use self::connect::{TeamAddress, connect};
use self::deliver::REFUSED;
use self::sign::{hash_of, sign_in};
use crate::door::MET;
use crate::migrate::Place;
use crate::row::{record, to_datetime};
use engram_core::port::Pending;
use engram_core::team::port::{Far, FarError, FarQuestion, Searchable, Ties, Unsearched};
use engram_core::team::{Charter, Delivery, FeedLine, Head, Member, Position, Print, Proposal, Role};
use engram_core::{MemberId, Memory, MemoryId, Timestamp};
use std::collections::BTreeSet;
use std::fmt;
use std::pin::Pin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use surrealdb::Surreal;
use surrealdb::engine::any::Any;
use surrealdb::types::{Duration as StoredDuration, NotAllowedError, Object, SurrealValue};
use tokio::time::{Sleep, sleep};

/// How long to wait for the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// For the answer to one call.
    pub call: Duration,
    /// Between two looks at the feed, where nobody wakes us.
    pub poll: Duration,
}

/// The server, to one member at one machine, for the time of one sign-in.
pub struct FarTeam {
    db: Surreal<Any>,
    member: MemberId,
    patience: Patience,
    /// Runs out before the session's own end, after which nothing is told any more.
    ends: Mutex<Pin<Box<Sleep>>>,
    /// One more than the place up to which the feed was read; 0: it was not.
    told: AtomicU64,
    unread: Mutex<Unread>,
}

/// The rows that were passed over.
#[derive(Default)]
struct Unread {
    known: BTreeSet<String>,
    /// Those of them that nobody has been told of.
    new: Vec<String>,
}

/// So many of them are told apart; whoever sees that many has seen enough.
const MOST_UNREAD: usize = 100;
/// A row may have a name as long as somebody likes.
const LONGEST_NAME: usize = 80;

impl fmt::Debug for FarTeam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FarTeam({})", self.member)
    }
}

#[derive(SurrealValue)]
struct Opened {
    member: String,
    number: Option<i64>,
    session: StoredDuration,
}

impl FarTeam {
    /// Signs in with a seat's key, and looks whether both sides mean the same.
    pub async fn open(
        address: &TeamAddress,
        secret: &str,
        member: MemberId,
        patience: Patience,
    ) -> Result<Self, FarError> {
        let db = connect(address, patience).await?;
        sign_in(&db, address, secret, patience).await?;
        let (told, unread) = (AtomicU64::new(0), Mutex::default());
        // It is not known yet how long a session lasts here.
        let ends = Mutex::new(Box::pin(sleep(Duration::ZERO)));
        let far = Self { db, member, patience, ends, told, unread };
        let opened = far.opened().await?;
        if opened.member != member.to_string() {
            return Err(FarError::Denied("this key is another member's".to_owned()));
        }
        let (found, known) = (opened.number.unwrap_or(0), Place::SERVED.newest());
        if found < known {
            return Err(FarError::Behind { found });
        }
        if found > known {
            return Err(FarError::FromTheFuture { found });
        }
        // Counts from here on; the session began a little earlier.
        let ends = Mutex::new(Box::pin(sleep(opened.session.into_inner() * 3 / 4)));
        Ok(Self { ends, ..far })
    }

    async fn opened(&self) -> Result<Opened, FarError> {
        let text = "SELECT record::id($auth) AS member, array::max((SELECT VALUE number FROM migration)) \
                    AS number, session FROM team:this";
        let rows: Vec<Opened> = self.ask(text, []).await?;
        rows.into_iter().next().ok_or_else(|| FarError::BadRow("team:this".to_owned()))
    }

    /// One more may join, in this role, with the code that has this hash.
    pub async fn invite(&self, code_hash: &str, role: Role, at: Timestamp) -> Result<(), FarError> {
        let mut row = Object::new();
        row.insert("role", role.as_str());
        row.insert("by", self.member.to_string());
        row.insert("since", to_datetime(at));
        let given = [("id", record("invitation", code_hash).into_value()), ("row", row.into_value())];
        let made: Vec<surrealdb::types::Value> = self.ask("CREATE $id CONTENT $row RETURN id", given).await?;
        self.counted(&made, "only a maintainer invites")
    }

    /// Gives up this machine's seat. What was shared stays shared.
    pub async fn leave(&self, secret: &str) -> Result<(), FarError> {
        let seat = record("seat", hash_of(secret)).into_value();
        let gone: Vec<surrealdb::types::Value> = self.ask("DELETE $id RETURN BEFORE", [("id", seat)]).await?;
        self.counted(&gone, "this is not a seat of theirs")
    }

    fn counted(&self, rows: &[surrealdb::types::Value], otherwise: &str) -> Result<(), FarError> {
        if rows.is_empty() { Err(FarError::Refused(otherwise.to_owned())) } else { Ok(()) }
    }

    /// Any statement at all, as this member, for tests that try to get around
    /// the port. Returns what the last one answered, as text.
    #[doc(hidden)]
    pub async fn run_raw(&self, text: &str) -> Result<String, String> {
        crate::served::raw(&self.db, text).await
    }

    /// A row that cannot be read is passed over and told of by its name alone.
    fn pass_over(&self, row: &str) {
        let name: String = row.chars().take(LONGEST_NAME).collect();
        let mut unread = self.unread.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if unread.known.len() < MOST_UNREAD && unread.known.insert(name.clone()) {
            unread.new.push(name);
        }
    }

    fn told(&self) -> Option<Position> {
        self.told.load(Ordering::Acquire).checked_sub(1).map(Position)
    }

    fn tell(&self, position: Position) {
        self.told.fetch_max(position.0.saturating_add(1), Ordering::AcqRel);
    }
}

impl Far for FarTeam {
    fn charter(&self) -> Pending<'_, Result<Charter, FarError>> {
        Box::pin(self.read_charter())
    }

    fn head(&self) -> Pending<'_, Result<Head, FarError>> {
        Box::pin(self.read_head())
    }

    fn feed(&self, after: Position, limit: usize) -> Pending<'_, Result<Vec<FeedLine>, FarError>> {
        Box::pin(self.read_feed(after, limit))
    }

    fn load(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Vec<Memory>, FarError>> {
        Box::pin(self.read_memories(ids))
    }

    fn page(&self, before: Option<MemoryId>, limit: usize) -> Pending<'_, Result<Vec<Memory>, FarError>> {
        Box::pin(self.read_page(before, limit))
    }

    fn ties(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Ties, FarError>> {
        Box::pin(self.read_ties(ids))
    }

    fn members(&self) -> Pending<'_, Result<Vec<Member>, FarError>> {
        Box::pin(self.read_members())
    }

    fn proposals(&self) -> Pending<'_, Result<Vec<Proposal>, FarError>> {
        Box::pin(self.read_proposals())
    }

    fn sighted(&self, prints: Vec<Print>) -> Pending<'_, Result<Vec<(Print, usize)>, FarError>> {
        Box::pin(self.read_sighted(prints))
    }

    fn deliver(&self, delivery: Delivery) -> Pending<'_, Result<(), FarError>> {
        Box::pin(self.send(delivery))
    }

    fn search(&self, asked: FarQuestion) -> Pending<'_, Result<Vec<MemoryId>, FarError>> {
        Box::pin(self.find(asked))
    }

    fn unsearched(&self, after: Option<MemoryId>) -> Pending<'_, Result<Unsearched, FarError>> {
        Box::pin(self.read_unsearched(after))
    }

    fn keep_searchable(&self, rows: Vec<Searchable>) -> Pending<'_, Result<(), FarError>> {
        Box::pin(self.send_searchable(rows))
    }

    fn wait(&self, patience: Duration) -> Pending<'_, Result<(), FarError>> {
        Box::pin(self.wait_for_more(patience))
    }

    fn take_unread(&self) -> Vec<String> {
        let mut unread = self.unread.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        std::mem::take(&mut unread.new)
    }
}

/// What the server says where somebody is not let in.
const DENIED: &str = "engram denied: ";

/// What an error of the client means for whoever asked.
pub(crate) fn explain_far(error: &surrealdb::Error) -> FarError {
    use surrealdb::types::AuthError;
    let text = error.to_string();
    if let Some((_, why)) = text.split_once(DENIED) {
        return FarError::Denied(why.to_owned());
    }
    if let Some((_, why)) = text.split_once(REFUSED) {
        return FarError::Refused(why.to_owned());
    }
    // What the server ran out of time for, or could not keep, it may do the next time.
    let passing = [MET, "IO error", "exceeded the timeout", "not executed", "datastore"];
    if error.is_connection() || passing.iter().any(|word| text.contains(word)) {
        return FarError::Unreachable(text);
    }
    match error.not_allowed_details() {
        Some(NotAllowedError::Auth(AuthError::SessionExpired | AuthError::TokenExpired)) => FarError::Expired,
        Some(_) => FarError::Denied(text),
        None => FarError::Refused(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surrealdb::types::{AuthError, Error};

    #[test]
    fn an_error_says_what_can_be_done_about_it() {
        let event = "Error while processing event x: An error occurred: ";
        let refused = |why: &str| FarError::Refused(why.to_owned());
        let denied = |why: &str| FarError::Denied(why.to_owned());
        let told = |text: &str| explain_far(&Error::internal(text.to_owned()));
        assert_eq!(told(&format!("{event}engram refused: ruling")), refused("ruling"));
        assert_eq!(told("An error occurred: engram denied: no such seat"), denied("no such seat"));
        assert_eq!(told("Found 'x' for field `kind`"), refused("Found 'x' for field `kind`"));
        for passing in [
            "Transaction conflict: write. This transaction can be retried",
            "The query was not executed because it exceeded the timeout: 10s",
            "The query was not executed due to a failed transaction",
            "WebSocket error: IO error: broken pipe",
        ] {
            assert!(told(passing).is_passing(), "{passing}");
        }
        let over = Error::not_allowed("over".to_owned(), NotAllowedError::Auth(AuthError::SessionExpired));
        assert_eq!(explain_far(&over), FarError::Expired);
        let shut = Error::not_allowed("no".to_owned(), NotAllowedError::Auth(AuthError::InvalidAuth));
        assert_eq!(explain_far(&shut), denied("no"));
    }
}
