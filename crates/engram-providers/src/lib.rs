//! Embedders and language models behind the ports of the core.
//!
//! Which one is used is a setting; that none is needed is a promise.

use engram_core::port::Embedder;
use std::sync::Arc;

/// A name that no embedder answers to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no embedder \"{0}\"; only \"none\" is known so far")]
pub struct UnknownEmbedder(pub String);

/// The embedder a setting names. None: texts are compared by their words only.
pub fn embedder(name: &str) -> Result<Option<Arc<dyn Embedder>>, UnknownEmbedder> {
    match name {
        "none" => Ok(None),
        other => Err(UnknownEmbedder(other.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_is_a_choice_and_anything_else_is_named() {
        assert!(matches!(embedder("none"), Ok(None)));
        let error = embedder("bge").err().unwrap().to_string();
        assert!(error.contains("\"bge\""));
    }
}
