//! What speaks for an answer being one: how near it is to the question, and
//! which word of the question it does not account for.
//!
//! A word is accounted for by itself, in any of its forms, and in part by one
//! that means nearly the same. How rare a word is here and how much it says at
//! all decide what its absence means: the one word that nothing takes up is
//! usually what was asked.

use crate::read::Question;
use crate::shelf::Shelf;
use engram_core::ask::telling;
use engram_core::port::Embedder;
use engram_core::rank::Evidence;
use engram_core::{Memory, MemoryId, Similarity};
use engram_index::is_stop_word;
use std::collections::HashMap;

/// So many of the first memories decide how sure an answer is, and are read for
/// words that mean nearly the same, each no further than so many words.
pub(crate) const FIRST_FEW: usize = 5;
const READ_WORDS: usize = 400;
/// A word that means nearly the same is not the word itself.
const NEARLY: f64 = 0.999;
/// How rare a word is that none of some thousand memories has. Among a few
/// memories the absence of a word means less.
const UNHEARD: f64 = 8.0;
/// About how much a word says that is neither common nor a name. Words are
/// worth so much where there is no table to tell.
const SAYS: f64 = 2.5;
/// How much more than the mean the worst of the words of a question weighs.
const WORST_OF_MANY: f64 = 1.5;

/// The words of a question, and what the absence of each would mean.
pub(crate) struct Wanted<'e> {
    words: Vec<Word>,
    message: bool,
    table: Option<&'e dyn Embedder>,
    /// How near the words of memories are to each word of the question; they
    /// repeat from one memory to the next.
    known: HashMap<String, Vec<f64>>,
    /// So many memories were read already.
    heard: usize,
}

/// What one memory says to a question.
pub(crate) struct Speaking {
    likeness: Option<Similarity>,
    /// How far each word is accounted for, between zero and one.
    accounted: Vec<f64>,
}

struct Word {
    written: String,
    weight: f64,
    /// Of length one; None without a table, and for what it cannot read.
    direction: Option<Vec<f32>>,
}

impl<'e> Wanted<'e> {
    pub(crate) fn of(question: &Question, table: Option<&'e dyn Embedder>) -> Self {
        let telling = telling(question.words.terms());
        let rarities = question.words.least_rarities(&question.statistics);
        let words = rarities.filter(|(written, _)| telling.contains(written)).map(|(written, rarity)| {
            let direction = table.and_then(|table| table.embed_word(written));
            let says = direction.as_ref().map_or(SAYS, |direction| f64::from(length(direction)));
            let weight = rarity / UNHEARD * says;
            Word { written: written.to_owned(), weight, direction: direction.map(to_unit) }
        });
        Self { words: words.collect(), message: question.message, table, known: HashMap::new(), heard: 0 }
    }

    /// Hears what a memory has to say; `terms` are the words of the question
    /// that it has.
    pub(crate) fn hear(
        &mut self,
        memory: &Memory,
        terms: &[(String, f64)],
        likeness: Option<Similarity>,
    ) -> Speaking {
        Speaking { likeness, accounted: self.accounted(memory, terms) }
    }

    fn accounted(&mut self, memory: &Memory, terms: &[(String, f64)]) -> Vec<f64> {
        let has = |word: &Word| terms.iter().any(|(term, _)| *term == word.written);
        let mut accounted: Vec<f64> =
            self.words.iter().map(|word| if has(word) { 1.0 } else { 0.0 }).collect();
        let Some(table) = self.table.filter(|_| accounted.contains(&0.0) && self.heard < FIRST_FEW) else {
            return accounted;
        };
        self.heard += 1;
        let written = memory.content.split(|mark: char| !mark.is_alphanumeric());
        for written in written.filter(|word| word.len() > 1).take(READ_WORDS) {
            let cosines = self.known.entry(written.to_lowercase()).or_insert_with_key(|word| {
                if is_stop_word(word) {
                    return Vec::new();
                }
                let direction = table.embed_word(word).unwrap_or_default();
                let length = length(&direction).max(f32::MIN_POSITIVE);
                let cosine = |wanted: &Vec<f32>| f64::from(dot(wanted, &direction) / length).min(NEARLY);
                self.words.iter().map(|word| word.direction.as_ref().map_or(0.0, cosine)).collect()
            });
            for (accounted, cosine) in accounted.iter_mut().zip(cosines.iter()) {
                *accounted = accounted.max(*cosine);
            }
        }
        accounted
    }

    /// The weight of the word that is accounted for least. A long message says
    /// much that nothing need answer; there all its words count alike.
    fn missing(&self, accounted: &[f64]) -> f64 {
        let left = self.words.iter().zip(accounted).map(|(word, accounted)| word.weight * (1.0 - accounted));
        match self.message {
            true => WORST_OF_MANY * left.sum::<f64>() / self.words.len().max(1) as f64,
            false => left.fold(0.0, f64::max),
        }
    }

    /// The share of the question, by weight, that is accounted for.
    fn covered(&self, accounted: &[f64]) -> f64 {
        let all: f64 = self.words.iter().map(|word| word.weight).sum();
        let found = self.words.iter().zip(accounted).map(|(word, accounted)| word.weight * accounted);
        if all > 0.0 { found.sum::<f64>() / all } else { 0.0 }
    }

    /// Nothing in the question tells what it is about.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(crate) fn alone(&self, found: &Speaking) -> Evidence {
        self.evidence(found.likeness, &found.accounted)
    }

    /// What several memories say together: each word where it is best accounted
    /// for, and how near they are on the whole.
    pub(crate) fn together(&self, all: &[Speaking]) -> Evidence {
        let best = |place: usize| all.iter().map(|found| found.accounted[place]).fold(0.0, f64::max);
        let accounted: Vec<f64> = (0..self.words.len()).map(best).collect();
        let near: Vec<f64> = all.iter().filter_map(|found| found.likeness).map(Similarity::get).collect();
        let mean = near.iter().sum::<f64>() / near.len().max(1) as f64;
        self.evidence((!near.is_empty()).then(|| Similarity::clamped(mean)), &accounted)
    }

    fn evidence(&self, likeness: Option<Similarity>, accounted: &[f64]) -> Evidence {
        Evidence { likeness, covered: self.covered(accounted), missing: self.missing(accounted) }
    }
}

/// How alike question and memory are, by the best embedder there is.
pub(crate) fn likeness_to(shelf: &Shelf, id: MemoryId, question: &Question) -> Option<Similarity> {
    let index = shelf.index();
    let model = shelf.serving_model_in(&index);
    model.into_iter().chain(shelf.table()).find_map(|embedder| {
        let cosine = index.cosine(embedder.id(), question.directions.get(embedder.id())?, id)?;
        Some(embedder.similarity(cosine as f32))
    })
}

fn length(direction: &[f32]) -> f32 {
    dot(direction, direction).sqrt()
}

/// Added up in lanes, so that the processor can do several at once.
fn dot(one: &[f32], other: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 16];
    for (one, other) in one.chunks_exact(16).zip(other.chunks_exact(16)) {
        for ((lane, a), b) in lanes.iter_mut().zip(one).zip(other) {
            *lane += a * b;
        }
    }
    let rest = one.len() / 16 * 16;
    let tail = one.iter().zip(other).skip(rest).map(|(a, b)| a * b);
    lanes.into_iter().chain(tail).sum()
}

fn to_unit(mut direction: Vec<f32>) -> Vec<f32> {
    let length = length(&direction);
    if length > 0.0 {
        direction.iter_mut().for_each(|x| *x /= length);
    }
    direction
}
