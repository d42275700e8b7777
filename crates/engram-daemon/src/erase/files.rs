//! The files of the home besides the stores: what waits, what was logged, what
//! was counted, and the files of skills.

use super::stores::Room;
use super::{Project, Told, Words};
use crate::house::House;
use engram_core::erase::reword;
use engram_core::skill::{OnDisk, on_disk, skill_marked_in};
use engram_wire::erasure::Way;
use engram_wire::platform::private_replace;
use engram_wire::spool::Spool;
use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Stands where a text was.
const ERASED: &str = "[erased]";

pub(super) fn erase(
    house: &House,
    rooms: &[Room],
    project: Option<&Project>,
    words: &Words,
    told: &mut Told,
) {
    let home = house.home.root();
    let of_project = |line: &str| project.is_some_and(|project| is_from(line, &project.root));
    let goes = |value: &Value| words.are_in(value);
    let stays = |line: &str| match of_project(line) {
        true => None,
        false if words.are_in_line(line) => rest_of(line, &goes),
        false => Some(line.to_owned()),
    };
    let spool = Spool::new(house.home.spool_folder());
    for (name, outcome) in spool.take_out(&stays) {
        told.note(house.home.spool_folder().join(name).display().to_string(), Way::Filtered, outcome);
    }
    house.metering.reword(&|text| words.say(text));
    house.metering.flush();
    for file in files_of(home) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let place = file.display().to_string();
        let is_log = name.starts_with("engramd.log") || name.starts_with("ops-log");
        if is_log {
            told.note(place, Way::Filtered, without_lines(&file, &|line| words.are_in_line(line)));
        } else if name == "hooks.json" || name == "imports.json" {
            told.note(place, Way::Filtered, without_strings(&file, &|text| words.say(text)));
        }
    }
    for folder in rooms.iter().filter_map(|room| house.skills_folder(&room.store).ok().flatten()) {
        for file in skill_files(&folder) {
            let Ok(text) = fs::read_to_string(&file) else { continue };
            let theirs = skill_marked_in(&text).is_some_and(|id| words.plan.theirs.memories.contains(&id));
            match on_disk(Some(&text), |_| true) {
                OnDisk::Ours { .. } if theirs => {
                    let removed = fs::remove_file(&file).map(|()| true);
                    told.note(file.display().to_string(), Way::Removed, removed);
                    if let Some(folder) = file.parent() {
                        let _ = fs::remove_dir(folder);
                    }
                }
                _ if words.say(&text) => {
                    told.leave(file.display().to_string(), "somebody wrote or edited it; change it by hand");
                }
                _ => {}
            }
        }
    }
}

/// The files of skills in a folder.
pub(super) fn skill_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path().join("SKILL.md")).filter(|file| file.is_file()).collect()
}

fn files_of(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_file() && !path.is_symlink()).collect()
}

/// What stays of a request that waits and says it somewhere: the events of others that
/// came with theirs. None: nothing does.
fn rest_of(line: &str, goes: &dyn Fn(&Value) -> bool) -> Option<String> {
    let mut value: Value = serde_json::from_str(line).ok()?;
    if let Some(rejected) = value.get("line").and_then(Value::as_str) {
        value["line"] = rest_of(rejected, goes)?.into();
    } else {
        let events = value.get_mut("order")?.get_mut("events")?.as_array_mut()?;
        events.retain(|event| !goes(event));
        if events.is_empty() {
            return None;
        }
    }
    (!goes(&value)).then(|| value.to_string())
}

/// Whether a request that waits was said in this project.
fn is_from(line: &str, root: &Path) -> bool {
    let Ok(mut request) = serde_json::from_str::<Value>(line) else { return false };
    if let Some(rejected) = request["line"].as_str() {
        request = serde_json::from_str(rejected).unwrap_or_default();
    }
    let folder = request["context"]["folder"].as_str();
    folder.is_some_and(|folder| Path::new(folder).starts_with(root))
}

/// Takes lines out of a file that somebody may have open to write at its end: it
/// stays the same file. Whether there were any.
fn without_lines(file: &Path, goes: &dyn Fn(&str) -> bool) -> io::Result<bool> {
    let bytes = fs::read(file)?;
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let (gone, kept): (Vec<&[u8]>, Vec<&[u8]>) = lines.partition(|line| goes(&String::from_utf8_lossy(line)));
    if gone.is_empty() {
        return Ok(false);
    }
    let mut output = OpenOptions::new().write(true).truncate(true).open(file)?;
    output.write_all(&kept.concat())?;
    output.sync_all()?;
    Ok(true)
}

/// Puts a mark in the place of strings of a JSON file.
fn without_strings(file: &Path, says: &dyn Fn(&str) -> bool) -> io::Result<bool> {
    let mut value: Value = serde_json::from_slice(&fs::read(file)?)?;
    // A name in it may say it, too; then the entry goes.
    let names = drop_names(&mut value, says);
    if reword(&mut value, says, ERASED) == 0 && !names {
        return Ok(false);
    }
    private_replace(file, &serde_json::to_vec(&value)?)?;
    Ok(true)
}

fn drop_names(value: &mut Value, says: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::Object(fields) => {
            let before = fields.len();
            fields.retain(|name, _| !says(name));
            let fewer = fields.len() < before;
            fields.values_mut().fold(fewer, |changed, value| drop_names(value, says) | changed)
        }
        Value::Array(values) => {
            values.iter_mut().fold(false, |changed, value| drop_names(value, says) | changed)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lines_are_taken_out_of_a_file_that_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("engramd.log");
        let mut open = OpenOptions::new().append(true).create(true).open(&file).unwrap();
        open.write_all(b"one\nan xyzzy\ntwo\n").unwrap();
        assert!(without_lines(&file, &|line| line.contains("xyzzy")).unwrap());
        open.write_all(b"three\n").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "one\ntwo\nthree\n");
        assert!(!without_lines(&file, &|line| line.contains("xyzzy")).unwrap());
    }

    #[test]
    fn strings_and_names_of_a_json_file_go() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("hooks.json");
        fs::write(&file, r#"{"a":{"problem":"an xyzzy","n":1},"xyzzy":2}"#).unwrap();
        assert!(without_strings(&file, &|text| text.contains("xyzzy")).unwrap());
        assert_eq!(fs::read_to_string(&file).unwrap(), r#"{"a":{"problem":"[erased]","n":1}}"#);
    }

    #[test]
    fn of_a_line_that_waits_the_events_of_others_stay() {
        let goes = |value: &Value| value.to_string().contains("xyzzy");
        let line = |events: Value| json!({ "context": {}, "order": { "events": events } });
        let (hers, his) = (json!({ "text": "an xyzzy" }), json!({ "text": "a key" }));
        let kept = |value: &Value| rest_of(&value.to_string(), &goes);
        let both = line(json!([hers, his]));
        assert_eq!(kept(&both), Some(line(json!([his])).to_string()));
        assert_eq!(kept(&line(json!([hers]))), None);
        assert_eq!(kept(&json!({ "order": { "text": "an xyzzy" } })), None);
        let rejected = |line: String| json!({ "line": line, "fault": {} });
        let rest = rejected(line(json!([his])).to_string()).to_string();
        assert_eq!(kept(&rejected(both.to_string())), Some(rest));
        assert_eq!(kept(&json!({ "line": both.to_string(), "fault": "an xyzzy" })), None);
    }

    #[test]
    fn a_waiting_line_is_known_by_its_folder() {
        let line = r#"{"context":{"folder":"/a/b/c"},"order":{}}"#;
        assert!(is_from(line, Path::new("/a/b")) && !is_from(line, Path::new("/a/x")));
        let rejected = serde_json::json!({ "line": line, "fault": {} }).to_string();
        assert!(is_from(&rejected, Path::new("/a/b")));
    }
}
