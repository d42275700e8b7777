//! What an agent tells a hook, as it comes: any JSON, or no JSON at all.
//!
//! Nothing is demanded. A field that is missing, null or of another sort is
//! absent, and what is absent is not told. Agents call the same thing by different
//! names; each of them is known here, whoever uses it. What becomes of it is not.

#[cfg(test)]
mod others_tests;
mod tool;

use engram_core::Timestamp;
use engram_core::turn::{Event, EventType, ToolUse};
use engram_wire::message::HookEvent;
use serde_json::{Map, Value};
use std::path::PathBuf;

/// Whatever is longer is not read: nobody types it, and no tool should.
pub(crate) const LONGEST: usize = 32 << 20;

/// So many bytes are told of a text, of what a tool was given and of a name.
const ROOM: usize = 128 << 10;
const ROOM_FOR_INPUT: usize = 48 << 10;
const ROOM_FOR_NAME: usize = 512;
/// So many parts of a value are told one by one, and so deep.
const MOST_PARTS: usize = 32;
const DEEPEST: usize = 4;
/// What it says in the place of what is left out takes at most so many bytes.
const NOTE: usize = 64;

/// The input of one hook.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Input {
    fields: Map<String, Value>,
}

impl Input {
    /// Of bytes that may be anything.
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let fields = match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::new(),
        };
        Self { fields: raised(fields) }
    }

    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.fields.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty())
    }

    /// A text that names something; nobody gives a name of many words.
    pub(crate) fn name(&self, key: &str) -> Option<&str> {
        self.text(key).map(|name| &name[..name.floor_char_boundary(ROOM_FOR_NAME)])
    }

    /// The first that says something, of the names that one thing has.
    fn first_text(&self, keys: &[&str]) -> Option<&str> {
        keys.iter().find_map(|key| self.text(key))
    }

    fn first_name(&self, keys: &[&str]) -> Option<&str> {
        keys.iter().find_map(|key| self.name(key))
    }

    fn value(&self, keys: &[&str]) -> Option<&Value> {
        keys.iter().find_map(|key| self.fields.get(*key).filter(|value| !value.is_null()))
    }

    fn is_set(&self, key: &str) -> bool {
        self.fields.get(key) == Some(&Value::Bool(true))
    }

    /// The agent's own name of the conversation.
    pub(crate) fn session(&self) -> Option<&str> {
        self.first_name(&["session_id", "sessionId", "conversation_id", "trajectory_id"])
    }

    /// Where the agent works; of many roots, the first.
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        let roots = self.value(&["workspace_roots"]).and_then(Value::as_array).into_iter().flatten();
        let all = self.text("cwd").into_iter().chain(roots.filter_map(Value::as_str));
        all.map(PathBuf::from).find(|folder| folder.is_absolute())
    }

    /// What somebody typed. What the agent's program typed for itself is none.
    pub(crate) fn prompt(&self) -> Option<&str> {
        self.first_text(&["prompt", "user_prompt"]).filter(|prompt| !is_machine_turn(prompt))
    }

    /// The tool that is, or was, used; none where engram itself was asked.
    pub(crate) fn tool(&self, event: HookEvent) -> Option<ToolUse> {
        tool::used(self, event)
    }

    /// What happened, to be kept. Nothing for hooks that only ask.
    pub(crate) fn happened(&self, event: HookEvent, at: Timestamp) -> Option<Event> {
        let said = |sort: EventType, text: &str| Event::new(sort, ends_of(text));
        let told = match event {
            HookEvent::UserPromptSubmit => said(EventType::UserMessage, self.prompt()?),
            // Whoever stops a tool has not seen it fail.
            HookEvent::PostToolUse | HookEvent::PostToolUseFailure if tool::was_stopped(self) => return None,
            HookEvent::PostToolUse | HookEvent::PostToolUseFailure => {
                let tool = self.tool(event)?;
                // It is told, as a sign of what was taken up, and not kept.
                if tool::is_only_seen(&tool.name) {
                    return None;
                }
                Event { tool: Some(tool), ..said(EventType::ToolCall, "") }
            }
            // Compaction ends as a subagent without a type, and tells its summary.
            HookEvent::SubagentStop => {
                let agent = self.first_text(&["agent_type", "subagent_type"])?;
                // What our own agent tells of the memories is known to them.
                if agent.starts_with("engram:") {
                    return None;
                }
                let told = self.first_text(&["last_assistant_message", "summary"])?;
                said(EventType::SubagentResult, told)
            }
            HookEvent::Stop => {
                let keys = ["last_assistant_message", "prompt_response", "response", "text"];
                said(EventType::AssistantMessage, self.first_text(&keys)?)
            }
            HookEvent::SessionStart
            | HookEvent::PreToolUse
            | HookEvent::PreCompact
            | HookEvent::SessionEnd => return None,
        };
        // It has its time already: whoever hears it twice, once from the spool,
        // must know it again.
        Some(Event { session: self.session().map(str::to_owned), time: Some(at), ..told })
    }
}

/// One agent tells the particulars in an object of their own; they are read as if
/// they stood beside the rest.
fn raised(mut fields: Map<String, Value>) -> Map<String, Value> {
    if let Some(Value::Object(inner)) = fields.remove("tool_info") {
        for (key, value) in inner {
            fields.entry(key).or_insert(value);
        }
    }
    fields
}

/// The ends of a text: whatever is longer was pasted or printed, and nobody could
/// look through all of it in time.
pub(crate) fn ends_of(text: &str) -> String {
    ends_within(text, ROOM)
}

fn ends_within(text: &str, room: usize) -> String {
    if text.len() <= room {
        return text.to_owned();
    }
    if room < 2 * NOTE {
        return text[..text.floor_char_boundary(room)].to_owned();
    }
    let end = (room - NOTE) / 2;
    let head = &text[..text.floor_char_boundary(end)];
    let tail = &text[text.ceil_char_boundary(text.len() - end)..];
    format!("{head}\n[{} bytes left out]\n{tail}", text.len() - head.len() - tail.len())
}

/// A value of which no more than so many bytes are told: where it has few parts,
/// the ends of the large ones; otherwise it is told as text.
fn shortened(value: &Value, room: usize, deepest: usize) -> Value {
    if size_of(value) <= room {
        return value.clone();
    }
    let small = |parts: usize| parts <= MOST_PARTS && deepest > 0;
    match value {
        Value::String(text) => Value::String(ends_within(text, room)),
        Value::Array(list) if small(list.len()) => {
            let most = fair_share(list.iter().map(size_of), room);
            list.iter().map(|part| shortened(part, most, deepest - 1)).collect()
        }
        Value::Object(map) if small(map.len()) => {
            let longest = room / (4 * MOST_PARTS);
            let names = || map.keys().map(|name| &name[..name.floor_char_boundary(longest)]);
            let left = room - names().map(str::len).sum::<usize>();
            let most = fair_share(map.values().map(size_of), left);
            let parts = names().zip(map.values());
            Value::Object(
                parts.map(|(name, part)| (name.to_owned(), shortened(part, most, deepest - 1))).collect(),
            )
        }
        whole => Value::String(ends_within(&whole.to_string(), room)),
    }
}

/// In bytes of text; what only holds the parts together counts one for each.
fn size_of(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(list) => list.iter().map(|part| size_of(part) + 1).sum(),
        Value::Object(map) => map.iter().map(|(name, part)| name.len() + size_of(part) + 1).sum(),
        // No number is written longer.
        Value::Null | Value::Bool(_) | Value::Number(_) => 24,
    }
}

/// How much each may have at most, so that together they have no more than there
/// is room for; the small ones have all they need.
fn fair_share(sizes: impl Iterator<Item = usize>, mut room: usize) -> usize {
    let mut sizes: Vec<usize> = sizes.collect();
    sizes.sort_unstable();
    for (index, size) in sizes.iter().enumerate() {
        let share = room / (sizes.len() - index);
        if *size > share {
            return share;
        }
        room -= size;
    }
    usize::MAX
}

/// "<task-notification>...": the program tells the model what became of work in
/// the background, in the place of the user.
fn is_machine_turn(prompt: &str) -> bool {
    let prompt = prompt.trim_start();
    let name = prompt.strip_prefix('<').and_then(|rest| rest.split(['>', ' ', '\n']).next());
    name.is_some_and(|name| name.contains('-') && prompt.trim_end().ends_with(&format!("</{name}>")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;
    use serde_json::json;

    fn input(value: &Value) -> Input {
        Input::read(value.to_string().as_bytes())
    }

    #[test]
    fn what_happened_is_told_as_one_event() {
        let prompt = input(&json!({"session_id": "s", "prompt": "we use tabs", "cwd": "/p"}));
        let event = prompt.happened(HookEvent::UserPromptSubmit, Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!((event.event, event.text.as_str()), (EventType::UserMessage, "we use tabs"));
        assert_eq!((event.session.as_deref(), prompt.folder()), (Some("s"), Some(PathBuf::from("/p"))));

        let tool = json!({"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_response": {"stdout": "ok"}, "duration_ms": 5});
        let event = input(&tool).happened(HookEvent::PostToolUse, Timestamp::UNIX_EPOCH).unwrap();
        let used = event.tool.unwrap();
        assert_eq!((used.ok, used.duration_ms, &used.output), (true, Some(5), &json!({"stdout": "ok"})));

        let failed = json!({"tool_name": "Bash", "tool_input": {"command": "make"}, "error": "Exit code 2"});
        let used = input(&failed)
            .happened(HookEvent::PostToolUseFailure, Timestamp::UNIX_EPOCH)
            .unwrap()
            .tool
            .unwrap();
        assert_eq!((used.ok, used.output), (false, json!("Exit code 2")));

        let stop = input(&json!({"last_assistant_message": "All done."}));
        assert_eq!(
            stop.happened(HookEvent::Stop, Timestamp::UNIX_EPOCH).unwrap().event,
            EventType::AssistantMessage
        );
        let sub = input(&json!({"agent_type": "general-purpose", "last_assistant_message": "found it"}));
        assert_eq!(
            sub.happened(HookEvent::SubagentStop, Timestamp::UNIX_EPOCH).unwrap().event,
            EventType::SubagentResult
        );
    }

    #[test]
    fn what_nobody_said_is_not_told() {
        let task = input(&json!({"prompt": "<task-notification>\n<id>1</id>\n</task-notification>"}));
        assert_eq!(
            (task.prompt(), task.happened(HookEvent::UserPromptSubmit, Timestamp::UNIX_EPOCH)),
            (None, None)
        );
        let compaction = input(&json!({"agent_type": "", "last_assistant_message": "<summary>x</summary>"}));
        assert_eq!(compaction.happened(HookEvent::SubagentStop, Timestamp::UNIX_EPOCH), None);
        let interrupted = json!({"tool_name": "Bash", "error": "interrupted", "is_interrupt": true});
        assert_eq!(input(&interrupted).happened(HookEvent::PostToolUseFailure, Timestamp::UNIX_EPOCH), None);
        let ours = input(
            &json!({"agent_type": "engram:memory-consolidator", "last_assistant_message": "summed up 3"}),
        );
        assert_eq!(ours.happened(HookEvent::SubagentStop, Timestamp::UNIX_EPOCH), None);
        for own in [
            "mcp__plugin_engram_engram__recall_memories",
            "mcp__plugin_engram_consolidator__consolidation_next",
            "mcp__plugin_engram_evolver__deprecate_node",
            "mcp__engram__store_memory",
        ] {
            let own = input(&json!({"tool_name": own, "tool_response": "{}"}));
            assert_eq!(own.happened(HookEvent::PostToolUse, Timestamp::UNIX_EPOCH), None);
        }
        let other = input(&json!({"tool_name": "mcp__github__list", "tool_response": "{}"}));
        assert!(other.happened(HookEvent::PostToolUse, Timestamp::UNIX_EPOCH).is_some());
        // A person may well begin with a tag.
        let person = input(&json!({"prompt": "<div> is the wrong element here, we use <section>"}));
        assert!(person.prompt().is_some());
    }

    #[test]
    fn a_file_that_is_opened_and_a_skill_that_is_loaded_are_told_and_not_kept() {
        for (given, name, told) in [
            (
                json!({"tool_name": "Read", "tool_input": {"file_path": "/p/a.rs", "limit": 9}, "tool_response": {"content": "fn"}}),
                "Read",
                json!({"file_path": "/p/a.rs"}),
            ),
            (
                json!({"toolName": "read_file", "toolArgs": "{\"path\": \"b.rs\"}", "toolResult": "text"}),
                "Read",
                json!({"file_path": "b.rs"}),
            ),
            (
                json!({"tool_name": "Skill", "tool_input": {"skill": "release", "args": "1.2"}, "tool_response": "Launching"}),
                "Skill",
                json!({"skill": "release"}),
            ),
        ] {
            let input = input(&given);
            assert_eq!(input.happened(HookEvent::PostToolUse, Timestamp::UNIX_EPOCH), None, "{given}");
            let tool = input.tool(HookEvent::PostToolUse).unwrap();
            assert_eq!((tool.name.as_str(), &tool.input, &tool.output), (name, &told, &Value::Null));
        }
        // Without a file it is no reading, and is kept like any other tool.
        let other = input(&json!({"tool_name": "view", "tool_input": {"page": 3}, "tool_response": "x"}));
        assert!(other.happened(HookEvent::PostToolUse, Timestamp::UNIX_EPOCH).is_some());
    }

    #[test]
    fn whatever_comes_is_read_as_far_as_it_goes() {
        let deep = "[".repeat(100_000);
        let strange: [&[u8]; 8] = [
            b"",
            b"null",
            b"[1,2]",
            b"{\"prompt\":",
            b"\xff\xfe{}",
            br#"{"prompt": null, "session_id": 7, "tool_name": {"a": []}}"#,
            deep.as_bytes(),
            br#"{"prompt": ["we use tabs"], "last_assistant_message": false}"#,
        ];
        for bytes in strange {
            let input = Input::read(bytes);
            for event in HookEvent::ALL.iter().copied() {
                assert_eq!(
                    input.happened(event, Timestamp::UNIX_EPOCH),
                    None,
                    "{:?}",
                    String::from_utf8_lossy(bytes)
                );
            }
        }
        let torn = Input::read(b"{\"prompt\": \"caf\xe9 uses tabs\"}");
        assert!(torn.prompt().is_some_and(|prompt| prompt.starts_with("caf")));
    }

    /// All bytes of text in a value.
    fn bytes_of(value: &Value) -> usize {
        match value {
            Value::String(text) => text.len(),
            Value::Array(list) => list.iter().map(bytes_of).sum(),
            Value::Object(map) => map.iter().map(|(name, value)| name.len() + bytes_of(value)).sum(),
            plain => plain.to_string().len(),
        }
    }

    /// Whatever was told, no event of it is too long to be looked through.
    fn is_short(input: &Input) -> bool {
        HookEvent::ALL.iter().all(|event| {
            let _ = (input.prompt(), input.session(), input.folder(), input.name("reason"));
            input.happened(*event, Timestamp::UNIX_EPOCH).is_none_or(|event| {
                let tool = event.tool.as_ref();
                let used = tool.map_or(0, |it| it.name.len() + bytes_of(&it.input) + bytes_of(&it.output));
                event.text.len() + event.session.map_or(0, |name| name.len()) + used <= 200_000
            })
        })
    }

    const FIELDS: [&str; 30] = [
        "session_id",
        "conversation_id",
        "cwd",
        "workspace_roots",
        "prompt",
        "tool_name",
        "tool_input",
        "tool_response",
        "toolName",
        "toolArgs",
        "toolResult",
        "tool_info",
        "tool_output",
        "mcp_server_name",
        "mcp_tool_name",
        "mcp_tool_arguments",
        "mcp_context",
        "command",
        "output",
        "file_path",
        "edits",
        "error",
        "duration_ms",
        "is_interrupt",
        "agent_type",
        "summary",
        "last_assistant_message",
        "text",
        "source",
        "reason",
    ];

    const STARTS: [&[u8]; 4] = [b"", b"{", b"{\"prompt\":\"", b"\xef\xbb\xbf{"];

    /// A text that is short, or of many kilobytes.
    fn text() -> impl Strategy<Value = String> {
        prop_oneof![
            4 => any::<String>(),
            1 => "[a-zç漢\u{0}\\n]{1,40}",
            1 => ("[aç漢\u{1}]{1,3}", 1_usize..20_000).prop_map(|(text, count)| text.repeat(count)),
        ]
    }

    /// JSON of any shape.
    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            1 => Just(Value::Null),
            1 => any::<bool>().prop_map(Value::from),
            1 => any::<i64>().prop_map(Value::from),
            1 => any::<f64>().prop_map(Value::from),
            4 => text().prop_map(Value::from),
        ];
        leaf.prop_recursive(6, 48, 40, |inner| {
            prop_oneof![
                vec(inner.clone(), 0..40).prop_map(Value::from),
                vec((text(), inner), 0..40).prop_map(|parts| Value::Object(parts.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(32) })]

        #[test]
        fn any_bytes_are_read(bytes in vec(any::<u8>(), 0..400), start in select(&STARTS[..])) {
            prop_assert!(is_short(&Input::read(&[start, &bytes].concat())));
        }

        #[test]
        fn any_json_is_read(value in json()) {
            prop_assert!(is_short(&input(&value)));
        }

        #[test]
        fn any_fields_are_read(fields in vec((select(&FIELDS[..]), json()), 0..20), known in any::<bool>()) {
            let mut fields: Map<String, Value> =
                fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            // Most events are told only where these are texts.
            if known {
                for name in ["tool_name", "agent_type"] {
                    fields.insert(name.to_owned(), "Bash".into());
                }
            }
            let input = input(&Value::Object(fields));
            prop_assert!(is_short(&input));
        }
    }

    #[test]
    fn what_is_large_is_told_by_its_ends_and_what_is_small_as_it_is() {
        let output = json!({"stdout": "x".repeat(10 << 20), "stderr": "make: no rule", "code": 2});
        let told = input(&json!({"tool_name": "Bash", "tool_response": output}));
        let event = told.happened(HookEvent::PostToolUse, Timestamp::UNIX_EPOCH).unwrap();
        let output = event.tool.unwrap().output;
        assert_eq!((&output["stderr"], &output["code"]), (&json!("make: no rule"), &json!(2)));
        let stdout = output["stdout"].as_str().unwrap();
        assert!(stdout.len() > 100_000 && stdout.contains("bytes left out]"));

        // However deep it lies, it is looked through a few times only.
        let deep = (0..100).fold(json!("y".repeat(1 << 20)), |inner, _| json!({"a": inner}));
        assert!(bytes_of(&shortened(&deep, ROOM, DEEPEST)) <= ROOM);
        let wide =
            json!((0..100_000).map(|number| (number.to_string(), number.into())).collect::<Map<_, _>>());
        assert!(shortened(&wide, ROOM, DEEPEST).is_string());
        let parts = json!(
            (0..32).map(|number| (number.to_string(), "z".repeat(1 << 16).into())).collect::<Map<_, _>>()
        );
        let parts = shortened(&parts, ROOM, DEEPEST);
        assert!(parts.is_object() && bytes_of(&parts) <= ROOM, "{}", bytes_of(&parts));
    }
}
