//! What a memory's origin is worth, and which few are always at hand.
//!
//! Both are read from what a memory is; neither changes it.

use crate::kind::{Kind, Tier};
use crate::memory::{DataSource, Trace};
use crate::unit::Utility;
use jiff::{SignedDuration, Timestamp};

/// How much more or less than others a memory counts by its sub-tier: one is a
/// tenth more. Rules and procedures count more than other knowledge; of what
/// happened, what the user said himself counts more and what others passed on
/// less.
pub const fn sub_tier_of(kind: Kind, tier: Tier, source: DataSource) -> f64 {
    match (kind, tier, source) {
        (Kind::Pattern | Kind::Convention, _, _) => 1.0,
        (Kind::Procedure, _, _) => 0.5,
        (_, Tier::Working | Tier::Episodic, DataSource::UserMessage) => 1.0,
        (_, Tier::Working | Tier::Episodic, DataSource::Federation) => -1.0,
        _ => 0.0,
    }
}

const HOT_UTILITY: f64 = 0.8;
const HOT_USES: u32 = 10;
const HOT_AGE: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Whether a memory is of the few that prove useful all the time.
pub fn is_hot(tier: Tier, utility: Utility, trace: &Trace, created_at: Timestamp, at: Timestamp) -> bool {
    matches!(tier, Tier::Semantic | Tier::Procedural)
        && utility.get() >= HOT_UTILITY
        && trace.access_count >= HOT_USES
        && at.duration_since(created_at) < HOT_AGE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Stability;

    #[test]
    fn the_sub_tiers_of_the_third_seed() {
        use DataSource::*;
        for (kind, tier, source, expected) in [
            (Kind::Observation, Tier::Episodic, UserMessage, 1.0),
            (Kind::Observation, Tier::Episodic, AssistantMessage, 0.0),
            (Kind::Observation, Tier::Episodic, Federation, -1.0),
            (Kind::Convention, Tier::Procedural, AssistantMessage, 1.0),
            (Kind::Procedure, Tier::Procedural, UserMessage, 0.5),
            (Kind::Fact, Tier::Semantic, UserMessage, 0.0),
        ] {
            assert_eq!(sub_tier_of(kind, tier, source), expected, "{kind} {tier} {source}");
        }
    }

    #[test]
    fn hot_is_useful_often_used_and_not_old() {
        let hot = |tier, utility, uses, days: i64| {
            let trace = Trace {
                access_count: uses,
                last_used_at: Timestamp::UNIX_EPOCH,
                stability: Stability::FIRST,
                fades_at: None,
            };
            let at = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * days);
            is_hot(tier, Utility::clamped(utility), &trace, Timestamp::UNIX_EPOCH, at)
        };
        assert!(hot(Tier::Semantic, 0.8, 10, 29));
        assert!(!hot(Tier::Episodic, 0.8, 10, 29));
        assert!(!hot(Tier::Semantic, 0.79, 10, 29));
        assert!(!hot(Tier::Semantic, 0.8, 9, 29));
        assert!(!hot(Tier::Semantic, 0.8, 10, 30));
    }
}
