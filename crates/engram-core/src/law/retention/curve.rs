//! The course of each model: what is left after some time without use, and
//! after how much time so much is left.
//!
//! Time is counted in a unit of the memory's own: its stability under `fsrs6`
//! and `power`, its half-life under the others. How many days that is, and
//! anything else about the memory but how often it was used, is not known here.

use super::Model;
use super::fsrs::DECAY;

/// By definition, the default curve passes this after one stability, and the
/// half-life models are put beside it by the moment at which they do.
const STABLE: f64 = 0.9;

/// The printed power law is (1 + t / 9S)^-2.
const POWER_SCALE: f64 = 9.0;
const POWER_DECAY: f64 = 2.0;

/// From this many half-lives on `huber` is a straight line.
const KNEE: f64 = 1.0;
/// Where that line ends. At six half-lives the exponential would have less than
/// two hundredths left, so that nothing is cut off that was worth reaching.
const LINE_END: f64 = 6.0;

/// How much of what is gone `elastic` takes away once more from a memory that
/// was never used. A quarter makes such a memory end between two and three
/// half-lives.
const SPARSITY: f64 = 0.25;

/// How much the logarithm of the uses adds to the odds, and the most it adds.
/// The cap is given; a tenth reaches it at twenty uses.
const REINFORCEMENT: f64 = 0.1;
const MOST_REINFORCEMENT: f64 = 0.3;

/// The course of one model for a memory that was used so often. It starts at
/// one and never rises.
#[derive(Debug, Clone, Copy)]
pub(super) struct Curve {
    pub(super) model: Model,
    pub(super) uses: u32,
}

impl Curve {
    /// The course of a memory that was never used.
    pub(super) const fn plain(model: Model) -> Self {
        Self { model, uses: 0 }
    }

    /// What is left after this much time.
    pub(super) fn at(self, time: f64) -> f64 {
        match self.model {
            Model::Fsrs6 => (1.0 + fsrs_scale() * time).powf(-DECAY),
            Model::Power => (1.0 + time / POWER_SCALE).powf(-POWER_DECAY),
            Model::Exponential => halved(time),
            Model::L2 => reinforced(halved(time), self.odds()),
            Model::Huber => reinforced(bent(time), self.odds()),
            Model::Elastic => {
                let base = reinforced(halved(time), self.odds());
                (base - self.sparsity() * (1.0 - base)).max(0.0)
            }
        }
    }

    /// After how much time so much is left: the inverse of `at`. For nothing it
    /// is where the course ends, and infinity for a course without an end.
    pub(super) fn reaches(self, left: f64) -> f64 {
        match self.model {
            Model::Fsrs6 => (left.powf(-1.0 / DECAY) - 1.0) / fsrs_scale(),
            Model::Power => (left.powf(-1.0 / POWER_DECAY) - 1.0) * POWER_SCALE,
            Model::Exponential => halvings(left),
            Model::L2 => halvings(unreinforced(left, self.odds())),
            Model::Huber => match unreinforced(left, self.odds()) {
                base if base >= halved(KNEE) => halvings(base),
                base => LINE_END - (LINE_END - KNEE) * base / halved(KNEE),
            },
            Model::Elastic => {
                let sparsity = self.sparsity();
                halvings(unreinforced((left + sparsity) / (1.0 + sparsity), self.odds()))
            }
        }
    }

    /// The time after which a memory that was never used is as far gone as this
    /// one is after `time`. Beyond the end of a course nothing is left to
    /// compare, and time goes on in the proportion of the two ends.
    pub(super) fn plain_time(self, time: f64) -> f64 {
        let plain = Self::plain(self.model);
        match self.model {
            Model::Fsrs6 | Model::Power | Model::Exponential => time,
            Model::Huber | Model::Elastic if time >= self.reaches(0.0) => {
                time * plain.reaches(0.0) / self.reaches(0.0)
            }
            Model::L2 | Model::Huber | Model::Elastic => plain.reaches(self.at(time)),
        }
    }

    /// What the odds of still reaching it are multiplied by. Odds, because a
    /// factor on them never leaves the range, keeps what was just used at one,
    /// and lets everything fade in the end.
    fn odds(self) -> f64 {
        1.0 + (REINFORCEMENT * f64::from(self.uses).ln_1p()).min(MOST_REINFORCEMENT)
    }

    fn sparsity(self) -> f64 {
        SPARSITY / (1.0 + f64::from(self.uses))
    }
}

/// A stability in the curve's unit of time: the unit itself where the formula
/// has it, and otherwise the moment at which nine tenths are left.
pub(super) fn stability_of(model: Model) -> f64 {
    match model {
        Model::Fsrs6 | Model::Power => 1.0,
        _ => Curve::plain(model).reaches(STABLE),
    }
}

/// Scales time so that the default curve passes nine tenths after one stability.
fn fsrs_scale() -> f64 {
    STABLE.powf(-1.0 / DECAY) - 1.0
}

fn halved(half_lives: f64) -> f64 {
    0.5_f64.powf(half_lives)
}

fn halvings(left: f64) -> f64 {
    -left.log2()
}

/// Halved once, and then a straight line. A share is lost for each day of a
/// long silence and not a share of what is left, so that what was busy for a
/// while and then rests is not written off for one quiet stretch; and yet the
/// line ends, which the exponential does not.
fn bent(half_lives: f64) -> f64 {
    if half_lives <= KNEE {
        return halved(half_lives);
    }
    (halved(KNEE) * (LINE_END - half_lives) / (LINE_END - KNEE)).max(0.0)
}

/// A share whose odds are multiplied.
fn reinforced(share: f64, odds: f64) -> f64 {
    odds * share / (1.0 + (odds - 1.0) * share)
}

fn unreinforced(share: f64, odds: f64) -> f64 {
    share / (odds - (odds - 1.0) * share)
}
