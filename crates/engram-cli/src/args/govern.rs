//! What can be typed about the audit log, and about personal data in a text.

use super::count;
use clap::{Args, Subcommand};
use engram_core::audit::Head;

#[derive(Debug, Subcommand)]
pub(crate) enum Audit {
    /// Show the latest lines, as `engram audit` does by itself.
    Show {
        /// How many to show.
        #[arg(long, value_name = "N", default_value = "20", value_parser = count())]
        limit: usize,
        /// Only what is about this: a memory's whole identifier, or the file of a
        /// backup by its whole name.
        #[arg(long, value_name = "WHAT")]
        about: Option<String>,
    },
    /// Look whether a line was changed, taken out, moved or cut off.
    ///
    /// Example: engram audit verify --head "$(cat noted-last-month)"
    Verify {
        /// An end of the log that `engram audit head` printed before: the log must
        /// still hold it.
        #[arg(long, value_name = "HEAD")]
        head: Option<Head>,
    },
    /// Print how far the log goes, to be noted where nobody here can change it.
    Head,
}

/// What is done about personal data in this text.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct Personal {
    /// Mask personal data in it.
    #[arg(long, conflicts_with = "as_it_is")]
    pub(crate) mask: bool,
    /// Keep personal data in it, where the settings personal.* ask.
    #[arg(long)]
    pub(crate) as_it_is: bool,
}
