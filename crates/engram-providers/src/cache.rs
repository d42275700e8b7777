//! A short memory in front of any embedder: the same question asked again
//! within minutes costs nothing. Texts that are stored are embedded once, or
//! again on purpose, and pass by.
//!
//! Questions are kept as hashes only. The time is whatever the clock it was given
//! says has passed since some moment.

use engram_core::port::{EmbedError, Embedder, Pending, Purpose};
use engram_core::unit::Similarity;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How many answers are kept, and for how long.
const ENTRIES: usize = 200;
const LIFETIME: Duration = Duration::from_secs(30 * 60);

pub(crate) type Key = [u8; 32];

pub struct Cached {
    embedder: Arc<dyn Embedder>,
    clock: Box<dyn Fn() -> Duration + Send + Sync>,
    kept: Mutex<Kept<Vec<f32>>>,
}

/// Answers by the hash of what was asked.
pub(crate) struct Kept<V> {
    entries: HashMap<Key, Entry<V>>,
    /// Counts the uses, so that the order of use is known within one instant.
    uses: u64,
}

struct Entry<V> {
    answer: V,
    made_at: Duration,
    last_use: u64,
}

impl<V> Default for Kept<V> {
    fn default() -> Self {
        Kept { entries: HashMap::new(), uses: 0 }
    }
}

impl<V: Clone> Kept<V> {
    pub(crate) fn find(&mut self, key: &Key, at: Duration) -> Option<V> {
        self.uses += 1;
        let entry = self.entries.get_mut(key)?;
        if at.saturating_sub(entry.made_at) >= LIFETIME {
            self.entries.remove(key);
            return None;
        }
        entry.last_use = self.uses;
        Some(entry.answer.clone())
    }

    pub(crate) fn keep(&mut self, key: Key, answer: V, at: Duration) {
        self.uses += 1;
        self.entries.insert(key, Entry { answer, made_at: at, last_use: self.uses });
        if self.entries.len() > ENTRIES {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.last_use).map(|(key, _)| *key);
            oldest.and_then(|key| self.entries.remove(&key));
        }
    }
}

impl Cached {
    /// `clock` tells how much time has passed since any one moment.
    pub fn new(embedder: Arc<dyn Embedder>, clock: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Cached { embedder, clock: Box::new(clock), kept: Mutex::default() }
    }

    fn kept(&self) -> MutexGuard<'_, Kept<Vec<f32>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(text: &str) -> Key {
    Sha256::digest(text).into()
}

impl Embedder for Cached {
    fn id(&self) -> &str {
        self.embedder.id()
    }

    fn dimensions(&self) -> usize {
        self.embedder.dimensions()
    }

    /// Asks the embedder for what is not kept, in one call. A failure is not
    /// kept.
    fn embed(&self, purpose: Purpose, texts: Vec<String>) -> Pending<'_, Result<Vec<Vec<f32>>, EmbedError>> {
        if purpose == Purpose::Document {
            return self.embedder.embed(purpose, texts);
        }
        Box::pin(async move {
            let at = (self.clock)();
            let keys: Vec<Key> = texts.iter().map(|text| key(text)).collect();
            let mut vectors: Vec<Option<Vec<f32>>> = {
                let mut kept = self.kept();
                keys.iter().map(|key| kept.find(key, at)).collect()
            };
            let missing = |vectors: &[Option<Vec<f32>>]| -> Vec<usize> {
                (0..vectors.len()).filter(|place| vectors[*place].is_none()).collect()
            };
            let places = missing(&vectors);
            if !places.is_empty() {
                let asked: Vec<String> = places.iter().map(|place| texts[*place].clone()).collect();
                let made = self.embedder.embed(purpose, asked).await?;
                let mut kept = self.kept();
                for (place, vector) in places.into_iter().zip(made) {
                    kept.keep(keys[place], vector.clone(), at);
                    vectors[place] = Some(vector);
                }
            }
            match missing(&vectors)[..] {
                [] => Ok(vectors.into_iter().flatten().collect()),
                [first, ..] => Err(EmbedError {
                    embedder: self.id().to_owned(),
                    problem: format!("it made no vector for text {} of {}", first + 1, texts.len()),
                }),
            }
        })
    }

    fn similarity(&self, cosine: f32) -> Similarity {
        self.embedder.similarity(cosine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers with the length of the text and remembers what it was asked.
    #[derive(Default)]
    struct Counting {
        asked: Mutex<Vec<(Purpose, String)>>,
    }

    impl Embedder for Counting {
        fn id(&self) -> &str {
            "counting"
        }
        fn dimensions(&self) -> usize {
            1
        }
        fn embed(
            &self,
            purpose: Purpose,
            texts: Vec<String>,
        ) -> Pending<'_, Result<Vec<Vec<f32>>, EmbedError>> {
            Box::pin(async move {
                if texts.contains(&"bad".to_owned()) {
                    return Err(EmbedError { embedder: "counting".to_owned(), problem: "bad".to_owned() });
                }
                let vectors = texts.iter().map(|text| vec![text.len() as f32]).collect();
                self.asked.lock().unwrap().extend(texts.into_iter().map(|text| (purpose, text)));
                Ok(vectors)
            })
        }
        fn similarity(&self, cosine: f32) -> Similarity {
            Similarity::clamped(f64::from(cosine))
        }
    }

    struct Story {
        embedder: Arc<Counting>,
        cached: Cached,
        minutes: Arc<Mutex<u64>>,
    }

    impl Story {
        fn new() -> Self {
            let embedder = Arc::new(Counting::default());
            let minutes = Arc::new(Mutex::new(0));
            let passed = Arc::clone(&minutes);
            let clock = move || Duration::from_secs(60 * *passed.lock().unwrap());
            let cached = Cached::new(Arc::clone(&embedder) as Arc<dyn Embedder>, clock);
            Story { embedder, cached, minutes }
        }

        fn ask(&self, purpose: Purpose, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
            let texts = texts.iter().map(|text| (*text).to_owned()).collect();
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            runtime.block_on(self.cached.embed(purpose, texts))
        }

        fn asked(&self) -> usize {
            self.embedder.asked.lock().unwrap().len()
        }
    }

    #[test]
    fn only_what_is_new_is_asked_for() {
        let story = Story::new();
        story.ask(Purpose::Query, &["one", "three"]).unwrap();
        let vectors = story.ask(Purpose::Query, &["three", "seven11", "one"]).unwrap();
        assert_eq!(vectors, [[5.0], [7.0], [3.0]]);
        assert_eq!(story.asked(), 3);
    }

    #[test]
    fn a_document_passes_by() {
        let story = Story::new();
        story.ask(Purpose::Query, &["one"]).unwrap();
        story.ask(Purpose::Document, &["one"]).unwrap();
        story.ask(Purpose::Document, &["one"]).unwrap();
        assert_eq!(story.asked(), 3);
        assert_eq!(story.cached.kept().entries.len(), 1);
    }

    #[test]
    fn half_an_hour_later_it_is_asked_again() {
        let story = Story::new();
        story.ask(Purpose::Query, &["one"]).unwrap();
        *story.minutes.lock().unwrap() = 29;
        story.ask(Purpose::Query, &["one"]).unwrap();
        assert_eq!(story.asked(), 1);
        *story.minutes.lock().unwrap() = 30;
        story.ask(Purpose::Query, &["one"]).unwrap();
        assert_eq!(story.asked(), 2);
    }

    #[test]
    fn what_was_not_used_longest_makes_room() {
        let story = Story::new();
        let names: Vec<String> = (0..ENTRIES).map(|number| number.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        story.ask(Purpose::Query, &names).unwrap();
        story.ask(Purpose::Query, &["0"]).unwrap();
        story.ask(Purpose::Query, &["one more"]).unwrap();
        assert_eq!(story.asked(), ENTRIES + 1);
        story.ask(Purpose::Query, &["0"]).unwrap();
        assert_eq!(story.asked(), ENTRIES + 1);
        story.ask(Purpose::Query, &["1"]).unwrap();
        assert_eq!(story.asked(), ENTRIES + 2);
        assert_eq!(story.cached.kept().entries.len(), ENTRIES);
    }

    #[test]
    fn a_failure_is_told_and_not_kept() {
        let story = Story::new();
        assert!(story.ask(Purpose::Query, &["bad"]).is_err());
        assert!(story.ask(Purpose::Query, &["bad", "one"]).is_err());
        assert_eq!(story.asked(), 0);
        assert!(story.cached.kept().entries.is_empty());
    }
}
