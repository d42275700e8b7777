//! What was decided about a turn, and what a person has yet to decide.
//!
//! A decision says what became of one fact of a turn and why; together they
//! are the answer to "why is this memory here". A review is a pair that was
//! neither merged nor replaced, because nobody could be sure. How one decides
//! is in `gate`.

use crate::advice::DecidedBy;
use crate::change::{Actor, PURGED};
use crate::id::{EntityId, MemoryId, ReviewId, TurnId};
use crate::unit::Similarity;
use crate::words::words;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

words! {
    /// What became of a fact.
    pub enum Action ("action") {
        /// A new memory.
        Create = "create",
        /// A known memory now says more.
        Update = "update",
        /// A known memory was observed again.
        Reinforce = "reinforce",
        /// A new memory took the place of a known one.
        Supersede = "supersede",
        /// A new memory stands beside a known one until somebody decides.
        Challenge = "challenge",
        /// Nothing was kept but the turn.
        Skip = "skip",
    }
}

/// What became of one fact of a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Decision {
    pub turn: TurnId,
    /// Its place among the decisions about this turn.
    pub number: u32,
    pub action: Action,
    /// The memory that was made or changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryId>,
    /// The memory that it was held against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<MemoryId>,
    /// The fact as it was formed. None: nothing of the turn was worth forming.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fact: Option<String>,
    pub reason: String,
    /// How like `other` it is, on the calibrated scale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<Similarity>,
    pub by: DecidedBy,
    pub at: Timestamp,
}

/// What stands between why a memory was made and what it weighed.
const WEIGHED: &str = "; weighed: ";

impl Decision {
    /// Why a memory was made, with what it weighed.
    pub fn reason_with_weight(reason: &str, because: &[String]) -> String {
        format!("{reason}{WEIGHED}{}", because.join(", "))
    }

    /// The reason without what the memory weighed.
    pub fn in_short(&self) -> &str {
        self.reason.split(WEIGHED).next().unwrap_or_default()
    }

    /// What remains is that something was decided.
    pub fn clear_text(&mut self) {
        self.fact = self.fact.take().map(|_| PURGED.to_owned());
        PURGED.clone_into(&mut self.reason);
    }
}

/// Two things that may be one, or may exclude each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "pair", rename_all = "snake_case")]
pub enum Pair {
    Memories { newer: MemoryId, older: MemoryId },
    Entities { newer: EntityId, older: EntityId },
}

words! {
    /// What somebody decided about a pair.
    pub enum Ruling ("ruling") {
        /// Both are right.
        Both = "both",
        /// The newer one takes the place of the older.
        Newer = "newer",
        /// The older one stays, the newer is rejected.
        Older = "older",
        /// They are one.
        Merge = "merge",
    }
}

/// A pair that waits for somebody to decide, or that was decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Review {
    pub id: ReviewId,
    #[serde(flatten)]
    pub pair: Pair,
    /// Why nobody could be sure.
    pub reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<Similarity>,
    pub opened_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed: Option<Closed>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Closed {
    pub ruling: Ruling,
    pub actor: Actor,
    pub at: Timestamp,
}

impl Review {
    /// Whether it was decided that two names are one.
    pub(crate) fn merges_names(&self) -> bool {
        matches!(self.pair, Pair::Entities { .. })
            && self.closed.is_some_and(|closed| closed.ruling == Ruling::Merge)
    }

    /// Named by the pair and the moment somebody began to wonder.
    pub fn open(pair: Pair, reason: String, similarity: Option<Similarity>, at: Timestamp) -> Self {
        let named = match pair {
            Pair::Memories { newer, older } => format!("{newer} {older}"),
            Pair::Entities { newer, older } => format!("{newer} {older}"),
        };
        Self { id: ReviewId::of_pair(at, &named), pair, reason, similarity, opened_at: at, closed: None }
    }

    /// Whether one of the two is among these.
    pub fn is_about(&self, memories: &[MemoryId]) -> bool {
        match self.pair {
            Pair::Memories { newer, older } => memories.contains(&newer) || memories.contains(&older),
            Pair::Entities { .. } => false,
        }
    }

    /// What remains is that there was a pair.
    pub fn clear_text(&mut self) {
        PURGED.clone_into(&mut self.reason);
    }
}
