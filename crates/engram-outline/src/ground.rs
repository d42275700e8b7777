//! What a working tree and its history say about the claims of memories.
//!
//! It looks up and judges nothing: what becomes of a claim is decided by
//! `engram_core::drift::judge`. Files and git are reached through `git` alone,
//! only below the root, and nothing is ever written.
//!
//! What is there now is looked for first, in one pass over the files of the
//! working tree. Only what is missing is searched for in the history, because
//! that is slow; how often is limited, and what was not searched for is said
//! to be so.

use crate::commands::{Defined, defined_by, is_read_by};
use crate::git::{ask, is_folder, is_there, load_text};
use crate::history::History;
use crate::manifest::{stated_in, states_versions};
use crate::skip::{is_foreign, is_lock_file, is_of_tests};
use engram_core::drift::{Before, Claim, CommandClaim, Evidence, Stated, versioned_name};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// How much looking costs at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For one question to git. A history that takes longer is not asked again.
    pub answer: Duration,
    /// How many claims are searched for in the history.
    pub searches: usize,
}

impl Default for Limits {
    /// A dream looks at a few hundred memories, of which few name something
    /// that is missing; a search takes a second in a large history.
    fn default() -> Self {
        Self { answer: Duration::from_secs(10), searches: 60 }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GroundError {
    #[error("{0} is no folder")]
    NoFolder(PathBuf),
    #[error("git did not list the files of {0} in time")]
    NoList(PathBuf),
}

/// A project that claims are held against.
#[derive(Debug)]
pub struct Ground {
    root: PathBuf,
    limits: Limits,
    searches_left: usize,
    /// `None` where git knows nothing of the folder.
    repository: Option<Repository>,
}

#[derive(Debug, Clone, Copy)]
struct Repository {
    /// There are commits, and none was cut off.
    has_history: bool,
    /// All its files are in the working tree.
    is_whole: bool,
}

/// More files than this are not read; git searches what is left.
const MOST_FILES: usize = 50_000;
/// A longer name is no name.
const MAX_NAME: usize = 256;
/// Where engram keeps the memories themselves; what they say is no evidence.
const OWN_FOLDER: &str = ".claude/engram/";

impl Ground {
    /// A project in a working tree of git, which may be a folder of it. `None`
    /// where there is no git or no working tree.
    pub fn open(root: &Path, limits: Limits) -> Result<Option<Self>, GroundError> {
        let plain = Self::plain(root, limits)?;
        let says = |question: &[&str], expected: &str| {
            let answer = ask(root, question, limits.answer);
            answer.is_some_and(|answer| String::from_utf8_lossy(&answer).trim() == expected)
        };
        if !says(&["rev-parse", "--is-inside-work-tree"], "true") {
            return Ok(None);
        }
        let has_commits =
            ask(root, &["rev-parse", "--verify", "-q", "HEAD^{commit}"], limits.answer).is_some();
        let repository = Repository {
            has_history: has_commits && says(&["rev-parse", "--is-shallow-repository"], "false"),
            is_whole: !says(&["config", "--bool", "core.sparseCheckout"], "true"),
        };
        Ok(Some(Self { repository: Some(repository), ..plain }))
    }

    /// A folder without git: files can be seen there, and nothing is gone.
    pub fn plain(root: &Path, limits: Limits) -> Result<Self, GroundError> {
        if !is_folder(root) {
            return Err(GroundError::NoFolder(root.to_owned()));
        }
        Ok(Self { root: root.to_owned(), limits, searches_left: limits.searches, repository: None })
    }

    /// What was found about each claim, in their order. What there was no time
    /// for says so. The searches that are left are those of the next call.
    pub fn evidence_for(&mut self, claims: &[Claim]) -> Result<Vec<Evidence>, GroundError> {
        let Some(repository) = self.repository else {
            return Ok(claims.iter().map(|claim| self.evidence_in_folder(claim)).collect());
        };
        let files = self.files()?;
        let seen = self.look(claims, &files);
        Ok(claims.iter().map(|claim| self.evidence_of(claim, &files, &seen, repository)).collect())
    }

    fn evidence_in_folder(&self, claim: &Claim) -> Evidence {
        match claim {
            Claim::File(path) if is_plain_path(path) => {
                let now = is_there(&self.root, path).then(|| path.clone());
                Evidence::Sought { now, before: Before::NotLooked }
            }
            _ => Evidence::NotLooked,
        }
    }

    /// The tracked files and those that are neither tracked nor ignored.
    fn files(&self) -> Result<BTreeSet<String>, GroundError> {
        let list = |question: &[&str]| {
            let answer = ask(&self.root, question, self.limits.answer);
            let answer = answer.ok_or_else(|| GroundError::NoList(self.root.clone()))?;
            let paths = answer.split(|byte| *byte == 0).filter_map(|path| std::str::from_utf8(path).ok());
            Ok(paths.filter(|path| !path.is_empty()).map(str::to_owned).collect::<BTreeSet<String>>())
        };
        let mut files = list(&["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
        for gone in list(&["ls-files", "-z", "--deleted"])? {
            files.remove(&gone);
        }
        files.retain(|path| !path.starts_with(OWN_FOLDER));
        Ok(files)
    }

    /// One pass over the files for all the claims together.
    fn look(&self, claims: &[Claim], files: &BTreeSet<String>) -> Seen {
        let mut seen = Seen::of(claims);
        for path in files.iter().filter(|path| !is_foreign(path)).take(MOST_FILES) {
            if seen.wants(path)
                && let Some(text) = load_text(&self.root, path)
            {
                seen.read(path, &text);
            }
        }
        seen
    }

    fn evidence_of(
        &mut self,
        claim: &Claim,
        files: &BTreeSet<String>,
        seen: &Seen,
        repository: Repository,
    ) -> Evidence {
        match claim {
            Claim::File(path) if is_plain_path(path) => self.evidence_of_file(path, files, repository),
            Claim::Symbol(name) => match parts_of(name) {
                Some(parts) => self.evidence_of_words(claim, &parts, seen, repository),
                None => Evidence::NotLooked,
            },
            Claim::Port(port) => self.evidence_of_words(claim, &[&port.to_string()], seen, repository),
            Claim::Command(command) if is_plain_name(&command.name) => {
                self.evidence_of_command(command, seen, repository)
            }
            Claim::Version { of, .. } => {
                let of = versioned_name(of);
                Evidence::Stated(seen.stated.iter().filter(|one| one.of == of).cloned().collect())
            }
            Claim::File(_) | Claim::Command(_) => Evidence::NotLooked,
        }
    }

    /// A path from the root is taken at its word; the end of one is enough
    /// where there never was such a path.
    fn evidence_of_file(&mut self, path: &str, files: &BTreeSet<String>, repository: Repository) -> Evidence {
        let found = |now: Option<String>, before: Before| Evidence::Sought { now, before };
        let folder = format!("{path}/");
        if is_there(&self.root, path) || files.iter().any(|file| file == path || file.starts_with(&folder)) {
            return found(Some(path.to_owned()), Before::NotLooked);
        }
        if path.contains('/') {
            let before = self.search(repository.has_history, |history| history.of_file(path, false));
            if before != Before::Never {
                return found(None, before);
            }
        }
        let (end, inside) = (format!("/{path}"), format!("/{path}/"));
        if let Some(file) = files.iter().find(|file| file.ends_with(&end) || file.contains(&inside)) {
            return found(Some(file.clone()), Before::NotLooked);
        }
        let before = self.search(repository.has_history, |history| history.of_file(path, true));
        found(None, before)
    }

    /// A symbol is where all its parts are in one file, and a port where its
    /// number is. If each part still is somewhere, nothing can be told.
    fn evidence_of_words(
        &mut self,
        claim: &Claim,
        parts: &[&str],
        seen: &Seen,
        repository: Repository,
    ) -> Evidence {
        if let Some(file) = seen.together.get(claim) {
            return Evidence::Sought { now: Some(file.clone()), before: Before::NotLooked };
        }
        let missing = parts.iter().find(|part| !seen.words.get(**part).copied().unwrap_or(false));
        let (Some(missing), true) = (missing, repository.is_whole) else {
            return Evidence::Sought { now: None, before: Before::NotLooked };
        };
        let counts = |path: &str| counts_for(claim, path);
        let mut now = None;
        let before = self.search(repository.has_history, |history| {
            // The pass left out what is large; nothing is gone before git has
            // looked there, too.
            let files = history.with_word(missing, None, &[])?;
            now = files.into_iter().find(|file| counts(file));
            if now.is_some() { Some(Before::NotLooked) } else { history.of_word(missing, counts) }
        });
        Evidence::Sought { now, before }
    }

    fn evidence_of_command(
        &mut self,
        command: &CommandClaim,
        seen: &Seen,
        repository: Repository,
    ) -> Evidence {
        let found = seen.commands.get(command);
        let before = match found {
            Some(Found::No) if repository.is_whole => {
                self.search(repository.has_history, |history| history.of_command(command))
            }
            _ => Before::NotLooked,
        };
        let now = match found {
            Some(Found::In(file)) => Some(file.clone()),
            _ => None,
        };
        Evidence::Sought { now, before }
    }

    /// One search in the history, if there is one and searches are left. After
    /// one that got no answer nobody asks again: the next would not either.
    fn search(&mut self, has_history: bool, search: impl FnOnce(&History<'_>) -> Option<Before>) -> Before {
        if !has_history || self.searches_left == 0 {
            return Before::NotLooked;
        }
        self.searches_left -= 1;
        let found = search(&History { root: &self.root, limit: self.limits.answer });
        if found.is_none() {
            self.searches_left = 0;
        }
        found.unwrap_or(Before::NotLooked)
    }
}

/// Whether a command is defined.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Found {
    In(String),
    Unsure,
    No,
}

/// What the pass over the files found.
#[derive(Debug, Default)]
struct Seen {
    /// The words of symbols and ports, and whether a file that counts has them.
    words: HashMap<String, bool>,
    /// What is looked for, and the words that must be in one file.
    sought: Vec<(Claim, Vec<String>)>,
    /// The file that has all the words of a claim.
    together: HashMap<Claim, String>,
    commands: HashMap<CommandClaim, Found>,
    /// Names whose versions are asked for.
    versioned: HashSet<String>,
    stated: Vec<Stated>,
}

impl Seen {
    fn of(claims: &[Claim]) -> Self {
        let mut seen = Self::default();
        for claim in claims {
            let words: Vec<String> = match claim {
                Claim::Symbol(name) => {
                    parts_of(name).unwrap_or_default().into_iter().map(str::to_owned).collect()
                }
                Claim::Port(port) => vec![port.to_string()],
                Claim::Command(command) => {
                    seen.commands.insert(command.clone(), Found::No);
                    continue;
                }
                Claim::Version { of, .. } => {
                    seen.versioned.insert(versioned_name(of));
                    continue;
                }
                Claim::File(_) => continue,
            };
            if !words.is_empty() {
                seen.words.extend(words.iter().map(|word| (word.clone(), false)));
                seen.sought.push((claim.clone(), words));
            }
        }
        seen
    }

    /// Whether a file can tell anything that is not known yet.
    fn wants(&self, path: &str) -> bool {
        let words = self.sought.iter().any(|(claim, _)| !self.together.contains_key(claim));
        words && !is_lock_file(path)
            || self.reads_versions(path)
            || self.commands.keys().any(|command| is_read_by(command.runner, path))
    }

    /// What tests and examples ask for is their own.
    fn reads_versions(&self, path: &str) -> bool {
        !self.versioned.is_empty() && states_versions(path) && !is_of_tests(path)
    }

    fn read(&mut self, path: &str, text: &str) {
        if self.reads_versions(path) {
            let stated = stated_in(path, text);
            self.stated.extend(stated.into_iter().filter(|one| self.versioned.contains(&one.of)));
        }
        for (command, found) in &mut self.commands {
            if is_read_by(command.runner, path) && !matches!(found, Found::In(_)) {
                match defined_by(command, text) {
                    Defined::Yes => *found = Found::In(path.to_owned()),
                    Defined::Unsure => *found = Found::Unsure,
                    Defined::No => {}
                }
            }
        }
        let letter = |mark: char| mark.is_alphanumeric() || mark == '_';
        let here: HashSet<&str> = text
            .split(|mark: char| !letter(mark))
            .filter(|word| !word.is_empty() && self.words.contains_key(*word))
            .collect();
        for (claim, words) in &self.sought {
            if !counts_for(claim, path) {
                continue;
            }
            for word in words.iter().filter(|word| here.contains(word.as_str())) {
                self.words.insert(word.clone(), true);
            }
            if words.iter().all(|word| here.contains(word.as_str())) {
                self.together.entry(claim.clone()).or_insert_with(|| path.to_owned());
            }
        }
    }
}

/// Whether a file is evidence for a claim. Prose may speak of what is long
/// gone, a diary of changes always does, and lock files are full of numbers.
fn counts_for(claim: &Claim, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let (stem, ending) = name.split_once('.').unwrap_or((&name, ""));
    let diary = ["changelog", "changes", "history", "news", "releases"].contains(&stem);
    let prose = ["md", "mdx", "txt", "rst", "adoc", "org", "log"].contains(&ending)
        || ["readme", "license", "contributing", "authors"].contains(&stem);
    let source = !diary && !is_lock_file(path) && !is_foreign(path) && !path.starts_with(OWN_FOLDER);
    source && (!prose || matches!(claim, Claim::Port(_)))
}

/// A path below the root, with nothing in it that means something else.
fn is_plain_path(path: &str) -> bool {
    !path.is_empty()
        && path.len() <= MAX_NAME
        && !path.starts_with([':', '-'])
        && !path.chars().any(char::is_control)
        && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

fn is_plain_name(name: &str) -> bool {
    let letter = |mark: char| mark.is_ascii_alphanumeric() || "_.:/-".contains(mark);
    !name.is_empty() && name.len() <= MAX_NAME && !name.starts_with('-') && name.chars().all(letter)
}

/// The words of a symbol, parted by `::` and dots. `None` if it is none.
fn parts_of(name: &str) -> Option<Vec<&str>> {
    let letter = |mark: char| mark.is_alphanumeric() || mark == '_';
    let parts: Vec<&str> = name.split("::").flat_map(|part| part.split('.')).collect();
    let plain = |part: &&str| !part.is_empty() && part.chars().all(letter);
    (name.len() <= MAX_NAME && parts.iter().all(plain)).then_some(parts)
}
