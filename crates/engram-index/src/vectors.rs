//! Directions, and which of them are nearest to a given one.
//!
//! Every vector is scanned, in eight bits; the best few are measured again in
//! full. An exact scan needs no tuning, no graph to repair after a removal, and
//! is quick at the sizes one store has. This module knows slots, not memories,
//! and not where vectors come from.

use crate::best::{Best, Candidate};
use engram_core::MemoryId;
use simsimd::SpatialSimilarity;
use std::collections::HashMap;

/// The scan in eight bits keeps at least this many for the second look.
const LEAST_SECOND_LOOKS: usize = 32;
/// And at least this many for each one asked for.
const SECOND_LOOKS_PER_HIT: usize = 4;
/// The largest code of eight bits with a sign.
const LARGEST_CODE: f32 = 127.0;

/// Why a vector was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VectorError {
    #[error("the vector has {found} dimensions, the index has {expected}")]
    Dimensions { expected: usize, found: usize },
    #[error("the vector has no direction: it is empty, all zero or not made of numbers")]
    NoDirection,
    #[error("memory {0} is not in the index")]
    UnknownMemory(MemoryId),
}

/// One row for each slot that has a vector, without gaps.
#[derive(Debug, Default)]
pub(crate) struct Vectors {
    dimensions: usize,
    slots: Vec<u32>,
    rows: HashMap<u32, usize>,
    /// Eight bits a dimension; times the row's scale it is the unit vector.
    codes: Vec<i8>,
    scales: Vec<f32>,
    units: Vec<f32>,
}

impl Vectors {
    pub(crate) fn put(&mut self, slot: u32, vector: &[f32]) -> Result<(), VectorError> {
        let unit = self.unit(vector)?;
        self.clear(slot);
        self.dimensions = unit.len();
        let (codes, scale) = coded(&unit);
        self.rows.insert(slot, self.slots.len());
        self.slots.push(slot);
        self.codes.extend(codes);
        self.scales.push(scale);
        self.units.extend(unit);
        Ok(())
    }

    /// The last row moves into the gap.
    pub(crate) fn clear(&mut self, slot: u32) -> bool {
        let Some(row) = self.rows.remove(&slot) else { return false };
        let last = self.slots.len() - 1;
        self.slots.swap_remove(row);
        self.scales.swap_remove(row);
        let (width, from) = (self.dimensions, last * self.dimensions);
        self.codes.copy_within(from.., row * width);
        self.codes.truncate(from);
        self.units.copy_within(from.., row * width);
        self.units.truncate(from);
        if let Some(moved) = self.slots.get(row) {
            self.rows.insert(*moved, row);
        }
        true
    }

    /// The `k` nearest of those that `admit` names, by cosine.
    pub(crate) fn nearest(
        &self,
        vector: &[f32],
        k: usize,
        admit: impl Fn(u32) -> Option<MemoryId>,
    ) -> Result<Vec<Candidate>, VectorError> {
        let unit = self.unit(vector)?;
        if self.slots.is_empty() || k == 0 {
            return Ok(Vec::new());
        }
        let (codes, scale) = coded(&unit);
        let mut near = Best::of(k.saturating_mul(SECOND_LOOKS_PER_HIT).max(LEAST_SECOND_LOOKS));
        let rows = self.slots.iter().zip(&self.scales).zip(self.codes.chunks_exact(self.dimensions));
        for ((slot, row_scale), row) in rows {
            let score =
                <i8 as SpatialSimilarity>::dot(&codes, row).unwrap_or(0.0) * f64::from(scale * row_scale);
            if near.wants(score)
                && let Some(id) = admit(*slot)
            {
                near.offer(Candidate { score, id, slot: *slot });
            }
        }
        let mut best = Best::of(k);
        for candidate in near.into_descending() {
            let start = self.rows[&candidate.slot] * self.dimensions;
            let cosine = f32::dot(&unit, &self.units[start..start + self.dimensions]).unwrap_or(0.0);
            best.offer(Candidate { score: cosine.clamp(-1.0, 1.0), ..candidate });
        }
        Ok(best.into_descending())
    }

    /// The vector at length one. The first vector fixes the dimensions for all
    /// others, until none is left.
    fn unit(&self, vector: &[f32]) -> Result<Vec<f32>, VectorError> {
        if !self.slots.is_empty() && vector.len() != self.dimensions {
            return Err(VectorError::Dimensions { expected: self.dimensions, found: vector.len() });
        }
        let length = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
        if !length.is_finite() || length == 0.0 {
            return Err(VectorError::NoDirection);
        }
        Ok(vector.iter().map(|x| (f64::from(*x) / length) as f32).collect())
    }
}

fn coded(unit: &[f32]) -> (Vec<i8>, f32) {
    let largest = unit.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
    let scale = largest / LARGEST_CODE;
    (unit.iter().map(|x| (x / scale).round() as i8).collect(), scale)
}
