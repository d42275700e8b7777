//! The one error that reaches a person: what went wrong, and what to do.

use engram_core::words::words;
use serde::{Deserialize, Serialize};

words! {
    /// What sort of failure it is; the CLI turns it into its exit code.
    pub enum FaultKind ("fault kind") {
        /// The request makes no sense as it stands.
        Usage = "usage",
        NotFound = "not_found",
        /// The request makes sense, and the answer is no.
        Refused = "refused",
        /// Something outside engram is in the way: disk, permissions, a store
        /// that does not open.
        Environment = "environment",
        /// There is too much to do just now; the same may be asked again later.
        Busy = "busy",
        /// The daemon cannot be reached.
        Unreachable = "unreachable",
        /// The two programs do not understand each other.
        Version = "version",
        /// A defect of engram.
        Internal = "internal",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[error("{message}")]
pub struct Fault {
    pub kind: FaultKind,
    pub message: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
}

impl Fault {
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hints: Vec::new() }
    }

    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(FaultKind::Usage, message)
    }

    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(FaultKind::NotFound, message)
    }

    pub fn refused(message: impl Into<String>) -> Self {
        Self::new(FaultKind::Refused, message)
    }

    pub fn environment(message: impl Into<String>) -> Self {
        Self::new(FaultKind::Environment, message)
    }

    pub fn busy(message: impl Into<String>) -> Self {
        Self::new(FaultKind::Busy, message)
    }

    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(FaultKind::Internal, message)
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}
