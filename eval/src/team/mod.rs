//! A team of many memories: how long it takes to join it, what a machine holds
//! then, and how quickly it recalls, with everything here and with the server's
//! own indexes, in one run on one machine.
//!
//! The server and the daemons are real programs, and everything between them goes
//! over the protocol.

mod ground;

use crate::bench::{Times, millis, timed, timed_async};
use crate::texts::{question, question_about, sentence};
use anyhow::{Context as _, Result};
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
use engram_testkit::proxy::{Carried, Proxy};
use engram_wire::Order;
use engram_wire::message::Recall;
use engram_wire::reply::{Gap, Recalled};
use ground::{Filler, Home, Server};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// So many questions are asked of each.
const QUESTIONS: u64 = 200;
/// So many of the first are compared.
const FIRST: usize = 5;
/// What a machine holds that asks the server for the rest.
const PART: usize = 5_000;
/// After so long a machine that joined has nothing more to hear.
const SETTLING: Duration = Duration::from_secs(5);
const MINUTE: Duration = Duration::from_secs(60);
/// So many changes are told one after the other, so long apart.
const CHANGES: usize = 20;
const APART: Duration = Duration::from_secs(2);

/// What is to be measured.
pub(crate) struct Wanted {
    /// The folder with the release build of engramd.
    pub(crate) programs: PathBuf,
    /// The program of the team's server.
    pub(crate) server: PathBuf,
    /// One run for each number of memories.
    pub(crate) memories: Vec<usize>,
    /// The server's index of directions: hnsw or diskann.
    pub(crate) index: engram_core::team::FarSearch,
}

/// One machine, and how it recalls.
struct Measured {
    joined: Duration,
    resident: u64,
    /// When the daemon was started again.
    resident_again: u64,
    disk: u64,
    /// Bytes that went over the connection until everything was here.
    carried: u64,
    times: Times,
    /// What was told first, for each question.
    told: Vec<BTreeSet<String>>,
    /// So many questions that one memory answers had it among the first.
    answered: usize,
    /// The server was asked and did not answer in time.
    unanswered: usize,
}

pub(crate) async fn run(wanted: &Wanted) -> Result<()> {
    let mut joining = sheet(&[
        "memories",
        "what is held",
        "joining",
        "resident after it, started again, without a team",
        "on disk",
    ]);
    let mut recalling = sheet(&[
        "memories",
        "recall",
        "p50",
        "p95",
        "p99",
        "answer among five",
        "first five the same",
        "not asked",
    ]);
    let mut telling = sheet(&["memories", "joining", "for one memory", "one change", "an idle minute"]);
    let mut serving = sheet(&[
        "memories",
        "sharing them",
        "one at a time, by one and by eight",
        "filling the indexes",
        "server resident",
        "server on disk",
    ]);
    for count in &wanted.memories {
        eprintln!("{count} memories");
        let ground = tempfile::tempdir()?;
        let root = ground.path().canonicalize()?;
        let server = Server::start(&wanted.server, &root.join("server")).await?;
        let founder = Home::new(&wanted.programs, &root.join("founder"), PART)?;
        let filler = Arc::new(Filler::found(&founder, &server).await?);
        let (filled, sharing) = timed_async(filler.fill(*count)).await;
        filled?;
        let (resident, disk) = (server.resident()?, server.disk());
        let rates = [filler.rate(1).await?, filler.rate(8).await?];

        let whole = Home::new(&wanted.programs, &root.join("whole"), usize::MAX)?;
        let alone = whole.daemon().resident_bytes()?;
        // What a machine hears is counted on its way.
        let way = Proxy::before(server.port());
        let held = measured(&whole, *count, &filler.invite().await?, Some(&way))?;
        let (idle, change) = heard(&way, &filler).await?;
        eprintln!("  joined by a machine that holds them all; its server's indexes are filled now");
        let (indexed, filling) = timed_async(filler.index(&founder, wanted.index, *count)).await;
        indexed?;
        let part = Home::new(&wanted.programs, &root.join("part"), PART)?;
        let asked = measured(&part, *count, &filler.invite().await?, None)?;
        let again = recalled(&part, *count)?;

        for (what, one) in [("all of them", &held), ("5,000 of them", &asked)] {
            let resident = [one.resident, one.resident_again, alone].map(megabytes).join(", ");
            joining.add_row([
                count.to_string(),
                what.to_owned(),
                seconds(one.joined),
                resident,
                megabytes(one.disk),
            ]);
        }
        let same = |one: &Measured| {
            let pairs = held.told.iter().zip(&one.told);
            let (common, all) = pairs.fold((0, 0), |(common, all), (here, there)| {
                (common + here.intersection(there).count(), all + here.len())
            });
            format!("{:.0} %", 100.0 * common as f64 / all.max(1) as f64)
        };
        for (what, one) in
            [("all here", &held), ("its server asked", &asked), ("the same asked again", &again)]
        {
            let [p50, p95, p99] = [0.5, 0.95, 0.99].map(|share| millis(one.times.at(share)));
            let answered = format!("{} of {QUESTIONS}", one.answered);
            let unanswered = format!("{} of {}", one.unanswered, 2 * QUESTIONS);
            recalling.add_row([
                count.to_string(),
                what.to_owned(),
                p50,
                p95,
                p99,
                answered,
                same(one),
                unanswered,
            ]);
        }
        let each = kilobytes(held.carried / *count as u64);
        let joined = megabytes(held.carried);
        telling.add_row([count.to_string(), joined, each, kilobytes(change), kilobytes(idle)]);
        serving.add_row([
            count.to_string(),
            seconds(sharing),
            format!("{:.0}/s, {:.0}/s", rates[0], rates[1]),
            seconds(filling),
            format!("{}, with indexes {}", megabytes(resident), megabytes(server.resident()?)),
            format!("{}, with indexes {}", megabytes(disk), megabytes(server.disk())),
        ]);
    }
    println!("\nJoining, and what a machine holds then\n\n{joining}");
    println!("\nRecall\n\n{recalling}");
    println!("\nOver the connection of one machine, both ways together\n\n{telling}");
    println!("\nThe server\n\n{serving}");
    Ok(())
}

/// What a machine that follows is told in an idle minute, and of one change besides.
async fn heard(way: &Proxy, filler: &Filler) -> Result<(u64, u64)> {
    tokio::time::sleep(SETTLING).await;
    let before = bytes(way);
    tokio::time::sleep(MINUTE).await;
    let idle = bytes(way) - before;
    let before = bytes(way);
    for number in 0..CHANGES {
        filler.share_singly(1, CHANGES + number).await?;
        tokio::time::sleep(APART).await;
    }
    let quiet = idle * CHANGES as u64 * APART.as_secs() / MINUTE.as_secs();
    Ok((idle, (bytes(way) - before).saturating_sub(quiet) / CHANGES as u64))
}

fn bytes(way: &Proxy) -> u64 {
    let Carried { up, down } = way.carried();
    up + down
}

fn measured(home: &Home, count: usize, invitation: &str, way: Option<&Proxy>) -> Result<Measured> {
    let handle = format!("reader {invitation}").chars().rev().take(8).collect::<String>();
    let (joined, time) = timed(|| home.join(invitation, &handle, way.map(|way| way.port)));
    joined?;
    let carried = way.map_or(0, bytes);
    let measured = recalled(home, count)?;
    Ok(Measured { joined: time, carried, resident_again: home.started_again()?, ..measured })
}

fn recalled(home: &Home, count: usize) -> Result<Measured> {
    let daemon = home.daemon();
    let mut connection = daemon.connect()?;
    let mut measured = Measured {
        joined: Duration::ZERO,
        resident: 0,
        resident_again: 0,
        disk: home.replica_bytes(),
        carried: 0,
        times: Times::default(),
        told: Vec::new(),
        answered: 0,
        unanswered: 0,
    };
    let mut ask = |query: String| -> Result<BTreeSet<String>> {
        let order = Recall { query, limit: Some(10), preview: true, ..Recall::default() };
        let (reply, time) = timed(|| connection.ask(Order::Recall(order)));
        measured.times.add(time);
        let reply: Recalled = serde_json::from_value(reply?).context("a recall that cannot be read")?;
        measured.unanswered +=
            usize::from(reply.gaps.iter().any(|gap| matches!(gap, Gap::ServerNotAsked { .. })));
        Ok(reply.hits.iter().take(FIRST).map(|hit| hit.memory.content.clone()).collect())
    };
    let told = (0..QUESTIONS).map(|number| ask(question(number))).collect::<Result<_>>()?;
    let mut answered = 0;
    for number in 0..QUESTIONS {
        // Of the old ones as of the new.
        let asked = number * count as u64 / QUESTIONS;
        answered += usize::from(ask(question_about(asked))?.contains(&sentence(asked)));
    }
    Ok(Measured { told, answered, resident: daemon.resident_bytes()?, ..measured })
}

fn sheet(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(header);
    table
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn kilobytes(bytes: u64) -> String {
    format!("{:.1} kB", bytes as f64 / 1024.0)
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes >> 20)
}
