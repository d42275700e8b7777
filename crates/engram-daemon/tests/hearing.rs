//! Many who talk at once, and a daemon that dies while it listens: what was
//! acknowledged is read, once, and becomes what it would have become alone.

mod common;

use common::{Ground, Place};
use engram_core::turn::{Event, EventType};
use engram_wire::Order;
use engram_wire::message::Observe;
use engram_wire::reply::{Health, Observed};
use std::collections::BTreeSet;
use std::time::Duration;

const SPEAKERS: usize = 6;
const EACH: usize = 25;

/// A fact that nothing else says.
fn fact(speaker: usize, number: usize) -> String {
    let name = format!("{}{}", ["Abel", "Bora", "Cira", "Doru", "Elgo", "Fimu"][speaker], number);
    format!("The {name} service is written in Rust and owned by {name}-team.")
}

fn tell(place: &Place<'_>, speaker: usize, number: usize) -> bool {
    let session = Some(format!("session {speaker}"));
    let event = Event { session, ..Event::new(EventType::UserMessage, fact(speaker, number)) };
    let order = Order::Observe(Observe { events: vec![event], ..Observe::default() });
    place.try_ask(order).is_ok()
}

fn wait_until_read(place: &Place<'_>) {
    for _ in 0..600 {
        if place.ask::<Health>(Order::Status).capture.unread == 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("what was heard is not read");
}

fn kept(place: &Place<'_>) -> Vec<String> {
    let lines = place.export();
    lines.iter().map(|line| line["content"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn what_many_say_at_once_is_all_read() {
    let ground = Ground::new();
    let folder = ground.folder("project");
    ground.at(&folder).ask::<Health>(Order::Status);
    std::thread::scope(|scope| {
        for speaker in 0..SPEAKERS {
            let (ground, folder) = (&ground, &folder);
            scope.spawn(move || {
                let place = ground.at(folder);
                assert!((0..EACH).all(|number| tell(&place, speaker, number)));
            });
        }
    });
    let place = ground.at(&folder);
    wait_until_read(&place);
    let texts = kept(&place);
    let all: BTreeSet<&String> = texts.iter().collect();
    assert_eq!((texts.len(), all.len()), (SPEAKERS * EACH, SPEAKERS * EACH));
}

#[test]
fn what_was_acknowledged_before_the_daemon_died_is_read_after() {
    let ground = Ground::new();
    let folder = ground.folder("project");
    let place = ground.at(&folder);
    let mut told = BTreeSet::new();
    for round in 0..3 {
        for number in 0..EACH {
            if tell(&place, round, number) {
                told.insert(fact(round, number));
            }
        }
        ground.kill();
    }
    let observed: Observed = place.ask(Order::Observe(Observe::default()));
    assert_eq!(observed.heard, 0);
    place.recall("service");
    wait_until_read(&place);
    assert_eq!(kept(&place).into_iter().collect::<BTreeSet<_>>(), told);
}
