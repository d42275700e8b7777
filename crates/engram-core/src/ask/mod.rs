//! What a message asks, before anything is looked up.
//!
//! Everything here reads the words of one message and nothing else: no store,
//! no index, no model. The readings are guesses by word lists in English and
//! Turkish; they are cheap, the same every time, and printed with the answer.

mod expand;
pub(crate) mod gate;
mod intent;
mod parts;
pub(crate) mod speech;
pub mod when;

pub use expand::expansions_of;
pub use gate::{MACHINE_OPENINGS, MACHINE_TAGS, Trivial, trivial_of};
pub use intent::{Intent, QueryType, Route, Walk, intent_of, query_type_of};
pub use parts::parts_of;
pub use speech::telling;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read_all(message: &str) {
        trivial_of(message);
        query_type_of(message);
        for speaks_of_time in [false, true] {
            intent_of(message, speaks_of_time).route();
        }
        let parts = parts_of(message);
        assert!(parts.len() <= 4 && parts.iter().all(|part| !part.trim().is_empty()), "{parts:?}");
        let expansions = expansions_of(message);
        assert!(expansions.len() <= 3, "{expansions:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_string_can_be_read(message in any::<String>()) {
            read_all(&message);
        }

        /// Strings by chance hardly ever hold a cue, so these are made of them.
        #[test]
        fn any_mix_of_cues_can_be_read(
            pieces in proptest::collection::vec(
                proptest::sample::select(vec![
                    "where", "is", "how do I", " and ", "and also", "as well as", ";", "? ", "?", ". ",
                    "\n", "```", "`", "it", "redis", "İstanbul", "ı", "i\u{307}", "ve ayrıca", " bir de ",
                    "nerede", "mi", "neden", "<system-reminder>", "</system-reminder>", "/", "/help", "'",
                    "’", "🙂", "heyyy", "tamam", "_", "between", "what", "which", " ", "\u{307}", "ß", "ﬁ",
                    "E0277", "main.rs", "$", "^", "*",
                ]),
                0..30,
            ),
            gap in proptest::sample::select(vec!["", " "]),
        ) {
            read_all(&pieces.join(gap));
        }
    }
}
