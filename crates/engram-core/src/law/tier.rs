//! What a memory's origin is worth, into which tier it is born, when it moves to
//! another, and which few are always at hand.
//!
//! All are read from what a memory is; none changes it. How fast a tier fades is
//! retention's part, and who goes out of sight archival's.

use crate::id::MemoryId;
use crate::kind::{Class, Kind, Tier};
use crate::law::{utility_now, was_flashbulb};
use crate::memory::{DataSource, Memory, Trace};
use crate::turn::EventType;
use crate::unit::{Trust, Utility};
use crate::words::words;
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

words! {
    /// What a memory is within its tier: of what happened, who lived it; of what
    /// is known, what sort of knowledge it is.
    pub enum SubTier ("sub-tier") {
        /// The user said so himself.
        Personal = "personal",
        /// An agent or a tool did.
        Observed = "observed",
        /// Somebody else lived it and passed it on.
        Vicarious = "vicarious",
        /// A rule.
        Schematic = "schematic",
        /// A way to do something.
        Procedural = "procedural",
        /// Any other knowledge.
        Factual = "factual",
    }
}

impl SubTier {
    /// A rule and a procedure are that in every tier; what happened is told
    /// apart by its source.
    pub const fn of(kind: Kind, tier: Tier, source: DataSource) -> SubTier {
        match (kind, tier, source) {
            (Kind::Pattern | Kind::Convention, _, _) => SubTier::Schematic,
            (Kind::Procedure, _, _) => SubTier::Procedural,
            (_, Tier::Working | Tier::Episodic, DataSource::UserMessage) => SubTier::Personal,
            (_, Tier::Working | Tier::Episodic, DataSource::Federation) => SubTier::Vicarious,
            (_, Tier::Working | Tier::Episodic, _) => SubTier::Observed,
            _ => SubTier::Factual,
        }
    }
}

/// How much more or less than others a memory counts by its sub-tier: one is a
/// tenth more.
pub const fn sub_tier_of(kind: Kind, tier: Tier, source: DataSource) -> f64 {
    match SubTier::of(kind, tier, source) {
        SubTier::Personal | SubTier::Schematic => 1.0,
        SubTier::Procedural => 0.5,
        SubTier::Observed | SubTier::Factual => 0.0,
        SubTier::Vicarious => -1.0,
    }
}

words! {
    /// Why a memory moves to a more settled tier.
    pub enum TierReason ("tier reason") {
        /// It outlasted the moment.
        Lasted = "lasted",
        /// It was used again at once.
        UsedAgain = "used_again",
        /// It is used again and again.
        UsedOften = "used_often",
        /// It proves useful, and has for some time.
        Useful = "useful",
        /// Several episodes speak of the same thing.
        Shared = "shared",
    }
}

/// A moment is over after so long.
const MOMENT: SignedDuration = SignedDuration::from_mins(30);
/// So many uses make an episode of the moment.
const USES_OF_AN_EPISODE: u32 = 2;
/// So many make knowledge of an episode. S4 asks for five and an importance of
/// .7 besides; whatever meets that has met this before.
const USES_OF_KNOWLEDGE: u32 = 3;
/// And so does this utility,
const UTILITY_OF_KNOWLEDGE: f64 = 0.7;
/// once it has lasted so long.
const AGE_OF_KNOWLEDGE: SignedDuration = SignedDuration::from_hours(7 * 24);
/// So many episodes about one thing are knowledge of it.
const SHARING: usize = 3;

/// The tier a memory moves up to at `at`, and why. None: it stays.
///
/// `sharing` counts the episodes that share an entity with it, itself included.
/// An episode about how something is done becomes procedural, any other
/// semantic. What tells a story stays an episode however often it is told.
/// Pinned and immutable memories and flashbulbs stay where they are, and so does
/// what is no longer in force.
pub fn tier_after(memory: &Memory, sharing: usize, at: Timestamp) -> Option<(Tier, TierReason)> {
    if memory.pinned || memory.immutable || was_flashbulb(memory) || !memory.status.is_current() {
        return None;
    }
    let age = at.duration_since(memory.created_at);
    let uses = memory.trace.access_count;
    match memory.tier {
        Tier::Working if uses >= USES_OF_AN_EPISODE => Some((Tier::Episodic, TierReason::UsedAgain)),
        Tier::Working if age >= MOMENT => Some((Tier::Episodic, TierReason::Lasted)),
        Tier::Episodic => {
            let to = match memory.class() {
                Class::Fact => Tier::Semantic,
                Class::Procedure => Tier::Procedural,
                Class::Narrative => return None,
            };
            let proved = utility_now(memory, at).get() >= UTILITY_OF_KNOWLEDGE && age >= AGE_OF_KNOWLEDGE;
            if uses >= USES_OF_KNOWLEDGE {
                Some((to, TierReason::UsedOften))
            } else if proved {
                Some((to, TierReason::Useful))
            } else {
                (sharing >= SHARING).then_some((to, TierReason::Shared))
            }
        }
        Tier::Working | Tier::Semantic | Tier::Procedural | Tier::Codebase => None,
    }
}

/// Why a memory cannot be moved down to a tier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotDemote {
    #[error("memory {0} is pinned")]
    Pinned(MemoryId),
    #[error("memory {0} is immutable")]
    Immutable(MemoryId),
    #[error("{to} is not one step below {from}")]
    NotBelow { from: Tier, to: Tier },
}

/// Whether somebody may move a memory down to this tier by hand: one step, from
/// what is known or practised to an episode, and from that to the moment. What
/// is drawn from the code base has no tier below.
pub fn may_demote(memory: &Memory, to: Tier) -> Result<(), CannotDemote> {
    if memory.pinned {
        return Err(CannotDemote::Pinned(memory.id));
    }
    if memory.immutable {
        return Err(CannotDemote::Immutable(memory.id));
    }
    match (memory.tier, to) {
        (Tier::Semantic | Tier::Procedural, Tier::Episodic) | (Tier::Episodic, Tier::Working) => Ok(()),
        (from, to) => Err(CannotDemote::NotBelow { from, to }),
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
mod tests;
