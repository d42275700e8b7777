//! The Model Context Protocol server of engram: its tools, resources, prompts
//! and completions.
//!
//! The daemon hosts it. It is the only crate that knows the protocol and
//! `rmcp`; it knows no store, no clock and no environment. Whatever a client
//! asks becomes one `Order`, and the reply becomes a small shape that a model
//! can read.

mod catalogue;
mod everyday;
mod evolution;
mod http;
mod learning;
mod life;
mod lookback;
mod patience;
mod progress;
mod prompts;
mod resources;
mod schema;
mod server;
mod shown;
mod upkeep;

pub use engram_wire::desk::{Desk, Heard};
pub use engram_wire::message::{Context, Profile};
pub use http::http_service;

use patience::Patient;
use rmcp::ServiceExt;
use rmcp::service::{QuitReason, ServerInitializeError};
use server::Server;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};

/// Why a conversation ended other than by the client's going away.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("the client's first words were not those of the Model Context Protocol: {0}")]
    Greeting(String),
    #[error("the conversation broke off: {0}")]
    Broken(String),
}

/// Serves one client over a byte stream, a message in each line, until it goes
/// away. `context` says where the client works and on whose behalf.
pub async fn serve(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    desk: Arc<dyn Desk>,
    context: Context,
    profile: Profile,
) -> Result<(), ServeError> {
    let running = match Server::new(desk, context, profile).serve(Patient::new(stream)).await {
        Ok(running) => running,
        // A client that looks in and leaves has done nothing wrong, be it before
        // its answer or after.
        Err(
            ServerInitializeError::ConnectionClosed(_)
            | ServerInitializeError::TransportError { .. }
            | ServerInitializeError::Cancelled,
        ) => return Ok(()),
        Err(error) => return Err(ServeError::Greeting(error.to_string())),
    };
    match running.waiting().await {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(ServeError::Broken(error.to_string())),
        Ok(_) => Ok(()),
    }
}
