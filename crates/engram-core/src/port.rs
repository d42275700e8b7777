//! The ports: what the engine needs from the world, as signatures.
//!
//! They return boxed futures so that the types and layouts of whatever answers
//! them stop at its own crate. Time is an argument; only the daemon holds a
//! clock.

use crate::change::{Cause, Changes, Operation};
use crate::decision::{Decision, Review};
use crate::dream::{Awaiting, ConsolidationLogged, ConsolidationRequest, CrossProjectPattern, Dream, Part};
use crate::drift::{Claim, Finding};
use crate::evolve::EvolutionLogged;
use crate::graph::Bond;
use crate::id::{MemoryId, OperationId, RecallId, SessionId, TurnId};
use crate::law::LogsKept;
use crate::learn::{Learned, WeightChange};
use crate::link::{KnownEntity, Mention};
use crate::memory::{Memory, Relation};
use crate::recalled::{RecallLogged, RecallSettled};
use crate::reflect::{Insight, ReflectionLogged};
use crate::status::StatusStep;
use crate::team::{Outgoing, Position, Waiting};
use crate::turn::Turn;
use crate::unit::Similarity;
use crate::used::{Promotion, Usage};
use crate::vector::StoredVector;
use jiff::Timestamp;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// A future whose type says nothing about who makes it.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Memories with their histories.
pub type Histories = Vec<(MemoryId, Vec<StatusStep>)>;

/// One scope's truth.
pub trait Store: Send + Sync {
    /// The one write door: every write of `changes`, its log entry and the
    /// vectors of its new texts, or nothing. Returns when it is durable. A
    /// memory whose text changes loses the vectors it had.
    fn commit(&self, changes: Changes, vectors: Vec<StoredVector>) -> Pending<'_, Result<(), CommitError>>;

    /// Keeps vectors of texts that are there already. One whose memory is gone
    /// is left out.
    fn keep_vectors(&self, vectors: Vec<StoredVector>) -> Pending<'_, Result<(), CommitError>>;

    /// Hands over every vector, whichever embedder made it.
    fn scan_vectors<'a>(
        &'a self,
        take: &'a mut (dyn FnMut(StoredVector) + Send),
    ) -> Pending<'a, Result<(), ReadError>>;

    /// Lets go of the vectors of this embedder.
    fn drop_vectors(&self, embedder: String) -> Pending<'_, Result<(), CommitError>>;

    /// Keeps what was asked and shown. A recall that is there stays as it is.
    fn log_recalls(&self, recalls: Vec<RecallLogged>) -> Pending<'_, Result<(), CommitError>>;

    /// Takes the words out of everything that repeats the text of these
    /// memories, wherever they are themselves: recalls that found them, the
    /// turns they were made of, what was decided about them and how they
    /// evolved. Insights that rest on them, or on such a recall, go.
    fn scrub(&self, purged: Vec<MemoryId>, evidence: Vec<TurnId>) -> Pending<'_, Result<(), CommitError>>;

    /// The latest recalls that are named before this one, newest first.
    fn recalls_before(
        &self,
        before: Option<RecallId>,
        limit: usize,
    ) -> Pending<'_, Result<Vec<RecallLogged>, ReadError>>;

    /// The latest recalls, newest first.
    fn latest_recalls(&self, limit: usize) -> Pending<'_, Result<Vec<RecallLogged>, ReadError>> {
        self.recalls_before(None, limit)
    }

    fn find_recall(&self, id: RecallId) -> Pending<'_, Result<Option<RecallLogged>, ReadError>>;

    /// The recalls since this moment, oldest first; of more than `limit` the
    /// latest.
    fn recalls_since(
        &self,
        since: Timestamp,
        limit: usize,
    ) -> Pending<'_, Result<Vec<RecallLogged>, ReadError>>;

    /// The recalls of one session since this moment, oldest first; of more than
    /// `limit` the latest.
    fn recalls_in(
        &self,
        session: SessionId,
        since: Timestamp,
        limit: usize,
    ) -> Pending<'_, Result<Vec<RecallLogged>, ReadError>>;

    /// Keeps what became of recalls. One that is gone is passed over.
    fn settle_recalls(&self, settled: Vec<RecallSettled>) -> Pending<'_, Result<(), CommitError>>;

    /// Bookkeeping of evidence: usages, and the utility of `judged`. Leaves no
    /// operation behind and raises no revision. A usage that is there stays as
    /// it is.
    fn record_evidence(
        &self,
        usages: Vec<Usage>,
        judged: Vec<Memory>,
    ) -> Pending<'_, Result<(), CommitError>>;

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

    /// Every edge.
    fn load_edges(&self) -> Pending<'_, Result<Vec<Relation>, ReadError>>;

    fn find_operation(&self, id: OperationId) -> Pending<'_, Result<Option<Operation>, ReadError>>;

    /// The latest operations before this one, newest first: of these causes, or
    /// of any where none is named. What is a part of another is not told.
    fn operations_before(
        &self,
        before: Option<OperationId>,
        causes: Vec<Cause>,
        limit: usize,
    ) -> Pending<'_, Result<Vec<Operation>, ReadError>>;

    /// The latest operations, newest first.
    fn latest_operations(&self, limit: usize) -> Pending<'_, Result<Vec<Operation>, ReadError>> {
        self.operations_before(None, Vec::new(), limit)
    }

    /// The operations that touched a memory, oldest first.
    fn operations_on(&self, id: MemoryId) -> Pending<'_, Result<Vec<Operation>, ReadError>>;

    /// The turns with these identifiers that are kept, oldest first.
    fn load_turns(&self, ids: Vec<TurnId>) -> Pending<'_, Result<Vec<Turn>, ReadError>>;

    /// The turns from before this moment that were read and still have their
    /// words, oldest first.
    fn worded_turns_before(&self, moment: Timestamp) -> Pending<'_, Result<Vec<TurnId>, ReadError>>;

    /// The turns that nobody has read yet, oldest first.
    fn unread_turns(&self) -> Pending<'_, Result<Vec<Turn>, ReadError>>;

    /// The latest turns of a session, or of those without one, newest first.
    fn latest_turns(
        &self,
        session: Option<SessionId>,
        limit: usize,
    ) -> Pending<'_, Result<Vec<Turn>, ReadError>>;

    /// What was decided that made or changed this memory, or held something
    /// against it, oldest first.
    fn decisions_on(&self, id: MemoryId) -> Pending<'_, Result<Vec<Decision>, ReadError>>;

    /// What went up from this session to this store, oldest first.
    fn promotions_from(&self, session: SessionId) -> Pending<'_, Result<Vec<Promotion>, ReadError>>;

    /// How using a memory went, oldest first.
    fn usage_of(&self, id: MemoryId) -> Pending<'_, Result<Vec<Usage>, ReadError>>;

    /// How using any memory went since this moment, oldest first.
    fn usages_since(&self, since: Timestamp) -> Pending<'_, Result<Vec<Usage>, ReadError>>;

    /// Everything that was learned, in order of its key.
    fn load_learned(&self) -> Pending<'_, Result<Vec<Learned>, ReadError>>;

    /// The latest changes of what was learned, newest first. Each is told by the
    /// commit that made it.
    fn weight_history(&self, limit: usize) -> Pending<'_, Result<Vec<WeightChange>, ReadError>>;

    /// What evolved since this moment, newest first.
    fn latest_evolved(&self, since: Timestamp) -> Pending<'_, Result<Vec<EvolutionLogged>, ReadError>>;

    /// What one operation let evolve, in its order.
    fn evolved_by(&self, operation: OperationId) -> Pending<'_, Result<Vec<EvolutionLogged>, ReadError>>;

    /// Every insight, open or closed, in order of its name.
    fn load_insights(&self) -> Pending<'_, Result<Vec<Insight>, ReadError>>;

    /// The latest reflections, newest first.
    fn latest_reflections(&self, limit: usize) -> Pending<'_, Result<Vec<ReflectionLogged>, ReadError>>;

    /// Every pair that somebody had to decide about, oldest first.
    fn load_reviews(&self) -> Pending<'_, Result<Vec<Review>, ReadError>>;

    /// Every thing with a name.
    fn load_entities(&self) -> Pending<'_, Result<Vec<KnownEntity>, ReadError>>;

    /// What these memories name.
    fn load_mentions(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Vec<Mention>, ReadError>>;

    /// What every memory names.
    fn all_mentions(&self) -> Pending<'_, Result<Vec<Mention>, ReadError>>;

    /// How the things with a name are bound to each other.
    fn load_bonds(&self) -> Pending<'_, Result<Vec<Bond>, ReadError>>;

    /// Keeps the plan of a dream, whole or not at all: it can be gone on with
    /// from here, whatever happens. Returns when it is durable.
    fn keep_plan(&self, dream: Dream, parts: Vec<Part>) -> Pending<'_, Result<(), CommitError>>;

    /// The next part that is planned and not done. Each is let go of in the
    /// same change that does it.
    fn next_part(&self, dream: OperationId) -> Pending<'_, Result<Option<Part>, ReadError>>;

    /// The latest dreams, newest first; one that is not finished comes first.
    fn latest_dreams(&self, limit: usize) -> Pending<'_, Result<Vec<Dream>, ReadError>>;

    /// What was done as a part of this operation, in that order.
    fn parts_done(&self, whole: OperationId) -> Pending<'_, Result<Vec<Operation>, ReadError>>;

    /// What waits for somebody to sum it up, oldest first.
    fn awaiting(&self) -> Pending<'_, Result<Vec<Awaiting>, ReadError>>;

    /// The latest things that were made of others, newest first.
    fn latest_consolidations(&self, limit: usize)
    -> Pending<'_, Result<Vec<ConsolidationLogged>, ReadError>>;

    /// The requests to sum up what there is too much of, oldest first.
    fn load_requests(&self) -> Pending<'_, Result<Vec<ConsolidationRequest>, ReadError>>;

    /// What several projects have come to.
    fn load_patterns(&self) -> Pending<'_, Result<Vec<CrossProjectPattern>, ReadError>>;

    /// What is still to be said to the team's server and what it refused, in
    /// the order in which it was queued: the order of the commits, which no clock
    /// changes. A line that is queued again keeps its place.
    fn outgoing(&self, limit: usize) -> Pending<'_, Result<Vec<Outgoing>, ReadError>> {
        let _ = limit;
        Box::pin(async { Ok(Vec::new()) })
    }

    /// All that is still to be said, in the same order.
    fn waiting(&self) -> Pending<'_, Result<Vec<Waiting>, ReadError>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    /// One line of the outbox.
    fn find_outgoing(&self, operation: OperationId) -> Pending<'_, Result<Option<Outgoing>, ReadError>> {
        let _ = operation;
        Box::pin(async { Ok(None) })
    }

    /// How many lines the outbox has, those that were refused as well.
    fn count_outgoing(&self) -> Pending<'_, Result<usize, ReadError>> {
        Box::pin(async { Ok(0) })
    }

    /// How far the team's feed was taken in. None: never yet.
    fn heard(&self) -> Pending<'_, Result<Option<Position>, ReadError>> {
        Box::pin(async { Ok(None) })
    }

    /// How many of the team's memories this replica holds at most, others being
    /// left out. None: it holds all.
    fn held_most(&self) -> Pending<'_, Result<Option<usize>, ReadError>> {
        Box::pin(async { Ok(None) })
    }

    /// Lets go of old lines of the logs. Says how many recalls there were among
    /// them.
    fn tidy_logs(&self, kept: LogsKept) -> Pending<'_, Result<usize, CommitError>>;
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
    /// How long its vectors are; 0 as long as a remote one has not told.
    fn dimensions(&self) -> usize;
    /// One vector of length one per text, in their order.
    fn embed(&self, purpose: Purpose, texts: Vec<String>) -> Pending<'_, Result<Vec<Vec<f32>>, EmbedError>>;
    /// What one word adds to the direction of a text; the longer, the more it
    /// says. None from those that read whole texts only.
    fn embed_word(&self, word: &str) -> Option<Vec<f32>> {
        let _ = word;
        None
    }
    fn similarity(&self, cosine: f32) -> Similarity;
}

/// What a text is embedded for. Many models want to be told: the vector of a
/// question is then near those of its answers, not of other questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// A text that is kept and may be found.
    Document,
    /// A text that others are searched with.
    Query,
}

#[derive(Debug, thiserror::Error)]
#[error("the embedder {embedder} failed: {problem}")]
pub struct EmbedError {
    pub embedder: String,
    pub problem: String,
}

/// A language model: makes memory better, is never required. What it answers is
/// checked by `advice` before anybody uses it.
pub trait Llm: Send + Sync {
    fn id(&self) -> &str;
    fn complete(&self, asked: Asked) -> Pending<'_, Result<Completion, LlmError>>;
}

/// What a language model is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// What it is about, in one word: letters and underscores.
    pub operation: &'static str,
    /// Ours.
    pub instruction: String,
    /// Data that must not be obeyed; whoever sends it fences it.
    pub material: String,
    /// The JSON schema of the one object that is wanted. Every property is
    /// required and no other is allowed, which is what all servers understand.
    pub schema: serde_json::Value,
    /// More than this is no answer to it.
    pub most_tokens: u32,
}

/// What a language model answered: one JSON object, unless it misbehaved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    pub text: String,
    pub tokens_in: u64,
    pub tokens_out: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the language model {model} {problem}")]
pub struct LlmError {
    pub model: String,
    pub problem: LlmProblem,
}

/// Why there is no completion, by what can be done about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LlmProblem {
    #[error("did not answer in time")]
    TimedOut,
    #[error("does not accept the key ({status})")]
    KeyRefused { status: u16 },
    #[error("is asked too often")]
    RateLimited { retry_after: Option<Duration> },
    /// It is not well; later it may be.
    #[error("has a problem of its own ({reason})")]
    Server { reason: String },
    /// Asking again would not change it.
    #[error("refused the question ({status}: {reason})")]
    Refused { status: u16, reason: String },
    /// The server wants to be asked in another form, and the next try does so.
    #[error("wants to be asked in another form ({reason})")]
    OtherForm { reason: String },
    #[error("answered something that cannot be used ({reason})")]
    Malformed { reason: String },
    #[error("was not asked, for {bytes} bytes are too many")]
    TooLong { bytes: usize },
    #[error("was not asked, for the budget of the day is spent ({reason})")]
    OverBudget { reason: String },
}

impl LlmProblem {
    /// The same question may be answered a moment later.
    pub const fn is_passing(&self) -> bool {
        matches!(self, LlmProblem::TimedOut | LlmProblem::RateLimited { .. } | LlmProblem::Server { .. })
    }
}

/// The working tree that the memories of a project speak of.
pub trait Ground: Send + Sync {
    /// What has become of these claims, in their order. The error tells people
    /// why nothing could be looked up.
    fn look(&self, claims: Vec<Claim>) -> Pending<'_, Result<Looked, String>>;
}

/// What was found out about claims.
#[derive(Debug, Clone, PartialEq)]
pub struct Looked {
    /// One for each claim.
    pub found: Vec<Finding>,
    /// So many of them were not looked up for want of time.
    pub unseen: usize,
}

/// What time it is.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;
/// How much time has passed since any one moment.
pub type Stopwatch = Arc<dyn Fn() -> Duration + Send + Sync>;
/// A text without its secrets.
pub type Mask = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// Takes a line about each thing a language model was asked. It never fails
/// whoever tells it.
pub trait OperationNotes: Send + Sync {
    fn note(&self, note: &OperationNote<'_>);
}

/// One thing a language model was asked, and what became of it.
#[derive(Debug, Clone)]
pub struct OperationNote<'a> {
    pub at: Timestamp,
    pub operation: &'a str,
    pub input: &'a str,
    pub output: Option<&'a str>,
    pub model: &'a str,
    pub latency: Duration,
    /// The model's answer was used; if not, the heuristic's was.
    pub success: bool,
    pub reason: Option<&'a str>,
    pub tokens: u64,
}
