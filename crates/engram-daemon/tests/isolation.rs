//! Two projects and three scopes: nothing of one is ever returned for the
//! other. Worktrees share, a moved project keeps, a copy is its own.

mod common;

use common::{Ground, Place};
use engram_core::{Memory, Scope};
use engram_wire::Order;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

fn git(folder: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
}

fn repository(ground: &Ground, name: &str) -> std::path::PathBuf {
    let folder = ground.folder(name);
    git(&folder, &["init", "-q"]);
    git(&folder, &["commit", "-q", "--allow-empty", "-m", "x"]);
    folder
}

fn stats(place: &Place<'_>, scope: Scope) -> u64 {
    let stats: Value = place.ask(Order::Stats);
    let scopes = stats["scopes"].as_array().unwrap();
    let found = scopes.iter().find(|line| line["scope"] == scope.as_str());
    found.map_or(0, |line| line["memories"].as_u64().unwrap())
}

/// Every way of looking, from one place, must not show `foreign`.
fn sees_nothing_of(place: &Place<'_>, foreign: &Memory, word: &str) {
    for query in [word, "secret", foreign.content.as_str()] {
        let found = place.recall(query);
        assert!(!found.contains(&foreign.content), "{:?} sees {found:?}", place.folder);
    }
    let list: Value = place.ask(Order::List(engram_wire::message::List {
        narrow: Default::default(),
        statuses: engram_core::Status::ALL.to_vec(),
        limit: None,
        pinned: false,
        before: None,
    }));
    assert!(!list.to_string().contains(&foreign.content));
    assert!(!place.export().iter().any(|line| line["content"] == foreign.content.as_str()));
    let name = foreign.id.to_string();
    place.fault(Order::Inspect { memory: name.clone() });
    place.fault(Order::History { memory: name });
    let log: Value = place.ask(Order::Operations { limit: 1000, before: None });
    assert!(!log.to_string().contains(&foreign.id.to_string()));
}

#[test]
fn two_projects_never_see_each_other() {
    let ground = Ground::new();
    let (red, blue) = (repository(&ground, "red"), repository(&ground, "blue"));
    let (red, blue) = (ground.at(&red), ground.at(&blue));
    let of_red = red.remember("red secret: the door code is 1111", None);
    let of_blue = blue.remember("blue secret: the door code is 2222", None);
    let of_user = red.remember("user: I like short functions", Some(Scope::User));
    let check = |round: &str| {
        println!("{round}");
        sees_nothing_of(&red, &of_blue, "blue");
        sees_nothing_of(&blue, &of_red, "red");
        assert_eq!((stats(&red, Scope::Project), stats(&blue, Scope::Project)), (1, 1));
        assert_eq!(blue.recall("short functions"), [of_user.content.as_str()]);
    };
    check("fresh");
    assert_eq!((of_red.scope, of_blue.scope), (Scope::Project, Scope::Project));
    red.forget(&of_red, false);
    check("after forget");
    blue.fault(Order::Unforget { operation: ground.operation(), memory: of_red.id.to_string() });
    red.undo();
    assert_eq!(red.recall("door code"), [of_red.content.as_str()]);
    check("after undo");
    ground.kill();
    check("after a kill");
    ground.stop();
    check("after a stop");
    // Undo in one project never reaches into the other.
    let log: Value = blue.ask(Order::Operations { limit: 10, before: None });
    let lines = log["operations"].as_array().unwrap();
    let of_project = lines.iter().find(|line| line["scope"] == "project").unwrap();
    let target = Some(of_project["id"].as_str().unwrap().parse().unwrap());
    red.fault(Order::Undo { operation: ground.operation(), target, step: None });
}

#[test]
fn a_session_is_seen_only_by_who_names_it_and_ends_with_its_journal() {
    let ground = Ground::new();
    let folder = repository(&ground, "red");
    let (one, two) = (ground.session(), ground.session());
    let mut in_one = ground.at(&folder);
    let mut in_two = ground.at(&folder);
    let outside = ground.at(&folder);
    let _: Value = in_one.ask(Order::SessionStart { session: one });
    let _: Value = in_two.ask(Order::SessionStart { session: two });
    (in_one.session, in_two.session) = (Some(one), Some(two));
    let memory = in_one.remember("session secret: trying plan B", Some(Scope::Session));
    sees_nothing_of(&in_two, &memory, "plan");
    sees_nothing_of(&outside, &memory, "plan");
    let other_folder = repository(&ground, "blue");
    let mut elsewhere = ground.at(&other_folder);
    elsewhere.session = Some(one);
    sees_nothing_of(&elsewhere, &memory, "plan");
    ground.kill();
    assert_eq!(in_one.recall("plan"), [memory.content.as_str()], "rebuilt from the journal");
    sees_nothing_of(&outside, &memory, "plan");
    let journal = ground.reach.home.sessions_folder().join(format!("{}.jsonl", one.name()));
    assert!(fs::read_to_string(&journal).unwrap().contains("trying plan B"));
    let _: Value = in_one.ask(Order::SessionEnd { session: one });
    assert!(!journal.exists());
    sees_nothing_of(&in_one, &memory, "plan");
    let sessions: Value = outside.ask(Order::SessionList);
    let status: Vec<&str> = sessions["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["status"].as_str().unwrap())
        .collect();
    assert_eq!(status.len(), 2);
    assert!(status.contains(&"active") && status.contains(&"completed"));
}

#[test]
fn a_purged_session_memory_is_not_in_the_journal() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let session = ground.session();
    let mut place = ground.at(&folder);
    let _: Value = place.ask(Order::SessionStart { session });
    place.session = Some(session);
    let memory = place.remember("xyzzy-in-the-session", Some(Scope::Session));
    let kept = place.remember("another one", Some(Scope::Session));
    place.forget(&memory, true);
    let journal = ground.reach.home.sessions_folder().join(format!("{}.jsonl", session.name()));
    assert!(!fs::read_to_string(&journal).unwrap().contains("xyzzy"));
    ground.kill();
    assert_eq!(place.recall("xyzzy another one"), [kept.content]);
}

#[test]
fn worktrees_share_one_memory_and_a_moved_project_keeps_it() {
    let ground = Ground::new();
    let main = repository(&ground, "main");
    git(&main, &["worktree", "add", "-q", "../side"]);
    let memory = ground.at(&main).remember("the release branch is called stable", None);
    let side = ground.root().join("side");
    assert_eq!(ground.at(&side).recall("release branch"), [memory.content.as_str()]);
    let status = Command::new("git").args(["status", "--porcelain"]).current_dir(&main).output().unwrap();
    assert!(status.stdout.is_empty(), "{}", String::from_utf8_lossy(&status.stdout));

    let key = project_key(&ground.at(&main));
    ground.stop();
    let moved = ground.root().join("moved");
    fs::rename(&main, &moved).unwrap();
    let place = ground.at(&moved);
    assert_eq!(place.recall("release branch"), [memory.content.as_str()]);
    assert_eq!(project_key(&place), key);

    // A new project where the old one was is somebody else.
    let fresh = repository(&ground, "main");
    let fresh = ground.at(&fresh);
    fresh.remember("something new", None);
    assert_ne!(project_key(&fresh), key);
    sees_nothing_of(&fresh, &memory, "branch");
}

#[test]
fn a_copy_keeps_the_memories_and_gets_an_identity_of_its_own() {
    let ground = Ground::new();
    let original = ground.folder("original");
    let memory = ground.at(&original).remember("the port is 8080", None);
    ground.stop();
    let copy = ground.root().join("copy");
    let output = Command::new("cp").arg("-r").args([&original, &copy]).output().unwrap();
    assert!(output.status.success());
    let (original, copy) = (ground.at(&original), ground.at(&copy));
    assert_eq!(copy.recall("port"), [memory.content.as_str()]);
    assert_ne!(project_key(&copy), project_key(&original));
    let own = copy.remember("the copy's host is localhost", None);
    sees_nothing_of(&original, &own, "host");
    ground.stop();
    assert_eq!(copy.recall("host"), [own.content.as_str()]);
    assert_eq!(original.recall("port"), [memory.content]);
}

fn project_key(place: &Place<'_>) -> String {
    let stats: Value = place.ask(Order::Stats);
    stats["project"]["key"].as_str().unwrap().to_owned()
}

#[test]
fn a_copy_of_a_project_that_moved_before_anyone_looked_is_its_own() {
    let ground = Ground::new();
    let folder = ground.folder("first");
    ground.at(&folder).remember("the port is 8080", None);
    ground.stop();
    let (moved, copy) = (ground.root().join("moved"), ground.root().join("copy"));
    fs::rename(&folder, &moved).unwrap();
    assert!(Command::new("cp").arg("-r").args([&moved, &copy]).status().unwrap().success());
    let fresh = ground.folder("first");
    let places = [ground.at(&moved), ground.at(&copy), ground.at(&fresh)];
    places[2].remember("new here", None);
    let mut keys: Vec<String> = places.iter().map(project_key).collect();
    assert_eq!(places[1].recall("port"), ["the port is 8080"]);
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 3, "{keys:?}");
}

#[test]
fn looking_around_leaves_nothing_behind() {
    let ground = Ground::new();
    let folder = ground.folder("visited");
    let place = ground.at(&folder);
    assert!(place.recall("anything").is_empty());
    let _: Value = place.ask(Order::Stats);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn a_project_may_be_moved_or_removed_while_the_daemon_runs() {
    let ground = Ground::new();
    let folder = ground.folder("before");
    let memory = ground.at(&folder).remember("the mascot is a crab", None);
    let moved = ground.root().join("after");
    fs::rename(&folder, &moved).unwrap();
    let place = ground.at(&moved);
    assert_eq!(place.recall("mascot"), [memory.content.as_str()]);
    place.remember("the mascot is called Ferris", None);
    assert_eq!(place.recall("mascot").len(), 2);

    // Removed under the daemon's feet: what comes next is a new store, and
    // what it acknowledges is on the disk.
    fs::remove_dir_all(moved.join(".claude")).unwrap();
    assert!(place.recall("mascot").is_empty());
    place.remember("the mascot is a gopher", None);
    ground.kill();
    assert_eq!(place.recall("mascot"), ["the mascot is a gopher"]);

    // The same for the user's own store, and for another in its place.
    place.remember("tea", Some(Scope::User));
    let home = ground.reach.home.root();
    for entry in fs::read_dir(home).unwrap().flatten() {
        if entry.file_name().to_string_lossy().starts_with("db-") || entry.file_name() == "current" {
            let _ = fs::remove_file(entry.path()).or_else(|_| fs::remove_dir_all(entry.path()));
        }
    }
    place.remember("coffee", Some(Scope::User));
    ground.kill();
    assert_eq!(place.recall("tea coffee"), ["coffee"]);
}
