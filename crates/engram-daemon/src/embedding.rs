//! From the settings to the embedders: which one is chosen, who serves until
//! it has seen every text, and what is said when it is not there.
//!
//! The environment is read here for the way to an endpoint, and nowhere below.

use crate::clock::now;
use anyhow::Result;
use engram_core::port::Embedder;
use engram_engine::Embedders;
use engram_providers::models::State;
use engram_providers::{Cached, Chosen, Dialect, EndpointSpec, Models, Scale, Sparing, Ways, Web};
use engram_wire::Home;
use engram_wire::config::Settings;
use std::sync::Arc;
use std::time::Duration;

/// The name that stands for a server that makes vectors.
pub(crate) const ENDPOINT: &str = "endpoint";

/// What is always there.
const BUILT_IN: &str = "builtin";

/// Threads that embed many texts at once; one text is one thread's work.
const THREADS: usize = 2;

/// How long a model may take for a question; a client waits five seconds for
/// the whole answer. For texts that are kept nobody waits.
const QUESTION_WAIT: Duration = Duration::from_millis(2_500);
const DOCUMENT_WAIT: Duration = Duration::from_secs(60);

/// Refuses settings that name no embedder at all. One that exists and is not
/// there is done without; then this tells why, and what to do.
pub(crate) fn check(home: &Home, settings: &Settings) -> Result<Option<String>> {
    let name = settings.text("embedder.name");
    if name == ENDPOINT {
        let problem = spec(settings).check().err();
        return Ok(problem.map(|problem| {
            format!(
                "{problem}; `engram config set embedder.url ...` and `embedder.model` say where it is, \
                 `engram config set embedder.name builtin` does without it"
            )
        }));
    }
    match engram_providers::check(name, &Models::at(home.models_folder())) {
        Err(absence) if absence.is_absence() => Ok(Some(absence.to_string())),
        other => Ok(other.map(|()| None)?),
    }
}

/// The chosen one, and behind it the models whose vectors may serve until it
/// has seen every text. None of them is read before it is asked. An endpoint
/// that is not chosen any more is not asked either.
pub(crate) fn open(home: &Home, settings: &Settings) -> Result<Embedders> {
    let models = Models::at(home.models_folder());
    let name = settings.text("embedder.name");
    let Chosen { table, model } = match name {
        ENDPOINT if spec(settings).check().is_ok() => {
            engram_providers::choose_endpoint(spec(settings), ways(settings.text("embedder.url"))?)?
        }
        ENDPOINT => engram_providers::choose_unseen(BUILT_IN, &models, THREADS)?,
        name => engram_providers::choose_unseen(name, &models, THREADS)?,
    };
    let mut all: Vec<Arc<dyn Embedder>> = model.into_iter().collect();
    if !all.is_empty() {
        let others = models
            .list()
            .into_iter()
            .filter(|listed| listed.spec.name != name && matches!(listed.state, State::Installed(_)));
        all.extend(others.map(|listed| Arc::new(models.open(listed.spec, THREADS)) as Arc<dyn Embedder>));
    }
    // What is asked again within the half hour is not embedded again.
    let begun = now();
    let since = move || now().duration_since(begun).try_into().unwrap_or_default();
    let spared = |model| Arc::new(Cached::new(Arc::new(Sparing::new(model, QUESTION_WAIT, since)), since));
    let models = all.into_iter().map(|model| spared(model) as Arc<dyn Embedder>).collect();
    Ok(Embedders { table, models })
}

fn spec(settings: &Settings) -> EndpointSpec {
    let text = |key: &str| settings.text(key).to_owned();
    EndpointSpec {
        dialect: match settings.text("embedder.dialect") {
            "ollama" => Dialect::Ollama,
            _ => Dialect::OpenAi,
        },
        base: text("embedder.url"),
        model: text("embedder.model"),
        key: Some(text("embedder.key")).filter(|key| !key.is_empty()),
        dimensions: None,
        query_prefix: text("embedder.query_prefix"),
        document_prefix: text("embedder.document_prefix"),
        scale: Scale::UNKNOWN,
    }
}

fn ways(address: &str) -> Result<Ways> {
    Ok(Ways { questions: web(address, QUESTION_WAIT)?, documents: web(address, DOCUMENT_WAIT)? })
}

/// The way to an address: by the proxy of the environment, if it is far.
pub(crate) fn web(address: &str, wait: Duration) -> Result<Web> {
    let variable = |names: [&str; 2]| names.iter().find_map(|name| std::env::var(name).ok());
    let around = variable(["no_proxy", "NO_PROXY"]).unwrap_or_default();
    let proxy = match address.starts_with("https://") {
        _ if is_near(address, &around) => None,
        true => variable(["https_proxy", "HTTPS_PROXY"]),
        false => variable(["http_proxy", "HTTP_PROXY"]),
    };
    Ok(Web::new(wait, proxy.as_deref().filter(|proxy| !proxy.is_empty()))?)
}

/// Whether an address is reached without a proxy: on this machine, or under
/// one of the names in `around`, which commas part.
fn is_near(address: &str, around: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let place = rest.split('/').next().unwrap_or_default();
    let host = match place.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => place.split(':').next().unwrap_or_default(),
    };
    let under = |name: &str| {
        let name = name.trim().trim_start_matches('.');
        name == "*" || host == name || (!name.is_empty() && host.ends_with(&format!(".{name}")))
    };
    let here = host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback());
    here || around.split(',').any(under)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engram_wire::config::Source;

    #[test]
    fn a_proxy_is_not_asked_for_what_is_near() {
        for near in ["http://localhost:11434", "http://127.0.0.1/v1", "http://[::1]:8080/v1"] {
            assert!(is_near(near, ""), "{near}");
        }
        assert!(!is_near("https://api.example.com/v1", "example.org, ,other.com"));
        assert!(is_near("https://api.example.com/v1", "example.org,.example.com"));
        assert!(!is_near("https://notexample.com", "example.com"));
        assert!(is_near("https://anything", "*"));
    }

    #[test]
    fn an_unknown_name_is_refused_and_an_absent_model_is_done_without() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::locate(Some(folder.path().into()), None).unwrap();
        let with = |pairs: &[(&str, &str)]| {
            Settings::default().with_texts(pairs.iter().copied(), Source::Environment).unwrap()
        };
        let settings = with(&[("embedder.name", "word2vec")]);
        assert!(check(&home, &settings).unwrap_err().to_string().contains("word2vec"));
        let settings = with(&[("embedder.name", "e5-small-v2")]);
        let absence = check(&home, &settings).unwrap().unwrap();
        assert!(absence.contains("engram model install e5-small-v2"), "{absence}");
        let embedders = open(&home, &settings).unwrap();
        assert!(embedders.table.is_some() && embedders.models[0].id() == "e5-small-v2");

        let settings = with(&[("embedder.name", ENDPOINT)]);
        let absence = check(&home, &settings).unwrap().unwrap();
        assert!(absence.contains("no address") && absence.contains("embedder.url"), "{absence}");
        let embedders = open(&home, &settings).unwrap();
        assert!(embedders.table.is_some() && embedders.models.is_empty());
        let there =
            [("embedder.name", ENDPOINT), ("embedder.url", "http://[::1]:9"), ("embedder.model", "m")];
        assert_eq!(check(&home, &with(&there)).unwrap(), None);
        assert_eq!(open(&home, &with(&there)).unwrap().models[0].id(), "openai:m@[::1]:9");
    }
}
