//! Reads everything that is shared, page by page: when a seat is new, and when
//! the feed does not go back far enough.

use super::{Pulled, Seat, SyncError, With};
use engram_core::team::Fetched;
use engram_core::{MemoryId, Relation, Timestamp};
use engram_index::Filter;
use std::collections::BTreeSet;

/// So many rows are taken in with one commit.
const ROWS: usize = 2_000;

impl Seat {
    /// Reads everything anew. `progress` hears after each page how many rows
    /// were read so far.
    pub async fn resync(
        &self,
        at: Timestamp,
        progress: &mut (dyn FnMut(usize) + Send),
    ) -> Result<Pulled, SyncError> {
        let _turn = self.turn.lock().await;
        self.read_anew(at, progress).await
    }

    /// The head is taken first: what changes meanwhile is told behind it. The
    /// position moves with the last commit, so that a reading that was cut off
    /// begins again.
    pub(super) async fn read_anew(
        &self,
        at: Timestamp,
        progress: &mut (dyn FnMut(usize) + Send),
    ) -> Result<Pulled, SyncError> {
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
        let mut after = None;
        loop {
            let memories = self.far.page(after, ROWS).await?;
            let full = memories.len() == ROWS;
            let asked: BTreeSet<MemoryId> = memories.iter().map(|memory| memory.id).collect();
            after = asked.last().copied().or(after);
            let mut fetched = Fetched { memories, ..Fetched::default() };
            if !asked.is_empty() {
                let (relations, reviews) = self.far.ties(asked.iter().copied().collect()).await?;
                ties.extend(relations);
                fetched.reviews = reviews;
            }
            seen.extend(asked.iter().copied());
            fetched.asked = asked;
            pulled.memories += self.take_in(fetched, With::default(), at).await?;
            progress(seen.len());
            if !full {
                break;
            }
        }
        // An edge is drawn when both its ends are here.
        let here = self.shelf.index().list(&Filter::default(), usize::MAX);
        let gone = here.into_iter().filter(|id| !seen.contains(id)).collect();
        let fetched = Fetched { asked: gone, tied: seen, relations: ties, ..Fetched::default() };
        let with = With { position: Some(head.latest), ..With::default() };
        pulled.memories += self.take_in(fetched, with, at).await?;
        Ok(pulled)
    }
}
