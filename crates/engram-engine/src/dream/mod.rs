//! Dreaming over one shelf: what is planned is kept, and what is kept is done,
//! part by part, however often it is interrupted.
//!
//! The steps are the core's. Here the night is loaded, a model is asked and the
//! working tree is looked at where a step wants that, and the parts go through
//! the door one at a time, so that whoever wants to write in between can.

mod compress;
pub(crate) mod night;
mod retain;

pub use retain::Over;

use crate::adviser::Adviser;
use crate::shelf::{ChangeError, Shelf};
use engram_core::advice::{Abstract, DecidedBy, Summarise};
use engram_core::change::PURGED;
use engram_core::dream::{
    self, Caps, Cluster, Depth, Dream, DreamTrigger, Drifted, Night, Note, Part, Step, StepPlan, StepReport,
    parts_of,
};
use engram_core::drift::{Claim, claims_in};
use engram_core::evolve::EvolutionSettings;
use engram_core::kind::Class;
use engram_core::law::{ImportanceTable, RetainRules, logs_kept_from};
use engram_core::learn::LearningSettings;
use engram_core::memory::WriteSource;
use engram_core::plan::{Occasion, plan_promoted};
use engram_core::port::{CommitError, Ground, ReadError};
use engram_core::rank::Weights;
use engram_core::reflect::InsightType;
use engram_core::skill::SkillSight;
use engram_core::{
    Actor, Cause, Changes, EntityId, MemoryId, OperationId, RecallId, Scope, Tier, Timestamp, Write,
};
use engram_guard::guard;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// So many dreams are looked through for one that is named.
const DREAMS_KNOWN: usize = 1_000;
/// Patterns are looked for in so many of the largest clusters.
const ABSTRACTED: usize = 3;

/// How to dream.
pub struct Dreaming<'a> {
    /// Names the dream, and everything it makes.
    pub id: OperationId,
    pub at: Timestamp,
    pub trigger: DreamTrigger,
    /// None: the steps were named by somebody.
    pub depth: Option<Depth>,
    pub steps: Vec<Step>,
    pub caps: Caps,
    pub importance: ImportanceTable,
    pub adviser: &'a Adviser,
    /// The working tree that this store's memories speak of.
    pub ground: Option<Arc<dyn Ground>>,
    /// What the project is called.
    pub names: Vec<String>,
    /// How many sessions there have been.
    pub sessions: u64,
    /// What the signals of a ranking weigh as long as nothing is learned.
    pub weights: Weights,
    pub learning: LearningSettings,
    pub evolution: EvolutionSettings,
    /// How long texts are kept.
    pub retain: RetainRules,
    /// So many current memories the store holds. None: as many as come.
    pub capacity: Option<usize>,
    /// What lies on the disk of the skills there are.
    pub skills: SkillSight,
    /// Whether there is time for another step.
    pub in_time: &'a (dyn Fn() -> bool + Send + Sync),
}

/// What one step of a dream leaves to the next.
struct Found {
    /// With how many memories were left for another night.
    clusters: Option<(Vec<Cluster>, usize)>,
    /// The model may be asked so often in the rest of the night.
    calls_left: usize,
}

/// A dream as it is planned: nothing is done yet.
pub struct PlannedDream {
    pub dream: Dream,
    pub parts: Vec<Part>,
}

impl Shelf {
    /// Plans a dream. Nothing is changed. The steps are done in their own order,
    /// each once, in whichever order they were named.
    pub async fn plan_dream(&self, how: &Dreaming<'_>) -> Result<PlannedDream, ChangeError> {
        let sight = night::ShelfSight::of(self);
        let mut night = self.load_night(how, &sight).await?;
        let mut plans: Vec<StepPlan> = Vec::new();
        let mut found = Found { clusters: None, calls_left: how.caps.model_calls };
        for step in Step::ALL.iter().copied().filter(|step| how.steps.contains(step)) {
            if !(how.in_time)() {
                plans.push(StepPlan::skipped(step, "there was no time left for it"));
                continue;
            }
            plans.push(self.plan_step(step, how, &mut night, &mut found).await?);
        }
        let parts = parts_of(how.id, how.at, &plans);
        let report = |plan: &StepPlan| StepReport {
            operations: parts
                .iter()
                .filter(|part| part.step == plan.step)
                .map(|part| part.changes.operation)
                .collect(),
            ..StepReport::of(plan)
        };
        let dream = Dream {
            id: how.id,
            trigger: how.trigger,
            depth: how.depth,
            at: how.at,
            steps: plans.iter().map(report).collect(),
            finished_at: None,
        };
        Ok(PlannedDream { dream, parts })
    }

    async fn plan_step(
        &self,
        step: Step,
        how: &Dreaming<'_>,
        night: &mut Night<'_>,
        found: &mut Found,
    ) -> Result<StepPlan, ChangeError> {
        Ok(match step {
            Step::Retain => dream::plan_retain(night),
            Step::Expire => dream::plan_expire(night),
            Step::Fade => dream::plan_fade(night),
            Step::Settle => dream::plan_settle(night),
            Step::Rehearse => dream::plan_rehearse(night),
            Step::Emotional => dream::plan_emotional(night),
            Step::Replay => dream::plan_replay(night),
            Step::Forget => dream::plan_forget(night),
            Step::Consolidate => {
                let (clusters, left) = found.clusters.get_or_insert_with(|| dream::clusters(night)).clone();
                let texts = summed_up(night, &clusters, how, &mut found.calls_left).await;
                dream::plan_consolidation(night, &clusters, left, &texts)
            }
            Step::Summarise => dream::plan_summaries(night),
            Step::Redundancy => dream::plan_redundancy(night),
            Step::Abstract => {
                let (clusters, _) = found.clusters.get_or_insert_with(|| dream::clusters(night)).clone();
                let (seen, why_none) = patterns_in(night, &clusters, how, &mut found.calls_left).await;
                dream::plan_patterns(night, &seen, why_none)
            }
            Step::Tiers => dream::plan_tiers(night),
            Step::Promote => match self.scope() {
                Scope::Project => dream::plan_promotions(night, &|memory| self.worth(memory), &how.names),
                _ => StepPlan::skipped(step, "there is no wider scope to go to"),
            },
            Step::Entities => dream::plan_entities(night),
            Step::Contradictions => dream::plan_contradictions(night),
            Step::Cards => dream::plan_cards(night),
            Step::Bridges => dream::plan_bridges(night),
            Step::Probe => dream::plan_probe(night),
            Step::Drift => drift(night, how).await,
            Step::Adapt => dream::plan_adapt(night, &how.weights),
            Step::Evolve => dream::plan_evolve(night, &may_order),
            Step::Reflect => {
                let (clusters, _) = found.clusters.get_or_insert_with(|| dream::clusters(night)).clone();
                dream::plan_reflect(night, &how.weights, &clusters)
            }
            Step::Compress => self.plan_compression(how.at).await?,
            Step::Tidy => {
                let mut plan = StepPlan::new(step);
                let kept = logs_kept_from(how.at, &how.retain);
                let old = night.recalls.iter().filter(|recall| recall.at < kept.recalls).count();
                plan.looked_at = night.recalls.len();
                if old > 0 {
                    plan.deeds.push(dream::Deed {
                        memory: None,
                        what: "log tidied".to_owned(),
                        why: format!(
                            "{old} recalls were logged more than {} days ago",
                            how.retain.recalls_days
                        ),
                        made: None,
                    });
                }
                plan
            }
        })
    }

    /// Keeps a plan, so that it is gone on with whatever happens.
    pub async fn keep_dream(&self, planned: PlannedDream) -> Result<(), ChangeError> {
        Ok(self.store.keep_plan(planned.dream, planned.parts).await?)
    }

    /// The dream that was planned and not finished, if there is one.
    pub async fn unfinished_dream(&self) -> Result<Option<Dream>, ReadError> {
        let latest = self.store.latest_dreams(1).await?.pop();
        Ok(latest.filter(|dream| dream.finished_at.is_none()))
    }

    /// The wider scope has taken it in: with this part it answers here no more.
    pub async fn went_up(&self, dream: &mut Dream, part: &mut Part, id: MemoryId) -> Result<(), ChangeError> {
        let memory = self.load(id).await?;
        let (operation, at) = (part.changes.operation, part.changes.at);
        let occasion = Occasion { operation, actor: Actor::Engram, at, recorded_at: at };
        part.changes.writes.extend(plan_promoted(&[memory], Scope::User, occasion)?.writes);
        if let Some(report) = dream.steps.iter_mut().find(|report| report.step == part.step)
            && !report.risen.contains(&id)
        {
            report.risen.push(id);
        }
        Ok(())
    }

    /// Does one part. What somebody changed since it was planned is left to him,
    /// and named in the report.
    pub async fn apply_part(&self, dream: &mut Dream, part: Part) -> Result<(), ChangeError> {
        let mut part = part;
        let _door = self.door.lock().await;
        // What was left to somebody once is his for the rest of the dream: the
        // revision that he made may be the one that a later part expects.
        let his: BTreeSet<MemoryId> = dream.steps.iter().flat_map(|it| it.overtaken.clone()).collect();
        his.iter().for_each(|id| overtake(dream, &mut part, *id));
        for id in self.changed_sources(&part).await? {
            overtake(dream, &mut part, id);
        }
        self.leave_out_things(&mut part.changes);
        self.leave_out_rows(&mut part.changes).await?;
        loop {
            let mut changes = part.changes.clone();
            // What the report tells besides what was planned must not be lost
            // with whoever does the next part.
            let told = |report: &&StepReport| report.step == part.step;
            if dream
                .steps
                .iter()
                .find(told)
                .is_some_and(|it| !it.overtaken.is_empty() || !it.risen.is_empty())
            {
                changes.writes.push(Write::Note { note: Box::new(Note::Dream(dream.clone())) });
            }
            match self.commit(changes).await {
                Ok(_) => return Ok(()),
                Err(ChangeError::Commit(CommitError::Conflict(id))) => overtake(dream, &mut part, id),
                // It was done, and only its row is still there.
                Err(ChangeError::Commit(CommitError::AlreadyApplied(_))) => {
                    let changes = &mut part.changes;
                    changes.writes.retain(|write| matches!(write, Write::Note { .. }));
                    changes.part_of = None;
                    changes.operation = changes.operation.part(0);
                    changes.cause = Cause::Hear;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The memories that texts of a part are made of and that somebody changed
    /// since: their words may have been taken away.
    async fn changed_sources(&self, part: &Part) -> Result<Vec<MemoryId>, ReadError> {
        let sources: BTreeMap<MemoryId, u32> =
            part.made_of.values().flatten().map(|(id, revision)| (*id, *revision)).collect();
        if sources.is_empty() {
            return Ok(Vec::new());
        }
        let here = self.load_shared(sources.keys().copied().collect()).await?;
        let here: BTreeMap<MemoryId, u32> = here.iter().map(|memory| (memory.id, memory.revision)).collect();
        Ok(sources.iter().filter(|(id, was)| here.get(id) != Some(was)).map(|(id, _)| *id).collect())
    }

    /// Things that were named meanwhile stay, and so do their bonds.
    fn leave_out_things(&self, changes: &mut Changes) {
        let hearing = self.hearing();
        let mut stay: BTreeSet<EntityId> = BTreeSet::new();
        for write in &changes.writes {
            if let Write::Entity { before, after } = write
                && let Some(thing) = before.as_ref().or(after.as_ref())
                && hearing.book.get(thing.id) != before.as_deref()
            {
                stay.insert(thing.id);
            }
        }
        changes.writes.retain(|write| match write {
            Write::Entity { before, after } => {
                before.as_ref().or(after.as_ref()).is_some_and(|thing| !stay.contains(&thing.id))
            }
            Write::Bond { before, after } => {
                let Some(bond) = before.as_ref().or(after.as_ref()) else { return false };
                let as_planned = hearing.bonds.get(&bond.key()) == before.as_deref();
                as_planned && !stay.contains(&bond.from) && !stay.contains(&bond.to)
            }
            _ => true,
        });
    }

    /// What somebody reset meanwhile is not learned, and a question whose words
    /// were taken away meanwhile is not quoted.
    async fn leave_out_rows(&self, changes: &mut Changes) -> Result<(), ReadError> {
        if changes.writes.iter().any(|write| matches!(write, Write::Learn { .. })) {
            let here = self.store.load_learned().await?;
            changes.writes.retain(|write| {
                let Write::Learn { before, after } = write else { return true };
                let key = before.as_ref().or(after.as_ref()).map(|row| row.key);
                here.iter().find(|row| Some(row.key) == key) == before.as_deref()
            });
        }
        let mut unsaid: Vec<String> = Vec::new();
        for write in &changes.writes {
            let Write::Note { note } = write else { continue };
            let Note::Insight(insight) = &**note else { continue };
            let asked = insight.evidence.iter().filter_map(|named| named.parse::<RecallId>().ok());
            for recall in asked.filter(|_| insight.insight == InsightType::MemoryGap) {
                if self.store.find_recall(recall).await?.is_some_and(|recall| recall.query == PURGED) {
                    unsaid.push(insight.id.clone());
                }
            }
        }
        changes.writes.retain(|write| match write {
            Write::Note { note } => {
                !matches!(&**note, Note::Insight(insight) if unsaid.contains(&insight.id))
            }
            _ => true,
        });
        Ok(())
    }

    /// How long the dream took in which the memory looked at itself.
    async fn time_reflection(&self, dream: &Dream, at: Timestamp) -> Result<Option<Write>, ReadError> {
        let logged = self.store.latest_reflections(1).await?.pop().filter(|logged| logged.dream == dream.id);
        Ok(logged.map(|mut logged| {
            logged.duration_ms = u64::try_from(at.duration_since(dream.at).as_millis()).unwrap_or(0);
            Write::Note { note: Box::new(Note::Reflected(logged)) }
        }))
    }

    /// The dream is over: its report is kept, and what was done as a whole is one
    /// operation of the log.
    pub async fn finish_dream(
        &self,
        mut dream: Dream,
        retain: &RetainRules,
        at: Timestamp,
    ) -> Result<Dream, ChangeError> {
        if dream.steps.iter().any(|report| report.step == Step::Tidy && report.skipped.is_none()) {
            self.store.tidy_logs(logs_kept_from(dream.at, retain)).await?;
        }
        if dream.steps.iter().any(|report| report.step == Step::Compress && report.skipped.is_none()) {
            self.compress(dream.at).await?;
        }
        dream.finished_at = Some(at);
        // What changed nothing is no operation.
        if dream.steps.iter().all(|report| report.operations.is_empty()) {
            self.store.keep_plan(dream.clone(), Vec::new()).await?;
            return Ok(dream);
        }
        let mut writes = vec![Write::Note { note: Box::new(Note::Dream(dream.clone())) }];
        writes.extend(self.time_reflection(&dream, at).await?);
        let _door = self.door.lock().await;
        let changes = Changes {
            operation: dream.id,
            cause: Cause::Dream,
            actor: Actor::Engram,
            at: dream.at,
            undoes: None,
            part_of: None,
            writes,
        };
        match self.commit(changes).await {
            Ok(_) | Err(ChangeError::Commit(CommitError::AlreadyApplied(_))) => Ok(dream),
            Err(error) => Err(error),
        }
    }

    /// The dream of this name.
    pub async fn find_dream(&self, id: OperationId) -> Result<Option<Dream>, ReadError> {
        Ok(self.store.latest_dreams(DREAMS_KNOWN).await?.into_iter().find(|dream| dream.id == id))
    }
}

/// Whether a text may become a skill, which is orders to an agent: it holds
/// nothing that reads like somebody else's orders, and no secret.
fn may_order(text: &str) -> bool {
    let guarded = guard(text);
    guarded.instructions.is_empty() && guarded.secrets.is_empty() && guarded.private == 0
}

/// Leaves a memory to whoever changed it, and tells so.
fn overtake(dream: &mut Dream, part: &mut Part, id: MemoryId) {
    let left_out = part.leave_out(id);
    if let Some(report) = dream.steps.iter_mut().find(|report| report.step == part.step) {
        report.overtake(&left_out);
    }
}

/// What a model makes of the first clusters, by their place.
async fn summed_up(
    night: &Night<'_>,
    clusters: &[Cluster],
    how: &Dreaming<'_>,
    calls_left: &mut usize,
) -> BTreeMap<usize, String> {
    let mut texts = BTreeMap::new();
    if how.adviser.llm.is_none() {
        return texts;
    }
    for (place, cluster) in clusters.iter().enumerate() {
        if *calls_left == 0 || !(how.in_time)() {
            break;
        }
        *calls_left -= 1;
        let advice = Summarise { texts: texts_of(night, &cluster.members) };
        let advised = how.adviser.advised(advice, String::new).await;
        if advised.by == DecidedBy::Model {
            texts.insert(place, advised.value);
        }
    }
    texts
}

/// What a model sees in the largest clusters, and if nothing, why.
async fn patterns_in(
    night: &Night<'_>,
    clusters: &[Cluster],
    how: &Dreaming<'_>,
    calls_left: &mut usize,
) -> (Vec<(String, Vec<MemoryId>)>, Option<String>) {
    if how.adviser.llm.is_none() {
        return (Vec::new(), Some("it takes a language model, and none is configured".to_owned()));
    }
    let mut seen = Vec::new();
    for cluster in clusters.iter().take(ABSTRACTED) {
        if *calls_left == 0 || !(how.in_time)() {
            break;
        }
        *calls_left -= 1;
        let advice = Abstract { texts: texts_of(night, &cluster.members) };
        let advised = how.adviser.advised(advice, String::new).await;
        if advised.by == DecidedBy::Model && !advised.value.is_empty() {
            seen.push((advised.value, cluster.members.clone()));
        }
    }
    (seen, None)
}

fn texts_of(night: &Night<'_>, ids: &[MemoryId]) -> Vec<String> {
    ids.iter().filter_map(|id| night.memories.get(id)).map(|memory| memory.content.clone()).collect()
}

/// Looks up what the memories of a project claim about its code.
async fn drift(night: &mut Night<'_>, how: &Dreaming<'_>) -> StepPlan {
    let why_not = |why: &str| Some(why.to_owned());
    let Some(ground) = how.ground.as_ref().filter(|_| night.scope == Scope::Project) else {
        return dream::plan_drift(night, &[], 0, why_not("there is no working tree to look at"));
    };
    let mut speaking: Vec<(MemoryId, Vec<Claim>)> = Vec::new();
    for memory in night.memories.values() {
        let speaks = memory.status.is_current()
            && memory.tier != Tier::Codebase
            && memory.class() != Class::Narrative
            // What a dream made repeats what others say.
            && memory.provenance.write_source != WriteSource::Dream;
        let claims = if speaks { claims_in(&memory.content) } else { Vec::new() };
        if !claims.is_empty() {
            speaking.push((memory.id, claims));
        }
    }
    let all: Vec<Claim> = speaking.iter().flat_map(|(_, claims)| claims.iter().cloned()).collect();
    let findings = match ground.look(all).await {
        Ok(findings) => findings,
        Err(problem) => return dream::plan_drift(night, &[], 0, Some(problem)),
    };
    let left = findings.unseen;
    let mut findings = findings.found.into_iter();
    let drifted: Vec<Drifted> = speaking
        .into_iter()
        .map(|(memory, claims)| {
            let findings = claims.into_iter().zip(findings.by_ref()).collect();
            Drifted { memory, findings }
        })
        .collect();
    dream::plan_drift(night, &drifted, left, None)
}
