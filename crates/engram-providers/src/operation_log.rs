//! The log of what language models were asked and what became of it: lines of
//! JSON for people and for `engram status`, private, rotated, never in the way.
//!
//! A line that cannot be written is lost, which is counted and told, and the
//! caller is not bothered. What was decided is not known here.

use engram_core::Timestamp;
use engram_core::port::{Mask, OperationNote, OperationNotes};
use serde_json::json;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A file is put aside before it would grow beyond this, in bytes.
const LARGEST: u64 = 10 << 20;
/// How much of a text is written, in characters.
const LONGEST_TEXT: usize = 80;
const LONGEST_REASON: usize = 240;
const CURRENT: &str = "ops-log.jsonl";
const BEGINNING: &str = "ops-log-";
const ENDING: &str = ".jsonl";

/// Whether texts are written at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoggedTexts {
    Beginnings,
    None,
}

pub struct OperationLog {
    folder: PathBuf,
    texts: LoggedTexts,
    /// How many files that were put aside are kept.
    kept: usize,
    largest: u64,
    mask: Mask,
    lost: Mutex<Lost>,
}

/// Lines that could not be written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lost {
    pub lines: u64,
    pub latest_problem: Option<String>,
}

impl OperationLog {
    pub fn new(folder: impl Into<PathBuf>, texts: LoggedTexts, kept: usize, mask: Mask) -> Self {
        OperationLog { folder: folder.into(), texts, kept, largest: LARGEST, mask, lost: Mutex::default() }
    }

    pub fn lost(&self) -> Lost {
        self.lost_lines().clone()
    }

    /// Also what keeps two writers apart.
    fn lost_lines(&self) -> MutexGuard<'_, Lost> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn line(&self, note: &OperationNote<'_>) -> String {
        let text =
            |text: &str| (self.texts == LoggedTexts::Beginnings).then(|| self.beginning(text, LONGEST_TEXT));
        let line = json!({
            "ts": note.at.to_string(),
            "op": note.operation,
            "input": text(note.input),
            "output": note.output.and_then(text),
            "model": note.model,
            "latency_ms": u64::try_from(note.latency.as_millis()).unwrap_or(u64::MAX),
            "success": note.success,
            "fallback": !note.success,
            "reason": note.reason.map(|reason| self.beginning(reason, LONGEST_REASON)),
            "tokens": note.tokens,
        });
        format!("{line}\n")
    }

    /// Masked as a whole and then cut: half a secret would not be recognised.
    fn beginning(&self, text: &str, length: usize) -> String {
        (self.mask)(text).chars().take(length).collect()
    }

    fn write(&self, line: &str, at: Timestamp) -> io::Result<()> {
        let path = self.folder.join(CURRENT);
        if fs::metadata(&path).is_ok_and(|meta| meta.len() + line.len() as u64 > self.largest) {
            self.put_aside(&path, at)?;
        }
        let mut file = OpenOptions::new().create(true).append(true).mode(0o600).open(&path)?;
        if file.metadata()?.permissions().mode() & 0o077 != 0 {
            file.set_permissions(Permissions::from_mode(0o600))?;
        }
        file.write_all(line.as_bytes())
    }

    fn put_aside(&self, path: &Path, at: Timestamp) -> io::Result<()> {
        let day = at.strftime("%Y-%m-%d").to_string();
        let mut aside = self.aside()?;
        let latest = aside.iter().filter(|(known, _)| *known == day).map(|(_, number)| *number).max();
        let number = latest.map_or(1, |latest| latest + 1);
        fs::rename(path, self.folder.join(name_of(&day, number)))?;
        aside.push((day, number));
        aside.sort();
        let too_many = aside.len().saturating_sub(self.kept);
        for (day, number) in &aside[..too_many] {
            fs::remove_file(self.folder.join(name_of(day, *number)))?;
        }
        Ok(())
    }

    /// The files that were put aside, by day and number.
    fn aside(&self) -> io::Result<Vec<(String, u32)>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let name = entry?.file_name();
            let Some(rest) =
                name.to_str().and_then(|name| name.strip_prefix(BEGINNING)?.strip_suffix(ENDING))
            else {
                continue;
            };
            let (day, number) = rest.split_once('.').unwrap_or((rest, "1"));
            let is_day = day.len() == 10 && day.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
            if let (true, Ok(number)) = (is_day, number.parse()) {
                found.push((day.to_owned(), number));
            }
        }
        Ok(found)
    }
}

impl OperationNotes for OperationLog {
    fn note(&self, note: &OperationNote<'_>) {
        let line = self.line(note);
        let mut lost = self.lost_lines();
        if let Err(error) = self.write(&line, note.at) {
            lost.lines += 1;
            lost.latest_problem = Some(error.to_string());
        }
    }
}

/// The first of a day is named by the day alone.
fn name_of(day: &str, number: u32) -> String {
    match number {
        1 => format!("{BEGINNING}{day}{ENDING}"),
        _ => format!("{BEGINNING}{day}.{number}{ENDING}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::sync::Arc;
    use std::time::Duration;

    fn note<'a>(at: &str, input: &'a str) -> OperationNote<'a> {
        OperationNote {
            at: at.parse().unwrap(),
            operation: "judge",
            input,
            output: Some("same"),
            model: "m",
            latency: Duration::from_millis(450),
            success: false,
            reason: Some("the key was sk-77"),
            tokens: 12,
        }
    }

    fn log(folder: &Path, texts: LoggedTexts) -> OperationLog {
        let mask: Mask = Arc::new(|text| text.replace("sk-77", "[secret]"));
        OperationLog::new(folder, texts, 2, mask)
    }

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().flatten();
        let mut names: Vec<String> =
            names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_line_says_what_was_asked_and_what_became_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let long = format!("{}sk-77 is the key of Ayşe", "ş".repeat(75));
        log(folder.path(), LoggedTexts::Beginnings).note(&note("2026-03-01T12:00:00Z", &long));
        let path = folder.path().join(CURRENT);
        let text = fs::read_to_string(&path).unwrap();
        let line: Value = serde_json::from_str(text.trim_end()).unwrap();
        assert_eq!(line["ts"], "2026-03-01T12:00:00Z");
        assert_eq!(
            (&line["op"], &line["output"], &line["latency_ms"]),
            (&json!("judge"), &json!("same"), &json!(450))
        );
        assert_eq!(
            (&line["success"], &line["fallback"], &line["tokens"]),
            (&json!(false), &json!(true), &json!(12))
        );
        assert_eq!(line["reason"], "the key was [secret]");
        assert_eq!(line["input"], format!("{}[secr", "ş".repeat(75)));
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn texts_are_left_out_where_nobody_wants_them() {
        let folder = tempfile::tempdir().unwrap();
        log(folder.path(), LoggedTexts::None).note(&note("2026-03-01T12:00:00Z", "private"));
        let text = fs::read_to_string(folder.path().join(CURRENT)).unwrap();
        let line: Value = serde_json::from_str(&text).unwrap();
        assert!(line["input"].is_null() && line["output"].is_null() && !text.contains("private"));
    }

    #[test]
    fn a_full_file_is_put_aside_and_old_ones_go() {
        let folder = tempfile::tempdir().unwrap();
        let log = OperationLog { largest: 300, ..log(folder.path(), LoggedTexts::Beginnings) };
        fs::write(folder.path().join("ops-log-notes.jsonl"), "mine").unwrap();
        let aside = |text: &str| names(folder.path()).contains(&text.to_owned());
        for at in ["2026-03-01T12:00:00Z", "2026-03-01T23:00:00Z"] {
            log.note(&note(at, "x"));
        }
        assert!(aside("ops-log-2026-03-01.jsonl"));
        log.note(&note("2026-03-01T23:30:00Z", "x"));
        assert!(aside("ops-log-2026-03-01.2.jsonl"));
        log.note(&note("2026-03-02T01:00:00Z", "x"));
        let expected = [
            "ops-log-2026-03-01.2.jsonl",
            "ops-log-2026-03-02.jsonl",
            "ops-log-notes.jsonl",
            "ops-log.jsonl",
        ];
        assert_eq!(names(folder.path()), expected);
        assert_eq!(log.lost(), Lost::default());
    }

    #[test]
    fn what_cannot_be_written_is_counted_and_hurts_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let log = log(&folder.path().join("missing"), LoggedTexts::Beginnings);
        log.note(&note("2026-03-01T12:00:00Z", "x"));
        log.note(&note("2026-03-01T12:00:00Z", "x"));
        assert_eq!(log.lost().lines, 2);
        assert!(log.lost().latest_problem.is_some());
    }

    #[test]
    fn a_file_that_others_could_read_is_closed_to_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(CURRENT);
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        log(folder.path(), LoggedTexts::None).note(&note("2026-03-01T12:00:00Z", "x"));
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
