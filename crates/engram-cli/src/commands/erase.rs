//! Erasing: shown first, asked, done, proved.

use super::transfer::absolute;
use crate::args;
use crate::ask::Client;
use crate::out::{self, Out};
use crate::show;
use engram_core::erase::Subject;
use engram_wire::erasure::Erased;
use engram_wire::message::Erase;
use engram_wire::{Fault, Order};
use std::path::Path;

/// Exit code 1 says that something is left.
pub(super) fn run(client: &Client, out: &Out, args: args::Erase) -> Result<u8, Fault> {
    let args::Erase { subject, mentions, dry_run, yes, identity } = args;
    if mentions && matches!(subject, Subject::Project(_)) {
        return Err(Fault::usage("--mentions goes with a person").hint("all of a project goes anyway"));
    }
    let identity = identity.as_deref().map(absolute).transpose()?;
    let order = Erase { subject: located(subject)?, mentions, dry_run, identity };
    if !yes && !dry_run {
        let looked = client.ask(Order::Erase(Erase { dry_run: true, ..order.clone() }))?;
        let found: Erased = out::understood(looked.clone())?;
        // An old copy may have what no store has any more.
        if found.is_nothing() && found.copies == 0 && found.left.is_empty() {
            out.reply::<Erased>(looked, show::erased)?;
            return Ok(0);
        }
        out::confirm(&show::erased(&found, &out.look), "Erase all this? It cannot be undone.")?;
    }
    let reply = client.ask(Order::Erase(order))?;
    let done: Erased = out::understood(reply.clone())?;
    out.reply::<Erased>(reply, show::erased)?;
    Ok(u8::from(!done.dry_run && !done.left.is_empty()))
}

/// A folder is meant as it is seen from here.
fn located(subject: Subject) -> Result<Subject, Fault> {
    match subject {
        Subject::Project(name) if Path::new(&name).exists() => {
            Ok(Subject::Project(absolute(Path::new(&name))?.display().to_string()))
        }
        subject => Ok(subject),
    }
}
