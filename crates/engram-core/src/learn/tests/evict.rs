//! The order in which memories go, and what is learned about it.

use super::super::*;
use super::scene::Lot;
use crate::id::{MemoryId, SessionId};
use crate::kind::Kind;
use crate::law::sample::{day, memory};
use crate::law::{ImportanceTable, Model};
use crate::memory::Memory;
use crate::recalled::RecallLogged;
use crate::unit::{Importance, Retention, Utility};
use crate::used::{Outcome, Usage};
use std::collections::BTreeMap;
use std::sync::Arc;
use ulid::Ulid;

fn kept(memory: &Memory, importance: f64, held: f64) -> Kept<'_> {
    Kept { memory, importance: Importance::clamped(importance), held: Retention::clamped(held) }
}

fn numbered(number: u64) -> Memory {
    Memory { kind: Kind::Observation, ..memory(number) }
}

fn order(kept: &[Kept<'_>], learned: &[Learned]) -> Vec<MemoryId> {
    give_up_order(kept, learned, day(50.0)).into_iter().map(|worth| worth.memory).collect()
}

#[test]
fn what_is_worth_least_goes_first() {
    let mut memories: Vec<Memory> = (1..=7).map(numbered).collect();
    memories[1].trace.last_used_at = day(9.0);
    memories[2].trace.last_used_at = day(5.0);
    memories[3].trace.last_used_at = day(49.0);
    memories[3].utility = Utility::clamped(0.9);
    memories[5].pinned = true;
    memories[6].kind = Kind::Decision;
    let worth = [(0.2, 0.5), (0.5, 0.5), (0.5, 0.5), (0.5, 0.5), (0.5, 0.9), (0.0, 0.0), (0.5, 0.5)];
    let all: Vec<Kept<'_>> = memories
        .iter()
        .zip(worth)
        .map(|(memory, (importance, held))| kept(memory, importance, held))
        .collect();
    let expected: Vec<MemoryId> = [0, 2, 1, 6, 3, 4].iter().map(|place| memories[*place].id).collect();
    // Importance counts most; of equals the one that was used longer ago goes; a
    // longer floor, better service and what is still held keep a memory.
    assert_eq!(order(&all, &[]), expected);
}

#[test]
fn the_worth_is_the_sum_of_its_reasons_and_tells_them() {
    let mut one = numbered(1);
    one.trace.access_count = 3;
    one.trace.last_used_at = day(50.0);
    one.utility = Utility::clamped(0.8);
    let other = numbered(2);
    let found = give_up_order(&[kept(&one, 0.31, 0.5), kept(&other, 0.31, 0.5)], &[], day(50.0));
    assert_eq!(found.iter().map(|worth| worth.memory).collect::<Vec<_>>(), [other.id, one.id]);
    for worth in &found {
        let sum: f64 = worth.parts.iter().map(|(_, value, weight)| value.get() * weight.get()).sum();
        assert!((sum - worth.total.get()).abs() < 1e-12);
        let weights: f64 = worth.parts.iter().map(|(_, _, weight)| weight.get()).sum();
        assert!((weights - 1.0).abs() < 1e-12);
    }
    // The mean of the uses is 1.5, and three are twice that.
    let told = "2 of 2 to go, worth .50: importance .31 x .30, retention .50 x .25, utility .80 x .25, \
                use .67 x .10, kind .16 x .10";
    assert_eq!(found[1].reason(2, 2), told);
    assert!(found[0].reason(1, 2).ends_with("utility .50 x .25, never used x .10, kind .16 x .10"));
}

#[test]
fn what_was_learned_orders_them_otherwise() {
    let (one, other) = (numbered(1), numbered(2));
    let both = [kept(&one, 0.3, 0.9), kept(&other, 0.8, 0.4)];
    assert_eq!(order(&both, &[]), [one.id, other.id]);
    let shares = [("importance", 0.1), ("retention", 0.45), ("utility", 0.25), ("use", 0.1), ("kind", 0.1)];
    let row = Learned {
        key: LearnedKey { subject: Subject::Eviction, query_type: None, with_model: false },
        shares: Shares::whole(shares).unwrap(),
        votes: 9,
        updates: 1,
        still: 0,
        reason: String::new(),
        updated_at: day(0.0),
    };
    assert_eq!(order(&both, std::slice::from_ref(&row)), [other.id, one.id]);
    let stale = Learned { shares: Shares::whole([("luck", 1.0)]).unwrap(), ..row };
    assert_eq!(order(&both, &[stale]), order(&both, &[]), "what is about other reasons does not count");
}

/// A store on day sixty: its memories are born on day zero, and what a test says
/// of each was asked and used after day thirty.
#[derive(Default)]
struct Store {
    memories: BTreeMap<MemoryId, Arc<Memory>>,
    recalls: Vec<RecallLogged>,
    usages: Vec<Usage>,
}

impl Store {
    fn add(&mut self, set: impl FnOnce(&mut Memory)) -> MemoryId {
        let mut memory = numbered(self.memories.len() as u64 + 1);
        set(&mut memory);
        let id = memory.id;
        self.memories.insert(id, Arc::new(memory));
        id
    }

    /// Shown, and used or not, in a session of its own.
    fn shown(&mut self, memory: MemoryId, used: bool, on: f64) {
        let number = self.recalls.len() as u128;
        let mut recall = super::scene::recall(number, &[]);
        recall.shown = vec![memory];
        recall.used = if used { vec![memory] } else { Vec::new() };
        (recall.at, recall.settled_at) = (day(on), Some(day(on)));
        recall.session = Some(SessionId::from_ulid(Ulid(number)));
        self.recalls.push(recall);
    }

    fn learn(&self, learned: &[Learned]) -> Option<Lesson> {
        let past = Past {
            memories: &self.memories,
            recalls: &self.recalls,
            usages: &self.usages,
            model: Model::DEFAULT,
            importance: ImportanceTable::Nine,
        };
        learn_keeping(&past, learned, &LearningSettings::default(), day(60.0))
    }
}

/// Sixty memories; those that a month ago had been used are used again.
fn store_of_habit() -> Store {
    let mut store = Store::default();
    for number in 0..60 {
        let id = store.add(|_| {});
        if number % 2 == 0 {
            store.shown(id, true, 3.0);
            store.shown(id, true, 40.0);
        }
    }
    store
}

#[test]
fn what_told_a_month_ago_what_would_be_used_gains() {
    let lesson = store_of_habit().learn(&[]).unwrap();
    let Moved::Moved(shares) = &lesson.moved else { panic!("{lesson:?}") };
    let of = |keeping: Keeping| shares.of(keeping.as_str()).unwrap().get();
    assert!(of(Keeping::Use) > 0.1 + 0.005, "{lesson:?}");
    assert!(of(Keeping::Kind) < 0.1, "all are of one kind, which tells nothing: {lesson:?}");
    assert!((shares.iter().map(|(_, share)| share.get()).sum::<f64>() - 1.0).abs() < 1e-9);
    assert_eq!(lesson.key.subject, Subject::Eviction);
    let learned = [lesson.after.unwrap()];
    assert_eq!(store_of_habit().learn(&learned), None, "there is nothing new");
}

#[test]
fn use_since_then_does_not_tell_of_itself() {
    // Nothing was known of any of them a month ago; those that were used since
    // have all the traces of it.
    let mut store = Store::default();
    for number in 0..60 {
        let id = store.add(|memory| {
            if number % 2 == 0 {
                memory.trace.access_count = 9;
                memory.trace.last_used_at = day(59.0);
                memory.trace.stability = crate::unit::Stability::clamped(300.0);
                memory.utility = Utility::clamped(0.9);
            }
        });
        if number % 2 == 0 {
            store.shown(id, true, 40.0);
            store.usages.push(Usage::told(id, Outcome::Success, day(40.0)));
        }
    }
    let lesson = store.learn(&[]).unwrap();
    assert_eq!((lesson.moved.clone(), lesson.write()), (Moved::Still, None), "{lesson:?}");
}

#[test]
fn how_a_memory_had_served_by_then_counts_and_a_failure_is_no_use() {
    let mut store = Store::default();
    for number in 0..60 {
        let id = store.add(|_| {});
        let served = number % 2 == 0;
        let outcome = if served { Outcome::Success } else { Outcome::Failure };
        store.usages.push(Usage::told(id, outcome, day(20.0)));
        store.usages.push(Usage::told(id, outcome, day(40.0)));
        store.shown(id, true, 40.0);
    }
    store.usages.sort_by_key(|usage| usage.at);
    let lesson = store.learn(&[]).unwrap();
    let Moved::Moved(shares) = &lesson.moved else { panic!("{lesson:?}") };
    assert!(shares.of("utility").unwrap().get() > 0.25 + 0.005, "{lesson:?}");
}

#[test]
fn what_was_not_there_or_could_not_go_has_no_say() {
    for set in [
        (|memory: &mut Memory| memory.created_at = day(31.0)) as fn(&mut Memory),
        |memory| memory.pinned = true,
        |memory| memory.status = crate::Status::Superseded,
        |memory| memory.tier = crate::Tier::Codebase,
    ] {
        let mut store = store_of_habit();
        for memory in store.memories.values_mut() {
            set(Arc::make_mut(memory));
        }
        assert_eq!(store.learn(&[]), None);
    }
}

#[test]
fn chance_moves_no_reason_to_keep() {
    let mut moved = 0;
    for seed in 0..40 {
        let (mut store, mut lot) = (Store::default(), Lot(seed));
        for _ in 0..40 {
            let id = store.add(|memory| memory.importance = Importance::clamped(lot.unit()));
            if lot.unit() < 0.5 {
                store.shown(id, false, 3.0);
            }
            if lot.unit() < 0.5 {
                store.shown(id, true, 40.0);
            }
        }
        let lesson = store.learn(&[]).unwrap();
        if let Moved::Moved(shares) = &lesson.moved {
            moved += 1;
            let home = Keeping::ALL.iter().map(|keeping| (keeping.as_str(), keeping.home()));
            assert!(shares.apart(&Shares::whole(home).unwrap()).get() < 0.05, "{lesson:?}");
        }
    }
    assert!(moved <= 4, "{moved} of 40");
}
