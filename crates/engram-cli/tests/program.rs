//! The program as a person or a script meets it: what it prints where, and
//! with which exit code. A stand-in answers in the place of the daemon.

mod standin;

use engram_wire::Request;
use serde_json::{Value, json};
use standin::{Ground, done, fault, ran};
use std::io::Read as _;
use std::path::Path;

#[test]
fn a_request_carries_the_folder_the_session_and_the_settings() {
    let ground = Ground::answering(done(json!({"scopes": [], "project": null, "gaps": []})));
    let session = "01JD3V8Q2Y6K4M5N7P9R1S3T5V";
    let mut command = ground.command(&["stats", "--json", "--set", "recall.limit=4"]);
    command.env("ENGRAM_SESSION", session).env("ENGRAM_RECALL_LIMIT", "3");
    assert_eq!(ran(command.output().unwrap()).code, 0);
    let context = &ground.request()["context"];
    assert_eq!(context["session"], session);
    assert_eq!(context["actor"], "human");
    assert_eq!(context["settings"], json!([["recall.limit", "3"], ["recall.limit", "4"]]));
    assert!(Path::new(context["folder"].as_str().unwrap()).is_absolute());
}

#[test]
fn a_session_may_have_any_name_and_an_agents_shell_names_one_for_a_few_commands() {
    let ground = Ground::answering(done(json!({})));
    let uuid = "4f1c0b6e-6a55-4f0e-9d6b-0c8f0a8a4c11";
    let ours = "2F3G5PWTJN9W79TTRCHW58MK0H";
    let other = "01JD3V8Q2Y6K4M5N7P9R1S3T5V";
    let asked = |line: &str, session: &str| {
        let words: Vec<&str> = line.split(' ').chain(["--json"]).collect();
        let mut command = ground.command(&words);
        command.env("CLAUDE_CODE_SESSION_ID", uuid).env("ENGRAM_SESSION", session);
        assert_eq!(ran(command.output().unwrap()).code, 0, "{line}");
        let request = ground.request();
        (request["context"]["session"].clone(), request["order"]["session"].clone())
    };
    assert_eq!(asked("session show", ""), (Value::Null, json!(ours)));
    assert_eq!(asked("promote --to user", ""), (Value::Null, json!(ours)));
    assert_eq!(asked("stats", ""), (Value::Null, Value::Null));
    assert_eq!(asked("session show", other), (json!(other), json!(other)));
    assert_eq!(asked(&format!("promote 7QX3 --session {uuid}"), other), (json!(ours), json!(ours)));
    assert_eq!(asked(&format!("session end {uuid}"), other), (json!(other), json!(ours)));
    let (named, _) = asked("stats --session any/name", "");
    assert_eq!(named.as_str().map(str::len), Some(26));

    // An agent's shell ends no session of its own by accident.
    let mut command = ground.command(&["session", "end"]);
    let refused = ran(command.env("CLAUDE_CODE_SESSION_ID", uuid).output().unwrap());
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert_eq!(ground.run(&["stats", "--session", " "]).code, 2);
}

#[test]
fn outcomes_and_dismissals_wait_in_the_spool_like_other_changes() {
    let ground = Ground::deserted();
    for line in [
        "outcome 7QX3M9KA failure --note late",
        "reminders dismiss 7QX3M9KA 7QX3M9KB",
        "promote --session any/name",
    ] {
        let told = ground.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(told.code, 0, "{line}: {}", told.err);
    }
    let orders: Vec<Value> = ground
        .spool()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["order"].clone())
        .collect();
    assert_eq!((&orders[0]["outcome"], &orders[0]["note"]), (&json!("failure"), &json!("late")));
    assert_eq!((&orders[1]["order"], &orders[1]["purge"]), (&json!("forget"), &json!(false)));
    assert_eq!((&orders[2]["order"], &orders[2]["to"]), (&json!("promote"), &json!("project")));
    assert_eq!(ground.run(&["reminders"]).code, 6);
}

/// A memory as the daemon tells it.
fn memory(content: &str) -> Value {
    json!({
        "id": "01JD3V8Q2Y6K4M5N7P9R1S3T5V",
        "scope": "project", "tier": "semantic", "kind": "fact", "status": "active",
        "status_change": {"at": "2026-11-07T10:00:00Z", "reason": "first use", "cause": "use"},
        "content": content, "importance": 0.5, "confidence": 0.7, "utility": 0.5,
        "pinned": false, "immutable": false, "access_count": 3, "last_used_at": "2026-11-13T10:00:00Z",
        "stability": 2.3065, "valid_from": "2026-11-06T10:00:00Z", "recorded_at": "2026-11-06T10:00:00Z",
        "write_source": "manual", "data_source": "user_message", "trust": 1.0,
        "created_at": "2026-11-06T10:00:00Z", "updated_at": "2026-11-06T10:00:00Z", "revision": 1
    })
}

#[test]
fn a_dream_is_ordered_as_it_was_typed_and_a_report_is_no_dream() {
    let ground = Ground::answering(done(json!({"dry_run": true, "stores": []})));
    let told = ground.run(&["dream", "--only", "drift,expire", "--dry-run", "--scope", "project"]);
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(told.out.starts_with("A dry run: nothing was changed."), "{}", told.out);
    let order = &ground.request()["order"];
    assert_eq!((&order["order"], &order["only"]), (&json!("dream"), &json!(["drift", "expire"])));
    assert_eq!(
        (&order["dry_run"], &order["scope"], &order["depth"]),
        (&json!(true), &json!("project"), &Value::Null)
    );
    assert_eq!(ground.run(&["dream", "--report", "--limit", "3", "--json"]).code, 0);
    let order = &ground.request()["order"];
    assert_eq!((&order["order"], &order["limit"]), (&json!("dream_report"), &json!(3)));

    let nobody = Ground::deserted();
    assert_eq!(nobody.run(&["dream"]).code, 6);
    assert_eq!(nobody.spool(), "", "there is another dream soon");
}

#[test]
fn what_evolves_is_ordered_as_it_was_typed_and_keeps_no_secret() {
    let ground = Ground::answering(done(json!({})));
    let order = |arguments: &[&str]| {
        let told = ground.run(&[arguments, &["--json"]].concat());
        assert_eq!(told.code, 0, "{arguments:?}: {}", told.err);
        ground.request()["order"].clone()
    };
    let report = order(&["evolve", "--report", "--since", "2026-03-01T00:00:00Z"]);
    assert_eq!(
        (&report["order"], &report["since"]),
        (&json!("evolution_report"), &json!("2026-03-01T00:00:00Z"))
    );
    let evolve = order(&["evolve", "--dry-run", "--scope", "user"]);
    assert_eq!(
        (&evolve["order"], &evolve["dry_run"], &evolve["scope"]),
        (&json!("evolve"), &json!(true), &json!("user"))
    );
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let deprecate = order(&["evolve", "deprecate", "7QX3", "--reason", &format!("{secret} is gone")]);
    let reason = deprecate["reason"].as_str().unwrap();
    assert!(reason.ends_with("is gone") && !reason.contains(&secret), "{deprecate}");
    let archive = order(&["evolve", "archive", "7QX3"]);
    assert_eq!(archive["reason"], "nobody used it for 90 days or more");
    let merge = order(&["evolve", "merge", "7QX3", "7QX4"]);
    assert_eq!((&merge["memories"], &merge["text"]), (&json!(["7QX3", "7QX4"]), &Value::Null));
    let induce =
        ["evolve", "induce", "A123", "B123", "C123", "--name", "n", "--description", "d", "--to", "user"];
    assert_eq!(order(&induce)["scope"], "user");
    let skills = order(&["evolve", "skills", "make", "a", "release"]);
    assert_eq!((&skills["order"], &skills["query"]), (&json!("skills"), &json!("make a release")));
    let feedback = order(&["feedback", "not", "--memory", "7QX3"]);
    assert_eq!((&feedback["feedback"], &feedback["recall"]), (&json!("not_helpful"), &Value::Null));
    assert_eq!(order(&["weights", "--reset"])["order"], "weights_reset");
    assert_eq!(order(&["weights"])["history"], 10);

    // A look is asked for first, and then what it saw.
    let told = ground.run(&["reflect", "--run", "--all", "--json"]);
    assert_eq!(told.code, 0, "{}", told.err);
    assert_eq!(ground.request()["order"]["only"], json!(["reflect"]));
    let reflect = ground.request()["order"].clone();
    assert_eq!((&reflect["order"], &reflect["all"]), (&json!("reflect"), &json!(true)));
}

#[test]
fn a_refusal_for_want_of_evidence_is_told_and_does_not_wait() {
    let ground = Ground::answering(fault("refused"));
    let refused = ground.run(&["evolve", "deprecate", "7QX3", "--reason", "old"]);
    assert_eq!(refused.code, 4, "{}", refused.err);
    assert!(refused.err.starts_with("engram evolve: no\n  hint: try this"), "{}", refused.err);
    let twenty_one: Vec<String> = (1000..1021).map(|number| number.to_string()).collect();
    let many: Vec<&str> = twenty_one.iter().map(String::as_str).collect();
    let induce = [&["evolve", "induce"], &many[..], &["--name", "n", "--description", "d"]].concat();
    let refused = ground.run(&induce);
    assert!(refused.code == 2 && refused.err.contains("3 to 20 procedures"), "{}", refused.err);
    assert_eq!(ground.run(&["evolve", "deprecate", "7QX3", "--reason", " "]).code, 2);

    let ground = Ground::deserted();
    for line in ["evolve deprecate 7QX3 --reason old", "evolve", "feedback helpful", "evolve merge 7QX3 7QX4"]
    {
        let told = ground.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((told.code, ground.spool().as_str()), (6, ""), "{line}: {}", told.err);
    }
    for line in ["feedback 9PZ4 helpful", "weights --reset"] {
        let told = ground.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(told.code, 0, "{line}: {}", told.err);
    }
    assert_eq!(ground.spool().lines().count(), 2);
}

#[test]
fn each_memory_gets_its_tier_and_what_was_done_is_told_before_what_was_not() {
    let operation = "01JD3V8Q2Y6K4M5N7P9R1S3T60";
    let reply = json!({"operation": operation, "memory": memory("we deploy"), "before": "episodic"});
    let ground = Ground::answering(done(reply.clone()));
    let told = ground.run(&["promote", "7QX3", "7QX4", "--tier", "semantic", "--json"]);
    assert_eq!(told.json(), json!({"tiers": [reply, reply]}));
    let orders = [ground.request(), ground.request()].map(|request| request["order"].clone());
    assert_eq!((&orders[0]["memory"], &orders[1]["memory"]), (&json!("7QX3"), &json!("7QX4")));
    assert!(orders.iter().all(|order| order["order"] == "set_tier" && order["tier"] == "semantic"));
    assert_ne!(orders[0]["operation"], orders[1]["operation"]);

    let ground = Ground::answering_in_turn(vec![done(reply.clone()), fault("refused")]);
    let told = ground.run(&["demote", "7QX3", "7QX4", "7QX5", "--tier", "episodic"]);
    assert_eq!((told.code, told.out.contains("was episodic, is semantic")), (4, true), "{}", told.out);
    assert!(told.err.contains("hint: 1 memory named before it got the tier episodic"), "{}", told.err);
    let ground = Ground::answering_in_turn(vec![done(reply.clone()), fault("refused")]);
    let told = ground.run(&["demote", "7QX3", "7QX4", "--tier", "episodic", "--json"]);
    let value = told.json();
    assert_eq!((&value["tiers"], &value["error"]["kind"]), (&json!([reply]), &json!("refused")));
}

#[test]
fn no_memory_is_demoted_to_another_scope() {
    let ground = Ground::deserted();
    let told = ground.run(&["demote", "7QX3", "--to", "project"]);
    assert_eq!(told.code, 4, "{}", told.err);
    assert!(told.err.starts_with("engram demote: no memory goes down to a narrower scope\n"), "{}", told.err);
    assert!(told.err.contains("`engram forget` puts it away"), "{}", told.err);
    assert_eq!(ground.spool(), "");
}

#[test]
fn changes_of_tiers_things_and_summaries_wait_in_the_spool() {
    let ground = Ground::deserted();
    for line in [
        "demote 7QX3M9KA --tier episodic",
        "entity merge postgres postgresql",
        "entity alias postgresql pg",
        "consolidation submit 7QX3M9KA never on fridays",
        "undo 01JD3V8Q2Y6K4M5N7P9R1S3T5V --step drift",
    ] {
        let told = ground.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(told.code, 0, "{line}: {}", told.err);
        assert!(told.out.starts_with("kept in the spool;"), "{line}: {}", told.out);
    }
    let spool = ground.spool();
    let orders: Vec<Value> =
        spool.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["order"].clone()).collect();
    assert_eq!((&orders[0]["order"], &orders[0]["tier"]), (&json!("set_tier"), &json!("episodic")));
    assert_eq!((&orders[1]["entity"], &orders[1]["into"]), (&json!("postgres"), &json!("postgresql")));
    assert_eq!((&orders[2]["entity"], &orders[2]["alias"]), (&json!("postgresql"), &json!("pg")));
    assert_eq!((&orders[3]["summary"], &orders[3]["text"]), (&json!("7QX3M9KA"), &json!("never on fridays")));
    assert_eq!(orders[4]["step"], "drift");

    let refused = ground.run(&["consolidation", "submit", "7QX3M9KA", " "]);
    assert_eq!(refused.code, 2, "what could only be refused later does not wait: {}", refused.err);
    for arguments in [&["entity", "show", " "][..], &["graph", ""], &["entity", "alias", "redis", "  "]] {
        let refused = ground.run(arguments);
        assert_eq!(refused.code, 2, "{arguments:?}");
        assert!(refused.err.contains("a thing without a name"), "{}", refused.err);
    }
}

#[test]
fn a_summary_is_read_from_standard_input_and_keeps_no_secret() {
    let ground = Ground::answering(done(json!({
        "operation": "01JD3V8Q2Y6K4M5N7P9R1S3T60", "memories": [], "already": false
    })));
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let told =
        ground.run_with_input(&["consolidation", "submit", "7QX3", "-"], format!("use {token}\n").as_bytes());
    assert_eq!(told.code, 0, "{}", told.err);
    let request = ground.request();
    assert_eq!(request["order"]["order"], "consolidation_submit");
    assert!(!request.to_string().contains(&token) && told.err.contains("masked"), "{request}{}", told.err);
}

#[test]
fn what_is_said_about_personal_data_is_done_here_or_told_for_this_once() {
    let ground = Ground::answering(done(json!({
        "operation": "01JD3V8Q2Y6K4M5N7P9R1S3T60", "memories": [], "already": false
    })));
    let asking = ["--set", "personal.project=ask"];
    let masked = ground.run(&["remember", "--mask", "mail ada@kestrel.io"]);
    assert!(masked.err.contains("masked: email (1)"), "{}", masked.err);
    assert_eq!(ground.request()["order"]["text"], "mail [personal: email]");
    let kept = ground.run(&[&asking[..], &["remember", "--as-it-is", "mail ada@kestrel.io"]].concat());
    assert_eq!(kept.code, 0, "{}", kept.err);
    let request = ground.request();
    assert_eq!(request["order"]["text"], "mail ada@kestrel.io");
    let settings = request["context"]["settings"].as_array().unwrap().clone();
    assert_eq!(settings.last(), Some(&json!(["personal.project", "off"])), "after what was said before");
    // Where the settings do not ask, it counts for nothing.
    ground.run(&["--set", "personal.project=refuse", "correct", "7QX3", "--as-it-is", "ada@kestrel.io"]);
    let settings = ground.request()["context"]["settings"].clone();
    assert!(!settings.to_string().contains("off"), "{settings}");
    assert_eq!(ground.run(&["remember", "--mask", "--as-it-is", "x"]).code, 2);
}

#[test]
fn an_audit_log_that_is_not_whole_ends_with_one() {
    let head = json!({"number": 2, "digest": "0".repeat(64)});
    let found = json!({"lines": 2, "head": head, "breaks": [{"line": 2, "flaw": "changed"}]});
    let ground = Ground::answering(done(found));
    let told = ground.run(&["audit", "verify"]);
    assert_eq!(told.code, 1, "{}", told.err);
    assert!(told.out.contains("line 2 does not say what it said"), "{}", told.out);
    assert_eq!(ground.run(&["audit", "verify", "--head", "2"]).code, 2, "no head");
    let whole = Ground::answering(done(json!({"lines": 2, "head": head, "breaks": []})));
    assert_eq!(whole.run(&["audit", "verify"]).code, 0);
    let shown = Ground::answering(done(json!({"lines": [], "total": 2, "head": head})));
    assert_eq!(shown.run(&["audit", "head"]).out, format!("2:{}\n", "0".repeat(64)));
}

#[test]
fn a_graph_is_a_tree_or_nothing_but_the_drawing() {
    let dot = "digraph engram {\n  \"a\" [label=\"redis\"];\n}\n";
    let node = json!({"entity": "00000000000000000000000001", "name": "redis", "kind": "service",
                      "memories": 2, "hops": 0});
    let ground = Ground::answering(done(json!({"scope": "project", "nodes": [node], "dot": dot})));
    let drawn = ground.run(&["graph", "redis", "--dot", "--only", "uses,depends_on", "--hops", "3"]);
    assert_eq!((drawn.out.as_str(), drawn.err.as_str()), (dot, ""));
    let order = &ground.request()["order"];
    assert_eq!((&order["hops"], &order["kinds"]), (&json!(3), &json!(["uses", "depends_on"])));
    assert!(ground.run(&["graph", "redis"]).out.starts_with("redis (service, 2 memories)\n"));
    assert_eq!(ground.run(&["graph", "redis", "--dot", "--json"]).json()["dot"], dot);
}

#[test]
fn an_export_may_leave_the_history_out() {
    let ground = Ground::answering(done(json!({"exported": 0})));
    for (arguments, no_history) in [(&["export", "--no-history"][..], true), (&["export"], false)] {
        assert_eq!(ground.run(arguments).code, 0);
        assert_eq!(ground.request()["order"]["no_history"], no_history);
    }
}

#[test]
fn the_text_comes_from_arguments_or_from_standard_input() {
    let ground = Ground::answering(done(json!({
        "operation": "01JD3V8Q2Y6K4M5N7P9R1S3T5V", "memories": [], "already": false
    })));
    assert_eq!(ground.run(&["remember", "we deploy", "on fridays"]).code, 0);
    assert_eq!(ground.request()["order"]["text"], "we deploy on fridays");
    for arguments in [&["remember", "-"][..], &["remember"], &["correct", "7QX3"]] {
        assert_eq!(ground.run_with_input(arguments, "çok\n".as_bytes()).code, 0);
        assert_eq!(ground.request()["order"]["text"], "çok\n");
    }
    let bad = ground.run_with_input(&["remember"], b"ok \xff");
    assert_eq!(
        (bad.code, bad.err.lines().next()),
        (2, Some("engram remember: the text is not UTF-8: byte 4"))
    );
}

#[test]
fn a_fault_has_its_exit_code_its_hints_and_its_json() {
    for (kind, code) in [
        ("usage", 2),
        ("not_found", 3),
        ("refused", 4),
        ("environment", 5),
        ("busy", 8),
        ("unreachable", 6),
        ("version", 7),
        ("internal", 1),
    ] {
        let ground = Ground::answering(fault(kind));
        let plain = ground.run(&["inspect", "7QX3"]);
        assert_eq!((plain.code, plain.out.as_str()), (code, ""));
        assert_eq!(plain.err, "engram inspect: no\n  hint: try this\n");
        let json = ground.run(&["inspect", "7QX3", "--json"]);
        assert_eq!(json.json(), json!({"error": {"kind": kind, "message": "no", "hints": ["try this"]}}));
        assert_eq!((json.code, json.err.as_str()), (code, ""));
    }
    let typed = Ground::deserted().run(&["recall", "--json"]);
    assert_eq!((typed.code, &typed.json()["error"]["kind"]), (2, &json!("usage")));
}

#[test]
fn json_is_the_reply_as_it_came() {
    let reply = json!({"sessions": [], "something": {"new": [1, 2.5, "\u{1b}"]}});
    let ground = Ground::answering(done(reply.clone()));
    assert_eq!(ground.run(&["session", "list", "--json"]).json(), reply);
}

#[test]
fn a_write_that_a_busy_daemon_turns_away_waits_in_the_spool() {
    let ground = Ground::answering(fault("busy"));
    let plain = ground.run(&["remember", "we deploy on fridays"]);
    assert_eq!((plain.code, plain.err.as_str()), (0, ""));
    assert_eq!(plain.out, "kept in the spool; it will be stored as soon as the daemon can (no)\n");
    let waits: Request = serde_json::from_str(ground.spool().trim()).unwrap();
    assert!(waits.context.again && waits.context.said_at.is_some());
}

#[test]
fn a_write_that_reaches_nobody_waits_in_the_spool() {
    let ground = Ground::deserted();
    let plain = ground.run(&["remember", "we deploy on fridays"]);
    assert_eq!(plain.code, 0, "{}", plain.err);
    assert!(plain.out.starts_with("kept in the spool; it will be stored as soon as the daemon can ("));
    let value = ground.run(&["pin", "7QX3", "--json"]).json();
    assert_eq!(value["spooled"], true);
    let spool = ground.spool();
    let lines: Vec<Request> = spool.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert!(lines.iter().all(|line| line.context.again && line.context.said_at.is_some()));
    assert_eq!(json!(lines[1].order.operation()), value["operation"]);
}

#[test]
fn what_cannot_wait_fails_when_nobody_is_reached() {
    let ground = Ground::deserted();
    std::fs::write(ground.folder.path().join("some.jsonl"), "{}\n").unwrap();
    for arguments in [&["recall", "x"][..], &["stats"], &["undo"], &["import", "some.jsonl"]] {
        assert_eq!(ground.run(arguments).code, 6, "{arguments:?}");
    }
    let full = ground.run(&["remember", "x", "--set", "client.spool_bytes=0"]);
    assert_eq!(full.code, 6);
    assert!(
        full.err.contains("could not be started") && full.err.contains("the spool is full"),
        "{}",
        full.err
    );
    assert_eq!(ground.spool(), "");
}

#[test]
fn no_daemon_is_fine_for_status_and_stop_and_found_by_doctor() {
    let ground = Ground::deserted();
    assert_eq!(ground.run(&["status", "--json"]).json()["running"], false);
    assert_eq!(ground.run(&["stop", "--json"]).json(), json!({"stopping": false}));
    let doctor = ground.run(&["doctor", "--json"]);
    assert_eq!((doctor.code, &doctor.json()["sound"]), (1, &json!(false)));
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let found = json!({"query": "x", "hits": [], "gaps": [], "searched": [], "profile": "default",
                       "confidence": 0.0, "intent": "general", "query_type": "general", "strategy": "keyword",
                       "together": {"covered": 0.0, "missing": 0.0},
                       "weights": {"session": 0.5, "project": 0.35, "user": 0.15}});
    assert_eq!(Ground::answering(done(found)).run(&["forget", "--query", "x"]).code, 3);
    let ground = Ground::deserted();
    std::fs::write(ground.folder.path().join("old.backup"), "").unwrap();
    let refused = ground.run(&["backup", "restore", "old.backup"]);
    assert_eq!((refused.code, refused.err.contains("--yes")), (4, true));
}

#[test]
fn an_export_is_written_as_it_comes() {
    let line = |n: u32| json!({"answer": "line", "line": format!("{{\"n\":{n}}}")});
    let mut answers: Vec<Value> = (0..50_000).map(line).collect();
    answers.extend(done(json!({"exported": 50_000})));
    let ground = Ground::answering(answers);

    let told = ground.run(&["export", "out.jsonl", "--json"]);
    assert_eq!(told.json(), json!({"exported": 50_000}));
    let file = std::fs::read_to_string(ground.folder.path().join("out.jsonl")).unwrap();
    assert_eq!((file.lines().count(), file.lines().last()), (50_000, Some("{\"n\":49999}")));

    // The reader goes away after a few bytes.
    let mut child = ground.command(&["export"]).spawn().unwrap();
    let mut first = [0; 8];
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut first).unwrap();
    drop(out);
    let ended = ran(child.wait_with_output().unwrap());
    assert_eq!((ended.code, ended.err.as_str(), &first), (0, "", b"{\"n\":0}\n"));
}

#[test]
fn an_export_that_fails_leaves_no_file() {
    let ground = Ground::answering(fault("environment"));
    assert_eq!(ground.run(&["export", "out.jsonl"]).code, 5);
    let names: Vec<_> =
        std::fs::read_dir(ground.folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["home"]);
}

#[test]
fn a_broken_configuration_stops_everything_but_its_repair() {
    let ground = Ground::deserted();
    std::fs::create_dir_all(ground.home()).unwrap();
    std::fs::write(ground.home().join("config.toml"), "recall.limit = 0\n").unwrap();
    let stopped = ground.run(&["remember", "x"]);
    assert_eq!((stopped.code, stopped.err.contains("config.toml: recall.limit must be")), (2, true));
    assert_eq!(ground.run(&["config", "list"]).code, 0);
    assert_eq!(ground.run(&["config", "set", "recall.limit", "5"]).code, 0);
    assert_eq!(ground.run(&["config", "get", "recall.limit"]).out, "5\n");
    assert_eq!(ground.run(&["remember", "x"]).code, 0);
}

#[test]
fn a_running_daemon_is_on_the_list_of_what_goes() {
    let ground = Ground::answering(done(json!({
        "version": "0.1.0", "protocol": 1, "process": 42, "home": "/h", "socket": "/h/s",
        "started_at": "2026-11-15T10:00:00Z", "requests": 7, "open_stores": [], "open_sessions": 0,
        "resident_bytes": null, "idle_exit_at": "2026-11-15T11:00:00Z", "spooled": 0, "rejected": 0
    })));
    let listed = |arguments: &[&str]| {
        ran(ground.command(arguments).env("HOME", ground.folder.path().join("person")).output().unwrap())
    };
    let whole = listed(&["uninstall", "--dry-run"]);
    assert!(whole.out.contains("process 42 (engramd): would be ended"), "{}{}", whole.out, whole.err);
    assert_eq!(ground.request()["order"]["order"], "status");
    assert!(!listed(&["uninstall", "codex", "--dry-run"]).out.contains("process"));
    assert!(ground.heard.as_ref().unwrap().try_recv().is_err(), "one agent is none of the daemon's business");
}

#[test]
fn skills_that_engram_made_are_listed_and_stay() {
    let ground = Ground::deserted();
    std::fs::create_dir_all(ground.home()).unwrap();
    let skill = |name: &str, text: &str| {
        let folder = ground.folder.path().join("skills").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("SKILL.md"), text).unwrap();
    };
    skill("release", "# Release\n<!-- engram-skill 01JD: made from 3 procedures. -->\n");
    skill("own", "# Somebody's own\n");
    let person = ground.folder.path().join("person");
    let told = ran(ground.command(&["uninstall", "--dry-run"]).env("HOME", person).output().unwrap());
    assert!(told.out.contains("release/SKILL.md"), "{}{}", told.out, told.err);
    assert!(!told.out.contains("own/SKILL.md"), "{}", told.out);
}

#[test]
fn the_data_of_a_daemon_that_cannot_be_asked_stays() {
    let ground = Ground::answering(fault("internal"));
    let home = ground.folder.path().join("person");
    let mut command = ground.command(&["uninstall", "--data", "--yes"]);
    assert_eq!(ran(command.env("HOME", &home).output().unwrap()).code, 1);
    assert!(ground.home().exists());
    let told = ran(ground.command(&["uninstall", "--dry-run"]).env("HOME", &home).output().unwrap());
    assert_eq!(told.code, 0);
    assert!(told.err.contains("a daemon runs and stays"), "{}", told.err);
}
