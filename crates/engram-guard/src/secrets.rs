//! Finds secrets and puts `[secret: <rule>]` in their place.
//!
//! One search for all telling words goes first. A text without any is done; in
//! the others only the rules whose words are there look closer, and only their
//! expressions are compiled.

use crate::judge::{self, Strength};
use crate::names::{NAMES, name_around};
use crate::rules::{Check, SHAPES, TOKENS};
use crate::view::views;
use crate::{Masked, assignment, block, tokens, url};
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::bytes::{Regex, RegexBuilder};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

/// What stands where a secret was begins so.
pub const MASK: &str = "[secret: ";

// The rules that are not in a table.
const KEY: &str = "private-key";
const URL: &str = "url-password";
const PASSWORD: &str = "password";
const ASSIGNED: &str = "assigned-secret";
const DISCORD: &str = "discord-token";

/// What a telling word sets off.
#[derive(Debug, Clone, Copy)]
enum Trigger {
    Begin,
    End,
    Putty,
    Url,
    Token(usize),
    Shape(usize),
    Name(usize),
}

/// A secret in one reading of a text.
struct Found {
    range: Range<usize>,
    rule: &'static str,
    /// Where two rules find the same, the lower rank gives it its name.
    rank: u8,
}

static RULES: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let tokens = TOKENS.iter().map(|token| token.rule);
    let shapes = SHAPES.iter().map(|shape| shape.rule);
    tokens.chain(shapes).chain([KEY, URL, PASSWORD, ASSIGNED, DISCORD]).collect()
});

/// The search for all telling words, and what each sets off.
static WORDS: LazyLock<(AhoCorasick, Vec<Trigger>)> = LazyLock::new(|| {
    let fixed = [
        ("begin", Trigger::Begin),
        ("end", Trigger::End),
        ("private-lines:", Trigger::Putty),
        ("://", Trigger::Url),
    ];
    let tokens = TOKENS.iter().enumerate().map(|(rule, token)| (token.start, Trigger::Token(rule)));
    let shapes = SHAPES.iter().enumerate();
    let shapes =
        shapes.flat_map(|(rule, shape)| shape.words.iter().map(move |word| (*word, Trigger::Shape(rule))));
    let names = NAMES.iter().enumerate().map(|(word, (spelling, _))| (*spelling, Trigger::Name(word)));
    let all = fixed.into_iter().chain(tokens).chain(shapes).chain(names);
    search_for(all.map(|(word, trigger)| (word.to_ascii_lowercase(), trigger)))
});

/// One search for many words, and what each of them stands for. It reads lower
/// case only: that takes a third of the time to build, and a client that only
/// spools a text builds it for that text alone.
pub(crate) fn search_for<T>(words: impl Iterator<Item = (String, T)>) -> (AhoCorasick, Vec<T>) {
    let (words, meanings): (Vec<String>, Vec<T>) = words.unzip();
    let search = AhoCorasick::builder().kind(Some(AhoCorasickKind::ContiguousNFA)).build(words);
    (search.expect("the words of the rules are few and short"), meanings)
}

/// The text with its secrets masked, and what was masked.
pub(crate) fn masked(text: Cow<'_, str>) -> (String, Vec<Masked>) {
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut text = text.into_owned();
    // What is left around a mask may read differently than before. Each round
    // masks something that was not, so there is a last one.
    loop {
        let found = found(&text);
        if found.is_empty() {
            break;
        }
        let mut masked = String::with_capacity(text.len());
        let mut done = 0;
        for Found { range, rule, .. } in found {
            masked.push_str(&text[done..range.start]);
            masked.extend([MASK, rule, "]"]);
            *counts.entry(rule).or_default() += 1;
            done = range.end;
        }
        masked.push_str(&text[done..]);
        text = masked;
    }
    let secrets = counts.into_iter().map(|(rule, count)| Masked { rule: rule.to_owned(), count });
    (text, secrets.collect())
}

/// Where the secrets of a text are: in order, apart from each other, and none
/// that is masked already.
fn found(text: &str) -> Vec<Found> {
    let mut all = found_in(text.as_bytes());
    for view in views(text) {
        let seen = found_in(&view.bytes).into_iter();
        all.extend(seen.map(|found| Found { range: view.source(&found.range), ..found }));
    }
    if all.is_empty() {
        return Vec::new();
    }
    let marks = marks(text.as_bytes());
    let is_marked =
        |range: &Range<usize>| marks.iter().any(|mark| mark.start <= range.start && range.end <= mark.end);
    all.retain(|found| !found.range.is_empty() && !is_marked(&found.range));
    for Found { range, .. } in &mut all {
        *range = text.floor_char_boundary(range.start)..text.ceil_char_boundary(range.end);
        for mark in &marks {
            if mark.start < range.end && range.start < mark.end {
                *range = range.start.min(mark.start)..range.end.max(mark.end);
            }
        }
    }
    all.sort_by_key(|found| found.range.start);
    let mut merged: Vec<Found> = Vec::new();
    for found in all {
        match merged.last_mut() {
            Some(last) if found.range.start < last.range.end => {
                last.range.end = last.range.end.max(found.range.end);
                if found.rank < last.rank {
                    (last.rank, last.rule) = (found.rank, found.rule);
                }
            }
            _ => merged.push(found),
        }
    }
    merged
}

/// What the rules find in one reading of a text.
fn found_in(text: &[u8]) -> Vec<Found> {
    let marks = marks(text);
    let mut found = Vec::new();
    let mut keep = |range: Option<Range<usize>>, rule: &'static str, rank: u8| {
        found.extend(range.map(|range| Found { range, rule, rank }));
    };
    let (words, triggers) = &*WORDS;
    let mut shapes = BTreeSet::new();
    for hit in words.find_overlapping_iter(&text.to_ascii_lowercase()) {
        let (start, end) = (hit.start(), hit.end());
        if marks.iter().any(|mark| mark.contains(&start)) {
            continue;
        }
        match triggers[hit.pattern().as_usize()] {
            Trigger::Begin if &text[start..end] == b"BEGIN" => keep(block::key_from(text, start), KEY, 0),
            Trigger::End if &text[start..end] == b"END" => keep(block::key_before(text, start), KEY, 0),
            Trigger::Begin | Trigger::End => (),
            Trigger::Putty => keep(block::putty_lines(text, start), KEY, 0),
            Trigger::Token(rule) => keep(tokens::token_at(text, start, rule), TOKENS[rule].rule, 1),
            Trigger::Shape(rule) => _ = shapes.insert(rule),
            Trigger::Url => keep(url::secret_of(text, start), URL, 3),
            Trigger::Name(word) => {
                let name = name_around(text, start, end, word);
                let rule = if NAMES[word].1 == Strength::Password { PASSWORD } else { ASSIGNED };
                keep(name.and_then(|name| assignment::secret_of(text, &name)), rule, 4);
            }
        }
    }
    for rule in shapes {
        for range in shaped(text, rule) {
            keep(Some(range), SHAPES[rule].rule, 2);
        }
    }
    for range in tokens::discord_tokens(text) {
        keep(Some(range), DISCORD, 1);
    }
    // A value that is a mark already is no value.
    found.retain(|found| !marks.iter().any(|mark| mark.contains(&found.range.start)));
    found
}

/// What the expression of one rule finds.
fn shaped(text: &[u8], rule: usize) -> Vec<Range<usize>> {
    static EXPRESSIONS: [OnceLock<Regex>; SHAPES.len()] = [const { OnceLock::new() }; SHAPES.len()];
    let shape = &SHAPES[rule];
    let expression = EXPRESSIONS[rule].get_or_init(|| {
        let built = RegexBuilder::new(shape.expression).unicode(false).build();
        built.expect("the expressions of the rules are sound")
    });
    let values = expression.captures_iter(text).filter_map(|found| Some(found.get(1)?.range()));
    match shape.check {
        Check::Cookies => values.flat_map(|range| cookie_values(text, range)).collect(),
        check => values.filter(|range| passes(&text[range.clone()], check)).collect(),
    }
}

fn passes(value: &[u8], check: Check) -> bool {
    match check {
        Check::Any => !judge::is_stand_in(value),
        Check::Token => judge::is_secret(value, Strength::Token),
        Check::Password => judge::is_secret(value, Strength::Password),
        Check::UserAndPassword => assignment::is_user_and_password(value),
        Check::Cookies => false,
    }
}

/// The values of `name=value; name=value` that look like chance.
fn cookie_values(text: &[u8], range: Range<usize>) -> Vec<Range<usize>> {
    let mut values = Vec::new();
    let mut at = range.start;
    for pair in text[range].split(|byte| *byte == b';') {
        if let Some(sign) = pair.iter().position(|byte| *byte == b'=') {
            let value = pair[sign + 1..].trim_ascii_end();
            if value.len() >= 12 && !value.contains(&b' ') && judge::is_secret(value, Strength::Token) {
                values.push(at + sign + 1..at + sign + 1 + value.len());
            }
        }
        at += pair.len() + 1;
    }
    values
}

/// Where a text says `[secret: <rule>]` with a rule that there is.
fn marks(text: &[u8]) -> Vec<Range<usize>> {
    let mut marks = Vec::new();
    let mut from = 0;
    while let Some(open) = text[from..].iter().position(|byte| *byte == b'[') {
        let start = from + open;
        from = start + 1;
        let Some(rest) = text[start..].strip_prefix(MASK.as_bytes()) else { continue };
        let length = rest.iter().take(40).position(|byte| *byte == b']');
        let rule = length.and_then(|length| std::str::from_utf8(&rest[..length]).ok());
        if let Some(rule) = rule.filter(|rule| RULES.contains(rule)) {
            marks.push(start..start + MASK.len() + rule.len() + 1);
        }
    }
    marks
}
