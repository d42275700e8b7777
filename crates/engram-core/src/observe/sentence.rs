//! Where the sentences of a line begin and end.
//!
//! A dot ends a sentence if a space and no small letter follow it, or a space
//! and anything after a word that is no abbreviation; never between backticks.

use std::ops::Range;

/// The sentences of a text as byte ranges within it, without bullets and the
/// white space around them.
pub(crate) fn sentences_of(text: &str) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut from = 0;
    let mut quoted = false;
    let mut marks = text.char_indices().peekable();
    while let Some((at, mark)) = marks.next() {
        let end = at + mark.len_utf8();
        let next = marks.peek().map(|(_, next)| *next);
        quoted ^= mark == '`';
        let stops = match mark {
            '\n' => {
                quoted = false;
                true
            }
            '!' | '?' | '…' => {
                !quoted && next.is_none_or(|next| !matches!(next, '!' | '?' | '.' | ')' | '"'))
            }
            '.' => !quoted && next.is_none_or(char::is_whitespace) && !is_abbreviated(&text[from..at]),
            _ => false,
        };
        if stops {
            sentences.extend(trimmed(text, from..end));
            from = end;
        }
    }
    sentences.extend(trimmed(text, from..text.len()));
    sentences
}

/// Whether a dot after this text only shortens its last word.
fn is_abbreviated(before: &str) -> bool {
    let last = before.rsplit(|mark: char| mark.is_whitespace() || mark == '(').next().unwrap_or_default();
    let numbered = before.trim().bytes().all(|byte| byte.is_ascii_digit()) && !before.trim().is_empty();
    numbered || ABBREVIATIONS.contains(&last.to_lowercase().as_str())
}

const ABBREVIATIONS: &[&str] = &[
    "e.g", "i.e", "vs", "etc", "approx", "dr", "mr", "mrs", "ms", "prof", "inc", "no", "örn", "vb", "vs",
    "bkz", "sn",
];

fn trimmed(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let piece = &text[range.clone()];
    let bare = piece.trim_start().trim_start_matches(['-', '*', '•', '#', '>']).trim_start();
    let from = range.end - bare.len();
    let bare = bare.trim_end();
    bare.contains(char::is_alphanumeric).then(|| from..from + bare.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_falls_into_its_sentences() {
        for (text, expected) in [
            ("one. two! three?", vec!["one.", "two!", "three?"]),
            ("ok. and the port is 5433", vec!["ok.", "and the port is 5433"]),
            ("protoc 3.12 is old, e.g. on CI. Use 21.", vec!["protoc 3.12 is old, e.g. on CI.", "Use 21."]),
            ("run `a. b! c` first", vec!["run `a. b! c` first"]),
            ("- first\n- second", vec!["first", "second"]),
            ("what?! no...", vec!["what?!", "no..."]),
            ("...", vec![]),
            ("1. do this", vec!["1. do this"]),
        ] {
            let found: Vec<&str> = sentences_of(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
