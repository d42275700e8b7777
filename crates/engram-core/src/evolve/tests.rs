//! Every action with and without its evidence, at the boundary values of the
//! seed (S1, Evidence Requirements), and what is told of it.

mod candidates;

use super::*;
use crate::change::{Actor, Cause, Changes, Write};
use crate::dream::Note;
use crate::id::{IdMint, MemoryId, OperationId, TurnId};
use crate::kind::{Kind, Scope, Tier};
use crate::law::sample::{day, memory};
use crate::law::{Model, has_faded};
use crate::memory::{Memory, PromotionStep, Provenance, RelationKind};
use crate::plan::{CannotChange, Occasion};
use crate::skill::Skill;
use crate::status::Status;
use crate::unit::{Importance, Similarity, Trust, Utility};
use crate::used::{Outcome, Usage};
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeSet;

/// A moment at which nothing is old.
fn now() -> Timestamp {
    day(40.0)
}

fn occasion() -> Occasion {
    let operation = OperationId::from_ulid(IdMint::seeded(77).mint(now()));
    Occasion { operation, actor: Actor::Human, at: now(), recorded_at: now() }
}

fn because(reason: &str) -> Order<'_> {
    Order { reason, justification: None, occasion: occasion(), number: 0 }
}

fn text(number: u64, content: &str) -> Memory {
    Memory { content: content.to_owned(), ..memory(number) }
}

/// One use a day until now, a letter each: success, failure, partial, ignored.
fn uses(of: &Memory, outcomes: &str) -> Vec<Usage> {
    let outcome = |letter| match letter {
        'S' => Outcome::Success,
        'F' => Outcome::Failure,
        'P' => Outcome::Partial,
        _ => Outcome::Ignored,
    };
    let all = outcomes.chars().count();
    let at = |place: usize| now() - SignedDuration::from_hours(24 * (all - 1 - place) as i64);
    let told = |(place, letter)| Usage::told(of.id, outcome(letter), at(place));
    outcomes.chars().enumerate().map(told).collect()
}

fn case<'m>(memory: &'m Memory, utility: f64, usages: &'m [Usage]) -> Case<'m> {
    Case { memory, utility: Utility::clamped(utility), usages, at: now() }
}

fn by_hand() -> Provenance {
    Provenance::stated_by(Actor::Assistant)
}

/// What a refusal names.
#[track_caller]
fn lacking(outcome: Result<Changes, CannotEvolve>) -> Vec<Missing> {
    match outcome {
        Err(CannotEvolve::Evidence { missing, .. }) => missing,
        Ok(_) => Vec::new(),
        Err(other) => panic!("{other}"),
    }
}

fn after(changes: &Changes, id: MemoryId) -> Memory {
    let of = |write: &Write| match write {
        Write::Create { memory } | Write::Replace { after: memory, .. } if memory.id == id => {
            Some(Memory::clone(memory))
        }
        _ => None,
    };
    changes.writes.iter().find_map(of).expect("it is written")
}

fn rows(changes: &Changes) -> Vec<EvolutionLogged> {
    let row = |write: &Write| match write {
        Write::Note { note } => match &**note {
            Note::Evolved(logged) => Some(logged.clone()),
            _ => None,
        },
        _ => None,
    };
    changes.writes.iter().filter_map(row).collect()
}

fn edges(changes: &Changes) -> Vec<(MemoryId, RelationKind, MemoryId)> {
    let edge = |write: &Write| match write {
        Write::Relate { relation } => Some((relation.from, relation.kind, relation.to)),
        _ => None,
    };
    changes.writes.iter().filter_map(edge).collect()
}

#[test]
fn the_table_is_the_seeds() {
    for (rule, action) in RULES.iter().zip(Evolving::ALL) {
        assert_eq!((rule.action, Rule::of(*action).action), (*action, *action));
    }
    let told =
        |rule: &Rule| (rule.utility_below, rule.uses, rule.similarity_above, rule.idle_days, rule.sources);
    assert_eq!(
        RULES.each_ref().map(told),
        [
            (Some(0.2), 10, None, None, 1),
            (Some(0.3), 5, None, None, 1),
            (None, 0, Some(0.95), None, 2),
            (None, 0, None, Some(90), 1),
            (None, 0, None, None, 3),
        ]
    );
    assert_eq!(RULES.each_ref().map(|rule| rule.pattern), [true, false, false, false, false]);
    assert_eq!(RULES.each_ref().map(|rule| rule.path), [false, true, false, false, false]);
    assert_eq!(RULES.each_ref().map(|rule| rule.same_kind), [false, false, true, false, false]);
}

#[test]
fn deprecation_wants_little_utility_ten_uses_and_a_pattern_of_failure() {
    let memory = memory(1);
    for (utility, outcomes, wanting) in [
        (0.1999, "FFFFFFFFFF", 0),
        (0.2, "FFFFFFFFFF", 1),
        (0.1999, "FFFFFFFFF", 1),
        // What was merely shown was not tried.
        (0.1999, "FFFFFFFFFII", 1),
        (0.1999, "FFFFFFFPPP", 0),
        (0.1999, "FFFFFFPPPP", 1),
        (0.1999, "FFFFFFFFFS", 1),
        (0.1999, "FFFFFFFSFF", 1),
        (0.1999, "FFFFFFSFFF", 0),
        // What was long ago is no pattern.
        (0.1999, "FFFFFFFFFFSPSPSPSPPP", 1),
        (0.41, "SFP", 3),
    ] {
        let usages = uses(&memory, outcomes);
        let refused = lacking(plan_deprecate(&case(&memory, utility, &usages), &because("stale")));
        assert_eq!(refused.len(), wanting, "{utility} {outcomes}: {refused:?}");
    }
}

#[test]
fn refinement_wants_utility_below_three_tenths_and_five_uses() {
    let memory = memory(1);
    for (utility, outcomes, wanting) in [
        (0.2999, "FFFSF", 0),
        (0.3, "FFFSF", 1),
        (0.2999, "FFFF", 1),
        (0.2999, "FFFFFFFFF", 0),
        // What never worked is wrong, not unfinished.
        (0.2999, "FFFFFFFFFF", 1),
        (0.2999, "PFFFFFFFFF", 0),
    ] {
        let usages = uses(&memory, outcomes);
        let case = case(&memory, utility, &usages);
        let how = because("say which build");
        let refused = lacking(plan_refine(&case, "the release build takes long", 100, by_hand(), &how));
        assert_eq!(refused.len(), wanting, "{utility} {outcomes}: {refused:?}");
    }
}

#[test]
fn refinement_wants_a_path() {
    let memory = memory(1);
    let usages = uses(&memory, "FFFSF");
    let case = case(&memory, 0.25, &usages);
    for (improved, reason) in [
        ("The build takes nine minutes.", "punctuation"),
        ("the build takes nine minutes", "nothing"),
        ("the release build takes long", "  "),
    ] {
        let refused = plan_refine(&case, improved, 100, by_hand(), &because(reason));
        assert_eq!(lacking(refused), [Missing::Path], "{improved}");
    }
    let empty = plan_refine(&case, " ", 100, by_hand(), &because("shorter"));
    assert!(matches!(empty, Err(CannotEvolve::Change(CannotChange::Draft(_)))), "{empty:?}");
}

#[test]
fn archival_wants_ninety_days_without_use() {
    let memory = memory(1);
    let at = |days: i64, hours: i64| day(0.0) + SignedDuration::from_hours(24 * days + hours);
    let used = [Usage::told(memory.id, Outcome::Success, at(2, 0))];
    let shown = [Usage::told(memory.id, Outcome::Ignored, at(2, 0))];
    for (usages, at, wanting) in [
        (&[][..], at(89, 23), true),
        (&[], at(90, 0), false),
        (&used, at(91, 23), true),
        (&used, at(92, 0), false),
        (&shown, at(90, 0), false),
    ] {
        let refused = lacking(plan_archive(&Case::of(&memory, usages, at), &because("")));
        let idle: &[Missing] = &[Missing::Idle { days: 89, least: 90 }];
        assert_eq!(refused, if wanting { idle } else { &[] }, "{at}");
    }
}

#[test]
fn what_was_archived_is_found_behind_what_is_current() {
    let memory = memory(1);
    let changes = plan_archive(&Case::of(&memory, &[], day(120.0)), &because("")).unwrap();
    let archived = after(&changes, memory.id);
    assert_eq!(archived.status, Status::Archived);
    assert_eq!(archived.status_change.reason, "unused: unused for 120 days");
    assert!(has_faded(&archived), "use brings it back");
}

fn alike(similarity: f64, number: usize) -> Vec<Similarity> {
    vec![Similarity::clamped(similarity); number]
}

#[test]
fn a_merge_wants_a_likeness_above_ninety_five_hundredths_and_one_kind() {
    let [one, two] = [1, 2].map(|number| text(number, "The deploy needs the VPN."));
    let merge = |one: &Memory, two: &Memory, similarity| {
        let cases = [case(one, 0.6, &[]), case(two, 0.5, &[])];
        lacking(plan_merge(&cases, &alike(similarity, 2), "The deploy needs the VPN.", 100, &because("")))
    };
    assert_eq!(merge(&one, &two, 0.9501), []);
    let is = Similarity::clamped(0.95);
    assert_eq!(merge(&one, &two, 0.95), [Missing::Similarity { memory: two.id, is, above: 0.95 }]);
    let other = Memory { kind: Kind::Convention, ..two.clone() };
    assert_eq!(merge(&one, &other, 0.99), [Missing::Kinds(Kind::Fact, Kind::Convention)]);
    let doubted = Memory { status: Status::Challenged, ..two.clone() };
    assert_eq!(merge(&one, &doubted, 0.99), [Missing::Doubted(two.id)]);
    let alone = plan_merge(&[case(&one, 0.6, &[])], &alike(1.0, 1), "x", 100, &because(""));
    assert_eq!(lacking(alone), [Missing::Sources { is: 1, least: 2 }]);
}

#[test]
fn what_contradicts_is_not_merged_however_alike() {
    let one = text(1, "The gateway listens on port 8080.");
    let two = text(2, "The gateway listens on port 9090.");
    let cases = [case(&one, 0.5, &[]), case(&two, 0.5, &[])];
    let both = "The gateway listens on port 8080. The gateway listens on port 9090.";
    let refused = lacking(plan_merge(&cases, &alike(0.99, 2), both, 200, &because("the same")));
    assert!(refused.iter().any(|missing| matches!(missing, Missing::Contradiction(_))), "{refused:?}");
}

#[test]
fn a_merged_text_holds_what_all_of_them_say() {
    let one = text(1, "The deploy needs the VPN.");
    let two = text(2, "The deploy needs the VPN. The token is in the vault.");
    let cases = [case(&one, 0.6, &[]), case(&two, 0.5, &[])];
    let merge = |text: &str| lacking(plan_merge(&cases, &alike(0.97, 2), text, 200, &because("")));
    assert_eq!(merge("The deploy needs the VPN."), [Missing::Unsaid(two.id)]);
    let unrelated = merge("Cats sleep all day.");
    assert_eq!(unrelated, [Missing::Unsaid(one.id), Missing::Unsaid(two.id)]);
    assert_eq!(merged_text(&cases), "The deploy needs the VPN. The token is in the vault.");
    assert_eq!(merge(&merged_text(&cases)), []);
}

#[test]
fn a_refusal_names_every_missing_piece() {
    let memory = Memory { pinned: true, ..memory(1) };
    let usages = uses(&memory, "SSF");
    let refused = plan_deprecate(&case(&memory, 0.41, &usages), &because("stale")).unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!(
            "not without evidence: deprecate wants utility below .2 (it is .41), at least 10 uses (it has 3), \
             a pattern of failure: two thirds of the last ten uses, and no success among the last three \
             (1 of 3 failed) and a justification, because {} is pinned",
            memory.id
        )
    );
}

#[test]
fn a_deprecation_tells_its_evidence_and_wants_a_reason() {
    let memory = memory(1);
    let usages = uses(&memory, "FSFFFFFFFFFF");
    let case = case(&memory, 0.15, &usages);
    let changes = plan_deprecate(&case, &because("the API is gone")).unwrap();
    let told = "the API is gone; utility .15 after 12 uses, 10 of the last 10 failed";
    let gone = after(&changes, memory.id);
    assert_eq!((gone.status, gone.status_change.reason.as_str()), (Status::Deprecated, told));
    assert_eq!((gone.status_change.cause, changes.cause), (Cause::Evolve, Cause::Evolve));
    let [row] = rows(&changes).try_into().expect("one row");
    assert_eq!((row.node, row.made, row.action, row.number), (memory.id, None, Evolving::Deprecated, 0));
    assert_eq!((row.reason.as_str(), row.operation), (told, changes.operation));
    // Who goes by the evidence alone need not say it twice.
    let changes = plan_deprecate(&case, &because(&case.evidence())).unwrap();
    assert_eq!(rows(&changes)[0].reason, "utility .15 after 12 uses, 10 of the last 10 failed");
    let silent = plan_deprecate(&case, &because(" "));
    assert_eq!(silent, Err(CannotEvolve::Change(CannotChange::NoReason)));
    let again = plan_deprecate(&Case { memory: &gone, ..case }, &because("again"));
    let already = CannotChange::Already { id: memory.id, status: Status::Deprecated };
    assert_eq!(again, Err(already.into()));
}

fn turn(number: u128) -> TurnId {
    TurnId::from_ulid(ulid::Ulid(number))
}

fn promoted(by: u128) -> PromotionStep {
    let memory_id = MemoryId::from_ulid(ulid::Ulid(by));
    PromotionStep { scope: Scope::Session, memory_id, promoted_at: day(0.0), by: None, place: None }
}

#[test]
fn a_refined_memory_starts_at_one_half_and_keeps_its_evidence() {
    let mut old = memory(1);
    old.kind = Kind::Procedure;
    old.tier = Tier::Semantic;
    old.tags = ["ci".to_owned()].into();
    old.domain = Some("build".to_owned());
    old.importance = Importance::clamped(0.8);
    old.utility = Utility::clamped(0.2);
    old.provenance.evidence = vec![turn(1), turn(2)];
    old.provenance.promotion_chain = vec![promoted(5)];
    let usages = uses(&old, "FFFSF");
    let provenance = Provenance { evidence: vec![turn(3)], ..by_hand() };
    let how = because("it is the release build");
    let changes =
        plan_refine(&case(&old, 0.2, &usages), "the release build takes long", 100, provenance, &how)
            .unwrap();
    let new = after(&changes, changes.operation.newborn());
    assert_eq!(new.utility, Utility::DEFAULT);
    assert_eq!((new.content.as_str(), new.status), ("the release build takes long", Status::Created));
    assert_eq!((new.kind, new.tier, &new.tags, &new.domain), (old.kind, old.tier, &old.tags, &old.domain));
    assert_eq!((new.importance, new.provenance.trust), (old.importance, Trust::ASSISTANT));
    assert_eq!(new.provenance.evidence, [turn(1), turn(2), turn(3)]);
    assert_eq!(new.provenance.promotion_chain, [promoted(5)]);
    let gone = after(&changes, old.id);
    assert_eq!((gone.status, gone.content), (Status::Superseded, old.content));
    assert_eq!(edges(&changes), [(new.id, RelationKind::Supersedes, old.id)]);
    let [row] = rows(&changes).try_into().expect("one row");
    assert_eq!((row.node, row.made), (old.id, Some(new.id)));
    assert_eq!(row.reason, "it is the release build; utility .2 after 5 uses, 4 of the last 5 failed");
}

#[test]
fn a_merge_keeps_the_most_useful_and_all_evidence() {
    let mut memories: Vec<Memory> = (1..=3).map(|number| text(number, "The deploy needs the VPN.")).collect();
    for (place, memory) in memories.iter_mut().enumerate() {
        memory.tags = [format!("t{place}")].into();
        memory.importance = Importance::clamped(0.3 + 0.1 * place as f64);
        memory.provenance.evidence = vec![turn(place as u128)];
        memory.provenance.promotion_chain = vec![promoted(place as u128)];
        memory.trace.access_count = 4;
    }
    memories[2].provenance.trust = Trust::INGEST;
    let cases = [case(&memories[0], 0.5, &[]), case(&memories[1], 0.7, &[]), case(&memories[2], 0.6, &[])];
    let kept = &memories[1];
    assert_eq!(kept_of(&cases).map(|case| case.memory.id), Some(kept.id));
    let how = because("");
    let changes = plan_merge(&cases, &alike(0.97, 3), &merged_text(&cases), 100, &how).unwrap();
    let whole = after(&changes, kept.id);
    assert_eq!(whole.tags, ["t0", "t1", "t2"].map(str::to_owned).into());
    assert_eq!(whole.importance, memories[2].importance);
    assert_eq!(whole.provenance.trust, Trust::INGEST);
    assert_eq!(whole.provenance.evidence, [turn(1), turn(0), turn(2)]);
    assert_eq!(whole.provenance.promotion_chain, [promoted(1), promoted(0), promoted(2)]);
    assert_eq!((whole.utility, &whole.trace, whole.status), (kept.utility, &kept.trace, kept.status));
    let others = [memories[0].id, memories[2].id];
    for other in others {
        let gone = after(&changes, other);
        assert_eq!(gone.status, Status::Merged);
        assert_eq!(gone.status_change.reason, format!("merged into {}: .97 alike", kept.id));
    }
    assert_eq!(edges(&changes), others.map(|other| (other, RelationKind::MergedInto, kept.id)));
    let told: Vec<_> = rows(&changes).into_iter().map(|row| (row.number, row.node, row.made)).collect();
    assert_eq!(told, [(0, others[0], Some(kept.id)), (1, others[1], Some(kept.id))]);
}

#[test]
fn of_equals_what_matters_more_what_is_used_more_and_what_was_first_is_kept() {
    let [first, second] = [1, 2].map(memory);
    let kept = |one: &Memory, two: &Memory| {
        kept_of(&[case(one, 0.5, &[]), case(two, 0.5, &[])]).map(|case| case.memory.id)
    };
    let weighty = Memory { importance: Importance::clamped(0.9), ..second.clone() };
    assert_eq!(kept(&first, &weighty), Some(second.id));
    let mut used = second.clone();
    used.trace.access_count = 1;
    assert_eq!(kept(&first, &used), Some(second.id));
    let later = Memory { created_at: day(1.0), ..second.clone() };
    assert_eq!((kept(&first, &later), kept(&later, &first)), (Some(first.id), Some(first.id)));
}

fn skill_of(memory: &Memory, protected: bool) -> Memory {
    let mut skill = memory.clone();
    let name = "release-build".parse().unwrap();
    Skill { name, description: "Use when releasing.".to_owned(), protected, sources: vec![memory.id] }
        .put(&mut skill);
    skill
}

#[test]
fn a_protected_skill_wants_a_justification() {
    let plain = memory(1);
    let usages = uses(&plain, "FFFFFFFFFF");
    let justified = |words| Order { justification: Some(words), ..because("it fails") };
    for (memory, shield) in [
        (skill_of(&plain, true), Some("a protected skill")),
        (Memory { pinned: true, ..plain.clone() }, Some("pinned")),
        (skill_of(&plain, false), None),
    ] {
        let case = case(&memory, 0.1, &usages);
        let refused = lacking(plan_deprecate(&case, &because("it fails")));
        let wanted: Vec<Missing> =
            shield.into_iter().map(|shield| Missing::Justification(memory.id, shield)).collect();
        assert_eq!(refused, wanted);
        assert_eq!(lacking(plan_deprecate(&case, &justified("  "))), wanted);
        let changes = plan_deprecate(&case, &justified("the API was switched off")).unwrap();
        assert!(rows(&changes)[0].reason.ends_with("; justified: the API was switched off"));
    }
}

#[test]
fn the_immutable_and_the_outline_never_evolve() {
    let fixed = Memory { immutable: true, ..memory(1) };
    let drawn = Memory { tier: Tier::Codebase, ..memory(2) };
    let how = Order { justification: Some("it must"), ..because("x") };
    let refused = |memory: &Memory| {
        let usages = uses(memory, "FFFFFFFFFF");
        let case = case(memory, 0.1, &usages);
        let both = [case, case];
        [
            plan_deprecate(&case, &how),
            plan_refine(&case, "something else", 100, by_hand(), &how),
            plan_archive(&Case { at: day(500.0), ..case }, &how),
            plan_merge(&both, &alike(1.0, 2), &memory.content, 100, &how),
        ]
    };
    let immutable = Err(CannotEvolve::Change(CannotChange::Immutable(fixed.id)));
    assert!(refused(&fixed).iter().all(|outcome| *outcome == immutable));
    assert!(refused(&drawn).iter().all(|outcome| *outcome == Err(CannotEvolve::Drawn(drawn.id))));
}

#[test]
fn a_refined_skill_is_a_skill() {
    let skill = skill_of(&memory(1), false);
    let usages = uses(&skill, "FFFSF");
    let case = case(&skill, 0.2, &usages);
    let changes = plan_refine(&case, "1. `make clean`", 100, by_hand(), &because("clean first")).unwrap();
    let new = after(&changes, changes.operation.newborn());
    assert_eq!(Skill::of(&new), Skill::of(&skill));
    assert_eq!(new.summary.as_deref(), Some("Use when releasing."));
}

#[test]
fn a_merged_skill_is_made_of_what_both_were_made_of() {
    let [one, two] = [1, 2].map(|number| text(number, "Run `make build`. Run `make push`."));
    let [one, two] =
        [skill_of(&one, false), skill_of(&Memory { content: "Run `make tag`.".into(), ..two }, false)];
    let cases = [case(&one, 0.6, &[]), case(&two, 0.5, &[])];
    let changes = plan_merge(&cases, &alike(0.97, 2), &merged_text(&cases), 200, &because("")).unwrap();
    let whole = after(&changes, one.id);
    assert_eq!(whole.content, "Run `make build`. Run `make push`. Run `make tag`.");
    assert_eq!(Skill::of(&whole).map(|skill| skill.sources), Some(vec![one.id, two.id]));
    assert_eq!(whole.summary.as_deref(), Some("Use when releasing."));
}

#[test]
fn a_dream_can_do_several_things_in_one_operation() {
    let memories = [1, 2].map(memory);
    let usages = memories.each_ref().map(|memory| uses(memory, "FFFSF"));
    let plan = |place: usize| {
        let how = Order { number: place as u32, ..because("clean first") };
        plan_refine(&case(&memories[place], 0.2, &usages[place]), "`make clean`", 100, by_hand(), &how)
            .unwrap()
    };
    let [one, two] = [plan(0), plan(1)].map(|changes| rows(&changes).remove(0));
    assert_eq!((one.number, two.number), (0, 1));
    assert_ne!(one.made, two.made);
}

#[test]
fn utility_is_read_as_it_has_drifted() {
    let mut memory = memory(1);
    memory.utility = Utility::clamped(0.1);
    let read = Case::of(&memory, &[], day(50.0)).utility.get();
    assert!((read - 0.3).abs() < 1e-9, "{read}");
    assert_eq!(Case::of(&memory, &[], day(0.0)).idle(), SignedDuration::ZERO);
}

#[test]
fn the_report_is_the_seeds_json() {
    let id = |number| MemoryId::from_ulid(ulid::Ulid(number));
    let row = |operation: u128, number, action, node, made, reason: &str| EvolutionLogged {
        operation: OperationId::from_ulid(ulid::Ulid(operation)),
        number,
        action,
        node: id(node),
        made: (made > 0).then(|| id(made)),
        reason: reason.to_owned(),
        actor: Actor::Engram,
        at: now(),
    };
    let logged = [
        row(1, 0, Evolving::Deprecated, 1, 0, "utility .15 after 12 uses"),
        row(2, 0, Evolving::Refined, 2, 3, "clarified the trigger"),
        row(3, 0, Evolving::Induced, 4, 7, "skill x"),
        row(3, 1, Evolving::Induced, 5, 7, "skill x"),
        row(3, 2, Evolving::Induced, 6, 7, "skill x"),
    ];
    let told = serde_json::to_string_pretty(&report(40, &logged, &BTreeSet::new())).unwrap();
    assert_eq!(
        told,
        r#"{
  "candidates_evaluated": 40,
  "actions_taken": {
    "deprecated": 1,
    "refined": 1,
    "merged": 0,
    "archived": 0,
    "induced_skills": 1
  },
  "details": [
    {
      "node_id": "00000000000000000000000001",
      "action": "deprecated",
      "reason": "utility .15 after 12 uses"
    },
    {
      "node_id": "00000000000000000000000002",
      "action": "refined",
      "new_id": "00000000000000000000000003",
      "reason": "clarified the trigger"
    },
    {
      "node_id": "00000000000000000000000004",
      "action": "induced",
      "new_id": "00000000000000000000000007",
      "reason": "skill x"
    }
  ],
  "summary": "Deprecated 1 memory that kept failing, refined 1, made 1 skill."
}"#
    );
    let undone = [(logged[0].operation, 0)].into();
    let after = report(2, &logged[..1], &undone);
    assert_eq!((after.actions_taken, after.summary.as_str()), (ActionsTaken::default(), "1 taken back."));
    assert!(serde_json::to_string(&after).unwrap().contains(r#""undone":true"#));
    assert_eq!(report(0, &[], &BTreeSet::new()).summary, "Nothing evolved.");
}

#[test]
fn every_change_is_one_operation_that_can_be_taken_back() {
    let memory = memory(1);
    let usages = uses(&memory, "FFFFFFFFFF");
    let changes = plan_deprecate(&case(&memory, 0.1, &usages), &because("it fails")).unwrap();
    assert!(changes.is_logged());
    let entry = changes.with_deadlines(Model::DEFAULT).log_entry();
    assert_eq!((entry.memories, entry.inverse.len()), (vec![memory.id], 1));
}
