//! A question, taken apart into weighted terms, and the collection numbers that
//! tell how rare each term is.
//!
//! Every word the user wrote carries one unit of weight, and a compound one
//! more for all its parts together, so that a long identifier does not drown
//! the words beside it. Scores are computed in `text`; this module only says
//! what is asked.

use crate::analysis::{Forms, Word, read, speaks_of_self};
use engram_core::Share;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;

/// How much of a spelling's weight asks for it exactly as written; its stems
/// share the rest. A match by stem alone is then worth a little less.
const EXACT_SHARE: f64 = 0.1;

/// What is searched for.
#[derive(Debug, Clone, Default)]
pub struct Query {
    pub(crate) words: Vec<QueryWord>,
    /// The distinct terms of all words and their summed weights.
    pub(crate) weights: BTreeMap<String, f64>,
    /// Whoever asks speaks of himself.
    pub of_self: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct QueryWord {
    pub(crate) written: String,
    pub(crate) terms: Vec<(String, f64)>,
}

impl Query {
    /// Reads a question. A word asked twice counts once; stop words count only
    /// where there is nothing else.
    pub fn parse(text: &str) -> Query {
        let mut seen = BTreeSet::new();
        let mut words = read(&[text]);
        let of_self = speaks_of_self(&words);
        words.retain(|word| seen.insert(word.whole.exact.clone()));
        if !words.iter().all(Word::is_stop_word) {
            words.retain(|word| !word.is_stop_word());
        }
        let words: Vec<QueryWord> = words.iter().map(QueryWord::of).collect();
        let mut weights = BTreeMap::new();
        for (term, weight) in words.iter().flat_map(|word| &word.terms) {
            *weights.entry(term.clone()).or_default() += weight;
        }
        Query { words, weights, of_self }
    }

    /// Reads a text with its stop words, to see how rare each of its words is.
    pub fn every_word(text: &str) -> Query {
        let words = read(&[text]);
        let of_self = speaks_of_self(&words);
        let words: Vec<QueryWord> = words
            .iter()
            .map(|word| QueryWord {
                written: word.written.to_owned(),
                terms: vec![(word.whole.exact.clone(), 1.0)],
            })
            .collect();
        let weights = words.iter().flat_map(|word| word.terms.iter().cloned()).collect();
        Query { words, weights, of_self }
    }

    /// Every word as it was written, and how rare it is.
    pub fn rarities<'q>(&'q self, statistics: &'q Statistics) -> impl Iterator<Item = (&'q str, f64)> {
        self.words.iter().filter_map(|word| {
            let (exact, _) = word.terms.first()?;
            Some((word.written.as_str(), statistics.rarity(exact)))
        })
    }

    /// Every word with its rarity in the form that most here have.
    pub fn least_rarities<'q>(&'q self, statistics: &'q Statistics) -> impl Iterator<Item = (&'q str, f64)> {
        self.words.iter().map(|word| {
            let rarities = word.terms.iter().map(|(term, _)| statistics.rarity(term));
            (word.written.as_str(), rarities.fold(f64::INFINITY, f64::min))
        })
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words in every form that is searched for, each once.
    pub fn forms(&self) -> impl Iterator<Item = &str> {
        self.weights.keys().map(String::as_str)
    }

    /// The rarest of those forms, as many as this share of the collection holds
    /// together.
    pub fn rarest_forms(&self, statistics: &Statistics, most: Share) -> Vec<&str> {
        let holders = |term: &str| statistics.holders.get(term).copied().unwrap_or(0);
        let mut forms: Vec<&str> = self.forms().collect();
        forms.sort_by_key(|term| holders(term));
        let mut left = (most.get() * statistics.documents as f64) as u64;
        forms.retain(|term| {
            let fits = holders(term) <= left;
            left = left.saturating_sub(holders(term));
            fits
        });
        forms
    }

    /// The words that are searched for, as the user wrote them.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| word.written.as_str())
    }
}

impl QueryWord {
    fn of(word: &Word<'_>) -> Self {
        let mut terms = Vec::new();
        ask(&word.whole, 1.0, &mut terms);
        let parts: Vec<&Forms> = word.parts.iter().filter(|part| !part.is_stop_word()).collect();
        for part in &parts {
            ask(part, 1.0 / parts.len() as f64, &mut terms);
        }
        Self { written: word.written.to_owned(), terms }
    }
}

/// Divides `weight` among the forms of one spelling.
fn ask(forms: &Forms, weight: f64, terms: &mut Vec<(String, f64)>) {
    let mut add = |term: &String, weight: f64| match terms.iter_mut().find(|(known, _)| known == term) {
        Some((_, sum)) => *sum += weight,
        None => terms.push((term.clone(), weight)),
    };
    let exact_share = if forms.stems.is_empty() { 1.0 } else { EXACT_SHARE };
    add(&forms.exact, weight * exact_share);
    for stem in &forms.stems {
        add(stem, weight * (1.0 - EXACT_SHARE) / forms.stems.len() as f64);
    }
}

/// How large a collection is and how many of its memories hold each term of
/// one query. Added over several scopes, a word's rarity is one number for all
/// of them and their scores can be compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    pub(crate) documents: u64,
    /// Words in all documents together.
    pub(crate) words: u64,
    pub(crate) holders: BTreeMap<String, u64>,
}

impl Statistics {
    /// The rarity of a term: high for rare ones, never below zero.
    pub(crate) fn rarity(&self, term: &str) -> f64 {
        let holders = self.holders.get(term).copied().unwrap_or(0).min(self.documents) as f64;
        (1.0 + (self.documents as f64 - holders + 0.5) / (holders + 0.5)).ln()
    }

    /// How much of the collection has what is asked: no more than has the rarest
    /// of its words, in whichever of its forms.
    pub fn share_with(&self, query: &Query) -> Share {
        let holders = |term: &str| self.holders.get(term).copied().unwrap_or(0).min(self.documents);
        let of_word = |word: &QueryWord| word.terms.iter().map(|(term, _)| holders(term)).max();
        let least = query.words.iter().filter_map(of_word).min().unwrap_or(0);
        Share::clamped(least as f64 / self.documents.max(1) as f64)
    }

    /// Words in a document of average length.
    pub(crate) fn average_length(&self) -> f64 {
        (self.words as f64 / self.documents.max(1) as f64).max(1.0)
    }
}

impl AddAssign<&Statistics> for Statistics {
    fn add_assign(&mut self, other: &Statistics) {
        self.documents += other.documents;
        self.words += other.words;
        for (term, holders) in &other.holders {
            *self.holders.entry(term.clone()).or_default() += holders;
        }
    }
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Statistics) {
        *self += &other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rarest_forms_are_those_that_few_hold() {
        let query = Query::parse("the gateway of marmoset deploys");
        let holders = [("gateway", 40), ("deploys", 9), ("deploy", 30)];
        let statistics = Statistics {
            documents: 100,
            words: 1_000,
            holders: holders.map(|(term, count)| (term.to_owned(), count)).into(),
        };
        let rarest = |share: f64| query.rarest_forms(&statistics, Share::clamped(share));
        assert!(rarest(0.1).contains(&"marmoset") && rarest(0.1).contains(&"deploys"));
        assert!(!rarest(0.1).contains(&"gateway") && rarest(1.0).contains(&"gateway"));
        assert_eq!(
            rarest(0.0).len(),
            query.forms().filter(|form| !holders.iter().any(|(term, _)| term == form)).count()
        );
    }

    fn check(text: &str, expected: &[(&str, f64)]) {
        let weights = Query::parse(text).weights;
        assert_eq!(weights.len(), expected.len(), "{text}: {weights:?}");
        for (term, weight) in expected {
            assert!((weights[*term] - weight).abs() < 1e-12, "{text}: {weights:?}");
        }
    }

    #[test]
    fn weights_are_divided_among_forms_and_parts() {
        check("docker", &[("docker", 1.0)]);
        check("connections", &[("connections", 0.1), ("connect", 0.9)]);
        check("dark_mode", &[("darkmode", 0.1), ("darkmod", 0.9), ("dark", 0.5), ("mode", 0.5)]);
        check("docker docker Docker", &[("docker", 1.0)]);
    }

    #[test]
    fn stop_words_count_only_where_there_is_nothing_else() {
        check("where is the docker", &[("docker", 1.0)]);
        check("where is the", &[("where", 1.0), ("is", 1.0), ("the", 1.0)]);
        assert!(Query::parse(" ?! ").is_empty());
    }

    #[test]
    fn a_share_is_that_of_the_rarest_word_in_its_commonest_form() {
        let query = Query::parse("connections docker");
        let holders = [("connections", 1), ("connect", 4), ("docker", 6)];
        let holders = holders.map(|(term, count)| (term.to_owned(), count)).into();
        let statistics = Statistics { documents: 10, words: 100, holders };
        assert_eq!(statistics.share_with(&query).get(), 0.4);
        assert_eq!(statistics.share_with(&Query::parse("docker")).get(), 0.6);
        assert_eq!(statistics.share_with(&Query::parse("unheard")).get(), 0.0);
        assert_eq!(Statistics::default().share_with(&query).get(), 0.0, "nothing is in an empty one");
    }

    #[test]
    fn the_terms_are_shown_as_they_were_written() {
        let query = Query::parse("Where is src/main.rs?");
        assert_eq!(query.terms().collect::<Vec<_>>(), ["src/main.rs"]);
    }
}
