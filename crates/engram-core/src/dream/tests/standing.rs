//! A slower tier, and a wider scope.

use super::*;
use crate::dream::{is_project_specific, plan_promotions, plan_tiers};
use crate::memory::WriteSource;

fn tier(scene: &Scene, id: MemoryId) -> Tier {
    scene.get(id).tier
}

#[test]
fn what_proved_itself_moves_to_a_slower_tier_and_tells_why() {
    let mut scene = Scene::on(10.0);
    let often = scene.add("the build takes nine minutes", |memory| used(memory, 3, 5.0));
    let twice = scene.add("the tests take four minutes", |memory| used(memory, 2, 5.0));
    let how = scene.add("we chose postgres", |memory| {
        of_kind(memory, Kind::Decision);
        useful(memory, 0.75);
    });
    let story = scene.add("then it broke again", |memory| {
        of_kind(memory, Kind::Narrative);
        used(memory, 9, 5.0);
    });
    let plan = scene.dream(plan_tiers);
    assert_eq!(tier(&scene, often), Tier::Semantic);
    assert_eq!(tier(&scene, twice), Tier::Episodic);
    assert_eq!(tier(&scene, how), Tier::Procedural);
    assert_eq!(tier(&scene, story), Tier::Episodic);
    assert_eq!((why(&plan, often), why(&plan, how)), ("used_often", "useful"));
    assert!(scene.get(often).trace.fades_at > Some(scene.at), "it fades more slowly now");
}

#[test]
fn three_episodes_about_one_thing_are_knowledge_of_it_and_two_are_not() {
    let mut scene = Scene::on(10.0);
    let ids: Vec<MemoryId> = (0..3).map(|number| scene.plain(&format!("fact {number}"))).collect();
    scene.names(ids[0], "redis");
    scene.names(ids[1], "redis");
    assert_eq!(scene.plan(plan_tiers).writes, []);
    scene.names(ids[2], "redis");
    assert_eq!(scene.dream(plan_tiers).deeds.len(), 3);
    assert!(ids.iter().all(|id| tier(&scene, *id) == Tier::Semantic));
}

#[test]
fn a_thing_that_everything_is_about_ties_nothing_together() {
    let mut scene = Scene::on(10.0);
    for number in 0..12 {
        let id = scene.plain(&format!("fact {number}"));
        scene.names(id, "engram");
    }
    assert_eq!(scene.plan(plan_tiers).deeds.len(), 12, "twelve may still be about one thing");
    let id = scene.plain("one more");
    scene.names(id, "engram");
    assert_eq!(scene.plan(plan_tiers).writes, []);
    // In a store of many others it is one thing among them.
    for number in 0..31 {
        let id = scene.add(&format!("other {number}"), known);
        scene.names(id, &format!("tool{number}"));
    }
    assert_eq!(scene.plan(plan_tiers).deeds.len(), 13);
}

#[test]
fn what_is_of_the_moment_climbs_as_far_as_it_has_earned_in_one_night() {
    let mut scene = Scene::on(1.0);
    let at = scene.at;
    let moment = |age: i64| {
        move |memory: &mut Memory| {
            memory.tier = Tier::Working;
            memory.created_at = at - SignedDuration::from_mins(age);
        }
    };
    let fresh = scene.add("just now", moment(29));
    let lasted = scene.add("a while ago", moment(30));
    let earned = scene.add("again and again", |memory| {
        moment(5)(memory);
        used(memory, 3, 1.0);
    });
    scene.dream(plan_tiers);
    assert_eq!(tier(&scene, fresh), Tier::Working);
    assert_eq!(tier(&scene, lasted), Tier::Episodic);
    assert_eq!(tier(&scene, earned), Tier::Semantic);
    assert_eq!(scene.plan(plan_tiers).writes, []);
}

#[test]
fn what_is_protected_doubted_away_or_drawn_from_the_code_stays_in_its_tier() {
    let mut scene = Scene::on(10.0);
    let guards: [fn(&mut Memory); 5] = [
        |memory| memory.pinned = true,
        |memory| memory.immutable = true,
        stirred,
        |memory| memory.status = Status::Archived,
        |memory| memory.tier = Tier::Codebase,
    ];
    for guard in guards {
        scene.add("the build takes nine minutes", |memory| {
            used(memory, 9, 5.0);
            guard(memory);
        });
    }
    assert_eq!(scene.plan(plan_tiers).writes, []);
}

fn promoted(scene: &Scene, worth: f64) -> StepPlan {
    scene.plan(|night| plan_promotions(night, &|_| worth, &["engram".to_owned()]))
}

/// A convention that three sessions were shown.
fn convention(scene: &mut Scene, text: &str) -> MemoryId {
    let id = scene.add(text, |memory| of_kind(memory, Kind::Convention));
    for session in 1..=3 {
        scene.shown(&[id], 1.0, session);
    }
    id
}

#[test]
fn what_three_sessions_used_and_holds_elsewhere_goes_up() {
    let mut scene = Scene::on(10.0);
    let id = convention(&mut scene, "write the test before the code");
    let plan = promoted(&scene, 0.7);
    assert_eq!((plan.rising.as_slice(), plan.writes.as_slice()), ([id].as_slice(), [].as_slice()));
    assert_eq!(why(&plan, id), "worth 0.70, used in 3 sessions");
    assert_eq!(promoted(&scene, 0.699).rising, []);
}

#[test]
fn what_belongs_to_one_project_stays_and_is_told_without_being_counted_as_done() {
    let mut scene = Scene::on(10.0);
    for text in ["the entry is src/main.rs", "engram stores everything in one file"] {
        let id = convention(&mut scene, text);
        let plan = promoted(&scene, 0.9);
        assert_eq!(plan.rising, []);
        assert!(why(&plan, id).ends_with("which belongs to this project"), "{}", why(&plan, id));
        assert_eq!(super::super::StepReport::of(&plan).done, 0);
        scene.memories.clear();
    }
    assert_eq!(is_project_specific("Engram-like tools are fine", &["engram".to_owned()]), None);
}

#[test]
fn other_kinds_fewer_sessions_doubt_and_what_a_dream_made_stay() {
    let settings: [fn(&mut Memory); 4] = [
        |memory| of_kind(memory, Kind::Decision),
        |memory| memory.status = Status::Challenged,
        |memory| memory.immutable = true,
        |memory| memory.provenance.write_source = WriteSource::Dream,
    ];
    for set in settings {
        let mut scene = Scene::on(10.0);
        let id = convention(&mut scene, "write the test before the code");
        scene.change(id, set);
        assert_eq!(promoted(&scene, 0.9).rising, []);
    }
    let mut scene = Scene::on(10.0);
    convention(&mut scene, "write the test before the code");
    scene.recalls.iter_mut().for_each(|recall| recall.session = Some(SessionId::from_ulid(Ulid(1))));
    assert_eq!(promoted(&scene, 0.9).rising, [], "one session three times is one session");
}

#[test]
fn twenty_go_up_in_a_night() {
    let mut scene = Scene::on(10.0);
    for number in 0..22 {
        convention(&mut scene, &format!("write test {number} before the code"));
    }
    let plan = promoted(&scene, 0.9);
    assert_eq!((plan.rising.len(), plan.left), (20, 2));
}
