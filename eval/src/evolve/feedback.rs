//! Who says what of an answer was used, and how wrong he is.
//!
//! Everybody sees the first ten of an answer, as an agent does. What is made of
//! what he says is not known here.

use crate::texts::Dice;
use engram_core::MemoryId;
use engram_core::recalled::{Arm, Pooled};

/// Somebody who uses some of what he is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Judge {
    /// He uses what is right; in this share of all cases any other that is shown
    /// instead.
    Mistaken(f64),
    /// Of everything that is shown he says the opposite in this share of cases:
    /// with one right one in ten, more is called used wrongly than rightly.
    Flipped(f64),
    /// He uses as many as are right, whichever.
    Random,
    /// He always uses what one arm puts first, to have it count more.
    Fond(Arm),
}

impl Judge {
    /// What is used of these, which are shown best first.
    pub(crate) fn used(self, shown: &[(Pooled, bool)], dice: &mut Dice) -> Vec<MemoryId> {
        let any = |dice: &mut Dice| shown[dice.below(shown.len().max(1) as u64) as usize].0.memory;
        let right = shown.iter().filter(|(_, right)| *right);
        let mut used: Vec<MemoryId> = match self {
            _ if shown.is_empty() => Vec::new(),
            Judge::Mistaken(wrong) => {
                right.map(|(pooled, _)| if dice.happens(wrong) { any(dice) } else { pooled.memory }).collect()
            }
            Judge::Flipped(wrong) => shown
                .iter()
                .filter(|(_, right)| *right != dice.happens(wrong))
                .map(|(pooled, _)| pooled.memory)
                .collect(),
            Judge::Random => (0..right.count().max(1)).map(|_| any(dice)).collect(),
            Judge::Fond(arm) => {
                let by_arm = |one: &&(Pooled, bool), other: &&(Pooled, bool)| {
                    one.0.value(arm).total_cmp(&other.0.value(arm))
                };
                shown.iter().max_by(by_arm).map(|(pooled, _)| pooled.memory).into_iter().collect()
            }
        };
        used.sort_unstable();
        used.dedup();
        used
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engram_core::IdMint;
    use engram_core::Timestamp;

    /// Ten that are shown; the third is right, and the table likes the last.
    fn shown() -> Vec<(Pooled, bool)> {
        let mut mint = IdMint::seeded(1);
        let one = |place: u8| Pooled {
            memory: MemoryId::from_ulid(mint.mint(Timestamp::UNIX_EPOCH)),
            words: 1.0 - f32::from(place) / 10.0,
            table: f32::from(place) / 10.0,
            model: 0.0,
            graph: 0.0,
            rest: 0.0,
            scale: 1.0,
        };
        (0..10).map(one).enumerate().map(|(place, pooled)| (pooled, place == 2)).collect()
    }

    fn rightly(judge: Judge) -> f64 {
        let (shown, mut dice) = (shown(), Dice::new(3));
        let right = shown[2].0.memory;
        (0..2_000).filter(|_| judge.used(&shown, &mut dice).contains(&right)).count() as f64 / 2_000.0
    }

    #[test]
    fn a_fifth_of_the_judgements_is_wrong() {
        // One in ten of the wrong ones falls on the right memory by chance.
        assert!((rightly(Judge::Mistaken(0.2)) - 0.82).abs() < 0.03);
        assert!((rightly(Judge::Flipped(0.2)) - 0.8).abs() < 0.03);
        assert!((rightly(Judge::Random) - 0.1).abs() < 0.03);
        assert_eq!(rightly(Judge::Mistaken(0.0)), 1.0);
    }

    #[test]
    fn whoever_is_fond_of_an_arm_uses_what_it_puts_first() {
        let (shown, mut dice) = (shown(), Dice::new(3));
        assert_eq!(Judge::Fond(Arm::Words).used(&shown, &mut dice), [shown[0].0.memory]);
        assert_eq!(Judge::Fond(Arm::Table).used(&shown, &mut dice), [shown[9].0.memory]);
        assert!(Judge::Random.used(&[], &mut dice).is_empty());
    }
}
