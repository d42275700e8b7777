//! Evidence of one store: what was shown of it, how rare its words are, and what
//! the use of its memories was worth.
//!
//! What follows from what was seen is decided by `credit` and `plan` in the
//! core; here it is looked up and kept.

use crate::shelf::{ChangeError, Shelf};
use engram_core::credit::{Rarity, Shown};
use engram_core::plan::plan_evidence;
use engram_core::port::ReadError;
use engram_core::recalled::{RecallLogged, RecallSettled};
use engram_core::used::{EvidenceSource, Usage};
use engram_core::{Memory, MemoryId, Share, Timestamp};
use engram_index::{Query, Statistics};
use std::collections::{BTreeMap, BTreeSet};

/// How rare words are in several stores together: what an agent sees comes from
/// all of them.
pub struct Rareness<'s>(pub Vec<&'s Shelf>);

impl Rarity for Rareness<'_> {
    fn share_with(&self, term: &str) -> Share {
        // A plain word is as common as the commonest of its forms; a path or an
        // identifier is only itself.
        let plain = term.chars().all(char::is_alphabetic);
        let query = if plain { Query::parse(term) } else { Query::every_word(term) };
        let mut statistics = Statistics::default();
        for shelf in &self.0 {
            statistics += shelf.index().statistics(&query);
        }
        statistics.share_with(&query)
    }

    fn memories(&self) -> Option<usize> {
        Some(self.0.iter().map(|shelf| shelf.index().len()).sum())
    }
}

impl Shelf {
    /// What these recalls put before an agent of the memories that are here. A
    /// memory whose text was taken away since says nothing any more.
    pub async fn shown_in(&self, recalls: &[RecallLogged]) -> Result<Vec<Shown>, ReadError> {
        let ids: BTreeSet<MemoryId> =
            recalls.iter().flat_map(|recall| recall.shown.iter().copied()).collect();
        let here: Vec<MemoryId> = {
            let index = self.index();
            ids.into_iter().filter(|id| index.contains(*id)).collect()
        };
        let memories = self.load_shared(here).await?;
        let memories: BTreeMap<MemoryId, _> =
            memories.into_iter().map(|memory| (memory.id, memory)).collect();
        let shown = recalls.iter().flat_map(|recall| {
            let known = recall.shown.iter().filter_map(|id| memories.get(id));
            known.map(|memory| Shown::of(recall, memory)).collect::<Vec<_>>()
        });
        Ok(shown.collect())
    }

    /// Keeps what was seen of the use of the memories of this shelf, and moves
    /// their utility. What is known already is passed over, and so is what is
    /// about a memory that is not here. Says how many usages were new.
    pub async fn credit(&self, usages: Vec<Usage>) -> Result<usize, ChangeError> {
        let _door = self.door.lock().await;
        let Some(since) = usages.iter().map(|usage| usage.at).min() else { return Ok(0) };
        let name = |usage: &Usage| -> (MemoryId, Timestamp, EvidenceSource) {
            (usage.memory, usage.at, usage.source)
        };
        let mut known: BTreeSet<_> = self.store.usages_since(since).await?.iter().map(name).collect();
        let mut new: BTreeMap<MemoryId, Vec<Usage>> = BTreeMap::new();
        for usage in usages.into_iter().filter(|usage| known.insert(name(usage))) {
            new.entry(usage.memory).or_default().push(usage);
        }
        let memories = self.store.load(new.keys().copied().collect()).await?;
        let judged: Vec<Memory> =
            memories.iter().map(|memory| plan_evidence(memory, &new[&memory.id])).collect();
        let kept: Vec<Usage> = memories.iter().flat_map(|memory| new[&memory.id].iter().cloned()).collect();
        if kept.is_empty() {
            return Ok(0);
        }
        self.store.record_evidence(kept.clone(), judged.clone()).await?;
        self.put(judged);
        // What was used without having been shown, a skill, was used all the same.
        for usage in kept.iter().filter(|usage| usage.recall.is_none()) {
            self.note_use([usage.memory], usage.at);
        }
        Ok(kept.len())
    }

    /// Keeps what became of recalls. What was noted and not yet written is
    /// written before, or there would be nothing to settle.
    pub async fn settle_recalls(&self, settled: Vec<RecallSettled>) -> Result<(), ChangeError> {
        self.flush_notes().await?;
        self.store.settle_recalls(settled.clone()).await?;
        self.note_together(&settled);
        Ok(())
    }
}
