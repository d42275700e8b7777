//! The folder of a store on disk.
//!
//! The database lies in `db-N`, and the file `current` says which N counts. A
//! whole copy (restore, or a rewrite after a purge) is made in `draft-N`, takes
//! its name when it is whole, and becomes the store by one rename. What a crash
//! leaves over is swept at the next opening, but only when it is known which
//! database counts: a lost `current` must not cost a memory.

use crate::migrate::{Place, migrate};
use crate::open::{OpenError, close, connect_folder, dump, select};
use engram_core::{Scope, Timestamp};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

const POINTER: &str = "current";
/// Beginnings of names: a whole database, and one in the making.
const DATABASE: &str = "db-";
const DRAFT: &str = "draft-";
/// One that does not open, put aside.
const DAMAGED: &str = "damaged-";
/// There when the files still have to be written anew; and what they are
/// written from.
const REWRITE: &str = "rewrite";
const REWRITING: &str = "rewriting.surql";

/// A store's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreHome {
    folder: PathBuf,
}

impl StoreHome {
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn exists(&self) -> bool {
        self.current().is_some() || self.newest().is_some()
    }

    /// Bytes on disk of the database that counts.
    pub fn bytes(&self) -> u64 {
        self.current().map_or(0, |folder| folder_bytes(&folder))
    }

    /// Which folder on the disk the database is, whatever it is called. Two
    /// looks that differ mean that somebody moved it or put another in its place.
    pub fn footprint(&self) -> Option<(u64, u64)> {
        footprint_of(&self.current()?)
    }

    /// Makes the folder if needed and says where the database is.
    pub(crate) fn prepare(&self, at: Timestamp) -> io::Result<PathBuf> {
        make_private_folder(&self.folder)?;
        if let Some(current) = self.current().filter(|folder| folder.exists()) {
            self.sweep(&current);
            return Ok(current);
        }
        // Whole databases are the only ones of that name, so the newest one is
        // the store, even where the pointer to it was lost.
        let found = self.newest().unwrap_or_else(|| self.fresh(DATABASE, at));
        self.point_at(&found)?;
        Ok(found)
    }

    /// Notes that the files must be written anew, because something was taken
    /// out for good. It holds until that is done, over any crash.
    pub fn ask_for_rewrite(&self) -> io::Result<()> {
        File::create(self.folder.join(REWRITE))?.sync_all()?;
        File::open(&self.folder)?.sync_all()
    }

    /// Writes the files anew, if that was asked for. Nobody may have the store
    /// open.
    pub async fn rewrite_if_asked(
        &self,
        scope: Scope,
        database: &str,
        at: Timestamp,
    ) -> Result<(), OpenError> {
        let marker = self.folder.join(REWRITE);
        if !marker.exists() {
            return Ok(());
        }
        let dump = self.folder.join(REWRITING);
        let outcome = match self.dump(scope, database, &dump, at).await {
            Ok(()) => self.replace(scope, database, &dump, at).await,
            Err(error) => Err(error),
        };
        let _ = fs::remove_file(&dump);
        outcome?;
        fs::remove_file(marker)?;
        Ok(())
    }

    /// Writes the whole of one database as SurrealQL into `file`.
    pub async fn dump(
        &self,
        scope: Scope,
        database: &str,
        file: &Path,
        at: Timestamp,
    ) -> Result<(), OpenError> {
        let folder = self.prepare(at)?;
        let db = connect_folder(&folder).await?;
        select(&db, scope, database).await?;
        let outcome = dump(&db, file).await;
        close(db, &folder).await;
        outcome
    }

    /// Makes a store from a dump and puts it in the place of this one. A dump
    /// that this program cannot read changes nothing.
    pub async fn replace(
        &self,
        scope: Scope,
        database: &str,
        file: &Path,
        at: Timestamp,
    ) -> Result<(), OpenError> {
        make_private_folder(&self.folder)?;
        let draft = self.fresh(DRAFT, at);
        let outcome = fill(&draft, scope, database, file, at).await;
        if let Err(error) = outcome {
            let _ = remove_folder(&draft);
            return Err(error);
        }
        let next = self.fresh(DATABASE, at);
        fs::rename(&draft, &next)?;
        self.point_at(&next)?;
        self.sweep(&next);
        Ok(())
    }

    /// A name that no database here had before: one that is still being closed
    /// writes to its old name once more, and must not meet another there.
    fn fresh(&self, prefix: &str, at: Timestamp) -> PathBuf {
        let newest = self.newest().and_then(|folder| number_of(&folder, DATABASE)).unwrap_or(0);
        let mut number = at.as_millisecond().unsigned_abs().max(newest + 1);
        loop {
            let folder = self.folder.join(format!("{prefix}{number}"));
            if !folder.exists() {
                return folder;
            }
            number += 1;
        }
    }

    fn newest(&self) -> Option<PathBuf> {
        let entries = fs::read_dir(&self.folder).ok()?;
        let databases = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir());
        databases
            .filter(|path| number_of(path, DATABASE).is_some())
            .max_by_key(|path| number_of(path, DATABASE))
    }

    /// Puts a database that cannot be opened out of the way, where no sweep
    /// finds it, and says where.
    pub fn set_aside(&self) -> io::Result<Option<PathBuf>> {
        let Some(current) = self.current().filter(|folder| folder.exists()) else { return Ok(None) };
        let mut aside = self.folder.join(format!("{DAMAGED}1"));
        for number in 2.. {
            if !aside.exists() {
                break;
            }
            aside = self.folder.join(format!("{DAMAGED}{number}"));
        }
        fs::rename(current, &aside)?;
        Ok(Some(aside))
    }

    /// The databases that were put out of the way, and are still there.
    pub fn put_aside(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let folders = entries.map(|entry| entry.path()).filter(|path| path.is_dir());
        folders.filter(|path| number_of(path, DAMAGED).is_some()).collect()
    }

    fn current(&self) -> Option<PathBuf> {
        let name = fs::read_to_string(self.folder.join(POINTER)).ok()?;
        let folder = self.folder.join(name.trim());
        number_of(&folder, DATABASE).map(|_| folder)
    }

    fn point_at(&self, folder: &Path) -> io::Result<()> {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let draft = self.folder.join("current.new");
        let mut file = File::create(&draft)?;
        writeln!(file, "{name}")?;
        file.sync_all()?;
        fs::rename(&draft, self.folder.join(POINTER))?;
        File::open(&self.folder)?.sync_all()
    }

    /// A leftover that cannot be removed now is removed another time.
    fn sweep(&self, keep: &Path) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        for path in entries.flatten().map(|entry| entry.path()) {
            let old = number_of(&path, DATABASE).or_else(|| number_of(&path, DRAFT)).is_some();
            if old && path != keep {
                let _ = remove_folder(&path);
            }
        }
        let _ = fs::remove_file(self.folder.join(REWRITING));
    }
}

async fn fill(
    folder: &Path,
    scope: Scope,
    database: &str,
    file: &Path,
    at: Timestamp,
) -> Result<(), OpenError> {
    let db = connect_folder(folder).await?;
    let work = async {
        select(&db, scope, database).await?;
        db.import(file).await.map_err(|error| OpenError::Copy(error.to_string()))?;
        migrate(&db, Place::local(scope), at).await.map(drop)
    };
    let outcome = work.await;
    close(db, folder).await;
    outcome
}

fn number_of(folder: &Path, prefix: &str) -> Option<u64> {
    folder.file_name()?.to_str()?.strip_prefix(prefix)?.parse().ok()
}

fn make_private_folder(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

fn remove_folder(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Which folder on the disk it is, whatever it is called.
pub(crate) fn footprint_of(folder: &Path) -> Option<(u64, u64)> {
    let meta = fs::metadata(folder).ok()?;
    Some((meta.dev(), meta.ino()))
}

pub(crate) fn folder_bytes(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(meta) if meta.is_dir() => folder_bytes(&entry.path()),
            Ok(meta) => meta.len(),
            Err(_) => 0,
        })
        .sum()
}
