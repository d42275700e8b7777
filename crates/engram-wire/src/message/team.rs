//! What a client may ask about its team.

use engram_core::OperationId;
use engram_core::team::{FarSearch, OperatorLevel, Reviewers, Role, TeamName};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Something about the team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "team", rename_all = "snake_case")]
pub enum TeamOrder {
    /// Makes a team on a server, as its operator.
    Create(TeamCreate),
    /// Brings the team's schema to this program's, as its operator.
    Upgrade {
        operator: Operator,
    },
    /// Switches the server's own indexes on or off, as its operator.
    Search {
        operator: Operator,
        index: FarSearch,
    },
    Join(TeamJoin),
    Leave {
        /// Also with something still to be said, which is lost then.
        force: bool,
        /// Takes back first what one shared.
        withdraw: bool,
    },
    Status,
    Members,
    /// Makes an invitation that is good once; an operator makes one for a
    /// maintainer.
    Invite {
        role: Role,
        operator: Option<Operator>,
    },
    /// Changes what a member may do, or whether they still are one.
    SetMember {
        operation: OperationId,
        /// A handle, or an identifier.
        member: String,
        role: Option<Role>,
        active: Option<bool>,
    },
    /// A new key for this machine.
    Rotate,
    /// These are to be the team's as well.
    Share {
        operation: OperationId,
        memories: Vec<String>,
    },
    /// These are to be the team's no longer.
    Withdraw {
        operation: OperationId,
        memories: Vec<String>,
    },
    /// Lets go of what the server refused.
    Dismiss,
    /// What could be shared, because several people use it.
    Offers,
    /// These are not to be offered again.
    Never {
        memories: Vec<String>,
    },
    /// What waits for a maintainer.
    Proposals,
    Answer {
        operation: OperationId,
        memories: Vec<String>,
        approve: bool,
    },
}

impl TeamOrder {
    pub fn operation(&self) -> Option<OperationId> {
        match self {
            TeamOrder::SetMember { operation, .. }
            | TeamOrder::Share { operation, .. }
            | TeamOrder::Withdraw { operation, .. }
            | TeamOrder::Answer { operation, .. } => Some(*operation),
            _ => None,
        }
    }

    pub const fn verb(&self) -> &'static str {
        match self {
            TeamOrder::Create(_) => "team create",
            TeamOrder::Upgrade { .. } => "team upgrade",
            TeamOrder::Search { .. } => "team search",
            TeamOrder::Join(_) => "team join",
            TeamOrder::Leave { .. } => "team leave",
            TeamOrder::Status => "team status",
            TeamOrder::Members => "team members",
            TeamOrder::Invite { .. } => "team invite",
            TeamOrder::SetMember { active: Some(false), .. } => "team remove",
            TeamOrder::SetMember { .. } => "team role",
            TeamOrder::Rotate => "team rotate",
            TeamOrder::Share { .. } => "team share",
            TeamOrder::Withdraw { .. } => "team withdraw",
            TeamOrder::Dismiss => "team dismiss",
            TeamOrder::Offers => "team offers",
            TeamOrder::Never { .. } => "team never",
            TeamOrder::Proposals => "team proposals",
            TeamOrder::Answer { approve: true, .. } => "team approve",
            TeamOrder::Answer { approve: false, .. } => "team refuse",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamCreate {
    /// wss://host or wss://host:port.
    pub url: String,
    pub name: TeamName,
    pub namespace: String,
    pub operator: Operator,
    pub review: Reviewers,
    /// The certificate that vouches for the server's, where the system's do not.
    #[serde(default)]
    pub ca: Option<String>,
    /// How long a sign-in lasts, in seconds.
    pub session_s: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamJoin {
    pub url: String,
    pub namespace: String,
    pub name: TeamName,
    pub code: Hidden,
    pub handle: String,
    #[serde(default)]
    pub ca: Option<String>,
}

/// Who runs the server. Never kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operator {
    pub username: String,
    pub password: Hidden,
    pub level: OperatorLevel,
}

/// A text that is never printed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hidden(String);

impl Hidden {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[hidden]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_printed() {
        let operator = Operator {
            username: "ops".to_owned(),
            password: Hidden::new("hunter2"),
            level: OperatorLevel::Root,
        };
        let order = TeamOrder::Upgrade { operator };
        assert!(!format!("{order:?}").contains("hunter2"));
        assert!(serde_json::to_string(&order).unwrap().contains("hunter2"));
    }
}
