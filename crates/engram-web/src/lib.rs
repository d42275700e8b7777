//! The window of engram: what a page in a browser, or a program of this machine,
//! may ask over HTTP.
//!
//! The daemon hosts it. Whatever is asked becomes one `Order`, and the reply is
//! the JSON that the client prints with `--json`. This crate knows no store, no
//! engine, no clock and no environment; whoever stands behind `Window` does.

mod answer;
mod asked;
mod bundle;
mod door;
mod openapi;
mod problem;
mod routes;
mod stream;

pub use door::{Hosts, Keys, Mode};

use axum::Router;
use door::Door;
use engram_core::port::Pending;
use engram_core::{OperationId, ProjectKey, Timestamp};
use engram_wire::activity::Activity;
use engram_wire::desk::Desk;
use engram_wire::{Fault, Request};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::broadcast;

/// Whoever is behind the window: the daemon, or a fake in tests.
pub trait Window: Desk {
    /// Where a project is. None: nobody ever worked in one of that key.
    fn folder_of(&self, project: &ProjectKey) -> Pending<'_, Result<Option<PathBuf>, Fault>>;

    /// What went on after this event, as far as it is known, and what comes.
    fn listen(&self, after: Option<u64>) -> Listener;

    /// Where the daemon lives, and since when.
    fn home(&self) -> (PathBuf, Timestamp);

    /// Somebody is looking: the daemon stays awake.
    fn looked_at(&self);

    /// Begins what may take long, and waits for it only for a moment.
    fn begin(&self, request: Request) -> Pending<'_, Begun>;

    /// What a ticket opens, once.
    fn redeem(&self, ticket: &str) -> Option<Mode>;

    /// Where a backup that is made now is to be written.
    fn backup_file(&self) -> PathBuf;
}

/// What somebody hears who listens to what goes on.
pub struct Listener {
    /// The oldest first.
    pub past: Vec<Arc<Activity>>,
    pub coming: broadcast::Receiver<Arc<Activity>>,
}

/// What became of something that may take long.
pub enum Begun {
    Done(Result<Value, Fault>),
    /// It goes on; what goes on is told as activity under this name.
    Going(OperationId),
}

/// The whole window, for whoever has a key and comes from this machine.
pub fn window(desk: Arc<dyn Window>, keys: Keys, hosts: Hosts) -> Router {
    let door = Arc::new(Door { keys, hosts });
    let router = routes::router(desk, door.clone()).merge(bundle::router());
    door::guarded(router.fallback(routes::unknown), door)
}
