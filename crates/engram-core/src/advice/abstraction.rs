//! What several memories have in common, as one rule.

use super::grounds::{Grounds, denies};
use super::{Advice, Rejected, object_schema, plain_text, quoted, shaped};
use crate::port::Asked;
use serde::Deserialize;
use serde_json::json;

/// A pattern is put in words of its own: of ten six must be in the texts.
const SHARE: usize = 60;
/// In characters.
const LONGEST: usize = 300;

/// Asks for the habit or rule behind several memories.
pub struct Abstract {
    pub texts: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    pattern: Option<String>,
}

impl Advice for Abstract {
    /// Empty: there is no pattern in them.
    type Answer = String;
    const OPERATION: &'static str = "abstract";

    fn masked(self, mask: &dyn Fn(&str) -> String) -> Self {
        Abstract { texts: self.texts.iter().map(|text| mask(text)).collect() }
    }

    fn ask(&self) -> Asked {
        Asked {
            operation: Self::OPERATION,
            instruction: "Say in one sentence which habit or rule shows in most of the texts, in their \
                language and where possible in their words, with no name, number, path or command that \
                they do not have. If none shows, answer null."
                .to_owned(),
            material: json!({"texts": self.texts}).to_string(),
            schema: object_schema(json!({"pattern": {"type": ["string", "null"]}})),
            most_tokens: 200,
        }
    }

    fn read(&self, answer: &str) -> Result<String, Rejected> {
        let Answer { pattern } = shaped(answer)?;
        let Some(pattern) = pattern else { return Ok(String::new()) };
        let pattern = plain_text(&pattern, LONGEST)?;
        let texts: Vec<&str> = self.texts.iter().map(String::as_str).collect();
        let grounds = Grounds::of(&texts);
        grounds.check(&pattern, SHARE)?;
        if denies(&pattern) && !grounds.denies() {
            return Err(Rejected::Reversed(quoted(&pattern)));
        }
        Ok(pattern)
    }
}
