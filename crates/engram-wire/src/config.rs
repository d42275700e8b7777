//! Settings: every value with the place it came from.
//!
//! The commented defaults are compiled in and are also the list of what
//! exists: an unknown key, a wrong type or a value out of range is an error
//! that names its source. Reading files and the environment is the caller's.

use crate::fault::Fault;
use engram_core::words::words;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

pub const DEFAULTS: &str = include_str!("defaults.toml");

words! {
    /// Where a value came from, in rising order of precedence.
    pub enum Source ("source") {
        Default = "default",
        User = "user",
        Project = "project",
        Environment = "environment",
        Flag = "flag",
    }
}

/// One value: text and numbers are all there is.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum SettingValue {
    Integer(i64),
    Text(String),
}

impl std::fmt::Display for SettingValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SettingValue::Integer(number) => write!(f, "{number}"),
            SettingValue::Text(text) => write!(f, "{text}"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Setting {
    pub key: String,
    pub value: SettingValue,
    pub source: Source,
}

/// All settings in force.
#[derive(Debug, Clone)]
pub struct Settings {
    values: BTreeMap<String, Setting>,
}

/// Read once: the text is compiled in and every request begins with it.
static COMPILED_IN: LazyLock<Settings> = LazyLock::new(Settings::compiled_in);

impl Default for Settings {
    fn default() -> Self {
        COMPILED_IN.clone()
    }
}

impl Settings {
    fn compiled_in() -> Self {
        let document: DocumentMut = DEFAULTS.parse().expect("the compiled-in defaults are TOML");
        let values = flatten(document.as_table())
            .into_iter()
            .map(|(key, item)| {
                let value = plain(&item).expect("a default is text or a number");
                (key.clone(), Setting { key, value, source: Source::Default })
            })
            .collect();
        Self { values }
    }
}

impl Settings {
    /// Lays the values of a configuration file over what is there.
    pub fn with_file(mut self, text: &str, source: Source, name: &str) -> Result<Self, Fault> {
        let broken = |problem: String| {
            Fault::usage(format!("{name}: {problem}"))
                .hint(format!("edit {name}, or see `engram config list` for what exists"))
        };
        let document: DocumentMut =
            text.parse().map_err(|error: toml_edit::TomlError| broken(error.to_string()))?;
        for (key, item) in flatten(document.as_table()) {
            let value = plain(&item).ok_or_else(|| broken(format!("{key} must be text or a number")))?;
            self.put(&key, value, source).map_err(|fault| broken(fault.message))?;
        }
        Ok(self)
    }

    /// Lays `key=value` texts over what is there.
    pub fn with_texts<'a>(
        mut self,
        texts: impl IntoIterator<Item = (&'a str, &'a str)>,
        source: Source,
    ) -> Result<Self, Fault> {
        for (key, text) in texts {
            let value = self.read(key, text)?;
            self.put(key, value, source)
                .map_err(|fault| Fault::usage(format!("from the {source}: {}", fault.message)))?;
        }
        Ok(self)
    }

    /// The environment's variable for a key: `recall.limit` is
    /// `ENGRAM_RECALL_LIMIT`.
    pub fn variable(key: &str) -> String {
        format!("ENGRAM_{}", key.replace('.', "_").to_uppercase())
    }

    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    pub fn all(&self) -> impl Iterator<Item = &Setting> {
        self.values.values()
    }

    pub fn get(&self, key: &str) -> Result<&Setting, Fault> {
        self.values.get(key).ok_or_else(|| unknown(key))
    }

    /// A number that must exist; asking for another key is a defect.
    pub fn number(&self, key: &str) -> u64 {
        match self.values.get(key).map(|setting| &setting.value) {
            Some(SettingValue::Integer(number)) => u64::try_from(*number).unwrap_or(0),
            other => panic!("{key} is not a number: {other:?}"),
        }
    }

    /// A text that must exist; asking for another key is a defect.
    pub fn text(&self, key: &str) -> &str {
        match self.values.get(key).map(|setting| &setting.value) {
            Some(SettingValue::Text(text)) => text,
            other => panic!("{key} is not a text: {other:?}"),
        }
    }

    /// Reads `text` as a value of `key`, and checks it.
    pub fn read(&self, key: &str, text: &str) -> Result<SettingValue, Fault> {
        let value = match self.get(key)?.value {
            SettingValue::Integer(_) => SettingValue::Integer(
                text.trim()
                    .parse()
                    .map_err(|_| Fault::usage(format!("{key} must be a whole number, not \"{text}\"")))?,
            ),
            SettingValue::Text(_) => SettingValue::Text(text.to_owned()),
        };
        check(key, &value)?;
        Ok(value)
    }

    fn put(&mut self, key: &str, value: SettingValue, source: Source) -> Result<(), Fault> {
        check(key, &value)?;
        let setting = self.values.get_mut(key).ok_or_else(|| unknown(key))?;
        if std::mem::discriminant(&setting.value) != std::mem::discriminant(&value) {
            let wanted = match setting.value {
                SettingValue::Integer(_) => "a whole number",
                SettingValue::Text(_) => "text",
            };
            return Err(Fault::usage(format!("{key} must be {wanted}")));
        }
        *setting = Setting { key: key.to_owned(), value, source };
        Ok(())
    }
}

/// The file's text with `key` set to `value`; comments and order stay.
pub fn edited(text: &str, key: &str, value: &SettingValue) -> Result<String, Fault> {
    let mut document: DocumentMut =
        text.parse().map_err(|error| Fault::usage(format!("the configuration file is not TOML: {error}")))?;
    let (section, name) = key.split_once('.').ok_or_else(|| unknown(key))?;
    let table = document.entry(section).or_insert(Item::Table(Table::new()));
    let table = table
        .as_table_like_mut()
        .ok_or_else(|| Fault::usage(format!("[{section}] is not a table in the configuration file")))?;
    let item = match value {
        SettingValue::Integer(number) => toml_edit::value(*number),
        SettingValue::Text(text) => toml_edit::value(text.as_str()),
    };
    // Putting the value into the key that is there keeps the comments at it.
    match table.get_mut(name) {
        Some(there) => *there = item,
        None => {
            table.insert(name, item);
        }
    }
    Ok(document.to_string())
}

fn unknown(key: &str) -> Fault {
    Fault::usage(format!("there is no setting \"{key}\"")).hint("`engram config list` shows them all")
}

fn check(key: &str, value: &SettingValue) -> Result<(), Fault> {
    let range = match key {
        "recall.limit" => Some(1..=1_000),
        "remember.longest" => Some(1..=1_048_576),
        "client.deadline_ms" => Some(10..=600_000),
        "client.spool_bytes" => Some(0..=1_073_741_824),
        "daemon.idle_exit_s" | "daemon.store_idle_s" => Some(1..=31_536_000),
        "daemon.open_stores" => Some(2..=1_000),
        _ => None,
    };
    let choices: &[&str] = match key {
        "client.color" => &["auto", "always", "never"],
        _ => &[],
    };
    match (value, range) {
        (SettingValue::Integer(number), Some(range)) if !range.contains(number) => Err(Fault::usage(
            format!("{key} must be between {} and {}, not {number}", range.start(), range.end()),
        )),
        (SettingValue::Text(text), _) if !choices.is_empty() && !choices.contains(&text.as_str()) => {
            Err(Fault::usage(format!("{key} must be one of {}, not \"{text}\"", choices.join(", "))))
        }
        _ => Ok(()),
    }
}

fn flatten(table: &Table) -> Vec<(String, Item)> {
    fn walk(prefix: &str, table: &dyn TableLike, found: &mut Vec<(String, Item)>) {
        for (name, item) in table.iter() {
            let key = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") };
            match item.as_table_like() {
                Some(inner) => walk(&key, inner, found),
                None => found.push((key, item.clone())),
            }
        }
    }
    let mut found = Vec::new();
    walk("", table, &mut found);
    found
}

fn plain(item: &Item) -> Option<SettingValue> {
    match item.as_value()? {
        Value::Integer(number) => Some(SettingValue::Integer(*number.value())),
        Value::String(text) => Some(SettingValue::Text(text.value().clone())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_source_wins_and_is_named() {
        let settings = Settings::default()
            .with_file("[recall]\nlimit = 5\nprofile = \"codebase\"\n", Source::User, "user file")
            .unwrap()
            .with_file("recall.limit = 6", Source::Project, "project file")
            .unwrap()
            .with_texts([("recall.limit", "7")], Source::Environment)
            .unwrap();
        let limit = settings.get("recall.limit").unwrap();
        assert_eq!((limit.value.to_string().as_str(), limit.source), ("7", Source::Environment));
        assert_eq!(settings.get("recall.profile").unwrap().source, Source::User);
        assert_eq!(settings.get("remember.longest").unwrap().source, Source::Default);
    }

    #[test]
    fn a_bad_value_is_refused_with_its_name_and_place() {
        let bad = |text| Settings::default().with_file(text, Source::User, "config.toml").unwrap_err();
        assert!(bad("recall.limit = 0").message.contains("config.toml: recall.limit must be between 1"));
        assert!(bad("recall.limit = \"x\"").message.contains("must be a whole number"));
        assert!(bad("recall.colour = 1").message.contains("no setting \"recall.colour\""));
        assert!(bad("recall = [").message.starts_with("config.toml: "));
        assert!(bad("client.color = \"red\"").message.contains("auto, always, never"));
    }

    #[test]
    fn setting_a_value_keeps_the_comments() {
        let text = "# mine\n[recall]\n# why\nlimit = 5\n";
        let edited = edited(text, "recall.limit", &SettingValue::Integer(9)).unwrap();
        assert_eq!(edited, "# mine\n[recall]\n# why\nlimit = 9\n");
    }

    #[test]
    fn every_default_passes_its_own_check() {
        let defaults = Settings::default();
        for setting in defaults.all() {
            check(&setting.key, &setting.value).unwrap();
        }
        assert!(defaults.keys().count() >= 10);
    }
}
