//! The words of a sentence as they stand in it: with what is between
//! backticks in one piece, the Turkish ending behind a name, and the marks
//! that part one statement from the next.
//!
//! What a word names is not known here.

use crate::ask::speech::{fold, is_apostrophe, words_of};
use crate::observe::bare;

#[derive(Debug)]
pub(super) struct Token<'t> {
    /// With the punctuation around it.
    pub(super) raw: &'t str,
    pub(super) text: &'t str,
    /// Its first word, as it is compared with the lists.
    pub(super) folded: String,
    /// It stood between backticks.
    pub(super) quoted: bool,
    /// What follows an apostrophe, folded: `src/a.rs'den` has "den".
    pub(super) ending: String,
    /// A bracket opens before it, or a pause that parts two statements.
    pub(super) parted: bool,
    /// A comma, a stop or a bracket follows.
    pub(super) closes: bool,
}

pub(super) fn tokens_of(sentence: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut parted = false;
    for (piece, quoted) in sentence.split('`').zip([false, true].into_iter().cycle()) {
        if quoted {
            let text = piece.trim();
            if !text.is_empty() {
                let folded = first_word(text);
                tokens.push(Token {
                    raw: text,
                    text,
                    folded,
                    quoted,
                    ending: String::new(),
                    parted,
                    closes: false,
                });
                parted = false;
            }
            continue;
        }
        for (at, raw) in piece.split_whitespace().enumerate() {
            let joined = at == 0 && piece.starts_with(raw);
            if let (true, Some(before)) = (joined, tokens.last_mut().filter(|before| before.quoted)) {
                before.ending = ending_of(raw);
                before.closes = raw.contains([',', '.', ';', ')', ':']);
                parted = ends_statement(raw);
                // "`a`'dan" has been read; "`a`-like" is a word of its own.
                if raw.starts_with(is_apostrophe) || bare(raw).is_empty() {
                    continue;
                }
            }
            let text = bare(raw);
            if text.is_empty() {
                // "=" joins a name and its version and is needed.
                if raw.contains('=') {
                    tokens.push(Token {
                        raw,
                        text: raw,
                        folded: String::new(),
                        quoted: false,
                        ending: String::new(),
                        parted,
                        closes: false,
                    });
                    parted = false;
                }
                parted |= ends_statement(raw) || raw.contains('(') || is_dash(raw);
                continue;
            }
            if is_dash(raw) {
                parted = true;
                continue;
            }
            tokens.push(Token {
                raw,
                text,
                folded: first_word(text),
                quoted: false,
                ending: ending_of(raw),
                parted: parted || raw.starts_with(['(', '[']),
                closes: raw.ends_with([',', '.', ';', ':', ')', '!', '?']) && !raw.ends_with("()"),
            });
            parted = ends_statement(raw);
        }
    }
    tokens
}

fn first_word(text: &str) -> String {
    words_of(text).into_iter().next().map(|word| word.folded).unwrap_or_default()
}

fn is_dash(raw: &str) -> bool {
    matches!(raw, "-" | "--" | "–" | "—")
}

/// A bracket that closes no call, or a semicolon.
fn ends_statement(raw: &str) -> bool {
    raw.ends_with(';')
        || raw.contains(')') && !raw.contains("()") && !raw.contains('(')
        || raw.starts_with("(") && raw.ends_with(')')
}

/// The Turkish ending behind a name. "That's" and "don't" have none.
fn ending_of(raw: &str) -> String {
    let Some((_, ending)) = raw.split_once(is_apostrophe) else { return String::new() };
    let ending = ending.trim_end_matches(|mark: char| !mark.is_alphabetic());
    let english = ["s", "t", "re", "ve", "ll", "d", "m"].contains(&ending);
    let letters = ending.chars().all(char::is_lowercase);
    if english || !letters { String::new() } else { fold(ending) }
}
