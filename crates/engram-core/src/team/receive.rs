//! What the server told, as this replica keeps it.
//!
//! What is shared is the server's; how one person uses it is theirs and stays.

use super::view::View;
use super::{Outgoing, Position};
use crate::change::{Actor, Cause, Changes, Write};
use crate::decision::Review;
use crate::id::{MemberId, MemoryId, OperationId};
use crate::kind::Scope;
use crate::memory::{DataSource, Memory, Relation, RelationKind};
use crate::status::Status;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// What was asked of the server, and what it answered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fetched {
    /// What is asked for and not among the memories is not there.
    pub asked: BTreeSet<MemoryId>,
    pub memories: Vec<Memory>,
    /// The memories there whose relations these are, all of them.
    pub tied: BTreeSet<MemoryId>,
    pub relations: Vec<Relation>,
    pub reviews: Vec<Review>,
}

impl Fetched {
    /// What a replica has already is not taken in again, nor taken from it.
    pub fn leave_out(&mut self, here: &View) {
        self.asked.retain(|id| !here.memories.contains_key(id));
        self.tied.retain(|id| !here.memories.contains_key(id));
        self.memories.retain(|memory| !here.memories.contains_key(&memory.id));
        self.relations.retain(|edge| !here.memories.contains_key(&edge.from));
        self.reviews.retain(|review| !here.reviews.contains_key(&review.id));
    }
}

/// What a replica knows of itself when it takes something in.
pub struct Taking<'a> {
    pub me: MemberId,
    /// The memories that wait in the outbox to be there.
    pub queued: BTreeSet<MemoryId>,
    /// Whether a memory is here that nobody asked for.
    pub knows: &'a (dyn Fn(MemoryId) -> bool + Sync),
    /// Everything up to here is taken in with this.
    pub position: Option<Position>,
    pub operation: OperationId,
    pub at: Timestamp,
}

/// What taking it in comes to. A text that was withdrawn goes first, in a
/// change of its own: only a purge takes the words out of everything here.
#[derive(Debug, Clone, PartialEq)]
pub struct Received {
    pub purge: Option<Changes>,
    pub rest: Changes,
}

impl Outgoing {
    /// The memory that is here and not on the server, as long as it waits.
    pub fn awaited(&self) -> Option<MemoryId> {
        let waits = self.refused_at.is_none();
        self.intent.newborn().filter(|_| waits).map(|memory| memory.id)
    }
}

/// A memory of the server as it is kept here: with the traces of its use here,
/// and the standing that use or a dream gave it as long as nothing changed there.
pub fn received(local: Option<&Memory>, far: Memory, me: MemberId) -> Memory {
    let mut kept = far;
    kept.scope = Scope::Team;
    if kept.provenance.author != Some(me) {
        kept.provenance.data_source = DataSource::Federation;
    }
    let Some(local) = local else {
        kept.trace.access_count = 0;
        return kept;
    };
    if kept.status == Status::Forgotten {
        return kept;
    }
    kept.trace = local.trace.clone();
    kept.utility = local.utility;
    let by_itself = matches!(local.status_change.cause, Cause::Use | Cause::Dream);
    if local.revision == kept.revision && by_itself {
        kept.status = local.status;
        kept.status_change = local.status_change.clone();
        kept.tier = local.tier;
    }
    kept
}

/// What a replica does about what it was told.
pub fn plan_received(local: &View, far: Fetched, taking: &Taking<'_>) -> Received {
    let mut purged = Vec::new();
    let mut writes = Vec::new();
    let told: BTreeMap<MemoryId, Memory> =
        far.memories.into_iter().map(|memory| (memory.id, memory)).collect();
    for id in far.asked.iter().filter(|id| !told.contains_key(id) && !taking.queued.contains(id)) {
        if let Some(gone) = local.memories.get(id) {
            writes.push(Write::Remove { memory: Box::new(gone.clone()) });
        }
    }
    let gone =
        |id: MemoryId| far.asked.contains(&id) && !told.contains_key(&id) && !taking.queued.contains(&id);
    let here = |id: MemoryId| told.contains_key(&id) || !gone(id) && (taking.knows)(id);
    let joins = |edge: &Relation| (edge.from, edge.kind, edge.to);
    let known: BTreeSet<_> = local.relations.iter().map(joins).collect();
    let mut there = BTreeSet::new();
    for relation in &far.relations {
        let new = there.insert(joins(relation)) && !known.contains(&joins(relation));
        if new && here(relation.from) && here(relation.to) {
            writes.push(Write::Relate { relation: relation.clone() });
        }
    }
    // Other edges are drawn here, by whoever looks after this replica.
    let shared = |edge: &&Relation| matches!(edge.kind, RelationKind::Contradicts | RelationKind::Supersedes);
    let over = local.relations.iter().filter(shared);
    let over = over.filter(|edge| far.tied.contains(&edge.from) && !there.contains(&joins(edge)));
    writes.extend(over.map(|edge| Write::Unrelate { relation: edge.clone() }));
    for review in far.reviews {
        let before = local.reviews.get(&review.id).cloned();
        if before.as_ref() != Some(&review) {
            writes.push(Write::Review { before: before.map(Box::new), after: Box::new(review) });
        }
    }
    let mut kept = Vec::new();
    for (id, memory) in told {
        let before = local.memories.get(&id);
        let mut after = received(before, memory, taking.me);
        // Several steps between two looks may end with the words of the first; here
        // it is one step, and has a time of its own.
        if before.is_some_and(|before| {
            before.status != after.status && before.status_change == after.status_change
        }) {
            after.status_change.at = taking.at;
        }
        match before {
            None => kept.push(Write::Create { memory: Box::new(after) }),
            Some(before) if *before == after => {}
            Some(before) => {
                let write =
                    Write::Replace { before: Box::new(before.clone()), after: Box::new(after.clone()) };
                let withdrawn = after.status == Status::Forgotten && !before.content.is_empty();
                if withdrawn { purged.push(write) } else { kept.push(write) }
            }
        }
    }
    // A memory is there before anything is tied to it.
    kept.append(&mut writes);
    kept.extend(taking.position.map(|position| Write::Heard { position }));
    let changes = |cause, operation, writes| Changes {
        operation,
        cause,
        actor: Actor::Engram,
        at: taking.at,
        undoes: None,
        part_of: None,
        writes,
    };
    let purge = changes(Cause::Purge, taking.operation.part(1), purged);
    Received {
        purge: Some(purge).filter(|purge| !purge.writes.is_empty()),
        rest: changes(Cause::Sync, taking.operation, kept),
    }
}
