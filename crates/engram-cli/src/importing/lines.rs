//! Files of JSON lines: which sort they are, and events that come as they are.
//!
//! Memories are not read here; the daemon does that, as it always did.

use super::{BadLine, Format, Line};
use engram_core::turn::{Event, EventType};
use serde_json::{Map, Value};

/// The format that a line belongs to; None where it could be anything.
///
/// An event says its type in our words. A memory has no type, but what it is
/// and what it says. Everything that Claude Code writes says a type of its own
/// and to what it belongs.
pub(crate) fn sort_of(line: &Line) -> Result<Option<Format>, BadLine> {
    let value: Value = serde_json::from_str(&line.text)
        .map_err(|error| line.bad(format!("is not JSON: {}", plain(&error))))?;
    let has = |key: &str| value.get(key).is_some_and(|found| !found.is_null());
    let Some(word) = value.get("type").and_then(Value::as_str) else {
        let memory = has("id") && has("kind") && has("content");
        return Ok(memory.then_some(Format::Memories));
    };
    if word.parse::<EventType>().is_ok() {
        return Ok(Some(Format::Events));
    }
    let transcript = has("sessionId") || has("leafUuid") || (has("messageId") && has("snapshot"));
    let side = value.get("isSidechain") == Some(&Value::Bool(true)) && has("agentId");
    Ok(transcript.then_some(if side { Format::SubagentTranscript } else { Format::Transcript }))
}

/// A longer line is no event, but a file.
const LONGEST_EVENT: usize = 4 << 20;

/// An event in the form of `engram observe`, and what was written beside it that
/// events do not have.
pub(crate) struct Told {
    pub(crate) event: Event,
    pub(crate) unknown: Vec<String>,
}

pub(crate) fn event_of_line(line: &Line) -> Result<Told, BadLine> {
    let said = line.text.trim();
    if said.len() > LONGEST_EVENT {
        let bytes = said.len();
        return Err(line.bad(format!("is no event: {bytes} bytes, and at most {LONGEST_EVENT} are taken")));
    }
    // Of a list, the first would be the type, and so on.
    if !said.starts_with('{') {
        return Err(line.bad("is no event: not a JSON object"));
    }
    let no_event = |error| line.bad(format!("is no event: {}", plain(&error)));
    let written: Map<String, Value> = serde_json::from_str(said).map_err(no_event)?;
    let event: Event = serde_json::from_str(said).map_err(no_event)?;
    if !written.contains_key("text") && event.tool.is_none() {
        return Err(line.bad("is no event: it has neither a `text` nor a `tool`"));
    }
    let unknown = written.keys().filter(|key| !Event::KEYS.contains(&key.as_str()));
    Ok(Told { unknown: unknown.cloned().collect(), event })
}

/// What is wrong, without where: every line has a number of its own.
fn plain(error: &serde_json::Error) -> String {
    let told = error.to_string();
    told.rsplit_once(" at line ").map_or(told.clone(), |(problem, _)| problem.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::importing::Place;

    fn line(text: &str) -> Line {
        Line { place: Place { offset: 40, lines: 6 }, text: text.to_owned() }
    }

    fn sort(text: &str) -> Option<Format> {
        sort_of(&line(text)).unwrap()
    }

    #[test]
    fn a_line_tells_what_its_file_holds() {
        assert_eq!(sort(r#"{"type":"user_message","text":"we use tabs"}"#), Some(Format::Events));
        assert_eq!(
            sort(r#"{"id":"01JD3V8Q2Y6K4M5N7P9R1S3T5V","kind":"fact","content":"x","scope":"user"}"#),
            Some(Format::Memories)
        );
        for transcript in [
            r#"{"type":"user","sessionId":"s","message":{"role":"user","content":"hi"}}"#,
            r#"{"type":"summary","summary":"Fix the build","leafUuid":"u"}"#,
            r#"{"type":"file-history-snapshot","messageId":"m","snapshot":{}}"#,
            r#"{"type":"mode","mode":"normal","sessionId":"s"}"#,
        ] {
            assert_eq!(sort(transcript), Some(Format::Transcript), "{transcript}");
        }
        let side = r#"{"type":"user","sessionId":"s","isSidechain":true,"agentId":"a1"}"#;
        assert_eq!(sort(side), Some(Format::SubagentTranscript));
    }

    #[test]
    fn what_belongs_to_somebody_else_is_unknown_and_what_is_broken_is_an_error() {
        assert_eq!(sort(r#"{"timestamp":"x","type":"session_meta","payload":{}}"#), None);
        assert_eq!(sort(r#"{"name":"x"}"#), None);
        assert_eq!(sort("[1, 2]"), None);
        let bad = sort_of(&line("{\"type\":")).unwrap_err();
        assert!(bad.to_string().starts_with("line 7 is not JSON"), "{bad}");
    }

    #[test]
    fn an_event_comes_as_it_is() {
        let told = event_of_line(&line(r#"{"type":"remember","text":"we use tabs","uuid":1}"#)).unwrap();
        assert_eq!((told.event.event, told.event.text.as_str()), (EventType::Remember, "we use tabs"));
        assert_eq!(told.unknown, ["uuid"]);
        assert!(event_of_line(&line(r#"{"type":"user_message","text":""}"#)).is_ok());
        for (bad, problem) in [
            (r#"{"type":"tool_call"}"#, "is no event: it has neither a `text` nor a `tool`"),
            (r#"{"type":"remember","tex":"x"}"#, "is no event: it has neither a `text` nor a `tool`"),
            (r#"["remember","we use tabs"]"#, "is no event: not a JSON object"),
            (r#"{"type":"opinion","text":"x"}"#, "is no event: unknown type of event \"opinion\"; one of: "),
        ] {
            let found = event_of_line(&line(bad)).err().unwrap().problem;
            assert!(found.starts_with(problem) && !found.contains(" column "), "{found}");
        }
        let long = format!(r#"{{"type":"remember","text":"{}"}}"#, "x".repeat(LONGEST_EVENT));
        assert!(event_of_line(&line(&long)).err().unwrap().problem.ends_with("4194304 are taken"));
    }
}
