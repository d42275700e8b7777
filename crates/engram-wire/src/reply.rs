//! What the daemon answers. These shapes are what `--json` prints; they are
//! documented in docs/reference/json.md and change only by addition.

use crate::copies::CopiedStore;
use crate::evolution::{EvolutionHealth, SkillFile};
use crate::fault::Fault;
use crate::message::HookEvent;
use crate::team::{TeamFate, TeamHealth};
use crate::window::{BudgetLine, NextDream, WindowHealth};
use engram_core::ask::{Intent, QueryType, Trivial};
use engram_core::decision::{Action, Decision, Review};
use engram_core::law::SubTier;
use engram_core::link::KnownEntity;
use engram_core::present::Presented;
use engram_core::rank::{Evidence, Ranked, ScopeWeights};
use engram_core::recalled::{RecallLogged, Strategy};
use engram_core::turn::Turn;
use engram_core::used::{Outcome, Promotion};
use engram_core::{
    Confidence, Importance, Memory, MemoryId, Operation, OperationId, ProjectKey, RecallId, Relation,
    Retention, Scope, SessionId, Status, StatusStep, Strength, Timestamp, Utility,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// One frame of an answer: any number of the first two, then one of the others.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    Progress(Progress),
    Line { line: String },
    Done { reply: serde_json::Value },
    Fault { fault: Fault },
}

/// A count that is left out where there is nothing to count.
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Progress {
    pub what: String,
    pub done: u64,
    pub total: Option<u64>,
}

/// Something was changed, durably.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Changed {
    pub operation: OperationId,
    /// The memories as they are now; a removed one is not among them.
    pub memories: Vec<Memory>,
    /// The operation had been done before; this time nothing happened.
    pub already: bool,
    /// Of a text that was to be remembered, where it did not simply become a
    /// new memory: what was decided instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// What became of the files of skills because of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<SkillFile>,
    /// Where the words of what was purged could not be looked for, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<String>,
    /// Of what a team shares: what it makes of the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<TeamFate>,
}

impl Changed {
    /// These were changed; there is nothing else to tell.
    pub const fn of(operation: OperationId, memories: Vec<Memory>, already: bool) -> Self {
        Self {
            operation,
            memories,
            already,
            decision: None,
            files: Vec::new(),
            missed: Vec::new(),
            team: None,
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Undone {
    pub operation: OperationId,
    pub undone: OperationId,
    /// What the undone operation was.
    pub cause: engram_core::Cause,
    pub memories: Vec<Memory>,
    /// What became of the files of skills because of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<SkillFile>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Recalled {
    pub query: String,
    pub hits: Vec<Found>,
    /// How likely it is that the best of these answers the question.
    pub confidence: Confidence,
    /// What the first five say together.
    pub together: Evidence,
    pub intent: Intent,
    pub query_type: QueryType,
    pub strategy: Strategy,
    /// Why nothing was looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trivial: Option<Trivial>,
    /// What this answer lacks, and why.
    pub gaps: Vec<Gap>,
    pub searched: Vec<Searched>,
    pub profile: String,
    pub weights: ScopeWeights,
    /// What was learned had a say in how much words and directions count.
    #[serde(default)]
    pub learned: bool,
    /// What an agent would get to read of it, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Presented>,
    /// Of a preview: before this moment nothing was known here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest_at: Option<Timestamp>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Found {
    pub memory: Memory,
    #[serde(flatten)]
    pub why: Ranked,
    /// How likely it is that this answers the question, and what says so.
    pub confidence: Confidence,
    pub evidence: Evidence,
    pub retention: Retention,
    /// The value this one took the place of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supersedes: Vec<MemoryId>,
    /// As of the moment asked for, where that differs from now.
    pub status: Status,
    /// The index of the team's server found it, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_server: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "gap", rename_all = "snake_case")]
pub enum Gap {
    /// No embedder is configured; only words were compared.
    NoVectors,
    /// The chosen model could not be asked; the built-in table was.
    NoModel { problem: String },
    /// A scope could not be searched.
    ScopeUnavailable { scope: Scope, problem: String },
    /// Not all that the team shares is here, and its server was not asked.
    ServerNotAsked { problem: String },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Searched {
    pub scope: Scope,
    pub memories: usize,
    /// What the server's own indexes found, where not all is here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<SearchedThere>,
}

/// What the team's server had to say to a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchedThere {
    pub found: usize,
    /// So many of them were not here before.
    pub new: usize,
    pub ms: u64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Listed {
    pub memories: Vec<Memory>,
    /// How many there are, of which `memories` are the newest, or those that
    /// follow where it was to go on.
    pub total: usize,
    /// Where it goes on. None: that was all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Inspected {
    pub memory: Memory,
    pub retention: Retention,
    pub strength: Strength,
    /// What it matters now, by the table in force, and what that is made up of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub importance: Option<Importance>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub importance_terms: Vec<String>,
    /// How deeply use has engraved it, between one and ten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sub_tier: Option<SubTier>,
    pub status_history: Vec<StatusStep>,
    pub relations: Vec<Relation>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistoryOf {
    pub memory_id: MemoryId,
    pub status_history: Vec<StatusStep>,
    pub operations_on: Vec<OperationLine>,
}

/// What became of events.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Observed {
    /// Kept now, durably.
    pub heard: usize,
    /// Kept before; nothing happened.
    pub known: usize,
    /// Secrets that were masked in them, by rule.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub masked: BTreeMap<String, usize>,
    /// Personal data that were masked in them, by rule.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub personal: BTreeMap<String, usize>,
    /// Not kept, because of the personal data in them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub refused: usize,
    /// Kept as evidence only: a rule for its tool or its agent allows no more.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub barred: usize,
    /// What was decided, if somebody waited for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
    /// What was so until now: the file it stood in says it no more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<MemoryId>,
    /// Nothing was kept: this is what would have been.
    #[serde(default)]
    pub dry_run: bool,
}

/// What a hook tells its agent.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hooked {
    /// What is put before the model, fenced; none where nothing earns it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
}

/// Where a memory comes from.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WhyReply {
    pub memory: Memory,
    /// The turns it was made of, as they were said.
    pub evidence: Vec<Turn>,
    /// What made it, changed it or was held against it, oldest first.
    pub decisions: Vec<Decision>,
    /// Turns of those decisions that are not among its evidence.
    pub others: Vec<Turn>,
    pub entities: Vec<KnownEntity>,
    pub relations: Vec<Relation>,
    /// Nothing forgets it by itself before then. None: nothing ever does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_until: Option<Timestamp>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reviews {
    pub reviews: Vec<ReviewLine>,
}

/// A pair, side by side.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviewLine {
    pub scope: Scope,
    /// It names the two by their identifiers, under the same words as the sides.
    pub review: Review,
    pub newer: Side,
    pub older: Side,
}

impl ReviewLine {
    /// Whether somebody still has to decide. What was forgotten, purged or
    /// settled by other ways waits no more.
    pub fn is_open(&self) -> bool {
        let waits = match (&self.newer, &self.older) {
            (Side::Memory { memory: newer, .. }, Side::Memory { memory: older, .. }) => {
                newer.status.is_current() && older.status.is_current()
            }
            (Side::Entity { .. }, Side::Entity { .. }) => true,
            _ => false,
        };
        self.review.closed.is_none() && waits
    }
}

/// One of the two.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "side", rename_all = "snake_case")]
pub enum Side {
    Memory { memory: Box<Memory>, evidence: Vec<Turn> },
    Entity { entity: KnownEntity },
    Gone,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Operations {
    pub operations: Vec<OperationLine>,
    /// Where it goes on. None: that was all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<OperationId>,
}

/// An operation without what would take it back.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OperationLine {
    pub id: OperationId,
    pub scope: Scope,
    pub cause: engram_core::Cause,
    pub actor: engram_core::Actor,
    pub at: Timestamp,
    pub memories: Vec<MemoryId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<OperationId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone_by: Option<OperationId>,
    pub undoable: bool,
}

impl OperationLine {
    pub fn new(scope: Scope, operation: Operation) -> Self {
        Self {
            id: operation.id,
            scope,
            cause: operation.cause,
            actor: operation.actor,
            at: operation.at,
            memories: operation.memories,
            undoes: operation.undoes,
            undone_by: operation.undone_by,
            // A dream is taken back by its parts.
            undoable: operation.undone_by.is_none()
                && (!operation.inverse.is_empty() || operation.cause == engram_core::Cause::Dream),
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Recalls {
    pub recalls: Vec<RecallLine>,
    /// Where it goes on. None: that was all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<RecallId>,
}

/// A recall, and the store whose log it is in.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecallLine {
    pub scope: Scope,
    #[serde(flatten)]
    pub recall: RecallLogged,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Exported {
    pub exported: usize,
    /// The stores that were read, for the list of known copies.
    #[serde(default)]
    pub stores: Vec<CopiedStore>,
    /// Those who can open the file. Empty: it is in the clear.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sealed_for: Vec<String>,
}

/// What was sealed and was told whole.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Opened {
    pub lines: usize,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Imported {
    pub operation: OperationId,
    pub imported: usize,
    /// Already there, and left as they were.
    pub skipped: usize,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BackedUp {
    pub file: PathBuf,
    pub stores: Vec<String>,
    pub bytes: u64,
    /// Those who can open it. Empty: it is in the clear.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sealed_for: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Restored {
    pub restored: Vec<String>,
    /// What was there before, kept as a backup of its own.
    pub kept: PathBuf,
    /// What was there and could not be opened, put aside as it was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub damaged: Vec<PathBuf>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionLine {
    pub session: SessionId,
    pub status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    /// As long as it is open.
    pub memories: usize,
    /// So many went up from it.
    #[serde(default)]
    pub promoted: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sessions {
    pub sessions: Vec<SessionLine>,
}

/// What is known of a session, its memories among it as long as it is open.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionShown {
    #[serde(flatten)]
    pub line: SessionLine,
    /// Who speaks in it, as long as it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    pub memories_here: Vec<SessionMemory>,
    pub promotions: Vec<Promotion>,
}

/// A memory of an open session, and what it is worth to the project.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionMemory {
    pub memory: Memory,
    /// Between zero and one.
    pub score: f64,
}

/// What went up from a session.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Promoted {
    pub operation: OperationId,
    pub promotions: Vec<Promotion>,
    /// So many stayed where they are: notes of the moment.
    pub stayed: usize,
}

/// Where the Model Context Protocol is served over HTTP.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McpServed {
    pub url: String,
    /// To be sent as `Authorization: Bearer ...`.
    pub token: String,
}

/// What became of using a memory.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutcomeRecorded {
    pub operation: OperationId,
    pub memory: MemoryId,
    pub outcome: Outcome,
    pub utility_before: Utility,
    pub utility: Utility,
    /// What was told before and no longer counts, because this takes its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced: Option<Outcome>,
    pub already: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RemindersListed {
    pub reminders: Vec<ReminderLine>,
}

/// Something to be reminded of.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReminderLine {
    pub id: MemoryId,
    pub scope: Scope,
    pub text: String,
    /// What has to come up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// From when on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_at: Option<Timestamp>,
    /// It was told, and is not told again.
    pub told: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelsListed {
    /// The setting `embedder.name`.
    pub in_use: String,
    /// The endpoint, where one is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    pub models: Vec<ModelLine>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelLine {
    pub name: String,
    pub state: ModelState,
    pub dimensions: usize,
    pub licence: String,
    /// The packages of public registries that carry it.
    pub packages: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Its files are the ones it is known by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ModelState {
    Available,
    Installed,
    Broken,
}

/// How many texts of a store have the vector of the chosen embedder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Vectors {
    pub embedder: String,
    pub made: usize,
    pub total: usize,
    /// The model that serves: the chosen one, or the one before it until the
    /// chosen one has seen every text. Absent: the table alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serving: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoreVectors {
    pub store: String,
    #[serde(flatten)]
    pub vectors: Vectors,
}

/// What a reindex did.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reindexed {
    pub stores: Vec<ReindexedStore>,
    /// Projects that could not be opened, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReindexedStore {
    pub store: String,
    pub scope: Scope,
    pub embedder: String,
    /// How many texts there are.
    pub total: usize,
    /// How many vectors were made.
    pub made: usize,
    pub seconds: f64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stats {
    pub scopes: Vec<ScopeStats>,
    pub project: Option<ProjectLine>,
    pub gaps: Vec<Gap>,
    /// Where the projects are that were ever worked in.
    #[serde(default)]
    pub projects: Vec<PathBuf>,
    /// What the hooks of each agent did, since the first of them.
    #[serde(default)]
    pub hooks: BTreeMap<String, HookStats>,
}

/// What an agent's hooks did.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HookStats {
    pub last_at: Option<Timestamp>,
    /// When something was kept last.
    pub last_saved_at: Option<Timestamp>,
    /// When somebody typed something last.
    #[serde(default)]
    pub last_prompt_at: Option<Timestamp>,
    /// Characters put before the agent: where a session begins, and later.
    pub start_chars: u64,
    pub prompt_chars: u64,
    /// Memories that were told.
    pub shown: u64,
    /// Of those whose use somebody told about: so many served.
    pub used: u64,
    /// What kept a hook from doing its work, the last time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    pub events: BTreeMap<HookEvent, Times>,
}

/// How long something took, counted in steps of about a half.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Times {
    pub count: u64,
    /// How many took at most so many milliseconds, and more than the step below.
    pub up_to_ms: BTreeMap<u64, u64>,
}

impl Times {
    const STEPS: [u64; 18] = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 1_000, 5_000];

    /// The last step; what took longer is not told apart.
    pub const LONGEST: u64 = 5_000;

    pub fn note(&mut self, milliseconds: f64) {
        let step = Self::STEPS.into_iter().find(|step| milliseconds <= *step as f64);
        *self.up_to_ms.entry(step.unwrap_or(u64::MAX)).or_default() += 1;
        self.count += 1;
    }

    /// Both counted together.
    pub fn add(&mut self, other: &Times) {
        self.count += other.count;
        for (step, count) in &other.up_to_ms {
            *self.up_to_ms.entry(*step).or_default() += count;
        }
    }

    /// At most so many milliseconds were taken by this share of all, a step
    /// rounded up. None where nothing was counted.
    pub fn quantile(&self, share: f64) -> Option<u64> {
        let rank = (share * self.count as f64).ceil().max(1.0) as u64;
        let mut below = 0;
        self.up_to_ms.iter().find_map(|(step, count)| {
            below += count;
            (below >= rank).then_some(*step)
        })
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScopeStats {
    pub scope: Scope,
    pub memories: usize,
    /// Of the outline of the project's code.
    #[serde(default)]
    pub sheets: usize,
    pub by_status: BTreeMap<Status, usize>,
    pub by_kind: BTreeMap<engram_core::Kind, usize>,
    pub pinned: usize,
    /// Past their deadline, not used since, and not pinned.
    pub faded: usize,
    pub uses: u64,
    pub bytes_on_disk: u64,
    /// Absent: only words are compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vectors: Option<Vectors>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProjectLine {
    pub key: ProjectKey,
    pub path: PathBuf,
    pub name: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Health {
    pub version: String,
    pub protocol: u32,
    pub process: u32,
    pub home: PathBuf,
    pub socket: PathBuf,
    pub started_at: Timestamp,
    pub requests: u64,
    pub open_stores: Vec<String>,
    pub open_sessions: usize,
    pub resident_bytes: Option<u64>,
    /// When it ends by itself, if nobody asks for anything.
    pub idle_exit_at: Timestamp,
    pub spooled: usize,
    /// What was heard since it started, and what came of it.
    #[serde(default)]
    pub capture: CaptureHealth,
    /// The language model, if one is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llm: Option<LlmHealth>,
    /// Secrets that were masked since it started.
    #[serde(default)]
    pub masked: u64,
    /// Personal data that were masked since it started.
    #[serde(default)]
    pub personal: u64,
    pub rejected: usize,
    /// The setting `embedder.name`.
    #[serde(default)]
    pub embedder: String,
    /// Why the chosen model does not make vectors, if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_model: Option<String>,
    /// Of every open store.
    #[serde(default)]
    pub vectors: Vec<StoreVectors>,
    /// The same, of what it learns from use.
    #[serde(default)]
    pub evolution: Vec<EvolutionHealth>,
    /// How it stands with the team, if one was joined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<TeamHealth>,
    /// Why that cannot be told: the membership or the replica does not open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team_problem: Option<String>,
    /// The window, if somebody has opened it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowHealth>,
    /// What may be spent, and what was.
    #[serde(default)]
    pub budgets: Vec<BudgetLine>,
    /// When each open store is looked after next.
    #[serde(default)]
    pub next_dream: Vec<NextDream>,
}

/// Events since the daemon started.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaptureHealth {
    pub heard: u64,
    /// Heard before.
    pub known: u64,
    /// By what was decided.
    pub decided: BTreeMap<Action, u64>,
    /// Waiting to be read, in the open stores.
    pub unread: usize,
    /// More than a session may send, or than a rule for its tool or its agent
    /// allows. What was not kept because of personal data is told to whoever sent
    /// it.
    pub refused: u64,
    /// Why the last reading failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// What a language model may cost in a day, and what it did so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LlmHealth {
    pub model: String,
    /// In UTC.
    pub day: String,
    pub calls: u64,
    pub calls_per_day: u64,
    pub tokens: u64,
    pub tokens_per_day: u64,
    /// Why nobody is asked, if that is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Examined {
    pub checks: Vec<Check>,
    pub sound: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Check {
    pub what: String,
    pub verdict: Verdict,
    pub detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Sound,
    Repaired,
    /// Can be repaired with `--repair`.
    Repairable,
    /// Needs a person.
    Broken,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stopping {
    pub stopping: bool,
    pub process: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_by_their_rank() {
        let mut times = Times::default();
        assert_eq!(times.quantile(0.5), None);
        for milliseconds in 1..=100 {
            times.note(f64::from(milliseconds) - 0.5);
        }
        times.note(9_999.0);
        assert_eq!((times.quantile(0.5), times.quantile(0.99)), (Some(70), Some(100)));
        assert_eq!((times.quantile(1.0), times.count), (Some(u64::MAX), 101));
        let mut both = times.clone();
        both.add(&times);
        assert_eq!((both.quantile(0.5), both.count), (times.quantile(0.5), 202));
    }
}
