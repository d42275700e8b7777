//! What each agent tells, by its own names, and what is understood of it. The
//! inputs are written after the agents' documents; no client of theirs was seen.

use super::Input;
use HookEvent::{
    PostToolUse, PostToolUseFailure, PreCompact, PreToolUse, SessionEnd, SessionStart, Stop, SubagentStop,
    UserPromptSubmit,
};
use engram_core::Timestamp;
use engram_wire::message::HookEvent;
use serde_json::{Value, json};
use std::path::Path;

/// What is kept, in one line: whose words, or the tool with what it was given,
/// whether it worked, and what came of it.
fn kept(input: &Input, event: HookEvent) -> Option<String> {
    let told = input.happened(event, Timestamp::UNIX_EPOCH)?;
    assert_eq!(told.session.as_deref(), input.session());
    Some(match told.tool {
        None => format!("{}: {}", told.event, told.text),
        Some(tool) => {
            let took = tool.duration_ms.map(|ms| format!(" in {ms} ms")).unwrap_or_default();
            let ok = if tool.ok { "ok" } else { "failed" };
            format!("{} {} {ok}{took}: {}", tool.name, tool.input, tool.output)
        }
    })
}

/// Every input is of the session `s` in the folder `/p`, unless it says otherwise.
fn check(common: &Value, cases: &[(HookEvent, Value, Option<&str>)]) {
    for (event, own, expected) in cases {
        let mut whole = common.clone();
        whole.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
        let input = Input::read(whole.to_string().as_bytes());
        assert_eq!(kept(&input, *event).as_deref(), *expected, "{event} {own}");
        assert_eq!(input.session(), Some("s"), "{whole}");
    }
}

fn folder_of(value: &Value) -> Option<String> {
    Input::read(value.to_string().as_bytes()).folder().map(|folder| folder.display().to_string())
}

#[test]
fn windsurf_is_understood() {
    let common = json!({"trajectory_id": "s", "execution_id": "e", "timestamp": "2026-11-15T10:00:00Z", "model_name": "m"});
    let info = |action: &str, info: Value| json!({"agent_action_name": action, "tool_info": info});
    check(
        &common,
        &[
            (
                UserPromptSubmit,
                info("pre_user_prompt", json!({"user_prompt": "we use tabs"})),
                Some("user_message: we use tabs"),
            ),
            (
                Stop,
                info("post_cascade_response", json!({"response": "All done."})),
                Some("assistant_message: All done."),
            ),
            (
                PostToolUse,
                info("post_run_command", json!({"command_line": "make test", "cwd": "/p"})),
                Some(r#"Bash {"command":"make test"} ok: null"#),
            ),
            (
                PostToolUse,
                info(
                    "post_write_code",
                    json!({"file_path": "/p/a.rs", "edits": [{"old_string": "a", "new_string": "b"}]}),
                ),
                Some(
                    r#"Edit {"file_path":"/p/a.rs","edits":[{"old_string":"a","new_string":"b"}]} ok: null"#,
                ),
            ),
            (
                PostToolUse,
                info(
                    "post_mcp_tool_use",
                    json!({"mcp_server_name": "github", "mcp_tool_name": "list", "mcp_tool_arguments": {"of": "x"}, "mcp_result": "three"}),
                ),
                Some(r#"mcp__github__list {"of":"x"} ok: "three""#),
            ),
            (
                PostToolUse,
                info(
                    "post_mcp_tool_use",
                    json!({"mcp_server_name": "engram", "mcp_tool_name": "undo", "mcp_result": "{}"}),
                ),
                None,
            ),
            (Stop, info("post_cascade_response", json!({"response": 7})), None),
            (Stop, json!({"tool_info": "response"}), None),
        ],
    );
    assert_eq!(
        folder_of(&info("x", json!({"command_line": "ls", "cwd": "/p/sub"}))).as_deref(),
        Some("/p/sub")
    );
}

#[test]
fn copilot_is_understood() {
    let common = json!({"timestamp": 1_763_200_000_000_u64, "cwd": "/p", "sessionId": "s"});
    let bash = r#"{"command":"make test","description":"tests"}"#;
    check(
        &common,
        &[
            (SessionStart, json!({"source": "new", "initialPrompt": "hello"}), None),
            (UserPromptSubmit, json!({"prompt": "we use tabs"}), Some("user_message: we use tabs")),
            (
                PostToolUse,
                json!({"toolName": "bash", "toolArgs": bash, "toolResult": {"resultType": "success", "textResultForLlm": "3 passed"}}),
                Some(r#"Bash {"command":"make test","description":"tests"} ok: "3 passed""#),
            ),
            (
                PostToolUse,
                json!({"toolName": "bash", "toolArgs": {"command": "make"}, "toolResult": {"resultType": "failure", "textResultForLlm": "no rule"}}),
                Some(r#"Bash {"command":"make"} failed: "no rule""#),
            ),
            (
                PostToolUse,
                json!({"toolName": "bash", "toolArgs": {"command": "make"}, "toolResult": {"resultType": "success", "textResultForLlm": "no rule\n<exited with exit code 2>"}}),
                Some(r#"Bash {"command":"make"} failed: "no rule\n<exited with exit code 2>""#),
            ),
            // What somebody did not allow has not failed.
            (
                PostToolUse,
                json!({"toolName": "bash", "toolArgs": bash, "toolResult": {"resultType": "denied", "textResultForLlm": "no"}}),
                None,
            ),
            (
                PostToolUse,
                json!({"toolName": "edit", "toolArgs": r#"{"path":"/p/a.rs","old_str":"a"}"#, "toolResult": {"resultType": "success"}}),
                Some(r#"Edit {"file_path":"/p/a.rs","old_str":"a"} ok: {"resultType":"success"}"#),
            ),
            (
                PostToolUseFailure,
                json!({"toolName": "bash", "toolArgs": bash, "error": {"name": "Error", "message": "no shell"}}),
                Some(r#"Bash {"command":"make test","description":"tests"} failed: "no shell""#),
            ),
            (PostToolUse, json!({"toolName": "engram-recall_memories", "toolArgs": "{}"}), None),
            (
                PostToolUse,
                json!({"toolName": "bash", "toolArgs": "{broken"}),
                Some(r#"bash "{broken" ok: null"#),
            ),
            // It does not tell what was answered.
            (Stop, json!({"transcriptPath": "/t", "stopReason": "end_turn"}), None),
            (SubagentStop, json!({"agentName": "task", "stopReason": "end_turn"}), None),
            (PreCompact, json!({"trigger": "auto"}), None),
            (SessionEnd, json!({"reason": "complete"}), None),
        ],
    );
}

#[test]
fn the_editor_of_copilot_is_understood() {
    let common =
        json!({"timestamp": "2026-11-15T10:00:00Z", "cwd": "/p", "session_id": "s", "transcript_path": "/t"});
    check(
        &common,
        &[
            (UserPromptSubmit, json!({"prompt": "we use tabs"}), Some("user_message: we use tabs")),
            (
                PostToolUse,
                json!({"tool_name": "run_in_terminal", "tool_input": {"command": "make"}, "tool_response": "done"}),
                Some(r#"Bash {"command":"make"} ok: "done""#),
            ),
            (
                PostToolUse,
                json!({"tool_name": "replace_string_in_file", "tool_input": {"filePath": "/p/a.rs"}, "tool_response": "ok"}),
                Some(r#"Edit {"file_path":"/p/a.rs"} ok: "ok""#),
            ),
            (
                PostToolUse,
                json!({"tool_name": "editFiles", "tool_input": {"files": ["/p/b.rs"]}, "tool_response": "ok"}),
                Some(r#"Edit {"file_path":"/p/b.rs","files":["/p/b.rs"]} ok: "ok""#),
            ),
            (PostToolUse, json!({"tool_name": "mcp_engram_store_memory", "tool_response": "ok"}), None),
        ],
    );
}

#[test]
fn gemini_is_understood() {
    let common =
        json!({"session_id": "s", "cwd": "/p", "transcript_path": "/t", "timestamp": "2026-11-15T10:00:00Z"});
    check(
        &common,
        &[
            (UserPromptSubmit, json!({"prompt": "we use tabs"}), Some("user_message: we use tabs")),
            (
                Stop,
                json!({"prompt": "we use tabs", "prompt_response": "Noted.", "stop_hook_active": false}),
                Some("assistant_message: Noted."),
            ),
            (
                PostToolUse,
                json!({"tool_name": "run_shell_command", "tool_input": {"command": "make"}, "tool_response": {"llmContent": "Output: done\nExit Code: 0", "returnDisplay": "done", "error": null}}),
                Some(r#"Bash {"command":"make"} ok: "Output: done\nExit Code: 0""#),
            ),
            (
                PostToolUse,
                json!({"tool_name": "run_shell_command", "tool_input": {"command": "make"}, "tool_response": {"llmContent": "Output: no rule\nExit Code: 2\nSignal: (none)"}}),
                Some(r#"Bash {"command":"make"} failed: "Output: no rule\nExit Code: 2\nSignal: (none)""#),
            ),
            (
                PostToolUse,
                json!({"tool_name": "write_file", "tool_input": {"file_path": "/p/a.rs", "content": "x"}, "tool_response": {"llmContent": "written"}}),
                Some(r#"Edit {"file_path":"/p/a.rs","content":"x"} ok: "written""#),
            ),
            (
                PostToolUse,
                json!({"tool_name": "replace", "tool_input": {"file_path": "/p/a.rs"}, "tool_response": {"llmContent": "x", "returnDisplay": "x", "error": {"message": "not found", "type": "edit_no_occurrence_found"}}}),
                Some(r#"Edit {"file_path":"/p/a.rs"} failed: "not found""#),
            ),
            (
                PostToolUse,
                json!({"tool_name": "undo", "mcp_context": {"server_name": "engram"}, "tool_response": {"llmContent": "x"}}),
                None,
            ),
            (PreToolUse, json!({"tool_name": "run_shell_command", "tool_input": {"command": "make"}}), None),
        ],
    );
}

#[test]
fn cursor_is_understood() {
    let common = json!({
        "conversation_id": "s", "generation_id": "g", "workspace_roots": ["/p"], "cursor_version": "3.24",
    });
    check(
        &common,
        &[
            (
                UserPromptSubmit,
                json!({"prompt": "we use tabs", "attachments": []}),
                Some("user_message: we use tabs"),
            ),
            (Stop, json!({"text": "All done."}), Some("assistant_message: All done.")),
            (Stop, json!({"status": "completed", "loop_count": 0}), None),
            (
                PostToolUse,
                json!({"command": "make", "output": "no rule", "duration": 1234.5}),
                Some(r#"Bash {"command":"make"} ok in 1234 ms: "no rule""#),
            ),
            (
                PostToolUse,
                json!({"file_path": "/p/a.rs", "edits": []}),
                Some(r#"Edit {"file_path":"/p/a.rs","edits":[]} ok: null"#),
            ),
            (
                PostToolUse,
                json!({"tool_name": "Shell", "tool_input": {"command": "make"}, "tool_output": r#"{"exitCode":0,"stdout":"ok"}"#, "duration": 7}),
                Some(r#"Bash {"command":"make"} ok in 7 ms: "{\"exitCode\":0,\"stdout\":\"ok\"}""#),
            ),
            (
                PostToolUse,
                json!({"tool_name": "Shell", "tool_input": {"command": "make"}, "tool_output": r#"{"exitCode":2}"#}),
                Some(r#"Bash {"command":"make"} failed: "{\"exitCode\":2}""#),
            ),
            (
                PostToolUse,
                json!({"tool_name": "Write", "tool_input": {"path": "/p/a.rs"}, "tool_output": "{}"}),
                Some(r#"Edit {"file_path":"/p/a.rs"} ok: "{}""#),
            ),
            (
                PostToolUseFailure,
                json!({"tool_name": "Shell", "tool_input": {"command": "make"}, "error_message": "timed out", "failure_type": "timeout", "is_interrupt": false}),
                Some(r#"Bash {"command":"make"} failed: "timed out""#),
            ),
            (
                PostToolUseFailure,
                json!({"tool_name": "Shell", "error_message": "no", "failure_type": "permission_denied"}),
                None,
            ),
            (PostToolUse, json!({"tool_name": "MCP:recall_memories", "tool_output": "{}"}), None),
            (
                SubagentStop,
                json!({"subagent_type": "explore", "status": "completed", "summary": "found it"}),
                Some("subagent_result: found it"),
            ),
        ],
    );
    for (value, folder) in [
        (json!({"workspace_roots": ["/p", "/q"]}), Some("/p")),
        (json!({"workspace_roots": ["p", 7, "/q"]}), Some("/q")),
        (json!({"workspace_roots": ["/p"], "cwd": "/c"}), Some("/c")),
        (json!({"workspace_roots": ["/p"], "cwd": ""}), Some("/p")),
        (json!({"workspace_roots": "/p"}), None),
    ] {
        assert_eq!(folder_of(&value).as_deref(), folder, "{value}");
    }
}

#[test]
fn opencode_and_codex_are_understood() {
    let common = json!({"session_id": "s", "cwd": "/p"});
    let patch = "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-a\n+b\n*** End Patch";
    check(
        &common,
        &[
            (
                PostToolUse,
                json!({"tool_name": "bash", "tool_input": {"command": "make"}, "tool_response": "{\"error\": \"as it was printed\"}"}),
                Some(r#"Bash {"command":"make"} ok: "{\"error\": \"as it was printed\"}""#),
            ),
            (
                PostToolUse,
                json!({"tool_name": "edit", "tool_input": {"filePath": "/p/a.rs", "oldString": "a"}, "tool_response": ""}),
                Some(r#"Edit {"file_path":"/p/a.rs","oldString":"a"} ok: """#),
            ),
            (
                PostToolUse,
                json!({"tool_name": "bash", "tool_input": {"command": "make"}, "tool_response": "no rule", "exit_code": 2}),
                Some(r#"Bash {"command":"make"} failed: "no rule""#),
            ),
            (PostToolUse, json!({"tool_name": "engram_store_memory", "tool_response": ""}), None),
            (
                PostToolUse,
                json!({"tool_name": "apply_patch", "tool_input": {"command": patch}, "tool_response": "ok"}),
                Some(r#"Edit {"file_path":"src/a.rs"} ok: "ok""#),
            ),
            (Stop, json!({"last_assistant_message": "All done."}), Some("assistant_message: All done.")),
        ],
    );
    assert_eq!(folder_of(&common).as_deref().map(Path::new), Some(Path::new("/p")));
}
