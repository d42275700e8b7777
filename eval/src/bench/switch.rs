//! Another model while somebody keeps asking: as `engram model use` does it,
//! with a note in the settings and a daemon that starts anew.

use super::daemon::Daemon;
use super::filled::Filled;
use super::socket::recalls;
use super::{Sheet, Times, millis, timed};
use crate::texts::{question, sentence};
use anyhow::{Context as _, Result, ensure};
use engram_wire::Order;
use std::path::Path;
use std::time::Duration;

/// After so many questions it is looked whether the model has seen everything.
const BETWEEN_LOOKS: u64 = 20;
/// One that takes longer will not come to an end.
const LONGEST: Duration = Duration::from_secs(1_800);

pub(super) fn measure(
    programs: &Path,
    ground: &Path,
    filled: &Filled,
    name: &str,
    models: &Path,
    sheet: &mut Sheet,
) -> Result<()> {
    let daemon = Daemon::new(programs, &ground.join(format!("home-{}", filled.size)), &filled.folder)?;
    copy_model(&models.join(name), &daemon.home().models_folder().join(name))?;
    daemon.recall(question(0))?;
    ensure!(!is_seen(&daemon)?, "the model was in use before");

    std::fs::write(daemon.home().config_file(), format!("[embedder]\nname = \"{name}\"\n"))?;
    daemon.ask(Order::Stop)?;
    let (mut times, mut failed, mut asked) = (Times::default(), 0, 0);
    let mut passed = Duration::ZERO;
    loop {
        // Another question each time: one that was asked before is not embedded
        // again.
        let (outcome, time) = timed(|| daemon.recall(question(asked)));
        failed += u64::from(outcome.is_err());
        times.add(time);
        passed += time;
        asked += 1;
        if asked % BETWEEN_LOOKS == 0 {
            let (seen, time) = timed(|| is_seen(&daemon));
            passed += time;
            if seen? {
                break;
            }
            ensure!(passed < LONGEST, "the model did not see everything in time");
        }
    }
    let size = filled.size;
    sheet.times(size, &format!("the same while {name} takes over"), &times);
    sheet.alone(
        format!("{name} takes over, {size}"),
        format!(
            "{:.1} s, {asked} questions meanwhile, {failed} without an answer, the longest {}",
            passed.as_secs_f64(),
            millis(times.at(1.0))
        ),
    );
    ensure!(failed == 0, "{failed} questions had no answer while the model took over");
    sheet.times(size, &format!("the same with {name}"), &recalls(&daemon, asked)?);
    Ok(())
}

/// Vectors are made for the newest texts first, so the oldest tells whether all
/// have theirs.
fn is_seen(daemon: &Daemon) -> Result<bool> {
    let oldest = sentence(0);
    let answer = daemon.recall(oldest.clone())?;
    let hits = answer["hits"].as_array().context("no hits")?;
    let hit = hits.iter().find(|hit| hit["memory"]["content"] == oldest.as_str());
    let hit = hit.context("the oldest memory was not found by its own words")?;
    let factors = hit["factors"].as_array().context("no factors")?;
    Ok(factors.iter().any(|factor| factor["signal"] == "model"))
}

fn copy_model(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from).with_context(|| format!("reading {}", from.display()))? {
        let file = entry?.path();
        if let Some(name) = file.file_name() {
            std::fs::copy(&file, to.join(name))?;
        }
    }
    Ok(())
}
