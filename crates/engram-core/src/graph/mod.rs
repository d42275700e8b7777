//! The knowledge graph: things with a name, how they are tied, and what can be
//! told and found by their ties.
//!
//! Things and what mentions them are kept by `link`; here are the ties between
//! things (`bond`), how a text tells of them (`said`), how a graph is thinned
//! out (`prune`), walked (`walk`, `tree`), told (`card`, `dot`), and searched
//! for what nobody has seen yet (`bridge`, `conflict`). Everything here
//! decides; how nouns are stored is not known here.

mod bond;
mod bridge;
mod card;
mod conflict;
mod dot;
mod prune;
mod said;
mod tree;
mod walk;

#[cfg(test)]
mod trial;

pub use bond::{Bond, BondKey, BondKind, MOST_EVIDENCE, contradictions, strengthened};
pub use bridge::{Bridge, Surroundings, bridges};
pub use card::{Card, MOST_CARD_CHARS, card_of, description_of};
pub use conflict::{Conflict, contradicting_values};
pub use dot::to_dot;
pub use prune::{GraphPruning, plan_graph_pruning};
pub use said::{MOST_SAID, Named, bonds_in};
pub use tree::{Tree, hub_of, neighbours};
pub use walk::{Graph, page_rank};
