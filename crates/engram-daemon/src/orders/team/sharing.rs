//! What goes to the team and comes back from it: sharing, withdrawing,
//! correcting, deciding. Each is in the outbox before it is acknowledged.

use super::super::{find, occasion, refuse_missing};
use super::joined;
use crate::house::{OpenStore, Visible};
use crate::serve::Daemon;
use crate::team::{Membership, far_fault};
use crate::trouble;
use engram_core::audit::Deed;
use engram_core::decision::Ruling;
use engram_core::plan::{Occasion, plan_correct};
use engram_core::team::port::Far as _;
use engram_core::team::{
    Corrected, Intent, Member, NotShared, Proposal, Reviewers, Role, SharingRule, View, as_shared, corrected,
    may_be_shared,
};
use engram_core::{Memory, MemoryId, OperationId, Provenance, ReviewId, Scope, Write};
use engram_engine::SHORTEST_NAME;
use engram_guard::personal;
use engram_wire::project::ProjectPlace;
use engram_wire::reply::Changed;
use engram_wire::team::{TeamDone, TeamFate, TeamLine, TeamLines, TeamQueued};
use engram_wire::{Context, Fault, FaultKind};
use std::sync::Arc;

pub(super) async fn share(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    names: &[String],
) -> Result<TeamQueued, Fault> {
    let house = &daemon.house;
    let gate = house.gate.read().await;
    let membership = joined(daemon)?;
    if membership.role == Role::Reader {
        return Err(
            Fault::refused("readers of a team share nothing").hint("ask a maintainer: engram team role")
        );
    }
    let visible = own(house.visible(context).await?);
    let rule = rule_here(daemon, context, &visible)?;
    let mut shared = Vec::with_capacity(names.len());
    for name in names {
        let (store, id) = find(&visible, name)?;
        let memory = store.shelf.load(id).await.map_err(trouble::change)?;
        may_be_shared(&memory, rule).map_err(|why| {
            Fault::refused(format!("memory {id} is not shared: {why}")).hint("nothing was shared")
        })?;
        let place = store.project.as_ref().map(|seen| seen.name.clone());
        shared.push(treated(
            daemon,
            context,
            as_shared(&memory, membership.member, place, occasion(context, operation).at),
        )?);
    }
    let about: Vec<String> = shared.iter().map(|memory| memory.id.to_string()).collect();
    house.audit.note(context, Deed::Share, Some(operation), &about)?;
    let lines: Vec<TeamLine> = shared.iter().map(line).collect();
    let intents = shared.into_iter().map(|memory| Intent::Share { memory: Box::new(memory) }).collect();
    let queued = queue_all(daemon, context, &membership, operation, intents).await?;
    house.forget_offers(&lines.iter().map(|line: &TeamLine| line.memory).collect::<Vec<_>>());
    drop((visible, gate));
    let proposed = membership.charter.review == Reviewers::Maintainer;
    let done = house.is_delivered(&membership, &queued).await?;
    Ok(TeamQueued { operation, memories: lines, done, proposed })
}

pub(super) async fn withdraw(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    names: &[String],
) -> Result<TeamQueued, Fault> {
    let membership = joined(daemon)?;
    let (mut memories, absent) = shared_here(daemon, &membership, names).await?;
    let proposed = if absent.is_empty() { Ok(Vec::new()) } else { waiting(daemon, &membership).await };
    for (name, fault) in absent {
        let proposed = match &proposed {
            Ok(proposed) => named(proposed, name)?.ok_or(fault)?,
            Err(away) => {
                return Err(fault.hint(format!("what is only proposed was not seen: {}", away.message)));
            }
        };
        memories.push(proposed.memory.clone());
    }
    let gate = daemon.house.gate.read().await;
    let queued = queue_withdrawals(daemon, context, &membership, operation, &memories).await?;
    drop(gate);
    let done = daemon.house.is_delivered(&membership, &queued).await?;
    let memories = memories.iter().map(line).collect();
    Ok(TeamQueued { operation, memories, done, proposed: false })
}

/// What the team's memories have of these names, and the names they have not.
async fn shared_here<'n>(
    daemon: &Daemon,
    membership: &Membership,
    names: &'n [String],
) -> Result<(Vec<Memory>, Vec<(&'n str, Fault)>), Fault> {
    let _gate = daemon.house.gate.read().await;
    let store = daemon.house.replica_of(membership).await?;
    let visible = Visible { stores: vec![store.clone()], missing: Vec::new(), place: None };
    let (mut memories, mut absent) = (Vec::with_capacity(names.len()), Vec::new());
    for name in names {
        match find(&visible, name) {
            Ok((_, id)) => memories.push(store.shelf.load(id).await.map_err(trouble::change)?),
            Err(fault) if fault.kind == FaultKind::NotFound => absent.push((name.as_str(), fault)),
            Err(fault) => return Err(fault),
        }
    }
    Ok((memories, absent))
}

/// Everything that one shared, and what one only proposed, which is seen at the
/// server alone. With `force` that stays there where the server is away.
pub(super) async fn withdraw_all(
    daemon: &Daemon,
    context: &Context,
    membership: &Membership,
    force: bool,
) -> Result<(), Fault> {
    if membership.joined_at.is_none() {
        return Ok(());
    }
    // What waits is said first, so that what it proposes is there.
    let proposed = match daemon.house.come_level().await {
        Ok(_) => waiting(daemon, membership).await,
        Err(fault) => Err(fault),
    };
    let proposed = match proposed {
        Ok(proposed) => proposed,
        Err(_) if force => Vec::new(),
        Err(fault) => {
            return Err(fault.hint(
                "what you only proposed could not be seen, so nothing was taken back; with --force that stays there",
            ));
        }
    };
    let _gate = daemon.house.gate.read().await;
    let store = daemon.house.replica_of(membership).await?;
    let is_own =
        |memory: &Memory| memory.provenance.author == Some(membership.member) && !memory.content.is_empty();
    let mut own: Vec<Memory> =
        store.shelf.kept_where(is_own).iter().map(|memory| Memory::clone(memory)).collect();
    for proposal in proposed {
        if is_own(&proposal.memory) && own.iter().all(|known| known.id != proposal.memory.id) {
            own.push(proposal.memory);
        }
    }
    if own.is_empty() {
        return Ok(());
    }
    queue_withdrawals(daemon, context, membership, daemon.house.new_operation(), &own).await.map(drop)
}

/// Whoever calls holds the gate.
async fn queue_withdrawals(
    daemon: &Daemon,
    context: &Context,
    membership: &Membership,
    operation: OperationId,
    memories: &[Memory],
) -> Result<Vec<OperationId>, Fault> {
    if let Some(other) = memories.iter().find(|memory| !membership.may_withdraw(memory)) {
        return Err(not_yours(other));
    }
    let about: Vec<String> = memories.iter().map(|memory| memory.id.to_string()).collect();
    daemon.house.audit.note(context, Deed::Withdraw, Some(operation), &about)?;
    let intents = memories.iter().map(|memory| Intent::Withdraw { memory: memory.id }).collect();
    queue_all(daemon, context, membership, operation, intents).await
}

fn not_yours(memory: &Memory) -> Fault {
    Fault::refused(format!("memory {} is somebody else's", memory.id))
        .hint("you can correct it, or ask a maintainer to withdraw it")
}

/// Refuses what somebody else shared, before anything is done about it.
pub(in crate::orders) fn refuse_others(daemon: &Daemon, memories: &[Memory]) -> Result<(), Fault> {
    let membership = joined(daemon)?;
    let other = memories.iter().find(|memory| !membership.may_withdraw(memory));
    other.map_or(Ok(()), |other| Err(not_yours(other)))
}

/// A correction of what the team shares: a new memory beside the one it corrects,
/// until the team knows which of them holds.
pub(in crate::orders) async fn correct(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    known: &Memory,
    text: &str,
    longest: usize,
) -> Result<Changed, Fault> {
    let membership = joined(daemon)?;
    if membership.role == Role::Reader {
        return Err(Fault::refused("readers of a team correct nothing"));
    }
    // The new text comes from here.
    if rule_at(daemon, context, daemon.house.place(context)?.as_ref())? == SharingRule::Off {
        return Err(Fault::refused(format!("memory {} is the team's, and {}", known.id, NotShared::Off))
            .hint("correct it from elsewhere, or have this project share"));
    }
    let occasion = occasion(context, operation);
    let planned = plan_correct(known, text, Provenance::stated_by(context.actor), longest, occasion);
    let planned = planned.map_err(|problem| trouble::change(problem.into()))?;
    let newborn = planned.writes.into_iter().find_map(|write| match write {
        Write::Create { memory } => Some(*memory),
        _ => None,
    });
    let Some(mut memory) = newborn else {
        return Err(Fault::refused("it says that already"));
    };
    memory.scope = Scope::Team;
    memory.provenance.author = Some(membership.member);
    memory.revision = 0;
    let told = memory.clone();
    let alone = View::of([known.clone()]);
    let fate = match corrected(known.id, known.revision, Some(membership.member), &alone) {
        _ if membership.charter.review == Reviewers::Maintainer => TeamFate::Proposed,
        Corrected::Challenges(_) => TeamFate::Challenges,
        Corrected::Replaces | Corrected::StandsAlone => TeamFate::Replaces,
    };
    let about = [known.id.to_string(), memory.id.to_string()];
    daemon.house.audit.note(context, Deed::Share, Some(operation), &about)?;
    let intent = Intent::Correct { of: known.id, base: known.revision, memory: Box::new(memory) };
    daemon.house.queue(&membership, intent, occasion).await?;
    daemon.house.team.wake.notify_one();
    Ok(Changed { team: Some(fate), ..Changed::of(operation, vec![told], false) })
}

/// Forgetting what the team shares is withdrawing it, and only its author can.
pub(in crate::orders) async fn forget(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    memories: Vec<Memory>,
) -> Result<Changed, Fault> {
    let membership = joined(daemon)?;
    queue_withdrawals(daemon, context, &membership, operation, &memories).await?;
    daemon.house.team.wake.notify_one();
    Ok(Changed { team: Some(TeamFate::Withdrawn), ..Changed::of(operation, memories, false) })
}

/// One review decides for the whole team.
pub(in crate::orders) async fn decide(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    store: &Arc<OpenStore>,
    review: ReviewId,
    ruling: Ruling,
    about: &[MemoryId],
) -> Result<Changed, Fault> {
    let membership = joined(daemon)?;
    daemon.house.queue(&membership, Intent::Rule { review, ruling }, occasion(context, operation)).await?;
    daemon.house.team.wake.notify_one();
    let memories = store.shelf.store().load(about.to_vec()).await.map_err(|error| trouble::read(&error))?;
    Ok(Changed { team: Some(TeamFate::Decided), ..Changed::of(operation, memories, false) })
}

pub(super) async fn offers(daemon: &Daemon, context: &Context) -> Result<TeamLines, Fault> {
    let _gate = daemon.house.gate.read().await;
    joined(daemon)?;
    let visible = own(daemon.house.visible(context).await?);
    let mut lines = Vec::new();
    for offer in daemon.house.open_offers()? {
        for store in &visible.stores {
            if let Ok(memory) = store.shelf.load(offer.memory).await {
                let place = store.project.as_ref().map(|seen| seen.name.clone());
                let why = Some(format!("{} people use it", offer.people));
                lines.push(TeamLine { why, place, ..line(&memory) });
            }
        }
    }
    Ok(TeamLines { lines })
}

pub(super) async fn never(daemon: &Daemon, context: &Context, names: &[String]) -> Result<TeamDone, Fault> {
    let _gate = daemon.house.gate.read().await;
    joined(daemon)?;
    let visible = own(daemon.house.visible(context).await?);
    let ids =
        names.iter().map(|name| find(&visible, name).map(|(_, id)| id)).collect::<Result<Vec<_>, _>>()?;
    daemon.house.never_offer(&ids)?;
    Ok(TeamDone { done: format!("{} will not be offered again.", names.join(", ")) })
}

pub(super) async fn proposals(daemon: &Daemon) -> Result<TeamLines, Fault> {
    let waiting = waiting(daemon, &joined(daemon)?).await?;
    let members = daemon.house.desk().load_members();
    Ok(TeamLines { lines: waiting.iter().map(|proposal| proposed_line(proposal, &members)).collect() })
}

/// What waits for a maintainer, as far as this member may see it.
async fn waiting(daemon: &Daemon, membership: &Membership) -> Result<Vec<Proposal>, Fault> {
    let asked = daemon.house.ask_far(membership, async |far| far.proposals().await).await;
    asked.map_err(|error| far_fault(&error))
}

/// The one whose identifier ends in this. Two are none: somebody else's might go.
fn named<'p>(proposed: &'p [Proposal], name: &str) -> Result<Option<&'p Proposal>, Fault> {
    let wanted = name.trim().to_uppercase();
    if wanted.len() < SHORTEST_NAME {
        return Ok(None);
    }
    let mut found = proposed.iter().filter(|proposal| proposal.memory.id.to_string().ends_with(&wanted));
    match (found.next(), found.next()) {
        (Some(_), Some(_)) => {
            Err(Fault::usage(format!("more than one proposal is called \"{name}\"; use more of its letters"))
                .hint("`engram team proposals` lists them"))
        }
        (found, _) => Ok(found),
    }
}

fn proposed_line(proposal: &Proposal, members: &[Member]) -> TeamLine {
    let author = proposal.memory.provenance.author;
    let handle = members.iter().find(|member| Some(member.id) == author).map(|member| member.handle.clone());
    let why = proposal.corrects.map(|(of, _)| format!("corrects {of}"));
    TeamLine { author: handle, why, at: Some(proposal.at), ..line(&proposal.memory) }
}

pub(super) async fn answer(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    names: &[String],
    approve: bool,
) -> Result<TeamQueued, Fault> {
    let waiting = waiting(daemon, &joined(daemon)?).await?;
    let members = daemon.house.desk().load_members();
    let mut lines = Vec::with_capacity(names.len());
    for name in names {
        let found = named(&waiting, name)?.ok_or_else(|| {
            Fault::not_found(format!("nothing like \"{name}\" waits"))
                .hint("`engram team proposals` lists it")
        })?;
        lines.push(proposed_line(found, &members));
    }
    let intents = lines.iter().map(|line| Intent::Answer { proposal: line.memory, approve }).collect();
    let gate = daemon.house.gate.read().await;
    let membership = joined(daemon)?;
    let queued = queue_all(daemon, context, &membership, operation, intents).await?;
    drop(gate);
    let done = daemon.house.is_delivered(&membership, &queued).await?;
    Ok(TeamQueued { operation, memories: lines, done, proposed: false })
}

/// The intents of one order, each under a name of its own that follows from it.
async fn queue_all(
    daemon: &Daemon,
    context: &Context,
    membership: &Membership,
    operation: OperationId,
    intents: Vec<Intent>,
) -> Result<Vec<OperationId>, Fault> {
    let mut queued = Vec::new();
    for (number, intent) in (0_u32..).zip(intents) {
        let operation = if number == 0 { operation } else { operation.part(number) };
        let occasion = Occasion { operation, ..occasion(context, operation) };
        daemon.house.queue(membership, intent, occasion).await?;
        queued.push(operation);
    }
    Ok(queued)
}

/// What is one's own: the team's copies are not shared again.
fn own(visible: Visible) -> Visible {
    let stores = visible.stores.into_iter().filter(|store| Scope::OWN.contains(&store.scope())).collect();
    Visible { stores, ..visible }
}

fn rule_here(daemon: &Daemon, context: &Context, visible: &Visible) -> Result<SharingRule, Fault> {
    refuse_missing(visible)?;
    rule_at(daemon, context, visible.place.as_ref())
}

fn rule_at(daemon: &Daemon, context: &Context, place: Option<&ProjectPlace>) -> Result<SharingRule, Fault> {
    let settings = daemon.house.settings_for(context, place)?;
    Ok(settings.text("sharing.rule").parse().unwrap_or(SharingRule::Off))
}

/// As the team may have it: without secrets, and with its personal data treated as
/// `personal.team` says, in everything that is said beside the text as well.
fn treated(daemon: &Daemon, context: &Context, mut memory: Memory) -> Result<Memory, Fault> {
    let house = &daemon.house;
    let text = house.kept(context, Scope::Team, &memory.content)?;
    let beside = |text: &str| house.kept_unasked(context, Scope::Team, text);
    memory.summary = memory.summary.as_deref().map(beside).transpose()?;
    memory.domain = memory.domain.as_deref().map(beside).transpose()?;
    memory.tags = memory.tags.iter().map(|tag| beside(tag)).collect::<Result<_, _>>()?;
    memory.provenance.speaker = None;
    // What was read out of the text says the same again, and would have to be masked in its own form.
    let says = memory.structured.as_ref().map(|told| serde_json::Value::Object(told.clone()).to_string());
    if text != memory.content || says.is_some_and(|says| !personal(&says).is_empty()) {
        memory.structured = None;
    }
    memory.content = text;
    Ok(memory)
}

fn line(memory: &Memory) -> TeamLine {
    TeamLine {
        memory: memory.id,
        kind: memory.kind,
        text: memory.headline().to_owned(),
        author: None,
        why: None,
        place: None,
        at: None,
    }
}
