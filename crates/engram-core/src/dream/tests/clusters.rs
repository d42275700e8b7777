//! What is summed up, what is redundant, and what of it is honest.

use super::*;
use crate::change::Cause;
use crate::dream::note::{Awaiting, Note};
use crate::dream::{
    Cluster, SummaryMethod, clusters, extract, is_summary_of, plan_cards, plan_consolidation, plan_patterns,
    plan_redundancy, plan_submitted, plan_summaries,
};
use crate::memory::{RelationKind, WriteSource};
use crate::unit::Importance;
use serde_json::json;

fn consolidation(night: &mut Night<'_>) -> StepPlan {
    let (found, left) = clusters(night);
    plan_consolidation(night, &found, left, &BTreeMap::new())
}

/// Episodes about one tool.
fn about(scene: &mut Scene, tool: &str, many: usize) -> Vec<MemoryId> {
    let told = |number: usize| format!("in run {number} {tool} took {number} seconds");
    let ids: Vec<MemoryId> = (0..many).map(|number| scene.plain(&told(number))).collect();
    ids.iter().for_each(|id| scene.names(*id, tool));
    ids
}

fn sources(scene: &Scene, id: MemoryId) -> Vec<MemoryId> {
    let made_of = |edge: &&Relation| edge.from == id && edge.kind == RelationKind::DerivedFrom;
    scene.edges.iter().filter(made_of).map(|edge| edge.to).collect()
}

#[test]
fn three_episodes_about_one_thing_are_summed_up_word_for_word_and_stay() {
    let mut scene = Scene::on(5.0);
    let ids = about(&mut scene, "redis", 3);
    scene.change(ids[1], |memory| memory.confidence = Confidence::clamped(0.4));
    let plan = scene.dream(consolidation);
    let [summary] = newborns(&plan).try_into().expect("one summary");
    assert_eq!((summary.kind, summary.tier), (Kind::Summary, Tier::Semantic));
    assert_eq!((summary.importance.get(), summary.confidence.get()), (0.8, 0.4));
    assert!(is_summary_of(&summary));
    assert_eq!(summary.structured.as_ref().unwrap()["method"], json!("extractive"));
    for id in &ids {
        assert!(summary.content.contains(&scene.get(*id).content), "{}", summary.content);
        assert_eq!(scene.get(*id).status, Status::Consolidated);
        assert_eq!(scene.get(*id).status_change.reason, format!("summed up in {}", summary.id));
    }
    assert_eq!(sources(&scene, summary.id), ids);
    let awaits = |write: &Write| match write {
        Write::Note { note } => matches!(&**note, Note::Awaiting(it) if it.summary == summary.id),
        _ => false,
    };
    assert!(plan.writes.iter().any(awaits), "somebody may write it better");
}

#[test]
fn a_text_of_the_models_waits_for_nobody() {
    let mut scene = Scene::on(5.0);
    about(&mut scene, "redis", 3);
    let plan = scene.dream(|night| {
        let (found, left) = clusters(night);
        plan_consolidation(night, &found, left, &BTreeMap::from([(0, "redis is slow".to_owned())]))
    });
    assert_eq!(newborns(&plan)[0].content, "redis is slow");
    let waiting =
        |write: &Write| matches!(write, Write::Note { note } if matches!(**note, Note::Awaiting(_)));
    assert!(!plan.writes.iter().any(waiting));
}

#[test]
fn two_episodes_what_is_of_today_protected_planned_or_known_already_is_not_summed_up() {
    let settings: [fn(&mut Memory); 8] = [
        |memory| memory.created_at = day(4.1),
        |memory| memory.pinned = true,
        |memory| memory.immutable = true,
        stirred,
        |memory| of_kind(memory, Kind::Plan),
        |memory| of_kind(memory, Kind::Narrative),
        known,
        |memory| memory.status = Status::Challenged,
    ];
    for set in settings {
        let mut scene = Scene::on(5.0);
        let ids = about(&mut scene, "redis", 3);
        scene.change(ids[0], set);
        assert_eq!(scene.plan(consolidation).writes, []);
    }
}

#[test]
fn five_that_are_merely_alike_are_summed_up_and_four_are_not() {
    for (many, found) in [(4, 0), (5, 1)] {
        let mut scene = Scene::on(5.0);
        let ids: Vec<MemoryId> =
            (0..many).map(|number| scene.plain(&format!("it took {number} s"))).collect();
        for (place, one) in ids.iter().enumerate() {
            ids[place + 1..].iter().for_each(|other| scene.alike(*one, *other, 0.81));
        }
        assert_eq!(clusters(&scene.night()).0.len(), found, "{many}");
        scene.sight.0.values_mut().for_each(|likeness| *likeness = 0.8);
        assert_eq!(clusters(&scene.night()).0, []);
    }
}

#[test]
fn no_summary_is_of_more_than_twelve_and_all_about_a_thing_are_summed_up_in_one_night() {
    let mut scene = Scene::on(5.0);
    about(&mut scene, "redis", 15);
    // In a store that is about more than redis.
    for number in 0..40 {
        let id = scene.add(&format!("other {number}"), known);
        scene.names(id, &format!("tool{number}"));
    }
    let sizes = |scene: &Scene| -> Vec<usize> {
        clusters(&scene.night()).0.iter().map(|cluster| cluster.members.len()).collect()
    };
    assert_eq!(sizes(&scene), [12, 3]);
    scene.dream(consolidation);
    assert_eq!(sizes(&scene), Vec::<usize>::new());

    let mut alike = Scene::on(5.0);
    let ids: Vec<MemoryId> = (0..20).map(|number| alike.plain(&format!("it took {number} s"))).collect();
    for (place, one) in ids.iter().enumerate() {
        ids[place + 1..].iter().for_each(|other| alike.alike(*one, *other, 0.9));
    }
    assert_eq!(sizes(&alike), [12]);
}

#[test]
fn a_thing_that_everything_is_about_or_that_is_no_thing_any_more_is_no_topic() {
    let mut scene = Scene::on(5.0);
    about(&mut scene, "engram", 13);
    assert_eq!(clusters(&scene.night()).0, []);
    let mut scene = Scene::on(5.0);
    about(&mut scene, "redis", 5);
    scene.entities.clear();
    assert_eq!(clusters(&scene.night()).0, []);
}

#[test]
fn only_so_many_of_the_latest_are_looked_at() {
    let mut scene = Scene::on(5.0);
    let ids = about(&mut scene, "redis", 6);
    scene.caps.memories = 4;
    let (found, left) = clusters(&scene.night());
    assert_eq!((found[0].members.as_slice(), left), (&ids[2..], 2));
}

#[test]
fn what_is_on_a_card_or_in_the_summary_of_its_kind_can_still_be_summed_up() {
    let mut scene = Scene::on(5.0);
    let ids = about(&mut scene, "redis", 10);
    scene.dream(plan_summaries);
    scene.dream(plan_cards);
    assert_eq!(scene.memories.len(), 12, "a summary and a card were made");
    assert_eq!(clusters(&scene.night()).0, [Cluster { topic: "redis".to_owned(), members: ids }]);
}

#[test]
fn of_two_that_contradict_each_other_a_summary_tells_the_newer_and_loses_nothing_else() {
    let mut scene = Scene::on(5.0);
    let said = |text: &str, days: f64, scene: &mut Scene| {
        scene.add(text, |memory| memory.validity.valid_from = day(days))
    };
    said("The API listens on port 9090.", 3.0, &mut scene);
    said("The billing database is Postgres.", 2.0, &mut scene);
    said("The API listens on port 8080. The billing database is Postgres.", 1.0, &mut scene);
    let all: Vec<Arc<Memory>> = scene.memories.values().cloned().collect();
    let text = extract("api", &all);
    assert!(text.contains("9090") && text.contains("Postgres"), "{text}");
    assert!(!text.contains("8080"), "{text}");
}

#[test]
fn a_summary_of_long_texts_says_how_each_begins() {
    let mut scene = Scene::on(5.0);
    for number in 0..3 {
        scene.plain(&format!("chapter {number} {}", "of a long story ".repeat(80)));
    }
    let all: Vec<Arc<Memory>> = scene.memories.values().cloned().collect();
    let text = extract("story", &all);
    assert!(text.chars().count() <= 900);
    for number in 0..3 {
        assert!(text.contains(&format!("chapter {number}")), "{text}");
    }
}

/// So many facts, each about something else.
fn facts(scene: &mut Scene, many: usize) -> Vec<MemoryId> {
    let told = |number: usize| format!("module {number} is owned by team {number}");
    (0..many).map(|number| scene.add(&told(number), known)).collect()
}

#[test]
fn a_kind_with_ten_memories_has_a_summary_which_is_brought_up_to_date_in_its_place() {
    let mut scene = Scene::on(5.0);
    facts(&mut scene, 9);
    assert_eq!(scene.plan(plan_summaries).writes, []);
    scene.add("the tenth fact", known);
    let [summary] = newborns(&scene.dream(plan_summaries)).try_into().expect("one summary");
    assert_eq!((summary.tier, summary.importance.get()), (Tier::Semantic, 0.8));
    assert_eq!(sources(&scene, summary.id).len(), 10);

    // Another weighty fact comes, and takes the place of a lighter one.
    let eleventh = scene.add("the eleventh fact", |memory| {
        known(memory);
        memory.importance = Importance::clamped(1.0);
    });
    scene.pass(SignedDuration::from_secs(59), &[Step::Summarise]);
    assert_eq!(scene.plan(plan_summaries).writes, [], "less than a minute after the last time");
    scene.pass(SignedDuration::from_secs(1), &[]);
    let plan = scene.dream(plan_summaries);
    assert_eq!(newborns(&plan), []);
    assert!(scene.get(summary.id).content.contains("the eleventh fact"));
    let now = sources(&scene, summary.id);
    assert!(now.len() == 10 && now.contains(&eleventh));
    scene.pass(SignedDuration::from_secs(600), &[]);
    assert_eq!(scene.plan(plan_summaries).writes, [], "nothing has changed");
}

#[test]
fn a_summary_that_somebody_pinned_or_put_away_is_left_to_him() {
    for status in [Status::Active, Status::Archived] {
        let mut scene = Scene::on(5.0);
        facts(&mut scene, 10);
        let [summary] = newborns(&scene.dream(plan_summaries)).try_into().unwrap();
        scene.change(summary.id, |memory| {
            memory.status = status;
            memory.pinned = status == Status::Active;
        });
        facts(&mut scene, 5);
        scene.pass(SignedDuration::from_hours(24), &[]);
        let plan = scene.plan(plan_summaries);
        assert_eq!(
            (plan.writes.as_slice(), plan.deeds.as_slice()),
            ([].as_slice(), [].as_slice()),
            "{status}"
        );
    }
}

#[test]
fn neither_doubted_memories_nor_patterns_of_a_dream_are_counted_into_a_summary_of_their_kind() {
    let settings: [fn(&mut Memory); 2] = [
        |memory| memory.status = Status::Challenged,
        |memory| memory.provenance.write_source = WriteSource::Dream,
    ];
    for set in settings {
        let mut scene = Scene::on(5.0);
        let ids = facts(&mut scene, 10);
        scene.change(ids[0], set);
        assert_eq!(scene.plan(plan_summaries).writes, []);
    }
}

/// Two memories that say the same.
fn twins(scene: &mut Scene) -> [MemoryId; 2] {
    let ids =
        ["The build takes nine minutes.", "The build takes nine minutes."].map(|text| scene.plain(text));
    scene.alike(ids[0], ids[1], 0.99);
    ids
}

#[test]
fn of_two_that_say_the_same_the_less_useful_is_put_away() {
    let mut scene = Scene::on(30.0);
    let [one, two] = twins(&mut scene);
    scene.change(two, |memory| useful(memory, 0.9));
    let plan = scene.dream(plan_redundancy);
    assert_eq!(statuses(&plan), [(one, Status::Archived)]);
    assert_eq!(why(&plan, one), format!("redundant: {two} says the same"));
    assert!(scene.edges.contains(&Relation::certain(two, RelationKind::SimilarTo, one, scene.at)));
}

#[test]
fn of_two_of_which_one_says_more_the_other_is_put_away_however_useful() {
    let mut scene = Scene::on(30.0);
    let less = scene.add("We use Postgres 16.", |memory| useful(memory, 0.9));
    let more = scene.plain("We use Postgres 16 for billing. Backups run at night.");
    scene.alike(less, more, 0.95);
    scene.dream(plan_redundancy);
    assert_eq!(scene.get(more).status, Status::Active);
    assert_eq!(scene.get(less).status, Status::Archived);
}

#[test]
fn nothing_is_redundant_that_says_otherwise_differs_in_kind_is_protected_or_is_not_alike() {
    let settings: [fn(&mut Memory); 6] = [
        |memory| memory.content = "The build takes four minutes.".to_owned(),
        |memory| of_kind(memory, Kind::Decision),
        |memory| memory.pinned = true,
        |memory| memory.immutable = true,
        stirred,
        |memory| memory.status = Status::Challenged,
    ];
    for set in settings {
        let mut scene = Scene::on(60.0);
        let [one, two] = twins(&mut scene);
        scene.change(two, |memory| useful(memory, 0.9));
        scene.change(one, set);
        assert_eq!(scene.plan(plan_redundancy).writes, []);
    }
    let mut scene = Scene::on(60.0);
    let [one, two] = twins(&mut scene);
    scene.alike(one, two, 0.9);
    assert_eq!(scene.plan(plan_redundancy).writes, []);
}

#[test]
fn what_is_doubted_takes_nothings_place() {
    let mut scene = Scene::on(60.0);
    let [_, two] = twins(&mut scene);
    scene.change(two, |memory| {
        useful(memory, 0.9);
        memory.status = Status::Challenged;
    });
    assert_eq!(scene.plan(plan_redundancy).writes, []);
}

#[test]
fn fifty_pairs_are_compared_in_a_night_and_the_others_have_their_turn() {
    let mut scene = Scene::on(60.0);
    for _ in 0..60 {
        twins(&mut scene);
    }
    let plan = scene.dream(plan_redundancy);
    assert_eq!((plan.looked_at, statuses(&plan).len()), (50, 50));
    assert!(plan.left > 0);
    scene.pass(SignedDuration::from_hours(24), &[Step::Redundancy]);
    let plan = scene.dream(plan_redundancy);
    assert_eq!((statuses(&plan).len(), plan.left), (10, 0));
}

#[test]
fn all_of_a_large_store_is_looked_at_in_some_night_and_what_is_new_in_the_next() {
    let mut scene = Scene::on(60.0);
    scene.caps.memories = 10;
    let mut pairs: Vec<[MemoryId; 2]> = (0..20).map(|_| twins(&mut scene)).collect();
    scene.pass(SignedDuration::from_hours(24), &[Step::Redundancy]);
    let new = twins(&mut scene);
    scene.change(new[1], |memory| memory.updated_at = day(60.5));
    let first = scene.dream(plan_redundancy);
    let gone = |plan: &StepPlan| -> Vec<MemoryId> { statuses(plan).into_iter().map(|(id, _)| id).collect() };
    assert!(gone(&first).iter().any(|id| new.contains(id)), "what is new comes first");
    pairs.push(new);
    for _ in 0..100 {
        scene.pass(SignedDuration::from_hours(24), &[Step::Redundancy]);
        scene.dreams += 7;
        scene.dream(plan_redundancy);
    }
    for pair in pairs {
        assert!(
            pair.iter().any(|id| scene.get(*id).status == Status::Archived),
            "{pair:?} was never looked at"
        );
    }
}

#[test]
fn a_pattern_is_tied_to_what_it_was_seen_in_and_without_a_model_there_is_none() {
    let mut scene = Scene::on(5.0);
    let ids = about(&mut scene, "redis", 3);
    let seen = [("restarts fix redis".to_owned(), ids.clone())];
    let plan = scene.dream(|night| plan_patterns(night, &seen, None));
    let [pattern] = newborns(&plan).try_into().unwrap();
    assert_eq!((pattern.kind, pattern.importance.get()), (Kind::Pattern, 0.85));
    assert_eq!(sources(&scene, pattern.id), ids);
    assert!(ids.iter().all(|id| scene.get(*id).status == Status::Active), "its sources stay as they are");
    let why_none = Some("it takes a language model, and none is configured".to_owned());
    let plan = scene.plan(|night| plan_patterns(night, &[], why_none.clone()));
    assert_eq!((plan.skipped, plan.writes.as_slice()), (why_none, [].as_slice()));
}

#[test]
fn what_was_extracted_can_be_said_in_somebodys_words() {
    let mut scene = Scene::on(5.0);
    about(&mut scene, "redis", 3);
    let plan = scene.dream(consolidation);
    let awaiting: Awaiting = plan
        .writes
        .iter()
        .find_map(|write| match write {
            Write::Note { note } => match &**note {
                Note::Awaiting(awaiting) => Some(awaiting.clone()),
                _ => None,
            },
            _ => None,
        })
        .unwrap();
    let summary = scene.get(awaiting.summary).clone();
    let operation = OperationId::from_ulid(Ulid(77));
    let occasion = Occasion { operation, actor: Actor::Assistant, at: day(6.0), recorded_at: day(6.0) };
    let submit = |summary: &Memory, text: &str| plan_submitted(&awaiting, summary, text, 100, occasion);
    let changes = submit(&summary, "redis is slow").unwrap();
    assert_eq!(changes.cause, Cause::Consolidate);
    let Write::Replace { after, .. } = &changes.writes[0] else { panic!("{changes:?}") };
    assert_eq!((after.content.as_str(), after.revision), ("redis is slow", summary.revision + 1));
    assert_eq!(after.structured.as_ref().unwrap()["method"], json!(SummaryMethod::Agent.as_str()));
    let done = |write: &Write| match write {
        Write::Note { note } => matches!(&**note, Note::Awaiting(it) if it.done_at == Some(day(6.0))),
        _ => false,
    };
    assert!(changes.writes.iter().any(done));
    submit(&summary, "").unwrap_err();
    submit(&summary, &"x".repeat(101)).unwrap_err();
    submit(&Memory { immutable: true, ..summary.clone() }, "redis is slow").unwrap_err();
    submit(&Memory { status: Status::Archived, ..summary }, "redis is slow").unwrap_err();
}
