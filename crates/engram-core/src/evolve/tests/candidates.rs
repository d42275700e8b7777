//! What is found to evolve, at the boundary values of the seed (S1, Query
//! Evolution Candidates), and in which order.

use super::*;
use crate::dream::Sight;
use crate::learn::Noise;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How like memories are, as a table. What is not in it is not alike.
#[derive(Default)]
struct Likenesses(Vec<(MemoryId, MemoryId, f64)>);

impl Sight for Likenesses {
    fn near(&self, id: MemoryId, most: usize) -> Vec<(MemoryId, Similarity)> {
        let other = |(one, two, how): &(MemoryId, MemoryId, f64)| match id {
            _ if *one == id => Some((*two, Similarity::clamped(*how))),
            _ if *two == id => Some((*one, Similarity::clamped(*how))),
            _ => None,
        };
        self.0.iter().filter_map(other).take(most).collect()
    }

    fn names(&self, _: &[&str]) -> Vec<(usize, usize, Similarity)> {
        Vec::new()
    }
}

/// A store of these memories, each with its uses, and what might evolve in it.
fn looked_at(
    memories: &[(Memory, &str)],
    sight: &Likenesses,
    at: Timestamp,
    criteria: Option<Criteria>,
) -> Vec<Candidate> {
    looked_at_with(memories, sight, &[], at, criteria)
}

fn looked_at_with(
    memories: &[(Memory, &str)],
    sight: &Likenesses,
    noise: &[Noise],
    at: Timestamp,
    criteria: Option<Criteria>,
) -> Vec<Candidate> {
    let kept: BTreeMap<MemoryId, Arc<Memory>> =
        memories.iter().map(|(memory, _)| (memory.id, Arc::new(memory.clone()))).collect();
    let usages = memories.iter().map(|(memory, outcomes)| (memory.id, uses(memory, outcomes))).collect();
    let ground = Ground { memories: &kept, usages: &usages, edges: &BTreeSet::new(), sight, noise, at };
    candidates(&ground, criteria, 50)
}

fn with_utility(number: u64, utility: f64) -> Memory {
    let mut memory = text(number, &format!("advice number {number}"));
    memory.utility = Utility::clamped(utility);
    memory.trace.last_used_at = now();
    memory
}

#[test]
fn what_serves_badly_is_critical_or_high_by_the_seeds_numbers() {
    use Evolving::{Deprecated, Refined};
    use Priority::{Critical, High};
    for (utility, outcomes, expected) in [
        (0.1999, "FFFFFFFFFF", Some((Critical, Deprecated, 0))),
        (0.2, "FFFFFFFFFS", Some((High, Refined, 1))),
        (0.1999, "FFFFFFFFF", Some((High, Refined, 1))),
        // It begins to work: mend it rather than drop it.
        (0.1999, "FFFFFFFFFS", Some((Critical, Refined, 1))),
        (0.2999, "FFFFF", Some((High, Refined, 1))),
        (0.3, "FFFFF", None),
        (0.2999, "FFFF", None),
        // Each use failed: there is nothing to refine, and not enough to drop it.
        (0.25, "FFFFFFFFFF", Some((High, Deprecated, 1))),
    ] {
        let memory = with_utility(1, utility);
        let found = looked_at(&[(memory, outcomes)], &Likenesses::default(), now(), Some(Criteria::LowQ));
        let told = found.first().map(|it| (it.priority, it.suggested, it.missing.len()));
        assert_eq!(told, expected, "{utility} {outcomes}: {found:?}");
    }
}

#[test]
fn what_is_stale_is_medium_unless_something_keeps_it() {
    let stale = |memory: Memory, days: f64| {
        let found = looked_at(&[(memory, "")], &Likenesses::default(), day(days), Some(Criteria::Stale));
        found.first().map(|it| (it.priority, it.suggested, it.idle_days))
    };
    assert_eq!(stale(memory(1), 90.0), Some((Priority::Medium, Evolving::Archived, 90)));
    assert_eq!(stale(memory(1), 89.99), None);
    assert_eq!(stale(Memory { pinned: true, ..memory(1) }, 200.0), None);
    assert_eq!(stale(Memory { immutable: true, ..memory(1) }, 200.0), None);
    assert_eq!(stale(Memory { kind: Kind::Preference, ..memory(1) }, 200.0), None);
    assert_eq!(stale(Memory { status: Status::Deprecated, ..memory(1) }, 200.0), None);
}

#[test]
fn what_is_shown_and_not_used_is_named_once_and_only_proposed() {
    let (noisy, bad, gone) = (with_utility(1, 0.5), with_utility(2, 0.1), with_utility(3, 0.5));
    let gone = Memory { status: Status::Archived, ..gone };
    let noise = [&noisy, &bad, &gone].map(|memory| Noise { memory: memory.id, shown: 12, ignored: 11 });
    let all = [(noisy.clone(), ""), (bad.clone(), "FFFFFFFFFF"), (gone, "")];
    let look = |criteria| looked_at_with(&all, &Likenesses::default(), &noise, now(), criteria);
    let named: Vec<_> = look(Some(Criteria::Noise)).into_iter().map(|it| it.nodes[0]).collect();
    assert_eq!(named.len(), 2, "what is no longer in force is shown no more: {named:?}");
    let found = look(None);
    let told: Vec<_> = found.iter().map(|it| (it.nodes[0], it.criteria, it.priority)).collect();
    let expected = [(bad.id, Criteria::LowQ, Priority::Critical), (noisy.id, Criteria::Noise, Priority::Low)];
    assert_eq!(told, expected);
    assert_eq!(found[1].why, "shown 12 times in 14 days, used 1 time");
    assert!(found[1].missing[0].contains("90 days without use"), "{:?}", found[1].missing);
}

#[test]
fn pairs_that_say_the_same_are_found_once_and_those_that_quarrel_are_not() {
    let one = text(1, "The gateway listens on port 8080.");
    let two = Memory { utility: Utility::clamped(0.8), ..text(2, "The gateway listens on port 8080!") };
    let other = text(3, "The gateway listens on port 9090.");
    let fourth = Memory { kind: Kind::Convention, ..text(4, "The gateway listens on port 8080.") };
    let likenesses = Likenesses(vec![
        (one.id, two.id, 0.9501),
        (one.id, other.id, 0.99),
        (two.id, other.id, 0.99),
        (one.id, fourth.id, 0.99),
    ]);
    let all = [(one.clone(), "SS"), (two.clone(), "SSS"), (other, ""), (fourth, "")];
    let found = looked_at(&all, &likenesses, day(1.0), Some(Criteria::SimilarPairs));
    let [pair] = found.try_into().expect("one pair");
    assert_eq!(pair.nodes, [two.id, one.id]);
    assert_eq!((pair.priority, pair.suggested, pair.uses), (Priority::Medium, Evolving::Merged, 5));
    assert_eq!((pair.missing.len(), pair.why.as_str()), (0, ".95 alike"));
    let likenesses = Likenesses(vec![(one.id, two.id, 0.95)]);
    let found = looked_at(&all[..2], &likenesses, day(1.0), Some(Criteria::SimilarPairs));
    assert_eq!(found, []);
}

#[test]
fn the_most_pressing_comes_first() {
    let procedures: Vec<Memory> = (10..13)
        .map(|number| Memory {
            kind: Kind::Procedure,
            ..text(number, "To release run `make build`, then `make push`.")
        })
        .collect();
    let mut all = vec![
        (with_utility(1, 0.25), "FFFFSF"),
        (with_utility(2, 0.15), "FFFFFFFFFF"),
        (with_utility(3, 0.05), "FFFFFFFFFF"),
    ];
    all.extend(procedures.iter().map(|memory| (memory.clone(), "")));
    let found = looked_at(&all, &Likenesses::default(), now(), None);
    let told: Vec<(Priority, Option<&MemoryId>)> =
        found.iter().map(|it| (it.priority, it.nodes.first())).collect();
    let id = |place: usize| Some(&all[place].0.id);
    assert_eq!(
        told,
        [
            (Priority::Critical, id(2)),
            (Priority::Critical, id(1)),
            (Priority::High, id(0)),
            (Priority::Low, id(3)),
        ]
    );
    assert_eq!(found[3].nodes.len(), 3);
}
