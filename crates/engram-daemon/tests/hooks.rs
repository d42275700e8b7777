//! An agent at its turning points: what it says is kept, what it should know it
//! is told once, and what is worth it outlives the session.

mod common;

use common::agent::{Agent, agent};
use common::{Ground, Place, soon};
use engram_core::used::{Outcome, PromotionReason};
use engram_core::{Kind, Scope};
use engram_wire::message::{Hello, Hook, HookEvent, Profile, Promote, Remember};
use engram_wire::reply::{Changed, OutcomeRecorded, Promoted, RemindersListed, Sessions, Stats};
use engram_wire::{Context, Order, PROTOCOL, Request, VERSION, frame};
use serde_json::json;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

#[test]
fn what_is_said_in_one_session_is_told_once_in_the_next() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let first = agent(&ground, &folder, "first");
    assert_eq!(first.start("startup"), "");
    assert!(!folder.join(".claude").exists(), "nothing is made before there is something to keep");
    first.prompt("Our staging database listens on port 5433.");
    // What was said here is before the agent's eyes.
    assert_eq!(first.prompt("which port does the staging database use?"), "");
    first.stop();
    let second = agent(&ground, &folder, "second");
    second.start("startup");
    soon("it is told in the other session", || {
        second.prompt("which port does the staging database use?").contains("port 5433")
    });
    assert_eq!(second.prompt("and which port does the staging database use again?"), "");
    // The first goes on, and has still not to be told.
    assert_eq!(first.prompt("which port does the staging database use now?"), "");
    // A compaction takes it away.
    first.start("compact");
    assert!(first.prompt("which port does the staging database use after that?").contains("port 5433"));
    let told = second.prompt("where is the office cat?");
    assert_eq!(told, "", "nothing relevant is told by nothing");
}

#[test]
fn one_project_tells_another_nothing() {
    let ground = Ground::new();
    let red = agent(&ground, &ground.folder("red"), "red");
    let blue = agent(&ground, &ground.folder("blue"), "blue");
    red.start("startup");
    red.prompt("Our staging database listens on port 5433.");
    red.stop();
    red.end();
    soon("it is kept", || red.place.recall("staging database port").len() == 1);
    blue.start("startup");
    assert_eq!(blue.prompt("which port does the staging database use?"), "");
    assert!(blue.place.recall("staging database port").is_empty());
}

#[test]
fn the_block_at_the_start_has_the_same_bytes_until_something_changes() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let place = ground.at(&folder);
    let remember = |text: &str, kind, scope| {
        let order = Remember {
            operation: ground.operation(),
            text: text.to_owned(),
            kind: Some(kind),
            tags: Vec::new(),
            domain: None,
            scope: Some(scope),
            pin: false,
        };
        place.ask::<Changed>(Order::Remember(order))
    };
    remember("the user prefers short answers", Kind::Preference, Scope::User);
    remember("commit messages are written in the imperative", Kind::Convention, Scope::Project);
    let one = agent(&ground, &folder, "one").start("startup");
    assert!(one.contains("short answers") && one.contains("imperative"), "{one}");
    assert!(one.starts_with("<memory note=") && one.ends_with("</memory>\n"), "{one}");
    // Use changes nothing in it, nor does time.
    let second = agent(&ground, &folder, "two");
    assert_eq!(second.start("startup"), one);
    second.prompt("how are commit messages written?");
    assert_eq!(agent(&ground, &folder, "three").start("startup"), one);
    remember("errors are wrapped with their context", Kind::Convention, Scope::Project);
    assert_ne!(agent(&ground, &folder, "four").start("startup"), one);
    // What it was told at the start it is not told again.
    assert_eq!(second.prompt("in which mood are commit messages written?"), "");
}

#[test]
fn a_value_may_change_in_the_session_it_was_said_in() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let one = agent(&ground, &folder, "one");
    one.start("startup");
    one.prompt("The API listens on port 8080.");
    one.stop();
    soon("it went up", || one.shown().promotions.len() == 1);
    assert_eq!(one.shown().promotions[0].reason, PromotionReason::Score);
    for port in 8081..8090 {
        one.prompt(&format!("The API listens on port {port} now."));
    }
    one.stop();
    let other = agent(&ground, &folder, "other");
    other.start("startup");
    soon("the last one is told", || other.prompt("which port does the API listen on?").contains("8089"));
    assert_eq!(one.place.recall("which port does the API listen on").len(), 1);
}

#[test]
fn a_session_that_was_left_behind_is_ended_and_nothing_of_it_is_lost() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
    let left = Agent { process: Some(child.id()), ..agent(&ground, &folder, "left") };
    left.start("startup");
    left.prompt("Our staging database listens on port 5433.");
    child.kill().unwrap();
    child.wait().unwrap();
    ground.kill();
    let next = agent(&ground, &folder, "next");
    next.start("startup");
    soon("it is told", || next.prompt("which port does the staging database use?").contains("5433"));
    let status = |place: &Place<'_>| {
        let sessions: Sessions = place.ask(Order::SessionList);
        let line = sessions.sessions.into_iter().find(|line| line.session == left.id()).unwrap();
        (line.status, line.promoted, line.summary.unwrap_or_default())
    };
    soon("it is listed as left behind", || status(&next.place).0 == "abandoned");
    let (_, promoted, summary) = status(&next.place);
    assert_eq!(promoted, 1);
    assert!(summary.contains("asked: Our staging database"), "{summary}");
}

#[test]
fn a_session_that_ends_right_after_a_crash_keeps_what_was_said() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let one = agent(&ground, &folder, "one");
    one.start("startup");
    one.prompt("Our staging database listens on port 5433.");
    ground.kill();
    one.end();
    let journal = ground.reach.home.sessions_folder().join(format!("{}.jsonl", one.id().name()));
    soon("it is ended", || !journal.exists());
    let found = one.place.recall("which port does the staging database use");
    assert_eq!(found, ["Our staging database listens on port 5433."]);
    // It goes on: the agent resumes it.
    one.start("resume");
    assert!(journal.exists());
}

#[test]
fn somebody_who_asked_for_it_is_reminded_once() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let one = agent(&ground, &folder, "one");
    one.start("startup");
    one.prompt("When I touch the billing module, remind me to rotate the keys.");
    one.stop();
    let listed = |place: &Place<'_>| place.ask::<RemindersListed>(Order::Reminders).reminders;
    soon("it is known", || listed(&one.place).len() == 1);
    let two = agent(&ground, &folder, "two");
    assert!(!two.start("startup").contains("rotate"));
    assert!(!two.prompt("let us look at the search page").contains("rotate"));
    let told = two.prompt("now I want to touch the billing module");
    assert!(told.contains("reminder: rotate the keys"), "{told}");
    assert!(!two.prompt("more about the billing module").contains("reminder:"));
    assert!(!agent(&ground, &folder, "three").prompt("the billing module again").contains("reminder:"));
    assert!(listed(&two.place)[0].told);
}

#[test]
fn a_command_that_is_known_to_fail_is_told_before_it_runs_and_once() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    // It began before the cure was known: its first block cannot have told it.
    let two = agent(&ground, &folder, "two");
    two.start("startup");
    let one = agent(&ground, &folder, "one");
    one.start("startup");
    one.tool(HookEvent::PostToolUseFailure, "make site", Some("error: template engine not found"));
    one.tool(HookEvent::PostToolUse, "pip install jinja2", None);
    one.tool(HookEvent::PostToolUse, "make site", None);
    one.stop();
    soon("the cure is told", || {
        two.tool(HookEvent::PreToolUse, "make site", None).contains("pip install jinja2")
    });
    assert_eq!(two.tool(HookEvent::PreToolUse, "make site", None), "");
    assert_eq!(two.tool(HookEvent::PreToolUse, "make test", None), "");
}

#[test]
fn a_file_that_changed_since_is_named() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    std::fs::create_dir_all(folder.join("src")).unwrap();
    let one = agent(&ground, &folder, "one");
    one.start("startup");
    one.prompt("The retry limit of the payment client is set in src/payment.rs.");
    one.stop();
    soon("it went up", || one.shown().promotions.len() == 1);
    std::fs::write(folder.join("src/payment.rs"), "const RETRIES: u32 = 3;\n").unwrap();
    let told = agent(&ground, &folder, "two").prompt("where is the retry limit of the payment client set?");
    assert!(told.contains("src/payment.rs has changed since"), "{told}");
}

#[test]
fn what_somebody_wants_kept_goes_up_and_proves_useful() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let mut one = agent(&ground, &folder, "one");
    one.start("startup");
    one.place.session = Some(one.id());
    let by_hand = one.place.remember("the demo user is called Ada", Some(Scope::Session));
    let promote = |to| {
        Order::Promote(Promote { operation: ground.operation(), session: None, to, memories: Vec::new() })
    };
    let promoted: Promoted = one.place.ask(promote(Scope::User));
    let went: Vec<(Scope, Scope)> = promoted.promotions.iter().map(|up| (up.from, up.to)).collect();
    assert_eq!(went, [(Scope::Session, Scope::Project), (Scope::Project, Scope::User)]);
    assert!(promoted.promotions.iter().all(|up| up.memory == by_hand.id));
    let again: Promoted = one.place.ask(promote(Scope::Project));
    assert!(again.promotions.is_empty());
    let elsewhere = ground.at(&ground.folder("other"));
    assert_eq!(elsewhere.recall("what is the demo user called"), ["the demo user is called Ada"]);
    let recorded: OutcomeRecorded = elsewhere.ask(Order::RecordOutcome {
        operation: ground.operation(),
        memory: by_hand.id.to_string(),
        outcome: Outcome::Success,
        note: Some("logged in".to_owned()),
    });
    assert!(recorded.utility > recorded.utility_before);
}

#[test]
fn a_purge_takes_the_words_out_of_sessions_and_stretches_too() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let one = agent(&ground, &folder, "one");
    one.start("startup");
    one.prompt("The door code of the server room is xyzzy17.");
    one.stop();
    one.end();
    let open = agent(&ground, &folder, "open");
    open.start("startup");
    soon("the session is over", || {
        let sessions: Sessions = open.place.ask(Order::SessionList);
        sessions.sessions.iter().any(|line| line.session == one.id() && line.status == "completed")
    });
    let found: engram_wire::reply::Recalled = open.place.ask(common::recall_order("door code server room"));
    let memory = found.hits[0].memory.clone();
    open.place.forget(&memory, true);
    let left: Vec<String> = open.place.export().iter().map(ToString::to_string).collect();
    assert!(left.iter().all(|line| !line.contains("xyzzy17")), "{left:?}");
}

#[test]
fn what_the_hooks_did_is_counted() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let one = agent(&ground, &folder, "one");
    one.start("startup");
    one.prompt("Our staging database listens on port 5433.");
    one.stop();
    let two = agent(&ground, &folder, "two");
    let mut chars = 0;
    soon("it is told", || {
        chars += two.prompt("which port does the staging database use?").chars().count();
        chars > 0
    });
    let stats: Stats = one.place.ask(Order::Stats);
    let hooks = &stats.hooks["claude-code"];
    assert_eq!((hooks.prompt_chars, hooks.shown), (chars as u64, 1));
    assert!(hooks.last_saved_at.is_some() && hooks.events[&HookEvent::UserPromptSubmit].count >= 2);
    ground.stop();
    let stats: Stats = one.place.ask(Order::Stats);
    assert_eq!(stats.hooks["claude-code"].prompt_chars, chars as u64, "it outlives the daemon");
}

#[test]
fn what_nobody_waited_for_was_not_told() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let one = agent(&ground, &folder, "one");
    one.start("startup");
    one.prompt("When I touch the billing module, remind me to rotate the keys.");
    one.stop();
    let listed = |place: &Place<'_>| place.ask::<RemindersListed>(Order::Reminders).reminders;
    soon("it is known", || listed(&one.place).first().is_some_and(|line| line.scope == Scope::Project));
    // A hook that gives up hangs up before it is answered.
    let two = agent(&ground, &folder, "two");
    two.start("startup");
    let prompt = "now I touch the billing module";
    let hook = Hook { prompt: Some(prompt.to_owned()), ..two.hook(HookEvent::UserPromptSubmit) };
    let request = Request { context: two.place.context(), order: Order::Hook(Box::new(hook)) };
    let hello = Hello { protocol: PROTOCOL, version: VERSION.to_owned() };
    let mut stream = UnixStream::connect(ground.reach.home.socket()).unwrap();
    stream.write_all(&frame::encode(&hello).unwrap()).unwrap();
    stream.write_all(&frame::encode(&request).unwrap()).unwrap();
    drop(stream);
    std::thread::sleep(Duration::from_millis(300));
    assert!(!listed(&two.place)[0].told);
    assert!(two.prompt(prompt).contains("reminder: rotate the keys"));
    soon("now it is told", || listed(&two.place)[0].told);
}

#[test]
fn a_reminder_takes_its_own_words_and_no_others() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let one = agent(&ground, &folder, "one");
    one.start("startup");
    one.prompt(
        "I prefer small pull requests. When I touch the billing module, remind me to run the ledger tests.",
    );
    one.stop();
    let two = agent(&ground, &folder, "two");
    two.start("startup");
    soon("the preference is known", || {
        two.place.recall("pull requests").iter().any(|text| text.contains("small pull requests"))
    });
    let told = two.prompt("let us open a pull request for the billing module");
    assert!(told.contains("reminder: run the ledger tests"), "{told}");
    assert!(!told.contains("(project, plan"), "a reminder is no fact: {told}");
}

#[test]
fn a_session_that_cannot_hand_on_costs_the_others_nothing() {
    let ground = Ground::new();
    let stuck_in = ground.folder("stuck");
    let stuck = agent(&ground, &stuck_in, "stuck");
    stuck.start("startup");
    stuck.prompt("Our staging database listens on port 5433.");
    // Where its store should be lies something else.
    std::fs::write(stuck_in.join(".claude"), "not a folder").unwrap();
    stuck.stop();
    stuck.end();
    soon("doctor says so", || {
        let checks = stuck.place.doctor().checks;
        checks.iter().any(|check| check.what == "sessions" && check.detail.contains("cannot hand on"))
    });
    let folder = ground.folder("shop");
    let one = agent(&ground, &folder, "one");
    one.start("startup");
    one.prompt("The invoice cache listens on port 6390.");
    one.stop();
    let two = agent(&ground, &folder, "two");
    soon("the others go on", || two.prompt("which port does the invoice cache use?").contains("6390"));
    // Nothing of it is lost.
    let journal = ground.reach.home.sessions_folder().join(format!("{}.jsonl", stuck.id().name()));
    assert!(std::fs::read_to_string(journal).unwrap().contains("5433"));
}

#[test]
fn the_outline_of_the_code_is_not_told_at_the_start() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    std::fs::create_dir_all(folder.join("src")).unwrap();
    std::fs::write(folder.join("src/pay.rs"), "pub fn pay(amount: u64) -> bool {\n    amount > 0\n}\n")
        .unwrap();
    let git = |arguments: &[&str]| {
        let done = std::process::Command::new("git").current_dir(&folder).args(arguments).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first"]);
    let place = ground.at(&folder);
    place.remember("the cache is redis", None);
    let sheets = |place: &Place<'_>| {
        place.ask::<Stats>(Order::Stats).scopes.iter().map(|scope| scope.sheets).sum::<usize>()
    };
    soon("an outline is drawn", || sheets(&place) > 0);
    let block = agent(&ground, &folder, "one").start("startup");
    assert!(!block.contains("pay.rs") && !block.contains("outline"), "{block}");
}

#[test]
fn a_server_speaks_in_the_session_that_its_agent_is_in_now() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let before = agent(&ground, &folder, "before");
    before.start("startup");
    before.end();
    let now_in = agent(&ground, &folder, "now");
    now_in.start("clear");
    let context = Context { session: Some(before.id()), ..now_in.place.context() };
    let order = Order::Mcp { profile: Profile::Default, process: Some(std::process::id()) };
    let mut stream = ground.reach.open(&Request { context, order }).unwrap();
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let arguments = json!({"text": "the demo user is called Ada", "scope": "session"});
    let store = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "store_memory", "arguments": arguments}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    for line in [call, ready, store] {
        writeln!(stream, "{line}").unwrap();
    }
    let mut lines = BufReader::new(stream).lines();
    let answer = lines.find_map(|line| Some(line.unwrap()).filter(|line| line.contains("\"id\":2"))).unwrap();
    assert!(answer.contains("the demo user is called Ada") && !answer.contains("not open"), "{answer}");
    assert_eq!(now_in.shown().memories_here.len(), 1);
}

#[test]
fn a_session_whose_project_is_away_does_not_end_and_loses_nothing() {
    let ground = Ground::new();
    let folder = ground.folder("stick");
    let one = agent(&ground, &folder, "one");
    one.start("startup");
    one.prompt("Our staging database listens on port 5433.");
    std::fs::rename(&folder, ground.root().join("away")).unwrap();
    let elsewhere = Agent { place: ground.at(&ground.folder("other")), ..agent(&ground, &folder, "one") };
    elsewhere.end();
    soon("doctor says so", || {
        let checks = elsewhere.place.doctor().checks;
        checks.iter().any(|check| check.what == "sessions" && check.detail.contains("cannot hand on"))
    });
    let journal = ground.reach.home.sessions_folder().join(format!("{}.jsonl", one.id().name()));
    assert!(std::fs::read_to_string(journal).unwrap().contains("5433"));
}
