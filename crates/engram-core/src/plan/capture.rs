//! What capture writes: turns as they were heard, facts as the gate decided,
//! and what a person decided about a pair.

use super::{BadDraft, CannotChange, Draft, Occasion, changed, edited, newborn, replace};
use crate::advice::DecidedBy;
use crate::change::{Actor, Cause, Changes, Write};
use crate::decision::{Action, Closed, Decision, Pair, Review, Ruling};
use crate::describe::summary_of;
use crate::form::merge;
use crate::gate::Gated;
use crate::id::{MemoryId, OperationId, TurnId};
use crate::kind::{Kind, Scope};
use crate::law::Weighed;
use crate::memory::{DataSource, Memory, Provenance, Relation, RelationKind, WriteSource};
use crate::observe::{Emotion, Role};
use crate::status::Status;
use crate::turn::{EventType, Turn};
use crate::unit::{Confidence, Importance};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// A memory keeps the first turn it came from and so many of the latest.
const MOST_EVIDENCE: usize = 20;
/// How much an independent second observation moves confidence.
const SECOND_OBSERVATION: f64 = 0.1;

/// Keeps turns, to be read.
pub fn plan_hear(turns: Vec<Turn>, operation: OperationId, at: Timestamp) -> Changes {
    let writes = turns.into_iter().map(|turn| Write::Hear { turn: Box::new(turn) }).collect();
    Changes { operation, cause: Cause::Hear, actor: Actor::Engram, at, undoes: None, part_of: None, writes }
}

/// A fact that has been formed and weighed.
#[derive(Debug, Clone)]
pub struct Formed {
    /// The memory it becomes, if it becomes one.
    pub id: MemoryId,
    pub text: String,
    pub kind: Kind,
    pub confidence: Confidence,
    pub emotion: Option<Emotion>,
    pub valid_from: Option<Timestamp>,
    pub valid_until: Option<Timestamp>,
    pub tags: BTreeSet<String>,
    /// One line of it; None: its beginning serves.
    pub summary: Option<String>,
    pub domain: Option<String>,
    pub structured: Option<serde_json::Map<String, serde_json::Value>>,
    /// Somebody wants it protected.
    pub pinned: bool,
    pub weighed: Weighed,
    /// Which part made it: the observer, or formation where words were changed.
    pub write_source: WriteSource,
}

/// What a turn brings along for all of its facts.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    pub turn: &'a Turn,
    /// Its conversation is among those that the memory it is about came from.
    pub repeated: bool,
    pub scope: Scope,
    pub project: Option<&'a crate::ProjectKey>,
    pub operation: OperationId,
    pub cause: Cause,
    /// On whose behalf.
    pub actor: Actor,
    pub at: Timestamp,
}

impl Setting<'_> {
    fn occasion(&self) -> Occasion {
        let Setting { operation, actor, turn, at, .. } = *self;
        Occasion { operation, actor, at: turn.said_at, recorded_at: at }
    }
}

/// On whose behalf something is kept of an event, if nobody says otherwise.
pub const fn actor_of(event: EventType) -> Actor {
    match event {
        EventType::UserMessage | EventType::Remember => Actor::Human,
        EventType::File => Actor::Ingest,
        EventType::AssistantMessage | EventType::ToolCall | EventType::SubagentResult => Actor::Assistant,
    }
}

/// What becomes of one fact: the writes, and the decision about it. `known`
/// holds the memories that `gated` is about, as they are now.
pub fn plan_fact(
    formed: &Formed,
    gated: &Gated,
    known: &BTreeMap<MemoryId, Memory>,
    setting: &Setting<'_>,
) -> Result<(Vec<Write>, Option<MemoryId>), CannotChange> {
    let other = gated.others.first().and_then(|id| known.get(id));
    let occasion = setting.occasion();
    match (gated.action, other) {
        (Action::Update, Some(old)) => {
            let mut after = edited(old, occasion)?;
            after.content = gated.merged.clone().unwrap_or_else(|| merge(&old.content, &formed.text));
            after.summary = summary_of(&after.content);
            after.importance = Importance::clamped(old.importance.get().max(formed.weighed.importance.get()));
            take_evidence(&mut after, setting.turn.id);
            let id = after.id;
            Ok((vec![replace(old, after)], Some(id)))
        }
        (Action::Reinforce, Some(old)) => match independent(old, setting) {
            true => {
                let mut after = edited(old, occasion)?;
                after.confidence = Confidence::clamped(old.confidence.get() + SECOND_OBSERVATION);
                take_evidence(&mut after, setting.turn.id);
                Ok((vec![replace(old, after)], Some(old.id)))
            }
            // The same voice saying it twice is no second observation.
            false => Ok((Vec::new(), Some(old.id))),
        },
        (Action::Skip, _) => Ok((Vec::new(), None)),
        (Action::Supersede, _) => {
            let new = memory_of(formed, setting);
            let reason = replaced_by(gated, new.id);
            let mut writes = vec![Write::Create { memory: Box::new(new.clone()) }];
            for old in gated.others.iter().filter_map(|id| known.get(id)) {
                let mut gone = changed(old, Status::Superseded, &reason, setting.cause, occasion)?;
                gone.validity.valid_until = Some(new.validity.valid_from.max(old.validity.valid_from));
                writes.push(replace(old, gone));
                writes.push(edge(new.id, RelationKind::Supersedes, old.id, occasion.at));
            }
            Ok((writes, Some(new.id)))
        }
        (Action::Challenge, Some(old)) => {
            let mut new = memory_of(formed, setting);
            let mut writes = Vec::new();
            let unsure = |id: MemoryId| format!("nobody could be sure beside {id}");
            if gated.older_in_doubt && old.status != Status::Challenged {
                let after = changed(old, Status::Challenged, &unsure(new.id), setting.cause, occasion)?;
                writes.push(replace(old, after));
            } else if !gated.older_in_doubt {
                new.status = Status::Challenged;
                new.status_change.reason = unsure(old.id);
            }
            let pair = Pair::Memories { newer: new.id, older: old.id };
            let review = Review::open(pair, gated.reason.clone(), gated.similarity, setting.at);
            writes.extend([
                Write::Create { memory: Box::new(new.clone()) },
                edge(new.id, RelationKind::Contradicts, old.id, occasion.at),
                Write::Review { before: None, after: Box::new(review) },
            ]);
            Ok((writes, Some(new.id)))
        }
        _ => {
            let new = memory_of(formed, setting);
            let id = new.id;
            Ok((vec![Write::Create { memory: Box::new(new) }], Some(id)))
        }
    }
}

/// A memory whose place one of another store took. No edge joins two stores.
pub fn plan_retire(
    old: &Memory,
    by: MemoryId,
    gated: &Gated,
    setting: &Setting<'_>,
) -> Result<Write, CannotChange> {
    let occasion = setting.occasion();
    let mut gone = changed(old, Status::Superseded, &replaced_by(gated, by), setting.cause, occasion)?;
    gone.validity.valid_until = Some(occasion.at.max(old.validity.valid_from));
    Ok(replace(old, gone))
}

/// What a source says no more was so until now.
pub fn plan_end(memory: &Memory, occasion: Occasion) -> Result<Write, CannotChange> {
    let mut after = edited(memory, occasion)?;
    after.validity.valid_until = Some(occasion.at.max(memory.validity.valid_from));
    Ok(replace(memory, after))
}

/// A reason stays when a text is purged, so it repeats none.
fn replaced_by(gated: &Gated, by: MemoryId) -> String {
    let why = gated.why.map_or("contradicted", |why| why.as_str());
    format!("{why}: replaced by {by}")
}

/// What is kept of how it was decided.
pub fn decision_of(
    number: usize,
    formed: &Formed,
    gated: &Gated,
    memory: Option<MemoryId>,
    setting: &Setting<'_>,
    by: DecidedBy,
) -> Decision {
    let reason = match gated.action {
        Action::Create | Action::Supersede | Action::Challenge => {
            Decision::reason_with_weight(&gated.reason, &formed.weighed.because)
        }
        Action::Update | Action::Reinforce | Action::Skip => gated.reason.clone(),
    };
    Decision {
        turn: setting.turn.id,
        number: u32::try_from(number).unwrap_or(u32::MAX),
        action: gated.action,
        memory,
        other: gated.others.first().copied(),
        fact: Some(formed.text.clone()),
        reason,
        similarity: gated.similarity,
        by,
        at: setting.at,
    }
}

/// Whether a second observation tells anything new: it comes from another
/// conversation or another kind of source. What an agent says never counts,
/// for it may have read it here.
fn independent(memory: &Memory, setting: &Setting<'_>) -> bool {
    let turn = setting.turn;
    let echoes = matches!(turn.role, Role::Assistant | Role::Subagent);
    let elsewhere = match (memory.provenance.source_session, turn.session) {
        (Some(one), Some(other)) => one != other && !setting.repeated,
        _ => memory.provenance.data_source != source_of(turn.event),
    };
    !echoes && elsewhere && !memory.immutable && !memory.provenance.evidence.contains(&turn.id)
}

const fn source_of(event: EventType) -> DataSource {
    match event {
        EventType::UserMessage | EventType::Remember => DataSource::UserMessage,
        EventType::AssistantMessage | EventType::SubagentResult => DataSource::AssistantMessage,
        EventType::ToolCall => DataSource::System,
        EventType::File => DataSource::File,
    }
}

pub(crate) fn take_evidence(memory: &mut Memory, turn: TurnId) {
    let evidence = &mut memory.provenance.evidence;
    if evidence.contains(&turn) {
        return;
    }
    if evidence.len() >= MOST_EVIDENCE {
        evidence.remove(1);
    }
    evidence.push(turn);
}

fn memory_of(formed: &Formed, setting: &Setting<'_>) -> Memory {
    let turn = setting.turn;
    let stated = Provenance::stated_by(setting.actor);
    let provenance = Provenance {
        source_session: turn.session,
        source_project: setting.project.cloned(),
        write_source: match turn.event {
            EventType::Remember => WriteSource::Manual,
            EventType::File => WriteSource::Import,
            _ => formed.write_source,
        },
        data_source: match turn.event {
            EventType::Remember => stated.data_source,
            event => source_of(event),
        },
        speaker: turn.speaker.clone(),
        author: None,
        trust: stated.trust,
        evidence: vec![turn.id],
        promotion_chain: Vec::new(),
    };
    let draft = Draft {
        content: formed.text.clone(),
        kind: formed.kind,
        tags: formed.tags.clone(),
        domain: formed.domain.clone(),
        pinned: formed.pinned || formed.weighed.pinned,
    };
    let mut memory = newborn(draft, setting.scope, provenance, setting.occasion(), setting.cause);
    memory.id = formed.id;
    if setting.cause == Cause::Capture {
        "captured".clone_into(&mut memory.status_change.reason);
    }
    memory.summary = formed.summary.clone().or_else(|| summary_of(&memory.content));
    memory.structured.clone_from(&formed.structured);
    memory.importance = formed.weighed.importance;
    memory.confidence = formed.confidence;
    memory.surprise = Some(formed.weighed.surprise);
    memory.emotion = formed.emotion;
    memory.tier = formed.weighed.tier;
    memory.trace.stability = formed.weighed.stability;
    if let Some(from) = formed.valid_from.filter(|from| *from <= turn.said_at) {
        memory.validity.valid_from = from;
    }
    memory.validity.valid_until = formed.valid_until.filter(|until| *until > memory.validity.valid_from);
    memory
}

fn edge(from: MemoryId, kind: RelationKind, to: MemoryId, created_at: Timestamp) -> Write {
    Write::Relate { relation: Relation::certain(from, kind, to, created_at) }
}

/// Why a pair cannot be decided.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CannotDecide {
    #[error("this was decided already: {0}")]
    Decided(Ruling),
    #[error("one of the two is gone")]
    Gone,
    #[error("entities are one or they are not: merge or both")]
    NotForEntities,
    #[error(transparent)]
    CannotChange(#[from] CannotChange),
}

/// What somebody decided about two memories.
pub fn plan_review(
    review: &Review,
    newer: &Memory,
    older: &Memory,
    ruling: Ruling,
    longest: usize,
    occasion: Occasion,
) -> Result<Changes, CannotDecide> {
    let mut writes = Vec::new();
    let mut settle = |memory: &Memory| -> Result<(), CannotChange> {
        if memory.status == Status::Challenged {
            let after = changed(memory, Status::Active, "decided in a review", Cause::Review, occasion)?;
            writes.push(replace(memory, after));
        }
        Ok(())
    };
    match ruling {
        Ruling::Both => {
            settle(newer)?;
            settle(older)?;
        }
        Ruling::Newer => {
            settle(newer)?;
            let reason = format!("replaced by {} in a review", newer.id);
            let mut gone = changed(older, Status::Superseded, &reason, Cause::Review, occasion)?;
            gone.validity.valid_until = Some(newer.validity.valid_from.max(older.validity.valid_from));
            writes.push(replace(older, gone));
            writes.push(edge(newer.id, RelationKind::Supersedes, older.id, occasion.at));
        }
        Ruling::Older => {
            settle(older)?;
            let reason = format!("rejected for {} in a review", older.id);
            let gone = changed(newer, Status::Invalidated, &reason, Cause::Review, occasion)?;
            writes.push(replace(newer, gone));
        }
        Ruling::Merge => {
            let content = merge(&older.content, &newer.content);
            if content.len() > longest {
                let too_long = BadDraft::TooLong { bytes: content.len(), longest };
                return Err(CannotChange::Draft(too_long).into());
            }
            let mut whole = match older.status {
                Status::Challenged => {
                    changed(older, Status::Active, "merged in a review", Cause::Review, occasion)?
                }
                _ => edited(older, occasion)?,
            };
            whole.summary = summary_of(&content);
            whole.content = content;
            for turn in &newer.provenance.evidence {
                take_evidence(&mut whole, *turn);
            }
            let reason = format!("merged into {} in a review", older.id);
            let gone = changed(newer, Status::Merged, &reason, Cause::Review, occasion)?;
            writes.push(replace(older, whole));
            writes.push(replace(newer, gone));
        }
    }
    writes.push(close(review, ruling, occasion)?);
    Ok(occasion.changes(Cause::Review, writes))
}

/// Closes a review, whatever else is written with it.
pub fn close(review: &Review, ruling: Ruling, occasion: Occasion) -> Result<Write, CannotDecide> {
    if let Some(closed) = review.closed {
        return Err(CannotDecide::Decided(closed.ruling));
    }
    let closed = Closed { ruling, actor: occasion.actor, at: occasion.at };
    let after = Review { closed: Some(closed), ..review.clone() };
    Ok(Write::Review { before: Some(Box::new(review.clone())), after: Box::new(after) })
}

#[cfg(test)]
mod tests;
