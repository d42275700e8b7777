//! What speaks for an answer being one: how near it is to the question, and
//! which word of the question it does not account for.
//!
//! A word is accounted for by itself, in any of its forms, and in part by one
//! that means nearly the same. How rare a word is here and how much it says at
//! all decide what its absence means: the one word that nothing takes up is
//! usually what was asked.

use crate::read::Question;
use crate::shelf::Shelf;
use engram_core::ask::is_of_asking;
use engram_core::port::Embedder;
use engram_core::rank::Evidence;
use engram_core::{Memory, MemoryId, Similarity};
use std::collections::HashMap;

/// A text is read no further than this for words that mean nearly the same.
const READ: usize = 400;
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
    /// Directions of the words of memories, which repeat from one to the next.
    known: HashMap<String, Vec<f32>>,
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
        let rarities = question.words.least_rarities(&question.statistics);
        let words = rarities.filter(|(written, _)| !is_of_asking(written)).map(|(written, rarity)| {
            let direction = table.and_then(|table| table.embed_word(written));
            let says = direction.as_ref().map_or(SAYS, |direction| length(direction));
            let weight = rarity / UNHEARD * says;
            Word { written: written.to_owned(), weight, direction: direction.map(to_unit) }
        });
        Self { words: words.collect(), message: question.message, table, known: HashMap::new() }
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
        let Some(table) = self.table.filter(|_| accounted.contains(&0.0)) else { return accounted };
        for written in memory.content.split(|mark: char| !mark.is_alphanumeric()).take(READ) {
            if written.len() < 2 {
                continue;
            }
            let direction = self
                .known
                .entry(written.to_lowercase())
                .or_insert_with_key(|word| table.embed_word(word).map(to_unit).unwrap_or_default());
            for (word, accounted) in self.words.iter().zip(&mut accounted) {
                if *accounted < 1.0
                    && let Some(wanted) = &word.direction
                {
                    let cosine: f32 = wanted.iter().zip(direction.iter()).map(|(a, b)| a * b).sum();
                    *accounted = accounted.max(f64::from(cosine).min(0.999));
                }
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

fn length(direction: &[f32]) -> f64 {
    f64::from(direction.iter().map(|x| x * x).sum::<f32>().sqrt())
}

fn to_unit(mut direction: Vec<f32>) -> Vec<f32> {
    let length = length(&direction) as f32;
    if length > 0.0 {
        direction.iter_mut().for_each(|x| *x /= length);
    }
    direction
}
