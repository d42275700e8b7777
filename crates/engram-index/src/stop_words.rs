//! Words that carry grammar or manners rather than meaning, in English and
//! Turkish.
//!
//! Documents keep them; a query drops them unless it has nothing else. All are
//! written folded (`icin`, not `için`), as they are compared.

/// In byte order, for binary search.
const STOP_WORDS: &[&str] = &[
    "a", "about", "acaba", "again", "all", "also", "am", "ama", "an", "and", "any", "are", "as", "at",
    "bana", "bazi", "be", "because", "been", "being", "ben", "beni", "bir", "biz", "bu", "bunu", "but", "by",
    "can", "could", "cunku", "d", "da", "daha", "de", "defa", "degil", "did", "diye", "do", "does", "doesn",
    "don", "during", "each", "eger", "en", "few", "for", "from", "further", "gibi", "had", "hangi", "has",
    "have", "he", "hem", "hep", "her", "here", "hers", "him", "his", "how", "i", "icin", "if", "ile", "im",
    "in", "into", "is", "ise", "isn", "it", "its", "ive", "just", "kadar", "ki", "kim", "kindly", "let",
    "ll", "lutfen", "m", "may", "me", "mi", "might", "mine", "more", "most", "mu", "much", "must", "my",
    "nasil", "ne", "neden", "nerede", "niye", "no", "nor", "not", "now", "o", "of", "olan", "olarak", "on",
    "once", "only", "onu", "or", "other", "our", "ours", "out", "over", "own", "please", "re", "s", "same",
    "sen", "she", "should", "siz", "so", "some", "sonra", "su", "such", "t", "than", "thank", "thanks",
    "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "through", "to",
    "too", "under", "until", "up", "ve", "very", "veya", "was", "we", "were", "what", "when", "where",
    "which", "while", "who", "whom", "why", "will", "with", "would", "ya", "yani", "you", "your", "yours",
];

/// Turkish function words that are no English words. One of them is enough to
/// read a text as Turkish even when it is typed without Turkish letters.
const TURKISH_ONLY: &[&str] = &[
    "bir", "degil", "gibi", "hangi", "icin", "ile", "kadar", "nasil", "neden", "nerede", "olan", "olarak",
    "sonra", "ve", "veya",
];

/// Letters of the longest one; most words are ruled out by their length.
const LONGEST: usize = 7;

/// Whether a word, in small letters, says nothing of its own.
pub fn is_stop_word(folded: &str) -> bool {
    folded.len() <= LONGEST && STOP_WORDS.binary_search(&folded).is_ok()
}

/// Takes a word as it is written.
pub(crate) fn is_turkish_only(word: &str) -> bool {
    TURKISH_ONLY.iter().any(|known| known.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_order_and_has_the_turkish_words() {
        assert!(STOP_WORDS.is_sorted(), "{:?}", STOP_WORDS.windows(2).find(|pair| pair[0] > pair[1]));
        assert_eq!(STOP_WORDS.iter().map(|word| word.len()).max(), Some(LONGEST));
        assert!(TURKISH_ONLY.iter().all(|word| is_stop_word(word)));
    }
}
