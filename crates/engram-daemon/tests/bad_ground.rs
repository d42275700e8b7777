//! Bad input and bad ground: a clear message, nothing lost, the daemon running.

mod common;

use common::{Ground, recall_order};
use engram_core::Scope;
use engram_store::{Location, StoreHome, SurrealStore};
use engram_testkit::run;
use engram_wire::message::Remember;
use engram_wire::reply::{Gap, Recalled};
use engram_wire::{FaultKind, Order};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn bad_texts_and_names_are_refused_and_the_daemon_goes_on() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    let kept = place.remember("good", None);
    let process = ground.process();
    let check = |order: Order, kind: FaultKind, words: &str| {
        let fault = place.fault(order);
        assert_eq!(fault.kind, kind, "{fault:?}");
        assert!(fault.message.contains(words), "{fault:?}");
    };
    check(place.remember_order("  \n ", None), FaultKind::Usage, "no text");
    check(place.remember_order(&"long ".repeat(2 << 20), None), FaultKind::Usage, "at most 65536");
    check(place.remember_order("a\0b", None), FaultKind::Usage, "NUL");
    check(place.remember_order("x", Some(Scope::Session)), FaultKind::Usage, "no session");
    check(recall_order("  "), FaultKind::Usage, "nothing to look for");
    check(Order::Inspect { memory: "zzzz".into() }, FaultKind::NotFound, "no memory \"zzzz\"");
    check(Order::Inspect { memory: "z".into() }, FaultKind::NotFound, "no memory");
    let operation = ground.operation();
    let text = kept.content.clone();
    let memory = kept.id.to_string();
    check(Order::Correct { operation, memory: memory.clone(), text }, FaultKind::Refused, "already");
    let status = engram_core::Status::Created;
    let reason = "no".to_owned();
    let operation = ground.operation();
    check(Order::Mark { operation, memory: memory.clone(), status, reason }, FaultKind::Refused, "already");
    let operation = ground.operation();
    let lines = common::numbered(&["{\"content\": 1}".to_owned()]);
    check(Order::Import { operation, scope: None, lines }, FaultKind::Usage, "line 1");
    let mut profile = recall_order("x");
    if let Order::Recall(recall) = &mut profile {
        recall.profile = Some("loud".into());
    }
    check(profile, FaultKind::Usage, "unknown profile \"loud\"; one of: architecture, codebase");
    let tags = Order::Remember(Remember {
        operation: ground.operation(),
        text: "x".into(),
        kind: None,
        tags: vec!["two words".into()],
        domain: None,
        scope: None,
        pin: false,
    });
    check(tags, FaultKind::Usage, "is not a tag");
    check(Order::Restore { file: folder.join("none"), identity: None }, FaultKind::Environment, "reading");
    fs::write(folder.join("half.backup"), "{\"engram_backup\":1").unwrap();
    check(
        Order::Restore { file: folder.join("half.backup"), identity: None },
        FaultKind::Usage,
        "not a whole backup",
    );
    assert_eq!(place.recall("good"), ["good"]);
    assert_eq!(ground.process(), process, "the daemon is still the same");
}

#[test]
fn a_message_that_is_not_one_is_answered_and_the_daemon_goes_on() {
    use std::io::{Read as _, Write as _};
    let ground = Ground::new();
    let folder = ground.folder("plain");
    ground.at(&folder).remember("good", None);
    let process = ground.process();
    let greet = || {
        let mut stream = std::os::unix::net::UnixStream::connect(ground.reach.home.socket()).unwrap();
        let hello = engram_wire::Hello { protocol: engram_wire::PROTOCOL, version: "0.1.0".into() };
        engram_wire::frame::write(&mut stream, &hello).unwrap();
        let _: engram_wire::Welcome = engram_wire::frame::read(&mut stream).unwrap();
        stream
    };
    let mut stream = greet();
    engram_wire::frame::write(&mut stream, &serde_json::json!({ "order": { "order": "dance" } })).unwrap();
    let answer: Value = engram_wire::frame::read(&mut stream).unwrap();
    assert_eq!(answer["fault"]["kind"], "usage");
    // Not JSON, an absurd length, half a frame: the conversation ends, no more.
    for bytes in [&b"\0\0\0\x03abc"[..], &b"\xff\xff\xff\xff"[..], &b"\0\0"[..]] {
        let mut stream = greet();
        stream.write_all(bytes).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let _ = stream.read_to_end(&mut Vec::new());
    }
    assert_eq!(ground.at(&folder).recall("good"), ["good"]);
    assert_eq!(ground.process(), process);
}

#[test]
fn a_store_from_the_future_is_left_alone_and_the_others_answer() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    let memory = place.remember("of the project", None);
    place.remember("of the user", Some(Scope::User));
    ground.stop();
    let home = StoreHome::new(ground.reach.home.root());
    run(async move {
        let store = SurrealStore::open_user(&Location::Disk(home), common::now()).await.unwrap();
        let later = "CREATE migration:99 CONTENT { number: 99, name: 'later', digest: 'x', \
                     applied_at: d'2030-01-01T00:00:00Z' }";
        store.run_raw(later).await.unwrap();
        store.close().await;
    });
    let recalled: Recalled = place.ask(recall_order("project user"));
    assert_eq!(recalled.hits.iter().map(|hit| &hit.memory.content).collect::<Vec<_>>(), [&memory.content]);
    let gap = recalled.gaps.iter().find_map(|gap| match gap {
        Gap::ScopeUnavailable { scope: Scope::User, problem } => Some(problem.clone()),
        _ => None,
    });
    assert!(gap.as_ref().unwrap().contains("newer engram (schema 99"), "{gap:?}");
    let fault = place.fault(place.remember_order("x", Some(Scope::User)));
    assert_eq!(fault.kind, FaultKind::Version, "{fault:?}");
    let examined = place.doctor();
    assert!(!examined.sound);
}

/// Every file of the database, largest first.
fn database_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            if entry.path().is_dir() {
                open.push(entry.path());
            } else if entry.metadata().unwrap().len() > 0 {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_damaged_store_is_named_and_the_others_answer_and_a_backup_brings_it_back() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    for number in 0..20 {
        // Names, not values: each is a memory of its own.
        place.remember(&format!("project-{}", char::from(b'a' + number)), None);
    }
    place.remember("of the user", Some(Scope::User));
    let file = ground.root().join("whole.backup");
    let _: Value = place.ask(Order::Backup { file: file.clone(), all_projects: false, to: Vec::new() });
    ground.stop();
    let store = folder.join(".claude/engram");
    let name = fs::read_to_string(store.join("current")).unwrap();
    for file in database_files(&store.join(name.trim())) {
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, vec![0xA5; bytes.len()]).unwrap();
    }
    let recalled: Recalled = place.ask(recall_order("user"));
    assert_eq!(recalled.hits.len(), 1, "{:?}", recalled.gaps);
    assert!(
        recalled.gaps.iter().any(|gap| matches!(gap, Gap::ScopeUnavailable { scope: Scope::Project, .. })),
        "{:?}",
        recalled.gaps
    );
    let fault = place.fault(place.remember_order("x", None));
    assert_eq!(fault.kind, FaultKind::Environment, "{fault:?}");
    assert!(fault.message.contains("plain/.claude/engram"), "{fault:?}");
    let process = ground.process();
    let _: Value = place.ask(Order::Restore { file, identity: None });
    assert_eq!(place.recall("project").len(), 20);
    assert_eq!(ground.process(), process);
    assert!(place.doctor().sound, "{:?}", place.doctor());
}

/// A small disk of its own; None where this machine does not let us have one.
struct Disk(PathBuf);

impl Disk {
    fn mount(folder: &Path, options: &str) -> Option<Self> {
        fs::create_dir_all(folder).unwrap();
        let output = Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(folder).output();
        output.is_ok_and(|output| output.status.success()).then(|| Self(folder.to_owned()))
    }

    fn remount(&self, options: &str) {
        let done = Command::new("mount").args(["-o", &format!("remount,{options}")]).arg(&self.0).status();
        assert!(done.unwrap().success());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_refuses_what_is_new_and_keeps_what_is_there() {
    let ground = Ground::new();
    let folder = ground.folder("small");
    let Some(disk) = Disk::mount(&folder, "size=6m,mode=700") else {
        println!("skipped: this machine does not let a test mount a disk");
        return;
    };
    let place = ground.at(&folder);
    let mut kept = vec![place.remember("before it was full", None).content];
    // Filling a disk may succeed or not; both fill it.
    let _ = fs::write(folder.join("ballast"), vec![1u8; 5 << 20]);
    let mut refused = None;
    for number in 0..2_000 {
        let text = format!("filling {number} {}", "x".repeat(4_000));
        match place.try_ask(place.remember_order(&text, None)) {
            Ok(_) => kept.push(text),
            Err(error) => {
                refused = Some(error.into_fault());
                break;
            }
        }
    }
    let fault = refused.expect("a full disk was never noticed");
    assert_eq!(fault.kind, FaultKind::Environment, "{fault:?}");
    // The others go on, and nothing acknowledged is lost.
    place.remember("the user's store is elsewhere", Some(Scope::User));
    ground.kill();
    disk.remount("size=64m");
    fs::remove_file(folder.join("ballast")).unwrap();
    let present: Vec<String> =
        place.export().iter().map(|line| line["content"].as_str().unwrap().to_owned()).collect();
    let lost = kept.iter().filter(|text| !present.contains(text)).count();
    assert_eq!(lost, 0, "of {}", kept.len());
    assert_eq!(place.remember("room again", None).content, "room again");
}

#[test]
fn a_read_only_home_is_named() {
    let ground = Ground::new();
    let Some(disk) = Disk::mount(&ground.folder("home"), "size=16m,mode=700") else {
        println!("skipped: this machine does not let a test mount a disk");
        return;
    };
    disk.remount("ro");
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    let fault = place.fault(place.remember_order("x", None));
    assert_eq!(fault.kind, FaultKind::Unreachable, "{fault:?}");
    assert!(fault.message.contains("Read-only file system"), "{fault:?}");
}

#[test]
fn a_broken_configuration_is_named_and_not_obeyed() {
    let ground = Ground::new();
    fs::create_dir_all(ground.reach.home.root()).unwrap();
    fs::write(ground.reach.home.config_file(), "[recall]\nlimit = \"many\"\n").unwrap();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    let fault = place.fault(place.remember_order("x", None));
    assert!(fault.message.contains("recall.limit must be a whole number"), "{fault:?}");
}

#[test]
fn a_folder_that_cannot_be_an_address_is_refused_and_not_mistaken_for_another() {
    let ground = Ground::new();
    let folder = ground.folder("what?versioned=true");
    let place = ground.at(&folder);
    let fault = place.fault(place.remember_order("x", None));
    assert_eq!(fault.kind, FaultKind::Refused, "{fault:?}");
    assert!(fault.message.contains("question mark"), "{fault:?}");
    assert!(!ground.root().join("what").exists());
    for name in ["a b#c", "100%25", "it's \"here\"", "ünï"] {
        let folder = ground.folder(name);
        let place = ground.at(&folder);
        place.remember(name, None);
        assert!(folder.join(".claude/engram/current").exists());
    }
    ground.stop();
    assert_eq!(ground.at(&ground.root().join("ünï")).recall("ünï"), ["ünï"]);
}
