//! One open store and its index, changed in one step.
//!
//! Whoever changes something holds the door: loads what it is about, plans,
//! commits, and brings the index up to date before anyone else plans. Reading
//! never waits for the door.

use engram_core::change::Operation;
use engram_core::plan::{CannotChange, CannotUndo, Occasion, plan_undo, plan_use};
use engram_core::port::{CommitError, ReadError, Store};
use engram_core::{
    Cause, Changes, Memory, MemoryId, OperationId, Relation, RelationKind, Scope, Status, Timestamp, Write,
};
use engram_index::{Difference, Filter, Index};
use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, RwLock, RwLockReadGuard};

/// How short the end of an identifier may be when it names a memory.
const SHORTEST_NAME: usize = 4;

pub struct Shelf {
    scope: Scope,
    store: Arc<dyn Store>,
    index: RwLock<Index>,
    /// Which memory took the place of which; derived like the index.
    supersedes: RwLock<Supersedes>,
    door: tokio::sync::Mutex<()>,
    uses: Mutex<BTreeMap<MemoryId, Uses>>,
}

type Supersedes = BTreeMap<MemoryId, BTreeSet<MemoryId>>;

/// Use that was noted and not yet written.
struct Uses {
    times: u32,
    last_at: Timestamp,
}

#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    #[error("there is no memory {0} here")]
    NotFound(MemoryId),
    #[error("there is no operation {0} here")]
    NoOperation(OperationId),
    #[error(transparent)]
    CannotChange(#[from] CannotChange),
    #[error(transparent)]
    CannotUndo(#[from] CannotUndo),
    #[error(transparent)]
    Commit(#[from] CommitError),
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl Shelf {
    /// Builds the index from one scan of the store.
    pub async fn open(store: Arc<dyn Store>, scope: Scope) -> Result<Self, ReadError> {
        let (index, supersedes) = derive(&*store).await?;
        Ok(Self {
            scope,
            store,
            index: RwLock::new(index),
            supersedes: RwLock::new(supersedes),
            door: tokio::sync::Mutex::new(()),
            uses: Mutex::default(),
        })
    }

    pub fn scope(&self) -> Scope {
        self.scope
    }

    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// A poisoned lock means that a reader panicked; what it read is still whole.
    pub fn index(&self) -> RwLockReadGuard<'_, Index> {
        self.index.read().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The memories whose identifier is `name` or ends in it.
    pub fn named(&self, name: &str) -> Vec<MemoryId> {
        let name = name.trim().to_uppercase();
        if let Ok(id) = name.parse::<MemoryId>() {
            return self.index().contains(id).then_some(id).into_iter().collect();
        }
        if name.len() < SHORTEST_NAME {
            return Vec::new();
        }
        let all = self.index().list(&Filter::default(), usize::MAX);
        all.into_iter().filter(|id| id.to_string().ends_with(&name)).collect()
    }

    pub async fn load(&self, id: MemoryId) -> Result<Memory, ChangeError> {
        self.store.load(vec![id]).await?.pop().ok_or(ChangeError::NotFound(id))
    }

    /// Loads, plans and commits while holding the door. Returns the memories as
    /// they are afterwards.
    pub async fn change(
        &self,
        ids: &[MemoryId],
        plan: impl FnOnce(&[Memory]) -> Result<Changes, CannotChange>,
    ) -> Result<Vec<Memory>, ChangeError> {
        let _door = self.door.lock().await;
        let mut loaded = if ids.is_empty() { Vec::new() } else { self.store.load(ids.to_vec()).await? };
        if let Some(missing) = ids.iter().find(|id| !loaded.iter().any(|memory| memory.id == **id)) {
            return Err(ChangeError::NotFound(*missing));
        }
        loaded.sort_by_key(|memory| ids.iter().position(|id| *id == memory.id));
        let changes = plan(&loaded)?;
        self.commit(changes).await
    }

    /// Takes back an operation of this store.
    pub async fn undo(
        &self,
        target: OperationId,
        occasion: Occasion,
    ) -> Result<(Operation, Vec<Memory>), ChangeError> {
        let _door = self.door.lock().await;
        let operation = self.store.find_operation(target).await?.ok_or(ChangeError::NoOperation(target))?;
        let current: BTreeMap<MemoryId, Memory> = self
            .store
            .load(operation.memories.clone())
            .await?
            .into_iter()
            .map(|memory| (memory.id, memory))
            .collect();
        let changes = plan_undo(&operation, &current, occasion)?;
        let memories = self.commit(changes).await?;
        Ok((operation, memories))
    }

    /// The latest operation that an undo without a name would take back.
    pub async fn last_undoable(&self) -> Result<Option<Operation>, ReadError> {
        let open = |operation: &Operation| {
            operation.undone_by.is_none() && operation.cause != Cause::Undo && !operation.inverse.is_empty()
        };
        let mut depth = 64;
        loop {
            let latest = self.store.latest_operations(depth).await?;
            let all = latest.len() < depth;
            match latest.into_iter().find(open) {
                Some(operation) => return Ok(Some(operation)),
                None if all => return Ok(None),
                None => depth *= 8,
            }
        }
    }

    /// Does `work` while nobody changes the store.
    pub async fn undisturbed<T>(&self, work: impl Future<Output = T>) -> T {
        let _door = self.door.lock().await;
        work.await
    }

    /// Builds again from the store what is derived from it.
    pub async fn rebuild_index(&self) -> Result<(), ReadError> {
        let _door = self.door.lock().await;
        let (index, supersedes) = derive(&*self.store).await?;
        *self.index.write().unwrap_or_else(|poisoned| poisoned.into_inner()) = index;
        *self.supersedes.write().unwrap_or_else(|poisoned| poisoned.into_inner()) = supersedes;
        Ok(())
    }

    /// The commit, and the index in the same step. Only with the door held.
    pub(crate) async fn commit(&self, changes: Changes) -> Result<Vec<Memory>, ChangeError> {
        let writes = changes.writes.clone();
        self.store.commit(changes).await?;
        let mut after: BTreeMap<MemoryId, Memory> = BTreeMap::new();
        let mut order = Vec::new();
        let mut index = self.index.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        for write in writes {
            match write {
                Write::Create { memory } | Write::Replace { after: memory, .. } => {
                    if !after.contains_key(&memory.id) {
                        order.push(memory.id);
                    }
                    after.insert(memory.id, *memory);
                }
                Write::Remove { memory } => {
                    index.remove(memory.id);
                    after.remove(&memory.id);
                }
                Write::Relate { relation } => self.draw(&relation, true),
                Write::Unrelate { relation } => self.draw(&relation, false),
            }
        }
        after.values().for_each(|memory| index.put(memory));
        Ok(order.into_iter().filter_map(|id| after.remove(&id)).collect())
    }

    fn draw(&self, edge: &Relation, there: bool) {
        if edge.kind != RelationKind::Supersedes {
            return;
        }
        let mut supersedes = self.supersedes.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        let others = supersedes.entry(edge.from).or_default();
        match there {
            true => others.insert(edge.to),
            false => others.remove(&edge.to),
        };
    }

    /// The memories whose place this one took.
    pub(crate) fn superseded_by(&self, id: MemoryId) -> Vec<MemoryId> {
        let supersedes = self.supersedes.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        supersedes.get(&id).into_iter().flatten().copied().collect()
    }

    /// Notes that these memories were shown. Written later, in a batch.
    pub fn note_use(&self, ids: impl IntoIterator<Item = MemoryId>, at: Timestamp) {
        let mut uses = self.noted();
        for id in ids {
            let entry = uses.entry(id).or_insert(Uses { times: 0, last_at: at });
            entry.times += 1;
            entry.last_at = entry.last_at.max(at);
        }
    }

    /// Writes the use noted so far. If that fails, it is noted again.
    pub async fn flush_use(&self) -> Result<(), ChangeError> {
        let noted = std::mem::take(&mut *self.noted());
        if noted.is_empty() {
            return Ok(());
        }
        let outcome = self.write_use(&noted).await;
        if outcome.is_err() {
            let mut uses = self.noted();
            for (id, earlier) in noted {
                let entry = uses.entry(id).or_insert(Uses { times: 0, last_at: earlier.last_at });
                entry.times += earlier.times;
            }
        }
        outcome
    }

    async fn write_use(&self, noted: &BTreeMap<MemoryId, Uses>) -> Result<(), ChangeError> {
        let _door = self.door.lock().await;
        let memories = self.store.load(noted.keys().copied().collect()).await?;
        let used: Vec<Memory> = memories
            .iter()
            .filter(|memory| memory.status.is_current() || memory.status == Status::Archived)
            .filter_map(|memory| noted.get(&memory.id).map(|uses| plan_use(memory, uses.times, uses.last_at)))
            .collect();
        if used.is_empty() {
            return Ok(());
        }
        self.store.record_use(used.clone()).await?;
        let mut index = self.index.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        used.iter().for_each(|memory| index.put(memory));
        Ok(())
    }

    fn noted(&self) -> MutexGuard<'_, BTreeMap<MemoryId, Uses>> {
        self.uses.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// How the index differs from the store, read whole. Holds the door, so
    /// that both are of one moment.
    pub async fn differences(&self) -> Result<Vec<Difference>, ReadError> {
        let _door = self.door.lock().await;
        let mut all = Vec::new();
        self.store.scan(&mut |memory| all.push(memory)).await?;
        Ok(self.index().differences(&all))
    }
}

async fn derive(store: &dyn Store) -> Result<(Index, Supersedes), ReadError> {
    let mut index = Index::default();
    store.scan(&mut |memory| index.put(&memory)).await?;
    let mut supersedes = Supersedes::new();
    for edge in store.load_edges(RelationKind::Supersedes).await? {
        supersedes.entry(edge.from).or_default().insert(edge.to);
    }
    Ok((index, supersedes))
}
