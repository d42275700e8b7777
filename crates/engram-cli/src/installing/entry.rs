//! What engram writes into a file, and the edits that put it there and take it
//! out again, whatever the file's format.
//!
//! Pure: texts go in, texts come out.

use super::json_text::{self, Trouble};
use super::toml_text;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Everything that engram has in one file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Content {
    pub(crate) entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EntryKind {
    /// A member of a JSON object, ours alone.
    Member,
    /// A member that has to be there; whoever wrote it.
    Needed,
    /// An element of a JSON array, beside others.
    Element,
    /// A table of a TOML file.
    Table,
    /// The whole file.
    Whole,
}

/// One thing of ours in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) kind: EntryKind,
    /// The keys that lead to it; of an element, to its array.
    pub(crate) at: Vec<String>,
    pub(crate) value: Value,
    /// What it took the place of, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) replaced: Option<String>,
    /// Exactly what was written, where that helps to find it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) written: Option<String>,
}

/// Whether an entry is in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    Absent,
    Same,
    /// Something else is in its place, or it was changed.
    Other,
}

/// A text with our entries in it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Filled {
    pub(crate) text: String,
    /// Those that were put in.
    pub(crate) entries: Vec<Entry>,
    /// The containers that were made for them.
    pub(crate) made: Vec<Vec<String>>,
}

/// A text without our entries.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Emptied {
    pub(crate) text: String,
    /// Nothing is left in it that is not ours.
    pub(crate) bare: bool,
    /// Those that somebody changed; they stay.
    pub(crate) left: Vec<Entry>,
}

impl Entry {
    pub(crate) fn new(kind: EntryKind, at: &[&str], value: Value) -> Self {
        let at = at.iter().map(|key| (*key).to_owned()).collect();
        Self { kind, at, value, replaced: None, written: None }
    }

    /// What it is called in front of a person.
    pub(crate) fn name(&self) -> String {
        match self.kind {
            EntryKind::Whole => "the file".to_owned(),
            EntryKind::Element => format!("the entry of engram in {}", self.at.join(".")),
            _ => self.at.join("."),
        }
    }

    /// Whether it is the server; what else there is makes the hooks.
    pub(crate) fn is_server(&self) -> bool {
        matches!(self.kind, EntryKind::Member | EntryKind::Table)
    }

    /// The same place in a file, whatever is written there.
    pub(crate) fn is_at_place_of(&self, other: &Entry) -> bool {
        self.kind == other.kind && self.at == other.at
    }

    pub(crate) fn presence(&self, text: &str) -> Result<Presence, Trouble> {
        let judged = |there: Option<&Value>| match there {
            None => Presence::Absent,
            Some(there) if *there == self.value => Presence::Same,
            Some(_) => Presence::Other,
        };
        Ok(match self.kind {
            EntryKind::Whole if text.is_empty() => Presence::Absent,
            EntryKind::Whole => judged(Some(&Value::from(text))),
            EntryKind::Table => judged(json_text::look(&toml_text::value_of(text)?, &self.at)),
            EntryKind::Member => judged(json_text::look(&json_text::value_of(text)?, &self.at)),
            EntryKind::Needed => match json_text::look(&json_text::value_of(text)?, &self.at) {
                None => Presence::Absent,
                Some(_) => Presence::Same,
            },
            EntryKind::Element => {
                let whole = json_text::value_of(text)?;
                let list = json_text::look(&whole, &self.at).and_then(Value::as_array);
                let list = list.map(Vec::as_slice).unwrap_or_default();
                match mark(&self.value) {
                    _ if list.contains(&self.value) => Presence::Same,
                    Some(mark) if list.iter().any(|element| says(element, mark)) => Presence::Other,
                    _ => Presence::Absent,
                }
            }
        })
    }

    /// Puts it in; what is in its place goes.
    fn put_in(&self, text: &str) -> Result<Filled, Trouble> {
        let mut entry = self.clone();
        let is_there = self.presence(text)? == Presence::Other;
        let (text, made) = match self.kind {
            EntryKind::Whole => {
                entry.replaced = is_there.then(|| text.to_owned());
                (self.value.as_str().unwrap_or_default().to_owned(), Vec::new())
            }
            EntryKind::Member if is_there => {
                let (edited, old) =
                    json_text::replace(text, &self.at, &self.value)?.ok_or(Trouble::Unsafe)?;
                entry.replaced = Some(old);
                (edited, Vec::new())
            }
            EntryKind::Member | EntryKind::Needed => {
                let inserted = json_text::insert_member(text, &self.at, &self.value)?;
                (inserted.text, inserted.made)
            }
            EntryKind::Element => {
                let inserted = json_text::insert_element(text, &self.at, &self.value)?;
                (inserted.text, inserted.made)
            }
            EntryKind::Table => {
                let cleared = if is_there {
                    toml_text::remove(text, &self.at, "")?.ok_or(Trouble::Unsafe)?
                } else {
                    text.to_owned()
                };
                let (edited, written) = toml_text::append(&cleared, &self.at, &self.value)?;
                entry.written = Some(written);
                (edited, Vec::new())
            }
        };
        Ok(Filled { text, entries: vec![entry], made })
    }

    fn take_out(&self, text: &str) -> Result<Option<String>, Trouble> {
        match (self.kind, &self.replaced) {
            (EntryKind::Member, Some(old)) => json_text::put_back(text, &self.at, old),
            (EntryKind::Member | EntryKind::Needed, _) => json_text::remove_member(text, &self.at),
            (EntryKind::Element, _) => json_text::remove_element(text, &self.at, &self.value),
            (EntryKind::Table, _) => {
                toml_text::remove(text, &self.at, self.written.as_deref().unwrap_or_default())
            }
            (EntryKind::Whole, old) => Ok(Some(old.clone().unwrap_or_default())),
        }
    }
}

/// The words in a hook's command after the program, by which a changed or an
/// older entry is still known as ours, wherever it looks for engram.
fn mark(value: &Value) -> Option<&str> {
    const CALL: &str = "hook --agent ";
    match value {
        Value::String(text) => text.find(CALL).map(|at| &text[at..]),
        Value::Array(list) => list.iter().find_map(mark),
        Value::Object(object) => object.values().find_map(mark),
        _ => None,
    }
}

fn says(value: &Value, words: &str) -> bool {
    match value {
        Value::String(text) => text.contains(words),
        Value::Array(list) => list.iter().any(|value| says(value, words)),
        Value::Object(object) => object.values().any(|value| says(value, words)),
        _ => false,
    }
}

/// Puts every entry in that is not there. One that somebody changed is left,
/// unless it is to be replaced.
pub(crate) fn fill(text: &str, entries: &[Entry], replace: bool) -> Result<Filled, Trouble> {
    let mut filled = Filled { text: text.to_owned(), entries: Vec::new(), made: Vec::new() };
    for entry in entries {
        let wanted = match entry.presence(&filled.text)? {
            Presence::Absent => true,
            Presence::Same => false,
            Presence::Other => replace && entry.kind != EntryKind::Element,
        };
        if wanted {
            let next = entry.put_in(&filled.text)?;
            filled.text = next.text;
            filled.entries.extend(next.entries);
            filled.made.extend(next.made);
        }
    }
    Ok(filled)
}

/// Takes every entry out that is still as it was written, and the containers
/// that were made for them and hold nothing else.
pub(crate) fn empty(text: &str, entries: &[Entry], made: &[Vec<String>]) -> Result<Emptied, Trouble> {
    let mut text = text.to_owned();
    let mut left = Vec::new();
    for entry in entries {
        // Whoever wrote what is needed, it is ours only if it still says so.
        let exact = Entry { kind: strict(entry.kind), ..entry.clone() };
        match exact.presence(&text)? {
            Presence::Absent => {}
            Presence::Other => left.push(entry.clone()),
            Presence::Same => text = entry.take_out(&text)?.ok_or(Trouble::Unsafe)?,
        }
    }
    // Containers are JSON's only, and only where an entry made one.
    let mut made = made.to_vec();
    made.sort_by_key(|at| std::cmp::Reverse(at.len()));
    for at in made {
        if let Some(edited) = json_text::remove_empty(&text, &at)? {
            text = edited;
        }
    }
    let body = text.trim_start_matches('\u{feff}').trim();
    let bare = body.is_empty() || body == "{}";
    Ok(Emptied { text, bare, left })
}

const fn strict(kind: EntryKind) -> EntryKind {
    match kind {
        EntryKind::Needed => EntryKind::Member,
        other => other,
    }
}
