//! What is learned for each key, over many looks.

use super::super::*;
use super::scene::{Lot, One, recall, says};
use crate::change::Write;
use crate::law::sample::day;
use crate::rank::Weights;
use crate::recalled::RecallLogged;
use std::collections::BTreeSet;

const ALL: LearnedKey = LearnedKey { subject: Subject::Arms, query_type: None, with_model: false };
const HOW_TO: LearnedKey = LearnedKey { query_type: Some(QueryType::HowTo), ..ALL };

fn look(recalls: &[RecallLogged], learned: &[Learned], at: Timestamp) -> Vec<Lesson> {
    plan_learning(recalls, learned, &Weights::default(), &LearningSettings::default(), at)
}

fn of(lessons: &[Lesson], key: LearnedKey) -> &Lesson {
    lessons.iter().find(|lesson| lesson.key == key).unwrap()
}

fn words(shares: &Shares) -> f64 {
    shares.of("words").unwrap().get()
}

/// So many recalls in which words are right, and so many in which they are not,
/// among those that are learned from and among those that are not.
fn log(learned_from: (u128, u128), held_out: (u128, u128)) -> Vec<RecallLogged> {
    let numbered = |(right, wrong): (u128, u128), rest: u128| {
        (0..right + wrong).map(move |number| says(3 * number + rest, number < right))
    };
    numbered(learned_from, 0).chain(numbered(held_out, 2)).collect()
}

/// The same, known since a day.
fn known_on(on: f64, recalls: Vec<RecallLogged>) -> Vec<RecallLogged> {
    recalls
        .into_iter()
        .map(|recall| RecallLogged { at: day(on), settled_at: Some(day(on)), ..recall })
        .collect()
}

fn row(key: LearnedKey, words: f64, still: u32) -> Learned {
    Learned {
        key,
        shares: Shares::whole([("words", words), ("table", 1.0 - words)]).unwrap(),
        votes: 9,
        updates: 1,
        still,
        reason: "nine votes".to_owned(),
        updated_at: day(1.0),
    }
}

#[test]
fn enough_votes_of_one_mind_move_the_share_and_say_why() {
    let lessons = look(&log((20, 0), (3, 0)), &[], day(1.0));
    assert_eq!(lessons.iter().map(|lesson| lesson.key).collect::<Vec<_>>(), [ALL, HOW_TO]);
    for lesson in &lessons {
        let after = lesson.after.as_ref().unwrap();
        assert!((words(&after.shares) - (5.0 / 9.0 + 0.05 * 20.0 / 70.0)).abs() < 1e-9, "{lesson:?}");
        assert_eq!(lesson.reason, "words right in 100 % of 20, held out 1.00 -> 1.00");
        assert_eq!(
            (after.votes, after.updates, after.still, after.state()),
            (20, 1, 0, LearningState::Learning)
        );
        assert_eq!(
            lesson.write().unwrap(),
            Write::Learn { before: None, after: Some(Box::new(after.clone())) }
        );
    }
}

#[test]
fn too_few_votes_move_nothing_and_say_so() {
    for (learned_from, held_out, votes, reason) in [
        ((5, 0), (9, 0), 5, "5 votes, more than 5 are needed"),
        ((7, 0), (0, 0), 7, "7 votes, and none to try it on"),
    ] {
        let lessons = look(&log(learned_from, held_out), &[], day(1.0));
        let lesson = of(&lessons, ALL);
        assert_eq!((&lesson.moved, lesson.reason.as_str()), (&Moved::TooFew { votes }, reason));
        assert_eq!(lesson.write(), None);
    }
    // Six are more than five, and may still be chance.
    assert_eq!(of(&look(&log((6, 0), (3, 0)), &[], day(1.0)), ALL).moved, Moved::Still);
    assert_eq!(look(&[], &[], day(1.0)), []);
    let off = LearningSettings { on: false, ..LearningSettings::default() };
    assert_eq!(plan_learning(&log((9, 0), (3, 0)), &[], &Weights::default(), &off, day(1.0)), []);
}

#[test]
fn the_same_question_again_is_no_new_evidence() {
    let same =
        log((60, 0), (20, 0)).into_iter().map(|recall| RecallLogged { query: "q".to_owned(), ..recall });
    let lessons = look(&same.collect::<Vec<_>>(), &[], day(1.0));
    assert!(matches!(of(&lessons, ALL).moved, Moved::TooFew { votes: 0..=1 }), "{lessons:?}");
}

#[test]
fn one_session_teaches_nothing_however_much_it_says() {
    let one = log((60, 0), (20, 0)).into_iter().enumerate().map(|(number, recall)| {
        let at = day(-((number % 20) as f64));
        RecallLogged { session: None, at, ..recall }
    });
    let lessons = look(&one.collect::<Vec<_>>(), &[], day(1.0));
    assert_eq!(of(&lessons, ALL).moved, Moved::TooFew { votes: 5 });
}

#[test]
fn a_change_that_replays_worse_is_rolled_back() {
    // What is held out agrees for the most part; in the rest the table decides by
    // a hair.
    let close = |number: u128| recall(3_000 + 3 * number + 2, &[(0.40, 0.6, true), (0.55, 0.4, false)]);
    let mut recalls = log((60, 0), (12, 0));
    recalls.extend((0..4).map(close));
    let fresh = look(&recalls, &[], day(1.0));
    let Moved::RolledBack { before, after } = of(&fresh, ALL).moved else { panic!("{fresh:?}") };
    assert_eq!((before.get(), after.get()), (1.0, 0.75));
    assert_eq!(of(&fresh, ALL).write(), None, "nothing was learned yet, and nothing is");
    let before = row(ALL, 5.0 / 9.0, 0);
    let again = look(&known_on(2.0, recalls), std::slice::from_ref(&before), day(2.0));
    let after = of(&again, ALL).after.clone().unwrap();
    assert_eq!(after.shares, before.shares);
    assert_eq!(after.reason, "rolled back: held out 1.00 -> .75");
    assert_eq!((after.state(), after.still, after.updates), (LearningState::RolledBack, 1, 1));
}

#[test]
fn what_is_not_confirmed_moves_nothing() {
    let mut undecided = log((60, 0), (6, 6));
    assert_eq!(of(&look(&undecided, &[], day(1.0)), ALL).moved, Moved::Still);
    undecided.extend((0..12).map(|number| says(3_000 + 3 * number + 2, true)));
    assert!(matches!(of(&look(&undecided, &[], day(1.0)), ALL).moved, Moved::Moved(_)));
    // What moved a share once does not move it again: what came since says other.
    let before = row(ALL, 5.0 / 9.0, 0);
    let since = (0..6).map(|number| says(6_000 + 3 * number, false));
    let mixed: Vec<RecallLogged> = undecided.into_iter().chain(known_on(2.0, since.collect())).collect();
    let lessons = look(&mixed, std::slice::from_ref(&before), day(2.0));
    assert_eq!(of(&lessons, ALL).moved, Moved::Still, "{lessons:?}");
}

#[test]
fn what_was_forgotten_is_not_learned_again_from_the_same() {
    let recalls = log((60, 0), (20, 0));
    let row = of(&look(&recalls, &[], day(1.0)), ALL).after.clone().unwrap();
    let forgotten = row.forgotten(day(2.0));
    let weights = Weights::default();
    let by = |row: &Learned| {
        applied(weights, std::slice::from_ref(row), QueryType::HowTo, false, &BTreeSet::new())
    };
    assert_ne!(by(&row), weights);
    assert_eq!(by(&forgotten), weights, "the defaults are in force");
    let again = look(&recalls, std::slice::from_ref(&forgotten), day(3.0));
    assert!(again.iter().all(|lesson| lesson.key != ALL), "{again:?}");
    let later = look(&known_on(2.5, recalls), std::slice::from_ref(&forgotten), day(3.0));
    let learned = of(&later, ALL).after.clone().unwrap();
    assert_eq!((learned.updates, &learned.shares), (1, &row.shares), "what is new teaches");
}

#[test]
fn what_does_worse_than_the_default_goes_halfway_back() {
    let recalls = known_on(2.0, log((0, 8), (0, 6)));
    let close = |recall: RecallLogged| {
        let mut recall = recall;
        recall.pool[0].words = 0.35;
        recall.pool[1].words = 0.5;
        recall
    };
    let recalls: Vec<RecallLogged> = recalls.into_iter().map(close).collect();
    let before = row(ALL, 0.7, 0);
    let lessons = look(&recalls, std::slice::from_ref(&before), day(2.0));
    let after = of(&lessons, ALL).after.clone().unwrap();
    assert!((words(&after.shares) - (0.7 + 5.0 / 9.0) / 2.0).abs() < 1e-9, "{after:?}");
    assert_eq!(after.reason, "the default does better, held out 1.00 against .00: halfway back");
}

#[test]
fn what_stands_still_three_times_has_converged_and_waits_for_fifty_votes() {
    let mut learned = row(ALL, 0.6, 0);
    let mut recalls = Vec::new();
    for look_at in 1..=3 {
        let on = 1.0 + f64::from(look_at);
        recalls = known_on(on, log((20, 20), (3, 3)));
        let lessons = look(&recalls, std::slice::from_ref(&learned), day(on));
        let lesson = of(&lessons, ALL);
        assert_eq!(lesson.moved, if look_at < 3 { Moved::Still } else { Moved::Converged });
        learned = lesson.after.clone().unwrap();
        assert_eq!((learned.still, learned.reason.as_str()), (look_at, "nine votes"));
    }
    assert_eq!(learned.state(), LearningState::Converged);
    assert!(!look(&recalls, std::slice::from_ref(&learned), day(5.0)).iter().any(|lesson| lesson.key == ALL));
    for (right, expected) in [(43, false), (44, true)] {
        let more = known_on(5.0, log((right, 0), (6, 0)));
        let lessons = look(&more, std::slice::from_ref(&learned), day(5.0));
        assert_eq!(lessons.iter().any(|lesson| lesson.key == ALL), expected, "{right}");
    }
}

#[test]
fn the_same_votes_do_not_push_twice() {
    let recalls = log((9, 0), (3, 0));
    let learned: Vec<Learned> =
        look(&recalls, &[], day(1.0)).into_iter().filter_map(|lesson| lesson.after).collect();
    assert_eq!(learned.len(), 2);
    assert_eq!(look(&recalls, &learned, day(2.0)), []);
    let mut more = recalls;
    more.extend(known_on(3.0, (100..106).map(|number| says(3 * number, true)).collect()));
    let again = look(&more, &learned, day(3.0));
    assert!(words(&of(&again, ALL).after.as_ref().unwrap().shares) > words(&learned[0].shares));
    more.pop();
    assert_eq!(look(&more, &learned, day(3.0)), [], "five new ones are not enough");
}

#[test]
fn a_type_begins_where_all_types_are_and_then_goes_its_own_way() {
    let recalls = known_on(2.0, log((0, 9), (0, 3)));
    let all = row(ALL, 0.7, 0);
    let lessons = look(&recalls, std::slice::from_ref(&all), day(2.0));
    assert!(
        (words(&of(&lessons, HOW_TO).after.as_ref().unwrap().shares) - (0.7 - 0.05 * 9.0 / 59.0)).abs()
            < 1e-9
    );
    let base = Weights::default();
    let how_to = row(HOW_TO, 0.4, 0);
    let rows = [all, how_to];
    let found = |query_type, with_model| applied(base, &rows, query_type, with_model, &BTreeSet::new());
    assert!((found(QueryType::HowTo, false).words - 0.9 * 0.4).abs() < 1e-9);
    assert!((found(QueryType::General, false).words - 0.9 * 0.7).abs() < 1e-9);
    assert_eq!(found(QueryType::HowTo, true), base, "with a model something else is learned");
}

#[test]
fn what_was_learned_of_other_arms_begins_again_and_can_be_brought_back() {
    let stale =
        Learned { shares: Shares::whole([("words", 0.9), ("graph", 0.1)]).unwrap(), ..row(ALL, 0.5, 9) };
    let recalls = log((20, 0), (3, 0));
    let lessons = look(&recalls, std::slice::from_ref(&stale), day(1.0));
    let after = of(&lessons, ALL).after.clone().unwrap();
    assert!((words(&after.shares) - (5.0 / 9.0 + 0.05 * 20.0 / 70.0)).abs() < 1e-9);
    assert_eq!(of(&lessons, ALL).before.as_ref(), Some(&stale), "an undo finds what was there");
    let few = look(&log((3, 0), (3, 0)), std::slice::from_ref(&stale), day(1.0));
    assert_eq!(of(&few, ALL).write(), None);
}

#[test]
fn the_sum_of_the_weights_stays() {
    let base = Weights { graph: 0.2, ..Weights::default() };
    let rows = [row(ALL, 0.75, 0)];
    let found = applied(base, &rows, QueryType::HowTo, false, &BTreeSet::new());
    assert!((found.words + found.table - (base.words + base.table)).abs() < 1e-12);
    assert!((found.words / (found.words + found.table) - 0.75).abs() < 1e-12);
    let rest = Weights { words: base.words, table: base.table, ..found };
    assert_eq!(rest, base, "an arm that nothing was learned of is as it was, and so is all else");
}

#[test]
fn a_weight_set_by_hand_is_left_alone() {
    let base = Weights { words: 0.9, ..Weights::default() };
    let rows = [row(ALL, 0.4, 0)];
    for (fixed, changes) in [
        (vec!["words"], false),
        (vec!["words", "table"], false),
        (vec!["words_beside_model"], true),
        (vec![], true),
    ] {
        let found = applied(base, &rows, QueryType::HowTo, false, &fixed.iter().copied().collect());
        assert_eq!(found != base, changes, "{fixed:?}");
    }
}

#[test]
fn how_often_each_arm_is_right_is_told_for_every_type_that_was_asked() {
    let mut recalls = log((9, 3), (5, 0));
    recalls[0].query_type = QueryType::ErrorDebug;
    let settings = LearningSettings::default();
    let found = effectiveness(&recalls, &[], &Weights::default(), &settings, day(1.0));
    let told: Vec<(LearnedKey, u32)> = found.iter().map(|(key, rates)| (*key, rates[0].votes)).collect();
    let debugging = LearnedKey { query_type: Some(QueryType::ErrorDebug), ..ALL };
    assert_eq!(told, [(ALL, 12), (debugging, 1), (HOW_TO, 11)]);
    let words = found[0].1.iter().find(|rate| rate.word == "words").unwrap();
    assert_eq!(words.rate.get(), 0.75);
}

/// How what was shown is judged.
#[derive(Clone, Copy)]
enum Judged {
    /// The first answers; one judgement in five is wrong.
    Truly,
    ByLot,
    /// Whatever the table likes best.
    ByTable,
}

/// Goes on for so many looks of so many recalls each, and tells the share of
/// words after each.
fn learn(lot: &mut Lot, strength: (f64, f64), judged: Judged, looks: u32, each: u32) -> Vec<f64> {
    let mut learned: Vec<Learned> = Vec::new();
    let mut recalls: Vec<RecallLogged> = Vec::new();
    let mut shares = Vec::new();
    for on in 0..looks {
        for number in 0..each {
            let question = lot.question(strength.0, strength.1);
            let best = |by: fn(&(f64, f64)) -> f64| {
                (0..question.len()).max_by(|one, other| by(&question[*one]).total_cmp(&by(&question[*other])))
            };
            let used = match judged {
                Judged::Truly if lot.unit() < 0.8 => 0,
                Judged::ByTable => best(|(_, table)| *table).unwrap(),
                _ => (lot.unit() * question.len() as f64) as usize,
            };
            let pool: Vec<One> = question
                .iter()
                .enumerate()
                .map(|(place, (words, table))| (*words, *table, place == used))
                .collect();
            let mut recall = recall(u128::from(on * each + number), &pool);
            (recall.at, recall.settled_at) = (day(f64::from(on)), Some(day(f64::from(on))));
            recalls.push(recall);
        }
        let at = day(f64::from(on));
        recalls.retain(|recall| at.duration_since(recall.at).as_hours() <= 24 * 8);
        for lesson in look(&recalls, &learned, at).into_iter().filter(|lesson| lesson.key == ALL) {
            learned = lesson.after.into_iter().collect();
        }
        shares.push(learned.first().map_or(5.0 / 9.0, |row| words(&row.shares)));
    }
    shares
}

#[test]
fn chance_moves_nothing() {
    let home = 5.0 / 9.0;
    let mut moved = 0;
    for seed in 0..200 {
        let shares = learn(&mut Lot(seed), (1.0, 1.0), Judged::ByLot, 12, 24);
        let furthest = shares.iter().map(|share| (share - home).abs()).fold(0.0, f64::max);
        assert!(furthest <= 0.02, "{seed}: {shares:?}");
        moved += u32::from(furthest > 0.0);
    }
    assert!(moved <= 10, "{moved} of 200 moved at all");
}

/// How often the answer comes first among many fresh questions.
fn found_first(strength: (f64, f64), words: f64) -> f64 {
    let mut lot = Lot(99);
    let first = |_: &u32| {
        let question = lot.question(strength.0, strength.1);
        let score = |(by_words, by_table): &(f64, f64)| words * by_words + (1.0 - words) * by_table;
        question[1..].iter().all(|other| score(other) < score(&question[0]))
    };
    (0..4_000_u32).filter(first).count() as f64 / 4_000.0
}

#[test]
fn learned_shares_do_as_well_as_the_default_and_better_where_an_arm_is_stronger_than_it_counts() {
    let home = 5.0 / 9.0;
    for (strength, gains) in
        [((2.0, 1.0), 0.004), ((1.0, 2.0), 0.03), ((1.5, 1.5), -0.005), ((0.3, 2.2), 0.1)]
    {
        let shares = learn(&mut Lot(7), strength, Judged::Truly, 30, 50);
        assert!(shares.iter().all(|share| (share - home).abs() <= 0.2 + 1e-9), "{strength:?}: {shares:?}");
        let (before, after) = (found_first(strength, home), found_first(strength, shares[29]));
        assert!(after - before >= gains, "{strength:?}: {before} -> {after}, {shares:?}");
    }
}

#[test]
fn a_poisoned_source_comes_no_further_than_the_bound() {
    let home = 5.0 / 9.0;
    let shares = learn(&mut Lot(3), (2.0, 1.0), Judged::ByTable, 12, 50);
    assert!(shares.iter().all(|share| *share >= home - 0.2 - 1e-9), "{shares:?}");
    assert!(shares[shares.len() - 1] < home - 0.1, "it does move them: {shares:?}");
}
