//! How stable a memory is after it was graded, and how hard it is to keep.
//!
//! The rules and the weights are those of FSRS-6 as it was published. The curve
//! that belongs to them is in `curve`; which grade a use deserves is decided by
//! whoever saw it.

use crate::memory::Trace;
use crate::unit::{Difficulty, Retention, Stability};
use crate::used::Outcome;
use crate::words::words;
use jiff::SignedDuration;

words! {
    /// How well a memory did when it came up. The order is that of the four
    /// ratings, from the worst.
    pub enum Grade ("grade") {
        /// It was relied on, and that went wrong.
        Failed = "failed",
        /// It was shown, and nobody took it up.
        Ignored = "ignored",
        /// It was shown or used; nobody told how that went.
        Used = "used",
        /// It was relied on, and that went well.
        Succeeded = "succeeded",
    }
}

/// The 21 published weights.
const WEIGHTS: [f64; 21] = [
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614,
    0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
];

/// The exponent of the curve.
pub(super) const DECAY: f64 = WEIGHTS[20];

/// Below this the rule for the same day holds.
const ONE_DAY: SignedDuration = SignedDuration::from_hours(24);

impl Grade {
    /// As the rules number it: 1 to 4.
    const fn rating(self) -> f64 {
        match self {
            Grade::Failed => 1.0,
            Grade::Ignored => 2.0,
            Grade::Used => 3.0,
            Grade::Succeeded => 4.0,
        }
    }

    /// How stable a memory is whose first grade this is.
    pub fn first_stability(self) -> Stability {
        Stability::clamped(match self {
            Grade::Failed => WEIGHTS[0],
            Grade::Ignored => WEIGHTS[1],
            Grade::Used => WEIGHTS[2],
            Grade::Succeeded => WEIGHTS[3],
        })
    }

    /// How hard a memory is to keep whose first grade this is.
    pub fn first_difficulty(self) -> Difficulty {
        Difficulty::clamped(self.unbounded_difficulty())
    }

    /// The same before it is brought into its range. Later difficulties are
    /// drawn towards that of the best grade, which lies below the range.
    fn unbounded_difficulty(self) -> f64 {
        WEIGHTS[4] - (WEIGHTS[5] * (self.rating() - 1.0)).exp() + 1.0
    }
}

/// The grade that an outcome stands for.
pub const fn grade_of(outcome: Outcome) -> Grade {
    match outcome {
        Outcome::Success => Grade::Succeeded,
        Outcome::Partial => Grade::Used,
        Outcome::Ignored => Grade::Ignored,
        Outcome::Failure => Grade::Failed,
    }
}

/// How stable and how difficult a memory is after one more grade. It had
/// `retention_now` left on the default curve, and `idle` had passed since its
/// last use. One that was never graded counts as used once.
pub fn graded(
    trace: &Trace,
    retention_now: Retention,
    idle: SignedDuration,
    grade: Grade,
) -> (Stability, Difficulty) {
    let stability = trace.stability.get();
    let difficulty = trace.difficulty.unwrap_or_else(|| Grade::Used.first_difficulty()).get();
    let gone = 1.0 - retention_now.get();
    let next = match grade {
        _ if idle < ONE_DAY => again_the_same_day(stability, grade),
        Grade::Failed => lapsed(stability, difficulty, gone),
        Grade::Ignored => recalled(stability, difficulty, gone, WEIGHTS[15]),
        Grade::Used => recalled(stability, difficulty, gone, 1.0),
        Grade::Succeeded => recalled(stability, difficulty, gone, WEIGHTS[16]),
    };
    (Stability::clamped(next), next_difficulty(difficulty, grade))
}

/// What comes up twice within a day learns little from it. Only a failure makes
/// it less stable.
fn again_the_same_day(stability: f64, grade: Grade) -> f64 {
    let growth = (WEIGHTS[17] * (grade.rating() - 3.0 + WEIGHTS[18])).exp() * stability.powf(-WEIGHTS[19]);
    stability * if grade == Grade::Failed { growth } else { growth.max(1.0) }
}

/// The more of it was gone, the more is gained by reaching it all the same; the
/// more stable or difficult it is, the less. `share` is what the grade makes of
/// the gain.
fn recalled(stability: f64, difficulty: f64, gone: f64, share: f64) -> f64 {
    let gain = WEIGHTS[8].exp()
        * (11.0 - difficulty)
        * stability.powf(-WEIGHTS[9])
        * (WEIGHTS[10] * gone).exp_m1()
        * share;
    stability * (1.0 + gain)
}

/// A failure leaves something of what it had, and always less than all of it.
fn lapsed(stability: f64, difficulty: f64, gone: f64) -> f64 {
    let left = WEIGHTS[11]
        * difficulty.powf(-WEIGHTS[12])
        * ((stability + 1.0).powf(WEIGHTS[13]) - 1.0)
        * (WEIGHTS[14] * gone).exp();
    left.min(stability / (WEIGHTS[17] * WEIGHTS[18]).exp())
}

/// A bad grade makes it harder, less so the harder it is already; each grade
/// draws it a little towards the easiest there is.
fn next_difficulty(difficulty: f64, grade: Grade) -> Difficulty {
    let step = -WEIGHTS[6] * (grade.rating() - 3.0);
    let moved = difficulty + step * (10.0 - difficulty) / 9.0;
    let drawn = WEIGHTS[7] * Grade::Succeeded.unbounded_difficulty() + (1.0 - WEIGHTS[7]) * moved;
    Difficulty::clamped(drawn)
}

#[cfg(test)]
mod tests;
