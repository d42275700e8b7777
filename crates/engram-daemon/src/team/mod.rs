//! The daemon's side of the team: the membership of this home, the replica of
//! what is shared, and the task that follows the server.
//!
//! Recall asks the replica; the network only where that does not hold everything,
//! and then not for long. What a member wants done is in the replica's outbox
//! before it is acknowledged.

mod following;
mod handle;
mod membership;
mod offering;
mod patient;
mod searching;

pub(crate) use following::far_fault;
pub(crate) use membership::{Desk, Keys, Membership, fresh_secret};
pub(crate) use searching::ServerSaid;

use crate::clock::now;
use crate::house::{House, OpenStore, Slots, Truth, open_shelf};
use crate::trouble;
use engram_core::plan::Occasion;
use engram_core::port::CommitError;
use engram_core::team::Intent;
use engram_core::team::port::FarError;
use engram_core::{IdMint, MemberId, OperationId, Scope};
use engram_engine::ChangeError;
use engram_store::{
    FarTeam, Location, Patience, StoreHome, SurrealStore, TeamAddress, certificates, hash_of,
    rotate as exchange_key,
};
use engram_wire::Fault;
use engram_wire::message::Hidden;
use engram_wire::platform::chance;
use engram_wire::project::ProjectPlace;
use following::Standing;
use handle::{Handle, Whose};
use searching::Searching;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Notify;

#[derive(Default)]
pub(crate) struct Team {
    pub(crate) replica: Slots<()>,
    /// The server, while it lets this machine in.
    pub(crate) far: Handle<FarTeam>,
    standing: Mutex<Standing>,
    /// One at a time follows the server, joins or leaves.
    pub(crate) turn: tokio::sync::Mutex<()>,
    /// The files of the membership are changed by one at a time.
    papers: tokio::sync::Mutex<()>,
    /// Nothing is taken into the outbox any more.
    leaving: AtomicBool,
    /// What was offered is changed by one at a time.
    offers: Mutex<()>,
    pub(crate) searching: Searching,
    /// There is something to say, or a team to follow.
    pub(crate) wake: Notify,
}

/// As long as it is there, nothing is taken into the outbox.
pub(crate) struct Leaving<'h>(&'h AtomicBool);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

impl House {
    /// From here on nothing more is taken into the outbox. What somebody was about
    /// to put there is in it when this returns, so that nobody is told that
    /// something waits which nobody counts. Whoever calls does not hold the gate.
    pub(crate) async fn begin_to_leave(&self) -> Result<Leaving<'_>, Fault> {
        if self.team.leaving.swap(true, Ordering::Relaxed) {
            return Err(Fault::refused("the team is being left"));
        }
        let leaving = Leaving(&self.team.leaving);
        drop(self.alone().await);
        Ok(leaving)
    }

    pub(crate) fn desk(&self) -> Desk {
        Desk::of(&self.home)
    }

    /// The address of the team's database on its server.
    pub(crate) fn address(&self, membership: &Membership) -> Result<TeamAddress, Fault> {
        Ok(TeamAddress {
            url: membership.url.clone(),
            namespace: membership.namespace.clone(),
            database: membership.name.database(),
            roots: roots_of(membership.ca.as_deref())?,
        })
    }

    /// A new connection to the server.
    async fn connect(&self, membership: &Membership) -> Result<Arc<FarTeam>, FarError> {
        let _papers = self.team.papers.lock().await;
        self.settle_keys(membership).await.map(|(far, _)| Arc::new(far))
    }

    /// Signs in. Where a key was being exchanged, the one that is in force is found
    /// out and kept. Whoever calls has the papers.
    async fn settle_keys(&self, membership: &Membership) -> Result<(FarTeam, Hidden), FarError> {
        let desk = self.desk();
        let failed = |fault: Fault| FarError::Denied(fault.message);
        // Another team's key is not shown to this one's server.
        self.still_in(membership).map_err(failed)?;
        let Keys { key, next } = desk.load_keys().map_err(failed)?;
        let address = self.address(membership).map_err(failed)?;
        let patience = self.patience();
        if let Some(next) = next {
            match FarTeam::open(&address, next.reveal(), membership.member, patience).await {
                Ok(far) => {
                    self.still_in(membership).map_err(failed)?;
                    desk.keep_keys(&Keys { key: next.clone(), next: None }).map_err(failed)?;
                    self.note_new_key().map_err(failed)?;
                    return Ok((far, next));
                }
                Err(FarError::Denied(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let far = FarTeam::open(&address, key.reveal(), membership.member, patience).await?;
        // Who has left meanwhile keeps no key.
        self.still_in(membership).map_err(failed)?;
        desk.keep_keys(&Keys { key: key.clone(), next: None }).map_err(failed)?;
        Ok((far, key))
    }

    fn note_new_key(&self) -> Result<(), Fault> {
        match self.desk().load()? {
            Some(membership) => self.desk().keep(&Membership { key_since: now(), ..membership }),
            None => Ok(()),
        }
    }

    /// How long the server is waited for.
    pub(crate) fn patience(&self) -> Patience {
        let of = |key| Duration::from_millis(self.settings.number(key));
        Patience { call: of("team.call_ms"), poll: of("team.poll_ms") }
    }

    /// The team this home belongs to. None: none was joined.
    pub(crate) fn membership(&self) -> Result<Option<Membership>, Fault> {
        Ok(self.desk().load()?.filter(|membership| membership.joined_at.is_some()))
    }

    /// Who this home is in its team.
    pub(crate) fn member(&self) -> Result<Option<MemberId>, Fault> {
        Ok(self.membership()?.map(|membership| membership.member))
    }

    /// What the team shares, where it may be seen from here. None: there is no
    /// team, or its memories are not told here.
    pub(crate) async fn replica(
        &self,
        place: Option<&ProjectPlace>,
    ) -> Option<Result<Arc<OpenStore>, Fault>> {
        let membership = match self.membership() {
            Ok(membership) => membership?,
            Err(fault) => return Some(Err(fault)),
        };
        if !told_in(self.settings.text("team.folders"), place.map(|place| place.root.as_path())) {
            return None;
        }
        Some(self.replica_slot(&membership).await)
    }

    /// Keeps what is wanted until the server has done it. Whoever calls holds the
    /// gate.
    pub(crate) async fn queue(
        &self,
        membership: &Membership,
        intent: Intent,
        occasion: Occasion,
    ) -> Result<(), Fault> {
        if self.team.leaving.load(Ordering::Relaxed) {
            return Err(Fault::refused("the team is being left"));
        }
        let store = self.replica_of(membership).await?;
        let most = usize::try_from(self.settings.number("team.queue")).unwrap_or(usize::MAX);
        let kept = store.shelf.store();
        let mut waiting = kept.count_outgoing().await.map_err(|error| trouble::read(&error))?;
        if waiting >= most {
            // What was refused does not wait.
            waiting = kept.waiting().await.map_err(|error| trouble::read(&error))?.len();
        }
        if waiting >= most {
            return Err(Fault::busy(format!("{most} changes wait for the team's server"))
                .hint("it takes them when it is reached; `engram team status` tells how it stands"));
        }
        match store.shelf.queue(intent, &membership.me(), &membership.charter, occasion).await {
            // Somebody did not hear the answer, and says it again.
            Err(ChangeError::Commit(CommitError::AlreadyApplied(_))) => Ok(()),
            outcome => outcome.map_err(trouble::change),
        }
    }

    pub(crate) fn new_operation(&self) -> OperationId {
        OperationId::from_ulid(IdMint::seeded(chance()).mint(now()))
    }

    /// A key is kept before it is in force, so that one of the two lets us in
    /// whatever becomes of the answer; which of them does is found out first.
    pub(crate) async fn rotate_key(&self, membership: &Membership) -> Result<(), Fault> {
        let _papers = self.team.papers.lock().await;
        let (_, key) = self.settle_keys(membership).await.map_err(|error| far_fault(&error))?;
        let desk = self.desk();
        let next = fresh_secret()?;
        desk.keep_keys(&Keys { key: key.clone(), next: Some(next.clone()) })?;
        let (address, patience) = (self.address(membership)?, self.patience().call);
        let hash = hash_of(next.reveal());
        let exchanged = exchange_key(&address, key.reveal(), &hash, now(), patience).await;
        exchanged.map_err(|error| far_fault(&error))?;
        desk.keep_keys(&Keys { key: next, next: None })?;
        self.note_new_key()
    }

    /// Nothing of the team is left here. Whoever calls has the turn.
    pub(crate) async fn forget_team(&self) -> Result<(), Fault> {
        let _alone = self.alone().await;
        self.team.far.clear();
        if let Some(store) = self.team.replica.take(&()) {
            let surreal = store.surreal()?.clone();
            drop(store);
            if let Some(surreal) = Arc::into_inner(surreal) {
                surreal.close().await;
            }
        }
        *self.team_standing() = Standing::default();
        self.team.searching.begin_anew();
        self.desk().clear()
    }

    /// Whoever waited for the server may be late: the team may have been left, and
    /// another one joined.
    pub(crate) fn still_in(&self, membership: &Membership) -> Result<(), Fault> {
        let known = self.desk().load()?;
        match known.is_some_and(|known| Whose::of(&known) == Whose::of(membership)) {
            true => Ok(()),
            false => Err(Fault::refused(format!("the team {} was left meanwhile", membership.name))),
        }
    }

    /// What this team shares. Whoever calls holds the gate.
    pub(crate) async fn replica_of(&self, membership: &Membership) -> Result<Arc<OpenStore>, Fault> {
        self.still_in(membership)?;
        self.replica_slot(membership).await
    }

    /// The same for whoever has just read the membership.
    async fn replica_slot(&self, membership: &Membership) -> Result<Arc<OpenStore>, Fault> {
        self.team.replica.get((), async || self.open_replica(membership).await).await
    }

    /// Opens without the network.
    async fn open_replica(&self, membership: &Membership) -> Result<OpenStore, Fault> {
        let folder = self.desk().replica(membership);
        let database = membership.name.database();
        let home = StoreHome::new(&folder);
        let failed = |error| trouble::open(&error, &folder);
        home.rewrite_if_asked(Scope::Team, &database, now()).await.map_err(failed)?;
        let location = Location::Disk(home.clone());
        let surreal =
            Arc::new(SurrealStore::open_team(&location, &membership.name, now()).await.map_err(failed)?);
        let shelf = open_shelf(surreal.clone(), Scope::Team, &self.embedders, &folder).await?;
        Ok(OpenStore::new(shelf, Truth::Database(surreal), Some(home), database, None))
    }
}

/// The certificates of a PEM text.
pub(crate) fn roots_of(pem: Option<&str>) -> Result<Vec<Vec<u8>>, Fault> {
    certificates(pem.unwrap_or_default()).map_err(|error| far_fault(&error))
}

/// Whether the team's memories are told in this folder. Where no folder is named
/// they are told everywhere.
fn told_in(folders: &str, here: Option<&Path>) -> bool {
    let mut named = folders.split(',').map(str::trim).filter(|folder| !folder.is_empty()).peekable();
    named.peek().is_none() || here.is_some_and(|here| named.any(|folder| here.starts_with(folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_team_is_told_in_the_folders_that_are_named() {
        let shop = Some(Path::new("/src/shop/web"));
        for (folders, here, told) in [
            ("", shop, true),
            (" , ", None, true),
            ("/src/shop", shop, true),
            ("/src/sho", shop, false),
            ("/other, /src", shop, true),
            ("/src/shop", None, false),
        ] {
            assert_eq!(told_in(folders, here), told, "{folders:?} {here:?}");
        }
    }
}
