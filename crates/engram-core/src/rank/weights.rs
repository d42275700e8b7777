//! What each signal is worth. One table for every store; what was learned about
//! the arms of a search is put into it by `learn`.
//!
//! The values are those the evaluation supports (docs/evaluation.md); a signal
//! that was proposed and does not help stays in the table at zero.

use super::Field;
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
        /// It is among the latest, or the earliest, and that was asked for.
        Order = "order",
        /// It fits one of the questions that a longer one is made of.
        Part = "part",
        /// An edge leads to it from what fits, and a cause was asked for.
        Linked = "linked",
        /// Its places in the lists of the arms, by reciprocal rank.
        Places = "places",
        /// How alike it is, by the best embedder, whatever else there is.
        Likeness = "likeness",
        Activation = "activation",
        Importance = "importance",
        /// How it served, beside one half: what served badly loses by it.
        Utility = "utility",
        /// What is left of it by the rate at which its kind ages.
        Freshness = "freshness",
        /// It is of a kind that the intent is after.
        Kind = "kind",
        /// How many names of the question it has.
        Entity = "entity",
        /// It was said in the session that asks.
        Episode = "episode",
        /// Where it comes from: said by the user, a rule, a procedure.
        SubTier = "sub_tier",
        /// It is in the mood of whoever asks.
        Mood = "mood",
        /// It is of the few that prove useful all the time.
        Hot = "hot",
        /// It is challenged, or its confidence is below three tenths.
        Doubt = "doubt",
        /// It has faded and was put away.
        Archived = "archived",
        /// How much leads to it from the things that the question names.
        Graph = "graph",
        /// It was taken up three times or more beside one of the first.
        Together = "together",
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
    order = 0.15,
    part = 0.2,
    linked = 0.3,
    places = 0.0,
    likeness = 0.0,
    activation = 0.0,
    importance = 0.0,
    utility = 0.2,
    freshness = 0.0,
    kind = 0.0,
    entity = 0.0,
    episode = 0.0,
    sub_tier = 0.0,
    mood = 0.0,
    hot = 0.0,
    doubt = -0.1,
    archived = -0.01,
    graph = 0.0,
    together = 0.0,
    /// How far the question's direction is drawn towards statements that might
    /// answer it. Zero: not at all.
    expansion = 0.0,
    /// How far words and directions are weighed as the intent proposes. Zero:
    /// the same for every intent.
    intent = 0.0,
    /// How much of a place in the answer is relevance; the rest is difference
    /// from what is already there. One: relevance alone.
    relevance_share = 1.0,
}

impl Weights {
    pub(super) fn of(&self, signal: Signal, field: &Field) -> f64 {
        let with_model = field.with_model;
        let route = field.intent.route();
        // The shares of an intent add up to one; a half is what all have.
        let followed = |share: f64| 1.0 + self.intent * (2.0 * share - 1.0);
        let share = match signal {
            Signal::Words => followed(route.keyword),
            Signal::Table | Signal::Model => followed(route.vector),
            _ => 1.0,
        };
        share
            * match signal {
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
                Signal::Order => self.order,
                Signal::Part => self.part,
                Signal::Linked => self.linked,
                Signal::Places => self.places,
                Signal::Likeness => self.likeness,
                Signal::Activation => self.activation,
                Signal::Importance => self.importance,
                Signal::Utility => self.utility + self.intent * route.utility,
                Signal::Freshness => self.freshness,
                Signal::Kind => self.kind,
                Signal::Entity => self.entity,
                Signal::Episode => self.episode,
                Signal::SubTier => self.sub_tier,
                Signal::Mood => self.mood,
                Signal::Hot => self.hot,
                Signal::Doubt => self.doubt,
                Signal::Archived => self.archived,
                Signal::Graph => self.graph,
                Signal::Together => self.together,
            }
    }
}
