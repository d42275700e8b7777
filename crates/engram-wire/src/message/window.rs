//! What the window asks besides what everybody asks: where it is served, what
//! goes on, what stores there are and what was learned on which day. Each has
//! its command as well.

use super::MemoryName;
use engram_core::graph::BondKind;
use engram_core::{Kind, Memory, MemoryId, OperationId, Scope, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Sets right what is said about a memory. What it says itself is set right by a
/// correction.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Edit {
    pub operation: OperationId,
    pub memory: MemoryName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// All it has from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// Empty: it has none from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// Empty: it has none from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

/// The things with a name and how they are bound, the most named first.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraphWhole {
    /// None: every scope that can be seen.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Only bonds of these kinds. None named: all.
    #[serde(default)]
    pub kinds: Vec<BondKind>,
    /// So many things at most.
    pub limit: usize,
}

/// Where a list of memories goes on, the newest first: behind this one. Written
/// as the moment of its birth in microseconds and its identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListCursor {
    pub created_at: Timestamp,
    pub memory: MemoryId,
}

impl ListCursor {
    /// Behind this memory.
    pub const fn after(memory: &Memory) -> Self {
        Self { created_at: memory.created_at, memory: memory.id }
    }
}

impl fmt::Display for ListCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.created_at.as_microsecond(), self.memory)
    }
}

/// Text that says nowhere where a list goes on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not where a list goes on; take the `next` of the part before as it is")]
pub struct NotACursor(String);

impl FromStr for ListCursor {
    type Err = NotACursor;
    fn from_str(text: &str) -> Result<Self, NotACursor> {
        let read = || {
            let (micros, id) = text.rsplit_once('-')?;
            let created_at = Timestamp::from_microsecond(micros.parse().ok()?).ok()?;
            Some(Self { created_at, memory: id.parse().ok()? })
        };
        read().ok_or_else(|| NotACursor(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "01JD3V8Q2Y6K4M5N7P9R1S3T5V";

    #[test]
    fn where_a_list_goes_on_is_read_as_it_was_written() {
        for micros in [0, -5, 1_800_000_000_123_456] {
            let created_at = Timestamp::from_microsecond(micros).unwrap();
            let cursor = ListCursor { created_at, memory: ID.parse().unwrap() };
            assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }
        let too_late = format!("{}-{ID}", i64::MAX);
        for text in ["", "-", "12", ID, "12-34", "x-01JD3V8Q2Y6K4M5N7P9R1S3T5V", too_late.as_str()] {
            assert_eq!(text.parse::<ListCursor>(), Err(NotACursor(text.to_owned())));
        }
    }

    #[test]
    fn of_two_born_at_once_the_greater_identifier_comes_first() {
        let at = Timestamp::from_microsecond(7).unwrap();
        let cursor = |id: &str| ListCursor { created_at: at, memory: id.parse().unwrap() };
        assert!(cursor("01JD3V8Q2Y6K4M5N7P9R1S3T60") > cursor(ID));
    }
}
