//! How somebody is reached: mail addresses, telephone numbers that begin with a
//! `+`, and addresses of machines on the public net.

use super::Personal;
use core::net::Ipv4Addr;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// Names before an `@` that are nobody's.
const NOBODY: [&str; 9] =
    ["git", "hg", "svn", "noreply", "no-reply", "donotreply", "do-not-reply", "mailer-daemon", "postmaster"];
/// Hosts that are kept free for examples and for the inside of a net, and those
/// that receive no mail.
const NOWHERE: [&str; 12] = [
    "example",
    "example.com",
    "example.org",
    "example.net",
    "test",
    "invalid",
    "localhost",
    "local",
    "internal",
    "localdomain",
    "noreply.github.com",
    "noreply.gitlab.com",
];
/// What follows the last point of `logo@2x.png` or `getty@tty1.service`.
const ENDINGS: [&str; 18] = [
    "png", "jpg", "jpeg", "gif", "svg", "webp", "js", "ts", "tsx", "jsx", "json", "css", "html", "service",
    "socket", "timer", "target", "yml",
];
/// Addresses that everybody has in a configuration.
const EVERYBODYS: [Ipv4Addr; 6] = [
    Ipv4Addr::new(8, 8, 8, 8),
    Ipv4Addr::new(8, 8, 4, 4),
    Ipv4Addr::new(1, 1, 1, 1),
    Ipv4Addr::new(1, 0, 0, 1),
    Ipv4Addr::new(9, 9, 9, 9),
    Ipv4Addr::new(208, 67, 222, 222),
];
/// Four parts as small as these are a version.
const SMALL: u8 = 31;

pub(super) fn found(text: &str) -> Vec<Personal> {
    let mails = text.match_indices('@').filter_map(|(at, _)| mail_around(text, at));
    let mails = mails.map(|range| Personal { range, rule: "email" });
    let phones = phones(text).map(|range| Personal { range, rule: "phone" });
    let hosts = hosts(text).map(|range| Personal { range, rule: "ip" });
    mails.chain(phones).chain(hosts).collect()
}

/// The mail address around an `@`.
fn mail_around(text: &str, at: usize) -> Option<Range<usize>> {
    let in_name = |letter: char| letter.is_alphanumeric() || "._%+-'".contains(letter);
    let in_host = |letter: char| letter.is_alphanumeric() || ".-".contains(letter);
    let name = text[..at].rsplit(|letter| !in_name(letter)).next()?.trim_start_matches(['.', '\'', '-', '%']);
    let host = text[at + 1..].split(|letter| !in_host(letter)).next()?.trim_end_matches(['.', '-']);
    let range = at - name.len()..at + 1 + host.len();
    let (below, ending) = host.rsplit_once('.')?;
    let is_host = !below.is_empty()
        && !host.contains("..")
        && ending.chars().count() >= 2
        && ending.chars().all(char::is_alphabetic)
        && below.chars().any(char::is_alphabetic);
    if name.is_empty() || !is_host {
        return None;
    }
    let (name, host) = (name.to_lowercase(), host.to_lowercase());
    let nowhere = NOWHERE
        .iter()
        .any(|known| host.strip_suffix(known).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')));
    let before = &text[..range.start];
    // The user of an address such as ssh://deploy@host or postgres://me:x@host,
    // and the one of a copy from another machine: deploy@host:/srv.
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let of_url = word.contains("://");
    let after = &text[range.end..];
    let of_copy = after.strip_prefix(':').is_some_and(|path| {
        let path = path.split(char::is_whitespace).next().unwrap_or_default();
        path.starts_with(['/', '~', '.']) || path.contains('/')
    });
    let named = NOBODY.contains(&name.as_str()) || ENDINGS.contains(&ending.to_lowercase().as_str());
    (!nowhere && !of_url && !of_copy && !named && !before.ends_with('/')).then_some(range)
}

/// Numbers with their country: a `+`, eight digits or more in groups, or ten in
/// one piece.
fn phones(text: &str) -> impl Iterator<Item = Range<usize>> {
    static SHAPE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\+[1-9](?:[ .\-/]?\(?\d+\)?){1,7}").expect("the expressions of the rules are sound")
    });
    let plausible = |range: &Range<usize>| {
        let number = &text[range.clone()];
        let digits = number.bytes().filter(u8::is_ascii_digit).count();
        let grouped = digits + 1 < number.len();
        (if grouped { 8 } else { 10 }..=15).contains(&digits)
            && !text[..range.start]
                .ends_with(|letter: char| letter.is_alphanumeric() || ")]+".contains(letter))
            && !text[range.end..].starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
    };
    SHAPE.find_iter(text).map(|found| found.range()).filter(plausible)
}

/// Machines on the public net. Four small parts, or four after a word that says
/// so, are a version.
fn hosts(text: &str) -> impl Iterator<Item = Range<usize>> {
    static SHAPE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}").expect("the expressions of the rules are sound")
    });
    static VERSION: LazyLock<Regex> = LazyLock::new(|| {
        let words = r"(?i)(?:version|release|build|ver|sürüm|chrome|chromium|driver|assembly\w*|==|[~^<>]=?|\bv)[\s:=/(\x22']*$";
        Regex::new(words).expect("the expressions of the rules are sound")
    });
    let is_public = |range: &Range<usize>| {
        let Ok(address) = text[range.clone()].parse::<Ipv4Addr>() else { return false };
        let [first, second, third, _] = address.octets();
        let inside = address.is_private()
            || address.is_loopback()
            || address.is_link_local()
            || address.is_documentation()
            || address.is_unspecified()
            || first == 0
            || first >= 224
            || (first == 100 && (64..128).contains(&second))
            || (first == 198 && (second == 18 || second == 19))
            || (first, second, third) == (192, 0, 0);
        let touched = |letter: char| letter.is_alphanumeric() || "_.-".contains(letter);
        let after = &text[range.end..];
        let goes_on = after.starts_with(|letter: char| letter.is_alphanumeric() || "_-".contains(letter))
            || after
                .strip_prefix('.')
                .is_some_and(|rest| rest.starts_with(|letter: char| letter.is_alphanumeric()));
        !inside
            && !EVERYBODYS.contains(&address)
            && address.octets().iter().any(|part| *part > SMALL)
            && !text[..range.start].ends_with(touched)
            && !goes_on
            && !VERSION.is_match(last_word(&text[..range.start]))
    };
    SHAPE.find_iter(text).map(|found| found.range()).filter(is_public)
}

/// So much of what stands before a place as may hold the word that explains it.
fn last_word(before: &str) -> &str {
    &before[before.ceil_char_boundary(before.len().saturating_sub(24))..]
}
