//! Words of a message, made comparable, and phrases looked up among them.
//!
//! Case, Turkish letters and apostrophes make no difference here, because
//! people leave them out when they type quickly. The other modules of this
//! room write their tables in the folded spelling. What a phrase means is not
//! known here.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

/// A word: where it stands in the text, and how it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) at: Range<usize>,
    pub(crate) folded: String,
}

/// The words of a text in their order. An underscore belongs to a word, so
/// that an identifier stays one; an apostrophe does if letters follow it.
pub(crate) fn words_of(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut open: Option<Word> = None;
    let mut marks = text.char_indices().peekable();
    while let Some((at, mark)) = marks.next() {
        let end = at + mark.len_utf8();
        let letter = mark.is_alphanumeric() || mark == '_';
        let joins = is_accent(mark)
            || is_apostrophe(mark) && marks.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        match &mut open {
            Some(word) if letter || joins => {
                word.at.end = end;
                fold_into(&mut word.folded, mark);
            }
            None if letter => {
                let mut folded = String::with_capacity(16);
                fold_into(&mut folded, mark);
                open = Some(Word { at: at..end, folded });
            }
            _ => words.extend(open.take()),
        }
    }
    words.extend(open);
    words
}

pub(crate) fn is_apostrophe(mark: char) -> bool {
    matches!(mark, '\'' | '’' | 'ʼ')
}

/// A sign that sits on the letter before it, as some keyboards write ş and İ.
fn is_accent(mark: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&mark)
}

/// A text as it is compared.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    text.chars().for_each(|mark| fold_into(&mut folded, mark));
    folded
}

pub(crate) fn fold_into(folded: &mut String, mark: char) {
    if is_apostrophe(mark) || is_accent(mark) {
        return;
    }
    if mark.is_ascii() {
        folded.push(mark.to_ascii_lowercase());
        return;
    }
    for lower in mark.to_lowercase().filter(|lower| !is_accent(*lower)) {
        folded.push(match lower {
            'ı' | 'î' => 'i',
            'ş' => 's',
            'ç' => 'c',
            'ğ' => 'g',
            'ö' => 'o',
            'ü' | 'û' => 'u',
            'â' => 'a',
            other => other,
        });
    }
}

/// Whether one of the phrases is said somewhere among the words.
///
/// The phrases are parted by commas, each written as folded words with a space
/// between them. `a|b` is
/// either word, `fail*` any word that begins so, `*iyor` any word that ends so,
/// `_` any one word, `..` up to six words of any kind; `^` is the beginning of
/// the message and `$` its end.
pub(crate) fn says(words: &[Word], phrases: &str) -> bool {
    let initials =
        words.iter().filter_map(|word| word.folded.bytes().next()).fold(0, |set, letter| set | bit(letter));
    let phrases = phrases.split(',').map(|phrase| phrase.strip_prefix(' ').unwrap_or(phrase));
    phrases.filter(|phrase| may_begin(phrase, initials)).any(|phrase| match phrase.strip_prefix("^ ") {
        Some(beginning) => begins(words, beginning),
        None => (0..words.len()).any(|from| begins(&words[from..], phrase)),
    })
}

/// A letter's place in a set of letters; everything else shares one.
fn bit(letter: u8) -> u32 {
    1 << if letter.is_ascii_lowercase() { letter - b'a' } else { 26 }
}

/// Most phrases begin with a letter that no word begins with, and that is
/// quickly seen.
fn may_begin(phrase: &str, initials: u32) -> bool {
    let first = phrase.as_bytes().split(|mark| *mark == b' ').next().unwrap_or_default();
    let mut alternatives = first.split(|mark| *mark == b'|');
    alternatives.any(|one| {
        one.first().is_none_or(|letter| !letter.is_ascii_lowercase() || initials & bit(*letter) != 0)
    })
}

/// Whether the words begin with the phrase.
pub(crate) fn begins(words: &[Word], phrase: &str) -> bool {
    let (first, rest) = phrase.split_once(' ').map_or((phrase, None), |(first, rest)| (first, Some(rest)));
    let goes_on = |words: &[Word]| rest.is_none_or(|rest| begins(words, rest));
    match first {
        "$" => words.is_empty(),
        ".." => (0..=GAP.min(words.len())).any(|skipped| goes_on(&words[skipped..])),
        alternatives => words.split_first().is_some_and(|(word, after)| {
            alternatives.split('|').any(|one| is_meant(&word.folded, one)) && goes_on(after)
        }),
    }
}

/// How many words `..` may stand for: a noun with all that hangs on it.
pub(crate) const GAP: usize = 6;

fn is_meant(word: &str, pattern: &str) -> bool {
    if let Some(beginning) = pattern.strip_suffix('*') {
        word.starts_with(beginning)
    } else if let Some(ending) = pattern.strip_prefix('*') {
        word.ends_with(ending)
    } else {
        pattern == "_" || pattern == word
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Turkish,
}

/// The language whose small words prevail; English where neither does.
///
/// A word with a letter that only Turkish has counts as well. One name in an
/// English sentence does not turn it: the sentence brings more small words.
pub(crate) fn language_of(text: &str) -> Language {
    language_among(text, &words_of(text))
}

/// The same for a text whose words are known.
pub(crate) fn language_among(text: &str, words: &[Word]) -> Language {
    let (mut english, mut turkish) = (0, 0);
    for word in words {
        let its_letters = text[word.at.clone()].contains(['ı', 'ş', 'ğ', 'İ', 'Ş', 'Ğ']);
        let small = SMALL.get(word.folded.as_str());
        english += usize::from(small == Some(&Some(Language::English)));
        turkish += usize::from(its_letters || small == Some(&Some(Language::Turkish)));
    }
    if turkish > english { Language::Turkish } else { Language::English }
}

/// Whether the word says what is spoken of, rather than how.
pub(crate) fn is_content(word: &Word) -> bool {
    !is_small(&word.folded)
}

/// The words that tell what is asked. Those that speak of the asking itself, or
/// of the talk that is asked about, nobody expects in the answer; they tell
/// something only where nothing else does. Small words never do.
pub fn telling<'w>(words: impl Iterator<Item = &'w str>) -> Vec<&'w str> {
    let content: Vec<&str> = words.filter(|word| words_of(word).iter().any(is_content)).collect();
    let of_asking = |word: &&str| says(&words_of(word), OF_ASKING);
    let subjects: Vec<&str> = content.iter().copied().filter(|word| !of_asking(word)).collect();
    if subjects.is_empty() { content } else { subjects }
}

/// Whether a folded word is in every text, whatever it is about.
pub(crate) fn is_small(folded: &str) -> bool {
    SMALL.contains_key(folded)
}

/// Whether a folded word is a small one of English.
pub(crate) fn is_english(folded: &str) -> bool {
    SMALL.get(folded) == Some(&Some(Language::English))
}

/// The small words of both languages, with the language that they tell.
static SMALL: LazyLock<HashMap<&'static str, Option<Language>>> = LazyLock::new(|| {
    let untelling = TURKISH_UNTELLING.iter().map(|word| (*word, None));
    let turkish = TURKISH.iter().map(|word| (*word, Some(Language::Turkish)));
    let english = ENGLISH.iter().map(|word| (*word, Some(Language::English)));
    untelling.chain(turkish).chain(english).collect()
});

pub(crate) fn count_content(words: &[Word]) -> usize {
    words.iter().filter(|word| is_content(word)).count()
}

/// English words that are in every question, whatever it is about.
#[rustfmt::skip]
const ENGLISH: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "thats", "there", "here", "i", "me", "my", "mine",
    "im", "ive", "id", "we", "us", "our", "ours", "you", "your", "yours", "he", "him", "his", "she", "her",
    "hers", "it", "its", "they", "them", "their", "theirs", "what", "whats", "which", "who", "whos", "whom",
    "whose", "when", "where", "wheres", "why", "how", "hows", "is", "are", "was", "were", "be", "been",
    "being", "am", "isnt", "arent", "wasnt", "do", "does", "did", "done", "doing", "dont", "doesnt",
    "didnt", "have", "has", "had", "having", "will", "would", "shall", "should", "can", "could", "cant",
    "may", "might", "must", "to", "of", "in", "at", "by", "for", "with", "from", "about", "into", "over",
    "under", "after", "before", "during", "between", "through", "on", "and", "or", "but", "if", "then",
    "than", "as", "so", "not", "no", "yes", "also", "too", "just", "only", "very", "please", "up", "out",
    "off", "again", "any", "some", "all", "both", "each", "more", "most", "other", "else", "such", "same",
    "own", "now", "get", "got", "tell", "know", "think", "mean", "want", "let", "lets", "right", "sure",
    "ok", "okay", "well", "thing", "things", "something", "anything", "everything", "good", "many", "much",
    "go", "say", "said", "make", "sense", "use", "one", "ones", "really", "still", "sound", "sounds",
    "correct", "true", "need", "give", "show", "explain", "thoughts", "like", "actually", "exactly", "even",
    "maybe", "back", "next", "first", "last", "today", "tomorrow", "yesterday", "start", "begin", "hi",
    "hey", "hello", "oh", "two", "three", "great", "been", "manage", "look", "help", "happen", "made",
    "remember", "remind",
];

/// Turkish words of the same sort.
#[rustfmt::skip]
const TURKISH: &[&str] = &[
    "bir", "bu", "su", "sen", "biz", "siz", "onlar", "bana", "sana", "bize", "benim", "senin", "bizim",
    "ve", "veya", "ile", "icin", "gibi", "ama", "fakat", "cok", "daha", "mi", "misin", "musun", "miyiz",
    "muyuz", "miyim", "muyum", "midir", "mudur", "miydi", "muydu", "nedir", "neydi", "neler", "neyi",
    "neden", "niye", "nicin", "nasil", "nasildi", "nerede", "nerde", "neresi", "nereye", "nereden",
    "nerden", "nerededir", "kimin", "kime", "kimi", "kimdir", "kimler", "hangi", "hangisi", "kac", "kaci",
    "kacinci", "yok", "olan", "olarak", "olur", "oldu", "ise", "diye", "kadar", "sonra", "once", "sey",
    "seyi", "bunu", "sunu", "onu", "bunun", "onun", "buna", "ona", "simdi", "lutfen", "peki", "ayrica",
    "acaba", "zaman", "hakkinda", "miyor", "soyle", "soyler", "anlat", "goster", "ediyoruz", "yapiyoruz",
    "etmeliyim", "yapmaliyim",
];

/// Words of the asking, in both languages.
const OF_ASKING: &str = "ask|asked|asking, answer|answers|answered, bring|brought|bringing, \
    chat|chats|chatted, clarify, confirm|confirmed, conversation|conversations, describe|described, \
    detail|details, discuss|discussed|discussing|discussion|discussions, exchange|exchanges, \
    list|listed|listing, mention|mentioned|mentions, message|messages, name|names, order, outline|outlined, \
    overview, previous|previously|earlier, provide|provided, question|questions, \
    recall|recap|recapped, refer|referred|referring, remembered|reminded, request|requested, \
    say|says|saying, share|shared, speak|spoke|spoken, summarise|summarize|summarised|summarized, \
    summary|summaries, talk|talked|talking|talks, telling|told, thinking|thought, throughout, \
    walk, wonder|wondered|wondering, \
    sor|sordum|sordugum|sorduk|soru*, cevap*, yanit*, konustu*|konusma*, bahset*|bahsett*, ozet*, listele*, \
    siralar*|sirala, acikla*, hatirla*|hatirlat*, soyledi*|soyledig*, mesaj*, sohbet*, anlatt*, detay*, ayrinti*";

/// Turkish small words that are something else elsewhere (a name, a keyword of
/// a programming language), so that they do not tell the language.
const TURKISH_UNTELLING: &[&str] =
    &["o", "de", "da", "en", "var", "vardi", "ben", "ne", "mu", "ya", "kim", "her", "ki"];

/// Words that make a Turkish sentence a question, wherever they stand.
#[rustfmt::skip]
pub(crate) const TURKISH_ASKING: &[&str] = &[
    "ne", "nedir", "neydi", "neler", "neyi", "neden", "niye", "nicin", "nasil", "nerede", "nerde", "neresi",
    "nereye", "nereden", "nerden", "nerededir", "kim", "kimin", "kime", "kimi", "kimdir", "kimler", "hangi",
    "hangisi", "kac", "kaci", "kacta", "kacinci", "mi", "mu", "misin", "musun", "misiniz", "musunuz",
    "miyiz", "muyuz", "miyim", "muyum", "midir", "mudur", "miydi", "muydu", "miydik", "muyduk",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        words_of(text).into_iter().map(|word| word.folded).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn letters_case_and_apostrophes_make_no_difference() {
        for (text, expected) in [
            ("What's the ISSUE?", "whats the issue"),
            ("İstanbul'daki ŞİFRE ışık", "istanbuldaki sifre isik"),
            ("s\u{327}ifre I\u{307}ki", "sifre iki"),
            ("snake_case foo::bar() main.rs", "snake_case foo bar main rs"),
            ("the users' 'quoted' word", "the users quoted word"),
            ("🙂 ... ?", ""),
        ] {
            assert_eq!(folded(text), expected, "{text}");
        }
    }

    #[test]
    fn a_phrase_may_leave_words_open() {
        for (text, phrase, expected) in [
            ("so how do I deploy", "how do i", true),
            ("so how do I deploy", "^ how do i", false),
            ("what is redis", "^ what is _ $", true),
            ("what is redis for", "^ what is _ $", false),
            ("does the new user like tea", "does .. like", true),
            ("does the user we met at the fair like tea", "does .. like", false),
            ("two failures", "error|fail*", true),
            ("nginx calisiyor", "nginx *iyor", true),
            ("", "_", false),
        ] {
            assert_eq!(says(&words_of(text), phrase), expected, "{text} / {phrase}");
        }
    }

    #[test]
    fn words_of_the_asking_tell_something_only_alone() {
        for (question, expected) in [
            ("can you remind me of the staging key", "staging key"),
            ("list the messages about redis", "redis"),
            ("please summarize", "summarize"),
            ("what should we do next", ""),
            ("staging anahtarını özetle", "staging anahtarını"),
        ] {
            assert_eq!(telling(question.split(' ')).join(" "), expected, "{question}");
        }
    }

    #[test]
    fn the_language_is_that_of_the_small_words() {
        use Language::*;
        for (text, expected) in [
            ("where is the staging key", English),
            ("staging anahtari nerede", Turkish),
            ("deploy neden patladı", Turkish),
            ("who is Işıl and what does she do", English),
            ("main.rs", English),
            ("", English),
        ] {
            assert_eq!(language_of(text), expected, "{text}");
        }
    }
}
