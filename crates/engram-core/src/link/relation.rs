//! How a new memory bears on the memories near it.
//!
//! What two texts claim is judged elsewhere and arrives as a bearing; here it
//! becomes an edge, together with what shared names, shared words and words of
//! cause tell. A pair gets one edge: the strongest that a rule gives. That one
//! memory takes the place of another is the gate's to say, never a rule's.

use super::cause::cause_in;
use crate::Similarity;
use crate::claim::{Bearing, overlap};
use crate::id::{EntityId, MemoryId};
use crate::kind::{Class, Kind};
use crate::memory::{Relation, RelationKind};
use crate::unit::Confidence;
use jiff::Timestamp;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// A new memory gets no more edges than this, the strongest of all its
/// neighbours: a memory that is tied to everything leads nowhere.
pub const MOST_DRAWN: usize = 3;

/// Every kind, the weakest first. It decides which of two rules counts for a
/// pair, which edges a memory with many neighbours gets, and which edges go
/// when there are too many.
pub(super) const BY_STRENGTH: [RelationKind; 13] = [
    RelationKind::RelatedTo,
    RelationKind::SimilarTo,
    RelationKind::SameEntity,
    RelationKind::Elaborates,
    RelationKind::PartOf,
    RelationKind::DerivedFrom,
    RelationKind::Supports,
    RelationKind::CausedBy,
    RelationKind::Causes,
    RelationKind::Contradicts,
    RelationKind::InstanceOf,
    RelationKind::MergedInto,
    RelationKind::Supersedes,
];

pub(super) fn strength_of(kind: RelationKind) -> usize {
    BY_STRENGTH.iter().position(|other| *other == kind).unwrap_or(0)
}

/// How sure a rule is of its edge. The last three are the seed's own numbers;
/// the others stand on a judged claim or on the turn itself, and are surer
/// than shared words. Likeness is its own confidence.
fn confidence_of(kind: RelationKind, likeness: Similarity) -> Confidence {
    use RelationKind::*;
    Confidence::clamped(match kind {
        Supersedes | MergedInto | InstanceOf => 1.0,
        DerivedFrom => 0.9,
        Contradicts | Supports => 0.8,
        SimilarTo => likeness.get(),
        Causes | CausedBy | PartOf => 0.6,
        SameEntity => 0.7,
        Elaborates => 0.5,
        RelatedTo => 0.4,
    })
}

/// More shared words than this make one text a longer word on the other's
/// subject, if they name a thing together.
const ELABORATES: f64 = 0.30;
/// More than this tie two texts of one kind loosely.
const RELATED: f64 = 0.15;
/// From this likeness on two texts are similar.
const SIMILAR: f64 = 0.75;

/// A memory that is about to be kept.
#[derive(Debug, Clone, Copy)]
pub struct Newcomer<'t> {
    pub id: MemoryId,
    pub text: &'t str,
    pub kind: Kind,
    pub entities: &'t [EntityId],
    /// What its turn said first; none for what was stated outright.
    pub opening: Option<MemoryId>,
    pub at: Timestamp,
}

/// A memory near it. One that the gate has settled the newcomer's quarrel
/// with, by putting the newcomer in its place, is no neighbour any more and is
/// not handed in.
#[derive(Debug, Clone, Copy)]
pub struct Neighbour<'t> {
    pub id: MemoryId,
    pub text: &'t str,
    pub kind: Kind,
    pub entities: &'t [EntityId],
    pub likeness: Similarity,
    /// What the newcomer means for it.
    pub bearing: &'t Bearing,
    /// Both were made of one turn.
    pub same_turn: bool,
    /// It was there first, or comes first in the turn.
    pub before: bool,
}

/// The edges that a new memory brings, the strongest first.
pub fn plan_relations(new: &Newcomer<'_>, neighbours: &[Neighbour<'_>]) -> Vec<Relation> {
    let others = neighbours.iter().filter(|old| old.id != new.id);
    let mut drawn: Vec<(Similarity, Relation)> =
        others.filter_map(|old| Some((old.likeness, draw(new, old)?))).collect();
    drawn.sort_by_key(|(likeness, edge)| {
        (Reverse((strength_of(edge.kind), edge.confidence, *likeness)), edge.clone())
    });
    let mut edges: Vec<Relation> = Vec::new();
    for (_, edge) in drawn {
        // A neighbour may come twice, from two ways of searching.
        if edges.len() < MOST_DRAWN && !edges.iter().any(|other| ends_of(other) == ends_of(&edge)) {
            edges.push(edge);
        }
    }
    edges
}

fn ends_of(edge: &Relation) -> BTreeSet<MemoryId> {
    BTreeSet::from([edge.from, edge.to])
}

/// Which way an edge points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    FromNew,
    FromOld,
}

fn draw(new: &Newcomer<'_>, old: &Neighbour<'_>) -> Option<Relation> {
    let (kind, way) = tie_of(new, old)?;
    let (from, to) = match way {
        Way::FromNew => (new.id, old.id),
        Way::FromOld => (old.id, new.id),
    };
    let confidence = confidence_of(kind, old.likeness);
    Some(Relation { from, kind, to, created_at: new.at, confidence })
}

/// The strongest tie of a pair: the rules in the order of `BY_STRENGTH`, from
/// its end.
fn tie_of(new: &Newcomer<'_>, old: &Neighbour<'_>) -> Option<(RelationKind, Way)> {
    use RelationKind::*;
    use Way::*;
    let named: BTreeSet<&EntityId> = new.entities.iter().collect();
    let shared = old.entities.iter().collect::<BTreeSet<_>>().intersection(&named).count();
    let words = overlap(new.text, old.text).get();
    let later = if old.before { FromNew } else { FromOld };
    match old.bearing {
        Bearing::Contradicts(_) => return Some((Contradicts, FromNew)),
        // The same words twice in one turn are no second witness.
        Bearing::Same => return (!old.same_turn).then_some((Supports, FromNew)),
        _ => {}
    }
    if let Some(way) = caused(new, old, shared > 0 || words > ELABORATES) {
        return Some((Causes, way));
    }
    if let Some(way) = told_in(new, old) {
        return Some((DerivedFrom, way));
    }
    if old.same_turn && old.before && new.opening == Some(old.id) && (shared > 0 || words > RELATED) {
        return Some((PartOf, FromNew));
    }
    match old.bearing {
        Bearing::Adds => return Some((Elaborates, FromNew)),
        Bearing::Contained => return Some((Elaborates, FromOld)),
        _ if shared > 0 && words > ELABORATES => return Some((Elaborates, later)),
        _ => {}
    }
    if shared > 1 {
        Some((SameEntity, FromNew))
    } else if old.likeness.get() >= SIMILAR {
        Some((SimilarTo, FromNew))
    } else {
        (new.kind == old.kind && words > RELATED).then_some((RelatedTo, FromNew))
    }
}

/// One of the two says why something is so, and the other is the reason or
/// what it explains: the cause causes the effect. The new text is asked first.
/// A text that says all that the other says, reason and effect, is neither.
fn caused(new: &Newcomer<'_>, old: &Neighbour<'_>, near: bool) -> Option<Way> {
    let told = |says_why: &str, other: &str, whole: Bearing| {
        if near && *old.bearing != whole { side_of(says_why, other) } else { None }
    };
    match told(new.text, old.text, Bearing::Contained) {
        Some(Side::Cause) => Some(Way::FromOld),
        Some(Side::Effect) => Some(Way::FromNew),
        None => told(old.text, new.text, Bearing::Adds).map(|side| match side {
            Side::Cause => Way::FromNew,
            Side::Effect => Way::FromOld,
        }),
    }
}

enum Side {
    Cause,
    Effect,
}

/// Which side of a word of cause the other text is about. Where it is about
/// both, nothing can be told.
fn side_of(says_why: &str, other: &str) -> Option<Side> {
    let said = cause_in(says_why)?;
    let (cause, effect) = (overlap(said.cause, other).get(), overlap(said.effect, other).get());
    let (more, side) = if cause > effect { (cause, Side::Cause) } else { (effect, Side::Effect) };
    (more > RELATED && cause.min(effect) <= more / 2.0).then_some(side)
}

/// One of the two is the turn as it was told, the other was read from it.
fn told_in(new: &Newcomer<'_>, old: &Neighbour<'_>) -> Option<Way> {
    let told = |kind: Kind| kind.class() == Class::Narrative && kind != Kind::Summary;
    match (told(new.kind), told(old.kind)) {
        _ if !old.same_turn => None,
        (false, true) => Some(Way::FromNew),
        (true, false) => Some(Way::FromOld),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
