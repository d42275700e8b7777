//! The port to the team's server, as one member sees it.
//!
//! Every call ends: whoever answers it sets a limit to its own waiting. A row that
//! cannot be read, because somebody wrote it by hand or with a newer engram, counts
//! as not there: it would stop everybody else.

use super::{Charter, Delivery, FeedLine, Head, Member, Position, Print, Proposal};
use crate::decision::Review;
use crate::id::{MemoryId, OperationId};
use crate::memory::{Memory, Relation};
use crate::port::Pending;
use std::time::Duration;

/// Relations, and reviews.
pub type Ties = (Vec<Relation>, Vec<Review>);

/// The server, as far as this member may see it.
pub trait Far: Send + Sync {
    /// What the team has agreed on, as it is now.
    fn charter(&self) -> Pending<'_, Result<Charter, FarError>>;

    fn head(&self) -> Pending<'_, Result<Head, FarError>>;

    /// The lines after this place, in their order, without a gap.
    fn feed(&self, after: Position, limit: usize) -> Pending<'_, Result<Vec<FeedLine>, FarError>>;

    /// Those of them that are there.
    fn load(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Vec<Memory>, FarError>>;

    /// All that is shared, the newest first, from behind this one on.
    fn page(&self, before: Option<MemoryId>, limit: usize) -> Pending<'_, Result<Vec<Memory>, FarError>>;

    /// The relations from these memories, and the reviews that they are in.
    fn ties(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Ties, FarError>>;

    fn members(&self) -> Pending<'_, Result<Vec<Member>, FarError>>;

    /// What waits to be approved, as far as this member may see it.
    fn proposals(&self) -> Pending<'_, Result<Vec<Proposal>, FarError>>;

    /// How many members each was seen by.
    fn sighted(&self, prints: Vec<Print>) -> Pending<'_, Result<Vec<(Print, usize)>, FarError>>;

    /// Returns when it is durable there. The same operation is done once.
    fn deliver(&self, delivery: Delivery) -> Pending<'_, Result<(), FarError>>;

    /// What the server's own indexes find, best first.
    fn search(&self, asked: FarQuestion) -> Pending<'_, Result<Vec<MemoryId>, FarError>>;

    /// Looks through some of what is shared, by identifier, from behind this one
    /// on, for what the server's indexes know nothing of.
    fn unsearched(&self, after: Option<MemoryId>) -> Pending<'_, Result<Unsearched, FarError>>;

    /// Has the server's indexes find these, in the place of what they knew of them.
    fn keep_searchable(&self, rows: Vec<Searchable>) -> Pending<'_, Result<(), FarError>>;

    /// Until the feed has grown, the connection ends, or the patience does.
    fn wait(&self, patience: Duration) -> Pending<'_, Result<(), FarError>>;

    /// The names of the rows that could not be read since this was asked last, each
    /// told once.
    fn take_unread(&self) -> Vec<String>;
}

/// What the server's indexes are told of a memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Searchable {
    pub memory: MemoryId,
    /// As our own analysis cuts it, joined by blanks.
    pub words: String,
    /// By the built-in embedder, which everybody has.
    pub direction: Vec<f32>,
}

impl Searchable {
    /// Nothing to be found by.
    pub fn emptied(self) -> Self {
        let direction = vec![1.0; self.direction.len()];
        Self { words: String::new(), direction, ..self }
    }
}

/// A part of what is shared that was looked through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unsearched {
    /// What the indexes do not know of it.
    pub unsearched: Vec<MemoryId>,
    /// The last that was looked at. None: there is nothing behind it.
    pub last: Option<MemoryId>,
}

/// What the server's indexes are asked.
#[derive(Debug, Clone, PartialEq)]
pub struct FarQuestion {
    /// As our own analysis cuts it, joined by blanks.
    pub words: String,
    /// By the built-in embedder, which everybody has.
    pub direction: Vec<f32>,
    pub limit: usize,
}

/// Why the server did not do it, by what can be done about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FarError {
    #[error("the team's server cannot be reached ({0})")]
    Unreachable(String),
    #[error("the team's server does not let this machine in ({0})")]
    Denied(String),
    #[error("the time of this sign-in is over")]
    Expired,
    #[error("the team's server has schema {found}; ask your operator for `engram team upgrade`")]
    Behind { found: i64 },
    #[error("the team's server has schema {found}, newer than this engram")]
    FromTheFuture { found: i64 },
    #[error("memory {0} was changed in the meantime")]
    Conflict(MemoryId),
    #[error("operation {0} was done before")]
    AlreadyDone(OperationId),
    #[error("the team's server refused it ({0})")]
    Refused(String),
    #[error("the team's server answered something that cannot be read ({0})")]
    BadRow(String),
}

impl FarError {
    /// The same call may be answered later.
    pub const fn is_passing(&self) -> bool {
        matches!(self, FarError::Unreachable(_) | FarError::Expired)
    }
}
