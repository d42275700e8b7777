//! Settings: every value with the place it came from.
//!
//! The commented defaults are compiled in and are also the list of what
//! exists: an unknown key, a wrong type or a value out of range is an error
//! that names its source. Reading files and the environment is the caller's.

use crate::fault::Fault;
use engram_core::rank::Weights;
use engram_core::turn::{Authority, EventType};
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

/// Settings whose value is never shown, never sent and never written to the
/// spool.
pub const SECRETS: [&str; 3] = ["store.password", "embedder.key", "llm.key"];

/// Sections that only a person may set, in a file of their own: they decide
/// who else gets to see memories and what that costs, and a project may come
/// from anyone.
const PERSONAL: [&str; 3] = ["store", "embedder", "llm"];

/// The words of `capture`, as the core spells them.
const AUTHORITIES: [&str; 3] =
    [Authority::Nothing.as_str(), Authority::Add.as_str(), Authority::Change.as_str()];

/// One value: text and numbers are all there is.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum SettingValue {
    Integer(i64),
    Decimal(f64),
    Text(String),
}

impl SettingValue {
    /// What such a value is called.
    const fn sort(&self) -> &'static str {
        match self {
            SettingValue::Integer(_) => "a whole number",
            SettingValue::Decimal(_) => "a number",
            SettingValue::Text(_) => "text",
        }
    }
}

impl std::fmt::Display for SettingValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SettingValue::Integer(number) => write!(f, "{number}"),
            // With its point, also where nothing follows it.
            SettingValue::Decimal(number) => write!(f, "{number:?}"),
            SettingValue::Text(text) => write!(f, "{text}"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, serde::Serialize)]
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
            if source == Source::Project && is_personal(&key) {
                return Err(not_a_projects(&key, name).hint(format!("take {key} out of {name}")));
            }
            let value = plain(&item).ok_or_else(|| broken(format!("{key} must be text or a number")))?;
            let before = self.values.get(&key).map(|setting| setting.value.clone());
            self.put(&key, value.clone(), source).map_err(|fault| broken(fault.message))?;
            if source == Source::Project && before.is_some_and(|before| allows_more(&key, &before, &value)) {
                return Err(Fault::refused(format!("{name}: a project may lower {key}, and not raise it"))
                    .hint(format!("take {key} out of {name}, or set it for yourself")));
            }
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

    /// A number with a point that must exist; asking for another key is a
    /// defect.
    fn decimal(&self, key: &str) -> f64 {
        match self.values.get(key).map(|setting| &setting.value) {
            Some(SettingValue::Decimal(number)) => *number,
            other => panic!("{key} is not a decimal: {other:?}"),
        }
    }

    /// What each signal of a ranking is worth.
    pub fn weights(&self) -> Weights {
        let mut weights = Weights::default();
        for name in Weights::NAMES {
            if let Some(weight) = weights.named(name) {
                *weight = self.decimal(&format!("weights.{name}"));
            }
        }
        weights
    }

    /// What an event of this type may do to the memories.
    pub fn authority(&self, event: EventType) -> Authority {
        let word = self.text(&format!("capture.{event}"));
        word.parse().expect("every word was checked when it was read")
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
        let known = &self.get(key)?.value;
        let number = text.trim();
        let value = match known {
            SettingValue::Integer(_) => number.parse().ok().map(SettingValue::Integer),
            SettingValue::Decimal(_) => number.parse().ok().map(SettingValue::Decimal),
            SettingValue::Text(_) => Some(SettingValue::Text(text.to_owned())),
        };
        let value =
            value.ok_or_else(|| Fault::usage(format!("{key} must be {}, not \"{text}\"", known.sort())))?;
        check(key, &value)?;
        Ok(value)
    }

    fn put(&mut self, key: &str, value: SettingValue, source: Source) -> Result<(), Fault> {
        let setting = self.values.get_mut(key).ok_or_else(|| unknown(key))?;
        let value = match (&setting.value, value) {
            // A whole number is a number.
            (SettingValue::Decimal(_), SettingValue::Integer(number)) => SettingValue::Decimal(number as f64),
            (_, value) => value,
        };
        check(key, &value)?;
        if std::mem::discriminant(&setting.value) != std::mem::discriminant(&value) {
            return Err(Fault::usage(format!("{key} must be {}", setting.value.sort())));
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
        SettingValue::Decimal(number) => toml_edit::value(*number),
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

/// Whether what may be captured grows: a project comes from anyone.
fn allows_more(key: &str, before: &SettingValue, after: &SettingValue) -> bool {
    match (before, after) {
        _ if !key.starts_with("capture.") => false,
        (SettingValue::Integer(before), SettingValue::Integer(after)) => after > before,
        (SettingValue::Text(before), SettingValue::Text(after)) => {
            let might = |word: &str| word.parse::<Authority>().ok();
            might(after) > might(before)
        }
        _ => false,
    }
}

/// Whether only a person may set it, for themselves.
pub fn is_personal(key: &str) -> bool {
    key.split('.').next().is_some_and(|section| PERSONAL.contains(&section))
}

/// Nothing leaves the machine because of a repository somebody cloned.
pub fn not_a_projects(key: &str, file: &str) -> Fault {
    Fault::refused(format!("{file}: a project may not set {key}; it says where memories may go"))
        .hint(format!("`engram config set {key} ...` sets it for yourself"))
}

fn unknown(key: &str) -> Fault {
    Fault::usage(format!("there is no setting \"{key}\"")).hint("`engram config list` shows them all")
}

fn check(key: &str, value: &SettingValue) -> Result<(), Fault> {
    let range = match key {
        "recall.limit" => Some(1..=1_000),
        "recall.budget" => Some(50..=100_000),
        "remember.longest" => Some(1..=1_048_576),
        "client.deadline_ms" => Some(10..=600_000),
        "hook.start_ms" | "hook.prompt_ms" | "hook.capture_ms" => Some(10..=60_000),
        "hook.start_chars" | "hook.prompt_chars" => Some(0..=9_000),
        "client.spool_bytes" => Some(0..=1_073_741_824),
        "daemon.idle_exit_s" | "daemon.store_idle_s" => Some(1..=31_536_000),
        "daemon.open_stores" => Some(2..=1_000),
        "llm.timeout_ms" => Some(100..=600_000),
        "llm.tries" => Some(1..=10),
        "llm.calls_per_day" => Some(0..=1_000_000),
        "llm.tokens_per_day" => Some(0..=1_000_000_000),
        "capture.per_minute" => Some(1..=1_000_000),
        "codebase.every_s" => Some(1..=86_400),
        "codebase.most_files" => Some(0..=1_000_000),
        "dream.memories" | "dream.comparisons" => Some(0..=1_000_000),
        "dream.rehearsals" => Some(0..=100_000),
        "dream.model_calls" => Some(0..=1_000),
        _ => None,
    };
    let choices: &[&str] = match key {
        "client.color" => &["auto", "always", "never"],
        "embedder.dialect" => &["openai", "ollama"],
        "llm.dialect" => &["none", "anthropic", "openai"],
        "llm.log_texts" => &["none", "beginnings"],
        "codebase.outline" | "dream.schedule" => &["on", "off"],
        "importance.table" => &["six", "nine"],
        "retention.project" | "retention.user" => {
            &["fsrs6", "power", "exponential", "l2", "huber", "elastic"]
        }
        _ if key.starts_with("capture.") && key != "capture.per_minute" => &AUTHORITIES,
        _ => &[],
    };
    let decimals = match key {
        "weights.relevance_share" | "weights.expansion" | "weights.intent" => 0.0..=1.0,
        _ if key.starts_with("weights.") => -1.0..=1.0,
        _ => f64::MIN..=f64::MAX,
    };
    match (value, range) {
        (SettingValue::Decimal(number), _) if !number.is_finite() => {
            Err(Fault::usage(format!("{key} must be a number, not {number}")))
        }
        (SettingValue::Decimal(number), _) if !decimals.contains(number) => Err(Fault::usage(format!(
            "{key} must be between {} and {}, not {number}",
            decimals.start(),
            decimals.end()
        ))),
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
        Value::Float(number) => Some(SettingValue::Decimal(*number.value())),
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
    fn a_decimal_is_any_number_within_its_range() {
        let with = |text| Settings::default().with_file(text, Source::User, "config.toml");
        let words = |text| with(text).unwrap().decimal("weights.words");
        assert_eq!((words("weights.words = 0.25"), words("weights.words = -1")), (0.25, -1.0));
        let given = |text| Settings::default().with_texts([("weights.words", text)], Source::Flag);
        assert_eq!(given("1").unwrap().decimal("weights.words"), 1.0);
        for bad in ["weights.words = nan", "weights.words = inf", "weights.words = 2"] {
            assert!(with(bad).unwrap_err().message.contains("weights.words must be"), "{bad}");
        }
        for bad in ["nan", "-inf", "1.5", "much"] {
            assert!(given(bad).unwrap_err().message.contains("weights.words must be"), "{bad}");
        }
        assert!(with("weights.relevance_share = -0.5").unwrap_err().message.contains("between 0 and 1"));
        assert!(with("recall.limit = 5.0").unwrap_err().message.contains("a whole number"));
        let edited = edited("", "weights.words", &SettingValue::Decimal(1.0)).unwrap();
        assert_eq!(edited, "[weights]\nwords = 1.0\n");
    }

    #[test]
    fn the_weights_of_the_defaults_are_the_weights_of_the_ranking() {
        let settings = Settings::default();
        let keys: BTreeMap<&str, f64> = settings
            .keys()
            .filter_map(|key| key.strip_prefix("weights.").map(|name| (name, settings.decimal(key))))
            .collect();
        let mut weights = Weights::default();
        let named = Weights::NAMES.iter().map(|name| (*name, *weights.named(name).unwrap())).collect();
        assert_eq!(keys, named);
        let other = settings.with_texts([("weights.speaker", "0.9")], Source::Environment).unwrap();
        assert_eq!(other.weights(), Weights { speaker: 0.9, ..Weights::default() });
    }

    #[test]
    fn a_project_cannot_send_memories_elsewhere() {
        let text = "[embedder]\nurl = \"https://collect.example\"";
        let fault = Settings::default().with_file(text, Source::Project, "shop/config.toml").unwrap_err();
        assert!(fault.message.starts_with("shop/config.toml: a project may not set embedder.url"));
        assert!(fault.hints[1].contains("shop/config.toml"));
        Settings::default().with_file(text, Source::User, "config.toml").unwrap();
        for secret in SECRETS {
            assert!(is_personal(secret) && Settings::default().text(secret).is_empty());
        }
    }

    #[test]
    fn a_project_cannot_choose_the_language_model() {
        let defaults = Settings::default();
        let of_llm: Vec<&Setting> = defaults.all().filter(|it| it.key.starts_with("llm.")).collect();
        assert_eq!(of_llm.len(), 10);
        for setting in of_llm {
            let text = edited("", &setting.key, &setting.value).unwrap();
            let read = |source| Settings::default().with_file(&text, source, "shop/config.toml");
            let fault = read(Source::Project).unwrap_err();
            let refused = format!("shop/config.toml: a project may not set {}", setting.key);
            assert!(fault.message.starts_with(&refused), "{}", fault.message);
            read(Source::User).unwrap();
        }
    }

    #[test]
    fn a_project_may_have_less_captured_and_not_more() {
        let with = |text: &str| Settings::default().with_file(text, Source::Project, "shop/config.toml");
        assert!(with("capture.user_message = \"nothing\"").is_ok());
        assert!(with("capture.per_minute = 10").is_ok());
        for more in ["capture.tool_call = \"change\"", "capture.per_minute = 6001"] {
            assert!(with(more).unwrap_err().message.contains("not raise it"), "{more}");
        }
    }

    #[test]
    fn a_language_model_has_bounds() {
        let with = |text: &str| Settings::default().with_file(text, Source::User, "config.toml");
        assert!(with("llm.dialect = \"ollama\"").unwrap_err().message.contains("none, anthropic, openai"));
        assert!(with("llm.log_texts = \"all\"").unwrap_err().message.contains("none, beginnings"));
        for bad in ["timeout_ms = 99", "tries = 0", "calls_per_day = -1", "tokens_per_day = 1000000001"] {
            assert!(with(&format!("llm.{bad}")).unwrap_err().message.contains("must be between"), "{bad}");
        }
        assert_eq!(with("llm.calls_per_day = 0").unwrap().number("llm.calls_per_day"), 0);
    }

    #[test]
    fn every_type_of_event_has_its_authority() {
        use EventType::*;
        let settings = Settings::default();
        for event in EventType::ALL {
            let expected = match event {
                UserMessage | Remember | File => Authority::Change,
                AssistantMessage | ToolCall | SubagentResult => Authority::Add,
            };
            assert_eq!(settings.authority(*event), expected, "{event}");
        }
        let words = settings.keys().filter(|key| key.starts_with("capture.")).count() - 1;
        assert_eq!(words, EventType::ALL.len(), "all but per_minute are types of events");
        let other = settings.clone().with_texts([("capture.tool_call", "nothing")], Source::Flag).unwrap();
        assert_eq!(other.authority(ToolCall), Authority::Nothing);
        let fault = settings.with_texts([("capture.tool_call", "all")], Source::Flag).unwrap_err();
        assert!(fault.message.contains("nothing, add, change"), "{}", fault.message);
        assert!(Authority::ALL.iter().map(|word| word.as_str()).eq(AUTHORITIES));
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
