//! `copies`: the exports and backups that engram wrote. The list is a file of the
//! home, so no daemon is asked.

use super::transfer::absolute;
use crate::args::Copies as What;
use crate::ask::Client;
use crate::out::Out;
use crate::show;
use engram_wire::copies::{Copies, KnownCopy};
use engram_wire::{Fault, Home};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

pub(crate) fn run(client: &Client, out: &Out, what: Option<What>) -> Result<(), Fault> {
    let home = &client.around.home;
    match what {
        None => list(home, out),
        Some(What::Drop { files }) => drop_names(home, out, &files),
    }
}

/// Every known copy, and whether it is still there.
pub(crate) fn known(home: &Home) -> Result<Vec<(KnownCopy, bool)>, Fault> {
    let copies = Copies::new(home).load()?;
    Ok(copies
        .into_iter()
        .map(|copy| {
            let there = copy.file.exists();
            (copy, there)
        })
        .collect())
}

fn list(home: &Home, out: &Out) -> Result<(), Fault> {
    let copies = known(home)?;
    let lines = copies.iter().map(|(copy, there)| line(copy, *there)).collect::<Result<Vec<_>, _>>()?;
    out.own(&json!({ "copies": lines }), &show::copies(&copies, &out.look))
}

fn line(copy: &KnownCopy, there: bool) -> Result<Value, Fault> {
    let mut line = serde_json::to_value(copy).map_err(|error| Fault::internal(error.to_string()))?;
    line["there"] = there.into();
    Ok(line)
}

/// All that are named, or none: one that is there still holds memories, and has to
/// be found by whoever looks for them.
fn drop_names(home: &Home, out: &Out, files: &[PathBuf]) -> Result<(), Fault> {
    let files = files.iter().map(|file| absolute(file)).collect::<Result<Vec<_>, _>>()?;
    let copies = Copies::new(home);
    let listed = copies.load()?;
    let name = |file: &Path| show::clean_line(&file.display().to_string());
    for file in &files {
        if !listed.iter().any(|copy| copy.file == *file) {
            return Err(Fault::not_found(format!("{} is not on the list", name(file)))
                .hint("`engram copies` shows it"));
        }
        if file.exists() {
            return Err(Fault::refused(format!("{} is still there", name(file)))
                .hint("remove it first; nothing was taken off the list"));
        }
    }
    let dropped: Vec<PathBuf> = copies.drop_names(&files)?.into_iter().map(|copy| copy.file).collect();
    let text = dropped.iter().map(|file| format!("{} is off the list.\n", name(file))).collect::<String>();
    out.own(&json!({ "dropped": dropped }), &text)
}
