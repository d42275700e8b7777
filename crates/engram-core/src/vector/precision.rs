//! In how many bits a direction is kept, and what each precision loses.
//!
//! Which memory is how reachable comes from outside; how the bits are set is
//! said beside each form.

use crate::status::Status;
use crate::unit::{Cosine, Retention};
use crate::words::words;

words! {
    /// How exactly a direction is kept, the finest first.
    pub enum Precision ("precision") {
        F32 = "f32",
        I8 = "i8",
        I4 = "i4",
        I2 = "i2",
    }
}

/// Above this retention a memory is in use, and its direction is kept whole (S4).
const IN_USE: f64 = 0.8;
/// From here on it is warm. S4 gives no number between its rows; below this one
/// a memory is endangered and wants to be rehearsed, which is the only other
/// line that the seeds draw on the way down.
const WARM: f64 = 0.3;

/// How exactly the direction of a memory is to be kept. `held` is on the scale
/// of the printed power curve. What is archived is only looked at on request.
pub fn precision_of(held: Retention, status: Status) -> Precision {
    if status == Status::Archived {
        Precision::I2
    } else if held.get() > IN_USE {
        Precision::F32
    } else if held.get() >= WARM {
        Precision::I8
    } else {
        Precision::I4
    }
}

impl Precision {
    /// The cosine that is to be expected between a direction and what is kept of
    /// it. For four and two bits it follows from the levels, sqrt(1 - D) with
    /// their mean squared error D on the normal distribution; for eight it was
    /// measured at 256 dimensions. A test measures them all.
    pub fn fidelity(self) -> Cosine {
        Cosine::clamped(match self {
            Precision::F32 => 1.0,
            Precision::I8 => 0.999_98,
            Precision::I4 => 0.995_24,
            Precision::I2 => 0.939_42,
        })
    }

    /// The squared length of what a direction of length one loses.
    pub(super) fn lost(self) -> f64 {
        2.0 * (1.0 - self.fidelity().get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_less_reachable_a_memory_is_the_fewer_bits_its_direction_has() {
        for (held, status, expected) in [
            (1.0, Status::Active, Precision::F32),
            (0.801, Status::Active, Precision::F32),
            (0.8, Status::Active, Precision::I8),
            (0.3, Status::Consolidated, Precision::I8),
            (0.299, Status::Active, Precision::I4),
            (0.0, Status::Superseded, Precision::I4),
            (1.0, Status::Archived, Precision::I2),
            (0.1, Status::Archived, Precision::I2),
        ] {
            assert_eq!(precision_of(Retention::clamped(held), status), expected, "{held} {status}");
        }
    }

    #[test]
    fn fewer_bits_never_lose_less() {
        assert!(Precision::ALL.windows(2).all(|pair| pair[0].fidelity() > pair[1].fidelity()));
    }
}
