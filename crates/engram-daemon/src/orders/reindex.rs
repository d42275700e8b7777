//! Making vectors while somebody watches. What is made and in which order is
//! the engine's; the daemon does the same by itself when nobody asks.

use super::{Speaker, refuse_missing};
use crate::clock::now;
use crate::house::OpenStore;
use crate::serve::Daemon;
use crate::trouble;
use engram_core::Scope;
use engram_wire::project::ProjectPlace;
use engram_wire::reply::{Reindexed, ReindexedStore};
use engram_wire::{Context, Fault};
use std::sync::Arc;

/// A store, by what finds it again after a pause.
enum Target {
    Seen(Scope),
    Project(ProjectPlace),
}

/// Passes the gate for each step, so that nobody waits for long. If whoever
/// asked goes away, it goes on.
pub(super) async fn reindex(
    daemon: &Daemon,
    context: &Context,
    all_projects: bool,
    again: bool,
    speaker: &Speaker,
) -> Result<Reindexed, Fault> {
    if daemon.house.embedders.table.is_none() {
        return Err(Fault::refused("no embedder is chosen; only words are compared")
            .hint("`engram model use builtin` chooses the built-in table"));
    }
    let mut done = Reindexed { stores: Vec::new(), missed: Vec::new() };
    for target in targets(daemon, context, all_projects).await? {
        match (one(daemon, context, &target, again, speaker).await, &target) {
            (Ok(store), _) => done.stores.extend(store),
            (Err(Failure::Closed(fault)), Target::Project(place)) => {
                done.missed.push(format!("{}: {}", place.root.display(), fault.message));
            }
            (Err(Failure::Closed(fault)), Target::Seen(_)) => return Err(fault),
            (Err(Failure::Unmade(fault)), _) => {
                return Err(fault.hint("what was made is kept; the rest is made in the background"));
            }
        }
    }
    Ok(done)
}

async fn targets(daemon: &Daemon, context: &Context, all_projects: bool) -> Result<Vec<Target>, Fault> {
    let _gate = daemon.house.gate.read().await;
    let visible = daemon.house.visible(context).await?;
    refuse_missing(&visible)?;
    let mut targets: Vec<Target> = visible.stores.iter().map(|store| Target::Seen(store.scope())).collect();
    if !all_projects {
        return Ok(targets);
    }
    let this = visible.place;
    let places = daemon.house.known_places(this.clone()).await?;
    let others = places.into_iter().filter(|place| Some(place) != this.as_ref());
    targets.extend(others.map(Target::Project));
    Ok(targets)
}

enum Failure {
    /// The store cannot be opened.
    Closed(Fault),
    /// Its vectors cannot be made.
    Unmade(Fault),
}

/// None: the store is gone.
async fn one(
    daemon: &Daemon,
    context: &Context,
    target: &Target,
    again: bool,
    speaker: &Speaker,
) -> Result<Option<ReindexedStore>, Failure> {
    let begun_at = now();
    let (label, scope, missing) = {
        let _gate = daemon.house.gate.read().await;
        let Some(store) = open(daemon, context, target).await.map_err(Failure::Closed)? else {
            return Ok(None);
        };
        if again {
            store.shelf.make_vectors_again().await;
        }
        let missing = store.shelf.filling().map_or(0, |filling| filling.total - filling.done);
        (store.label(), store.scope(), missing)
    };
    loop {
        let (step, filling) = {
            let _gate = daemon.house.gate.read().await;
            let Some(store) = open(daemon, context, target).await.map_err(Failure::Closed)? else {
                return Ok(None);
            };
            let Some(step) = daemon.house.fill_step(&store).await else { continue };
            daemon.house.note_model(step.as_ref().err());
            (step.map_err(|error| Failure::Unmade(trouble::change(error)))?, store.shelf.filling())
        };
        match (step, filling) {
            (Some(step), _) => {
                let what = format!("{label}, {}", step.embedder);
                speaker.progress(&what, step.done as u64, Some(step.total as u64)).await;
            }
            (None, Some(filling)) => {
                let seconds = now().duration_since(begun_at).as_secs_f64().max(0.0);
                let left = filling.total - filling.done;
                return Ok(Some(ReindexedStore {
                    store: label,
                    scope,
                    embedder: filling.embedder,
                    total: filling.total,
                    made: missing.saturating_sub(left),
                    seconds,
                }));
            }
            (None, None) => return Ok(None),
        }
    }
}

async fn open(daemon: &Daemon, context: &Context, target: &Target) -> Result<Option<Arc<OpenStore>>, Fault> {
    match target {
        Target::Project(place) => daemon.house.project(place).await.map(Some),
        Target::Seen(scope) => {
            let visible = daemon.house.visible(context).await?;
            refuse_missing(&visible)?;
            Ok(visible.stores.into_iter().find(|store| store.scope() == *scope))
        }
    }
}
