//! From what each arm says of a candidate to one score with its reasons.
//!
//! Words are measured against the best match there is, because their scores
//! have no scale of their own. Directions are measured by how far they stand
//! out from all others: an arm whose list has no clear head then counts for
//! little, whatever its weight.

use super::{Factor, Ranked, ScopeWeights, Signal, TextReason, Weights, in_order};
use crate::ask::Intent;
use crate::ask::when::Order;
use crate::id::MemoryId;
use crate::kind::{Kind, Scope};
use jiff::Timestamp;
use std::collections::HashMap;

/// So many standard deviations above the mean count as one.
const CLEARLY_OUT: f64 = 5.0;
/// Below this confidence a memory is in doubt.
const IN_DOUBT: f64 = 0.3;

/// One memory of one scope, with everything that may speak for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub id: MemoryId,
    pub scope: Scope,
    /// Others learned it, and the team told of it.
    pub vicarious: bool,
    pub kind: Kind,
    /// Decides between two copies of one memory.
    pub updated_at: Timestamp,
    /// By its words, on the scale of the arm.
    pub words: f64,
    /// In standard deviations.
    pub table: Option<f64>,
    pub model: Option<f64>,
    /// By the best embedder, between zero and one.
    pub likeness: Option<f64>,
    pub by_named: bool,
    pub of_self: bool,
    pub in_time: bool,
    /// When it was said, or became true.
    pub said_at: Timestamp,
    /// How well it fits one part of a question that has several, beside what
    /// fits that part best.
    pub part: f64,
    /// The same for what an edge leads from, less for every further edge.
    pub linked: f64,
    /// How many names of the question it has.
    pub names: u32,
    /// What was said around it, where people are told apart by name.
    pub previous: Option<Neighbour>,
    pub next: Option<MemoryId>,
    /// The rest lie between zero and one.
    pub recency: f64,
    pub activation: f64,
    pub importance: f64,
    pub utility: f64,
    pub freshness: f64,
    pub confidence: f64,
    pub same_session: bool,
    /// Between minus one and one; see `sub_tier_of`.
    pub sub_tier: f64,
    pub hot: bool,
    /// It is in the mood of whoever asks.
    pub same_mood: bool,
    /// It may contradict what is known.
    pub challenged: bool,
    /// It has faded and was put away.
    pub archived: bool,
    /// How much leads to it from the things that the question names, beside
    /// what most leads to.
    pub graph: f64,
    /// It was taken up often enough beside one of the first.
    pub together: bool,
}

#[cfg(test)]
impl Candidate {
    /// One that nothing speaks for.
    pub(super) fn plain(id: MemoryId) -> Self {
        Self {
            id,
            scope: Scope::Project,
            vicarious: false,
            kind: Kind::Fact,
            updated_at: Timestamp::UNIX_EPOCH,
            words: 0.0,
            table: None,
            model: None,
            likeness: None,
            by_named: false,
            of_self: false,
            in_time: false,
            said_at: Timestamp::UNIX_EPOCH,
            part: 0.0,
            linked: 0.0,
            names: 0,
            previous: None,
            next: None,
            recency: 0.0,
            activation: 0.0,
            importance: 0.0,
            utility: 0.5,
            freshness: 0.0,
            confidence: 1.0,
            same_session: false,
            sub_tier: 0.0,
            hot: false,
            same_mood: false,
            challenged: false,
            archived: false,
            graph: 0.0,
            together: false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neighbour {
    pub id: MemoryId,
    /// It ended in a question.
    pub asks: bool,
}

/// What is asked, and what the arms' lists look like as a whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    /// The best score by words among everything searched.
    pub most_words: f64,
    pub with_model: bool,
    /// A message that goes on with something, not a question about the past.
    pub message: bool,
    pub intent: Intent,
    pub order: Option<Order>,
}

impl Default for Field {
    fn default() -> Self {
        Self { most_words: 0.0, with_model: false, message: false, intent: Intent::General, order: None }
    }
}

/// Scores the candidates of all scopes and orders them. What nothing speaks
/// for is left out.
pub fn fuse(
    candidates: &[Candidate],
    field: &Field,
    weights: &Weights,
    scopes: &ScopeWeights,
) -> Vec<Ranked> {
    let beside = Beside::of(candidates, field, weights);
    let alone: Vec<Vec<Factor>> = candidates
        .iter()
        .enumerate()
        .map(|(place, candidate)| of_itself(candidate, beside.signals(place, candidate), field, weights))
        .collect();
    // Only neighbours are looked up by their name.
    let in_a_row =
        candidates.iter().any(|candidate| candidate.previous.is_some() || candidate.next.is_some());
    let summed = candidates.iter().zip(&alone).filter(|_| in_a_row);
    let sums: HashMap<(Scope, MemoryId), f64> =
        summed.map(|(candidate, factors)| ((candidate.scope, candidate.id), sum(factors).max(0.0))).collect();
    let mut ranked: Vec<Ranked> = candidates
        .iter()
        .zip(alone)
        .map(|(candidate, mut factors)| {
            let of = |id: MemoryId| sums.get(&(candidate.scope, id)).copied().unwrap_or(0.0);
            let mut add = |signal, value| factors.extend(factor(signal, value, field, weights));
            if let Some(previous) = candidate.previous {
                add(Signal::Previous, of(previous.id));
                if previous.asks {
                    add(Signal::Answers, of(previous.id));
                }
            }
            if let Some(next) = candidate.next {
                add(Signal::Next, of(next));
            }
            let scope_weight = scopes.of(candidate.scope, candidate.vicarious);
            Ranked {
                id: candidate.id,
                scope: candidate.scope,
                score: sum(&factors) * scope_weight,
                factors,
                text: TextReason { score: candidate.words, terms: Vec::new() },
                scope_weight,
                also_in: Vec::new(),
            }
        })
        .filter(|ranked| ranked.score > 0.0)
        .collect();
    ranked.sort_by(in_order);
    ranked
}

/// What can be said of a candidate only beside the others.
struct Beside {
    /// By the place of the candidate; empty where nobody asks for it.
    places: Vec<f64>,
    /// The order that was asked for, the earliest and the latest moment.
    order: Option<(Order, Timestamp, Timestamp)>,
}

impl Beside {
    fn of(candidates: &[Candidate], field: &Field, weights: &Weights) -> Self {
        let moments = || candidates.iter().map(|candidate| candidate.said_at);
        let span = moments().min().zip(moments().max());
        Self {
            places: if weights.places == 0.0 { Vec::new() } else { places(candidates) },
            order: field.order.zip(span).map(|(order, (first, last))| (order, first, last)),
        }
    }

    fn signals(&self, place: usize, candidate: &Candidate) -> [(Signal, f64); 2] {
        let order = self.order.map_or(0.0, |(order, first, last)| {
            let whole = last.duration_since(first).as_secs_f64().max(1.0);
            let late = candidate.said_at.duration_since(first).as_secs_f64() / whole;
            if order == Order::Newest { late } else { 1.0 - late }
        });
        [(Signal::Places, self.places.get(place).copied().unwrap_or(0.0)), (Signal::Order, order)]
    }
}

/// Reciprocal rank fusion of the list by words and the one by direction: one
/// for what is first in both.
fn places(candidates: &[Candidate]) -> Vec<f64> {
    const K: f64 = 60.0;
    let mut fused = vec![0.0; candidates.len()];
    let by_words = |candidate: &Candidate| Some(candidate.words).filter(|score| *score > 0.0);
    let by_direction = |candidate: &Candidate| candidate.model.or(candidate.table);
    for score in [&by_words as &dyn Fn(&Candidate) -> Option<f64>, &by_direction] {
        let mut list: Vec<(usize, f64)> =
            candidates.iter().enumerate().filter_map(|(at, one)| Some((at, score(one)?))).collect();
        list.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        for (rank, (at, _)) in list.into_iter().enumerate() {
            fused[at] += (K + 1.0) / (K + rank as f64 + 1.0) / 2.0;
        }
    }
    fused
}

/// What speaks for a candidate without a look at its neighbours.
fn of_itself(
    candidate: &Candidate,
    beside: [(Signal, f64); 2],
    field: &Field,
    weights: &Weights,
) -> Vec<Factor> {
    let yes = |holds: bool| if holds { 1.0 } else { 0.0 };
    let words = if field.most_words > 0.0 { candidate.words / field.most_words } else { 0.0 };
    let out = |deviations: Option<f64>| deviations.unwrap_or(0.0) / CLEARLY_OUT;
    let signals = [
        (Signal::Words, words),
        (Signal::Table, out(candidate.table)),
        (Signal::Model, out(candidate.model)),
        (Signal::Speaker, yes(candidate.by_named)),
        (Signal::OfSelf, yes(candidate.of_self)),
        (Signal::Time, yes(candidate.in_time)),
        (Signal::Recency, if field.message { candidate.recency } else { 0.0 }),
        (Signal::Activation, candidate.activation),
        (Signal::Importance, candidate.importance),
        // What nobody judged yet stands at one half, and is neither raised nor
        // lowered; praise alone must not show what nothing else speaks for.
        (Signal::Utility, 2.0 * candidate.utility - 1.0),
        (Signal::Freshness, candidate.freshness),
        (Signal::Part, candidate.part),
        (Signal::Linked, candidate.linked),
        (Signal::Likeness, candidate.likeness.unwrap_or(0.0)),
        (Signal::Kind, yes(field.intent.route().kinds.contains(&candidate.kind))),
        (Signal::Entity, f64::from(candidate.names)),
        (Signal::Episode, yes(candidate.same_session)),
        (Signal::SubTier, candidate.sub_tier),
        (Signal::Mood, yes(candidate.same_mood)),
        (Signal::Hot, yes(candidate.hot)),
        (Signal::Doubt, yes(candidate.challenged || candidate.confidence < IN_DOUBT)),
        (Signal::Archived, yes(candidate.archived)),
        (Signal::Graph, candidate.graph),
        (Signal::Together, yes(candidate.together)),
    ];
    signals
        .into_iter()
        .chain(beside)
        .filter_map(|(signal, value)| factor(signal, value, field, weights))
        .collect()
}

fn factor(signal: Signal, value: f64, field: &Field, weights: &Weights) -> Option<Factor> {
    let weight = weights.of(signal, field);
    let adds = value * weight;
    (adds != 0.0).then_some(Factor { signal, value, weight, adds })
}

fn sum(factors: &[Factor]) -> f64 {
    factors.iter().map(|factor| factor.adds).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u128) -> MemoryId {
        MemoryId::from_ulid(ulid::Ulid(number))
    }

    fn plain(number: u128) -> Candidate {
        Candidate::plain(id(number))
    }

    fn order(candidates: &[Candidate], field: Field) -> Vec<MemoryId> {
        let ranked = fuse(candidates, &field, &Weights::default(), &ScopeWeights::DEFAULT);
        ranked.into_iter().map(|ranked| ranked.id).collect()
    }

    #[test]
    fn the_score_is_the_sum_of_its_reasons_times_the_scope() {
        let candidate =
            Candidate { words: 3.0, table: Some(2.5), of_self: true, scope: Scope::User, ..plain(1) };
        let field = Field { most_words: 4.0, ..Field::default() };
        let ranked = fuse(&[candidate], &field, &Weights::default(), &ScopeWeights::DEFAULT).remove(0);
        let expected = (0.75 * 0.5 + 0.5 * 0.4 + 0.2) * (0.7 + 0.3 * 0.15 / 0.5);
        assert!((ranked.score - expected).abs() < 1e-12, "{ranked:?}");
        assert_eq!(ranked.factors.len(), 3);
    }

    #[test]
    fn words_and_direction_together_beat_either() {
        let field = Field { most_words: 10.0, ..Field::default() };
        let words = Candidate { words: 10.0, table: Some(0.0), ..plain(1) };
        let near = Candidate { table: Some(5.0), ..plain(2) };
        let both = Candidate { words: 7.0, table: Some(4.0), ..plain(3) };
        assert_eq!(order(&[words, near, both], field), [id(3), id(1), id(2)]);
    }

    #[test]
    fn an_answer_rises_with_its_question() {
        let field = Field { most_words: 10.0, ..Field::default() };
        let question = Candidate { words: 10.0, ..plain(1) };
        let answer =
            |asks| Candidate { words: 1.0, previous: Some(Neighbour { id: id(1), asks }), ..plain(2) };
        let rival = Candidate { words: 3.0, ..plain(3) };
        assert_eq!(order(&[question.clone(), answer(true), rival.clone()], field), [id(1), id(2), id(3)]);
        assert_eq!(order(&[question, answer(false), rival], field), [id(1), id(3), id(2)]);
    }

    #[test]
    fn recency_counts_for_messages_only() {
        let old = Candidate { words: 5.0, ..plain(1) };
        let new = Candidate { words: 4.9, recency: 1.0, ..plain(2) };
        let field = |message| Field { most_words: 5.0, message, ..Field::default() };
        assert_eq!(order(&[old.clone(), new.clone()], field(false)), [id(1), id(2)]);
        assert_eq!(order(&[old, new], field(true)), [id(2), id(1)]);
    }

    #[test]
    fn the_order_that_was_asked_for_counts() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let early = Candidate { words: 5.0, said_at: at(0), ..plain(1) };
        let late = Candidate { words: 5.0, said_at: at(100), ..plain(2) };
        let field = |order| Field { most_words: 5.0, order, ..Field::default() };
        let both = [early, late];
        assert_eq!(order(&both, field(Some(Order::Newest))), [id(2), id(1)]);
        assert_eq!(order(&both, field(Some(Order::Oldest))), [id(1), id(2)]);
    }

    #[test]
    fn places_are_those_of_reciprocal_rank() {
        let first = Candidate { words: 3.0, table: Some(1.0), ..plain(1) };
        let second = Candidate { words: 2.0, table: Some(4.0), ..plain(2) };
        let neither = plain(3);
        let half = 61.0 / 62.0 / 2.0;
        assert_eq!(places(&[first, second, neither]), [0.5 + half, 0.5 + half, 0.0]);
    }

    #[test]
    fn an_intent_moves_weight_between_words_and_directions() {
        let weights = Weights { intent: 1.0, ..Weights::default() };
        let field = Field { intent: Intent::Temporal, ..Field::default() };
        assert!((weights.of(Signal::Words, &field) - 0.5 * 1.2).abs() < 1e-12);
        assert!((weights.of(Signal::Table, &field) - 0.4 * 0.8).abs() < 1e-12);
        assert_eq!(Weights::default().of(Signal::Words, &field), 0.5);
    }

    #[test]
    fn what_served_well_rises_what_served_badly_sinks_and_the_rest_stays() {
        let field = Field { most_words: 5.0, ..Field::default() };
        let weights = Weights { utility: 0.1, together: 0.05, ..Weights::default() };
        let score = |utility: f64, together: bool| {
            let candidate = Candidate { words: 5.0, utility, together, ..plain(1) };
            fuse(&[candidate], &field, &weights, &ScopeWeights { session: 0.0, project: 1.0, user: 0.0 })
                .remove(0)
        };
        for (utility, together, expected) in
            [(0.5, false, 0.5), (1.0, false, 0.6), (0.0, false, 0.4), (0.75, false, 0.55), (0.5, true, 0.55)]
        {
            let found = score(utility, together).score;
            assert!((found - expected).abs() < 1e-12, "{utility} {together}: {found}");
        }
        assert_eq!(score(0.5, false).factors.len(), 1, "one half is no reason");
    }

    #[test]
    fn what_nothing_speaks_for_is_left_out() {
        let against = Candidate { table: Some(-2.0), ..plain(1) };
        assert!(order(&[plain(2), against], Field::default()).is_empty());
    }
}
