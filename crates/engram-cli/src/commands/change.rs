//! The commands that change one memory, and the one that takes a change back.

use super::govern;
use crate::args;
use crate::ask::{Client, Outcome};
use crate::out::{self, Out};
use crate::{given, show};
use engram_core::dream::Step;
use engram_core::{OperationId, Status, used};
use engram_guard::guard;
use engram_wire::message::{Edit, MemoryName, Remember};
use engram_wire::reply::{OutcomeRecorded, Undone};
use engram_wire::{Fault, Order};
use std::ffi::OsString;

/// Masks what is nobody's business before it leaves this process, be it for the
/// daemon or for the spool, and says so.
pub(super) fn without_secrets(command: &str, text: String) -> String {
    let guarded = guard(&text);
    for masked in &guarded.secrets {
        out::warn(command, &format!("masked: {} ({})", masked.rule, masked.count));
    }
    if guarded.private > 0 {
        out::warn(command, &format!("left out, because private: {}", guarded.private));
    }
    guarded.text
}

pub(crate) fn remember(client: &mut Client, out: &Out, args: args::Remember) -> Result<(), Fault> {
    let args::Remember { text, kind, tags, domain, scope, pin, about_people } = args;
    let text = without_secrets("remember", given::text(&text)?);
    let text = govern::as_said(client, "remember", text, about_people)?;
    let operation = client.new_operation();
    let order = Order::Remember(Remember { operation, text, kind, tags, domain, scope, pin });
    out.outcome(client.change(order)?)
}

pub(crate) fn correct(
    client: &mut Client,
    out: &Out,
    memory: MemoryName,
    words: &[OsString],
    about_people: args::Personal,
) -> Result<(), Fault> {
    let text = without_secrets("correct", given::text(words)?);
    let text = govern::as_said(client, "correct", text, about_people)?;
    let operation = client.new_operation();
    out.outcome(client.change(Order::Correct { operation, memory, text })?)
}

/// Sets right what is said about a memory.
pub(crate) fn edit(client: &mut Client, out: &Out, args: args::Edit) -> Result<(), Fault> {
    let args::Edit { memory, about } = args;
    let tags = about.tags();
    let summary = about.summary.map(|summary| without_secrets("edit", summary));
    let operation = client.new_operation();
    let (kind, domain) = (about.kind, about.domain);
    out.outcome(client.change(Order::Edit(Edit { operation, memory, kind, tags, domain, summary }))?)
}

pub(crate) fn confirm(client: &mut Client, out: &Out, memory: MemoryName) -> Result<(), Fault> {
    let operation = client.new_operation();
    out.outcome(client.change(Order::Confirm { operation, memory })?)
}

pub(crate) fn mark(
    client: &mut Client,
    out: &Out,
    memory: MemoryName,
    status: Status,
    reason: String,
) -> Result<(), Fault> {
    let reason = without_secrets("mark", reason);
    let operation = client.new_operation();
    out.outcome(client.change(Order::Mark { operation, memory, status, reason })?)
}

pub(crate) fn pin(client: &mut Client, out: &Out, memory: MemoryName, pinned: bool) -> Result<(), Fault> {
    let operation = client.new_operation();
    out.outcome(client.change(Order::Pin { operation, memory, pinned })?)
}

/// Says what came of using a memory.
pub(crate) fn outcome(
    client: &mut Client,
    out: &Out,
    memory: MemoryName,
    outcome: used::Outcome,
    note: Option<String>,
) -> Result<(), Fault> {
    let note = note.map(|note| without_secrets("outcome", note));
    let operation = client.new_operation();
    match client.change(Order::RecordOutcome { operation, memory, outcome, note })? {
        Outcome::Done(reply) => out.reply::<OutcomeRecorded>(reply, show::outcome),
        spooled => out.spooled(&spooled),
    }
}

pub(crate) fn unforget(client: &mut Client, out: &Out, memory: MemoryName) -> Result<(), Fault> {
    let operation = client.new_operation();
    out.outcome(client.change(Order::Unforget { operation, memory })?)
}

pub(crate) fn undo(
    client: &mut Client,
    out: &Out,
    target: Option<OperationId>,
    step: Option<Step>,
) -> Result<(), Fault> {
    let operation = client.new_operation();
    match client.change(Order::Undo { operation, target, step })? {
        Outcome::Done(reply) => out.reply::<Undone>(reply, show::undone),
        spooled => out.spooled(&spooled),
    }
}
