//! Runs a grammar over a text within bounds, and keeps what was found.
//!
//! Knows tree-sitter, and no language.

use crate::about::first_sentence;
use crate::{ItemKind, Signature};
use std::ops::ControlFlow;
use tree_sitter::{Language as Grammar, Node, ParseOptions, Parser, Tree};

/// A longer signature is cut and ends with an ellipsis.
const MAX_SIGNATURE_CHARS: usize = 200;
/// Modules within modules, classes within classes: deeper is not an interface.
pub(crate) const MAX_DEPTH: usize = 6;

/// The parser reports about every hundred steps. Sound texts need up to 17
/// reports for a thousand bytes and noise up to 25; with more it is lost. The
/// bound counts steps instead of time, so that a slow machine finds the same.
const REPORTS_PER_THOUSAND_BYTES: usize = 50;
const MIN_REPORTS: usize = 2_000;

/// A text being read, and what was found in it.
pub(crate) struct Page<'t> {
    pub(crate) text: &'t str,
    pub(crate) about: Option<String>,
    pub(crate) found: Vec<Signature>,
}

impl<'t> Page<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, about: None, found: Vec::new() }
    }

    /// `None` if the text is so broken that the parser was stopped.
    pub(crate) fn parse(&self, grammar: &Grammar) -> Option<Tree> {
        let mut parser = Parser::new();
        parser.set_language(grammar).ok()?;
        let bytes = self.text.as_bytes();
        let mut reports = 0;
        let bound = MIN_REPORTS + bytes.len() / 1_000 * REPORTS_PER_THOUSAND_BYTES;
        let mut progress = |_: &_| {
            reports += 1;
            if reports > bound { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        parser.parse_with_options(
            &mut |at, _| bytes.get(at..).unwrap_or_default(),
            None,
            Some(ParseOptions::new().progress_callback(&mut progress)),
        )
    }

    pub(crate) fn of(&self, node: Node) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    pub(crate) fn field(&self, node: Node, field: &str) -> Option<&'t str> {
        node.child_by_field_name(field).map(|child| self.of(child))
    }

    /// The text from the start of one node to the start of another, or to the
    /// first's end: a signature without its body.
    pub(crate) fn head(&self, node: Node, body: Option<Node>) -> &'t str {
        let end = body.map_or(node.end_byte(), |body| body.start_byte());
        self.text.get(node.start_byte()..end).unwrap_or_default()
    }

    pub(crate) fn add(
        &mut self,
        kind: ItemKind,
        name: &str,
        owner: Option<&str>,
        text: &str,
        comment: Option<&str>,
    ) {
        let name = one_line(name);
        if name.is_empty() {
            return;
        }
        self.found.push(Signature {
            kind,
            name,
            owner: owner.map(one_line),
            text: one_line(text),
            about: comment.and_then(first_sentence),
        });
    }
}

/// The children of a node, each with the comment right above it.
///
/// What stands between a comment and its item, such as an attribute, is named
/// in `between`; it does not part them.
pub(crate) fn children_with_comments<'tree, 't>(
    page: &Page<'t>,
    node: Node<'tree>,
    between: &[&str],
) -> Vec<(Node<'tree>, Option<&'t str>)> {
    let mut children = Vec::new();
    // From the first to the last byte of the comment, and the row after it.
    let mut above: Option<(usize, usize, usize)> = None;
    for child in node.named_children(&mut node.walk()) {
        let row = child.start_position().row;
        // Some grammars count the line break into the comment.
        let end = child.end_position();
        let next_row = if end.column == 0 { end.row } else { end.row + 1 };
        if child.kind().ends_with("comment") {
            above = match above {
                Some((start, _, expected)) if row == expected => Some((start, child.end_byte(), next_row)),
                _ => Some((child.start_byte(), child.end_byte(), next_row)),
            };
        } else if between.contains(&child.kind()) {
            above = above.map(|(start, end, _)| (start, end, next_row));
            // Kept for the reader of attributes; it is no item.
            children.push((child, None));
        } else {
            let comment = above.take().filter(|(_, _, expected)| *expected == row);
            children.push((child, comment.and_then(|(start, end, _)| page.text.get(start..end))));
        }
    }
    children
}

/// White space becomes single blanks, what opens a body is taken off, and a
/// long text is cut.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len().min(4 * MAX_SIGNATURE_CHARS));
    for word in text.split_whitespace() {
        // A parameter list over many lines reads as if it were on one.
        let opened = line.ends_with(['(', '[', '<']);
        if !line.is_empty() && !opened && !word.starts_with([')', ']', '>', ',', ';']) {
            line.push(' ');
        }
        if word.starts_with([')', ']', '>']) && line.ends_with(',') {
            line.pop();
        }
        line.push_str(word);
        if line.len() > 8 * MAX_SIGNATURE_CHARS {
            break;
        }
    }
    let whole = line.trim_end_matches(['{', ';', ' ', '=']);
    match whole.char_indices().nth(MAX_SIGNATURE_CHARS) {
        Some((cut, _)) => format!("{}…", whole[..cut].trim_end()),
        None => whole.to_owned(),
    }
}
