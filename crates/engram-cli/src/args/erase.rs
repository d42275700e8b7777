//! What can be typed to erase.

use clap::Args;
use engram_core::erase::Subject;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Erase {
    /// Whose text: person:NAME, or project: with its folder or its key.
    #[arg(long, value_name = "SUBJECT")]
    pub(crate) subject: Subject,
    /// Of a person: also what only names them, whoever said it.
    #[arg(long)]
    pub(crate) mentions: bool,
    /// Show where there is something, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Do not ask first.
    #[arg(long)]
    pub(crate) yes: bool,
    /// The file of keys that opens sealed copies.
    #[arg(long, value_name = "FILE")]
    pub(crate) identity: Option<PathBuf>,
}
