//! What becomes of a fact that two people correct, and of a decision between
//! them.
//!
//! Nobody's clock has a part in it: what somebody saw is told by the revision,
//! and which of two is the newer by the pair that a review names.

use super::Stand;
use super::view::{View, in_force, pair_of};
use crate::decision::{Review, Ruling};
use crate::id::{MemberId, MemoryId};
use crate::memory::Memory;
use crate::status::Status;
use std::collections::BTreeSet;

/// What a correction comes to, beside the new memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corrected {
    /// It takes the place of the old one.
    Replaces,
    /// It stands beside this one until somebody decides.
    Challenges(MemoryId),
    /// There is nothing left to be corrected.
    StandsAlone,
}

/// What a correction of `of`, as it was at `base`, comes to. `by` is whoever may
/// change their own rows; None where somebody else does it for them.
pub fn corrected(of: MemoryId, base: u32, by: Option<MemberId>, view: &View) -> Corrected {
    let Some(old) = view.memories.get(&of) else { return Corrected::StandsAlone };
    let own = by.is_some() && old.provenance.author == by;
    if in_force(old.status) && old.revision == base && own {
        return Corrected::Replaces;
    }
    let against = match old.status {
        Status::Forgotten => None,
        status if status.is_current() => Some(of),
        _ => view.heir_of(of),
    };
    let newest = against.map(|id| view.newest(&view.component(id)).unwrap_or(id));
    newest.map_or(Corrected::StandsAlone, Corrected::Challenges)
}

/// Who is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Winner {
    One(MemoryId),
    All,
}

/// Why there is no winner.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotRule {
    #[error("two people's texts are not merged; correct one of them, and decide for that")]
    Merge,
    #[error("names are not decided about in a team")]
    Names,
    #[error("memory {0} is gone or replaced and cannot win")]
    Gone(MemoryId),
}

/// Whom a ruling about a pair means.
pub fn winner_of(review: &Review, ruling: Ruling) -> Result<Winner, CannotRule> {
    let (newer, older) = pair_of(review).ok_or(CannotRule::Names)?;
    Ok(match ruling {
        Ruling::Both => Winner::All,
        Ruling::Newer => Winner::One(newer),
        Ruling::Older => Winner::One(older),
        Ruling::Merge => return Err(CannotRule::Merge),
    })
}

/// How everything that these reviews connect stands afterwards: the winner is in
/// force, what it was to correct is superseded, what was held against it is
/// invalidated. What does not stand any more stays as it is.
pub fn plan_ruled(
    component: &[Review],
    winner: Winner,
    memories: &[Memory],
) -> Result<Vec<Stand>, CannotRule> {
    if let Winner::One(id) = winner
        && !memories.iter().any(|memory| memory.id == id && memory.status.is_current())
    {
        return Err(CannotRule::Gone(id));
    }
    let elders = elders_of(component, winner);
    let stand = |memory: &Memory| {
        let status = match winner {
            Winner::All => Status::Active,
            Winner::One(id) if id == memory.id => Status::Active,
            Winner::One(_) if elders.contains(&memory.id) => Status::Superseded,
            Winner::One(_) => Status::Invalidated,
        };
        let doubted = memory.status == Status::Challenged;
        let changes = if status == Status::Active { doubted } else { memory.status.is_current() };
        changes.then_some(Stand { memory: memory.id, status, revision: memory.revision })
    };
    let about = |memory: &&Memory| component.iter().any(|review| review.is_about(&[memory.id]));
    Ok(memories.iter().filter(about).filter_map(stand).collect())
}

/// What the winner was to take the place of, and what that was to.
fn elders_of(component: &[Review], winner: Winner) -> BTreeSet<MemoryId> {
    let Winner::One(winner) = winner else { return BTreeSet::new() };
    let mut elders = BTreeSet::new();
    let mut open = vec![winner];
    while let Some(next) = open.pop() {
        let below = component.iter().filter_map(pair_of).filter(|(newer, _)| *newer == next);
        for (_, older) in below {
            if older != winner && elders.insert(older) {
                open.push(older);
            }
        }
    }
    elders
}
