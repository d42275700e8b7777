//! The team: people who share memories through a server that somebody else
//! runs.
//!
//! What is shared is on the server; every machine keeps a replica of it and
//! says what it wants changed through an outbox. The words and the port are
//! here; how a replica follows the server is in the engine.

mod conflict;
mod deliver;
mod evict;
mod hidden;
mod offer;
pub mod port;
mod print;
mod receive;
mod view;

#[cfg(test)]
mod tests;

pub use conflict::{CannotRule, Corrected, Winner, corrected, plan_ruled, winner_of};
pub use deliver::{Undeliverable, plan_delivery, plan_shown};
pub use evict::{Held, too_many, wants_more};
pub use hidden::hidden_by_wider;
pub use offer::{NotShared, SharingRule, as_shared, may_be_offered, may_be_shared};
pub use print::print_of;
pub use receive::{Fetched, Received, Taking, plan_received, received};
pub use view::{Component, View};

use crate::change::Cause;
use crate::decision::{Review, Ruling};
use crate::id::{BadId, MemberId, MemoryId, OperationId, ReviewId};
use crate::memory::{Memory, Relation};
use crate::status::Status;
use crate::words::words;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What a team is called: letters, digits and underscores, at most 32 of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct TeamName(String);

impl TeamName {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The database that is this team's alone.
    pub fn database(&self) -> String {
        format!("t_{}", self.0)
    }
}

impl FromStr for TeamName {
    type Err = BadId;
    fn from_str(text: &str) -> Result<Self, BadId> {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if (1..=32).contains(&text.len()) && text.chars().all(fits) {
            return Ok(Self(text.to_owned()));
        }
        Err(BadId {
            what: "name of a team",
            found: text.to_owned(),
            expected: "at most 32 small letters, digits and underscores",
        })
    }
}

impl TryFrom<String> for TeamName {
    type Error = BadId;
    fn try_from(text: String) -> Result<Self, BadId> {
        text.parse()
    }
}

impl From<TeamName> for String {
    fn from(name: TeamName) -> String {
        name.0
    }
}

impl fmt::Display for TeamName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

words! {
    /// What a member may do.
    pub enum Role ("role") {
        /// Reads what is shared.
        Reader = "reader",
        /// Shares, corrects, and withdraws what is theirs.
        Member = "member",
        /// Decides about what was proposed and who belongs to the team.
        Maintainer = "maintainer",
    }
}

/// Somebody of the team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Member {
    pub id: MemberId,
    pub handle: String,
    pub role: Role,
    pub active: bool,
    pub since: Timestamp,
}

words! {
    /// Who decides that something is shared.
    pub enum Reviewers ("reviewers") {
        /// Whoever shares it.
        Author = "author",
        /// It is proposed, and a maintainer approves it.
        Maintainer = "maintainer",
    }
}

words! {
    /// Who decides about what contradicts each other.
    pub enum Rulers ("rulers") {
        Member = "member",
        Maintainer = "maintainer",
    }
}

words! {
    /// Over how much of the server an operator has a say.
    pub enum OperatorLevel ("operator level") {
        Root = "root",
        Namespace = "namespace",
        Database = "database",
    }
}

words! {
    /// With which of its own indexes the server searches.
    pub enum FarSearch ("server search") {
        Off = "off",
        /// In its memory.
        Hnsw = "hnsw",
        /// On its disk.
        Diskann = "diskann",
    }
}

/// What a team has agreed on.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charter {
    pub name: TeamName,
    pub review: Reviewers,
    pub rulers: Rulers,
    /// What prints are made with; the team's own.
    pub pepper: String,
    /// Whether the server keeps indexes of its own.
    #[serde(default)]
    pub search: bool,
}

/// Without the pepper, which is not for logs.
impl fmt::Debug for Charter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Charter({}, {}, {})", self.name, self.review, self.rulers)
    }
}

/// A place in the feed: so many lines were written before and with it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Position(pub u64);

/// How far the feed goes, and the first line that is still kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    pub latest: Position,
    pub oldest: Position,
}

words! {
    /// What a line of the feed is about.
    pub enum Told ("told") {
        Memory = "memory",
        Relation = "relation",
        Review = "review",
        Member = "member",
        Proposal = "proposal",
        Sighting = "sighting",
    }
}

/// That something changed on the server, and never what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedLine {
    pub number: Position,
    /// None: a word that this engram does not know.
    pub told: Option<Told>,
    pub key: String,
    pub gone: bool,
}

/// The same thing said in two places has the same print; nobody reads from it
/// what was said.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Print(pub String);

/// What a member wants done, from the moment it is acknowledged to them until
/// the server has done it. Planned anew at every try.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "intent", rename_all = "snake_case")]
pub enum Intent {
    /// The memory as it is to be shared.
    Share {
        memory: Box<Memory>,
    },
    Withdraw {
        memory: MemoryId,
    },
    /// `memory` says what `of` should have said, as it was at `base`.
    Correct {
        of: MemoryId,
        base: u32,
        memory: Box<Memory>,
    },
    Rule {
        review: ReviewId,
        ruling: Ruling,
    },
    Answer {
        proposal: MemoryId,
        approve: bool,
    },
    Sight {
        prints: Vec<Print>,
    },
    SetMember {
        member: MemberId,
        role: Role,
        active: bool,
    },
}

impl Intent {
    /// The memory that is not on the server before it is done.
    pub fn newborn(&self) -> Option<&Memory> {
        match self {
            Intent::Share { memory } | Intent::Correct { memory, .. } => Some(memory),
            _ => None,
        }
    }

    /// The memories it names.
    pub fn memories(&self) -> Vec<MemoryId> {
        match self {
            Intent::Share { memory } => vec![memory.id],
            Intent::Withdraw { memory } => vec![*memory],
            Intent::Correct { of, memory, .. } => vec![*of, memory.id],
            Intent::Answer { proposal, .. } => vec![*proposal],
            Intent::Rule { .. } | Intent::Sight { .. } | Intent::SetMember { .. } => Vec::new(),
        }
    }

    /// What it is, in one word.
    pub const fn word(&self) -> &'static str {
        match self {
            Intent::Share { .. } => "share",
            Intent::Withdraw { .. } => "withdraw",
            Intent::Correct { .. } => "correct",
            Intent::Rule { .. } => "rule",
            Intent::Answer { approve: true, .. } => "approve",
            Intent::Answer { approve: false, .. } => "refuse",
            Intent::Sight { .. } => "sight",
            Intent::SetMember { .. } => "member",
        }
    }

    /// Why the replica changes when it is queued.
    pub const fn cause(&self) -> Cause {
        match self {
            Intent::Share { .. } | Intent::Sight { .. } => Cause::Share,
            Intent::Withdraw { .. } => Cause::Withdraw,
            Intent::Correct { .. } => Cause::Correct,
            Intent::Rule { .. } | Intent::Answer { .. } => Cause::Review,
            Intent::SetMember { .. } => Cause::Sync,
        }
    }

    /// The memory whose words it carries.
    pub fn memory_mut(&mut self) -> Option<&mut Memory> {
        match self {
            Intent::Share { memory } | Intent::Correct { memory, .. } => Some(memory),
            _ => None,
        }
    }
}

/// One line of the outbox, named by the operation it will be on the server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outgoing {
    pub operation: OperationId,
    pub intent: Intent,
    pub queued_at: Timestamp,
    pub tries: u32,
    /// Why the last try came to nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// It can never be done; it is kept to be told of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused_at: Option<Timestamp>,
}

/// A line of the outbox that waits to be said, without its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    pub operation: OperationId,
    /// The memory that is here and not on the server as long as it waits.
    pub newborn: Option<MemoryId>,
}

/// What waits for a maintainer to be shared.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// As it would be; its author proposes it.
    pub memory: Memory,
    /// What it would correct, and as it was when it was written.
    pub corrects: Option<(MemoryId, u32)>,
    pub at: Timestamp,
}

/// One intent as the server is asked to do it: all of it or nothing, once.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivery {
    pub operation: OperationId,
    pub author: MemberId,
    pub at: Timestamp,
    pub writes: Vec<Sent>,
}

/// One thing a delivery asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Sent {
    Insert(Box<Memory>),
    /// Only as long as it is at this revision there.
    Replace {
        before: u32,
        after: Box<Memory>,
    },
    Relate(Relation),
    Propose(Box<Proposal>),
    /// One's own proposal, before anybody answered it.
    TakeBack {
        proposal: MemoryId,
    },
    Act(Box<Act>),
    Sight(Vec<Print>),
    Member {
        member: MemberId,
        role: Role,
        active: bool,
    },
}

/// What a member does to what is not theirs alone. The server does it.
#[derive(Debug, Clone, PartialEq)]
pub struct Act {
    pub deed: Deed,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Deed {
    /// Both of the pair are challenged, and the review is open.
    Challenge {
        review: Box<Review>,
    },
    /// Everything that these reviews connect stands as told, and they are closed.
    Rule {
        reviews: Vec<ReviewId>,
        ruling: Ruling,
        stands: Vec<Stand>,
    },
    /// Its text goes; that it was there stays.
    Withdraw {
        memory: MemoryId,
    },
    Approve {
        proposal: MemoryId,
    },
    Refuse {
        proposal: MemoryId,
    },
}

/// How a memory stands after a ruling, if nobody changed it in the meantime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stand {
    pub memory: MemoryId,
    pub status: Status,
    pub revision: u32,
}
