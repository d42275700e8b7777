//! A store in plain maps behind the `Store` port: what a session keeps while it lasts,
//! and what the engine is tested on.
//!
//! It keeps the same contract as the database and knows nothing of it. It touches no
//! disk: that a session outlives the daemon is its journal's business.

mod maps;
mod recalled;
mod store;

pub use store::MapStore;
