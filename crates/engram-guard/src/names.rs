//! Names that announce a secret: `password`, `api_key`, `clientSecret`.
//!
//! A name counts by its words. What stands before or after the telling word
//! can take it back: a `token_url` is an address, a `next_page_token` a place
//! in a list, and `max_tokens` a number.

use crate::judge::Strength;

/// Words that tell, in lower case, and what their values have to be like.
pub(crate) const NAMES: &[(&str, Strength)] = &[
    ("password", Strength::Password),
    ("passwd", Strength::Password),
    ("passphrase", Strength::Password),
    ("passcode", Strength::Password),
    ("pwd", Strength::Password),
    ("pass", Strength::Password),
    ("psw", Strength::Password),
    ("şifre", Strength::Password),
    ("Şifre", Strength::Password),
    ("ŞİFRE", Strength::Password),
    ("sifre", Strength::Password),
    ("parola", Strength::Password),
    ("secret", Strength::Token),
    ("token", Strength::Token),
    ("credential", Strength::Token),
    ("credentials", Strength::Token),
    ("creds", Strength::Token),
    ("api_key", Strength::Token),
    ("api-key", Strength::Token),
    ("api key", Strength::Token),
    ("apikey", Strength::Token),
    ("app_key", Strength::Token),
    ("app-key", Strength::Token),
    ("appkey", Strength::Token),
    ("application_key", Strength::Token),
    ("access_key", Strength::Token),
    ("access-key", Strength::Token),
    ("accesskey", Strength::Token),
    ("account_key", Strength::Token),
    ("accountkey", Strength::Token),
    ("admin_key", Strength::Token),
    ("auth_key", Strength::Token),
    ("auth-key", Strength::Token),
    ("authkey", Strength::Token),
    ("client_key", Strength::Token),
    ("client-key-data", Strength::Token),
    ("consumer_key", Strength::Token),
    ("deploy_key", Strength::Token),
    ("encryption_key", Strength::Token),
    ("encryption-key", Strength::Token),
    ("encryptionkey", Strength::Token),
    ("hmac_key", Strength::Token),
    ("jwt_key", Strength::Token),
    ("license_key", Strength::Token),
    ("master_key", Strength::Token),
    ("masterkey", Strength::Token),
    ("private_key", Strength::Token),
    ("private-key", Strength::Token),
    ("privatekey", Strength::Token),
    ("secret_key", Strength::Token),
    ("secret-key", Strength::Token),
    ("secretkey", Strength::Token),
    ("secretaccesskey", Strength::Token),
    ("service_key", Strength::Token),
    ("service_role_key", Strength::Token),
    ("sharedaccesskey", Strength::Token),
    ("signing_key", Strength::Token),
    ("signing-key", Strength::Token),
    ("signingkey", Strength::Token),
    ("storage_key", Strength::Token),
    ("write_key", Strength::Token),
    ("writekey", Strength::Token),
    ("auth", Strength::Token),
    ("pat", Strength::Token),
    ("sig", Strength::Token),
    ("signature", Strength::Token),
    ("sessionid", Strength::Token),
    ("session_id", Strength::Token),
    ("phpsessid", Strength::Token),
    ("jsessionid", Strength::Token),
    ("connect.sid", Strength::Token),
];

/// Words that count only where they are a whole part of the name.
const WHOLE: [&str; 7] = ["pass", "pat", "auth", "sig", "signature", "psw", "creds"];

/// What follows a telling word and takes it back.
const TAILS: &str = " id ids name names url uri path paths file files dir type types kind field fields label hint \
    length len count size limit expiry expires expire expired expiration ttl at time date version policy rotation \
    enabled required endpoint host port status reset format prefix suffix header headers placeholder regex pattern \
    strength class provider store service input error errors message title description ref arn algorithm alg usage \
    used budget window index position offset set stream tree kinds scope scopes issuer audience method \
    location lifetime validity in duration seconds minutes days max min bytes iter start end pos span cost price ";

/// What precedes a telling word and takes it back.
const HEADS: &str = " public page next previous prev continuation sync cache max min num total input output prompt \
    completion no without hide show reset forgot cancellation cancel eos bos pad unk special stop lex parse parser \
    peek current last first cursor per of syntax css design lock fencing allow placeholder reasoning cached string ";

/// No name goes further than this around its telling word, in bytes.
const LONGEST: usize = 80;

/// A name that announces a secret.
pub(crate) struct Name {
    /// Where the whole name begins and ends.
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) strength: Strength,
    /// Only `=` announces a value: these names are in every log.
    pub(crate) needs_equals: bool,
    /// A word that means many things; its value has to be set apart clearly.
    pub(crate) is_common: bool,
}

/// The name around the telling word at `start..end`, if it announces a secret.
pub(crate) fn name_around(text: &[u8], start: usize, end: usize, word: usize) -> Option<Name> {
    let (spelling, strength) = NAMES[word];
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.$".contains(byte);
    let first = start - text[..start].iter().rev().take(LONGEST).take_while(|byte| part(byte)).count();
    let mut last = end + text[end..].iter().take(LONGEST).take_while(|byte| part(byte)).count();
    if start - first == LONGEST || last - end == LONGEST {
        return None;
    }
    // "my password." ends a sentence, "token..." too.
    while last > end && b".-$".contains(&text[last - 1]) {
        last -= 1;
    }
    let (head, tail) = (&text[first..start], &text[end..last]);
    // Turkish puts endings to a word, and -le begins another one: encryption.
    let turkish = spelling.starts_with(['ş', 'Ş']) || matches!(spelling, "sifre" | "parola");
    let ending =
        turkish && tail.len() <= 6 && tail.iter().all(u8::is_ascii_lowercase) && !tail.starts_with(b"l");
    if !ending && tail.first().is_some_and(|next| continues(text[end - 1], *next)) {
        return None;
    }
    let whole = head.last().is_none_or(|byte| !byte.is_ascii_alphanumeric());
    if WHOLE.contains(&spelling) && !(whole && tail.is_empty()) {
        return None;
    }
    let says = |list: &str, word: &[u8]| {
        let word = String::from_utf8_lossy(word).to_ascii_lowercase();
        !word.is_empty() && list.contains(&format!(" {word} "))
    };
    if parts(tail).any(|part| says(TAILS, part)) || parts(head).last().is_some_and(|part| says(HEADS, part)) {
        return None;
    }
    let needs_equals = matches!(spelling, "sig" | "signature" | "sessionid" | "session_id" | "connect.sid")
        || spelling.ends_with("sessid")
        || spelling.ends_with("sessionid");
    if matches!(spelling, "sig" | "signature") && !(first > 0 && b"?&;".contains(&text[first - 1])) {
        return None;
    }
    let is_common = WHOLE.contains(&spelling);
    Some(Name { start: first, end: last, strength, needs_equals, is_common })
}

/// Whether a word goes on: `tokenizer`, `TOKENS`, but not `tokenValue`.
fn continues(last: u8, next: u8) -> bool {
    next.is_ascii_lowercase() || (next.is_ascii_uppercase() && last.is_ascii_uppercase())
}

/// The words of a name, at signs and capitals.
fn parts(name: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    let splits = (1..name.len()).filter(|at| {
        let (before, here) = (name[at - 1], name[*at]);
        !before.is_ascii_alphanumeric()
            || !here.is_ascii_alphanumeric()
            || (here.is_ascii_uppercase() && before.is_ascii_lowercase())
    });
    let ends: Vec<usize> = std::iter::once(0).chain(splits).chain([name.len()]).collect();
    let pieces: Vec<&[u8]> = ends.windows(2).map(|pair| &name[pair[0]..pair[1]]).collect();
    pieces.into_iter().filter(|piece| piece.iter().any(u8::is_ascii_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn announces(name: &str) -> bool {
        let lower = name.to_ascii_lowercase();
        (0..NAMES.len()).any(|word| {
            lower.match_indices(&NAMES[word].0.to_ascii_lowercase()).any(|(start, found)| {
                name_around(name.as_bytes(), start, start + found.len(), word).is_some()
            })
        })
    }

    #[test]
    fn names_of_secrets_are_known() {
        for name in [
            "password",
            "DB_PASSWORD",
            "db.password",
            "apiKey",
            "x-api-key",
            "clientSecret",
            "AWS_SECRET_ACCESS_KEY",
            "_authToken",
            "tokenValue",
            "GITHUB_TOKEN",
            "db_pass",
            "AccountKey",
            "TOKEN_2",
        ] {
            assert!(announces(name), "{name}");
        }
    }

    #[test]
    fn names_of_other_things_are_not() {
        for name in [
            "tokenizer",
            "max_tokens",
            "token_url",
            "nextPageToken",
            "publicKey",
            "secretary",
            "compass",
            "author",
            "password_file",
            "secretName",
            "tokenType",
            "aws_access_key_id",
            "cancellationToken",
            "design-token",
        ] {
            assert!(!announces(name), "{name}");
        }
    }
}
