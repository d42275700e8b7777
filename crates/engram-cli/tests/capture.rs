//! Capture as a person and an agent meet it: what is told twice is kept once,
//! what engram said itself is nothing new, and what is not sure is asked.

mod common;

use common::{Ground, actions, counted, decided, memories, said, texts, user};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// One line as Claude Code writes it into a transcript.
fn entry(ground: &Ground, sort: &str, session: &str, minute: usize, content: Value) -> Value {
    json!({
        "type": sort,
        "uuid": format!("{session}-{minute}"),
        "sessionId": session,
        "timestamp": format!("2026-03-02T10:{minute:02}:00Z"),
        "cwd": ground.path("work"),
        "message": {"role": sort, "model": "claude", "content": content},
    })
}

/// A conversation of five events, and those events as a hook would tell them.
fn conversation(ground: &Ground, session: &str) -> (Vec<Value>, Vec<Value>) {
    let (ran, failed) = ("all 12 tests passed", "error: the module left-pad is missing");
    let call = |id: &str, command: &str| json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}]);
    let answer = |id: &str, text: &str, failed: bool| json!([{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}]);
    let reminder = "<system-reminder>be brief</system-reminder>The staging database runs on port 5433.";
    let entries = vec![
        json!({"type": "summary", "summary": "Fix the build", "leafUuid": "u"}),
        entry(ground, "user", session, 0, json!(reminder)),
        entry(
            ground,
            "assistant",
            session,
            1,
            json!([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Let me look."}]),
        ),
        entry(ground, "assistant", session, 2, call("t1", "npm test")),
        entry(ground, "user", session, 3, answer("t1", failed, true)),
        entry(ground, "assistant", session, 4, call("t2", "npm ci")),
        entry(ground, "user", session, 5, answer("t2", ran, false)),
        entry(
            ground,
            "user",
            session,
            6,
            json!([{"type": "text", "text": "We never commit generated files."}]),
        ),
    ];
    let tool = |minute: usize, command: &str, output: &str, ok: bool| {
        let mut event = said("tool_call", session, minute, "");
        event["tool"] = json!({"name": "Bash", "input": {"command": command}, "output": output, "ok": ok});
        event
    };
    let events = vec![
        user(session, 0, "The staging database runs on port 5433."),
        said("assistant_message", session, 1, "Let me look."),
        tool(3, "npm test", failed, false),
        tool(5, "npm ci", ran, true),
        user(session, 6, "We never commit generated files."),
    ];
    (entries, events)
}

fn write_lines(file: &Path, lines: &[Value]) {
    fs::write(file, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
}

#[test]
fn a_transcript_is_taken_in_once_however_often_and_whichever_way_it_comes() {
    let ground = Ground::new();
    let (mut entries, events) = conversation(&ground, "0d9f0f6e-2c5b-4c53-9d0e-6a1e3f1f0a01");
    let file = ground.path("talk.jsonl");
    write_lines(&file, &entries);
    let import = |more: &[&str]| ground.json(&[&["import", "../talk.jsonl"], more].concat());
    assert_eq!(counted(&import(&[])), (5, 0));
    let known = memories(&ground);
    assert_eq!(
        texts(&ground),
        ["The staging database runs on port 5433.", "We never commit generated files."]
    );

    assert_eq!(counted(&import(&[])), (0, 0), "it was read to its end");
    assert_eq!(counted(&import(&["--again"])), (0, 5));
    assert_eq!(counted(&ground.observe(&events)), (0, 5), "a hook told what the transcript tells");
    fs::copy(&file, ground.path("copy.jsonl")).unwrap();
    assert_eq!(counted(&ground.json(&["import", "../copy.jsonl"])), (0, 5));
    assert_eq!(memories(&ground), known);

    // It grew.
    entries.push(entry(
        &ground,
        "user",
        "0d9f0f6e-2c5b-4c53-9d0e-6a1e3f1f0a01",
        9,
        json!("We use pnpm, not npm."),
    ));
    write_lines(&file, &entries);
    assert_eq!(counted(&import(&[])), (1, 0));
    assert_eq!(memories(&ground).len(), known.len() + 1);
    assert!(known.iter().all(|before| memories(&ground).contains(before)));

    // Another session that says the same words says them once more.
    let (_, elsewhere) = conversation(&ground, "another session");
    assert_eq!(counted(&ground.observe(&elsewhere)), (5, 0));
    assert_eq!(counted(&ground.observe(&elsewhere)), (0, 5));
    assert_eq!(memories(&ground).len(), known.len() + 1, "and adds no memory");
}

#[test]
fn two_sessions_in_a_folder_are_both_taken_in() {
    let ground = Ground::new();
    fs::create_dir(ground.path("talks")).unwrap();
    for (session, text) in
        [("one", "The staging database runs on port 5433."), ("two", "We use pnpm, not npm.")]
    {
        write_lines(
            &ground.path(&format!("talks/{session}.jsonl")),
            &[entry(&ground, "user", session, 0, json!(text))],
        );
    }
    assert_eq!(counted(&ground.json(&["import", "../talks"])), (2, 0));
    assert_eq!(texts(&ground), ["The staging database runs on port 5433.", "We use pnpm, not npm."]);
    let sources: Vec<Value> = ground.json(&["list"])["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|memory| memory["source_session"].clone())
        .collect();
    assert_ne!(sources[0], sources[1]);
    assert_eq!(counted(&ground.json(&["import", "../talks"])), (0, 0));
}

#[test]
fn a_dry_run_tells_what_would_be_kept_and_why_not_the_rest_and_leaves_no_trace() {
    let ground = Ground::new();
    let (entries, _) = conversation(&ground, "s");
    write_lines(&ground.path("talk.jsonl"), &entries);
    let told = ground.json(&["import", "../talk.jsonl", "--dry-run"]);
    assert_eq!((counted(&told), &told["dry_run"]), ((0, 0), &json!(true)));
    let decisions = told["decisions"].as_array().unwrap();
    let of = |action: &str| -> Vec<&Value> { decisions.iter().filter(|it| it["action"] == action).collect() };
    let created: Vec<&Value> = of("create").iter().map(|decision| &decision["fact"]).collect();
    assert_eq!(created, ["The staging database runs on port 5433.", "We never commit generated files."]);
    let reasons: Vec<&Value> = of("skip").iter().map(|decision| &decision["reason"]).collect();
    assert_eq!(reasons.len(), 3, "{told}");
    assert!(reasons.contains(&&json!("narration")), "{reasons:?}");
    let shown = ground.ok(&["import", "../talk.jsonl", "--dry-run"]);
    assert!(
        shown.contains("Nothing was kept (dry run)") && shown.contains("1 an agent telling what it does"),
        "{shown}"
    );

    assert!(!ground.path("work/.claude").exists(), "no store was made for it");
    assert!(!ground.path("home/.claude/engram/imports.json").exists());
    assert!(memories(&ground).is_empty());
    // What is there by now is held against.
    ground.json(&["import", "../talk.jsonl"]);
    let known = memories(&ground);
    assert!(actions(&ground.json(&["import", "../talk.jsonl", "--dry-run", "--again"])).is_empty());
    assert_eq!(memories(&ground), known);
}

#[test]
fn a_broken_line_is_named_and_the_others_are_taken_in() {
    let ground = Ground::new();
    let good = |minute, text: &str| entry(&ground, "user", "s", minute, json!(text)).to_string();
    let lines = [
        good(0, "The staging database runs on port 5433."),
        "{\"type\":\"user\",\"message\":".to_owned(),
        good(2, "We use pnpm, not npm."),
    ];
    fs::write(ground.path("talk.jsonl"), lines.join("\n") + "\n").unwrap();
    let output = ground.output("work", &["--json", "import", "../talk.jsonl"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("talk.jsonl: line 2 is not JSON"), "{said}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &told["bad"]), (Some(2), &json!(1)));
    assert_eq!(told["error"]["message"], "1 line could not be read; the others were taken");
    assert_eq!(texts(&ground), ["The staging database runs on port 5433.", "We use pnpm, not npm."]);

    let events = [user("s", 5, "The API gateway listens on port 9000."), json!({"type": "opinion"})];
    let output = ground.tell("work", &[], &events);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 2 is no event"), "{output:?}");
    assert_eq!(texts(&ground).len(), 3);
}

#[test]
fn an_edited_line_of_claude_md_changes_one_memory() {
    let ground = Ground::new();
    let file = ground.path("work/CLAUDE.md");
    let text = "# Shop\n\n- The API listens on port 8080.\n- We use pnpm, not npm.\n- Never commit generated files.\n";
    fs::write(&file, text).unwrap();
    let import = || ground.json(&["import", "--from", "claude-md"]);
    import();
    let before = memories(&ground);
    assert_eq!(before.len(), 3, "{before:?}");
    import();
    ground.json(&["import", "--from", "claude-md", "--again"]);
    assert_eq!(memories(&ground), before);

    fs::write(&file, text.replace("8080", "9090")).unwrap();
    assert_eq!(counted(&import()), (1, 0));
    let after = memories(&ground);
    let new: Vec<&Value> = after.iter().filter(|memory| !before.contains(memory)).collect();
    let gone: Vec<&Value> = before.iter().filter(|memory| !after.contains(memory)).collect();
    assert_eq!((new.len(), gone.len(), after.len()), (1, 1, 3), "{after:?}");
    assert!(new[0]["content"].as_str().unwrap().contains("9090"), "{new:?}");
    let old = ground.json(&["inspect", gone[0]["id"].as_str().unwrap()]);
    assert_eq!(old["memory"]["status"], "superseded");
}

#[test]
fn what_claude_md_says_no_more_is_so_no_more_unless_somebody_else_said_it() {
    let ground = Ground::new();
    let file = ground.path("work/CLAUDE.md");
    let text = "# Shop\n\n- The API listens on port 8080.\n- We use pnpm, not npm.\n- Never commit generated files.\n";
    fs::write(&file, text).unwrap();
    let import = |more: &[&str]| ground.json(&[&["import", "--from", "claude-md"], more].concat());
    import(&[]);
    ground.observe(&[user("s", 0, "We use pnpm, not npm.")]);
    fs::write(&file, "# Shop\n\n- The API listens on port 8080.\n").unwrap();
    assert_eq!(import(&["--dry-run"])["ended"].as_array().unwrap().len(), 1);
    assert_eq!(import(&[])["ended"].as_array().unwrap().len(), 1);
    let found = |question: &str| ground.ok(&["recall", question]);
    assert!(!found("are generated files committed").contains("Never commit"));
    assert!(found("do we use pnpm or npm").contains("pnpm, not npm"));
    // Who writes it again means it again.
    fs::write(&file, text).unwrap();
    assert_eq!(import(&[])["ended"], Value::Null);
    assert!(found("are generated files committed").contains("Never commit"));
}

#[test]
fn a_fact_and_more_of_it_in_one_breath_are_one_memory_and_one_undo() {
    let ground = Ground::new();
    ground.ok(&["remember", "Staging API runs on port 8081."]);
    ground.observe(&[
        user("s", 0, "The rate limiter allows 100 requests per minute."),
        user("s", 1, "The rate limiter allows 100 requests per minute per key, and bursts of 20."),
        user("s", 2, "Staging API now runs on port 9091."),
        user("s", 3, "Staging API now runs on port 9092."),
    ]);
    let found = ground.ok(&["recall", "rate limiter"]);
    assert!(found.contains("bursts of 20"), "{found}");
    let operations = ground.json(&["operations"]);
    let newest = operations["operations"][0]["operation"]["id"]
        .as_str()
        .or(operations["operations"][0]["id"].as_str());
    ground.ok(&["undo", newest.expect("an operation")]);
    assert_eq!(texts(&ground), ["Staging API runs on port 8081."]);
    // Nothing is stuck.
    ground.observe(&[user("s", 5, "We use zig 0.13 for the firmware.")]);
    assert_eq!(texts(&ground).len(), 2);
}

#[test]
fn whoever_imports_nothing_is_told_what_there_is() {
    let ground = Ground::new();
    let output = ground.output("work", &["import"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("--from claude-code"), "{said}");
}

#[test]
fn a_rule_that_is_changed_back_in_claude_md_is_the_rule() {
    let ground = Ground::new();
    let file = ground.path("work/CLAUDE.md");
    for rule in ["snake_case", "camelCase", "snake_case"] {
        fs::write(&file, format!("- Use {rule} for database columns.\n")).unwrap();
        ground.json(&["import", "--from", "claude-md"]);
        std::thread::sleep(Duration::from_millis(20));
    }
    let found = ground.ok(&["recall", "database columns"]);
    assert!(found.contains("snake_case") && !found.contains("camelCase"), "{found}");
}

#[test]
fn a_thousand_rounds_of_its_own_answers_teach_engram_nothing() {
    const ROUNDS: usize = 1_000;
    let ground = Ground::new();
    for text in ["The staging database runs on port 5433.", "We use pnpm, not npm."] {
        ground.ok(&["remember", text]);
    }
    ground.observe(&[
        user("first", 0, "The API gateway is written in Go and listens on port 9000."),
        said(
            "assistant_message",
            "first",
            1,
            "We decided to use Postgres 16 instead of MySQL because of its JSON support.",
        ),
    ]);
    let before = memories(&ground);
    assert_eq!(before.len(), 4, "{before:?}");
    let question = "which port does the staging database run on, and do we use pnpm with Postgres 16";
    let fenced = ground.ok(&["recall", "--context", question]);
    let plain = ground.ok(&["recall", question]);
    let explained = ground.ok(&["recall", "--explain", "--grouped", question]);
    let listed = ground.ok(&["list"]);
    assert!(fenced.starts_with("<memory note=") && fenced.contains("5433"), "{fenced}");
    assert!(plain.matches("confidence").count() == 4, "{plain}");

    // Whole, entry by entry, and, as agents quote, line by line.
    let whole = [&fenced, &plain, &explained, &listed];
    let mut heard: Vec<(&str, &str)> = Vec::new();
    for text in whole.iter().map(|text| text.as_str()).chain(plain.split("\n\n")).chain(fenced.lines()) {
        heard.extend(["user_message", "assistant_message"].map(|kind| (kind, text)));
    }
    for line in plain.lines().chain(listed.lines()) {
        heard.extend(["assistant_message", "subagent_result"].map(|kind| (kind, line)));
    }
    let events: Vec<Value> = (0..ROUNDS)
        .zip(heard.iter().cycle())
        .map(|(round, (kind, text))| said(kind, &format!("loop {}", round % 100), round / 60, text))
        .collect();
    let observed = ground.observe(&events);
    assert!(heard.len() < ROUNDS / 10, "each form is heard often");
    assert_eq!(counted(&observed).0 + counted(&observed).1, ROUNDS as u64);
    assert!(counted(&observed).0 > ROUNDS as u64 / 2, "most of them were turns of their own");
    assert!(actions(&observed).iter().all(|action| matches!(*action, "skip" | "reinforce")), "{observed}");
    assert_eq!(memories(&ground), before);
    // What somebody says beside it is heard.
    let beside = format!("{plain}\nWe deploy the API gateway with Helm charts from infra/charts.");
    assert_eq!(actions(&ground.observe(&[user("after", 59, &beside)])), ["create"]);
    assert_eq!(memories(&ground).len(), 5);
}

/// A pair that waits: an agent found another port than the user told.
fn with_a_doubt() -> (Ground, String) {
    let ground = Ground::new();
    ground.observe(&[user("s", 0, "The staging database runs on port 5433.")]);
    let doubted = ground.observe(&[said(
        "assistant_message",
        "s",
        1,
        "The root cause was that the staging database runs on port 5499, not 5433.",
    )]);
    assert_eq!(actions(&doubted), ["challenge"]);
    let listed = ground.json(&["review", "list"]);
    let id = listed["reviews"][0]["review"]["id"].as_str().unwrap().to_owned();
    (ground, id)
}

/// The status of both sides of a pair, the newer first.
fn sides(ground: &Ground, review: &str) -> [String; 2] {
    let shown = ground.json(&["review", "show", review]);
    ["newer", "older"].map(|side| shown[side]["memory"]["status"].as_str().unwrap().to_owned())
}

#[test]
fn what_is_not_sure_is_shown_side_by_side_with_the_words_it_came_from() {
    let (ground, review) = with_a_doubt();
    let listed = ground.ok(&["review", "list"]);
    assert!(listed.contains(&review[18..]) && listed.contains("open"), "{listed}");
    let shown = ground.ok(&["review", "show", &review[18..]]);
    let (newer, older) = shown.split_once("\nolder\n").unwrap();
    assert!(newer.contains("port 5499") && newer.contains("assistant_message"), "{shown}");
    assert!(older.contains("port 5433.") && older.contains("user_message"), "{shown}");
    assert_eq!(sides(&ground, &review), ["challenged", "created"]);
    ground.fails(&["review", "show", "NOSUCH"], 3, "there is no review");
    ground.fails(&["review", "decide", &review, "neither"], 2, "neither");
}

#[test]
fn every_ruling_does_what_it_says_and_can_be_taken_back() {
    let (ground, review) = with_a_doubt();
    let found = |text: &str| texts(&ground).iter().any(|known| known.contains(text));
    let rulings = [
        ("both", ["active", "created"], (true, true)),
        ("newer", ["active", "superseded"], (true, false)),
        ("older", ["invalidated", "created"], (false, true)),
        ("merge", ["merged", "created"], (true, true)),
    ];
    for (ruling, statuses, (newer, older)) in rulings {
        ground.ok(&["review", "decide", &review, ruling]);
        assert_eq!(sides(&ground, &review), statuses, "{ruling}");
        assert_eq!((found("5499"), found("port 5433.")), (newer, older), "{ruling}: {:?}", texts(&ground));
        assert_eq!(texts(&ground).len(), if ruling == "both" { 2 } else { 1 }, "{ruling}");
        assert!(ground.ok(&["review", "list"]).starts_with("Nothing waits"), "{ruling}");
        let all = ground.json(&["review", "list", "--all"]);
        assert_eq!(all["reviews"][0]["review"]["closed"]["ruling"], ruling);
        ground.fails(&["review", "decide", &review, "both"], 4, &format!("decided already: {ruling}"));
        assert!(ground.ok(&["undo"]).contains("Undid review"));
        assert_eq!(sides(&ground, &review), ["challenged", "created"], "{ruling} was taken back");
        assert_eq!(ground.json(&["review", "list"])["reviews"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn names_that_may_be_one_are_asked_about_too() {
    let ground = Ground::new();
    ground.observe(&[
        user("s", 0, "We run the billing jobs on Kubernetes."),
        user("s", 1, "The deploy job on Kubernets runs only on the main branch."),
    ]);
    let listed = ground.json(&["review", "list"]);
    let Some(review) =
        listed["reviews"].as_array().unwrap().iter().find(|it| it["review"]["pair"] == "entities")
    else {
        panic!("{listed}")
    };
    let id = review["review"]["id"].as_str().unwrap();
    ground.fails(&["review", "decide", id, "newer"], 2, "merge or both");
    let named = || {
        let memories = memories(&ground);
        let whys = memories.iter().map(|memory| ground.json(&["why", memory["id"].as_str().unwrap()]));
        let mut names: Vec<String> = whys
            .flat_map(|why| why["entities"].as_array().unwrap().clone())
            .map(|entity| entity["written"].as_str().unwrap().to_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(named(), ["Kubernetes", "Kubernets"]);
    ground.ok(&["review", "decide", id, "merge"]);
    assert!(ground.ok(&["review", "list"]).starts_with("Nothing waits"));
    assert_eq!(named(), ["Kubernetes", "Kubernetes"]);
    ground.fails(&["review", "decide", id, "both"], 4, "decided already: merge");
}

#[test]
fn what_a_session_sends_beyond_its_measure_is_refused_and_the_rest_is_kept() {
    let ground = Ground::new();
    ground.ok(&["config", "set", "capture.per_minute", "5"]);
    let fact =
        |number: usize| user("s", number, &format!("The worker{number} queue listens on port 90{number}0."));
    // The measure begins anew with a minute; the six must fall into one.
    let rest = 60 - ground.now().as_second() % 60;
    if rest < 10 {
        std::thread::sleep(Duration::from_secs(rest.unsigned_abs()));
    }
    let all: Vec<Value> = (0..6).map(fact).collect();
    ground.observe(&all[..2]);
    let output = ground.tell("work", &[], &all);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("1 of 6 events not kept: more than 5 in a minute from one session"), "{said}");
    let status = ground.json(&["status"]);
    assert_eq!((&status["capture"]["heard"], &status["capture"]["refused"]), (&json!(5), &json!(1)));
    assert_eq!(texts(&ground).len(), 5, "what was within the measure is kept");
    // Another session, what comes from files, and whoever allows more are not concerned.
    assert_eq!(counted(&ground.observe(&[user("other", 9, "We use pnpm, not npm.")])), (1, 0));
    write_lines(&ground.path("told.jsonl"), &all);
    assert_eq!(counted(&ground.json(&["import", "../told.jsonl"])), (1, 5));
    let output = ground.tell("work", &["--set", "capture.per_minute=100"], &[fact(7)]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(texts(&ground).len(), 8);
}

#[test]
fn what_waited_in_the_spool_is_not_too_much_at_once() {
    let ground = Ground::new();
    ground.ok(&["config", "set", "capture.per_minute", "5"]);
    let all: Vec<Value> = (0..9)
        .map(|number| user("s", number, &format!("The worker{number} queue listens on port 90{number}0.")))
        .collect();
    let mut observe = ground.tell_command("work", &["--json", "observe"], &all);
    let spooled = observe.env("ENGRAM_DAEMON", "/nowhere/engramd").output().unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&spooled.stdout).unwrap()["spooled"], 9, "{spooled:?}");
    ground.wait_for(|| texts(&ground).len() == 9);
    let status = ground.json(&["status"]);
    assert_eq!((&status["spooled"], &status["rejected"]), (&json!(0), &json!(0)));
}

#[test]
fn a_source_without_authority_is_kept_as_evidence_and_makes_no_memory() {
    let ground = Ground::new();
    let found = said(
        "assistant_message",
        "s",
        0,
        "We decided to use Postgres 16 instead of MySQL because of its JSON support.",
    );
    let told =
        ground.tell("work", &["--set", "capture.assistant_message=nothing"], std::slice::from_ref(&found));
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    assert_eq!(counted(&told), (1, 0));
    assert_eq!(decided(&told), ("skip", "assistant_message may not write"));
    assert!(memories(&ground).is_empty());
    assert_eq!(counted(&ground.observe(std::slice::from_ref(&found))), (0, 1), "the turn was kept");
    // With the authority to add, the same words make one, and a user's change it.
    let again = said("assistant_message", "s", 1, found["text"].as_str().unwrap());
    assert_eq!(actions(&ground.observe(&[again])), ["create"]);
    ground.ok(&["config", "set", "capture.user_message", "add"]);
    let other = user("s", 2, "We decided to use Postgres 17 instead of MySQL because of its JSON support.");
    assert_eq!(actions(&ground.observe(&[other])), ["challenge"]);
}
