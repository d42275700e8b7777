//! Who carries out orders for somebody that does not speak over the socket: a
//! model, or a page in a browser.
//!
//! Both are served by crates that know neither a store nor a clock nor chance;
//! whoever stands behind the desk brings them.

use crate::fault::Fault;
use crate::message::Request;
use crate::reply::Progress;
use engram_core::port::Pending;
use engram_core::{OperationId, Timestamp};

/// Hears how far an order has come.
pub type Heard = Box<dyn Fn(Progress) + Send + Sync>;

/// Whoever carries out orders: the daemon, or a fake in tests.
pub trait Desk: Send + Sync + 'static {
    /// Carries out one order; the reply is the JSON of its type in `reply` and
    /// the modules beside it. Progress is told through `heard` while it lasts.
    fn obey(&self, request: Request, heard: Heard) -> Pending<'_, Result<serde_json::Value, Fault>>;

    /// A fresh identifier for an operation; those who ask have no chance of
    /// their own.
    fn operation(&self) -> OperationId;

    /// The time now; those who ask have no clock.
    fn now(&self) -> Timestamp;
}
