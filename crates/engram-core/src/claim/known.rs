//! What the word lists say of a word, found in one step.
//!
//! Every word of a claim is asked for in many lists. It is looked up once, when
//! the text is cut, and keeps what was found. The lists themselves stand beside
//! whoever gives them their meaning, which is not known here.

use super::change::{ENDS_PHRASE, MOVED};
use super::english::{ADVERBS, AUXILIARY, COPULA, LIGHT, PREPOSITIONS, STRONG_VERBS, WEAK_VERBS};
use super::lists::{ALIKE, CLASSES, KINDS, OPPOSITES, SLOT_NOUNS, SMALL_ENGLISH, SMALL_TURKISH, STATES};
use super::reading::{ALSO, BOUNDS, HEDGES, OVER, PLANNED, REPORTED, Slot, WHEN};
use super::sort::{LINKS, OFTEN};
use super::stems::stem_of;
use super::words::{IN_BOTH, NUMBERS, ONLY_ENGLISH, ONLY_TURKISH};
use crate::ask::speech::TURKISH_ASKING;
use std::collections::HashMap;
use std::sync::LazyLock;

/// A list that a word may be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Adverb,
    Also,
    Asking,
    Auxiliary,
    Bound,
    Copula,
    EndsPhrase,
    Hedge,
    InBoth,
    Light,
    Link,
    Moved,
    /// Of one of the sets of which a slot holds one, as it is written there.
    Name,
    Often,
    OnlyEnglish,
    OnlyTurkish,
    Over,
    Planned,
    Preposition,
    Reported,
    SlotNoun,
    SmallEnglish,
    SmallTurkish,
    When,
}

const MARKED: &[(Mark, &[&str])] = &[
    (Mark::Adverb, ADVERBS),
    (Mark::Also, ALSO),
    (Mark::Asking, TURKISH_ASKING),
    (Mark::Auxiliary, AUXILIARY),
    (Mark::Bound, BOUNDS),
    (Mark::Copula, COPULA),
    (Mark::EndsPhrase, ENDS_PHRASE),
    (Mark::Hedge, HEDGES),
    (Mark::InBoth, IN_BOTH),
    (Mark::Light, LIGHT),
    (Mark::Link, LINKS),
    (Mark::Moved, MOVED),
    (Mark::Name, CLASSES),
    (Mark::Often, OFTEN),
    (Mark::OnlyEnglish, ONLY_ENGLISH),
    (Mark::OnlyTurkish, ONLY_TURKISH),
    (Mark::Over, OVER),
    (Mark::Planned, PLANNED),
    (Mark::Preposition, PREPOSITIONS),
    (Mark::Reported, REPORTED),
    (Mark::SlotNoun, SLOT_NOUNS),
    (Mark::SmallEnglish, SMALL_ENGLISH),
    (Mark::SmallTurkish, SMALL_TURKISH),
    (Mark::When, WHEN),
];

/// What is known about one spelling. The numbers are lines of the lists: two
/// words that share one stand in it together.
#[derive(Debug)]
pub(super) struct Known {
    marks: u32,
    /// Of a number that is spelled out.
    pub(super) figure: Option<&'static str>,
    pub(super) strong_verb: Option<Slot>,
    pub(super) weak_verb: Option<Slot>,
    pub(super) alike: Vec<u16>,
    /// The kinds that it is of, and those that it names.
    pub(super) members: Vec<u16>,
    pub(super) kinds: Vec<u16>,
    /// With the side of the line that it stands on.
    pub(super) states: Vec<(u16, bool)>,
    pub(super) opposites: Vec<(u16, bool)>,
    pub(super) classes: Vec<u16>,
}

/// What is known about a word that no list has.
static NOTHING: Known = Known::nothing();

impl Known {
    const fn nothing() -> Self {
        Self {
            marks: 0,
            figure: None,
            strong_verb: None,
            weak_verb: None,
            alike: Vec::new(),
            members: Vec::new(),
            kinds: Vec::new(),
            states: Vec::new(),
            opposites: Vec::new(),
            classes: Vec::new(),
        }
    }

    pub(super) fn is(&self, mark: Mark) -> bool {
        self.marks & (1 << mark as u32) != 0
    }
}

/// What the lists say of a folded word or of a stem.
pub(super) fn known(spelling: &str) -> &'static Known {
    KNOWN.get(spelling).unwrap_or(&NOTHING)
}

type Table = HashMap<String, Known>;

static KNOWN: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::new();
    for (mark, lines) in MARKED {
        for word in lines.iter().flat_map(|line| line.split(' ')) {
            entry(&mut table, word).marks |= 1 << *mark as u32;
        }
    }
    for (word, figure) in NUMBERS {
        entry(&mut table, word).figure.get_or_insert(figure);
    }
    for (slot, verbs) in STRONG_VERBS {
        verbs.split(' ').for_each(|verb| _ = entry(&mut table, verb).strong_verb.get_or_insert(*slot));
    }
    for (slot, verbs) in WEAK_VERBS {
        verbs.split(' ').for_each(|verb| _ = entry(&mut table, verb).weak_verb.get_or_insert(*slot));
    }
    (0..).zip(ALIKE).for_each(|(at, line)| enter(&mut table, line, at, |known| &mut known.alike));
    (0..).zip(CLASSES).for_each(|(at, line)| enter(&mut table, line, at, |known| &mut known.classes));
    for (at, (kind, members)) in (0..).zip(KINDS) {
        enter(&mut table, kind, at, |known| &mut known.kinds);
        enter(&mut table, members, at, |known| &mut known.members);
    }
    enter_sides(&mut table, STATES, |known| &mut known.states);
    enter_sides(&mut table, OPPOSITES, |known| &mut known.opposites);
    table
});

fn entry<'t>(table: &'t mut Table, spelling: &str) -> &'t mut Known {
    table.entry(spelling.to_owned()).or_insert(Known::nothing())
}

/// A word is found by its English stem and by its Turkish one: a claim is read
/// in one language, the lists in both.
fn enter<T: Copy + PartialEq>(
    table: &mut Table,
    words: &str,
    line: T,
    lines_of: impl Fn(&mut Known) -> &mut Vec<T>,
) {
    for word in words.split([' ', '|']) {
        for turkish in [false, true] {
            let lines = lines_of(entry(table, &stem_of(word, turkish).text));
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
}

fn enter_sides(table: &mut Table, lists: &[&str], lines_of: impl Fn(&mut Known) -> &mut Vec<(u16, bool)>) {
    let pairs = lists.iter().flat_map(|line| line.split(", ")).filter_map(|pair| pair.split_once(' '));
    for (at, (left, right)) in (0..).zip(pairs) {
        enter(table, left, (at, false), &lines_of);
        enter(table, right, (at, true), &lines_of);
    }
}
