//! How sure an answer may be of itself.
//!
//! A question with a telling word that nothing takes up is most likely one that
//! nothing here answers, however near the nearest texts are. Three scalars,
//! fitted on the public sets (docs/evaluation.md); nothing of their words.

use crate::unit::{Confidence, Similarity};
use serde::{Deserialize, Serialize};

/// What speaks for one memory, or for several together, being an answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Evidence {
    /// The likeness of question and memory, by the best embedder there is.
    pub likeness: Option<Similarity>,
    /// Of what the question asks, weighed by rarity and by how much each word
    /// says, the share that is accounted for.
    pub covered: f64,
    /// What the word would have said that is accounted for least.
    pub missing: f64,
}

impl Evidence {
    pub const NOTHING: Evidence = Evidence { likeness: None, covered: 0.0, missing: 0.0 };
}

const BEFORE: f64 = 1.0;
const LIKENESS: f64 = 0.9;
const MISSING: f64 = -1.4;

/// How soon a memory that fits less well than the best one stops being likely.
const BESIDE_BEST: i32 = 3;

/// How likely it is that a memory answers the question: by itself, by what the
/// first few say together, and by how well it fits beside the best one.
pub fn sureness(alone: &Evidence, together: &Evidence, beside_best: f64) -> Confidence {
    let odds = (odds(alone) + odds(together)) / 2.0;
    let likely = 1.0 / (1.0 + (-odds).exp());
    Confidence::clamped(likely * beside_best.clamp(0.0, 1.0).powi(BESIDE_BEST))
}

fn odds(evidence: &Evidence) -> f64 {
    // Without an embedder the words have to stand for both.
    let likeness = evidence.likeness.map_or(evidence.covered, Similarity::get);
    BEFORE + LIKENESS * likeness + MISSING * evidence.missing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(likeness: f64, missing: f64) -> Evidence {
        Evidence { likeness: Some(Similarity::clamped(likeness)), covered: 0.5, missing }
    }

    fn sure(likeness: f64, missing: f64) -> f64 {
        let evidence = evidence(likeness, missing);
        sureness(&evidence, &evidence, 1.0).get()
    }

    #[test]
    fn it_rises_with_what_is_found_and_falls_with_what_is_not() {
        assert!(sure(0.8, 0.0) > 0.8);
        assert!(sure(0.2, 3.0) < 0.05);
        assert!(sure(0.5, 1.0) > sure(0.5, 2.0));
        assert!(sure(0.6, 1.0) > sure(0.5, 1.0));
    }

    #[test]
    fn what_the_first_few_say_together_speaks_for_each_of_them() {
        let (alone, together) = (evidence(0.5, 2.0), evidence(0.5, 0.1));
        let between = sureness(&alone, &together, 1.0).get();
        assert!(sure(0.5, 2.0) < between && between < sure(0.5, 0.1));
        assert!(sureness(&alone, &together, 0.8).get() < 0.6 * between);
    }

    #[test]
    fn words_alone_can_be_sure_too() {
        let words = Evidence { likeness: None, covered: 1.0, missing: 0.0 };
        assert!(sureness(&words, &words, 1.0).get() > 0.8);
    }
}
