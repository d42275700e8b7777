//! Who turns texts into directions: the table that is always at hand, and the
//! models that are better and slower.
//!
//! A text gets its direction by the table in the same step in which it is
//! committed. Models are asked afterwards, so that nobody waits for them.

use crate::shelf::new_texts;
use engram_core::port::{EmbedError, Embedder, Purpose};
use engram_core::vector::{Packed, Precision};
use engram_core::{Changes, Codes, Memory, Similarity, StoredVector};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// The embedders in use. None at all: texts are compared by their words only.
#[derive(Clone, Default)]
pub struct Embedders {
    pub table: Option<Arc<dyn Embedder>>,
    /// The chosen one first; behind it those whose vectors still serve while
    /// it has not seen every text.
    pub models: Vec<Arc<dyn Embedder>>,
}

impl Embedders {
    /// The one that new vectors are to be made with.
    pub(crate) fn model(&self) -> Option<&Arc<dyn Embedder>> {
        self.models.first()
    }

    /// The directions of the texts that a change brings, by the table.
    pub async fn vectors_of(&self, changes: &Changes) -> Result<Vec<StoredVector>, EmbedError> {
        match &self.table {
            Some(table) => embed(&**table, &new_texts(&changes.writes)).await,
            None => Ok(Vec::new()),
        }
    }

    /// How alike two texts are, by the table.
    pub async fn likeness(&self, one: &str, other: &str) -> Option<Similarity> {
        let table = self.table.as_ref()?;
        let vectors = table.embed(Purpose::Document, vec![one.to_owned(), other.to_owned()]).await.ok()?;
        let [one, other] = vectors.as_slice() else { return None };
        let cosine = Codes::of(one)?.cosine(&Codes::of(other)?)?;
        Some(table.similarity(cosine as f32))
    }

    /// Those whose vectors are of use.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<dyn Embedder>> {
        self.table.iter().chain(&self.models)
    }
}

/// The directions of these memories. A text without a direction gets none, and
/// so does one that is not there any more.
pub(crate) async fn embed(
    embedder: &dyn Embedder,
    memories: &[&Memory],
) -> Result<Vec<StoredVector>, EmbedError> {
    let memories: Vec<&&Memory> = memories.iter().filter(|memory| !memory.content.is_empty()).collect();
    if memories.is_empty() {
        return Ok(Vec::new());
    }
    let texts: Vec<String> = memories.iter().map(|memory| memory.content.clone()).collect();
    let vectors = embedder.embed(Purpose::Document, texts).await?;
    let stored = memories.iter().zip(vectors).filter_map(|(memory, vector)| {
        Some(StoredVector {
            memory: memory.id,
            embedder: embedder.id().to_owned(),
            text_hash: text_hash(&memory.content),
            packed: Packed::pack(&vector, Precision::F32)?,
        })
    });
    Ok(stored.collect())
}

/// Tells whether a vector was made of this text.
pub(crate) fn text_hash(text: &str) -> String {
    Sha256::digest(text).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
