//! What can be read by address: one memory, and the summary of a scope.

use crate::everyday::Whole;
use crate::server::{Server, error_of};
use crate::shown::scope_about;
use engram_core::present::{self, Budget, Tellable};
use engram_core::{Confidence, Memory, Scope};
use engram_wire::message::{List, Narrow};
use engram_wire::reply::{Inspected, Listed, ScopeStats, Stats};
use engram_wire::{Fault, FaultKind, Order};
use rmcp::model::{ArgumentInfo, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::json;
use std::collections::BTreeSet;

const MEMORY: &str = "engram://memory/";
const SCOPE: &str = "engram://scope/";
const MEMORY_TEMPLATE: &str = "engram://memory/{id}";
const SCOPE_TEMPLATE: &str = "engram://scope/{scope}";

const JSON: &str = "application/json";
const TEXT: &str = "text/plain";

/// So many memories head the summary of a scope.
const HEADLINES: usize = 10;
/// They are picked from so many of the newest.
const LOOKED_THROUGH: usize = 100;
/// The summary's lines take so many tokens at most.
const BUDGET: usize = 1_000;

/// The session is listed for whoever speaks in one; the team, which not everybody
/// has, is found by its address.
pub(crate) fn listed(in_session: bool) -> Vec<Resource> {
    let resource = |scope: &Scope| {
        Resource::new(format!("{SCOPE}{scope}"), format!("{scope} memories"))
            .with_description(scope_about(*scope))
            .with_mime_type(TEXT)
    };
    Scope::OWN.iter().filter(|scope| in_session || **scope != Scope::Session).map(resource).collect()
}

pub(crate) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(MEMORY_TEMPLATE, "memory")
            .with_description("One memory whole, by its id.")
            .with_mime_type(JSON),
        ResourceTemplate::new(SCOPE_TEMPLATE, "scope")
            .with_description("A scope in short: session, project, user or team.")
            .with_mime_type(TEXT),
    ]
}

pub(crate) async fn read(
    server: &Server,
    uri: &str,
    from: &RequestContext<RoleServer>,
) -> Result<ReadResourceResult, ErrorData> {
    let read = if let Some(id) = uri.strip_prefix(MEMORY).filter(|id| !id.is_empty()) {
        memory(server, id, from).await.map(|text| (text, JSON))
    } else if let Some(Ok(scope)) = uri.strip_prefix(SCOPE).map(str::parse) {
        summary(server, scope, from).await.map(|text| (text, TEXT))
    } else {
        Err(Fault::not_found(format!("there is no resource {uri}")))
    };
    let (text, form) = read.map_err(|fault| match fault.kind {
        FaultKind::NotFound => ErrorData::resource_not_found(fault.message, Some(json!({ "uri": uri }))),
        _ => error_of(&fault),
    })?;
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(form)]))
}

/// In the shape of `inspect_memory`.
async fn memory(server: &Server, id: &str, from: &RequestContext<RoleServer>) -> Result<String, Fault> {
    let inspected: Inspected = server.ask(Order::Inspect { memory: id.to_owned() }, from).await?;
    serde_json::to_string_pretty(&Whole::of(inspected, server.desk().now()))
        .map_err(|error| Fault::internal(error.to_string()))
}

/// How much there is, and what is pinned or matters most, fenced as data.
async fn summary(server: &Server, scope: Scope, from: &RequestContext<RoleServer>) -> Result<String, Fault> {
    let stats: Stats = server.ask(Order::Stats, from).await?;
    let counts = match stats.scopes.iter().find(|stats| stats.scope == scope) {
        Some(counts) => counts,
        None if scope == Scope::Session => return Err(Fault::not_found("there is no session here")),
        // A project without a store is one that nothing was kept of yet.
        None => return Ok(format!("{scope}: nothing is kept here yet\n")),
    };
    let pinned = list(server, scope, true, from).await?;
    let newest = list(server, scope, false, from).await?;
    let picked = pick(pinned.memories, newest.memories);
    // Told in short: whoever wants a memory whole can read it by its address.
    let confidence = Confidence::clamped(present::SHORT);
    let tellable = picked.iter().map(|memory| Tellable { memory, scope, confidence, note: None });
    let told = present::present(tellable, Budget::Tokens(BUDGET), server.desk().now());
    Ok(format!("{}\n{}", counted(counts), told.text))
}

async fn list(
    server: &Server,
    scope: Scope,
    pinned: bool,
    from: &RequestContext<RoleServer>,
) -> Result<Listed, Fault> {
    let narrow = Narrow { scopes: vec![scope], ..Narrow::default() };
    let limit = Some(if pinned { HEADLINES } else { LOOKED_THROUGH });
    server.ask(Order::List(List { narrow, statuses: Vec::new(), limit, pinned, before: None }), from).await
}

/// The pinned ones first, then the most important.
fn pick(pinned: Vec<Memory>, mut others: Vec<Memory>) -> Vec<Memory> {
    others.sort_by_key(|memory| std::cmp::Reverse(memory.importance));
    let mut seen = BTreeSet::new();
    let all = pinned.into_iter().chain(others);
    all.filter(|memory| seen.insert(memory.id)).take(HEADLINES).collect()
}

fn counted(stats: &ScopeStats) -> String {
    let statuses: Vec<String> =
        stats.by_status.iter().map(|(status, count)| format!("{count} {status}")).collect();
    let kinds: Vec<String> = stats.by_kind.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let mut text = format!(
        "{}: {} memories, {} pinned, {} faded\n",
        stats.scope, stats.memories, stats.pinned, stats.faded
    );
    for (name, counts) in [("status", statuses), ("kind", kinds)] {
        if !counts.is_empty() {
            text += &format!("by {name}: {}\n", counts.join(", "));
        }
    }
    text
}

/// What the open part of an address may be.
pub(crate) async fn complete(
    server: &Server,
    template: &str,
    argument: &ArgumentInfo,
    from: &RequestContext<RoleServer>,
) -> Result<Vec<String>, ErrorData> {
    let begun = argument.value.as_str();
    match (template, argument.name.as_str()) {
        (SCOPE_TEMPLATE, "scope") => {
            let words = Scope::ALL.iter().map(|scope| scope.as_str());
            Ok(words.filter(|word| word.starts_with(begun)).map(str::to_owned).collect())
        }
        (MEMORY_TEMPLATE, "id") => {
            let (narrow, limit) = (Narrow::default(), Some(LOOKED_THROUGH));
            let order =
                Order::List(List { narrow, statuses: Vec::new(), limit, pinned: false, before: None });
            let listed: Listed = server.ask(order, from).await.map_err(|fault| error_of(&fault))?;
            // People name a memory by the end of its identifier, too.
            let begun = begun.to_ascii_uppercase();
            let fits = |id: &String| id.starts_with(&begun) || id.ends_with(&begun);
            Ok(listed.memories.iter().map(|memory| memory.id.to_string()).filter(fits).collect())
        }
        _ => Ok(Vec::new()),
    }
}
