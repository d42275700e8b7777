//! The public sets, read where they lie and never copied.
//!
//! A set is a folder with `corpus.jsonl.gz` and `queries.jsonl`. A row belongs
//! to a scope, a session, a speaker and a moment; a question belongs to a scope
//! and, where rows have an order, sees only those before it.

use anyhow::{Context as _, Result, ensure};
use engram_core::{Span, Timestamp};
use flate2::read::GzDecoder;
use jiff::civil::DateTime;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

#[derive(Deserialize)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) scope: String,
    pub(crate) session: Option<String>,
    time: Option<String>,
    pub(crate) speaker: Option<String>,
    title: Option<String>,
    text: String,
    caption: Option<String>,
    pub(crate) order: Option<i64>,
}

#[derive(Deserialize)]
pub(crate) struct Question {
    pub(crate) id: String,
    pub(crate) scope: String,
    pub(crate) text: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    gold: Vec<String>,
    gold_level: Option<String>,
    gold_memories: Option<Vec<String>>,
    pub(crate) order: Option<i64>,
    now: Option<String>,
    time: Option<String>,
}

impl Row {
    /// What is remembered of it; who said it and when is told beside.
    pub(crate) fn content(&self) -> String {
        let mut text = String::new();
        if let Some(title) = &self.title {
            text += &format!("{title}. ");
        }
        text += &self.text;
        if let Some(caption) = &self.caption {
            text += &format!(" [{caption}]");
        }
        text
    }

    /// People are told apart by name; a user and an assistant are roles.
    pub(crate) fn role(&self) -> Role {
        match self.speaker.as_deref().map(str::to_lowercase).as_deref() {
            None => Role::Nobody,
            Some("user" | "human") => Role::User,
            Some("assistant" | "ai" | "system") => Role::Assistant,
            Some(_) => Role::Person,
        }
    }
}

pub(crate) enum Role {
    Nobody,
    User,
    Assistant,
    Person,
}

impl Question {
    /// What answers it, and whether whole sessions do.
    pub(crate) fn wanted(&self) -> (&[String], bool) {
        match (&self.gold_memories, self.gold_level.as_deref()) {
            (Some(memories), _) if !memories.is_empty() => (memories, false),
            (_, Some("session")) => (&self.gold, true),
            _ => (&self.gold, false),
        }
    }

    pub(crate) fn asked_at(&self) -> Result<Option<Timestamp>> {
        self.now.as_ref().or(self.time.as_ref()).map(|text| moment(text)).transpose()
    }
}

/// One scope: its rows with their moments, in order, and its questions.
#[derive(Default)]
pub(crate) struct Scope {
    pub(crate) rows: Vec<(Timestamp, Row)>,
    pub(crate) questions: Vec<Question>,
}

pub(crate) fn read(folder: &Path) -> Result<BTreeMap<String, Scope>> {
    let mut scopes: BTreeMap<String, Scope> = BTreeMap::new();
    let open = |name: &str| {
        let path = folder.join(name);
        File::open(&path).with_context(|| format!("opening {}", path.display()))
    };
    for line in BufReader::new(GzDecoder::new(open("corpus.jsonl.gz")?)).lines() {
        let row: Row = serde_json::from_str(&line?)?;
        let rows = &mut scopes.entry(row.scope.clone()).or_default().rows;
        // Rows of one moment keep their order by a millisecond each.
        let last = rows.last().map(|(at, _)| *at);
        let at = match &row.time {
            Some(text) => moment(text)?,
            None => last.unwrap_or(Timestamp::from_second(1_700_000_000)?),
        };
        let at = match last {
            Some(last) if at <= last && last.duration_since(at) < Span::from_hours(24) => {
                last + Span::from_millis(1)
            }
            _ => at,
        };
        rows.push((at, row));
    }
    for line in BufReader::new(open("queries.jsonl")?).lines() {
        let question: Question = serde_json::from_str(&line?)?;
        if let Some(scope) = scopes.get_mut(&question.scope) {
            scope.questions.push(question);
        }
    }
    ensure!(!scopes.is_empty(), "there are no rows in {}", folder.display());
    Ok(scopes)
}

/// The sets write moments in many ways; all are taken as universal time.
fn moment(text: &str) -> Result<Timestamp> {
    if let Ok(at) = text.parse::<Timestamp>() {
        return Ok(at);
    }
    let formats =
        ["%I:%M %p on %d %B, %Y", "%Y/%m/%d (%a) %H:%M", "%I:%M:%S %p on %A %d %B, %Y", "%Y-%m-%dT%H:%M:%S"];
    let days = ["%B-%d-%Y", "%Y-%m-%d (%A)", "%Y-%m-%d"];
    let written = formats.iter().find_map(|format| DateTime::strptime(format, text).ok());
    let day = || {
        days.iter()
            .find_map(|format| jiff::civil::Date::strptime(format, text).ok())
            .map(|day| day.at(12, 0, 0, 0))
    };
    let at = written.or_else(day).with_context(|| format!("the moment \"{text}\" cannot be read"))?;
    Ok(at.to_zoned(jiff::tz::TimeZone::UTC)?.timestamp())
}
