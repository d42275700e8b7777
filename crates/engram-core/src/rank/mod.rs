//! How what the arms of a search found becomes one list.
//!
//! The number that orders is the number that is shown, and it carries its
//! reasons. Nothing here knows how a candidate was found, and nothing learns.

mod copies;
mod diversify;
mod fuse;
mod sure;
mod weights;

pub use copies::{Likeness, without_copies};
pub use diversify::diversify;
pub use fuse::{Candidate, Field, Neighbour, fuse};
pub use sure::{Evidence, sureness};
pub use weights::{Signal, Weights};

use crate::id::MemoryId;
use crate::kind::Scope;
use serde::{Deserialize, Serialize};

/// How much each scope counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScopeWeights {
    pub session: f64,
    pub project: f64,
    pub user: f64,
}

impl ScopeWeights {
    /// What is at hand counts most. The other profiles are rows of the user's
    /// store.
    pub const DEFAULT: ScopeWeights = ScopeWeights { session: 0.50, project: 0.35, user: 0.15 };

    /// What a score of this scope is multiplied by: one for the scope that
    /// counts most, and not less than `LEAST` for any. Taken as factors, the
    /// weights themselves would bury what the user knows below every loose hit
    /// of a project. `vicarious`: others learned it. What one shared oneself is
    /// in the team's store too, and counts as one's own.
    pub fn of(&self, scope: Scope, vicarious: bool) -> f64 {
        let weight = match scope {
            Scope::Session => self.session,
            Scope::Project => self.project,
            Scope::User | Scope::Team => self.user,
        };
        let weight = if vicarious { VICARIOUS * weight } else { weight };
        let most = self.session.max(self.project).max(self.user);
        if most > 0.0 { LEAST + (1.0 - LEAST) * weight / most } else { 1.0 }
    }
}

/// What others learned counts a little less than what one learned oneself.
const VICARIOUS: f64 = 0.9;

/// What a score of a scope that counts for nothing keeps.
const LEAST: f64 = 0.7;

/// One reason of a score: `adds` is `value x weight`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Factor {
    pub signal: Signal,
    pub value: f64,
    pub weight: f64,
    pub adds: f64,
}

/// What the words of the query contributed, before it is set beside the other
/// signals.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextReason {
    pub score: f64,
    /// Each word with its share; the shares add up to the score.
    pub terms: Vec<(String, f64)>,
}

/// A memory with its place and its reasons: `score` is what the factors add,
/// times the weight of the scope.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ranked {
    pub id: MemoryId,
    pub scope: Scope,
    pub score: f64,
    /// Those that add something.
    pub factors: Vec<Factor>,
    pub text: TextReason,
    pub scope_weight: f64,
    /// Other scopes that hold a copy of this memory, or one that says the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_in: Vec<Scope>,
}

/// Best first; among equals the newer first.
fn in_order(a: &Ranked, b: &Ranked) -> std::cmp::Ordering {
    b.score.total_cmp(&a.score).then(b.id.cmp(&a.id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_learned_counts_a_little_less_and_what_one_shared_oneself_does_not() {
        let even = ScopeWeights { session: 0.0, project: 0.0, user: 0.0 };
        for (weights, scope, vicarious, expected) in [
            (ScopeWeights::DEFAULT, Scope::Session, false, 1.0),
            (ScopeWeights::DEFAULT, Scope::Project, false, 0.91),
            (ScopeWeights::DEFAULT, Scope::User, false, 0.79),
            (ScopeWeights::DEFAULT, Scope::Team, false, 0.79),
            (ScopeWeights::DEFAULT, Scope::Team, true, 0.7 + 0.3 * 0.9 * 0.15 / 0.5),
            (even, Scope::Team, true, 1.0),
        ] {
            let found = weights.of(scope, vicarious);
            assert!((found - expected).abs() < 1e-12, "{scope} {vicarious}: {found}");
        }
    }
}
