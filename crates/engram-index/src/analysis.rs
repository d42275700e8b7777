//! What counts as a word, and in which forms a word is found. Documents and
//! queries are read by the same rules.
//!
//! **Words.** Unicode word boundaries, then glued where code glues:
//! `src/main.rs`, `foo::bar`, `user@host`, `kebab-case` are one word each. A
//! short ending after an apostrophe is grammar in English and in Turkish
//! (`user's`, `Ankara'da`) and is cut off.
//!
//! **Whole and parts.** The whole is the word without case, accents and joints,
//! so `real-time`, `RealTime` and `realtime` are one; between digits a joint
//! stays, because `1.2.3` is not `123`. A word falls apart at its outermost
//! joints first (`/ : @`, then `.`, then `- _`, then case and digits), and what
//! every level yields is a part: `src/memory_store.rs` is also `memory_store`
//! and `store`.
//!
//! **Languages.** Every form is found as it is written and by its stem. Latin
//! words are stemmed as English. A text with a Turkish letter or a Turkish
//! function word is read as Turkish too: its words also get a Turkish stem,
//! those typed without Turkish letters included.
//!
//! This module does not know what a match is worth, and keeps nothing.

use crate::fold::{fold, is_turkish_letter, lower};
use crate::stop_words::{is_stop_word, is_turkish_only};
use rust_stemmers::{Algorithm, Stemmer};
use unicode_segmentation::UnicodeSegmentation;

/// A longer key is cut, on both sides alike, so that a pasted blob costs little
/// and is still found.
const LONGEST_KEY: usize = 96;
/// A run that falls into more pieces than this by case and digits is a hash or
/// a key, not a name; it is found whole only.
const MOST_PIECES: usize = 6;
/// What a very long path is found by, besides its whole.
const MOST_PARTS: usize = 32;
/// Letters after an apostrophe that are still an ending.
const LONGEST_ENDING: usize = 4;

/// One spelling and the stems it is also found by.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Forms {
    pub(crate) exact: String,
    /// One per language it is read in; may equal `exact`.
    pub(crate) stems: Vec<String>,
}

/// One word of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Word<'t> {
    pub(crate) written: &'t str,
    pub(crate) whole: Forms,
    /// Distinct, and none equal to the whole.
    pub(crate) parts: Vec<Forms>,
}

/// Reads the fields of one text. The languages are judged over all of them.
pub(crate) fn read<'t>(fields: &[&'t str]) -> Vec<Word<'t>> {
    let written: Vec<&str> = fields.iter().flat_map(|field| split(field)).map(without_ending).collect();
    let turkish = fields.iter().any(|field| field.chars().any(is_turkish_letter))
        || written.iter().any(|word| is_turkish_only(word));
    written.into_iter().filter_map(|word| Word::read(word, turkish)).collect()
}

/// Words by which somebody speaks of himself.
const SELF: &[&str] = &["i", "me", "mine", "my", "ben", "bana", "beni", "benim"];

pub(crate) fn speaks_of_self(words: &[Word<'_>]) -> bool {
    words.iter().any(|word| SELF.contains(&word.whole.exact.as_str()))
}

impl<'t> Word<'t> {
    fn read(written: &'t str, turkish: bool) -> Option<Self> {
        let whole = Forms::of(written, turkish)?;
        let mut parts: Vec<Forms> = Vec::new();
        for part in parts_of(written) {
            if let Some(forms) = Forms::of(part, turkish)
                && forms.exact != whole.exact
                && parts.iter().all(|known| known.exact != forms.exact)
            {
                parts.push(forms);
            }
        }
        Some(Self { written, whole, parts })
    }

    /// Carries no meaning of its own.
    pub(crate) fn is_stop_word(&self) -> bool {
        self.whole.is_stop_word()
    }
}

impl Forms {
    fn of(piece: &str, turkish: bool) -> Option<Self> {
        let lowered = lower(piece, turkish && piece.chars().any(is_turkish_letter));
        let exact = key(&fold(&lowered));
        if exact.is_empty() {
            return None;
        }
        let mut stems = Vec::new();
        if exact.chars().all(char::is_alphabetic) && !is_stop_word(&exact) {
            if exact.is_ascii() {
                stems.push(Stemmer::create(Algorithm::English).stem(&exact).into_owned());
            }
            // A compound has no Turkish stem of its own; its parts have.
            if turkish && lowered.chars().all(char::is_alphabetic) {
                let stem = Stemmer::create(Algorithm::Turkish).stem(&lowered);
                if stem.chars().count() > 1 {
                    stems.push(fold(&stem).into_owned());
                }
            }
        }
        Some(Self { exact, stems })
    }

    pub(crate) fn is_stop_word(&self) -> bool {
        is_stop_word(&self.exact)
    }
}

/// The written words of a text, in order.
fn split(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    for (at, piece) in text.split_word_bound_indices() {
        if piece.chars().any(char::is_alphanumeric) {
            let end = at + piece.len();
            open = match open {
                // At most two joints glue (`::`, `..`); an ellipsis does not.
                Some((start, reached)) if reached < at && at - reached <= 2 => Some((start, end)),
                other => {
                    words.extend(other.map(|(start, end)| &text[start..end]));
                    Some((at, end))
                }
            };
        } else if !piece.chars().all(is_joint) {
            words.extend(open.take().map(|(start, end)| &text[start..end]));
        }
    }
    words.extend(open.map(|(start, end)| &text[start..end]));
    words
}

fn is_joint(letter: char) -> bool {
    matches!(letter, '/' | '\\' | ':' | '@' | '.' | '-' | '_' | '+' | '#')
}

fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’')
}

fn without_ending(word: &str) -> &str {
    let Some((stem, ending)) = word.rsplit_once(is_apostrophe) else { return word };
    let grammar = ending.chars().all(char::is_alphabetic) && ending.chars().count() <= LONGEST_ENDING;
    if grammar && stem.chars().any(char::is_alphanumeric) { stem } else { word }
}

/// Everything a word falls into, outermost first; may repeat itself.
fn parts_of(word: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    // Most words are prose, and prose has nothing to take apart.
    if word.starts_with(|first: char| first.is_ascii_alphabetic())
        && word.bytes().skip(1).all(|letter| letter.is_ascii_lowercase())
    {
        return parts;
    }
    // `1.2.3` is what people ask for when a text says `v1.2.3`.
    if let Some(version) = word.strip_prefix(['v', 'V'])
        && version.starts_with(|first: char| first.is_ascii_digit())
        && version.contains('.')
    {
        parts.push(version);
    }
    fall_apart(word, 0, &mut parts);
    parts.truncate(MOST_PARTS);
    parts
}

fn fall_apart<'t>(piece: &'t str, level: usize, parts: &mut Vec<&'t str>) {
    let pieces: Vec<&str> = match level {
        0 => piece.split(|c| matches!(c, '/' | '\\' | ':' | '@') || is_apostrophe(c)).collect(),
        1 => piece.split('.').collect(),
        2 => piece.split(['-', '_', '+', '#']).collect(),
        3 => by_case_and_digits(piece),
        _ => return,
    };
    let pieces: Vec<&str> =
        pieces.into_iter().filter(|piece| piece.chars().any(char::is_alphanumeric)).collect();
    if pieces.len() > 1 {
        parts.extend(&pieces);
    }
    for piece in pieces {
        fall_apart(piece, level + 1, parts);
    }
}

/// `HTTPServer2` is `HTTP`, `Server`, `2`. A plural of capitals (`APIs`) stays
/// in one piece.
fn by_case_and_digits(run: &str) -> Vec<&str> {
    let letters: Vec<(usize, char)> = run.char_indices().collect();
    let mut pieces = Vec::new();
    let mut start = 0;
    for (position, pair) in letters.windows(2).enumerate() {
        let [(_, before), (at, here)] = [pair[0], pair[1]];
        let after = letters.get(position + 2).map(|(_, letter)| *letter);
        let plural = after == Some('s') && position + 3 == letters.len();
        let new_word = here.is_uppercase()
            && (before.is_lowercase()
                || (before.is_uppercase() && after.is_some_and(char::is_lowercase) && !plural));
        if new_word || before.is_numeric() != here.is_numeric() {
            pieces.push(&run[start..at]);
            start = at;
        }
    }
    pieces.push(&run[start..]);
    if pieces.len() > MOST_PIECES { vec![run] } else { pieces }
}

/// Letters and digits only; one `.` stands for whatever joins two digits.
fn key(folded: &str) -> String {
    if folded.len() <= LONGEST_KEY && folded.bytes().all(|letter| letter.is_ascii_alphanumeric()) {
        return folded.to_owned();
    }
    let mut key = String::with_capacity(folded.len());
    let mut joined = false;
    for letter in folded.chars() {
        if !letter.is_alphanumeric() {
            joined = true;
            continue;
        }
        if joined && letter.is_numeric() && key.ends_with(char::is_numeric) {
            key.push('.');
        }
        joined = false;
        if key.len() + letter.len_utf8() > LONGEST_KEY {
            break;
        }
        key.push(letter);
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `check(text, "word word(part part)")`, without the stems.
    fn check(text: &str, expected: &str) {
        let show = |word: &Word<'_>| match &word.parts[..] {
            [] => word.whole.exact.clone(),
            parts => {
                let parts: Vec<&str> = parts.iter().map(|part| part.exact.as_str()).collect();
                format!("{}({})", word.whole.exact, parts.join(" "))
            }
        };
        let shown: Vec<String> = read(&[text]).iter().map(show).collect();
        assert_eq!(shown.join(" "), expected, "{text}");
    }

    #[test]
    fn code_is_read_whole_and_in_parts() {
        check("camelCase", "camelcase(camel case)");
        check("PascalCase,", "pascalcase(pascal case)");
        check("snake_case", "snakecase(snake case)");
        check("kebab-case", "kebabcase(kebab case)");
        check("HTTPServer", "httpserver(http server)");
        check("(src/main.rs)", "srcmainrs(src mainrs main rs)");
        check("v1.2.3", "v1.2.3(1.2.3 v1 2 3 v 1)");
        check("1.2.3", "1.2.3(1 2 3)");
        check("E0277", "e0277(e 0277)");
        check("TS2345:", "ts2345(ts 2345)");
        check("ERR_MODULE_NOT_FOUND", "errmodulenotfound(err module not found)");
        check("foo::bar()", "foobar(foo bar)");
        check("user@host", "userhost(user host)");
        check("w120", "w120(w 120)");
        check("__init__", "init");
        check("APIs", "apis");
        check("2024-01-15", "2024.01.15(2024 01 15)");
    }

    #[test]
    fn prose_is_read_word_by_word() {
        check("Hello, world... again", "hello world again");
        check("don't touch the user's file", "don touch the user file");
        check("Ankara'da", "ankara");
        check("O'Reilly", "oreilly(o reilly)");
        check("日本語", "日 本 語");
        check("one -- two - three", "one two three");
        check("", "");
        check("\u{345} !? 👍", "");
    }

    #[test]
    fn a_hash_is_not_taken_for_a_name() {
        check("9f86d081884c7d659a2feaa0", "9f86d081884c7d659a2feaa0");
    }

    #[test]
    fn stems_follow_the_language_of_the_text() {
        let stems = |text: &str| read(&[text])[0].whole.stems.clone();
        assert_eq!(stems("connections"), ["connect"]);
        assert_eq!(stems("kitaplar"), ["kitaplar"]);
        assert_eq!(stems("kitaplar nerede"), ["kitaplar", "kitap"]);
        assert_eq!(stems("kitaplar üstte"), ["kitaplar", "kitap"]);
        assert_eq!(stems("IŞIKLAR")[1], "isik");
        assert_eq!(stems("the"), [""; 0]);
        assert_eq!(stems("w120"), [""; 0]);
    }
}
