//! One text from two, with nothing lost and nothing invented.

use super::grounds::{Grounds, content_words, identifiers_of};
use super::{Advice, Rejected, object_schema, plain_text, quoted, shaped};
use crate::port::Asked;
use serde::Deserialize;
use serde_json::json;

/// Of ten words of the answer eight must be in the texts.
const SHARE: usize = 80;
/// Of ten words of each text six must be in the answer.
const KEPT: usize = 60;
/// What joining two sentences may cost, in characters.
const JOINT: usize = 40;

pub struct Merge {
    pub first: String,
    pub second: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    text: String,
}

impl Advice for Merge {
    type Answer = String;
    const OPERATION: &'static str = "merge";

    fn masked(self, mask: &dyn Fn(&str) -> String) -> Self {
        Merge { first: mask(&self.first), second: mask(&self.second) }
    }

    fn ask(&self) -> Asked {
        Asked {
            operation: Self::OPERATION,
            instruction: "Write one text that says everything the first and the second say, and nothing \
                else, without saying anything twice. Keep their words and their language. Copy every name, \
                number, path and command exactly; keep every \"not\" and \"never\"."
                .to_owned(),
            material: json!({"first": self.first, "second": self.second}).to_string(),
            schema: object_schema(json!({"text": {"type": "string"}})),
            most_tokens: 2_000,
        }
    }

    fn read(&self, answer: &str) -> Result<String, Rejected> {
        let Answer { text } = shaped(answer)?;
        let most = self.first.chars().count() + self.second.chars().count() + JOINT;
        let text = plain_text(&text, most)?;
        let both = Grounds::of(&[&self.first, &self.second]);
        both.check_closely(&text, SHARE)?;
        let merged = Grounds::of(&[&text]);
        if both.denies() != merged.denies() {
            return Err(Rejected::Reversed(quoted(&text)));
        }
        for input in [&self.first, &self.second] {
            if let Some(lost) = identifiers_of(input).iter().find(|it| !merged.holds_identifier(it)) {
                return Err(Rejected::Lost(quoted(lost)));
            }
            let words = content_words(input);
            let lost: Vec<&str> =
                words.iter().filter(|word| !merged.holds_word(word)).map(String::as_str).collect();
            if lost.len() * 100 > words.len() * (100 - KEPT) {
                return Err(Rejected::Lost(quoted(&lost.join(" "))));
            }
        }
        Ok(text)
    }
}
