//! A memory on its way up: as it is in the wider scope, and what is left of it
//! in the narrower one.

use super::{CannotChange, Occasion, changed, edited, replace};
use crate::change::{Cause, Changes, Write};
use crate::kind::Scope;
use crate::law::discounted;
use crate::memory::{Memory, PromotionStep};
use crate::status::{Status, StatusChange};
use jiff::Timestamp;

/// A memory as it is born again in a wider scope: under the same name, with
/// where it comes from.
pub fn ascended(memory: &Memory, to: Scope, at: Timestamp) -> Memory {
    let mut up = memory.clone();
    up.scope = to;
    up.importance = discounted(memory.importance, to);
    up.status = Status::Created;
    up.status_change =
        StatusChange { at, reason: format!("promoted from the {}", memory.scope), cause: Cause::Promote };
    up.provenance.promotion_chain.push(step(memory, at));
    up.updated_at = at;
    up.revision = 0;
    up
}

/// What is known there already stands for the newcomer, too.
pub fn plan_joined(known: &Memory, newcomer: &Memory, occasion: Occasion) -> Result<Write, CannotChange> {
    let mut after = edited(known, occasion)?;
    join(&mut after, newcomer, occasion.at);
    Ok(replace(known, after))
}

/// The same, of one that is being changed already.
pub fn join(known: &mut Memory, newcomer: &Memory, at: Timestamp) {
    let importance = discounted(newcomer.importance, known.scope);
    if importance > known.importance {
        known.importance = importance;
    }
    known.provenance.promotion_chain.push(step(newcomer, at));
}

fn step(memory: &Memory, at: Timestamp) -> PromotionStep {
    PromotionStep { scope: memory.scope, memory_id: memory.id, promoted_at: at, by: None, place: None }
}

/// Somebody was reminded, as they had asked: it does not come again.
pub fn plan_told(memory: &Memory, occasion: Occasion) -> Result<Changes, CannotChange> {
    let after = changed(memory, Status::Archived, "told", Cause::Remind, occasion)?;
    Ok(occasion.changes(Cause::Remind, vec![replace(memory, after)]))
}

/// These went up; here they answer no more.
pub fn plan_promoted(memories: &[Memory], to: Scope, occasion: Occasion) -> Result<Changes, CannotChange> {
    let reason = format!("promoted to the {to}");
    let writes = memories
        .iter()
        .map(|memory| {
            changed(memory, Status::Promoted, &reason, Cause::Promote, occasion)
                .map(|after| replace(memory, after))
        })
        .collect::<Result<_, _>>()?;
    Ok(occasion.changes(Cause::Promote, writes))
}
