//! The bench: remember against a bare commit, recall against SQLite's full-text
//! search, opening, memory, disk, and the start of the client.
//!
//! Every pair is measured in turns, so that a busy moment of the machine falls
//! on both. What counts are the ratios.

use crate::texts::{question, sentence};
use anyhow::{Context as _, Result, anyhow};
use comfy_table::{Table, presets::ASCII_MARKDOWN};
use engram_core::plan::{Draft, Occasion, plan_remember};
use engram_core::port::Store as _;
use engram_core::{
    Actor, Changes, Codes, IdMint, OperationId, ProjectKey, Provenance, Scope, Timestamp, Write,
};
use engram_engine::{Ask, Shelf, recall};
use engram_index::{Filter, Index};
use engram_store::{Location, StoreHome, SurrealStore};
use engram_wire::client::{NoAnswer, Reach};
use engram_wire::message::{Recall, Remember};
use engram_wire::{Context, Home, Order, Request, platform};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use surrealdb::types::{RecordId, SurrealValue};

const QUESTIONS: u64 = 200;

pub(crate) async fn run(programs: &Path, largest: usize) -> Result<()> {
    let ground = tempfile::tempdir()?;
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(["what", "engram", "beside it", "ratio"]);
    start(programs, &mut table)?;
    println!("measuring remember ...");
    remember(programs, ground.path(), &mut table).await?;
    for size in [1_000, 10_000, 100_000].into_iter().filter(|size| *size <= largest) {
        println!("measuring at {size} memories ...");
        at_size(programs, ground.path(), size, &mut table).await?;
    }
    println!("\n{table}");
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    let outcome = work();
    (outcome, started.elapsed())
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
pub(crate) async fn timed_async<T>(work: impl Future<Output = T>) -> (T, Duration) {
    let started = Instant::now();
    let outcome = work.await;
    (outcome, started.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1_000.0)
}

fn row(table: &mut Table, what: String, ours: Duration, theirs: (&str, Duration)) {
    let ratio = ours.as_secs_f64() / theirs.1.as_secs_f64();
    table.add_row([what, millis(ours), format!("{} {}", theirs.0, millis(theirs.1)), format!("{ratio:.2}")]);
}

fn alone(table: &mut Table, what: String, ours: String) {
    table.add_row([what, ours, String::new(), String::new()]);
}

/// The client's start beside the smallest program there is.
fn start(programs: &Path, table: &mut Table) -> Result<()> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let spawn = |program: &Path, argument: Option<&str>| -> Result<Duration> {
        let mut command = Command::new(program);
        command.args(argument).stdout(Stdio::null());
        let (status, time) = timed(|| command.status());
        anyhow::ensure!(status?.success(), "{} failed", program.display());
        Ok(time)
    };
    for _ in 0..200 {
        ours.push(spawn(&programs.join("engram"), Some("--version"))?);
        theirs.push(spawn(Path::new("/bin/true"), None)?);
    }
    row(table, "start of `engram --version`".into(), median(ours), ("/bin/true", median(theirs)));
    Ok(())
}

/// A daemon of its own, ended when this goes.
struct Daemon {
    reach: Reach,
    folder: PathBuf,
}

impl Daemon {
    fn new(programs: &Path, home: &Path, folder: &Path) -> Result<Self> {
        let home = Home::locate(Some(home.into()), None)?;
        let deadline = Duration::from_secs(120);
        let reach = Reach { home, daemon: Some(programs.join("engramd")), deadline };
        Ok(Self { reach, folder: folder.to_owned() })
    }

    fn ask(&self, order: Order) -> Result<serde_json::Value> {
        let context = Context {
            folder: Some(self.folder.clone()),
            session: None,
            actor: Actor::Human,
            settings: Vec::new(),
            said_at: None,
            again: false,
        };
        let request = Request { context, order };
        self.reach.ask(&request, &mut |_| {}).map_err(|error| anyhow!(NoAnswer::into_fault(error)))
    }

    fn recall(&self, query: String) -> Result<serde_json::Value> {
        self.ask(Order::Recall(Recall { query, limit: Some(10), preview: true, ..Recall::default() }))
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.ask(Order::Stop);
    }
}

struct Maker {
    mint: IdMint,
    at: Timestamp,
}

impl Maker {
    fn new() -> Self {
        Self { mint: IdMint::seeded(11), at: Timestamp::from_second(1_790_000_000).unwrap_or_default() }
    }

    fn operation(&mut self) -> OperationId {
        self.at += Duration::from_millis(3);
        OperationId::from_ulid(self.mint.mint(self.at))
    }

    fn birth(&mut self, text: &str, scope: Scope) -> Result<Changes> {
        let operation = self.operation();
        let occasion = Occasion { operation, actor: Actor::Human, at: self.at, recorded_at: self.at };
        let provenance = Provenance::stated_by(Actor::Human);
        Ok(plan_remember(Draft::parse(text, 10_000)?, scope, provenance, occasion))
    }
}

/// Durable remember through the socket, beside a commit of the same row into a
/// bare database that does nothing else.
async fn remember(programs: &Path, ground: &Path, table: &mut Table) -> Result<()> {
    let folder = ground.join("remember-project");
    std::fs::create_dir_all(&folder)?;
    let daemon = Daemon::new(programs, &ground.join("remember-home"), &folder)?;
    let bare =
        surrealdb::engine::any::connect(format!("surrealkv://{}", ground.join("bare").display())).await?;
    bare.use_ns("bench").use_db("bench").await?;
    bare.query("DEFINE TABLE memory SCHEMALESS").await?.check()?;
    let mut maker = Maker::new();
    daemon.recall("warm up".into())?;
    let door = Location::Disk(StoreHome::new(ground.join("door")));
    let door = SurrealStore::open_project(&door, &"p_0123456789ab".parse()?, maker.at).await?;
    let (mut ours, mut doors, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..500 {
        let text = sentence(number);
        let birth = maker.birth(&text, Scope::Project)?;
        let order = Order::Remember(Remember {
            operation: birth.operation,
            text,
            kind: None,
            tags: Vec::new(),
            domain: None,
            scope: None,
            pin: false,
        });
        let (outcome, time) = timed(|| daemon.ask(order));
        outcome?;
        ours.push(time);
        let (outcome, time) = timed_async(door.commit(birth.clone(), Vec::new())).await;
        outcome?;
        doors.push(time);
        let Some(Write::Create { memory }) = birth.writes.into_iter().next() else { continue };
        let row = serde_json::to_value(&memory)?.into_value();
        let id = RecordId::new("memory", memory.id.to_string());
        let commit = async {
            bare.query("CREATE $id CONTENT $row RETURN NONE")
                .bind(("id", id))
                .bind(("row", row))
                .await?
                .check()
        };
        let (outcome, time) = timed_async(commit).await;
        outcome?;
        theirs.push(time);
    }
    // The first writes open files and fill caches.
    let steady = |mut times: Vec<Duration>| median(times.split_off(50));
    let (ours, doors, theirs) = (steady(ours), steady(doors), steady(theirs));
    row(table, "durable remember through the socket".into(), ours, ("bare commit", theirs));
    row(table, "the same through the commit door alone".into(), doors, ("bare commit", theirs));
    Ok(())
}

async fn at_size(programs: &Path, ground: &Path, size: usize, table: &mut Table) -> Result<()> {
    let folder = ground.join(format!("project-{size}"));
    let store_folder = folder.join(".claude/engram");
    std::fs::create_dir_all(&store_folder)?;
    let key: ProjectKey = "p_0123456789ab".parse()?;
    let identity = serde_json::json!({
        "key": key, "path": folder.canonicalize()?, "created_at": "2026-01-01T00:00:00Z"
    });
    std::fs::write(store_folder.join("identity.json"), identity.to_string())?;
    let home = StoreHome::new(&store_folder);
    let location = Location::Disk(home.clone());

    let filling = fill(&location, &key, size).await?;
    alone(table, format!("import, {size}"), format!("{:.1} s", filling.as_secs_f64()));
    let bytes = home.bytes() / size as u64;
    alone(table, format!("disk for one memory, of {size}"), format!("{bytes} bytes"));

    let store = Arc::new(SurrealStore::open_project(&location, &key, Timestamp::UNIX_EPOCH).await?);
    let (shelf, opened) =
        timed_async(Shelf::open(store.clone(), Scope::Project, engram_engine::Embedders::default())).await;
    alone(table, format!("index built from a scan, {size}"), millis(opened));
    recall_beside_sqlite(Arc::new(shelf?), ground, size, table).await?;
    nearest(size, table)?;
    drop(store);

    let daemon = Daemon::new(programs, &ground.join(format!("home-{size}")), &folder)?;
    let idle = Daemon::new(programs, &ground.join("home-idle"), &ground.join("nowhere"))?;
    std::fs::create_dir_all(ground.join("nowhere"))?;
    let (first_idle, with_nothing) = timed(|| idle.recall(question(1)));
    first_idle?;
    let (first, with_all) = timed(|| daemon.recall(question(1)));
    first?;
    row(table, format!("daemon start and first recall, {size}"), with_all, ("with none", with_nothing));
    let mut times = Vec::new();
    for number in 0..QUESTIONS {
        let (outcome, time) = timed(|| daemon.recall(question(number)));
        outcome?;
        times.push(time);
    }
    alone(table, format!("recall through the socket, {size}"), millis(median(times)));
    let health = daemon.ask(Order::Status)?;
    let process = health["process"].as_u64().context("no process")?;
    let resident = platform::resident_bytes(u32::try_from(process)?).unwrap_or(0);
    alone(table, format!("resident memory of the daemon, {size}"), format!("{} MB", resident >> 20));
    Ok(())
}

async fn fill(location: &Location, key: &ProjectKey, size: usize) -> Result<Duration> {
    let store = SurrealStore::open_project(location, key, Timestamp::UNIX_EPOCH).await?;
    let mut maker = Maker::new();
    let work = async {
        let mut number = 0;
        while number < size {
            let mut batch = maker.birth(&sentence(number as u64), Scope::Project)?;
            let end = (number + 200).min(size);
            for next in number + 1..end {
                batch.writes.extend(maker.birth(&sentence(next as u64), Scope::Project)?.writes);
            }
            number = end;
            store.commit(batch, Vec::new()).await?;
        }
        anyhow::Ok(())
    };
    let (outcome, time) = timed_async(work).await;
    outcome?;
    store.close().await;
    Ok(time)
}

/// The same questions over the same texts, in turns.
async fn recall_beside_sqlite(
    shelf: Arc<Shelf>,
    ground: &Path,
    size: usize,
    table: &mut Table,
) -> Result<()> {
    let mut lite = rusqlite::Connection::open(ground.join(format!("fts-{size}.db")))?;
    lite.execute("CREATE VIRTUAL TABLE texts USING fts5(content, tokenize = 'porter unicode61')", [])?;
    let filling = lite.transaction()?;
    for number in 0..size {
        filling.execute("INSERT INTO texts(content) VALUES (?1)", [sentence(number as u64)])?;
    }
    filling.commit()?;
    let mut search =
        lite.prepare("SELECT rowid, content FROM texts WHERE texts MATCH ?1 ORDER BY rank LIMIT 10")?;
    let shelves = [shelf];
    let now = Timestamp::UNIX_EPOCH.to_zoned(jiff::tz::TimeZone::UTC);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut answered = 0;
    for number in 0..QUESTIONS {
        let query = question(number);
        let words: Vec<String> = query.split(' ').map(|word| format!("\"{word}\"")).collect();
        let ask = Ask::about(query);
        let (found, time) = timed_async(recall(&shelves, &ask, &now)).await;
        answered += usize::from(!found?.found.is_empty());
        ours.push(time);
        let either = words.join(" OR ");
        let (found, time) = timed(|| -> rusqlite::Result<Vec<String>> {
            search.query_map([&either], |row| row.get(1))?.collect()
        });
        answered += usize::from(!found?.is_empty());
        theirs.push(time);
    }
    anyhow::ensure!(answered as u64 > QUESTIONS, "too few questions were answered to say anything");
    row(table, format!("recall in the daemon, {size}"), median(ours), ("SQLite FTS5", median(theirs)));
    Ok(())
}

/// The nearest of `size` vectors; the arm that recall will get next.
fn nearest(size: usize, table: &mut Table) -> Result<()> {
    const DIMENSIONS: usize = 256;
    let mut maker = Maker::new();
    let mut index = Index::default();
    let vector = |seed: u64| -> Result<Codes> {
        let bytes = sentence(seed).into_bytes();
        let vector: Vec<f32> = (0..DIMENSIONS)
            .map(|place| f32::from(bytes[place % bytes.len()] ^ bytes[(place * 7) % bytes.len()]) - 32.0)
            .collect();
        Codes::of(&vector).context("a vector without a direction")
    };
    for number in 0..size {
        let birth = maker.birth("x", Scope::Project)?;
        if let Some(Write::Create { memory }) = birth.writes.first() {
            index.put(memory);
            index.put_vector(memory.id, "bench", &vector(number as u64)?)?;
        }
    }
    let mut times = Vec::new();
    for number in 0..50 {
        let wanted = vector(number * 31)?;
        let (found, time) = timed(|| index.nearest("bench", &wanted, &Filter::default(), 10));
        anyhow::ensure!(found?.hits.len() == 10);
        times.push(time);
    }
    alone(table, format!("10 nearest of {size} vectors"), millis(median(times)));
    Ok(())
}
