//! The commands about the whole of it, as a person or a script meets them: on a
//! terminal, and without one. A stand-in answers in the place of the daemon.

mod standin;

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use serde_json::{Value, json};
use standin::{Ground, done, ran};
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const ID: &str = "01JD3V8Q2Y6K4M5N7P9R1S3T5V";

/// An event, as it comes on the connection.
fn event(number: u64, what: Value) -> Value {
    let mut event = json!({"number": number, "at": "2026-11-15T10:02:03Z", "scope": "user"});
    event.as_object_mut().unwrap().append(&mut what.as_object().unwrap().clone());
    json!({"answer": "line", "line": event.to_string()})
}

fn heard(number: u64) -> Value {
    event(number, json!({"what": "heard", "event": "user_message", "turns": 1, "masked": 0}))
}

fn dreamt(number: u64) -> Value {
    event(number, json!({"what": "dreamt", "dream": ID, "store": "user", "changes": 4, "seconds": 0.25}))
}

/// A daemon that told these events, and is gone; the next one tells the others.
fn telling(first: Vec<Value>, second: Vec<Value>) -> Ground {
    let agreed = |events| [done(Value::Null), events].concat();
    Ground::answering_in_turn(vec![
        done(json!({"activities": [], "latest": 7})),
        agreed(first),
        agreed(second),
        agreed(Vec::new()),
    ])
}

fn first_lines(child: &mut Child, count: usize) -> Vec<String> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let lines = lines.take(count).map(Result::unwrap).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    lines
}

#[test]
fn what_goes_on_is_a_line_each_and_a_daemon_that_ends_is_waited_for() {
    let ground = telling(vec![heard(8), dreamt(9)], vec![heard(12)]);
    let mut child = ground.command(&["watch"]).env("TZ", "UTC").spawn().unwrap();
    assert_eq!(
        first_lines(&mut child, 3),
        [
            "2026-11-15 10:02:03  heard  user_message  user  1 turn",
            "2026-11-15 10:02:03  dreamt  4 changes  user  0.2 s",
            "2026-11-15 10:02:03  heard  user_message  user  1 turn",
        ]
    );
    let mut warning = String::new();
    child.stderr.take().unwrap().read_to_string(&mut warning).unwrap();
    let waiting = "engram watch: warning: no daemon is running; waiting for one";
    // The second one may have ended, too, before the client was.
    assert!(!warning.is_empty() && warning.lines().all(|line| line == waiting), "{warning}");
    let orders: Vec<Value> = (0..3).map(|_| ground.request()).collect();
    assert_eq!(orders[0]["order"], json!({"order": "activity", "limit": 1, "all": false}));
    assert_eq!(orders[1]["order"], json!({"order": "watch", "after": 7, "all": false}));
    assert_eq!(orders[2]["order"]["after"], 9, "the next one is asked for what came since");
    assert!(orders.iter().all(|order| order["context"]["quiet"] == true), "{orders:?}");
}

#[test]
fn as_json_every_event_is_one_object_and_only_what_was_asked_for() {
    let ground = telling(vec![heard(8), dreamt(9)], vec![heard(10), dreamt(11)]);
    let mut child = ground.command(&["watch", "--json", "--only", "dreams"]).spawn().unwrap();
    let numbers: Vec<Value> = first_lines(&mut child, 2)
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["number"].clone())
        .collect();
    assert_eq!(numbers, [9, 11]);
}

#[test]
fn what_is_watched_must_be_told_or_it_is_a_failure() {
    let ground = Ground::answering_in_turn(vec![
        done(json!({"activities": [], "latest": 7})),
        standin::fault("refused"),
    ]);
    assert_eq!(ground.run(&["watch"]).code, 4);
}

#[test]
fn the_latest_events_are_told_once_and_no_daemon_is_started_for_it() {
    let event = |number: u64| serde_json::from_str(heard(number)["line"].as_str().unwrap()).unwrap();
    let events: Vec<Value> = [1, 2].map(event).into();
    let ground = Ground::answering(done(json!({"activities": events, "latest": 2})));
    let told = ground.run(&["watch", "--last", "20", "--all"]);
    assert_eq!((told.code, told.out.lines().count()), (0, 2), "{}", told.err);
    assert_eq!(ground.request()["order"], json!({"order": "activity", "limit": 20, "all": true}));
    let none = ground.run(&["watch", "--last", "20", "--only", "dreams"]);
    assert_eq!(none.out, "Nothing went on lately.\n");

    let deserted = Ground::deserted();
    let told = deserted.run(&["watch", "--last", "3", "--json"]);
    assert_eq!((told.code, told.json()), (0, json!({"activities": [], "latest": 0})));
    assert!(deserted.run(&["watch", "--last", "3"]).out.starts_with("No daemon is running"));
}

#[test]
fn what_is_asked_about_the_whole_of_it_reaches_the_daemon() {
    let ground = Ground::answering(done(json!({})));
    for (line, order) in [
        ("days --limit 5", json!({"order": "days", "before": null, "limit": 5})),
        ("stores", json!({"order": "stores", "days": 90})),
        ("projects", json!({"order": "projects"})),
        ("ui --read-only", json!({"order": "ui", "read_only": true})),
        (
            "graph --all --only uses --scope user",
            json!({"order": "graph_whole", "scope": "user", "kinds": ["uses"], "limit": 100}),
        ),
    ] {
        let words: Vec<&str> = line.split(' ').chain(["--json"]).collect();
        let told = ground.run(&words);
        // The address is the one thing that is needed whatever is printed.
        assert_eq!(told.code, if line.starts_with("ui") { 1 } else { 0 }, "{line}: {}", told.err);
        assert_eq!(ground.request()["order"], order, "{line}");
    }
}

#[test]
fn an_edit_says_what_is_named_and_waits_if_it_must() {
    let ground = Ground::deserted();
    let told = ground.run(&["edit", "7QX3M9KA", "--kind", "decision", "--tag", "", "--domain", ""]);
    assert_eq!(told.code, 0, "{}", told.err);
    let waiting: Value = serde_json::from_str(ground.spool().trim()).unwrap();
    let order = &waiting["order"];
    assert_eq!(
        (&order["kind"], &order["tags"], &order["domain"]),
        (&json!("decision"), &json!([]), &json!(""))
    );
    assert!(order.get("summary").is_none(), "{order}");

    let refused = ground.run(&["edit", "7QX3M9KA", "--tag", "two words"]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let masked = ground.run(&["edit", "7QX3M9KA", "--summary", &secret]);
    assert!(masked.err.contains("masked"), "{}", masked.err);
    assert_eq!(ground.spool().lines().count(), 2);
    assert!(!ground.spool().contains(&secret));
}

#[test]
fn settings_are_listed_with_their_default_and_what_they_are_for() {
    let ground = Ground::deserted();
    let listed = ground.run(&["config", "list", "--json", "--set", "recall.limit=3"]).json();
    let settings = listed["settings"].as_array().unwrap();
    let of = |key: &str| settings.iter().find(|setting| setting["key"] == key).unwrap();
    let limit = of("recall.limit");
    assert_eq!((&limit["value"], &limit["source"]), (&json!(3), &json!("flag")));
    assert_ne!(limit["default"], 3);
    assert!(!limit["about"].as_str().unwrap().is_empty());
    assert_eq!((&limit["personal"], &of("window.port")["personal"]), (&json!(false), &json!(true)));
    assert!(listed["files"][0].as_str().unwrap().ends_with("config.toml"));
    assert_eq!(ground.run(&["config", "get", "window.open", "--json"]).json(), *of("window.open"));
}

fn health() -> Value {
    json!({
        "version": "0.1.0", "protocol": 1, "process": 42, "home": "/h", "socket": "/h/s",
        "started_at": "2026-11-15T10:00:00Z", "requests": 7, "open_stores": [], "open_sessions": 0,
        "resident_bytes": null, "idle_exit_at": "2026-11-15T11:00:00Z", "spooled": 0, "rejected": 0,
        "budgets": [{"what": "language model", "used": 1.0, "limit": 4.0, "unit": "calls a day"}]
    })
}

fn stats() -> Value {
    json!({"scopes": [], "project": null, "gaps": []})
}

#[test]
fn how_it_fares_is_told_once_where_there_is_no_terminal() {
    let lately = done(json!({"activities": [], "latest": 0}));
    let ground = Ground::answering_in_turn(vec![done(health()), done(stats()), lately]);
    let told = ground.run(&["top"]);
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(told.out.contains("language model [███·······] 1 of 4 calls a day"), "{}", told.out);
    assert_eq!(ground.request()["context"]["quiet"], true, "a look keeps no daemon awake");

    let ground = Ground::answering_in_turn(vec![done(health()), done(stats())]);
    let told = ground.run(&["top", "--json"]).json();
    assert_eq!((&told["running"], &told["health"]["process"]), (&json!(true), &json!(42)));
    assert_eq!(told["stats"], stats());
    assert_eq!(Ground::deserted().run(&["top", "--json"]).json()["running"], false);
    assert!(Ground::deserted().run(&["top"]).out.starts_with("No daemon is running"));
}

/// A terminal, and what was written on it so far.
struct Terminal {
    keyboard: File,
    written: Receiver<Vec<u8>>,
    seen: String,
}

impl Terminal {
    /// Runs a program on a terminal of its own.
    fn running(command: &mut Command) -> (Self, Child) {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        fcntl_setfd(&master, FdFlags::CLOEXEC).unwrap();
        tcsetwinsize(&master, Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let slave = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        let side = || Stdio::from(slave.try_clone().unwrap());
        let child = command.env("TERM", "xterm").stdin(side()).stdout(side()).stderr(side()).spawn().unwrap();
        // What the command holds would keep the terminal open when the program has ended.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let (tell, written) = channel();
        let mut screen = File::from(master.try_clone().unwrap());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = screen.read(&mut bytes) {
                if tell.send(bytes[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        (Self { keyboard: File::from(master), written, seen: String::new() }, child)
    }

    /// Waits until something is to be seen, through so many writes at most.
    fn wait_for(&mut self, text: &str) {
        for _ in 0..50 {
            if self.seen.contains(text) {
                return;
            }
            let Ok(more) = self.written.recv_timeout(Duration::from_secs(20)) else { break };
            self.seen += &String::from_utf8_lossy(&more);
        }
        panic!("\"{text}\" did not come: {:?}", self.seen)
    }

    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }
}

/// What opens a screen of its own, and what leaves it as it was.
const OPENED: &str = "\u{1b}[?1049h";
const LEFT: &str = "\u{1b}[?1049l";

#[test]
fn a_screen_is_left_as_it_was_by_a_key() {
    let ground = telling(vec![dreamt(8)], Vec::new());
    let (mut terminal, mut child) = Terminal::running(&mut ground.command(&["watch"]));
    terminal.wait_for(OPENED);
    terminal.wait_for("dreamt");
    terminal.press("q");
    terminal.wait_for(LEFT);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_screen_is_left_as_it_was_by_a_signal() {
    let ground = Ground::deserted();
    for command in ["watch", "top"] {
        let (mut terminal, mut child) = Terminal::running(ground.command(&[command]).env("NO_COLOR", "1"));
        terminal.wait_for(OPENED);
        terminal.wait_for(if command == "watch" { "waiting" } else { "running" });
        let process = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(process, rustix::process::Signal::TERM).unwrap();
        terminal.wait_for(LEFT);
        assert_eq!(child.wait().unwrap().code(), Some(143));
        assert!(!terminal.seen.contains("\u{1b}[38;5;") && !terminal.seen.contains("\u{1b}[31m"));
    }
}

#[test]
fn the_window_is_opened_by_the_browser_that_is_named_and_only_at_a_terminal() {
    let url = "http://127.0.0.1:4321/#ticket=abc";
    let served = json!({"url": url, "read_only": false, "expires_at": "2026-11-15T10:35:00Z"});
    let ground = Ground::answering(done(served.clone()));
    let (browser, opened) = (ground.folder.path().join("browser"), ground.folder.path().join("opened"));
    fs::write(&browser, format!("#!/bin/sh\necho \"$1\" > {0}.part && mv {0}.part {0}\n", opened.display()))
        .unwrap();
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let command = |arguments: &[&str]| {
        let mut command = ground.command(arguments);
        command.env("BROWSER", &browser).env("PATH", "/usr/bin:/bin");
        command
    };
    let printed = ran(command(&["ui"]).output().unwrap());
    assert!(printed.out.starts_with(url) && !printed.out.contains("Opened"), "{}", printed.out);
    let as_json = ran(command(&["ui", "--json"]).output().unwrap());
    assert_eq!(as_json.json(), served);
    for arguments in [&["ui", "--print"][..], &["ui", "--set", "window.open=off"], &["ui", "--json"]] {
        let (mut terminal, mut child) = Terminal::running(&mut command(arguments));
        terminal.wait_for(url);
        assert!(child.wait().unwrap().success());
    }
    assert!(!opened.exists(), "nobody was there to look at it, or wanted to");

    let (mut terminal, mut child) = Terminal::running(&mut command(&["ui"]));
    terminal.wait_for("Opened with");
    assert!(child.wait().unwrap().success());
    for _ in 0..400 {
        if opened.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    assert_eq!(fs::read_to_string(&opened).unwrap().trim(), url);
}
