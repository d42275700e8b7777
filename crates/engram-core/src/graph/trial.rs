//! Things, memories and bonds for the tests of this room.

use super::{Bond, BondKind};
use crate::change::Actor;
use crate::id::{EntityId, MemoryId, OperationId};
use crate::kind::Scope;
use crate::link::Mention;
use crate::memory::{Memory, Provenance};
use crate::observe::EntityKind;
use crate::plan::{Draft, Occasion, plan_remember};
use crate::{Ulid, Write};
use jiff::Timestamp;

pub(super) fn day(number: i64) -> Timestamp {
    Timestamp::from_second(1_767_225_600 + number * 86_400).unwrap()
}

pub(super) fn thing(name: &str) -> EntityId {
    EntityId::of(EntityKind::Tool, name)
}

pub(super) fn memory_id(number: u64) -> MemoryId {
    MemoryId::from_ulid(Ulid(number.into()))
}

/// One that the first memory told of on day 0.
pub(super) fn bond(from: &str, kind: BondKind, to: &str) -> Bond {
    Bond::new((thing(from), kind, thing(to)), memory_id(1), day(0))
}

pub(super) fn mention(memory: u64, name: &str) -> Mention {
    Mention { memory: memory_id(memory), entity: thing(name), at: day(0) }
}

/// Something a person said on a day.
pub(super) fn memory(number: u64, text: &str, on: i64) -> Memory {
    let at = day(on);
    let operation = OperationId::from_ulid(Ulid(number.into()));
    let occasion = Occasion { operation, actor: Actor::Human, at, recorded_at: at };
    let draft = Draft::parse(text, 10_000).unwrap();
    let changes = plan_remember(draft, Scope::Project, Provenance::stated_by(Actor::Human), occasion);
    let [Write::Create { memory }] = &changes.writes[..] else { panic!("no birth") };
    *memory.clone()
}
