//! Skills: procedures that proved themselves, as an agent loads them.
//!
//! A skill is a memory like any other, and a file beside it. What is to be done
//! about the file is decided here; nobody here reads or writes it.

use crate::id::MemoryId;
use crate::words::words;
use std::collections::BTreeMap;

words! {
    /// What may be done about skills without being asked.
    pub enum SkillMode ("skill mode") {
        Off = "off",
        /// Procedures that would make one are told of.
        Propose = "propose",
        /// The skill is made, and its file written.
        Write = "write",
    }
}

/// What lies where a skill has its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OnDisk {
    Absent,
    /// As engram wrote it; with its digest.
    Ours(String),
    /// Engram wrote it, and somebody changed it since.
    Edited,
    /// Somebody else wrote it.
    Foreign,
}

/// What lies on the disk of each skill of a store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkillSight(pub BTreeMap<MemoryId, OnDisk>);
