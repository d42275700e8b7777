//! `install`: engram into an agent's files.

use crate::args::{Global, Install};
use crate::around::{self, Around};
use crate::installing::agents::{self, GENERIC, PLUGIN_COMMANDS};
use crate::installing::apply::apply_install;
use crate::installing::places::Places;
use crate::installing::plan::{Action, plan_install};
use crate::installing::record::{FileRecord, Installed};
use crate::out::Out;
use crate::show::{self, Told};
use engram_wire::Fault;
use serde_json::json;

pub(crate) fn run(global: &Global, install: &Install) -> Result<u8, Fault> {
    let around = Around::look(global)?;
    let (settings, _) = around.settings_and_problems();
    let out = Out::new(global.json, global.color, settings.text("client.color"), around::no_color());
    if install.plugin {
        return plugin(&out, &install.agent);
    }
    if install.agent == GENERIC {
        let text = agents::generic();
        out.own(&json!({ "agent": GENERIC, "written": false, "text": text }), &text)?;
        return Ok(0);
    }
    let agent = agents::find(&install.agent)
        .ok_or_else(|| Fault::usage(format!("no agent is called {}", install.agent)))?;
    let places = Places::look(&around)?;
    let installed = Installed::load(&around.home)?;
    let steps = plan_install(agent, install.project, &places, &around.home, &installed, install.force)?;
    let told: Vec<Told> = steps.iter().map(Told::of).collect();
    if !install.print {
        apply_install(&steps, &installed, &around.home)?;
    }
    let changes = told.iter().any(|told| told.action != Action::Nothing);
    let mut notes = if changes { notes(agent, install.project, &installed) } else { Vec::new() };
    if steps.iter().any(|step| step.backup.is_some()) {
        notes.push(format!("what was there is kept in {}", around.home.installed_folder().display()));
    }
    let value = json!({
        "agent": agent.name, "written": changes && !install.print, "files": told, "notes": notes,
    });
    out.own(&value, &show::installed(agent.title, &told, !install.print, &notes, &out.look))?;
    Ok(0)
}

fn notes(agent: &agents::Agent, in_project: bool, installed: &Installed) -> Vec<String> {
    let mut notes: Vec<String> = agent.notes.iter().map(|note| (*note).to_owned()).collect();
    if !around::is_on_path("engram") {
        notes.push(format!("engram is not on the PATH, where {} looks for it", agent.title));
    }
    let elsewhere =
        |record: &&FileRecord| record.agent == agent.name && record.project.is_some() != in_project;
    if installed.files.iter().any(|record| elsewhere(&record)) {
        notes
            .push("it is installed for you and in a project; there, everything may be told twice".to_owned());
    }
    if in_project {
        notes.push("whoever shares these files needs engram, too".to_owned());
    }
    notes.push(format!("{} reads its settings when it starts", agent.title));
    notes
}

fn plugin(out: &Out, agent: &str) -> Result<u8, Fault> {
    if agent != "claude-code" {
        return Err(Fault::usage("only Claude Code has a plugin of engram")
            .hint("`engram install claude-code --plugin` tells how it is installed"));
    }
    let text = format!("{}\n", PLUGIN_COMMANDS.join("\n"));
    out.own(&json!({ "agent": agent, "written": false, "commands": PLUGIN_COMMANDS }), &text)?;
    Ok(0)
}
