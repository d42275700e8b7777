//! How each tool is called, in the order in which they are listed.

use super::{TEXT, some_id};
use serde_json::{Value, json};

/// One call of each tool, and what of the order is told.
pub(crate) fn calls() -> Vec<(&'static str, Value, Value)> {
    let id = some_id().to_string();
    let of = |order: &str| json!({ "order": order, "memory": id });
    vec![
        (
            "store_memory",
            json!({ "text": TEXT, "kind": "fact", "tags": ["keys"], "scope": "project", "pin": true }),
            json!({ "order": "remember", "text": TEXT, "kind": "fact", "tags": ["keys"], "scope": "project", "pin": true }),
        ),
        (
            "recall_memories",
            json!({ "query": "where is the key" }),
            json!({ "order": "recall", "query": "where is the key", "limit": 5, "preview": false, "via": "tool" }),
        ),
        ("inspect_memory", json!({ "memory": id }), of("inspect")),
        (
            "forget_memory",
            json!({ "memories": [id] }),
            json!({ "order": "forget", "memories": [id], "purge": false }),
        ),
        (
            "update_status",
            json!({ "memory": id, "status": "deprecated", "reason": "moved" }),
            json!({ "order": "mark", "memory": id, "status": "deprecated", "reason": "moved" }),
        ),
        (
            "record_outcome",
            json!({ "memory": id, "outcome": "success" }),
            json!({ "order": "record_outcome", "memory": id, "outcome": "success", "note": null }),
        ),
        ("memory_stats", json!({}), json!({ "order": "stats" })),
        (
            "promote_memories",
            json!({ "to": "user" }),
            json!({ "order": "promote", "to": "user", "memories": [] }),
        ),
        (
            "list_memories",
            json!({ "pinned": true, "limit": 500 }),
            json!({ "order": "list", "limit": 50, "pinned": true }),
        ),
        ("correct_memory", json!({ "memory": id, "text": "gone" }), of("correct")),
        ("confirm_memory", json!({ "memory": id }), of("confirm")),
        ("pin_memory", json!({ "memory": id }), json!({ "order": "pin", "pinned": true })),
        ("memory_history", json!({ "memory": id }), of("history")),
        ("memory_why", json!({ "memory": id }), of("why")),
        ("undo", json!({ "step": "drift" }), json!({ "order": "undo", "target": null, "step": "drift" })),
        ("list_reviews", json!({ "all": true }), json!({ "order": "review_list", "all": true })),
        (
            "decide_review",
            json!({ "review": "ABC", "ruling": "newer" }),
            json!({ "order": "review_decide", "review": "ABC", "ruling": "newer" }),
        ),
        ("list_sessions", json!({}), json!({ "order": "session_list" })),
        ("show_session", json!({}), json!({ "order": "session_show", "session": null })),
        ("list_reminders", json!({}), json!({ "order": "reminders" })),
        ("recent_recalls", json!({}), json!({ "order": "recalls", "limit": 20 })),
        (
            "promote",
            json!({ "memory": id, "tier": "semantic" }),
            json!({ "order": "set_tier", "memory": id, "tier": "semantic" }),
        ),
        (
            "demote",
            json!({ "memory": id, "tier": "episodic" }),
            json!({ "order": "set_tier", "memory": id, "tier": "episodic" }),
        ),
        (
            "consolidate",
            json!({}),
            json!({ "order": "dream", "only": [], "depth": "full", "dry_run": false, "scope": null }),
        ),
        (
            "drift_check",
            json!({}),
            json!({ "order": "dream", "only": ["drift"], "depth": null, "dry_run": true, "scope": null }),
        ),
        ("consolidation_next", json!({}), json!({ "order": "consolidation_next" })),
        (
            "consolidation_submit",
            json!({ "summary": id, "text": "all keys are in vault" }),
            json!({ "order": "consolidation_submit", "summary": id, "text": "all keys are in vault" }),
        ),
        (
            "query_evolution_candidates",
            json!({ "criteria": "similar_pairs", "limit": 500 }),
            json!({ "order": "evolution_candidates", "criteria": "similar_pairs", "limit": 50, "scope": null }),
        ),
        (
            "get_usage_history",
            json!({ "node_id": id }),
            json!({ "order": "usage", "memory": id, "limit": 10 }),
        ),
        (
            "deprecate_node",
            json!({ "node_id": id, "node_type": "Fact", "reason": "it fails" }),
            json!({ "order": "evolve_deprecate", "memory": id, "node_type": "fact", "reason": "it fails", "justification": null }),
        ),
        (
            "refine_node",
            json!({ "node_id": id, "node_type": "Process", "improved_content": "better", "reason": "r", "justification": "j" }),
            json!({ "order": "evolve_refine", "memory": id, "node_type": "procedure", "text": "better", "reason": "r", "justification": "j" }),
        ),
        (
            "merge_nodes",
            json!({ "node_ids": [id, id], "merged_content": "both" }),
            json!({ "order": "evolve_merge", "memories": [id, id], "text": "both", "reason": "they say the same" }),
        ),
        (
            "archive_node",
            json!({ "node_id": id }),
            json!({ "order": "evolve_archive", "memory": id, "node_type": null, "reason": "nobody used it for 90 days or more" }),
        ),
        (
            "induce_skill",
            json!({ "process_ids": [id, id, id], "skill_name": "release", "description": "Use to release" }),
            json!({ "order": "induce_skill", "memories": [id, id, id], "name": "release", "description": "Use to release", "text": null }),
        ),
        (
            "skill_search",
            json!({ "query": "skill-editing" }),
            json!({ "order": "skills", "query": "skill-editing", "limit": 3 }),
        ),
        ("evolution_report", json!({}), json!({ "order": "evolution_report", "since": null })),
        (
            "evolve",
            json!({ "dry_run": true }),
            json!({ "order": "evolve", "dry_run": true, "scope": null, "only": [] }),
        ),
        (
            "rate_recall",
            json!({ "feedback": "helpful", "memories": [id] }),
            json!({ "order": "record_feedback", "recall": null, "feedback": "helpful", "memories": [id] }),
        ),
        ("reflect", json!({}), json!({ "order": "reflect", "limit": 50, "all": false })),
    ]
}
