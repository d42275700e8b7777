//! The curves on the numbers they are given by, and what must hold of each.

use super::*;
use crate::change::{Actor, Cause, Write};
use crate::id::{IdMint, OperationId};
use crate::memory::Provenance;
use crate::plan::{Draft, Occasion, plan_remember};
use crate::status::StatusChange;
use crate::unit::{Confidence, Importance, Stability};
use proptest::prelude::*;

/// The last moment of the calendar stands for every day after it.
fn day(n: f64) -> Timestamp {
    Timestamp::UNIX_EPOCH.saturating_add(SignedDuration::from_secs_f64(n * SECONDS_A_DAY)).unwrap()
}

/// A memory of a project that was last used on day nought.
fn memory(tier: Tier, stability: f64, uses: u32) -> Memory {
    let at = Timestamp::UNIX_EPOCH;
    let operation = OperationId::from_ulid(IdMint::seeded(1).mint(at));
    let occasion = Occasion { operation, actor: Actor::Human, at, recorded_at: at };
    let draft = Draft::parse("the build takes nine minutes", 100).unwrap();
    let mut writes =
        plan_remember(draft, Scope::Project, Provenance::stated_by(Actor::Human), occasion).writes;
    let Some(Write::Create { memory }) = writes.pop() else { panic!("a memory is born") };
    let mut memory = *memory;
    memory.tier = tier;
    memory.trace.stability = Stability::new(stability).unwrap();
    memory.trace.access_count = uses;
    memory
}

fn extracted(mut memory: Memory) -> Memory {
    memory.provenance.trust = Trust::ASSISTANT;
    memory
}

fn archived(mut memory: Memory, at: Timestamp) -> Memory {
    memory.status = Status::Archived;
    memory.status_change = StatusChange { at, reason: "faded".to_owned(), cause: Cause::Mark };
    memory
}

#[track_caller]
fn near(found: f64, expected: f64, slack: f64) {
    assert!((found - expected).abs() <= slack, "{found}, not {expected}");
}

#[test]
fn the_default_reads_nine_tenths_when_as_many_days_passed_as_it_is_stable() {
    for stability in [0.5, 2.3065, 30.0, 400.0] {
        let left = retention_of(&memory(Tier::Semantic, stability, 0), Model::DEFAULT, day(stability));
        near(left.get(), 0.9, 1e-9);
    }
}

/// Each row is plain from its formula: a root, a power of a half, a line.
#[test]
fn each_model_reads_what_its_formula_says() {
    use Model::*;
    let fact = memory(Tier::Semantic, 10.0, 0);
    let used = memory(Tier::Semantic, 10.0, 20);
    let heard = extracted(fact.clone());
    for (model, memory, days, expected) in [
        (Power, &fact, 90.0, 0.25),
        (Power, &fact, 10.0, 0.81),
        (Exponential, &fact, 7.0, 0.5),
        (Exponential, &fact, 21.0, 0.125),
        (Exponential, &used, 28.0, 0.5),
        (L2, &fact, 30.0, 0.5),
        (L2, &heard, 10.0, 0.5),
        (L2, &heard, 30.0, 0.125),
        // Odds of one to one become odds of thirteen to ten.
        (L2, &used, 30.0, 13.0 / 23.0),
        (Huber, &fact, 15.0, 0.5_f64.sqrt()),
        (Huber, &fact, 30.0, 0.5),
        (Huber, &fact, 105.0, 0.25),
        (Huber, &fact, 180.0, 0.0),
        (Huber, &fact, 400.0, 0.0),
        (Elastic, &fact, 30.0, 0.375),
        (Elastic, &fact, 60.0, 0.0625),
        (Elastic, &fact, 70.0, 0.0),
        (Elastic, &used, 70.0, 0.234_45),
    ] {
        let found = retention_of(memory, model, day(days)).get();
        assert!((found - expected).abs() < 1e-4, "{model} after {days}: {found}, not {expected}");
    }
}

#[test]
fn exponential_has_a_half_life_for_each_tier_and_the_scopes_own_for_the_codebase() {
    for (tier, scope, uses, days) in [
        (Tier::Working, Scope::Project, 0, 1.0 / 24.0),
        (Tier::Episodic, Scope::User, 0, 1.0),
        (Tier::Semantic, Scope::Project, 0, 7.0),
        (Tier::Procedural, Scope::Project, 0, 30.0),
        (Tier::Codebase, Scope::Project, 0, 7.0),
        (Tier::Codebase, Scope::User, 0, 30.0),
        (Tier::Semantic, Scope::Project, 10, 17.5),
        (Tier::Semantic, Scope::User, 10, 21.0),
    ] {
        let mut memory = memory(tier, 1.0, uses);
        memory.scope = scope;
        let left = retention_of(&memory, Model::Exponential, day(days)).get();
        assert!((left - 0.5).abs() < 1e-9, "{tier} {scope} {uses}: {left}");
    }
}

#[test]
fn a_day_counts_for_ten_in_the_working_tier_and_for_three_in_the_episodic_one() {
    for model in [Model::Fsrs6, Model::Power, Model::L2, Model::Huber, Model::Elastic] {
        for (tier, days) in [(Tier::Working, 0.6), (Tier::Episodic, 2.0), (Tier::Procedural, 6.0)] {
            let fast = retention_of(&memory(tier, 5.0, 2), model, day(days)).get();
            let slow = retention_of(&memory(Tier::Semantic, 5.0, 2), model, day(6.0)).get();
            near(fast, slow, 1e-12);
        }
    }
}

/// The thresholds are stated on `power`; design section 3 gives what the
/// default reads at the same moments. The others follow from their formulas,
/// and what ends before a threshold reads nothing there.
#[test]
fn the_thresholds_on_the_scale_of_each_model() {
    for (model, expected) in [
        (Model::Fsrs6, [0.72, 0.66, 0.63, 0.59, 0.51]),
        (Model::Power, [0.3, 0.15, 0.1, 0.05, 0.01]),
        (Model::Exponential, [0.4570, 0.2231, 0.1287, 0.0372, 0.0002]),
        (Model::L2, [0.4570, 0.2231, 0.1287, 0.0372, 0.0002]),
        (Model::Huber, [0.4870, 0.3836, 0.3042, 0.1250, 0.0]),
        (Model::Elastic, [0.4227, 0.1313, 0.0, 0.0, 0.0]),
    ] {
        for (held, expected) in [0.3, 0.15, 0.1, 0.05, 0.01].into_iter().zip(expected) {
            let found = model_reads(model, Retention::clamped(held)).get();
            let slack = if model == Model::Fsrs6 { 0.006 } else { 0.0001 };
            assert!((found - expected).abs() <= slack, "{model} at {held}: {found}, not {expected}");
        }
    }
}

/// Also where a model has nothing left to read.
#[test]
fn every_threshold_is_passed_under_every_model() {
    for model in Model::ALL {
        for uses in [0, 1, 30] {
            let fact = memory(Tier::Semantic, 2.0, uses);
            for threshold in [0.3, 0.15, 0.1, 0.05, 0.01] {
                let passed = (0..200_000)
                    .step_by(10)
                    .find(|days| held_at(&fact, *model, day(f64::from(*days))).get() < threshold);
                assert!(passed.is_some_and(|days| days > 0), "{model} {uses} {threshold}: {passed:?}");
            }
        }
    }
}

#[test]
fn nothing_fades_in_a_session() {
    let mut note = memory(Tier::Working, 0.5, 0);
    note.scope = Scope::Session;
    for model in Model::ALL {
        assert_eq!(retention_of(&note, *model, day(300.0)), Retention::FULL);
        assert_eq!(held_at(&note, *model, day(300.0)), Retention::FULL);
        assert_eq!(held_unfrozen_at(&note, *model, day(300.0)), Retention::FULL);
        assert_eq!(fades_at(&note, *model), None);
    }
}

#[test]
fn what_is_archived_is_frozen_and_is_still_forgotten_in_the_end() {
    for model in Model::ALL {
        let kept = memory(Tier::Semantic, 2.0, 1);
        let gone = archived(kept.clone(), day(20.0));
        assert_eq!(retention_of(&gone, *model, day(900.0)), retention_of(&kept, *model, day(20.0)));
        assert_eq!(held_at(&gone, *model, day(900.0)), held_at(&kept, *model, day(20.0)));
        assert_eq!(held_unfrozen_at(&gone, *model, day(900.0)), held_at(&kept, *model, day(900.0)));
        let left = gone.importance.get() * held_unfrozen_at(&gone, *model, day(9_000.0)).get();
        assert!(left < 0.01, "{model}");
    }
}

#[test]
fn a_clock_that_steps_back_changes_nothing() {
    for model in Model::ALL {
        let note = memory(Tier::Working, 5.0, 3);
        assert_eq!(retention_of(&note, *model, day(-3.0)), Retention::FULL);
        assert_eq!(held_at(&note, *model, day(-3.0)), Retention::FULL);
    }
}

#[test]
fn a_deadline_beyond_the_calendar_and_of_what_was_forgotten_is_no_deadline() {
    for model in Model::ALL {
        let mut eternal = memory(Tier::Semantic, 36_500.0, 0);
        eternal.trace.last_used_at = Timestamp::MAX;
        assert_eq!(fades_at(&eternal, *model), None);
        let mut often = memory(Tier::Semantic, 36_500.0, u32::MAX);
        often.status = Status::Forgotten;
        assert_eq!(fades_at(&often, *model), None);
    }
}

#[test]
fn strength_is_shown_by_the_model_and_compared_on_the_scale_of_the_thresholds() {
    let mut fact = memory(Tier::Semantic, 10.0, 0);
    fact.importance = Importance::clamped(0.8);
    fact.confidence = Confidence::clamped(0.5);
    let at = day(90.0);
    near(strength_at(&fact, Model::Power, at).get(), 0.8 * 0.5 * 0.25, 1e-12);
    near(held_at(&fact, Model::Fsrs6, at).get(), 0.25, 1e-12);
    assert!(strength_at(&fact, Model::Fsrs6, at).get() > 0.8 * 0.5 * 0.25);
}

#[test]
fn a_grade_changes_stability_and_difficulty_and_nothing_else_of_the_trace() {
    let fact = memory(Tier::Semantic, 4.0, 3);
    for model in Model::ALL {
        let graded = graded_at(&fact, *model, Grade::Used, day(8.0));
        assert!(graded.stability > fact.trace.stability, "{model}");
        assert_eq!(graded.access_count, fact.trace.access_count);
        assert_eq!(graded.last_used_at, fact.trace.last_used_at);
        assert!(graded.difficulty.is_some());
    }
    // Under `fsrs6` and `power` as many stabilities have passed.
    let [one, other] =
        [Model::Fsrs6, Model::Power].map(|model| graded_at(&fact, model, Grade::Used, day(8.0)));
    assert_eq!(one, other);
}

fn any_memory() -> impl Strategy<Value = Memory> {
    let tier = proptest::sample::select(Tier::ALL);
    let scope = proptest::sample::select(&[Scope::Project, Scope::User][..]);
    let uses = prop_oneof![0_u32..40, Just(u32::MAX)];
    (tier, scope, -3.0..4.0_f64, uses, any::<bool>()).prop_map(|(tier, scope, stability, uses, said)| {
        let mut memory = memory(tier, 10.0_f64.powf(stability), uses);
        memory.scope = scope;
        if said { memory } else { extracted(memory) }
    })
}

/// Days of every order: an hour as well as a century.
fn any_days() -> impl Strategy<Value = f64> {
    (-3.0..4.6_f64).prop_map(|power| 10.0_f64.powf(power))
}

/// What arithmetic alone may add.
const DUST: f64 = 1e-9;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn every_reading_lies_between_one_at_first_and_what_the_reading_before_it_was(
        memory in any_memory(), days in any_days(), more in any_days(),
    ) {
        for model in Model::ALL {
            for read in [retention_of, held_at, held_unfrozen_at] {
                prop_assert_eq!(read(&memory, *model, day(0.0)), Retention::FULL);
                let [early, late] = [days, days + more].map(|days| read(&memory, *model, day(days)).get());
                prop_assert!((0.0..=1.0).contains(&early));
                prop_assert!(late <= early + DUST, "{model}: {early} then {late}");
            }
        }
    }

    /// No course falls faster than ten a unit of its time, so that a short time
    /// changes little wherever it lies.
    #[test]
    fn no_reading_jumps(memory in any_memory(), units in 0.0..200.0_f64) {
        for model in Model::ALL {
            let pace = pace_of(&memory, *model);
            for step in [1e-3, 1e-5] {
                for read in [retention_of, held_at] {
                    let [here, there] =
                        [units, units + step].map(|units| read(&memory, *model, day(units * pace)).get());
                    // A moment is told to the nanosecond, and a stability may be a minute.
                    let told = 1e-9 / (pace * SECONDS_A_DAY);
                    prop_assert!((here - there).abs() <= 10.0 * (step + told), "{model} at {units}: {here} {there}");
                }
            }
        }
    }

    #[test]
    fn no_reading_jumps_where_a_course_bends_or_ends(memory in any_memory()) {
        for model in [Model::Huber, Model::Elastic] {
            let pace = pace_of(&memory, model);
            for turn in [1.0, curve_of(&memory, model).reaches(0.0)] {
                for read in [retention_of, held_at] {
                    let [before, after] =
                        [-1e-6, 1e-6].map(|step| read(&memory, model, day((turn + step) * pace)).get());
                    prop_assert!((before - after).abs() < 1e-4, "{model} at {turn}: {before} {after}");
                }
            }
        }
    }

    #[test]
    fn the_deadline_is_where_the_curve_meets_the_threshold(memory in any_memory()) {
        for model in Model::ALL {
            let Some(at) = fades_at(&memory, *model) else { continue };
            let threshold = model_reads(*model, Retention::clamped(FADED)).get();
            let found = retention_of(&memory, *model, at).get();
            prop_assert!((found - threshold).abs() < 1e-6, "{model}: {found}, not {threshold}");
            let held = held_at(&memory, *model, at).get();
            prop_assert!((held - FADED).abs() < 1e-6, "{model}: {held}");
        }
    }

    #[test]
    fn each_course_is_undone_by_its_inverse(
        left in 0.001..1.0_f64, uses in prop_oneof![0_u32..40, Just(u32::MAX)],
    ) {
        for model in Model::ALL {
            let curve = Curve { model: *model, uses };
            let found = curve.at(curve.reaches(left));
            prop_assert!((found - left).abs() < 1e-9, "{model}: {found}, not {left}");
        }
    }

    #[test]
    fn more_uses_never_read_lower(memory in any_memory(), more in 1_u32..50, days in any_days()) {
        let mut used = memory.clone();
        used.trace.access_count = memory.trace.access_count.saturating_add(more);
        for model in Model::ALL {
            for read in [retention_of, held_at] {
                let [seldom, often] = [&memory, &used].map(|memory| read(memory, *model, day(days)).get());
                prop_assert!(often >= seldom - DUST, "{model}: {seldom} then {often}");
            }
        }
    }

    #[test]
    fn what_is_trusted_more_never_reads_lower(
        memory in any_memory(), trusts in (0.0..=1.0_f64, 0.0..=1.0_f64), days in any_days(),
    ) {
        let trusted = |trust: f64| {
            let mut memory = memory.clone();
            memory.provenance.trust = Trust::clamped(trust);
            memory
        };
        let less = trusted(trusts.0.min(trusts.1));
        for model in Model::ALL {
            for more in [trusted(trusts.0.max(trusts.1)), trusted(1.0)] {
                for read in [retention_of, held_at] {
                    prop_assert!(read(&more, *model, day(days)) >= read(&less, *model, day(days)), "{model}");
                }
            }
        }
    }

    #[test]
    fn as_much_is_held_after_as_many_stabilities(memory in any_memory(), days in any_days()) {
        let [one, other] = [Model::Fsrs6, Model::Power].map(|model| held_at(&memory, model, day(days)));
        prop_assert_eq!(one, other);
        prop_assert_eq!(one, retention_of(&memory, Model::Power, day(days)));
        // What the threshold reads on a model is what is held there.
        for model in Model::ALL {
            let mut plain = memory.clone();
            plain.trace.access_count = 0;
            let read = retention_of(&plain, *model, day(days)).get();
            let told = model_reads(*model, held_at(&plain, *model, day(days))).get();
            prop_assert!((read - told).abs() < 1e-6, "{model}: {read} {told}");
        }
    }
}
