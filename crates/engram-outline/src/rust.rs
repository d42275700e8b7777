//! The public items of a Rust file.
//!
//! Knows one grammar. Public is what says `pub` and nothing more: `pub(crate)`
//! is not an offer to others.

use crate::ItemKind;
use crate::about::first_sentence;
use crate::parse::{MAX_DEPTH, Page, children_with_comments};
use tree_sitter::Node;

pub(crate) fn read(page: &mut Page) -> Option<()> {
    let tree = page.parse(&tree_sitter_rust::LANGUAGE.into())?;
    let header: Vec<&str> = page.text.lines().take_while(|line| line.starts_with("//!")).collect();
    page.about = first_sentence(&header.join("\n"));
    items(page, tree.root_node(), None, 0);
    Some(())
}

fn items(page: &mut Page, node: Node, owner: Option<&str>, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    let mut exported = false;
    for (item, comment) in children_with_comments(page, node, &["attribute_item"]) {
        let doc = comment.and_then(doc_of);
        match item.kind() {
            "attribute_item" => {
                exported |= page.of(item).contains("macro_export");
                continue;
            }
            "impl_item" => inherent(page, item),
            // What the parser could not place may hold sound items.
            "ERROR" => items(page, item, owner, depth + 1),
            "macro_definition" if exported => {
                let name = page.field(item, "name").unwrap_or_default();
                page.add(ItemKind::Function, name, owner, &format!("macro_rules! {name}"), doc);
            }
            "foreign_mod_item" => {
                if let Some(body) = item.child_by_field_name("body") {
                    items(page, body, owner, depth + 1);
                }
            }
            _ if is_public(page, item) => public_item(page, item, owner, doc, depth),
            _ => {}
        }
        exported = false;
    }
}

fn public_item(page: &mut Page, item: Node, owner: Option<&str>, doc: Option<&str>, depth: usize) {
    let name = page.field(item, "name").unwrap_or_default();
    let body = item.child_by_field_name("body");
    let head = page.head(item, body);
    match item.kind() {
        "function_item" | "function_signature_item" => {
            page.add(ItemKind::Function, name, owner, unmarked(head), doc);
        }
        "struct_item" | "enum_item" | "union_item" | "type_item" => {
            page.add(ItemKind::Type, name, owner, unmarked(head), doc);
        }
        "trait_item" => {
            page.add(ItemKind::Trait, name, owner, unmarked(head), doc);
            if let Some(body) = body {
                methods(page, body, name, false);
            }
        }
        "const_item" | "static_item" => {
            let value = item.child_by_field_name("value");
            page.add(ItemKind::Constant, name, owner, unmarked(page.head(item, value)), doc);
        }
        "mod_item" => {
            page.add(ItemKind::Module, name, owner, unmarked(head), doc);
            if let Some(body) = body {
                let path = owner.map_or(name.to_owned(), |owner| format!("{owner}::{name}"));
                items(page, body, Some(&path), depth + 1);
            }
        }
        _ => {}
    }
}

/// The methods of an `impl` without a trait. Those of a trait are told where
/// the trait is.
fn inherent(page: &mut Page, item: Node) {
    if item.child_by_field_name("trait").is_some() {
        return;
    }
    let (Some(on), Some(body)) = (item.child_by_field_name("type"), item.child_by_field_name("body")) else {
        return;
    };
    let on = on.child_by_field_name("type").unwrap_or(on);
    let owner = page.of(on).to_owned();
    methods(page, body, &owner, true);
}

fn methods(page: &mut Page, body: Node, owner: &str, only_public: bool) {
    for (item, comment) in children_with_comments(page, body, &["attribute_item"]) {
        let doc = comment.and_then(doc_of);
        if only_public && !is_public(page, item) {
            continue;
        }
        let name = page.field(item, "name").unwrap_or_default();
        match item.kind() {
            "function_item" | "function_signature_item" => {
                let head = page.head(item, item.child_by_field_name("body"));
                page.add(ItemKind::Method, name, Some(owner), unmarked(head), doc);
            }
            "const_item" => {
                let head = page.head(item, item.child_by_field_name("value"));
                page.add(ItemKind::Constant, name, Some(owner), unmarked(head), doc);
            }
            _ => {}
        }
    }
}

/// The doc comment among the comments above an item: a plain one, or the
/// header of the file, may stand right before it.
fn doc_of(comment: &str) -> Option<&str> {
    let mut start = 0;
    for line in comment.split_inclusive('\n') {
        let text = line.trim_start();
        if text.starts_with("///") || text.starts_with("/**") {
            return Some(&comment[start..]);
        }
        start += line.len();
    }
    None
}

fn is_public(page: &Page, item: Node) -> bool {
    item.named_child(0).is_some_and(|first| first.kind() == "visibility_modifier" && page.of(first) == "pub")
}

fn unmarked(head: &str) -> &str {
    head.strip_prefix("pub").map_or(head, str::trim_start)
}
