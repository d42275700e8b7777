//! Opens a store wherever it lies: in memory, on disk, at a URL.

use crate::database::Database;
use crate::home::StoreHome;
use crate::migrate::{Place, migrate};
use engram_core::team::TeamName;
use engram_core::{ProjectKey, Scope, SessionId, Timestamp};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use surrealdb::Surreal;
use surrealdb::engine::any::Any;
use surrealdb::opt::Config;
use surrealdb::opt::auth::Root;
use surrealdb::opt::capabilities::Capabilities;

/// Where a store lies.
#[derive(Debug, Clone)]
pub enum Location {
    Memory,
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
/// How often a database looks after who shares it: nobody does.
const SELDOM: Duration = Duration::from_secs(3_600);

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

    /// Always in memory; its durability is the journal's business.
    pub async fn open_session(id: SessionId, at: Timestamp) -> Result<Self, OpenError> {
        Self::open(&Location::Memory, Scope::Session, &id.database(), at).await
    }

    /// Writes the whole of this database as SurrealQL into `file`.
    pub async fn dump(&self, file: &Path) -> Result<(), OpenError> {
        dump(&*self.database.held().await?, file).await
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
        let answer = db.query(text).await.map_err(|error| error.to_string())?;
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
        let (db, folder) = connect(location, at).await?;
        select(&db, scope, database).await?;
        migrate(&db, Place::local(scope), at).await?;
        let database = match folder {
            Some(folder) => Database::on_disk(db, folder, scope, database),
            None => Database::elsewhere(db),
        };
        Ok(Self { database })
    }
}

async fn connect(location: &Location, at: Timestamp) -> Result<(Surreal<Any>, Option<PathBuf>), OpenError> {
    let damaged = |error: surrealdb::Error| OpenError::Damaged(error.to_string());
    match location {
        Location::Memory => {
            let db = surrealdb::engine::any::connect(("mem://", alone())).await.map_err(damaged)?;
            Ok((db, None))
        }
        Location::Disk(home) => {
            let folder = home.prepare(at)?;
            Ok((connect_folder(&folder).await?, Some(folder)))
        }
        Location::Url { url, access } => {
            let db = surrealdb::engine::any::connect(url.as_str()).await.map_err(damaged)?;
            if let Some(access) = access {
                let (username, password) = (access.username.clone(), access.password.clone());
                db.signin(Root { username, password }).await.map_err(damaged)?;
            }
            Ok((db, None))
        }
    }
}

/// Everyone's text is in a dump: it is private from its first byte.
pub(crate) async fn dump(db: &Surreal<Any>, file: &Path) -> Result<(), OpenError> {
    OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(file)?;
    db.export(file).await.map_err(|error| OpenError::Copy(error.to_string()))
}

/// Waits until the database has let go of its files.
pub(crate) async fn close(db: Surreal<Any>, folder: &Path) {
    drop(db);
    let Ok(lock) = File::open(folder.join("LOCK")) else { return };
    for _ in 0..NAPS {
        if lock.try_lock().is_ok() {
            return;
        }
        tokio::time::sleep(NAP).await;
    }
}

/// How a database is set that one process has for itself: nobody listens to it, so
/// it keeps no room for what it would tell, and it need not write down every three
/// seconds that it lives.
fn alone() -> Config {
    Config::new()
        .capabilities(Capabilities::new().with_live_query_notifications(false))
        .node_membership_refresh_interval(SELDOM)
        .node_membership_check_interval(SELDOM)
        .node_membership_cleanup_interval(SELDOM)
}

pub(crate) async fn connect_folder(folder: &Path) -> Result<Surreal<Any>, OpenError> {
    // The database takes an address, in which a question mark begins settings:
    // such a folder would end up in another place, perhaps somebody else's.
    let address = match folder.to_str() {
        Some(path) if !path.contains('?') => format!("surrealkv://{path}"),
        _ => return Err(OpenError::BadName),
    };
    for _ in 0..NAPS {
        match surrealdb::engine::any::connect((address.as_str(), alone())).await {
            Ok(db) => return Ok(db),
            Err(error) if !error.to_string().contains("already locked") => {
                return Err(OpenError::Damaged(error.to_string()));
            }
            Err(_) => tokio::time::sleep(NAP).await,
        }
    }
    Err(OpenError::Taken)
}

pub(crate) async fn select(db: &Surreal<Any>, scope: Scope, database: &str) -> Result<(), OpenError> {
    db.use_ns(scope.as_str())
        .use_db(database)
        .await
        .map(|_| ())
        .map_err(|error| OpenError::Damaged(error.to_string()))
}
