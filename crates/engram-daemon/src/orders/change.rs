//! Orders that change memories.

use super::{find, find_own, occasion, own_copy, refuse_missing, was_done};
use crate::authorising::Authorities;
use crate::clock::now;
use crate::house::OpenStore;
use crate::serve::Daemon;
use crate::skills::is_skill;
use crate::trouble;
use engram_core::audit::Deed;
use engram_core::decision::Action;
use engram_core::dream::{Step, made_of};
use engram_core::plan::{
    BadDraft, CannotChange, Draft, Edited, Occasion, plan_confirm, plan_correct, plan_edit, plan_forget,
    plan_mark, plan_pin, plan_purge, plan_unforget,
};
use engram_core::port::CommitError;
use engram_core::turn::{Event, EventType};
use engram_core::{
    Cause, Changes, Kind, Memory, MemoryId, Operation, OperationId, Provenance, Scope, Status, TurnId,
};
use engram_engine::{ChangeError, Stated};
use engram_wire::message::{Edit, Remember};
use engram_wire::project::ProjectPlace;
use engram_wire::reply::{Changed, Undone};
use engram_wire::{Context, Fault};
use std::sync::Arc;

pub(super) async fn remember(daemon: &Daemon, context: &Context, order: Remember) -> Result<Changed, Fault> {
    let place = daemon.house.place(context)?;
    let longest = longest(daemon, context, place.as_ref())?;
    let kind = order.kind.unwrap_or(Kind::Fact);
    // Where `House::target` puts it.
    let narrowest = if place.is_some() { Scope::Project } else { Scope::User };
    let text = daemon.house.kept(context, order.scope.unwrap_or(narrowest), &order.text)?;
    let draft = Draft::parse(&text, longest)
        .and_then(|draft| draft.tagged(order.tags))
        .and_then(|draft| draft.in_domain(order.domain))
        .map_err(|problem| trouble::draft(&problem))?;
    let store = daemon.house.target(context, place.clone(), order.scope).await?;
    if kind.session_only() && store.scope() != Scope::Session {
        return Err(trouble::draft(&BadDraft::SessionOnly(kind)));
    }
    let settings = daemon.house.settings_for(context, place.as_ref())?;
    let destination = daemon.house.destination_of(store.clone(), &settings).await;
    let agent = daemon.house.agent_behind(context, context.session, &Authorities::of(&settings));
    let event = Event {
        agent,
        time: context.said_at,
        session: context.session.map(|id| id.to_string()),
        kind: order.kind,
        ..Event::new(EventType::Remember, draft.content)
    };
    let stated = Stated {
        operation: order.operation,
        actor: context.actor,
        event,
        tags: draft.tags,
        domain: draft.domain,
        pinned: order.pin,
    };
    match store.shelf.remember(stated, &destination.reader, now()).await {
        Ok((memories, decision)) => {
            let decision = Some(decision).filter(|decision| decision.action != Action::Create);
            Ok(Changed { decision, ..Changed::of(order.operation, memories, false) })
        }
        Err(error) => changed(&store, order.operation, Err(error)).await,
    }
}

pub(super) async fn correct(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    name: &str,
    text: &str,
) -> Result<Changed, Fault> {
    let place = daemon.house.place(context)?;
    let longest = longest(daemon, context, place.as_ref())?;
    let visible = daemon.house.visible(context).await?;
    let (held_in, id) = find(&visible, name)?;
    let known = held_in.shelf.load(id).await.map_err(trouble::change)?;
    if is_skill(&known) && known.status.is_current() {
        return Err(Fault::refused(format!("memory {id} is a skill, and what it says stands in its file"))
            .hint("edit the file, which engram then leaves to you, or `engram evolve refine`"));
    }
    let text = daemon.house.kept(context, held_in.scope(), text)?;
    if held_in.scope() == Scope::Team {
        let corrected = super::team::correct(daemon, context, operation, &known, &text, longest).await?;
        // One's own copy says the same, under the same name.
        if let Some(own) = own_copy(&visible, id).filter(|own| own.shelf.may_go_up(id)) {
            let occasion = occasion(context, operation);
            let plan = |memories: &[Memory]| {
                plan_correct(&memories[0], &text, provenance(context, &own), longest, occasion)
            };
            own.shelf.change(&[id], plan).await.map_err(trouble::change)?;
        }
        return Ok(corrected);
    }
    one(daemon, context, operation, name, |store, memory, occasion| {
        plan_correct(memory, &text, provenance(context, store), longest, occasion)
    })
    .await
}

pub(super) async fn confirm(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    name: &str,
) -> Result<Changed, Fault> {
    one(daemon, context, operation, name, |_, memory, occasion| plan_confirm(memory, occasion)).await
}

pub(super) async fn mark(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    name: &str,
    status: Status,
    reason: &str,
) -> Result<Changed, Fault> {
    let (held_in, _) = find(&daemon.house.visible(context).await?, name)?;
    let reason = daemon.house.kept_unasked(context, held_in.scope(), reason)?;
    one(daemon, context, operation, name, |_, memory, occasion| plan_mark(memory, status, &reason, occasion))
        .await
}

pub(super) async fn unforget(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    name: &str,
) -> Result<Changed, Fault> {
    one(daemon, context, operation, name, |_, memory, occasion| plan_unforget(memory, occasion)).await
}

pub(super) async fn pin(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    name: &str,
    pinned: bool,
) -> Result<Changed, Fault> {
    one(daemon, context, operation, name, |_, memory, occasion| plan_pin(memory, pinned, occasion)).await
}

/// Sets right what is said about a memory.
pub(super) async fn edit(daemon: &Daemon, context: &Context, order: Edit) -> Result<Changed, Fault> {
    let (held_in, id) = find(&daemon.house.visible(context).await?, &order.memory)?;
    let known = held_in.shelf.load(id).await.map_err(trouble::change)?;
    if is_skill(&known) && order.kind.is_some_and(|kind| kind != known.kind) {
        return Err(Fault::refused(format!("memory {id} is a skill, and a skill is a {}", known.kind)));
    }
    let kept = |text: String| daemon.house.kept_unasked(context, held_in.scope(), &text);
    let said = Edited {
        kind: order.kind,
        tags: order.tags.map(|tags| tags.into_iter().map(kept).collect()).transpose()?,
        domain: order.domain.map(kept).transpose()?,
        summary: order.summary.map(kept).transpose()?,
    };
    one(daemon, context, order.operation, &order.memory, |_, memory, occasion| {
        plan_edit(memory, &said, occasion)
    })
    .await
}

/// Forgets in every scope where a named memory lies, as one operation each.
pub(super) async fn forget(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    names: &[String],
) -> Result<Changed, Fault> {
    several(daemon, context, operation, names, plan_forget).await
}

/// Takes the text away everywhere: in the row, the log, the feed of changes
/// and the files. For the last two the store is written anew, and for that the
/// house has to be empty.
pub(super) async fn purge(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    names: &[String],
) -> Result<Changed, Fault> {
    let house = &daemon.house;
    let _alone = house.alone().await;
    // Asked for before anything is taken out, so that a crash in between does
    // not leave the text in the files: the next opening writes them anew.
    let visible = house.visible(context).await?;
    let mut ids = Vec::with_capacity(names.len());
    let mut evidence = Vec::new();
    let mut of_user = false;
    for name in names {
        let (store, id) = find(&visible, name)?;
        of_user |= store.scope() == Scope::User;
        evidence.extend(store.shelf.load(id).await.map_err(trouble::change)?.provenance.evidence);
        // Whatever said it again, or was held against it, says the same words.
        let decisions = store.shelf.store().decisions_on(id).await;
        let decisions = decisions.map_err(|error| trouble::read(&error))?;
        evidence.extend(decisions.into_iter().map(|decision| decision.turn));
        ids.push(id);
    }
    for (name, id) in names.iter().zip(&ids) {
        let (store, _) = find(&visible, name)?;
        if store.scope() == Scope::Team && own_copy(&visible, *id).is_none() {
            super::team::refuse_others(daemon, &[store.shelf.load(*id).await.map_err(trouble::change)?])?;
        }
    }
    let about: Vec<String> = ids.iter().map(ToString::to_string).collect();
    house.audit.note(context, Deed::Purge, Some(operation), &about)?;
    // What was asked about a memory may be written in another store than its
    // own, so all of them are written anew; the user's are asked about in every
    // project. An open session may have the same words, too.
    let mut concerned = visible.stores;
    let mut missed = Vec::new();
    let mut places = vec![visible.place.clone()];
    if of_user {
        for place in house.known_places(visible.place).await? {
            match house.project(&place).await {
                Ok(project) => {
                    add(&mut concerned, project);
                    if !places.contains(&Some(place.clone())) {
                        places.push(Some(place));
                    }
                }
                Err(fault) => missed.push(format!("{}: {}", place.root.display(), fault.message)),
            }
        }
    }
    for place in &places {
        let sessions = house.sessions_at(place.as_ref()).await?;
        sessions.into_iter().for_each(|session| add(&mut concerned, session));
    }
    for store in &concerned {
        if let Some(home) = &store.home {
            home.ask_for_rewrite().map_err(|error| trouble::io("writing in", home.folder(), &error))?;
        }
    }
    // What was asked is written first, so that the purge finds it.
    house.flush_notes().await;
    for store in &concerned {
        let scrubbed = store.shelf.store().scrub(ids.clone(), evidence.clone()).await;
        scrubbed.map_err(|error| trouble::commit(&error))?;
    }
    let mut purged = several(daemon, context, operation, names, plan_purge).await?;
    // What was told lately may have the words, too.
    house.bus.clear();
    for store in &concerned {
        // The team's goes where the team lets it go.
        if store.scope() == Scope::Team {
            continue;
        }
        let more = same_words(store, &ids, &evidence);
        if more.is_empty() {
            continue;
        }
        let name = TurnId::of_content(now(), &operation.to_string());
        let occasion = occasion(context, name.operation("purge", 0, now()));
        let outcome = store.shelf.change(&more, |memories| plan_purge(memories, occasion)).await;
        purged.memories.extend(outcome.map_err(trouble::change)?);
    }
    for store in concerned {
        house.rewrite(store).await?;
    }
    purged.missed = missed;
    Ok(purged)
}

/// Each store once.
fn add(stores: &mut Vec<Arc<OpenStore>>, store: Arc<OpenStore>) {
    if !stores.iter().any(|known| Arc::ptr_eq(known, &store)) {
        stores.push(store);
    }
}

/// Copies of purged memories, what dreams made of them, and the stretches of
/// conversations that hold the words they were made of.
fn same_words(store: &OpenStore, ids: &[MemoryId], evidence: &[TurnId]) -> Vec<MemoryId> {
    let same = |memory: &Memory| {
        if made_of(memory).iter().any(|id| ids.contains(id)) {
            return !memory.content.is_empty();
        }
        let quotes = || memory.provenance.evidence.iter().any(|turn| evidence.contains(turn));
        !memory.content.is_empty() && (ids.contains(&memory.id) || memory.kind == Kind::Narrative && quotes())
    };
    store.shelf.kept_where(same).iter().map(|memory| memory.id).collect()
}

pub(super) async fn undo(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    target: Option<OperationId>,
    step: Option<Step>,
) -> Result<Undone, Fault> {
    if step == Some(Step::Retain) {
        return Err(Fault::refused("what a rule of retention purged is gone and cannot be brought back"));
    }
    let visible = daemon.house.visible(context).await?;
    let failed = |error| trouble::read(&error);
    let target = match target {
        Some(target) => target,
        None => {
            // The latest of what can be seen is not the latest.
            refuse_missing(&visible)?;
            let mut latest = Vec::new();
            for store in &visible.stores {
                latest.extend(store.shelf.last_undoable().await.map_err(failed)?.map(|done| done.id));
            }
            latest.into_iter().max().ok_or_else(|| Fault::not_found("there is nothing to undo here"))?
        }
    };
    // An order that went to several stores is one operation in each of them.
    let mut holding = Vec::new();
    let mut dream = None;
    for store in &visible.stores {
        if let Some(done) = store.shelf.store().find_operation(target).await.map_err(failed)? {
            dream = match dream {
                Some(dream) => Some(dream),
                None => store.shelf.find_dream(target).await.map_err(failed)?,
            };
            holding.push((done.undone_by, store));
        }
    }
    if holding.is_empty() {
        return Err(Fault::not_found(format!("there is no operation {target} here"))
            .hint("`engram operations` lists what was done"));
    }
    let step = match (step, &dream) {
        (Some(step), Some(dream)) => Some((dream, step)),
        (Some(_), None) => {
            return Err(Fault::usage(format!("operation {target} is no dream and has no steps")));
        }
        (None, _) => None,
    };
    // What was taken back in one of them is not asked about again.
    let left = holding.iter().any(|(undone_by, _)| undone_by.is_none());
    let passed_over = |store: &Arc<OpenStore>| {
        left && holding.iter().any(|(undone_by, held)| undone_by.is_some() && Arc::ptr_eq(held, store))
    };
    // What one store would refuse is not begun in another.
    let occasion = occasion(context, operation);
    let mut planned = Vec::new();
    for store in visible.stores.iter().filter(|store| !passed_over(store)) {
        let undoing = store.shelf.plan_undoing(target, step, occasion).await.map_err(trouble::change)?;
        planned.push((store, undoing));
    }
    if step.is_some() && planned.iter().all(|(_, undoing)| undoing.nothing.is_some()) {
        let why = planned.into_iter().filter(|(_, undoing)| undoing.whole.is_some());
        let why = why.filter_map(|(_, undoing)| undoing.nothing).next_back();
        return Err(
            why.map_or_else(|| Fault::internal("no store holds it"), |why| trouble::change(why.into()))
        );
    }
    let cause = planned.iter().find_map(|(_, undoing)| Some(undoing.whole.as_ref()?.cause));
    let cause = cause.unwrap_or(Cause::Dream);
    let mut undone = Undone { operation, undone: target, cause, memories: Vec::new(), files: Vec::new() };
    for (store, undoing) in &mut planned {
        let memories = store.shelf.take_back(undoing).await.map_err(trouble::change)?;
        undone.memories.extend(memories);
    }
    for (store, undoing) in planned {
        store.shelf.end_undoing(undoing).await.map_err(trouble::change)?;
    }
    Ok(undone)
}

/// The answer to an undo that had been done. The log does not say of which dream
/// a step was taken back, since the dream was not; whoever asked named it.
pub(super) async fn undone_before(
    store: &OpenStore,
    done: &Operation,
    target: Option<OperationId>,
    memories: Vec<Memory>,
) -> Result<Undone, Fault> {
    let Some(undone) = done.undoes.or(target) else {
        return Err(Fault::refused(format!("operation {} took a step of a dream back before", done.id))
            .hint("`engram operations` lists what was done"));
    };
    let whole = store.shelf.store().find_operation(undone).await.map_err(|error| trouble::read(&error))?;
    let cause = whole.map_or(Cause::Dream, |whole| whole.cause);
    Ok(Undone { operation: done.id, undone, cause, memories, files: Vec::new() })
}

async fn one(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    name: &str,
    plan: impl FnOnce(&OpenStore, &Memory, Occasion) -> Result<Changes, CannotChange>,
) -> Result<Changed, Fault> {
    let visible = daemon.house.visible(context).await?;
    let (store, id) = find_own(&visible, name)?;
    let occasion = occasion(context, operation);
    let outcome = store.shelf.change(&[id], |memories| plan(&store, &memories[0], occasion)).await;
    changed(&store, operation, outcome).await
}

async fn several(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    names: &[String],
    plan: fn(&[Memory], Occasion) -> Result<Changes, CannotChange>,
) -> Result<Changed, Fault> {
    if names.is_empty() {
        return Err(Fault::usage("no memory was named"));
    }
    let visible = daemon.house.visible(context).await?;
    let mut by_store: Vec<(Arc<OpenStore>, Vec<MemoryId>)> = Vec::new();
    let mut shared: Vec<Memory> = Vec::new();
    for name in names {
        let (mut store, id) = find(&visible, name)?;
        if store.scope() == Scope::Team {
            let memory = store.shelf.load(id).await.map_err(trouble::change)?;
            let own = own_copy(&visible, id);
            // Somebody else's stays the team's, where one has it oneself as well.
            if own.is_none() || memory.provenance.author == daemon.house.member()? {
                shared.push(memory);
            }
            let Some(own) = own else { continue };
            store = own;
        }
        match by_store.iter_mut().find(|(known, _)| Arc::ptr_eq(known, &store)) {
            Some((_, ids)) if ids.contains(&id) => {}
            Some((_, ids)) => ids.push(id),
            None => by_store.push((store, vec![id])),
        }
    }
    let occasion = occasion(context, operation);
    // What one store would refuse is not begun in another.
    if !context.again {
        for (store, ids) in &by_store {
            let memories =
                store.shelf.store().load(ids.clone()).await.map_err(|error| trouble::read(&error))?;
            plan(&memories, occasion).map_err(|refused| trouble::change(refused.into()))?;
        }
    }
    let mut all = Changed::of(operation, Vec::new(), false);
    if !shared.is_empty() {
        all.memories.extend(super::team::forget(daemon, context, operation, shared).await?.memories);
    }
    for (store, ids) in by_store {
        if context.again
            && let Some((_, memories)) = was_done(&store, operation).await?
        {
            all.already = true;
            all.memories.extend(memories);
            continue;
        }
        let outcome = store.shelf.change(&ids, |memories| plan(memories, occasion)).await;
        all.memories.extend(changed(&store, operation, outcome).await?.memories);
    }
    Ok(all)
}

/// Words the outcome. An operation that was applied before is not an error:
/// somebody did not hear the answer.
async fn changed(
    store: &OpenStore,
    operation: OperationId,
    outcome: Result<Vec<Memory>, ChangeError>,
) -> Result<Changed, Fault> {
    match outcome {
        Ok(memories) => Ok(Changed::of(operation, memories, false)),
        Err(ChangeError::Commit(CommitError::AlreadyApplied(_))) => {
            let memories = was_done(store, operation).await?.map(|(_, memories)| memories);
            Ok(Changed::of(operation, memories.unwrap_or_default(), true))
        }
        Err(error) => Err(trouble::change(error)),
    }
}

fn longest(daemon: &Daemon, context: &Context, place: Option<&ProjectPlace>) -> Result<usize, Fault> {
    let settings = daemon.house.settings_for(context, place)?;
    Ok(usize::try_from(settings.number("remember.longest")).unwrap_or(usize::MAX))
}

fn provenance(context: &Context, store: &OpenStore) -> Provenance {
    Provenance {
        source_session: context.session,
        source_project: store.project.as_ref().map(|seen| seen.key.clone()),
        ..Provenance::stated_by(context.actor)
    }
}
