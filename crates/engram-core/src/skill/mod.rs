//! Skills: procedures that proved themselves, as an agent loads them.
//!
//! A skill is a memory like any other, and a file beside it; so it has a utility,
//! is refined, deprecated and taken back as they are. What is to be done about
//! the file is decided here; nobody here reads or writes it.

mod cluster;
mod induce;
mod name;
mod search;
mod write;

#[cfg(test)]
mod tests;

pub use cluster::{ProcedureCluster, procedure_clusters};
pub use induce::plan_induce;
pub(crate) use name::check_description;
pub use name::{BadSkill, SkillName};
pub use search::{FoundSkill, is_built_in, search};
pub use write::{FILE_MARK, FileStep, file_of, on_disk, plan_file, plan_gone, skill_marked_in};

use crate::id::MemoryId;
use crate::memory::Memory;
use crate::words::words;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
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

/// What makes a memory a skill, beside its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skill {
    pub name: SkillName,
    /// When an agent is to use it; on one line.
    pub description: String,
    /// It evolves only where somebody says why (S1).
    #[serde(default)]
    pub protected: bool,
    /// The procedures it was made of.
    #[serde(default)]
    pub sources: Vec<MemoryId>,
}

/// Where a memory keeps it.
const SKILL: &str = "skill";

impl Skill {
    /// None: the memory is no skill, or not one that an agent would load as what
    /// it is. It may have come in from elsewhere.
    pub fn of(memory: &Memory) -> Option<Skill> {
        let kept = memory.structured.as_ref()?.get(SKILL)?;
        let skill: Skill = serde_json::from_value(kept.clone()).ok()?;
        (check_description(&skill.description).as_ref() == Ok(&skill.description)).then_some(skill)
    }

    /// Makes a memory this skill.
    pub fn put(&self, memory: &mut Memory) {
        let kept: Value = json!(self);
        memory.structured.get_or_insert_default().insert(SKILL.to_owned(), kept);
        memory.summary = Some(self.description.clone());
    }
}

/// What lies where a skill has its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OnDisk {
    /// Nothing, and nothing ever did.
    Absent,
    /// Nothing, though it was written once: somebody removed it.
    Removed,
    /// As engram wrote it, for this skill; with its digest.
    Ours { skill: MemoryId, digest: String },
    /// Engram wrote it, and somebody changed it since.
    Edited,
    /// Somebody else wrote it.
    Foreign,
}

/// What lies on the disk of each skill of a store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkillSight(pub BTreeMap<MemoryId, OnDisk>);
