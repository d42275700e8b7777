//! The mood of a message: how glad, how stirred, and which of six feelings.
//!
//! The words are in `lexicon`; here is how they add up. Negation turns a word
//! round, a word of degree strengthens it, what follows a "but" counts more
//! than what was before it, and code is not read at all.

use super::lexicon::{Tone, tone_of};
use crate::ask::speech::{Word, words_of};
use crate::unit::{Arousal, Valence};
use crate::words::words;
use serde::{Deserialize, Serialize};

words! {
    /// The six basic feelings.
    pub enum Feeling ("feeling") {
        Joy = "joy",
        Anger = "anger",
        Fear = "fear",
        Sadness = "sadness",
        Surprise = "surprise",
        Disgust = "disgust",
    }
}

/// The mood of a text.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Emotion {
    pub valence: Valence,
    pub arousal: Arousal,
    /// None: no feeling is clear.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feeling: Option<Feeling>,
}

/// A word that is turned round keeps so much of its strength.
const TURNED: f64 = -0.74;
/// A word of degree adds or takes away so much.
const DEGREE: f64 = 0.3;
/// Capitals in a text of small letters add so much.
const SHOUTED: f64 = 0.73;
/// How soon a sum of words comes near to one.
const EVENNESS: f64 = 15.0;
/// How far before a word a "not" still turns it.
const REACH: usize = 3;

/// The mood of a text.
pub fn emotion_of(text: &str) -> Emotion {
    let spoken: String = without_code(text);
    let words = words_of(&spoken);
    let shouts = |word: &Word| {
        let written = &spoken[word.at.clone()];
        written.chars().filter(|mark| mark.is_alphabetic()).count() > 2
            && !written.chars().any(char::is_lowercase)
    };
    let shouted = words.iter().filter(|word| shouts(word)).count();
    let all_shouted = shouted * 2 > words.len() && words.len() > 2;

    let mut toned: Vec<(usize, Tone, f64)> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let Some(tone) = tone_of(&word.folded) else { continue };
        if is_harmless(&words, at) {
            continue;
        }
        let sign = tone.valence.signum();
        let mut value = tone.valence + sign * DEGREE * degree_before(&words, at);
        if shouts(word) && !all_shouted {
            value += sign * SHOUTED;
        }
        if is_turned(&words, at) {
            value *= TURNED;
        }
        toned.push((at, tone, value));
    }
    if let Some(turn) = words.iter().rposition(|word| BUTS.contains(&word.folded.as_str())) {
        for (at, _, value) in &mut toned {
            *value *= if *at < turn { 0.5 } else { 1.5 };
        }
    }
    let marks = spoken.matches('!').count().min(4) as f64;
    let mut sum = toned.iter().fold(0.0, |sum, (_, _, value)| sum + value);
    sum += sum.signum() * if sum == 0.0 { 0.0 } else { 0.29 * marks };
    let strongest = toned.iter().map(|(_, _, value)| value.abs()).fold(0.0, f64::max);
    let urgent = words.iter().filter(|word| URGENT.contains(&word.folded.as_str())).count().min(2) as f64;
    let moved = if toned.is_empty() && urgent == 0.0 { 0.3 } else { 1.0 };
    let loud = if all_shouted { 0.35 } else { 0.12 * shouted.min(3) as f64 };
    let arousal = 0.5 * (strongest / 4.0).min(1.0) + moved * (0.1 * marks + loud) + 0.22 * urgent;
    Emotion {
        valence: Valence::clamped(sum / (sum * sum + EVENNESS).sqrt()),
        arousal: Arousal::clamped(arousal),
        feeling: feeling_of(&toned),
    }
}

/// The feeling whose words weigh most. A word that is turned round has no
/// feeling: "not happy" is not yet sad.
fn feeling_of(toned: &[(usize, Tone, f64)]) -> Option<Feeling> {
    let weight = |feeling: Feeling| -> f64 {
        let own = toned.iter().filter(|(_, tone, value)| {
            tone.feeling == Some(feeling) && tone.valence.signum() == value.signum()
        });
        // Surprise is neither glad nor not, so that its words weigh little.
        let share = if feeling == Feeling::Surprise { 3.0 } else { 1.0 };
        own.map(|(_, _, value)| share * value.abs()).sum()
    };
    let heaviest = Feeling::ALL.iter().copied().max_by(|one, other| weight(*one).total_cmp(&weight(*other)));
    heaviest.filter(|feeling| weight(*feeling) >= 1.5)
}

/// The text without what stands between backticks and in fences.
fn without_code(text: &str) -> String {
    text.split("```").step_by(2).flat_map(|piece| piece.split('`').step_by(2)).collect::<Vec<_>>().join(" ")
}

/// How strongly the word is said: "very", "so", "a bit".
fn degree_before(words: &[Word], at: usize) -> f64 {
    let near = &words[at.saturating_sub(2)..at];
    let degree = |word: &Word| match word.folded.as_str() {
        strong if MORE.contains(&strong) => 1.0,
        weak if LESS.contains(&weak) => -1.0,
        _ => 0.0,
    };
    near.iter().map(degree).sum()
}

/// A "not" before an English word, a "değil" or "yok" after a Turkish one.
fn is_turned(words: &[Word], at: usize) -> bool {
    let before = &words[at.saturating_sub(REACH)..at];
    let after = words.get(at + 1).map(|word| word.folded.as_str());
    before.iter().any(|word| NOTS.contains(&word.folded.as_str()))
        || after.is_some_and(|word| matches!(word, "degil" | "yok" | "degildi"))
}

/// Words whose neighbours take the mood out of them: "no problem", "good
/// morning", "make it work well", "yes".
fn is_harmless(words: &[Word], at: usize) -> bool {
    let next = words.get(at + 1).map_or("", |word| word.folded.as_str());
    let previous = at.checked_sub(1).map_or("", |before| words[before].folded.as_str());
    match words[at].folded.as_str() {
        "good" => matches!(next, "morning" | "evening" | "night" | "afternoon"),
        "bad" => matches!(next, "request" | "gateway" | "address" | "block" | "sector"),
        "lost" | "wild" => {
            matches!(next, "update" | "packet" | "packets" | "connection" | "card" | "write" | "writes")
        }
        "well" => matches!(previous, "as"),
        "works" | "quick" | "safe" | "simple" | "solid" | "hard" | "stuck" => true,
        "pretty" => !next.is_empty(),
        "hell" | "waste" => false,
        "best" => matches!(next, "effort" | "practice" | "practices"),
        "worst" => next == "case",
        "weak" => matches!(next, "reference" | "references" | "ref" | "pointer" | "pointers"),
        "wrong" | "yanlis" | "negative" | "positive" => true,
        "kolay" => next == "gelsin",
        "temiz" | "zor" | "karisik" => next.is_empty(),
        _ => false,
    }
}

const BUTS: &[&str] = &["but", "however", "although", "ama", "fakat", "ancak", "lakin"];

const NOTS: &[&str] = &[
    "not", "no", "never", "isnt", "arent", "wasnt", "werent", "dont", "doesnt", "didnt", "cant", "cannot",
    "wont", "couldnt", "shouldnt", "wouldnt", "without", "hardly", "barely", "nothing", "neither", "nor",
];

const MORE: &[&str] = &[
    "very",
    "so",
    "really",
    "extremely",
    "incredibly",
    "absolutely",
    "totally",
    "completely",
    "super",
    "too",
    "utterly",
    "deeply",
    "fucking",
    "insanely",
    "such",
    "seriously",
    "truly",
    "especially",
    "cok",
    "asiri",
    "acayip",
    "gercekten",
    "resmen",
    "inanilmaz",
    "son",
    "derece",
    "hic",
    "epey",
    "bayagi",
    "felaket",
];

const LESS: &[&str] = &[
    "slightly", "somewhat", "bit", "little", "kinda", "fairly", "rather", "mildly", "biraz", "azicik",
    "hafif",
];

/// Words that stir without being glad or not.
const URGENT: &[&str] = &[
    "urgent",
    "urgently",
    "asap",
    "immediately",
    "emergency",
    "outage",
    "breach",
    "leaked",
    "acil",
    "acilen",
    "derhal",
    "hemen",
    "imdat",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gladness_has_a_sign() {
        for (text, sign) in [
            ("I love the new release, great work!", 1),
            ("this flaky test is horrible and I hate it", -1),
            ("I'm not happy with this", -1),
            ("it is not bad at all", 1),
            ("the design is nice but the code is awful", -1),
            ("bunu çok sevdim, harika olmuş", 1),
            ("bu araçtan nefret ediyorum", -1),
            ("hiç güzel değil", -1),
            ("sinirlendim artik, berbat bir gun", -1),
            ("tesekkurler, cok memnunum", 1),
        ] {
            let valence = emotion_of(text).valence.get();
            assert!(valence * f64::from(sign) > 0.2, "{text}: {valence}");
        }
    }

    #[test]
    fn the_language_of_developers_is_in_no_mood() {
        for text in [
            "kill the process and abort the build",
            "fatal: the child panicked with error 137",
            "rebase on master, the dead code is gone",
            "a broken pipe is a critical error, force the exit",
            "the server listens on port 8080",
            "panic!(\"no\") in `love.rs`",
            "400 bad request",
            "oldurulen surec hata verdi, veritabani coktu",
            "we use best practices and weak references",
        ] {
            let emotion = emotion_of(text);
            assert_eq!((emotion.valence.get(), emotion.feeling), (0.0, None), "{text}");
            assert!(emotion.arousal.get() < 0.3, "{text}");
        }
    }

    #[test]
    fn degree_shouting_and_marks_strengthen() {
        let valence = |text: &str| emotion_of(text).valence.get();
        assert!(valence("this is very good") > valence("this is good"));
        assert!(valence("this is GOOD") > valence("this is good"));
        assert!(valence("this is good!!!") > valence("this is good"));
        assert!(valence("this is slightly annoying") > valence("this is annoying"));
    }

    #[test]
    fn only_what_is_urgent_or_furious_is_stirred() {
        for (text, low, high) in [
            ("production is DOWN, this is URGENT!!! customers are furious", 0.8, 1.0),
            ("I HATE THIS SO MUCH!!!", 0.8, 1.0),
            ("ACİL!!! veriler silindi, dehşet içindeyim, hemen bakın", 0.8, 1.0),
            ("I prefer tabs", 0.0, 0.2),
            ("thanks, that is good", 0.0, 0.4),
            ("we shipped it!", 0.0, 0.2),
        ] {
            let arousal = emotion_of(text).arousal.get();
            assert!((low..=high).contains(&arousal), "{text}: {arousal}");
        }
    }

    #[test]
    fn six_feelings_are_told_apart() {
        use Feeling::*;
        for (text, expected) in [
            ("I am so happy about this", Some(Joy)),
            ("this makes me furious", Some(Anger)),
            ("I'm worried that we lose data", Some(Fear)),
            ("I'm really disappointed and sad", Some(Sadness)),
            ("wow, I am surprised and stunned", Some(Surprise)),
            ("this code is disgusting", Some(Disgust)),
            ("korkuyorum, ya veriler giderse", Some(Fear)),
            ("çok üzüldüm", Some(Sadness)),
            ("the port is 80", None),
        ] {
            assert_eq!(emotion_of(text).feeling, expected, "{text}");
        }
    }
}
