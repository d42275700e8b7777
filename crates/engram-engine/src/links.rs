//! The arm along edges: from what fits to what caused it or says more of it.
//!
//! Goes breadth first and not far. It does not know why somebody goes that way.

use crate::shelf::Shelf;
use engram_core::ask::Walk;
use engram_core::port::ReadError;
use engram_core::rank::Ranked;
use engram_core::{MemoryId, Scope};
use std::collections::HashMap;
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
