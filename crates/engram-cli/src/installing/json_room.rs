//! The inside of a JSON object or array, as a stretch of text: where an item is
//! added, what goes with one that is taken out, and how both are laid out.
//!
//! Commas, white space and comments between items are its business; what the
//! items mean is not.

use jsonc_parser::ast::{Array, Object};
use jsonc_parser::common::Ranged as _;
use serde::Serialize as _;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

/// How a file is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) newline: &'static str,
    unit: String,
    /// Everything is on one line.
    one_line: bool,
}

/// What is added to a room.
pub(super) enum Item<'a> {
    Member(&'a str, &'a Value),
    Element(&'a Value),
}

/// The brackets of a container, and where its items begin and end.
pub(super) struct Room {
    open: usize,
    close: usize,
    items: Vec<(usize, usize)>,
}

impl Layout {
    pub(super) fn of(text: &str, root: Option<&Object<'_>>) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let first = root.and_then(|root| root.properties.first());
        let indent = first
            .map(|first| first.range.start)
            .filter(|start| begins_line(text, *start))
            .map(|start| indent_of(text, start))
            .filter(|indent| !indent.is_empty());
        let one_line = root.is_some_and(|root| {
            !root.properties.is_empty() && !text[root.range.start..root.range.end].contains('\n')
        });
        Self { newline, unit: indent.unwrap_or("  ").to_owned(), one_line }
    }

    /// The indentation of what begins at `start`.
    pub(super) fn indent_at<'a>(&self, text: &'a str, start: usize) -> &'a str {
        indent_of(text, start)
    }

    /// A value over several lines, the first of which is indented already.
    pub(super) fn spread(&self, value: &Value, indent: &str) -> String {
        if self.one_line {
            return value.to_string();
        }
        let mut bytes = Vec::new();
        let formatter = PrettyFormatter::with_indent(self.unit.as_bytes());
        match value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter)) {
            Ok(()) => String::from_utf8_lossy(&bytes).replace('\n', &format!("{}{indent}", self.newline)),
            Err(_) => value.to_string(),
        }
    }

    fn item(&self, item: &Item<'_>, indent: Option<&str>) -> String {
        let text = |value: &Value| indent.map_or_else(|| value.to_string(), |it| self.spread(value, it));
        match item {
            Item::Member(key, value) => format!("{}: {}", Value::from(*key), text(value)),
            Item::Element(value) => text(value),
        }
    }
}

impl Room {
    pub(super) fn of_object(object: &Object<'_>) -> Self {
        let items = object.properties.iter().map(|member| (member.range.start, member.range.end));
        Self { open: object.range.start, close: object.range.end - 1, items: items.collect() }
    }

    pub(super) fn of_array(array: &Array<'_>) -> Self {
        let items = array.elements.iter().map(|element| (element.range().start, element.range().end));
        Self { open: array.range.start, close: array.range.end - 1, items: items.collect() }
    }

    /// The text with one item more, behind the others.
    pub(super) fn with_last(&self, text: &str, layout: &Layout, item: &Item<'_>) -> String {
        match self.items.last() {
            Some((start, end)) => self.behind(text, layout, item, *start, *end),
            None => self.filled(text, layout, item),
        }
    }

    fn behind(&self, text: &str, layout: &Layout, item: &Item<'_>, start: usize, end: usize) -> String {
        let comma = comma_after(text, end);
        let at = end_of_line_comments(text, comma.map_or(end, |comma| comma + 1));
        let own_comma = if comma.is_some() { "," } else { "" };
        let fresh = if text[self.open..start].contains('\n') {
            let indent = if begins_line(text, start) {
                indent_of(text, start).to_owned()
            } else {
                format!("{}{}", indent_of(text, self.open), layout.unit)
            };
            format!("{}{indent}{}{own_comma}", layout.newline, layout.item(item, Some(&indent)))
        } else {
            // Behind a comment to the end of a line nothing can follow on it.
            let gap = if at > end && text[end..at].contains("//") { layout.newline } else { " " };
            format!("{gap}{}{own_comma}", layout.item(item, None))
        };
        let missing = if comma.is_some() { "" } else { "," };
        format!("{}{missing}{}{fresh}{}", &text[..end], &text[end..at], &text[at..])
    }

    fn filled(&self, text: &str, layout: &Layout, item: &Item<'_>) -> String {
        let inside = &text[self.open + 1..self.close];
        if layout.one_line {
            let at = self.open + 1 + inside.trim_end().len();
            return format!("{}{}{}", &text[..at], layout.item(item, None), &text[self.close..]);
        }
        let outer = indent_of(text, self.open);
        let indent = format!("{outer}{}", layout.unit);
        let at = self.open + 1 + inside.trim_end().len();
        let fresh = format!("{}{indent}{}", layout.newline, layout.item(item, Some(&indent)));
        let gap = &text[at..self.close];
        let gap = if gap.contains('\n') { gap.to_owned() } else { format!("{}{outer}", layout.newline) };
        format!("{}{fresh}{gap}{}", &text[..at], &text[self.close..])
    }

    /// The text without one of its items. Comments stay.
    pub(super) fn without(&self, text: &str, index: usize) -> String {
        let Some((start, end)) = self.items.get(index).copied() else { return text.to_owned() };
        let before = index.checked_sub(1).and_then(|before| self.items.get(before)).map(|item| item.1);
        let is_last = index + 1 == self.items.len();
        let comma = comma_after(text, end);

        // What is cut out, from the back to the front.
        let mut cuts: Vec<(usize, usize)> = comma.map(|comma| (comma, comma + 1)).into_iter().collect();
        let blank = text[..start].trim_end().len();
        let follows = &text[comma.map_or(end, |comma| comma + 1)..];
        let ends_line = follows.trim_start_matches([' ', '\t']).starts_with(['\r', '\n']);
        let from = before.unwrap_or(self.open + 1);
        // The end of a line keeps a comment that runs to it.
        let keeps_gap = ends_in_line_comment(text, from, start) && !ends_line;
        cuts.push((if keeps_gap { start } else { blank }, end));
        if let (true, None, Some(before)) = (is_last, comma, before)
            && let Some(needless) = comma_after(text, before)
        {
            cuts.push((needless, needless + 1));
        }
        let mut edited = text.to_owned();
        let mut removed = 0;
        for (from, to) in cuts {
            edited.replace_range(from..to, "");
            removed += to - from;
        }
        // Nothing is left but the white space that made room.
        let inside = self.open + 1..self.close - removed;
        if self.items.len() == 1 && edited[inside.clone()].trim().is_empty() {
            edited.replace_range(inside, "");
        }
        edited
    }
}

/// Where white space and comments from `at` on end.
fn skip(text: &str, mut at: usize) -> usize {
    loop {
        let rest = &text[at..];
        let blank = rest.len() - rest.trim_start().len();
        let rest = &rest[blank..];
        at += blank;
        let comment = comment_length(rest);
        if comment == 0 {
            return at;
        }
        at += comment;
    }
}

/// The length of the comment a text begins with, without the end of its line.
fn comment_length(text: &str) -> usize {
    if text.starts_with("//") {
        return text.find(['\n', '\r']).unwrap_or(text.len());
    }
    match text.strip_prefix("/*") {
        Some(inside) => inside.find("*/").map_or(text.len(), |end| end + 4),
        None => 0,
    }
}

fn comma_after(text: &str, end: usize) -> Option<usize> {
    let at = skip(text, end);
    text[at..].starts_with(',').then_some(at)
}

/// The end of the comments that follow on the same line.
fn end_of_line_comments(text: &str, from: usize) -> usize {
    let mut end = from;
    loop {
        let rest = &text[end..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let comment = &rest[blank..];
        let length = comment_length(comment);
        // A block that goes on over lines belongs to what follows.
        if length == 0 || comment[..length].contains('\n') {
            return end;
        }
        end += blank + length;
    }
}

/// Whether the last thing before `to` is a comment that runs to the end of its
/// line.
fn ends_in_line_comment(text: &str, from: usize, to: usize) -> bool {
    let mut at = from;
    let mut last_is_line = false;
    while at < to {
        let rest = &text[at..to];
        let length = comment_length(rest);
        if length > 0 {
            last_is_line = rest.starts_with("//");
            at += length;
            continue;
        }
        let Some(next) = rest.chars().next() else { break };
        if !next.is_whitespace() {
            last_is_line = false;
        }
        at += next.len_utf8();
    }
    last_is_line
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

fn begins_line(text: &str, at: usize) -> bool {
    text[line_start(text, at)..at].trim().is_empty()
}

/// The white space at the beginning of the line of `at`.
fn indent_of(text: &str, at: usize) -> &str {
    let line = &text[line_start(text, at)..at];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
