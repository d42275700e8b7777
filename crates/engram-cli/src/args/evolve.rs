//! What can be typed about learning from use: how answers served, what was
//! learned, what evolves, and what the memory has to tell of itself.

use super::{ID, TEXT, count, wider, word};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use engram_core::Scope;
use engram_core::evolve::Criteria;
use engram_core::recalled::Feedback as Said;
use std::ffi::OsString;

const REASON: &str = "Why; kept in its history";
const JUSTIFICATION: &str = "Why it may be done although the memory is protected";

#[derive(Debug, Args)]
#[command(allow_missing_positional = true)]
pub(crate) struct Feedback {
    /// The answer: the identifier of a recall, as `engram recalls` prints it, or
    /// at least the last 4 characters of it; the last one of the session without
    /// it.
    #[arg(value_name = "RECALL")]
    pub(crate) recall: Option<String>,
    /// How it served.
    #[arg(value_parser = said())]
    pub(crate) feedback: Said,
    /// The memory that is meant; may be repeated. Without it those that were used
    /// afterwards, or the only one that was shown.
    #[arg(long = "memory", value_name = "ID")]
    pub(crate) memories: Vec<String>,
}

/// Shorter than the words of the log, which are understood as well.
fn said() -> impl TypedValueParser<Value = Said> {
    let words = [
        PossibleValue::new("helpful"),
        PossibleValue::new("partially").alias(Said::PartiallyHelpful.as_str()),
        PossibleValue::new("not").alias(Said::NotHelpful.as_str()),
    ];
    PossibleValuesParser::new(words).map(|text| match text.as_str() {
        "helpful" => Said::Helpful,
        "partially" | "partially_helpful" => Said::PartiallyHelpful,
        _ => Said::NotHelpful,
    })
}

#[derive(Debug, Args)]
pub(crate) struct Weights {
    /// How many of the latest changes to show.
    #[arg(long, value_name = "N", default_value = "10", value_parser = count())]
    pub(crate) history: usize,
    /// Only here, instead of in the project and for the user.
    #[arg(long, value_parser = wider())]
    pub(crate) scope: Option<Scope>,
    /// Forget what was learned, in the project where there is one, otherwise for
    /// the user. `engram undo` takes it back.
    #[arg(long, conflicts_with = "history")]
    pub(crate) reset: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Reflect {
    /// Look first, instead of showing what was seen the last time.
    #[arg(long)]
    pub(crate) run: bool,
    /// How many insights of each store to show at most.
    #[arg(long, value_name = "N", default_value = "20", value_parser = count())]
    pub(crate) limit: usize,
    /// What is no longer so, too.
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Evolve {
    #[command(subcommand)]
    pub(crate) what: Option<Evolution>,
    /// Only show what would be done, and why.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Only here, instead of in the project and for the user.
    #[arg(long, value_parser = wider())]
    pub(crate) scope: Option<Scope>,
    /// Do not evolve; show what evolved, and when it goes on.
    #[arg(long, conflicts_with_all = ["dry_run", "scope"])]
    pub(crate) report: bool,
    /// Only what evolved since then: 2026-03-01, "2026-03-01 14:30", RFC 3339,
    /// "3 days ago", 3d, 2h, 45m, 1w, yesterday.
    #[arg(long, value_name = "WHEN", requires = "report")]
    pub(crate) since: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Evolution {
    /// Show what might evolve, the most pressing first, and what is missing
    /// before it may.
    ///
    /// Example: engram evolve candidates --criteria similar_pairs
    Candidates {
        /// Only these: of little use, not used for 90 days, procedures without a
        /// skill, or memories that say nearly the same.
        #[arg(long, value_parser = word(Criteria::ALL))]
        criteria: Option<Criteria>,
        /// How many to show at most.
        #[arg(long, value_name = "N", default_value = "20", value_parser = count())]
        limit: usize,
        /// Only here, instead of in the project and for the user.
        #[arg(long, value_parser = wider())]
        scope: Option<Scope>,
    },
    /// Show how using a memory went, the latest first.
    ///
    /// Example: engram evolve usage 7QX3M9KA
    Usage {
        #[arg(value_name = "ID", help = ID)]
        memory: String,
        /// How many uses to show at most.
        #[arg(long, value_name = "N", default_value = "10", value_parser = count())]
        limit: usize,
    },
    /// Put a memory out of use that keeps failing: utility below 0.2 after 10
    /// uses or more, most of them failures.
    ///
    /// Example: engram evolve deprecate 7QX3M9KA --reason "the flag is gone since 2.0"
    Deprecate {
        #[arg(value_name = "ID", help = ID)]
        memory: String,
        #[arg(long, help = REASON)]
        reason: String,
        #[arg(long, value_name = "WHY", help = JUSTIFICATION)]
        justification: Option<String>,
    },
    /// Put a better text in the place of a memory that seldom serves: utility
    /// below 0.3 after 5 uses or more. The new one starts at 0.5.
    ///
    /// Example: engram evolve refine 7QX3M9KA "run make db first" --reason "it failed without a database"
    Refine {
        #[arg(value_name = "ID", help = ID)]
        memory: String,
        #[arg(value_name = "TEXT", help = TEXT)]
        text: Vec<OsString>,
        #[arg(long, help = "What is better about it; kept in its history")]
        reason: String,
        #[arg(long, value_name = "WHY", help = JUSTIFICATION)]
        justification: Option<String>,
    },
    /// Make one memory of several that say the same: more than 0.95 alike and of
    /// one kind. The most useful one stays.
    ///
    /// Example: engram evolve merge 7QX3M9KA 81BB02XK
    Merge {
        #[arg(value_name = "ID", help = ID, required = true, num_args = 2..)]
        memories: Vec<String>,
        /// What they say together; put together from their texts without it, `-`
        /// reads standard input.
        #[arg(long, value_name = "TEXT")]
        text: Option<OsString>,
        #[arg(long, help = REASON)]
        reason: Option<String>,
        #[arg(long, value_name = "WHY", help = JUSTIFICATION)]
        justification: Option<String>,
    },
    /// Put a memory away that nobody used for 90 days or more.
    ///
    /// Example: engram evolve archive 7QX3M9KA
    Archive {
        #[arg(value_name = "ID", help = ID)]
        memory: String,
        #[arg(long, help = REASON)]
        reason: Option<String>,
        #[arg(long, value_name = "WHY", help = JUSTIFICATION)]
        justification: Option<String>,
    },
    /// Make a skill of three procedures or more that are alike, and write the
    /// file from which an agent loads it. A file that somebody edited is left
    /// alone.
    ///
    /// Example: engram evolve induce 7QX3M9KA 81BB02XK 9PZ4T0QD --name release --description "Use to make a release"
    Induce {
        #[arg(value_name = "ID", help = ID, required = true, num_args = 3..)]
        memories: Vec<String>,
        /// What it is called: small letters, digits and hyphens, 64 at most.
        #[arg(long)]
        name: String,
        /// When it is to be used, in one line; an agent picks it by this.
        #[arg(long)]
        description: String,
        /// What it says; put together from the procedures without it, `-` reads
        /// standard input.
        #[arg(long, value_name = "TEXT")]
        text: Option<OsString>,
        /// Whose skill it is; that of where the procedures are without it.
        #[arg(long, value_name = "SCOPE", value_parser = wider())]
        to: Option<Scope>,
    },
    /// List the skills there are and how they serve; with words those that they
    /// ask for.
    ///
    /// Example: engram evolve skills release
    Skills {
        /// What it is needed for.
        query: Vec<OsString>,
        /// How many to list at most.
        #[arg(long, value_name = "N", default_value = "20", value_parser = count())]
        limit: usize,
    },
}
