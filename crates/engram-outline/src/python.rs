//! The public items of a Python file: what stands at the top or in a class
//! there, and does not begin with an underscore.
//!
//! Knows one grammar.

use crate::ItemKind;
use crate::about::first_sentence;
use crate::parse::{MAX_DEPTH, Page};
use tree_sitter::Node;

pub(crate) fn read(page: &mut Page) -> Option<()> {
    let tree = page.parse(&tree_sitter_python::LANGUAGE.into())?;
    let root = tree.root_node();
    page.about = doc_string(page, root).and_then(first_sentence);
    items(page, root, None, 0);
    Some(())
}

fn items(page: &mut Page, block: Node, owner: Option<&str>, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    for item in block.named_children(&mut block.walk()) {
        let item = match item.kind() {
            "decorated_definition" => item.child_by_field_name("definition").unwrap_or(item),
            _ => item,
        };
        match item.kind() {
            "function_definition" => {
                let kind = if owner.is_some() { ItemKind::Method } else { ItemKind::Function };
                definition(page, item, kind, owner);
            }
            "class_definition" => {
                if let Some((name, body)) = definition(page, item, ItemKind::Class, owner) {
                    items(page, body, Some(name), depth + 1);
                }
            }
            // What the parser could not place may hold sound items.
            "ERROR" => items(page, item, owner, depth + 1),
            "expression_statement" if owner.is_none() => constant(page, item),
            // What is defined on some systems only is defined.
            "if_statement" | "try_statement" if owner.is_none() => {
                let body = item.child_by_field_name("consequence").or(item.child_by_field_name("body"));
                if let Some(body) = body {
                    items(page, body, owner, depth + 1);
                }
            }
            _ => {}
        }
    }
}

fn definition<'t, 'tree>(
    page: &mut Page<'t>,
    item: Node<'tree>,
    kind: ItemKind,
    owner: Option<&str>,
) -> Option<(&'t str, Node<'tree>)> {
    let name = page.field(item, "name")?;
    let body = item.child_by_field_name("body")?;
    if name.starts_with('_') && name != "__init__" {
        return None;
    }
    let head = page.head(item, Some(body));
    // A comment between the colon and the body belongs to the body.
    let head = match item.child_by_field_name("return_type").or(item.child_by_field_name("parameters")) {
        Some(last) => page.text.get(item.start_byte()..last.end_byte()).unwrap_or(head),
        None => head.split_once(":\n").map_or(head, |(head, _)| head),
    };
    let doc = doc_string(page, body);
    page.add(kind, name, owner, head.trim_end().trim_end_matches(':'), doc);
    Some((name, body))
}

/// `NAME = ...` in capitals, as constants are written.
fn constant(page: &mut Page, statement: Node) {
    let Some(assignment) = statement.named_child(0).filter(|node| node.kind() == "assignment") else {
        return;
    };
    let name = page.field(assignment, "left").unwrap_or_default();
    let capital = name.starts_with(|letter: char| letter.is_ascii_uppercase())
        && name.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_');
    if capital {
        let text = match page.field(assignment, "type") {
            Some(of) => format!("{name}: {of}"),
            None => name.to_owned(),
        };
        page.add(ItemKind::Constant, name, None, &text, None);
    }
}

fn doc_string<'t>(page: &Page<'t>, block: Node) -> Option<&'t str> {
    let first = block
        .named_children(&mut block.walk())
        .find(|child| child.kind() != "comment")
        .filter(|child| child.kind() == "expression_statement")?;
    let string = first.named_child(0).filter(|child| child.kind() == "string")?;
    Some(page.of(string))
}
