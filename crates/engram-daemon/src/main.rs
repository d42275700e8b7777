//! `engramd`: the one process that owns the stores.
//!
//! Here everything meets: the clock, the environment, the stores, the engine
//! and the socket. It is started on demand, serves one user, and ends by
//! itself when it is no longer needed.

mod advising;
mod audit;
mod authorising;
mod backup;
mod bus;
mod capture;
mod clock;
mod copying;
mod credit;
mod doctor;
mod drain;
mod dreaming;
mod embedding;
mod erase;
mod evolving;
mod house;
mod identity;
mod instance;
mod journal;
mod load;
mod mcp;
mod metering;
mod orders;
mod outlining;
mod personal;
mod presence;
mod retaining;
mod serve;
mod session;
mod settling;
mod signals;
mod skills;
mod team;
mod telling;
mod trouble;
mod watching;
mod web;

use crate::advising::Advising;
use crate::house::House;
use anyhow::{Context as _, Result, bail};
use clap::Parser;
use engram_wire::config::{Settings, Source};
use engram_wire::{Home, platform};
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// The engram daemon. `engram` starts it when it is needed.
#[derive(Parser)]
#[command(name = "engramd", version)]
struct Arguments {
    /// Start the daemon in the background and return at once.
    #[arg(long)]
    detach: bool,
}

/// The query engine recurses deeply; two megabytes are not enough for it.
const STACK: usize = 16 << 20;

/// A log larger than this is set aside when the daemon starts.
const LARGEST_LOG: u64 = 1 << 20;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = if arguments.detach { detach() } else { run() };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("engramd: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Starts this program again, on its own, and leaves. What can be known to
/// fail is tried first, because nobody hears the other process.
fn detach() -> Result<()> {
    let home = locate()?;
    prepare(&home)?;
    embedding::check(&home, &settings(&home)?)?;
    Command::new(std::env::current_exe().context("finding this program")?)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .current_dir("/")
        .spawn()
        .context("starting the daemon")?;
    Ok(())
}

fn run() -> Result<()> {
    let home = locate()?;
    prepare(&home)?;
    let settings = settings(&home)?;
    let absence = embedding::check(&home, &settings)?;
    let embedders = embedding::open(&home, &settings)?;
    platform::leave_terminal();
    open_log(&home.log_file())?;
    let Some((_right, instance)) = instance::elect(&home)? else {
        tracing::info!("another daemon serves this home");
        return Ok(());
    };
    copying::sweep(&home.backups_folder());
    if let Some(absence) = &absence {
        tracing::warn!("{absence}; until then the table serves");
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_stack_size(STACK)
        .enable_all()
        .build()
        .context("starting the runtime")?;
    let told = signals::listen()?;
    let advising = Advising::open(&home, &settings);
    let outcome = runtime.block_on(async {
        let house = House::new(home, settings, embedders, absence, advising);
        tokio::spawn(serve::serve(instance, house, told)).await.context("serving")?
    });
    // What is left are reads of clients that went away.
    runtime.shutdown_timeout(std::time::Duration::from_millis(200));
    outcome
}

fn locate() -> Result<Home> {
    Ok(Home::locate(std::env::var_os("ENGRAM_HOME"), std::env::var_os("HOME"))?)
}

fn prepare(home: &Home) -> Result<()> {
    for folder in [home.root().to_owned(), home.socket_folder(), home.sessions_folder()] {
        platform::private_folder(&folder)
            .with_context(|| format!("preparing the folder {}", folder.display()))?;
    }
    for file in [home.lock_file(), home.log_file()] {
        platform::private_append(&file).with_context(|| format!("writing {}", file.display()))?;
    }
    Ok(())
}

/// What the daemon itself goes by: defaults, the user's file, the environment.
fn settings(home: &Home) -> Result<Settings> {
    let mut settings = user_settings(home)?;
    let keys: Vec<String> = settings.keys().map(str::to_owned).collect();
    for key in keys {
        match std::env::var(Settings::variable(&key)) {
            Ok(text) => {
                settings = settings.with_texts([(key.as_str(), text.as_str())], Source::Environment)?
            }
            Err(std::env::VarError::NotPresent) => {}
            Err(error) => bail!("{}: {error}", Settings::variable(&key)),
        }
    }
    Ok(settings)
}

fn user_settings(home: &Home) -> Result<Settings> {
    let file = home.config_file();
    Ok(match fs::read_to_string(&file) {
        Ok(text) => Settings::default().with_file(&text, Source::User, &file.display().to_string())?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Settings::default(),
        Err(error) => bail!("reading {}: {error}", file.display()),
    })
}

fn open_log(file: &Path) -> Result<()> {
    if fs::metadata(file).is_ok_and(|meta| meta.len() > LARGEST_LOG) {
        fs::rename(file, file.with_extension("log.old")).context("setting the old log aside")?;
    }
    let log = platform::private_append(file).with_context(|| format!("opening {}", file.display()))?;
    tracing_subscriber::fmt()
        .with_writer(std::sync::Mutex::new(log))
        .with_ansi(false)
        .with_env_filter("warn,rmcp=error,engramd=info,engram_daemon=info")
        .init();
    Ok(())
}
