//! How hits of several scopes become one list.
//!
//! The number that orders is the number that is shown, and it carries its
//! reasons. Nothing here knows how a hit was found.

use crate::id::MemoryId;
use crate::kind::Scope;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// How much each scope counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ScopeWeights {
    pub session: f64,
    pub project: f64,
    pub user: f64,
}

impl ScopeWeights {
    /// What is at hand counts most. The other profiles are rows of the user's
    /// store.
    pub const DEFAULT: ScopeWeights = ScopeWeights { session: 0.50, project: 0.35, user: 0.15 };

    pub const fn of(&self, scope: Scope) -> f64 {
        match scope {
            Scope::Session => self.session,
            Scope::Project => self.project,
            Scope::User => self.user,
        }
    }
}

/// One memory found in one scope.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub id: MemoryId,
    pub scope: Scope,
    /// Decides between two copies of one memory.
    pub updated_at: Timestamp,
    pub text: TextReason,
}

/// What the words of the query contributed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextReason {
    pub score: f64,
    /// Each word with its share; the shares add up to the score.
    pub terms: Vec<(String, f64)>,
}

/// A hit with its place and its reasons: `score` is `text x weight`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ranked {
    pub id: MemoryId,
    pub scope: Scope,
    pub score: f64,
    pub text: TextReason,
    pub scope_weight: f64,
    /// Other scopes that hold a copy of this memory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_in: Vec<Scope>,
}

/// Weighs, removes copies and orders. Of two copies the higher scope stays,
/// unless the lower one was changed more recently.
pub fn rank(hits: Vec<Hit>, weights: &ScopeWeights, limit: usize) -> Vec<Ranked> {
    let mut best: BTreeMap<MemoryId, (Hit, Vec<Scope>)> = BTreeMap::new();
    for hit in hits {
        match best.get_mut(&hit.id) {
            None => {
                best.insert(hit.id, (hit, Vec::new()));
            }
            Some((kept, others)) => {
                if stays(&hit, kept) {
                    others.push(kept.scope);
                    *kept = hit;
                } else {
                    others.push(hit.scope);
                }
            }
        }
    }
    let mut ranked: Vec<Ranked> = best
        .into_values()
        .map(|(hit, also_in)| {
            let scope_weight = weights.of(hit.scope);
            Ranked {
                id: hit.id,
                scope: hit.scope,
                score: hit.text.score * scope_weight,
                text: hit.text,
                scope_weight,
                also_in,
            }
        })
        .collect();
    ranked.sort_by(|a, b| by_score(b, a).then(b.id.cmp(&a.id)));
    ranked.truncate(limit);
    ranked
}

fn stays(hit: &Hit, over: &Hit) -> bool {
    if hit.scope > over.scope { hit.updated_at >= over.updated_at } else { hit.updated_at > over.updated_at }
}

fn by_score(a: &Ranked, b: &Ranked) -> Ordering {
    a.score.total_cmp(&b.score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ulid::Ulid;

    const DEFAULT: ScopeWeights = ScopeWeights::DEFAULT;

    fn hit(id: u128, scope: Scope, score: f64, updated: i64) -> Hit {
        Hit {
            id: MemoryId::from_ulid(Ulid(id)),
            scope,
            updated_at: Timestamp::from_second(updated).unwrap(),
            text: TextReason { score, terms: Vec::new() },
        }
    }

    #[test]
    fn the_scope_weighs_the_score() {
        let ranked = rank(
            vec![hit(1, Scope::User, 3.0, 0), hit(2, Scope::Project, 2.0, 0), hit(3, Scope::Session, 1.2, 0)],
            &DEFAULT,
            10,
        );
        let order: Vec<Scope> = ranked.iter().map(|r| r.scope).collect();
        assert_eq!(order, [Scope::Project, Scope::Session, Scope::User]);
        assert!((ranked[0].score - 0.7).abs() < 1e-12);
    }

    #[test]
    fn of_two_copies_the_higher_scope_stays() {
        let ranked = rank(vec![hit(1, Scope::Session, 1.0, 5), hit(1, Scope::User, 1.0, 5)], &DEFAULT, 10);
        assert_eq!(ranked.len(), 1);
        assert_eq!((ranked[0].scope, &ranked[0].also_in[..]), (Scope::User, &[Scope::Session][..]));
    }

    #[test]
    fn a_lower_copy_that_changed_since_stays_instead() {
        for pair in [[Scope::User, Scope::Project], [Scope::Project, Scope::User]] {
            let hits = pair.map(|scope| hit(1, scope, 1.0, if scope == Scope::Project { 9 } else { 5 }));
            assert_eq!(rank(hits.to_vec(), &DEFAULT, 10)[0].scope, Scope::Project);
        }
    }

    #[test]
    fn equal_scores_put_the_newer_first() {
        let ranked = rank(vec![hit(1, Scope::User, 1.0, 0), hit(2, Scope::User, 1.0, 0)], &DEFAULT, 1);
        assert_eq!(ranked[0].id, MemoryId::from_ulid(Ulid(2)));
    }
}
