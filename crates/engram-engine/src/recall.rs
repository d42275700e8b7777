//! Recall over the open shelves: what a question asks, what the arms find, one
//! list with its reasons.
//!
//! A word's rarity is counted over everything that is searched, and so is how
//! far a direction stands out, so that scores of different shelves mean the
//! same. The answer is loaded from the stores; use is only noted, never waited
//! for.

use crate::gather::{Found, Gathered, Question, gather, when_of};
use crate::shelf::Shelf;
use engram_core::ask::when::{self, Mention, Order, Period, Sessions, Side, TimeAsked};
use engram_core::ask::{Intent, QueryType, Trivial, intent_of, query_type_of, trivial_of};
use engram_core::port::{EmbedError, Embedder, Purpose, ReadError};
use engram_core::rank::{
    Candidate, Evidence, Field, Ranked, ScopeWeights, Signal, Weights, diversify, fuse, sureness,
    without_copies,
};
use engram_core::recalled::Strategy;
use engram_core::status::status_at;
use engram_core::{Codes, Confidence, Memory, MemoryId, Scope, SessionId, Similarity, Status, Timestamp};
use engram_index::{Filter, Query, Spread, Statistics};
use jiff::Zoned;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Hardly any two texts that have nothing to do with each other are more alike.
const BY_CHANCE: f64 = 0.3;
/// So many of the first decide how sure the answer is.
const DECIDE: usize = 5;
/// Every arm of every shelf tells at least so many.
const LEAST_REACH: usize = 100;
/// And so many for each one asked for, since some fall away.
const REACH_PER_HIT: usize = 4;
/// A text of so many words is a message that goes on with something, not a
/// question about the past.
const MESSAGE_WORDS: usize = 30;

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
    /// The session that asks.
    pub session: Option<SessionId>,
    /// A message of a conversation rather than a search: a trivial one asks
    /// for nothing.
    pub prompt: bool,
    /// Only what has a word of the query.
    pub literal: bool,
}

/// What was found, and how the question was read.
#[derive(Debug)]
pub struct Answer {
    pub found: Vec<FoundOn>,
    pub intent: Intent,
    pub query_type: QueryType,
    pub strategy: Strategy,
    /// That of the surest of the first few.
    pub confidence: Confidence,
    /// Nothing was looked for.
    pub trivial: Option<Trivial>,
    /// A model that could not be asked.
    pub without_model: Option<EmbedError>,
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
    let time = when::read(&ask.query, at);
    let mut answer = Answer {
        found: Vec::new(),
        intent: intent_of(&ask.query, !time.mentions.is_empty()),
        query_type: query_type_of(&ask.query),
        strategy: Strategy::Keyword,
        confidence: Confidence::clamped(0.0),
        trivial: if ask.prompt { trivial_of(&ask.query) } else { None },
        without_model: None,
    };
    if answer.trivial.is_some() {
        return Ok(answer);
    }
    let (question, without_model) = ask_of(shelves, ask, &time, at.timestamp()).await;
    answer.without_model = without_model;
    let (candidates, field, past) = candidates_of(shelves, &question, ask, &time).await?;
    if candidates.iter().any(|candidate| candidate.table.is_some() || candidate.model.is_some()) {
        answer.strategy = Strategy::Hybrid;
    }
    let mut ranked = fuse(&candidates, &field, &ask.weights, &ask.scopes);
    ranked.retain(|ranked| bears_on(shelves, ranked, &question, ask.literal));
    let alike = |one, other| likeness(shelves, one, other);
    let ranked = without_copies(ranked, &candidates, &alike, ask.limit.saturating_mul(REACH_PER_HIT));
    let ranked = diversify(ranked, ask.weights.relevance_share, &alike, ask.limit);
    answer.found = load(shelves, ranked, &question, &past).await?;
    let first = answer.found.iter().take(DECIDE).map(|found| found.confidence);
    answer.confidence = first.fold(answer.confidence, |best, next| if next > best { next } else { best });
    Ok(answer)
}

/// Whether a memory has anything to do with the question: a word of it, its
/// time, a neighbour that fits, or a likeness that chance does not give. The
/// nearest of many texts is always near; that alone says nothing.
fn bears_on(shelves: &[Arc<Shelf>], ranked: &Ranked, question: &Question, literal: bool) -> bool {
    if literal || ranked.text.score > 0.0 {
        return ranked.text.score > 0.0;
    }
    let tells = |signal| matches!(signal, Signal::Time | Signal::Previous | Signal::Answers | Signal::Next);
    if ranked.factors.iter().any(|factor| tells(factor.signal)) {
        return true;
    }
    let Some(shelf) = shelves.iter().find(|shelf| shelf.scope() == ranked.scope) else { return false };
    likeness_to(shelf, ranked.id, question).is_some_and(|likeness| likeness.get() >= BY_CHANCE)
}

/// Reads the question: its words, its directions, its time, whom it names.
async fn ask_of(
    shelves: &[Arc<Shelf>],
    ask: &Ask,
    time: &TimeAsked,
    at: Timestamp,
) -> (Question, Option<EmbedError>) {
    let mut filter = ask.filter.clone();
    match ask.as_of {
        Some(then) => {
            filter.recorded_by = Some(then);
            filter.valid_at = Some(then);
        }
        None => {
            let shown =
                |status: &Status| status.is_current() || (ask.archived && *status == Status::Archived);
            filter.statuses = Some(Status::ALL.iter().copied().filter(shown).collect());
        }
    }
    let (periods, sessions) = times(shelves, &filter, time);
    let when = when_of(&periods, &sessions, shelves);
    let text = if time.about_talk { &time.rest } else { &ask.query };
    if time.about_talk {
        // A session that never was has nothing in it.
        filter.when = Some(when.clone());
    }
    let words = Query::parse(text);
    let (named, without_names) = names(shelves, text);
    let (directions, without_model) = directions(shelves, &without_names).await;
    let question = Question {
        of_self: words.of_self,
        statistics: statistics(shelves, &words),
        words,
        directions,
        filter,
        when: (!time.mentions.is_empty()).then_some(when),
        named,
        session: ask.session,
        valid_at: ask.as_of.is_none().then_some(at),
        at,
    };
    (question, without_model)
}

fn statistics(shelves: &[Arc<Shelf>], words: &Query) -> Statistics {
    let mut statistics = Statistics::default();
    shelves.iter().for_each(|shelf| statistics += shelf.index().statistics(words));
    statistics
}

/// The stretches of time and the sessions that are meant. An event is looked
/// up by its words; one that is not found means nothing.
fn times(shelves: &[Arc<Shelf>], filter: &Filter, time: &TimeAsked) -> (Vec<Period>, Vec<Sessions>) {
    let (mut periods, mut sessions) = (Vec::new(), Vec::new());
    for mention in &time.mentions {
        match mention {
            Mention::Period(period) => periods.push(*period),
            Mention::Sessions(counted) => sessions.push(*counted),
            Mention::Around { side, event } => {
                let words = Query::parse(event);
                let statistics = statistics(shelves, &words);
                let best = shelves.iter().filter_map(|shelf| {
                    let index = shelf.index();
                    let hit = index.search(&words, &statistics, filter, 1).pop()?;
                    Some((hit.score, index.entry(hit.id)?.created_at))
                });
                let best = best.max_by(|(one, _), (other, _)| one.total_cmp(other));
                periods.extend(best.map(|(_, moment)| match side {
                    Side::Before | Side::Until => Period { from: Timestamp::MIN, until: moment },
                    Side::After | Side::Since => Period { from: moment, until: Timestamp::MAX },
                }));
            }
        }
    }
    (periods, sessions)
}

/// The one speaker whom the text names, and the text without the names of
/// speakers: a name says whose words are meant, not what they are about.
fn names(shelves: &[Arc<Shelf>], text: &str) -> (Option<String>, String) {
    let speakers: BTreeSet<String> = shelves
        .iter()
        .flat_map(|shelf| shelf.index().speakers().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    if speakers.is_empty() {
        return (None, text.to_owned());
    }
    let part_of =
        |speaker: &str, word: &str| speaker.split_whitespace().any(|part| part.to_lowercase() == word);
    let bare = |word: &str| {
        let word = word.trim_matches(|mark: char| !mark.is_alphanumeric()).to_lowercase();
        match word.split_once(['\'', '’']) {
            Some((name, _)) => name.to_owned(),
            None => word,
        }
    };
    let mut named: BTreeSet<&String> = BTreeSet::new();
    let mut rest: Vec<&str> = Vec::new();
    for word in text.split_whitespace() {
        let bare = bare(word);
        let meant: Vec<&String> = speakers.iter().filter(|speaker| part_of(speaker, &bare)).collect();
        if meant.is_empty() {
            rest.push(word);
        }
        named.extend(meant);
    }
    let one = if named.len() == 1 { named.first().map(|name| (*name).clone()) } else { None };
    (one, rest.join(" "))
}

/// The question's direction for every embedder that serves on some shelf.
async fn directions(shelves: &[Arc<Shelf>], text: &str) -> (BTreeMap<String, Codes>, Option<EmbedError>) {
    let mut directions = BTreeMap::new();
    let mut failed = None;
    if text.trim().is_empty() {
        return (directions, failed);
    }
    let every_word = Query::every_word(text);
    let statistics = statistics(shelves, &every_word);
    // A common word says little of what is meant. The root keeps it from
    // saying nothing.
    let weighted: Vec<(&str, f32)> =
        every_word.rarities(&statistics).map(|(word, rarity)| (word, rarity.sqrt() as f32)).collect();
    for shelf in shelves {
        let model = shelf.serving_model();
        for embedder in shelf.table().into_iter().chain(model.as_ref()) {
            if directions.contains_key(embedder.id()) {
                continue;
            }
            let vector = match embedder.embed_words(&weighted) {
                Some(vector) => Ok(vec![vector]),
                None => embedder.embed(Purpose::Query, vec![text.to_owned()]).await,
            };
            match vector {
                Ok(vectors) => {
                    if let Some(codes) = vectors.first().and_then(|vector| Codes::of(vector)) {
                        directions.insert(embedder.id().to_owned(), codes);
                    }
                }
                Err(error) => failed = Some(error),
            }
        }
    }
    (directions, failed)
}

type Past = BTreeMap<(usize, MemoryId), Status>;

/// The candidates of all shelves, measured on one scale.
async fn candidates_of(
    shelves: &[Arc<Shelf>],
    question: &Question,
    ask: &Ask,
    time: &TimeAsked,
) -> Result<(Vec<Candidate>, Field, Past), ReadError> {
    let mut past = Past::new();
    let mut all: Vec<(usize, Gathered)> = Vec::new();
    for (place, shelf) in shelves.iter().enumerate() {
        // Some fall away afterwards: what has expired, what was not in force at
        // the moment asked for. Then it is reached for more.
        let mut reach = ask.limit.saturating_mul(REACH_PER_HIT).max(LEAST_REACH);
        let gathered = loop {
            let mut gathered = gather(shelf, question, reach);
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
            candidates.push(Candidate {
                table: out(shelf.table().map(|table| table.id()), table),
                model: out(model.as_ref().map(|model| model.id()), by_model),
                ..candidate
            });
        }
    }
    let most_words = candidates.iter().map(|candidate| candidate.words).fold(0.0, f64::max);
    let field = Field {
        most_words,
        with_model: candidates.iter().any(|candidate| candidate.model.is_some()),
        message: ask.query.split_whitespace().count() >= MESSAGE_WORDS || time.order == Some(Order::Newest),
    };
    Ok((candidates, field, past))
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

/// Loads what was ranked and tells the words. A memory that vanished in the
/// meantime is left out.
async fn load(
    shelves: &[Arc<Shelf>],
    ranked: Vec<Ranked>,
    question: &Question,
    past: &Past,
) -> Result<Vec<FoundOn>, ReadError> {
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
    let found = ranked.into_iter().filter_map(|mut why| {
        let place = shelves.iter().position(|shelf| shelf.scope() == why.scope)?;
        let memory = memories.remove(&(place, why.id))?;
        let terms = shelves[place].index().explain(why.id, &question.words, &question.statistics);
        why.text.terms = terms.into_iter().map(|term| (term.term, term.score)).collect();
        let evidence = evidence(&shelves[place], why.id, question, &why.text.terms);
        Some(FoundOn {
            shelf: place,
            confidence: sureness(&evidence),
            evidence,
            status: past.get(&(place, why.id)).copied().unwrap_or(memory.status),
            supersedes: shelves[place].superseded_by(why.id),
            memory,
            why,
        })
    });
    Ok(found.collect())
}

/// By the best embedder there is.
fn likeness_to(shelf: &Shelf, id: MemoryId, question: &Question) -> Option<Similarity> {
    let index = shelf.index();
    let model = shelf.serving_model_in(&index);
    model.into_iter().chain(shelf.table()).find_map(|embedder| {
        let cosine = index.cosine(embedder.id(), question.directions.get(embedder.id())?, id)?;
        Some(embedder.similarity(cosine as f32))
    })
}

/// What speaks for one memory being an answer; `terms` are the words it has.
fn evidence(shelf: &Shelf, id: MemoryId, question: &Question, terms: &[(String, f64)]) -> Evidence {
    let likeness = likeness_to(shelf, id, question);
    let (mut all, mut covered, mut unknown, mut missing) = (0.0, 0.0, 0.0, 0.0_f64);
    for (word, rarity, known) in question.words.known(&question.statistics) {
        all += rarity;
        if !known {
            unknown += rarity;
        }
        if terms.iter().any(|(term, _)| term == word) {
            covered += rarity;
        } else {
            missing = missing.max(rarity);
        }
    }
    let share = |part: f64| if all > 0.0 { part / all } else { 0.0 };
    Evidence { likeness, covered: share(covered), unknown: share(unknown), missing }
}
