//! Capture: how many events a second a daemon hears and reads, and how soon
//! after it happened a thing can be recalled.

use super::daemon::{Connection, Daemon};
use super::filled::Births;
use super::remember::Bare;
use super::{Sheet, Times, millis, timed};
use crate::texts::name_of;
use anyhow::{Context as _, Result, ensure};
use engram_core::Scope;
use engram_core::turn::{Event, EventType, ToolUse};
use engram_wire::Order;
use engram_wire::message::Observe;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Conversations that go on at once.
const SESSIONS: u64 = 8;
/// Events of one measurement.
const EVENTS: u64 = 6_000;
/// The pace at which the time until a thing can be recalled is taken.
const PACE: u64 = 500;
const PROBES: u64 = 100;

/// What happens, by its number.
type Happening = fn(u64) -> Event;

pub(super) async fn measure(programs: &Path, ground: &Path, bare: &Bare, sheet: &mut Sheet) -> Result<()> {
    let mut births = Births::new(1);
    let mut commits = Times::default();
    for number in 0..200 {
        let birth = births.birth(&fact(number).text, Scope::Project)?;
        commits.add(bare.commit(&birth).await?);
    }
    let bare = commits.median();
    let daemon = Daemon::new(programs, &ground.join("mixed-home"), &ground.join("mixed-project"))?;
    let what = "of which a third says something new";
    all_read(&daemon, mixed, what, bare, sheet)?;
    recallable(&daemon, sheet, bare)?;
    drop(daemon);
    let daemon = Daemon::new(programs, &ground.join("facts-home"), &ground.join("facts-project"))?;
    all_read(&daemon, fact, "each of which says something new", bare, sheet)
}

fn all_read(
    daemon: &Daemon,
    happening: Happening,
    which: &str,
    bare: Duration,
    sheet: &mut Sheet,
) -> Result<()> {
    daemon.recall("warm up".into())?;
    let (outcome, time) = timed(|| heard_and_read(daemon, happening));
    outcome?;
    let each = time / u32::try_from(EVENTS)?;
    let pace = EVENTS as f64 / time.as_secs_f64();
    let what = format!("{EVENTS} events heard one by one and read, {which}: {pace:.0} a second, each");
    sheet.pair(what, each, ("bare commit", bare));
    Ok(())
}

/// Sends everything as fast as it is taken, and waits until all of it was read.
fn heard_and_read(daemon: &Daemon, happening: Happening) -> Result<()> {
    std::thread::scope(|scope| {
        let senders: Vec<_> = (0..SESSIONS)
            .map(|session| {
                scope.spawn(move || -> Result<()> {
                    let mut connection = daemon.connect()?;
                    for number in (session..EVENTS).step_by(usize::try_from(SESSIONS)?) {
                        send(&mut connection, happening(number), session)?;
                    }
                    Ok(())
                })
            })
            .collect();
        senders.into_iter().try_for_each(|sender| sender.join().expect("a sender ends"))
    })?;
    while unread(daemon)? > 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

fn send(connection: &mut Connection<'_>, event: Event, session: u64) -> Result<Value> {
    let event = Event { session: Some(format!("session {session}")), ..event };
    connection.ask(Order::Observe(Observe { events: vec![event], import: true, ..Observe::default() }))
}

fn unread(daemon: &Daemon) -> Result<u64> {
    daemon.ask(Order::Status)?["capture"]["unread"].as_u64().context("the daemon does not tell")
}

/// How long after it was told a thing is found, in quiet and at a pace.
fn recallable(daemon: &Daemon, sheet: &mut Sheet, bare: Duration) -> Result<()> {
    let quiet = probes(daemon, 1_000_000)?;
    let stop = AtomicBool::new(false);
    let sent = AtomicU64::new(0);
    let (busy, time) = std::thread::scope(|scope| {
        let senders: Vec<_> = (0..SESSIONS)
            .map(|session| {
                let (stop, sent) = (&stop, &sent);
                scope.spawn(move || -> Result<()> {
                    let mut connection = daemon.connect()?;
                    let mut number = 2_000_000 + session;
                    while !stop.load(Ordering::Relaxed) {
                        let (outcome, time) = timed(|| send(&mut connection, mixed(number), session));
                        outcome?;
                        sent.fetch_add(1, Ordering::Relaxed);
                        number += SESSIONS;
                        let turn = Duration::from_micros(SESSIONS * 1_000_000 / PACE);
                        std::thread::sleep(turn.saturating_sub(time));
                    }
                    Ok(())
                })
            })
            .collect();
        let outcome = timed(|| probes(daemon, 3_000_000));
        stop.store(true, Ordering::Relaxed);
        senders.into_iter().try_for_each(|sender| sender.join().expect("a sender ends"))?;
        anyhow::Ok(outcome)
    })?;
    let busy = busy?;
    let pace = sent.load(Ordering::Relaxed) as f64 / time.as_secs_f64();
    let p95 = |times: &Times| millis(times.at(0.95));
    sheet.pair(
        format!("from event to recallable, in quiet, p50 (p95 {})", p95(&quiet)),
        quiet.median(),
        ("bare commit", bare),
    );
    sheet.pair(
        format!(
            "from event to recallable, while {pace:.0} others come every second, p50 (p95 {})",
            p95(&busy)
        ),
        busy.median(),
        ("bare commit", bare),
    );
    Ok(())
}

fn probes(daemon: &Daemon, from: u64) -> Result<Times> {
    let mut connection = daemon.connect()?;
    let mut times = Times::default();
    for number in from..from + PROBES {
        let event = fact(number);
        let name = name_of(number);
        let text = event.text.clone();
        let (found, time) = timed(|| -> Result<bool> {
            send(&mut connection, event, 99)?;
            for _ in 0..2_000 {
                let answer = daemon.recall(name.clone())?;
                let hits = answer["hits"].as_array().context("no hits")?;
                if hits.iter().any(|hit| hit["memory"]["content"] == text.as_str()) {
                    return Ok(true);
                }
            }
            Ok(false)
        });
        ensure!(found?, "what happened was never found: {text}");
        times.add(time);
    }
    Ok(times)
}

/// A fact that nothing else says.
fn fact(number: u64) -> Event {
    let name = name_of(number);
    Event::new(
        EventType::UserMessage,
        format!("The {name} service is written in Rust and owned by {name}-team."),
    )
}

/// A third facts, a third chatter and questions, a third tools.
fn mixed(number: u64) -> Event {
    match number % 6 {
        0 | 3 => fact(number),
        1 => Event::new(EventType::UserMessage, format!("ok thanks, can you look at test {number} again?")),
        4 => Event::new(EventType::AssistantMessage, "Let me run the tests and see what happens.".to_owned()),
        _ => {
            let tool = ToolUse {
                name: "Bash".to_owned(),
                input: json!({ "command": format!("cargo test case_{number}") }),
                output: json!("test result: ok. 12 passed; 0 failed"),
                ok: true,
                duration_ms: Some(1_200),
            };
            Event { tool: Some(tool), ..Event::new(EventType::ToolCall, "") }
        }
    }
}
