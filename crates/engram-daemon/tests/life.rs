//! How the daemon comes and goes: one at a time, on demand, in good order.

mod common;

use common::{Ground, kill, wait_for_end};
use engram_core::Scope;
use engram_wire::client::{NoAnswer, Reach};
use engram_wire::message::Remember;
use engram_wire::spool::Spool;
use engram_wire::{Answer, FaultKind, Hello, Order, PROTOCOL, Request, Welcome, frame};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::time::Duration;

/// The processes that serve this home.
fn daemons(ground: &Ground) -> Vec<u32> {
    let home = format!("ENGRAM_HOME={}", ground.reach.home.root().display());
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let read = |file: &str| fs::read(entry.path().join(file)).unwrap_or_default();
        let is_daemon = String::from_utf8_lossy(&read("cmdline")).contains("engramd");
        if is_daemon && String::from_utf8_lossy(&read("environ")).split('\0').any(|line| line == home) {
            found.push(process);
        }
    }
    found
}

#[test]
fn ten_clients_at_once_start_one_daemon() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    std::thread::scope(|scope| {
        for number in 0..10 {
            let (ground, folder) = (&ground, &folder);
            scope.spawn(move || ground.at(folder).remember(&format!("from client {number}"), None));
        }
    });
    assert_eq!(ground.at(&folder).export().len(), 10);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(daemons(&ground).len(), 1);
}

#[test]
fn the_daemon_is_nobodys_child_has_no_children_and_no_open_terminal() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    ground.at(&folder).remember("x", None);
    let process = ground.process().unwrap();
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let parent = status.lines().find_map(|line| line.strip_prefix("PPid:")).unwrap().trim().to_owned();
    assert_ne!(parent, std::process::id().to_string());
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    assert_eq!(children.trim(), "");
    for stream in 0..3 {
        let target = fs::read_link(format!("/proc/{process}/fd/{stream}")).unwrap();
        assert_eq!(target, Path::new("/dev/null"));
    }
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&ground.reach.home.socket_folder()), 0o700);
    assert_eq!(mode(ground.reach.home.root()), 0o700);
    assert_eq!(mode(&ground.reach.home.log_file()), 0o600);
}

#[test]
fn it_ends_by_itself_when_nobody_asks() {
    let ground = Ground::new();
    fs::create_dir_all(ground.reach.home.root()).unwrap();
    fs::write(ground.reach.home.config_file(), "[daemon]\nidle_exit_s = 1\n").unwrap();
    let folder = ground.folder("plain");
    let memory = ground.at(&folder).remember("kept over the pause", None);
    let process = ground.process().unwrap();
    wait_for_end(process);
    assert!(!ground.reach.home.socket().exists());
    assert_eq!(ground.at(&folder).recall("pause"), [memory.content]);
}

#[test]
fn told_to_end_it_finishes_what_it_acknowledged_within_two_seconds() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    ground.at(&folder).remember("first", None);
    let process = ground.process().unwrap();
    let reach = Reach { daemon: None, deadline: Duration::from_millis(300), ..ground.reach.clone() };
    let (kept, ended_in) = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                let (ground, folder, reach) = (&ground, &folder, &reach);
                scope.spawn(move || {
                    let place = ground.at(folder);
                    let mut kept = Vec::new();
                    for turn in 0..10_000 {
                        let text = format!("writer {writer} turn {turn}");
                        let request =
                            Request { context: place.context(), order: place.remember_order(&text, None) };
                        match reach.ask(&request, &mut |_| {}) {
                            Ok(_) => kept.push(text),
                            Err(_) => break,
                        }
                    }
                    kept
                })
            })
            .collect();
        std::thread::sleep(Duration::from_millis(400));
        let started = common::now();
        let pid = rustix::process::Pid::from_raw(i32::try_from(process).unwrap()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        wait_for_end(process);
        let ended_in = Duration::try_from(common::now().duration_since(started)).unwrap();
        let kept: Vec<String> = writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect();
        (kept, ended_in)
    });
    assert!(ended_in < Duration::from_secs(2), "{ended_in:?}");
    assert!(kept.len() > 4);
    let present: Vec<String> =
        ground.at(&folder).export().iter().map(|line| line["content"].as_str().unwrap().to_owned()).collect();
    assert!(kept.iter().all(|text| present.contains(text)));
}

#[test]
fn a_stale_socket_and_a_stale_lock_file_are_no_obstacle() {
    let ground = Ground::new();
    let home = &ground.reach.home;
    fs::create_dir_all(home.socket_folder()).unwrap();
    drop(UnixListener::bind(home.socket()).unwrap());
    fs::write(home.lock_file(), "left behind").unwrap();
    let folder = ground.folder("plain");
    assert_eq!(ground.at(&folder).remember("x", None).content, "x");
    // A daemon that was killed leaves its socket file; the next one takes over.
    kill(ground.process().unwrap());
    assert!(home.socket().exists());
    assert_eq!(ground.at(&folder).recall("x"), ["x"]);
}

/// Speaks like a daemon of another version, until it is told to stop.
fn impostor(ground: &Ground, protocol: u32, version: &str) -> std::thread::JoinHandle<bool> {
    let home = ground.reach.home.clone();
    fs::create_dir_all(home.socket_folder()).unwrap();
    let lock = fs::File::create(home.lock_file()).unwrap();
    lock.lock().unwrap();
    let listener = UnixListener::bind(home.socket()).unwrap();
    let version = version.to_owned();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let Ok(_) = frame::read::<Hello>(&mut stream) else { continue };
            frame::write(&mut stream, &Welcome { protocol, version: version.clone(), process: 1 }).unwrap();
            match frame::read::<Value>(&mut stream) {
                Ok(request) if request["order"]["order"] == "stop" => {
                    fs::remove_file(home.socket()).unwrap();
                    let reply = serde_json::json!({ "stopping": true, "process": 1 });
                    let _ = frame::write(&mut stream, &Answer::Done { reply });
                    drop(lock);
                    return true;
                }
                _ => {}
            }
        }
        false
    })
}

#[test]
fn an_older_daemon_makes_way() {
    let ground = Ground::new();
    let older = impostor(&ground, PROTOCOL, "0.0.1");
    let folder = ground.folder("plain");
    assert_eq!(ground.at(&folder).remember("to the new one", None).content, "to the new one");
    assert!(older.join().unwrap());
}

#[test]
fn a_daemon_of_a_newer_protocol_is_left_alone() {
    let ground = Ground::new();
    let _newer = impostor(&ground, PROTOCOL + 1, "99.0.0");
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    let fault = place.fault(place.remember_order("x", None));
    assert_eq!(fault.kind, FaultKind::Version);
    assert!(fault.message.contains("older than the running daemon (99.0.0"), "{}", fault.message);
}

#[test]
fn the_spool_is_drained_in_order_and_once() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    let spool = Spool::new(ground.reach.home.spool_folder());
    let said_at = "2026-01-02T03:04:05Z".parse().unwrap();
    let mut requests = Vec::new();
    for number in 0..5 {
        let mut context = place.context();
        context.said_at = Some(said_at);
        let order = place.remember_order(&format!("spooled {number}"), None);
        requests.push(Request { context, order });
    }
    for request in &requests {
        spool.append(request, 1 << 20).unwrap();
    }
    // A line that was done before, one that makes no sense, and one that is
    // refused: none of them stops the others.
    spool.append(&requests[0], 1 << 20).unwrap();
    let mut refused = requests[0].clone();
    refused.order = Order::Remember(Remember {
        operation: ground.operation(),
        text: String::new(),
        kind: None,
        tags: Vec::new(),
        domain: None,
        scope: Some(Scope::User),
        pin: false,
    });
    spool.append(&refused, 1 << 20).unwrap();
    {
        use std::io::Write as _;
        let file = ground.reach.home.spool_folder().join("waiting.jsonl");
        writeln!(fs::OpenOptions::new().append(true).open(file).unwrap(), "not json").unwrap();
    }
    // So does one whose folder is gone.
    let mut homeless = requests[0].clone();
    homeless.context.folder = Some(ground.root().join("gone"));
    spool.append(&homeless, 1 << 20).unwrap();
    // Whoever asks waits for the spool, but not for ever on a busy machine.
    place.recall("spooled");
    for _ in 0..100 {
        if spool.waiting() == 0 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let mut found = place.recall("spooled");
    found.sort();
    assert_eq!(found, ["spooled 0", "spooled 1", "spooled 2", "spooled 3", "spooled 4"]);
    assert_eq!((spool.waiting(), spool.rejected()), (0, 3));
    let line = &place.export()[0];
    assert_eq!(line["created_at"], "2026-01-02T03:04:05Z");
    assert_ne!(line["recorded_at"], line["created_at"]);
    assert!(!place.doctor().sound, "rejected lines are worth a word");
}

#[test]
fn a_wedged_daemon_does_not_hold_a_client_forever() {
    let ground = Ground::new();
    let home = &ground.reach.home;
    fs::create_dir_all(home.socket_folder()).unwrap();
    let _silent = UnixListener::bind(home.socket()).unwrap();
    let reach = Reach { deadline: Duration::from_millis(200), ..ground.reach.clone() };
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    let started = common::now();
    let request = Request { context: place.context(), order: place.remember_order("x", None) };
    assert!(matches!(reach.ask(&request, &mut |_| {}), Err(NoAnswer::Unreachable(_))));
    let took = common::now().duration_since(started);
    assert!(took < engram_core::Span::from_secs(3), "{took}");
}

#[test]
fn a_store_that_is_not_used_is_closed_and_opens_again() {
    let ground = Ground::new();
    fs::create_dir_all(ground.reach.home.root()).unwrap();
    fs::write(ground.reach.home.config_file(), "[daemon]\nstore_idle_s = 1\n").unwrap();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    let memory = place.remember("still here", None);
    let open = || {
        let health: Value = place.ask(Order::Status);
        health["open_stores"].as_array().unwrap().len()
    };
    assert_eq!(open(), 2);
    for _ in 0..100 {
        if open() == 0 {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(open(), 0);
    assert_eq!(place.recall("still here"), [memory.content]);
}

#[test]
fn use_is_recorded_after_the_answer_and_only_for_what_was_shown() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    let shown = place.remember("the build is done with ninja", None);
    let other = place.remember("the office is in Izmir", None);
    for _ in 0..3 {
        place.recall("ninja");
    }
    ground.stop();
    let read = |id: String| -> Value { place.ask(Order::Inspect { memory: id }) };
    let used = read(shown.id.to_string());
    assert_eq!(used["memory"]["access_count"], 3);
    assert_eq!(used["memory"]["status"], "active");
    assert_eq!(used["memory"]["confidence"], 0.7);
    assert_eq!(read(other.id.to_string())["memory"]["access_count"], 0);
}

#[test]
fn nothing_is_said_where_somebody_else_could_listen() {
    let ground = Ground::new();
    let home = &ground.reach.home;
    fs::create_dir_all(ground.root().join("theirs")).unwrap();
    fs::create_dir_all(home.root()).unwrap();
    std::os::unix::fs::symlink(ground.root().join("theirs"), home.socket_folder()).unwrap();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    let fault = place.fault(place.remember_order("x", None));
    assert!(fault.message.contains("belongs to somebody else"), "{fault:?}");
    // A folder that others may enter, but that is ours, is made private.
    fs::remove_file(home.socket_folder()).unwrap();
    fs::create_dir_all(home.socket_folder()).unwrap();
    fs::set_permissions(home.socket_folder(), fs::Permissions::from_mode(0o777)).unwrap();
    place.remember("x", None);
    let mode = fs::metadata(home.socket_folder()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn whoever_asks_a_daemon_that_ends_is_answered_by_the_next() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    place.remember("the ferry leaves at seven", None);
    for _ in 0..6 {
        let _: Value = place.ask(Order::Stop);
        assert_eq!(place.recall("when does the ferry leave"), ["the ferry leaves at seven"]);
    }
}
