//! Says to the server what waits in the outbox, in its order.
//!
//! Each line is planned anew against what the server has at that moment. One
//! that can never be done is kept with its reason and holds up nobody; a trouble
//! that passes ends the push, so that the order stays.

use super::{Seat, SyncError, With, memories_of, synced};
use engram_core::team::port::FarError;
use engram_core::team::{Deed, Delivery, Intent, Outgoing, Sent, Undeliverable, View, plan_delivery};
use engram_core::{Memory, MemoryId, OperationId, Timestamp, Write};
use std::collections::BTreeSet;

/// Somebody else was faster so often, and a line is left for later.
const TRIES: u32 = 8;
/// So often a conflict may be told of a row that did not change: then it is the
/// server's way of refusing.
const UNCHANGED: u32 = 3;

/// What was said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pushed {
    pub delivered: usize,
    pub refused: usize,
}

/// What became of one line.
enum Outcome {
    Done(Option<Delivery>),
    Refused(String),
}

impl Seat {
    /// Delivers what waits.
    pub async fn push(&self, at: Timestamp) -> Result<Pushed, SyncError> {
        let _turn = self.turn.lock().await;
        let waiting = self.shelf.store.waiting().await?;
        let mut pushed = Pushed::default();
        if waiting.is_empty() {
            return Ok(pushed);
        }
        self.ask_who_i_am().await?;
        for waits in waiting {
            let Some(line) = self.begin(waits.operation, at).await? else { continue };
            match self.deliver(&line, at).await {
                Ok(Outcome::Done(delivery)) => {
                    self.settle(&line, delivery.as_ref(), at).await?;
                    pushed.delivered += 1;
                }
                Ok(Outcome::Refused(problem)) => {
                    self.keep_refused(&line, problem, at).await?;
                    pushed.refused += 1;
                }
                Err(trouble) => {
                    if let SyncError::Far(problem) = &trouble {
                        self.note(&line, problem, at).await?;
                    }
                    return Err(trouble);
                }
            }
        }
        Ok(pushed)
    }

    /// What one may do, and how the team does it, may have changed.
    pub(super) async fn ask_who_i_am(&self) -> Result<(), SyncError> {
        let charter = self.far.charter().await?;
        let id = self.me().id;
        let me = self.far.members().await?.into_iter().find(|member| member.id == id);
        let me = me.ok_or_else(|| FarError::Denied("no longer a member of this team".to_owned()))?;
        *self.known() = (me, charter);
        Ok(())
    }

    async fn deliver(&self, line: &Outgoing, at: Timestamp) -> Result<Outcome, SyncError> {
        let mut unchanged = 0;
        let mut last = None;
        // What is new needs no look at what is there.
        let mut view = match line.intent {
            Intent::Share { .. } | Intent::Sight { .. } | Intent::SetMember { .. } => View::default(),
            _ => self.fresh_view(line, at).await?,
        };
        for _ in 0..TRIES {
            let (me, charter) = self.known().clone();
            let delivery = match plan_delivery(line, &me, &charter, &view) {
                Ok(delivery) => delivery,
                Err(Undeliverable::Done) => return Ok(Outcome::Done(None)),
                Err(reason) => return Ok(Outcome::Refused(reason.to_string())),
            };
            match self.far.deliver(delivery.clone()).await {
                Ok(()) | Err(FarError::AlreadyDone(_)) => return Ok(Outcome::Done(Some(delivery))),
                Err(FarError::Conflict(id)) => {
                    let before = revision_of(&view, id);
                    view = self.fresh_view(line, at).await?;
                    // Where this very operation had brought it, the server had
                    // said so.
                    let mine = |there: &Memory| there.provenance.author == Some(me.id);
                    if matches!(line.intent, Intent::Share { .. }) && view.memories.get(&id).is_some_and(mine)
                    {
                        return Ok(Outcome::Refused(Undeliverable::There(id).to_string()));
                    }
                    unchanged = if revision_of(&view, id) == before { unchanged + 1 } else { 0 };
                    if unchanged == UNCHANGED {
                        return Ok(Outcome::Refused(FarError::Refused("memory".to_owned()).to_string()));
                    }
                    last = Some(id);
                }
                Err(FarError::Refused(told)) => {
                    // What is there now may tell it in better words, or be
                    // done in another way.
                    self.ask_who_i_am().await?;
                    view = self.fresh_view(line, at).await?;
                    if *self.known() != (me.clone(), charter.clone()) {
                        continue;
                    }
                    let reason = plan_delivery(line, &me, &charter, &view).err();
                    let told = FarError::Refused(told).to_string();
                    return Ok(match reason {
                        Some(Undeliverable::Done) => Outcome::Done(Some(delivery)),
                        Some(reason) => Outcome::Refused(reason.to_string()),
                        None => Outcome::Refused(told),
                    });
                }
                Err(trouble) => return Err(trouble.into()),
            }
        }
        let busy = last.map_or_else(|| FarError::Unreachable("busy".to_owned()), FarError::Conflict);
        Err(busy.into())
    }

    /// What the server has of what a line is about, and of everything that
    /// reviews connect with it.
    async fn view_of(&self, line: &Outgoing) -> Result<View, SyncError> {
        let mut view = View::default();
        let mut asked: BTreeSet<MemoryId> = line.intent.memories().into_iter().collect();
        match line.intent {
            Intent::Answer { proposal, .. } => {
                view.proposals = self.far.proposals().await?;
                let known = view.proposals.iter().find(|known| known.memory.id == proposal);
                asked.extend(known.and_then(|known| known.corrects).map(|(of, _)| of));
            }
            Intent::Rule { review, .. } => {
                let known = self.shelf.store.load_reviews().await?;
                asked.extend(known.iter().filter(|one| one.id == review).flat_map(memories_of));
            }
            _ => {}
        }
        let mut seen = BTreeSet::new();
        while !asked.is_empty() {
            seen.extend(asked.iter().copied());
            let ids: Vec<MemoryId> = asked.into_iter().collect();
            let (relations, reviews) = self.far.ties(ids.clone()).await?;
            let loaded = self.far.load(ids.clone()).await?;
            view.memories.extend(loaded.into_iter().map(|memory| (memory.id, memory)));
            view.reviews.extend(reviews.into_iter().map(|review| (review.id, review)));
            view.relations.extend(relations);
            // Who took the place of a memory is known here; whether it is so is
            // seen there.
            view.relations.extend(self.shelf.store.load_relations(ids).await?);
            asked = view.missing().into_iter().filter(|id| !seen.contains(id)).collect();
        }
        if let Intent::Withdraw { memory } = line.intent
            && !view.memories.contains_key(&memory)
        {
            view.proposals = self.far.proposals().await?;
        }
        Ok(view)
    }

    /// The same, with what took the place of a memory that is to be corrected:
    /// the edge to it came with the feed.
    async fn fresh_view(&self, line: &Outgoing, at: Timestamp) -> Result<View, SyncError> {
        let view = self.view_of(line).await?;
        match line.intent {
            Intent::Correct { of, .. } if view.lacks_heir(of) => {
                self.follow(at).await?;
                self.view_of(line).await
            }
            _ => Ok(view),
        }
    }

    /// The line is done. Its rows come with the feed; what became a proposal is
    /// not among them, so what was shown of it here goes with the line.
    async fn settle(
        &self,
        line: &Outgoing,
        delivery: Option<&Delivery>,
        at: Timestamp,
    ) -> Result<(), SyncError> {
        let unqueue = Write::Unqueue { operation: line.operation };
        let proposed = delivery
            .is_some_and(|delivery| delivery.writes.iter().any(|sent| matches!(sent, Sent::Propose(_))));
        if !proposed {
            return Ok(self.write(line, "done", vec![unqueue], at).await?);
        }
        self.load_again(line, unqueue, at).await
    }

    async fn keep_refused(&self, line: &Outgoing, problem: String, at: Timestamp) -> Result<(), SyncError> {
        let refused = Outgoing { problem: Some(problem), refused_at: Some(at), ..line.clone() };
        self.load_again(line, Write::Queue { outgoing: Box::new(refused) }, at).await
    }

    /// What was shown here of a line gives way to what the server has.
    async fn load_again(&self, line: &Outgoing, write: Write, at: Timestamp) -> Result<(), SyncError> {
        let (me, charter) = self.known().clone();
        let mut touched: BTreeSet<MemoryId> = line.intent.memories().into_iter().collect();
        let view = self.shelf.view_of(&line.intent).await?;
        touched.extend(view.memories.keys());
        if let Ok(delivery) = plan_delivery(line, &me, &charter, &view) {
            touched.extend(delivery.writes.iter().flat_map(named_by));
        }
        // What else is on its way there is not touched by this.
        let awaited = self.shelf.awaited(Some(line.operation)).await?;
        let fetched = self.fetch(&touched - &awaited).await?;
        let with = With { writes: vec![write], settled: Some(line.operation), ..With::default() };
        self.take_in(fetched, with, at).await?;
        Ok(())
    }

    /// A try is counted before it is begun: where it ends half way, the server may
    /// have heard of the line, and whoever erases it must know that.
    /// None: it waits no longer.
    async fn begin(&self, line: OperationId, at: Timestamp) -> Result<Option<Outgoing>, SyncError> {
        let _door = self.shelf.door.lock().await;
        let line = self.shelf.store.find_outgoing(line).await?.filter(|line| line.refused_at.is_none());
        let Some(line) = line else { return Ok(None) };
        let begun = Outgoing { tries: line.tries.saturating_add(1), ..line };
        let name = OperationId::of_sync(at, &format!("trying {}", begun.operation), 0);
        let write = Write::Queue { outgoing: Box::new(begun.clone()) };
        self.shelf.commit(synced(name, at, vec![write])).await?;
        Ok(Some(begun))
    }

    async fn note(&self, line: &Outgoing, problem: &FarError, at: Timestamp) -> Result<(), SyncError> {
        let noted = Outgoing { problem: Some(problem.to_string()), ..line.clone() };
        Ok(self.write(line, "tried", vec![Write::Queue { outgoing: Box::new(noted) }], at).await?)
    }

    async fn write(
        &self,
        line: &Outgoing,
        what: &str,
        writes: Vec<Write>,
        at: Timestamp,
    ) -> Result<(), crate::ChangeError> {
        let name = OperationId::of_sync(at, &format!("{what} {}", line.operation), 0);
        let _door = self.shelf.door.lock().await;
        self.shelf.commit(synced(name, at, writes)).await.map(drop)
    }
}

fn revision_of(view: &View, id: MemoryId) -> Option<u32> {
    view.memories.get(&id).map(|memory| memory.revision)
}

/// The memories that a part of a delivery is about.
fn named_by(sent: &Sent) -> Vec<MemoryId> {
    match sent {
        Sent::Insert(memory) | Sent::Replace { after: memory, .. } => vec![memory.id],
        Sent::Relate(relation) => vec![relation.from, relation.to],
        Sent::Propose(proposal) => vec![proposal.memory.id],
        Sent::TakeBack { proposal } => vec![*proposal],
        Sent::Act(act) => match &act.deed {
            Deed::Challenge { review } => memories_of(review),
            Deed::Rule { stands, .. } => stands.iter().map(|stand| stand.memory).collect(),
            Deed::Withdraw { memory } => vec![*memory],
            Deed::Approve { proposal } | Deed::Refuse { proposal } => vec![*proposal],
        },
        Sent::Sight(_) | Sent::Member { .. } => Vec::new(),
    }
}
