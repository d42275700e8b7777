//! Four and two bits a dimension: which levels the codes stand for.
//!
//! The levels are those with the least mean squared error for coordinates that
//! are normally distributed, after scaling to a variance of one. Nothing keeps
//! the scale, because a direction has length one whatever it was.

/// A set of levels, the same above and below zero.
#[derive(Debug, PartialEq)]
pub(super) struct Levels {
    bits: u32,
    /// The positive ones, from the smallest. Between two of them lies the border,
    /// in the middle.
    above_zero: &'static [f64],
}

/// Mean squared error .00950.
pub(super) const FOUR_BITS: Levels = Levels {
    bits: 4,
    above_zero: &[0.128395, 0.388048, 0.656759, 0.942340, 1.256231, 1.618046, 2.069017, 2.732590],
};

/// Mean squared error .11748.
pub(super) const TWO_BITS: Levels = Levels { bits: 2, above_zero: &[0.452780, 1.510418] };

impl Levels {
    /// How many codes share a byte.
    pub(super) const fn in_a_byte(&self) -> usize {
        8 / self.bits as usize
    }

    /// The codes of a vector of this length, the first in the lowest bits.
    pub(super) fn encode(&self, vector: &[f32], length: f64) -> Box<[u8]> {
        let scale = (vector.len() as f64).sqrt() / length;
        let byte = |chunk: &[f32]| {
            let codes = chunk.iter().map(|x| self.code_of(f64::from(*x) * scale));
            codes.rev().fold(0, |byte, code| byte << self.bits | code)
        };
        vector.chunks(self.in_a_byte()).map(byte).collect()
    }

    /// The direction that so many codes stand for. No level is zero, so that
    /// there always is one.
    pub(super) fn decode(&self, bytes: &[u8], dimensions: usize) -> Vec<f32> {
        let mask = (1 << self.bits) - 1;
        let level = |place: usize| {
            let (byte, within) = (place / self.in_a_byte(), (place % self.in_a_byte()) as u32);
            self.level_of(bytes[byte] >> (self.bits * within) & mask)
        };
        let levels: Vec<f64> = (0..dimensions).map(level).collect();
        let length = levels.iter().map(|level| level * level).sum::<f64>().sqrt();
        levels.into_iter().map(|level| (level / length) as f32).collect()
    }

    /// The number of the nearest level above zero, and the sign in the highest
    /// bit.
    fn code_of(&self, x: f64) -> u8 {
        let passed =
            self.above_zero.windows(2).take_while(|pair| x.abs() > (pair[0] + pair[1]) / 2.0).count();
        let sign = if x < 0.0 { self.above_zero.len() } else { 0 };
        (passed + sign) as u8
    }

    fn level_of(&self, code: u8) -> f64 {
        let half = self.above_zero.len();
        match usize::from(code) {
            number if number < half => self.above_zero[number],
            number => -self.above_zero[number - half],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_is_its_own_nearest() {
        for levels in [&FOUR_BITS, &TWO_BITS] {
            for code in 0..1_u8 << levels.bits {
                assert_eq!(levels.code_of(levels.level_of(code)), code);
            }
        }
    }

    /// A level with the least error is the mean of what falls on it. The slow
    /// sum over the density is the oracle.
    #[test]
    fn each_level_is_the_mean_of_what_falls_on_it() {
        for levels in [&FOUR_BITS, &TWO_BITS] {
            let mut sums = vec![(0.0, 0.0); levels.above_zero.len()];
            let mut lost = 0.0;
            for step in 0..800_000 {
                let x = (f64::from(step) + 0.5) * 1e-5;
                let density = (-x * x / 2.0).exp();
                let code = levels.code_of(x);
                let (weight, sum) = &mut sums[usize::from(code)];
                *weight += density;
                *sum += density * x;
                lost += density * (x - levels.level_of(code)).powi(2);
            }
            for ((weight, sum), level) in sums.iter().zip(levels.above_zero) {
                assert!((sum / weight - level).abs() < 1e-4, "{level}: {}", sum / weight);
            }
            let lost = lost / sums.iter().map(|(weight, _)| weight).sum::<f64>();
            let expected = if levels.bits == 4 { 0.009501 } else { 0.117482 };
            assert!((lost - expected).abs() < 1e-5, "{} bits lose {lost}", levels.bits);
        }
    }
}
