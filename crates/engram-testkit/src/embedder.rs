//! An embedder that needs no model: a text points where its words do.

use engram_core::Similarity;
use engram_core::port::{EmbedError, Embedder, Pending, Purpose};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Takes its time, can be out of order, and counts the texts it has seen.
pub struct FakeEmbedder {
    id: String,
    dimensions: usize,
    /// So often it lets others go first, for each text.
    slowness: usize,
    broken: AtomicBool,
    unbearable: Option<String>,
    seen: AtomicUsize,
}

impl FakeEmbedder {
    pub fn new(id: &str, dimensions: usize, slowness: usize) -> Self {
        Self {
            id: id.to_owned(),
            dimensions,
            slowness,
            broken: AtomicBool::new(false),
            unbearable: None,
            seen: AtomicUsize::new(0),
        }
    }

    /// Refuses a text that has this in it, and whatever comes with it.
    pub fn refusing(self, unbearable: &str) -> Self {
        Self { unbearable: Some(unbearable.to_owned()), ..self }
    }

    pub fn set_broken(&self, broken: bool) {
        self.broken.store(broken, Ordering::Relaxed);
    }

    /// How many texts to be kept it was given.
    pub fn seen(&self) -> usize {
        self.seen.load(Ordering::Relaxed)
    }

    /// The direction of a text; one without a letter has none.
    pub fn direction(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0.0; self.dimensions];
        let lower = text.to_lowercase();
        for word in lower.split(|mark: char| !mark.is_alphanumeric()).filter(|word| !word.is_empty()) {
            let mut hasher = DefaultHasher::new();
            (&self.id, word).hash(&mut hasher);
            vector[hasher.finish() as usize % self.dimensions] += 1.0;
        }
        let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
        if length > 0.0 {
            vector.iter_mut().for_each(|number| *number /= length);
        }
        vector
    }
}

impl Embedder for FakeEmbedder {
    fn id(&self) -> &str {
        &self.id
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn embed(&self, purpose: Purpose, texts: Vec<String>) -> Pending<'_, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(async move {
            for _ in 0..texts.len() * self.slowness {
                tokio::task::yield_now().await;
            }
            let unbearable = |text: &String| self.unbearable.as_ref().is_some_and(|part| text.contains(part));
            if self.broken.load(Ordering::Relaxed) || texts.iter().any(unbearable) {
                return Err(EmbedError {
                    embedder: self.id.clone(),
                    problem: "it is out of order".to_owned(),
                });
            }
            if purpose == Purpose::Document {
                self.seen.fetch_add(texts.len(), Ordering::Relaxed);
            }
            Ok(texts.iter().map(|text| self.direction(text)).collect())
        })
    }

    fn similarity(&self, cosine: f32) -> Similarity {
        Similarity::clamped(f64::from(cosine))
    }
}
