//! What must not be stored as it came: secrets are masked and private blocks
//! are dropped.
//!
//! The crate is pure. It knows no file, no store and no clock, and it keeps
//! nothing between two calls but its compiled expressions, each of which is
//! made when it is first needed.

mod assignment;
mod block;
mod judge;
mod names;
mod private;
mod rules;
mod secrets;
mod tokens;
mod url;
mod view;

pub use secrets::MASK;

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
}

/// How often one rule found a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Masked {
    pub rule: String,
    pub count: usize,
}

/// Drops what is private and masks what is secret.
///
/// A second pass over its own answer masks nothing more.
pub fn guard(text: &str) -> Guarded {
    let (open, private) = private::dropped(text);
    let (masked, secrets) = secrets::masked(open);
    Guarded { text: masked, secrets, private }
}
