//! The functions and types of a C file that others can link or include.
//!
//! Knows one grammar. A prototype counts in a header only, where it is the
//! offer; in a source it repeats one.

use crate::ItemKind;
use crate::parse::{MAX_DEPTH, Page, children_with_comments};
use tree_sitter::Node;

pub(crate) fn read(page: &mut Page, header: bool) -> Option<()> {
    let tree = page.parse(&tree_sitter_c::LANGUAGE.into())?;
    items(page, tree.root_node(), header, 0);
    Some(())
}

fn items(page: &mut Page, node: Node, header: bool, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    for (item, comment) in children_with_comments(page, node, &[]) {
        match item.kind() {
            "function_definition" if header || !is_static(page, item) => {
                let head = page.head(item, item.child_by_field_name("body"));
                page.add(ItemKind::Function, name_of(page, item), None, head, comment);
            }
            "declaration" if header && item.child_by_field_name("declarator").is_some_and(is_function) => {
                page.add(ItemKind::Function, name_of(page, item), None, page.of(item), comment);
            }
            "type_definition" => {
                let name = name_of(page, item);
                let of = item.child_by_field_name("type");
                let text = match of.and_then(|of| of.child_by_field_name("body")) {
                    Some(body) => format!("{} {name}", page.head(item, Some(body)).trim_end()),
                    None => page.of(item).to_owned(),
                };
                page.add(ItemKind::Type, name, None, &text, comment);
            }
            "struct_specifier" | "union_specifier" | "enum_specifier" => {
                if let Some(body) = item.child_by_field_name("body") {
                    let name = page.field(item, "name").unwrap_or_default();
                    page.add(ItemKind::Type, name, None, page.head(item, Some(body)), comment);
                }
            }
            // What the parser could not place may hold sound items: braces
            // that pair across conditions do not pair for a parser.
            "ERROR" | "preproc_ifdef" | "preproc_if" | "preproc_else" | "preproc_elif" => {
                items(page, item, header, depth + 1);
            }
            "linkage_specification" => match item.child_by_field_name("body") {
                Some(body) if body.kind() == "declaration_list" => items(page, body, header, depth + 1),
                _ => items(page, item, header, depth + 1),
            },
            _ => {}
        }
    }
}

fn is_static(page: &Page, item: Node) -> bool {
    item.named_children(&mut item.walk())
        .any(|child| child.kind() == "storage_class_specifier" && page.of(child) == "static")
}

fn is_function(declarator: Node) -> bool {
    within(declarator).any(|node| node.kind() == "function_declarator")
}

/// The declared name, out of pointers, arrays and parentheses around it.
fn name_of<'t>(page: &Page<'t>, item: Node) -> &'t str {
    item.child_by_field_name("declarator")
        .and_then(|declarator| within(declarator).last())
        .map(|node| page.of(node))
        .unwrap_or_default()
}

/// A declarator and those inside it; a few at most in any sound source.
fn within(declarator: Node) -> impl Iterator<Item = Node> {
    std::iter::successors(Some(declarator), |node| {
        node.child_by_field_name("declarator")
            .or_else(|| (node.kind() == "parenthesized_declarator").then(|| node.named_child(0)).flatten())
    })
    .take(16)
}
