//! What a condition is about, and whether a prompt speaks of it.
//!
//! Words are held against each other by their stems; small words and verbs
//! that say nothing ("touch", "work on", "dokununca") are left out.

use super::turkish::condition_root;
use crate::ask::speech::{Language, is_small, language_of, words_of};
use crate::claim::stem_of;

/// Whether a condition is about something that can come up.
pub(super) fn names_something(condition: &str) -> bool {
    !topics_of(condition).is_empty()
}

/// Whether everything that the condition is about comes up in the prompt.
pub(super) fn comes_up(condition: &str, prompt: &str) -> bool {
    let topics = topics_that_come_up(condition, prompt);
    !topics.is_empty() && topics.iter().all(|(_, comes_up)| *comes_up)
}

/// Whether every number of it does: all else may be said in other words, but a
/// number has none.
pub(super) fn numbers_come_up(condition: &str, prompt: &str) -> bool {
    let numbered = |topic: &str| topic.contains(|mark: char| mark.is_ascii_digit());
    topics_that_come_up(condition, prompt).iter().all(|(topic, comes_up)| *comes_up || !numbered(topic))
}

fn topics_that_come_up(condition: &str, prompt: &str) -> Vec<(String, bool)> {
    let said: Vec<String> = words_of(prompt).into_iter().map(|word| word.folded).collect();
    let turkish = [condition, prompt].iter().any(|text| language_of(text) == Language::Turkish)
        || words_of(condition).iter().any(|word| condition_root(&word.folded).is_some());
    let comes_up = |topic: &str| said.iter().any(|word| is_form_of(topic, word, turkish));
    topics_of(condition).into_iter().map(|topic| (topic.clone(), comes_up(&topic))).collect()
}

/// The words that tell what a condition is about, folded.
fn topics_of(condition: &str) -> Vec<String> {
    let words = words_of(condition).into_iter().map(|word| word.folded);
    words.filter_map(|word| topic_of(&word)).collect()
}

fn topic_of(word: &str) -> Option<String> {
    if TURKISH_VERBS.iter().any(|verb| verb.len() > 4 && word.starts_with(verb)) {
        return None;
    }
    if let Some(root) = condition_root(word).or_else(|| root_beside(word)) {
        let says_nothing = TURKISH_VERBS.iter().any(|verb| root.starts_with(verb));
        // A foreign verb is made Turkish with "-la": "deploylayınca".
        let bare = root.strip_suffix("la").or_else(|| root.strip_suffix("le")).unwrap_or(root);
        return (!says_nothing).then(|| bare.to_owned());
    }
    let stem = stem_of(word, false);
    let generic = [word, stem.as_str()].iter().any(|one| GENERIC.split(' ').any(|word| word == *one));
    (!is_small(word) && !generic && word.len() > 1).then(|| word.to_owned())
}

/// The root of a verb beside "before" or "after": "etmeden önce", "bittikten
/// sonra".
fn root_beside(word: &str) -> Option<&str> {
    let before = word.strip_suffix("madan").or_else(|| word.strip_suffix("meden"));
    let after = || {
        let done = word.strip_suffix("ktan").or_else(|| word.strip_suffix("kten"))?;
        ["di", "du", "ti", "tu"].iter().find_map(|end| done.strip_suffix(end))
    };
    before.or_else(after).filter(|root| root.len() >= 2)
}

/// Whether two words are forms of one.
fn is_form_of(one: &str, other: &str, turkish: bool) -> bool {
    let (first, second) = (stem_of(one, false), stem_of(other, false));
    if first == second || is_made_from(&first, &second) || is_made_from(&second, &first) {
        return true;
    }
    if !turkish {
        return false;
    }
    let (first, second) = (stem_of(one, true), stem_of(other, true));
    let (short, long) = if first.len() < second.len() { (first, second) } else { (second, first) };
    short == long || short.len() >= 5 && long.starts_with(&short)
}

/// "Deployment" and "deploy", "migration" and "migrate".
fn is_made_from(noun: &str, verb: &str) -> bool {
    let ending = noun.strip_prefix(verb).filter(|_| verb.len() >= 5);
    ending.is_some_and(|ending| matches!(ending, "ment" | "er" | "or" | "ion" | "al" | "able"))
}

/// Verbs and words around them that say nothing of what is done, by stem.
const GENERIC: &str = "touch work get go start edit chang modify open look see us come deal handl do mak try need \
                       want begin finish complet reach hit talk speak chat meet mention discuss again next time back \
                       part stuff bit session conversation ready over around next whil actual final ever someone \
                       somebody anyone were ill well youre id weve \
                       sefer sefere seferde dahaki sonraki gelecek oturum oturumda tekrar yeniden uzerinde uzerine \
                       sonra once zaman zamani kez bir eger ile";

/// Roots of Turkish verbs that say nothing by themselves.
const TURKISH_VERBS: &[&str] = &[
    "dokun", "calis", "bak", "ac", "gec", "gel", "gid", "git", "ed", "et", "yap", "basla", "ol", "konus",
    "degis", "duzenle", "kullan", "gir", "bitir", "bit", "ugras",
];
