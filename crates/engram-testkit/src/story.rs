//! Behaviour as stories: what happens on which day, and what is recalled.
//!
//! ```text
//! day 1   remember  key: the staging key is in vault
//! day 3   correct   key: the staging key is in 1password
//! day 40  recall    where is the staging key
//! ```
//!
//! A line is a day, a verb and the rest. `label:` names a memory for later
//! lines; a correction gives the label to the new value, and `label~1` is the
//! value before. `scope verb` (`user remember`) changes the shelf; `recall`
//! searches all three. `as of day N` or `timeline` may follow a recall after a
//! bar. `link a: causes b` draws an edge.
//!
//! `say` and `agent` are messages of the user and of the assistant, `ok` and
//! `fail` are commands that were run, with what they printed after a bar; the
//! rules decide what is kept of them, and the story tells what they decided.
//! Each day is a session of its own. A captured memory is labelled by its day:
//! `d3`, and `d3b` for the second of the day. `why d3` tells what was decided
//! about it and from which words, `inspect d3` what it is.

use crate::make::by_hand;
use engram_core::decision::Action;
use engram_core::plan::{
    Draft, Occasion, plan_confirm, plan_correct, plan_forget, plan_mark, plan_pin, plan_remember,
    plan_unforget,
};
use engram_core::turn::{Authority, Event, EventType, ToolUse};
use engram_core::{
    Actor, Changes, IdMint, Memory, MemoryId, OperationId, Relation, Scope, Span, Status, Timestamp, Write,
};
use engram_engine::{Ask, Embedders, Reader, Shelf, guarded, recall};
use engram_maps::MapStore;
use jiff::tz::TimeZone;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

struct Story {
    shelves: Vec<Arc<Shelf>>,
    mint: IdMint,
    now: Timestamp,
    labels: BTreeMap<String, (usize, Vec<MemoryId>)>,
    told: String,
}

/// Plays a story and returns what it showed.
pub async fn tell(story: &str) -> String {
    let mut shelves = Vec::new();
    for scope in Scope::ALL {
        let shelf = Shelf::open(Arc::new(MapStore::default()), *scope, Embedders::default()).await.unwrap();
        shelves.push(Arc::new(shelf));
    }
    let mut stage =
        Story { shelves, mint: IdMint::seeded(1), now: day(0), labels: BTreeMap::new(), told: String::new() };
    for line in story.lines().map(str::trim).filter(|line| !line.is_empty()) {
        stage.play(line).await;
    }
    stage.told
}

fn day(number: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000).unwrap() + Span::from_hours(24 * number)
}

impl Story {
    async fn play(&mut self, line: &str) {
        let mut words = line.splitn(3, char::is_whitespace);
        assert_eq!(words.next(), Some("day"), "{line}");
        let number: i64 = words.next().and_then(|word| word.parse().ok()).expect(line);
        self.now = self.now.max(day(number)) + Span::from_secs(1);
        let rest = words.next().expect(line).trim();
        let (mut verb, mut rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let mut place = 1;
        if let Ok(scope) = verb.parse::<Scope>() {
            place = Scope::ALL.iter().position(|known| *known == scope).unwrap();
            (verb, rest) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest, ""));
        }
        let rest = rest.trim();
        if verb == "recall" {
            return self.recall(rest).await;
        }
        if ["say", "agent", "ok", "fail"].contains(&verb) {
            self.hear(verb, rest, number, place).await;
        }
        if verb == "why" {
            return self.why(rest).await;
        }
        if verb == "inspect" {
            return self.inspect(rest).await;
        }
        let outcome = match verb {
            "say" | "agent" | "ok" | "fail" => Ok(()),
            _ => self.change(verb, rest, place).await,
        };
        if let Err(problem) = outcome {
            writeln!(self.told, "{verb}: {problem}").unwrap();
        }
        for shelf in &self.shelves {
            assert_eq!(shelf.differences().await.unwrap(), [], "after {line}");
        }
    }

    async fn change(&mut self, verb: &str, rest: &str, place: usize) -> Result<(), String> {
        let operation = OperationId::from_ulid(self.mint.mint(self.now));
        let occasion = Occasion { operation, actor: Actor::Human, at: self.now, recorded_at: self.now };
        let said = |error: engram_engine::ChangeError| error.to_string();
        if verb == "undo" {
            let mut last = Vec::new();
            for (place, shelf) in self.shelves.iter().enumerate() {
                last.extend(shelf.last_undoable().await.unwrap().map(|done| (done.id, place)));
            }
            let (target, place) = last.into_iter().max().ok_or("there is nothing to undo")?;
            return self.shelves[place].undo(target, occasion).await.map(|_| ()).map_err(said);
        }
        let (label, text) = rest.split_once(':').unwrap_or((rest, ""));
        let (label, text) = (label.trim(), text.trim());
        if verb == "remember" {
            let draft = Draft::parse(text, 10_000).map_err(|problem| problem.to_string())?;
            let shelf = self.shelves[place].clone();
            let plan = |_: &[Memory]| Ok(plan_remember(draft, shelf.scope(), by_hand(), occasion));
            shelf.change(&[], plan).await.map_err(said)?;
            self.labels.insert(label.to_owned(), (place, vec![operation.newborn()]));
            return Ok(());
        }
        let (place, id) = self.named(label);
        let shelf = self.shelves[place].clone();
        if verb == "link" {
            let (kind, other) = text.split_once(' ').expect("a relation and a label");
            let kind = kind.parse().expect("a relation");
            let relation = Relation::certain(id, kind, self.named(other).1, self.now);
            let changes = Changes {
                writes: vec![Write::Relate { relation }],
                ..plan_pin(&shelf.load(id).await.map_err(said)?, true, occasion).unwrap()
            };
            return shelf.change(&[], |_| Ok(changes)).await.map(|_| ()).map_err(said);
        }
        let plan = |memories: &[Memory]| -> Result<Changes, engram_core::plan::CannotChange> {
            match verb {
                "correct" => plan_correct(&memories[0], text, by_hand(), 10_000, occasion),
                "confirm" => plan_confirm(&memories[0], occasion),
                "forget" => plan_forget(memories, occasion),
                "unforget" => plan_unforget(&memories[0], occasion),
                "pin" => plan_pin(&memories[0], true, occasion),
                status => {
                    let status: Status = status.parse().expect("a verb or a status");
                    plan_mark(&memories[0], status, text, occasion)
                }
            }
        };
        shelf.change(&[id], plan).await.map_err(said)?;
        if verb == "correct" {
            self.labels.get_mut(label).unwrap().1.push(operation.newborn());
        }
        Ok(())
    }

    /// Something happens, and is read at once.
    async fn hear(&mut self, verb: &str, rest: &str, day: i64, place: usize) {
        let event = match verb {
            "say" => Event::new(EventType::UserMessage, rest),
            "agent" => Event::new(EventType::AssistantMessage, rest),
            _ => {
                let (command, output) = rest.split_once('|').unwrap_or((rest, ""));
                let tool = match command.trim().strip_prefix("edit ") {
                    Some(file) => ("Edit", serde_json::json!({ "file_path": file })),
                    None => ("Bash", serde_json::json!({ "command": command.trim() })),
                };
                let tool = ToolUse {
                    name: tool.0.to_owned(),
                    input: tool.1,
                    output: output.trim().into(),
                    ok: verb == "ok",
                    duration_ms: None,
                };
                Event { tool: Some(tool), ..Event::new(EventType::ToolCall, "") }
            }
        };
        let event = Event { time: Some(self.now), session: Some(format!("day {day}")), ..event };
        let shelf = self.shelves[place].clone();
        shelf.hear(vec![guarded(event)], 1, self.now).await.unwrap();
        let reader = Reader {
            authority: Box::new(|origin| match origin.event {
                EventType::UserMessage | EventType::Remember | EventType::File => Authority::Change.into(),
                _ => Authority::Add.into(),
            }),
            zone: TimeZone::UTC,
            project: None,
            adviser: None,
        };
        let beside = (place == 0).then(|| self.shelves[1].clone());
        let read = shelf.read_turns(&reader, beside.as_deref(), self.now).await.unwrap();
        for decision in read.decisions {
            let fact = decision.fact.as_deref().unwrap_or(rest);
            let other = decision.other.filter(|_| decision.action != Action::Create);
            let other = other.map(|id| format!(" [{}]", self.label_of(id))).unwrap_or_default();
            let why = match (decision.action, &decision.fact) {
                (Action::Skip, None) => format!(" ({})", decision.reason),
                _ => String::new(),
            };
            writeln!(self.told, "{}{other}{why}: {fact}", decision.action).unwrap();
            if matches!(decision.action, Action::Create | Action::Supersede | Action::Challenge)
                && let Some(id) = decision.memory
            {
                let taken = self.labels.keys().filter(|label| label.starts_with(&format!("d{day}"))).count();
                let letter = ["", "b", "c", "d", "e", "f"][taken.min(5)];
                self.labels.insert(format!("d{day}{letter}"), (place, vec![id]));
            }
        }
    }

    /// Why a memory is there.
    async fn why(&mut self, label: &str) {
        let (place, id) = self.named(label);
        for decision in self.shelves[place].store().decisions_on(id).await.unwrap() {
            let turn = self.shelves[place].store().load_turns(vec![decision.turn]).await.unwrap();
            let said = turn.first().map_or("?", |turn| turn.content.as_str());
            writeln!(self.told, "{} because \"{said}\": {}", decision.action, decision.reason).unwrap();
        }
    }

    /// What a memory is, besides its text.
    async fn inspect(&mut self, label: &str) {
        let (place, id) = self.named(label);
        let memory = self.shelves[place].load(id).await.unwrap();
        write!(self.told, "{label}: {} {}", memory.status, memory.kind).unwrap();
        write!(self.told, ", confidence {:.1}", memory.confidence.get()).unwrap();
        write!(self.told, ", said {}x", memory.provenance.evidence.len()).unwrap();
        if let Some(until) = memory.validity.valid_until {
            write!(self.told, ", until {}", until.strftime("%a %Y-%m-%d")).unwrap();
        }
        self.told.push('\n');
    }

    fn named(&self, label: &str) -> (usize, MemoryId) {
        let (label, back) = label.split_once('~').unwrap_or((label, "0"));
        let back: usize = back.parse().unwrap();
        let (place, ids) = &self.labels[label];
        (*place, ids[ids.len() - 1 - back])
    }

    fn label_of(&self, id: MemoryId) -> String {
        self.labels
            .iter()
            .find_map(|(label, (_, ids))| {
                let place = ids.iter().position(|known| *known == id)?;
                let back = ids.len() - 1 - place;
                Some(if back == 0 { label.clone() } else { format!("{label}~{back}") })
            })
            .unwrap_or_else(|| "?".to_owned())
    }

    async fn recall(&mut self, rest: &str) {
        let (query, when) = rest.split_once('|').unwrap_or((rest, ""));
        let as_of = when.trim().strip_prefix("as of day").map(|number| {
            let number: i64 = number.trim().parse().expect("a day");
            day(number + 1)
        });
        let timeline = when.trim() == "timeline";
        let ask = Ask { limit: 5, as_of, timeline, ..Ask::about(query.trim()) };
        let now = self.now.to_zoned(TimeZone::UTC);
        let found = recall(&self.shelves, &ask, &now).await.unwrap().found;
        if found.is_empty() {
            writeln!(self.told, "nothing").unwrap();
        }
        for (place, hit) in found.iter().enumerate() {
            let mut notes = Vec::new();
            if hit.memory.scope != Scope::Project {
                notes.push(hit.memory.scope.to_string());
            }
            if !matches!(hit.status, Status::Created | Status::Active) {
                notes.push(hit.status.to_string());
            }
            notes.extend(hit.supersedes.iter().map(|id| format!("supersedes {}", self.label_of(*id))));
            let notes = if notes.is_empty() { String::new() } else { format!("   ({})", notes.join(", ")) };
            writeln!(self.told, "{}. {}{notes}", place + 1, hit.memory.content).unwrap();
        }
        if as_of.is_none() {
            for hit in &found {
                self.shelves[hit.shelf].note_use([hit.memory.id], self.now);
            }
            for shelf in &self.shelves {
                shelf.flush_notes().await.unwrap();
            }
        }
    }
}
