//! Writers and a killer: whatever was acknowledged is there afterwards, once,
//! and the index equals a full reading of the store.
//!
//! `make crash` runs many rounds; `make test` a few. ENGRAM_CRASH_ROUNDS says
//! how many.

mod common;

use common::Ground;
use engram_core::{Scope, SessionId};
use engram_wire::Order;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

const WRITERS: usize = 8;

#[test]
fn nothing_acknowledged_is_lost_when_the_daemon_is_killed() {
    let rounds: usize = std::env::var("ENGRAM_CRASH_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(4);
    let ground = Ground::new();
    let folder = ground.folder("project");
    let session = ground.session();
    let mut place = ground.at(&folder);
    let _: serde_json::Value = place.ask(Order::SessionStart { session });
    place.session = Some(session);

    let mut acknowledged: Vec<String> = Vec::new();
    let unanswered = AtomicUsize::new(0);
    let mut kills = 0;
    for round in 0..rounds {
        let over = AtomicBool::new(false);
        let written: Vec<Vec<String>> = std::thread::scope(|scope| {
            let writers: Vec<_> = (0..WRITERS)
                .map(|writer| {
                    let (ground, folder, over, unanswered) = (&ground, &folder, &over, &unanswered);
                    scope.spawn(move || write(ground, folder, session, round, writer, over, unanswered))
                })
                .collect();
            // A few kills in each round, at moments that nobody can foresee.
            for _ in 0..3 {
                std::thread::sleep(Duration::from_millis(50 + engram_wire::platform::chance() % 600));
                if let Some(process) = ground.process() {
                    common::kill(process);
                    kills += 1;
                }
            }
            over.store(true, Ordering::Relaxed);
            writers.into_iter().map(|writer| writer.join().unwrap()).collect()
        });
        acknowledged.extend(written.into_iter().flatten());
    }
    ground.kill();

    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for line in place.export() {
        *found.entry(line["content"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    let lost: Vec<&String> = acknowledged.iter().filter(|text| !found.contains_key(*text)).collect();
    let twice: Vec<&String> = found.iter().filter(|(_, times)| **times > 1).map(|(text, _)| text).collect();
    let examined = place.doctor();
    println!(
        "crash: {rounds} rounds, {kills} kills, {WRITERS} writers: {} acknowledged, {} lost, {} twice, \
         {} present, {} without an answer, index sound: {}",
        acknowledged.len(),
        lost.len(),
        twice.len(),
        found.len(),
        unanswered.load(Ordering::Relaxed),
        examined.sound
    );
    assert!(lost.is_empty(), "lost: {lost:?}");
    assert!(twice.is_empty(), "twice: {twice:?}");
    assert!(examined.sound, "{:?}", examined.checks);
    assert!(kills > 0 && acknowledged.len() > WRITERS, "too little happened to prove anything");
}

/// Remembers one thing after another and keeps what was acknowledged.
fn write(
    ground: &Ground,
    folder: &std::path::Path,
    session: SessionId,
    round: usize,
    writer: usize,
    over: &AtomicBool,
    unanswered: &AtomicUsize,
) -> Vec<String> {
    let mut place = ground.at(folder);
    place.session = Some(session);
    let scope = [Scope::Project, Scope::User, Scope::Session][writer % 3];
    let mut kept = Vec::new();
    for turn in 0.. {
        if over.load(Ordering::Relaxed) {
            break;
        }
        let text = format!("round {round} writer {writer} turn {turn}");
        match place.try_ask(place.remember_order(&text, Some(scope))) {
            Ok(_) => kept.push(text),
            Err(_) => {
                unanswered.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
    kept
}
