//! What a memory's origin is worth, into which tier it is born, and which few
//! are always at hand.
//!
//! All are read from what a memory is; none changes it.

use crate::kind::{Kind, Tier};
use crate::memory::{DataSource, Trace};
use crate::turn::EventType;
use crate::unit::{Trust, Utility};
use jiff::{SignedDuration, Timestamp};

impl Trust {
    /// How much an event is to be believed. What tools and subagents say
    /// reaches us through the assistant and is trusted as it is.
    pub const fn of(event: EventType) -> Trust {
        match event {
            EventType::UserMessage | EventType::Remember => Trust::HUMAN,
            EventType::AssistantMessage | EventType::ToolCall | EventType::SubagentResult => Trust::ASSISTANT,
            EventType::File => Trust::INGEST,
        }
    }
}

/// The tier a memory is born into, by the event it was read from.
///
/// What somebody asked for or imported is stated outright and has its kind's
/// own tier. So has what only its speaker can know: a correction, a preference,
/// a decision, a convention or an architecture in the user's words, and an
/// error fix or a procedure that tool calls showed to work. All else is merely
/// observed and starts as an episode, until it proves itself; notes of the
/// moment are not even that.
pub const fn observed_tier(kind: Kind, event: EventType) -> Tier {
    use Kind::*;
    match (event, kind) {
        (EventType::Remember | EventType::File, _)
        | (EventType::UserMessage, Correction | Preference | Decision | Convention | Architecture)
        | (EventType::ToolCall, ErrorFix | Procedure)
        | (_, Scratchpad) => kind.first_tier(),
        _ => Tier::Episodic,
    }
}

/// How much more or less than others a memory counts by its sub-tier: one is a
/// tenth more. Rules and procedures count more than other knowledge; of what
/// happened, what the user said himself counts more and what others passed on
/// less.
pub const fn sub_tier_of(kind: Kind, tier: Tier, source: DataSource) -> f64 {
    match (kind, tier, source) {
        (Kind::Pattern | Kind::Convention, _, _) => 1.0,
        (Kind::Procedure, _, _) => 0.5,
        (_, Tier::Working | Tier::Episodic, DataSource::UserMessage) => 1.0,
        (_, Tier::Working | Tier::Episodic, DataSource::Federation) => -1.0,
        _ => 0.0,
    }
}

const HOT_UTILITY: f64 = 0.8;
const HOT_USES: u32 = 10;
const HOT_AGE: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Whether a memory is of the few that prove useful all the time.
pub fn is_hot(tier: Tier, utility: Utility, trace: &Trace, created_at: Timestamp, at: Timestamp) -> bool {
    matches!(tier, Tier::Semantic | Tier::Procedural)
        && utility.get() >= HOT_UTILITY
        && trace.access_count >= HOT_USES
        && at.duration_since(created_at) < HOT_AGE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Stability;

    #[test]
    fn the_sub_tiers_of_the_third_seed() {
        use DataSource::*;
        for (kind, tier, source, expected) in [
            (Kind::Observation, Tier::Episodic, UserMessage, 1.0),
            (Kind::Observation, Tier::Episodic, AssistantMessage, 0.0),
            (Kind::Observation, Tier::Episodic, Federation, -1.0),
            (Kind::Convention, Tier::Procedural, AssistantMessage, 1.0),
            (Kind::Procedure, Tier::Procedural, UserMessage, 0.5),
            (Kind::Fact, Tier::Semantic, UserMessage, 0.0),
        ] {
            assert_eq!(sub_tier_of(kind, tier, source), expected, "{kind} {tier} {source}");
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
}
