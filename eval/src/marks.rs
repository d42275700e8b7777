//! What a ranking is worth: the share of the right rows among the first few,
//! and how sure that number is.

use serde::Serialize;
use std::collections::BTreeSet;

/// What one question got.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Mark {
    pub(crate) at_5: f64,
    pub(crate) at_10: f64,
    /// Among everything that was returned.
    pub(crate) at_all: f64,
    pub(crate) ndcg: f64,
    pub(crate) first: f64,
}

impl Mark {
    pub(crate) fn of(ranked: &[String], wanted: &BTreeSet<&str>) -> Self {
        let share = |depth: usize| {
            let found: BTreeSet<&str> =
                ranked.iter().take(depth).map(String::as_str).filter(|id| wanted.contains(id)).collect();
            found.len() as f64 / wanted.len() as f64
        };
        let gain = |place: usize| 1.0 / (place as f64 + 2.0).log2();
        let ideal: f64 = (0..wanted.len().min(10)).map(gain).sum();
        let hits: Vec<usize> = ranked
            .iter()
            .take(10)
            .enumerate()
            .filter(|(_, id)| wanted.contains(id.as_str()))
            .map(|(place, _)| place)
            .collect();
        Self {
            at_5: share(5),
            at_10: share(10),
            at_all: share(ranked.len()),
            ndcg: hits.iter().map(|place| gain(*place)).sum::<f64>() / ideal,
            first: hits.first().map_or(0.0, |place| 1.0 / (*place as f64 + 1.0)),
        }
    }
}

/// The mean of many marks.
pub(crate) fn mean(marks: &[Mark]) -> Mark {
    let over = |part: fn(&Mark) -> f64| marks.iter().map(part).sum::<f64>() / marks.len().max(1) as f64;
    Mark {
        at_5: over(|m| m.at_5),
        at_10: over(|m| m.at_10),
        at_all: over(|m| m.at_all),
        ndcg: over(|m| m.ndcg),
        first: over(|m| m.first),
    }
}

/// Half the width of the 95 % interval of a mean, by drawing the values again
/// and again.
pub(crate) fn uncertainty(values: &[f64]) -> f64 {
    const DRAWS: usize = 1_000;
    let mut chance = Chance(7);
    let mut means: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let drawn = (0..values.len()).map(|_| values[chance.below(values.len())]);
            drawn.sum::<f64>() / values.len().max(1) as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    if values.is_empty() { 0.0 } else { (means[DRAWS * 975 / 1000] - means[DRAWS * 25 / 1000]) / 2.0 }
}

/// The area under the curve that tells two groups apart by a number: .5 is a
/// coin, 1 is certain. With its 95 % interval.
pub(crate) fn area(higher: &[f64], lower: &[f64]) -> (f64, f64, f64) {
    let area_of = |higher: &[f64], lower: &[f64]| {
        let won: f64 = higher
            .iter()
            .flat_map(|a| {
                lower.iter().map(move |b| {
                    if a > b {
                        1.0
                    } else if a == b {
                        0.5
                    } else {
                        0.0
                    }
                })
            })
            .sum();
        won / (higher.len() * lower.len()).max(1) as f64
    };
    let mut chance = Chance(11);
    let mut areas: Vec<f64> = (0..500)
        .map(|_| {
            let mut draw = |from: &[f64]| -> Vec<f64> {
                (0..from.len()).map(|_| from[chance.below(from.len())]).collect()
            };
            area_of(&draw(higher), &draw(lower))
        })
        .collect();
    areas.sort_by(f64::total_cmp);
    (area_of(higher, lower), areas[12], areas[487])
}

/// Numbers that repeat from run to run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}
