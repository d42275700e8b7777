//! How long a memory is kept whatever becomes of it, and how much use is
//! ordinary.
//!
//! A floor forbids forgetting, it does not slow it: how reachable a memory is
//! follows from retention alone.

use crate::kind::Kind;
use crate::unit::MeanUses;
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
    /// Whether a memory of this birth must still be kept at `at`.
    pub fn holds_at(self, created_at: Timestamp, at: Timestamp) -> bool {
        match self {
            Floor::Permanent => true,
            Floor::Until(age) => at.duration_since(created_at) < age,
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

/// How often memories of a store are used on the average; what was used less
/// is forgotten first. It rises and falls with the use of the whole store, so
/// that a quiet month does not condemn everything. Of no memories it is zero,
/// and nothing is below it.
pub fn floating_threshold(access_counts: &[u32]) -> MeanUses {
    if access_counts.is_empty() {
        return MeanUses::clamped(0.0);
    }
    let uses: f64 = access_counts.iter().map(|count| f64::from(*count)).sum();
    MeanUses::clamped(uses / access_counts.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_floors_of_the_third_seed() {
        let after = |days: i64| Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * days);
        for (kind, last_day) in [
            (Kind::Correction, None),
            (Kind::Preference, None),
            (Kind::Entity, None),
            (Kind::Decision, Some(45)),
            (Kind::Fact, Some(14)),
            (Kind::Observation, Some(7)),
            (Kind::Procedure, Some(7)),
            (Kind::Narrative, Some(7)),
        ] {
            let floor = kept_at_least(kind);
            match last_day {
                None => assert!(floor.holds_at(after(0), after(100_000)), "{kind}"),
                Some(day) => {
                    assert!(floor.holds_at(after(0), after(day - 1)), "{kind}");
                    assert!(!floor.holds_at(after(0), after(day)), "{kind}");
                }
            }
        }
    }

    #[test]
    fn a_clock_that_steps_back_forgets_nothing() {
        assert!(kept_at_least(Kind::Plan).holds_at(Timestamp::MAX, Timestamp::MIN));
    }

    #[test]
    fn the_threshold_is_the_mean_use() {
        for (counts, expected) in
            [(vec![], 0.0), (vec![0, 0], 0.0), (vec![1, 2, 6], 3.0), (vec![u32::MAX; 3], 4_294_967_295.0)]
        {
            assert_eq!(floating_threshold(&counts).get(), expected, "{counts:?}");
        }
    }
}
