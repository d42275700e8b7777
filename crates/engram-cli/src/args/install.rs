//! What can be typed about installing engram into agents, and about taking it
//! out again.

use crate::installing::agents;
use clap::Args;
use clap::builder::PossibleValuesParser;

#[derive(Debug, Args)]
pub(crate) struct Install {
    /// The agent it is for.
    #[arg(value_parser = PossibleValuesParser::new(agents::names()))]
    pub(crate) agent: String,
    /// In the files of this project instead of the user's. They are usually
    /// shared with others, who then need engram, too.
    #[arg(long)]
    pub(crate) project: bool,
    /// Only show what would be written.
    #[arg(long, visible_alias = "dry-run")]
    pub(crate) print: bool,
    /// Put engram's entry in the place of another one of the same name.
    #[arg(long)]
    pub(crate) force: bool,
    /// Only print how Claude Code's plugin is installed, which does the same.
    #[arg(long, conflicts_with_all = ["project", "print", "force"])]
    pub(crate) plugin: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Uninstall {
    /// The agent; every one without it.
    #[arg(value_parser = PossibleValuesParser::new(agents::names()))]
    pub(crate) agent: Option<String>,
    /// Only from the files of this project.
    #[arg(long)]
    pub(crate) project: bool,
    /// Only list what would be removed.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Remove entries that are as engram writes them, though nothing says that
    /// engram wrote them.
    #[arg(long)]
    pub(crate) force: bool,
    /// Remove every memory and setting, too. This cannot be undone.
    #[arg(long, conflicts_with_all = ["agent", "project"])]
    pub(crate) data: bool,
    /// Do not ask before data is removed.
    #[arg(long, short, requires = "data")]
    pub(crate) yes: bool,
}
