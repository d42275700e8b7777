//! Does what waited in the spool while nobody listened: in order, once.

use crate::orders::{self, Speaker};
use crate::serve::Daemon;
use engram_wire::spool::Spool;
use engram_wire::{Fault, FaultKind, Request};

/// A line that can never be done is kept aside with the reason. One that
/// cannot be done now stops the drain; it and what follows wait on.
pub(crate) async fn drain(daemon: &Daemon) {
    let spool = Spool::new(daemon.house.home.spool_folder());
    let _turn = daemon.draining.lock().await;
    let lines = match spool.take() {
        Ok(lines) if lines.is_empty() => return,
        Ok(lines) => lines,
        Err(error) => {
            tracing::warn!("the spool cannot be read: {error}");
            return;
        }
    };
    for (place, line) in lines.iter().enumerate() {
        let outcome = match serde_json::from_str::<Request>(line) {
            Ok(mut request) => {
                request.context.again = true;
                orders::obey(daemon, request, &Speaker::silent()).await.map(|_| ())
            }
            Err(error) => Err(Fault::usage(format!("not a request: {error}"))),
        };
        if let Err(fault) = outcome {
            let in_the_way = match fault.kind {
                FaultKind::Environment => Some(fault.message),
                _ => spool.reject(line, &fault).err().map(|error| error.to_string()),
            };
            if let Some(problem) = in_the_way {
                tracing::warn!("the spool waits: {problem}");
                if let Err(error) = spool.keep(&lines[place..]) {
                    tracing::warn!("the spool cannot be shortened: {error}");
                }
                return;
            }
        }
    }
    let count = lines.len();
    match spool.done() {
        Ok(()) => tracing::info!("{count} lines of the spool are done"),
        Err(error) => tracing::warn!("the spool cannot be cleared: {error}"),
    }
}
