//! Credit: from what was shown and what happened next to how using it went.
//!
//! It looks at memories that were put before an agent and at the turns that
//! followed. It knows no store and changes no memory.

use crate::id::{MemoryId, RecallId};
use crate::recalled::{RecallSettled, Surface};
use crate::used::Usage;
use jiff::Timestamp;
use std::collections::BTreeSet;

/// One memory that was put before an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    pub recall: RecallId,
    pub memory: MemoryId,
    pub at: Timestamp,
    pub via: Surface,
    pub text: String,
    /// The files that it names.
    pub files: BTreeSet<String>,
    /// The commands that it tells to run.
    pub commands: Vec<String>,
}

/// What is known of the recalls of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Credit {
    pub usages: Vec<Usage>,
    pub settled: Vec<RecallSettled>,
    /// So many recalls cannot be judged yet.
    pub open: usize,
}
