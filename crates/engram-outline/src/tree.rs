//! The file tree in a few lines: folders with how many files they hold and in
//! which languages.
//!
//! Knows paths only. A folder that has no line of its own is counted in the
//! nearest one above it, so that the counts always add up.

use crate::language::spoken_name_of;
use std::collections::BTreeMap;

/// How many folders deep the first try goes.
const MAX_DEPTH: usize = 4;
/// Root files are named, not only counted; more than these are counted.
const MAX_ROOT_FILES: usize = 20;

pub(crate) struct TreeText {
    pub(crate) text: String,
    /// The files named in it.
    pub(crate) named: Vec<String>,
}

/// The deepest tree that fits into `limit` characters; what does not fit even
/// at the first level is counted at the end.
pub(crate) fn tree_text(paths: &[String], limit: usize) -> TreeText {
    let root_files: Vec<&String> = paths.iter().filter(|path| !path.contains('/')).collect();
    let named: Vec<String> = root_files.iter().take(MAX_ROOT_FILES).map(|path| (*path).clone()).collect();
    let mut head = format!("file tree: {}", counted(&languages(paths.iter()), paths.len()));
    if !named.is_empty() {
        head.push_str(&format!("\nat the root: {}", named.join(", ")));
        if root_files.len() > named.len() {
            head.push_str(&format!(" and {} more", root_files.len() - named.len()));
        }
    }
    for depth in (1..=MAX_DEPTH).rev() {
        let lines = folder_lines(paths, depth);
        let size: usize = lines.iter().map(|line| line.chars().count() + 1).sum();
        if head.chars().count() + size <= limit {
            return TreeText { text: joined(head, &lines), named };
        }
    }
    let lines = folder_lines(paths, 1);
    let mut used = cut_to(&mut head, limit);
    let mut kept = 0;
    // Room for the last line, which tells what is missing.
    while kept < lines.len() && used + lines[kept].chars().count() + 1 + 24 <= limit {
        used += lines[kept].chars().count() + 1;
        kept += 1;
    }
    let mut text = joined(head, &lines[..kept]);
    if kept < lines.len() {
        text.push_str(&format!("\nand {} more folders", lines.len() - kept));
    }
    TreeText { text, named }
}

fn folder_lines(paths: &[String], depth: usize) -> Vec<String> {
    let mut folders: BTreeMap<Vec<&str>, Vec<&String>> = BTreeMap::new();
    for path in paths {
        let mut parts: Vec<&str> = path.split('/').collect();
        parts.pop();
        parts.truncate(depth);
        if !parts.is_empty() {
            folders.entry(parts).or_default().push(path);
        }
    }
    let lines = folders.iter().map(|(folder, files)| {
        format!("{}/ {}", folder.join("/"), counted(&languages(files.iter().copied()), files.len()))
    });
    lines.collect()
}

/// Languages by how many files they have, most first.
fn languages<'p>(paths: impl Iterator<Item = &'p String>) -> Vec<(&'static str, usize)> {
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for name in paths.filter_map(|path| spoken_name_of(path)) {
        *counts.entry(name).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    counts
}

fn counted(languages: &[(&'static str, usize)], files: usize) -> String {
    let most: Vec<String> = languages.iter().take(3).map(|(name, count)| format!("{count} {name}")).collect();
    match (most.as_slice(), languages) {
        ([], _) => files_of(files),
        ([_], [(name, count)]) if *count == files => format!("{count} {name}"),
        _ => format!("{} ({})", files_of(files), most.join(", ")),
    }
}

fn files_of(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}

fn cut_to(head: &mut String, limit: usize) -> usize {
    if let Some((cut, _)) = head.char_indices().nth(limit / 2) {
        head.truncate(cut);
        head.push('…');
    }
    head.chars().count()
}

fn joined(head: String, lines: &[String]) -> String {
    lines.iter().fold(head, |text, line| text + "\n" + line)
}
