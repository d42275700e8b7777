//! What is known of some memories, and what open reviews connect.
//!
//! The same noun for what the server has and for what a replica has; whoever
//! fills it says which.

use super::Proposal;
use crate::decision::{Pair, Review, Ruling};
use crate::id::{MemoryId, ReviewId};
use crate::memory::{Memory, Relation, RelationKind};
use crate::status::Status;
use std::collections::{BTreeMap, BTreeSet};

/// Some memories with their edges and the pairs they are in.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct View {
    pub memories: BTreeMap<MemoryId, Memory>,
    pub relations: Vec<Relation>,
    pub reviews: BTreeMap<ReviewId, Review>,
    pub proposals: Vec<Proposal>,
}

/// Memories that open reviews connect, and those reviews.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Component {
    pub memories: BTreeSet<MemoryId>,
    pub reviews: Vec<Review>,
}

/// In force, and nobody doubts it.
pub(super) const fn in_force(status: Status) -> bool {
    matches!(status, Status::Created | Status::Active | Status::Consolidated)
}

/// The two memories of a review.
pub(super) const fn pair_of(review: &Review) -> Option<(MemoryId, MemoryId)> {
    match review.pair {
        Pair::Memories { newer, older } => Some((newer, older)),
        Pair::Entities { .. } => None,
    }
}

impl View {
    pub fn of(memories: impl IntoIterator<Item = Memory>) -> Self {
        let memories = memories.into_iter().map(|memory| (memory.id, memory)).collect();
        Self { memories, ..Self::default() }
    }

    /// The memories of its reviews and the heirs that are not in it yet.
    pub fn missing(&self) -> BTreeSet<MemoryId> {
        let pairs = self.reviews.values().filter_map(pair_of);
        let of_pairs = pairs.flat_map(|(newer, older)| [newer, older]);
        let heirs = self.relations.iter().filter(|edge| edge.kind == RelationKind::Supersedes);
        let all = of_pairs.chain(heirs.map(|edge| edge.from));
        all.filter(|id| !self.memories.contains_key(id)).collect()
    }

    /// What open reviews connect with this memory, itself included.
    pub fn component(&self, of: MemoryId) -> Component {
        let open: Vec<(MemoryId, MemoryId, &Review)> = self
            .reviews
            .values()
            .filter(|review| review.closed.is_none())
            .filter_map(|review| pair_of(review).map(|(newer, older)| (newer, older, review)))
            .collect();
        let mut memories = BTreeSet::from([of]);
        loop {
            let reached =
                open.iter().filter(|(newer, older, _)| memories.contains(newer) != memories.contains(older));
            let reached: Vec<MemoryId> = reached.flat_map(|(newer, older, _)| [*newer, *older]).collect();
            if reached.is_empty() {
                break;
            }
            memories.extend(reached);
        }
        let reviews = open.into_iter().filter(|(newer, ..)| memories.contains(newer));
        Component { reviews: reviews.map(|(.., review)| review.clone()).collect(), memories }
    }

    /// The memory of this component that nothing else of it takes the place of:
    /// told by the pairs, not by anybody's clock.
    pub(super) fn newest(&self, component: &Component) -> Option<MemoryId> {
        let stands = |id: &MemoryId| self.stands(*id);
        let challenged = component.reviews.iter().filter_map(pair_of);
        let elder: BTreeSet<MemoryId> =
            challenged.filter(|(newer, _)| stands(newer)).map(|(_, older)| older).collect();
        let standing = || component.memories.iter().copied().filter(stands);
        standing().rfind(|id| !elder.contains(id)).or_else(|| standing().next_back())
    }

    /// It is in force, or somebody doubts it.
    pub(super) fn stands(&self, id: MemoryId) -> bool {
        self.memories.get(&id).is_some_and(|memory| memory.status.is_current())
    }

    /// Whether something took the place of this memory that is not seen here.
    pub fn lacks_heir(&self, of: MemoryId) -> bool {
        let gone = |status: Status| !status.is_current() && status != Status::Forgotten;
        self.memories.get(&of).is_some_and(|memory| gone(memory.status)) && self.heir_of(of).is_none()
    }

    /// What stands in the place of a memory that does not: by the edges, else by
    /// what a review came to.
    pub(super) fn heir_of(&self, id: MemoryId) -> Option<MemoryId> {
        let by_edge = |old: MemoryId| {
            let took = move |edge: &&Relation| edge.kind == RelationKind::Supersedes && edge.to == old;
            self.relations.iter().filter(took).map(|edge| edge.from)
        };
        let by_review = |old: MemoryId| {
            let decided = self
                .reviews
                .values()
                .filter(|review| review.closed.is_some_and(|closed| closed.ruling != Ruling::Both));
            decided.filter_map(pair_of).filter_map(move |(newer, older)| match old {
                _ if old == newer => Some(older),
                _ if old == older => Some(newer),
                _ => None,
            })
        };
        let mut seen = BTreeSet::from([id]);
        let mut open = vec![id];
        while let Some(next) = open.pop() {
            if next != id && self.stands(next) {
                return Some(next);
            }
            // What was put last is looked at first.
            let further: Vec<MemoryId> = by_review(next).chain(by_edge(next)).collect();
            open.extend(further.into_iter().filter(|other| seen.insert(*other)));
        }
        None
    }
}
