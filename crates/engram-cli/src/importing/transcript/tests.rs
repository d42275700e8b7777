//! Lines as Claude Code writes them, and what becomes of them.

use super::*;
use serde_json::json;

fn line(number: u64, text: impl ToString) -> Line {
    Line { place: Place { offset: number * 100, lines: number }, text: text.to_string() }
}

/// What every message of a transcript has.
fn entry(second: u8, sort: &str, more: Value) -> Value {
    let mut entry = json!({
        "type": sort, "sessionId": "s-1", "cwd": "/home/u/shop", "uuid": "u", "parentUuid": null,
        "isSidechain": false, "timestamp": format!("2026-05-01T10:00:{second:02}.000Z"),
    });
    for (key, value) in more.as_object().unwrap() {
        entry[key] = value.clone();
    }
    entry
}

fn user(content: Value) -> Value {
    entry(1, "user", json!({"message": {"role": "user", "content": content}}))
}

fn assistant(content: Value) -> Value {
    entry(
        2,
        "assistant",
        json!({"message": {"role": "assistant", "model": "m", "id": "msg_1", "content": content}}),
    )
}

fn tool_use(id: &str, name: &str, input: Value) -> Value {
    assistant(json!([{"type": "tool_use", "id": id, "name": name, "input": input}]))
}

fn tool_result(id: &str, content: Value, is_error: bool, told: Value) -> Value {
    let block = json!({"type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error});
    entry(5, "user", json!({"message": {"role": "user", "content": [block]}, "toolUseResult": told}))
}

fn read(reading: &mut Reading, entries: &[Value]) -> Vec<Event> {
    let lines = (0..).zip(entries).map(|(number, entry)| line(number, entry));
    lines.flat_map(|line| events_of_line(&line, reading).unwrap()).collect()
}

/// Each event as its type and its text.
fn told(entries: &[Value]) -> Vec<String> {
    let events = read(&mut Reading::new(Conversation::Users), entries);
    events.iter().map(|event| format!("{}: {}", event.event, event.text)).collect()
}

#[test]
fn what_was_said_keeps_its_time_its_session_and_its_folder() {
    let mut reading = Reading::new(Conversation::Users);
    let events = read(
        &mut reading,
        &[user(json!("we use tabs")), assistant(json!([{"type": "text", "text": "Noted."}]))],
    );
    assert_eq!(reading.folder(), Some(Path::new("/home/u/shop")));
    let [said, answered] = &events[..] else { panic!("{events:?}") };
    assert_eq!((said.event, said.text.as_str()), (EventType::UserMessage, "we use tabs"));
    assert_eq!(said.session.as_deref(), Some("s-1"));
    assert_eq!(said.time.unwrap().to_string(), "2026-05-01T10:00:01Z");
    assert_eq!((answered.event, answered.text.as_str()), (EventType::AssistantMessage, "Noted."));
}

#[test]
fn blocks_of_one_message_are_one_message_and_images_are_none() {
    let blocks = json!([
        {"type": "text", "text": "<ide_opened_file>a.rs</ide_opened_file>"},
        {"type": "text", "text": "look at this"},
        {"type": "image", "source": {"type": "base64", "data": "AAAA"}},
        {"type": "text", "text": "it is too small"},
    ]);
    assert_eq!(told(&[user(blocks)]), ["user_message: look at this\n\nit is too small"]);
}

#[test]
fn thinking_is_never_taken() {
    let blocks = json!([
        {"type": "thinking", "thinking": "hm", "signature": "x"},
        {"type": "redacted_thinking", "data": "x"},
        {"type": "text", "text": "I looked."},
        {"type": "text", "text": "(no content)"},
    ]);
    assert_eq!(told(&[assistant(blocks)]), ["assistant_message: I looked."]);
}

#[test]
fn a_tool_call_is_told_when_it_answers() {
    let calls = json!([
        {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "cargo test"}},
        {"type": "tool_use", "id": "t2", "name": "Read", "input": {"file_path": "/a"}},
    ]);
    let answer = json!([{"type": "text", "text": "fn a() {}\n<system-reminder>x</system-reminder>"}]);
    let entries = [
        assistant(calls),
        tool_result("t2", answer, false, json!({"durationMs": 7})),
        tool_result("t1", json!("Exit code 101\nfailed"), true, json!("Error: Exit code 101")),
    ];
    let events = read(&mut Reading::new(Conversation::Users), &entries);
    let tools: Vec<&ToolUse> = events.iter().map(|event| event.tool.as_ref().unwrap()).collect();
    let [second, first] = tools[..] else { panic!("{events:?}") };
    assert_eq!((second.name.as_str(), second.ok, second.duration_ms), ("Read", true, Some(7)));
    assert_eq!(second.output, json!("fn a() {}"));
    assert_eq!((first.name.as_str(), first.ok, first.duration_ms), ("Bash", false, None));
    assert_eq!(first.input, json!({"command": "cargo test"}));
    assert_eq!(events[0].time.unwrap().to_string(), "2026-05-01T10:00:05Z");
}

#[test]
fn the_next_reading_goes_back_to_a_call_without_an_answer() {
    let end = Place { offset: 900, lines: 9 };
    let mut reading = Reading::new(Conversation::Users);
    let entries =
        [user(json!("go on")), tool_use("t1", "Bash", json!({})), tool_use("t2", "Bash", json!({}))];
    assert_eq!(read(&mut reading, &entries).len(), 1);
    assert_eq!(reading.next_from(end), Place { offset: 100, lines: 1 });
    read(&mut reading, &[tool_result("t1", json!("ok"), false, json!(null))]);
    assert_eq!(reading.next_from(end), Place { offset: 200, lines: 2 });
    // The next message of the user: the session was cut short before it.
    read(&mut reading, &[user(json!("<local-command-stdout>x</local-command-stdout>"))]);
    assert_eq!(reading.next_from(end), Place { offset: 200, lines: 2 });
    read(&mut reading, &[user(json!("where were we"))]);
    assert_eq!(reading.next_from(end), end);
    assert!(reading.finish().is_empty());
}

#[test]
fn a_tool_that_was_refused_did_nothing_but_the_user_may_have_said_why() {
    let refused = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
    let with_words = format!("{refused} To tell you how to proceed, the user said:\nuse pnpm here");
    let entries = [
        tool_use("t1", "Bash", json!({"command": "npm i"})),
        tool_result("t1", json!(with_words), true, json!(null)),
        tool_use("t2", "Bash", json!({"command": "npm i"})),
        tool_result("t2", json!(refused), true, json!(null)),
        tool_use("t3", "Bash", json!({"command": "sleep 9"})),
        tool_result("t3", json!("[Request interrupted by user for tool use]"), true, json!(null)),
    ];
    assert_eq!(told(&entries), ["user_message: use pnpm here"]);
}

#[test]
fn a_subagent_is_heard_once_at_its_end() {
    let aside = |content: &str| {
        entry(
            3,
            "assistant",
            json!({"isSidechain": true, "message": {"role": "assistant", "content": [{"type": "text", "text": content}]}}),
        )
    };
    let whole = json!([{"type": "text", "text": "cache.rs owns it"}, {"type": "text", "text": "agentId: a1 (to resume)"}]);
    let notice =
        "<task-notification>\n<task-id>a2</task-id>\n<result>no tests use it</result>\n</task-notification>";
    let entries = [
        tool_use("t1", "Task", json!({"prompt": "who owns the cache"})),
        aside("looking"),
        aside("cache.rs owns it"),
        tool_result("t1", whole, false, json!({"status": "completed", "totalDurationMs": 5})),
        tool_use("t2", "Agent", json!({"prompt": "is it tested"})),
        tool_result(
            "t2",
            json!("Async agent launched successfully."),
            false,
            json!({"isAsync": true, "status": "async_launched"}),
        ),
        entry(
            7,
            "user",
            json!({"origin": {"kind": "task-notification"}, "message": {"role": "user", "content": notice}}),
        ),
    ];
    assert_eq!(told(&entries), ["subagent_result: cache.rs owns it", "subagent_result: no tests use it"]);
}

#[test]
fn of_a_subagents_own_file_only_the_last_words_are_taken() {
    let mut reading = Reading::new(Conversation::Subagents);
    let said = |sort: &str, content: Value| {
        entry(
            3,
            sort,
            json!({"isSidechain": true, "agentId": "a1", "message": {"role": sort, "content": content}}),
        )
    };
    let entries = [
        said("user", json!("who owns the cache")),
        said("assistant", json!([{"type": "text", "text": "I will look."}])),
        said("assistant", json!([{"type": "tool_use", "id": "t", "name": "Read", "input": {}}])),
        said("user", json!([{"type": "tool_result", "tool_use_id": "t", "content": "x"}])),
    ];
    assert!(read(&mut reading, &entries).is_empty());
    assert!(reading.last_words.is_none());
    read(&mut reading, &[said("assistant", json!([{"type": "text", "text": "cache.rs owns it"}]))]);
    let events = reading.finish();
    assert_eq!((events[0].event, events[0].text.as_str()), (EventType::SubagentResult, "cache.rs owns it"));
}

#[test]
fn what_nobody_said_is_left_out() {
    let flagged =
        |flag: &str| entry(1, "user", json!({flag: true, "message": {"role": "user", "content": "x"}}));
    let peer = json!({"origin": {"kind": "peer"}, "message": {"role": "user", "content": "take over"}});
    let beside = json!([{"type": "tool_result", "tool_use_id": "gone", "content": "x"}, {"type": "text", "text": "Tool loaded."}]);
    let synthetic = json!({"message": {"model": "<synthetic>", "content": [{"type": "text", "text": "No response requested."}]}});
    let entries = [
        flagged("isMeta"),
        flagged("isCompactSummary"),
        flagged("isVisibleInTranscriptOnly"),
        flagged("isApiErrorMessage"),
        entry(1, "user", peer),
        user(beside),
        user(json!("[Request interrupted by user]")),
        entry(1, "assistant", synthetic),
        json!({"type": "summary", "summary": "Fix it", "leafUuid": "u"}),
        json!({"type": "file-history-snapshot", "messageId": "m", "snapshot": {}, "message": 3}),
        json!({"type": "queue-operation", "operation": "enqueue", "content": "and the tests", "sessionId": "s"}),
        json!({"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"}),
        json!({"type": "attachment", "attachment": {"type": "hook_additional_context", "content": ["memory"]}}),
        json!({"type": "a-type-of-next-year", "timestamp": 12}),
        json!([1]),
    ];
    assert_eq!(told(&entries), Vec::<String>::new());
}

#[test]
fn what_the_user_typed_while_the_agent_worked_is_heard() {
    let queued = |attachment: Value| entry(4, "attachment", json!({"attachment": attachment}));
    let entries = [
        tool_use("t1", "Bash", json!({})),
        queued(
            json!({"type": "queued_command", "commandMode": "prompt", "prompt": "and the tests", "origin": {"kind": "human"}}),
        ),
        queued(json!({"type": "queued_command", "commandMode": "bash", "prompt": "ls"})),
        queued(
            json!({"type": "queued_command", "commandMode": "prompt", "prompt": "from a peer", "origin": {"kind": "peer"}}),
        ),
        tool_result("t1", json!("ok"), false, json!(null)),
    ];
    assert_eq!(told(&entries), ["user_message: and the tests", "tool_call: "]);
}

#[test]
fn a_copied_line_belongs_to_the_session_it_came_from() {
    let copy = entry(
        1,
        "user",
        json!({"sessionId": "s-2", "forkedFrom": {"sessionId": "s-1", "messageUuid": "u"}, "message": {"role": "user", "content": "we use tabs"}}),
    );
    let copied = read(&mut Reading::new(Conversation::Users), &[copy]);
    assert_eq!(copied, read(&mut Reading::new(Conversation::Users), &[user(json!("we use tabs"))]));
}

#[test]
fn what_this_memory_answered_is_not_learned_again() {
    let entries = [
        tool_use("t1", "mcp__plugin_engram_engram__recall", json!({"query": "x"})),
        tool_result("t1", json!("we use tabs"), false, json!(null)),
        tool_use("t2", "mcp__github__engram_issue", json!({})),
        tool_result("t2", json!("open"), false, json!(null)),
    ];
    assert_eq!(told(&entries), ["tool_call: "]);
}

#[test]
fn a_broken_line_is_named_and_the_next_one_is_read() {
    let mut reading = Reading::new(Conversation::Users);
    let mut bad = |text: &str| events_of_line(&line(6, text), &mut reading).unwrap_err().to_string();
    assert!(bad("{\"type\":\"user\"").starts_with("line 7 is not JSON"));
    let when = entry(1, "user", json!({"timestamp": "yesterday", "message": {"content": "x"}}));
    assert!(bad(&when.to_string()).starts_with("line 7 is not a message as Claude Code writes it"));
    assert!(events_of_line(&line(7, " "), &mut reading).unwrap().is_empty());
    assert_eq!(events_of_line(&line(8, user(json!("go on"))), &mut reading).unwrap().len(), 1);
}
