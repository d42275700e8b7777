//! What each step of a dream does, must not do, and where it ends; and what
//! holds of any night. `Scene` makes nights and lives through them.

mod clusters;
mod evolution;
mod graph;
mod parts;
mod random;
mod standing;
mod truth;
mod upkeep;

use super::night::{Night, Sight, StepPlan};
use super::{Caps, Step};
use crate::ask::{Intent, QueryType};
use crate::change::{Actor, Standing, Write};
use crate::decision::Review;
use crate::evolve::EvolutionSettings;
use crate::graph::Bond;
use crate::id::{EntityId, MemoryId, OperationId, RecallId, SessionId};
use crate::kind::{Kind, Scope, Tier};
use crate::law::{ImportanceTable, Model, fades_at};
use crate::learn::Learned;
use crate::link::KnownEntity;
use crate::memory::{Memory, Provenance, Relation};
use crate::observe::{Emotion, EntityKind};
use crate::plan::{Draft, Occasion, came_back_at, plan_remember};
use crate::recalled::{RecallLogged, Strategy, Surface};
use crate::reflect::Insight;
use crate::skill::SkillSight;
use crate::status::Status;
use crate::unit::{Arousal, Confidence, Similarity, Utility, Valence};
use crate::used::{Outcome, Usage};
use crate::{Changes, Ulid};
use jiff::{SignedDuration, Timestamp};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// So many days after everything here began.
fn day(days: f64) -> Timestamp {
    Timestamp::from_second(1_767_225_600).unwrap() + SignedDuration::from_secs_f64(days * 86_400.0)
}

/// How like memories are, as a table. What is not in it is not alike.
#[derive(Default, Clone)]
struct Likenesses(BTreeMap<(MemoryId, MemoryId), f64>);

impl Sight for Likenesses {
    fn near(&self, id: MemoryId, most: usize) -> Vec<(MemoryId, Similarity)> {
        let other = |(one, two): &(MemoryId, MemoryId)| match id {
            _ if *one == id => Some(*two),
            _ if *two == id => Some(*one),
            _ => None,
        };
        let alike = self.0.iter().filter_map(|(pair, likeness)| Some((other(pair)?, *likeness)));
        let mut near: Vec<(MemoryId, Similarity)> =
            alike.map(|(other, likeness)| (other, Similarity::clamped(likeness))).collect();
        near.sort_by_key(|(other, likeness)| (std::cmp::Reverse(*likeness), *other));
        near.truncate(most);
        near
    }

    /// One that begins like the other means the same.
    fn names(&self, names: &[&str]) -> Vec<(usize, usize, Similarity)> {
        let mut alike = Vec::new();
        for (place, one) in names.iter().enumerate() {
            for (other_place, other) in names.iter().enumerate().skip(place + 1) {
                let begins = one.starts_with(other) || other.starts_with(one);
                alike.push((place, other_place, Similarity::clamped(if begins { 0.75 } else { 0.7 })));
            }
        }
        alike
    }
}

/// A store, and what is known of its past.
#[derive(Clone)]
struct Scene {
    scope: Scope,
    at: Timestamp,
    caps: Caps,
    dreams: u64,
    before: BTreeMap<Step, Timestamp>,
    memories: BTreeMap<MemoryId, Arc<Memory>>,
    edges: BTreeSet<Relation>,
    entities: BTreeMap<EntityId, KnownEntity>,
    mentions: BTreeMap<MemoryId, BTreeSet<EntityId>>,
    bonds: Vec<Bond>,
    recalls: Vec<RecallLogged>,
    reviews: Vec<Review>,
    request: Option<super::ConsolidationRequest>,
    usages: Vec<Usage>,
    learned: Vec<Learned>,
    insights: Vec<Insight>,
    skills: SkillSight,
    evolution: EvolutionSettings,
    sight: Likenesses,
}

impl Scene {
    /// A project with nothing in it, on this day.
    fn on(days: f64) -> Self {
        Self {
            scope: Scope::Project,
            at: day(days),
            caps: Caps::DEFAULT,
            dreams: 1,
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
            evolution: EvolutionSettings::default(),
            sight: Likenesses::default(),
        }
    }

    /// An active episode that a person told of on day zero and nobody used: a
    /// fact, unless `set` makes something else of it.
    fn add(&mut self, text: &str, set: impl FnOnce(&mut Memory)) -> MemoryId {
        let operation = OperationId::from_ulid(Ulid(self.memories.len() as u128 + 1));
        let occasion = Occasion { operation, actor: Actor::Human, at: day(0.0), recorded_at: day(0.0) };
        let draft = Draft::parse(text, 10_000).unwrap();
        let Changes { mut writes, .. } =
            plan_remember(draft, self.scope, Provenance::stated_by(Actor::Human), occasion);
        let Some(Write::Create { memory }) = writes.pop() else { panic!("a memory is born") };
        let mut memory = Memory { tier: Tier::Episodic, status: Status::Active, ..*memory };
        set(&mut memory);
        memory.trace.fades_at = fades_at(&memory, Model::DEFAULT);
        self.memories.insert(memory.id, Arc::new(memory));
        operation.newborn()
    }

    fn plain(&mut self, text: &str) -> MemoryId {
        self.add(text, |_| {})
    }

    fn change(&mut self, id: MemoryId, set: impl FnOnce(&mut Memory)) {
        set(Arc::make_mut(self.memories.get_mut(&id).unwrap()));
    }

    fn get(&self, id: MemoryId) -> &Memory {
        &self.memories[&id]
    }

    fn alike(&mut self, one: MemoryId, other: MemoryId, likeness: f64) {
        self.sight.0.insert((one.min(other), one.max(other)), likeness);
    }

    /// A tool of this name, first met on day zero.
    fn tool(&mut self, name: &str) -> EntityId {
        let id = EntityId::of(EntityKind::Tool, name);
        self.entities.entry(id).or_insert_with(|| KnownEntity {
            id,
            kind: EntityKind::Tool,
            name: name.to_owned(),
            written: name.to_owned(),
            aliases: BTreeSet::new(),
            version: None,
            confidence: None,
            mentions: 0,
            first_seen_at: day(0.0),
            last_seen_at: day(0.0),
        });
        id
    }

    fn names(&mut self, memory: MemoryId, tool: &str) {
        let id = self.tool(tool);
        if self.mentions.entry(memory).or_default().insert(id) {
            self.entities.get_mut(&id).unwrap().mentions += 1;
        }
    }

    /// These were shown together on this day, to this session.
    fn shown(&mut self, ids: &[MemoryId], days: f64, session: u128) {
        let session = Some(SessionId::from_ulid(Ulid(session)));
        self.recalls.push(RecallLogged {
            id: RecallId::of(day(days), session, "q"),
            via: Surface::Search,
            query: format!("q {days} {:?} {ids:?}", session),
            query_type: QueryType::ALL[0],
            intent: Intent::General,
            strategy: Strategy::Hybrid,
            results_returned: ids.len() as u32,
            results_used: 0,
            user_feedback: None,
            latency_ms: 1.0,
            scopes: vec![self.scope],
            with_model: false,
            shown: ids.to_vec(),
            pool: Vec::new(),
            used: Vec::new(),
            settled_at: None,
            confidence: Confidence::clamped(0.5),
            session,
            at: day(days),
        });
    }

    /// Using it went so on this day.
    fn served(&mut self, memory: MemoryId, outcome: Outcome, days: f64) {
        self.usages.push(Usage::told(memory, outcome, day(days)));
        self.usages.sort_by_key(|usage| usage.at);
    }

    fn night(&self) -> Night<'_> {
        let dream = OperationId::from_ulid(Ulid::from_parts(1_000_000, self.dreams.into()));
        let table = ImportanceTable::Nine;
        let mut night = Night::new(dream, self.scope, self.at, Model::DEFAULT, table, &self.sight);
        night.caps = self.caps;
        night.before = self.before.clone();
        night.memories = self.memories.clone();
        night.edges = self.edges.clone();
        night.entities = self.entities.clone();
        night.mentions = self.mentions.clone();
        night.bonds = self.bonds.clone();
        night.recalls = self.recalls.clone();
        night.reviews = self.reviews.clone();
        night.request = self.request.clone();
        night.usages = self.usages.clone();
        night.learned = self.learned.clone();
        night.insights = self.insights.clone();
        night.skills = self.skills.clone();
        night.evolution = self.evolution;
        let back = |memory: &Arc<Memory>| Some((memory.id, came_back_at(memory)?));
        night.reactivated = self.memories.values().filter_map(back).collect();
        night
    }

    /// What a step would do tonight.
    fn plan(&self, step: impl FnOnce(&mut Night<'_>) -> StepPlan) -> StepPlan {
        step(&mut self.night())
    }

    /// Lives through a dream of one step, and returns what it did.
    fn dream(&mut self, step: impl FnOnce(&mut Night<'_>) -> StepPlan) -> StepPlan {
        let plan = self.plan(step);
        self.apply(&plan);
        self.dreams += 1;
        plan
    }

    /// Does what is planned. What a write says was before has to be what the
    /// writes before it left.
    fn apply(&mut self, plan: &StepPlan) {
        for write in &plan.writes {
            match write {
                Write::Create { memory } => {
                    let known = self.memories.insert(memory.id, Arc::new(*memory.clone()));
                    assert_eq!(known, None, "born twice");
                }
                Write::Replace { before, after } => {
                    assert_eq!(*self.memories[&after.id], **before);
                    assert_eq!(after.revision, before.revision + 1);
                    self.memories.insert(after.id, Arc::new(*after.clone()));
                }
                Write::Upkeep { change } => {
                    let memory = Arc::make_mut(self.memories.get_mut(&change.id).expect("it is there"));
                    assert_eq!(Standing::of(memory), change.before);
                    let counted = u32::from(self.scope != Scope::Team);
                    assert_eq!(change.after.revision, change.before.revision + counted);
                    change.after.put(memory);
                }
                Write::Relate { relation } => {
                    let tied = |edge: &Relation| (edge.from, edge.kind, edge.to);
                    assert!(!self.edges.iter().any(|edge| tied(edge) == tied(relation)), "tied twice");
                    self.edges.insert(relation.clone());
                }
                Write::Unrelate { relation } => assert!(self.edges.remove(relation), "was not tied"),
                Write::Entity { before, after } => {
                    let before = before.as_ref().expect("a dream makes no things");
                    assert_eq!(self.entities.remove(&before.id).as_ref(), Some(&**before));
                    assert_eq!(*after, None);
                }
                Write::Bond { before, after } => {
                    let key = before.as_ref().or(after.as_ref()).unwrap().key();
                    let now = self.bonds.iter().find(|bond| bond.key() == key);
                    assert_eq!(now, before.as_deref());
                    self.bonds.retain(|bond| bond.key() != key);
                    self.bonds.extend(after.iter().map(|bond| *bond.clone()));
                }
                Write::Review { before, after } => {
                    assert_eq!(*before, None);
                    self.reviews.push(*after.clone());
                }
                Write::Note { note } => match &**note {
                    super::Note::Request(request) => {
                        self.request = Some(request.clone()).filter(|request| request.completed_at.is_none());
                    }
                    super::Note::Insight(insight) => {
                        self.insights.retain(|known| known.id != insight.id);
                        self.insights.push(insight.clone());
                    }
                    _ => {}
                },
                Write::Learn { before, after } => {
                    let key = before.as_ref().or(after.as_ref()).unwrap().key;
                    assert_eq!(self.learned.iter().find(|row| row.key == key), before.as_deref());
                    self.learned.retain(|row| row.key != key);
                    self.learned.extend(after.iter().map(|row| *row.clone()));
                }
                other => panic!("no dream does this: {other:?}"),
            }
        }
    }

    /// The next night begins so long after this one, in which these were done.
    fn pass(&mut self, span: SignedDuration, done: &[Step]) {
        for step in done {
            self.before.insert(*step, self.at);
        }
        self.at += span;
        self.dreams += 1;
    }
}

/// Whose status a plan changes, and to what.
fn statuses(plan: &StepPlan) -> Vec<(MemoryId, Status)> {
    let changed = plan.writes.iter().filter_map(|write| match write {
        Write::Upkeep { change } if change.before.status != change.after.status => {
            Some((change.id, change.after.status))
        }
        Write::Replace { before, after } if before.status != after.status => Some((after.id, after.status)),
        _ => None,
    });
    changed.collect()
}

/// Why something is so that a plan tells of.
fn why(plan: &StepPlan, id: MemoryId) -> &str {
    let deed = plan.deeds.iter().find(|deed| deed.memory == Some(id));
    deed.map_or("nothing is told of it", |deed| deed.why.as_str())
}

/// The memories that a plan brings into the world.
fn newborns(plan: &StepPlan) -> Vec<Memory> {
    let born = plan.writes.iter().filter_map(|write| match write {
        Write::Create { memory } => Some(*memory.clone()),
        _ => None,
    });
    born.collect()
}

/// Said with so much feeling that it is kept for good.
fn stirred(memory: &mut Memory) {
    memory.emotion =
        Some(Emotion { valence: Valence::clamped(-0.5), arousal: Arousal::clamped(0.9), feeling: None });
}

/// Used so often, the last time on this day.
fn used(memory: &mut Memory, times: u32, last: f64) {
    memory.trace.access_count = times;
    memory.trace.last_used_at = day(last);
}

fn known(memory: &mut Memory) {
    memory.tier = Tier::Semantic;
}

fn useful(memory: &mut Memory, utility: f64) {
    memory.utility = Utility::clamped(utility);
}

fn of_kind(memory: &mut Memory, kind: Kind) {
    memory.kind = kind;
}
