//! How far one look at the votes moves the shares.

use super::{INEXACT, LearningSettings, Rate, Shares};
use crate::unit::Share;

/// A part keeps at least so much of its default. With nothing at all it would
/// leave no value in the log, and nothing could ever bring it back.
const LEAST_OF_HOME: f64 = 0.1;

/// So many votes of no opinion are counted beside those there are, so that a few
/// of one mind move little: S0 10 says that it takes fifty to shift a weight.
const OF_NO_OPINION: f64 = 50.0;

/// The shares after one look: each moves by how far its rate is off the middle,
/// times the rate of learning (S0 6.3: (rate - .5) x .1), if that is sure. They
/// add up to one again, and each lies within the bound of its default (`home`)
/// and of where it was.
pub fn nudged(now: &Shares, home: &Shares, rates: &[Rate], settings: &LearningSettings) -> Shares {
    let by = |word: &str| {
        let sure = rates.iter().find(|rate| rate.word == word && rate.sure);
        sure.map_or(0.0, |rate| {
            let votes = f64::from(rate.votes);
            (rate.rate.get() - 0.5) * votes / (votes + OF_NO_OPINION) * settings.rate
        })
    };
    let bound = settings.bound.get();
    let parts: Vec<Part<'_>> = now
        .iter()
        .map(|(word, share)| {
            let home = home.of(word).unwrap_or(share).get();
            let low = (home - bound).max(LEAST_OF_HOME * home);
            Part { word, wanted: share.get() + by(word), low, high: (home + bound).min(1.0) }
        })
        .collect();
    let within = whole_within(&parts).unwrap_or_else(|| home.clone());
    let (far, was_within) = (within.apart(now).get(), home.apart(now).get() <= bound + INEXACT);
    if was_within && far > bound { between(now, &within, bound / far) } else { within }
}

/// `way` of the way from one to the other: nothing is the one, one the other.
pub(super) fn between(one: &Shares, other: &Shares, way: f64) -> Shares {
    let part = |(word, share): (&str, Share)| {
        let goal = other.of(word).unwrap_or(share).get();
        (word.to_owned(), share.get() + way * (goal - share.get()))
    };
    let parts: Vec<(String, f64)> = one.iter().map(part).collect();
    Shares::whole(parts.iter().map(|(word, part)| (word.as_str(), *part))).unwrap_or_else(|| one.clone())
}

/// What one share is to be, and what it may be.
struct Part<'w> {
    word: &'w str,
    wanted: f64,
    low: f64,
    high: f64,
}

/// The shares nearest to what is wanted that lie within their limits and add up
/// to one: all are raised or lowered alike, and who meets a limit stays there.
/// None where the limits leave no such shares.
fn whole_within(parts: &[Part<'_>]) -> Option<Shares> {
    let at = |part: &Part<'_>, raised: f64| (part.wanted + raised).clamp(part.low, part.high);
    let sum = |raised: f64| parts.iter().map(|part| at(part, raised)).sum::<f64>();
    let (mut low, mut high) = (-2.0, 2.0);
    if sum(low) > 1.0 || sum(high) < 1.0 {
        return None;
    }
    // So many halvings of four leave less than a number of this size can tell.
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if sum(middle) < 1.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Shares::whole(parts.iter().map(|part| (part.word, at(part, high))))
}
