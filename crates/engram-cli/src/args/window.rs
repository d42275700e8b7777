//! What can be typed about the whole of it: the window, what goes on, the days,
//! the stores, and what is said about a memory.

use super::{ID, count, word};
use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};
use engram_core::{Kind, OperationId};

#[derive(Debug, Args)]
pub(crate) struct Ui {
    /// Whoever opens it may look, and change nothing.
    #[arg(long)]
    pub(crate) read_only: bool,
    /// Only print the address, and open no browser.
    #[arg(long)]
    pub(crate) print: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Watch {
    /// Of every project, not only of this one and of yourself.
    #[arg(long)]
    pub(crate) all: bool,
    /// Show the latest events, so many at most, and end.
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=4_096))]
    pub(crate) last: Option<usize>,
    /// Only these, separated by commas. What went wrong is shown with any.
    #[arg(long, value_name = "GROUP", value_delimiter = ',', value_enum)]
    pub(crate) only: Vec<Group>,
}

/// Events that are looked at together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Group {
    Captures,
    Decisions,
    Recalls,
    Injections,
    Dreams,
    Hooks,
}

#[derive(Debug, Args)]
pub(crate) struct Top {
    /// Print it once, and end.
    #[arg(long)]
    pub(crate) once: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Days {
    /// Of so many operations at most.
    #[arg(long, value_name = "N", default_value = "200", value_parser = count())]
    pub(crate) limit: usize,
    /// Only what happened before this operation.
    #[arg(long, value_name = "OPERATION")]
    pub(crate) before: Option<OperationId>,
}

#[derive(Debug, Args)]
pub(crate) struct Stores {
    /// How they grew in so many days. 1 to 366.
    #[arg(long, value_name = "N", default_value = "90",
        value_parser = clap::value_parser!(u32).range(1..=366))]
    pub(crate) days: u32,
}

#[derive(Debug, Args)]
pub(crate) struct Edit {
    #[arg(value_name = "ID", help = ID)]
    pub(crate) memory: String,
    #[command(flatten)]
    pub(crate) about: About,
}

/// What is to be said about it.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct About {
    /// What its text is.
    #[arg(long, value_parser = word(Kind::ALL))]
    pub(crate) kind: Option<Kind>,
    /// A word to find it by, instead of those it has; may be repeated. An empty
    /// one alone takes them all away.
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// The field of knowledge it belongs to; an empty one takes it away.
    #[arg(long)]
    pub(crate) domain: Option<String>,
    /// One line of it; an empty one takes it away.
    #[arg(long, value_name = "TEXT")]
    pub(crate) summary: Option<String>,
}

impl About {
    /// All the tags it shall have. None: those it has.
    pub(crate) fn tags(&self) -> Option<Vec<String>> {
        let named = self.tags.iter().filter(|tag| !tag.trim().is_empty());
        (!self.tags.is_empty()).then(|| named.cloned().collect())
    }
}
