//! Chance with a seed, and strings made of it.
//!
//! No secret is written down in this repository. Each is put together when the
//! test runs, so that nobody's scanner takes the tests for a leak.
#![allow(dead_code, reason = "each test file uses its own part")]

pub(crate) mod credentials;

/// The same numbers in every run.
pub(crate) struct Dice(u64);

pub(crate) const HEX: &str = "0123456789abcdef";
pub(crate) const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
pub(crate) const LOWER: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
pub(crate) const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
pub(crate) const WORD: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
pub(crate) const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
pub(crate) const DIGITS: &str = "0123456789";

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % sides
    }

    pub(crate) fn some(&mut self, alphabet: &str, length: usize) -> String {
        let letters = alphabet.as_bytes();
        (0..length).map(|_| char::from(letters[self.roll(letters.len())])).collect()
    }

    pub(crate) fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len())]
    }

    pub(crate) fn uuid(&mut self) -> String {
        [8, 4, 4, 4, 12].map(|length| self.some(HEX, length)).join("-")
    }

    /// As a person may choose one: a word, digits, a sign.
    pub(crate) fn password(&mut self) -> String {
        let word =
            self.one(&["Winter", "kestrel", "Bosporus", "quartz", "Lantern", "marble", "Tundra", "velvet"]);
        let sign = self.one(&["!", "#", "$", "%", "^", "*", "?", "+"]);
        let number = self.some("23456789", 3);
        let tail = self.some("bcdfghjkmnpqrstvwxz", 2);
        match self.roll(3) {
            0 => format!("{word}{sign}{number}{tail}"),
            1 => format!("{tail}{number}{sign}{word}"),
            _ => self.some("ABCDEFGHJKMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789", 9) + sign + &number,
        }
    }
}
