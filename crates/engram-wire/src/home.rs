//! Where everything lies under the user's engram folder.

use crate::platform;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// `~/.claude/engram`, or what `ENGRAM_HOME` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    root: PathBuf,
    /// The person's home folder, which is never a project.
    person: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoHome {
    #[error("neither ENGRAM_HOME nor HOME is set, so there is no place to keep memories")]
    Unset,
    #[error("the home folder {0} is not an absolute path")]
    Relative(PathBuf),
}

/// Addresses of unix sockets hold about a hundred bytes on every platform.
const LONGEST_SOCKET_PATH: usize = 100;

impl Home {
    /// The two arguments are the environment's ENGRAM_HOME and HOME.
    pub fn locate(engram_home: Option<OsString>, home: Option<OsString>) -> Result<Self, NoHome> {
        let given = |value: Option<OsString>| value.filter(|text| !text.is_empty()).map(PathBuf::from);
        let person = given(home);
        let root = match (given(engram_home), &person) {
            (Some(root), _) => root,
            (None, Some(person)) => person.join(".claude").join("engram"),
            (None, None) => return Err(NoHome::Unset),
        };
        if !root.is_absolute() {
            return Err(NoHome::Relative(root));
        }
        Ok(Self { root, person })
    }

    /// The user's store, and the folder of everything else here.
    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn person(&self) -> Option<&Path> {
        self.person.as_deref()
    }

    /// The models that were installed.
    pub fn models_folder(&self) -> PathBuf {
        self.root.join("models")
    }

    pub fn config_file(&self) -> PathBuf {
        self.root.join("config.toml")
    }

    pub fn spool_folder(&self) -> PathBuf {
        self.root.join("spool")
    }

    /// How far files were imported.
    pub fn imports_file(&self) -> PathBuf {
        self.root.join("imports.json")
    }

    /// Everything about the team: membership, key, and what it shares.
    pub fn team_folder(&self) -> PathBuf {
        self.root.join("team")
    }

    /// Every export and backup that was written.
    pub fn copies_file(&self) -> PathBuf {
        self.root.join("copies.json")
    }

    /// An erase that was begun and is not finished: identifiers only.
    pub fn erase_file(&self) -> PathBuf {
        self.root.join("erase.json")
    }

    /// Where the window and the Model Context Protocol are served over HTTP, and
    /// the keys to both.
    pub fn web_file(&self) -> PathBuf {
        self.root.join("web.json")
    }

    /// What the hooks of agents did.
    pub fn hooks_file(&self) -> PathBuf {
        self.root.join("hooks.json")
    }

    /// The audit log, the key its digests are made with, and how far it goes:
    /// kept apart, so that a log that was cut is told from a shorter one.
    pub fn audit_file(&self) -> PathBuf {
        self.root.join("audit.jsonl")
    }

    pub fn audit_key_file(&self) -> PathBuf {
        self.root.join("audit.key")
    }

    pub fn audit_head_file(&self) -> PathBuf {
        self.root.join("audit.head")
    }

    /// What was written into other programs' files.
    pub fn installed_file(&self) -> PathBuf {
        self.root.join("installed.json")
    }

    /// Those files as they were before.
    pub fn installed_folder(&self) -> PathBuf {
        self.root.join("installed")
    }

    pub fn sessions_folder(&self) -> PathBuf {
        self.root.join("sessions")
    }

    pub fn backups_folder(&self) -> PathBuf {
        self.root.join("backups")
    }

    pub fn log_file(&self) -> PathBuf {
        self.root.join("engramd.log")
    }

    pub fn lock_file(&self) -> PathBuf {
        self.root.join("engramd.lock")
    }

    /// The folder of the socket: private to the user. A home too deep for a
    /// socket's address gets a short one, named after the user and the home.
    pub fn socket_folder(&self) -> PathBuf {
        let plain = self.root.join("run");
        if plain.as_os_str().len() + "/engram.sock".len() <= LONGEST_SOCKET_PATH {
            return plain;
        }
        let name = format!("engram-{}-{:016x}", platform::user(), fingerprint(&self.root));
        Path::new("/tmp").join(name)
    }

    pub fn socket(&self) -> PathBuf {
        self.socket_folder().join("engram.sock")
    }
}

/// FNV-1a: tells homes apart, protects nothing.
fn fingerprint(path: &Path) -> u64 {
    path.as_os_str()
        .as_encoded_bytes()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engram_home_goes_before_home() {
        let home = Home::locate(Some("/a".into()), Some("/b".into())).unwrap();
        assert_eq!((home.root(), home.person()), (Path::new("/a"), Some(Path::new("/b"))));
        let home = Home::locate(Some("".into()), Some("/b".into())).unwrap();
        assert_eq!(home.root(), Path::new("/b/.claude/engram"));
        assert_eq!(Home::locate(None, None), Err(NoHome::Unset));
        assert!(matches!(Home::locate(Some("x".into()), None), Err(NoHome::Relative(_))));
    }

    #[test]
    fn a_deep_home_still_has_a_socket_that_can_be_bound() {
        let deep = format!("/{}", "d/".repeat(80));
        let home = Home::locate(Some(deep.into()), None).unwrap();
        assert!(home.socket().as_os_str().len() <= LONGEST_SOCKET_PATH);
    }
}
