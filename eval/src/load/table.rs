//! What came of it all: counted, and printed every half minute and at the end.

use crate::bench::{Times, millis};
use engram_wire::message::HookEvent;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What all agents did together.
#[derive(Default)]
pub(super) struct Tally {
    /// Of the last half minute.
    recent: Spans,
    whole: Spans,
    by_hook: BTreeMap<HookEvent, Times>,
    /// Events that were acknowledged or left in the spool.
    pub(super) events: u64,
    /// What every text that was stated and every correction has that no other
    /// has.
    pub(super) names: BTreeSet<String>,
    pub(super) spooled: u64,
    pub(super) refused: u64,
    pub(super) recalls_refused: u64,
    /// Recalls that nobody answered in time.
    pub(super) recalls_late: u64,
}

#[derive(Default)]
struct Spans {
    recalls: Times,
    hooks: Times,
}

impl Tally {
    pub(super) fn note_recall(&mut self, time: Duration) {
        self.recent.recalls.add(time);
        self.whole.recalls.add(time);
    }

    pub(super) fn note_hook(&mut self, event: HookEvent, time: Duration) {
        self.recent.hooks.add(time);
        self.whole.hooks.add(time);
        self.by_hook.entry(event).or_default().add(time);
    }

    /// What the slowest of a hundred recalls took.
    pub(super) fn slowest_recall(&self) -> Duration {
        self.whole.recalls.at(0.99)
    }

    /// The same of one hook. None: it never came.
    pub(super) fn slowest_hook(&self, event: HookEvent) -> Option<Duration> {
        self.by_hook.get(&event).map(|times| times.at(0.99))
    }

    /// One line of the table.
    pub(super) fn line(&mut self, since: Duration, (resident, memories): (u64, usize), waiting: usize) {
        let Spans { recalls, hooks } = std::mem::take(&mut self.recent);
        let [recall, slow_recall] = [0.5, 0.99].map(|share| millis(recalls.at(share)));
        let [hook, slow_hook] = [0.5, 0.99].map(|share| millis(hooks.at(share)));
        println!(
            "| {:>5} s | {:>7} MB | {memories:>8} | {recall:>10} | {slow_recall:>10} | {hook:>10} | {slow_hook:>10} | {:>7} | {waiting:>7} | {:>7} |",
            since.as_secs(),
            resident >> 20,
            self.spooled,
            self.refused,
        );
    }

    pub(super) fn print(&self) {
        let spread = |what: &str, times: &Times| {
            println!("{what:<20} p50 {:>10}  p99 {:>10}", millis(times.at(0.5)), millis(times.at(0.99)));
        };
        println!();
        spread("recall", &self.whole.recalls);
        spread("all hooks", &self.whole.hooks);
        for (event, times) in &self.by_hook {
            spread(event.as_str(), times);
        }
        println!(
            "spooled {}, refused {}; of the recalls {} refused, {} late",
            self.spooled, self.refused, self.recalls_refused, self.recalls_late
        );
    }
}

pub(super) fn head() {
    println!(
        "| {:>7} | {:>10} | {:>8} | {:>10} | {:>10} | {:>10} | {:>10} | {:>7} | {:>7} | {:>7} |",
        "after",
        "resident",
        "memories",
        "recall p50",
        "recall p99",
        "hook p50",
        "hook p99",
        "spooled",
        "waiting",
        "refused"
    );
}
