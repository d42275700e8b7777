//! What is not on this machine. It is told, so that whoever erases knows where
//! else to go; a server that can be asked to erase is asked here.

use super::stores::{Room, sight_of};
use super::{Told, Words};
use crate::clock::now;
use crate::house::House;
use crate::team::Membership;
use crate::trouble;
use engram_core::erase::Sight;
use engram_core::plan::{Occasion, plan_purge};
use engram_core::team::{Intent, Outgoing, Reviewers};
use engram_core::{Actor, Memory, MemoryId};
use engram_wire::Fault;
use engram_wire::erasure::Way;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

const TEAM: &str = "team";

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

/// What this machine has of the team: what is shared, and what waits to be.
/// None: there is no team, or it was told that it cannot be looked at.
pub(super) async fn shared(house: &House, told: &mut Told) -> Option<Sight> {
    match look(house).await {
        Ok(sight) => sight,
        Err(fault) => {
            told.leave(TEAM.to_owned(), fault.message);
            None
        }
    }
}

async fn look(house: &House) -> Result<Option<Sight>, Fault> {
    let Some(membership) = house.membership()? else { return Ok(None) };
    let replica = house.replica_of(&membership).await?;
    let mut sight = sight_of(replica.surreal()?, false).await?;
    let waiting = replica.shelf.store().outgoing(usize::MAX).await.map_err(|error| trouble::read(&error))?;
    sight.memories.extend(waiting.iter().filter_map(|line| line.intent.newborn()).cloned());
    Ok(Some(sight))
}

/// The replica of what the team shares. None: there is no team, or it was told
/// that it cannot be looked at.
pub(super) async fn room(house: &House, told: &mut Told) -> Option<Room> {
    let opened = match house.membership() {
        Ok(Some(membership)) => {
            house.replica_of(&membership).await.map(|store| Some((name_of(&membership), store)))
        }
        Ok(None) => Ok(None),
        Err(fault) => Err(fault),
    };
    match opened {
        Ok(found) => found.map(|(label, store)| Room { label, store, session: None, whole: false }),
        Err(fault) => {
            told.leave(TEAM.to_owned(), fault.message);
            None
        }
    }
}

/// Takes the words out of what this machine noted beside the team's memories, if
/// any were found there: its log, its history, what was asked. The memories go
/// by `withdraw`.
pub(super) async fn take_words(house: &House, words: &Words, concerned: &BTreeSet<String>, told: &mut Told) {
    let Some(room) = room(house, told).await else { return };
    // A name may stand where no text of a memory is, as in what was asked.
    if !words.wanted.mentions && !concerned.contains(&room.label) {
        return;
    }
    match room.take_words(words).await {
        Ok(()) => told.did(room.label, Way::Rewritten),
        Err(fault) => told.leave(room.label, fault.message),
    }
}

/// Where the team's files are, and what it is called here.
pub(super) fn team_place(house: &House) -> Option<(PathBuf, String)> {
    let membership = house.membership().ok().flatten()?;
    Some((house.desk().replica(&membership), name_of(&membership)))
}

fn name_of(membership: &Membership) -> String {
    format!("{TEAM} {}", membership.name)
}

/// Takes back what was shared with the team of what is erased. Somebody else's is
/// theirs to take back, and named. Whoever calls has the house for himself. What
/// fails is told: all else is done by then.
pub(super) async fn withdraw(house: &House, theirs: &BTreeSet<MemoryId>, dry_run: bool, told: &mut Told) {
    let outcome = match house.membership() {
        Ok(Some(membership)) => {
            let taken = take_back(house, &membership, theirs, dry_run, told).await;
            let written = write_anew(house, &membership, told).await;
            taken.and(written)
        }
        Ok(None) => Ok(()),
        Err(fault) => Err(fault),
    };
    if let Err(fault) = outcome {
        told.leave(TEAM.to_owned(), fault.message);
    }
}

/// The replica's files, if anything was done to it: also where its rows were empty
/// already, because what was withdrawn before is in the files until they are
/// written anew.
async fn write_anew(house: &House, membership: &Membership, told: &Told) -> Result<(), Fault> {
    if !told.ways.contains_key(&name_of(membership)) {
        return Ok(());
    }
    let replica = house.replica_of(membership).await?;
    house.rewrite(replica).await
}

async fn take_back(
    house: &House,
    membership: &Membership,
    theirs: &BTreeSet<MemoryId>,
    dry_run: bool,
    told: &mut Told,
) -> Result<(), Fault> {
    let place = name_of(membership);
    if membership.charter.review == Reviewers::Maintainer && !theirs.is_empty() {
        told.leave(
            format!("proposals of {place}"),
            "what was proposed is on the server alone until a maintainer answers; `engram team proposals` lists it, \
             `engram team withdraw` takes it back",
        );
    }
    let replica = house.replica_of(membership).await?;
    let part = replica.shelf.store().held_most().await.map_err(|error| trouble::read(&error))?;
    if part.is_some() {
        told.leave(
            place.clone(),
            "a part of what the team shares is on this machine; the rest was not looked at",
        );
    }
    let shared: Vec<Arc<Memory>> =
        replica.shelf.kept_where(|memory| theirs.contains(&memory.id) && !memory.content.is_empty());
    let waiting = replica.shelf.store().outgoing(usize::MAX).await.map_err(|error| trouble::read(&error))?;
    let newborn = |line: &Outgoing| line.intent.newborn().map(|memory| memory.id);
    let waits = waiting.iter().filter_map(|line| Some((newborn(line)?, line.tries > 0)));
    // What waits here, and whether the server may have heard of it all the same.
    let waits: BTreeMap<MemoryId, bool> = waits.filter(|(id, _)| theirs.contains(id)).collect();
    if shared.is_empty() && waits.is_empty() {
        return Ok(());
    }
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
    // Whatever happens from here on, its files are written anew.
    if let Some(home) = &replica.home {
        home.ask_for_rewrite().map_err(|error| trouble::io("writing in", home.folder(), &error))?;
    }
    // What is still in the outbox is not said any more.
    let scrubbed = replica.shelf.store().scrub(theirs.iter().copied().collect(), Vec::new()).await;
    scrubbed.map_err(|error| trouble::commit(&error))?;
    let (here, mine): (Vec<_>, Vec<_>) =
        mine.into_iter().partition(|memory| waits.get(&memory.id) == Some(&false));
    for memory in &mine {
        let (operation, at) = (house.new_operation(), now());
        let occasion = Occasion { operation, actor: Actor::Human, at, recorded_at: at };
        house.queue(membership, Intent::Withdraw { memory: memory.id }, occasion).await?;
    }
    // What nobody else has heard of goes at once.
    if !here.is_empty() {
        let (operation, at) = (house.new_operation(), now());
        let occasion = Occasion { operation, actor: Actor::Engram, at, recorded_at: at };
        let ids: Vec<MemoryId> = here.iter().map(|memory| memory.id).collect();
        let purged = replica.shelf.change(&ids, |memories| plan_purge(memories, occasion)).await;
        purged.map_err(trouble::change)?;
    }
    house.team.wake.notify_one();
    told.did(place.clone(), Way::Removed);
    if !mine.is_empty() {
        told.leave(
            place,
            "what was shared is withdrawn as soon as the server hears of it, and gone from each member's machine when \
             that hears of it; it stays in the server's files until whoever runs it writes them anew (docs/team.md, \
             \"What was withdrawn, and the server's files\")",
        );
    }
    Ok(())
}
