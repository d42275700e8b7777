//! A home of one's own, with a daemon that is started when it is needed and
//! gone when the test is.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

pub mod agent;
pub mod http;
pub mod server;

use engram_core::{Actor, IdMint, Memory, OperationId, Scope, SessionId, Timestamp};
use engram_wire::client::{NoAnswer, Reach};
use engram_wire::message::{Recall, Remember};
use engram_wire::reply::{Changed, Examined, Recalled};
use engram_wire::{Answer, Context, Fault, Home, Order, Request, platform};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

pub struct Ground {
    folder: tempfile::TempDir,
    pub reach: Reach,
    mint: Mutex<IdMint>,
}

impl Ground {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let home =
            Home::locate(Some(root.join("home/.claude/engram").into()), Some(root.join("home").into()))
                .unwrap();
        let reach = Reach {
            home,
            daemon: Some(PathBuf::from(env!("CARGO_BIN_EXE_engramd"))),
            deadline: Duration::from_secs(20),
        };
        Self { folder, reach, mint: Mutex::new(IdMint::seeded(platform::chance())) }
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    pub fn folder(&self, name: &str) -> PathBuf {
        let folder = self.root().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// Writes the user's settings.
    pub fn configure(&self, text: &str) {
        let file = self.reach.home.config_file();
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }

    pub fn operation(&self) -> OperationId {
        OperationId::from_ulid(self.mint.lock().unwrap().mint(now()))
    }

    pub fn session(&self) -> SessionId {
        SessionId::from_ulid(self.operation().ulid())
    }

    pub fn at<'a>(&'a self, folder: &Path) -> Place<'a> {
        Place { ground: self, folder: folder.to_owned(), session: None }
    }

    pub fn process(&self) -> Option<u32> {
        let request = Request { context: bare(), order: Order::Status };
        let reply = self.reach.ask_running(&request)?.ok()?;
        u32::try_from(reply["process"].as_u64()?).ok()
    }

    pub fn kill(&self) {
        if let Some(process) = self.process() {
            kill(process);
        }
    }

    pub fn stop(&self) {
        let request = Request { context: bare(), order: Order::Stop };
        let process = self.process();
        let _ = self.reach.ask_running(&request);
        if let Some(process) = process {
            wait_for_end(process);
        }
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        self.kill();
    }
}

#[expect(clippy::disallowed_methods, reason = "the tests of the daemon live in real time")]
pub fn now() -> Timestamp {
    Timestamp::now()
}

fn bare() -> Context {
    Context {
        folder: None,
        session: None,
        actor: Actor::Human,
        settings: Vec::new(),
        said_at: None,
        again: false,
        quiet: false,
        agent: None,
    }
}

pub fn kill(process: u32) {
    let process = rustix::process::Pid::from_raw(i32::try_from(process).unwrap()).unwrap();
    let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
}

pub fn wait_for_end(process: u32) {
    for _ in 0..500 {
        // A process that nobody waits for stays as a zombie where init is not
        // one that reaps; it has ended all the same.
        let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        if status.is_empty() || status.contains(") Z ") {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("process {process} did not end");
}

/// Someone working in a folder.
pub struct Place<'a> {
    pub ground: &'a Ground,
    pub folder: PathBuf,
    pub session: Option<SessionId>,
}

impl Place<'_> {
    pub fn context(&self) -> Context {
        Context { folder: Some(self.folder.clone()), session: self.session, ..bare() }
    }

    pub fn try_ask(&self, order: Order) -> Result<Value, NoAnswer> {
        let request = Request { context: self.context(), order };
        self.ground.reach.ask(&request, &mut |_| {})
    }

    pub fn ask<T: DeserializeOwned>(&self, order: Order) -> T {
        let reply =
            self.try_ask(order).map_err(NoAnswer::into_fault).unwrap_or_else(|fault| panic!("{fault:?}"));
        serde_json::from_value(reply).unwrap()
    }

    pub fn fault(&self, order: Order) -> Fault {
        self.try_ask(order).map_err(NoAnswer::into_fault).expect_err("it should be refused")
    }

    pub fn remember_order(&self, text: &str, scope: Option<Scope>) -> Order {
        Order::Remember(Remember {
            operation: self.ground.operation(),
            text: text.to_owned(),
            kind: None,
            tags: Vec::new(),
            domain: None,
            scope,
            pin: false,
        })
    }

    pub fn remember(&self, text: &str, scope: Option<Scope>) -> Memory {
        let changed: Changed = self.ask(self.remember_order(text, scope));
        changed.memories.into_iter().next().unwrap()
    }

    pub fn recall(&self, query: &str) -> Vec<String> {
        let recalled: Recalled = self.ask(recall_order(query));
        recalled.hits.into_iter().map(|hit| hit.memory.content).collect()
    }

    pub fn forget(&self, memory: &Memory, purge: bool) -> Changed {
        let operation = self.ground.operation();
        self.ask(Order::Forget { operation, memories: vec![memory.id.to_string()], purge })
    }

    pub fn undo(&self) -> Value {
        self.ask(Order::Undo { operation: self.ground.operation(), target: None, step: None })
    }

    pub fn export(&self) -> Vec<Value> {
        self.export_lines(false).iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// As it is printed.
    pub fn export_lines(&self, no_history: bool) -> Vec<String> {
        self.export_of(Vec::new(), no_history)
    }

    /// Of these scopes alone.
    pub fn export_of(&self, scopes: Vec<Scope>, no_history: bool) -> Vec<String> {
        let mut lines = Vec::new();
        let order = Order::Export { scopes, no_history, sealed: None };
        let request = Request { context: self.context(), order };
        self.ground
            .reach
            .ask(&request, &mut |answer| {
                if let Answer::Line { line } = answer {
                    lines.push(line);
                }
            })
            .map_err(NoAnswer::into_fault)
            .unwrap();
        lines
    }

    pub fn doctor(&self) -> Examined {
        self.ask(Order::Doctor { repair: false })
    }
}

pub fn recall_order(query: &str) -> Order {
    Order::Recall(Recall { query: query.to_owned(), limit: Some(100), ..Recall::default() })
}

/// Lines as they come from a file.
pub fn numbered(lines: &[String]) -> Vec<engram_wire::message::ImportLine> {
    let numbers = 1..;
    numbers
        .zip(lines)
        .map(|(number, text)| engram_wire::message::ImportLine { number, text: text.clone() })
        .collect()
}

/// The files below a folder that have these bytes.
pub fn holding(folder: &Path, text: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => found.extend(holding(&path, text)),
            Ok(kind) if kind.is_file() => {
                let bytes = std::fs::read(&path).unwrap_or_default();
                if bytes.windows(text.len()).any(|window| window == text.as_bytes()) {
                    found.push(path);
                }
            }
            _ => {}
        }
    }
    found
}

/// What goes on in the background comes to its end soon.
pub fn soon(what: &str, mut holds: impl FnMut() -> bool) {
    found_soon(what, || holds().then_some(()));
}

pub fn found_soon<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    for _ in 0..600 {
        if let Some(found) = found() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{what}");
}
