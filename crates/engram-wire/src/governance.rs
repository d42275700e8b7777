//! What is told about the audit log. It knows neither its file nor its key.

use engram_core::audit::{AuditLine, Head};
use serde::{Deserialize, Serialize};

/// A part of the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditShown {
    /// The latest first.
    pub lines: Vec<AuditLine>,
    /// How many lines can be read in all.
    pub total: usize,
    /// How far it goes; somebody who notes it elsewhere can hold the log against
    /// it later.
    pub head: Head,
}
