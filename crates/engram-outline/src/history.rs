//! What git remembers of a file, a word or a command that is not there now.
//!
//! Puts the questions and reads the answers; starting git is left to `git`.
//! Only the first parents are followed: along them every commit is one step of
//! this working tree, so the newest step that touches a thing is the one that
//! took it away. `None` means that git gave no answer.

use crate::commands::{Defined, defined_by, patterns};
use crate::git::{ask, ask_with_code};
use engram_core::drift::{Before, CommandClaim, Commit, Loss};
use std::path::Path;
use std::time::Duration;

/// How many commits that touch a word are looked at, the newest first. The
/// first of them took it away unless that was in a file that does not count,
/// or the word is used beside the definition of a command.
const MOST_STEPS: &str = "-n20";

/// One line for each commit, between marks that no subject can have.
const FORMAT: &str = "--format=%x1e%H%x1f%h%x1f%cs%x1f%s%x1d";

/// Options of every `git log`: no programs, no colours, no guessing.
const PLAIN: &[&str] = &[
    "--first-parent",
    "-m",
    "--no-renames",
    "--name-only",
    "-z",
    "--relative",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-show-signature",
    "--no-notes",
    "--no-follow",
    FORMAT,
];

pub(crate) struct History<'a> {
    pub(crate) root: &'a Path,
    /// For one question.
    pub(crate) limit: Duration,
}

/// One commit and the files it touched.
struct Step {
    full_id: String,
    commit: Commit,
    files: Vec<String>,
}

impl History<'_> {
    /// What became of a file or a folder. With `anywhere` it may have been
    /// below any other folder.
    pub(crate) fn of_file(&self, path: &str, anywhere: bool) -> Option<Before> {
        if let Some(loss) = self.uncommitted(path, anywhere)? {
            return Some(Before::Lost(loss));
        }
        let escaped = escaped(path);
        let pathspec = if anywhere { format!("**/{escaped}") } else { escaped };
        let steps = self.log(&["-n1", "--diff-filter=D"], &[pathspec.as_str()])?;
        let Some(step) = steps.into_iter().next() else { return Some(Before::Never) };
        let Some((file, rest)) = step.files.iter().find_map(|file| named_by(file, path)) else {
            return Some(Before::Never);
        };
        let whole = format!("{file}{rest}");
        let before = format!("{}^1", step.full_id);
        let renames = ask(
            self.root,
            &[
                "diff-tree",
                "-r",
                "-M",
                "--diff-filter=R",
                "--name-status",
                "-z",
                "--relative",
                &before,
                &step.full_id,
            ],
            self.limit,
        )?;
        let renamed_to = renamed(&renames, &whole, rest);
        Some(Before::Lost(Loss { file: file.to_owned(), renamed_to, commit: Some(step.commit) }))
    }

    /// A deletion or a renaming that is not committed. What is staged is
    /// compared by its blobs and the rest by its names, so that no filter of
    /// the repository is started.
    fn uncommitted(&self, path: &str, anywhere: bool) -> Option<Option<Loss>> {
        let fits = |file: &str| -> Option<(String, String)> {
            let (named, rest) = named_by(file, path)?;
            (anywhere || named == path).then(|| (named.to_owned(), rest.to_owned()))
        };
        let question =
            ["diff-index", "--cached", "-M", "--diff-filter=DR", "--name-status", "-z", "--relative", "HEAD"];
        let staged = ask(self.root, &question, self.limit)?;
        let mut words = fields(&staged);
        while let (Some(status), Some(file)) = (words.next(), words.next()) {
            let renamed_to = if status.starts_with('R') { words.next() } else { None };
            if let Some((named, rest)) = fits(file) {
                let renamed_to = renamed_to.map(|new| without_end(new, &rest));
                return Some(Some(Loss { file: named, renamed_to, commit: None }));
            }
        }
        let question =
            ["diff-files", "--diff-filter=D", "--name-only", "--relative", "--ignore-submodules", "-z"];
        let removed = ask(self.root, &question, self.limit)?;
        let file = fields(&removed).find_map(fits).map(|(named, _)| named);
        Some(file.map(|file| Loss { file, renamed_to: None, commit: None }))
    }

    /// Which file had this word, if it was in one that counts.
    pub(crate) fn of_word(&self, word: &str, counts: impl Fn(&str) -> bool) -> Option<Before> {
        let committed = self.with_word(word, Some("HEAD"), &[])?;
        if let Some(file) = committed.into_iter().find(|file| counts(file)) {
            return Some(Before::Lost(Loss { file, renamed_to: None, commit: None }));
        }
        let search = format!("-S{}", pattern(word));
        for step in self.log(&[MOST_STEPS, "--pickaxe-regex", &search], &[])? {
            if let Some(file) = step.files.into_iter().find(|file| counts(file)) {
                return Some(Before::Lost(Loss { file, renamed_to: None, commit: Some(step.commit) }));
            }
        }
        Some(Before::Never)
    }

    /// Which file defined this command, by the law that reads the files of
    /// today.
    pub(crate) fn of_command(&self, command: &CommandClaim) -> Option<Before> {
        let patterns = patterns(command.runner);
        let defines = |revision: &str, file: &str| {
            let blob = ask(self.root, &["cat-file", "blob", &format!("{revision}:./{file}")], self.limit);
            let text = blob.and_then(|blob| String::from_utf8(blob).ok());
            text.is_some_and(|text| defined_by(command, &text) == Defined::Yes)
        };
        let committed = self.with_word(&command.name, Some("HEAD"), patterns)?;
        if let Some(file) = committed.into_iter().find(|file| defines("HEAD", file)) {
            return Some(Before::Lost(Loss { file, renamed_to: None, commit: None }));
        }
        // A comment may keep the word that the definition lost, so every line
        // with it counts and not how many there are.
        let search = format!("-G{}", pattern(&command.name));
        for step in self.log(&[MOST_STEPS, &search], patterns)? {
            let before = format!("{}^1", step.full_id);
            let lost = |file: &String| defines(&before, file) && !defines(&step.full_id, file);
            if let Some(file) = step.files.into_iter().find(lost) {
                return Some(Before::Lost(Loss { file, renamed_to: None, commit: Some(step.commit) }));
            }
        }
        Some(Before::Never)
    }

    /// The files that have a word: of a commit, or of the working tree with
    /// what is not tracked and not ignored.
    pub(crate) fn with_word(&self, word: &str, at: Option<&str>, patterns: &[&str]) -> Option<Vec<String>> {
        let mut question = vec!["--glob-pathspecs", "grep", "-I", "-l", "-z", "-w", "-F", "--no-color"];
        question.extend(["--no-textconv", "--no-full-name", "--no-recurse-submodules"]);
        if at.is_none() {
            question.push("--untracked");
        }
        question.extend(["-e", word]);
        question.extend(at);
        question.push("--");
        if patterns.is_empty() {
            question.push(".");
        }
        question.extend(patterns);
        let (answer, code) = ask_with_code(self.root, &question, self.limit)?;
        let files = fields(&answer).map(|file| {
            let file = at.and_then(|at| file.strip_prefix(at)?.strip_prefix(':')).unwrap_or(file);
            file.to_owned()
        });
        // 1 says that nothing was found.
        matches!(code, 0 | 1).then(|| files.collect())
    }

    fn log(&self, options: &[&str], patterns: &[&str]) -> Option<Vec<Step>> {
        let mut question = vec!["-c", "log.diffMerges=separate", "--glob-pathspecs", "log"];
        question.extend(PLAIN);
        question.extend(options);
        question.extend(["HEAD", "--"]);
        if patterns.is_empty() {
            question.push(".");
        }
        question.extend(patterns);
        let answer = ask(self.root, &question, self.limit)?;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        Some(answer.split('\u{1e}').filter_map(step_of).collect())
    }
}

fn step_of(text: &str) -> Option<Step> {
    let (head, files) = text.split_once('\u{1d}')?;
    let mut head = head.split('\u{1f}');
    let full_id = head.next()?.to_owned();
    let (id, date, subject) = (head.next()?, head.next()?, head.next()?);
    let commit = Commit { id: id.to_owned(), date: date.parse().ok()?, subject: subject.to_owned() };
    let files = files.split('\0').map(|file| file.trim_start_matches('\n')).filter(|file| !file.is_empty());
    Some(Step { full_id, commit, files: files.map(str::to_owned).collect() })
}

fn fields(answer: &[u8]) -> impl Iterator<Item = &str> {
    answer
        .split(|byte| *byte == 0)
        .filter_map(|field| std::str::from_utf8(field).ok())
        .filter(|field| !field.is_empty())
}

/// How a file is named by a claim: it ends with it, or is in a folder that
/// does. The second is what comes below the folder.
fn named_by<'f>(file: &'f str, path: &str) -> Option<(&'f str, &'f str)> {
    let mut from = 0;
    while let Some(found) = file[from..].find(path) {
        let (start, end) = (from + found, from + found + path.len());
        let begins = start == 0 || file[..start].ends_with('/');
        let ends = end == file.len() || file[end..].starts_with('/');
        if begins && ends {
            return Some(file.split_at(end));
        }
        from = start + path.chars().next().map_or(1, char::len_utf8);
    }
    None
}

/// Where a file went, of `R<n>\0old\0new\0`; for a folder, where it went.
fn renamed(answer: &[u8], whole: &str, rest: &str) -> Option<String> {
    let mut words = fields(answer);
    while let (Some(_), Some(old), Some(new)) = (words.next(), words.next(), words.next()) {
        if old == whole {
            return Some(without_end(new, rest));
        }
    }
    None
}

fn without_end(path: &str, rest: &str) -> String {
    path.strip_suffix(rest).unwrap_or(path).to_owned()
}

/// A path as a pattern of git that matches nothing else.
fn escaped(path: &str) -> String {
    let mut escaped = String::with_capacity(path.len());
    for mark in path.chars() {
        if "*?[\\".contains(mark) {
            escaped.push('\\');
        }
        escaped.push(mark);
    }
    escaped
}

/// The word alone, not as a part of another, as an extended expression.
fn pattern(word: &str) -> String {
    let escaped: String = word
        .chars()
        .map(
            |mark| if mark.is_alphanumeric() || mark == '_' { mark.to_string() } else { format!("[{mark}]") },
        )
        .collect();
    format!("(^|[^A-Za-z0-9_]){escaped}([^A-Za-z0-9_]|$)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_by_the_end_of_its_path_or_by_a_folder() {
        for (file, path, expected) in [
            ("src/auth.rs", "src/auth.rs", Some(("src/auth.rs", ""))),
            ("crates/a/src/auth.rs", "src/auth.rs", Some(("crates/a/src/auth.rs", ""))),
            ("src/auth.rs", "auth.rs", Some(("src/auth.rs", ""))),
            ("src/oauth.rs", "auth.rs", None),
            ("src/routes/a.rs", "src/routes", Some(("src/routes", "/a.rs"))),
            ("src/aa/a", "a", Some(("src/aa/a", ""))),
        ] {
            assert_eq!(named_by(file, path), expected, "{file} by {path}");
        }
    }

    #[test]
    fn what_is_searched_for_means_itself() {
        assert_eq!(escaped("a[1]*.rs"), "a\\[1]\\*.rs");
        assert_eq!(pattern("db:reset.x"), "(^|[^A-Za-z0-9_])db[:]reset[.]x([^A-Za-z0-9_]|$)");
    }
}
