//! What is asked about the team.

mod belonging;
mod operating;
mod sharing;

pub(super) use sharing::{correct, decide, forget, refuse_others};

use super::{REASSURING, Speaker, value};
use crate::serve::Daemon;
use crate::team::Membership;
use engram_wire::message::TeamOrder;
use engram_wire::{Context, Fault};
use serde_json::Value;
use std::time::Duration;

/// Each passes the gate by itself, and not while it waits for the server. That may
/// be longer than a client hears nothing before it takes us for gone.
pub(super) async fn obey_outside(
    daemon: &Daemon,
    context: &Context,
    order: TeamOrder,
    speaker: &Speaker,
) -> Result<Value, Fault> {
    let seconds = |waited: Duration| ("seconds waited for the team's server", waited.as_secs(), None);
    speaker.reassuring(REASSURING, seconds, obey(daemon, context, order, speaker)).await
}

async fn obey(
    daemon: &Daemon,
    context: &Context,
    order: TeamOrder,
    speaker: &Speaker,
) -> Result<Value, Fault> {
    match order {
        TeamOrder::Create(order) => value(operating::create(daemon, context, order).await?),
        TeamOrder::Upgrade { operator } => value(operating::upgrade(daemon, context, operator).await?),
        TeamOrder::Search { operator, index } => {
            value(operating::search(daemon, context, operator, index, speaker).await?)
        }
        TeamOrder::Join(order) => value(belonging::join(daemon, context, order, speaker).await?),
        TeamOrder::Leave { force, withdraw } => {
            value(belonging::leave(daemon, context, force, withdraw).await?)
        }
        TeamOrder::Status => value(belonging::status(daemon).await?),
        TeamOrder::Members => value(belonging::members(daemon).await?),
        TeamOrder::Invite { operator: Some(operator), .. } => {
            value(operating::invite(daemon, context, operator).await?)
        }
        TeamOrder::Invite { role, operator: None } => value(belonging::invite(daemon, context, role).await?),
        TeamOrder::SetMember { operation, member, role, active } => {
            value(belonging::set_member(daemon, context, operation, &member, role, active).await?)
        }
        TeamOrder::Rotate => value(belonging::rotate(daemon, context).await?),
        TeamOrder::Share { operation, memories } => {
            value(sharing::share(daemon, context, operation, &memories).await?)
        }
        TeamOrder::Withdraw { operation, memories } => {
            value(sharing::withdraw(daemon, context, operation, &memories).await?)
        }
        TeamOrder::Dismiss => value(belonging::dismiss(daemon).await?),
        TeamOrder::Offers => value(sharing::offers(daemon, context).await?),
        TeamOrder::Never { memories } => value(sharing::never(daemon, context, &memories).await?),
        TeamOrder::Proposals => value(sharing::proposals(daemon).await?),
        TeamOrder::Answer { operation, memories, approve } => {
            value(sharing::answer(daemon, context, operation, &memories, approve).await?)
        }
    }
}

/// The team this home belongs to, or how to come to one.
fn joined(daemon: &Daemon) -> Result<Membership, Fault> {
    daemon.house.membership()?.ok_or_else(|| {
        Fault::not_found("no team was joined").hint("a maintainer invites with `engram team invite`")
    })
}
