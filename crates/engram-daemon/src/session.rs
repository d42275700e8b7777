//! Sessions: started, found again after a restart, ended.
//!
//! A session is open as long as its journal exists. Its store is rebuilt from
//! the journal when somebody asks for it, and the journal goes when it ends.

use crate::bus::Whose;
use crate::clock::now;
use crate::house::{House, OpenStore, Truth};
use crate::journal::{self, Header, JournalledStore};
use crate::presence::{self, Presence};
use crate::trouble;
use engram_core::port::{CommitError, Store as _};
use engram_core::{Scope, SessionId, Status, Timestamp};
use engram_engine::Shelf;
use engram_maps::MapStore;
use engram_store::{SessionStatus, StoreHome};
use engram_wire::activity::What;
use engram_wire::project::{self, ProjectPlace};
use engram_wire::reply::{SessionLine, Sessions};
use engram_wire::{Context, Fault, FaultKind};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl House {
    pub(crate) fn journal_file(&self, id: SessionId) -> PathBuf {
        self.home.sessions_folder().join(format!("{}.jsonl", id.name()))
    }

    /// The store of an open session.
    pub(crate) async fn session(&self, id: SessionId) -> Result<Arc<OpenStore>, Fault> {
        if !self.journal_file(id).is_file() {
            return Err(Fault::not_found(format!("session {id} is not open"))
                .hint("`engram session list` shows the sessions of this project"));
        }
        self.sessions.get(id, async || self.rebuild(id).await).await
    }

    async fn rebuild(&self, id: SessionId) -> Result<OpenStore, Fault> {
        let file = self.journal_file(id);
        let (header, changes) =
            journal::read_scrubbed(&file).map_err(|error| trouble::io("reading", &file, &error))?;
        let maps = Arc::new(MapStore::of(Scope::Session));
        let place = self.place_of(&header);
        for change in changes {
            // A change that was refused when it was made is refused again.
            let vectors = self.embedders.vectors_of(&change).await;
            let vectors = vectors.map_err(|error| Fault::environment(error.to_string()))?;
            match maps.commit(change, vectors).await {
                Ok(()) | Err(CommitError::AlreadyApplied(_)) => {}
                Err(CommitError::Unavailable(problem)) => return Err(Fault::environment(problem)),
                Err(refused) => tracing::warn!("{}: {refused}", file.display()),
            }
        }
        let store = JournalledStore::new(maps.clone(), file.clone())
            .map_err(|error| trouble::io("opening", &file, &error))?;
        let shelf = Shelf::open(Arc::new(store), Scope::Session, self.embedders.clone())
            .await
            .map_err(|error| trouble::read(&error))?;
        let mut store = OpenStore::new(Arc::new(shelf), Truth::Maps(maps), None, id.name(), None);
        store.session_of = place.map(|place| place.store);
        store.started_in = header.folder;
        Ok(store)
    }

    /// Where a session was started, as far as that is still a project.
    pub(crate) fn place_of(&self, header: &Header) -> Option<ProjectPlace> {
        self.place_at(header.folder.as_deref())
    }

    fn place_at(&self, folder: Option<&Path>) -> Option<ProjectPlace> {
        project::locate(folder?, self.home.person()).ok()?
    }

    /// The store of an open session, for somebody who works at `place`. What is
    /// said in one project's session is nobody else's business.
    pub(crate) async fn session_at(
        &self,
        id: SessionId,
        place: Option<&ProjectPlace>,
    ) -> Result<Arc<OpenStore>, Fault> {
        let store = self.session(id).await?;
        if store.session_of.as_ref() == place.map(|place| &place.store) {
            return Ok(store);
        }
        Err(Fault::refused(format!("session {id} belongs to another project"))
            .hint("`engram session start` begins one here"))
    }

    /// The project that a session was started in, if it has a store.
    pub(crate) async fn project_beside(&self, store: &OpenStore) -> Option<Arc<OpenStore>> {
        if store.scope() != Scope::Session {
            return None;
        }
        self.project_if_there(self.place_at(store.started_in.as_deref()).as_ref()).await
    }

    /// The project at `place`, if it has a store that opens.
    pub(crate) async fn project_if_there(&self, place: Option<&ProjectPlace>) -> Option<Arc<OpenStore>> {
        let place = place.filter(|place| StoreHome::new(&place.store).exists())?;
        self.project(place).await.ok()
    }

    /// Starts a session, or goes on with it. `agent` is who speaks in it, where
    /// that is one; then nothing is made in a project that has no store yet.
    pub(crate) async fn start_session(
        &self,
        context: &Context,
        id: SessionId,
        agent: Option<Presence>,
    ) -> Result<Arc<OpenStore>, Fault> {
        let file = self.journal_file(id);
        let failed = |error| trouble::io("writing", &file, &error);
        if !self.sessions.has(&id) {
            self.room_for_a_store()?;
        }
        self.settling.keep(id);
        let known = presence::read(&file);
        if let Some(agent) =
            agent.as_ref().filter(|agent| !known.is_some_and(|known| known.is_that_of(agent)))
        {
            presence::write(&file, agent).map_err(failed)?;
        }
        if !file.exists() {
            let at = now();
            let place = self.place(context)?;
            let header = Header { session: id, folder: context.folder.clone(), started_at: at };
            journal::create(&file, &header).map_err(failed)?;
            let there = |place: &&ProjectPlace| agent.is_none() || StoreHome::new(&place.store).exists();
            if let Some(place) = place.as_ref().filter(there)
                && let Err(fault) = self.register(id, place, at).await
            {
                fs::remove_file(&file).map_err(failed)?;
                return Err(fault);
            }
            let whose = Whose {
                scope: Some(Scope::Session),
                agent: agent.map(|agent| agent.agent),
                ..self.asker(&Context { session: Some(id), ..context.clone() })
            };
            self.bus.say(whose, What::SessionBegan);
        }
        self.session(id).await
    }

    /// A line about an open session.
    pub(crate) fn line_of(&self, id: SessionId, store: &OpenStore) -> Result<SessionLine, Fault> {
        let file = self.journal_file(id);
        let header = journal::read_header(&file).map_err(|error| trouble::io("reading", &file, &error))?;
        Ok(SessionLine {
            session: id,
            status: SessionStatus::Active.as_str().to_owned(),
            started_at: Some(header.started_at),
            ended_at: None,
            memories: current_in(store),
            promoted: promoted_in(store),
            summary: None,
        })
    }

    /// Notes a session in the project's list and in the counts, once.
    pub(crate) async fn register(
        &self,
        id: SessionId,
        place: &ProjectPlace,
        at: Timestamp,
    ) -> Result<(), Fault> {
        let failed = |error| trouble::commit(&error);
        let project = self.project(place).await?;
        if !project.surreal()?.register_session(id, at).await.map_err(failed)? {
            return Ok(());
        }
        match &project.project {
            Some(seen) => self.user().await?.surreal()?.count_session(&seen.key, at).await.map_err(failed),
            None => Ok(()),
        }
    }

    pub(crate) async fn end_session(
        &self,
        id: SessionId,
        status: SessionStatus,
    ) -> Result<SessionLine, Fault> {
        let store = self.session(id).await?;
        // Two that end it at once would each keep the same.
        let _ending = store.ending.lock().await;
        self.read_all_of(&store).await?;
        let file = self.journal_file(id);
        let failed = |error| trouble::io("reading", &file, &error);
        let header = journal::read_header(&file).map_err(failed)?;
        let at = now();
        let memories = current_in(&store);
        let place = self.place_of(&header);
        // What it cannot hand on would go with its journal; then it does not end.
        let summary = self.conclude(&store, id, place.as_ref()).await?;
        if let Some(project) = self.project_if_there(place.as_ref()).await {
            let closed = project.surreal()?.close_session(id, status, summary.clone(), at).await;
            closed.map_err(|error| trouble::commit(&error))?;
        }
        let promoted = promoted_in(&store);
        let whose = self.whose(&store, Some(id));
        // The journal goes first: as long as it is there, the session can be
        // built again.
        fs::remove_file(&file).map_err(|error| trouble::io("removing", &file, &error))?;
        presence::remove(&file);
        drop(self.sessions.take(&id));
        self.opened.end(id);
        self.bus.say(whose, What::SessionEnded { promoted });
        if let Some(place) = &place
            && let Err(fault) = self.dream_after(place).await
        {
            tracing::warn!("no dream is due after session {id}: {}", fault.message);
        }
        if let Err(fault) = self.evolve_if_due(place.as_ref()).await {
            tracing::warn!("nothing evolves after session {id}: {}", fault.message);
        }
        Ok(SessionLine {
            session: id,
            status: status.as_str().to_owned(),
            started_at: Some(header.started_at),
            ended_at: Some(at),
            memories,
            promoted,
            summary,
        })
    }

    /// The sessions of the project at hand, the latest first: those it has
    /// noted, and open ones that nothing was kept of yet.
    pub(crate) async fn list_sessions(&self, context: &Context) -> Result<Sessions, Fault> {
        let place = self.place(context)?;
        let entries = match place.as_ref().filter(|place| StoreHome::new(&place.store).exists()) {
            Some(place) => {
                let project = self.project(place).await?;
                project.surreal()?.list_sessions().await.map_err(|error| trouble::read(&error))?
            }
            None => Vec::new(),
        };
        let mut sessions = Vec::with_capacity(entries.len());
        for entry in entries {
            let open = self.session(entry.id).await.ok();
            let promoted = open.as_deref().map_or(entry.memories_promoted as usize, promoted_in);
            sessions.push(SessionLine {
                session: entry.id,
                status: entry.status.as_str().to_owned(),
                started_at: Some(entry.started_at),
                ended_at: entry.ended_at,
                memories: open.as_deref().map_or(0, current_in),
                promoted,
                summary: entry.summary,
            });
        }
        for (id, _) in self.journals() {
            if sessions.iter().any(|line| line.session == id) {
                continue;
            }
            if let Ok(store) = self.session_at(id, place.as_ref()).await {
                sessions.push(self.line_of(id, &store)?);
            }
        }
        sessions.sort_by_key(|line| std::cmp::Reverse(line.started_at));
        Ok(Sessions { sessions })
    }

    /// The sessions that are open, whether or not their stores are.
    pub(crate) fn journals(&self) -> Vec<(SessionId, PathBuf)> {
        let Ok(entries) = fs::read_dir(self.home.sessions_folder()) else { return Vec::new() };
        let journal = |file: PathBuf| {
            let name = file.file_name()?.to_str()?.strip_suffix(".jsonl")?;
            Some((name.strip_prefix("s_")?.parse().ok()?, file))
        };
        entries.flatten().filter_map(|entry| journal(entry.path())).collect()
    }

    /// The open sessions of the project at `place`. One that cannot be looked at
    /// is not passed over: it may be one of them.
    pub(crate) async fn sessions_at(
        &self,
        place: Option<&ProjectPlace>,
    ) -> Result<Vec<Arc<OpenStore>>, Fault> {
        let mut sessions = Vec::new();
        for (id, _) in self.journals() {
            match self.session_at(id, place).await {
                Ok(store) => sessions.push(store),
                // Another project's, or ended meanwhile.
                Err(fault) if matches!(fault.kind, FaultKind::Refused | FaultKind::NotFound) => {}
                Err(fault) => return Err(fault),
            }
        }
        Ok(sessions)
    }
}

/// How many memories answer in a session.
fn current_in(store: &OpenStore) -> usize {
    store.shelf.index().count_by(|entry| entry.status.is_current()).get(&true).copied().unwrap_or(0)
}

/// How many went up from it so far.
fn promoted_in(store: &OpenStore) -> usize {
    let promoted = |entry: &engram_index::Entry| entry.status == Status::Promoted;
    store.shelf.index().count_by(promoted).get(&true).copied().unwrap_or(0)
}
