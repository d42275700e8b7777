//! What an operation was to the memories, in the four words of a diary.
//!
//! It is told from the log: what takes an operation back says what it did. Which
//! status a memory took then is in its history, and is handed in.

use crate::change::{Cause, Inverse, Operation};
use crate::id::MemoryId;
use crate::memory::RelationKind;
use crate::status::Status;
use crate::words::words;
use std::collections::{BTreeMap, BTreeSet};

words! {
    /// What happened to a memory, the weightiest last.
    pub enum Happened ("what happened") {
        /// Something about it, or where it stands.
        Changed = "changed",
        /// It was put away, or its text was taken away.
        Forgotten = "forgotten",
        /// It is new.
        Learned = "learned",
        /// It took the place of another, or was found to be wrong.
        Corrected = "corrected",
    }
}

/// The causes that have something to tell: those of which `happened` may tell
/// nothing are upkeep, or about other things than memories.
pub fn told_causes() -> Vec<Cause> {
    Cause::ALL.iter().copied().filter(|cause| is_told(*cause)).collect()
}

const fn is_told(cause: Cause) -> bool {
    match cause {
        Cause::Hear
        | Cause::Outline
        | Cause::Outcome
        | Cause::Feedback
        | Cause::Remind
        | Cause::Entity
        | Cause::Learn
        | Cause::Sync
        | Cause::Use => false,
        Cause::Remember
        | Cause::Correct
        | Cause::Confirm
        | Cause::Mark
        | Cause::Forget
        | Cause::Unforget
        | Cause::Purge
        | Cause::Pin
        | Cause::Unpin
        | Cause::Import
        | Cause::Undo
        | Cause::Capture
        | Cause::Review
        | Cause::Promote
        | Cause::Dream
        | Cause::Tier
        | Cause::Edit
        | Cause::Consolidate
        | Cause::Evolve
        | Cause::Share
        | Cause::Withdraw
        | Cause::Erase => true,
    }
}

/// What happened to which memory, each told once. `became` says which status a
/// memory took by this operation; none where that stayed as it was.
pub fn happened(
    operation: &Operation,
    became: impl Fn(MemoryId) -> Option<Status>,
) -> Vec<(MemoryId, Happened)> {
    if !is_told(operation.cause) {
        return Vec::new();
    }
    // Nothing takes a purge back, so that nothing but the names is left of it.
    if matches!(operation.cause, Cause::Purge | Cause::Erase) {
        return operation.memories.iter().map(|id| (*id, Happened::Forgotten)).collect();
    }
    let edges = || {
        operation.inverse.iter().filter_map(|inverse| match inverse {
            Inverse::Unrelate { relation } if relation.kind == RelationKind::Supersedes => Some(relation),
            _ => None,
        })
    };
    let successors: BTreeSet<MemoryId> = edges().map(|edge| edge.from).collect();
    // Whose place was taken is told with what took it.
    let replaced: BTreeSet<MemoryId> = edges().map(|edge| edge.to).collect();
    let mut told: BTreeMap<MemoryId, Happened> = BTreeMap::new();
    let mut tell = |id: MemoryId, what: Happened| {
        let known = told.entry(id).or_insert(what);
        *known = what.max(*known);
    };
    for inverse in &operation.inverse {
        match inverse {
            Inverse::Remove { id, .. } if successors.contains(id) => tell(*id, Happened::Corrected),
            Inverse::Remove { id, .. } => tell(*id, Happened::Learned),
            Inverse::Create { memory } => tell(memory.id, Happened::Forgotten),
            Inverse::Restore { before, .. } => {
                if let Some(what) = changed_into(operation.cause, became(before.id), &replaced, before.id) {
                    tell(before.id, what);
                }
            }
            Inverse::Stand { id, .. } => {
                if let Some(what) = changed_into(operation.cause, became(*id), &replaced, *id) {
                    tell(*id, what);
                }
            }
            Inverse::Relate { .. }
            | Inverse::Unrelate { .. }
            | Inverse::Rejudge { .. }
            | Inverse::Entity { .. }
            | Inverse::Bond { .. }
            | Inverse::Learn { .. }
            | Inverse::Record { .. }
            | Inverse::Unrecord { .. }
            | Inverse::Rate { .. } => {}
        }
    }
    told.into_iter().collect()
}

/// What became of one that had been there.
fn changed_into(
    cause: Cause,
    became: Option<Status>,
    replaced: &BTreeSet<MemoryId>,
    id: MemoryId,
) -> Option<Happened> {
    match became {
        Some(Status::Superseded) if replaced.contains(&id) => None,
        Some(Status::Superseded | Status::Invalidated | Status::Deprecated) => Some(Happened::Corrected),
        Some(Status::Archived | Status::Forgotten) => Some(Happened::Forgotten),
        Some(
            Status::Created
            | Status::Active
            | Status::Challenged
            | Status::Consolidated
            | Status::Merged
            | Status::Promoted,
        ) => Some(Happened::Changed),
        // A dream moves deadlines and weights of everything, and says nothing by it.
        None if cause == Cause::Dream => None,
        None => Some(Happened::Changed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::{Actor, Changes};
    use crate::kind::Scope;
    use crate::memory::{Memory, Provenance};
    use crate::plan::{
        Draft, Occasion, plan_correct, plan_forget, plan_mark, plan_pin, plan_purge, plan_remember, plan_undo,
    };
    use crate::{OperationId, Timestamp, Ulid, Write};

    fn occasion(number: u128) -> Occasion {
        let at = Timestamp::from_second(1_000 + i64::try_from(number).unwrap()).unwrap();
        let operation = OperationId::from_ulid(Ulid(number));
        Occasion { operation, actor: Actor::Human, at, recorded_at: at }
    }

    fn remembered() -> (Changes, Memory) {
        let draft = Draft::parse("we deploy on fridays", 100).unwrap();
        let changes = plan_remember(draft, Scope::User, Provenance::stated_by(Actor::Human), occasion(1));
        let memory = written(&changes).remove(0);
        (changes, memory)
    }

    fn written(changes: &Changes) -> Vec<Memory> {
        let after = |write: &Write| match write {
            Write::Create { memory } => Some((**memory).clone()),
            Write::Replace { after, .. } => Some((**after).clone()),
            _ => None,
        };
        changes.writes.iter().filter_map(after).collect()
    }

    /// As the history tells it: a status that was taken at this very moment.
    fn told(changes: &Changes) -> Vec<(MemoryId, Happened)> {
        let after = written(changes);
        happened(&changes.log_entry(), |id| {
            let memory = after.iter().find(|memory| memory.id == id)?;
            (memory.status_change.at == changes.at).then_some(memory.status)
        })
    }

    #[test]
    fn a_birth_is_learned_and_a_successor_corrects() {
        let (birth, memory) = remembered();
        assert_eq!(told(&birth), [(memory.id, Happened::Learned)]);
        let stated = Provenance::stated_by(Actor::Human);
        let correction = plan_correct(&memory, "on mondays", stated, 100, occasion(2)).unwrap();
        let new = written(&correction).remove(0);
        assert_eq!(told(&correction), [(new.id, Happened::Corrected)], "the old one is told with the new");
    }

    #[test]
    fn what_is_put_away_is_forgotten_and_a_pin_is_a_change() {
        let (_, memory) = remembered();
        let of = |changes: Changes| told(&changes);
        let one = std::slice::from_ref(&memory);
        assert_eq!(of(plan_forget(one, occasion(2)).unwrap()), [(memory.id, Happened::Forgotten)]);
        assert_eq!(of(plan_purge(one, occasion(2)).unwrap()), [(memory.id, Happened::Forgotten)]);
        assert_eq!(of(plan_pin(&memory, true, occasion(2)).unwrap()), [(memory.id, Happened::Changed)]);
        let marked = |status| plan_mark(&memory, status, "because", occasion(2)).unwrap();
        assert_eq!(of(marked(Status::Archived)), [(memory.id, Happened::Forgotten)]);
        assert_eq!(of(marked(Status::Invalidated)), [(memory.id, Happened::Corrected)]);
        assert_eq!(of(marked(Status::Challenged)), [(memory.id, Happened::Changed)]);
    }

    #[test]
    fn what_an_undo_takes_away_is_forgotten_and_what_it_brings_back_is_learned() {
        let (birth, memory) = remembered();
        let now = BTreeMap::from([(memory.id, memory.clone())]);
        let undo = plan_undo(&birth.log_entry(), &now, occasion(2)).unwrap();
        assert_eq!(told(&undo), [(memory.id, Happened::Forgotten)]);
        let redo = plan_undo(&undo.log_entry(), &BTreeMap::new(), occasion(3)).unwrap();
        assert_eq!(told(&redo), [(memory.id, Happened::Learned)]);
    }

    #[test]
    fn the_upkeep_of_a_dream_is_not_told_and_what_it_puts_away_is() {
        let (_, memory) = remembered();
        let mut part = plan_pin(&memory, true, occasion(2)).unwrap().log_entry();
        part.cause = Cause::Dream;
        assert_eq!(happened(&part, |_| None), []);
        assert_eq!(happened(&part, |_| Some(Status::Archived)), [(memory.id, Happened::Forgotten)]);
    }

    #[test]
    fn only_told_causes_are_told() {
        let (birth, memory) = remembered();
        for cause in Cause::ALL {
            let operation = Operation { cause: *cause, ..birth.log_entry() };
            let expected = told_causes().contains(cause);
            assert_eq!(!happened(&operation, |_| None).is_empty(), expected, "{cause} of {}", memory.id);
        }
        assert!(!told_causes().contains(&Cause::Hear) && !told_causes().contains(&Cause::Outline));
    }
}
