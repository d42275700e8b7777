//! What a newly captured memory is worth at its birth.
//!
//! Everything that capture knows comes in as `Encoded`, and everything that
//! follows from it leaves as `Weighed`, with the reasons. Whether the memory is
//! written at all is decided elsewhere, before.

use crate::kind::{Kind, Tier};
use crate::law::tagging::STRONG;
use crate::law::{Channels, boost_of, encoding_importance, is_redundant, observed_tier, surprise_of};
use crate::memory::{DataSource, Memory};
use crate::observe::Emotion;
use crate::turn::EventType;
use crate::unit::{Channel, Importance, Similarity, Stability, Surprise, Trust};

/// What capture knows of something that is about to become a memory.
#[derive(Debug, Clone, Copy)]
pub struct Encoded<'n> {
    pub kind: Kind,
    /// What it was read from.
    pub event: EventType,
    /// The likeness of the memories nearest to it, in any order.
    pub nearest: &'n [Similarity],
    /// It contradicts a kept memory. It is near to that one, and yet it is news.
    pub contradicts: bool,
    pub emotion: Emotion,
    /// How many things are said. None: nobody counted.
    pub density: Option<u32>,
    /// Its words ask for it to be remembered. The event `remember` always does.
    pub asked: bool,
}

impl Encoded<'_> {
    /// Somebody wants it remembered.
    fn is_asked_for(&self) -> bool {
        self.asked || self.event == EventType::Remember
    }

    /// A person said it, here and now.
    fn is_personal(&self) -> bool {
        matches!(self.event, EventType::UserMessage | EventType::Remember)
    }
}

/// What a memory is born with.
#[derive(Debug, Clone, PartialEq)]
pub struct Weighed {
    pub importance: Importance,
    pub surprise: Surprise,
    pub stability: Stability,
    pub tier: Tier,
    pub pinned: bool,
    pub trust: Trust,
    /// It says nothing that is not kept already.
    pub redundant: bool,
    /// What the importance is made of, in the order in which it is put together.
    pub because: Vec<String>,
}

/// How much its kind alone makes a memory matter.
struct Weight {
    /// How critical: what went wrong, what is due, what must be followed.
    urgency: f64,
    /// How useful such memories are expected to be.
    usefulness: f64,
    /// How much a conversation turns on it when its user says it.
    attention: f64,
}

/// Nothing is known yet of the use of what is new, so that its kind stands for
/// it. The numbers are chosen so that, without any feeling and half known, a
/// fact of the user is near .5, what is to be followed near .6 and what was set
/// right above .7.
const fn weight_of(kind: Kind) -> Weight {
    let (urgency, usefulness, attention) = match kind {
        Kind::Correction => (0.70, 0.90, 1.00),
        Kind::ErrorFix => (0.60, 0.85, 0.80),
        Kind::Decision | Kind::Convention | Kind::Preference => (0.40, 0.70, 0.85),
        Kind::Architecture => (0.30, 0.65, 0.80),
        Kind::Procedure | Kind::Pattern => (0.30, 0.70, 0.70),
        Kind::Plan => (0.40, 0.45, 0.70),
        Kind::Fact => (0.25, 0.50, 0.70),
        Kind::Entity | Kind::Observation => (0.20, 0.45, 0.60),
        Kind::Summary => (0.20, 0.60, 0.60),
        Kind::Narrative => (0.10, 0.35, 0.40),
        Kind::Scratchpad | Kind::ToolOutcome => (0.15, 0.25, 0.40),
    };
    Weight { urgency, usefulness, attention }
}

/// What somebody asks to be remembered is at least so urgent and so useful,
/// whatever its kind.
const ASKED_URGENCY: f64 = 0.5;
const ASKED_USEFULNESS: f64 = 0.9;

/// How much of the doubt about its usefulness a clear like or dislike takes away.
const LIKING: f64 = 0.2;

/// How much attention the speaker has. What agents say is mostly about their
/// own doings, and a file was written for another day.
const fn hearing(event: EventType) -> f64 {
    match event {
        EventType::UserMessage | EventType::Remember => 1.0,
        EventType::File => 0.7,
        EventType::AssistantMessage | EventType::ToolCall => 0.6,
        EventType::SubagentResult => 0.5,
    }
}

/// The four channels of what is about to become a memory.
///
/// A contradiction is wholly new, however near the two texts are. Urgency and
/// feeling each make a thing critical, so that the arousal is what neither of
/// them leaves calm. Gladness or dismay at how something turned out is the one
/// sign of reward that a message carries, and counts a little.
pub fn channels_of(encoded: &Encoded<'_>) -> Channels {
    let mut weight = weight_of(encoded.kind);
    weight.attention *= hearing(encoded.event);
    if encoded.is_asked_for() {
        weight.urgency = weight.urgency.max(ASKED_URGENCY);
        weight.usefulness = weight.usefulness.max(ASKED_USEFULNESS);
        weight.attention = 1.0;
    }
    let novelty = if encoded.contradicts { 1.0 } else { surprise_of(encoded.nearest).get() };
    let Emotion { valence, arousal, .. } = encoded.emotion;
    Channels {
        novelty: Channel::clamped(novelty),
        arousal: Channel::clamped(either(weight.urgency, arousal.get())),
        reward: Channel::clamped(either(weight.usefulness, LIKING * valence.get().abs())),
        attention: Channel::clamped(weight.attention),
    }
}

/// Two shares that leave less the more either of them takes.
fn either(one: f64, other: f64) -> f64 {
    1.0 - (1.0 - one) * (1.0 - other)
}

/// From here on a feeling burns a memory in.
const FLASHBULB_AROUSAL: f64 = 0.8;
/// Such a memory matters at least so much.
pub(crate) const FLASHBULB_IMPORTANCE: f64 = 0.9;
/// And it is so much more stable.
pub(crate) const FLASHBULB_STABILITY: f64 = 1.5;

/// Whether something was said with so much feeling that it is kept for good.
///
/// Only for what has been found worth keeping: a shouted "THIS IS TERRIBLE, WHY
/// IS THIS BROKEN AGAIN!!!" is stirred enough, and the observer must have
/// skipped it before anybody asks here.
pub fn is_flashbulb(emotion: &Emotion) -> bool {
    emotion.arousal.get() >= FLASHBULB_AROUSAL
}

/// Whether a kept memory was born as a flashbulb. Only a person's feelings make
/// one; a pin that was taken away since leaves it one.
pub fn was_flashbulb(memory: &Memory) -> bool {
    memory.provenance.data_source == DataSource::UserMessage
        && memory.emotion.as_ref().is_some_and(is_flashbulb)
}

/// The stability that a memory is born with: three quarters of the first
/// stability if it matters not at all, five quarters if it matters most, and
/// half as much again for a flashbulb. A memory of ordinary importance (.5)
/// gets the first stability itself.
///
/// It is modest because importance is guessed at birth, while use is going to
/// show. The kind has no part in it: it sets the tier, which says how fast
/// the days count, and the floor.
pub fn first_stability(importance: Importance, flashbulb: bool) -> Stability {
    let burnt_in = if flashbulb { FLASHBULB_STABILITY } else { 1.0 };
    Stability::clamped(Stability::FIRST.get() * (0.75 + 0.5 * importance.get()) * burnt_in)
}

/// What a memory is born with.
///
/// Three things are beyond the channels. What a person asked to be kept, or
/// set right, is strong, even if it is said in few words or resembles what is
/// kept. A flashbulb is pinned. And only a person's feelings make one: agents
/// have none, and those in a file are of another day.
pub fn weigh(encoded: &Encoded<'_>) -> Weighed {
    let surprise = surprise_of(encoded.nearest);
    let redundant = is_redundant(surprise) && !encoded.contradicts;
    let channels = channels_of(encoded);
    let boost = boost_of(encoded.density);
    let mut importance = encoding_importance(&channels, boost);
    let mut because: Vec<String> = channels
        .shares()
        .iter()
        .map(|(name, channel, share)| format!("{name} {} x {}", told(channel.get()), told(*share)))
        .collect();
    if let Some(density) = encoded.density {
        let things = if density == 1 { "thing" } else { "things" };
        because.push(format!("{density} {things} said: x {}", told(boost.get())));
    }
    if encoded.contradicts {
        because.push("contradicts what is kept: wholly new".to_owned());
    }
    if redundant {
        because.push(format!("redundant: surprise {}", told(surprise.get())));
    }
    let mut at_least = |why: &str, least: f64| {
        because.push(format!("{why}: at least {}", told(least)));
        importance = Importance::clamped(importance.get().max(least));
    };
    let asked_for = encoded.is_asked_for();
    if asked_for {
        at_least("asked for", STRONG);
    } else if encoded.is_personal() && encoded.kind == Kind::Correction {
        at_least("set right by the user", STRONG);
    }
    let flashbulb = encoded.is_personal() && is_flashbulb(&encoded.emotion);
    if flashbulb {
        at_least("flashbulb, pinned", FLASHBULB_IMPORTANCE);
    }
    because.push(format!("importance {}", told(importance.get())));
    Weighed {
        importance,
        surprise,
        stability: first_stability(importance, flashbulb),
        tier: observed_tier(encoded.kind, if asked_for { EventType::Remember } else { encoded.event }),
        pinned: flashbulb,
        trust: Trust::of(encoded.event),
        redundant,
        because,
    }
}

/// A number as it is shown: ".80", "1.05".
pub(super) fn told(value: f64) -> String {
    let written = format!("{value:.2}");
    written.strip_prefix('0').map(str::to_owned).unwrap_or(written)
}

#[cfg(test)]
mod tests;
