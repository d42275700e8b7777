//! What is not on this machine. It is told, so that whoever erases knows where
//! else to go; a server that can be asked to erase is asked here.

use super::Told;
use crate::clock::now;
use crate::house::House;
use crate::trouble;
use engram_core::plan::Occasion;
use engram_core::team::Intent;
use engram_core::{Actor, Memory, MemoryId};
use engram_wire::Fault;
use engram_wire::erasure::Way;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Tells of stores that lie on a server: their rows are emptied like all others,
/// and what the server keeps besides is out of reach.
pub(super) fn tell(house: &House, concerned: &BTreeSet<String>, told: &mut Told) {
    let url = house.settings.text("store.url");
    if !url.is_empty() && concerned.contains("store: user") {
        told.leave(
            format!("server {url}"),
            "the rows there are emptied; its feed, its files and its backups are that server's own",
        );
    }
}

/// Takes back what was shared with the team of what is erased. Somebody else's is
/// theirs to take back, and named. Whoever calls has the house for himself.
pub(super) async fn withdraw(
    house: &House,
    theirs: &BTreeSet<MemoryId>,
    dry_run: bool,
    told: &mut Told,
) -> Result<(), Fault> {
    let Some(membership) = house.membership()? else { return Ok(()) };
    let replica = house.replica_of(&membership).await?;
    let shared: Vec<Arc<Memory>> =
        replica.shelf.kept_where(|memory| theirs.contains(&memory.id) && !memory.content.is_empty());
    let place = format!("team {}", membership.name);
    let (mine, others): (Vec<_>, Vec<_>) =
        shared.into_iter().partition(|memory| membership.may_withdraw(memory));
    if !others.is_empty() {
        let why =
            format!("{} of its memories were shared by others; a maintainer can withdraw them", others.len());
        told.leave(place.clone(), why);
    }
    if dry_run {
        return Ok(());
    }
    // What is still in the outbox is not said any more.
    let scrubbed = replica.shelf.store().scrub(theirs.iter().copied().collect(), Vec::new()).await;
    scrubbed.map_err(|error| trouble::commit(&error))?;
    if mine.is_empty() {
        return Ok(());
    }
    for memory in mine {
        let (operation, at) = (house.new_operation(), now());
        let occasion = Occasion { operation, actor: Actor::Human, at, recorded_at: at };
        house.queue(&membership, Intent::Withdraw { memory: memory.id }, occasion).await?;
    }
    house.team.wake.notify_one();
    told.did(place.clone(), Way::Removed);
    told.leave(
        place,
        "what was shared is withdrawn as soon as the server hears of it, and gone from each member's machine when \
         that hears of it; the server's files lose it when they are compacted",
    );
    Ok(())
}
