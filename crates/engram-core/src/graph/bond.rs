//! A bond: the tie of one thing to another, with what speaks for it.
//!
//! A bond is one of its kind between two things, however often it is said; each
//! memory that says so makes it firmer and surer. It is never forgotten that
//! there was one: what holds no longer has an end. How a text tells of bonds is
//! `said`'s business, and which bonds end `prune`'s.

use crate::id::{EntityId, MemoryId};
use crate::unit::{Confidence, Weight};
use crate::words::words;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

words! {
    /// How one thing is tied to another.
    pub enum BondKind ("bond") {
        Uses = "uses",
        DependsOn = "depends_on",
        IsA = "is_a",
        PartOf = "part_of",
        Causes = "causes",
        Fixes = "fixes",
        Contradicts = "contradicts",
        Replaces = "replaces",
        RelatedTo = "related_to",
        TestedBy = "tested_by",
        ConfiguredBy = "configured_by",
        Imports = "imports",
    }
}

/// What tells one bond from another.
pub type BondKey = (EntityId, BondKind, EntityId);

/// A tie between two things.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bond {
    pub from: EntityId,
    pub kind: BondKind,
    pub to: EntityId,
    pub weight: Weight,
    pub confidence: Confidence,
    /// The memories that say so: the first and the latest, no more than
    /// `MOST_EVIDENCE`.
    pub evidence: Vec<MemoryId>,
    pub valid_from: Timestamp,
    /// Since when it holds no longer. None: it still does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invalid_at: Option<Timestamp>,
}

/// A bond names no more memories than this. Twenty bring any weight and any
/// confidence to one, so that nothing is counted twice for having been left
/// out.
pub const MOST_EVIDENCE: usize = 20;
/// What one more memory adds to the weight, and to the confidence (S0).
const FIRMER: f64 = 0.1;
const SURER: f64 = 0.05;

impl Bond {
    /// One that a memory tells of for the first time.
    pub fn new((from, kind, to): BondKey, by: MemoryId, at: Timestamp) -> Self {
        Self {
            from,
            kind,
            to,
            weight: Weight::DEFAULT,
            confidence: Confidence::DEFAULT,
            evidence: vec![by],
            valid_from: at,
            invalid_at: None,
        }
    }

    pub const fn key(&self) -> BondKey {
        (self.from, self.kind, self.to)
    }

    pub const fn is_valid(&self) -> bool {
        self.invalid_at.is_none()
    }

    /// How near it brings its two things.
    pub(super) fn pull(&self) -> Weight {
        Weight::clamped(self.weight.get() * self.confidence.get())
    }
}

/// The bond after a memory told of it at `at`. A memory counts once. One that
/// speaks later than the bond's end makes it hold again from then; an older
/// one, read late, says nothing about now.
pub fn strengthened(bond: &Bond, by: MemoryId, at: Timestamp) -> Bond {
    let mut stronger = bond.clone();
    if bond.evidence.contains(&by) {
        return stronger;
    }
    if stronger.evidence.len() >= MOST_EVIDENCE {
        // The first stays: it says where the bond comes from.
        stronger.evidence.remove(1);
    }
    stronger.evidence.push(by);
    stronger.weight = Weight::clamped(bond.weight.get() + FIRMER);
    stronger.confidence = Confidence::clamped(bond.confidence.get() + SURER);
    match bond.invalid_at {
        Some(end) if at >= end => (stronger.valid_from, stronger.invalid_at) = (at, None),
        Some(_) => {}
        None => stronger.valid_from = bond.valid_from.min(at),
    }
    stronger
}

/// Two kinds that one thing cannot have to another at once (S0), and why.
const EXCLUDE: [(BondKind, BondKind, &str); 2] = [
    (BondKind::Causes, BondKind::Contradicts, "what causes a thing does not contradict it"),
    (BondKind::Uses, BondKind::Replaces, "what replaces a thing does not use it"),
];

/// The pairs of bonds that cannot both hold, by their places, with the reason.
/// What holds no longer contradicts nothing.
pub fn contradictions(bonds: &[Bond]) -> Vec<(usize, usize, &'static str)> {
    let mut between: BTreeMap<(EntityId, EntityId), Vec<usize>> = BTreeMap::new();
    for (place, bond) in bonds.iter().enumerate().filter(|(_, bond)| bond.is_valid()) {
        between.entry((bond.from, bond.to)).or_default().push(place);
    }
    let mut found = Vec::new();
    for places in between.values() {
        let of = |kind: BondKind| places.iter().copied().filter(move |place| bonds[*place].kind == kind);
        for (one, other, reason) in EXCLUDE {
            found.extend(
                of(one)
                    .flat_map(|first| of(other).map(move |second| (first, second)))
                    .map(|(first, second)| (first, second, reason)),
            );
        }
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::trial::{bond, day, memory_id, thing};
    use BondKind::*;
    use proptest::prelude::*;

    #[test]
    fn a_new_bond_has_the_seeds_numbers() {
        let new = Bond::new((thing("api"), Uses, thing("redis")), memory_id(1), day(3));
        assert_eq!((new.weight.get(), new.confidence.get()), (0.5, 0.7));
        assert_eq!(
            (new.evidence.as_slice(), new.valid_from, new.invalid_at),
            (&[memory_id(1)][..], day(3), None)
        );
    }

    #[test]
    fn each_memory_that_says_so_makes_a_bond_firmer_and_surer_once() {
        let mut now = bond("api", Uses, "redis");
        for (number, weight, confidence) in [
            (2, 0.6, 0.75),
            (2, 0.6, 0.75),
            (3, 0.7, 0.8),
            (4, 0.8, 0.85),
            (5, 0.9, 0.9),
            (6, 1.0, 0.95),
            (7, 1.0, 1.0),
        ] {
            now = strengthened(&now, memory_id(number), day(5));
            let close = |found: f64, expected: f64| (found - expected).abs() < 1e-9;
            assert!(close(now.weight.get(), weight) && close(now.confidence.get(), confidence), "{now:?}");
        }
        assert_eq!(now.evidence.len(), 7);
        assert_eq!(now.valid_from, day(0));
    }

    #[test]
    fn a_bond_that_ended_holds_again_from_when_it_is_seen_again() {
        let ended = Bond { invalid_at: Some(day(10)), ..bond("api", Uses, "redis") };
        let again = strengthened(&ended, memory_id(2), day(12));
        assert_eq!((again.valid_from, again.invalid_at), (day(12), None));
        let late = strengthened(&ended, memory_id(2), day(9));
        assert_eq!((late.valid_from, late.invalid_at, late.evidence.len()), (day(0), Some(day(10)), 2));
        assert_eq!(strengthened(&ended, memory_id(1), day(12)), ended);
    }

    #[test]
    fn a_bond_keeps_the_first_memory_and_the_latest() {
        let bond =
            (2..60).fold(bond("api", Uses, "redis"), |bond, n| strengthened(&bond, memory_id(n), day(1)));
        assert_eq!(bond.evidence.len(), MOST_EVIDENCE);
        assert_eq!(
            (bond.evidence[0], bond.evidence[1], bond.evidence[19]),
            (memory_id(1), memory_id(41), memory_id(59))
        );
    }

    #[test]
    fn what_excludes_each_other_is_found_among_what_holds() {
        let bonds = [
            bond("a", Uses, "b"),
            bond("a", Replaces, "b"),
            bond("a", Replaces, "c"),
            bond("b", Uses, "a"),
            bond("x", Contradicts, "y"),
            bond("x", Causes, "y"),
            bond("x", Uses, "y"),
            Bond { invalid_at: Some(day(1)), ..bond("x", Replaces, "y") },
        ];
        let found: Vec<(usize, usize)> =
            contradictions(&bonds).into_iter().map(|(one, other, _)| (one, other)).collect();
        assert_eq!(found, [(0, 1), (5, 4)]);
    }

    #[test]
    fn a_bond_reads_back_as_it_was() {
        let bond = Bond { invalid_at: Some(day(4)), ..bond("a", TestedBy, "b") };
        let line = serde_json::to_string(&bond).unwrap();
        assert!(line.contains("\"tested_by\""), "{line}");
        assert_eq!(serde_json::from_str::<Bond>(&line).unwrap(), bond);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]

        #[test]
        fn no_memory_ever_counts_twice(
            weight in 0.0..=1.0_f64,
            confidence in 0.0..=1.0_f64,
            told in prop::collection::vec(1..40_u64, 0..120),
        ) {
            let mut now = Bond {
                weight: Weight::clamped(weight),
                confidence: Confidence::clamped(confidence),
                ..bond("a", Uses, "b")
            };
            let mut seen = std::collections::BTreeSet::from([memory_id(1)]);
            for number in told {
                let after = strengthened(&now, memory_id(number), day(2));
                prop_assert!(after.weight >= now.weight && after.confidence >= now.confidence);
                if !seen.insert(memory_id(number)) {
                    prop_assert_eq!((after.weight, after.confidence), (now.weight, now.confidence));
                }
                prop_assert!(after.evidence.len() <= MOST_EVIDENCE);
                now = after;
            }
        }
    }
}
