//! Orders about a memory's life: dreams and what waits for one, how a memory
//! fades, which tier it is in, and rewriting the stores.

use super::{Speaker, find, find_own, occasion, refuse_missing, refuse_other, value};
use crate::clock::{now, since};
use crate::dreaming::{Bed, Wanted};
use crate::house::OpenStore;
use crate::serve::Daemon;
use crate::trouble;
use engram_core::change::{Inverse, Operation};
use engram_core::dream::{Depth, DreamTrigger, Step, plan_submitted};
use engram_core::law;
use engram_core::plan::plan_tier;
use engram_core::port::CommitError;
use engram_core::recalled::Surface;
use engram_core::{Cause, Memory, OperationId, Retention, Scope, Span, Tier, Timestamp};
use engram_engine::ChangeError;
use engram_store::StoreHome;
use engram_wire::life::{
    Compacted, CompactedStore, ConsolidationOffered, CurveOf, CurvePoint, CurveThreshold, DreamReports,
    Dreamt, Offered, StoreReport, TierSet,
};
use engram_wire::message;
use engram_wire::reply::Changed;
use engram_wire::{Context, Fault};
use serde_json::Value;
use std::sync::Arc;

/// So many of the latest things that were made of others are told.
const CONSOLIDATIONS: usize = 20;
/// A plot has so many points on each side of now.
const POINTS: i64 = 60;
/// So many of the latest recalls are looked through for uses.
const RECALLS: usize = 5_000;
/// How far a plot goes ahead where no end is told, beyond the fading and at
/// least.
const BEYOND: f64 = 1.5;
const LEAST_DAYS: i64 = 30;
const MOST_DAYS: i64 = 3_650;

/// Where an order may dream: the project, where there is one, and the user.
async fn beds(daemon: &Daemon, context: &Context, scope: Option<Scope>) -> Result<Vec<Bed>, Fault> {
    let _gate = daemon.house.gate.read().await;
    let place = daemon.house.place(context)?;
    let project = place.filter(|place| StoreHome::new(&place.store).exists()).map(Bed::Project);
    match scope {
        None => Ok(project.into_iter().chain([Bed::User]).collect()),
        Some(Scope::User) => Ok(vec![Bed::User]),
        Some(Scope::Project) => match project {
            Some(project) => Ok(vec![project]),
            None => Err(Fault::not_found("there is no project with memories here")),
        },
        Some(Scope::Session) => {
            Err(Fault::usage("a session does not dream; what it leaves behind does")
                .hint("try --scope project"))
        }
        Some(Scope::Team) => Err(Fault::usage("nobody dreams for the team")
            .hint("its memories change where people share, correct and withdraw them")),
    }
}

/// Passes the gate for each part, so that nobody waits for long.
pub(super) async fn dream(
    daemon: &Daemon,
    context: &Context,
    order: message::Dream,
    speaker: &Speaker,
) -> Result<Dreamt, Fault> {
    let steps: Vec<Step> = match order.only.as_slice() {
        [] => order.depth.unwrap_or(Depth::Reflective).steps().collect(),
        // In the order of a dream, whatever the order in which they were named.
        only => Step::ALL.iter().copied().filter(|step| only.contains(step)).collect(),
    };
    let depth = if order.only.is_empty() { Some(order.depth.unwrap_or(Depth::Reflective)) } else { None };
    let mut stores = Vec::new();
    // A dry run disturbs nobody.
    let _turn = if order.dry_run { None } else { Some(turn(daemon, speaker).await) };
    let beds = beds(daemon, context, order.scope).await?;
    for bed in &beds {
        let _gate = daemon.house.gate.read().await;
        let store = daemon.house.bed(bed).await?;
        let done = store.shelf.store().find_operation(order.operation).await;
        if let Some(done) = done.map_err(|error| trouble::read(&error))? {
            refuse_other(&done, Cause::Dream)?;
        }
    }
    for (number, bed) in beds.into_iter().enumerate() {
        let wanted = Wanted {
            id: if number == 0 { order.operation } else { order.operation.part(u32::MAX) },
            trigger: DreamTrigger::Manual,
            depth,
            steps: steps.clone(),
            at: context.said_at.unwrap_or_else(now),
            dry_run: order.dry_run,
            budget: None,
        };
        stores.push(daemon.house.dream(&bed, wanted, speaker, &|| daemon.others_ask()).await?);
    }
    Ok(Dreamt { dry_run: order.dry_run, stores })
}

/// Whoever asks while another dream is dreamt waits for its end, and is told so.
async fn turn<'d>(daemon: &'d Daemon, speaker: &Speaker) -> tokio::sync::MutexGuard<'d, ()> {
    let turn = &daemon.house.dreaming.turn;
    match turn.try_lock() {
        Ok(guard) => guard,
        Err(_) => {
            speaker.progress("waiting for the end of another dream", 0, None).await;
            turn.lock().await
        }
    }
}

pub(super) async fn report(daemon: &Daemon, context: &Context, limit: usize) -> Result<DreamReports, Fault> {
    let visible = daemon.house.visible(context).await?;
    refuse_missing(&visible)?;
    let failed = |error| trouble::read(&error);
    let mut stores = Vec::new();
    for store in visible.stores.iter().filter(|store| matches!(store.scope(), Scope::Project | Scope::User)) {
        let kept = store.shelf.store();
        let sessions = match store.scope() {
            Scope::Project => store.surreal()?.count_sessions().await.map_err(failed)?,
            _ => 0,
        };
        stores.push(StoreReport {
            scope: store.scope(),
            store: store.label(),
            dreams: kept.latest_dreams(limit).await.map_err(failed)?,
            consolidations: kept.latest_consolidations(CONSOLIDATIONS).await.map_err(failed)?,
            awaiting: kept.awaiting().await.map_err(failed)?,
            requests: kept.load_requests().await.map_err(failed)?,
            sessions,
            next: daemon.house.next_evolution(store).await?,
            next_full: (store.scope() == Scope::Project)
                .then(|| (sessions + 1..).find(|count| Depth::after(*count) > Depth::Light))
                .flatten(),
        });
    }
    let settings = daemon.house.settings_for(context, visible.place.as_ref())?;
    Ok(DreamReports { stores, schedule: settings.text("dream.schedule").to_owned() })
}

/// Rewrites every store that can be seen without what is gone, and opens it
/// again, which builds its index. The house is empty meanwhile.
pub(super) async fn compact(
    daemon: &Daemon,
    context: &Context,
    speaker: &Speaker,
) -> Result<Compacted, Fault> {
    let house = &daemon.house;
    let _alone = house.alone().await;
    let visible = house.visible(context).await?;
    refuse_missing(&visible)?;
    let place = visible.place.clone();
    let on_disk: Vec<Arc<OpenStore>> =
        visible.stores.iter().filter(|store| store.home.is_some()).cloned().collect();
    drop(visible);
    let mut stores = Vec::new();
    let total = on_disk.len() as u64;
    for (number, store) in on_disk.into_iter().enumerate() {
        let began = now();
        let (scope, label, bytes_before) = (store.scope(), store.label(), store.bytes());
        speaker.progress(&format!("rewriting {label}"), number as u64, Some(total)).await;
        if let Some(home) = &store.home {
            home.ask_for_rewrite().map_err(|error| trouble::io("writing in", home.folder(), &error))?;
        }
        house.rewrite(store).await?;
        let again = match (scope, &place) {
            (Scope::User, _) => house.user().await?,
            (Scope::Team, _) => continue,
            (_, Some(place)) => house.project(place).await?,
            (_, None) => continue,
        };
        stores.push(CompactedStore {
            scope,
            store: label,
            bytes_before,
            bytes_after: again.bytes(),
            memories: again.shelf.index().len(),
            seconds: since(began).as_secs_f64(),
        });
    }
    Ok(Compacted { stores })
}

pub(super) async fn set_tier(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    name: &str,
    tier: Tier,
) -> Result<TierSet, Fault> {
    let visible = daemon.house.visible(context).await?;
    let (store, id) = find_own(&visible, name)?;
    let before = store.shelf.load(id).await.map_err(trouble::change)?.tier;
    let occasion = occasion(context, operation);
    let changed = store.shelf.change(&[id], |memories| plan_tier(&memories[0], tier, occasion)).await;
    let memory = match changed {
        Ok(mut memories) => memories.pop(),
        Err(ChangeError::Commit(CommitError::AlreadyApplied(_))) => None,
        Err(error) => return Err(trouble::change(error)),
    };
    let memory = match memory {
        Some(memory) => memory,
        None => store.shelf.load(id).await.map_err(trouble::change)?,
    };
    Ok(TierSet { operation, memory, before })
}

/// The answer to one that had been done.
pub(super) fn tier_set_before(done: &Operation, memories: Vec<Memory>) -> Result<Value, Fault> {
    let before = done.inverse.iter().find_map(|inverse| match inverse {
        Inverse::Restore { before, .. } => Some(before.tier),
        _ => None,
    });
    let Some(memory) = memories.into_iter().next() else {
        return Err(Fault::not_found("the memory is not here any more"));
    };
    value(TierSet { operation: done.id, before: before.unwrap_or(memory.tier), memory })
}

/// How a memory fades: the past by the uses that the log knows, the future by
/// the curve in force.
pub(super) async fn curve(
    daemon: &Daemon,
    context: &Context,
    name: &str,
    days: Option<u32>,
) -> Result<CurveOf, Fault> {
    let visible = daemon.house.visible(context).await?;
    let (store, id) = find(&visible, name)?;
    let at = now();
    daemon.house.follow_settings(&store)?;
    let model = store.shelf.model();
    let memory = store.shelf.load(id).await.map_err(trouble::change)?;
    let recalls = store.shelf.store().latest_recalls(RECALLS).await.map_err(|error| trouble::read(&error))?;
    let mut uses: Vec<Timestamp> = recalls
        .iter()
        .filter(|recall| recall.via != Surface::SessionStart && recall.shown.contains(&id))
        .map(|recall| recall.at)
        .collect();
    uses.sort();
    let lives = law::lives_of(&memory, &uses, model);
    let fades_at = law::fades_at(&memory, model);
    let ahead = match (days, fades_at) {
        (Some(days), _) => i64::from(days),
        (None, Some(fades)) => {
            let days = fades.duration_since(at).as_secs_f64() / 86_400.0;
            (days * BEYOND) as i64
        }
        (None, None) => LEAST_DAYS,
    };
    let ahead = ahead.clamp(if days.is_some() { 1 } else { LEAST_DAYS }, MOST_DAYS);
    let end = at.saturating_add(Span::from_hours(24 * ahead)).unwrap_or(Timestamp::MAX);
    let mut points = Vec::new();
    for (from, to) in [(memory.created_at.min(at), at), (at, end)] {
        let span = to.duration_since(from);
        for step in 0..POINTS {
            let moment = from + span * i32::try_from(step).unwrap_or(0) / i32::try_from(POINTS).unwrap_or(1);
            points.push(CurvePoint { at: moment, retention: law::retention_in(&lives, model, moment) });
        }
    }
    points.push(CurvePoint { at: end, retention: law::retention_in(&lives, model, end) });
    let thresholds = [("rehearsal", 0.3), ("archival", 0.15), ("forgetting", 0.01)];
    let thresholds = thresholds.into_iter().map(|(what, held)| {
        let held = Retention::clamped(held);
        CurveThreshold {
            what: what.to_owned(),
            retention: law::model_reads(model, held),
            reached_at: law::reaches_at(&memory, model, held),
        }
    });
    Ok(CurveOf {
        retention: law::retention_of(&memory, model, at),
        storage: law::storage_of(&memory.trace).get(),
        thresholds: thresholds.collect(),
        model,
        at,
        uses,
        points,
        fades_at,
        memory,
    })
}

/// What waits to be summed up next, in whichever store.
pub(super) async fn next(daemon: &Daemon, context: &Context) -> Result<ConsolidationOffered, Fault> {
    let visible = daemon.house.visible(context).await?;
    let failed = |error| trouble::read(&error);
    let mut next = None;
    let mut waiting = 0;
    for store in visible.stores.iter().filter(|store| store.scope() != Scope::Session) {
        for item in store.shelf.store().awaiting().await.map_err(failed)? {
            let summary = match store.shelf.load(item.summary).await {
                Ok(summary) => summary,
                Err(ChangeError::NotFound(_)) => continue,
                Err(error) => return Err(trouble::change(error)),
            };
            if !summary.status.is_current() {
                continue;
            }
            waiting += 1;
            if next.is_none() {
                let mut sources = store.shelf.store().load(item.sources.clone()).await.map_err(failed)?;
                sources.retain(|memory| !memory.content.is_empty());
                sources.sort_by_key(|memory| memory.id);
                next = Some(Offered {
                    scope: store.scope(),
                    summary: item.summary,
                    topic: item.topic,
                    text: summary.content,
                    sources,
                });
            }
        }
    }
    Ok(ConsolidationOffered { next, waiting })
}

/// Somebody has summed it up: the summary says it so.
pub(super) async fn submit(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    name: &str,
    text: &str,
) -> Result<Changed, Fault> {
    let visible = daemon.house.visible(context).await?;
    let (store, id) = find(&visible, name)?;
    let awaiting = store.shelf.store().awaiting().await.map_err(|error| trouble::read(&error))?;
    let Some(item) = awaiting.into_iter().find(|item| item.summary == id) else {
        return Err(Fault::refused(format!("memory {id} does not wait to be summed up"))
            .hint("`engram consolidation next` tells what does"));
    };
    let settings = daemon.house.settings_for(context, visible.place.as_ref())?;
    let longest = usize::try_from(settings.number("remember.longest")).unwrap_or(usize::MAX);
    let text = daemon.house.kept_unasked(context, store.scope(), text)?;
    let occasion = occasion(context, operation);
    let plan = |memories: &[Memory]| plan_submitted(&item, &memories[0], &text, longest, occasion);
    match store.shelf.change(&[id], plan).await {
        Ok(memories) => Ok(Changed::of(operation, memories, false)),
        Err(ChangeError::Commit(CommitError::AlreadyApplied(_))) => {
            let memories = vec![store.shelf.load(id).await.map_err(trouble::change)?];
            Ok(Changed::of(operation, memories, true))
        }
        Err(error) => Err(trouble::change(error)),
    }
}
