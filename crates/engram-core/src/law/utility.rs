//! How useful a memory proves, from what its users tell.
//!
//! It is neither how true a memory is nor how easy to reach; both have laws of
//! their own.

use crate::memory::Memory;
use crate::unit::Utility;
use crate::used::{EvidenceSource, Outcome};
use jiff::{SignedDuration, Timestamp};

/// How much one outcome counts against all that were told before it.
const STEP: f64 = 0.1;

/// The utility after one more outcome: a tenth of the way to what it speaks for.
/// Being ignored speaks for nothing: it was not tried, so it did not fail.
pub fn utility_after(utility: Utility, outcome: Outcome) -> Utility {
    let Some(target) = target_of(outcome) else { return utility };
    Utility::clamped(utility.get() + STEP * (target - utility.get()))
}

/// The utility as if this outcome had not been told: what `utility_after` came
/// from. What was told in between keeps its step, a tenth of which it was longer
/// or shorter for that.
pub fn utility_without(utility: Utility, outcome: Outcome) -> Utility {
    let Some(target) = target_of(outcome) else { return utility };
    Utility::clamped((utility.get() - STEP * target) / (1.0 - STEP))
}

/// What an outcome speaks for. None: for nothing.
const fn target_of(outcome: Outcome) -> Option<f64> {
    match outcome {
        Outcome::Success => Some(1.0),
        Outcome::Partial => Some(0.5),
        Outcome::Failure => Some(0.0),
        Outcome::Ignored => None,
    }
}

/// The utility after one more sign of how using it went, by where that is known
/// from. What somebody says, what a test or a build shows and what the user sets
/// right count in full (S1, S3: u += .1 (target - u)). That it came up again, or
/// that an edit was taken back, says less of how well it served: half of that,
/// so that an agent that repeats everything proves little.
pub fn utility_after_evidence(utility: Utility, outcome: Outcome, source: EvidenceSource) -> Utility {
    let after = utility_after(utility, outcome);
    match source {
        EvidenceSource::Told
        | EvidenceSource::Feedback
        | EvidenceSource::Check
        | EvidenceSource::Correction => after,
        EvidenceSource::Reuse | EvidenceSource::Edit => Utility::clamped(utility.get().midpoint(after.get())),
    }
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

/// The utility of a memory as it is read at `at`: drifted since it was last used
/// or changed.
pub fn utility_now(memory: &Memory, at: Timestamp) -> Utility {
    let since = memory.trace.last_used_at.max(memory.updated_at);
    utility_at(memory.utility, at.duration_since(since).max(SignedDuration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::sample::{day, memory};
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
        fn what_is_taken_back_leaves_no_trace(before in 0.0..=1.0) {
            for outcome in Outcome::ALL {
                let utility = Utility::clamped(before);
                let back = utility_without(utility_after(utility, *outcome), *outcome);
                prop_assert!((back.get() - before).abs() < 1e-9, "{outcome}: {back:?}");
            }
        }

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

    #[test]
    fn a_sign_that_says_less_takes_half_a_step() {
        use EvidenceSource::*;
        for source in EvidenceSource::ALL {
            let whole = match source {
                Told | Feedback | Check | Correction => 1.0,
                Reuse | Edit => 0.5,
            };
            for (before, outcome, step) in [
                (0.5, Outcome::Success, 0.05),
                (0.5, Outcome::Failure, -0.05),
                (0.9, Outcome::Partial, -0.04),
            ] {
                let after = utility_after_evidence(Utility::clamped(before), outcome, *source).get();
                assert!((after - (before + whole * step)).abs() < 1e-9, "{source} {outcome}: {after}");
            }
            assert_eq!(utility_after_evidence(Utility::clamped(0.3), Outcome::Ignored, *source).get(), 0.3);
        }
    }

    #[test]
    fn nine_failures_bring_it_below_a_fifth_and_eight_do_not() {
        // S1 deprecates below .2: .5 x .9^8 is .215, .5 x .9^9 is .194.
        let told = |times: u32| {
            (0..times).fold(Utility::DEFAULT, |utility, _| {
                utility_after_evidence(utility, Outcome::Failure, EvidenceSource::Check)
            })
        };
        assert!(told(8).get() > 0.2 && told(9).get() < 0.2, "{:?} {:?}", told(8), told(9));
    }

    #[test]
    fn it_drifts_from_the_later_of_use_and_change() {
        let mut memory = memory(1);
        memory.utility = Utility::clamped(0.9);
        let now = |memory: &Memory| utility_now(memory, day(50.0)).get();
        assert!((now(&memory) - 0.7).abs() < 1e-9);
        memory.trace.last_used_at = day(40.0);
        assert!((now(&memory) - 0.86).abs() < 1e-9);
        memory.updated_at = day(49.0);
        assert!((now(&memory) - 0.896).abs() < 1e-9);
        memory.updated_at = day(60.0);
        assert_eq!(now(&memory), 0.9, "a clock that steps back moves nothing");
    }
}
