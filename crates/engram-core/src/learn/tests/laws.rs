//! Votes, rates, and how far they move a share.

use super::super::votes::fair;
use super::super::*;
use super::scene::{id, recall, says};
use crate::id::SessionId;
use crate::law::sample::day;
use crate::rank::Weights;
use crate::recalled::{Arm, RecallLogged, Surface};
use jiff::SignedDuration;
use proptest::prelude::*;
use std::collections::BTreeSet;
use ulid::Ulid;

const EVEN: ArmWeights = ArmWeights { words: 0.5, table: 0.5, model: 0.0, graph: 0.0 };

fn votes(recalls: &[RecallLogged]) -> Vec<Vote> {
    votes_of(recalls, &EVEN, false, day(1.0))
}

/// How far words were right, if the recall has a say at all.
fn words_in(recall: RecallLogged) -> Option<f64> {
    let votes = votes(&[recall]);
    assert!(votes.len() <= 1);
    votes.first().map(|vote| vote.prefers["words"].get())
}

#[test]
fn one_recall_is_one_vote() {
    assert_eq!(words_in(says(0, true)), Some(1.0));
    assert_eq!(words_in(says(0, false)), Some(0.0));
    // Two are used; of the four pairs with the others words win three.
    let several = [(0.6, 0.4, true), (0.5, 0.5, true), (0.45, 0.55, false), (0.55, 0.45, false)];
    let vote = &votes(&[recall(0, &several)])[0];
    assert_eq!((vote.prefers["words"].get(), vote.prefers["table"].get()), (0.75, 0.25));
}

#[test]
fn only_pairs_that_the_arms_dispute_and_the_weights_do_not_decide_tell_anything() {
    for (what, pool, expected) in [
        ("both put the used one higher", vec![(0.6, 0.6, true), (0.5, 0.5, false)], None),
        ("one arm is indifferent", vec![(0.6, 0.5, true), (0.5, 0.5, false)], None),
        ("just contested", vec![(0.9, 0.0, true), (0.5, 0.101, false)], Some(1.0)),
        ("decided", vec![(0.9, 0.0, true), (0.5, 0.099, false)], None),
        ("all were used", vec![(0.6, 0.4, true), (0.4, 0.6, true)], None),
        ("none was used", vec![(0.6, 0.4, false), (0.4, 0.6, false)], None),
    ] {
        assert_eq!(words_in(recall(0, &pool)), expected, "{what}");
    }
    let mut late = vec![(0.4, 0.4, false); 9];
    late.push((0.6, 0.35, true));
    assert_eq!(words_in(recall(0, &late)), Some(1.0), "the tenth is looked at");
    late.insert(0, (0.4, 0.4, false));
    assert_eq!(words_in(recall(0, &late)), None, "the eleventh is not");
    let mut unseen = says(0, true);
    unseen.shown.truncate(1);
    assert_eq!(words_in(unseen), None, "what nobody saw nobody could use");
}

#[test]
fn a_recall_has_a_say_if_somebody_asked_lately_and_it_is_known_what_became_of_it() {
    let sound = says(0, true);
    for surface in Surface::ALL {
        let asked = !matches!(surface, Surface::SessionStart | Surface::Command);
        let said = words_in(RecallLogged { via: *surface, ..sound.clone() });
        assert_eq!(said.is_some(), asked, "{surface}");
    }
    assert_eq!(words_in(RecallLogged { settled_at: None, ..sound.clone() }), None);
    assert_eq!(words_in(RecallLogged { with_model: true, ..sound.clone() }), None);
    assert_eq!(words_in(RecallLogged { at: day(-29.0), ..sound.clone() }), Some(1.0));
    let older = day(-29.0) - SignedDuration::from_secs(1);
    assert_eq!(words_in(RecallLogged { at: older, ..sound }), None);
}

#[test]
fn the_scope_counts_in_a_pair_as_it_counts_in_a_score() {
    let mut across = recall(0, &[(0.6, 0.4, true), (0.62, 0.3, false)]);
    assert_eq!(words_in(across.clone()), Some(0.0));
    across.pool[1].scale = 0.9;
    assert_eq!(words_in(across), None, "in a scope that counts less its words lose, too");
}

#[test]
fn a_rate_is_sure_beyond_the_least_votes_and_beyond_chance() {
    let of = |right: u128, wrong: u128, least: u32| {
        let recalls: Vec<RecallLogged> =
            (0..right + wrong).map(|number| says(number, number < right)).collect();
        let rates = rates(&votes(&recalls), least);
        let words = rates.iter().find(|rate| rate.word == "words").unwrap();
        assert_eq!(u128::from(words.votes), right + wrong);
        (words.rate.get(), words.sure)
    };
    // n votes of one mind are off by the root of n deviations: 2.6 needs seven.
    for (right, wrong, least, rate, sure) in [
        (5, 0, 4, 1.0, false),
        (6, 0, 5, 1.0, false),
        (7, 0, 5, 1.0, true),
        (7, 0, 6, 1.0, true),
        (7, 0, 7, 1.0, false),
        (0, 7, 5, 0.0, true),
        (62, 38, 5, 0.62, false),
        (64, 36, 5, 0.64, true),
        (50, 50, 5, 0.5, false),
    ] {
        assert_eq!(of(right, wrong, least), (rate, sure), "{right} against {wrong}, least {least}");
    }
    assert_eq!(rates(&[], 5), []);
}

fn share(words: f64) -> Shares {
    Shares::whole([("words", words), ("table", 1.0 - words)]).unwrap()
}

fn rate(word: &'static str, rate: f64, sure: bool) -> Rate {
    Rate { word, rate: Share::clamped(rate), votes: 1_000_000_000, off: 3.0, sure }
}

#[test]
fn a_share_moves_by_a_tenth_of_what_its_rate_is_off_the_middle() {
    for (now, words, sure, expected) in [
        (0.5, 0.7, true, 0.52),
        (0.5, 0.3, true, 0.48),
        (0.5, 0.7, false, 0.5),
        (0.5, 0.5, true, 0.5),
        // Within .2 of the default, which is .556.
        (0.74, 1.0, true, 0.756),
        (0.756, 1.0, true, 0.756),
        (0.36, 0.0, true, 0.356),
    ] {
        let rates = [rate("words", words, sure), rate("table", 1.0 - words, sure)];
        let found = nudged(&share(now), &share(0.556), &rates, &LearningSettings::default());
        let found = found.of("words").unwrap().get();
        assert!((found - expected).abs() < 1e-9, "{now} {words} {sure}: {found}, not {expected}");
    }
}

#[test]
fn a_few_votes_move_little() {
    for (votes, expected) in [(7, 0.5 + 0.05 * 7.0 / 57.0), (50, 0.525), (450, 0.545)] {
        let rates =
            [("words", 1.0), ("table", 0.0)].map(|(word, right)| Rate { votes, ..rate(word, right, true) });
        let found = nudged(&share(0.5), &share(0.5), &rates, &LearningSettings::default());
        assert!((found.of("words").unwrap().get() - expected).abs() < 1e-9, "{votes}: {found:?}");
    }
}

#[test]
fn a_bound_that_was_drawn_closer_is_kept_at_once() {
    let settings = LearningSettings { bound: Share::clamped(0.05), ..LearningSettings::default() };
    let found = nudged(&share(0.75), &share(0.5), &[], &settings);
    assert!((found.of("words").unwrap().get() - 0.55).abs() < 1e-9, "{found:?}");
}

fn some_shares() -> impl Strategy<Value = Shares> {
    prop::collection::vec(0.02_f64..1.0, 3)
        .prop_map(|parts| Shares::whole(["model", "table", "words"].into_iter().zip(parts)).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn no_source_moves_a_share_beyond_the_bound_and_shares_add_up_to_one(
        home in some_shares(),
        learning in 0.0..=0.5,
        bound in 0.01..=0.5,
        looks in prop::collection::vec((0.0..=1.0, 0.0..=1.0, 0.0..=1.0), 1..40),
    ) {
        let settings = LearningSettings { rate: learning, bound: Share::clamped(bound), ..LearningSettings::default() };
        let mut now = home.clone();
        for (words, table, model) in looks {
            let rates = [rate("words", words, true), rate("table", table, true), rate("model", model, true)];
            let next = nudged(&now, &home, &rates, &settings);
            prop_assert!((next.iter().map(|(_, share)| share.get()).sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assert!(next.apart(&home).get() <= bound + 1e-9, "beyond the bound of the default");
            prop_assert!(next.apart(&now).get() <= bound + 1e-9, "beyond the bound of one look");
            prop_assert!(next.iter().all(|(_, share)| share.get() > 0.0), "out of play");
            now = next;
        }
    }

    #[test]
    fn one_session_has_at_most_a_third_of_the_votes(
        from in prop::collection::vec((0_u8..6, 0_i64..20), 0..200),
    ) {
        let session = |number: u8| (number > 0).then(|| SessionId::from_ulid(Ulid(u128::from(number))));
        let all: Vec<(Option<SessionId>, Timestamp)> =
            from.iter().map(|(number, on)| (session(*number), day(*on as f64))).collect();
        let left = fair(all.clone(), |one| *one);
        let sessions: BTreeSet<Option<SessionId>> = left.iter().map(|(session, _)| *session).collect();
        for session in sessions {
            let of_it: Vec<Timestamp> =
                left.iter().filter(|(from, _)| *from == session).map(|(_, at)| *at).collect();
            prop_assert!(of_it.len() <= 5.max(left.len() / 3), "{} of {}", of_it.len(), left.len());
            for on in 0..20 {
                prop_assert!(of_it.iter().filter(|at| **at == day(f64::from(on))).count() <= 5);
            }
        }
        if all.len() <= 5 {
            prop_assert_eq!(left.len(), all.len(), "few are all kept");
        }
    }
}

#[test]
fn a_session_alone_never_has_more_than_five_votes() {
    let one = Some(SessionId::from_ulid(Ulid(1)));
    let many: Vec<(Option<SessionId>, Timestamp)> = (0..60).map(|on| (one, day(f64::from(on)))).collect();
    let left = fair(many, |one| *one);
    assert_eq!(
        left.iter().map(|(_, at)| *at).collect::<Vec<_>>(),
        [55, 56, 57, 58, 59].map(|on| day(f64::from(on)))
    );
}

#[test]
fn replay_tells_how_often_the_used_one_would_be_above_the_others() {
    let recalls = [says(0, true), says(1, false), recall(2, &[(0.9, 0.9, true), (0.9, 0.9, false)])];
    let by = |words, table| replayed(&recalls, &ArmWeights { words, table, ..EVEN }).map(|share| share.get());
    assert_eq!(by(1.0, 0.0), Some(0.5));
    assert_eq!(replayed(&recalls[..1], &ArmWeights { words: 0.6, table: 0.4, ..EVEN }).unwrap().get(), 1.0);
    assert_eq!(replayed(&recalls[..1], &ArmWeights { words: 0.4, table: 0.6, ..EVEN }).unwrap().get(), 0.0);
    assert_eq!(replayed(&[recall(0, &[(0.5, 0.5, true)])], &EVEN), None);
}

#[test]
fn the_shares_of_the_arms_are_those_in_play() {
    let weights = Weights::default();
    let of = |with_model| ArmWeights::of(&weights, with_model).shares().unwrap();
    let words: Vec<(String, String)> =
        of(false).iter().map(|(word, share)| (word.to_owned(), format!("{:.3}", share.get()))).collect();
    assert_eq!(words, [("table".to_owned(), "0.444".to_owned()), ("words".to_owned(), "0.556".to_owned())]);
    assert_eq!(
        of(true).iter().map(|(word, _)| word.to_owned()).collect::<Vec<_>>(),
        ["model", "table", "words"]
    );
    assert_eq!(ArmWeights::of(&Weights::NOTHING, false).shares(), None);
    let mut other = weights;
    for with_model in [false, true] {
        ArmWeights::of(&weights, with_model).put(&mut other, with_model);
    }
    assert_eq!(other, weights, "what is taken out can be put back");
}

#[test]
fn noise_is_what_was_shown_five_times_and_ignored_in_more_than_four_of_five() {
    let recalls = |shown: u32, used: u32, via: Surface| -> Vec<RecallLogged> {
        let one = |number: u32| {
            let mut recall = recall(u128::from(number), &[(0.5, 0.5, number < used)]);
            recall.via = via;
            recall
        };
        (0..shown).map(one).collect()
    };
    for (shown, used, expected) in [
        (4, 0, None),
        (5, 0, Some((5, 5))),
        (5, 1, None),
        (6, 1, Some((6, 5))),
        (10, 2, None),
        (11, 2, Some((11, 9))),
    ] {
        let found = noise(&recalls(shown, used, Surface::Tool), day(1.0));
        let told = found.first().map(|noise| (noise.shown, noise.ignored));
        assert_eq!(told, expected, "{used} of {shown}");
    }
    let sound = recalls(6, 0, Surface::Command);
    assert_eq!(noise(&sound, day(1.0)), [Noise { memory: id(0), shown: 6, ignored: 6 }]);
    assert_eq!(noise(&recalls(6, 0, Surface::SessionStart), day(1.0)), []);
    assert_eq!(noise(&sound, day(14.0)).len(), 1);
    assert_eq!(noise(&sound, day(14.1)), []);
    let open: Vec<RecallLogged> =
        sound.into_iter().map(|recall| RecallLogged { settled_at: None, ..recall }).collect();
    assert_eq!(noise(&open, day(1.0)), []);
}

#[test]
fn what_serves_together_was_used_after_one_recall() {
    let pool = [(0.5, 0.5, true), (0.5, 0.5, false), (0.5, 0.5, true), (0.5, 0.5, true)];
    let mut twice = recall(1, &pool[..3]);
    twice.used = vec![id(2), id(0), id(2)];
    let found = together(&[recall(0, &pool), twice]);
    let expected = [((id(0), id(2)), 2), ((id(0), id(3)), 1), ((id(2), id(3)), 1)];
    assert_eq!(found, expected.into());
}

#[test]
fn an_arm_is_asked_for_by_its_own_word() {
    let weights = ArmWeights { words: 0.1, table: 0.2, model: 0.3, graph: 0.4 };
    assert_eq!(Arm::ALL.iter().map(|arm| weights.of_arm(*arm)).collect::<Vec<_>>(), [0.1, 0.2, 0.3, 0.4]);
}
