//! The pure heart of engram: its nouns, its laws, its planners and the
//! signatures of its ports.
//!
//! Nothing here reads a clock, a file or the environment, nothing is async and
//! nothing knows a database. Time and fresh identifiers arrive as arguments,
//! decisions leave as values.

pub mod advice;
pub mod ask;
pub mod audit;
pub mod authority;
pub mod budget;
pub mod change;
pub mod claim;
pub mod credit;
pub mod days;
pub mod decision;
pub mod describe;
pub mod dream;
pub mod drift;
pub mod erase;
pub mod evolve;
pub mod form;
pub mod gate;
pub mod graph;
pub mod id;
pub mod kind;
pub mod law;
pub mod learn;
pub mod link;
pub mod memory;
pub mod observe;
pub mod personal;
pub mod plan;
pub mod port;
pub mod present;
pub mod rank;
pub mod recalled;
pub mod reflect;
pub mod remind;
pub mod skill;
pub mod status;
pub mod stretch;
pub mod team;
pub mod turn;
pub mod unit;
pub mod used;
pub mod vector;
pub mod words;

/// For `words!`, which describes its words where the feature `schema` is on.
#[cfg(feature = "schema")]
#[doc(hidden)]
pub use schemars;

pub use change::{Actor, Cause, Changes, Operation, Standing, Upkeep, Write};
pub use id::{
    EntityId, IdMint, MemberId, MemoryId, OperationId, ProjectKey, RecallId, ReviewId, SessionId, TurnId,
};
pub use jiff::civil::Date;
pub use jiff::{SignedDuration as Span, Timestamp};
pub use kind::{Class, Kind, Mode, Scope, Tier};
pub use memory::{Memory, Provenance, Relation, RelationKind, Trace, Validity};
pub use status::{Status, StatusChange, StatusStep};
pub use ulid::Ulid;
pub use unit::{
    Activation, Arousal, Boost, Channel, Confidence, Cosine, Difficulty, Distance, Freshness, Importance,
    MeanUses, Merit, Retention, Share, Similarity, Stability, Storage, Strength, Surprise, Trust, Utility,
    Valence, Weight, WorkingScore,
};
pub use vector::{Codes, Packed, Precision, StoredVector};
