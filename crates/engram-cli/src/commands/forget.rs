//! Forgetting: by name or by what a query finds, shown first where it matters.

use crate::args;
use crate::ask::Client;
use crate::given;
use crate::out::{self, Out};
use crate::show::{self, Look};
use engram_core::Memory;
use engram_wire::message::Recall;
use engram_wire::reply::{Inspected, Recalled};
use engram_wire::{Fault, Order};
use serde_json::json;

pub(crate) fn run(client: &mut Client, out: &Out, args: args::Forget) -> Result<(), Fault> {
    let args::Forget { memories: mut names, query, limit, purge, yes, dry_run } = args;
    let must_ask = !yes && (query.is_some() || purge);
    let query = query.map(|query| given::joined(&[query])).transpose()?;
    if query.is_some() || must_ask || dry_run {
        let memories = match query {
            Some(query) => search(client, query, limit, purge)?,
            None => names.iter().map(|name| look_up(client, name)).collect::<Result<_, _>>()?,
        };
        if dry_run {
            let value = json!({ "would_forget": memories, "purge": purge });
            return out.own(&value, &(shown(&memories, &out.look) + &verdict(memories.len(), purge)));
        }
        if must_ask {
            out::confirm(&shown(&memories, &out.look), &question(memories.len(), purge))?;
        }
        names = memories.iter().map(|memory| memory.id.to_string()).collect();
    }
    let operation = client.new_operation();
    out.outcome(client.change(Order::Forget { operation, memories: names, purge })?)
}

/// What a query finds, without that counting as a use. A purge reaches what
/// is archived, too: its text is still there.
fn search(client: &Client, query: String, limit: Option<usize>, purge: bool) -> Result<Vec<Memory>, Fault> {
    let reply = client.ask(Order::Recall(Recall {
        query,
        limit,
        archived: purge,
        literal: true,
        preview: true,
        ..Recall::default()
    }))?;
    super::read::warn_of_gaps("forget", &reply);
    let recalled: Recalled = out::understood(reply)?;
    if recalled.hits.is_empty() {
        return Err(Fault::not_found(format!("nothing is found for \"{}\"", recalled.query)));
    }
    Ok(recalled.hits.into_iter().map(|hit| hit.memory).collect())
}

fn look_up(client: &Client, name: &str) -> Result<Memory, Fault> {
    let reply = client.ask(Order::Inspect { memory: name.to_owned() })?;
    Ok(out::understood::<Inspected>(reply)?.memory)
}

fn shown(memories: &[Memory], look: &Look) -> String {
    memories.iter().map(|memory| show::sketch(memory, look)).collect()
}

fn question(count: usize, purge: bool) -> String {
    let these = if count == 1 { "this memory".to_owned() } else { format!("these {count} memories") };
    if purge { format!("Purge {these}? It cannot be undone.") } else { format!("Forget {these}?") }
}

fn verdict(count: usize, purge: bool) -> String {
    let verb = if purge { "purged for good" } else { "forgotten" };
    let noun = if count == 1 { "memory" } else { "memories" };
    format!("{count} {noun} would be {verb}; nothing was changed.\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_says_how_many_and_how_final() {
        assert_eq!(question(1, false), "Forget this memory?");
        assert_eq!(question(3, false), "Forget these 3 memories?");
        assert_eq!(question(2, true), "Purge these 2 memories? It cannot be undone.");
        assert_eq!(verdict(1, false), "1 memory would be forgotten; nothing was changed.\n");
        assert_eq!(verdict(2, true), "2 memories would be purged for good; nothing was changed.\n");
    }
}
