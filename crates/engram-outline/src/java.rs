//! The public items of a Java file.
//!
//! Knows one grammar. The members of a public interface are public without
//! saying so.

use crate::ItemKind;
use crate::parse::{MAX_DEPTH, Page, children_with_comments};
use tree_sitter::Node;

pub(crate) fn read(page: &mut Page) -> Option<()> {
    let tree = page.parse(&tree_sitter_java::LANGUAGE.into())?;
    items(page, tree.root_node(), None, false, 0);
    Some(())
}

fn items(page: &mut Page, node: Node, owner: Option<&str>, all_public: bool, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    for (item, comment) in children_with_comments(page, node, &[]) {
        // What the parser could not place may hold sound items.
        if matches!(item.kind(), "enum_body_declarations" | "ERROR") {
            items(page, item, owner, all_public, depth + 1);
            continue;
        }
        let modifiers = item.named_child(0).filter(|first| first.kind() == "modifiers");
        let words = modifiers.map(|node| words_of(page, node)).unwrap_or_default();
        let public = words.contains(&"public") || (all_public && !words.contains(&"private"));
        if !public {
            continue;
        }
        let doc = comment.filter(|comment| comment.starts_with("/**"));
        let name = page.field(item, "name").unwrap_or_default();
        let body = item.child_by_field_name("body");
        let text = head(page, item, modifiers, body, &words);
        let kind = match item.kind() {
            "class_declaration" => ItemKind::Class,
            "interface_declaration" | "annotation_type_declaration" => ItemKind::Trait,
            "enum_declaration" | "record_declaration" => ItemKind::Type,
            "method_declaration" | "constructor_declaration" => {
                page.add(ItemKind::Method, name, owner, &text, doc);
                continue;
            }
            "field_declaration" if words.contains(&"static") && words.contains(&"final") => {
                let name = item
                    .child_by_field_name("declarator")
                    .and_then(|one| page.field(one, "name"))
                    .unwrap_or_default();
                let of = page.field(item, "type").unwrap_or_default();
                page.add(ItemKind::Constant, name, owner, &format!("{of} {name}"), doc);
                continue;
            }
            _ => continue,
        };
        page.add(kind, name, owner, &text, doc);
        if let Some(body) = body {
            items(page, body, Some(name), kind == ItemKind::Trait, depth + 1);
        }
    }
}

/// The modifiers without annotations.
fn words_of<'t>(page: &Page<'t>, modifiers: Node) -> Vec<&'t str> {
    modifiers
        .children(&mut modifiers.walk())
        .filter(|child| !child.is_named())
        .map(|child| page.of(child))
        .collect()
}

fn head(page: &Page, item: Node, modifiers: Option<Node>, body: Option<Node>, words: &[&str]) -> String {
    let start = modifiers.map_or(item.start_byte(), |node| node.end_byte());
    let end = body.map_or(item.end_byte(), |body| body.start_byte());
    let kept: Vec<&str> = words.iter().copied().filter(|word| *word != "public").collect();
    format!("{} {}", kept.join(" "), page.text.get(start..end).unwrap_or_default())
}
