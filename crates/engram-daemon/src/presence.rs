//! Who speaks in an open session, kept beside its journal: a session whose
//! agent is gone is over, whether or not anybody said so.

use engram_core::{Span, Timestamp};
use engram_wire::platform;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where nobody can tell whether the agent still runs, a session that was silent
/// for so long is over.
const SILENT: Span = Span::from_hours(24);

/// An agent in a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Presence {
    pub(crate) agent: String,
    process: Option<Process>,
    /// What was said before is not before the agent's eyes any more.
    pub(crate) context_began_at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Process {
    id: u32,
    started: Option<u64>,
}

impl Presence {
    pub(crate) fn new(agent: &str, process: Option<u32>, at: Timestamp) -> Self {
        let process = process.map(|id| Process { id, started: platform::process_start(id) });
        Self { agent: agent.to_owned(), process, context_began_at: at }
    }

    /// Whether it is this process that speaks.
    pub(crate) fn is_process(&self, id: u32) -> bool {
        self.process.is_some_and(|process| process.id == id)
    }

    /// The same agent in the same process, whatever it has before its eyes.
    pub(crate) fn is_that_of(&self, other: &Presence) -> bool {
        self.agent == other.agent && self.process == other.process
    }

    /// Whether the agent has left, as far as anybody can tell. `heard_at` is when
    /// it was heard last.
    fn is_gone(&self, heard_at: Timestamp, at: Timestamp) -> bool {
        match self.process {
            Some(Process { id, started }) => {
                !platform::is_running(id) || started != platform::process_start(id)
            }
            None => at.duration_since(heard_at) > SILENT,
        }
    }
}

fn file_of(journal: &Path) -> PathBuf {
    journal.with_extension("agent")
}

/// Who speaks in the session of this journal, where an agent does.
pub(crate) fn read(journal: &Path) -> Option<Presence> {
    serde_json::from_str(&fs::read_to_string(file_of(journal)).ok()?).ok()
}

pub(crate) fn write(journal: &Path, presence: &Presence) -> io::Result<()> {
    platform::private_replace(&file_of(journal), &serde_json::to_vec(presence)?)
}

pub(crate) fn remove(journal: &Path) {
    let _ = fs::remove_file(file_of(journal));
}

/// Whether a session was left behind. One that a person started by hand has no
/// agent and ends when somebody says so.
pub(crate) fn is_left(journal: &Path, at: Timestamp) -> bool {
    let written = fs::metadata(journal).and_then(|meta| meta.modified()).ok();
    let heard_at = written.and_then(|moment| Timestamp::try_from(moment).ok()).unwrap_or(at);
    read(journal).is_some_and(|presence| presence.is_gone(heard_at, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_there_as_long_as_its_process_runs() {
        let at = Timestamp::from_second(1_800_000_000).unwrap();
        let ours = Presence::new("claude-code", Some(std::process::id()), at);
        assert!(!ours.is_gone(at, at + Span::from_hours(100)));
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let theirs = Presence::new("claude-code", Some(child.id()), at);
        child.wait().unwrap();
        assert!(theirs.is_gone(at, at));
        // Somebody else has the number by now.
        let other = Presence { process: Some(Process { id: std::process::id(), started: Some(1) }), ..ours };
        assert!(other.is_gone(at, at) || cfg!(not(target_os = "linux")));
    }

    #[test]
    fn an_agent_without_a_process_is_gone_after_a_silent_day() {
        let at = Timestamp::from_second(1_800_000_000).unwrap();
        let unknown = Presence::new("cursor", None, at);
        assert!(!unknown.is_gone(at, at + Span::from_hours(23)));
        assert!(unknown.is_gone(at, at + Span::from_hours(25)));
    }
}
