//! What a new memory is tied to: the things it names, and the memories it
//! bears on.
//!
//! Things with a name are kept once (`entity`, `book`), under whatever
//! spelling they come (`alias`, `name`); edges between memories are drawn by
//! rules with a stated confidence (`relation`) and thinned out when there are
//! too many (`prune`). Everything here decides; how nouns are stored, and who
//! finds the neighbours, is not known here.

mod alias;
mod book;
mod cause;
mod entity;
mod name;
mod prune;
mod relation;

pub use alias::alias_pairs;
pub use book::EntityBook;
pub use entity::{EntityPlan, KnownEntity, Mention, Merge, Proposal, plan_entities};
pub use name::name_likeness;
pub use prune::{ENOUGH_EDGES, MOST_EDGES, plan_pruning};
pub use relation::{MOST_DRAWN, Neighbour, Newcomer, plan_relations};
