//! The embedder that is always there: one direction for every word piece,
//! added up.
//!
//! The table was fitted to a small sentence model by tools/table, where its
//! making is told, and is part of the program. It needs no download and takes
//! microseconds, and it does not see the order of words. Because a text is the
//! sum of its pieces, the words of a question can be weighed one by one.

use crate::scale::Scale;
use crate::wordpiece::WordPiece;
use engram_core::port::{EmbedError, Embedder, Pending, Purpose};
use engram_core::unit::Similarity;
use std::sync::LazyLock;

/// Changes with the table: vectors of another one must not be compared.
const ID: &str = "table-minilm-256-1";

static BYTES: &[u8] = include_bytes!("../data/table.bin");
static BUILT_IN: LazyLock<Result<Table, String>> = LazyLock::new(|| Table::read(BYTES));

/// Measured as the scales of the models were (see `spec`): judged 3, 3.5, 4
/// and 4.5 lie near these cosines, the median of random pairs at .13. The rank
/// correlation with the judgement is .64, where the model it was fitted to has
/// .77.
const SCALE: Scale = Scale(&[
    (-0.1, 0.0),
    (0.13, 0.2),
    (0.30, 0.35),
    (0.57, 0.65),
    (0.72, 0.75),
    (0.83, 0.85),
    (0.94, 0.925),
    (1.0, 1.0),
]);

/// A direction for every piece of a vocabulary, in eight bits.
pub struct Table {
    pieces: WordPiece,
    dimensions: usize,
    scales: Vec<f32>,
    codes: &'static [u8],
}

impl Table {
    /// The one in the program.
    pub fn built_in() -> Result<&'static Table, EmbedError> {
        BUILT_IN.as_ref().map_err(|problem| EmbedError { embedder: ID.to_owned(), problem: problem.clone() })
    }

    /// A name, three numbers (pieces, dimensions, bytes of the vocabulary), a
    /// scale for every piece, their codes, the vocabulary one piece a line.
    fn read(bytes: &'static [u8]) -> Result<Self, String> {
        let cut = || "the table is cut short".to_owned();
        let rest = bytes.strip_prefix(b"ENGRAMT1").ok_or("this is no table")?;
        let (header, rest) = rest.split_at_checked(12).ok_or_else(cut)?;
        let number = |at: usize| {
            u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]) as usize
        };
        let (count, dimensions, words) = (number(0), number(4), number(8));
        let (scales, rest) = rest.split_at_checked(count * 4).ok_or_else(cut)?;
        let (codes, rest) = rest.split_at_checked(count * dimensions).ok_or_else(cut)?;
        let words = rest.get(..words).ok_or_else(cut)?;
        let words = std::str::from_utf8(words).map_err(|error| error.to_string())?;
        let pieces = WordPiece::new(words.split('\n')).map_err(|error| error.to_string())?;
        let scales =
            scales.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]));
        Ok(Self { pieces, dimensions, scales: scales.collect(), codes })
    }

    fn sum(&self, text: &str) -> Vec<f32> {
        let mut sum = vec![0.0; self.dimensions];
        for piece in self.pieces.pieces(text, usize::MAX) {
            let start = piece as usize * self.dimensions;
            let scale = self.scales[piece as usize];
            for (sum, code) in sum.iter_mut().zip(&self.codes[start..start + self.dimensions]) {
                *sum += scale * f32::from(code.cast_signed());
            }
        }
        sum
    }
}

fn to_unit(mut sum: Vec<f32>) -> Vec<f32> {
    let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        sum.iter_mut().for_each(|x| *x /= length);
    }
    sum
}

impl Embedder for &'static Table {
    fn id(&self) -> &str {
        ID
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn embed(&self, _: Purpose, texts: Vec<String>) -> Pending<'_, Result<Vec<Vec<f32>>, EmbedError>> {
        let vectors: Vec<Vec<f32>> = texts.iter().map(|text| to_unit(self.sum(text))).collect();
        Box::pin(std::future::ready(Ok(vectors)))
    }

    fn embed_word(&self, word: &str) -> Option<Vec<f32>> {
        Some(self.sum(word))
    }

    fn similarity(&self, cosine: f32) -> Similarity {
        SCALE.similarity(cosine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    fn embed(text: &str) -> Vec<f32> {
        to_unit(Table::built_in().unwrap().sum(text))
    }

    fn cosine(a: &str, b: &str) -> f32 {
        embed(a).iter().zip(embed(b)).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn the_table_is_the_one_that_was_measured() {
        let digest: String = Sha256::digest(BYTES).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, include_str!("../data/table.sha256").trim());
    }

    #[test]
    fn related_texts_are_nearer_than_unrelated_ones() {
        let near = cosine("the database is locked", "sqlite refuses to write while another process holds it");
        let far = cosine("the database is locked", "my sister likes strawberry cake");
        assert!(near > far + 0.1, "{near} {far}");
        assert!(cosine("we deploy on Fridays", "On Fridays we deploy!") > 0.9);
    }

    #[test]
    fn a_text_is_the_sum_of_its_words_and_a_common_word_says_little() {
        let table = Table::built_in().unwrap();
        let word = |word| table.embed_word(word).unwrap();
        let sum: Vec<f32> = word("redis").iter().zip(word("port")).map(|(a, b)| a + b).collect();
        assert_eq!(to_unit(sum), embed("redis port"));
        let says = |text| word(text).iter().map(|x| x * x).sum::<f32>();
        assert!(says("various") < says("sqlite") / 2.0);
        assert!(embed("").iter().all(|x| *x == 0.0));
    }

    #[test]
    fn a_table_that_is_cut_short_is_told() {
        for bytes in [&b""[..], b"ENGRAMT1", b"ENGRAMT1\x01\0\0\0\x01\0\0\0\x01\0\0\0"] {
            assert!(Table::read(bytes).is_err());
        }
    }
}
