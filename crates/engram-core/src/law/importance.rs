//! How much a kept memory matters now, from how it has fared since its birth.
//!
//! Every factor has a name and a value between zero and one; a table gives each
//! a weight. What a memory is born with is `weigh`'s part, and whether it is
//! kept is archival's.

use super::weigh::told;
use crate::kind::Tier;
use crate::law::activation_at;
use crate::memory::Memory;
use crate::unit::{Importance, Merit, Retention, Share, Trust, Utility};
use crate::words::words;
use jiff::{SignedDuration, Timestamp};
use std::fmt;

words! {
    /// Which factors count, and how much each.
    pub enum ImportanceTable ("importance table") {
        Six = "six",
        Nine = "nine",
    }
}

/// What makes a kept memory matter. Each table reads some of these.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factors {
    /// How lately it was changed on purpose.
    pub recency: Merit,
    /// How often it was used, full at ten.
    pub frequency: Merit,
    /// How reachable it is.
    pub relevance: Merit,
    /// How sure it is.
    pub confidence: Merit,
    /// How using it went, one half where nobody told.
    pub outcome: Merit,
    /// What of that speaks for it, nothing where nobody told.
    pub feedback: Merit,
    /// What its tier adds on top: all of it for how something is done, half
    /// for what is so.
    pub bonus: Merit,
    /// The importance it was born with.
    pub base: Merit,
    /// How often it was used, on a scale of logarithms that is full at a hundred.
    pub uses: Merit,
    /// How lately it was used, by the half-life of its source.
    pub last_use: Merit,
    /// How strong the feeling was.
    pub emotion: Merit,
    /// How evenly it was used: a burst makes little stability.
    pub stability: Merit,
    /// How settled it is.
    pub tier: Merit,
    /// How much its source is believed.
    pub trust: Merit,
    /// How many said the same independently.
    pub confirmations: Merit,
    /// How readily it comes to mind.
    pub activation: Merit,
}

/// What is left after a day without change is e^-.1 of it (S0).
const FADING_A_DAY: f64 = 0.1;
/// So many uses are all that the table of six counts (S0).
const FULL_FREQUENCY: f64 = 10.0;
/// So many uses are all that the table of nine counts. S4 says only that the
/// scale is logarithmic; two orders of magnitude tell a memory of every day
/// from one of every week.
const FULL_USES: f64 = 100.0;
/// Days in which what a person said loses half of its lateness (S4).
const HALF_LIFE_OF_A_PERSON: f64 = 30.0;
/// Days in which all else does: S4 has it fade three times as fast.
const HALF_LIFE_OF_OTHERS: f64 = 10.0;
/// Days of stability that count for one half. S4 gives no number; a month is
/// what weekly use for some weeks leads to, and no burst does.
const HALF_STABILITY: f64 = 30.0;

const SECONDS_A_DAY: f64 = 86_400.0;

/// What speaks for a memory at `at`.
///
/// Nobody stores S0's relevance: it starts at one half there and being
/// retrieved is to raise it, which is what retrieval does to `held`. Its outcome
/// and its feedback are two readings of the utility: the outcome is the utility
/// itself, one half where nobody told, and the feedback is how far it rose above
/// that, nothing where nobody told. Both are S0's own defaults, and both read what
/// was earned: idle days count by the recency already, and would count twice. `confirmations`
/// counts those who said the same independently; each takes half of the doubt.
pub fn factors_of(memory: &Memory, confirmations: u32, held: Retention, at: Timestamp) -> Factors {
    let uses = f64::from(memory.trace.access_count);
    let utility = memory.utility.get();
    let stability = memory.trace.stability.get();
    let emotion = memory.emotion.map_or(0.0, |felt| felt.arousal.get().max(felt.valence.get().abs()));
    let idle = days_between(memory.trace.last_used_at, at);
    let neutral = Utility::DEFAULT.get();
    Factors {
        recency: Merit::clamped((-FADING_A_DAY * days_between(memory.updated_at, at)).exp()),
        frequency: Merit::clamped(uses / FULL_FREQUENCY),
        relevance: Merit::clamped(held.get()),
        confidence: Merit::clamped(memory.confidence.get()),
        outcome: Merit::clamped(utility),
        feedback: Merit::clamped((utility - neutral) / (1.0 - neutral)),
        bonus: Merit::clamped(bonus_of(memory.tier)),
        base: Merit::clamped(memory.importance.get()),
        uses: Merit::clamped(uses.ln_1p() / FULL_USES.ln_1p()),
        last_use: Merit::clamped(0.5_f64.powf(idle / half_life_of(memory.provenance.trust))),
        emotion: Merit::clamped(emotion),
        stability: Merit::clamped(stability / (stability + HALF_STABILITY)),
        tier: Merit::clamped(settled(memory.tier)),
        trust: Merit::clamped(memory.provenance.trust.get()),
        confirmations: Merit::clamped(1.0 - 0.5_f64.powf(f64::from(confirmations))),
        activation: Merit::clamped(activation_at(&memory.trace, at).get()),
    }
}

/// A clock that steps back counts as no time at all.
fn days_between(from: Timestamp, at: Timestamp) -> f64 {
    at.duration_since(from).max(SignedDuration::ZERO).as_secs_f64() / SECONDS_A_DAY
}

/// In days.
fn half_life_of(trust: Trust) -> f64 {
    if trust >= Trust::HUMAN { HALF_LIFE_OF_A_PERSON } else { HALF_LIFE_OF_OTHERS }
}

/// The share of the bonus that a tier gets. S0 knows no other tier that does.
const fn bonus_of(tier: Tier) -> f64 {
    match tier {
        Tier::Procedural => 1.0,
        Tier::Semantic => 0.5,
        Tier::Working | Tier::Episodic | Tier::Codebase => 0.0,
    }
}

/// S4 says that what is settled weighs more. The three tiers that it never lets
/// fade weigh wholly, an episode half as much, and the moment not at all.
const fn settled(tier: Tier) -> f64 {
    match tier {
        Tier::Working => 0.0,
        Tier::Episodic => 0.5,
        Tier::Semantic | Tier::Procedural | Tier::Codebase => 1.0,
    }
}

/// What one factor adds to the living importance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Term {
    pub name: &'static str,
    pub merit: Merit,
    pub weight: Share,
}

impl Term {
    fn amount(&self) -> f64 {
        self.merit.get() * self.weight.get()
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Term { name, merit, weight } = self;
        write!(f, "{name} {} x {} = {}", told(merit.get()), told(weight.get()), told(self.amount()))
    }
}

/// What the living importance is the sum of, in the order of the table.
///
/// The weights of six are S0's; they add up to one, and the bonus comes on top.
/// S4 names the factors of nine and calls six of them "moderate", without a
/// number. They add up to one as well: what somebody judged at the birth counts
/// three tenths, as much as all that is known of its use (how often, how lately,
/// how readily it comes to mind); that others confirmed it counts a tenth,
/// because it is the only one of them that is evidence; the rest share the rest.
pub fn terms(factors: &Factors, table: ImportanceTable) -> Vec<Term> {
    let shares: &[(&'static str, Merit, f64)] = match table {
        ImportanceTable::Six => &[
            ("recency", factors.recency, 0.25),
            ("frequency", factors.frequency, 0.20),
            ("relevance", factors.relevance, 0.20),
            ("confidence", factors.confidence, 0.15),
            ("outcome", factors.outcome, 0.10),
            ("feedback", factors.feedback, 0.10),
            ("bonus", factors.bonus, 0.10),
        ],
        ImportanceTable::Nine => &[
            ("base", factors.base, 0.30),
            ("uses", factors.uses, 0.12),
            ("last use", factors.last_use, 0.12),
            ("emotion", factors.emotion, 0.06),
            ("stability", factors.stability, 0.08),
            ("tier", factors.tier, 0.08),
            ("trust", factors.trust, 0.08),
            ("confirmations", factors.confirmations, 0.10),
            ("activation", factors.activation, 0.06),
        ],
    };
    let term = |&(name, merit, weight)| Term { name, merit, weight: Share::clamped(weight) };
    shares.iter().map(term).collect()
}

/// How much a kept memory matters now: the sum of its terms, one at most.
pub fn living_importance(factors: &Factors, table: ImportanceTable) -> Importance {
    Importance::clamped(terms(factors, table).iter().map(Term::amount).sum())
}

#[cfg(test)]
mod tests;
