//! The print of a memory: the same where two people hold the same, and telling
//! nobody what that is.

use super::Print;
use crate::ask::speech::fold;
use crate::memory::Memory;
use sha2::{Digest as _, Sha256};

/// Words that change nothing of what is said.
const SILENT: &[&str] = &["a", "an", "the"];

/// The print of what a memory says, made with the team's pepper so that a short
/// text cannot be guessed from outside. Case, accents, signs between words and
/// articles do not count.
pub fn print_of(memory: &Memory, pepper: &str) -> Print {
    let folded = fold(&memory.content);
    let words = folded.split(|mark: char| !mark.is_alphanumeric()).filter(|word| !word.is_empty());
    let said: Vec<&str> = words.filter(|word| !SILENT.contains(word)).collect();
    let mut hash = Sha256::new();
    hash.update(pepper.as_bytes());
    hash.update([0]);
    hash.update(said.join(" ").as_bytes());
    let digits = hash.finalize();
    Print(digits.iter().map(|byte| format!("{byte:02x}")).collect())
}
