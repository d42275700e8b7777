//! Passwords and tokens inside addresses: `scheme://user:password@host`.

use crate::judge::{self, Strength};
use std::ops::Range;

/// The secret of the address whose `://` stands at `at`.
pub(crate) fn secret_of(text: &[u8], at: usize) -> Option<Range<usize>> {
    let scheme =
        text[..at].iter().rev().take_while(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(byte));
    if scheme.count() == 0 {
        return None;
    }
    let start = at + 3;
    let stop = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`<>\\".contains(byte) || *byte < 0x20;
    let length = text[start..].iter().take(400).position(stop).unwrap_or(text[start..].len().min(400));
    let address = &text[start..start + length];
    // In several addresses in a row, the next one is not a part of this.
    let address = &address[..find(address, b"://").unwrap_or(address.len())];
    let host = address.iter().position(|byte| b"/?#".contains(byte)).unwrap_or(address.len());
    let sign = |part: &[u8]| part.iter().rposition(|byte| *byte == b'@');
    // A password may have a slash in it; then the sign comes after a colon.
    let end = sign(&address[..host]).or_else(|| {
        let colon = address[..host].iter().position(|byte| *byte == b':')?;
        let port = address[colon + 1..host].iter().all(u8::is_ascii_digit);
        let path = address.iter().position(|byte| b"?#&".contains(byte)).unwrap_or(address.len());
        (!port).then(|| sign(&address[..path])).flatten()
    })?;
    let user = &address[..end];
    let (from, value, secret) = match user.iter().position(|byte| *byte == b':') {
        Some(colon) => {
            let value = &user[colon + 1..];
            (colon + 1, value, value.len() >= 3 && !judge::is_stand_in(value) && !is_word_of_examples(value))
        }
        None => (0, user, user.len() >= 16 && judge::is_secret(user, Strength::Token)),
    };
    secret.then(|| start + from..start + from + value.len()).filter(|range| !range.is_empty())
}

/// What documents write in the place of a password.
fn is_word_of_examples(value: &[u8]) -> bool {
    matches!(
        value.to_ascii_lowercase().as_slice(),
        b"pass" | b"pw" | b"pwd" | b"password" | b"psw" | b"..." | b"***"
    )
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|window| window == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> Option<&str> {
        text.match_indices("://").find_map(|(at, _)| secret_of(text.as_bytes(), at)).map(|range| &text[range])
    }

    #[test]
    fn the_password_of_an_address_is_found() {
        assert_eq!(secret("postgres://app:kX9mQ2@db:5432/x"), Some("kX9mQ2"));
        assert_eq!(secret("see redis://:blue-horse@cache:6379/0 now"), Some("blue-horse"));
        assert_eq!(secret("mongodb+srv://app:a/b7c@cluster.net"), Some("a/b7c"));
        assert_eq!(secret("https://x:9Kd83jfLs0@git.host/a@b"), Some("9Kd83jfLs0"));
    }

    #[test]
    fn an_address_without_one_stays() {
        for text in [
            "https://host:8080/a@b",
            "ssh://git@github.com/x",
            "postgres://user:password@localhost/db",
            "://",
            "a://",
            "https://host/path?q=a@b",
            "postgres://u:${PW}@h/d",
            "https://medium.com/@someone/post",
        ] {
            assert_eq!(secret(text), None, "{text}");
        }
    }
}
