//! An open database, and how one on the disk is renewed while it is used.
//!
//! SurrealKV keeps whatever was written since it was opened in memory, once to
//! twice the length of its log, up to what `inside.rs` says. When that is full it
//! goes on with a new log, and then the last transaction of the old one is in no file:
//! it was written to the old log, which is let go of, and is kept with the new
//! one, in memory only. So a database of ours is closed long before that and
//! opened again, which puts everything into tables on the disk and lets go of
//! the log. Nobody above notices but by waiting for it.
//!
//! It does not know what is in the database, nor who keeps an index of it.

use crate::home::{folder_bytes, footprint_of};
use crate::open::{OpenError, close, connect_folder, select};
use engram_core::Scope;
use std::path::PathBuf;
use surrealdb::engine::any::Any;
use surrealdb::engine::local::Db;
use surrealdb::method::ItemStream;
use surrealdb::types::Variables;
use surrealdb::{IndexedResults, Surreal};
use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// A log of so many bytes is enough: the database is renewed as soon as nobody
/// asks it anything.
const LOG_IS_LONG: u64 = 8 << 20;
/// So many are too much: whoever asks waits, and it is renewed. Twice as much is far
/// from filling the memory for what was written.
const LOG_IS_TOO_LONG: u64 = 12 << 20;
/// Where SurrealKV keeps its log.
const LOG: &str = "wal";

/// In this process, or at an address.
pub(crate) enum Handle {
    Inside(Surreal<Db>),
    Elsewhere(Surreal<Any>),
}

impl Handle {
    pub(crate) async fn ask(&self, text: &str, parameters: Variables) -> surrealdb::Result<IndexedResults> {
        match self {
            Self::Inside(db) => db.query(text).bind(parameters).await,
            Self::Elsewhere(db) => db.query(text).bind(parameters).await,
        }
    }

    /// The rows of a question one by one.
    pub(crate) fn stream(&self, text: &str) -> surrealdb::Result<ItemStream> {
        match self {
            Self::Inside(db) => db.query(text).stream_items(),
            Self::Elsewhere(db) => db.query(text).stream_items(),
        }
    }
}

pub(crate) struct Database {
    /// None: it was closed to be renewed, and did not open again.
    open: RwLock<Option<Handle>>,
    on_disk: Option<OnDisk>,
}

/// What is needed to open it again.
struct OnDisk {
    folder: PathBuf,
    /// Which folder that was: another of its name is not to be written to.
    footprint: Option<(u64, u64)>,
    scope: Scope,
    name: String,
    long: u64,
    too_long: u64,
}

/// A database for the time of one question.
pub(crate) type Held<'d> = RwLockReadGuard<'d, Handle>;

impl Database {
    /// One that is not in a folder of ours; it is never renewed.
    pub(crate) fn elsewhere(db: Handle) -> Self {
        Self { open: RwLock::new(Some(db)), on_disk: None }
    }

    /// One in a folder that nobody else has open.
    pub(crate) fn on_disk(db: Surreal<Db>, folder: PathBuf, scope: Scope, name: &str) -> Self {
        let on_disk = OnDisk {
            footprint: footprint_of(&folder),
            folder,
            scope,
            name: name.to_owned(),
            long: LOG_IS_LONG,
            too_long: LOG_IS_TOO_LONG,
        };
        Self { open: RwLock::new(Some(Handle::Inside(db))), on_disk: Some(on_disk) }
    }

    /// It is renewed as it is used with a shorter log, for tests.
    pub(crate) fn with_short_log(mut self, bytes: u64) -> Self {
        if let Some(on_disk) = &mut self.on_disk {
            (on_disk.long, on_disk.too_long) = (bytes, bytes);
        }
        self
    }

    /// The database, to ask it something. Nobody who has it asks for it again
    /// before he let go of it.
    pub(crate) async fn held(&self) -> Result<Held<'_>, OpenError> {
        loop {
            if let Ok(held) = RwLockReadGuard::try_map(self.open.read().await, Option::as_ref) {
                return Ok(held);
            }
            let mut open = self.open.write().await;
            if open.is_none() {
                *open = Some(self.opened_again().await?);
            }
        }
    }

    /// Renews it, if its log is long and nobody has it, or too long. Whoever has
    /// written something calls this; what he wrote is on the disk whatever comes of it.
    pub(crate) async fn renew_if_long(&self) {
        let Some(on_disk) = &self.on_disk else { return };
        let bytes = on_disk.log_bytes();
        if bytes < on_disk.long || !on_disk.is_still_there() {
            return;
        }
        let open = if bytes < on_disk.too_long {
            let Ok(open) = self.open.try_write() else { return };
            open
        } else {
            self.open.write().await
        };
        // Somebody else may have done it meanwhile.
        if on_disk.log_bytes() >= on_disk.long {
            self.renew(open, on_disk).await;
        }
    }

    async fn renew(&self, mut open: RwLockWriteGuard<'_, Option<Handle>>, on_disk: &OnDisk) {
        if let Some(Handle::Inside(db)) = open.take() {
            close(db, &on_disk.folder).await;
        }
        // Where it fails, whoever asks next tries it again and is told why.
        *open = self.opened_again().await.ok();
    }

    async fn opened_again(&self) -> Result<Handle, OpenError> {
        let Some(on_disk) = &self.on_disk else {
            return Err(OpenError::Damaged("it was closed".to_owned()));
        };
        if !on_disk.is_still_there() {
            return Err(OpenError::Damaged(format!("{} is another folder now", on_disk.folder.display())));
        }
        let db = connect_folder(&on_disk.folder).await?;
        select(&db, on_disk.scope, &on_disk.name).await?;
        Ok(Handle::Inside(db))
    }

    /// Lets go of it, and waits until the database has written its last.
    pub(crate) async fn close(self) {
        if let (Some(Handle::Inside(db)), Some(on_disk)) = (self.open.into_inner(), self.on_disk) {
            close(db, &on_disk.folder).await;
        }
    }
}

impl OnDisk {
    fn log_bytes(&self) -> u64 {
        folder_bytes(&self.folder.join(LOG))
    }

    fn is_still_there(&self) -> bool {
        footprint_of(&self.folder) == self.footprint
    }
}
