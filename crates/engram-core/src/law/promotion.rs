//! Whether a memory is worth more than the scope it was born in.

use crate::kind::{Kind, Scope};
use crate::memory::{DataSource, Memory};
use crate::remind::Reminder;
use crate::unit::{Confidence, Importance};

/// From here on a session's memory goes to the project when a turn, or the
/// session, ends.
pub const TO_PROJECT: f64 = 0.6;
/// From here on it goes there at once.
pub const AT_ONCE: f64 = 0.85;

/// From here on a project's memory may go to the user.
pub const TO_USER: f64 = 0.7;

/// What is looked at of a memory.
#[derive(Debug, Clone, Copy)]
struct Worth {
    kind: Kind,
    importance: Importance,
    confidence: Confidence,
    access_count: u32,
    /// It can be found by its meaning.
    has_direction: bool,
}

/// What a memory of a session is worth to the project, between zero and one.
///
/// What a person said outright, and the gate kept, is always worth that: nobody
/// wants to say it again tomorrow. Somebody who wants to be reminded wants it in
/// whatever session that will be.
pub fn worth_of(memory: &Memory, has_direction: bool) -> f64 {
    if Reminder::of(memory).is_some() {
        return 1.0;
    }
    let score = promotion_score(&Worth {
        kind: memory.kind,
        importance: memory.importance,
        confidence: memory.confidence,
        access_count: memory.trace.access_count,
        has_direction,
    });
    match memory.provenance.data_source {
        DataSource::UserMessage => score.max(TO_PROJECT),
        _ => score,
    }
}

/// What a memory weighs in a wider scope: it was important where it was born.
pub fn discounted(importance: Importance, to: Scope) -> Importance {
    let kept = match to {
        // What is shared is shared as it is.
        Scope::Session | Scope::Team => 1.0,
        Scope::Project => 0.8,
        Scope::User => 0.7,
    };
    Importance::clamped(importance.get() * kept)
}

/// How worthwhile a memory is to a wider scope, between zero and one.
fn promotion_score(worth: &Worth) -> f64 {
    let base = worth.importance.get() * 0.4 + worth.confidence.get() * 0.3;
    let often = (f64::from(worth.access_count) + 1.0).log10() / 2.0;
    let kind = match worth.kind {
        Kind::Pattern | Kind::Convention | Kind::Procedure => 0.1,
        Kind::Decision | Kind::ErrorFix | Kind::Architecture => 0.08,
        Kind::Preference | Kind::Fact => 0.06,
        _ => 0.0,
    };
    let found = if worth.has_direction { 0.05 } else { 0.0 };
    (base + often.min(0.2) + kind + found).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scores_of_the_second_seed() {
        for (kind, importance, confidence, access_count, has_direction, score) in [
            (Kind::Convention, 0.5, 0.5, 0, false, 0.45),
            (Kind::Convention, 0.8, 0.9, 0, true, 0.74),
            (Kind::Decision, 0.7, 0.7, 9, true, 0.82),
            (Kind::Fact, 1.0, 1.0, 0, false, 0.76),
            (Kind::Fact, 1.0, 1.0, 99, true, 1.0),
            (Kind::Observation, 0.5, 0.5, 99, false, 0.55),
            (Kind::Plan, 0.0, 0.0, 0, false, 0.0),
        ] {
            let (importance, confidence) = (Importance::clamped(importance), Confidence::clamped(confidence));
            let found = promotion_score(&Worth { kind, importance, confidence, access_count, has_direction });
            assert!((found - score).abs() < 1e-9, "{kind}: {found}, not {score}");
        }
    }
}
