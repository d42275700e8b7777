//! Finds what tells who somebody is or how to reach them, and puts
//! `[personal: <rule>]` in its place.
//!
//! A number is taken for somebody's only if its checksum is right, or if a word
//! before it says what it is: source code and logs are full of numbers. A text
//! without a digit and without an `@` is done after one look. What becomes of a
//! text with personal data in it is the caller's decision.

mod contact;
mod numbers;
mod told;

use crate::Masked;
use std::collections::BTreeMap;
use std::ops::Range;

/// What stands where something personal was begins so.
pub const PERSONAL_MASK: &str = "[personal: ";

/// Something personal in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Personal {
    /// In bytes of the text.
    pub range: Range<usize>,
    pub rule: &'static str,
}

/// Where a text tells who somebody is, or how to reach them: in order, and apart
/// from each other.
pub fn personal(text: &str) -> Vec<Personal> {
    if !text.bytes().any(|byte| byte == b'@' || byte.is_ascii_digit()) {
        return Vec::new();
    }
    // Where two rules find the same, the one that asks for more names it.
    let mut all = told::found(text);
    all.extend(numbers::found(text));
    all.extend(contact::found(text));
    all.sort_by_key(|found| found.range.start);
    let mut apart: Vec<Personal> = Vec::new();
    for found in all {
        match apart.last_mut() {
            Some(last) if found.range.start < last.range.end => {
                last.range.end = last.range.end.max(found.range.end);
            }
            _ => apart.push(found),
        }
    }
    apart
}

/// The text with what is personal masked, and what was masked.
pub fn without_personal(text: &str) -> (String, Vec<Masked>) {
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut text = text.to_owned();
    // What is left around a mask may read differently than before. Each round
    // masks something that was not, so there is a last one.
    loop {
        let found = personal(&text);
        if found.is_empty() {
            break;
        }
        let mut masked = String::with_capacity(text.len());
        let mut done = 0;
        for Personal { range, rule } in found {
            masked.push_str(&text[done..range.start]);
            masked.extend([PERSONAL_MASK, rule, "]"]);
            *counts.entry(rule).or_default() += 1;
            done = range.end;
        }
        masked.push_str(&text[done..]);
        text = masked;
    }
    let masked = counts.into_iter().map(|(rule, count)| Masked { rule: rule.to_owned(), count });
    (text, masked.collect())
}

/// Whether nothing that belongs to a longer name or number touches a place.
fn stands_alone(text: &str, range: &Range<usize>) -> bool {
    let joins = |letter: char| letter.is_alphanumeric() || letter == '_';
    let before = text[..range.start].chars().next_back();
    let after = text[range.end..].chars().next();
    // A point or a dash goes on with a number only if another digit follows.
    let goes_on = |mut rest: std::str::Chars<'_>| {
        rest.next().is_some_and(|sign| matches!(sign, '.' | '-' | '/' | ':'))
            && rest.next().is_some_and(char::is_alphanumeric)
    };
    let led_in = {
        let mut back = text[..range.start].chars().rev();
        back.next().is_some_and(|sign| matches!(sign, '.' | '-' | '/'))
            && back.next().is_some_and(char::is_alphanumeric)
    };
    !before.is_some_and(joins) && !after.is_some_and(joins) && !led_in && !goes_on(text[range.end..].chars())
}
