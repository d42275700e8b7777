//! What a shelf has at hand, each part behind a lock, and the one order in which a
//! thread takes them.
//!
//! Who waits for a lock while he holds another may wait for ever: for somebody who
//! holds that one and waits for his, or for himself, where a writer stands in line
//! between his first reading and his second. So whoever holds one takes only those
//! that come later, be it of this shelf or another. A build with debug assertions
//! stops at the first who does not, whether or not anybody is in his way.

use std::ops::{Deref, DerefMut};
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Hot,
    Index,
    Kept,
    Edges,
    Learned,
    Model,
    Graph,
    Together,
    Hearing,
    Unfilled,
    Recalls,
    Uses,
}

pub(crate) struct Locked<T> {
    part: Part,
    lock: RwLock<T>,
}

impl<T> Locked<T> {
    pub(crate) const fn new(part: Part, value: T) -> Self {
        Self { part, lock: RwLock::new(value) }
    }

    pub(crate) fn read(&self) -> Reading<'_, T> {
        let held = Held::take(self.part);
        Reading { guard: self.lock.read().unwrap_or_else(|poisoned| poisoned.into_inner()), _held: held }
    }

    pub(crate) fn write(&self) -> Writing<'_, T> {
        let held = Held::take(self.part);
        Writing { guard: self.lock.write().unwrap_or_else(|poisoned| poisoned.into_inner()), _held: held }
    }
}

/// A part of a shelf, for as long as somebody looks at it.
pub struct Reading<'l, T> {
    guard: RwLockReadGuard<'l, T>,
    _held: Held,
}

impl<T> Deref for Reading<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.guard
    }
}

pub(crate) struct Writing<'l, T> {
    guard: RwLockWriteGuard<'l, T>,
    _held: Held,
}

impl<T> Deref for Writing<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.guard
    }
}

impl<T> DerefMut for Writing<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.guard
    }
}

#[cfg(debug_assertions)]
use checked::Held;
#[cfg(not(debug_assertions))]
use unchecked::Held;

#[cfg(debug_assertions)]
mod checked {
    use super::Part;
    use std::cell::RefCell;

    thread_local! {
        static HELD: RefCell<Vec<Part>> = const { RefCell::new(Vec::new()) };
    }

    /// What this thread holds.
    pub(super) struct Held(Part);

    impl Held {
        pub(super) fn take(part: Part) -> Self {
            HELD.with_borrow_mut(|held| {
                let first = held.iter().all(|other| *other < part);
                assert!(first, "{part:?} is wanted by a thread that holds {held:?}");
                held.push(part);
            });
            Self(part)
        }
    }

    impl Drop for Held {
        fn drop(&mut self) {
            HELD.with_borrow_mut(|held| held.retain(|part| *part != self.0));
        }
    }
}

#[cfg(not(debug_assertions))]
mod unchecked {
    pub(super) struct Held;

    impl Held {
        pub(super) const fn take(_: super::Part) -> Self {
            Self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_taken_in_their_order() {
        let (index, kept) = (Locked::new(Part::Index, 1), Locked::new(Part::Kept, 2));
        let first = index.read();
        *kept.write() += *first;
        drop(first);
        assert_eq!(*kept.read(), 3);
        // Again from the beginning, since nothing is held.
        *index.write() = 5;
        assert_eq!(*index.read(), 5);
    }

    #[test]
    #[should_panic(expected = "Index is wanted by a thread that holds [Kept]")]
    fn nobody_goes_back() {
        let (index, kept) = (Locked::new(Part::Index, 1), Locked::new(Part::Kept, 2));
        let _kept = kept.read();
        drop(index.read());
    }

    #[test]
    #[should_panic(expected = "Index is wanted by a thread that holds [Index]")]
    fn nobody_takes_the_same_part_twice() {
        let (one, other) = (Locked::new(Part::Index, 1), Locked::new(Part::Index, 2));
        let _one = one.read();
        drop(other.read());
    }
}
