//! What keeps a change from doing harm: recalls that nobody learned from are
//! ranked again as they were, with the weights before it and after it.

use super::ArmWeights;
use super::votes::{half_or_whole, pairs};
use crate::recalled::RecallLogged;
use crate::unit::Share;

/// If the default does better than what was learned by more than this, it is
/// gone back to, halfway.
pub(super) const WORSE: f64 = 0.01;

/// How often these weights put what was used above what was shown beside it and
/// was not; each recall counts once. None: there is nothing to tell by.
pub fn replayed<'r>(
    recalls: impl IntoIterator<Item = &'r RecallLogged>,
    weights: &ArmWeights,
) -> Option<Share> {
    let right = |recall: &RecallLogged| {
        let pairs = pairs(recall);
        let right: f64 =
            pairs.iter().map(|(used, other)| half_or_whole(used.score(weights) - other.score(weights))).sum();
        (!pairs.is_empty()).then(|| right / pairs.len() as f64)
    };
    mean(recalls.into_iter().filter_map(right))
}

pub(super) fn mean(values: impl Iterator<Item = f64>) -> Option<Share> {
    let (count, sum) = values.fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
    (count > 0.0).then(|| Share::clamped(sum / count))
}
