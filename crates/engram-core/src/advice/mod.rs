//! What a language model may be asked, and when its answer counts.
//!
//! Each kind of advice is a question (instruction, material, schema) and a
//! reading of the answer that takes only what is grounded in the material. A
//! text that says "ignore the instructions" can therefore win nothing: what it
//! makes a model say is either in the material anyway or is rejected. Nobody
//! is asked here, and the heuristic that stands beside each is the caller's.

mod abstraction;
mod extract;
mod grounds;
mod judge;
mod merge;
mod relate;
mod summarise;
#[cfg(test)]
mod tests;

pub use abstraction::Abstract;
pub use extract::{Extract, Extracted, ExtractedFact};
pub use judge::{Judge, Verdict};
pub use merge::Merge;
pub use relate::Relate;
pub use summarise::Summarise;

use crate::port::{Asked, Completion, LlmError};
use crate::words::words;
use serde::de::DeserializeOwned;

/// An answer longer than this is none, in bytes.
pub const LONGEST_ANSWER: usize = 64 << 10;
/// Material longer than this is not sent, in bytes.
pub const LONGEST_MATERIAL: usize = 48 << 10;
/// How much of an answer a reason repeats, in characters.
const LONGEST_QUOTE: usize = 120;

/// One thing a model may be asked.
pub trait Advice: Sized {
    type Answer;
    /// Its name in the log, and the name of the form the answer is given in.
    const OPERATION: &'static str;

    /// The same with every text passed through `mask`, so that no secret is
    /// sent, and so that the answer is compared with what was sent.
    fn masked(self, mask: &dyn Fn(&str) -> String) -> Self;

    fn ask(&self) -> Asked;

    /// The answer, if it fits and is grounded.
    fn read(&self, answer: &str) -> Result<Self::Answer, Rejected>;

    /// What is worth noting about an answer that was used.
    fn remark(_answer: &Self::Answer) -> Option<String> {
        None
    }
}

/// Why an answer is not used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    #[error("the answer has {0} bytes")]
    Oversize(usize),
    #[error("the answer is empty")]
    Empty,
    #[error("the answer is not one JSON object: {0}")]
    NotAnObject(String),
    #[error("the answer does not fit: {0}")]
    Shape(String),
    #[error("\"{0}\" is not in the material")]
    Ungrounded(String),
    #[error("\"{0}\" says the opposite of the material")]
    Reversed(String),
    #[error("the answer leaves out \"{0}\"")]
    Lost(String),
}

/// Reads an answer strictly: one JSON object with nothing around it, in which
/// `parse` finds what it needs.
pub fn checked<T>(
    answer: &str,
    parse: impl FnOnce(serde_json::Value) -> Result<T, String>,
) -> Result<T, Rejected> {
    if answer.len() > LONGEST_ANSWER {
        return Err(Rejected::Oversize(answer.len()));
    }
    if answer.trim().is_empty() {
        return Err(Rejected::Empty);
    }
    let value: serde_json::Value =
        serde_json::from_str(answer).map_err(|error| Rejected::NotAnObject(quoted(&error.to_string())))?;
    if !value.is_object() {
        return Err(Rejected::NotAnObject(quoted(answer)));
    }
    parse(value).map_err(|problem| Rejected::Shape(quoted(&problem)))
}

/// The same where the form says all there is to say.
fn shaped<T: DeserializeOwned>(answer: &str) -> Result<T, Rejected> {
    checked(answer, |value| serde_json::from_value(value).map_err(|error| error.to_string()))
}

/// A piece of somebody else's text for a reason: one line, not long.
fn quoted(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().filter(|mark| !mark.is_control()).take(LONGEST_QUOTE).collect()
}

/// A text that an answer consists of: not empty, one line, not too long.
fn plain_text(text: &str, most: usize) -> Result<String, Rejected> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        return Err(Rejected::Empty);
    }
    if line.chars().any(char::is_control) {
        return Err(Rejected::Shape("a text has control characters".to_owned()));
    }
    let length = line.chars().count();
    if length > most {
        return Err(Rejected::Shape(format!("a text has {length} characters where {most} are allowed")));
    }
    Ok(line)
}

words! {
    /// Who decided.
    pub enum DecidedBy ("decider") {
        Model = "model",
        Heuristic = "heuristic",
    }
}

/// A decision, who made it, and why not the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advised<T> {
    pub value: T,
    pub by: DecidedBy,
    /// Why the heuristic decided, or what was left out of the model's answer.
    pub reason: Option<String>,
}

/// Takes the model's answer if it came and is worth it, or else the
/// heuristic's.
pub fn settle<A: Advice>(
    advice: &A,
    outcome: Option<Result<&Completion, &LlmError>>,
    heuristic: impl FnOnce() -> A::Answer,
) -> Advised<A::Answer> {
    let read = match outcome {
        None => Err("there is no language model".to_owned()),
        Some(Err(error)) => Err(error.to_string()),
        Some(Ok(completion)) => advice.read(&completion.text).map_err(|rejected| rejected.to_string()),
    };
    match read {
        Ok(value) => Advised { reason: A::remark(&value), value, by: DecidedBy::Model },
        Err(reason) => Advised { value: heuristic(), by: DecidedBy::Heuristic, reason: Some(reason) },
    }
}

/// The schema of an object with these properties, all of them required.
fn object_schema(properties: serde_json::Value) -> serde_json::Value {
    let names: Vec<String> =
        properties.as_object().map(|all| all.keys().cloned().collect()).unwrap_or_default();
    serde_json::json!({
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": false,
    })
}
