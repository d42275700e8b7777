//! Making the vectors that are missing, a few at a time, while everything else
//! goes on.
//!
//! What is to be made is known beforehand, so that a step costs what it makes
//! and not what there is. Which model serves meanwhile is told here; how its
//! vectors are used is not.

use crate::embedders::{Embedders, embed, text_hash};
use crate::locks::Writing;
use crate::shelf::{ChangeError, Shelf};
use engram_core::port::Embedder;
use engram_core::{MemoryId, Status, StoredVector};
use engram_index::{Filter, Index, VectorError};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// So many texts are embedded in one go while recall goes on.
const VECTOR_BATCH: usize = 64;

/// A text that failed so often goes without a vector.
const HOPELESS: u8 = 3;

/// How far the making of vectors is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filling {
    pub embedder: String,
    pub done: usize,
    pub total: usize,
}

/// What has to be done until every text has its vectors, and no others.
pub(crate) struct Unfilled {
    /// The memories whose vector is to be made, by embedder, next first.
    to_make: BTreeMap<String, VecDeque<MemoryId>>,
    /// How many are tried next: fewer after a failure, so that a text that an
    /// embedder cannot bear is alone in the end.
    together: usize,
    /// How often something succeeded.
    successes: u64,
    /// Texts that failed alone: how often, and what `successes` was then.
    alone: BTreeMap<MemoryId, (u8, u64)>,
    /// Embedders that are not chosen and have left vectors in the store.
    others: BTreeSet<String>,
}

impl Unfilled {
    /// `stored`: the embedders that have vectors in the store.
    pub(crate) fn of(index: &Index, embedders: &Embedders, stored: BTreeSet<String>) -> Self {
        let all = texts(index);
        let missing = |embedder: &Arc<dyn Embedder>| {
            let without = all.iter().copied().filter(|id| !index.has_vector(*id, embedder.id()));
            (embedder.id().to_owned(), without.collect())
        };
        let kept = |id: &String| embedders.makers().any(|embedder| embedder.id() == id);
        Self {
            to_make: embedders.makers().map(missing).collect(),
            together: VECTOR_BATCH,
            successes: 0,
            alone: BTreeMap::new(),
            others: stored.into_iter().filter(|id| !kept(id)).collect(),
        }
    }

    /// Whether a single text failed so often, while others succeeded in between,
    /// that it will never do; it then goes without a vector.
    fn is_hopeless(&mut self, batch: &[MemoryId]) -> bool {
        let [id] = batch else { return false };
        let successes = self.successes;
        let (times, before) = self.alone.entry(*id).or_insert((0, successes));
        if *times == 0 || successes > *before {
            (*times, *before) = (*times + 1, successes);
        }
        *times >= HOPELESS
    }

    /// These memories have a new text.
    pub(crate) fn add(&mut self, embedder: &str, ids: impl IntoIterator<Item = MemoryId>) {
        self.to_make.entry(embedder.to_owned()).or_default().extend(ids);
    }
}

/// The memories that have a text, newest first.
fn texts(index: &Index) -> Vec<MemoryId> {
    let statuses = Status::ALL.iter().copied().filter(|status| *status != Status::Forgotten).collect();
    index.list(&Filter { statuses: Some(statuses), ..Filter::default() }, usize::MAX)
}

impl Embedders {
    /// Those that make the vectors of what is remembered.
    fn makers(&self) -> impl Iterator<Item = &Arc<dyn Embedder>> {
        self.table.iter().chain(self.model())
    }
}

impl Shelf {
    /// The model whose vectors serve here: the chosen one, or as long as it has
    /// not seen every text, the one that has seen most. None has to serve that
    /// does not know nearly everything: what it does not know would be behind.
    pub(crate) fn serving_model(&self) -> Option<Arc<dyn Embedder>> {
        self.serving_model_in(&self.index()).cloned()
    }

    pub(crate) fn serving_model_in(&self, index: &Index) -> Option<&Arc<dyn Embedder>> {
        let seen = |model: &&Arc<dyn Embedder>| index.count_vectors(model.id());
        // Of equals the first: the chosen one.
        let all = self.table().map_or(index.len(), |table| index.count_vectors(table.id()));
        let knows = |model: &&Arc<dyn Embedder>| seen(model) > 0 && seen(model) * 10 >= all * 9;
        self.embedders.models.iter().rev().max_by_key(seen).filter(knows)
    }

    /// The name of the model whose vectors serve here.
    pub fn serving(&self) -> Option<String> {
        self.serving_model().map(|model| model.id().to_owned())
    }

    /// How far the chosen embedder is: the model, or the table where there is
    /// none.
    pub fn filling(&self) -> Option<Filling> {
        self.embedders.makers().last().map(|embedder| self.filling_by(embedder.id()))
    }

    fn filling_by(&self, embedder: &str) -> Filling {
        let with_text = self.index().count_by(|entry| entry.status != Status::Forgotten);
        let total = with_text.get(&true).copied().unwrap_or(0);
        let left = self.unfilled().to_make.get(embedder).map_or(0, VecDeque::len);
        Filling { embedder: embedder.to_owned(), done: total.saturating_sub(left), total }
    }

    /// Makes all vectors that are missing. `tell` hears of every step.
    pub async fn fill_vectors(&self, mut tell: impl FnMut(&Filling)) -> Result<(), ChangeError> {
        while let Some(filling) = self.fill_step().await? {
            tell(&filling);
        }
        Ok(())
    }

    /// Makes some of the vectors that are missing, the table's first, and keeps
    /// them; None when none is missing any more. Recall goes on meanwhile. A
    /// model that has seen every text takes over from the one before it, whose
    /// vectors are then let go. Can be cut short at any point and goes on where
    /// it was.
    pub async fn fill_step(&self) -> Result<Option<Filling>, ChangeError> {
        let _turn = self.filling_turn.lock().await;
        for embedder in self.embedders.makers() {
            loop {
                let batch = self.next_batch(embedder.id());
                if batch.is_empty() {
                    break;
                }
                let outcome = self.fill_batch(&**embedder, batch.clone()).await;
                self.done_with(embedder.id(), &batch, outcome.is_err());
                // Perhaps it is one text among them; fewer are tried at once.
                if matches!(outcome, Err(ChangeError::Embed(_))) && batch.len() > 1 {
                    continue;
                }
                // Texts that have no direction must not stand in the way of others.
                if outcome? {
                    return Ok(Some(self.filling_by(embedder.id())));
                }
            }
        }
        self.let_go_of_old_vectors().await?;
        Ok(None)
    }

    /// Has every vector made again. The old ones serve until each is replaced.
    pub async fn make_vectors_again(&self) {
        let _turn = self.filling_turn.lock().await;
        let all = texts(&self.index());
        let mut unfilled = self.unfilled();
        for embedder in self.embedders.makers() {
            unfilled.to_make.insert(embedder.id().to_owned(), all.iter().copied().collect());
        }
    }

    fn next_batch(&self, embedder: &str) -> Vec<MemoryId> {
        let unfilled = self.unfilled();
        let queue = unfilled.to_make.get(embedder);
        queue.into_iter().flatten().take(unfilled.together).copied().collect()
    }

    /// What failed is tried again after everything else, so that one text that
    /// an embedder cannot bear does not keep the others from it.
    fn done_with(&self, embedder: &str, batch: &[MemoryId], failed: bool) {
        let mut unfilled = self.unfilled();
        let together = if failed { batch.len() / 4 } else { unfilled.together * 2 };
        unfilled.together = together.clamp(1, VECTOR_BATCH);
        unfilled.successes += u64::from(!failed);
        let failed = failed && !unfilled.is_hopeless(batch);
        let Some(queue) = unfilled.to_make.get_mut(embedder) else { return };
        for id in batch {
            // A new text may have put one of them at the end once more.
            if queue.front() == Some(id) {
                queue.pop_front();
                queue.extend(failed.then_some(*id));
            }
        }
    }

    /// False: none of these could be given a vector.
    async fn fill_batch(&self, embedder: &dyn Embedder, ids: Vec<MemoryId>) -> Result<bool, ChangeError> {
        let memories = self.store.load(ids).await?;
        let vectors = embed(embedder, &memories.iter().collect::<Vec<_>>()).await?;
        // Whoever changed one of these texts meanwhile has taken its vectors
        // away, and this one does not hold any more.
        let _door = self.door.lock().await;
        let now = self.store.load(vectors.iter().map(|vector| vector.memory).collect()).await?;
        let holds = |vector: &StoredVector| {
            now.iter()
                .any(|memory| memory.id == vector.memory && text_hash(&memory.content) == vector.text_hash)
        };
        let vectors: Vec<StoredVector> = vectors.into_iter().filter(holds).collect();
        if vectors.is_empty() {
            return Ok(false);
        }
        self.store.keep_vectors(vectors.clone()).await?;
        match self.take_in(&vectors) {
            Ok(taken) => Ok(taken > 0),
            Err(_) => self.begin_anew(embedder.id(), vectors).await,
        }
    }

    /// Puts vectors into the index and tells how many; an error if they are of
    /// another length than those that are there.
    fn take_in(&self, vectors: &[StoredVector]) -> Result<usize, VectorError> {
        let mut index = self.index.write();
        let mut taken = 0;
        for vector in vectors {
            match index.put_vector(vector.memory, &vector.embedder, &vector.packed.compared()) {
                Ok(()) => taken += 1,
                Err(error @ VectorError::Dimensions { .. }) => return Err(error),
                Err(VectorError::UnknownMemory(_)) => {}
            }
        }
        Ok(taken)
    }

    /// An embedder of the same name makes vectors of another length now; none
    /// of the old ones can be compared with them.
    async fn begin_anew(&self, embedder: &str, first: Vec<StoredVector>) -> Result<bool, ChangeError> {
        self.store.drop_vectors(embedder.to_owned()).await?;
        self.index.write().drop_vectors(embedder);
        self.store.keep_vectors(first.clone()).await?;
        let taken = self.take_in(&first).unwrap_or(0);
        let left: VecDeque<MemoryId> = {
            let index = self.index();
            texts(&index).into_iter().filter(|id| !index.has_vector(*id, embedder)).collect()
        };
        self.unfilled().to_make.insert(embedder.to_owned(), left);
        Ok(taken > 0)
    }

    /// Only the table's and the chosen model's vectors are kept in the end.
    async fn let_go_of_old_vectors(&self) -> Result<(), ChangeError> {
        let others: Vec<String> = self.unfilled().others.iter().cloned().collect();
        for embedder in others {
            self.store.drop_vectors(embedder.clone()).await?;
            self.index.write().drop_vectors(&embedder);
            self.unfilled().others.remove(&embedder);
        }
        Ok(())
    }

    pub(crate) fn unfilled(&self) -> Writing<'_, Unfilled> {
        self.unfilled.write()
    }
}
