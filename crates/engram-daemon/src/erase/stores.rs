//! The stores: looked at as a whole, then emptied of what is theirs and written
//! anew, so that neither the feed of changes nor old versions keep it.

use super::{Project, Told, Words};
use crate::clock::now;
use crate::house::{House, OpenStore, Truth};
use crate::{identity, journal, presence, trouble};
use engram_core::erase::Sight;
use engram_core::plan::{Occasion, plan_purge_with};
use engram_core::port::Store;
use engram_core::{Actor, MemoryId, SessionId, TurnId};
use engram_store::{StoreHome, SurrealStore};
use engram_wire::erasure::Way;
use engram_wire::project::ProjectPlace;
use engram_wire::{Context, Fault};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// So many memories go in one change, and so many names in one scrubbing.
const BATCH: usize = 100;
/// What a person wrote into a project's folder stays.
const MINE: [&str; 2] = ["config.toml", ".gitignore"];

const DAMAGED: &str = "a store that did not open was put aside there; remove it by hand";
const AWAY: &str = "it is not where it was last seen; its store was not looked at";

/// A store, and what of it is the subject's.
pub(super) struct Room {
    pub(super) label: String,
    pub(super) store: Arc<OpenStore>,
    pub(super) session: Option<SessionId>,
    /// All of it is theirs.
    pub(super) whole: bool,
}

/// Every store of this machine that opens. One that does not is told.
pub(super) async fn rooms(
    house: &House,
    context: &Context,
    project: Option<&Project>,
    told: &mut Told,
) -> Result<Vec<Room>, Fault> {
    let mut rooms = Vec::new();
    let mut add = |store: Arc<OpenStore>, session, whole| {
        rooms.push(Room { label: format!("store: {}", store.label()), store, session, whole });
    };
    add(house.user().await?, None, false);
    let mut places = house.known_places(house.place(context).ok().flatten()).await?;
    let theirs = project.and_then(|project| {
        let place = ProjectPlace { root: project.root.clone(), store: project.store.clone(), git: None };
        StoreHome::new(&place.store).exists().then_some(place)
    });
    if let Some(theirs) = theirs.filter(|theirs| !places.iter().any(|place| place.store == theirs.store)) {
        places.push(theirs);
    }
    let is_theirs = |store: &Path| project.is_some_and(|project| project.store == store);
    for place in &places {
        match house.project(place).await {
            Ok(store) => add(store, None, is_theirs(&place.store)),
            Err(fault) => told.leave(format!("store: {}", place.root.display()), fault.message),
        }
    }
    // A disk that is not mounted, or a folder that was moved: what lies there is not
    // proved to be gone.
    for entry in house.known_projects().await? {
        let found = |place: &ProjectPlace| identity::key_at(&place.store).as_ref() == Some(&entry.key);
        let is_theirs = project.is_some_and(|project| project.key == entry.key);
        if !is_theirs && !places.iter().any(found) {
            told.leave(format!("store: {}", entry.path.display()), AWAY);
        }
    }
    for (id, file) in house.journals() {
        match house.session(id).await {
            Ok(store) => {
                let whole = store.session_of.as_deref().is_some_and(is_theirs);
                add(store, Some(id), whole);
            }
            Err(fault) => told.leave(file.display().to_string(), fault.message),
        }
    }
    let kept = rooms.iter().filter(|room| !room.whole).filter_map(|room| room.store.home.as_ref());
    for folder in kept.flat_map(StoreHome::put_aside) {
        told.leave(folder.display().to_string(), DAMAGED);
    }
    Ok(rooms)
}

impl Room {
    /// The folder its files are in, if that is one of ours.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.store.home.as_ref().map(StoreHome::folder)
    }

    /// How it is erased.
    pub(super) const fn way(&self) -> Way {
        match (self.whole, self.session) {
            (true, _) => Way::Removed,
            (false, Some(_)) => Way::Filtered,
            (false, None) => Way::Rewritten,
        }
    }

    pub(super) async fn sight(&self) -> Result<Sight, Fault> {
        match self.store.truth() {
            Truth::Database(surreal) => sight_of(surreal, self.whole).await,
            Truth::Maps(maps) => Ok(Sight { whole: self.whole, ..maps.sight() }),
        }
    }

    /// Takes the words out of all that is neither a memory nor a turn. A session is
    /// built again from its journal instead.
    pub(super) async fn take_words(&self, words: &Words) -> Result<(), Fault> {
        let Truth::Database(surreal) = self.store.truth() else { return Ok(()) };
        if self.whole {
            return Ok(());
        }
        // Whatever happens from here on, its files are written anew.
        if let Some(home) = &self.store.home {
            home.ask_for_rewrite().map_err(|error| trouble::io("writing in", home.folder(), &error))?;
        }
        let done = surreal.reword(&|text: &str| words.say(text)).await;
        done.map(|_| ()).map_err(|error| trouble::commit(&error))
    }

    async fn purge(&self, words: &Words) -> Result<(), Fault> {
        purge(self.store.shelf.store(), words).await?;
        match self.store.truth() {
            Truth::Database(surreal) => purge_rows(surreal, words).await,
            Truth::Maps(_) => Ok(()),
        }
    }
}

pub(super) async fn sight_of(store: &SurrealStore, whole: bool) -> Result<Sight, Fault> {
    let failed = |error| trouble::read(&error);
    let mut sight = Sight { whole, ..Sight::default() };
    store.scan(&mut |memory| sight.memories.push(memory)).await.map_err(failed)?;
    store.scan_turns(&mut |turn| sight.turns.push(turn)).await.map_err(failed)?;
    store.scan_log(&mut |former| sight.log.push(former)).await.map_err(failed)?;
    sight.entities = store.load_entities().await.map_err(failed)?;
    sight.mentions = store.all_mentions().await.map_err(failed)?;
    Ok(sight)
}

/// Empties memories and turns by name.
pub(super) async fn purge(store: &dyn Store, words: &Words) -> Result<(), Fault> {
    let theirs = &words.plan.theirs;
    let failed = |error| trouble::commit(&error);
    let ids: Vec<MemoryId> = theirs.memories.iter().copied().collect();
    let turns: Vec<TurnId> = theirs.turns.iter().copied().collect();
    for batch in ids.chunks(BATCH) {
        let mut memories = store.load(batch.to_vec()).await.map_err(|error| trouble::read(&error))?;
        memories.retain(|memory| !memory.content.is_empty() || memory.provenance.speaker.is_some());
        let Some(first) = memories.first() else { continue };
        let at = now();
        let name = TurnId::of_content(at, &format!("erase {}", first.id));
        let operation = name.operation("purge", 0, at);
        let occasion = Occasion { operation, actor: Actor::Engram, at, recorded_at: at };
        let changes = plan_purge_with(&memories, &theirs.turns, occasion)
            .map_err(|refused| trouble::change(refused.into()))?;
        store.commit(changes, Vec::new()).await.map_err(failed)?;
    }
    let mut turns_left = turns.chunks(BATCH);
    for batch in ids.chunks(BATCH) {
        let turns = turns_left.next().unwrap_or_default();
        store.scrub(batch.to_vec(), turns.to_vec()).await.map_err(failed)?;
    }
    for batch in turns_left {
        store.scrub(Vec::new(), batch.to_vec()).await.map_err(failed)?;
    }
    Ok(())
}

/// What a database has of them besides: turns that nobody read yet, and names.
pub(super) async fn purge_rows(store: &SurrealStore, words: &Words) -> Result<(), Fault> {
    let theirs = &words.plan.theirs;
    let failed = |error| trouble::commit(&error);
    let turns: Vec<TurnId> = theirs.turns.iter().copied().collect();
    for batch in turns.chunks(BATCH) {
        store.pass_over(batch).await.map_err(failed)?;
    }
    let entities: Vec<_> = theirs.entities.iter().copied().collect();
    for batch in entities.chunks(BATCH) {
        store.remove_entities(batch).await.map_err(failed)?;
    }
    Ok(())
}

/// Takes what is theirs out of every store that has any of it. Sessions come last
/// before the files are written: their journals are all they have.
pub(super) async fn empty(
    house: &House,
    rooms: Vec<Room>,
    project: Option<&Project>,
    words: &Words,
    concerned: &BTreeSet<String>,
    told: &mut Told,
) {
    let (concerned, others): (Vec<Room>, Vec<Room>) =
        rooms.into_iter().partition(|room| concerned.contains(&room.label));
    drop(others);
    if let Some(project) = project
        && let Ok(user) = house.user().await
        && let Ok(surreal) = user.surreal()
        && let Err(error) = surreal.forget_project(&project.key).await
    {
        told.leave("store: user".to_owned(), error.to_string());
    }
    for room in &concerned {
        if room.whole {
            continue;
        }
        if let Err(fault) = room.purge(words).await {
            told.leave(room.label.clone(), fault.message);
        }
    }
    for room in concerned {
        let how = room.way();
        let Room { label, store, session, whole } = room;
        let outcome = match (session, whole) {
            (Some(id), true) => end(house, id, store),
            (Some(id), false) => reword_journal(house, id, store, words),
            (None, true) => remove(house, store).await,
            (None, false) => house.rewrite(store).await,
        };
        match outcome {
            Ok(()) => {
                told.did(label, how);
                if let Some(id) = session {
                    told.did(house.journal_file(id).display().to_string(), how);
                }
            }
            Err(fault) => told.leave(label, fault.message),
        }
    }
    if let Some(project) = project.filter(|project| project.store.exists())
        && let Err(error) = clear_folder(&project.store)
    {
        told.leave(project.store.display().to_string(), error.to_string());
    }
}

/// A session of a project that goes is over, and hands nothing on.
fn end(house: &House, id: SessionId, store: Arc<OpenStore>) -> Result<(), Fault> {
    let file = house.journal_file(id);
    drop((store, house.sessions.take(&id)));
    fs::remove_file(&file).map_err(|error| trouble::io("removing", &file, &error))?;
    presence::remove(&file);
    house.opened.end(id);
    Ok(())
}

/// What is left of the words in a journal goes, and the store is built from it
/// again when somebody asks for it.
fn reword_journal(house: &House, id: SessionId, store: Arc<OpenStore>, words: &Words) -> Result<(), Fault> {
    let file = house.journal_file(id);
    drop((store, house.sessions.take(&id)));
    let says = |text: &str| words.say(text);
    journal::reword(&file, &says).map_err(|error| trouble::io("writing", &file, &error))
}

/// Lets go of a project's store and takes its files away.
async fn remove(house: &House, store: Arc<OpenStore>) -> Result<(), Fault> {
    let Some(folder) = store.home.as_ref().map(|home| home.folder().to_owned()) else { return Ok(()) };
    house.let_go(&store);
    let surreal = store.surreal()?.clone();
    drop(store);
    if let Some(surreal) = Arc::into_inner(surreal) {
        surreal.close().await;
    }
    clear_folder(&folder).map_err(|error| trouble::io("emptying", &folder, &error))
}

/// The file that says who the project is goes last: as long as it is there, an
/// erase that was broken off knows what it is about.
fn clear_folder(folder: &Path) -> io::Result<()> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| !MINE.iter().any(|mine| path.ends_with(mine)));
    paths.sort_by_key(|path| path.ends_with("identity.json"));
    for path in paths {
        let is_folder = fs::symlink_metadata(&path)?.is_dir();
        if is_folder { fs::remove_dir_all(&path)? } else { fs::remove_file(&path)? }
    }
    Ok(())
}
