//! Each rule by itself, which one wins.

use super::*;
use crate::claim::{Difference, Doubt, Why, compare};
use crate::id::TurnId;
use crate::link::entity::tests::day;
use crate::observe::EntityKind;
use RelationKind::*;
use ulid::Ulid;

fn memory(number: u128) -> MemoryId {
    MemoryId::from_ulid(Ulid(number))
}

fn things(names: &str) -> Vec<EntityId> {
    names.split_whitespace().map(|name| EntityId::of(EntityKind::Tool, name)).collect()
}

/// A pair of memories; the new one is number 2, the old one number 1.
#[derive(Clone)]
struct Pair {
    new: &'static str,
    old: &'static str,
    kinds: (Kind, Kind),
    named: (&'static str, &'static str),
    likeness: f64,
    bearing: Bearing,
    same_turn: bool,
    before: bool,
}

/// Two texts that have nothing in common.
fn strangers() -> Pair {
    Pair {
        new: "lint runs nightly",
        old: "Ada owns billing",
        kinds: (Kind::Fact, Kind::Decision),
        named: ("", ""),
        likeness: 0.1,
        bearing: Bearing::Unrelated,
        same_turn: false,
        before: true,
    }
}

fn edges_of(pair: &Pair) -> Vec<Relation> {
    let (ours, theirs) = (things(pair.named.0), things(pair.named.1));
    let new = Newcomer {
        id: memory(2),
        text: pair.new,
        kind: pair.kinds.0,
        entities: &ours,
        opening: None,
        at: day(1),
    };
    let old = Neighbour {
        id: memory(1),
        text: pair.old,
        kind: pair.kinds.1,
        entities: &theirs,
        likeness: Similarity::clamped(pair.likeness),
        bearing: &pair.bearing,
        same_turn: pair.same_turn,
        before: pair.before,
    };
    plan_relations(&new, &[old])
}

#[track_caller]
fn check(pair: Pair, expected: &str) {
    let called = |id: MemoryId| if id == memory(2) { "new" } else { "old" };
    let told: Vec<String> = edges_of(&pair)
        .iter()
        .map(|edge| {
            format!("{} {} {} {:.2}", called(edge.from), edge.kind, called(edge.to), edge.confidence.get())
        })
        .collect();
    assert_eq!(told.join(", "), expected, "{} / {}", pair.new, pair.old);
}

#[test]
fn two_texts_that_have_nothing_in_common_are_not_tied() {
    check(strangers(), "");
    check(Pair { kinds: (Kind::Fact, Kind::Fact), ..strangers() }, "");
    check(Pair { named: ("redis", "redis"), ..strangers() }, "");
}

#[test]
fn what_the_texts_claim_comes_first() {
    let difference = Difference { why: Why::Number, old: "1".to_owned(), new: "2".to_owned() };
    let pair = Pair { named: ("a b", "a b"), likeness: 0.9, ..strangers() };
    check(Pair { bearing: Bearing::Contradicts(difference), ..pair.clone() }, "new contradicts old 0.80");
    check(Pair { bearing: Bearing::Same, ..pair.clone() }, "new supports old 0.80");
    check(Pair { bearing: Bearing::Same, same_turn: true, ..pair.clone() }, "");
    check(Pair { bearing: Bearing::Adds, ..pair.clone() }, "new elaborates old 0.50");
    check(Pair { bearing: Bearing::Contained, ..pair }, "old elaborates new 0.50");
}

#[test]
fn shared_names_and_words_tie_by_the_numbers_of_the_seed() {
    let pair = Pair {
        new: "the staging cluster stores sessions in redis",
        old: "redis holds staging sessions for an hour",
        ..strangers()
    };
    check(Pair { named: ("redis", "redis"), ..pair.clone() }, "new elaborates old 0.50");
    check(Pair { named: ("redis", "redis"), before: false, ..pair.clone() }, "old elaborates new 0.50");
    check(Pair { kinds: (Kind::Fact, Kind::Fact), ..pair.clone() }, "new related_to old 0.40");
    check(pair, "");
    check(Pair { named: ("a b", "b a"), ..strangers() }, "new same_entity old 0.70");
    check(Pair { named: ("a a", "a a"), ..strangers() }, "");
    let turkish = Pair {
        new: "oturumlar staging sunucusunda redis üzerinde duruyor",
        old: "staging sunucusu oturumları bir saat tutar",
        kinds: (Kind::Fact, Kind::Fact),
        ..strangers()
    };
    check(turkish.clone(), "new related_to old 0.40");
    check(Pair { named: ("redis", "redis"), ..turkish }, "new elaborates old 0.50");
}

#[test]
fn likeness_ties_where_no_claim_was_understood() {
    check(Pair { likeness: 0.75, ..strangers() }, "new similar_to old 0.75");
    check(Pair { likeness: 0.74, ..strangers() }, "");
    let unsure = Bearing::Unsure(Doubt::Difference);
    check(Pair { likeness: 0.8, bearing: unsure, ..strangers() }, "new similar_to old 0.80");
    check(Pair { likeness: 0.9, named: ("a b", "a b"), ..strangers() }, "new same_entity old 0.70");
}

#[test]
fn the_cause_causes_the_effect() {
    for (new, old, expected) in [
        (
            "staging deploys fail because the vault token expired",
            "the vault token expired on Monday",
            "old causes new 0.60",
        ),
        (
            "staging deploys fail because the vault token expired",
            "staging deploys fail",
            "new causes old 0.60",
        ),
        ("a full disk caused the billing outage", "the billing outage lasted an hour", "new causes old 0.60"),
        ("a full disk caused the billing outage", "the disk was full on Sunday", "old causes new 0.60"),
        (
            "staging deploy patladı çünkü vault token süresi doldu",
            "vault token süresi pazartesi doldu",
            "old causes new 0.60",
        ),
        ("dolan disk yüzünden fatura servisi durdu", "fatura servisi bir saat durdu", "new causes old 0.60"),
    ] {
        let bearing = compare(old, new);
        let bearing = if matches!(bearing, Bearing::Contradicts(_)) { Bearing::Unrelated } else { bearing };
        let named = ("vault", "vault");
        check(Pair { new, old, named, bearing, ..strangers() }, expected);
    }
}

#[test]
fn which_of_the_two_came_first_makes_no_difference_to_the_cause() {
    for (new, old, expected) in [
        (
            "the vault token expired on Monday",
            "staging deploys fail because the vault token expired",
            "new causes old 0.60",
        ),
        ("staging deploys fail on Monday", "staging deploys fail due to the vault", "old causes new 0.60"),
        (
            "yedekleme pazartesi geceleri sürüyor",
            "deploy yapılmıyor çünkü yedekleme sürüyor",
            "new causes old 0.60",
        ),
    ] {
        check(Pair { new, old, named: ("vault", "vault"), ..strangers() }, expected);
    }
}

#[test]
fn a_word_of_cause_alone_causes_nothing() {
    let new = "staging deploys fail because the vault token expired";
    for (old, named, bearing) in [
        ("Ada owns billing", ("vault", "vault"), Bearing::Unrelated),
        ("the vault token is ours", ("", ""), Bearing::Unrelated),
        ("staging deploys fail when the vault token expired", ("", ""), Bearing::Unrelated),
        ("staging deploys fail because the vault token expired at noon", ("", ""), Bearing::Contained),
    ] {
        let edges = edges_of(&Pair { new, old, named, bearing, ..strangers() });
        assert!(edges.iter().all(|edge| edge.kind != Causes), "{old}: {edges:?}");
    }
}

#[test]
fn facts_of_one_turn_belong_to_its_first_if_they_share_its_subject() {
    let turn = TurnId::of_content(day(1), "the turn");
    let born = |number| turn.newborn("project", number);
    let redis = things("redis");
    let neighbour = |number: usize, entities| Neighbour {
        id: born(number),
        text: "redis keeps the sessions",
        kind: Kind::Decision,
        entities,
        likeness: Similarity::clamped(0.2),
        bearing: &Bearing::Unrelated,
        same_turn: true,
        before: true,
    };
    let new = Newcomer {
        id: born(2),
        text: "its port is 6380",
        kind: Kind::Fact,
        entities: &redis,
        opening: Some(born(0)),
        at: day(1),
    };
    let edges = plan_relations(&new, &[neighbour(0, &redis[..]), neighbour(1, &redis[..])]);
    assert_eq!(edges.iter().map(|edge| (edge.kind, edge.to)).collect::<Vec<_>>(), [(PartOf, born(0))]);
    assert!(plan_relations(&new, &[neighbour(0, &[])]).is_empty());
    assert!(plan_relations(&Newcomer { opening: None, ..new }, &[neighbour(0, &redis[..])]).is_empty());
}

#[test]
fn a_fact_is_derived_from_the_telling_of_its_turn() {
    let pair = Pair { same_turn: true, ..strangers() };
    check(Pair { kinds: (Kind::Fact, Kind::Narrative), ..pair.clone() }, "new derived_from old 0.90");
    check(Pair { kinds: (Kind::Narrative, Kind::Fact), ..pair.clone() }, "old derived_from new 0.90");
    check(Pair { kinds: (Kind::Narrative, Kind::ToolOutcome), ..pair.clone() }, "");
    check(Pair { kinds: (Kind::Fact, Kind::Summary), ..pair }, "");
    check(Pair { kinds: (Kind::Fact, Kind::Narrative), ..strangers() }, "");
}

#[test]
fn a_memory_gets_its_strongest_edges_and_one_for_each_neighbour() {
    let shared = things("a b");
    let new = Newcomer {
        id: memory(99),
        text: "x",
        kind: Kind::Fact,
        entities: &shared,
        opening: None,
        at: day(1),
    };
    let near = |number: u128, likeness: f64, bearing, entities| Neighbour {
        id: memory(number),
        text: "y",
        kind: Kind::Fact,
        entities,
        likeness: Similarity::clamped(likeness),
        bearing,
        same_turn: false,
        before: true,
    };
    let mut neighbours: Vec<Neighbour<'_>> =
        (1..=8).map(|number| near(number, 0.75 + number as f64 / 100.0, &Bearing::Unrelated, &[])).collect();
    neighbours.push(near(9, 0.5, &Bearing::Adds, &[]));
    neighbours.push(near(9, 0.8, &Bearing::Unrelated, &[]));
    neighbours.push(near(10, 0.5, &Bearing::Unrelated, &shared));
    neighbours.push(near(99, 1.0, &Bearing::Same, &shared));
    let edges = plan_relations(&new, &neighbours);
    let told: Vec<(RelationKind, MemoryId)> = edges.iter().map(|edge| (edge.kind, edge.to)).collect();
    assert_eq!(told, [(Elaborates, memory(9)), (SameEntity, memory(10)), (SimilarTo, memory(8)),]);
    assert_eq!(edges.len(), MOST_DRAWN);
}

#[test]
fn every_kind_has_its_place_in_the_order_of_strength() {
    let ranks: BTreeSet<usize> = RelationKind::ALL.iter().map(|kind| strength_of(*kind)).collect();
    assert_eq!(ranks.len(), RelationKind::ALL.len());
}

#[test]
fn an_edge_from_before_there_was_a_confidence_is_certain() {
    let line = format!(
        r#"{{"from":"{}","kind":"supersedes","to":"{}","created_at":"2026-01-01T00:00:00Z"}}"#,
        memory(1),
        memory(2)
    );
    let edge: Relation = serde_json::from_str(&line).unwrap();
    assert_eq!(edge.confidence, Confidence::CERTAIN);
    assert_eq!(serde_json::from_str::<Relation>(&serde_json::to_string(&edge).unwrap()).unwrap(), edge);
}
