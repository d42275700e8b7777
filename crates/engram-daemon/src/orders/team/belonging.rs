//! Joining, leaving, and who belongs to the team.

use super::super::{Speaker, occasion};
use super::joined;
use crate::clock::now;
use crate::serve::Daemon;
use crate::team::{Keys, Membership, far_fault, fresh_secret};
use crate::trouble;
use engram_core::audit::Deed;
use engram_core::team::port::{Far as _, FarError};
use engram_core::team::{Charter, Intent, Member, Reviewers, Role, Rulers};
use engram_core::{IdMint, MemberId, OperationId};
use engram_store::{Newcomer, hash_of, sign_up};
use engram_wire::message::TeamJoin;
use engram_wire::platform::chance;
use engram_wire::team::{
    Invitation, RefusedLine, TeamDone, TeamDoor, TeamHealth, TeamLeft, TeamMembers, TeamStatus,
};
use engram_wire::{Context, Fault};
use std::time::Duration;

/// What people may call themselves: so many letters at most.
const LONGEST_HANDLE: usize = 64;
/// So often it is told how far taking in has come.
const LOOK: Duration = Duration::from_secs(1);

pub(super) async fn join(
    daemon: &Daemon,
    context: &Context,
    order: TeamJoin,
    speaker: &Speaker,
) -> Result<TeamHealth, Fault> {
    let house = &daemon.house;
    let handle = order.handle.trim().to_owned();
    if handle.is_empty() || handle.chars().count() > LONGEST_HANDLE || handle.chars().any(char::is_control) {
        return Err(Fault::usage("a handle has 1 to 64 letters").hint("choose one with --handle"));
    }
    {
        let _turn = house.team.turn.lock().await;
        if let Some(known) = house.desk().load()?.filter(|known| known.joined_at.is_some()) {
            return Err(Fault::refused(format!("this home belongs to the team {} already", known.name))
                .hint("one home has one team; `engram team leave` leaves it"));
        }
        // Of a team that was left, or tried in vain, no connection is left.
        house.team.far.clear();
        let begun = begin(daemon, context, order, handle, speaker).await;
        if begun.is_err() {
            house.team.far.clear();
        }
        begun?;
    }
    let level = house.come_level();
    tokio::pin!(level);
    loop {
        let here = house.team.replica.open().first().map_or(0, |(_, store)| store.shelf.index().len());
        speaker.progress("taking in what is shared", here as u64, None).await;
        tokio::select! {
            done = &mut level => {
                done?;
                break;
            }
            () = tokio::time::sleep(LOOK) => {}
        }
    }
    house.team.wake.notify_one();
    let _gate = house.gate.read().await;
    house.team_health().await?.ok_or_else(|| Fault::internal("the team was left while it was joined"))
}

/// Uses up the invitation, and keeps what the server tells of the team. Whoever
/// calls has the turn.
async fn begin(
    daemon: &Daemon,
    context: &Context,
    order: TeamJoin,
    handle: String,
    speaker: &Speaker,
) -> Result<(), Fault> {
    let house = &daemon.house;
    let desk = house.desk();
    house.audit.note(context, Deed::Team, None, &[order.name.to_string()])?;
    let at = now();
    let mut membership = Membership {
        url: order.url,
        namespace: order.namespace,
        name: order.name.clone(),
        member: MemberId::from_ulid(IdMint::seeded(chance()).mint(at)),
        handle: handle.clone(),
        role: Role::Reader,
        ca: order.ca,
        joined_at: None,
        key_since: at,
        // Until the server has told: as careful as can be.
        charter: Charter {
            name: order.name,
            review: Reviewers::Maintainer,
            rulers: Rulers::Maintainer,
            pepper: String::new(),
            search: false,
        },
    };
    let address = house.address(&membership)?;
    // One that was begun and whose answer was lost is gone on with.
    let begun = desk.load()?.filter(|begun| {
        (&begun.url, &begun.namespace, &begun.name)
            == (&membership.url, &membership.namespace, &membership.name)
            && begun.handle == handle
    });
    let key = match begun.zip(desk.load_keys().ok()) {
        Some((begun, keys)) => {
            // Which certificate is believed may be what was said otherwise now.
            membership = Membership { ca: membership.ca, ..begun };
            keys.key
        }
        None => {
            let key = fresh_secret()?;
            desk.keep_keys(&Keys { key: key.clone(), next: None })?;
            desk.keep(&membership)?;
            key
        }
    };
    speaker.progress("joining", 0, None).await;
    let newcomer = Newcomer {
        code: order.code.reveal(),
        member: membership.member,
        handle: &membership.handle,
        seat: &hash_of(key.reveal()),
        machine: "engram",
        at,
    };
    let signed = sign_up(&address, newcomer, house.patience().call).await;
    // An answer that was lost is found out by signing in.
    let far = match (house.far(&membership).await, signed) {
        (Ok(far), _) => far,
        // Let in by neither the invitation nor the key: nothing came of it.
        (Err(FarError::Denied(_)), Err(why)) => {
            desk.clear()?;
            return Err(far_fault(&why).hint("nothing was changed here"));
        }
        (Err(error), _) => {
            return Err(far_fault(&error)
                .hint("whether it was heard is not known; say the same again when the server is there"));
        }
    };
    membership.charter = far.charter().await.map_err(|error| far_fault(&error))?;
    let members = far.members().await.map_err(|error| far_fault(&error))?;
    let me = members.iter().find(|member| member.id == membership.member);
    membership.role = me.map_or(Role::Reader, |me| me.role);
    membership.joined_at = Some(now());
    desk.keep_members(&members)?;
    desk.keep(&membership)
}

pub(super) async fn leave(
    daemon: &Daemon,
    context: &Context,
    force: bool,
    withdraw: bool,
) -> Result<TeamLeft, Fault> {
    let house = &daemon.house;
    let membership = match house.desk().load() {
        Ok(Some(membership)) => membership,
        Ok(None) => return Err(Fault::not_found("no team was joined")),
        Err(fault) if force => return give_up(daemon, context, fault).await,
        Err(fault) => return Err(fault),
    };
    if withdraw {
        super::sharing::withdraw_all(daemon, context, &membership, force).await?;
    }
    let _leaving = house.begin_to_leave().await?;
    leave_now(daemon, context, &membership, force).await
}

/// Which server knows this home cannot be read, so none is told.
async fn give_up(daemon: &Daemon, context: &Context, why: Fault) -> Result<TeamLeft, Fault> {
    let house = &daemon.house;
    let desk = house.desk();
    let Some(name) = desk.replica_name() else { return Err(why) };
    house.audit.note(context, Deed::Team, None, &[name.to_string()])?;
    let _leaving = house.begin_to_leave().await?;
    let _turn = house.team.turn.lock().await;
    house.forget_team().await?;
    Ok(TeamLeft { name, lost: 0, told: false, removed: desk.folder().to_owned() })
}

async fn leave_now(
    daemon: &Daemon,
    context: &Context,
    membership: &Membership,
    force: bool,
) -> Result<TeamLeft, Fault> {
    let house = &daemon.house;
    let desk = house.desk();
    let level = house.come_level().await;
    let waiting = {
        let _gate = house.gate.read().await;
        match house.team_health().await {
            Ok(health) => health.map_or(0, |health| health.queued),
            // A replica that does not open keeps nobody in a team.
            Err(_) if force => 0,
            Err(fault) => return Err(fault),
        }
    };
    if !force && (waiting > 0 || level.is_err()) {
        let problem = level.err().map(|fault| format!(": {}", fault.message)).unwrap_or_default();
        return Err(Fault::refused(format!("{waiting} changes were not said to the server yet{problem}"))
            .hint("try again when the server is there, or lose them with --force"));
    }
    let _turn = house.team.turn.lock().await;
    house.still_in(membership)?;
    house.audit.note(context, Deed::Team, None, &[membership.name.to_string()])?;
    let told = match (house.far(membership).await, desk.load_keys()) {
        (Ok(far), Ok(keys)) => far.leave(keys.key.reveal()).await.is_ok(),
        _ => false,
    };
    house.forget_team().await?;
    let removed = desk.folder().to_owned();
    Ok(TeamLeft { name: membership.name.clone(), lost: waiting, told, removed })
}

pub(super) async fn status(daemon: &Daemon) -> Result<TeamStatus, Fault> {
    let house = &daemon.house;
    let _gate = house.gate.read().await;
    let Some(team) = house.team_health().await? else {
        return Ok(TeamStatus { team: None, refused: Vec::new() });
    };
    let store = house.replica_of(&joined(daemon)?).await?;
    let outbox = store.shelf.store().outgoing(usize::MAX).await.map_err(|error| trouble::read(&error))?;
    let refused = outbox.into_iter().filter_map(|line| {
        Some(RefusedLine {
            operation: line.operation,
            intent: line.intent.word().to_owned(),
            memory: line.intent.memories().into_iter().next(),
            problem: line.problem.unwrap_or_default(),
            at: line.refused_at?,
        })
    });
    Ok(TeamStatus { team: Some(team), refused: refused.collect() })
}

/// Lets go of every line that the server refused.
pub(super) async fn dismiss(daemon: &Daemon) -> Result<TeamDone, Fault> {
    let house = &daemon.house;
    let _gate = house.gate.read().await;
    let store = house.replica_of(&joined(daemon)?).await?;
    let outbox = store.shelf.store().outgoing(usize::MAX).await.map_err(|error| trouble::read(&error))?;
    let refused: Vec<OperationId> =
        outbox.iter().filter(|line| line.refused_at.is_some()).map(|line| line.operation).collect();
    for operation in &refused {
        store.shelf.dismiss(*operation, now()).await.map_err(trouble::change)?;
    }
    Ok(TeamDone { done: format!("{} refused changes are let go of.", refused.len()) })
}

pub(super) async fn members(daemon: &Daemon) -> Result<TeamMembers, Fault> {
    let house = &daemon.house;
    let membership = joined(daemon)?;
    let me = membership.member;
    let desk = house.desk();
    // As they are now, where the server can be asked.
    match house.ask_far(&membership, async |far| far.members().await).await {
        Ok(members) => {
            house.still_in(&membership)?;
            desk.keep_members(&members)?;
            Ok(TeamMembers { members, me, told_at: Some(now()), problem: None })
        }
        Err(error) => {
            let (members, fault) = (desk.load_members(), far_fault(&error));
            // Nobody at all would be no old news, but wrong.
            if members.is_empty() {
                return Err(fault);
            }
            Ok(TeamMembers { members, me, told_at: desk.members_told_at(), problem: Some(fault.message) })
        }
    }
}

pub(super) async fn invite(daemon: &Daemon, context: &Context, role: Role) -> Result<Invitation, Fault> {
    let house = &daemon.house;
    let membership = joined(daemon)?;
    let code = fresh_secret()?;
    let (hash, at) = (hash_of(code.reveal()), now());
    house.audit.note(context, Deed::Team, None, &[membership.name.to_string()])?;
    let made = house.ask_far(&membership, async |far| far.invite(&hash, role, at).await).await;
    made.map_err(|error| far_fault(&error))?;
    let Membership { url, namespace, name, .. } = membership;
    Ok(Invitation { role, address: TeamDoor { url, namespace, name, code: Some(code) }.written() })
}

pub(super) async fn set_member(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    name: &str,
    role: Option<Role>,
    active: Option<bool>,
) -> Result<TeamDone, Fault> {
    let house = &daemon.house;
    let listed = members(daemon).await?.members;
    let named = |member: &&Member| member.handle == name || member.id.to_string() == name;
    let member = listed.iter().find(named).ok_or_else(|| {
        Fault::not_found(format!("nobody of the team is called \"{name}\""))
            .hint("`engram team members` lists them")
    })?;
    let (role, active) = (role.unwrap_or(member.role), active.unwrap_or(member.active));
    house.audit.note(context, Deed::Team, Some(operation), &[member.id.to_string()])?;
    let intent = Intent::SetMember { member: member.id, role, active };
    let membership = {
        let _gate = house.gate.read().await;
        let membership = joined(daemon)?;
        house.queue(&membership, intent, occasion(context, operation)).await?;
        membership
    };
    let done = house.is_delivered(&membership, &[operation]).await?;
    let said = if active {
        format!("{} is a {role}", member.handle)
    } else {
        format!("{} is no member any more", member.handle)
    };
    let when = if done { "." } else { ", as soon as the server hears of it." };
    Ok(TeamDone { done: format!("{said}{when}") })
}

pub(super) async fn rotate(daemon: &Daemon, context: &Context) -> Result<TeamDone, Fault> {
    let membership = joined(daemon)?;
    daemon.house.audit.note(context, Deed::Team, None, &[membership.name.to_string()])?;
    daemon.house.rotate_key(&membership).await?;
    Ok(TeamDone { done: "This machine has a new key.".to_owned() })
}
