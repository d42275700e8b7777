//! The only crate that knows SurrealDB: schema, migrations, rows and one
//! commit door.
//!
//! Everything that leaves here is a noun of `engram-core`. It reads no clock
//! and no environment; it does not know the index, the daemon or the wire.

mod database;
mod door;
mod dreamt;
mod erase;
mod evolved;
mod far;
mod heard;
mod hearing;
mod home;
mod inside;
mod migrate;
mod open;
mod recalls;
mod registry;
mod replica;
mod row;
mod served;
mod used;

#[doc(hidden)]
pub use far::connect::NEAR_OPERATOR;
pub use far::connect::{TeamAddress, certificates};
pub use far::sign::{Newcomer, hash_of, rotate, sign_up};
pub use far::{FarTeam, Patience};
pub use home::StoreHome;
pub use open::{Access, Location, OpenError, SurrealStore};
pub use registry::{ProjectEntry, ProjectSeen, SessionEntry, SessionStatus, WeightProfile};
#[doc(hidden)]
pub use served::RawSession;
pub use served::{Founding, Operator, create_team, invite_maintainer, switch_search, upgrade_team};
