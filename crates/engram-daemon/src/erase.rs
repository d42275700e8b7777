//! Erasing: all text of a person or a project goes from everything this machine
//! has, and it is proved that it is gone.
//!
//! It is looked first and decided in the core what goes; then the words go from
//! files and copies, then from the stores, and at last everything is searched
//! again. The order is so that a daemon which was killed can go on: as long as a
//! store has a text, its words can be looked for elsewhere. What is planned is
//! kept in a file of the home, by name and without text, until it is proved.
//! Each way of taking text out has its own file here.

mod copies;
mod elsewhere;
mod files;
mod prove;
mod stores;

use crate::clock::now;
use crate::house::House;
use crate::orders::Speaker;
use crate::serve::Daemon;
use crate::{identity, trouble};
use engram_core::audit::Deed;
use engram_core::change::PURGED;
use engram_core::erase::{
    ErasePlan, Names, Sight, Subject, Theirs, Wanted, any_string, is_theirs, plan_erase,
};
use engram_core::turn::Turn;
use engram_core::{Actor, EntityId, Memory, MemoryId, ProjectKey, TurnId};
use engram_wire::erasure::{Erased, PlaceErased, PlaceLeft, Way};
use engram_wire::message::Erase;
use engram_wire::platform::private_replace;
use engram_wire::project::{self, ProjectPlace};
use engram_wire::{Context, Fault};
use prove::Counts;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use stores::Room;

/// What is kept of an erase until it is done.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    order: Erase,
    project: Option<Project>,
    memories: BTreeSet<MemoryId>,
    turns: BTreeSet<TurnId>,
    entities: BTreeSet<EntityId>,
}

/// The project that is erased.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Project {
    key: ProjectKey,
    root: PathBuf,
    store: PathBuf,
}

/// Whose words are taken out, and how they are told.
struct Words {
    wanted: Wanted,
    plan: ErasePlan,
}

impl Words {
    /// Whether a string says any of it.
    fn say(&self, text: &str) -> bool {
        self.plan.traces.in_text(text) || self.wanted.mentions && self.wanted.names.stands_in(text)
    }

    /// Whether a piece of JSON is theirs, or says any of it.
    fn are_in(&self, value: &Value) -> bool {
        is_theirs(value, &self.wanted.names, self.wanted.project.as_ref())
            || any_string(value, &|text| self.say(text))
    }

    /// The same of a line of a file, whatever it is.
    fn are_in_line(&self, line: &str) -> bool {
        serde_json::from_str(line).is_ok_and(|value| self.are_in(&value)) || self.say(line)
    }
}

/// What is told in the end, while it comes together.
#[derive(Default)]
struct Told {
    ways: BTreeMap<String, Way>,
    /// How much a copy had that could only be counted when it was opened.
    found: BTreeMap<String, usize>,
    left: BTreeMap<String, String>,
}

impl Told {
    fn did(&mut self, place: String, how: Way) {
        self.ways.insert(place, how);
    }

    /// The first reason is the one that counts.
    fn leave(&mut self, place: String, why: impl Into<String>) {
        self.left.entry(place).or_insert_with(|| why.into());
    }

    /// Notes what was done, or why not.
    fn note(&mut self, place: String, how: Way, outcome: io::Result<bool>) {
        match outcome {
            Ok(true) => self.did(place, how),
            Ok(false) => {}
            Err(error) => self.leave(place, error.to_string()),
        }
    }
}

/// Obeys an order to erase.
pub(crate) async fn erase(
    daemon: &Daemon,
    context: &Context,
    order: Erase,
    speaker: &Speaker,
) -> Result<Erased, Fault> {
    // Nobody takes lines out of the spool meanwhile; whoever does so waits for
    // the house, so this comes first.
    let _draining = daemon.draining.lock().await;
    let _alone = daemon.house.alone().await;
    // The plan of one that was broken off is all that knows of it, and comes first.
    if !order.dry_run
        && let Some(kept) = unfinished(&daemon.house)?
    {
        let subject = kept.order.subject.clone();
        let done = finish(&daemon.house, kept, speaker).await;
        done.map_err(|fault| Fault {
            message: format!("the erase of {subject} was broken off, and is not done: {}", fault.message),
            ..fault
        })?;
    }
    run(&daemon.house, context, order, None, speaker).await
}

/// The plan of an erase that was broken off.
fn unfinished(house: &House) -> Result<Option<Kept>, Fault> {
    let file = house.home.erase_file();
    match fs::read(&file) {
        Ok(text) => serde_json::from_slice(&text).map(Some).map_err(|error| {
            Fault::environment(format!("{} is no plan of an erase: {error}", file.display()))
                .hint("one was broken off; move the file away and erase the same again")
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(trouble::io("reading", &file, &error)),
    }
}

async fn finish(house: &House, kept: Kept, speaker: &Speaker) -> Result<(), Fault> {
    let order = kept.order.clone();
    let done = run(house, &Context::of(Actor::Engram), order, Some(kept), speaker).await?;
    tracing::info!("an erase that was broken off is done: {} places", done.places.len());
    for left in &done.left {
        tracing::warn!("left by an erase: {}: {}", left.place, left.why);
    }
    Ok(())
}

/// Goes on with an erase that a daemon before this one was killed in.
pub(crate) async fn go_on(daemon: &Daemon) {
    let house = &daemon.house;
    if !house.home.erase_file().exists() {
        return;
    }
    let _draining = daemon.draining.lock().await;
    let _alone = house.alone().await;
    let outcome = match unfinished(house) {
        Ok(Some(kept)) => finish(house, kept, &Speaker::silent()).await,
        Ok(None) => Ok(()),
        Err(fault) => Err(fault),
    };
    if let Err(fault) = outcome {
        tracing::warn!("an erase that was broken off waits: {}", fault.message);
    }
}

async fn run(
    house: &House,
    context: &Context,
    order: Erase,
    before: Option<Kept>,
    speaker: &Speaker,
) -> Result<Erased, Fault> {
    house.flush_notes().await;
    let (known, kept_project) = before.map_or_else(Default::default, |kept| {
        let Kept { project, memories, turns, entities, .. } = kept;
        (Theirs { memories, turns, entities }, project)
    });
    let project = match &order.subject {
        Subject::Person(_) => None,
        Subject::Project(name) => Some(find_project(house, context, name, kept_project).await?),
    };
    let names = match &order.subject {
        Subject::Person(name) => Names::new([name.clone()]),
        Subject::Project(_) => Names::default(),
    };
    let wanted = Wanted {
        names,
        mentions: order.mentions,
        project: project.as_ref().map(|project| project.key.clone()),
    };
    let mut told = Told::default();
    speaker.progress("looking", 0, None).await;
    let rooms = stores::rooms(house, context, project.as_ref(), &mut told).await?;
    let mut sights = Vec::with_capacity(rooms.len());
    for room in &rooms {
        sights.push(room.sight().await?);
    }
    sights.extend(elsewhere::shared(house, &mut told).await);
    let stays = stays(house, &rooms);
    let identity = order.identity.clone();
    let asked = (context, identity.as_deref());
    let plan = plan_erase(&sights, &wanted, &known, &stays);
    let wanted = Wanted { names: plan.names.clone(), ..wanted };
    let mut words = Words { wanted, plan };
    // What a copy tells of them besides is looked for in all that follows.
    if !order.dry_run {
        copies::learn(house, asked, &sights, &mut words).await?;
    }
    let mut concerned: BTreeSet<String> = rooms
        .iter()
        .zip(&sights)
        .filter(|(_, sight)| {
            // A name may stand where no text of a memory is, as in what was asked.
            sight.whole || order.mentions || count_in(sight, &words.plan.theirs) > 0
        })
        .map(|(room, _)| room.label.clone())
        .collect();
    let counted = prove::count(house, asked, &rooms, project.as_ref(), &words, &mut told).await?;
    concerned.extend(counted.places.keys().cloned());
    if order.dry_run {
        for room in &rooms {
            told.did(room.label.clone(), room.way());
        }
        elsewhere::tell(house, &concerned, &mut told);
        elsewhere::withdraw(house, &words.plan.theirs.memories, true, &mut told).await;
        let naming = copies::look(house, asked, &words.wanted, &mut told)?;
        return Ok(Erased { copies: naming, ..reply(order, &words, &counted, None, told) });
    }
    let theirs = words.plan.theirs.clone();
    let about = std::iter::once(order.subject.to_string())
        .chain(theirs.memories.iter().map(ToString::to_string))
        .chain(theirs.turns.iter().map(ToString::to_string));
    house.audit.note(context, Deed::Erase, None, &about.collect::<Vec<_>>())?;
    let kept = Kept {
        order: order.clone(),
        project: project.clone(),
        memories: theirs.memories,
        turns: theirs.turns,
        entities: theirs.entities,
    };
    keep(house, &kept)?;
    speaker.progress("erasing copies", 1, Some(4)).await;
    copies::erase(house, context, &kept, &sights, &mut words, &mut told).await?;
    drop(sights);
    speaker.progress("erasing files", 2, Some(4)).await;
    files::erase(house, &rooms, project.as_ref(), &words, &mut told);
    house.bus.clear();
    house.telling.clear();
    speaker.progress("erasing stores", 3, Some(4)).await;
    for room in rooms.iter().filter(|room| concerned.contains(&room.label)) {
        if let Err(fault) = room.take_words(&words).await {
            told.leave(room.label.clone(), fault.message);
        }
    }
    elsewhere::take_words(house, &words, &concerned, &mut told).await;
    stores::empty(house, rooms, project.as_ref(), &words, &concerned, &mut told).await;
    elsewhere::tell(house, &concerned, &mut told);
    elsewhere::withdraw(house, &words.plan.theirs.memories, false, &mut told).await;
    speaker.progress("searching", 4, Some(4)).await;
    let rooms = stores::rooms(house, context, project.as_ref(), &mut told).await?;
    let after = prove::count(house, asked, &rooms, project.as_ref(), &words, &mut told).await?;
    let file = house.home.erase_file();
    fs::remove_file(&file).map_err(|error| trouble::io("removing", &file, &error))?;
    Ok(reply(order, &words, &counted, Some(&after), told))
}

fn keep(house: &House, kept: &Kept) -> Result<(), Fault> {
    let file = house.home.erase_file();
    let text = serde_json::to_vec(kept).map_err(|error| Fault::internal(error.to_string()))?;
    private_replace(&file, &text).map_err(|error| trouble::io("writing", &file, &error))
}

/// What is told: each place with what was found there, before and now.
fn reply(order: Erase, words: &Words, before: &Counts, after: Option<&Counts>, mut told: Told) -> Erased {
    let found = |counts: &Counts, place: &String| counts.places.get(place).copied().unwrap_or(0);
    let mut places: BTreeSet<String> = before.places.keys().cloned().collect();
    places.extend(after.into_iter().flat_map(|after| after.places.keys().cloned()));
    if !order.dry_run {
        places.extend(told.ways.keys().cloned());
    }
    let places = places.into_iter().map(|place| {
        let after = after.map(|after| found(after, &place));
        if after.is_some_and(|after| after > 0) {
            told.leave(place.clone(), "words are still found there; take them out by hand");
        }
        let how = match told.left.contains_key(&place) {
            true => Way::Left,
            false => told.ways.get(&place).copied().unwrap_or(Way::Filtered),
        };
        let counted = told.found.get(&place).copied().unwrap_or(0);
        PlaceErased { before: found(before, &place).max(counted), after, how, place }
    });
    let places = places.collect();
    let left = told.left.into_iter().map(|(place, why)| PlaceLeft { place, why }).collect();
    Erased {
        subject: order.subject,
        dry_run: order.dry_run,
        memories: words.plan.theirs.memories.len(),
        turns: words.plan.theirs.turns.len(),
        places,
        left,
        searched: after.unwrap_or(before).files,
        copies: after.unwrap_or(before).copies,
        said_by_others: words.plan.said_by_others,
    }
}

/// The project that is meant: by its folder, or by its key.
async fn find_project(
    house: &House,
    context: &Context,
    name: &str,
    kept: Option<Project>,
) -> Result<Project, Fault> {
    if let Some(kept) = kept {
        return Ok(kept);
    }
    let of_place = |place: ProjectPlace| {
        let key = identity::key_at(&place.store)?;
        Some(Project { key, root: place.root, store: place.store })
    };
    let known = house.known_projects().await?;
    let by_key = known.iter().find(|entry| entry.key.as_str() == name);
    let folder = match by_key {
        Some(entry) => entry.path.clone(),
        None => context.folder.as_deref().unwrap_or(Path::new("/")).join(name),
    };
    let place = project::locate(&folder, house.home.person()).ok().flatten();
    if let Some(found) = place.and_then(of_place) {
        // What is named is erased, and nothing in its place or around it.
        return match by_key {
            Some(entry) if entry.key != found.key => {
                Err(Fault::refused(format!("another project lies in {} now", found.root.display()))
                    .hint("move it away for a moment, and what is left of the former one is erased")
                    .hint("nothing was changed"))
            }
            None if !fs::canonicalize(&folder).is_ok_and(|folder| folder == found.root) => {
                Err(Fault::refused(format!(
                    "{} is a part of the project {}",
                    folder.display(),
                    found.root.display()
                ))
                .hint("a project is erased as a whole; name its own folder")
                .hint("nothing was changed"))
            }
            _ => Ok(found),
        };
    }
    // Its folder may be gone, and the user's memories may still have its words.
    match known.iter().find(|entry| entry.path == folder) {
        Some(entry) => {
            let root = entry.path.clone();
            Ok(Project { key: entry.key.clone(), store: root.join(".claude").join("engram"), root })
        }
        None => Err(Fault::not_found(format!("there is no project \"{name}\" that engram knows"))
            .hint("`engram projects` lists them; name one by its folder or its key")),
    }
}

/// How much a store has of theirs that still has its words.
fn count_in(sight: &Sight, theirs: &Theirs) -> usize {
    let memory = |memory: &&Memory| theirs.memories.contains(&memory.id) && !memory.content.is_empty();
    let turn = |turn: &&Turn| theirs.turns.contains(&turn.id) && turn.content != PURGED;
    sight.memories.iter().filter(memory).count()
        + sight.turns.iter().filter(turn).count()
        + sight.entities.iter().filter(|entity| theirs.entities.contains(&entity.id)).count()
}

/// What is in files and says nothing of anybody: folders, names, settings.
fn stays(house: &House, rooms: &[Room]) -> Vec<String> {
    let mut stays = vec![house.home.root().display().to_string()];
    let settings = std::iter::once(house.home.config_file());
    let projects = rooms.iter().filter_map(|room| room.folder()).map(|folder| folder.join("config.toml"));
    stays.extend(settings.chain(projects).filter_map(|file| fs::read_to_string(file).ok()));
    for seen in rooms.iter().filter_map(|room| room.store.project.as_ref()) {
        stays.extend([seen.path.display().to_string(), seen.name.clone()]);
        stays.extend(seen.git_remote.clone());
    }
    stays
}

/// Names of what is made for a moment, and swept by the next daemon.
fn passing_name(what: &str) -> String {
    format!(".erasing-{what}-{}", now().as_microsecond())
}
