//! Durable remember, beside a commit of the same row into a bare database that
//! does nothing else.

use super::daemon::Daemon;
use super::filled::Births;
use super::{Sheet, Times, timed, timed_async};
use crate::texts::sentence;
use anyhow::Result;
use engram_core::port::Store as _;
use engram_core::{Changes, Scope, Write};
use engram_store::{Location, StoreHome, SurrealStore};
use std::path::Path;
use std::time::Duration;
use surrealdb::Surreal;
use surrealdb::engine::any::Any;
use surrealdb::types::{RecordId, SurrealValue};

const ROUNDS: u64 = 500;
/// The first writes open files and fill caches.
const FIRST: u64 = 50;

/// A database without a schema, in the process of the bench.
pub(super) struct Bare(Surreal<Any>);

impl Bare {
    pub(super) async fn open(folder: &Path) -> Result<Self> {
        let database = surrealdb::engine::any::connect(format!("surrealkv://{}", folder.display())).await?;
        database.use_ns("bench").use_db("bench").await?;
        database.query("DEFINE TABLE memory SCHEMALESS").await?.check()?;
        Ok(Self(database))
    }

    /// Commits the first memory of a birth.
    pub(super) async fn commit(&self, birth: &Changes) -> Result<Duration> {
        let Some(Write::Create { memory }) = birth.writes.first() else {
            anyhow::bail!("nothing is born here");
        };
        let row = serde_json::to_value(memory)?.into_value();
        let id = RecordId::new("memory", memory.id.to_string());
        let commit = async {
            let create = self.0.query("CREATE $id CONTENT $row RETURN NONE");
            create.bind(("id", id)).bind(("row", row)).await?.check()
        };
        let (outcome, time) = timed_async(commit).await;
        outcome?;
        Ok(time)
    }
}

pub(super) async fn measure(programs: &Path, ground: &Path, bare: &Bare, sheet: &mut Sheet) -> Result<()> {
    let folder = ground.join("remember-project");
    let daemon = Daemon::new(programs, &ground.join("remember-home"), &folder)?;
    let mut births = Births::new(0);
    daemon.recall("warm up".into())?;
    let door = Location::Disk(StoreHome::new(ground.join("door")));
    let door = SurrealStore::open_project(&door, &"p_0123456789ab".parse()?, births.at()).await?;
    let (mut ours, mut doors, mut theirs) = (Times::default(), Times::default(), Times::default());
    for number in 0..ROUNDS {
        let text = sentence(number);
        let birth = births.birth(&text, Scope::Project)?;
        let (outcome, through_socket) = timed(|| daemon.remember(birth.operation, text));
        outcome?;
        let (outcome, through_door) = timed_async(door.commit(birth.clone(), Vec::new())).await;
        outcome?;
        let without_anything = bare.commit(&birth).await?;
        if number >= FIRST {
            ours.add(through_socket);
            doors.add(through_door);
            theirs.add(without_anything);
        }
    }
    let beside = ("bare commit", theirs.median());
    sheet.pair("durable remember through the socket", ours.median(), beside);
    sheet.pair("the same through the commit door alone", doors.median(), beside);
    Ok(())
}
