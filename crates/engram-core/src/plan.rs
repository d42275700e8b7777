//! Decides what a request changes. Every function here is pure: it looks at
//! the memories it is given and returns `Changes`, or says why not.
//!
//! Nothing here reads a store; whoever calls has loaded what is needed, and
//! the commit door checks that it is still so. When a memory fades is set for
//! the whole change at the end, by `Changes::with_deadlines`.

mod capture;
mod draft;
mod edit;
mod evidence;
mod outline;
mod promote;
mod undo;
mod working;

pub(crate) use capture::take_evidence;
pub use capture::{
    CannotDecide, Formed, Setting, actor_of, close, decision_of, plan_end, plan_fact, plan_hear, plan_retire,
    plan_review,
};
pub use draft::{BadDraft, Draft, check_memory};
pub use edit::{Edited, plan_edit};
pub use evidence::{
    Told, credited_by, outcome_of, plan_evidence, plan_feedback, plan_outcome, plan_unlearn, rating_of,
};
pub use outline::{Sheet, drawn_from, plan_outline};
pub use promote::{ascended, join, plan_joined, plan_promoted, plan_told};
pub use undo::{CannotUndo, plan_undo};
pub use working::plan_working;

use crate::change::{Actor, Cause, Changes, PURGED_REASON, Write};
use crate::id::{OperationId, TurnId};
use crate::kind::{Scope, Tier};
use crate::law::{self, Grade, Model};
use crate::memory::{Memory, Provenance, Relation, RelationKind, Trace, Validity};
use crate::status::{Refused, Status, StatusChange};
use crate::unit::{Confidence, Importance, Stability, Utility};
use jiff::Timestamp;
use std::collections::BTreeSet;

/// What every plan needs to know of the request: which operation it is, on
/// whose behalf, when it was said, and when we learned of it. The last two
/// differ for what waited in the spool.
#[derive(Debug, Clone, Copy)]
pub struct Occasion {
    pub operation: OperationId,
    pub actor: Actor,
    pub at: Timestamp,
    pub recorded_at: Timestamp,
}

impl Occasion {
    pub(crate) fn changes(self, cause: Cause, writes: Vec<Write>) -> Changes {
        let Occasion { operation, actor, at, .. } = self;
        Changes { operation, cause, actor, at, undoes: None, part_of: None, writes }
    }
}

/// Why a plan cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotChange {
    #[error("memory {0} is immutable")]
    Immutable(crate::MemoryId),
    #[error(transparent)]
    Lifecycle(#[from] Refused),
    #[error("memory {0} already is that way")]
    NothingToDo(crate::MemoryId),
    #[error("memory {id} is {status} already")]
    Already { id: crate::MemoryId, status: Status },
    #[error("a reason is needed")]
    NoReason,
    #[error("memory {0} was not shown in that answer")]
    NotShown(crate::MemoryId),
    #[error("a person said of this answer how memory {0} served, and that stands")]
    JudgedByAPerson(crate::MemoryId),
    #[error(transparent)]
    Draft(#[from] BadDraft),
    #[error("{0} is called so already, or has as many names as one thing may have")]
    NoMoreNames(String),
    #[error(transparent)]
    Demote(#[from] law::CannotDemote),
}

/// A new memory from a draft.
pub fn plan_remember(draft: Draft, scope: Scope, provenance: Provenance, occasion: Occasion) -> Changes {
    let memory = newborn(draft, scope, provenance, occasion, Cause::Remember);
    occasion.changes(Cause::Remember, vec![Write::Create { memory: Box::new(memory) }])
}

/// A new value that takes the place of an old one. The old one stays, as what
/// was believed until now.
pub fn plan_correct(
    old: &Memory,
    content: &str,
    provenance: Provenance,
    longest: usize,
    occasion: Occasion,
) -> Result<Changes, CannotChange> {
    let draft = Draft {
        kind: old.kind,
        tags: old.tags.clone(),
        domain: old.domain.clone(),
        pinned: old.pinned,
        ..Draft::parse(content, longest)?
    };
    if draft.content == old.content {
        return Err(CannotChange::NothingToDo(old.id));
    }
    let mut new = newborn(draft, old.scope, provenance, occasion, Cause::Correct);
    new.tier = old.tier;
    let reason = format!("corrected by {}", new.id);
    let mut superseded = changed(old, Status::Superseded, &reason, Cause::Correct, occasion)?;
    superseded.validity.valid_until = Some(occasion.at.max(old.validity.valid_from));
    let relation = Relation::certain(new.id, RelationKind::Supersedes, old.id, occasion.at);
    Ok(occasion.changes(
        Cause::Correct,
        vec![Write::Create { memory: Box::new(new) }, replace(old, superseded), Write::Relate { relation }],
    ))
}

/// How much one confirmation moves confidence.
const CONFIRMATION: f64 = 0.1;

/// Someone says that it is so: evidence, and the only thing here that raises
/// confidence. A challenged memory is in force again.
pub fn plan_confirm(memory: &Memory, occasion: Occasion) -> Result<Changes, CannotChange> {
    let mut after = match memory.status {
        Status::Created | Status::Challenged | Status::Consolidated | Status::Archived => {
            changed(memory, Status::Active, "confirmed", Cause::Confirm, occasion)?
        }
        Status::Active => edited(memory, occasion)?,
        other => return Err(other.may_become(Status::Active).unwrap_err().into()),
    };
    after.confidence = Confidence::clamped(memory.confidence.get() + CONFIRMATION);
    Ok(occasion.changes(Cause::Confirm, vec![replace(memory, after)]))
}

/// A status by hand.
pub fn plan_mark(
    memory: &Memory,
    status: Status,
    reason: &str,
    occasion: Occasion,
) -> Result<Changes, CannotChange> {
    let reason = reason.trim();
    if reason.is_empty() {
        return Err(CannotChange::NoReason);
    }
    if memory.status == status {
        return Err(CannotChange::Already { id: memory.id, status });
    }
    let mut after = changed(memory, status, reason, Cause::Mark, occasion)?;
    if status == Status::Forgotten {
        after.clear_text();
    }
    Ok(occasion.changes(Cause::Mark, vec![replace(memory, after)]))
}

/// Out of sight, not out of the store.
pub fn plan_forget(memories: &[Memory], occasion: Occasion) -> Result<Changes, CannotChange> {
    let writes = memories
        .iter()
        .map(|memory| match memory.status {
            Status::Archived => Err(CannotChange::Already { id: memory.id, status: memory.status }),
            _ => changed(memory, Status::Archived, "forgotten on request", Cause::Forget, occasion)
                .map(|after| replace(memory, after)),
        })
        .collect::<Result<_, _>>()?;
    Ok(occasion.changes(Cause::Forget, writes))
}

/// Takes the text away for good. What remains is that there was a memory.
/// A pin or an immutable mark does not hold against its owner's wish here.
pub fn plan_purge(memories: &[Memory], occasion: Occasion) -> Result<Changes, CannotChange> {
    let writes = memories
        .iter()
        .map(|memory| {
            let mut after = if memory.status == Status::Forgotten {
                memory.clone()
            } else {
                let mut open = memory.clone();
                open.immutable = false;
                changed(&open, Status::Forgotten, PURGED_REASON, Cause::Purge, occasion)?
            };
            after.clear_text();
            after.revision = memory.revision + 1;
            Ok(replace(memory, after))
        })
        .collect::<Result<_, CannotChange>>()?;
    Ok(occasion.changes(Cause::Purge, writes))
}

/// The same, but of the turns they were made of only these go with them: on the
/// others somebody or something else rests.
pub fn plan_purge_with(
    memories: &[Memory],
    turns: &BTreeSet<TurnId>,
    occasion: Occasion,
) -> Result<Changes, CannotChange> {
    let mut memories = memories.to_vec();
    for memory in &mut memories {
        memory.provenance.evidence.retain(|turn| turns.contains(turn));
    }
    plan_purge(&memories, occasion)
}

/// Brings an archived memory back.
pub fn plan_unforget(memory: &Memory, occasion: Occasion) -> Result<Changes, CannotChange> {
    let after = changed(memory, Status::Active, "brought back on request", Cause::Unforget, occasion)?;
    Ok(occasion.changes(Cause::Unforget, vec![replace(memory, after)]))
}

/// Protects from forgetting, or stops protecting.
pub fn plan_pin(memory: &Memory, pinned: bool, occasion: Occasion) -> Result<Changes, CannotChange> {
    if memory.pinned == pinned {
        return Err(CannotChange::NothingToDo(memory.id));
    }
    let mut after = edited(memory, occasion)?;
    after.pinned = pinned;
    let cause = if pinned { Cause::Pin } else { Cause::Unpin };
    Ok(occasion.changes(cause, vec![replace(memory, after)]))
}

/// Puts a memory into another tier by hand.
pub fn plan_tier(memory: &Memory, tier: Tier, occasion: Occasion) -> Result<Changes, CannotChange> {
    if memory.tier == tier {
        return Err(CannotChange::NothingToDo(memory.id));
    }
    let down = matches!(
        (memory.tier, tier),
        (Tier::Semantic | Tier::Procedural, Tier::Episodic) | (_, Tier::Working) | (Tier::Codebase, _)
    );
    if down || tier == Tier::Codebase {
        law::may_demote(memory, tier)?;
    }
    let mut after = edited(memory, occasion)?;
    after.tier = tier;
    Ok(occasion.changes(Cause::Tier, vec![replace(memory, after)]))
}

/// What being shown `times` times, last at `at`, does to a memory: it is easier
/// to reach and stays so for longer. It is graded once, however often it was
/// shown, because the times lie too close together to be told apart. A new
/// memory becomes active, an archived one comes back, unless it was archived
/// after it was shown; nothing becomes truer.
pub fn plan_use(memory: &Memory, model: Model, times: u32, at: Timestamp) -> Memory {
    let mut after = memory.clone();
    after.trace = law::graded_at(memory, model, Grade::Used, at);
    after.trace.access_count = memory.trace.access_count.saturating_add(times);
    after.trace.last_used_at = memory.trace.last_used_at.max(at);
    let reason = match memory.status {
        Status::Created => Some("first use"),
        Status::Archived if at > memory.status_change.at => Some(USED_AGAIN),
        _ => None,
    };
    if let Some(reason) = reason {
        after.status = Status::Active;
        after.status_change = StatusChange { at, reason: reason.to_owned(), cause: Cause::Use };
    }
    after.trace.fades_at = law::fades_at(&after, model);
    after
}

/// Why a memory is in force that use brought back.
const USED_AGAIN: &str = "used again";

/// When use brought a memory back that had been put away. None: it never was, or
/// has changed its status since.
pub fn came_back_at(memory: &Memory) -> Option<Timestamp> {
    let change = &memory.status_change;
    (change.cause == Cause::Use && change.reason == USED_AGAIN).then_some(change.at)
}

/// What the use of a memory does to one that is tied to it: it is a little more
/// stable, and was not used itself. None: it is not there to be used.
pub fn plan_spread(neighbour: &Memory, model: Model) -> Option<Memory> {
    if !neighbour.status.is_current() || neighbour.immutable {
        return None;
    }
    let mut after = neighbour.clone();
    after.trace.stability = Stability::clamped(neighbour.trace.stability.get() * SPREAD);
    after.trace.fades_at = law::fades_at(&after, model);
    Some(after)
}

/// What a neighbour's use does to stability.
const SPREAD: f64 = 1.02;

pub(crate) fn newborn(
    draft: Draft,
    scope: Scope,
    provenance: Provenance,
    occasion: Occasion,
    cause: Cause,
) -> Memory {
    let at = occasion.at;
    Memory {
        id: occasion.operation.newborn(),
        scope,
        tier: draft.kind.first_tier(),
        kind: draft.kind,
        status: Status::Created,
        status_change: StatusChange { at, reason: "remembered".to_owned(), cause },
        content: draft.content,
        summary: None,
        tags: draft.tags,
        domain: draft.domain,
        structured: None,
        importance: Importance::DEFAULT,
        confidence: Confidence::DEFAULT,
        utility: Utility::DEFAULT,
        surprise: None,
        emotion: None,
        pinned: draft.pinned,
        immutable: false,
        trace: Trace {
            access_count: 0,
            last_used_at: at,
            stability: Stability::FIRST,
            difficulty: None,
            fades_at: None,
        },
        validity: Validity { valid_from: at, valid_until: None, recorded_at: occasion.recorded_at },
        provenance,
        created_at: at,
        updated_at: at,
        revision: 0,
    }
}

pub(crate) fn replace(before: &Memory, after: Memory) -> Write {
    Write::Replace { before: Box::new(before.clone()), after: Box::new(after) }
}

pub(crate) fn edited(memory: &Memory, occasion: Occasion) -> Result<Memory, CannotChange> {
    if memory.immutable {
        return Err(CannotChange::Immutable(memory.id));
    }
    let mut after = memory.clone();
    after.updated_at = occasion.at;
    // Of what a team shares the server counts the changes.
    if memory.scope != Scope::Team {
        after.revision += 1;
    }
    Ok(after)
}

pub(crate) fn changed(
    memory: &Memory,
    status: Status,
    reason: &str,
    cause: Cause,
    occasion: Occasion,
) -> Result<Memory, CannotChange> {
    let mut after = edited(memory, occasion)?;
    memory.status.may_become(status)?;
    after.status = status;
    after.status_change = StatusChange { at: occasion.at, reason: reason.to_owned(), cause };
    Ok(after)
}

#[cfg(test)]
mod tests;
