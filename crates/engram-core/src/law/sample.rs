//! One ordinary memory for the tests of the laws. A test changes what it is
//! about and leaves the rest as it is.

use crate::change::Actor;
use crate::id::{IdMint, OperationId};
use crate::kind::{Scope, Tier};
use crate::memory::{Memory, Provenance};
use crate::plan::{Draft, Occasion, plan_remember};
use crate::{Changes, Write};
use jiff::{SignedDuration, Timestamp};

/// So many days after every sample was born.
pub(crate) fn day(days: f64) -> Timestamp {
    Timestamp::from_second(1_000_000).unwrap() + SignedDuration::from_secs_f64(days * 86_400.0)
}

/// An episode of a project, born on day zero and never used: a fact that a
/// person stated, active, with the importance and the confidence of nobody's
/// weighing.
pub(crate) fn memory(number: u64) -> Memory {
    let occasion = Occasion {
        operation: OperationId::from_ulid(IdMint::seeded(number).mint(day(0.0))),
        actor: Actor::Human,
        at: day(0.0),
        recorded_at: day(0.0),
    };
    let draft = Draft::parse("the build takes nine minutes", 100).unwrap();
    let provenance = Provenance::stated_by(Actor::Human);
    let Changes { mut writes, .. } = plan_remember(draft, Scope::Project, provenance, occasion);
    let Some(Write::Create { memory }) = writes.pop() else { panic!("a memory is born") };
    Memory { tier: Tier::Episodic, status: crate::Status::Active, ..*memory }
}
