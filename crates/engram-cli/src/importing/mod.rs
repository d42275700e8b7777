//! What can be imported, turned into events.
//!
//! Each format has a file that only parses; `found` says which files there
//! are, `bookmark` how far each was read, `whole_lines` hands out lines. What
//! becomes of the events, and who is asked to keep them, is not known here.

pub(crate) mod bookmark;
pub(crate) mod found;
pub(crate) mod lines;
pub(crate) mod markdown;
mod markdown_blocks;
mod said;
pub(crate) mod transcript;
pub(crate) mod whole_lines;

use std::fmt;

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// A conversation, as Claude Code writes it.
    Transcript,
    /// What a subagent did, in a file of its own.
    SubagentTranscript,
    /// One event a line, as `engram observe` takes them.
    Events,
    /// One memory a line, as `engram export` writes them.
    Memories,
    Markdown,
}

/// A place in a file of lines, from its start.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, serde::Serialize, serde::Deserialize,
)]
pub(crate) struct Place {
    /// Bytes before it.
    pub(crate) offset: u64,
    /// Ends of lines before it.
    pub(crate) lines: u64,
}

/// One line that is whole, without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// Where it begins.
    pub(crate) place: Place,
    pub(crate) text: String,
}

impl Line {
    /// Counted from one, as editors do.
    pub(crate) const fn number(&self) -> u64 {
        self.place.lines + 1
    }

    pub(crate) fn bad(&self, problem: impl Into<String>) -> BadLine {
        BadLine { number: self.number(), problem: problem.into() }
    }
}

/// A line that cannot be understood. The lines after it can.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BadLine {
    /// Counted from one.
    pub(crate) number: u64,
    pub(crate) problem: String,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} {}", self.number, self.problem)
    }
}

#[cfg(test)]
mod tests {
    use super::bookmark::{Bookmarks, Seen, Start};
    use super::transcript::{Conversation, Reading, events_of_line};
    use super::whole_lines::WholeLines;
    use std::fs;
    use std::path::Path;

    /// One import of a transcript, as the command does it: what was told.
    fn import(file: &Path, marks: &mut Bookmarks) -> Vec<String> {
        let seen = Seen::look(file).unwrap();
        let Start::At(place) = marks.start_of(file, &seen) else { return Vec::new() };
        let mut lines = WholeLines::open(file, place).unwrap();
        let mut reading = Reading::new(Conversation::Users);
        let mut told = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            match line.and_then(|line| events_of_line(&line, &mut reading)) {
                Ok(events) => told.extend(events.iter().map(|event| event.event.to_string())),
                Err(bad) => told.push(bad.to_string()),
            }
        }
        marks.set(file, &seen, reading.next_from(lines.place()), true);
        told
    }

    #[test]
    fn a_transcript_that_grows_is_told_on_from_where_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("s.jsonl");
        let mut marks = Bookmarks::default();
        let said = r#"{"type":"user","sessionId":"s","message":{"content":"run the tests"}}"#;
        let call = r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]}}"#;
        let answer = r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}}"#;

        fs::write(&file, format!("{said}\n{call}\n{}", &answer[..20])).unwrap();
        assert_eq!(import(&file, &mut marks), ["user_message"]);
        assert!(import(&file, &mut marks).is_empty());

        fs::write(&file, format!("{said}\n{call}\n{answer}\n{{broken\n")).unwrap();
        let told = import(&file, &mut marks);
        assert_eq!(told[0], "tool_call");
        assert!(told[1].starts_with("line 4 is not JSON"), "{told:?}");

        fs::write(&file, format!("{said}\n{call}\n{answer}\n{{broken\n{said}\n")).unwrap();
        assert_eq!(import(&file, &mut marks), ["user_message"]);
    }
}
