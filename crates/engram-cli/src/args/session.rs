//! What can be typed about sessions, and about what comes of them.

use super::ID;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args, Subcommand};
use engram_core::Scope;

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
    #[arg(long, value_name = "SCOPE", default_value = "project", value_parser = wider())]
    pub(crate) to: Scope,
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

/// A scope above a session.
fn wider() -> impl clap::builder::TypedValueParser<Value = Scope> {
    PossibleValuesParser::new([Scope::Project, Scope::User].map(Scope::as_str))
        .map(|text| text.parse().unwrap_or_else(|_| unreachable!("only the words of the list get this far")))
}
