//! Waiting for the feed to grow.
//!
//! The server wakes whoever watches the head of its feed. A wake that never
//! comes costs a poll: a session that is over, or a connection that hangs, is
//! not told of otherwise.

use super::{FarTeam, explain_far};
use engram_core::team::port::FarError;
use futures_core::Stream as _;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;
use surrealdb::opt::Resource;
use surrealdb::types::RecordId;
use tokio::time::timeout;

impl FarTeam {
    pub(super) async fn wait_for_more(&self, patience: Duration) -> Result<(), FarError> {
        let over = poll_fn(|context| {
            let mut ends = self.ends.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            ends.as_mut().poll(context)
        });
        tokio::select! {
            () = over => Err(FarError::Expired),
            outcome = timeout(patience, self.until_more()) => outcome.unwrap_or(Ok(())),
        }
    }

    async fn until_more(&self) -> Result<(), FarError> {
        let head = Resource::RecordId(RecordId::new("head", "feed"));
        let mut wakes = self.patience.limit(self.db.select(head).live()).await?;
        // Looked at after the watch began, so that nothing falls between the two.
        let mut known = self.told();
        loop {
            let latest = self.read_head().await?.latest;
            if latest > *known.get_or_insert(latest) {
                return Ok(());
            }
            let wake = poll_fn(|context| Pin::new(&mut wakes).poll_next(context));
            match timeout(self.patience.poll, wake).await {
                Err(_) | Ok(Some(Ok(_))) => {}
                Ok(Some(Err(error))) => return Err(explain_far(&error)),
                Ok(None) => return Err(FarError::Unreachable("the connection ended".to_owned())),
            }
        }
    }
}
