//! The server's own indexes: asked where this machine does not hold everything
//! that is shared, and told what to search.
//!
//! Whoever recalls waits for them a little and not longer; without them what is
//! here answers, and the reply says so.

use super::membership::Membership;
use super::patient::{PUT_OFF, Patient};
use crate::clock::now;
use crate::house::{House, OpenStore};
use crate::trouble;
use engram_core::personal::Treatment;
use engram_core::team::Role;
use engram_core::team::port::{Far, FarError, FarQuestion, Searchable};
use engram_core::{MemoryId, Scope, Span, Timestamp};
use engram_engine::{FoundThere, Seat, question_for, searchable};
use engram_guard::{guard, personal, without_personal};
use engram_store::FarTeam;
use engram_wire::Fault;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// The server is asked for so many; what is told in the end is chosen here.
const REACH: usize = 40;
/// A server that was too slow is not asked again for so long.
const REST: Span = Span::from_secs(3);
/// So many memories are told to its indexes at once.
const AT_ONCE: usize = 100;
/// As long as they do not know everything, that is looked at so often.
const COMPLETE_LOOK: Span = Span::from_secs(30);
/// A maintainer's machine looks so often for what nobody told them.
const SWEEP: Span = Span::from_secs(3_600);

/// What is known about the server's indexes.
#[derive(Default)]
pub(crate) struct Searching(Mutex<State>);

#[derive(Default)]
struct State {
    /// It did not answer within so long; until then whoever waits no longer than
    /// that does not ask it.
    rests: Option<(Duration, Timestamp)>,
    /// What its indexes are still to be told.
    untold: BTreeSet<MemoryId>,
    /// What they do not know was looked for up to here.
    swept_to: Option<MemoryId>,
    /// When that came to its end.
    swept_at: Option<Timestamp>,
    /// They know everything, so that a machine may leave something out.
    complete: bool,
    /// When that was looked at.
    looked_at: Option<Timestamp>,
    /// Whether the replica is a part. None: not looked at yet.
    part: Option<bool>,
}

impl Searching {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// These are new there, or changed.
    pub(super) fn tell_of(&self, ids: BTreeSet<MemoryId>) {
        self.state().untold.extend(ids);
    }

    /// Nothing is known of them: they were switched on, or are another team's.
    pub(super) fn begin_anew(&self) {
        *self.state() = State::default();
    }
}

/// What the server's indexes had to say to a question.
pub(crate) struct ServerSaid {
    pub(crate) found: BTreeSet<MemoryId>,
    /// So many of them were not here.
    pub(crate) new: usize,
    pub(crate) took: Duration,
}

/// The question as the server may read it. None: it may not.
fn as_asked(query: &str, treatment: Treatment) -> Option<String> {
    let text = guard(query).text;
    match treatment.unasked() {
        Treatment::Off => Some(text),
        Treatment::Ask | Treatment::Mask => Some(without_personal(&text).0),
        Treatment::Refuse => personal(&text).is_empty().then_some(text),
    }
}

impl House {
    /// How many memories this machine is to hold: all of them, until the server's
    /// indexes know what it would leave out.
    pub(super) async fn most_to_hold(
        &self,
        store: &OpenStore,
        membership: &Membership,
        far: &dyn Far,
    ) -> Result<usize, Fault> {
        let most = usize::try_from(self.settings.number("team.local_most")).unwrap_or(usize::MAX);
        let held = store.shelf.store().held_most().await.map_err(|error| trouble::read(&error))?;
        let at = now();
        let due = {
            let state = self.team.searching.state();
            if held.is_some() || state.complete || !membership.charter.search {
                return Ok(most);
            }
            state.looked_at.is_none_or(|looked_at| at.duration_since(looked_at) >= COMPLETE_LOOK)
        };
        if !due {
            return Ok(usize::MAX);
        }
        self.team.searching.state().looked_at = Some(at);
        let mut looked_to = None;
        loop {
            let page = far.unsearched(looked_to).await.map_err(|error| super::far_fault(&error))?;
            if !page.unsearched.is_empty() {
                return Ok(usize::MAX);
            }
            let Some(last) = page.last else { break };
            looked_to = Some(last);
        }
        self.team.searching.state().complete = true;
        Ok(most)
    }

    /// Read once, because every recall wants to know it.
    async fn is_part(&self, store: &OpenStore) -> Result<bool, Fault> {
        let known = self.team.searching.state().part;
        match known {
            Some(part) => Ok(part),
            None => self.look_whether_part(store).await,
        }
    }

    /// What the server told may have made a part of it, or the whole.
    pub(super) async fn look_whether_part(&self, store: &OpenStore) -> Result<bool, Fault> {
        let held = store.shelf.store().held_most().await.map_err(|error| trouble::read(&error))?;
        self.team.searching.state().part = Some(held.is_some());
        Ok(held.is_some())
    }

    /// Asks the server, where the replica among these stores is not whole. None:
    /// there is nothing to ask it. Whoever calls holds the gate.
    pub(crate) async fn ask_server(
        &self,
        stores: &[Arc<OpenStore>],
        query: &str,
        treatment: Treatment,
        limit: Duration,
    ) -> Option<Result<ServerSaid, String>> {
        let store = stores.iter().find(|store| store.scope() == Scope::Team)?;
        let membership = match self.membership() {
            Ok(membership) => membership?,
            Err(fault) => return Some(Err(fault.message)),
        };
        match self.is_part(store).await {
            Ok(false) => return None,
            Ok(true) => {}
            Err(fault) => return Some(Err(fault.message)),
        }
        if !membership.charter.search {
            return Some(Err("its indexes are switched off, and not everything is here yet".to_owned()));
        }
        let begun = now();
        let rests = self.team.searching.state().rests;
        if rests.is_some_and(|(waited, until)| begun < until && limit <= waited) {
            return Some(Err("it was too slow a moment ago".to_owned()));
        }
        if !self.team_standing().reachable {
            return Some(Err("it cannot be reached".to_owned()));
        }
        // What is not kept there is not said there.
        let Some(query) = as_asked(query, treatment) else {
            let why = "there are personal data in the question (personal.team = \"refuse\")";
            return Some(Err(why.to_owned()));
        };
        let said = self.search_there(store, &membership, &query, limit).await;
        let took = now().duration_since(begun).unsigned_abs();
        Some(said.map(|(found, new)| ServerSaid { found, new, took }).map_err(|fault| fault.message))
    }

    async fn search_there(
        &self,
        store: &OpenStore,
        membership: &Membership,
        query: &str,
        limit: Duration,
    ) -> Result<(BTreeSet<MemoryId>, usize), Fault> {
        let begun = now();
        let shared = self.team_standing().latest.0;
        let asked = question_for(&store.shelf, query, shared, REACH).await;
        let asked = asked.map_err(|error| Fault::internal(error.to_string()))?;
        let Ok(found) = tokio::time::timeout(limit, self.look_there(store, membership, asked)).await else {
            self.team.searching.state().rests = Some((limit, now() + REST));
            return Err(Fault::environment(format!("it took longer than {} ms", limit.as_millis())));
        };
        let (seat, found) = found.map_err(|error| {
            if error.is_passing() {
                self.team.searching.state().rests = Some((Duration::MAX, now() + REST));
            }
            super::far_fault(&error)
        })?;
        let ids = found.ids.clone();
        let left = limit.saturating_sub(now().duration_since(begun).unsigned_abs());
        let new = self.take_found(seat, found, left).await?;
        Ok((ids, new))
    }

    /// Takes in what was found. Where much comes in by the feed it would have to
    /// stand in line for long, so whoever recalls goes on without it; a commit is
    /// not given up for that.
    async fn take_found(&self, seat: Seat, found: FoundThere, left: Duration) -> Result<usize, Fault> {
        // Somebody wants the house for himself, and this would be in his way.
        let Ok(gate) = self.gate.clone().try_read_owned() else { return Err(Fault::environment(PUT_OFF)) };
        let taking = tokio::spawn(async move {
            let _gate = gate;
            seat.take_found(found, now()).await
        });
        match tokio::time::timeout(left, taking).await {
            Ok(Ok(taken)) => taken.map_err(trouble::change),
            Ok(Err(defect)) => Err(trouble::unfinished("recall", &defect)),
            Err(_) => Err(Fault::environment("what it found could not be taken in so quickly")),
        }
    }

    async fn look_there(
        &self,
        store: &OpenStore,
        membership: &Membership,
        asked: FarQuestion,
    ) -> Result<(Seat, FoundThere), FarError> {
        self.ask_far(membership, async |far| {
            let patient: Arc<dyn Far> = Arc::new(Patient::new(far, self.waiting.subscribe()));
            let seat = Seat::new(store.shelf.clone(), patient, membership.me(), membership.charter.clone());
            let found = seat.look_there(asked).await?;
            Ok((seat, found))
        })
        .await
    }

    /// Tells the server's indexes some of what they do not know yet: what this
    /// member shared, and as a maintainer what nobody else told them. Says whether
    /// there may be more.
    pub(super) async fn tell_indexes(&self, far: &FarTeam) -> Result<bool, Fault> {
        let Some(membership) = self.membership()? else { return Ok(false) };
        let searching = &self.team.searching;
        if !membership.charter.search || membership.role == Role::Reader {
            searching.state().untold.clear();
            return Ok(false);
        }
        let (some, sweep) = {
            let mut state = searching.state();
            let rest = state.untold.iter().nth(AT_ONCE).copied();
            let rest = rest.map(|from| state.untold.split_off(&from)).unwrap_or_default();
            let some = std::mem::replace(&mut state.untold, rest);
            let due = state.swept_at.is_none_or(|at| now().duration_since(at) >= SWEEP);
            (some, due && membership.role == Role::Maintainer)
        };
        if some.is_empty() && sweep {
            let swept_to = searching.state().swept_to;
            let page = far.unsearched(swept_to).await.map_err(|error| super::far_fault(&error))?;
            let mut state = searching.state();
            state.swept_to = page.last;
            if page.last.is_none() {
                state.swept_at = Some(now());
            }
            state.untold.extend(page.unsearched);
            return Ok(true);
        }
        if some.is_empty() {
            return Ok(false);
        }
        let told = self.tell(far, some.iter().copied().collect()).await;
        if let Err(error) = told {
            searching.tell_of(some);
            return Err(super::far_fault(&error));
        }
        Ok(true)
    }

    async fn tell(&self, far: &FarTeam, ids: Vec<MemoryId>) -> Result<(), FarError> {
        let memories = far.load(ids.clone()).await?;
        let rows = searchable(&self.embedders, &memories).await;
        let rows = rows.map_err(|error| FarError::Refused(error.to_string()))?;
        match far.keep_searchable(rows.clone()).await {
            Ok(()) => {}
            // One of them was withdrawn meanwhile, or is not theirs to tell of: the
            // others are found by the next sweep.
            Err(FarError::Refused(why)) => {
                tracing::warn!("the server's indexes were not told of some memories: {why}");
                return Ok(());
            }
            Err(error) => return Err(error),
        }
        // A withdrawal that was done while they were being told did not meet the row.
        let said: BTreeSet<MemoryId> = far
            .load(ids)
            .await?
            .into_iter()
            .filter(|memory| !memory.content.is_empty())
            .map(|memory| memory.id)
            .collect();
        let gone = rows.into_iter().filter(|row| !said.contains(&row.memory)).map(Searchable::emptied);
        let gone: Vec<Searchable> = gone.collect();
        if gone.is_empty() { Ok(()) } else { far.keep_searchable(gone).await }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_tells_the_server_nothing_that_the_team_must_not_hold() {
        let said = "who is ada@kestrel.io of billing";
        let masked = Some("who is [personal: email] of billing".to_owned());
        let told: Vec<_> = Treatment::ALL.iter().map(|treatment| as_asked(said, *treatment)).collect();
        assert_eq!(told, [Some(said.to_owned()), masked.clone(), masked, None]);
        assert_eq!(as_asked("who owns billing", Treatment::Refuse).as_deref(), Some("who owns billing"));
        let secret = as_asked("why is ghp_16C7e42F292c6912E7710c838347Ae178B4a refused", Treatment::Off);
        assert!(!secret.is_some_and(|told| told.contains("ghp_16C7")));
    }
}
