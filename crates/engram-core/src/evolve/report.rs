//! What evolved, told as the seed tells it (S1): field for field, so that its
//! readers find what they know.

use super::Evolving;
use crate::id::MemoryId;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvolutionReport {
    pub candidates_evaluated: usize,
    pub actions_taken: ActionsTaken,
    pub details: Vec<Detail>,
    pub summary: String,
}

/// How often each was done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionsTaken {
    pub deprecated: usize,
    pub refined: usize,
    pub merged: usize,
    pub archived: usize,
    pub induced_skills: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    pub node_id: MemoryId,
    pub action: Evolving,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_id: Option<MemoryId>,
    pub reason: String,
    /// Somebody took it back.
    #[serde(default)]
    pub undone: bool,
}
