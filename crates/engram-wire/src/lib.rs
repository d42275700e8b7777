//! What the two processes agree on: messages, frames, version, paths,
//! configuration, the spool, and the client's side of the socket.
//!
//! It reads no clock and no environment; the binaries hand both in. It knows
//! no store and no index.

pub mod activity;
pub mod client;
pub mod config;
pub mod copies;
pub mod desk;
pub mod erasure;
pub mod evolution;
mod fault;
pub mod frame;
pub mod governance;
pub mod home;
pub mod life;
pub mod message;
pub mod platform;
pub mod project;
pub mod reply;
pub mod spool;
pub mod team;
pub mod token;
pub mod window;

pub use fault::{Fault, FaultKind};
pub use home::Home;
pub use message::{Context, Hello, Order, Request, Welcome};
pub use reply::Answer;

/// Changes when the messages do. Two programs of one protocol understand each
/// other, whatever their versions.
pub const PROTOCOL: u32 = 1;

/// The version of this build.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
