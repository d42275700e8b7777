//! The only crate that knows SurrealDB: schema, migrations, rows and one
//! commit door.
//!
//! Everything that leaves here is a noun of `engram-core`. It reads no clock
//! and no environment; it does not know the index, the daemon or the wire.

mod door;
mod dreamt;
mod evolved;
mod heard;
mod hearing;
mod home;
mod migrate;
mod open;
mod recalls;
mod registry;
mod row;
mod used;

pub use home::StoreHome;
pub use open::{Access, Location, OpenError, SurrealStore};
pub use registry::{ProjectEntry, ProjectSeen, SessionEntry, SessionStatus, WeightProfile};
