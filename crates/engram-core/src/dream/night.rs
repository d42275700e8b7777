//! The store as a dream sees it, and what a step wants to do about it.
//!
//! Each step sees what the steps before it have planned, and nothing is written
//! yet. Everything here is loaded by somebody else, all of one moment.

use super::Step;
use super::note::{ConsolidationRequest, DreamTrigger};
use super::summary::set_sources;
use crate::change::{Cause, Changes, Standing, Upkeep, Write};
use crate::evolve::EvolutionSettings;
use crate::graph::Bond;
use crate::id::{EntityId, MemoryId, OperationId};
use crate::kind::{Kind, Scope, Tier};
use crate::law::{self, ImportanceTable, Model, RetainRules};
use crate::learn::{Learned, LearningSettings};
use crate::link::KnownEntity;
use crate::memory::{Memory, Provenance, Relation, RelationKind, Trace, Validity, WriteSource};
use crate::recalled::RecallLogged;
use crate::reflect::Insight;
use crate::skill::SkillSight;
use crate::status::{Status, StatusChange};
use crate::unit::{Confidence, Importance, MeanUses, Retention, Similarity, Stability, Utility};
use crate::used::Usage;
use crate::{Actor, decision::Review};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How much one dream may look at where looking costs more than a glance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// Memories that a pairwise or judged step looks at.
    pub memories: usize,
    /// Pairs of texts that are read against each other in one step.
    pub comparisons: usize,
    pub rehearsals: usize,
    pub model_calls: usize,
}

impl Caps {
    pub const DEFAULT: Caps = Caps { memories: 500, comparisons: 50, rehearsals: 50, model_calls: 5 };
}

/// How like memories are to each other, and names; the index and its embedder
/// know.
pub trait Sight: Send + Sync {
    /// The memories nearest to this one, nearest first.
    fn near(&self, id: MemoryId, most: usize) -> Vec<(MemoryId, Similarity)>;
    /// How like two names are in what they mean, each pair of them once.
    fn names(&self, names: &[&str]) -> Vec<(usize, usize, Similarity)>;
}

/// The store as the steps planned so far leave it.
pub struct Night<'a> {
    /// Names the dream; everything it makes is named after it.
    pub dream: OperationId,
    pub scope: Scope,
    pub at: Timestamp,
    pub model: Model,
    pub importance: ImportanceTable,
    pub caps: Caps,
    /// What the dream was begun by, and how many sessions there had been.
    pub trigger: DreamTrigger,
    pub sessions: u64,
    /// When each step was last done.
    pub before: BTreeMap<Step, Timestamp>,
    pub memories: BTreeMap<MemoryId, Arc<Memory>>,
    pub edges: BTreeSet<Relation>,
    pub entities: BTreeMap<EntityId, KnownEntity>,
    /// What each memory names.
    pub mentions: BTreeMap<MemoryId, BTreeSet<EntityId>>,
    pub bonds: Vec<Bond>,
    /// What was asked and shown, oldest first.
    pub recalls: Vec<RecallLogged>,
    pub reviews: Vec<Review>,
    /// What asks for consolidation and has not been answered yet.
    pub request: Option<ConsolidationRequest>,
    /// How using memories went in the last half year, oldest first.
    pub usages: Vec<Usage>,
    pub learned: Vec<Learned>,
    pub insights: Vec<Insight>,
    /// What lies on the disk of the skills there are.
    pub skills: SkillSight,
    /// What had been put away and use brought back, and when.
    pub reactivated: Vec<(MemoryId, Timestamp)>,
    /// So many current memories the store holds. None: as many as come.
    pub capacity: Option<usize>,
    pub learning: LearningSettings,
    pub evolution: EvolutionSettings,
    /// How long texts are kept, and how many turns are older than theirs.
    pub retain: RetainRules,
    pub old_turns: usize,
    pub sight: &'a dyn Sight,
    pub(super) born: usize,
}

/// What one step would do.
#[derive(Debug, Clone, PartialEq)]
pub struct StepPlan {
    pub step: Step,
    pub writes: Vec<Write>,
    /// What is done, told to people, in the order of the writes.
    pub deeds: Vec<Deed>,
    /// Memories, pairs or things that were looked at.
    pub looked_at: usize,
    /// So many more would have been, had the cap allowed it.
    pub left: usize,
    /// Why it was not done at all.
    pub skipped: Option<String>,
    /// The memories that are to go up to the user.
    pub rising: Vec<MemoryId>,
    /// So many of the deeds tell of something that was left as it is.
    pub spared: usize,
    /// What each text of this step was made of, as that was then: a text holds
    /// words of its sources, and must not come after they were taken away.
    pub made_of: BTreeMap<MemoryId, Sources>,
}

/// The memories a text is made of, each at its revision.
pub type Sources = BTreeMap<MemoryId, u32>;

/// One thing that a step does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Deed {
    /// What it is done to, if that is a memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryId>,
    /// In a word or two: archived, challenged, summed up.
    pub what: String,
    pub why: String,
    /// The memory that was made of it, or that it went into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<MemoryId>,
}

impl Deed {
    /// Whether it tells of one of these memories.
    pub fn is_about(&self, these: impl Fn(MemoryId) -> bool) -> bool {
        self.memory.into_iter().chain(self.made).any(these)
    }
}

impl StepPlan {
    pub fn new(step: Step) -> Self {
        Self {
            step,
            writes: Vec::new(),
            deeds: Vec::new(),
            looked_at: 0,
            left: 0,
            skipped: None,
            rising: Vec::new(),
            spared: 0,
            made_of: BTreeMap::new(),
        }
    }

    pub fn skipped(step: Step, why: impl Into<String>) -> Self {
        Self { skipped: Some(why.into()), ..Self::new(step) }
    }

    pub(super) fn tell(&mut self, memory: impl Into<Option<MemoryId>>, what: &str, why: impl Into<String>) {
        self.deeds.push(Deed { memory: memory.into(), what: what.to_owned(), why: why.into(), made: None });
    }

    /// Tells why something was left as it is.
    pub(super) fn spare(&mut self, memory: impl Into<Option<MemoryId>>, what: &str, why: impl Into<String>) {
        self.tell(memory, what, why);
        self.spared += 1;
    }
}

/// A thing that more memories name than this, and than this share of them, is
/// what everything here is about, and ties nothing together.
const EVERYWHERE_LEAST: usize = 12;
const EVERYWHERE_SHARE: f64 = 0.3;

impl<'a> Night<'a> {
    /// A night over nothing yet.
    pub fn new(
        dream: OperationId,
        scope: Scope,
        at: Timestamp,
        model: Model,
        importance: ImportanceTable,
        sight: &'a dyn Sight,
    ) -> Self {
        Self {
            dream,
            scope,
            at,
            model,
            importance,
            caps: Caps::DEFAULT,
            trigger: DreamTrigger::Manual,
            sessions: 0,
            before: BTreeMap::new(),
            memories: BTreeMap::new(),
            edges: BTreeSet::new(),
            entities: BTreeMap::new(),
            mentions: BTreeMap::new(),
            bonds: Vec::new(),
            recalls: Vec::new(),
            reviews: Vec::new(),
            request: None,
            usages: Vec::new(),
            learned: Vec::new(),
            insights: Vec::new(),
            skills: SkillSight::default(),
            reactivated: Vec::new(),
            capacity: law::capacity_of(scope),
            learning: LearningSettings::default(),
            evolution: EvolutionSettings::default(),
            retain: RetainRules::default(),
            old_turns: 0,
            sight,
            born: 0,
        }
    }

    /// What recall may return, in order of identifier. The outline of a code
    /// base is drawn again whenever the code changes and is nobody's memory.
    pub(super) fn current(&self) -> Vec<Arc<Memory>> {
        let here = |memory: &&Arc<Memory>| memory.status.is_current() && memory.tier != Tier::Codebase;
        self.memories.values().filter(here).cloned().collect()
    }

    /// What binds no two memories together, because everything here is about it,
    /// or because it is no thing any more. It is counted over whatever has a
    /// text, so that a dream does not change it by what it puts away.
    pub(crate) fn everywhere(&self) -> BTreeSet<EntityId> {
        let told = |id: &MemoryId| self.memories.get(id).is_some_and(|memory| !memory.content.is_empty());
        let mut naming: BTreeMap<EntityId, usize> = BTreeMap::new();
        let mut all = 0;
        for (_, named) in self.mentions.iter().filter(|(id, named)| told(id) && !named.is_empty()) {
            all += 1;
            named.iter().for_each(|entity| *naming.entry(*entity).or_default() += 1);
        }
        let most = ((all as f64 * EVERYWHERE_SHARE) as usize).max(EVERYWHERE_LEAST);
        let known = |entity: &EntityId| self.entities.contains_key(entity);
        naming.retain(|entity, count| *count > most || !known(entity));
        naming.into_keys().collect()
    }

    /// How often a memory is used on average, over whatever was ever kept: what
    /// was put away still counts, or each night would ask for more than the one
    /// before and the store would wear away.
    pub(super) fn mean_uses(&self) -> MeanUses {
        let ever = self.memories.values().filter(|memory| memory.tier != Tier::Codebase);
        law::floating_threshold(ever.map(|memory| memory.trace.access_count))
    }

    pub(super) fn held(&self, memory: &Memory) -> Retention {
        law::held_at(memory, self.model, self.at)
    }

    pub(super) fn living(&self, memory: &Memory) -> Importance {
        let again = memory.provenance.evidence.len().saturating_sub(1);
        let factors =
            law::factors_of(memory, u32::try_from(again).unwrap_or(u32::MAX), self.held(memory), self.at);
        law::living_importance(&factors, self.importance)
    }

    /// How long ago a step was done, if ever.
    pub(super) fn since(&self, step: Step) -> Option<SignedDuration> {
        self.before.get(&step).map(|then| self.at.duration_since(*then))
    }

    /// In the order in which a step looks at things when it may not look at all:
    /// what is new since the last time as it came, then the rest from a place
    /// that is another one every night. So everything has its turn.
    pub(super) fn in_turn<T>(&self, step: Step, all: Vec<T>, new_at: impl Fn(&T) -> Timestamp) -> Vec<T> {
        let since = self.before.get(&step).copied();
        let (mut order, mut rest): (Vec<T>, Vec<T>) =
            all.into_iter().partition(|one| since.is_none_or(|since| new_at(one) > since));
        if !rest.is_empty() {
            let start = self.dream.ulid().0 % rest.len() as u128;
            rest.rotate_left(start as usize);
        }
        order.append(&mut rest);
        order
    }

    /// Changes where a memory stands. What is immutable stays as it is, and so
    /// does what would stand as it stood.
    pub(super) fn stand(&mut self, plan: &mut StepPlan, id: MemoryId, set: impl FnOnce(&mut Memory)) -> bool {
        let Some(before) = self.memories.get(&id).filter(|memory| !memory.immutable) else { return false };
        let mut after = Memory::clone(before);
        set(&mut after);
        after.trace.fades_at = law::fades_at(&after, self.model);
        if after == **before {
            return false;
        }
        // The revision of what is shared counts what changed for the team.
        if self.scope != Scope::Team {
            after.revision += 1;
        }
        let change = Upkeep { id, before: Standing::of(before), after: Standing::of(&after) };
        plan.writes.push(Write::Upkeep { change: Box::new(change) });
        self.memories.insert(id, Arc::new(after));
        true
    }

    /// Gives a memory another status, if the lifecycle lets it.
    pub(super) fn put(&mut self, plan: &mut StepPlan, id: MemoryId, status: Status, reason: String) -> bool {
        let may = self.memories.get(&id).is_some_and(|memory| memory.status.may_become(status).is_ok());
        let at = self.at;
        let change = StatusChange { at, reason: reason.clone(), cause: Cause::Dream };
        let done = may
            && self.stand(plan, id, |memory| {
                memory.status = status;
                memory.status_change = change;
            });
        if done {
            plan.tell(id, status.as_str(), reason);
        }
        done
    }

    /// Gives a memory another text. What somebody protects says what it said.
    pub(super) fn rewrite(
        &mut self,
        plan: &mut StepPlan,
        id: MemoryId,
        set: impl FnOnce(&mut Memory),
    ) -> bool {
        let open = |memory: &&Arc<Memory>| law::guarded(memory).is_none();
        let Some(before) = self.memories.get(&id).filter(open) else { return false };
        let mut after = Memory::clone(before);
        set(&mut after);
        after.trace.fades_at = law::fades_at(&after, self.model);
        after.revision += 1;
        plan.writes
            .push(Write::Replace { before: Box::new(Memory::clone(before)), after: Box::new(after.clone()) });
        self.memories.insert(id, Arc::new(after));
        true
    }

    /// Takes over what was decided about memories of this night elsewhere, by the
    /// same rules as for anybody else.
    pub(super) fn adopt(&mut self, plan: &mut StepPlan, changes: Changes) {
        for write in changes.with_deadlines(self.model).writes {
            match &write {
                Write::Create { memory } | Write::Replace { after: memory, .. } => {
                    self.memories.insert(memory.id, Arc::new(Memory::clone(memory)));
                }
                Write::Relate { relation } => {
                    self.relate(plan, relation.clone());
                    continue;
                }
                _ => {}
            }
            plan.writes.push(write);
        }
    }

    /// A text is made of these memories now, and no longer of others.
    pub(super) fn make_of(&mut self, plan: &mut StepPlan, id: MemoryId, sources: &[MemoryId]) {
        let at = self.at;
        let made_of = |edge: &&Relation| edge.from == id && edge.kind == RelationKind::DerivedFrom;
        let before: Vec<Relation> = self.edges.iter().filter(made_of).cloned().collect();
        for edge in before.into_iter().filter(|edge| !sources.contains(&edge.to)) {
            self.edges.remove(&edge);
            plan.writes.push(Write::Unrelate { relation: edge });
        }
        for source in sources {
            self.relate(plan, Relation::certain(id, RelationKind::DerivedFrom, *source, at));
        }
        let known = |source: &MemoryId| Some((*source, self.memories.get(source)?.revision));
        plan.made_of.insert(id, sources.iter().filter_map(known).collect());
    }

    /// A memory that this dream makes of others, which it is tied to.
    pub(super) fn give_birth(&mut self, plan: &mut StepPlan, made: Made, sources: &[MemoryId]) -> MemoryId {
        let id = self.dream.dreamt(self.born);
        self.born += 1;
        let at = self.at;
        let known: Vec<Arc<Memory>> =
            sources.iter().filter_map(|source| self.memories.get(source)).cloned().collect();
        // It is believed no more than the least believed of what it is made of.
        let confidence = known.iter().map(|memory| memory.confidence).min().unwrap_or(Confidence::DEFAULT);
        let trust = known.iter().map(|memory| memory.provenance.trust).min();
        let domains: BTreeSet<Option<&String>> = known.iter().map(|memory| memory.domain.as_ref()).collect();
        let mut provenance = Provenance {
            write_source: WriteSource::Dream,
            source_project: known.iter().find_map(|memory| memory.provenance.source_project.clone()),
            ..Provenance::stated_by(Actor::Engram)
        };
        provenance.trust = trust.unwrap_or(provenance.trust);
        let mut memory = Memory {
            id,
            scope: self.scope,
            tier: made.kind.first_tier(),
            kind: made.kind,
            status: Status::Created,
            status_change: StatusChange { at, reason: made.reason.clone(), cause: Cause::Dream },
            content: made.content,
            summary: None,
            tags: made.tags,
            domain: if domains.len() == 1 { domains.into_iter().flatten().next().cloned() } else { None },
            structured: Some(made.structured),
            importance: made.importance,
            confidence,
            utility: Utility::DEFAULT,
            surprise: None,
            emotion: None,
            pinned: false,
            immutable: false,
            trace: Trace {
                access_count: 0,
                last_used_at: at,
                stability: Stability::FIRST,
                difficulty: None,
                fades_at: None,
            },
            validity: Validity { valid_from: at, valid_until: None, recorded_at: at },
            provenance,
            created_at: at,
            updated_at: at,
            revision: 0,
        };
        memory.trace.fades_at = law::fades_at(&memory, self.model);
        set_sources(&mut memory, sources);
        plan.writes.push(Write::Create { memory: Box::new(memory.clone()) });
        plan.tell(id, made.told, made.reason);
        self.memories.insert(id, Arc::new(memory));
        self.make_of(plan, id, sources);
        id
    }

    pub(super) fn relate(&mut self, plan: &mut StepPlan, relation: Relation) {
        let known = self
            .edges
            .iter()
            .any(|edge| (edge.from, edge.kind, edge.to) == (relation.from, relation.kind, relation.to));
        if !known {
            self.edges.insert(relation.clone());
            plan.writes.push(Write::Relate { relation });
        }
    }

    /// Whether somebody still has to decide about these two, or has decided.
    pub(super) fn is_reviewed(&self, one: MemoryId, other: MemoryId) -> bool {
        self.reviews.iter().any(|review| review.is_about(&[one]) && review.is_about(&[other]))
    }

    /// Opens a review, once for each pair.
    pub(super) fn review(&mut self, plan: &mut StepPlan, review: Review) {
        if self.reviews.iter().any(|known| known.pair == review.pair) {
            return;
        }
        plan.writes.push(Write::Review { before: None, after: Box::new(review.clone()) });
        self.reviews.push(review);
    }
}

/// What a dream makes of several memories.
pub(super) struct Made {
    pub(super) kind: Kind,
    pub(super) content: String,
    pub(super) tags: BTreeSet<String>,
    pub(super) structured: serde_json::Map<String, serde_json::Value>,
    pub(super) importance: Importance,
    /// Why it was made, and what people are told was done.
    pub(super) reason: String,
    pub(super) told: &'static str,
}
