//! How sure an answer may be of itself.
//!
//! A question whose rare words nobody has ever said is most likely one that
//! nothing here answers, however near the nearest texts are. A few scalars,
//! fitted on the public sets (docs/evaluation.md); nothing of their words.

use crate::unit::{Confidence, Similarity};
use serde::Serialize;

/// What speaks for one memory being an answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Evidence {
    /// The likeness of question and memory, by the best embedder there is.
    pub likeness: Option<Similarity>,
    /// Of what the question asks, weighed by rarity, the share whose words the
    /// memory has.
    pub covered: f64,
    /// The share whose words nothing here has.
    pub unknown: f64,
    /// How rare the rarest word is that was asked for and is not in it.
    pub missing: f64,
}

const LIKENESS: f64 = 3.0;
const UNKNOWN: f64 = -3.4;
const MISSING: f64 = -0.35;

/// How likely it is that this memory answers the question.
pub fn sureness(evidence: &Evidence) -> Confidence {
    // Without an embedder the words have to stand for both.
    let likeness = evidence.likeness.map_or(evidence.covered, Similarity::get);
    let sum = LIKENESS * likeness + UNKNOWN * evidence.unknown + MISSING * evidence.missing;
    Confidence::clamped(1.0 / (1.0 + (-sum).exp()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sure(likeness: f64, unknown: f64, missing: f64) -> f64 {
        let likeness = Some(Similarity::clamped(likeness));
        sureness(&Evidence { likeness, covered: 0.5, unknown, missing }).get()
    }

    #[test]
    fn it_rises_with_what_is_found_and_falls_with_what_is_not() {
        assert!(sure(0.8, 0.0, 0.0) > 0.9);
        assert!(sure(0.2, 0.5, 7.0) < 0.05);
        assert!(sure(0.5, 0.0, 2.0) > sure(0.5, 0.5, 2.0));
        assert!(sure(0.5, 0.0, 2.0) > sure(0.5, 0.0, 5.0));
        assert!(sure(0.6, 0.0, 2.0) > sure(0.5, 0.0, 2.0));
    }

    #[test]
    fn words_alone_can_be_sure_too() {
        let words = Evidence { likeness: None, covered: 1.0, unknown: 0.0, missing: 0.0 };
        assert!(sureness(&words).get() > 0.9);
    }
}
