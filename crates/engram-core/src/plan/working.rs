//! What leaves the nine places of a session's working memory.

use super::Occasion;
use crate::change::{Cause, Changes, Standing, Upkeep, Write};
use crate::kind::Tier;
use crate::law::{evicted, is_working_candidate};
use crate::memory::Memory;
use crate::status::{Status, StatusChange};

/// Whoever leaves goes on as an episode if it was used or matters, and is put
/// away otherwise. None: there is room for all.
pub fn plan_working(memories: &[&Memory], occasion: Occasion) -> Option<Changes> {
    let leaving = evicted(memories, occasion.at);
    let writes: Vec<Write> = memories
        .iter()
        .filter(|memory| leaving.contains(&memory.id))
        .map(|memory| {
            let mut after = Memory::clone(memory);
            after.revision += 1;
            if is_working_candidate(memory) {
                after.tier = Tier::Episodic;
            } else {
                after.status = Status::Archived;
                let reason = "working memory has nine places".to_owned();
                after.status_change = StatusChange { at: occasion.at, reason, cause: Cause::Dream };
            }
            let (before, after) = (Standing::of(memory), Standing::of(&after));
            Write::Upkeep { change: Box::new(Upkeep { id: memory.id, before, after }) }
        })
        .collect();
    (!writes.is_empty()).then(|| occasion.changes(Cause::Tier, writes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::sample;
    use crate::unit::Importance;

    #[test]
    fn the_tenth_leaves_and_goes_on_only_if_it_matters() {
        let ten = |weakest: f64| -> Vec<Memory> {
            (0..10)
                .map(|number| {
                    let mut memory = sample::memory(number);
                    memory.tier = Tier::Working;
                    memory.importance = Importance::clamped(if number == 4 { weakest } else { 0.9 });
                    memory
                })
                .collect()
        };
        for (weakest, status, tier) in
            [(0.2, Status::Archived, Tier::Working), (0.6, Status::Active, Tier::Episodic)]
        {
            let memories = ten(weakest);
            let named: Vec<&Memory> = memories.iter().collect();
            let operation = memories[0].id.ulid();
            let at = memories[0].created_at;
            let occasion = Occasion {
                operation: crate::OperationId::from_ulid(operation),
                actor: crate::Actor::Engram,
                at,
                recorded_at: at,
            };
            let changes = plan_working(&named, occasion).unwrap();
            let [Write::Upkeep { change }] = &changes.writes[..] else { panic!("{changes:?}") };
            assert_eq!((change.id, change.after.status, change.after.tier), (memories[4].id, status, tier));
            assert_eq!(plan_working(&named[..9], occasion), None);
        }
    }
}
