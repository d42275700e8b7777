//! The step in which memories evolve by the evidence of their use (S1): what
//! keeps failing is deprecated, what says the same is merged, and procedures
//! that are alike become a skill. All else is proposed.
//!
//! Whether there is evidence enough is decided in `evolve` and `skill`, for a
//! dream as for anybody else.

use super::Step;
use super::night::{Night, Sources, StepPlan};
use crate::change::{Actor, Changes, Write};
use crate::claim::{Bearing, compare};
use crate::evolve::{self, Candidate, CannotEvolve, Case, Criteria, Evolving, Ground, Order};
use crate::id::MemoryId;
use crate::learn;
use crate::memory::Memory;
use crate::plan::Occasion;
use crate::skill::{self, OnDisk, ProcedureCluster, Skill, SkillMode};
use crate::status::Status;
use crate::used::Usage;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// So much is done in one night, and so much is proposed.
const MOST_DONE: usize = 20;
const MOST_PROPOSED: usize = 20;
/// Two are merged unasked if they were followed so often together (S1's decision
/// matrix; its evidence table, the least that anybody is held to, asks for none).
const FOLLOWED: u32 = 5;
/// What is told of a memory about which somebody is to decide.
pub const PROPOSED: &str = "proposed";
/// So many memories that are shown and never used are told of.
const NOISE: usize = 5;

/// What one night has done so far.
struct Evening {
    usages: BTreeMap<MemoryId, Vec<Usage>>,
    /// A memory takes part in one thing a night.
    touched: BTreeSet<MemoryId>,
    done: usize,
    compared: usize,
    proposed: usize,
    /// The number of the next row of the log.
    rows: u32,
}

/// Lets memories evolve. A skill is orders to an agent: `may_order` says whether
/// a text may become one.
pub fn plan_evolve(night: &mut Night<'_>, may_order: &dyn Fn(&str) -> bool) -> StepPlan {
    let mut plan = StepPlan::new(Step::Evolve);
    let mut usages: BTreeMap<MemoryId, Vec<Usage>> = BTreeMap::new();
    for usage in &night.usages {
        usages.entry(usage.memory).or_default().push(usage.clone());
    }
    let (found, clusters, looked_at) = {
        let ground = ground(night, &usages);
        let found = evolve::candidates(&ground, None, usize::MAX);
        let write = night.evolution.skills == SkillMode::Write;
        (found, if write { skill::procedure_clusters(&ground) } else { Vec::new() }, ground.looked_at())
    };
    plan.looked_at = looked_at;
    let mut evening =
        Evening { usages, touched: BTreeSet::new(), done: 0, compared: 0, proposed: 0, rows: 1 };
    for candidate in &found {
        if candidate.nodes.iter().any(|id| evening.touched.contains(id)) {
            continue;
        }
        match candidate.suggested {
            Evolving::Deprecated => evening.deprecate(night, &mut plan, candidate),
            Evolving::Merged => evening.merge(night, &mut plan, candidate),
            Evolving::Induced => {
                let cluster = clusters.iter().find(|cluster| cluster.members == candidate.nodes);
                evening.induce(night, &mut plan, candidate, cluster, may_order);
            }
            Evolving::Refined | Evolving::Archived => evening.propose(&mut plan, candidate),
        }
    }
    for noise in learn::noise(&night.recalls, night.at).into_iter().take(NOISE) {
        let here = night.memories.get(&noise.memory).is_some_and(|memory| memory.status.is_current());
        if here && !evening.touched.contains(&noise.memory) {
            evening.told(&mut plan, noise.memory, "noise", evolve::ignored_told(&noise));
        }
    }
    plan
}

fn ground<'n>(night: &'n Night<'_>, usages: &'n BTreeMap<MemoryId, Vec<Usage>>) -> Ground<'n> {
    let Night { memories, edges, sight, at, .. } = night;
    // What is merely ignored is told of at the end, and only a little of it.
    Ground { memories, usages, edges, sight: *sight, noise: &[], at: *at }
}

impl Evening {
    fn deprecate(&mut self, night: &mut Night<'_>, plan: &mut StepPlan, candidate: &Candidate) {
        if spare_edited(night, plan, candidate) {
            return;
        }
        self.act(night, plan, candidate, |cases, how| {
            let Some(case) = cases.first() else { return Ok(None) };
            let evidence = case.evidence();
            evolve::plan_deprecate(case, &Order { reason: &evidence, ..*how }).map(Some)
        });
    }

    /// Where one says all that the other says, and they served often enough for
    /// somebody to notice what is lost.
    fn merge(&mut self, night: &mut Night<'_>, plan: &mut StepPlan, candidate: &Candidate) {
        let (Some(similarity), [kept, other]) = (candidate.similarity, candidate.nodes.as_slice()) else {
            return;
        };
        if spare_edited(night, plan, candidate) {
            return;
        }
        let text = |id: &MemoryId| night.memories.get(id).map(|memory| memory.content.clone());
        let (Some(one), Some(two)) = (text(kept), text(other)) else { return };
        if candidate.uses < FOLLOWED {
            return self.propose(plan, candidate);
        }
        if self.compared >= night.caps.comparisons {
            plan.left += 1;
            return;
        }
        self.compared += 1;
        if !matches!(compare(&one, &two), Bearing::Same | Bearing::Contained | Bearing::Adds) {
            return self.propose(plan, candidate);
        }
        // One of the two holds what both say; what would be longer is for
        // somebody to write.
        let longest = one.len().max(two.len());
        self.act(night, plan, candidate, |cases, how| {
            let merged = evolve::merged_text(cases);
            evolve::plan_merge(cases, &[similarity, similarity], &merged, longest, how).map(Some)
        });
    }

    fn induce(
        &mut self,
        night: &mut Night<'_>,
        plan: &mut StepPlan,
        candidate: &Candidate,
        cluster: Option<&ProcedureCluster>,
        may_order: &dyn Fn(&str) -> bool,
    ) {
        let Some(cluster) = cluster else {
            if night.evolution.skills != SkillMode::Off {
                self.propose(plan, candidate);
            }
            return;
        };
        let in_force = night.memories.values().filter(|memory| memory.status.is_current());
        let known: Vec<Skill> = in_force.filter_map(|memory| Skill::of(memory)).collect();
        let sight = night.sight;
        self.act(night, plan, candidate, |cases, how| {
            let (name, trigger) = (cluster.name.clone(), cluster.trigger.as_str());
            let how = Order { reason: &cluster.why, ..*how };
            let changes = skill::plan_induce(cases, sight, name, trigger, None, &known, &how)?;
            let text = changes.writes.iter().find_map(|write| match write {
                Write::Create { memory } => Some(memory.content.as_str()),
                _ => None,
            });
            let harmless = text.into_iter().chain([trigger]).all(may_order);
            Ok(Some(changes).filter(|_| harmless))
        });
    }

    /// Does it, if its evidence is there and there is room for it tonight.
    fn act(
        &mut self,
        night: &mut Night<'_>,
        plan: &mut StepPlan,
        candidate: &Candidate,
        decide: impl FnOnce(&[Case<'_>], &Order<'_>) -> Result<Option<Changes>, CannotEvolve>,
    ) {
        if !candidate.missing.is_empty() {
            return self.propose(plan, candidate);
        }
        if self.done >= MOST_DONE {
            plan.left += 1;
            return;
        }
        let (operation, at) = (night.dream, night.at);
        let occasion = Occasion { operation, actor: Actor::Engram, at, recorded_at: at };
        let how = Order { reason: "", justification: None, occasion, number: self.rows };
        let memories: Vec<Arc<Memory>> =
            candidate.nodes.iter().filter_map(|id| night.memories.get(id)).cloned().collect();
        let usages = |memory: &Memory| self.usages.get(&memory.id).map_or(&[][..], Vec::as_slice);
        let cases: Vec<Case<'_>> =
            memories.iter().map(|memory| Case::of(memory, usages(memory), at)).collect();
        match decide(&cases, &how) {
            Ok(Some(changes)) => {
                self.done += 1;
                self.rows += u32::try_from(changes.writes.len()).unwrap_or(u32::MAX);
                self.touched.extend(&candidate.nodes);
                tell(plan, candidate, &changes);
                let made = made_of(&changes, &memories);
                night.adopt(plan, changes);
                plan.made_of.extend(made);
            }
            // Somebody who looks at it may know better.
            Ok(None) | Err(_) => self.propose(plan, candidate),
        }
    }

    fn propose(&mut self, plan: &mut StepPlan, candidate: &Candidate) {
        let Some(first) = candidate.nodes.first() else { return };
        let why = match candidate.criteria {
            // The commands that they share are words of theirs.
            Criteria::UnlinkedProcesses => format!("{} procedures could make a skill", candidate.nodes.len()),
            Criteria::SimilarPairs => format!("{}: it and {}", candidate.why, candidate.nodes[1]),
            Criteria::LowQ | Criteria::Stale | Criteria::Noise => candidate.why.clone(),
        };
        self.told(plan, *first, PROPOSED, format!("to be {}: {why}", candidate.suggested));
    }

    fn told(&mut self, plan: &mut StepPlan, memory: MemoryId, what: &str, why: String) {
        self.touched.insert(memory);
        if self.proposed >= MOST_PROPOSED {
            plan.left += 1;
            return;
        }
        self.proposed += 1;
        plan.spare(memory, what, why);
    }
}

/// A skill whose file somebody has edited does not end by itself.
fn spare_edited(night: &Night<'_>, plan: &mut StepPlan, candidate: &Candidate) -> bool {
    let is_edited = |id: &&MemoryId| night.skills.0.get(id) == Some(&OnDisk::Edited);
    let Some(edited) = candidate.nodes.iter().find(is_edited) else { return false };
    plan.spare(*edited, "left alone", "somebody has edited the file of this skill");
    true
}

/// What is told of it to people: of every memory that it makes or changes.
fn tell(plan: &mut StepPlan, candidate: &Candidate, changes: &Changes) {
    let why = match candidate.criteria {
        Criteria::UnlinkedProcesses => format!("made of {} procedures", candidate.nodes.len()),
        _ => candidate.why.clone(),
    };
    for write in &changes.writes {
        match write {
            Write::Create { memory } => plan.tell(memory.id, "skill", why.clone()),
            Write::Replace { after, .. } if after.status == Status::Merged => {
                plan.tell(after.id, Status::Merged.as_str(), why.clone());
                if let Some(deed) = plan.deeds.last_mut() {
                    deed.made = candidate.nodes.first().copied();
                }
            }
            Write::Replace { before, after } if before.status != after.status => {
                plan.tell(after.id, after.status.as_str(), why.clone());
            }
            Write::Replace { after, .. } => plan.tell(after.id, "takes another in", why.clone()),
            _ => {}
        }
    }
}

/// Of what each text is made that these changes give to a memory: of all the
/// others, as they are now.
fn made_of(changes: &Changes, memories: &[Arc<Memory>]) -> BTreeMap<MemoryId, Sources> {
    let text = |write: &Write| match write {
        Write::Create { memory } => Some(memory.id),
        Write::Replace { before, after } => (before.status == after.status).then_some(after.id),
        _ => None,
    };
    let sources = |made: MemoryId| {
        let others = memories.iter().filter(|memory| memory.id != made);
        (made, others.map(|memory| (memory.id, memory.revision)).collect())
    };
    changes.writes.iter().filter_map(text).map(sources).collect()
}
