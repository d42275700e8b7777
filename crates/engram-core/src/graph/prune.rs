//! Which things and bonds a graph can do without.
//!
//! A thing goes if hardly anybody was ever sure of it, or if no memory names it
//! any more; its bonds go with it, for a bond needs two ends. A bond that
//! nobody is sure of ends, and is kept. Who removes them is not known here.

use super::Bond;
use crate::Span;
use crate::id::EntityId;
use crate::link::KnownEntity;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Nothing goes or ends before this age: it may still prove to be something
/// (S0 and S2).
const SETTLED: Span = Span::from_hours(30 * 24);
/// A thing that is less sure than this, and named by fewer memories, is a
/// misreading (S0).
const HARDLY_SURE: f64 = 0.3;
const FEW_MENTIONS: u32 = 2;
/// A bond that is less sure than this ends (S0).
const DOUBTED: f64 = 0.2;

/// What goes from a graph, and what ends in it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphPruning {
    /// Things that are kept no longer.
    pub entities: Vec<EntityId>,
    /// Bonds that go because one of their things does, as they were.
    pub gone: Vec<Bond>,
    /// Bonds that end now, as they are to be kept.
    pub invalid: Vec<Bond>,
}

/// `mentioned` are the things that some kept memory names.
pub fn plan_graph_pruning(
    entities: &[KnownEntity],
    mentioned: &BTreeSet<EntityId>,
    bonds: &[Bond],
    at: Timestamp,
) -> GraphPruning {
    let settled = |since: Timestamp| at.duration_since(since) > SETTLED;
    let goes = |entity: &&KnownEntity| {
        let weak = entity.confidence().get() < HARDLY_SURE
            && entity.mentions < FEW_MENTIONS
            && settled(entity.last_seen_at);
        let orphan = !mentioned.contains(&entity.id) && settled(entity.first_seen_at);
        weak || orphan
    };
    let pruned: BTreeSet<EntityId> = entities.iter().filter(goes).map(|entity| entity.id).collect();
    let (gone, kept): (Vec<&Bond>, Vec<&Bond>) =
        bonds.iter().partition(|bond| pruned.contains(&bond.from) || pruned.contains(&bond.to));
    let ends = |bond: &&Bond| bond.is_valid() && bond.confidence.get() < DOUBTED && settled(bond.valid_from);
    GraphPruning {
        entities: pruned.into_iter().collect(),
        gone: gone.into_iter().cloned().collect(),
        invalid: kept
            .into_iter()
            .filter(ends)
            .map(|bond| Bond { invalid_at: Some(at), ..bond.clone() })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::BondKind::*;
    use crate::graph::trial::{bond, day, thing};
    use crate::link::{EntityBook, plan_entities};
    use crate::observe::{Entity, EntityKind};
    use crate::unit::Confidence;

    /// A thing that was first seen on day 0.
    fn known(name: &str, confidence: f64, mentions: u32, last_seen: i64) -> KnownEntity {
        let found =
            Entity { kind: EntityKind::Tool, name: name.to_owned(), written: name.to_owned(), version: None };
        let plan = plan_entities(&EntityBook::default(), &[found], &[], day(0));
        let confidence = Some(Confidence::clamped(confidence));
        let entity = plan.entities.into_iter().next().unwrap();
        KnownEntity { confidence, mentions, last_seen_at: day(last_seen), ..entity }
    }

    #[test]
    fn a_thing_goes_that_is_unsure_rare_and_old_or_that_nobody_names() {
        for (confidence, mentions, last_seen, named, on, goes) in [
            (0.29, 1, 0, true, 31, true),
            (0.30, 1, 0, true, 31, false),
            (0.29, 2, 0, true, 31, false),
            (0.29, 1, 0, true, 30, false),
            (0.29, 1, 9, true, 39, false),
            (0.29, 1, 9, true, 40, true),
            (1.0, 9, 9, false, 31, true),
            (1.0, 9, 9, false, 30, false),
            (1.0, 9, 9, true, 400, false),
        ] {
            let entity = known("redis", confidence, mentions, last_seen);
            let mentioned = if named { BTreeSet::from([entity.id]) } else { BTreeSet::new() };
            let plan = plan_graph_pruning(&[entity], &mentioned, &[], day(on));
            assert_eq!(plan.entities.len() == 1, goes, "{confidence} x{mentions} {last_seen} {named} {on}");
        }
    }

    #[test]
    fn what_nobody_told_the_confidence_of_is_sure_enough() {
        let entity = KnownEntity { confidence: None, ..known("redis", 0.0, 1, 0) };
        let mentioned = BTreeSet::from([entity.id]);
        assert_eq!(plan_graph_pruning(&[entity], &mentioned, &[], day(400)), GraphPruning::default());
    }

    #[test]
    fn the_bonds_of_a_thing_go_with_it_and_those_in_doubt_end() {
        let doubted = |from, to| Bond { confidence: Confidence::clamped(0.19), ..bond(from, Uses, to) };
        let ended = Bond { invalid_at: Some(day(3)), ..doubted("c", "d") };
        let bonds =
            [bond("a", Uses, "b"), bond("b", Uses, "c"), doubted("c", "e"), ended, bond("c", Fixes, "d")];
        let entities = [known("b", 0.1, 1, 0), known("c", 0.9, 5, 0)];
        let mentioned = BTreeSet::from([thing("b"), thing("c")]);
        let plan = plan_graph_pruning(&entities, &mentioned, &bonds, day(31));
        assert_eq!(plan.entities, [thing("b")]);
        assert_eq!(plan.gone, bonds[..2]);
        assert_eq!(plan.invalid, [Bond { invalid_at: Some(day(31)), ..bonds[2].clone() }]);
        let young = plan_graph_pruning(&entities, &mentioned, &bonds, day(30));
        assert_eq!(young, GraphPruning::default());
    }
}
