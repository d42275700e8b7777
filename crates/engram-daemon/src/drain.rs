//! Does what waited in the spool while nobody listened: in order, once.

use crate::bus::Whose;
use crate::clock::now;
use crate::load::is_for_want_of_room;
use crate::orders::{self, Speaker};
use crate::serve::Daemon;
use engram_core::Span;
use engram_wire::spool::Spool;
use engram_wire::{Fault, FaultKind, Request};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// After so long a pass ends with the line it is at: the house is looked after in
/// between, and what is done is taken out.
const PASS: Span = Span::from_secs(2);

/// A line that can never be done is kept aside with the reason. One that
/// cannot be done now waits on, and so do the later ones from its folder; those
/// from elsewhere are done. No more events are taken in than there is room for:
/// the others wait for the next round. True: there was no time for all of them.
pub(crate) async fn drain(daemon: &Daemon) -> bool {
    let spool = Spool::new(daemon.house.home.spool_folder());
    let _turn = daemon.draining.lock().await;
    let lines = match spool.take() {
        Ok(lines) if lines.is_empty() => {
            say(daemon, None);
            return false;
        }
        Ok(lines) => lines,
        Err(error) => {
            say(daemon, Some(format!("it cannot be read: {error}")));
            return false;
        }
    };
    let until = now() + PASS;
    let mut problem = None;
    let mut rest = Vec::new();
    let mut blocked: BTreeSet<Option<PathBuf>> = BTreeSet::new();
    let mut looked_at = 0;
    for line in &lines {
        // Each pass gets on, however long what cannot be done takes to fail.
        if looked_at > rest.len() && now() >= until {
            break;
        }
        looked_at += 1;
        let (context, outcome) = match serde_json::from_str::<Request>(line) {
            Ok(request) if blocked.contains(&request.context.folder) => {
                rest.push(line.clone());
                continue;
            }
            Ok(mut request) => {
                request.context.again = true;
                let context = request.context.clone();
                let outcome = match daemon.house.room_at(&context) {
                    Ok(()) => orders::obey(daemon, request, &Speaker::silent()).await.map(|_| ()),
                    Err(fault) => Err(fault),
                };
                (Some(context), outcome)
            }
            Err(error) => (None, Err(Fault::usage(format!("not a request: {error}")))),
        };
        let Err(fault) = outcome else { continue };
        let folder = context.as_ref().and_then(|context| context.folder.clone());
        let in_the_way = match fault.kind {
            FaultKind::Environment => Some(fault.message),
            // That passes by itself, and nobody has to look for its cause.
            FaultKind::Busy => {
                blocked.insert(folder);
                rest.push(line.clone());
                continue;
            }
            // It has its place as soon as somebody made room.
            FaultKind::Refused if is_for_want_of_room(&fault) => Some(fault.message),
            _ => spool.reject(line, &fault).err().map(|error| error.to_string()),
        };
        if let Some(found) = in_the_way {
            problem = Some(found);
            blocked.insert(folder);
            rest.push(line.clone());
        }
    }
    let count = looked_at - rest.len();
    rest.extend_from_slice(&lines[looked_at..]);
    let settled = match rest.len() {
        0 => spool.done(),
        // Nothing was done, so what was taken stands there as it should.
        all if all == lines.len() => Ok(()),
        _ => spool.keep(&rest),
    };
    if let Err(error) = settled {
        problem = Some(format!("what is done cannot be taken out: {error}"));
    }
    if count > 0 {
        tracing::info!("{count} lines of the spool are done");
    }
    say(daemon, problem);
    looked_at < lines.len()
}

/// A problem that stays is said once, not twice a second.
fn say(daemon: &Daemon, problem: Option<String>) {
    let mut known = daemon.in_the_way.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(problem) = &problem
        && known.as_ref() != Some(problem)
    {
        tracing::warn!("the spool waits: {problem}");
        daemon.house.bus.fail(Whose::default(), "reading the spool", problem);
    }
    *known = problem;
}
