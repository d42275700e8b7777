//! What goes on, in words: one line for each event.

use crate::args::Group;
use crate::show::{Look, clean_line, grouped, memories, plural, short};
use engram_core::ProjectKey;
use engram_wire::activity::{Activity, What};
use std::collections::BTreeMap;

/// What projects are called.
#[derive(Default)]
pub(crate) struct Names {
    known: BTreeMap<ProjectKey, String>,
    /// Of any that is not known.
    here: Option<String>,
}

impl Names {
    pub(crate) fn known(known: BTreeMap<ProjectKey, String>) -> Self {
        Self { known, here: None }
    }

    pub(crate) fn here(here: Option<String>) -> Self {
        Self { known: BTreeMap::new(), here }
    }

    fn of(&self, key: &ProjectKey) -> String {
        let name = self.known.get(key).or(self.here.as_ref());
        name.map_or_else(|| key.to_string(), |name| clean_line(name))
    }
}

/// With which others an event is looked at. None: with all of them.
pub(crate) const fn group_of(what: &What) -> Option<Group> {
    match what {
        What::Heard { .. } => Some(Group::Captures),
        What::Decided { .. } | What::Changed { .. } => Some(Group::Decisions),
        What::Recalled { .. } => Some(Group::Recalls),
        What::Told { .. } => Some(Group::Injections),
        What::Dreaming { .. } | What::Dreamt { .. } => Some(Group::Dreams),
        What::Hooked { .. } => Some(Group::Hooks),
        What::SessionBegan
        | What::SessionEnded { .. }
        | What::Working { .. }
        | What::Failed { .. }
        | What::Missed { .. } => None,
    }
}

/// Whether something went wrong.
pub(super) const fn is_bad(what: &What) -> bool {
    matches!(what, What::Failed { .. } | What::Missed { .. } | What::Hooked { problem: Some(_), .. })
}

/// One event as one line: when, what, of which sort, where, and the rest.
pub(crate) fn line(activity: &Activity, names: &Names, look: &Look) -> String {
    let at = activity.at.to_zoned((look.zone)());
    let form = if at.date() == look.zoned().date() { "%H:%M:%S" } else { "%Y-%m-%d %H:%M:%S" };
    let mut parts = vec![at.strftime(form).to_string(), activity.what.word().to_owned()];
    let mut told = told(activity).into_iter();
    parts.extend(told.next());
    parts.push(place(activity, names));
    parts.extend(told);
    parts.retain(|part| !part.is_empty());
    parts.join("  ")
}

/// The scope and the project, as far as they are known.
pub(super) fn place(activity: &Activity, names: &Names) -> String {
    let project = activity.project.as_ref().map(|key| names.of(key));
    let scope = activity.scope.map(|scope| scope.to_string());
    scope.into_iter().chain(project).collect::<Vec<_>>().join(" ")
}

/// What there is to tell of it: of which sort it is, then the rest.
pub(super) fn told(activity: &Activity) -> Vec<String> {
    let quoted = |text: &str| format!("\"{}\"", clean_line(text));
    let far = |done: u64, total: Option<u64>| match total {
        Some(total) => format!("{done} of {total}"),
        None => done.to_string(),
    };
    // Where the scope is told, that is the store.
    let named = |store: &str| if activity.scope.is_some() { String::new() } else { clean_line(store) };
    let mut parts = Vec::new();
    match &activity.what {
        What::Heard { event, turns, masked } => {
            parts.extend([event.to_string(), plural(*turns, "turn", "turns")]);
            if *masked > 0 {
                parts.push(plural(*masked, "secret masked", "secrets masked"));
            }
        }
        What::Decided { action, memory: _, text, reason } => {
            parts.push(action.to_string());
            parts.extend(text.as_deref().map(quoted));
            parts.push(clean_line(reason));
        }
        What::Recalled { recall: _, via, query, hits, confidence, ms } => {
            parts.extend([via.to_string(), quoted(query), plural(*hits, "hit", "hits")]);
            parts.extend([format!("confidence {:.2}", confidence.get()), format!("{ms:.1} ms")]);
        }
        What::Told { via, memories: told, chars } => {
            parts.extend([via.to_string(), memories(told.len())]);
            parts.push(format!("{} characters", grouped(*chars)));
        }
        What::Hooked { event, ms, problem } => {
            parts.push(event.to_string());
            parts.extend(ms.map(|ms| format!("{ms:.1} ms")));
            parts.extend(problem.as_deref().map(|problem| format!("problem: {}", clean_line(problem))));
        }
        What::Changed { operation: _, cause, actor, memories: changed, text } => {
            parts.push(cause.to_string());
            parts.extend(text.as_deref().map(quoted));
            parts.extend([memories(changed.len()), format!("by {actor}")]);
        }
        What::SessionBegan => parts.push(session(activity)),
        What::SessionEnded { promoted } => {
            parts.push(session(activity));
            parts.push(plural(*promoted, "memory went up", "memories went up"));
        }
        What::Dreaming { dream: _, store, step, done, total, dry_run } => {
            parts.push(step.map_or_else(|| "planning".to_owned(), |step| step.to_string()));
            parts.extend([named(store), far(*done, *total)]);
            if *dry_run {
                parts.push("dry run".to_owned());
            }
        }
        What::Dreamt { dream: _, store, changes, seconds, dry_run } => {
            parts.extend([plural(*changes, "change", "changes"), named(store)]);
            parts.push(format!("{seconds:.1} s"));
            if *dry_run {
                parts.push("dry run".to_owned());
            }
        }
        What::Working { doing, done, total } => parts.extend([clean_line(doing), far(*done, *total)]),
        What::Failed { doing, problem } => parts.extend([clean_line(doing), clean_line(problem)]),
        What::Missed { from, to } => {
            let many = usize::try_from(to.saturating_sub(*from).saturating_add(1)).unwrap_or(usize::MAX);
            parts.push(plural(many, "event came too fast", "events came too fast"));
        }
    }
    parts
}

/// The session it was in, and who spoke there.
fn session(activity: &Activity) -> String {
    let named = activity.session.map(short);
    let by = activity.agent.as_deref().map(|agent| format!("of {}", clean_line(agent)));
    named.into_iter().chain(by).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::show::tests::{NEW, OLD, look, reply};
    use expect_test::expect;
    use serde_json::{Value, json};

    /// One of each, in the order in which a day might bring them.
    pub(crate) fn activities() -> Vec<Activity> {
        let what = [
            json!({"what": "session_began", "agent": "claude-code"}),
            json!({"what": "hooked", "event": "SessionStart", "ms": 12.25}),
            json!({"what": "heard", "event": "user_message", "turns": 1, "masked": 2}),
            json!({"what": "decided", "action": "create", "memory": OLD, "text": "we deploy\u{1b} on fridays",
                "reason": "stated by the user"}),
            json!({"what": "recalled", "recall": NEW, "via": "search", "query": "when do we deploy",
                "hits": 2, "confidence": 0.725, "ms": 4.26}),
            json!({"what": "told", "via": "prompt", "memories": [OLD, NEW], "chars": 1412}),
            json!({"what": "changed", "operation": NEW, "cause": "edit", "actor": "human",
                "memories": [OLD], "text": "we deploy on fridays"}),
            json!({"what": "hooked", "event": "Stop", "problem": "the store is locked"}),
            json!({"what": "session_ended", "promoted": 1, "agent": "claude-code"}),
            json!({"what": "dreaming", "dream": NEW, "store": "project shop", "step": "fade", "done": 3,
                "total": 9, "dry_run": true}),
            json!({"what": "dreamt", "dream": NEW, "store": "project shop", "changes": 4, "seconds": 0.25}),
            json!({"what": "working", "doing": "backing up", "done": 3}),
            json!({"what": "failed", "doing": "reading what was heard", "problem": "the disk is full"}),
            json!({"what": "missed", "from": 14, "to": 19}),
        ];
        let told = |(number, mut what): (usize, Value)| {
            let at = format!("2026-11-15T10:02:{number:02}Z");
            what.as_object_mut().unwrap().extend([
                ("number".to_owned(), json!(number + 1)),
                ("at".to_owned(), json!(at)),
                ("scope".to_owned(), json!("project")),
                ("project".to_owned(), json!("p_0123456789ab")),
                ("session".to_owned(), json!(NEW)),
            ]);
            reply(what)
        };
        what.into_iter().enumerate().map(told).collect()
    }

    #[test]
    fn every_event_is_one_line() {
        let names = Names::here(Some("shop".to_owned()));
        let lines: Vec<String> =
            activities().iter().map(|activity| line(activity, &names, &look())).collect();
        expect![[r#"
            10:02:00  session_began  9R1S3T60 of claude-code  project shop
            10:02:01  hooked  SessionStart  project shop  12.2 ms
            10:02:02  heard  user_message  project shop  1 turn  2 secrets masked
            10:02:03  decided  create  project shop  "we deploy␛ on fridays"  stated by the user
            10:02:04  recalled  search  project shop  "when do we deploy"  2 hits  confidence 0.72  4.3 ms
            10:02:05  told  prompt  project shop  2 memories  1,412 characters
            10:02:06  changed  edit  project shop  "we deploy on fridays"  1 memory  by human
            10:02:07  hooked  Stop  project shop  problem: the store is locked
            10:02:08  session_ended  9R1S3T60 of claude-code  project shop  1 memory went up
            10:02:09  dreaming  fade  project shop  3 of 9  dry run
            10:02:10  dreamt  4 changes  project shop  0.2 s
            10:02:11  working  backing up  project shop  3
            10:02:12  failed  reading what was heard  project shop  the disk is full
            10:02:13  missed  6 events came too fast  project shop
        "#]]
        .assert_eq(&(lines.join("\n") + "\n"));
    }

    #[test]
    fn a_line_tells_the_day_and_the_project_where_they_are_others() {
        let mut activity = activities().swap_remove(2);
        activity.at = "2026-11-14T10:02:02Z".parse().unwrap();
        let key: ProjectKey = "p_0123456789ab".parse().unwrap();
        let told = |names: Names| line(&activity, &names, &look());
        assert!(told(Names::default()).starts_with("2026-11-14 10:02:02  heard"));
        assert!(told(Names::default()).contains("  project p_0123456789ab  "));
        assert!(told(Names::known(BTreeMap::from([(key, "blog".to_owned())]))).contains("  project blog  "));
    }
}
