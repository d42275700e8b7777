//! Where a text says that one thing has two names.
//!
//! Only what is said outright counts: "also known as", "formerly", "for
//! short", and the same in Turkish. A name is one word here, as it is for the
//! entities of a text. Whether the two words are names at all is not known
//! here.

use crate::ask::speech::{fold, is_small};
use crate::observe::{bare, is_version};

/// What stands between a name and another name of the same thing. The longer
/// come first, because the shorter are their beginnings.
const BETWEEN: &[&[&str]] = &[
    &["also", "known", "as"],
    &["better", "known", "as"],
    &["also", "called"],
    &["aka"],
    &["a.k.a"],
    &["nam-i", "diger"],
    &["nami", "diger"],
    &["namidiger"],
];

/// The same, but only after a comma or a bracket: elsewhere these words say
/// something else ("it was formerly slow", "kısaca anlatayım").
const BETWEEN_SET_OFF: &[&[&str]] = &[
    &["formerly", "known", "as"],
    &["previously", "known", "as"],
    &["formerly", "called"],
    &["formerly"],
    &["eski", "adiyla"],
    &["kisaca"],
    &["kisaltmasi"],
];

/// So many small words may stand between a name and the phrase: "which is".
const SMALL_BETWEEN: usize = 3;

/// The pairs of a name and another name for it, in the order of the text.
pub fn alias_pairs(text: &str) -> Vec<(String, String)> {
    let words: Vec<Said<'_>> = text.split_whitespace().map(Said::of).collect();
    let mut pairs = Vec::new();
    for at in 1..words.len() {
        let Some((phrase, alias)) = phrase_at(&words, at) else { continue };
        let Some(name) = name_before(&words[..phrase]) else { continue };
        if fold(name) != fold(alias) {
            pairs.push((name.to_owned(), alias.to_owned()));
        }
    }
    pairs
}

/// A word with what tells where a phrase begins and ends.
struct Said<'t> {
    raw: &'t str,
    name: &'t str,
    plain: String,
}

impl<'t> Said<'t> {
    fn of(raw: &'t str) -> Self {
        let name = bare(raw.trim_matches('`')).trim_matches('`');
        Self { raw, name, plain: fold(name) }
    }

    fn ends_sentence(&self) -> bool {
        self.raw.trim_end_matches(['"', ')', '\'', '`']).ends_with(['.', '!', '?'])
    }
}

/// Where the phrase at this place begins, and the name that follows it.
fn phrase_at<'t>(words: &[Said<'t>], at: usize) -> Option<(usize, &'t str)> {
    let says = |phrase: &&&[&str]| {
        phrase.len() <= words.len() - at
            && phrase.iter().zip(&words[at..]).all(|(said, word)| *said == word.plain)
    };
    let set_off = words[at].raw.starts_with('(') || words[at - 1].raw.ends_with([',', '(', '/']);
    let either = ["or", "veya"].contains(&words[at - 1].plain.as_str())
        || at > 1 && words[at - 1].plain == "da" && words[at - 2].plain == "ya";
    if let Some(phrase) =
        BETWEEN.iter().find(says).or_else(|| BETWEEN_SET_OFF.iter().filter(|_| set_off || either).find(says))
    {
        return Some((at, name_after(&words[at + phrase.len()..])?));
    }
    let [or, alias, r#for, short, ..] = &words[at..] else { return None };
    let short_form = or.plain == "or" && r#for.plain == "for" && short.plain == "short";
    (short_form && is_name(alias)).then_some((at, alias.name))
}

fn is_name(word: &Said<'_>) -> bool {
    word.plain.chars().any(char::is_alphanumeric) && !is_small(&word.plain)
}

fn name_after<'t>(words: &[Said<'t>]) -> Option<&'t str> {
    words.iter().take(SMALL_BETWEEN).find(|word| is_name(word)).map(|word| word.name)
}

/// The name before a phrase, within its sentence. A version belongs to the
/// name before it.
fn name_before<'t>(words: &[Said<'t>]) -> Option<&'t str> {
    let near = words.iter().rev().take(SMALL_BETWEEN + 1).take_while(|word| !word.ends_sentence());
    near.into_iter().find(|word| is_name(word) && !is_version(word.name)).map(|word| word.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let pairs: Vec<String> =
            alias_pairs(text).into_iter().map(|(name, alias)| format!("{name}={alias}")).collect();
        assert_eq!(pairs.join(", "), expected, "{text}");
    }

    #[test]
    fn another_name_is_said_outright() {
        check("Kubernetes, also known as K8s, runs it", "Kubernetes=K8s");
        check("Kubernetes (aka K8s) runs it", "Kubernetes=K8s");
        check("the billing-api a.k.a. `ledger` is down", "billing-api=ledger");
        check("Valkey (formerly Redis) is the cache", "Valkey=Redis");
        check("Meta, formerly known as Facebook, owns it", "Meta=Facebook");
        check("PostgreSQL, or Postgres for short, is the store", "PostgreSQL=Postgres");
        check("PostgreSQL 16 is also known as Elephant", "PostgreSQL=Elephant");
        check("`load_config` (formerly `read_config`) parses it", "load_config=read_config");
    }

    #[test]
    fn another_name_is_said_in_turkish() {
        check("Kubernetes, nam-ı diğer K8s, üretimde", "Kubernetes=K8s");
        check("Kubernetes, kısaca K8s, üretimde", "Kubernetes=K8s");
        check("Kubernetes ya da kısaca K8s kullanıyoruz", "Kubernetes=K8s");
        check("Valkey (eski adıyla Redis) önbellekte", "Valkey=Redis");
        check("Valkey, eski adıyla Redis'in yerine geçti", "Valkey=Redis");
    }

    #[test]
    fn what_only_sounds_like_it_says_nothing() {
        check("it was formerly slow and is quick now", "");
        check("kısaca Redis kullanıyoruz", "");
        check("We moved. Also known as the big jump", "");
        check("redis or nats for the queue", "");
        check("Redis, also known as redis", "");
        check("also known as", "");
        check("Redis aka", "");
        check("", "");
    }
}
