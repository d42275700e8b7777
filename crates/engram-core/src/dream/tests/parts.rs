//! How a plan is cut into parts, and what of a part is left to others.

use super::*;
use crate::dream::note::Note;
use crate::dream::{Deed, Part, StepReport, clusters, parts_of, plan_consolidation, plan_expire, plan_tiers};
use crate::evolve::{EvolutionLogged, Evolving};
use crate::reflect::{Insight, InsightType};

/// Several clusters of episodes, each about a tool of its own.
fn crowd(tools: usize, each: usize) -> Scene {
    let mut scene = Scene::on(5.0);
    for number in 0..tools * each {
        let id = scene.plain(&format!("in run {number} it took {number} seconds"));
        scene.names(id, &format!("tool{}", number % tools));
    }
    scene
}

fn consolidated(scene: &Scene) -> StepPlan {
    scene.plan(|night| {
        let (found, left) = clusters(night);
        plan_consolidation(night, &found, left, &BTreeMap::new())
    })
}

fn parts(scene: &Scene, plan: StepPlan) -> Vec<Part> {
    parts_of(scene.night().dream, scene.at, &[plan])
}

#[test]
fn a_part_has_about_a_hundred_writes_and_its_name_follows_from_the_dream() {
    let mut scene = Scene::on(10.0);
    for number in 0..250 {
        scene.add(&format!("fact {number}"), |memory| memory.validity.valid_until = Some(day(1.0)));
    }
    let plan = scene.plan(plan_expire);
    let parts = parts(&scene, plan);
    assert_eq!(parts.iter().map(|part| part.changes.writes.len()).collect::<Vec<_>>(), [101, 101, 51]);
    let dream = scene.night().dream;
    for (number, part) in parts.iter().enumerate() {
        assert_eq!(part.changes.operation, dream.part(number as u32));
        assert_eq!((part.changes.part_of, part.changes.at), (Some(dream), scene.at));
        let done = Write::Note { note: Box::new(Note::PartDone { dream, number: number as u32 }) };
        assert_eq!(part.changes.writes.last(), Some(&done));
    }
    let names: Vec<OperationId> = parts.iter().map(|part| part.changes.operation).collect();
    assert!(names.is_sorted(), "they are taken back in this order, from the end");
}

#[test]
fn a_summary_is_born_together_with_all_that_is_written_because_of_it() {
    let scene = crowd(20, 12);
    let plan = consolidated(&scene);
    assert!(plan.writes.len() > 400);
    let all = plan.writes.len();
    let parts = parts(&scene, plan);
    assert_eq!(parts.iter().map(|part| part.changes.writes.len() - 1).sum::<usize>(), all);
    for part in &parts {
        let writes = &part.changes.writes;
        assert!(writes.len() <= 101);
        assert!(matches!(writes[0], Write::Create { .. }));
        for (summary, sources) in &part.made_of {
            let born = writes.iter().any(|write| write.memory_id() == Some(*summary));
            let put = |id: &MemoryId| writes.iter().any(|write| write.memory_id() == Some(*id));
            assert!(born && sources.keys().all(put), "{summary} is torn apart");
        }
    }
}

#[test]
fn what_somebody_changed_is_left_out_with_what_was_to_be_made_of_its_words() {
    let mut scene = crowd(2, 4);
    scene.plain("and one that nobody names");
    let plan = consolidated(&scene);
    let [first, second] = newborns(&plan).try_into().expect("two summaries");
    let mut report = StepReport::of(&plan);
    let mut part = parts(&scene, plan).remove(0);
    let changed = *part.made_of[&first.id].first_key_value().expect("it has sources").0;
    let mut expected: BTreeSet<MemoryId> = part.made_of[&first.id].keys().copied().collect();
    expected.insert(first.id);
    let left_out = part.leave_out(changed);
    assert_eq!(left_out, expected, "the summary, and all that it was to be made of");
    report.overtake(&left_out);
    assert_eq!(report.overtaken, left_out);
    assert!(report.deeds.iter().all(|deed| !left_out.contains(&deed.memory.unwrap())));
    assert_eq!((report.done, report.deeds.len()), (5, 5), "the other summary and its four sources");

    // The other summary is whole, and of the first there is not a word.
    let written = format!("{:?}", part.changes.writes);
    assert!(!written.contains(&first.id.to_string()), "{written}");
    let touched: BTreeSet<MemoryId> = part.changes.writes.iter().filter_map(Write::memory_id).collect();
    let mut expected: BTreeSet<MemoryId> = part.made_of[&second.id].keys().copied().collect();
    expected.insert(second.id);
    assert_eq!(touched, expected);
}

#[test]
fn a_part_is_read_back_as_it_was_written() {
    let scene = crowd(2, 4);
    for part in parts(&scene, consolidated(&scene)) {
        let text = serde_json::to_string(&part).unwrap();
        assert_eq!(serde_json::from_str::<Part>(&text).unwrap(), part);
    }
}

#[test]
fn what_goes_up_goes_with_the_last_part_of_its_step() {
    let mut scene = Scene::on(10.0);
    let id = scene.add("fact", |memory| used(memory, 3, 1.0));
    let mut plan = scene.plan(plan_tiers);
    plan.rising = vec![id];
    let parts = parts(&scene, plan);
    assert_eq!((parts.len(), parts[0].rising.as_slice()), (1, [id].as_slice()));
    let mut part = parts[0].clone();
    assert_eq!(part.leave_out(MemoryId::from_ulid(Ulid(77))), BTreeSet::new());
    assert_eq!(part, parts[0], "it was not about that one");
    part.leave_out(id);
    assert_eq!(part.rising, []);
    assert_eq!(part.changes.writes.len(), 1, "that the part is done is written whatever happened");
}

#[test]
fn a_report_names_a_hundred_deeds_and_counts_the_rest() {
    let mut scene = Scene::on(10.0);
    for number in 0..130 {
        scene.add(&format!("fact {number}"), |memory| memory.validity.valid_until = Some(day(1.0)));
    }
    let report = StepReport::of(&scene.plan(plan_expire));
    assert_eq!((report.done, report.deeds.len()), (130, 100));
}

#[test]
fn what_is_told_of_a_memory_is_left_out_with_it() {
    let mut scene = Scene::on(10.0);
    let [one, other] =
        ["one", "other"].map(|text| scene.add(text, |memory| memory.validity.valid_until = Some(day(1.0))));
    let mut plan = scene.plan(plan_expire);
    let (operation, at) = (scene.night().dream, scene.at);
    let evolved = |node: MemoryId, made: Option<MemoryId>| {
        let (action, reason, actor) = (Evolving::Merged, "alike".to_owned(), Actor::Engram);
        let operation = operation.part(0);
        let logged = EvolutionLogged { operation, number: 0, action, node, made, reason, actor, at };
        Write::Note { note: Box::new(Note::Evolved(logged)) }
    };
    let insight = |subject: &str, evidence: &[MemoryId]| {
        let told = Insight {
            id: format!("graph_insight:{subject}"),
            insight: InsightType::GraphInsight,
            subject: subject.to_owned(),
            description: "used together".to_owned(),
            evidence: evidence.iter().map(ToString::to_string).collect(),
            action_taken: None,
            proposal: None,
            created_at: at,
            last_seen_at: at,
            closed_at: None,
        };
        Write::Note { note: Box::new(Note::Insight(told)) }
    };
    plan.writes.extend([evolved(one, None), evolved(other, Some(one)), evolved(other, None)]);
    plan.writes.extend([
        insight("of one", &[one]),
        insight("of both", &[one, other]),
        insight("of none", &[]),
    ]);
    plan.deeds.clear();
    let deed = |made| Deed { memory: Some(other), what: "merged".into(), why: "alike".into(), made };
    plan.deeds.extend([deed(Some(one)), deed(None)]);
    let mut report = StepReport::of(&plan);
    let mut part = parts(&scene, plan).remove(0);
    let left_out = part.leave_out(one);
    report.overtake(&left_out);
    let notes: Vec<&Write> =
        part.changes.writes.iter().filter(|write| matches!(write, Write::Note { .. })).collect();
    let done = Write::Note { note: Box::new(Note::PartDone { dream: operation, number: 0 }) };
    let left = [evolved(other, None), insight("of both", &[other]), insight("of none", &[]), done];
    assert_eq!(notes, left.iter().collect::<Vec<_>>());
    assert_eq!(report.deeds, [deed(None)]);
}
