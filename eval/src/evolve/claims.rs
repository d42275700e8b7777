//! What the experiment has to show, and whether it does.

use super::Outcome;
use engram_core::Share;
use serde::Serialize;
use std::fmt;

/// What is lost within so many standard errors is lost by chance in one of
/// twenty cases or more. One question of a hundred that falls by one place is
/// one standard error.
const BY_CHANCE: f64 = 1.64;
/// Feedback that says nothing moves no share further than this.
const NOISE: f64 = 0.02;
/// What a sum of shares may miss one by.
const INEXACT: f64 = 1e-6;

/// Whether something holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    Pass,
    Fail,
    /// Nothing was learned, for the law wants more evidence than the set has:
    /// the same by construction.
    Equal,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Pass => "PASS",
            Verdict::Fail => "FAIL",
            Verdict::Equal => "EQUAL",
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Claim {
    pub(crate) what: String,
    pub(crate) verdict: Verdict,
}

/// Everything that is claimed of these sets.
pub(crate) fn of(outcomes: &[Outcome], bound: Share) -> Vec<Claim> {
    let mut claims = Vec::new();
    for outcome in outcomes {
        let Outcome { set, default, chance, .. } = outcome;
        let learned = outcome.learned();
        let moved = outcome.honest_drift > INEXACT;
        let mut claim = |what: String, holds: bool, moved: bool| {
            let verdict = match (moved, holds) {
                (false, true) => Verdict::Equal,
                (true, true) => Verdict::Pass,
                (_, false) => Verdict::Fail,
            };
            claims.push(Claim { what: format!("{set}: {what}"), verdict });
        };
        claim(
            format!("learned {learned:.4} is at least default {default:.4}, give or take {chance:.4}"),
            learned >= default - BY_CHANCE * chance,
            moved,
        );
        // Where the best arm counts most already there may be nothing to gain.
        if let Some((best, _)) = outcome.arms.first().filter(|(arm, _)| *arm != outcome.favourite) {
            claim(
                format!(
                    "{best} alone is better than {}, and learned {learned:.4} is above default {default:.4}",
                    outcome.favourite
                ),
                learned > *default || !moved,
                moved,
            );
        }
        claim(
            format!("feedback at random moves no share beyond {NOISE}: {:.4}", outcome.random_drift),
            outcome.random_drift <= NOISE,
            true,
        );
        claim(
            format!("one session alone moves nothing: {:.4}", outcome.session_drift),
            outcome.session_drift <= INEXACT,
            true,
        );
        let furthest = [outcome.honest_drift, outcome.beside_drift, outcome.poisoned_drift];
        let furthest = furthest.into_iter().fold(outcome.random_drift, f64::max);
        claim(
            format!("nobody moves a share beyond {}: {furthest:.4}", bound.get()),
            furthest <= bound.get() + INEXACT,
            true,
        );
    }
    claims
}

#[cfg(test)]
mod tests {
    use super::*;
    use engram_core::recalled::Arm;

    fn outcome() -> Outcome {
        Outcome {
            set: "made up".to_owned(),
            favourite: Arm::Words,
            learned_from: 100,
            measured_on: 100,
            arms: vec![(Arm::Table, 0.5), (Arm::Words, 0.4)],
            default: 0.6,
            chance: 0.001,
            best_fixed: (0.62, 0.5),
            curve: vec![0.6, 0.61],
            words: vec![0.55, 0.5],
            flipped: 0.6,
            honest_drift: 0.05,
            random_drift: 0.01,
            session_drift: 0.0,
            beside_drift: 0.1,
            poisoned_drift: 0.2,
            rows: Vec::new(),
        }
    }

    fn verdicts(outcome: Outcome) -> Vec<Verdict> {
        of(&[outcome], Share::clamped(0.2)).into_iter().map(|claim| claim.verdict).collect()
    }

    #[test]
    fn each_claim_can_fail() {
        use Verdict::{Equal, Fail, Pass};
        assert_eq!(verdicts(outcome()), [Pass; 5]);
        let worse = Outcome { curve: vec![0.597], ..outcome() };
        assert_eq!(verdicts(worse), [Fail, Fail, Pass, Pass, Pass]);
        let no_better = Outcome { curve: vec![0.6], ..outcome() };
        assert_eq!(verdicts(no_better), [Pass, Fail, Pass, Pass, Pass]);
        let wandering = Outcome { random_drift: 0.03, ..outcome() };
        assert_eq!(verdicts(wandering), [Pass, Pass, Fail, Pass, Pass]);
        let talked_into = Outcome { session_drift: 0.01, ..outcome() };
        assert_eq!(verdicts(talked_into), [Pass, Pass, Pass, Fail, Pass]);
        let poisoned = Outcome { poisoned_drift: 0.21, ..outcome() };
        assert_eq!(verdicts(poisoned), [Pass, Pass, Pass, Pass, Fail]);
        let untouched = Outcome { honest_drift: 0.0, curve: vec![0.6], ..outcome() };
        assert_eq!(verdicts(untouched), [Equal, Equal, Pass, Pass, Pass]);
        let words_are_best = Outcome { arms: vec![(Arm::Words, 0.5)], ..outcome() };
        assert_eq!(verdicts(words_are_best), [Pass; 4]);
    }
}
