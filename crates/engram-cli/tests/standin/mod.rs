//! A home of one's own, in which a stand-in answers in the place of the daemon.
#![allow(dead_code, reason = "each test file uses its own part")]

use engram_wire::{Hello, Home, Request, Welcome, frame};
use serde_json::{Value, json};
use std::io::Write as _;
use std::os::unix::net::UnixListener;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use tempfile::TempDir;

pub(crate) struct Ground {
    pub(crate) folder: TempDir,
    pub(crate) heard: Option<Receiver<Request>>,
}

pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }
}

impl Ground {
    /// Nobody answers, and nothing can be started.
    pub(crate) fn deserted() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), heard: None }
    }

    /// Every request is answered with these frames.
    pub(crate) fn answering(answers: Vec<Value>) -> Self {
        Self::answering_in_turn(vec![answers])
    }

    /// The first request is answered with the first frames, the second with the
    /// second; whoever comes later gets the last.
    pub(crate) fn answering_in_turn(turns: Vec<Vec<Value>>) -> Self {
        let mut ground = Self::deserted();
        let home = Home::locate(Some(ground.home().into()), None).unwrap();
        std::fs::create_dir_all(home.socket_folder()).unwrap();
        let listener = UnixListener::bind(home.socket()).unwrap();
        let (tell, heard) = channel();
        // It ends with the test's process.
        std::thread::spawn(move || {
            let mut turn = 0;
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let Ok(Hello { protocol, version }) = frame::read(&mut stream) else { continue };
                frame::write(&mut stream, &Welcome { protocol, version, process: 1 }).unwrap();
                let Ok(request) = frame::read::<Request>(&mut stream) else { continue };
                let _ = tell.send(request);
                let answers = &turns[turn.min(turns.len() - 1)];
                turn += 1;
                for answer in answers {
                    // The program may have gone away on purpose.
                    let _ = frame::write(&mut stream, answer);
                }
            }
        });
        ground.heard = Some(heard);
        ground
    }

    pub(crate) fn home(&self) -> std::path::PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_engram"));
        command
            .args(arguments)
            .env_clear()
            .env("ENGRAM_HOME", self.home())
            .env("ENGRAM_DAEMON", "/nonexistent/engramd")
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        ran(self.command(arguments).output().unwrap())
    }

    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        ran(child.wait_with_output().unwrap())
    }

    pub(crate) fn request(&self) -> Value {
        serde_json::to_value(self.heard.as_ref().unwrap().try_recv().unwrap()).unwrap()
    }

    pub(crate) fn spool(&self) -> String {
        std::fs::read_to_string(self.home().join("spool/waiting.jsonl")).unwrap_or_default()
    }
}

pub(crate) fn ran(output: std::process::Output) -> Ran {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

pub(crate) fn done(reply: Value) -> Vec<Value> {
    vec![json!({"answer": "done", "reply": reply})]
}

pub(crate) fn fault(kind: &str) -> Vec<Value> {
    vec![json!({"answer": "fault", "fault": {"kind": kind, "message": "no", "hints": ["try this"]}})]
}
