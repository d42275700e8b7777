//! OpenAI's chat completions, and the many servers that speak them more or
//! less: Ollama, LM Studio, vLLM.
//!
//! How much of it a server understands is learned from its refusals: first the
//! answer is wanted by schema, then as any JSON object, then as plain text from
//! which the first object is taken. What was learned is kept as long as the
//! program runs.

use super::{Inner, LlmSpec, estimated_tokens, fenced, malformed};
use engram_core::port::{Asked, Completion, LlmProblem};
use serde_json::{Value, json};
use std::sync::{Mutex, PoisonError};

/// How often an object may seem to begin before one is read.
const BEGINNINGS: usize = 50;

pub(super) struct OpenAi {
    address: String,
    model: String,
    form: Mutex<Form>,
}

/// How this server wants to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Form {
    format: Format,
    /// What the limit of the answer is called: reasoning models of OpenAI
    /// refuse the older name, and some servers do not know the newer one.
    limit: &'static str,
    /// Some models have only one temperature and refuse to be told.
    with_temperature: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Schema,
    Object,
    Text,
}

impl Form {
    const FIRST: Form = Form { format: Format::Schema, limit: "max_tokens", with_temperature: true };

    /// What to try after this refusal. None: the form was not the matter.
    fn after(self, reason: &str) -> Option<Form> {
        let reason = reason.to_lowercase();
        let speaks_of = |words: &[&str]| words.iter().any(|word| reason.contains(word));
        if self.limit == "max_tokens" && speaks_of(&["max_tokens", "max_completion_tokens"]) {
            return Some(Form { limit: "max_completion_tokens", ..self });
        }
        if self.with_temperature && speaks_of(&["temperature"]) {
            return Some(Form { with_temperature: false, ..self });
        }
        let words =
            ["response_format", "response format", "json", "schema", "grammar", "guided", "structured"];
        let format = match self.format {
            Format::Schema => Format::Object,
            Format::Object => Format::Text,
            Format::Text => return None,
        };
        speaks_of(&words).then_some(Form { format, ..self })
    }

    fn question(self, model: &str, asked: &Asked) -> Value {
        let (mut instruction, material) = fenced(asked);
        if self.format != Format::Schema {
            instruction += &format!(
                "\n\nAnswer with one JSON object and nothing around it. Its JSON schema: {}",
                asked.schema
            );
        }
        let mut question = json!({
            "model": model,
            "messages": [
                {"role": "system", "content": instruction},
                {"role": "user", "content": material},
            ],
            self.limit: asked.most_tokens,
        });
        if self.with_temperature {
            question["temperature"] = json!(0);
        }
        match self.format {
            Format::Schema => {
                question["response_format"] = json!({
                    "type": "json_schema",
                    "json_schema": {"name": asked.operation, "strict": true, "schema": asked.schema},
                });
            }
            Format::Object => question["response_format"] = json!({"type": "json_object"}),
            Format::Text => {}
        }
        question
    }
}

impl OpenAi {
    pub(super) fn new(spec: &LlmSpec) -> Self {
        let address = format!("{}/chat/completions", spec.base.trim_end_matches('/'));
        OpenAi { address, model: spec.model.clone(), form: Mutex::new(Form::FIRST) }
    }

    pub(super) fn ask(&self, line: &Inner, asked: &Asked) -> Result<Completion, LlmProblem> {
        let form = *self.form.lock().unwrap_or_else(PoisonError::into_inner);
        let question = form.question(&self.model, asked);
        let bearer = line.key.as_ref().map(|key| format!("Bearer {}", key.reveal()));
        let headers: Vec<(&str, &str)> =
            bearer.iter().map(|bearer| ("authorization", bearer.as_str())).collect();
        let answer = line.post(&self.address, &headers, &question).map_err(|problem| match problem {
            LlmProblem::Refused { status: 400 | 422, reason } if form.after(&reason).is_some() => {
                self.learn(form, &reason);
                LlmProblem::OtherForm { reason }
            }
            other => other,
        })?;
        let choice = &answer["choices"][0];
        match choice["finish_reason"].as_str() {
            Some("length") => return Err(malformed("it was cut off")),
            Some("content_filter") => return Err(malformed("the model declined to answer")),
            _ if choice["message"]["refusal"].is_string() => {
                return Err(malformed("the model declined to answer"));
            }
            _ => {}
        }
        let text = choice["message"]["content"].as_str().ok_or_else(|| malformed("it has no text"))?;
        let usage = &answer["usage"];
        let counted = |name: &str, text: &str| usage[name].as_u64().unwrap_or_else(|| estimated_tokens(text));
        let tokens_in = counted("prompt_tokens", &question.to_string());
        let tokens_out = counted("completion_tokens", text);
        let text = match form.format {
            Format::Text => first_object(text).ok_or_else(|| malformed("there is no JSON object in it"))?,
            Format::Schema | Format::Object => text,
        };
        Ok(Completion { text: text.to_owned(), tokens_in, tokens_out })
    }

    /// Another question may have learned something meanwhile; then that holds.
    fn learn(&self, from: Form, reason: &str) {
        let mut form = self.form.lock().unwrap_or_else(PoisonError::into_inner);
        if *form == from {
            *form = from.after(reason).unwrap_or(from);
        }
    }
}

/// The first JSON object of a text, after what the model may have thought aloud.
fn first_object(text: &str) -> Option<&str> {
    let said = text.rfind("</think>").map_or(text, |at| &text[at..]);
    said.match_indices('{').take(BEGINNINGS).find_map(|(at, _)| {
        let mut values = serde_json::Deserializer::from_str(&said[at..]).into_iter::<Value>();
        values.next()?.ok()?;
        Some(&said[at..at + values.byte_offset()])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_object_is_found_in_talk() {
        assert_eq!(
            first_object("Sure! ```json\n{\"a\": {\"b\": 1}}\n``` {\"c\": 2}"),
            Some("{\"a\": {\"b\": 1}}")
        );
        assert_eq!(first_object("<think>{\"a\": 1}?</think>{\"a\": 2}"), Some("{\"a\": 2}"));
        assert_eq!(first_object("set {x} to {\"a\": \"ş\"}"), Some("{\"a\": \"ş\"}"));
        assert_eq!(first_object("nothing {here"), None);
        assert_eq!(first_object(&"{".repeat(100_000)), None);
    }

    #[test]
    fn a_refusal_teaches_only_what_it_speaks_of() {
        let first = Form::FIRST;
        let newer = first.after("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.").unwrap();
        assert_eq!(newer, Form { limit: "max_completion_tokens", ..first });
        assert_eq!(newer.after("max_completion_tokens is too large"), None);
        let object = first.after("This response_format type is unavailable now").unwrap();
        assert_eq!(object.format, Format::Object);
        let text = object.after("'response_format.type' must be 'json_schema' or 'text'").unwrap();
        assert_eq!((text.format, text.after("response_format")), (Format::Text, None));
        assert_eq!(first.after("temperature must be 1").map(|form| form.with_temperature), Some(false));
        assert_eq!(first.after("the context length is exceeded, see more information"), None);
    }
}
