//! Installing engram into other programs' files, and taking it out again.
//!
//! `agents` says what has to be where, `entry` and the two text editors put it
//! there without touching anything else, `plan` decides, `apply` does. `record`
//! remembers what was done, so that it can be undone exactly. `found` looks what
//! of it is still there, and `vitals` judges whether it lives.

pub(crate) mod agents;
pub(crate) mod apply;
mod entry;
mod files;
pub(crate) mod found;
mod json_room;
#[cfg(test)]
mod json_tests;
mod json_text;
pub(crate) mod lines;
pub(crate) mod places;
pub(crate) mod plan;
pub(crate) mod record;
#[cfg(test)]
mod toml_tests;
mod toml_text;
pub(crate) mod vitals;
