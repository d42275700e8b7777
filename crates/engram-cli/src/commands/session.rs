//! The commands about sessions, and about what they leave behind.

use crate::args::{Personal, Promote, Reminders, Session};
use crate::ask::{Client, Outcome};
use crate::out::Out;
use crate::{around, show};
use engram_core::{Scope, SessionId};
use engram_wire::message;
use engram_wire::reply::{Promoted, RemindersListed, SessionLine, SessionShown, Sessions};
use engram_wire::{Fault, Order};
use serde_json::Value;

pub(crate) fn run(client: &mut Client, out: &Out, session: Session) -> Result<(), Fault> {
    match session {
        Session::Start => {
            let session = client.new_session();
            let reply = client.ask(Order::SessionStart { session })?;
            out.reply::<Value>(reply, |_, _| format!("{session}\n"))
        }
        Session::End { ended } => {
            let ended = named(ended.as_deref())?.or(client.session()).ok_or_else(nobody)?;
            let reply = client.ask(Order::SessionEnd { session: ended })?;
            out.reply::<SessionLine>(reply, show::session_ended)
        }
        Session::List => out.reply::<Sessions>(client.ask(Order::SessionList)?, show::sessions),
        Session::Show { shown } => {
            let shown = meant(client, shown.as_deref())?;
            let reply = client.ask(Order::SessionShow { session: Some(shown) })?;
            out.reply::<SessionShown>(reply, show::session)
        }
    }
}

pub(crate) fn promote(client: &mut Client, out: &Out, promote: Promote) -> Result<(), Fault> {
    let Promote { memories, to, tier } = promote;
    if let Some(tier) = tier {
        return super::life::set_tier(client, out, memories, tier);
    }
    if to == Scope::Team {
        return super::team::share(client, out, memories, Personal::default());
    }
    let session = Some(meant(client, None)?);
    let operation = client.new_operation();
    let order = Order::Promote(message::Promote { operation, session, to, memories });
    match client.change(order)? {
        Outcome::Done(reply) => out.reply::<Promoted>(reply, show::promoted),
        spooled => out.spooled(&spooled),
    }
}

pub(crate) fn reminders(client: &mut Client, out: &Out, what: Option<Reminders>) -> Result<(), Fault> {
    match what {
        None => out.reply::<RemindersListed>(client.ask(Order::Reminders)?, show::reminders),
        Some(Reminders::Dismiss { memories }) => {
            let operation = client.new_operation();
            out.outcome(client.change(Order::Forget { operation, memories, purge: false })?)
        }
    }
}

/// The session that is looked at: the one that is named, else the one this is
/// said in, else the one of the agent whose shell this is.
fn meant(client: &Client, name: Option<&str>) -> Result<SessionId, Fault> {
    if let Some(session) = named(name)?.or(client.session()) {
        return Ok(session);
    }
    named(around::agent_session().as_deref())?.ok_or_else(nobody)
}

fn named(name: Option<&str>) -> Result<Option<SessionId>, Fault> {
    name.map(crate::ask::session_named).transpose()
}

fn nobody() -> Fault {
    Fault::usage("no session was named")
        .hint("name it, or set ENGRAM_SESSION; `engram session list` shows those that are known")
}
