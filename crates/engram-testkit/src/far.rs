//! A team's server in plain maps, as each of its members sees it.
//!
//! It keeps the rules of the real one: what a member may not do is an error and
//! changes nothing, what is not theirs alone is done by the server, and every
//! change is a line of the feed, numbered without gaps. Troubles come by script.

use engram_core::change::{Actor, Cause, PURGED};
use engram_core::decision::{Closed, Pair, Review};
use engram_core::port::Pending;
use engram_core::team::port::{Far, FarError, FarQuestion, Searchable, Ties, Unsearched};
use engram_core::team::{
    Act, Charter, Deed, Delivery, FeedLine, Head, Member, Position, Print, Proposal, Reviewers, Role, Rulers,
    Sent, Told,
};
use engram_core::{
    MemberId, Memory, MemoryId, OperationId, Relation, ReviewId, Status, StatusChange, Timestamp, Ulid,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::watch;

/// What goes wrong with one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It never arrives.
    Cut,
    /// Nobody answers, until whoever waits has had enough.
    Hang,
    /// It is done, and the answer gets lost.
    LostAnswer,
    /// It arrives twice.
    Doubled,
    /// The head, the feed or the rows are those of before the last change.
    Stale,
}

#[derive(Clone)]
struct Truth {
    charter: Charter,
    members: BTreeMap<MemberId, Member>,
    memories: BTreeMap<MemoryId, Memory>,
    relations: Vec<Relation>,
    reviews: BTreeMap<ReviewId, Review>,
    proposals: BTreeMap<MemoryId, Proposal>,
    sightings: BTreeSet<(Print, MemberId)>,
    operations: BTreeSet<OperationId>,
    feed: BTreeMap<Position, FeedLine>,
    latest: Position,
    /// What its indexes know.
    searchable: BTreeMap<MemoryId, String>,
    /// So many lines are kept.
    window: u64,
    /// Rows that nobody can read.
    garbled: BTreeSet<MemoryId>,
}

/// The server that all of a team share.
pub struct FakeServer {
    truth: Mutex<Truth>,
    /// As it was before the last change.
    before: Mutex<Truth>,
    grown: watch::Sender<u64>,
}

/// The server as one member sees it.
pub struct FakeFar {
    server: Arc<FakeServer>,
    member: MemberId,
    /// One for each of the next calls.
    faults: Mutex<VecDeque<Option<Fault>>>,
    /// The rows of which was told that they cannot be read.
    told: Mutex<BTreeSet<MemoryId>>,
}

fn locked<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap()
}

impl FakeServer {
    /// An empty team that keeps so many lines of its feed.
    pub fn new(window: u64) -> Arc<Self> {
        let charter = Charter {
            name: "lab".parse().unwrap(),
            review: Reviewers::Author,
            rulers: Rulers::Maintainer,
            pepper: "pepper".to_owned(),
            search: false,
        };
        let truth = Truth {
            charter,
            members: BTreeMap::new(),
            memories: BTreeMap::new(),
            relations: Vec::new(),
            reviews: BTreeMap::new(),
            proposals: BTreeMap::new(),
            sightings: BTreeSet::new(),
            operations: BTreeSet::new(),
            feed: BTreeMap::new(),
            latest: Position(0),
            searchable: BTreeMap::new(),
            window,
            garbled: BTreeSet::new(),
        };
        let (grown, _) = watch::channel(0);
        Arc::new(Self { before: Mutex::new(truth.clone()), truth: Mutex::new(truth), grown })
    }

    /// Somebody new.
    pub fn join(self: &Arc<Self>, handle: &str, role: Role) -> Member {
        let mut truth = locked(&self.truth);
        let id = MemberId::from_ulid(Ulid(truth.members.len() as u128 + 1));
        let since = Timestamp::UNIX_EPOCH;
        let member = Member { id, handle: handle.to_owned(), role, active: true, since };
        truth.members.insert(id, member.clone());
        truth.tell(Told::Member, id.to_string(), false);
        member
    }

    /// The server as this member sees it.
    pub fn seen_by(self: &Arc<Self>, member: MemberId) -> Arc<FakeFar> {
        Arc::new(FakeFar { server: self.clone(), member, faults: Mutex::default(), told: Mutex::default() })
    }

    /// What the team has agreed on changes.
    pub fn set_charter(&self, set: impl FnOnce(&mut Charter)) {
        set(&mut locked(&self.truth).charter);
    }

    /// Every row, by identifier.
    pub fn memories(&self) -> Vec<Memory> {
        locked(&self.truth).memories.values().cloned().collect()
    }

    pub fn reviews(&self) -> Vec<Review> {
        locked(&self.truth).reviews.values().cloned().collect()
    }

    pub fn relations(&self) -> Vec<Relation> {
        let mut relations = locked(&self.truth).relations.clone();
        relations.sort();
        relations
    }

    /// The operations that were done.
    pub fn operations(&self) -> BTreeSet<OperationId> {
        locked(&self.truth).operations.clone()
    }

    pub fn latest(&self) -> Position {
        locked(&self.truth).latest
    }

    /// Rows that are there already.
    pub fn fill(&self, memories: impl IntoIterator<Item = Memory>) {
        let mut truth = locked(&self.truth);
        memories.into_iter().for_each(|memory| truth.put(memory));
    }

    /// Somebody writes a row that no engram here can read, and a line of the feed
    /// with a word that none knows.
    pub fn garble(&self, id: MemoryId) {
        let mut truth = locked(&self.truth);
        truth.garbled.insert(id);
        truth.tell(Told::Memory, id.to_string(), false);
        truth.tell(Told::Sighting, "of another kind".to_owned(), false);
        let latest = truth.latest;
        truth.feed.entry(latest).and_modify(|line| line.told = None);
    }

    /// A row goes without a trace, as an operator could do it.
    pub fn remove(&self, id: MemoryId) {
        let mut truth = locked(&self.truth);
        truth.memories.remove(&id);
        truth.relations.retain(|edge| edge.from != id && edge.to != id);
        truth.tell(Told::Memory, id.to_string(), true);
    }
}

impl FakeFar {
    /// What goes wrong with the next calls; None is a call that goes well.
    pub fn plan(&self, faults: impl IntoIterator<Item = Option<Fault>>) {
        locked(&self.faults).extend(faults);
    }

    /// Nothing more goes wrong.
    pub fn calm(&self) {
        locked(&self.faults).clear();
    }

    /// Answers a call that changes nothing.
    fn read<T: Send + 'static>(
        &self,
        answer: impl Fn(&Truth) -> Result<T, FarError> + Send + 'static,
    ) -> Pending<'_, Result<T, FarError>> {
        Box::pin(async move {
            let fault = locked(&self.faults).pop_front().flatten();
            match fault {
                Some(Fault::Hang) => std::future::pending().await,
                Some(Fault::Cut | Fault::LostAnswer) => Err(cut()),
                Some(Fault::Stale) => {
                    locked(&self.server.truth).seat(self.member)?;
                    answer(&locked(&self.server.before))
                }
                Some(Fault::Doubled) | None => {
                    let truth = locked(&self.server.truth);
                    truth.seat(self.member)?;
                    answer(&truth)
                }
            }
        })
    }

    /// All of it or nothing.
    fn apply(&self, delivery: &Delivery) -> Result<(), FarError> {
        let mut truth = locked(&self.server.truth);
        let mut after = truth.clone();
        after.deliver(self.member, delivery)?;
        *locked(&self.server.before) = std::mem::replace(&mut *truth, after);
        self.server.grown.send_replace(truth.latest.0);
        Ok(())
    }
}

fn cut() -> FarError {
    FarError::Unreachable("cut".to_owned())
}

fn refused(what: &str) -> FarError {
    FarError::Refused(what.to_owned())
}

impl Truth {
    fn seat(&self, member: MemberId) -> Result<&Member, FarError> {
        let known = self.members.get(&member).filter(|member| member.active);
        known.ok_or_else(|| FarError::Denied("no longer a member of this team".to_owned()))
    }

    fn readable(&self, id: MemoryId) -> Option<&Memory> {
        self.memories.get(&id).filter(|_| !self.garbled.contains(&id))
    }

    fn tell(&mut self, told: Told, key: String, gone: bool) {
        self.latest.0 += 1;
        self.feed.insert(self.latest, FeedLine { number: self.latest, told: Some(told), key, gone });
        let kept = self.feed.split_off(&self.oldest());
        self.feed = kept;
    }

    fn oldest(&self) -> Position {
        Position(self.latest.0.saturating_sub(self.window) + 1)
    }

    fn deliver(&mut self, by: MemberId, delivery: &Delivery) -> Result<(), FarError> {
        let me = self.seat(by)?.clone();
        if self.operations.contains(&delivery.operation) {
            return Err(FarError::AlreadyDone(delivery.operation));
        }
        if delivery.author != me.id || me.role == Role::Reader {
            return Err(refused("operation"));
        }
        self.operations.insert(delivery.operation);
        delivery.writes.iter().try_for_each(|sent| self.send(&me, sent, delivery.at))
    }

    fn send(&mut self, me: &Member, sent: &Sent, at: Timestamp) -> Result<(), FarError> {
        let maintainer = me.role == Role::Maintainer;
        match sent {
            Sent::Insert(memory) => {
                let own = memory.provenance.author == Some(me.id);
                let open = self.charter.review == Reviewers::Author;
                if !own || !open {
                    return Err(refused("memory"));
                }
                if self.memories.contains_key(&memory.id) {
                    return Err(FarError::Conflict(memory.id));
                }
                self.put(Memory::clone(memory));
            }
            Sent::Replace { before, after } => {
                let lost = FarError::Conflict(after.id);
                let old = self.memories.get(&after.id).ok_or(lost.clone())?;
                let closed = |status| matches!(status, Status::Challenged | Status::Forgotten);
                let own = old.provenance.author == Some(me.id);
                if old.revision != *before || !own || closed(old.status) || closed(after.status) {
                    return Err(lost);
                }
                if after.revision != before + 1 || after.provenance.author != old.provenance.author {
                    return Err(refused("a change counts one revision, and an author stays"));
                }
                let reviewed = self.charter.review == Reviewers::Maintainer;
                if reviewed && after.content != old.content {
                    return Err(refused("a text that was reviewed is corrected by a new one"));
                }
                let lost = matches!(old.status, Status::Superseded | Status::Invalidated | Status::Merged);
                let decided = lost && old.status_change.cause == Cause::Review;
                if decided && after.status != old.status {
                    return Err(refused("what was decided stays"));
                }
                self.put(Memory::clone(after));
            }
            Sent::Relate(relation) => {
                let from = self.memories.get(&relation.from);
                let own = from.is_some_and(|from| from.provenance.author == Some(me.id));
                if !own && !maintainer {
                    return Err(refused("edge"));
                }
                self.relations.push(relation.clone());
                let key = format!("{} {} {}", relation.from, relation.kind, relation.to);
                self.tell(Told::Relation, key, false);
            }
            Sent::Propose(proposal) => {
                let own = proposal.memory.provenance.author == Some(me.id);
                if !own || self.proposals.contains_key(&proposal.memory.id) {
                    return Err(refused("proposal"));
                }
                self.proposals.insert(proposal.memory.id, Proposal::clone(proposal));
                self.tell(Told::Proposal, proposal.memory.id.to_string(), false);
            }
            Sent::TakeBack { proposal } => {
                let own = |known: &Proposal| known.memory.provenance.author == Some(me.id);
                if !self.proposals.get(proposal).is_some_and(own) {
                    return Err(refused("proposal"));
                }
                self.proposals.remove(proposal);
                self.tell(Told::Proposal, proposal.to_string(), true);
            }
            Sent::Act(act) => return self.act(me, act, at),
            Sent::Sight(prints) => {
                for print in prints {
                    if self.sightings.insert((print.clone(), me.id)) {
                        self.tell(Told::Sighting, print.0.clone(), false);
                    }
                }
            }
            Sent::Member { member, role, active } => {
                if me.role != Role::Maintainer {
                    return Err(refused("member"));
                }
                let known = self.members.get_mut(member).ok_or_else(|| refused("member"))?;
                (known.role, known.active) = (*role, *active);
                self.tell(Told::Member, member.to_string(), false);
            }
        }
        Ok(())
    }

    fn act(&mut self, me: &Member, act: &Act, at: Timestamp) -> Result<(), FarError> {
        let maintainer = me.role == Role::Maintainer;
        let change = |cause| StatusChange { at, reason: act.reason.clone(), cause };
        match &act.deed {
            Deed::Challenge { review } => {
                let Pair::Memories { newer, older } = review.pair else { return Err(refused("act")) };
                let own = self.memories.get(&newer).is_some_and(|one| one.provenance.author == Some(me.id));
                if !own && !maintainer || self.reviews.contains_key(&review.id) {
                    return Err(refused("act"));
                }
                // Each counts a revision, so that whoever decides sees all of them.
                for id in [newer, older] {
                    if self.memories.get(&id).is_none_or(|one| !one.status.is_current()) {
                        return Err(FarError::Conflict(id));
                    }
                    self.stand(id, Status::Challenged, change(Cause::Review), at);
                }
                self.reviews.insert(review.id, Review::clone(review));
                self.tell(Told::Review, review.id.to_string(), false);
            }
            Deed::Rule { reviews, ruling, stands } => {
                let rules = self.charter.rulers == Rulers::Member && me.role == Role::Member;
                if !(maintainer || rules) {
                    return Err(refused("act"));
                }
                use Status::{Active, Invalidated, Merged, Superseded};
                let known: Vec<Review> =
                    reviews.iter().filter_map(|id| self.reviews.get(id)).cloned().collect();
                for stand in stands {
                    let one = self.memories.get(&stand.memory);
                    if one.is_none_or(|one| one.revision != stand.revision) {
                        return Err(FarError::Conflict(stand.memory));
                    }
                    let about = known.iter().any(|review| review.is_about(&[stand.memory]));
                    if !about || !matches!(stand.status, Active | Superseded | Invalidated | Merged) {
                        return Err(refused("ruling"));
                    }
                }
                if known.len() != reviews.len() {
                    return Err(refused("ruling"));
                }
                if let Some(decided) = known.iter().find(|review| review.closed.is_some()) {
                    let Pair::Memories { newer, .. } = decided.pair else { return Err(refused("ruling")) };
                    return Err(FarError::Conflict(newer));
                }
                for stand in stands {
                    self.stand(stand.memory, stand.status, change(Cause::Review), at);
                }
                for id in reviews {
                    let Some(review) = self.reviews.get_mut(id) else { continue };
                    review.closed = Some(Closed { ruling: *ruling, actor: Actor::Human, at });
                    self.tell(Told::Review, id.to_string(), false);
                }
            }
            Deed::Withdraw { memory } => {
                let one = self.memories.get(memory).ok_or_else(|| refused("act"))?;
                if one.provenance.author != Some(me.id) && !maintainer {
                    return Err(refused("act"));
                }
                let mut empty = one.clone();
                (empty.content, empty.summary, empty.domain, empty.structured) =
                    (String::new(), None, None, None);
                empty.tags.clear();
                (empty.provenance.speaker, empty.trace.fades_at) = (None, None);
                (empty.provenance.source_session, empty.provenance.source_project) = (None, None);
                empty.provenance.evidence.clear();
                empty.provenance.promotion_chain.clear();
                self.memories.insert(*memory, empty);
                self.stand(*memory, Status::Forgotten, change(Cause::Withdraw), at);
                self.proposals.remove(memory);
                let about: Vec<ReviewId> = self
                    .reviews
                    .values()
                    .filter(|review| review.is_about(&[*memory]))
                    .map(|one| one.id)
                    .collect();
                for id in about {
                    let review = self.reviews.get_mut(&id).unwrap();
                    PURGED.clone_into(&mut review.reason);
                    self.tell(Told::Review, id.to_string(), false);
                }
            }
            Deed::Approve { proposal } | Deed::Refuse { proposal } => {
                let known = self.proposals.remove(proposal).filter(|_| maintainer);
                let known = known.ok_or_else(|| refused("act"))?;
                let approved = matches!(act.deed, Deed::Approve { .. });
                if approved && self.memories.contains_key(proposal) {
                    return Err(FarError::Conflict(*proposal));
                }
                self.tell(Told::Proposal, proposal.to_string(), true);
                if approved {
                    self.put(known.memory);
                }
            }
        }
        Ok(())
    }

    fn stand(&mut self, id: MemoryId, status: Status, change: StatusChange, at: Timestamp) {
        let Some(mut memory) = self.memories.get(&id).cloned() else { return };
        memory.status = status;
        memory.status_change = change;
        memory.updated_at = at;
        memory.revision += 1;
        self.put(memory);
    }

    fn put(&mut self, memory: Memory) {
        let key = memory.id.to_string();
        self.memories.insert(memory.id, memory);
        self.tell(Told::Memory, key, false);
    }
}

impl Far for FakeFar {
    fn charter(&self) -> Pending<'_, Result<Charter, FarError>> {
        self.read(|truth| Ok(truth.charter.clone()))
    }

    fn head(&self) -> Pending<'_, Result<Head, FarError>> {
        self.read(|truth| Ok(Head { latest: truth.latest, oldest: truth.oldest() }))
    }

    fn feed(&self, after: Position, limit: usize) -> Pending<'_, Result<Vec<FeedLine>, FarError>> {
        self.read(move |truth| {
            Ok(truth.feed.range(Position(after.0 + 1)..).take(limit).map(|(_, line)| line.clone()).collect())
        })
    }

    fn load(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Vec<Memory>, FarError>> {
        self.read(move |truth| Ok(ids.iter().filter_map(|id| truth.readable(*id)).cloned().collect()))
    }

    fn page(&self, before: Option<MemoryId>, limit: usize) -> Pending<'_, Result<Vec<Memory>, FarError>> {
        self.read(move |truth| {
            let older = |memory: &&Memory| before.is_none_or(|before| memory.id < before);
            let readable = truth.memories.values().rev().filter(|memory| !truth.garbled.contains(&memory.id));
            Ok(readable.filter(older).take(limit).cloned().collect())
        })
    }

    fn ties(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Ties, FarError>> {
        self.read(move |truth| {
            let relations = truth.relations.iter().filter(|edge| ids.contains(&edge.from));
            let reviews = truth.reviews.values().filter(|review| review.is_about(&ids));
            Ok((relations.cloned().collect(), reviews.cloned().collect()))
        })
    }

    fn members(&self) -> Pending<'_, Result<Vec<Member>, FarError>> {
        self.read(|truth| Ok(truth.members.values().cloned().collect()))
    }

    fn proposals(&self) -> Pending<'_, Result<Vec<Proposal>, FarError>> {
        let me = self.member;
        self.read(move |truth| {
            let all = truth.seat(me)?.role == Role::Maintainer;
            let mine = |proposal: &&Proposal| all || proposal.memory.provenance.author == Some(me);
            Ok(truth.proposals.values().filter(mine).cloned().collect())
        })
    }

    fn sighted(&self, prints: Vec<Print>) -> Pending<'_, Result<Vec<(Print, usize)>, FarError>> {
        self.read(move |truth| {
            let count = |print: &Print| truth.sightings.iter().filter(|(seen, _)| seen == print).count();
            Ok(prints.iter().map(|print| (print.clone(), count(print))).collect())
        })
    }

    fn deliver(&self, delivery: Delivery) -> Pending<'_, Result<(), FarError>> {
        Box::pin(async move {
            let fault = locked(&self.faults).pop_front().flatten();
            match fault {
                Some(Fault::Hang) => std::future::pending().await,
                Some(Fault::Cut) => Err(cut()),
                Some(Fault::LostAnswer) => self.apply(&delivery).and(Err(cut())),
                Some(Fault::Doubled) => {
                    self.apply(&delivery)?;
                    self.apply(&delivery)
                }
                Some(Fault::Stale) | None => self.apply(&delivery),
            }
        })
    }

    fn search(&self, asked: FarQuestion) -> Pending<'_, Result<Vec<MemoryId>, FarError>> {
        self.read(move |truth| {
            if !truth.charter.search {
                return Err(FarError::Refused("its indexes are switched off".to_owned()));
            }
            let says =
                |words: &&String| asked.words.split(' ').any(|word| words.split(' ').any(|its| its == word));
            let found = truth.searchable.iter().filter(|(_, words)| says(words));
            Ok(found.take(asked.limit).map(|(id, _)| *id).collect())
        })
    }

    fn unsearched(&self, after: Option<MemoryId>) -> Pending<'_, Result<Unsearched, FarError>> {
        self.read(move |truth| {
            let said = truth.memories.values().filter(|memory| !memory.content.is_empty());
            let missing = said.map(|memory| memory.id).filter(|id| !truth.searchable.contains_key(id));
            let unsearched = missing.filter(|id| after.is_none_or(|after| *id > after)).collect();
            Ok(Unsearched { unsearched, last: None })
        })
    }

    fn keep_searchable(&self, rows: Vec<Searchable>) -> Pending<'_, Result<(), FarError>> {
        Box::pin(async move {
            let mut truth = locked(&self.server.truth);
            truth.seat(self.member)?;
            truth.searchable.extend(rows.into_iter().map(|row| (row.memory, row.words)));
            Ok(())
        })
    }

    fn wait(&self, patience: Duration) -> Pending<'_, Result<(), FarError>> {
        Box::pin(async move {
            let fault = locked(&self.faults).pop_front().flatten();
            if fault == Some(Fault::Cut) {
                return Err(cut());
            }
            let mut grown = self.server.grown.subscribe();
            let _ = tokio::time::timeout(patience, grown.changed()).await;
            Ok(())
        })
    }

    fn take_unread(&self) -> Vec<String> {
        let garbled = locked(&self.server.truth).garbled.clone();
        let mut told = locked(&self.told);
        garbled.into_iter().filter(|id| told.insert(*id)).map(|id| format!("memory:{id}")).collect()
    }
}
