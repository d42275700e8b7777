//! The public items of a Go file: those whose names begin with a capital.
//!
//! Knows one grammar.

use crate::ItemKind;
use crate::about::first_sentence;
use crate::parse::{MAX_DEPTH, Page, children_with_comments};
use tree_sitter::Node;

pub(crate) fn read(page: &mut Page) -> Option<()> {
    let tree = page.parse(&tree_sitter_go::LANGUAGE.into())?;
    items(page, tree.root_node(), 0);
    Some(())
}

fn items(page: &mut Page, node: Node, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    for (item, comment) in children_with_comments(page, node, &[]) {
        match item.kind() {
            "package_clause" => page.about = comment.and_then(first_sentence),
            "function_declaration" => function(page, item, None, comment),
            "method_declaration" => {
                let receiver = page.field(item, "receiver").unwrap_or_default();
                let owner = type_of(receiver);
                if is_public(owner) {
                    function(page, item, Some(owner), comment);
                }
            }
            "type_declaration" => {
                for (spec, inner) in children_with_comments(page, item, &[]) {
                    named_type(page, spec, inner.or(comment));
                }
            }
            "const_declaration" | "var_declaration" => constants(page, item, comment),
            // What the parser could not place may hold sound items.
            "ERROR" => items(page, item, depth + 1),
            _ => {}
        }
    }
}

fn function(page: &mut Page, item: Node, owner: Option<&str>, comment: Option<&str>) {
    let name = page.field(item, "name").unwrap_or_default();
    if is_public(name) {
        let kind = if owner.is_some() { ItemKind::Method } else { ItemKind::Function };
        page.add(kind, name, owner, page.head(item, item.child_by_field_name("body")), comment);
    }
}

fn named_type(page: &mut Page, spec: Node, comment: Option<&str>) {
    let name = page.field(spec, "name").unwrap_or_default();
    let (Some(of), true) = (spec.child_by_field_name("type"), is_public(name)) else { return };
    let before = page.head(spec, Some(of));
    match of.kind() {
        "struct_type" => page.add(ItemKind::Type, name, None, &format!("type {before} struct"), comment),
        "interface_type" => {
            page.add(ItemKind::Trait, name, None, &format!("type {before} interface"), comment);
            for (method, comment) in children_with_comments(page, of, &[]) {
                let called = page.field(method, "name").unwrap_or_default();
                if method.kind() == "method_elem" && is_public(called) {
                    page.add(ItemKind::Method, called, Some(name), page.of(method), comment);
                }
            }
        }
        _ => page.add(ItemKind::Type, name, None, &format!("type {}", page.of(spec)), comment),
    }
}

fn constants(page: &mut Page, item: Node, comment: Option<&str>) {
    let word = if item.kind() == "const_declaration" { "const" } else { "var" };
    let mut specs = Vec::new();
    for (child, inner) in children_with_comments(page, item, &[]) {
        match child.kind() {
            "const_spec" | "var_spec" => specs.push((child, inner.or(comment))),
            "var_spec_list" => specs.extend(children_with_comments(page, child, &[])),
            _ => {}
        }
    }
    for (spec, comment) in specs {
        let of = page.field(spec, "type").map(|of| format!(" {of}")).unwrap_or_default();
        for name in spec.children_by_field_name("name", &mut spec.walk()) {
            let name = page.of(name);
            if is_public(name) {
                page.add(ItemKind::Constant, name, None, &format!("{word} {name}{of}"), comment);
            }
        }
    }
}

/// `(s *Server[T])` is of `Server`.
fn type_of(receiver: &str) -> &str {
    let receiver = receiver.trim_matches(['(', ')', ' ']);
    let receiver = receiver.split('[').next().unwrap_or(receiver);
    receiver.rsplit([' ', '*']).next().unwrap_or(receiver)
}

fn is_public(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}
