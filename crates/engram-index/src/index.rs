//! The index of one store: facets, text and vectors under one identifier.
//!
//! Gives every memory a slot and keeps the three in step. How text is matched
//! is in `text`, how vectors are is in `vectors`; neither knows the other.

use crate::analysis::read;
use crate::best::{Best, Candidate};
use crate::entry::{Entry, Filter};
use crate::query::{Query, Statistics};
use crate::text::{Counted, TermScore, Text};
use crate::vectors::{VectorError, Vectors};
use engram_core::{Memory, MemoryId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What can be found in one store.
#[derive(Debug, Default)]
pub struct Index {
    slots: HashMap<MemoryId, u32>,
    /// By slot; None where a memory was removed and the slot waits for another.
    entries: Vec<Option<Entry>>,
    free: Vec<u32>,
    text: Text,
    vectors: Vectors,
}

/// A memory that matches by its words.
#[derive(Debug, Clone, PartialEq)]
pub struct TextHit {
    pub id: MemoryId,
    /// The sum of `terms`.
    pub score: f64,
    /// In the order of the query.
    pub terms: Vec<TermScore>,
}

/// A memory that is near by its vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VectorHit {
    pub id: MemoryId,
    pub cosine: f32,
}

/// Where an index and the memories it should be made of part ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// The memory exists and the index does not know it.
    Missing(MemoryId),
    /// The index knows a memory that does not exist.
    Extra(MemoryId),
    /// Known with other facets.
    Facets(MemoryId),
    /// Found by other words.
    Text(MemoryId),
}

impl Index {
    /// Inserts a memory, or replaces what had its identifier. Its vector stays:
    /// use and upkeep change a memory without changing what it says. Whoever
    /// changes the words puts the new vector or clears the old one.
    pub fn put(&mut self, memory: &Memory) {
        let counted = counted(memory);
        let slot = match self.slots.get(&memory.id) {
            Some(slot) => *slot,
            None => self.take_slot(memory.id),
        };
        let known = self.entries[slot as usize].replace(Entry::of(memory)).is_some();
        // Most replacements only record a use; the postings then stay put.
        if known && self.text.holds(slot, &counted) {
            return;
        }
        if known {
            self.text.erase(slot);
        }
        self.text.write(slot, counted);
    }

    /// Forgets a memory and its vector. False: it was not there.
    pub fn remove(&mut self, id: MemoryId) -> bool {
        let Some(slot) = self.slots.remove(&id) else { return false };
        self.entries[slot as usize] = None;
        self.text.erase(slot);
        self.vectors.clear(slot);
        self.free.push(slot);
        true
    }

    pub fn len(&self) -> usize {
        self.slots.len()
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    pub fn contains(&self, id: MemoryId) -> bool {
        self.slots.contains_key(&id)
    }

    /// What the index knows of one memory without the store.
    pub fn entry(&self, id: MemoryId) -> Option<&Entry> {
        self.slots.get(&id).and_then(|slot| self.entry_at(*slot))
    }

    /// The identifiers that pass, newest created first.
    pub fn list(&self, filter: &Filter, limit: usize) -> Vec<MemoryId> {
        let passing = self.entries.iter().flatten().filter(|entry| filter.admits(entry));
        let mut keys: Vec<_> = passing.map(|entry| Reverse((entry.created_at, entry.id))).collect();
        if limit < keys.len() {
            keys.select_nth_unstable(limit);
            keys.truncate(limit);
        }
        keys.sort_unstable();
        keys.into_iter().map(|Reverse((_, id))| id).collect()
    }

    pub fn count_by<K: Ord>(&self, key: impl Fn(&Entry) -> K) -> BTreeMap<K, usize> {
        let mut counts = BTreeMap::new();
        for entry in self.entries.iter().flatten() {
            *counts.entry(key(entry)).or_default() += 1;
        }
        counts
    }

    /// How rare the terms of this query are here. Add the numbers of every
    /// scope that is searched, and search each with the sum.
    pub fn statistics(&self, query: &Query) -> Statistics {
        self.text.statistics(query)
    }

    /// The best `limit` by BM25, best first; among equals the newest first.
    pub fn search(
        &self,
        query: &Query,
        statistics: &Statistics,
        filter: &Filter,
        limit: usize,
    ) -> Vec<TextHit> {
        let mut best = Best::of(limit);
        for (slot, score) in self.text.scores(query, statistics).into_iter().enumerate() {
            if score > 0.0
                && best.wants(score)
                && let Some(id) = self.admitted(slot as u32, filter)
            {
                best.offer(Candidate { score, id, slot: slot as u32 });
            }
        }
        let mut hits: Vec<TextHit> = best
            .into_descending()
            .into_iter()
            .map(|candidate| {
                let terms = self.text.explain(query, statistics, candidate.slot);
                // The number shown is the sum of its reasons, to the last bit.
                TextHit { id: candidate.id, score: terms.iter().map(|term| term.score).sum(), terms }
            })
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.id.cmp(&a.id)));
        hits
    }

    /// Sets or replaces the vector of a memory. The first vector of an index
    /// fixes the dimensions of all.
    pub fn put_vector(&mut self, id: MemoryId, vector: &[f32]) -> Result<(), VectorError> {
        let slot = self.slots.get(&id).ok_or(VectorError::UnknownMemory(id))?;
        self.vectors.put(*slot, vector)
    }

    /// Drops the vector of a memory whose words changed. False: it had none.
    pub fn clear_vector(&mut self, id: MemoryId) -> bool {
        self.slots.get(&id).is_some_and(|slot| self.vectors.clear(*slot))
    }

    /// The `k` nearest by cosine, nearest first; among equals the newest first.
    pub fn nearest(&self, vector: &[f32], filter: &Filter, k: usize) -> Result<Vec<VectorHit>, VectorError> {
        let near = self.vectors.nearest(vector, k, |slot| self.admitted(slot, filter))?;
        Ok(near.into_iter().map(|hit| VectorHit { id: hit.id, cosine: hit.score as f32 }).collect())
    }

    /// How this index differs from one built afresh from `memories`, in facets
    /// and text; nothing means that it is equal. Vectors are not compared,
    /// because a memory does not carry its own.
    pub fn differences(&self, memories: &[Memory]) -> Vec<Difference> {
        let mut differences = Vec::new();
        let mut expected = HashSet::with_capacity(memories.len());
        let unexplained = self.text.unexplained();
        for memory in memories {
            expected.insert(memory.id);
            let Some(slot) = self.slots.get(&memory.id).copied() else {
                differences.push(Difference::Missing(memory.id));
                continue;
            };
            if self.entry_at(slot) != Some(&Entry::of(memory)) {
                differences.push(Difference::Facets(memory.id));
            }
            if unexplained[slot as usize] > 0 || !self.text.holds(slot, &counted(memory)) {
                differences.push(Difference::Text(memory.id));
            }
        }
        let extra = self.slots.keys().filter(|id| !expected.contains(*id));
        differences.extend(extra.map(|id| Difference::Extra(*id)));
        differences.sort_unstable();
        differences
    }

    fn take_slot(&mut self, id: MemoryId) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.entries.push(None);
            self.entries.len() as u32 - 1
        });
        self.slots.insert(id, slot);
        slot
    }

    fn entry_at(&self, slot: u32) -> Option<&Entry> {
        self.entries[slot as usize].as_ref()
    }

    fn admitted(&self, slot: u32, filter: &Filter) -> Option<MemoryId> {
        self.entry_at(slot).filter(|entry| filter.admits(entry)).map(|entry| entry.id)
    }
}

/// The text a memory is found by: content, summary, tags and domain.
fn counted(memory: &Memory) -> Counted {
    let mut fields = vec![memory.content.as_str()];
    fields.extend(memory.summary.as_deref());
    fields.extend(memory.tags.iter().map(String::as_str));
    fields.extend(memory.domain.as_deref());
    Counted::of(read(&fields))
}
