//! Recall over the open shelves: what a question asks, what the arms find, one
//! list with its reasons.
//!
//! A word's rarity is counted over everything that is searched, and so is how
//! far a direction stands out, so that scores of different shelves mean the
//! same. The answer is loaded from the stores; use is only noted, never waited
//! for.

use crate::evidence::{FIRST_FEW, Speaking, Wanted, likeness_to};
use crate::gather::{Found, Gathered, INHERITED, gather};
use crate::learned::partners;
use crate::links::{hubs, walk, wander};
use crate::mood::{Mood, mood_of, shares};
use crate::read::{Question, Through, read, shortened};
use crate::shelf::Shelf;
use engram_core::ask::{Intent, QueryType, Trivial, parts_of, query_type_of, trivial_of};
use engram_core::port::{EmbedError, Embedder, ReadError};
use engram_core::rank::{
    Candidate, Evidence, Field, Ranked, ScopeWeights, Signal, Weights, diversify, fuse, sureness,
    without_copies,
};
use engram_core::recalled::{Pooled, Strategy};
use engram_core::status::status_at;
use engram_core::team::hidden_by_wider;
use engram_core::{
    Confidence, Kind, Memory, MemoryId, Scope, SessionId, Similarity, Status, Timestamp, TurnId,
};
use engram_index::{Filter, Spread};
use jiff::Zoned;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Most pairs of texts that have nothing to do with each other are less alike:
/// half of them below .2, nine in ten below .35.
const BY_CHANCE: f64 = 0.3;
/// Every arm of every shelf tells at least so many.
const LEAST_REACH: usize = 100;
/// And so many for each one asked for, since some fall away.
const REACH_PER_HIT: usize = 4;
/// Of each part of a longer question so many of the first are looked at.
const OF_EACH_PART: usize = 50;
/// From so many of the first the edges are followed.
const WITH_LINKS: usize = 10;
/// So many of the first are kept with what each arm said of them.
const POOLED: usize = 20;

/// What someone wants to know.
#[derive(Debug, Clone)]
pub struct Ask {
    pub query: String,
    /// Statuses are decided here; everything else of the filter holds.
    pub filter: Filter,
    pub limit: usize,
    pub scopes: ScopeWeights,
    pub weights: Weights,
    pub archived: bool,
    /// What was true then, as far as we knew it then.
    pub as_of: Option<Timestamp>,
    /// What was replaced and what has ended, too, in the order of time.
    pub timeline: bool,
    /// The session that asks.
    pub session: Option<SessionId>,
    /// A message of a conversation rather than a search: a trivial one asks
    /// for nothing.
    pub prompt: bool,
    /// Only what has a word of the query.
    pub literal: bool,
}

impl Ask {
    /// A plain question: what holds now, ten at most.
    pub fn about(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            filter: Filter::default(),
            limit: 10,
            scopes: ScopeWeights::DEFAULT,
            weights: Weights::default(),
            archived: false,
            as_of: None,
            timeline: false,
            session: None,
            prompt: false,
            literal: false,
        }
    }
}

/// What was found, and how the question was read.
#[derive(Debug)]
pub struct Answer {
    pub found: Vec<FoundOn>,
    /// The first of the ranking, best first, as relevance alone orders them and
    /// whether found a place or not.
    pub pool: Vec<Pooled>,
    /// A model's directions had a part in it, beside the table's.
    pub with_model: bool,
    pub intent: Intent,
    pub query_type: QueryType,
    pub strategy: Strategy,
    /// That of the surest of the first few.
    pub confidence: Confidence,
    /// What the first few say together.
    pub together: Evidence,
    /// Nothing was looked for.
    pub trivial: Option<Trivial>,
    /// A model that could not be asked.
    pub without_model: Option<EmbedError>,
}

impl Answer {
    fn nothing_yet(ask: &Ask, intent: Intent) -> Self {
        Self {
            found: Vec::new(),
            pool: Vec::new(),
            with_model: false,
            intent,
            query_type: query_type_of(&shortened(&ask.query)),
            strategy: Strategy::Keyword,
            confidence: Confidence::clamped(0.0),
            together: Evidence::NOTHING,
            trivial: None,
            without_model: None,
        }
    }
}

/// One memory of the answer, and the shelf it stands on.
#[derive(Debug)]
pub struct FoundOn {
    pub shelf: usize,
    pub memory: Memory,
    pub why: Ranked,
    /// How likely it is that this answers the question, and what says so.
    pub confidence: Confidence,
    pub evidence: Evidence,
    /// Its status at the moment asked for.
    pub status: Status,
    pub supersedes: Vec<MemoryId>,
}

/// Searches every shelf and makes one ranked list of at most `limit`. `at` is
/// now, in the time zone of whoever asks.
pub async fn recall(shelves: &[Arc<Shelf>], ask: &Ask, at: &Zoned) -> Result<Answer, ReadError> {
    if ask.prompt
        && let Some(trivial) = trivial_of(&shortened(&ask.query))
    {
        return Ok(Answer { trivial: Some(trivial), ..Answer::nothing_yet(ask, Intent::General) });
    }
    let ask = &without_outline(ask);
    let (question, without_model) = read(shelves, ask, &ask.query, at, Through::Everything).await;
    let mut answer = Answer { without_model, ..Answer::nothing_yet(ask, question.intent) };
    let parts = if ask.weights.part == 0.0 { Vec::new() } else { parts_of(&shortened(&ask.query)) };
    let mut led = Led::default();
    for part in parts {
        // The table is enough to find a part; a model may be slow.
        let (question, _) = read(shelves, ask, &part, at, Through::Table).await;
        let pool = pool_of(shelves, &question, ask, &Led::default()).await?;
        led.by_part(&pool.ranked(ask));
    }
    if ask.weights.graph != 0.0 {
        led.graph = wander(shelves, &shortened(&ask.query)).await?;
    }
    if question.intent == Intent::EntityProfile && ask.weights.linked != 0.0 {
        led.linked = hubs(shelves, &shortened(&ask.query)).await?;
    }
    let mut pool = pool_of(shelves, &question, ask, &led).await?;
    let mut ranked = pool.ranked(ask);
    if let Some(way) = question.intent.route().walk.filter(|_| ask.weights.linked != 0.0) {
        led.linked = walk(shelves, &ranked[..WITH_LINKS.min(ranked.len())], way).await?;
        if !led.linked.is_empty() {
            pool = pool_of(shelves, &question, ask, &led).await?;
            ranked = pool.ranked(ask);
        }
    }
    if ask.weights.together != 0.0 {
        let first = ranked.iter().take(FIRST_FEW).map(|hit| hit.id);
        let partners = partners(shelves, first.collect(), at.timestamp()).await?;
        let tied = pool.candidates.iter_mut().filter(|candidate| partners.contains(&candidate.id));
        tied.for_each(|candidate| candidate.together = true);
        ranked = pool.ranked(ask);
    }
    answer.with_model = pool.field.with_model;
    if pool.candidates.iter().any(|candidate| candidate.table.is_some() || candidate.model.is_some()) {
        answer.strategy = Strategy::Hybrid;
    }
    ranked.retain(|ranked| bears_on(shelves, ranked, &question, ask.literal));
    without_shown_sources(shelves, &mut ranked);
    without_given_up(shelves, &mut ranked);
    let alike = |one, other| likeness(shelves, one, other);
    let ranked = without_copies(ranked, &pool.candidates, &alike, ask.limit.saturating_mul(REACH_PER_HIT));
    answer.pool = ranked.iter().take(POOLED).map(Pooled::of).collect();
    let ranked = diversify(ranked, ask.weights.relevance_share, &alike, ask.limit);
    (answer.found, answer.together) = load(shelves, ranked, &question, &pool.past).await?;
    without_sources(&mut answer.found);
    let first = answer.found.iter().take(FIRST_FEW).map(|found| found.confidence);
    answer.confidence = first.fold(answer.confidence, |best, next| if next > best { next } else { best });
    if ask.timeline {
        let since = |found: &FoundOn| (found.memory.validity.valid_from, found.memory.id);
        answer.found.sort_by_key(since);
    }
    Ok(answer)
}

/// A summary or a card says nothing beside what it was made of, faded or not;
/// where that is not found, it stands for it, as long as it says the same.
fn without_shown_sources(shelves: &[Arc<Shelf>], ranked: &mut Vec<Ranked>) {
    let found: BTreeSet<(Scope, MemoryId)> = ranked.iter().map(|hit| (hit.scope, hit.id)).collect();
    ranked.retain(|hit| {
        let Some(shelf) = shelves.iter().find(|shelf| shelf.scope() == hit.scope) else { return true };
        let kind = shelf.index().entry(hit.id).map(|entry| entry.kind);
        if kind != Some(Kind::Summary) {
            return true;
        }
        shelf.still_stands(hit.id)
            && !shelf.sources_of(hit.id).iter().any(|source| found.contains(&(hit.scope, *source)))
    });
}

/// What the team replaced or rejected is not shown from one's own copy of it.
fn without_given_up(shelves: &[Arc<Shelf>], ranked: &mut Vec<Ranked>) {
    let Some(team) = shelves.iter().find(|shelf| shelf.scope() == Scope::Team) else { return };
    let index = team.index();
    ranked.retain(|hit| {
        let shared = index.entry(hit.id).filter(|_| hit.scope != Scope::Team);
        !shared.is_some_and(|shared| hidden_by_wider(shared.status))
    });
}

/// The conversation that a fact was learned from says nothing beside the fact.
fn without_sources(found: &mut Vec<FoundOn>) {
    let told: BTreeSet<TurnId> = found
        .iter()
        .filter(|found| found.memory.kind != Kind::Narrative)
        .flat_map(|found| found.memory.provenance.evidence.iter().copied())
        .collect();
    found.retain(|found| {
        let evidence = &found.memory.provenance.evidence;
        found.memory.kind != Kind::Narrative || !evidence.iter().any(|turn| told.contains(turn))
    });
}

/// The outline of a code base is searched for whoever asks about code.
fn without_outline(ask: &Ask) -> Ask {
    let about_code = matches!(
        query_type_of(&shortened(&ask.query)),
        QueryType::CodeSearch | QueryType::Architecture | QueryType::FindPattern
    );
    let ask = ask.clone();
    if about_code { ask } else { Ask { filter: ask.filter.clone().without_outline(), ..ask } }
}

/// What something else than the question's own words led to, and how strongly.
#[derive(Default)]
struct Led {
    part: HashMap<(Scope, MemoryId), f64>,
    linked: HashMap<(Scope, MemoryId), f64>,
    graph: HashMap<(Scope, MemoryId), f64>,
}

impl Led {
    /// What fits one part, beside what fits it best.
    fn by_part(&mut self, ranked: &[Ranked]) {
        let best = ranked.first().map_or(1.0, |first| first.score);
        for hit in ranked.iter().take(OF_EACH_PART) {
            let known = self.part.entry((hit.scope, hit.id)).or_default();
            *known = known.max(hit.score / best);
        }
    }

    fn on(&self, scope: Scope) -> Vec<MemoryId> {
        let all = self.part.keys().chain(self.linked.keys()).chain(self.graph.keys());
        all.filter(|(on, _)| *on == scope).map(|(_, id)| *id).collect()
    }
}

/// Whether a memory has anything to do with the question: a word of it, its
/// time, a neighbour that fits, or a likeness that chance does not give. The
/// nearest of many texts is always near; that alone says nothing.
fn bears_on(shelves: &[Arc<Shelf>], ranked: &Ranked, question: &Question, literal: bool) -> bool {
    if literal || ranked.text.score > 0.0 {
        return ranked.text.score > 0.0;
    }
    let tells = |signal| {
        use Signal::{Answers, Graph, Hot, Linked, Next, Part, Previous, Time};
        matches!(signal, Time | Previous | Answers | Next | Part | Linked | Graph | Hot)
    };
    if ranked.factors.iter().any(|factor| tells(factor.signal)) {
        return true;
    }
    let Some(shelf) = shelves.iter().find(|shelf| shelf.scope() == ranked.scope) else { return false };
    likeness_to(shelf, ranked.id, question).is_some_and(|likeness| likeness.get() >= BY_CHANCE)
}

type Past = BTreeMap<(usize, MemoryId), Status>;

/// The candidates of all shelves, measured on one scale.
struct Pool {
    candidates: Vec<Candidate>,
    field: Field,
    /// What their statuses were at the moment asked for.
    past: Past,
}

impl Pool {
    fn ranked(&self, ask: &Ask) -> Vec<Ranked> {
        fuse(&self.candidates, &self.field, &ask.weights, &ask.scopes)
    }
}

/// The mood of whoever asks, where it counts.
fn mood_that_counts(ask: &Ask) -> Option<Mood> {
    if ask.weights.mood == 0.0 { None } else { mood_of(&shortened(&ask.query)) }
}

async fn pool_of(
    shelves: &[Arc<Shelf>],
    question: &Question,
    ask: &Ask,
    led: &Led,
) -> Result<Pool, ReadError> {
    let mut past = Past::new();
    let mut all: Vec<(usize, Gathered)> = Vec::new();
    for (place, shelf) in shelves.iter().enumerate() {
        // Some fall away afterwards: what has expired, what was not in force at
        // the moment asked for. Then it is reached for more.
        let mut reach = ask.limit.saturating_mul(REACH_PER_HIT).max(LEAST_REACH);
        let also = led.on(shelf.scope());
        let gathered = loop {
            let mut gathered = gather(shelf, question, &also, reach);
            if let Some(then) = ask.as_of {
                let ids = gathered.candidates.iter().map(|found| found.candidate.id).collect();
                for (id, history) in shelf.store().load_history(ids).await? {
                    if let Some(status) = status_at(&history, then).filter(|status| status.is_current()) {
                        past.insert((place, id), status);
                    }
                }
                gathered.candidates.retain(|found| past.contains_key(&(place, found.candidate.id)));
            }
            if gathered.exhausted || gathered.candidates.len() >= ask.limit {
                break gathered;
            }
            reach = reach.saturating_mul(REACH_PER_HIT);
        };
        all.push((place, gathered));
    }
    let mut spreads: BTreeMap<String, Spread> = BTreeMap::new();
    for shelf in shelves {
        for embedder in shelf.table().cloned().into_iter().chain(shelf.serving_model()) {
            spreads.entry(embedder.id().to_owned()).or_insert_with(|| chance(&*embedder));
        }
    }
    for (_, gathered) in &all {
        for (embedder, spread) in &gathered.spreads {
            *spreads.entry(embedder.clone()).or_default() += *spread;
        }
    }
    let mut candidates = Vec::new();
    for (place, gathered) in all {
        let shelf = &shelves[place];
        let model = shelf.serving_model();
        let out =
            |embedder: Option<&str>, cosine: Option<f64>| Some(spreads.get(embedder?)?.standing_out(cosine?));
        for Found { candidate, table, model: by_model } in gathered.candidates {
            let of = |led: &HashMap<(Scope, MemoryId), f64>| {
                led.get(&(candidate.scope, candidate.id)).copied().unwrap_or(0.0)
            };
            candidates.push(Candidate {
                part: of(&led.part),
                linked: of(&led.linked),
                graph: of(&led.graph),
                table: out(shelf.table().map(|table| table.id()), table),
                model: out(model.as_ref().map(|model| model.id()), by_model),
                ..candidate
            });
        }
    }
    if let Some(mood) = mood_that_counts(ask) {
        for shelf in shelves {
            let here = candidates.iter_mut().filter(|candidate| candidate.scope == shelf.scope());
            let mut here: HashMap<MemoryId, &mut Candidate> = here.map(|one| (one.id, one)).collect();
            for memory in shelf.load_for_answer(here.keys().copied().collect()).await? {
                if let Some(candidate) = here.get_mut(&memory.id) {
                    candidate.same_mood = shares(&memory, mood);
                }
            }
        }
    }
    let most_words = candidates.iter().map(|candidate| candidate.words).fold(0.0, f64::max);
    let field = Field {
        most_words,
        with_model: candidates.iter().any(|candidate| candidate.model.is_some()),
        message: question.message,
        intent: question.intent,
        order: question.order,
    };
    Ok(Pool { candidates, field, past })
}

/// How the cosines of texts lie that have nothing to do with each other: their
/// median is calibrated to .2, their ninth decile to .35.
fn chance(embedder: &dyn Embedder) -> Spread {
    const LIKE_SO_MANY: f64 = 8.0;
    const NINTH_DECILE: f64 = 1.28;
    let cosine_at = |similarity: f64| {
        let (mut low, mut high) = (-1.0_f32, 1.0_f32);
        for _ in 0..20 {
            let middle = (low + high) / 2.0;
            if embedder.similarity(middle).get() < similarity {
                low = middle;
            } else {
                high = middle;
            }
        }
        f64::from(high)
    };
    let median = cosine_at(0.2);
    Spread::expected(LIKE_SO_MANY, median, (cosine_at(0.35) - median) / NINTH_DECILE)
}

/// How alike two memories of any shelves are, by the table; None where one of
/// them has no direction.
fn likeness(shelves: &[Arc<Shelf>], one: (Scope, MemoryId), other: (Scope, MemoryId)) -> Option<Similarity> {
    let on = |scope: Scope| shelves.iter().find(|shelf| shelf.scope() == scope);
    let (first, second) = (on(one.0)?, on(other.0)?);
    let table = first.table()?;
    let cosine = if one.0 == other.0 {
        first.index().cosine_between(table.id(), one.1, other.1)?
    } else {
        let direction = first.index().direction(table.id(), one.1)?;
        second.index().cosine(table.id(), &direction, other.1)?
    };
    Some(table.similarity(cosine as f32))
}

/// The words of the question that a memory has, or that what it took the place
/// of had.
fn terms_of(shelf: &Shelf, why: &Ranked, question: &Question) -> Vec<(String, f64)> {
    let index = shelf.index();
    let terms = |id: MemoryId, share: f64| -> Vec<(String, f64)> {
        let terms = index.explain(id, &question.words, &question.statistics);
        terms.into_iter().map(|term| (term.term, share * term.score)).collect()
    };
    let sum = |terms: &[(String, f64)]| terms.iter().map(|(_, score)| score).sum::<f64>();
    let mut best = terms(why.id, 1.0);
    if sum(&best) < why.text.score - 1e-9 {
        for old in shelf.all_superseded_by(why.id) {
            let inherited = terms(old, INHERITED);
            if sum(&inherited) > sum(&best) {
                best = inherited;
            }
        }
    }
    best
}

/// Loads what was ranked and tells the words. A memory that vanished in the
/// meantime is left out.
async fn load(
    shelves: &[Arc<Shelf>],
    ranked: Vec<Ranked>,
    question: &Question,
    past: &Past,
) -> Result<(Vec<FoundOn>, Evidence), ReadError> {
    let mut memories: BTreeMap<(usize, MemoryId), Memory> = BTreeMap::new();
    for (place, shelf) in shelves.iter().enumerate() {
        let ids: Vec<MemoryId> =
            ranked.iter().filter(|hit| hit.scope == shelf.scope()).map(|hit| hit.id).collect();
        if ids.is_empty() {
            continue;
        }
        for memory in shelf.load_for_answer(ids).await? {
            memories.insert((place, memory.id), memory);
        }
    }
    let table = shelves.iter().find_map(|shelf| shelf.table());
    let mut wanted = Wanted::of(question, table.map(|table| &**table));
    let mut found: Vec<(FoundOn, Speaking)> = Vec::with_capacity(ranked.len());
    for mut why in ranked {
        let Some(place) = shelves.iter().position(|shelf| shelf.scope() == why.scope) else { continue };
        let Some(memory) = memories.remove(&(place, why.id)) else { continue };
        why.text.terms = terms_of(&shelves[place], &why, question);
        let likeness = likeness_to(&shelves[place], why.id, question);
        let speaking = wanted.hear(&memory, &why.text.terms, likeness);
        let on = FoundOn {
            shelf: place,
            confidence: Confidence::clamped(0.0),
            evidence: wanted.alone(&speaking),
            status: past.get(&(place, why.id)).copied().unwrap_or(memory.status),
            supersedes: shelves[place].superseded_by(why.id),
            memory,
            why,
        };
        found.push((on, speaking));
    }
    let (mut found, speaking): (Vec<FoundOn>, Vec<Speaking>) = found.into_iter().unzip();
    let together = wanted.together(&speaking[..FIRST_FEW.min(speaking.len())]);
    // Without the weight of its scope, which says nothing about the question.
    let fits = |on: &FoundOn| on.why.score / on.why.scope_weight.max(f64::MIN_POSITIVE);
    let best = found.iter().map(fits).fold(f64::MIN_POSITIVE, f64::max);
    // What asks for nothing is answered by nothing, unless it asks for a time.
    let asks = !wanted.is_empty() || question.when.is_some();
    for on in found.iter_mut().filter(|_| asks) {
        on.confidence = sureness(&on.evidence, &together, fits(on) / best);
    }
    Ok((found, together))
}
