//! How the things that memories name look: a list, one with everything known of
//! it, and what it is bound to, as a tree.

use super::memory::sketch;
use super::{Last, Look, clean, clean_line, cut, memories, plural, table, wrap};
use engram_core::link::KnownEntity;
use engram_wire::life::{BondLine, Entities, EntityChanged, EntityLine, EntityShown, GraphNode, GraphShown};
use std::collections::BTreeSet;
use std::fmt::Write as _;

pub(crate) fn entities(listed: &Entities, look: &Look) -> String {
    if listed.entities.is_empty() {
        return "No memory names such a thing.\n".to_owned();
    }
    let row = |line: &EntityLine| {
        let EntityLine { scope, entity, memories, bonds } = line;
        vec![
            clean_line(&entity.written),
            entity.kind.to_string(),
            scope.to_string(),
            memories.to_string(),
            bonds.to_string(),
            look.age(entity.last_seen_at),
            aliases(entity),
        ]
    };
    let header = ["NAME", "KIND", "SCOPE", "MEMORIES", "BONDS", "LAST SEEN", "ALSO CALLED"];
    let mut text = table(&header, listed.entities.iter().map(row).collect(), Last::Wrap, look);
    if listed.total > listed.entities.len() {
        let note = format!("the most named {} of {}", listed.entities.len(), listed.total);
        let _ = writeln!(text, "{}", look.dim(&note));
    }
    text
}

fn aliases(entity: &KnownEntity) -> String {
    entity.aliases.iter().map(|alias| clean_line(alias)).collect::<Vec<_>>().join(", ")
}

pub(crate) fn entity(shown: &EntityShown, look: &Look) -> String {
    let EntityShown { scope, entity, description, card, memories: naming, bonds } = shown;
    let mut text = format!("{}\n\n", look.bold(&clean_line(&entity.written)));
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            let _ = writeln!(text, "{} {value}", look.dim(&format!("{name:<11}")));
        }
    };
    line("kind", format!("{}, {scope}", entity.kind));
    line("also called", aliases(entity));
    line("version", entity.version.as_deref().map(clean_line).unwrap_or_default());
    line("it is", description.as_deref().map(clean_line).unwrap_or_default());
    line("first seen", look.moment(entity.first_seen_at));
    line("last seen", look.moment(entity.last_seen_at));
    if let Some(card) = card {
        let _ = writeln!(text, "\n{}", wrap(&clean(&card.content), look.width).join("\n"));
    }
    if !bonds.is_empty() {
        let _ = writeln!(text, "\n{}", look.bold("bonds"));
        for bond in bonds {
            let _ = writeln!(text, "  {}", bond_line(bond, entity, look));
        }
    }
    let named = match naming.len() {
        0 => "no memory names it".to_owned(),
        count => plural(count, "memory names it", "memories name it"),
    };
    let _ = writeln!(text, "\n{}", look.bold(&named));
    for memory in naming {
        text += &sketch(memory, look);
    }
    text
}

/// A bond, seen from one of its ends.
fn bond_line(line: &BondLine, seen_from: &KnownEntity, look: &Look) -> String {
    let bond = &line.bond;
    let kind = bond.kind.as_str().replace('_', " ");
    let tie = if bond.from == seen_from.id {
        format!("{kind} {}", clean_line(&line.to_name))
    } else {
        format!("{} {kind} this", clean_line(&line.from_name))
    };
    let ended = bond.invalid_at.map(|at| format!(", ended {}", look.age(at))).unwrap_or_default();
    format!("{tie} (weight {:.1}, {}{ended})", bond.weight.get(), memories(bond.evidence.len()))
}

pub(crate) fn entity_changed(changed: &EntityChanged, _look: &Look) -> String {
    let entity = &changed.entity;
    let called = match aliases(entity).as_str() {
        "" => String::new(),
        aliases => format!(", also called {aliases}"),
    };
    format!(
        "{} ({}){called}: {}.\n",
        clean_line(&entity.written),
        entity.kind,
        plural(entity.mentions as usize, "memory names it", "memories name it")
    )
}

/// What a thing is bound to, as a tree that grows to the right. An arrow points
/// as its bond does.
pub(crate) fn graph(shown: &GraphShown, look: &Look) -> String {
    let Some(root) = shown.nodes.first() else {
        return "Nothing is bound to it.\n".to_owned();
    };
    let mut text = format!("{} {}\n", look.bold(&clean_line(&root.name)), look.dim(&facts(root)));
    if shown.nodes.len() == 1 {
        return text + "Nothing is bound to it.\n";
    }
    let mut drawn = BTreeSet::from([0]);
    grow(&shown.nodes, 0, "", &mut drawn, look, &mut text);
    text
}

/// Draws the branches of one node, each node once whatever the reply says.
fn grow(
    nodes: &[GraphNode],
    place: usize,
    before: &str,
    drawn: &mut BTreeSet<usize>,
    look: &Look,
    text: &mut String,
) {
    let branches: Vec<usize> = (0..nodes.len())
        .filter(|branch| nodes[*branch].from == Some(place) && drawn.insert(*branch))
        .collect();
    for (number, branch) in branches.iter().copied().enumerate() {
        let is_last = number + 1 == branches.len();
        let (fork, further) = if is_last { ("└── ", "    ") } else { ("├── ", "│   ") };
        let node = &nodes[branch];
        let kind = node.bond.map(|kind| kind.as_str().replace('_', " ")).unwrap_or_default();
        let arrow = if node.backwards { "←" } else { "→" };
        let line = format!("{before}{fork}{kind} {arrow} {} {}", clean_line(&node.name), facts(node));
        let _ = writeln!(text, "{}", cut(&line, look.width));
        grow(nodes, branch, &format!("{before}{further}"), drawn, look, text);
    }
}

fn facts(node: &GraphNode) -> String {
    let weight = node.weight.map(|weight| format!(", weight {weight:.1}")).unwrap_or_default();
    format!("({}, {}{weight})", node.kind, memories(node.memories))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{NEW, OLD, look, memory, reply};
    use super::*;
    use expect_test::expect;
    use serde_json::{Value, json};

    /// The same for the same name, as an identifier of a thing is.
    fn id(name: &str) -> String {
        let sum: usize = name.bytes().map(usize::from).sum();
        format!("{sum:026}")
    }

    fn thing(name: &str) -> Value {
        json!({
            "id": id(name), "kind": "service", "name": name, "written": name, "mentions": 4,
            "first_seen_at": "2026-11-06T10:00:00Z", "last_seen_at": "2026-11-13T10:00:00Z"
        })
    }

    fn bond(from: &str, kind: &str, to: &str) -> Value {
        json!({
            "from": id(from), "kind": kind, "to": id(to), "weight": 0.6, "confidence": 0.75,
            "evidence": [OLD, NEW], "valid_from": "2026-11-06T10:00:00Z", "from_name": from, "to_name": to
        })
    }

    #[test]
    fn things_are_listed_with_how_often_they_are_named() {
        let mut redis = thing("Redis\u{1b}");
        redis["aliases"] = json!(["redis-server", "the cache"]);
        let listed = reply(json!({"total": 9, "entities": [
            {"scope": "project", "entity": redis, "memories": 4, "bonds": 2},
            {"scope": "user", "entity": thing("kafka"), "memories": 1, "bonds": 0}
        ]}));
        expect![[r#"
            NAME    KIND     SCOPE    MEMORIES  BONDS  LAST SEEN   ALSO CALLED
            Redis␛  service  project  4         2      2 days ago  redis-server, the cache
            kafka   service  user     1         0      2 days ago
            the most named 2 of 9
        "#]]
        .assert_eq(&entities(&listed, &Look { width: 100, ..look() }));
        let none = reply(json!({"total": 0, "entities": []}));
        assert_eq!(entities(&none, &look()), "No memory names such a thing.\n");
    }

    #[test]
    fn a_thing_is_shown_with_its_card_its_bonds_and_its_memories() {
        let mut redis = thing("Redis");
        redis["aliases"] = json!(["redis-server"]);
        redis["version"] = json!("7.2");
        let mut ended = bond("valkey", "replaces", "Redis");
        ended["invalid_at"] = json!("2026-11-14T10:00:00Z");
        let shown = reply(json!({
            "scope": "project", "entity": redis, "description": "the cache",
            "card": memory(NEW, "Redis listens on 6379.\nIt is the cache\u{1b}."),
            "memories": [memory(OLD, "redis is on the second host")],
            "bonds": [bond("Redis", "depends_on", "disk"), ended]
        }));
        expect![[r#"
            Redis

            kind        service, project
            also called redis-server
            version     7.2
            it is       the cache
            first seen  2026-11-06 10:00 (9 days ago)
            last seen   2026-11-13 10:00 (2 days ago)

            Redis listens on 6379.
            It is the cache␛.

            bonds
              depends on disk (weight 0.6, 2 memories)
              valkey replaces this (weight 0.6, 2 memories, ended 1 day ago)

            1 memory names it
            9R1S3T5V  project  fact  redis is on the second host
        "#]]
        .assert_eq(&entity(&shown, &look()));
    }

    #[test]
    fn a_thing_of_which_little_is_known_takes_few_lines() {
        let shown = reply(json!({"scope": "user", "entity": thing("kafka"), "memories": [], "bonds": []}));
        expect![[r#"
            kafka

            kind        service, user
            first seen  2026-11-06 10:00 (9 days ago)
            last seen   2026-11-13 10:00 (2 days ago)

            no memory names it
        "#]]
        .assert_eq(&entity(&shown, &look()));
    }

    #[test]
    fn a_change_of_a_thing_tells_its_names() {
        let mut redis = thing("Redis");
        let told =
            |entity: &Value| entity_changed(&reply(json!({"operation": NEW, "entity": entity})), &look());
        assert!(told(&redis).starts_with("Redis (service): 4 memories name it.\n"));
        redis["aliases"] = json!(["pg", "the cache"]);
        expect![[r#"
            Redis (service), also called pg, the cache: 4 memories name it.
        "#]]
        .assert_eq(&told(&redis));
    }

    fn node(name: &str, from: Option<usize>, bond: &str, backwards: bool) -> Value {
        let mut node = json!({"entity": id(name), "name": name, "kind": "service", "memories": 2, "hops": 1});
        if let Some(from) = from {
            node["from"] = json!(from);
            node["bond"] = json!(bond);
            node["backwards"] = json!(backwards);
            node["weight"] = json!(0.5);
        }
        node
    }

    #[test]
    fn a_graph_is_a_tree_whose_arrows_point_as_the_bonds_do() {
        let shown = reply(json!({"scope": "project", "dot": "", "nodes": [
            node("api", None, "", false),
            node("postgres", Some(0), "depends_on", false),
            node("redis\u{1b}", Some(0), "uses", false),
            node("disk", Some(1), "uses", false),
            node("a thing with a name that is far too long for any line of text", Some(2), "uses", false),
            node("valkey", Some(2), "replaces", true),
        ]}));
        expect![[r#"
            api (service, 2 memories)
            ├── depends on → postgres (service, 2 memories, weight 0.5)
            │   └── uses → disk (service, 2 memories, weight 0.5)
            └── uses → redis␛ (service, 2 memories, weight 0.5)
                ├── uses → a thing with a name that is far too long for any line of…
                └── replaces ← valkey (service, 2 memories, weight 0.5)
        "#]]
        .assert_eq(&graph(&shown, &look()));
    }

    #[test]
    fn a_graph_that_goes_in_circles_is_drawn_once() {
        let circle = reply(json!({"scope": "user", "dot": "", "nodes": [
            node("a", Some(1), "uses", false),
            node("b", Some(0), "uses", false),
            node("c", Some(9), "uses", false),
            node("d", Some(3), "uses", false),
        ]}));
        let told = graph(&circle, &look());
        assert_eq!(told.lines().count(), 2, "{told}");
        let alone = graph(
            &reply(json!({"scope": "user", "dot": "", "nodes": [node("a", None, "", false)]})),
            &look(),
        );
        assert_eq!(alone, "a (service, 2 memories)\nNothing is bound to it.\n");
        let empty = graph(&reply(json!({"scope": "user", "dot": "", "nodes": []})), &look());
        assert_eq!(empty, "Nothing is bound to it.\n");
    }
}
