//! Hearing: an event becomes a turn that is on the disk before anybody is told
//! so, and waits there to be read.

use super::ties::Naming;
use crate::locks::Writing;
use crate::shelf::{ChangeError, Shelf};
use engram_core::graph::{Bond, BondKey};
use engram_core::link::{EntityBook, KnownEntity, Merge};
use engram_core::observe::ToolEvent;
use engram_core::plan::{Occasion, plan_hear};
use engram_core::port::{CommitError, ReadError, Store};
use engram_core::turn::{Event, Turn, id_of};
use engram_core::{Cause, Changes, EntityId, Memory, SessionId, Timestamp, TurnId, Write};
use engram_guard::{Masked, guard, quoted};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::Duration;
use tokio::sync::oneshot;

/// So many tool calls of a session are remembered, to see what mended what.
const MOST_CALLS: usize = 60;
/// So many subjects are remembered, for "it" and "there".
const MOST_SUBJECTS: usize = 5;
/// With more than this unread, whoever tells something waits: so long, so often.
const CROWDED: usize = 32;
const WAIT: Duration = Duration::from_millis(5);
const MOST_WAITS: usize = 10;
/// What was said in so many sessions is remembered here.
const MOST_SESSIONS: usize = 64;

/// What became of events at the door.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heard {
    /// Kept now.
    pub new: Vec<TurnId>,
    /// Kept before.
    pub known: usize,
    /// Neither: there was no room for them.
    pub left_out: usize,
}

/// What a shelf has heard and not read yet, and what it needs for reading.
pub(crate) struct Hearing {
    /// What arrived and is about to be written.
    arrivals: Vec<Arrivals>,
    unread: VecDeque<Turn>,
    sessions: HashMap<Option<SessionId>, Conversation>,
    pub(crate) book: EntityBook,
    /// How the things in it are bound.
    pub(crate) bonds: HashMap<BondKey, Bond>,
}

/// Events that arrived together, and whom to tell when they are durable.
struct Arrivals {
    events: Vec<GuardedEvent>,
    most: usize,
    at: Timestamp,
    tell: oneshot::Sender<Result<Heard, CommitError>>,
}

/// What was lately said and done in one session.
#[derive(Clone, Default)]
pub(crate) struct Conversation {
    /// The number of its latest turn.
    last: u32,
    pub(crate) calls: VecDeque<ToolEvent>,
    /// The latest last.
    pub(crate) subjects: Vec<String>,
}

impl Hearing {
    pub(crate) async fn of(store: &dyn Store) -> Result<Self, ReadError> {
        let unread = store.unread_turns().await?.into();
        let book = EntityBook::new(store.load_entities().await?);
        let bonds = store.load_bonds().await?.into_iter().map(|bond| (bond.key(), bond)).collect();
        Ok(Self { arrivals: Vec::new(), unread, sessions: HashMap::new(), book, bonds })
    }

    pub(crate) fn next(&self, most: usize) -> Vec<Turn> {
        self.unread.iter().take(most).cloned().collect()
    }

    pub(crate) fn waiting(&self) -> usize {
        self.unread.len()
    }

    pub(crate) fn done(&mut self, turns: &[Turn]) {
        let done: BTreeSet<TurnId> = turns.iter().map(|turn| turn.id).collect();
        self.unread.retain(|turn| !done.contains(&turn.id));
    }

    pub(crate) fn conversation(&mut self, session: Option<SessionId>) -> &mut Conversation {
        self.sessions.entry(session).or_default()
    }
}

impl Conversation {
    pub(crate) fn note_call(&mut self, turn: &Turn) {
        let Some(tool) = &turn.tool else { return };
        if self.calls.iter().any(|call| call.at == turn.said_at && call.input == tool.subject()) {
            return;
        }
        self.calls.push_back(ToolEvent {
            tool: tool.tool_name.clone(),
            input: tool.subject().to_owned(),
            ok: tool.success,
            output: tool.result_summary.clone().unwrap_or_default(),
            at: turn.said_at,
        });
        while self.calls.len() > MOST_CALLS {
            self.calls.pop_front();
        }
    }

    pub(crate) fn note_subjects(&mut self, subjects: impl IntoIterator<Item = String>) {
        for subject in subjects {
            self.subjects.retain(|known| *known != subject);
            self.subjects.push(subject);
        }
        let surplus = self.subjects.len().saturating_sub(MOST_SUBJECTS);
        self.subjects.drain(..surplus);
    }
}

/// An event as it may be kept.
#[derive(Debug, Clone, PartialEq)]
pub struct GuardedEvent {
    pub event: Event,
    /// The secrets that were masked in it.
    pub masked: Vec<Masked>,
    /// How many places in it read like orders to whoever reads them.
    pub instructions: u32,
}

/// Takes secrets and private blocks out of an event, and makes what a tool or
/// another agent printed quoted data where it gives orders.
pub fn guarded(event: Event) -> GuardedEvent {
    let mut masked: Vec<Masked> = Vec::new();
    let mut instructions = 0;
    let event = event.masked(&mut |text, foreign| {
        let guarded = guard(text);
        masked.extend(guarded.secrets);
        instructions += guarded.instructions.len();
        if foreign && !guarded.instructions.is_empty() { quoted(&guarded.text) } else { guarded.text }
    });
    GuardedEvent { event, masked, instructions: u32::try_from(instructions).unwrap_or(u32::MAX) }
}

impl Shelf {
    pub(crate) fn hearing(&self) -> Writing<'_, Hearing> {
        self.hearing.write()
    }

    /// Whether something was heard and not read.
    pub fn has_unread(&self) -> bool {
        self.hearing().waiting() > 0
    }

    pub fn count_unread(&self) -> usize {
        self.hearing().waiting()
    }

    /// The things with these identifiers that are known here.
    pub fn entities(&self, ids: impl IntoIterator<Item = EntityId>) -> Vec<KnownEntity> {
        let hearing = self.hearing();
        ids.into_iter().filter_map(|id| hearing.book.get(id).cloned()).collect()
    }

    /// Closes a review of two entities; the newer becomes an alias of the older
    /// if they are one.
    pub async fn decide_entities(
        &self,
        merged: Option<(EntityId, EntityId)>,
        closed: Write,
        occasion: Occasion,
    ) -> Result<Vec<Memory>, ChangeError> {
        let _door = self.door.lock().await;
        let mut naming = Naming::new(self);
        let mut writes = vec![closed];
        let known = |id| self.hearing().book.get(id).cloned();
        if let Some((gone, into)) = merged
            && let (Some(newer), Some(mut older)) = (known(gone), known(into))
        {
            older.absorb(newer);
            writes.push(Write::Unname { merge: Merge { gone, into } });
            writes.extend(self.moved_bonds(gone, into).await?);
            writes.push(Write::Name { entity: Box::new(older.clone()) });
            naming.remove(gone);
            naming.put(older);
        }
        let Occasion { operation, actor, at, .. } = occasion;
        let changes =
            Changes { operation, cause: Cause::Review, actor, at, undoes: None, part_of: None, writes };
        let memories = self.commit(changes).await?;
        naming.keep();
        Ok(memories)
    }

    /// Keeps events, no more than `most` that were not kept before. When this
    /// returns, they are durable. Those that come while others are being written
    /// are written together.
    pub async fn hear(
        &self,
        events: Vec<GuardedEvent>,
        most: usize,
        at: Timestamp,
    ) -> Result<Heard, ChangeError> {
        self.let_it_be_read().await;
        let (tell, mut told) = oneshot::channel();
        self.hearing().arrivals.push(Arrivals { events, most, at, tell });
        let _turn = self.hearing_turn.lock().await;
        // Whoever had the turn before may have written ours along with his.
        if let Ok(outcome) = told.try_recv() {
            return outcome.map_err(ChangeError::from);
        }
        let arrivals = std::mem::take(&mut self.hearing().arrivals);
        let (waiting, arrived): (Vec<_>, Vec<_>) =
            arrivals.into_iter().map(|it| (it.tell, (it.events, it.most, it.at))).unzip();
        let outcome = self.hear_all(arrived).await;
        let failed = outcome.as_ref().err().map(ToString::to_string);
        let mut heard = outcome.unwrap_or_default().into_iter();
        for waiting in waiting {
            let outcome = match &failed {
                None => Ok(heard.next().unwrap_or_default()),
                Some(problem) => Err(CommitError::Unavailable(problem.clone())),
            };
            // Whoever has gone away does not want to know.
            let _ = waiting.send(outcome);
        }
        told.await
            .unwrap_or_else(|_| Err(CommitError::Unavailable("nobody heard it".to_owned())))
            .map_err(Into::into)
    }

    /// Who tells more than can be read waits a moment, or what is told would be
    /// found later and later.
    async fn let_it_be_read(&self) {
        for _ in 0..MOST_WAITS {
            if self.count_unread() <= CROWDED {
                return;
            }
            tokio::time::sleep(WAIT).await;
        }
    }

    /// One commit for all. Turns are no memories, so nobody waits at the door.
    async fn hear_all(
        &self,
        arrived: Vec<(Vec<GuardedEvent>, usize, Timestamp)>,
    ) -> Result<Vec<Heard>, ChangeError> {
        let name = |it: &GuardedEvent, at| id_of(&it.event, it.event.time.unwrap_or(at));
        let ids = arrived.iter().flat_map(|(events, _, at)| events.iter().map(|it| name(it, *at)));
        let kept = self.store.load_turns(ids.collect()).await?;
        let mut seen: BTreeSet<TurnId> = kept.into_iter().map(|turn| turn.id).collect();
        let mut heard = Vec::with_capacity(arrived.len());
        let mut turns = Vec::new();
        for (events, most, at) in arrived {
            let mut own = Heard::default();
            for guarded in events {
                let id = name(&guarded, at);
                if seen.contains(&id) {
                    own.known += 1;
                } else if own.new.len() == most {
                    own.left_out += 1;
                } else {
                    seen.insert(id);
                    let GuardedEvent { event, instructions, .. } = guarded;
                    let session = event.session.as_deref().map(SessionId::named);
                    let number = self.next_number(session).await?;
                    turns.push(Turn::of(event, number, instructions, at));
                    own.new.push(id);
                }
            }
            heard.push(own);
        }
        if let Some(Turn { id, recorded_at, .. }) = turns.first() {
            let changes =
                plan_hear(turns.clone(), id.operation("hear", turns.len(), *recorded_at), *recorded_at);
            self.commit(changes).await?;
            self.hearing().unread.extend(turns);
        }
        Ok(heard)
    }

    /// Brings back what was lately said and done in a session, if it is not here.
    pub(super) async fn load_conversation(&self, session: Option<SessionId>) -> Result<(), ReadError> {
        if self.hearing().sessions.contains_key(&session) {
            return Ok(());
        }
        let latest = self.store.latest_turns(session, MOST_CALLS).await?;
        let last = latest.first().map_or(0, |turn| turn.turn_number);
        let mut conversation = Conversation { last, ..Conversation::default() };
        latest.iter().rev().for_each(|turn| conversation.note_call(turn));
        let mut hearing = self.hearing();
        if hearing.sessions.len() >= MOST_SESSIONS {
            hearing.sessions.clear();
        }
        hearing.sessions.insert(session, conversation);
        Ok(())
    }

    /// The number of the next turn of a session. Numbers that are given out and
    /// not used leave a gap, and nothing else.
    pub(super) async fn next_number(&self, session: Option<SessionId>) -> Result<u32, ReadError> {
        self.load_conversation(session).await?;
        let mut hearing = self.hearing();
        let conversation = hearing.conversation(session);
        conversation.last = conversation.last.saturating_add(1);
        Ok(conversation.last)
    }
}
