//! What a skill may be called and how it may describe itself, so that an agent
//! loads it.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Why something is no skill.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSkill {
    #[error(
        "\"{0}\" is not the name of a skill: it begins with a letter and has at most 64 small letters, \
         digits and single hyphens, as in release-build"
    )]
    Name(String),
    #[error("a skill cannot be called \"{0}\": the word is reserved")]
    Reserved(String),
    #[error("there is a skill {0} already; refine it, or give this one another name")]
    Taken(SkillName),
    #[error("a skill wants a description: when is an agent to use it?")]
    NoDescription,
    #[error("the description has {found} characters; an agent reads at most {most}")]
    LongDescription { found: usize, most: usize },
    #[error("the description has markup in it (< or >), and an agent would not load it")]
    Markup,
    #[error("a skill is loaded as an order, and its text wants more than that: it {0}")]
    Instructions(String),
}

/// What a skill is called, and its folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SkillName(String);

/// What the client takes at most.
const LONGEST_NAME: usize = 64;
const LONGEST_DESCRIPTION: usize = 1_024;
/// The client keeps names with these to itself.
const RESERVED: [&str; 2] = ["anthropic", "claude"];
/// What the head of a file would read as something else than a name.
const NO_NAMES: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

impl FromStr for SkillName {
    type Err = BadSkill;
    fn from_str(text: &str) -> Result<Self, BadSkill> {
        let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        let fits = text.len() <= LONGEST_NAME
            && text.starts_with(|first: char| first.is_ascii_lowercase())
            && text.chars().all(plain)
            && !text.ends_with('-')
            && !text.contains("--");
        if !fits {
            return Err(BadSkill::Name(text.to_owned()));
        }
        let reserved = NO_NAMES.contains(&text) || RESERVED.iter().any(|word| text.contains(word));
        if reserved { Err(BadSkill::Reserved(text.to_owned())) } else { Ok(Self(text.to_owned())) }
    }
}

impl SkillName {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A name of these words. None: nothing of them can be in a name.
    pub(crate) fn of_words(words: &str) -> Option<Self> {
        let lower = crate::ask::when::token::folded(words);
        let parts = lower.split(|mark: char| !mark.is_ascii_alphanumeric());
        let mut name = String::new();
        for part in parts.filter(|part| !part.is_empty() && !RESERVED.contains(part)) {
            let begins = !name.is_empty() || part.starts_with(|first: char| first.is_ascii_lowercase());
            if begins && name.len() + part.len() < LONGEST_NAME {
                name.push_str(if name.is_empty() { "" } else { "-" });
                name.push_str(part);
            }
        }
        name.parse().ok()
    }

    /// The same with a number, for where it is taken.
    pub(crate) fn numbered(&self, number: usize) -> Option<Self> {
        let end = format!("-{number}");
        let head = &self.0[..self.0.len().min(LONGEST_NAME - end.len())];
        format!("{}{end}", head.trim_end_matches('-')).parse().ok()
    }

    /// As people would write it.
    pub(crate) fn title(&self) -> String {
        let mut title = self.0.replace('-', " ");
        title[..1].make_ascii_uppercase();
        title
    }
}

/// A description on one line, as an agent reads it.
pub(crate) fn check_description(text: &str) -> Result<String, BadSkill> {
    let plain: String = text.chars().map(|mark| if mark.is_control() { ' ' } else { mark }).collect();
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let found = line.chars().count();
    match () {
        () if line.is_empty() => Err(BadSkill::NoDescription),
        () if found > LONGEST_DESCRIPTION => {
            Err(BadSkill::LongDescription { found, most: LONGEST_DESCRIPTION })
        }
        () if line.contains(['<', '>']) => Err(BadSkill::Markup),
        () => Ok(line),
    }
}

impl fmt::Display for SkillName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl TryFrom<String> for SkillName {
    type Error = BadSkill;
    fn try_from(text: String) -> Result<Self, BadSkill> {
        text.parse()
    }
}

impl From<SkillName> for String {
    fn from(name: SkillName) -> String {
        name.0
    }
}
