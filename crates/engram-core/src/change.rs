//! Every change to a store is one described, undoable operation.
//!
//! `Changes` goes through the commit door whole or not at all. What is logged
//! of it is an `Operation` with the inverse of each write.

use crate::id::{MemoryId, OperationId};
use crate::memory::{Memory, Relation};
use crate::words::words;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

words! {
    /// Why a store changes.
    pub enum Cause ("cause") {
        Remember = "remember",
        Correct = "correct",
        Confirm = "confirm",
        Mark = "mark",
        Forget = "forget",
        Unforget = "unforget",
        Purge = "purge",
        Pin = "pin",
        Unpin = "unpin",
        Import = "import",
        Undo = "undo",
        /// Someone was shown the memory. Reachability, never truth.
        Use = "use",
    }
}

words! {
    /// On whose behalf.
    pub enum Actor ("actor") {
        Human = "human",
        Assistant = "assistant",
        Ingest = "ingest",
        Engram = "engram",
    }
}

/// What goes through the commit door: one transaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Changes {
    pub operation: OperationId,
    pub cause: Cause,
    pub actor: Actor,
    pub at: Timestamp,
    /// The operation that this one takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<OperationId>,
    pub writes: Vec<Write>,
}

/// One write. `before` is what the planner saw; the door refuses to overwrite
/// anything else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "write", rename_all = "snake_case")]
pub enum Write {
    Create { memory: Box<Memory> },
    Replace { before: Box<Memory>, after: Box<Memory> },
    Remove { memory: Box<Memory> },
    Relate { relation: Relation },
    Unrelate { relation: Relation },
}

/// What takes one write back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "inverse", rename_all = "snake_case")]
pub enum Inverse {
    Remove { id: MemoryId, revision: u32 },
    Restore { before: Box<Memory>, revision: u32 },
    Create { memory: Box<Memory> },
    Relate { relation: Relation },
    Unrelate { relation: Relation },
}

impl Write {
    pub fn inverse(&self) -> Inverse {
        match self {
            Write::Create { memory } => Inverse::Remove { id: memory.id, revision: memory.revision },
            Write::Replace { before, after } => {
                Inverse::Restore { before: before.clone(), revision: after.revision }
            }
            Write::Remove { memory } => Inverse::Create { memory: memory.clone() },
            Write::Relate { relation } => Inverse::Unrelate { relation: relation.clone() },
            Write::Unrelate { relation } => Inverse::Relate { relation: relation.clone() },
        }
    }

    /// The memory this write touches, if it is not an edge.
    pub fn memory_id(&self) -> Option<MemoryId> {
        match self {
            Write::Create { memory } | Write::Remove { memory } => Some(memory.id),
            Write::Replace { after, .. } => Some(after.id),
            Write::Relate { .. } | Write::Unrelate { .. } => None,
        }
    }
}

impl Inverse {
    pub fn memory_id(&self) -> Option<MemoryId> {
        match self {
            Inverse::Remove { id, .. } => Some(*id),
            Inverse::Restore { before, .. } => Some(before.id),
            Inverse::Create { memory } => Some(memory.id),
            Inverse::Relate { .. } | Inverse::Unrelate { .. } => None,
        }
    }
}

/// What the log keeps of a change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    pub id: OperationId,
    pub cause: Cause,
    pub actor: Actor,
    pub at: Timestamp,
    /// The memories it touched, in order of identifier.
    pub memories: Vec<MemoryId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<OperationId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone_by: Option<OperationId>,
    /// In the order in which they are to be applied. Empty: cannot be undone.
    pub inverse: Vec<Inverse>,
}

impl Changes {
    /// The log entry. A purge keeps no inverse: taking text away for good is
    /// the point of it.
    pub fn log_entry(&self) -> Operation {
        let mut memories: Vec<MemoryId> = self.writes.iter().filter_map(Write::memory_id).collect();
        memories.sort();
        memories.dedup();
        let inverse = match self.cause {
            Cause::Purge => Vec::new(),
            _ => self.inverses(),
        };
        Operation {
            id: self.operation,
            cause: self.cause,
            actor: self.actor,
            at: self.at,
            memories,
            undoes: self.undoes,
            undone_by: None,
            inverse,
        }
    }

    /// What happened to a memory after its birth in this same change goes when
    /// the birth is taken back.
    fn inverses(&self) -> Vec<Inverse> {
        let mut born = BTreeSet::new();
        let mut inverses = Vec::with_capacity(self.writes.len());
        for write in &self.writes {
            match write {
                Write::Create { memory } => {
                    born.insert(memory.id);
                }
                Write::Replace { after, .. } if born.contains(&after.id) => continue,
                _ => {}
            }
            inverses.push(write.inverse());
        }
        inverses.reverse();
        inverses
    }

    /// Takes the text of these memories out of what is about to be kept.
    pub fn scrub(&mut self, purged: &[MemoryId]) {
        let clear = |memory: &mut Memory| {
            if purged.contains(&memory.id) && !memory.content.is_empty() {
                memory.clear_text();
                PURGED.clone_into(&mut memory.content);
            }
        };
        for write in &mut self.writes {
            match write {
                Write::Create { memory } | Write::Remove { memory } => clear(memory),
                Write::Replace { before, after } => {
                    clear(before);
                    clear(after);
                }
                Write::Relate { .. } | Write::Unrelate { .. } => {}
            }
        }
    }
}

/// Stands where a text was, in a change that still has to be valid.
pub const PURGED: &str = "[purged]";
