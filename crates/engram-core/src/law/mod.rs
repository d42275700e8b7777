//! The laws. Each formula of the system exists once, here, as a pure function.

mod activation;
mod retention;
mod tier;

pub use activation::{activation_at, freshness_at};
pub use retention::{fades_at, retention_at, retention_of, strength_at};
pub use tier::{is_hot, sub_tier_of};
