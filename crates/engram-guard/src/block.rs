//! Private keys that are written over many lines.
//!
//! A block goes from its first line to its last. One that is cut off, as the
//! output of tools often is, goes as far as its lines look like a key.

use std::ops::Range;

/// Shorter lines are words.
const FULL: usize = 16;

/// The key whose `BEGIN` line has its word at `begin`.
pub(crate) fn key_from(text: &[u8], begin: usize) -> Option<Range<usize>> {
    let start = begin - dashes_before(text, begin)?;
    let label = label_after(text, begin + "BEGIN".len())?;
    let body = begin + "BEGIN".len() + label.len();
    let rest = &text[body..];
    let next = find(rest, b"BEGIN").unwrap_or(rest.len());
    let end = ends(&rest[..next]).map(|end| body + end).unwrap_or(body + key_lines(rest));
    is_key(&text[body..end]).then_some(start..end)
}

/// The key whose `END` line is there and whose beginning is cut off.
pub(crate) fn key_before(text: &[u8], end: usize) -> Option<Range<usize>> {
    let line = end - dashes_before(text, end)?;
    let label = label_after(text, end + "END".len())?;
    let mut start = line;
    for (number, row) in text[..line].split(|byte| *byte == b'\n').rev().enumerate() {
        // The row just above the last line is what was left over for it.
        if !is_key_line(row, if number < 2 { 0 } else { FULL }) {
            break;
        }
        start -= row.len() + usize::from(number > 0);
    }
    start += text[start..line].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    is_key(&text[start..line]).then_some(start..end + "END".len() + label.len())
}

/// The private lines of a PuTTY key, after the word that counts them.
pub(crate) fn putty_lines(text: &[u8], word: usize) -> Option<Range<usize>> {
    let line = word + find(&text[word..], b"\n")? + 1;
    let end = line + key_lines(&text[line..]);
    is_key(&text[line..end]).then_some(line..end)
}

/// Four or five dashes, and perhaps a space.
fn dashes_before(text: &[u8], word: usize) -> Option<usize> {
    let spaces = text[..word].iter().rev().take_while(|byte| **byte == b' ').count();
    let dashes = text[..word - spaces].iter().rev().take_while(|byte| **byte == b'-').count();
    (dashes >= 4 && spaces <= 1).then_some(spaces + dashes.min(5))
}

/// ` RSA PRIVATE KEY-----`, as long as it is one of a private key.
fn label_after(text: &[u8], at: usize) -> Option<&[u8]> {
    let rest = &text[at..text.len().min(at + 64)];
    let close = find(rest, b"----")?;
    let label = &rest[..close];
    let plain =
        label.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || b" +".contains(byte));
    let private = find(label, b"PRIVATE").is_some_and(|word| find(&label[word..], b"KEY").is_some());
    let dashes = rest[close..].iter().take_while(|byte| **byte == b'-').count().min(5);
    (plain && private).then_some(&rest[..close + dashes])
}

/// Where the closing line ends.
fn ends(body: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let word = at + find(&body[at..], b"END")?;
        if dashes_before(body, word).is_some()
            && let Some(label) = label_after(body, word + 3)
        {
            return Some(word + 3 + label.len());
        }
        at = word + 3;
    }
}

/// How much of the text from here on looks like the lines of a key.
fn key_lines(text: &[u8]) -> usize {
    let (mut length, mut at, mut full) = (0, 0, false);
    for row in text.split(|byte| *byte == b'\n') {
        if !is_key_line(row, FULL) {
            // The rest of a key after full rows, or a row that a quote ends.
            let run = row.iter().take_while(|byte| is_base64(**byte)).count();
            let rest = full && run > 0 && row[run..].trim_ascii().is_empty();
            return if rest || run >= FULL { at + run } else { length };
        }
        at += row.len() + 1;
        if row.iter().any(|byte| is_base64(*byte)) {
            length = at - 1;
        }
        full = row.len() >= 60;
    }
    length
}

/// A line of base64 behind the signs that diffs and quotations put there, a
/// header of the key, or nothing at all.
fn is_key_line(row: &[u8], least: usize) -> bool {
    let inner = row.trim_ascii();
    let inner = match inner {
        [b'+' | b'-' | b'>' | b'|' | b'#' | b'*', rest @ ..] if !rest.is_empty() => rest.trim_ascii(),
        _ => inner,
    };
    let header = [&b"Proc-Type:"[..], b"DEK-Info:", b"Version:", b"Comment:", b"Private-MAC:"];
    let base64 = inner.iter().all(|byte| is_base64(*byte)) && (inner.is_empty() || inner.len() >= least);
    base64 || header.iter().any(|start| inner.starts_with(start))
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=".contains(&byte)
}

/// Three dots between two lines are no key.
fn is_key(body: &[u8]) -> bool {
    body.split(|byte| !is_base64(*byte)).any(|run| run.len() >= FULL)
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|window| window == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn";

    fn masked(text: &str) -> Option<&str> {
        let begin = text.find("BEGIN").and_then(|at| key_from(text.as_bytes(), at));
        let end = || text.find("END").and_then(|at| key_before(text.as_bytes(), at));
        begin.or_else(end).map(|range| &text[range])
    }

    fn key(label: &str) -> String {
        format!("-----BEGIN {label}-----\n{LINE}\n{LINE}\n-----END {label}-----")
    }

    #[test]
    fn a_key_goes_from_its_first_line_to_its_last() {
        for label in ["PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"] {
            let text = format!("before {} after", key(label));
            assert_eq!(masked(&text), Some(key(label).as_str()));
        }
    }

    #[test]
    fn what_is_public_stays() {
        for label in ["PUBLIC KEY", "CERTIFICATE", "PGP MESSAGE"] {
            assert_eq!(masked(&key(label)), None);
        }
        assert_eq!(masked("-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----"), None);
    }

    #[test]
    fn a_key_that_is_cut_off_goes_as_far_as_it_looks_like_one() {
        let text = format!("x\n-----BEGIN PRIVATE KEY-----\n{LINE}\n{LINE}\nand so on it went");
        assert_eq!(masked(&text).unwrap().len(), 27 + 2 * (LINE.len() + 1));
        let text = format!("and so\non\n{LINE}\n{LINE}\n-----END PRIVATE KEY-----\nafter");
        assert!(masked(&text).unwrap().starts_with(LINE));
    }
}
