//! The outline of a code base: its file tree, its public signatures and what
//! a newcomer would run, as a few short texts for an agent.
//!
//! The crate is the fence around tree-sitter and its grammars. It gets paths
//! and file contents and returns texts; it knows no store, no memory and no
//! clock. Only `git` does IO: it asks which files there are, which of them
//! changed, and reads one. What is an outline is pure, and the same input
//! gives the same bytes. `ground` looks up, through `git`, whether what is
//! claimed of a code base is so.
//!
//! What comes from here was written by whoever wrote the code base. Masking
//! secrets in it, and showing it as data and not as instructions, is the
//! caller's part.

mod about;
mod braces;
mod c;
mod commands;
mod entry;
pub mod git;
mod go;
mod ground;
mod history;
mod java;
mod language;
mod manifest;
mod parse;
mod python;
mod refresh;
mod rust;
mod script;
mod sheet;
mod skip;
mod tree;

pub use entry::{EntryPoint, entry_points_of};
pub use ground::{Ground, GroundError, Limits};
pub use language::Language;
pub use refresh::{Refresh, Snapshot, plan_refresh};
pub use sheet::{SHEET_CHARS, Sheet, compress};
pub use skip::{MAX_BYTES, Skipped, is_wanted, why_skipped};

/// What one file offers to others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileOutline {
    /// From the root of the code base, with `/` between the parts.
    pub path: String,
    pub language: Language,
    /// The first sentence of what the file says about itself, where short.
    pub about: Option<String>,
    /// In the order of the source.
    pub signatures: Vec<Signature>,
}

/// One public item, without its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    pub kind: ItemKind,
    pub name: String,
    /// The type a method belongs to, or the module around an item.
    pub owner: Option<String>,
    /// One line, without the word that makes it public and without the value
    /// of a constant: a value may be long, or a secret.
    pub text: String,
    /// The first sentence of its doc comment, where short.
    pub about: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemKind {
    Function,
    Type,
    /// What others implement: a trait, an interface.
    Trait,
    Class,
    Method,
    Constant,
    Module,
}

impl ItemKind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Type => "type",
            Self::Trait => "trait",
            Self::Class => "class",
            Self::Method => "method",
            Self::Constant => "constant",
            Self::Module => "module",
        }
    }
}

/// The public signatures of one file.
///
/// `None` where there is nothing to read them from: the language is not one of
/// ours, the file is left out (see `why_skipped`), or its source is so broken
/// that the parser gave up. A file that is read but offers nothing has an
/// outline without signatures.
pub fn outline_of(path: &str, text: &str) -> Option<FileOutline> {
    let language = Language::of(path, text)?;
    if why_skipped(path, text).is_some() {
        return None;
    }
    let mut page = parse::Page::new(text);
    match language {
        Language::Rust => rust::read(&mut page)?,
        Language::Python => python::read(&mut page)?,
        Language::JavaScript | Language::TypeScript | Language::Tsx => script::read(&mut page, language)?,
        Language::Go => go::read(&mut page)?,
        Language::Java => java::read(&mut page)?,
        Language::C => c::read(&mut page, path.ends_with(".h"))?,
        Language::Cpp | Language::CSharp | Language::Php => braces::read(&mut page, language),
    }
    Some(FileOutline { path: path.to_owned(), language, about: page.about, signatures: page.found })
}
