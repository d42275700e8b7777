//! The two programs together, as a person uses them: in a home of their own,
//! with the real daemon.

mod common;

use common::{Ground, files_below};
use serde_json::Value;
use std::fs;

#[test]
fn a_day_with_engram() {
    let ground = Ground::new();
    ground.ok(&["remember", "the staging key is in vault", "--tag", "deploy"]);
    ground.ok(&["remember", "--scope", "user", "--kind", "preference", "short functions please"]);
    let id = ground.json(&["list", "--tag", "deploy"])["memories"][0]["id"].as_str().unwrap().to_owned();
    ground.ok(&["correct", &id[18..], "the staging key is in 1password"]);
    let said = ground.ok(&["recall", "where is the staging key", "--explain"]);
    assert!(said.starts_with("1. the staging key is in 1password"), "{said}");
    assert!(said.contains("supersedes") && said.contains("project weight 0.91"), "{said}");
    let then = ground.json(&["recall", "staging key", "--as-of", "2020-01-01"]);
    assert_eq!(then["hits"].as_array().unwrap().len(), 0);
    ground.ok(&["forget", "--query", "staging key", "--yes"]);
    assert!(ground.ok(&["recall", "staging key"]).starts_with("Nothing found"));
    assert!(ground.ok(&["undo"]).contains("Undid forget"));
    assert!(ground.ok(&["recall", "staging key"]).contains("1password"));
    assert_eq!(ground.json(&["inspect", &id])["memory"]["status"], "superseded");
    ground.ok(&["pin", &id[18..]]);
    ground.ok(&["history", &id]);
    ground.ok(&["operations"]);
    assert!(ground.ok(&["recall", "staging functions", "--grouped"]).contains("user"));
    assert!(ground.ok(&["doctor"]).contains("equals a full reading of the store"));
    let stats = ground.json(&["stats"]);
    assert_eq!(stats["scopes"][0]["memories"], 2);
    assert!(ground.ok(&["status"]).contains("running"));
    ground.ok(&["stop"]);
    assert!(ground.ok(&["status"]).contains("not running") || ground.json(&["status"])["running"] == false);
}

#[test]
fn sessions_live_from_start_to_end() {
    let ground = Ground::new();
    let started = ground.json(&["session", "start"]);
    let session = started["session"].as_str().unwrap();
    // What is of the moment only does not go up when the session ends.
    let note = ["remember", "--scope", "session", "--kind", "scratchpad", "trying plan B"];
    ground.ok(&[&["--session", session], &note[..]].concat());
    assert!(ground.ok(&["--session", session, "recall", "plan"]).contains("trying plan B"));
    assert!(ground.ok(&["recall", "plan"]).starts_with("Nothing found"));
    ground.ok(&["session", "end", session]);
    assert!(ground.ok(&["--session", session, "recall", "plan"]).starts_with("Nothing found"));
}

#[test]
fn what_goes_out_as_lines_or_as_a_backup_comes_back() {
    let ground = Ground::new();
    for number in 0..30 {
        ground.ok(&["remember", &format!("fact number {number}")]);
    }
    let lines = ground.ok(&["export"]);
    assert_eq!(lines.lines().count(), 30);
    ground.ok(&["export", "all.jsonl"]);
    assert_eq!(fs::read_to_string(ground.path("work/all.jsonl")).unwrap(), lines);
    ground.ok(&["backup", "create", "all.backup"]);
    let other = Ground::new();
    fs::copy(ground.path("work/all.jsonl"), other.path("work/all.jsonl")).unwrap();
    other.ok(&["import", "all.jsonl"]);
    assert_eq!(other.ok(&["export"]), lines);
    ground.ok(&["remember", "one too many"]);
    ground.ok(&["backup", "restore", "all.backup", "--yes"]);
    assert_eq!(ground.ok(&["export"]), lines);
}

#[test]
fn what_a_session_knows_goes_up_and_what_served_is_worth_more() {
    let ground = Ground::new();
    let session = "4f1c0b6e-6a55-4f0e-9d6b-0c8f0a8a4c11";
    let start = ground.json(&["session", "start"])["session"].clone();
    ground.fails(&["session", "show"], 2, "no session was named");
    ground.fails(&["session", "show", session], 3, "not open");
    let known = ["--session", start.as_str().unwrap()];
    ground.ok(&[
        &known[..],
        &["remember", "--scope", "session", "--kind", "decision", "we sign with ed25519"],
    ]
    .concat());
    let shown = ground.ok(&[&known[..], &["session", "show"]].concat());
    assert!(shown.contains("we sign with ed25519") && shown.contains("1 here, 0 went up"), "{shown}");
    let told = ground.ok(&[&known[..], &["promote"]].concat());
    assert!(told.contains("explicit") && told.contains("1 memory went up"), "{told}");
    assert!(ground.ok(&["session", "list"]).contains("PROMOTED"));
    let ended = ground.ok(&["session", "end", start.as_str().unwrap()]);
    assert!(ended.contains("has ended; 1 memory went up"), "{ended}");

    let id = ground.json(&["recall", "ed25519"])["hits"][0]["memory"]["id"].clone();
    let told = ground.ok(&["outcome", id.as_str().unwrap(), "success", "--note", "signing"]);
    assert!(told.contains("success; its utility was 0.50 and is 0.5"), "{told}");
    assert_eq!(ground.ok(&["reminders"]), "No reminders.\n");
}

#[test]
fn bad_input_has_its_exit_code_and_a_clear_word() {
    let ground = Ground::new();
    ground.ok(&["remember", "good"]);
    ground.fails(&["remember", ""], 2, "no text");
    ground.fails(&["remember", "x", "--kind", "opinion"], 2, "opinion");
    ground.fails(&["recall", "x", "--as-of", "the day before"], 2, "the day before");
    ground.fails(&["inspect", "NOSUCHID"], 3, "no memory");
    ground.fails(&["mark", "NOSUCHID", "sleepy", "--reason", "x"], 2, "sleepy");
    fs::write(ground.path("work/bad.jsonl"), "{\"a\": 1}\n{broken\n").unwrap();
    ground.fails(&["import", "bad.jsonl"], 2, "line 2 is not JSON");
    fs::write(ground.path("work/long.txt"), "long ".repeat(2 << 20)).unwrap();
    let long = fs::File::open(ground.path("work/long.txt")).unwrap();
    let output = ground.command("work", &["remember", "-"]).stdin(long).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("at most 65536"));
    fs::write(ground.path("work/latin1.txt"), b"caf\xe9").unwrap();
    let latin = fs::File::open(ground.path("work/latin1.txt")).unwrap();
    let output = ground.command("work", &["remember", "-"]).stdin(latin).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("not UTF-8"));
    ground.fails(&["--set", "recall.limit=0", "recall", "x"], 2, "between 1 and 1000");
    assert!(ground.ok(&["recall", "good"]).starts_with("1. good"));
}

#[test]
fn a_secret_reaches_no_file() {
    let ground = Ground::new();
    // Made here, so that no file of ours holds one.
    let token: String = "ghp_".chars().chain("x7Qp2LmZ9cVb4NsKd83JhRtYwE6uAf0GiTo1".chars()).collect();
    let told = ground.output("work", &["remember", &format!("the deploy token is {token}, ask ada")]);
    assert!(String::from_utf8_lossy(&told.stderr).contains("masked"), "{told:?}");
    ground.ok(&["remember", "<private>my doctor is on monday</private> standup is at ten"]);
    ground.ok(&["recall", &format!("is {token} the deploy token")]);
    ground.ok(&["export", "out.jsonl"]);
    let lines = fs::read_to_string(ground.path("work/out.jsonl")).unwrap();
    // Another store's export may hold one.
    fs::create_dir(ground.path("elsewhere")).unwrap();
    let file = ground.path("elsewhere/lines.jsonl");
    fs::write(&file, lines.replace("ask ada", &format!("or {token}"))).unwrap();
    let brought = ground.output("elsewhere", &["import", "lines.jsonl"]);
    assert!(brought.status.success(), "{brought:?}");
    fs::remove_file(file).unwrap();
    let found = ground.ok(&["recall", "deploy token"]);
    assert!(found.contains("[secret: ") && found.contains("ask ada"), "{found}");
    assert!(ground.ok(&["recall", "when is the standup"]).contains("standup is at ten"));
    let id = ground.json(&["recall", "deploy token"])["hits"][0]["memory"]["id"].clone();
    ground.ok(&["mark", id.as_str().unwrap(), "challenged", "--reason", &format!("{token} is old")]);
    assert_eq!(ground.json(&["status"])["masked"], 2);
    ground.ok(&["stop"]);
    let lock = fs::File::open(ground.path("home/.claude/engram/engramd.lock")).unwrap();
    assert!(lock.try_lock().is_ok(), "it was told that the daemon has ended, and it still writes");
    drop(lock);
    // With nobody there it waits in the spool.
    let mut alone = ground.command("work", &["remember", &format!("password={token}")]);
    alone.env("ENGRAM_DAEMON", "/nowhere/engramd").output().unwrap();
    for file in files_below(&ground.root()) {
        let bytes = fs::read(&file).unwrap();
        for secret in [token.as_bytes(), b"my doctor"] {
            let inside = bytes.windows(secret.len()).any(|window| window == secret);
            assert!(!inside, "{} holds a secret", file.display());
        }
    }
}

#[test]
fn what_means_the_same_is_found_and_what_does_not_is_not() {
    let ground = Ground::new();
    ground.ok(&["remember", "the build breaks when the cache is cold"]);
    let alone = ground.json(&["recall", "why does compilation fail the first time"]);
    assert_eq!(alone["hits"].as_array().unwrap().len(), 1, "one memory is enough to be found");
    ground.ok(&["remember", "my sister plays the violin on sundays"]);
    ground.ok(&["remember", "invoices are due at the end of the month"]);
    let hit = |query: &str, more: &[&str]| -> Vec<String> {
        let mut arguments = vec!["recall", query];
        arguments.extend(more);
        let recalled = ground.json(&arguments);
        let hits = recalled["hits"].as_array().unwrap().iter();
        hits.map(|hit| hit["memory"]["content"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        hit("why does compilation fail the first time", &["--limit", "1"]),
        ["the build breaks when the cache is cold"]
    );
    assert!(hit("why does compilation fail the first time", &["--literal"]).is_empty());
    assert!(hit("thanks, that's great!", &["--prompt"]).is_empty());
    assert!(hit("what did we say about invoices in our ninth session", &[]).is_empty());
    ground.fails(&["forget", "--query", "why does compilation fail the first time"], 3, "nothing is found");

    let listed = ground.json(&["model", "list"]);
    assert_eq!((&listed["in_use"], &listed["models"][0]["state"]), (&"builtin".into(), &"available".into()));
    ground.fails(&["model", "use", "e5-small-v2"], 4, "not installed");
    ground.fails(&["model", "use", "word2vec"], 2, "there is no model");
    ground.fails(&["model", "install", "e5-small-v2", "--from", "nowhere"], 4, "nowhere");
    ground.fails(&["model", "remove", "e5-small-v2"], 3, "not installed");
    ground.ok(&["model", "use", "none"]);
    assert!(hit("why does compilation fail the first time", &[]).is_empty());
}

#[test]
fn what_says_where_texts_go_is_a_persons_own_and_secrets_are_veiled() {
    let ground = Ground::new();
    ground.ok(&["remember", "the staging key is in vault"]);
    ground.fails(&["config", "set", "--project", "embedder.url", "http://x"], 4, "a project may not set");
    ground.ok(&["config", "set", "embedder.key", "sk-hush"]);
    assert_eq!(ground.ok(&["config", "get", "embedder.key"]), "set\n");
    assert!(!ground.ok(&["config", "list"]).contains("sk-hush"));
    assert!(!ground.ok(&["--json", "config", "list"]).contains("sk-hush"));
    ground.fails(&["model", "use", "endpoint"], 4, "embedder.url");
    ground.ok(&["config", "set", "--project", "weights.words", "0.25"]);
    let why = ground.ok(&["recall", "staging key", "--explain"]);
    assert!(why.contains("(words 0.250 + "), "{why}");
    fs::write(ground.path("work/.claude/engram/config.toml"), "store.url = \"ws://x\"").unwrap();
    ground.fails(&["recall", "staging key"], 4, "config.toml: a project may not set store.url");
}

#[test]
fn what_was_asked_and_how_far_the_vectors_are_is_told() {
    let ground = Ground::new();
    ground.ok(&["remember", "the staging key is in vault"]);
    ground.ok(&["recall", "where is the staging key"]);
    let log = ground.json(&["recalls", "-n", "1"]);
    assert_eq!(log["recalls"][0]["query"], "where is the staging key");
    assert!(ground.ok(&["recalls"]).contains("1 shown: "));
    let done = ground.json(&["reindex", "--again"]);
    let store = &done["stores"][0];
    assert_eq!((&store["scope"], &store["total"], &store["made"]), (&"project".into(), &1.into(), &1.into()));
    assert!(ground.ok(&["reindex", "--all"]).starts_with("SCOPE"));
    let health = ground.json(&["status"]);
    assert_eq!(health["vectors"].as_array().unwrap().len(), 2);
    // A model that is not there is said, and done without.
    ground.ok(&["config", "set", "embedder.name", "e5-small-v2"]);
    ground.ok(&["stop"]);
    let output = ground.output("work", &["recall", "staging key"]);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(out.starts_with("1. the staging key") && err.contains("not installed"), "{out}{err}");
    assert!(ground.ok(&["status"]).contains("engram model install e5-small-v2"));
}

#[test]
fn without_a_home_there_is_a_clear_word() {
    let ground = Ground::new();
    let output = ground.command("work", &["remember", "x"]).env_remove("HOME").output().unwrap();
    assert_eq!(output.status.code(), Some(5), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("ENGRAM_HOME"));
}

#[test]
fn the_home_folder_is_no_project() {
    let ground = Ground::new();
    let output = ground.output("home", &["--json", "remember", "said at home"]);
    let reply: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(reply["memories"][0]["scope"], "user");
    let output = ground.output("home", &["remember", "x", "--scope", "project"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no project here"));
}

#[test]
fn a_write_waits_in_the_spool_until_a_daemon_runs() {
    let ground = Ground::new();
    let spooled = ground
        .command("work", &["--json", "remember", "said in the dark"])
        .env("ENGRAM_DAEMON", "/nonexistent/engramd")
        .output()
        .unwrap();
    assert!(spooled.status.success(), "{spooled:?}");
    let reply: Value = serde_json::from_slice(&spooled.stdout).unwrap();
    assert_eq!(reply["spooled"], true);
    assert!(ground.ok(&["recall", "dark"]).starts_with("1. said in the dark"));
    assert_eq!(ground.json(&["status"])["spooled"], 0);
}

#[test]
fn a_purge_asks_and_then_leaves_nothing() {
    let ground = Ground::new();
    ground.ok(&["remember", "xyzzy-secret"]);
    ground.fails(&["forget", "--query", "xyzzy", "--purge"], 4, "--yes");
    ground.ok(&["forget", "--query", "xyzzy", "--purge", "--yes"]);
    assert!(ground.ok(&["recall", "xyzzy", "--archived"]).starts_with("Nothing found"));
    assert!(!ground.ok(&["export"]).contains("xyzzy"));
}

#[test]
fn an_uninstall_knows_every_project_that_was_worked_in() {
    let ground = Ground::new();
    fs::create_dir_all(ground.path("elsewhere")).unwrap();
    ground.ok(&["remember", "the cache is redis"]);
    ground.ok(&["stop"]);
    let listed = ground.output("elsewhere", &["--json", "uninstall", "--dry-run", "--data"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    let folders = listed["engram"]["data"].to_string();
    assert!(folders.contains("work/.claude/engram") && folders.contains("home/.claude/engram"), "{folders}");
    assert_eq!(ground.json(&["status"])["running"], false, "the daemon that was asked is gone again");
    let gone = ground.output("elsewhere", &["uninstall", "--data", "--yes"]);
    assert!(gone.status.success(), "{gone:?}");
    assert!(!ground.path("work/.claude/engram").exists() && !ground.path("home/.claude/engram").exists());
}
