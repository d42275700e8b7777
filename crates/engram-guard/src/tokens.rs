//! Tokens that announce themselves by how they begin, and the one kind that
//! does so by its dots.

use crate::judge;
use crate::rules::{Body, TOKENS};
use std::ops::Range;

/// No token is longer than this, in bytes. The bound keeps odd texts cheap.
const LONGEST: usize = 2_048;

/// The token whose beginning stands at `start`, by the rule of that number.
pub(crate) fn token_at(text: &[u8], start: usize, rule: usize) -> Option<Range<usize>> {
    let token = &TOKENS[rule];
    let body = start + token.start.len();
    // The search is blind to case, tokens are not.
    if &text[start..body] != token.start.as_bytes() || !opens(text, start) {
        return None;
    }
    let mut end = body + text[body..].iter().take(LONGEST).take_while(|byte| token.body.has(**byte)).count();
    while end > body && text[end - 1] == b'.' {
        end -= 1;
    }
    let length = end - body;
    if length < token.least || (token.exact && (length > token.least || !closes(text, end))) {
        return None;
    }
    let value = &text[body..end.min(body + judge::ENOUGH)];
    // Names of classes and files have signs between their words.
    let named = matches!(token.body, Body::Word | Body::Dotted | Body::Base64)
        && !value.iter().any(u8::is_ascii_digit)
        && judge::is_wordlike(value);
    (!named && !judge::is_stand_in(value)).then_some(start..end)
}

/// A token begins where no word goes on.
fn opens(text: &[u8], start: usize) -> bool {
    start == 0 || !text[start - 1].is_ascii_alphanumeric()
}

fn closes(text: &[u8], end: usize) -> bool {
    text.get(end).is_none_or(|next| !next.is_ascii_alphanumeric() && *next != b'_')
}

/// `8-4-4-4-12` hexadecimal digits.
pub(crate) fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// The tokens of Discord's bots: a number in base64, six characters between
/// dots, and a signature. They have no beginning of their own.
pub(crate) fn discord_tokens(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    let dots = text.windows(8).enumerate().filter(|(_, eight)| eight[0] == b'.' && eight[7] == b'.');
    dots.filter_map(move |(dot, eight)| {
        if !eight[1..7].iter().all(word) {
            return None;
        }
        let start =
            dot - text[..dot].iter().rev().take(30).take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let end = dot + 8 + text[dot + 8..].iter().take(50).take_while(|byte| word(byte)).count();
        let (head, tail) = (&text[start..dot], &text[dot + 8..end]);
        let number = judge::from_base64(head)?;
        let shaped = (23..=28).contains(&head.len()) && (27..=40).contains(&tail.len());
        (shaped && b"MNO".contains(&head[0]) && number.iter().take(17).all(u8::is_ascii_digit))
            .then_some(start..end)
    })
}
