//! How logs look: operations, a memory's history, what was taken back, what
//! was asked.

use super::evolve::skill_files;
use super::memory::sketch;
use super::{Last, Look, clean_line, memories, short, table};
use engram_core::MemoryId;
use engram_core::recalled::{RecallLogged, Surface};
use engram_wire::reply::{HistoryOf, OperationLine, Operations, Recalls, Undone};

pub(crate) fn operations(operations: &Operations, look: &Look) -> String {
    lines(&operations.operations, look)
}

/// Identifiers are whole here: `undo` takes no shorter ones.
fn lines(operations: &[OperationLine], look: &Look) -> String {
    if operations.is_empty() {
        return "No operations.\n".to_owned();
    }
    let rows = operations
        .iter()
        .map(|operation| {
            let touched: Vec<String> = operation.memories.iter().map(short).collect();
            let mut note = match touched.len() {
                0..=3 => touched.join(", "),
                many => memories(many),
            };
            if let Some(undone) = operation.undoes {
                note = format!("{note}; undoes {undone}");
            }
            if operation.undone_by.is_some() {
                note += "; undone";
            } else if !operation.undoable {
                note += "; cannot be undone";
            }
            vec![
                operation.id.to_string(),
                operation.cause.to_string(),
                operation.scope.to_string(),
                operation.actor.to_string(),
                look.age(operation.at),
                note,
            ]
        })
        .collect();
    table(&["OPERATION", "CAUSE", "SCOPE", "ACTOR", "AGE", "MEMORIES"], rows, Last::Wrap, look)
}

pub(crate) fn history(history: &HistoryOf, look: &Look) -> String {
    let rows = history
        .status_history
        .iter()
        .map(|step| {
            vec![
                look.date(step.change.at),
                look.age(step.change.at),
                step.to.to_string(),
                step.change.cause.to_string(),
                step.change.reason.clone(),
            ]
        })
        .collect();
    let steps = table(&["WHEN", "AGE", "BECAME", "CAUSE", "REASON"], rows, Last::Wrap, look);
    format!("{steps}\n{}", lines(&history.operations_on, look))
}

pub(crate) fn undone(undone: &Undone, look: &Look) -> String {
    let mut text = format!("Undid {} ({}).\n", clean_line(undone.cause.as_str()), undone.undone);
    for memory in undone.memories.iter().take(SKETCHED) {
        text += &sketch(memory, look);
    }
    if undone.memories.len() > SKETCHED {
        let more = format!("… and {} more", undone.memories.len() - SKETCHED);
        text += &format!("{}\n", look.dim(&more));
    }
    text + &skill_files(&undone.files)
}

/// A dream that is taken back may have touched very many.
const SKETCHED: usize = 20;

pub(crate) fn recalls(recalls: &Recalls, look: &Look) -> String {
    if recalls.recalls.is_empty() {
        return "Nothing was asked yet.\n".to_owned();
    }
    let mut text = String::new();
    for line in &recalls.recalls {
        let recall = &line.recall;
        text += &format!("{}\n", asked(recall));
        let mut facts = vec![
            look.moment(recall.at),
            short(recall.id),
            recall.via.as_str().replace('_', " "),
            line.scope.to_string(),
            recall.intent.to_string(),
            recall.query_type.to_string(),
            recall.strategy.to_string(),
            format!("confidence {:.2}", recall.confidence.get()),
        ];
        facts.push(match recall.shown.len() {
            0 => "nothing shown".to_owned(),
            count => format!("{count} shown: {}", ids(&recall.shown)),
        });
        // Whoever has not looked yet does not know that nothing was used.
        match recall.used.len() {
            0 if recall.settled_at.is_none() || recall.shown.is_empty() => {}
            0 => facts.push("none used".to_owned()),
            count => facts.push(format!("{count} used: {}", ids(&recall.used))),
        }
        facts.extend(recall.user_feedback.map(|said| said.as_str().replace('_', " ")));
        text += &look.dim(&format!("  {}", facts.join(" · ")));
        text.push('\n');
    }
    text
}

/// What was asked; what nobody asked for is told by where it was shown.
fn asked(recall: &RecallLogged) -> String {
    match (clean_line(&recall.query), recall.via) {
        (query, Surface::SessionStart) if query.is_empty() => "(a session began)".to_owned(),
        (query, Surface::Command) if query.is_empty() => "(a command was about to run)".to_owned(),
        (query, _) if query.is_empty() => "(nothing was asked)".to_owned(),
        (query, _) => query,
    }
}

fn ids(memories: &[MemoryId]) -> String {
    memories.iter().map(short).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{NEW, OLD, look, memory, reply};
    use super::*;
    use expect_test::expect;
    use serde_json::{Value, json};

    fn operation(id: &str, cause: &str, undoable: bool) -> Value {
        json!({
            "id": id, "scope": "user", "cause": cause, "actor": "human",
            "at": "2026-11-15T09:00:00Z", "memories": [OLD], "undoable": undoable
        })
    }

    #[test]
    fn the_log_says_what_can_be_undone() {
        let mut undo = operation(NEW, "undo", true);
        undo["undoes"] = json!(OLD);
        let mut undone = operation(OLD, "pin", false);
        undone["undone_by"] = json!(NEW);
        let log = reply(json!({"operations": [undo, undone, operation(OLD, "purge", false)]}));
        expect![[r#"
            OPERATION                   CAUSE  SCOPE  ACTOR  AGE         MEMORIES
            01JD3V8Q2Y6K4M5N7P9R1S3T60  undo   user   human  1 hour ago  9R1S3T5V; undoes 01JD3V8Q2Y6K4M5N7P9R1S3T5V
            01JD3V8Q2Y6K4M5N7P9R1S3T5V  pin    user   human  1 hour ago  9R1S3T5V; undone
            01JD3V8Q2Y6K4M5N7P9R1S3T5V  purge  user   human  1 hour ago  9R1S3T5V; cannot be undone
        "#]]
        .assert_eq(&operations(&log, &Look { width: 120, ..look() }));
        assert_eq!(operations(&reply(json!({"operations": []})), &look()), "No operations.\n");
    }

    #[test]
    fn what_was_asked_is_told_with_how_it_was_read() {
        let asked = |query: &str, shown: &[&str]| {
            json!({
                "scope": "project", "query": query, "query_type": "recall_fact", "intent": "factual",
                "strategy": "hybrid", "results_returned": shown.len(), "results_used": 0,
                "latency_ms": 1.5, "scopes": ["project", "user"], "shown": shown, "confidence": 0.82,
                "at": "2026-11-15T09:00:00Z", "id": "01JD3V8Q2Y6K4M5N7P9R1S3T77"
            })
        };
        let mut used = asked("deploy", &[NEW, OLD]);
        used["via"] = json!("prompt");
        used["used"] = json!([OLD]);
        used["settled_at"] = json!("2026-11-15T09:30:00Z");
        used["user_feedback"] = json!("partially_helpful");
        let mut began = asked("", &[NEW]);
        began["via"] = json!("session_start");
        began["settled_at"] = json!("2026-11-15T09:30:00Z");
        let first = asked("staging\u{1b} key", &[NEW, OLD]);
        let log = reply(json!({"recalls": [first, asked("zebras", &[]), used, began]}));
        expect![[r#"
            staging␛ key
              2026-11-15 09:00 (1 hour ago) · 9R1S3T77 · search · project · factual · recall_fact · hybrid · confidence 0.82 · 2 shown: 9R1S3T60 9R1S3T5V
            zebras
              2026-11-15 09:00 (1 hour ago) · 9R1S3T77 · search · project · factual · recall_fact · hybrid · confidence 0.82 · nothing shown
            deploy
              2026-11-15 09:00 (1 hour ago) · 9R1S3T77 · prompt · project · factual · recall_fact · hybrid · confidence 0.82 · 2 shown: 9R1S3T60 9R1S3T5V · 1 used: 9R1S3T5V · partially helpful
            (a session began)
              2026-11-15 09:00 (1 hour ago) · 9R1S3T77 · session start · project · factual · recall_fact · hybrid · confidence 0.82 · 1 shown: 9R1S3T60 · none used
        "#]].assert_eq(&recalls(&log, &look()));
        assert_eq!(recalls(&reply(json!({"recalls": []})), &look()), "Nothing was asked yet.\n");
    }

    #[test]
    fn a_history_is_in_the_order_of_time() {
        let life = reply(json!({
            "memory_id": OLD,
            "status_history": [
                {"from": null, "to": "created", "at": "2026-11-06T10:00:00Z", "reason": "remembered", "cause": "remember"},
                {"from": "created", "to": "archived", "at": "2026-11-15T09:00:00Z", "reason": "forgotten \u{1b}on request", "cause": "forget"}
            ],
            "operations_on": [operation(NEW, "forget", true)]
        }));
        expect![[r#"
            WHEN              AGE         BECAME    CAUSE     REASON
            2026-11-06 10:00  9 days ago  created   remember  remembered
            2026-11-15 09:00  1 hour ago  archived  forget    forgotten ␛on request

            OPERATION                   CAUSE   SCOPE  ACTOR  AGE         MEMORIES
            01JD3V8Q2Y6K4M5N7P9R1S3T60  forget  user   human  1 hour ago  9R1S3T5V
        "#]]
        .assert_eq(&history(&life, &Look { width: 100, ..look() }));
    }

    #[test]
    fn an_undo_says_what_it_took_back() {
        let back = reply(json!({
            "operation": NEW, "undone": OLD, "cause": "forget",
            "memories": [memory(OLD, "keys are rotated on mondays")]
        }));
        expect![[r#"
            Undid forget (01JD3V8Q2Y6K4M5N7P9R1S3T5V).
            9R1S3T5V  project  fact  keys are rotated on mondays
        "#]]
        .assert_eq(&undone(&back, &look()));
        let many = vec![memory(OLD, "x"); SKETCHED + 7];
        let back = reply(json!({"operation": NEW, "undone": OLD, "cause": "dream", "memories": many}));
        let told = undone(&back, &look());
        assert_eq!((told.lines().count(), told.lines().last()), (SKETCHED + 2, Some("… and 7 more")));
    }
}
