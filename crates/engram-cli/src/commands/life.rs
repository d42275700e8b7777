//! The commands about the life of memories: dreams, tiers, curves, the things
//! they name, what waits to be summed up, and rewriting the stores.

use super::change::without_secrets;
use crate::args::{Consolidation, Demote, Dream, Entity, Graph};
use crate::ask::{Client, Outcome, waits};
use crate::out::{self, Out};
use crate::{given, show};
use engram_core::Tier;
use engram_wire::life::{
    Compacted, ConsolidationOffered, CurveOf, DreamReports, Dreamt, Entities, EntityChanged, EntityShown,
    GraphShown, TierSet,
};
use engram_wire::message::{self, MemoryName};
use engram_wire::window::GraphWhole;
use engram_wire::{Fault, Order};
use serde_json::{Value, json};
use std::ffi::OsString;

/// So many dreams of a store are reported unless somebody wants more.
const REPORTED: usize = 10;

/// So many things are shown of all of them unless somebody wants more.
const SHOWN: usize = 100;

/// A dream does not wait in the spool: there is another one soon.
pub(crate) fn dream(client: &mut Client, out: &Out, args: Dream) -> Result<(), Fault> {
    let Dream { only, depth, dry_run, scope, report, limit } = args;
    if report {
        let reply = client.ask(Order::DreamReport { limit: limit.unwrap_or(REPORTED) })?;
        return out.reply::<DreamReports>(reply, show::dream_reports);
    }
    let operation = client.new_operation();
    let reply = client.ask(Order::Dream(message::Dream { operation, only, depth, dry_run, scope }))?;
    out.reply::<Dreamt>(reply, show::dreamt)
}

pub(crate) fn compact(client: &Client, out: &Out) -> Result<(), Fault> {
    out.reply::<Compacted>(client.ask(Order::Compact)?, show::compacted)
}

pub(crate) fn demote(client: &mut Client, out: &Out, demote: Demote) -> Result<(), Fault> {
    match demote {
        Demote { memories, tier: Some(tier), to: None } => set_tier(client, out, memories, tier),
        _ => Err(Fault::refused("no memory goes down to a narrower scope")
            .hint("what was learned for the user stays with the user; `engram forget` puts it away")
            .hint("`engram demote ID --tier TIER` lets it fade faster where it is")
            .hint("`engram undo OPERATION` takes a promotion back; `engram operations` lists them")),
    }
}

/// Puts each of the memories into a tier. Each is an operation of its own, so
/// what was done before one is refused stays done, and is told.
pub(crate) fn set_tier(
    client: &mut Client,
    out: &Out,
    memories: Vec<MemoryName>,
    tier: Tier,
) -> Result<(), Fault> {
    let mut tiers: Vec<Value> = Vec::new();
    let mut text = String::new();
    for memory in memories {
        let operation = client.new_operation();
        match client.change(Order::SetTier { operation, memory, tier }) {
            Ok(Outcome::Done(reply)) => {
                text += &show::tier_set(&out::understood::<TierSet>(reply.clone())?, &out.look);
                tiers.push(reply);
            }
            Ok(Outcome::Spooled { operation, reason }) => {
                let (value, told) = waits(operation, &reason);
                text += &told;
                tiers.push(value);
            }
            Err(fault) if tiers.is_empty() => return Err(fault),
            Err(fault) => {
                let before = show::memories(tiers.len());
                let fault = fault.hint(format!("{before} named before it got the tier {tier}"));
                return out.own_failed(&json!({ "tiers": tiers }), &text, fault);
            }
        }
    }
    out.own(&json!({ "tiers": tiers }), &text)
}

pub(crate) fn curve(client: &Client, out: &Out, memory: MemoryName, days: Option<u32>) -> Result<(), Fault> {
    out.reply::<CurveOf>(client.ask(Order::Curve { memory, days })?, show::curve)
}

pub(crate) fn entity(client: &mut Client, out: &Out, entity: Entity) -> Result<(), Fault> {
    let order = match entity {
        Entity::List { query, limit } => {
            let query = query.map(name_given).transpose()?;
            let reply = client.ask(Order::EntityList { query, limit })?;
            return out.reply::<Entities>(reply, show::entities);
        }
        Entity::Show { entity } => {
            let reply = client.ask(Order::EntityShow { entity: name_given(entity)? })?;
            return out.reply::<EntityShown>(reply, show::entity);
        }
        Entity::Merge { entity, into } => {
            let (entity, into) = (name_given(entity)?, name_given(into)?);
            Order::EntityMerge { operation: client.new_operation(), entity, into }
        }
        Entity::Alias { entity, alias } => {
            let (entity, alias) = (name_given(entity)?, without_secrets("entity", name_given(alias)?));
            Order::EntityAlias { operation: client.new_operation(), entity, alias }
        }
    };
    match client.change(order)? {
        Outcome::Done(reply) => out.reply::<EntityChanged>(reply, show::entity_changed),
        spooled => out.spooled(&spooled),
    }
}

pub(crate) fn graph(client: &Client, out: &Out, graph: Graph) -> Result<(), Fault> {
    let Graph { entity, all: _, hops, only: kinds, dot, scope, limit } = graph;
    let Some(entity) = entity else {
        let limit = limit.unwrap_or(SHOWN);
        let order = Order::GraphWhole(message::GraphWhole { scope, kinds, limit });
        return out.reply::<GraphWhole>(client.ask(order)?, show::graph_whole);
    };
    let reply = client.ask(Order::Graph { entity: name_given(entity)?, hops, kinds })?;
    // The names in it were escaped for the language, but not for a terminal.
    out.reply::<GraphShown>(
        reply,
        |shown, look| {
            if dot { show::clean(&shown.dot) } else { show::graph(shown, look) }
        },
    )
}

pub(crate) fn consolidation(client: &mut Client, out: &Out, what: Consolidation) -> Result<(), Fault> {
    match what {
        Consolidation::Next => {
            out.reply::<ConsolidationOffered>(client.ask(Order::ConsolidationNext)?, show::offered)
        }
        Consolidation::Submit { summary, text } => {
            let text = without_secrets("consolidation", given::text(&text)?);
            let operation = client.new_operation();
            out.outcome(client.change(Order::ConsolidationSubmit { operation, summary, text })?)
        }
    }
}

fn name_given(name: OsString) -> Result<String, Fault> {
    let name = given::joined(&[name])?;
    if name.trim().is_empty() {
        return Err(Fault::usage("a thing without a name was named")
            .hint("`engram entity list` shows the things that memories name"));
    }
    Ok(name)
}
