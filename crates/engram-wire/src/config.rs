//! Settings: every value with the place it came from.
//!
//! The commented defaults are compiled in and are also the list of what
//! exists: an unknown key, a wrong type or a value out of range is an error
//! that names its source. Reading files and the environment is the caller's.

use crate::fault::Fault;
use engram_core::authority::{AGENTS, AuthorityRules, Rules, TOOLS};
use engram_core::evolve::EvolutionSettings;
use engram_core::law::{KindRules, RetainRules};
use engram_core::learn::LearningSettings;
use engram_core::personal::{Treatment, treatment_in};
use engram_core::rank::Weights;
use engram_core::skill::SkillMode;
use engram_core::turn::{Authority, EventType};
use engram_core::unit::Share;
use engram_core::words::words;
use engram_core::{Scope, Span};
use std::collections::{BTreeMap, BTreeSet};
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
/// who else gets to see memories, through which door, for whom they are sealed and
/// what that costs, and a project may come from anyone.
const PERSONAL: [&str; 6] = ["store", "sealing", "team", "embedder", "llm", "window"];

/// And one more: it says into which folder files are written.
const SKILLS_FOLDER: &str = "evolution.skills_folder";

/// The words of `capture`, as the core spells them.
const AUTHORITIES: [&str; 3] =
    [Authority::Nothing.as_str(), Authority::Add.as_str(), Authority::Change.as_str()];

/// The words of `personal`.
const TREATMENTS: [&str; 4] =
    [Treatment::Off.as_str(), Treatment::Ask.as_str(), Treatment::Mask.as_str(), Treatment::Refuse.as_str()];

const SKILL_MODES: [&str; 3] =
    [SkillMode::Off.as_str(), SkillMode::Propose.as_str(), SkillMode::Write.as_str()];

/// The rules of retention by kind.
const RETAIN_RULES: &str = "retain.rules";

/// One value: text and numbers are all there is.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
            let mut value = plain(&item).ok_or_else(|| broken(format!("{key} must be text or a number")))?;
            let before = self.values.get(&key).map(|setting| setting.value.clone());
            self.put(&key, value.clone(), source).map_err(|fault| broken(fault.message))?;
            if source == Source::Project
                && before.as_ref().is_some_and(|before| allows_more(&key, before, &value))
            {
                return Err(Fault::refused(format!("{name}: {}", only_stricter(&key)))
                    .hint(format!("take {key} out of {name}, or set it for yourself")));
            }
            if let Some(before) = before.filter(|_| source == Source::Project)
                && let Some(both) = both_lists(&key, &before, &value)
            {
                value = both;
                self.put(&key, value, source).map_err(|fault| broken(fault.message))?;
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

    /// The weights that somebody chose, by name: what is learned leaves these
    /// alone.
    pub fn set_by_hand(&self) -> BTreeSet<&str> {
        let chosen = self.all().filter(|setting| setting.source != Source::Default);
        chosen.filter_map(|setting| setting.key.strip_prefix("weights.")).collect()
    }

    /// How what is learned about searching and keeping is learned.
    pub fn learning(&self) -> LearningSettings {
        LearningSettings {
            on: self.is_on("learning.weights"),
            rate: self.decimal("learning.rate"),
            bound: Share::clamped(self.decimal("learning.bound")),
            least: self.count("learning.least"),
        }
    }

    /// When a store evolves by itself, and what may come of it.
    pub fn evolution(&self) -> EvolutionSettings {
        let hours = i64::from(self.count("evolution.every_h"));
        let skills = self.text("evolution.skills");
        EvolutionSettings {
            on: self.is_on("evolution.schedule"),
            every: Span::from_hours(hours),
            updates: self.count("evolution.updates"),
            procedures: self.count("evolution.procedures"),
            skills: skills.parse().expect("every word was checked when it was read"),
        }
    }

    fn is_on(&self, key: &str) -> bool {
        self.text(key) == "on"
    }

    /// A number whose range is far below what this holds.
    fn count(&self, key: &str) -> u32 {
        u32::try_from(self.number(key)).unwrap_or(u32::MAX)
    }

    /// What an event of this type may do to the memories.
    pub fn authority(&self, event: EventType) -> Authority {
        let word = self.text(&format!("capture.{event}"));
        word.parse().expect("every word was checked when it was read")
    }

    /// The most that each tool and each agent may do.
    pub fn authority_rules(&self) -> AuthorityRules {
        let list = |key: &str| self.text(key).parse().expect("every rule was checked when it was read");
        AuthorityRules { tools: list(TOOLS), agents: list(AGENTS) }
    }

    /// How long texts are kept.
    pub fn retain_rules(&self) -> RetainRules {
        RetainRules {
            kinds: self.text(RETAIN_RULES).parse().expect("every rule was checked when it was read"),
            turns_days: Some(self.count("retain.turns_days")).filter(|days| *days > 0),
            recalls_days: self.count("retain.recalls_days"),
        }
    }

    /// What is done about personal data in a text that this scope is to keep.
    pub fn treatment(&self, scope: Scope) -> Treatment {
        treatment_in(scope, |scope| {
            let word = self.text(&format!("personal.{scope}"));
            word.parse().expect("every word was checked when it was read")
        })
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

/// What a setting is for, in the words of the defaults: the comment above it, or
/// above the first of the row that it stands in.
pub fn about(key: &str) -> Result<&'static str, Fault> {
    static ABOUT: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
        let document: DocumentMut = DEFAULTS.parse().expect("the compiled-in defaults are TOML");
        let mut found = BTreeMap::new();
        for (section, item) in document.as_table() {
            let mut shared = String::new();
            for (name, _) in item.as_table().into_iter().flatten() {
                let key = item.as_table().and_then(|table| table.key(name));
                let above = key.and_then(|key| key.leaf_decor().prefix()?.as_str()).unwrap_or_default();
                let lines = above.lines().filter_map(|line| line.trim().strip_prefix('#').map(str::trim));
                let comment = lines.collect::<Vec<_>>().join(" ");
                if !comment.is_empty() {
                    shared = comment;
                }
                found.insert(format!("{section}.{name}"), shared.clone());
            }
        }
        found
    });
    ABOUT.get(key).map(String::as_str).ok_or_else(|| unknown(key))
}

/// A secret is either there or not; that is all that is shown of it.
pub fn veil(key: &str, value: &SettingValue) -> SettingValue {
    match value {
        SettingValue::Text(text) if SECRETS.contains(&key) && !text.is_empty() => {
            SettingValue::Text("set".to_owned())
        }
        other => other.clone(),
    }
}

/// What a project may do to a setting that guards its user.
fn only_stricter(key: &str) -> String {
    match key.split('.').next() {
        Some("personal") => format!("a project may be more careful than {key} is, and not less"),
        Some("retain") => format!("a project may shorten {key}, and not lengthen it"),
        _ => format!("a project may lower {key}, and not raise it"),
    }
}

/// A list of a project does not take the place of its user's: of both the stricter
/// rule holds. None: it is no list.
fn both_lists(key: &str, before: &SettingValue, after: &SettingValue) -> Option<SettingValue> {
    let (SettingValue::Text(before), SettingValue::Text(after)) = (before, after) else { return None };
    let both = match key {
        TOOLS | AGENTS => before.parse::<Rules>().ok()?.with(&after.parse().ok()?).to_string(),
        RETAIN_RULES => before.parse::<KindRules>().ok()?.with(&after.parse().ok()?).to_string(),
        _ => return None,
    };
    Some(SettingValue::Text(both))
}

/// Whether what may be captured, written or kept grows: a project comes from
/// anyone.
fn allows_more(key: &str, before: &SettingValue, after: &SettingValue) -> bool {
    match (before, after) {
        (SettingValue::Text(before), SettingValue::Text(after)) if key == TOOLS || key == AGENTS => {
            let list = |text: &str| text.parse::<Rules>().unwrap_or_default();
            list(before).raised_by(&list(after)).is_some()
        }
        (SettingValue::Text(before), SettingValue::Text(after)) if key == RETAIN_RULES => {
            let list = |text: &str| text.parse::<KindRules>().unwrap_or_default();
            list(before).lengthened_by(&list(after)).is_some()
        }
        (SettingValue::Integer(before), SettingValue::Integer(after)) if key == "retain.turns_days" => {
            // At none they are kept for ever.
            *before > 0 && (*after == 0 || after > before)
        }
        (SettingValue::Integer(before), SettingValue::Integer(after)) if key == "retain.recalls_days" => {
            after > before
        }
        (SettingValue::Text(before), SettingValue::Text(after)) if key == "evolution.skills" => {
            let might = |word: &str| word.parse::<SkillMode>().ok();
            might(after) > might(before)
        }
        (SettingValue::Text(before), SettingValue::Text(after)) if key.starts_with("personal.") => {
            let care = |word: &str| word.parse::<Treatment>().ok();
            care(after) < care(before)
        }
        (SettingValue::Text(before), SettingValue::Text(after)) if key == "sharing.rule" => {
            before == "off" && after == "offer"
        }
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
    key == SKILLS_FOLDER || key.split('.').next().is_some_and(|section| PERSONAL.contains(&section))
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
        "learning.least" | "evolution.procedures" => Some(1..=1_000),
        "evolution.every_h" => Some(1..=720),
        "evolution.updates" => Some(1..=100_000),
        "budget.resident_mb" => Some(16..=1_048_576),
        "budget.store_mb" => Some(1..=1_048_576),
        "budget.queue" => Some(1..=1_000_000),
        "budget.events_per_minute" => Some(1..=10_000_000),
        "team.poll_ms" | "team.call_ms" => Some(50..=60_000),
        "team.rotate_days" => Some(1..=365),
        "team.queue" => Some(1..=1_000_000),
        "team.local_most" => Some(100..=10_000_000),
        "team.search_ms" => Some(10..=10_000),
        "sharing.people" => Some(2..=100),
        "retain.turns_days" => Some(0..=36_500),
        "retain.recalls_days" => Some(1..=36_500),
        "window.port" => Some(0..=65_535),
        "window.events" => Some(16..=4_096),
        "capacity.project" | "capacity.user" => Some(100..=1_000_000),
        _ => None,
    };
    let choices: &[&str] = match key {
        "client.color" => &["auto", "always", "never"],
        "embedder.dialect" => &["openai", "ollama"],
        "llm.dialect" => &["none", "anthropic", "openai"],
        "llm.log_texts" => &["none", "beginnings"],
        "codebase.outline" | "dream.schedule" | "credit.implicit" | "learning.weights"
        | "evolution.schedule" | "reflection.gaps" | "window.read_only" | "window.open" => &["on", "off"],
        "evolution.skills" => &SKILL_MODES,
        "importance.table" => &["six", "nine"],
        "sharing.rule" => &["offer", "off"],
        "retention.project" | "retention.user" => {
            &["fsrs6", "power", "exponential", "l2", "huber", "elastic"]
        }
        _ if key.starts_with("personal.") => &TREATMENTS,
        _ if key.starts_with("capture.") && key != "capture.per_minute" => &AUTHORITIES,
        _ => &[],
    };
    let rules = match (key, value) {
        (TOOLS | AGENTS, SettingValue::Text(text)) => text.parse::<Rules>().err().map(|bad| bad.to_string()),
        (RETAIN_RULES, SettingValue::Text(text)) => {
            text.parse::<KindRules>().err().map(|bad| bad.to_string())
        }
        _ => None,
    };
    if let Some(problem) = rules {
        return Err(Fault::usage(format!("{key}: {problem}")));
    }
    let decimals = match key {
        "weights.relevance_share" | "weights.expansion" | "weights.intent" => 0.0..=1.0,
        "learning.rate" | "learning.bound" => 0.0..=0.5,
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
mod tests;
