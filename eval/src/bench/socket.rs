//! The daemon as its clients see it: the first answer, the others, how soon
//! what was written is found, and what it all takes in memory.

use super::daemon::Daemon;
use super::filled::{Births, Filled};
use super::remember::Bare;
use super::{Sheet, Times, timed};
use crate::texts::{name_of, question, sentence};
use anyhow::{Context as _, Result, ensure};
use engram_core::Scope;
use std::path::Path;

const QUESTIONS: u64 = 300;
/// Writes that are looked for at once.
const WRITES: u64 = 100;

pub(super) async fn measure(
    programs: &Path,
    ground: &Path,
    filled: &Filled,
    bare: &Bare,
    sheet: &mut Sheet,
) -> Result<()> {
    let size = filled.size;
    let idle = Daemon::new(programs, &ground.join(format!("idle-{size}")), &ground.join("nowhere"))?;
    let (first, with_nothing) = timed(|| idle.recall(question(1)));
    first?;
    let idle_bytes = idle.resident_bytes()?;
    drop(idle);
    let daemon = Daemon::new(programs, &ground.join(format!("home-{size}")), &filled.folder)?;
    let (first, with_all) = timed(|| daemon.recall(question(1)));
    first?;
    sheet.pair(format!("daemon start and first recall, {size}"), with_all, ("with none", with_nothing));

    sheet.times(size, "recall through the socket", &recalls(&daemon, 0)?);
    let grown = daemon.resident_bytes()?.saturating_sub(idle_bytes);
    let each = format!("{} MB, {} bytes each", grown >> 20, grown / size as u64);
    sheet.alone(format!("memory for {size} memories, above an idle daemon's {} MB", idle_bytes >> 20), each);
    write_and_find(&daemon, filled, bare, sheet).await
}

/// Asks one question after the other, from this one on.
pub(super) fn recalls(daemon: &Daemon, first: u64) -> Result<Times> {
    let mut times = Times::default();
    for number in first..first + QUESTIONS {
        let (outcome, time) = timed(|| daemon.recall(question(number)));
        outcome?;
        times.add(time);
    }
    Ok(times)
}

/// Remembers something that nothing else says, and asks for it at once.
async fn write_and_find(daemon: &Daemon, filled: &Filled, bare: &Bare, sheet: &mut Sheet) -> Result<()> {
    let mut births = Births::new(filled.size as u64);
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    for number in 0..WRITES {
        let name = name_of(number);
        let text = format!("{name} {}", sentence(number));
        let birth = births.birth(&text, Scope::Project)?;
        let (found, time) = timed(|| -> Result<_> {
            daemon.remember(birth.operation, text.clone())?;
            daemon.recall(name)
        });
        let found = found?;
        let hits = found["hits"].as_array().context("no hits")?;
        let is_there = hits.iter().any(|hit| hit["memory"]["content"] == text.as_str());
        ensure!(is_there, "what was written was not found at once");
        ours.add(time);
        theirs.add(bare.commit(&birth).await?);
    }
    let what = format!("remember and find it at once, through the socket, {}", filled.size);
    sheet.pair(what, ours.median(), ("bare commit", theirs.median()));
    Ok(())
}
