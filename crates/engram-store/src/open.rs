//! Opens a store wherever it lies: on disk, at a URL.

use crate::database::{Database, Handle};
use crate::home::StoreHome;
use crate::inside::{in_folder, is_taken};
use crate::migrate::{Place, migrate};
use engram_core::team::TeamName;
use engram_core::{ProjectKey, Scope, Timestamp};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::Duration;
use surrealdb::engine::any::Any;
use surrealdb::engine::local::Db;
use surrealdb::opt::auth::Root;
use surrealdb::types::Variables;
use surrealdb::{Connection, Surreal};

/// Where a store lies.
#[derive(Debug, Clone)]
pub enum Location {
    Disk(StoreHome),
    /// Any SurrealDB endpoint.
    Url {
        url: String,
        access: Option<Access>,
    },
}

/// Credentials for an endpoint that asks for them.
#[derive(Clone)]
pub struct Access {
    pub username: String,
    pub password: String,
}

impl std::fmt::Debug for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Access({}, ...)", self.username)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the store's folder could not be prepared: {0}")]
    Folder(#[from] io::Error),
    #[error("the store could not be opened: {0}")]
    Damaged(String),
    #[error("no store can lie in a folder whose name has a question mark or is not UTF-8")]
    BadName,
    #[error("another process has the store open")]
    Taken,
    #[error(
        "the store was written by a newer engram (schema {found}; this one knows {known}); \
         nothing was changed"
    )]
    FromTheFuture { found: i64, known: i64 },
    #[error("schema step {number} of the store is not the one this program knows; nothing was changed")]
    ForeignSchema { number: i64 },
    #[error("the store's schema could not be prepared: {0}")]
    Migration(String),
    #[error("the store could not be copied: {0}")]
    Copy(String),
}

/// A store behind the `Store` port.
pub struct SurrealStore {
    pub(crate) database: Database,
}

/// The database lets go of its files a moment after its last handle is gone.
const NAP: Duration = Duration::from_millis(10);
const NAPS: usize = 300;

impl SurrealStore {
    pub async fn open_user(location: &Location, at: Timestamp) -> Result<Self, OpenError> {
        Self::open(location, Scope::User, "default", at).await
    }

    pub async fn open_project(
        location: &Location,
        key: &ProjectKey,
        at: Timestamp,
    ) -> Result<Self, OpenError> {
        Self::open(location, Scope::Project, key.as_str(), at).await
    }

    /// The replica of a team, never the team's server.
    pub async fn open_team(location: &Location, name: &TeamName, at: Timestamp) -> Result<Self, OpenError> {
        Self::open(location, Scope::Team, &name.database(), at).await
    }

    /// Writes the whole of this database as SurrealQL into `file`.
    pub async fn dump(&self, file: &Path) -> Result<(), OpenError> {
        match &*self.database.held().await? {
            Handle::Inside(db) => dump(db, file).await,
            Handle::Elsewhere(db) => dump(db, file).await,
        }
    }

    /// Lets go of the files, and waits until the database has written its last.
    pub async fn close(self) {
        self.database.close().await;
    }

    /// Has its files put in order as soon as its log has so many bytes, for tests.
    #[doc(hidden)]
    pub fn with_short_log(self, bytes: u64) -> Self {
        Self { database: self.database.with_short_log(bytes) }
    }

    /// Any statement at all, for tests that try to get around the door.
    /// Returns what the last one answered, as text.
    #[doc(hidden)]
    pub async fn run_raw(&self, text: &str) -> Result<String, String> {
        let db = self.database.held().await.map_err(|error| error.to_string())?;
        let answer = db.ask(text, Variables::new()).await.map_err(|error| error.to_string())?;
        let mut answer = answer.check().map_err(|error| error.to_string())?;
        let last = answer.num_statements() - 1;
        let value: surrealdb::types::Value = answer.take(last).map_err(|error| error.to_string())?;
        Ok(format!("{value:?}"))
    }

    async fn open(
        location: &Location,
        scope: Scope,
        database: &str,
        at: Timestamp,
    ) -> Result<Self, OpenError> {
        let database = match location {
            Location::Disk(home) => {
                let folder = home.prepare(at)?;
                let db = connect_folder(&folder).await?;
                prepare(&db, scope, database, at).await?;
                Database::on_disk(db, folder, scope, database)
            }
            Location::Url { url, access } => {
                let db = connect_url(url, access.as_ref()).await?;
                prepare(&db, scope, database, at).await?;
                Database::elsewhere(Handle::Elsewhere(db))
            }
        };
        Ok(Self { database })
    }
}

async fn prepare(
    db: &Surreal<impl Connection>,
    scope: Scope,
    database: &str,
    at: Timestamp,
) -> Result<(), OpenError> {
    select(db, scope, database).await?;
    migrate(db, Place::local(scope), at).await.map(drop)
}

async fn connect_url(url: &str, access: Option<&Access>) -> Result<Surreal<Any>, OpenError> {
    let damaged = |error: surrealdb::Error| OpenError::Damaged(error.to_string());
    let db = surrealdb::engine::any::connect(url).await.map_err(damaged)?;
    if let Some(access) = access {
        let (username, password) = (access.username.clone(), access.password.clone());
        db.signin(Root { username, password }).await.map_err(damaged)?;
    }
    Ok(db)
}

/// Everyone's text is in a dump: it is private from its first byte.
pub(crate) async fn dump(db: &Surreal<impl Connection>, file: &Path) -> Result<(), OpenError> {
    OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(file)?;
    db.export(file).await.map_err(|error| OpenError::Copy(error.to_string()))
}

/// Waits until the database has let go of its files.
pub(crate) async fn close(db: Surreal<Db>, folder: &Path) {
    drop(db);
    let Ok(lock) = File::open(folder.join("LOCK")) else { return };
    for _ in 0..NAPS {
        if lock.try_lock().is_ok() {
            return;
        }
        tokio::time::sleep(NAP).await;
    }
}

/// Waits until whoever has the folder lets go of it.
pub(crate) async fn connect_folder(folder: &Path) -> Result<Surreal<Db>, OpenError> {
    for _ in 0..NAPS {
        match in_folder(folder).await {
            Err(error) if is_taken(&error) => tokio::time::sleep(NAP).await,
            outcome => return outcome,
        }
    }
    Err(OpenError::Taken)
}

pub(crate) async fn select(
    db: &Surreal<impl Connection>,
    scope: Scope,
    database: &str,
) -> Result<(), OpenError> {
    db.use_ns(scope.as_str())
        .use_db(database)
        .await
        .map(|_| ())
        .map_err(|error| OpenError::Damaged(error.to_string()))
}
