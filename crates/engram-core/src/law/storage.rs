//! How deeply a memory is stored.
//!
//! Depth is not reach: it grows with use and never fades, while retention falls
//! with every day. What is deep and yet out of reach is on the tip of the tongue.

use crate::memory::Trace;
use crate::unit::Storage;

/// The depth that many uses come near to.
const DEEPEST: f64 = 10.0;
/// How far from it a memory starts that was never used.
const WAY: f64 = 9.0;
/// What each use leaves of the way: about half of it is done after seven uses,
/// nine tenths after twenty-two.
const LEFT_BY_A_USE: f64 = 0.9;

/// It follows from the uses, so that nothing has to keep it.
pub fn storage_of(trace: &Trace) -> Storage {
    Storage::clamped(DEEPEST - WAY * LEFT_BY_A_USE.powf(f64::from(trace.access_count)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Stability;
    use jiff::Timestamp;

    fn storage(uses: u32) -> f64 {
        let trace = Trace {
            access_count: uses,
            last_used_at: Timestamp::UNIX_EPOCH,
            stability: Stability::FIRST,
            difficulty: None,
            fades_at: None,
        };
        storage_of(&trace).get()
    }

    #[test]
    fn storage_starts_at_one_and_each_use_takes_a_tenth_of_the_way_to_ten() {
        for (uses, expected) in [(0, 1.0), (1, 1.9), (2, 2.71), (7, 5.695_328), (22, 9.113_706)] {
            let found = storage(uses);
            assert!((found - expected).abs() < 1e-5, "{uses} uses: {found}");
        }
    }

    #[test]
    fn every_use_stores_deeper_and_none_deeper_than_ten() {
        for uses in 0..100 {
            assert!(storage(uses) < storage(uses + 1), "{uses}");
        }
        assert_eq!(storage(u32::MAX), 10.0);
    }
}
