//! What would be at hand if a project had room for few: of what is in force when
//! somebody asks, in four orders of giving memories up (S0's fifth question).
//!
//! Nothing is given up here. It is looked at whether what is needed would have
//! been among those that stay.

use comfy_table::{Table, presets::ASCII_MARKDOWN};
use engram_core::law::{ImportanceTable, factors_of, held_at, living_importance};
use engram_core::learn::{Kept, Learned, give_up_order};
use engram_core::{Memory, MemoryId, Timestamp};
use engram_engine::Shelf;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The rooms that are tried, in memories.
const ROOMS: [usize; 4] = [50, 100, 200, 400];
/// Who goes last, in four orders.
const ORDERS: [&str; 4] = ["worth, as proposed", "worth, as learned", "the newest", "the lately used"];

/// How often what was needed would have been at hand.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Room {
    asked: usize,
    at_hand: [[usize; ROOMS.len()]; ORDERS.len()],
}

impl Room {
    /// Somebody needs what only one of these memories tells.
    pub(crate) fn ask(&mut self, shelf: &Shelf, needed: impl Fn(&Memory) -> bool, at: Timestamp) {
        let all = shelf.kept_where(|memory| memory.status.is_current());
        let wanted: BTreeSet<MemoryId> =
            all.iter().filter(|memory| needed(memory)).map(|memory| memory.id).collect();
        // What has gone up to the user takes no room here.
        if wanted.is_empty() {
            return;
        }
        self.asked += 1;
        let by_time = |time: fn(&Memory) -> Timestamp| {
            let mut ids: Vec<(Timestamp, MemoryId)> = all.iter().map(|one| (time(one), one.id)).collect();
            ids.sort_unstable_by_key(|one| Reverse(*one));
            ids.into_iter().map(|(_, id)| id).collect::<Vec<MemoryId>>()
        };
        let orders = [
            worthiest(shelf, &all, &[], at),
            worthiest(shelf, &all, &shelf.learned(), at),
            by_time(|memory| memory.created_at),
            by_time(|memory| memory.trace.last_used_at),
        ];
        for (order, at_hand) in orders.iter().zip(&mut self.at_hand) {
            let place = order.iter().position(|id| wanted.contains(id)).unwrap_or(usize::MAX);
            for (room, at_hand) in ROOMS.iter().zip(at_hand) {
                *at_hand += usize::from(place < *room);
            }
        }
    }

    pub(crate) fn print(&self) {
        let mut table = Table::new();
        let rooms = ROOMS.iter().map(|room| format!("room for {room}"));
        table.load_style(ASCII_MARKDOWN).set_header(std::iter::once("what stays".to_owned()).chain(rooms));
        for (order, at_hand) in ORDERS.iter().zip(&self.at_hand) {
            let share = |count: &usize| format!("{:.1} %", 100.0 * super::share(*count, self.asked));
            table.add_row(std::iter::once((*order).to_owned()).chain(at_hand.iter().map(share)));
        }
        println!("\nWhat was needed and in force would be at hand, of {} times\n\n{table}", self.asked);
    }
}

/// Those that never go first, then the others from the last to go to the first.
fn worthiest(shelf: &Shelf, all: &[Arc<Memory>], learned: &[Learned], at: Timestamp) -> Vec<MemoryId> {
    let kept = |memory| {
        let held = held_at(memory, shelf.model(), at);
        let again = u32::try_from(memory.provenance.evidence.len().saturating_sub(1)).unwrap_or(u32::MAX);
        let factors = factors_of(memory, again, held, at);
        Kept { memory, importance: living_importance(&factors, ImportanceTable::Nine), held }
    };
    let kept: Vec<Kept<'_>> = all.iter().map(|memory| kept(&**memory)).collect();
    let mut going: Vec<MemoryId> =
        give_up_order(&kept, learned, at).into_iter().map(|worth| worth.memory).collect();
    going.reverse();
    let goes: BTreeSet<MemoryId> = going.iter().copied().collect();
    all.iter().map(|memory| memory.id).filter(|id| !goes.contains(id)).chain(going).collect()
}
