//! What becomes of sessions in the background: what is worth it goes up, those
//! that are over are ended, and those that were left behind are found.
//!
//! Nothing here is waited for by an agent. Whatever is lost with the daemon is
//! found again by the journals.

use crate::clock::now;
use crate::house::{House, OpenStore};
use crate::journal;
use crate::presence;
use crate::trouble;
use engram_core::law::{AT_ONCE, TO_PROJECT};
use engram_core::memory::WriteSource;
use engram_core::plan::Occasion;
use engram_core::stretch::{pieces_of, plan_narratives, summary_of_session};
use engram_core::used::{Promotion, PromotionReason};
use engram_core::{Actor, IdMint, Memory, MemoryId, OperationId, SessionId, Span, Status, Timestamp, TurnId};
use engram_engine::{Ascent, Candidate};
use engram_store::SessionStatus;
use engram_wire::project::ProjectPlace;
use engram_wire::{Context, Fault, platform};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::{Notify, watch};

/// So many of the last turns of a session are looked at when it ends.
const LAST_TURNS: usize = 5_000;

/// Something about a session that failed is not tried again for so long.
const PEACE: Span = Span::from_secs(60);
/// So often it is tried to judge what a session was shown, before the session is
/// ended without that.
const MOST_TRIES: u32 = 10;
/// So many are remembered that nobody above wanted.
const MOST_UNWANTED: usize = 10_000;

/// What it is called where it goes wrong.
const SETTLING: &str = "settling a session";

/// What is to be done about sessions.
#[derive(Default)]
pub(crate) struct Settling {
    todo: Mutex<Todo>,
    /// The projects in which sessions are still to be ended, and can be.
    ending: watch::Sender<BTreeSet<Project>>,
    /// Something may be there to be settled.
    pub(crate) stirred: Notify,
}

/// Where the store of the project lies that a session was started in, if it was
/// started in one.
type Project = Option<PathBuf>;

/// A session that is to be ended.
#[derive(Debug, Clone)]
struct Over {
    status: SessionStatus,
    project: Project,
}

#[derive(Default)]
struct Todo {
    /// Their agent has finished a turn.
    ripe: BTreeSet<SessionId>,
    over: BTreeMap<SessionId, Over>,
    /// What could not be done, why, and when it may be tried again.
    put_off: BTreeMap<SessionId, (Timestamp, String)>,
    /// How often judging the last of a session has failed.
    unjudged: BTreeMap<SessionId, u32>,
    /// What the gate above did not want.
    unwanted: HashSet<MemoryId>,
}

impl Todo {
    fn may(&self, id: SessionId, at: Timestamp) -> bool {
        self.put_off.get(&id).is_none_or(|(not_before, _)| *not_before <= at)
    }

    fn due(&self, at: Timestamp) -> BTreeSet<Project> {
        let due = self.over.iter().filter(|(id, _)| self.may(**id, at));
        due.map(|(_, over)| over.project.clone()).collect()
    }
}

impl Settling {
    fn todo(&self) -> MutexGuard<'_, Todo> {
        self.todo.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A turn is over: what it said is complete.
    pub(crate) fn ripen(&self, id: SessionId) {
        self.todo().ripe.insert(id);
    }

    fn end(&self, id: SessionId, status: SessionStatus, project: Project) {
        let mut todo = self.todo();
        todo.over.insert(id, Over { status, project });
        self.ending.send_replace(todo.due(now()));
    }

    /// It goes on, or is ended.
    pub(crate) fn keep(&self, id: SessionId) {
        let mut todo = self.todo();
        todo.over.remove(&id);
        self.ending.send_replace(todo.due(now()));
    }

    /// Notes how it went, so that one session that cannot be settled costs the
    /// others nothing.
    fn note(&self, id: SessionId, problem: Option<String>) {
        let mut todo = self.todo();
        match problem {
            None => drop(todo.put_off.remove(&id)),
            Some(problem) => {
                if todo.put_off.get(&id).is_none_or(|(_, known)| *known != problem) {
                    tracing::warn!("session {id}: {problem}");
                }
                todo.put_off.insert(id, (now() + PEACE, problem));
            }
        }
        self.ending.send_replace(todo.due(now()));
    }

    /// The last of a session could not be judged: whether it is to be tried again.
    fn may_judge_again(&self, id: SessionId) -> bool {
        let mut todo = self.todo();
        let tries = todo.unjudged.entry(id).or_default();
        *tries += 1;
        let again = *tries < MOST_TRIES;
        if !again {
            todo.unjudged.remove(&id);
        }
        again
    }

    /// The last of a session was judged.
    fn note_judged(&self, id: SessionId) {
        self.todo().unjudged.remove(&id);
    }

    /// What keeps sessions from being settled, by session.
    pub(crate) fn problems(&self) -> Vec<(SessionId, String)> {
        self.todo().put_off.iter().map(|(id, (_, problem))| (*id, problem.clone())).collect()
    }

    fn is_wanted(&self, id: MemoryId) -> bool {
        !self.todo().unwanted.contains(&id)
    }

    fn note_unwanted(&self, id: MemoryId) {
        let mut todo = self.todo();
        if todo.unwanted.len() >= MOST_UNWANTED {
            todo.unwanted.clear();
        }
        todo.unwanted.insert(id);
    }

    /// Waits until those of a project that are over are ended, but not longer than
    /// this.
    pub(crate) async fn ended(&self, project: &Project, most: Duration) {
        let mut ending = self.ending.subscribe();
        let _ = tokio::time::timeout(most, ending.wait_for(|left| !left.contains(project))).await;
    }
}

impl House {
    /// The session is to be ended, when there is time for it.
    pub(crate) fn end_soon(&self, id: SessionId, status: SessionStatus) {
        let header = journal::read_header(&self.journal_file(id)).ok();
        let place = header.and_then(|header| self.place_of(&header));
        self.settling.end(id, status, place.map(|place| place.store));
    }

    /// The sessions that something may have to be done about, project by project.
    pub(crate) fn to_settle(&self) -> Vec<BTreeSet<SessionId>> {
        let mut projects: BTreeMap<SessionId, Project> = {
            let todo = self.settling.todo();
            let due = todo.over.iter().filter(|(id, _)| todo.may(**id, now()));
            due.map(|(id, over)| (*id, over.project.clone())).collect()
        };
        let open = self.sessions.open();
        projects.extend(open.into_iter().map(|(id, store)| (id, store.session_of.clone())));
        let mut sessions: BTreeMap<Project, BTreeSet<SessionId>> = BTreeMap::new();
        for (id, project) in projects {
            sessions.entry(project).or_default().insert(id);
        }
        sessions.into_values().collect()
    }

    /// Sends up what is ripe in these sessions, and ends those that are over.
    pub(crate) async fn settle(&self, sessions: BTreeSet<SessionId>) {
        for id in &sessions {
            self.raise_from(*id).await;
        }
        for id in sessions {
            let status = {
                let todo = self.settling.todo();
                let over = todo.over.get(&id).filter(|_| todo.may(id, now()));
                over.map(|over| over.status)
            };
            if let Some(status) = status {
                self.end_in_time(id, status).await;
            }
        }
    }

    /// Sends up what is ripe in a session, if that is open.
    async fn raise_from(&self, id: SessionId) {
        let _gate = self.gate.read().await;
        // Whoever had the house alone meanwhile may have emptied its store.
        let Some(store) = self.sessions.find(&id) else { return };
        let ripe = {
            let mut todo = self.settling.todo();
            if store.shelf.has_unread() || !todo.may(id, now()) {
                return;
            }
            todo.ripe.remove(&id)
        };
        let (least, reason) = match ripe {
            true => (TO_PROJECT, PromotionReason::Score),
            false => (AT_ONCE, PromotionReason::AtOnce),
        };
        let at = now();
        let operation = OperationId::from_ulid(IdMint::seeded(platform::chance()).mint(at));
        let occasion = Occasion { operation, actor: Actor::Engram, at, recorded_at: at };
        if let Err(error) = store.shelf.tend_working(occasion).await {
            tracing::warn!("session {id}: working memory was not looked after: {error}");
        }
        let promoted = self.promote_from(&store, id, least, reason).await;
        if ripe {
            self.judge(&store, id).await;
        }
        match promoted {
            Ok(promotions) if promotions.is_empty() => {}
            Ok(_) => self.settling.note(id, None),
            Err(fault) => {
                if ripe {
                    self.settling.ripen(id);
                }
                self.bus.fail(self.whose(&store, Some(id)), SETTLING, &fault.message);
                self.settling.note(id, Some(fault.message));
            }
        }
    }

    /// Ends a session that is over. Where it cannot be ended now, it is tried again.
    async fn end_in_time(&self, id: SessionId, status: SessionStatus) {
        let _gate = self.gate.read().await;
        match self.end_session(id, status).await {
            Err(fault) if self.journal_file(id).exists() => {
                let header = journal::read_header(&self.journal_file(id)).ok();
                let folder = header.and_then(|header| header.folder);
                let context = Context { folder, session: Some(id), ..Context::of(Actor::Engram) };
                self.bus.fail(self.asker(&context), SETTLING, &fault.message);
                self.settling.note(id, Some(fault.message));
            }
            _ => {
                self.settling.note(id, None);
                self.settling.keep(id);
            }
        }
    }

    /// Judges what the session made of what it was shown. What cannot be judged
    /// now is judged later.
    async fn judge(&self, store: &Arc<OpenStore>, id: SessionId) {
        let file = self.journal_file(id);
        let Ok(header) = journal::read_header(&file) else { return };
        let place = self.place_of(&header);
        let judged = match self.credit_session(id, store, place.as_ref(), false).await {
            Ok(0) => Ok(()),
            Ok(_) => self.evolve_if_due(place.as_ref()).await,
            Err(fault) => Err(fault),
        };
        if let Err(fault) = judged {
            tracing::warn!("session {id}: what was shown is not judged yet: {}", fault.message);
        }
    }

    /// Finds the sessions whose agent is gone, so that they are ended.
    pub(crate) fn find_left_behind(&self) {
        let at = now();
        for (id, file) in self.journals() {
            if presence::is_left(&file, at) {
                self.end_soon(id, SessionStatus::Abandoned);
            }
        }
        self.settling.stirred.notify_one();
    }

    /// What of a session is worth at least this much goes to where it outlives
    /// the session.
    async fn promote_from(
        &self,
        store: &Arc<OpenStore>,
        id: SessionId,
        least: f64,
        reason: PromotionReason,
    ) -> Result<Vec<Promotion>, Fault> {
        let worth = |candidate: &Candidate| {
            // Who put something into the session by hand meant the session.
            let by_hand = candidate.memory.provenance.write_source == WriteSource::Manual;
            candidate.score >= least && !by_hand && self.settling.is_wanted(candidate.memory.id)
        };
        let candidates: Vec<Candidate> = store.shelf.candidates().into_iter().filter(worth).collect();
        self.promote(store, id, candidates, reason).await
    }

    /// Sends these memories of a session up.
    pub(crate) async fn promote(
        &self,
        store: &Arc<OpenStore>,
        id: SessionId,
        candidates: Vec<Candidate>,
        reason: PromotionReason,
    ) -> Result<Vec<Promotion>, Fault> {
        let mut promotions = Vec::new();
        if candidates.is_empty() {
            return Ok(promotions);
        }
        // One at a time, or two would send the same up.
        let _rising = store.rising.lock().await;
        let above = self.above(store, id).await?;
        let reader = self.destination_of(above.clone(), &self.settings_of(&above)?).await.reader;
        for Candidate { memory, score } in candidates {
            if !store.shelf.may_rise(memory.id) {
                continue;
            }
            let ascent = Ascent { memory: &memory, reason, score, part_of: None };
            let received = above.shelf.receive(&store.shelf, ascent, &reader, now()).await;
            match received.map_err(trouble::change)? {
                Some(promotion) => {
                    store.shelf.let_go(&promotion).await.map_err(trouble::change)?;
                    promotions.push(promotion);
                }
                None => self.settling.note_unwanted(memory.id),
            }
        }
        Ok(promotions)
    }

    /// Where what is worth it goes: the session's project, or the user where it
    /// has none. Makes the project's store if there is none.
    async fn above(&self, store: &OpenStore, id: SessionId) -> Result<Arc<OpenStore>, Fault> {
        let file = self.journal_file(id);
        let header = journal::read_header(&file).map_err(|error| trouble::io("reading", &file, &error))?;
        match self.place_of(&header) {
            Some(place) => {
                self.register(id, &place, header.started_at).await?;
                self.project(&place).await
            }
            // It was begun in a project that is not there any more.
            None if store.session_of.is_some() => {
                Err(Fault::not_found("the project of this session is gone"))
            }
            None => self.user().await,
        }
    }

    /// What is kept of a session when it ends, beside its facts: the stretches
    /// something was learned from, and a line about all of it.
    pub(crate) async fn conclude(
        &self,
        store: &Arc<OpenStore>,
        id: SessionId,
        place: Option<&ProjectPlace>,
    ) -> Result<Option<String>, Fault> {
        self.promote_from(store, id, TO_PROJECT, PromotionReason::Score).await?;
        // The turns go with the session, and the evidence with them: it ends a
        // little later rather than without.
        match self.credit_session(id, store, place, true).await {
            Ok(_) => self.settling.note_judged(id),
            Err(fault) if self.settling.may_judge_again(id) => {
                let message = format!("what was shown is not judged yet: {}", fault.message);
                return Err(Fault { message, ..fault });
            }
            Err(fault) => {
                tracing::warn!("session {id}: what was shown was not judged: {}", fault.message);
            }
        }
        let failed = |error| trouble::read(&error);
        let mut turns = store.shelf.store().latest_turns(Some(id), LAST_TURNS).await.map_err(failed)?;
        turns.reverse();
        let mut gone_up = Vec::new();
        let mut take = |memory: Memory| gone_up.extend((memory.status == Status::Promoted).then_some(memory));
        store.shelf.store().scan(&mut take).await.map_err(failed)?;
        let summary = summary_of_session(&turns, gone_up.iter().map(|memory| memory.headline()));
        let worthwhile: BTreeSet<TurnId> =
            gone_up.iter().flat_map(|memory| memory.provenance.evidence.iter().copied()).collect();
        let pieces = pieces_of(&turns, &worthwhile);
        let (Some(first), Some(place)) = (pieces.first(), place) else { return Ok(summary) };
        let project = self.project(place).await?;
        let at = now();
        let operation = first.turns[0].operation("narratives", pieces.len(), first.said_at);
        let occasion = Occasion { operation, actor: Actor::Engram, at, recorded_at: at };
        let key = project.project.as_ref().map(|seen| &seen.key);
        let changes = plan_narratives(&pieces, project.scope(), id, key, occasion);
        project.shelf.keep_new(changes).await.map_err(trouble::change)?;
        Ok(summary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_judged_is_tried_again_but_not_for_ever() {
        let settling = Settling::default();
        let (one, other) = (SessionId::named("one"), SessionId::named("other"));
        let tries = |id: SessionId| (0..100).take_while(|_| settling.may_judge_again(id)).count();
        assert_eq!(tries(one), 9, "the tenth time it is let go");
        assert!(settling.may_judge_again(other), "each session has its own tries");
        settling.note_judged(other);
        assert_eq!(tries(other), 9);
    }
}
