//! Takes an operation back: one that was done at once, or a dream that was done
//! in parts, all of it or one step, the latest part first.
//!
//! Whether that can be done is seen before anything is; what becomes of one
//! memory is decided by `plan_undo`.

use crate::shelf::{ChangeError, Shelf};
use engram_core::dream::{Dream, DreamTrigger, Step};
use engram_core::plan::{CannotUndo, Occasion, plan_undo};
use engram_core::port::ReadError;
use engram_core::{Actor, Cause, Changes, Memory, MemoryId, Operation, OperationId, Write};
use std::collections::BTreeMap;

/// What it takes in one store to take an operation back.
pub struct Undoing {
    /// None: what lies here is a part of something that was done elsewhere.
    pub whole: Option<Operation>,
    parts: Vec<Changes>,
    last: Option<Changes>,
    /// Why there is nothing to take back here.
    pub nothing: Option<CannotUndo>,
}

impl Shelf {
    /// Takes back an operation of this store.
    pub async fn undo(
        &self,
        target: OperationId,
        occasion: Occasion,
    ) -> Result<(Operation, Vec<Memory>), ChangeError> {
        let mut undoing = self.plan_undoing(target, None, occasion).await?;
        let Some(whole) = undoing.whole.clone() else { return Err(ChangeError::NoOperation(target)) };
        let memories = self.take_back(&mut undoing).await?;
        self.end_undoing(undoing).await?;
        Ok((whole, memories))
    }

    /// What taking an operation back, or one step of a dream, would do here.
    pub async fn plan_undoing(
        &self,
        target: OperationId,
        step: Option<(&Dream, Step)>,
        occasion: Occasion,
    ) -> Result<Undoing, ChangeError> {
        let whole = self.store.find_operation(target).await?;
        if let Some(by) = whole.as_ref().and_then(|whole| whole.undone_by) {
            return Err(CannotUndo::AlreadyUndone { id: target, by }.into());
        }
        let done = self.store.parts_done(target).await?;
        if let Some(whole) = whole.as_ref().filter(|_| done.is_empty()) {
            let current = self.store.load(whole.memories.clone()).await?;
            let current = current.into_iter().map(|memory| (memory.id, memory)).collect();
            let parts = vec![plan_undo(whole, &current, occasion)?];
            return Ok(Undoing { whole: Some(whole.clone()), parts, last: None, nothing: None });
        }
        let of_step = |part: &Operation| {
            step.is_none_or(|(dream, step)| {
                let mut reports = dream.steps.iter().filter(|report| report.step == step);
                // What a dream sent up is a part that lies in the user's store.
                reports.any(|report| report.operations.contains(&part.id))
                    || step == Step::Promote && part.cause == Cause::Promote
            })
        };
        // Each is taken back by an operation that is named by its place from the
        // end, so that an undo which was cut short is gone on with under the same
        // name, and an undo of the undo goes the other way.
        let mut parts: Vec<(usize, &Operation)> = done.iter().rev().enumerate().collect();
        parts.retain(|(_, part)| of_step(part) && !part.inverse.is_empty());
        let undone = parts.iter().find_map(|(_, part)| Some((part.id, part.undone_by?)));
        parts.retain(|(_, part)| part.undone_by.is_none());
        let nothing = parts.is_empty().then_some(match undone {
            Some((id, by)) => CannotUndo::AlreadyUndone { id, by },
            None => CannotUndo::Irreversible { id: target, cause: Cause::Dream },
        });
        // Whether it can be done is seen before anything is.
        let mut planned: Vec<Changes> = Vec::new();
        let mut current: BTreeMap<MemoryId, Memory> = BTreeMap::new();
        for (place, part) in parts {
            let unseen = part.memories.iter().filter(|id| !current.contains_key(id)).copied().collect();
            for memory in self.store.load(unseen).await? {
                current.insert(memory.id, memory);
            }
            let number = u32::try_from(place).unwrap_or(u32::MAX);
            let named = Occasion { operation: occasion.operation.part(number), ..occasion };
            let changes = plan_undo(part, &current, named)?;
            see(&mut current, &changes);
            planned.push(Changes { part_of: Some(occasion.operation), ..changes });
        }
        let last = whole.as_ref().map(|whole| Changes {
            operation: occasion.operation,
            cause: Cause::Undo,
            actor: occasion.actor,
            at: occasion.at,
            undoes: if step.is_none() { Some(whole.id) } else { None },
            part_of: None,
            writes: Vec::new(),
        });
        Ok(Undoing { whole, parts: planned, last, nothing })
    }

    /// Does it. Whoever wants to write in between can; what he changes is refused
    /// by the door, and the rest can be taken back again.
    pub async fn take_back(&self, undoing: &mut Undoing) -> Result<Vec<Memory>, ChangeError> {
        let mut memories = Vec::new();
        for changes in std::mem::take(&mut undoing.parts) {
            let _door = self.door.lock().await;
            memories.extend(self.commit(changes).await?);
        }
        Ok(memories)
    }

    /// The log says that the whole was taken back, when all of its parts were.
    pub async fn end_undoing(&self, undoing: Undoing) -> Result<(), ChangeError> {
        let Some(last) = undoing.last else { return Ok(()) };
        let _door = self.door.lock().await;
        self.commit(last).await.map(drop)
    }

    /// The latest operation that an undo without a name would take back: of what
    /// somebody did, not of what happens in the background. One that cannot be
    /// taken back is not passed over; whoever asks is told so.
    pub async fn last_undoable(&self) -> Result<Option<Operation>, ReadError> {
        let mut depth = 64;
        loop {
            let latest = self.store.latest_operations(depth).await?;
            let all = latest.len() < depth;
            for operation in latest {
                if operation.undone_by.is_none() && self.is_by_hand(&operation).await? {
                    return Ok(Some(operation));
                }
            }
            if all {
                return Ok(None);
            }
            depth *= 8;
        }
    }

    async fn is_by_hand(&self, operation: &Operation) -> Result<bool, ReadError> {
        Ok(match operation.cause {
            Cause::Undo | Cause::Capture | Cause::Outline | Cause::Promote | Cause::Remind => false,
            Cause::Dream => {
                let dream = self.find_dream(operation.id).await?;
                dream.is_some_and(|dream| dream.trigger == DreamTrigger::Manual)
                    && self.store.parts_done(operation.id).await?.iter().any(is_left)
            }
            // What was learned is changed by hand where somebody resets it.
            Cause::Learn => operation.actor != Actor::Engram,
            // What a rule of retention took away was nobody's doing.
            Cause::Purge => operation.actor != Actor::Engram,
            Cause::Entity => true,
            _ => !operation.inverse.is_empty(),
        })
    }
}

fn is_left(part: &Operation) -> bool {
    part.undone_by.is_none() && !part.inverse.is_empty()
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
