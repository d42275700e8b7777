//! How memories look: one line, a list, one with everything known about it.

use super::evolve::skill_files;
use super::{Last, Look, clean, clean_line, cut, memories, short, table, wrap};
use engram_core::law::utility_now;
use engram_core::{Memory, Status};
use engram_wire::life::TierSet;
use engram_wire::reply::{Changed, Inspected, Listed};

/// The status where it says something: a new or an active one does not.
pub(super) fn remarkable(status: Status) -> Option<&'static str> {
    (!matches!(status, Status::Created | Status::Active)).then_some(status.as_str())
}

/// One line: identifier, scope, kind, what it says.
pub(crate) fn sketch(memory: &Memory, look: &Look) -> String {
    let mut head = format!("{}  {}  {}", short(memory.id), memory.scope, memory.kind);
    if let Some(status) = remarkable(memory.status) {
        head = format!("{head}  {status}");
    }
    let room = look.width.saturating_sub(head.len() + 2).max(20);
    format!("{}  {}\n", look.dim(&head), cut(&clean_line(memory.headline()), room))
}

pub(crate) fn changed(changed: &Changed, look: &Look) -> String {
    let mut text: String = changed.memories.iter().map(|memory| sketch(memory, look)).collect();
    if let Some(decision) = &changed.decision {
        let told = super::capture::told(decision);
        text += &format!("{}\n", look.dim(&told));
    }
    text += &skill_files(&changed.files);
    for missed in &changed.missed {
        text += &format!("The words of it were not looked for in {}.\n", clean_line(missed));
    }
    if let Some(fate) = changed.team {
        text += &format!("{}\n", look.dim(fate.told()));
    }
    if changed.already {
        text += &look.dim("this had been done before; nothing was changed");
        text.push('\n');
    }
    text
}

pub(crate) fn tier_set(done: &TierSet, look: &Look) -> String {
    let TierSet { memory, before, .. } = done;
    let told = match memory.tier {
        // It was done before: the order came a second time.
        tier if tier == *before => format!("  is {tier}"),
        tier => format!("  was {before}, is {tier}"),
    };
    format!("{}{}\n", sketch(memory, look), look.dim(&told))
}

pub(crate) fn listed(listed: &Listed, look: &Look) -> String {
    if listed.memories.is_empty() {
        return "No memories.\n".to_owned();
    }
    let rows = listed
        .memories
        .iter()
        .map(|memory| {
            let pin = if memory.pinned { "*" } else { "" };
            vec![
                short(memory.id),
                memory.scope.to_string(),
                memory.kind.to_string(),
                format!("{}{pin}", memory.status),
                look.age(memory.created_at),
                memory.trace.access_count.to_string(),
                memory.headline().to_owned(),
            ]
        })
        .collect();
    let mut text = table(&["ID", "SCOPE", "KIND", "STATUS", "AGE", "USES", "TEXT"], rows, Last::Cut, look);
    let mut notes = Vec::new();
    if listed.memories.iter().any(|memory| memory.pinned) {
        notes.push("* pinned".to_owned());
    }
    if listed.total > listed.memories.len() {
        notes.push(format!("the newest {} of {}", listed.memories.len(), memories(listed.total)));
    }
    if !notes.is_empty() {
        text += &look.dim(&notes.join(" · "));
        text.push('\n');
    }
    text
}

pub(crate) fn inspected(inspected: &Inspected, look: &Look) -> String {
    let Inspected { memory, retention, strength, relations, .. } = inspected;
    let mut text = wrap(&clean(&memory.content), look.width).join("\n") + "\n\n";
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            text += &format!("{} {value}\n", look.dim(&format!("{name:<11}")));
        }
    };
    line("id", memory.id.to_string());
    line("summary", memory.summary.as_deref().map(clean_line).unwrap_or_default());
    let sub_tier = inspected.sub_tier.map(|sub_tier| format!(" ({sub_tier})")).unwrap_or_default();
    line("scope", format!("{}, {} tier{sub_tier}", memory.scope, memory.tier));
    line("kind", format!("{} ({})", memory.kind, memory.class()));
    line(
        "status",
        format!(
            "{} since {}: {}",
            memory.status,
            look.moment(memory.status_change.at),
            clean_line(&memory.status_change.reason)
        ),
    );
    let marks = [(memory.pinned, "pinned"), (memory.immutable, "immutable")];
    let marks: Vec<&str> = marks.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
    line("protected", marks.join(", "));
    let tags: Vec<&str> = memory.tags.iter().map(String::as_str).collect();
    line("tags", clean_line(&tags.join(", ")));
    line("domain", memory.domain.as_deref().map(clean_line).unwrap_or_default());
    line("retention", format!("{:.2}", retention.get()));
    line(
        "strength",
        format!(
            "{:.2} = importance {:.2} x confidence {:.2} x retention",
            strength.get(),
            memory.importance.get(),
            memory.confidence.get()
        ),
    );
    if let Some(importance) = inspected.importance {
        let terms = inspected.importance_terms.join(", ");
        line("matters", format!("{:.2} now: {terms}", importance.get()));
    }
    line("utility", format!("{:.2}", utility_now(memory, look.now).get()));
    line(
        "uses",
        format!(
            "{}, last used {}{}",
            memory.trace.access_count,
            look.moment(memory.trace.last_used_at),
            inspected.storage.map(|storage| format!(", storage strength {storage:.1}")).unwrap_or_default()
        ),
    );
    line("fades", memory.trace.fades_at.map_or("never".to_owned(), |at| look.moment(at)));
    let until = memory.validity.valid_until.map(|at| format!(" until {}", look.moment(at)));
    line("true", format!("from {}{}", look.moment(memory.validity.valid_from), until.unwrap_or_default()));
    line("recorded", look.moment(memory.validity.recorded_at));
    line(
        "source",
        format!(
            "{}, from {}, trust {:.1}",
            memory.provenance.write_source,
            memory.provenance.data_source.as_str().replace('_', " "),
            memory.provenance.trust.get()
        ),
    );
    line("session", memory.provenance.source_session.map(|id| id.to_string()).unwrap_or_default());
    line("project", memory.provenance.source_project.as_ref().map(|key| key.to_string()).unwrap_or_default());
    for step in &memory.provenance.promotion_chain {
        line("promoted", format!("from the {} {}", step.scope, look.moment(step.promoted_at)));
    }
    for relation in relations {
        let kind = relation.kind.as_str().replace('_', " ");
        line(
            "relation",
            if relation.from == memory.id {
                format!("{kind} {}", short(relation.to))
            } else {
                format!("{} {kind} this", short(relation.from))
            },
        );
    }
    line("revision", memory.revision.to_string());
    text
}

#[cfg(test)]
mod tests {
    use super::super::tests::{NEW, OLD, look, memory, reply};
    use super::*;
    use expect_test::expect;
    use serde_json::json;

    #[test]
    fn a_change_is_one_line_for_each_memory() {
        let mut old = memory(OLD, "the staging key is in vault");
        old["status"] = json!("superseded");
        let new = memory(NEW, "the staging key is in 1password\nsince \u{1b}[5mMay");
        let done = reply(json!({"operation": NEW, "memories": [new, old], "already": true}));
        expect![[r#"
            9R1S3T60  project  fact  the staging key is in 1password
            9R1S3T5V  project  fact  superseded  the staging key is in vault
            this had been done before; nothing was changed
        "#]]
        .assert_eq(&changed(&done, &look()));
    }

    #[test]
    fn a_memory_in_another_tier_says_which_it_was_in() {
        let set = |before: &str| {
            tier_set(
                &reply(
                    json!({"operation": NEW, "memory": memory(OLD, "keys are rotated on mondays"), "before": before}),
                ),
                &look(),
            )
        };
        assert_eq!(
            set("episodic"),
            "9R1S3T5V  project  fact  keys are rotated on mondays\n  was episodic, is semantic\n"
        );
        assert!(set("semantic").ends_with("\n  is semantic\n"));
    }

    #[test]
    fn a_list_is_a_table_cut_to_the_width() {
        let mut long = memory(OLD, "the staging key is in vault and nobody knows where the vault is");
        long["pinned"] = json!(true);
        let listed_ = reply(json!({"memories": [memory(NEW, "short \u{1b}[2J"), long], "total": 7}));
        expect![[r#"
            ID        SCOPE    KIND  STATUS   AGE         USES  TEXT
            9R1S3T60  project  fact  active   9 days ago  3     short ␛[2J
            9R1S3T5V  project  fact  active*  9 days ago  3     the staging key i…
            * pinned · the newest 2 of 7 memories
        "#]]
        .assert_eq(&listed(&listed_, &look()));
        assert_eq!(listed(&reply(json!({"memories": [], "total": 0})), &look()), "No memories.\n");
    }

    #[test]
    fn one_memory_is_shown_with_everything_known() {
        let one = reply(json!({
            "memory": memory(NEW, "the staging key is in 1password"),
            "retention": 0.91, "strength": 0.3185,
            "status_history": [],
            "relations": [{"from": NEW, "kind": "supersedes", "to": OLD, "created_at": "2026-11-06T10:00:00Z"}]
        }));
        expect![[r#"
            the staging key is in 1password

            id          01JD3V8Q2Y6K4M5N7P9R1S3T60
            scope       project, semantic tier
            kind        fact (fact)
            status      active since 2026-11-07 10:00 (8 days ago): first use
            tags        ops, secrets
            domain      aws
            retention   0.91
            strength    0.32 = importance 0.50 x confidence 0.70 x retention
            utility     0.50
            uses        3, last used 2026-11-13 10:00 (2 days ago)
            fades       2026-12-15 10:30 (in 30 days)
            true        from 2026-11-06 10:00 (9 days ago)
            recorded    2026-11-06 10:00 (9 days ago)
            source      manual, from user message, trust 1.0
            relation    supersedes 9R1S3T5V
            revision    1
        "#]]
        .assert_eq(&inspected(&one, &look()));
    }
}
