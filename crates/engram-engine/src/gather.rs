//! What the arms of one shelf find for a question: by words, by direction, by
//! time, and what was said next to it.
//!
//! Every candidate is then measured by every arm, whichever found it. Nothing
//! is weighed here.

use crate::shelf::Shelf;
use engram_core::ask::when::Period;
use engram_core::law::{activation_at, freshness_at};
use engram_core::memory::DataSource;
use engram_core::rank::{Candidate, Neighbour};
use engram_core::{Codes, MemoryId, Scope, SessionId, Timestamp};
use engram_index::{Entry, Filter, Index, Query, Spread, Statistics, When};
use std::collections::BTreeMap;

/// After so many days something recent counts half as recent.
const RECENT_DAYS: f64 = 14.0;
/// Of so many candidates by each arm the neighbours are looked at too.
const WITH_NEIGHBOURS: usize = 30;

/// A question, ready to be put to every shelf.
pub(crate) struct Question {
    pub(crate) words: Query,
    pub(crate) statistics: Statistics,
    /// The question's direction, by the embedder that made it.
    pub(crate) directions: BTreeMap<String, Codes>,
    pub(crate) filter: Filter,
    /// What falls into it is preferred, not required.
    pub(crate) when: Option<When>,
    /// The one speaker the question names.
    pub(crate) named: Option<String>,
    pub(crate) of_self: bool,
    pub(crate) session: Option<SessionId>,
    /// What has ended by now is left out. None for a look into the past.
    pub(crate) valid_at: Option<Timestamp>,
    pub(crate) at: Timestamp,
}

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

pub(crate) fn gather(shelf: &Shelf, question: &Question, reach: usize) -> Gathered {
    let index = shelf.index();
    let table = shelf.table().map(|table| table.id().to_owned());
    let model = shelf.serving_model_in(&index).map(|model| model.id().to_owned());
    let mut order: Vec<MemoryId> = Vec::new();
    let mut spreads = BTreeMap::new();
    let mut exhausted = true;

    let hits = index.search(&question.words, &question.statistics, &question.filter, reach);
    exhausted &= hits.len() < reach;
    order.extend(hits.iter().take(WITH_NEIGHBOURS).map(|hit| hit.id));
    let mut rest: Vec<MemoryId> = hits.iter().skip(WITH_NEIGHBOURS).map(|hit| hit.id).collect();
    for embedder in table.iter().chain(&model) {
        let Some(direction) = question.directions.get(embedder) else { continue };
        // A vector of another length can only be one of an older embedder with
        // the same name; it is made again in the background.
        let Ok(near) = index.nearest(embedder, direction, &question.filter, reach) else { continue };
        exhausted &= near.hits.len() < reach;
        spreads.insert(embedder.clone(), near.spread);
        order.extend(near.hits.iter().take(WITH_NEIGHBOURS).map(|hit| hit.id));
        rest.extend(near.hits.iter().skip(WITH_NEIGHBOURS).map(|hit| hit.id));
    }
    if question.filter.when.is_some() {
        let then = index.list(&question.filter, reach);
        exhausted &= then.len() < reach;
        rest.extend(then);
    }
    if index.speakers().next().is_some() {
        let around: Vec<MemoryId> = order.iter().flat_map(|id| index.neighbours(*id)).flatten().collect();
        rest.extend(
            around
                .into_iter()
                .filter(|id| index.entry(*id).is_some_and(|entry| question.filter.admits(entry))),
        );
    }
    order.extend(rest);
    order.sort_unstable();
    order.dedup();

    let found = order.into_iter().filter_map(|id| {
        let entry = index.entry(id)?;
        // Only the end of validity is looked at: a clock that stepped back
        // must not hide what was said a moment ago.
        let expired = question.valid_at.is_some_and(|at| entry.valid_until.is_some_and(|until| until <= at));
        let cosine = |embedder: &Option<String>| {
            let embedder = embedder.as_ref()?;
            index.cosine(embedder, question.directions.get(embedder)?, id)
        };
        (!expired).then(|| Found {
            candidate: candidate(shelf.scope(), &index, entry, question),
            table: cosine(&table),
            model: cosine(&model),
        })
    });
    Gathered { candidates: found.collect(), spreads, exhausted }
}

fn candidate(scope: Scope, index: &Index, entry: &Entry, question: &Question) -> Candidate {
    let by = |name: &String| entry.speaker.as_deref() == Some(name.as_str());
    let [previous, next] = match entry.speaker {
        Some(_) => index.neighbours(entry.id),
        None => [None, None],
    };
    let days = question.at.duration_since(entry.created_at).as_secs_f64().max(0.0) / 86_400.0;
    Candidate {
        id: entry.id,
        scope,
        updated_at: entry.updated_at,
        words: index.score(entry.id, &question.words, &question.statistics),
        table: None,
        model: None,
        by_named: question.named.as_ref().is_some_and(by),
        of_self: question.of_self && entry.of_self && entry.data_source == DataSource::UserMessage,
        in_time: question.when.as_ref().is_some_and(|when| when.admits(entry)),
        previous: previous.and_then(|id| Some(Neighbour { id, asks: index.entry(id)?.asks })),
        next,
        recency: 0.5_f64.powf(days / RECENT_DAYS),
        activation: activation_at(&entry.trace, question.at).get(),
        importance: entry.importance.get(),
        utility: entry.utility.get(),
        freshness: freshness_at(entry.kind, entry.created_at, question.at).get(),
        confidence: entry.confidence.get(),
        same_session: question.session.is_some() && entry.session == question.session,
    }
}

/// The time a question names, as the index understands it. Sessions are those
/// of all shelves together, in their order.
pub(crate) fn when_of(
    periods: &[Period],
    sessions: &[engram_core::ask::when::Sessions],
    shelves: &[std::sync::Arc<Shelf>],
) -> When {
    use engram_core::ask::when::SessionsFrom;
    let mut when = When {
        periods: periods.iter().map(|period| (period.from, period.until)).collect(),
        ..When::default()
    };
    if sessions.is_empty() {
        return when;
    }
    // A session that stands on two shelves began when it first began.
    let mut begun: BTreeMap<SessionId, Timestamp> = BTreeMap::new();
    for (session, from) in shelves.iter().flat_map(|shelf| shelf.index().sessions()) {
        begun.entry(session).and_modify(|known| *known = from.min(*known)).or_insert(from);
    }
    let mut all: Vec<(Timestamp, SessionId)> =
        begun.into_iter().map(|(session, from)| (from, session)).collect();
    all.sort_unstable();
    for asked in sessions {
        let (first, last) = (asked.first as usize - 1, asked.last as usize);
        let range = match asked.from {
            SessionsFrom::Start => first..last.min(all.len()),
            SessionsFrom::Now => all.len().saturating_sub(last)..all.len().saturating_sub(first),
        };
        when.sessions.extend(all.get(range).unwrap_or_default().iter().map(|(_, session)| *session));
    }
    when
}
