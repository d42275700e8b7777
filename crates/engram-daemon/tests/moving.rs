//! Export and import, backup and restore, purge: what goes out comes back.

mod common;

use common::{Ground, numbered};
use engram_core::{Scope, Status};
use engram_wire::client::NoAnswer;
use engram_wire::reply::Imported;
use engram_wire::{Context, FaultKind, Order, Request};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A home with a little of everything that can happen to a memory.
fn lived_in(ground: &Ground, folder: &Path) {
    let place = ground.at(folder);
    let key = place.remember("the staging key is in vault", None);
    let operation = ground.operation();
    let text = "the staging key is in 1password".to_owned();
    let _: Value = place.ask(Order::Correct { operation, memory: key.id.to_string(), text });
    let port = place.remember("the port is 8080", None);
    let operation = ground.operation();
    let memory = port.id.to_string();
    let (status, reason) = (Status::Challenged, "someone saw 9090".to_owned());
    let _: Value = place.ask(Order::Mark { operation, memory: memory.clone(), status, reason });
    let _: Value = place.ask(Order::Confirm { operation: ground.operation(), memory: memory.clone() });
    let _: Value = place.ask(Order::Pin { operation: ground.operation(), memory, pinned: true });
    let tea = place.remember("tea, not coffee", Some(Scope::User));
    place.forget(&tea, false);
    let secret = place.remember("gone for good", None);
    place.forget(&secret, true);
    place.recall("staging key port");
}

#[test]
fn what_is_exported_can_be_imported_elsewhere_with_everything_it_has() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    lived_in(&ground, &folder);
    let lines = ground.at(&folder).export();
    assert_eq!(lines, ground.at(&folder).export(), "the order is always the same");

    let other = Ground::new();
    let place_folder = other.folder("plain");
    let place = other.at(&place_folder);
    let texts: Vec<String> = lines.iter().map(Value::to_string).collect();
    let import = |lines: &[String]| -> Imported {
        let operation = other.operation();
        place.ask(Order::Import { operation, scope: None, lines: numbered(lines) })
    };
    assert_eq!(import(&texts).imported, lines.len());
    assert_eq!(place.export(), lines);
    let again = import(&texts);
    assert_eq!((again.imported, again.skipped), (0, lines.len()));
    assert_eq!(place.recall("staging key"), ["the staging key is in 1password"]);
    assert!(place.doctor().sound);

    // One bad line, and nothing comes in.
    let fresh = Ground::new();
    let fresh_folder = fresh.folder("plain");
    let fresh_place = fresh.at(&fresh_folder);
    let mut broken = texts.clone();
    broken[1] = broken[1].replace("\"importance\":0.5", "\"importance\":7");
    let operation = fresh.operation();
    let fault =
        fresh_place.fault(Order::Import { operation, scope: Some(Scope::User), lines: numbered(&broken) });
    assert!(fault.message.contains("line 2: importance must be between 0 and 1"), "{fault:?}");
    assert!(fresh_place.export().is_empty());
}

#[test]
fn what_was_purged_is_imported_though_its_steps_look_alike() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    lived_in(&ground, &folder);
    let mut lines = ground.at(&folder).export();
    let gone = lines.iter_mut().find(|line| line["content"] == "").unwrap();
    // As after two steps in one moment.
    for part in ["at", "reason", "cause"] {
        gone["status_history"][1][part] = gone["status_history"][0][part].clone();
        gone["status_change"][part] = gone["status_history"][0][part].clone();
    }
    assert_eq!(gone["status_change"]["reason"], "purged");
    let other = Ground::new();
    let other_folder = other.folder("plain");
    let place = other.at(&other_folder);
    let texts: Vec<String> = lines.iter().map(Value::to_string).collect();
    let operation = other.operation();
    let told: Imported = place.ask(Order::Import { operation, scope: None, lines: numbered(&texts) });
    assert_eq!(told.imported, lines.len());
    assert!(place.doctor().sound);
}

#[test]
fn an_import_can_be_undone() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    lived_in(&ground, &folder);
    let lines: Vec<String> = ground.at(&folder).export().iter().map(Value::to_string).collect();
    let other = Ground::new();
    let other_folder = other.folder("plain");
    let place = other.at(&other_folder);
    let operation = other.operation();
    let _: Imported =
        place.ask(Order::Import { operation, scope: Some(Scope::User), lines: numbered(&lines) });
    place.undo();
    assert!(place.export().is_empty());
    assert!(place.doctor().sound);
}

#[test]
fn a_backup_made_while_others_write_is_whole_and_comes_back() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    lived_in(&ground, &folder);
    let place = ground.at(&folder);
    let before = place.export();
    let file = ground.root().join("kept.backup");
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for number in 0..20 {
                ground.at(&folder).remember(&format!("meanwhile {number}"), None);
            }
        });
        let _: Value = place.ask(Order::Backup { file: file.clone(), all_projects: true, to: Vec::new() });
        writer.join().unwrap();
    });
    let after = place.export();
    assert_eq!(after.len(), before.len() + 20);
    let restored: Value = place.ask(Order::Restore { file, identity: None });
    let back = place.export();
    assert!(back.len() >= before.len() && back.len() <= after.len());
    for line in &before {
        assert!(back.contains(line), "lost {line}");
    }
    assert!(place.doctor().sound);
    // What was there before the restore was kept, and can be had again.
    let kept = restored["kept"].as_str().unwrap().into();
    let _: Value = place.ask(Order::Restore { file: kept, identity: None });
    assert_eq!(place.export(), after);
    // And undo still knows the past.
    place.undo();
    assert_eq!(place.export().len(), after.len() - 1);
}

#[test]
fn a_project_comes_back_where_its_folder_is_gone() {
    let ground = Ground::new();
    let folder = ground.folder("old-laptop");
    lived_in(&ground, &folder);
    let lines = ground.at(&folder).export();
    let file = ground.root().join("kept.backup");
    let _: Value =
        ground.at(&folder).ask(Order::Backup { file: file.clone(), all_projects: false, to: Vec::new() });
    ground.stop();
    fs::remove_dir_all(&folder).unwrap();
    let other = Ground::new();
    let new_folder = other.folder("new-laptop");
    let place = other.at(&new_folder);
    let _: Value = place.ask(Order::Restore { file, identity: None });
    assert_eq!(place.export(), lines);
}

#[test]
fn a_purge_leaves_the_text_nowhere() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    let mut secrets = Vec::new();
    for scope in [Scope::Project, Scope::User] {
        let memory = place.remember("xyzzy-secret-word", Some(scope));
        let operation = ground.operation();
        let _: Value = place.ask(Order::Pin { operation, memory: memory.id.to_string(), pinned: true });
        secrets.push(memory);
    }
    let kept = place.remember("an innocent neighbour", None);
    assert!(!place.recall("where is the xyzzy-secret-word").is_empty());
    let memories = secrets.iter().map(|memory| memory.id.to_string()).collect();
    let _: Value = place.ask(Order::Forget { operation: ground.operation(), memories, purge: true });
    assert!(place.recall("xyzzy").is_empty());
    assert_eq!(place.recall("neighbour"), [kept.content]);
    ground.stop();
    assert_eq!(mentions(&ground.root(), b"xyzzy-secret-word"), Vec::<String>::new());
    assert!(place.doctor().sound);
    let fault =
        place.fault(Order::Unforget { operation: ground.operation(), memory: secrets[0].id.to_string() });
    assert!(fault.message.contains("cannot become"), "{fault:?}");
}

#[test]
fn a_purge_of_the_users_memory_takes_what_was_asked_in_other_projects() {
    let ground = Ground::new();
    let (here, there) = (ground.folder("here"), ground.folder("there"));
    let asking = ground.at(&there);
    asking.remember("an innocent neighbour", None);
    let memory = asking.remember("the bank card is zebra9911", Some(Scope::User));
    assert!(!asking.recall("which bank card was it, zebra9911?").is_empty());
    let place = ground.at(&here);
    place.remember("another neighbour", None);
    let purged = place.forget(&memory, true);
    assert!(purged.missed.is_empty(), "{:?}", purged.missed);
    assert_eq!(asking.recall("neighbour")[0], "an innocent neighbour");
    ground.stop();
    assert_eq!(mentions(&ground.root(), b"zebra9911"), Vec::<String>::new());
}

fn mentions(folder: &Path, text: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(mentions(&path, text));
        } else if fs::read(&path).unwrap_or_default().windows(text.len()).any(|window| window == text) {
            found.push(path.display().to_string());
        }
    }
    found
}

#[test]
fn forgetting_in_two_scopes_at_once_is_undone_at_once() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    let names: Vec<String> = [Scope::Project, Scope::User]
        .map(|scope| place.remember(&format!("of both scopes the {scope}"), Some(scope)).id.to_string())
        .into();
    let order = Order::Forget { operation: ground.operation(), memories: names, purge: false };
    let first: Value = place.ask(order.clone());
    assert_eq!(first["memories"].as_array().unwrap().len(), 2);
    // The same order again, as from a client that did not hear the answer.
    let mut context = place.context();
    context.again = true;
    let request = Request { context, order };
    let again = ground.reach.ask(&request, &mut |_| {}).ok().unwrap();
    assert_eq!((&again["already"], again["memories"].as_array().unwrap().len()), (&Value::Bool(true), 2));
    assert!(place.recall("scopes").is_empty());
    place.undo();
    assert_eq!(place.recall("scopes").len(), 2);
}

#[test]
fn an_undo_that_arrives_twice_is_answered_twice_and_done_once() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    place.remember("first", None);
    place.remember("second", None);
    let order = Order::Undo { operation: ground.operation(), target: None, step: None };
    let mut context = place.context();
    context.again = true;
    let request = Request { context, order };
    let first = ground.reach.ask(&request, &mut |_| {}).ok().unwrap();
    let again = ground.reach.ask(&request, &mut |_| {}).ok().unwrap();
    assert_eq!(first["undone"], again["undone"]);
    assert_eq!(place.recall("first second"), ["first"]);
}

#[test]
fn a_name_that_something_else_was_done_under_is_refused() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    let again = |order: Order| {
        let context = Context { again: true, ..place.context() };
        ground.reach.ask(&Request { context, order }, &mut |_| {})
    };
    let refused = |order: Order, words: &str| {
        let fault = again(order).map_err(NoAnswer::into_fault).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Refused);
        assert!(fault.message.ends_with(words), "{}", fault.message);
    };
    let memory = place.remember("the staging key is in vault", None).id.to_string();
    let (pinned, undone) = (ground.operation(), ground.operation());
    let pin = |pinned, operation| Order::Pin { operation, memory: memory.clone(), pinned };
    let undo = |operation| Order::Undo { operation, target: None, step: None };
    let _: Value = place.ask(pin(true, pinned));
    refused(undo(pinned), "as pin and not as undo");
    refused(pin(false, pinned), "as pin and not as unpin");
    let forget = Order::Forget { operation: pinned, memories: vec![memory.clone()], purge: false };
    refused(forget, "as pin and not as forget");
    let _: Value = place.ask(undo(undone));
    refused(pin(true, undone), "as undo and not as pin");
    let dream: Order = serde_json::from_value(json!({"order": "dream", "operation": pinned})).unwrap();
    refused(dream, "as pin and not as dream");
    // What came in from elsewhere has a name that nothing was done under here.
    let elsewhere = "01JD3V8Q2Y6K4M5N7P9R1S3T5V";
    let told = |line: String| line.replace(&memory, elsewhere).replace("in vault", "in a drawer");
    let lines: Vec<String> = place.export_lines(true).into_iter().map(told).collect();
    let order = Order::Import { operation: ground.operation(), scope: None, lines: numbered(&lines) };
    assert_eq!(place.ask::<Imported>(order).imported, 1);
    let text = "the staging key is in 1password".to_owned();
    let correct = Order::Correct { operation: elsewhere.parse().unwrap(), memory: memory.clone(), text };
    refused(correct, "names a memory, and no operation can have its name");
    // Under its own name each is still answered.
    assert_eq!(again(pin(true, pinned)).ok().unwrap()["already"], true);
    assert_eq!(again(undo(undone)).ok().unwrap()["undone"], pinned.to_string());
}

#[test]
fn a_backup_may_be_called_anything() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    place.remember("x", None);
    let file = folder.join("odd.part");
    let _: Value = place.ask(Order::Backup { file: file.clone(), all_projects: false, to: Vec::new() });
    assert!(file.exists());
    let left: Vec<_> = fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    let _: Value = place.ask(Order::Restore { file, identity: None });
    assert_eq!(place.recall("x"), ["x"]);
}

#[test]
fn a_bad_line_in_one_scope_keeps_everything_out() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    lived_in(&ground, &folder);
    let mut lines: Vec<String> = ground.at(&folder).export().iter().map(Value::to_string).collect();
    let last = lines.len() - 1;
    lines[last] =
        lines[last].replace("\"tags\":", "\"no\":").replace("\"kind\":", "\"tags\":[\"a b\"],\"kind\":");
    let other = Ground::new();
    let other_folder = other.folder("plain");
    let place = other.at(&other_folder);
    let order = Order::Import { operation: other.operation(), scope: None, lines: numbered(&lines) };
    let fault = place.fault(order);
    assert!(fault.message.starts_with(&format!("line {}: ", lines.len())), "{fault:?}");
    assert!(place.export().is_empty());
}

#[test]
fn a_restore_knows_a_project_by_its_key_and_not_by_its_path() {
    let ground = Ground::new();
    let folder = ground.folder("first");
    ground.at(&folder).remember("of the first", None);
    let file = ground.root().join("kept.backup");
    let _: Value =
        ground.at(&folder).ask(Order::Backup { file: file.clone(), all_projects: false, to: Vec::new() });
    ground.stop();
    // It moves away, and another takes its place.
    let moved = ground.root().join("moved");
    fs::rename(&folder, &moved).unwrap();
    let folder = ground.folder("first");
    let (second, first) = (ground.at(&folder), ground.at(&moved));
    second.remember("of the second", None);
    first.remember("of the first, later", None);
    let _: Value = second.ask(Order::Restore { file: file.clone(), identity: None });
    assert_eq!(second.recall("second"), ["of the second"]);
    assert_eq!(first.recall("first"), ["of the first"]);
    let again: Value = first.ask(Order::Restore { file: file.clone(), identity: None });
    let once_more: Value = first.ask(Order::Restore { file, identity: None });
    assert_ne!(again["kept"], once_more["kept"]);
}

#[test]
fn a_rewrite_that_was_cut_short_is_finished_at_the_next_opening() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    place.remember("stays", None);
    ground.kill();
    let store = folder.join(".claude/engram");
    let before = fs::read_to_string(store.join("current")).unwrap();
    fs::write(store.join("rewrite"), "").unwrap();
    fs::write(store.join("rewriting.surql"), "half a dump").unwrap();
    assert_eq!(place.recall("stays"), ["stays"]);
    assert_ne!(fs::read_to_string(store.join("current")).unwrap(), before);
    assert!(!store.join("rewrite").exists() && !store.join("rewriting.surql").exists());
    let databases = fs::read_dir(&store).unwrap().flatten();
    assert_eq!(databases.filter(|entry| entry.file_name().to_string_lossy().starts_with("db-")).count(), 1);
}

#[test]
fn what_one_store_refuses_is_not_begun_in_another() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    let (mine, yours) =
        (place.remember("in the project", None), place.remember("of the user", Some(Scope::User)));
    place.forget(&yours, false);
    let memories = vec![mine.id.to_string(), yours.id.to_string()];
    let fault = place.fault(Order::Forget { operation: ground.operation(), memories, purge: false });
    assert!(fault.message.contains("is archived already"), "{fault:?}");
    assert_eq!(place.recall("project"), ["in the project"]);
}
