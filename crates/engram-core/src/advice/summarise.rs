//! A session or a cluster of memories in short.

use super::grounds::{Grounds, denies};
use super::{Advice, Rejected, object_schema, plain_text, quoted, shaped};
use crate::port::Asked;
use serde::Deserialize;
use serde_json::json;

/// A summary has words of its own: of ten seven must be in the texts.
const SHARE: usize = 70;
/// In characters.
const LONGEST: usize = 1_200;

pub struct Summarise {
    pub texts: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    summary: String,
}

impl Advice for Summarise {
    type Answer = String;
    const OPERATION: &'static str = "summarise";

    fn masked(self, mask: &dyn Fn(&str) -> String) -> Self {
        Summarise { texts: self.texts.iter().map(|text| mask(text)).collect() }
    }

    fn ask(&self) -> Asked {
        Asked {
            operation: Self::OPERATION,
            instruction:
                "Summarise the texts for somebody who goes on with the work: what was decided, what \
                was found out, what is open. A few sentences, shorter than the texts, in their language \
                and where possible in their words. Copy names, numbers, paths and commands exactly and \
                use none that the texts do not have."
                    .to_owned(),
            material: json!({"texts": self.texts}).to_string(),
            schema: object_schema(json!({"summary": {"type": "string"}})),
            most_tokens: 800,
        }
    }

    fn read(&self, answer: &str) -> Result<String, Rejected> {
        let Answer { summary } = shaped(answer)?;
        let length: usize = self.texts.iter().map(|text| text.chars().count()).sum();
        let summary = plain_text(&summary, length.min(LONGEST))?;
        let texts: Vec<&str> = self.texts.iter().map(String::as_str).collect();
        let grounds = Grounds::of(&texts);
        grounds.check(&summary, SHARE)?;
        if denies(&summary) && !grounds.denies() {
            return Err(Rejected::Reversed(quoted(&summary)));
        }
        Ok(summary)
    }
}
