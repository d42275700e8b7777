//! Every change to a store is one described, undoable operation.
//!
//! `Changes` goes through the commit door whole or not at all. What is logged
//! of it is an `Operation` with the inverse of each write.

use crate::decision::{Decision, Pair, Review};
use crate::dream::{Note, made_of};
use crate::graph::Bond;
use crate::id::{MemoryId, OperationId, TurnId};
use crate::kind::Tier;
use crate::law::{Model, fades_at};
use crate::learn::Learned;
use crate::link::{KnownEntity, Mention, Merge};
use crate::memory::{Memory, Relation};
use crate::recalled::Rating;
use crate::status::{Status, StatusChange};
use crate::team::{Outgoing, Position};
use crate::turn::Turn;
use crate::unit::{Confidence, Difficulty, Importance, Stability, Utility};
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
        /// Somebody told whether an answer helped.
        Feedback = "feedback",
        /// Somebody was reminded of it, as they had asked.
        Remind = "remind",
        /// The store was looked after while nobody waited.
        Dream = "dream",
        /// It was put into another tier by hand.
        Tier = "tier",
        /// What is said about it was set right by hand: its kind, its tags, its
        /// domain or its summary.
        Edit = "edit",
        /// What several memories say was said in one.
        Consolidate = "consolidate",
        /// Something about a thing with a name was set right by hand.
        Entity = "entity",
        /// A memory was deprecated, refined, merged, archived or made into a
        /// skill, on the evidence of its use.
        Evolve = "evolve",
        /// What was learned about searching was changed by hand.
        Learn = "learn",
        /// It is to be the team's as well.
        Share = "share",
        /// It is to be the team's no longer.
        Withdraw = "withdraw",
        /// What the team's server told was taken in.
        Sync = "sync",
        /// Somebody's words were taken out of everything.
        Erase = "erase",
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
    /// The operation that this one is a part of: a dream is done in parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_of: Option<OperationId>,
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
    /// Changes where a memory stands, and not what it says.
    Upkeep {
        change: Box<Upkeep>,
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
    /// Sets what is known of a thing with a name: new, changed or gone.
    Entity {
        before: Option<Box<KnownEntity>>,
        after: Option<Box<KnownEntity>>,
    },
    /// Sets how two things are bound: new, changed or gone.
    Bond {
        before: Option<Box<Bond>>,
        after: Option<Box<Bond>>,
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
    /// Takes such a line out of the log again.
    Unrecord {
        usage: Box<Usage>,
    },
    /// Keeps what somebody says of an answer.
    Rate {
        rating: Box<Rating>,
    },
    /// Keeps a row of what a dream goes by.
    Note {
        note: Box<Note>,
    },
    /// Sets what was learned under one key: new, changed or gone.
    Learn {
        before: Option<Box<Learned>>,
        after: Option<Box<Learned>>,
    },
    /// Into the outbox, or in the place of what is there under this operation.
    Queue {
        outgoing: Box<Outgoing>,
    },
    Unqueue {
        operation: OperationId,
    },
    /// Everything up to this place in the team's feed is taken in.
    Heard {
        position: Position,
    },
    /// This replica holds so many memories at most and left others out. None:
    /// it holds all.
    Hold {
        most: Option<usize>,
    },
}

/// A change of where a memory stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Upkeep {
    pub id: MemoryId,
    pub before: Standing,
    pub after: Standing,
}

/// What upkeep may change of a memory: where it stands, never what it says. The
/// only words in it are the reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    pub status: Status,
    pub status_change: StatusChange,
    pub tier: Tier,
    pub importance: Importance,
    pub confidence: Confidence,
    pub utility: Utility,
    pub pinned: bool,
    pub stability: Stability,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<Difficulty>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fades_at: Option<Timestamp>,
    /// How often it had been used: upkeep never changes it, and whoever takes
    /// upkeep back sees by it whether there was use since.
    pub access_count: u32,
    pub revision: u32,
}

impl Standing {
    pub fn of(memory: &Memory) -> Self {
        Self {
            status: memory.status,
            status_change: memory.status_change.clone(),
            tier: memory.tier,
            importance: memory.importance,
            confidence: memory.confidence,
            utility: memory.utility,
            pinned: memory.pinned,
            stability: memory.trace.stability,
            difficulty: memory.trace.difficulty,
            fades_at: memory.trace.fades_at,
            access_count: memory.trace.access_count,
            revision: memory.revision,
        }
    }

    /// The memory as it stands then. Its uses stay what they are.
    pub fn put(&self, memory: &mut Memory) {
        memory.status = self.status;
        memory.status_change = self.status_change.clone();
        memory.tier = self.tier;
        memory.importance = self.importance;
        memory.confidence = self.confidence;
        memory.utility = self.utility;
        memory.pinned = self.pinned;
        memory.trace.stability = self.stability;
        memory.trace.difficulty = self.difficulty;
        memory.trace.fades_at = self.fades_at;
        memory.revision = self.revision;
    }
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
    Stand { id: MemoryId, before: Box<Standing>, revision: u32 },
    Entity { before: Option<Box<KnownEntity>>, after: Option<Box<KnownEntity>> },
    Bond { before: Option<Box<Bond>>, after: Option<Box<Bond>> },
    Learn { before: Option<Box<Learned>>, after: Option<Box<Learned>> },
    Record { usage: Box<Usage> },
    Unrecord { usage: Box<Usage> },
    Rate { rating: Box<Rating> },
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
            Write::Upkeep { change } => Inverse::Stand {
                id: change.id,
                before: Box::new(change.before.clone()),
                revision: change.after.revision,
            },
            Write::Entity { before, after } => {
                Inverse::Entity { before: before.clone(), after: after.clone() }
            }
            Write::Bond { before, after } => Inverse::Bond { before: before.clone(), after: after.clone() },
            Write::Learn { before, after } => Inverse::Learn { before: before.clone(), after: after.clone() },
            Write::Record { usage } => Inverse::Unrecord { usage: usage.clone() },
            Write::Unrecord { usage } => Inverse::Record { usage: usage.clone() },
            Write::Rate { rating } => Inverse::Rate { rating: Box::new(rating.reversed()) },
            Write::Hear { .. }
            | Write::Read { .. }
            | Write::Name { .. }
            | Write::Mention { .. }
            | Write::Unname { .. }
            | Write::Promote { .. }
            | Write::Note { .. }
            | Write::Queue { .. }
            | Write::Unqueue { .. }
            | Write::Heard { .. }
            | Write::Hold { .. }
            | Write::Review { before: None, .. } => return None,
        })
    }

    /// The memory this write makes, changes or takes away.
    pub fn memory_id(&self) -> Option<MemoryId> {
        match self {
            Write::Create { memory } | Write::Remove { memory } => Some(memory.id),
            Write::Replace { after, .. } => Some(after.id),
            Write::Upkeep { change } => Some(change.id),
            _ => None,
        }
    }
}

impl Inverse {
    /// Whether it repeats words of one of these memories.
    pub fn quotes(&self, memories: &[MemoryId]) -> bool {
        match self {
            // The reason why it stood there is free text.
            Inverse::Remove { id, .. } | Inverse::Stand { id, .. } => memories.contains(id),
            Inverse::Restore { before: memory, .. } | Inverse::Create { memory } => {
                memories.contains(&memory.id) || made_of(memory).iter().any(|id| memories.contains(id))
            }
            Inverse::Rejudge { before, .. } => before.is_about(memories),
            Inverse::Record { usage } | Inverse::Unrecord { usage } => memories.contains(&usage.memory),
            Inverse::Relate { .. }
            | Inverse::Unrelate { .. }
            | Inverse::Entity { .. }
            | Inverse::Bond { .. }
            | Inverse::Learn { .. }
            | Inverse::Rate { .. } => false,
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
    /// The operation that this one is a part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_of: Option<OperationId>,
    /// In the order in which they are to be applied. Empty: cannot be undone.
    pub inverse: Vec<Inverse>,
}

impl Changes {
    /// Whether it is in the log: it is if it changes a memory or a review, and
    /// if it is the whole of what was done in parts. What is merely heard, or
    /// read without a result, is named by its turn.
    pub fn is_logged(&self) -> bool {
        !self.writes.iter().all(|write| {
            matches!(
                write,
                Write::Hear { .. }
                    | Write::Read { .. }
                    | Write::Name { .. }
                    | Write::Mention { .. }
                    | Write::Unname { .. }
                    | Write::Note { .. }
                    | Write::Queue { .. }
                    | Write::Unqueue { .. }
                    | Write::Heard { .. }
                    | Write::Hold { .. }
            )
        }) || self.writes.is_empty()
            || self.cause == Cause::Dream && self.part_of.is_none()
    }

    /// The log entry. A purge keeps no inverse: taking text away for good is
    /// the point of it. The outline of a code base is drawn again, not taken
    /// back; what the team's server told is true there.
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
            Cause::Purge | Cause::Outline | Cause::Sync | Cause::Erase => Vec::new(),
            // What was said to the team is taken back by saying so.
            _ if self.writes.iter().any(|write| matches!(write, Write::Queue { .. })) => Vec::new(),
            // Which memory meant which of two names is not known any more.
            Cause::Entity if self.writes.iter().any(|write| matches!(write, Write::Unname { .. })) => {
                Vec::new()
            }
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
            part_of: self.part_of,
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

    /// The same change with the moment of fading in every memory that it makes
    /// or changes. The door sets it last, because everything that a planner
    /// decides may move it.
    pub fn with_deadlines(mut self, model: Model) -> Changes {
        for write in &mut self.writes {
            if let Write::Create { memory } | Write::Replace { after: memory, .. } = write {
                memory.trace.fades_at = fades_at(memory, model);
            }
        }
        self
    }

    /// Takes the text of these memories out of what is about to be kept, and
    /// the words they came from.
    pub fn scrub(&mut self, purged: &[MemoryId], evidence: &[TurnId]) {
        let clear = |memory: &mut Memory| {
            if purged.contains(&memory.id) && !memory.content.is_empty() {
                memory.clear_text();
                PURGED.clone_into(&mut memory.content);
            }
            if purged.contains(&memory.id) {
                clear_reason(&mut memory.status_change);
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
                Write::Upkeep { change } if purged.contains(&change.id) => {
                    clear_reason(&mut change.before.status_change);
                    clear_reason(&mut change.after.status_change);
                }
                Write::Queue { outgoing } => outgoing.intent.memory_mut().into_iter().for_each(clear),
                Write::Hear { turn } if evidence.contains(&turn.id) => turn.clear_text(),
                Write::Record { usage } | Write::Unrecord { usage } if purged.contains(&usage.memory) => {
                    usage.note = None
                }
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

/// Stands where a reason was.
pub const PURGED_REASON: &str = "purged";

/// A reason is free text, and may repeat what is to go.
pub fn clear_reason(change: &mut StatusChange) {
    PURGED_REASON.clone_into(&mut change.reason);
}
