//! Canned replies about learning from use.

use super::{memory, now, operation, recall_id};
use engram_core::Memory;
use engram_core::evolve::{
    ActionsTaken, Candidate, Criteria, Detail, EvolutionReport, Evolving, NextRun, Priority,
};
use engram_core::reflect::{Insight, InsightType, Proposal};
use engram_core::used::{EvidenceSource, Outcome, Usage};
use engram_core::{MemoryId, Scope, Similarity, Span, Utility};
use engram_wire::evolution::{
    CandidateLine, Candidates, EvolutionReports, Evolved, FileDone, Rated, Reflections, SkillFile, SkillLine,
    SkillsFound, StoreEvolution, StoreReflection, UsageHistory,
};
use engram_wire::message::{EvolutionCandidates, RecordFeedback};
use engram_wire::reply::OutcomeRecorded;

pub(super) fn candidates(order: &EvolutionCandidates, memory: &Memory) -> Candidates {
    let candidate = Candidate {
        priority: Priority::High,
        criteria: order.criteria.unwrap_or(Criteria::LowQ),
        nodes: vec![memory.id],
        suggested: Evolving::Refined,
        utility: Utility::clamped(0.244_44),
        uses: 6,
        idle_days: 2,
        similarity: Some(Similarity::clamped(0.971_1)),
        missing: vec!["a better text".into()],
        why: "it failed 4 of 6 times".into(),
    };
    let line = CandidateLine { scope: Scope::Project, candidate, texts: vec![memory.content.clone()] };
    Candidates { evaluated: 120, candidates: vec![line] }
}

pub(super) fn usage(memory: Memory) -> UsageHistory {
    let at = now() - Span::from_hours(1);
    let checked = Usage {
        source: EvidenceSource::Check,
        recall: Some(recall_id()),
        note: Some("cargo test".into()),
        ..Usage::told(memory.id, Outcome::Failure, at)
    };
    let usages = vec![checked, Usage::told(memory.id, Outcome::Success, at - Span::from_hours(1))];
    UsageHistory {
        utility: Utility::clamped(0.244_44),
        tried: 2,
        succeeded: 1,
        failed: 1,
        shown: 9,
        ignored: 7,
        usages,
        memory,
    }
}

pub(super) fn evolved(action: Evolving, node: MemoryId, reason: &str, made: Option<Memory>) -> Evolved {
    let file = SkillFile {
        file: "/home/ada/shop/.claude/skills/release/SKILL.md".into(),
        done: FileDone::Left,
        why: Some("somebody edited it".into()),
    };
    Evolved {
        operation: operation(),
        action,
        nodes: vec![node],
        new: made.as_ref().map(|memory| memory.id),
        memories: made.into_iter().collect(),
        reason: reason.into(),
        files: if action == Evolving::Induced { vec![file] } else { Vec::new() },
        already: false,
    }
}

pub(super) fn report() -> EvolutionReports {
    let [old, new] = ["the old way", "the better way"].map(|text| memory(text).id);
    let detail = Detail {
        node_id: old,
        action: Evolving::Refined,
        new_id: Some(new),
        reason: "why".into(),
        undone: false,
    };
    let report = EvolutionReport {
        candidates_evaluated: 15,
        actions_taken: ActionsTaken { refined: 1, ..ActionsTaken::default() },
        details: vec![detail],
        summary: "Refined 1 memory.".into(),
    };
    let next =
        NextRun { at: Some(now() + Span::from_hours(4)), updates_left: 63, procedures_left: 12, due: false };
    let store = StoreEvolution { scope: Scope::Project, store: "project".into(), report, next: Some(next) };
    EvolutionReports { stores: vec![store] }
}

/// As many as the daemon has, whatever was asked for.
pub(super) fn skills(memory: &Memory) -> SkillsFound {
    let built_in = SkillLine {
        name: "skill-editing".into(),
        description: "How to edit or deprecate a skill".into(),
        scope: None,
        memory: None,
        protected: true,
        utility: None,
        tried: 0,
        failed: 0,
        file: None,
        state: None,
        text: "# Editing".into(),
    };
    let made = SkillLine {
        name: "release".into(),
        scope: Some(Scope::Project),
        memory: Some(memory.id),
        protected: false,
        utility: Some(Utility::clamped(0.666_6)),
        tried: 4,
        failed: 1,
        text: memory.content.clone(),
        ..built_in.clone()
    };
    SkillsFound { skills: vec![built_in, made.clone(), made.clone(), made], left: Vec::new() }
}

pub(super) fn rated(order: &RecordFeedback, memory: &Memory) -> Rated {
    let credited = OutcomeRecorded {
        operation: operation(),
        memory: memory.id,
        outcome: Outcome::Success,
        utility_before: Utility::clamped(0.5),
        utility: Utility::clamped(0.55),
        replaced: None,
        already: false,
    };
    Rated {
        operation: operation(),
        recall: recall_id(),
        feedback: order.feedback,
        credited: if order.memories.is_empty() { Vec::new() } else { vec![credited] },
        already: false,
    }
}

pub(super) fn reflections() -> Reflections {
    let insight = Insight {
        id: "decay_anomaly:episodic".into(),
        insight: InsightType::DecayAnomaly,
        subject: "episodic".into(),
        description: "7 of 20 memories that had faded came back by use".into(),
        evidence: vec![recall_id().to_string()],
        action_taken: None,
        proposal: Some(Proposal {
            setting: "retention.project".into(),
            value: "power".into(),
            why: "it would have kept 6 of the 7".into(),
        }),
        created_at: now() - Span::from_hours(48),
        last_seen_at: now() - Span::from_hours(24),
        closed_at: None,
    };
    let store = StoreReflection {
        scope: Scope::Project,
        store: "project".into(),
        insights: vec![insight],
        reflections: Vec::new(),
    };
    Reflections { stores: vec![store] }
}
