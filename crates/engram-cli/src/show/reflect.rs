//! How it looks what the memory has to tell of itself.

use super::{Last, Look, clean_line, plural, table, wrap};
use engram_core::reflect::{Insight, Proposal, ReflectionLogged};
use engram_wire::evolution::{Reflections, StoreReflection};
use std::fmt::Write as _;

pub(crate) fn reflections(shown: &Reflections, look: &Look) -> String {
    if shown.stores.is_empty() {
        return "There is no store to look at.\n".to_owned();
    }
    let stores: Vec<String> = shown.stores.iter().map(|store| of_store(store, look)).collect();
    stores.join("\n")
}

fn of_store(store: &StoreReflection, look: &Look) -> String {
    let mut text = format!("{}\n", look.bold(&clean_line(&store.store)));
    for insight in &store.insights {
        text += &told(insight, look);
    }
    if store.insights.is_empty() {
        text += "Nothing to tell yet.\n";
    }
    let proposals: Vec<&Proposal> = store
        .insights
        .iter()
        .filter(|insight| insight.closed_at.is_none())
        .filter_map(|insight| insight.proposal.as_ref())
        .collect();
    for Proposal { setting, value, why } in proposals {
        let (setting, value) = (clean_line(setting), clean_line(value));
        let why = wrap(&format!("Proposed: {}", clean_line(why)), look.width).join("\n");
        let _ = writeln!(text, "\n{why}\n  `engram config set {setting} {value}` does so.");
    }
    if !store.reflections.is_empty() {
        let _ = write!(text, "\n{}", log(&store.reflections, look));
    }
    text
}

fn told(insight: &Insight, look: &Look) -> String {
    let kind = insight.insight.as_str().replace('_', " ");
    let said = format!("{kind}: {}", clean_line(&insight.description));
    let mut text = wrap(&said, look.width).join("\n  ") + "\n";
    let mut facts = vec![format!("seen {}", look.age(insight.last_seen_at))];
    facts.push(plural(insight.evidence.len(), "piece of evidence", "pieces of evidence"));
    facts.extend(insight.action_taken.as_deref().map(clean_line));
    facts.extend(insight.closed_at.map(|at| format!("closed {}", look.age(at))));
    let _ = writeln!(text, "{}", look.dim(&format!("  {}", facts.join(" · "))));
    text
}

fn log(reflections: &[ReflectionLogged], look: &Look) -> String {
    let row = |line: &ReflectionLogged| {
        let counts = [
            (line.insights_generated, "insight", "insights"),
            (line.entities_merged, "entity merged", "entities merged"),
            (line.edges_pruned, "edge pruned", "edges pruned"),
            (line.memories_archived, "memory archived", "memories archived"),
        ];
        let told = counts.iter().filter(|(count, ..)| *count > 0);
        let mut told: Vec<String> =
            told.map(|(count, one, many)| plural(*count as usize, one, many)).collect();
        if told.is_empty() {
            told.push("nothing".to_owned());
        }
        vec![
            look.age(line.at),
            line.triggered_by.as_str().replace('_', " "),
            line.session_count_at.to_string(),
            format!("{}; {} ms", told.join(", "), line.duration_ms),
        ]
    };
    let header = ["REFLECTED", "TRIGGER", "SESSIONS", "FOUND"];
    table(&header, reflections.iter().map(row).collect(), Last::Wrap, look)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{NEW, OLD, look, reply};
    use super::*;
    use expect_test::expect;
    use serde_json::json;

    #[test]
    fn insights_are_told_with_what_was_done_and_what_could_be() {
        let shown = reply(json!({"stores": [
            {"scope": "project", "store": "project shop (/w/shop)",
             "insights": [
                {"id": "memory_gap:staging key", "insight": "memory_gap", "subject": "staging key",
                 "description": "asked 4 times in 3 sessions and never answered: how the\u{1b} staging key is rotated",
                 "evidence": [OLD, NEW, OLD, NEW], "created_at": "2026-11-10T10:00:00Z",
                 "last_seen_at": "2026-11-14T10:00:00Z"},
                {"id": "decay_anomaly:episodic", "insight": "decay_anomaly", "subject": "episodic",
                 "description": "7 of 20 memories that had faded came back by use", "evidence": [OLD],
                 "proposal": {"setting": "retention.project", "value": "power", "why": "it would have kept 6 of the 7"},
                 "created_at": "2026-11-10T10:00:00Z", "last_seen_at": "2026-11-14T10:00:00Z"},
                {"id": "graph_insight:a", "insight": "graph_insight", "subject": "a", "description": "used together 5 times",
                 "evidence": [OLD, NEW], "action_taken": "tied by related_to", "created_at": "2026-11-10T10:00:00Z",
                 "last_seen_at": "2026-11-12T10:00:00Z", "closed_at": "2026-11-13T10:00:00Z"}],
             "reflections": [
                {"dream": NEW, "triggered_by": "session_end", "session_count_at": 20, "insights_generated": 2,
                 "entities_merged": 0, "edges_pruned": 1, "memories_archived": 3, "duration_ms": 41,
                 "at": "2026-11-14T10:00:00Z"}]},
            {"scope": "user", "store": "user", "insights": [], "reflections": []}
        ]}));
        expect![[r#"
            project shop (/w/shop)
            memory gap: asked 4 times in 3 sessions and never answered: how the␛
              staging key is rotated
              seen 1 day ago · 4 pieces of evidence
            decay anomaly: 7 of 20 memories that had faded came back by use
              seen 1 day ago · 1 piece of evidence
            graph insight: used together 5 times
              seen 3 days ago · 2 pieces of evidence · tied by related_to · closed 2 days ago

            Proposed: it would have kept 6 of the 7
              `engram config set retention.project power` does so.

            REFLECTED  TRIGGER      SESSIONS  FOUND
            1 day ago  session end  20        2 insights, 1 edge pruned, 3
                                              memories archived; 41 ms

            user
            Nothing to tell yet.
        "#]]
        .assert_eq(&reflections(&shown, &look()));
        assert_eq!(reflections(&reply(json!({"stores": []})), &look()), "There is no store to look at.\n");
    }
}
