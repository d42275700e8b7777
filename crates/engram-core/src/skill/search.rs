//! Finds skills by what they are for: those of a store, and those that come with
//! the program.

use super::{Skill, SkillName};
use crate::ask::when::token::folded;
use crate::claim::stem_of;
use crate::memory::Memory;
use crate::unit::Share;
use std::cmp::Reverse;
use std::sync::Arc;

/// A skill that fits a question.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundSkill {
    /// None: it comes with the program.
    pub memory: Option<Arc<Memory>>,
    pub skill: Skill,
    pub text: String,
    /// How much of the question it takes up.
    pub fits: Share,
}

/// The guidance that evolution itself goes by (S1, Load Supporting Skills).
const BUILT_IN: [(&str, &str, &str); 3] = [
    (
        "skill-editing",
        "How to refine, merge, archive or deprecate a memory or a skill, and which evidence that wants.",
        include_str!("meta/skill-editing.md"),
    ),
    (
        "skill-creation",
        "How to make a skill of three or more procedures that are alike.",
        include_str!("meta/skill-creation.md"),
    ),
    (
        "learning-from-experience",
        "How to read the usage history of a memory, and how to tell how using it went.",
        include_str!("meta/learning-from-experience.md"),
    ),
];

/// Whether a skill of this name comes with the program.
pub fn is_built_in(name: &str) -> bool {
    BUILT_IN.iter().any(|(known, ..)| *known == name.trim())
}

/// They come with the program, and nobody evolves them.
pub(super) fn built_in() -> Vec<FoundSkill> {
    let found = |(name, description, text): (&str, &str, &str)| {
        let name: SkillName = name.parse().ok()?;
        let skill = Skill { name, description: description.to_owned(), protected: true, sources: Vec::new() };
        Some(FoundSkill { memory: None, skill, text: text.to_owned(), fits: Share::clamped(1.0) })
    };
    BUILT_IN.into_iter().filter_map(found).collect()
}

/// The skills that fit, best first, and of equals the more useful. Without a
/// question: all of them. `known` may hold memories that are none.
pub fn search(query: Option<&str>, known: &[Arc<Memory>], limit: usize) -> Vec<FoundSkill> {
    let of_store = known.iter().filter(|memory| memory.status.is_current()).filter_map(|memory| {
        let (skill, text) = (Skill::of(memory)?, memory.content.clone());
        Some(FoundSkill { memory: Some(memory.clone()), skill, text, fits: Share::clamped(1.0) })
    });
    let mut found: Vec<FoundSkill> = of_store.chain(built_in()).collect();
    let asked = query.map(words_of).unwrap_or_default();
    for one in &mut found {
        one.fits = fits(&asked, query.unwrap_or_default(), one);
    }
    found.retain(|one| one.fits.get() > 0.0);
    let utility = |one: &FoundSkill| one.memory.as_ref().map(|memory| memory.utility);
    found.sort_by_key(|one| (Reverse(one.fits), Reverse(utility(one)), one.skill.name.clone()));
    found.truncate(limit);
    found
}

/// What a word of the description or the text counts beside one of the name.
const SAID: f64 = 0.5;

fn fits(asked: &[String], query: &str, found: &FoundSkill) -> Share {
    if asked.is_empty() || query.trim() == found.skill.name.as_str() {
        return Share::clamped(1.0);
    }
    let name = words_of(found.skill.name.as_str());
    let told = words_of(&format!("{} {}", found.skill.description, found.text));
    let among = |words: &[String], asked: &String| words.contains(asked);
    let weight = |asked: &String| match () {
        () if among(&name, asked) => 1.0,
        () if among(&told, asked) => SAID,
        () => 0.0,
    };
    // Only the name itself fits wholly.
    Share::clamped(0.99 * asked.iter().map(weight).sum::<f64>() / asked.len() as f64)
}

/// Words of fewer letters than this tell nothing.
const SHORTEST: usize = 3;

/// By their stems: "releasing" asks for what says "release".
fn words_of(text: &str) -> Vec<String> {
    let words = text.split(|mark: char| !mark.is_alphanumeric()).map(folded);
    let telling = words.filter(|word| word.chars().count() >= SHORTEST);
    telling.map(|word| stem_of(&word, false)).collect()
}
