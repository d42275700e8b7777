//! The laws. Each formula of the system exists once, here, as a pure function.

mod activation;
mod encoding;
mod floor;
mod promotion;
mod retention;
mod surprise;
mod tagging;
mod tier;
mod utility;
mod weigh;

pub use activation::{activation_at, freshness_at};
pub use encoding::{Channels, boost_of, encoding_importance};
pub use floor::{Floor, kept_at_least};
pub use promotion::{AT_ONCE, TO_PROJECT, discounted, worth_of};
pub use retention::{fades_at, retention_at, retention_of, strength_at};
pub use surprise::{NEIGHBOURS, is_redundant, surprise_of};
pub use tagging::{captured, captured_by, captures, is_tagged};
pub use tier::{is_hot, observed_tier, sub_tier_of};
pub use utility::utility_after;
pub use weigh::{Encoded, Weighed, channels_of, first_stability, is_flashbulb, weigh};
