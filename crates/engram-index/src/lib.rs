//! Text and vectors of one store, in memory: which memories match a query, and
//! which are nearest to a vector.
//!
//! The index is derived: it is built from the store's memories and follows
//! every commit, and it never keeps the text itself. It knows no store, no
//! clock and no embedder, and it does no IO. What a match is worth beside other
//! signals is decided elsewhere.

mod analysis;
mod best;
mod entry;
mod fold;
mod index;
mod pruned;
mod query;
mod stop_words;
mod text;
mod vectors;

pub use entry::{Entry, Filter, When};
pub use index::{Difference, Index, Nearest, Scores, TextHit, VectorHit};
pub use query::{Query, Statistics};
pub use stop_words::is_stop_word;
pub use text::TermScore;
pub use vectors::{Spread, VectorError};
