//! Whether somebody wants something kept, by their own words.
//!
//! "Remember that ..." at the front, "... unutma" at the end. What the rest
//! says is not looked at.

use crate::ask::speech::words_of;

/// How a sentence begins that asks for the rest of it to be kept; words that
/// are joined by a bar stand for each other.
#[rustfmt::skip]
const OPENINGS: &[&[&str]] = &[
    &["remember"], &["don't|dont|never", "forget"], &["do", "not", "forget"], &["keep|bear", "in", "mind"],
    &["make", "a", "note"], &["unutma|unutmayin|hatirla|hatirlayin"], &["aklinda|aklinizda", "tut|tutun"],
    &["not", "al|et|alin|edin"],
];
/// In Turkish the order is the last word.
const CLOSINGS: &[&str] = &["unutma", "unutmayin", "hatirla", "hatirlayin"];
/// What may stand before an opening.
const LEADS: &[&str] = &["please", "and", "also", "so", "ok", "lutfen", "bunu", "sunu", "ve", "ayrica"];

pub fn asks_to_be_kept(sentence: &str) -> bool {
    let words: Vec<String> = words_of(sentence).into_iter().map(|word| word.folded).collect();
    let lead = words.iter().take_while(|word| LEADS.contains(&word.as_str())).count();
    let rest = &words[lead..];
    let opens = |opening: &[&str]| {
        rest.len() > opening.len()
            && opening.iter().zip(rest).all(|(wanted, word)| wanted.split('|').any(|one| one == word))
    };
    OPENINGS.iter().any(|opening| opens(opening))
        || words.len() > 2 && words.last().is_some_and(|word| CLOSINGS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn somebody_asks_for_it_to_be_kept() {
        for text in [
            "Remember that the API listens on port 8080.",
            "Please remember: the API listens on port 8080.",
            "don't forget that the deploy needs the VPN",
            "Keep in mind that we deploy on Tuesdays.",
            "Unutma, API 8080 portunu dinliyor.",
            "Şunu hatırla: API 8080 portunu dinliyor.",
            "Bunu aklında tut: testler için Jest kullanıyoruz.",
            "API 8080 portunu dinliyor, bunu unutma.",
        ] {
            assert!(asks_to_be_kept(text), "{text}");
        }
        for text in [
            "As far as I remember the API listens on port 8080.",
            "The user keeps forgetting the VPN.",
            "We never forget to squash.",
            "Unutma",
            "API 8080 portunu dinliyor.",
        ] {
            assert!(!asks_to_be_kept(text), "{text}");
        }
    }
}
