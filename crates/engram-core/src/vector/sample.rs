//! Chance for the tests of directions, the same in every run.

/// A source of random numbers that a seed determines.
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Between zero and one.
    pub(super) fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((mixed >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// From the normal distribution.
    fn normal(&mut self) -> f64 {
        let (radius, turn) = (self.share(), self.share());
        (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * turn).cos()
    }

    /// Of length one, every direction as likely as any other.
    pub(super) fn direction(&mut self, dimensions: usize) -> Vec<f32> {
        let vector: Vec<f64> = (0..dimensions).map(|_| self.normal()).collect();
        unit(&vector)
    }

    /// A direction that has this cosine to another of length one.
    pub(super) fn at_cosine(&mut self, to: &[f32], cosine: f64) -> Vec<f32> {
        let chance = self.direction(to.len());
        let along: f64 = chance.iter().zip(to).map(|(one, other)| f64::from(*one) * f64::from(*other)).sum();
        let across: Vec<f64> =
            chance.iter().zip(to).map(|(one, other)| f64::from(*one) - along * f64::from(*other)).collect();
        let across = unit(&across);
        let sine = (1.0 - cosine * cosine).sqrt();
        to.iter()
            .zip(across)
            .map(|(to, across)| (cosine * f64::from(*to) + sine * f64::from(across)) as f32)
            .collect()
    }
}

fn unit(vector: &[f64]) -> Vec<f32> {
    let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    vector.iter().map(|x| (x / length) as f32).collect()
}

pub(super) fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = numbers.fold((0.0, 0.0), |(count, sum), number| (count + 1.0, sum + number));
    sum / count
}
