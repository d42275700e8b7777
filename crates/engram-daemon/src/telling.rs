//! What each agent has before its eyes already, so that nothing is told twice.

use crate::house::{House, Visible};
use crate::presence;
use crate::trouble;
use engram_core::{MemoryId, Scope, SessionId, Timestamp};
use engram_wire::Fault;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard};

/// So many sessions are remembered; a conversation that was silent for longer
/// than so many others is read from the log again.
const MOST_SESSIONS: usize = 256;
/// So many of the last recalls are looked through for those of a session.
const LAST_RECALLS: usize = 500;

#[derive(Default)]
pub(crate) struct Telling {
    told: Mutex<HashMap<SessionId, BTreeSet<MemoryId>>>,
}

impl Telling {
    fn told(&self) -> MutexGuard<'_, HashMap<SessionId, BTreeSet<MemoryId>>> {
        self.told.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn begin(&self, session: SessionId) {
        let mut told = self.told();
        if told.len() >= MOST_SESSIONS {
            told.clear();
        }
        told.insert(session, BTreeSet::new());
    }

    pub(crate) fn note(&self, session: SessionId, told: impl IntoIterator<Item = MemoryId>) {
        // Who is not known here is read from the log first.
        if let Some(known) = self.told().get_mut(&session) {
            known.extend(told);
        }
    }

    pub(crate) fn end(&self, session: SessionId) {
        self.told().remove(&session);
    }
}

impl House {
    /// What a session was told before. After a restart the log of recalls says
    /// so.
    pub(crate) async fn told_before(
        &self,
        session: Option<SessionId>,
        visible: &Visible,
    ) -> BTreeSet<MemoryId> {
        let Some(session) = session else { return BTreeSet::new() };
        if let Some(told) = self.telling.told().get(&session) {
            return told.clone();
        }
        let mut told = BTreeSet::new();
        self.flush_notes().await;
        for store in visible.stores.iter().filter(|store| store.scope() != Scope::Session) {
            let recalls = store.shelf.store().latest_recalls(LAST_RECALLS).await.unwrap_or_default();
            let own = recalls.into_iter().filter(|recall| recall.session == Some(session));
            told.extend(own.flat_map(|recall| recall.shown));
        }
        self.telling.begin(session);
        self.telling.note(session, told.iter().copied());
        told
    }

    /// Who speaks in an open session, where an agent does.
    pub(crate) fn agent_of(&self, session: SessionId) -> Option<String> {
        presence::read(&self.journal_file(session)).map(|presence| presence.agent)
    }

    /// From when on the agent still has before its eyes what was said.
    pub(crate) fn context_began_at(&self, session: Option<SessionId>) -> Option<Timestamp> {
        presence::read(&self.journal_file(session?)).map(|presence| presence.context_began_at)
    }

    /// Nothing of what was said is before the agent's eyes any more.
    pub(crate) fn begin_context(&self, session: SessionId, at: Timestamp) -> Result<(), Fault> {
        self.telling.begin(session);
        let file = self.journal_file(session);
        let Some(mut presence) = presence::read(&file) else { return Ok(()) };
        presence.context_began_at = at;
        presence::write(&file, &presence).map_err(|error| trouble::io("writing", &file, &error))
    }
}
