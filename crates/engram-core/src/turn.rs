//! What happened, as it arrives and as it is kept: events and turns.
//!
//! There is one kind of event for whoever sends it. A turn is an event that
//! was kept, named by its own content, so that the same event never becomes
//! two turns. What is made of a turn is not known here.

use crate::change::PURGED;
use crate::id::{SessionId, TurnId};
use crate::kind::Kind;
use crate::observe::Role;
use crate::present::tokens_of;
use crate::words::words;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

words! {
    /// What sort of thing happened.
    pub enum EventType ("type of event") {
        UserMessage = "user_message",
        AssistantMessage = "assistant_message",
        ToolCall = "tool_call",
        SubagentResult = "subagent_result",
        /// Somebody asked for it to be remembered, in these words.
        Remember = "remember",
        /// A piece of a file that was imported.
        File = "file",
    }
}

impl EventType {
    /// In whose voice it speaks.
    pub const fn role(self) -> Role {
        match self {
            EventType::UserMessage | EventType::Remember | EventType::File => Role::User,
            EventType::AssistantMessage => Role::Assistant,
            EventType::ToolCall => Role::Tool,
            EventType::SubagentResult => Role::Subagent,
        }
    }

    /// Whether anybody may have written it: what a tool prints comes from web
    /// pages, logs and strangers' files.
    pub const fn is_foreign(self) -> bool {
        matches!(self, EventType::ToolCall | EventType::SubagentResult | EventType::AssistantMessage)
    }
}

words! {
    /// What a source may do to what is known.
    pub enum Authority ("authority") {
        /// The turn is kept as evidence and makes no memory.
        Nothing = "nothing",
        /// It may make new memories; what it contradicts waits for a review.
        Add = "add",
        /// It may also supersede and update.
        Change = "change",
    }
}

/// Something that happened, as it is told at the door.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Event {
    #[serde(rename = "type")]
    pub event: EventType,
    /// What was said. Of a tool call it may be empty.
    #[serde(default)]
    pub text: String,
    /// When it happened. None: just now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Timestamp>,
    /// The agent's own name of the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Who said it, where people are told apart by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<ToolUse>,
    /// Of what was read from a file: which, and where in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What it is, where the sender knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The agent that it comes from, by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
}

impl Event {
    /// What an event may have, as it is written.
    pub const KEYS: [&str; 9] =
        ["type", "text", "time", "session", "speaker", "tool", "source", "kind", "agent"];

    pub fn new(event: EventType, text: impl Into<String>) -> Self {
        Self {
            event,
            text: text.into(),
            time: None,
            session: None,
            speaker: None,
            tool: None,
            source: None,
            kind: None,
            agent: None,
        }
    }

    /// The same with every text passed through `mask`. It is told whether
    /// anybody may have written the text, as against whoever speaks.
    pub fn masked(mut self, mask: &mut dyn FnMut(&str, bool) -> String) -> Self {
        self.text = mask(&self.text, self.event.is_foreign());
        self.speaker = self.speaker.map(|name| mask(&name, false));
        self.source = self.source.map(|source| mask(&source, false));
        self.agent = self.agent.map(|name| mask(&name, false));
        if let Some(tool) = &mut self.tool {
            tool.name = mask(&tool.name, false);
            mask_value(&mut tool.input, mask);
            mask_value(&mut tool.output, mask);
        }
        self
    }
}

/// A secret may stand alone under a name that tells what it is, so that the
/// name is shown along with it.
fn mask_value(value: &mut Value, mask: &mut dyn FnMut(&str, bool) -> String) {
    match value {
        Value::String(text) => *text = mask(text, true),
        Value::Array(items) => items.iter_mut().for_each(|item| mask_value(item, mask)),
        Value::Object(map) => {
            for (key, item) in map.iter_mut() {
                match item {
                    Value::String(text) => {
                        let lead = format!("{key}: ");
                        let line = mask(&format!("{lead}{text}"), true);
                        *text = line.strip_prefix(&lead).map_or_else(|| mask(text, true), str::to_owned);
                    }
                    other => mask_value(other, mask),
                }
            }
        }
        _ => {}
    }
}

/// A tool that an agent used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolUse {
    /// The agent's name of the tool: `Bash`, `Edit`.
    pub name: String,
    /// What it was called with.
    #[serde(default)]
    pub input: Value,
    /// What it answered.
    #[serde(default)]
    pub output: Value,
    #[serde(default = "worked")]
    pub ok: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
}

const fn worked() -> bool {
    true
}

/// An event that was kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Turn {
    pub id: TurnId,
    pub event: EventType,
    pub role: Role,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Its place among the turns of its session in this store, from one.
    pub turn_number: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    /// The words as they were said, less what the guard took out.
    pub content: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<ToolCall>,
    pub token_count: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The agent that it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// How many places in it read like orders to an agent.
    #[serde(default)]
    pub instructions: u32,
    pub said_at: Timestamp,
    pub recorded_at: Timestamp,
}

/// What is kept of a tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolCall {
    pub tool_name: String,
    pub arguments: Map<String, Value>,
    /// What it answered: whole if it is short, its beginning and its end if not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_summary: Option<String>,
    pub success: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
}

impl ToolCall {
    /// The command line, the file or whatever else the tool was used on.
    pub fn subject(&self) -> &str {
        let known = ["command", "file_path", "path", "notebook_path", "pattern", "url", "query", "input"];
        let named = known.iter().find_map(|key| self.arguments.get(*key).and_then(Value::as_str));
        named.or_else(|| self.arguments.values().find_map(Value::as_str)).unwrap_or_default()
    }
}

/// No more characters than this are kept of each end of a tool's answer, and
/// of each of its arguments.
const END: usize = 1_000;

impl Turn {
    /// `event` has passed the guard; its texts are as they may be kept.
    pub fn of(event: Event, turn_number: u32, instructions: u32, recorded_at: Timestamp) -> Self {
        let said_at = event.time.unwrap_or(recorded_at);
        let id = id_of(&event, said_at);
        let tool = event.tool.map(kept_of);
        let content = match &tool {
            Some(tool) if event.text.trim().is_empty() => {
                format!("{}: {}", tool.tool_name, tool.subject()).trim_end_matches(": ").to_owned()
            }
            _ => event.text,
        };
        Self {
            id,
            event: event.event,
            role: event.event.role(),
            session: event.session.as_deref().map(SessionId::named),
            turn_number,
            speaker: event.speaker.filter(|name| !name.trim().is_empty()),
            token_count: u32::try_from(tokens_of(&content)).unwrap_or(u32::MAX),
            content,
            tool,
            source: event.source,
            kind: event.kind,
            agent: event.agent.filter(|name| !name.trim().is_empty()),
            instructions,
            said_at,
            recorded_at,
        }
    }
}

impl Turn {
    /// What remains is that something was said, and when.
    pub fn clear_text(&mut self) {
        PURGED.clone_into(&mut self.content);
        self.speaker = None;
        self.source = None;
        if let Some(tool) = &mut self.tool {
            tool.arguments = Map::new();
            tool.result_summary = None;
        }
    }
}

/// The name that an event has wherever and however often it arrives.
pub fn id_of(event: &Event, said_at: Timestamp) -> TurnId {
    let tool = event.tool.as_ref().map(|tool| (&tool.name, &tool.input, &tool.output, tool.ok));
    let told = serde_json::to_string(&(
        event.event,
        &event.session,
        &event.speaker,
        &event.text,
        tool,
        &event.source,
    ));
    TurnId::of_content(said_at, &told.unwrap_or_default())
}

fn kept_of(tool: ToolUse) -> ToolCall {
    let arguments = match tool.input {
        Value::Object(map) => map.into_iter().map(|(key, value)| (key, shortened(value))).collect(),
        Value::Null => Map::new(),
        other => Map::from_iter([("input".to_owned(), shortened(other))]),
    };
    let answer = match tool.output {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    };
    ToolCall {
        tool_name: tool.name,
        arguments,
        result_summary: answer.filter(|text| !text.trim().is_empty()).map(|text| ends_of(&text)),
        success: tool.ok,
        duration_ms: tool.duration_ms,
    }
}

fn shortened(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(ends_of(&text)),
        Value::Array(_) | Value::Object(_) => {
            let text = value.to_string();
            if text.chars().count() > 2 * END { Value::String(ends_of(&text)) } else { value }
        }
        plain => plain,
    }
}

/// A text, or its beginning and its end where it is long.
fn ends_of(text: &str) -> String {
    let length = text.chars().count();
    if length <= 2 * END {
        return text.to_owned();
    }
    let first: String = text.chars().take(END).collect();
    let last: String = text.chars().skip(length - END).collect();
    format!("{first}\n[{} characters left out]\n{last}", length - 2 * END)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn the_same_event_is_the_same_turn() {
        let event = Event { time: Some(at(50)), ..Event::new(EventType::UserMessage, "we use tabs") };
        let first = Turn::of(event.clone(), 1, 0, at(60));
        let again = Turn::of(event.clone(), 9, 0, at(70));
        assert_eq!(first.id, again.id);
        let other = Event { text: "we use spaces".into(), ..event.clone() };
        assert_ne!(Turn::of(other, 1, 0, at(60)).id, first.id);
        let later = Event { time: Some(at(51)), ..event };
        assert!(Turn::of(later, 1, 0, at(60)).id > first.id);
    }

    #[test]
    fn a_session_has_one_name_however_it_is_written() {
        let uuid = SessionId::named("0d3c5f6a-1111-4222-8333-444455556666");
        assert_eq!(uuid, SessionId::named("0D3C5F6A111142228333444455556666"));
        assert_eq!(SessionId::named(&uuid.to_string()), uuid);
        assert_ne!(SessionId::named("my chat"), SessionId::named("my other chat"));
    }

    #[test]
    fn a_tool_call_keeps_both_ends_of_a_long_answer() {
        let tool = ToolUse {
            name: "Bash".into(),
            input: json!({"command": "cargo test"}),
            output: json!("x".repeat(5_000)),
            ok: false,
            duration_ms: Some(7),
        };
        let turn = Turn::of(Event { tool: Some(tool), ..Event::new(EventType::ToolCall, "") }, 1, 0, at(1));
        assert_eq!(turn.content, "Bash: cargo test");
        let call = turn.tool.unwrap();
        assert_eq!((call.subject(), call.success), ("cargo test", false));
        let kept = call.result_summary.unwrap();
        assert!(kept.contains("[3000 characters left out]") && kept.len() < 2_100);
    }

    #[test]
    fn an_event_is_read_from_what_an_agent_sends() {
        let line =
            r#"{"type":"tool_call","tool":{"name":"Read","input":{"file_path":"/a/b.rs"},"output":"ok"}}"#;
        let event: Event = serde_json::from_str(line).unwrap();
        assert!(event.tool.as_ref().unwrap().ok && event.text.is_empty());
        assert_eq!(Turn::of(event, 1, 0, at(1)).content, "Read: /a/b.rs");
        assert!(serde_json::from_str::<Event>(r#"{"type":"opinion"}"#).is_err());
        let whole = json!({"type": "file", "text": "a", "time": "2026-01-01T00:00:00Z", "session": "s",
            "speaker": "x", "tool": {"name": "Read"}, "source": "a.md", "kind": "fact", "agent": "codex"});
        let written = serde_json::to_value(serde_json::from_value::<Event>(whole).unwrap()).unwrap();
        let mut keys: Vec<&str> = written.as_object().unwrap().keys().map(String::as_str).collect();
        let mut known = Event::KEYS;
        keys.sort_unstable();
        known.sort_unstable();
        assert_eq!(keys, known);
    }
}
