//! How alike two directions are that are kept in different precisions.
//!
//! What a precision takes away makes every cosine smaller, so that a raw product
//! puts the coarser of two equals below the finer. Both measures here know what
//! each precision loses; neither knows what the directions mean.

use super::{Packed, Precision};
use crate::unit::{Cosine, Distance};

/// The cosine that two directions had before they were packed, as far as it can
/// be told: the one between what is kept, divided by what both precisions are
/// expected to keep of it. None where one is longer than the other.
///
/// Each packing loses something across the direction and shortens what is left
/// along it; if the two losses have nothing to do with each other, only the
/// shortening shows in the product. Of two nearly equal directions in the same
/// few bits the losses are alike, and the answer is too high, at most one.
pub fn similarity_across(one: &Packed, other: &Packed) -> Option<Cosine> {
    let kept = one.precision().fidelity().get() * other.precision().fidelity().get();
    let dot: f64 = pairs(one, other)?.map(|(one, other)| one * other).sum();
    Some(Cosine::clamped(dot / kept))
}

/// The squared distance that two wordings of one thing are taken to have, a
/// cosine of .85. A direction is one reading of a meaning and never sharper than
/// that, in whatever bits it is kept. It is also the floor at which the distance
/// favours neither side at the cosines that decide a ranking, about .7: with a
/// much smaller one coarse directions are near to everything, and with a much
/// larger one far from everything.
const READING: f64 = 0.3;

/// The variance of a packed direction, of all dimensions together.
fn spread(precision: Precision) -> f64 {
    READING + precision.lost()
}

/// How far apart two packed directions are, each taken as a normal distribution:
/// around what is kept, as wide as what its precision loses. None where one is
/// longer than the other.
///
/// It is the length of the shortest way between the two in the geometry in which
/// a step is as long as it is noticeable, for distributions that are equally wide
/// in all d dimensions,
///
/// sqrt(2) arcosh(1 + (|m1 - m2|^2 / 2 + (s1 - s2)^2) / (2 s1 s2)),
///
/// where s^2 is the variance of all dimensions together. It is counted by the
/// dimension: the whole length is sqrt(d) times as much. So counted, one number
/// means the same for every embedder.
pub fn distance_across(one: &Packed, other: &Packed) -> Option<Distance> {
    let apart: f64 = pairs(one, other)?.map(|(one, other)| (one - other).powi(2)).sum();
    let (narrow, wide) = (spread(one.precision()).sqrt(), spread(other.precision()).sqrt());
    let bend = (apart / 2.0 + (narrow - wide).powi(2)) / (2.0 * narrow * wide);
    // The same as arcosh(1 + bend), and exact where it is small.
    Some(Distance::clamped(2.0_f64.sqrt() * 2.0 * (bend / 2.0).sqrt().asinh()))
}

/// The coordinates of both, side by side.
fn pairs(one: &Packed, other: &Packed) -> Option<impl Iterator<Item = (f64, f64)>> {
    let (one, other) = (one.unpack(), other.unpack());
    (one.len() == other.len())
        .then(|| one.into_iter().zip(other).map(|(one, other)| (f64::from(one), f64::from(other))))
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Chance, mean};
    use super::*;

    fn packed(vector: &[f32], precision: Precision) -> Packed {
        Packed::pack(vector, precision).unwrap()
    }

    fn raw(one: &Packed, other: &Packed) -> f64 {
        pairs(one, other).unwrap().map(|(one, other)| one * other).sum()
    }

    fn distance(one: &Packed, other: &Packed) -> f64 {
        distance_across(one, other).unwrap().get()
    }

    /// Some directions, each in some precision.
    fn mixture(chance: &mut Chance, count: usize, dimensions: usize) -> Vec<Packed> {
        let precision = |place: usize| Precision::ALL[place % Precision::ALL.len()];
        (0..count).map(|place| packed(&chance.direction(dimensions), precision(place))).collect()
    }

    #[test]
    fn it_is_a_distance() {
        let all = mixture(&mut Chance::new(1), 16, 24);
        for one in &all {
            assert_eq!(distance(one, one), 0.0);
            for other in &all {
                let direct = distance(one, other);
                assert_eq!(direct, distance(other, one));
                assert!(one == other || direct > 0.0);
                for between in &all {
                    let about = distance(one, between) + distance(between, other);
                    assert!(direct <= about + 1e-9, "{direct} > {about}");
                }
            }
        }
    }

    #[test]
    fn the_same_direction_in_another_precision_is_near_and_not_the_same() {
        let mut chance = Chance::new(2);
        let (here, there) = (chance.direction(256), chance.direction(256));
        let whole = packed(&here, Precision::F32);
        let elsewhere = distance(&whole, &packed(&there, Precision::F32));
        let row: Vec<f64> =
            Precision::ALL.iter().map(|precision| distance(&whole, &packed(&here, *precision))).collect();
        assert!(row.is_sorted(), "{row:?}");
        assert!(row[0] == 0.0 && row[1] > 0.0 && row[3] < elsewhere / 2.0, "{row:?}, {elsewhere}");
    }

    /// In one precision it puts directions in the order of their angles.
    #[test]
    fn among_equals_the_order_is_that_of_the_cosine() {
        let mut chance = Chance::new(3);
        let asked = chance.direction(256);
        for precision in Precision::ALL {
            let question = packed(&asked, *precision);
            let mut found: Vec<(f64, f64)> = (0..10)
                .map(|step| packed(&chance.at_cosine(&asked, f64::from(step) / 10.0), *precision))
                .map(|kept| (raw(&question, &kept), distance(&question, &kept)))
                .collect();
            found.sort_by(|one, other| other.0.total_cmp(&one.0));
            assert!(found.is_sorted_by(|one, other| one.1 <= other.1), "{precision}: {found:?}");
        }
    }

    /// Two cosines so near to each other that what two bits lose turns them round.
    #[test]
    fn a_finer_copy_of_something_less_like_does_not_pass_the_coarser_of_the_more_like() {
        let mut chance = Chance::new(4);
        let (mut by_raw, mut corrected, mut by_distance) = (0, 0, 0);
        for _ in 0..100 {
            let asked = chance.direction(256);
            let question = packed(&asked, Precision::F32);
            let more = packed(&chance.at_cosine(&asked, 0.74), Precision::I2);
            let less = packed(&chance.at_cosine(&asked, 0.71), Precision::F32);
            by_raw += u32::from(raw(&question, &more) > raw(&question, &less));
            corrected += u32::from(similarity_across(&question, &more) > similarity_across(&question, &less));
            by_distance += u32::from(distance(&question, &more) < distance(&question, &less));
        }
        println!("right of a hundred: raw {by_raw}, corrected {corrected}, by distance {by_distance}");
        assert!(by_raw < 30 && corrected > 90 && by_distance > 90, "{by_raw} {corrected} {by_distance}");
    }

    #[test]
    fn the_corrected_cosine_is_the_true_one_on_average() {
        let mut chance = Chance::new(5);
        for precision in Precision::ALL {
            for cosine in [0.0, 0.4, 0.8] {
                let found = mean((0..60).map(|_| {
                    let asked = chance.direction(256);
                    let kept = packed(&chance.at_cosine(&asked, cosine), *precision);
                    similarity_across(&packed(&asked, Precision::I8), &kept).unwrap().get()
                }));
                assert!((found - cosine).abs() < 0.01, "{precision} at {cosine}: {found}");
            }
        }
    }

    /// The share of pairs of different precision that each measure puts in the
    /// order of the true cosines.
    #[test]
    fn mixed_precisions_are_put_in_order_better_than_by_raw_products() {
        let mut chance = Chance::new(6);
        let (mut pairs, mut by_raw, mut corrected, mut by_distance) = (0.0, 0.0, 0.0, 0.0);
        for _ in 0..12 {
            let asked = chance.direction(256);
            let question = packed(&asked, Precision::F32);
            let kept: Vec<(f64, Packed)> = (0..48)
                .map(|place| {
                    let cosine = 0.45 + 0.5 * chance.share();
                    let precision = Precision::ALL[place % Precision::ALL.len()];
                    (cosine, packed(&chance.at_cosine(&asked, cosine), precision))
                })
                .collect();
            for (place, (cosine, one)) in kept.iter().enumerate() {
                for (other_cosine, other) in &kept[..place] {
                    if one.precision() == other.precision() {
                        continue;
                    }
                    let nearer = cosine > other_cosine;
                    let right = |says_nearer: bool| f64::from(u8::from(says_nearer == nearer));
                    pairs += 1.0;
                    by_raw += right(raw(&question, one) > raw(&question, other));
                    corrected +=
                        right(similarity_across(&question, one) > similarity_across(&question, other));
                    by_distance += right(distance(&question, one) < distance(&question, other));
                }
            }
        }
        let [by_raw, corrected, by_distance] = [by_raw, corrected, by_distance].map(|sum| sum / pairs);
        println!("in order: raw {by_raw:.4}, corrected {corrected:.4}, by distance {by_distance:.4}");
        assert!(corrected > by_raw + 0.01 && corrected > 0.97, "{corrected}, raw {by_raw}");
        assert!(by_distance > by_raw, "{by_distance}, raw {by_raw}");
    }

    #[test]
    fn what_has_another_number_of_dimensions_is_not_compared() {
        let (short, long) = (packed(&[1.0, 0.5], Precision::I4), packed(&[1.0, 0.5, 0.1], Precision::I4));
        assert_eq!(similarity_across(&short, &long), None);
        assert_eq!(distance_across(&short, &long), None);
    }
}
