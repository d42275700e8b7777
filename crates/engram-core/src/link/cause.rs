//! Where a text says why.
//!
//! A word of cause parts a text into the reason and what it explains; which of
//! the two stands first depends on the word. Whether anything else speaks of
//! either is not known here.

use crate::ask::speech::{Word, begins, words_of};

/// The two sides of a word of cause. Either may be empty, where the text leaves
/// it to what was said before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Said<'t> {
    pub(super) cause: &'t str,
    pub(super) effect: &'t str,
}

/// The reason stands behind these. They are tried first: "caused by" begins
/// like "caused".
const BEFORE_CAUSE: &[&str] = &[
    "as a result of",
    "because of",
    "because",
    "caused by",
    "due to",
    "owing to",
    "thanks to",
    "cunku",
    "sebebi",
    "nedeni",
];

/// The reason stands before these.
const AFTER_CAUSE: &[&str] = &[
    "as a result",
    "causes|caused",
    "leads|led to",
    "results|resulted in",
    "thats why",
    "that is why",
    "which is why",
    "therefore",
    "yuzunden",
    "sayesinde",
    "nedeniyle",
    "sebebiyle",
    "dolayi",
    "dolayisiyla",
    "bu|o yuzden",
    "bu|o nedenle",
    "bu|o sebeple",
];

/// What makes a word of cause deny the cause.
const DENYING: &[&str] = &["not", "isnt", "wasnt", "never", "degil"];

/// The reason and the effect of which the text speaks, by its first word of
/// cause.
pub(super) fn cause_in(text: &str) -> Option<Said<'_>> {
    let words = words_of(text);
    (0..words.len()).find_map(|at| said_at(text, &words, at))
}

fn said_at<'t>(text: &'t str, words: &[Word], at: usize) -> Option<Said<'t>> {
    let said = |phrases: &[&str]| {
        let phrase = phrases.iter().find(|phrase| begins(&words[at..], phrase))?;
        Some(phrase.split(' ').count())
    };
    let parted = |length: usize| {
        let denies = |word: Option<&Word>| word.is_some_and(|word| DENYING.contains(&word.folded.as_str()));
        let denied = denies(at.checked_sub(1).map(|at| &words[at])) || denies(words.get(at + length));
        (!denied).then(|| (&text[..words[at].at.start], &text[words[at + length - 1].at.end..]))
    };
    if let Some(length) = said(BEFORE_CAUSE) {
        let (effect, cause) = parted(length)?;
        // "Because the token expired, deploys fail": the comma parts them.
        return Some(match cause.split_once(',') {
            Some((cause, effect)) if at == 0 => Said { cause, effect },
            _ => Said { cause, effect },
        });
    }
    let (cause, effect) = parted(said(AFTER_CAUSE)?)?;
    Some(Said { cause, effect })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let bare = |side: &str| side.trim_matches([' ', ',', '.']).to_owned();
        let told = cause_in(text).map(|said| format!("{} -> {}", bare(said.cause), bare(said.effect)));
        assert_eq!(told.unwrap_or_default(), expected, "{text}");
    }

    #[test]
    fn the_reason_is_told_from_what_it_explains() {
        check("deploys fail because the token expired", "the token expired -> deploys fail");
        check("Because the token expired, deploys fail.", "the token expired -> deploys fail");
        check("the outage was caused by a full disk", "a full disk -> the outage was");
        check("a full disk caused the outage", "a full disk -> the outage");
        check("we left Redis due to its licence", "its licence -> we left Redis");
        check("the disk was full, therefore writes failed", "the disk was full -> writes failed");
        check("the slow query led to timeouts", "the slow query -> timeouts");
    }

    #[test]
    fn the_reason_is_told_in_turkish() {
        check("deploy patladı çünkü token süresi doldu", "token süresi doldu -> deploy patladı");
        check("disk yüzünden servis durdu", "disk -> servis durdu");
        check("önbellek sayesinde sayfa hızlandı", "önbellek -> sayfa hızlandı");
        check("token süresi doldu, bu yüzden deploy patladı", "token süresi doldu -> deploy patladı");
        check("lisans nedeniyle Redis'i bıraktık", "lisans -> Redis'i bıraktık");
    }

    #[test]
    fn without_a_word_of_cause_or_where_it_is_denied_nothing_is_told() {
        check("the token expired and deploys fail", "");
        check("it failed, but not because of the token", "");
        check("disk yüzünden değil", "");
        check("", "");
    }
}
