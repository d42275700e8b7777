//! Dreams in the real daemon: a dry run changes nothing, a dream that is killed
//! is gone on with, one that is taken back leaves no trace, and what the code
//! bears out no longer is challenged.

mod common;

use common::server::{Reply, Server};
use common::{Ground, Place};
use engram_core::dream::Step;
use engram_core::{OperationId, Timestamp};
use engram_wire::client::NoAnswer;
use engram_wire::life::Dreamt;
use engram_wire::message::{Dream, ImportLine};
use engram_wire::{Context, Order, Request};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How many memories, and how often the daemon is killed. `make dreams` takes
/// more of both.
fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The moment at which everything here is dreamt.
fn tonight() -> Timestamp {
    "2026-11-01T22:00:00Z".parse().unwrap()
}

fn dream(operation: OperationId, only: &[Step], dry_run: bool) -> Order {
    Order::Dream(Dream { operation, only: only.to_vec(), depth: None, dry_run, scope: None })
}

/// Memories of a year as lines of an export: facts, episodes about a few tools,
/// remarks, things that said until when they hold, and pinned ones.
fn lines(count: usize) -> Vec<ImportLine> {
    let tools = ["redis", "postgres", "kafka", "nginx", "vault", "terraform"];
    let line = |number: usize| {
        let born = tonight() - engram_core::Span::from_hours(24 * (number as i64 % 360 + 1));
        let tool = tools[number % tools.len()];
        let (kind, tier, text) = match number % 8 {
            0 => (
                "fact",
                "semantic",
                format!("The {tool} cluster number {number} has {} nodes.", number % 7 + 2),
            ),
            1 => ("decision", "procedural", format!("We decided to run {tool} in zone {number}.")),
            2 => ("observation", "episodic", format!("{tool} restarted twice on host h{number} today.")),
            3 => ("plan", "episodic", format!("Move {tool} shard {number} next week.")),
            4 => ("preference", "semantic", format!("I like {tool} dashboards number {number} dark.")),
            5 => ("observation", "episodic", format!("Looked at {tool} logs, {number} lines, nothing odd.")),
            6 => ("observation", "working", format!("now reading the {tool} manual page {number}")),
            _ => ("convention", "procedural", format!("Always tag {tool} images with build {number}.")),
        };
        let mut memory = json!({
            "id": format!("01K{number:023}"), "scope": "project", "tier": tier, "kind": kind,
            "status": "created",
            "status_change": {"at": born, "reason": "remembered", "cause": "remember"},
            "content": text, "importance": 0.05 + (number % 19) as f64 / 20.0, "confidence": 0.7,
            "utility": (number % 11) as f64 / 10.0, "pinned": number.is_multiple_of(37), "immutable": number.is_multiple_of(53),
            "access_count": number % 5, "last_used_at": born, "stability": 1.0 + (number % 9) as f64,
            "valid_from": born, "recorded_at": born, "write_source": "observer",
            "data_source": "user_message", "trust": 1.0, "created_at": born, "updated_at": born,
            "revision": 0,
        });
        if number % 8 == 3 {
            memory["valid_until"] = json!(born + engram_core::Span::from_hours(24 * 7));
        }
        if number.is_multiple_of(4) && number > 150 {
            let old = born - engram_core::Span::from_hours(24 * 200);
            memory["status"] = json!("archived");
            memory["status_change"] = json!({"at": old, "reason": "weak: it was", "cause": "dream"});
        }
        ImportLine { number: number + 1, text: memory.to_string() }
    };
    (0..count).map(line).collect()
}

/// A home with a project that has these memories.
fn filled(ground: &Ground, folder: &Path, count: usize) {
    let talk = ground.at(folder);
    for batch in lines(count).chunks(500) {
        let order = Order::Import { operation: ground.operation(), scope: None, lines: batch.to_vec() };
        talk.ask::<Value>(order);
    }
}

/// The same dream at the same moment is the same, whoever dreams it.
fn request(place: &Place<'_>, order: Order) -> Request {
    Request { context: Context { said_at: Some(tonight()), ..place.context() }, order }
}

fn dreamt(ground: &Ground, place: &Place<'_>, order: Order) -> Dreamt {
    let reply = ground.reach.ask(&request(place, order), &mut |_| {});
    let reply = reply.map_err(NoAnswer::into_fault).unwrap_or_else(|fault| panic!("{fault:?}"));
    serde_json::from_value(reply).unwrap()
}

fn done(dreamt: &Dreamt, step: Step) -> usize {
    let reports = dreamt.stores.iter().flat_map(|store| &store.dream.steps);
    reports.filter(|report| report.step == step).map(|report| report.done).sum()
}

#[test]
fn a_dry_run_changes_nothing_and_a_dream_is_taken_back_byte_for_byte() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    filled(&ground, &folder, number("ENGRAM_DREAM_MEMORIES", 300));
    let talk = ground.at(&folder);
    let before = talk.export_lines(true);
    let would = dreamt(&ground, &talk, dream(ground.operation(), &[], true));
    assert!(done(&would, Step::Forget) > 0 && done(&would, Step::Consolidate) > 0, "{would:?}");
    assert_eq!(talk.export_lines(true), before);

    let operation = ground.operation();
    let did = dreamt(&ground, &talk, dream(operation, &[], false));
    assert_eq!(done(&did, Step::Forget), done(&would, Step::Forget));
    let after = talk.export_lines(true);
    assert_ne!(after, before);
    let shown = talk.ask::<Value>(Order::Operations { limit: 5, before: None });
    let first = &shown["operations"][0];
    assert_eq!(
        (first["id"].as_str(), first["cause"].as_str()),
        (Some(&*operation.to_string()), Some("dream"))
    );

    talk.ask::<Value>(Order::Undo { operation: ground.operation(), target: Some(operation), step: None });
    assert_eq!(talk.export_lines(true), before);
    // And the undo is taken back as well.
    let undo = talk.ask::<Value>(Order::Operations { limit: 1, before: None })["operations"][0]["id"].clone();
    let undo: OperationId = undo.as_str().unwrap().parse().unwrap();
    talk.ask::<Value>(Order::Undo { operation: ground.operation(), target: Some(undo), step: None });
    assert_eq!(talk.export_lines(true), after);
}

#[test]
fn a_step_runs_alone_and_is_taken_back_alone() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    filled(&ground, &folder, 200);
    let talk = ground.at(&folder);
    let before = talk.export_lines(true);
    let operation = ground.operation();
    let did = dreamt(&ground, &talk, dream(operation, &[Step::Forget, Step::Expire], false));
    let steps: Vec<Step> = did.stores[0].dream.steps.iter().map(|report| report.step).collect();
    assert_eq!(steps, [Step::Expire, Step::Forget], "in the order of a dream");
    assert!(done(&did, Step::Expire) > 0 && done(&did, Step::Forget) > 0);
    let order =
        Order::Undo { operation: ground.operation(), target: Some(operation), step: Some(Step::Forget) };
    let first = talk.ask::<Value>(order.clone());
    // The same order again, as from a client that did not hear the answer.
    let context = Context { again: true, ..talk.context() };
    let again = ground.reach.ask(&Request { context, order }, &mut |_| {}).map_err(NoAnswer::into_fault);
    let again = again.unwrap();
    for name in ["operation", "undone", "cause"] {
        assert_eq!(first[name], again[name], "{name}");
    }
    assert_ne!(talk.export_lines(true), before, "what expired stays away");
    let order =
        Order::Undo { operation: ground.operation(), target: Some(operation), step: Some(Step::Expire) };
    talk.ask::<Value>(order);
    assert_eq!(talk.export_lines(true), before);
}

#[test]
fn a_dream_that_is_killed_ends_as_if_it_had_not_been() {
    let memories = number("ENGRAM_DREAM_MEMORIES", 300);
    let kills = number("ENGRAM_DREAM_KILLS", 2);
    let operation: OperationId = "01K0DREAM00000000000000000".parse().unwrap();
    let undisturbed = {
        let ground = Ground::new();
        let folder = ground.folder("shop");
        filled(&ground, &folder, memories);
        let began = common::now();
        dreamt(&ground, &ground.at(&folder), dream(operation, &[], false));
        (ground.at(&folder).export_lines(true), common::now().duration_since(began).unsigned_abs())
    };
    for kill in 0..kills {
        let ground = Ground::new();
        let folder = ground.folder("shop");
        filled(&ground, &folder, memories);
        let talk = ground.at(&folder);
        let share = (kill as f64 + 0.5) / kills as f64;
        let wait = Duration::from_secs_f64(undisturbed.1.as_secs_f64() * share);
        let order = request(&talk, dream(operation, &[], false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // Whoever asked does not get an answer.
                let _ = ground.reach.ask_running(&order);
            });
            std::thread::sleep(wait);
            ground.kill();
        });
        // Whoever comes next goes on with it, or dreams it if nothing was kept.
        let talk = ground.at(&folder);
        dreamt(&ground, &talk, dream(operation, &[], false));
        assert_eq!(talk.export_lines(true), undisturbed.0, "killed after {wait:?}");
    }
}

fn git(folder: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn what_the_code_no_longer_bears_out_is_challenged_and_nothing_else() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let write = |file: &str, text: &str| {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    git(&folder, &["init", "-q"]);
    write("src/auth.rs", "pub fn check_token() {}\n");
    write("src/cart.rs", "pub fn add_item() {}\npub fn total_price() {}\n");
    write("src/gone.rs", "pub fn old() {}\n");
    write("Makefile", "seed:\n\techo seed\nlint:\n\techo lint\n");
    write("package.json", "{\"dependencies\": {\"react\": \"^18.2.0\", \"zod\": \"^3.22.0\"}}\n");
    write("server.toml", "listen = 8080\nmetrics = 9100\n");
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-qm", "first"]);
    let talk = ground.at(&folder);
    let dies = [
        "The token check lives in src/auth.rs.",
        "src/gone.rs has the old code.",
        "Run `make seed` to fill the database.",
        "The shop uses react 18.",
        "The server listens on port 8080.",
        "The function `total_price` adds up the cart.",
    ];
    let lives = [
        "The cart is in src/cart.rs.",
        "Run `make lint` before a push.",
        "The shop uses zod 3.",
        "The metrics are on port 9100.",
        "The function `add_item` puts something into the cart.",
        "We will add src/wishlist.rs some day.",
        "I like short functions.",
    ];
    for text in dies.iter().chain(&lives) {
        talk.remember(text, None);
    }
    git(&folder, &["mv", "src/auth.rs", "src/session.rs"]);
    git(&folder, &["rm", "-q", "src/gone.rs"]);
    write("src/cart.rs", "pub fn add_item() {}\n");
    write("Makefile", "lint:\n\techo lint\n");
    write("package.json", "{\"dependencies\": {\"react\": \"^19.0.0\", \"zod\": \"^3.23.0\"}}\n");
    write("server.toml", "listen = 8443\nmetrics = 9100\n");
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-qm", "second"]);

    let status = |talk: &Place<'_>| -> Vec<(String, String, String)> {
        let listed = talk.ask::<Value>(Order::List(serde_json::from_value(json!({"limit": 100})).unwrap()));
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let memories = listed["memories"].as_array().unwrap();
        let line = |memory: &Value| {
            (text(&memory["content"]), text(&memory["status"]), text(&memory["status_change"]["reason"]))
        };
        memories.iter().map(line).collect()
    };
    talk.ask::<Value>(dream(ground.operation(), &[Step::Drift], false));
    let mut wrong = Vec::new();
    for (text, status, reason) in status(&talk) {
        let dead = dies.contains(&text.as_str());
        if dead != (status == "challenged") {
            wrong.push(format!("{text}: {status} ({reason})"));
        }
        if dead && !reason.starts_with("the code says otherwise: ") {
            wrong.push(format!("{text}: {reason}"));
        }
    }
    assert_eq!(wrong, [""; 0]);

    // What the code bears out again is in force again.
    write("server.toml", "listen = 8080\nmetrics = 9100\n");
    talk.ask::<Value>(dream(ground.operation(), &[Step::Drift], false));
    let back = status(&talk).into_iter().find(|(text, ..)| text.contains("port 8080")).unwrap();
    assert_eq!(back.1, "active", "{back:?}");
}

/// The files below a folder that have these bytes.
fn holding(folder: &Path, word: &str) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holding(&path, word));
        } else if std::fs::read(&path)
            .is_ok_and(|bytes| bytes.windows(word.len()).any(|some| some == word.as_bytes()))
        {
            found.push(path);
        }
    }
    found
}

#[test]
fn what_a_summary_repeats_goes_with_what_it_was_made_of() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let place = ground.at(&folder);
    let places =
        ["lisbon", "quito", "oslo", "hanoi", "lima", "accra", "riga", "cairo", "delhi", "turin", "malmo"];
    for city in places {
        place.remember(&format!("The office in {city} closes at noon on Fridays."), None);
    }
    let secret = place.remember("The office in xyzzyville closes at dusk on Fridays.", None);
    let summarise = || {
        let order = dream(ground.operation(), &[Step::Summarise], false);
        place.ask::<Dreamt>(order)
    };
    assert_eq!(done(&summarise(), Step::Summarise), 1);
    let asked = |query: &str| place.recall(query).join("\n");
    assert!(asked("which office closes at dusk?").contains("xyzzyville"));

    // Out of sight is out of the summary's sight as well.
    place.forget(&secret, false);
    assert!(!asked("which office closes at dusk?").contains("xyzzyville"));

    // And a purge leaves no word of it, whatever a dream made of it.
    place.forget(&secret, true);
    ground.stop();
    assert_eq!(holding(&ground.root(), "xyzzyville"), [""; 0].map(std::path::PathBuf::from));
}

#[test]
fn a_change_that_is_sent_again_is_answered_in_the_same_shape() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let place = ground.at(&folder);
    let memory = place.remember("The shop uses Redis for its cache.", None);
    let again = |order: &Order| -> Value {
        let context = Context { again: true, ..place.context() };
        let reply = ground.reach.ask(&Request { context, order: order.clone() }, &mut |_| {});
        reply.map_err(NoAnswer::into_fault).unwrap_or_else(|fault| panic!("{fault:?}"))
    };
    let tier = Order::SetTier {
        operation: ground.operation(),
        memory: memory.id.to_string(),
        tier: engram_core::Tier::Episodic,
    };
    let first: Value = place.ask(tier.clone());
    assert_eq!(
        (first["before"].as_str(), first["memory"]["tier"].as_str()),
        (Some("semantic"), Some("episodic"))
    );
    assert_eq!(again(&tier), first);
    let entity = "redis".to_owned();
    let alias = Order::EntityAlias { operation: ground.operation(), entity, alias: "the cache".to_owned() };
    let first: Value = place.ask(alias.clone());
    assert_eq!(again(&alias), first);
}

#[test]
fn what_a_dream_sent_up_comes_down_when_it_is_taken_back_and_can_go_up_again() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let mut convention: Value = serde_json::from_str(&lines(8)[7].text).unwrap();
    convention["content"] = json!("Always write the failing test before the fix.");
    convention["importance"] = json!(1.0);
    convention["confidence"] = json!(0.95);
    convention["access_count"] = json!(12);
    let name = convention["id"].as_str().unwrap().to_owned();
    let line = ImportLine { number: 1, text: convention.to_string() };
    let talk = ground.at(&folder);
    talk.ask::<Value>(Order::Import { operation: ground.operation(), scope: None, lines: vec![line] });
    for session in ["monday", "tuesday", "wednesday"] {
        let recall = json!({"order": "recall", "query": "failing test before the fix", "limit": 5});
        let order: Order = serde_json::from_value(recall).unwrap();
        let context = Context { session: Some(engram_core::SessionId::named(session)), ..talk.context() };
        ground.reach.ask(&Request { context, order }, &mut |_| {}).map_err(NoAnswer::into_fault).unwrap();
    }
    let before = talk.export_lines(true);
    let scope = || -> Vec<String> {
        let shown = talk.ask::<Value>(Order::Inspect { memory: name.clone() });
        vec![shown["memory"]["scope"].as_str().unwrap().to_owned()]
    };
    assert_eq!(scope(), ["project"]);
    let operation = ground.operation();
    let did = dreamt(&ground, &talk, dream(operation, &[Step::Promote], false));
    assert_eq!(did.stores[0].dream.steps[0].risen.len(), 1, "{did:?}");
    assert_eq!(scope(), ["user"]);
    let order =
        Order::Undo { operation: ground.operation(), target: Some(operation), step: Some(Step::Promote) };
    talk.ask::<Value>(order);
    assert_eq!(talk.export_lines(true), before);

    // It is not lost when it goes up a second time, and whoever undoes without a
    // name means the dream.
    let again = ground.operation();
    let did = dreamt(&ground, &talk, dream(again, &[Step::Promote], false));
    assert_eq!(did.stores[0].dream.steps[0].risen.len(), 1, "{did:?}");
    assert_eq!(scope(), ["user"]);
    let undone: Value = talk.ask(Order::Undo { operation: ground.operation(), target: None, step: None });
    assert_eq!(undone["undone"], json!(again));
    assert_eq!(talk.export_lines(true), before);
}

#[test]
fn a_model_that_is_configured_writes_the_summaries_of_a_dream() {
    let server = Server::start(|question| {
        let restarted = question.to_string().contains("restarted twice");
        let summary =
            if restarted { "It restarted twice on a host." } else { "Looked at logs, nothing odd." };
        answered(&json!({ "summary": summary }).to_string())
    });
    let ground = Ground::new();
    ground.configure(&format!(
        "[llm]\ndialect = \"openai\"\nurl = \"{}\"\nmodel = \"tiny\"\nkey = \"sk-hush-0123456789\"\n",
        server.address
    ));
    let folder = ground.folder("shop");
    filled(&ground, &folder, 300);
    let talk = ground.at(&folder);
    let did = dreamt(&ground, &talk, dream(ground.operation(), &[Step::Consolidate], false));
    assert!(done(&did, Step::Consolidate) > 0, "{did:?}");
    let lines = talk.export_lines(true);
    let memories = lines.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let written: Vec<Value> = memories.filter(|memory| memory["structured"]["method"] == "model").collect();
    assert_eq!(written.len(), server.heard().len(), "each answer is a summary");
    assert_eq!(written.len(), 5, "and no more are asked for in one night");
    assert!(written.iter().all(|memory| memory["relations"].as_array().is_some_and(|all| all.len() > 2)));
}

/// What OpenAI's servers wrap an answer in.
fn answered(content: &str) -> Reply {
    let message = json!({"finish_reason": "stop", "message": {"role": "assistant", "content": content}});
    Reply::Says(json!({"choices": [message], "usage": {}}).to_string())
}
