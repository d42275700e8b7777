//! A text that is held against others: cut and read once, however many there
//! are.
//!
//! In which language a text is read depends on the one beside it, so each is
//! kept in both, as far as somebody asked. What two texts mean for each other
//! is not decided here.

use super::again::{says_again, says_what_is_over};
use super::likeness::{likeness_of, runs_of};
use super::reading::{Reading, read, read_words};
use super::words::{Tongue, Word, tongue_of, words_of};
use super::{Bearing, bearing_of};
use crate::Similarity;
use std::cell::OnceCell;
use std::rc::Rc;

/// A text that is held against others.
#[derive(Debug)]
pub struct Text<'t> {
    whole: Passage<'t>,
    /// What it states, where it begins with a label.
    stated: Option<Passage<'t>>,
}

impl<'t> Text<'t> {
    pub fn of(text: &'t str) -> Self {
        let stated = without_label(text);
        let labelled = stated.len() < text.len();
        Self { whole: Passage::of(text), stated: labelled.then(|| Passage::of(stated)) }
    }

    /// What it means for an older text.
    pub fn bearing_on(&self, old: &Text<'_>) -> Bearing {
        bearing_of(old.stated(), self.stated())
    }

    /// Whether it says again a value of an older text that the texts in `now`
    /// replaced, as far as they speak of it.
    pub fn says_again(&self, dead: &Text<'_>, now: &[Text<'_>]) -> bool {
        let (turkish, also) = languages_of(dead.stated(), self.stated());
        let said = &self.stated().cut(also).claims().readings;
        let dead_claims = &dead.stated().cut(turkish).claims().readings;
        let successors: Vec<&Text<'_>> =
            now.iter().filter(|now| matches!(now.bearing_on(dead), Bearing::Contradicts(_))).collect();
        dead_claims.iter().any(|dead| {
            said.iter().any(|said| {
                if successors.is_empty() {
                    return says_again(dead, said, None);
                }
                let readings = successors.iter().flat_map(|now| &now.stated().cut(also).claims().readings);
                readings.into_iter().any(|now| says_again(dead, said, Some(now)))
            })
        })
    }

    /// Whether it plainly asserts what an older text says is no longer so.
    pub fn says_what_is_over(&self, known: &Text<'_>) -> bool {
        let (turkish, also) = languages_of(known.stated(), self.stated());
        let said = &self.stated().cut(also).claims().readings;
        let over = &known.stated().cut(turkish).claims().readings;
        match (&over[..], &said[..]) {
            ([over], [said]) => says_what_is_over(over, said),
            _ => false,
        }
    }

    /// Whether it says that something is not as it was.
    pub fn tells_of_change(&self) -> bool {
        let turkish = self.stated().tongue().turkish;
        self.stated().cut(turkish).claims().readings.iter().any(|reading| reading.holding().changes)
    }

    /// How like it another text is by its words.
    pub fn likeness(&self, other: &Text<'_>) -> Similarity {
        likeness_of(self, other, |_, _| None)
    }

    pub(super) fn whole(&self) -> &Passage<'t> {
        &self.whole
    }

    fn stated(&self) -> &Passage<'t> {
        self.stated.as_ref().unwrap_or(&self.whole)
    }
}

/// "Correction: ..." says what a sentence is for, and nothing of what it is
/// about.
fn without_label(text: &str) -> &str {
    match text.split_once([':', ',']) {
        Some((label, rest)) if is_label(label.trim()) && rest.contains(char::is_alphanumeric) => {
            rest.trim_start()
        }
        _ => text,
    }
}

fn is_label(text: &str) -> bool {
    let lower = || text.chars().flat_map(char::to_lowercase);
    ["correction", "düzeltme", "duzeltme"].iter().any(|label| lower().eq(label.chars()))
}

/// What is read of a text, or all of it.
#[derive(Debug)]
pub(super) struct Passage<'t> {
    pub(super) text: &'t str,
    tongue: OnceCell<Tongue>,
    english: OnceCell<Cut<'t>>,
    turkish: OnceCell<Cut<'t>>,
}

impl<'t> Passage<'t> {
    fn of(text: &'t str) -> Self {
        Self { text, tongue: OnceCell::new(), english: OnceCell::new(), turkish: OnceCell::new() }
    }

    fn tongue(&self) -> Tongue {
        *self.tongue.get_or_init(|| tongue_of(self.text))
    }

    /// Its words, in one of the languages.
    pub(super) fn cut(&self, turkish: bool) -> &Cut<'t> {
        let kept = if turkish { &self.turkish } else { &self.english };
        kept.get_or_init(|| Cut::of(self.text, turkish))
    }
}

/// Whether each of two texts is read as Turkish. A name or a number beside a
/// Turkish text is read so, too; a whole English sentence is not.
pub(super) fn languages_of(old: &Passage<'_>, new: &Passage<'_>) -> (bool, bool) {
    let turkish = speak_turkish(old, new);
    (turkish && !old.tongue().english, turkish && !new.tongue().english)
}

/// Either of two texts being Turkish makes both be read so.
pub(super) fn speak_turkish(one: &Passage<'_>, other: &Passage<'_>) -> bool {
    one.tongue().turkish || other.tongue().turkish
}

/// A text cut into words, in one language.
#[derive(Debug)]
pub(super) struct Cut<'t> {
    text: &'t str,
    turkish: bool,
    pub(super) words: Rc<Vec<Word>>,
    runs: OnceCell<Vec<u64>>,
    claims: OnceCell<Claims>,
}

/// The sentences of a text, read.
#[derive(Debug)]
pub(super) struct Claims {
    pub(super) readings: Vec<Reading>,
    /// There are more than were read.
    pub(super) more: bool,
}

/// A text with more sentences than this is a document and no claim; the rest
/// is not looked at, and the texts are at best partly the same.
const MOST_SENTENCES: usize = 8;

impl<'t> Cut<'t> {
    fn of(text: &'t str, turkish: bool) -> Self {
        let words = Rc::new(words_of(text, turkish));
        Self { text, turkish, words, runs: OnceCell::new(), claims: OnceCell::new() }
    }

    /// The letters that follow each other in it.
    pub(super) fn runs(&self) -> &[u64] {
        self.runs.get_or_init(|| runs_of(&self.words))
    }

    pub(super) fn claims(&self) -> &Claims {
        self.claims.get_or_init(|| {
            let sentences = sentences_of(self.text);
            let more = sentences.len() > MOST_SENTENCES;
            let read_one = |sentence: &str| {
                if sentence.len() == self.text.len() {
                    read_words(sentence, self.words.clone(), self.turkish)
                } else {
                    read(sentence, self.turkish)
                }
            };
            let readings = sentences.into_iter().take(MOST_SENTENCES).map(read_one).collect();
            Claims { readings, more }
        })
    }
}

/// The sentences of a text. A stop inside a name or a number ends nothing.
pub(crate) fn sentences_of(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut from = 0;
    let mut marks = text.char_indices().peekable();
    while let Some((at, mark)) = marks.next() {
        let ends = match mark {
            '\n' | ';' => true,
            '.' | '!' | '?' => marks.peek().is_some_and(|(_, next)| next.is_whitespace()),
            _ => false,
        };
        if ends {
            let end = at + mark.len_utf8();
            sentences.push(&text[from..end]);
            from = end;
        }
    }
    sentences.push(&text[from..]);
    let said: Vec<&str> =
        sentences.into_iter().filter(|sentence| sentence.chars().any(char::is_alphanumeric)).collect();
    if said.is_empty() { vec![text] } else { said }
}
