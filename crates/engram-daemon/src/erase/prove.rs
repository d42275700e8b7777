//! The proof: every file is searched byte by byte, and every database is read whole.
//! One alone would prove nothing: a database may pack its files, and a file that none
//! reads any more still has its bytes. A session is a file, its journal.

use super::copies::{opened, passing_dump};
use super::elsewhere::{self, team_place};
use super::files::skill_files;
use super::stores::Room;
use super::{Project, Told, Words};
use crate::house::{House, Truth};
use crate::trouble;
use engram_core::erase::WINDOW;
use engram_wire::copies::{Copies, is_sealed};
use engram_wire::platform::private_folder;
use engram_wire::{Context, Fault};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// So much of a file is looked at at once.
const PART: usize = 1 << 20;
/// Folders of the home that hold nobody's words: what was downloaded, and the
/// socket.
const OTHERS: [&str; 2] = ["models", "run"];

/// What was found where.
#[derive(Default)]
pub(super) struct Counts {
    /// How many stretches of the words, by the name of the place. What has none is
    /// not here.
    pub(super) places: BTreeMap<String, usize>,
    /// How many files were searched.
    pub(super) files: usize,
    /// How many exports and backups are known.
    pub(super) copies: usize,
}

impl Counts {
    fn add(&mut self, place: String, found: usize) {
        if found > 0 {
            *self.places.entry(place).or_default() += found;
        }
    }
}

/// Searches everything; `asked` is who wants it, and with which keys. A file that cannot be read is told, not passed over.
pub(super) async fn count(
    house: &House,
    asked: (&Context, Option<&Path>),
    rooms: &[Room],
    project: Option<&Project>,
    words: &Words,
    told: &mut Told,
) -> Result<Counts, Fault> {
    let mut counts = Counts::default();
    let folder = house.home.backups_folder();
    private_folder(&folder).map_err(|error| trouble::io("preparing", &folder, &error))?;
    // What the team shares is emptied in a way of its own, and read like all else.
    let replica = elsewhere::room(house, told).await;
    let rooms: Vec<&Room> = rooms.iter().chain(&replica).collect();
    for room in &rooms {
        let Truth::Database(surreal) = room.store.truth() else { continue };
        let (leftovers, dump) = passing_dump(house);
        surreal.dump(&dump).await.map_err(|error| trouble::open(&error, &dump))?;
        match File::open(&dump).and_then(|file| search(file, words)) {
            Ok(found) => counts.add(room.label.clone(), found),
            Err(error) => told.leave(room.label.clone(), error.to_string()),
        }
        drop(leftovers);
    }
    let mut files = BTreeSet::new();
    walk(house.home.root(), &OTHERS, &mut files);
    for room in &rooms {
        if let Some(folder) = room.folder().filter(|folder| *folder != house.home.root()) {
            walk(folder, &[], &mut files);
        }
        let skills = house.skills_folder(&room.store).ok().flatten();
        files.extend(skills.iter().flat_map(|folder| skill_files(folder)));
    }
    if let Some(project) = project {
        walk(&project.store, &[], &mut files);
        files.extend(skill_files(&project.root.join(".claude").join("skills")));
    }
    let copies = Copies::new(&house.home).load()?;
    counts.copies = copies.len();
    let known: BTreeSet<PathBuf> = copies.iter().map(|copy| copy.file.clone()).collect();
    files.extend(copies.into_iter().map(|copy| copy.file).filter(|file| file.is_file()));
    files.remove(&house.home.erase_file());
    let team = team_place(house);
    for file in files {
        let journal_of =
            rooms.iter().find(|room| room.session.is_some_and(|id| house.journal_file(id) == file));
        let place = match journal_of {
            Some(room) => room.label.clone(),
            None => place_of(&file, &rooms, team.as_ref()),
        };
        // What is sealed tells nothing as it lies; whether it opens is seen when it
        // is gone through.
        let found = match is_sealed(&file) {
            true => match opened(house, asked, &file) {
                Some(input) => search(input, words),
                None if known.contains(&file) => Ok(0),
                None => Err(io::Error::other("it is sealed, and no copy that is known")),
            },
            false => File::open(&file).and_then(|file| search(file, words)),
        };
        counts.files += 1;
        match found {
            Ok(found) => counts.add(place, found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => told.leave(place, error.to_string()),
        }
    }
    Ok(counts)
}

/// The files of a database are told as its store, all others by their names.
fn place_of(file: &Path, rooms: &[&Room], team: Option<&(PathBuf, String)>) -> String {
    let within = |folder: &Path| {
        let inside = file.strip_prefix(folder).ok()?.components().next()?;
        let name = inside.as_os_str().to_string_lossy();
        Some(name.starts_with("db-") || name.starts_with("draft-") || name == "rewriting.surql")
    };
    let stores = rooms.iter().filter_map(|room| Some((room.folder()?, &room.label)));
    let stores = stores.chain(team.map(|(folder, name)| (folder.as_path(), name)));
    let mut stores = stores.filter(|(folder, _)| within(folder) == Some(true));
    stores.next().map_or_else(|| file.display().to_string(), |(_, name)| name.clone())
}

/// Every file below a folder. A link is not followed.
fn walk(folder: &Path, but: &[&str], files: &mut BTreeSet<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && !but.iter().any(|name| path.ends_with(name)) => {
                walk(&path, &[], files);
            }
            Ok(kind) if kind.is_file() => {
                files.insert(path);
            }
            _ => {}
        }
    }
}

/// How many stretches of the words are in what is read.
fn search(mut input: impl Read, words: &Words) -> io::Result<usize> {
    let mut found = 0;
    let mut part = Vec::with_capacity(PART + WINDOW);
    loop {
        // A piece that lies over the end of one part lies whole in the next.
        let read = input.by_ref().take(PART as u64).read_to_end(&mut part)?;
        if read == 0 {
            return Ok(found);
        }
        found += words.plan.traces.found_in(&part);
        let rest = part.len().saturating_sub(WINDOW - 1);
        part.drain(..rest);
    }
}
