//! The same memory in two scopes, or two that say the same, shown once.

use super::{Candidate, Ranked};
use crate::id::MemoryId;
use crate::kind::Scope;
use crate::unit::Similarity;

/// Two memories of different scopes that are more alike than this say the same.
const THE_SAME: f64 = 0.90;
/// A lower scope's text stays only if it is so many times stronger.
const CLEARLY_STRONGER: f64 = 2.0;

/// How alike two memories are, if that is known.
pub type Likeness<'a> = dyn Fn((Scope, MemoryId), (Scope, MemoryId)) -> Option<Similarity> + 'a;

/// Removes copies from a ranked list. Of one memory in two scopes the higher
/// scope stays, unless the lower one was changed since. Of two that say the
/// same the higher scope stays, unless the lower one is twice as strong. Looks
/// at the first `depth` only, since the rest will not be shown.
pub fn without_copies(
    ranked: Vec<Ranked>,
    candidates: &[Candidate],
    likeness: &Likeness<'_>,
    depth: usize,
) -> Vec<Ranked> {
    // Copies are few, so nothing is prepared for finding them.
    let changed = |of: &Ranked| {
        let one = candidates.iter().find(|candidate| (candidate.scope, candidate.id) == (of.scope, of.id));
        one.map(|candidate| candidate.updated_at)
    };
    let mut kept: Vec<Ranked> = Vec::with_capacity(depth);
    for next in ranked {
        if kept.len() == depth {
            break;
        }
        let twin = kept.iter().position(|other| {
            other.id == next.id
                || other.scope != next.scope
                    && likeness((other.scope, other.id), (next.scope, next.id))
                        .is_some_and(|similarity| similarity.get() > THE_SAME)
        });
        let Some(twin) = twin else {
            kept.push(next);
            continue;
        };
        let other = &mut kept[twin];
        let takes_its_place = if other.id == next.id {
            let (new, old) = (changed(&next), changed(other));
            if next.scope > other.scope { new >= old } else { new > old }
        } else {
            // Strength is judged without the weight of the scope, which already
            // decided which of the two comes first.
            let strength = |of: &Ranked| of.score / of.scope_weight.max(f64::MIN_POSITIVE);
            if next.scope > other.scope {
                strength(other) < CLEARLY_STRONGER * strength(&next)
            } else {
                strength(&next) >= CLEARLY_STRONGER * strength(other)
            }
        };
        let gone = if takes_its_place {
            // It keeps the better place: the same thing was found twice.
            let mut stays = next;
            stays.also_in = std::mem::take(&mut other.also_in);
            std::mem::replace(other, stays)
        } else {
            next
        };
        if !other.also_in.contains(&gone.scope) && gone.scope != other.scope {
            other.also_in.push(gone.scope);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::{Field, ScopeWeights, Weights, fuse};
    use jiff::Timestamp;
    use ulid::Ulid;

    fn candidate(number: u128, scope: Scope, words: f64, updated: i64) -> Candidate {
        let updated_at = Timestamp::from_second(updated).unwrap();
        Candidate { scope, words, updated_at, ..Candidate::plain(MemoryId::from_ulid(Ulid(number))) }
    }

    fn check(candidates: &[Candidate], alike: f64, expected: &[(u128, Scope)]) {
        let field = Field { most_words: 1.0, ..Field::default() };
        let even = ScopeWeights { session: 1.0, project: 1.0, user: 1.0 };
        let ranked = fuse(candidates, &field, &Weights::default(), &even);
        let kept = without_copies(ranked, candidates, &|_, _| Some(Similarity::clamped(alike)), 10);
        let shown: Vec<(u128, Scope)> = kept.iter().map(|kept| (kept.id.ulid().0, kept.scope)).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn of_two_copies_the_higher_scope_stays() {
        let both = [candidate(1, Scope::Session, 1.0, 5), candidate(1, Scope::User, 1.0, 5)];
        check(&both, 0.0, &[(1, Scope::User)]);
    }

    #[test]
    fn a_lower_copy_that_changed_since_stays_instead() {
        let both = [candidate(1, Scope::Project, 1.0, 9), candidate(1, Scope::User, 1.0, 5)];
        check(&both, 0.0, &[(1, Scope::Project)]);
        let both = [candidate(1, Scope::User, 0.9, 5), candidate(1, Scope::Project, 1.0, 9)];
        check(&both, 0.0, &[(1, Scope::Project)]);
    }

    #[test]
    fn two_that_say_the_same_are_shown_once() {
        let both = [candidate(1, Scope::Project, 1.0, 0), candidate(2, Scope::User, 0.8, 0)];
        check(&both, 0.95, &[(2, Scope::User)]);
        check(&both, 0.85, &[(1, Scope::Project), (2, Scope::User)]);
        let stronger = [candidate(1, Scope::Project, 1.0, 0), candidate(2, Scope::User, 0.4, 0)];
        check(&stronger, 0.95, &[(1, Scope::Project)]);
    }

    #[test]
    fn within_one_scope_likeness_removes_nothing() {
        let both = [candidate(1, Scope::User, 1.0, 0), candidate(2, Scope::User, 0.8, 0)];
        check(&both, 0.99, &[(1, Scope::User), (2, Scope::User)]);
    }
}
