//! The best few of many, without sorting the many.
//!
//! One order for every kind of hit: higher score first, and among equals the
//! newer identifier first. It does not know what a score means.

use engram_core::MemoryId;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) score: f64,
    pub(crate) id: MemoryId,
    pub(crate) slot: u32,
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(self.id.cmp(&other.id))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Keeps the best `limit` candidates it is offered.
pub(crate) struct Best {
    limit: usize,
    kept: BinaryHeap<Reverse<Candidate>>,
}

impl Best {
    pub(crate) fn of(limit: usize) -> Self {
        Self { limit, kept: BinaryHeap::new() }
    }

    /// Whether a candidate with this score could still be kept. Asked first,
    /// because it is cheaper than a look at the candidate's facets.
    pub(crate) fn wants(&self, score: f64) -> bool {
        self.limit > 0
            && (self.kept.len() < self.limit || self.kept.peek().is_some_and(|worst| score >= worst.0.score))
    }

    /// Nothing with a lower score is wanted any more.
    pub(crate) fn least(&self) -> f64 {
        if self.kept.len() < self.limit {
            return f64::NEG_INFINITY;
        }
        self.kept.peek().map_or(f64::INFINITY, |worst| worst.0.score)
    }

    pub(crate) fn offer(&mut self, candidate: Candidate) {
        if self.kept.len() < self.limit {
            self.kept.push(Reverse(candidate));
        } else if let Some(mut worst) = self.kept.peek_mut()
            && candidate > worst.0
        {
            *worst = Reverse(candidate);
        }
    }

    pub(crate) fn into_descending(self) -> Vec<Candidate> {
        self.kept.into_sorted_vec().into_iter().map(|Reverse(candidate)| candidate).collect()
    }
}
