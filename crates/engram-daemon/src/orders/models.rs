//! The models that are installed: which there are, how one comes and goes.

use super::Speaker;
use crate::embedding::ENDPOINT;
use crate::serve::Daemon;
use engram_providers::models::{Accept, InstallError, Listed, Progress, RemoveError, State};
use engram_providers::{Models, Web};
use engram_wire::Fault;
use engram_wire::reply::{ModelLine, ModelState, ModelsListed};
use std::time::Duration;
use tokio::sync::mpsc;

/// How long a server may say nothing.
const WAIT: Duration = Duration::from_secs(30);

pub(super) fn list(daemon: &Daemon) -> ModelsListed {
    let models = Models::at(daemon.house.home.models_folder());
    let in_use = daemon.house.settings.text("embedder.name");
    let chosen = daemon.house.embedders.models.first().filter(|_| in_use == ENDPOINT);
    ModelsListed {
        in_use: in_use.to_owned(),
        endpoint: chosen.map(|model| model.id().to_owned()),
        models: models.list().iter().map(line).collect(),
    }
}

pub(super) async fn install(
    daemon: &Daemon,
    name: String,
    from: String,
    unverified: bool,
    speaker: &Speaker,
) -> Result<ModelsListed, Fault> {
    // Two at once would write into the same folder.
    let _turn = daemon.installing.lock().await;
    let models = Models::at(daemon.house.home.models_folder());
    let proxy = ["https_proxy", "HTTPS_PROXY"].iter().find_map(|name| std::env::var(name).ok());
    let web = Web::new(WAIT, proxy.as_deref()).map_err(|error| Fault::environment(error.to_string()))?;
    let accept = if unverified { Accept::Anything } else { Accept::Verified };
    let (tell, mut told) = mpsc::channel(16);
    let work = tokio::task::spawn_blocking(move || {
        // Whoever listens may be slower than the download; then steps are left out.
        models.install(&name, &from, accept, &web, &mut |step| {
            let _ = tell.try_send(step);
        })
    });
    while let Some(step) = told.recv().await {
        let (what, done, total) = match step {
            Progress::Downloading { bytes, total } => ("downloading", bytes, total),
            Progress::Unpacking => ("unpacking", 0, None),
            Progress::Converting => ("converting", 0, None),
            Progress::Trying => ("trying", 0, None),
        };
        speaker.progress(what, done, total).await;
    }
    let outcome = work.await.map_err(|error| Fault::internal(error.to_string()))?;
    outcome.map_err(|error| refused(&error))?;
    Ok(list(daemon))
}

pub(super) fn remove(daemon: &Daemon, name: &str) -> Result<ModelsListed, Fault> {
    if daemon.house.settings.text("embedder.name") == name {
        return Err(Fault::refused(format!("the model {name} is in use"))
            .hint("`engram model use builtin` goes back to the built-in table"));
    }
    let served = daemon.house.all_open();
    if let Some(store) = served.iter().find(|store| store.shelf.serving().as_deref() == Some(name)) {
        let message = format!("the model {name} still serves in {}", store.label());
        return Err(Fault::refused(message)
            .hint("it does until the chosen one has seen every text; `engram status` tells how far that is")
            .hint("`engram reindex` waits for it"));
    }
    Models::at(daemon.house.home.models_folder()).remove(name).map_err(|error| match error {
        RemoveError::NotInstalled(_) => Fault::not_found(error.to_string()),
        RemoveError::Io { .. } => Fault::environment(error.to_string()),
    })?;
    Ok(list(daemon))
}

fn refused(error: &InstallError) -> Fault {
    let fault = match error {
        InstallError::Unknown(_) => Fault::usage(error.to_string()),
        _ => Fault::refused(error.to_string()),
    };
    fault.hint("`engram model list` tells which packages carry a model")
}

fn line(listed: &Listed) -> ModelLine {
    let (state, installed, problem) = match &listed.state {
        State::Available => (ModelState::Available, None, None),
        State::Installed(installed) => (ModelState::Installed, Some(installed), None),
        State::Broken(problem) => (ModelState::Broken, None, Some(problem.clone())),
    };
    ModelLine {
        name: listed.spec.name.to_owned(),
        state,
        dimensions: listed.spec.dimensions,
        licence: listed.spec.licence.to_owned(),
        packages: listed.spec.packages.iter().map(|package| package.from.to_owned()).collect(),
        bytes: installed.map(|installed| installed.bytes),
        verified: installed.map(|installed| installed.verified),
        problem,
    }
}
