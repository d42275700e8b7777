//! How everything around the memories looks: counts, health, checks, backups
//! and settings.

use super::hooks::hooks;
use super::team::team_health;
use super::window::spent;
use super::{Last, Look, bytes, clean_line, grouped, memories, plural, table};
use engram_core::evolve::NextRun;
use engram_wire::copies::KnownCopy;
use engram_wire::evolution::EvolutionHealth;
use engram_wire::life::Compacted;
use engram_wire::reply::{
    BackedUp, Examined, Exported, Health, ModelState, ModelsListed, Reindexed, Restored, Stats, Vectors,
    Verdict,
};
use engram_wire::window::{NextDream, SettingLine};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write as _};
use std::path::Path;

pub(crate) fn stats(stats: &Stats, look: &Look) -> String {
    let mut text = String::new();
    if let Some(project) = &stats.project {
        let path = project.path.display().to_string();
        let _ = writeln!(text, "project {} at {}\n", clean_line(&project.name), clean_line(&path));
    }
    let rows = stats
        .scopes
        .iter()
        .map(|scope| {
            vec![
                scope.scope.to_string(),
                scope.memories.to_string(),
                scope.pinned.to_string(),
                scope.faded.to_string(),
                scope.uses.to_string(),
                bytes(scope.bytes_on_disk),
            ]
        })
        .collect();
    text += &table(&["SCOPE", "MEMORIES", "PINNED", "FADED", "USES", "ON DISK"], rows, Last::Wrap, look);
    for scope in stats.scopes.iter().filter(|scope| scope.memories > 0) {
        let head = look.bold(scope.scope.as_str());
        let _ = writeln!(text, "\n{head}\n  {}\n  {}", counts(&scope.by_status), counts(&scope.by_kind));
        if scope.sheets > 0 {
            let _ = writeln!(text, "  and an outline of the code, {} sheets", scope.sheets);
        }
        if let Some(vectors) = scope.vectors.as_ref().filter(|vectors| vectors.made < vectors.total) {
            let _ = writeln!(text, "  vectors: {}", progress(vectors));
        }
    }
    for (agent, did) in &stats.hooks {
        let _ = write!(text, "\n{}", hooks(agent, did, look));
    }
    text
}

/// How far the making of vectors is, and who serves meanwhile.
fn progress(vectors: &Vectors) -> String {
    let far = format!(
        "{} of {} by {}",
        grouped(vectors.made),
        grouped(vectors.total),
        clean_line(&vectors.embedder)
    );
    match &vectors.serving {
        Some(serving) if *serving != vectors.embedder => format!("{far}; {} serves", clean_line(serving)),
        _ => far,
    }
}

pub(crate) fn reindexed(done: &Reindexed, look: &Look) -> String {
    let rows = done
        .stores
        .iter()
        .map(|store| {
            vec![
                store.scope.to_string(),
                clean_line(&store.embedder),
                grouped(store.total),
                grouped(store.made),
                format!("{:.1} s", store.seconds),
                clean_line(&store.store),
            ]
        })
        .collect();
    table(&["SCOPE", "EMBEDDER", "TEXTS", "MADE", "TOOK", "STORE"], rows, Last::Wrap, look)
}

pub(crate) fn compacted(done: &Compacted, look: &Look) -> String {
    if done.stores.is_empty() {
        return "There is no store to rewrite.\n".to_owned();
    }
    let rows = done
        .stores
        .iter()
        .map(|store| {
            vec![
                store.scope.to_string(),
                bytes(store.bytes_before),
                bytes(store.bytes_after),
                grouped(store.memories),
                format!("{:.1} s", store.seconds),
                clean_line(&store.store),
            ]
        })
        .collect();
    table(&["SCOPE", "BEFORE", "AFTER", "MEMORIES", "TOOK", "STORE"], rows, Last::Wrap, look)
}

pub(crate) fn models(listed: &ModelsListed, look: &Look) -> String {
    let row = |name: &str, state: &str, dimensions: usize, size: String, more: String| {
        let name = if listed.in_use == name { format!("{name} (in use)") } else { name.to_owned() };
        vec![name, state.to_owned(), dimensions.to_string(), size, more]
    };
    let mut rows = vec![row("builtin", "built in", 256, String::new(), "part of the program".to_owned())];
    for model in &listed.models {
        let (state, more) = match model.state {
            ModelState::Available => ("available", format!("in {}", model.packages.join("; in "))),
            ModelState::Installed if model.verified == Some(false) => ("installed", "unverified".to_owned()),
            ModelState::Installed => ("installed", model.licence.clone()),
            ModelState::Broken => ("broken", model.problem.clone().unwrap_or_default()),
        };
        let size = model.bytes.map(bytes).unwrap_or_default();
        rows.push(row(&model.name, state, model.dimensions, size, clean_line(&more)));
    }
    if let Some(endpoint) = &listed.endpoint {
        let name = "endpoint (in use)".to_owned();
        rows.push(vec![name, "elsewhere".to_owned(), String::new(), String::new(), clean_line(endpoint)]);
    }
    table(&["MODEL", "STATE", "DIMENSIONS", "SIZE", "MORE"], rows, Last::Wrap, look)
}

/// The largest first.
pub(super) fn counts<K: Display>(by: &BTreeMap<K, usize>) -> String {
    let mut some: Vec<(&K, &usize)> = by.iter().filter(|(_, count)| **count > 0).collect();
    some.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    some.iter().map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}

pub(crate) fn health(health: &Health, look: &Look) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{} {}", look.dim(&format!("{name:<9}")), clean_line(&value));
    };
    line(
        "daemon",
        format!(
            "running, version {} (protocol {}), process {}",
            health.version, health.protocol, health.process
        ),
    );
    line("since", look.moment(health.started_at));
    line("home", health.home.display().to_string());
    line("socket", health.socket.display().to_string());
    line("requests", health.requests.to_string());
    line(
        "stores",
        match health.open_stores.as_slice() {
            [] => "none open".to_owned(),
            open => {
                // The names of sessions say nothing to anybody.
                let lasting = open.iter().filter(|store| !store.starts_with("session "));
                let lasting: Vec<&str> = lasting.map(String::as_str).collect();
                match open.len() - lasting.len() {
                    0 => lasting.join(", "),
                    sessions => {
                        let sessions = plural(sessions, "session", "sessions");
                        [lasting.as_slice(), &[&sessions]].concat().join(", ")
                    }
                }
            }
        },
    );
    line("sessions", format!("{} open", health.open_sessions));
    if let Some(resident) = health.resident_bytes {
        line("memory", bytes(resident));
    }
    // How long hooks take is told by `engram stats`; here, where it is too long.
    for budget in health.budgets.iter().filter(|budget| budget.over || budget.unit != "ms") {
        line("budget", format!("{}: {}", budget.what, spent(budget)));
    }
    line("ends", format!("{}, if nobody asks", look.moment(health.idle_exit_at)));
    line("spool", spool(health.spooled, health.rejected));
    if health.masked > 0 {
        line("secrets", format!("{} masked since it started", health.masked));
    }
    if health.personal > 0 {
        line("personal", format!("{} masked since it started", health.personal));
    }
    let capture = &health.capture;
    if capture.heard + capture.known + capture.refused > 0 || capture.unread > 0 {
        let mut parts = vec![plural(capture.heard as usize, "event", "events") + " heard"];
        parts.extend(capture.decided.iter().map(|(action, count)| format!("{count} {action}")));
        for (count, what) in [
            (capture.known, "known already"),
            (capture.unread as u64, "still to be read"),
            (capture.refused, "refused, too many at once or not allowed"),
        ] {
            if count > 0 {
                parts.push(format!("{count} {what}"));
            }
        }
        line("capture", parts.join(", "));
    }
    if let Some(problem) = &capture.problem {
        line("problem", clean_line(problem));
    }
    if let Some(llm) = &health.llm {
        let spent = format!(
            "{}: {} of {} calls and {} of {} tokens today",
            clean_line(&llm.model),
            llm.calls,
            llm.calls_per_day,
            llm.tokens,
            llm.tokens_per_day
        );
        line("model", spent);
        if let Some(problem) = &llm.problem {
            line("problem", clean_line(problem));
        }
    }
    line("embedder", health.embedder.clone());
    if let Some(problem) = &health.without_model {
        line("problem", problem.clone());
    }
    for store in health.vectors.iter().filter(|store| store.vectors.made < store.vectors.total) {
        line("vectors", format!("{}: {}", store.store, progress(&store.vectors)));
    }
    for next in &health.next_dream {
        line("dreams", next_dream(next));
    }
    if let Some(window) = &health.window {
        line("window", format!("{}, {} watching", window.url, window.watchers));
    }
    for store in &health.evolution {
        line("evolution", format!("{}: {}", store.store, evolution(store, look)));
    }
    if let Some(problem) = &health.team_problem {
        line("team", format!("how it stands is not known: {problem}"));
    }
    if let Some(team) = &health.team {
        text += &team_health(team, look);
    }
    text
}

/// When a store is looked after next.
pub(crate) fn next_dream(next: &NextDream) -> String {
    let NextDream { store, after_sessions, depth, due } = next;
    let store = clean_line(store);
    match after_sessions {
        _ if *due => format!("{store}: {depth}, in the next quiet moment"),
        Some(1) => format!("{store}: {depth}, after the next session"),
        Some(count) => format!("{store}: {depth}, after {count} more sessions"),
        None => format!("{store}: not by itself"),
    }
}

/// When a store evolved last and does so next, and what it found out.
fn evolution(store: &EvolutionHealth, look: &Look) -> String {
    let last = store.last_at.map_or("not yet".to_owned(), |at| format!("last {}", look.age(at)));
    let mut parts = vec![last, next_run(store.next.as_ref(), look)];
    parts.push(format!("weights {}", store.weights.as_str().replace('_', " ")));
    if store.insights_open > 0 {
        parts.push(plural(store.insights_open, "insight", "insights"));
    }
    if store.gaps_open > 0 {
        parts.push(plural(store.gaps_open, "gap", "gaps"));
    }
    parts.join("; ")
}

/// When a store evolves next.
pub(super) fn next_run(next: Option<&NextRun>, look: &Look) -> String {
    let Some(NextRun { at, updates_left, procedures_left, due }) = next else {
        return "does not run by itself".to_owned();
    };
    if *due {
        return "due now; it runs in the background".to_owned();
    }
    let when = at.map_or("with the next evidence".to_owned(), |at| look.age(at));
    let updates = plural(*updates_left as usize, "more update", "more updates");
    let procedures = plural(*procedures_left as usize, "procedure", "procedures");
    match at {
        Some(_) => format!("next {when}, or after {updates} or {procedures}"),
        None => format!("next {when}"),
    }
}

/// The answer to "how are you" when nobody is there.
pub(crate) fn asleep(home: &Path, spooled: usize, rejected: usize) -> String {
    let mut text = "No daemon is running; the next command that needs one starts it.\n".to_owned();
    let _ = writeln!(text, "home      {}", clean_line(&home.display().to_string()));
    let _ = writeln!(text, "spool     {}", spool(spooled, rejected));
    text
}

/// What waits in the spool, and what could not be done.
fn spool(waiting: usize, rejected: usize) -> String {
    match rejected {
        0 => format!("{waiting} waiting"),
        rejected => format!("{waiting} waiting, {rejected} rejected (see rejected.jsonl in the spool)"),
    }
}

pub(crate) fn examined(examined: &Examined, look: &Look) -> String {
    let mut text = String::new();
    for check in &examined.checks {
        let verdict = match check.verdict {
            Verdict::Sound => look.good("sound     "),
            Verdict::Repaired => look.good("repaired  "),
            Verdict::Repairable => look.bad("repairable"),
            Verdict::Broken => look.bad("broken    "),
        };
        let _ = writeln!(text, "{verdict}  {}: {}", clean_line(&check.what), clean_line(&check.detail));
    }
    if examined.checks.iter().any(|check| check.verdict == Verdict::Repairable) {
        text += "\n`engram doctor --repair` repairs what can be repaired.\n";
    }
    text
}

pub(crate) fn backed_up(done: &BackedUp, _look: &Look) -> String {
    format!(
        "Wrote {} ({}, {}){}.\n",
        clean_line(&done.file.display().to_string()),
        plural(done.stores.len(), "store", "stores"),
        bytes(done.bytes),
        sealed(&done.sealed_for)
    )
}

pub(crate) fn restored(done: &Restored, _look: &Look) -> String {
    let mut text = format!(
        "Restored {}.\nWhat was there before is in {}.\n",
        clean_line(&done.restored.join(", ")),
        clean_line(&done.kept.display().to_string())
    );
    for folder in &done.damaged {
        let folder = clean_line(&folder.display().to_string());
        text += &format!("What could not be opened was put aside as it was, in {folder}.\n");
    }
    text
}

pub(crate) fn settings(settings: &[SettingLine], look: &Look) -> String {
    let rows = settings
        .iter()
        .map(|setting| vec![setting.key.clone(), setting.source.to_string(), setting.value.to_string()])
        .collect();
    table(&["KEY", "SOURCE", "VALUE"], rows, Last::Wrap, look)
}

/// What an export wrote.
pub(crate) fn exported(done: &Exported, file: Option<&Path>) -> String {
    let count = memories(done.exported);
    match file {
        Some(file) => {
            let file = clean_line(&file.display().to_string());
            format!("Exported {count} to {file}{}.\n", sealed(&done.sealed_for))
        }
        None => format!("Exported {count}.\n"),
    }
}

/// What is said behind the name of a file that was sealed.
fn sealed(sealed_for: &[String]) -> String {
    match sealed_for.len() {
        0 => String::new(),
        count => format!(", sealed for {}", plural(count, "key", "keys")),
    }
}

/// The files that engram wrote, each with whether it is still there. Keys and
/// folders are as long as a line; `--json` names them.
pub(crate) fn copies(copies: &[(KnownCopy, bool)], look: &Look) -> String {
    if copies.is_empty() {
        return "No export and no backup is known.\n".to_owned();
    }
    let row = |(copy, there): &(KnownCopy, bool)| {
        let sealed_for = match copy.sealed_for.is_empty() {
            true => "in the clear".to_owned(),
            false => plural(copy.sealed_for.len(), "key", "keys"),
        };
        let scopes: BTreeSet<String> = copy.stores.iter().map(|store| store.scope.to_string()).collect();
        vec![
            look.age(copy.made_at),
            copy.kind.to_string(),
            if *there { "there" } else { "gone" }.to_owned(),
            scopes.into_iter().collect::<Vec<_>>().join(", "),
            sealed_for,
            copy.file.display().to_string(),
        ]
    };
    let rows = copies.iter().map(row).collect();
    table(&["MADE", "KIND", "FILE IS", "OF", "SEALED FOR", "FILE"], rows, Last::Wrap, look)
}

/// What an import did.
pub(crate) fn imported(imported: usize, skipped: usize) -> String {
    match skipped {
        0 => format!("Imported {}.\n", memories(imported)),
        skipped => format!("Imported {}; {skipped} were there already.\n", memories(imported)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{look, reply};
    use super::*;
    use expect_test::expect;
    use serde_json::json;

    #[test]
    fn copies_fit_a_line_whatever_the_keys_are() {
        let stores = json!([
            {"scope": "user", "database": "default"},
            {"scope": "project", "database": "p_0123456789ab", "path": "/home/ayse/work/shop"},
            {"scope": "project", "database": "p_ba9876543210", "path": "/home/ayse/work/till"},
        ]);
        let key = format!("age1{}", "q".repeat(58));
        let copy = |file: &str, kind: &str, sealed_for: &[&str]| -> KnownCopy {
            reply(json!({"file": file, "kind": kind, "made_at": "2026-11-14T10:00:00Z", "stores": stores,
                "sealed_for": sealed_for}))
        };
        let known = [
            (copy("/backups/shop.backup", "backup", &[&key, &key]), true),
            (copy("/tmp/all.jsonl", "export", &[]), false),
        ];
        expect![[r#"
            MADE       KIND    FILE IS  OF             SEALED FOR    FILE
            1 day ago  backup  there    project, user  2 keys        /backups/shop
                                                                     .backup
            1 day ago  export  gone     project, user  in the clear  /tmp/all.json
                                                                     l
        "#]]
        .assert_eq(&copies(&known, &look()));
    }

    #[test]
    fn models_tell_where_they_are_to_be_had() {
        let listed: ModelsListed = reply(json!({
            "in_use": "builtin",
            "models": [
                {"name": "all-minilm-l6-v2", "state": "available", "dimensions": 384, "licence": "Apache-2.0",
                 "packages": ["PyPI, a-package 0.1.0"]},
                {"name": "e5-small-v2", "state": "installed", "dimensions": 384, "licence": "MIT",
                 "packages": [], "bytes": 133_000_000, "verified": true},
            ],
        }));
        expect![[r#"
            MODEL             STATE      DIMENSIONS  SIZE       MORE
            builtin (in use)  built in   256                    part of the
                                                                program
            all-minilm-l6-v2  available  384                    in PyPI, a-package
                                                                0.1.0
            e5-small-v2       installed  384         126.8 MiB  MIT
        "#]]
        .assert_eq(&models(&listed, &look()));
    }

    #[test]
    fn counts_are_told_by_scope() {
        let counted = reply(json!({
            "project": {"key": "p_abababababab", "path": "/w/main", "name": "main"},
            "gaps": [],
            "scopes": [
                {"scope": "project", "memories": 3, "by_status": {"active": 1, "created": 2},
                 "by_kind": {"fact": 2, "decision": 1}, "pinned": 1, "faded": 0, "uses": 9,
                 "bytes_on_disk": 20480,
                 "vectors": {"embedder": "e5-small-v2", "made": 1, "total": 3}},
                {"scope": "user", "memories": 0, "by_status": {}, "by_kind": {}, "pinned": 0,
                 "faded": 0, "uses": 0, "bytes_on_disk": 0}
            ]
        }));
        expect![[r#"
            project main at /w/main

            SCOPE    MEMORIES  PINNED  FADED  USES  ON DISK
            project  3         1       0      9     20.0 KiB
            user     0         0       0      0     0 B

            project
              2 created, 1 active
              2 fact, 1 decision
              vectors: 1 of 3 by e5-small-v2
        "#]]
        .assert_eq(&stats(&counted, &look()));
    }

    #[test]
    fn a_reindex_tells_what_it_made_where() {
        let done = reply(json!({"stores": [
            {"store": "project shop (/w/shop)", "scope": "project", "embedder": "e5-small-v2",
             "total": 12345, "made": 1000, "seconds": 12.34},
            {"store": "user", "scope": "user", "embedder": "e5-small-v2", "total": 7, "made": 0, "seconds": 0.0}
        ]}));
        expect![[r#"
            SCOPE    EMBEDDER     TEXTS   MADE   TOOK    STORE
            project  e5-small-v2  12,345  1,000  12.3 s  project shop (/w/shop)
            user     e5-small-v2  7       0      0.0 s   user
        "#]]
        .assert_eq(&reindexed(&done, &look()));
    }

    #[test]
    fn a_rewritten_store_tells_what_it_weighed_before_and_after() {
        let done = reply(json!({"stores": [
            {"store": "project shop (/w/shop)", "scope": "project", "bytes_before": 10485760,
             "bytes_after": 1048576, "memories": 12345, "seconds": 1.26},
            {"store": "user", "scope": "user", "bytes_before": 2048, "bytes_after": 2048, "memories": 7,
             "seconds": 0.02}
        ]}));
        expect![[r#"
            SCOPE    BEFORE    AFTER    MEMORIES  TOOK   STORE
            project  10.0 MiB  1.0 MiB  12,345    1.3 s  project shop (/w/shop)
            user     2.0 KiB   2.0 KiB  7         0.0 s  user
        "#]]
        .assert_eq(&compacted(&done, &look()));
        assert_eq!(compacted(&reply(json!({"stores": []})), &look()), "There is no store to rewrite.\n");
    }

    #[test]
    fn health_is_a_few_lines() {
        let fine = reply(json!({
            "version": "0.1.0", "protocol": 1, "process": 42, "home": "/h", "socket": "/h/run/engram.sock",
            "started_at": "2026-11-15T10:00:00Z", "requests": 7, "open_stores": ["user"],
            "open_sessions": 1, "resident_bytes": 52428800, "idle_exit_at": "2026-11-15T11:00:00Z",
            "spooled": 0, "rejected": 2, "embedder": "e5-small-v2", "without_model": "it is not installed",
            "vectors": [
                {"store": "user", "embedder": "e5-small-v2", "made": 3200, "total": 10000,
                 "serving": "all-minilm-l6-v2"},
                {"store": "project x", "embedder": "e5-small-v2", "made": 7, "total": 7}
            ],
            "window": {"url": "http://127.0.0.1:4321", "watchers": 2},
            "team_problem": "the replica does not open",
            "budgets": [
                {"what": "memory", "used": 50.0, "limit": 1024.0, "unit": "MB", "behaviour": "shed"},
                {"what": "queue", "used": 5000.0, "limit": 5000.0, "unit": "events", "behaviour": "spool",
                 "over": true},
                {"what": "size of user", "used": 12.0, "limit": 2048.0, "unit": "MB", "behaviour": "refuse"},
                {"what": "hook Stop", "used": 20.0, "limit": 100.0, "unit": "ms", "behaviour": "spool"},
                {"what": "hook SessionStart", "used": 2000.0, "limit": 1000.0, "unit": "ms", "over": true}
            ],
            "next_dream": [
                {"store": "project x", "after_sessions": 1, "depth": "full", "due": false},
                {"store": "project y", "after_sessions": 3, "depth": "light", "due": false},
                {"store": "project z", "depth": "light", "due": false},
                {"store": "user", "depth": "light", "due": true}
            ],
            "evolution": [
                {"store": "project x", "last_at": "2026-11-15T07:20:00Z", "weights": "too_few",
                 "next": {"at": "2026-11-15T13:20:00Z", "updates_left": 63, "procedures_left": 1},
                 "insights_open": 3, "gaps_open": 1},
                {"store": "user", "weights": "off", "insights_open": 0, "gaps_open": 0}
            ]
        }));
        expect![[r#"
            daemon    running, version 0.1.0 (protocol 1), process 42
            since     2026-11-15 10:00 (30 minutes ago)
            home      /h
            socket    /h/run/engram.sock
            requests  7
            stores    user
            sessions  1 open
            memory    50.0 MiB
            budget    memory: 50 of 1,024 MB, then shed
            budget    queue: 5,000 of 5,000 events, over: spooled
            budget    size of user: 12 of 2,048 MB, then refused
            budget    hook SessionStart: 2,000 of 1,000 ms, over
            ends      2026-11-15 11:00 (in 30 minutes), if nobody asks
            spool     0 waiting, 2 rejected (see rejected.jsonl in the spool)
            embedder  e5-small-v2
            problem   it is not installed
            vectors   user: 3,200 of 10,000 by e5-small-v2; all-minilm-l6-v2 serves
            dreams    project x: full, after the next session
            dreams    project y: light, after 3 more sessions
            dreams    project z: not by itself
            dreams    user: light, in the next quiet moment
            window    http://127.0.0.1:4321, 2 watching
            evolution project x: last 3 hours ago; next in 2 hours, or after 63 more updates or 1 procedure; weights too few; 3 insights; 1 gap
            evolution user: not yet; does not run by itself; weights off
            team      how it stands is not known: the replica does not open
        "#]]
        .assert_eq(&health(&fine, &look()));
    }

    #[test]
    fn checks_say_what_can_be_repaired() {
        let checks = reply(json!({"sound": false, "checks": [
            {"what": "home", "verdict": "sound", "detail": "/h is private"},
            {"what": "index", "verdict": "repairable", "detail": "3 rows differ"},
            {"what": "engramd", "verdict": "broken", "detail": "not found"}
        ]}));
        expect![[r#"
            sound       home: /h is private
            repairable  index: 3 rows differ
            broken      engramd: not found

            `engram doctor --repair` repairs what can be repaired.
        "#]]
        .assert_eq(&examined(&checks, &look()));
    }

    #[test]
    fn backups_and_imports_are_told_briefly() {
        let made = reply(json!({"file": "/b/x.backup", "stores": ["user", "p_1"], "bytes": 2048}));
        assert_eq!(backed_up(&made, &look()), "Wrote /b/x.backup (2 stores, 2.0 KiB).\n");
        let made = reply(json!({"file": "/b/x.backup", "stores": ["user"], "bytes": 2048,
            "sealed_for": ["age1x", "age1y"]}));
        assert_eq!(backed_up(&made, &look()), "Wrote /b/x.backup (1 store, 2.0 KiB), sealed for 2 keys.\n");
        let sealed = reply(json!({"exported": 3, "sealed_for": ["age1x"]}));
        assert_eq!(
            exported(&sealed, Some(Path::new("/e"))),
            "Exported 3 memories to /e, sealed for 1 key.\n"
        );
        let back = reply(json!({"restored": ["user", "p_1"], "kept": "/b/old.backup"}));
        assert_eq!(
            restored(&back, &look()),
            "Restored user, p_1.\nWhat was there before is in /b/old.backup.\n"
        );
        assert_eq!(imported(1, 0), "Imported 1 memory.\n");
        assert_eq!(imported(2, 3), "Imported 2 memories; 3 were there already.\n");
    }
}
