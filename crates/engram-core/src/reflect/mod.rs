//! Reflection: what the memory has to tell of itself (S0 7).
//!
//! An insight is no memory; it tells of them, with its evidence and what was
//! done about it. No setting is changed here, only proposed.

use crate::dream::DreamTrigger;
use crate::id::OperationId;
use crate::words::words;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

words! {
    /// What an insight is about (S0 7.3).
    pub enum InsightType ("insight type") {
        /// Which arm finds what is then used.
        RetrievalPattern = "retrieval_pattern",
        /// What is asked often and answered never.
        MemoryGap = "memory_gap",
        /// Many memories about one thing.
        ConsolidationSignal = "consolidation_signal",
        /// What was put away too early.
        DecayAnomaly = "decay_anomaly",
        /// What everything is tied to, and what is used together.
        GraphInsight = "graph_insight",
    }
}

/// One thing that the memory has to tell of itself. Seen again it is the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Insight {
    /// Its type and its subject.
    pub id: String,
    pub insight: InsightType,
    pub subject: String,
    pub description: String,
    /// Identifiers of memories, recalls and things with a name.
    pub evidence: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action_taken: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Proposal>,
    pub created_at: Timestamp,
    pub last_seen_at: Timestamp,
    /// It is no longer so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
}

/// A setting that somebody could change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    pub setting: String,
    pub value: String,
    pub why: String,
}

/// One reflection and what came of it (S0 7.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReflectionLogged {
    pub dream: OperationId,
    pub triggered_by: DreamTrigger,
    /// How many sessions there had been.
    pub session_count_at: u64,
    pub insights_generated: u32,
    pub entities_merged: u32,
    pub edges_pruned: u32,
    pub memories_archived: u32,
    pub duration_ms: u64,
    pub at: Timestamp,
}
