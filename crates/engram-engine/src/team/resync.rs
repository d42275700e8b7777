//! Reads what is shared, page by page: when a seat is new, and when the feed does
//! not go back far enough. Lets go of what is too much for this machine.

use super::{Pulled, Seat, SyncError, With, synced};
use crate::shelf::{ChangeError, Shelf};
use engram_core::memory::DataSource;
use engram_core::team::{Fetched, Held, too_many};
use engram_core::{MemoryId, Relation, Status, Timestamp, Write};
use engram_index::{Entry, Filter};
use std::collections::BTreeSet;

/// So many rows are taken in with one commit.
const ROWS: usize = 2_000;
/// So many are let go of with one commit.
const LET_GO: usize = 200;

impl Seat {
    /// The head is taken first: what changes meanwhile is told behind it. The
    /// position moves with the last commit, so that a reading that was cut off
    /// begins again. Where not everything is to be held, the newest are read, and
    /// what is held already is read again.
    pub(super) async fn read_anew(&self, at: Timestamp) -> Result<Pulled, SyncError> {
        self.ask_who_i_am().await?;
        let most = self.most();
        let head = self.far.head().await?;
        let mut seen: BTreeSet<MemoryId> = BTreeSet::new();
        let mut ties: Vec<Relation> = Vec::new();
        let mut pulled = Pulled {
            position: head.latest,
            members: true,
            proposals: true,
            resynced: true,
            ..Pulled::default()
        };
        let mut before = None;
        let all = loop {
            let memories = self.far.page(before, ROWS).await?;
            let full = memories.len() == ROWS;
            let asked: BTreeSet<MemoryId> = memories.iter().map(|memory| memory.id).collect();
            before = asked.first().copied().or(before);
            let mut fetched = Fetched { memories, ..Fetched::default() };
            if !asked.is_empty() {
                let (relations, reviews) = self.far.ties(asked.iter().copied().collect()).await?;
                ties.extend(relations);
                fetched.reviews = reviews;
            }
            seen.extend(asked.iter().copied());
            fetched.asked = asked;
            pulled.memories += self.take_in(fetched, With::default(), at).await?;
            if !full {
                break true;
            }
            if most.is_some_and(|most| seen.len() >= most) {
                break false;
            }
        };
        let here = self.shelf.index().list(&Filter::default(), usize::MAX);
        let mut others: Vec<MemoryId> = here.into_iter().filter(|id| !seen.contains(id)).collect();
        if !all {
            for some in std::mem::take(&mut others).chunks(ROWS) {
                let fetched = self.fetch(some.iter().copied().collect()).await?;
                pulled.memories += self.take_in(fetched, With::default(), at).await?;
            }
        }
        // An edge is drawn when both its ends are here.
        let fetched = Fetched {
            asked: others.into_iter().collect(),
            tied: seen,
            relations: ties,
            ..Fetched::default()
        };
        let held = Write::Hold { most: most.filter(|_| !all) };
        let with = With { position: Some(head.latest), writes: vec![held], ..With::default() };
        pulled.memories += self.take_in(fetched, with, at).await?;
        self.let_go(at).await?;
        Ok(pulled)
    }

    /// Where more is held than is to be, some of it goes.
    pub(super) async fn let_go(&self, at: Timestamp) -> Result<(), SyncError> {
        let Some(most) = self.most() else { return Ok(()) };
        if self.shelf.index().len() <= most {
            return Ok(());
        }
        let lines = self.shelf.store.outgoing(usize::MAX).await?;
        let queued: BTreeSet<MemoryId> = lines.iter().flat_map(|line| line.intent.memories()).collect();
        let held: Vec<Held> = {
            let index = self.shelf.index();
            let all = index.list(&Filter::default(), usize::MAX);
            all.into_iter().filter_map(|id| index.entry(id)).map(|entry| held(entry, &queued)).collect()
        };
        let gone = too_many(held, most);
        if gone.is_empty() {
            return Ok(());
        }
        self.shelf.forgo(gone, most, at).await?;
        Ok(())
    }
}

fn held(entry: &Entry, queued: &BTreeSet<MemoryId>) -> Held {
    let mine = entry.data_source != DataSource::Federation;
    Held {
        id: entry.id,
        stays: mine || entry.pinned || entry.status == Status::Challenged || queued.contains(&entry.id),
        touched_at: entry.trace.last_used_at.max(entry.updated_at),
    }
}

impl Shelf {
    /// Lets go of memories that the server still has.
    async fn forgo(&self, gone: Vec<MemoryId>, most: usize, at: Timestamp) -> Result<(), ChangeError> {
        for some in gone.chunks(LET_GO) {
            // Whoever writes comes in between.
            let _door = self.door.lock().await;
            let memories = self.store.load(some.to_vec()).await?;
            let operation = self.free_name(None, at).await?;
            let mut writes = vec![Write::Hold { most: Some(most) }];
            writes.extend(memories.into_iter().map(|memory| Write::Remove { memory: Box::new(memory) }));
            self.commit(synced(operation, at, writes)).await?;
        }
        Ok(())
    }
}
