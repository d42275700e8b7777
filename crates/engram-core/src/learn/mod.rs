//! Learning to retrieve: what was learned from the log of recalls, and how far
//! it may go.
//!
//! What is learned is a share of a whole, kept under a key, with its reason. A
//! store keeps it; who writes it and who searches with it is not known here.
//!
//! Every recall of which it is known what became of it is one vote (`votes`).
//! Votes that chance does not give move a share a little (`nudge`), as long as
//! recalls that nobody learned from are not answered worse by it (`guard`).
//! `lesson` puts these together for the arms of the search, `evict` for the order
//! in which memories go where there are too many.

mod arms;
mod evict;
mod guard;
mod lesson;
mod noise;
mod nudge;
mod together;
mod votes;

pub use arms::{ArmWeights, applied};
pub use evict::{Keeping, Kept, Past, Worth, give_up_order, home_of_keeping, learn_keeping};
pub use guard::replayed;
pub use lesson::{Lesson, Moved, effectiveness, plan_learning};
pub use noise::{Noise, noise};
pub use nudge::nudged;
pub use together::{OFTEN, together, used_together};
pub use votes::{Rate, Vote, rates, votes_of};

use crate::ask::QueryType;
use crate::change::Cause;
use crate::unit::Share;
use crate::words::words;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

words! {
    /// What something is learned about.
    pub enum Subject ("subject of learning") {
        /// How much each arm of the search counts.
        Arms = "arms",
        /// What a memory is kept for, where there are too many.
        Eviction = "eviction",
    }
}

/// Parts that are no whole.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("the shares add up to {found}, and not to one")]
pub struct NotWhole {
    pub found: f64,
}

/// What each word of a subject has of the whole; they add up to one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "BTreeMap<String, Share>", into = "BTreeMap<String, Share>")]
pub struct Shares(BTreeMap<String, Share>);

/// What a sum of shares may miss one by, because they are no exact numbers.
const INEXACT: f64 = 1e-6;

impl Shares {
    pub fn new(shares: BTreeMap<String, Share>) -> Result<Self, NotWhole> {
        let found: f64 = shares.values().map(|share| share.get()).sum();
        if (found - 1.0).abs() > INEXACT {
            return Err(NotWhole { found });
        }
        Ok(Self(shares))
    }

    /// Of so much for each word, the share it has in all of it. None: there is
    /// nothing to share.
    pub(crate) fn whole<'w>(parts: impl IntoIterator<Item = (&'w str, f64)>) -> Option<Self> {
        let parts: BTreeMap<String, f64> =
            parts.into_iter().map(|(word, part)| (word.to_owned(), part.max(0.0))).collect();
        let all: f64 = parts.values().sum();
        let share = |(word, part)| (word, Share::clamped(part / all));
        (all > 0.0).then(|| Self(parts.into_iter().map(share).collect()))
    }

    /// The share of a word. None: it is none of these.
    pub fn of(&self, word: &str) -> Option<Share> {
        self.0.get(word).copied()
    }

    /// Whether both share among the same words.
    pub fn fits(&self, other: &Shares) -> bool {
        self.0.keys().eq(other.0.keys())
    }

    /// The furthest that a share lies from the same one of the other.
    pub fn apart(&self, other: &Shares) -> Share {
        let far = |(word, share): (&str, Share)| {
            (share.get() - other.of(word).map_or(0.0, |share| share.get())).abs()
        };
        Share::clamped(self.iter().map(far).fold(0.0, f64::max))
    }

    /// Each word with its share, in the order of the words.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Share)> {
        self.0.iter().map(|(word, share)| (word.as_str(), *share))
    }
}

impl TryFrom<BTreeMap<String, Share>> for Shares {
    type Error = NotWhole;
    fn try_from(shares: BTreeMap<String, Share>) -> Result<Self, NotWhole> {
        Self::new(shares)
    }
}

impl From<Shares> for BTreeMap<String, Share> {
    fn from(shares: Shares) -> Self {
        shares.0
    }
}

/// What is learned for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LearnedKey {
    pub subject: Subject,
    /// None: for all types together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_type: Option<QueryType>,
    /// With a model the arms are others, and so are their weights.
    pub with_model: bool,
}

/// What was learned under one key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learned {
    pub key: LearnedKey,
    pub shares: Shares,
    /// So many recalls had a say in it.
    pub votes: u32,
    /// How often the shares were moved. Not at all: it was forgotten.
    pub updates: u32,
    /// So many times in a row there was nothing to move.
    pub still: u32,
    pub reason: String,
    pub updated_at: Timestamp,
}

/// So many looks in a row that found nothing to move are enough for a while.
const SETTLED_AFTER: u32 = 3;
/// How the reason of a change that was not kept begins.
const ROLLED_BACK: &str = "rolled back: ";

words! {
    /// How far learning has come.
    pub enum LearningState ("state of learning") {
        /// There is too little to go by, and the defaults are in force.
        TooFew = "too_few",
        Learning = "learning",
        /// The last change would have done worse and was not kept.
        RolledBack = "rolled_back",
        /// Nothing was left to move, three times in a row.
        Converged = "converged",
        /// Somebody switched learning off.
        Off = "off",
    }
}

impl Learned {
    /// What is said of it. Without a row there is too little to go by.
    pub fn state(&self) -> LearningState {
        if self.has_converged() {
            LearningState::Converged
        } else if self.reason.starts_with(ROLLED_BACK) {
            LearningState::RolledBack
        } else {
            LearningState::Learning
        }
    }

    /// What stands where this was forgotten: nothing that was known before counts
    /// any more.
    pub fn forgotten(&self, at: Timestamp) -> Self {
        let reason = "reset".to_owned();
        Self { votes: 0, updates: 0, still: 0, reason, updated_at: at, ..self.clone() }
    }

    /// Whether the defaults are in force, because somebody wanted that.
    pub fn is_forgotten(&self) -> bool {
        self.updates == 0
    }

    fn has_converged(&self) -> bool {
        self.still >= SETTLED_AFTER
    }
}

/// One line of the history of what was learned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WeightChange {
    pub key: LearnedKey,
    /// None: the defaults were in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Shares>,
    /// None: the defaults are in force again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Shares>,
    pub reason: String,
    pub at: Timestamp,
}

impl WeightChange {
    /// What the history tells of a write at `at`. None: the shares stay, and for
    /// the same reason as before. A row that is put back has the time and the
    /// reason of its first writing, and so the cause tells them here.
    pub fn of(
        before: Option<&Learned>,
        after: Option<&Learned>,
        cause: Cause,
        at: Timestamp,
    ) -> Option<WeightChange> {
        let told = |learned: &Learned| (learned.shares.clone(), learned.reason.clone());
        let key = after.or(before)?.key;
        let (before, after) =
            (before.filter(|row| !row.is_forgotten()), after.filter(|row| !row.is_forgotten()));
        if before.map(told) == after.map(told) {
            return None;
        }
        let reason = match (cause, after) {
            (Cause::Undo, _) => "taken back".to_owned(),
            (_, None) => "reset".to_owned(),
            (_, Some(after)) => after.reason.clone(),
        };
        let shares = |learned: &Learned| learned.shares.clone();
        Some(Self { key, before: before.map(shares), after: after.map(shares), reason, at })
    }
}

/// How learning goes about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LearningSettings {
    pub on: bool,
    /// What a rate that is off the middle by one would move a share by.
    pub rate: f64,
    /// A share stays within this of its default, and moves no further at once.
    pub bound: Share,
    /// No more votes than this move nothing.
    pub least: u32,
}

impl Default for LearningSettings {
    /// A rate of .1 and more than five queries are the seed's (S0 6.2, 6.3); the
    /// bound of .2 is ours.
    fn default() -> Self {
        Self { on: true, rate: 0.1, bound: Share::clamped(0.2), least: 5 }
    }
}

#[cfg(test)]
mod tests;
