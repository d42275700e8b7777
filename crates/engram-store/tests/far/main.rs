//! The team's server and the client to it, on a server inside this process; or on
//! a fresh one at ENGRAM_TEAM_URL, whose operator is called root, as is the password
//! (ENGRAM_TEAM_ROOT: the file of its root certificate, as DER).

mod acts;
mod entry;
mod feed;
mod permissions;

use engram_core::team::port::{Far as _, FarError};
use engram_core::team::{Act, Deed, Delivery, OperatorLevel, Reviewers, Role, Rulers, Sent};
use engram_core::{IdMint, MemberId, Memory, MemoryId, OperationId, Scope, Timestamp};
use engram_store::{
    FarTeam, Founding, NEAR_OPERATOR, Newcomer, Operator, Patience, RawSession, TeamAddress, create_team,
    hash_of, sign_up,
};
use engram_testkit::make::Steps;
use std::sync::Mutex;
use std::time::Duration;

pub(crate) const PATIENCE: Patience =
    Patience { call: Duration::from_secs(20), poll: Duration::from_secs(60) };

pub(crate) fn at() -> Timestamp {
    Timestamp::from_second(1_800_000_000).unwrap()
}

pub(crate) fn operator() -> Operator {
    Operator { username: NEAR_OPERATOR.into(), password: NEAR_OPERATOR.into(), level: OperatorLevel::Root }
}

pub(crate) fn founding(name: &str) -> Founding {
    Founding {
        name: name.parse().unwrap(),
        review: Reviewers::Author,
        rulers: Rulers::Maintainer,
        window: 1000,
        pepper: "pepper".into(),
        invitation_hash: hash_of("the first code"),
        token: Duration::from_secs(900),
        session: Duration::from_secs(3600),
    }
}

pub(crate) fn address(server: &str, team: &str) -> TeamAddress {
    TeamAddress {
        url: std::env::var("ENGRAM_TEAM_URL").unwrap_or_else(|_| format!("mem://{server}")),
        namespace: "team".into(),
        database: format!("t_{team}"),
        roots: std::env::var("ENGRAM_TEAM_ROOT")
            .ok()
            .map(|file| std::fs::read(file).unwrap())
            .into_iter()
            .collect(),
    }
}

/// Somebody who has joined.
pub(crate) struct Person {
    pub(crate) id: MemberId,
    pub(crate) key: String,
    pub(crate) far: FarTeam,
}

impl Person {
    pub(crate) async fn send(&self, operation: OperationId, writes: Vec<Sent>) -> Result<(), FarError> {
        self.far.deliver(Delivery { operation, author: self.id, at: at(), writes }).await
    }

    pub(crate) async fn raw(&self, text: &str) -> Result<String, String> {
        self.far.run_raw(text).await
    }
}

/// A team with its first maintainer.
pub(crate) struct Ground {
    pub(crate) address: TeamAddress,
    pub(crate) ann: Person,
    pub(crate) operator: RawSession,
    steps: Mutex<(Steps, IdMint)>,
}

impl Ground {
    /// The name is the server's as well, so that no two tests meet.
    pub(crate) async fn new(name: &str) -> Self {
        Self::founded(name, founding(name)).await
    }

    pub(crate) async fn founded(name: &str, founding: Founding) -> Self {
        let address = address(name, name);
        create_team(&address, &operator(), founding, at()).await.unwrap();
        let ann = join(&address, "ann", "the first code").await.unwrap();
        let operator = RawSession::open(&address, Some(&operator())).await.unwrap();
        Self { address, ann, operator, steps: Mutex::new((Steps::default(), IdMint::seeded(7))) }
    }

    pub(crate) async fn join(&self, handle: &str, role: Role) -> Person {
        let code = format!("code for {handle}");
        self.ann.far.invite(&hash_of(&code), role, at()).await.unwrap();
        join(&self.address, handle, &code).await.unwrap()
    }

    pub(crate) fn operation(&self) -> OperationId {
        OperationId::from_ulid(self.steps.lock().unwrap().1.mint(at()))
    }

    pub(crate) fn memory(&self, text: &str, author: &Person) -> Memory {
        let mut memory = self.steps.lock().unwrap().0.memory(text, Scope::Team);
        memory.provenance.author = Some(author.id);
        memory
    }

    pub(crate) async fn share(&self, text: &str, by: &Person) -> Memory {
        let memory = self.memory(text, by);
        by.send(self.operation(), vec![Sent::Insert(Box::new(memory.clone()))]).await.unwrap();
        memory
    }

    /// What the operator answers to any statement.
    pub(crate) async fn raw(&self, text: &str) -> String {
        self.operator.run(text).await.unwrap()
    }

    /// Every row of every table.
    pub(crate) async fn everything(&self) -> String {
        let all = TABLES.map(|table| format!("(SELECT * FROM {table})")).join(", ");
        self.raw(&format!("RETURN [{all}]")).await
    }
}

pub(crate) const TABLES: [&str; 18] = [
    "memory",
    "status_history",
    "relates_to",
    "review",
    "operation",
    "proposal",
    "sighting",
    "search",
    "act",
    "doing",
    "head",
    "feed",
    "audit",
    "member",
    "seat",
    "invitation",
    "team",
    "migration",
];

pub(crate) fn member_id(handle: &str) -> MemberId {
    let seed = handle.bytes().fold(1_u64, |seed, byte| seed * 31 + u64::from(byte));
    MemberId::from_ulid(IdMint::seeded(seed).mint(at()))
}

pub(crate) async fn join(address: &TeamAddress, handle: &str, code: &str) -> Result<Person, FarError> {
    let (id, key) = (member_id(handle), format!("key of {handle}"));
    let newcomer = Newcomer { code, member: id, handle, seat: &hash_of(&key), machine: "laptop", at: at() };
    sign_up(address, newcomer, PATIENCE.call).await?;
    let far = FarTeam::open(address, &key, id, PATIENCE).await?;
    Ok(Person { id, key, far })
}

pub(crate) fn act(deed: Deed) -> Sent {
    // Two changes of a status differ in their time, reason or cause; time stands here.
    let reason = match deed {
        Deed::Rule { .. } => "decided",
        _ => "said so",
    };
    Sent::Act(Box::new(Act { deed, reason: reason.into() }))
}

pub(crate) async fn one(person: &Person, id: MemoryId) -> Memory {
    person.far.load(vec![id]).await.unwrap().into_iter().next().unwrap()
}
