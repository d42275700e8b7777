//! Rules of retention in the real daemon: what is over is purged on its day, and
//! nothing else.

mod common;

use common::{Ground, Place};
use engram_core::audit::Deed;
use engram_core::dream::{Depth, Step, StepReport};
use engram_core::turn::{Event, EventType};
use engram_core::{MemoryId, OperationId, Span, Timestamp};
use engram_wire::client::NoAnswer;
use engram_wire::governance::AuditShown;
use engram_wire::life::Dreamt;
use engram_wire::message::{Dream, ImportLine, Observe};
use engram_wire::reply::Observed;
use engram_wire::{Context, FaultKind, Order, Request};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const BORN: &str = "2026-01-01T12:00:00Z";

fn born() -> Timestamp {
    BORN.parse().unwrap()
}

fn after(days: i64, seconds: i64) -> Timestamp {
    born() + Span::from_hours(24 * days) + Span::from_secs(seconds)
}

fn line(number: usize, kind: &str, text: &str, more: Value) -> ImportLine {
    let mut memory = json!({
        "id": format!("01K{number:023}"), "scope": "project", "tier": "episodic", "kind": kind,
        "status": "active",
        "status_change": {"at": BORN, "reason": "remembered", "cause": "remember"},
        "content": text, "importance": 0.9, "confidence": 0.7, "utility": 0.5, "pinned": false,
        "immutable": false, "access_count": 3, "last_used_at": BORN, "stability": 400.0,
        "valid_from": BORN, "recorded_at": BORN, "write_source": "observer",
        "data_source": "user_message", "trust": 1.0, "created_at": BORN, "updated_at": BORN, "revision": 0,
    });
    memory.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    ImportLine { number, text: memory.to_string() }
}

fn fill(ground: &Ground, place: &Place<'_>) {
    let lines = vec![
        line(1, "observation", "xyzzy: the linker ran out of memory", json!({})),
        line(2, "observation", "pinned: the linker wants lld", json!({"pinned": true})),
        line(3, "observation", "immutable: the linker wants mold", json!({"immutable": true})),
        line(4, "narrative", "the afternoon on which the linker failed", json!({})),
        line(5, "fact", "the linker is lld", json!({})),
        line(
            6,
            "observation",
            "plover: an older outcome of the linker",
            json!({
            "status": "archived",
            "status_change": {"at": BORN, "reason": "weak: it was", "cause": "dream"}}),
        ),
    ];
    let order = Order::Import { operation: ground.operation(), scope: None, lines };
    place.ask::<Value>(order);
}

fn dream(place: &Place<'_>, operation: OperationId, at: Timestamp, dry_run: bool) -> StepReport {
    let order =
        Order::Dream(Dream { operation, only: vec![Step::Retain], depth: None, dry_run, scope: None });
    let request = Request { context: Context { said_at: Some(at), ..place.context() }, order };
    let reply = place.ground.reach.ask(&request, &mut |_| {});
    let reply = reply.map_err(NoAnswer::into_fault).unwrap_or_else(|fault| panic!("{fault:?}"));
    let dreamt: Dreamt = serde_json::from_value(reply).unwrap();
    dreamt.stores[0].dream.steps[0].clone()
}

fn texts(place: &Place<'_>) -> String {
    place.export_lines(false).join("\n")
}

fn purges(place: &Place<'_>) -> AuditShown {
    place.ask(Order::Audit { limit: 100, about: None })
}

/// Whether any file below holds these bytes.
fn holds(folder: &Path, word: &str) -> bool {
    fs::read_dir(folder).unwrap().flatten().any(|entry| match entry.path() {
        path if path.is_dir() => holds(&path, word),
        path => fs::read(path).unwrap().windows(word.len()).any(|bytes| bytes == word.as_bytes()),
    })
}

#[test]
fn a_text_is_purged_on_the_day_on_which_its_rule_says_so() {
    let ground = Ground::new();
    ground.configure("[retain]\nrules = \"observation=30,narrative=365\"\n");
    let folder = ground.folder("project");
    let place = ground.at(&folder);
    fill(&ground, &place);

    let early = dream(&place, ground.operation(), after(30, -1), false);
    assert_eq!((early.done, early.looked_at), (0, 6));
    assert!(texts(&place).contains("xyzzy"));

    let would = dream(&place, ground.operation(), after(30, 0), true);
    assert_eq!(would.done, 2);
    assert_eq!(would.deeds[0].why, "observation=30: 2 purged, which cannot be undone");
    assert!(texts(&place).contains("xyzzy") && texts(&place).contains("plover"), "a dry run takes nothing");
    let before = purges(&place).lines.iter().filter(|line| line.deed == Deed::Purge).count();
    assert_eq!(before, 0);

    let operation = ground.operation();
    let did = dream(&place, operation, after(30, 0), false);
    assert_eq!((did.done, &did.deeds), (2, &would.deeds));
    let left = texts(&place);
    assert!(!left.contains("xyzzy") && !left.contains("plover"), "{left}");
    for stays in ["wants lld", "wants mold", "the afternoon", "is lld"] {
        assert!(left.contains(stays), "{stays}");
    }
    let shown = purges(&place);
    let purge = shown.lines.iter().find(|line| line.deed == Deed::Purge).unwrap();
    assert_eq!((purge.actor, purge.digests.len()), (engram_core::Actor::Engram, 2));
    let id = format!("01K{:023}", 1);
    let about: AuditShown = place.ask(Order::Audit { limit: 9, about: Some(id) });
    assert_eq!(about.lines.len(), 1, "it can be looked up that this one was purged");

    // It cannot be taken back, and is not in the way of what can.
    let undo = |target, step| Order::Undo { operation: ground.operation(), target, step };
    let fault = place.fault(undo(Some(operation), Some(Step::Retain)));
    assert!(
        fault.kind == FaultKind::Refused && fault.message.contains("cannot be brought back"),
        "{fault:?}"
    );
    let again = dream(&place, ground.operation(), after(30, 0), false);
    assert_eq!(again.done, 0, "once");
    place.remember("we deploy on fridays", None);
    dream(&place, ground.operation(), after(366, 0), false);
    assert!(!texts(&place).contains("the afternoon"), "and the narrative on its own day");
    place.ask::<Value>(undo(None, None));
    assert!(!texts(&place).contains("fridays"), "what somebody did is undone, not the purge");

    ground.stop();
    let store = folder.join(".claude/engram");
    assert!(!holds(&store, "xyzzy") && !holds(&store, "the afternoon"), "also from the files");
    assert!(holds(&store, "wants mold"));
}

#[test]
fn words_that_were_heard_go_by_their_own_rule() {
    let ground = Ground::new();
    ground.configure("[retain]\nturns_days = 7\n");
    let place = ground.at(&ground.folder("project"));
    let event = |text: &str, time| Event { time: Some(time), ..Event::new(EventType::UserMessage, text) };
    let events = vec![
        event("We decided that the xyzzy service is written in Rust.", born()),
        event("We decided that the plover service is written in Go.", after(1, 0)),
    ];
    let order = Observe { events, wait: true, ..Observe::default() };
    let observed: Observed = place.ask(Order::Observe(order));
    let evidence = |number: usize| {
        let memory = observed.decisions[number].memory.unwrap();
        let why: Value = place.ask(Order::Why { memory: memory.to_string() });
        (why["memory"]["content"].as_str().unwrap().to_owned(), why["evidence"][0]["content"].clone())
    };
    assert_eq!(dream(&place, ground.operation(), after(7, 0), false).done, 0, "seven days are not over");
    let would = dream(&place, ground.operation(), after(7, 1), true);
    assert_eq!((would.done, would.deeds[0].what.as_str()), (1, "turns purged"));
    assert!(evidence(0).1.as_str().unwrap().contains("xyzzy"));
    assert_eq!(dream(&place, ground.operation(), after(7, 1), false).done, 1);
    let (memory, words) = evidence(0);
    assert!(memory.contains("xyzzy"), "the memory is not the words it was made of");
    assert!(!words.as_str().unwrap().contains("xyzzy"), "{words}");
    assert!(evidence(1).1.as_str().unwrap().contains("plover"));
}

#[test]
fn what_only_a_purged_memory_rested_on_goes_with_it() {
    let ground = Ground::new();
    ground.configure("[retain]\nrules = \"decision=10\"\n");
    let place = ground.at(&ground.folder("project"));
    let said = "We decided that the xyzzy service is written in Rust.";
    let event = Event { time: Some(born()), ..Event::new(EventType::UserMessage, said) };
    let order = Observe { events: vec![event], wait: true, ..Observe::default() };
    let observed: Observed = place.ask(Order::Observe(order));
    let memory = observed.decisions[0].memory.unwrap();
    let why: Value = place.ask(Order::Why { memory: memory.to_string() });
    assert_eq!(why["memory"]["kind"], "decision");
    // From when it was made, which was said.
    let made: Timestamp = why["memory"]["created_at"].as_str().unwrap().parse().unwrap();
    assert_eq!(dream(&place, ground.operation(), made + Span::from_hours(240), false).done, 1);
    let why: Value = place.ask(Order::Why { memory: memory.to_string() });
    assert!(!why.to_string().contains("xyzzy"), "{why}");
}

#[test]
fn words_that_a_pinned_memory_rests_on_stay() {
    let ground = Ground::new();
    ground.configure("[retain]\nrules = \"decision=10\"\n");
    let place = ground.at(&ground.folder("project"));
    let said = "We decided that the xyzzy service is written in Rust. We decided to move the plover queue to \
                Postgres 16 in March.";
    let event = Event { time: Some(born()), ..Event::new(EventType::UserMessage, said) };
    let order = Observe { events: vec![event], wait: true, ..Observe::default() };
    let observed: Observed = place.ask(Order::Observe(order));
    let memories: Vec<MemoryId> = observed.decisions.iter().filter_map(|decision| decision.memory).collect();
    let [goes, stays] = memories[..] else { panic!("{observed:?}") };
    let pin = Order::Pin { operation: ground.operation(), memory: stays.to_string(), pinned: true };
    place.ask::<Value>(pin);
    let why = |memory: MemoryId| place.ask::<Value>(Order::Why { memory: memory.to_string() });
    let made: Timestamp = why(goes)["memory"]["created_at"].as_str().unwrap().parse().unwrap();
    assert_eq!(dream(&place, ground.operation(), made + Span::from_hours(240), false).done, 1);
    assert!(why(goes)["memory"]["content"].as_str().unwrap_or_default().is_empty());
    let words = why(stays)["evidence"][0]["content"].clone();
    assert_eq!(words.as_str(), Some(said));
}

#[test]
fn a_project_shortens_and_nobody_has_to_name_the_step() {
    let ground = Ground::new();
    ground.configure("[retain]\nrules = \"narrative=365\"\n");
    let folder = ground.folder("project");
    let place = ground.at(&folder);
    fill(&ground, &place);
    let config = folder.join(".claude/engram/config.toml");
    fs::write(&config, "[retain]\nrules = \"narrative=366\"\n").unwrap();
    assert!(place.fault(place.remember_order("b", None)).message.contains("not lengthen it"));
    fs::write(&config, "[retain]\nrules = \"observation=30\"\n").unwrap();
    let order = Order::Dream(Dream {
        operation: ground.operation(),
        only: Vec::new(),
        depth: Some(Depth::Full),
        dry_run: false,
        scope: None,
    });
    let request = Request { context: Context { said_at: Some(after(365, 0)), ..place.context() }, order };
    let reply = ground.reach.ask(&request, &mut |_| {}).map_err(|_| "refused").unwrap();
    let dreamt: Dreamt = serde_json::from_value(reply).unwrap();
    let report = &dreamt.stores[0].dream.steps[0];
    assert_eq!((report.step, report.done), (Step::Retain, 3), "{report:?}");
    let left = texts(&place);
    assert!(!left.contains("xyzzy") && !left.contains("the afternoon") && left.contains("is lld"), "{left}");
}
