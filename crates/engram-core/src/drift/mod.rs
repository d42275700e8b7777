//! Whether what a memory says of a project is still so.
//!
//! Owns what a text claims about files, symbols, commands, versions and ports,
//! and the law that holds such a claim against what was looked up. It knows no
//! working tree and no git: whoever looks brings `Evidence`.
//!
//! **The law.** A claim is gone only if it was so once and is not so now, or if
//! the project itself states another value. What never was there may be a plan
//! or another project, and what nobody looked up is not known; neither is held
//! against a memory.

mod cues;
mod judge;
mod lists;
mod range;
mod reading;
mod token;
mod version;

#[cfg(test)]
mod tests;

pub use judge::judge;
pub use reading::{MOST_CLAIMS, claims_in};
pub use version::versioned_name;

use crate::words::words;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Something about a project that can be looked up in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// A file or a folder, by its path from the root, or by the end of it.
    File(String),
    /// A name in the code, with `::` or `.` between its parts.
    Symbol(String),
    Command(CommandClaim),
    Version {
        /// As `versioned_name` spells it.
        of: String,
        version: String,
    },
    Port(u16),
}

/// A command that a project defines for itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CommandClaim {
    pub runner: Runner,
    /// The target, script, alias, recipe or task.
    pub name: String,
}

words! {
    /// Who runs a command, and so where it is defined.
    pub enum Runner ("runner") {
        Make = "make",
        Npm = "npm",
        Pnpm = "pnpm",
        Yarn = "yarn",
        Cargo = "cargo",
        Just = "just",
        Task = "task",
        Composer = "composer",
    }
}

impl fmt::Display for CommandClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.runner {
            Runner::Npm | Runner::Pnpm | Runner::Yarn => write!(f, "{} run {}", self.runner, self.name),
            _ => write!(f, "{} {}", self.runner, self.name),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "the file {path}"),
            Self::Symbol(name) => write!(f, "the symbol `{name}`"),
            Self::Command(command) => write!(f, "the command `{command}`"),
            Self::Version { of, version } => write!(f, "version {version} of {of}"),
            Self::Port(port) => write!(f, "port {port}"),
        }
    }
}

/// What was looked up about one claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// Nobody looked, or what was found could not be read.
    NotLooked,
    /// Of a file, a symbol, a command or a port.
    Sought {
        /// The file that has it now.
        now: Option<String>,
        before: Before,
    },
    /// Of a version: what the project states today.
    Stated(Vec<Stated>),
}

/// Whether something that is not there now ever was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Before {
    /// There is no history, only a part of it, or no time to search it.
    NotLooked,
    Never,
    Lost(Loss),
}

/// How something went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Loss {
    /// The file that had it, or that went itself.
    pub file: String,
    /// Where that file went, if it was renamed.
    pub renamed_to: Option<String>,
    /// `None` while the change is not committed.
    pub commit: Option<Commit>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Commit {
    /// Short, as people write it.
    pub id: String,
    pub date: Date,
    /// What was written by whoever committed; to be shown as data.
    pub subject: String,
}

/// One statement of a project about a version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stated {
    pub file: String,
    /// As `versioned_name` spells it.
    pub of: String,
    /// A version or a range: `^18.2.0`, `>=3.10`, `1.38.4`.
    pub asks: String,
    pub manner: Manner,
}

words! {
    /// In which manner a project states a version.
    pub enum Manner ("manner") {
        /// A manifest asks for a library.
        Dependency = "dependency",
        /// A lock file has a library.
        Lock = "lock",
        /// What compiles or runs the project.
        Toolchain = "toolchain",
        /// What a container is made from.
        Image = "image",
    }
}

/// What became of a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    Holds,
    Gone {
        /// A sentence that people read.
        reason: String,
    },
    Unknown,
}
