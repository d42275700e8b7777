//! The words of a claim: cut, folded and brought to their stems.
//!
//! Code stays in one piece (`config/`, `v1.2`, `make-it.sh`), a Turkish ending
//! after an apostrophe is kept beside its word, an English `n't` becomes a word
//! of its own. A word brings along what the lists say of it; what that means
//! for a claim is not known here.

use super::known::{Known, Mark, known};
use super::lists::Entry;
use super::stems::{Stem, ends_as_turkish_verb, is_literal, last_verb_of, stem_of};
use crate::ask::speech::{Language, fold_into, language_of};

/// One word of a claim.
#[derive(Debug, Clone)]
pub(super) struct Word {
    /// As it was written, without punctuation and grammar.
    pub(super) shown: String,
    pub(super) folded: String,
    pub(super) stem: String,
    /// A Turkish ending after an apostrophe, folded; empty without one.
    pub(super) ending: String,
    /// A Turkish verb in the negative.
    pub(super) negative: bool,
    /// A Turkish verb whose ending says "I" or "we".
    pub(super) first_person: bool,
    /// It says how rather than what.
    pub(super) small: bool,
    /// Whether a comma, a colon or the like stands before it.
    pub(super) after_pause: bool,
    /// A name, a number or a path: nothing that has other forms.
    literal: bool,
    /// The letters of its spelling.
    pub(super) letters: usize,
    /// What the lists say of its spelling, and of its stem.
    known: &'static Known,
    known_stem: &'static Known,
}

impl Word {
    /// Whether its spelling is in a list.
    pub(super) fn is(&self, mark: Mark) -> bool {
        self.known.is(mark)
    }

    /// Whether its stem is in a list.
    pub(super) fn stem_is(&self, mark: Mark) -> bool {
        self.known_stem.is(mark)
    }

    pub(super) fn known(&self) -> &'static Known {
        self.known
    }

    pub(super) fn by_spelling(&self) -> Entry<'_> {
        Entry { spelling: &self.folded, known: self.known }
    }

    pub(super) fn by_stem(&self) -> Entry<'_> {
        Entry { spelling: &self.stem, known: self.known_stem }
    }

    /// A name, a number or a path: nothing that has other forms.
    pub(super) fn is_literal(&self) -> bool {
        self.literal
    }

    pub(super) fn is_number(&self) -> bool {
        let figures = self.folded.trim_start_matches('v');
        figures.starts_with(|first: char| first.is_ascii_digit())
            && figures.chars().all(|mark| mark.is_ascii_digit() || matches!(mark, '.' | ',' | '-' | 'x'))
    }

    /// A number with two joints, or one after a `v`: a release, not a count.
    pub(super) fn is_version(&self) -> bool {
        let figures = self.folded.trim_start_matches('v');
        self.is_number() && (figures.len() < self.folded.len() || figures.matches('.').count() >= 2)
    }
}

/// What languages a text may be in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tongue {
    /// It is to be read as Turkish.
    pub(super) turkish: bool,
    /// It is an English sentence: no Turkish, and a small word that is no word
    /// of Turkish.
    pub(super) english: bool,
}

/// What languages a text is in. The endings tell it as well as the small words
/// do, because a fact about code has few of those.
pub(super) fn tongue_of(text: &str) -> Tongue {
    let (mut english, mut turkish) = (0, 0);
    let mut sentence = false;
    let mut piece = String::new();
    for written in text.split_whitespace() {
        piece.clear();
        fold_onto(&mut piece, written.trim_matches(|mark: char| !mark.is_alphanumeric()));
        let known = known(&piece);
        english += usize::from(known.is(Mark::OnlyEnglish));
        turkish += usize::from(known.is(Mark::OnlyTurkish));
        turkish += usize::from(match text_and_ending(&piece) {
            Some((_, ending)) => TURKISH_ENDINGS.contains(&ending),
            None => ends_as_turkish_verb(&piece),
        });
        sentence |= known.is(Mark::SmallEnglish) && !known.is(Mark::SmallTurkish) && !known.is(Mark::InBoth);
    }
    let letters = || text.contains(['ç', 'ğ', 'ı', 'ö', 'ş', 'ü', 'Ç', 'Ğ', 'İ', 'Ö', 'Ş', 'Ü']);
    let turkish = turkish > english || english == 0 && (letters() || language_of(text) == Language::Turkish);
    Tongue { turkish, english: sentence && !turkish }
}

/// Small words that only one of the two languages has.
#[rustfmt::skip]
pub(super) const ONLY_ENGLISH: &[&str] = &[
    "the", "is", "are", "was", "were", "of", "and", "we", "it", "to", "with", "from", "our", "they",
];
#[rustfmt::skip]
pub(super) const ONLY_TURKISH: &[&str] = &[
    "bir", "ve", "ile", "icin", "artik", "yerine", "degil", "yok", "biz", "bizim", "olarak", "daha", "hic",
    "asla", "sadece", "ayrica", "simdi", "uzerinde", "calisir", "tercih", "kadar", "her",
];
/// Small words of English that are words of Turkish.
pub(super) const IN_BOTH: &[&str] = &["at", "on", "an", "in", "am", "us", "one", "out", "of"];

/// Endings of Turkish nouns after an apostrophe.
#[rustfmt::skip]
const TURKISH_ENDINGS: &[&str] = &[
    "da", "de", "ta", "te", "dan", "den", "tan", "ten", "a", "e", "ya", "ye", "i", "u", "yi", "yu", "in",
    "un", "nin", "nun", "la", "le", "yla", "yle", "dir", "tir", "daki", "deki", "taki", "teki", "lar",
    "ler", "ini", "lari", "leri", "na", "ne", "si", "su",
];

/// Cuts a text into words. A text longer than this is not one claim; what is
/// beyond is left out.
const MOST_WORDS: usize = 120;

pub(super) fn words_of(text: &str, turkish: bool) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut pause = false;
    for piece in text.split(|mark: char| mark.is_whitespace() || matches!(mark, '—' | '→' | '`' | '"')) {
        for piece in cut_at_signs(piece) {
            let opening =
                piece.trim_start_matches(|mark: char| !is_of_word(mark) && !matches!(mark, '.' | '/' | '~'));
            let core = opening.trim_end_matches(|mark: char| !is_of_word(mark) && mark != '/');
            let core = if core.starts_with("..") && !core.starts_with("../") {
                core.trim_start_matches('.')
            } else {
                core
            };
            let core = if core.chars().any(is_of_word) { core } else { "" };
            if core.is_empty() {
                pause |= !piece.is_empty();
                continue;
            }
            pause |= opening.len() < piece.len();
            push(&mut words, core, turkish, pause);
            pause = opening.len() > core.len() && opening.ends_with([',', ';', ':', '.', ')', '!', '?']);
        }
        if words.len() >= MOST_WORDS {
            words.truncate(MOST_WORDS);
            break;
        }
    }
    if turkish && let Some(last) = words.last_mut() {
        read_last_verb(last);
    }
    words
}

fn is_of_word(mark: char) -> bool {
    mark.is_alphanumeric() || mark == '_'
}

/// `timeout=30` is a key and its value. What is left of the three is empty.
fn cut_at_signs(piece: &str) -> [&str; 3] {
    match piece.split_once('=') {
        Some((key, value)) if !key.is_empty() && !value.is_empty() && !value.contains('=') => {
            [key, "=", value]
        }
        _ => [piece, "", ""],
    }
}

fn push(words: &mut Vec<Word>, written: &str, turkish: bool, after_pause: bool) {
    let mut lower = String::with_capacity(written.len());
    fold_onto(&mut lower, written);
    let (mut shown, mut base, mut ending, mut not) = (written, lower.as_str(), "", false);
    if let Some((before, after)) = text_and_ending(&lower) {
        let cut = written.find(['\'', '’']).unwrap_or(written.len());
        if after == "t" && before.ends_with('n') {
            (base, not) = (english_before_not(before), true);
            shown = base_of_shown(written, base);
        } else if after.chars().all(char::is_alphabetic) && after.len() <= LONGEST_ENDING {
            (shown, base, ending) = (&written[..cut], before, after);
        }
    } else if !turkish && let Some(before) = unmarked_not(&lower) {
        (base, not) = (before, true);
        shown = base_of_shown(written, base);
    }
    let mut said = known(base);
    if let Some(figure) = said.figure {
        (base, said) = (figure, known(figure));
    }
    let stem = stem_of(base, turkish && ending.is_empty());
    let known_stem = if stem.text == base { said } else { known(&stem.text) };
    let (literal, letters, ending) = (is_literal(base), base.chars().count(), ending.to_owned());
    words.push(Word {
        shown: shown.to_owned(),
        folded: if base == lower { lower } else { base.to_owned() },
        stem: stem.text,
        ending,
        negative: stem.negative,
        first_person: stem.first_person,
        small: said.is(if turkish { Mark::SmallTurkish } else { Mark::SmallEnglish }),
        after_pause,
        literal,
        letters,
        known: said,
        known_stem,
    });
    if not {
        words.push(not_word());
    }
}

/// The word that `n't` stands for.
fn not_word() -> Word {
    let not = "not";
    Word {
        shown: not.to_owned(),
        folded: not.to_owned(),
        stem: not.to_owned(),
        ending: String::new(),
        negative: false,
        first_person: false,
        small: true,
        after_pause: false,
        literal: false,
        letters: not.len(),
        known: known(not),
        known_stem: known(not),
    }
}

/// The last word of a Turkish sentence is its verb.
fn read_last_verb(last: &mut Word) {
    if last.is_literal() || !last.ending.is_empty() || last.negative {
        return;
    }
    if let Some(Stem { text, negative, first_person }) = last_verb_of(&last.folded) {
        last.known_stem = known(&text);
        (last.stem, last.negative, last.first_person) = (text, negative, first_person);
    }
}

/// Letters after an apostrophe that are still grammar: `Actions'ındakiler`.
const LONGEST_ENDING: usize = 9;

fn text_and_ending(folded: &str) -> Option<(&str, &str)> {
    folded.split_once(['\'', '’']).filter(|(before, after)| !before.is_empty() && !after.is_empty())
}

fn english_before_not(before: &str) -> &str {
    match before {
        "can" => "can",
        "won" => "will",
        "shan" => "shall",
        _ => before.strip_suffix('n').unwrap_or(before),
    }
}

/// `cannot`, and what people type without the apostrophe.
fn unmarked_not(lower: &str) -> Option<&str> {
    match lower {
        "cannot" | "cant" => Some("can"),
        "wont" => Some("will"),
        "dont" | "doesnt" | "didnt" | "isnt" | "arent" | "wasnt" | "werent" | "hasnt" | "havent"
        | "shouldnt" | "mustnt" => lower.strip_suffix("nt"),
        _ => None,
    }
}

fn base_of_shown<'t>(written: &'t str, base: &str) -> &'t str {
    written.get(..base.len()).unwrap_or(written)
}

/// Lower case without Turkish letters and accents; apostrophes stay.
fn fold_onto(folded: &mut String, text: &str) {
    for mark in text.chars() {
        if matches!(mark, '\'' | '’') { folded.push('\'') } else { fold_into(folded, mark) }
    }
}

/// The figures of numbers that are spelled out, in either language. `one` and
/// `bir` are articles more often than counts and stay words.
#[rustfmt::skip]
pub(super) const NUMBERS: &[(&str, &str)] = &[
    ("zero", "0"), ("sifir", "0"), ("two", "2"), ("iki", "2"), ("three", "3"), ("uc", "3"),
    ("four", "4"), ("dort", "4"), ("five", "5"), ("six", "6"), ("alti", "6"), ("seven", "7"),
    ("bes", "5"), ("yedi", "7"), ("eight", "8"), ("sekiz", "8"), ("nine", "9"), ("dokuz", "9"),
    ("ten", "10"), ("eleven", "11"), ("twelve", "12"),
];
