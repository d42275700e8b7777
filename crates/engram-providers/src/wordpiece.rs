//! Words as the token numbers of BERT: lower case, no accents, then the
//! longest pieces of a word that the vocabulary has.
//!
//! Agrees with the `tokenizers` package on text. It differs on purpose where a
//! text spells a special token: "[SEP]" in a text is three pieces here and
//! never a command to the model.

use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// A word longer than this, in characters, is an unknown word.
const LONGEST_WORD: usize = 100;
/// What the pieces inside a word begin with, in the vocabulary.
const INSIDE: &str = "##";

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the vocabulary has no {0}")]
pub struct MissingToken(pub &'static str);

/// A vocabulary, ready to cut texts into its tokens.
pub struct WordPiece {
    beginnings: HashMap<Box<str>, u32>,
    insides: HashMap<Box<str>, u32>,
    unknown: u32,
    first: u32,
    last: u32,
}

impl WordPiece {
    /// The tokens of the vocabulary in the order of their numbers.
    pub fn new<'a>(vocabulary: impl IntoIterator<Item = &'a str>) -> Result<Self, MissingToken> {
        let (mut beginnings, mut insides) = (HashMap::new(), HashMap::new());
        for (number, token) in (0..).zip(vocabulary) {
            match token.strip_prefix(INSIDE) {
                Some(rest) if !rest.is_empty() => insides.insert(rest.into(), number),
                _ => beginnings.insert(token.into(), number),
            };
        }
        let special = |token| beginnings.get(token).copied().ok_or(MissingToken(token));
        let (unknown, first, last) = (special("[UNK]")?, special("[CLS]")?, special("[SEP]")?);
        Ok(WordPiece { beginnings, insides, unknown, first, last })
    }

    /// The pieces of a text, at most `limit`. What lies behind is not looked at.
    pub fn pieces(&self, text: &str, limit: usize) -> Vec<u32> {
        // Most texts are plain; there are no accents to look for in them.
        match text.is_ascii() {
            true => self.cut_all(plain(text), limit),
            false => self.cut_all(normalised(text), limit),
        }
    }

    fn cut_all(&self, text: impl Iterator<Item = char>, limit: usize) -> Vec<u32> {
        let mut pieces = Vec::new();
        let mut word = String::new();
        for character in text.chain([' ']) {
            let alone = is_punctuation(character);
            if !alone && character != ' ' {
                word.push(character);
                continue;
            }
            if !word.is_empty() {
                self.cut(&word, &mut pieces);
                word.clear();
            }
            if alone {
                self.cut(character.encode_utf8(&mut [0; 4]), &mut pieces);
            }
            if pieces.len() >= limit {
                break;
            }
        }
        pieces.truncate(limit);
        pieces
    }

    /// A text as a model reads it: between the marks of beginning and end, and
    /// not longer than `limit` with them.
    pub fn framed(&self, text: &str, limit: usize) -> Vec<u32> {
        let mut tokens = vec![self.first];
        tokens.extend(self.pieces(text, limit.saturating_sub(2)));
        tokens.push(self.last);
        tokens
    }

    /// Greedy from the left; a word with a part that has no piece is unknown.
    fn cut(&self, word: &str, pieces: &mut Vec<u32>) {
        let before = pieces.len();
        let mut rest = word;
        if word.chars().count() > LONGEST_WORD {
            rest = "";
            pieces.push(self.unknown);
        }
        while !rest.is_empty() {
            let known = if rest.len() == word.len() { &self.beginnings } else { &self.insides };
            let mut ends = rest.char_indices().rev().map(|(at, character)| at + character.len_utf8());
            let Some((end, piece)) = ends.find_map(|end| Some((end, *known.get(&rest[..end])?))) else {
                pieces.truncate(before);
                pieces.push(self.unknown);
                return;
            };
            pieces.push(piece);
            rest = &rest[end..];
        }
    }
}

/// The characters of a text in lower case and without accents, every white
/// space a blank, control characters gone, ideographs between blanks.
fn normalised(text: &str) -> impl Iterator<Item = char> {
    text.chars()
        .filter_map(|character| match character {
            character if character.is_whitespace() => Some(' '),
            '\0' | '\u{fffd}' => None,
            character => (!is_control(character)).then_some(character),
        })
        .flat_map(|character| {
            let around = is_ideograph(character).then_some(' ');
            around.into_iter().chain([character]).chain(around)
        })
        .nfd()
        .filter(|character| character.general_category() != GeneralCategory::NonspacingMark)
        .flat_map(char::to_lowercase)
}

/// The same for a text of plain letters only.
fn plain(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter_map(|character| match character {
        character if character.is_whitespace() => Some(' '),
        character => (!character.is_ascii_control()).then(|| character.to_ascii_lowercase()),
    })
}

fn is_control(character: char) -> bool {
    use GeneralCategory::{Control, Format, PrivateUse};
    matches!(character.general_category(), Control | Format | PrivateUse)
}

fn is_punctuation(character: char) -> bool {
    character.is_ascii_punctuation()
        || (!character.is_ascii() && character.general_category_group() == GeneralCategoryGroup::Punctuation)
}

/// The blocks of the original; kana and hangul are letters to it.
fn is_ideograph(character: char) -> bool {
    matches!(u32::from(character),
        0x4E00..=0x9FFF
        | 0x3400..=0x4DBF
        | 0x2_0000..=0x2_A6DF
        | 0x2_A700..=0x2_B73F
        | 0x2_B740..=0x2_B81F
        | 0x2_B920..=0x2_CEAF
        | 0xF900..=0xFAFF
        | 0x2_F800..=0x2_FA1F)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_text_is_read_like_any_other() {
        let every: String = (0..128_u8).map(char::from).collect();
        for text in [every.as_str(), "Hello, WORLD\t(x)\u{7f}\u{0} ok", ""] {
            assert!(plain(text).eq(normalised(text)), "{text:?}");
        }
    }

    const VOCABULARY: [&str; 22] = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "un",
        "##aff",
        "##able",
        "want",
        "##ed",
        ",",
        "the",
        "run",
        "!",
        "cafe",
        "i",
        "##i",
        "[",
        "]",
        "sep",
        "\u{4e2d}",
        "##\u{4e2d}",
        "##",
    ];

    fn check(text: &str, expected: &str) {
        let words = WordPiece::new(VOCABULARY).unwrap();
        let pieces: Vec<&str> =
            words.pieces(text, 64).into_iter().map(|number| VOCABULARY[number as usize]).collect();
        assert_eq!(pieces.join(" "), expected, "{text:?}");
    }

    #[test]
    fn words_are_cut_into_the_longest_pieces_known() {
        check("unaffable", "un ##aff ##able");
        check("wanted, the run!", "want ##ed , the run !");
        check("the wantedx run", "the [UNK] run");
        check("", "");
        check(" \t\r\n ", "");
    }

    #[test]
    fn case_accents_and_control_characters_do_not_matter() {
        check("CAF\u{c9} cafe\u{301}", "cafe cafe");
        check("I\u{130}", "i ##i");
        check("the\u{200b}\u{0}\u{fffd}\u{7}", "the");
        check("the\u{a0}run\u{3000}the", "the run the");
    }

    #[test]
    fn ideographs_and_punctuation_stand_alone() {
        check("the\u{4e2d}\u{4e2d}run", "the \u{4e2d} \u{4e2d} run");
        check("run,run", "run , run");
        check("\u{ab}", "[UNK]");
    }

    #[test]
    fn a_special_token_in_a_text_is_text() {
        check("[SEP]", "[ sep ]");
    }

    #[test]
    fn a_word_too_long_is_unknown() {
        check(
            &"i".repeat(100),
            &format!("i{}", " ##i".repeat(99)).split(' ').take(64).collect::<Vec<_>>().join(" "),
        );
        check(&"i".repeat(101), "[UNK]");
    }

    #[test]
    fn a_long_text_is_cut_inside_its_marks() {
        let words = WordPiece::new(VOCABULARY).unwrap();
        let tokens = words.framed(&"the run ".repeat(1000), 8);
        assert_eq!(tokens, [2, 10, 11, 10, 11, 10, 11, 3]);
        assert_eq!(words.framed("", 8), [2, 3]);
        assert_eq!(WordPiece::new(["[UNK]", "[CLS]"]).err(), Some(MissingToken("[SEP]")));
    }
}
