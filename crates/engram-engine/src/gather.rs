//! What the arms of one shelf find for a question: by words, by direction, by
//! time, and what was said next to it.
//!
//! Every candidate is then measured by every arm, whichever found it. Nothing
//! is weighed here.

use crate::read::Question;
use crate::shelf::Shelf;
use engram_core::law::{activation_at, freshness_at, is_hot, sub_tier_of, utility_at};
use engram_core::memory::DataSource;
use engram_core::port::Embedder;
use engram_core::rank::{Candidate, Neighbour};
use engram_core::{MemoryId, Scope, Span, Status, Timestamp, Utility};
use engram_index::{Entry, Filter, Index, Spread};
use std::collections::BTreeMap;

/// After so many days something recent counts half as recent.
const RECENT_DAYS: f64 = 14.0;
/// Of so many candidates by each arm the neighbours are looked at too.
const WITH_NEIGHBOURS: usize = 30;
/// So many of what was superseded lead to what took its place,
const PREDECESSORS: usize = 10;
/// by this share of their own words: who says that we switched to pnpm does not
/// say again that this is about packages.
pub(crate) const INHERITED: f64 = 0.8;

/// What one shelf has to say.
pub(crate) struct Gathered {
    pub(crate) candidates: Vec<Found>,
    /// How the directions of everything here lie, by embedder.
    pub(crate) spreads: BTreeMap<String, Spread>,
    /// Every arm has told all it has.
    pub(crate) exhausted: bool,
}

/// A candidate with its cosines, whose meaning depends on all shelves.
pub(crate) struct Found {
    pub(crate) candidate: Candidate,
    pub(crate) table: Option<f64>,
    /// By the model that serves here.
    pub(crate) model: Option<f64>,
}

/// `also` are candidates that something else led to.
pub(crate) fn gather(shelf: &Shelf, question: &Question, also: &[MemoryId], reach: usize) -> Gathered {
    let hot = if question.weights.hot == 0.0 { Vec::new() } else { shelf.hot(question.at) };
    let index = shelf.index();
    let table = shelf.table();
    let model = shelf.serving_model_in(&index);
    let mut order: Vec<MemoryId> = Vec::new();
    let mut spreads = BTreeMap::new();
    let mut exhausted = true;

    let hits = index.search(&question.words, &question.statistics, &question.filter, reach);
    let all_words = hits.len() < reach;
    exhausted &= all_words;
    let mut by_words: Vec<(MemoryId, f64)> = hits.iter().map(|hit| (hit.id, hit.score)).collect();
    by_words.sort_unstable_by_key(|(id, _)| *id);
    order.extend(hits.iter().take(WITH_NEIGHBOURS).map(|hit| hit.id));
    let mut rest: Vec<MemoryId> = hits.iter().skip(WITH_NEIGHBOURS).map(|hit| hit.id).collect();
    for embedder in table.into_iter().chain(model).map(|embedder| embedder.id()) {
        let Some(direction) = question.directions.get(embedder) else { continue };
        // A vector of another length can only be one of an older embedder with
        // the same name; it is made again in the background.
        let Ok(near) = index.nearest(embedder, direction, &question.filter, reach) else { continue };
        exhausted &= near.hits.len() < reach;
        spreads.insert(embedder.to_owned(), near.spread);
        order.extend(near.hits.iter().take(WITH_NEIGHBOURS).map(|hit| hit.id));
        rest.extend(near.hits.iter().skip(WITH_NEIGHBOURS).map(|hit| hit.id));
    }
    if question.filter.when.is_some() {
        let then = index.list(&question.filter, reach);
        exhausted &= then.len() < reach;
        rest.extend(then);
    }
    let inherited = inherited(shelf, &index, question);
    rest.extend(inherited.keys().copied());
    let admitted = |id: &MemoryId| index.entry(*id).is_some_and(|entry| question.filter.admits(entry));
    rest.extend(also.iter().filter(|id| admitted(id)));
    rest.extend(hot.iter().filter(|id| admitted(id)));
    if index.speakers().next().is_some() {
        let around: Vec<MemoryId> = order.iter().flat_map(|id| index.neighbours(*id)).flatten().collect();
        rest.extend(around.into_iter().filter(admitted));
    }
    order.extend(rest);
    order.sort_unstable();
    order.dedup();

    let scores = index.scores(&question.words, &question.statistics);
    let words = |id: MemoryId| {
        let own = match by_words.binary_search_by_key(&id, |(id, _)| *id) {
            Ok(place) => by_words[place].1,
            Err(_) if all_words => 0.0,
            Err(_) => scores.of(id),
        };
        inherited.get(&id).map_or(own, |words| own.max(*words))
    };
    let found = order.into_iter().filter_map(|id| {
        let entry = index.entry(id)?;
        // Only the end of validity is looked at: a clock that stepped back
        // must not hide what was said a moment ago.
        let expired = question.valid_at.is_some_and(|at| entry.valid_until.is_some_and(|until| until <= at));
        if expired {
            return None;
        }
        let cosine = |embedder: &dyn Embedder| {
            index.cosine(embedder.id(), question.directions.get(embedder.id())?, id)
        };
        let by_table = table.and_then(|table| cosine(&**table));
        let by_model = model.and_then(|model| cosine(&**model));
        let likeness = |embedder: &dyn Embedder, cosine: f64| embedder.similarity(cosine as f32).get();
        let best = model.zip(by_model).or(table.zip(by_table));
        Some(Found {
            candidate: Candidate {
                likeness: best.map(|(embedder, cosine)| likeness(&**embedder, cosine)),
                ..candidate(shelf.scope(), &index, entry, words(id), question)
            },
            table: by_table,
            model: by_model,
        })
    });
    Gathered { candidates: found.collect(), spreads, exhausted }
}

/// The memories that took the place of what the words of the question find.
fn inherited(shelf: &Shelf, index: &Index, question: &Question) -> BTreeMap<MemoryId, f64> {
    let mut heirs = BTreeMap::new();
    // Who asks for the past gets the past itself.
    if question.valid_at.is_none() {
        return heirs;
    }
    let filter = Filter { statuses: Some([Status::Superseded].into()), ..question.filter.clone() };
    for hit in index.search(&question.words, &question.statistics, &filter, PREDECESSORS) {
        let heir = shelf
            .heir_of(hit.id)
            .filter(|heir| index.entry(*heir).is_some_and(|entry| question.filter.admits(entry)));
        if let Some(heir) = heir {
            let words: &mut f64 = heirs.entry(heir).or_default();
            *words = words.max(INHERITED * hit.score);
        }
    }
    heirs
}

fn candidate(scope: Scope, index: &Index, entry: &Entry, words: f64, question: &Question) -> Candidate {
    let by = |name: &String| entry.speaker.as_deref() == Some(name.as_str());
    let [previous, next] = match entry.speaker {
        Some(_) => index.neighbours(entry.id),
        None => [None, None],
    };
    let days = question.at.duration_since(entry.created_at).as_secs_f64().max(0.0) / 86_400.0;
    let utility = utility_of(entry, question.at);
    Candidate {
        id: entry.id,
        scope,
        vicarious: scope == Scope::Team && entry.data_source == DataSource::Federation,
        kind: entry.kind,
        updated_at: entry.updated_at,
        words,
        table: None,
        model: None,
        likeness: None,
        by_named: question.named.as_ref().is_some_and(by),
        of_self: question.of_self && entry.of_self && entry.data_source == DataSource::UserMessage,
        in_time: question.when.as_ref().is_some_and(|when| when.admits(entry)),
        said_at: entry.valid_from,
        part: 0.0,
        linked: 0.0,
        names: if question.names.is_empty() {
            0
        } else {
            index.explain(entry.id, &question.names, &question.statistics).len() as u32
        },
        previous: previous.and_then(|id| Some(Neighbour { id, asks: index.entry(id)?.asks })),
        next,
        recency: 0.5_f64.powf(days / RECENT_DAYS),
        activation: activation_at(&entry.trace, question.at).get(),
        importance: entry.importance.get(),
        utility: utility.get(),
        freshness: freshness_at(entry.kind, entry.created_at, question.at).get(),
        confidence: entry.confidence.get(),
        same_session: question.session.is_some() && entry.session == question.session,
        sub_tier: sub_tier_of(entry.kind, entry.tier, entry.data_source),
        hot: is_hot(entry.tier, utility, &entry.trace, entry.created_at, question.at),
        same_mood: false,
        challenged: entry.status == Status::Challenged,
        archived: entry.status == Status::Archived,
        graph: 0.0,
        together: false,
    }
}

/// The utility of a memory as it is read at `at`.
pub(crate) fn utility_of(entry: &Entry, at: Timestamp) -> Utility {
    let moved_at = entry.trace.last_used_at.max(entry.updated_at);
    utility_at(entry.utility, at.duration_since(moved_at).max(Span::ZERO))
}
