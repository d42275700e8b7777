//! How long a memory is kept whatever becomes of it.
//!
//! A floor forbids forgetting, it does not slow it: how reachable a memory is
//! follows from retention alone.

use crate::kind::Kind;
use jiff::{SignedDuration, Timestamp};

/// How long a memory is at least kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Floor {
    /// Nothing forgets it by itself.
    Permanent,
    /// Until it is so old.
    Until(SignedDuration),
}

impl Floor {
    /// Nothing forgets a memory that was created then by itself before this
    /// moment. None: nothing ever does.
    pub fn until(self, created_at: Timestamp) -> Option<Timestamp> {
        match self {
            Floor::Permanent => None,
            Floor::Until(age) => Some(created_at.saturating_add(age).unwrap_or(Timestamp::MAX)),
        }
    }
}

/// How long a memory of this kind is at least kept. Tastes, names and
/// corrections are not forgotten unless somebody asks for it.
pub const fn kept_at_least(kind: Kind) -> Floor {
    let days = match kind {
        Kind::Correction | Kind::Preference | Kind::Entity => return Floor::Permanent,
        Kind::Decision => 45,
        Kind::Fact => 14,
        _ => 7,
    };
    Floor::Until(SignedDuration::from_hours(24 * days))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_floors_of_the_third_seed() {
        for (kind, days) in [
            (Kind::Correction, None),
            (Kind::Preference, None),
            (Kind::Entity, None),
            (Kind::Decision, Some(45)),
            (Kind::Fact, Some(14)),
            (Kind::Observation, Some(7)),
            (Kind::Procedure, Some(7)),
            (Kind::Narrative, Some(7)),
        ] {
            let until = days.map(|days: i64| Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * days));
            assert_eq!(kept_at_least(kind).until(Timestamp::UNIX_EPOCH), until, "{kind}");
        }
    }
}
