//! A text as it reads once its escapes are undone, with the way back.
//!
//! A secret in JSON inside JSON, in a query string or between colour codes is
//! the same secret. The rules look at the plain text and at this view of it,
//! and what they find here is mapped to the text that is masked.

use std::ops::Range;

/// The bytes of the view, and where in the text each of them comes from.
pub(crate) struct View {
    pub(crate) bytes: Vec<u8>,
    from: Vec<usize>,
    end: usize,
}

/// How deep escapes are undone: JSON in a query in JSON.
const DEPTH: usize = 3;

/// The text with one layer of escapes undone, with two, and so on. None if
/// there is nothing to undo.
pub(crate) fn views(text: &str) -> Vec<View> {
    let mut views: Vec<View> = Vec::new();
    while views.len() < DEPTH {
        let next = match views.last() {
            None => View::of(text.as_bytes()),
            Some(outer) => View::of(&outer.bytes).map(|inner| inner.inside(outer)),
        };
        match next {
            Some(view) => views.push(view),
            None => break,
        }
    }
    views
}

impl View {
    fn of(source: &[u8]) -> Option<View> {
        // Zero-width and other unseen characters begin with one of these.
        let hint = |byte: &u8| matches!(byte, b'\\' | b'%' | 0x1b | 0xc2 | 0xe2 | 0xef | 0xf3);
        let first = source.iter().position(hint)?;
        let mut view =
            View { bytes: source[..first].to_vec(), from: (0..first).collect(), end: source.len() };
        let (mut at, mut undone) = (first, false);
        while at < source.len() {
            let (length, byte) = escape(source, at).unwrap_or((1, Some(source[at])));
            if let Some(byte) = byte {
                view.bytes.push(byte);
                view.from.push(at);
            }
            undone |= length > 1;
            at += length;
        }
        undone.then_some(view)
    }

    /// A view of a view, as a view of the text.
    fn inside(mut self, outer: &View) -> View {
        self.from.iter_mut().for_each(|at| *at = outer.place(*at));
        self.end = outer.end;
        self
    }

    fn place(&self, at: usize) -> usize {
        self.from.get(at).copied().unwrap_or(self.end)
    }

    /// Where a range of the view lies in the text.
    pub(crate) fn source(&self, range: &Range<usize>) -> Range<usize> {
        self.place(range.start)..self.place(range.end)
    }
}

/// How long the escape at `at` is and what it stands for, if there is one.
fn escape(source: &[u8], at: usize) -> Option<(usize, Option<u8>)> {
    match source[at] {
        b'\\' => backslash(source, at),
        b'%' => percent(source, at),
        0x1b => colour(source, at),
        0xc2 | 0xe2 | 0xef | 0xf3 => unseen_length(source, at).map(|length| (length, None)),
        _ => None,
    }
}

/// JSON in JSON has several backslashes in a row; they count as one.
fn backslash(source: &[u8], at: usize) -> Option<(usize, Option<u8>)> {
    let run = source[at..].iter().take(16).take_while(|byte| **byte == b'\\').count();
    let byte = match source.get(at + run)? {
        b'n' | b'r' => b'\n',
        b't' => b'\t',
        quote @ (b'"' | b'\'' | b'/' | b'`') => *quote,
        b'u' => {
            let digits = source.get(at + run + 1..at + run + 5)?;
            let code = u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
            let byte = u8::try_from(code).ok().filter(u8::is_ascii)?;
            return Some((run + 5, Some(byte)));
        }
        _ => return None,
    };
    Some((run + 1, Some(byte)))
}

fn percent(source: &[u8], at: usize) -> Option<(usize, Option<u8>)> {
    Some((3, Some(hex(source, at + 1)?)))
}

fn hex(source: &[u8], at: usize) -> Option<u8> {
    let digit = |at: usize| char::from(*source.get(at)?).to_digit(16);
    u8::try_from(digit(at)? * 16 + digit(at + 1)?).ok()
}

/// A colour code of a terminal reads as a space.
fn colour(source: &[u8], at: usize) -> Option<(usize, Option<u8>)> {
    let inside = source.get(at + 1..)?.strip_prefix(b"[")?;
    let length = inside.iter().position(|byte| (0x40..=0x7e).contains(byte))?;
    (length < 16).then_some((length + 3, Some(b' ')))
}

fn unseen_length(source: &[u8], at: usize) -> Option<usize> {
    let length = if source[at] == 0xf3 {
        4
    } else if source[at] == 0xc2 {
        2
    } else {
        3
    };
    let found = std::str::from_utf8(source.get(at..at + length)?).ok()?.chars().next()?;
    is_unseen(found).then_some(length)
}

/// Characters that take no room: zero-width ones, marks that turn the
/// direction of writing, and tags.
pub(crate) fn is_unseen(found: char) -> bool {
    matches!(found,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, reads: &str) {
        assert_eq!(String::from_utf8(views(text).pop().unwrap().bytes).unwrap(), reads, "{text}");
    }

    #[test]
    fn escapes_are_undone() {
        check(r#"{\"a\": \"b\\nc\"}"#, "{\"a\": \"b\nc\"}");
        check(r"a\u003db", "a=b");
        check("a%3Db%2526c", "a=b&c");
        check("\u{1b}[31;1mred\u{1b}[0m", " red ");
        check("to\u{200b}ken", "token");
    }

    #[test]
    fn a_text_without_escapes_has_no_view_of_its_own() {
        for text in ["", "plain", "100 % of C:\\dir", "a — b", "şifre"] {
            assert!(views(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn the_way_back_covers_the_escape() {
        let view = &views("x%3Dab%3Dy")[0];
        assert_eq!(view.bytes, b"x=ab=y");
        assert_eq!(view.source(&(2..4)), 4..6);
        assert_eq!(view.source(&(2..5)), 4..9);
        assert_eq!(view.source(&(5..6)), 9..10);
        let view = &views("x%253Dab%253Dy")[1];
        assert_eq!((view.bytes.as_slice(), view.source(&(2..5))), (&b"x=ab=y"[..], 6..13));
    }
}
