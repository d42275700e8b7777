//! The folder of a store on disk.
//!
//! The database lies in `db-N`, and the file `current` says which N counts. A
//! whole copy (restore, or a rewrite after a purge) is made beside it, and
//! becomes the store by one rename; what a crash leaves over is swept at the
//! next opening.

use crate::open::{OpenError, connect_folder, select};
use engram_core::{Scope, Timestamp};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

const POINTER: &str = "current";

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
        self.folder.join(POINTER).is_file()
    }

    /// Bytes on disk of the database that counts.
    pub fn bytes(&self) -> u64 {
        self.current().map_or(0, |folder| folder_bytes(&folder))
    }

    /// Which folder on the disk the database is, whatever it is called. Two
    /// looks that differ mean that somebody moved it or put another in its place.
    pub fn footprint(&self) -> Option<(u64, u64)> {
        let meta = fs::metadata(self.current()?).ok()?;
        Some((meta.dev(), meta.ino()))
    }

    /// Makes the folder if needed, sweeps leftovers, and says where the
    /// database is.
    pub(crate) fn prepare(&self, at: Timestamp) -> io::Result<PathBuf> {
        make_private_folder(&self.folder)?;
        let current = match self.current().filter(|folder| folder.exists()) {
            Some(current) => current,
            None => {
                let first = self.fresh(at);
                self.point_at(&first)?;
                first
            }
        };
        self.sweep(&current);
        Ok(current)
    }

    /// Writes the whole of one database as SurrealQL into `file`.
    pub async fn dump(
        &self,
        scope: Scope,
        database: &str,
        file: &Path,
        at: Timestamp,
    ) -> Result<(), OpenError> {
        let db = connect_folder(&self.prepare(at)?).await?;
        select(&db, scope, database).await?;
        db.export(file).await.map_err(|error| OpenError::Copy(error.to_string()))
    }

    /// Makes a store from a dump and puts it in the place of this one.
    pub async fn replace(
        &self,
        scope: Scope,
        database: &str,
        file: &Path,
        at: Timestamp,
    ) -> Result<(), OpenError> {
        make_private_folder(&self.folder)?;
        let next = self.fresh(at);
        {
            let db = connect_folder(&next).await?;
            select(&db, scope, database).await?;
            db.import(file).await.map_err(|error| OpenError::Copy(error.to_string()))?;
        }
        self.point_at(&next)?;
        self.sweep(&next);
        Ok(())
    }

    /// A name that no database here had before: one that is still being closed
    /// writes to its old name once more, and must not meet another there.
    fn fresh(&self, at: Timestamp) -> PathBuf {
        let mut number = at.as_millisecond().unsigned_abs();
        loop {
            let folder = self.folder.join(format!("db-{number}"));
            if !folder.exists() {
                return folder;
            }
            number += 1;
        }
    }

    /// Puts a database that cannot be opened out of the way, where no sweep
    /// finds it, and says where.
    pub fn set_aside(&self) -> io::Result<Option<PathBuf>> {
        let Some(current) = self.current().filter(|folder| folder.exists()) else { return Ok(None) };
        let mut aside = self.folder.join("damaged-1");
        for number in 2.. {
            if !aside.exists() {
                break;
            }
            aside = self.folder.join(format!("damaged-{number}"));
        }
        fs::rename(current, &aside)?;
        Ok(Some(aside))
    }

    fn current(&self) -> Option<PathBuf> {
        let name = fs::read_to_string(self.folder.join(POINTER)).ok()?;
        let folder = self.folder.join(name.trim());
        number_of(&folder).map(|_| folder)
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
            if path != keep && number_of(&path).is_some() {
                let _ = remove_folder(&path);
            }
        }
    }
}

fn number_of(folder: &Path) -> Option<u64> {
    folder.file_name()?.to_str()?.strip_prefix("db-")?.parse().ok()
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

fn folder_bytes(folder: &Path) -> u64 {
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
