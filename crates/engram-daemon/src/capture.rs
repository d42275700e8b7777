//! Events in the house: where each goes, how many a session may send, and the
//! reading of what was heard.

use crate::authorising::Authorities;
use crate::clock::now;
use crate::house::{House, OpenStore, Truth, open_shelf};
use crate::trouble;
use engram_core::decision::Decision;
use engram_core::turn::{EventType, id_of};
use engram_core::{Scope, SessionId, Timestamp, TurnId};
use engram_engine::{ChangeError, GuardedEvent, Heard, Read, Reader};
use engram_maps::MapStore;
use engram_store::StoreHome;
use engram_wire::activity::What;
use engram_wire::config::Settings;
use engram_wire::project::ProjectPlace;
use engram_wire::reply::CaptureHealth;
use engram_wire::{Context, Fault};
use jiff::tz::TimeZone;
use std::collections::BTreeMap;
use std::collections::hash_map::{Entry, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

/// What was heard since the daemon started.
#[derive(Default)]
pub(crate) struct Listening {
    counts: Mutex<CaptureHealth>,
    /// Events of the running minute, by session.
    minute: Mutex<(i64, HashMap<Option<SessionId>, u64>)>,
    /// What is decided about turns that somebody waits for, whoever reads them.
    awaited: Mutex<HashMap<TurnId, Vec<Decision>>>,
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
        counts.refused += heard.left_out as u64;
    }

    /// Something was not done because it may not be.
    pub(crate) fn note_refused(&self, count: usize) {
        self.counts().refused += count as u64;
    }

    fn note_read(&self, decisions: &[Decision]) {
        let mut counts = self.counts();
        counts.problem = None;
        for decision in decisions {
            *counts.decided.entry(decision.action).or_default() += 1;
        }
        let mut awaited = self.awaited();
        for decision in decisions {
            if let Some(known) = awaited.get_mut(&decision.turn) {
                known.push(decision.clone());
            }
        }
    }

    fn awaited(&self) -> MutexGuard<'_, HashMap<TurnId, Vec<Decision>>> {
        self.awaited.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Waits for what is decided about events that are heard at `at`. To be
    /// called before they are: the reader may be faster than whoever waits.
    pub(crate) fn awaiting(&self, events: &[GuardedEvent], at: Timestamp) -> Awaited<'_> {
        let mut awaited = self.awaited();
        let mut turns = Vec::with_capacity(events.len());
        for GuardedEvent { event, .. } in events {
            let turn = id_of(event, event.time.unwrap_or(at));
            if let Entry::Vacant(place) = awaited.entry(turn) {
                place.insert(Vec::new());
                turns.push(turn);
            }
        }
        Awaited { listening: self, turns }
    }

    /// How many of these events a session may still send: whatever is in a loop
    /// there must not fill the disk. Nobody else can have that room meanwhile.
    fn reserve(&self, session: Option<SessionId>, events: usize, most: u64, at: Timestamp) -> usize {
        let mut minute = self.minute.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let running = at.as_second() / 60;
        if minute.0 != running {
            *minute = (running, HashMap::new());
        }
        let sent = minute.1.entry(session).or_default();
        let room = most.saturating_sub(*sent).min(events as u64);
        *sent += room;
        usize::try_from(room).unwrap_or(events)
    }

    /// What was known before takes no room.
    fn release(&self, session: Option<SessionId>, unused: usize) {
        let mut minute = self.minute.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(sent) = minute.1.get_mut(&session) {
            *sent = sent.saturating_sub(unused as u64);
        }
    }
}

/// Somebody who waits for what is decided about some turns.
pub(crate) struct Awaited<'l> {
    listening: &'l Listening,
    turns: Vec<TurnId>,
}

impl Awaited<'_> {
    /// What was decided, in the order of the turns.
    pub(crate) fn decisions(&self) -> Vec<Decision> {
        let mut awaited = self.listening.awaited();
        self.turns.iter().filter_map(|turn| awaited.get_mut(turn).map(std::mem::take)).flatten().collect()
    }
}

impl Drop for Awaited<'_> {
    fn drop(&mut self) {
        let mut awaited = self.listening.awaited();
        for turn in &self.turns {
            awaited.remove(turn);
        }
    }
}

fn has_no_store(place: &ProjectPlace) -> bool {
    !StoreHome::new(&place.store).exists()
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
    /// else to the project, else to the user. What was read from a file has no
    /// session and outlives the one that asked for it. A dry run makes no store.
    pub(crate) async fn destination(
        &self,
        context: &Context,
        place: Option<&ProjectPlace>,
        session: Option<SessionId>,
        scope: Option<Scope>,
        dry_run: bool,
    ) -> Result<Destination, Fault> {
        let open = match (scope, session) {
            (None | Some(Scope::Session), Some(id)) => self.session_at(id, place).await.ok(),
            _ => None,
        };
        let store = match open {
            Some(store) => store,
            None if dry_run
                && scope.is_none_or(|scope| scope == Scope::Project)
                && place.is_some_and(has_no_store) =>
            {
                Arc::new(self.passing_store().await?)
            }
            None => self.target(context, place.cloned(), scope).await?,
        };
        let settings = self.settings_for(context, place)?;
        let destination = self.destination_of(store, &settings).await;
        // What a session learns goes up, so it has to end where that has no room.
        if let Some(project) = &destination.beside {
            self.room_in(project)?;
        }
        Ok(destination)
    }

    /// An empty project's store that is gone with whoever asked for it.
    async fn passing_store(&self) -> Result<OpenStore, Fault> {
        let name = "dry run";
        let maps = Arc::new(MapStore::of(Scope::Project));
        let shelf = open_shelf(maps.clone(), Scope::Project, &self.embedders, Path::new(name)).await?;
        Ok(OpenStore::new(shelf, Truth::Maps(maps), None, name.to_owned(), None))
    }

    pub(crate) async fn destination_of(&self, store: Arc<OpenStore>, settings: &Settings) -> Destination {
        let beside = self.project_beside(&store).await;
        let project = store.project.as_ref().or_else(|| beside.as_ref()?.project.as_ref());
        let authorities = Authorities::of(settings);
        let reader = Reader {
            authority: Box::new(move |origin| authorities.allowed(origin)),
            zone: TimeZone::system(),
            project: project.map(|seen| seen.key.clone()),
            adviser: Some(Arc::clone(&self.advising.adviser)),
        };
        Destination { store, beside, reader }
    }

    /// Keeps events of one session that passed the guard, no more in a minute
    /// than `limit`. When this returns, they are durable.
    pub(crate) async fn hear(
        &self,
        destination: &Destination,
        session: Option<SessionId>,
        events: Vec<GuardedEvent>,
        limit: Option<u64>,
        at: Timestamp,
    ) -> Result<Heard, Fault> {
        let known: Vec<(TurnId, EventType, usize)> = events
            .iter()
            .map(|GuardedEvent { event, masked, .. }| {
                let masks = masked.iter().map(|mask| mask.count).sum();
                (id_of(event, event.time.unwrap_or(at)), event.event, masks)
            })
            .collect();
        let room = match limit {
            Some(most) => self.listening.reserve(session, events.len(), most, at),
            None => events.len(),
        };
        let heard = destination.store.shelf.hear(events, room, at).await;
        if limit.is_some() {
            let used = heard.as_ref().map_or(0, |heard| heard.new.len());
            self.listening.release(session, room.saturating_sub(used));
        }
        let heard = heard.map_err(trouble::change)?;
        self.listening.note_heard(&heard);
        self.listening.heard.notify_one();
        self.say_heard(&destination.store, session, &known, &heard);
        Ok(heard)
    }

    /// Tells whoever listens what was kept, type by type.
    fn say_heard(
        &self,
        store: &OpenStore,
        session: Option<SessionId>,
        events: &[(TurnId, EventType, usize)],
        heard: &Heard,
    ) {
        let mut types: BTreeMap<EventType, (usize, usize)> = BTreeMap::new();
        for (_, event, masks) in events.iter().filter(|(turn, ..)| heard.new.contains(turn)) {
            let (turns, masked) = types.entry(*event).or_default();
            *turns += 1;
            *masked += masks;
        }
        if types.is_empty() {
            return;
        }
        let whose = self.whose(store, session);
        for (event, (turns, masked)) in types {
            self.bus.say(whose.clone(), What::Heard { event, turns, masked });
        }
    }

    /// And what was decided about it.
    fn say_decided(&self, store: &OpenStore, decisions: &[Decision]) {
        if decisions.is_empty() {
            return;
        }
        let whose = self.whose(store, None);
        for Decision { action, memory, fact, reason, .. } in decisions {
            let (text, reason) = (fact.clone(), reason.clone());
            self.bus.say(whose.clone(), What::Decided { action: *action, memory: *memory, text, reason });
        }
    }

    /// Reads what waits in a store, to the end.
    pub(crate) async fn read_out(&self, destination: &Destination) -> Result<(), Fault> {
        while self.read_step(destination).await.map_err(trouble::change)?.left > 0 {}
        Ok(())
    }

    async fn read_step(&self, destination: &Destination) -> Result<Read, ChangeError> {
        // Whoever finds nothing left to read finds what was decided noted.
        let _reading = destination.store.reading.lock().await;
        let beside = destination.beside.as_ref().map(|store| &*store.shelf);
        let read = destination.store.shelf.read_turns(&destination.reader, beside, now()).await;
        match &read {
            Ok(read) => {
                self.listening.note_read(&read.decisions);
                self.say_decided(&destination.store, &read.decisions);
            }
            Err(error) => {
                self.listening.counts().problem = Some(error.to_string());
                let whose = self.whose(&destination.store, None);
                self.bus.fail(whose, "reading what was heard", &error.to_string());
            }
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

    /// The settings where nobody asks: the user's, and a project's own. What a
    /// session hears is heard in its project.
    pub(crate) fn settings_of(&self, store: &OpenStore) -> Result<Settings, Fault> {
        let folder = store.project.as_ref().map(|seen| seen.path.clone());
        let folder = folder.or_else(|| store.started_in.clone());
        let folder = folder.filter(|folder| folder.is_dir());
        let context = Context { folder, ..Context::of(engram_core::Actor::Engram) };
        let place = self.place(&context)?;
        self.settings_for(&context, place.as_ref())
    }

    pub(crate) fn capture_health(&self) -> CaptureHealth {
        let unread = self.all_open().iter().map(|store| store.shelf.count_unread()).sum();
        CaptureHealth { unread, ..self.listening.counts().clone() }
    }
}
