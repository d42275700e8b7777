//! `engram hook`: called by an agent at its turning points. Whatever happens
//! here, the agent goes on: the exit code is 0, nothing is said on the terminal,
//! and it ends within its deadline.

use super::capture::{Tally, prepared};
use crate::args::Global;
use crate::around::{self, Around};
use crate::ask::Client;
use crate::hooking::{Input, LONGEST, answer_of, ends_of};
use crate::out;
use engram_core::Timestamp;
use engram_wire::config::Settings;
use engram_wire::message::{Hook, HookEvent};
use engram_wire::reply::Hooked;
use engram_wire::{FaultKind, Order};
use std::io::Read as _;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

/// Of its time, so much is for the daemon; the rest is for the spool.
const FOR_THE_DAEMON: f64 = 0.7;
/// Who had all its time and is still writing to the spool gets a little more.
const GRACE: Duration = Duration::from_millis(100);

pub(crate) fn run(global: Global, agent: String, event: HookEvent) {
    let started_at = around::now();
    // Nor is a defect of ours.
    std::panic::set_hook(Box::new(|_| {}));
    let Ok(around) = Around::look(&global) else { return };
    let deadline = deadline_of(event, &around.settings_and_problems().0);
    let (tell, told) = sync_channel(1);
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What cannot be read is as good as nothing.
        let _ = std::io::stdin().lock().take(LONGEST as u64).read_to_end(&mut bytes);
        let input = Input::read(&bytes);
        let Some(around) = around_of(&global, &input) else { return };
        let settings = around.settings_and_problems().0;
        let _ = tell.send(converse(around, settings, agent, event, (&input, started_at)));
    });
    if let Ok(Some(answer)) = told.recv_timeout(deadline + GRACE) {
        let _ = out::put(&answer);
    }
}

/// An agent may walk about; its session belongs to where it was started. A folder
/// that is there no more says nothing; then ours is as good.
fn around_of(global: &Global, input: &Input) -> Option<Around> {
    let told = around::agent_folder().or_else(|| input.folder()).filter(|folder| folder.is_dir());
    let moved = told.map(|folder| Global { folder: Some(folder), ..global.clone() });
    let there = moved.and_then(|global| Around::look(&global).ok());
    let mut around = there.or_else(|| Around::look(global).ok())?;
    // A session that a person named is not the agent's.
    around.session = None;
    Some(around)
}

fn deadline_of(event: HookEvent, settings: &Settings) -> Duration {
    Duration::from_millis(settings.number(event.deadline()))
}

/// Tells the daemon, or the spool; what is to be printed.
fn converse(
    around: Around,
    settings: Settings,
    agent: String,
    event: HookEvent,
    (input, started_at): (&Input, Timestamp),
) -> Option<String> {
    let patience = deadline_of(event, &settings).mul_f64(FOR_THE_DAEMON);
    let client = Client::new(around, settings).ok()?.for_agent(patience);
    let mut tally = Tally::default();
    let happened = input.happened(event, started_at).map(|event| prepared(event, &mut tally));
    let hook = Hook {
        event,
        agent,
        session: input.session().map(str::to_owned),
        reason: input.name("source").or_else(|| input.name("reason")).map(str::to_owned),
        prompt: input.prompt().map(ends_of),
        tool: input.tool(event),
        happened,
        process: around::agent_process(),
        started_at: Some(started_at),
    };
    match client.ask(Order::Hook(Box::new(hook.clone()))) {
        Ok(reply) => {
            let hooked: Hooked = out::understood(reply).ok()?;
            answer_of(&hook.agent, event, hooked.context.as_deref())
        }
        Err(fault) => {
            // Only what may be kept is left there, and nobody is left to tell if
            // that fails, too.
            let kept = Order::Hook(Box::new(Hook { prompt: None, tool: None, ..hook.clone() }));
            if kept.may_wait() {
                let _ = client.leave(kept);
            }
            // Who has too much to take in still tells what he knows.
            if fault.kind != FaultKind::Busy || hook.prompt.is_none() && hook.tool.is_none() {
                return None;
            }
            let told = client.ask(Order::Hook(Box::new(Hook { happened: None, ..hook.clone() }))).ok()?;
            let hooked: Hooked = out::understood(told).ok()?;
            answer_of(&hook.agent, event, hooked.context.as_deref())
        }
    }
}
