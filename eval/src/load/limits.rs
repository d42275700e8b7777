//! What a run may take and may not exceed, and which budgets it met.

use super::table::Tally;
use crate::bench::millis;
use anyhow::{Context as _, Result, ensure};
use engram_wire::message::HookEvent;
use engram_wire::window::BudgetLine;
use std::collections::BTreeMap;
use std::time::Duration;

/// What the slowest of a hundred recalls may take: somebody waits for it.
const RECALL: Duration = Duration::from_millis(50);
/// The same of the hooks that are answered in the middle of somebody's work: with
/// a prompt, and behind a tool. A third of the 300 ms that a prompt has.
const HOOK: Duration = Duration::from_millis(100);
const HOOKS: [HookEvent; 2] = [HookEvent::UserPromptSubmit, HookEvent::PostToolUse];

/// By so many bytes the daemon may grow for each memory that is added: its words,
/// its direction and its facets in the index, and what the stores keep at hand.
const A_MEMORY: f64 = 16e3;
/// And by so many whatever is added: the logs of the stores are longer or shorter.
const LOGS: f64 = 24e6;
/// Of the lines, the last third is held against the one before it.
const PARTS: usize = 3;

/// What the daemon took, line by line.
#[derive(Default)]
pub(super) struct Growth {
    /// Bytes that are resident, and memories.
    seen: Vec<(f64, f64)>,
}

impl Growth {
    pub(super) fn note(&mut self, resident: u64, memories: usize) {
        self.seen.push((resident as f64, memories as f64));
    }

    /// Fails where the daemon grows by more than what it is told to keep. A run that
    /// ends too early to tell says so.
    pub(super) fn check(&self) -> Result<()> {
        let third = self.seen.len() / PARTS;
        let mut parts = self.seen.rchunks(third.max(1)).map(mean);
        let (Some((resident, memories)), Some((before, fewer)), 1..) = (parts.next(), parts.next(), third)
        else {
            println!("growth: too few lines to tell");
            return Ok(());
        };
        let (grown, added) = (resident - before, memories - fewer);
        println!(
            "growth from the second third to the last: {:.0} MB, with {added:.0} memories more",
            grown / 1e6
        );
        ensure!(grown <= A_MEMORY * added + LOGS, "that is more than the memories explain");
        Ok(())
    }
}

fn mean(lines: &[(f64, f64)]) -> (f64, f64) {
    let count = lines.len() as f64;
    let sum = lines.iter().fold((0.0, 0.0), |sum, line| (sum.0 + line.0, sum.1 + line.1));
    (sum.0 / count, sum.1 / count)
}

/// Fails where whoever waits for an answer waits too long.
pub(super) fn check_waits(tally: &Tally) -> Result<()> {
    let recall = tally.slowest_recall();
    ensure!(recall <= RECALL, "the slowest of a hundred recalls took {}", millis(recall));
    for event in HOOKS {
        let hook = tally.slowest_hook(event).with_context(|| format!("no hook {event}"))?;
        ensure!(hook <= HOOK, "the slowest of a hundred hooks {event} took {}", millis(hook));
    }
    println!(
        "waits: recall within {}, {} and {} within {}",
        millis(RECALL),
        HOOKS[0],
        HOOKS[1],
        millis(HOOK)
    );
    Ok(())
}

/// How often each budget was met when somebody looked.
#[derive(Default)]
pub(super) struct Met {
    looks: usize,
    lines: BTreeMap<String, Line>,
}

#[derive(Default)]
struct Line {
    over: usize,
    most: f64,
    limit: f64,
    unit: String,
}

impl Met {
    pub(super) fn look(&mut self, budgets: Vec<BudgetLine>) {
        self.looks += 1;
        let mut now: BTreeMap<String, BudgetLine> = BTreeMap::new();
        for budget in budgets {
            // Of the stores the fullest one counts.
            let what = match budget.what.starts_with("size of ") {
                true => "size of a store".to_owned(),
                false => format!("{}, {}", budget.what, budget.unit),
            };
            let fuller = now.get(&what).is_none_or(|known| known.used < budget.used);
            if fuller {
                now.insert(what, budget);
            }
        }
        for (what, budget) in now {
            let line = self.lines.entry(what).or_default();
            line.over += usize::from(budget.over);
            line.most = line.most.max(budget.used);
            (line.limit, line.unit) = (budget.limit, budget.unit);
        }
    }

    pub(super) fn print(&self) {
        println!("\nbudgets, in {} looks:", self.looks);
        for (what, line) in &self.lines {
            println!(
                "{what:<32} met in {:>3}, at most {:.0} of {:.0} {}",
                line.over, line.most, line.limit, line.unit
            );
        }
    }
}
