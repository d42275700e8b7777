//! What can be typed about the life of memories: dreams, what is bound to what,
//! and what waits to be summed up.

use super::{ID, TEXT, count, wider, word};
use clap::builder::RangedU64ValueParser;
use clap::{Args, Subcommand};
use engram_core::dream::{Depth, Step};
use engram_core::graph::BondKind;
use engram_core::{Scope, Tier};
use std::ffi::OsString;

const NAME: &str = "What the thing is called, by any of its names";

#[derive(Debug, Args)]
pub(crate) struct Dream {
    /// Only these steps, separated by commas; done in their own order.
    #[arg(long, value_name = "STEP", value_delimiter = ',', value_parser = word(Step::ALL))]
    pub(crate) only: Vec<Step>,
    /// How deep: light is what follows from time and use alone, full has
    /// summaries, the graph and the working tree as well, reflective is
    /// everything, and the default.
    #[arg(long, value_parser = word(Depth::ALL), conflicts_with = "only")]
    pub(crate) depth: Option<Depth>,
    /// Only show what would be done, and why.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Only here, instead of in the project and for the user.
    #[arg(long, value_parser = wider())]
    pub(crate) scope: Option<Scope>,
    /// Do not dream; show the last dreams and what waits.
    #[arg(long, conflicts_with_all = ["only", "depth", "dry_run", "scope"])]
    pub(crate) report: bool,
    /// How many dreams of each store to report at most; 10 without it.
    #[arg(long, value_name = "N", requires = "report", value_parser = count())]
    pub(crate) limit: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct Demote {
    #[arg(value_name = "ID", help = ID, required = true)]
    pub(crate) memories: Vec<String>,
    /// The tier below the one they are in.
    #[arg(long, value_parser = word(Tier::ALL), required_unless_present = "to")]
    pub(crate) tier: Option<Tier>,
    // Taken only to be refused with the reason: somebody who knows `promote --to`
    // looks for the way back here.
    #[arg(long, value_name = "SCOPE", hide = true)]
    pub(crate) to: Option<OsString>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Entity {
    /// List the things that memories name, the most named first.
    ///
    /// Example: engram entity list redis
    List {
        /// Only those that are called like this.
        query: Option<OsString>,
        /// How many to list at most.
        #[arg(long, value_name = "N", default_value = "30", value_parser = count())]
        limit: usize,
    },
    /// Show what is known of a thing: its card, its names, what it is bound to
    /// and the memories that name it.
    ///
    /// Example: engram entity show redis
    Show {
        #[arg(value_name = "NAME", help = NAME)]
        entity: OsString,
    },
    /// Say that one thing is another: whatever names the first names the second.
    /// This cannot be taken back: which memory meant which name is gone then.
    ///
    /// Example: engram entity merge postgres postgresql
    Merge {
        #[arg(value_name = "NAME", help = NAME)]
        entity: OsString,
        /// The thing that stays.
        into: OsString,
    },
    /// Say what else a thing is called. `engram undo` takes it back.
    ///
    /// Example: engram entity alias postgresql pg
    Alias {
        #[arg(value_name = "NAME", help = NAME)]
        entity: OsString,
        /// The other name.
        alias: OsString,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Graph {
    #[arg(value_name = "NAME", help = NAME, required_unless_present = "all")]
    pub(crate) entity: Option<OsString>,
    /// Every thing, the most named first.
    #[arg(long, conflicts_with_all = ["entity", "hops", "dot"])]
    pub(crate) all: bool,
    /// Through so many bonds at most. 1 to 10.
    #[arg(long, value_name = "N", default_value = "2",
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=10))]
    pub(crate) hops: usize,
    /// Only through these bonds, separated by commas.
    #[arg(long, value_name = "BOND", value_delimiter = ',', value_parser = word(BondKind::ALL))]
    pub(crate) only: Vec<BondKind>,
    /// Print it in the language of graphviz, and nothing else.
    #[arg(long)]
    pub(crate) dot: bool,
    /// Of all only those of this scope.
    #[arg(long, requires = "all", conflicts_with = "entity", value_parser = word(Scope::ALL))]
    pub(crate) scope: Option<Scope>,
    /// Of all so many at most; 100 without it. 1 to 5000.
    #[arg(long, value_name = "N", requires = "all", conflicts_with = "entity",
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=5_000))]
    pub(crate) limit: Option<usize>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Consolidation {
    /// Show what waits longest to be summed up: the summary there is, and what
    /// it was made of.
    ///
    /// Example: engram consolidation next
    Next,
    /// Put your words in the place of the summary there is. `engram undo` takes
    /// it back.
    ///
    /// Example: engram consolidation submit 7QX3M9KA "deploys go through buildkite, on fridays never"
    Submit {
        #[arg(value_name = "ID", help = ID)]
        summary: String,
        #[arg(value_name = "TEXT", help = TEXT)]
        text: Vec<OsString>,
    },
}
