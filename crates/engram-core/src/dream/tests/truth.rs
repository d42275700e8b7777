//! Whether what is known still holds: against newer evidence, and against the
//! code.

use super::*;
use crate::decision::Pair;
use crate::dream::{Drifted, StepReport, plan_drift, plan_probe};
use crate::drift::{Claim, Finding};
use crate::memory::{RelationKind, WriteSource};
use crate::unit::Importance;

/// An old belief, and something newer that says otherwise.
fn dispute(scene: &mut Scene) -> [MemoryId; 2] {
    let belief = scene.add("The API listens on port 8080.", known);
    let newer = scene.add("The API listens on port 9090.", |memory| {
        known(memory);
        memory.validity.valid_from = day(20.0);
    });
    scene.alike(belief, newer, 0.9);
    [belief, newer]
}

#[test]
fn an_old_belief_that_newer_evidence_contradicts_is_challenged_and_somebody_is_asked() {
    let mut scene = Scene::on(30.0);
    let [belief, newer] = dispute(&mut scene);
    let confidence = scene.get(belief).confidence;
    let plan = scene.dream(plan_probe);
    assert_eq!(statuses(&plan), [(belief, Status::Challenged)]);
    let doubted = scene.get(belief);
    assert_eq!((doubted.importance.get(), doubted.confidence), (0.4, confidence));
    assert!(why(&plan, belief).starts_with("newer evidence speaks against it"), "{}", why(&plan, belief));
    assert_eq!(doubted.content, "The API listens on port 8080.");
    assert_eq!(scene.reviews[0].pair, Pair::Memories { newer, older: belief });
    assert!(scene.edges.contains(&Relation::certain(newer, RelationKind::Contradicts, belief, scene.at)));
    assert_eq!(scene.plan(plan_probe).writes, [], "it is asked once");
}

#[test]
fn a_belief_is_old_after_thirty_days() {
    let mut scene = Scene::on(29.9);
    dispute(&mut scene);
    assert_eq!(scene.plan(plan_probe).writes, []);
}

#[test]
fn what_is_unlike_doubted_over_less_trusted_older_or_a_dreams_own_is_no_evidence() {
    let settings: [fn(&mut Memory); 7] = [
        |memory| memory.status = Status::Challenged,
        |memory| memory.status = Status::Archived,
        |memory| memory.validity.valid_until = Some(day(25.0)),
        |memory| memory.provenance = Provenance::stated_by(Actor::Assistant),
        |memory| memory.validity.valid_from = day(-1.0),
        |memory| memory.provenance.write_source = WriteSource::Dream,
        |memory| of_kind(memory, Kind::Narrative),
    ];
    for set in settings {
        let mut scene = Scene::on(30.0);
        let [belief, newer] = dispute(&mut scene);
        scene.change(newer, set);
        let doubted = statuses(&scene.plan(plan_probe));
        assert!(doubted.iter().all(|(id, _)| *id != belief), "{doubted:?}");
    }
    let mut scene = Scene::on(30.0);
    let [belief, newer] = dispute(&mut scene);
    scene.alike(belief, newer, 0.49);
    assert_eq!(scene.plan(plan_probe).writes, []);
}

#[test]
fn what_is_protected_is_left_alone_and_that_is_told() {
    for guard in [|it: &mut Memory| it.pinned = true, |it: &mut Memory| it.immutable = true, stirred] {
        let mut scene = Scene::on(30.0);
        let [belief, _] = dispute(&mut scene);
        scene.change(belief, guard);
        let plan = scene.plan(plan_probe);
        assert_eq!(plan.writes, []);
        assert_eq!(plan.deeds[0].what, "left alone");
        assert_eq!(StepReport::of(&plan).done, 0, "nothing was done");
    }
}

#[test]
fn so_many_pairs_are_read_in_a_night_and_the_weightiest_beliefs_first() {
    let mut scene = Scene::on(30.0);
    let [light, _] = dispute(&mut scene);
    let [weighty, _] = dispute(&mut scene);
    scene.change(weighty, |memory| memory.importance = Importance::clamped(0.9));
    scene.caps.comparisons = 1;
    let plan = scene.plan(plan_probe);
    assert_eq!(statuses(&plan), [(weighty, Status::Challenged)]);
    assert!(plan.left > 0 && plan.looked_at == 1);
    assert_eq!(scene.get(light).status, Status::Active);
}

#[test]
fn every_belief_has_its_turn_however_little_is_read_in_a_night() {
    let mut scene = Scene::on(30.0);
    scene.caps.comparisons = 1;
    // Pairs that are alike and do not contradict each other would be read for ever.
    for number in 0..10 {
        let belief = scene.add(&format!("crew {number} owns the north wing"), |memory| {
            known(memory);
            memory.importance = Importance::clamped(0.9);
        });
        let newer = scene.add(&format!("crew {number} paints the south wing"), |memory| {
            known(memory);
            memory.validity.valid_from = day(20.0);
        });
        scene.alike(belief, newer, 0.9);
    }
    let [belief, _] = dispute(&mut scene);
    for _ in 0..40 {
        scene.dream(plan_probe);
        scene.pass(SignedDuration::from_hours(24), &[Step::Probe]);
    }
    assert_eq!(scene.get(belief).status, Status::Challenged);
}

fn claim() -> Claim {
    Claim::File("src/old.rs".to_owned())
}

fn gone() -> Finding {
    Finding::Gone { reason: "src/old.rs went in 1a2b3c4".to_owned() }
}

fn drift(scene: &mut Scene, id: MemoryId, findings: &[Finding]) -> StepPlan {
    let findings = findings.iter().map(|finding| (claim(), finding.clone())).collect();
    scene.dream(|night| plan_drift(night, &[Drifted { memory: id, findings }], 0, None))
}

#[test]
fn what_the_code_no_longer_bears_out_is_challenged_with_the_reason_and_not_put_away() {
    let mut scene = Scene::on(5.0);
    let id = scene.add("the parser is in src/old.rs", known);
    let plan = drift(&mut scene, id, &[Finding::Holds, gone()]);
    assert_eq!(statuses(&plan), [(id, Status::Challenged)]);
    assert_eq!(why(&plan, id), "the code says otherwise: src/old.rs went in 1a2b3c4");
    assert_eq!(scene.get(id).content, "the parser is in src/old.rs");
    assert_eq!(drift(&mut scene, id, &[gone()]).writes, [], "once is enough");
}

#[test]
fn what_the_code_bears_out_again_holds_again_and_only_if_the_code_had_doubted_it() {
    let mut scene = Scene::on(5.0);
    let id = scene.add("the parser is in src/old.rs", known);
    drift(&mut scene, id, &[gone()]);
    assert_eq!(drift(&mut scene, id, &[Finding::Holds, Finding::Unknown]).writes, []);
    let plan = drift(&mut scene, id, &[Finding::Holds, Finding::Holds]);
    assert_eq!(statuses(&plan), [(id, Status::Active)]);
    let doubted = scene.add("the parser is in src/new.rs", |memory| {
        known(memory);
        memory.status = Status::Challenged;
    });
    assert_eq!(drift(&mut scene, doubted, &[Finding::Holds]).writes, []);
}

#[test]
fn nothing_is_known_of_what_was_not_found_and_what_is_protected_is_left_alone() {
    let mut scene = Scene::on(5.0);
    let id = scene.add("the parser is in src/old.rs", known);
    assert_eq!(drift(&mut scene, id, &[Finding::Unknown]).deeds, []);
    scene.change(id, |memory| memory.pinned = true);
    let plan = drift(&mut scene, id, &[gone()]);
    assert_eq!((plan.writes.as_slice(), plan.deeds[0].what.as_str()), ([].as_slice(), "left alone"));
}

#[test]
fn without_a_working_tree_drift_says_why_it_was_not_looked_for() {
    let why = Some("there is no working tree to look at".to_owned());
    let plan = Scene::on(5.0).plan(|night| plan_drift(night, &[], 0, why.clone()));
    assert_eq!(plan.skipped, why);
    assert_eq!(Scene::on(5.0).plan(|night| plan_drift(night, &[], 7, None)).left, 7);
}
