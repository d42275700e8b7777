//! What a home does about its team where it is alone with it: who may say what,
//! what is written down, and what is told where something is broken. The server
//! is one inside the daemon's own process, or none at all.

mod common;

use common::{Ground, Place, soon};
use engram_core::audit::Deed;
use engram_core::team::{OperatorLevel, Reviewers, Role};
use engram_core::{Memory, Scope};
use engram_wire::client::{NoAnswer, Reach};
use engram_wire::governance::AuditShown;
use engram_wire::message::{Hidden, Operator, TeamCreate, TeamJoin, TeamOrder};
use engram_wire::reply::{Changed, Health, Inspected};
use engram_wire::team::{
    Invitation, TeamCreated, TeamDone, TeamHealth, TeamLeft, TeamLines, TeamMembers, TeamQueued, TeamStatus,
};
use engram_wire::{Answer, Context, Fault, FaultKind, Order, Request};
use serde_json::{Value, json};
use std::fs;
use std::net::TcpListener;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// A server inside the daemon.
const NEAR: &str = "mem://near";

fn ask<T: serde::de::DeserializeOwned>(place: &Place<'_>, order: TeamOrder) -> T {
    place.ask(Order::Team(Box::new(order)))
}

fn fault(place: &Place<'_>, order: TeamOrder) -> Fault {
    place.fault(Order::Team(Box::new(order)))
}

fn operator() -> Operator {
    let password = Hidden::new("root");
    Operator { username: "root".to_owned(), password, level: OperatorLevel::Root }
}

fn creating(name: &str, review: Reviewers) -> TeamCreate {
    TeamCreate {
        url: NEAR.to_owned(),
        name: name.parse().unwrap(),
        namespace: "team".to_owned(),
        operator: operator(),
        review,
        ca: None,
        session_s: 3_600,
    }
}

fn joining(url: &str, name: &str, code: Hidden) -> TeamJoin {
    let (url, namespace, handle) = (url.to_owned(), "team".to_owned(), "ada".to_owned());
    TeamJoin { url, namespace, name: name.parse().unwrap(), code, handle, ca: None }
}

/// Makes a team and joins it.
fn found(place: &Place<'_>, name: &str, review: Reviewers) -> TeamHealth {
    let created: TeamCreated = ask(place, TeamOrder::Create(creating(name, review)));
    let code = created.invitation.address.split_once('#').unwrap().1;
    ask(place, TeamOrder::Join(joining(NEAR, name, Hidden::new(code))))
}

fn ground(settings: &str) -> Ground {
    let ground = Ground::new();
    ground.configure(&format!("[team]\npoll_ms = 100\ncall_ms = 20000\n{settings}"));
    ground
}

fn share(ground: &Ground, place: &Place<'_>, memory: &Memory) -> TeamQueued {
    ask(place, TeamOrder::Share { operation: ground.operation(), memories: vec![memory.id.to_string()] })
}

fn deeds(place: &Place<'_>) -> Vec<Deed> {
    let shown: AuditShown = place.ask(Order::Audit { limit: 100, about: None });
    shown.lines.iter().rev().map(|line| line.deed).collect()
}

fn status(place: &Place<'_>) -> TeamHealth {
    ask::<TeamStatus>(place, TeamOrder::Status).team.unwrap()
}

#[test]
fn whatever_says_who_belongs_to_a_team_is_written_down_and_what_is_corrected_there() {
    let ground = ground("");
    let place = ground.at(&ground.folder("shop"));
    found(&place, "shop", Reviewers::Author);
    assert_eq!(deeds(&place), [Deed::Team, Deed::Team], "made and joined");
    let invitation: Invitation = ask(&place, TeamOrder::Invite { role: Role::Member, operator: None });
    assert_eq!(invitation.role, Role::Member);
    let operator = Some(operator());
    let _: Invitation = ask(&place, TeamOrder::Invite { role: Role::Maintainer, operator });
    let _: TeamDone = ask(&place, TeamOrder::Upgrade { operator: self::operator() });
    let _: TeamDone = ask(&place, TeamOrder::Rotate);
    assert_eq!(deeds(&place).len(), 6, "{:?}", deeds(&place));
    assert!(deeds(&place).iter().all(|deed| *deed == Deed::Team));
    let fact = place.remember("the release train leaves on Monday", None);
    assert!(share(&ground, &place, &fact).done);
    let (operation, memory) = (ground.operation(), fact.id.to_string());
    let text = "the release train leaves on Tuesday".to_owned();
    let _: Changed = place.ask(Order::Correct { operation, memory, text });
    assert_eq!(deeds(&place)[6..], [Deed::Share, Deed::Share]);
}

#[test]
fn a_project_that_shares_nothing_corrects_nothing_of_the_team_either() {
    let ground = ground("");
    let shop = ground.at(&ground.folder("shop"));
    found(&shop, "shop", Reviewers::Author);
    let fact = shop.remember("the release train leaves on Monday", None);
    assert!(share(&ground, &shop, &fact).done);
    let private = ground.folder("private");
    let place = ground.at(&private);
    place.remember("something of its own", None);
    fs::write(private.join(".claude/engram/config.toml"), "[sharing]\nrule = \"off\"\n").unwrap();
    let (operation, memory) = (ground.operation(), fact.id.to_string());
    let text = "the release train leaves on Tuesday, says the private project".to_owned();
    let fault = place.fault(Order::Correct { operation, memory, text });
    assert!(fault.kind == FaultKind::Refused && fault.message.contains("shares nothing"), "{fault:?}");
    assert!(place.recall("when does the release train leave")[0].contains("Monday"));
    assert_eq!(status(&shop).queued, 0);
}

#[test]
fn an_agent_that_may_do_nothing_brings_nobody_into_a_team() {
    let ground = Ground::new();
    ground.configure("[authority]\nagents = \"stranger=nothing\"\n");
    let place = ground.at(&ground.folder("project"));
    place.remember("we deploy on fridays", None);
    let code = || Hidden::new("9f2c");
    for order in [
        TeamOrder::Create(creating("shop", Reviewers::Author)),
        TeamOrder::Join(joining(NEAR, "shop", code())),
        TeamOrder::Invite { role: Role::Maintainer, operator: None },
        TeamOrder::Rotate,
        TeamOrder::Never { memories: vec!["7QX3".to_owned()] },
        TeamOrder::Upgrade { operator: operator() },
    ] {
        let order = Order::Team(Box::new(order));
        let verb = order.verb();
        let context = Context { agent: Some("stranger".to_owned()), ..place.context() };
        let told = ground.reach.ask(&Request { context, order }, &mut |_| {});
        let fault = told.map_err(NoAnswer::into_fault).unwrap_err();
        assert!(
            fault.message.starts_with(&format!("stranger may not write, so it may not {verb}")),
            "{fault:?}"
        );
    }
}

#[test]
fn a_team_that_does_not_open_is_told_of_and_can_be_left() {
    let ground = ground("");
    let place = ground.at(&ground.folder("shop"));
    found(&place, "shop", Reviewers::Author);
    let health: Health = place.ask(Order::Status);
    assert!(health.team.is_some() && health.team_problem.is_none());
    let sizes = health.budgets.iter().filter(|budget| budget.what.starts_with("size of team"));
    assert_eq!(sizes.count(), 0, "nothing is refused because of the size of what others share");
    fs::write(ground.reach.home.team_folder().join("team.json"), "{ this is none").unwrap();
    let health: Health = place.ask(Order::Status);
    assert!(health.team.is_none());
    assert!(health.team_problem.is_some_and(|problem| problem.contains("team.json")));
    let refused = fault(&place, TeamOrder::Leave { force: false, withdraw: false });
    assert!(refused.hints.iter().any(|hint| hint.contains("--force")), "{refused:?}");
    let left: TeamLeft = ask(&place, TeamOrder::Leave { force: true, withdraw: false });
    assert_eq!((left.name.as_str(), left.told), ("shop", false));
    assert!(!ground.reach.home.team_folder().exists());
    let health: Health = place.ask(Order::Status);
    assert!(health.team.is_none() && health.team_problem.is_none());
}

#[test]
fn trouble_with_offers_is_none_with_the_team() {
    let ground = ground("");
    let folder = ground.folder("shop");
    let place = ground.at(&folder);
    found(&place, "shop", Reviewers::Author);
    let offers = ground.reach.home.team_folder().join("offers.json");
    soon("offers were looked for", || offers.exists());
    fs::write(&offers, "{ this is none").unwrap();
    let fact = place.remember("the release train leaves on Monday", None);
    assert!(share(&ground, &place, &fact).done, "it is shared");
    assert!(status(&place).reachable, "{:?}", status(&place));
    assert_eq!(fs::read_to_string(&offers).unwrap(), "{ this is none", "it is not written over");
    // Nor is a project whose settings cannot be read.
    fs::remove_file(&offers).unwrap();
    let other = ground.folder("other");
    ground.at(&other).remember("something of its own", None);
    fs::write(other.join(".claude/engram/config.toml"), "[sharing\n").unwrap();
    let again = place.remember("the harbour opens at dawn", None);
    assert!(share(&ground, &place, &again).done);
    soon("offers are looked for all the same", || offers.exists());
    assert!(status(&place).reachable, "{:?}", status(&place));
}

#[test]
fn prints_go_to_the_server_from_the_folders_that_the_team_is_told_in() {
    let ground = Ground::new();
    let (shop, diary) = (ground.folder("shop"), ground.folder("diary"));
    ground.configure(&format!("[team]\npoll_ms = 50\ncall_ms = 20000\nfolders = \"{}\"\n", shop.display()));
    let (shop, diary) = (ground.at(&shop), ground.at(&diary));
    let (told, kept) = (
        shop.remember("the ledger tests need the seeded fixture", None),
        diary.remember("the heron tests need the painted fixture", None),
    );
    assert!(!shop.recall("which fixture do the ledger tests need").is_empty());
    assert!(!diary.recall("which fixture do the heron tests need").is_empty());
    // Use is noted a moment later.
    let uses = |place: &Place<'_>, memory: &Memory| {
        let shown: Inspected = place.ask(Order::Inspect { memory: memory.id.to_string() });
        shown.memory.trace.access_count
    };
    soon("use is noted", || uses(&shop, &told) > 0 && uses(&diary, &kept) > 0);
    found(&shop, "shop", Reviewers::Author);
    let offers = ground.reach.home.team_folder().join("offers.json");
    let sighted = || -> Value {
        let text = fs::read_to_string(&offers).unwrap_or_default();
        serde_json::from_str::<Value>(&text).map(|offers| offers["sighted"].clone()).unwrap_or_default()
    };
    soon("its print is told", || sighted().get(told.id.to_string()).is_some());
    assert!(sighted().get(kept.id.to_string()).is_none(), "{:?}", sighted());
}

#[test]
fn whoever_leaves_takes_back_what_was_only_proposed() {
    let ground = ground("");
    let place = ground.at(&ground.folder("shop"));
    found(&place, "shop", Reviewers::Maintainer);
    let fact = place.remember("the otter feeds at four", None);
    let shared = share(&ground, &place, &fact);
    assert!(shared.proposed && shared.done);
    assert_eq!(ask::<TeamLines>(&place, TeamOrder::Proposals).lines.len(), 1);
    let invitation: Invitation = ask(&place, TeamOrder::Invite { role: Role::Maintainer, operator: None });
    let left: TeamLeft = ask(&place, TeamOrder::Leave { force: false, withdraw: true });
    assert!(left.told && left.lost == 0, "{left:?}");
    // The next one finds nothing that waits.
    let code = invitation.address.split_once('#').unwrap().1;
    let join = TeamJoin { handle: "ben".to_owned(), ..joining(NEAR, "shop", Hidden::new(code)) };
    let health: TeamHealth = ask(&place, TeamOrder::Join(join));
    assert_eq!(health.role, Role::Maintainer, "who sees everything that is proposed");
    assert!(ask::<TeamLines>(&place, TeamOrder::Proposals).lines.is_empty());
    assert_eq!(place.recall("when does the otter feed").len(), 1, "the project keeps its own");
}

#[test]
fn whoever_waits_for_a_server_that_hangs_hears_of_it_until_the_daemon_gives_up() {
    let ground = Ground::new();
    ground.configure("[team]\ncall_ms = 5000\n");
    let place = ground.at(&ground.folder("shop"));
    place.remember("we deploy on fridays", None);
    // It takes connections, and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("ws://{}", silent.local_addr().unwrap());
    let reach = Reach { deadline: Duration::from_secs(4), ..ground.reach.clone() };
    let order = Order::Team(Box::new(TeamOrder::Join(joining(&url, "shop", Hidden::new("9f2c")))));
    let mut beats = 0;
    let told = reach.ask(&Request { context: place.context(), order }, &mut |answer| {
        beats += usize::from(matches!(answer, Answer::Progress(_)));
    });
    let Err(NoAnswer::Fault(fault)) = told else { panic!("the daemon is to answer: {told:?}") };
    assert!(fault.message.contains("no answer within 5000 ms"), "{fault:?}");
    assert!(beats >= 3, "{beats}");
}

#[test]
fn members_that_cannot_be_asked_for_are_told_as_they_were() {
    let ground = ground("");
    let place = ground.at(&ground.folder("shop"));
    found(&place, "shop", Reviewers::Author);
    let now: TeamMembers = ask(&place, TeamOrder::Members);
    assert!(now.problem.is_none() && now.told_at.is_some());
    // Behind another address nobody is.
    ground.stop();
    let file = ground.reach.home.team_folder().join("team.json");
    let mut kept: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    kept["url"] = json!("ws://127.0.0.1:1");
    fs::write(&file, kept.to_string()).unwrap();
    let then: TeamMembers = ask(&place, TeamOrder::Members);
    assert_eq!(then.members, now.members);
    assert!(then.problem.is_some_and(|problem| problem.contains("cannot be reached")));
    assert!(then.told_at.is_some());
    fs::remove_file(ground.reach.home.team_folder().join("members.json")).unwrap();
    let fault = fault(&place, TeamOrder::Members);
    assert_eq!(fault.kind, FaultKind::Environment, "nobody at all would be wrong");
}

#[test]
fn nothing_that_was_acknowledged_is_lost_when_the_team_is_left_meanwhile() {
    let ground = ground("");
    let folder = ground.folder("shop");
    let place = ground.at(&folder);
    found(&place, "shop", Reviewers::Author);
    let invitation: Invitation = ask(&place, TeamOrder::Invite { role: Role::Member, operator: None });
    let (left, acknowledged) = (AtomicBool::new(false), Mutex::new(Vec::new()));
    let leave = || place.try_ask(Order::Team(Box::new(TeamOrder::Leave { force: false, withdraw: false })));
    thread::scope(|scope| {
        for writer in 0..3 {
            let (ground, folder, left, acknowledged) = (&ground, &folder, &left, &acknowledged);
            scope.spawn(move || {
                let place = ground.at(folder);
                for number in 0.. {
                    if left.load(Ordering::Relaxed) {
                        return;
                    }
                    let memory =
                        place.remember(&format!("lantern{writer}x{number} hangs over door {number}"), None);
                    let (operation, memories) = (ground.operation(), vec![memory.id.to_string()]);
                    let order = Order::Team(Box::new(TeamOrder::Share { operation, memories }));
                    if place.try_ask(order).is_ok() {
                        acknowledged.lock().unwrap().push(memory.id);
                    }
                }
            });
        }
        soon("something is shared", || acknowledged.lock().unwrap().len() > 5);
        // What waits at that moment may be said first.
        soon("it is left", || leave().is_ok());
        left.store(true, Ordering::Relaxed);
    });
    let code = invitation.address.split_once('#').unwrap().1;
    let join = TeamJoin { handle: "ben".to_owned(), ..joining(NEAR, "shop", Hidden::new(code)) };
    let _: TeamHealth = ask(&place, TeamOrder::Join(join));
    let lines = place.export_of(vec![Scope::Team], true);
    for id in acknowledged.into_inner().unwrap() {
        let copies = lines.iter().filter(|line| line.contains(&id.to_string())).count();
        assert_eq!(copies, 1, "{id}");
    }
}
