//! A server of the measurement's own, homes that join it, and somebody who shares
//! very much.

use crate::bench::daemon::Daemon;
use crate::bench::filled::Births;
use crate::bench::timed_async;
use crate::texts::sentence;
use anyhow::{Context as _, Result, bail};
use engram_core::team::port::{Far as _, FarError};
use engram_core::team::{Delivery, FarSearch, OperatorLevel, Reviewers, Role, Sent, as_shared};
use engram_core::{IdMint, MemberId, Memory, OperationId, Scope, Timestamp, Write};
use engram_store::{FarTeam, Newcomer, Operator, Patience, TeamAddress, hash_of, sign_up, switch_search};
use engram_wire::message::{Hidden, TeamCreate, TeamJoin, TeamOrder};
use engram_wire::team::{Invitation, TeamCreated, TeamDoor, TeamStatus};
use engram_wire::{Order, platform};
use serde::de::DeserializeOwned;
use std::fs::File;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::task::JoinSet;

const NAMESPACE: &str = "team";
const TEAM: &str = "many";
const PASSWORD: &str = "for the length of a measurement";
/// So many memories are shared at once.
const AT_ONCE: usize = 250;
/// Each writer shares so many, one after the other.
const ONE_AFTER_THE_OTHER: usize = 100;
/// So long the server has to begin.
const BEGINNING: u32 = 200;
const NAP: Duration = Duration::from_millis(50);
/// How often it is looked whether the indexes know everything.
const LOOK: Duration = Duration::from_secs(1);
const PATIENCE: Patience = Patience { call: Duration::from_secs(120), poll: Duration::from_secs(2) };

pub(super) struct Server {
    process: Child,
    folder: PathBuf,
    port: u16,
}

impl Server {
    pub(super) async fn start(program: &Path, folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder)?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let said = File::create(folder.join("said"))?;
        let process = Command::new(program)
            .args(["start", "--no-banner", "--log", "warn", "--deny-guests"])
            .args(["--bind", &format!("127.0.0.1:{port}")])
            .arg(format!("surrealkv://{}", folder.join("db").display()))
            .env_clear()
            .env("SURREAL_USER", "root")
            .env("SURREAL_PASS", PASSWORD)
            .stdout(said.try_clone()?)
            .stderr(said)
            .spawn()
            .with_context(|| format!("starting {}", program.display()))?;
        let server = Self { process, folder: folder.to_owned(), port };
        for _ in 0..BEGINNING {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                // It listens a moment before it answers.
                tokio::time::sleep(NAP * 20).await;
                return Ok(server);
            }
            tokio::time::sleep(NAP).await;
        }
        bail!("the server does not begin; see {}", folder.join("said").display())
    }

    pub(super) const fn port(&self) -> u16 {
        self.port
    }

    fn url(&self) -> String {
        url_at(self.port)
    }

    fn address(&self) -> TeamAddress {
        TeamAddress {
            url: self.url(),
            namespace: NAMESPACE.to_owned(),
            database: format!("t_{TEAM}"),
            roots: Vec::new(),
        }
    }

    pub(super) fn resident(&self) -> Result<u64> {
        platform::resident_bytes(self.process.id()).context("the server is gone")
    }

    pub(super) fn disk(&self) -> u64 {
        bytes_in(&self.folder.join("db"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A home with a daemon of its own.
pub(super) struct Home {
    daemon: Daemon,
    root: PathBuf,
}

impl Home {
    /// One that holds so many memories of its team at most.
    pub(super) fn new(programs: &Path, root: &Path, most: usize) -> Result<Self> {
        let home = root.join("home");
        std::fs::create_dir_all(&home)?;
        let most = most.min(10_000_000);
        let settings = format!(
            "[daemon]\nidle_exit_s = 36000\n[budget]\nresident_mb = 16384\nstore_mb = 16384\n\
             [team]\nlocal_most = {most}\nsearch_ms = 5000\ncall_ms = 60000\n"
        );
        std::fs::write(home.join("config.toml"), settings)?;
        let daemon = Daemon::new(programs, &home, &root.join("project"))?;
        Ok(Self { daemon, root: root.to_owned() })
    }

    pub(super) const fn daemon(&self) -> &Daemon {
        &self.daemon
    }

    fn team<T: DeserializeOwned>(&self, order: TeamOrder) -> Result<T> {
        Ok(serde_json::from_value(self.daemon.ask(Order::Team(Box::new(order)))?)?)
    }

    /// Joins by what listens at this port and stands before the server, or by the
    /// server's own.
    pub(super) fn join(&self, invitation: &str, handle: &str, way: Option<u16>) -> Result<()> {
        let mut door: TeamDoor = invitation.parse()?;
        if let Some(port) = way {
            door.url = url_at(port);
        }
        let (url, namespace, name) = (door.url, door.namespace, door.name);
        let code = door.code.context("an invitation has a code")?;
        let order = TeamJoin { url, namespace, name, code, handle: handle.to_owned(), ca: None };
        let _: serde_json::Value = self.team(TeamOrder::Join(order))?;
        Ok(())
    }

    /// What the daemon takes when it is started again and has recalled once.
    pub(super) fn started_again(&self) -> Result<u64> {
        self.daemon.ask(Order::Stop)?;
        self.daemon.recall(sentence(1))?;
        // It is asked again when it has found its server.
        for _ in 0..BEGINNING {
            let status: TeamStatus = self.team(TeamOrder::Status)?;
            if status.team.is_some_and(|team| team.reachable) {
                return self.daemon.resident_bytes();
            }
            std::thread::sleep(NAP);
        }
        bail!("the daemon does not find its server again")
    }

    /// What the replica takes on the disk.
    pub(super) fn replica_bytes(&self) -> u64 {
        bytes_in(&self.root.join("home").join("team"))
    }
}

/// A maintainer who shares as much as is wanted.
pub(super) struct Filler {
    far: FarTeam,
    address: TeamAddress,
    member: MemberId,
    mint: Mutex<IdMint>,
}

impl Filler {
    /// Makes the team, with the founder as its first maintainer, and joins it.
    pub(super) async fn found(founder: &Home, server: &Server) -> Result<Self> {
        let operator = engram_wire::message::Operator {
            username: "root".to_owned(),
            password: Hidden::new(PASSWORD),
            level: OperatorLevel::Root,
        };
        let created: TeamCreated = founder.team(TeamOrder::Create(TeamCreate {
            url: server.url(),
            name: TEAM.parse()?,
            namespace: NAMESPACE.to_owned(),
            operator,
            review: Reviewers::Author,
            ca: None,
            session_s: 86_400,
        }))?;
        founder.join(&created.invitation.address, "founder", None)?;
        let invitation: Invitation =
            founder.team(TeamOrder::Invite { role: Role::Maintainer, operator: None })?;
        // It does not follow while the others are measured.
        founder.daemon.ask(Order::Stop)?;
        let door: TeamDoor = invitation.address.parse()?;
        let code = door.code.context("an invitation has a code")?;
        let mut mint = IdMint::seeded(platform::chance());
        let (key, member) =
            (format!("{:032x}", platform::chance()), MemberId::from_ulid(mint.mint(moment())));
        let newcomer = Newcomer {
            code: code.reveal(),
            member,
            handle: "filler",
            seat: &hash_of(&key),
            machine: "measurement",
            at: moment(),
        };
        let address = server.address();
        sign_up(&address, newcomer, PATIENCE.call).await?;
        let far = FarTeam::open(&address, &key, member, PATIENCE).await?;
        Ok(Self { far, address, member, mint: Mutex::new(mint) })
    }

    fn mint(&self) -> OperationId {
        let mut mint = self.mint.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        OperationId::from_ulid(mint.mint(moment()))
    }

    pub(super) async fn fill(&self, count: usize) -> Result<()> {
        let mut births = Births::new(platform::chance());
        for first in (0..count).step_by(AT_ONCE) {
            let mut writes = Vec::new();
            for number in first..count.min(first + AT_ONCE) {
                let shared = self.shared(&mut births, &sentence(number as u64))?;
                writes.push(Sent::Insert(Box::new(shared)));
            }
            let delivery = Delivery { operation: self.mint(), author: self.member, at: moment(), writes };
            self.far.deliver(delivery).await?;
            if (first + AT_ONCE).is_multiple_of(10_000) {
                eprintln!("  {} shared", first + AT_ONCE);
            }
        }
        Ok(())
    }

    /// So many at once share one memory after the other; how many that is in a
    /// second.
    pub(super) async fn rate(self: &Arc<Self>, writers: usize) -> Result<f64> {
        let (all, time) = timed_async(async {
            let mut writing = JoinSet::new();
            for number in 0..writers {
                let filler = Arc::clone(self);
                writing.spawn(async move { filler.share_singly(ONE_AFTER_THE_OTHER, number).await });
            }
            while let Some(done) = writing.join_next().await {
                done??;
            }
            anyhow::Ok(writers * ONE_AFTER_THE_OTHER)
        })
        .await;
        Ok(all? as f64 / time.as_secs_f64())
    }

    /// Shares so many, one after the other; another seed, another text.
    pub(super) async fn share_singly(&self, count: usize, seed: usize) -> Result<()> {
        let mut births = Births::new(platform::chance());
        for number in 0..count {
            let text = sentence((1_000_000 * (seed + 1) + number) as u64);
            let writes = vec![Sent::Insert(Box::new(self.shared(&mut births, &text)?))];
            let delivery = Delivery { operation: self.mint(), author: self.member, at: moment(), writes };
            // Two that meet are tried again, as an outbox does it.
            loop {
                match self.far.deliver(delivery.clone()).await {
                    Ok(()) | Err(FarError::AlreadyDone(_)) => break,
                    Err(error) if error.is_passing() => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(())
    }

    /// Whether the server's indexes know everything that is shared.
    async fn knows_all(&self) -> Result<bool> {
        let mut after = None;
        loop {
            let page = self.far.unsearched(after).await?;
            match page.last {
                _ if !page.unsearched.is_empty() => return Ok(false),
                None => return Ok(true),
                last => after = last,
            }
        }
    }

    fn shared(&self, births: &mut Births, text: &str) -> Result<Memory> {
        let birth = births.birth(text, Scope::Project)?;
        let born = birth.writes.into_iter().find_map(|write| match write {
            Write::Create { memory } => Some(memory),
            _ => None,
        });
        Ok(as_shared(&*born.context("no birth")?, self.member, None, moment()))
    }

    /// One more may join.
    pub(super) async fn invite(&self) -> Result<String> {
        let code = format!("{:016x}{:016x}", platform::chance(), platform::chance());
        self.far.invite(&hash_of(&code), Role::Reader, moment()).await?;
        let (url, namespace) = (self.address.url.clone(), self.address.namespace.clone());
        let door = TeamDoor { url, namespace, name: TEAM.parse()?, code: Some(Hidden::new(code)) };
        Ok(door.written())
    }

    /// Has the server keep indexes, and the founder's machine fill them.
    pub(super) async fn index(&self, founder: &Home, index: FarSearch, count: usize) -> Result<()> {
        let operator = Operator {
            username: "root".to_owned(),
            password: PASSWORD.to_owned(),
            level: OperatorLevel::Root,
        };
        switch_search(&self.address, &operator, index).await?;
        founder.daemon.ask(Order::Status)?;
        while !self.knows_all().await? {
            tokio::time::sleep(LOOK).await;
        }
        eprintln!("  {count} in the server's indexes");
        founder.daemon.ask(Order::Stop)?;
        Ok(())
    }
}

fn url_at(port: u16) -> String {
    format!("ws://127.0.0.1:{port}")
}

#[expect(clippy::disallowed_methods, reason = "a measurement lives in real time")]
fn moment() -> Timestamp {
    Timestamp::now()
}

fn bytes_in(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let size = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(meta) if meta.is_dir() => bytes_in(&entry.path()),
        Ok(meta) => meta.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}
