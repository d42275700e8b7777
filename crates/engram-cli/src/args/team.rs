//! What can be typed about the team.

use super::{ID, Personal, word};
use clap::{Args, Subcommand};
use engram_core::team::{FarSearch, Reviewers, Role, TeamName};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Team {
    /// Join a team: what it shares is recalled here, too.
    ///
    /// The address is an invitation, as `engram team invite` prints it; it is good
    /// once. What one has stays where it is until one shares it.
    ///
    /// Example: engram team join 'wss://memory.example.org/team/shop#9f2c...'
    Join(Join),
    /// Leave the team. What one shared stays shared.
    Leave {
        /// Leave also where the server cannot be reached or something waits to be
        /// said to it, which is lost then.
        #[arg(long)]
        force: bool,
        /// Withdraw first everything that one shared.
        #[arg(long)]
        withdraw: bool,
    },
    /// Show how this machine stands with its team.
    Status,
    /// Let go of what the server refused, once you have read why in `team status`.
    Dismiss,
    /// List the members.
    Members,
    /// Share memories with the team.
    ///
    /// The project keeps its own. Personal data are asked about, as the setting
    /// personal.team says; secrets were masked when the memory was made.
    ///
    /// Example: engram team share 7QX3AB
    Share(Share),
    /// Take back what one shared, or proposed to share: its text goes from the
    /// server and from every member's machine. One's own copy stays.
    Withdraw {
        #[arg(value_name = "ID", required = true, help = ID)]
        memories: Vec<String>,
    },
    /// List what several people use and nobody has shared yet.
    ///
    /// Share one with `engram team share`, or say `engram team never`.
    Offers,
    /// Do not offer these again.
    Never {
        #[arg(value_name = "ID", required = true, help = ID)]
        memories: Vec<String>,
    },
    /// List what waits for a maintainer's yes.
    Proposals,
    /// Say yes to what was proposed (maintainers).
    Approve {
        #[arg(value_name = "ID", required = true, help = ID)]
        memories: Vec<String>,
    },
    /// Say no to what was proposed (maintainers).
    Refuse {
        #[arg(value_name = "ID", required = true, help = ID)]
        memories: Vec<String>,
    },
    /// Make an invitation that is good once (maintainers).
    Invite {
        /// What whoever joins by it may do.
        #[arg(long, default_value = "member", value_parser = word(Role::ALL))]
        role: Role,
        /// For a team that has lost its maintainers: invite one, as somebody who
        /// runs the server, with the credentials in this file.
        #[arg(long, value_name = "FILE", conflicts_with = "role")]
        operator_file: Option<PathBuf>,
    },
    /// Change what a member may do (maintainers).
    Role {
        /// A handle, as `engram team members` lists it.
        member: String,
        #[arg(value_parser = word(Role::ALL))]
        role: Role,
    },
    /// Let a member in no longer (maintainers). What they shared stays.
    Remove {
        /// A handle, as `engram team members` lists it.
        member: String,
    },
    /// Exchange this machine's key now.
    Rotate,
    /// Make a team on a SurrealDB server, as somebody who runs it.
    ///
    /// Prints the first maintainer's invitation, once.
    ///
    /// Example: engram team create wss://memory.example.org --name shop
    /// --operator-file ops.toml
    Create(Create),
    /// Bring the team's schema to this engram's, as somebody who runs the server.
    Upgrade(OperatorFile),
    /// Have the server keep indexes of its own, or none, as somebody who runs it.
    ///
    /// For teams that share more than a machine should hold: each then holds
    /// team.local_most memories, and a recall asks the server for the others.
    /// hnsw is kept in the server's memory, diskann on its disk.
    ///
    /// Example: engram team search hnsw --operator-file ops.toml
    Search {
        #[arg(value_parser = word(FarSearch::ALL))]
        index: FarSearch,
        #[command(flatten)]
        file: OperatorFile,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Join {
    /// The invitation; from standard input without it, so that no list of
    /// commands keeps it.
    pub(crate) address: Option<String>,
    /// What the others know one by; the system's name of the user without it.
    #[arg(long, value_name = "NAME")]
    pub(crate) handle: Option<String>,
    /// The certificate (PEM) that vouches for the server's, where the system's
    /// own do not.
    #[arg(long, value_name = "FILE")]
    pub(crate) ca: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Share {
    #[arg(value_name = "ID", required = true, help = ID)]
    pub(crate) memories: Vec<String>,
    #[command(flatten)]
    pub(crate) about_people: Personal,
}

#[derive(Debug, Args)]
pub(crate) struct Create {
    /// The server: wss://host or wss://host:port.
    pub(crate) url: String,
    /// What the team is called: small letters, digits and underscores.
    #[arg(long)]
    pub(crate) name: TeamName,
    /// The server's namespace that teams are in.
    #[arg(long, default_value = "team")]
    pub(crate) namespace: String,
    /// Who says yes before a memory is shared.
    #[arg(long, default_value = "author", value_parser = word(Reviewers::ALL))]
    pub(crate) review: Reviewers,
    /// How long a sign-in lasts, in seconds.
    #[arg(long, value_name = "SECONDS", default_value = "3600")]
    pub(crate) sign_in: u64,
    /// The certificate (PEM) that vouches for the server's, where the system's
    /// own do not.
    #[arg(long, value_name = "FILE")]
    pub(crate) ca: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) operator: OperatorFile,
}

#[derive(Debug, Args)]
pub(crate) struct OperatorFile {
    /// A file that only you can read, with username, password and level (root,
    /// namespace or database) of whoever runs the server. Nothing of it is kept.
    #[arg(long, value_name = "FILE")]
    pub(crate) operator_file: PathBuf,
}
