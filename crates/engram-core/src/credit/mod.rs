//! Credit: from what was shown and what happened next to how using it went.
//!
//! It looks at memories that were put before an agent and at the turns that
//! followed. S0 asks whether the next answer reused what was retrieved; here
//! that is made precise (`reuse`), looked for in a stretch of turns that ends
//! (`window`), and followed by what came of it (`check`). Nothing is credited
//! without reuse: a memory that merely lay beside a success gains nothing. It
//! knows no store and changes no memory.

mod check;
mod judge;
mod reuse;
mod window;

pub use check::{check_of, reverted};
pub use reuse::Reuse;

use crate::id::{MemoryId, RecallId};
use crate::memory::Memory;
use crate::observe::{EntityKind, entities_of};
use crate::recalled::{RecallLogged, RecallSettled, Surface};
use crate::turn::{EventType, Turn};
use crate::unit::Share;
use crate::used::{EvidenceSource, Usage};
use jiff::Timestamp;
use judge::Course;
use reuse::Talk;
use std::collections::{BTreeMap, BTreeSet};
use window::{Window, window_of};

/// One memory that was put before an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    pub recall: RecallId,
    pub memory: MemoryId,
    pub at: Timestamp,
    pub via: Surface,
    /// What was asked; empty where nobody asked.
    pub asked: String,
    pub text: String,
    /// The files that it names.
    pub files: BTreeSet<String>,
    /// The commands that it tells to run.
    pub commands: Vec<String>,
}

impl Shown {
    pub fn of(recall: &RecallLogged, memory: &Memory) -> Self {
        let listed = |key: &str| {
            let came_with = memory.structured.as_ref().and_then(|came| came.get(key)?.as_array());
            came_with.into_iter().flatten().filter_map(|one| one.as_str())
        };
        let named = listed("entities").filter_map(|entity| entity.strip_prefix("file:")).map(str::to_owned);
        // What somebody stated outright comes without a list of what it names.
        let read = entities_of(&memory.content).into_iter().filter(|entity| entity.kind == EntityKind::File);
        Self {
            recall: recall.id,
            memory: memory.id,
            at: recall.at,
            via: recall.via,
            asked: recall.query.clone(),
            text: memory.content.clone(),
            files: named.chain(read.map(|entity| entity.written)).collect(),
            commands: listed("commands").map(str::to_owned).collect(),
        }
    }
}

/// How rare a word is among the memories that could have been shown.
pub trait Rarity {
    /// How many of them have this term, as it is written.
    fn share_with(&self, term: &str) -> Share;

    /// How many there are. Who does not know is taken to have many.
    fn memories(&self) -> Option<usize> {
        None
    }
}

/// A session, as far as it is known.
pub struct Session<'a> {
    /// What was put before the agent.
    pub shown: &'a [Shown],
    /// What was said and done, the oldest first.
    pub turns: &'a [Turn],
    pub rarity: &'a dyn Rarity,
    /// Memories that the user's words superseded or challenged, and when.
    pub corrected: &'a BTreeMap<MemoryId, Timestamp>,
    /// The skills that the agent can load, by their names.
    pub skills: &'a BTreeMap<String, MemoryId>,
    /// It has ended: every window is closed.
    pub over: bool,
    pub at: Timestamp,
}

/// What is known of the recalls of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Credit {
    pub usages: Vec<Usage>,
    pub settled: Vec<RecallSettled>,
    /// So many recalls cannot be judged yet.
    pub open: usize,
}

/// Judges what became of everything that was shown, as far as it can be told.
///
/// Only a window that is closed is judged, so that one showing gives one usage
/// at most, and judging again gives the same: what is added to the session
/// later cannot change it. A recall after which nothing was heard of the agent
/// is not settled, for it is not known whether anything was used.
pub fn plan_credit(session: &Session<'_>) -> Credit {
    let mut windows: BTreeMap<RecallId, Window> = BTreeMap::new();
    for shown in session.shown {
        windows.entry(shown.recall).or_insert_with(|| window_of(session, shown));
    }
    let talk = Talk::of(session, &windows);
    let course = Course::of(session);
    let mut credit =
        Credit { open: windows.values().filter(|window| !window.closed).count(), ..Credit::default() };
    // One check or one edit speaks once for a memory, however often that was shown.
    let mut usages: BTreeMap<(MemoryId, Timestamp, EvidenceSource), Usage> = BTreeMap::new();
    let mut keep = |usage: Usage| {
        usages.entry((usage.memory, usage.at, usage.source)).or_insert(usage);
    };
    let mut settled: BTreeMap<RecallId, Vec<MemoryId>> = BTreeMap::new();
    for (number, shown) in session.shown.iter().enumerate() {
        let window = windows[&shown.recall];
        if !window.closed || !session.turns[window.turns()].iter().any(is_of_agent) {
            continue;
        }
        let used = settled.entry(shown.recall).or_default();
        if let Some((turn, reuse)) = talk.reuse_of(number) {
            let usage = course.judge(shown.memory, turn, &reuse, window.turns());
            keep(Usage { recall: Some(shown.recall), ..usage });
            if !used.contains(&shown.memory) {
                used.push(shown.memory);
            }
        }
    }
    for (turn, memory, name) in course.skills_loaded() {
        let window = window::after_turn(session, turn);
        if window.closed {
            keep(course.judge(memory, turn, &Reuse::Command(name), turn..window.turns().end));
        }
    }
    credit.usages = usages.into_values().collect();
    credit.usages.sort_by_key(|usage| (usage.at, usage.memory, usage.source));
    credit.settled =
        settled.into_iter().map(|(recall, used)| RecallSettled { recall, used, at: session.at }).collect();
    credit
}

/// Whether an agent says or does something in it.
fn is_of_agent(turn: &Turn) -> bool {
    matches!(turn.event, EventType::AssistantMessage | EventType::ToolCall)
}

#[cfg(test)]
mod tests;
