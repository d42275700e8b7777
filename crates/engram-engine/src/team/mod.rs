//! One member's seat at a team: the replica, the server as they see it, and
//! what goes between the two.
//!
//! What somebody wants done is in the outbox before it is acknowledged, and is
//! shown here at once; the server's answer has the last word. How far was heard
//! moves in the commit that brought what it stands for. What is shared is
//! decided in `engram_core::team`; nothing here knows a network or a clock.

mod pull;
mod push;
mod resync;
mod search;

pub use pull::Pulled;
pub use push::Pushed;
pub use search::{FoundThere, question_for, searchable};

use crate::shelf::{ChangeError, Shelf};
use engram_core::change::Actor;
use engram_core::decision::{Pair, Review};
use engram_core::plan::Occasion;
use engram_core::port::{CommitError, ReadError};
use engram_core::team::port::{Far, FarError};
use engram_core::team::{
    Charter, Fetched, Intent, Member, Outgoing, Position, Taking, View, plan_delivery, plan_received,
    plan_shown,
};
use engram_core::{Cause, Changes, MemberId, MemoryId, OperationId, Timestamp, TurnId, Write};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// One machine of a member.
pub struct Seat {
    shelf: Arc<Shelf>,
    far: Arc<dyn Far>,
    /// Who sits here and what the team has agreed on, as the server last told.
    known: Mutex<(Member, Charter)>,
    /// One at a time follows the server.
    turn: tokio::sync::Mutex<()>,
    /// Whether a text was withdrawn that had been here.
    purged: AtomicBool,
    /// How many memories are held here at most, where the server can search
    /// the others.
    most: usize,
}

/// Why a replica and its server did not come together.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    #[error(transparent)]
    Far(#[from] FarError),
    #[error(transparent)]
    Change(#[from] ChangeError),
}

impl From<ReadError> for SyncError {
    fn from(error: ReadError) -> Self {
        Self::Change(error.into())
    }
}

/// What is taken in with what the server told.
#[derive(Default)]
struct With {
    position: Option<Position>,
    writes: Vec<Write>,
    /// A line of the outbox that waits no longer.
    settled: Option<OperationId>,
    /// What is here by now came by the feed, and is left as it is.
    only_new: bool,
}

impl Seat {
    /// `me` and `charter` as they were last known; the server is not asked.
    pub fn new(shelf: Arc<Shelf>, far: Arc<dyn Far>, me: Member, charter: Charter) -> Self {
        Self {
            shelf,
            far,
            known: Mutex::new((me, charter)),
            turn: tokio::sync::Mutex::default(),
            purged: AtomicBool::new(false),
            most: usize::MAX,
        }
    }

    /// Holds so many memories at most, where the server can search the others.
    pub fn holding(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// How many memories are to be held here. None: all, because only what is
    /// here is found.
    fn most(&self) -> Option<usize> {
        (self.charter().search && self.most < usize::MAX).then_some(self.most)
    }

    pub fn me(&self) -> Member {
        self.known().0.clone()
    }

    /// Whether a text went that had been here; the files of the replica may still
    /// hold it.
    pub fn has_purged(&self) -> bool {
        self.purged.load(Ordering::Relaxed)
    }

    pub fn charter(&self) -> Charter {
        self.known().1.clone()
    }

    fn known(&self) -> MutexGuard<'_, (Member, Charter)> {
        self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Asks the server for these memories and what ties them.
    async fn fetch(&self, asked: BTreeSet<MemoryId>) -> Result<Fetched, FarError> {
        if asked.is_empty() {
            return Ok(Fetched::default());
        }
        let ids: Vec<MemoryId> = asked.iter().copied().collect();
        let memories = self.far.load(ids.clone()).await?;
        let tied = memories.iter().map(|memory| memory.id).collect();
        let (relations, reviews) = self.far.ties(ids).await?;
        Ok(Fetched { asked, memories, tied, relations, reviews })
    }

    async fn take_in(&self, fetched: Fetched, with: With, at: Timestamp) -> Result<usize, ChangeError> {
        let (changed, purged) = self.shelf.keep_received(fetched, with, self.me().id, at).await?;
        self.purged.fetch_or(purged > 0, Ordering::Relaxed);
        Ok(changed)
    }
}

fn synced(operation: OperationId, at: Timestamp, writes: Vec<Write>) -> Changes {
    Changes { operation, cause: Cause::Sync, actor: Actor::Engram, at, undoes: None, part_of: None, writes }
}

/// The memories of a pair.
fn memories_of(review: &Review) -> Vec<MemoryId> {
    match review.pair {
        Pair::Memories { newer, older } => vec![newer, older],
        Pair::Entities { .. } => Vec::new(),
    }
}

impl Shelf {
    /// Keeps an intent until the server has done it. What it does is shown here
    /// at once, in the same commit, as far as it can be told from here: the server
    /// is not asked.
    pub async fn queue(
        &self,
        intent: Intent,
        me: &Member,
        charter: &Charter,
        occasion: Occasion,
    ) -> Result<(), ChangeError> {
        let Occasion { operation, actor, at, .. } = occasion;
        let cause = intent.cause();
        let outgoing =
            Outgoing { operation, intent, queued_at: at, tries: 0, problem: None, refused_at: None };
        let _door = self.door.lock().await;
        if self.store.find_operation(operation).await?.is_some() {
            return Err(CommitError::AlreadyApplied(operation).into());
        }
        let view = self.view_of(&outgoing.intent).await?;
        let mut writes = vec![Write::Queue { outgoing: Box::new(outgoing.clone()) }];
        if let Ok(delivery) = plan_delivery(&outgoing, me, charter, &view) {
            writes.extend(plan_shown(&delivery, &view));
        }
        let changes = Changes { operation, cause, actor, at, undoes: None, part_of: None, writes };
        self.commit(changes).await.map(drop)
    }

    /// Lets go of a line that the server refused.
    pub async fn dismiss(&self, operation: OperationId, at: Timestamp) -> Result<(), ChangeError> {
        let _door = self.door.lock().await;
        let line = self.store.find_outgoing(operation).await?;
        if line.is_none_or(|line| line.refused_at.is_none()) {
            return Err(ChangeError::NoOperation(operation));
        }
        let name = OperationId::of_sync(at, &format!("dismissed {operation}"), 0);
        self.commit(synced(name, at, vec![Write::Unqueue { operation }])).await.map(drop)
    }

    /// Takes in what the server told, all of it in one commit; a text that was
    /// withdrawn goes in one before it. Says how many memories changed, and how
    /// many of them lost their text.
    async fn keep_received(
        &self,
        mut fetched: Fetched,
        with: With,
        me: MemberId,
        at: Timestamp,
    ) -> Result<(usize, usize), ChangeError> {
        let _door = self.door.lock().await;
        let asked: Vec<MemoryId> = fetched.asked.iter().copied().collect();
        let mut local = View::default();
        if !asked.is_empty() {
            local = View::of(self.store.load(asked).await?);
        }
        local.relations = self.edges_from(&fetched.tied);
        if !fetched.reviews.is_empty() {
            local.reviews =
                self.store.load_reviews().await?.into_iter().map(|review| (review.id, review)).collect();
        }
        if with.only_new {
            fetched.leave_out(&local);
        }
        let queued = match fetched.asked.is_empty() {
            true => BTreeSet::new(),
            false => self.awaited(with.settled).await?,
        };
        let operation = self.free_name(with.position, at).await?;
        let knows = |id: MemoryId| self.index().contains(id);
        let position = with.position;
        let taking = Taking { me, queued, knows: &knows, position, operation, at };
        let mut received = plan_received(&local, fetched, &taking);
        received.rest.writes.extend(with.writes);
        let (mut changed, mut gone) = (0, 0);
        if let Some(purge) = received.purge {
            let purged: Vec<MemoryId> = purge.writes.iter().filter_map(Write::memory_id).collect();
            let evidence: Vec<TurnId> = purge.purged_evidence();
            changed += purged.len();
            gone = purged.len();
            // What was asked with these words is not noted any more, either.
            self.flush_recalls().await?;
            self.store.scrub(purged, evidence).await?;
            self.commit(purge).await?;
        }
        changed += received.rest.writes.iter().filter(|write| write.memory_id().is_some()).count();
        // What was let go of may have been here once.
        let is_stub = |write: &&Write| matches!(write, Write::Create { memory } if memory.content.is_empty());
        let stubs = received.rest.writes.iter().filter(is_stub).count();
        if stubs > 0 && self.store.held_most().await?.is_some() {
            gone += stubs;
        }
        if !received.rest.writes.is_empty() {
            self.commit(received.rest).await?;
        }
        Ok((changed, gone))
    }

    /// The memories that are here and wait to be on the server, but for those of one
    /// line.
    async fn awaited(&self, but: Option<OperationId>) -> Result<BTreeSet<MemoryId>, ReadError> {
        let waiting = self.store.waiting().await?.into_iter();
        Ok(waiting.filter(|line| Some(line.operation) != but).filter_map(|line| line.newborn).collect())
    }

    /// The name of a change that nobody has done yet.
    async fn free_name(&self, position: Option<Position>, at: Timestamp) -> Result<OperationId, ReadError> {
        let told = position.map_or("loaded".to_owned(), |position| format!("heard {}", position.0));
        let mut number = 0;
        loop {
            let name = OperationId::of_sync(at, &told, number);
            let purge = name.part(1);
            let done = self.store.find_operation(name).await?.is_some()
                || self.store.find_operation(purge).await?.is_some();
            if !done {
                return Ok(name);
            }
            number += 1;
        }
    }

    /// What this replica knows of what an intent is about.
    async fn view_of(&self, intent: &Intent) -> Result<View, ReadError> {
        let reviews: Vec<Review> = self.store.load_reviews().await?;
        let mut view = View::default();
        let mut asked: BTreeSet<MemoryId> = intent.memories().into_iter().collect();
        if let Intent::Rule { review, .. } = intent {
            view.reviews =
                reviews.iter().filter(|one| one.id == *review).map(|one| (one.id, one.clone())).collect();
            asked.extend(view.missing());
        }
        let mut seen = BTreeSet::new();
        while !asked.is_empty() {
            seen.extend(asked.iter().copied());
            let ids: Vec<MemoryId> = asked.into_iter().collect();
            let about = reviews.iter().filter(|review| review.is_about(&ids));
            view.reviews.extend(about.map(|review| (review.id, review.clone())));
            for edge in self.store.load_relations(ids.clone()).await? {
                if !view.relations.contains(&edge) {
                    view.relations.push(edge);
                }
            }
            view.memories.extend(self.store.load(ids).await?.into_iter().map(|memory| (memory.id, memory)));
            asked = view.missing().into_iter().filter(|id| !seen.contains(id)).collect();
        }
        Ok(view)
    }
}
