//! How long the lines of the logs are kept.

use jiff::{SignedDuration, Timestamp};

/// Lines of each log from before its moment go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogsKept {
    pub recalls: Timestamp,
    /// What the arms said of the candidates goes before the recall does: it is
    /// most of the row, and only the last thirty days are learned from.
    pub pools: Timestamp,
    pub weights: Timestamp,
    /// Only those that are closed.
    pub insights: Timestamp,
}

/// From when on the logs are kept at `at`.
pub fn logs_kept_from(at: Timestamp) -> LogsKept {
    let ago = |days: i64| at - SignedDuration::from_hours(24 * days);
    LogsKept { recalls: ago(180), pools: ago(45), weights: ago(365), insights: ago(180) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_goes_before_its_recall_and_a_change_of_weights_after_it() {
        let kept = logs_kept_from("2027-01-01T00:00:00Z".parse().unwrap());
        assert_eq!(kept.recalls, "2026-07-05T00:00:00Z".parse().unwrap());
        assert!(kept.weights < kept.recalls && kept.recalls < kept.pools);
    }
}
