//! Whether what was shown came up again in what an agent said or did.
//!
//! A memory is known by its signs: its rarer words, and what is spelt as only
//! one thing is: code in backticks, paths, identifiers, values, commands. A sign
//! speaks for a memory only if nobody else had it to give: it is rare among the
//! memories, no one but the agent had said it in this session, the agent had not
//! before it was shown, and no other memory that lay before him has it. What
//! came of using it is not known here.

use super::check::{command_of, file_of};
use super::window::Window;
use super::{Session, Shown, is_of_agent};
use crate::ask::speech::{Language, Word, fold, is_apostrophe, is_small, language_among, words_of};
use crate::claim::stem_of;
use crate::form::quotations;
use crate::id::{MemoryId, RecallId};
use crate::observe::{EntityKind, bare, entities_of, humps, is_version, without_own_text};
use crate::turn::{ToolCall, Turn};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

/// A term is a sign if no larger share of the memories has it, or no more than
/// so many of them.
const RARE: f64 = 0.02;
const FEW: f64 = 2.0;
/// Shorter words come up by themselves.
const LETTERS: usize = 4;
/// So many terms have to come up together, and one more for every so many that
/// the memory has: two rare words of a long report prove nothing.
const TERMS: usize = 2;
const TERMS_A_SIGN: usize = 30;
/// A longer quotation is a passage, and nobody repeats it word for word.
const LONGEST: usize = 12;
/// A path is known by so many of its last parts, from wherever it is written.
const PATH_PARTS: usize = 3;
/// A number of so many digits with its unit is a value that nobody guesses.
const DIGITS: usize = 2;

/// What a number in front of it measures, folded.
#[rustfmt::skip]
const UNITS: &[&str] = &[
    "ns", "us", "ms", "s", "sec", "secs", "second", "seconds", "min", "mins", "minute", "minutes", "h", "hour",
    "hours", "day", "days", "week", "weeks", "month", "months", "b", "kb", "mb", "gb", "tb", "kib", "mib", "gib",
    "percent", "saniye", "dakika", "saat", "gun", "hafta", "ay", "yil",
];

/// How an agent took up what it was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reuse {
    /// So many of its rare words came up together.
    Terms(Vec<String>),
    /// It used a name or a value that stands in it.
    Quoted(String),
    /// It opened or changed a file that it names.
    File(String),
    /// It ran a command that it tells to run.
    Command(String),
}

impl Reuse {
    /// The spellings that came up.
    pub(super) fn written(&self) -> Vec<&str> {
        match self {
            Reuse::Terms(terms) => terms.iter().map(String::as_str).collect(),
            Reuse::Quoted(one) | Reuse::File(one) | Reuse::Command(one) => vec![one],
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Command,
    File,
    Name,
    Term,
}

/// Something that a memory can be known by.
struct Sign {
    sort: Sort,
    written: String,
    /// As English and as Turkish read it: an agent may answer in the other one.
    readings: BTreeSet<Vec<u32>>,
}

/// What is known of a memory that was shown, however often.
struct Held {
    id: MemoryId,
    signs: Vec<Sign>,
    /// How many of its terms have to come up together.
    least: usize,
    /// The showings of it, by their numbers, in order of time.
    showings: Vec<usize>,
}

/// Everything that was said in a session and stands in what was shown, by its
/// words: each text once, so that a session of thousands of turns is read once
/// however much was shown in it.
pub(super) struct Talk<'a> {
    session: &'a Session<'a>,
    /// By the number of the showing.
    windows: Vec<Range<usize>>,
    held_by: Vec<usize>,
    held: Vec<Held>,
    agent: Lines,
    others: Lines,
    /// By the place of what is held.
    texts: Lines,
    rare: RefCell<HashMap<String, bool>>,
}

/// Texts by their words, in the order of their places.
#[derive(Default)]
struct Lines {
    lines: Vec<(usize, Vec<u32>)>,
    /// By word: the numbers of the lines that have it.
    with: Vec<Vec<u32>>,
}

/// Words and their numbers.
#[derive(Default)]
struct Numbers(HashMap<String, u32>);

/// Stands between two texts that are no neighbours.
const APART: u32 = u32::MAX;

/// Three places to a turn, in the order of who can have known what: what was
/// there before, what the agent says, and what is answered to that.
const fn before(turn: usize) -> usize {
    3 * turn
}
const fn by_agent(turn: usize) -> usize {
    3 * turn + 1
}
const fn behind(turn: usize) -> usize {
    3 * turn + 2
}

impl<'a> Talk<'a> {
    pub(super) fn of(session: &'a Session<'a>, windows: &BTreeMap<RecallId, Window>) -> Self {
        let mut numbers = Numbers::default();
        let (mut agent, mut others, mut texts) = (Lines::default(), Lines::default(), Lines::default());
        let mut asked: Vec<(usize, &str)> =
            session.shown.iter().map(|shown| asked_at(session, shown)).collect();
        asked.sort_unstable();
        asked.dedup();
        let mut asked = asked.into_iter().peekable();
        for (at, turn) in session.turns.iter().enumerate() {
            while let Some((_, query)) = asked.next_if(|(place, _)| *place <= at) {
                others.add(before(at), numbers.of(query));
            }
            let said = Said::of(turn);
            let mut add = |lines: &mut Lines, place: usize, texts: Vec<String>| {
                if !texts.is_empty() {
                    lines.add(
                        place,
                        texts.iter().flat_map(|text| [numbers.of(text), vec![APART]]).flatten().collect(),
                    );
                }
            };
            add(&mut others, before(at), said.before);
            add(&mut agent, by_agent(at), said.by_agent);
            add(&mut others, behind(at), said.behind);
        }
        let mut held: Vec<Held> = Vec::new();
        let mut places: HashMap<MemoryId, usize> = HashMap::new();
        let mut held_by = Vec::with_capacity(session.shown.len());
        for (number, shown) in session.shown.iter().enumerate() {
            let place = *places.entry(shown.memory).or_insert_with(|| {
                let signs = signs_of(shown, &mut numbers);
                let all = [
                    &[shown.text.as_str()][..],
                    &shown.commands.iter().map(String::as_str).collect::<Vec<_>>(),
                ];
                let words =
                    all.concat().iter().flat_map(|text| [numbers.of(text), vec![APART]]).flatten().collect();
                texts.add(held.len(), words);
                let terms = signs.iter().filter(|sign| sign.sort == Sort::Term).count();
                held.push(Held {
                    id: shown.memory,
                    signs,
                    least: TERMS + terms / TERMS_A_SIGN,
                    showings: Vec::new(),
                });
                held.len() - 1
            });
            held[place].showings.push(number);
            held_by.push(place);
        }
        for held in &mut held {
            held.showings.sort_by_key(|number| session.shown[*number].at);
        }
        let windows = session.shown.iter().map(|shown| windows[&shown.recall].turns()).collect();
        Self { session, windows, held_by, held, agent, others, texts, rare: RefCell::default() }
    }

    /// The first turn in which an agent took up what this showing put before it.
    /// Where it was shown again in the meantime, the later showing has it.
    pub(super) fn reuse_of(&self, number: usize) -> Option<(usize, Reuse)> {
        let held = &self.held[self.held_by[number]];
        let window = self.windows[number].clone();
        let again = held.showings.iter().skip_while(|showing| **showing != number).nth(1);
        let to = again.map_or(window.end, |next| self.windows[*next].start.min(window.end));
        let mut found: BTreeMap<usize, Found<'_>> = BTreeMap::new();
        for sign in &held.signs {
            for turn in self.fresh(sign, window.start..to) {
                let runs =
                    || self.session.turns[turn].tool.as_ref().is_some_and(|call| command_of(call).is_some());
                if sign.sort == Sort::Command && !runs() {
                    continue;
                }
                let found = found.entry(turn).or_default();
                match self.is_shared(sign, held.id, window.start, turn) {
                    true => found.shared.push(sign),
                    false => found.own.push(sign),
                }
            }
        }
        found.into_iter().find_map(|(turn, found)| {
            let opened =
                || self.session.turns[turn].tool.as_ref().is_some_and(|call| file_of(call).is_some());
            Some((turn, found.reuse(held.least, opened)?))
        })
    }

    /// The turns of a window in which the agent says it and has it from nobody
    /// in the session; none if it is a word that many memories have.
    fn fresh(&self, sign: &Sign, window: Range<usize>) -> Vec<usize> {
        let said = self.agent.with(sign, before(window.start)..before(window.end));
        if said.is_empty() || self.agent.first_with(sign) < before(window.start) {
            return Vec::new();
        }
        let heard_at = self.others.first_with(sign);
        let said = said.into_iter().take_while(|place| *place < heard_at).map(|place| place / 3);
        let turns: Vec<usize> = said.collect();
        if turns.is_empty() || !self.is_rare(&sign.written) { Vec::new() } else { turns }
    }

    /// A phrase is as rare as the rarest of its words at least.
    fn is_rare(&self, written: &str) -> bool {
        if let Some(known) = self.rare.borrow().get(written) {
            return *known;
        }
        let rarity = self.session.rarity;
        let rare = written.split_whitespace().map(bare).filter(|word| !word.is_empty()).any(|word| {
            let share = rarity.share_with(word).get();
            let few = rarity.memories().is_some_and(|memories| share * memories as f64 <= FEW + f64::EPSILON);
            share <= RARE || few
        });
        self.rare.borrow_mut().insert(written.to_owned(), rare);
        rare
    }

    /// Whether another memory that lay before the agent at this turn has it, too.
    fn is_shared(&self, sign: &Sign, memory: MemoryId, from: usize, turn: usize) -> bool {
        let lay_there = |number: &usize| {
            let window = &self.windows[*number];
            window.start <= turn && window.end >= from
        };
        self.texts
            .with(sign, 0..usize::MAX)
            .into_iter()
            .map(|place| &self.held[place])
            .any(|other| other.id != memory && other.showings.iter().any(lay_there))
    }
}

fn asked_at<'a>(session: &Session<'a>, shown: &'a Shown) -> (usize, &'a str) {
    (session.turns.partition_point(|turn| turn.said_at <= shown.at), shown.asked.as_str())
}

/// The signs that came up in one turn.
#[derive(Default)]
struct Found<'s> {
    own: Vec<&'s Sign>,
    /// Those that another memory has as well. They count beside one of its own.
    shared: Vec<&'s Sign>,
}

impl Found<'_> {
    fn reuse(&self, least: usize, opened: impl Fn() -> bool) -> Option<Reuse> {
        let surest = self.own.iter().min_by_key(|sign| sign.sort)?;
        let written = surest.written.clone();
        match surest.sort {
            Sort::Command => Some(Reuse::Command(written)),
            Sort::File if opened() => Some(Reuse::File(written)),
            Sort::File | Sort::Name => Some(Reuse::Quoted(written)),
            Sort::Term => {
                let found = || self.own.iter().chain(&self.shared);
                let different: BTreeSet<_> = found().map(|sign| &sign.readings).collect();
                (different.len() >= least)
                    .then(|| Reuse::Terms(found().map(|sign| sign.written.clone()).collect()))
            }
        }
    }
}

impl Lines {
    /// Places come in their order.
    fn add(&mut self, place: usize, words: Vec<u32>) {
        let line = u32::try_from(self.lines.len()).unwrap_or(APART);
        for word in words.iter().filter(|word| **word != APART) {
            let at = *word as usize;
            if self.with.len() <= at {
                self.with.resize_with(at + 1, Vec::new);
            }
            if self.with[at].last() != Some(&line) {
                self.with[at].push(line);
            }
        }
        self.lines.push((place, words));
    }

    /// The places within this range whose text has the sign, in their order.
    fn with(&self, sign: &Sign, within: Range<usize>) -> Vec<usize> {
        let found = sign.readings.iter().flat_map(|phrase| self.with_phrase(phrase, within.clone()));
        let found: BTreeSet<usize> = found.collect();
        found.into_iter().collect()
    }

    /// The first place that has it; behind all of them if none has.
    fn first_with(&self, sign: &Sign) -> usize {
        let first = sign.readings.iter().filter_map(|phrase| self.with_phrase(phrase, 0..usize::MAX).next());
        first.min().unwrap_or(usize::MAX)
    }

    /// Those that have these words one behind the other.
    fn with_phrase<'l>(
        &'l self,
        phrase: &'l [u32],
        within: Range<usize>,
    ) -> impl Iterator<Item = usize> + 'l {
        let with = |word: &u32| self.with.get(*word as usize).map_or(&[][..], Vec::as_slice);
        let rarest = phrase.iter().map(with).min_by_key(|lines| lines.len()).unwrap_or_default();
        let from = rarest.partition_point(|line| self.lines[*line as usize].0 < within.start);
        let lines = rarest[from..].iter().map(|line| &self.lines[*line as usize]);
        lines
            .take_while(move |(place, _)| *place < within.end)
            .filter(move |(_, words)| {
                phrase.len() == 1 || words.windows(phrase.len()).any(|some| some == phrase)
            })
            .map(|(place, _)| *place)
    }
}

impl Numbers {
    /// The words of a text, in the language that it is in.
    fn of(&mut self, text: &str) -> Vec<u32> {
        let words = words_of(text);
        let turkish = language_among(text, &words) == Language::Turkish;
        words.iter().map(|word| self.number(text, word, turkish)).collect()
    }

    /// The words of a text in either language.
    fn readings(&mut self, text: &str) -> BTreeSet<Vec<u32>> {
        let words = words_of(text);
        let mut read = |turkish| words.iter().map(|word| self.number(text, word, turkish)).collect();
        [read(false), read(true)].into()
    }

    /// An ending makes no other word, and what is spelt like code has none.
    fn number(&mut self, text: &str, word: &Word, turkish: bool) -> u32 {
        let written = &text[word.at.clone()];
        let ends = written.find(is_apostrophe);
        let folded = ends.map_or_else(|| word.folded.clone(), |end| fold(&written[..end]));
        let code = humps(written) > usize::from(written.starts_with(|mark: char| mark.is_ascii_uppercase()));
        let stem = if code { folded } else { stem_of(&folded, turkish) };
        let next = u32::try_from(self.0.len()).unwrap_or(APART);
        *self.0.entry(stem).or_insert(next)
    }
}

/// What a memory can be known by, each once.
fn signs_of(shown: &Shown, numbers: &mut Numbers) -> Vec<Sign> {
    let mut signs: Vec<Sign> = Vec::new();
    let mut known: BTreeSet<(Sort, BTreeSet<Vec<u32>>)> = BTreeSet::new();
    let mut add = |sort: Sort, written: &str, read: &str| {
        let readings = numbers.readings(read);
        let told = readings.first().is_some_and(|words| (1..=LONGEST).contains(&words.len()));
        if told && known.insert((sort, readings.clone())) {
            signs.push(Sign { sort, written: written.to_owned(), readings });
        }
    };
    let marks = |text: &str| text.chars().filter(|mark| mark.is_alphanumeric()).count();
    for command in &shown.commands {
        add(Sort::Command, command, command);
    }
    for file in &shown.files {
        let parts: Vec<&str> = file.split('/').filter(|part| !part.is_empty()).collect();
        add(Sort::File, file, &parts[parts.len().saturating_sub(PATH_PARTS)..].join("/"));
    }
    for name in names_in(&shown.text).into_iter().filter(|name| marks(name) >= LETTERS) {
        add(Sort::Name, name, name);
    }
    for value in values_in(&shown.text) {
        add(Sort::Name, value, value);
    }
    // The parts of a path or an identifier are in many others; it is known whole.
    let prose =
        shown.text.split_whitespace().map(bare).filter(|word| !word.contains(['/', '.', '_', ':', '@']));
    for piece in prose {
        for word in words_of(piece) {
            let written = &piece[word.at];
            if marks(written) >= LETTERS && !is_small(&word.folded) {
                add(Sort::Term, written, written);
            }
        }
    }
    signs
}

/// What stands in backticks, and what has the shape of a path, an identifier or
/// an address.
fn names_in(text: &str) -> Vec<&str> {
    let ticked = quotations(text).into_iter().map(|range| &text[range]);
    let ticked = ticked.filter_map(|quoted| Some(quoted.strip_prefix('`')?.trim_matches('`').trim()));
    let shaped = entities_of(text).into_iter().filter_map(|entity| {
        let shaped = matches!(entity.kind, EntityKind::File | EntityKind::Symbol)
            || entity.written.contains(['-', '_', '/', '.', ':', '@']);
        let from = text.find(&entity.written).filter(|_| shaped)?;
        Some(&text[from..from + entity.written.len()])
    });
    ticked.chain(shaped).collect()
}

/// Numbers with their units, and versions.
fn values_in(text: &str) -> Vec<&str> {
    let mut values = Vec::new();
    let words: Vec<&str> = text.split_whitespace().collect();
    let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    for (at, raw) in words.iter().enumerate() {
        let word = bare(raw);
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let unit = |unit: &str| UNITS.contains(&fold(unit).as_str());
        let measured = digits >= DIGITS && unit(&word[digits..]);
        if measured || is_version(word) && word.contains('.') {
            values.push(word);
        } else if digits >= DIGITS && digits == word.len() {
            let next = words.get(at + 1).map(|next| bare(next)).filter(|next| unit(next));
            values.extend(next.map(|next| &text[place(word)..place(next) + next.len()]));
        }
    }
    values
}

/// What a turn says, by who can have known it.
#[derive(Default)]
struct Said {
    before: Vec<String>,
    by_agent: Vec<String>,
    behind: Vec<String>,
}

impl Said {
    fn of(turn: &Turn) -> Self {
        match &turn.tool {
            // What engram is asked and answers is what was shown.
            Some(call) if is_own(call) => Self::default(),
            Some(call) if is_of_agent(turn) => {
                let mut said = Self::default();
                call.arguments.iter().for_each(|(key, value)| said.take(key, value));
                said.behind.extend(call.result_summary.clone());
                said
            }
            None if is_of_agent(turn) => {
                Self { by_agent: vec![without_own_text(&turn.content)], ..Self::default() }
            }
            _ => Self { behind: vec![without_own_text(&turn.content)], ..Self::default() },
        }
    }

    /// What an edit replaces was there before.
    fn take(&mut self, key: &str, value: &Value) {
        match value {
            Value::String(text) if key == "old_string" => self.before.push(text.clone()),
            Value::String(text) => self.by_agent.push(text.clone()),
            Value::Array(items) => items.iter().for_each(|item| self.take(key, item)),
            Value::Object(map) => map.iter().for_each(|(key, value)| self.take(key, value)),
            _ => {}
        }
    }
}

/// Whether a call is to engram itself.
fn is_own(call: &ToolCall) -> bool {
    let command = command_of(call);
    let program = command.as_deref().and_then(|command| command.split_whitespace().next());
    call.tool_name.to_lowercase().contains("engram")
        || program.is_some_and(|program| program.rsplit('/').next() == Some("engram"))
}
