//! The outline as short texts, each about one place, so that each can be
//! found and replaced by itself.
//!
//! Knows outlines and paths. The same input gives the same bytes, and every
//! file of the input is named in a sheet; what a sheet leaves out, it counts.

use crate::tree::tree_text;
use crate::{EntryPoint, FileOutline, ItemKind, Signature};
use std::collections::{BTreeMap, BTreeSet};

/// No sheet is longer, in characters.
pub const SHEET_CHARS: usize = 1_200;

/// A code base that would need more is told in less detail.
const MAX_SHEETS: usize = 400;
/// A file with more is a list; the rest is counted.
const MAX_SIGNATURES: usize = 60;
/// A path or heading longer than this is cut, so that a line always fits.
const MAX_LINE_CHARS: usize = 400;

/// One short text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// Stays the same when the text changes: `tree`, `entry points`,
    /// `folder src/law`, and `folder src/law 2` where one is not enough.
    pub key: String,
    pub text: String,
    /// The files it speaks of, in order, without repeats.
    pub files: Vec<String>,
}

/// How much is told of a file. The first that needs few enough sheets is used
/// for the whole code base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// Signatures, and what their comments say.
    Full,
    Signatures,
    /// Names of what is no method, and not more than one line for a file.
    Names,
}

/// The tree, the entry points and the folders, in this order. The order of the
/// input does not matter.
pub fn compress(files: &[FileOutline], entry_points: &[EntryPoint], tree: &[String]) -> Vec<Sheet> {
    let mut sheets = Vec::new();
    let paths: Vec<String> = tree.iter().collect::<BTreeSet<_>>().into_iter().cloned().collect();
    if !paths.is_empty() {
        let tree = tree_text(&paths, SHEET_CHARS);
        sheets.push(Sheet { key: "tree".to_owned(), text: tree.text, files: tree.named });
    }
    sheets.extend(entry_sheets(entry_points));
    for detail in [Detail::Full, Detail::Signatures, Detail::Names] {
        let folders = folder_sheets(files, detail);
        if folders.len() <= MAX_SHEETS || detail == Detail::Names {
            sheets.extend(folders);
            break;
        }
    }
    sheets
}

fn entry_sheets(entry_points: &[EntryPoint]) -> Vec<Sheet> {
    let mut by_path: BTreeMap<(usize, &str), Vec<&EntryPoint>> = BTreeMap::new();
    for one in entry_points {
        // What stands nearer to the root is what a newcomer sees first.
        by_path.entry((one.path.matches('/').count(), &one.path)).or_default().push(one);
    }
    let mut writer = Writer::new("entry points", "entry points");
    for ((_, path), all) in by_path {
        let lines = all.iter().map(|one| Line::of(1, one.text.clone())).collect();
        writer.file(path, path.to_owned(), lines);
    }
    writer.finish()
}

fn folder_sheets(files: &[FileOutline], detail: Detail) -> Vec<Sheet> {
    let mut folders: BTreeMap<&str, BTreeMap<&str, &FileOutline>> = BTreeMap::new();
    for file in files {
        let (folder, name) = file.path.rsplit_once('/').unwrap_or((".", &file.path));
        folders.entry(folder).or_default().insert(name, file);
    }
    let mut sheets = Vec::new();
    for (folder, files) in folders {
        let heading = match detail {
            Detail::Names => format!("folder {folder}, names only"),
            _ => format!("folder {folder}"),
        };
        let mut writer = Writer::new(&format!("folder {folder}"), &heading);
        for (name, file) in files {
            let about = file.about.as_ref().filter(|_| detail == Detail::Full);
            let head = match about {
                Some(about) => format!("{name}: {about}"),
                None if file.signatures.is_empty() => format!("{name}: nothing public"),
                None => name.to_owned(),
            };
            writer.file(&file.path, head, file_lines(&file.signatures, detail));
        }
        sheets.extend(writer.finish());
    }
    sheets
}

fn file_lines(signatures: &[Signature], detail: Detail) -> Vec<Line> {
    if detail == Detail::Names {
        return names_line(signatures).into_iter().collect();
    }
    let mut lines = Vec::new();
    let mut above: Option<&str> = None;
    let mut modules_above = false;
    for one in signatures.iter().take(MAX_SIGNATURES) {
        match &one.owner {
            Some(owner) => {
                if above != Some(owner) {
                    lines.push(Line::of(1, format!("{owner}:")));
                    above = Some(owner);
                }
                let mut line = Line::of(2, told(one, detail));
                line.owner = Some(owner.clone());
                lines.push(line);
            }
            // Modules that say nothing of themselves share a line.
            None if is_bare_module(one) && modules_above && share(&mut lines, &one.name) => {}
            None => {
                lines.push(Line::of(1, told(one, detail)));
                above =
                    matches!(one.kind, ItemKind::Class | ItemKind::Trait | ItemKind::Type | ItemKind::Module)
                        .then_some(one.name.as_str());
            }
        }
        modules_above = is_bare_module(one);
    }
    if signatures.len() > MAX_SIGNATURES {
        lines.push(Line::of(1, format!("and {} more", signatures.len() - MAX_SIGNATURES)));
    }
    lines
}

fn is_bare_module(one: &Signature) -> bool {
    one.kind == ItemKind::Module && one.owner.is_none() && one.about.is_none()
}

/// Adds a name to the last line, if there is room for it.
fn share(lines: &mut [Line], name: &str) -> bool {
    match lines.last_mut() {
        Some(line) if chars(&line.text) + chars(name) < MAX_LINE_CHARS / 4 => {
            line.text.push_str(&format!(", {name}"));
            true
        }
        _ => false,
    }
}

fn told(one: &Signature, detail: Detail) -> String {
    match &one.about {
        Some(about) if detail == Detail::Full => format!("{} // {about}", one.text),
        _ => one.text.clone(),
    }
}

fn names_line(signatures: &[Signature]) -> Option<Line> {
    let names: Vec<&str> =
        signatures.iter().filter(|one| one.kind != ItemKind::Method).map(|one| one.name.as_str()).collect();
    let mut text = String::new();
    for (at, name) in names.iter().enumerate() {
        if text.chars().count() + name.chars().count() + 2 > MAX_LINE_CHARS / 2 {
            text.push_str(&format!(" and {} more", names.len() - at));
            break;
        }
        if at > 0 {
            text.push_str(", ");
        }
        text.push_str(name);
    }
    (!text.is_empty()).then(|| Line::of(1, text))
}

struct Line {
    text: String,
    /// What a line needs above it when a sheet begins with it.
    owner: Option<String>,
}

impl Line {
    fn of(depth: usize, text: String) -> Self {
        Self { text: fitting(&format!("{}{text}", "  ".repeat(depth))), owner: None }
    }
}

/// Fills one sheet after the other. A file stays whole where it fits.
struct Writer {
    key: String,
    heading: String,
    sheets: Vec<(String, Vec<String>)>,
    chars: usize,
}

impl Writer {
    fn new(key: &str, heading: &str) -> Self {
        Self { key: key.to_owned(), heading: fitting(heading), sheets: Vec::new(), chars: SHEET_CHARS }
    }

    fn file(&mut self, path: &str, head: String, lines: Vec<Line>) {
        let name = head.split(": ").next().unwrap_or(&head).to_owned();
        let head = fitting(&head);
        let whole = 1 + chars(&head) + lines.iter().map(|line| 1 + chars(&line.text)).sum::<usize>();
        let first = 1 + chars(&head) + lines.first().map_or(0, |line| 1 + chars(&line.text));
        let fits_an_own_sheet = self.empty_chars() + whole <= SHEET_CHARS;
        let full = if fits_an_own_sheet { whole } else { first };
        if self.chars + full > SHEET_CHARS {
            self.new_sheet();
        }
        self.put(path, &head);
        for line in lines {
            if self.chars + 1 + chars(&line.text) > SHEET_CHARS {
                self.new_sheet();
                self.put(path, &fitting(&format!("{name} (continued)")));
                if let Some(owner) = &line.owner {
                    self.put(path, &fitting(&format!("  {owner}:")));
                }
            }
            self.put(path, &line.text);
        }
    }

    fn empty_chars(&self) -> usize {
        // Room for the number of the sheet.
        chars(&self.heading) + 8
    }

    fn new_sheet(&mut self) {
        let number = self.sheets.len() + 1;
        let heading =
            if number == 1 { self.heading.clone() } else { format!("{}, part {number}", self.heading) };
        self.chars = chars(&heading);
        self.sheets.push((heading, Vec::new()));
    }

    fn put(&mut self, path: &str, line: &str) {
        if self.sheets.is_empty() {
            self.new_sheet();
        }
        if let Some((text, files)) = self.sheets.last_mut() {
            text.push('\n');
            text.push_str(line);
            self.chars += 1 + chars(line);
            if files.last().is_none_or(|last| last != path) {
                files.push(path.to_owned());
            }
        }
    }

    fn finish(self) -> Vec<Sheet> {
        let numbered = self.sheets.into_iter().enumerate();
        numbered
            .map(|(at, (text, files))| {
                let key = if at == 0 { self.key.clone() } else { format!("{} {}", self.key, at + 1) };
                Sheet { key, text, files }
            })
            .collect()
    }
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

fn fitting(line: &str) -> String {
    match line.char_indices().nth(MAX_LINE_CHARS) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line.to_owned(),
    }
}
