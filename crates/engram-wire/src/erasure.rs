//! What is told of an erase: what was found where, what was done about it, and
//! what is left. There is no text of the subject in it.

use engram_core::erase::Subject;
use engram_core::words::words;
use serde::{Deserialize, Serialize};

words! {
    /// What is done about the text of a subject at a place.
    pub enum Way ("way of erasing") {
        /// Rows are emptied, and the files of the store are written anew.
        Rewritten = "rewritten",
        /// The lines that say it are taken out.
        Filtered = "filtered",
        /// The file goes as a whole.
        Removed = "removed",
        /// It stays, and the reason is told.
        Left = "left",
    }
}

/// What became of a subject's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Erased {
    pub subject: Subject,
    /// Nothing was changed; it was only looked.
    pub dry_run: bool,
    pub memories: usize,
    pub turns: usize,
    /// Where something was found.
    pub places: Vec<PlaceErased>,
    /// What could not be taken away, or not be looked into.
    pub left: Vec<PlaceLeft>,
    /// How many files were searched, byte by byte, when it was done.
    pub searched: usize,
    /// How many known exports and backups were gone through; of a dry run, how many
    /// name the subject.
    pub copies: usize,
    /// So many texts are, word for word, also in what stays, and were not looked
    /// for in files.
    pub said_by_others: usize,
}

impl Erased {
    /// Whether there was nothing to take away.
    pub fn is_nothing(&self) -> bool {
        self.memories == 0 && self.turns == 0 && self.places.is_empty()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaceErased {
    /// A store, or a file.
    pub place: String,
    /// How many stretches of the subject's text were found.
    pub before: usize,
    /// How many are found now. None: nothing was done yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<usize>,
    pub how: Way,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaceLeft {
    pub place: String,
    pub why: String,
}
