//! What a client may ask.
//!
//! Orders are imperative. An order that changes something carries the
//! identifier of its operation, minted by the client, so that it may be sent
//! again, or wait in the spool, and still be done once.

mod erase;
mod evolve;
mod nature;
mod team;
mod window;

pub use erase::Erase;
pub use evolve::{
    EvolutionCandidates, Evolve, EvolveMerge, EvolveOne, EvolveRefine, InduceSkill, NodeType, RecordFeedback,
    SKILL_SOURCES, UnknownNodeType,
};

pub use team::{Hidden, Operator, TeamCreate, TeamJoin, TeamOrder};
pub use window::{Edit, GraphWhole, ListCursor, NotACursor};

use engram_core::audit::Head;
use engram_core::decision::Ruling;
use engram_core::dream::{Depth, Step};
use engram_core::graph::BondKind;
use engram_core::recalled::Surface;
use engram_core::turn::{Event, ToolUse};
use engram_core::used::Outcome;
use engram_core::words::words;
use engram_core::{
    Actor, Kind, MemoryId, Mode, OperationId, RecallId, Scope, SessionId, Status, Tier, Timestamp, TurnId,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The client's first words.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Hello {
    pub protocol: u32,
    pub version: String,
}

/// The daemon's first words.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Welcome {
    pub protocol: u32,
    pub version: String,
    pub process: u32,
}

/// One order, and from where it comes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    pub context: Context,
    pub order: Order,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Context {
    /// The folder someone works in; decides the project.
    #[serde(default)]
    pub folder: Option<PathBuf>,
    #[serde(default)]
    pub session: Option<SessionId>,
    pub actor: Actor,
    /// Settings from the client's environment and flags.
    #[serde(default)]
    pub settings: Vec<(String, String)>,
    /// When it was said, if that was not just now (an order from the spool).
    #[serde(default)]
    pub said_at: Option<Timestamp>,
    /// It may have been done before: look, before doing it again.
    #[serde(default)]
    pub again: bool,
    /// A screen asks by itself: nobody is there, and the daemon may end.
    #[serde(default)]
    pub quiet: bool,
    /// The agent it comes from, by the name that agent gives itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
}

impl Context {
    /// Of somebody of whom nothing else is known.
    pub const fn of(actor: Actor) -> Self {
        Self {
            folder: None,
            session: None,
            actor,
            settings: Vec::new(),
            said_at: None,
            again: false,
            quiet: false,
            agent: None,
        }
    }
}

/// A memory as people name it: its identifier, or the end of it.
pub type MemoryName = String;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case")]
pub enum Order {
    Remember(Remember),
    Recall(Recall),
    List(List),
    Inspect {
        memory: MemoryName,
    },
    Correct {
        operation: OperationId,
        memory: MemoryName,
        text: String,
    },
    Confirm {
        operation: OperationId,
        memory: MemoryName,
    },
    Mark {
        operation: OperationId,
        memory: MemoryName,
        status: Status,
        reason: String,
    },
    Forget {
        operation: OperationId,
        memories: Vec<MemoryName>,
        purge: bool,
    },
    Unforget {
        operation: OperationId,
        memory: MemoryName,
    },
    Pin {
        operation: OperationId,
        memory: MemoryName,
        pinned: bool,
    },
    /// Sets right what is said about a memory.
    Edit(Edit),
    History {
        memory: MemoryName,
    },
    /// Something happened.
    Observe(Observe),
    /// An agent reached a point at which it asks its hooks.
    Hook(Box<Hook>),
    /// Where a memory comes from, and what was decided about it.
    Why {
        memory: MemoryName,
    },
    /// The pairs that wait for somebody to decide; with `all` those that were
    /// decided, too.
    ReviewList {
        all: bool,
    },
    ReviewShow {
        review: String,
    },
    ReviewDecide {
        operation: OperationId,
        review: String,
        ruling: Ruling,
    },
    Operations {
        limit: usize,
        /// Those before this one. None: the latest.
        #[serde(default)]
        before: Option<OperationId>,
    },
    Recalls {
        limit: usize,
        /// Those before this one. None: the latest.
        #[serde(default)]
        before: Option<RecallId>,
    },
    Undo {
        operation: OperationId,
        target: Option<OperationId>,
        /// Of a dream: this step alone.
        #[serde(default)]
        step: Option<Step>,
    },
    Export {
        scopes: Vec<Scope>,
        /// Without how each memory came to stand where it stands.
        #[serde(default)]
        no_history: bool,
        /// Into a file that the daemon seals, instead of as lines to whoever asks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sealed: Option<SealedExport>,
    },
    Import {
        operation: OperationId,
        scope: Option<Scope>,
        lines: Vec<ImportLine>,
    },
    Backup {
        file: PathBuf,
        all_projects: bool,
        /// Who will be able to open it. None named: those of the settings.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        to: Vec<String>,
    },
    Restore {
        file: PathBuf,
        /// The file of keys that opens it. None named: that of the settings.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        identity: Option<PathBuf>,
    },
    /// The lines of a sealed export, in the clear, to whoever asks. Only when all
    /// were told is it known that the file is whole.
    OpenSealed {
        file: PathBuf,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        identity: Option<PathBuf>,
    },
    Erase(Erase),
    SessionStart {
        session: SessionId,
    },
    SessionEnd {
        session: SessionId,
    },
    SessionList,
    /// What is known of a session; the one that asks where none is named.
    SessionShow {
        session: Option<SessionId>,
    },
    /// What a session has that is worth more goes up: to the project, or to the
    /// user, too.
    Promote(Promote),
    /// What came of using a memory.
    RecordOutcome {
        operation: OperationId,
        memory: MemoryName,
        outcome: Outcome,
        /// What it was used for, in a few words.
        #[serde(default)]
        note: Option<String>,
    },
    /// What somebody says of an answer.
    RecordFeedback(RecordFeedback),
    /// How using a memory went, the latest first.
    Usage {
        memory: MemoryName,
        limit: usize,
    },
    /// What was learned about searching and keeping, and how it came to be.
    Weights {
        /// None: the project, where there is one, and the user.
        #[serde(default)]
        scope: Option<Scope>,
        /// So many of the latest changes.
        history: usize,
    },
    /// What was learned is forgotten; the defaults are in force again.
    WeightsReset {
        operation: OperationId,
        /// None: the project when there is one, the user otherwise.
        #[serde(default)]
        scope: Option<Scope>,
    },
    /// Looks for what the use of the memories teaches, and acts on it.
    Evolve(Evolve),
    /// What evolved, and when it goes on.
    EvolutionReport {
        /// None: since the beginning of the log.
        #[serde(default)]
        since: Option<Timestamp>,
    },
    EvolutionCandidates(EvolutionCandidates),
    EvolveDeprecate(EvolveOne),
    EvolveArchive(EvolveOne),
    EvolveRefine(EvolveRefine),
    EvolveMerge(EvolveMerge),
    InduceSkill(InduceSkill),
    /// The skills there are; with a text those that it asks for.
    Skills {
        #[serde(default)]
        query: Option<String>,
        limit: usize,
    },
    /// What the memory has to tell of itself.
    Reflect {
        /// So many insights and lines of the log of each store at most.
        limit: usize,
        /// What is no longer so, too.
        #[serde(default)]
        all: bool,
    },
    /// What somebody wants to be reminded of.
    Reminders,
    /// Looks after the memories: all of it, or some steps.
    Dream(Dream),
    /// What the last dreams did, and what waits to be done.
    DreamReport {
        limit: usize,
    },
    /// Rewrites the stores without what is gone, and builds the index again.
    Compact,
    /// Puts a memory into another tier.
    SetTier {
        operation: OperationId,
        memory: MemoryName,
        tier: Tier,
    },
    /// How a memory fades, since its birth and from now on.
    Curve {
        memory: MemoryName,
        /// So many days ahead. None: until it will have faded, and some.
        #[serde(default)]
        days: Option<u32>,
    },
    /// The things with a name; with a text those that are called so.
    EntityList {
        #[serde(default)]
        query: Option<String>,
        limit: usize,
    },
    EntityShow {
        entity: String,
    },
    /// One thing is another: what is said of the first is said of the second.
    EntityMerge {
        operation: OperationId,
        entity: String,
        into: String,
    },
    /// What else a thing is called.
    EntityAlias {
        operation: OperationId,
        entity: String,
        alias: String,
    },
    /// What a thing is bound to, and what that is bound to.
    Graph {
        entity: String,
        hops: usize,
        #[serde(default)]
        kinds: Vec<BondKind>,
    },
    /// All things with a name at once.
    GraphWhole(GraphWhole),
    /// What waits for somebody to sum it up, the oldest first.
    ConsolidationNext,
    /// Somebody has summed it up.
    ConsolidationSubmit {
        operation: OperationId,
        /// The summary that is to say it so.
        summary: MemoryName,
        text: String,
    },
    /// From here on the connection carries the Model Context Protocol, a message
    /// in each line.
    Mcp {
        profile: Profile,
        /// The agent's process, whose session the hooks tell.
        #[serde(default)]
        process: Option<u32>,
    },
    /// The same protocol is to be served over HTTP on this machine.
    McpHttp {
        profile: Profile,
    },
    /// The window is to be served on this machine.
    Ui {
        /// Whoever opens it may look, and change nothing.
        #[serde(default)]
        read_only: bool,
    },
    /// From here on the connection tells what goes on, until whoever listens goes
    /// away.
    Watch {
        /// What came after this event, as far as it is known, comes first.
        #[serde(default)]
        after: Option<u64>,
        /// Of every project.
        #[serde(default)]
        all: bool,
    },
    /// What went on lately.
    Activity {
        limit: usize,
        /// Of every project.
        #[serde(default)]
        all: bool,
    },
    /// The projects that somebody ever worked in.
    Projects,
    /// The stores that can be seen: how much there is, how it fares, how it grew
    /// in so many days.
    Stores {
        days: u32,
    },
    /// What was learned, corrected and forgotten, day by day.
    Days {
        /// Operations before this one. None: the latest.
        #[serde(default)]
        before: Option<OperationId>,
        /// So many operations at most.
        limit: usize,
    },
    /// Every setting in force here.
    Settings,
    /// The latest lines of the audit log, and how far it goes.
    Audit {
        limit: usize,
        /// Only those about this: a memory's identifier, a file, a store.
        #[serde(default)]
        about: Option<String>,
    },
    /// Whether the audit log is whole.
    AuditVerify {
        /// An end of it that somebody noted.
        #[serde(default)]
        head: Option<Head>,
    },
    Team(Box<TeamOrder>),
    ModelList,
    ModelInstall {
        name: String,
        from: String,
        unverified: bool,
    },
    ModelRemove {
        name: String,
    },
    Reindex {
        all_projects: bool,
        again: bool,
    },
    Stats,
    Status,
    Doctor {
        repair: bool,
    },
    Stop,
}

words! {
    /// Which tools a client of the Model Context Protocol is offered.
    pub enum Profile ("profile") {
        Default = "default",
        Full = "full",
        /// Only what an agent needs that sums memories up.
        Consolidator = "consolidator",
        /// Only what an agent needs that lets memories evolve.
        Evolver = "evolver",
    }
}

/// What of the memories is looked after, and how.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Dream {
    /// Names the dream. One that goes over several stores has a name in each.
    pub operation: OperationId,
    /// Only these steps.
    #[serde(default)]
    pub only: Vec<Step>,
    /// None: everything.
    #[serde(default)]
    pub depth: Option<Depth>,
    /// Only tell what would be done.
    #[serde(default)]
    pub dry_run: bool,
    /// None: the project, where there is one, and the user.
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// Which memories of a session go up, and how far.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Promote {
    pub operation: OperationId,
    /// None: the session that asks.
    #[serde(default)]
    pub session: Option<SessionId>,
    /// The project, or the user.
    pub to: Scope,
    /// None named: all that may leave their session.
    #[serde(default)]
    pub memories: Vec<MemoryName>,
}

/// Where a sealed export goes, and who will be able to open it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SealedExport {
    pub file: PathBuf,
    /// None named: those of the settings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub to: Vec<String>,
}

/// A line of a file, with its number there.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ImportLine {
    pub number: usize,
    pub text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Remember {
    pub operation: OperationId,
    pub text: String,
    #[serde(default)]
    pub kind: Option<Kind>,
    #[serde(default)]
    pub tags: Vec<String>,
    #[serde(default)]
    pub domain: Option<String>,
    /// None: the project when there is one, the user otherwise.
    #[serde(default)]
    pub scope: Option<Scope>,
    #[serde(default)]
    pub pin: bool,
}

/// Events, and how they are to be taken. An event is named by its content and
/// its time, so that it may be sent again and is still heard once.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Observe {
    pub events: Vec<Event>,
    /// Only tell what would be kept.
    #[serde(default)]
    pub dry_run: bool,
    /// Answer when they were read, not already when they are on the disk.
    #[serde(default)]
    pub wait: bool,
    /// Read from a file or a transcript, not just now: no limit on how many.
    #[serde(default)]
    pub import: bool,
    /// None: the session if it is open, the project when there is one, the
    /// user otherwise.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Pieces of files that stand there no more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<TurnId>,
}

words! {
    /// When an agent asks its hooks, as Claude Code calls it.
    pub enum HookEvent ("hook event") {
        SessionStart = "SessionStart",
        UserPromptSubmit = "UserPromptSubmit",
        PreToolUse = "PreToolUse",
        PostToolUse = "PostToolUse",
        PostToolUseFailure = "PostToolUseFailure",
        PreCompact = "PreCompact",
        SubagentStop = "SubagentStop",
        Stop = "Stop",
        SessionEnd = "SessionEnd",
    }
}

/// What a hook was told, less the agent's own way of saying it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hook {
    pub event: HookEvent,
    /// Whose hook it is: a name of `engram install`.
    pub agent: String,
    /// The agent's own name of the conversation.
    #[serde(default)]
    pub session: Option<String>,
    /// Why a session begins or ends, in the agent's word.
    #[serde(default)]
    pub reason: Option<String>,
    /// What somebody typed.
    #[serde(default)]
    pub prompt: Option<String>,
    /// The tool that is about to be used, or was.
    #[serde(default)]
    pub tool: Option<ToolUse>,
    /// What happened, to be kept.
    #[serde(default)]
    pub happened: Option<Event>,
    /// The agent's process, to see when it is gone.
    #[serde(default)]
    pub process: Option<u32>,
    /// When the hook was started.
    #[serde(default)]
    pub started_at: Option<Timestamp>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Recall {
    pub query: String,
    #[serde(flatten)]
    pub narrow: Narrow,
    #[serde(default)]
    pub mode: Option<Mode>,
    #[serde(default)]
    pub limit: Option<usize>,
    #[serde(default)]
    pub as_of: Option<Timestamp>,
    /// What was replaced and what has ended, too, in the order of time.
    #[serde(default)]
    pub timeline: bool,
    /// The answer is to be told to an agent, in so many tokens. 0: as many as
    /// the setting `recall.budget` says.
    #[serde(default)]
    pub context: Option<usize>,
    /// The same in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chars: Option<usize>,
    #[serde(default)]
    pub profile: Option<String>,
    #[serde(default)]
    pub archived: bool,
    /// A message of a conversation rather than a search: a trivial one asks for
    /// nothing.
    #[serde(default)]
    pub prompt: bool,
    /// Only what has a word of the query.
    #[serde(default)]
    pub literal: bool,
    /// Whoever asks knows these already.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub known: BTreeSet<MemoryId>,
    /// What was said in the session that asks, from this moment on, is known to
    /// it, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_since: Option<Timestamp>,
    /// A preview is not a use.
    #[serde(default)]
    pub preview: bool,
    /// Where the answer is put before somebody. None: somebody searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Surface>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct List {
    #[serde(flatten)]
    pub narrow: Narrow,
    #[serde(default)]
    pub statuses: Vec<Status>,
    #[serde(default)]
    pub limit: Option<usize>,
    #[serde(default)]
    pub pinned: bool,
    /// Where it goes on: the `next` of the part before. None: the newest.
    #[serde(default)]
    pub before: Option<String>,
}

/// Which memories are meant. Empty means any.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Narrow {
    #[serde(default)]
    pub scopes: Vec<Scope>,
    #[serde(default)]
    pub kinds: Vec<Kind>,
    #[serde(default)]
    pub tiers: Vec<Tier>,
    #[serde(default)]
    pub tags: Vec<String>,
    #[serde(default)]
    pub domain: Option<String>,
}
