//! What might evolve, the most pressing first.

use super::actions::{kept_of, shield_of};
use super::rules::{Case, Missing, Rule, count, missing, short};
use super::{Criteria, Evolving, Priority};
use crate::claim::{Bearing, compare};
use crate::dream::Sight;
use crate::id::MemoryId;
use crate::kind::Tier;
use crate::law;
use crate::learn::Noise;
use crate::memory::{Memory, Relation};
use crate::remind::Reminder;
use crate::skill::{Skill, procedure_clusters};
use crate::status::Status;
use crate::unit::{Similarity, Utility};
use crate::used::Usage;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Memories about which something could be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Candidate {
    pub priority: Priority,
    pub criteria: Criteria,
    /// Of a pair the one that would be kept comes first.
    pub nodes: Vec<MemoryId>,
    pub suggested: Evolving,
    pub utility: Utility,
    /// How often they were followed, all together.
    pub uses: u32,
    pub idle_days: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<Similarity>,
    /// What is still wanting before that may be done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    pub why: String,
}

/// A store as evolution looks at it.
pub struct Ground<'a> {
    pub memories: &'a BTreeMap<MemoryId, Arc<Memory>>,
    /// How using each went, oldest first.
    pub usages: &'a BTreeMap<MemoryId, Vec<Usage>>,
    pub edges: &'a BTreeSet<Relation>,
    pub sight: &'a dyn Sight,
    /// What is shown and not taken up, the most ignored first.
    pub noise: &'a [Noise],
    pub at: Timestamp,
}

impl Ground<'_> {
    pub fn case<'m>(&'m self, memory: &'m Memory) -> Case<'m> {
        Case::of(memory, self.usages.get(&memory.id).map_or(&[], Vec::as_slice), self.at)
    }

    /// How many memories there are among which candidates are looked for.
    pub fn looked_at(&self) -> usize {
        self.open().count()
    }

    /// What can evolve at all: it is in force, is not drawn from the code, and
    /// does not merely wait to be told.
    pub(crate) fn open(&self) -> impl Iterator<Item = &Arc<Memory>> {
        self.memories.values().filter(|memory| {
            memory.status.is_current()
                && memory.tier != Tier::Codebase
                && !memory.immutable
                && Reminder::of(memory).is_none()
        })
    }
}

/// So many of those that changed last are held against their neighbours,
const LOOKED_AT: usize = 500;
/// and so many of these.
const NEIGHBOURS: usize = 5;

/// What might evolve, by how pressing it is and then by utility. None: by all
/// criteria.
pub fn candidates(ground: &Ground<'_>, criteria: Option<Criteria>, limit: usize) -> Vec<Candidate> {
    let wanted = |one: Criteria| criteria.is_none_or(|criteria| criteria == one);
    let mut found = Vec::new();
    if wanted(Criteria::LowQ) {
        found.extend(ground.open().filter_map(|memory| of_little_use(&ground.case(memory))));
    }
    if wanted(Criteria::Stale) {
        found.extend(ground.open().filter_map(|memory| stale(&ground.case(memory))));
    }
    if wanted(Criteria::SimilarPairs) {
        found.extend(similar_pairs(ground));
    }
    if wanted(Criteria::UnlinkedProcesses) {
        found.extend(unlinked(ground));
    }
    if wanted(Criteria::Noise) {
        // About what serves badly or is not used at all there is more to say.
        let known: BTreeSet<MemoryId> = found.iter().flat_map(|it| it.nodes.clone()).collect();
        found.extend(ignored(ground).filter(|it| !it.nodes.iter().any(|id| known.contains(id))));
    }
    found.sort_by(|one, other| {
        let key = |it: &Candidate| (it.priority, it.utility, it.nodes.clone());
        key(one).cmp(&key(other))
    });
    found.truncate(limit);
    found
}

fn about(case: &Case<'_>, priority: Priority, criteria: Criteria, suggested: Evolving) -> Candidate {
    let missing = missing(Rule::of(suggested), case);
    let shield = shield_of(case.memory).map(|shield| Missing::Justification(case.memory.id, shield));
    Candidate {
        priority,
        criteria,
        nodes: vec![case.memory.id],
        suggested,
        utility: case.utility,
        uses: case.tried(),
        idle_days: case.idle_days(),
        similarity: None,
        missing: missing.iter().chain(&shield).map(ToString::to_string).collect(),
        why: case.evidence(),
    }
}

/// S1's table: CRITICAL from Q < .2 and 10 uses on, HIGH from Q < .3 and 5 uses
/// on. What fails and might be mended is to be refined, not deprecated.
fn of_little_use(case: &Case<'_>) -> Option<Candidate> {
    let within = |action: Evolving| {
        let rule = Rule::of(action);
        rule.utility_below.is_some_and(|below| case.utility.get() < below) && case.tried() >= rule.uses
    };
    let priority = match () {
        () if within(Evolving::Deprecated) => Priority::Critical,
        () if within(Evolving::Refined) => Priority::High,
        () => return None,
    };
    let hopeless = within(Evolving::Deprecated) && case.fails_consistently()
        || !missing(Rule::of(Evolving::Refined), case).is_empty();
    let suggested = if hopeless { Evolving::Deprecated } else { Evolving::Refined };
    let mut candidate = about(case, priority, Criteria::LowQ, suggested);
    if suggested == Evolving::Refined {
        candidate.missing.insert(0, Missing::Path.to_string());
    }
    Some(candidate)
}

/// MEDIUM: nobody used it for 90 days (S1). What its kind or somebody keeps is
/// kept.
fn stale(case: &Case<'_>) -> Option<Candidate> {
    let unused = missing(Rule::of(Evolving::Archived), case).is_empty();
    if !unused || law::is_protected(case.memory, case.at).is_some() {
        return None;
    }
    let candidate = about(case, Priority::Medium, Criteria::Stale, Evolving::Archived);
    Some(Candidate { why: format!("unused for {} days", case.idle_days()), ..candidate })
}

/// Pairs that say nearly the same and do not contradict each other. The seed
/// gives them no priority; they are MEDIUM here, for they do no harm and cost
/// room in every answer.
fn similar_pairs(ground: &Ground<'_>) -> Vec<Candidate> {
    let rule = Rule::of(Evolving::Merged);
    let sure = |memory: &&Arc<Memory>| memory.status != Status::Challenged;
    let mut latest: Vec<&Arc<Memory>> = ground.open().filter(sure).collect();
    latest.sort_by_key(|memory| Reverse((memory.updated_at, memory.id)));
    let open: BTreeMap<MemoryId, &Arc<Memory>> = latest.iter().map(|memory| (memory.id, *memory)).collect();
    let mut seen = BTreeSet::new();
    let mut pairs = Vec::new();
    for memory in latest.into_iter().take(LOOKED_AT) {
        for (other, similarity) in ground.sight.near(memory.id, NEIGHBOURS) {
            let Some(other) = open.get(&other).filter(|other| other.id != memory.id) else { continue };
            let alike = rule.similarity_above.is_some_and(|above| similarity.get() > above);
            let pair = (memory.id.min(other.id), memory.id.max(other.id));
            let one_sort = Skill::of(memory).is_some() == Skill::of(other).is_some();
            if !alike || !one_sort || memory.kind != other.kind || !seen.insert(pair) {
                continue;
            }
            // Alike in words is not alike in what is said (S1).
            if matches!(compare(&memory.content, &other.content), Bearing::Contradicts(_)) {
                continue;
            }
            pairs.extend(pair_of(&[ground.case(memory), ground.case(other)], similarity));
        }
    }
    pairs
}

fn pair_of(cases: &[Case<'_>; 2], similarity: Similarity) -> Option<Candidate> {
    let kept = kept_of(cases)?;
    let shields = cases.iter().filter_map(|case| {
        let shield = shield_of(case.memory)?;
        Some(Missing::Justification(case.memory.id, shield).to_string())
    });
    let other = cases.iter().map(|case| case.memory.id).find(|id| *id != kept.memory.id)?;
    Some(Candidate {
        nodes: vec![kept.memory.id, other],
        uses: cases.iter().map(Case::tried).sum(),
        idle_days: cases.iter().map(Case::idle_days).min().unwrap_or_default(),
        similarity: Some(similarity),
        missing: shields.collect(),
        why: format!("{} alike", short(similarity.get())),
        ..about(kept, Priority::Medium, Criteria::SimilarPairs, Evolving::Merged)
    })
}

/// LOW: it takes the room of something else in every answer, and does no harm.
/// Whether it is badly said or of no use to anybody is for somebody to see.
fn ignored(ground: &Ground<'_>) -> impl Iterator<Item = Candidate> {
    let open: BTreeMap<MemoryId, &Arc<Memory>> = ground.open().map(|memory| (memory.id, memory)).collect();
    ground.noise.iter().filter_map(move |noise| {
        let case = ground.case(open.get(&noise.memory)?);
        let candidate = about(&case, Priority::Low, Criteria::Noise, Evolving::Archived);
        Some(Candidate { why: ignored_told(noise), ..candidate })
    })
}

/// How often it was shown and not taken up, in a line.
pub(crate) fn ignored_told(noise: &Noise) -> String {
    let used = noise.shown - noise.ignored;
    format!("shown {} times in 14 days, used {}", noise.shown, count(used, "time"))
}

/// LOW: procedures that are alike and belong to no skill (S1).
fn unlinked(ground: &Ground<'_>) -> Vec<Candidate> {
    let clusters = procedure_clusters(ground).into_iter();
    let of = |cluster: crate::skill::ProcedureCluster| {
        let members: Vec<Case<'_>> = cluster
            .members
            .iter()
            .filter_map(|id| ground.memories.get(id))
            .map(|memory| ground.case(memory))
            .collect();
        Some(Candidate {
            priority: Priority::Low,
            criteria: Criteria::UnlinkedProcesses,
            suggested: Evolving::Induced,
            utility: members.iter().map(|case| case.utility).min()?,
            uses: members.iter().map(Case::tried).sum(),
            idle_days: members.iter().map(Case::idle_days).min()?,
            similarity: None,
            missing: Vec::new(),
            why: format!("{}: {}", cluster.name, cluster.why),
            nodes: cluster.members,
        })
    };
    clusters.filter_map(of).collect()
}
