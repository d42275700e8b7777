//! Memories to measure with: how they are born, and a store on disk that is
//! full of them.

use super::{Sheet, millis, timed_async};
use crate::texts::sentence;
use anyhow::{Context as _, Result};
use engram_core::plan::{Draft, Occasion, plan_remember};
use engram_core::port::{Embedder, Purpose, Store};
use engram_core::{Actor, Changes, IdMint, OperationId, ProjectKey, Provenance, Scope, Timestamp};
use engram_engine::{Embedders, Shelf};
use engram_maps::MapStore;
use engram_providers::Table;
use engram_store::{Location, StoreHome, SurrealStore};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// So many memories are committed in one step.
const STEP: usize = 200;
/// More are not written to a database: that would take longer than everything
/// else together.
pub(super) const MOST_ON_DISK: usize = 100_000;

/// Memories, one after the other, each a moment later.
pub(crate) struct Births {
    mint: IdMint,
    at: Timestamp,
}

impl Births {
    /// Two with different seeds share no identifiers.
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            mint: IdMint::seeded(11 + seed),
            at: Timestamp::from_second(1_790_000_000).unwrap_or_default(),
        }
    }

    pub(super) fn at(&self) -> Timestamp {
        self.at
    }

    pub(crate) fn birth(&mut self, text: &str, scope: Scope) -> Result<Changes> {
        self.at += Duration::from_millis(3);
        let operation = OperationId::from_ulid(self.mint.mint(self.at));
        let occasion = Occasion { operation, actor: Actor::Human, at: self.at, recorded_at: self.at };
        let provenance = Provenance::stated_by(Actor::Human);
        Ok(plan_remember(Draft::parse(text, 10_000)?, scope, provenance, occasion))
    }

    /// These sentences in one step.
    fn many(&mut self, numbers: Range<usize>) -> Result<Changes> {
        let mut changes: Option<Changes> = None;
        for number in numbers {
            let birth = self.birth(&sentence(number as u64), Scope::Project)?;
            match &mut changes {
                Some(changes) => changes.writes.extend(birth.writes),
                None => changes = Some(birth),
            }
        }
        changes.context("nothing is born")
    }
}

/// The table that is part of the program.
pub(super) fn table() -> Result<&'static Table> {
    Ok(Table::built_in()?)
}

pub(crate) fn embedders() -> Result<Embedders> {
    Ok(Embedders { table: Some(Arc::new(table()?)), models: Vec::new() })
}

/// The table's direction of one text.
pub(super) async fn direction(text: String) -> Result<Vec<f32>> {
    let mut vectors = table()?.embed(Purpose::Query, vec![text]).await?;
    vectors.pop().context("the table told nothing")
}

/// Where the memories are.
enum Place {
    Disk(StoreHome),
    /// A store of plain maps, as the tests have it.
    Maps(Arc<MapStore>),
}

/// A project whose store holds the first sentences, each with its vector.
pub(super) struct Filled {
    pub(super) size: usize,
    /// The project's folder.
    pub(super) folder: PathBuf,
    key: ProjectKey,
    place: Place,
    /// A moment after the last birth.
    pub(super) at: Timestamp,
}

impl Filled {
    pub(super) async fn make(ground: &Path, size: usize, sheet: &mut Sheet) -> Result<Self> {
        let folder = ground.join(format!("project-{size}"));
        let store_folder = folder.join(".claude/engram");
        std::fs::create_dir_all(&store_folder)?;
        let key: ProjectKey = "p_0123456789ab".parse()?;
        let identity = serde_json::json!({
            "key": key, "path": folder.canonicalize()?, "created_at": "2026-01-01T00:00:00Z"
        });
        std::fs::write(store_folder.join("identity.json"), identity.to_string())?;
        let place = match size > MOST_ON_DISK {
            true => Place::Maps(Arc::default()),
            false => Place::Disk(StoreHome::new(&store_folder)),
        };
        let mut filled = Self { size, folder, key, place, at: Timestamp::UNIX_EPOCH };
        let (outcome, time) = timed_async(filled.fill()).await;
        outcome?;
        if let Place::Disk(home) = &filled.place {
            sheet.alone(format!("import, {size}"), format!("{:.1} s", time.as_secs_f64()));
            let bytes = home.bytes() / size as u64;
            sheet.alone(format!("disk for one memory and its vector, of {size}"), format!("{bytes} bytes"));
        }
        Ok(filled)
    }

    pub(super) fn is_on_disk(&self) -> bool {
        matches!(self.place, Place::Disk(_))
    }

    async fn fill(&mut self) -> Result<()> {
        let mut births = Births::new(0);
        match &self.place {
            Place::Disk(home) => self.fill_disk(home, &mut births).await?,
            Place::Maps(maps) => self.fill_maps(maps, &mut births).await?,
        }
        self.at = births.at() + Duration::from_secs(1);
        Ok(())
    }

    async fn fill_disk(&self, home: &StoreHome, births: &mut Births) -> Result<()> {
        let store = Arc::new(self.open(home).await?);
        let shelf = Shelf::open(store.clone(), Scope::Project, embedders()?).await?;
        for first in (0..self.size).step_by(STEP) {
            let batch = births.many(first..(first + STEP).min(self.size))?;
            shelf.change(&[], |_| Ok(batch)).await?;
        }
        drop(shelf);
        Arc::into_inner(store).context("somebody still has the store")?.close().await;
        Ok(())
    }

    /// All in one step, as nothing has to fit into a transaction.
    async fn fill_maps(&self, maps: &Arc<MapStore>, births: &mut Births) -> Result<()> {
        let shelf = Shelf::open(maps.clone(), Scope::Project, embedders()?).await?;
        let all = births.many(0..self.size)?;
        shelf.change(&[], |_| Ok(all)).await?;
        Ok(())
    }

    /// The shelf, its index built from a scan.
    pub(super) async fn shelf(&self, sheet: &mut Sheet) -> Result<Shelf> {
        let store: Arc<dyn Store> = match &self.place {
            Place::Disk(home) => Arc::new(self.open(home).await?),
            Place::Maps(maps) => maps.clone(),
        };
        let (shelf, time) = timed_async(Shelf::open(store, Scope::Project, embedders()?)).await;
        sheet.alone(format!("index built from a scan, {}", self.size), millis(time));
        Ok(shelf?)
    }

    async fn open(&self, home: &StoreHome) -> Result<SurrealStore> {
        let location = Location::Disk(home.clone());
        Ok(SurrealStore::open_project(&location, &self.key, Timestamp::UNIX_EPOCH).await?)
    }

    pub(super) fn remove(self) -> Result<()> {
        Ok(std::fs::remove_dir_all(self.folder)?)
    }
}
