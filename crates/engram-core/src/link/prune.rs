//! Which edges go when there are too many.
//!
//! The loosest go first. What took whose place, what went into what, what
//! contradicts and what caused what is the history of a belief and never goes;
//! neither does what a skill or another memory was made of, and the latter is
//! not counted. Who removes them is
//! not known here.

use super::relation::strength_of;
use crate::memory::{Relation, RelationKind};

/// With more edges than this, some go.
pub const MOST_EDGES: usize = 1_000;
/// So many are left, as far as they may go at all. From here on the loosest
/// are not drawn any more either: they would be the first to go.
pub const ENOUGH_EDGES: usize = 900;

/// The edges to remove: none up to a thousand, else as many as leave nine
/// hundred. The weakest kind goes first (`BY_STRENGTH`), within it the lowest
/// confidence, then the oldest. What never goes may leave more than that.
pub fn plan_pruning(relations: &[Relation]) -> Vec<Relation> {
    let counted = relations.iter().filter(|edge| edge.kind != RelationKind::DerivedFrom).count();
    if counted <= MOST_EDGES {
        return Vec::new();
    }
    let mut removable: Vec<&Relation> = relations.iter().filter(|edge| !is_protected(edge.kind)).collect();
    removable.sort_by_key(|edge| (strength_of(edge.kind), edge.confidence, edge.created_at, *edge));
    removable.into_iter().take(counted - ENOUGH_EDGES).cloned().collect()
}

const fn is_protected(kind: RelationKind) -> bool {
    use RelationKind::*;
    matches!(kind, Supersedes | MergedInto | InstanceOf | Contradicts | Causes | CausedBy | DerivedFrom)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::MemoryId;
    use crate::link::entity::tests::day;
    use crate::unit::Confidence;
    use RelationKind::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn edge(number: usize, kind: RelationKind, confidence: f64, age: i64) -> Relation {
        let memory = |number: usize| MemoryId::from_ulid(ulid::Ulid(number as u128));
        Relation {
            from: memory(2 * number),
            kind,
            to: memory(2 * number + 1),
            created_at: day(-age),
            confidence: Confidence::clamped(confidence),
        }
    }

    /// So many edges of each kind, with confidences and ages that repeat.
    fn edges(counts: &[(RelationKind, usize)]) -> Vec<Relation> {
        let kinds = counts.iter().flat_map(|(kind, count)| std::iter::repeat_n(*kind, *count));
        kinds
            .enumerate()
            .map(|(number, kind)| edge(number, kind, (number % 7) as f64 / 10.0, (number % 5) as i64))
            .collect()
    }

    fn count(relations: &[Relation], kind: RelationKind) -> usize {
        relations.iter().filter(|edge| edge.kind == kind).count()
    }

    #[test]
    fn up_to_a_thousand_nothing_goes() {
        assert!(plan_pruning(&edges(&[(RelatedTo, 1_000)])).is_empty());
        assert_eq!(plan_pruning(&edges(&[(RelatedTo, 1_001)])).len(), 101);
    }

    #[test]
    fn the_loosest_kind_goes_first() {
        for (kept, gone) in [RelatedTo, SimilarTo, SameEntity, Elaborates, PartOf, Supports]
            .windows(2)
            .map(|pair| (pair[1], pair[0]))
        {
            let removed = plan_pruning(&edges(&[(kept, 950), (gone, 60)]));
            assert_eq!((count(&removed, gone), count(&removed, kept)), (60, 50), "{gone} before {kept}");
        }
    }

    #[test]
    fn within_a_kind_the_least_sure_goes_first_and_then_the_oldest() {
        let mut relations = edges(&[(Supersedes, 900)]);
        relations.extend((0..101).map(|number| edge(2_000 + number, RelatedTo, 0.4, 0)));
        relations.push(edge(3_000, RelatedTo, 0.3, 0));
        relations.push(edge(3_001, RelatedTo, 0.4, 9));
        let removed = plan_pruning(&relations);
        assert_eq!(removed.len(), 103);
        assert_eq!(removed[0], edge(3_000, RelatedTo, 0.3, 0));
        assert_eq!(removed[1], edge(3_001, RelatedTo, 0.4, 9));
    }

    #[test]
    fn what_never_goes_may_leave_more_than_enough() {
        let relations = edges(&[(Supersedes, 400), (Contradicts, 400), (Causes, 200), (RelatedTo, 30)]);
        let removed = plan_pruning(&relations);
        assert_eq!((removed.len(), count(&removed, RelatedTo)), (30, 30));
        assert!(plan_pruning(&edges(&[(CausedBy, 2_000)])).is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]

        #[test]
        fn pruning_ends_where_it_should_and_then_has_nothing_to_do(
            drawn in prop::collection::vec((0..RelationKind::ALL.len(), 0..=10_u8, 0..100_i64), 0..1_400),
        ) {
            let relations: Vec<Relation> = drawn
                .into_iter()
                .enumerate()
                .map(|(number, (kind, tenths, age))| {
                    edge(number, RelationKind::ALL[kind], f64::from(tenths) / 10.0, age)
                })
                .collect();
            let removed: BTreeSet<Relation> = plan_pruning(&relations).into_iter().collect();
            prop_assert!(removed.iter().all(|edge| !is_protected(edge.kind)));
            let left: Vec<Relation> = relations.iter().filter(|edge| !removed.contains(edge)).cloned().collect();
            let counted = |edges: &[Relation]| edges.iter().filter(|edge| edge.kind != DerivedFrom).count();
            let protected = left.iter().filter(|edge| is_protected(edge.kind) && edge.kind != DerivedFrom).count();
            if counted(&relations) > MOST_EDGES {
                prop_assert_eq!(counted(&left), ENOUGH_EDGES.max(protected));
            } else {
                prop_assert_eq!(left.len(), relations.len());
            }
            let weakest = left.iter().filter(|edge| !is_protected(edge.kind)).map(|edge| strength_of(edge.kind)).min();
            let strongest = removed.iter().map(|edge| strength_of(edge.kind)).max();
            prop_assert!(weakest.is_none() || strongest <= weakest);
            prop_assert!(plan_pruning(&left).is_empty());
        }
    }
}
