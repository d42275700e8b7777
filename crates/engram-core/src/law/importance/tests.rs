//! Living importance, by the seeds' numbers, by clear cases and by property.

use super::*;
use crate::law::sample::{day, memory};
use crate::observe::Emotion;
use crate::unit::{Arousal, Confidence, Stability, Valence};
use proptest::prelude::*;

fn factors(memory: &Memory, confirmations: u32, at: f64) -> Factors {
    factors_of(memory, confirmations, Retention::clamped(0.4), day(at))
}

fn living(memory: &Memory, confirmations: u32, at: f64, table: ImportanceTable) -> f64 {
    living_importance(&factors(memory, confirmations, at), table).get()
}

#[test]
fn the_score_of_the_first_seed() {
    for (uses, confidence, utility, tier, days, expected) in [
        // All the defaults: .25 + 0 + .2 x .4 + .15 x .7 + .1 x .5 + 0.
        (0, 0.7, 0.5, Tier::Episodic, 0.0, 0.485),
        (0, 0.7, 0.5, Tier::Semantic, 0.0, 0.535),
        (0, 0.7, 0.5, Tier::Procedural, 0.0, 0.585),
        (5, 0.7, 0.5, Tier::Episodic, 0.0, 0.585),
        (10, 0.7, 0.5, Tier::Episodic, 0.0, 0.685),
        (99, 0.7, 0.5, Tier::Episodic, 0.0, 0.685),
        // Ten days leave e^-1 of the recency.
        (0, 0.7, 0.5, Tier::Episodic, 10.0, 0.235 + 0.25 * 0.367_879_441),
        (0, 0.7, 1.0, Tier::Episodic, 0.0, 0.635),
        (0, 0.7, 0.0, Tier::Episodic, 0.0, 0.435),
        (10, 1.0, 1.0, Tier::Procedural, 0.0, 0.98),
    ] {
        let mut memory = memory(1);
        memory.trace.access_count = uses;
        memory.confidence = Confidence::clamped(confidence);
        memory.utility = Utility::clamped(utility);
        memory.tier = tier;
        let found = living(&memory, 0, days, ImportanceTable::Six);
        assert!((found - expected).abs() < 1e-9, "{uses} {utility} {tier} {days}: {found}, not {expected}");
    }
}

#[test]
fn what_nobody_told_of_is_a_neutral_outcome_and_no_feedback() {
    for (utility, outcome, feedback) in
        [(0.5, 0.5, 0.0), (0.75, 0.75, 0.5), (1.0, 1.0, 1.0), (0.2, 0.2, 0.0), (0.0, 0.0, 0.0)]
    {
        let mut memory = memory(1);
        memory.utility = Utility::clamped(utility);
        let found = factors(&memory, 0, 0.0);
        assert_eq!((found.outcome.get(), found.feedback.get()), (outcome, feedback), "{utility}");
    }
}

#[test]
fn the_factors_of_the_fourth_seed() {
    let mut sample = memory(1);
    let found = factors(&sample, 0, 30.0);
    assert!((found.last_use.get() - 0.5).abs() < 1e-12, "thirty days halve what a person said");
    sample.provenance.trust = Trust::ASSISTANT;
    let found = factors(&sample, 0, 30.0);
    assert!((found.last_use.get() - 0.125).abs() < 1e-12, "ten days halve what an agent said");
    assert_eq!(found.trust.get(), 0.7);

    for (uses, expected) in [(0, 0.0), (1, 0.150_191), (10, 0.519_573), (100, 1.0), (1_000, 1.0)] {
        sample.trace.access_count = uses;
        let found = factors(&sample, 0, 0.0).uses.get();
        assert!((found - expected).abs() < 1e-6, "{uses} uses: {found}");
    }
    for (confirmations, expected) in [(0, 0.0), (1, 0.5), (2, 0.75), (3, 0.875)] {
        assert_eq!(factors(&sample, confirmations, 0.0).confirmations.get(), expected);
    }
    for (stability, expected) in [(30.0, 0.5), (90.0, 0.75), (10.0, 0.25)] {
        sample.trace.stability = Stability::clamped(stability);
        assert!((factors(&sample, 0, 0.0).stability.get() - expected).abs() < 1e-12);
    }
    for (valence, arousal, expected) in [(-0.9, 0.2, 0.9), (0.3, 0.8, 0.8), (0.0, 0.0, 0.0)] {
        let (valence, arousal) = (Valence::clamped(valence), Arousal::clamped(arousal));
        sample.emotion = Some(Emotion { valence, arousal, feeling: None });
        assert_eq!(factors(&sample, 0, 0.0).emotion.get(), expected);
    }
}

#[test]
fn a_clock_that_steps_back_makes_nothing_older_or_newer() {
    let sample = memory(1);
    assert_eq!(factors(&sample, 0, -9.0).recency.get(), 1.0);
    assert_eq!(factors(&sample, 0, -9.0).last_use.get(), 1.0);
}

/// A rule that a person stated, that others confirmed and that is in daily use.
fn proven_rule() -> Memory {
    let mut rule = memory(1);
    rule.tier = Tier::Procedural;
    rule.importance = Importance::clamped(0.8);
    rule.confidence = Confidence::clamped(0.95);
    rule.utility = Utility::clamped(0.85);
    rule.trace.access_count = 20;
    rule.trace.last_used_at = day(39.0);
    rule.trace.stability = Stability::clamped(40.0);
    rule
}

/// Something an extractor noticed once.
fn passing_remark() -> Memory {
    let mut remark = memory(2);
    remark.importance = Importance::clamped(0.4);
    remark.provenance.trust = Trust::ASSISTANT;
    remark
}

#[test]
fn a_proven_rule_is_far_above_a_passing_remark() {
    for (table, rule_at_least, remark_at_most) in
        [(ImportanceTable::Six, 0.6, 0.3), (ImportanceTable::Nine, 0.7, 0.25)]
    {
        let rule = living(&proven_rule(), 3, 40.0, table);
        let remark = living(&passing_remark(), 0, 40.0, table);
        assert!(rule >= rule_at_least, "{table}: {rule}");
        assert!(remark <= remark_at_most, "{table}: {remark}");
    }
}

/// One step down from the proven rule at a time, each clearly below the last.
#[test]
fn nine_puts_clear_cases_in_order() {
    let score = |memory: &Memory, confirmations| living(memory, confirmations, 40.0, ImportanceTable::Nine);
    let rule = proven_rule();
    let unconfirmed = score(&rule, 0);
    let mut forgotten_rule = rule.clone();
    forgotten_rule.trace.last_used_at = day(0.0);
    forgotten_rule.trace.access_count = 2;
    let mut inferred = forgotten_rule.clone();
    inferred.provenance.trust = Trust::INGEST;
    inferred.tier = Tier::Episodic;
    let row = [
        ("proven", score(&rule, 3)),
        ("unconfirmed", unconfirmed),
        ("no longer used", score(&forgotten_rule, 0)),
        ("from a file, an episode", score(&inferred, 0)),
        ("a remark", score(&passing_remark(), 0)),
    ];
    for pair in row.windows(2) {
        assert!(pair[0].1 > pair[1].1 + 0.05, "{pair:?}");
    }
}

#[test]
fn a_number_says_what_it_is_made_of() {
    let mut sample = memory(1);
    sample.importance = Importance::clamped(0.4);
    let factors = factors(&sample, 1, 0.0);
    let told: Vec<String> =
        terms(&factors, ImportanceTable::Nine).iter().map(|term| term.to_string()).collect();
    assert_eq!(told[0], "base .40 x .30 = .12");
    assert_eq!(told[7], "confirmations .50 x .10 = .05");
    assert_eq!(terms(&factors, ImportanceTable::Six)[1].to_string(), "frequency .00 x .20 = .00");
}

#[test]
fn the_weights_add_up_to_one_and_the_bonus_of_six_comes_on_top() {
    let factors = factors(&memory(1), 0, 0.0);
    for (table, expected) in [(ImportanceTable::Six, 1.1), (ImportanceTable::Nine, 1.0)] {
        let sum: f64 = terms(&factors, table).iter().map(|term| term.weight.get()).sum();
        assert!((sum - expected).abs() < 1e-12, "{table}: {sum}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_is_better_in_one_respect_never_matters_less(
        importance in 0.0..=1.0,
        utility in 0.0..=1.0,
        uses in 0_u32..200,
        confirmations in 0_u32..9,
        days in 0.0..300.0,
    ) {
        let mut before = memory(1);
        before.importance = Importance::clamped(importance);
        before.utility = Utility::clamped(utility);
        before.trace.access_count = uses;
        let mut used = before.clone();
        used.trace.access_count += 1;
        let mut praised = before.clone();
        praised.utility = Utility::clamped(utility + 0.1);
        for table in ImportanceTable::ALL {
            let score = living(&before, confirmations, days, *table);
            prop_assert!((0.0..=1.0).contains(&score));
            prop_assert!(living(&used, confirmations, days, *table) >= score - 1e-12);
            prop_assert!(living(&praised, confirmations, days, *table) >= score - 1e-12);
            prop_assert!(living(&before, confirmations + 1, days, *table) >= score - 1e-12);
            prop_assert!(living(&before, confirmations, days + 1.0, *table) <= score + 1e-12);
        }
    }
}
