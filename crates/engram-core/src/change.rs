//! Every change to a store is one described, undoable operation.
//!
//! `Changes` goes through the commit door whole or not at all. What is logged
//! of it is an `Operation` with the inverse of each write.

use crate::decision::{Decision, Pair, Review};
use crate::id::{MemoryId, OperationId, TurnId};
use crate::link::{KnownEntity, Mention, Merge};
use crate::memory::{Memory, Relation};
use crate::turn::Turn;
use crate::used::{Promotion, Usage};
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
        /// Something happened, and was kept word for word.
        Hear = "hear",
        /// What happened was read, and what of it is worth keeping was kept.
        Capture = "capture",
        /// Somebody decided about a pair.
        Review = "review",
        /// The outline of the code base was brought up to date.
        Outline = "outline",
        /// It is worth more than the scope it was born in.
        Promote = "promote",
        /// Somebody told how using it went.
        Outcome = "outcome",
        /// Somebody was reminded of it, as they had asked.
        Remind = "remind",
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
    Create {
        memory: Box<Memory>,
    },
    Replace {
        before: Box<Memory>,
        after: Box<Memory>,
    },
    Remove {
        memory: Box<Memory>,
    },
    Relate {
        relation: Relation,
    },
    Unrelate {
        relation: Relation,
    },
    /// Keeps a turn, to be read.
    Hear {
        turn: Box<Turn>,
    },
    /// The turn was read, and this was decided.
    Read {
        turn: TurnId,
        decisions: Vec<Decision>,
    },
    /// Keeps what is known of an entity now.
    Name {
        entity: Box<KnownEntity>,
    },
    Mention {
        mention: Mention,
    },
    /// One thing is another; what named it names the other.
    Unname {
        merge: Merge,
    },
    /// Opens a review, or closes it.
    Review {
        before: Option<Box<Review>>,
        after: Box<Review>,
    },
    /// Logs that a memory went up.
    Promote {
        promotion: Box<Promotion>,
    },
    /// Logs how using a memory went.
    Record {
        usage: Box<Usage>,
    },
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
    Rejudge { before: Box<Review>, after: Box<Review> },
}

impl Write {
    /// None: what happened has happened, and what it spoke of is still known.
    pub fn inverse(&self) -> Option<Inverse> {
        Some(match self {
            Write::Create { memory } => Inverse::Remove { id: memory.id, revision: memory.revision },
            Write::Replace { before, after } => {
                Inverse::Restore { before: before.clone(), revision: after.revision }
            }
            Write::Remove { memory } => Inverse::Create { memory: memory.clone() },
            Write::Relate { relation } => Inverse::Unrelate { relation: relation.clone() },
            Write::Unrelate { relation } => Inverse::Relate { relation: relation.clone() },
            // Which memory meant which of two names is not known any more.
            Write::Review { after, .. } if after.merges_names() => return None,
            Write::Review { before: Some(before), after } => {
                Inverse::Rejudge { before: before.clone(), after: after.clone() }
            }
            Write::Hear { .. }
            | Write::Read { .. }
            | Write::Name { .. }
            | Write::Mention { .. }
            | Write::Unname { .. }
            | Write::Promote { .. }
            | Write::Record { .. }
            | Write::Review { before: None, .. } => return None,
        })
    }

    /// The memory this write makes, changes or takes away.
    pub fn memory_id(&self) -> Option<MemoryId> {
        match self {
            Write::Create { memory } | Write::Remove { memory } => Some(memory.id),
            Write::Replace { after, .. } => Some(after.id),
            _ => None,
        }
    }
}

impl Inverse {
    /// Whether it repeats words of one of these memories.
    pub fn quotes(&self, memories: &[MemoryId]) -> bool {
        match self {
            Inverse::Remove { id, .. } => memories.contains(id),
            Inverse::Restore { before, .. } => memories.contains(&before.id),
            Inverse::Create { memory } => memories.contains(&memory.id),
            Inverse::Rejudge { before, .. } => before.is_about(memories),
            Inverse::Relate { .. } | Inverse::Unrelate { .. } => false,
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
    /// Whether it is in the log: it is if it changes a memory or a review. What
    /// is merely heard, or read without a result, is named by its turn.
    pub fn is_logged(&self) -> bool {
        !self.writes.iter().all(|write| {
            matches!(
                write,
                Write::Hear { .. }
                    | Write::Read { .. }
                    | Write::Name { .. }
                    | Write::Mention { .. }
                    | Write::Unname { .. }
            )
        }) || self.writes.is_empty()
    }

    /// The log entry. A purge keeps no inverse: taking text away for good is
    /// the point of it. The outline of a code base is drawn again, not taken
    /// back.
    pub fn log_entry(&self) -> Operation {
        let mut memories: Vec<MemoryId> = self.writes.iter().filter_map(Write::memory_id).collect();
        // A decision about a pair is one about both, even where one of them stays.
        for write in &self.writes {
            if let Write::Review { before: Some(_), after } = write
                && let Pair::Memories { newer, older } = after.pair
            {
                memories.extend([newer, older]);
            }
        }
        memories.sort();
        memories.dedup();
        let inverse = match self.cause {
            Cause::Purge | Cause::Outline => Vec::new(),
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
            inverses.extend(write.inverse());
        }
        // It is taken back as it is after all of this.
        for inverse in &mut inverses {
            if let Inverse::Remove { id, revision } = inverse {
                let last = self.writes.iter().rev().find_map(|write| match write {
                    Write::Replace { after, .. } if after.id == *id => Some(after.revision),
                    _ => None,
                });
                *revision = last.unwrap_or(*revision);
            }
        }
        inverses.reverse();
        inverses
    }

    /// Takes the text of these memories out of what is about to be kept, and
    /// the words they came from.
    pub fn scrub(&mut self, purged: &[MemoryId], evidence: &[TurnId]) {
        let clear = |memory: &mut Memory| {
            if purged.contains(&memory.id) && !memory.content.is_empty() {
                memory.clear_text();
                PURGED.clone_into(&mut memory.content);
            }
        };
        for write in &mut self.writes {
            match write {
                Write::Review { before, after } if after.is_about(purged) => {
                    before.iter_mut().for_each(|before| before.clear_text());
                    after.clear_text();
                }
                Write::Create { memory } | Write::Remove { memory } => clear(memory),
                Write::Replace { before, after } => {
                    clear(before);
                    clear(after);
                }
                Write::Hear { turn } if evidence.contains(&turn.id) => turn.clear_text(),
                Write::Record { usage } if purged.contains(&usage.memory) => usage.note = None,
                Write::Read { turn, decisions } => {
                    for decision in decisions {
                        let names = |id: Option<MemoryId>| id.is_some_and(|id| purged.contains(&id));
                        if evidence.contains(turn) || names(decision.memory) || names(decision.other) {
                            decision.clear_text();
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// The turns that the purged memories of this change were made of.
    pub fn purged_evidence(&self) -> Vec<TurnId> {
        let before = self.writes.iter().filter_map(|write| match write {
            Write::Replace { before, .. } => Some(&before.provenance.evidence),
            _ => None,
        });
        before.flatten().copied().collect()
    }
}

/// Stands where a text was, in a change that still has to be valid.
pub const PURGED: &str = "[purged]";
