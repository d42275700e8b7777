//! Memories of one thing that say different values of it.
//!
//! The gate holds a new fact against what is near it; what was not near enough
//! then, or came from elsewhere, can still contradict. What two texts claim is
//! judged by `claim`, and that they speak of one matter by the gate's own rule.
//! Nothing is settled here: a pair is shown to whoever decides.

use crate::claim::{Bearing, Text, Why};
use crate::gate::is_of_one_matter;
use crate::id::{EntityId, MemoryId};
use crate::kind::Class;
use crate::link::Mention;
use crate::memory::{Memory, Relation, RelationKind};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Two memories that cannot both be so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// The thing that both name.
    pub entity: EntityId,
    pub newer: MemoryId,
    pub older: MemoryId,
    pub why: Why,
    pub reason: String,
    /// Both are said to hold at the moment; otherwise one of them has ended or
    /// is yet to come, and there may be nothing to settle.
    pub both_current: bool,
}

/// The pairs among the current memories that name one thing and contradict
/// each other, after at most so many comparisons.
///
/// Things that few memories name come first, for their memories are likeliest
/// to speak of one matter, and of each thing the latest memories. What was
/// already put in the place of the other or set against it, what was said in
/// one breath, and what only tells a story is not compared.
pub fn contradicting_values(
    memories: &[&Memory],
    mentions: &[Mention],
    relations: &[Relation],
    comparisons: usize,
    at: Timestamp,
) -> Vec<Conflict> {
    let read: BTreeMap<MemoryId, (&Memory, Text<'_>)> = memories
        .iter()
        .filter(|memory| memory.status.is_current() && memory.class() != Class::Narrative)
        .map(|memory| (memory.id, (*memory, Text::of(&memory.content))))
        .collect();
    let mut by_entity: BTreeMap<EntityId, BTreeSet<(Timestamp, MemoryId)>> = BTreeMap::new();
    for mention in mentions {
        if let Some((memory, _)) = read.get(&mention.memory) {
            by_entity.entry(mention.entity).or_default().insert((memory.validity.valid_from, memory.id));
        }
    }
    let mut things: Vec<(EntityId, BTreeSet<(Timestamp, MemoryId)>)> = by_entity.into_iter().collect();
    things.sort_by_key(|(entity, naming)| (naming.len(), *entity));
    // What is settled, and what was compared for another thing.
    let mut passed: BTreeSet<(MemoryId, MemoryId)> =
        relations.iter().filter(|edge| settles(edge.kind)).map(|edge| in_order(edge.from, edge.to)).collect();
    let mut left = comparisons;
    let mut found = Vec::new();
    for (entity, naming) in &things {
        for (place, (_, newer)) in naming.iter().rev().enumerate() {
            for (_, older) in naming.iter().rev().skip(place + 1) {
                if !passed.insert(in_order(*newer, *older)) {
                    continue;
                }
                let (Some(new), Some(old)) = (read.get(newer), read.get(older)) else { continue };
                if are_of_one_breath(new.0, old.0) {
                    continue;
                }
                if left == 0 {
                    return found;
                }
                left -= 1;
                let Bearing::Contradicts(difference) = new.1.bearing_on(&old.1) else { continue };
                if is_of_one_matter(&difference, new.1.likeness(&old.1)) {
                    found.push(Conflict {
                        entity: *entity,
                        newer: *newer,
                        older: *older,
                        why: difference.why,
                        reason: difference.to_string(),
                        both_current: [new.0, old.0].iter().all(|memory| memory.validity.holds_at(at)),
                    });
                }
            }
        }
    }
    found
}

const fn settles(kind: RelationKind) -> bool {
    matches!(kind, RelationKind::Supersedes | RelationKind::Contradicts)
}

fn in_order(one: MemoryId, other: MemoryId) -> (MemoryId, MemoryId) {
    (one.min(other), one.max(other))
}

/// Whoever said both in one turn meant both.
fn are_of_one_breath(one: &Memory, other: &Memory) -> bool {
    one.provenance.evidence.iter().any(|turn| other.provenance.evidence.contains(turn))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::trial::{day, memory, memory_id, mention};
    use crate::id::TurnId;
    use crate::kind::Kind;
    use crate::status::Status;

    fn pairs(memories: &[Memory], relations: &[Relation], comparisons: usize) -> Vec<(u64, u64)> {
        let mentions: Vec<Mention> =
            memories.iter().map(|memory| mention(memory.id.ulid().0 as u64, "redis")).collect();
        let all: Vec<&Memory> = memories.iter().collect();
        let number = |id: MemoryId| id.ulid().0 as u64;
        contradicting_values(&all, &mentions, relations, comparisons, day(50))
            .iter()
            .map(|conflict| (number(conflict.newer), number(conflict.older)))
            .collect()
    }

    fn two() -> [Memory; 2] {
        [memory(1, "Redis listens on port 6379", 1), memory(2, "Redis listens on port 6380", 2)]
    }

    #[test]
    fn two_memories_of_one_thing_with_different_values_are_found() {
        let [older, newer] = two();
        let other = memory(3, "the backup of Redis runs at midnight", 3);
        let turkish = [memory(4, "Redis 7000 portunu dinliyor", 4)];
        let all = [older, newer, other];
        assert_eq!(pairs(&all, &[], 99), [(2, 1)]);
        assert!(pairs(&turkish, &[], 99).is_empty());
        let refs: Vec<&Memory> = all.iter().collect();
        let mentions = [mention(1, "redis"), mention(2, "redis")];
        let found = contradicting_values(&refs, &mentions, &[], 9, day(50));
        assert_eq!(found[0].reason, "number: \"6380\" was \"6379\"");
        assert!(found[0].both_current);
        assert_eq!(found[0].entity, mentions[0].entity);
        let apart = [mention(1, "redis"), mention(2, "valkey")];
        assert!(contradicting_values(&refs, &apart, &[], 9, day(50)).is_empty());
    }

    #[test]
    fn what_is_settled_or_told_or_of_one_breath_is_no_conflict() {
        for kind in [RelationKind::Supersedes, RelationKind::Contradicts] {
            let edge = Relation::certain(memory_id(2), kind, memory_id(1), day(2));
            assert!(pairs(&two(), &[edge], 9).is_empty(), "{kind}");
        }
        let loose = Relation::certain(memory_id(2), RelationKind::SimilarTo, memory_id(1), day(2));
        assert_eq!(pairs(&two(), &[loose], 9), [(2, 1)]);
        let [older, newer] = two();
        let told = Memory { kind: Kind::Narrative, ..newer.clone() };
        assert!(pairs(&[older.clone(), told], &[], 9).is_empty());
        let gone = Memory { status: Status::Superseded, ..older.clone() };
        assert!(pairs(&[gone, newer.clone()], &[], 9).is_empty());
        let turn = TurnId::of_content(day(1), "both");
        let said = [older, newer].map(|mut memory| {
            memory.provenance.evidence.push(turn);
            memory
        });
        assert!(pairs(&said, &[], 9).is_empty());
    }

    #[test]
    fn what_has_ended_is_shown_as_such() {
        let [mut older, newer] = two();
        older.validity.valid_until = Some(day(2));
        let mentions = [mention(1, "redis"), mention(2, "redis")];
        let found = contradicting_values(&[&older, &newer], &mentions, &[], 9, day(50));
        assert!(found.len() == 1 && !found[0].both_current);
    }

    #[test]
    fn no_more_is_compared_than_allowed_and_rare_things_come_first() {
        assert!(pairs(&two(), &[], 0).is_empty());
        let mut memories: Vec<Memory> = (10..20)
            .map(|number| memory(number, &format!("topic {number} goes through the hub"), 5))
            .collect();
        memories.extend(two());
        let mut mentions: Vec<Mention> = (10..20).map(|number| mention(number, "hub")).collect();
        mentions.extend([mention(1, "redis"), mention(2, "redis"), mention(1, "hub"), mention(2, "hub")]);
        let refs: Vec<&Memory> = memories.iter().collect();
        assert_eq!(contradicting_values(&refs, &mentions, &[], 1, day(50)).len(), 1);
        assert_eq!(contradicting_values(&refs, &mentions, &[], 500, day(50)).len(), 1);
    }
}
