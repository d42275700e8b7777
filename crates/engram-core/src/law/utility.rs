//! How useful a memory proves, from what its users tell.
//!
//! It is neither how true a memory is nor how easy to reach; both have laws of
//! their own.

use crate::unit::Utility;
use crate::used::Outcome;

/// How much one outcome counts against all that were told before it.
const STEP: f64 = 0.1;

/// The utility after one more outcome: a tenth of the way to what it speaks for.
pub fn utility_after(utility: Utility, outcome: Outcome) -> Utility {
    let target = match outcome {
        Outcome::Success => 1.0,
        Outcome::Partial => 0.5,
        Outcome::Failure => 0.0,
    };
    Utility::clamped(utility.get() + STEP * (target - utility.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

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
