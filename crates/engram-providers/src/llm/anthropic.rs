//! Anthropic's Messages API. The answer is wanted as the input of a tool that
//! the model must call, so that it has the form of the schema.

use super::{Inner, LlmSpec, estimated_tokens, fenced, malformed};
use crate::key::Key;
use engram_core::port::{Asked, Completion, LlmProblem};
use serde_json::{Value, json};

/// The version of the interface, which has not changed with the models.
const VERSION: &str = "2023-06-01";

pub(super) struct Anthropic {
    address: String,
    model: String,
}

impl Anthropic {
    pub(super) fn new(spec: &LlmSpec) -> Self {
        let base = spec.base.trim_end_matches('/').trim_end_matches("/v1");
        Anthropic { address: format!("{base}/v1/messages"), model: spec.model.clone() }
    }

    pub(super) fn ask(&self, line: &Inner, asked: &Asked) -> Result<Completion, LlmProblem> {
        let (instruction, material) = fenced(asked);
        let question = json!({
            "model": self.model,
            "max_tokens": asked.most_tokens,
            "system": instruction,
            "messages": [{"role": "user", "content": material}],
            "tools": [{
                "name": asked.operation,
                "description": "Takes the answer.",
                "input_schema": asked.schema,
            }],
            "tool_choice": {"type": "tool", "name": asked.operation, "disable_parallel_tool_use": true},
        });
        let mut headers = vec![("anthropic-version", VERSION)];
        headers.extend(line.key.as_ref().map(|key| ("x-api-key", Key::reveal(key))));
        let answer = line.post(&self.address, &headers, &question)?;
        match answer["stop_reason"].as_str() {
            Some("max_tokens" | "model_context_window_exceeded") => return Err(malformed("it was cut off")),
            Some("refusal") => return Err(malformed("the model declined to answer")),
            _ => {}
        }
        let blocks = answer["content"].as_array().map_or(&[][..], Vec::as_slice);
        let called = |block: &&Value| block["type"] == "tool_use" && block["name"] == asked.operation;
        let call = blocks.iter().find(called).ok_or_else(|| malformed("it has no call of the tool"))?;
        let text = call["input"].to_string();
        let usage = &answer["usage"];
        let read = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
        let tokens_in = read.iter().filter_map(|name| usage[*name].as_u64()).fold(0, u64::saturating_add);
        let tokens_out = usage["output_tokens"].as_u64().unwrap_or_else(|| estimated_tokens(&text));
        let tokens_in = if tokens_in == 0 { estimated_tokens(&question.to_string()) } else { tokens_in };
        Ok(Completion { text, tokens_in, tokens_out })
    }
}
