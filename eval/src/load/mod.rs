//! Many agents at once on one daemon, over its socket: what that takes, how long
//! they wait, and whether anything is lost.
//!
//! Bounded in time and in agents. It measures with the clock of the machine, and
//! knows of the daemon only what any client does.

mod agents;
mod limits;
mod model;
mod table;

use crate::bench::daemon::Daemon;
use agents::Agent;
use anyhow::{Context as _, Result, ensure};
use engram_core::{Scope, Timestamp};
use engram_wire::client::NoAnswer;
use engram_wire::reply::{Health, Stats};
use engram_wire::spool::Spool;
use engram_wire::window::Projects;
use engram_wire::{Answer, Order};
use limits::{Growth, Met};
use model::Model;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use table::Tally;

/// So often it is told how it goes.
const LINE_EVERY: Duration = Duration::from_secs(30);
/// And so often meanwhile it is looked which budgets are met.
const LOOKS: u32 = 6;
/// A language model may be asked so often in a day, where budgets are small.
const CALLS: u64 = 20;
/// When all have left, what waits has to get less within so long.
const GETTING_ON: Duration = Duration::from_secs(120);
/// A round of the daemon that has begun ends within so long.
const ROUND_ENDS: Duration = Duration::from_secs(5);
/// Agents share projects, as people do.
const AGENTS_IN_A_PROJECT: u64 = 10;

/// What is to be measured.
pub(crate) struct Wanted {
    /// The folder with the release build of engramd.
    pub(crate) programs: PathBuf,
    pub(crate) agents: u64,
    pub(crate) minutes: u64,
    /// A model thinks between two rounds.
    pub(crate) thinking: Duration,
    /// Each agent works on so many services and comes back to them. 0: every round is
    /// about a new one.
    pub(crate) services: u64,
    /// Budgets so small that each of them is met.
    pub(crate) tight: bool,
}

const TIGHT: &str = "\
[daemon]
open_stores = 4
idle_exit_s = 36000
[budget]
resident_mb = 96
store_mb = 8
queue = 20
events_per_minute = 1200
";
const AS_IT_COMES: &str = "[daemon]\nidle_exit_s = 36000\n";

/// The moment an agent speaks.
#[expect(clippy::disallowed_methods, reason = "agents live in real time")]
fn now() -> Timestamp {
    Timestamp::now()
}

pub(crate) fn run(wanted: &Wanted) -> Result<()> {
    let ground = tempfile::tempdir()?;
    let root = ground.path().canonicalize()?;
    let home = root.join("home");
    let projects: Vec<PathBuf> = (0..wanted.agents.div_ceil(AGENTS_IN_A_PROJECT))
        .map(|number| root.join(format!("project-{number}")))
        .collect();
    projects.iter().try_for_each(std::fs::create_dir_all)?;
    let first = projects.first().context("nobody works anywhere")?;
    let model = wanted.tight.then(Model::start).transpose()?;
    let settings = model.as_ref().map(|model| format!("{TIGHT}{}", model.settings(CALLS)));
    configure(&home, settings.as_deref().unwrap_or(AS_IT_COMES))?;
    let daemon = Daemon::new(&wanted.programs, &home, first)?;
    daemon.recall("warm up".to_owned())?;
    println!(
        "{} agents in {} projects, {} minutes, {} ms between two rounds of each",
        wanted.agents,
        projects.len(),
        wanted.minutes,
        wanted.thinking.as_millis()
    );

    let tally = Mutex::new(Tally::default());
    let ends = AtomicBool::new(false);
    let (mut growth, mut met) = (Growth::default(), Met::default());
    std::thread::scope(|scope| -> Result<()> {
        for number in 0..wanted.agents {
            let place = usize::try_from(number / AGENTS_IN_A_PROJECT)?;
            let agent = Agent::new(daemon.reach(), &projects[place], number, wanted);
            let (tally, ends) = (&tally, &ends);
            // All have begun when the first one's conversation ends.
            let after =
                wanted.thinking * agents::ROUNDS * u32::try_from(number)? / u32::try_from(wanted.agents)?;
            scope.spawn(move || agent.work(after, tally, ends));
        }
        table::head();
        let lines = wanted.minutes * 60 / LINE_EVERY.as_secs();
        let told = (1..=lines).try_for_each(|line| {
            for _ in 0..LOOKS {
                std::thread::sleep(LINE_EVERY / LOOKS);
                met.look(health(&daemon)?.budgets);
            }
            let since = LINE_EVERY * u32::try_from(line)?;
            let (resident, memories) = (daemon.resident_bytes()?, memories(&daemon)?);
            growth.note(resident, memories);
            lock(&tally).line(since, (resident, memories), spool(&daemon).waiting());
            anyhow::Ok(())
        });
        // Whatever went wrong, nobody works on for ever.
        ends.store(true, Ordering::Relaxed);
        told
    })?;
    let tally = tally.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    tally.print();
    met.print();
    if let Some(model) = &model {
        check_calls(&daemon, model)?;
    }
    compare(daemon, wanted, &tally, &projects)?;
    // A store that is closed takes its memories with it: what one of them takes is
    // seen where all stay open.
    if !wanted.tight {
        growth.check()?;
    }
    limits::check_waits(&tally)
}

fn health(daemon: &Daemon) -> Result<Health> {
    Ok(serde_json::from_value(daemon.ask(Order::Status)?)?)
}

/// A language model is asked as often as it may be, and not once more.
fn check_calls(daemon: &Daemon, model: &Model) -> Result<()> {
    let spent = health(daemon)?.llm.context("no language model was asked")?;
    println!(
        "language model: {} calls of {CALLS}, {} tokens; it was asked {} times",
        spent.calls,
        spent.tokens,
        model.asked()
    );
    ensure!(spent.calls == CALLS, "the budget of calls was not met");
    ensure!(model.asked() <= CALLS, "a language model was asked more often than it may be");
    Ok(())
}

fn lock(tally: &Mutex<Tally>) -> std::sync::MutexGuard<'_, Tally> {
    tally.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn configure(home: &Path, text: &str) -> Result<()> {
    std::fs::create_dir_all(home)?;
    Ok(std::fs::write(home.join("config.toml"), text)?)
}

fn spool(daemon: &Daemon) -> Spool {
    Spool::new(daemon.home().spool_folder())
}

/// Holds what was said against what is there. What a small budget keeps in the
/// spool comes in with an ordinary one.
fn compare(daemon: Daemon, wanted: &Wanted, tally: &Tally, projects: &[PathBuf]) -> Result<()> {
    let mut heard = 0;
    let daemon = if wanted.tight {
        // Nothing more comes in while it is counted what did.
        let folder = daemon.home().spool_folder();
        let aside = folder.with_extension("aside");
        std::fs::create_dir_all(&folder)?;
        std::fs::rename(&folder, &aside)?;
        std::thread::sleep(ROUND_ENDS);
        come_in(&daemon)?;
        heard += count(&daemon, "heard")?;
        let home = daemon.home().root().to_owned();
        drop(daemon);
        configure(&home, AS_IT_COMES)?;
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::rename(&aside, &folder)?;
        Daemon::new(&wanted.programs, &home, &projects[0])?
    } else {
        daemon
    };
    come_in(&daemon)?;
    heard += count(&daemon, "heard")?;
    let rejected = spool(&daemon).rejected();
    let (mut there, mut kept) = (BTreeSet::new(), 0);
    for project in projects {
        let texts = exported(&daemon, project)?;
        kept += texts.len();
        there.extend(texts);
    }
    let missing: Vec<&String> =
        tally.names.iter().filter(|name| !there.iter().any(|text| text.contains(name.as_str()))).collect();
    println!(
        "said: {} events and {} texts; there: {heard} events and {} texts, {kept} memories in all; \
         {rejected} lines rejected",
        tally.events,
        tally.names.len(),
        tally.names.len() - missing.len(),
    );
    ensure!(rejected == 0, "lines were put aside; see {}", spool(&daemon).rejected_file().display());
    ensure!(heard == tally.events, "{} events were said, and {heard} are there", tally.events);
    ensure!(missing.is_empty(), "{} texts are not there, the first is {}", missing.len(), missing[0]);
    ensure!(tally.recalls_refused == 0, "{} recalls were refused", tally.recalls_refused);
    println!("nothing is lost, and no recall was refused");
    Ok(())
}

/// Waits until nothing waits in the spool, and all that was heard is read.
fn come_in(daemon: &Daemon) -> Result<()> {
    let (mut least, mut left) = (u64::MAX, GETTING_ON);
    loop {
        let waiting = spool(daemon).waiting() as u64 + count(daemon, "unread")?;
        if waiting == 0 {
            return Ok(());
        }
        if waiting < least {
            (least, left) = (waiting, GETTING_ON);
        }
        ensure!(!left.is_zero(), "{waiting} lines and events still wait, and get no fewer");
        let nap = Duration::from_millis(500);
        std::thread::sleep(nap);
        left = left.saturating_sub(nap);
    }
}

/// How many memories the open projects and the user's store hold.
fn memories(daemon: &Daemon) -> Result<usize> {
    let told: Projects = serde_json::from_value(daemon.ask(Order::Projects)?)?;
    let stats: Stats = serde_json::from_value(daemon.ask(Order::Stats)?)?;
    let users = stats.scopes.iter().filter(|scope| scope.scope == Scope::User);
    let users: usize = users.map(|scope| scope.memories).sum();
    Ok(users + told.projects.iter().filter_map(|project| project.memories).sum::<usize>())
}

fn count(daemon: &Daemon, what: &str) -> Result<u64> {
    daemon.ask(Order::Status)?["capture"][what].as_u64().context("the daemon does not tell")
}

/// Every text of a project, whatever became of it.
fn exported(daemon: &Daemon, project: &Path) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    let order = Order::Export { scopes: Vec::new(), no_history: true, sealed: None };
    let request = agents::request(project, None, order);
    let mut heard = |answer| {
        if let Answer::Line { line } = answer
            && let Ok(line) = serde_json::from_str::<serde_json::Value>(&line)
        {
            texts.extend(line["content"].as_str().map(str::to_owned));
        }
    };
    daemon.reach().ask(&request, &mut heard).map_err(NoAnswer::into_fault)?;
    Ok(texts)
}
