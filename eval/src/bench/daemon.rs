//! A daemon of the bench's own, asked as any client asks it.

use anyhow::{Context as _, Result, anyhow};
use engram_core::{Actor, OperationId};
use engram_wire::client::{NoAnswer, Reach};
use engram_wire::message::{Recall, Remember};
use engram_wire::{
    Answer, Context, Hello, Home, Order, PROTOCOL, Request, VERSION, Welcome, frame, platform,
};
use serde_json::Value;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Started when it is first asked, ended when this goes.
pub(crate) struct Daemon {
    reach: Reach,
    folder: PathBuf,
}

impl Daemon {
    pub(crate) fn new(programs: &Path, home: &Path, folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder)?;
        let home = Home::locate(Some(home.into()), None)?;
        // A million memories take their time to open.
        let deadline = Duration::from_secs(600);
        let reach = Reach { home, daemon: Some(programs.join("engramd")), deadline };
        Ok(Self { reach, folder: folder.to_owned() })
    }

    pub(crate) fn home(&self) -> &Home {
        &self.reach.home
    }

    pub(crate) const fn reach(&self) -> &Reach {
        &self.reach
    }

    pub(crate) fn ask(&self, order: Order) -> Result<Value> {
        let answer = self.reach.ask(&self.request(order), &mut |_| {});
        answer.map_err(|error| anyhow!(NoAnswer::into_fault(error)))
    }

    fn request(&self, order: Order) -> Request {
        let context = Context {
            folder: Some(self.folder.clone()),
            session: None,
            actor: Actor::Human,
            settings: Vec::new(),
            said_at: None,
            again: false,
            quiet: false,
            agent: None,
        };
        Request { context, order }
    }

    /// A connection that stays, to a daemon that runs.
    pub(crate) fn connect(&self) -> Result<Connection<'_>> {
        let mut stream = UnixStream::connect(self.reach.home.socket())?;
        frame::write(&mut stream, &Hello { protocol: PROTOCOL, version: VERSION.to_owned() })?;
        let _: Welcome = frame::read(&mut stream)?;
        Ok(Connection { daemon: self, stream })
    }

    pub(crate) fn recall(&self, query: String) -> Result<Value> {
        self.ask(Order::Recall(Recall { query, limit: Some(10), preview: true, ..Recall::default() }))
    }

    pub(crate) fn remember(&self, operation: OperationId, text: String) -> Result<Value> {
        self.ask(Order::Remember(Remember {
            operation,
            text,
            kind: None,
            tags: Vec::new(),
            domain: None,
            scope: None,
            pin: false,
        }))
    }

    pub(crate) fn resident_bytes(&self) -> Result<u64> {
        let health = self.ask(Order::Status)?;
        let process = health["process"].as_u64().context("no process")?;
        platform::resident_bytes(u32::try_from(process)?).context("the system does not tell")
    }
}

pub(crate) struct Connection<'d> {
    daemon: &'d Daemon,
    stream: UnixStream,
}

impl Connection<'_> {
    pub(crate) fn ask(&mut self, order: Order) -> Result<Value> {
        frame::write(&mut self.stream, &self.daemon.request(order))?;
        loop {
            match frame::read(&mut self.stream)? {
                Answer::Done { reply } => return Ok(reply),
                Answer::Fault { fault } => return Err(anyhow!(fault)),
                Answer::Progress(_) | Answer::Line { .. } => {}
            }
        }
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.ask(Order::Stop);
    }
}
