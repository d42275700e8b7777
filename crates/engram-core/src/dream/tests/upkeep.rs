//! The steps that follow from time and use alone.

use super::*;
use crate::decision::Pair;
use crate::dream::note::{ConsolidationMethod, Note};
use crate::dream::{
    FULL, plan_emotional, plan_expire, plan_fade, plan_forget, plan_rehearse, plan_replay, plan_retain,
    plan_settle,
};
use crate::law::MOST_ACTIVE;
use crate::memory::RelationKind;
use crate::remind::Reminder;
use crate::unit::{Importance, Stability};

fn hours(hours: i64) -> SignedDuration {
    SignedDuration::from_hours(hours)
}

#[test]
fn what_was_said_to_hold_until_a_moment_is_put_away_at_that_moment_and_not_before() {
    let mut scene = Scene::on(10.0);
    let until = |days: f64| move |memory: &mut Memory| memory.validity.valid_until = Some(day(days));
    let over = scene.add("the freeze lasts until friday", until(10.0));
    let holds = scene.add("the freeze lasts until monday", until(10.001));
    scene.plain("the build takes nine minutes");
    let plan = scene.dream(plan_expire);
    assert_eq!(statuses(&plan), [(over, Status::Archived)]);
    assert_eq!(why(&plan, over), "expired: until 2026-01-11");
    assert_eq!(scene.get(holds).status, Status::Active);
    assert_eq!(plan.looked_at, 3);
}

#[test]
fn what_a_rule_takes_away_is_told_by_rule_and_gone_for_the_steps_that_follow() {
    let mut scene = Scene::on(30.0);
    let kind = |kind: Kind| move |memory: &mut Memory| memory.kind = kind;
    let over = scene.add("the linker ran out of memory", kind(Kind::ToolOutcome));
    let pinned = scene.add("the linker wants lld", |memory| {
        memory.kind = Kind::ToolOutcome;
        memory.pinned = true;
    });
    let other = scene.plain("the build takes nine minutes");
    let (mut plan, mut left) = (None, Vec::new());
    for days in ["31", "30"] {
        scene.plan(|night| {
            night.retain.kinds = format!("tool_outcome={days}").parse().unwrap();
            (night.retain.turns_days, night.old_turns) = (Some(9), 4);
            let planned = plan_retain(night);
            left = night.memories.keys().copied().collect();
            plan = Some(planned.clone());
            planned
        });
        let plan = plan.as_ref().unwrap();
        assert!(plan.writes.is_empty(), "a purge is no part of a dream");
        let gone: Vec<MemoryId> = plan.deeds.iter().filter_map(|deed| deed.memory).collect();
        let expected = if days == "30" { vec![over] } else { Vec::new() };
        assert_eq!(gone, expected, "the day before it stays");
        assert_eq!(plan.deeds.len() - plan.spared, expected.len() + 1, "and the turns are told once");
    }
    let why: Vec<String> = plan.unwrap().deeds.into_iter().map(|deed| deed.why).collect();
    assert_eq!(why[0], "tool_outcome=30: 1 purged, which cannot be undone");
    assert_eq!(why[1], "4 turns from more than 9 days ago, which cannot be undone");
    left.sort();
    assert_eq!(left, [pinned, other]);
}

#[test]
fn nothing_that_is_protected_or_waits_to_be_told_expires() {
    let mut scene = Scene::on(10.0);
    for guard in [|it: &mut Memory| it.pinned = true, |it: &mut Memory| it.immutable = true, stirred] {
        scene.add("the freeze lasts until friday", |memory| {
            memory.validity.valid_until = Some(day(1.0));
            guard(memory);
        });
    }
    let reminder = Reminder { text: "renew the key".to_owned(), when: None, due_at: Some(day(30.0)) };
    scene.add("remind me to renew the key", |memory| {
        memory.validity.valid_until = Some(day(1.0));
        memory.structured = Some(reminder.to_structured());
    });
    assert_eq!(scene.plan(plan_expire).writes, []);
}

#[test]
fn what_is_an_hour_old_becomes_active() {
    let mut scene = Scene::on(1.0);
    let born = |at: Timestamp| {
        move |memory: &mut Memory| {
            memory.status = Status::Created;
            memory.created_at = at;
        }
    };
    let at = scene.at;
    let ripe = scene.add("the build takes nine minutes", born(at - hours(1)));
    let fresh = scene.add("the tests take four minutes", born(at - hours(1) + SignedDuration::from_secs(1)));
    let plan = scene.dream(plan_fade);
    assert_eq!(statuses(&plan), [(ripe, Status::Active)]);
    assert_eq!(scene.get(fresh).status, Status::Created);
}

#[test]
fn what_is_the_teams_stands_here_as_it_does_and_counts_no_revision() {
    for (scope, revision) in [(Scope::Project, 1), (Scope::Team, 0)] {
        let mut scene = Scene { scope, ..Scene::on(1.0) };
        let born = scene.at - hours(2);
        let ripe = scene.add("the build takes nine minutes", |memory| {
            memory.status = Status::Created;
            memory.created_at = born;
        });
        assert_eq!(scene.get(ripe).revision, 0);
        scene.dream(plan_fade);
        assert_eq!((scene.get(ripe).status, scene.get(ripe).revision), (Status::Active, revision), "{scope}");
    }
}

#[test]
fn what_came_worth_nothing_is_put_away_within_a_day_and_a_taste_is_not() {
    let mut scene = Scene::on(0.5);
    let worthless = |kind: Kind| {
        move |memory: &mut Memory| {
            memory.status = Status::Created;
            memory.importance = Importance::clamped(0.05);
            of_kind(memory, kind);
        }
    };
    let gone = scene.add("ok then", worthless(Kind::Observation));
    let kept = scene.add("I like tabs", worthless(Kind::Preference));
    let plan = scene.plan(plan_fade);
    assert_eq!(statuses(&plan), [(gone, Status::Archived), (kept, Status::Active)]);
    assert_eq!(why(&plan, gone), "worthless: importance 0.05");
}

#[test]
fn deadlines_follow_the_curve_except_those_of_what_is_immutable() {
    let mut scene = Scene::on(3.0);
    let stale = scene.plain("the build takes nine minutes");
    let fixed = scene.add("the tests take four minutes", |memory| memory.immutable = true);
    for id in [stale, fixed] {
        scene.change(id, |memory| memory.trace.fades_at = Some(day(1_000.0)));
    }
    let plan = scene.dream(plan_fade);
    assert_eq!(scene.get(stale).trace.fades_at, fades_at(scene.get(stale), Model::DEFAULT));
    assert_eq!(scene.get(fixed).trace.fades_at, Some(day(1_000.0)));
    assert_eq!(plan.deeds.len(), 1, "what is not done is not told: {:?}", plan.deeds);
}

#[test]
fn utility_that_nobody_added_to_for_a_hundred_days_is_the_middle_again() {
    for (idle, settled) in [(99.9, false), (100.0, true), (300.0, true)] {
        for utility in [0.2, 0.9] {
            let mut scene = Scene::on(idle);
            let id = scene.add("the build takes nine minutes", |memory| useful(memory, utility));
            let plan = scene.dream(plan_settle);
            assert_eq!(plan.deeds.len(), usize::from(settled), "{idle}");
            assert_eq!(scene.get(id).utility.get(), if settled { 0.5 } else { utility });
        }
    }
}

#[test]
fn what_earned_a_bad_name_is_not_cleared_of_it() {
    let mut scene = Scene::on(300.0);
    let id = scene.add("the build takes nine minutes", |memory| useful(memory, 0.19));
    scene.dream(plan_settle);
    assert_eq!(scene.get(id).utility.get(), 0.19);
}

#[test]
fn what_was_told_of_a_memory_lately_is_not_forgotten_because_it_was_not_shown() {
    let mut scene = Scene::on(200.0);
    let told = scene.add("the build takes nine minutes", |memory| {
        useful(memory, 0.6);
        memory.updated_at = day(199.0);
    });
    assert_eq!(scene.dream(plan_settle).writes, []);
    assert_eq!(scene.get(told).utility.get(), 0.6);
}

#[test]
fn what_is_protected_keeps_the_utility_it_earned() {
    let mut scene = Scene::on(300.0);
    for guard in [|it: &mut Memory| it.pinned = true, |it: &mut Memory| it.immutable = true, stirred] {
        scene.add("the build takes nine minutes", |memory| {
            useful(memory, 0.9);
            guard(memory);
        });
    }
    assert_eq!(scene.plan(plan_settle).writes, []);
}

/// Faded to less than .3 on the scale of the thresholds after 60 days.
fn endangered(memory: &mut Memory) {
    used(memory, 1, 0.0);
}

#[test]
fn what_proved_useful_and_is_about_to_fade_is_more_stable_and_no_more_used_than_before() {
    let mut scene = Scene::on(60.0);
    let id = scene.add("the build takes nine minutes", endangered);
    let before = scene.get(id).clone();
    let plan = scene.dream(plan_rehearse);
    let after = scene.get(id);
    assert_eq!(after.trace.stability.get(), before.trace.stability.get() * 1.5);
    assert_eq!(after.trace.access_count, before.trace.access_count);
    assert_eq!(after.trace.last_used_at, before.trace.last_used_at);
    assert_eq!((after.confidence, after.utility), (before.confidence, before.utility));
    assert!(after.trace.fades_at > before.trace.fades_at);
    assert_eq!(plan.deeds.len(), 1);
}

#[test]
fn nothing_is_rehearsed_that_is_at_hand_useless_or_was_never_used() {
    let mut scene = Scene::on(60.0);
    scene.add("used yesterday", |memory| used(memory, 4, 59.0));
    scene.plain("never used");
    scene.add("hardly useful", |memory| {
        endangered(memory);
        useful(memory, 0.499);
    });
    scene.add("immutable", |memory| {
        endangered(memory);
        memory.immutable = true;
    });
    scene.add("archived", |memory| {
        endangered(memory);
        memory.status = Status::Archived;
    });
    assert_eq!(scene.plan(plan_rehearse).writes, []);
}

#[test]
fn fifty_are_rehearsed_in_a_night_the_weightiest_first() {
    let mut scene = Scene::on(60.0);
    for number in 0..53 {
        scene.add("the build takes nine minutes", |memory| {
            endangered(memory);
            memory.importance = Importance::clamped(if number < 3 { 0.1 } else { 0.9 });
        });
    }
    let plan = scene.plan(plan_rehearse);
    assert_eq!((plan.writes.len(), plan.left), (50, 3));
    let rehearsed: BTreeSet<MemoryId> = plan.writes.iter().filter_map(Write::memory_id).collect();
    assert!(scene.memories.keys().take(3).all(|light| !rehearsed.contains(light)));
}

#[test]
fn rehearsals_are_a_day_apart() {
    let mut scene = Scene::on(60.0);
    scene.add("the build takes nine minutes", endangered);
    scene.pass(hours(23), &[Step::Rehearse]);
    assert_eq!(scene.plan(plan_rehearse).skipped.as_deref(), Some("it was done less than a day ago"));
    scene.at += hours(1);
    assert_eq!(scene.plan(plan_rehearse).deeds.len(), 1);
}

#[test]
fn what_was_said_in_great_excitement_is_pinned_once() {
    let mut scene = Scene::on(1.0);
    let id = scene.add("NEVER push to main on a friday!!!", stirred);
    let stability = scene.get(id).trace.stability.get();
    scene.dream(plan_emotional);
    let kept = scene.get(id);
    assert!(kept.pinned);
    assert_eq!((kept.importance.get(), kept.trace.stability.get()), (0.9, stability * 1.5));
    // Somebody takes the pin out again, and is not overruled.
    scene.change(id, |memory| memory.pinned = false);
    assert_eq!(scene.plan(plan_emotional).writes, []);
}

#[test]
fn only_a_persons_excitement_counts() {
    let mut scene = Scene::on(1.0);
    scene.add("AMAZING!!!", |memory| {
        stirred(memory);
        memory.provenance = Provenance::stated_by(Actor::Assistant);
    });
    scene.plain("the build takes nine minutes");
    scene.add("NEVER", |memory| {
        stirred(memory);
        memory.immutable = true;
    });
    assert_eq!(scene.plan(plan_emotional).writes, []);
}

#[test]
fn what_was_shown_together_three_times_grows_stronger_together() {
    let mut scene = Scene::on(10.0);
    let [one, two, three] = ["a", "b", "c"].map(|text| scene.plain(text));
    scene.shown(&[one, two, three], 1.0, 1);
    scene.shown(&[two, one], 2.0, 1);
    let stability = scene.get(one).trace.stability.get();
    assert_eq!(scene.plan(plan_replay).writes, [], "twice is not often");
    scene.shown(&[one, two], 3.0, 1);
    scene.dream(plan_replay);
    assert_eq!(scene.get(one).trace.stability.get(), stability * 1.02);
    assert_eq!(scene.get(two).trace.stability.get(), stability * 1.02);
    assert_eq!(scene.get(three).trace.stability.get(), stability);
    assert_eq!(scene.get(one).trace.access_count, 0);
    // The same recalls are not replayed the next night; one more is.
    scene.pass(hours(24), &[Step::Replay]);
    assert_eq!(scene.plan(plan_replay).writes, []);
    scene.shown(&[one, two], 10.5, 1);
    assert_eq!(scene.plan(plan_replay).writes.len(), 2);
}

#[test]
fn what_stands_far_down_an_answer_was_shown_to_nobody() {
    let mut scene = Scene::on(10.0);
    let ids: Vec<MemoryId> = (0..11).map(|number| scene.plain(&format!("fact {number}"))).collect();
    for times in 0..3 {
        scene.shown(&ids, f64::from(times), 1);
    }
    let replayed: Vec<MemoryId> =
        scene.plan(plan_replay).writes.iter().filter_map(Write::memory_id).collect();
    assert_eq!(replayed, ids[..10]);
}

#[test]
fn neither_the_outline_nor_what_is_away_is_replayed() {
    let mut scene = Scene::on(10.0);
    let sheet = scene.add("src/main.rs: fn main", |memory| memory.tier = Tier::Codebase);
    let away = scene.add("the build takes nine minutes", |memory| memory.status = Status::Superseded);
    for times in 0..4 {
        scene.shown(&[sheet, away], f64::from(times), 1);
    }
    assert_eq!(scene.plan(plan_replay).writes, []);
}

#[test]
fn what_has_faded_is_put_away_with_the_name_of_the_rule_and_the_log_says_so() {
    let mut scene = Scene::on(120.0);
    let faded = scene.add("lunch was late", |memory| memory.importance = Importance::clamped(0.2));
    let knowledge = scene.add("the build takes nine minutes", known);
    let pinned = scene.add("never push on friday", |memory| memory.pinned = true);
    let taste = scene.add("I like tabs", |memory| of_kind(memory, Kind::Preference));
    let plan = scene.dream(plan_forget);
    assert_eq!(statuses(&plan), [(faded, Status::Archived)]);
    assert!(why(&plan, faded).starts_with("weak: importance 0.20"), "{}", why(&plan, faded));
    for id in [knowledge, pinned, taste] {
        assert_eq!(scene.get(id).status, Status::Active);
    }
    let logged = plan.writes.iter().find_map(|write| match write {
        Write::Note { note } => match &**note {
            Note::Consolidated(logged) => Some(logged.clone()),
            _ => None,
        },
        _ => None,
    });
    let logged = logged.expect("it is logged");
    assert_eq!((logged.method, logged.sources), (ConsolidationMethod::DecayArchive, vec![faded]));
}

#[test]
fn nothing_goes_before_it_is_as_old_as_its_kind_is_kept() {
    // A fact is kept for 14 days, whatever it is worth.
    for (age, goes) in [(13.9, false), (14.1, true)] {
        let mut scene = Scene::on(age);
        scene.add("lunch was late", |memory| memory.importance = Importance::clamped(0.1));
        assert_eq!(scene.plan(plan_forget).deeds.len(), usize::from(goes), "{age}");
    }
}

#[test]
fn a_second_night_asks_for_no_more_use_than_the_first() {
    let mut scene = Scene::on(120.0);
    for uses in [0, 0, 0, 0, 1, 1, 2, 3, 5, 8] {
        scene.add("lunch was late", |memory| used(memory, uses, 0.0));
    }
    let first = scene.dream(plan_forget).deeds.len();
    assert!(first >= 4, "{first} were put away");
    for _ in 0..3 {
        scene.pass(SignedDuration::from_secs(1), &[Step::Forget]);
        assert_eq!(scene.dream(plan_forget).writes, []);
    }
}

#[test]
fn the_older_side_of_a_contradiction_goes_unless_somebody_is_asked() {
    let mut scene = Scene::on(20.0);
    let older = scene.add("the port is 8080", known);
    let newer = scene.add("the port is 9090", |memory| {
        known(memory);
        memory.validity.valid_from = day(15.0);
    });
    scene.edges.insert(Relation::certain(newer, RelationKind::Contradicts, older, day(15.0)));
    let plan = scene.plan(plan_forget);
    assert_eq!(statuses(&plan), [(older, Status::Archived)]);
    assert!(why(&plan, older).starts_with("contradicted: "));
    let asked = Review::open(Pair::Memories { newer, older }, "which".to_owned(), None, day(16.0));
    scene.reviews.push(asked);
    assert_eq!(scene.plan(plan_forget).writes, []);
    scene.reviews.clear();
    scene.change(older, |memory| memory.pinned = true);
    assert_eq!(scene.plan(plan_forget).writes, []);
}

#[test]
fn what_was_put_away_long_ago_and_has_faded_to_nothing_loses_its_text_in_a_project_only() {
    let long_ago = |memory: &mut Memory| {
        memory.status = Status::Archived;
        memory.status_change.at = day(310.0);
        memory.importance = Importance::clamped(0.3);
    };
    let mut scene = Scene::on(400.0);
    let gone = scene.add("lunch was late", long_ago);
    let lately = scene.add("lunch was early", |memory| {
        long_ago(memory);
        memory.status_change.at = day(310.1);
    });
    let pinned = scene.add("never push on friday", |memory| {
        long_ago(memory);
        memory.pinned = true;
    });
    let plan = scene.dream(plan_forget);
    assert_eq!(statuses(&plan), [(gone, Status::Forgotten)]);
    assert_eq!((scene.get(gone).content.as_str(), scene.get(gone).trace.fades_at), ("", None));
    assert_ne!(scene.get(lately).content, "");
    assert_ne!(scene.get(pinned).content, "");
    let mut user = Scene { scope: Scope::User, ..Scene::on(400.0) };
    user.add("lunch was late", long_ago);
    assert_eq!(user.plan(plan_forget).writes, []);
}

#[test]
fn a_store_above_its_capacity_gives_up_what_is_worth_least() {
    let mut scene = Scene { scope: Scope::User, ..Scene::on(30.0) };
    let light = |number: usize| number == 7 || number == 4_000;
    for number in 0..5_002 {
        scene.add("the build takes nine minutes", |memory| {
            known(memory);
            memory.importance = Importance::clamped(if light(number) { 0.1 } else { 0.9 });
        });
    }
    let plan = scene.dream(plan_forget);
    let gone: Vec<MemoryId> = statuses(&plan).into_iter().map(|(id, _)| id).collect();
    let ids: Vec<MemoryId> = scene.memories.keys().copied().collect();
    assert_eq!(BTreeSet::from_iter(gone), BTreeSet::from([ids[7], ids[4_000]]));
    let told = why(&plan, ids[7]);
    assert!(told.starts_with("capacity: more than 5000 memories, 1 of 5002 to go, worth ."), "{told}");
    assert!(told.ends_with("utility .50 x .25, never used x .10, kind .31 x .10"), "{told}");
}

#[test]
fn a_store_above_its_capacity_that_may_give_up_none_says_so() {
    let mut scene = Scene { scope: Scope::User, ..Scene::on(1.0) };
    for _ in 0..5_003 {
        scene.add("the build takes nine minutes", |memory| {
            known(memory);
            memory.pinned = true;
        });
    }
    let plan = scene.dream(plan_forget);
    assert_eq!(plan.spared, 1);
    let deed = plan.deeds.iter().find(|deed| deed.what == FULL).expect("it is told");
    assert!(deed.why.starts_with("5003 memories, 5000 are allowed: 3 too many stay"), "{}", deed.why);
}

#[test]
fn more_than_five_hundred_ask_to_be_consolidated_once_and_none_goes_for_it() {
    let mut scene = Scene::on(10.0);
    for number in 0..MOST_ACTIVE {
        scene.add(&format!("fact {number}"), known);
    }
    assert_eq!(scene.plan(plan_forget).writes, [], "five hundred are not too many");
    let last = scene.add("one more", known);
    let plan = scene.dream(plan_forget);
    assert_eq!((plan.writes.len(), statuses(&plan)), (1, Vec::new()));
    assert_eq!(plan.deeds[0].why, "501 memories are active, more than 500");
    assert_eq!(scene.plan(plan_forget).writes, [], "it is asked once");

    // What is summed up is not active any more, and that answers the request.
    scene.change(last, |memory| memory.status = Status::Consolidated);
    let plan = scene.dream(plan_forget);
    assert_eq!(plan.deeds[0].what, "consolidation request answered");
    assert_eq!(scene.request, None);
}

#[test]
fn stability_has_an_end() {
    let mut scene = Scene::on(36_500.0);
    let id = scene.add("the build takes nine minutes", |memory| {
        endangered(memory);
        memory.trace.stability = Stability::clamped(30_000.0);
        memory.trace.last_used_at = day(-300_000.0);
        memory.created_at = day(-300_000.0);
    });
    scene.dream(plan_rehearse);
    assert_eq!(scene.get(id).trace.stability.get(), 36_500.0);
}
