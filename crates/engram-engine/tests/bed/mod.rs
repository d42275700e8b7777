//! A store to dream in: about four hundred memories of one year, and whatever a
//! test of dreaming asks of it.

use engram_core::dream::{Caps, Depth, Dream, DreamTrigger, Step};
use engram_core::drift::{Claim, Finding};
use engram_core::evolve::EvolutionSettings;
use engram_core::graph::{Bond, BondKind};
use engram_core::law::{ImportanceTable, RetainRules, capacity_of};
use engram_core::learn::{Learned, LearningSettings};
use engram_core::link::{KnownEntity, Mention};
use engram_core::observe::{Emotion, EntityKind};
use engram_core::plan::Occasion;
use engram_core::port::{Asked, Completion, Embedder, Ground, Llm, LlmError, Looked, Pending, Store as _};
use engram_core::rank::Weights;
use engram_core::recalled::{Pooled, RecallLogged, Strategy, Surface};
use engram_core::skill::{SkillMode, SkillSight};
use engram_core::used::{Outcome, Usage};
use engram_core::{
    Actor, Arousal, Cause, Changes, Confidence, EntityId, IdMint, Importance, Kind, Memory, MemoryId,
    OperationId, RecallId, Relation, RelationKind, Scope, SessionId, Span, Stability, Status, Tier,
    Timestamp, Ulid, Utility, Valence, Write,
};
use engram_engine::{
    Adviser, Answer, Ask, ChangeError, Dreaming, Embedders, PlannedDream, Shelf, export_page, recall,
};
use engram_maps::MapStore;
use engram_testkit::FakeEmbedder;
use engram_testkit::make::{Steps, newborn};
use jiff::tz::TimeZone;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// So many days after the first of all memories.
pub(crate) fn day(days: f64) -> Timestamp {
    Timestamp::from_second(1_767_225_600).unwrap() + Span::from_secs_f64(days * 86_400.0)
}

/// The night in which the tests dream.
pub(crate) fn tonight() -> Timestamp {
    day(365.0)
}

/// A language model that says the same whatever it is asked, and counts.
#[derive(Default)]
pub(crate) struct Parrot {
    pub(crate) asked: AtomicUsize,
}

impl Llm for Parrot {
    fn id(&self) -> &str {
        "parrot"
    }

    fn complete(&self, asked: Asked) -> Pending<'_, Result<Completion, LlmError>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let text = match asked.operation {
            "abstract" => r#"{"pattern": "tool took seconds in a run"}"#,
            _ => r#"{"summary": "tool took seconds in a run"}"#,
        };
        Box::pin(async move { Ok(Completion { text: text.to_owned(), tokens_in: 1, tokens_out: 1 }) })
    }
}

pub(crate) struct Bed {
    pub(crate) store: Arc<MapStore>,
    pub(crate) shelf: Arc<Shelf>,
    mint: IdMint,
    now: Timestamp,
    /// Whom a dream may ask.
    pub(crate) llm: Option<Arc<Parrot>>,
    /// What a dream may do about skills.
    pub(crate) skills: SkillMode,
}

/// Everything of a store that a dream may change and an undo has to give back.
#[derive(Debug, PartialEq)]
pub(crate) struct Picture {
    pub(crate) lines: Vec<String>,
    pub(crate) edges: BTreeSet<Relation>,
    pub(crate) entities: Vec<KnownEntity>,
    pub(crate) bonds: Vec<Bond>,
    pub(crate) learned: Vec<Learned>,
}

pub(crate) async fn open(store: &Arc<MapStore>) -> Arc<Shelf> {
    let table: Arc<dyn Embedder> = Arc::new(FakeEmbedder::new("table", 256, 0));
    let embedders = Embedders { table: Some(table), models: Vec::new() };
    Arc::new(Shelf::open(store.clone(), Scope::Project, embedders).await.unwrap())
}

impl Bed {
    pub(crate) async fn empty() -> Self {
        Self::over(Arc::new(MapStore::default())).await
    }

    /// The store opened anew, as after a crash.
    pub(crate) async fn over(store: Arc<MapStore>) -> Self {
        let shelf = open(&store).await;
        Self { store, shelf, mint: IdMint::seeded(9), now: tonight(), llm: None, skills: SkillMode::Propose }
    }

    pub(crate) async fn copy(&self) -> Self {
        Self::over(Arc::new(self.store.as_ref().clone())).await
    }

    /// Somebody does something, a minute after the last time.
    pub(crate) fn occasion(&mut self) -> Occasion {
        self.now += Span::from_mins(1);
        let operation = OperationId::from_ulid(self.mint.mint(self.now));
        Occasion { operation, actor: Actor::Human, at: self.now, recorded_at: self.now }
    }

    /// Writes as they are.
    pub(crate) async fn write(&mut self, writes: Vec<Write>) {
        let Occasion { operation, actor, at, .. } = self.occasion();
        let changes =
            Changes { operation, cause: Cause::Import, actor, at, undoes: None, part_of: None, writes };
        self.shelf.change(&[], |_| Ok(changes)).await.unwrap();
    }

    pub(crate) async fn get(&self, id: MemoryId) -> Memory {
        self.shelf.load(id).await.unwrap()
    }

    /// A dream of these steps that is planned and not kept.
    pub(crate) async fn planned(&self, steps: &[Step]) -> PlannedDream {
        self.planned_at(steps, tonight()).await
    }

    pub(crate) async fn planned_at(&self, steps: &[Step], at: Timestamp) -> PlannedDream {
        self.planned_while(steps, at, &|| true).await
    }

    /// The same, for as long as there is time.
    pub(crate) async fn planned_while(
        &self,
        steps: &[Step],
        at: Timestamp,
        in_time: &(dyn Fn() -> bool + Send + Sync),
    ) -> PlannedDream {
        let adviser = Adviser {
            llm: self.llm.clone().map(|llm| llm as Arc<dyn Llm>),
            log: None,
            mask: Arc::new(str::to_owned),
            clock: Arc::new(tonight),
            stopwatch: Arc::new(|| Duration::ZERO),
        };
        let how = Dreaming {
            id: OperationId::from_ulid(Ulid::from_parts(at.as_millisecond() as u64, 5)),
            at,
            trigger: DreamTrigger::Manual,
            depth: Some(Depth::Reflective),
            steps: steps.to_vec(),
            caps: Caps::DEFAULT,
            importance: ImportanceTable::Nine,
            adviser: &adviser,
            ground: Some(Arc::new(Tree)),
            names: vec!["engram".to_owned()],
            sessions: 20,
            weights: Weights::default(),
            learning: LearningSettings::default(),
            evolution: EvolutionSettings { skills: self.skills, ..EvolutionSettings::default() },
            retain: RetainRules::default(),
            capacity: capacity_of(Scope::Project),
            skills: SkillSight::default(),
            in_time,
        };
        self.shelf.plan_dream(&how).await.unwrap()
    }

    /// Goes on with a dream until it is done.
    pub(crate) async fn go_on(&self, mut dream: Dream) -> Dream {
        while let Some(part) = self.store.next_part(dream.id).await.unwrap() {
            self.shelf.apply_part(&mut dream, part).await.unwrap();
        }
        self.shelf.finish_dream(dream, &RetainRules::default(), tonight() + Span::from_mins(5)).await.unwrap()
    }

    /// Keeps a plan and does it.
    pub(crate) async fn do_all(&self, planned: PlannedDream) -> Dream {
        let dream = planned.dream.clone();
        self.shelf.keep_dream(planned).await.unwrap();
        self.go_on(dream).await
    }

    pub(crate) async fn dream(&self, steps: &[Step]) -> Dream {
        self.do_all(self.planned(steps).await).await
    }

    pub(crate) async fn undo_step(
        &self,
        dream: &Dream,
        step: Step,
        occasion: Occasion,
    ) -> Result<(), ChangeError> {
        let mut undoing = self.shelf.plan_undoing(dream.id, Some((dream, step)), occasion).await?;
        if let Some(nothing) = undoing.nothing {
            return Err(nothing.into());
        }
        self.shelf.take_back(&mut undoing).await?;
        self.shelf.end_undoing(undoing).await
    }

    pub(crate) async fn lines(&self, history: bool) -> Vec<String> {
        let mut all = Vec::new();
        let mut after = None;
        while let Some((last, lines)) = export_page(&self.shelf, after, 100, history).await.unwrap() {
            all.extend(lines);
            after = Some(last);
        }
        all
    }

    pub(crate) async fn picture(&self) -> Picture {
        assert_eq!(self.shelf.differences().await.unwrap(), [], "the index is as the store");
        let mut bonds = self.store.load_bonds().await.unwrap();
        bonds.sort_by_key(Bond::key);
        Picture {
            lines: self.lines(false).await,
            edges: self.store.load_edges().await.unwrap().into_iter().collect(),
            entities: self.store.load_entities().await.unwrap(),
            bonds,
            learned: self.store.load_learned().await.unwrap(),
        }
    }

    pub(crate) async fn ask(&self, query: &str) -> Answer {
        let at = (self.now + Span::from_mins(1)).to_zoned(TimeZone::UTC);
        recall(std::slice::from_ref(&self.shelf), &Ask::about(query), &at).await.unwrap()
    }

    /// Somebody is shown these.
    pub(crate) async fn use_now(&mut self, ids: &[MemoryId]) {
        let at = self.occasion().at;
        self.shelf.note_use(ids.iter().copied(), at);
        self.shelf.flush_notes().await.unwrap();
    }
}

/// A working tree in which one file is gone.
struct Tree;

impl Ground for Tree {
    fn look(&self, claims: Vec<Claim>) -> Pending<'_, Result<Looked, String>> {
        Box::pin(async move {
            let find = |claim: &Claim| match claim {
                Claim::File(path) if path.contains("old") => Finding::Gone { reason: format!("{path} went") },
                _ => Finding::Unknown,
            };
            Ok(Looked { found: claims.iter().map(find).collect(), unseen: 0 })
        })
    }
}

/// Memories in the making, each with an identifier of its own day.
pub(crate) struct Making {
    steps: Steps,
    pub(crate) writes: Vec<Write>,
}

impl Making {
    pub(crate) fn new() -> Self {
        Self { steps: Steps::default(), writes: Vec::new() }
    }

    /// An active episode that a person told of on this day and nobody used.
    pub(crate) fn add(&mut self, text: &str, on: f64, set: impl FnOnce(&mut Memory)) -> MemoryId {
        let mut memory = newborn(&self.steps.remember(text, Scope::Project));
        let at = day(on);
        memory.status = Status::Active;
        memory.tier = Tier::Episodic;
        memory.created_at = at;
        memory.updated_at = at;
        memory.status_change.at = at;
        memory.validity.valid_from = at;
        memory.validity.recorded_at = at;
        memory.trace.last_used_at = at;
        set(&mut memory);
        let id = memory.id;
        self.writes.push(Write::Create { memory: Box::new(memory) });
        id
    }

    /// A tool that these memories name.
    pub(crate) fn tool(&mut self, name: &str, by: &[MemoryId]) -> EntityId {
        let id = EntityId::of(EntityKind::Tool, name);
        let entity = KnownEntity {
            id,
            kind: EntityKind::Tool,
            name: name.to_owned(),
            written: name.to_owned(),
            aliases: BTreeSet::new(),
            version: None,
            confidence: None,
            mentions: by.len() as u32,
            first_seen_at: day(0.0),
            last_seen_at: day(0.0),
        };
        self.writes.push(Write::Entity { before: None, after: Some(Box::new(entity)) });
        for memory in by {
            let mention = Mention { memory: *memory, entity: id, at: day(0.0) };
            self.writes.push(Write::Mention { mention });
        }
        id
    }
}

pub(crate) fn known(memory: &mut Memory) {
    memory.tier = Tier::Semantic;
}

pub(crate) fn light(memory: &mut Memory) {
    memory.kind = Kind::Observation;
    memory.importance = Importance::clamped(0.2);
}

/// A year of a project.
pub(crate) async fn year() -> Bed {
    let mut making = Making::new();
    let number = |number: usize| number as f64;
    for at in 0..90 {
        making.add(&format!("module m{at} is owned by crew c{at}"), number(at * 4), known);
    }
    for at in 0..60 {
        making.add(&format!("we decided that topic t{at} is handled by plan p{at}"), number(at * 6), |it| {
            it.kind = Kind::Decision;
            it.tier = Tier::Procedural;
            it.trace.access_count = at as u32 % 4;
        });
    }
    for at in 0..110 {
        making.add(&format!("on that day n{at} happened near x{at}"), number(at * 3), light);
    }
    for at in 0..12 {
        for _ in 0..2 {
            let text = format!("the nightly job j{at} takes {at} minutes on runner r{at}");
            making.add(&text, number(200 + at), |it| {
                it.tier = Tier::Semantic;
                it.utility = Utility::clamped(0.4 + 0.02 * number(at));
            });
        }
    }
    let redis: Vec<MemoryId> = (0..15)
        .map(|at| making.add(&format!("redis run q{at} took {at} seconds"), 355.0 + number(at) / 3.0, |_| {}))
        .collect();
    making.tool("redis", &redis);
    let nginx: Vec<MemoryId> = (0..6)
        .map(|at| making.add(&format!("nginx answered w{at} with error e{at}"), 358.0, |_| {}))
        .collect();
    let nginx_tool = making.tool("nginx", &nginx);
    let frotz = making.tool("frotz", &[]);
    let bond = Bond::new((frotz, BondKind::Uses, nginx_tool), nginx[0], day(0.0));
    making.writes.push(Write::Bond { before: None, after: Some(Box::new(bond)) });
    for at in 0..5 {
        let older = making.add(&format!("The gateway{at} listens on port 80{at}0."), 100.0, known);
        let newer = making.add(&format!("The gateway{at} listens on port 90{at}0."), 300.0, known);
        making.tool(&format!("gateway{at}"), &[older, newer]);
    }
    let [first, second] = [("The cache holds 5 GB.", 120.0), ("The cache holds 9 GB.", 250.0)]
        .map(|(text, on)| making.add(text, on, known));
    let relation = Relation::certain(second, RelationKind::Contradicts, first, day(250.0));
    making.writes.push(Write::Relate { relation });
    for (cipher, on) in [("ed25519", 110.0), ("rsa", 280.0)] {
        making.add(&format!("Releases are signed with {cipher} keys."), on, |it| {
            known(it);
            it.importance = Importance::clamped(0.95);
        });
    }
    for at in 0..10 {
        making.add(&format!("freeze f{at} holds until winter"), 330.0, |it| {
            it.validity.valid_until = Some(day(360.0));
        });
    }
    for at in 0..12 {
        making.add(&format!("never touch vault v{at}"), number(at * 20), |it| {
            it.pinned = at % 2 == 0;
            it.immutable = at % 3 == 0;
            it.validity.valid_until = Some(day(300.0));
        });
    }
    for at in 0..20 {
        making.add(&format!("long ago l{at} was tried"), number(at), |it| {
            light(it);
            it.status = Status::Archived;
            it.status_change.at = day(60.0);
        });
    }
    for at in 0..10 {
        making.add(&format!("useful hint h{at} for the linker"), 300.0, |it| {
            it.tier = Tier::Semantic;
            it.trace.access_count = 2;
            it.trace.stability = Stability::clamped(1.0);
        });
    }
    making.add("NEVER push on a friday!!!", 364.0, |it| {
        let mood = Emotion { valence: Valence::clamped(-0.5), arousal: Arousal::clamped(0.9), feeling: None };
        it.emotion = Some(mood);
    });
    making.add("brand new idea about caching", 364.5, |it| it.status = Status::Created);
    making.add("the parser lives in src/old.rs", 340.0, known);
    let bad = making.add("always pass --frozen to the linker", 364.0, |it| {
        known(it);
        it.utility = Utility::clamped(0.1);
    });
    making.add("an idle opinion on tabs", 200.0, |it| {
        known(it);
        it.utility = Utility::clamped(0.8);
    });
    let all: Vec<MemoryId> = making.writes.iter().filter_map(Write::memory_id).collect();
    let mut bed = Bed::empty().await;
    let before = bed.now;
    bed.now = day(364.0);
    bed.write(making.writes).await;
    bed.now = before;
    for session in 0..4_u32 {
        bed.shelf.note_recall(shown(&all[..3], 350.0 + f64::from(session), session.into()));
    }
    for session in 0..40_u32 {
        let mut recall = shown(&all[..2], 340.0 + f64::from(session) / 4.0, 100 + u128::from(session));
        recall.pool = vec![pooled(all[0], 0.6, 0.4), pooled(all[1], 0.5, 0.5)];
        (recall.used, recall.settled_at) = (vec![all[0]], Some(recall.at));
        bed.shelf.note_recall(recall);
    }
    bed.shelf.flush_notes().await.unwrap();
    let failed = |number: u32| Usage::told(bad, Outcome::Failure, day(350.0 + f64::from(number)));
    bed.store.record_evidence((0..12).map(failed).collect(), Vec::new()).await.unwrap();
    bed
}

/// What the two arms say of a candidate.
pub(crate) fn pooled(memory: MemoryId, words: f32, table: f32) -> Pooled {
    Pooled { memory, words, table, model: 0.0, graph: 0.0, rest: 0.0, scale: 1.0 }
}

pub(crate) fn shown(ids: &[MemoryId], on: f64, session: u128) -> RecallLogged {
    let session = Some(SessionId::from_ulid(Ulid(session)));
    RecallLogged {
        id: RecallId::of(day(on), session, "q"),
        via: Surface::Search,
        query: format!("question of day {on}"),
        query_type: engram_core::ask::QueryType::ALL[0],
        intent: engram_core::ask::Intent::General,
        strategy: Strategy::Hybrid,
        results_returned: ids.len() as u32,
        results_used: 0,
        user_feedback: None,
        latency_ms: 1.0,
        scopes: vec![Scope::Project],
        with_model: false,
        shown: ids.to_vec(),
        pool: Vec::new(),
        used: Vec::new(),
        settled_at: None,
        confidence: Confidence::clamped(0.5),
        session,
        at: day(on),
    }
}
