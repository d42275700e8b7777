//! What each agent has before its eyes already, so that nothing is told twice.

use crate::bus::Whose;
use crate::clock::now;
use crate::house::{House, OpenStore, Visible};
use crate::presence;
use crate::trouble;
use engram_core::plan::{Occasion, plan_told};
use engram_core::recalled::{RecallLogged, Surface};
use engram_core::{Actor, MemoryId, Scope, SessionId, Timestamp, TurnId};
use engram_wire::activity::What;
use engram_wire::message::{Hook, HookEvent};
use engram_wire::{Fault, Order};
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, Weak};

/// How long somebody waits for what is on its way: so often, so long.
const MOST_NAPS: usize = 10;
const NAP: std::time::Duration = std::time::Duration::from_millis(2);
/// So many sessions are remembered; a conversation that was silent for longer
/// than so many others is read from the log again.
const MOST_SESSIONS: usize = 256;
/// So many of the last recalls of a session are looked through.
const LAST_RECALLS: usize = 500;

#[derive(Default)]
pub(crate) struct Telling {
    told: Mutex<HashMap<SessionId, BTreeSet<MemoryId>>>,
    on_the_way: Mutex<HashMap<Delivery, Parcel>>,
}

/// An answer to a hook on its way: which hook it is for. An agent that did not
/// wait for it was told nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Delivery {
    session: Option<SessionId>,
    event: HookEvent,
    started_at: Option<Timestamp>,
}

impl Delivery {
    /// None for orders that are no hook's.
    pub(crate) fn of(order: &Order) -> Option<Self> {
        let Order::Hook(hook) = order else { return None };
        Some(Self::for_hook(hook))
    }

    pub(crate) fn for_hook(hook: &Hook) -> Self {
        let session = hook.session.as_deref().map(SessionId::named);
        Self { session, event: hook.event, started_at: hook.started_at }
    }
}

/// What an answer tells. It keeps no store open: one that was closed or written anew
/// since hears nothing of it.
pub(crate) struct Parcel {
    pub(crate) told: Vec<MemoryId>,
    /// What somebody is reminded of with it.
    pub(crate) reminders: Vec<(Weak<OpenStore>, MemoryId)>,
    /// What the log of a store is to say of it.
    pub(crate) shown: Option<(Weak<OpenStore>, RecallLogged)>,
    /// To whom it goes, and how many characters it has.
    pub(crate) whose: Whose,
    pub(crate) chars: usize,
}

/// Where what a hook answers is put before the agent.
const fn surface(event: HookEvent) -> Surface {
    match event {
        HookEvent::SessionStart => Surface::SessionStart,
        HookEvent::PreToolUse | HookEvent::PostToolUse | HookEvent::PostToolUseFailure => Surface::Command,
        HookEvent::UserPromptSubmit
        | HookEvent::PreCompact
        | HookEvent::SubagentStop
        | HookEvent::Stop
        | HookEvent::SessionEnd => Surface::Prompt,
    }
}

impl Telling {
    fn told(&self) -> MutexGuard<'_, HashMap<SessionId, BTreeSet<MemoryId>>> {
        self.told.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Something is on its way to an agent.
    pub(crate) fn send(&self, delivery: Delivery, parcel: Parcel) {
        let mut on_the_way = self.on_the_way.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if on_the_way.len() >= MOST_SESSIONS {
            on_the_way.clear();
        }
        on_the_way.insert(delivery, parcel);
    }

    /// Nothing is known of what is on its way.
    pub(crate) fn clear(&self) {
        self.on_the_way.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clear();
    }

    /// Waits a moment for what is on its way to a session: who has read it may
    /// ask again before it is written down that he did.
    async fn arrived(&self, session: SessionId) {
        for _ in 0..MOST_NAPS {
            let waits = {
                let on_the_way = self.on_the_way.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                on_the_way.keys().any(|delivery| delivery.session == Some(session))
            };
            if !waits {
                return;
            }
            tokio::time::sleep(NAP).await;
        }
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
    /// An answer went out, and arrived or did not. What arrived is told, and who
    /// was reminded of something is not reminded again.
    pub(crate) async fn delivered(&self, delivery: Delivery, arrived: bool) {
        let _gate = self.gate.read().await;
        // It is on its way until it is noted that it arrived.
        let reminders = {
            let mut on_the_way =
                self.telling.on_the_way.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let parcel = on_the_way.remove(&delivery).filter(|_| arrived);
            let Some(Parcel { told, reminders, shown, whose, chars }) = parcel else { return };
            let via = surface(delivery.event);
            self.bus.say(whose, What::Told { via, memories: told.clone(), chars });
            if let Some((store, shown)) = shown
                && let Some(store) = store.upgrade()
            {
                store.shelf.note_recall(shown);
            }
            if let Some(session) = delivery.session {
                self.telling.note(session, told);
            }
            reminders
        };
        let at = now();
        for (store, id) in reminders {
            let Some(store) = store.upgrade() else { continue };
            let operation = TurnId::of_content(at, &id.to_string()).operation("remind", 0, at);
            let occasion = Occasion { operation, actor: Actor::Engram, at, recorded_at: at };
            let done = store.shelf.change(&[id], |memories| plan_told(&memories[0], occasion)).await;
            if let Err(error) = done {
                tracing::warn!("a reminder may come again: {error}");
            }
        }
    }

    /// What a session was told before. After a restart the log of recalls says
    /// so.
    pub(crate) async fn told_before(
        &self,
        session: Option<SessionId>,
        visible: &Visible,
    ) -> BTreeSet<MemoryId> {
        let Some(session) = session else { return BTreeSet::new() };
        self.telling.arrived(session).await;
        if let Some(told) = self.telling.told().get(&session) {
            return told.clone();
        }
        let mut told = BTreeSet::new();
        self.flush_notes_of(&visible.stores).await;
        for store in visible.stores.iter().filter(|store| store.scope() != Scope::Session) {
            let recalls = store.shelf.store().recalls_in(session, Timestamp::UNIX_EPOCH, LAST_RECALLS).await;
            // Then it may be told again, which is better than not at all.
            let recalls = recalls.unwrap_or_else(|error| {
                tracing::warn!("what was told before is not known in {}: {error}", store.label());
                Vec::new()
            });
            told.extend(recalls.into_iter().flat_map(|recall| recall.shown));
        }
        self.telling.begin(session);
        self.telling.note(session, told.iter().copied());
        told
    }

    /// The session that an agent's process speaks in now, the latest of several.
    pub(crate) fn session_of_process(&self, process: u32) -> Option<SessionId> {
        let speaks = |file: &PathBuf| presence::read(file).filter(|presence| presence.is_process(process));
        let spoken = self.journals().into_iter().filter_map(|(id, file)| {
            let began_at = speaks(&file)?.context_began_at;
            Some((began_at, id))
        });
        spoken.max().map(|(_, id)| id)
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
