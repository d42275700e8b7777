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
const A_MEMORY: f64 = 30_000.0;
/// Until then stores are opened and pools are filled, whatever is said.
const SETTLED: Duration = Duration::from_secs(180);
/// Fewer memories than this say nothing about what one of them takes.
const ENOUGH: usize = 1_000;

/// What the daemon took, and when.
#[derive(Default)]
pub(super) struct Growth {
    seen: Vec<(Duration, u64, usize)>,
}

impl Growth {
    pub(super) fn note(&mut self, since: Duration, resident: u64, memories: usize) {
        self.seen.push((since, resident, memories));
    }

    /// Fails where each memory takes too much. A run that ends too early to tell
    /// says so.
    pub(super) fn check(&self) -> Result<()> {
        let first = self.seen.iter().find(|(since, ..)| *since >= SETTLED);
        let (Some((_, before, few)), Some((_, after, many))) = (first, self.seen.last()) else {
            println!("growth: not told before {} s", SETTLED.as_secs());
            return Ok(());
        };
        let added = many.saturating_sub(*few);
        if added < ENOUGH {
            println!("growth: not told, {added} memories were added after {} s", SETTLED.as_secs());
            return Ok(());
        }
        let each = (*after as f64 - *before as f64) / added as f64;
        println!(
            "growth: {:.1} kB for each of {added} memories after {} s, of {:.0} kB",
            each / 1e3,
            SETTLED.as_secs(),
            A_MEMORY / 1e3
        );
        ensure!(each <= A_MEMORY, "each memory takes {:.1} kB of the daemon's memory", each / 1e3);
        Ok(())
    }
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
