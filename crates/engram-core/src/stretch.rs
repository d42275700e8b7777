//! What is told of a conversation when it is over: the stretches that something
//! was learned from, word for word, and one line about all of it.

use crate::change::{Actor, Cause, Changes, Write};
use crate::id::{ProjectKey, SessionId, TurnId};
use crate::kind::{Kind, Scope};
use crate::memory::{Memory, Provenance, WriteSource};
use crate::observe::Role;
use crate::plan::{Draft, Occasion, plan_remember};
use crate::turn::{EventType, Turn};
use crate::unit::Importance;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// No piece of a stretch has more characters; what is longer is cut into
/// several, and nothing is left out.
const PIECE: usize = 2_000;
/// So many characters of a summary, and of each text in it.
const SUMMARY: usize = 480;
const NAMED: usize = 120;
/// So many things of a kind are named in a summary.
const NAMED_OF_EACH: usize = 3;

/// What a piece of a conversation weighs: it is looked up, not told by itself.
const WEIGHT: f64 = 0.3;

/// A piece of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The turns of its stretch.
    pub turns: Vec<TurnId>,
    pub said_at: Timestamp,
    pub text: String,
}

/// The stretches, each from one message of the user to the next, that one of the
/// `worthwhile` turns is in. `turns` are in the order of their time.
pub fn pieces_of(turns: &[Turn], worthwhile: &BTreeSet<TurnId>) -> Vec<Piece> {
    let mut stretches: Vec<Vec<&Turn>> = Vec::new();
    for turn in turns {
        match stretches.last_mut() {
            Some(stretch) if turn.event != EventType::UserMessage => stretch.push(turn),
            _ => stretches.push(vec![turn]),
        }
    }
    stretches.retain(|stretch| stretch.iter().any(|turn| worthwhile.contains(&turn.id)));
    stretches.iter().flat_map(|stretch| pieces(stretch)).collect()
}

fn pieces(stretch: &[&Turn]) -> Vec<Piece> {
    let turns: Vec<TurnId> = stretch.iter().map(|turn| turn.id).collect();
    let mut texts: Vec<String> = Vec::new();
    for part in stretch.iter().flat_map(|turn| parts(&told(turn))) {
        match texts.last_mut() {
            Some(text) if text.chars().count() + part.chars().count() < PIECE => {
                text.push('\n');
                text.push_str(&part);
            }
            _ => texts.push(part),
        }
    }
    let piece = |text| Piece { turns: turns.clone(), said_at: stretch[0].said_at, text };
    texts.into_iter().map(piece).collect()
}

fn told(turn: &Turn) -> String {
    let voice = match turn.role {
        Role::User => turn.speaker.as_deref().unwrap_or("user"),
        Role::Assistant => "assistant",
        Role::Tool => "tool",
        Role::Subagent => "subagent",
    };
    match &turn.tool {
        Some(tool) => {
            let went = if tool.success { "" } else { " (failed)" };
            let answer = tool.result_summary.as_deref().filter(|_| !tool.success).unwrap_or_default();
            format!("{voice}: {}{went} {answer}", turn.content).trim_end().to_owned()
        }
        None => format!("{voice}: {}", turn.content.trim()),
    }
}

/// A text in parts of at most `PIECE` characters, cut between words where there
/// are any.
fn parts(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((end, _)) = rest.char_indices().nth(PIECE) {
        let cut = rest[..end].rfind(char::is_whitespace).filter(|cut| *cut > end / 2).unwrap_or(end);
        parts.push(rest[..cut].trim_end().to_owned());
        rest = rest[cut..].trim_start();
    }
    parts.push(rest.to_owned());
    parts
}

/// The memories that keep these pieces. Keeping them again makes nothing new.
pub fn plan_narratives(
    pieces: &[Piece],
    scope: Scope,
    session: SessionId,
    project: Option<&ProjectKey>,
    occasion: Occasion,
) -> Changes {
    let mut of_turn: BTreeMap<TurnId, usize> = BTreeMap::new();
    let writes = pieces.iter().map(|piece| {
        let number = of_turn.entry(piece.turns[0]).or_default();
        let id = piece.turns[0].newborn("narrative", *number);
        *number += 1;
        let provenance = Provenance {
            source_session: Some(session),
            source_project: project.cloned(),
            write_source: WriteSource::Observer,
            evidence: piece.turns.clone(),
            ..Provenance::stated_by(Actor::Engram)
        };
        let draft = Draft {
            content: piece.text.clone(),
            kind: Kind::Narrative,
            tags: BTreeSet::new(),
            domain: None,
            pinned: false,
        };
        let at = Occasion { at: piece.said_at, ..occasion };
        let memory = plan_remember(draft, scope, provenance, at).writes.into_iter().find_map(born);
        memory.map(|memory| Memory { id, importance: Importance::clamped(WEIGHT), ..memory })
    });
    let writes = writes.flatten().map(|memory| Write::Create { memory: Box::new(memory) }).collect();
    let Occasion { operation, actor, at, .. } = occasion;
    Changes { operation, cause: Cause::Capture, actor, at, undoes: None, part_of: None, writes }
}

fn born(write: Write) -> Option<Memory> {
    match write {
        Write::Create { memory } => Some(*memory),
        _ => None,
    }
}

/// One line about a conversation: what was asked, what was changed, what was
/// kept. None where nothing was said.
pub fn summary_of_session<'k>(turns: &[Turn], kept: impl Iterator<Item = &'k str>) -> Option<String> {
    let asked: Vec<&str> = turns
        .iter()
        .filter(|turn| turn.event == EventType::UserMessage)
        .map(|turn| turn.content.as_str())
        .collect();
    let changed: BTreeSet<&str> = turns.iter().filter_map(file_changed).collect();
    let mut parts = Vec::new();
    let mut part = |name: &str, texts: &mut dyn Iterator<Item = &str>| {
        let texts: Vec<&str> = texts.collect();
        let named: Vec<String> = texts.iter().take(NAMED_OF_EACH).map(|text| one_line(text)).collect();
        let more = texts.len().saturating_sub(named.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        if !named.is_empty() {
            parts.push(format!("{name}: {}{more}", named.join(" | ")));
        }
    };
    part("asked", &mut asked.iter().copied());
    part("changed", &mut changed.iter().copied());
    part("kept", &mut kept.into_iter());
    let text = parts.join("; ");
    (!text.is_empty()).then(|| cut(&text, SUMMARY))
}

/// The file that a tool changed.
fn file_changed(turn: &Turn) -> Option<&str> {
    let tool = turn.tool.as_ref().filter(|tool| tool.success)?;
    let edits = matches!(tool.tool_name.as_str(), "Edit" | "Write" | "MultiEdit" | "NotebookEdit");
    let path = tool.subject();
    let name = path.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(path);
    edits.then_some(name)
}

fn one_line(text: &str) -> String {
    cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), NAMED)
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{} ...", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::{Event, ToolUse};
    use serde_json::json;

    fn turn(event: EventType, text: &str, second: i64) -> Turn {
        let at = Timestamp::from_second(second).unwrap();
        Turn::of(Event { time: Some(at), ..Event::new(event, text) }, 0, 0, at)
    }

    fn conversation() -> Vec<Turn> {
        let tool = ToolUse {
            name: "Edit".to_owned(),
            input: json!({"file_path": "/p/src/main.rs"}),
            output: json!("ok"),
            ok: true,
            duration_ms: None,
        };
        let at = Timestamp::from_second(2).unwrap();
        let edit = Event { time: Some(at), tool: Some(tool), ..Event::new(EventType::ToolCall, "") };
        let edit = Turn::of(edit, 0, 0, at);
        vec![
            turn(EventType::UserMessage, "the api listens on port 8081", 1),
            edit,
            turn(EventType::AssistantMessage, "Noted.", 3),
            turn(EventType::UserMessage, "thanks", 4),
            turn(EventType::AssistantMessage, "Any time.", 5),
        ]
    }

    #[test]
    fn only_the_stretches_that_something_was_learned_from_are_kept() {
        let turns = conversation();
        let pieces = pieces_of(&turns, &[turns[0].id].into());
        assert_eq!(pieces.len(), 1);
        assert!(
            pieces[0].text.starts_with("user: the api listens on port 8081\ntool: "),
            "{}",
            pieces[0].text
        );
        assert!(pieces[0].text.ends_with("\nassistant: Noted."), "{}", pieces[0].text);
        assert_eq!(pieces[0].turns.len(), 3);
        assert_eq!(pieces_of(&turns, &BTreeSet::new()), []);
    }

    #[test]
    fn a_long_stretch_is_cut_and_nothing_of_it_is_lost() {
        let words: Vec<String> = (0..2_000).map(|number| format!("word{number}")).collect();
        let turns = vec![turn(EventType::UserMessage, &words.join(" "), 1)];
        let pieces = pieces_of(&turns, &[turns[0].id].into());
        assert!(pieces.len() > 5 && pieces.iter().all(|piece| piece.text.chars().count() <= PIECE));
        let all = pieces.iter().map(|piece| piece.text.as_str()).collect::<Vec<_>>().join(" ");
        assert_eq!(all, format!("user: {}", words.join(" ")));
        let operation = turns[0].id.operation("narratives", 0, turns[0].said_at);
        let at = turns[0].said_at;
        let occasion = Occasion { operation, actor: Actor::Engram, at, recorded_at: at };
        let changes = plan_narratives(&pieces, Scope::Project, SessionId::named("s"), None, occasion);
        let ids: BTreeSet<_> = changes.writes.iter().filter_map(Write::memory_id).collect();
        assert_eq!(ids.len(), pieces.len());
    }

    #[test]
    fn a_summary_tells_what_was_asked_changed_and_kept() {
        let turns = conversation();
        let summary = summary_of_session(&turns, ["the api listens on port 8081"].into_iter()).unwrap();
        assert_eq!(
            summary,
            "asked: the api listens on port 8081 | thanks; changed: main.rs; kept: the api listens on port 8081"
        );
        assert_eq!(summary_of_session(&[], std::iter::empty()), None);
    }
}
