//! The atomic facts of a message.
//!
//! A fact is dropped when it is not grounded in the message; when none is
//! left of what was offered, the whole answer is.

use super::grounds::Grounds;
use super::{Advice, Rejected, object_schema, plain_text, quoted, shaped};
use crate::ask::when::{self, Mention};
use crate::kind::{Class, Kind};
use crate::port::Asked;
use jiff::civil::Date;
use jiff::{Timestamp, Zoned};
use serde::Deserialize;
use serde_json::json;

/// More facts than this are not in one message.
const MOST_FACTS: usize = 30;
/// In characters.
const LONGEST_FACT: usize = 500;
const LONGEST_ENTITY: usize = 80;
/// Of four words three must be the message's own.
const SHARE: usize = 75;
/// How far from a time of the message an end may lie.
const SLACK_SECONDS: i64 = 24 * 60 * 60;

pub struct Extract {
    pub message: String,
    /// When it was said, where whoever said it is.
    pub said_at: Zoned,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extracted {
    pub facts: Vec<ExtractedFact>,
    /// Why others were left out.
    pub dropped: Vec<Rejected>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtractedFact {
    pub text: String,
    pub kind: Kind,
    pub valid_until: Option<Timestamp>,
    pub entities: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    facts: Vec<Offered>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Offered {
    text: String,
    kind: Kind,
    valid_until: Option<String>,
    entities: Vec<String>,
}

/// What a message can be made of.
fn kinds() -> impl Iterator<Item = Kind> {
    Kind::ALL.iter().copied().filter(|kind| kind.class() != Class::Narrative)
}

impl Extract {
    fn read_fact(&self, grounds: &Grounds, offered: Offered) -> Result<ExtractedFact, Rejected> {
        let text = plain_text(&offered.text, LONGEST_FACT)?;
        if !kinds().any(|kind| kind == offered.kind) {
            return Err(Rejected::Shape(format!("a fact is no {}", offered.kind)));
        }
        grounds.check_closely(&text, SHARE)?;
        grounds.check_sense(&text)?;
        let mut entities = Vec::new();
        for entity in offered.entities {
            let entity = plain_text(&entity, LONGEST_ENTITY)?;
            if grounds.check_quote(&entity).is_ok() && !entities.contains(&entity) {
                entities.push(entity);
            }
        }
        let valid_until = offered.valid_until.and_then(|text| self.end(&text));
        Ok(ExtractedFact { text, kind: offered.kind, valid_until, entities })
    }

    /// An end counts if it lies ahead and the message speaks of that time.
    fn end(&self, text: &str) -> Option<Timestamp> {
        let end = match text.parse::<Timestamp>() {
            Ok(end) => end,
            Err(_) => text.parse::<Date>().ok()?.to_zoned(self.said_at.time_zone().clone()).ok()?.timestamp(),
        };
        if end <= self.said_at.timestamp() {
            return None;
        }
        let written = text.get(..10).is_some_and(|day| self.message.contains(day));
        let end_second = end.as_second();
        let spoken_of = || {
            when::read(&self.message, &self.said_at).mentions.into_iter().any(|mention| match mention {
                Mention::Period(period) => {
                    let from = period.from.as_second().saturating_sub(SLACK_SECONDS);
                    (from..=period.until.as_second().saturating_add(SLACK_SECONDS)).contains(&end_second)
                }
                _ => false,
            })
        };
        (written || spoken_of()).then_some(end)
    }
}

impl Advice for Extract {
    type Answer = Extracted;
    const OPERATION: &'static str = "extract";

    fn masked(self, mask: &dyn Fn(&str) -> String) -> Self {
        Extract { message: mask(&self.message), ..self }
    }

    fn ask(&self) -> Asked {
        let fact = object_schema(json!({
            "text": {"type": "string"},
            "kind": {"type": "string", "enum": kinds().map(Kind::as_str).collect::<Vec<_>>()},
            "valid_until": {"type": ["string", "null"]},
            "entities": {"type": "array", "items": {"type": "string"}},
        }));
        Asked {
            operation: Self::OPERATION,
            instruction: "List what is worth remembering in the message: one short sentence per fact, each \
                understandable alone, in the language and as far as possible in the words of the message. \
                Copy names, numbers, paths and commands exactly. Add nothing that is not said; keep every \
                \"not\" and \"never\". Leave out greetings, questions and requests of the moment. \
                valid_until is the date (YYYY-MM-DD) on which the fact ends if the message says so, or \
                else null. entities are the names in the fact. No fact is a good answer: an empty list."
                .to_owned(),
            material: json!({"message": self.message, "said_at": self.said_at.date().to_string()})
                .to_string(),
            schema: object_schema(json!({"facts": {"type": "array", "items": fact}})),
            most_tokens: 2_000,
        }
    }

    fn read(&self, answer: &str) -> Result<Extracted, Rejected> {
        let Answer { facts: offered } = shaped(answer)?;
        if offered.len() > MOST_FACTS {
            return Err(Rejected::Shape(format!("there are {} facts", offered.len())));
        }
        let grounds = Grounds::of(&[&self.message]);
        let mut facts: Vec<ExtractedFact> = Vec::new();
        let mut dropped = Vec::new();
        for offered in offered {
            match self.read_fact(&grounds, offered) {
                Ok(fact) if facts.iter().all(|known| known.text != fact.text) => facts.push(fact),
                Ok(_) => {}
                Err(rejected) => dropped.push(rejected),
            }
        }
        match dropped.first() {
            Some(rejected) if facts.is_empty() => Err(rejected.clone()),
            _ => Ok(Extracted { facts, dropped }),
        }
    }

    fn remark(answer: &Extracted) -> Option<String> {
        let first = answer.dropped.first()?;
        Some(format!("{} facts left out: {}", answer.dropped.len(), quoted(&first.to_string())))
    }
}
