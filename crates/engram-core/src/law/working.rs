//! Working memory: the nine places of a session, and who leaves when there are
//! more.
//!
//! Where what leaves goes to is the caller's part; nothing here changes a memory.

use crate::id::MemoryId;
use crate::memory::Memory;
use crate::unit::WorkingScore;
use jiff::{SignedDuration, Timestamp};

/// So many memories a session holds at once: seven, and two more (S3).
pub const WORKING_PLACES: usize = 9;

/// After so many minutes without use a score has fallen to 1/e. S3 calls it a
/// half-life; its formula is the one that stands.
const MINUTES: f64 = 30.0;
/// How much each use adds to the score.
const USE: f64 = 0.1;

/// How firmly a memory holds its place at `at`: its importance, less with the
/// minutes since the last use, more with every use. A clock that steps back
/// counts as "just used".
pub fn working_score(memory: &Memory, at: Timestamp) -> WorkingScore {
    let idle = at.duration_since(memory.trace.last_used_at).max(SignedDuration::ZERO);
    let recency = (-idle.as_secs_f64() / 60.0 / MINUTES).exp();
    let often = 1.0 + USE * f64::from(memory.trace.access_count);
    WorkingScore::clamped(memory.importance.get() * recency * often)
}

/// Which of these leave so that nine are left, the least firm first. Those that
/// are pinned or immutable keep their place, even where they alone are more
/// than nine. Of two that are equally firm the one that was used longer ago
/// leaves first, then the older one.
pub fn evicted(memories: &[&Memory], at: Timestamp) -> Vec<MemoryId> {
    let excess = memories.len().saturating_sub(WORKING_PLACES);
    let mut movable: Vec<&Memory> =
        memories.iter().copied().filter(|memory| !memory.pinned && !memory.immutable).collect();
    movable.sort_by_key(|memory| (working_score(memory, at), memory.trace.last_used_at, memory.id));
    movable.into_iter().take(excess).map(|memory| memory.id).collect()
}

/// So many uses within a session speak for keeping something beyond it.
const CANDIDATE_USES: u32 = 2;
/// And so does this importance.
const CANDIDATE_IMPORTANCE: f64 = 0.6;

/// Whether what is in working memory is worth going on from there.
pub fn is_working_candidate(memory: &Memory) -> bool {
    memory.trace.access_count >= CANDIDATE_USES || memory.importance.get() >= CANDIDATE_IMPORTANCE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::sample;
    use crate::unit::Importance;
    use proptest::prelude::*;

    fn minute(minutes: f64) -> Timestamp {
        sample::day(minutes / 1_440.0)
    }

    fn memory(number: u64, importance: f64, uses: u32, last_used: f64) -> Memory {
        let mut memory = sample::memory(number);
        memory.importance = Importance::clamped(importance);
        memory.trace.access_count = uses;
        memory.trace.last_used_at = minute(last_used);
        memory
    }

    #[test]
    fn the_score_of_the_third_seed() {
        for (importance, uses, minutes, expected) in [
            (0.5, 0, 0.0, 0.5),
            (0.5, 0, 30.0, 0.183_940),
            (0.5, 5, 0.0, 0.75),
            (0.8, 2, 15.0, 0.582_269),
            (0.9, 20, 60.0, 0.365_405),
            (0.5, 0, -20.0, 0.5),
            (0.0, 9, 0.0, 0.0),
        ] {
            let found = working_score(&memory(1, importance, uses, 0.0), minute(minutes)).get();
            assert!((found - expected).abs() < 1e-6, "{importance} {uses} {minutes}: {found}");
        }
    }

    #[test]
    fn the_tenth_makes_the_least_firm_one_leave() {
        let mut all: Vec<Memory> =
            (1..=11_u32).map(|n| memory(u64::from(n), f64::from(n) / 20.0, 0, 0.0)).collect();
        let leave = |all: &[Memory]| evicted(&all.iter().collect::<Vec<_>>(), minute(5.0));
        assert_eq!(leave(&all), [all[0].id, all[1].id]);
        assert_eq!(leave(&all[..10]), [all[0].id]);
        assert!(leave(&all[..9]).is_empty());
        assert!(leave(&[]).is_empty());
        // The pinned one stays, and the next least firm leaves in its place.
        all[0].pinned = true;
        all[1].immutable = true;
        assert_eq!(leave(&all), [all[2].id, all[3].id]);
        for one in &mut all {
            one.pinned = true;
        }
        assert!(leave(&all).is_empty());
    }

    #[test]
    fn what_was_used_lately_stays_before_what_matters_as_much() {
        let mut all: Vec<Memory> = (1..=9).map(|n| memory(n, 0.5, 0, 20.0)).collect();
        all.push(memory(10, 0.5, 0, 0.0));
        let all: Vec<&Memory> = all.iter().collect();
        assert_eq!(evicted(&all, minute(30.0)), [all[9].id]);
    }

    #[test]
    fn two_uses_or_an_importance_of_six_tenths_are_worth_going_on() {
        for (importance, uses, expected) in [
            (0.1, 1, false),
            (0.1, 2, true),
            (0.1, 3, true),
            (0.59, 0, false),
            (0.6, 0, true),
            (0.61, 0, true),
        ] {
            assert_eq!(
                is_working_candidate(&memory(1, importance, uses, 0.0)),
                expected,
                "{importance} {uses}"
            );
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn nobody_who_leaves_is_firmer_than_anybody_who_stays(
            given in prop::collection::vec((0.0..=1.0, 0_u32..9, 0.0..90.0), 0..20),
        ) {
            let all: Vec<Memory> = given
                .iter()
                .enumerate()
                .map(|(n, (importance, uses, used))| memory(n as u64, *importance, *uses, *used))
                .collect();
            let at = minute(90.0);
            let gone = evicted(&all.iter().collect::<Vec<_>>(), at);
            prop_assert_eq!(gone.len(), all.len().saturating_sub(WORKING_PLACES));
            let (left, stay): (Vec<&Memory>, Vec<&Memory>) = all.iter().partition(|m| gone.contains(&m.id));
            let firmest = left.iter().map(|memory| working_score(memory, at)).max();
            let least = stay.iter().map(|memory| working_score(memory, at)).min();
            prop_assert!(firmest.is_none() || firmest <= least);
        }
    }
}
