//! From a turn to facts that may be worth a memory, or to the reason why there
//! is none.

use super::Reader;
use crate::adviser::Adviser;
use crate::shelf::Shelf;
use engram_core::advice::{DecidedBy, Extract, Extracted, ExtractedFact, Summarise};
use engram_core::authority::{Allowed, Origin};
use engram_core::claim::tells_of_change;
use engram_core::describe::{domain_of, summary_of};
use engram_core::form::{Fact, Said, Step, form};
use engram_core::memory::WriteSource;
use engram_core::observe::{
    Emotion, Entity, Heard, Learned, Observation, Observed, Role, Skipped, ToolEvent, asks_to_be_kept,
    emotion_of, entities_of, observe, outcome_of, without_own_text,
};
use engram_core::port::ReadError;
use engram_core::remind::{AskedFor, reminders_in};
use engram_core::turn::{Authority, EventType, Turn};
use engram_core::{Confidence, Kind, Timestamp};
use jiff::Zoned;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Where a memory keeps which file it came from.
pub(super) const SOURCE: &str = "source";

/// A text of more bytes than this is worth a summary of its own.
const LONG: usize = 400;
/// What says little in more bytes than this says nothing.
const LITTLE: usize = 200;

/// What became of a turn before anything is compared.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Considered {
    Keep(Prepared),
    Skip(String),
}

/// The facts of a turn, and who found them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Prepared {
    pub(super) prospects: Vec<Prospect>,
    pub(super) by: DecidedBy,
}

/// A fact that may become a memory.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Prospect {
    pub(super) text: String,
    pub(super) kind: Kind,
    pub(super) confidence: Confidence,
    pub(super) emotion: Emotion,
    pub(super) density: Option<u32>,
    pub(super) entities: Vec<Entity>,
    pub(super) valid_from: Option<Timestamp>,
    pub(super) valid_until: Option<Timestamp>,
    pub(super) tags: BTreeSet<String>,
    /// One line of it, where somebody found a better one than its beginning.
    pub(super) summary: Option<String>,
    pub(super) domain: Option<String>,
    pub(super) structured: Option<Map<String, Value>>,
    /// Somebody wants it protected.
    pub(super) pinned: bool,
    /// Its words ask for it to be remembered.
    pub(super) asked: bool,
    /// Why it is not kept, unless it changes what is known.
    pub(super) faint: Option<Skipped>,
    pub(super) write_source: WriteSource,
}

impl Shelf {
    /// What of a turn may be worth a memory. A defect in the reading of one turn
    /// costs that turn its memories and nothing else.
    /// `noting`: what is said is remembered for what is said next.
    pub(super) async fn prepare(
        &self,
        turn: &Turn,
        reader: &Reader,
        noting: bool,
    ) -> Result<Considered, ReadError> {
        let origin = Origin::of(turn);
        let allowed = (reader.authority)(&origin);
        self.load_conversation(turn.session).await?;
        let (calls, subjects) = {
            let mut hearing = self.hearing();
            let mut conversation = hearing.conversation(turn.session).clone();
            if turn.event == EventType::ToolCall {
                conversation.note_call(turn);
            }
            let known = (conversation.calls.clone(), conversation.subjects.clone());
            if noting {
                *hearing.conversation(turn.session) = conversation;
            }
            known
        };
        // Nothing is learned from what a tool printed that may not write.
        let may_write = |call: &ToolEvent| {
            let origin = Origin { event: EventType::ToolCall, tool: Some(&call.tool), ..origin };
            (reader.authority)(&origin).authority != Authority::Nothing
        };
        let calls: Vec<ToolEvent> = calls.into_iter().filter(may_write).collect();
        let said_at = turn.said_at.to_zoned(reader.zone.clone());
        let read = catch_unwind(AssertUnwindSafe(|| {
            let learned = if turn.event == EventType::ToolCall { outcome_of(&calls) } else { Vec::new() };
            consider(turn, &said_at, &subjects, &learned, &allowed)
        }));
        let mut considered =
            read.unwrap_or_else(|_| Considered::Skip("it could not be read: a defect".to_owned()));
        if let (Considered::Keep(prepared), Some(adviser)) = (&mut considered, &reader.adviser)
            && prepared.prospects.iter().all(|prospect| prospect.faint.is_none())
            && matches!(
                turn.event,
                EventType::UserMessage | EventType::AssistantMessage | EventType::SubagentResult
            )
            && adviser.llm.is_some()
        {
            extract(prepared, turn, said_at, adviser).await;
            for prospect in prepared.prospects.iter_mut().filter(|it| it.text.len() > LONG) {
                summarise(prospect, adviser).await;
            }
        }
        if let Considered::Keep(prepared) = &considered
            && noting
        {
            let named = prepared.prospects.iter().flat_map(|prospect| &prospect.entities);
            let named: Vec<String> = named.map(|entity| entity.written.clone()).collect();
            self.hearing().conversation(turn.session).note_subjects(named);
        }
        Ok(considered)
    }
}

/// The pure part: what the rules make of a turn.
pub(super) fn consider(
    turn: &Turn,
    said_at: &Zoned,
    subjects: &[String],
    learned: &[Learned],
    allowed: &Allowed,
) -> Considered {
    if allowed.authority == Authority::Nothing {
        return Considered::Skip(match &allowed.by {
            Some(by) => format!("{} may not write: {by}", by.who),
            None => format!("{} may not write", turn.event),
        });
    }
    if turn.instructions > 0 && turn.event.is_foreign() {
        return Considered::Skip(Skipped::Instructions.to_string());
    }
    match turn.event {
        EventType::ToolCall => from_tools(turn, learned),
        EventType::Remember => Considered::Keep(Prepared {
            prospects: vec![Prospect { asked: true, ..stated(turn, Kind::Fact) }],
            by: DecidedBy::Heuristic,
        }),
        EventType::File => from_file(turn, said_at, subjects),
        EventType::UserMessage if !reminders_in(&turn.content, said_at).is_empty() => {
            with_reminders(turn, said_at, subjects, learned, allowed)
        }
        EventType::UserMessage | EventType::AssistantMessage | EventType::SubagentResult => {
            match observe(&Heard { text: &turn.content, role: turn.role }) {
                Observed::Skip(why) if may_change(turn, why) => from_little(turn, why, said_at, subjects),
                Observed::Skip(why) => Considered::Skip(why.to_string()),
                Observed::Keep(observation) => from_words(turn, &observation, said_at, subjects),
            }
        }
    }
}

/// What somebody wants to be reminded of, and whatever else the message says.
fn with_reminders(
    turn: &Turn,
    said_at: &Zoned,
    subjects: &[String],
    learned: &[Learned],
    allowed: &Allowed,
) -> Considered {
    let mut prospects = Vec::new();
    let mut rest = turn.content.clone();
    for AskedFor { reminder, range } in reminders_in(&turn.content, said_at).into_iter().rev() {
        let words = turn.content[range.clone()].trim();
        let mut prospect = Prospect { asked: true, ..described(words, turn, Kind::Plan) };
        prospect.tags.insert("reminder".to_owned());
        prospect.structured.get_or_insert_default().extend(reminder.to_structured());
        prospects.insert(0, prospect);
        rest.replace_range(range, " ");
    }
    let rest = Turn { content: rest.trim().to_owned(), ..turn.clone() };
    if !rest.content.is_empty()
        && let Considered::Keep(others) = consider(&rest, said_at, subjects, learned, allowed)
    {
        prospects.extend(others.prospects);
    }
    Considered::Keep(Prepared { prospects, by: DecidedBy::Heuristic })
}

/// "Ownership went to Kenji" is too little for whoever does not know who had it,
/// and "use tabs, I changed my mind" is work for now, unless somebody knows
/// better.
fn may_change(turn: &Turn, why: Skipped) -> bool {
    let said = turn.content.trim();
    let short = said.len() <= LITTLE && !said.contains('\n');
    let told = match why {
        Skipped::Thin => true,
        Skipped::Passing | Skipped::Request => tells_of_change(said),
        _ => false,
    };
    turn.event == EventType::UserMessage && short && told
}

fn from_little(turn: &Turn, why: Skipped, said_at: &Zoned, subjects: &[String]) -> Considered {
    let facts = formed(turn.content.trim(), turn, said_at, subjects).into_iter();
    let faint = |fact| Prospect { faint: Some(why), ..told(turn, fact, Kind::Fact) };
    let prospects: Vec<Prospect> = facts.map(faint).collect();
    match prospects.is_empty() {
        true => Considered::Skip(why.to_string()),
        false => Considered::Keep(Prepared { prospects, by: DecidedBy::Heuristic }),
    }
}

/// What just became clear: learned from this very call.
fn from_tools(turn: &Turn, learned: &[Learned]) -> Considered {
    let fresh = learned.iter().filter(|learned| learned.at == turn.said_at);
    let prospects: Vec<Prospect> = fresh
        .map(|learned| {
            let mut structured = Map::new();
            structured.insert("commands".to_owned(), json!(learned.commands));
            Prospect {
                text: learned.text.clone(),
                kind: learned.kind,
                structured: Some(structured),
                ..stated(turn, learned.kind)
            }
        })
        .collect();
    if prospects.is_empty() {
        return Considered::Skip("a tool was used; nothing was learned from it".to_owned());
    }
    Considered::Keep(Prepared { prospects, by: DecidedBy::Heuristic })
}

/// Files are full of orders and headings: an order in a file is a convention,
/// where in a conversation it is work for today.
fn from_file(turn: &Turn, said_at: &Zoned, subjects: &[String]) -> Considered {
    let kind = match observe(&Heard { text: &turn.content, role: turn.role }) {
        Observed::Keep(observation) => return from_words(turn, &observation, said_at, subjects),
        Observed::Skip(
            why @ (Skipped::TooShort
            | Skipped::MachineText
            | Skipped::OwnText
            | Skipped::Instructions
            | Skipped::Code
            | Skipped::PastedLog
            | Skipped::Emoji
            | Skipped::Question
            | Skipped::Chatter),
        ) => return Considered::Skip(why.to_string()),
        Observed::Skip(Skipped::Request | Skipped::Command) => Kind::Convention,
        Observed::Skip(_) => Kind::Fact,
    };
    if turn.content.split_whitespace().count() < 3 {
        return Considered::Skip(Skipped::TooShort.to_string());
    }
    let prospects = formed(&turn.content, turn, said_at, subjects)
        .into_iter()
        .map(|fact| told(turn, fact, turn.kind.unwrap_or(kind)))
        .collect();
    Considered::Keep(Prepared { prospects, by: DecidedBy::Heuristic })
}

fn from_words(turn: &Turn, observation: &Observation, said_at: &Zoned, subjects: &[String]) -> Considered {
    let mut prospects = Vec::new();
    let several = observation.sentences.len() > 1;
    for range in joined(&turn.content, &observation.sentences) {
        let sentence = match turn.event {
            EventType::File => &turn.content[range],
            _ => without_number(&turn.content[range]),
        };
        for fact in formed(sentence, turn, said_at, subjects) {
            // What another sentence made of the whole message need not be what
            // this one is.
            let words = sentence.get(fact.evidence.clone()).unwrap_or(sentence);
            let own = several.then(|| observe(&Heard { text: words, role: turn.role }));
            let read = match &own {
                Some(Observed::Keep(own)) => own,
                _ => observation,
            };
            let mut prospect = told(turn, fact, turn.kind.unwrap_or(read.kind));
            prospect.confidence = read.confidence;
            prospect.density = Some(read.density);
            prospect.emotion = observation.emotion;
            prospect.asked = turn.event == EventType::UserMessage && asks_to_be_kept(words);
            if let Some(structured) = &mut prospect.structured {
                structured.insert("because".to_owned(), json!(read.because));
            }
            prospects.push(prospect);
        }
    }
    prospects.dedup_by(|one, other| one.text == other.text);
    Considered::Keep(Prepared { prospects, by: DecidedBy::Heuristic })
}

/// Whoever talks in a list numbers what is said next to each other, and each
/// line is kept alone; with its number, what is known would look new.
fn without_number(sentence: &str) -> &str {
    let digits = sentence.bytes().take_while(u8::is_ascii_digit).count();
    let after = [". ", ") "].iter().find_map(|mark| sentence[digits..].strip_prefix(mark));
    after.filter(|_| (1..=3).contains(&digits)).map_or(sentence, str::trim_start)
}

/// Sentences that stand next to each other are formed together, so that "it"
/// in the second finds its name in the first.
fn joined(text: &str, sentences: &[std::ops::Range<usize>]) -> Vec<std::ops::Range<usize>> {
    let mut joined: Vec<std::ops::Range<usize>> = Vec::new();
    for range in sentences {
        match joined.last_mut() {
            Some(last)
                if last.end <= range.start
                    && text[last.end..range.start].chars().all(|mark| matches!(mark, ' ' | '.' | '!')) =>
            {
                last.end = range.end;
            }
            _ => joined.push(range.clone()),
        }
    }
    joined
}

fn formed(text: &str, turn: &Turn, said_at: &Zoned, subjects: &[String]) -> Vec<Fact> {
    // An agent's "I" is not the user.
    let agent = matches!(turn.role, Role::Assistant | Role::Subagent).then_some("the agent");
    let said = Said { at: said_at, speaker: turn.speaker.as_deref().or(agent), before: subjects };
    form(text, &said)
}

fn told(turn: &Turn, fact: Fact, kind: Kind) -> Prospect {
    let changed = !fact.steps.is_empty();
    let steps: Vec<&str> = fact.steps.iter().map(|step: &Step| step.as_str()).collect();
    let kind = if fact.foresight && kind == Kind::Fact { Kind::Plan } else { kind };
    let mut prospect = Prospect {
        text: fact.text.clone(),
        valid_from: fact.valid_from,
        valid_until: fact.valid_until,
        write_source: if changed { WriteSource::Formation } else { WriteSource::Observer },
        ..described(&fact.text, turn, kind)
    };
    if changed && let Some(structured) = &mut prospect.structured {
        structured.insert("steps".to_owned(), json!(steps));
    }
    prospect
}

/// The turn's text as it is, as one fact.
pub(super) fn stated(turn: &Turn, kind: Kind) -> Prospect {
    let kind = turn.kind.unwrap_or(kind);
    described(turn.content.trim(), turn, kind)
}

fn described(text: &str, turn: &Turn, kind: Kind) -> Prospect {
    let entities = entities_of(text);
    let mut structured = Map::new();
    if !entities.is_empty() {
        let named = entities.iter().map(|entity| {
            let version = entity.version.as_ref().map(|version| format!("@{version}")).unwrap_or_default();
            json!(format!("{}:{}{version}", entity.kind, entity.written))
        });
        structured.insert("entities".to_owned(), named.collect());
    }
    if let Some(source) = &turn.source {
        structured.insert(SOURCE.to_owned(), json!(source));
    }
    Prospect {
        text: text.to_owned(),
        kind,
        confidence: Confidence::DEFAULT,
        emotion: emotion_of(text),
        density: None,
        tags: BTreeSet::new(),
        pinned: false,
        summary: None,
        domain: domain_of(text, &entities),
        entities,
        valid_from: None,
        valid_until: None,
        structured: Some(structured),
        asked: false,
        faint: None,
        write_source: WriteSource::Observer,
    }
}

/// A language model's facts in the place of the rules', where it has any that
/// are grounded.
async fn extract(prepared: &mut Prepared, turn: &Turn, said_at: Zoned, adviser: &Adviser) {
    let ask = Extract { message: without_own_text(&turn.content), said_at };
    let nothing = || Extracted { facts: Vec::new(), dropped: Vec::new() };
    let advised = adviser.advised(ask, nothing).await;
    if advised.by != DecidedBy::Model || advised.value.facts.is_empty() {
        return;
    }
    let like = prepared.prospects.first().cloned();
    prepared.by = DecidedBy::Model;
    prepared.prospects = advised
        .value
        .facts
        .into_iter()
        .map(|ExtractedFact { text, kind, valid_until, .. }| {
            let mut prospect = Prospect {
                valid_until,
                write_source: WriteSource::Formation,
                ..described(&text, turn, kind)
            };
            if let Some(like) = &like {
                prospect.confidence = like.confidence;
                prospect.density = like.density;
                prospect.emotion = like.emotion;
                prospect.asked = like.asked;
            }
            prospect
        })
        .collect();
}

/// A language model's summary of a long text; where there is none, its beginning
/// serves.
async fn summarise(prospect: &mut Prospect, adviser: &Adviser) {
    let beginning = summary_of(&prospect.text).unwrap_or_default();
    let advised = adviser.advised(Summarise { texts: vec![prospect.text.clone()] }, || beginning).await;
    prospect.summary = Some(advised.value).filter(|_| advised.by == DecidedBy::Model);
}
