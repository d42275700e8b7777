//! A database in this process, in a folder, opened with settings that SurrealDB's
//! client does not pass on.
//!
//! Left to itself each store on the disk keeps what it has read in memory, up to
//! half of the machine. So the database is opened by its own parts, which promise
//! nothing from one release to the next: their version is pinned.
//!
//! It does not know whose database it is, nor when it is closed.

use crate::open::OpenError;
use std::fmt::Display;
use std::path::Path;
use std::time::Duration;
use surrealdb::Surreal;
use surrealdb::engine::local::Db;
use surrealdb::opt::capabilities::Capabilities;
use surrealdb_cnf::ConfigMap;
use surrealdb_core::kvs::Datastore;
use surrealdb_core::options::EngineOptions;

/// So many bytes of what was read are kept, for each store. What is not, the system
/// mostly has at hand.
const READ_KEPT: &str = "4194304";
/// What was written and is in no table yet fits into this, on every machine. It is
/// resident as far as it is filled, and `database.rs` sees to it that it never is
/// filled.
const WRITTEN_KEPT: &str = "268435456";
/// How often a database looks after who shares it: nobody does.
const SELDOM: Duration = Duration::from_secs(3_600);

/// The database in a folder. Another process that has it open is an error that
/// `is_taken` knows.
pub(crate) async fn in_folder(folder: &Path) -> Result<Surreal<Db>, OpenError> {
    // The database takes an address, in which a question mark begins settings:
    // such a folder would end up in another place, perhaps somebody else's.
    match folder.to_str() {
        Some(path) if !path.contains('?') => open(&format!("surrealkv://{path}")).await,
        _ => Err(OpenError::BadName),
    }
}

/// Whether another process has the folder.
pub(crate) fn is_taken(error: &OpenError) -> bool {
    matches!(error, OpenError::Damaged(why) if why.contains("already locked"))
}

async fn open(address: &str) -> Result<Surreal<Db>, OpenError> {
    let config = ConfigMap::empty()
        .with_key_value("surrealkv_block_cache_capacity", READ_KEPT)
        .with_key_value("surrealkv_max_memtable_size", WRITTEN_KEPT);
    let datastore = Datastore::builder()
        .with_config(config)
        .with_engine_options(EngineOptions {
            node_membership_refresh_interval: SELDOM,
            node_membership_check_interval: SELDOM,
            node_membership_cleanup_interval: SELDOM,
            ..EngineOptions::default()
        })
        // Nobody listens, so no room is kept for what they would be told.
        .with_capabilities(Capabilities::new().with_live_query_notifications(false).into())
        // They write, and a database whose first write they are has no version.
        .without_maintenance_tasks()
        .build_with_path(address)
        .await
        .map_err(damaged)?;
    datastore.check_version().await.map_err(damaged)?;
    datastore.bootstrap().await.map_err(damaged)?;
    datastore.start_maintenance_tasks();
    Surreal::<Db>::unstable_from_datastore(datastore, None).await.map_err(damaged)
}

fn damaged(error: impl Display) -> OpenError {
    OpenError::Damaged(error.to_string())
}
