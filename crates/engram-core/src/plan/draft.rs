//! What someone wants remembered, checked at the door.

use crate::kind::{Kind, Scope};
use crate::memory::Memory;
use crate::status::Status;
use std::collections::BTreeSet;

/// A text that passed the door, and what was said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    pub content: String,
    pub kind: Kind,
    pub tags: BTreeSet<String>,
    pub domain: Option<String>,
    pub pinned: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadDraft {
    #[error("there is no text to remember")]
    Empty,
    #[error("the text has {bytes} bytes; one memory holds at most {longest}")]
    TooLong { bytes: usize, longest: usize },
    #[error("the text contains a NUL character")]
    Nul,
    #[error("\"{0}\" is not a tag: a tag is one word of at most 64 letters, without commas")]
    BadTag(String),
    #[error("\"{0}\" is not a domain: it has one to 64 letters")]
    BadDomain(String),
    #[error("a summary is one line of at most {SUMMARY} letters")]
    BadSummary,
    #[error("a {0} lives in a session only")]
    SessionOnly(Kind),
    #[error("it ends before it begins to be valid")]
    EndsBeforeItBegins,
}

/// So many letters are still one line.
const SUMMARY: usize = 500;

impl Draft {
    /// `longest` is in bytes.
    pub fn parse(text: &str, longest: usize) -> Result<Self, BadDraft> {
        let content = text.trim();
        check_text(content, longest)?;
        Ok(Self {
            content: content.to_owned(),
            kind: Kind::Fact,
            tags: BTreeSet::new(),
            domain: None,
            pinned: false,
        })
    }

    pub fn tagged(mut self, tags: impl IntoIterator<Item = String>) -> Result<Self, BadDraft> {
        for tag in tags {
            let word = tag.trim();
            check_tag(word)?;
            self.tags.insert(word.to_owned());
        }
        Ok(self)
    }

    pub fn in_domain(mut self, domain: Option<String>) -> Result<Self, BadDraft> {
        self.domain = domain.map(|domain| domain.trim().to_owned());
        self.domain.as_deref().map_or(Ok(()), check_domain)?;
        Ok(self)
    }
}

/// The same door for memories that come in whole.
pub fn check_memory(memory: &Memory, longest: usize) -> Result<(), BadDraft> {
    if memory.status != Status::Forgotten || !memory.content.is_empty() {
        check_text(&memory.content, longest)?;
    }
    memory.tags.iter().try_for_each(|tag| check_tag(tag))?;
    memory.domain.as_deref().map_or(Ok(()), check_domain)?;
    if memory.kind.session_only() && memory.scope != Scope::Session {
        return Err(BadDraft::SessionOnly(memory.kind));
    }
    match memory.validity.valid_until {
        Some(until) if until < memory.validity.valid_from => Err(BadDraft::EndsBeforeItBegins),
        _ => Ok(()),
    }
}

fn check_text(text: &str, longest: usize) -> Result<(), BadDraft> {
    if text.is_empty() {
        return Err(BadDraft::Empty);
    }
    if text.len() > longest {
        return Err(BadDraft::TooLong { bytes: text.len(), longest });
    }
    if text.contains('\0') {
        return Err(BadDraft::Nul);
    }
    Ok(())
}

pub(super) fn check_summary(text: &str) -> Result<(), BadDraft> {
    if text.chars().count() > SUMMARY || text.chars().any(char::is_control) {
        return Err(BadDraft::BadSummary);
    }
    Ok(())
}

pub(super) fn check_tag(word: &str) -> Result<(), BadDraft> {
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && c != ',';
    if word.is_empty() || word.chars().count() > 64 || !word.chars().all(plain) {
        return Err(BadDraft::BadTag(word.to_owned()));
    }
    Ok(())
}

pub(super) fn check_domain(text: &str) -> Result<(), BadDraft> {
    if text.is_empty() || text.chars().count() > 64 || text.chars().any(char::is_control) {
        return Err(BadDraft::BadDomain(text.to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_trimmed_and_an_empty_one_refused() {
        assert_eq!(Draft::parse("  x \n", 10).map(|d| d.content), Ok("x".to_owned()));
        assert_eq!(Draft::parse(" \n", 10), Err(BadDraft::Empty));
        assert_eq!(Draft::parse("abc", 2), Err(BadDraft::TooLong { bytes: 3, longest: 2 }));
        assert_eq!(Draft::parse("a\0b", 9), Err(BadDraft::Nul));
    }

    #[test]
    fn a_tag_is_one_word() {
        let draft = Draft::parse("x", 10).unwrap();
        assert!(draft.clone().tagged(["ci".to_owned(), " build ".to_owned()]).is_ok());
        assert!(draft.tagged(["two words".to_owned()]).is_err());
    }
}
