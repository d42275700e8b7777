//! How long a memory is kept whatever becomes of it, and how much use keeps it.
//!
//! A floor forbids forgetting, it does not slow it: how reachable a memory is
//! follows from retention alone. Which rules of archival heed the mean of uses
//! is said there.

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

/// The threshold that floats with what is used: the mean of the access counts
/// of a store's current memories. Of nothing it is zero.
///
/// It asks of a busy store's memories more than of a quiet one's, where being
/// shown once is already much.
pub fn floating_threshold(counts: impl Iterator<Item = u32>) -> MeanUses {
    let (memories, uses) =
        counts.fold((0.0, 0.0), |(memories, uses), count| (memories + 1.0, uses + f64::from(count)));
    MeanUses::clamped(if memories > 0.0 { uses / memories } else { 0.0 })
}

impl MeanUses {
    /// Whether something that was used so often is used more than the others.
    pub fn is_exceeded_by(self, uses: u32) -> bool {
        f64::from(uses) > self.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_floats_with_the_mean_of_the_uses() {
        for (counts, mean) in [
            (&[][..], 0.0),
            (&[0, 0, 0], 0.0),
            (&[1], 1.0),
            (&[0, 1], 0.5),
            (&[0, 0, 12], 4.0),
            (&[u32::MAX, u32::MAX], f64::from(u32::MAX)),
        ] {
            assert_eq!(floating_threshold(counts.iter().copied()).get(), mean, "{counts:?}");
        }
    }

    #[test]
    fn as_much_as_the_others_is_not_more() {
        let mean = floating_threshold([0, 2, 4].into_iter());
        assert!(!mean.is_exceeded_by(1));
        assert!(!mean.is_exceeded_by(2));
        assert!(mean.is_exceeded_by(3));
        assert!(!floating_threshold([0, 0].into_iter()).is_exceeded_by(0));
    }

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
