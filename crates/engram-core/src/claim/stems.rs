//! The stems of words, English and Turkish.
//!
//! A stem here only has to be the same for two forms of one word; it need not
//! be a word. What a word means is not known here.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What the end of a word tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stem {
    pub(super) text: String,
    /// A Turkish verb in the negative.
    pub(super) negative: bool,
    /// A Turkish verb that says "I" or "we".
    pub(super) first_person: bool,
}

impl Stem {
    fn plain(text: String) -> Self {
        Self { text, negative: false, first_person: false }
    }
}

/// Whether a folded word is a name, a number or a path: nothing that has other
/// forms.
pub(super) fn is_literal(folded: &str) -> bool {
    folded.chars().any(|mark| !mark.is_alphabetic())
}

/// The stem of a folded word.
pub(super) fn stem_of(word: &str, turkish: bool) -> Stem {
    if is_literal(word) {
        return Stem::plain(word.trim_start_matches("./").to_owned());
    }
    if !turkish {
        return Stem::plain(english_stem(word));
    }
    for (ending, (negative, first_person)) in STRONG_ENDINGS.of(word) {
        if let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() >= 2) {
            return Stem { text: stem.to_owned(), negative: *negative, first_person: *first_person };
        }
    }
    Stem::plain(turkish_noun(word).to_owned())
}

/// The stem of the last word of a Turkish sentence, where the verb stands:
/// forms that are nouns elsewhere are verbs here.
pub(super) fn last_verb_of(word: &str) -> Option<Stem> {
    for (ending, first_person) in WEAK_ENDINGS.of(word) {
        if let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() >= 2) {
            return Some(Stem { text: stem.to_owned(), negative: false, first_person: *first_person });
        }
    }
    // "I do not".
    let denied = word.strip_suffix("mam").or_else(|| word.strip_suffix("mem"));
    if let Some(root) = denied.filter(|root| root.len() >= 2 && !matches!(*root, "ta" | "ha" | "za")) {
        return Some(Stem { text: root.to_owned(), negative: true, first_person: true });
    }
    // "Do not": a bare -ma after the root of a verb that people give orders with.
    let root = word.strip_suffix("ma").or_else(|| word.strip_suffix("me"));
    let root = root.filter(|root| ORDERED.contains(root))?;
    Some(Stem { text: root.to_owned(), negative: true, first_person: false })
}

/// Whether a folded word ends as only Turkish verbs do, and as few words of
/// other languages.
pub(super) fn ends_as_turkish_verb(word: &str) -> bool {
    let told = |ending: &str| ending.len() >= 4 && word.len() >= ending.len() + 2 && word.ends_with(ending);
    STRONG_ENDINGS.of(word).iter().any(|(ending, _)| told(ending))
        || WEAK_ENDINGS.of(word).iter().any(|(ending, _)| told(ending))
}

/// Endings by their last letter, so that a word is held against few of them.
/// Those of one letter keep their order: the first that fits counts.
struct Endings<T>([Vec<(&'static str, T)>; 26]);

impl<T> Endings<T> {
    fn new(all: impl IntoIterator<Item = (&'static str, T)>) -> Self {
        let mut by_letter = [const { Vec::new() }; 26];
        for (ending, told) in all {
            if let Some(at) = last_letter(ending) {
                by_letter[at].push((ending, told));
            }
        }
        Self(by_letter)
    }

    /// Those that a word may end in.
    fn of(&self, word: &str) -> &[(&'static str, T)] {
        last_letter(word).map_or(&[], |at| &self.0[at])
    }
}

fn last_letter(word: &str) -> Option<usize> {
    let last = word.bytes().last().filter(u8::is_ascii_lowercase)?;
    Some(usize::from(last - b'a'))
}

static STRONG_ENDINGS: LazyLock<Endings<(bool, bool)>> = LazyLock::new(|| {
    Endings::new(STRONG_VERB_ENDINGS.iter().map(|(ending, denies, first)| (*ending, (*denies, *first))))
});
static WEAK_ENDINGS: LazyLock<Endings<bool>> =
    LazyLock::new(|| Endings::new(WEAK_VERB_ENDINGS.iter().copied()));
static NOUN_ENDINGS: LazyLock<Endings<()>> =
    LazyLock::new(|| Endings::new(TURKISH_NOUN_ENDINGS.iter().map(|ending| (*ending, ()))));

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

#[rustfmt::skip]
const TURKISH_NOUN_ENDINGS: &[&str] = &[
    "larinda", "lerinde", "larindan", "lerinden", "larinin", "lerinin", "larina", "lerine", "larini",
    "lerini", "daki", "deki", "taki", "teki", "ndan", "nden", "lari", "leri", "imiz", "umuz", "iniz",
    "unuz", "nda", "nde", "dan", "den", "tan", "ten", "lar", "ler", "nin", "nun", "yla", "yle", "dir",
    "dur", "tir", "tur", "da", "de", "ta", "te", "in", "un", "ya", "ye", "yi", "yu", "na", "ne", "ni",
    "nu", "si", "su", "li", "lu", "la", "le", "im", "um", "i", "u", "a", "e",
];

/// Case and number cut off again and again, as long as something is left.
fn turkish_noun(word: &str) -> &str {
    let mut stem = word;
    for _ in 0..3 {
        let cut = NOUN_ENDINGS.of(stem).iter().find_map(|(ending, ())| {
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
    let word = if word.len() >= 6 { word.strip_suffix("ly").unwrap_or(word) } else { word };
    let mut stem = word.to_owned();
    make_singular(&mut stem);
    cut_verb_ending(&mut stem);
    if stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    }
    stem
}

fn make_singular(word: &mut String) {
    if word.len() > 4 && (word.ends_with("ies") || word.ends_with("ied")) {
        word.truncate(word.len() - 3);
        word.push('y');
        return;
    }
    if let Some(left) = word.strip_suffix("es")
        && ["ch", "sh", "ss", "x", "zz"].iter().any(|end| left.ends_with(end))
    {
        word.truncate(left.len());
        return;
    }
    let plural = word.len() > 3 && !["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    if plural && word.ends_with('s') {
        word.pop();
    }
}

/// Without `ing` or `ed`, and without the letter that was doubled before it.
fn cut_verb_ending(word: &mut String) {
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
        word.truncate(left.len() - usize::from(doubled));
        return;
    }
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
