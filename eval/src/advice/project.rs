//! The project through the real engine: what is recalled for a task, what credit
//! that gets, and the dream after every session.
//!
//! Stores are maps and the clock is the script's.

use super::script::{Group, Habits, Text, task, texts, work};
use crate::bench::embedders;
use crate::dreamed::dream;
use crate::marks::Mark;
use crate::texts::Dice;
use anyhow::{Context as _, Result};
use engram_core::credit::{Credit, Session, plan_credit};
use engram_core::dream::Step;
use engram_core::law::utility_now;
use engram_core::plan::{Draft, Occasion, plan_remember};
use engram_core::rank::Weights;
use engram_core::recalled::{RecallLogged, Surface};
use engram_core::turn::{Event, EventType, Turn};
use engram_core::used::Outcome;
use engram_core::{
    Actor, Changes, IdMint, Kind, Memory, MemoryId, OperationId, Provenance, RecallId, Scope, SessionId,
    Span, Status, Timestamp, Write,
};
use engram_engine::{Answer, Ask, Rareness, Shelf, recall};
use engram_maps::MapStore;
use jiff::tz::TimeZone;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// So many tasks come up in one session, each about another topic.
const TASKS: usize = 10;
/// An agent is shown so many memories beside a task: fewer than there are about
/// one topic, so that an answer has to choose.
const SHOWN: usize = 3;
/// Three sessions a day: the six hours of S1 have always gone by, and every one is
/// followed by an evolution.
const BETWEEN: Span = Span::from_hours(8);

/// What was counted in one session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(crate) struct Counted {
    pub(crate) tasks: usize,
    /// Tasks that were shown bad advice, and those where it stood before the
    /// good one.
    pub(crate) bad_shown: usize,
    pub(crate) bad_first: usize,
    /// The sum of the nDCG of the good advice.
    pub(crate) ndcg: f64,
    /// Times that advice was followed, that credit was given, and that both are
    /// about the same memory and recall.
    pub(crate) followed: usize,
    pub(crate) credited: usize,
    pub(crate) rightly: usize,
    /// Of those: how often the outcome is what the advice deserves.
    pub(crate) deserved: usize,
    /// At its end, by group: the mean utility, and how far one is from the
    /// middle at most.
    pub(crate) utility: [f64; 3],
    pub(crate) furthest: [f64; 3],
    /// Bad and good advice that is no longer in force.
    pub(crate) bad_gone: usize,
    pub(crate) good_gone: usize,
}

/// The store, and who works with it.
pub(crate) struct Project {
    shelf: Arc<Shelf>,
    mint: IdMint,
    dice: Dice,
    texts: HashMap<MemoryId, Text>,
    weights: Weights,
    habits: Habits,
    at: Timestamp,
}

/// One task as it went: what was recalled, and which of it was followed.
struct Done {
    recall: RecallLogged,
    followed: Option<MemoryId>,
}

impl Project {
    pub(crate) async fn open(weights: Weights, habits: Habits, seed: u64) -> Result<Self> {
        let at: Timestamp = "2026-01-01T08:00:00Z".parse()?;
        let shelf = Shelf::open(Arc::new(MapStore::default()), Scope::Project, embedders()?).await?;
        let mut project = Self {
            shelf: Arc::new(shelf),
            mint: IdMint::seeded(seed),
            dice: Dice::new(seed.wrapping_mul(0x9E37_79B9).wrapping_add(7)),
            texts: HashMap::new(),
            weights,
            habits,
            at,
        };
        let mut all = texts();
        // What is told earlier must not be better or worse for it.
        for place in (1..all.len()).rev() {
            all.swap(place, project.dice.below(place as u64 + 1) as usize);
        }
        for text in all {
            project.remember(text).await?;
        }
        Ok(project)
    }

    async fn remember(&mut self, text: Text) -> Result<()> {
        let kind = if text.group == Group::Bystander { Kind::Fact } else { Kind::Procedure };
        let draft = Draft { kind, ..Draft::parse(&text.text, 10_000)? };
        let operation = OperationId::from_ulid(self.mint.mint(self.at));
        let occasion = Occasion { operation, actor: Actor::Assistant, at: self.at, recorded_at: self.at };
        let changes: Changes =
            plan_remember(draft, Scope::Project, Provenance::stated_by(Actor::Assistant), occasion);
        let born = changes.writes.iter().find_map(Write::memory_id).context("a birth")?;
        self.shelf.change(&[], |_| Ok(changes)).await?;
        self.texts.insert(born, text);
        Ok(())
    }

    /// One session: its tasks, what is learned from them, and the dream.
    pub(crate) async fn session(&mut self, number: usize, topics: usize) -> Result<Counted> {
        let name = format!("session {number}");
        let mut counted = Counted::default();
        let mut drawn: BTreeSet<usize> = BTreeSet::new();
        while drawn.len() < TASKS {
            drawn.insert(self.dice.below(topics as u64) as usize);
        }
        let (mut turns, mut done): (Vec<Turn>, Vec<Done>) = (Vec::new(), Vec::new());
        let mut at = self.at;
        for topic in drawn {
            done.push(self.task(topic, &name, at, &mut turns, &mut counted).await?);
            at += Span::from_secs(600);
        }
        let recalls: Vec<RecallLogged> = done.iter().map(|done| done.recall.clone()).collect();
        recalls.iter().for_each(|recall| self.shelf.note_recall(recall.clone()));
        self.shelf.flush_notes().await?;
        let credit = self.judged(&recalls, &turns, at).await?;
        self.count_credit(&credit, &done, &mut counted);
        self.shelf.credit(credit.usages).await?;
        self.shelf.settle_recalls(credit.settled).await?;
        let id = OperationId::from_ulid(self.mint.mint(at));
        dream(&self.shelf, id, at, vec![Step::Settle, Step::Adapt, Step::Evolve], Vec::new()).await?;
        self.count_memories(at, &mut counted);
        self.at += BETWEEN;
        Ok(counted)
    }

    async fn task(
        &mut self,
        topic: usize,
        session: &str,
        at: Timestamp,
        turns: &mut Vec<Turn>,
        counted: &mut Counted,
    ) -> Result<Done> {
        let mut hear = |event: Event, at: Timestamp| {
            let number = u32::try_from(turns.len() + 1).unwrap_or(u32::MAX);
            let event = Event { session: Some(session.to_owned()), time: event.time.or(Some(at)), ..event };
            turns.push(Turn::of(event, number, 0, at));
        };
        hear(Event::new(EventType::UserMessage, task(topic)), at);
        let asked_at = at + Span::from_secs(1);
        let ask = Ask { limit: SHOWN, weights: self.weights, ..Ask::about(task(topic)) };
        let shelves = [self.shelf.clone()];
        let answer = recall(&shelves, &ask, &asked_at.to_zoned(TimeZone::UTC)).await?;
        let ids: Vec<MemoryId> = answer.found.iter().map(|hit| hit.memory.id).collect();
        self.shelf.note_use(ids.iter().copied(), asked_at);
        let shown = ids.iter().map(|id| self.texts.get(id).context("a memory that nobody told"));
        let shown: Vec<&Text> = shown.collect::<Result<_>>()?;
        count_shown(topic, &shown, counted);
        let deeds = work(topic, &shown, self.habits, asked_at, &mut self.dice);
        let followed = deeds.followed.map(|place| ids[place]);
        deeds.events.into_iter().for_each(|event| hear(event, asked_at));
        let recall = logged(task(topic), &answer, ids, SessionId::named(session), asked_at);
        Ok(Done { recall, followed })
    }

    /// What the turns say of what was shown, now that the session is over.
    async fn judged(&self, recalls: &[RecallLogged], turns: &[Turn], at: Timestamp) -> Result<Credit> {
        let shown = self.shelf.shown_in(recalls).await?;
        let rarity = Rareness(vec![&self.shelf]);
        Ok(plan_credit(&Session {
            shown: &shown,
            turns,
            rarity: &rarity,
            corrected: &BTreeMap::new(),
            skills: &BTreeMap::new(),
            over: true,
            at,
        }))
    }

    /// Holds the credit against what the script knows.
    fn count_credit(&self, credit: &Credit, done: &[Done], counted: &mut Counted) {
        let truth: BTreeSet<(RecallId, MemoryId)> =
            done.iter().filter_map(|done| Some((done.recall.id, done.followed?))).collect();
        counted.followed = truth.len();
        counted.credited = credit.usages.len();
        for usage in &credit.usages {
            if !usage.recall.is_some_and(|recall| truth.contains(&(recall, usage.memory))) {
                continue;
            }
            counted.rightly += 1;
            let group = self.texts.get(&usage.memory).map(|text| text.group);
            let deserves = if group == Some(Group::Good) { Outcome::Success } else { Outcome::Failure };
            counted.deserved += usize::from(usage.outcome == deserves);
        }
    }

    fn count_memories(&self, at: Timestamp, counted: &mut Counted) {
        for (place, group) in Group::ALL.into_iter().enumerate() {
            let of_group =
                |memory: &Memory| self.texts.get(&memory.id).is_some_and(|text| text.group == group);
            let memories = self.shelf.kept_where(of_group);
            let utilities: Vec<f64> = memories.iter().map(|memory| utility_now(memory, at).get()).collect();
            counted.utility[place] = utilities.iter().sum::<f64>() / utilities.len().max(1) as f64;
            counted.furthest[place] = utilities.iter().map(|one| (one - 0.5).abs()).fold(0.0, f64::max);
            let gone = memories.iter().filter(|memory| memory.status == Status::Deprecated).count();
            match group {
                Group::Good => counted.good_gone = gone,
                Group::Bad => counted.bad_gone = gone,
                Group::Bystander => {}
            }
        }
    }
}

fn count_shown(topic: usize, shown: &[&Text], counted: &mut Counted) {
    let place = |group| shown.iter().position(|text| text.topic == topic && text.group == group);
    let (good, bad) = (place(Group::Good), place(Group::Bad));
    counted.tasks += 1;
    counted.bad_shown += usize::from(shown.iter().any(|text| text.group == Group::Bad));
    counted.bad_first += usize::from(bad.is_some_and(|bad| good.is_none_or(|good| bad < good)));
    let is_good = |text: &&Text| text.topic == topic && text.group == Group::Good;
    let ranked: Vec<String> =
        shown.iter().map(|text| if is_good(text) { "good" } else { "other" }.to_owned()).collect();
    counted.ndcg += Mark::of(&ranked, &BTreeSet::from(["good"])).ndcg;
}

fn logged(
    query: String,
    answer: &Answer,
    shown: Vec<MemoryId>,
    session: SessionId,
    at: Timestamp,
) -> RecallLogged {
    RecallLogged {
        id: RecallId::of(at, Some(session), &query),
        via: Surface::Prompt,
        query,
        query_type: answer.query_type,
        intent: answer.intent,
        strategy: answer.strategy,
        results_returned: u32::try_from(shown.len()).unwrap_or(u32::MAX),
        results_used: 0,
        user_feedback: None,
        latency_ms: 0.0,
        scopes: vec![Scope::Project],
        with_model: false,
        shown,
        pool: answer.pool.clone(),
        used: Vec::new(),
        settled_at: None,
        confidence: answer.confidence,
        session: Some(session),
        at,
    }
}
