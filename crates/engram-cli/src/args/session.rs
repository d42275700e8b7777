//! What can be typed about sessions, and about what comes of them.

use super::{ID, word};
use clap::{Args, Subcommand};
use engram_core::{Scope, Tier};

#[derive(Debug, Subcommand)]
pub(crate) enum Session {
    /// Begin a session and print its identifier.
    ///
    /// Example: export ENGRAM_SESSION=$(engram session start)
    Start,
    /// End a session; what is worth keeping goes up to the project, the rest
    /// goes with it.
    End {
        /// The session's identifier, or any name that an agent gives it; the one
        /// in --session or ENGRAM_SESSION without it.
        #[arg(value_name = "SESSION")]
        ended: Option<String>,
    },
    /// List the sessions that are known.
    List,
    /// Show a session: its summary, what is still in it and what went up.
    Show {
        /// The session's identifier, or any name that an agent gives it; without
        /// it the one in --session or ENGRAM_SESSION or, in the shell of an
        /// agent, in CLAUDE_CODE_SESSION_ID.
        #[arg(value_name = "SESSION")]
        shown: Option<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Promote {
    #[arg(value_name = "ID", help = ID)]
    pub(crate) memories: Vec<String>,
    /// How far up.
    #[arg(long, value_name = "SCOPE", default_value = "project", value_parser = word(&[Scope::Project, Scope::User, Scope::Team]))]
    pub(crate) to: Scope,
    /// Stay where they are, in this tier instead.
    #[arg(long, value_parser = word(Tier::ALL), requires = "memories", conflicts_with = "to")]
    pub(crate) tier: Option<Tier>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Reminders {
    /// Be reminded of this no more.
    ///
    /// A dismissed reminder is a forgotten memory: `engram unforget` brings it
    /// back.
    Dismiss {
        #[arg(value_name = "ID", help = ID, required = true)]
        memories: Vec<String>,
    },
}
