//! The commands about learning from use: feedback, what was learned, what
//! evolves, skills and reflection.

use super::change::without_secrets;
use crate::args::{Evolution, Evolve, Feedback, Reflect, Weights};
use crate::ask::{Client, Outcome};
use crate::out::Out;
use crate::{given, show, when};
use engram_core::dream::Step;
use engram_wire::evolution::{
    Candidates, EvolutionReports, Evolved, Rated, Reflections, SkillsFound, UsageHistory, WeightsReset,
    WeightsShown,
};
use engram_wire::life::Dreamt;
use engram_wire::message::{
    self, EvolutionCandidates, EvolveMerge, EvolveOne, EvolveRefine, InduceSkill, RecordFeedback,
    SKILL_SOURCES,
};
use engram_wire::{Fault, Order};
use std::ffi::OsString;

/// What is so wherever the evidence suffices.
const UNUSED: &str = "nobody used it for 90 days or more";
const ALIKE: &str = "they say the same";

pub(crate) fn feedback(client: &mut Client, out: &Out, args: Feedback) -> Result<(), Fault> {
    let Feedback { recall, feedback, memories } = args;
    let operation = client.new_operation();
    match client.change(Order::RecordFeedback(RecordFeedback { operation, recall, feedback, memories }))? {
        Outcome::Done(reply) => out.reply::<Rated>(reply, show::rated),
        spooled => out.spooled(&spooled),
    }
}

pub(crate) fn weights(client: &mut Client, out: &Out, args: Weights) -> Result<(), Fault> {
    let Weights { history, scope, reset } = args;
    if !reset {
        return out.reply::<WeightsShown>(client.ask(Order::Weights { scope, history })?, show::weights);
    }
    let operation = client.new_operation();
    match client.change(Order::WeightsReset { operation, scope })? {
        Outcome::Done(reply) => out.reply::<WeightsReset>(reply, show::weights_reset),
        spooled => out.spooled(&spooled),
    }
}

pub(crate) fn reflect(client: &mut Client, out: &Out, args: Reflect) -> Result<(), Fault> {
    let Reflect { run, limit, all } = args;
    if run {
        let operation = client.new_operation();
        let only = vec![Step::Reflect];
        client.ask(Order::Evolve(message::Evolve { operation, dry_run: false, scope: None, only }))?;
    }
    out.reply::<Reflections>(client.ask(Order::Reflect { limit, all })?, show::reflections)
}

/// What evolves does not wait in the spool: by then the evidence may be another.
pub(crate) fn run(client: &mut Client, out: &Out, evolve: Evolve) -> Result<(), Fault> {
    let Evolve { what, dry_run, scope, report, since } = evolve;
    if let Some(what) = what {
        return one(client, out, what);
    }
    if report {
        let since = since.as_deref().map(|text| when::since(text, &out.look.zoned())).transpose()?;
        let reply = client.ask(Order::EvolutionReport { since })?;
        return out.reply::<EvolutionReports>(reply, show::evolution_reports);
    }
    let operation = client.new_operation();
    let order = Order::Evolve(message::Evolve { operation, dry_run, scope, only: Vec::new() });
    out.reply::<Dreamt>(client.ask(order)?, show::dreamt)
}

fn one(client: &mut Client, out: &Out, what: Evolution) -> Result<(), Fault> {
    let order = match what {
        Evolution::Candidates { criteria, limit, scope } => {
            let order = Order::EvolutionCandidates(EvolutionCandidates { criteria, limit, scope });
            return out.reply::<Candidates>(client.ask(order)?, show::candidates);
        }
        Evolution::Usage { memory, limit } => {
            let reply = client.ask(Order::Usage { memory, limit })?;
            return out.reply::<UsageHistory>(reply, show::usage);
        }
        Evolution::Skills { query, limit } => {
            let query = given::joined(&query)?;
            let query = Some(query).filter(|query| !query.trim().is_empty());
            let reply = client.ask(Order::Skills { query, limit })?;
            return out.reply::<SkillsFound>(reply, show::skills);
        }
        Evolution::Deprecate { memory, reason, justification } => {
            Order::EvolveDeprecate(of_one(client, memory, reason, justification)?)
        }
        Evolution::Archive { memory, reason, justification } => {
            let reason = reason.unwrap_or_else(|| UNUSED.to_owned());
            Order::EvolveArchive(of_one(client, memory, reason, justification)?)
        }
        Evolution::Refine { memory, text, reason, justification } => {
            let text = without_secrets("evolve", given::text(&text)?);
            let one = of_one(client, memory, reason, justification)?;
            Order::EvolveRefine(EvolveRefine { one, text })
        }
        Evolution::Merge { memories, text, reason, justification } => {
            let reason = said("reason", reason.unwrap_or_else(|| ALIKE.to_owned()))?;
            let justification = justification.map(|why| said("justification", why)).transpose()?;
            let (operation, text) = (client.new_operation(), text_of(text)?);
            let node_type = None;
            Order::EvolveMerge(EvolveMerge { operation, memories, node_type, text, reason, justification })
        }
        Evolution::Induce { memories, name, description, text, to } => {
            if !SKILL_SOURCES.contains(&memories.len()) {
                let (least, most) = (SKILL_SOURCES.start(), SKILL_SOURCES.end());
                return Err(Fault::usage(format!("a skill is made of {least} to {most} procedures")).hint(
                    "`engram evolve candidates --criteria unlinked_processes` shows which belong together",
                ));
            }
            let description = said("description", description)?;
            let (operation, text) = (client.new_operation(), text_of(text)?);
            Order::InduceSkill(InduceSkill { operation, memories, name, description, text, scope: to })
        }
    };
    out.reply::<Evolved>(client.ask(order)?, show::evolved)
}

fn of_one(
    client: &mut Client,
    memory: String,
    reason: String,
    justification: Option<String>,
) -> Result<EvolveOne, Fault> {
    let reason = said("reason", reason)?;
    let justification = justification.map(|why| said("justification", why)).transpose()?;
    Ok(EvolveOne { operation: client.new_operation(), memory, node_type: None, reason, justification })
}

/// A few words that must say something.
fn said(option: &str, words: String) -> Result<String, Fault> {
    if words.trim().is_empty() {
        return Err(Fault::usage(format!("--{option} says nothing"))
            .hint("nothing evolves without a reason that somebody can read later"));
    }
    Ok(without_secrets("evolve", words))
}

fn text_of(text: Option<OsString>) -> Result<Option<String>, Fault> {
    let text = text.map(|text| given::text(&[text])).transpose()?;
    Ok(text.map(|text| without_secrets("evolve", text)))
}
