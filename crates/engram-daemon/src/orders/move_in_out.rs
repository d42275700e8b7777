//! Orders that carry memories out and in, as lines.

use super::{Speaker, occasion, of_scopes, refuse_missing, was_done};
use crate::serve::Daemon;
use crate::trouble;
use engram_core::{OperationId, Scope};
use engram_engine::{BadLine, export_page, parse_lines};
use engram_wire::message::ImportLine;
use engram_wire::reply::{Exported, Imported};
use engram_wire::{Context, Fault};
use std::collections::BTreeMap;

/// How many memories are read at once.
const PAGE: usize = 500;

/// Passes the gate for each page, and not while its listener reads: a pager at
/// the other end must not keep the house from being looked after.
pub(super) async fn export(
    daemon: &Daemon,
    context: &Context,
    scopes: &[Scope],
    history: bool,
    speaker: &Speaker,
) -> Result<Exported, Fault> {
    let stores = async || {
        let visible = of_scopes(daemon.house.visible(context).await?, scopes);
        refuse_missing(&visible)?;
        Ok::<_, Fault>(visible.stores)
    };
    let (scopes, total) = {
        let _gate = daemon.house.gate.read().await;
        daemon.house.flush_notes().await;
        let stores = stores().await?;
        let total: usize = stores.iter().map(|store| store.shelf.index().len()).sum();
        (stores.iter().map(|store| store.scope()).collect::<Vec<_>>(), total)
    };
    let mut exported = 0;
    for scope in scopes {
        let mut last = None;
        loop {
            let page = {
                let _gate = daemon.house.gate.read().await;
                let stores = stores().await?;
                let Some(store) = stores.iter().find(|store| store.scope() == scope) else { break };
                export_page(&store.shelf, last, PAGE, history).await.map_err(|error| trouble::read(&error))?
            };
            let Some((end, lines)) = page else { break };
            last = Some(end);
            exported += lines.len();
            for line in lines {
                speaker.line(line).await;
            }
            speaker.progress("exporting", exported as u64, Some(total as u64)).await;
        }
    }
    Ok(Exported { exported })
}

/// Each line goes to `scope`, or to the scope it came from. Every line is read
/// before the first is brought in.
pub(super) async fn import(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    scope: Option<Scope>,
    lines: Vec<ImportLine>,
) -> Result<Imported, Fault> {
    #[derive(serde::Deserialize)]
    struct Head {
        scope: Scope,
    }
    let bad = |problem: BadLine| Fault::usage(problem.to_string());
    let mut by_scope: BTreeMap<Scope, Vec<(usize, &str)>> = BTreeMap::new();
    for ImportLine { number, text } in &lines {
        let own = serde_json::from_str::<Head>(text)
            .map_err(|error| bad(BadLine { number: *number, problem: error.to_string() }))?;
        by_scope.entry(scope.unwrap_or(own.scope)).or_default().push((*number, text));
    }
    let place = daemon.house.place(context)?;
    let settings = daemon.house.settings_for(context, place.as_ref())?;
    let longest = usize::try_from(settings.number("remember.longest")).unwrap_or(usize::MAX);
    let mut arrivals = Vec::new();
    for (scope, lines) in by_scope {
        let count = lines.len();
        let store = daemon.house.target(context, place.clone(), Some(scope)).await?;
        arrivals.push((store, count, parse_lines(lines, scope, longest).map_err(bad)?));
    }
    let mut outcome = Imported { operation, imported: 0, skipped: 0 };
    for (store, count, arrivals) in arrivals {
        if context.again
            && let Some((_, memories)) = was_done(&store, operation).await?
        {
            outcome.imported += memories.len();
            outcome.skipped += count - memories.len().min(count);
            continue;
        }
        let (memories, skipped) = engram_engine::import(&store.shelf, arrivals, occasion(context, operation))
            .await
            .map_err(trouble::change)?;
        outcome.imported += memories.len();
        outcome.skipped += skipped;
    }
    Ok(outcome)
}
