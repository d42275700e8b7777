//! Where agents keep their files on this machine.

use super::agents::{Base, Place};
use crate::around::{self, Around};
use engram_wire::Fault;
use std::path::{Path, PathBuf};

/// The folders that paths begin in.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    person: PathBuf,
    claude: PathBuf,
    claude_state: PathBuf,
    codex: PathBuf,
    copilot: PathBuf,
    settings: PathBuf,
    code: PathBuf,
    project: Option<PathBuf>,
}

impl Places {
    pub(crate) fn look(around: &Around) -> Result<Self, Fault> {
        let person = around.home.person().ok_or_else(|| {
            Fault::environment("there is no home folder to look for agents' files in").hint("set HOME")
        })?;
        let named =
            |variable: &str, usual: &str| around::folder_of(variable).unwrap_or_else(|| person.join(usual));
        let settings = named("XDG_CONFIG_HOME", ".config");
        let code = if cfg!(target_os = "macos") {
            person.join("Library/Application Support/Code/User")
        } else {
            settings.join("Code/User")
        };
        Ok(Self {
            person: person.to_owned(),
            claude: named("CLAUDE_CONFIG_DIR", ".claude"),
            claude_state: named("CLAUDE_CONFIG_DIR", ""),
            codex: named("CODEX_HOME", ".codex"),
            copilot: named("COPILOT_HOME", ".copilot"),
            settings,
            code,
            project: around.place.as_ref().map(|place| place.root.clone()),
        })
    }

    /// The project's folder; a fault where there is none.
    pub(crate) fn project(&self) -> Result<&Path, Fault> {
        self.project.as_deref().ok_or_else(|| {
            Fault::not_found("the current folder is in no project")
                .hint("a folder with git is a project; the home folder never is one")
        })
    }

    /// The file: the first of its names that exists, else the last.
    pub(crate) fn path(&self, place: Place) -> Result<PathBuf, Fault> {
        let base = match place.base {
            Base::Person => &self.person,
            Base::Claude => &self.claude,
            Base::ClaudeState => &self.claude_state,
            Base::Codex => &self.codex,
            Base::Copilot => &self.copilot,
            Base::Settings => &self.settings,
            Base::Code => &self.code,
            Base::Project => self.project()?,
        };
        let mut paths = place.names.iter().map(|name| base.join(name));
        let last = paths.next_back();
        paths
            .find(|path| path.exists())
            .or(last)
            .ok_or_else(|| Fault::internal("an agent has a file without a name"))
    }
}
