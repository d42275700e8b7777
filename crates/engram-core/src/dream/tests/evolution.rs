//! The steps that learn from use: what is learned, what evolves, and what the
//! memory notices of itself.

use super::*;
use crate::change::Cause;
use crate::dream::note::Note;
use crate::dream::{
    Cluster, DreamTrigger, StepReport, parts_of, plan_adapt, plan_evolve, plan_forget, plan_reflect,
};
use crate::evolve::{EvolutionLogged, Evolving};
use crate::graph::BondKind;
use crate::learn::{Subject, applied};
use crate::memory::RelationKind;
use crate::rank::Weights;
use crate::recalled::Pooled;
use crate::reflect::{InsightType, ReflectionLogged};
use crate::skill::{OnDisk, Skill, SkillMode};
use serde_json::json;

fn notes(plan: &StepPlan) -> Vec<&Note> {
    let noted = plan.writes.iter().filter_map(|write| match write {
        Write::Note { note } => Some(&**note),
        _ => None,
    });
    noted.collect()
}

fn evolved(plan: &StepPlan) -> Vec<&EvolutionLogged> {
    let logged = notes(plan).into_iter().filter_map(|note| match note {
        Note::Evolved(logged) => Some(logged),
        _ => None,
    });
    logged.collect()
}

fn reflection(plan: &StepPlan) -> ReflectionLogged {
    let logged = notes(plan).into_iter().find_map(|note| match note {
        Note::Reflected(logged) => Some(logged.clone()),
        _ => None,
    });
    logged.expect("every reflection is logged")
}

fn evolve(night: &mut Night<'_>) -> StepPlan {
    plan_evolve(night, &|_| true)
}

fn reflect(night: &mut Night<'_>) -> StepPlan {
    plan_reflect(night, &Weights::default(), &[])
}

fn adapt(night: &mut Night<'_>) -> StepPlan {
    plan_adapt(night, &Weights::default())
}

/// Advice that failed so often, and has the utility that follows from it.
fn bad_advice(scene: &mut Scene, text: &str, failures: u32) -> MemoryId {
    let at = scene.at;
    let id = scene.add(text, |memory| {
        known(memory);
        useful(memory, 0.5 * 0.9_f64.powi(failures as i32));
        used(memory, failures, 0.0);
        memory.trace.last_used_at = at;
        memory.updated_at = at;
    });
    for number in 0..failures {
        scene.served(id, Outcome::Failure, 1.0 + f64::from(number) / 10.0);
    }
    id
}

#[test]
fn what_keeps_failing_is_deprecated_and_what_failed_less_is_proposed() {
    let mut scene = Scene::on(10.0);
    let hopeless = bad_advice(&mut scene, "pass --offline to the build", 12);
    let doubtful = bad_advice(&mut scene, "clear the cache first", 7);
    let fine = scene.plain("the build takes nine minutes");
    let plan = scene.dream(evolve);
    assert_eq!(statuses(&plan), [(hopeless, Status::Deprecated)]);
    assert_eq!(why(&plan, hopeless), "utility .14 after 12 uses, 10 of the last 10 failed");
    assert!(why(&plan, doubtful).starts_with("to be refined: utility .24"), "{}", why(&plan, doubtful));
    assert_eq!((plan.spared, why(&plan, fine)), (1, "nothing is told of it"));
    let [row] = evolved(&plan).try_into().unwrap();
    assert_eq!((row.action, row.node, row.actor), (Evolving::Deprecated, hopeless, Actor::Engram));
    assert_eq!(scene.get(hopeless).status_change.cause, Cause::Evolve);
    scene.pass(SignedDuration::from_secs(1), &[Step::Evolve]);
    assert_eq!(scene.plan(evolve).writes, [], "a second night has nothing to do");
}

#[test]
fn a_row_of_the_log_names_the_part_that_does_it() {
    let mut scene = Scene::on(10.0);
    for number in 0..3 {
        bad_advice(&mut scene, &format!("pass --flag{number} to the build"), 12);
    }
    let plan = scene.plan(evolve);
    let numbers: BTreeSet<u32> = evolved(&plan).iter().map(|row| row.number).collect();
    assert_eq!(numbers.len(), 3, "rows are told apart");
    let [part] = parts_of(scene.night().dream, scene.at, &[plan]).try_into().unwrap();
    for write in &part.changes.writes {
        if let Write::Note { note } = write
            && let Note::Evolved(row) = &**note
        {
            assert_eq!(row.operation, part.changes.operation);
        }
    }
}

#[test]
fn what_is_protected_and_a_skill_that_somebody_edited_is_left_alone() {
    let mut scene = Scene::on(10.0);
    let pinned = bad_advice(&mut scene, "pass --offline to the build", 12);
    scene.change(pinned, |memory| memory.pinned = true);
    let edited = bad_advice(&mut scene, "run the release script", 12);
    scene.skills.0.insert(edited, OnDisk::Edited);
    let plan = scene.plan(evolve);
    assert_eq!(plan.writes, []);
    assert_eq!(why(&plan, edited), "somebody has edited the file of this skill");
    assert_eq!((plan.spared, plan.deeds.len()), (2, 2));
}

/// Two that say the same and were followed so often together.
fn twins(uses: u32) -> (Scene, MemoryId, MemoryId) {
    let mut scene = Scene::on(10.0);
    let kept = scene.add("The build takes nine minutes on the slow runner.", |memory| {
        known(memory);
        useful(memory, 0.7);
    });
    let other = scene.add("The build takes nine minutes.", known);
    scene.alike(kept, other, 0.96);
    for number in 0..uses {
        scene.served(if number % 2 == 0 { kept } else { other }, Outcome::Success, 5.0 + f64::from(number));
    }
    (scene, kept, other)
}

#[test]
fn a_skill_that_somebody_edited_goes_into_no_other_by_itself() {
    let (mut scene, _, other) = twins(6);
    assert_ne!(scene.plan(evolve).writes, [], "unedited, it does");
    scene.skills.0.insert(other, OnDisk::Edited);
    let plan = scene.plan(evolve);
    assert_eq!(plan.writes, []);
    assert_eq!(why(&plan, other), "somebody has edited the file of this skill");
}

#[test]
fn what_says_the_same_and_is_followed_is_merged() {
    let (mut scene, kept, other) = twins(5);
    let before = scene.get(kept).clone();
    let plan = scene.dream(evolve);
    assert_eq!(statuses(&plan), [(other, Status::Merged)]);
    let deed = plan.deeds.iter().find(|deed| deed.memory == Some(other)).unwrap();
    assert_eq!((deed.what.as_str(), deed.made), ("merged", Some(kept)));
    assert_eq!(scene.get(kept).content, before.content);
    let tied = |edge: &Relation| (edge.from, edge.kind, edge.to);
    assert!(scene.edges.iter().any(|edge| tied(edge) == (other, RelationKind::MergedInto, kept)));
    assert_eq!(
        evolved(&plan).iter().map(|row| (row.node, row.made)).collect::<Vec<_>>(),
        [(other, Some(kept))]
    );
    assert_eq!(plan.made_of[&kept].keys().collect::<Vec<_>>(), [&other]);
}

#[test]
fn what_nobody_followed_or_says_something_of_its_own_is_proposed_to_be_merged() {
    let (scene, kept, _) = twins(4);
    let plan = scene.plan(evolve);
    assert_eq!((plan.writes.len(), plan.spared), (0, 1));
    assert!(why(&plan, kept).starts_with("to be merged: .96 alike"), "{}", why(&plan, kept));
    let (mut scene, kept, other) = twins(6);
    scene.change(other, |memory| memory.content = "The nightly deploy needs the VPN.".to_owned());
    let plan = scene.plan(evolve);
    assert_eq!((plan.writes.len(), why(&plan, kept).contains("to be merged")), (0, true));
    let (mut scene, ..) = twins(6);
    scene.caps.comparisons = 0;
    let plan = scene.plan(evolve);
    assert_eq!((plan.writes.len(), plan.deeds.len(), plan.left), (0, 0, 1));
}

#[test]
fn a_merge_is_left_out_whole_whichever_of_the_two_somebody_changed() {
    let (scene, kept, other) = twins(5);
    for changed in [kept, other] {
        let plan = scene.plan(evolve);
        let mut report = StepReport::of(&plan);
        assert_eq!(report.done, 2);
        let mut part = parts_of(scene.night().dream, scene.at, &[plan]).remove(0);
        let left_out = part.leave_out(changed);
        assert_eq!(left_out, BTreeSet::from([kept, other]));
        assert_eq!(part.changes.writes.len(), 1, "only that the part is done: {:?}", part.changes.writes);
        report.overtake(&left_out);
        assert_eq!((report.done, report.deeds.len()), (0, 0));
    }
}

#[test]
fn twenty_things_are_done_in_a_night_and_no_merge_is_torn_apart() {
    let mut scene = Scene::on(10.0);
    for number in 0..30 {
        let [one, other] =
            [0, 1].map(|_| scene.add(&format!("The job{number} takes {number} minutes."), known));
        scene.alike(one, other, 0.97);
        for _ in 0..5 {
            scene.served(one, Outcome::Success, 5.0 + f64::from(number));
        }
    }
    scene.caps.comparisons = 100;
    let plan = scene.plan(evolve);
    assert_eq!((statuses(&plan).len(), plan.left), (20, 10));
    let mut more = plan.clone();
    more.writes.extend(plan.writes.clone());
    for part in parts_of(scene.night().dream, scene.at, &[more]) {
        let merged =
            part.changes.writes.iter().filter(
                |write| matches!(write, Write::Replace { after, .. } if after.status == Status::Merged),
            );
        let kept =
            part.changes.writes.iter().filter(
                |write| matches!(write, Write::Replace { after, .. } if after.status != Status::Merged),
            );
        assert_eq!(merged.count(), kept.count(), "each goes with the one that takes it in");
    }
}

/// Three procedures that run the same command.
fn procedures(mode: SkillMode) -> Scene {
    let mut scene = Scene::on(10.0);
    scene.evolution.skills = mode;
    for number in 0..3 {
        scene.add(&format!("To release part {number}, run `cargo xtask release`."), |memory| {
            of_kind(memory, Kind::Procedure);
            memory.tier = Tier::Procedural;
            memory.structured =
                Some(json!({ "commands": ["cargo xtask release"] }).as_object().unwrap().clone());
        });
    }
    scene
}

#[test]
fn alike_procedures_are_proposed_as_a_skill_and_made_one_where_that_is_allowed() {
    assert_eq!(procedures(SkillMode::Off).plan(evolve).deeds, []);
    let proposed = procedures(SkillMode::Propose).plan(evolve);
    assert_eq!((proposed.writes.len(), proposed.spared), (0, 1));
    assert_eq!(proposed.deeds[0].why, "to be induced: 3 procedures could make a skill");
    let mut scene = procedures(SkillMode::Write);
    let sources: Vec<MemoryId> = scene.memories.keys().copied().collect();
    let plan = scene.dream(evolve);
    let [skill] = newborns(&plan).try_into().unwrap();
    assert_eq!(Skill::of(&skill).unwrap().sources, sources);
    assert_eq!(why(&plan, skill.id), "made of 3 procedures");
    assert_eq!(plan.made_of[&skill.id].keys().copied().collect::<Vec<_>>(), sources);
    scene.pass(SignedDuration::from_secs(1), &[Step::Evolve]);
    assert_eq!(scene.plan(evolve).writes, [], "they belong to a skill");
}

#[test]
fn what_must_not_be_an_order_becomes_no_skill() {
    let plan = procedures(SkillMode::Write).plan(|night| plan_evolve(night, &|_| false));
    assert_eq!((newborns(&plan), plan.spared), (vec![], 1));
}

#[test]
fn what_is_shown_and_never_used_is_proposed() {
    let mut scene = Scene::on(10.0);
    let [noise, other] = ["a", "b"].map(|text| scene.plain(text));
    for number in 0..12 {
        scene.shown(&[noise, other], f64::from(number) / 2.0, 1);
        let recall = scene.recalls.last_mut().unwrap();
        (recall.settled_at, recall.used) = (Some(recall.at), vec![other]);
    }
    let plan = scene.plan(evolve);
    assert_eq!(why(&plan, noise), "shown 12 times in 14 days, used 0 times");
    assert_eq!((plan.spared, plan.writes.len()), (1, 0));
}

/// Recalls of which the arm of the words puts higher what is then used.
fn taught(scene: &mut Scene, recalls: u32) {
    let [one, other] = ["a", "b"].map(|text| scene.plain(text));
    for number in 0..recalls {
        scene.shown(&[one, other], 1.0 + f64::from(number) / 10.0, number.into());
        let recall = scene.recalls.last_mut().unwrap();
        (recall.settled_at, recall.used) = (Some(recall.at), vec![one]);
        let pooled = |memory, words, table| Pooled {
            memory,
            words,
            table,
            model: 0.0,
            graph: 0.0,
            rest: 0.0,
            scale: 1.0,
        };
        recall.pool = vec![pooled(one, 0.6, 0.4), pooled(other, 0.5, 0.5)];
    }
}

#[test]
fn the_arm_that_finds_what_is_used_counts_for_more() {
    let mut scene = Scene::on(10.0);
    taught(&mut scene, 40);
    let home = Weights::default();
    let plan = scene.dream(adapt);
    let row = scene.learned.iter().find(|row| row.key.query_type.is_none()).expect("all together");
    assert_eq!(row.key.subject, Subject::Arms);
    let kind = scene.recalls[0].query_type;
    let now = applied(home, &scene.learned, kind, false, &BTreeSet::new());
    assert!(now.words > home.words && now.table < home.table, "{now:?}");
    let deed = plan.deeds.iter().find(|deed| deed.why.starts_with("all questions, ")).unwrap();
    assert_eq!(deed.what, "learned");
    assert!(deed.why.contains("words right in 100 %"), "{}", deed.why);
    // Nothing was judged since.
    scene.pass(SignedDuration::from_hours(6), &[Step::Adapt]);
    assert_eq!(scene.plan(adapt).writes, []);
}

#[test]
fn who_switches_learning_off_learns_nothing() {
    let mut scene = Scene::on(10.0);
    taught(&mut scene, 40);
    let plan = scene.plan(|night| {
        night.learning.on = false;
        adapt(night)
    });
    assert_eq!(plan.writes, []);
    assert!(plan.skipped.is_some());
}

#[test]
fn what_was_learned_can_be_taken_back() {
    let mut scene = Scene::on(10.0);
    taught(&mut scene, 40);
    let plan = scene.plan(adapt);
    let [part] = parts_of(scene.night().dream, scene.at, &[plan]).try_into().unwrap();
    assert!(part.changes.is_logged());
    let learned = part.changes.writes.iter().filter(|write| matches!(write, Write::Learn { .. })).count();
    assert!(learned > 0);
    assert_eq!(part.changes.log_entry().inverse.len(), learned);
}

fn insight<'s>(scene: &'s Scene, start: &str) -> Option<&'s Insight> {
    scene.insights.iter().find(|insight| insight.id.starts_with(start))
}

#[test]
fn a_thing_with_twenty_bonds_is_a_hub() {
    for (bonds, expected) in [(19, false), (20, true)] {
        let mut scene = Scene::on(10.0);
        let by = scene.plain("redis is used everywhere");
        let hub = scene.tool("redis");
        for number in 0..bonds {
            let other = scene.tool(&format!("tool{number}"));
            scene.bonds.push(Bond::new((hub, BondKind::Uses, other), by, day(1.0)));
        }
        scene.dream(reflect);
        let found = insight(&scene, "graph_insight");
        assert_eq!(found.is_some(), expected, "{bonds} bonds");
        assert!(found.is_none_or(|found| found.description.starts_with("redis is tied to 20 things")));
    }
}

#[test]
fn a_thing_that_everything_is_about_is_a_hub() {
    for (naming, expected) in [(12, false), (13, true)] {
        let mut scene = Scene::on(10.0);
        for number in 0..naming {
            let id = scene.plain(&format!("redis does {number}"));
            scene.names(id, "redis");
        }
        scene.dream(reflect);
        assert_eq!(insight(&scene, "graph_insight").is_some(), expected, "{naming} name it");
    }
}

#[test]
fn ten_memories_about_one_thing_are_a_signal() {
    for (members, expected) in [(9, false), (10, true)] {
        let mut scene = Scene::on(10.0);
        let ids: Vec<MemoryId> = (0..members).map(|number| scene.plain(&format!("fact {number}"))).collect();
        let half = |ids: &[MemoryId]| Cluster { topic: "redis".to_owned(), members: ids.to_vec() };
        let clusters = [half(&ids[..5]), half(&ids[5..])];
        let plan = scene.dream(|night| plan_reflect(night, &Weights::default(), &clusters));
        assert_eq!(insight(&scene, "consolidation_signal:redis").is_some(), expected, "{members}");
        assert_eq!(reflection(&plan).insights_generated, u32::from(expected));
        if expected {
            assert_eq!(insight(&scene, "consolidation_signal").unwrap().action_taken, None);
            scene.change(ids[0], |memory| memory.status = Status::Consolidated);
            scene.pass(SignedDuration::from_secs(1), &[]);
            scene.dream(|night| plan_reflect(night, &Weights::default(), &clusters));
            let action = insight(&scene, "consolidation_signal").unwrap().action_taken.clone();
            assert_eq!(action.as_deref(), Some("summed up"));
        }
    }
}

/// Two that were used together so often.
fn pair(times: u32) -> (Scene, MemoryId, MemoryId) {
    let mut scene = Scene::on(10.0);
    let [one, other] = ["a", "b"].map(|text| scene.plain(text));
    for number in 0..times {
        scene.shown(&[one, other], 1.0 + f64::from(number), number.into());
        let recall = scene.recalls.last_mut().unwrap();
        (recall.settled_at, recall.used) = (Some(recall.at), vec![one, other]);
    }
    (scene, one, other)
}

#[test]
fn what_is_used_together_three_times_is_tied_and_told() {
    let (twice, ..) = pair(2);
    assert!(!twice.plan(reflect).writes.iter().any(|write| matches!(write, Write::Relate { .. })));
    let (mut scene, one, other) = pair(3);
    scene.dream(reflect);
    let edge = scene.edges.first().expect("they are tied");
    assert_eq!((edge.from, edge.kind, edge.to), (one, RelationKind::RelatedTo, other));
    let told = insight(&scene, "graph_insight").unwrap();
    assert_eq!(told.action_taken.as_deref(), Some("tied to each other"));
    assert_eq!(told.evidence, [one.to_string(), other.to_string()]);
    // Who takes the edge away is not overruled.
    scene.edges.clear();
    scene.pass(SignedDuration::from_hours(30), &[]);
    scene.dream(reflect);
    assert!(scene.edges.is_empty());
    assert_eq!(insight(&scene, "graph_insight").unwrap().last_seen_at, scene.at);
}

#[test]
fn reflection_changes_no_memory() {
    let (mut scene, ..) = pair(4);
    taught(&mut scene, 40);
    for (number, query) in
        ["where is the staging key", "who has the staging key", "which staging key"].into_iter().enumerate()
    {
        scene.shown(&[], 5.0 + number as f64, number as u128);
        let recall = scene.recalls.last_mut().unwrap();
        recall.query = query.to_owned();
        recall.confidence = Confidence::clamped(0.1);
    }
    let memories = scene.memories.clone();
    let plan = scene.dream(reflect);
    assert_eq!(scene.memories, memories);
    let harmless = |write: &Write| matches!(write, Write::Note { .. } | Write::Relate { .. });
    assert!(plan.writes.iter().all(harmless), "{:?}", plan.writes);
    let kinds: BTreeSet<InsightType> = scene.insights.iter().map(|insight| insight.insight).collect();
    use InsightType::{GraphInsight, MemoryGap, RetrievalPattern};
    assert_eq!(kinds, BTreeSet::from([RetrievalPattern, MemoryGap, GraphInsight]));
    // A report outlives a purge, and so it does not quote what was asked.
    assert!(plan.deeds.iter().any(|deed| deed.why == "memory_gap: asked 3 times, never answered"));
    assert!(plan.deeds.iter().all(|deed| !deed.why.contains("staging")), "{:?}", plan.deeds);
}

#[test]
fn a_reflection_is_logged_with_what_became_of_the_store_since_the_last_one() {
    let mut scene = Scene::on(120.0);
    scene.add("lunch was late", |memory| memory.importance = crate::Importance::clamped(0.2));
    let by = scene.add("redis is used", known);
    let things = ["redis", "nginx"].map(|name| scene.tool(name));
    let bond = Bond::new((things[0], BondKind::Uses, things[1]), by, day(1.0));
    scene.bonds.push(Bond { invalid_at: Some(day(60.0)), ..bond });
    scene.dream(plan_forget);
    let plan = scene.dream(|night| {
        (night.trigger, night.sessions) = (DreamTrigger::SessionEnd, 40);
        reflect(night)
    });
    let logged = reflection(&plan);
    assert_eq!((logged.triggered_by, logged.session_count_at), (DreamTrigger::SessionEnd, 40));
    assert_eq!((logged.memories_archived, logged.edges_pruned, logged.entities_merged), (1, 1, 0));
    assert_eq!((logged.duration_ms, logged.at), (0, scene.at), "how long it takes is known at its end");
    scene.pass(SignedDuration::from_hours(1), &[Step::Reflect]);
    assert_eq!(scene.plan(reflect).skipped.as_deref(), Some("nothing is new since the last time"));
    scene.plain("something is new");
    let newest = *scene.memories.last_key_value().unwrap().0;
    let at = scene.at;
    scene.change(newest, |memory| memory.created_at = at);
    let logged = reflection(&scene.plan(reflect));
    assert_eq!((logged.memories_archived, logged.edges_pruned), (0, 0), "that was before");
}
