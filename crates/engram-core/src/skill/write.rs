//! The file of a skill: what stands in it, whose it is, and what is to be done
//! about it.
//!
//! The file says itself which skill it belongs to and whether somebody edited
//! it: its last line holds the digest of all the rest. So it can be told apart
//! from a person's file wherever it goes and whatever was taken back since.

use super::{OnDisk, Skill};
use crate::evolve::count;
use crate::id::{MemoryId, digest};
use crate::memory::Memory;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// How the last line of a file begins that engram wrote, and what it goes on
/// with.
pub const FILE_MARK: &str = "<!-- engram-skill ";
const ADVICE: &str = "Edit it freely: engram does not write over an edited file. -->";

/// What is to be done about the file of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileStep {
    Write {
        text: String,
    },
    Remove,
    /// It is as it should be.
    Keep,
    /// Nothing, although it is not as it should be, and why.
    Leave(&'static str),
}

/// The whole `SKILL.md`. None: the memory is no skill, or has lost its text.
pub fn file_of(memory: &Memory) -> Option<String> {
    let skill = Skill::of(memory).filter(|_| !memory.content.is_empty())?;
    let Skill { name, description, sources, .. } = &skill;
    let mut text = format!("---\nname: {name}\ndescription: {}\n---\n\n", quoted(description));
    text.push_str(&format!("# {}\n\n## When\n\n{description}\n\n", name.title()));
    // A text with a heading of its own is told as it is.
    let headed = memory.content.lines().any(|line| line.starts_with('#'));
    text.push_str(if headed { "" } else { "## Steps\n\n" });
    text.push_str(&memory.content.trim().replace("\r\n", "\n"));
    text.push_str("\n\n## Where this comes from\n\n");
    for source in sources {
        text.push_str(&format!("- {source}, {}\n", born_on(*source)));
    }
    let made = match sources.len() {
        0 => "made by hand.".to_owned(),
        number => format!("made from {}.", count(u32::try_from(number).unwrap_or(u32::MAX), "procedure")),
    };
    if sources.is_empty() {
        text.push_str("- It was stated outright.\n");
    }
    let digest = digest_of(&text);
    text.push_str(&format!("\n{FILE_MARK}{} {digest}: {made} {ADVICE}\n", memory.id));
    Some(text)
}

/// As the head of the file wants it: on one line, between double quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The day on which a memory was made, by its name.
fn born_on(id: MemoryId) -> String {
    let millis = i64::try_from(id.ulid().timestamp_ms()).unwrap_or(i64::MAX);
    let at = Timestamp::from_millisecond(millis).unwrap_or(Timestamp::UNIX_EPOCH);
    at.to_zoned(TimeZone::UTC).date().to_string()
}

/// What a text is known by. How its lines end does not count, for a working tree
/// may be checked out with others.
fn digest_of(text: &str) -> String {
    format!("{:032x}", digest(&[text.replace("\r\n", "\n").trim_end()]))
}

/// What lies there, by its text. `knows` tells whether a skill is one of this
/// store; what a colleague's engram wrote is somebody else's.
pub fn on_disk(text: Option<&str>, knows: impl Fn(MemoryId) -> bool) -> OnDisk {
    let Some(text) = text else { return OnDisk::Absent };
    let Some((place, skill, told)) = mark_in(text) else { return OnDisk::Foreign };
    if !knows(skill) {
        return OnDisk::Foreign;
    }
    let ends = text[place..].trim_end().ends_with(ADVICE) && text[place..].trim_end().lines().count() == 1;
    if ends && digest_of(&text[..place]) == told {
        OnDisk::Ours { skill, digest: told.to_owned() }
    } else {
        OnDisk::Edited
    }
}

/// The skill that a file says it belongs to, edited or not. None: it bears no mark
/// of engram.
pub fn skill_marked_in(text: &str) -> Option<MemoryId> {
    mark_in(text).map(|(_, skill, _)| skill)
}

/// Where the mark stands, which skill it names, and the digest it gives.
fn mark_in(text: &str) -> Option<(usize, MemoryId, &str)> {
    let place = text.rfind(FILE_MARK)?;
    let mut words = text[place + FILE_MARK.len()..].split([' ', ':']);
    let skill = words.next()?.parse::<MemoryId>().ok()?;
    Some((place, skill, words.next().unwrap_or_default()))
}

/// What is to be done about the file of a skill. What a person edited, wrote or
/// removed is left alone, whatever becomes of the memory.
pub fn plan_file(memory: &Memory, on_disk: &OnDisk) -> FileStep {
    let Some(text) = file_of(memory).filter(|_| memory.status.is_current()) else {
        return plan_gone(memory.id, on_disk);
    };
    match on_disk {
        OnDisk::Ours { skill, digest } if *skill == memory.id && text.contains(digest.as_str()) => {
            FileStep::Keep
        }
        OnDisk::Absent | OnDisk::Ours { .. } => FileStep::Write { text },
        OnDisk::Removed => FileStep::Leave("somebody removed it"),
        OnDisk::Edited => FileStep::Leave(EDITED),
        OnDisk::Foreign => FileStep::Leave(FOREIGN),
    }
}

const EDITED: &str = "somebody edited it";
const FOREIGN: &str = "somebody else wrote it";

/// The same where the skill is no longer in force, or is not there any more.
pub fn plan_gone(skill: MemoryId, on_disk: &OnDisk) -> FileStep {
    match on_disk {
        OnDisk::Ours { skill: of, .. } if *of == skill => FileStep::Remove,
        OnDisk::Ours { .. } => FileStep::Leave("another skill took its place"),
        OnDisk::Absent | OnDisk::Removed => FileStep::Keep,
        OnDisk::Edited => FileStep::Leave(EDITED),
        OnDisk::Foreign => FileStep::Leave(FOREIGN),
    }
}
