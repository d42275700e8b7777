//! Orders about what was learned: how much the arms of a search count, what is
//! kept longest, and how that came to be.

use super::{occasion, of_one_scope, refuse_missing};
use crate::clock::now;
use crate::house::OpenStore;
use crate::serve::Daemon;
use crate::trouble;
use engram_core::change::{Inverse, Operation};
use engram_core::evolve::Criteria;
use engram_core::learn::{
    ArmWeights, Learned, LearnedKey, LearningState, Shares, Subject, effectiveness, home_of_keeping,
};
use engram_core::plan::plan_unlearn;
use engram_core::port::CommitError;
use engram_core::{OperationId, Scope, Span};
use engram_engine::ChangeError;
use engram_wire::config::Settings;
use engram_wire::evolution::{RateLine, StoreWeights, WeightRow, WeightsReset, WeightsShown};
use engram_wire::{Context, Fault};

/// The log is looked at so far back, and no more of it.
const LOGGED_FOR: Span = Span::from_hours(30 * 24);
const MOST_RECALLS: usize = 5_000;

pub(super) async fn show(
    daemon: &Daemon,
    context: &Context,
    scope: Option<Scope>,
    history: usize,
) -> Result<WeightsShown, Fault> {
    let visible = of_one_scope(daemon.house.visible(context).await?, scope);
    refuse_missing(&visible)?;
    daemon.house.flush_notes().await;
    let failed = |error| trouble::read(&error);
    let at = now();
    let mut stores = Vec::new();
    for store in visible.stores.iter().filter(|store| store.scope() != Scope::Session) {
        let settings = daemon.house.settings_of(store)?;
        let learning = settings.learning();
        let learned = store.shelf.learned();
        let kept = store.shelf.store();
        let recalls = kept.recalls_since(at - LOGGED_FOR, MOST_RECALLS).await.map_err(failed)?;
        let rates = effectiveness(&recalls, &learned, &settings.weights(), &learning, at);
        let rates = rates.into_iter().flat_map(|(key, rates)| {
            rates.into_iter().map(move |rate| RateLine {
                key,
                word: rate.word.to_owned(),
                rate: rate.rate,
                votes: rate.votes,
                sure: rate.sure,
            })
        });
        // Counted as they are named where somebody asks for them.
        let (_, noise) = store
            .shelf
            .evolution_candidates(Some(Criteria::Noise), usize::MAX, at)
            .await
            .map_err(trouble::change)?;
        stores.push(StoreWeights {
            scope: store.scope(),
            store: store.label(),
            learning: learning.on,
            rows: rows(&learned, &settings),
            rates: rates.collect(),
            noise: noise.len(),
            history: kept.weight_history(history).await.map_err(failed)?,
        });
    }
    Ok(WeightsShown { stores })
}

/// What was learned, and of all questions together also that nothing was.
fn rows(learned: &[Learned], settings: &Settings) -> Vec<WeightRow> {
    let whole = LearnedKey { subject: Subject::Arms, query_type: None, with_model: false };
    let learned: Vec<&Learned> = learned.iter().filter(|row| !row.is_forgotten()).collect();
    let mut keys: Vec<LearnedKey> = learned.iter().map(|row| row.key).collect();
    if !keys.contains(&whole) {
        keys.insert(0, whole);
    }
    let row = |key: LearnedKey| {
        let default = home_of(key, settings)?;
        let known = learned.iter().find(|row| row.key == key);
        Some(WeightRow {
            key,
            now: known.map_or_else(|| default.clone(), |row| row.shares.clone()),
            default,
            votes: known.map_or(0, |row| row.votes),
            state: match known {
                _ if !settings.learning().on => LearningState::Off,
                Some(row) => row.state(),
                None => LearningState::TooFew,
            },
            reason: known.map(|row| row.reason.clone()).unwrap_or_default(),
            updated_at: known.map(|row| row.updated_at),
        })
    };
    keys.into_iter().filter_map(row).collect()
}

fn home_of(key: LearnedKey, settings: &Settings) -> Option<Shares> {
    match key.subject {
        Subject::Arms => ArmWeights::of(&settings.weights(), key.with_model).shares(),
        Subject::Eviction => Some(home_of_keeping()),
    }
}

/// How far a store's learning about all questions together is.
pub(crate) fn learning_state(store: &OpenStore, settings: &Settings) -> LearningState {
    rows(&store.shelf.learned(), settings).first().map_or(LearningState::Off, |row| row.state)
}

pub(super) async fn reset(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    scope: Option<Scope>,
) -> Result<WeightsReset, Fault> {
    let visible = daemon.house.visible(context).await?;
    refuse_missing(&visible)?;
    let lasting = visible.stores.iter().find(|store| match scope {
        Some(scope) => store.scope() == scope,
        None => store.scope() != Scope::Session,
    });
    let Some(store) = lasting.cloned() else {
        return Err(Fault::not_found("there is no such store here"));
    };
    let occasion = occasion(context, operation);
    let done = store.shelf.relearn(|learned| plan_unlearn(learned, occasion)).await;
    match done {
        Ok(rows) => {
            let rows = rows.into_iter().map(|row| row.key).collect();
            Ok(WeightsReset { operation, scope: store.scope(), rows, already: false })
        }
        Err(ChangeError::Commit(CommitError::AlreadyApplied(_))) => {
            Ok(WeightsReset { operation, scope: store.scope(), rows: Vec::new(), already: true })
        }
        Err(error) => Err(trouble::change(error)),
    }
}

/// The answer to a reset that had been done.
pub(super) fn reset_before(store: &OpenStore, done: &Operation) -> WeightsReset {
    let keys = done.inverse.iter().filter_map(|inverse| match inverse {
        Inverse::Learn { before: Some(row), .. } => Some(row.key),
        _ => None,
    });
    WeightsReset { operation: done.id, scope: store.scope(), rows: keys.collect(), already: true }
}
