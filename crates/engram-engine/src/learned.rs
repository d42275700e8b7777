//! What the use of a store taught, at hand for whoever searches: how much the
//! arms count, and which memories were taken up together.
//!
//! Both are derived from the store like the index. What follows from them is
//! decided in the core, and what was used is judged elsewhere.

use crate::locks::Writing;
use crate::shelf::{ChangeError, Shelf};
use engram_core::learn::{Learned, OFTEN, used_together};
use engram_core::port::ReadError;
use engram_core::recalled::RecallSettled;
use engram_core::{Changes, MemoryId, RecallId, Span, Timestamp, Write};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What was taken up together longer ago says nothing of today, and no more
/// recalls than this are looked through for it.
const TOGETHER_FOR: Span = Span::from_hours(90 * 24);
const MOST_RECALLS: usize = 5_000;

/// What was taken up after one recall, where that was more than one memory, and
/// what follows from all of it.
#[derive(Default)]
pub(crate) struct Together {
    used: BTreeMap<RecallId, Vec<MemoryId>>,
    /// With whom each memory was taken up often.
    partners: Arc<BTreeMap<MemoryId, BTreeSet<MemoryId>>>,
}

impl Together {
    /// Takes in what became of recalls. One that is judged again counts as it was
    /// judged last.
    fn take(&mut self, settled: impl IntoIterator<Item = (RecallId, Vec<MemoryId>)>) {
        for (recall, used) in settled {
            match used.len() > 1 {
                true => self.used.insert(recall, used),
                false => self.used.remove(&recall),
            };
        }
        let mut partners: BTreeMap<MemoryId, BTreeSet<MemoryId>> = BTreeMap::new();
        let pairs = used_together(self.used.values().map(Vec::as_slice));
        for ((one, other), _) in pairs.into_iter().filter(|(_, times)| *times >= OFTEN) {
            partners.entry(one).or_default().insert(other);
            partners.entry(other).or_default().insert(one);
        }
        self.partners = Arc::new(partners);
    }
}

impl Shelf {
    /// What the use of this store taught, in the order of its keys.
    pub fn learned(&self) -> Vec<Learned> {
        self.learned.read().clone()
    }

    pub(crate) async fn load_learned_again(&self) -> Result<(), ReadError> {
        let learned = self.store.load_learned().await?;
        *self.learned.write() = learned;
        *self.counted_together() = None;
        Ok(())
    }

    /// What is at hand follows what was written.
    pub(crate) fn keep_learned(&self, writes: &[Write]) {
        if writes.iter().any(|write| matches!(write, Write::Rate { .. })) {
            *self.counted_together() = None;
        }
        for write in writes {
            let Write::Learn { before, after } = write else { continue };
            let mut learned = self.learned.write();
            let keys: Vec<_> = before.iter().chain(after).map(|row| row.key).collect();
            learned.retain(|row| !keys.contains(&row.key));
            learned.extend(after.as_deref().cloned());
            learned.sort_by_key(|row| row.key);
        }
    }

    /// Changes what was learned while nobody else does, and tells what it was.
    pub async fn relearn(
        &self,
        plan: impl FnOnce(&[Learned]) -> Changes,
    ) -> Result<Vec<Learned>, ChangeError> {
        let _door = self.door.lock().await;
        let mut learned = self.learned();
        learned.retain(|row| !row.is_forgotten());
        if !learned.is_empty() {
            self.commit(plan(&learned)).await?;
        }
        Ok(learned)
    }

    /// Takes in what became of recalls, where what is used together is asked for
    /// at all.
    pub(crate) fn note_together(&self, settled: &[RecallSettled]) {
        if let Some(together) = &mut *self.counted_together() {
            together.take(settled.iter().map(|settled| (settled.recall, settled.used.clone())));
        }
    }

    /// With whom each memory was taken up often.
    async fn together(
        &self,
        at: Timestamp,
    ) -> Result<Arc<BTreeMap<MemoryId, BTreeSet<MemoryId>>>, ReadError> {
        if let Some(known) = &*self.counted_together() {
            return Ok(known.partners.clone());
        }
        let recalls = self.store.recalls_since(at - TOGETHER_FOR, MOST_RECALLS).await?;
        let mut together = Together::default();
        together.take(recalls.into_iter().map(|recall| (recall.id, recall.used)));
        let partners = together.partners.clone();
        *self.counted_together() = Some(together);
        Ok(partners)
    }

    fn counted_together(&self) -> Writing<'_, Option<Together>> {
        self.together.write()
    }
}

/// The memories that were taken up often beside one of these, by the log of any
/// of the shelves: one recall may show memories of several.
pub(crate) async fn partners(
    shelves: &[Arc<Shelf>],
    first: Vec<MemoryId>,
    at: Timestamp,
) -> Result<BTreeSet<MemoryId>, ReadError> {
    let mut found = BTreeSet::new();
    for shelf in shelves {
        let partners = shelf.together(at).await?;
        found.extend(first.iter().filter_map(|id| partners.get(id)).flatten().copied());
    }
    Ok(found)
}
