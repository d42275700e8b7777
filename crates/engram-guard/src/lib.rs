//! What must not be stored as it came: secrets are masked, private blocks are
//! dropped, instructions that hide in a text and what is personal are found.
//!
//! The crate is pure. It knows no file, no store and no clock, and it keeps
//! nothing between two calls but its compiled expressions, each of which is
//! made when it is first needed. What becomes of a text with instructions in
//! it is the caller's decision; `quoted` makes it safe to show.

mod assignment;
mod block;
mod instructions;
mod judge;
mod names;
mod personal;
mod private;
mod quoted;
mod rules;
mod secrets;
mod tokens;
mod url;
mod view;

pub use personal::{PERSONAL_MASK, Personal, personal, without_personal};
pub use quoted::quoted;
pub use secrets::MASK;

use std::ops::Range;

/// A text after the guard has seen it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guarded {
    /// The text without private blocks. In the place of each secret it says
    /// `[secret: <rule>]`, which tells neither the value nor its length.
    pub text: String,
    /// Which rules masked something, in the order of their names.
    pub secrets: Vec<Masked>,
    /// How many private blocks were dropped.
    pub private: usize,
    /// What in `text` reads like an instruction to an agent, in order. It is
    /// still there: such a text is to be stored as quoted data, and marked.
    pub instructions: Vec<Instruction>,
}

/// How often one rule found a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Masked {
    pub rule: String,
    pub count: usize,
}

/// One place that reads like an instruction to an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// In bytes of the guarded text.
    pub range: Range<usize>,
    /// What it looks like, in a few words.
    pub reason: &'static str,
}

/// Drops what is private, masks what is secret, finds what wants to be obeyed.
///
/// A second pass over its own answer masks nothing more.
pub fn guard(text: &str) -> Guarded {
    let (open, private) = private::dropped(text);
    let (masked, secrets) = secrets::masked(open);
    let instructions = instructions::found(&masked);
    Guarded { text: masked, secrets, private, instructions }
}
