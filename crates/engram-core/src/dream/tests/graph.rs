//! Things with a name: which go, which exclude each other, what is known of
//! them, and which fields they join.

use super::*;
use crate::decision::Pair;
use crate::dream::{card_for, plan_bridges, plan_cards, plan_contradictions, plan_entities};
use crate::graph::BondKind;
use crate::memory::RelationKind;

fn bond(scene: &mut Scene, from: &str, kind: BondKind, to: &str, by: MemoryId) -> Bond {
    let bond = Bond::new((scene.tool(from), kind, scene.tool(to)), by, day(0.0));
    scene.bonds.push(bond.clone());
    bond
}

#[test]
fn a_thing_that_nobody_names_goes_after_thirty_days_with_its_bonds() {
    for (days, goes) in [(30.0, false), (30.1, true)] {
        let mut scene = Scene::on(days);
        let memory = scene.plain("redis caches the sessions");
        scene.names(memory, "redis");
        bond(&mut scene, "frotz", BondKind::Uses, "redis", memory);
        let plan = scene.dream(plan_entities);
        assert_eq!(scene.entities.len(), if goes { 1 } else { 2 }, "{days}");
        assert_eq!(scene.bonds.len(), usize::from(!goes));
        assert_eq!(plan.deeds.len(), usize::from(goes));
        assert!(!format!("{:?}", plan.deeds).contains("frotz"), "what is gone is not named in a report");
    }
}

#[test]
fn a_thing_that_an_archived_memory_names_stays() {
    let mut scene = Scene::on(100.0);
    let memory = scene.add("redis caches the sessions", |memory| memory.status = Status::Archived);
    scene.names(memory, "redis");
    assert_eq!(scene.plan(plan_entities).writes, []);
    scene.change(memory, |memory| memory.content.clear());
    assert_eq!(scene.plan(plan_entities).writes.len(), 1);
}

#[test]
fn a_bond_that_nobody_is_sure_of_ends_and_is_kept() {
    let mut scene = Scene::on(31.0);
    let memory = scene.plain("nginx uses redis");
    ["nginx", "redis"].iter().for_each(|tool| scene.names(memory, tool));
    bond(&mut scene, "nginx", BondKind::Uses, "redis", memory);
    assert_eq!(scene.plan(plan_entities).writes, []);
    scene.bonds[0].confidence = Confidence::clamped(0.1);
    scene.dream(plan_entities);
    assert_eq!(scene.bonds[0].invalid_at, Some(scene.at));
}

#[test]
fn names_that_are_alike_are_proposed_once_and_never_made_one() {
    let mut scene = Scene::on(1.0);
    let memory = scene.plain("kubernetes and kubernets");
    ["kubernetes", "kubernets"].iter().for_each(|tool| scene.names(memory, tool));
    let plan = scene.dream(plan_entities);
    assert_eq!((plan.deeds.len(), scene.entities.len()), (1, 2));
    assert!(matches!(scene.reviews[0].pair, Pair::Entities { .. }));
    let again = scene.plan(plan_entities);
    assert_eq!((again.writes.as_slice(), again.left), ([].as_slice(), 0));
}

#[test]
fn names_that_mean_the_same_are_proposed_unless_a_number_tells_them_apart() {
    let mut scene = Scene::on(1.0);
    let memory = scene.plain("elastic, elasticsearch, redis and elastic2");
    ["elastic", "elasticsearch", "redis", "elastic2"].iter().for_each(|tool| scene.names(memory, tool));
    scene.dream(plan_entities);
    let proposed: Vec<&str> = scene.reviews.iter().map(|review| review.reason.as_str()).collect();
    assert_eq!(proposed.len(), 1, "{proposed:?}");
    assert!(proposed[0].contains("elastic") && proposed[0].contains("elasticsearch"), "{proposed:?}");
}

#[test]
fn so_many_proposals_are_made_in_a_night() {
    let mut scene = Scene::on(1.0);
    let memory = scene.plain("many services");
    for name in ["kubernetes", "kubernets", "kubernetess", "kubernates", "kuberneted"] {
        scene.names(memory, name);
    }
    scene.caps.comparisons = 2;
    let plan = scene.dream(plan_entities);
    assert_eq!(plan.deeds.len(), 2);
    assert!(plan.left > 1, "{} are left", plan.left);
    let left = plan.left;
    assert_eq!(scene.plan(plan_entities).left, left - 2, "what was proposed is not left over");
}

/// Two memories that say different things of one.
fn quarrel(scene: &mut Scene) -> [MemoryId; 2] {
    let older = scene.add("The API listens on port 8080.", known);
    let newer = scene.add("The API listens on port 9090.", |memory| {
        known(memory);
        memory.validity.valid_from = day(1.0);
    });
    [older, newer].iter().for_each(|id| scene.names(*id, "api"));
    [older, newer]
}

#[test]
fn what_cannot_both_be_so_is_queued_for_review_once_and_nothing_is_put_away() {
    let mut scene = Scene::on(5.0);
    let [older, newer] = quarrel(&mut scene);
    let plan = scene.dream(plan_contradictions);
    assert_eq!(statuses(&plan), []);
    assert_eq!(scene.reviews[0].pair, Pair::Memories { newer, older });
    assert!(scene.edges.contains(&Relation::certain(newer, RelationKind::Contradicts, older, scene.at)));
    assert_eq!(scene.plan(plan_contradictions).writes, []);
    // Whoever looks after the store leaves both alone while somebody decides.
    assert_eq!(statuses(&scene.plan(crate::dream::plan_forget)), []);
}

#[test]
fn what_is_over_contradicts_nothing() {
    let mut scene = Scene::on(5.0);
    let [older, _] = quarrel(&mut scene);
    scene.change(older, |memory| memory.validity.valid_until = Some(day(2.0)));
    assert_eq!(scene.plan(plan_contradictions).writes, []);
}

#[test]
fn bonds_that_exclude_each_other_are_queued_by_what_still_says_so() {
    let mut scene = Scene::on(5.0);
    let [first, second, third] =
        ["nginx uses apache", "nginx is fast", "nginx replaces apache"].map(|text| scene.plain(text));
    bond(&mut scene, "nginx", BondKind::Uses, "apache", first);
    bond(&mut scene, "nginx", BondKind::Replaces, "apache", third);
    scene.bonds[0].evidence.push(second);
    scene.change(second, |memory| memory.status = Status::Superseded);
    scene.dream(plan_contradictions);
    assert_eq!(scene.reviews[0].pair, Pair::Memories { newer: third, older: first });
    scene.reviews.clear();
    scene.change(first, |memory| memory.status = Status::Archived);
    assert_eq!(scene.plan(plan_contradictions).writes, [], "nobody says so any more");
}

#[test]
fn so_many_comparisons_and_no_more() {
    let mut scene = Scene::on(5.0);
    quarrel(&mut scene);
    scene.caps.comparisons = 0;
    assert_eq!(scene.plan(plan_contradictions).writes, []);
}

/// So many memories about redis.
fn crowd(scene: &mut Scene, many: usize) -> Vec<MemoryId> {
    let texts = ["redis caches the sessions", "redis runs on port 6379", "redis is restarted at night"];
    let ids: Vec<MemoryId> = texts.iter().take(many).map(|text| scene.plain(text)).collect();
    ids.iter().for_each(|id| scene.names(*id, "redis"));
    ids
}

#[test]
fn what_three_memories_say_of_a_thing_is_on_one_card() {
    let mut scene = Scene::on(5.0);
    crowd(&mut scene, 2);
    assert_eq!(scene.plan(plan_cards).writes, []);
    let mut scene = Scene::on(5.0);
    crowd(&mut scene, 3);
    let [card] = newborns(&scene.dream(plan_cards)).try_into().unwrap();
    assert_eq!((card.kind, card_for(&card)), (Kind::Summary, Some(EntityId::of(EntityKind::Tool, "redis"))));
    assert!(card.content.contains("port 6379"), "{}", card.content);
    assert_eq!(scene.plan(plan_cards).writes, [], "the same memories give the same card");
}

#[test]
fn a_card_follows_what_is_known_and_is_tied_to_that_alone() {
    let mut scene = Scene::on(5.0);
    let ids = crowd(&mut scene, 3);
    let [card] = newborns(&scene.dream(plan_cards)).try_into().unwrap();
    scene.change(ids[1], |memory| memory.status = Status::Superseded);
    let newer = scene.add("redis runs on port 7000", |memory| memory.validity.valid_from = day(4.0));
    scene.names(newer, "redis");
    let plan = scene.dream(plan_cards);
    assert_eq!(newborns(&plan), []);
    let text = &scene.get(card.id).content;
    assert!(text.contains("7000") && !text.contains("6379"), "{text}");
    let tied: BTreeSet<MemoryId> = scene.edges.iter().map(|edge| edge.to).collect();
    assert_eq!(tied, BTreeSet::from([ids[0], ids[2], newer]));
}

#[test]
fn a_card_that_somebody_pinned_or_put_away_is_left_to_him() {
    for status in [Status::Active, Status::Archived] {
        let mut scene = Scene::on(5.0);
        let ids = crowd(&mut scene, 3);
        let [card] = newborns(&scene.dream(plan_cards)).try_into().unwrap();
        scene.change(card.id, |memory| {
            memory.status = status;
            memory.pinned = status == Status::Active;
        });
        scene.change(ids[0], |memory| memory.content = "redis is down".to_owned());
        let plan = scene.plan(plan_cards);
        assert_eq!(
            (plan.writes.as_slice(), plan.deeds.as_slice()),
            ([].as_slice(), [].as_slice()),
            "{status}"
        );
    }
}

#[test]
fn the_things_that_most_memories_name_have_cards_first() {
    let mut scene = Scene::on(5.0);
    crowd(&mut scene, 3);
    scene.tool("frotz");
    scene.caps.memories = 1;
    let plan = scene.plan(plan_cards);
    assert_eq!((newborns(&plan).len(), plan.left), (1, 1));
}

/// Two tools of different fields, each beside a third.
fn fields(scene: &mut Scene) -> [MemoryId; 2] {
    [("python", "pandas"), ("rust", "polars")].map(|(domain, tool)| {
        let id = scene.add(&format!("{tool} reads arrow"), |memory| memory.domain = Some(domain.to_owned()));
        scene.names(id, tool);
        scene.names(id, "arrow");
        id
    })
}

#[test]
fn things_of_different_fields_with_a_third_in_common_are_bound_loosely() {
    let mut scene = Scene::on(5.0);
    let ids = fields(&mut scene);
    scene.dream(plan_bridges);
    let [bridge] = scene.bonds.clone().try_into().expect("one bridge");
    let ends = ["pandas", "polars"].map(|tool| EntityId::of(EntityKind::Tool, tool));
    assert!(ends.contains(&bridge.from) && ends.contains(&bridge.to));
    assert_eq!((bridge.kind, bridge.confidence.get()), (BondKind::RelatedTo, 0.3));
    assert!(ids.contains(&bridge.evidence[0]));
    assert_eq!(scene.plan(plan_bridges).writes, [], "it is drawn once");
}

#[test]
fn no_bridge_leads_to_what_is_no_thing_any_more_or_was_said_by_what_is_away() {
    let mut scene = Scene::on(5.0);
    fields(&mut scene);
    scene.entities.remove(&EntityId::of(EntityKind::Tool, "polars"));
    assert_eq!(scene.plan(plan_bridges).writes, []);
    let mut scene = Scene::on(5.0);
    let [first, last] = fields(&mut scene);
    let away = scene.add("arrow is a format", |memory| memory.status = Status::Archived);
    scene.names(away, "arrow");
    scene.dream(plan_bridges);
    assert!([first, last].contains(&scene.bonds[0].evidence[0]));
}

#[test]
fn ten_bridges_are_drawn_in_a_night() {
    let mut scene = Scene::on(5.0);
    for number in 0..12 {
        let id = scene.add("it reads arrow", |memory| memory.domain = Some(format!("field{number}")));
        scene.names(id, &format!("tool{number}"));
        scene.names(id, "arrow");
    }
    assert_eq!(scene.plan(plan_bridges).writes.len(), 10);
}
