//! Events in the house: where each goes, how many a session may send, and the
//! reading of what was heard.

use crate::clock::now;
use crate::house::{House, OpenStore};
use crate::trouble;
use engram_core::decision::Decision;
use engram_core::turn::EventType;
use engram_core::{Scope, SessionId, Timestamp};
use engram_engine::{ChangeError, GuardedEvent, Heard, Read, Reader};
use engram_wire::config::Settings;
use engram_wire::project::ProjectPlace;
use engram_wire::reply::CaptureHealth;
use engram_wire::{Context, Fault};
use jiff::tz::TimeZone;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};

/// What was heard since the daemon started.
#[derive(Default)]
pub(crate) struct Listening {
    counts: Mutex<CaptureHealth>,
    /// Events of the running minute, by session.
    minute: Mutex<(i64, HashMap<Option<SessionId>, u64>)>,
    /// Somebody was heard.
    pub(crate) heard: tokio::sync::Notify,
}

impl Listening {
    fn counts(&self) -> MutexGuard<'_, CaptureHealth> {
        self.counts.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn note_heard(&self, heard: &Heard) {
        let mut counts = self.counts();
        counts.heard += heard.new.len() as u64;
        counts.known += heard.known as u64;
    }

    fn note_read(&self, decisions: &[Decision]) {
        let mut counts = self.counts();
        counts.problem = None;
        for decision in decisions {
            *counts.decided.entry(decision.action).or_default() += 1;
        }
    }

    /// Refuses what a session sends beyond its measure: whatever is in a loop
    /// there must not fill the disk.
    fn admit(
        &self,
        session: Option<SessionId>,
        events: usize,
        most: u64,
        at: Timestamp,
    ) -> Result<(), Fault> {
        let mut minute = self.minute.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let running = at.as_second() / 60;
        if minute.0 != running {
            *minute = (running, HashMap::new());
        }
        let sent = minute.1.entry(session).or_default();
        if *sent + events as u64 > most {
            self.counts().refused += events as u64;
            return Err(Fault::refused(format!("more than {most} events in a minute from one session"))
                .hint("nothing of this was kept; `engram config set capture.per_minute N` allows more")
                .hint("what is read from files is not counted: `engram import`"));
        }
        *sent += events as u64;
        Ok(())
    }
}

/// Where events go, and how they are read there.
pub(crate) struct Destination {
    pub(crate) store: Arc<OpenStore>,
    /// The project of a session.
    pub(crate) beside: Option<Arc<OpenStore>>,
    pub(crate) reader: Reader,
}

impl House {
    /// Where an event of this session goes: to the session if it is open here,
    /// else to the project, else to the user.
    pub(crate) async fn destination(
        &self,
        context: &Context,
        place: Option<&ProjectPlace>,
        session: Option<SessionId>,
        scope: Option<Scope>,
    ) -> Result<Destination, Fault> {
        let open = match (scope, session.or(context.session)) {
            (None | Some(Scope::Session), Some(id)) => self.session_at(id, place).await.ok(),
            _ => None,
        };
        let store = match open {
            Some(store) => store,
            None => self.target(context, place.cloned(), scope).await?,
        };
        let settings = self.settings_for(context, place)?;
        Ok(self.destination_of(store, &settings).await)
    }

    pub(crate) async fn destination_of(&self, store: Arc<OpenStore>, settings: &Settings) -> Destination {
        let beside = self.project_beside(&store).await;
        let project = store.project.as_ref().or_else(|| beside.as_ref()?.project.as_ref());
        let authorities: BTreeMap<EventType, _> =
            EventType::ALL.iter().map(|event| (*event, settings.authority(*event))).collect();
        let reader = Reader {
            authority: Box::new(move |event| authorities[&event]),
            zone: TimeZone::system(),
            project: project.map(|seen| seen.key.clone()),
            adviser: Some(Arc::clone(&self.advising.adviser)),
        };
        Destination { store, beside, reader }
    }

    /// Keeps events that passed the guard. When this returns, they are durable.
    pub(crate) async fn hear(
        &self,
        destination: &Destination,
        events: Vec<GuardedEvent>,
        limit: Option<u64>,
    ) -> Result<Heard, Fault> {
        let at = now();
        if let Some(most) = limit {
            let mut by_session: HashMap<Option<SessionId>, usize> = HashMap::new();
            for GuardedEvent { event, .. } in &events {
                *by_session.entry(event.session.as_deref().map(SessionId::named)).or_default() += 1;
            }
            for (session, events) in by_session {
                self.listening.admit(session, events, most, at)?;
            }
        }
        let heard = destination.store.shelf.hear(events, at).await.map_err(trouble::change)?;
        self.listening.note_heard(&heard);
        self.listening.heard.notify_one();
        Ok(heard)
    }

    /// Reads what waits in a store, to the end. What was decided is handed over.
    pub(crate) async fn read_out(&self, destination: &Destination) -> Result<Vec<Decision>, Fault> {
        let mut decisions = Vec::new();
        loop {
            let read = self.read_step(destination).await.map_err(trouble::change)?;
            decisions.extend(read.decisions);
            if read.left == 0 {
                return Ok(decisions);
            }
        }
    }

    async fn read_step(&self, destination: &Destination) -> Result<Read, ChangeError> {
        let beside = destination.beside.as_ref().map(|store| &*store.shelf);
        let read = destination.store.shelf.read_turns(&destination.reader, beside, now()).await;
        match &read {
            Ok(read) => self.listening.note_read(&read.decisions),
            Err(error) => self.listening.counts().problem = Some(error.to_string()),
        }
        read
    }

    /// Reads what waits in the open stores, a little at a time. False: something
    /// failed, and should be left in peace for a while.
    pub(crate) async fn read_heard(&self) -> bool {
        let mut again = true;
        while again {
            again = false;
            // No store is held on to between two steps.
            let _gate = self.gate.read().await;
            for store in self.all_open().into_iter().filter(|store| store.shelf.has_unread()) {
                let settings = match self.settings_of(&store) {
                    Ok(settings) => settings,
                    Err(fault) => {
                        self.listening.counts().problem = Some(fault.message);
                        return false;
                    }
                };
                let destination = self.destination_of(store, &settings).await;
                match self.read_step(&destination).await {
                    Ok(read) => again |= read.left > 0,
                    Err(error) => {
                        tracing::warn!("{} could not be read: {error}", destination.store.label());
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Reads what waits in a store that is about to go.
    pub(crate) async fn read_all_of(&self, store: &Arc<OpenStore>) -> Result<(), Fault> {
        if store.shelf.has_unread() {
            let destination = self.destination_of(store.clone(), &self.settings_of(store)?).await;
            self.read_out(&destination).await?;
        }
        Ok(())
    }

    /// The settings where nobody asks: the user's, and a project's own.
    pub(crate) fn settings_of(&self, store: &OpenStore) -> Result<Settings, Fault> {
        let folder = store.project.as_ref().map(|seen| seen.path.clone());
        let context = Context {
            folder: folder.filter(|folder| folder.is_dir()),
            session: None,
            actor: engram_core::Actor::Engram,
            settings: Vec::new(),
            said_at: None,
            again: false,
        };
        let place = self.place(&context)?;
        self.settings_for(&context, place.as_ref())
    }

    pub(crate) fn capture_health(&self) -> CaptureHealth {
        let unread = self.all_open().iter().map(|store| store.shelf.count_unread()).sum();
        CaptureHealth { unread, ..self.listening.counts().clone() }
    }
}
