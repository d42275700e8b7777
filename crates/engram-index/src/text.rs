//! Which slots hold which terms, and BM25 over them.
//!
//! A slot is the index's number for a memory; this module knows neither
//! memories nor filters. Postings are kept in order of slot and are always
//! exact: erasing a text takes its postings out at once, so how many hold a
//! term is the length of its lists. How the best are found without a look at
//! all is in `pruned`.

use crate::analysis::{Forms, Word};
use crate::query::{Query, Statistics};
use std::collections::HashMap;

/// BM25: how soon a repeated term stops adding.
const K1: f64 = 1.2;
/// BM25: how much a long text is held against itself, where texts are short
/// and where they are long. Among remarks of one sentence a longer one simply
/// says more; among long messages it says the same at greater length.
const LEAST_B: f64 = 0.2;
const MOST_B: f64 = 1.0;
/// Average words of a text up to which the one holds, and from which the other.
const SHORT: f64 = 45.0;
const LONG: f64 = 150.0;

/// Units of frequency: an occurrence as a whole word, and one as a part.
const WHOLE: u16 = 2;
const PART: u16 = 1;

/// What one word of the query adds to a hit.
#[derive(Debug, Clone, PartialEq)]
pub struct TermScore {
    /// As the user wrote it.
    pub term: String,
    pub score: f64,
}

/// A text, counted.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Counted {
    /// In words; what words fall into does not make a text longer.
    length: u16,
    /// Distinct terms with their units of frequency.
    terms: Vec<(String, u16)>,
}

impl Counted {
    pub(crate) fn of(words: Vec<Word<'_>>) -> Self {
        let length = u16::try_from(words.len()).unwrap_or(u16::MAX);
        let mut terms: Vec<(String, u16)> = Vec::with_capacity(words.len() * 2);
        for word in words {
            // One occurrence counts once for each term, as its best form.
            let first = terms.len();
            let mut count = |forms: Forms, units: u16| {
                for term in std::iter::once(forms.exact).chain(forms.stems) {
                    if terms[first..].iter().all(|(known, _)| *known != term) {
                        terms.push((term, units));
                    }
                }
            };
            count(word.whole, WHOLE);
            word.parts.into_iter().for_each(|part| count(part, PART));
        }
        terms.sort_unstable();
        terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.saturating_add(next.1);
            }
            same
        });
        Self { length, terms }
    }
}

/// One slot that holds a term. The length travels along so that scoring reads
/// memory in one direction only.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Posting {
    pub(crate) slot: u32,
    units: u16,
    length: u16,
}

/// Postings in order of slot, and what none of them exceeds.
#[derive(Debug)]
pub(crate) struct List {
    pub(crate) postings: Vec<Posting>,
    /// Stays when the posting it comes from goes: a bound may be too high.
    most_units: u16,
    least_length: u16,
}

impl Default for List {
    fn default() -> Self {
        Self { postings: Vec::new(), most_units: 0, least_length: u16::MAX }
    }
}

impl List {
    fn put(&mut self, posting: Posting) {
        self.most_units = self.most_units.max(posting.units);
        self.least_length = self.least_length.min(posting.length);
        match self.postings.last() {
            Some(last) if last.slot > posting.slot => {
                let place = self.postings.partition_point(|known| known.slot < posting.slot);
                self.postings.insert(place, posting);
            }
            _ => self.postings.push(posting),
        }
    }

    fn place(&self, slot: u32) -> Option<usize> {
        self.postings.binary_search_by_key(&slot, |posting| posting.slot).ok()
    }

    /// As good as a posting of this list can be at most.
    pub(crate) fn bound(&self) -> Posting {
        Posting { slot: 0, units: self.most_units, length: self.least_length }
    }
}

/// Everything that holds one term. Where it is said more than once stands
/// apart: those are few and score clearly higher, so a search that looks at
/// them first can leave most of the others alone.
#[derive(Debug, Default)]
pub(crate) struct Holders {
    pub(crate) once: List,
    pub(crate) often: List,
}

impl Holders {
    pub(crate) fn count(&self) -> usize {
        self.once.postings.len() + self.often.postings.len()
    }

    fn list_for(&mut self, units: u16) -> &mut List {
        if units > WHOLE { &mut self.often } else { &mut self.once }
    }

    fn remove(&mut self, slot: u32) {
        for list in [&mut self.once, &mut self.often] {
            if let Some(place) = list.place(slot) {
                list.postings.remove(place);
                return;
            }
        }
    }

    fn at(&self, slot: u32) -> Option<&Posting> {
        let lists = [&self.once, &self.often];
        lists.into_iter().find_map(|list| Some(&list.postings[list.place(slot)?]))
    }

    /// Those first that say it more than once.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Posting> {
        self.often.postings.iter().chain(&self.once.postings)
    }
}

/// What was written at a slot: enough to erase it.
#[derive(Debug, Clone, Default)]
struct Written {
    length: u16,
    terms: Box<[u32]>,
}

#[derive(Debug, Default)]
pub(crate) struct Text {
    /// A term's number. A term that no text holds any more keeps its number,
    /// because words come back.
    numbers: HashMap<Box<str>, u32>,
    /// By the number of the term.
    holders: Vec<Holders>,
    /// By slot; empty where nothing is written.
    written: Vec<Written>,
    documents: u64,
    words: u64,
}

impl Text {
    /// Writes a text at an empty slot.
    pub(crate) fn write(&mut self, slot: u32, counted: Counted) {
        let length = counted.length;
        let mut terms = Vec::with_capacity(counted.terms.len());
        for (term, units) in counted.terms {
            let number = match self.numbers.get(term.as_str()) {
                Some(number) => *number,
                None => {
                    let number = self.holders.len() as u32;
                    self.numbers.insert(term.into_boxed_str(), number);
                    self.holders.push(Holders::default());
                    number
                }
            };
            let list = self.holders[number as usize].list_for(units);
            list.put(Posting { slot, units, length });
            terms.push(number);
        }
        if self.written.len() <= slot as usize {
            self.written.resize_with(slot as usize + 1, Written::default);
        }
        self.written[slot as usize] = Written { length, terms: terms.into_boxed_slice() };
        self.documents += 1;
        self.words += u64::from(length);
    }

    /// Takes the text at a slot out.
    pub(crate) fn erase(&mut self, slot: u32) {
        let written = std::mem::take(&mut self.written[slot as usize]);
        for number in written.terms {
            self.holders[number as usize].remove(slot);
        }
        self.documents -= 1;
        self.words -= u64::from(written.length);
    }

    /// Whether exactly this text is written at the slot.
    pub(crate) fn holds(&self, slot: u32, counted: &Counted) -> bool {
        let written = &self.written[slot as usize];
        written.length == counted.length
            && written.terms.len() == counted.terms.len()
            && counted.terms.iter().all(|(term, units)| {
                let expected = Posting { slot, units: *units, length: counted.length };
                self.holders_of(term).and_then(|holders| holders.at(slot)) == Some(&expected)
            })
    }

    /// How many postings each slot has that its own list of terms does not
    /// explain; all zero unless this module is wrong.
    pub(crate) fn unexplained(&self) -> Vec<usize> {
        let mut counts = vec![0; self.written.len()];
        for posting in self.holders.iter().flat_map(Holders::all) {
            counts[posting.slot as usize] += 1;
        }
        counts
            .iter()
            .zip(&self.written)
            .map(|(count, written)| count - written.terms.len().min(*count))
            .collect()
    }

    pub(crate) fn statistics(&self, query: &Query) -> Statistics {
        let count = |term: &String| self.holders_of(term).map_or(0, Holders::count) as u64;
        let holders = query.weights.keys().map(|term| (term.clone(), count(term)));
        Statistics { documents: self.documents, words: self.words, holders: holders.collect() }
    }

    /// A query, ready to be scored here.
    pub(crate) fn asked(&self, query: &Query, statistics: &Statistics) -> Asked<'_> {
        let terms = query.weights.iter().filter_map(|(term, weight)| {
            let holders = self.holders_of(term)?;
            Some(AskedTerm { worth: weight * statistics.rarity(term), holders })
        });
        let mut terms: Vec<AskedTerm<'_>> = terms.collect();
        terms.sort_by(|one, other| other.worth.total_cmp(&one.worth));
        Asked { terms, saturation: Saturation::around(statistics.average_length()) }
    }

    /// What each word of the query adds at one slot; words that add nothing are
    /// left out.
    pub(crate) fn explain(&self, query: &Query, statistics: &Statistics, slot: u32) -> Vec<TermScore> {
        let saturation = Saturation::around(statistics.average_length());
        let explained = query.words.iter().map(|word| {
            let adds = word.terms.iter().filter_map(|(term, weight)| {
                let posting = self.holders_of(term)?.at(slot)?;
                Some(weight * statistics.rarity(term) * saturation.of(posting))
            });
            TermScore { term: word.written.clone(), score: adds.sum() }
        });
        explained.filter(|term| term.score > 0.0).collect()
    }

    fn holders_of(&self, term: &str) -> Option<&Holders> {
        self.numbers.get(term).map(|number| &self.holders[*number as usize])
    }
}

/// The terms of a query that some text holds, the most telling first. A score
/// is added up in this order, wherever it is made, so that equal texts have
/// equal scores.
pub(crate) struct Asked<'t> {
    pub(crate) terms: Vec<AskedTerm<'t>>,
    pub(crate) saturation: Saturation,
}

pub(crate) struct AskedTerm<'t> {
    pub(crate) worth: f64,
    pub(crate) holders: &'t Holders,
}

impl Asked<'_> {
    /// The score of one slot.
    pub(crate) fn score_at(&self, slot: u32) -> f64 {
        let adds = self.terms.iter().filter_map(|term| {
            let posting = term.holders.at(slot)?;
            Some(term.worth * self.saturation.of(posting))
        });
        adds.sum()
    }
}

/// The part of BM25 that depends on one text: frequency against length.
pub(crate) struct Saturation {
    base: f64,
    per_word: f64,
}

impl Saturation {
    fn around(average_length: f64) -> Self {
        let share = ((average_length - SHORT) / (LONG - SHORT)).clamp(0.0, 1.0);
        let b = LEAST_B + (MOST_B - LEAST_B) * share;
        Self { base: K1 * (1.0 - b), per_word: K1 * b / average_length }
    }

    pub(crate) fn of(&self, posting: &Posting) -> f64 {
        let frequency = f64::from(posting.units) / f64::from(WHOLE);
        frequency * (K1 + 1.0) / (frequency + self.base + self.per_word * f64::from(posting.length))
    }
}
