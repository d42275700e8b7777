//! Opens a store wherever it lies: in memory, on disk, at a URL.

use crate::home::StoreHome;
use crate::migrate::migrate;
use engram_core::{ProjectKey, Scope, SessionId, Timestamp};
use std::io;
use surrealdb::Surreal;
use surrealdb::engine::any::Any;
use surrealdb::opt::auth::Root;

/// Where a store lies.
#[derive(Debug, Clone)]
pub enum Location {
    Memory,
    Disk(StoreHome),
    /// Any SurrealDB endpoint; `ws://` needs the cargo feature `remote`.
    Url { url: String, access: Option<Access> },
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
    pub(crate) db: Surreal<Any>,
}

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

    /// Always in memory; its durability is the journal's business.
    pub async fn open_session(id: SessionId, at: Timestamp) -> Result<Self, OpenError> {
        Self::open(&Location::Memory, Scope::Session, &id.database(), at).await
    }

    async fn open(
        location: &Location,
        scope: Scope,
        database: &str,
        at: Timestamp,
    ) -> Result<Self, OpenError> {
        let db = connect(location).await?;
        select(&db, scope, database).await?;
        migrate(&db, scope, at).await?;
        Ok(Self { db })
    }
}

async fn connect(location: &Location) -> Result<Surreal<Any>, OpenError> {
    let damaged = |error: surrealdb::Error| OpenError::Damaged(error.to_string());
    match location {
        Location::Memory => surrealdb::engine::any::connect("mem://").await.map_err(damaged),
        Location::Disk(home) => connect_folder(&home.prepare()?).await,
        Location::Url { url, access } => {
            let db = surrealdb::engine::any::connect(url.as_str()).await.map_err(damaged)?;
            if let Some(access) = access {
                let (username, password) = (access.username.clone(), access.password.clone());
                db.signin(Root { username, password }).await.map_err(damaged)?;
            }
            Ok(db)
        }
    }
}

pub(crate) async fn connect_folder(folder: &std::path::Path) -> Result<Surreal<Any>, OpenError> {
    let address = format!("surrealkv://{}", folder.display());
    surrealdb::engine::any::connect(address)
        .await
        .map_err(|error| OpenError::Damaged(error.to_string()))
}

pub(crate) async fn select(db: &Surreal<Any>, scope: Scope, database: &str) -> Result<(), OpenError> {
    db.use_ns(scope.as_str())
        .use_db(database)
        .await
        .map(|_| ())
        .map_err(|error| OpenError::Damaged(error.to_string()))
}
