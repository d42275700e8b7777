//! How it is told what was, or would be, written into agents' files.

use super::{Look, clean, clean_line, plural};
use crate::installing::lines::Line;
use crate::installing::plan::{Action, Step};
use serde::Serialize;
use std::path::PathBuf;

/// What happened, or would happen, to one file.
#[derive(Debug, Serialize)]
pub(crate) struct Told {
    pub(crate) file: PathBuf,
    pub(crate) agent: String,
    /// The project it belongs to; absent: the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) project: Option<PathBuf>,
    pub(crate) action: Action,
    pub(crate) lines: Vec<Line>,
    /// What somebody changed and is left as it is, and what could not be done.
    pub(crate) left: Vec<String>,
}

impl Told {
    pub(crate) fn of(step: &Step) -> Self {
        Self {
            file: step.file.clone(),
            agent: step.agent.clone(),
            project: step.project.clone(),
            action: step.action(),
            lines: step.lines(),
            left: step.left.clone(),
        }
    }

    fn amount(&self) -> String {
        let count = |sign| self.lines.iter().filter(|line| line.sign == sign).count();
        let told = [(count('+'), "added"), (count('-'), "taken away")];
        let told = told.into_iter().filter(|(count, _)| *count > 0);
        told.map(|(count, verb)| format!("{} {verb}", plural(count, "line", "lines")))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// One file: what is done, the lines if they are wanted, and what is left.
fn file(told: &Told, done: bool, lines: bool, look: &Look) -> String {
    let verb = match (told.action, done) {
        (Action::Create, true) => "created",
        (Action::Create, false) => "would be created",
        (Action::Change, true) => "changed",
        (Action::Change, false) => "would be changed",
        (Action::Remove, true) => "removed",
        (Action::Remove, false) => "would be removed",
        (Action::Nothing, _) => "nothing to do",
    };
    let amount = if told.lines.is_empty() { String::new() } else { format!(" ({})", told.amount()) };
    let name = look.bold(&clean_line(&told.file.display().to_string()));
    let mut text = format!("{name}: {verb}{amount}\n");
    for line in told.lines.iter().filter(|_| lines) {
        let shown = format!("  {} {:>4}  {}", line.sign, line.number, clean(&line.text));
        let shown = shown.trim_end();
        text += &match line.sign {
            '+' => look.good(shown),
            _ => look.bad(shown),
        };
        text.push('\n');
    }
    for left in &told.left {
        text += &format!("  left: {}\n", clean_line(left));
    }
    text
}

/// What installing did, or would do.
pub(crate) fn installed(title: &str, told: &[Told], done: bool, notes: &[String], look: &Look) -> String {
    let mut text = String::new();
    if told.iter().all(|told| told.action == Action::Nothing) {
        text += &format!("{title}: engram is installed already; nothing to do.\n");
        for told in told.iter().filter(|told| !told.left.is_empty()) {
            text += &file(told, done, false, look);
        }
    } else {
        for told in told {
            text += &file(told, done, !done, look);
        }
    }
    for note in notes {
        text += &format!("note: {}\n", clean_line(note));
    }
    text
}

/// What else of engram there is on this machine.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Rest {
    /// Its record and its backups that go.
    pub(crate) own: Vec<PathBuf>,
    /// The folders that it made, and that go because nothing else is in them.
    pub(crate) folders: Vec<PathBuf>,
    /// The daemon's process.
    pub(crate) process: Option<u32>,
    /// Engram's own folders, with memories and settings.
    pub(crate) data: Vec<PathBuf>,
    pub(crate) data_goes: bool,
    /// The files of skills that engram made.
    pub(crate) skills: Vec<PathBuf>,
    /// Exports and backups outside of its folders.
    pub(crate) copies: Vec<PathBuf>,
    /// Where the keys are kept of what is served over HTTP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) keys: Option<PathBuf>,
}

/// What uninstalling removed, or would remove.
pub(crate) fn uninstalled(told: &[Told], rest: &Rest, done: bool, whole: bool, look: &Look) -> String {
    let mut text = String::new();
    for told in told {
        text += &file(told, done, !done, look);
    }
    if told.is_empty() {
        text += if whole {
            "Nothing of engram is in agents' files.\n"
        } else {
            "Nothing of engram is in this agent's files.\n"
        };
    }
    let would = |verb: &str| if done { verb.to_owned() } else { format!("would be {verb}") };
    let path = |path: &PathBuf| clean_line(&path.display().to_string());
    for file in &rest.own {
        text += &format!("{}: {} (engram's record of what was installed)\n", path(file), would("removed"));
    }
    for folder in &rest.folders {
        text += &format!("{}: {} (a folder that engram made)\n", path(folder), would("removed"));
    }
    if let Some(process) = rest.process {
        text += &format!("process {process} (engramd): {}\n", would("ended"));
    }
    for folder in rest.data.iter().filter(|_| rest.data_goes) {
        text += &format!("{}: {}, with every memory in it\n", path(folder), would("removed"));
    }
    let stays: Vec<&PathBuf> =
        rest.data.iter().filter(|folder| !rest.data_goes && !rest.folders.contains(folder)).collect();
    if !stays.is_empty() {
        text += "These stay; `engram uninstall --data` removes them:\n";
        for folder in stays {
            text += &format!("  {}\n", path(folder));
        }
    }
    if let Some(file) = rest.keys.as_ref().filter(|_| !rest.data_goes) {
        text += &format!(
            "{} stays, too: with the keys in it the window and MCP over HTTP are served again.\n",
            path(file)
        );
    }
    if !rest.copies.is_empty() {
        text += match rest.data_goes {
            true => "Copies that engram wrote stay, and nothing lists them any more:\n",
            false => "Copies that engram wrote stay, too; `engram copies` lists them:\n",
        };
        for file in &rest.copies {
            text += &format!("  {}\n", path(file));
        }
    }
    if !rest.skills.is_empty() {
        text += "Skills that engram made stay, too; an agent loads them:\n";
        for file in &rest.skills {
            text += &format!("  {}\n", path(file));
        }
    }
    if whole {
        text += "The programs engram and engramd stay; `make uninstall` removes them.\n";
    }
    text
}
