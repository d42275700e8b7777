//! How useful a memory proves, from what its users tell.
//!
//! It is neither how true a memory is nor how easy to reach; both have laws of
//! their own.

use crate::unit::Utility;
use crate::used::Outcome;
use jiff::SignedDuration;

/// How much one outcome counts against all that were told before it.
const STEP: f64 = 0.1;

/// The utility after one more outcome: a tenth of the way to what it speaks for.
/// Being ignored speaks for nothing: it was not tried, so it did not fail.
pub fn utility_after(utility: Utility, outcome: Outcome) -> Utility {
    let target = match outcome {
        Outcome::Success => 1.0,
        Outcome::Partial => 0.5,
        Outcome::Failure => 0.0,
        Outcome::Ignored => return utility,
    };
    Utility::clamped(utility.get() + STEP * (target - utility.get()))
}

/// How much of the way to the neutral half an idle day takes.
const DRIFT_A_DAY: f64 = 0.01;

const SECONDS_A_DAY: f64 = 86_400.0;

/// The utility after so long without any use: u + .01 d (.5 - u).
///
/// What was learned of a memory's use grows old like everything else, so that
/// praise and blame both wear off; from a hundred days on nothing is left of
/// them, and no stay takes it past the half. `idle` counts from the last time
/// the utility moved, by an outcome or by this law; a day that is counted twice
/// drifts twice. A clock that steps back moves nothing.
pub fn utility_at(utility: Utility, idle: SignedDuration) -> Utility {
    let way = DRIFT_A_DAY * idle.as_secs_f64() / SECONDS_A_DAY;
    if way >= 1.0 {
        return Utility::DEFAULT;
    }
    let (before, neutral) = (utility.get(), Utility::DEFAULT.get());
    let after = before + way.max(0.0) * (neutral - before);
    // Rounding must not carry it past the half either.
    Utility::clamped(after.clamp(before.min(neutral), before.max(neutral)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn days(days: f64) -> SignedDuration {
        SignedDuration::from_secs_f64(days * SECONDS_A_DAY)
    }

    #[test]
    fn an_idle_day_takes_the_utility_a_hundredth_of_the_way_to_one_half() {
        for (before, idle, after) in [
            (0.9, 0.0, 0.9),
            (0.9, 1.0, 0.896),
            (0.9, 10.0, 0.86),
            (0.9, 50.0, 0.7),
            (0.9, 99.0, 0.504),
            (0.1, 10.0, 0.14),
            (0.1, 50.0, 0.3),
            (0.0, 30.0, 0.15),
            (0.5, 40.0, 0.5),
            (0.9, -5.0, 0.9),
        ] {
            let found = utility_at(Utility::clamped(before), days(idle)).get();
            assert!((found - after).abs() < 1e-9, "{before} after {idle}: {found}, not {after}");
        }
    }

    #[test]
    fn after_a_hundred_days_nothing_is_left_of_praise_or_blame() {
        for before in [0.0, 0.013, 0.1, 0.3, 0.77, 1.0] {
            for idle in [100.0, 101.0, 1e5] {
                assert_eq!(utility_at(Utility::clamped(before), days(idle)), Utility::DEFAULT, "{before}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn a_longer_stay_is_never_further_from_one_half_and_never_past_it(
            before in 0.0..=1.0,
            idle in 0.0..200.0,
            more in 0.0..200.0,
        ) {
            let utility = Utility::clamped(before);
            let sooner = utility_at(utility, days(idle)).get();
            let later = utility_at(utility, days(idle + more)).get();
            prop_assert!((later - 0.5).abs() <= (sooner - 0.5).abs() + 1e-12);
            prop_assert!((sooner - 0.5) * (before - 0.5) >= 0.0);
            prop_assert!((later - 0.5) * (before - 0.5) >= 0.0);
        }
    }

    #[test]
    fn each_outcome_moves_the_utility_a_tenth_of_the_way() {
        use Outcome::*;
        for (before, outcome, after) in [
            (0.5, Success, 0.55),
            (0.5, Partial, 0.5),
            (0.5, Failure, 0.45),
            (0.0, Success, 0.1),
            (0.0, Partial, 0.05),
            (0.0, Failure, 0.0),
            (1.0, Success, 1.0),
            (1.0, Partial, 0.95),
            (1.0, Failure, 0.9),
            (0.8, Success, 0.82),
            (0.8, Ignored, 0.8),
            (0.1, Ignored, 0.1),
        ] {
            let found = utility_after(Utility::clamped(before), outcome).get();
            assert!((found - after).abs() < 1e-9, "{before} {outcome}: {found}, not {after}");
        }
    }

    #[test]
    fn what_always_works_comes_near_one_and_what_never_does_near_zero() {
        for (outcome, low, high) in [(Outcome::Success, 0.99, 1.0), (Outcome::Failure, 0.0, 0.01)] {
            let end = (0..60).fold(Utility::DEFAULT, |utility, _| utility_after(utility, outcome));
            assert!((low..=high).contains(&end.get()), "{outcome}: {end:?}");
        }
    }
}
