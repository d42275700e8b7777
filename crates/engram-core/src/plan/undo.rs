//! Takes an operation back.
//!
//! Only what nobody has changed since can be restored; use does not count as a
//! change, and what it left (counts, last use, stability) survives.

use super::Occasion;
use crate::change::{Cause, Changes, Inverse, Operation, Standing, Upkeep, Write};
use crate::id::{MemoryId, OperationId};
use crate::memory::Memory;
use std::collections::BTreeMap;

/// Why an operation cannot be taken back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotUndo {
    #[error("operation {id} was already undone by {by}")]
    AlreadyUndone { id: OperationId, by: OperationId },
    #[error("operation {id} ({cause}) cannot be undone: {}", why_not(*.cause))]
    Irreversible { id: OperationId, cause: Cause },
    #[error("memory {0} was changed since; undo the later change first")]
    ChangedSince(MemoryId),
    #[error("memory {0} is there again; undo what brought it back first")]
    ThereAgain(MemoryId),
    #[error("memory {0} is gone; undo what removed it first")]
    Gone(MemoryId),
}

const fn why_not(cause: Cause) -> &'static str {
    match cause {
        Cause::Outline => "the outline is drawn again from the code",
        Cause::Outcome | Cause::Feedback | Cause::Promote => {
            "it tells what came of a memory, and that has happened"
        }
        Cause::Dream => "it changed nothing that could be taken back",
        Cause::Review | Cause::Entity => "two names that were made one cannot be told apart again",
        _ => "the text it held is gone",
    }
}

/// `current` holds the memories of `operation` that exist now.
pub fn plan_undo(
    operation: &Operation,
    current: &BTreeMap<MemoryId, Memory>,
    occasion: Occasion,
) -> Result<Changes, CannotUndo> {
    if let Some(by) = operation.undone_by {
        return Err(CannotUndo::AlreadyUndone { id: operation.id, by });
    }
    if operation.inverse.is_empty() {
        return Err(CannotUndo::Irreversible { id: operation.id, cause: operation.cause });
    }
    // One operation may have changed a memory more than once: each step is held
    // against what the step before it leaves.
    let mut left = current.clone();
    let unchanged = |left: &BTreeMap<MemoryId, Memory>, id: &MemoryId, revision: &u32| match left.get(id) {
        None => Err(CannotUndo::Gone(*id)),
        Some(memory) if memory.revision != *revision => Err(CannotUndo::ChangedSince(*id)),
        Some(memory) => Ok(memory.clone()),
    };
    let writes = operation
        .inverse
        .iter()
        .map(|inverse| {
            Ok(match inverse {
                Inverse::Remove { id, revision } => {
                    Write::Remove { memory: Box::new(unchanged(&left, id, revision)?) }
                }
                Inverse::Restore { before, revision } => {
                    let now = unchanged(&left, &before.id, revision)?;
                    let after = restored(before, &now, occasion);
                    left.insert(after.id, after.clone());
                    Write::Replace { before: Box::new(now), after: Box::new(after) }
                }
                Inverse::Create { memory } if current.contains_key(&memory.id) => {
                    return Err(CannotUndo::ThereAgain(memory.id));
                }
                Inverse::Create { memory } => Write::Create { memory: memory.clone() },
                Inverse::Relate { relation } => Write::Relate { relation: relation.clone() },
                Inverse::Unrelate { relation } => Write::Unrelate { relation: relation.clone() },
                Inverse::Rejudge { before, after } => {
                    Write::Review { before: Some(after.clone()), after: before.clone() }
                }
                Inverse::Stand { id, before, revision } => {
                    let now = unchanged(&left, id, revision)?;
                    let after = stood(before, &now, occasion);
                    let (before, standing) = (Standing::of(&now), Standing::of(&after));
                    left.insert(after.id, after);
                    Write::Upkeep { change: Box::new(Upkeep { id: *id, before, after: standing }) }
                }
                Inverse::Entity { before, after } => {
                    Write::Entity { before: after.clone(), after: before.clone() }
                }
                Inverse::Bond { before, after } => {
                    Write::Bond { before: after.clone(), after: before.clone() }
                }
                Inverse::Learn { before, after } => {
                    Write::Learn { before: after.clone(), after: before.clone() }
                }
                Inverse::Record { usage } => Write::Record { usage: usage.clone() },
                Inverse::Unrecord { usage } => Write::Unrecord { usage: usage.clone() },
                Inverse::Rate { rating } => Write::Rate { rating: rating.clone() },
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Changes {
        operation: occasion.operation,
        cause: Cause::Undo,
        actor: occasion.actor,
        at: occasion.at,
        undoes: Some(operation.id),
        part_of: None,
        writes,
    })
}

/// `before` as it was, but with the use it has had since. Its revision is the
/// old one again, so that the operation before this one can be undone next.
fn restored(before: &Memory, now: &Memory, occasion: Occasion) -> Memory {
    let mut memory = before.clone();
    // Stability follows from the last use. Without one since, what the operation
    // made of it goes as well.
    let used = |memory: &Memory| (memory.trace.access_count, memory.trace.last_used_at);
    if used(now) != used(before) {
        memory.trace = now.trace.clone();
    }
    keep_or_take_back(&mut memory, now, occasion);
    memory
}

/// A memory as it stood before, but with the use it has had since.
fn stood(before: &Standing, now: &Memory, occasion: Occasion) -> Memory {
    let mut memory = now.clone();
    before.put(&mut memory);
    if now.trace.access_count != before.access_count {
        memory.trace = now.trace.clone();
    }
    keep_or_take_back(&mut memory, now, occasion);
    memory
}

/// The status of what is put back, with its own line in the history.
fn keep_or_take_back(memory: &mut Memory, now: &Memory, occasion: Occasion) {
    if now.status_change.cause == Cause::Use {
        // What use made of it is not taken back.
        memory.status = now.status;
        memory.status_change = now.status_change.clone();
    } else if memory.status != now.status {
        memory.status_change.at = occasion.at;
        memory.status_change.reason = format!("undone: {}", now.status_change.reason);
        memory.status_change.cause = Cause::Undo;
    } else {
        memory.status_change = now.status_change.clone();
    }
}
