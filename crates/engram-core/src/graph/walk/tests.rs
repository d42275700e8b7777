//! What is near, what is far, and what a hub leads to.

use super::*;
use crate::graph::BondKind::*;
use crate::graph::trial::{bond, day, memory_id, mention, thing};
use crate::memory::RelationKind;
use crate::unit::Confidence;
use proptest::prelude::*;

fn from(names: &[&str]) -> Vec<(EntityId, Weight)> {
    names.iter().map(|name| (thing(name), Weight::DEFAULT)).collect()
}

/// The numbers of the memories, the nearest first.
fn order(graph: &Graph, names: &[&str]) -> Vec<u64> {
    page_rank(graph, &from(names)).iter().map(|(memory, _)| memory.ulid().0 as u64).collect()
}

fn edge(one: u64, other: u64, confidence: f64) -> Relation {
    let confidence = Confidence::clamped(confidence);
    let edge = Relation::certain(memory_id(one), RelationKind::Elaborates, memory_id(other), day(0));
    Relation { confidence, ..edge }
}

#[test]
fn a_memory_is_found_by_what_it_names_and_by_what_that_is_tied_to() {
    let mentions = [mention(1, "redis"), mention(2, "valkey"), mention(3, "kafka")];
    let graph = Graph::new(&mentions, &[bond("valkey", Replaces, "redis")], &[]);
    assert_eq!(order(&graph, &["redis"]), [1, 2]);
    assert_eq!(order(&graph, &["valkey"]), [2, 1]);
    assert_eq!(order(&graph, &["kafka"]), [3]);
    assert!(order(&graph, &["nobody"]).is_empty());
    assert!(order(&graph, &[]).is_empty());
}

#[test]
fn a_firmer_bond_leads_nearer_and_an_ended_one_nowhere() {
    let mentions = [mention(1, "a"), mention(2, "b"), mention(3, "c")];
    let firm = Bond { weight: Weight::clamped(1.0), ..bond("x", Uses, "b") };
    let ended = Bond { invalid_at: Some(day(1)), ..bond("x", Uses, "c") };
    let graph = Graph::new(&mentions, &[bond("x", Uses, "a"), firm, ended], &[]);
    assert_eq!(order(&graph, &["x"]), [2, 1]);
}

#[test]
fn an_edge_between_memories_leads_on() {
    let graph = Graph::new(&[mention(1, "a")], &[], &[edge(1, 2, 0.9), edge(1, 3, 0.4), edge(3, 4, 1.0)]);
    assert_eq!(order(&graph, &["a"]), [1, 2, 3, 4]);
}

#[test]
fn a_hub_brings_little_to_each_of_the_many() {
    let mut mentions: Vec<Mention> = (10..60).map(|number| mention(number, "hub")).collect();
    mentions.extend([mention(1, "rare"), mention(2, "rare")]);
    let graph = Graph::new(&mentions, &[], &[]);
    let shares = page_rank(&graph, &from(&["hub", "rare"]));
    assert_eq!(
        shares[..2].iter().map(|(memory, _)| *memory).collect::<Vec<_>>(),
        [memory_id(1), memory_id(2)]
    );
    assert!(shares[0].1.get() > 10.0 * shares[2].1.get(), "{shares:?}");
}

#[test]
fn the_weight_of_a_seed_counts() {
    let graph = Graph::new(&[mention(1, "a"), mention(2, "b")], &[], &[]);
    let seeds = [
        (thing("a"), Weight::clamped(0.2)),
        (thing("b"), Weight::clamped(0.8)),
        (thing("b"), Weight::clamped(0.1)),
    ];
    let shares = page_rank(&graph, &seeds);
    assert_eq!(shares[0].0, memory_id(2));
    assert!((shares[0].1.get() / shares[1].1.get() - 4.0).abs() < 1e-3, "{shares:?}");
}

#[test]
fn the_work_is_bounded_on_a_large_graph() {
    let mentions: Vec<Mention> =
        (0..30_000_u64).map(|number| mention(number, &format!("t{}", number * 7_919 % 1_000))).collect();
    let more: Vec<Mention> =
        (0..30_000_u64).map(|number| mention(number, &format!("t{}", number * 104_729 % 997))).collect();
    let graph = Graph::new(&[mentions, more].concat(), &[], &[]);
    let shares = page_rank(&graph, &from(&["t1"]));
    let sum: f64 = shares.iter().map(|(_, share)| share.get()).sum();
    assert!(!shares.is_empty() && sum <= 1.0);
}

/// The slow and obvious way: sweeps over all ties until nothing moves.
fn by_sweeps(graph: &Graph, seeds: &[(EntityId, Weight)]) -> BTreeMap<MemoryId, f64> {
    let home = seeds_in(graph, seeds);
    let whole: f64 = home.values().sum();
    let mut shares = vec![0.0; graph.nodes.len()];
    for _ in 0..300 {
        let mut next = vec![0.0; shares.len()];
        home.iter().for_each(|(node, weight)| next[*node] += RESTART * weight / whole);
        for (node, share) in shares.iter().enumerate() {
            for (to, tie) in graph.ties_of(node) {
                next[*to] += (1.0 - RESTART) * share * tie / graph.strengths[node];
            }
        }
        shares = next;
    }
    let memories = graph.nodes.iter().zip(shares).filter_map(|(node, share)| match node {
        Node::Memory(memory) => Some((*memory, share)),
        Node::Entity(_) => None,
    });
    memories.filter(|(_, share)| *share > 0.0).collect()
}

prop_compose! {
    fn any_ties()(
        mentions in prop::collection::vec((0..20_u64, 0..8_u8), 1..50),
        bonds in prop::collection::vec((0..8_u8, 0..8_u8, 0..=10_u8), 0..20),
        edges in prop::collection::vec((0..20_u64, 0..20_u64, 0..=10_u8), 0..20),
    ) -> (Vec<Mention>, Vec<Bond>, Vec<Relation>) {
        let tenths = |number: u8| f64::from(number) / 10.0;
        let name = |number: u8| format!("t{number}");
        (
            mentions.into_iter().map(|(memory, entity)| mention(memory, &name(entity))).collect(),
            bonds
                .into_iter()
                .map(|(one, other, weight)| Bond {
                    weight: Weight::clamped(tenths(weight)),
                    ..bond(&name(one), Uses, &name(other))
                })
                .collect(),
            edges.into_iter().map(|(one, other, sure)| edge(one, other, tenths(sure))).collect(),
        )
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn the_shares_are_those_of_the_slow_way((mentions, bonds, edges) in any_ties(), seed in 0..8_u8) {
        let graph = Graph::new(&mentions, &bonds, &edges);
        let seeds = [(thing(&format!("t{seed}")), Weight::DEFAULT), (thing("t0"), Weight::clamped(1.0))];
        let found: BTreeMap<MemoryId, f64> =
            page_rank(&graph, &seeds).into_iter().map(|(memory, share)| (memory, share.get())).collect();
        prop_assert!(found.values().all(|share| *share > 0.0));
        prop_assert!(found.values().sum::<f64>() <= 1.0 + 1e-9);
        let expected = by_sweeps(&graph, &seeds);
        for (memory, share) in &expected {
            let missing = share - found.get(memory).copied().unwrap_or(0.0);
            prop_assert!((-1e-9..1e-3).contains(&missing), "{memory}: {missing}");
        }
        // What cannot be reached has no share at all.
        prop_assert!(found.keys().all(|memory| expected.contains_key(memory)));
    }

    #[test]
    fn the_order_in_which_ties_come_makes_no_difference((mentions, bonds, edges) in any_ties(), turn in 0..50_usize) {
        let first = page_rank(&Graph::new(&mentions, &bonds, &edges), &from(&["t0", "t1", "t2"]));
        let (mut mentions, mut bonds, mut edges) = (mentions, bonds, edges);
        let places = mentions.len();
        mentions.rotate_left(turn % places);
        bonds.reverse();
        edges.reverse();
        let then = page_rank(&Graph::new(&mentions, &bonds, &edges), &from(&["t2", "t0", "t1"]));
        prop_assert_eq!(first, then);
    }

    #[test]
    fn on_a_chain_the_closer_comes_before_the_farther(length in 2..9_u64) {
        let mentions: Vec<Mention> = (1..=length)
            .flat_map(|number| [mention(number, &format!("c{}", number - 1)), mention(number, &format!("c{number}"))])
            .collect();
        let graph = Graph::new(&mentions, &[], &[]);
        prop_assert_eq!(order(&graph, &["c0"]), (1..=length).collect::<Vec<_>>());
    }
}
