//! Does what waited in the spool while nobody listened: in order, once.

use crate::bus::Whose;
use crate::orders::{self, Speaker};
use crate::serve::Daemon;
use engram_wire::spool::Spool;
use engram_wire::{Fault, FaultKind, Request};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A line that can never be done is kept aside with the reason. One that
/// cannot be done now waits on, and so do the later ones from its folder; those
/// from elsewhere are done.
pub(crate) async fn drain(daemon: &Daemon) {
    let spool = Spool::new(daemon.house.home.spool_folder());
    let _turn = daemon.draining.lock().await;
    let lines = match spool.take() {
        Ok(lines) if lines.is_empty() => return say(daemon, None),
        Ok(lines) => lines,
        Err(error) => return say(daemon, Some(format!("it cannot be read: {error}"))),
    };
    let mut problem = None;
    let mut rest = Vec::new();
    let mut blocked: BTreeSet<Option<PathBuf>> = BTreeSet::new();
    for line in &lines {
        let (folder, outcome) = match serde_json::from_str::<Request>(line) {
            Ok(request) if blocked.contains(&request.context.folder) => {
                rest.push(line.clone());
                continue;
            }
            Ok(mut request) => {
                request.context.again = true;
                let folder = request.context.folder.clone();
                (folder, orders::obey(daemon, request, &Speaker::silent()).await.map(|_| ()))
            }
            Err(error) => (None, Err(Fault::usage(format!("not a request: {error}")))),
        };
        let Err(fault) = outcome else { continue };
        let in_the_way = match fault.kind {
            FaultKind::Environment => Some(fault.message),
            _ => spool.reject(line, &fault).err().map(|error| error.to_string()),
        };
        if let Some(found) = in_the_way {
            problem = Some(found);
            blocked.insert(folder);
            rest.push(line.clone());
        }
    }
    let count = lines.len() - rest.len();
    let settled = if rest.is_empty() { spool.done() } else { spool.keep(&rest) };
    if let Err(error) = settled {
        problem = Some(format!("what is done cannot be taken out: {error}"));
    }
    if count > 0 {
        tracing::info!("{count} lines of the spool are done");
    }
    say(daemon, problem);
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
