//! What the daemon answers about the whole of it: where the window is, which
//! projects, stores and settings there are, what happened on which day, and all
//! things with a name at once. Shapes of `--json`, like those of `reply`.

use crate::config::{self, Setting, SettingValue, Settings, Source};
use crate::fault::Fault;
use crate::reply::{ProjectLine, Vectors};
use engram_core::budget::Behaviour;
use engram_core::days::Happened;
use engram_core::dream::Depth;
use engram_core::graph::BondKind;
use engram_core::observe::EntityKind;
use engram_core::{
    Actor, Cause, Date, EntityId, Kind, MemoryId, OperationId, ProjectKey, Scope, SessionId, Status, Tier,
    Timestamp,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Where the window is served. The address opens it once, until it expires.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UiServed {
    pub url: String,
    pub read_only: bool,
    pub expires_at: Timestamp,
}

/// What a window is, told to whoever looks through it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WindowShown {
    pub version: String,
    pub protocol: u32,
    /// Nothing can be changed through it.
    pub read_only: bool,
    pub home: PathBuf,
    pub started_at: Timestamp,
}

/// The window, where somebody has opened it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WindowHealth {
    /// Without anything that lets somebody in.
    pub url: String,
    /// So many listen to what goes on.
    pub watchers: usize,
}

/// What something may cost, and what it did cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BudgetLine {
    pub what: String,
    pub used: f64,
    pub limit: f64,
    pub unit: String,
    /// What happens above it. None: an older daemon does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behaviour: Option<Behaviour>,
    /// It happens now.
    #[serde(default)]
    pub over: bool,
}

/// When a store is looked after next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NextDream {
    pub store: String,
    /// When so many more sessions have ended. None: not by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_sessions: Option<u64>,
    pub depth: Depth,
    /// One waits for a quiet moment.
    pub due: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Projects {
    pub projects: Vec<ProjectFound>,
}

/// A project that somebody ever worked in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProjectFound {
    pub key: ProjectKey,
    pub name: String,
    pub path: PathBuf,
    /// Its folder has a store.
    pub there: bool,
    pub open: bool,
    /// Of one that is open; nothing is opened to be counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memories: Option<usize>,
    pub bytes: u64,
}

/// The stores that can be seen, and what else there is on the disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stores {
    pub stores: Vec<StoreLine>,
    /// Newest first.
    pub backups: Vec<BackupLine>,
    /// So many sessions are open.
    pub sessions: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free_bytes: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoreLine {
    pub scope: Scope,
    /// Which store it is, for people.
    pub store: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectLine>,
    pub memories: usize,
    /// More than so many active ones are not kept. None: nobody counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<usize>,
    pub bytes: u64,
    /// Of the outline of the project's code; not among the memories.
    pub sheets: usize,
    pub by_status: BTreeMap<Status, usize>,
    pub by_kind: BTreeMap<Kind, usize>,
    /// Of what is in force.
    pub tiers: Vec<TierLine>,
    /// The oldest day first; days on which nothing happened are left out.
    pub growth: Vec<DayCount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vectors: Option<Vectors>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TierLine {
    pub tier: Tier,
    pub memories: usize,
    /// How many of them are held to less than a tenth, to less than two tenths,
    /// and so on up to the whole.
    pub held: [usize; 10],
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DayCount {
    pub day: Date,
    pub learned: usize,
    /// So many ceased to be in force.
    pub gone: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BackupLine {
    pub file: PathBuf,
    pub bytes: u64,
    pub made_at: Timestamp,
    /// Of a sealed one as far as the list of known copies tells.
    pub stores: Vec<String>,
    /// Only those can open it for whom it was sealed.
    #[serde(default)]
    pub sealed: bool,
}

/// What happened to the memories, the latest day first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Days {
    pub days: Vec<Day>,
    /// Where it goes on. None: that was all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<OperationId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Day {
    /// Where this machine is.
    pub day: Date,
    /// The latest first.
    pub sessions: Vec<DaySession>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DaySession {
    /// The conversation in which it was learned. None: it was not in one, or was
    /// done about something older.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Who speaks in it, as long as it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The latest first.
    pub lines: Vec<DayLine>,
    /// What happened beside `lines` by operations that did more than is told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rest: Vec<DayRest>,
}

/// So many more memories did one operation the same to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DayRest {
    pub operation: OperationId,
    pub happened: Happened,
    pub memories: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DayLine {
    pub operation: OperationId,
    pub at: Timestamp,
    pub scope: Scope,
    pub happened: Happened,
    pub cause: Cause,
    pub actor: Actor,
    pub memory: MemoryId,
    pub kind: Kind,
    /// One line of it, as it is now.
    pub text: String,
    pub undoable: bool,
    pub undone: bool,
}

/// The things with a name and how they are bound, the most named first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraphWhole {
    pub nodes: Vec<WholeNode>,
    /// The places of two nodes, how they are bound, and how much says so.
    pub edges: Vec<(u32, u32, BondKind, f64)>,
    /// How many things there are, of which `nodes` are the most named.
    pub total: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WholeNode {
    pub entity: EntityId,
    pub scope: Scope,
    pub name: String,
    pub kind: EntityKind,
    /// Memories that name it and are in force.
    pub memories: usize,
    pub bonds: usize,
}

/// Every setting, with where its value comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SettingsListed {
    pub settings: Vec<SettingLine>,
    /// The files that were looked at, whether or not they are there.
    pub files: Vec<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SettingLine {
    pub key: String,
    pub value: SettingValue,
    pub source: Source,
    pub default: SettingValue,
    /// What it is for.
    pub about: String,
    /// Only a person may set it, for themselves.
    pub personal: bool,
}

impl SettingLine {
    /// A secret is not told, only whether there is one.
    pub fn of(setting: &Setting) -> Result<Self, Fault> {
        let Setting { key, value, source } = setting;
        Ok(Self {
            value: config::veil(key, value),
            source: *source,
            default: Settings::default().get(key)?.value.clone(),
            about: config::about(key)?.to_owned(),
            personal: config::is_personal(key),
            key: key.clone(),
        })
    }
}
