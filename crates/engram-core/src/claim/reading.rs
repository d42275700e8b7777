//! One claim, read: what it is about, what it says of it, and how it says so.
//!
//! The subject stands before the verb, the value after it, circumstances
//! ("in staging", "for tests") beside them. Whether the claim denies, asks,
//! plans, reports or tells of a change is read from small words. Nothing is
//! compared here.

use super::change::{Change, change_of};
use super::english::place_english;
use super::known::Mark;
use super::sort::is_day;
use super::turkish::place_turkish;
use super::values::{Holding, holding_of};
use super::words::{Word, words_of};
use std::cell::OnceCell;
use std::rc::Rc;

/// Where in its claim a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Subject,
    Verb,
    Value,
    /// A circumstance: where, for what, under which condition.
    Beside,
}

/// What a claim holds of its subject. All but the last three have one value
/// at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    Identity,
    /// Where a thing is kept.
    Location,
    /// What a thing runs on.
    Hosting,
    Means,
    /// What a thing is written in.
    Making,
    Listening,
    Preference,
    Name,
    Time,
    /// Who answers for a thing: the thing is the subject, whoever it is the value.
    Agent,
    Use,
    Quality,
    Other,
}

impl Slot {
    pub(super) fn holds_one(self) -> bool {
        !matches!(self, Slot::Use | Slot::Quality | Slot::Other)
    }
}

/// How a claim is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mood {
    Told,
    Asked,
    Planned,
    Reported,
}

/// A word that says what is spoken of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    /// Its index among the words.
    pub(super) word: usize,
    pub(super) place: Place,
    /// A verb that says little ("use", "have"): another may stand for it.
    pub(super) light: bool,
}

#[derive(Debug)]
pub(super) struct Reading {
    pub(super) words: Rc<Vec<Word>>,
    pub(super) items: Vec<Item>,
    pub(super) turkish: bool,
    pub(super) negated: bool,
    /// It says that something is over.
    pub(super) ended: bool,
    pub(super) mood: Mood,
    /// "should": how it is to be, not how it is.
    pub(super) advised: bool,
    /// "also": it stands beside what was there.
    pub(super) adds: bool,
    /// "only", "except", "about": less than the plain words say.
    pub(super) hedged: bool,
    /// Years it speaks of.
    pub(super) years: Vec<String>,
    pub(super) slot: Slot,
    /// "A man is ...", "two dogs ...": no particular one, so two claims need
    /// not be about the same.
    pub(super) indefinite: bool,
    /// It tells what goes on, not how things are.
    pub(super) episode: bool,
    pub(super) passive: bool,
    /// It tells somebody what to do.
    pub(super) order: bool,
    pub(super) change: Option<Change>,
    holding: OnceCell<Holding>,
}

pub(super) fn read(text: &str, turkish: bool) -> Reading {
    read_words(text, Rc::new(words_of(text, turkish)), turkish)
}

/// Reads a text whose words are known.
pub(super) fn read_words(text: &str, words: Rc<Vec<Word>>, turkish: bool) -> Reading {
    let mut reading = Reading {
        items: Vec::new(),
        turkish,
        negated: false,
        ended: false,
        mood: mood_of(text, &words, turkish),
        advised: words.iter().any(|word| matches!(word.folded.as_str(), "should" | "ought"))
            || turkish && words.iter().any(is_advised),
        adds: any(&words, Mark::Also),
        hedged: is_hedged(&words),
        years: years_of(&words),
        slot: Slot::Other,
        indefinite: false,
        episode: false,
        passive: words.iter().any(|word| word.folded == "by"),
        order: false,
        change: None,
        holding: OnceCell::new(),
        words,
    };
    read_polarity(&mut reading);
    if turkish {
        place_turkish(&mut reading)
    } else {
        place_english(&mut reading)
    }
    reading.change = change_of(&reading);
    reading
}

impl Reading {
    /// The values it holds, and of what.
    pub(super) fn holding(&self) -> &Holding {
        self.holding.get_or_init(|| holding_of(self))
    }

    pub(super) fn word(&self, item: usize) -> &Word {
        &self.words[self.items[item].word]
    }

    pub(super) fn has(&self, folded: &str) -> bool {
        self.words.iter().any(|word| word.folded == folded)
    }

    /// The words of some items as a person would read them, with what follows
    /// right after them in the same place.
    pub(super) fn shown(&self, items: &[usize]) -> String {
        let mut wanted: Vec<usize> = items.to_vec();
        wanted.sort_unstable();
        let (Some(first), Some(last)) = (wanted.first().copied(), wanted.last().copied()) else {
            return String::new();
        };
        let place = self.items[first].place;
        let mut to = last;
        let touching = |one: usize, other: usize| self.items[other].word - self.items[one].word == 1;
        if matches!(place, Place::Value | Place::Beside) {
            while to + 1 < self.items.len() && self.items[to + 1].place == place && touching(to, to + 1) {
                to += 1;
            }
        }
        let chosen = (first..=to).filter(|at| self.items[*at].place == place || wanted.contains(at));
        chosen.map(|at| self.word(at).shown.as_str()).collect::<Vec<_>>().join(" ")
    }
}

impl Reading {
    /// The words of some items and no others.
    pub(super) fn shown_exactly(&self, items: &[usize]) -> String {
        let mut items = items.to_vec();
        items.sort_unstable();
        items.into_iter().map(|at| self.word(at).shown.as_str()).collect::<Vec<_>>().join(" ")
    }
}

fn any(words: &[Word], mark: Mark) -> bool {
    words.iter().any(|word| word.is(mark))
}

pub(super) const ALSO: &[&str] =
    &["also", "too", "additionally", "besides", "both", "another", "ayrica", "hem", "beraber"];

#[rustfmt::skip]
pub(super) const HEDGES: &[&str] = &[
    "only", "except", "unless", "almost", "nearly", "approximately", "roughly", "sometimes", "usually",
    "mostly", "until", "partly", "sadece", "yalnizca", "haric", "disinda", "neredeyse", "yaklasik", "bazen",
    "genelde", "genellikle",
];

/// Small words that make a number less than exact when they stand before it.
pub(super) const BOUNDS: &[&str] =
    &["about", "around", "least", "most", "than", "under", "over", "kadar", "az", "fazla", "cok"];

fn is_hedged(words: &[Word]) -> bool {
    any(words, Mark::Hedge)
        || words.windows(2).any(|two| {
            two[0].is(Mark::Bound) && two[1].folded.starts_with(|first: char| first.is_ascii_digit())
                || two[0].folded == "up" && two[1].folded == "to"
        })
}

fn mood_of(text: &str, words: &[Word], turkish: bool) -> Mood {
    let first = words.first().map_or("", |word| word.folded.as_str());
    let second = words.get(1).map_or("", |word| word.folded.as_str());
    let asks = matches!(first, "what" | "where" | "which" | "who" | "how" | "why" | "when")
        && matches!(second, "is" | "are" | "was" | "do" | "does" | "did" | "should" | "can" | "to" | "we")
        && first != "when"
        || matches!(first, "does" | "did" | "should" | "can" | "could")
            && matches!(second, "we" | "i" | "you" | "it" | "the")
        || turkish && (0..words.len()).any(|at| words[at].is(Mark::Asking) && !tells_cause(words, at));
    if text.trim_end().ends_with('?') || asks {
        Mood::Asked
    } else if words.iter().enumerate().any(|(at, word)| word.is(Mark::Planned) && !is_found(words, at))
        || words.windows(2).any(|two| tells_plan(&two[0].folded, &two[1].folded))
        || turkish && words.iter().any(is_future)
    {
        Mood::Planned
    } else if any(words, Mark::Reported)
        || words
            .windows(2)
            .any(|two| two[1].folded == "think" && matches!(two[0].folded.as_str(), "i" | "we"))
    {
        Mood::Reported
    } else {
        Mood::Told
    }
}

/// "Gecikmeye neden oluyor" tells what comes of a thing and asks nothing.
fn tells_cause(words: &[Word], at: usize) -> bool {
    let towards = |word: &Word| {
        let ending = if word.ending.is_empty() { &word.folded } else { &word.ending };
        ending.ends_with(['a', 'e'])
    };
    words[at].folded == "neden"
        && words.get(at + 1).is_some_and(|next| next.folded.starts_with("ol"))
        && at.checked_sub(1).is_some_and(|before| towards(&words[before]))
}

/// "You will find it there" plans nothing.
fn is_found(words: &[Word], at: usize) -> bool {
    let folded = |at: usize| words.get(at).map_or("", |word| word.folded.as_str());
    folded(at) == "will" && matches!(folded(at + 1), "find" | "see") && at > 0 && folded(at - 1) == "you"
}

/// Two words that tell a plan together.
fn tells_plan(first: &str, second: &str) -> bool {
    match second {
        "to" => matches!(first, "plan" | "plans" | "planning" | "planned" | "want" | "wants"),
        "for" => first == "planned",
        "planned" => matches!(first, "is" | "are"),
        "week" | "sprint" | "month" => first == "next",
        "of" | "about" => first == "thinking",
        _ => false,
    }
}

fn is_future(word: &Word) -> bool {
    !word.is_literal()
        && ["acagiz", "ecegiz", "acagim", "ecegim", "acak", "ecek"]
            .iter()
            .any(|end| word.folded.ends_with(end))
        && word.folded.len() > 6
}

fn is_advised(word: &Word) -> bool {
    ["maliyiz", "meliyiz", "mali", "meli"]
        .iter()
        .any(|end| word.folded.len() > end.len() + 2 && word.folded.ends_with(end))
}

#[rustfmt::skip]
pub(super) const PLANNED: &[&str] = &[
    "will", "intend", "might", "maybe", "perhaps", "could",
    "consider", "considering", "propose", "proposal", "todo", "soon", "tomorrow", "eventually", "would",
    "wish", "hope", "someday", "if", "planliyoruz", "planliyorum", "planlaniyor", "belki", "dusunuyoruz",
    "dusunuyorum", "olabilir", "istiyoruz", "yakinda", "ileride", "eger", "yarin", "galiba",
];

#[rustfmt::skip]
pub(super) const REPORTED: &[&str] = &[
    "says", "said", "thinks", "thought", "believes", "believe", "suggests", "suggested", "claims",
    "claimed", "heard", "apparently", "according", "reportedly", "opinion", "supposedly", "diyor", "dedi",
    "saniyor", "bence", "duydum", "sanirim", "soyledi", "iddia",
];

/// A year that a claim is set in, at its beginning or with a verb of the past.
/// Elsewhere a year is a number like any other.
fn years_of(words: &[Word]) -> Vec<String> {
    let past =
        |word: &Word| matches!(word.folded.as_str(), "used" | "was" | "were" | "had" | "ran" | "lived");
    let year = |word: &Word| {
        word.folded.len() == 4 && word.is_number() && matches!(word.folded.get(..2), Some("19" | "20"))
    };
    let set_in =
        words.iter().enumerate().filter(|(at, word)| year(word) && (*at <= 1 || words.iter().any(past)));
    set_in.map(|(_, word)| word.folded.clone()).collect()
}

/// Whether a word says since when a thing is so. That is no part of what is so.
pub(super) fn tells_since(words: &[Word], at: usize) -> bool {
    let is_when = |word: &Word| word.is(Mark::When) || is_day(word);
    let begins = |word: &Word| matches!(word.folded.as_str(), "since" | "starting");
    let ends = |word: &Word| matches!(word.folded.as_str(), "beri" | "itibaren");
    let before = || words[..at].iter().rev().find(|word| !is_when(word));
    let after = || words[at..].iter().find(|word| !is_when(word));
    ends(&words[at]) || is_when(&words[at]) && (before().is_some_and(begins) || after().is_some_and(ends))
}

#[rustfmt::skip]
pub(super) const WHEN: &[&str] = &[
    "yesterday", "today", "last", "this", "week", "month", "year", "sprint", "quarter", "morning", "dun",
    "dunden", "bugunden", "gecen", "hafta", "haftadan", "aydan", "yildan", "sprintten",
];

#[rustfmt::skip]
pub(super) const OVER: &[&str] = &[
    "dropped", "removed", "retired", "abandoned", "deleted", "gone", "sunset", "decommissioned", "ditched",
    "scrapped", "killed", "kaldirildi", "kaldirdik", "silindi", "sildik", "birakildi", "biraktik",
    "vazgectik", "vazgecildi", "emekli",
];

/// "Are deleted after a week": what goes on is not over.
fn is_usual(words: &[Word], at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |before| words[before].folded.as_str());
    let deed = matches!(words[at].folded.as_str(), "deleted" | "removed" | "dropped" | "killed");
    before == "being" || deed && matches!(before, "are" | "is" | "get" | "gets")
}

fn read_polarity(reading: &mut Reading) {
    let words = &reading.words;
    let follows = |at: usize, folded: &str| words.get(at + 1).is_some_and(|word| word.folded == folded);
    let mut negated = false;
    let mut ended = false;
    for (at, word) in words.iter().enumerate() {
        match word.folded.as_str() {
            "no" if follows(at, "longer") => ended = true,
            // What follows a pause is what is not so, instead of what is.
            "not" if word.after_pause || follows(at, "only") => {}
            "degil" if at + 1 < words.len() => {}
            "no" | "not" | "nobody" | "none" | "nothing" | "never" | "neither" | "degil" | "yok"
            | "yoktur" => negated = true,
            "avoid" | "stop" | "quit" if at == 0 || words[at - 1].folded == "always" => negated = true,
            "against"
                if at > 0
                    && matches!(
                        words[at - 1].folded.as_str(),
                        "decided" | "advise" | "advised" | "recommend" | "voted"
                    ) =>
            {
                negated = true;
            }
            "stopped" if words.get(at + 1).is_some_and(|next| next.folded.ends_with("ing")) => ended = true,
            "stopped" if at > 1 && at + 1 == words.len() && follows(at - 2, "has") => ended = true,
            "son" if words.get(at + 1).is_some_and(|next| next.folded.starts_with("ver")) => ended = true,
            "anymore" => ended |= negated,
            "more" if at > 0 && words[at - 1].folded == "any" => ended |= negated,
            _ => {
                ended |= word.is(Mark::Over) && !is_usual(words, at);
                negated |= word.negative;
            }
        }
    }
    ended |= reading.turkish && negated && reading.has("artik");
    reading.negated = negated || ended;
    reading.ended = ended;
}
