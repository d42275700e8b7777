//! Spares whoever asks a question, and an embedder that has just failed: nobody
//! waits longer than was said, and for some seconds after a failure the same
//! reason is told again without another try.
//!
//! Texts that are kept are always tried; who makes their vectors knows when to
//! leave off. The time is whatever the clock it was given says has passed.

use engram_core::port::{EmbedError, Embedder, Pending, Purpose};
use engram_core::unit::Similarity;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a failed one is left in peace.
const PEACE: Duration = Duration::from_secs(10);

pub struct Sparing {
    embedder: Arc<dyn Embedder>,
    patience: Duration,
    clock: Box<dyn Fn() -> Duration + Send + Sync>,
    /// The latest failure, until something succeeds.
    failed: Mutex<Option<(Duration, String)>>,
}

impl Sparing {
    /// `patience` is how long a question may take; `clock` tells how much time
    /// has passed since any one moment.
    pub fn new(
        embedder: Arc<dyn Embedder>,
        patience: Duration,
        clock: impl Fn() -> Duration + Send + Sync + 'static,
    ) -> Self {
        Sparing { embedder, patience, clock: Box::new(clock), failed: Mutex::default() }
    }

    fn failed(&self) -> MutexGuard<'_, Option<(Duration, String)>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn in_time(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, EmbedError> {
        let asked = tokio::time::timeout(self.patience, self.embedder.embed(Purpose::Query, texts));
        asked.await.unwrap_or_else(|_| {
            let problem = format!("it took longer than {:.1} seconds", self.patience.as_secs_f64());
            Err(EmbedError { embedder: self.id().to_owned(), problem })
        })
    }

    fn resting(&self) -> Option<EmbedError> {
        let failed = self.failed();
        let (since, problem) = failed.as_ref()?;
        let rests = (self.clock)().saturating_sub(*since) < PEACE;
        rests.then(|| EmbedError { embedder: self.id().to_owned(), problem: problem.clone() })
    }
}

impl Embedder for Sparing {
    fn id(&self) -> &str {
        self.embedder.id()
    }

    fn dimensions(&self) -> usize {
        self.embedder.dimensions()
    }

    fn embed(&self, purpose: Purpose, texts: Vec<String>) -> Pending<'_, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(async move {
            let outcome = match (purpose, self.resting()) {
                (Purpose::Query, Some(error)) => return Err(error),
                (Purpose::Query, None) => self.in_time(texts).await,
                (Purpose::Document, _) => self.embedder.embed(purpose, texts).await,
            };
            match (&outcome, purpose) {
                (Ok(_), _) => *self.failed() = None,
                (Err(error), Purpose::Query) => {
                    *self.failed() = Some(((self.clock)(), error.problem.clone()))
                }
                // Perhaps it was the text; a question may fare better.
                (Err(_), Purpose::Document) => {}
            }
            outcome
        })
    }

    fn embed_word(&self, word: &str) -> Option<Vec<f32>> {
        self.embedder.embed_word(word)
    }

    fn similarity(&self, cosine: f32) -> Similarity {
        self.embedder.similarity(cosine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

    /// Works or does not, and counts.
    #[derive(Default)]
    struct Moody {
        works: AtomicBool,
        asked: AtomicU64,
    }

    impl Embedder for Moody {
        fn id(&self) -> &str {
            "moody"
        }
        fn dimensions(&self) -> usize {
            1
        }
        fn embed(&self, _: Purpose, texts: Vec<String>) -> Pending<'_, Result<Vec<Vec<f32>>, EmbedError>> {
            Box::pin(async move {
                self.asked.fetch_add(1, Ordering::Relaxed);
                match self.works.load(Ordering::Relaxed) {
                    true => Ok(vec![vec![1.0]; texts.len()]),
                    false => Err(EmbedError { embedder: "moody".to_owned(), problem: "no".to_owned() }),
                }
            })
        }
        fn similarity(&self, cosine: f32) -> Similarity {
            Similarity::clamped(f64::from(cosine))
        }
    }

    #[test]
    fn one_that_failed_is_asked_again_after_a_while_or_when_it_has_worked() {
        let moody = Arc::new(Moody::default());
        let seconds = Arc::new(AtomicU64::new(100));
        let passed = Arc::clone(&seconds);
        let clock = move || Duration::from_secs(passed.load(Ordering::Relaxed));
        let patience = Duration::from_secs(60);
        let sparing = Sparing::new(Arc::clone(&moody) as Arc<dyn Embedder>, patience, clock);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let ask = |purpose| runtime.block_on(sparing.embed(purpose, vec!["x".to_owned()]));
        let asked = || moody.asked.load(Ordering::Relaxed);

        assert!(ask(Purpose::Query).is_err());
        moody.works.store(true, Ordering::Relaxed);
        assert_eq!(ask(Purpose::Query).unwrap_err().problem, "no");
        assert_eq!(asked(), 1);
        seconds.store(110, Ordering::Relaxed);
        assert!(ask(Purpose::Query).is_ok());
        assert_eq!(asked(), 2);

        moody.works.store(false, Ordering::Relaxed);
        assert!(ask(Purpose::Document).is_err());
        assert!(ask(Purpose::Query).is_err());
        assert_eq!(asked(), 4);
        moody.works.store(true, Ordering::Relaxed);
        assert!(ask(Purpose::Document).is_ok());
        assert!(ask(Purpose::Query).is_ok());
    }

    /// Never comes to an end.
    struct Endless;

    impl Embedder for Endless {
        fn id(&self) -> &str {
            "endless"
        }
        fn dimensions(&self) -> usize {
            1
        }
        fn embed(&self, _: Purpose, _: Vec<String>) -> Pending<'_, Result<Vec<Vec<f32>>, EmbedError>> {
            Box::pin(std::future::pending())
        }
        fn similarity(&self, cosine: f32) -> Similarity {
            Similarity::clamped(f64::from(cosine))
        }
    }

    #[test]
    fn nobody_waits_for_ever() {
        let sparing = Sparing::new(Arc::new(Endless), Duration::from_millis(20), || Duration::ZERO);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let error = runtime.block_on(sparing.embed(Purpose::Query, vec!["x".to_owned()])).unwrap_err();
        assert!(error.to_string().contains("longer than 0.0 seconds"), "{error}");
    }
}
