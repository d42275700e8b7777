//! The vectors of what fades take less room, and those of what came back are
//! made again. They are derived from the texts, so that nothing of this is
//! logged or taken back.

use super::night::all_of;
use crate::embedders::{embed, text_hash};
use crate::shelf::{ChangeError, Shelf, is_coarse_of};
use engram_core::dream::{Deed, Step, StepPlan};
use engram_core::law::held_at;
use engram_core::vector::{Packed, Precision, precision_of};
use engram_core::{Memory, MemoryId, StoredVector, Timestamp};
use std::collections::BTreeMap;
use std::sync::Arc;

/// So many vectors are written at once.
const AT_ONCE: usize = 200;
/// So many are made again in one night.
const MOST_MADE: usize = 500;

/// What is to be done with the vectors of a store.
#[derive(Default)]
struct Compression {
    lower: Vec<StoredVector>,
    /// What was compressed and is reachable again, by who makes its vectors.
    again: BTreeMap<String, Vec<MemoryId>>,
    looked_at: usize,
    bytes_before: usize,
    bytes_after: usize,
}

impl Shelf {
    async fn compression(&self, at: Timestamp) -> Result<Compression, ChangeError> {
        let model = self.model();
        let memories = all_of(self).await?;
        let wanted = |id: &MemoryId| {
            let memory: &Arc<Memory> = memories.get(id)?;
            Some(precision_of(held_at(memory, model, at), memory.status))
        };
        let mut found = Compression::default();
        self.store
            .scan_vectors(&mut |vector| {
                let bytes = vector.packed.to_bytes().len();
                found.looked_at += 1;
                found.bytes_before += bytes;
                found.bytes_after += bytes;
                let Some(wanted) = wanted(&vector.memory) else { return };
                if let Some(packed) = vector.packed.repack(wanted) {
                    found.bytes_after = found.bytes_after - bytes + packed.to_bytes().len();
                    found.lower.push(StoredVector { packed, ..vector });
                } else if is_coarser(&vector.packed, wanted) {
                    found.again.entry(vector.embedder).or_default().push(vector.memory);
                }
            })
            .await?;
        Ok(found)
    }

    /// What compressing would do.
    pub(super) async fn plan_compression(&self, at: Timestamp) -> Result<StepPlan, ChangeError> {
        let found = self.compression(at).await?;
        let mut plan = StepPlan::new(Step::Compress);
        plan.looked_at = found.looked_at;
        let mut by_precision: BTreeMap<Precision, usize> = BTreeMap::new();
        for vector in &found.lower {
            *by_precision.entry(vector.packed.precision()).or_default() += 1;
        }
        for (precision, count) in by_precision {
            plan.deeds.push(Deed {
                memory: None,
                what: format!("{count} vectors to {precision}"),
                why: "what they stand for has faded so far".to_owned(),
                made: None,
            });
        }
        let again: usize = found.again.values().map(|ids| ids.len().min(MOST_MADE)).sum();
        if again > 0 {
            plan.deeds.push(Deed {
                memory: None,
                what: format!("{again} vectors made again"),
                why: "what they stand for is reachable again".to_owned(),
                made: None,
            });
        }
        if let Some(first) = plan.deeds.first_mut() {
            first.why += &format!("; {} bytes of {} in all", found.bytes_after, found.bytes_before);
        }
        Ok(plan)
    }

    /// Compresses the vectors of what has faded.
    pub(super) async fn compress(&self, at: Timestamp) -> Result<(), ChangeError> {
        let Compression { lower, mut again, .. } = self.compression(at).await?;
        for some in lower.chunks(AT_ONCE) {
            self.keep_packed(some.to_vec()).await?;
        }
        again.values_mut().for_each(|ids| ids.truncate(MOST_MADE));
        if let Some(table) = self.table().cloned() {
            for some in again.remove(table.id()).unwrap_or_default().chunks(AT_ONCE) {
                let memories = self.load_shared(some.to_vec()).await?;
                let texts: Vec<&Memory> = memories.iter().map(|memory| &**memory).collect();
                let vectors = embed(&*table, &texts).await?;
                self.keep_packed(vectors).await?;
            }
        }
        // A model may be slow or away; it makes them as it makes those of new texts.
        if let Some(model) = self.embedders.model()
            && let Some(ids) = again.remove(model.id())
        {
            self.unfilled().add(model.id(), ids);
        }
        Ok(())
    }

    /// Keeps vectors in the store and in the index, of the texts that are still
    /// what they were.
    async fn keep_packed(&self, mut vectors: Vec<StoredVector>) -> Result<(), ChangeError> {
        let _door = self.door.lock().await;
        let memories = self.load_shared(vectors.iter().map(|vector| vector.memory).collect()).await?;
        let texts: BTreeMap<MemoryId, String> =
            memories.iter().map(|memory| (memory.id, text_hash(&memory.content))).collect();
        vectors.retain(|vector| texts.get(&vector.memory) == Some(&vector.text_hash));
        self.store.keep_vectors(vectors.clone()).await?;
        vectors.retain(|vector| !is_coarse_of(&self.embedders, vector));
        self.put_vectors(&vectors);
        Ok(())
    }
}

/// Whether a vector is kept in fewer bits than it should be.
fn is_coarser(packed: &Packed, wanted: Precision) -> bool {
    packed.precision() > wanted && packed.precision() > Precision::I8
}
