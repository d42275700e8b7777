//! The pipelines: how something is remembered, recalled, changed, taken back
//! and moved in and out.
//!
//! Async, and through ports only: the engine knows no database, no socket and
//! no clock. A `Shelf` is one open store together with its index; every change
//! to it goes through `Shelf::change`.

mod adviser;
mod capture;
mod credit;
mod dream;
mod embedders;
mod evidence;
mod evolve;
mod filling;
mod gather;
mod learned;
mod links;
mod locks;
mod mood;
mod names;
mod outline;
mod read;
mod recall;
mod shelf;
mod team;
mod transfer;
mod undo;

pub use adviser::Adviser;
pub use capture::{Ascent, Candidate, GuardedEvent, Heard, Read, Reader, Stated, guarded};
pub use credit::Rareness;
pub use dream::{Dreaming, Over, PlannedDream};
pub use embedders::Embedders;
pub use evolve::EvolveError;
pub use filling::Filling;
pub use recall::{Answer, Ask, FoundOn, recall};
pub use shelf::{ChangeError, SHORTEST_NAME, Shelf};
pub use team::{FoundThere, Pulled, Pushed, Seat, SyncError, question_for, searchable};
pub use transfer::{Arrivals, BadLine, export_page, import, parse_lines};
pub use undo::Undoing;
