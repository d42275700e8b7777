//! Learning from use, from end to end: what an agent does with what it was
//! shown is evidence, nothing evolves without it, and a skill is a file that is
//! never a person's.

mod common;

use common::agent::agent;
use common::{Ground, Place, found_soon};
use engram_core::recalled::Feedback;
use engram_core::used::{EvidenceSource, Outcome};
use engram_core::{Actor, Kind, Memory, Scope};
use engram_wire::client::NoAnswer;
use engram_wire::evolution::{
    Candidates, EvolutionReports, Evolved, FileDone, Rated, Reflections, SkillState, SkillsFound,
    UsageHistory, WeightsReset, WeightsShown,
};
use engram_wire::life::Dreamt;
use engram_wire::message::{
    EvolutionCandidates, Evolve, EvolveMerge, EvolveOne, EvolveRefine, HookEvent, InduceSkill,
    RecordFeedback, Remember,
};
use engram_wire::reply::{Changed, Health, OutcomeRecorded, Recalled, Recalls, Undone};
use engram_wire::{Context, Fault, FaultKind, Order, Request};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn procedure(ground: &Ground, place: &Place<'_>, text: &str) -> Memory {
    let mut changed: Changed = place.ask(Order::Remember(Remember {
        operation: ground.operation(),
        text: text.to_owned(),
        kind: Some(Kind::Procedure),
        scope: Some(Scope::Project),
        tags: Vec::new(),
        domain: None,
        pin: false,
    }));
    changed.memories.remove(0)
}

#[test]
fn advice_that_was_followed_is_credited_and_what_lay_beside_it_is_not() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let place = ground.at(&folder);
    let advice = place.remember("The payment tests want the environment variable ZEBRA_PORT set.", None);
    let bystander = place.remember("The payment tests are owned by Ottilie from accounting.", None);
    let agent = agent(&ground, &folder, "monday");
    let mut told = agent.start("startup");
    told += &agent.prompt("how do I run the payment tests?");
    assert!(told.contains("ZEBRA_PORT") && told.contains("Ottilie"), "{told}");
    agent.answer("I will set ZEBRA_PORT and run them.");
    agent.tool(HookEvent::PostToolUse, "ZEBRA_PORT=1 cargo test -p payment", None);
    agent.end();

    let usage = |memory: &Memory| -> UsageHistory {
        place.ask(Order::Usage { memory: memory.id.to_string(), limit: 10 })
    };
    let credited = found_soon("what was followed is credited", || {
        let found = usage(&advice);
        (found.utility.get() > 0.5 && !found.usages.is_empty()).then_some(found)
    });
    assert_eq!((credited.tried, credited.succeeded, credited.usages.len()), (1, 1, 1));
    assert_eq!(credited.usages[0].source, EvidenceSource::Check);
    assert!(credited.shown > 0 && credited.ignored == 0, "{credited:?}");
    let beside = usage(&bystander);
    assert_eq!((beside.tried, beside.usages.len()), (0, 0));
    assert!((beside.utility.get() - 0.5).abs() < 1e-9);
    let used = found_soon("the log says what was used", || {
        let recalls: Recalls = place.ask(Order::Recalls { limit: 10, before: None });
        recalls.recalls.into_iter().map(|line| line.recall.used).find(|used| !used.is_empty())
    });
    assert_eq!(used, [advice.id]);

    // What can be undone still can: implicit evidence is no change of a memory.
    place.ask::<Value>(Order::Undo { operation: ground.operation(), target: None, step: None });
}

#[test]
fn feedback_counts_for_what_is_named_and_can_be_taken_back() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    let memory = place.remember("The staging database listens on port 5433.", None);
    let order: Order =
        serde_json::from_value(json!({"order": "recall", "query": "staging database port"})).unwrap();
    let recalled: Recalled = place.ask(order);
    assert_eq!(recalled.hits[0].memory.id, memory.id);
    let operation = ground.operation();
    let feedback = Order::RecordFeedback(RecordFeedback {
        operation,
        recall: None,
        feedback: Feedback::NotHelpful,
        memories: vec![memory.id.to_string()],
    });
    let rated: Rated = place.ask(feedback.clone());
    assert_eq!((rated.credited.len(), rated.credited[0].outcome), (1, Outcome::Failure));
    assert!(rated.credited[0].utility < rated.credited[0].utility_before);
    let again: Rated = place.ask(feedback);
    assert!(again.already, "sent twice, it counts once");
    let more: Rated = place.ask(Order::RecordFeedback(RecordFeedback {
        operation: ground.operation(),
        recall: None,
        feedback: Feedback::NotHelpful,
        memories: vec![memory.id.to_string()],
    }));
    assert!(more.already && more.credited[0].already, "said again of the same answer, it says nothing new");
    let usage: UsageHistory = place.ask(Order::Usage { memory: memory.id.to_string(), limit: 5 });
    assert_eq!((usage.usages.len(), usage.usages[0].source), (1, EvidenceSource::Feedback));
    place.ask::<Value>(Order::Undo { operation: ground.operation(), target: Some(operation), step: None });
    let usage: UsageHistory = place.ask(Order::Usage { memory: memory.id.to_string(), limit: 5 });
    assert!((usage.utility.get() - 0.5).abs() < 1e-9);
    assert_eq!((usage.usages.len(), usage.tried), (0, 0), "what was taken back counts nowhere");
    let recalls: Recalls = place.ask(Order::Recalls { limit: 1, before: None });
    let recall = &recalls.recalls[0].recall;
    assert_eq!((recall.user_feedback, recall.used.len(), recall.settled_at), (None, 0, None));
    for name in ["", "66"] {
        let short = place.fault(Order::RecordFeedback(RecordFeedback {
            operation: ground.operation(),
            recall: Some(name.to_owned()),
            feedback: Feedback::Helpful,
            memories: Vec::new(),
        }));
        assert_eq!(short.kind, FaultKind::Usage, "{short:?}");
    }
}

#[test]
fn who_changes_his_mind_about_an_answer_is_counted_once_and_can_take_it_back() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    let memory = place.remember("The staging database listens on port 5433.", None);
    let order: Order =
        serde_json::from_value(json!({"order": "recall", "query": "staging database port"})).unwrap();
    place.ask::<Recalled>(order);
    let say = |feedback| {
        let operation = ground.operation();
        let memories = vec![memory.id.to_string()];
        let order = RecordFeedback { operation, recall: None, feedback, memories };
        place.ask::<Rated>(Order::RecordFeedback(order))
    };
    let usages = || {
        let usage: UsageHistory = place.ask(Order::Usage { memory: memory.id.to_string(), limit: 5 });
        let outcomes: Vec<Outcome> = usage.usages.iter().map(|usage| usage.outcome).collect();
        (outcomes, (usage.utility.get() * 100.0).round())
    };
    say(Feedback::Helpful);
    assert_eq!(usages(), (vec![Outcome::Success], 55.0));
    let second = say(Feedback::NotHelpful);
    assert_eq!((second.already, second.credited[0].replaced), (false, Some(Outcome::Success)));
    assert_eq!(usages(), (vec![Outcome::Failure], 45.0));
    let said =
        || place.ask::<Recalls>(Order::Recalls { limit: 1, before: None }).recalls[0].recall.user_feedback;
    assert_eq!(said(), Some(Feedback::NotHelpful));
    let target = Some(second.operation);
    let undone: Undone = place.ask(Order::Undo { operation: ground.operation(), target, step: None });
    assert_eq!(undone.cause.as_str(), "feedback");
    assert_eq!((usages(), said()), ((vec![Outcome::Success], 55.0), Some(Feedback::Helpful)));
}

/// What an agent asks for that is in no session.
fn as_agent<T: serde::de::DeserializeOwned>(
    ground: &Ground,
    place: &Place<'_>,
    order: Order,
) -> Result<T, Fault> {
    let context = Context { actor: Actor::Assistant, ..place.context() };
    let request = Request { context, order };
    let reply = ground.reach.ask(&request, &mut |_| {}).map_err(NoAnswer::into_fault)?;
    Ok(serde_json::from_value(reply).unwrap())
}

#[test]
fn an_agent_that_says_the_same_ten_times_says_it_once() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    let memory = place.remember("Restart the queue worker with systemctl restart queue.", None);
    for number in 0..10 {
        let order = Order::RecordOutcome {
            operation: ground.operation(),
            memory: memory.id.to_string(),
            outcome: Outcome::Failure,
            note: None,
        };
        let told: OutcomeRecorded = as_agent(&ground, &place, order).unwrap();
        assert_eq!(told.replaced.is_some(), number > 0, "the answer says so");
    }
    let usage: UsageHistory = place.ask(Order::Usage { memory: memory.id.to_string(), limit: 20 });
    assert_eq!((usage.tried, usage.usages.len()), (1, 1));
    assert!((usage.utility.get() - 0.45).abs() < 1e-3, "{:?}", usage.utility);
}

#[test]
fn an_agent_without_a_session_has_to_say_which_answer_it_judges() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    place.remember("The staging database listens on port 5433.", None);
    let order: Order =
        serde_json::from_value(json!({"order": "recall", "query": "staging database port"})).unwrap();
    place.ask::<Recalled>(order);
    let rate = |recall| {
        let (operation, feedback) = (ground.operation(), Feedback::Helpful);
        let order = RecordFeedback { operation, recall, feedback, memories: Vec::new() };
        as_agent::<Rated>(&ground, &place, Order::RecordFeedback(order))
    };
    let refused = rate(None).unwrap_err();
    assert_eq!((refused.kind, refused.hints.len()), (FaultKind::Usage, 1), "{refused:?}");
    assert!(refused.hints[0].contains("staging database port"), "{refused:?}");
    let recalls: Recalls = place.ask(Order::Recalls { limit: 1, before: None });
    rate(Some(recalls.recalls[0].recall.id.to_string())).unwrap();
}

#[test]
fn enough_that_was_told_lets_a_store_evolve_where_no_session_is() {
    let ground = Ground::new();
    ground.configure("[evolution]\nupdates = 10\n");
    let place = ground.at(&ground.folder("shop"));
    let memory = place.remember("Restart the queue worker with systemctl restart queue.", None);
    for _ in 0..12 {
        place.ask::<OutcomeRecorded>(Order::RecordOutcome {
            operation: ground.operation(),
            memory: memory.id.to_string(),
            outcome: Outcome::Failure,
            note: None,
        });
    }
    found_soon("what keeps failing is deprecated by itself", || {
        let report: EvolutionReports = place.ask(Order::EvolutionReport { since: None });
        (report.stores[0].report.actions_taken.deprecated == 1).then_some(())
    });
}

#[test]
fn what_is_built_in_does_not_evolve_and_says_so() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    place.remember("The staging database listens on port 5433.", None);
    let refused = place.fault(Order::EvolveDeprecate(EvolveOne {
        operation: ground.operation(),
        memory: "skill-editing".to_owned(),
        node_type: None,
        reason: "x".to_owned(),
        justification: Some("y".to_owned()),
    }));
    assert_eq!(refused.kind, FaultKind::Refused);
    assert!(refused.message.contains("built in") && !refused.hints.is_empty(), "{refused:?}");
}

#[test]
fn nothing_evolves_without_its_evidence_and_a_refusal_names_what_is_missing() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    let memory = place.remember("Restart the queue worker with systemctl restart queue.", None);
    let one = |operation| EvolveOne {
        operation,
        memory: memory.id.to_string(),
        node_type: None,
        reason: "it does not work".to_owned(),
        justification: None,
    };
    let refused = place.fault(Order::EvolveDeprecate(one(ground.operation())));
    assert_eq!(refused.kind, FaultKind::Refused);
    assert!(refused.message.contains("utility below") && refused.message.contains("10 uses"), "{refused:?}");
    for number in 0..12 {
        let outcome = json!({"order": "record_outcome", "operation": ground.operation(),
            "memory": memory.id, "outcome": "failure", "note": format!("failed for the {number}. time")});
        place.ask::<Value>(serde_json::from_value(outcome).unwrap());
    }
    let candidates: Candidates =
        place.ask(Order::EvolutionCandidates(EvolutionCandidates { criteria: None, limit: 5, scope: None }));
    assert_eq!(candidates.candidates[0].candidate.nodes, [memory.id]);
    let before = place.export_lines(true);
    let operation = ground.operation();
    let done: Evolved = place.ask(Order::EvolveDeprecate(one(operation)));
    assert_eq!(done.memories[0].status.as_str(), "deprecated");
    let report: EvolutionReports = place.ask(Order::EvolutionReport { since: None });
    assert_eq!(report.stores[0].report.actions_taken.deprecated, 1);
    let again: Evolved = {
        let context = Context { again: true, ..place.context() };
        let request = Request { context, order: Order::EvolveDeprecate(one(operation)) };
        serde_json::from_value(
            ground.reach.ask(&request, &mut |_| {}).unwrap_or_else(|_| panic!("no answer")),
        )
        .unwrap()
    };
    assert!(again.already);
    place.ask::<Value>(Order::Undo { operation: ground.operation(), target: Some(operation), step: None });
    assert_eq!(place.export_lines(true), before);
    let report: EvolutionReports = place.ask(Order::EvolutionReport { since: None });
    assert!(report.stores[0].report.details[0].undone);

    let better =
        EvolveRefine { one: one(ground.operation()), text: "Restart it with just restart-queue.".to_owned() };
    let refined = place.fault(Order::EvolveRefine(better));
    assert!(refined.message.contains("deprecate"), "what never worked is not mended: {refined:?}");
}

#[test]
fn what_says_the_same_is_merged_with_all_it_came_from() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    let first =
        procedure(&ground, &place, "Deploy with `make ship` after `make check`, then watch the dashboard.");
    let other = procedure(&ground, &place, "Warm the cache with `make warm` before the morning peak begins.");
    let merge = |memories: Vec<String>| {
        Order::EvolveMerge(EvolveMerge {
            operation: ground.operation(),
            memories,
            node_type: None,
            text: None,
            reason: "they say the same".to_owned(),
            justification: None,
        })
    };
    let refused = place.fault(merge(vec![first.id.to_string(), other.id.to_string()]));
    assert!(refused.message.contains("a likeness above .95"), "{refused:?}");
}

#[test]
fn a_skill_is_a_file_that_comes_and_goes_with_its_memory_and_is_never_a_persons() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let place = ground.at(&folder);
    let texts = [
        "To release the shop run `make check`, then `make ship`, then `make announce`.",
        "Releasing the shop on a Friday: `make check`, `make ship`, and wait for the smoke test.",
        "Releasing a hotfix of the shop: `make check`, then `make ship` with the tag of the fix.",
    ];
    let sources: Vec<Memory> = texts.iter().map(|text| procedure(&ground, &place, text)).collect();
    let induce = |operation, count: usize| {
        Order::InduceSkill(InduceSkill {
            operation,
            memories: sources.iter().take(count).map(|memory| memory.id.to_string()).collect(),
            name: "release-the-shop".to_owned(),
            description: "How the shop is released. Use it before every release.".to_owned(),
            text: None,
            scope: None,
        })
    };
    let refused = place.fault(induce(ground.operation(), 2));
    assert!(refused.message.contains('3'), "{refused:?}");
    let operation = ground.operation();
    let made: Evolved = place.ask(induce(operation, 3));
    let file = folder.join(".claude/skills/release-the-shop/SKILL.md");
    assert_eq!((made.files.len(), made.files[0].done), (1, FileDone::Written), "{:?}", made.files);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("---\nname: release-the-shop\ndescription: "), "{text}");
    assert!(text.contains("`make ship`") || text.contains("make ship"), "{text}");
    assert!(
        sources.iter().all(|source| text.contains(&source.id.to_string())),
        "it says where it comes from"
    );
    let found: SkillsFound = place.ask(Order::Skills { query: Some("release".to_owned()), limit: 5 });
    assert_eq!(found.skills[0].name, "release-the-shop");
    assert_eq!(found.skills[0].state, Some(SkillState::AsWritten));

    let skill = made.new.unwrap().to_string();
    let with_source = place.fault(Order::EvolveMerge(EvolveMerge {
        operation: ground.operation(),
        memories: vec![skill.clone(), sources[0].id.to_string()],
        node_type: None,
        text: None,
        reason: "they say the same".to_owned(),
        justification: None,
    }));
    assert!(with_source.message.contains("skills alone"), "{with_source:?}");
    let (correct, text_of_it) = (ground.operation(), "Ship it.".to_owned());
    let corrected = place.fault(Order::Correct { operation: correct, memory: skill, text: text_of_it });
    assert!(corrected.message.contains("is a skill"), "{corrected:?}");

    let undo = |target| Order::Undo { operation: ground.operation(), target: Some(target), step: None };
    place.ask::<Value>(undo(operation));
    assert!(!file.exists(), "the file goes with the skill");

    let again = ground.operation();
    place.ask::<Evolved>(induce(again, 3));
    fs::write(&file, format!("{text}\nand mind the gap\n")).unwrap();
    place.ask::<Value>(undo(again));
    assert!(fs::read_to_string(&file).unwrap().contains("mind the gap"), "an edited file is a person's");
    assert_left_alone(&place, &file, induce(ground.operation(), 3));
}

/// Three procedures and the order to make a skill of them.
fn release_skill(ground: &Ground, place: &Place<'_>) -> InduceSkill {
    let texts = [
        "To release the shop run `make check`, then `make ship`, then `make announce`.",
        "Releasing the shop on a Friday: `make check`, `make ship`, and wait for the smoke test.",
        "Releasing a hotfix of the shop: `make check`, then `make ship` with the tag of the fix.",
    ];
    InduceSkill {
        operation: ground.operation(),
        memories: texts.iter().map(|text| procedure(ground, place, text).id.to_string()).collect(),
        name: "release-the-shop".to_owned(),
        description: "How the shop is released. Use it before every release.".to_owned(),
        text: None,
        scope: None,
    }
}

#[test]
fn what_belongs_to_a_skill_makes_no_other() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    let induce = release_skill(&ground, &place);
    let turned = InduceSkill {
        operation: ground.operation(),
        name: "ship-it".to_owned(),
        memories: induce.memories.iter().rev().cloned().collect(),
        ..induce.clone()
    };
    place.ask::<Evolved>(Order::InduceSkill(induce));
    let refused = place.fault(Order::InduceSkill(turned));
    assert_eq!(refused.kind, FaultKind::Refused);
    assert!(refused.message.contains("\"release-the-shop\": refine that one"), "{refused:?}");
}

#[test]
fn a_file_that_somebody_removed_does_not_come_back_by_itself() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let place = ground.at(&folder);
    let induce = release_skill(&ground, &place);
    let operation = induce.operation;
    place.ask::<Evolved>(Order::InduceSkill(induce));
    let file = folder.join(".claude/skills/release-the-shop/SKILL.md");
    fs::remove_file(&file).unwrap();
    // What is known of it outlives the daemon.
    ground.stop();
    let evolve = Evolve { operation: ground.operation(), dry_run: false, scope: None, only: Vec::new() };
    place.ask::<Dreamt>(Order::Evolve(evolve));
    assert!(!file.exists());
    let found: SkillsFound = place.ask(Order::Skills { query: Some("release".to_owned()), limit: 1 });
    assert_eq!(found.skills[0].state, Some(SkillState::RemovedByHand));
    let examined = place.doctor();
    let told = |check: &&engram_wire::reply::Check| check.detail.contains("SKILL.md is removed by hand");
    assert!(examined.sound && examined.checks.iter().any(|check| told(&check)), "{examined:?}");

    // Taken back and brought back, it is a skill like a new one.
    let undo = |target| Order::Undo { operation: ground.operation(), target: Some(target), step: None };
    let undone: Undone = place.ask(undo(operation));
    assert!(undone.files.is_empty(), "{:?}", undone.files);
    let back: Undone = place.ask(undo(undone.operation));
    assert_eq!(back.files.iter().map(|file| file.done).collect::<Vec<_>>(), [FileDone::Written]);
    assert!(file.exists());
}

#[test]
fn an_edited_file_that_outlives_its_skill_is_named() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let place = ground.at(&folder);
    let file = folder.join(".claude/skills/release-the-shop/SKILL.md");
    let mut induce = release_skill(&ground, &place);
    let left = |files: &[engram_wire::evolution::SkillFile]| {
        let [left] = files else { panic!("{files:?}") };
        assert_eq!(
            (&left.file, left.done, left.why.as_deref()),
            (&file, FileDone::Left, Some("somebody edited it"))
        );
    };
    let edit = || fs::write(&file, fs::read_to_string(&file).unwrap() + "\nand mind the gap\n").unwrap();

    let made: Evolved = place.ask(Order::InduceSkill(induce.clone()));
    edit();
    // An order that has nothing to do with it does not speak of it.
    let other = place.remember("The staging database listens on port 5433.", None);
    assert!(place.forget(&other, false).files.is_empty());
    let undo = Order::Undo { operation: ground.operation(), target: Some(made.operation), step: None };
    left(&place.ask::<Undone>(undo).files);

    fs::remove_file(&file).unwrap();
    induce.operation = ground.operation();
    let made: Evolved = place.ask(Order::InduceSkill(induce));
    edit();
    let skill = made.new.unwrap();
    for number in 0..12 {
        let outcome = json!({"order": "record_outcome", "operation": ground.operation(),
            "memory": skill, "outcome": "failure", "note": format!("failed for the {number}. time")});
        place.ask::<Value>(serde_json::from_value(outcome).unwrap());
    }
    let deprecated: Evolved = place.ask(Order::EvolveDeprecate(EvolveOne {
        operation: ground.operation(),
        memory: skill.to_string(),
        node_type: None,
        reason: "it does not work".to_owned(),
        justification: None,
    }));
    left(&deprecated.files);
    let undo = Order::Undo { operation: ground.operation(), target: Some(deprecated.operation), step: None };
    place.ask::<Undone>(undo);
    let memories = vec![skill.to_string()];
    let purged: Changed = place.ask(Order::Forget { operation: ground.operation(), memories, purge: true });
    left(&purged.files);
    // It stays told for as long as it lies there.
    let skills = || place.ask::<SkillsFound>(Order::Skills { query: None, limit: 9 });
    assert_eq!(skills().left.iter().map(|left| &left.file).collect::<Vec<_>>(), [&file]);
    let report: EvolutionReports = place.ask(Order::EvolutionReport { since: None });
    assert_eq!(report.stores[0].report.actions_taken.induced_skills, 0, "the purged skill counts no more");
    fs::remove_file(&file).unwrap();
    assert!(skills().left.is_empty());
}

fn assert_left_alone(place: &Place<'_>, file: &Path, induce: Order) {
    let before = fs::read_to_string(file).unwrap();
    let made: Evolved = place.ask(induce);
    assert_eq!(made.files[0].done, FileDone::Left, "{:?}", made.files);
    assert_eq!(fs::read_to_string(file).unwrap(), before);
}

#[test]
fn what_was_learned_is_shown_and_can_be_reset_and_the_state_is_told() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    place.remember("The staging database listens on port 5433.", None);
    let weights: WeightsShown = place.ask(Order::Weights { scope: None, history: 5 });
    assert_eq!(weights.stores.len(), 2, "the project and the user");
    assert_eq!(weights.stores[0].rows[0].state.as_str(), "too_few");
    let reset: WeightsReset = place.ask(Order::WeightsReset { operation: ground.operation(), scope: None });
    assert_eq!((reset.scope, reset.rows.len()), (Scope::Project, 0));
    let order = Evolve { operation: ground.operation(), dry_run: true, scope: None, only: Vec::new() };
    let would: Dreamt = place.ask(Order::Evolve(order));
    assert_eq!(would.stores[0].dream.steps.len(), 3);
    let reflections: Reflections = place.ask(Order::Reflect { limit: 5, all: false });
    assert_eq!(reflections.stores.len(), 2);
    let health: Health = place.ask(Order::Status);
    let project = health.evolution.iter().find(|line| line.store.contains("shop")).unwrap();
    assert!(project.next.is_some() && project.last_at.is_none(), "{project:?}");
}
