//! The mood of a text: whether it is glad or not, by a lexicon of English.
//!
//! Read only where mood counts; nothing of it is kept.

use engram_core::Memory;
use std::sync::LazyLock;
use vader_sentiment::SentimentIntensityAnalyzer;

static LEXICON: LazyLock<SentimentIntensityAnalyzer<'static>> =
    LazyLock::new(SentimentIntensityAnalyzer::new);

/// A text nearer to the middle than this has no mood.
const CLEAR: f64 = 0.05;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    Glad,
    Sorry,
}

/// None: the text is in no mood.
pub(crate) fn mood_of(text: &str) -> Option<Mood> {
    match LEXICON.polarity_scores(text).get("compound").copied().unwrap_or(0.0) {
        glad if glad >= CLEAR => Some(Mood::Glad),
        sorry if sorry <= -CLEAR => Some(Mood::Sorry),
        _ => None,
    }
}

/// Whether a memory is in the mood of whoever asks.
pub(crate) fn shares(memory: &Memory, mood: Mood) -> bool {
    mood_of(&memory.content) == Some(mood)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gladness_and_its_opposite_are_told_apart_and_most_texts_have_neither() {
        assert_eq!(mood_of("I love the new release, great work!"), Some(Mood::Glad));
        assert_eq!(mood_of("this flaky test is horrible and I hate it"), Some(Mood::Sorry));
        assert_eq!(mood_of("the server listens on port 8080"), None);
    }
}
