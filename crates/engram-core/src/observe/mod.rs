//! What of a message is worth remembering, before anything is written.
//!
//! Everything here reads one message, or the tool calls of a session, and
//! nothing else: no store, no model, no clock. A message passes the filters of
//! `sift`, falls into sentences, and each sentence is weighed by itself
//! (`reading`), because one of them is often worth keeping among many that are
//! not. How a kept sentence becomes a memory is not known here.

mod asked;
mod cues;
mod emotion;
mod entity;
mod lexicon;
mod lookup;
mod names;
mod outcome;
mod reading;
pub(crate) mod sentence;
mod shape;
mod sift;
mod standing;

pub use asked::asks_to_be_kept;
pub use emotion::{Emotion, Feeling, emotion_of};
pub use entity::{Entity, EntityKind, MOST_ENTITIES, entities_of};
pub(crate) use entity::{bare, humps, is_path, is_symbol, is_version, name_of};
pub(crate) use names::{CALENDAR, COUNTED, ENDINGS, FOLDERS, MACHINE_ENDINGS, NAMED_FILES};
pub use outcome::{Learned, ToolEvent, command_line, outcome_of};
pub use sift::without_own_text;

use crate::ask::trivial_of;
use crate::kind::Kind;
use crate::unit::Confidence;
use crate::words::words;
use reading::{Reading, reading_of};
use serde::{Deserialize, Serialize};
use std::ops::Range;

words! {
    /// Who said it.
    pub enum Role ("role") {
        User = "user",
        Assistant = "assistant",
        Tool = "tool",
        Subagent = "subagent",
    }
}

words! {
    /// Why nothing of a message is kept.
    pub enum Skipped ("reason to skip") {
        /// Ten characters or fewer.
        TooShort = "too_short",
        /// A document rather than a message.
        TooLong = "too_long",
        /// Written by a program around the conversation, or by a tool.
        MachineText = "machine_text",
        /// What engram itself put before the agent.
        OwnText = "own_text",
        /// It orders whoever reads it to forget what they were told.
        Instructions = "instructions",
        /// HTML, or Markdown with more structure than sentences.
        Markup = "markup",
        Code = "code",
        PastedLog = "pasted_log",
        Emoji = "emoji",
        /// Greetings, thanks, praise, a yes or a no.
        Chatter = "chatter",
        Question = "question",
        /// A slash command, a line for a shell, a lone path or address.
        Command = "command",
        /// Work that is asked for now.
        Request = "request",
        /// An agent telling what it does.
        Narration = "narration",
        /// True at this moment only, or only perhaps.
        Passing = "passing",
        /// It says fewer than two things, or nothing that lasts.
        Thin = "thin",
    }
}

/// A message, and who said it.
#[derive(Debug, Clone, Copy)]
pub struct Heard<'t> {
    pub text: &'t str,
    pub role: Role,
}

/// What became of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Observed {
    Keep(Observation),
    Skip(Skipped),
}

/// What of a message is worth keeping.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Observation {
    /// That of its strongest sentence.
    pub kind: Kind,
    pub confidence: Confidence,
    /// How many things the kept sentences say: names, facts, times and
    /// corrections, each counted once.
    pub density: u32,
    /// The surest first, no more than `MOST_ENTITIES`.
    pub entities: Vec<Entity>,
    /// Of all that was said in words, since the mood is seldom in the kept
    /// sentence.
    pub emotion: Emotion,
    /// The sentences worth keeping, as byte ranges of the message.
    pub sentences: Vec<Range<usize>>,
    /// The cues that decided, each with the sign it is.
    pub because: Vec<String>,
}

/// What somebody said in a message, sentence by sentence, without what engram
/// or a program put into it; nothing where nobody said anything.
pub(crate) fn spoken_in(text: &str) -> Vec<Range<usize>> {
    sift::sift(text).map(|sifted| sentences_of(text, &sifted.prose)).unwrap_or_default()
}

fn sentences_of(text: &str, lines: &[Range<usize>]) -> Vec<Range<usize>> {
    let within = |line: &Range<usize>| {
        let start = line.start;
        let sentences = sentence::sentences_of(&text[line.clone()]);
        sentences.into_iter().map(move |range| start + range.start..start + range.end)
    };
    lines.iter().flat_map(within).collect()
}

/// Reads a message and decides whether anything of it is kept.
pub fn observe(heard: &Heard<'_>) -> Observed {
    // What a tool printed was said by nobody; what a session's tools did is
    // read by `outcome_of`.
    if heard.role == Role::Tool {
        return Observed::Skip(Skipped::MachineText);
    }
    let sifted = match sift::sift(heard.text) {
        Ok(sifted) => sifted,
        Err(why) => return Observed::Skip(why),
    };
    let sentences = sentences_of(heard.text, &sifted.prose);
    let mut readings: Vec<Reading> = Vec::with_capacity(sentences.len());
    for range in &sentences {
        let objected_before = readings.last().is_some_and(|before| before.objects);
        readings.push(reading_of(&heard.text[range.clone()], heard.role, objected_before));
    }
    join_causes_and_cures(&mut readings);
    let kept: Vec<usize> = (0..readings.len()).filter(|at| readings[*at].keeps.is_some()).collect();
    let strongest =
        kept.iter().filter_map(|at| readings[*at].keeps).max_by(|one, other| one.1.total_cmp(&other.1));
    let Some((kind, score)) = strongest else {
        return Observed::Skip(why_nothing(heard.text, sifted.mostly, &readings));
    };
    let mut entities: Vec<Entity> = Vec::new();
    let mut because = Vec::new();
    for at in &kept {
        for entity in &readings[*at].entities {
            if entities.len() < MOST_ENTITIES && !entities.iter().any(|known| known.name == entity.name) {
                entities.push(entity.clone());
            }
        }
        let cues = readings[*at].cues.iter();
        because.extend(cues.map(|cue| format!("{:?}: {}", cue.sign, cue.written).to_lowercase()));
        if readings[*at].cues.is_empty() {
            because.push("a plain statement".to_owned());
        }
    }
    // A name in two sentences is one thing.
    let named = u32::try_from(entities.len()).unwrap_or(u32::MAX);
    let beside = kept.iter().map(|at| &readings[*at]).map(|reading| {
        reading.density.saturating_sub(u32::try_from(reading.entities.len()).unwrap_or(u32::MAX))
    });
    let density = beside.sum::<u32>().saturating_add(named);
    let spoken: Vec<&str> = sifted.prose.iter().map(|line| &heard.text[line.clone()]).collect();
    Observed::Keep(Observation {
        kind,
        confidence: confidence_of(kind, score, density, heard.role),
        density,
        entities,
        emotion: emotion_of(&spoken.join("\n")),
        sentences: kept.into_iter().map(|at| sentences[at].clone()).collect(),
        because,
    })
}

/// A cause in one sentence and the cure in one of the next two are one error
/// fix.
fn join_causes_and_cures(readings: &mut [Reading]) {
    for at in 0..readings.len() {
        if !readings[at].cause || readings[at].cure {
            continue;
        }
        let cured = (at + 1..readings.len().min(at + 3)).find(|next| readings[*next].cure);
        let Some(cured) = cured else { continue };
        let score = 1.4 + 0.1 * (readings[at].entities.len() + readings[cured].entities.len()).min(4) as f64;
        if readings[at].density + readings[cured].density > reading::LEAST_DENSITY {
            readings[at].keeps = Some((Kind::ErrorFix, score));
            readings[cured].keeps = Some((Kind::ErrorFix, score));
        }
    }
}

/// The reason that tells most about a message of which nothing is kept.
fn why_nothing(text: &str, mostly: Option<Skipped>, readings: &[Reading]) -> Skipped {
    if let Some(why) = mostly {
        return why;
    }
    if readings.len() <= 3 && trivial_of(text).is_some() {
        return Skipped::Chatter;
    }
    let order = [Skipped::Request, Skipped::Question, Skipped::Narration, Skipped::Passing, Skipped::Chatter];
    let said = |why: &Skipped| readings.iter().any(|reading| reading.against == *why);
    order.into_iter().find(said).unwrap_or(Skipped::Thin)
}

/// How sure it is that the kind is right and that it lasts. S3 gives a base
/// for five kinds; the others are set beside their nearest.
fn confidence_of(kind: Kind, score: f64, density: u32, role: Role) -> Confidence {
    let base = match kind {
        Kind::Correction | Kind::ErrorFix => 0.4,
        Kind::Decision | Kind::Convention => 0.35,
        Kind::Fact => 0.25,
        _ => 0.3,
    };
    let sure = base + 0.25 * score.min(1.6) + 0.03 * f64::from(density.min(6));
    Confidence::clamped(if role == Role::User { sure.min(0.95) } else { 0.85 * sure })
}

#[cfg(test)]
mod tests;
