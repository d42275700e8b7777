//! Orders about sessions: what is in them, what of it goes up, and how what was
//! told has served.

use super::{evolve, find, occasion};
use crate::clock::now;
use crate::serve::Daemon;
use crate::trouble;
use engram_core::law::utility_now;
use engram_core::plan::{Told, plan_outcome};
use engram_core::port::CommitError;
use engram_core::remind::Reminder;
use engram_core::used::{Outcome, Promotion, PromotionReason, Usage};
use engram_core::{Memory, OperationId, Scope, SessionId, Status};
use engram_engine::{Ascent, Candidate, ChangeError};
use engram_store::StoreHome;
use engram_wire::message::Promote;
use engram_wire::reply::{
    OutcomeRecorded, Promoted, ReminderLine, RemindersListed, SessionMemory, SessionShown,
};
use engram_wire::{Context, Fault};

fn named(session: Option<SessionId>, context: &Context) -> Result<SessionId, Fault> {
    session.or(context.session).ok_or_else(|| {
        Fault::usage("no session was named").hint("`engram session list` shows the sessions of this project")
    })
}

pub(super) async fn show(
    daemon: &Daemon,
    context: &Context,
    session: Option<SessionId>,
) -> Result<SessionShown, Fault> {
    let house = &daemon.house;
    let id = named(session, context)?;
    let place = house.place(context)?;
    let failed = |error| trouble::read(&error);
    let project = match place.as_ref().filter(|place| StoreHome::new(&place.store).exists()) {
        Some(place) => Some(house.project(place).await?),
        None => None,
    };
    let promotions = match &project {
        Some(project) => project.shelf.store().promotions_from(id).await.map_err(failed)?,
        None => Vec::new(),
    };
    let listed = house.list_sessions(context).await?.sessions.into_iter().find(|line| line.session == id);
    let (line, memories_here) = match (house.session_at(id, place.as_ref()).await, listed) {
        (Ok(store), listed) => {
            let memories = store.shelf.kept_where(|memory| memory.status.is_current());
            let mut memories: Vec<SessionMemory> = memories
                .into_iter()
                .map(|memory| SessionMemory {
                    score: store.shelf.worth(&memory),
                    memory: memory.as_ref().clone(),
                })
                .collect();
            memories.sort_by_key(|here| here.memory.id);
            (listed.map_or_else(|| house.line_of(id, &store), Ok)?, memories)
        }
        (Err(_), Some(line)) => (line, Vec::new()),
        (Err(fault), None) => return Err(fault),
    };
    Ok(SessionShown { line, agent: house.agent_of(id), memories_here, promotions })
}

pub(super) async fn promote(daemon: &Daemon, context: &Context, order: Promote) -> Result<Promoted, Fault> {
    let house = &daemon.house;
    if order.to == Scope::Session {
        return Err(Fault::usage("a session's memories go up to the project or to the user"));
    }
    if order.to == Scope::Team {
        return Err(Fault::usage("memories reach the team by being shared")
            .hint("share them by name: engram team share <memory>"));
    }
    let place = house.place(context)?;
    // What is named and lies in the project goes to the user from there.
    if order.to == Scope::User && !order.memories.is_empty() {
        let visible = house.visible(context).await?;
        let in_project = |name: &String| {
            let project = visible.stores.iter().find(|store| store.scope() == Scope::Project)?;
            let current = |id: &engram_core::MemoryId| project.shelf.may_go_up(*id);
            Some((project.clone(), project.shelf.named(name).into_iter().find(current)?))
        };
        let found: Vec<_> = order.memories.iter().map(in_project).collect();
        if found.iter().all(Option::is_some) {
            let mut promotions = Vec::new();
            for (project, id) in found.into_iter().flatten() {
                promotions.extend(house.rise(&project, id, PromotionReason::Explicit).await?);
            }
            let stayed = order.memories.len() - promotions.len();
            return Ok(Promoted { operation: order.operation, promotions, stayed });
        }
    }
    let id = named(order.session, context)?;
    let store = house.session_at(id, place.as_ref()).await?;
    house.read_all_of(&store).await?;
    let all = store.shelf.candidates();
    let current = store.shelf.kept_where(|memory| memory.status.is_current()).len();
    let stayed = current - all.len();
    let mut wanted: Vec<Candidate> = Vec::new();
    for name in &order.memories {
        let ids = store.shelf.named(name);
        let found = all.iter().find(|candidate| ids.contains(&candidate.memory.id));
        match found {
            Some(found) => {
                wanted.push(Candidate { memory: found.memory.clone(), score: found.score });
            }
            // What went up before may go further.
            None if order.to == Scope::User => {}
            None => {
                return Err(Fault::not_found(format!("there is no memory \"{name}\" in this session"))
                    .hint("`engram session show` lists them"));
            }
        }
    }
    let candidates = if order.memories.is_empty() { all } else { wanted };
    let mut promotions = house.promote(&store, id, candidates, PromotionReason::Explicit).await?;
    let project = match place.as_ref().filter(|place| StoreHome::new(&place.store).exists()) {
        Some(place) if order.to == Scope::User => house.project(place).await?,
        _ => return Ok(Promoted { operation: order.operation, promotions, stayed }),
    };
    // All that ever went up from this session goes on to the user.
    let user = house.user().await?;
    house.room_in(&user)?;
    let reader = house.destination_of(user.clone(), &house.settings).await.reader;
    let from_here = project.shelf.store().promotions_from(id).await.map_err(|error| trouble::read(&error))?;
    for Promotion { memory, merged_into, score, .. } in from_here {
        let standing = merged_into.unwrap_or(memory);
        let named = |name: &String| project.shelf.named(name).contains(&standing);
        if !order.memories.is_empty() && !order.memories.iter().any(named) {
            continue;
        }
        let memory = match project.shelf.load(standing).await {
            Ok(memory) if memory.status.is_current() => memory,
            Ok(_) | Err(ChangeError::NotFound(_)) => continue,
            Err(error) => return Err(trouble::change(error)),
        };
        let ascent = Ascent { memory: &memory, reason: PromotionReason::Explicit, score, part_of: None };
        let received = user.shelf.receive(&project.shelf, ascent, &reader, now()).await;
        promotions.extend(received.map_err(trouble::change)?);
    }
    Ok(Promoted { operation: order.operation, promotions, stayed })
}

pub(super) async fn record_outcome(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    name: &str,
    outcome: Outcome,
    note: Option<String>,
) -> Result<OutcomeRecorded, Fault> {
    let visible = daemon.house.visible(context).await?;
    let (store, id) = find(&visible, name)?;
    let note = note.map(|note| daemon.house.kept_unasked(context, store.scope(), note.trim()));
    let note = note.transpose()?.filter(|note| !note.is_empty());
    let occasion = occasion(context, operation);
    let usage = Usage { note, session: context.session, ..Usage::told(id, outcome, occasion.at) };
    // A use that is noted and not written would be graded a second time.
    store.shelf.flush_notes().await.map_err(trouble::change)?;
    let utility_of = |memory: &Memory| utility_now(memory, occasion.at);
    let before = utility_of(&store.shelf.load(id).await.map_err(trouble::change)?);
    let model = store.shelf.model();
    let mut replaced = None;
    let plan = |told: &[Told]| {
        let changes = plan_outcome(&told[0], model, usage, occasion)?;
        replaced = evolve::gone_from(&changes, id);
        Ok(changes)
    };
    let recorded = store.shelf.tell(&[id], plan).await;
    let already = match recorded {
        Ok(_) => false,
        Err(ChangeError::Commit(CommitError::AlreadyApplied(_))) => true,
        Err(error) => return Err(trouble::change(error)),
    };
    let served = matches!(outcome, Outcome::Success | Outcome::Partial) && !already;
    if let Some(session) = context.session.filter(|_| served)
        && let Some(agent) = daemon.house.agent_of(session)
    {
        daemon.house.metering.note_used(&agent);
    }
    daemon.house.dreaming.note_evidence();
    let utility = utility_of(&store.shelf.load(id).await.map_err(trouble::change)?);
    let replaced = replaced.filter(|_| !already);
    Ok(OutcomeRecorded { operation, memory: id, outcome, utility_before: before, utility, replaced, already })
}

pub(super) async fn reminders(daemon: &Daemon, context: &Context) -> Result<RemindersListed, Fault> {
    let visible = daemon.house.visible(context).await?;
    let mut reminders = Vec::new();
    for store in &visible.stores {
        // One that was dismissed is archived like one that was told; only the
        // reason tells them apart, and neither comes again.
        let waits = |memory: &engram_core::Memory| {
            (memory.status.is_current() || memory.status == Status::Archived)
                && Reminder::of(memory).is_some()
        };
        for memory in store.shelf.kept_where(waits) {
            let Some(reminder) = Reminder::of(&memory) else { continue };
            reminders.push(ReminderLine {
                id: memory.id,
                scope: store.scope(),
                text: reminder.text,
                when: reminder.when,
                due_at: reminder.due_at,
                told: memory.status == Status::Archived,
            });
        }
    }
    reminders.sort_by_key(|line| (line.told, line.id));
    Ok(RemindersListed { reminders })
}
