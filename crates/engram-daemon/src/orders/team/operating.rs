//! What is done to a team by whoever runs its server. Their credentials go
//! through here and are kept nowhere.

use super::super::Speaker;
use super::joined;
use crate::clock::now;
use crate::serve::Daemon;
use crate::team::{far_fault, fresh_secret, roots_of};
use engram_core::audit::Deed;
use engram_core::team::{FarSearch, Role, Rulers};
use engram_store::{
    Founding, TeamAddress, create_team, hash_of, invite_maintainer, switch_search, upgrade_team,
};
use engram_wire::message::{Operator, TeamCreate};
use engram_wire::team::{Invitation, TeamCreated, TeamDone, TeamDoor};
use engram_wire::{Context, Fault};
use std::time::Duration;

/// So many lines of the feed are kept; whoever was away for longer reads
/// everything anew.
const WINDOW: u64 = 100_000;
/// How long a token lets in; a connection signs in once and stays.
const TOKEN: Duration = Duration::from_secs(900);

pub(super) async fn create(
    daemon: &Daemon,
    context: &Context,
    order: TeamCreate,
) -> Result<TeamCreated, Fault> {
    let code = fresh_secret()?;
    let address = TeamAddress {
        url: order.url.clone(),
        namespace: order.namespace.clone(),
        database: order.name.database(),
        roots: roots_of(order.ca.as_deref())?,
    };
    let founding = Founding {
        name: order.name.clone(),
        review: order.review,
        rulers: Rulers::Member,
        window: WINDOW,
        pepper: fresh_secret()?.reveal().to_owned(),
        invitation_hash: hash_of(code.reveal()),
        token: TOKEN,
        session: Duration::from_secs(order.session_s),
    };
    daemon.house.audit.note(context, Deed::Team, None, &[order.name.to_string()])?;
    let created = create_team(&address, &known(order.operator), founding, now()).await;
    created.map_err(|error| far_fault(&error))?;
    let (url, namespace, name) = (order.url, order.namespace, order.name);
    let door = TeamDoor { url: url.clone(), namespace, name: name.clone(), code: Some(code) };
    let invitation = Invitation { role: Role::Maintainer, address: door.written() };
    Ok(TeamCreated { name, url, invitation })
}

/// For a team whose first invitation was lost, or whose maintainers were.
pub(super) async fn invite(
    daemon: &Daemon,
    context: &Context,
    operator: Operator,
) -> Result<Invitation, Fault> {
    let membership = joined(daemon)?;
    let (address, code) = (daemon.house.address(&membership)?, fresh_secret()?);
    daemon.house.audit.note(context, Deed::Team, None, &[membership.name.to_string()])?;
    let made = invite_maintainer(&address, &known(operator), &hash_of(code.reveal()), now()).await;
    made.map_err(|error| far_fault(&error))?;
    let door = TeamDoor {
        url: membership.url,
        namespace: membership.namespace,
        name: membership.name,
        code: Some(code),
    };
    Ok(Invitation { role: Role::Maintainer, address: door.written() })
}

pub(super) async fn upgrade(
    daemon: &Daemon,
    context: &Context,
    operator: Operator,
) -> Result<TeamDone, Fault> {
    let membership = joined(daemon)?;
    let address = daemon.house.address(&membership)?;
    daemon.house.audit.note(context, Deed::Team, None, &[membership.name.to_string()])?;
    let taken = upgrade_team(&address, &known(operator), now()).await.map_err(|error| far_fault(&error))?;
    daemon.house.team.wake.notify_one();
    let done = match taken.as_slice() {
        [] => "The team's schema was up to date; its members sign in anew.".to_owned(),
        steps => format!("The team's schema took {} steps; its members sign in anew.", steps.len()),
    };
    Ok(TeamDone { done })
}

/// Indexes of the server's own, or none.
pub(super) async fn search(
    daemon: &Daemon,
    context: &Context,
    operator: Operator,
    index: FarSearch,
    speaker: &Speaker,
) -> Result<TeamDone, Fault> {
    let membership = joined(daemon)?;
    let address = daemon.house.address(&membership)?;
    daemon.house.audit.note(context, Deed::Team, None, &[membership.name.to_string()])?;
    speaker.progress("switching the server's indexes", 0, None).await;
    switch_search(&address, &known(operator), index).await.map_err(|error| far_fault(&error))?;
    daemon.house.team.wake.notify_one();
    let done = match index {
        FarSearch::Off => "The server searches no longer; every machine takes in everything.",
        FarSearch::Hnsw | FarSearch::Diskann => {
            "The server keeps indexes of its own. Maintainers' machines fill them, while they run; when they \
             know everything, every machine holds team.local_most memories at most."
        }
    };
    Ok(TeamDone { done: done.to_owned() })
}

fn known(operator: Operator) -> engram_store::Operator {
    engram_store::Operator {
        username: operator.username,
        password: operator.password.reveal().to_owned(),
        level: operator.level,
    }
}
