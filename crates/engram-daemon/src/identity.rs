//! Who a project is, across moves and copies.
//!
//! The key is computed once, from the path, and written beside the store. A
//! project that was moved keeps it; a copy, whose original is still where the
//! record says, gets one of its own.

use crate::trouble;
use engram_core::{ProjectKey, Scope, Timestamp};
use engram_store::{ProjectEntry, StoreHome};
use engram_wire::Fault;
use engram_wire::platform::{private_create, private_folder};
use engram_wire::project::ProjectPlace;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// `identity.json`, beside the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    key: ProjectKey,
    path: PathBuf,
    created_at: Timestamp,
}

/// Keeps the memory out of git, whoever owns the repository.
const IGNORE_ALL: &str = "*\n";

/// The key of the project at `place`; makes what is missing.
pub(crate) async fn settle(
    place: &ProjectPlace,
    known: &[ProjectEntry],
    at: Timestamp,
) -> Result<ProjectKey, Fault> {
    let home = StoreHome::new(&place.store);
    let recorded = load(&place.store)?;
    let identity = match recorded {
        Some(identity) if identity.path == place.root => {
            remove_dump(&home);
            return Ok(identity.key);
        }
        // A renaming that was cut short goes on, whatever became of the original.
        Some(identity) if dump_file(&home).exists() || is_copy(&identity, place, known) => {
            let key = fresh_key(&place.root, known);
            rename_database(&home, &identity.key, &key, at).await?;
            Identity { key, path: place.root.clone(), created_at: at }
        }
        Some(moved) => Identity { path: place.root.clone(), ..moved },
        None => Identity { key: fresh_key(&place.root, known), path: place.root.clone(), created_at: at },
    };
    prepare(&place.store)?;
    save(&place.store, &identity)?;
    remove_dump(&home);
    Ok(identity.key)
}

/// The folder, and the file that keeps it out of git.
fn prepare(store: &Path) -> Result<(), Fault> {
    private_folder(store).map_err(|error| trouble::io("preparing", store, &error))?;
    if is_ignored_in_git(store) {
        return Ok(());
    }
    ignore_in_git(store).map_err(|error| trouble::io("writing", &store.join(".gitignore"), &error))
}

pub(crate) fn is_ignored_in_git(store: &Path) -> bool {
    fs::read_to_string(store.join(".gitignore")).is_ok_and(|text| text == IGNORE_ALL)
}

pub(crate) fn ignore_in_git(store: &Path) -> std::io::Result<()> {
    fs::write(store.join(".gitignore"), IGNORE_ALL)
}

/// The original is where the record says, or where the project was last seen.
fn is_copy(identity: &Identity, place: &ProjectPlace, known: &[ProjectEntry]) -> bool {
    let seen = known.iter().filter(|entry| entry.key == identity.key).map(|entry| &entry.path);
    std::iter::once(&identity.path).chain(seen).any(|path| {
        // That place is judged as it is now: there may be another project by
        // now, or nothing.
        let Ok(Some(other)) = engram_wire::project::locate(path, None) else { return false };
        other.store != place.store
            && matches!(load(&other.store), Ok(Some(theirs)) if theirs.key == identity.key && theirs.path == *path)
    })
}

/// The key of the project whose store lies here, if it has one.
pub(crate) fn key_at(store: &Path) -> Option<ProjectKey> {
    load(store).ok().flatten().map(|identity| identity.key)
}

/// The same, as long as the project is where its record says: a copy that nobody
/// has worked in yet has the key of its original.
pub(crate) fn settled_key_at(store: &Path, person: Option<&Path>) -> Option<ProjectKey> {
    let identity = load(store).ok().flatten()?;
    let place = engram_wire::project::locate(&identity.path, person).ok().flatten()?;
    (place.store == store).then_some(identity.key)
}

/// What stands for the key of a project that has none yet. No project gets it.
pub(crate) fn passing_key(store: &Path) -> ProjectKey {
    let hash = Sha256::new().chain_update("no store yet").chain_update(store.as_os_str().as_encoded_bytes());
    ProjectKey::from_digest(&hash.finalize().into())
}

/// From the path; counted on while another project has it, perhaps one that
/// was moved away from here.
fn fresh_key(root: &Path, known: &[ProjectEntry]) -> ProjectKey {
    let text = root.as_os_str().as_encoded_bytes();
    (0u32..)
        .map(|turn| {
            let mut hash = Sha256::new().chain_update(text);
            if turn > 0 {
                hash.update(turn.to_be_bytes());
            }
            ProjectKey::from_digest(&hash.finalize().into())
        })
        .find(|key| !known.iter().any(|entry| entry.key == *key))
        .unwrap_or_else(|| ProjectKey::from_digest(&Sha256::digest(text).into()))
}

/// Gives the database in `home` another name. The dump stays until the new
/// identity is written, so that a crash in between loses nothing.
async fn rename_database(
    home: &StoreHome,
    old: &ProjectKey,
    new: &ProjectKey,
    at: Timestamp,
) -> Result<(), Fault> {
    if !home.exists() {
        return Ok(());
    }
    let failed = |error: engram_store::OpenError| trouble::open(&error, home.folder());
    let dump = dump_file(home);
    if !dump.exists() {
        let draft = dump.with_extension("new");
        home.dump(Scope::Project, old.as_str(), &draft, at).await.map_err(failed)?;
        fs::rename(&draft, &dump).map_err(|error| trouble::io("writing", &dump, &error))?;
    }
    home.replace(Scope::Project, new.as_str(), &dump, at).await.map_err(failed)
}

fn dump_file(home: &StoreHome) -> PathBuf {
    home.folder().join("renaming.surql")
}

fn remove_dump(home: &StoreHome) {
    let _ = fs::remove_file(dump_file(home));
}

fn load(store: &Path) -> Result<Option<Identity>, Fault> {
    let file = store.join("identity.json");
    match fs::read_to_string(&file) {
        Ok(text) => serde_json::from_str(&text).map(Some).map_err(|error| {
            Fault::environment(format!("{} cannot be understood: {error}", file.display()))
                .hint("restore it from a backup; the key is the name of the database, p_ and twelve digits")
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(trouble::io("reading", &file, &error)),
    }
}

fn save(store: &Path, identity: &Identity) -> Result<(), Fault> {
    let file = store.join("identity.json");
    let failed = |error: std::io::Error| trouble::io("writing", &file, &error);
    let draft = file.with_extension("new");
    let mut text =
        serde_json::to_string_pretty(identity).map_err(|error| Fault::internal(error.to_string()))?;
    text.push('\n');
    let mut output = private_create(&draft).map_err(failed)?;
    output.write_all(text.as_bytes()).and_then(|()| output.sync_all()).map_err(failed)?;
    fs::rename(&draft, &file).map_err(failed)?;
    fs::File::open(store).and_then(|folder| folder.sync_all()).map_err(failed)
}
