//! The commands about sessions.

use crate::args::Session;
use crate::ask::Client;
use crate::out::Out;
use crate::show;
use engram_wire::reply::Sessions;
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
            let ended = ended.or(client.session()).ok_or_else(|| {
                Fault::usage("no session was named").hint("`engram session list` shows those that are open")
            })?;
            let reply = client.ask(Order::SessionEnd { session: ended })?;
            out.reply::<Value>(reply, |_, _| format!("Session {ended} has ended.\n"))
        }
        Session::List => out.reply::<Sessions>(client.ask(Order::SessionList)?, show::sessions),
    }
}
