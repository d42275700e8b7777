//! What the real client told its hooks, told again: the recording of
//! `tools/e2e/record.py`, through the program and the daemon. And an agent that
//! speaks the Model Context Protocol with a daemon that does not last.

mod common;

use common::Ground;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

fn recording(ground: &Ground) -> Vec<Value> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/recorded/claude-code-2.1.325.jsonl");
    let text = fs::read_to_string(file).unwrap();
    let text = text
        .replace("@PROJECT@", ground.path("work").to_str().unwrap())
        .replace("@HOME@", ground.path("home").to_str().unwrap());
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What the hook prints for this input; nothing where it prints nothing.
fn hook(ground: &Ground, input: &Value) -> Option<Value> {
    let event = input["hook_event_name"].as_str().unwrap();
    let arguments = ["hook", "--agent", "claude-code", event];
    let mut command = ground.tell_command("work", &arguments, std::slice::from_ref(input));
    // The test machine may be busy; what is told, not how fast, is looked at.
    for name in ["START", "PROMPT", "CAPTURE"] {
        command.env(format!("ENGRAM_HOOK_{name}_MS"), "20000");
    }
    let output = command.output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{event}: {output:?}");
    (!output.stdout.is_empty()).then(|| {
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(told["hookSpecificOutput"]["hookEventName"], event);
        told["hookSpecificOutput"]["additionalContext"].clone()
    })
}

#[test]
fn what_a_real_client_told_is_kept_once_and_told_to_those_who_ask() {
    let ground = Ground::new();
    let mut told: Vec<(String, String, String)> = Vec::new();
    for input in recording(&ground) {
        let event = input["hook_event_name"].as_str().unwrap().to_owned();
        let reason = input["source"].as_str().unwrap_or_default().to_owned();
        if let Some(context) = hook(&ground, &input) {
            told.push((event.clone(), reason, context.as_str().unwrap().to_owned()));
        }
        if event == "SessionEnd" {
            // In the recording somebody took a moment before he began again.
            ground.wait_for(|| {
                ground.json(&["session", "list"])["sessions"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .all(|line| line["status"] != "active")
            });
        }
    }
    // The question was asked twice: in the session that had said it, which has it
    // before its eyes when it goes on, and in another.
    let with_port = told.iter().filter(|(_, _, context)| context.contains("port 5433"));
    let with_port: Vec<&str> = with_port.map(|(event, _, _)| event.as_str()).collect();
    assert_eq!(with_port, ["UserPromptSubmit"], "{told:?}");
    assert!(told.iter().all(|(_, _, context)| context.starts_with("<memory note=")), "{told:?}");
    // The user's words alone became a memory: not the subagent's task, not the
    // notice of its end, not the summary of the compaction.
    let listed = ground.json(&["list"]);
    let facts: Vec<&str> = listed["memories"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|memory| memory["kind"] != "narrative")
        .map(|memory| memory["content"].as_str().unwrap())
        .collect();
    assert_eq!(facts.len(), 1, "{facts:?}");
    assert!(facts[0].contains("listens on port 5433"));
    let sessions = ground.json(&["session", "list"]);
    let lines = sessions["sessions"].as_array().unwrap();
    assert!(lines.iter().all(|line| line["status"] == "completed"), "{lines:?}");
}

/// An agent on the other side of `engram mcp`.
struct Bridge {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Bridge {
    fn start(ground: &Ground) -> Self {
        let mut command = ground.command("work", &["mcp"]);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let to = process.stdin.take().unwrap();
        let from = BufReader::new(process.stdout.take().unwrap());
        Self { process, to, from }
    }

    fn say(&mut self, line: &Value) {
        writeln!(self.to, "{line}").unwrap();
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    fn call(&mut self, id: u64, tool: &str, arguments: &Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
        let answer = self.hear();
        assert_eq!(answer["id"], id, "{answer}");
        answer["result"]["structuredContent"].clone()
    }
}

#[test]
fn an_agent_does_not_notice_that_its_daemon_was_killed() {
    let ground = Ground::new();
    let mut agent = Bridge::start(&ground);
    let client = json!({"name": "test", "version": "1"});
    let greeting = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    agent.say(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": greeting}));
    assert_eq!(agent.hear()["result"]["protocolVersion"], "2025-11-25");
    agent.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let text = "the staging database listens on port 5433";
    let stored = agent.call(1, "store_memory", &json!({ "text": text }));
    assert_eq!(stored["memories"][0]["text"], text, "{stored}");
    for round in 0..3 {
        ground.kill();
        let found = agent.call(10 + round, "recall_memories", &json!({"query": "staging database port"}));
        assert_eq!(found["hits"][0]["text"], text, "{found}");
    }
    drop(agent.to);
    assert!(agent.process.wait().unwrap().success());
}
