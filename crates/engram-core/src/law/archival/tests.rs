//! Archival, at every boundary of the table.

use super::*;
use crate::kind::Kind;
use crate::law::floating_threshold;
use crate::law::sample::{day, memory};
use crate::observe::Emotion;
use crate::unit::{Arousal, Confidence, Importance, Trust, Valence};
use proptest::prelude::*;

/// An episode that no rule takes: used the day before, of middling importance.
fn sound(scope: Scope, tier: Tier) -> Memory {
    let mut memory = memory(1);
    memory.scope = scope;
    memory.tier = tier;
    memory.kind = Kind::Observation;
    memory.confidence = Confidence::clamped(1.0);
    memory
}

fn episode() -> Memory {
    sound(Scope::Project, Tier::Episodic)
}

/// Nobody is used more than that.
fn no_mean() -> MeanUses {
    MeanUses::clamped(f64::from(u32::MAX))
}

fn rule(memory: &Memory, held: f64, days: f64) -> Option<ArchivalRule> {
    archival_rule(memory, Retention::clamped(held), no_mean(), day(days))
}

fn used(mut memory: Memory, uses: u32, last_used: f64) -> Memory {
    memory.trace.access_count = uses;
    memory.trace.last_used_at = day(last_used);
    memory
}

fn important(mut memory: Memory, importance: f64) -> Memory {
    memory.importance = Importance::clamped(importance);
    memory
}

fn useful(mut memory: Memory, utility: f64) -> Memory {
    memory.utility = Utility::clamped(utility);
    memory
}

#[test]
fn what_said_until_when_it_holds_goes_from_that_moment_on() {
    for tier in ALL_BUT_CODE {
        for (days, expected) in
            [(19.9, None), (20.0, Some(ArchivalRule::Expired)), (20.1, Some(ArchivalRule::Expired))]
        {
            let mut memory = used(sound(Scope::User, *tier), 9, 19.0);
            memory.validity.valid_until = Some(day(20.0));
            assert_eq!(rule(&memory, 1.0, days), expected, "{tier} {days}");
        }
    }
}

#[test]
fn what_proved_useless_goes_after_thirty_days_without_use() {
    for tier in ALL_BUT_CODE {
        for (utility, idle, expected) in [
            (0.149, 30.0, Some(ArchivalRule::UtilityFloor)),
            (0.149, 30.1, Some(ArchivalRule::UtilityFloor)),
            (0.149, 29.9, None),
            (0.15, 30.0, None),
            (0.151, 59.0, None),
        ] {
            let memory = useful(used(sound(Scope::User, *tier), 9, 10.0), utility);
            assert_eq!(rule(&memory, 1.0, 10.0 + idle), expected, "{tier} {utility} {idle}");
        }
    }
}

#[test]
fn knowledge_goes_when_it_served_badly_and_nobody_asks_for_sixty_days() {
    for tier in KNOWLEDGE {
        for (utility, idle, expected) in [
            (0.199, 59.9, None),
            (0.199, 60.0, Some(ArchivalRule::IdleKnowledge)),
            (0.199, 60.1, Some(ArchivalRule::IdleKnowledge)),
            (0.2, 60.0, None),
            (0.201, 900.0, None),
        ] {
            let memory = useful(used(sound(Scope::Project, *tier), 0, 10.0), utility);
            assert_eq!(rule(&memory, 0.0, 10.0 + idle), expected, "{tier} {utility} {idle}");
        }
    }
    let episode = useful(used(episode(), 5, 10.0), 0.19);
    assert_eq!(rule(&episode, 1.0, 70.0), None, "an episode is not knowledge");
}

#[test]
fn the_weak_rule_of_the_first_seed() {
    for (importance, held, uses, expected) in [
        (0.5, 0.199, 1, Some(ArchivalRule::Weak)),
        (0.5, 0.2, 1, None),
        (0.5, 0.201, 1, None),
        (0.5, 0.199, 2, None),
        (0.5, 0.0, 0, Some(ArchivalRule::Weak)),
        (0.099, 1.0, 0, Some(ArchivalRule::Weak)),
        (0.1, 1.0, 0, None),
    ] {
        for scope in [Scope::Session, Scope::Project] {
            let memory = used(important(sound(scope, Tier::Episodic), importance), uses, 9.0);
            assert_eq!(rule(&memory, held, 10.0), expected, "{scope} {importance} {held} {uses}");
        }
    }
    let users = used(sound(Scope::User, Tier::Episodic), 0, 9.0);
    assert_eq!(rule(&users, 0.1, 10.0), None, "the user's go by a slower rule");
}

/// Confidence is what tells the faint from the weak.
fn doubtful(scope: Scope, confidence: f64, uses: u32, last_used: f64) -> Memory {
    let mut memory = used(sound(scope, Tier::Episodic), uses, last_used);
    memory.confidence = Confidence::clamped(confidence);
    memory
}

#[test]
fn the_faint_rules_of_the_second_seed() {
    use ArchivalRule::{Faint, FaintForUser};
    for (scope, held, confidence, uses, days, expected) in [
        (Scope::Project, 0.5, 0.199, 1, 14.1, Some(Faint)),
        (Scope::Project, 0.5, 0.2, 1, 14.1, None),
        (Scope::Project, 0.5, 0.201, 1, 14.1, None),
        (Scope::Project, 0.5, 0.199, 1, 14.0, None),
        (Scope::Project, 0.5, 0.199, 1, 13.9, None),
        (Scope::Project, 0.5, 0.199, 2, 14.1, None),
        (Scope::User, 0.25, 0.159, 1, 90.1, Some(FaintForUser)),
        (Scope::User, 0.25, 0.16, 1, 90.1, None),
        (Scope::User, 0.25, 0.161, 1, 90.1, None),
        (Scope::User, 0.25, 0.159, 1, 90.0, None),
        (Scope::User, 0.25, 0.159, 1, 89.9, None),
        (Scope::User, 0.25, 0.159, 2, 90.1, None),
        (Scope::User, 0.5, 0.199, 1, 60.0, None),
        (Scope::Session, 0.5, 0.1, 1, 90.0, None),
    ] {
        let memory = doubtful(scope, confidence, uses, days - 5.0);
        assert_eq!(rule(&memory, held, days), expected, "{scope} {held} {confidence} {uses} {days}");
    }
}

#[test]
fn what_nobody_used_for_ninety_days_goes() {
    for scope in Scope::OWN {
        for (idle, expected) in
            [(89.9, None), (90.0, Some(ArchivalRule::Unused)), (90.1, Some(ArchivalRule::Unused))]
        {
            let memory = used(sound(*scope, Tier::Episodic), 9, 10.0);
            assert_eq!(rule(&memory, 0.5, 10.0 + idle), expected, "{scope} {idle}");
        }
    }
}

#[test]
fn the_faded_rule_of_the_fourth_seed() {
    for (importance, held, uses, days, expected) in [
        (0.29, 0.149, 2, 90.1, Some(ArchivalRule::Faded)),
        (0.3, 0.149, 2, 90.1, None),
        (0.31, 0.149, 2, 90.1, None),
        (0.29, 0.15, 2, 90.1, None),
        (0.29, 0.151, 2, 90.1, None),
        (0.29, 0.149, 3, 90.1, None),
        (0.29, 0.149, 2, 90.0, None),
        (0.29, 0.149, 2, 89.9, None),
    ] {
        let memory = used(important(episode(), importance), uses, 80.0);
        assert_eq!(rule(&memory, held, days), expected, "{importance} {held} {uses} {days}");
    }
}

/// The better reason of two is the one that is told.
#[test]
fn evidence_comes_before_faintness() {
    let mut all = useful(used(important(sound(Scope::Project, Tier::Semantic), 0.05), 0, 0.0), 0.1);
    all.validity.valid_until = Some(day(30.0));
    let mut found = Vec::new();
    found.extend(rule(&all, 0.0, 200.0));
    all.validity.valid_until = None;
    found.extend(rule(&all, 0.0, 200.0));
    all = useful(all, 0.16);
    found.extend(rule(&all, 0.0, 200.0));
    all.tier = Tier::Episodic;
    found.extend(rule(&all, 0.0, 200.0));
    all.importance = Importance::clamped(1.0);
    all.confidence = Confidence::clamped(0.1);
    found.extend(rule(&all, 0.4, 200.0));
    all.confidence = Confidence::clamped(1.0);
    found.extend(rule(&all, 0.4, 200.0));
    use ArchivalRule::*;
    assert_eq!(found, [Expired, UtilityFloor, IdleKnowledge, Weak, Faint, Unused]);
    let in_glossary: Vec<usize> =
        found.iter().filter_map(|rule| ArchivalRule::ALL.iter().position(|one| one == rule)).collect();
    assert!(in_glossary.is_sorted(), "the words are in the order of the table");
}

#[test]
fn what_is_used_more_than_the_others_is_spared_by_age_and_not_by_evidence() {
    let old = used(episode(), 3, 0.0);
    let quiet = floating_threshold([0, 3, 3].into_iter());
    let busy = floating_threshold([3, 9, 30].into_iter());
    let found = |memory: &Memory, mean| archival_rule(memory, Retention::clamped(0.0), mean, day(200.0));
    assert_eq!(found(&old, quiet), None);
    assert_eq!(found(&old, busy), Some(ArchivalRule::Unused));
    assert_eq!(found(&useful(old, 0.1), quiet), Some(ArchivalRule::UtilityFloor));
}

fn stirred(mut memory: Memory, arousal: f64) -> Memory {
    let (valence, arousal) = (Valence::clamped(-0.5), Arousal::clamped(arousal));
    memory.emotion = Some(Emotion { valence, arousal, feeling: None });
    memory
}

fn reminder(mut memory: Memory) -> Memory {
    let asked = Reminder { text: "renew the certificate".to_owned(), when: None, due_at: Some(day(900.0)) };
    memory.structured = Some(asked.to_structured());
    memory
}

#[test]
fn what_is_protected_says_by_what() {
    let plain = episode();
    for (memory, days, expected) in [
        (plain.clone(), 7.0, None),
        (plain.clone(), 6.9, Some("not as old as its kind is kept at least")),
        (Memory { pinned: true, ..plain.clone() }, 900.0, Some("pinned")),
        (Memory { immutable: true, ..plain.clone() }, 900.0, Some("immutable")),
        (stirred(plain.clone(), 0.8), 900.0, Some("flashbulb")),
        (stirred(plain.clone(), 0.79), 900.0, None),
        (Memory { tier: Tier::Codebase, ..plain.clone() }, 900.0, Some("drawn from the code base")),
        (Memory { kind: Kind::Preference, ..plain.clone() }, 900.0, Some("of a kind that is kept for good")),
        (
            Memory { kind: Kind::Decision, ..plain.clone() },
            44.9,
            Some("not as old as its kind is kept at least"),
        ),
        (Memory { kind: Kind::Decision, ..plain.clone() }, 45.0, None),
        (Memory { status: Status::Archived, ..plain.clone() }, 900.0, Some("not in force")),
        (Memory { status: Status::Superseded, ..plain.clone() }, 900.0, Some("not in force")),
        (Memory { status: Status::Challenged, ..plain.clone() }, 900.0, None),
        (Memory { status: Status::Consolidated, ..plain.clone() }, 900.0, None),
        (reminder(plain.clone()), 900.0, Some("waits to be told")),
    ] {
        assert_eq!(is_protected(&memory, day(days)), expected, "{memory:?}");
        if expected.is_some() {
            assert_eq!(rule(&memory, 0.0, days), None);
        }
    }
}

#[test]
fn age_alone_never_takes_what_is_known_or_drawn_from_the_code() {
    for tier in [Tier::Semantic, Tier::Procedural, Tier::Codebase] {
        for scope in Scope::ALL {
            let old = important(sound(*scope, tier), 0.0);
            assert_eq!(rule(&old, 0.0, 10_000.0), None, "{scope} {tier}");
        }
    }
    let useless = useful(sound(Scope::Project, Tier::Codebase), 0.0);
    assert_eq!(rule(&useless, 0.0, 10_000.0), None);
}

#[test]
fn of_two_that_contradict_each_other_the_older_goes() {
    let older = episode();
    let mut newer = memory(2);
    newer.kind = Kind::Observation;
    newer.validity.valid_from = day(3.0);
    let goes = |older: &Memory, newer: &Memory| {
        let found = contradicted(older, newer, day(50.0)).map(|memory| memory.id);
        assert_eq!(contradicted(newer, older, day(50.0)).map(|memory| memory.id), found);
        found
    };
    assert_eq!(goes(&older, &newer), Some(older.id));
    assert_eq!(contradicted(&older, &newer, day(6.0)), None, "not before its kind allows");
    for (what, older, newer) in [
        ("the newer is in doubt", older.clone(), Memory { status: Status::Challenged, ..newer.clone() }),
        ("the newer is not in force", older.clone(), Memory { status: Status::Superseded, ..newer.clone() }),
        ("the older is pinned", Memory { pinned: true, ..older.clone() }, newer.clone()),
    ] {
        assert_eq!(goes(&older, &newer), None, "{what}");
    }
    let mut ended = newer.clone();
    ended.validity.valid_until = Some(day(40.0));
    assert_eq!(goes(&older, &ended), None, "the newer is over");
    for (trust, expected) in [(0.74, None), (0.75, Some(older.id)), (1.0, Some(older.id))] {
        newer.provenance.trust = Trust::clamped(trust);
        assert_eq!(goes(&older, &newer), expected, "{trust}");
    }
}

#[test]
fn of_two_that_say_the_same_the_one_that_serves_worse_goes() {
    let one = episode();
    let better = useful(Memory { kind: Kind::Observation, ..memory(2) }, 0.6);
    let goes = |one: &Memory, other: &Memory, likeness| {
        let likeness = Similarity::clamped(likeness);
        let found = redundant(one, other, likeness, day(50.0)).map(|memory| memory.id);
        assert_eq!(redundant(other, one, likeness, day(50.0)).map(|memory| memory.id), found);
        found
    };
    for (likeness, expected) in [(0.89, None), (0.9, None), (0.901, Some(one.id)), (1.0, Some(one.id))] {
        assert_eq!(goes(&one, &better, likeness), expected, "{likeness}");
    }
    let mut later = episode();
    later.id = memory(3).id;
    later.created_at = day(1.0);
    assert_eq!(goes(&one, &later, 0.95), Some(later.id), "of equals the later");
    assert_eq!(goes(&one, &used(later, 1, 1.0), 0.95), Some(one.id), "the less used");
    assert_eq!(goes(&one, &Memory { kind: Kind::Plan, ..better.clone() }, 0.95), None);
    assert_eq!(goes(&one, &Memory { scope: Scope::User, ..better.clone() }, 0.95), None);
    assert_eq!(goes(&one, &Memory { status: Status::Merged, ..better.clone() }, 0.95), None);
    assert_eq!(goes(&Memory { pinned: true, ..one }, &better, 0.95), None);
}

#[test]
fn what_was_worth_nothing_when_it_came_goes_within_a_day() {
    let newborn = |importance| Memory { status: Status::Created, ..important(episode(), importance) };
    let hour = 1.0 / 24.0;
    for (importance, days, expected) in [
        (0.099, 0.0, true),
        (0.1, 0.0, false),
        (0.099, 1.0, true),
        (0.099, 1.0 + hour, false),
        (0.0, hour, true),
    ] {
        let memory = newborn(importance);
        assert_eq!(born_worthless(&memory, day(days)), expected, "{importance} {days}");
        assert_eq!(rule(&memory, 1.0, days), expected.then_some(ArchivalRule::Worthless));
    }
    let worthless = newborn(0.0);
    for kept in [
        Memory { status: Status::Active, ..worthless.clone() },
        Memory { pinned: true, ..worthless.clone() },
        Memory { kind: Kind::Preference, ..worthless.clone() },
        reminder(worthless.clone()),
        stirred(worthless.clone(), 0.9),
    ] {
        assert!(!born_worthless(&kept, day(0.0)), "{kept:?}");
    }
}

#[test]
fn what_is_new_is_active_after_an_hour() {
    let newborn = Memory { status: Status::Created, ..episode() };
    for (minutes, expected) in [(59.0, false), (60.0, true), (61.0, true), (-90.0, false)] {
        assert_eq!(activates(&newborn, day(minutes / 1_440.0)), expected, "{minutes}");
    }
    assert!(!activates(&episode(), day(1.0)), "it is active already");
}

#[test]
fn what_was_of_use_and_wanes_is_to_be_told_together_with_others() {
    for (held, uses, expected) in
        [(0.59, 2, true), (0.6, 2, false), (0.61, 2, false), (0.59, 1, false), (0.59, 3, true)]
    {
        let memory = used(episode(), uses, 0.0);
        assert_eq!(wants_consolidation(&memory, Retention::clamped(held)), expected, "{held} {uses}");
        let not_active = Memory { status: Status::Consolidated, ..memory.clone() };
        assert!(!wants_consolidation(&not_active, Retention::clamped(held)));
        assert!(!wants_consolidation(&Memory { immutable: true, ..memory }, Retention::clamped(held)));
    }
}

#[test]
fn what_is_useful_and_in_danger_is_practised() {
    for (held, utility, expected) in
        [(0.299, 0.5, true), (0.3, 0.5, false), (0.301, 0.5, false), (0.1, 0.499, false), (0.1, 0.501, true)]
    {
        let memory = useful(episode(), utility);
        assert_eq!(wants_rehearsal(&memory, Retention::clamped(held)), expected, "{held} {utility}");
        let archived = Memory { status: Status::Archived, ..memory.clone() };
        assert!(!wants_rehearsal(&archived, Retention::clamped(held)));
        assert!(!wants_rehearsal(&Memory { immutable: true, ..memory }, Retention::clamped(held)));
    }
}

#[test]
fn the_text_of_an_archived_memory_goes_after_ninety_days_with_nothing_left() {
    let archived = |scope| {
        let mut memory = Memory { status: Status::Archived, ..sound(scope, Tier::Episodic) };
        memory.status_change.at = day(10.0);
        memory
    };
    for (scope, held, days, expected) in [
        (Scope::Project, 0.019, 100.0, true),
        (Scope::Project, 0.019, 100.1, true),
        (Scope::Project, 0.019, 99.9, false),
        (Scope::Project, 0.02, 100.0, false),
        (Scope::Project, 0.021, 900.0, false),
        (Scope::Session, 0.019, 100.0, true),
        (Scope::User, 0.0, 9_000.0, false),
    ] {
        let found = is_forgettable(&archived(scope), Retention::clamped(held), day(days));
        assert_eq!(found, expected, "{scope} {held} {days}");
    }
    let gone = archived(Scope::Project);
    for kept in [
        Memory { status: Status::Active, ..gone.clone() },
        Memory { pinned: true, ..gone.clone() },
        Memory { immutable: true, ..gone.clone() },
        Memory { kind: Kind::Correction, ..gone.clone() },
        Memory { tier: Tier::Codebase, ..gone.clone() },
        stirred(gone.clone(), 0.9),
    ] {
        assert!(!is_forgettable(&kept, Retention::clamped(0.0), day(900.0)), "{kept:?}");
    }
}

#[test]
fn a_project_holds_ten_thousand_and_the_user_half_as_many() {
    let capacities: Vec<Option<usize>> = Scope::ALL.iter().map(|scope| capacity_of(*scope)).collect();
    assert_eq!(capacities, [None, Some(10_000), Some(5_000), None]);
    assert_eq!(MOST_ACTIVE, 500);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_rule_takes_only_what_it_may_and_the_pinned_never(
        importance in 0.0..=1.0,
        utility in 0.0..=1.0,
        held in 0.0..=1.0,
        uses in 0_u32..5,
        mean in 0.0..5.0,
        used_on in 0.0..200.0,
        later in 0.0..200.0,
        scope in prop::sample::select(Scope::ALL),
        tier in prop::sample::select(Tier::ALL),
        kind in prop::sample::select(Kind::ALL),
        status in prop::sample::select(Status::ALL),
    ) {
        let mut memory = used(useful(important(sound(scope, tier), importance), utility), uses, used_on);
        memory.kind = kind;
        memory.status = status;
        let (held, mean, at) = (Retention::clamped(held), MeanUses::clamped(mean), day(used_on + later));
        let found = archival_rule(&memory, held, mean, at);
        if found.is_some() {
            prop_assert!(memory.status.may_become(Status::Archived).is_ok());
            prop_assert!(tier != Tier::Codebase && kept_at_least(kind) != Floor::Permanent);
        }
        if found.is_some() && KNOWLEDGE.contains(&tier) && found != Some(ArchivalRule::Worthless) {
            prop_assert!(utility < 0.2);
        }
        memory.pinned = true;
        prop_assert_eq!(archival_rule(&memory, held, mean, at), None);
    }
}
