//! What holds of any session.

use super::{COMMON, Scene, id, minute};
use crate::credit::{Session, plan_credit};
use crate::recalled::Surface;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Words that memories are made of, and words that are in none of them.
const OURS: &[&str] = &["bastion", "tunnel", "`BackoffPolicy`", "quorum", "src/zorbl/a.rs", "45 s", "kasada"];
const ELSE: &[&str] = &["button", "`BlueButton`", "margin", "src/web/b.css", "60 s", "ekranda", "deploy"];

#[derive(Debug, Clone)]
enum Step {
    Shown(Vec<usize>),
    User(Vec<&'static str>),
    Agent(Vec<&'static str>),
    Edited(Vec<&'static str>),
    Ran(&'static str, bool),
    Corrected(usize),
    Pause,
}

fn steps(words: Vec<&'static str>) -> impl Strategy<Value = Vec<Step>> {
    let some = move || proptest::collection::vec(proptest::sample::select(words.clone()), 1..4);
    let commands = vec!["cargo test", "make", "git checkout .", "git stash", "ls"];
    let step = prop_oneof![
        proptest::collection::vec(0..4_usize, 1..3).prop_map(Step::Shown),
        some().prop_map(Step::User),
        some().prop_map(Step::Agent),
        some().prop_map(Step::Edited),
        (proptest::sample::select(commands), any::<bool>()).prop_map(|(command, ok)| Step::Ran(command, ok)),
        (0..4_usize).prop_map(Step::Corrected),
        Just(Step::Pause),
    ];
    proptest::collection::vec(step, 0..40)
}

fn told(texts: &[String], steps: &[Step]) -> Scene {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut at = 0.0;
    steps.iter().fold(Scene::of(&texts), |mut scene, step| {
        at += 1.0;
        match step {
            Step::Shown(memories) => scene.show(at, Surface::Prompt, "", memories),
            Step::User(words) => scene.user(at, &words.join(" ")),
            Step::Agent(words) => scene.agent(at, &words.join(" ")),
            Step::Edited(words) => scene.edit(at, "/p/web/x.css", "a", &words.join(" ")),
            Step::Ran(command, ok) => scene.bash(at, *ok, command),
            Step::Corrected(memory) => {
                scene.corrected.insert(id(*memory), minute(at));
                scene
            }
            Step::Pause => {
                at += 40.0;
                scene
            }
        }
    })
}

fn memories() -> impl Strategy<Value = Vec<String>> {
    let text = proptest::collection::vec(proptest::sample::select(OURS.to_vec()), 1..5);
    proptest::collection::vec(text.prop_map(|words| words.join(" ")), 4)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Tests may pass and fail, edits be kept and taken back, users correct what
    /// they like: a memory of which nothing came up gains and loses nothing.
    #[test]
    fn whatever_is_shown_nothing_is_credited_without_reuse(texts in memories(), steps in steps(ELSE.to_vec())) {
        let credit = told(&texts, &steps).credit();
        prop_assert_eq!(&credit.usages, &[]);
        prop_assert!(credit.settled.iter().all(|settled| settled.used.is_empty()));
    }

    /// What was judged once is judged so again, whatever has happened since, and
    /// each showing gives one usage at most.
    #[test]
    fn what_was_judged_stays(
        texts in memories(),
        steps in steps([OURS, ELSE].concat()),
        known in 0.0..1.0_f64,
    ) {
        let whole = told(&texts, &steps);
        let then = (whole.turns.len() as f64 * known) as usize;
        let at = whole.turns.get(then).map_or(minute(9_999.0), |turn| turn.said_at);
        let shown: Vec<_> = whole.shown.iter().filter(|shown| shown.at < at).cloned().collect();
        let corrected: BTreeMap<_, _> =
            whole.corrected.iter().filter(|(_, corrected_at)| **corrected_at < at).map(|(id, at)| (*id, *at)).collect();
        let earlier = plan_credit(&Session {
            shown: &shown,
            turns: &whole.turns[..then],
            rarity: &COMMON,
            corrected: &corrected,
            skills: &whole.skills,
            over: false,
            at,
        });
        let later = whole.credit();
        prop_assert!(later.usages.len() <= whole.shown.len());
        prop_assert_eq!(&whole.credit(), &later);
        for usage in &earlier.usages {
            let rewritten = whole.corrected.get(&usage.memory) != corrected.get(&usage.memory);
            prop_assert!(rewritten || later.usages.contains(usage), "{:?} is not in {:?}", usage, later.usages);
        }
    }
}
