//! Which evidence each action wants at least (S1).

use crate::memory::Memory;
use crate::unit::Utility;
use crate::used::Usage;
use jiff::Timestamp;

/// What is known about one memory.
#[derive(Debug, Clone, Copy)]
pub struct Case<'m> {
    pub memory: &'m Memory,
    /// As it is read at `at`.
    pub utility: Utility,
    /// Oldest first.
    pub usages: &'m [Usage],
    pub at: Timestamp,
}
