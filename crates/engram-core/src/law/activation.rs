//! How readily a memory comes to mind, and how much its kind has aged.
//!
//! Both only order what was found. Neither says whether a memory is true, and
//! neither decides whether it is kept: that is retention's part.

use crate::kind::Kind;
use crate::memory::Trace;
use crate::unit::{Activation, Freshness};
use jiff::{SignedDuration, Timestamp};

const SECONDS_A_DAY: f64 = 86_400.0;

/// How readily a memory comes to mind at `at`: logistic(ln n - ln(age) / 2),
/// with n uses and the age in seconds since the last one.
///
/// A memory that was never used counts as used once, at its birth. An age below
/// one second counts as one second, and a reading from before the last use as
/// "just used", because clocks step back on real machines.
pub fn activation_at(trace: &Trace, at: Timestamp) -> Activation {
    let uses = f64::from(trace.access_count.max(1));
    let age = at.duration_since(trace.last_used_at).as_secs_f64().max(1.0);
    let base = uses.ln() - 0.5 * age.ln();
    Activation::clamped(1.0 / (1.0 + (-base).exp()))
}

/// What is left at `at` of the weight of something learned at `learned_at`:
/// e^(-rate x days), with a rate for each kind. Tastes, names and corrections do
/// not age.
pub fn freshness_at(kind: Kind, learned_at: Timestamp, at: Timestamp) -> Freshness {
    let age = at.duration_since(learned_at).max(SignedDuration::ZERO);
    Freshness::clamped((-aging(kind) * age.as_secs_f64() / SECONDS_A_DAY).exp())
}

/// How much a kind ages, per day.
const fn aging(kind: Kind) -> f64 {
    match kind {
        Kind::Preference | Kind::Entity | Kind::Correction => 0.0,
        Kind::Fact => 0.005,
        Kind::Decision => 0.02,
        _ => 0.05,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Stability;

    fn second(n: f64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_secs_f64(n)
    }

    fn activation(uses: u32, age: f64) -> f64 {
        let trace = Trace {
            access_count: uses,
            last_used_at: Timestamp::UNIX_EPOCH,
            stability: Stability::FIRST,
            difficulty: None,
            fades_at: None,
        };
        activation_at(&trace, second(age)).get()
    }

    /// The logistic of a difference of logarithms is n / (n + sqrt(age)).
    #[test]
    fn activation_weighs_uses_against_the_root_of_the_age() {
        for (uses, age, expected) in [
            (1, 1.0, 0.5),
            (1, 9.0, 0.25),
            (3, 9.0, 0.5),
            (10, 3_600.0, 10.0 / 70.0),
            (1, 86_400.0, 0.003_390_5),
            (50, 2_592_000.0, 0.030_121),
        ] {
            let found = activation(uses, age);
            assert!((found - expected).abs() < 1e-6, "{uses} uses, {age} s: {found}");
        }
    }

    #[test]
    fn what_was_never_used_counts_as_used_once() {
        assert_eq!(activation(0, 500.0), activation(1, 500.0));
    }

    #[test]
    fn less_than_a_second_and_a_clock_that_steps_back_count_as_one_second() {
        for age in [0.0, 0.2, -1.0, -1e9] {
            assert_eq!(activation(4, age), activation(4, 1.0), "{age}");
        }
    }

    #[test]
    fn activation_stays_in_its_range() {
        let trace = Trace {
            access_count: u32::MAX,
            last_used_at: Timestamp::MIN,
            stability: Stability::FIRST,
            difficulty: None,
            fades_at: None,
        };
        for at in [Timestamp::MIN, Timestamp::MAX] {
            let found = activation_at(&trace, at).get();
            assert!(found > 0.0 && found <= 1.0, "{found}");
        }
    }

    #[test]
    fn each_kind_ages_at_its_own_rate() {
        for (kind, after_a_day, after_hundred) in [
            (Kind::Preference, 1.0, 1.0),
            (Kind::Entity, 1.0, 1.0),
            (Kind::Correction, 1.0, 1.0),
            (Kind::Fact, 0.995_012, 0.606_531),
            (Kind::Decision, 0.980_199, 0.135_335),
            (Kind::Observation, 0.951_229, 0.006_738),
            (Kind::Procedure, 0.951_229, 0.006_738),
        ] {
            for (days, expected) in [(1.0, after_a_day), (100.0, after_hundred)] {
                let found = freshness_at(kind, second(0.0), second(days * SECONDS_A_DAY)).get();
                assert!((found - expected).abs() < 1e-6, "{kind} after {days}: {found}");
            }
        }
    }

    #[test]
    fn what_was_learned_in_the_future_is_fresh() {
        assert_eq!(freshness_at(Kind::Plan, second(1e6), second(0.0)).get(), 1.0);
    }
}
