//! What evolution does to memories: each action looks for its evidence first,
//! refuses with all that is missing, and is one change that can be taken back.
//!
//! Who asks for it is told by the occasion. How a skill is made is in `skill`.

use super::rules::{Case, Missing, Rule, missing, short};
use super::{EvolutionLogged, Evolving};
use crate::change::{Cause, Changes, Write};
use crate::claim::{Bearing, compare};
use crate::describe::summary_of;
use crate::dream::{Note, Sight};
use crate::form::merge;
use crate::id::MemoryId;
use crate::kind::Tier;
use crate::law::{self, ArchivalRule};
use crate::memory::{Memory, Provenance, Relation, RelationKind};
use crate::plan::{
    BadDraft, CannotChange, Draft, Occasion, changed, edited, newborn, replace, take_evidence,
};
use crate::skill::{BadSkill, Skill};
use crate::status::{Status, StatusChange};
use crate::unit::Similarity;
use crate::used::Usage;
use jiff::Timestamp;
use std::cmp::Reverse;

/// Why something does not evolve.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CannotEvolve {
    #[error("not without evidence: {} wants {}", imperative(*.action), listed(.missing))]
    Evidence { action: Evolving, missing: Vec<Missing> },
    #[error(transparent)]
    Change(#[from] CannotChange),
    #[error("memory {0} is drawn from the code base, and is drawn again when the code changes")]
    Drawn(MemoryId),
    #[error(transparent)]
    Skill(#[from] BadSkill),
}

impl From<BadDraft> for CannotEvolve {
    fn from(bad: BadDraft) -> Self {
        CannotChange::Draft(bad).into()
    }
}

const fn imperative(action: Evolving) -> &'static str {
    match action {
        Evolving::Deprecated => "deprecate",
        Evolving::Refined => "refine",
        Evolving::Merged => "merge",
        Evolving::Archived => "archive",
        Evolving::Induced => "induce",
    }
}

/// `a`, `a and b`, `a, b and c`.
fn listed(missing: &[Missing]) -> String {
    let told: Vec<String> = missing.iter().map(ToString::to_string).collect();
    match told.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
        None => String::new(),
    }
}

/// How somebody wants it done.
#[derive(Debug, Clone, Copy)]
pub struct Order<'a> {
    pub reason: &'a str,
    /// Why it is done although the memory is protected.
    pub justification: Option<&'a str>,
    pub occasion: Occasion,
    /// The place of its first row among those of the operation, for a dream does
    /// several things in one. What is made is named by it, too.
    pub number: u32,
}

impl Order<'_> {
    /// Why it was done, for the log: in somebody's words, with the evidence.
    fn told(&self, evidence: &str) -> String {
        let reason = Some(self.reason.trim()).filter(|reason| !reason.is_empty() && *reason != evidence);
        let justified = self.justified().map(|words| format!("justified: {words}"));
        let parts = [reason, Some(evidence), justified.as_deref()];
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }

    fn justified(&self) -> Option<&str> {
        self.justification.map(str::trim).filter(|words| !words.is_empty())
    }

    /// The memory that this makes.
    pub(crate) fn newborn(&self) -> MemoryId {
        match self.number {
            0 => self.occasion.operation.newborn(),
            number => self.occasion.operation.part(number).newborn(),
        }
    }

    /// The row of the log about the memory of this place.
    pub(crate) fn row(
        &self,
        place: usize,
        action: Evolving,
        node: MemoryId,
        made: Option<MemoryId>,
        reason: &str,
    ) -> Write {
        let Occasion { operation, actor, at, .. } = self.occasion;
        let number = self.number.saturating_add(u32::try_from(place).unwrap_or(u32::MAX));
        let reason = reason.to_owned();
        let logged = EvolutionLogged { operation, number, action, node, made, reason, actor, at };
        Write::Note { note: Box::new(Note::Evolved(logged)) }
    }
}

/// Whether a memory may become this at all, whatever the evidence.
fn open(memory: &Memory, to: Status) -> Result<(), CannotEvolve> {
    if memory.immutable {
        return Err(CannotChange::Immutable(memory.id).into());
    }
    if memory.tier == Tier::Codebase {
        return Err(CannotEvolve::Drawn(memory.id));
    }
    if memory.status == to {
        return Err(CannotChange::Already { id: memory.id, status: to }.into());
    }
    memory.status.may_become(to).map_err(CannotChange::from)?;
    Ok(())
}

/// Why a memory does not evolve unless somebody says why it should.
pub(crate) fn shield_of(memory: &Memory) -> Option<&'static str> {
    let protected = Skill::of(memory).is_some_and(|skill| skill.protected);
    if protected { Some("a protected skill") } else { law::guarded(memory) }
}

fn unjustified(memory: &Memory, how: &Order<'_>) -> Option<Missing> {
    let shield = shield_of(memory).filter(|_| how.justified().is_none())?;
    Some(Missing::Justification(memory.id, shield))
}

pub(crate) fn refuse(action: Evolving, missing: Vec<Missing>) -> Result<(), CannotEvolve> {
    if missing.is_empty() { Ok(()) } else { Err(CannotEvolve::Evidence { action, missing }) }
}

/// It keeps failing: nobody is to follow it any more.
pub fn plan_deprecate(case: &Case<'_>, how: &Order<'_>) -> Result<Changes, CannotEvolve> {
    let (action, memory) = (Evolving::Deprecated, case.memory);
    open(memory, Status::Deprecated)?;
    let mut lacking = missing(Rule::of(action), case);
    lacking.extend(unjustified(memory, how));
    refuse(action, lacking)?;
    if how.reason.trim().is_empty() {
        return Err(CannotChange::NoReason.into());
    }
    let reason = how.told(&case.evidence());
    let after = changed(memory, Status::Deprecated, &reason, Cause::Evolve, how.occasion)?;
    let row = how.row(0, action, memory.id, None, &reason);
    Ok(how.occasion.changes(Cause::Evolve, vec![replace(memory, after), row]))
}

/// A better text takes its place and has everything before it: its utility is
/// one half again (S1). Where the old one came from is where the new one does.
pub fn plan_refine(
    case: &Case<'_>,
    improved: &str,
    longest: usize,
    provenance: Provenance,
    how: &Order<'_>,
) -> Result<Changes, CannotEvolve> {
    let (action, old, occasion) = (Evolving::Refined, case.memory, how.occasion);
    open(old, Status::Superseded)?;
    let draft = Draft {
        kind: old.kind,
        tags: old.tags.clone(),
        domain: old.domain.clone(),
        pinned: old.pinned,
        ..Draft::parse(improved, longest)?
    };
    let mut lacking = missing(Rule::of(action), case);
    if how.reason.trim().is_empty() || compare(&old.content, &draft.content) == Bearing::Same {
        lacking.push(Missing::Path);
    }
    lacking.extend(unjustified(old, how));
    refuse(action, lacking)?;
    let reason = how.told(&case.evidence());
    let mut new = newborn(draft, old.scope, provenance, occasion, Cause::Evolve);
    new.id = how.newborn();
    new.tier = old.tier;
    new.importance = old.importance;
    new.summary = summary_of(&new.content);
    new.status_change.reason = format!("refined from {}: {reason}", old.id);
    let said: Vec<_> = std::mem::replace(&mut new.provenance.evidence, old.provenance.evidence.clone());
    said.into_iter().for_each(|turn| take_evidence(&mut new, turn));
    new.provenance.promotion_chain.clone_from(&old.provenance.promotion_chain);
    let project = &old.provenance.source_project;
    new.provenance.source_project = new.provenance.source_project.take().or_else(|| project.clone());
    if let Some(skill) = Skill::of(old) {
        skill.put(&mut new);
    }
    let told = format!("refined by {}: {reason}", new.id);
    let mut superseded = changed(old, Status::Superseded, &told, Cause::Evolve, occasion)?;
    superseded.validity.valid_until = Some(occasion.at.max(old.validity.valid_from));
    let relation = Relation::certain(new.id, RelationKind::Supersedes, old.id, occasion.at);
    let row = how.row(0, action, old.id, Some(new.id), &reason);
    let writes = vec![
        Write::Create { memory: Box::new(new) },
        replace(old, superseded),
        Write::Relate { relation },
        row,
    ];
    Ok(occasion.changes(Cause::Evolve, writes))
}

/// Which of several that say the same is kept: the most useful (S1), then what
/// matters most, what is used most, and what was there first.
pub fn kept_of<'c, 'm>(cases: &'c [Case<'m>]) -> Option<&'c Case<'m>> {
    cases.iter().max_by_key(|case| {
        let Memory { importance, trace, created_at, id, .. } = case.memory;
        (case.utility, *importance, trace.access_count, Reverse((*created_at, *id)))
    })
}

/// What all of them say, in one text: that of the kept one with what the others
/// add.
pub fn merged_text(cases: &[Case<'_>]) -> String {
    let Some(kept) = kept_of(cases) else { return String::new() };
    let others = cases.iter().filter(|case| case.memory.id != kept.memory.id);
    others.fold(kept.memory.content.clone(), |text, case| merge(&text, &case.memory.content))
}

/// So many of the nearest are looked through for one that is asked for.
const REACH: usize = 200;

/// How like one memory each of these is, in their order; what is out of sight
/// is not alike.
pub fn likeness_to(id: MemoryId, others: &[MemoryId], sight: &dyn Sight) -> Vec<Similarity> {
    let near = sight.near(id, REACH);
    let of = |other: &MemoryId| match near.iter().find(|(found, _)| found == other) {
        _ if *other == id => Similarity::clamped(1.0),
        Some((_, similarity)) => *similarity,
        None => Similarity::clamped(0.0),
    };
    others.iter().map(of).collect()
}

/// Several that say the same become one. The most useful stays, with the text
/// that holds what all say and with all that they came from; the others are tied
/// to it. `similarity` is that of each to the one that `kept_of` names.
pub fn plan_merge(
    cases: &[Case<'_>],
    similarity: &[Similarity],
    merged: &str,
    longest: usize,
    how: &Order<'_>,
) -> Result<Changes, CannotEvolve> {
    let (action, occasion) = (Evolving::Merged, how.occasion);
    let rule = Rule::of(action);
    let Some(kept) = kept_of(cases).filter(|_| cases.len() >= rule.sources) else {
        let few = Missing::Sources { is: cases.len(), least: rule.sources };
        return Err(CannotEvolve::Evidence { action, missing: vec![few] });
    };
    for case in cases {
        open(case.memory, Status::Merged)?;
    }
    let draft = Draft::parse(merged, longest)?;
    let kept = kept.memory;
    let mut lacking = Vec::new();
    let mut least = Similarity::clamped(1.0);
    for (place, case) in cases.iter().enumerate() {
        let memory = case.memory;
        if memory.id != kept.id {
            let is = similarity.get(place).copied().unwrap_or(Similarity::clamped(0.0));
            least = least.min(is);
            if let Some(above) = rule.similarity_above.filter(|above| is.get() <= *above) {
                lacking.push(Missing::Similarity { memory: memory.id, is, above });
            }
        }
        // A skill says what its procedures say, and is none of them.
        if Skill::of(memory).is_some() != Skill::of(kept).is_some() {
            lacking.push(Missing::OtherSort(memory.id));
        }
        if rule.same_kind && memory.kind != kept.kind {
            lacking.push(Missing::Kinds(kept.kind, memory.kind));
        }
        // What is doubted itself takes nothing's place, and is not vouched for.
        if memory.status == Status::Challenged {
            lacking.push(Missing::Doubted(memory.id));
        }
        for other in &cases[place + 1..] {
            if let Bearing::Contradicts(difference) = compare(&memory.content, &other.memory.content) {
                lacking.push(Missing::Contradiction(difference.to_string()));
            }
        }
        if !holds(&draft.content, &memory.content) {
            lacking.push(Missing::Unsaid(memory.id));
        }
        lacking.extend(unjustified(memory, how));
    }
    refuse(action, lacking)?;
    let reason = how.told(&format!("{} alike", short(least.get())));
    let mut whole = edited(kept, occasion)?;
    if whole.content != draft.content {
        // What a skill is for is said by its description.
        whole.summary = Skill::of(kept).map_or_else(|| summary_of(&draft.content), |it| Some(it.description));
        whole.content = draft.content;
    }
    let mut writes = Vec::new();
    let others = cases.iter().map(|case| case.memory).filter(|memory| memory.id != kept.id);
    for (place, other) in others.enumerate() {
        take_in(&mut whole, other);
        let told = format!("merged into {}: {reason}", kept.id);
        let gone = changed(other, Status::Merged, &told, Cause::Evolve, occasion)?;
        writes.push(replace(other, gone));
        let relation = Relation::certain(other.id, RelationKind::MergedInto, kept.id, occasion.at);
        writes.push(Write::Relate { relation });
        writes.push(how.row(place, action, other.id, Some(kept.id), &reason));
    }
    writes.insert(0, replace(kept, whole));
    Ok(occasion.changes(Cause::Evolve, writes))
}

/// Whether a text says all that another one says.
fn holds(whole: &str, part: &str) -> bool {
    matches!(compare(part, whole), Bearing::Same | Bearing::Adds) || merge(whole, part) == whole
}

/// What the kept one takes over. How often the other was used is not added: an
/// undo could not tell that from use since.
fn take_in(whole: &mut Memory, other: &Memory) {
    whole.tags.extend(other.tags.iter().cloned());
    whole.importance = whole.importance.max(other.importance);
    whole.provenance.trust = whole.provenance.trust.min(other.provenance.trust);
    other.provenance.evidence.iter().for_each(|turn| take_evidence(whole, *turn));
    if let (Some(mut ours), Some(theirs)) = (Skill::of(whole), Skill::of(other)) {
        let known = ours.sources.clone();
        ours.sources.extend(theirs.sources.into_iter().filter(|source| !known.contains(source)));
        ours.put(whole);
    }
    for step in &other.provenance.promotion_chain {
        if !whole.provenance.promotion_chain.contains(step) {
            whole.provenance.promotion_chain.push(step.clone());
        }
    }
}

/// Nobody uses it any more: it is found behind what is current, and use brings
/// it back (S1: still accessible, deprioritised).
pub fn plan_archive(case: &Case<'_>, how: &Order<'_>) -> Result<Changes, CannotEvolve> {
    let (action, memory) = (Evolving::Archived, case.memory);
    open(memory, Status::Archived)?;
    let mut lacking = missing(Rule::of(action), case);
    lacking.extend(unjustified(memory, how));
    refuse(action, lacking)?;
    let reason = how.told(&format!("unused for {} days", case.idle_days()));
    let mut after = edited(memory, how.occasion)?;
    after.status = Status::Archived;
    after.status_change = StatusChange {
        at: how.occasion.at,
        reason: ArchivalRule::Unused.reason(&reason),
        cause: Cause::Evolve,
    };
    let row = how.row(0, action, memory.id, None, &reason);
    Ok(how.occasion.changes(Cause::Evolve, vec![replace(memory, after), row]))
}

/// Memories with their usages, as cases of one moment.
pub fn cases_of(loaded: &[(Memory, Vec<Usage>)], at: Timestamp) -> Vec<Case<'_>> {
    loaded.iter().map(|(memory, usages)| Case::of(memory, usages, at)).collect()
}
