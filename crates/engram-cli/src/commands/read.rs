//! The commands that only look.

use crate::args;
use crate::ask::Client;
use crate::out::{self, Out};
use crate::show::{self, How};
use crate::{given, when};
use engram_wire::message::{List, MemoryName, Recall};
use engram_wire::reply::{Gap, HistoryOf, Inspected, Listed, Operations, Recalled, Recalls};
use engram_wire::{Fault, Order};
use serde::Deserialize;
use serde_json::Value;

pub(crate) fn recall(client: &Client, out: &Out, args: args::Recall) -> Result<(), Fault> {
    let as_of = args.as_of.as_deref().map(|text| when::as_of(text, &out.look.zoned())).transpose()?;
    let how = How { grouped: args.grouped, explain: args.explain, timeline: args.timeline };
    let context = args.context.then_some(args.budget.unwrap_or(0));
    let reply = client.ask(Order::Recall(Recall {
        known: Default::default(),
        known_since: None,
        chars: None,
        query: given::joined(&args.query)?,
        narrow: args.narrow.into(),
        mode: args.mode,
        limit: args.limit,
        as_of,
        timeline: args.timeline,
        context,
        profile: args.profile,
        archived: args.archived,
        prompt: args.prompt,
        literal: args.literal,
        preview: false,
        via: None,
    }))?;
    warn_of_gaps("recall", &reply);
    out.reply::<Recalled>(reply, |recalled, look| show::found(recalled, how, look))
}

/// Says what an answer lacks that looks whole, whatever form it is printed in.
pub(crate) fn warn_of_gaps(command: &str, reply: &Value) {
    let gaps = reply.get("gaps").map(Vec::<Gap>::deserialize);
    for warning in gaps.and_then(Result::ok).iter().flat_map(|gaps| show::warnings(gaps)) {
        out::warn(command, &warning);
    }
}

pub(crate) fn list(client: &Client, out: &Out, args: args::List) -> Result<(), Fault> {
    let args::List { narrow, statuses, pinned, limit } = args;
    let reply =
        client.ask(Order::List(List { narrow: narrow.into(), statuses, limit, pinned, before: None }))?;
    out.reply::<Listed>(reply, show::listed)
}

pub(crate) fn inspect(client: &Client, out: &Out, memory: MemoryName) -> Result<(), Fault> {
    out.reply::<Inspected>(client.ask(Order::Inspect { memory })?, show::inspected)
}

pub(crate) fn history(client: &Client, out: &Out, memory: MemoryName) -> Result<(), Fault> {
    out.reply::<HistoryOf>(client.ask(Order::History { memory })?, show::history)
}

pub(crate) fn operations(client: &Client, out: &Out, limit: usize) -> Result<(), Fault> {
    out.reply::<Operations>(client.ask(Order::Operations { limit, before: None })?, show::operations)
}

pub(crate) fn recalls(client: &Client, out: &Out, limit: usize) -> Result<(), Fault> {
    out.reply::<Recalls>(client.ask(Order::Recalls { limit, before: None })?, show::recalls)
}
