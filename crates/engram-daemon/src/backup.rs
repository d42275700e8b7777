//! Backups: whole stores in one file, made while the daemon runs, and put back.
//!
//! The file begins with one line that says what follows; then come the stores,
//! each as SurrealQL, each with its digest. A store is dumped with nobody
//! changing it; it is put back by making a new one beside the old and
//! switching over. Whether the file is sealed is the business of `copying.rs`.

use crate::clock::now;
use crate::copying::{CopyFile, Leftovers, SealedFor, not_read};
use crate::house::{House, OpenStore};
use crate::orders::Speaker;
use crate::serve::Daemon;
use crate::{identity, trouble};
use engram_core::audit::Deed;
use engram_core::{Scope, Timestamp};
use engram_store::{ProjectEntry, StoreHome};
use engram_wire::copies::{CopiedStore, Copies, CopyKind, KnownCopy, is_sealed};
use engram_wire::platform::{private_create, private_folder};
use engram_wire::project::{self, ProjectPlace};
use engram_wire::reply::{BackedUp, Restored};
use engram_wire::window::BackupLine;
use engram_wire::{Context, Fault, Home, VERSION};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const FORMAT: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Contents {
    engram_backup: u32,
    version: String,
    created_at: Timestamp,
    pub(crate) stores: Vec<Part>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Part {
    #[serde(flatten)]
    pub(crate) store: CopiedStore,
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
}

pub(crate) async fn create(
    daemon: &Daemon,
    context: &Context,
    file: &Path,
    all_projects: bool,
    to: &[String],
    speaker: &Speaker,
) -> Result<BackedUp, Fault> {
    let house = &daemon.house;
    let sealed_for = house.sealed_for(context, to)?;
    house.audit.note(context, Deed::Backup, None, &[file.display().to_string()])?;
    house.flush_notes().await;
    let mut stores = vec![house.user().await?];
    let this = house.place(context)?;
    let places = match all_projects {
        true => house.known_places(this).await?,
        false => this.into_iter().filter(|place| StoreHome::new(&place.store).exists()).collect(),
    };
    for place in &places {
        stores.push(house.project(place).await?);
    }
    write_backup(house, &stores, file, sealed_for.as_ref(), speaker).await
}

async fn write_backup(
    house: &House,
    stores: &[Arc<OpenStore>],
    file: &Path,
    sealed_for: Option<&SealedFor>,
    speaker: &Speaker,
) -> Result<BackedUp, Fault> {
    let failed = |error: io::Error| trouble::io("writing", file, &error);
    // The dumps are in the clear. Those of a sealed backup stay on the disk that the
    // stores are on: the file may be meant for one that anybody reads.
    let beside = match sealed_for {
        None => file.to_owned(),
        Some(_) => house.home.backups_folder().join(file.file_name().unwrap_or_default()),
    };
    let folder = beside.parent().unwrap_or(Path::new("/"));
    if !folder.exists() {
        private_folder(folder).map_err(failed)?;
    }
    let mut parts = Vec::new();
    let copied: Vec<CopiedStore> = stores.iter().map(|store| store.as_copied()).collect();
    let announced = house.announce(file, CopyKind::Backup, copied.clone(), sealed_for)?;
    let mut dumps = Leftovers::default();
    for (place, store) in stores.iter().enumerate() {
        speaker.progress("backing up", place as u64, Some(stores.len() as u64)).await;
        let dump = dumps.beside(&beside, &format!("{place}.surql"));
        store.dump(&dump).await?;
        let (bytes, sha256) = digest(&dump).map_err(failed)?;
        parts.push(Part { store: store.as_copied(), bytes, sha256 });
    }
    let labels = copied.iter().map(CopiedStore::label).collect();
    let contents =
        Contents { engram_backup: FORMAT, version: VERSION.to_owned(), created_at: now(), stores: parts };
    let mut output = CopyFile::begin(announced, file, sealed_for)?;
    let mut write = || -> io::Result<()> {
        serde_json::to_writer(&mut output, &contents)?;
        output.write_all(b"\n")?;
        for dump in &dumps.0 {
            io::copy(&mut File::open(dump)?, &mut output)?;
        }
        Ok(())
    };
    write().map_err(failed)?;
    let bytes = output.finish(CopyKind::Backup, copied)?;
    let sealed_for = sealed_for.map(|sealed| sealed.names.clone()).unwrap_or_default();
    Ok(BackedUp { file: file.to_owned(), stores: labels, bytes, sealed_for })
}

impl OpenStore {
    /// The dump is one moment: nobody changes the store meanwhile.
    async fn dump(&self, file: &Path) -> Result<(), Fault> {
        let dumped = self.shelf.undisturbed(self.surreal()?.dump(file)).await;
        dumped.map_err(|error| trouble::open(&error, file))
    }
}

/// Puts the stores of a backup in the place of what is there. What is there is
/// backed up first.
pub(crate) async fn restore(
    daemon: &Daemon,
    context: &Context,
    file: &Path,
    identity: Option<&Path>,
    speaker: &Speaker,
) -> Result<Restored, Fault> {
    let house = &daemon.house;
    let _alone = house.alone().await;
    let (contents, dumps) = unpack(house, context, file, identity)?;
    let sealed_for = house.sealed_for(context, &[])?;
    let known = house.known_projects().await?;
    // Every part must have a place before the first is put back.
    let mut goals = Vec::new();
    for part in &contents.stores {
        goals.push(goal(house, context, &part.store, &known)?);
    }
    house.audit.note(context, Deed::Restore, None, &[file.display().to_string()])?;
    house.flush_notes().await;
    let (kept, damaged) = keep_what_is_there(house, &goals, sealed_for.as_ref()).await?;
    let total = goals.len() as u64;
    for (place, ((part, goal), dump)) in contents.stores.iter().zip(&goals).zip(&dumps.0).enumerate() {
        speaker.progress("restoring", place as u64, Some(total)).await;
        put_back(house, part.store.scope, goal, dump).await?;
    }
    let restored = contents.stores.iter().map(|part| part.store.label()).collect();
    Ok(Restored { restored, kept, damaged })
}

/// A backup of the stores that are about to be replaced. One that cannot be
/// opened cannot be backed up; its files are put aside as they are.
async fn keep_what_is_there(
    house: &House,
    goals: &[Goal],
    sealed_for: Option<&SealedFor>,
) -> Result<(PathBuf, Vec<PathBuf>), Fault> {
    let mut present = Vec::new();
    let mut damaged = Vec::new();
    for goal in goals {
        let home = goal.home(house);
        if !home.exists() {
            continue;
        }
        let opened = match goal {
            Goal::User => house.user().await,
            Goal::Project(place) => house.project(place).await,
        };
        match opened {
            Ok(store) => present.push(store),
            Err(fault) => {
                let aside = home.set_aside().map_err(|error| trouble::io("moving", home.folder(), &error))?;
                tracing::warn!("{}; its files are now in {aside:?}", fault.message);
                damaged.extend(aside);
            }
        }
    }
    let stamp = now().strftime("%Y%m%d-%H%M%S%.6f").to_string();
    let kept = house.home.backups_folder().join(format!("before-restore-{stamp}.backup"));
    write_backup(house, &present, &kept, sealed_for, &Speaker::silent()).await?;
    Ok((kept, damaged))
}

/// The store comes back under the name of the project that it is put into.
async fn put_back(house: &House, scope: Scope, goal: &Goal, dump: &Path) -> Result<(), Fault> {
    let database = match goal {
        Goal::User => {
            drop(house.user.take(&()));
            "default".to_owned()
        }
        Goal::Project(place) => {
            let known = house.known_projects().await?;
            drop(house.projects.take(&place.store));
            identity::settle(place, &known, now()).await?.to_string()
        }
    };
    let home = goal.home(house);
    home.replace(scope, &database, dump, now()).await.map_err(|error| trouble::open(&error, home.folder()))
}

enum Goal {
    User,
    Project(ProjectPlace),
}

impl Goal {
    fn home(&self, house: &House) -> StoreHome {
        match self {
            Goal::User => StoreHome::new(house.home.root()),
            Goal::Project(place) => StoreHome::new(&place.store),
        }
    }
}

/// Where a part belongs. A project is known by its key, wherever it is now; one
/// that is nowhere goes into a project that has no memory yet: the folder it
/// was in, or the one someone stands in.
fn goal(house: &House, context: &Context, part: &CopiedStore, known: &[ProjectEntry]) -> Result<Goal, Fault> {
    if part.scope == Scope::User {
        let url = house.settings.text("store.url");
        return match url.is_empty() {
            true => Ok(Goal::User),
            false => Err(Fault::refused(format!("the user's memories are kept at {url}, not in a folder"))
                .hint("restore there with the server's own tools, or unset store.url first")),
        };
    }
    let here = house.place(context)?;
    let seen = known.iter().filter(|entry| entry.key.as_str() == part.database).map(|entry| &entry.path);
    let elsewhere = part.path.iter().chain(seen).filter(|path| path.is_dir());
    let places: Vec<ProjectPlace> = here
        .into_iter()
        .chain(elsewhere.filter_map(|path| project::locate(path, house.home.person()).ok().flatten()))
        .collect();
    let the_same = |place: &&ProjectPlace| {
        identity::key_at(&place.store).is_some_and(|key| key.as_str() == part.database)
    };
    let empty = |place: &&ProjectPlace| !StoreHome::new(&place.store).exists();
    let was_here = |place: &&ProjectPlace| part.path.as_ref() == Some(&place.root);
    let found = places
        .iter()
        .find(the_same)
        .or_else(|| places.iter().filter(empty).find(was_here))
        .or_else(|| places.iter().find(empty));
    found.cloned().map(Goal::Project).ok_or_else(|| {
        Fault::refused(format!("there is no place for {}", part.label()))
            .hint("it is not here any more; go into a project that has no memory yet and restore there")
            .hint("nothing was changed")
    })
}

/// The backups of a home, newest first. What is no backup is passed over. Of a
/// sealed one only that is known which the list of copies tells.
pub(crate) fn list(home: &Home) -> Vec<BackupLine> {
    let Ok(entries) = fs::read_dir(home.backups_folder()) else { return Vec::new() };
    let known = Copies::new(home).load().unwrap_or_else(|fault| {
        tracing::warn!("{}", fault.message);
        Vec::new()
    });
    let line = |file: PathBuf| if is_sealed(&file) { sealed_line(file, &known) } else { clear_line(file) };
    let mut found: Vec<BackupLine> = entries.flatten().filter_map(|entry| line(entry.path())).collect();
    found.sort_by_key(|line| std::cmp::Reverse(line.made_at));
    found
}

fn clear_line(file: PathBuf) -> Option<BackupLine> {
    let open = File::open(&file).ok()?;
    let bytes = open.metadata().ok()?.len();
    let contents = contents_of(&mut BufReader::new(open)).ok()?.ok()?;
    let stores = contents.stores.iter().map(|part| part.store.label()).collect();
    Some(BackupLine { file, bytes, made_at: contents.created_at, stores, sealed: false })
}

/// A sealed file that nobody knows may be a backup of elsewhere: it is told with
/// the time of the file.
fn sealed_line(file: PathBuf, known: &[KnownCopy]) -> Option<BackupLine> {
    let meta = fs::metadata(&file).ok()?;
    let (made_at, stores) = match known.iter().find(|copy| copy.file == file) {
        Some(copy) => (copy.made_at, copy.stores.iter().map(CopiedStore::label).collect()),
        None => (Timestamp::try_from(meta.modified().ok()?).ok()?, Vec::new()),
    };
    Some(BackupLine { file, bytes: meta.len(), made_at, stores, sealed: true })
}

/// The first line says what follows.
fn contents_of(input: &mut impl BufRead) -> io::Result<serde_json::Result<Contents>> {
    let mut first = Vec::new();
    input.by_ref().take(1 << 20).read_until(b'\n', &mut first)?;
    Ok(serde_json::from_slice(&first))
}

/// Checks the file to its end and lays its parts out beside one another.
pub(crate) fn unpack(
    house: &House,
    context: &Context,
    file: &Path,
    identity: Option<&Path>,
) -> Result<(Contents, Leftovers), Fault> {
    let failed = |error: io::Error| not_read(file, &error);
    let bad = |problem: &str| {
        Fault::usage(format!("{} is not a whole backup: {problem}", file.display()))
            .hint("nothing was changed")
    };
    let mut input = house.open_copy(context, file, identity)?;
    let contents = contents_of(&mut input).map_err(failed)?;
    let contents = contents.map_err(|_| bad("its first line does not say what it holds"))?;
    if contents.engram_backup > FORMAT {
        return Err(Fault::new(
            engram_wire::FaultKind::Version,
            format!("{} was made by a newer engram ({})", file.display(), contents.version),
        ));
    }
    let folder = house.home.backups_folder();
    private_folder(&folder).map_err(failed)?;
    let mut dumps = Leftovers::default();
    for (place, part) in contents.stores.iter().enumerate() {
        let dump = dumps.beside(&folder.join("restoring"), &format!("{place}.surql"));
        let mut output = private_create(&dump).map_err(failed)?;
        io::copy(&mut input.by_ref().take(part.bytes), &mut output).map_err(failed)?;
        let (bytes, sha256) = digest(&dump).map_err(failed)?;
        if (bytes, &sha256) != (part.bytes, &part.sha256) {
            return Err(bad(&format!("{} is damaged", part.store.label())));
        }
    }
    // Whether a sealed file was cut is only known at its end.
    io::copy(&mut input, &mut io::sink()).map_err(failed)?;
    Ok((contents, dumps))
}

pub(crate) fn digest(file: &Path) -> io::Result<(u64, String)> {
    let mut hash = Sha256::new();
    let bytes = io::copy(&mut File::open(file)?, &mut hash)?;
    Ok((bytes, hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
}
