//! What the hooks of each agent did: when they came last, how long they took,
//! how much they told. Kept in a file of the home, so that a hook that has gone
//! silent is noticed after a restart, too.

use engram_core::Timestamp;
use engram_wire::message::HookEvent;
use engram_wire::platform::private_create;
use engram_wire::reply::HookStats;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
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
pub(crate) struct Hooked<'h> {
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

    pub(crate) fn note(&self, hooked: Hooked<'_>) {
        let mut meter = self.meter();
        if meter.agents.len() >= MOST_AGENTS && !meter.agents.contains_key(hooked.agent) {
            return;
        }
        meter.changed = true;
        let stats = meter.agents.entry(hooked.agent.to_owned()).or_default();
        stats.last_at = Some(hooked.at);
        if hooked.saved {
            stats.last_saved_at = Some(hooked.at);
        }
        if hooked.event == HookEvent::UserPromptSubmit {
            stats.last_prompt_at = Some(hooked.at);
        }
        match hooked.event {
            HookEvent::SessionStart => stats.start_chars += hooked.chars as u64,
            _ => stats.prompt_chars += hooked.chars as u64,
        }
        stats.shown += hooked.shown as u64;
        stats.problem = hooked.problem;
        let times = stats.events.entry(hooked.event).or_default();
        let took = hooked.started_at.map(|started| hooked.at.duration_since(started).as_secs_f64() * 1e3);
        times.note(took.unwrap_or(0.0).max(0.0));
    }

    /// A memory served somebody.
    pub(crate) fn note_used(&self, agent: Option<&str>) {
        let mut meter = self.meter();
        let known = agent.map(str::to_owned).or_else(|| meter.agents.keys().next().cloned());
        if let Some(stats) = known.and_then(|agent| meter.agents.get_mut(&agent)) {
            stats.used += 1;
            meter.changed = true;
        }
    }

    pub(crate) fn agents(&self) -> BTreeMap<String, HookStats> {
        self.meter().agents.clone()
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
        let draft = self.file.with_extension("new");
        let written = private_create(&draft).and_then(|mut file| file.write_all(&text));
        if let Err(error) = written.and_then(|()| fs::rename(&draft, &self.file)) {
            tracing::warn!("what the hooks did was not written: {error}");
            self.meter().changed = true;
        }
    }
}
