//! How reachable a memory still is, under each of the models, and when it will
//! have faded. It says nothing about truth.
//!
//! The thresholds of the whole system are numbers on one scale, that of the
//! model `power`. What is compared with them is therefore not what a model
//! reads but what it *holds*: what `power` reads when as many stabilities have
//! passed. What follows from falling below one is not known here.

mod curve;
mod fsrs;

pub use fsrs::{Grade, grade_of, graded};

use crate::kind::{Scope, Tier};
use crate::memory::{Memory, Trace};
use crate::status::Status;
use crate::unit::{Retention, Stability, Strength, Trust};
use crate::words::words;
use curve::{Curve, stability_of};
use jiff::{SignedDuration, Timestamp};

words! {
    /// By which curve memories fade.
    pub enum Model ("retention model") {
        Fsrs6 = "fsrs6",
        Power = "power",
        Exponential = "exponential",
        L2 = "l2",
        Huber = "huber",
        Elastic = "elastic",
    }
}

impl Model {
    pub const DEFAULT: Model = Model::Fsrs6;
}

/// Where a memory counts as faded, on the scale of the thresholds.
const FADED: f64 = 0.15;

const SECONDS_A_DAY: f64 = 86_400.0;

/// The half-life of what a person said, in days.
const HUMAN_HALF_LIFE: f64 = 30.0;
/// What was extracted fades three times as fast.
const EXTRACTED_HALF_LIFE: f64 = 10.0;

/// How many days a day counts for, by tier.
const fn haste(tier: Tier) -> f64 {
    match tier {
        Tier::Working => 10.0,
        Tier::Episodic => 3.0,
        Tier::Semantic | Tier::Procedural | Tier::Codebase => 1.0,
    }
}

/// The half-life in days that `exponential` gives a tier; the scope's own where
/// the tier has none. It stands for the tier's haste as well.
const fn half_life_of(tier: Tier, scope: Scope) -> f64 {
    match (tier, scope) {
        (Tier::Working, _) => 1.0 / 24.0,
        (Tier::Episodic, _) => 1.0,
        (Tier::Semantic, _) => 7.0,
        (Tier::Procedural, _) => 30.0,
        (Tier::Codebase, Scope::User | Scope::Team) => 30.0,
        (Tier::Codebase, Scope::Session | Scope::Project) => 7.0,
    }
}

/// By which share of itself each use lengthens that half-life.
const fn lengthening_of(scope: Scope) -> f64 {
    match scope {
        Scope::User | Scope::Team => 0.2,
        Scope::Session | Scope::Project => 0.15,
    }
}

/// How many days one unit of the curve's time takes for this memory.
fn pace_of(memory: &Memory, model: Model) -> f64 {
    match model {
        Model::Fsrs6 | Model::Power => memory.trace.stability.get() / haste(memory.tier),
        Model::Exponential => {
            let uses = f64::from(memory.trace.access_count);
            half_life_of(memory.tier, memory.scope) * (1.0 + lengthening_of(memory.scope) * uses)
        }
        Model::L2 | Model::Huber | Model::Elastic => {
            let said = memory.provenance.trust >= Trust::HUMAN;
            (if said { HUMAN_HALF_LIFE } else { EXTRACTED_HALF_LIFE }) / haste(memory.tier)
        }
    }
}

const fn curve_of(memory: &Memory, model: Model) -> Curve {
    Curve { model, uses: memory.trace.access_count }
}

/// How long a memory has not been used.
///
/// A reading from before the last use counts as "just used": clocks step back
/// on real machines, and a memory must not change because of that.
fn idle_at(trace: &Trace, at: Timestamp) -> SignedDuration {
    at.duration_since(trace.last_used_at).max(SignedDuration::ZERO)
}

fn in_days(span: SignedDuration) -> f64 {
    span.as_secs_f64() / SECONDS_A_DAY
}

/// The moment a memory is read as of: what is archived is frozen as it was then.
fn read_at(memory: &Memory, at: Timestamp) -> Timestamp {
    match memory.status {
        Status::Archived => memory.status_change.at,
        _ => at,
    }
}

/// What is left of this memory at `at`. Nothing fades inside a session, and
/// what is archived is frozen as it was then.
pub fn retention_of(memory: &Memory, model: Model, at: Timestamp) -> Retention {
    if memory.scope == Scope::Session {
        return Retention::FULL;
    }
    let idle = in_days(idle_at(&memory.trace, read_at(memory, at)));
    Retention::clamped(curve_of(memory, model).at(idle / pace_of(memory, model)))
}

/// What is held of this memory at `at`: the same reachability on the scale of
/// the thresholds. Rehearsal (.3) and the retention that archiving by age asks
/// for (.15) are compared with this.
pub fn held_at(memory: &Memory, model: Model, at: Timestamp) -> Retention {
    held_unfrozen_at(memory, model, read_at(memory, at))
}

/// What would be held of it if archiving had not frozen it. An archived memory
/// is forgotten by this, because what is frozen never falls any further.
pub fn held_unfrozen_at(memory: &Memory, model: Model, at: Timestamp) -> Retention {
    if memory.scope == Scope::Session {
        return Retention::FULL;
    }
    let idle = in_days(idle_at(&memory.trace, at));
    let time = curve_of(memory, model).plain_time(idle / pace_of(memory, model));
    Retention::clamped(Curve::plain(Model::Power).at(time / stability_of(model)))
}

/// What a model reads of a memory that was never used when `held` is held of
/// it: where a threshold lies on the scale of that model. A model that ends
/// reads nothing below some of them, and is told by what is held alone.
pub fn model_reads(model: Model, held: Retention) -> Retention {
    let stabilities = Curve::plain(Model::Power).reaches(held.get());
    Retention::clamped(Curve::plain(model).at(stabilities * stability_of(model)))
}

/// When a memory will have faded if it is not used before: the inverse of its
/// curve at the fading threshold. None in a session, of what was forgotten
/// (there is nothing left to fade), and when it lies beyond the calendar.
/// Archiving does not move it, because use may bring the memory back.
pub fn fades_at(memory: &Memory, model: Model) -> Option<Timestamp> {
    reaches_at(memory, model, Retention::clamped(FADED))
}

/// When so little will be held of a memory, in the same way.
pub fn reaches_at(memory: &Memory, model: Model, held: Retention) -> Option<Timestamp> {
    if memory.scope == Scope::Session || memory.status == Status::Forgotten {
        return None;
    }
    let left = model_reads(model, held);
    let days = curve_of(memory, model).reaches(left.get()) * pace_of(memory, model);
    let wait = SignedDuration::try_from_secs_f64(days * SECONDS_A_DAY).ok()?;
    memory.trace.last_used_at.checked_add(wait).ok()
}

/// Importance x confidence x retention: what is shown. No threshold is compared
/// with it, because it is on the scale of its model.
pub fn strength_at(memory: &Memory, model: Model, at: Timestamp) -> Strength {
    let standing = memory.importance.get() * memory.confidence.get();
    Strength::clamped(standing * retention_of(memory, model, at).get())
}

/// The trace of a memory once it was graded at `at`. How often and when it was
/// used stays as it is.
///
/// Whatever the model, the grade meets what `fsrs6` reads after as many
/// stabilities: its weights were fitted on that curve.
pub fn graded_at(memory: &Memory, model: Model, grade: Grade, at: Timestamp) -> Trace {
    let retention = model_reads(Model::Fsrs6, held_at(memory, model, at));
    let (stability, difficulty) = graded(&memory.trace, retention, idle_at(&memory.trace, at), grade);
    Trace { stability, difficulty: Some(difficulty), ..memory.trace.clone() }
}

/// A memory as it was after each of these uses, oldest first, from its birth to
/// what it is now. How it was graded in between is not kept, so that each use
/// counts as one that was simply used; what it is now is as it is kept.
pub fn lives_of(memory: &Memory, uses: &[Timestamp], model: Model) -> Vec<Memory> {
    let mut born = memory.clone();
    born.trace = Trace {
        access_count: 0,
        last_used_at: memory.created_at,
        stability: Stability::FIRST,
        difficulty: None,
        fades_at: None,
    };
    if memory.status == Status::Archived {
        born.status = Status::Active;
    }
    let mut lives = vec![born];
    let past = uses.iter().filter(|at| **at > memory.created_at && **at < memory.trace.last_used_at);
    for at in past {
        let Some(before) = lives.last() else { break };
        let mut after = before.clone();
        after.trace = graded_at(before, model, Grade::Used, *at);
        after.trace.access_count += 1;
        after.trace.last_used_at = *at;
        lives.push(after);
    }
    if memory.trace.access_count == 0 {
        lives.clear();
    }
    lives.push(memory.clone());
    lives
}

/// What was left of a memory at `at`, by what it was then.
pub fn retention_in(lives: &[Memory], model: Model, at: Timestamp) -> Retention {
    let then = lives.iter().rfind(|life| life.trace.last_used_at <= at).or(lives.first());
    then.map_or(Retention::FULL, |life| retention_of(life, model, at))
}

#[cfg(test)]
mod tests;
