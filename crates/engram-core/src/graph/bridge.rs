//! Two things of different fields that nobody has tied, and that have something
//! in common.
//!
//! What they share counts by how rare it is: a thing that is beside everything
//! brings nothing together. Whether a bridge bears weight, a person or a model
//! has to say.

use crate::id::EntityId;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A thing beside more others than this is a hub and brings no two together.
/// It also bounds the pairs that are looked at.
const HUB: usize = 32;

/// Where a thing is met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surroundings {
    pub entity: EntityId,
    /// The fields of the memories that name it, with how many do; where they
    /// have none, whatever else parts them (their project, their kind).
    pub domains: BTreeMap<String, u32>,
    /// The things it is bonded to or named together with.
    pub neighbours: BTreeSet<EntityId>,
}

/// Two things that may have to do with each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bridge {
    pub a: EntityId,
    pub b: EntityId,
    /// The rarest thing that is beside both.
    pub via: EntityId,
    /// The field of the first, and that of the second.
    pub domains: (String, String),
    pub reason: String,
}

/// At most so many bridges, those first that share the rarest things. A thing
/// is of the field in which it is met most, and two are of different fields if
/// neither is ever met in the other's.
pub fn bridges(things: &[Surroundings], most: usize) -> Vec<Bridge> {
    let fields: BTreeMap<EntityId, (&str, &Surroundings)> =
        things.iter().filter_map(|thing| Some((thing.entity, (field_of(thing)?, thing)))).collect();
    let mut beside: BTreeMap<EntityId, BTreeSet<EntityId>> = BTreeMap::new();
    for thing in things {
        for other in thing.neighbours.iter().filter(|other| **other != thing.entity) {
            beside.entry(thing.entity).or_default().insert(*other);
            beside.entry(*other).or_default().insert(thing.entity);
        }
    }
    let mut meetings: BTreeMap<(EntityId, EntityId), Meeting> = BTreeMap::new();
    for (via, around) in beside.iter().filter(|(_, around)| around.len() <= HUB) {
        for (place, a) in around.iter().enumerate() {
            for b in around.iter().skip(place + 1) {
                let (Some(one), Some(other)) = (fields.get(a), fields.get(b)) else { continue };
                let tied = beside.get(a).is_some_and(|around| around.contains(b));
                if !tied && are_apart(one, other) {
                    let meeting =
                        meetings.entry((*a, *b)).or_insert_with(|| Meeting::over(*via, around.len()));
                    meeting.take(*via, around.len());
                }
            }
        }
    }
    let mut found: Vec<((EntityId, EntityId), Meeting)> = meetings.into_iter().collect();
    found.sort_by(|(ends, one), (others, other)| other.worth.total_cmp(&one.worth).then(ends.cmp(others)));
    found.truncate(most);
    let told = |((a, b), meeting): ((EntityId, EntityId), Meeting)| {
        let field = |id: EntityId| fields.get(&id).map_or_else(String::new, |(field, _)| (*field).to_owned());
        let reason = format!(
            "{} in common, the rarest beside {} things; not tied to each other",
            if meeting.shared == 1 { "1 thing".to_owned() } else { format!("{} things", meeting.shared) },
            meeting.least
        );
        Bridge { a, b, via: meeting.via, domains: (field(a), field(b)), reason }
    };
    found.into_iter().map(told).collect()
}

/// What two things share.
struct Meeting {
    via: EntityId,
    /// So many are beside the rarest.
    least: usize,
    shared: usize,
    worth: f64,
}

impl Meeting {
    fn over(via: EntityId, around: usize) -> Self {
        Self { via, least: around, shared: 0, worth: 0.0 }
    }

    fn take(&mut self, via: EntityId, around: usize) {
        if around < self.least {
            (self.via, self.least) = (via, around);
        }
        self.shared += 1;
        self.worth += rarity_of(around);
    }
}

/// How much a shared thing tells that so many are beside, at least the two.
fn rarity_of(around: usize) -> f64 {
    1.0 / (around.max(2) as f64).ln()
}

/// The field in which it is met most, the first by name among equals.
fn field_of(thing: &Surroundings) -> Option<&str> {
    thing.domains.iter().max_by_key(|(name, count)| (**count, Reverse(*name))).map(|(name, _)| name.as_str())
}

fn are_apart(one: &(&str, &Surroundings), other: &(&str, &Surroundings)) -> bool {
    !one.1.domains.contains_key(other.0) && !other.1.domains.contains_key(one.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::trial::thing;
    use proptest::prelude::*;

    fn met(name: &str, domains: &[(&str, u32)], beside: &[&str]) -> Surroundings {
        Surroundings {
            entity: thing(name),
            domains: domains.iter().map(|(domain, count)| ((*domain).to_owned(), *count)).collect(),
            neighbours: beside.iter().map(|name| thing(name)).collect(),
        }
    }

    fn ends(bridge: &Bridge) -> BTreeSet<EntityId> {
        BTreeSet::from([bridge.a, bridge.b])
    }

    fn pair(one: &str, other: &str) -> BTreeSet<EntityId> {
        BTreeSet::from([thing(one), thing(other)])
    }

    #[test]
    fn two_things_of_different_fields_meet_over_what_they_share() {
        let things = [
            met("lock", &[("database", 3), ("rust", 1)], &["timeout"]),
            met("retry", &[("networking", 2)], &["timeout"]),
            met("index", &[("database", 2)], &["timeout"]),
        ];
        let found = bridges(&things, 9);
        assert_eq!(
            found.iter().map(ends).collect::<BTreeSet<_>>(),
            BTreeSet::from([pair("lock", "retry"), pair("index", "retry")])
        );
        let bridge = found.iter().find(|bridge| ends(bridge) == pair("lock", "retry")).unwrap();
        assert_eq!(bridge.via, thing("timeout"));
        assert_eq!(
            BTreeSet::from([&bridge.domains.0[..], &bridge.domains.1]),
            BTreeSet::from(["database", "networking"])
        );
        assert_eq!(bridge.domains.0 == "database", bridge.a == thing("lock"));
        assert_eq!(bridge.reason, "1 thing in common, the rarest beside 3 things; not tied to each other");
        assert_eq!(bridges(&things, 1).len(), 1);
    }

    #[test]
    fn what_is_tied_shares_a_field_or_has_none_needs_no_bridge() {
        let shared = |one: Surroundings, other: Surroundings| bridges(&[one, other], 9).len();
        let (rust, web) = (&[("rust", 1)][..], &[("frontend", 1)][..]);
        assert_eq!(shared(met("a", rust, &["x"]), met("b", web, &["x"])), 1);
        assert_eq!(shared(met("a", rust, &["x", "b"]), met("b", web, &["x"])), 0);
        assert_eq!(shared(met("a", rust, &["x"]), met("b", rust, &["x"])), 0);
        assert_eq!(shared(met("a", rust, &["x"]), met("b", &[("frontend", 9), ("rust", 1)], &["x"])), 0);
        assert_eq!(shared(met("a", rust, &["x"]), met("b", &[], &["x"])), 0);
        assert_eq!(shared(met("a", rust, &["x"]), met("b", web, &["y"])), 0);
    }

    #[test]
    fn the_rarer_the_shared_thing_the_better_the_bridge_and_a_hub_is_none() {
        let crowd: Vec<String> = (0..40).map(|number| format!("n{number}")).collect();
        let mut things = vec![
            met("a", &[("rust", 1)], &["rare", "common", "hub"]),
            met("b", &[("aws", 1)], &["rare"]),
            met("c", &[("git", 1)], &["common"]),
            met("d", &[("ci", 1)], &["hub"]),
        ];
        things.extend(crowd.iter().take(6).map(|name| met(name, &[("rust", 1)], &["common"])));
        things.extend(crowd.iter().map(|name| met(name, &[("rust", 1)], &["hub"])));
        let found = bridges(&things, 99);
        assert_eq!((ends(&found[0]), found[0].via), (pair("a", "b"), thing("rare")));
        assert!(found.iter().any(|bridge| ends(bridge) == pair("a", "c")));
        assert!(found.iter().all(|bridge| !ends(bridge).contains(&thing("d"))));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]

        #[test]
        fn the_bridges_are_the_same_whatever_order_the_things_come_in(
            drawn in prop::collection::btree_map(0..12_u8, (0..4_u8, prop::collection::btree_set(0..12_u8, 0..5)), 0..12),
            most in 0..8_usize,
        ) {
            let name = |number: u8| format!("t{number}");
            let mut things: Vec<Surroundings> = drawn
                .into_iter()
                .map(|(number, (domain, beside))| Surroundings {
                    entity: thing(&name(number)),
                    domains: BTreeMap::from([(name(domain), 1)]),
                    neighbours: beside.into_iter().map(|other| thing(&name(other))).collect(),
                })
                .collect();
            let first = bridges(&things, most);
            things.reverse();
            prop_assert_eq!(&bridges(&things, most), &first);
            prop_assert!(first.len() <= most);
            prop_assert!(first.iter().all(|bridge| bridge.a < bridge.b && bridge.domains.0 != bridge.domains.1));
        }
    }
}
