//! Who may write: rules for tools and agents, at every way in.

mod common;

use common::agent::agent;
use common::{Ground, Place, found_soon, soon};
use engram_core::audit::Deed;
use engram_core::decision::Action;
use engram_core::turn::{Event, EventType, ToolUse};
use engram_core::{Memory, Scope};
use engram_wire::governance::AuditShown;
use engram_wire::message::{HookEvent, Observe};
use engram_wire::reply::{Changed, Health, Observed};
use engram_wire::spool::Spool;
use engram_wire::{Context, Fault, FaultKind, Order, Request};
use serde_json::{Value, json};
use std::fs;

fn deeds(place: &Place<'_>) -> Vec<Deed> {
    let shown: AuditShown = place.ask(Order::Audit { limit: 100, about: None });
    shown.lines.iter().rev().map(|line| line.deed).collect()
}

fn refused(place: &Place<'_>) -> u64 {
    place.ask::<Health>(Order::Status).capture.refused
}

/// As an agent of this name asks over the Model Context Protocol.
fn asks(ground: &Ground, place: &Place<'_>, agent: &str, order: Order) -> Result<Value, Fault> {
    let context = Context { agent: Some(agent.to_owned()), ..place.context() };
    ground
        .reach
        .ask(&Request { context, order }, &mut |_| {})
        .map_err(engram_wire::client::NoAnswer::into_fault)
}

fn correct(ground: &Ground, memory: &Memory, text: &str) -> Order {
    Order::Correct { operation: ground.operation(), memory: memory.id.to_string(), text: text.to_owned() }
}

fn forget(ground: &Ground, memory: &Memory, purge: bool) -> Order {
    Order::Forget { operation: ground.operation(), memories: vec![memory.id.to_string()], purge }
}

fn used(tool: &str, ok: bool, output: &str) -> Event {
    let tool = ToolUse {
        name: tool.to_owned(),
        input: json!({"command": "make deploy"}),
        output: json!(output),
        ok,
        duration_ms: None,
    };
    Event { tool: Some(tool), ..Event::new(EventType::ToolCall, "") }
}

fn observe(place: &Place<'_>, events: Vec<Event>) -> Observed {
    place.ask(Order::Observe(Observe { events, wait: true, ..Observe::default() }))
}

#[test]
fn an_agent_does_no_more_than_its_rule_allows() {
    let ground = Ground::new();
    ground.configure("[authority]\nagents = \"codex*=add,stranger=nothing\"\n");
    let place = ground.at(&ground.folder("project"));
    let known = place.remember("the api listens on port 8080", None);
    let ask = |agent: &str, order| asks(&ground, &place, agent, order);

    // What may add, adds, and what it contradicts stays in force.
    let order = place.remember_order("the deploy runs on fridays", None);
    ask("codex-mcp-client", order).unwrap();
    for order in [
        correct(&ground, &known, "the api listens on port 9090"),
        forget(&ground, &known, false),
        forget(&ground, &known, true),
        Order::Pin { operation: ground.operation(), memory: known.id.to_string(), pinned: true },
        Order::Undo { operation: ground.operation(), target: None, step: None },
    ] {
        let verb = order.verb();
        let fault = ask("codex-mcp-client", order).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Refused, "{verb}");
        let told = format!("codex-mcp-client may add memories and change none, so it may not {verb}");
        assert!(fault.message.starts_with(&told), "{fault:?}");
        assert!(fault.message.ends_with("authority.agents says codex*=add"), "{fault:?}");
        assert!(fault.hints.iter().any(|hint| hint.contains("engram config set authority.agents")));
    }
    let fault = ask("stranger", place.remember_order("the moon is made of cheese", None)).unwrap_err();
    assert_eq!(
        fault.message,
        "stranger may not write, so it may not remember: authority.agents says stranger=nothing"
    );
    assert_eq!((refused(&place), deeds(&place)), (6, vec![Deed::Refusal; 6]));
    assert!(place.recall("what is the moon made of").iter().all(|text| !text.contains("cheese")));

    // Looking is not writing, and nobody else is bound.
    ask("stranger", common::recall_order("where does the api listen")).unwrap();
    let changed = ask("claude-code", correct(&ground, &known, "the api listens on port 9090")).unwrap();
    assert!(serde_json::from_value::<Changed>(changed).is_ok());
    assert_eq!(place.recall("where does the api listen")[0], "the api listens on port 9090");
}

#[test]
fn what_an_agent_may_only_add_replaces_nothing() {
    let ground = Ground::new();
    ground.configure("[authority]\nagents = \"codex=add\"\n");
    let place = ground.at(&ground.folder("project"));
    let known = place.remember("the staging key is stored in vault", None);
    let order = place.remember_order("the staging key is stored in 1password", None);
    let added = asks(&ground, &place, "codex", order).unwrap();
    let is_current = || {
        let shown: Value = place.ask(Order::Inspect { memory: known.id.to_string() });
        !shown.to_string().contains("superseded")
    };
    assert!(is_current(), "{added}");
    place.remember("the staging key is stored in keychain", None);
    assert!(!is_current(), "the user may");
}

#[test]
fn what_a_tool_may_not_write_is_kept_as_evidence_and_told() {
    let ground = Ground::new();
    ground.configure("[authority]\ntools = \"mcp__*=nothing,mcp__ci__run=add\"\n");
    let place = ground.at(&ground.folder("project"));
    let fails = "error: the token has expired, run make login first";
    let barred = observe(&place, vec![used("mcp__web__fetch", false, fails)]);
    assert_eq!((barred.heard, barred.barred, barred.refused), (1, 1, 0));
    let [decision] = &barred.decisions[..] else { panic!("{barred:?}") };
    assert_eq!(decision.action, Action::Skip);
    assert_eq!(decision.reason, "mcp__web__fetch may not write: authority.tools says mcp__*=nothing");
    assert_eq!((refused(&place), deeds(&place)), (1, vec![Deed::Refusal]));
    let free = observe(&place, vec![used("mcp__ci__run", false, fails), used("Bash", true, "ok")]);
    assert_eq!((free.heard, free.barred), (2, 0));
    assert!(free.decisions.iter().all(|decision| !decision.reason.contains("may not write")), "{free:?}");
    assert_eq!(refused(&place), 1);
    let dry =
        Observe { events: vec![used("mcp__web__fetch", true, "x")], dry_run: true, ..Observe::default() };
    assert_eq!(place.ask::<Observed>(Order::Observe(dry)).barred, 1);
    assert_eq!((refused(&place), deeds(&place).len()), (1, 1), "a dry run is no deed");
}

#[test]
fn a_hook_is_bound_by_the_rule_for_its_agent_also_when_it_is_read_later() {
    let ground = Ground::new();
    ground.configure("[authority]\nagents = \"claude-code=nothing\"\n");
    let folder = ground.folder("project");
    let talk = agent(&ground, &folder, "a talk");
    talk.start("startup");
    talk.prompt("We decided that the billing service is written in Rust from now on.");
    talk.tool(HookEvent::PostToolUse, "make", None);
    let place = ground.at(&folder);
    soon("what was heard is read", || place.ask::<Health>(Order::Status).capture.unread == 0);
    let decided = place.ask::<Health>(Order::Status).capture.decided;
    assert_eq!(decided.keys().copied().collect::<Vec<_>>(), [Action::Skip], "{decided:?}");
    assert!(refused(&place) >= 2);
    // Within its session the agent is known by it, whatever it is asked through.
    let mut inside = ground.at(&folder);
    inside.session = Some(talk.id());
    let fault = inside.fault(inside.remember_order("the billing service is written in Rust", None));
    assert!(fault.message.starts_with("claude-code may not write"), "{fault:?}");
    assert!(place.recall("what is the billing service written in").is_empty());
}

#[test]
fn a_project_s_own_rule_holds_for_what_its_sessions_hear() {
    let ground = Ground::new();
    let folder = ground.folder("project");
    let place = ground.at(&folder);
    place.remember("we deploy on fridays", None);
    let config = folder.join(".claude/engram/config.toml");
    fs::write(&config, "[authority]\nagents = \"claude-code=nothing\"\n").unwrap();
    let talk = agent(&ground, &folder, "a talk");
    talk.start("startup");
    talk.prompt("We decided that the billing service is written in Rust from now on.");
    soon("what was heard is read", || {
        let health = place.ask::<Health>(Order::Status);
        health.capture.heard > 0 && health.capture.unread == 0
    });
    let decided = place.ask::<Health>(Order::Status).capture.decided;
    assert_eq!(decided.keys().copied().collect::<Vec<_>>(), [Action::Skip], "{decided:?}");
}

#[test]
fn what_has_no_operation_is_bound_as_well() {
    let ground = Ground::new();
    ground.configure("[authority]\nagents = \"stranger=nothing\"\n");
    let place = ground.at(&ground.folder("project"));
    let known = place.remember("the api listens on port 8080", None);
    for order in [
        json!({"order": "erase", "subject": "project:."}),
        json!({"order": "dream", "operation": ground.operation()}),
        json!({"order": "evolve", "operation": ground.operation()}),
        json!({"order": "observe", "events": [], "gone": [ground.operation()]}),
        json!({"order": "team", "team": "leave", "force": true, "withdraw": false}),
    ] {
        let order: Order = serde_json::from_value(order).unwrap();
        let verb = order.verb();
        let fault = asks(&ground, &place, "stranger", order).unwrap_err();
        assert!(
            fault.message.starts_with(&format!("stranger may not write, so it may not {verb}")),
            "{fault:?}"
        );
    }
    assert_eq!(place.recall("where does the api listen")[0], known.content);
}

#[test]
fn what_waited_in_the_spool_is_bound_as_well() {
    let ground = Ground::new();
    ground.configure("[authority]\nagents = \"codex=nothing\"\n");
    let place = ground.at(&ground.folder("project"));
    place.remember("we deploy on fridays", None);
    let spool = Spool::new(ground.reach.home.spool_folder());
    for (agent, text) in [("codex", "the sky is green"), ("claude-code", "the sky is blue")] {
        let context =
            Context { agent: Some(agent.to_owned()), said_at: Some(common::now()), ..place.context() };
        let request = Request { context, order: place.remember_order(text, None) };
        spool.append(&request, 1 << 20).unwrap();
    }
    let found = found_soon("the spool is drained", || {
        let found = place.recall("what colour is the sky");
        (spool.waiting() == 0 && !found.is_empty()).then_some(found)
    });
    assert!(found.iter().all(|text| !text.contains("green")), "{found:?}");
    assert_eq!((spool.rejected(), deeds(&place)), (1, vec![Deed::Refusal]));
}

#[test]
fn a_project_lowers_and_does_not_raise() {
    let ground = Ground::new();
    ground.configure("[authority]\nagents = \"codex=add\"\n");
    let folder = ground.folder("project");
    let place = ground.at(&folder);
    place.remember("we deploy on fridays", None);
    let config = folder.join(".claude/engram/config.toml");
    fs::write(&config, "[authority]\nagents = \"codex=nothing\"\n").unwrap();
    let fault = asks(&ground, &place, "codex", place.remember_order("a", None)).unwrap_err();
    assert!(fault.message.ends_with("authority.agents says codex=nothing"), "{fault:?}");
    fs::write(&config, "[authority]\nagents = \"codex=change\"\n").unwrap();
    assert!(place.fault(place.remember_order("b", None)).message.contains("not raise it"));
    fs::write(&config, "[authority]\nagents = \"codex\"\n").unwrap();
    assert!(place.fault(place.remember_order("b", None)).message.contains("\"codex\" is no rule"));
}

#[test]
fn capture_of_what_is_to_be_remembered_can_be_turned_off() {
    let ground = Ground::new();
    ground.configure("[capture]\nremember = \"nothing\"\n");
    let place = ground.at(&ground.folder("project"));
    let fault = place.fault(place.remember_order("we deploy on fridays", Some(Scope::User)));
    assert_eq!(fault.message, "nobody may remember: capture.remember says nothing");
}
