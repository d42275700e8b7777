//! A home of one's own and a project in it, with the real daemon.
#![allow(dead_code, reason = "each test file uses its own part")]

use engram_core::Timestamp;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

pub(crate) struct Ground {
    folder: tempfile::TempDir,
}

impl Ground {
    pub(crate) fn new() -> Self {
        let ground = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(ground.path("home")).unwrap();
        fs::create_dir_all(ground.path("work")).unwrap();
        ground
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    pub(crate) fn command(&self, folder: &str, arguments: &[&str]) -> Command {
        let program = Path::new(env!("CARGO_BIN_EXE_engram"));
        let daemon = program.with_file_name("engramd");
        assert!(daemon.exists(), "build engramd first: cargo build -p engram-daemon");
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .current_dir(self.path(folder))
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn output(&self, folder: &str, arguments: &[&str]) -> Output {
        self.command(folder, arguments).output().unwrap()
    }

    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let output = self.output("work", arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let mut all = vec!["--json"];
        all.extend(arguments);
        serde_json::from_str(&self.ok(&all)).unwrap()
    }

    /// The program with events to hear, one a line, as an agent's hook would
    /// tell them.
    pub(crate) fn tell_command(&self, folder: &str, arguments: &[&str], events: &[Value]) -> Command {
        let lines: String = events.iter().map(|event| format!("{event}\n")).collect();
        let file = self.path("told");
        fs::write(&file, lines).unwrap();
        let told = fs::File::open(&file).unwrap();
        // What the test wrote is not what the program left.
        fs::remove_file(file).unwrap();
        let mut command = self.command(folder, arguments);
        // Much at once, on a machine that is busy with other tests.
        command.stdin(told).env("ENGRAM_CLIENT_DEADLINE_MS", "60000");
        command
    }

    pub(crate) fn tell(&self, folder: &str, arguments: &[&str], events: &[Value]) -> Output {
        let all = [&["--json"], arguments, &["observe"]].concat();
        self.tell_command(folder, &all, events).output().unwrap()
    }

    /// What became of events that nothing is wrong with.
    pub(crate) fn observe(&self, events: &[Value]) -> Value {
        let output = self.tell("work", &[], events);
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// What the daemon does by itself comes within seconds.
    pub(crate) fn wait_for(&self, mut there: impl FnMut() -> bool) {
        for _ in 0..400 {
            if there() {
                return;
            }
            std::thread::sleep(Duration::from_millis(25));
        }
        panic!("it did not come: {}", self.ok(&["status"]));
    }

    #[expect(clippy::disallowed_methods, reason = "the tests of the programs live in real time")]
    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    /// Ends the daemon as a power cut would, in the middle of anything.
    pub(crate) fn kill(&self) {
        end(self.process());
    }

    /// The daemon's.
    pub(crate) fn process(&self) -> i64 {
        self.json(&["status"])["process"].as_i64().unwrap()
    }

    pub(crate) fn fails(&self, arguments: &[&str], code: i32, words: &str) {
        let output = self.output("work", arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        let _ = self.command("work", &["stop"]).output();
    }
}

pub(crate) fn end(process: i64) {
    let process = rustix::process::Pid::from_raw(i32::try_from(process).unwrap()).unwrap();
    rustix::process::kill_process(process, rustix::process::Signal::KILL).unwrap();
}

pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => files.extend(files_below(&entry.path())),
            kind if kind.is_file() => files.push(entry.path()),
            _ => {}
        }
    }
    files
}

/// A message in a session, at this minute of a morning.
pub(crate) fn said(kind: &str, session: &str, minute: usize, text: &str) -> Value {
    json!({"type": kind, "session": session, "time": format!("2026-03-02T10:{minute:02}:00Z"), "text": text})
}

pub(crate) fn user(session: &str, minute: usize, text: &str) -> Value {
    said("user_message", session, minute, text)
}

/// The memories with what must not change by itself: text, status, confidence,
/// evidence and revision. Use may.
pub(crate) fn memories(ground: &Ground) -> Vec<Value> {
    let listed = ground.json(&["list", "--limit", "1000"]);
    let told = |memory: &Value| {
        let keys = ["id", "content", "confidence", "evidence", "revision"];
        Value::from_iter(keys.map(|key| (key.to_owned(), memory[key].clone())))
    };
    let mut all: Vec<Value> = listed["memories"].as_array().unwrap().iter().map(told).collect();
    all.sort_by_key(|memory| memory["id"].to_string());
    all
}

pub(crate) fn texts(ground: &Ground) -> Vec<String> {
    let mut texts: Vec<String> =
        memories(ground).iter().map(|memory| memory["content"].as_str().unwrap().to_owned()).collect();
    texts.sort();
    texts
}

/// What was decided, without the words of why.
pub(crate) fn actions(observed: &Value) -> Vec<&str> {
    let decisions = observed["decisions"].as_array().map(Vec::as_slice).unwrap_or_default();
    decisions.iter().map(|decision| decision["action"].as_str().unwrap()).collect()
}

/// Where the one decision about an event came to, and why.
pub(crate) fn decided(observed: &Value) -> (&str, &str) {
    let decisions = observed["decisions"].as_array().unwrap();
    assert_eq!(decisions.len(), 1, "{observed}");
    (decisions[0]["action"].as_str().unwrap(), decisions[0]["reason"].as_str().unwrap())
}

pub(crate) fn counted(observed: &Value) -> (u64, u64) {
    (observed["heard"].as_u64().unwrap(), observed["known"].as_u64().unwrap())
}
