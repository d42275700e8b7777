//! When a store evolves by itself.

use crate::skill::SkillMode;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// When a store evolves, and what may come of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvolutionSettings {
    pub on: bool,
    pub every: SignedDuration,
    /// After so many signs of how memories served.
    pub updates: u32,
    /// After so many new procedures.
    pub procedures: u32,
    pub skills: SkillMode,
}

impl Default for EvolutionSettings {
    /// Six hours, 100 updates and 20 procedures are the seed's triggers (S1).
    fn default() -> Self {
        Self {
            on: true,
            every: SignedDuration::from_hours(6),
            updates: 100,
            procedures: 20,
            skills: SkillMode::Propose,
        }
    }
}

/// What came in since a store last evolved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// None: it never did.
    pub last_at: Option<Timestamp>,
    pub updates: u32,
    pub procedures: u32,
}

/// When a store evolves next: at this moment if there is anything new by then,
/// or before that after so much more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextRun {
    pub at: Timestamp,
    pub updates_left: u32,
    pub procedures_left: u32,
}
