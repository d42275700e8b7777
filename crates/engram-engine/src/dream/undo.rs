//! Takes a dream back: all of it, or one step, the latest part first.
//!
//! Whether that can be done is seen before anything is; what becomes of one
//! memory is decided by `plan_undo`.

use crate::shelf::{ChangeError, Shelf};
use engram_core::dream::{Dream, Step};
use engram_core::plan::{CannotUndo, Occasion, plan_undo};
use engram_core::{Cause, Changes, Memory, MemoryId, Operation, OperationId, Write};
use std::collections::BTreeMap;

impl Shelf {
    /// Takes back one step of a dream.
    pub async fn undo_step(
        &self,
        dream: &Dream,
        step: Step,
        occasion: Occasion,
    ) -> Result<(Operation, Vec<Memory>), ChangeError> {
        let whole = self.store.find_operation(dream.id).await?.ok_or(ChangeError::NoOperation(dream.id))?;
        let reports = dream.steps.iter().filter(|report| report.step == step);
        let parts: Vec<OperationId> = reports.flat_map(|report| report.operations.clone()).collect();
        let memories = self.undo_parts(&whole, Some(&parts), occasion).await?;
        Ok((whole, memories))
    }

    /// Takes back what was done in parts: all of it, or one step of a dream. The
    /// latest part goes first.
    pub(crate) async fn undo_parts(
        &self,
        whole: &Operation,
        only: Option<&[OperationId]>,
        occasion: Occasion,
    ) -> Result<Vec<Memory>, ChangeError> {
        if let Some(by) = whole.undone_by {
            return Err(CannotUndo::AlreadyUndone { id: whole.id, by }.into());
        }
        let done = self.store.parts_done(whole.id).await?;
        // Each is taken back by an operation that is named by its place from the
        // end, so that an undo which was cut short is gone on with under the same
        // name, and an undo of the undo goes the other way.
        let mut parts: Vec<(usize, &Operation)> = done.iter().rev().enumerate().collect();
        parts.retain(|(_, part)| only.is_none_or(|only| only.contains(&part.id)));
        parts.retain(|(_, part)| !part.inverse.is_empty());
        let undone = parts.iter().find_map(|(_, part)| Some((part.id, part.undone_by?)));
        parts.retain(|(_, part)| part.undone_by.is_none());
        if parts.is_empty() && only.is_some() {
            return Err(match undone {
                Some((id, by)) => CannotUndo::AlreadyUndone { id, by }.into(),
                None => CannotUndo::Irreversible { id: whole.id, cause: whole.cause }.into(),
            });
        }
        // Whether it can be done is seen before anything is.
        let mut planned: Vec<Changes> = Vec::new();
        let mut current: BTreeMap<MemoryId, Memory> = BTreeMap::new();
        for (place, part) in parts {
            let unseen = part.memories.iter().filter(|id| !current.contains_key(id)).copied().collect();
            for memory in self.store.load(unseen).await? {
                current.insert(memory.id, memory);
            }
            let number = u32::try_from(place).unwrap_or(u32::MAX);
            let occasion = Occasion { operation: occasion.operation.part(number), ..occasion };
            let changes = plan_undo(part, &current, occasion)?;
            see(&mut current, &changes);
            planned.push(changes);
        }
        let mut memories = Vec::new();
        for mut changes in planned {
            changes.part_of = Some(occasion.operation);
            // Whoever wants to write in between can; what he changes is refused
            // by the door, and the rest can be taken back again.
            let _door = self.door.lock().await;
            memories.extend(self.commit(changes).await?);
        }
        let last = Changes {
            operation: occasion.operation,
            cause: Cause::Undo,
            actor: occasion.actor,
            at: occasion.at,
            undoes: if only.is_none() { Some(whole.id) } else { None },
            part_of: None,
            writes: Vec::new(),
        };
        let _door = self.door.lock().await;
        self.commit(last).await?;
        Ok(memories)
    }
}

/// The memories as these changes would leave them.
fn see(current: &mut BTreeMap<MemoryId, Memory>, changes: &Changes) {
    for write in &changes.writes {
        match write {
            Write::Create { memory } => drop(current.insert(memory.id, Memory::clone(memory))),
            Write::Replace { after, .. } => drop(current.insert(after.id, Memory::clone(after))),
            Write::Remove { memory } => drop(current.remove(&memory.id)),
            Write::Upkeep { change } => {
                if let Some(memory) = current.get_mut(&change.id) {
                    change.after.put(memory);
                }
            }
            _ => {}
        }
    }
}
