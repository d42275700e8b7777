//! Plans, checked by what they would write.

use super::*;
use crate::id::{IdMint, MemoryId};
use crate::kind::Kind;
use std::collections::BTreeMap;

/// A tiny world that applies plans as the door would.
struct World {
    mint: IdMint,
    second: i64,
    memories: BTreeMap<MemoryId, Memory>,
}

impl World {
    fn new() -> Self {
        Self { mint: IdMint::seeded(1), second: 0, memories: BTreeMap::new() }
    }

    fn occasion(&mut self) -> Occasion {
        self.second += 1;
        let at = Timestamp::from_second(self.second).unwrap();
        Occasion {
            operation: OperationId::from_ulid(self.mint.mint(at)),
            actor: Actor::Human,
            at,
            recorded_at: at,
        }
    }

    fn apply(&mut self, changes: &Changes) {
        for write in &changes.writes {
            match write {
                Write::Create { memory } => {
                    assert!(self.memories.insert(memory.id, *memory.clone()).is_none());
                }
                Write::Replace { before, after } => {
                    assert_eq!(self.memories.insert(after.id, *after.clone()), Some(*before.clone()));
                }
                Write::Remove { memory } => {
                    assert_eq!(self.memories.remove(&memory.id), Some(*memory.clone()));
                }
                _ => {}
            }
        }
    }

    fn remember(&mut self, text: &str) -> (Changes, Memory) {
        let occasion = self.occasion();
        let draft = Draft::parse(text, 1_000).unwrap();
        let changes = plan_remember(draft, Scope::Project, Provenance::stated_by(Actor::Human), occasion);
        self.apply(&changes);
        (changes, self.memories[&occasion.operation.newborn()].clone())
    }

    fn now(&self, memory: &Memory) -> Memory {
        self.memories[&memory.id].clone()
    }
}

#[test]
fn a_correction_supersedes_and_keeps_what_was_said_about_the_old_value() {
    let mut world = World::new();
    let (_, old) = world.remember("the staging key is in vault");
    let occasion = world.occasion();
    let changes = plan_correct(
        &old,
        "the staging key is in 1password",
        Provenance::stated_by(Actor::Human),
        100,
        occasion,
    )
    .unwrap();
    world.apply(&changes);
    let new = world.memories[&occasion.operation.newborn()].clone();
    let old = world.now(&old);
    assert_eq!((old.status, new.status), (Status::Superseded, Status::Created));
    assert_eq!(old.validity.valid_until, Some(occasion.at));
    assert_eq!((new.kind, new.tier), (old.kind, old.tier));
    assert!(matches!(&changes.writes[2], Write::Relate { relation }
        if relation.from == new.id && relation.to == old.id));
}

#[test]
fn correcting_to_the_same_words_changes_nothing() {
    let mut world = World::new();
    let (_, old) = world.remember("x");
    let occasion = world.occasion();
    assert_eq!(
        plan_correct(&old, " x ", Provenance::stated_by(Actor::Human), 100, occasion),
        Err(CannotChange::NothingToDo(old.id))
    );
}

#[test]
fn use_raises_reachability_and_never_confidence() {
    let mut world = World::new();
    let (changes, _) = world.remember("x");
    let [Write::Create { memory }] = &changes.with_deadlines(Model::DEFAULT).writes[..] else { panic!() };
    let later = Timestamp::from_second(900_000).unwrap();
    let used = plan_use(memory, Model::DEFAULT, 40, later);
    assert_eq!(used.confidence, memory.confidence);
    assert_eq!(used.revision, memory.revision);
    assert_eq!((used.trace.access_count, used.trace.last_used_at), (40, later));
    assert!(used.trace.stability > memory.trace.stability && used.trace.difficulty.is_some());
    assert!(memory.trace.fades_at.is_some() && used.trace.fades_at > memory.trace.fades_at);
    assert_eq!(used.trace.fades_at, law::fades_at(&used, Model::DEFAULT));
    assert_eq!(used.status, Status::Active);
}

#[test]
fn a_memory_is_graded_once_however_often_it_was_shown() {
    let mut world = World::new();
    let (_, memory) = world.remember("x");
    let later = Timestamp::from_second(900_000).unwrap();
    let [once, often] = [1, 40].map(|times| plan_use(&memory, Model::DEFAULT, times, later).trace);
    assert_eq!((once.stability, once.difficulty), (often.stability, often.difficulty));
}

#[test]
fn every_memory_that_a_change_leaves_has_its_deadline_by_the_model() {
    let mut world = World::new();
    let (_, old) = world.remember("the staging key is in vault");
    let (_, gone) = world.remember("the staging key is on paper");
    let occasion = world.occasion();
    let stated = Provenance::stated_by(Actor::Human);
    let mut changes = plan_correct(&old, "the staging key is in 1password", stated, 100, occasion).unwrap();
    changes.writes.extend(plan_purge(&[gone], occasion).unwrap().writes);
    for model in law::Model::ALL {
        let dated = changes.clone().with_deadlines(*model);
        let [
            Write::Create { memory: new },
            Write::Replace { before, after },
            _,
            Write::Replace { after: purged, .. },
        ] = &dated.writes[..]
        else {
            panic!("{dated:?}")
        };
        assert_eq!(**before, old);
        for memory in [new, after, purged] {
            assert_eq!(memory.trace.fades_at, law::fades_at(memory, *model), "{model}");
        }
        assert!(new.trace.fades_at.is_some() && purged.trace.fades_at.is_none());
    }
}

#[test]
fn a_confirmation_is_evidence() {
    let mut world = World::new();
    let (_, memory) = world.remember("x");
    let occasion = world.occasion();
    world.apply(&plan_confirm(&memory, occasion).unwrap());
    let now = world.now(&memory);
    assert!((now.confidence.get() - 0.8).abs() < 1e-12);
    assert_eq!(now.status, Status::Active);
}

#[test]
fn an_immutable_memory_is_changed_by_nothing_but_a_purge() {
    let mut world = World::new();
    let (_, mut memory) = world.remember("x");
    memory.immutable = true;
    let occasion = world.occasion();
    let refused = Err(CannotChange::Immutable(memory.id));
    assert_eq!(plan_pin(&memory, true, occasion), refused);
    assert_eq!(plan_confirm(&memory, occasion), refused);
    assert_eq!(plan_forget(std::slice::from_ref(&memory), occasion), refused);
    assert!(plan_purge(&[memory], occasion).is_ok());
}

#[test]
fn everything_can_be_taken_back_in_reverse_order() {
    let mut world = World::new();
    let mut log = Vec::new();
    let mut states = vec![world.memories.clone()];
    let (changes, memory) = world.remember("x");
    log.push(changes.log_entry());
    type Plan = fn(&Memory, Occasion) -> Result<Changes, CannotChange>;
    let plans: [Plan; 5] = [
        |m, o| plan_pin(m, true, o),
        plan_confirm,
        |m, o| plan_mark(m, Status::Challenged, "doubt", o),
        |m, o| plan_forget(std::slice::from_ref(m), o),
        plan_unforget,
    ];
    for plan in plans {
        states.push(world.memories.clone());
        let occasion = world.occasion();
        let changes = plan(&world.now(&memory), occasion).unwrap();
        log.push(changes.log_entry());
        world.apply(&changes);
    }
    while let (Some(operation), Some(state)) = (log.pop(), states.pop()) {
        let occasion = world.occasion();
        let changes = plan_undo(&operation, &world.memories, occasion).unwrap();
        world.apply(&changes);
        let bare = |memories: &BTreeMap<MemoryId, Memory>| -> Vec<Memory> {
            memories
                .values()
                .cloned()
                .map(|mut memory| {
                    memory.status_change.reason.clear();
                    memory.status_change.at = Timestamp::UNIX_EPOCH;
                    memory.status_change.cause = Cause::Undo;
                    memory
                })
                .collect()
        };
        assert_eq!(bare(&world.memories), bare(&state), "undoing {}", operation.cause);
    }
    assert!(world.memories.is_empty());
}

#[test]
fn an_undo_can_itself_be_undone() {
    let mut world = World::new();
    let (changes, memory) = world.remember("x");
    let occasion = world.occasion();
    let undo = plan_undo(&changes.log_entry(), &world.memories, occasion).unwrap();
    world.apply(&undo);
    let occasion = world.occasion();
    let redo = plan_undo(&undo.log_entry(), &world.memories, occasion).unwrap();
    world.apply(&redo);
    assert_eq!(world.now(&memory), memory);
}

#[test]
fn what_was_changed_since_is_not_overwritten_by_an_undo() {
    let mut world = World::new();
    let (changes, memory) = world.remember("x");
    let occasion = world.occasion();
    world.apply(&plan_pin(&memory, true, occasion).unwrap());
    let occasion = world.occasion();
    assert_eq!(
        plan_undo(&changes.log_entry(), &world.memories, occasion),
        Err(CannotUndo::ChangedSince(memory.id))
    );
}

#[test]
fn a_purge_keeps_no_text_anywhere() {
    let mut world = World::new();
    let occasion = world.occasion();
    let draft = Draft {
        kind: Kind::Decision,
        domain: Some("topsecret".into()),
        ..Draft::parse("topsecret", 100).unwrap()
    };
    let draft = draft.tagged(["topsecret".to_owned()]).unwrap();
    world.apply(&plan_remember(draft, Scope::User, Provenance::stated_by(Actor::Human), occasion));
    let memory = world.memories[&occasion.operation.newborn()].clone();
    let occasion = world.occasion();
    let changes = plan_purge(std::slice::from_ref(&memory), occasion).unwrap();
    world.apply(&changes);
    let kept = serde_json::to_string(&(world.now(&memory), changes.log_entry())).unwrap();
    assert!(!kept.contains("topsecret"), "{kept}");
    let occasion = world.occasion();
    assert!(matches!(
        plan_undo(&changes.log_entry(), &world.memories, occasion),
        Err(CannotUndo::Irreversible { .. })
    ));
}

#[test]
fn a_purge_takes_those_turns_with_it_that_it_may() {
    let mut world = World::new();
    let (_, mut memory) = world.remember("x");
    let said = |text| TurnId::of_content(memory.created_at, text);
    let (goes, stays) = (said("hers"), said("his"));
    memory.provenance.evidence = vec![goes, stays];
    let occasion = world.occasion();
    let changes = plan_purge_with(&[memory], &BTreeSet::from([goes]), occasion).unwrap();
    assert_eq!(changes.purged_evidence(), [goes]);
}

#[test]
fn what_was_forgotten_after_it_was_shown_stays_forgotten() {
    let mut world = World::new();
    let (_, memory) = world.remember("x");
    let shown_at = world.occasion().at;
    let occasion = world.occasion();
    world.apply(&plan_forget(std::slice::from_ref(&memory), occasion).unwrap());
    let archived = world.now(&memory);
    assert_eq!(plan_use(&archived, Model::DEFAULT, 1, shown_at).status, Status::Archived);
    assert_eq!(plan_use(&archived, Model::DEFAULT, 1, world.occasion().at).status, Status::Active);
}

#[test]
fn undoing_a_pin_does_not_undo_the_first_use() {
    let mut world = World::new();
    let (_, memory) = world.remember("x");
    let occasion = world.occasion();
    let pin = plan_pin(&memory, true, occasion).unwrap();
    world.apply(&pin);
    let used = plan_use(&world.now(&memory), Model::DEFAULT, 2, world.occasion().at);
    world.memories.insert(used.id, used.clone());
    let occasion = world.occasion();
    world.apply(&plan_undo(&pin.log_entry(), &world.memories, occasion).unwrap());
    let now = world.now(&memory);
    assert_eq!((now.status, now.pinned, now.trace), (Status::Active, false, used.trace));
}

#[test]
fn what_an_operation_did_to_the_stability_is_undone_unless_the_memory_was_used_since() {
    let mut world = World::new();
    let (_, memory) = world.remember("x");
    let occasion = world.occasion();
    let mut after = edited(&memory, occasion).unwrap();
    after.trace.stability = Stability::clamped(99.0);
    let upkeep = occasion.changes(Cause::Mark, vec![replace(&memory, after)]);
    world.apply(&upkeep);
    let occasion = world.occasion();
    let undo = plan_undo(&upkeep.log_entry(), &world.memories, occasion).unwrap();
    let [Write::Replace { after, .. }] = &undo.writes[..] else { panic!("{undo:?}") };
    assert_eq!(after.trace, memory.trace);
    let used = plan_use(&world.now(&memory), Model::DEFAULT, 1, occasion.at);
    world.memories.insert(used.id, used.clone());
    let undo = plan_undo(&upkeep.log_entry(), &world.memories, occasion).unwrap();
    let [Write::Replace { after, .. }] = &undo.writes[..] else { panic!("{undo:?}") };
    assert_eq!(after.trace, used.trace);
}

#[test]
fn what_waited_in_the_spool_says_when_it_was_said_and_when_it_was_learned() {
    let mut world = World::new();
    let (_, old) = world.remember("x");
    let said = world.occasion();
    let learned = Occasion { recorded_at: Timestamp::from_second(5_000).unwrap(), ..said };
    let changes = plan_correct(&old, "y", Provenance::stated_by(Actor::Human), 10, learned).unwrap();
    let Write::Create { memory } = &changes.writes[0] else { panic!("no birth") };
    assert_eq!((memory.created_at, memory.validity.recorded_at), (said.at, learned.recorded_at));
}

#[test]
fn an_outcome_moves_utility_and_stability_alone_and_is_recorded() {
    use crate::used::{Outcome, Usage};
    let mut world = World::new();
    let (_, memory) = world.remember("the deploy needs the VPN");
    let (_, other) = world.remember("another");
    let occasion = world.occasion();
    let usage = Usage {
        note: Some("it was the VPN".to_owned()),
        ..Usage::told(other.id, Outcome::Success, occasion.at)
    };
    let changes =
        plan_outcome(&Told::nothing_of(memory.clone()), Model::DEFAULT, usage.clone(), occasion).unwrap();
    assert_eq!(changes.cause, Cause::Outcome);
    let [Write::Replace { after, .. }, Write::Record { usage: kept }] = &changes.writes[..] else {
        panic!("{changes:?}")
    };
    assert!((after.utility.get() - 0.55).abs() < 1e-9);
    assert_eq!((after.confidence, after.importance), (memory.confidence, memory.importance));
    assert_eq!((kept.memory, after.revision), (memory.id, 1));
    let graded = law::graded_at(&memory, Model::DEFAULT, Grade::Succeeded, occasion.at);
    assert_eq!(after.trace, graded);
    assert!(graded.stability > memory.trace.stability);
    assert!(changes.is_logged());
    // The row of the log is taken back with the utility.
    world.apply(&changes);
    let occasion = world.occasion();
    let undone = plan_undo(&changes.log_entry(), &world.memories, occasion).unwrap();
    assert_eq!(undone.writes[0], Write::Unrecord { usage: kept.clone() });
    assert_eq!(undone.writes.len(), 2);
    world.apply(&undone);
    assert_eq!(
        (world.now(&memory).utility, world.now(&memory).trace),
        (Utility::DEFAULT, memory.trace.clone())
    );
    let mut fixed = memory.clone();
    fixed.immutable = true;
    assert_eq!(
        plan_outcome(&Told::nothing_of(fixed.clone()), Model::DEFAULT, usage, occasion),
        Err(CannotChange::Immutable(memory.id))
    );
}

#[test]
fn what_use_brought_back_says_when() {
    let mut world = World::new();
    let (_, memory) = world.remember("the deploy needs the VPN");
    let later = Timestamp::from_second(400_000).unwrap();
    let first = plan_use(&memory, Model::DEFAULT, 1, later);
    assert_eq!((first.status_change.cause, came_back_at(&first)), (Cause::Use, None));
    let archived = Memory { status: Status::Archived, ..memory };
    assert_eq!(came_back_at(&archived), None);
    assert_eq!(came_back_at(&plan_use(&archived, Model::DEFAULT, 1, later)), Some(later));
}

#[test]
fn the_better_an_outcome_the_longer_a_memory_stays() {
    use crate::used::Outcome::{self, *};
    use crate::used::Usage;
    let mut world = World::new();
    let (_, memory) = world.remember("the deploy needs the VPN");
    let later = Timestamp::from_second(400_000).unwrap();
    let occasion = Occasion { at: later, recorded_at: later, ..world.occasion() };
    let told = |outcome: Outcome| {
        let usage = Usage::told(memory.id, outcome, later);
        let mut changes =
            plan_outcome(&Told::nothing_of(memory.clone()), Model::DEFAULT, usage, occasion).unwrap();
        let Write::Replace { after, .. } = changes.writes.remove(0) else { panic!("{changes:?}") };
        (after.trace.stability, after.utility)
    };
    let stabilities = [Failure, Ignored, Partial, Success].map(|outcome| told(outcome).0);
    assert!(stabilities.is_sorted() && stabilities[0] < memory.trace.stability, "{stabilities:?}");
    assert!(stabilities[1] > memory.trace.stability, "{stabilities:?}");
    assert_eq!(told(Ignored).1, memory.utility);
}

#[test]
fn a_purge_takes_the_note_of_a_use_and_a_promotion_is_logged_without_an_inverse() {
    use crate::used::{Outcome, Promotion, PromotionReason, Usage};
    let mut world = World::new();
    let (_, memory) = world.remember("the deploy needs the VPN");
    let occasion = world.occasion();
    let note = Some("it was the VPN".to_owned());
    let usage = Usage { note, ..Usage::told(memory.id, Outcome::Failure, occasion.at) };
    let mut changes =
        plan_outcome(&Told::nothing_of(memory.clone()), Model::DEFAULT, usage, occasion).unwrap();
    changes.scrub(&[memory.id], &[]);
    assert!(!serde_json::to_string(&changes).unwrap().contains("VPN"));
    let promotion = Box::new(Promotion {
        memory: memory.id,
        session: None,
        from: Scope::Session,
        to: Scope::Project,
        kind: Kind::Fact,
        reason: PromotionReason::Score,
        score: 0.7,
        merged_into: None,
        at: occasion.at,
    });
    let changes = occasion.changes(Cause::Promote, vec![Write::Promote { promotion }]);
    let json = serde_json::to_string(&changes).unwrap();
    assert_eq!(serde_json::from_str::<Changes>(&json).unwrap(), changes);
    assert!(changes.is_logged() && changes.log_entry().inverse.is_empty());
    let refused = plan_undo(&changes.log_entry(), &world.memories, occasion).unwrap_err();
    assert!(refused.to_string().contains("that has happened"), "{refused}");
}
