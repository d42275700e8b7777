//! One open store and its index, changed in one step.
//!
//! Whoever changes something holds the door: loads what it is about, plans,
//! commits, and brings the index up to date before anyone else plans. Reading
//! never waits for the door.

use crate::capture::Hearing;
use crate::embedders::{Embedders, embed, text_hash};
use crate::filling::Unfilled;
use crate::gather::utility_of;
use crate::learned::Together;
use crate::locks::{Locked, Part, Reading, Writing};
use engram_core::dream::made_of;
use engram_core::graph::Graph;
use engram_core::law::{Model, is_hot};
use engram_core::learn::Learned;
use engram_core::plan::{CannotChange, CannotUndo, Told, plan_spread, plan_use};
use engram_core::port::{CommitError, EmbedError, Embedder, ReadError, Store};
use engram_core::recalled::RecallLogged;
use engram_core::vector::Precision;
use engram_core::{
    Changes, EntityId, Kind, Memory, MemoryId, OperationId, Relation, RelationKind, Scope, SessionId, Span,
    Status, StoredVector, Timestamp, Utility, Write,
};
use engram_index::{Difference, Entry, Filter, Index};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::future::Future;
use std::sync::Arc;

/// So many bytes of memories are kept at hand in one store: about a hundred
/// thousand of one sentence each.
const MOST_KEPT: usize = 80 << 20;

/// What is hot is looked up again after so long, and is no more than so many.
const HOT_FOR: Span = Span::from_secs(300);
const MOST_HOT: usize = 15;

/// How short the end of an identifier may be when it names something.
pub const SHORTEST_NAME: usize = 4;

pub struct Shelf {
    scope: Scope,
    /// How its memories fade.
    model: Locked<Model>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) embedders: Embedders,
    pub(crate) index: Locked<Index>,
    kept: Locked<Kept>,
    /// The edges; derived like the index.
    edges: Locked<Edges>,
    /// The few that are always at hand, and until when that is believed.
    hot: Locked<Option<(Timestamp, Vec<MemoryId>)>>,
    /// Memories and things with a name, ready to be walked. Built when it is
    /// first asked for after a change.
    pub(crate) graph: Locked<Drawn>,
    /// What the use of this store taught; as the store has it.
    pub(crate) learned: Locked<Vec<Learned>>,
    /// What was taken up together; loaded when it is first asked for.
    pub(crate) together: Locked<Option<Together>>,
    pub(crate) hearing: Locked<Hearing>,
    /// One at a time writes down what is heard, for all who wait.
    pub(crate) hearing_turn: tokio::sync::Mutex<()>,
    /// One at a time reads what was heard.
    pub(crate) reading: tokio::sync::Mutex<()>,
    pub(crate) door: tokio::sync::Mutex<()>,
    uses: Locked<BTreeMap<MemoryId, Uses>>,
    /// What was asked, not yet written.
    recalls: Locked<Vec<RecallLogged>>,
    flushing: tokio::sync::Mutex<()>,
    /// One at a time makes vectors; who holds the door does not wait for it.
    pub(crate) filling_turn: tokio::sync::Mutex<()>,
    pub(crate) unfilled: Locked<Unfilled>,
}

/// The graph as it was drawn last, and how often what it is drawn from has changed.
#[derive(Default)]
pub(crate) struct Drawn {
    pub(crate) changes: u64,
    pub(crate) graph: Option<Arc<Graph>>,
}

impl Drawn {
    /// It is built again when it is next asked for.
    fn forget(&mut self) {
        self.changes += 1;
        self.graph = None;
    }
}

/// Whether it changes what the graph is drawn from.
const fn is_tie(write: &Write) -> bool {
    matches!(
        write,
        Write::Mention { .. }
            | Write::Unname { .. }
            | Write::Entity { .. }
            | Write::Bond { .. }
            | Write::Relate { .. }
            | Write::Unrelate { .. }
            | Write::Remove { .. }
    )
}

/// By what they join.
type Edges = BTreeMap<(MemoryId, RelationKind, MemoryId), Relation>;

/// Use that was noted and not yet written.
struct Uses {
    times: u32,
    last_at: Timestamp,
}

/// Memories kept at hand, so that an answer need not wait for the store. They
/// change in the same step as the index; what does not fit is loaded.
#[derive(Default)]
struct Kept {
    memories: HashMap<MemoryId, Arc<Memory>>,
    bytes: usize,
}

impl Kept {
    fn put(&mut self, memory: Memory) {
        self.remove(memory.id);
        let bytes = weight(&memory);
        if self.bytes + bytes <= MOST_KEPT {
            self.bytes += bytes;
            self.memories.insert(memory.id, Arc::new(memory));
        }
    }

    fn remove(&mut self, id: MemoryId) {
        if let Some(memory) = self.memories.remove(&id) {
            self.bytes -= weight(&memory);
        }
    }
}

/// About what a memory takes, in bytes.
fn weight(memory: &Memory) -> usize {
    let came_with = memory.structured.as_ref().map_or(0, |map| {
        // What came with a text may be of any size and shape.
        serde_json::to_vec(map).map_or(0, |text| 3 * text.len())
    });
    size_of::<Memory>() + memory.content.len() + came_with
}

#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    #[error("there is no memory {0} here")]
    NotFound(MemoryId),
    #[error("there is no operation {0} here")]
    NoOperation(OperationId),
    #[error("nothing with the name {0} is known here")]
    NoEntity(EntityId),
    #[error(transparent)]
    CannotChange(#[from] CannotChange),
    #[error(transparent)]
    CannotUndo(#[from] CannotUndo),
    #[error(transparent)]
    Commit(#[from] CommitError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Embed(#[from] EmbedError),
}

impl Shelf {
    /// Builds the index from one scan of the store.
    pub async fn open(store: Arc<dyn Store>, scope: Scope, embedders: Embedders) -> Result<Self, ReadError> {
        let Derived { index, edges, kept, unfilled } = derive(&*store, &embedders).await?;
        let learned = store.load_learned().await?;
        let hearing = Hearing::of(&*store).await?;
        Ok(Self {
            scope,
            model: Locked::new(Part::Model, Model::DEFAULT),
            store,
            embedders,
            index: Locked::new(Part::Index, index),
            kept: Locked::new(Part::Kept, kept),
            edges: Locked::new(Part::Edges, edges),
            hot: Locked::new(Part::Hot, None),
            graph: Locked::new(Part::Graph, Drawn::default()),
            learned: Locked::new(Part::Learned, learned),
            together: Locked::new(Part::Together, None),
            hearing: Locked::new(Part::Hearing, hearing),
            hearing_turn: tokio::sync::Mutex::new(()),
            reading: tokio::sync::Mutex::new(()),
            door: tokio::sync::Mutex::new(()),
            uses: Locked::new(Part::Uses, BTreeMap::new()),
            recalls: Locked::new(Part::Recalls, Vec::new()),
            flushing: tokio::sync::Mutex::new(()),
            filling_turn: tokio::sync::Mutex::new(()),
            unfilled: Locked::new(Part::Unfilled, unfilled),
        })
    }

    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// The curve that the memories here fade by.
    pub fn model(&self) -> Model {
        *self.model.read()
    }

    /// Sets it. Deadlines follow with the next change of each memory, or with
    /// the next dream.
    pub fn set_model(&self, model: Model) {
        *self.model.write() = model;
    }

    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    pub fn index(&self) -> Reading<'_, Index> {
        self.index.read()
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

    /// What an answer shows: from what is kept at hand, the rest from the store.
    pub(crate) async fn load_for_answer(&self, ids: Vec<MemoryId>) -> Result<Vec<Memory>, ReadError> {
        Ok(self.load_shared(ids).await?.into_iter().map(Arc::unwrap_or_clone).collect())
    }

    /// The same, to be looked at only.
    pub async fn load_shared(&self, ids: Vec<MemoryId>) -> Result<Vec<Arc<Memory>>, ReadError> {
        let (mut memories, rest) = {
            let kept = self.kept.read();
            let (here, rest): (Vec<_>, Vec<_>) =
                ids.into_iter().partition(|id| kept.memories.contains_key(id));
            let here: Vec<Arc<Memory>> =
                here.iter().filter_map(|id| kept.memories.get(id)).cloned().collect();
            (here, rest)
        };
        if !rest.is_empty() {
            memories.extend(self.store.load(rest).await?.into_iter().map(Arc::new));
        }
        Ok(memories)
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

    /// Changes what somebody tells of memories, with what was told of each before
    /// and by whom: of two that tell at the same moment the second knows of the
    /// first.
    pub async fn tell(
        &self,
        ids: &[MemoryId],
        plan: impl FnOnce(&[Told]) -> Result<Changes, CannotChange>,
    ) -> Result<Vec<Memory>, ChangeError> {
        let _door = self.door.lock().await;
        let mut told = Vec::with_capacity(ids.len());
        for id in ids {
            let Some(memory) = self.store.load(vec![*id]).await?.pop() else {
                return Err(ChangeError::NotFound(*id));
            };
            let (usages, done) = (self.store.usage_of(*id).await?, self.store.operations_on(*id).await?);
            told.push(Told { memory, usages, done });
        }
        let changes = plan(&told)?;
        self.commit(changes).await
    }

    /// Does `work` while nobody changes the store.
    pub async fn undisturbed<T>(&self, work: impl Future<Output = T>) -> T {
        let _door = self.door.lock().await;
        work.await
    }

    /// Builds again from the store what is derived from it.
    pub async fn rebuild_index(&self) -> Result<(), ReadError> {
        let _turn = self.filling_turn.lock().await;
        let _door = self.door.lock().await;
        let Derived { index, edges, kept, unfilled } = derive(&*self.store, &self.embedders).await?;
        self.load_learned_again().await?;
        *self.kept.write() = kept;
        *self.index.write() = index;
        *self.edges.write() = edges;
        *self.unfilled() = unfilled;
        self.graph.write().forget();
        Ok(())
    }

    /// The commit, and the index in the same step. Only with the door held.
    pub(crate) async fn commit(&self, changes: Changes) -> Result<Vec<Memory>, ChangeError> {
        let changes = changes.with_deadlines(self.model());
        let writes = changes.writes.clone();
        let vectors = self.embedders.vectors_of(&changes).await?;
        let new: Vec<MemoryId> = new_texts(&writes).into_iter().map(|memory| memory.id).collect();
        let kept_up = self.kept_up(&writes).await?;
        self.store.commit(changes, vectors.clone()).await?;
        self.keep_book(&writes);
        self.keep_learned(&writes);
        let ties = writes.iter().any(is_tie);
        let mut after: BTreeMap<MemoryId, Memory> = BTreeMap::new();
        let mut order = Vec::new();
        let mut index = self.index.write();
        let mut kept = self.kept.write();
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
                    kept.remove(memory.id);
                    after.remove(&memory.id);
                    self.undraw(memory.id);
                }
                Write::Upkeep { change } => {
                    let known =
                        after.get(&change.id).or_else(|| kept_up.get(&change.id).map(|memory| &**memory));
                    let Some(mut memory) = known.cloned() else { continue };
                    change.after.put(&mut memory);
                    if !after.contains_key(&memory.id) {
                        order.push(memory.id);
                    }
                    after.insert(memory.id, memory);
                }
                Write::Relate { relation } => self.draw(&relation, true),
                Write::Unrelate { relation } => self.draw(&relation, false),
                Write::Hear { .. }
                | Write::Read { .. }
                | Write::Name { .. }
                | Write::Mention { .. }
                | Write::Unname { .. }
                | Write::Review { .. }
                | Write::Promote { .. }
                | Write::Record { .. }
                | Write::Unrecord { .. }
                | Write::Rate { .. }
                | Write::Entity { .. }
                | Write::Bond { .. }
                | Write::Note { .. }
                | Write::Queue { .. }
                | Write::Unqueue { .. }
                | Write::Heard { .. }
                | Write::Hold { .. }
                | Write::Learn { .. } => {}
            }
        }
        for memory in after.values() {
            index.put(memory);
            kept.put(memory.clone());
        }
        new.iter().for_each(|id| index.clear_vectors(*id));
        put_vectors(&mut index, &vectors);
        if ties {
            self.graph.write().forget();
        }
        // The table's vector is there already.
        if let Some(model) = self.embedders.model() {
            self.unfilled().add(model.id(), new);
        }
        Ok(order.into_iter().filter_map(|id| after.remove(&id)).collect())
    }

    /// The index takes these vectors.
    pub(crate) fn put_vectors(&self, vectors: &[StoredVector]) {
        put_vectors(&mut self.index.write(), vectors);
    }

    /// The book of names and the bonds follow what was written of them.
    fn keep_book(&self, writes: &[Write]) {
        for write in writes {
            match write {
                Write::Entity { before, after } => {
                    let mut hearing = self.hearing();
                    before.iter().for_each(|entity| drop(hearing.book.remove(entity.id)));
                    after.iter().for_each(|entity| hearing.book.put((**entity).clone()));
                }
                Write::Bond { before, after } => {
                    let mut hearing = self.hearing();
                    before.iter().for_each(|bond| drop(hearing.bonds.remove(&bond.key())));
                    let after = after.iter().map(|bond| (bond.key(), (**bond).clone()));
                    hearing.bonds.extend(after);
                }
                _ => continue,
            }
        }
    }

    /// The memories whose standing these writes change, as they are now.
    async fn kept_up(&self, writes: &[Write]) -> Result<BTreeMap<MemoryId, Arc<Memory>>, ReadError> {
        let changed = writes.iter().filter_map(|write| match write {
            Write::Upkeep { change } => Some(change.id),
            _ => None,
        });
        let changed: BTreeSet<MemoryId> = changed.collect();
        if changed.is_empty() {
            return Ok(BTreeMap::new());
        }
        let memories = self.load_shared(changed.into_iter().collect()).await?;
        Ok(memories.into_iter().map(|memory| (memory.id, memory)).collect())
    }

    pub(crate) fn table(&self) -> Option<&Arc<dyn Embedder>> {
        self.embedders.table.as_ref()
    }

    fn draw(&self, edge: &Relation, there: bool) {
        let mut edges = self.edges.write();
        let joins = (edge.from, edge.kind, edge.to);
        match there {
            true => edges.insert(joins, edge.clone()),
            false => edges.remove(&joins),
        };
    }

    /// An edge goes with either end.
    fn undraw(&self, id: MemoryId) {
        let mut edges = self.edges.write();
        edges.retain(|(from, _, to), _| *from != id && *to != id);
    }

    /// The memories whose place this one took.
    pub(crate) fn superseded_by(&self, id: MemoryId) -> Vec<MemoryId> {
        self.led_to(id, RelationKind::Supersedes)
    }

    /// The memories that this one was made of.
    pub fn sources_of(&self, id: MemoryId) -> Vec<MemoryId> {
        self.led_to(id, RelationKind::DerivedFrom)
    }

    /// Whether what a dream made of others still says what they say: all of them
    /// are here, are in force or have merely faded, and say what they said then.
    pub(crate) fn still_stands(&self, id: MemoryId) -> bool {
        let index = self.index();
        let kept = self.kept.read();
        let Some(made) = kept.memories.get(&id) else { return false };
        made_of(made).into_iter().all(|source| {
            index.entry(source).is_some_and(|entry| {
                let in_force = entry.status.is_current() && entry.status != Status::Challenged;
                let stays = in_force || entry.faded || entry.status == Status::Promoted;
                stays && entry.updated_at <= made.updated_at
            })
        })
    }

    fn led_to(&self, id: MemoryId, kind: RelationKind) -> Vec<MemoryId> {
        let edges = self.edges.read();
        let least = MemoryId::from_ulid(engram_core::Ulid(0));
        let most = MemoryId::from_ulid(engram_core::Ulid(u128::MAX));
        edges.range((id, kind, least)..=(id, kind, most)).map(|((_, _, to), _)| *to).collect()
    }

    /// What use spreads to: what these are tied to by anything but a quarrel, or
    /// by their having gone into one.
    fn neighbours_of(&self, ids: &BTreeSet<MemoryId>) -> BTreeSet<MemoryId> {
        use RelationKind::{Contradicts, InstanceOf, MergedInto, Supersedes};
        let edges = self.edges.read();
        let apart = |kind: &RelationKind| matches!(kind, Supersedes | Contradicts | MergedInto | InstanceOf);
        let tied = edges.keys().filter(|(_, kind, _)| !apart(kind));
        let mut reached = BTreeSet::new();
        for (from, _, to) in tied {
            if ids.contains(from) {
                reached.insert(*to);
            }
            if ids.contains(to) {
                reached.insert(*from);
            }
        }
        &reached - ids
    }

    /// Those, and those whose place they took.
    pub(crate) fn all_superseded_by(&self, id: MemoryId) -> Vec<MemoryId> {
        let mut all = self.superseded_by(id);
        let mut next = 0;
        while next < all.len() {
            let before = self.superseded_by(all[next]);
            all.extend(before.into_iter().filter(|old| *old != id && !all.contains(old)).collect::<Vec<_>>());
            next += 1;
        }
        all
    }

    /// The memory that took the place of this one in the end.
    pub(crate) fn heir_of(&self, id: MemoryId) -> Option<MemoryId> {
        let edges = self.edges.read();
        let next = |old: MemoryId| {
            let took = |joins: &&(MemoryId, RelationKind, MemoryId)| {
                joins.1 == RelationKind::Supersedes && joins.2 == old
            };
            edges.keys().rfind(took).map(|(new, ..)| *new)
        };
        let mut seen = BTreeSet::from([id]);
        let mut heir = None;
        while let Some(new) = next(heir.unwrap_or(id)).filter(|new| seen.insert(*new)) {
            heir = Some(new);
        }
        heir
    }

    /// The edges that begin at one of these memories.
    pub(crate) fn edges_from(&self, ids: &BTreeSet<MemoryId>) -> Vec<Relation> {
        let edges = self.edges.read();
        edges.values().filter(|edge| ids.contains(&edge.from)).cloned().collect()
    }

    pub(crate) fn all_edges(&self) -> Vec<Relation> {
        self.edges.read().values().cloned().collect()
    }

    /// How many edges there are of those that are thinned out: what a memory was
    /// made of is not counted.
    pub(crate) fn count_edges(&self) -> usize {
        let edges = self.edges.read();
        edges.keys().filter(|(_, kind, _)| *kind != RelationKind::DerivedFrom).count()
    }

    /// What is at hand of a session's memories that a test of their facets lets
    /// through.
    pub(crate) fn kept_of_session(
        &self,
        session: SessionId,
        wanted: impl Fn(&Entry) -> bool,
    ) -> Vec<Arc<Memory>> {
        let of_session: Vec<MemoryId> = {
            let index = self.index();
            let of_session = index.of_session(session).into_iter();
            of_session.filter(|id| index.entry(*id).is_some_and(&wanted)).collect()
        };
        let kept = self.kept.read();
        of_session.iter().filter_map(|id| kept.memories.get(id)).cloned().collect()
    }

    /// What is at hand of the memories of a kind that a test lets through. The
    /// index finds them faster than looking at all would.
    pub fn kept_of_kind(&self, kind: Kind, wanted: impl Fn(&Memory) -> bool) -> Vec<Arc<Memory>> {
        let of_kind = self.index().list(&Filter { kinds: vec![kind], ..Filter::default() }, usize::MAX);
        let kept = self.kept.read();
        let here = of_kind.iter().filter_map(|id| kept.memories.get(id));
        here.filter(|memory| wanted(memory)).cloned().collect()
    }

    /// Those of all memories at hand that a test lets through.
    pub fn kept_where(&self, wanted: impl Fn(&Memory) -> bool) -> Vec<Arc<Memory>> {
        let kept = self.kept.read();
        kept.memories.values().filter(|memory| wanted(memory)).cloned().collect()
    }

    /// The few that prove useful all the time, the most useful first. Looked up
    /// once in five minutes.
    pub(crate) fn hot(&self, at: Timestamp) -> Vec<MemoryId> {
        let mut hot = self.hot.write();
        if let Some((until, found)) = &*hot
            && at < *until
            && at + HOT_FOR >= *until
        {
            return found.clone();
        }
        let index = self.index();
        let mut found: Vec<(Utility, MemoryId)> = index
            .list(&Filter::default(), usize::MAX)
            .into_iter()
            .filter_map(|id| index.entry(id))
            .filter(|entry| entry.status.is_current())
            .map(|entry| (utility_of(entry, at), entry))
            .filter(|(utility, entry)| is_hot(entry.tier, *utility, &entry.trace, entry.created_at, at))
            .map(|(utility, entry)| (utility, entry.id))
            .collect();
        found.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
        let found: Vec<MemoryId> = found.into_iter().take(MOST_HOT).map(|(_, id)| id).collect();
        *hot = Some((at + HOT_FOR, found.clone()));
        found
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

    /// Notes what was asked and shown. Written later, in a batch.
    pub fn note_recall(&self, recall: RecallLogged) {
        self.recalls.write().push(recall);
    }

    /// Whether something was noted that is not written yet.
    pub fn has_notes(&self) -> bool {
        let recalls = self.recalls.write();
        !recalls.is_empty() || !self.noted().is_empty()
    }

    /// Writes what was noted so far. If that fails, it is noted again. Whoever
    /// comes while another is writing waits for him: afterwards it is written.
    pub async fn flush_notes(&self) -> Result<(), ChangeError> {
        let _turn = self.flushing.lock().await;
        self.flush_recalls().await?;
        self.flush_use().await
    }

    pub(crate) async fn flush_recalls(&self) -> Result<(), ChangeError> {
        let recalls = std::mem::take(&mut *self.recalls.write());
        if recalls.is_empty() {
            return Ok(());
        }
        let outcome = self.store.log_recalls(recalls.clone()).await;
        if outcome.is_err() {
            recalls.into_iter().for_each(|recall| self.note_recall(recall));
        }
        Ok(outcome?)
    }

    async fn flush_use(&self) -> Result<(), ChangeError> {
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
            .filter_map(|memory| {
                noted.get(&memory.id).map(|uses| plan_use(memory, self.model(), uses.times, uses.last_at))
            })
            .collect();
        if used.is_empty() {
            return Ok(());
        }
        let mut used = used;
        let neighbours = self.neighbours_of(&used.iter().map(|memory| memory.id).collect());
        let near = self.store.load(neighbours.into_iter().collect()).await?;
        used.extend(near.iter().filter_map(|memory| plan_spread(memory, self.model())));
        self.store.record_use(used.clone()).await?;
        self.put(used);
        Ok(())
    }

    /// The index and what is at hand follow what was written of these memories.
    /// Only with the door held.
    pub(crate) fn put(&self, written: Vec<Memory>) {
        let mut index = self.index.write();
        let mut kept = self.kept.write();
        for memory in written {
            index.put(&memory);
            kept.put(memory);
        }
    }

    fn noted(&self) -> Writing<'_, BTreeMap<MemoryId, Uses>> {
        self.uses.write()
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

/// The memories that these writes give another text, be it none: each once, as
/// it is in the end.
pub(crate) fn new_texts(writes: &[Write]) -> Vec<&Memory> {
    let mut given: Vec<&Memory> = Vec::new();
    for write in writes {
        let memory = match write {
            Write::Create { memory } => &**memory,
            Write::Replace { before, after } if before.content != after.content => &**after,
            _ => continue,
        };
        given.retain(|known| known.id != memory.id);
        given.push(memory);
    }
    given
}

/// A memory that was removed in the same change, or a vector of another
/// length, is passed over: the index is derived and can be built again.
fn put_vectors(index: &mut Index, vectors: &[StoredVector]) {
    for vector in vectors {
        let _ = index.put_vector(vector.memory, &vector.embedder, &vector.packed.compared());
    }
}

/// What is built from one scan of the store.
struct Derived {
    index: Index,
    edges: Edges,
    kept: Kept,
    unfilled: Unfilled,
}

/// Texts that are embedded at once while a store opens.
const EMBEDDED_AT_ONCE: usize = 500;

/// Whether a vector of the table is kept in few bits. The index has it whole all
/// the same, made from the text: that takes the table no time, and recall finds
/// what has faded as well as anything else.
pub(crate) fn is_coarse_of(embedders: &Embedders, vector: &StoredVector) -> bool {
    let of_table = embedders.table.as_ref().is_some_and(|table| table.id() == vector.embedder);
    of_table && vector.packed.precision() > Precision::I8
}

async fn derive(store: &dyn Store, embedders: &Embedders) -> Result<Derived, ReadError> {
    let mut index = Index::default();
    let mut kept = Kept::default();
    let mut hashes: BTreeMap<MemoryId, String> = BTreeMap::new();
    let in_use: BTreeSet<&str> = embedders.all().map(|embedder| embedder.id()).collect();
    let mut stored: BTreeSet<String> = BTreeSet::new();
    let mut coarse: Vec<MemoryId> = Vec::new();
    store
        .scan(&mut |memory| {
            index.put(&memory);
            if !in_use.is_empty() {
                hashes.insert(memory.id, text_hash(&memory.content));
            }
            kept.put(memory);
        })
        .await?;
    if !in_use.is_empty() {
        store
            .scan_vectors(&mut |vector| {
                if !stored.contains(&vector.embedder) {
                    stored.insert(vector.embedder.clone());
                }
                if in_use.contains(vector.embedder.as_str())
                    && hashes.get(&vector.memory) == Some(&vector.text_hash)
                {
                    if is_coarse_of(embedders, &vector) {
                        coarse.push(vector.memory);
                    }
                    put_vectors(&mut index, &[vector]);
                }
            })
            .await?;
    }
    if let Some(table) = &embedders.table {
        let texts: Vec<&Memory> =
            coarse.iter().filter_map(|id| kept.memories.get(id)).map(|memory| &**memory).collect();
        for some in texts.chunks(EMBEDDED_AT_ONCE) {
            // Without it the coarse ones serve.
            if let Ok(vectors) = embed(&**table, some).await {
                put_vectors(&mut index, &vectors);
            }
        }
    }
    let edges = store.load_edges().await?;
    let edges = edges.into_iter().map(|edge| ((edge.from, edge.kind, edge.to), edge)).collect();
    let unfilled = Unfilled::of(&index, embedders, stored);
    Ok(Derived { index, edges, kept, unfilled })
}
