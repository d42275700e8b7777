//! How a strong memory settles the weak ones beside it.
//!
//! For some hours a weak memory is tagged: if something that matters is
//! remembered in the same session meanwhile, the weak one had to do with it and
//! fades more slowly. Nothing becomes more important or truer by it.

use crate::id::MemoryId;
use crate::law::first_stability;
use crate::memory::Memory;
use crate::unit::{Importance, Stability};
use jiff::{SignedDuration, Timestamp};

/// What matters less than this is weak.
const WEAK: f64 = 0.5;
/// What matters so much is strong.
pub(super) const STRONG: f64 = 0.7;
/// How long a weak memory waits for a strong one.
const TAG: SignedDuration = SignedDuration::from_hours(4);
/// How much more stable it is then.
const CAPTURED: f64 = 1.3;

/// Whether a memory is weak, and `at` within four hours of its creation. Before
/// it counts as after, because what waited in the spool is told out of order
/// and clocks step back.
pub fn is_tagged(memory: &Memory, at: Timestamp) -> bool {
    memory.importance.get() < WEAK && at.duration_since(memory.created_at).abs() < TAG
}

/// Whether a new memory that matters so much settles the tagged ones.
pub fn captures(importance: Importance) -> bool {
    importance.get() >= STRONG
}

/// The stability of a memory once it is captured. Whoever writes it sets the
/// moment of fading anew.
pub fn captured(stability: Stability) -> Stability {
    Stability::clamped(stability.get() * CAPTURED)
}

/// Which of the others a memory that was stored at `at` captures, in their
/// order: the tagged ones of its session that recall still returns.
///
/// A memory is captured once, however many strong ones follow. That it was
/// shows in its stability: a weak memory is born with what `first_stability`
/// gives it, being no flashbulb, and only a capture takes it to 1.3 times that
/// within the four hours. Rarely, use does so too, by a success or by fourteen
/// steps of two hundredths; such a memory needs no capture any more. One that
/// failed meanwhile lost what the capture gave it, and may be captured again.
pub fn captured_by(strong: &Memory, others: &[Memory], at: Timestamp) -> Vec<MemoryId> {
    let session = strong.provenance.source_session;
    if session.is_none() || !captures(strong.importance) {
        return Vec::new();
    }
    let waits = |other: &&Memory| {
        other.id != strong.id
            && other.provenance.source_session == session
            && other.status.is_current()
            && is_tagged(other, at)
            && other.trace.stability < captured(first_stability(other.importance, false))
    };
    others.iter().filter(waits).map(|other| other.id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Actor;
    use crate::id::{IdMint, OperationId, SessionId};
    use crate::kind::Scope;
    use crate::memory::Provenance;
    use crate::plan::{Draft, Occasion, plan_remember};
    use crate::status::Status;
    use crate::{Changes, Write};

    fn minute(n: i64) -> Timestamp {
        Timestamp::from_second(1_000_000 + 60 * n).unwrap()
    }

    /// A memory of the session "work", born as `weigh` would have it.
    fn memory(number: u64, importance: f64, born: i64) -> Memory {
        let occasion = Occasion {
            operation: OperationId::from_ulid(IdMint::seeded(number).mint(minute(born))),
            actor: Actor::Human,
            at: minute(born),
            recorded_at: minute(born),
        };
        let provenance = Provenance {
            source_session: Some(SessionId::named("work")),
            ..Provenance::stated_by(Actor::Human)
        };
        let draft = Draft::parse("the build takes nine minutes", 100).unwrap();
        let Changes { mut writes, .. } = plan_remember(draft, Scope::Project, provenance, occasion);
        let Some(Write::Create { memory }) = writes.pop() else { panic!("a memory is born") };
        let importance = Importance::new(importance).unwrap();
        let mut memory = *memory;
        memory.importance = importance;
        memory.trace.stability = first_stability(importance, false);
        memory
    }

    #[test]
    fn a_weak_memory_is_tagged_for_four_hours() {
        for (importance, after, expected) in [
            (0.49, 0, true),
            (0.49, 239, true),
            (0.49, 240, false),
            (0.49, -10, true),
            (0.49, -240, false),
            (0.5, 0, false),
            (0.0, 0, true),
        ] {
            assert_eq!(is_tagged(&memory(1, importance, 0), minute(after)), expected, "{importance} {after}");
        }
    }

    #[test]
    fn a_strong_memory_captures_and_what_it_captures_is_three_tenths_more_stable() {
        assert!(captures(Importance::clamped(0.7)));
        assert!(!captures(Importance::clamped(0.69)));
        let stability = captured(Stability::new(2.0).unwrap());
        assert!((stability.get() - 2.6).abs() < 1e-12);
        assert_eq!(captured(Stability::clamped(36_500.0)).get(), 36_500.0);
    }

    #[test]
    fn the_weak_ones_of_the_same_session_are_captured() {
        let strong = memory(1, 0.8, 60);
        let weak = memory(2, 0.4, 30);
        let ordinary = memory(3, 0.6, 30);
        let stale = memory(4, 0.4, -200);
        let mut elsewhere = memory(5, 0.4, 30);
        elsewhere.provenance.source_session = Some(SessionId::named("play"));
        let mut nowhere = memory(6, 0.4, 30);
        nowhere.provenance.source_session = None;
        let mut replaced = memory(7, 0.4, 30);
        replaced.status = Status::Superseded;
        let other = memory(8, 0.1, 59);
        let all =
            [strong.clone(), weak.clone(), ordinary, stale, elsewhere, nowhere, replaced, other.clone()];
        assert_eq!(captured_by(&strong, &all, minute(60)), [weak.id, other.id]);
    }

    #[test]
    fn what_is_not_strong_or_of_no_session_captures_nothing() {
        let weak = memory(2, 0.4, 30);
        assert!(captured_by(&memory(1, 0.69, 60), std::slice::from_ref(&weak), minute(60)).is_empty());
        let mut strong = memory(1, 0.8, 60);
        strong.provenance.source_session = None;
        let mut nowhere = weak.clone();
        nowhere.provenance.source_session = None;
        assert!(captured_by(&strong, &[weak, nowhere], minute(60)).is_empty());
    }

    #[test]
    fn a_memory_is_captured_once_however_many_strong_ones_follow() {
        for hundredths in 0..50 {
            let mut weak = memory(2, f64::from(hundredths) / 100.0, 0);
            for (number, born) in [(3, 10), (4, 20), (5, 30)] {
                let strong = memory(number, 0.9, born);
                let found = captured_by(&strong, std::slice::from_ref(&weak), minute(born));
                assert_eq!(found.len(), usize::from(number == 3), "{hundredths} {number}");
                if !found.is_empty() {
                    weak.trace.stability = captured(weak.trace.stability);
                }
            }
        }
    }

    #[test]
    fn a_few_uses_together_do_not_pass_for_a_capture() {
        let mut weak = memory(2, 0.3, 0);
        weak.trace.stability = Stability::clamped(weak.trace.stability.get() * 1.02_f64.powi(5));
        assert_eq!(captured_by(&memory(1, 0.8, 5), std::slice::from_ref(&weak), minute(5)), [weak.id]);
    }
}
