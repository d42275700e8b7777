//! The client's start beside the smallest program there is.

use super::{Sheet, Times, timed};
use anyhow::Result;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

pub(super) fn measure(programs: &Path, sheet: &mut Sheet) -> Result<()> {
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    for _ in 0..200 {
        ours.add(spawn(&programs.join("engram"), Some("--version"))?);
        theirs.add(spawn(Path::new("/bin/true"), None)?);
    }
    sheet.pair("start of `engram --version`", ours.median(), ("/bin/true", theirs.median()));
    Ok(())
}

fn spawn(program: &Path, argument: Option<&str>) -> Result<Duration> {
    let mut command = Command::new(program);
    command.args(argument).stdout(Stdio::null());
    let (status, time) = timed(|| command.status());
    anyhow::ensure!(status?.success(), "{} failed", program.display());
    Ok(time)
}
