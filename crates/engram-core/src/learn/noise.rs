//! Which memories are shown and shown and never taken up.

use crate::id::MemoryId;
use crate::recalled::{RecallLogged, Surface};
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;

/// So far back is looked (S0 7.2).
const WINDOW: SignedDuration = SignedDuration::from_hours(14 * 24);
/// What was shown less often may yet be taken up.
const SHOWN: u32 = 5;
/// Ignored in more than this share of the times it was shown (S0 7.2).
const IGNORED: f64 = 0.8;

/// A memory that is shown and not taken up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Noise {
    pub memory: MemoryId,
    pub shown: u32,
    pub ignored: u32,
}

/// The memories that were shown at least five times in the last two weeks and
/// ignored in more than four of five, the most ignored first. Recalls of which
/// nobody knows yet what became of them do not count, and what is shown at the
/// start of a session is shown unasked.
pub fn noise(recalls: &[RecallLogged], at: Timestamp) -> Vec<Noise> {
    let mut found: BTreeMap<MemoryId, Noise> = BTreeMap::new();
    let counts = |recall: &&RecallLogged| {
        let lately = at.duration_since(recall.at) <= WINDOW;
        lately && recall.settled_at.is_some() && recall.via != Surface::SessionStart
    };
    for recall in recalls.iter().filter(counts) {
        for memory in &recall.shown {
            let noise = found.entry(*memory).or_insert(Noise { memory: *memory, shown: 0, ignored: 0 });
            noise.shown += 1;
            noise.ignored += u32::from(!recall.used.contains(memory));
        }
    }
    let is_noise =
        |noise: &Noise| noise.shown >= SHOWN && f64::from(noise.ignored) > IGNORED * f64::from(noise.shown);
    let mut found: Vec<Noise> = found.into_values().filter(is_noise).collect();
    found.sort_by_key(|noise| (std::cmp::Reverse(noise.ignored), noise.memory));
    found
}
