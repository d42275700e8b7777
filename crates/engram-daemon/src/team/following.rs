//! The task that follows the team's server: takes in what changed there, says
//! what waits here, and waits for news.
//!
//! Nobody who recalls waits for it. What fails is tried again, later each time.

use super::membership::Membership;
use super::patient::{PUT_OFF, Patient};
use crate::clock::now;
use crate::house::House;
use crate::trouble;
use engram_core::team::port::{Far, FarError};
use engram_core::team::{Position, Role};
use engram_core::{OperationId, Timestamp};
use engram_engine::{Seat, SyncError};
use engram_store::FarTeam;
use engram_wire::platform::chance;
use engram_wire::team::TeamHealth;
use engram_wire::{Fault, FaultKind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

const SHORTEST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// So often only the head of the feed is looked at, before everything is again.
const HEADS_ALONE: u32 = 15;
/// How long whoever needed the stores is given.
const PUT_OFF_FOR: Duration = Duration::from_millis(20);
/// How long whoever shares something waits to hear that it was done.
const DONE_WAIT: Duration = Duration::from_secs(2);
const DONE_LOOK: Duration = Duration::from_millis(20);

/// How it stands with the server.
#[derive(Debug, Clone, Default)]
pub(crate) struct Standing {
    pub(crate) reachable: bool,
    pub(crate) problem: Option<String>,
    /// When nothing was missing here.
    pub(crate) level_at: Option<Timestamp>,
    pub(crate) latest: Position,
}

impl House {
    pub(crate) fn team_standing(&self) -> MutexGuard<'_, Standing> {
        self.team.standing.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Follows the server for as long as the daemon runs.
    pub(crate) async fn follow_team(&self) {
        let mut pause = SHORTEST_PAUSE;
        loop {
            let far = match self.come_level().await {
                Ok(Some(far)) => far,
                Ok(None) => {
                    self.team.wake.notified().await;
                    continue;
                }
                Err(fault) if was_put_off(&fault) => {
                    tokio::time::sleep(PUT_OFF_FOR).await;
                    continue;
                }
                Err(fault) => {
                    // Half of it by chance, so that a whole team does not come back at once.
                    let chance = pause.mul_f64(0.5 + (chance() % 1_000) as f64 / 2_000.0);
                    tracing::info!("the team's server: {}", fault.message);
                    // Whoever is woken by something to say tries at once, and was not waiting.
                    if tokio::time::timeout(chance, self.team.wake.notified()).await.is_err() {
                        pause = (pause * 2).min(LONGEST_PAUSE);
                    }
                    continue;
                }
            };
            pause = SHORTEST_PAUSE;
            self.rotate_if_old().await;
            match self.tell_indexes(&far).await {
                Ok(true) => continue,
                Ok(false) => {}
                Err(fault) => {
                    tracing::info!("the server's indexes: {}", fault.message);
                    self.hang_up(&far);
                }
            }
            // The head alone is looked at in between: all else together is several times as much.
            let patience = self.patience().poll * HEADS_ALONE;
            tokio::select! {
                heard = far.wait(patience) => if heard.is_err() { self.hang_up(&far) },
                () = self.team.wake.notified() => {}
            }
        }
    }

    /// This machine's key is exchanged when it has become old.
    async fn rotate_if_old(&self) {
        let Ok(Some(membership)) = self.membership() else { return };
        let days = i64::try_from(self.settings.number("team.rotate_days")).unwrap_or(i64::MAX);
        if now().duration_since(membership.key_since).as_hours() < days.saturating_mul(24) {
            return;
        }
        if let Err(fault) = self.rotate_key(&membership).await {
            // Which key is in force is found out by signing in again.
            self.team.far.clear();
            tracing::warn!("this machine's key was not exchanged: {}", fault.message);
        }
    }

    /// The connection is not used again.
    fn hang_up(&self, far: &Arc<FarTeam>) {
        self.team.far.hang_up(far);
    }

    /// The server, as this machine is let in there.
    pub(crate) async fn far(&self, membership: &Membership) -> Result<Arc<FarTeam>, FarError> {
        if let Some(far) = self.team.far.of(membership) {
            return Ok(far);
        }
        let far = self.connect(membership).await?;
        self.team.far.keep(membership, far.clone());
        Ok(far)
    }

    /// Asks the server something. A connection that had trouble is not used again.
    pub(crate) async fn ask_far<T>(
        &self,
        membership: &Membership,
        question: impl AsyncFnOnce(Arc<FarTeam>) -> Result<T, FarError>,
    ) -> Result<T, FarError> {
        let far = self.far(membership).await?;
        let answer = question(far.clone()).await;
        if answer.as_ref().is_err_and(is_trouble) {
            self.hang_up(&far);
        }
        answer
    }

    /// Takes in and says everything there is. None: no team was joined. Whoever
    /// calls does not hold the gate.
    pub(crate) async fn come_level(&self) -> Result<Option<Arc<FarTeam>>, Fault> {
        let _turn = self.team.turn.lock().await;
        let Some(membership) = self.membership()? else { return Ok(None) };
        let outcome = self.exchange(&membership).await;
        let mut standing = self.team_standing();
        match outcome {
            Ok(far) => {
                standing.reachable = true;
                standing.problem = None;
                Ok(Some(far))
            }
            Err(fault) => {
                if !was_put_off(&fault) {
                    standing.reachable = false;
                    standing.problem = Some(fault.message.clone());
                }
                Err(fault)
            }
        }
    }

    async fn exchange(&self, membership: &Membership) -> Result<Arc<FarTeam>, Fault> {
        let far = self.far(membership).await.map_err(|error| far_fault(&error))?;
        let done = async {
            let _gate = self.gate.read().await;
            let store = self.replica_of(membership).await?;
            let patient: Arc<dyn Far> = Arc::new(Patient::new(far.clone(), self.waiting.subscribe()));
            let most = self.most_to_hold(&store, membership, &*patient).await?;
            let seat =
                Seat::new(store.shelf.clone(), patient.clone(), membership.me(), membership.charter.clone())
                    .holding(most);
            let exchanged = self.say_and_hear(membership, &seat, &*patient).await;
            // What was withdrawn is gone from the rows; when the replica opens again,
            // it is gone from its files.
            if let Some(home) = store.home.as_ref().filter(|_| seat.has_purged()) {
                home.ask_for_rewrite().map_err(|error| trouble::io("writing in", home.folder(), &error))?;
            }
            self.look_whether_part(&store).await?;
            exchanged
        }
        .await;
        if let Err(fault) = &done
            && !was_put_off(fault)
        {
            self.hang_up(&far);
        }
        done.map(|()| far)
    }

    async fn say_and_hear(&self, membership: &Membership, seat: &Seat, far: &dyn Far) -> Result<(), Fault> {
        let mut pulled = seat.pull(now()).await.map_err(sync_fault)?;
        tell_unread(&pulled.unread);
        let pushed = seat.push(now()).await.map_err(sync_fault)?;
        let mut members = pulled.members;
        self.team.searching.tell_of(std::mem::take(&mut pulled.own));
        if pushed.delivered > 0 {
            pulled = seat.pull(now()).await.map_err(sync_fault)?;
            tell_unread(&pulled.unread);
            members |= pulled.members;
            self.team.searching.tell_of(std::mem::take(&mut pulled.own));
        }
        if pushed.refused > 0 {
            tracing::warn!(
                "the team's server refused {} changes; `engram team status` tells why",
                pushed.refused
            );
        }
        {
            let mut standing = self.team_standing();
            standing.level_at = Some(now());
            standing.latest = pulled.position;
        }
        self.note_team(membership, seat, far, members).await?;
        match membership.role {
            Role::Reader => {}
            _ if self.team.leaving.load(Ordering::Relaxed) => {}
            Role::Member | Role::Maintainer => self.look_for_offers(membership, far).await,
        }
        Ok(())
    }

    /// Keeps what the server told of the members and of what the team agreed on.
    async fn note_team(
        &self,
        membership: &Membership,
        seat: &Seat,
        far: &dyn Far,
        members: bool,
    ) -> Result<(), Fault> {
        let desk = self.desk();
        let mut me = seat.me();
        if members || !desk.members_file().exists() {
            let listed = far.members().await.map_err(|error| far_fault(&error))?;
            me = listed.iter().find(|member| member.id == me.id).cloned().unwrap_or(me);
            desk.keep_members(&listed)?;
        }
        let charter = seat.charter();
        if charter.search && !membership.charter.search {
            self.team.searching.begin_anew();
        }
        if me.role != membership.role || me.handle != membership.handle || charter != membership.charter {
            let _papers = self.team.papers.lock().await;
            if let Some(known) = desk.load()? {
                desk.keep(&Membership { role: me.role, handle: me.handle, charter, ..known })?;
            }
        }
        Ok(())
    }

    /// Whether what was queued is done, waited for a little where the server was
    /// there a moment ago. Whoever calls does not hold the gate.
    pub(crate) async fn is_delivered(
        &self,
        membership: &Membership,
        queued: &[OperationId],
    ) -> Result<bool, Fault> {
        self.team.wake.notify_one();
        let mut left = if self.team_standing().reachable { DONE_WAIT } else { Duration::ZERO };
        loop {
            let mut mine = Vec::new();
            {
                let _gate = self.gate.read().await;
                let store = self.replica_of(membership).await?;
                for operation in queued {
                    let line = store.shelf.store().find_outgoing(*operation).await;
                    mine.extend(line.map_err(|error| trouble::read(&error))?);
                }
            }
            if mine.is_empty() {
                return Ok(true);
            }
            if let Some(line) = mine.iter().find(|line| line.refused_at.is_some()) {
                let problem = line.problem.clone().unwrap_or_default();
                return Err(Fault::refused(format!("the team's server refused it: {problem}")));
            }
            if left.is_zero() {
                return Ok(false);
            }
            tokio::time::sleep(DONE_LOOK).await;
            left = left.saturating_sub(DONE_LOOK);
        }
    }

    /// How this machine stands with its team. None: no team was joined. Whoever
    /// calls holds the gate.
    pub(crate) async fn team_health(&self) -> Result<Option<TeamHealth>, Fault> {
        let Some(membership) = self.membership()? else { return Ok(None) };
        let store = self.replica_of(&membership).await?;
        let kept = store.shelf.store();
        let heard = kept.heard().await.map_err(|error| trouble::read(&error))?.unwrap_or_default();
        let queued = kept.waiting().await.map_err(|error| trouble::read(&error))?.len();
        let lines = kept.count_outgoing().await.map_err(|error| trouble::read(&error))?;
        let standing = self.team_standing().clone();
        Ok(Some(TeamHealth {
            name: membership.name,
            url: membership.url,
            member: membership.member,
            handle: membership.handle,
            role: membership.role,
            reachable: standing.reachable,
            problem: standing.problem,
            level_at: standing.level_at,
            position: heard,
            behind: standing.latest.0.saturating_sub(heard.0),
            queued,
            refused: lines.saturating_sub(queued),
            memories: store.shelf.kept_where(|memory| memory.status.is_current()).len(),
            most: kept.held_most().await.map_err(|error| trouble::read(&error))?,
            searched: membership.charter.search,
        }))
    }
}

/// By name: what they say is nobody's business here.
fn tell_unread(rows: &[String]) {
    for row in rows {
        tracing::warn!("the team's server has {row:?}, which cannot be read; it counts as not there");
    }
}

/// Somebody needed the stores; that says nothing of the server.
fn was_put_off(fault: &Fault) -> bool {
    fault.message.contains(PUT_OFF)
}

/// Whether a connection is to be made anew after this. That somebody needed the
/// stores says nothing of it, and what was refused was heard and answered.
fn is_trouble(error: &FarError) -> bool {
    match error {
        FarError::Unreachable(why) => why != PUT_OFF,
        FarError::Denied(_)
        | FarError::Expired
        | FarError::Behind { .. }
        | FarError::FromTheFuture { .. }
        | FarError::BadRow(_) => true,
        FarError::Conflict(_) | FarError::AlreadyDone(_) | FarError::Refused(_) => false,
    }
}

pub(crate) fn far_fault(error: &FarError) -> Fault {
    let kind = match error {
        FarError::Unreachable(_) | FarError::Expired | FarError::BadRow(_) => FaultKind::Environment,
        FarError::Behind { .. } | FarError::FromTheFuture { .. } => FaultKind::Version,
        FarError::Denied(_) | FarError::Conflict(_) | FarError::AlreadyDone(_) | FarError::Refused(_) => {
            FaultKind::Refused
        }
    };
    Fault::new(kind, error.to_string())
}

fn sync_fault(error: SyncError) -> Fault {
    match error {
        SyncError::Far(error) => far_fault(&error),
        SyncError::Change(error) => trouble::change(error),
    }
}
