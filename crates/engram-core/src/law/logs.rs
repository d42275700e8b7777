//! How long the lines of the logs are kept.

use super::RetainRules;
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

/// What the arms said of the candidates of a recall is kept so many days.
const POOLS_DAYS: u32 = 45;

/// From when on the logs are kept at `at`.
pub fn logs_kept_from(at: Timestamp, rules: &RetainRules) -> LogsKept {
    let recalls = rules.recalls_days;
    let ago = |days: u32| {
        at.saturating_sub(SignedDuration::from_hours(24 * i64::from(days))).unwrap_or(Timestamp::MIN)
    };
    LogsKept {
        recalls: ago(recalls),
        pools: ago(POOLS_DAYS.min(recalls)),
        weights: ago(365),
        insights: ago(180),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_goes_before_its_recall_and_a_change_of_weights_after_it() {
        let at = "2027-01-01T00:00:00Z".parse().unwrap();
        let kept = logs_kept_from(at, &RetainRules::default());
        assert_eq!(kept.recalls, "2026-07-05T00:00:00Z".parse().unwrap());
        assert!(kept.weights < kept.recalls && kept.recalls < kept.pools);
        let soon = logs_kept_from(at, &RetainRules { recalls_days: 10, ..RetainRules::default() });
        assert_eq!(soon.recalls, "2026-12-22T00:00:00Z".parse().unwrap());
        assert_eq!((soon.pools, soon.insights), (soon.recalls, kept.insights));
    }
}
