//! Exports and backups: read whole, written anew without what is theirs, under
//! the same name and sealed for the same people. A copy that does not open is
//! left and told.

use super::stores::{purge, purge_rows, sight_of};
use super::{Kept, Project, Told, Words, count_in, passing_name};
use crate::backup;
use crate::clock::now;
use crate::copying::{CopyFile, Leftovers, not_read};
use crate::house::House;
use crate::trouble;
use engram_core::erase::{Sight, Theirs, Wanted, is_theirs, plan_erase};
use engram_core::{MemoryId, Scope};
use engram_store::{Location, StoreHome, SurrealStore};
use engram_wire::copies::{CopiedStore, Copies, CopyKind, KnownCopy, drafts_beside};
use engram_wire::erasure::Way;
use engram_wire::{Context, Fault};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{self, BufRead as _, Write as _};
use std::path::{Path, PathBuf};

const GONE: &str =
    "it is not where it was written; if it is gone, `engram copies drop` takes it off the list";

/// Tells of the copies that could not be gone through, and how many of the others
/// name the subject at all.
pub(super) fn look(
    house: &House,
    (context, identity): (&Context, Option<&Path>),
    wanted: &Wanted,
    told: &mut Told,
) -> Result<usize, Fault> {
    let mut naming = 0;
    for copy in Copies::new(&house.home).load()? {
        let place = copy.file.display().to_string();
        if !copy.file.exists() {
            told.leave(place, GONE);
            continue;
        }
        let named = house
            .open_copy(context, &copy.file, identity)
            .and_then(|input| names(input, wanted).map_err(|error| not_read(&copy.file, &error)));
        match named {
            Ok(named) => {
                naming += usize::from(named);
                told.did(place, way(copy.kind));
            }
            Err(fault) => told.leave(place, fault.message),
        }
    }
    Ok(naming)
}

/// Whether the name of a person, or the key of a project, stands in a copy.
fn names(input: impl io::BufRead, wanted: &Wanted) -> io::Result<bool> {
    for line in input.split(b'\n') {
        let line = String::from_utf8_lossy(&line?).to_lowercase();
        let key = wanted.project.as_ref().is_some_and(|key| line.contains(key.as_str()));
        if key || wanted.names.iter().any(|name| line.contains(name)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads what the copies tell of the subject that no store does any more: its words
/// and its names are looked for in all that follows. `live` is what the stores hold.
/// One that does not open is told when it is to be written.
pub(super) async fn learn(
    house: &House,
    (context, identity): (&Context, Option<&Path>),
    live: &[Sight],
    words: &mut Words,
) -> Result<(), Fault> {
    for copy in Copies::new(&house.home).load()? {
        let Ok(input) = house.open_copy(context, &copy.file, identity) else { continue };
        // Without their name there is nothing that the stores do not tell.
        if !names(input, &words.wanted).unwrap_or(false) {
            continue;
        }
        let sights = match copy.kind {
            CopyKind::Export => {
                let Words { wanted, plan } = words;
                lines_of(house, (context, identity), &copy.file, wanted, &mut plan.theirs)
            }
            CopyKind::Backup => stores_of(house, (context, identity), &copy.file).await,
        };
        for sight in sights.unwrap_or_default() {
            let mut here = plan_erase(&[sight], &words.wanted, &words.plan.theirs, &[]);
            here.spare(live, &words.wanted);
            words.plan.theirs = here.theirs;
            words.plan.traces.join(&here.traces);
        }
    }
    Ok(())
}

/// The memories of an export, as states that somebody kept.
fn lines_of(
    house: &House,
    (context, identity): (&Context, Option<&Path>),
    file: &Path,
    wanted: &Wanted,
    theirs: &mut Theirs,
) -> Result<Vec<Sight>, Fault> {
    let mut sight = Sight::default();
    for line in house.open_copy(context, file, identity)?.lines() {
        let line = line.map_err(|error| not_read(file, &error))?;
        let Ok(value) = serde_json::from_str::<Value>(&line) else { continue };
        if is_theirs(&value, &wanted.names, wanted.project.as_ref()) {
            theirs.memories.extend(id_in(&value["id"]));
        }
        sight.log.push(value);
    }
    Ok(vec![sight])
}

/// The stores of a backup, each as a whole.
async fn stores_of(
    house: &House,
    (context, identity): (&Context, Option<&Path>),
    file: &Path,
) -> Result<Vec<Sight>, Fault> {
    let (contents, dumps) = backup::unpack(house, context, file, identity)?;
    let mut sights = Vec::new();
    for (part, dump) in contents.stores.iter().zip(&dumps.0) {
        let passing = Passing(house.home.backups_folder().join(passing_name("store")));
        let store = build(&passing, &part.store, dump).await?;
        let sight = sight_of(&store, false).await;
        store.close().await;
        sights.push(sight?);
    }
    Ok(sights)
}

fn id_in(value: &Value) -> Option<MemoryId> {
    value.as_str()?.parse().ok()
}

/// Goes through every known copy, and takes away what was left of one that was being
/// written.
pub(super) async fn erase(
    house: &House,
    context: &Context,
    kept: &Kept,
    live: &[Sight],
    words: &mut Words,
    told: &mut Told,
) -> Result<(), Fault> {
    for copy in Copies::new(&house.home).load()? {
        for draft in drafts_beside(&copy.file) {
            let removed = fs::remove_file(&draft).map(|()| true);
            told.note(draft.display().to_string(), Way::Removed, removed);
        }
        let place = copy.file.display().to_string();
        if !copy.file.exists() {
            told.leave(place, GONE);
            continue;
        }
        let done = match copy.kind {
            CopyKind::Export => export(house, context, kept, &copy, words),
            CopyKind::Backup => backup(house, (context, kept), &copy, live, words).await,
        };
        match done {
            Ok(0) => {}
            Ok(found) => {
                told.found.insert(place.clone(), found);
                told.did(place, way(copy.kind));
            }
            Err(fault) => told.leave(place, fault.message),
        }
    }
    Ok(())
}

const fn way(kind: CopyKind) -> Way {
    match kind {
        CopyKind::Export => Way::Filtered,
        CopyKind::Backup => Way::Rewritten,
    }
}

/// Lines of memories: those that are theirs go, and edges to them. Tells how many
/// were changed.
fn export(
    house: &House,
    context: &Context,
    kept: &Kept,
    copy: &KnownCopy,
    words: &Words,
) -> Result<usize, Fault> {
    let file = &copy.file;
    let mut input = house.open_copy(context, file, kept.order.identity.as_deref())?;
    // Of one project only that one's lines are in a file.
    let whole = kept.project.as_ref().filter(|project| copy.stores.iter().any(|it| is_of(it, project)));
    let mut lines = Vec::new();
    let mut changed = 0;
    let mut line = String::new();
    while input.read_line(&mut line).map_err(|error| not_read(file, &error))? > 0 {
        match line_without(&line, whole.is_some(), words) {
            Some(rest) => {
                changed += usize::from(rest != line.trim_end());
                lines.push(rest);
            }
            None => changed += 1,
        }
        line.clear();
    }
    if changed == 0 {
        return Ok(0);
    }
    let failed = |error: io::Error| trouble::io("writing", file, &error);
    let stores = copy.stores.iter().filter(|it| !whole.is_some_and(|project| is_of(it, project)));
    write_again(house, context, copy, stores.cloned().collect(), |output| {
        lines.iter().try_for_each(|line| writeln!(output, "{line}")).map_err(failed)
    })?;
    Ok(changed)
}

/// None: the line goes. `whole`: all that is of a project does.
fn line_without(line: &str, whole: bool, words: &Words) -> Option<String> {
    let line = line.trim_end();
    let named = |id: &Value| id_in(id).is_some_and(|id| words.plan.theirs.memories.contains(&id));
    let Ok(mut value) = serde_json::from_str::<Value>(line) else {
        return (!words.say(line)).then(|| line.to_owned());
    };
    let of_project = whole && value["scope"] == Scope::Project.as_str();
    if of_project || named(&value["id"]) || words.are_in(&value) {
        return None;
    }
    let edges = value.get_mut("relations").and_then(Value::as_array_mut);
    let fewer = edges.is_some_and(|edges| {
        let before = edges.len();
        edges.retain(|edge| !named(&edge["from"]) && !named(&edge["to"]));
        edges.len() < before
    });
    Some(if fewer { value.to_string() } else { line.to_owned() })
}

/// Whole stores: each is built, emptied and dumped again. Tells how much of theirs
/// was there.
async fn backup(
    house: &House,
    (context, kept): (&Context, &Kept),
    copy: &KnownCopy,
    live: &[Sight],
    words: &mut Words,
) -> Result<usize, Fault> {
    let file = &copy.file;
    let (mut contents, dumps) = backup::unpack(house, context, file, kept.order.identity.as_deref())?;
    let mut parts = Vec::new();
    let mut changed = 0;
    for (part, dump) in contents.stores.iter().zip(&dumps.0) {
        if kept.project.as_ref().is_some_and(|project| is_of(&part.store, project)) {
            changed += 1;
            continue;
        }
        let passing = Passing(house.home.backups_folder().join(passing_name("store")));
        let found = empty(&passing, &part.store, dump, live, words).await.map_err(|fault| Fault {
            message: format!("{}: {}", part.store.label(), fault.message),
            ..fault
        })?;
        changed += found;
        let mut part = part.clone();
        if found > 0 {
            let digest = backup::digest(dump).map_err(|error| trouble::io("reading", dump, &error))?;
            (part.bytes, part.sha256) = digest;
        }
        parts.push((part, dump));
    }
    if changed == 0 {
        return Ok(0);
    }
    let stores: Vec<CopiedStore> = parts.iter().map(|(part, _)| part.store.clone()).collect();
    contents.stores = parts.iter().map(|(part, _)| part.clone()).collect();
    let failed = |error: io::Error| trouble::io("writing", file, &error);
    write_again(house, context, copy, stores, |output| {
        serde_json::to_writer(&mut *output, &contents).map_err(|error| failed(error.into()))?;
        output.write_all(b"\n").map_err(failed)?;
        for (_, dump) in &parts {
            File::open(dump).and_then(|mut dump| io::copy(&mut dump, &mut *output)).map_err(failed)?;
        }
        Ok(())
    })?;
    Ok(changed)
}

fn is_of(store: &CopiedStore, project: &Project) -> bool {
    store.scope == Scope::Project && store.database == project.key.as_str()
}

/// A store that is there for a moment. It holds everyone's text.
struct Passing(PathBuf);

impl Drop for Passing {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Makes a store of a dump.
async fn build(passing: &Passing, part: &CopiedStore, dump: &Path) -> Result<SurrealStore, Fault> {
    let (scope, database) = (part.scope, part.database.as_str());
    let home = StoreHome::new(&passing.0);
    let failed = |error| trouble::open(&error, dump);
    home.replace(scope, database, dump, now()).await.map_err(failed)?;
    let location = Location::Disk(home);
    let store = match scope {
        Scope::User => SurrealStore::open_user(&location, now()).await,
        _ => {
            let key = database.parse().map_err(|_| Fault::usage(format!("{database} is no key")))?;
            SurrealStore::open_project(&location, &key, now()).await
        }
    };
    store.map_err(failed)
}

/// Empties the store of a dump and dumps it again, over the dump. Where nothing of
/// theirs was there, the dump stays as it was.
async fn empty(
    passing: &Passing,
    part: &CopiedStore,
    dump: &Path,
    live: &[Sight],
    words: &mut Words,
) -> Result<usize, Fault> {
    let (scope, database) = (part.scope, part.database.as_str());
    let home = StoreHome::new(&passing.0);
    let failed = |error| trouble::open(&error, dump);
    let store = build(passing, part, dump).await?;
    let found = take_out(&store, scope, live, words).await;
    store.close().await;
    let found = found?;
    if found > 0 {
        home.ask_for_rewrite().map_err(|error| trouble::io("writing in", home.folder(), &error))?;
        home.rewrite_if_asked(scope, database, now()).await.map_err(failed)?;
        home.dump(scope, database, dump, now()).await.map_err(failed)?;
    }
    Ok(found)
}

/// Takes out of a store of a copy what is theirs, and tells how much that was.
async fn take_out(
    store: &SurrealStore,
    scope: Scope,
    live: &[Sight],
    words: &mut Words,
) -> Result<usize, Fault> {
    let sight = sight_of(store, false).await?;
    let mut here = plan_erase(std::slice::from_ref(&sight), &words.wanted, &words.plan.theirs, &[]);
    let mut found = count_in(&sight, &here.theirs);
    // An old copy may tell what no store does any more, also by its log alone.
    here.spare(live, &words.wanted);
    words.plan.theirs = here.theirs;
    words.plan.traces.join(&here.traces);
    let failed = |error| trouble::commit(&error);
    found += store.reword(&|text: &str| words.say(text)).await.map_err(failed)?;
    // Only the user's store has a list of projects.
    if let Some(key) = words.wanted.project.as_ref().filter(|_| scope == Scope::User) {
        let known = store.list_projects().await.map_err(|error| trouble::read(&error))?;
        if known.iter().any(|entry| entry.key == *key) {
            store.forget_project(key).await.map_err(failed)?;
            found += 1;
        }
    }
    purge(store, words).await?;
    purge_rows(store, words).await?;
    Ok(found)
}

/// Writes a copy again under its name, for those it was sealed for. When it was
/// made stays what it was.
fn write_again(
    house: &House,
    context: &Context,
    copy: &KnownCopy,
    stores: Vec<CopiedStore>,
    write: impl FnOnce(&mut CopyFile) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let sealed_for = match copy.sealed_for.is_empty() {
        true => None,
        false => house.sealed_for(context, &copy.sealed_for)?,
    };
    let announced = house.announce(&copy.file, copy.kind, stores.clone(), sealed_for.as_ref())?;
    let mut output = CopyFile::begin(announced, &copy.file, sealed_for.as_ref())?;
    write(&mut output)?;
    output.finish(copy.kind, stores.clone())?;
    Copies::new(&house.home).note(KnownCopy { stores, ..copy.clone() })
}

/// What is read of a copy in the clear; None where it does not open.
pub(super) fn opened(
    house: &House,
    (context, identity): (&Context, Option<&Path>),
    file: &Path,
) -> Option<Box<dyn io::BufRead + Send>> {
    house.open_copy(context, file, identity).ok()
}

/// Dumps on their way, named so that the next daemon sweeps them.
pub(super) fn passing_dump(house: &House) -> (Leftovers, PathBuf) {
    let mut leftovers = Leftovers::default();
    let dump = leftovers.beside(&house.home.backups_folder().join("erasing"), "surql");
    (leftovers, dump)
}
