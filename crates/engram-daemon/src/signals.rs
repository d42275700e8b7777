//! Signals, heard on a thread of their own: whatever keeps the others busy, a
//! daemon that is told to end ends.

use anyhow::{Context as _, Result};
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

/// A daemon that has not ended by itself after so long is ended. What was
/// acknowledged is on the disk by then.
const PATIENCE: Duration = Duration::from_secs(5);

/// Hears SIGTERM and SIGINT and passes on why to end.
pub(crate) fn listen() -> Result<mpsc::Receiver<&'static str>> {
    let (tell, told) = mpsc::channel(1);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("preparing to listen for signals")?;
    let (mut terminate, mut interrupt) = runtime.block_on(async {
        let terminate = signal(SignalKind::terminate()).context("listening for signals")?;
        let interrupt = signal(SignalKind::interrupt()).context("listening for signals")?;
        anyhow::Ok((terminate, interrupt))
    })?;
    let wait = move || {
        runtime.block_on(async {
            let reason = tokio::select! {
                _ = terminate.recv() => "it was told to end",
                _ = interrupt.recv() => "it was interrupted",
            };
            let _ = tell.send(reason).await;
            tokio::time::sleep(PATIENCE).await;
        });
        tracing::warn!("engramd did not end in good order and is ended");
        std::process::exit(1);
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).context("listening for signals")?;
    Ok(told)
}
