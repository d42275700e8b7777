//! How reachable a memory still is, and when it will have faded.
//!
//! The curve is FSRS-6's: a power law scaled so that retention is 0.9 when as
//! many days have passed as the memory is stable. It says nothing about truth.

use crate::kind::{Scope, Tier};
use crate::memory::{Memory, Trace};
use crate::status::Status;
use crate::unit::{Retention, Strength};
use jiff::{SignedDuration, Timestamp};

/// FSRS-6's published decay exponent (its weight 20).
const DECAY: f64 = 0.1542;

/// Where a memory counts as faded. The seeds say .15 on the printed power law;
/// this is the reading of the default curve at the same moment.
const FADED: f64 = 0.66;

const SECONDS_A_DAY: f64 = 86_400.0;

/// Scales elapsed time so that the curve passes 0.9 at t = stability.
fn scale() -> f64 {
    0.9_f64.powf(-1.0 / DECAY) - 1.0
}

/// How many days a day counts for, by tier.
const fn haste(tier: Tier) -> f64 {
    match tier {
        Tier::Working => 10.0,
        Tier::Episodic => 3.0,
        Tier::Semantic | Tier::Procedural | Tier::Codebase => 1.0,
    }
}

/// What is left of a memory at `at`.
///
/// A reading from before the last use counts as "just used": clocks step back
/// on real machines, and a memory must not change because of that.
pub fn retention_at(trace: &Trace, tier: Tier, at: Timestamp) -> Retention {
    let idle = at.duration_since(trace.last_used_at).max(SignedDuration::ZERO);
    let days = idle.as_secs_f64() / SECONDS_A_DAY * haste(tier);
    Retention::clamped((1.0 + scale() * days / trace.stability.get()).powf(-DECAY))
}

/// What is left of this memory at `at`, considering where it stands: nothing
/// fades inside a session, and what is archived is frozen as it was then.
pub fn retention_of(memory: &Memory, at: Timestamp) -> Retention {
    match (memory.scope, memory.status) {
        (Scope::Session, _) => Retention::clamped(1.0),
        (_, Status::Archived) => retention_at(&memory.trace, memory.tier, memory.status_change.at),
        _ => retention_at(&memory.trace, memory.tier, at),
    }
}

/// When retention will have fallen to the fading threshold: the inverse of the
/// curve. None in a session, and when that lies beyond the calendar.
pub fn fades_at(trace: &Trace, tier: Tier, scope: Scope) -> Option<Timestamp> {
    if scope == Scope::Session {
        return None;
    }
    let days = (FADED.powf(-1.0 / DECAY) - 1.0) / scale() * trace.stability.get() / haste(tier);
    let wait = SignedDuration::try_from_secs_f64(days * SECONDS_A_DAY).ok()?;
    trace.last_used_at.checked_add(wait).ok()
}

/// Importance x confidence x retention.
pub fn strength_at(memory: &Memory, at: Timestamp) -> Strength {
    let held = memory.importance.get() * memory.confidence.get();
    Strength::clamped(held * retention_of(memory, at).get())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Stability;

    fn trace(days: f64) -> Trace {
        Trace {
            access_count: 0,
            last_used_at: Timestamp::UNIX_EPOCH,
            stability: Stability::new(days).unwrap(),
            fades_at: None,
        }
    }

    fn day(n: f64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_secs_f64(n * SECONDS_A_DAY)
    }

    #[test]
    fn retention_is_nine_tenths_when_as_many_days_passed_as_it_is_stable() {
        for stability in [0.5, 2.3065, 30.0, 400.0] {
            let left = retention_at(&trace(stability), Tier::Semantic, day(stability)).get();
            assert!((left - 0.9).abs() < 1e-9, "{stability}: {left}");
        }
    }

    /// The seeds state thresholds on the power law (1 + t/9S)^-2; design
    /// section 3 gives what this curve reads at the same moments.
    #[test]
    fn the_curve_agrees_with_the_stated_thresholds() {
        for (power, expected) in [(0.3, 0.72), (0.15, 0.66), (0.1, 0.63), (0.05, 0.59), (0.01, 0.51)] {
            let ratio: f64 = 9.0 * (f64::powf(power, -0.5) - 1.0);
            let left = retention_at(&trace(1.0), Tier::Semantic, day(ratio)).get();
            assert!((left - expected).abs() < 0.006, "{power}: {left}");
        }
    }

    #[test]
    fn an_episode_fades_three_times_as_fast() {
        let fast = retention_at(&trace(5.0), Tier::Episodic, day(2.0));
        let slow = retention_at(&trace(5.0), Tier::Semantic, day(6.0));
        assert!((fast.get() - slow.get()).abs() < 1e-12);
    }

    #[test]
    fn a_clock_that_steps_back_changes_nothing() {
        assert_eq!(retention_at(&trace(5.0), Tier::Working, day(-3.0)).get(), 1.0);
    }

    #[test]
    fn the_deadline_is_where_the_curve_meets_the_threshold() {
        for tier in Tier::ALL {
            let trace = trace(4.0);
            let at = fades_at(&trace, *tier, Scope::Project).unwrap();
            assert!((retention_at(&trace, *tier, at).get() - FADED).abs() < 1e-6);
        }
    }

    #[test]
    fn a_deadline_beyond_the_calendar_is_no_deadline() {
        let mut eternal = trace(36_500.0);
        eternal.last_used_at = Timestamp::MAX;
        assert_eq!(fades_at(&eternal, Tier::Semantic, Scope::User), None);
    }
}
