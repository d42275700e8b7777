//! A direction as a row keeps it, in one of four precisions.
//!
//! Its bytes say by themselves which one it is. Rows from before there was a
//! choice hold eight bits and are read as they are: they begin with a scale,
//! the others with four bytes that as a scale would be no number.

use super::levels::{FOUR_BITS, Levels, TWO_BITS};
use super::{Codes, Precision, length_of};
use crate::unit::Cosine;

/// A direction in some precision.
#[derive(Debug, Clone, PartialEq)]
pub struct Packed(Form);

#[derive(Debug, Clone, PartialEq)]
enum Form {
    /// Of length one.
    F32(Box<[f32]>),
    I8(Codes),
    I4(Digits),
    I2(Digits),
}

/// Codes of fewer than eight bits, several in a byte.
#[derive(Debug, Clone, PartialEq)]
struct Digits {
    dimensions: usize,
    bytes: Box<[u8]>,
}

impl Digits {
    fn of(vector: &[f32], length: f64, levels: &Levels) -> Self {
        Self { dimensions: vector.len(), bytes: levels.encode(vector, length) }
    }

    /// How many codes of the last byte stand for nothing.
    fn unused(&self, levels: &Levels) -> usize {
        self.bytes.len() * levels.in_a_byte() - self.dimensions
    }

    /// None if so many codes cannot be unused.
    fn read(bytes: &[u8], unused: u8, levels: &Levels) -> Option<Self> {
        let unused = usize::from(unused);
        let sound = !bytes.is_empty() && unused < levels.in_a_byte();
        sound.then(|| Self { dimensions: bytes.len() * levels.in_a_byte() - unused, bytes: bytes.into() })
    }
}

/// The first byte of each form that has one.
const WHOLE: u8 = 1;
const FOUR: u8 = 2;
const TWO: u8 = 3;
/// The third and the fourth byte. Read as the high half of a scale they make it
/// no number, which no scale is.
const NO_SCALE: [u8; 2] = [0xff, 0xff];

impl Packed {
    /// None where there is no direction: nothing, only zeros, or no numbers.
    pub fn pack(vector: &[f32], precision: Precision) -> Option<Self> {
        let length = length_of(vector)?;
        Some(Self(match precision {
            Precision::F32 => Form::F32(vector.iter().map(|x| (f64::from(*x) / length) as f32).collect()),
            Precision::I8 => Form::I8(Codes::nearest(vector)),
            Precision::I4 => Form::I4(Digits::of(vector, length, &FOUR_BITS)),
            Precision::I2 => Form::I2(Digits::of(vector, length, &TWO_BITS)),
        }))
    }

    /// In fewer bits. None where these are not fewer: what was lost does not
    /// come back, and a row must not pretend that it did.
    pub fn repack(&self, precision: Precision) -> Option<Self> {
        if precision <= self.precision() {
            return None;
        }
        Self::pack(&self.unpack(), precision)
    }

    /// The direction, of length one.
    pub fn unpack(&self) -> Vec<f32> {
        match &self.0 {
            Form::F32(vector) => vector.to_vec(),
            Form::I8(codes) => codes.codes().iter().map(|code| f32::from(*code) * codes.scale()).collect(),
            Form::I4(digits) => FOUR_BITS.decode(&digits.bytes, digits.dimensions),
            Form::I2(digits) => TWO_BITS.decode(&digits.bytes, digits.dimensions),
        }
    }

    /// As it is compared.
    pub fn to_codes(&self) -> Codes {
        match &self.0 {
            Form::I8(codes) => codes.clone(),
            Form::F32(vector) => Codes::nearest(vector),
            Form::I4(_) | Form::I2(_) => Codes::nearest(&self.unpack()),
        }
    }

    /// As the index compares it: the product of two is the cosine to expect of
    /// the originals. Few bits make every product too small, by a share that is
    /// known; without that a coarse vector would stand behind all fine ones.
    pub fn compared(&self) -> Codes {
        let codes = self.to_codes();
        match self.precision() {
            Precision::F32 | Precision::I8 => codes,
            coarse => codes.scaled(1.0 / coarse.fidelity().get()),
        }
    }

    pub fn precision(&self) -> Precision {
        match &self.0 {
            Form::F32(_) => Precision::F32,
            Form::I8(_) => Precision::I8,
            Form::I4(_) => Precision::I4,
            Form::I2(_) => Precision::I2,
        }
    }

    pub fn dimensions(&self) -> usize {
        match &self.0 {
            Form::F32(vector) => vector.len(),
            Form::I8(codes) => codes.dimensions(),
            Form::I4(digits) | Form::I2(digits) => digits.dimensions,
        }
    }

    /// The cosine between a direction and what is kept of it here. None where
    /// the original has none, or another number of dimensions.
    pub fn fidelity(&self, original: &[f32]) -> Option<Cosine> {
        let (kept, length) = (self.unpack(), length_of(original)?);
        if kept.len() != original.len() {
            return None;
        }
        let dot: f64 =
            kept.iter().zip(original).map(|(one, other)| f64::from(*one) * f64::from(*other)).sum();
        Some(Cosine::clamped(dot / length / length_of(&kept)?))
    }

    /// As a row keeps it. Eight bits are written as they always were.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (form, unused, rest) = match &self.0 {
            Form::I8(codes) => return codes.to_bytes(),
            Form::F32(vector) => (WHOLE, 0, vector.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Form::I4(digits) => (FOUR, digits.unused(&FOUR_BITS), digits.bytes.to_vec()),
            Form::I2(digits) => (TWO, digits.unused(&TWO_BITS), digits.bytes.to_vec()),
        };
        let mut bytes = vec![form, unused as u8, NO_SCALE[0], NO_SCALE[1]];
        bytes.extend(rest);
        bytes
    }

    /// None if these bytes are no direction.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let ([form, unused, mark @ ..], rest) = bytes.split_first_chunk::<4>()?;
        if *mark != NO_SCALE {
            return Codes::from_bytes(bytes).map(|codes| Self(Form::I8(codes)));
        }
        Some(Self(match *form {
            WHOLE => {
                let (numbers, torn) = rest.as_chunks::<4>();
                let vector: Box<[f32]> = numbers.iter().map(|number| f32::from_le_bytes(*number)).collect();
                length_of(&vector).filter(|_| torn.is_empty() && *unused == 0)?;
                Form::F32(vector)
            }
            FOUR => Form::I4(Digits::read(rest, *unused, &FOUR_BITS)?),
            TWO => Form::I2(Digits::read(rest, *unused, &TWO_BITS)?),
            _ => return None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Chance, mean};
    use super::*;
    use proptest::prelude::*;

    /// S4's table: precision, compression at 256 dimensions, fidelity.
    const PROMISED: [(Precision, f64, f64); 4] = [
        (Precision::F32, 0.99, 1.0),
        (Precision::I8, 3.9, 0.9999),
        (Precision::I4, 7.6, 0.97),
        (Precision::I2, 14.6, 0.59),
    ];

    #[test]
    fn each_precision_keeps_at_least_what_the_fourth_seed_promises() {
        let mut chance = Chance::new(7);
        let vectors: Vec<Vec<f32>> = (0..200).map(|_| chance.direction(256)).collect();
        for (precision, compression, fidelity) in PROMISED {
            let packed: Vec<Packed> =
                vectors.iter().map(|vector| Packed::pack(vector, precision).unwrap()).collect();
            let pairs = packed.iter().zip(&vectors);
            let found = mean(pairs.map(|(packed, vector)| packed.fidelity(vector).unwrap().get()));
            let size = packed[0].to_bytes().len() as f64;
            println!("{precision}: {:.1}x, fidelity {found:.5} (promised {fidelity})", 1_024.0 / size);
            assert!(found >= fidelity - 1e-9, "{precision}: {found}");
            assert!(1_024.0 / size >= compression, "{precision}: {size} bytes");
            assert!((found - precision.fidelity().get()).abs() < 5e-4, "{precision}: not as expected");
        }
    }

    /// Not every embedder's coordinates are normally distributed.
    #[test]
    fn a_few_large_coordinates_cost_little_more() {
        let mut chance = Chance::new(11);
        let heavy: Vec<Vec<f32>> =
            (0..100).map(|_| chance.direction(256).iter().map(|x| x * x.abs()).collect()).collect();
        for (precision, least) in [(Precision::I8, 0.999), (Precision::I4, 0.95), (Precision::I2, 0.8)] {
            let fidelity =
                |vector: &Vec<f32>| Packed::pack(vector, precision).unwrap().fidelity(vector).unwrap().get();
            let found = mean(heavy.iter().map(fidelity));
            println!("{precision}: fidelity {found:.4} with heavy tails");
            assert!(found >= least, "{precision}: {found}");
        }
    }

    #[test]
    fn rows_from_before_there_was_a_choice_are_read() {
        let codes = Codes::of(&[0.25, -1.0, 0.0]).unwrap();
        let packed = Packed::from_bytes(&codes.to_bytes()).unwrap();
        assert_eq!(packed.precision(), Precision::I8);
        assert_eq!(packed.to_codes(), codes);
        assert_eq!(packed.to_bytes(), codes.to_bytes());
    }

    #[test]
    fn a_reader_of_eight_bits_refuses_the_other_precisions() {
        for precision in [Precision::F32, Precision::I4, Precision::I2] {
            let packed = Packed::pack(&[0.5, -0.5, 0.7], precision).unwrap();
            assert_eq!(Codes::from_bytes(&packed.to_bytes()), None, "{precision}");
        }
    }

    #[test]
    fn what_is_no_direction_is_refused() {
        for precision in Precision::ALL {
            for vector in [&[][..], &[0.0, 0.0], &[f32::NAN, 1.0], &[f32::INFINITY, 1.0]] {
                assert_eq!(Packed::pack(vector, *precision), None, "{precision} {vector:?}");
            }
        }
        for bytes in [
            &b""[..],
            &[1, 0, 0xff, 0xff],
            &[1, 0, 0xff, 0xff, 0, 0, 0, 0],
            &[1, 0, 0xff, 0xff, 0, 0, 0x80, 0x3f, 9],
            &[2, 0, 0xff, 0xff],
            &[2, 2, 0xff, 0xff, 7],
            &[3, 4, 0xff, 0xff, 7],
            &[9, 0, 0xff, 0xff, 7],
        ] {
            assert_eq!(Packed::from_bytes(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn bits_are_taken_away_and_never_given_back() {
        let vector = Chance::new(3).direction(256);
        for (place, from) in Precision::ALL.iter().enumerate() {
            for (other, to) in Precision::ALL.iter().enumerate() {
                let packed = Packed::pack(&vector, *from).unwrap();
                let again = packed.repack(*to);
                assert_eq!(again.is_some(), other > place, "{from} to {to}");
                let Some(again) = again else { continue };
                assert_eq!(again.precision(), *to);
                let (direct, stepwise) =
                    (Packed::pack(&vector, *to).unwrap().fidelity(&vector), again.fidelity(&vector));
                assert!((direct.unwrap().get() - stepwise.unwrap().get()).abs() < 0.01, "{from} to {to}");
            }
        }
    }

    #[test]
    fn a_direction_can_be_compared_in_eight_bits_whatever_it_is_kept_in() {
        let vector = Chance::new(5).direction(256);
        let whole = Codes::of(&vector).unwrap();
        for precision in Precision::ALL {
            let packed = Packed::pack(&vector, *precision).unwrap();
            let cosine = packed.to_codes().cosine(&whole).unwrap();
            assert!((cosine - precision.fidelity().get()).abs() < 0.01, "{precision}: {cosine}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn bytes_come_back_as_they_went(
            vector in prop::collection::vec(-1e3_f32..1e3, 1..40),
            precision in prop::sample::select(Precision::ALL),
        ) {
            prop_assume!(vector.iter().any(|x| *x != 0.0));
            let packed = Packed::pack(&vector, precision).unwrap();
            prop_assert_eq!(packed.precision(), precision);
            prop_assert_eq!(packed.dimensions(), vector.len());
            prop_assert_eq!(packed.unpack().len(), vector.len());
            let length = length_of(&packed.unpack()).unwrap();
            prop_assert!((length - 1.0).abs() < 1e-5, "{}", length);
            prop_assert_eq!(Packed::from_bytes(&packed.to_bytes()), Some(packed));
        }

        #[test]
        fn no_bytes_make_a_reader_stumble(bytes in prop::collection::vec(any::<u8>(), 0..24), marked in any::<bool>()) {
            let mut bytes = bytes;
            if marked && bytes.len() >= 4 {
                bytes[0] %= 4;
                bytes[2] = 0xff;
                bytes[3] = 0xff;
            }
            if let Some(packed) = Packed::from_bytes(&bytes) {
                prop_assert_eq!(packed.unpack().len(), packed.dimensions());
                prop_assert_eq!(packed.to_codes().dimensions(), packed.dimensions());
            }
        }
    }
}
