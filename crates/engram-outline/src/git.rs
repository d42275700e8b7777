//! What git says of a working tree: which files there are, whether they
//! changed. The only module of this crate that does IO.
//!
//! Asks the `git` program, which knows every setting and format of a
//! repository; the cheap look at HEAD reads two files and starts nothing. It
//! never writes, not even git's own index. Where there is no git or no
//! repository the answer is `None`, and the code base stays unknown.

use crate::MAX_BYTES;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, SystemTime};

/// What changes when something is committed, checked out or staged. An edit
/// alone does not show here; `fingerprints` finds that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// The commit HEAD stands at; `None` before the first.
    pub head: Option<String>,
    /// When the index was written last.
    pub index_at: Option<SystemTime>,
}

/// Where a working tree stands, without starting a process: cheap enough to
/// ask before every answer. `None` if `root` is no working tree's root.
pub fn head_of(root: &Path) -> Option<Stamp> {
    let folder = git_folder(root)?;
    let head = fs::read_to_string(folder.join("HEAD")).ok()?;
    let index_at = fs::metadata(folder.join("index")).and_then(|index| index.modified()).ok();
    Some(Stamp { head: commit_of(&folder, head.trim()), index_at })
}

/// `.git` is a folder, or in a worktree a file that names one.
fn git_folder(root: &Path) -> Option<PathBuf> {
    let dot_git = root.join(".git");
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    let text = fs::read_to_string(&dot_git).ok()?;
    Some(root.join(text.trim().strip_prefix("gitdir:")?.trim()))
}

fn commit_of(folder: &Path, head: &str) -> Option<String> {
    let Some(name) = head.strip_prefix("ref:").map(str::trim) else { return Some(head.to_owned()) };
    let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    if !plain {
        return None;
    }
    // A worktree has its own HEAD and shares the branches.
    let common = fs::read_to_string(folder.join("commondir"))
        .map_or_else(|_| folder.to_owned(), |common| folder.join(common.trim()));
    let loose = [folder, &common].iter().find_map(|folder| fs::read_to_string(folder.join(name)).ok());
    if let Some(id) = loose {
        return Some(id.trim().to_owned());
    }
    let packed = fs::read_to_string(common.join("packed-refs")).ok()?;
    packed.lines().find_map(|line| line.strip_suffix(name)?.strip_suffix(' ').map(str::to_owned))
}

/// The fingerprint of every tracked file in the working tree, by its path from
/// `root`: git's blob id, and for an edited file its size and time. Untracked
/// files are not told; git may have been told to ignore them for a reason.
///
/// `None` if git is missing, `root` is in no repository, or git took longer
/// than `limit` for one answer.
pub fn fingerprints(root: &Path, limit: Duration) -> Option<BTreeMap<String, String>> {
    let tracked = ask(root, &["ls-files", "-s", "-z"], limit)?;
    let edited = ask(root, &["diff-files", "--name-only", "--relative", "--ignore-submodules", "-z"], limit)?;
    let mut prints = listed(&tracked);
    for path in edited.split(|byte| *byte == 0) {
        let Ok(path) = std::str::from_utf8(path) else { continue };
        let Some(print) = prints.get_mut(path) else { continue };
        match fs::symlink_metadata(root.join(path)) {
            Ok(found) if found.is_file() => *print = edited_print(&found),
            _ => {
                prints.remove(path);
            }
        }
    }
    Some(prints)
}

/// `<mode> <blob> <stage>\t<path>`, each ended by a zero byte. Links and
/// submodules have modes of their own and are not files of this code base. A
/// path that is no UTF-8 cannot be named in a text and is left out. Of the
/// sides of a conflict the last stands; the file is edited anyway.
fn listed(answer: &[u8]) -> BTreeMap<String, String> {
    let entries = answer.split(|byte| *byte == 0).filter_map(|entry| std::str::from_utf8(entry).ok());
    entries
        .filter_map(|entry| {
            let (facts, path) = entry.split_once('\t')?;
            let mut facts = facts.split(' ');
            let (mode, blob) = (facts.next()?, facts.next()?);
            mode.starts_with("100").then(|| (path.to_owned(), blob.to_owned()))
        })
        .collect()
}

fn edited_print(found: &fs::Metadata) -> String {
    let changed_at = found.modified().ok().and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
    format!("edited {} {}", found.len(), changed_at.unwrap_or_default().as_nanos())
}

/// Reads one file of the working tree. `None` if it is no plain file inside of
/// `root`, larger than is read, or no UTF-8.
///
/// A link that leads out of the working tree is not followed: what a code base
/// names must not open what is not its own.
pub fn load_text(root: &Path, path: &str) -> Option<String> {
    let plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let file = root.join(path);
    let found = fs::symlink_metadata(&file).ok()?;
    if !plain || !found.is_file() || found.len() > MAX_BYTES as u64 {
        return None;
    }
    let inside = file.canonicalize().ok()?.starts_with(root.canonicalize().ok()?);
    inside.then(|| fs::read_to_string(file).ok()).flatten()
}

/// Whether there is something at this path inside of `root`. A link counts as
/// what it is; one on the way that leads out of `root` does not.
pub(crate) fn is_there(root: &Path, path: &str) -> bool {
    let plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let file = root.join(path);
    let inside = || {
        let folder = file.parent()?.canonicalize().ok()?;
        Some(folder.starts_with(root.canonicalize().ok()?))
    };
    plain && fs::symlink_metadata(&file).is_ok() && inside().unwrap_or(false)
}

/// Whether `root` is a folder at all.
pub(crate) fn is_folder(root: &Path) -> bool {
    root.is_dir()
}

/// One question to git, whose answer counts if git calls it a success.
pub(crate) fn ask(root: &Path, question: &[&str], limit: Duration) -> Option<Vec<u8>> {
    let (answer, code) = ask_with_code(root, question, limit)?;
    (code == 0).then_some(answer)
}

/// One question to git, with the code it ended with: a search that found
/// nothing ends with 1. It runs without a shell, without locks, without a
/// pager, a prompt, the network or a program named in the repository's
/// settings, and is ended when it takes too long.
pub(crate) fn ask_with_code(root: &Path, question: &[&str], limit: Duration) -> Option<(Vec<u8>, i32)> {
    let mut child = Command::new("git")
        .arg("--no-pager")
        .arg("-C")
        .arg(root)
        // A repository may name a program here that git would start for us.
        .args(["-c", "core.fsmonitor=false", "-c", "core.quotePath=false"])
        // What a partial clone left out would be fetched.
        .args(["-c", "protocol.allow=never"])
        .args(question)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        // Set when a hook of git started us; they would name another repository.
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        // They would read the paths of a question otherwise than it means them.
        .env_remove("GIT_LITERAL_PATHSPECS")
        .env_remove("GIT_GLOB_PATHSPECS")
        .env_remove("GIT_NOGLOB_PATHSPECS")
        .env_remove("GIT_ICASE_PATHSPECS")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut answer = child.stdout.take()?;
    let (done, finished) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = answer.read_to_end(&mut bytes).map(|_| bytes);
        // Nobody waits any more when the limit has passed.
        let _ = done.send(read);
    });
    let answer = match finished.recv_timeout(limit) {
        Ok(answer) => answer.ok(),
        Err(_) => {
            // It may have ended in this moment, which is as good.
            let _ = child.kill();
            None
        }
    };
    let ended = child.wait().ok()?;
    Some((answer?, ended.code()?))
}
