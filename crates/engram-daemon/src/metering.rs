//! What the hooks of each agent did: when they came last, how long they took,
//! how much they told. Kept in a file of the home, so that a hook that has gone
//! silent is noticed after a restart, too.

use engram_core::Timestamp;
use engram_wire::message::HookEvent;
use engram_wire::platform::private_replace;
use engram_wire::reply::HookStats;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

/// More agents than this are not told apart: a name comes from a command line.
const MOST_AGENTS: usize = 32;

pub(crate) struct Metering {
    file: PathBuf,
    meter: Mutex<Meter>,
}

#[derive(Default)]
struct Meter {
    agents: BTreeMap<String, HookStats>,
    changed: bool,
}

/// What one hook did.
pub(crate) struct Noted<'h> {
    pub(crate) agent: &'h str,
    pub(crate) event: HookEvent,
    pub(crate) saved: bool,
    pub(crate) chars: usize,
    pub(crate) shown: usize,
    pub(crate) problem: Option<String>,
    pub(crate) started_at: Option<Timestamp>,
    pub(crate) at: Timestamp,
}

impl Metering {
    /// What cannot be read is counted anew.
    pub(crate) fn open(file: PathBuf) -> Self {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let agents = serde_json::from_str(&text).unwrap_or_default();
        Self { file, meter: Mutex::new(Meter { agents, changed: false }) }
    }

    fn meter(&self) -> MutexGuard<'_, Meter> {
        self.meter.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub(crate) fn note(&self, noted: Noted<'_>) {
        let mut meter = self.meter();
        if meter.agents.len() >= MOST_AGENTS && !meter.agents.contains_key(noted.agent) {
            return;
        }
        meter.changed = true;
        let stats = meter.agents.entry(noted.agent.to_owned()).or_default();
        stats.last_at = Some(noted.at);
        if noted.saved {
            stats.last_saved_at = Some(noted.at);
        }
        if noted.event == HookEvent::UserPromptSubmit {
            stats.last_prompt_at = Some(noted.at);
        }
        match noted.event {
            HookEvent::SessionStart => stats.start_chars += noted.chars as u64,
            _ => stats.prompt_chars += noted.chars as u64,
        }
        stats.shown += noted.shown as u64;
        stats.problem = noted.problem;
        let times = stats.events.entry(noted.event).or_default();
        if let Some(started_at) = noted.started_at {
            times.note((noted.at.duration_since(started_at).as_secs_f64() * 1e3).max(0.0));
        }
    }

    /// A memory served somebody.
    pub(crate) fn note_used(&self, agent: &str) {
        let mut meter = self.meter();
        if let Some(stats) = meter.agents.get_mut(agent) {
            stats.used += 1;
            meter.changed = true;
        }
    }

    pub(crate) fn agents(&self) -> BTreeMap<String, HookStats> {
        self.meter().agents.clone()
    }

    /// Takes out what went wrong, where it says certain words.
    pub(crate) fn reword(&self, says: &dyn Fn(&str) -> bool) {
        let mut meter = self.meter();
        let Meter { agents, changed } = &mut *meter;
        for stats in agents.values_mut() {
            if stats.problem.as_deref().is_some_and(says) {
                stats.problem = None;
                *changed = true;
            }
        }
    }

    /// Writes down what was counted. What fails is tried again with the next
    /// round.
    pub(crate) fn flush(&self) {
        let text = {
            let mut meter = self.meter();
            if !std::mem::take(&mut meter.changed) {
                return;
            }
            serde_json::to_vec(&meter.agents).unwrap_or_default()
        };
        if let Err(error) = private_replace(&self.file, &text) {
            tracing::warn!("what the hooks did was not written: {error}");
            self.meter().changed = true;
        }
    }
}
