//! What might evolve, the most pressing first.

use super::{Criteria, Evolving, Priority};
use crate::dream::Sight;
use crate::id::MemoryId;
use crate::memory::{Memory, Relation};
use crate::unit::{Similarity, Utility};
use crate::used::Usage;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Memories about which something could be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    pub priority: Priority,
    pub criteria: Criteria,
    pub nodes: Vec<MemoryId>,
    pub suggested: Evolving,
    pub utility: Utility,
    pub uses: u32,
    pub idle_days: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<Similarity>,
    /// What is still wanting before that may be done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    pub why: String,
}

/// A store as evolution looks at it.
pub struct Ground<'a> {
    pub memories: &'a BTreeMap<MemoryId, Arc<Memory>>,
    /// How using each went, oldest first.
    pub usages: &'a BTreeMap<MemoryId, Vec<Usage>>,
    pub edges: &'a BTreeSet<Relation>,
    pub sight: &'a dyn Sight,
    pub at: Timestamp,
}
