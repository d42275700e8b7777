//! Transcripts of Claude Code: one line in, the events of it out.
//!
//! It owns the shape of those lines and which of them are something that
//! somebody said or did. Files, offsets and projects it does not know; it only
//! tells in which folder a line was written.

use super::said::{is_interrupted, refusal, result_in_notice, said, without_reminders};
use super::{BadLine, Line, Place};
use engram_core::Timestamp;
use engram_core::turn::{Event, EventType, ToolUse};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Whose conversation a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Conversation {
    /// The user's. What subagents did inside of it is left out: their result
    /// comes back as the answer of a tool or as a notice.
    Users,
    /// A subagent's, in a file of its own. Nothing but its result is taken,
    /// because whoever speaks to it is another agent.
    Subagents,
}

/// What is known between two lines of one file.
#[derive(Debug)]
pub(crate) struct Reading {
    conversation: Conversation,
    folder: Option<PathBuf>,
    /// Tools that were called and have not answered, by the call's name.
    open: BTreeMap<String, Call>,
    /// Of a subagent: what it said last, if it did nothing after it.
    last_words: Option<Event>,
}

#[derive(Debug)]
struct Call {
    name: String,
    input: Value,
    place: Place,
}

impl Reading {
    pub(crate) fn new(conversation: Conversation) -> Self {
        Self { conversation, folder: None, open: BTreeMap::new(), last_words: None }
    }

    /// The folder that the last line was written in, so that its project can
    /// be told.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Where to read on the next time, if this much was read now: back at the
    /// first call that has no answer yet, so that both are seen together then.
    pub(crate) fn next_from(&self, read: Place) -> Place {
        self.open.values().map(|call| call.place).min().unwrap_or(read)
    }

    /// What only the end of a file tells. Calls without an answer are let go:
    /// whether they worked is unknown, and `next_from` leads back to them.
    pub(crate) fn finish(self) -> Vec<Event> {
        self.last_words.into_iter().collect()
    }
}

/// A line that may matter. Everything in it may be missing.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    timestamp: Option<Timestamp>,
    session_id: Option<String>,
    /// Of a line that was copied out of another session.
    forked_from: Option<Fork>,
    cwd: Option<PathBuf>,
    is_meta: Option<bool>,
    is_sidechain: Option<bool>,
    is_compact_summary: Option<bool>,
    is_visible_in_transcript_only: Option<bool>,
    is_api_error_message: Option<bool>,
    origin: Option<Origin>,
    message: Option<Message>,
    attachment: Option<Attachment>,
    tool_use_result: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fork {
    session_id: Option<String>,
}

#[derive(Deserialize)]
struct Origin {
    kind: Option<String>,
}

impl Origin {
    /// Only newer clients tell. Other agents and tasks have words of their own.
    fn is_human(origin: Option<&Self>) -> bool {
        origin.and_then(|origin| origin.kind.as_deref()).is_none_or(|kind| kind == "human")
    }
}

#[derive(Deserialize)]
struct Message {
    model: Option<String>,
    content: Option<Content>,
}

/// Something that was put beside the conversation. Words that the user typed
/// while the agent worked arrive so, and nowhere else.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attachment {
    command_mode: Option<String>,
    prompt: Option<Content>,
    origin: Option<Origin>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Blocks(Vec<Block>),
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        text: String,
    },
    ToolUse {
        id: String,
        name: String,
        #[serde(default)]
        input: Value,
    },
    ToolResult {
        tool_use_id: String,
        content: Option<Content>,
        is_error: Option<bool>,
    },
    /// Thinking, images, documents, and what is not known yet.
    #[serde(other)]
    Other,
}

impl Content {
    fn blocks(self) -> Vec<Block> {
        match self {
            Content::Text(text) => vec![Block::Text { text }],
            Content::Blocks(blocks) => blocks,
        }
    }

    /// Its texts, in order.
    fn texts(self) -> Vec<String> {
        let text = |block| if let Block::Text { text } = block { Some(text) } else { None };
        self.blocks().into_iter().filter_map(text).collect()
    }
}

/// The events of one line. A line that is nobody's message has none.
pub(crate) fn events_of_line(line: &Line, reading: &mut Reading) -> Result<Vec<Event>, BadLine> {
    if line.text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let value: Value =
        serde_json::from_str(&line.text).map_err(|error| line.bad(format!("is not JSON: {error}")))?;
    // Other types of lines may have fields of the same names and other shapes.
    let sort = match value.get("type").and_then(Value::as_str) {
        Some("user") => Sort::User,
        Some("assistant") => Sort::Assistant,
        Some("attachment") if value.pointer("/attachment/type") == Some(&"queued_command".into()) => {
            Sort::Queued
        }
        _ => return Ok(Vec::new()),
    };
    let mut entry: Entry = serde_json::from_value(value)
        .map_err(|error| line.bad(format!("is not a message as Claude Code writes it: {error}")))?;
    if let Some(folder) = entry.cwd.take() {
        reading.folder = Some(folder);
    }
    let aside = entry.is_sidechain == Some(true);
    let not_said = [
        entry.is_meta,
        entry.is_compact_summary,
        entry.is_visible_in_transcript_only,
        entry.is_api_error_message,
    ];
    if not_said.contains(&Some(true)) || aside != (reading.conversation == Conversation::Subagents) {
        return Ok(Vec::new());
    }
    // A copy of a line is the line it was copied from; the same event twice is
    // one turn.
    let session = entry.forked_from.take().and_then(|fork| fork.session_id).or(entry.session_id.take());
    let at = Stamp { time: entry.timestamp, session };
    Ok(match (reading.conversation, sort) {
        (Conversation::Users, Sort::User) => of_user(entry, &at, reading),
        (Conversation::Users, Sort::Assistant) => of_assistant(entry, &at, line.place, reading),
        (Conversation::Users, Sort::Queued) => of_queued(entry, &at),
        (Conversation::Subagents, Sort::Assistant) => {
            of_subagent(entry, &at, reading);
            Vec::new()
        }
        (Conversation::Subagents, Sort::User | Sort::Queued) => Vec::new(),
    })
}

enum Sort {
    User,
    Assistant,
    Queued,
}

/// When a line was written, and in which session.
struct Stamp {
    time: Option<Timestamp>,
    session: Option<String>,
}

impl Stamp {
    fn on(&self, event: EventType, text: impl Into<String>) -> Event {
        Event { time: self.time, session: self.session.clone(), ..Event::new(event, text) }
    }
}

fn of_user(entry: Entry, at: &Stamp, reading: &mut Reading) -> Vec<Event> {
    let Some(content) = entry.message.and_then(|message| message.content) else { return Vec::new() };
    let blocks = content.blocks();
    if blocks.iter().any(|block| matches!(block, Block::ToolResult { .. })) {
        // A text beside an answer is the client's: "Tool loaded.", or that the
        // user interrupted.
        return blocks
            .into_iter()
            .filter_map(|block| match block {
                Block::ToolResult { tool_use_id, content, is_error } => {
                    let call = reading.open.remove(&tool_use_id)?;
                    of_answer(call, content, is_error == Some(true), entry.tool_use_result.as_ref(), at)
                }
                _ => None,
            })
            .collect();
    }
    let events = of_words(Content::Blocks(blocks), entry.origin.as_ref(), at);
    if !events.is_empty() {
        // A new message ends the turn before it. What has not answered by now
        // never will, and must not hold the next reading back.
        reading.open.clear();
    }
    events
}

fn of_queued(entry: Entry, at: &Stamp) -> Vec<Event> {
    let Some(Attachment { command_mode, prompt: Some(prompt), origin }) = entry.attachment else {
        return Vec::new();
    };
    match command_mode.as_deref() {
        None | Some("prompt" | "task-notification") => of_words(prompt, origin.as_ref(), at),
        Some(_) => Vec::new(),
    }
}

/// What the user said, or what a subagent came to.
fn of_words(content: Content, origin: Option<&Origin>, at: &Stamp) -> Vec<Event> {
    let texts = content.texts();
    if let Some(result) = texts.first().and_then(|text| result_in_notice(text)) {
        return vec![at.on(EventType::SubagentResult, result)];
    }
    if !Origin::is_human(origin) {
        return Vec::new();
    }
    let words: Vec<String> = texts.iter().filter_map(|text| said(text)).collect();
    if words.is_empty() { Vec::new() } else { vec![at.on(EventType::UserMessage, words.join("\n\n"))] }
}

fn of_assistant(entry: Entry, at: &Stamp, place: Place, reading: &mut Reading) -> Vec<Event> {
    let mut events = Vec::new();
    for block in written_by_model(entry) {
        match block {
            Block::Text { text } => {
                events.extend(words_of_agent(&text).map(|text| at.on(EventType::AssistantMessage, text)));
            }
            Block::ToolUse { id, name, input } => {
                reading.open.insert(id, Call { name, input, place });
            }
            Block::ToolResult { .. } | Block::Other => {}
        }
    }
    events
}

fn of_subagent(entry: Entry, at: &Stamp, reading: &mut Reading) {
    for block in written_by_model(entry) {
        match block {
            Block::Text { text } => {
                let words = words_of_agent(&text).map(|text| at.on(EventType::SubagentResult, text));
                reading.last_words = words.or(reading.last_words.take());
            }
            Block::ToolUse { .. } => reading.last_words = None,
            Block::ToolResult { .. } | Block::Other => {}
        }
    }
}

/// The client answers in the model's name when there is nothing to say or
/// something went wrong.
fn written_by_model(entry: Entry) -> Vec<Block> {
    match entry.message {
        Some(Message { model, content: Some(content) }) if model.as_deref() != Some("<synthetic>") => {
            content.blocks()
        }
        _ => Vec::new(),
    }
}

fn words_of_agent(text: &str) -> Option<String> {
    let text = without_reminders(text);
    (!text.is_empty() && text != "(no content)").then_some(text)
}

/// The event of a call and its answer; none where nothing was done.
fn of_answer(
    call: Call,
    content: Option<Content>,
    failed: bool,
    told: Option<&Value>,
    at: &Stamp,
) -> Option<Event> {
    let texts = content.map(Content::texts).unwrap_or_default();
    let answer = without_reminders(&texts.join("\n"));
    if is_own_memory(&call.name) || is_interrupted(&answer) {
        return None;
    }
    if failed && let Some(words) = refusal(&answer) {
        return words.map(|words| at.on(EventType::UserMessage, words));
    }
    let told = |key: &str| told.and_then(|told| told.get(key));
    if matches!(call.name.as_str(), "Task" | "Agent") && !failed {
        let launched = told("isAsync") == Some(&Value::Bool(true))
            || told("status").and_then(Value::as_str) == Some("async_launched");
        let result = if launched { None } else { result_of_subagent(told("content"), texts) };
        return result.map(|result| at.on(EventType::SubagentResult, result));
    }
    let duration_ms = ["durationMs", "totalDurationMs"].iter().find_map(|key| told(key)?.as_u64());
    let tool =
        ToolUse { name: call.name, input: call.input, output: answer.into(), ok: !failed, duration_ms };
    Some(Event { tool: Some(tool), ..at.on(EventType::ToolCall, "") })
}

/// What a subagent answered. Beside it, for the model only, the client writes
/// how that agent can be asked again.
fn result_of_subagent(told: Option<&Value>, texts: Vec<String>) -> Option<String> {
    let told = told.and_then(|content| Content::deserialize(content).ok()).map(Content::texts);
    let texts = told.filter(|texts| !texts.is_empty()).unwrap_or(texts);
    let own = texts.iter().filter(|text| !text.trim_start().starts_with("agentId:"));
    let result = own.map(|text| without_reminders(text)).collect::<Vec<_>>().join("\n");
    (!result.trim().is_empty()).then_some(result)
}

/// What this memory itself answered is nothing new.
fn is_own_memory(tool: &str) -> bool {
    tool.strip_prefix("mcp__").and_then(|rest| rest.split("__").next()).is_some_and(|s| s.contains("engram"))
}

#[cfg(test)]
mod tests;
