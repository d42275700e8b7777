//! How sessions look, and what comes of them: what went up, how a memory served,
//! what somebody wants to be reminded of.

use super::{Last, Look, clean_line, cut, memories, short, table, wrap};
use engram_core::used::Promotion;
use engram_core::{MemoryId, Timestamp};
use engram_wire::reply::{
    OutcomeRecorded, Promoted, RemindersListed, SessionLine, SessionMemory, SessionShown, Sessions,
};
use std::collections::BTreeSet;
use unicode_width::UnicodeWidthStr as _;

/// A summary is cut, but not to fewer columns than these.
const NARROWEST: usize = 24;
/// Nor is what has to come up for a reminder wider.
const WIDEST_WHEN: usize = 32;

pub(crate) fn sessions(sessions: &Sessions, look: &Look) -> String {
    if sessions.sessions.is_empty() {
        return "No sessions.\n".to_owned();
    }
    let header = ["SESSION", "STATUS", "STARTED", "ENDED", "MEMORIES", "PROMOTED", "SUMMARY"];
    let age = |at: Option<Timestamp>| at.map(|at| look.age(at)).unwrap_or_default();
    let row = |line: &SessionLine| {
        vec![
            line.session.to_string(),
            clean_line(&line.status),
            age(line.started_at),
            age(line.ended_at),
            line.memories.to_string(),
            line.promoted.to_string(),
            clean_line(line.summary.as_deref().unwrap_or_default()),
        ]
    };
    let mut rows: Vec<Vec<String>> = sessions.sessions.iter().map(row).collect();
    let widest =
        |column: usize| rows.iter().map(|row| row[column].width()).fold(header[column].len(), usize::max);
    let before: usize = (0..header.len() - 1).map(|column| widest(column) + 2).sum();
    let room = look.width.saturating_sub(before + 2).max(NARROWEST);
    for summary in rows.iter_mut().filter_map(|row| row.last_mut()) {
        *summary = cut(summary, room);
    }
    table(&header, rows, Last::Cut, &Look { width: before + room + 2, ..*look })
}

pub(crate) fn session_ended(line: &SessionLine, _look: &Look) -> String {
    let up = match line.promoted {
        0 => "nothing went up".to_owned(),
        count => format!("{} went up", memories(count)),
    };
    format!("Session {} has ended; {up}.\n", line.session)
}

pub(crate) fn session(shown: &SessionShown, look: &Look) -> String {
    let SessionShown { line, agent, memories_here, promotions } = shown;
    let mut text = String::new();
    let mut say = |name: &str, value: String| {
        if !value.is_empty() {
            text += &format!("{} {value}\n", look.dim(&format!("{name:<9}")));
        }
    };
    let moment = |at: Option<Timestamp>| at.map(|at| look.moment(at)).unwrap_or_default();
    say("session", format!("{}, {}", line.session, clean_line(&line.status)));
    say("agent", agent.as_deref().map(clean_line).unwrap_or_default());
    say("started", moment(line.started_at));
    say("ended", moment(line.ended_at));
    say("memories", format!("{} here, {} went up", line.memories, line.promoted));
    if let Some(summary) = &line.summary {
        text += &format!("\n{}\n", wrap(&super::clean(summary), look.width).join("\n"));
    }
    if !memories_here.is_empty() {
        text += &format!("\n{}", here(memories_here, look));
    }
    if !promotions.is_empty() {
        text += &format!("\n{}\n{}", look.bold("went up"), went_up(promotions, look));
    }
    text
}

fn here(memories: &[SessionMemory], look: &Look) -> String {
    let row = |here: &SessionMemory| {
        let memory = &here.memory;
        vec![
            short(memory.id),
            format!("{:.2}", here.score),
            memory.kind.to_string(),
            memory.headline().to_owned(),
        ]
    };
    table(&["ID", "SCORE", "KIND", "TEXT"], memories.iter().map(row).collect(), Last::Cut, look)
}

fn went_up(promotions: &[Promotion], look: &Look) -> String {
    let row = |promotion: &Promotion| {
        vec![
            short(promotion.memory),
            promotion.kind.to_string(),
            promotion.to.to_string(),
            promotion.reason.to_string(),
            format!("{:.2}", promotion.score),
            promotion.merged_into.map(short).unwrap_or_default(),
        ]
    };
    let header = ["ID", "KIND", "TO", "REASON", "SCORE", "MERGED INTO"];
    table(&header, promotions.iter().map(row).collect(), Last::Wrap, look)
}

pub(crate) fn promoted(promoted: &Promoted, look: &Look) -> String {
    let mut text = match promoted.promotions.as_slice() {
        [] => "Nothing went up.\n".to_owned(),
        promotions => {
            let ids: BTreeSet<MemoryId> = promotions.iter().map(|promotion| promotion.memory).collect();
            let merged = promotions.iter().filter(|promotion| promotion.merged_into.is_some()).count();
            let known = match merged {
                0 => String::new(),
                merged => format!(", {merged} of them into what was known there"),
            };
            format!("{}\n{} went up{known}.\n", went_up(promotions, look), memories(ids.len()))
        }
    };
    if promoted.stayed > 0 {
        text += &format!("{} stayed, being of the moment.\n", memories(promoted.stayed));
    }
    text
}

pub(crate) fn outcome(recorded: &OutcomeRecorded, look: &Look) -> String {
    let mut text = outcome_line(recorded);
    if recorded.already {
        text += &look.dim("this had been done before; nothing was changed");
        text.push('\n');
    }
    text
}

/// How using a memory went, what that did to it, and what it stands in place of.
pub(super) fn outcome_line(recorded: &OutcomeRecorded) -> String {
    let OutcomeRecorded { memory, outcome, utility_before, utility, replaced, .. } = recorded;
    let (before, after) = (utility_before.get(), utility.get());
    let instead = replaced.map(|replaced| format!(" in place of the {replaced} that was told before"));
    let instead = instead.unwrap_or_default();
    format!("{}: {outcome}{instead}; its utility was {before:.2} and is {after:.2}\n", short(memory))
}

pub(crate) fn reminders(listed: &RemindersListed, look: &Look) -> String {
    if listed.reminders.is_empty() {
        return "No reminders.\n".to_owned();
    }
    let rows = listed
        .reminders
        .iter()
        .map(|line| {
            let due = line.due_at.map(|at| look.moment(at));
            let when = line.when.as_deref().map(|when| cut(&clean_line(when), WIDEST_WHEN));
            let told = if line.told { "told" } else { "" };
            let both: Vec<String> = due.into_iter().chain(when).collect();
            vec![short(line.id), line.scope.to_string(), both.join(", "), told.to_owned(), line.text.clone()]
        })
        .collect();
    table(&["ID", "SCOPE", "WHEN", "TOLD", "TEXT"], rows, Last::Wrap, look)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{NEW, OLD, look, memory, reply};
    use super::*;
    use expect_test::expect;
    use serde_json::{Value, json};

    fn promotion(merged: Option<&str>) -> Value {
        let mut promotion = json!({
            "memory": OLD, "session": NEW, "from": "session", "to": "project", "kind": "decision",
            "reason": "at_once", "score": 0.875, "at": "2026-11-15T10:00:00Z"
        });
        if let Some(merged) = merged {
            promotion["merged_into"] = merged.into();
        }
        promotion
    }

    #[test]
    fn sessions_tell_what_went_up_and_what_they_were_about() {
        let some = reply(json!({"sessions": [
            {"session": OLD, "status": "open", "started_at": "2026-11-15T10:00:00Z", "memories": 4},
            {"session": NEW, "status": "completed", "started_at": "2026-11-14T10:00:00Z",
             "ended_at": "2026-11-14T11:00:00Z", "memories": 0, "promoted": 3,
             "summary": "Moved the staging\u{1b} key to 1password,\nand told everybody about it at length."},
        ]}));
        expect![[r#"
            SESSION                     STATUS     STARTED         ENDED         MEMORIES  PROMOTED  SUMMARY
            01JD3V8Q2Y6K4M5N7P9R1S3T5V  open       30 minutes ago                4         0
            01JD3V8Q2Y6K4M5N7P9R1S3T60  completed  1 day ago       23 hours ago  0         3         Moved the staging␛ key…
        "#]].assert_eq(&sessions(&some, &look()));
        expect![[r#"
            SESSION                     STATUS     STARTED         ENDED         MEMORIES  PROMOTED  SUMMARY
            01JD3V8Q2Y6K4M5N7P9R1S3T5V  open       30 minutes ago                4         0
            01JD3V8Q2Y6K4M5N7P9R1S3T60  completed  1 day ago       23 hours ago  0         3         Moved the staging␛ key to 1password, a…
        "#]].assert_eq(&sessions(&some, &Look { width: 130, ..look() }));
        assert_eq!(sessions(&reply(json!({"sessions": []})), &look()), "No sessions.\n");
    }

    #[test]
    fn the_end_of_a_session_says_how_many_went_up() {
        let ended = |count: usize| {
            session_ended(
                &reply(json!({"session": OLD, "status": "completed", "memories": 0, "promoted": count})),
                &look(),
            )
        };
        assert_eq!(ended(0), format!("Session {OLD} has ended; nothing went up.\n"));
        assert_eq!(ended(2), format!("Session {OLD} has ended; 2 memories went up.\n"));
    }

    #[test]
    fn a_session_is_shown_with_what_is_in_it_and_what_went_up() {
        let shown = reply(json!({
            "session": OLD, "status": "open", "started_at": "2026-11-15T10:00:00Z", "memories": 1, "promoted": 2,
            "summary": "Moved the key.\nAnd the lock.", "agent": "claude-code",
            "memories_here": [{"memory": memory(NEW, "keys are rotated on mondays"), "score": 0.123}],
            "promotions": [promotion(None), promotion(Some(NEW))],
        }));
        expect![[r#"
            session   01JD3V8Q2Y6K4M5N7P9R1S3T5V, open
            agent     claude-code
            started   2026-11-15 10:00 (30 minutes ago)
            memories  1 here, 2 went up

            Moved the key.
            And the lock.

            ID        SCORE  KIND  TEXT
            9R1S3T60  0.12   fact  keys are rotated on mondays

            went up
            ID        KIND      TO       REASON   SCORE  MERGED INTO
            9R1S3T5V  decision  project  at_once  0.88
            9R1S3T5V  decision  project  at_once  0.88   9R1S3T60
        "#]]
        .assert_eq(&session(&shown, &look()));
        let bare = reply(
            json!({"session": OLD, "status": "ended", "memories": 0, "memories_here": [], "promotions": []}),
        );
        expect![[r#"
            session   01JD3V8Q2Y6K4M5N7P9R1S3T5V, ended
            memories  0 here, 0 went up
        "#]]
        .assert_eq(&session(&bare, &look()));
    }

    #[test]
    fn what_went_up_was_merged_or_stayed_is_told() {
        let told = |promotions: &[Value], stayed: usize| {
            promoted(&reply(json!({"operation": OLD, "promotions": promotions, "stayed": stayed})), &look())
        };
        expect![[r#"
            ID        KIND      TO       REASON   SCORE  MERGED INTO
            9R1S3T5V  decision  project  at_once  0.88
            9R1S3T5V  decision  project  at_once  0.88   9R1S3T60

            1 memory went up, 1 of them into what was known there.
            1 memory stayed, being of the moment.
        "#]]
        .assert_eq(&told(&[promotion(None), promotion(Some(NEW))], 1));
        assert_eq!(told(&[], 0), "Nothing went up.\n");
        assert_eq!(told(&[], 2), "Nothing went up.\n2 memories stayed, being of the moment.\n");
    }

    #[test]
    fn an_outcome_moves_the_utility() {
        let recorded = |already: bool| {
            reply(json!({"operation": NEW, "memory": OLD, "outcome": "partial", "utility_before": 0.5,
                         "utility": 0.55, "already": already}))
        };
        assert_eq!(
            outcome(&recorded(false), &look()),
            "9R1S3T5V: partial; its utility was 0.50 and is 0.55\n"
        );
        assert!(outcome(&recorded(true), &look()).ends_with("nothing was changed\n"));
    }

    #[test]
    fn reminders_say_when_and_whether_they_were_told() {
        let listed = reply(json!({"reminders": [
            {"id": OLD, "scope": "project", "text": "rotate the key", "due_at": "2026-11-16T10:30:00Z", "told": false},
            {"id": NEW, "scope": "user", "text": "ask ada", "when": "we talk about the deploy", "told": true},
        ]}));
        expect![[r#"
            ID        SCOPE    WHEN                         TOLD  TEXT
            9R1S3T5V  project  2026-11-16 10:30 (in 1 day)        rotate the key
            9R1S3T60  user     we talk about the deploy     told  ask ada
        "#]]
        .assert_eq(&reminders(&listed, &look()));
        assert_eq!(reminders(&reply(json!({"reminders": []})), &look()), "No reminders.\n");
    }
}
