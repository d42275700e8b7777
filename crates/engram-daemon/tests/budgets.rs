//! Too much at once: what is above a budget is shed, spooled or refused as its
//! line says, nothing that was said is lost, and recall goes on.

mod common;

use common::agent::agent;
use common::{Ground, Place, numbered, soon};
use engram_core::budget::Behaviour;
use engram_core::turn::{Event, EventType};
use engram_wire::client::NoAnswer;
use engram_wire::message::Observe;
use engram_wire::reply::{Changed, Health};
use engram_wire::spool::Spool;
use engram_wire::window::BudgetLine;
use engram_wire::{Context, Fault, FaultKind, Order, Request};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A fact that nothing else says.
fn fact(speaker: usize, number: usize) -> String {
    let name = format!("{}{number}", ["Abel", "Bora", "Cira", "Doru", "Elgo", "Fimu"][speaker]);
    format!("The {name} service is written in Rust and owned by {name}-team.")
}

fn observe(texts: impl IntoIterator<Item = String>) -> Order {
    let events = texts
        .into_iter()
        .map(|text| Event { time: Some(common::now()), ..Event::new(EventType::UserMessage, text) })
        .collect();
    Order::Observe(Observe { events, ..Observe::default() })
}

/// Says something as a client does: what a busy daemon turns away is left in the
/// spool. True: it was.
fn say(ground: &Ground, place: &Place<'_>, order: Order) -> bool {
    match place.try_ask(order.clone()).map_err(NoAnswer::into_fault) {
        Ok(_) => false,
        Err(fault) => {
            assert_eq!(fault.kind, FaultKind::Busy, "{fault:?}");
            let context = Context { said_at: Some(common::now()), again: true, ..place.context() };
            spool(ground).append(&Request { context, order }, 1 << 24).unwrap();
            true
        }
    }
}

fn spool(ground: &Ground) -> Spool {
    Spool::new(ground.reach.home.spool_folder())
}

fn health(place: &Place<'_>) -> Health {
    place.ask(Order::Status)
}

fn budget(place: &Place<'_>, what: &str) -> BudgetLine {
    let found = health(place).budgets.into_iter().find(|line| line.what.starts_with(what));
    found.unwrap_or_else(|| panic!("there is no budget of {what}"))
}

/// All that waited came in and was read, within a minute.
fn all_came_in(ground: &Ground, place: &Place<'_>, events: u64) {
    for _ in 0..600 {
        let capture = health(place).capture;
        if spool(ground).waiting() == 0 && capture.heard == events && capture.unread == 0 {
            assert_eq!(spool(ground).rejected(), 0);
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("{} wait in the spool; {:?}, of {events}", spool(ground).waiting(), health(place).capture);
}

#[test]
fn a_full_queue_spools_and_loses_nothing() {
    const SPEAKERS: usize = 6;
    const EACH: usize = 10;
    let ground = Ground::new();
    ground.configure("[budget]\nqueue = 3\n");
    let folder = ground.folder("project");
    let place = ground.at(&folder);
    place.ask::<Health>(Order::Status);
    let spooled = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for speaker in 0..SPEAKERS {
            let (ground, folder, spooled) = (&ground, &folder, &spooled);
            scope.spawn(move || {
                let place = ground.at(folder);
                for number in 0..EACH {
                    if say(ground, &place, observe([fact(speaker, number)])) {
                        spooled.fetch_add(1, Ordering::Relaxed);
                    }
                    // Whoever asks is answered, however many wait.
                    place.recall("who owns the service");
                }
            });
        }
    });
    assert!(spooled.load(Ordering::Relaxed) > 0, "six speakers at once never met a full queue of three");
    all_came_in(&ground, &place, (SPEAKERS * EACH) as u64);
    let kept = place.export();
    for (speaker, number) in (0..SPEAKERS).flat_map(|speaker| (0..EACH).map(move |number| (speaker, number)))
    {
        let said = fact(speaker, number);
        let times = kept.iter().filter(|line| line["content"] == said.as_str()).count();
        assert_eq!(times, 1, "{said}");
    }
}

/// Words of five letters, each text another.
fn long_text(number: u64) -> String {
    let mut state = number + 1;
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'a' + u8::try_from((state >> 33) % 26).unwrap())
    };
    (0..10_000).map(|_| (0..5).map(|_| letter()).chain([' ']).collect::<String>()).collect()
}

#[test]
fn a_store_over_its_size_takes_nothing_new_and_lets_go_of_old() {
    let ground = Ground::new();
    ground.configure("[budget]\nstore_mb = 1\n");
    let folder = ground.folder("project");
    let place = ground.at(&folder);
    let wrong = place.remember("the staging key is in vault", None);
    let unwanted = place.remember("the canteen closes at two", None);
    let secret = place.remember("the old office was in Lisbon", None);
    let lines = place.export_lines(true);
    let fault: Fault = (0..200)
        .find_map(|number| {
            std::thread::sleep(Duration::from_millis(50));
            let order = place.remember_order(&long_text(number), None);
            place.try_ask(order).map_err(NoAnswer::into_fault).err()
        })
        .expect("a store of a megabyte took two hundred long texts");
    let refuses = |fault: &Fault| {
        assert_eq!(fault.kind, FaultKind::Refused, "{fault:?}");
        assert!(fault.message.contains("nothing new is taken"), "{fault:?}");
        assert!(fault.hints.iter().any(|hint| hint.contains("engram compact")), "{fault:?}");
        assert!(fault.hints.iter().any(|hint| hint.contains("budget.store_mb")), "{fault:?}");
    };
    refuses(&fault);
    refuses(&place.fault(place.remember_order("one more", None)));
    refuses(&place.fault(observe([fact(0, 0)])));
    let lines = numbered(&lines);
    refuses(&place.fault(Order::Import { operation: ground.operation(), scope: None, lines }));
    let line = budget(&place, "size of project");
    assert_eq!((line.behaviour, line.over), (Some(Behaviour::Refuse), true), "{line:?}");

    // The user's store has room, and what is there can be put right and let go.
    place.remember("tabs, not spaces", Some(engram_core::Scope::User));
    let right = "the staging key is in 1password".to_owned();
    let operation = ground.operation();
    let _: Changed =
        place.ask(Order::Correct { operation, memory: wrong.id.to_string(), text: right.clone() });
    place.forget(&unwanted, false);
    assert!(place.recall("where is the staging key").contains(&right));
    assert!(!place.recall("when does the canteen close").contains(&unwanted.content));
    place.forget(&secret, true);
    assert!(!place.recall("where was the old office").contains(&secret.content));

    // What an agent said meanwhile waits, and is not put aside.
    let context = Context { said_at: Some(common::now()), again: true, ..place.context() };
    spool(&ground).append(&Request { context, order: observe([fact(1, 1)]) }, 1 << 20).unwrap();
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(spool(&ground).rejected(), 0);

    // With a larger budget all is as before.
    ground.stop();
    ground.configure("");
    place.remember("one more", None);
    soon("what waited comes in", || spool(&ground).waiting() == 0);
    soon("and is read", || place.export().iter().any(|line| line["content"] == fact(1, 1).as_str()));
    assert_eq!(spool(&ground).rejected(), 0);
}

#[test]
fn memory_over_its_budget_is_shed_and_recall_goes_on() {
    let ground = Ground::new();
    let [one, two, three] = ["one", "two", "three"].map(|name| ground.folder(name));
    ground.at(&three).remember("the third project deploys on fridays", None);
    ground.stop();
    ground.configure("[budget]\nresident_mb = 16\n");
    let [one, two, three] = [&one, &two, &three].map(|folder| ground.at(folder));
    one.remember("the first project deploys on mondays", None);
    two.remember("the second project deploys on tuesdays", None);
    soon("it is measured", || budget(&one, "memory").over);
    let line = budget(&one, "memory");
    assert_eq!((line.behaviour, line.limit), (Some(Behaviour::Shed), 16.0));

    // Two are in use: a third takes nothing new, and is looked into all the same.
    assert_eq!(one.recall("when do we deploy").len(), 1);
    assert_eq!(two.recall("when do we deploy").len(), 1);
    let order = three.remember_order("the third project has a canary", None);
    assert!(say(&ground, &three, order), "a third store was opened for something new");
    assert_eq!(three.recall("when do we deploy"), ["the third project deploys on fridays"]);

    // Stores that nobody uses are closed, and then there is room for others.
    soon("what waited comes in", || spool(&ground).waiting() == 0);
    let unused = || health(&one).open_stores.iter().all(|store| !store.starts_with("project"));
    soon("unused stores are closed", unused);
    assert_eq!(spool(&ground).rejected(), 0);
    let canary = three.recall("canary");
    assert!(canary.contains(&"the third project has a canary".to_owned()), "{canary:?}");
}

#[test]
fn too_many_events_are_spooled_and_come_in_later() {
    let ground = Ground::new();
    ground.configure("[budget]\nevents_per_minute = 120\n");
    let folder = ground.folder("project");
    let place = ground.at(&folder);
    place.remember("the bucket leaks two events a second", None);
    assert!(!say(&ground, &place, observe((0..120).map(|number| fact(0, number)))), "a minute's worth");
    assert!(say(&ground, &place, observe((0..20).map(|number| fact(1, number)))), "ten seconds' more");
    let fault = place.fault(observe((0..20).map(|number| fact(2, number))));
    assert!(fault.message.contains("more than 120 events"), "{fault:?}");
    assert!(place.recall("how much does the bucket leak").iter().any(|found| found.contains("two events")));
    // What a person states is no event.
    place.remember("and this comes in at once", None);
    all_came_in(&ground, &place, 140);
}

#[test]
fn budgets_are_told_with_their_behaviour() {
    let ground = Ground::new();
    let folder = ground.folder("project");
    let place = ground.at(&folder);
    place.remember("we deploy on fridays", None);
    agent(&ground, &folder, "one").prompt("when do we deploy?");
    let told = health(&place).budgets;
    for (what, behaviour, limit, unit) in [
        ("memory", Behaviour::Shed, 1024.0, "MB"),
        ("open stores", Behaviour::Shed, 32.0, "stores"),
        ("queue", Behaviour::Spool, 5000.0, "events"),
        ("event rate", Behaviour::Spool, 30_000.0, "events a minute"),
        ("size of ", Behaviour::Refuse, 2048.0, "MB"),
        ("hook UserPromptSubmit", Behaviour::Spool, 300.0, "ms"),
    ] {
        let line = told.iter().find(|line| line.what.starts_with(what));
        let line = line.unwrap_or_else(|| panic!("there is no budget of {what} in {told:?}"));
        assert_eq!((line.behaviour, line.limit, line.unit.as_str()), (Some(behaviour), limit, unit));
        assert!(!line.over || unit == "ms", "{line:?}");
    }
    assert!(budget(&place, "memory").used > 1.0);
}
