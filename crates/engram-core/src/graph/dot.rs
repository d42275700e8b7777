//! A tree of things as a drawing in the DOT language, which other programs
//! draw.
//!
//! How a thing is called arrives from outside; whatever the name holds, it
//! cannot leave its label.

use super::Tree;
use crate::id::EntityId;
use std::fmt::Write as _;

/// Every thing is a node and every bond that led to one an arrow, as the bond
/// points. The same tree gives the same text.
pub fn to_dot(tree: &Tree, name_of: impl Fn(EntityId) -> String) -> String {
    let mut text = String::from("digraph engram {\n");
    draw(tree, &name_of, &mut text);
    text.push_str("}\n");
    text
}

fn draw(tree: &Tree, name_of: &impl Fn(EntityId) -> String, text: &mut String) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  \"{}\" [label=\"{}\"];", tree.entity, escaped(&name_of(tree.entity)));
    if let Some(bond) = &tree.by {
        let _ = writeln!(text, "  \"{}\" -> \"{}\" [label=\"{}\"];", bond.from, bond.to, bond.kind);
    }
    tree.branches.iter().for_each(|branch| draw(branch, name_of, text));
}

/// A backslash begins a sign of the language, and a quote ends the label.
fn escaped(name: &str) -> String {
    let mut label = String::with_capacity(name.len());
    for mark in name.chars() {
        match mark {
            '"' | '\\' => label.extend(['\\', mark]),
            control if control.is_control() => label.push(' '),
            plain => label.push(plain),
        }
    }
    label
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::BondKind::*;
    use crate::graph::neighbours;
    use crate::graph::trial::{bond, thing};
    use proptest::prelude::*;

    #[test]
    fn a_tree_becomes_nodes_and_arrows() {
        let bonds = [bond("api", Uses, "redis"), bond("valkey", Replaces, "redis")];
        let tree = neighbours(&bonds, thing("api"), 2, &[]);
        let names =
            |id| ["api", "redis", "valkey"].into_iter().find(|name| thing(name) == id).unwrap().to_owned();
        let (api, redis, valkey) = (thing("api"), thing("redis"), thing("valkey"));
        let expected = format!(
            "digraph engram {{\n  \"{api}\" [label=\"api\"];\n  \"{redis}\" [label=\"redis\"];\n  \
             \"{api}\" -> \"{redis}\" [label=\"uses\"];\n  \"{valkey}\" [label=\"valkey\"];\n  \
             \"{valkey}\" -> \"{redis}\" [label=\"replaces\"];\n}}\n"
        );
        assert_eq!(to_dot(&tree, names), expected);
    }

    #[test]
    fn a_name_cannot_leave_its_label() {
        let tree = neighbours(&[], thing("api"), 1, &[]);
        let text = to_dot(&tree, |_| "a\"]; b\\N\nc".to_owned());
        assert!(text.contains("[label=\"a\\\"]; b\\\\N c\"];"), "{text}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn whatever_a_name_holds_each_label_ends_where_it_should(name in ".{0,20}") {
            let tree = neighbours(&[], thing("api"), 1, &[]);
            let text = to_dot(&tree, |_| name.clone());
            let mut open = false;
            let mut quotes = 0;
            let mut marks = text.chars();
            while let Some(mark) = marks.next() {
                match mark {
                    '\\' if open => { marks.next(); }
                    '"' => { open = !open; quotes += 1; }
                    _ => {}
                }
            }
            prop_assert!(!open && quotes == 4, "{text}");
        }
    }
}
