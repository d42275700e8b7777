//! The exported items of a JavaScript or TypeScript file, in the manner of
//! modules (`export`) or of Node (`module.exports`).
//!
//! Knows three grammars that share their node names. What is passed on from
//! another file is told in that file.

use crate::parse::{MAX_DEPTH, Page, children_with_comments};
use crate::{ItemKind, Language};
use std::collections::BTreeSet;
use tree_sitter::Node;

pub(crate) fn read(page: &mut Page, language: Language) -> Option<()> {
    let grammar = match language {
        Language::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        Language::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
        _ => tree_sitter_javascript::LANGUAGE.into(),
    };
    let tree = page.parse(&grammar)?;
    let root = tree.root_node();
    let named = exported_by_name(page, root);
    items(page, root, &named, 0);
    Some(())
}

fn items(page: &mut Page, node: Node, named: &BTreeSet<&str>, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    for (item, comment) in children_with_comments(page, node, &["decorator"]) {
        let doc = comment.filter(|comment| comment.starts_with("/**"));
        match item.kind() {
            "export_statement" => exported(page, item, doc),
            "expression_statement" => assigned(page, item, doc),
            // Files of declarations only: everything in them is an offer.
            "ambient_declaration" => declared(page, item, doc),
            // What the parser could not place may hold sound items.
            "ERROR" => items(page, item, named, depth + 1),
            _ => declaration(page, item, None, doc, Some(named), 0),
        }
    }
}

/// The names in `export { a, b }`, `export default a` and
/// `module.exports = { a, b }`; their items stand elsewhere in the file.
fn exported_by_name<'t>(page: &Page<'t>, root: Node) -> BTreeSet<&'t str> {
    let mut names = BTreeSet::new();
    for item in root.named_children(&mut root.walk()) {
        if item.kind() == "export_statement" && item.child_by_field_name("source").is_none() {
            if let Some(value) =
                item.child_by_field_name("value").filter(|value| value.kind() == "identifier")
            {
                names.insert(page.of(value));
            }
            for clause in item.named_children(&mut item.walk()).filter(|one| one.kind() == "export_clause") {
                names.extend(
                    clause
                        .named_children(&mut clause.walk())
                        .filter_map(|specifier| page.field(specifier, "name")),
                );
            }
        }
        let Some((left, right)) = assignment_of(page, item) else { continue };
        if left != "module.exports" && !is_exports_member(left) {
            continue;
        }
        match right.kind() {
            "identifier" => {
                names.insert(page.of(right));
            }
            "object" => {
                for member in right.named_children(&mut right.walk()) {
                    match member.kind() {
                        "shorthand_property_identifier" => {
                            names.insert(page.of(member));
                        }
                        "pair" => {
                            let value = member.child_by_field_name("value");
                            names.extend(
                                value
                                    .filter(|value| value.kind() == "identifier")
                                    .map(|value| page.of(value)),
                            );
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    names
}

fn assignment_of<'t, 'tree>(page: &Page<'t>, item: Node<'tree>) -> Option<(&'t str, Node<'tree>)> {
    let assignment = (item.kind() == "expression_statement")
        .then(|| item.named_child(0))
        .flatten()
        .filter(|node| node.kind() == "assignment_expression")?;
    Some((page.field(assignment, "left")?, assignment.child_by_field_name("right")?))
}

fn is_exports_member(left: &str) -> bool {
    left.starts_with("exports.") || left.starts_with("module.exports.")
}

fn exported(page: &mut Page, item: Node, doc: Option<&str>) {
    if let Some(inner) = item.child_by_field_name("declaration") {
        if inner.kind() == "ambient_declaration" {
            declared(page, inner, doc);
        } else {
            declaration(page, inner, None, doc, None, 0);
        }
    } else if let Some(value) = item.child_by_field_name("value") {
        anonymous(page, "default", value, doc);
    }
}

fn declared(page: &mut Page, item: Node, doc: Option<&str>) {
    for inner in item.named_children(&mut item.walk()) {
        declaration(page, inner, None, doc, None, 0);
    }
}

/// `exports.name = ...` and the members of `module.exports = { ... }` that are
/// written in place.
fn assigned(page: &mut Page, item: Node, doc: Option<&str>) {
    let Some((left, right)) = assignment_of(page, item) else { return };
    if is_exports_member(left) {
        anonymous(page, left.rsplit('.').next().unwrap_or(left), right, doc);
    } else if left == "module.exports" {
        if right.kind() != "object" {
            anonymous(page, "module.exports", right, doc);
            return;
        }
        for (member, comment) in children_with_comments(page, right, &[]) {
            match member.kind() {
                "method_definition" => {
                    let name = page.field(member, "name").unwrap_or_default();
                    let head = page.head(member, member.child_by_field_name("body"));
                    page.add(ItemKind::Function, name, None, head, comment);
                }
                "pair" => {
                    let name = page.field(member, "key").unwrap_or_default();
                    if let Some(value) = member.child_by_field_name("value") {
                        anonymous(page, name, value, comment);
                    }
                }
                _ => {}
            }
        }
    }
}

/// A function, class or value that has its name from where it is put. One that
/// is only mentioned is told where it is declared.
fn anonymous(page: &mut Page, name: &str, value: Node, doc: Option<&str>) {
    let body = value.child_by_field_name("body");
    match value.kind() {
        "identifier" => {}
        "arrow_function" | "function_expression" | "generator_function" | "function" => {
            let head = page.head(value, body);
            page.add(ItemKind::Function, name, None, &format!("{name} = {head}"), doc);
        }
        "class" => {
            let head = page.head(value, body);
            page.add(ItemKind::Class, name, None, &format!("{name} = {head}"), doc);
            if let Some(body) = body {
                members(page, body, name);
            }
        }
        _ => page.add(ItemKind::Constant, name, None, name, doc),
    }
}

fn declaration(
    page: &mut Page,
    item: Node,
    owner: Option<&str>,
    doc: Option<&str>,
    only: Option<&BTreeSet<&str>>,
    depth: usize,
) {
    let wanted = |name: &str| only.is_none_or(|only| only.contains(name));
    let name = page.field(item, "name").unwrap_or_default();
    let body = item.child_by_field_name("body");
    let head = page.head(item, body);
    match item.kind() {
        "function_declaration" | "generator_function_declaration" | "function_signature" if wanted(name) => {
            page.add(ItemKind::Function, name, owner, head, doc);
        }
        "class_declaration" | "abstract_class_declaration" if wanted(name) => {
            page.add(ItemKind::Class, name, owner, head, doc);
            if let Some(body) = body {
                members(page, body, name);
            }
        }
        "interface_declaration" if wanted(name) => {
            page.add(ItemKind::Trait, name, owner, head, doc);
            if let Some(body) = body {
                members(page, body, name);
            }
        }
        "type_alias_declaration" if wanted(name) => {
            page.add(ItemKind::Type, name, owner, page.of(item), doc);
        }
        "enum_declaration" if wanted(name) => page.add(ItemKind::Type, name, owner, head, doc),
        "internal_module" | "module" if wanted(name) && depth < MAX_DEPTH => {
            page.add(ItemKind::Module, name, owner, head, doc);
            let Some(body) = body else { return };
            for (inner, comment) in children_with_comments(page, body, &[]) {
                if let Some(inner) = inner.child_by_field_name("declaration") {
                    declaration(page, inner, Some(name), comment, None, depth + 1);
                }
            }
        }
        "lexical_declaration" | "variable_declaration" => {
            for one in item.named_children(&mut item.walk()) {
                let name = page.field(one, "name").unwrap_or_default();
                if one.kind() == "variable_declarator" && wanted(name) {
                    variable(page, one, name, owner, doc);
                }
            }
        }
        _ => {}
    }
}

fn variable(page: &mut Page, one: Node, name: &str, owner: Option<&str>, doc: Option<&str>) {
    let value = one.child_by_field_name("value");
    match value {
        Some(value) if matches!(value.kind(), "arrow_function" | "function_expression") => {
            let head = page.head(one, value.child_by_field_name("body"));
            page.add(ItemKind::Function, name, owner, &format!("const {head}"), doc);
        }
        _ => page.add(ItemKind::Constant, name, owner, &format!("const {}", page.head(one, value)), doc),
    }
}

fn members(page: &mut Page, body: Node, owner: &str) {
    for (member, comment) in children_with_comments(page, body, &["decorator"]) {
        let is_method = matches!(
            member.kind(),
            "method_definition" | "method_signature" | "abstract_method_signature" | "construct_signature"
        );
        let hidden = member
            .named_children(&mut member.walk())
            .any(|child| child.kind() == "accessibility_modifier" && page.of(child) != "public");
        let name = page.field(member, "name").unwrap_or_default();
        if is_method && !hidden && !name.starts_with(['_', '#']) {
            let head = page.head(member, member.child_by_field_name("body"));
            let head = head.strip_prefix("public ").unwrap_or(head);
            page.add(ItemKind::Method, name, Some(owner), head, comment);
        }
    }
}
