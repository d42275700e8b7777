//! Embedders and language models behind the ports of the core.
//!
//! Which one is used is a setting; that none is needed is a promise. Nothing
//! here reads the environment or asks for the time: folders, keys, proxies and
//! clocks are arguments.

mod cache;
mod endpoint;
mod key;
mod llm;
pub mod models;
mod onnx;
mod operation_log;
mod scale;
mod sparing;
mod spec;
mod table;
mod tensors;
#[cfg(test)]
mod tiny;
mod transformer;
mod web;
mod wordpiece;

pub use cache::Cached;
pub use endpoint::{BadEndpoint, Dialect, Endpoint, EndpointSpec, Ways};
pub use key::{BadKey, Key, KeychainError, key_from_keychain, keychain_lookup};
pub use llm::{
    BadLedger, Budget, Budgeted, ChosenLlm, Ledger, LedgerFile, LedgerPlace, LlmDialect, LlmSpec, LlmWays,
    NoLlm, Pace, Spending, choose_llm,
};
pub use models::Models;
pub use operation_log::{LoggedTexts, Lost, OperationLog};
pub use scale::Scale;
pub use sparing::Sparing;
pub use spec::{KNOWN, ModelSpec, Package, Prefixes, find_model};
pub use table::Table;
pub use tensors::TensorError;
pub use transformer::{Pooling, Transformer};
pub use web::{Web, WebError};
pub use wordpiece::{MissingToken, WordPiece};

use engram_core::port::Embedder;
use models::State;
use std::sync::Arc;

/// What a setting chose.
#[derive(Clone, Default)]
pub struct Chosen {
    /// The built-in table; there unless somebody wants words only.
    pub table: Option<Arc<dyn Embedder>>,
    pub model: Option<Arc<dyn Embedder>>,
}

/// Why a setting names no embedder that could be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoEmbedder {
    #[error("there is no embedder \"{0}\"; known are none, builtin, endpoint, {known}", known = models::names())]
    Unknown(String),
    #[error(
        "the embedder {0} is not installed; `engram model install {0} --from ...` brings it, \
         `engram model use builtin` does without it"
    )]
    NotInstalled(&'static str),
    #[error(
        "the embedder {0} is broken ({1}); `engram model install {0} --from ...` mends it, \
         `engram model use builtin` does without it"
    )]
    Broken(&'static str, String),
    #[error("the embedder endpoint cannot be used: {0}")]
    BadEndpoint(#[from] BadEndpoint),
    #[error("{0}")]
    BadTable(String),
}

impl NoEmbedder {
    /// It exists and may come back; one can do without it until then.
    pub const fn is_absence(&self) -> bool {
        matches!(self, NoEmbedder::NotInstalled(_) | NoEmbedder::Broken(..))
    }
}

/// Whether `choose` would find what the setting names, without making it.
pub fn check(name: &str, models: &Models) -> Result<(), NoEmbedder> {
    if ["none", "builtin"].contains(&name) {
        return Ok(());
    }
    let spec = find_model(name).ok_or_else(|| NoEmbedder::Unknown(name.to_owned()))?;
    match models.state(spec) {
        State::Installed(_) => Ok(()),
        State::Available => Err(NoEmbedder::NotInstalled(spec.name)),
        State::Broken(problem) => Err(NoEmbedder::Broken(spec.name, problem)),
    }
}

/// The embedders a setting names: "none" for words only, "builtin" for the
/// table, or a model, which works beside the table.
pub fn choose(name: &str, models: &Models, threads: usize) -> Result<Chosen, NoEmbedder> {
    check(name, models)?;
    choose_unseen(name, models, threads)
}

/// The same where the model may be absent: whoever asks it then hears why not,
/// until somebody has installed it.
pub fn choose_unseen(name: &str, models: &Models, threads: usize) -> Result<Chosen, NoEmbedder> {
    match find_model(name) {
        Some(spec) => beside_table(Some(Arc::new(models.open(spec, threads)))),
        None if name == "builtin" => beside_table(None),
        None if name == "none" => Ok(Chosen::default()),
        None => Err(NoEmbedder::Unknown(name.to_owned())),
    }
}

/// An embedder somewhere else, beside the table. Nobody is asked yet.
pub fn choose_endpoint(spec: EndpointSpec, ways: Ways) -> Result<Chosen, NoEmbedder> {
    spec.check()?;
    beside_table(Some(Arc::new(Endpoint::new(spec, ways))))
}

fn beside_table(model: Option<Arc<dyn Embedder>>) -> Result<Chosen, NoEmbedder> {
    let table = Table::built_in().map_err(|error| NoEmbedder::BadTable(error.to_string()))?;
    Ok(Chosen { table: Some(Arc::new(table)), model })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_and_the_table_are_choices_and_anything_else_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let models = Models::at(folder.path());
        let chosen = |name: &str| choose(name, &models, 1);
        assert!(chosen("none").unwrap().table.is_none());
        assert!(chosen("builtin").unwrap().table.is_some_and(|table| table.dimensions() == 256));
        let error = chosen("bge").err().unwrap();
        assert!(error.to_string().contains("\"bge\"") && error.to_string().contains("e5-small-v2"));
        let error = chosen("e5-small-v2").err().unwrap();
        assert_eq!(error, NoEmbedder::NotInstalled("e5-small-v2"));
        std::fs::create_dir(folder.path().join("e5-small-v2")).unwrap();
        let error = chosen("e5-small-v2").err().unwrap();
        assert!(error.to_string().contains("model.toml"), "{error}");
        assert!(error.is_absence());
        let unseen = choose_unseen("e5-small-v2", &models, 1).unwrap();
        assert!(unseen.model.is_some_and(|model| model.id() == "e5-small-v2"));
        assert!(!choose_unseen("bge", &models, 1).err().unwrap().is_absence());
    }
}
