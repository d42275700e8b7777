//! The rows a dream goes by: what is planned, what waits for somebody to sum it
//! up, and what was made of what.
//!
//! They tell of work on the memories; none of them is a memory.

use super::night::{Deed, Sources, StepPlan};
use super::{Depth, Step};
use crate::change::{Actor, Cause, Changes, Write};
use crate::evolve::EvolutionLogged;
use crate::id::{MemoryId, OperationId, ProjectKey};
use crate::reflect::{Insight, ReflectionLogged};
use crate::status::Status;
use crate::words::words;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A row beside the memories. Writing it again replaces it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub enum Note {
    Dream(Dream),
    /// A part of a dream was done.
    PartDone {
        dream: OperationId,
        number: u32,
    },
    Awaiting(Awaiting),
    Consolidated(ConsolidationLogged),
    Request(ConsolidationRequest),
    Pattern(CrossProjectPattern),
    /// A memory evolved.
    Evolved(EvolutionLogged),
    Insight(Insight),
    Reflected(ReflectionLogged),
}

words! {
    /// What a dream was begun by.
    pub enum DreamTrigger ("dream trigger") {
        Manual = "manual",
        SessionEnd = "session_end",
        /// So long after the last time that there is something new to go by.
        Schedule = "schedule",
        /// After so many signs of how memories served.
        Updates = "updates",
        /// After so many new procedures.
        Procedures = "procedures",
    }
}

/// A dream, with what its steps do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Dream {
    pub id: OperationId,
    pub trigger: DreamTrigger,
    /// None: somebody named the steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<Depth>,
    pub at: Timestamp,
    pub steps: Vec<StepReport>,
    /// None: it was planned, and is not done yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<Timestamp>,
}

/// What one step did, or would do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StepReport {
    pub step: Step,
    pub looked_at: usize,
    /// So many things were done; `deeds` names the first of them.
    pub done: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deeds: Vec<Deed>,
    /// Left for another night, because the cap was reached.
    #[serde(default)]
    pub left: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// Planned, and then not done because somebody changed it meanwhile, or
    /// something that it was to be made of, or to be made one with.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub overtaken: BTreeSet<MemoryId>,
    /// Went up to the user.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub risen: Vec<MemoryId>,
    /// The parts that do it; each can be taken back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<OperationId>,
}

/// A report names so many deeds of a step; the rest is counted.
const DEEDS_NAMED: usize = 100;

impl StepReport {
    pub fn of(plan: &StepPlan) -> Self {
        Self {
            step: plan.step,
            looked_at: plan.looked_at,
            done: plan.deeds.len() - plan.spared,
            deeds: plan.deeds.iter().take(DEEDS_NAMED).cloned().collect(),
            left: plan.left,
            skipped: plan.skipped.clone(),
            overtaken: BTreeSet::new(),
            risen: Vec::new(),
            operations: Vec::new(),
        }
    }

    /// Somebody changed a memory meanwhile, and so these were left out.
    pub fn overtake(&mut self, left_out: &BTreeSet<MemoryId>) {
        self.overtaken.extend(left_out);
        let told = self.deeds.len();
        self.deeds.retain(|deed| !deed.is_about(|memory| left_out.contains(&memory)));
        self.done = self.done.saturating_sub(told - self.deeds.len());
    }
}

/// A few writes of a dream that are done together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    pub number: u32,
    pub step: Step,
    pub changes: Changes,
    /// The memories that go up to the user after that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rising: Vec<MemoryId>,
    /// What each text of it is made of, as that was when it was planned.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub made_of: BTreeMap<MemoryId, Sources>,
}

impl Part {
    /// Takes out whatever is about a memory that somebody changed meanwhile, and
    /// with it what was to be made of its words. Tells of which memories nothing
    /// is left; none, if it was about others.
    pub fn leave_out(&mut self, id: MemoryId) -> BTreeSet<MemoryId> {
        let touches = |write: &Write| write.memory_id() == Some(id);
        let leans_on = |sources: &Sources| sources.contains_key(&id);
        if !self.changes.writes.iter().any(touches) && !self.made_of.values().any(leans_on) {
            return BTreeSet::new();
        }
        let mut gone = BTreeSet::from([id]);
        let mut summed: BTreeSet<MemoryId> = BTreeSet::new();
        for (made, sources) in self.made_of.iter().filter(|(made, of)| **made == id || leans_on(of)) {
            gone.insert(*made);
            summed.extend(sources.keys());
        }
        let mut left_out = gone.clone();
        self.made_of.retain(|made, _| !gone.contains(made));
        self.rising.retain(|rising| *rising != id);
        self.changes.writes.retain_mut(|write| match write {
            Write::Relate { relation } | Write::Unrelate { relation } => {
                !gone.contains(&relation.from) && !gone.contains(&relation.to)
            }
            // They are not summed up after all.
            Write::Upkeep { change } => {
                let for_it = change.after.status == Status::Consolidated && summed.contains(&change.id);
                left_out.extend(for_it.then_some(change.id));
                !left_out.contains(&change.id)
            }
            // And what was to go into a text that nobody writes stays for itself.
            Write::Replace { after, .. } => {
                let for_it = after.status == Status::Merged && summed.contains(&after.id);
                left_out.extend(for_it.then_some(after.id));
                !left_out.contains(&after.id)
            }
            Write::Note { note } => stays(note, &gone),
            write => !write.memory_id().is_some_and(|id| gone.contains(&id)),
        });
        left_out
    }
}

/// Whether a row still tells of something, without these memories.
fn stays(note: &mut Note, gone: &BTreeSet<MemoryId>) -> bool {
    match note {
        Note::Awaiting(awaiting) => !gone.contains(&awaiting.summary),
        Note::Consolidated(logged) => {
            logged.sources.retain(|id| !gone.contains(id));
            let made = !logged.results.iter().any(|id| gone.contains(id));
            made && logged.sources.len() > logged.results.len()
        }
        Note::Evolved(logged) => {
            !gone.contains(&logged.node) && !logged.made.is_some_and(|made| gone.contains(&made))
        }
        // It rests on what is left of its evidence, if anything is.
        Note::Insight(insight) => {
            let rested = !insight.evidence.is_empty();
            insight.evidence.retain(|named| !gone.iter().any(|id| id.to_string() == *named));
            !rested || !insight.evidence.is_empty()
        }
        Note::Dream(_) | Note::PartDone { .. } | Note::Request(_) | Note::Pattern(_) | Note::Reflected(_) => {
            true
        }
    }
}

/// So many writes are done together: whoever wants to write meanwhile waits no
/// longer than that takes.
const TOGETHER: usize = 100;

/// The parts of a dream, in the order in which they are to be done. Their names
/// and times are fixed here, so that it ends the same however often it is begun.
pub fn parts_of(dream: OperationId, at: Timestamp, plans: &[StepPlan]) -> Vec<Part> {
    let mut parts = Vec::new();
    for plan in plans {
        let mut rest = plan.writes.as_slice();
        let mut rising = plan.rising.clone();
        while !rest.is_empty() || !rising.is_empty() {
            let end = end_of_part(rest);
            let number = u32::try_from(parts.len()).unwrap_or(u32::MAX);
            let mut writes = rest[..end].to_vec();
            rest = &rest[end..];
            let texts: BTreeSet<MemoryId> = writes.iter().filter_map(Write::memory_id).collect();
            let mut made_of = plan.made_of.clone();
            made_of.retain(|made, _| texts.contains(made));
            writes.iter_mut().for_each(|write| name_evolved(write, dream.part(number)));
            writes.push(Write::Note { note: Box::new(Note::PartDone { dream, number }) });
            let changes = Changes {
                operation: dream.part(number),
                cause: Cause::Dream,
                actor: Actor::Engram,
                at,
                undoes: None,
                part_of: Some(dream),
                writes,
            };
            let rising = if rest.is_empty() { std::mem::take(&mut rising) } else { Vec::new() };
            parts.push(Part { number, step: plan.step, changes, rising, made_of });
        }
    }
    parts
}

/// What evolved was done by the part that does it: whether it was taken back is
/// known of the part.
fn name_evolved(write: &mut Write, part: OperationId) {
    if let Write::Note { note } = write
        && let Note::Evolved(logged) = &mut **note
    {
        logged.operation = part;
    }
}

/// A memory is born together with all that is written because of it, so that it
/// is there as a whole or not at all: where one is born, the next part begins.
/// And it takes in another together with that one's going.
fn end_of_part(writes: &[Write]) -> usize {
    if writes.len() <= TOGETHER {
        return writes.len();
    }
    let birth = |place: &usize| matches!(writes[*place], Write::Create { .. });
    let follows = |place: &usize| {
        use Write::{Note, Relate, Replace, Review, Unrelate};
        match &writes[*place] {
            Relate { .. } | Unrelate { .. } | Note { .. } | Review { .. } => true,
            Replace { after, .. } => after.status == Status::Merged,
            _ => false,
        }
    };
    let before = (1..=TOGETHER).rev().find(birth);
    before.unwrap_or_else(|| (TOGETHER..writes.len()).find(|place| !follows(place)).unwrap_or(writes.len()))
}

/// Memories that somebody could sum up better than it was done so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Awaiting {
    /// The summary there is.
    pub summary: MemoryId,
    pub sources: Vec<MemoryId>,
    pub topic: String,
    pub reason: String,
    pub queued_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done_at: Option<Timestamp>,
}

words! {
    /// How several memories became fewer.
    pub enum ConsolidationMethod ("consolidation method") {
        MergeSimilar = "merge_similar",
        SummarizeCluster = "summarize_cluster",
        DecayArchive = "decay_archive",
    }
}

/// What was made of what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConsolidationLogged {
    /// The dream or the operation that did it, and the place in it.
    pub operation: OperationId,
    pub number: u32,
    pub method: ConsolidationMethod,
    pub sources: Vec<MemoryId>,
    pub results: Vec<MemoryId>,
    pub at: Timestamp,
}

words! {
    /// How far a request has come.
    pub enum RequestStatus ("request status") {
        Pending = "pending",
        InProgress = "in_progress",
        Completed = "completed",
        Failed = "failed",
    }
}

/// There are so many memories that somebody should sum them up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConsolidationRequest {
    pub requested_at: Timestamp,
    pub status: RequestStatus,
    pub reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<Timestamp>,
}

/// One memory of the user that several projects have come to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrossProjectPattern {
    pub memory: MemoryId,
    pub projects: BTreeSet<ProjectKey>,
    pub observations: u32,
    pub first_observed_at: Timestamp,
    pub last_observed_at: Timestamp,
}

impl CrossProjectPattern {
    /// The same, come to once more.
    pub fn observed(known: Option<Self>, memory: MemoryId, project: ProjectKey, at: Timestamp) -> Self {
        let mut pattern = known.unwrap_or_else(|| Self {
            memory,
            projects: BTreeSet::new(),
            observations: 0,
            first_observed_at: at,
            last_observed_at: at,
        });
        pattern.projects.insert(project);
        pattern.observations += 1;
        pattern.last_observed_at = pattern.last_observed_at.max(at);
        pattern
    }
}
