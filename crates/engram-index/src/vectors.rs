//! Directions, and which of them are nearest to a given one.
//!
//! Every vector is scanned, in eight bits. An exact scan needs no tuning, no
//! graph to repair after a removal, and is quick at the sizes one store has.
//! It also tells how all the others lie, without which the best ones mean
//! little. This module knows slots, not memories, and not where vectors come
//! from.

use crate::best::{Best, Candidate};
use engram_core::{Codes, MemoryId};
use simsimd::SpatialSimilarity;
use std::ops::AddAssign;

/// Why a vector was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VectorError {
    #[error("the vector has {found} dimensions, the others have {expected}")]
    Dimensions { expected: usize, found: usize },
    #[error("memory {0} is not in the index")]
    UnknownMemory(MemoryId),
}

/// How the cosines of many vectors to one lie. Those of several stores add up.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spread {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Spread {
    fn add(&mut self, cosine: f64) {
        self.count += 1.0;
        self.sum += cosine;
        self.squares += cosine * cosine;
    }

    /// As if so many had been seen, with this mean and deviation: in a store of
    /// three texts the three alone would say nothing.
    pub fn expected(count: f64, mean: f64, deviation: f64) -> Self {
        Self { count, sum: count * mean, squares: count * (mean * mean + deviation * deviation) }
    }

    /// How far this cosine stands out, in standard deviations. One that all
    /// others equal does not.
    pub fn standing_out(&self, cosine: f64) -> f64 {
        let mean = self.sum / self.count.max(1.0);
        let deviation = (self.squares / self.count.max(1.0) - mean * mean).max(0.0).sqrt();
        if deviation > 1e-9 { (cosine - mean) / deviation } else { 0.0 }
    }
}

impl AddAssign for Spread {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

const NO_ROW: u32 = u32::MAX;

/// One row for each slot that has a vector, without gaps.
#[derive(Debug, Default)]
pub(crate) struct Vectors {
    dimensions: usize,
    slots: Vec<u32>,
    /// By slot; `NO_ROW` where it has no vector.
    rows: Vec<u32>,
    /// Eight bits a dimension; times the row's scale it is the unit vector.
    codes: Vec<i8>,
    scales: Vec<f32>,
}

impl Vectors {
    pub(crate) fn put(&mut self, slot: u32, vector: &Codes) -> Result<(), VectorError> {
        self.check(vector)?;
        self.clear(slot);
        self.dimensions = vector.dimensions();
        if self.rows.len() <= slot as usize {
            self.rows.resize(slot as usize + 1, NO_ROW);
        }
        self.rows[slot as usize] = self.slots.len() as u32;
        self.slots.push(slot);
        self.codes.extend(vector.codes());
        self.scales.push(vector.scale());
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(crate) fn has(&self, slot: u32) -> bool {
        self.row_of(slot).is_some()
    }

    /// The last row moves into the gap.
    pub(crate) fn clear(&mut self, slot: u32) {
        let Some(row) = self.row_of(slot) else { return };
        self.rows[slot as usize] = NO_ROW;
        let last = self.slots.len() - 1;
        self.slots.swap_remove(row);
        self.scales.swap_remove(row);
        let (width, from) = (self.dimensions, last * self.dimensions);
        self.codes.copy_within(from.., row * width);
        self.codes.truncate(from);
        if let Some(moved) = self.slots.get(row) {
            self.rows[*moved as usize] = row as u32;
        }
    }

    /// The `k` nearest of those that `admit` names, by cosine, and how all lie.
    pub(crate) fn nearest(
        &self,
        vector: &Codes,
        k: usize,
        admit: impl Fn(u32) -> Option<MemoryId>,
    ) -> Result<(Vec<Candidate>, Spread), VectorError> {
        self.check(vector)?;
        let mut spread = Spread::default();
        let mut best = Best::of(k);
        if self.slots.is_empty() {
            return Ok((Vec::new(), spread));
        }
        let rows = self.slots.iter().zip(&self.scales).zip(self.codes.chunks_exact(self.dimensions));
        for ((slot, scale), row) in rows {
            let score = cosine(vector, row, *scale);
            spread.add(score);
            if best.wants(score)
                && let Some(id) = admit(*slot)
            {
                best.offer(Candidate { score, id, slot: *slot });
            }
        }
        Ok((best.into_descending(), spread))
    }

    /// None where the slot has no vector, or one of another length.
    pub(crate) fn cosine_at(&self, vector: &Codes, slot: u32) -> Option<f64> {
        self.check(vector).ok()?;
        let (row, scale) = self.row(slot)?;
        Some(cosine(vector, row, scale))
    }

    pub(crate) fn cosine_between(&self, one: u32, other: u32) -> Option<f64> {
        let ((one, a), (other, b)) = (self.row(one)?, self.row(other)?);
        Some((i8::dot(one, other)? * f64::from(a * b)).clamp(-1.0, 1.0))
    }

    pub(crate) fn direction_at(&self, slot: u32) -> Option<Codes> {
        let (row, scale) = self.row(slot)?;
        Codes::from_parts(scale, row)
    }

    fn row_of(&self, slot: u32) -> Option<usize> {
        self.rows.get(slot as usize).filter(|row| **row != NO_ROW).map(|row| *row as usize)
    }

    fn row(&self, slot: u32) -> Option<(&[i8], f32)> {
        let row = self.row_of(slot)?;
        let start = row * self.dimensions;
        Some((&self.codes[start..start + self.dimensions], self.scales[row]))
    }

    /// The first vector fixes the dimensions for all others, until none is
    /// left.
    fn check(&self, vector: &Codes) -> Result<(), VectorError> {
        if !self.slots.is_empty() && vector.dimensions() != self.dimensions {
            return Err(VectorError::Dimensions { expected: self.dimensions, found: vector.dimensions() });
        }
        Ok(())
    }
}

fn cosine(vector: &Codes, row: &[i8], scale: f32) -> f64 {
    let dot = <i8 as SpatialSimilarity>::dot(vector.codes(), row).unwrap_or(0.0);
    (dot * f64::from(vector.scale() * scale)).clamp(-1.0, 1.0)
}
