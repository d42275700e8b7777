//! The arms along ties: from what fits to what caused it or says more of it, and
//! from the things that a question names to whatever they lead to.
//!
//! The first goes breadth first and not far, the second wanders. Neither knows
//! why somebody goes that way.

use crate::shelf::Shelf;
use engram_core::ask::Walk;
use engram_core::graph::{Graph, page_rank};
use engram_core::observe::entities_of;
use engram_core::port::ReadError;
use engram_core::rank::Ranked;
use engram_core::{EntityId, MemoryId, Scope, Weight};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// What is one edge further counts half.
const EACH_EDGE: f64 = 0.5;

/// What the edges lead to from these hits, each with the strength of what it was
/// reached from, less for every edge. An edge is gone along in both directions:
/// whoever asks for a cause is served by either end.
pub(crate) async fn walk(
    shelves: &[Arc<Shelf>],
    from: &[Ranked],
    way: Walk,
) -> Result<HashMap<(Scope, MemoryId), f64>, ReadError> {
    let best = from.first().map_or(1.0, |first| first.score);
    let mut reached: HashMap<(Scope, MemoryId), f64> = HashMap::new();
    for shelf in shelves {
        let scope = shelf.scope();
        let mut front: HashMap<MemoryId, f64> =
            from.iter().filter(|hit| hit.scope == scope).map(|hit| (hit.id, hit.score / best)).collect();
        for _ in 0..way.hops {
            if front.is_empty() {
                break;
            }
            let edges = shelf.store().load_relations(front.keys().copied().collect()).await?;
            let mut next: HashMap<MemoryId, f64> = HashMap::new();
            for edge in edges.into_iter().filter(|edge| way.along.contains(&edge.kind)) {
                for (here, there) in [(edge.from, edge.to), (edge.to, edge.from)] {
                    let Some(strength) = front.get(&here).map(|strength| strength * EACH_EDGE) else {
                        continue;
                    };
                    let known = reached.entry((scope, there)).or_default();
                    if strength > *known {
                        *known = strength;
                        next.insert(there, strength);
                    }
                }
            }
            front = next;
        }
    }
    Ok(reached)
}

/// So many of what the things of a question lead to are looked at.
const WANDERED_TO: usize = 50;

/// What the things that a question names lead to, beside what they lead to most.
pub(crate) async fn wander(
    shelves: &[Arc<Shelf>],
    query: &str,
) -> Result<HashMap<(Scope, MemoryId), f64>, ReadError> {
    let mut reached = HashMap::new();
    for shelf in shelves {
        let seeds: Vec<_> = shelf.named_in(query).into_iter().map(|id| (id, Weight::clamped(1.0))).collect();
        if seeds.is_empty() {
            continue;
        }
        let graph = shelf.graph().await?;
        let shares = page_rank(&graph, &seeds);
        let most = shares.first().map_or(1.0, |(_, share)| share.get());
        for (id, share) in shares.into_iter().take(WANDERED_TO) {
            reached.insert((shelf.scope(), id), share.get() / most);
        }
    }
    Ok(reached)
}

/// The memories around the things that a question names, the most useful and
/// then the newest of each.
pub(crate) async fn hubs(
    shelves: &[Arc<Shelf>],
    query: &str,
) -> Result<HashMap<(Scope, MemoryId), f64>, ReadError> {
    let mut around = HashMap::new();
    for shelf in shelves {
        for entity in shelf.named_in(query) {
            let graph = shelf.graph().await?;
            let index = shelf.index();
            let mut naming: Vec<_> = graph.naming(entity).filter_map(|id| index.entry(id)).collect();
            naming.sort_by_key(|entry| Reverse((entry.utility, entry.valid_from, entry.id)));
            let near = naming.into_iter().take(AROUND_ONE);
            around.extend(near.map(|entry| ((shelf.scope(), entry.id), 1.0)));
        }
    }
    Ok(around)
}

/// So many memories around one thing are looked at.
const AROUND_ONE: usize = 50;

impl Shelf {
    /// The known things that a question names.
    fn named_in(&self, query: &str) -> Vec<EntityId> {
        let hearing = self.hearing();
        let named = entities_of(query);
        let known = named.iter().filter_map(|entity| hearing.book.named(entity.kind, &entity.name));
        let called = hearing.book.called_in(query).into_iter().map(|(entity, _)| entity);
        let named: BTreeSet<EntityId> = known.chain(called).map(|entity| entity.id).collect();
        named.into_iter().collect()
    }

    async fn graph(&self) -> Result<Arc<Graph>, ReadError> {
        let changes = {
            let drawn = self.graph.read();
            if let Some(graph) = &drawn.graph {
                return Ok(graph.clone());
            }
            drawn.changes
        };
        let mentions = self.store.all_mentions().await?;
        let bonds: Vec<_> = self.hearing().bonds.values().cloned().collect();
        let graph = Arc::new(Graph::new(&mentions, &bonds, &self.all_edges()));
        let mut drawn = self.graph.write();
        // What was tied meanwhile may be missing: it serves this once.
        if drawn.changes == changes {
            drawn.graph = Some(graph.clone());
        }
        Ok(graph)
    }
}
