//! The slow obvious reference: BM25, cosine and filters by brute force, which
//! the index must equal after any sequence of changes.
//!
//! The words below have known forms, so the reference needs no analyser.

mod common;

use common::{at, id, memory};
use engram_core::{Codes, Kind, Memory, MemoryId, Mode, Status, Tier};
use engram_index::{Difference, Filter, Index, Query, VectorError};
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A word, what it counts for in a text, and what it asks for in a query.
struct Known {
    written: &'static str,
    counts: &'static [(&'static str, f64)],
    asks: &'static [(&'static str, f64)],
}

const fn plain(written: &'static str, one: &'static [(&'static str, f64)]) -> Known {
    Known { written, counts: one, asks: one }
}

const WORDS: &[Known] = &[
    plain("docker", &[("docker", 1.0)]),
    plain("kernel", &[("kernel", 1.0)]),
    plain("socket", &[("socket", 1.0)]),
    plain("vault", &[("vault", 1.0)]),
    plain("token", &[("token", 1.0)]),
    Known {
        written: "tokens",
        counts: &[("tokens", 1.0), ("token", 1.0)],
        asks: &[("tokens", 0.1), ("token", 0.9)],
    },
    Known {
        written: "kernel_socket",
        counts: &[("kernelsocket", 1.0), ("kernel", 0.5), ("socket", 0.5)],
        asks: &[("kernelsocket", 1.0), ("kernel", 0.5), ("socket", 0.5)],
    },
    Known { written: "the", counts: &[("the", 1.0)], asks: &[] },
];

fn known(written: &str) -> &'static Known {
    WORDS.iter().find(|word| word.written == written).unwrap()
}

/// The words of a memory, wherever they are written.
fn words(memory: &Memory) -> Vec<&str> {
    let fields =
        [&memory.content].into_iter().chain(&memory.summary).chain(&memory.tags).chain(&memory.domain);
    fields.flat_map(|field| field.split_whitespace()).collect()
}

fn frequency(memory: &Memory, term: &str) -> f64 {
    let counts = words(memory).into_iter().flat_map(|word| known(word).counts);
    counts.filter(|(counted, _)| *counted == term).map(|(_, count)| count).sum()
}

fn bm25(memories: &BTreeMap<MemoryId, Memory>, asked: &BTreeSet<&str>, memory: &Memory) -> f64 {
    let count = memories.len() as f64;
    let average = (memories.values().map(|m| words(m).len()).sum::<usize>() as f64 / count).max(1.0);
    let mut score = 0.0;
    for (term, weight) in asked.iter().flat_map(|word| known(word).asks) {
        let holders = memories.values().filter(|m| frequency(m, term) > 0.0).count() as f64;
        let rarity = (1.0 + (count - holders + 0.5) / (holders + 0.5)).ln();
        let found = frequency(memory, term);
        let length = words(memory).len() as f64;
        // Every text here is short, where length hardly counts against one.
        score += weight * rarity * found * 2.2 / (found + 1.2 * (0.8 + 0.2 * length / average));
    }
    score
}

fn cosine(a: &Codes, b: &Codes) -> f64 {
    let dot = |a: &Codes, b: &Codes| -> f64 {
        let products = a.codes().iter().zip(b.codes()).map(|(x, y)| f64::from(*x) * f64::from(*y));
        products.sum()
    };
    dot(a, b) / (dot(a, a).sqrt() * dot(b, b).sqrt())
}

fn passes(memory: &Memory, filter: &Filter) -> bool {
    let mut passes = true;
    if let Some(statuses) = &filter.statuses {
        passes &= statuses.contains(&memory.status);
    }
    if !filter.kinds.is_empty() {
        passes &= filter.kinds.contains(&memory.kind);
    }
    if let Some(mode) = filter.mode {
        passes &= mode.includes(memory.class());
    }
    if !filter.tiers.is_empty() {
        passes &= filter.tiers.contains(&memory.tier);
    }
    passes &= filter.tags.is_subset(&memory.tags);
    if filter.domain.is_some() {
        passes &= filter.domain == memory.domain;
    }
    if let Some(by) = filter.said_by {
        passes &= memory.created_at <= by;
    }
    if let Some(at) = filter.valid_at {
        passes &= memory.validity.holds_at(at);
    }
    if let Some(from) = filter.created_from {
        passes &= memory.created_at >= from;
    }
    if let Some(until) = filter.created_until {
        passes &= memory.created_at < until;
    }
    if let Some(pinned) = filter.pinned {
        passes &= memory.pinned == pinned;
    }
    passes
}

/// Same scores rank by rank, each hit with its own score, equals newest first.
fn check_ranking(mut expected: Vec<(MemoryId, f64)>, limit: usize, found: &[(MemoryId, f64)]) {
    let own: BTreeMap<MemoryId, f64> = expected.iter().copied().collect();
    expected.sort_by(|a, b| b.1.total_cmp(&a.1));
    expected.truncate(limit);
    assert_eq!(found.len(), expected.len(), "{found:?} instead of {expected:?}");
    assert_eq!(found.iter().map(|(id, _)| id).collect::<BTreeSet<_>>().len(), found.len());
    for ((id, score), (_, rank_score)) in found.iter().zip(&expected) {
        assert!((score - rank_score).abs() < 1e-6, "{found:?} instead of {expected:?}");
        assert!((score - own[id]).abs() < 1e-6, "{id} has {score}, not {}", own[id]);
    }
    for pair in found.windows(2) {
        assert!(pair[0].1 > pair[1].1 || (pair[0].1 == pair[1].1 && pair[0].0 > pair[1].0), "{found:?}");
    }
}

#[derive(Debug, Clone)]
enum Change {
    Put(Box<Memory>),
    Remove(MemoryId),
    PutVector(MemoryId, Codes),
    ClearVectors(MemoryId),
}

fn a_word() -> impl Strategy<Value = &'static str> {
    (0..WORDS.len()).prop_map(|place| WORDS[place].written)
}

fn a_vector() -> impl Strategy<Value = Codes> {
    let vector = vec(-9..=9_i8, 5).prop_filter("has a direction", |v| v.iter().any(|x| *x != 0));
    vector.prop_map(|v| codes(&v.into_iter().map(f32::from).collect::<Vec<f32>>()))
}

fn some_tags() -> impl Strategy<Value = BTreeSet<String>> {
    btree_set(prop_oneof![Just("docker".to_owned()), Just("vault".to_owned())], 0..=2)
}

fn a_memory() -> impl Strategy<Value = Memory> {
    let text =
        (vec(a_word(), 0..8), option::of(vec(a_word(), 1..3)), some_tags(), option::of(Just("kernel")));
    let facets = (0..Status::ALL.len(), 0..Kind::ALL.len(), 0..Tier::ALL.len(), any::<bool>());
    let times = (0..20_i64, 0..20_i64, 0..20_i64, option::of(0..20_i64));
    (0..12_u64, text, facets, times).prop_map(|(number, text, facets, times)| {
        let mut memory = memory(number, &text.0.join(" "));
        memory.summary = text.1.map(|words| words.join(" "));
        memory.tags = text.2;
        memory.domain = text.3.map(str::to_owned);
        memory.status = Status::ALL[facets.0];
        memory.kind = Kind::ALL[facets.1];
        memory.tier = Tier::ALL[facets.2];
        memory.pinned = facets.3;
        memory.created_at = at(times.0);
        memory.validity.recorded_at = at(times.1);
        memory.validity.valid_from = at(times.2);
        memory.validity.valid_until = times.3.map(at);
        memory
    })
}

fn a_change() -> impl Strategy<Value = Change> {
    let number = 0..12_u64;
    prop_oneof![
        5 => a_memory().prop_map(|memory| Change::Put(Box::new(memory))),
        2 => number.clone().prop_map(|number| Change::Remove(id(number))),
        3 => (number.clone(), a_vector()).prop_map(|(number, vector)| Change::PutVector(id(number), vector)),
        1 => number.prop_map(|number| Change::ClearVectors(id(number))),
    ]
}

fn a_filter() -> impl Strategy<Value = Filter> {
    let sets = (
        option::weighted(0.3, btree_set((0..Status::ALL.len()).prop_map(|place| Status::ALL[place]), 0..8)),
        prop_oneof![3 => Just(vec![]), 1 => vec((0..Kind::ALL.len()).prop_map(|place| Kind::ALL[place]), 1..8)],
        option::weighted(0.3, (0..Mode::ALL.len()).prop_map(|place| Mode::ALL[place])),
        prop_oneof![3 => Just(vec![]), 1 => vec((0..Tier::ALL.len()).prop_map(|place| Tier::ALL[place]), 1..4)],
        prop_oneof![2 => Just(BTreeSet::new()), 1 => some_tags()],
        option::weighted(0.2, Just("kernel".to_owned())),
        option::weighted(0.2, any::<bool>()),
    );
    let moment = || option::weighted(0.2, (0..20_i64).prop_map(at));
    let filter =
        (sets, moment(), moment(), moment(), moment()).prop_map(|(sets, by, valid, from, until)| Filter {
            statuses: sets.0,
            faded: false,
            kinds: sets.1,
            mode: sets.2,
            tiers: sets.3,
            tags: sets.4,
            domain: sets.5,
            pinned: sets.6,
            said_by: by,
            valid_at: valid,
            created_from: from,
            created_until: until,
            when: None,
        });
    prop_oneof![1 => Just(Filter::default()), 2 => filter]
}

/// The index and what it should hold, after the changes.
fn apply(changes: Vec<Change>) -> (Index, BTreeMap<MemoryId, Memory>, BTreeMap<MemoryId, Codes>) {
    let (mut index, mut memories, mut vectors) = (Index::default(), BTreeMap::new(), BTreeMap::new());
    for change in changes {
        match change {
            Change::Put(memory) => {
                index.put(&memory);
                memories.insert(memory.id, *memory);
            }
            Change::Remove(id) => {
                assert_eq!(index.remove(id), memories.remove(&id).is_some());
                vectors.remove(&id);
            }
            Change::PutVector(id, vector) => match index.put_vector(id, "test", &vector) {
                Ok(()) => drop(vectors.insert(id, vector)),
                Err(error) => {
                    assert_eq!(error, VectorError::UnknownMemory(id));
                    assert!(!memories.contains_key(&id));
                }
            },
            Change::ClearVectors(id) => {
                index.clear_vectors(id);
                vectors.remove(&id);
            }
        }
    }
    (index, memories, vectors)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_index_equals_the_reference_after_any_changes(
        changes in vec(a_change(), 0..60),
        questions in vec((vec(a_word(), 1..5), a_filter(), a_vector(), 0..15_usize), 1..6),
    ) {
        let (index, memories, vectors) = apply(changes);
        prop_assert_eq!(index.len(), memories.len());
        prop_assert_eq!(index.is_empty(), memories.is_empty());
        let by_kind = index.count_by(|entry| entry.kind);
        for (kind, count) in by_kind {
            prop_assert_eq!(count, memories.values().filter(|memory| memory.kind == kind).count());
        }
        for (asked, filter, vector, limit) in questions {
            let passing: Vec<&Memory> = memories.values().filter(|memory| passes(memory, &filter)).collect();
            for memory in memories.values() {
                prop_assert_eq!(filter.admits(index.entry(memory.id).unwrap()), passes(memory, &filter));
            }

            let mut newest: Vec<_> = passing.iter().map(|memory| (memory.created_at, memory.id)).collect();
            newest.sort_by(|a, b| b.cmp(a));
            newest.truncate(limit);
            prop_assert_eq!(index.list(&filter, limit), newest.into_iter().map(|(_, id)| id).collect::<Vec<_>>());

            let distinct: BTreeSet<&str> = asked.iter().copied().filter(|word| *word != "the").collect();
            if !distinct.is_empty() {
                let query = Query::parse(&asked.join(" "));
                let expected = passing.iter().map(|memory| (memory.id, bm25(&memories, &distinct, memory)));
                let expected = expected.filter(|(_, score)| *score > 0.0).collect();
                let hits = index.search(&query, &index.statistics(&query), &filter, limit);
                let found: Vec<_> = hits.iter().map(|hit| (hit.id, hit.score)).collect();
                check_ranking(expected, limit, &found);
            }

            let with_vector = passing.iter().filter_map(|memory| Some((memory.id, vectors.get(&memory.id)?)));
            let expected = with_vector.map(|(id, other)| (id, cosine(&vector, other))).collect();
            let near = index.nearest("test", &vector, &filter, limit).unwrap();
            let found: Vec<_> = near.hits.iter().map(|hit| (hit.id, hit.cosine)).collect();
            check_ranking(expected, limit, &found);
        }
    }

    #[test]
    fn differences_are_seen_exactly_where_they_are(
        changes in vec(a_change(), 1..60),
        extra in a_memory(),
    ) {
        let (mut index, memories, _) = apply(changes);
        let mut memories: Vec<Memory> = memories.into_values().collect();
        prop_assert_eq!(index.differences(&memories), []);

        if let Some(skipped) = memories.pop() {
            prop_assert_eq!(index.differences(&memories), [Difference::Extra(skipped.id)]);
            index.remove(skipped.id);
            prop_assert_eq!(index.differences(&memories), []);
            memories.push(skipped.clone());
            prop_assert_eq!(index.differences(&memories), [Difference::Missing(skipped.id)]);
            index.put(&skipped);
        }

        let mut changed = memory(99, &extra.content);
        index.put(&changed);
        changed.content.push_str(" unheard");
        changed.pinned = true;
        memories.push(changed);
        prop_assert_eq!(index.differences(&memories), [Difference::Facets(id(99)), Difference::Text(id(99))]);
    }

    #[test]
    fn any_text_is_taken_and_found_by_itself(text in "\\PC{0,40}|[a-zA-ZçğıöşüÇĞİÖŞÜ' ._/:-]{0,60}") {
        let mut index = Index::default();
        let memory = memory(1, &text);
        index.put(&memory);
        let query = Query::parse(&text);
        let found = index.search(&query, &index.statistics(&query), &Filter::default(), 1);
        prop_assert_eq!(found.len(), usize::from(!query.is_empty()));
        prop_assert_eq!(index.differences(&[memory]), []);
        index.remove(id(1));
        prop_assert!(index.search(&query, &index.statistics(&query), &Filter::default(), 1).is_empty());
    }
}

/// Numbers in -1..1 that look like chance and never change.
fn scattered(seed: u64, dimensions: usize) -> Codes {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut draw = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    codes(&(0..dimensions).map(|_| draw()).collect::<Vec<_>>())
}

fn codes(vector: &[f32]) -> Codes {
    Codes::of(vector).unwrap()
}

#[test]
fn among_thousands_the_nearest_are_the_nearest() {
    let mut index = Index::default();
    let vectors: Vec<Codes> = (0..3_000).map(|number| scattered(number + 1, 96)).collect();
    for (number, vector) in vectors.iter().enumerate() {
        index.put(&memory(number as u64, ""));
        index.put_vector(id(number as u64), "test", vector).unwrap();
    }
    for seed in 10_000..10_020 {
        let asked = scattered(seed, 96);
        let expected = vectors.iter().enumerate().map(|(number, v)| (id(number as u64), cosine(&asked, v)));
        let near = index.nearest("test", &asked, &Filter::default(), 10).unwrap();
        let found: Vec<_> = near.hits.iter().map(|hit| (hit.id, hit.cosine)).collect();
        check_ranking(expected.collect(), 10, &found);
    }
}

#[test]
fn a_vector_that_cannot_be_compared_is_refused() {
    let mut index = Index::default();
    index.put(&memory(1, "one"));
    index.put(&memory(2, "two"));
    let (two, three) = (codes(&[1.0, 2.0]), codes(&[1.0, 2.0, 3.0]));
    assert_eq!(index.nearest("test", &two, &Filter::default(), 3).unwrap().hits, []);
    assert_eq!(index.put_vector(id(1), "test", &two), Ok(()));
    let mismatch = VectorError::Dimensions { expected: 2, found: 3 };
    assert_eq!(index.put_vector(id(2), "test", &three), Err(mismatch.clone()));
    assert_eq!(index.nearest("test", &three, &Filter::default(), 3), Err(mismatch));
    assert_eq!(index.put_vector(id(2), "another", &three), Ok(()));
}

#[test]
fn once_no_vector_is_left_the_dimensions_are_free_again() {
    let mut index = Index::default();
    index.put(&memory(1, "one"));
    index.put_vector(id(1), "test", &codes(&[1.0, 2.0])).unwrap();
    index.clear_vectors(id(1));
    assert!(!index.has_vector(id(1), "test"));
    assert_eq!(index.put_vector(id(1), "test", &codes(&[1.0, 2.0, 3.0])), Ok(()));
    assert_eq!(index.count_vectors("test"), 1);
    index.drop_vectors("test");
    assert_eq!(index.count_vectors("test"), 0);
}

#[test]
fn what_stands_out_is_told_by_all_the_others() {
    let mut index = Index::default();
    for (number, vector) in [[1.0, 0.0], [0.0, 1.0], [0.1, 1.0], [-0.1, 1.0]].iter().enumerate() {
        index.put(&memory(number as u64, ""));
        index.put_vector(id(number as u64), "test", &codes(vector)).unwrap();
    }
    let near = index.nearest("test", &codes(&[1.0, 0.0]), &Filter::default(), 4).unwrap();
    assert_eq!(near.hits[0].id, id(0));
    assert!(near.spread.standing_out(near.hits[0].cosine) > 1.5);
    assert!(near.spread.standing_out(near.hits[3].cosine) < 0.0);
    let between = index.cosine_between("test", id(0), id(1)).unwrap();
    assert_eq!(index.cosine("test", &index.direction("test", id(1)).unwrap(), id(0)), Some(between));
}

#[test]
fn neighbours_are_of_one_session_and_in_its_order() {
    let mut index = Index::default();
    let session = |number: u64| format!("{number:026}").parse().unwrap();
    for (number, of) in [(1, 7), (2, 8), (3, 7), (4, 7)] {
        let mut said = memory(number, "said");
        said.provenance.source_session = Some(session(of));
        said.provenance.speaker = Some("Ada".to_owned());
        index.put(&said);
    }
    assert_eq!(index.neighbours(id(3)), [Some(id(1)), Some(id(4))]);
    assert_eq!(index.neighbours(id(2)), [None, None]);
    assert_eq!(index.sessions(), [(session(7), at(1)), (session(8), at(2))]);
    index.remove(id(1));
    assert_eq!(index.neighbours(id(3)), [None, Some(id(4))]);
    assert_eq!(index.speakers().collect::<Vec<_>>(), ["Ada"]);
    assert!([2, 3, 4].into_iter().all(|number| index.remove(id(number))));
    assert_eq!(index.speakers().count(), 0);
}

#[test]
fn recording_a_use_keeps_the_vector() {
    let mut index = Index::default();
    let mut used = memory(1, "one");
    index.put(&used);
    index.put_vector(id(1), "test", &codes(&[1.0, 2.0])).unwrap();
    used.trace.access_count = 1;
    index.put(&used);
    assert_eq!(index.entry(id(1)).unwrap().trace.access_count, 1);
    let near = index.nearest("test", &codes(&[1.0, 2.0]), &Filter::default(), 1).unwrap();
    assert_eq!(near.hits[0].id, id(1));
}

/// Words as real texts have them: a few everywhere, most hardly anywhere, some
/// said again.
fn uneven_text(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut below = |limit: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) % limit
    };
    let count = 3 + below(12);
    let words = (0..count).map(|_| match below(3) {
        0 => format!("w{}", below(4)),
        1 => format!("w{}", 4 + below(40)),
        _ => format!("w{}", 44 + below(2_000)),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_best_are_the_first_of_all() {
    let mut index = Index::default();
    (0..9_000).for_each(|number| index.put(&memory(number, &uneven_text(number + 1))));
    assert!((0..9_000).step_by(7).all(|number| index.remove(id(number))));
    let pinned = Filter { pinned: Some(true), ..Filter::default() };
    for number in (1..9_000).step_by(13).filter(|number| number % 7 != 0) {
        index.put(&Memory { pinned: true, ..memory(number, &uneven_text(number + 20_000)) });
    }
    for seed in 50_000..50_040 {
        let query = Query::parse(&uneven_text(seed));
        let statistics = index.statistics(&query);
        for filter in [&Filter::default(), &pinned] {
            // Whoever wants all passes over none.
            let all = index.search(&query, &statistics, filter, usize::MAX);
            assert!(all.iter().all(|hit| hit.score == index.score(hit.id, &query, &statistics)));
            assert!(all.is_sorted_by(|one, other| (one.score, one.id) > (other.score, other.id)));
            for limit in [1, 10, 100] {
                let best = index.search(&query, &statistics, filter, limit);
                assert_eq!(best, all[..limit.min(all.len())]);
            }
        }
    }
}
