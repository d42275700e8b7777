//! How new a text is beside what is kept already.
//!
//! Only likenesses are read. What the neighbours say, and whether the new text
//! contradicts one of them, is not known here.

use crate::unit::{Similarity, Surprise};

/// So many of the nearest memories are looked at.
pub const NEIGHBOURS: usize = 5;

/// How much of the surprise the other neighbours can take away. It is little,
/// because five texts of one form ("the port of this is that") are alike and
/// each says something of its own.
const CROWD: f64 = 0.25;

/// A likeness above this is the same thing said again. The write gate
/// reinforces from here on.
const REDUNDANT: f64 = 0.92;

/// How new a text is, from its likeness to the memories nearest to it: what
/// the nearest one leaves, less up to a quarter of that for the average of the
/// next four. In any order; no more than the five nearest count.
///
/// A neighbour that is missing counts as wholly unlike, so that knowing one
/// thing more never makes a text more surprising. Where nothing is kept,
/// everything is new.
pub fn surprise_of(nearest: &[Similarity]) -> Surprise {
    let mut likenesses: Vec<f64> = nearest.iter().map(|similarity| similarity.get()).collect();
    likenesses.sort_by(|one, other| other.total_cmp(one));
    let Some((closest, others)) = likenesses.split_first() else {
        return Surprise::clamped(1.0);
    };
    let crowd = others.iter().take(NEIGHBOURS - 1).sum::<f64>() / (NEIGHBOURS - 1) as f64;
    Surprise::clamped((1.0 - closest) * (1.0 - CROWD * crowd))
}

/// Whether a text so little surprising says nothing that is not kept already.
pub fn is_redundant(surprise: Surprise) -> bool {
    1.0 - surprise.get() > REDUNDANT
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn surprise(nearest: &[f64]) -> f64 {
        let nearest: Vec<Similarity> = nearest.iter().map(|value| Similarity::new(*value).unwrap()).collect();
        surprise_of(&nearest).get()
    }

    #[test]
    fn where_nothing_is_kept_everything_is_new() {
        assert_eq!(surprise(&[]), 1.0);
    }

    /// S3's prediction error is one less the likeness to the closest memory;
    /// S4 looks at five of them.
    #[test]
    fn the_nearest_decides_and_the_others_take_a_little_away() {
        for (nearest, expected) in [
            (vec![0.0], 1.0),
            (vec![0.3], 0.7),
            (vec![0.75], 0.25),
            (vec![1.0], 0.0),
            (vec![0.5; 5], 0.5 * 0.875),
            (vec![0.5, 0.3, 0.3, 0.3, 0.3], 0.5 * 0.925),
            (vec![0.3, 0.3, 0.5, 0.3, 0.3, 0.3, 0.3], 0.5 * 0.925),
            (vec![1.0, 0.1, 0.1, 0.1, 0.1], 0.0),
        ] {
            let found = surprise(&nearest);
            assert!((found - expected).abs() < 1e-12, "{nearest:?}: {found}");
        }
    }

    #[test]
    fn what_is_said_again_is_redundant_and_what_adds_a_detail_is_not() {
        for (nearest, expected) in [
            (vec![], false),
            (vec![0.75], false),
            (vec![0.92], false),
            (vec![0.93], true),
            (vec![0.89; 5], false),
            (vec![0.91; 5], true),
            (vec![0.93, 0.1, 0.1, 0.1, 0.1], true),
        ] {
            let found = is_redundant(Surprise::clamped(surprise(&nearest)));
            assert_eq!(found, expected, "{nearest:?}");
        }
    }

    proptest! {
        #[test]
        fn a_nearer_neighbour_or_one_more_never_surprises_more(
            nearest in prop::collection::vec(0.0..=1.0, 0..8),
            which in 0_usize..8,
            nearer in 0.0..=1.0,
        ) {
            let before = surprise(&nearest);
            prop_assert!((0.0..=1.0).contains(&before));
            let mut after = nearest.clone();
            match after.get_mut(which) {
                Some(likeness) => *likeness = likeness.max(nearer),
                None => after.push(nearer),
            }
            prop_assert!(surprise(&after) <= before + 1e-12);
        }
    }
}
