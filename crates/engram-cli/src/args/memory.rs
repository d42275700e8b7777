//! What can be typed to store, find, list and forget memories.

use super::govern::Personal;
use super::{ID, TEXT, count, word};
use clap::Args;
use clap::builder::RangedU64ValueParser;
use engram_core::{Kind, Mode, Scope, Status, Tier};
use std::ffi::OsString;

#[derive(Debug, Args)]
pub(crate) struct Remember {
    #[arg(value_name = "TEXT", help = TEXT)]
    pub(crate) text: Vec<OsString>,
    /// What the text is.
    #[arg(long, value_parser = word(Kind::ALL))]
    pub(crate) kind: Option<Kind>,
    /// A word to find it by; may be repeated.
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// The field of knowledge it belongs to: python, aws, testing.
    #[arg(long)]
    pub(crate) domain: Option<String>,
    /// Where it is kept; the project where there is one, otherwise the user.
    #[arg(long, value_parser = word(Scope::OWN))]
    pub(crate) scope: Option<Scope>,
    /// Protect it from fading away by itself.
    #[arg(long)]
    pub(crate) pin: bool,
    #[command(flatten)]
    pub(crate) about_people: Personal,
}

/// Which memories are meant.
#[derive(Debug, Args)]
pub(crate) struct Narrow {
    /// Only memories of this scope; may be repeated.
    #[arg(long = "scope", value_name = "SCOPE", value_parser = word(Scope::ALL))]
    pub(crate) scopes: Vec<Scope>,
    /// Only memories of this kind; may be repeated.
    #[arg(long = "kind", value_name = "KIND", value_parser = word(Kind::ALL))]
    pub(crate) kinds: Vec<Kind>,
    /// Only memories of this tier; may be repeated.
    #[arg(long = "tier", value_name = "TIER", value_parser = word(Tier::ALL))]
    pub(crate) tiers: Vec<Tier>,
    /// Only memories with this tag; may be repeated.
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Only memories of this field of knowledge.
    #[arg(long)]
    pub(crate) domain: Option<String>,
}

impl From<Narrow> for engram_wire::message::Narrow {
    fn from(narrow: Narrow) -> Self {
        let Narrow { scopes, kinds, tiers, tags, domain } = narrow;
        Self { scopes, kinds, tiers, tags, domain }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Recall {
    /// What to look for; several words are joined by spaces.
    #[arg(required = true, value_name = "QUERY")]
    pub(crate) query: Vec<OsString>,
    #[command(flatten)]
    pub(crate) narrow: Narrow,
    /// Which classes of memories may be returned.
    #[arg(long, value_parser = word(Mode::ALL))]
    pub(crate) mode: Option<Mode>,
    /// How many to return at most, instead of the setting recall.limit. 1 to
    /// 1000.
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_000))]
    pub(crate) limit: Option<usize>,
    /// What was known and true then: 2026-03-01, "2026-03-01 14:30", RFC 3339,
    /// "3 days ago", 3d, 2h, 45m, 1w, yesterday. A day means its end.
    #[arg(long, value_name = "WHEN")]
    pub(crate) as_of: Option<String>,
    /// Every value there was, what was replaced and archived too, the oldest
    /// first.
    #[arg(long, conflicts_with_all = ["as_of", "context", "grouped"])]
    pub(crate) timeline: bool,
    /// Print what an agent would get to read: what is sure in full, what is less
    /// sure in short, the rest not at all.
    #[arg(long, conflicts_with_all = ["grouped", "explain"])]
    pub(crate) context: bool,
    /// In so many tokens, instead of the setting recall.budget. 50 to 100000.
    #[arg(long, value_name = "TOKENS", requires = "context",
        value_parser = RangedU64ValueParser::<usize>::new().range(50..=100_000))]
    pub(crate) budget: Option<usize>,
    /// How much each scope counts: default, codebase, preferences, debugging,
    /// new_project or architecture.
    #[arg(long)]
    pub(crate) profile: Option<String>,
    /// Take the text as a message of a conversation: one that asks for nothing
    /// ("ok", "thanks") finds nothing.
    #[arg(long)]
    pub(crate) prompt: bool,
    /// Return only memories that have a word of the query, not those that mean
    /// something alike.
    #[arg(long)]
    pub(crate) literal: bool,
    /// Return archived memories, too. A likely answer among them is active
    /// again.
    #[arg(long)]
    pub(crate) archived: bool,
    /// Group the answer by scope.
    #[arg(long)]
    pub(crate) grouped: bool,
    /// Say why each memory has its place.
    #[arg(long)]
    pub(crate) explain: bool,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) narrow: Narrow,
    /// Only memories in this status; may be repeated.
    #[arg(long = "status", value_name = "STATUS", value_parser = word(Status::ALL))]
    pub(crate) statuses: Vec<Status>,
    /// Only memories that are protected from forgetting.
    #[arg(long)]
    pub(crate) pinned: bool,
    /// How many to list at most.
    #[arg(long, value_name = "N", value_parser = count())]
    pub(crate) limit: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct Forget {
    #[arg(value_name = "ID", help = ID, required_unless_present = "query", conflicts_with = "query")]
    pub(crate) memories: Vec<String>,
    /// Forget what a recall of this finds, after showing it.
    #[arg(long)]
    pub(crate) query: Option<OsString>,
    /// How many the query may find at most.
    #[arg(long, value_name = "N", value_parser = count(), conflicts_with = "memories")]
    pub(crate) limit: Option<usize>,
    /// Take the text away for good. This cannot be undone.
    #[arg(long)]
    pub(crate) purge: bool,
    /// Do not ask.
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Only show what would be forgotten.
    #[arg(long)]
    pub(crate) dry_run: bool,
}
