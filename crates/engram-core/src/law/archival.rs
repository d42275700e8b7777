//! When a memory goes out of sight, and what keeps it from that.
//!
//! The rules are one table, tried from the top; the name of the rule goes into
//! the history. Archiving hides, and use brings back. Nothing here reads a
//! store: how reachable a memory is comes in as `held`, on the scale of the
//! printed power curve, on which the seeds state every threshold.

use crate::change::Cause;
use crate::gate::LESS_TRUSTED;
use crate::kind::{Scope, Tier};
use crate::law::{Floor, kept_at_least, utility_now, was_flashbulb};
use crate::memory::Memory;
use crate::remind::Reminder;
use crate::status::Status;
use crate::unit::{MeanUses, Retention, Similarity, Utility};
use crate::words::words;
use jiff::{SignedDuration, Timestamp};
use std::cmp::Reverse;

words! {
    /// Why a memory goes out of sight.
    pub enum ArchivalRule ("archival rule") {
        /// It was worth nothing when it came.
        Worthless = "worthless",
        /// A newer memory says otherwise.
        Contradicted = "contradicted",
        /// It said itself until when it would hold.
        Expired = "expired",
        /// It proved useless, and nobody used it since.
        UtilityFloor = "utility_floor",
        /// Another memory says the same and serves better.
        Redundant = "redundant",
        /// Knowledge that nobody asks for and that served badly.
        IdleKnowledge = "idle_knowledge",
        /// It matters too little for how reachable it is.
        Weak = "weak",
        /// In a project it has become too faint to be found.
        Faint = "faint",
        /// And so it has for the user, who is forgotten more slowly.
        FaintForUser = "faint_for_user",
        /// Nobody used it for a quarter of a year.
        Unused = "unused",
        /// Old, hardly reachable, of little importance and hardly ever used.
        Faded = "faded",
        /// There are more than the scope holds.
        Capacity = "capacity",
    }
}

const fn days(days: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * days)
}

/// One memory, with what the rules ask of it.
struct Case<'m> {
    memory: &'m Memory,
    held: Retention,
    /// Since its birth.
    age: SignedDuration,
    /// Since its last use; at birth, since its birth.
    idle: SignedDuration,
    at: Timestamp,
}

impl Case<'_> {
    fn uses(&self) -> u32 {
        self.memory.trace.access_count
    }

    /// What it earned, and not what idle days made of it, as everywhere else: S3
    /// asks for a bad name and for idle days, and thirty of these take even a
    /// zero to .15, so that read otherwise its floor would hold nobody.
    fn earned(&self) -> f64 {
        self.memory.utility.get()
    }

    /// What S0's thresholds are stated on.
    fn weight(&self) -> f64 {
        weight_of(self.memory, self.held)
    }

    /// What S2's thresholds are stated on.
    fn strength(&self) -> f64 {
        self.weight() * self.memory.confidence.get()
    }
}

/// Importance x retention.
fn weight_of(memory: &Memory, held: Retention) -> f64 {
    memory.importance.get() * held.get()
}

/// One rule, where it applies, and when.
struct Row {
    rule: ArchivalRule,
    scopes: &'static [Scope],
    tiers: &'static [Tier],
    /// It goes by faintness or age alone, and what is used more than the mean
    /// of the store is spared.
    spares_the_used: bool,
    when: fn(&Case<'_>) -> bool,
}

/// Nobody archives what is the team's for the others.
const EVERYWHERE: &[Scope] = Scope::OWN;
/// The user's own memories go by S2's slower rule and not by S0's.
const BELOW_THE_USER: &[Scope] = &[Scope::Session, Scope::Project];
const ALL_BUT_CODE: &[Tier] = &[Tier::Working, Tier::Episodic, Tier::Semantic, Tier::Procedural];
/// What is known or practised does not go by age or faintness, only by
/// evidence: how it served, and what it said of its own end.
const KNOWLEDGE: &[Tier] = &[Tier::Semantic, Tier::Procedural];
const PASSING: &[Tier] = &[Tier::Working, Tier::Episodic];

/// The rules that one memory alone can meet, from the top. Evidence comes before
/// faintness, so that the history tells the better reason of two.
const TABLE: &[Row] = &[
    // S3's second: what bounded itself in time is over.
    Row {
        rule: ArchivalRule::Expired,
        scopes: EVERYWHERE,
        tiers: ALL_BUT_CODE,
        spares_the_used: false,
        when: |case| case.memory.validity.valid_until.is_some_and(|until| until <= case.at),
    },
    // S3's third.
    Row {
        rule: ArchivalRule::UtilityFloor,
        scopes: EVERYWHERE,
        tiers: ALL_BUT_CODE,
        spares_the_used: false,
        when: |case| case.earned() < 0.15 && case.idle >= days(30),
    },
    // S3's only way out of the semantic tier, for the procedural one as well.
    Row {
        rule: ArchivalRule::IdleKnowledge,
        scopes: EVERYWHERE,
        tiers: KNOWLEDGE,
        spares_the_used: false,
        when: |case| case.earned() < 0.2 && case.idle >= days(60),
    },
    // S0.
    Row {
        rule: ArchivalRule::Weak,
        scopes: BELOW_THE_USER,
        tiers: PASSING,
        spares_the_used: true,
        when: |case| case.weight() < 0.1 && case.uses() < 2,
    },
    // S2, for a project.
    Row {
        rule: ArchivalRule::Faint,
        scopes: &[Scope::Project],
        tiers: PASSING,
        spares_the_used: true,
        when: |case| case.strength() < 0.05 && case.age > days(14) && case.uses() < 2,
    },
    // S2, for the user.
    Row {
        rule: ArchivalRule::FaintForUser,
        scopes: &[Scope::User],
        tiers: PASSING,
        spares_the_used: true,
        when: |case| case.strength() < 0.02 && case.age > days(90) && case.uses() < 2,
    },
    // S1.
    Row {
        rule: ArchivalRule::Unused,
        scopes: EVERYWHERE,
        tiers: PASSING,
        spares_the_used: true,
        when: |case| case.idle >= days(90),
    },
    // S4.
    Row {
        rule: ArchivalRule::Faded,
        scopes: EVERYWHERE,
        tiers: PASSING,
        spares_the_used: true,
        when: |case| {
            let faded = case.held.get() < 0.15 && case.memory.importance.get() < 0.3;
            faded && case.age > days(90) && case.uses() < 3
        },
    },
];

/// The first rule by which this memory goes out of sight at `at`. None: it
/// stays. `mean_uses` is the mean of its store.
pub fn archival_rule(
    memory: &Memory,
    held: Retention,
    mean_uses: MeanUses,
    at: Timestamp,
) -> Option<ArchivalRule> {
    if born_worthless(memory, at) {
        return Some(ArchivalRule::Worthless);
    }
    if is_protected(memory, at).is_some() {
        return None;
    }
    let since = |moment| at.duration_since(moment).max(SignedDuration::ZERO);
    let (age, idle) = (since(memory.created_at), since(memory.trace.last_used_at));
    let case = Case { memory, held, age, idle, at };
    let used = mean_uses.is_exceeded_by(memory.trace.access_count);
    let meets = |row: &&Row| {
        row.scopes.contains(&memory.scope)
            && row.tiers.contains(&memory.tier)
            && !(row.spares_the_used && used)
            && (row.when)(&case)
    };
    TABLE.iter().find(meets).map(|row| row.rule)
}

/// Why nothing takes this memory out of sight by itself at `at`. None: a rule
/// may.
pub fn is_protected(memory: &Memory, at: Timestamp) -> Option<&'static str> {
    if !memory.status.is_current() {
        return Some("not in force");
    }
    if Reminder::of(memory).is_some() {
        return Some("waits to be told");
    }
    guarded(memory).or_else(|| floored(memory, at))
}

/// What protects a memory for as long as it lasts.
pub fn guarded(memory: &Memory) -> Option<&'static str> {
    if memory.pinned {
        Some("pinned")
    } else if memory.immutable {
        Some("immutable")
    } else if was_flashbulb(memory) {
        Some("flashbulb")
    } else if memory.tier == Tier::Codebase {
        Some("drawn from the code base")
    } else {
        None
    }
}

/// What its kind protects it by.
fn floored(memory: &Memory, at: Timestamp) -> Option<&'static str> {
    match kept_at_least(memory.kind).until(memory.created_at) {
        None => Some("of a kind that is kept for good"),
        Some(until) => (at < until).then_some("not as old as its kind is kept at least"),
    }
}

/// Of two memories that contradict each other, the one that goes: the older,
/// unless the newer is in doubt itself, speaks of another time or is much less
/// trusted. Then it waits for somebody's ruling, as it does where the older is
/// protected.
pub fn contradicted<'m>(one: &'m Memory, other: &'m Memory, at: Timestamp) -> Option<&'m Memory> {
    let said = |memory: &Memory| (memory.validity.valid_from, memory.created_at, memory.id);
    let (older, newer) = if said(one) <= said(other) { (one, other) } else { (other, one) };
    let holds =
        newer.status.is_current() && newer.status != Status::Challenged && newer.validity.holds_at(at);
    let outranked = older.provenance.trust.get() - newer.provenance.trust.get() > LESS_TRUSTED;
    (holds && !outranked && is_protected(older, at).is_none()).then_some(older)
}

/// Above this likeness one of two memories is enough (S3).
const REDUNDANT: f64 = 0.9;

/// Of two memories that say the same, the one that goes: the less useful, then
/// the less important, the less used, and at last the later one. None where they
/// are not alike enough, of different kinds or scopes, not both in force, or
/// where that one is protected. That neither says what the other does not is for
/// the caller to know: two values of one setting are very much alike.
pub fn redundant<'m>(
    one: &'m Memory,
    other: &'m Memory,
    likeness: Similarity,
    at: Timestamp,
) -> Option<&'m Memory> {
    let worth = |memory: &Memory| {
        let since = Reverse((memory.created_at, memory.id));
        (utility_now(memory, at), memory.importance, memory.trace.access_count, since)
    };
    let (lesser, better) = if worth(one) <= worth(other) { (one, other) } else { (other, one) };
    let twins = likeness.get() > REDUNDANT && one.kind == other.kind && one.scope == other.scope;
    (twins && better.status.is_current() && is_protected(lesser, at).is_none()).then_some(lesser)
}

/// How long something worthless counts as just come.
const NEWBORN: SignedDuration = SignedDuration::from_hours(24);
/// What matters less at its birth is worth nothing.
const WORTHLESS: f64 = 0.1;

/// Whether a memory was worth nothing when it came, and came within a day. The
/// floor of its kind does not protect it, because that is for what was once
/// worth keeping; a kind that is kept for good does.
pub fn born_worthless(memory: &Memory, at: Timestamp) -> bool {
    memory.status == Status::Created
        && memory.importance.get() < WORTHLESS
        && at.duration_since(memory.created_at) <= NEWBORN
        && guarded(memory).is_none()
        && kept_at_least(memory.kind) != Floor::Permanent
        && Reminder::of(memory).is_none()
}

/// How long a memory is new, even if nobody is shown it.
const NEW: SignedDuration = SignedDuration::from_hours(1);

/// Whether a created memory becomes active by itself.
pub fn activates(memory: &Memory, at: Timestamp) -> bool {
    memory.status == Status::Created && at.duration_since(memory.created_at) >= NEW
}

/// Below this importance x retention what was of use is better told together
/// with others (S0),
const WANING: f64 = 0.3;
/// and so many uses show that it was of use (S0).
const OF_USE: u32 = 2;

/// Whether a memory that was of use fades so far that it is better told together
/// with others.
pub fn wants_consolidation(memory: &Memory, held: Retention) -> bool {
    memory.status == Status::Active
        && !memory.immutable
        && weight_of(memory, held) < WANING
        && memory.trace.access_count >= OF_USE
}

/// Below this retention a memory is in danger (S3).
const ENDANGERED: f64 = 0.3;

/// Whether a memory that is not useless fades so far that it has to be practised
/// to stay. Idle days take its utility to the half and never past it, so that
/// what it earned tells as much as what is left of that.
pub fn wants_rehearsal(memory: &Memory, held: Retention) -> bool {
    memory.status.is_current()
        && !memory.immutable
        && held.get() < ENDANGERED
        && memory.utility >= Utility::DEFAULT
}

impl ArchivalRule {
    /// Whether it speaks of fading alone: what was put away by it was neither
    /// wrong nor said better elsewhere, and may be found again.
    const fn is_fading(self) -> bool {
        use ArchivalRule::*;
        matches!(self, UtilityFloor | IdleKnowledge | Weak | Faint | FaintForUser | Unused | Faded | Capacity)
    }

    /// The reason of a memory that is put away by this rule.
    pub fn reason(self, told: &str) -> String {
        format!("{self}: {told}")
    }
}

/// Whether a memory is archived because it has faded, and not because somebody
/// wanted it or because it no longer holds.
pub fn has_faded(memory: &Memory) -> bool {
    let rule = memory.status_change.reason.split_once(": ").map(|(rule, _)| rule.parse::<ArchivalRule>());
    memory.status == Status::Archived
        && matches!(memory.status_change.cause, Cause::Dream | Cause::Evolve)
        && matches!(rule, Some(Ok(rule)) if rule.is_fading())
}

/// How long a memory is archived at least before its text may go (S2).
const ARCHIVED_AT_LEAST: SignedDuration = days(90);
/// Below this importance x retention nothing is left to bring back (S0).
const GONE: f64 = 0.01;

/// Whether the text of an archived memory may be taken away at `at`.
///
/// `held_unfrozen` is what would be left of it if archiving did not freeze it;
/// frozen, nothing would ever be forgotten. What belongs to the user is never
/// taken away by itself, and what is protected is not either.
pub fn is_forgettable(memory: &Memory, held_unfrozen: Retention, at: Timestamp) -> bool {
    memory.status == Status::Archived
        && BELOW_THE_USER.contains(&memory.scope)
        && at.duration_since(memory.status_change.at) >= ARCHIVED_AT_LEAST
        && weight_of(memory, held_unfrozen) < GONE
        && guarded(memory).is_none()
        && floored(memory, at).is_none()
}

/// More active memories than this ask to be consolidated; none goes for it.
pub const MOST_ACTIVE: usize = 500;

/// How many current memories a scope holds. None: as many as come, because a
/// session ends, and because the team decides for itself.
pub const fn capacity_of(scope: Scope) -> Option<usize> {
    match scope {
        Scope::Session | Scope::Team => None,
        Scope::Project => Some(10_000),
        Scope::User => Some(5_000),
    }
}

#[cfg(test)]
mod tests;
