//! The tool that an agent tells of, in the words that the daemon learns from: what
//! runs a command is `Bash`, what changes a file is `Edit`, what opens one is
//! `Read`, whatever the agent calls them.
//!
//! Only names of fields and of tools are known here, not which agent uses them.

use super::{DEEPEST, Input, ROOM, ROOM_FOR_INPUT, ROOM_FOR_NAME, shortened};
use engram_core::turn::ToolUse;
use engram_wire::message::HookEvent;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// Tools that run a command line, in small letters.
const COMMANDS: [&str; 9] = [
    "bash",
    "shell",
    "powershell",
    "terminal",
    "local_shell",
    "run_shell_command",
    "run_in_terminal",
    "runinterminal",
    "run_terminal_cmd",
];

/// Tools that change a file, in small letters.
const EDITS: [&str; 16] = [
    "edit",
    "write",
    "multiedit",
    "create",
    "replace",
    "write_file",
    "edit_file",
    "create_file",
    "editfiles",
    "search_replace",
    "strreplace",
    "insert_edit_into_file",
    "replace_string_in_file",
    "multi_replace_string_in_file",
    "patch",
    "apply_patch",
];

/// Tools that open a file, in small letters.
const READS: [&str; 5] = ["read", "read_file", "readfile", "view", "view_file"];

/// Tools of which only that they were used is a sign: a file was opened, a skill
/// was loaded. What they answer is not told.
const SEEN: [&str; 2] = ["Read", "Skill"];

/// How agents call the name of a skill.
const SKILL_KEYS: [&str; 3] = ["skill", "command", "name"];

/// What a tool answers, and what it says where it failed.
const ANSWERS: [&str; 5] = ["tool_response", "toolResult", "tool_output", "output", "mcp_result"];
const ERRORS: [&str; 3] = ["error", "error_message", "errorMessage"];

/// A text of more bytes is not read as JSON to see what lies in it.
const LONGEST_JSON: usize = 1 << 20;

/// The tool that is, or was, used; none where engram itself was asked.
pub(super) fn used(input: &Input, event: HookEvent) -> Option<ToolUse> {
    let (name, given) = named(input)?;
    let mut answer = Answer::of(input);
    if is_only_seen(&name) {
        answer.told = None;
    }
    let failed = event == HookEvent::PostToolUseFailure || answer.failed;
    let error = input.value(&ERRORS).map(message_of).filter(|_| event == HookEvent::PostToolUseFailure);
    let output = error.or(answer.told).map(|value| shortened(value, ROOM, DEEPEST));
    Some(ToolUse {
        name,
        input: shortened(&given, ROOM_FOR_INPUT, DEEPEST),
        output: output.unwrap_or_default(),
        ok: !failed,
        duration_ms: input.value(&["duration_ms", "durationMs", "duration"]).and_then(milliseconds),
    })
}

/// Whether the use of a tool is a sign, and nothing to be kept.
pub(super) fn is_only_seen(name: &str) -> bool {
    SEEN.contains(&name)
}

/// Whether somebody stopped the tool, or did not let it run: that is no failure.
pub(super) fn was_stopped(input: &Input) -> bool {
    let denied = ["denied", "rejected", "permission_denied"];
    let result = input.value(&ANSWERS).and_then(|answer| answer.get("resultType")).and_then(Value::as_str);
    input.is_set("is_interrupt")
        || result.is_some_and(|result| denied.contains(&result))
        || input.text("failure_type").is_some_and(|sort| denied.contains(&sort))
}

/// Its name and what it was given.
fn named(input: &Input) -> Option<(String, Value)> {
    if let Some(name) = input.first_name(&["tool_name", "toolName"]) {
        let server = input.value(&["mcp_context"]).and_then(|context| context.get("server_name"));
        let is_own = is_own_tool(name) || server.and_then(Value::as_str) == Some("engram");
        let given = input.value(&["tool_input", "toolArgs"]).map(opened).unwrap_or_default();
        return (!is_own).then(|| in_our_words(name, given));
    }
    if let Some(name) = input.first_name(&["mcp_tool_name"]) {
        let whole = match input.first_name(&["mcp_server_name"]) {
            Some(server) => format!("mcp__{server}__{name}"),
            None => name.to_owned(),
        };
        let whole = whole[..whole.floor_char_boundary(ROOM_FOR_NAME)].to_owned();
        let given = input.value(&["mcp_tool_arguments"]).map(opened).unwrap_or_default();
        return (!is_own_tool(&whole)).then_some((whole, given));
    }
    // Some agents have an event for each sort of tool, and tell no name.
    if let Some(command) = input.first_text(&["command", "command_line"]) {
        return Some(("Bash".to_owned(), json!({ "command": command })));
    }
    let mut given = Map::from_iter([("file_path".to_owned(), input.text("file_path")?.into())]);
    given.extend(input.value(&["edits"]).map(|edits| ("edits".to_owned(), edits.clone())));
    Some(("Edit".to_owned(), Value::Object(given)))
}

/// A tool by the name that the daemon knows, and what it is used on by its key.
/// What has both already stays as it is.
fn in_our_words(name: &str, given: Value) -> (String, Value) {
    let small = name.to_lowercase();
    let has = |key: &str| given.get(key).is_some_and(Value::is_string);
    if COMMANDS.contains(&small.as_str()) && has("command") {
        return ("Bash".to_owned(), given);
    }
    if READS.contains(&small.as_str())
        && let Some(file) = file_of(&given)
    {
        return ("Read".to_owned(), json!({ "file_path": file }));
    }
    if small == "skill"
        && let Some(skill) = SKILL_KEYS.iter().find_map(|key| given.get(key)?.as_str())
    {
        return ("Skill".to_owned(), json!({ "skill": skill }));
    }
    let is_known = ["Edit", "Write", "MultiEdit"].contains(&name) && has("file_path");
    if is_known || !EDITS.contains(&small.as_str()) {
        return (name.to_owned(), given);
    }
    let Some(file) = file_of(&given) else { return (name.to_owned(), given) };
    let mut told = Map::from_iter([("file_path".to_owned(), file.into())]);
    if let Value::Object(given) = given {
        // A patch under the name of a command is not to be taken for one.
        let rest =
            given.into_iter().filter(|(key, _)| !FILE_KEYS.contains(&key.as_str()) && key != "command");
        told.extend(rest);
    }
    ("Edit".to_owned(), Value::Object(told))
}

const FILE_KEYS: [&str; 5] = ["file_path", "filePath", "path", "target_file", "absolute_path"];

/// The file that an edit is made in: by its key, as the first of many, or as a
/// patch names it.
fn file_of(given: &Value) -> Option<String> {
    let named = FILE_KEYS.iter().find_map(|key| given.get(key)?.as_str());
    let listed = || given.get("files")?.get(0)?.as_str();
    let patched = || {
        let texts =
            ["command", "input", "patch", "patchText"].iter().filter_map(|key| given.get(key)?.as_str());
        texts.chain(given.as_str()).find_map(patched_file)
    };
    named.or_else(listed).or_else(patched).filter(|file| !file.trim().is_empty()).map(str::to_owned)
}

fn patched_file(patch: &str) -> Option<&str> {
    let starts = ["*** Update File: ", "*** Add File: ", "*** Delete File: "];
    patch.lines().find_map(|line| starts.iter().find_map(|start| line.strip_prefix(start))).map(str::trim)
}

/// What came of the use of a tool.
#[derive(Default)]
struct Answer<'a> {
    told: Option<&'a Value>,
    failed: bool,
}

impl<'a> Answer<'a> {
    fn of(input: &'a Input) -> Self {
        let Some(whole) = input.value(&ANSWERS) else { return Self::default() };
        let in_words = ["textResultForLlm", "llmContent"].iter().find_map(|key| whole.get(key));
        let error = whole.get("error").filter(|error| says_something(error));
        let result = whole.get("resultType").and_then(Value::as_str);
        // This one comes as the text of an object.
        let opened_text = input.value(&["tool_output"]).map(opened);
        let beside = input.value(&["exit_code"]).and_then(Value::as_i64);
        let code = beside.or_else(|| opened_text.as_ref().and_then(exit_code)).or_else(|| exit_code(whole));
        let code = code.or_else(|| in_words.and_then(Value::as_str).and_then(exit_code_in));
        Self {
            told: Some(match (error, in_words) {
                // An agent that has words for the model says there what failed.
                (Some(error), Some(_)) => message_of(error),
                (None, Some(words)) => words,
                (_, None) => whole,
            }),
            failed: error.is_some()
                || result.is_some_and(|result| ["failure", "error", "timeout"].contains(&result))
                || code.is_some_and(|code| code != 0),
        }
    }
}

fn exit_code(answer: &Value) -> Option<i64> {
    ["exitCode", "exit_code"].iter().find_map(|key| answer.get(key)?.as_i64())
}

/// The code that a shell ended with, where an agent writes it below the output:
/// `Exit Code: 2`, or `<exited with exit code 2>`.
fn exit_code_in(text: &str) -> Option<i64> {
    text.lines().rev().take(8).find_map(|line| {
        let code = line.trim().strip_prefix("Exit Code: ");
        let code = code.or_else(|| line.trim().strip_prefix("<exited with exit code ")?.strip_suffix('>'));
        code?.trim().parse().ok()
    })
}

fn says_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(object) => !object.is_empty(),
        Value::Bool(true) | Value::Number(_) => true,
    }
}

/// What an error says, where it is more than a text.
fn message_of(error: &Value) -> &Value {
    error.get("message").filter(|message| message.is_string()).unwrap_or(error)
}

/// The object in a text that is one; anything else as it is.
fn opened(value: &Value) -> Value {
    let text = value.as_str().filter(|text| text.len() <= LONGEST_JSON && text.trim_start().starts_with('{'));
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_else(|| value.clone())
}

fn milliseconds(value: &Value) -> Option<u64> {
    let parts = || Duration::try_from_secs_f64(value.as_f64()? / 1_000.0).ok();
    value.as_u64().or_else(|| u64::try_from(parts()?.as_millis()).ok())
}

/// Tools of our own server, by whatever name a client gives them.
fn is_own_tool(name: &str) -> bool {
    let claude = name.strip_prefix("mcp__").is_some_and(|rest| {
        let ours = |server: &str| server == "engram" || server.ends_with("_engram");
        let plugins = |server: &str| {
            ["_consolidator", "_evolver"].iter().find_map(|own| server.strip_suffix(own)).is_some_and(ours)
        };
        rest.rsplit_once("__").is_some_and(|(server, _)| ours(server) || plugins(server))
    });
    // Cursor does not tell whose tool it is; ours are called after memories.
    let unnamed = name.strip_prefix("MCP:").is_some_and(|rest| rest.contains("memor"));
    let starts = ["mcp_engram_", "engram_", "engram-", "engram/"];
    claude || unnamed || starts.iter().any(|start| name.starts_with(start))
}
