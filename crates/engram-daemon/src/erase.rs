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
    run(&daemon.house, context, order, None, speaker).await
}

/// Goes on with an erase that a daemon before this one was killed in.
pub(crate) async fn go_on(daemon: &Daemon) {
    let house = &daemon.house;
    let file = house.home.erase_file();
    let Ok(text) = fs::read(&file) else { return };
    let _draining = daemon.draining.lock().await;
    let _alone = house.alone().await;
    let outcome = match serde_json::from_slice::<Kept>(&text) {
        Ok(kept) => {
            let order = kept.order.clone();
            run(house, &Context::of(Actor::Engram), order, Some(kept), &Speaker::silent()).await
        }
        Err(error) => Err(Fault::internal(format!("{}: {error}", file.display()))),
    };
    match outcome {
        Ok(done) => {
            tracing::info!("an erase that was broken off is done: {} places", done.places.len());
            for left in &done.left {
                tracing::warn!("left by an erase: {}: {}", left.place, left.why);
            }
        }
        Err(fault) => tracing::warn!("an erase that was broken off waits: {}", fault.message),
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
    let stays = stays(house, &rooms);
    let identity = order.identity.clone();
    let asked = (context, identity.as_deref());
    let plan = plan_erase(&sights, &wanted, &known, &stays);
    let wanted = Wanted { names: plan.names.clone(), ..wanted };
    let mut words = Words { wanted, plan };
    let mut concerned: BTreeSet<String> = rooms
        .iter()
        .zip(&sights)
        .filter(|(_, sight)| sight.whole || count_in(sight, &words.plan.theirs) > 0)
        .map(|(room, _)| room.label.clone())
        .collect();
    let counted = prove::count(house, asked, &rooms, project.as_ref(), &words, &mut told).await?;
    concerned.extend(counted.places.keys().cloned());
    if order.dry_run {
        for room in &rooms {
            told.did(room.label.clone(), room.way());
        }
        elsewhere::tell(house, &concerned, &mut told);
        elsewhere::withdraw(house, &words.plan.theirs.memories, true, &mut told).await?;
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
    // What a copy tells of them besides is looked for in all that follows.
    speaker.progress("erasing copies", 1, Some(4)).await;
    copies::erase(house, context, &kept, &sights, &mut words, &mut told).await?;
    drop(sights);
    speaker.progress("erasing files", 2, Some(4)).await;
    files::erase(house, &rooms, project.as_ref(), &words, &mut told);
    house.bus.clear();
    speaker.progress("erasing stores", 3, Some(4)).await;
    for room in rooms.iter().filter(|room| concerned.contains(&room.label)) {
        if let Err(fault) = room.take_words(&words).await {
            told.leave(room.label.clone(), fault.message);
        }
    }
    stores::empty(house, rooms, project.as_ref(), &words, &concerned, &mut told).await;
    elsewhere::tell(house, &concerned, &mut told);
    elsewhere::withdraw(house, &kept.memories, false, &mut told).await?;
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
    let folder = match known.iter().find(|entry| entry.key.as_str() == name) {
        Some(entry) => entry.path.clone(),
        None => context.folder.as_deref().unwrap_or(Path::new("/")).join(name),
    };
    let place = project::locate(&folder, house.home.person()).ok().flatten();
    if let Some(found) = place.and_then(of_place) {
        return Ok(found);
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
