//! The open stores: which there are, who may use them, when they are closed.
//!
//! A request passes the gate and holds it; whoever has to have the house for
//! himself (restoring, rewriting, closing) waits until it is empty. Reading
//! never makes a project's store; only a write does.

use crate::advising::Advising;
use crate::audit::AuditLog;
use crate::bus::Bus;
use crate::capture::Listening;
use crate::clock::now;
use crate::credit::Opened;
use crate::dreaming::{Bed, Due};
use crate::load::Load;
use crate::metering::Metering;
use crate::outlining::Outlining;
use crate::settling::Settling;
use crate::team::Team;
use crate::telling::Telling;
use crate::{embedding, identity, trouble};
use engram_core::dream::Depth;
use engram_core::law::Model;
use engram_core::port::Store;
use engram_core::rank::ScopeWeights;
use engram_core::turn::Event;
use engram_core::{ProjectKey, Scope, Timestamp};
use engram_engine::{ChangeError, Embedders, Filling, Shelf};
use engram_guard::guard;
use engram_maps::MapStore;
use engram_store::{Access, Location, ProjectEntry, ProjectSeen, StoreHome, SurrealStore, WeightProfile};
use engram_wire::config::{Settings, Source};
use engram_wire::project::{self, ProjectPlace};
use engram_wire::{Context, Fault, FaultKind, Home};
use std::collections::HashMap;
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::{OnceCell, RwLock, RwLockWriteGuard, watch};

/// Where a store keeps what it knows.
pub(crate) enum Truth {
    Database(Arc<SurrealStore>),
    /// A session's, whose journal lasts, or that of a dry run, of which nothing does.
    Maps(Arc<MapStore>),
}

/// An open store with its index, and what is needed to close or rewrite it.
pub(crate) struct OpenStore {
    pub(crate) shelf: Arc<Shelf>,
    truth: Truth,
    /// None for stores that are not in a folder of ours.
    pub(crate) home: Option<StoreHome>,
    pub(crate) database: String,
    pub(crate) project: Option<ProjectSeen>,
    /// Of a session: where the store of the project lies that it was started in.
    pub(crate) session_of: Option<PathBuf>,
    /// Of a session: the folder it was started in.
    pub(crate) started_in: Option<PathBuf>,
    /// Which folder it was opened from.
    footprint: Option<(u64, u64)>,
    used_at: AtomicI64,
    /// Held while what was heard is read and what is decided is noted.
    pub(crate) reading: tokio::sync::Mutex<()>,
    /// Held by whoever ends it.
    pub(crate) ending: tokio::sync::Mutex<()>,
    /// Held by whoever sends memories up from here.
    pub(crate) rising: tokio::sync::Mutex<()>,
}

impl OpenStore {
    pub(crate) fn scope(&self) -> Scope {
        self.shelf.scope()
    }

    pub(crate) fn label(&self) -> String {
        match &self.project {
            Some(seen) => format!("project {} ({})", seen.name, seen.path.display()),
            None if self.scope() == Scope::User => "user".to_owned(),
            None => format!("{} {}", self.scope(), self.database),
        }
    }

    pub(crate) const fn truth(&self) -> &Truth {
        &self.truth
    }

    /// What only a database can be asked. A session has none.
    pub(crate) fn surreal(&self) -> Result<&Arc<SurrealStore>, Fault> {
        match &self.truth {
            Truth::Database(surreal) => Ok(surreal),
            Truth::Maps(_) => Err(Fault::internal(format!("{} is in no database", self.label()))),
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.home.as_ref().map_or(0, StoreHome::bytes)
    }

    pub(crate) fn new(
        shelf: Arc<Shelf>,
        truth: Truth,
        home: Option<StoreHome>,
        database: String,
        project: Option<ProjectSeen>,
    ) -> Self {
        let footprint = home.as_ref().and_then(StoreHome::footprint);
        let used_at = AtomicI64::new(now().as_microsecond());
        let (reading, ending, rising) = Default::default();
        Self {
            shelf,
            truth,
            home,
            database,
            project,
            session_of: None,
            started_in: None,
            footprint,
            used_at,
            reading,
            ending,
            rising,
        }
    }

    /// False when its folder was moved, removed or replaced while it was open.
    /// What is written into a removed folder is lost, so nobody may.
    fn still_there(&self) -> bool {
        self.home.as_ref().is_none_or(|home| home.footprint() == self.footprint)
    }

    pub(crate) fn used_at(&self) -> Timestamp {
        Timestamp::from_microsecond(self.used_at.load(Ordering::Relaxed)).unwrap_or(Timestamp::MIN)
    }

    fn touch(&self) {
        self.used_at.store(now().as_microsecond(), Ordering::Relaxed);
    }
}

/// Stores by name; each is opened once, however many ask at the same time.
pub(crate) struct Slots<K>(Mutex<HashMap<K, Arc<OnceCell<Arc<OpenStore>>>>>);

impl<K> Default for Slots<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash + Clone> Slots<K> {
    pub(crate) async fn get(
        &self,
        key: K,
        open: impl AsyncFnOnce() -> Result<OpenStore, Fault>,
    ) -> Result<Arc<OpenStore>, Fault> {
        let cell = {
            let mut slots = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let open = slots.get(&key).and_then(|cell| cell.get());
            if !open.is_some_and(|store| store.still_there()) {
                // What was removed must not take anything in any more; what was
                // moved while it was open is asked for under its new name, and
                // must be let go of under the old one.
                slots.retain(|_, cell| cell.get().is_none_or(|store| store.still_there()));
            }
            slots.entry(key).or_default().clone()
        };
        let store = cell.get_or_try_init(|| async { open().await.map(Arc::new) }).await?;
        store.touch();
        Ok(store.clone())
    }

    pub(crate) fn open(&self) -> Vec<(K, Arc<OpenStore>)> {
        let slots = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        slots.iter().filter_map(|(key, cell)| Some((key.clone(), cell.get()?.clone()))).collect()
    }

    /// What is open under this name.
    pub(crate) fn find(&self, key: &K) -> Option<Arc<OpenStore>> {
        let slots = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        slots.get(key)?.get().cloned()
    }

    pub(crate) fn has(&self, key: &K) -> bool {
        let slots = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        slots.get(key).is_some_and(|cell| cell.initialized())
    }

    /// Takes out what nobody has at this moment and nothing is left to be noted in.
    /// Whoever asks for it afterwards opens it again.
    pub(crate) fn take_unused(&self, key: &K) -> Option<Arc<OpenStore>> {
        let mut slots = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let cell = slots.get(key)?;
        let store = cell.get()?;
        // Who comes by a store takes its cell first, and that under this lock.
        let is_unused = Arc::strong_count(cell) == 1
            && Arc::strong_count(store) == 1
            && Arc::strong_count(&store.shelf) == 1
            && !store.shelf.has_notes();
        // What goes is let go of by the caller, so that nobody waits here for it.
        if is_unused { slots.remove(key)?.get().cloned() } else { None }
    }

    pub(crate) fn take(&self, key: &K) -> Option<Arc<OpenStore>> {
        let mut slots = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        slots.remove(key)?.get().cloned()
    }
}

/// Everything the daemon has open, for one home.
pub(crate) struct House {
    pub(crate) home: Home,
    pub(crate) settings: Settings,
    pub(crate) user: Slots<()>,
    pub(crate) projects: Slots<PathBuf>,
    pub(crate) sessions: Slots<engram_core::SessionId>,
    /// Requests hold it together, the owner of the house alone.
    pub(crate) gate: Arc<RwLock<()>>,
    /// How many wait to have the house for themselves.
    pub(crate) waiting: watch::Sender<usize>,
    times_alone: AtomicU64,
    /// Read from the user's store once; they change only with the schema.
    profiles: OnceCell<Vec<WeightProfile>>,
    pub(crate) embedders: Embedders,
    /// Why the chosen model makes no vectors, if it does not.
    without_model: Mutex<Option<String>>,
    masked: AtomicU64,
    /// Personal data that were masked since the start.
    pub(crate) personal: AtomicU64,
    pub(crate) audit: AuditLog,
    pub(crate) advising: Advising,
    pub(crate) listening: Listening,
    pub(crate) outlining: Outlining,
    pub(crate) settling: Settling,
    pub(crate) dreaming: Due,
    pub(crate) telling: Telling,
    pub(crate) opened: Opened,
    pub(crate) metering: Metering,
    pub(crate) load: Load,
    pub(crate) team: Team,
    /// What goes on, for whoever listens.
    pub(crate) bus: Arc<Bus>,
}

/// The stores one request may see, lowest scope first, and what could not be
/// opened. This is the whole of what isolates one project from another.
pub(crate) struct Visible {
    pub(crate) stores: Vec<Arc<OpenStore>>,
    pub(crate) missing: Vec<(Scope, Fault)>,
    pub(crate) place: Option<ProjectPlace>,
}

impl Visible {
    /// What could not be opened and would be missed. A session that has ended,
    /// or that belongs elsewhere, is not.
    pub(crate) fn missed(&self) -> impl Iterator<Item = &(Scope, Fault)> {
        self.missing.iter().filter(|(scope, fault)| {
            *scope != Scope::Session || !matches!(fault.kind, FaultKind::NotFound | FaultKind::Refused)
        })
    }
}

impl House {
    pub(crate) fn new(
        home: Home,
        settings: Settings,
        embedders: Embedders,
        without_model: Option<String>,
        advising: Advising,
    ) -> Self {
        let metering = Metering::open(home.hooks_file());
        let audit = AuditLog::of(&home);
        let events = usize::try_from(settings.number("window.events")).unwrap_or(usize::MAX);
        let bus = Arc::new(Bus::new(events, now()));
        Self {
            home,
            settings,
            user: Slots::default(),
            projects: Slots::default(),
            sessions: Slots::default(),
            gate: Arc::default(),
            waiting: watch::Sender::new(0),
            times_alone: AtomicU64::new(0),
            profiles: OnceCell::new(),
            embedders,
            without_model: Mutex::new(without_model),
            masked: AtomicU64::new(0),
            personal: AtomicU64::new(0),
            audit,
            advising,
            listening: Listening::default(),
            outlining: Outlining::default(),
            settling: Settling::default(),
            dreaming: Due::default(),
            telling: Telling::default(),
            opened: Opened::default(),
            metering,
            load: Load::new(now()),
            team: Team::default(),
            bus,
        }
    }

    /// Why the chosen model makes no vectors, if it does not.
    pub(crate) fn without_model(&self) -> Option<String> {
        self.without_model.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }

    /// Notes how the last try to make vectors went. That a model is not there
    /// says more than how asking it failed, and is so even when nothing is to
    /// be made.
    pub(crate) fn note_model(&self, problem: Option<&ChangeError>) {
        let problem = match problem {
            Some(ChangeError::Embed(error)) => Some(error.to_string()),
            // It is not the model's.
            Some(_) => return,
            None => None,
        };
        if problem.is_none() && self.without_model().is_none() {
            return;
        }
        let absence = embedding::check(&self.home, &self.settings).ok().flatten();
        *self.without_model.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = absence.or(problem);
    }

    /// The text as it may be kept: without secrets and private blocks. Whoever
    /// sent it may have masked it already; that counts too.
    pub(crate) fn masked(&self, text: &str) -> String {
        let guarded = guard(text).text;
        self.count_masks(&guarded);
        guarded
    }

    /// Counts what stands masked in an event.
    pub(crate) fn note_masked(&self, event: &Event) {
        self.count_masks(&event.text);
        if let Some(tool) = &event.tool {
            self.count_masks(&tool.input.to_string());
            self.count_masks(&tool.output.to_string());
        }
    }

    fn count_masks(&self, text: &str) {
        self.masked.fetch_add(text.matches(engram_guard::MASK).count() as u64, Ordering::Relaxed);
    }

    /// How many secrets were masked since the start.
    pub(crate) fn count_masked(&self) -> u64 {
        self.masked.load(Ordering::Relaxed)
    }

    /// Has the house for oneself, once it is empty.
    pub(crate) async fn alone(&self) -> RwLockWriteGuard<'_, ()> {
        self.waiting.send_modify(|count| *count += 1);
        let alone = self.gate.write().await;
        self.times_alone.fetch_add(1, Ordering::Relaxed);
        self.waiting.send_modify(|count| *count -= 1);
        alone
    }

    /// How often somebody had the house for himself.
    pub(crate) fn times_alone(&self) -> u64 {
        self.times_alone.load(Ordering::Relaxed)
    }

    /// How much each scope counts under a profile. Without the user's store
    /// only the default is known.
    pub(crate) async fn weights(&self, profile: &str) -> Result<ScopeWeights, Fault> {
        let load = || async {
            let user = self.user().await?;
            user.surreal()?.list_profiles().await.map_err(|error| trouble::read(&error))
        };
        let profiles = match self.profiles.get_or_try_init(load).await {
            Ok(profiles) => profiles,
            Err(_) if profile == "default" => return Ok(ScopeWeights::DEFAULT),
            Err(fault) => return Err(fault),
        };
        match profiles.iter().find(|known| known.name == profile) {
            Some(known) => Ok(known.weights),
            None => {
                let names: Vec<&str> = profiles.iter().map(|known| known.name.as_str()).collect();
                Err(Fault::usage(format!("unknown profile \"{profile}\"; one of: {}", names.join(", "))))
            }
        }
    }

    pub(crate) fn place(&self, context: &Context) -> Result<Option<ProjectPlace>, Fault> {
        let Some(folder) = &context.folder else { return Ok(None) };
        project::locate(folder, self.home.person()).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                Fault::not_found(format!("the folder {} is not there", folder.display()))
            }
            _ => trouble::io("looking at the folder", folder, &error),
        })
    }

    /// The settings in force for a request.
    pub(crate) fn settings_for(
        &self,
        context: &Context,
        place: Option<&ProjectPlace>,
    ) -> Result<Settings, Fault> {
        let mut settings = Settings::default();
        let files = [
            (Some(self.home.config_file()), Source::User),
            (place.map(ProjectPlace::config_file), Source::Project),
        ];
        for (file, source) in files {
            let Some(file) = file else { continue };
            match std::fs::read_to_string(&file) {
                Ok(text) => settings = settings.with_file(&text, source, &file.display().to_string())?,
                Err(error)
                    if matches!(
                        error.kind(),
                        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
                    ) => {}
                Err(error) => return Err(trouble::io("reading", &file, &error)),
            }
        }
        // The client has laid its flags over its environment already.
        let given = context.settings.iter().map(|(key, text)| (key.as_str(), text.as_str()));
        settings.with_texts(given, Source::Flag)
    }

    /// What a request may see. A scope that cannot be opened is named, and
    /// does not keep the others from answering.
    pub(crate) async fn visible(&self, context: &Context) -> Result<Visible, Fault> {
        let place = self.place(context)?;
        let mut stores = Vec::new();
        let mut missing = Vec::new();
        let mut add = |scope, outcome: Result<Arc<OpenStore>, Fault>| match outcome {
            Ok(store) => stores.push(store),
            Err(fault) => missing.push((scope, fault)),
        };
        if let Some(id) = context.session {
            add(Scope::Session, self.session_at(id, place.as_ref()).await);
        }
        if let Some(place) = place.as_ref().filter(|place| StoreHome::new(&place.store).exists()) {
            add(Scope::Project, self.project(place).await);
        }
        add(Scope::User, self.user().await);
        if let Some(replica) = self.replica(place.as_ref()).await {
            add(Scope::Team, replica);
        }
        Ok(Visible { stores, missing, place })
    }

    /// The store something new goes to; makes a project's store if there is none.
    /// Where a budget is spent, nothing new is taken.
    pub(crate) async fn target(
        &self,
        context: &Context,
        place: Option<ProjectPlace>,
        scope: Option<Scope>,
    ) -> Result<Arc<OpenStore>, Fault> {
        let store = match (scope, place) {
            (None | Some(Scope::Project), Some(place)) => {
                if !self.projects.has(&place.store) {
                    self.room_for_a_store()?;
                }
                self.project(&place).await
            }
            (Some(Scope::Project), None) => Err(Fault::usage("there is no project here")
                .hint("the home folder is never a project; use --scope user, or go into a project")),
            (None | Some(Scope::User), _) => self.user().await,
            (Some(Scope::Team), _) => Err(Fault::usage("nothing is written to the team directly")
                .hint("remember it here, then share it: engram team share <memory>")),
            (Some(Scope::Session), place) => match context.session {
                Some(id) => self.session_at(id, place.as_ref()).await,
                None => Err(Fault::usage("no session was named")
                    .hint("`engram session start` prints one; pass it with --session or ENGRAM_SESSION")),
            },
        }?;
        self.room_in(&store)?;
        Ok(store)
    }

    pub(crate) async fn user(&self) -> Result<Arc<OpenStore>, Fault> {
        self.user.get((), async || self.open_user().await).await
    }

    pub(crate) async fn project(&self, place: &ProjectPlace) -> Result<Arc<OpenStore>, Fault> {
        self.projects.get(place.store.clone(), async || self.open_project(place).await).await
    }

    async fn open_user(&self) -> Result<OpenStore, Fault> {
        let url = self.settings.text("store.url");
        let (location, home, folder) = if url.is_empty() {
            let home = StoreHome::new(self.home.root());
            (Location::Disk(home.clone()), Some(home), self.home.root().to_owned())
        } else {
            // Any other engine would keep the memories elsewhere than backups look, or nowhere.
            if !url.starts_with("ws://") && !url.starts_with("wss://") {
                return Err(Fault::usage(format!("store.url is \"{url}\", which is no server")).hint(
                    "it looks like ws://host:port or wss://host:port; unset it to keep everything here",
                ));
            }
            let username = self.settings.text("store.username").to_owned();
            let password = self.settings.text("store.password").to_owned();
            let access = (!username.is_empty()).then_some(Access { username, password });
            (Location::Url { url: url.to_owned(), access }, None, PathBuf::from(url))
        };
        let failed = |error| trouble::open(&error, &folder);
        if let Some(home) = &home {
            home.rewrite_if_asked(Scope::User, "default", now()).await.map_err(failed)?;
        }
        let surreal = Arc::new(SurrealStore::open_user(&location, now()).await.map_err(failed)?);
        let shelf = open_shelf(surreal.clone(), Scope::User, &self.embedders, &folder).await?;
        shelf.set_model(model_of(&self.settings, "retention.user"));
        self.wake(&shelf, Bed::User).await;
        Ok(OpenStore::new(shelf, Truth::Database(surreal), home, "default".to_owned(), None))
    }

    async fn open_project(&self, place: &ProjectPlace) -> Result<OpenStore, Fault> {
        let user = self.user().await;
        let known = self.known_projects().await?;
        let at = now();
        let key = identity::settle(place, &known, at).await?;
        let home = StoreHome::new(&place.store);
        let failed = |error| trouble::open(&error, &place.store);
        home.rewrite_if_asked(Scope::Project, key.as_str(), at).await.map_err(failed)?;
        let surreal =
            SurrealStore::open_project(&Location::Disk(home.clone()), &key, at).await.map_err(failed)?;
        let seen = seen(place, key);
        surreal.note_project(&seen).await.map_err(|error| trouble::commit(&error))?;
        if let Ok(user) = user {
            user.surreal()?.register_project(&seen, at).await.map_err(|error| trouble::commit(&error))?;
        }
        let surreal = Arc::new(surreal);
        let shelf = open_shelf(surreal.clone(), Scope::Project, &self.embedders, &place.store).await?;
        let context = Context { folder: Some(place.root.clone()), ..Context::of(engram_core::Actor::Engram) };
        // Whoever asks for something is told; opening does not fail for it.
        let settings = self.settings_for(&context, Some(place)).unwrap_or_else(|fault| {
            tracing::warn!("{}: its settings are not followed: {}", place.root.display(), fault.message);
            self.settings.clone()
        });
        shelf.set_model(model_of(&settings, "retention.project"));
        self.wake(&shelf, Bed::Project(place.clone())).await;
        let database = seen.key.to_string();
        Ok(OpenStore::new(shelf, Truth::Database(surreal), Some(home), database, Some(seen)))
    }

    /// A dream that was begun here and not finished is gone on with.
    async fn wake(&self, shelf: &Shelf, bed: Bed) {
        match shelf.unfinished_dream().await {
            Ok(Some(_)) => self.dreaming.add(bed, Depth::Light),
            Ok(None) => {}
            Err(error) => tracing::warn!("what was dreamt here cannot be read: {error}"),
        }
    }

    /// The projects the user's store has seen. A project can be worked in where
    /// that store does not open; then none are known.
    pub(crate) async fn known_projects(&self) -> Result<Vec<ProjectEntry>, Fault> {
        match self.user().await {
            Ok(user) => user.surreal()?.list_projects().await.map_err(|error| trouble::read(&error)),
            Err(_) => Ok(Vec::new()),
        }
    }

    /// Where the projects are that are known and have a store, each once, this
    /// one first.
    pub(crate) async fn known_places(&self, this: Option<ProjectPlace>) -> Result<Vec<ProjectPlace>, Fault> {
        let mut places: Vec<ProjectPlace> = this.into_iter().collect();
        for entry in self.known_projects().await? {
            if let Ok(Some(place)) = project::locate(&entry.path, self.home.person())
                && !places.contains(&place)
            {
                places.push(place);
            }
        }
        places.retain(|place| StoreHome::new(&place.store).exists());
        Ok(places)
    }

    /// Writes a store anew, if that was asked for. It opens again when it is
    /// needed. Whoever calls has the house for himself.
    pub(crate) async fn rewrite(&self, store: Arc<OpenStore>) -> Result<(), Fault> {
        let (Some(home), database, scope) = (store.home.clone(), store.database.clone(), store.scope())
        else {
            return Ok(());
        };
        if let Err(error) = store.shelf.flush_notes().await {
            tracing::warn!("use was not recorded in {}: {error}", store.label());
        }
        self.let_go(&store);
        let surreal = store.surreal()?.clone();
        drop(store);
        let surreal = Arc::into_inner(surreal).ok_or_else(|| {
            Fault::internal("the store is still in use; it is rewritten when it opens again")
        })?;
        surreal.close().await;
        let rewritten = home.rewrite_if_asked(scope, &database, now()).await;
        rewritten.map_err(|error| trouble::open(&error, home.folder()))
    }

    /// Takes an open store out of the house.
    pub(crate) fn let_go(&self, store: &Arc<OpenStore>) {
        match (store.scope(), &store.home) {
            (Scope::User, _) => drop(self.user.take(&())),
            (Scope::Project, Some(home)) => drop(self.projects.take(&home.folder().to_owned())),
            (Scope::Team, _) => drop(self.team.replica.take(&())),
            _ => {}
        }
    }

    /// Every store that is open now.
    pub(crate) fn all_open(&self) -> Vec<Arc<OpenStore>> {
        let user = self.user.open().into_iter().map(|(_, store)| store);
        let projects = self.projects.open().into_iter().map(|(_, store)| store);
        let sessions = self.sessions.open().into_iter().map(|(_, store)| store);
        let team = self.team.replica.open().into_iter().map(|(_, store)| store);
        user.chain(projects).chain(sessions).chain(team).collect()
    }

    /// Writes down what was noted so far; whoever calls holds the gate. What
    /// fails is tried again with the next round.
    pub(crate) async fn flush_notes(&self) {
        self.flush_notes_of(&self.all_open()).await;
    }

    /// The same for some of the stores.
    pub(crate) async fn flush_notes_of(&self, stores: &[Arc<OpenStore>]) {
        for store in stores {
            if let Err(error) = store.shelf.flush_notes().await {
                tracing::warn!("notes were not written in {}: {error}", store.label());
            }
        }
    }

    /// Makes some of the vectors that are missing in a store. A server may take
    /// a minute for them; whoever wants the house for himself does not wait for
    /// that, and nobody behind him does. None: it was put off.
    pub(crate) async fn fill_step(&self, store: &OpenStore) -> Option<Result<Option<Filling>, ChangeError>> {
        let mut waiting = self.waiting.subscribe();
        tokio::select! {
            step = store.shelf.fill_step() => Some(step),
            _ = waiting.wait_for(|count| *count > 0) => None,
        }
    }

    /// Makes the vectors that are missing, a few texts at a time. False: an
    /// embedder failed, and should be left in peace for a while.
    pub(crate) async fn fill_vectors(&self) -> bool {
        let mut problem = None;
        let mut again = true;
        while again {
            again = false;
            // No store is held on to between two steps.
            let _gate = self.gate.read().await;
            for store in self.all_open() {
                match self.fill_step(&store).await {
                    None => again = true,
                    Some(Ok(step)) => {
                        again |= step.is_some();
                        if let Some(Filling { embedder, done, total }) = step {
                            let doing = format!("{}, {embedder}", store.label());
                            self.bus.work(self.whose(&store, None), &doing, done as u64, Some(total as u64));
                        }
                    }
                    Some(Err(error)) => {
                        tracing::warn!("vectors are missing in {}: {error}", store.label());
                        self.bus.fail(self.whose(&store, None), "making vectors", &error.to_string());
                        problem = Some(error);
                    }
                }
            }
            again &= problem.is_none();
        }
        self.note_model(problem.as_ref());
        problem.is_none()
    }
}

/// The curve that a setting names; it was checked when it was read.
pub(crate) fn model_of(settings: &Settings, key: &str) -> Model {
    settings.text(key).parse().unwrap_or(Model::DEFAULT)
}

fn seen(place: &ProjectPlace, key: ProjectKey) -> ProjectSeen {
    ProjectSeen { key, path: place.root.clone(), name: place.name(), git_remote: place.git_remote() }
}

pub(crate) async fn open_shelf(
    store: Arc<dyn Store>,
    scope: Scope,
    embedders: &Embedders,
    folder: &Path,
) -> Result<Arc<Shelf>, Fault> {
    let shelf = Shelf::open(store, scope, embedders.clone()).await.map_err(|error| {
        let fault = trouble::read(&error);
        Fault { message: format!("{}: {}", folder.display(), fault.message), ..fault }
    })?;
    Ok(Arc::new(shelf))
}
