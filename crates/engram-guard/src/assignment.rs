//! Values that follow a name: in code, settings, logs, command lines, tables
//! and plain sentences.
//!
//! The clearer the sign that a value follows, the less is asked of the value.

use crate::judge::{self, Strength};
use crate::names::Name;
use crate::tokens::is_uuid;
use std::ops::Range;

/// How far a sentence may wander between the name and its value, in bytes.
const WANDER: usize = 60;

/// No value is longer than this, in bytes. The bound keeps odd texts cheap.
const LONGEST: usize = 16_384;

/// The same for a value without quotes.
const LONGEST_BARE: usize = 2_048;

/// The secret that `name` announces.
pub(crate) fn secret_of(text: &[u8], name: &Name) -> Option<Range<usize>> {
    let range = match written_value(text, name) {
        Some(value) if judged(text, name, &value) => value.range,
        Some(value) if value.typed => return None,
        _ => said_value(text, name)?,
    };
    (!range.is_empty()).then_some(range)
}

/// A value as it was found, before it is judged.
struct Value {
    range: Range<usize>,
    quoted: bool,
    /// A line of its own, as in settings: nothing but the value is on it.
    line: bool,
    /// Behind a name there was a type, so this is code.
    typed: bool,
}

fn judged(text: &[u8], name: &Name, value: &Value) -> bool {
    let bytes = &text[value.range.clone()];
    let bytes = &bytes[..bytes.len().min(judge::ENOUGH)];
    let called = text[name.start..name.end].to_ascii_lowercase();
    if called == b"auth" || called.ends_with(b"_auth") {
        return is_user_and_password(bytes);
    }
    if name.needs_equals && (bytes.len() < 16 || is_uuid(bytes) || is_ulid(bytes)) {
        return false;
    }
    let loud = text[name.start..name.end].iter().all(|byte| !byte.is_ascii_lowercase());
    let set_apart = value.quoted || value.line || (loud && text.get(name.end) == Some(&b'='));
    if name.is_common && !set_apart {
        return false;
    }
    if !value.line && (contains(bytes, b"::") || (!value.quoted && is_code(bytes))) {
        return false;
    }
    if bytes.contains(&b' ') && name.strength == Strength::Password && is_in_fours(bytes) {
        return true;
    }
    if bytes.contains(&b' ') {
        // A sentence, unless one of its words is clearly made by a machine.
        let strong = |word: &[u8]| word.len() >= 12 && judge::is_secret(word, Strength::Token);
        return bytes.split(|byte| *byte == b' ').any(strong);
    }
    judge::is_secret(bytes, name.strength)
}

/// The value behind a sign: `=`, `:`, `=>`, a bracket, a flag, a tag.
fn written_value(text: &[u8], name: &Name) -> Option<Value> {
    if name.start > 0 && text[name.start - 1] == b'<' && text.get(name.end) == Some(&b'>') {
        let end = until(text, name.end + 1, |byte| byte == b'<' || byte == b'\n');
        return Some(Value {
            range: trimmed(text, name.end + 1..end),
            quoted: true,
            line: false,
            typed: false,
        });
    }
    let closed = skip(text, name.end, b"\"'`*])");
    let spaced = skip(text, closed, b" \t");
    let sign = skip(text, spaced, b"=:>?!");
    let signs = &text[spaced..sign];
    // `key="ApiKey" value="..."`
    if let Some(b"value=" | b"Value=") = text.get(spaced..spaced + 6) {
        return value_at(text, name, spaced + 6);
    }
    let announces = signs.iter().any(|byte| b"=:".contains(byte)) && signs.len() <= 3 && signs != b"::";
    if name.needs_equals && signs != b"=" {
        return None;
    }
    if announces {
        // `**Password:** value`
        let bold = if text[sign..].starts_with(b"** ") { sign + 2 } else { sign };
        let value = value_at(text, name, skip(text, bold, b" \t"))?;
        // In `token: String = "..."` the value comes after the type.
        let typed = text.get(skip(text, value.range.end, b" \t")) == Some(&b'=');
        if !value.quoted && !signs.contains(&b'=') && (typed || !judged(text, name, &value)) {
            let after = until(text, sign, |byte| b"=\n\"'`;".contains(&byte));
            if text.get(after) == Some(&b'=') && after - sign <= WANDER {
                let value = value_at(text, name, skip(text, after + 1, b" \t="))?;
                return Some(Value { typed, ..value });
            }
        }
        return Some(value);
    }
    match text.get(spaced)? {
        b',' | b'(' => {
            let value = value_at(text, name, skip(text, spaced + 1, b" \t"))?;
            value.quoted.then_some(value)
        }
        b'|' => value_at(text, name, skip(text, spaced + 1, b" \t")),
        _ => {
            let flag = text[name.start..name.end].starts_with(b"--");
            let before = &text[name.start.saturating_sub(WANDER * 3)..name.start];
            let netrc = contains(before, b"login ") || contains(before, b"machine ");
            let follows = spaced > closed && text[spaced] != b'-';
            ((flag || netrc) && follows).then(|| value_at(text, name, spaced)).flatten()
        }
    }
}

/// The value that begins here, in quotes or without.
fn value_at(text: &[u8], name: &Name, at: usize) -> Option<Value> {
    let first = *text.get(at)?;
    let prefixed = b"bBrRfFuU".contains(&first) && text.get(at + 1).is_some_and(|next| b"\"'".contains(next));
    let open = at + usize::from(prefixed);
    let quote = text[open];
    if b"\"'`".contains(&quote) {
        let start = skip(text, open, &[quote]);
        let mut end = start;
        while end < text.len() && text[end] != quote && text[end] != b'\n' && end - start < LONGEST {
            end += if text[end] == b'\\' { 2 } else { 1 };
        }
        let range = trimmed(text, start..end.min(text.len()));
        return Some(Value { range, quoted: true, line: false, typed: false });
    }
    let line = stands_alone(text, name);
    let mut end = match line {
        true => until(text, at, |byte| byte.is_ascii_whitespace() || b"\"'".contains(&byte)),
        false => until(text, at, |byte| byte.is_ascii_whitespace() || b"\"'`,;&<>)]}|".contains(&byte)),
    };
    if line {
        end = at + next_pair(&text[at..end]).unwrap_or(end - at);
    }
    // What ends a list or a string that this is written in is not the value's.
    loop {
        match &text[at..end] {
            [.., b',' | b';' | b'\\'] => end -= 1,
            [.., b'\\', b'n' | b'r' | b't'] => end -= 2,
            _ => break,
        }
    }
    Some(Value {
        range: at..end,
        quoted: false,
        line: line && text.get(name.end) == Some(&b'='),
        typed: false,
    })
}

/// Where `&user=` begins: the line is a query and not a setting.
fn next_pair(value: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let sign = from + value[from..].iter().position(|byte| *byte == b'&')?;
        let rest = &value[sign + 1..];
        let name =
            rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte)).count();
        if name > 0 && rest.get(name) == Some(&b'=') {
            return Some(sign);
        }
        from = sign + 1;
    }
}

/// Whether the name is the first thing on its line, but for the sign of a diff
/// and the words that shells put there.
fn stands_alone(text: &[u8], name: &Name) -> bool {
    let near = name.start.saturating_sub(WANDER);
    let start = match text[near..name.start].iter().rposition(|byte| *byte == b'\n') {
        Some(line_end) => near + line_end + 1,
        None if near == 0 => 0,
        None => return false,
    };
    let mut before = text[start..name.start].trim_ascii();
    if let [b'+' | b'-' | b'>', rest @ ..] = before {
        before = rest.trim_ascii();
    }
    [&b""[..], b"export", b"set", b"ENV", b"ARG", b"declare -x", b"$ export", b"setenv"].contains(&before)
}

/// A value that a sentence names: "the password of the test system is ...".
fn said_value(text: &[u8], name: &Name) -> Option<Range<usize>> {
    if name.needs_equals || name.is_common {
        return None;
    }
    let start = skip(text, name.end, b"\"'`*");
    let stop = until(text, start, |byte| byte == b'\n').min(start + WANDER);
    let between = &text[start..stop];
    const BRIDGES: [&[u8]; 6] = [b" is ", b" was ", b" to ", b": ", b" = ", b" olarak "];
    let after = BRIDGES.iter().filter_map(|bridge| Some(find(between, bridge)? + bridge.len()));
    let direct = (between.first() == Some(&b' ')).then_some(1);
    let mut places: Vec<usize> = after.chain(direct).collect();
    places.sort_unstable();
    places.into_iter().find_map(|place| {
        let at = skip(text, start + place, b" \t\"'`*(");
        let mut end = until(text, at, |byte| byte.is_ascii_whitespace() || b"\"'`<>\\".contains(&byte));
        while end > at && b".,;:)*".contains(&text[end - 1]) {
            end -= 1;
        }
        is_said(&text[at..end], name.strength, Some(place) == direct).then_some(at..end)
    })
}

/// In a sentence, only what is hardly anything else counts.
fn is_said(value: &[u8], strength: Strength, direct: bool) -> bool {
    let digest = value.len() >= 7 && value.iter().all(u8::is_ascii_hexdigit);
    if contains(value, b"://") || contains(value, b"](") || contains(value, b"::") {
        return false;
    }
    if is_code(value) || is_uuid(value) || is_ulid(value) || (digest && (direct || value.len() < 20)) {
        return false;
    }
    match strength {
        Strength::Token => value.len() >= 16 && judge::is_secret(value, Strength::Token),
        _ => judge::is_secret(value, Strength::Prose),
    }
}

/// A name, a path of names, a call or a number, and not a value.
fn is_code(value: &[u8]) -> bool {
    let value = &value[value.iter().take_while(|byte| b" ([{&*!".contains(byte)).count()..];
    if is_number(value) {
        return true;
    }
    if !value.first().is_some_and(|byte| byte.is_ascii_alphabetic() || b"_$@".contains(byte)) {
        return value.iter().all(|byte| byte.is_ascii_punctuation());
    }
    let path = value.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_.$@".contains(byte)).count();
    let (path, rest) = value.split_at(path);
    let starts = |list: &[&[u8]]| list.iter().any(|start| rest.starts_with(start));
    if path.len() > 1 && starts(&[b"(", b"::", b"->", b"?.", b"!(", b"!["]) {
        return true;
    }
    let signs = path.contains(&b'_') && path.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    let one_case = !path.iter().any(u8::is_ascii_uppercase) || !path.iter().any(u8::is_ascii_lowercase);
    let named = (signs && one_case) || judge::is_wordlike(path) || path.len() < 6;
    named
        && (rest.is_empty() && ends_like_a_name(path)
            || starts(&[b"<", b"[", b"{", b"&&", b"||", b"??", b":?"]))
}

/// `0x80ff`, `2150859184u32`
fn is_number(value: &[u8]) -> bool {
    let value = value.strip_prefix(b"-").unwrap_or(value);
    if let Some(hex) = value.strip_prefix(b"0x") {
        let digits = hex.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        return digits <= 16 && (digits == hex.len() || hex[digits] == b'_');
    }
    let digits = value.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'_').count();
    let types = [
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64",
    ];
    digits > 0 && types.iter().any(|end| end.as_bytes() == &value[digits..])
}

/// Without digits, or with a few at its end after a sign: `_ty_3`.
fn ends_like_a_name(path: &[u8]) -> bool {
    let digits = path.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let name = &path[..path.len() - digits];
    !name.iter().any(u8::is_ascii_digit) && (digits == 0 || (digits <= 4 && name.ends_with(b"_")))
}

/// Base64 of `user:password`.
pub(crate) fn is_user_and_password(value: &[u8]) -> bool {
    let Some(read) = judge::from_base64(value) else { return false };
    let printable = read.iter().all(|byte| (0x20..0x7f).contains(byte));
    let Some(colon) = read.iter().position(|byte| *byte == b':') else { return false };
    printable && colon > 0 && read.len() > colon + 3 && !judge::is_stand_in(&read[colon + 1..])
}

/// `abcd efgh ijkl mnop`, as mail providers show a password for one program.
fn is_in_fours(value: &[u8]) -> bool {
    let small = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let four = |group: &[u8]| group.len() == 4 && group.iter().all(small);
    value.split(|byte| *byte == b' ').count() == 4 && value.split(|byte| *byte == b' ').all(four)
}

/// 26 characters of base 32.
fn is_ulid(value: &[u8]) -> bool {
    value.len() == 26
        && value[0].is_ascii_digit()
        && value.iter().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}

fn skip(text: &[u8], at: usize, over: &[u8]) -> usize {
    at + text[at.min(text.len())..].iter().take_while(|byte| over.contains(byte)).count()
}

fn until(text: &[u8], at: usize, stop: impl Fn(u8) -> bool) -> usize {
    at + text[at..].iter().take(LONGEST_BARE).take_while(|byte| !stop(**byte)).count()
}

fn trimmed(text: &[u8], range: Range<usize>) -> Range<usize> {
    let inside = &text[range.clone()];
    let start = range.start + inside.len() - inside.trim_ascii_start().len();
    start..start.max(range.start + inside.trim_ascii_end().len())
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|window| window == word)
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    find(text, word).is_some()
}
