//! Which team this home belongs to, and the key that lets this machine in: two
//! private files of the home, never a project's.
//!
//! A key is written before the server is told of it, so that an answer that was
//! lost costs nobody their membership: whoever starts again tries both.

use crate::trouble;
use engram_core::team::{Charter, Member, Role, TeamName};
use engram_core::{MemberId, Memory, Timestamp};
use engram_wire::message::Hidden;
use engram_wire::platform::{private_folder, private_replace, secret};
use engram_wire::{Fault, Home};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What is known of the team before its server is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Membership {
    pub(crate) url: String,
    pub(crate) namespace: String,
    pub(crate) name: TeamName,
    pub(crate) member: MemberId,
    pub(crate) handle: String,
    pub(crate) role: Role,
    /// The certificate that vouches for the server's, where the system's do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ca: Option<String>,
    /// None: joining was begun, and its answer is not known yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) joined_at: Option<Timestamp>,
    pub(crate) key_since: Timestamp,
    /// What the team agreed on, as the server last told.
    pub(crate) charter: Charter,
}

impl Membership {
    /// Whether this member can take it back: what is theirs, and as a maintainer
    /// anything.
    pub(crate) fn may_withdraw(&self, memory: &Memory) -> bool {
        memory.provenance.author == Some(self.member) || self.role == Role::Maintainer
    }

    pub(crate) fn me(&self) -> Member {
        Member {
            id: self.member,
            handle: self.handle.clone(),
            role: self.role,
            active: true,
            since: self.key_since,
        }
    }
}

/// The keys of this machine: the one in force, and while it is exchanged the one
/// that may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Keys {
    pub(crate) key: Hidden,
    pub(crate) next: Option<Hidden>,
}

/// The files of a membership.
#[derive(Debug, Clone)]
pub(crate) struct Desk {
    folder: PathBuf,
}

impl Desk {
    pub(crate) fn of(home: &Home) -> Self {
        Self { folder: home.team_folder() }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn membership_file(&self) -> PathBuf {
        self.folder.join("team.json")
    }

    fn key_file(&self) -> PathBuf {
        self.folder.join("seat.key")
    }

    /// What was offered and answered: identifiers, no text.
    pub(crate) fn offers_file(&self) -> PathBuf {
        self.folder.join("offers.json")
    }

    /// The members, as the server last told.
    pub(crate) fn members_file(&self) -> PathBuf {
        self.folder.join("members.json")
    }

    pub(crate) fn keep_members(&self, members: &[Member]) -> Result<(), Fault> {
        let text = serde_json::to_vec_pretty(members).map_err(|error| Fault::internal(error.to_string()))?;
        self.replace(&self.members_file(), &text)
    }

    /// None, where nothing was ever told.
    pub(crate) fn load_members(&self) -> Vec<Member> {
        let text = fs::read_to_string(self.members_file()).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// When that was.
    pub(crate) fn members_told_at(&self) -> Option<Timestamp> {
        Timestamp::try_from(fs::metadata(self.members_file()).ok()?.modified().ok()?).ok()
    }

    /// The team whose replica lies here, where the membership cannot be read.
    pub(crate) fn replica_name(&self) -> Option<TeamName> {
        let entries = fs::read_dir(&self.folder).ok()?.filter_map(Result::ok);
        let names = entries.map(|entry| entry.file_name());
        names.filter_map(|name| name.to_str()?.strip_prefix("t_")?.parse().ok()).next()
    }

    /// Where the replica's files are.
    pub(crate) fn replica(&self, membership: &Membership) -> PathBuf {
        self.folder.join(membership.name.database())
    }

    pub(crate) fn load(&self) -> Result<Option<Membership>, Fault> {
        let file = self.membership_file();
        match fs::read_to_string(&file) {
            Ok(text) => serde_json::from_str(&text).map(Some).map_err(|error| {
                Fault::environment(format!("{}: {error}", file.display()))
                    .hint("`engram team leave --force` gives the membership up")
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(trouble::io("reading", &file, &error)),
        }
    }

    pub(crate) fn keep(&self, membership: &Membership) -> Result<(), Fault> {
        let text =
            serde_json::to_vec_pretty(membership).map_err(|error| Fault::internal(error.to_string()))?;
        self.replace(&self.membership_file(), &text)
    }

    pub(crate) fn load_keys(&self) -> Result<Keys, Fault> {
        let file = self.key_file();
        let text = fs::read_to_string(&file).map_err(|error| {
            trouble::io("reading this machine's key", &file, &error)
                .hint("without it the server lets nobody in; ask a maintainer for a new invitation")
        })?;
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).map(Hidden::new);
        let key = lines.next().ok_or_else(|| Fault::environment(format!("{} is empty", file.display())))?;
        Ok(Keys { key, next: lines.next() })
    }

    pub(crate) fn keep_keys(&self, keys: &Keys) -> Result<(), Fault> {
        let lines = std::iter::once(&keys.key).chain(&keys.next).map(|key| format!("{}\n", key.reveal()));
        self.replace(&self.key_file(), lines.collect::<String>().as_bytes())
    }

    pub(crate) fn replace(&self, file: &Path, text: &[u8]) -> Result<(), Fault> {
        let failed = |error| trouble::io("writing", file, &error);
        private_folder(&self.folder).map_err(failed)?;
        private_replace(file, text).map_err(failed)
    }

    /// Nothing of the team is left in this home.
    pub(crate) fn clear(&self) -> Result<(), Fault> {
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(trouble::io("removing", &self.folder, &error))
            }
            _ => Ok(()),
        }
    }
}

/// A fresh secret: of a machine, or of an invitation.
pub(crate) fn fresh_secret() -> Result<Hidden, Fault> {
    let bytes = secret().map_err(|error| Fault::internal(error.to_string()))?;
    Ok(Hidden::new(hex(&bytes)))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
