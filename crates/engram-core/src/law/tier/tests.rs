//! Tiers, by the seeds' numbers.

use super::*;
use crate::law::sample::{day, memory};
use crate::observe::Emotion;
use crate::status::Status;
use crate::unit::{Arousal, Stability, Valence};

#[test]
fn the_sub_tiers_of_the_third_seed() {
    use DataSource::*;
    for (kind, tier, source, sub_tier, boost) in [
        (Kind::Observation, Tier::Episodic, UserMessage, SubTier::Personal, 1.0),
        (Kind::Observation, Tier::Episodic, AssistantMessage, SubTier::Observed, 0.0),
        (Kind::Observation, Tier::Episodic, Federation, SubTier::Vicarious, -1.0),
        (Kind::Convention, Tier::Procedural, AssistantMessage, SubTier::Schematic, 1.0),
        (Kind::Pattern, Tier::Episodic, Federation, SubTier::Schematic, 1.0),
        (Kind::Procedure, Tier::Procedural, UserMessage, SubTier::Procedural, 0.5),
        (Kind::Fact, Tier::Semantic, UserMessage, SubTier::Factual, 0.0),
        (Kind::Fact, Tier::Semantic, Federation, SubTier::Factual, 0.0),
    ] {
        assert_eq!(SubTier::of(kind, tier, source), sub_tier, "{kind} {tier} {source}");
        assert_eq!(sub_tier_of(kind, tier, source), boost, "{kind} {tier} {source}");
    }
}

#[test]
fn a_person_is_believed_more_than_an_agent_and_an_agent_more_than_a_file() {
    for (event, expected) in [
        (EventType::UserMessage, 1.0),
        (EventType::Remember, 1.0),
        (EventType::AssistantMessage, 0.7),
        (EventType::ToolCall, 0.7),
        (EventType::SubagentResult, 0.7),
        (EventType::File, 0.5),
    ] {
        assert_eq!(Trust::of(event).get(), expected, "{event}");
    }
}

#[test]
fn what_is_merely_observed_starts_as_an_episode() {
    use EventType::*;
    for (kind, event, expected) in [
        (Kind::Fact, UserMessage, Tier::Episodic),
        (Kind::Fact, Remember, Tier::Semantic),
        (Kind::Fact, File, Tier::Semantic),
        (Kind::Plan, Remember, Tier::Episodic),
        (Kind::Correction, UserMessage, Tier::Semantic),
        (Kind::Preference, UserMessage, Tier::Semantic),
        (Kind::Architecture, UserMessage, Tier::Semantic),
        (Kind::Decision, UserMessage, Tier::Procedural),
        (Kind::Convention, UserMessage, Tier::Procedural),
        (Kind::Decision, AssistantMessage, Tier::Episodic),
        (Kind::Correction, SubagentResult, Tier::Episodic),
        (Kind::ErrorFix, ToolCall, Tier::Procedural),
        (Kind::Procedure, ToolCall, Tier::Procedural),
        (Kind::ErrorFix, AssistantMessage, Tier::Episodic),
        (Kind::ErrorFix, UserMessage, Tier::Episodic),
        (Kind::Decision, ToolCall, Tier::Episodic),
        (Kind::Scratchpad, AssistantMessage, Tier::Working),
    ] {
        assert_eq!(observed_tier(kind, event), expected, "{kind} {event}");
    }
}

#[test]
fn hot_is_useful_often_used_and_not_old() {
    let hot = |tier, utility, uses, days: i64| {
        let trace = Trace {
            access_count: uses,
            last_used_at: Timestamp::UNIX_EPOCH,
            stability: Stability::FIRST,
            difficulty: None,
            fades_at: None,
        };
        let at = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * days);
        is_hot(tier, Utility::clamped(utility), &trace, Timestamp::UNIX_EPOCH, at)
    };
    assert!(hot(Tier::Semantic, 0.8, 10, 29));
    assert!(!hot(Tier::Episodic, 0.8, 10, 29));
    assert!(!hot(Tier::Semantic, 0.79, 10, 29));
    assert!(!hot(Tier::Semantic, 0.8, 9, 29));
    assert!(!hot(Tier::Semantic, 0.8, 10, 30));
}

/// A memory of this tier and kind, used so often and of this utility.
fn sample(tier: Tier, kind: Kind, uses: u32, utility: f64) -> Memory {
    let mut memory = memory(1);
    memory.tier = tier;
    memory.kind = kind;
    memory.trace.access_count = uses;
    memory.utility = Utility::clamped(utility);
    memory
}

const MINUTE: f64 = 1.0 / 1_440.0;

#[test]
fn the_moment_becomes_an_episode_after_half_an_hour_or_two_uses() {
    for (uses, minutes, expected) in [
        (0, 29.0, None),
        (0, 30.0, Some(TierReason::Lasted)),
        (0, 31.0, Some(TierReason::Lasted)),
        (1, 0.0, None),
        (2, 0.0, Some(TierReason::UsedAgain)),
        (3, 0.0, Some(TierReason::UsedAgain)),
        (0, -60.0, None),
    ] {
        let memory = sample(Tier::Working, Kind::Scratchpad, uses, 0.5);
        let found = tier_after(&memory, 0, day(minutes * MINUTE));
        assert_eq!(found, expected.map(|why| (Tier::Episodic, why)), "{uses} uses, {minutes} min");
    }
}

#[test]
fn an_episode_becomes_knowledge_by_use_by_utility_or_by_company() {
    for (uses, utility, days, sharing, expected) in [
        (2, 0.5, 30.0, 1, None),
        (3, 0.5, 0.0, 1, Some(TierReason::UsedOften)),
        (4, 0.5, 0.0, 1, Some(TierReason::UsedOften)),
        (0, 0.69, 7.0, 1, None),
        (0, 0.7, 6.99, 1, None),
        (0, 0.7, 7.0, 1, Some(TierReason::Useful)),
        (0, 0.71, 7.01, 1, Some(TierReason::Useful)),
        (0, 0.5, 0.0, 2, None),
        (0, 0.5, 0.0, 3, Some(TierReason::Shared)),
        (0, 0.5, 0.0, 4, Some(TierReason::Shared)),
        (3, 0.9, 9.0, 9, Some(TierReason::UsedOften)),
    ] {
        for (kind, to) in [(Kind::Fact, Tier::Semantic), (Kind::Decision, Tier::Procedural)] {
            // Told of today: a utility that was earned long ago has drifted.
            let mut memory = sample(Tier::Episodic, kind, uses, utility);
            memory.updated_at = day(days);
            let found = tier_after(&memory, sharing, day(days));
            assert_eq!(found, expected.map(|why| (to, why)), "{kind}: {uses} {utility} {days} {sharing}");
        }
    }
    let long_ago = sample(Tier::Episodic, Kind::Fact, 0, 0.71);
    assert_eq!(tier_after(&long_ago, 1, day(30.0)), None, "what was earned long ago has drifted");
}

/// S4's own condition is met by nothing that three uses have not moved before.
#[test]
fn the_fourth_seed_asks_for_more_than_the_third() {
    let mut memory = sample(Tier::Episodic, Kind::Fact, 5, 0.5);
    memory.importance = crate::Importance::clamped(0.7);
    assert_eq!(tier_after(&memory, 1, day(0.0)), Some((Tier::Semantic, TierReason::UsedOften)));
}

#[test]
fn what_tells_a_story_stays_an_episode() {
    for kind in Kind::ALL.iter().filter(|kind| kind.class() == Class::Narrative) {
        assert_eq!(tier_after(&sample(Tier::Episodic, *kind, 9, 0.9), 9, day(90.0)), None, "{kind}");
    }
}

#[test]
fn what_is_protected_settled_or_not_in_force_stays() {
    let ripe = sample(Tier::Episodic, Kind::Fact, 9, 0.9);
    assert!(tier_after(&ripe, 9, day(90.0)).is_some());
    let emotion = Emotion { valence: Valence::clamped(-0.9), arousal: Arousal::clamped(0.8), feeling: None };
    let mut by_an_agent = Memory { emotion: Some(emotion), ..ripe.clone() };
    by_an_agent.provenance.data_source = DataSource::AssistantMessage;
    assert!(tier_after(&by_an_agent, 9, day(90.0)).is_some(), "agents have no feelings");
    for stays in [
        Memory { pinned: true, ..ripe.clone() },
        Memory { immutable: true, ..ripe.clone() },
        Memory { emotion: Some(emotion), ..ripe.clone() },
        Memory { status: Status::Archived, ..ripe.clone() },
        Memory { status: Status::Superseded, ..ripe.clone() },
        Memory { tier: Tier::Semantic, ..ripe.clone() },
        Memory { tier: Tier::Procedural, ..ripe.clone() },
        Memory { tier: Tier::Codebase, ..ripe.clone() },
    ] {
        assert_eq!(tier_after(&stays, 9, day(90.0)), None, "{stays:?}");
    }
}

#[test]
fn a_memory_is_moved_down_one_step_by_hand() {
    for (from, to, allowed) in [
        (Tier::Semantic, Tier::Episodic, true),
        (Tier::Procedural, Tier::Episodic, true),
        (Tier::Episodic, Tier::Working, true),
        (Tier::Semantic, Tier::Working, false),
        (Tier::Semantic, Tier::Semantic, false),
        (Tier::Semantic, Tier::Procedural, false),
        (Tier::Episodic, Tier::Semantic, false),
        (Tier::Working, Tier::Working, false),
        (Tier::Working, Tier::Episodic, false),
        (Tier::Codebase, Tier::Episodic, false),
    ] {
        let found = may_demote(&sample(from, Kind::Fact, 0, 0.5), to);
        assert_eq!(found, if allowed { Ok(()) } else { Err(CannotDemote::NotBelow { from, to }) });
    }
}

#[test]
fn what_is_pinned_or_immutable_is_not_moved_down_and_the_reason_is_told() {
    let known = sample(Tier::Semantic, Kind::Fact, 0, 0.5);
    let pinned = may_demote(&Memory { pinned: true, ..known.clone() }, Tier::Episodic).unwrap_err();
    assert_eq!(pinned.to_string(), format!("memory {} is pinned", known.id));
    let fixed = may_demote(&Memory { immutable: true, ..known.clone() }, Tier::Episodic).unwrap_err();
    assert_eq!(fixed.to_string(), format!("memory {} is immutable", known.id));
    let deep = may_demote(&known, Tier::Working).unwrap_err();
    assert_eq!(deep.to_string(), "working is not one step below semantic");
}
