//! The connection to the team's server that is kept, and whose it is: it is given
//! to the membership that signed in on it, and to no other.

use super::membership::Membership;
use engram_core::MemberId;
use engram_core::team::TeamName;
use std::sync::{Arc, Mutex, MutexGuard};

/// What tells two memberships apart, whatever became of either meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Whose {
    url: String,
    namespace: String,
    name: TeamName,
    ca: Option<String>,
    member: MemberId,
}

impl Whose {
    pub(super) fn of(membership: &Membership) -> Self {
        Self {
            url: membership.url.clone(),
            namespace: membership.namespace.clone(),
            name: membership.name.clone(),
            ca: membership.ca.clone(),
            member: membership.member,
        }
    }
}

pub(crate) struct Handle<T>(Mutex<Option<(Whose, Arc<T>)>>);

impl<T> Default for Handle<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Handle<T> {
    fn known(&self) -> MutexGuard<'_, Option<(Whose, Arc<T>)>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The one that this membership signed in on.
    pub(super) fn of(&self, membership: &Membership) -> Option<Arc<T>> {
        let known = self.known();
        let (whose, far) = known.as_ref()?;
        (*whose == Whose::of(membership)).then(|| far.clone())
    }

    pub(super) fn keep(&self, membership: &Membership, far: Arc<T>) {
        *self.known() = Some((Whose::of(membership), far));
    }

    /// This one is not used again.
    pub(super) fn hang_up(&self, far: &Arc<T>) {
        let mut known = self.known();
        if known.as_ref().is_some_and(|(_, known)| Arc::ptr_eq(known, far)) {
            *known = None;
        }
    }

    /// None is used again, whosever it was.
    pub(crate) fn clear(&self) {
        *self.known() = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::now;
    use engram_core::IdMint;
    use engram_core::team::{Charter, Reviewers, Role, Rulers};

    fn membership(name: &str, member: u64) -> Membership {
        let name: TeamName = name.parse().unwrap();
        Membership {
            url: "wss://one.example".to_owned(),
            namespace: "team".to_owned(),
            name: name.clone(),
            member: MemberId::from_ulid(IdMint::seeded(member).mint(now())),
            handle: "ada".to_owned(),
            role: Role::Member,
            ca: None,
            joined_at: Some(now()),
            key_since: now(),
            charter: Charter {
                name,
                review: Reviewers::Author,
                rulers: Rulers::Member,
                pepper: String::new(),
                search: false,
            },
        }
    }

    #[test]
    fn a_connection_is_given_to_the_membership_that_signed_in_on_it_alone() {
        let mine = membership("shop", 1);
        let handle = Handle::default();
        handle.keep(&mine, Arc::new("shop's"));
        assert_eq!(handle.of(&mine).as_deref(), Some(&"shop's"));
        let promoted = Membership { role: Role::Maintainer, key_since: now(), ..mine.clone() };
        assert!(handle.of(&promoted).is_some(), "what became of it changes nothing");
        for other in [
            Membership { member: membership("shop", 2).member, ..mine.clone() },
            Membership { name: "bakery".parse().unwrap(), ..mine.clone() },
            Membership { url: "wss://two.example".to_owned(), ..mine.clone() },
            Membership { namespace: "other".to_owned(), ..mine.clone() },
            Membership { ca: Some("-----BEGIN CERTIFICATE-----".to_owned()), ..mine.clone() },
        ] {
            assert!(handle.of(&other).is_none(), "{other:?}");
        }
    }

    #[test]
    fn hanging_up_lets_go_of_that_connection_and_of_no_later_one() {
        let mine = membership("shop", 1);
        let handle = Handle::default();
        let (early, late) = (Arc::new(1), Arc::new(2));
        handle.keep(&mine, early.clone());
        handle.keep(&mine, late.clone());
        handle.hang_up(&early);
        assert_eq!(handle.of(&mine), Some(late.clone()));
        handle.hang_up(&late);
        assert_eq!(handle.of(&mine), None);
        handle.keep(&mine, early);
        handle.clear();
        assert_eq!(handle.of(&mine), None);
    }
}
