//! The Model Context Protocol in the house: over the socket, where `engram mcp`
//! passes on what an agent says, and the desk that carries out what is asked over
//! HTTP.

use crate::clock::now;
use crate::serve::{Daemon, outcome, set_to_work};
use engram_core::port::Pending;
use engram_core::{IdMint, OperationId, Timestamp};
use engram_mcp::{Desk, Heard};
use engram_wire::message::Profile;
use engram_wire::platform::chance;
use engram_wire::{Answer, Context, Fault, Request};
use serde_json::Value;
use std::sync::{Arc, Mutex};
use tokio::net::UnixStream;

/// Carries out what models, and whoever looks through the window, ask for, as the
/// daemon does for everybody.
pub(crate) struct DaemonDesk {
    pub(crate) daemon: Arc<Daemon>,
    mint: Mutex<IdMint>,
    /// The process of the agent, whose session may be another one by now.
    agent: Option<u32>,
}

impl DaemonDesk {
    pub(crate) fn new(daemon: &Arc<Daemon>, agent: Option<u32>) -> Self {
        Self { daemon: daemon.clone(), mint: Mutex::new(IdMint::seeded(chance())), agent }
    }
}

impl Desk for DaemonDesk {
    fn obey(&self, mut request: Request, heard: Heard) -> Pending<'_, Result<Value, Fault>> {
        Box::pin(async move {
            let now_in = self.agent.and_then(|process| self.daemon.house.session_of_process(process));
            request.context.session = now_in.or(request.context.session);
            let verb = request.order.verb();
            let (mut spoken, work) = set_to_work(&self.daemon, request).await;
            while let Some(between) = spoken.recv().await {
                if let Answer::Progress(progress) = between {
                    heard(progress);
                }
            }
            outcome(&self.daemon, verb, work).await
        })
    }

    fn operation(&self) -> OperationId {
        let mut mint = self.mint.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        OperationId::from_ulid(mint.mint(now()))
    }

    fn now(&self) -> Timestamp {
        now()
    }
}

/// Speaks the protocol on a connection of the socket until the agent goes away.
pub(crate) async fn speak(
    daemon: &Arc<Daemon>,
    stream: UnixStream,
    context: Context,
    profile: Profile,
    agent: Option<u32>,
) {
    let desk = Arc::new(DaemonDesk::new(daemon, agent));
    if let Err(error) = engram_mcp::serve(stream, desk, context, profile).await {
        tracing::info!("a conversation with a model broke off: {error}");
    }
}
