//! How a new text stands to one that is kept.
//!
//! A verdict that would change something has to show its evidence: the words
//! of both texts it rests on.

use super::grounds::{Grounds, content_words, identifiers_of};
use super::{Advice, Rejected, object_schema, quoted, shaped};
use crate::port::Asked;
use crate::words::words;
use serde::Deserialize;
use serde_json::json;

words! {
    /// How a new text stands to one that is kept.
    pub enum Verdict ("verdict") {
        /// It says what is known.
        Same = "same",
        /// It says more about the same.
        Adds = "adds",
        /// Both cannot be true.
        Contradicts = "contradicts",
        Unrelated = "unrelated",
    }
}

pub struct Judge {
    pub kept: String,
    pub new: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    kept_says: String,
    new_says: String,
    verdict: Verdict,
}

/// The schema of an answer about two texts that quotes both.
pub(super) fn with_quotes(first: &str, second: &str, key: &str, words: &[&str]) -> serde_json::Value {
    object_schema(json!({
        first: {"type": "string"},
        second: {"type": "string"},
        key: {"type": "string", "enum": words},
    }))
}

/// A word or an identifier that both texts have.
pub(super) fn have_common_ground(one: &str, other: &str) -> bool {
    let grounds = Grounds::of(&[one]);
    content_words(other).iter().any(|word| grounds.holds_word(word))
        || identifiers_of(other).iter().any(|identifier| grounds.holds_identifier(identifier))
}

impl Advice for Judge {
    type Answer = Verdict;
    const OPERATION: &'static str = "judge";

    fn masked(self, mask: &dyn Fn(&str) -> String) -> Self {
        Judge { kept: mask(&self.kept), new: mask(&self.new) }
    }

    fn ask(&self) -> Asked {
        let verdicts: Vec<&str> = Verdict::ALL.iter().map(|verdict| verdict.as_str()).collect();
        Asked {
            operation: Self::OPERATION,
            instruction: "Compare the new text with the kept one. verdict is \"same\" if the new one says \
                nothing more, \"adds\" if it says more about the same thing, \"contradicts\" if both cannot \
                be true of the same thing at the same time, or else \"unrelated\". kept_says and new_says \
                are the few words of each text that decide it, copied letter by letter; empty if \
                unrelated. Other wording, another language and more detail are no contradiction."
                .to_owned(),
            material: json!({"kept": self.kept, "new": self.new}).to_string(),
            schema: with_quotes("kept_says", "new_says", "verdict", &verdicts),
            most_tokens: 400,
        }
    }

    fn read(&self, answer: &str) -> Result<Verdict, Rejected> {
        let answer: Answer = shaped(answer)?;
        if answer.verdict == Verdict::Unrelated {
            return Ok(Verdict::Unrelated);
        }
        let kept = Grounds::of(&[&self.kept]);
        let new = Grounds::of(&[&self.new]);
        kept.check_quote(&answer.kept_says)?;
        new.check_quote(&answer.new_says)?;
        match answer.verdict {
            // A number or a name that only the new one has is something new.
            Verdict::Same => match identifiers_of(&self.new).iter().find(|it| !kept.holds_identifier(it)) {
                Some(more) => return Err(Rejected::Lost(quoted(more))),
                None if kept.denies() != new.denies() => return Err(Rejected::Reversed(quoted(&self.new))),
                None => {}
            },
            Verdict::Contradicts if !have_common_ground(&self.kept, &self.new) => {
                return Err(Rejected::Shape("two texts without a common word contradict".to_owned()));
            }
            _ => {}
        }
        Ok(answer.verdict)
    }
}
