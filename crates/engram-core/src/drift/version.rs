//! Which version of what a statement says is used.
//!
//! Knows names, numbers and the words between them. Whether the project agrees
//! is decided elsewhere.

use super::Claim;
use super::lists::{RUNTIMES, SERVERS, SPELLINGS, UNITS, USED_AFTER, USED_BEFORE};
use super::token::Token;
use crate::ask::speech::is_small;
use crate::observe::{CALENDAR, COUNTED, is_path, is_version};

/// A whole number from here on is a year, a port or a count, and no version.
const LEAST_COUNT: u32 = 1_000;

/// One spelling for each thing that has versions, for those who claim and for
/// those who look it up.
pub fn versioned_name(written: &str) -> String {
    let lower = written.trim().to_lowercase().replace('_', "-");
    let name = lower.strip_suffix(".js").filter(|name| !name.is_empty()).unwrap_or(&lower);
    SPELLINGS.iter().find(|(other, _)| *other == name).map_or(name, |(_, one)| one).to_owned()
}

/// The version that is claimed from this token on, and how many tokens say it.
pub(super) fn version_at(tokens: &[Token<'_>], at: usize) -> Option<(Claim, usize)> {
    written_together(&tokens[at])
        .map(|claim| (claim, 1))
        .or_else(|| edition(tokens, at))
        .or_else(|| apart(tokens, at))
}

/// `react@18.2.0`, `django==4.2`, `rayon = "1.38"` between backticks.
fn written_together(token: &Token<'_>) -> Option<Claim> {
    let text = token.text;
    let (name, version) = match text.split_once("==") {
        Some(sides) => sides,
        None if token.quoted && text.contains('=') => text.split_once('=')?,
        None => text.rsplit_once('@')?,
    };
    let name = name.trim();
    let plain = name.len() > 1 && name.chars().all(|mark| mark.is_alphanumeric() || "-_./@".contains(mark));
    let version = number_of(version.trim().trim_matches(['"', '\'']))?;
    (plain && name.contains(char::is_alphabetic) && !name.ends_with('@')).then(|| claim_of(name, version))
}

/// "Edition 2021" and "the 2021 edition" of Rust.
fn edition(tokens: &[Token<'_>], at: usize) -> Option<(Claim, usize)> {
    let year = |at: usize| {
        let text = tokens.get(at)?.text;
        (text.len() == 4 && text.starts_with("20") && text.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| text.to_owned())
    };
    let named = |at: usize| tokens.get(at).is_some_and(|token| token.folded == "edition");
    if named(at) {
        let joined = joins(tokens, at + 1);
        return Some((claim_of("edition", year(at + 1 + joined)?), 2 + joined));
    }
    (named(at + 1) && !tokens[at].closes)
        .then(|| year(at))
        .flatten()
        .map(|year| (claim_of("edition", year), 2))
}

/// Whether a word that only joins a name and its version stands here.
fn joins(tokens: &[Token<'_>], at: usize) -> usize {
    let joining = ["version", "v", "is", "surum", "surumu"];
    let joined = |token: &Token<'_>| joining.contains(&token.folded.as_str()) || token.text == "=";
    usize::from(tokens.get(at).is_some_and(joined))
}

/// "Node 20.11", "python version 3.12", "uses react 18".
fn apart(tokens: &[Token<'_>], at: usize) -> Option<(Claim, usize)> {
    let name = &tokens[at];
    let colon = name.raw.ends_with(':');
    if name.closes && !colon || !is_name(name) {
        return None;
    }
    let joined = joins(tokens, at + 1);
    // "Redis is 6" tells no version; "Redis is version 6" has its own word.
    let told = joined == 0 || tokens[at + 1].folded != "is" || is_known(name.text);
    let number = tokens.get(at + 1 + joined)?;
    let version = number_of(number.text).filter(|_| told)?;
    let next = tokens.get(at + 2 + joined).filter(|_| !number.closes).map(|next| next.folded.as_str());
    if next.is_some_and(|next| UNITS.contains(&next)) {
        return None;
    }
    let whole = !version.contains('.');
    if whole && (version.parse::<u32>().is_ok_and(|number| number >= LEAST_COUNT)) {
        return None;
    }
    if whole && !is_known(name.text) {
        let before = at.checked_sub(1).map_or("", |before| tokens[before].folded.as_str());
        let used = USED_BEFORE.contains(&before)
            || tokens[at].parted
            || next.is_some_and(|next| USED_AFTER.contains(&next))
            || !number.ending.is_empty()
            || joined > 0;
        let ends = next.is_none_or(|next| is_small(next) || USED_AFTER.contains(&next));
        if !used || !ends && number.ending.is_empty() {
            return None;
        }
    }
    Some((claim_of(name.text, version), 2 + joined))
}

fn is_known(name: &str) -> bool {
    let name = versioned_name(name);
    RUNTIMES.contains(&name.as_str()) || SERVERS.contains(&name.as_str())
}

fn is_name(token: &Token<'_>) -> bool {
    let text = token.text;
    let folded = token.folded.as_str();
    let dotted_js = text.ends_with(".js");
    // "On" and "go" are small words; only one of them is a language.
    let small = is_small(folded) && !text.contains(['-', '/']) && text != "Go";
    text.len() > 1
        && text.contains(char::is_alphabetic)
        && text.chars().all(|mark| mark.is_alphanumeric() || "-_./@+".contains(mark))
        && !small
        && !COUNTED.contains(&folded)
        && !CALENDAR.contains(&folded)
        && (dotted_js || !is_path(text))
}

/// `v18`, `^18.2.0` and `18.x` as plain numbers with dots.
fn number_of(text: &str) -> Option<String> {
    let text = text.trim_start_matches(['^', '~', '=', '>']).trim_start_matches('v');
    let text = [".x", ".*"].iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    is_version(text).then(|| text.to_owned())
}

fn claim_of(name: &str, version: String) -> Claim {
    Claim::Version { of: versioned_name(name), version }
}
