//! What is around a thing: the memories that name it, and the things it is
//! tied to, step by step.
//!
//! Which memories and bonds may be seen at all, whoever calls decides.

use super::{Bond, BondKind};
use crate::id::{EntityId, MemoryId};
use crate::link::Mention;
use crate::memory::Memory;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The memories that name a thing, the most useful first and among equals the
/// latest.
pub fn hub_of<'m>(
    entity: EntityId,
    mentions: &[Mention],
    memories: impl IntoIterator<Item = &'m Memory>,
) -> Vec<&'m Memory> {
    let naming: BTreeSet<MemoryId> =
        mentions.iter().filter(|mention| mention.entity == entity).map(|mention| mention.memory).collect();
    let mut hub: Vec<&Memory> = memories.into_iter().filter(|memory| naming.contains(&memory.id)).collect();
    hub.sort_by_key(|memory| Reverse((memory.utility, memory.validity.valid_from, memory.id)));
    hub
}

/// A thing with the things that are reached through it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    pub entity: EntityId,
    /// The bond that led here, as it points. None at the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Bond>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<Tree>,
}

/// The things within so many bonds of one, each once and as near as it can be
/// reached. Bonds are followed both ways, the firmest first; those that ended,
/// and those of other kinds, lead nowhere. No kinds at all means every kind.
pub fn neighbours(bonds: &[Bond], root: EntityId, hops: usize, kinds: &[BondKind]) -> Tree {
    let mut around: BTreeMap<EntityId, Vec<(EntityId, &Bond)>> = BTreeMap::new();
    let followed = |bond: &&Bond| bond.is_valid() && (kinds.is_empty() || kinds.contains(&bond.kind));
    for bond in bonds.iter().filter(followed) {
        around.entry(bond.from).or_default().push((bond.to, bond));
        around.entry(bond.to).or_default().push((bond.from, bond));
    }
    for ties in around.values_mut() {
        ties.sort_by_key(|(other, bond)| (Reverse(bond.pull()), bond.key(), *other));
    }
    let mut seen = BTreeSet::from([root]);
    let mut queue = VecDeque::from([(root, hops)]);
    let mut reached: BTreeMap<EntityId, Vec<(EntityId, &Bond)>> = BTreeMap::new();
    while let Some((entity, left)) = queue.pop_front() {
        if left == 0 {
            continue;
        }
        for (other, bond) in around.get(&entity).into_iter().flatten() {
            if seen.insert(*other) {
                reached.entry(entity).or_default().push((*other, bond));
                queue.push_back((*other, left - 1));
            }
        }
    }
    grown(root, None, &reached)
}

fn grown(entity: EntityId, by: Option<&Bond>, reached: &BTreeMap<EntityId, Vec<(EntityId, &Bond)>>) -> Tree {
    let next = reached.get(&entity).into_iter().flatten();
    let branches = next.map(|(other, bond)| grown(*other, Some(bond), reached)).collect();
    Tree { entity, by: by.cloned(), branches }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Utility;
    use crate::graph::BondKind::*;
    use crate::graph::trial::{bond, day, memory, memory_id, mention, thing};
    use crate::unit::Weight;
    use proptest::prelude::*;

    const NAMES: [&str; 6] = ["api", "redis", "valkey", "postgres", "disk", "far"];

    fn told(tree: &Tree) -> String {
        let name = NAMES.iter().find(|name| thing(name) == tree.entity).unwrap();
        let by = tree.by.as_ref().map(|bond| format!("{}:", bond.kind)).unwrap_or_default();
        let branches: Vec<String> = tree.branches.iter().map(told).collect();
        if branches.is_empty() {
            format!("{by}{name}")
        } else {
            format!("{by}{name}({})", branches.join(" "))
        }
    }

    #[test]
    fn what_is_around_a_thing_is_told_step_by_step_and_each_thing_once() {
        let firm = Bond { weight: Weight::clamped(0.9), ..bond("api", DependsOn, "postgres") };
        let bonds = [
            bond("api", Uses, "redis"),
            firm,
            bond("valkey", Replaces, "redis"),
            bond("postgres", Uses, "disk"),
            bond("redis", Uses, "disk"),
            bond("disk", PartOf, "far"),
            Bond { invalid_at: Some(day(1)), ..bond("api", Uses, "far") },
        ];
        for (hops, kinds, expected) in [
            (0, &[][..], "api"),
            (1, &[], "api(depends_on:postgres uses:redis)"),
            (2, &[], "api(depends_on:postgres(uses:disk) uses:redis(replaces:valkey))"),
            (9, &[], "api(depends_on:postgres(uses:disk(part_of:far)) uses:redis(replaces:valkey))"),
            (9, &[Uses], "api(uses:redis(uses:disk(uses:postgres)))"),
            (9, &[Fixes], "api"),
        ] {
            assert_eq!(told(&neighbours(&bonds, thing("api"), hops, kinds)), expected, "{hops}");
        }
    }

    #[test]
    fn the_memories_of_a_thing_come_by_use_and_then_by_time() {
        let useful = |mut memory: Memory, utility: f64| {
            memory.utility = Utility::clamped(utility);
            memory
        };
        let memories = [
            useful(memory(1, "redis is the cache", 1), 0.5),
            useful(memory(2, "redis listens on 6379", 3), 0.5),
            useful(memory(3, "redis is on the second host", 2), 0.9),
            useful(memory(4, "kafka is the queue", 2), 1.0),
        ];
        let mentions = [
            mention(1, "redis"),
            mention(2, "redis"),
            mention(2, "redis"),
            mention(3, "redis"),
            mention(4, "kafka"),
        ];
        let hub = hub_of(thing("redis"), &mentions, &memories);
        assert_eq!(hub.iter().map(|memory| memory.id).collect::<Vec<_>>(), [3, 2, 1].map(memory_id));
        assert!(hub_of(thing("nobody"), &mentions, &memories).is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]

        #[test]
        fn the_tree_is_the_same_whatever_order_the_bonds_come_in(
            drawn in prop::collection::vec((0..6_usize, 0..BondKind::ALL.len(), 0..6_usize, 0..=10_u8), 0..24),
            hops in 0..5_usize,
        ) {
            let mut bonds: BTreeMap<super::super::BondKey, Bond> = BTreeMap::new();
            for (from, kind, to, weight) in drawn {
                let weight = Weight::clamped(f64::from(weight) / 10.0);
                let bond = Bond { weight, ..bond(NAMES[from], BondKind::ALL[kind], NAMES[to]) };
                bonds.insert(bond.key(), bond);
            }
            let mut bonds: Vec<Bond> = bonds.into_values().collect();
            let tree = neighbours(&bonds, thing("api"), hops, &[]);
            bonds.reverse();
            prop_assert_eq!(&neighbours(&bonds, thing("api"), hops, &[]), &tree);
            fn walk(tree: &Tree, depth: usize, seen: &mut Vec<(EntityId, usize)>) {
                seen.push((tree.entity, depth));
                tree.branches.iter().for_each(|branch| walk(branch, depth + 1, seen));
            }
            let mut seen = Vec::new();
            walk(&tree, 0, &mut seen);
            let once: BTreeSet<EntityId> = seen.iter().map(|(entity, _)| *entity).collect();
            prop_assert_eq!(once.len(), seen.len());
            prop_assert!(seen.iter().all(|(_, depth)| *depth <= hops));
        }
    }
}
