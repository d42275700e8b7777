//! What came of memories: which went up to a wider scope, and how they served.
//!
//! Rows of two logs; what follows from them is decided by `law` and `plan`.

use crate::id::{MemoryId, SessionId};
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

/// Somebody used a memory, and tells how it went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub memory: MemoryId,
    pub outcome: Outcome,
    /// What it was used for, in a few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    pub at: Timestamp,
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
