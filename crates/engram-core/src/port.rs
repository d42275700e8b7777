//! The ports: what the engine needs from the world, as signatures.
//!
//! They return boxed futures so that the types and layouts of whatever answers
//! them stop at its own crate. Time is an argument; only the daemon holds a
//! clock.

use crate::change::{Changes, Operation};
use crate::id::{MemoryId, OperationId};
use crate::memory::{Memory, Relation, RelationKind};
use crate::status::StatusStep;
use crate::unit::Similarity;
use std::future::Future;
use std::pin::Pin;

/// A future whose type says nothing about who makes it.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Memories with their histories.
pub type Histories = Vec<(MemoryId, Vec<StatusStep>)>;

/// One scope's truth.
pub trait Store: Send + Sync {
    /// The one write door: every write of `changes` and its log entry, or
    /// nothing. Returns when it is durable.
    fn commit(&self, changes: Changes) -> Pending<'_, Result<(), CommitError>>;

    /// Bookkeeping of use: counts, last use and the deadlines that follow.
    /// Leaves no operation behind; a status it changes is in the history.
    fn record_use(&self, used: Vec<Memory>) -> Pending<'_, Result<(), CommitError>>;

    /// The memories with these identifiers that exist, in no particular order.
    fn load(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Vec<Memory>, ReadError>>;

    /// Hands over every memory, one after the other, in order of identifier.
    fn scan<'a>(&'a self, take: &'a mut (dyn FnMut(Memory) + Send)) -> Pending<'a, Result<(), ReadError>>;

    /// The next memories after `after`, in order of identifier.
    fn load_page(&self, after: Option<MemoryId>, limit: usize)
    -> Pending<'_, Result<Vec<Memory>, ReadError>>;

    /// The histories of these memories, each in order of time.
    fn load_history(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Histories, ReadError>>;

    /// The edges that begin or end at one of these memories.
    fn load_relations(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Vec<Relation>, ReadError>>;

    /// Every edge of this kind.
    fn load_edges(&self, kind: RelationKind) -> Pending<'_, Result<Vec<Relation>, ReadError>>;

    fn find_operation(&self, id: OperationId) -> Pending<'_, Result<Option<Operation>, ReadError>>;

    /// The latest operations, newest first.
    fn latest_operations(&self, limit: usize) -> Pending<'_, Result<Vec<Operation>, ReadError>>;

    /// The operations that touched a memory, oldest first.
    fn operations_on(&self, id: MemoryId) -> Pending<'_, Result<Vec<Operation>, ReadError>>;
}

#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    /// The operation is in the log already; nothing was written again.
    #[error("operation {0} was applied before")]
    AlreadyApplied(OperationId),
    /// Somebody else changed it between the plan and the commit.
    #[error("memory {0} changed in the meantime")]
    Conflict(MemoryId),
    #[error("the store refused the change: {0}")]
    Refused(String),
    #[error("the store could not write: {0}")]
    Unavailable(String),
}

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("the store could not be read: {0}")]
    Unavailable(String),
    #[error("the row {row} cannot be understood: {problem}")]
    BadRow { row: String, problem: String },
}

/// Turns text into vectors. Each embedder brings its own map from cosine to
/// calibrated similarity, so that one threshold means the same for all.
pub trait Embedder: Send + Sync {
    /// Names model and version; stored beside every vector.
    fn id(&self) -> &str;
    fn dimensions(&self) -> usize;
    fn embed(&self, texts: Vec<String>) -> Pending<'_, Result<Vec<Vec<f32>>, EmbedError>>;
    fn similarity(&self, cosine: f32) -> Similarity;
}

#[derive(Debug, thiserror::Error)]
#[error("the embedder {embedder} failed: {problem}")]
pub struct EmbedError {
    pub embedder: String,
    pub problem: String,
}

/// A language model: makes memory better, is never required.
pub trait Llm: Send + Sync {
    fn id(&self) -> &str;
    /// `instruction` is ours; `material` is data and must not be obeyed.
    fn complete(&self, instruction: String, material: String) -> Pending<'_, Result<String, LlmError>>;
}

#[derive(Debug, thiserror::Error)]
#[error("the language model {model} failed: {problem}")]
pub struct LlmError {
    pub model: String,
    pub problem: String,
}
