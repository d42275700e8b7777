//! What the rules of retention take away from a shelf: found here, purged by
//! whoever has the store for himself.

use super::night::all_of;
use crate::shelf::{ChangeError, Shelf};
use engram_core::law::{RetainRules, is_over};
use engram_core::{Memory, MemoryId, Timestamp, TurnId};
use std::collections::BTreeSet;

/// What has to go.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Over {
    pub memories: Vec<MemoryId>,
    /// The words that these memories were made of and that no other one rests on.
    pub evidence: Vec<TurnId>,
    /// The words that are older than words are kept.
    pub turns: Vec<TurnId>,
}

impl Over {
    pub fn is_empty(&self) -> bool {
        self.memories.is_empty() && self.turns.is_empty()
    }
}

impl Shelf {
    /// The first memories and turns that have to go by `at`, no more than `most`
    /// of each.
    pub async fn find_over(
        &self,
        rules: &RetainRules,
        at: Timestamp,
        most: usize,
    ) -> Result<Over, ChangeError> {
        let mut over = Over::default();
        if let Some(moment) = rules.turns_kept_from(at) {
            over.turns = self.store.worded_turns_before(moment).await?;
            over.turns.truncate(most);
        }
        if rules.kinds.is_empty() {
            return Ok(over);
        }
        let all = all_of(self).await?;
        let gone = |memory: &Memory| is_over(memory, rules, at);
        let turns_of = |memory: &Memory| memory.provenance.evidence.clone();
        let stays = all.values().filter(|memory| !memory.content.is_empty() && !gone(memory));
        let rested_on: BTreeSet<TurnId> = stays.flat_map(|memory| turns_of(memory)).collect();
        for memory in all.values().filter(|memory| gone(memory)).take(most) {
            over.memories.push(memory.id);
            over.evidence.extend(turns_of(memory).into_iter().filter(|turn| !rested_on.contains(turn)));
        }
        Ok(over)
    }
}
