//! Hooks that are told anything at all: whatever comes, the agent goes on. The
//! program exits with 0, says nothing or one JSON object, and ends in time.

use engram_wire::message::HookEvent;
use serde_json::{Map, Value, json};
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

/// Nobody waits longer for a hook.
const LONGEST: Duration = Duration::from_secs(2);
/// Much longer than anything else.
const LARGE: usize = 10 << 20;
/// Of so much, only what these events tell is of interest.
const LARGE_EVENTS: [HookEvent; 3] = [HookEvent::UserPromptSubmit, HookEvent::PostToolUse, HookEvent::Stop];
/// So many programs at a time, on a machine that has other things to do.
const AT_ONCE: usize = 2;

const FIELDS: [&str; 16] = [
    "session_id",
    "conversation_id",
    "transcript_path",
    "cwd",
    "hook_event_name",
    "prompt",
    "tool_name",
    "tool_input",
    "tool_response",
    "error",
    "duration_ms",
    "is_interrupt",
    "agent_type",
    "last_assistant_message",
    "source",
    "reason",
];

struct Ground {
    folder: tempfile::TempDir,
    daemon: PathBuf,
}

impl Ground {
    fn new(daemon: &Path) -> Self {
        let ground = Self { folder: tempfile::tempdir().unwrap(), daemon: daemon.to_owned() };
        fs::create_dir_all(ground.path("home")).unwrap();
        fs::create_dir_all(ground.path("work")).unwrap();
        fs::write(ground.path("work/file"), "").unwrap();
        ground
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_engram"));
        command
            .args(words)
            .env_clear()
            .env("HOME", self.path("home"))
            .env("ENGRAM_DAEMON", &self.daemon)
            // What is built for tests is slow, and other tests run beside it.
            .env("ENGRAM_HOOK_CAPTURE_MS", "1000")
            .env("ENGRAM_HOOK_PROMPT_MS", "1000")
            .env("ENGRAM_CLIENT_DEADLINE_MS", "60000")
            .current_dir(self.path("work"));
        command
    }

    fn json(&self, words: &[&str]) -> Value {
        let output = self.command(&[&["--json"], words].concat()).stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{words:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn spooled(&self) -> usize {
        let file = self.path("home/.claude/engram/spool/waiting.jsonl");
        fs::read_to_string(file).unwrap_or_default().lines().count()
    }

    /// A hook with this on its standard input; what it printed.
    fn hook(&self, words: &[&str], payload: &[u8], name: &str) -> String {
        let mut child = self
            .command(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut stdin, mut stdout, mut stderr) =
            (child.stdin.take().unwrap(), child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let (tell, told) = channel();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                // Whoever does not want to hear it need not.
                let _ = stdin.write_all(payload);
            });
            scope.spawn(move || {
                let (mut out, mut err) = (Vec::new(), Vec::new());
                stdout.read_to_end(&mut out).unwrap();
                stderr.read_to_end(&mut err).unwrap();
                let _ = tell.send((out, err));
            });
            let printed = told.recv_timeout(LONGEST);
            if printed.is_err() {
                let _ = child.kill();
            }
            let (out, err) = printed.unwrap_or_else(|_| panic!("{name}: {words:?} did not end in time"));
            let status = child.wait().unwrap();
            assert!(status.success(), "{name}: {words:?} ended with {status}");
            assert_eq!(String::from_utf8_lossy(&err), "", "{name}: {words:?}");
            String::from_utf8(out).unwrap()
        })
    }
}

/// What an agent would tell if nothing were wrong.
fn sound() -> Map<String, Value> {
    let told = json!({
        "session_id": "4f1c0b6e-6a55-4f0e-9d6b-0c8f0a8a4c11", "hook_event_name": "x", "permission_mode": "default",
        "prompt": "we deploy on fridays", "tool_name": "Bash", "tool_input": {"command": "make"},
        "tool_response": {"stdout": "ok"}, "error": "Exit code 2", "duration_ms": 12, "is_interrupt": false,
        "agent_type": "general-purpose", "last_assistant_message": "All done.", "source": "startup",
        "reason": "other",
    });
    told.as_object().unwrap().clone()
}

fn with(name: &str, value: Value) -> Vec<u8> {
    let mut fields = sound();
    fields.insert(name.to_owned(), value);
    Value::Object(fields).to_string().into_bytes()
}

fn every_field(value: &Value) -> Vec<u8> {
    let fields: Map<String, Value> = FIELDS.iter().map(|name| ((*name).to_owned(), value.clone())).collect();
    Value::Object(fields).to_string().into_bytes()
}

/// A sound payload in which the text of the prompt is put in raw.
fn raw(prompt: &[u8]) -> Vec<u8> {
    let text = Value::Object(sound()).to_string();
    let (before, after) = text.split_once("we deploy on fridays").unwrap();
    [before.as_bytes(), prompt, after.as_bytes()].concat()
}

fn payloads(work: &Path) -> Vec<(&'static str, Vec<u8>)> {
    let whole = Value::Object(sound()).to_string();
    let nested = |depth: usize| format!("{}{}", "{\"a\":[".repeat(depth / 2), "]}".repeat(depth / 2));
    let around = |inner: &str| {
        format!("{{\"prompt\":\"x\",\"tool_name\":\"Bash\",\"tool_response\":{inner}}}").into_bytes()
    };
    let unknown = json!({"added": {"later": [1, 2, {"x": null}]}, "": "", "prompt ": 1});
    let more: Map<String, Value> = sound().into_iter().chain(unknown.as_object().unwrap().clone()).collect();
    vec![
        ("sound", whole.clone().into_bytes()),
        ("empty", Vec::new()),
        ("not JSON", b"Stop the press!".to_vec()),
        ("truncated JSON", whole.as_bytes()[..whole.len() / 2].to_vec()),
        ("null", b"null".to_vec()),
        ("an array", b"[{\"prompt\":\"x\"}]".to_vec()),
        ("a number", b"17".to_vec()),
        ("a string", b"\"prompt\"".to_vec()),
        ("no fields", b"{}".to_vec()),
        ("every field null", every_field(&Value::Null)),
        ("every field a number", every_field(&json!(-1.5e300))),
        ("every field a list", every_field(&json!([null, "x", {}]))),
        ("every field an object", every_field(&json!({"a": {"b": "c"}}))),
        ("every field true", every_field(&json!(true))),
        ("every field blank", every_field(&json!(" \n"))),
        ("every field a text", every_field(&json!("text"))),
        ("unknown fields", Value::Object(more).to_string().into_bytes()),
        ("nested 200,000 deep", around(&nested(200_000))),
        ("nested 100 deep", around(&nested(100))),
        ("not UTF-8", raw(b"caf\xe9 \xff\xfe\xc0\x80")),
        ("NUL bytes", raw(b"a\0b")),
        ("NUL characters", raw(b"a\\u0000b")),
        ("lone surrogates", raw(br"\ud800 and \udc00")),
        ("a mark at the start", [b"\xef\xbb\xbf", whole.as_bytes()].concat()),
        ("marks of UTF-16", whole.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("huge numbers", raw(b"x\",\"duration_ms\":1e999,\"y\":\"").to_vec()),
        ("huge whole numbers", with("duration_ms", json!(u64::MAX))),
        ("a path as a session", with("session_id", json!("../../../etc/passwd\n\r/x\\..\\y"))),
        ("a session of many words", with("session_id", json!("session ".repeat(10_000)))),
        ("no such folder", with("cwd", json!("/no/such/folder"))),
        ("a file as a folder", with("cwd", json!(work.join("file")))),
        ("a relative folder", with("cwd", json!("../work/./"))),
        ("a folder with NUL", with("cwd", json!("/tmp/\0x"))),
        ("orders to a terminal", raw(br"\u001b[2J\u001b]0;x\u0007")),
        ("twice the same field", raw(b"x\",\"prompt\":\"y")),
    ]
}

fn large() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("a prompt of 10 MB", with("prompt", json!("deploy ".repeat(LARGE / 7)))),
        (
            "a tool's output of 10 MB",
            with("tool_response", json!({"stdout": "a line of output\n".repeat(LARGE / 17)})),
        ),
        ("a message of 10 MB", with("last_assistant_message", json!("ç".repeat(LARGE / 2)))),
    ]
}

/// Nothing, or one object of the form that an agent takes from this event.
fn is_answer(event: HookEvent, printed: &str) -> bool {
    if printed.is_empty() {
        return true;
    }
    let Ok(answer) = serde_json::from_str::<Value>(printed) else { return false };
    let told = &answer["hookSpecificOutput"];
    answer.as_object().is_some_and(|fields| fields.len() == 1)
        && told["hookEventName"] == event.as_str()
        && told["additionalContext"].as_str().is_some_and(|context| !context.trim().is_empty())
}

/// Tells every event everything; how many of them printed something.
fn tell_all(ground: &Ground) -> usize {
    let (small, large) = (payloads(&ground.path("work")), large());
    let mut cases: Vec<(HookEvent, &str, &[u8])> = Vec::new();
    for event in HookEvent::ALL.iter().copied() {
        cases.extend(small.iter().map(|(name, payload)| (event, *name, payload.as_slice())));
        if LARGE_EVENTS.contains(&event) {
            cases.extend(large.iter().map(|(name, payload)| (event, *name, payload.as_slice())));
        }
    }
    let (next, printed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((event, name, payload)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let out = ground.hook(&["hook", "--agent", "claude-code", event.as_str()], payload, name);
                    assert!(is_answer(*event, &out), "{event}, {name}: {out}");
                    printed.fetch_add(usize::from(!out.is_empty()), Ordering::Relaxed);
                }
            });
        }
    });
    printed.into_inner()
}

#[test]
fn whatever_a_hook_is_told_without_a_daemon_it_ends_well_and_keeps_what_happened() {
    let ground = Ground::new(Path::new("/nonexistent/engramd"));
    assert_eq!(tell_all(&ground), 0, "nobody is there who could say anything");
    let waiting = fs::read_to_string(ground.path("home/.claude/engram/spool/waiting.jsonl")).unwrap();
    for line in waiting.lines() {
        let request: Value = serde_json::from_str(line).unwrap();
        assert_eq!(request["order"]["order"], "hook", "{line}");
        assert!(line.len() < 400_000, "{} bytes wait in one line", line.len());
    }
    // Of nine events four tell something, and the last is told in any case.
    for event in
        ["UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop", "SessionEnd"]
    {
        let told = waiting.lines().filter(|line| line.contains(&format!("\"event\":\"{event}\""))).count();
        assert!(told >= 10, "{told} of {event} wait");
    }
    assert!(
        waiting.contains("we deploy on fridays") && waiting.contains("[10"),
        "the ends of what is long wait, too"
    );
}

#[test]
fn whatever_is_said_to_a_hook_on_its_command_line_it_ends_well() {
    let ground = Ground::new(Path::new("/nonexistent/engramd"));
    let payload = with("prompt", json!("we deploy on fridays"));
    for words in [
        &["hook"][..],
        &["hook", "Unheard"],
        &["hook", "userpromptsubmit"],
        &["hook", "--agent", "claude-code", "SomethingNew"],
        &["hook", "--agent"],
        &["hook", "--agent", "claude-code"],
        &["hook", "--agent", "claude-code", "--fresh", "Stop"],
        &["hook", "Stop", "--fresh=1", "more", "words"],
        &["hook", "Stop", "Stop"],
        &["hook", ""],
        &["--json", "hook", "Unheard"],
        &["-C", "/no/such/folder", "hook", "Unheard"],
        &["-C", "/no/such/folder", "hook", "Stop"],
        &["--set", "hook", "hook", "Stop"],
        &["--set", "no.such=1", "hook", "Stop"],
        &["--session", "", "hook", "Stop"],
        &["--color", "sometimes", "hook", "Stop"],
    ] {
        assert_eq!(ground.hook(words, &payload, "a line"), "");
    }
    // An agent that we know nothing of may tell what happens, too.
    let before = ground.spooled();
    ground.hook(&["hook", "--agent", "../\n\u{1b}[2J", "Stop"], &payload, "a strange agent");
    assert_eq!(ground.spooled(), before + 1);
    // Elsewhere what makes no sense is still refused.
    let refused = ground.command(&["recall"]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn a_hook_whose_ends_are_closed_still_keeps_what_happened() {
    let ground = Ground::new(Path::new("/nonexistent/engramd"));
    let payload = ground.path("payload");
    fs::write(&payload, with("prompt", json!("we deploy on fridays"))).unwrap();
    let told = |ends: &str| {
        let program = env!("CARGO_BIN_EXE_engram");
        let line = format!("exec '{program}' hook --agent claude-code UserPromptSubmit {ends}");
        let mut shell = Command::new("/bin/sh");
        let status = shell
            .args(["-c", &line])
            .env_clear()
            .env("HOME", ground.path("home"))
            .env("ENGRAM_DAEMON", &ground.daemon)
            .env("ENGRAM_HOOK_PROMPT_MS", "1000")
            .env("ENGRAM_CLIENT_DEADLINE_MS", "60000")
            .env("PAYLOAD", &payload)
            .current_dir(ground.path("work"))
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(0), "{ends}");
        ground.spooled()
    };
    assert_eq!(told("<\"$PAYLOAD\" >&- 2>&-"), 1);
    assert_eq!(told("<\"$PAYLOAD\" >/dev/full 2>/dev/full"), 2);
    assert_eq!(told("<&- >&- 2>&-"), 2, "nothing was told");
    // The home may be no folder.
    fs::remove_dir_all(ground.path("home")).unwrap();
    fs::write(ground.path("home"), "").unwrap();
    assert_eq!(told("<\"$PAYLOAD\""), 0);
}

#[test]
fn an_agent_that_never_says_all_is_not_waited_for() {
    let ground = Ground::new(Path::new("/nonexistent/engramd"));
    let mut child = ground
        .command(&["hook", "--agent", "claude-code", "Stop"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut held = child.stdin.take().unwrap();
    held.write_all(b"{\"last_assistant_message\":").unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let (tell, told) = channel();
    std::thread::spawn(move || {
        let mut out = Vec::new();
        let _ = stdout.read_to_end(&mut out);
        let _ = tell.send(out);
    });
    let out = told.recv_timeout(LONGEST);
    let _ = child.kill();
    assert_eq!((out, child.wait().unwrap().code()), (Ok(Vec::new()), Some(0)));
    drop(held);
}

#[test]
fn a_daemon_that_was_told_anything_at_all_still_answers() {
    let daemon = Path::new(env!("CARGO_BIN_EXE_engram")).with_file_name("engramd");
    if !daemon.exists() {
        // Only `cargo build -p engram-daemon` makes one; the rest needs none.
        return;
    }
    let ground = Ground::new(&daemon);
    let end = Ending(&ground);
    ground.json(&["stats"]);
    let process = ground.json(&["status"])["process"].clone();
    tell_all(&ground);
    let status = ground.json(&["status"]);
    assert_eq!((&status["running"], &status["process"]), (&json!(true), &process), "{status}");
    let did = &ground.json(&["stats"])["hooks"]["claude-code"];
    assert!(did["events"]["Stop"]["count"].as_u64().unwrap() >= 30, "{did}");
    assert!(did["last_saved_at"].is_string(), "{did}");
    drop(end);
}

/// Ends the daemon, whatever becomes of the test.
struct Ending<'g>(&'g Ground);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        let _ = self.0.command(&["stop"]).stdin(Stdio::null()).output();
    }
}
