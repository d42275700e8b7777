//! What the daemon answers about the life of memories: dreams, curves, the
//! things with a name and how they are bound. Shapes of `--json`, like those of
//! `reply`.

use engram_core::dream::{Awaiting, ConsolidationLogged, ConsolidationRequest, Dream};
use engram_core::evolve::NextRun;
use engram_core::graph::{Bond, BondKind};
use engram_core::law::Model;
use engram_core::link::KnownEntity;
use engram_core::{EntityId, Memory, MemoryId, OperationId, Retention, Scope, Tier, Timestamp};
use serde::{Deserialize, Serialize};

/// What a dream did in each store, or would do.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Dreamt {
    pub dry_run: bool,
    pub stores: Vec<StoreDream>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoreDream {
    pub scope: Scope,
    /// Which store it is, for people.
    pub store: String,
    pub dream: Dream,
    /// How many memories there are.
    pub memories: usize,
    pub seconds: f64,
    /// It had been begun before, and was gone on with.
    #[serde(default)]
    pub resumed: bool,
}

/// The last dreams, and what waits.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DreamReports {
    pub stores: Vec<StoreReport>,
    /// Dreams by themselves: on or off.
    pub schedule: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoreReport {
    pub scope: Scope,
    pub store: String,
    /// Newest first.
    pub dreams: Vec<Dream>,
    /// The latest things that were made of others.
    pub consolidations: Vec<ConsolidationLogged>,
    /// What waits for somebody to sum it up.
    pub awaiting: Vec<Awaiting>,
    pub requests: Vec<ConsolidationRequest>,
    /// So many sessions have ended here.
    pub sessions: u64,
    /// A full dream follows the session of this number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_full: Option<u64>,
    /// When it evolves next. None: not by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<NextRun>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Compacted {
    pub stores: Vec<CompactedStore>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompactedStore {
    pub scope: Scope,
    pub store: String,
    pub bytes_before: u64,
    pub bytes_after: u64,
    pub memories: usize,
    pub seconds: f64,
}

/// How a memory fades.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CurveOf {
    pub memory: Memory,
    pub model: Model,
    pub at: Timestamp,
    pub retention: Retention,
    /// How often it was used for good, between one and ten.
    pub storage: f64,
    /// When it was shown, as far as the log knows, oldest first.
    pub uses: Vec<Timestamp>,
    /// From its birth to the end of the plot.
    pub points: Vec<CurvePoint>,
    /// Where rehearsal, archival and forgetting look, on this model's scale.
    pub thresholds: Vec<CurveThreshold>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fades_at: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CurvePoint {
    pub at: Timestamp,
    pub retention: Retention,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CurveThreshold {
    pub what: String,
    pub retention: Retention,
    /// When the memory gets there, if it is not used before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached_at: Option<Timestamp>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Entities {
    pub entities: Vec<EntityLine>,
    /// How many there are, of which these are the most named.
    pub total: usize,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EntityLine {
    pub scope: Scope,
    pub entity: KnownEntity,
    /// Memories that name it and are in force.
    pub memories: usize,
    pub bonds: usize,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EntityShown {
    pub scope: Scope,
    pub entity: KnownEntity,
    /// What it is, where a memory says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What is known of it on one card, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<Memory>,
    /// The most useful first.
    pub memories: Vec<Memory>,
    pub bonds: Vec<BondLine>,
}

/// A bond, with what its ends are called.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BondLine {
    #[serde(flatten)]
    pub bond: Bond,
    pub from_name: String,
    pub to_name: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EntityChanged {
    pub operation: OperationId,
    pub entity: KnownEntity,
}

/// What a thing is bound to, each thing once, nearest first.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraphShown {
    pub scope: Scope,
    pub nodes: Vec<GraphNode>,
    /// The same for graphviz.
    pub dot: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraphNode {
    pub entity: EntityId,
    pub name: String,
    pub kind: engram_core::observe::EntityKind,
    /// How many memories name it.
    pub memories: usize,
    pub hops: usize,
    /// The place of the node that led here, and the bond that did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bond: Option<BondKind>,
    /// It leads back, from here to there.
    #[serde(default)]
    pub backwards: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
}

/// What waits to be summed up next.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConsolidationOffered {
    /// None: nothing waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Offered>,
    pub waiting: usize,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Offered {
    pub scope: Scope,
    pub summary: MemoryId,
    pub topic: String,
    /// What the summary says so far.
    pub text: String,
    pub sources: Vec<Memory>,
}

/// A memory was put into another tier.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TierSet {
    pub operation: OperationId,
    pub memory: Memory,
    pub before: Tier,
}
