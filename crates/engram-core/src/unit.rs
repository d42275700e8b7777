//! Numbers that carry their meaning and their range.
//!
//! No public signature of this crate takes a bare `f64` where a value has a
//! name. A reading outside the range is refused at the door (`new`); a computed
//! one is brought back into it (`clamped`).

/// A number outside its range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{what} must be between {low} and {high}, not {found}")]
pub struct OutOfRange {
    pub what: &'static str,
    pub low: f64,
    pub high: f64,
    pub found: f64,
}

macro_rules! ranged {
    ($(#[$meta:meta])* $name:ident, $what:literal, $low:expr, $high:expr) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(try_from = "f64", into = "f64")]
        pub struct $name(f64);

        // What is not a number is refused at both doors, so that any two
        // values can be put in order.
        impl Eq for $name {}

        impl Ord for $name {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                self.0.partial_cmp(&other.0).unwrap_or(std::cmp::Ordering::Equal)
            }
        }

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl $name {
            pub fn new(value: f64) -> Result<Self, OutOfRange> {
                if ($low..=$high).contains(&value) {
                    Ok(Self(value))
                } else {
                    Err(OutOfRange { what: $what, low: $low, high: $high, found: value })
                }
            }

            /// For computed values: what falls outside is brought to the edge,
            /// and what is not a number to the low one.
            pub fn clamped(value: f64) -> Self {
                Self(if value.is_nan() { $low } else { value.clamp($low, $high) })
            }

            pub const fn get(self) -> f64 {
                self.0
            }
        }

        impl TryFrom<f64> for $name {
            type Error = OutOfRange;
            fn try_from(value: f64) -> Result<Self, Self::Error> {
                Self::new(value)
            }
        }

        impl From<$name> for f64 {
            fn from(value: $name) -> f64 {
                value.0
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "number", "minimum": $low, "maximum": $high })
            }
        }
    };
}

ranged!(/// How much a memory matters, before time is considered.
    Importance, "importance", 0.0, 1.0);
ranged!(/// How sure we are that it is true. Only evidence moves it.
    Confidence, "confidence", 0.0, 1.0);
ranged!(/// How useful it proved, from outcomes; starts at one half.
    Utility, "utility", 0.0, 1.0);
ranged!(/// How reachable it is now.
    Retention, "retention", 0.0, 1.0);
ranged!(/// How readily it comes to mind: often and lately used first.
    Activation, "activation", 0.0, 1.0);
ranged!(/// What its kind has left of its weight with the days.
    Freshness, "freshness", 0.0, 1.0);
ranged!(/// Importance x confidence x retention.
    Strength, "strength", 0.0, 1.0);
ranged!(/// How much the source is to be believed: human 1.0, assistant 0.7, ingest 0.5.
    Trust, "trust", 0.0, 1.0);
ranged!(/// Likeness on the calibrated scale that every threshold speaks of.
    Similarity, "similarity", 0.0, 1.0);
ranged!(/// How new a text is beside what is kept already.
    Surprise, "surprise", 0.0, 1.0);
ranged!(/// One of the four things that make a new memory matter.
    Channel, "channel", 0.0, 1.0);
ranged!(/// What the channels' sum is multiplied by.
    Boost, "boost", 0.7, 1.3);
ranged!(/// How glad a text is: below zero it is not.
    Valence, "valence", -1.0, 1.0);
ranged!(/// How stirred a text is, gladly or not.
    Arousal, "arousal", 0.0, 1.0);
ranged!(/// How much one thing speaks for a kept memory.
    Merit, "merit", 0.0, 1.0);
ranged!(/// How much of a sum one part makes.
    Share, "share", 0.0, 1.0);
ranged!(/// How often the memories of a store are used, on average.
    MeanUses, "mean of uses", 0.0, 4_294_967_295.0);
ranged!(/// How firmly a memory holds its place in working memory.
    WorkingScore, "working score", 0.0, f64::MAX);
ranged!(/// The cosine of the angle between two directions.
    Cosine, "cosine", -1.0, 1.0);
ranged!(/// How far apart two directions are, each with its own precision.
    Distance, "distance", 0.0, f64::MAX);
ranged!(/// How firmly a bond ties two things; grows with the memories that say so.
    Weight, "weight", 0.0, 1.0);
ranged!(/// Days after which retention has fallen to 0.9.
    Stability, "stability", 0.001, 36_500.0);
ranged!(/// How hard a memory is to keep: the harder, the less it gains by use.
    Difficulty, "difficulty", 1.0, 10.0);
ranged!(/// How deeply it is stored, whatever is reachable of it now.
    Storage, "storage", 1.0, 10.0);

impl Trust {
    pub const HUMAN: Trust = Trust(1.0);
    pub const ASSISTANT: Trust = Trust(0.7);
    pub const INGEST: Trust = Trust(0.5);
}

impl Importance {
    pub const DEFAULT: Importance = Importance(0.5);
}

impl Confidence {
    pub const DEFAULT: Confidence = Confidence(0.7);
    /// Of what was done on purpose rather than guessed.
    pub const CERTAIN: Confidence = Confidence(1.0);
}

impl Weight {
    pub const DEFAULT: Weight = Weight(0.5);
}

impl Utility {
    pub const DEFAULT: Utility = Utility(0.5);
}

impl Retention {
    /// Nothing has faded.
    pub const FULL: Retention = Retention(1.0);
}

impl Stability {
    /// FSRS-6's published first stability for a memory that was met and
    /// understood (its third weight), in days.
    pub const FIRST: Stability = Stability(2.3065);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_outside_the_range_is_refused_and_a_computed_one_is_clamped() {
        assert!(Importance::new(1.2).is_err());
        assert!(Importance::new(f64::NAN).is_err());
        assert_eq!(Importance::clamped(1.2).get(), 1.0);
        assert_eq!(Retention::clamped(f64::NAN).get(), 0.0);
    }

    #[test]
    fn any_two_values_can_be_put_in_order() {
        let mut values = [0.7, 0.0, 1.0, -0.0, f64::NAN].map(Confidence::clamped);
        values.sort();
        assert_eq!(values.map(Confidence::get), [0.0, 0.0, 0.0, 0.7, 1.0]);
    }
}
