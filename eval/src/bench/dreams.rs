//! What a dream costs in a store on disk, and how that grows with the store.

use super::{Filled, Sheet, timed_async};
use crate::dreamed::dream;
use anyhow::Result;
use comfy_table::{Table, presets::ASCII_MARKDOWN};
use engram_core::dream::Step;
use engram_core::{IdMint, OperationId, Span};

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// Dreams twice in each store: the first dream finds everything new, the second,
/// half a year later, finds what has faded.
pub(crate) async fn dreams(largest: usize) -> Result<()> {
    let ground = tempfile::tempdir()?;
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header([
        "memories",
        "dream",
        "changes",
        "parts",
        "planning",
        "doing",
        "for 10,000",
        "undo",
    ]);
    for size in SIZES.into_iter().filter(|size| *size <= largest) {
        eprintln!("filling a store with {size} memories ...");
        let mut sheet = Sheet::new();
        let filled = Filled::make(ground.path(), size, &mut sheet).await?;
        let shelf = filled.shelf(&mut sheet).await?;
        for (name, days) in [("first", 1), ("half a year later", 180)] {
            eprintln!("dreaming in it, {name} ...");
            let at = filled.at + Span::from_hours(24 * days);
            let id = OperationId::from_ulid(IdMint::seeded(7).mint(at));
            let dreamed = dream(&shelf, id, at, Step::ALL.to_vec(), Vec::new()).await?;
            let changes: usize = dreamed.dream.steps.iter().map(|step| step.done).sum();
            let all = dreamed.planned_in + dreamed.done_in;
            let undone = if days > 1 && size <= 10_000 {
                let operation = id.part(u32::MAX - 1);
                let actor = engram_core::Actor::Human;
                let occasion = engram_core::plan::Occasion { operation, actor, at, recorded_at: at };
                let (undone, took) = timed_async(shelf.undo(id, occasion)).await;
                undone?;
                format!("{:.1} s", took.as_secs_f64())
            } else {
                String::new()
            };
            table.add_row([
                size.to_string(),
                name.to_owned(),
                changes.to_string(),
                dreamed.parts.to_string(),
                format!("{:.2} s", dreamed.planned_in.as_secs_f64()),
                format!("{:.2} s", dreamed.done_in.as_secs_f64()),
                format!("{:.2} s", all.as_secs_f64() * 10_000.0 / size as f64),
                undone,
            ]);
        }
        drop(shelf);
        filled.remove()?;
    }
    println!("\n{table}");
    Ok(())
}
