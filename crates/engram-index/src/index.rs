//! The index of one store: facets, text and vectors under one identifier.
//!
//! Gives every memory a slot and keeps the three in step. How text is matched
//! is in `text`, how vectors are is in `vectors`; neither knows the other.

use crate::analysis::{read, speaks_of_self};
use crate::entry::{Entry, Filter};
use crate::query::{Query, Statistics};
use crate::text::{Asked, Counted, TermScore, Text};
use crate::vectors::{Spread, VectorError, Vectors};
use engram_core::{Codes, Memory, MemoryId, SessionId, Timestamp};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Where each memory is.
type Slots = HashMap<MemoryId, u32, BuildHasherDefault<ByChance>>;

/// Identifiers are chance for the most part, and one's own: mixing their bits
/// once is enough to spread them.
#[derive(Debug, Default)]
struct ByChance(u64);

impl Hasher for ByChance {
    fn write(&mut self, bytes: &[u8]) {
        for eight in bytes.chunks(8) {
            let mut number = [0; 8];
            number[..eight.len()].copy_from_slice(eight);
            self.0 =
                (self.0 ^ u64::from_le_bytes(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// What can be found in one store.
#[derive(Debug, Default)]
pub struct Index {
    slots: Slots,
    /// By slot; None where a memory was removed and the slot waits for another.
    entries: Vec<Option<Entry>>,
    free: Vec<u32>,
    text: Text,
    /// By the embedder that made them.
    vectors: BTreeMap<String, Vectors>,
    /// What was said in each session, in its order.
    said: BTreeSet<(SessionId, Timestamp, MemoryId)>,
    /// Who is named as a speaker, and how often.
    speakers: BTreeMap<Box<str>, usize>,
}

/// A memory that matches by its words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextHit {
    pub id: MemoryId,
    pub score: f64,
}

/// What one query is worth at any memory.
pub struct Scores<'i> {
    slots: &'i Slots,
    asked: Asked<'i>,
}

impl Scores<'_> {
    /// Zero where no term of the query is.
    pub fn of(&self, id: MemoryId) -> f64 {
        self.slots.get(&id).map_or(0.0, |slot| self.asked.score_at(*slot))
    }
}

/// A memory that is near by its vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VectorHit {
    pub id: MemoryId,
    pub cosine: f64,
}

/// The nearest by vector, and how all the others lie.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Nearest {
    /// Nearest first; among equals the newest first.
    pub hits: Vec<VectorHit>,
    pub spread: Spread,
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
    /// Inserts a memory, or replaces what had its identifier. Its vectors stay:
    /// use and upkeep change a memory without changing what it says. Whoever
    /// changes the words clears them.
    pub fn put(&mut self, memory: &Memory) {
        let (counted, entry) = read_whole(memory);
        let slot = match self.slots.get(&memory.id) {
            Some(slot) => *slot,
            None => self.take_slot(memory.id),
        };
        let known = self.entries[slot as usize].replace(entry);
        if let Some(known) = &known {
            self.leave(known);
        }
        self.join(slot);
        // Most replacements only record a use; the postings then stay put.
        if known.is_some() && self.text.holds(slot, &counted) {
            return;
        }
        if known.is_some() {
            self.text.erase(slot);
        }
        self.text.write(slot, counted);
    }

    /// Forgets a memory and its vectors. False: it was not there.
    pub fn remove(&mut self, id: MemoryId) -> bool {
        let Some(slot) = self.slots.remove(&id) else { return false };
        if let Some(known) = self.entries[slot as usize].take() {
            self.leave(&known);
        }
        self.text.erase(slot);
        self.vectors.values_mut().for_each(|vectors| vectors.clear(slot));
        self.free.push(slot);
        true
    }

    /// Drops the vectors of a memory whose words changed.
    pub fn clear_vectors(&mut self, id: MemoryId) {
        if let Some(slot) = self.slots.get(&id) {
            self.vectors.values_mut().for_each(|vectors| vectors.clear(*slot));
        }
    }

    /// Takes a memory into the rows of its session and its speaker.
    fn join(&mut self, slot: u32) {
        let Some(entry) = &self.entries[slot as usize] else { return };
        if let Some(session) = entry.session {
            self.said.insert((session, entry.created_at, entry.id));
        }
        if let Some(speaker) = &entry.speaker {
            *self.speakers.entry(speaker.clone()).or_default() += 1;
        }
    }

    fn leave(&mut self, entry: &Entry) {
        if let Some(session) = entry.session {
            self.said.remove(&(session, entry.created_at, entry.id));
        }
        if let Some(speaker) = &entry.speaker
            && let Some(times) = self.speakers.get_mut(speaker)
        {
            *times -= 1;
            if *times == 0 {
                self.speakers.remove(speaker);
            }
        }
    }

    /// Who is named as a speaker here.
    pub fn speakers(&self) -> impl Iterator<Item = &str> {
        self.speakers.keys().map(|name| &**name)
    }

    /// What was said just before and just after, in the same session.
    pub fn neighbours(&self, id: MemoryId) -> [Option<MemoryId>; 2] {
        let Some(entry) = self.entry(id) else { return [None, None] };
        let Some(session) = entry.session else { return [None, None] };
        let here = (session, entry.created_at, id);
        let same = |(of, _, id): &(SessionId, Timestamp, MemoryId)| (*of == session).then_some(*id);
        let after = (std::ops::Bound::Excluded(here), std::ops::Bound::Unbounded);
        [self.said.range(..here).next_back().and_then(same), self.said.range(after).next().and_then(same)]
    }

    /// What was said in a session, in order of time.
    pub fn of_session(&self, session: SessionId) -> Vec<MemoryId> {
        let from = (session, Timestamp::MIN, MemoryId::from_ulid(engram_core::Ulid(0)));
        let rest = self.said.range(from..).take_while(|(of, ..)| *of == session);
        rest.map(|(.., id)| *id).collect()
    }

    /// The sessions in which something was said, each with its first moment.
    pub fn sessions(&self) -> Vec<(SessionId, Timestamp)> {
        let mut sessions: Vec<(SessionId, Timestamp)> =
            self.said.iter().map(|(session, at, _)| (*session, *at)).collect();
        sessions.dedup_by_key(|(session, _)| *session);
        sessions
    }

    pub fn len(&self) -> usize {
        self.slots.len()
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// When the first of them was created.
    pub fn oldest_at(&self) -> Option<Timestamp> {
        self.entries.iter().flatten().map(|entry| entry.created_at).min()
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
        let best = self.text.asked(query, statistics).best(limit, |slot| self.admitted(slot, filter));
        best.into_iter().map(|hit| TextHit { id: hit.id, score: hit.score }).collect()
    }

    /// The score of one memory by its words.
    pub fn score(&self, id: MemoryId, query: &Query, statistics: &Statistics) -> f64 {
        self.scores(query, statistics).of(id)
    }

    /// The scores of many memories for the same query.
    pub fn scores<'i>(&'i self, query: &Query, statistics: &Statistics) -> Scores<'i> {
        Scores { slots: &self.slots, asked: self.text.asked(query, statistics) }
    }

    /// What each word of the query adds at one memory; the sum is its score.
    pub fn explain(&self, id: MemoryId, query: &Query, statistics: &Statistics) -> Vec<TermScore> {
        match self.slots.get(&id) {
            Some(slot) => self.text.explain(query, statistics, *slot),
            None => Vec::new(),
        }
    }

    /// Sets or replaces the vector that an embedder made of a memory. Its first
    /// vector fixes the dimensions of all.
    pub fn put_vector(&mut self, id: MemoryId, embedder: &str, vector: &Codes) -> Result<(), VectorError> {
        let slot = *self.slots.get(&id).ok_or(VectorError::UnknownMemory(id))?;
        match self.vectors.get_mut(embedder) {
            Some(vectors) => vectors.put(slot, vector),
            None => self.vectors.entry(embedder.to_owned()).or_default().put(slot, vector),
        }
    }

    /// Lets go of everything an embedder made.
    pub fn drop_vectors(&mut self, embedder: &str) {
        self.vectors.remove(embedder);
    }

    /// How many memories have a vector of this embedder.
    pub fn count_vectors(&self, embedder: &str) -> usize {
        self.vectors.get(embedder).map_or(0, Vectors::len)
    }

    pub fn has_vector(&self, id: MemoryId, embedder: &str) -> bool {
        let vectors = self.vectors.get(embedder);
        self.slots.get(&id).is_some_and(|slot| vectors.is_some_and(|vectors| vectors.has(*slot)))
    }

    /// The `k` nearest by cosine, nearest first; among equals the newest first.
    pub fn nearest(
        &self,
        embedder: &str,
        vector: &Codes,
        filter: &Filter,
        k: usize,
    ) -> Result<Nearest, VectorError> {
        let Some(vectors) = self.vectors.get(embedder) else { return Ok(Nearest::default()) };
        let (near, spread) = vectors.nearest(vector, k, |slot| self.admitted(slot, filter))?;
        let hits = near.into_iter().map(|hit| VectorHit { id: hit.id, cosine: hit.score }).collect();
        Ok(Nearest { hits, spread })
    }

    /// How near one memory is to a vector. None: it has none of this embedder.
    pub fn cosine(&self, embedder: &str, vector: &Codes, id: MemoryId) -> Option<f64> {
        self.vectors.get(embedder)?.cosine_at(vector, *self.slots.get(&id)?)
    }

    /// The direction of one memory.
    pub fn direction(&self, embedder: &str, id: MemoryId) -> Option<Codes> {
        self.vectors.get(embedder)?.direction_at(*self.slots.get(&id)?)
    }

    /// How near two memories are to each other.
    pub fn cosine_between(&self, embedder: &str, one: MemoryId, other: MemoryId) -> Option<f64> {
        self.vectors.get(embedder)?.cosine_between(*self.slots.get(&one)?, *self.slots.get(&other)?)
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
            let (counted, entry) = read_whole(memory);
            if self.entry_at(slot) != Some(&entry) {
                differences.push(Difference::Facets(memory.id));
            }
            if unexplained[slot as usize] > 0 || !self.text.holds(slot, &counted) {
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

/// The text a memory is found by (content, summary, tags, domain and who said
/// it), and its facets.
fn read_whole(memory: &Memory) -> (Counted, Entry) {
    let mut fields = vec![memory.content.as_str()];
    fields.extend(memory.summary.as_deref());
    fields.extend(memory.tags.iter().map(String::as_str));
    fields.extend(memory.domain.as_deref());
    fields.extend(memory.provenance.speaker.as_deref());
    let words = read(&fields);
    let entry = Entry::of(memory, speaks_of_self(&words));
    (Counted::of(words), entry)
}
