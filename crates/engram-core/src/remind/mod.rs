//! Prospective memory: what somebody wants to be reminded of, and when.
//!
//! A reminder is read from the words of a message (`english`, `turkish`), kept
//! beside the text of a memory, and due when its day has come or what it waits
//! for comes up. The readings are guesses by word lists; no store, no model and
//! no clock has a part in them. Where a message may as well ask about the past
//! ("remind me what port staging uses"), it is no reminder.

mod english;
mod sentence;
#[cfg(test)]
mod tests;
mod topic;
mod turkish;

use crate::ask::speech::{says, words_of};
use crate::form;
use crate::id::MemoryId;
use crate::memory::Memory;
use crate::observe::{spoken_in, without_own_text};
use crate::present::{age, in_one_line, shortened};
use crate::unit::Similarity;
use jiff::{Timestamp, Zoned};
use sentence::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::ops::Range;

/// What somebody wants to be reminded of. With neither a condition nor a day
/// it is due when the next session starts, and at no prompt before that: who
/// says "remind me to X" does not want to hear it in the next answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reminder {
    /// What to be reminded of.
    pub text: String,
    /// What has to come up, in the user's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// Not before this moment; a day begins at its midnight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_at: Option<Timestamp>,
}

/// Under this name a memory keeps its reminder.
const KEY: &str = "reminder";

/// How the line of a reminder begins, and how the facts in it do.
pub(crate) const REMINDER: &str = "- reminder: ";
pub(crate) const ASKED_FOR: &str = " (you asked for it ";

impl Reminder {
    /// None: the memory is no reminder.
    pub fn of(memory: &Memory) -> Option<Reminder> {
        Self::deserialize(memory.structured.as_ref()?.get(KEY)?).ok()
    }

    /// As a memory keeps it, in `Memory::structured`.
    pub fn to_structured(&self) -> Map<String, Value> {
        let mut kept = Map::new();
        // A text and a time always have a value.
        kept.insert(KEY.to_owned(), serde_json::to_value(self).unwrap_or_default());
        kept
    }
}

/// What a sentence asks for.
struct Asked {
    text: String,
    when: Option<String>,
    moment: Option<form::Moment>,
}

/// A reminder that a message asks for, and the part of the message that does.
pub struct AskedFor {
    pub reminder: Reminder,
    pub range: Range<usize>,
}

/// The reminders that a message asks for, in their order; its time zone is the
/// speaker's.
pub fn reminders_in(text: &str, said_at: &Zoned) -> Vec<AskedFor> {
    let sentences = spoken_in(text);
    let asked = sentences.iter().enumerate().filter_map(|(place, range)| {
        let sentence = Sentence::of(&text[range.clone()]);
        let asked =
            english::asked_in(&sentence, said_at).or_else(|| turkish::asked_in(&sentence, said_at))?;
        let before = place.checked_sub(1).map(|before| sentences[before].clone());
        let mut range = range.clone();
        let text = if points_back(&asked.text) {
            let before = before.filter(|before| words_of(&text[before.clone()]).len() >= FEWEST_WORDS)?;
            range.start = before.start;
            text[before].trim_end_matches(['.', '!', ':', ',']).to_owned()
        } else {
            asked.text
        };
        let due_at = match asked.moment {
            Some(moment) => Some(moment.begins_at(said_at)?),
            None => None,
        };
        // What names nothing ("when we talk again") is the next session.
        let when = asked.when.filter(|when| topic::names_something(when));
        Some(AskedFor { reminder: Reminder { text, when, due_at }, range })
    });
    asked.collect()
}

/// A shorter sentence before the order is nothing to be reminded of: "Thanks."
const FEWEST_WORDS: usize = 3;

/// "Remind me of this", "remind me tomorrow": what was said before is meant.
fn points_back(text: &str) -> bool {
    let words = words_of(text);
    let pointing = "this|that|it|these|them|bunu|sunu|onu|bunlari|all|of|hepsini";
    (0..words.len()).all(|at| says(&words[at..=at], pointing))
}

/// When somebody may be reminded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment<'p> {
    SessionStart,
    Prompt(&'p str),
}

/// From here on a prompt speaks of what a reminder waits for, even where it
/// says so in other words.
const ALIKE: f64 = 0.75;

/// Whether it is to be told now. `likeness` is that of the prompt to the
/// condition, where an embedder can tell.
pub fn is_due(reminder: &Reminder, moment: Moment<'_>, likeness: Option<Similarity>, at: Timestamp) -> bool {
    let day_has_come = reminder.due_at.is_none_or(|due_at| due_at <= at);
    match (moment, &reminder.when) {
        (Moment::SessionStart, Some(_)) => false,
        (Moment::SessionStart, None) => day_has_come,
        (Moment::Prompt(_), None) if reminder.due_at.is_none() => false,
        (Moment::Prompt(prompt), when) => {
            let prompt = without_own_text(prompt);
            let comes_up = |when: &String| {
                let alike = likeness.is_some_and(|likeness| likeness.get() >= ALIKE);
                topic::comes_up(when, &prompt) || alike && topic::numbers_come_up(when, &prompt)
            };
            day_has_come && !speaks_of_reminding(&prompt) && when.as_ref().is_none_or(comes_up)
        }
    }
}

/// Whether a prompt sets a reminder or asks about one.
fn speaks_of_reminding(prompt: &str) -> bool {
    says(&words_of(prompt), ABOUT_REMINDERS)
}

const ABOUT_REMINDERS: &str = "remind me|us, reminded|reminding me|us, ask|asked|told|tell .. to remind, \
    let me|us forget, my|any|what|which|that|your|a reminder|reminders, reminder|reminders to|about|for|of|that|do, \
    hatirlat, hatirlatir, hatirlatabilir, hatirlatsana, hatirlatin, hatirlatma*, hatirlatacak*, \
    hatirlatmis*, hatirlatici*, unutturma*";

/// So many letters at the end of an identifier are shown.
const SHORT_ID: usize = 6;

/// One line without a line break that cannot leave a fence.
pub fn reminder_line(memory: &Memory, reminder: &Reminder, at: Timestamp) -> String {
    let text = shortened(&in_one_line(&reminder.text));
    let mut asked = age(memory.created_at, at);
    if let Some(when) = &reminder.when {
        asked += &format!(", for when: \"{}\"", shortened(&in_one_line(when)).replace('"', "'"));
    }
    if let Some(due_at) = reminder.due_at {
        asked += &format!(", due {}", age(due_at, at));
    }
    format!("{REMINDER}{text}{ASKED_FOR}{asked}; id {})", short_id(memory.id))
}

fn short_id(id: MemoryId) -> String {
    let whole = id.to_string();
    whole[whole.len() - SHORT_ID..].to_owned()
}
