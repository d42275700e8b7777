//! What is said to have all text of a person or a project taken away.

use engram_core::erase::Subject;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Takes all text of a subject out of everything this machine has, and proves it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Erase {
    pub subject: Subject,
    /// Of a person: also what only names them, whoever said it.
    #[serde(default)]
    pub mentions: bool,
    /// Only looks where there is something.
    #[serde(default)]
    pub dry_run: bool,
    /// The file of keys that opens sealed copies. None named: that of the settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<PathBuf>,
}
