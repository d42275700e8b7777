//! From a model's cosine to the similarity every threshold speaks of.
//!
//! Models spread their cosines differently: two unrelated sentences have about
//! 0.1 with one and 0.7 with another. A scale undoes that.

use engram_core::unit::Similarity;

/// Straight lines between anchors of (cosine, similarity). Both rise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale(pub &'static [(f64, f64)]);

impl Scale {
    /// For a model nobody has measured: what most of them have in common.
    pub const UNKNOWN: Scale = Scale(&[(0.0, 0.0), (0.5, 0.4), (0.75, 0.65), (0.9, 0.88), (1.0, 1.0)]);

    /// What lies outside the anchors gets the nearest one's similarity.
    pub fn similarity(self, cosine: f32) -> Similarity {
        let cosine = f64::from(cosine);
        let above = self.0.iter().position(|(anchor, _)| cosine < *anchor);
        Similarity::clamped(match above {
            Some(0) => self.0[0].1,
            Some(above) => {
                let ((low, from), (high, to)) = (self.0[above - 1], self.0[above]);
                from + (to - from) * (cosine - low) / (high - low)
            }
            // A cosine that is no number is above nothing.
            None if cosine.is_nan() => 0.0,
            None => self.0.last().map_or(0.0, |(_, similarity)| *similarity),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::KNOWN;

    #[test]
    fn a_scale_meets_its_anchors_and_lies_straight_between_them() {
        let scale = Scale(&[(0.2, 0.0), (0.6, 0.8), (1.0, 1.0)]);
        for (cosine, expected) in
            [(-1.0, 0.0), (0.2, 0.0), (0.4, 0.4), (0.6, 0.8), (0.8, 0.9), (1.0, 1.0), (2.0, 1.0)]
        {
            assert!((scale.similarity(cosine).get() - expected).abs() < 1e-6, "{cosine}");
        }
        assert_eq!(scale.similarity(f32::NAN).get(), 0.0);
    }

    #[test]
    fn every_scale_rises_to_one() {
        for scale in KNOWN.iter().map(|spec| spec.scale).chain([Scale::UNKNOWN]) {
            assert!(scale.0.is_sorted_by(|low, high| low.0 < high.0 && low.1 < high.1));
            assert_eq!(scale.0.last(), Some(&(1.0, 1.0)));
        }
    }
}
