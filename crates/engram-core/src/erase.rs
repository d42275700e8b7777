//! Whose text is to go, and by what it is found again: the subject of an erase,
//! and the traces of its words.
//!
//! A trace is a short piece of a text that is in no text that stays. Traces are
//! made before anything is taken away and held in memory only; with them files
//! are searched afterwards. Which files there are, and how a text is taken out of
//! them, is the caller's.

mod plan;
mod traces;

pub use plan::{ErasePlan, Sight, Theirs, Wanted, plan_erase};
pub use traces::{Traces, WINDOW};

use crate::id::ProjectKey;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

/// Whose text is meant, as somebody says it: `person:Ada`, or `project:` with its
/// folder or its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Subject {
    /// Who is told apart by this name where people speak.
    Person(String),
    Project(String),
}

/// Nobody's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a subject; expected person:NAME or project:FOLDER")]
pub struct NoSubject(String);

impl FromStr for Subject {
    type Err = NoSubject;

    fn from_str(text: &str) -> Result<Self, NoSubject> {
        let no_subject = || NoSubject(text.to_owned());
        let (sort, name) = text.split_once(':').ok_or_else(no_subject)?;
        let name = name.trim();
        match sort {
            _ if name.is_empty() => Err(no_subject()),
            "person" => Ok(Subject::Person(name.to_owned())),
            "project" => Ok(Subject::Project(name.to_owned())),
            _ => Err(no_subject()),
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Person(name) => write!(f, "person:{name}"),
            Subject::Project(name) => write!(f, "project:{name}"),
        }
    }
}

impl TryFrom<String> for Subject {
    type Error = NoSubject;

    fn try_from(text: String) -> Result<Self, NoSubject> {
        text.parse()
    }
}

impl From<Subject> for String {
    fn from(subject: Subject) -> String {
        subject.to_string()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Subject {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Subject".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^(person|project):." })
    }
}

/// What a person is called. Upper and lower case are one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names(Vec<String>);

impl Names {
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        let mut names: Vec<String> = names.into_iter().map(|name| folded(&name)).collect();
        names.retain(|name| !name.is_empty());
        names.sort();
        names.dedup();
        Self(names)
    }

    pub fn extend(&mut self, names: impl IntoIterator<Item = String>) {
        *self = Self::new(std::mem::take(&mut self.0).into_iter().chain(names));
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Whether this is one of the names.
    pub fn is(&self, name: &str) -> bool {
        let name = folded(name);
        self.0.contains(&name)
    }

    /// Whether one of them stands in a text, as whole words.
    pub fn stands_in(&self, text: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let text = folded(text);
        let letter = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric());
        self.0.iter().any(|name| {
            text.match_indices(name.as_str()).any(|(at, found)| {
                let behind = text[at + found.len()..].chars().next();
                !letter(text[..at].chars().next_back()) && !letter(behind)
            })
        })
    }
}

fn folded(text: &str) -> String {
    text.trim().to_lowercase()
}

/// Whether a piece of what is kept as JSON is the person's, by the name that stands
/// as its speaker, or the project's. A string that is JSON itself is looked into.
pub fn is_theirs(value: &Value, names: &Names, project: Option<&ProjectKey>) -> bool {
    match value {
        Value::Object(fields) => fields.iter().any(|(key, value)| match (key.as_str(), value) {
            ("speaker", Value::String(speaker)) => names.is(speaker),
            ("source_project", Value::String(source)) => {
                project.is_some_and(|project| project.as_str() == source)
            }
            (_, value) => is_theirs(value, names, project),
        }),
        Value::Array(values) => values.iter().any(|value| is_theirs(value, names, project)),
        Value::String(text) => inner(text).is_some_and(|inner| is_theirs(&inner, names, project)),
        _ => false,
    }
}

/// Whether a string of a value says something. A string that is JSON itself is
/// looked into.
pub fn any_string(value: &Value, says: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::String(text) => says(text) || inner(text).is_some_and(|inner| any_string(&inner, says)),
        Value::Array(values) => values.iter().any(|value| any_string(value, says)),
        Value::Object(fields) => fields.iter().any(|(key, value)| says(key) || any_string(value, says)),
        _ => false,
    }
}

/// Puts `instead` in the place of each string that says it; how many there were.
pub fn reword(value: &mut Value, says: &dyn Fn(&str) -> bool, instead: &str) -> usize {
    match value {
        Value::String(text) => {
            if let Some(mut within) = inner(text) {
                let reworded = reword(&mut within, says, instead);
                if reworded > 0 {
                    *text = within.to_string();
                }
                return reworded;
            }
            if says(text) {
                instead.clone_into(text);
                return 1;
            }
            0
        }
        Value::Array(values) => values.iter_mut().map(|value| reword(value, says, instead)).sum(),
        Value::Object(fields) => fields.values_mut().map(|value| reword(value, says, instead)).sum(),
        _ => 0,
    }
}

/// What a string holds that is JSON.
fn inner(text: &str) -> Option<Value> {
    matches!(text.as_bytes().first(), Some(b'{' | b'[')).then(|| serde_json::from_str(text).ok())?
}

#[cfg(test)]
mod tests;
