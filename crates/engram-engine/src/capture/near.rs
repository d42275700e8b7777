//! What is known that is near a fact, by direction and by words, in whatever
//! status: the gate has to see what was rejected, too.

use super::{Fact, Pending};
use crate::shelf::{ChangeError, Shelf};
use engram_core::claim::likeness;
use engram_core::port::{Purpose, ReadError};
use engram_core::{Codes, Kind, Memory, MemoryId, Similarity, Status};
use engram_index::{Filter, Query};
use std::collections::BTreeMap;
use std::sync::Arc;

/// So many of what is in force by each way of looking,
const NEAR: usize = 10;
/// and so many of what is not: a value that changed often leaves more of these
/// behind than there is room for.
const NEAR_GONE: usize = 4;
/// No more than so many of each in all.
const NEAREST: usize = 10;
const NEAREST_GONE: usize = 4;

/// A memory near a fact, as it will be when the fact is committed.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) memory: Arc<Memory>,
    pub(super) similarity: Similarity,
    /// Among the first by words.
    pub(super) by_words: bool,
}

impl Shelf {
    /// Gives every fact its direction.
    pub(super) async fn embed_prospects(&self, facts: &mut [Fact<'_>]) -> Result<(), ChangeError> {
        let Some(table) = self.table() else { return Ok(()) };
        if facts.is_empty() {
            return Ok(());
        }
        let texts = facts.iter().map(|fact| fact.prospect.text.clone()).collect();
        let vectors = table.embed(Purpose::Document, texts).await?;
        for (fact, vector) in facts.iter_mut().zip(vectors) {
            fact.direction = Codes::of(&vector);
        }
        Ok(())
    }

    /// The memories near a fact, the nearest first. `pending` are those of the
    /// change that is being made, as they will be.
    pub(super) async fn near(
        &self,
        fact: &Fact<'_>,
        pending: &BTreeMap<MemoryId, Pending>,
    ) -> Result<Vec<Found>, ReadError> {
        let text = fact.prospect.text.as_str();
        let direction = fact.direction.as_ref();
        let mut similarities: BTreeMap<MemoryId, Option<Similarity>> = BTreeMap::new();
        // The first three by words are looked at however unlike they seem.
        let mut by_words: Vec<MemoryId> = Vec::new();
        {
            let index = self.index();
            let query = Query::parse(text);
            let statistics = index.statistics(&query);
            for (current, most) in [(true, NEAR), (false, NEAR_GONE)] {
                let statuses = Status::ALL.iter().copied().filter(|status| status.is_current() == current);
                // A summary says again what others say, and would stand before
                // all of them.
                let kinds = Kind::ALL.iter().copied().filter(|kind| *kind != Kind::Summary).collect();
                let statuses = Some(statuses.collect());
                let filter = Filter { statuses, kinds, ..Filter::default() };
                for (place, hit) in index.search(&query, &statistics, &filter, most).iter().enumerate() {
                    similarities.insert(hit.id, None);
                    if place < 3 {
                        by_words.push(hit.id);
                    }
                }
                if let (Some(table), Some(direction)) = (self.table(), direction)
                    && let Ok(near) = index.nearest(table.id(), direction, &filter, most)
                {
                    similarities.extend(near.hits.iter().map(|hit| (hit.id, None)));
                }
            }
            if let (Some(table), Some(direction)) = (self.table(), direction) {
                for (id, similarity) in &mut similarities {
                    let cosine = index.cosine(table.id(), direction, *id);
                    *similarity = cosine.map(|cosine| table.similarity(cosine as f32));
                }
            }
        }
        let ids = similarities.keys().copied().filter(|id| !pending.contains_key(id)).collect();
        let mut found: Vec<Found> = Vec::with_capacity(similarities.len());
        for memory in self.load_shared(ids).await? {
            let known = similarities.get(&memory.id).copied().flatten();
            let similarity = known.unwrap_or_else(|| likeness(&memory.content, text));
            let by_words = by_words.contains(&memory.id);
            found.push(Found { memory, similarity, by_words });
        }
        for (id, waiting) in pending {
            let known = similarities.get(id).copied().flatten();
            let by_direction = || {
                let table = self.table()?;
                let (one, other) = (direction?, waiting.direction.as_ref()?);
                Some(table.similarity(one.cosine(other)? as f32))
            };
            let similarity =
                known.or_else(by_direction).unwrap_or_else(|| likeness(&waiting.memory.content, text));
            // Nothing has searched its words.
            found.push(Found { memory: waiting.memory.clone(), similarity, by_words: false });
        }
        // What went up is known where it went to.
        found.retain(|found| !found.memory.content.is_empty() && found.memory.status != Status::Promoted);
        found.sort_by(|one, other| other.similarity.get().total_cmp(&one.similarity.get()));
        let (mut current, mut gone) = (0, 0);
        found.retain(|found| {
            let (place, most) = match found.memory.status.is_current() {
                true => (&mut current, NEAREST),
                false => (&mut gone, NEAREST_GONE),
            };
            *place += 1;
            *place <= most || found.by_words
        });
        Ok(found)
    }
}
