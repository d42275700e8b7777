//! What is told about the team. It knows no key.

use crate::message::Hidden;
use engram_core::team::{Member, Position, Role, TeamName};
use engram_core::{Kind, MemberId, MemoryId, OperationId, Timestamp};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::str::FromStr;

/// A way into a team, good once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    pub role: Role,
    /// What to give to `engram team join`. Shown once, kept nowhere.
    pub address: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamCreated {
    pub name: TeamName,
    pub url: String,
    /// For whoever looks after it first.
    pub invitation: Invitation,
}

/// How this machine stands with its team.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TeamHealth {
    pub name: TeamName,
    pub url: String,
    pub member: MemberId,
    pub handle: String,
    pub role: Role,
    /// Whether the server answered the last time.
    pub reachable: bool,
    /// Why it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// When it was last known that nothing is missing here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level_at: Option<Timestamp>,
    pub position: Position,
    /// How many lines of the feed are not taken in yet.
    pub behind: u64,
    /// How many changes wait to be said to the server.
    pub queued: usize,
    /// How many of them it refused; they are kept to be looked at.
    pub refused: usize,
    /// How many are here.
    pub memories: usize,
    /// How many are here at most; the server finds the others. None: all are here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<usize>,
    /// Whether the server keeps indexes of its own.
    #[serde(default)]
    pub searched: bool,
}

/// What the team makes of a change of what it shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TeamFate {
    /// It takes the place of the old one, for everybody.
    Replaces,
    /// It stands beside the old one until somebody decides.
    Challenges,
    /// It waits for a maintainer.
    Proposed,
    /// Its text goes from the server and from every machine.
    Withdrawn,
    /// The review is closed, for everybody.
    Decided,
}

impl TeamFate {
    /// In a sentence, for whoever did it.
    pub const fn told(self) -> &'static str {
        match self {
            TeamFate::Replaces => "it takes the old one's place for the whole team",
            TeamFate::Challenges => {
                "the old one is somebody else's or doubted: both are kept until the team decides (engram review list)"
            }
            TeamFate::Proposed => "it waits for a maintainer's yes (engram team proposals)",
            TeamFate::Withdrawn => "it is withdrawn from the team",
            TeamFate::Decided => "it is decided for the whole team",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TeamStatus {
    /// None: no team was joined.
    pub team: Option<TeamHealth>,
    /// What the server refused, and why.
    pub refused: Vec<RefusedLine>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RefusedLine {
    pub operation: OperationId,
    pub intent: String,
    pub memory: Option<MemoryId>,
    pub problem: String,
    pub at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamMembers {
    pub members: Vec<Member>,
    /// Which of them this machine is.
    pub me: MemberId,
    /// When the server told of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told_at: Option<Timestamp>,
    /// Why it was not asked now; they are those it told of then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamLeft {
    pub name: TeamName,
    /// How many changes were never said to the server.
    pub lost: usize,
    /// Whether the server knows that this machine is gone.
    pub told: bool,
    pub removed: PathBuf,
}

/// What was taken into the outbox.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TeamQueued {
    pub operation: OperationId,
    pub memories: Vec<TeamLine>,
    /// Whether the server has done it already.
    pub done: bool,
    /// It waits for a maintainer there.
    pub proposed: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TeamLine {
    pub memory: MemoryId,
    pub kind: Kind,
    pub text: String,
    /// Whose it is, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Why it is told of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
}

/// Offers, or proposals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TeamLines {
    pub lines: Vec<TeamLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamDone {
    /// What was done, in a sentence.
    pub done: String,
}

/// Where a team is, and with a code the way in: `wss://host/namespace/name#code`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamDoor {
    pub url: String,
    pub namespace: String,
    pub name: TeamName,
    pub code: Option<Hidden>,
}

impl TeamDoor {
    /// With its code, to be shown once.
    pub fn written(&self) -> String {
        let code = self.code.as_ref().map(|code| format!("#{}", code.reveal())).unwrap_or_default();
        format!("{}/{}/{}{code}", self.url, self.namespace, self.name)
    }
}

/// Says nothing of what was given, which holds a code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this is no invitation; one looks like wss://host/namespace/team#code")]
pub struct NoDoor;

impl FromStr for TeamDoor {
    type Err = NoDoor;
    fn from_str(text: &str) -> Result<Self, NoDoor> {
        let text = text.trim();
        let (place, code) = match text.split_once('#') {
            Some((place, code)) if !code.is_empty() => (place, Some(Hidden::new(code))),
            Some(_) => return Err(NoDoor),
            None => (text, None),
        };
        let (rest, name) = place.rsplit_once('/').ok_or(NoDoor)?;
        let (url, namespace) = rest.rsplit_once('/').ok_or(NoDoor)?;
        let host = url.strip_prefix("wss://").or_else(|| url.strip_prefix("ws://")).ok_or(NoDoor)?;
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if host.is_empty()
            || host.contains(['/', '@'])
            || namespace.is_empty()
            || !namespace.chars().all(plain)
        {
            return Err(NoDoor);
        }
        let name = name.parse().map_err(|_| NoDoor)?;
        Ok(Self { url: url.to_owned(), namespace: namespace.to_owned(), name, code })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invitation_is_read_as_it_is_written() {
        let text = "wss://memory.example.org:8443/team/shop#9f2c";
        let door: TeamDoor = text.parse().unwrap();
        assert_eq!((door.url.as_str(), door.namespace.as_str()), ("wss://memory.example.org:8443", "team"));
        assert_eq!((door.name.as_str(), door.written().as_str()), ("shop", text));
        assert!(!format!("{door:?}").contains("9f2c"), "a code is not printed by accident");
    }

    #[test]
    fn what_is_no_invitation_is_not_repeated() {
        for text in [
            "",
            "shop",
            "https://host/team/shop#c",
            "wss://host/shop#c",
            "wss:///team/shop#c",
            "wss://host/team/Shop#c",
            "wss://host/te am/shop#c",
            "wss://user@host/team/shop#c",
            "wss://host/team/shop#",
        ] {
            let problem = text.parse::<TeamDoor>().unwrap_err().to_string();
            assert!(text.is_empty() || !problem.contains(text), "{problem}");
        }
    }
}
