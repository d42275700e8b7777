//! What the value of each arm is multiplied by, and how what was learned gets
//! into the weights of a ranking.

use super::{Learned, LearnedKey, Shares, Subject};
use crate::ask::QueryType;
use crate::rank::Weights;
use crate::recalled::Arm;
use std::collections::BTreeSet;

/// What the value of each arm is multiplied by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArmWeights {
    pub words: f64,
    pub table: f64,
    pub model: f64,
    pub graph: f64,
}

impl ArmWeights {
    /// Those of a ranking. Without a model its arm has no weight.
    pub fn of(weights: &Weights, with_model: bool) -> Self {
        match with_model {
            true => Self {
                words: weights.words_beside_model,
                table: weights.table_beside_model,
                model: weights.model,
                graph: weights.graph,
            },
            false => Self { words: weights.words, table: weights.table, model: 0.0, graph: weights.graph },
        }
    }

    pub const fn of_arm(&self, arm: Arm) -> f64 {
        match arm {
            Arm::Words => self.words,
            Arm::Table => self.table,
            Arm::Model => self.model,
            Arm::Graph => self.graph,
        }
    }

    /// Puts them into the weights of a ranking.
    pub fn put(&self, weights: &mut Weights, with_model: bool) {
        if with_model {
            (weights.words_beside_model, weights.table_beside_model) = (self.words, self.table);
            weights.model = self.model;
        } else {
            (weights.words, weights.table) = (self.words, self.table);
        }
        weights.graph = self.graph;
    }

    /// The arms that have a say at all. One whose weight is zero left no value
    /// in the log, and nothing can be learned of it.
    pub(super) fn in_play(&self) -> impl Iterator<Item = Arm> {
        Arm::ALL.iter().copied().filter(|arm| self.of_arm(*arm) > 0.0)
    }

    /// What each arm in play has of them all. None: no arm is in play.
    pub fn shares(&self) -> Option<Shares> {
        Shares::whole(self.in_play().map(|arm| (arm.as_str(), self.of_arm(arm))))
    }

    /// These arms share otherwise what they have together; the rest stay as they
    /// are, and so does the sum.
    pub(super) fn sharing(&self, shares: &Shares, free: impl Fn(Arm) -> bool) -> Self {
        let share = |arm: Arm| shares.of(arm.as_str()).map(|share| share.get());
        let free: Vec<(Arm, f64)> =
            self.in_play().filter(|arm| free(*arm)).filter_map(|arm| Some((arm, share(arm)?))).collect();
        let sum: f64 = free.iter().map(|(arm, _)| self.of_arm(*arm)).sum();
        let whole: f64 = free.iter().map(|(_, share)| share).sum();
        let mut shared = *self;
        for (arm, share) in free.into_iter().filter(|_| whole > 0.0) {
            let weight = match arm {
                Arm::Words => &mut shared.words,
                Arm::Table => &mut shared.table,
                Arm::Model => &mut shared.model,
                Arm::Graph => &mut shared.graph,
            };
            *weight = sum * share / whole;
        }
        shared
    }
}

/// What a setting calls the weight of an arm.
const fn name_of(arm: Arm, with_model: bool) -> &'static str {
    match (arm, with_model) {
        (Arm::Words, true) => "words_beside_model",
        (Arm::Table, true) => "table_beside_model",
        (Arm::Words, false) => "words",
        (Arm::Table, false) => "table",
        (Arm::Model, _) => "model",
        (Arm::Graph, _) => "graph",
    }
}

/// What counts for questions of this type: what was learned for the type itself,
/// or else for all together.
pub(super) fn in_force(learned: &[Learned], key: LearnedKey) -> Option<&Learned> {
    let of = |key: LearnedKey| learned.iter().find(|row| row.key == key && !row.is_forgotten());
    of(key).or_else(|| of(LearnedKey { query_type: None, ..key }))
}

/// The weights with what was learned about questions of this type. What the arms
/// add up to stays, so that all else weighs what it weighed beside them. `fixed`
/// are the names of the weights that a person has set (`Weights::NAMES`); they
/// are left alone.
pub fn applied(
    base: Weights,
    learned: &[Learned],
    query_type: QueryType,
    with_model: bool,
    fixed: &BTreeSet<&str>,
) -> Weights {
    let key = LearnedKey { subject: Subject::Arms, query_type: Some(query_type), with_model };
    let Some(row) = in_force(learned, key) else { return base };
    let free = |arm| !fixed.contains(name_of(arm, with_model));
    let mut weights = base;
    ArmWeights::of(&base, with_model).sharing(&row.shares, free).put(&mut weights, with_model);
    weights
}
