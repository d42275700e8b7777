//! Recall over the open shelves: words, scopes, copies, reasons.
//!
//! A word's rarity is counted over everything that is searched, so that scores
//! of different shelves mean the same. The answer is loaded from the stores;
//! use is only noted, never waited for.

use crate::shelf::Shelf;
use engram_core::port::ReadError;
use engram_core::rank::{Hit, Ranked, ScopeWeights, TextReason, rank};
use engram_core::status::status_at;
use engram_core::{Memory, MemoryId, Status, Timestamp};
use engram_index::{Filter, Query, Statistics, TextHit};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What someone wants to know.
#[derive(Debug, Clone)]
pub struct Ask {
    pub query: String,
    /// Statuses are decided here; everything else of the filter holds.
    pub filter: Filter,
    pub limit: usize,
    pub weights: ScopeWeights,
    pub archived: bool,
    /// What was true then, as far as we knew it then.
    pub as_of: Option<Timestamp>,
}

/// One memory of the answer, and the shelf it stands on.
#[derive(Debug)]
pub struct FoundOn {
    pub shelf: usize,
    pub memory: Memory,
    pub why: Ranked,
    /// Its status at the moment asked for.
    pub status: Status,
    pub supersedes: Vec<MemoryId>,
}

/// Searches every shelf and makes one ranked list of at most `limit`.
pub async fn recall(shelves: &[Arc<Shelf>], ask: &Ask, at: Timestamp) -> Result<Vec<FoundOn>, ReadError> {
    let query = Query::parse(&ask.query);
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

    let mut statistics = Statistics::default();
    for shelf in shelves {
        statistics += shelf.index().statistics(&query);
    }
    let mut hits = Vec::new();
    let mut past: BTreeMap<(usize, MemoryId), Status> = BTreeMap::new();
    for (place, shelf) in shelves.iter().enumerate() {
        // Some hits fall away afterwards: what has expired, what was not in
        // force at the moment asked for. Then it is reached for more.
        let mut reach = ask.limit.saturating_mul(4).max(50);
        let found = loop {
            let (mut found, all) = hits_on(shelf, &query, &statistics, &filter, reach, ask.as_of, at);
            if let Some(then) = ask.as_of {
                let ids = found.iter().map(|(_, hit)| hit.id).collect();
                for (id, history) in shelf.store().load_history(ids).await? {
                    if let Some(status) = status_at(&history, then).filter(|status| status.is_current()) {
                        past.insert((place, id), status);
                    }
                }
                found.retain(|(_, hit)| past.contains_key(&(place, hit.id)));
            }
            if all || found.len() >= ask.limit {
                break found;
            }
            reach = reach.saturating_mul(4);
        };
        hits.extend(found.into_iter().map(|(updated_at, hit)| Hit {
            id: hit.id,
            scope: shelf.scope(),
            updated_at,
            text: TextReason {
                score: hit.score,
                terms: hit.terms.into_iter().map(|term| (term.term, term.score)).collect(),
            },
        }));
    }
    let ranked = rank(hits, &ask.weights, ask.limit);
    load(shelves, ranked, &past).await
}

/// The best `reach` hits that have not expired, and whether these are all.
fn hits_on(
    shelf: &Shelf,
    query: &Query,
    statistics: &Statistics,
    filter: &Filter,
    reach: usize,
    as_of: Option<Timestamp>,
    at: Timestamp,
) -> (Vec<(Timestamp, TextHit)>, bool) {
    let index = shelf.index();
    let found = index.search(query, statistics, filter, reach);
    let all = found.len() < reach;
    let current = found.into_iter().filter_map(|hit| {
        let entry = index.entry(hit.id)?;
        // Only the end of validity is looked at: a clock that stepped back
        // must not hide what was said a moment ago.
        let expired = as_of.is_none() && entry.valid_until.is_some_and(|until| until <= at);
        (!expired).then_some((entry.updated_at, hit))
    });
    (current.collect(), all)
}

/// Loads what was ranked. A memory that vanished in the meantime is left out.
async fn load(
    shelves: &[Arc<Shelf>],
    ranked: Vec<Ranked>,
    past: &BTreeMap<(usize, MemoryId), Status>,
) -> Result<Vec<FoundOn>, ReadError> {
    let mut memories: BTreeMap<(usize, MemoryId), Memory> = BTreeMap::new();
    for (place, shelf) in shelves.iter().enumerate() {
        let ids: Vec<MemoryId> =
            ranked.iter().filter(|hit| hit.scope == shelf.scope()).map(|hit| hit.id).collect();
        if ids.is_empty() {
            continue;
        }
        for memory in shelf.store().load(ids).await? {
            memories.insert((place, memory.id), memory);
        }
    }
    let found = ranked.into_iter().filter_map(|why| {
        let place = shelves.iter().position(|shelf| shelf.scope() == why.scope)?;
        let memory = memories.remove(&(place, why.id))?;
        Some(FoundOn {
            shelf: place,
            status: past.get(&(place, why.id)).copied().unwrap_or(memory.status),
            supersedes: shelves[place].superseded_by(why.id),
            memory,
            why,
        })
    });
    Ok(found.collect())
}
