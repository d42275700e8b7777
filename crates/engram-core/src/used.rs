//! What came of memories: which went up to a wider scope, and how they served.
//!
//! Rows of two logs; what follows from them is decided by `law` and `plan`.

use crate::id::{MemoryId, RecallId, SessionId};
use crate::kind::{Kind, Scope};
use crate::words::words;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

words! {
    /// How using a memory went, or that it was not used.
    pub enum Outcome ("outcome") {
        Success = "success",
        Partial = "partial",
        /// It was shown and nobody took it up.
        Ignored = "ignored",
        Failure = "failure",
    }
}

words! {
    /// Where it is known from how using a memory went.
    pub enum EvidenceSource ("evidence source") {
        /// Somebody said so of this memory.
        Told = "told",
        /// Somebody said so of an answer.
        Feedback = "feedback",
        /// What was shown came up again in what an agent said or did.
        Reuse = "reuse",
        /// A test or a build ran afterwards.
        Check = "check",
        /// The edit that followed was kept or taken back.
        Edit = "edit",
        /// The user set it right.
        Correction = "correction",
    }
}

/// A memory was used, and this is how it went. A memory has one of each source
/// at a moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Usage {
    pub memory: MemoryId,
    pub outcome: Outcome,
    /// What is older than this field was told.
    #[serde(default = "by_hand")]
    pub source: EvidenceSource,
    /// The recall that had shown it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall: Option<RecallId>,
    /// What it was used for, in a few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    pub at: Timestamp,
}

fn by_hand() -> EvidenceSource {
    EvidenceSource::Told
}

impl Usage {
    /// Somebody says how it went, and no more than that.
    pub const fn told(memory: MemoryId, outcome: Outcome, at: Timestamp) -> Self {
        let (source, recall) = (EvidenceSource::Told, None);
        Self { memory, outcome, source, recall, note: None, session: None, at }
    }
}

words! {
    /// Why a memory goes up to a wider scope.
    pub enum PromotionReason ("promotion reason") {
        /// It is worth enough.
        Score = "score",
        /// It is worth so much that it does not wait for the end.
        AtOnce = "at_once",
        /// Somebody asked for it.
        Explicit = "explicit",
    }
}

/// A memory went up to a wider scope.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Promotion {
    pub memory: MemoryId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    pub from: Scope,
    pub to: Scope,
    pub kind: Kind,
    pub reason: PromotionReason,
    /// What it was worth, between zero and one.
    pub score: f64,
    /// What was known there already and now stands for it, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged_into: Option<MemoryId>,
    pub at: Timestamp,
}
