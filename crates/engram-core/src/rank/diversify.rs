//! An answer that does not say one thing ten times.

use super::{Likeness, Ranked};
use crate::unit::Similarity;

/// Fills the answer place by place: what fits best and says least of what is
/// already there. A share of one is relevance alone. The scores stay what they
/// are; only the order of the first `limit` changes.
pub fn diversify(
    mut ranked: Vec<Ranked>,
    relevance_share: f64,
    likeness: &Likeness<'_>,
    limit: usize,
) -> Vec<Ranked> {
    if relevance_share >= 1.0 || ranked.len() < 2 {
        ranked.truncate(limit);
        return ranked;
    }
    let best = ranked[0].score.max(f64::MIN_POSITIVE);
    let mut chosen: Vec<Ranked> = Vec::with_capacity(limit);
    // How near each is to the nearest of those chosen.
    let mut nearest = vec![0.0_f64; ranked.len()];
    while chosen.len() < limit && !ranked.is_empty() {
        let worth =
            |at: usize| relevance_share * ranked[at].score / best - (1.0 - relevance_share) * nearest[at];
        // The first of the best: the list is in order of score.
        let place = (1..ranked.len()).fold(0, |top, at| if worth(at) > worth(top) { at } else { top });
        let next = ranked.remove(place);
        nearest.remove(place);
        for (other, nearest) in ranked.iter().zip(&mut nearest) {
            let alike = likeness((next.scope, next.id), (other.scope, other.id));
            *nearest = nearest.max(alike.map_or(0.0, Similarity::get));
        }
        chosen.push(next);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::MemoryId;
    use crate::kind::Scope;
    use crate::rank::TextReason;
    use ulid::Ulid;

    fn ranked(number: u128, score: f64) -> Ranked {
        Ranked {
            id: MemoryId::from_ulid(Ulid(number)),
            scope: Scope::User,
            score,
            factors: Vec::new(),
            text: TextReason::default(),
            scope_weight: 1.0,
            also_in: Vec::new(),
        }
    }

    /// Memories whose numbers have the same tens say the same.
    fn check(relevance_share: f64, expected: &[u128]) {
        let list = vec![ranked(11, 1.0), ranked(12, 0.95), ranked(21, 0.8), ranked(31, 0.1)];
        let likeness = |a: (Scope, MemoryId), b: (Scope, MemoryId)| {
            let same = a.1.ulid().0 / 10 == b.1.ulid().0 / 10;
            Some(Similarity::clamped(if same { 1.0 } else { 0.0 }))
        };
        let order = diversify(list, relevance_share, &likeness, 3);
        let order: Vec<u128> = order.iter().map(|ranked| ranked.id.ulid().0).collect();
        assert_eq!(order, expected);
    }

    #[test]
    fn a_second_of_the_same_waits_for_something_else() {
        check(1.0, &[11, 12, 21]);
        check(0.7, &[11, 21, 12]);
        check(0.3, &[11, 21, 31]);
    }
}
