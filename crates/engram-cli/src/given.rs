//! A text as it was given: in arguments, or on standard input.
//!
//! It owns how a text becomes UTF-8 and how one that is not is refused. What
//! the text is for it does not know.

use engram_wire::Fault;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Read};
use std::os::unix::ffi::OsStrExt as _;

/// More than one request can carry; read no further.
const LONGEST: u64 = 32 << 20;

/// The words joined by spaces; `-` or no word at all means standard input.
pub(crate) fn text(words: &[OsString]) -> Result<String, Fault> {
    match words {
        [] if io::stdin().is_terminal() => Err(Fault::usage("there is no text")
            .hint("give it as arguments, or pipe it in: `engram remember \"we deploy on fridays\"`")),
        [] => read(io::stdin().lock()),
        [dash] if dash == "-" => read(io::stdin().lock()),
        words => joined(words),
    }
}

/// The words joined by spaces.
pub(crate) fn joined(words: &[OsString]) -> Result<String, Fault> {
    let parts: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
    checked(parts.join(&b' '))
}

/// Everything there is to read.
pub(crate) fn read(from: impl Read) -> Result<String, Fault> {
    let mut bytes = Vec::new();
    from.take(LONGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Fault::environment(format!("standard input could not be read: {error}")))?;
    if bytes.len() as u64 > LONGEST {
        return Err(Fault::usage(format!("the text is longer than {LONGEST} bytes")));
    }
    checked(bytes)
}

fn checked(bytes: Vec<u8>) -> Result<String, Fault> {
    String::from_utf8(bytes).map_err(|error| {
        let first = error.utf8_error().valid_up_to() + 1;
        Fault::usage(format!("the text is not UTF-8: byte {first}"))
            .hint("convert it first, for example with `iconv -t utf-8`")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStringExt as _;

    #[test]
    fn words_are_joined_by_spaces() {
        assert_eq!(text(&["we deploy".into(), "on fridays".into()]).unwrap(), "we deploy on fridays");
    }

    #[test]
    fn what_is_not_utf8_is_refused_at_its_byte() {
        let words = [OsString::from("ab"), OsString::from_vec(b"c\xff".to_vec())];
        assert_eq!(text(&words).unwrap_err().message, "the text is not UTF-8: byte 5");
        assert_eq!(read(&b"\xfe"[..]).unwrap_err().message, "the text is not UTF-8: byte 1");
        assert_eq!(read(&b"line\n"[..]).unwrap(), "line\n");
    }

    #[test]
    fn an_endless_text_is_not_read_to_its_end() {
        assert!(read(io::repeat(b'a')).unwrap_err().message.contains("longer than"));
    }
}
