//! What can be typed about taking things in, and about deciding what was taken in.

use super::{IDENTITY, word};
use crate::importing::found::Origin;
use clap::{Args, Subcommand};
use engram_core::Scope;
use engram_core::decision::Ruling;
use std::path::PathBuf;

const REVIEW: &str = "The review's identifier, or at least the last 4 characters of it";

#[derive(Debug, Args)]
pub(crate) struct Import {
    /// The file or the folder to read; `-` is standard input, in JSON lines.
    pub(crate) file: Option<PathBuf>,
    /// What there is for this project: the transcripts of its conversations, the
    /// notes that Claude Code made itself, or what people wrote for agents.
    #[arg(long, value_enum, conflicts_with = "file")]
    pub(crate) from: Option<Origin>,
    /// Store everything in this scope: of memories instead of the one in each
    /// line, of the rest instead of the project.
    #[arg(long, value_parser = word(Scope::OWN))]
    pub(crate) scope: Option<Scope>,
    /// Only show what would be kept, and why not the rest.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Read files from their start, also where they were read before.
    #[arg(long)]
    pub(crate) again: bool,
    #[arg(long, value_name = "FILE", help = IDENTITY)]
    pub(crate) identity: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Review {
    /// List the pairs that wait, oldest first.
    List {
        /// Those that were decided, too.
        #[arg(long)]
        all: bool,
    },
    /// Show a pair side by side, with the words each came from.
    Show {
        #[arg(value_name = "REVIEW", help = REVIEW)]
        review: String,
    },
    /// Decide about a pair: `both` are right, the `newer` or the `older` is, or
    /// `merge` them. `engram undo` takes it back.
    Decide {
        #[arg(value_name = "REVIEW", help = REVIEW)]
        review: String,
        #[arg(value_parser = word(Ruling::ALL))]
        ruling: Ruling,
    },
}
