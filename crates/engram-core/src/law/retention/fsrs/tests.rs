//! The rules against numbers that can be worked out by hand, and against a slow
//! reading of them that shares nothing with the code.

use super::*;
use jiff::Timestamp;
use proptest::prelude::*;

fn trace(stability: f64, difficulty: Option<f64>) -> Trace {
    Trace {
        access_count: 0,
        last_used_at: Timestamp::UNIX_EPOCH,
        stability: Stability::new(stability).unwrap(),
        difficulty: difficulty.map(|value| Difficulty::new(value).unwrap()),
        fades_at: None,
    }
}

fn days(n: f64) -> SignedDuration {
    SignedDuration::from_secs_f64(n * 86_400.0)
}

/// The rules as they are written down, one sum at a time, ratings as numbers.
fn by_the_book(stability: f64, difficulty: f64, retention: f64, idle: f64, rating: u32) -> (f64, f64) {
    let e = std::f64::consts::E;
    let easiest = 6.4133 - e.powf(0.8334 * 3.0) + 1.0;
    let change = match rating {
        1 => 2.0 * 3.0194,
        2 => 3.0194,
        3 => 0.0,
        _ => -3.0194,
    };
    let damped = difficulty + change * (10.0 - difficulty) / 9.0;
    let next_difficulty = (0.001 * easiest + 0.999 * damped).clamp(1.0, 10.0);
    let next = if idle < 1.0 {
        let exponent = match rating {
            1 => 0.5425 * (0.0912 - 2.0),
            2 => 0.5425 * (0.0912 - 1.0),
            3 => 0.5425 * 0.0912,
            _ => 0.5425 * (0.0912 + 1.0),
        };
        let product = stability * e.powf(exponent) / stability.powf(0.0658);
        if rating == 1 { product } else { product.max(stability) }
    } else if rating == 1 {
        let long = 1.4835 / difficulty.powf(0.0614);
        let long = long * ((1.0 + stability).powf(0.2629) - 1.0);
        let long = long * e.powf(1.6483 - 1.6483 * retention);
        let short = stability / e.powf(0.5425 * 0.0912);
        if long < short { long } else { short }
    } else {
        let gain = e.powf(1.8722) * (11.0 - difficulty) / stability.powf(0.1666);
        let gain = gain * (e.powf(0.796 - 0.796 * retention) - 1.0);
        let gain = match rating {
            2 => gain * 0.6014,
            3 => gain,
            _ => gain * 1.8729,
        };
        stability + stability * gain
    };
    (next.clamp(0.001, 36_500.0), next_difficulty)
}

#[test]
fn the_first_grade_sets_stability_and_difficulty() {
    for (grade, stability, difficulty) in [
        (Grade::Failed, 0.212, 6.4133),
        (Grade::Ignored, 1.2931, 5.1122),
        (Grade::Used, 2.3065, 2.1181),
        (Grade::Succeeded, 8.2956, 1.0),
    ] {
        assert_eq!(grade.first_stability().get(), stability, "{grade}");
        assert!((grade.first_difficulty().get() - difficulty).abs() < 1e-4, "{grade}");
    }
    assert_eq!(Grade::Used.first_stability(), Stability::FIRST);
}

/// A stability of one and a difficulty of ten make every power and product of
/// the rules one, so that little is left to work out.
#[test]
fn what_can_be_worked_out_by_hand() {
    use Grade::*;
    for (stability, difficulty, retention, idle, grade, expected) in [
        // 1 + e^1.8722 (e^.0796 - 1), the gain times .6014 and 1.8729.
        (1.0, 10.0, 0.9, 1.0, Used, 1.538_76),
        (1.0, 10.0, 0.9, 1.0, Ignored, 1.324_01),
        (1.0, 10.0, 0.9, 1.0, Succeeded, 2.009_05),
        // 1.4835 (2^.2629 - 1) e^.16483.
        (1.0, 1.0, 0.9, 1.0, Failed, 0.349_67),
        // The cap: the stability over e^.049476.
        (0.1, 1.0, 0.0, 1.0, Failed, 0.095_173),
        // What was wholly reachable teaches nothing.
        (7.0, 3.0, 1.0, 5.0, Succeeded, 7.0),
        // The same day: e^(.5425 x 1.0912), e^(-.5425 x 1.9088), and the bound.
        (1.0, 5.0, 1.0, 0.5, Succeeded, 1.807_56),
        (1.0, 5.0, 1.0, 0.5, Failed, 0.355_04),
        (1.0, 5.0, 1.0, 0.5, Used, 1.050_72),
        (1.0, 5.0, 1.0, 0.5, Ignored, 1.0),
        (9.0, 5.0, 1.0, 0.5, Used, 9.0),
    ] {
        let trace = trace(stability, Some(difficulty));
        let (found, _) = graded(&trace, Retention::clamped(retention), days(idle), grade);
        let found = found.get();
        assert!((found - expected).abs() < 1e-4, "{stability} {grade}: {found}, not {expected}");
    }
}

#[test]
fn a_bad_grade_makes_it_harder_and_a_good_one_easier() {
    for (difficulty, grade, expected) in [
        // .999 x 10 less .001 x 4.7741, which is where the best grade starts.
        (10.0, Grade::Failed, 9.9852),
        (5.0, Grade::Used, 4.9902),
        (1.0, Grade::Failed, 7.0270),
        (1.0, Grade::Succeeded, 1.0),
    ] {
        let (_, found) = graded(&trace(5.0, Some(difficulty)), Retention::FULL, days(3.0), grade);
        assert!((found.get() - expected).abs() < 1e-4, "{difficulty} {grade}: {found:?}");
    }
}

#[test]
fn what_was_never_graded_counts_as_used_once() {
    let known = trace(5.0, Some(Grade::Used.first_difficulty().get()));
    for grade in Grade::ALL {
        let [never, once] = [&trace(5.0, None), &known]
            .map(|trace| graded(trace, Retention::clamped(0.8), days(3.0), *grade));
        assert_eq!(never, once);
    }
}

#[test]
fn each_outcome_is_a_grade() {
    let grades: Vec<Grade> = Outcome::ALL.iter().map(|outcome| grade_of(*outcome)).collect();
    assert_eq!(grades, [Grade::Succeeded, Grade::Used, Grade::Ignored, Grade::Failed]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn grading_goes_by_the_book(
        stability in -3.0..4.5_f64, difficulty in 1.0..=10.0_f64, retention in 0.0..=1.0_f64, idle in 0.0..3.0_f64,
    ) {
        let stability = 10.0_f64.powf(stability);
        for (grade, rating) in Grade::ALL.iter().zip(1..) {
            let trace = trace(stability, Some(difficulty));
            let found = graded(&trace, Retention::clamped(retention), days(idle), *grade);
            let expected = by_the_book(stability, difficulty, retention, idle, rating);
            prop_assert!((found.0.get() / expected.0 - 1.0).abs() < 1e-9, "{grade}: {found:?}, not {expected:?}");
            prop_assert!((found.1.get() - expected.1).abs() < 1e-9, "{grade}: {found:?}, not {expected:?}");
        }
    }

    #[test]
    fn a_better_grade_is_never_less_stable_nor_harder(
        stability in -3.0..4.5_f64, difficulty in 1.0..=10.0_f64, retention in 0.0..=1.0_f64, idle in 0.0..3.0_f64,
    ) {
        let trace = trace(10.0_f64.powf(stability), Some(difficulty));
        let results: Vec<(Stability, Difficulty)> = Grade::ALL
            .iter()
            .map(|grade| graded(&trace, Retention::clamped(retention), days(idle), *grade))
            .collect();
        for pair in results.windows(2) {
            prop_assert!(pair[0].0 <= pair[1].0 && pair[0].1 >= pair[1].1, "{results:?}");
        }
        prop_assert!(results[0].0 <= trace.stability && trace.stability <= results[1].0, "{results:?}");
    }

    #[test]
    fn however_a_memory_is_graded_it_stays_in_its_ranges(
        grades in proptest::collection::vec((proptest::sample::select(Grade::ALL), 0.0..400.0_f64, 0.0..=1.0_f64), 0..40),
    ) {
        let mut trace = trace(2.3065, None);
        for (grade, idle, retention) in grades {
            let (stability, difficulty) = graded(&trace, Retention::clamped(retention), days(idle), grade);
            prop_assert!(Stability::new(stability.get()).is_ok() && Difficulty::new(difficulty.get()).is_ok());
            trace.stability = stability;
            trace.difficulty = Some(difficulty);
        }
    }
}
