//! The words of a claim: cut, folded and brought to their stems.
//!
//! Code stays in one piece (`config/`, `v1.2`, `make-it.sh`), a Turkish ending
//! after an apostrophe is kept beside its word, an English `n't` becomes a word
//! of its own. A stem here only has to be the same for two forms of one word;
//! it need not be a word. What a word means is not known here.

use super::lists::is_small;
use crate::ask::speech::{Language, fold_into, language_of};
use std::collections::HashMap;
use std::sync::LazyLock;

/// One word of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
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
}

impl Word {
    /// A name, a number or a path: nothing that has other forms.
    pub(super) fn is_literal(&self) -> bool {
        self.folded.chars().any(|mark| !mark.is_alphabetic())
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

/// Whether a text is to be read as Turkish. The endings tell it as well as the
/// small words do, because a fact about code has few of those.
pub(super) fn is_turkish(text: &str) -> bool {
    let mut english = 0;
    let mut turkish = 0;
    for piece in text.split_whitespace() {
        let piece = folded(piece.trim_matches(|mark: char| !mark.is_alphanumeric()));
        english += usize::from(SMALL_ENGLISH.contains(&piece.as_str()));
        turkish += usize::from(SMALL_TURKISH.contains(&piece.as_str()));
        if let Some((_, ending)) = text_and_ending(&piece) {
            turkish += usize::from(TURKISH_ENDINGS.contains(&ending));
        } else {
            let strong = STRONG_VERB_ENDINGS.iter().map(|(ending, _, _)| *ending);
            let told = strong.chain(WEAK_VERB_ENDINGS.iter().map(|(ending, _)| *ending)).any(|ending| {
                ending.len() >= 4 && piece.len() >= ending.len() + 2 && piece.ends_with(ending)
            });
            turkish += usize::from(told);
        }
    }
    let letters = text.contains(['ç', 'ğ', 'ı', 'ö', 'ş', 'ü', 'Ç', 'Ğ', 'İ', 'Ö', 'Ş', 'Ü']);
    turkish > english || english == 0 && (letters || language_of(text) == Language::Turkish)
}

/// Whether a text is an English sentence: no Turkish, and a small word that
/// is no word of Turkish.
pub(super) fn is_english(text: &str) -> bool {
    const IN_BOTH: &[&str] = &["at", "on", "an", "in", "am", "us", "one", "out", "of"];
    let mut pieces =
        text.split_whitespace().map(|piece| folded(piece.trim_matches(|mark: char| !mark.is_alphanumeric())));
    !is_turkish(text)
        && pieces.any(|piece| {
            is_small(&piece, false) && !is_small(&piece, true) && !IN_BOTH.contains(&piece.as_str())
        })
}

/// Small words that only one of the two languages has.
#[rustfmt::skip]
const SMALL_ENGLISH: &[&str] = &[
    "the", "is", "are", "was", "were", "of", "and", "we", "it", "to", "with", "from", "our", "they",
];
#[rustfmt::skip]
const SMALL_TURKISH: &[&str] = &[
    "bir", "ve", "ile", "icin", "artik", "yerine", "degil", "yok", "biz", "bizim", "olarak", "daha", "hic",
    "asla", "sadece", "ayrica", "simdi", "uzerinde", "calisir", "tercih", "kadar", "her",
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

/// `timeout=30` is a key and its value.
fn cut_at_signs(piece: &str) -> Vec<&str> {
    match piece.split_once('=') {
        Some((key, value)) if !key.is_empty() && !value.is_empty() && !value.contains('=') => {
            vec![key, "=", value]
        }
        _ => vec![piece],
    }
}

fn push(words: &mut Vec<Word>, written: &str, turkish: bool, after_pause: bool) {
    let lower = folded(written);
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
    let base = number_word(base).unwrap_or(base);
    let (stem, negative, first_person) = stem_of(base, turkish && ending.is_empty());
    words.push(Word {
        shown: shown.to_owned(),
        folded: base.to_owned(),
        stem,
        ending: ending.to_owned(),
        negative,
        first_person,
        small: is_small(base, turkish),
        after_pause,
    });
    if not {
        let stem = "not".to_owned();
        let (shown, folded, ending) = (stem.clone(), stem.clone(), String::new());
        let (negative, first_person, after_pause) = (false, false, false);
        words.push(Word { shown, folded, stem, ending, negative, first_person, small: true, after_pause });
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
pub(super) fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for mark in text.chars() {
        if matches!(mark, '\'' | '’') { folded.push('\'') } else { fold_into(&mut folded, mark) }
    }
    folded
}

/// The figure of a number that was spelled out, in either language. `one` and
/// `bir` are articles more often than counts and stay words.
fn number_word(word: &str) -> Option<&'static str> {
    #[rustfmt::skip]
    const NUMBERS: &[(&str, &str)] = &[
        ("zero", "0"), ("sifir", "0"), ("two", "2"), ("iki", "2"), ("three", "3"), ("uc", "3"),
        ("four", "4"), ("dort", "4"), ("five", "5"), ("six", "6"), ("alti", "6"), ("seven", "7"),
        ("bes", "5"), ("yedi", "7"), ("eight", "8"), ("sekiz", "8"), ("nine", "9"), ("dokuz", "9"),
        ("ten", "10"), ("eleven", "11"), ("twelve", "12"),
    ];
    NUMBERS.iter().find(|(name, _)| *name == word).map(|(_, figure)| *figure)
}

/// The stem of a folded word, whether it is a Turkish verb in the negative, and
/// whether such a verb says "I" or "we".
pub(super) fn stem_of(word: &str, turkish: bool) -> (String, bool, bool) {
    if word.chars().any(|mark| !mark.is_alphabetic()) {
        return (word.trim_start_matches("./").to_owned(), false, false);
    }
    if turkish {
        for (ending, negative, first) in STRONG_VERB_ENDINGS {
            if let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() >= 2) {
                return (stem.to_owned(), *negative, *first);
            }
        }
        return (turkish_noun(word).to_owned(), false, false);
    }
    (english_stem(word), false, false)
}

/// The ending of the last word of a Turkish sentence, where the verb stands:
/// forms that are nouns elsewhere are verbs here.
fn read_last_verb(last: &mut Word) {
    if last.is_literal() || !last.ending.is_empty() || last.negative {
        return;
    }
    let word = last.folded.clone();
    for (ending, first) in WEAK_VERB_ENDINGS {
        if let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() >= 2) {
            last.stem = stem.to_owned();
            last.first_person = *first;
            return;
        }
    }
    // "I do not".
    let denied = word.strip_suffix("mam").or_else(|| word.strip_suffix("mem"));
    if let Some(root) = denied.filter(|root| root.len() >= 2 && !matches!(*root, "ta" | "ha" | "za")) {
        last.stem = root.to_owned();
        (last.negative, last.first_person) = (true, true);
        return;
    }
    // "Do not": a bare -ma after the root of a verb that people give orders with.
    let root = word.strip_suffix("ma").or_else(|| word.strip_suffix("me"));
    if let Some(root) = root.filter(|root| ORDERED.contains(root)) {
        last.stem = root.to_owned();
        last.negative = true;
    }
}

#[rustfmt::skip]
const ORDERED: &[&str] = &[
    "at", "kullan", "yap", "et", "calistir", "degistir", "sil", "ekle", "yaz", "dokun", "bas", "koy",
    "gonder", "ac", "kapat", "sakla", "birak", "al", "ver", "push", "tut", "guncelle", "yukle", "kur",
    "unut", "kir",
];

/// Endings that only verbs have: what they are, whether they deny, whether
/// they say "I" or "we". The longer ones stand first.
#[rustfmt::skip]
const STRONG_VERB_ENDINGS: &[(&str, bool, bool)] = &[
    ("mayacagiz", true, true), ("meyecegiz", true, true), ("mamaliyiz", true, true),
    ("memeliyiz", true, true), ("mayacagim", true, true), ("meyecegim", true, true),
    ("mayacak", true, false), ("meyecek", true, false), ("miyoruz", true, true), ("muyoruz", true, true),
    ("miyorum", true, true), ("muyorum", true, true), ("miyorlar", true, false), ("muyorlar", true, false),
    ("miyordu", true, false), ("muyordu", true, false), ("mamali", true, false), ("memeli", true, false),
    ("miyor", true, false), ("muyor", true, false), ("mayiniz", true, false), ("meyiniz", true, false),
    ("mayin", true, false), ("meyin", true, false), ("madik", true, true), ("medik", true, true),
    ("mayiz", true, true), ("meyiz", true, true), ("mazlar", true, false), ("mezler", true, false),
    ("acagiz", false, true), ("ecegiz", false, true), ("acagim", false, true), ("ecegim", false, true),
    ("maliyiz", false, true), ("meliyiz", false, true), ("maliyim", false, true), ("meliyim", false, true),
    ("iyoruz", false, true), ("uyoruz", false, true), ("iyorum", false, true), ("uyorum", false, true),
    ("iyorlar", false, false), ("uyorlar", false, false), ("iyordu", false, false),
    ("uyordu", false, false), ("iyorduk", false, true), ("uyorduk", false, true), ("iyor", false, false),
    ("uyor", false, false), ("acak", false, false), ("ecek", false, false), ("maz", true, false),
    ("mez", true, false), ("madi", true, false), ("medi", true, false),
];

#[rustfmt::skip]
const WEAK_VERB_ENDINGS: &[(&str, bool)] = &[
    ("maktadir", false), ("mektedir", false), ("mistir", false), ("mustur", false), ("malidir", false),
    ("melidir", false), ("ariz", true), ("eriz", true), ("iriz", true), ("uruz", true), ("arim", true),
    ("erim", true), ("irim", true), ("urum", true), ("dik", true), ("duk", true), ("tik", true),
    ("tuk", true), ("dim", true), ("dum", true), ("tim", true), ("tum", true), ("mali", false),
    ("meli", false), ("mis", false), ("mus", false), ("di", false), ("du", false), ("ti", false),
    ("tu", false), ("lir", false), ("lur", false), ("nir", false), ("nur", false), ("sir", false),
    ("sur", false), ("tir", false), ("tur", false), ("rar", false), ("rer", false),
];

/// Endings of Turkish nouns after an apostrophe.
#[rustfmt::skip]
pub(super) const TURKISH_ENDINGS: &[&str] = &[
    "da", "de", "ta", "te", "dan", "den", "tan", "ten", "a", "e", "ya", "ye", "i", "u", "yi", "yu", "in",
    "un", "nin", "nun", "la", "le", "yla", "yle", "dir", "tir", "daki", "deki", "taki", "teki", "lar",
    "ler", "ini", "lari", "leri", "na", "ne", "si", "su",
];

/// Case and number cut off again and again, as long as something is left.
fn turkish_noun(word: &str) -> &str {
    #[rustfmt::skip]
    const ENDINGS: &[&str] = &[
        "larinda", "lerinde", "larindan", "lerinden", "larinin", "lerinin", "larina", "lerine", "larini",
        "lerini", "daki", "deki", "taki", "teki", "ndan", "nden", "lari", "leri", "imiz", "umuz", "iniz",
        "unuz", "nda", "nde", "dan", "den", "tan", "ten", "lar", "ler", "nin", "nun", "yla", "yle", "dir",
        "dur", "tir", "tur", "da", "de", "ta", "te", "in", "un", "ya", "ye", "yi", "yu", "na", "ne", "ni",
        "nu", "si", "su", "li", "lu", "la", "le", "im", "um", "i", "u", "a", "e",
    ];
    let mut stem = word;
    for _ in 0..3 {
        let cut = ENDINGS.iter().find_map(|ending| {
            stem.strip_suffix(ending).filter(|left| left.len() >= if ending.len() > 1 { 4 } else { 3 })
        });
        match cut {
            Some(left) => stem = left,
            None => break,
        }
    }
    stem
}

fn english_stem(word: &str) -> String {
    let word = IRREGULAR_FORMS.get(word).copied().unwrap_or(word);
    let stem = if word.len() >= 6 { word.strip_suffix("ly").unwrap_or(word) } else { word };
    let mut stem = without_verb_ending(singular_of(stem));
    if stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    }
    stem
}

fn singular_of(word: &str) -> String {
    if word.len() > 4
        && let Some(left) = word.strip_suffix("ies").or_else(|| word.strip_suffix("ied"))
    {
        return format!("{left}y");
    }
    if let Some(left) = word.strip_suffix("es")
        && ["ch", "sh", "ss", "x", "zz"].iter().any(|end| left.ends_with(end))
    {
        return left.to_owned();
    }
    let plural = word.len() > 3 && !["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    word.strip_suffix('s').filter(|_| plural).unwrap_or(word).to_owned()
}

/// Without `ing` or `ed`, and without the letter that was doubled before it.
fn without_verb_ending(word: String) -> String {
    for ending in ["ing", "ed"] {
        let Some(left) = word.strip_suffix(ending) else { continue };
        let whole = left.len() >= 3 && left.contains(['a', 'e', 'i', 'o', 'u', 'y']);
        if !(whole || left.len() == 2 && ending == "ing") {
            continue;
        }
        let mut tail = left.chars().rev();
        let (last, before) = (tail.next(), tail.next());
        let doubled = last == before
            && last.is_some_and(|last| last.is_ascii_alphabetic() && !matches!(last, 'l' | 's' | 'z' | 'f'));
        return left[..left.len() - usize::from(doubled)].to_owned();
    }
    word
}

static IRREGULAR_FORMS: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let lines = IRREGULAR.iter().flat_map(|line| {
        let mut forms = line.split(' ');
        let base = forms.next().unwrap_or_default();
        forms.map(move |form| (form, base))
    });
    lines.collect()
});

/// The base form, then the forms that no rule makes.
#[rustfmt::skip]
const IRREGULAR: &[&str] = &[
    "man men", "woman women", "child children", "foot feet", "tooth teeth", "mouse mice", "goose geese",
    "person people", "knife knives", "leaf leaves", "wolf wolves", "calf calves", "loaf loaves",
    "index indices", "vertex vertices", "run ran running", "sit sat sitting", "stand stood",
    "ride rode ridden", "write wrote written", "speak spoke spoken", "eat ate eaten", "drink drank drunk",
    "swim swam swum swimming", "sing sang sung", "sleep slept", "throw threw thrown", "catch caught",
    "hold held", "hit hitting", "cut cutting", "put putting", "get got gotten getting", "go went gone goes",
    "do did done does", "have has had having", "make made making", "take took taken taking",
    "give gave given giving", "keep kept", "leave left leaving", "lie lying lay lain", "die dying",
    "tie tying", "fall fell fallen", "drive drove driven driving", "build built", "break broke broken",
    "choose chose chosen choosing", "begin began begun beginning", "buy bought", "bring brought",
    "think thought", "teach taught", "find found", "lose lost losing", "win won winning", "send sent",
    "spend spent", "feed fed", "read reading", "lead led", "meet met", "say said", "pay paid", "sell sold",
    "tell told", "see saw seen", "draw drew drawn", "grow grew grown", "know knew known", "fly flew flown",
    "wear wore worn", "tear tore torn", "shoot shot", "set setting", "let letting", "shut shutting",
    "stick stuck", "hang hung", "dig dug digging", "spin spun spinning", "climb climbing", "become became",
    "come came coming", "forget forgot forgotten", "hide hid hidden hiding", "steal stole stolen",
    "wake woke woken", "rise rose risen", "shake shook shaken shaking", "understand understood",
    "mean meant", "feel felt", "deal dealt", "ship shipped shipping", "use used uses using", "live living",
    "move moved moving", "be is are was were been being am", "log logs logged logging", "merge merging",
    "play playing plays", "dance dancing", "smile smiling", "need needed needing needs", "feed feeding",
    "swing swinging swung", "embed embedded embedding",
];
