//! The direction of a text, as it is compared and as it is kept.
//!
//! It is compared in eight bits a dimension (`Codes`); what those lose is below
//! what any comparison here can see. It may be kept in more or in fewer bits
//! (`Packed`). Which embedder a direction comes from, and what a cosine then
//! means, is said beside it; two embedders' directions are never compared.

mod across;
mod levels;
mod packed;
mod precision;

pub use across::{distance_across, similarity_across};
pub use packed::Packed;
pub use precision::{Precision, precision_of};

use crate::id::MemoryId;

/// The largest code of eight bits with a sign.
const LARGEST_CODE: f32 = 127.0;

/// A direction: `codes` times `scale` has length one.
#[derive(Debug, Clone, PartialEq)]
pub struct Codes {
    scale: f32,
    codes: Box<[i8]>,
}

impl Codes {
    /// None where there is no direction: nothing, only zeros, or no numbers.
    pub fn of(vector: &[f32]) -> Option<Self> {
        length_of(vector).map(|_| Self::nearest(vector))
    }

    /// The codes nearest to something that has a direction. Its largest
    /// coordinate gets the largest code, so that they are not all zero.
    fn nearest(vector: &[f32]) -> Self {
        let largest = vector.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
        let step = largest / LARGEST_CODE;
        let codes: Box<[i8]> = vector.iter().map(|x| (x / step).round() as i8).collect();
        // By the length of the codes themselves, so that rounding does not
        // leave some directions longer than others.
        let coded = codes.iter().map(|code| f64::from(*code) * f64::from(*code)).sum::<f64>().sqrt();
        Self { scale: (1.0 / coded) as f32, codes }
    }

    pub fn scale(&self) -> f32 {
        self.scale
    }

    pub fn codes(&self) -> &[i8] {
        &self.codes
    }

    /// The same direction, longer or shorter by this factor.
    fn scaled(mut self, factor: f64) -> Self {
        self.scale = (f64::from(self.scale) * factor) as f32;
        self
    }

    pub fn dimensions(&self) -> usize {
        self.codes.len()
    }

    /// None where one is longer than the other.
    pub fn cosine(&self, other: &Codes) -> Option<f64> {
        if self.codes.len() != other.codes.len() {
            return None;
        }
        let pairs = self.codes.iter().zip(&other.codes);
        let dot: i64 = pairs.map(|(one, other)| i64::from(*one) * i64::from(*other)).sum();
        Some((dot as f64 * f64::from(self.scale) * f64::from(other.scale)).clamp(-1.0, 1.0))
    }

    /// As a row keeps it: the scale, then the codes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.scale.to_le_bytes().to_vec();
        bytes.extend(self.codes.iter().map(|code| code.cast_unsigned()));
        bytes
    }

    /// None if these bytes are no direction.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (scale, codes) = bytes.split_first_chunk::<4>()?;
        let codes: Vec<i8> = codes.iter().map(|byte| byte.cast_signed()).collect();
        Self::from_parts(f32::from_le_bytes(*scale), &codes)
    }

    pub fn from_parts(scale: f32, codes: &[i8]) -> Option<Self> {
        let sound = scale.is_finite() && scale > 0.0 && !codes.is_empty();
        sound.then(|| Self { scale, codes: codes.into() })
    }
}

/// None where there is no direction.
fn length_of(vector: &[f32]) -> Option<f64> {
    let length = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
    (length.is_finite() && length > 0.0).then_some(length)
}

/// A direction with what it was made of and by whom.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredVector {
    pub memory: MemoryId,
    /// Names model and version.
    pub embedder: String,
    /// Of the text it was made from: when the text changed, it no longer holds.
    pub text_hash: String,
    pub packed: Packed,
}

#[cfg(test)]
mod sample;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bits_keep_the_direction() {
        let one: Vec<f32> = (0..256).map(|n| ((n * 37 % 101) as f32 - 50.0) / 50.0).collect();
        let other: Vec<f32> = (0..256).map(|n| ((n * 53 % 97) as f32 - 48.0) / 48.0).collect();
        let length = |v: &[f32]| v.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
        let exact = one.iter().zip(&other).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>()
            / length(&one)
            / length(&other);
        let (one, other) = (Codes::of(&one).unwrap(), Codes::of(&other).unwrap());
        assert!((one.cosine(&one).unwrap() - 1.0).abs() < 1e-6);
        assert!((one.cosine(&other).unwrap() - exact).abs() < 2e-3);
    }

    #[test]
    fn bytes_come_back_as_they_went() {
        let codes = Codes::of(&[0.25, -1.0, 0.0]).unwrap();
        assert_eq!(Codes::from_bytes(&codes.to_bytes()), Some(codes));
        assert_eq!(Codes::from_bytes(b"abc"), None);
        assert_eq!(Codes::from_bytes(&f32::NAN.to_le_bytes()), None);
    }

    #[test]
    fn what_has_no_direction_is_not_taken() {
        for vector in [&[][..], &[0.0, 0.0], &[f32::NAN, 1.0], &[f32::INFINITY, 1.0]] {
            assert_eq!(Codes::of(vector), None, "{vector:?}");
        }
    }
}
