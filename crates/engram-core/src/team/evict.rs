//! Which memories a replica lets go of that is not to hold all of them. The
//! server still has them, and finds them for whoever asks.

use crate::id::MemoryId;
use jiff::Timestamp;

/// A memory of a replica, as far as it matters for letting it go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    pub id: MemoryId,
    /// It stays whatever happens: it is one's own, or something is to be decided
    /// about it.
    pub stays: bool,
    /// When it was last used here or changed there.
    pub touched_at: Timestamp,
}

/// What goes, so that `most` are left, the longest untouched first. Up to a tenth
/// more is borne, so that there is not something to do with every new memory.
pub fn too_many(mut held: Vec<Held>, most: usize) -> Vec<MemoryId> {
    if held.len() <= most.saturating_add(most / 10) {
        return Vec::new();
    }
    let over = held.len() - most;
    held.retain(|held| !held.stays);
    held.sort_unstable_by_key(|held| (held.touched_at, held.id));
    held.into_iter().take(over).map(|held| held.id).collect()
}

/// Whether a replica that was left to hold `held` is to hold more than that.
pub fn wants_more(held: Option<usize>, most: Option<usize>) -> bool {
    held.is_some_and(|held| most.is_none_or(|most| most > held))
}
