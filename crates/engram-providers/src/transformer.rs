//! The sentence models as embedders, on the processor.
//!
//! A model is loaded when the first text comes, on a thread that may block;
//! a load that failed is tried again with the next text, because somebody may
//! have repaired the folder. Where models come from is `models`' business.

mod arithmetic;
mod bert;

pub use bert::Pooling;
pub(crate) use bert::needed_tensors;

use crate::spec::ModelSpec;
use crate::tensors::{TensorError, TensorFile};
use crate::wordpiece::{MissingToken, WordPiece};
use bert::{Bert, Shape};
use engram_core::port::{EmbedError, Embedder, Pending, Purpose};
use engram_core::unit::Similarity;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The files of a model's folder.
pub(crate) const WEIGHTS: &str = "weights.safetensors";
pub(crate) const VOCABULARY: &str = "vocab.txt";

/// Tokens that go through the network together: enough to read the weights
/// seldom, few enough for the caches.
const TOGETHER: usize = 256;

/// A sentence model in a folder.
#[derive(Clone)]
pub struct Transformer {
    inner: Arc<Inner>,
}

struct Inner {
    spec: &'static ModelSpec,
    folder: PathBuf,
    threads: usize,
    model: Mutex<Option<Arc<Model>>>,
}

struct Model {
    words: WordPiece,
    bert: Bert,
}

#[derive(Debug, thiserror::Error)]
enum LoadError {
    #[error("its vocabulary cannot be read: {0}")]
    Vocabulary(std::io::Error),
    #[error(transparent)]
    Token(#[from] MissingToken),
    #[error(transparent)]
    Weights(#[from] TensorError),
}

impl Transformer {
    /// Reads nothing yet. Batches are shared among `threads`; one text is one
    /// thread's work.
    pub fn new(spec: &'static ModelSpec, folder: PathBuf, threads: usize) -> Self {
        Transformer { inner: Arc::new(Inner { spec, folder, threads, model: Mutex::new(None) }) }
    }

    /// As the port's `embed`, on this thread.
    pub fn embed_here(&self, purpose: Purpose, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let failed = |problem: LoadError| self.failed(problem.to_string());
        let model = self.model().map_err(failed)?;
        let spec = self.inner.spec;
        let prefix = spec.prefixes.of(purpose);
        let tokens: Vec<Vec<u32>> = texts
            .iter()
            .map(|text| model.words.framed(&format!("{prefix}{text}"), spec.max_tokens))
            .collect();
        embed_shared(&model.bert, &tokens, self.inner.threads).map_err(|problem| failed(problem.into()))
    }

    /// The token numbers the model sees of a text.
    pub fn tokens(&self, purpose: Purpose, text: &str) -> Result<Vec<u32>, EmbedError> {
        let model = self.model().map_err(|problem| self.failed(problem.to_string()))?;
        let spec = self.inner.spec;
        Ok(model.words.framed(&format!("{}{text}", spec.prefixes.of(purpose)), spec.max_tokens))
    }

    /// Whoever comes while it is loaded waits for it.
    fn model(&self) -> Result<Arc<Model>, LoadError> {
        let mut model = self.inner.model.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = &*model {
            return Ok(Arc::clone(model));
        }
        let loaded = Arc::new(Model::load(self.inner.spec, &self.inner.folder)?);
        *model = Some(Arc::clone(&loaded));
        Ok(loaded)
    }

    fn failed(&self, problem: String) -> EmbedError {
        EmbedError { embedder: self.inner.spec.name.to_owned(), problem }
    }
}

impl Model {
    fn load(spec: &ModelSpec, folder: &Path) -> Result<Self, LoadError> {
        let vocabulary = fs::read_to_string(folder.join(VOCABULARY)).map_err(LoadError::Vocabulary)?;
        let words = WordPiece::new(vocabulary.lines())?;
        let file = TensorFile::open(&folder.join(WEIGHTS))?;
        let shape = Shape { layers: spec.layers, heads: spec.heads, pooling: spec.pooling };
        Ok(Model { words, bert: Bert::load(file, shape)? })
    }
}

/// Groups of texts, each group the next free thread's.
fn embed_shared(bert: &Bert, texts: &[Vec<u32>], threads: usize) -> Result<Vec<Vec<f32>>, TensorError> {
    let groups = groups(texts, threads);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push((group.start, bert.embed(&texts[group.clone()])?));
        }
        Ok::<_, TensorError>(done)
    };
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(groups.len())).map(|_| scope.spawn(work)).collect();
        let mut done = work()?;
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok::<_, TensorError>(done)
    })?;
    done.sort_unstable_by_key(|(start, _)| *start);
    Ok(done.into_iter().flat_map(|(_, vectors)| vectors).collect())
}

/// Neighbours of at most `TOGETHER` tokens, or one longer text; fewer where
/// threads would have nothing to do.
fn groups(texts: &[Vec<u32>], threads: usize) -> Vec<std::ops::Range<usize>> {
    let all: usize = texts.iter().map(Vec::len).sum();
    let limit = TOGETHER.min(all.div_ceil(threads.max(1)));
    let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
    let mut room = 0;
    for (at, text) in texts.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if text.len() <= room => group.end = at + 1,
            _ => {
                groups.push(at..at + 1);
                room = limit;
            }
        }
        room = room.saturating_sub(text.len());
    }
    groups
}

impl Embedder for Transformer {
    fn id(&self) -> &str {
        self.inner.spec.name
    }

    fn dimensions(&self) -> usize {
        self.inner.spec.dimensions
    }

    fn embed(&self, purpose: Purpose, texts: Vec<String>) -> Pending<'_, Result<Vec<Vec<f32>>, EmbedError>> {
        let this = self.clone();
        Box::pin(async move {
            let work = tokio::task::spawn_blocking(move || this.embed_here(purpose, &texts));
            work.await.unwrap_or_else(|stopped| Err(self.failed(stopped.to_string())))
        })
    }

    fn similarity(&self, cosine: f32) -> Similarity {
        self.inner.spec.scale.similarity(cosine)
    }
}

#[cfg(test)]
mod tests;
