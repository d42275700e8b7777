//! What each signal is worth. One table for every store.
//!
//! The values are those the evaluation supports (docs/evaluation.md); a signal
//! that was proposed and does not help stays in the table at zero.

use crate::words::words;

words! {
    /// Something that speaks for a memory.
    pub enum Signal ("signal") {
        /// It has the words of the question, beside the one that has most.
        Words = "words",
        /// Its direction stands out from all others, by the built-in table.
        Table = "table",
        /// The same, by the model that was chosen.
        Model = "model",
        /// It was said by the one person the question names.
        Speaker = "speaker",
        /// Whoever asks speaks of himself, and so did he here.
        OfSelf = "of_self",
        /// What was said just before it fits.
        Previous = "previous",
        /// The same, and it ended in a question.
        Answers = "answers",
        /// What was said just after it fits.
        Next = "next",
        /// It falls into the time the question names.
        Time = "time",
        /// It is recent, and this is a message and not a question.
        Recency = "recency",
        Activation = "activation",
        Importance = "importance",
        Utility = "utility",
        Freshness = "freshness",
        /// It was said in the session that asks.
        Episode = "episode",
        /// Its confidence is below three tenths.
        Doubt = "doubt",
    }
}

macro_rules! weights {
    ($( $(#[$meta:meta])* $name:ident = $default:literal ),+ $(,)?) => {
        /// How much each signal adds, at most, to a score that is about one at
        /// its best.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct Weights { $( $(#[$meta])* pub $name: f64 ),+ }

        impl Default for Weights {
            fn default() -> Self {
                Self { $( $name: $default ),+ }
            }
        }

        impl Weights {
            pub const NAMES: &'static [&'static str] = &[$( stringify!($name) ),+];

            /// Every signal at zero, to look at one alone.
            pub const NOTHING: Weights = Weights { relevance_share: 1.0, ..Weights { $( $name: 0.0 ),+ } };

            /// The weight of this name.
            pub fn named(&mut self, name: &str) -> Option<&mut f64> {
                match name {
                    $( stringify!($name) => Some(&mut self.$name), )+
                    _ => None,
                }
            }
        }
    };
}

weights! {
    /// Without a model.
    words = 0.5,
    table = 0.4,
    /// With one.
    words_beside_model = 0.4,
    table_beside_model = 0.3,
    model = 0.45,
    speaker = 0.35,
    of_self = 0.2,
    previous = 0.1,
    answers = 0.25,
    next = 0.05,
    time = 0.35,
    recency = 0.15,
    activation = 0.0,
    importance = 0.0,
    utility = 0.0,
    freshness = 0.0,
    episode = 0.0,
    doubt = -0.1,
    /// How much of a place in the answer is relevance; the rest is difference
    /// from what is already there. One: relevance alone.
    relevance_share = 1.0,
}

impl Weights {
    pub(super) fn of(&self, signal: Signal, with_model: bool) -> f64 {
        match signal {
            Signal::Words if with_model => self.words_beside_model,
            Signal::Table if with_model => self.table_beside_model,
            Signal::Words => self.words,
            Signal::Table => self.table,
            Signal::Model => self.model,
            Signal::Speaker => self.speaker,
            Signal::OfSelf => self.of_self,
            Signal::Previous => self.previous,
            Signal::Answers => self.answers,
            Signal::Next => self.next,
            Signal::Time => self.time,
            Signal::Recency => self.recency,
            Signal::Activation => self.activation,
            Signal::Importance => self.importance,
            Signal::Utility => self.utility,
            Signal::Freshness => self.freshness,
            Signal::Episode => self.episode,
            Signal::Doubt => self.doubt,
        }
    }
}
