//! What engram wrote into other programs' files, kept so that it can be undone
//! exactly: one JSON file in engram's home, and beside it the files as they were.

use super::entry::Entry;
use super::files;
use engram_wire::{Fault, Home};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The form this program writes.
const VERSION: u32 = 1;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Installed {
    version: u32,
    /// Folders that did not exist before, the outer ones first.
    #[serde(default)]
    pub(crate) folders: Vec<PathBuf>,
    #[serde(default)]
    pub(crate) files: Vec<FileRecord>,
}

/// What was done to one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FileRecord {
    pub(crate) agent: String,
    /// The project it was installed in; None: for the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) project: Option<PathBuf>,
    /// As the agent knows it; it may be a link.
    pub(crate) file: PathBuf,
    /// There was none before.
    pub(crate) created: bool,
    /// The file as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) before: Option<Kept>,
    /// The digest of the file as it was written; empty where that says nothing.
    pub(crate) after: String,
    pub(crate) entries: Vec<Entry>,
    /// The containers that were made for the entries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) made: Vec<Vec<String>>,
}

/// A backup: its name in the folder of backups, and the digest of its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) name: String,
    pub(crate) digest: String,
}

impl Kept {
    /// How the file's text is kept.
    pub(crate) fn of(file: &Path, text: &str) -> Self {
        let end = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let start: String = files::digest(&file.to_string_lossy()).chars().take(16).collect();
        Self { name: format!("{start}-{end}"), digest: files::digest(text) }
    }

    /// The text, if it is still there as it was.
    pub(crate) fn load(&self, home: &Home) -> Option<String> {
        // The name comes from a file; it must not lead elsewhere.
        let name = Path::new(&self.name).file_name()?;
        let text = fs::read_to_string(home.installed_folder().join(name)).ok()?;
        (files::digest(&text) == self.digest).then_some(text)
    }
}

impl Installed {
    /// What was installed; nothing where there is no record.
    pub(crate) fn load(home: &Home) -> Result<Self, Fault> {
        let file = home.installed_file();
        let bytes = match fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => {
                return Err(Fault::environment(format!("{} could not be read: {error}", file.display())));
            }
        };
        let not_understood = |why: String| {
            Fault::environment(format!("{} is not understood: {why}", file.display()))
                .hint("it says what engram wrote into other programs' files; a newer engram may read it")
        };
        let installed: Self =
            serde_json::from_slice(&bytes).map_err(|error| not_understood(error.to_string()))?;
        if installed.version != VERSION {
            return Err(not_understood(format!("its form is {}", installed.version)));
        }
        Ok(installed)
    }

    /// Puts it in the place of what was there; with nothing in it, takes it away.
    pub(crate) fn save(&self, home: &Home) -> Result<(), Fault> {
        let file = home.installed_file();
        if self.files.is_empty() {
            return match fs::remove_file(&file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    Err(Fault::environment(format!("{} could not be removed: {error}", file.display())))
                }
                _ => Ok(()),
            };
        }
        let whole = Self { version: VERSION, ..self.clone() };
        let mut text = serde_json::to_string_pretty(&whole)
            .map_err(|error| Fault::internal(format!("the record cannot be written: {error}")))?;
        text.push('\n');
        files::write(&file, &text, files::PRIVATE_FILE)
    }

    pub(crate) fn of_file(&self, agent: &str, file: &Path) -> Option<&FileRecord> {
        self.files.iter().find(|record| record.agent == agent && record.file == file)
    }

    /// Puts a record in the place of the one of the same file; None takes it
    /// away.
    pub(crate) fn set(&mut self, agent: &str, file: &Path, record: Option<FileRecord>) {
        self.files.retain(|there| !(there.agent == agent && there.file == file));
        self.files.extend(record);
    }
}
