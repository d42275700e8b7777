//! Tools of the full profile by which memories evolve: what might, how using it
//! went, and each action. Names and arguments are the seed's (S1).
//!
//! Whether there is evidence enough is decided elsewhere; a refusal names every
//! piece that is missing, and is told like any other.

use crate::catalogue::{Effect, Tool};
use crate::schema;
use crate::shown::{Brief, NOTE, briefs, cut, round};
use engram_core::evolve::Criteria;
use engram_core::used::{EvidenceSource, Usage};
use engram_core::{OperationId, Timestamp};
use engram_wire::evolution::{CandidateLine, Candidates, Evolved, SkillFile, UsageHistory};
use engram_wire::message::{
    EvolutionCandidates, EvolveMerge, EvolveOne, EvolveRefine, InduceSkill, NodeType, SKILL_SOURCES,
};
use engram_wire::{Fault, Order};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// So many lines are listed where nobody says how many, and at most.
const SOME: usize = 10;
const MOST: usize = 50;

/// So many memories are merged at once.
const MERGED: RangeInclusive<usize> = 2..=10;

/// What is so wherever the evidence suffices.
const UNUSED: &str = "nobody used it for 90 days or more";
const ALIKE: &str = "they say the same";

fn some() -> usize {
    SOME
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueryCandidates {
    /// Left out: all of them.
    #[serde(default)]
    #[schemars(schema_with = "schema::criteria")]
    criteria: Option<Criteria>,
    #[serde(default = "some")]
    #[schemars(range(min = 1, max = 50))]
    limit: usize,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct CandidatesShown {
    note: &'static str,
    evaluated: usize,
    candidates: Vec<CandidateShown>,
}

#[derive(Serialize, JsonSchema)]
struct CandidateShown {
    priority: &'static str,
    criteria: &'static str,
    suggested: &'static str,
    scope: &'static str,
    nodes: Vec<NodeShown>,
    utility: f64,
    uses: u32,
    idle_days: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity: Option<f64>,
    why: String,
    /// What is wanting before it may be done.
    missing: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct NodeShown {
    node_id: String,
    text: String,
}

impl CandidateShown {
    fn of(line: &CandidateLine) -> Self {
        let CandidateLine { scope, candidate, texts } = line;
        let nodes = candidate.nodes.iter().zip(texts);
        Self {
            priority: candidate.priority.as_str(),
            criteria: candidate.criteria.as_str(),
            suggested: candidate.suggested.as_str(),
            scope: scope.as_str(),
            nodes: nodes.map(|(id, text)| NodeShown { node_id: id.to_string(), text: cut(text) }).collect(),
            utility: round(candidate.utility.get()),
            uses: candidate.uses,
            idle_days: u64::try_from(candidate.idle_days).unwrap_or(0),
            similarity: candidate.similarity.map(|alike| round(alike.get())),
            why: candidate.why.clone(),
            missing: candidate.missing.clone(),
        }
    }
}

impl Tool for QueryCandidates {
    const NAME: &'static str = "query_evolution_candidates";
    const TITLE: &'static str = "What might evolve";
    const ABOUT: &'static str = "Memories that might evolve, the most pressing first: of little use (low_q), unused \
        for 90 days (stale), procedures without a skill (unlinked_processes), nearly the same (similar_pairs), often shown and not used (noise). Says \
        what is still missing before the suggested action may be done.";
    const EFFECT: Effect = Effect::Looks;
    type Reply = Candidates;
    type Shown = CandidatesShown;

    fn order(self, _: OperationId) -> Result<Order, Fault> {
        let (criteria, limit) = (self.criteria, self.limit.clamp(1, MOST));
        Ok(Order::EvolutionCandidates(EvolutionCandidates { criteria, limit, scope: None }))
    }

    fn shown(reply: Candidates, _: Timestamp) -> CandidatesShown {
        let candidates = reply.candidates.iter().take(MOST).map(CandidateShown::of).collect();
        CandidatesShown { note: NOTE, evaluated: reply.evaluated, candidates }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetUsageHistory {
    /// Its id, or the end of it.
    node_id: String,
    #[serde(default = "some")]
    #[schemars(range(min = 1, max = 50))]
    limit: usize,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct UsageShown {
    note: &'static str,
    node_id: String,
    node_type: &'static str,
    /// Whole: whoever refines or merges it must not lose what was cut off.
    text: String,
    utility: f64,
    tried: u32,
    succeeded: u32,
    failed: u32,
    shown: usize,
    ignored: usize,
    /// The latest first.
    history: Vec<UseShown>,
}

#[derive(Serialize, JsonSchema)]
struct UseShown {
    timestamp: String,
    outcome: &'static str,
    /// How it is known, and what it was used for.
    context: String,
}

impl UseShown {
    fn of(usage: &Usage) -> Self {
        let known = match usage.source {
            EvidenceSource::Told => "somebody said so",
            EvidenceSource::Feedback => "somebody said so of the answer",
            EvidenceSource::Reuse => "it came up again in what was said or done next",
            EvidenceSource::Check => "a test or a build ran afterwards",
            EvidenceSource::Edit => "the edit that followed was kept or taken back",
            EvidenceSource::Correction => "the user set it right",
        };
        let context = match &usage.note {
            Some(note) => format!("{known}: {}", cut(note)),
            None => known.to_owned(),
        };
        Self { timestamp: usage.at.to_string(), outcome: usage.outcome.as_str(), context }
    }
}

impl Tool for GetUsageHistory {
    const NAME: &'static str = "get_usage_history";
    const TITLE: &'static str = "How using a memory went";
    const ABOUT: &'static str = "How using one memory went, the latest first, with its whole text. Look here before \
        any action on it.";
    const EFFECT: Effect = Effect::Looks;
    type Reply = UsageHistory;
    type Shown = UsageShown;

    fn order(self, _: OperationId) -> Result<Order, Fault> {
        Ok(Order::Usage { memory: self.node_id, limit: self.limit.clamp(1, MOST) })
    }

    fn shown(reply: UsageHistory, _: Timestamp) -> UsageShown {
        UsageShown {
            note: NOTE,
            node_id: reply.memory.id.to_string(),
            node_type: reply.memory.kind.as_str(),
            text: reply.memory.content,
            utility: round(reply.utility.get()),
            tried: reply.tried,
            succeeded: reply.succeeded,
            failed: reply.failed,
            shown: reply.shown,
            ignored: reply.ignored,
            history: reply.usages.iter().take(MOST).map(UseShown::of).collect(),
        }
    }
}

/// What an action did. The operation is what `undo` takes back.
#[derive(Serialize, JsonSchema)]
pub(crate) struct EvolvedShown {
    note: &'static str,
    operation: String,
    action: &'static str,
    node_ids: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_id: Option<String>,
    reason: String,
    memories: Vec<Brief>,
    files: Vec<FileShown>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct FileShown {
    file: String,
    done: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl FileShown {
    pub(crate) fn of(file: SkillFile) -> Self {
        Self { file: file.file.display().to_string(), done: file.done.as_str(), why: file.why }
    }
}

impl EvolvedShown {
    fn of(reply: Evolved, now: Timestamp) -> Self {
        Self {
            note: NOTE,
            operation: reply.operation.to_string(),
            action: reply.action.as_str(),
            node_ids: reply.nodes.iter().map(ToString::to_string).collect(),
            new_id: reply.new.map(|id| id.to_string()),
            memories: briefs(&reply.memories, now),
            files: reply.files.into_iter().map(FileShown::of).collect(),
            reason: reply.reason,
        }
    }
}

/// A text that may be left out; one of nothing counts as that.
fn said(text: String) -> Option<String> {
    Some(text).filter(|text| !text.trim().is_empty())
}

/// A text that must say something.
fn must_say(tool: &str, argument: &str, text: String) -> Result<String, Fault> {
    said(text).ok_or_else(|| {
        Fault::usage(format!("the argument \"{argument}\" of {tool} is empty"))
            .hint("nothing evolves without a reason that somebody can read later")
    })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeprecateNode {
    /// Its id, or the end of it.
    node_id: String,
    /// Refused if it is not one.
    #[serde(default)]
    #[schemars(schema_with = "schema::node_type")]
    node_type: Option<NodeType>,
    /// Which failures, in a sentence.
    reason: String,
    /// Only for a protected one: why all the same.
    #[serde(default)]
    justification: String,
}

impl Tool for DeprecateNode {
    const NAME: &'static str = "deprecate_node";
    const TITLE: &'static str = "Deprecate a memory";
    const ABOUT: &'static str = "Put a memory out of use that keeps failing. Wants utility below 0.2, 10 uses or more \
        and a pattern of failures. Can be undone.";
    const EFFECT: Effect = Effect::Takes;
    type Reply = Evolved;
    type Shown = EvolvedShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        let Self { node_id, node_type, reason, justification } = self;
        let reason = must_say(Self::NAME, "reason", reason)?;
        let justification = said(justification);
        Ok(Order::EvolveDeprecate(EvolveOne { operation, memory: node_id, node_type, reason, justification }))
    }

    fn shown(reply: Evolved, now: Timestamp) -> EvolvedShown {
        EvolvedShown::of(reply, now)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RefineNode {
    /// Its id, or the end of it.
    node_id: String,
    /// Refused if it is not one.
    #[serde(default)]
    #[schemars(schema_with = "schema::node_type")]
    node_type: Option<NodeType>,
    /// The whole new text.
    improved_content: String,
    /// What is better about it, and which failures show that.
    reason: String,
    /// Only for a protected one: why all the same.
    #[serde(default)]
    justification: String,
}

impl Tool for RefineNode {
    const NAME: &'static str = "refine_node";
    const TITLE: &'static str = "Refine a memory";
    const ABOUT: &'static str = "Put a better text in the place of a memory that seldom serves and can be mended. \
        Wants utility below 0.3 and 5 uses or more. The new one starts at 0.5. Can be undone.";
    const EFFECT: Effect = Effect::Takes;
    type Reply = Evolved;
    type Shown = EvolvedShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        let Self { node_id, node_type, improved_content, reason, justification } = self;
        let text = must_say(Self::NAME, "improved_content", improved_content)?;
        let reason = must_say(Self::NAME, "reason", reason)?;
        let justification = said(justification);
        let one = EvolveOne { operation, memory: node_id, node_type, reason, justification };
        Ok(Order::EvolveRefine(EvolveRefine { one, text }))
    }

    fn shown(reply: Evolved, now: Timestamp) -> EvolvedShown {
        EvolvedShown::of(reply, now)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MergeNodes {
    /// Their ids.
    #[schemars(length(min = 2, max = 10))]
    node_ids: Vec<String>,
    /// Refused if they are not.
    #[serde(default)]
    #[schemars(schema_with = "schema::node_type")]
    node_type: Option<NodeType>,
    /// What they say together. Left out: put together from their texts.
    #[serde(default)]
    merged_content: String,
    #[serde(default)]
    reason: String,
    /// Only for a protected one: why all the same.
    #[serde(default)]
    justification: String,
}

impl Tool for MergeNodes {
    const NAME: &'static str = "merge_nodes";
    const TITLE: &'static str = "Merge memories";
    const ABOUT: &'static str = "Make one memory of several that say the same. Wants more than 0.95 likeness, one kind \
        and no contradiction. The most useful one stays. Can be undone.";
    const EFFECT: Effect = Effect::Takes;
    type Reply = Evolved;
    type Shown = EvolvedShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        let Self { node_ids: memories, node_type, merged_content, reason, justification } = self;
        within(Self::NAME, "node_ids", &MERGED, memories.len(), "similar_pairs")?;
        let reason = said(reason).unwrap_or_else(|| ALIKE.to_owned());
        let (text, justification) = (said(merged_content), said(justification));
        Ok(Order::EvolveMerge(EvolveMerge { operation, memories, node_type, text, reason, justification }))
    }

    fn shown(reply: Evolved, now: Timestamp) -> EvolvedShown {
        EvolvedShown::of(reply, now)
    }
}

/// Refuses a list that is too short or too long.
fn within(
    tool: &str,
    argument: &str,
    range: &RangeInclusive<usize>,
    count: usize,
    criteria: &str,
) -> Result<(), Fault> {
    if range.contains(&count) {
        return Ok(());
    }
    let (least, most) = (range.start(), range.end());
    let message = format!("the argument \"{argument}\" of {tool} must name {least} to {most}, not {count}");
    Err(Fault::usage(message)
        .hint(format!("query_evolution_candidates with criteria {criteria} shows which belong together")))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ArchiveNode {
    /// Its id, or the end of it.
    node_id: String,
    /// Refused if it is not one.
    #[serde(default)]
    #[schemars(schema_with = "schema::node_type")]
    node_type: Option<NodeType>,
    /// Only for a protected one: why all the same.
    #[serde(default)]
    justification: String,
}

impl Tool for ArchiveNode {
    const NAME: &'static str = "archive_node";
    const TITLE: &'static str = "Archive a memory";
    const ABOUT: &'static str = "Put a memory away that nobody used for 90 days or more. Can be undone.";
    const EFFECT: Effect = Effect::Takes;
    type Reply = Evolved;
    type Shown = EvolvedShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        let Self { node_id: memory, node_type, justification } = self;
        let (reason, justification) = (UNUSED.to_owned(), said(justification));
        Ok(Order::EvolveArchive(EvolveOne { operation, memory, node_type, reason, justification }))
    }

    fn shown(reply: Evolved, now: Timestamp) -> EvolvedShown {
        EvolvedShown::of(reply, now)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InduceASkill {
    /// The ids of procedures that are alike.
    #[schemars(length(min = 3, max = 20))]
    process_ids: Vec<String>,
    /// Small letters, digits and hyphens.
    skill_name: String,
    /// When it is to be used, in one line.
    description: String,
    /// Left out: put together from the procedures.
    #[serde(default)]
    content: String,
}

impl Tool for InduceASkill {
    const NAME: &'static str = "induce_skill";
    const TITLE: &'static str = "Make a skill";
    const ABOUT: &'static str = "Make a skill of three procedures or more that are alike, and write its file for \
        agents to load. A file that somebody edited is left alone. Can be undone.";
    const EFFECT: Effect = Effect::Adds;
    type Reply = Evolved;
    type Shown = EvolvedShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        let Self { process_ids: memories, skill_name, description, content } = self;
        within(Self::NAME, "process_ids", &SKILL_SOURCES, memories.len(), "unlinked_processes")?;
        let name = must_say(Self::NAME, "skill_name", skill_name)?;
        let description = must_say(Self::NAME, "description", description)?;
        let text = said(content);
        Ok(Order::InduceSkill(InduceSkill { operation, memories, name, description, text, scope: None }))
    }

    fn shown(reply: Evolved, now: Timestamp) -> EvolvedShown {
        EvolvedShown::of(reply, now)
    }
}
