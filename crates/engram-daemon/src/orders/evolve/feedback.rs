//! What somebody says of an answer: which answer is meant, which memories are
//! credited, and what was said of them before and no longer counts.

use super::super::{find, occasion};
use super::{MOST_RECALLS, lasting};
use crate::house::{OpenStore, Visible};
use crate::serve::Daemon;
use crate::trouble;
use engram_core::law::utility_now;
use engram_core::plan::{Told, credited_by, outcome_of, plan_feedback, rating_of};
use engram_core::port::CommitError;
use engram_core::recalled::{RecallLogged, Surface};
use engram_core::used::{EvidenceSource, Outcome, Usage};
use engram_core::{Actor, Changes, Memory, MemoryId, Write};
use engram_engine::{ChangeError, SHORTEST_NAME};
use engram_wire::evolution::Rated;
use engram_wire::message::RecordFeedback;
use engram_wire::reply::OutcomeRecorded;
use engram_wire::{Context, Fault};
use std::sync::Arc;

/// Without a name one of so many of the last recalls is meant.
const LAST_RECALLS: usize = 200;
/// Where it is not known which recall is meant, so many of the last are named,
/// with so many letters of what was asked.
const LISTED: usize = 3;
const QUERY_SHOWN: usize = 60;

pub(in crate::orders) async fn feedback(
    daemon: &Daemon,
    context: &Context,
    order: RecordFeedback,
) -> Result<Rated, Fault> {
    let RecordFeedback { operation, recall, feedback, memories } = order;
    let visible = daemon.house.visible(context).await?;
    daemon.house.flush_notes().await;
    let (logged_in, recall) = recall_named(&visible, context, recall.as_deref()).await?;
    let mut named: Vec<MemoryId> = Vec::new();
    for name in &memories {
        let (_, id) = find(&visible, name)?;
        named.push(id);
    }
    let credited = credited_by(&recall, &named).map_err(|refused| trouble::change(refused.into()))?;
    let occasion = occasion(context, operation);
    let rating = rating_of(&recall, feedback, &credited, occasion.at);
    let outcome = outcome_of(feedback);
    let mut rated = Rated { operation, recall: recall.id, feedback, credited: Vec::new(), already: false };
    for store in &visible.stores {
        let failed = |error| trouble::read(&error);
        let here =
            credited.iter().copied().filter(|id| store.shelf.index().contains(*id)).collect::<Vec<_>>();
        let before: Vec<Memory> = store.shelf.store().load(here.clone()).await.map_err(failed)?;
        let mut new: Vec<MemoryId> = Vec::new();
        for memory in &before {
            // One answer is judged once; who says the same again says nothing new.
            let said = |usage: &Usage| {
                usage.source == EvidenceSource::Feedback
                    && usage.recall == Some(recall.id)
                    && usage.outcome == outcome
            };
            let usages = store.shelf.store().usage_of(memory.id).await.map_err(failed)?;
            if !usages.iter().any(said) {
                new.push(memory.id);
            }
        }
        // The log of the answer and the usages change in one operation, so that
        // they are taken back together.
        let rating = rating.clone().filter(|_| Arc::ptr_eq(store, &logged_in));
        let (mut after, mut replaced) = (Vec::new(), Vec::new());
        if !new.is_empty() || rating.is_some() {
            let model = store.shelf.model();
            let plan = |told: &[Told]| {
                let changes = plan_feedback(told, &recall, feedback, rating, model, occasion)?;
                let gone = |id: &MemoryId| Some((*id, gone_from(&changes, *id)?));
                replaced = new.iter().filter_map(gone).collect();
                Ok(changes)
            };
            match store.shelf.tell(&new, plan).await {
                Ok(changed) => after = changed,
                Err(ChangeError::Commit(CommitError::AlreadyApplied(_))) => rated.already = true,
                Err(error) => return Err(trouble::change(error)),
            }
        }
        for was in &before {
            let now = after.iter().find(|memory| memory.id == was.id);
            let replaced = replaced.iter().find(|(id, _)| *id == was.id).map(|(_, outcome)| *outcome);
            rated.credited.push(OutcomeRecorded {
                operation,
                memory: was.id,
                outcome,
                utility_before: utility_now(was, occasion.at),
                utility: utility_now(now.unwrap_or(was), occasion.at),
                replaced: replaced.filter(|_| now.is_some()),
                already: now.is_none(),
            });
        }
    }
    daemon.house.dreaming.note_evidence();
    rated.already |= rating.is_none() && rated.credited.iter().all(|credited| credited.already);
    Ok(rated)
}

/// What a change takes out of what was told of a memory, to put something else in
/// its place.
pub(in crate::orders) fn gone_from(changes: &Changes, id: MemoryId) -> Option<Outcome> {
    changes.writes.iter().find_map(|write| match write {
        Write::Unrecord { usage } if usage.memory == id => Some(usage.outcome),
        _ => None,
    })
}

/// The recall that is meant, and the store whose log has it.
async fn recall_named(
    visible: &Visible,
    context: &Context,
    name: Option<&str>,
) -> Result<(Arc<OpenStore>, RecallLogged), Fault> {
    let wanted = name.map(|name| name.trim().to_uppercase());
    if wanted.as_ref().is_some_and(|wanted| wanted.len() < SHORTEST_NAME) {
        let few = format!("\"{}\" is too short to name a recall", name.unwrap_or_default());
        return Err(Fault::usage(few).hint(format!(
            "give at least {SHORTEST_NAME} letters of its identifier, or none for the last one"
        )));
    }
    let mut found: Vec<(Arc<OpenStore>, RecallLogged)> = Vec::new();
    for store in lasting(visible) {
        // Without a name one of the last is meant.
        let most = if wanted.is_some() { MOST_RECALLS } else { LAST_RECALLS };
        let latest = store.shelf.store().latest_recalls(most).await;
        for recall in latest.map_err(|error| trouble::read(&error))? {
            let meant = match &wanted {
                Some(wanted) => recall.id.to_string().ends_with(wanted.as_str()),
                // What was asked in somebody's session is his to judge.
                None => recall.session == context.session && may_have_asked(context, recall.via),
            };
            if meant {
                found.push((store.clone(), recall));
            }
        }
    }
    if wanted.is_none() && context.session.is_none() && context.actor != Actor::Human && !found.is_empty() {
        return Err(which_recall(found));
    }
    if wanted.is_some() && found.len() > 1 {
        let fault = Fault::usage(format!("\"{}\" names {} recalls", name.unwrap_or_default(), found.len()));
        return Err(fault.hint("give more letters of its identifier"));
    }
    found.into_iter().max_by_key(|(_, recall)| recall.at).ok_or_else(|| {
        let what = match name {
            Some(name) => format!("there is no recall \"{name}\" here"),
            None => "nothing was recalled here yet".to_owned(),
        };
        Fault::not_found(what).hint("`engram recalls` lists them")
    })
}

/// Whether it may be this speaker who asked. In a session all that was put before
/// him counts; outside of one a person searches, and agents call a tool.
fn may_have_asked(context: &Context, via: Surface) -> bool {
    match via {
        Surface::Search => true,
        Surface::Tool => context.session.is_some() || context.actor != Actor::Human,
        Surface::Prompt | Surface::SessionStart | Surface::Command => context.session.is_some(),
    }
}

/// Agents without a session cannot be told apart: one would judge what another
/// was answered.
fn which_recall(mut found: Vec<(Arc<OpenStore>, RecallLogged)>) -> Fault {
    found.sort_by_key(|(_, recall)| std::cmp::Reverse(recall.at));
    let fault = Fault::usage("which recall is meant is not known: say its identifier");
    found.iter().take(LISTED).fold(fault, |fault, (_, recall)| {
        let query: String = recall.query.chars().take(QUERY_SHOWN).collect();
        fault.hint(format!("{} asked \"{query}\"", recall.id))
    })
}
