//! Whether a value is a secret or only looks like one.
//!
//! A secret is hard to guess. Words, names, paths, dates and what stands in
//! for a value in examples are not, and neither is what a program will put in
//! later. This module sees one value at a time and does not know where it was.

/// What a value has to be like before it counts as a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strength {
    /// Chosen by a person perhaps: six characters that are not just words.
    Password,
    /// Made by a machine: ten characters that look like chance.
    Token,
    /// Named in passing, without a sign that a value follows.
    Prose,
}

/// A value is judged by its first bytes; the rest is more of the same.
pub(crate) const ENOUGH: usize = 256;

/// Whether a value that a name points to is a secret.
pub(crate) fn is_secret(value: &[u8], strength: Strength) -> bool {
    if is_stand_in(value) || is_place(value, strength) {
        return false;
    }
    let letters = value.iter().any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii());
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let symbols = value.iter().any(|byte| byte.is_ascii_punctuation() && !b"-_./:,".contains(byte));
    match strength {
        Strength::Password => {
            let number = digits >= 8 && !value.contains(&b'-') && !value.contains(&b':');
            let mixed = letters && (symbols || (digits > 0 && !is_name_with_number(value)));
            let chance = letters && value.len() >= 8 && !is_wordlike(value);
            value.len() >= 6 && (number || mixed || chance)
        }
        Strength::Token => {
            let bits = entropy(value);
            value.len() >= 10
                && value.is_ascii()
                && (letters || digits >= 24)
                && bits >= 2.6
                && (digits > 0 || (value.len() >= 16 && bits >= 3.4))
                && !is_wordlike(value)
        }
        Strength::Prose => {
            value.len() >= 7
                && value.is_ascii()
                && letters
                && (digits > 0 || symbols)
                && (!is_wordlike(value) || (symbols && digits > 0))
        }
    }
}

/// Whether a value stands where a secret will be, or is one that everybody
/// knows from examples.
pub(crate) fn is_stand_in(value: &[u8]) -> bool {
    let lower = value.to_ascii_lowercase();
    let text = String::from_utf8_lossy(&lower);
    let text = text.trim();
    if text.is_empty() || is_reference(text, value) {
        return true;
    }
    const PARTS: [&str; 21] = [
        "example",
        "dummy",
        "changeme",
        "change-me",
        "change_me",
        "placeholder",
        "redacted",
        "your-",
        "your_",
        "yourapi",
        "yoursecret",
        "yourtoken",
        "yourpassword",
        "****",
        "....",
        "\u{2026}",
        "s3cr3t",
        "${",
        "{{",
        "insert-",
        "replace-me",
    ];
    // In one case only: chance puts some of both beside each other.
    let crossed_out = value.windows(5).any(|part| part == b"xxxxx" || part == b"XXXXX");
    let is_part = PARTS.iter().any(|part| text.contains(part));
    if is_part || crossed_out || is_count(&lower) || is_one_note(&lower) {
        return true;
    }
    const WORDS: [&str; 14] = [
        "test", "testing", "tests", "fake", "mock", "sample", "demo", "todo", "masked", "hidden", "foo",
        "bar", "foobar", "fixme",
    ];
    // Digits do not part words: chance puts them anywhere.
    let mut words = text.split(|next: char| !next.is_alphanumeric());
    if words.any(|word| WORDS.contains(&word.trim_end_matches(|next: char| next.is_ascii_digit()))) {
        return true;
    }
    // "password123" and its kin: a word that everybody tries first, and a number.
    const FIRST_TRIES: [&str; 49] = [
        "password",
        "passw0rd",
        "p@ssw0rd",
        "p@ssword",
        "pass",
        "pwd",
        "passwd",
        "secret",
        "mysecret",
        "token",
        "mytoken",
        "mypassword",
        "admin",
        "administrator",
        "root",
        "user",
        "username",
        "guest",
        "qwerty",
        "letmein",
        "welcome",
        "hunter",
        "abc",
        "postgres",
        "mysql",
        "mongo",
        "redis",
        "rabbitmq",
        "dev",
        "local",
        "localhost",
        "supersecret",
        "topsecret",
        "notasecret",
        "string",
        "value",
        "bearer",
        "none",
        "null",
        "nil",
        "undefined",
        "şifre",
        "parola",
        "sifre",
        "testpass",
        "testpassword",
        "testsecret",
        "testtoken",
        "testuser",
    ];
    let stem = text.trim_end_matches(|next: char| next.is_ascii_digit() || "!_-".contains(next));
    let tail = &text[stem.len()..];
    (tail.len() <= 4 && FIRST_TRIES.contains(&stem)) || matches!(text, "true" | "false" | "yes" | "no")
}

/// A variable, a call or a place in another store instead of a value.
fn is_reference(text: &str, value: &[u8]) -> bool {
    const STARTS: [&str; 30] = [
        "$(",
        "${",
        "%(",
        "{{",
        "#{",
        "<%",
        "!ref",
        "!sub",
        "!getatt",
        "!vault",
        "process.env",
        "os.environ",
        "os.getenv",
        "system.getenv",
        "import.meta.env",
        "deno.env",
        "env.",
        "env[",
        "env(",
        "env:",
        "getenv",
        "std::",
        "secrets.",
        "var.",
        "local.",
        "vault:",
        "ref+",
        "op://",
        "arn:aws",
        "data:",
    ];
    if STARTS.iter().any(|start| text.starts_with(start)) {
        return true;
    }
    let ends = |first: char, last: char| text.starts_with(first) && text.ends_with(last);
    if ends('<', '>') || ends('{', '}') || (ends('%', '%') && text.len() > 2) || (ends('[', ']')) {
        return true;
    }
    // $TOKEN and $token are variables, $eCret7 may be a password.
    let name = value.strip_prefix(b"$").unwrap_or_default();
    !name.is_empty()
        && (name.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
            || name.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_'))
}

/// An address, a path, a mail address, a version or a moment.
fn is_place(value: &[u8], strength: Strength) -> bool {
    let starts =
        |start: &[u8]| value.len() >= start.len() && value[..start.len()].eq_ignore_ascii_case(start);
    if starts(b"http://") || starts(b"https://") || starts(b"file://") {
        return true;
    }
    let path =
        starts(b"/") || starts(b"./") || starts(b"../") || starts(b"~/") || value.get(1..3) == Some(b":\\");
    let mut parts = value.split(|byte| b"/\\".contains(byte));
    // A machine may well put two slashes into a token, a person rarely does.
    if path
        && ((strength != Strength::Token && parts.clone().count() > 2)
            || parts.all(|part| part.len() < 3 || is_wordlike(part)))
    {
        return true;
    }
    if let Some(at) = value.iter().position(|byte| *byte == b'@') {
        let (user, host) = (&value[..at], &value[at + 1..]);
        let plain =
            |part: &[u8]| part.iter().all(|byte| byte.is_ascii_alphanumeric() || b".-_+".contains(byte));
        let end = host.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
        let ends_well = (2..=6).contains(&end.len()) && end.iter().all(u8::is_ascii_lowercase);
        if !user.is_empty() && host.contains(&b'.') && plain(user) && plain(host) && ends_well {
            return true;
        }
    }
    // ^1.24.3-beta.12
    let version = value.trim_ascii_start();
    let version = &version[version.iter().take_while(|byte| b"v^~=<>".contains(byte)).count()..];
    let major = version.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let minor = version.get(major + 1).is_some_and(u8::is_ascii_digit);
    if (1..=4).contains(&major) && version.get(major) == Some(&b'.') && minor && version.len() <= 40 {
        return true;
    }
    // 2026-01-31T10:00:00Z, 12:30
    let number = |byte: &u8| byte.is_ascii_digit() || b"-:.TZ+ ".contains(byte);
    value.iter().all(number) && value.iter().any(|byte| b"-:.".contains(byte))
}

/// Whether a value is made of words and a few digits.
///
/// It is split at signs, digits and capitals. A word has a vowel and no long
/// run of consonants, which pieces of random text rarely manage for long.
pub(crate) fn is_wordlike(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let numbers = value.split(|byte| !byte.is_ascii_digit()).filter(|run| !run.is_empty()).count();
    if digits > 4 || numbers > 2 || digits * 4 > value.len() {
        return false;
    }
    let (mut letters, mut in_words, mut humps, mut in_humps) = (0, 0, 0, 0);
    for piece in value.split(|byte| byte.is_ascii_digit() || byte.is_ascii_punctuation() || *byte == b' ') {
        letters += piece.len();
        in_words += words_of(piece).filter(|word| is_word(word)).map(<[u8]>::len).sum::<usize>();
        let words = words_of(piece).count();
        if words > 1 {
            humps += words;
            in_humps += piece.len();
        }
    }
    // In random text a capital comes every other letter.
    letters > 0 && in_words * 4 >= letters * 3 && in_humps * 2 >= humps * 7
}

/// The words of `camelCaseNames` and `UPPER` ones.
fn words_of(piece: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = piece;
    std::iter::from_fn(move || {
        let capitals = rest.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
        let smalls = rest[capitals..].iter().take_while(|byte| !byte.is_ascii_uppercase()).count();
        // In JSONServer the S belongs to the second word.
        let length = match (capitals, smalls) {
            (0, _) | (_, 0) | (1, _) => capitals + smalls,
            _ => capitals - 1,
        };
        let (word, left) = rest.split_at(length);
        rest = left;
        (!word.is_empty()).then_some(word)
    })
}

fn is_word(word: &[u8]) -> bool {
    // Short words, and those of programs that have no vowel.
    const KNOWN: &str = " a an as at by db do id in io is it js k me my no of on or to ty ui us v html http https ssl \
        tls xml css sql txt cfg ssh dns tcp npm jwt rpc grpc cmd src str ctx crt csr md rs ts pwd passphrase ";
    if KNOWN.contains(&format!(" {} ", String::from_utf8_lossy(word).to_ascii_lowercase())) {
        return true;
    }
    if word.len() < 3 {
        return false;
    }
    let vowel = |byte: &u8| b"aeiouyAEIOUY".contains(byte) || !byte.is_ascii();
    let longest = |of: bool| word.split(|byte| vowel(byte) != of).map(<[u8]>::len).max().unwrap_or(0);
    let lone_q = word.windows(2).any(|pair| b"qQ".contains(&pair[0]) && !b"uU".contains(&pair[1]));
    word.len() <= 16 && !lone_q && (1..=3).contains(&longest(true)) && longest(false) <= 4
}

/// `field2`, `client-7`: a word and a number as programs count things.
fn is_name_with_number(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = value.iter().take_while(|byte| byte.is_ascii_lowercase() || b"_-.".contains(byte)).count();
    digits <= 2 && letters + digits == value.len() && is_wordlike(value)
}

/// `12345678`: digits that only count.
fn is_count(value: &[u8]) -> bool {
    let next = |pair: &[u8]| pair[1] == pair[0] + 1 || pair == b"90";
    value.len() >= 4 && value.iter().all(u8::is_ascii_digit) && value.windows(2).all(next)
}

/// Almost the same character all along.
fn is_one_note(lower: &[u8]) -> bool {
    let mut seen = [false; 256];
    let body = lower.rsplit(|byte| b"_-.".contains(byte)).next().unwrap_or_default();
    body.iter().for_each(|byte| seen[usize::from(*byte)] = true);
    let kinds = seen.iter().filter(|seen| **seen).count();
    body.len() >= 6 && kinds <= 2
}

/// In bits for each character.
pub(crate) fn entropy(value: &[u8]) -> f64 {
    let mut counts = [0u32; 256];
    value.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    let all = value.len() as f64;
    let share = |count: &u32| f64::from(*count) / all;
    counts.iter().filter(|count| **count > 0).map(|count| -share(count) * share(count).log2()).sum()
}

/// What a base64 text says, if it is one.
pub(crate) fn from_base64(text: &[u8]) -> Option<Vec<u8>> {
    let (mut bits, mut held, mut bytes) = (0u32, 0, Vec::with_capacity(text.len()));
    for byte in text.iter().filter(|byte| **byte != b'=') {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(six);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stand_ins_are_known() {
        for value in [
            "",
            "your-api-key-here",
            "<token>",
            "${TOKEN}",
            "$TOKEN",
            "process.env.KEY",
            "os.environ[\"KEY\"]",
            "changeme",
            "password123",
            "test-password",
            "sk_test_4eC39HqLyjWD",
            "xxxxxxxxxxxx",
            "{{ secret }}",
            "1234567890",
            "AKIAIOSFODNN7EXAMPLE",
            "hunter2",
            "%PASSWORD%",
        ] {
            assert!(is_stand_in(value.as_bytes()), "{value}");
        }
        for value in ["kX9#mQ2pLz", "Tr0ub4dor&3", "wJq7rXUtnFEMIK7MDbPxRfiCY"] {
            assert!(!is_stand_in(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn words_are_told_from_chance() {
        for value in ["kubernetes-admin", "PasswordResetTokenProvider", "my_secret_name_1", "JSONServer"] {
            assert!(is_wordlike(value.as_bytes()), "{value}");
        }
        for value in ["kJhsTqWbnPzX", "9f86d081884c7d65", "KQ2X7ZLMPWRT", "aB3dE5gH7jK9"] {
            assert!(!is_wordlike(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn a_place_is_no_secret() {
        for value in ["/run/secrets/db_password", "https://x.io/a9", "me@company.com", "2026-01-31T10:00:00Z"]
        {
            assert!(!is_secret(value.as_bytes(), Strength::Password), "{value}");
        }
    }

    #[test]
    fn base64_is_read() {
        assert_eq!(from_base64(b"dXNlcjpwYXNz").unwrap(), b"user:pass");
        assert_eq!(from_base64(b"a b"), None);
    }
}
