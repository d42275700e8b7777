//! How the whole of it looks: the window's address, the days, the stores, the
//! projects, and every thing with a name.

use super::system::counts;
use super::{Last, Look, bytes, clean_line, cut, grouped, memories, plural, short, table};
use engram_core::budget::Behaviour;
use engram_wire::window::{
    BackupLine, BudgetLine, Day, DayCount, DayLine, DaySession, Days, GraphWhole, ProjectFound, Projects,
    StoreLine, Stores, TierLine, UiServed, WholeNode,
};
use std::fmt::Write as _;

/// Steps of one character, from nothing to the whole.
const STEPS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Where the window is, and who opened it. `far` is what to do from another
/// machine, where this one was reached from there.
pub(crate) fn ui_served(served: &UiServed, opened: Option<&str>, far: bool, look: &Look) -> String {
    let UiServed { url, read_only, expires_at } = served;
    let url = clean_line(url);
    let mut text = format!("{url}\n");
    let may = if *read_only { "look, and change nothing" } else { "look and change" };
    let until = look.date(*expires_at);
    let note = format!("It opens the window once, until {until}; whoever does may {may}.");
    let _ = writeln!(text, "{}", look.dim(&note));
    if let Some(browser) = opened {
        let _ = writeln!(text, "Opened with {}.", clean_line(browser));
    } else if let Some(port) = port(&url).filter(|_| far) {
        let _ =
            writeln!(text, "From the machine you sit at: ssh -L {port}:127.0.0.1:{port} HOST, then open it.");
    }
    text
}

/// The port that an address names.
fn port(url: &str) -> Option<u16> {
    let host = url.strip_prefix("http://")?.split(['/', '#']).next()?;
    host.rsplit_once(':')?.1.parse().ok()
}

pub(crate) fn days(days: &Days, look: &Look) -> String {
    if days.days.is_empty() {
        return "Nothing happened to any memory yet.\n".to_owned();
    }
    let mut text = days.days.iter().map(|day| one_day(day, look)).collect::<Vec<_>>().join("\n");
    if let Some(next) = days.next {
        let note = format!("`engram days --before {next}` goes on");
        let _ = writeln!(text, "\n{}", look.dim(&note));
    }
    text
}

fn one_day(day: &Day, look: &Look) -> String {
    let head = day.day.strftime("%Y-%m-%d, %A").to_string();
    let mut text = format!("{}\n", look.bold(&head));
    for session in &day.sessions {
        let _ = writeln!(text, "  {}", cut(&session_head(session), look.width.saturating_sub(2)));
        for line in &session.lines {
            text += &day_line(line, look);
        }
        for rest in &session.rest {
            let note =
                format!("           {:<9}  and {} more with it", rest.happened, grouped(rest.memories));
            let _ = writeln!(text, "{}", look.dim(&note));
        }
    }
    text
}

fn session_head(session: &DaySession) -> String {
    let named = session.session.map(|id| format!("session {}", short(id)));
    let by = session.agent.as_deref().map(|agent| format!(" of {}", clean_line(agent))).unwrap_or_default();
    let about = session.summary.as_deref().map(|said| format!(": {}", clean_line(said))).unwrap_or_default();
    format!("{}{by}{about}", named.unwrap_or_else(|| "outside of a session".to_owned()))
}

fn day_line(line: &DayLine, look: &Look) -> String {
    let time = line.at.to_zoned((look.zone)()).strftime("%H:%M").to_string();
    let mut head =
        format!("    {time}  {:<9}  {}  {}  {}", line.happened, short(line.memory), line.scope, line.kind);
    if line.undone {
        head += "  undone";
    }
    let room = look.width.saturating_sub(head.len() + 2).max(20);
    format!("{}  {}\n", look.dim(&head), cut(&clean_line(&line.text), room))
}

pub(crate) fn projects(found: &Projects, look: &Look) -> String {
    if found.projects.is_empty() {
        return "Nobody has worked in a project yet.\n".to_owned();
    }
    let row = |project: &ProjectFound| {
        let state = match (project.there, project.open) {
            (false, _) => "gone",
            (true, true) => "open",
            (true, false) => "asleep",
        };
        vec![
            project.name.clone(),
            project.key.to_string(),
            state.to_owned(),
            project.memories.map(grouped).unwrap_or_default(),
            bytes(project.bytes),
            project.path.display().to_string(),
        ]
    };
    let header = ["PROJECT", "KEY", "STORE", "MEMORIES", "ON DISK", "FOLDER"];
    table(&header, found.projects.iter().map(row).collect(), Last::Wrap, look)
}

pub(crate) fn stores(stores: &Stores, look: &Look) -> String {
    let mut text = String::new();
    for store in &stores.stores {
        text += &one_store(store, look);
        text.push('\n');
    }
    let free = stores.free_bytes.map(|free| format!("; {} free on the disk", bytes(free)));
    let open = plural(stores.sessions, "session is open", "sessions are open");
    let _ = writeln!(text, "{open}{}", free.unwrap_or_default());
    if stores.backups.is_empty() {
        return text + "There is no backup; `engram backup create` makes one.\n";
    }
    let row = |backup: &BackupLine| {
        vec![look.age(backup.made_at), bytes(backup.bytes), held(backup), backup.file.display().to_string()]
    };
    let rows = stores.backups.iter().map(row).collect();
    text + "\n" + &table(&["BACKUP", "SIZE", "OF", "FILE"], rows, Last::Wrap, look)
}

/// What is in a backup, as far as that can be told.
fn held(backup: &BackupLine) -> String {
    let stores = backup.stores.join(", ");
    match (backup.sealed, stores.is_empty()) {
        (false, _) => stores,
        (true, true) => "sealed".to_owned(),
        (true, false) => format!("{stores} (sealed)"),
    }
}

fn one_store(store: &StoreLine, look: &Look) -> String {
    let mut text = format!("{}\n", look.bold(&clean_line(&store.store)));
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {} {value}", look.dim(&format!("{name:<10}")));
    };
    let most = store.capacity.map(|most| format!(", at most {} active", grouped(most)));
    line("memories", format!("{}{}", grouped(store.memories), most.unwrap_or_default()));
    if store.sheets > 0 {
        line("outline", plural(store.sheets, "sheet", "sheets"));
    }
    line("on disk", bytes(store.bytes));
    if let Some(oldest) = store.oldest_at {
        line("oldest", look.moment(oldest));
    }
    if store.memories > 0 {
        line("status", counts(&store.by_status));
        line("kind", counts(&store.by_kind));
    }
    for TierLine { tier, memories: count, held } in store.tiers.iter().filter(|tier| tier.memories > 0) {
        line(tier.as_str(), format!("held {}  {}", spark(held), memories(*count)));
    }
    if let Some(vectors) = store.vectors.as_ref().filter(|vectors| vectors.made < vectors.total) {
        let (made, total) = (grouped(vectors.made), grouped(vectors.total));
        line("vectors", format!("{made} of {total} by {}", clean_line(&vectors.embedder)));
    }
    if let (Some(first), Some(last)) = (store.growth.first(), store.growth.last()) {
        let sum = |count: fn(&DayCount) -> usize| store.growth.iter().map(count).sum::<usize>();
        let (learned, gone) = (sum(|day| day.learned), sum(|day| day.gone));
        let told = format!("{} learned, {} gone", grouped(learned), grouped(gone));
        line("growth", format!("{told}, from {} to {}", first.day, last.day));
    }
    text
}

/// Counts side by side, each as high as its share of the largest. What is there
/// at all can be seen.
pub(crate) fn spark(counts: &[usize]) -> String {
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let step = |count: &usize| STEPS[(count * (STEPS.len() - 1)).div_ceil(most)];
    format!("[{}]", counts.iter().map(step).collect::<String>())
}

/// How many bonds of a thing are told in its line.
const BONDS: usize = 3;

/// What was spent of a budget, and what becomes of the rest.
pub(crate) fn spent(line: &BudgetLine) -> String {
    let number = |value: f64| match value.fract() == 0.0 {
        true => grouped(value as usize),
        // Without digits that say nothing.
        false => format!("{value:.1}"),
    };
    let beyond = line.behaviour.map(|behaviour| match behaviour {
        Behaviour::Shed => "shed",
        Behaviour::Spool => "spooled",
        Behaviour::Refuse => "refused",
    });
    let beyond = match (line.over, beyond) {
        (false, Some(beyond)) => format!(", then {beyond}"),
        (true, Some(beyond)) => format!(", over: {beyond}"),
        (true, None) => ", over".to_owned(),
        (false, None) => String::new(),
    };
    format!("{} of {} {}{beyond}", number(line.used), number(line.limit), clean_line(&line.unit))
}

pub(crate) fn graph_whole(whole: &GraphWhole, look: &Look) -> String {
    if whole.nodes.is_empty() {
        return "No memory names anything yet.\n".to_owned();
    }
    let row = |(place, node): (usize, &WholeNode)| {
        vec![
            node.name.clone(),
            node.kind.to_string(),
            node.scope.to_string(),
            node.memories.to_string(),
            node.bonds.to_string(),
            bound_to(whole, place),
        ]
    };
    let header = ["NAME", "KIND", "SCOPE", "MEMORIES", "BONDS", "BOUND TO"];
    let rows = whole.nodes.iter().enumerate().map(row).collect();
    let mut text = table(&header, rows, Last::Wrap, look);
    if whole.total > whole.nodes.len() {
        let note = format!("the most named {} of {}", grouped(whole.nodes.len()), grouped(whole.total));
        let _ = writeln!(text, "{}", look.dim(&note));
    }
    text
}

/// What a thing is bound to most, as far as it is shown as well.
fn bound_to(whole: &GraphWhole, place: usize) -> String {
    let name = |other: u32| whole.nodes.get(other as usize).map(|node| clean_line(&node.name));
    let mut ties: Vec<(f64, String)> = whole
        .edges
        .iter()
        .filter_map(|(from, to, kind, weight)| {
            let kind = kind.as_str().replace('_', " ");
            let tie = match place {
                _ if *from as usize == place => format!("{kind} {}", name(*to)?),
                _ if *to as usize == place => format!("{} {kind} it", name(*from)?),
                _ => return None,
            };
            Some((*weight, tie))
        })
        .collect();
    ties.sort_by(|one, other| other.0.total_cmp(&one.0));
    ties.into_iter().take(BONDS).map(|(_, tie)| tie).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{NEW, OLD, look, reply};
    use super::*;
    use expect_test::expect;
    use serde_json::json;

    #[test]
    fn the_address_is_told_with_what_it_is_good_for() {
        let served = reply(json!({"url": "http://127.0.0.1:4321/#ticket=abc", "read_only": false,
            "expires_at": "2026-11-15T10:35:00Z"}));
        expect![[r#"
            http://127.0.0.1:4321/#ticket=abc
            It opens the window once, until 2026-11-15 10:35; whoever does may look and change.
            Opened with xdg-open.
        "#]]
        .assert_eq(&ui_served(&served, Some("xdg-open"), true, &look()));
        let reader = UiServed { read_only: true, ..served };
        expect![[r#"
            http://127.0.0.1:4321/#ticket=abc
            It opens the window once, until 2026-11-15 10:35; whoever does may look, and change nothing.
            From the machine you sit at: ssh -L 4321:127.0.0.1:4321 HOST, then open it.
        "#]]
        .assert_eq(&ui_served(&reader, None, true, &look()));
        assert_eq!(ui_served(&reader, None, false, &look()).lines().count(), 2);
    }

    #[test]
    fn a_day_is_told_by_its_sessions() {
        let line = |happened: &str, memory: &str, text: &str, undone: bool| {
            json!({"operation": OLD, "at": "2026-11-15T10:02:00Z", "scope": "project", "happened": happened,
                "cause": "remember", "actor": "human", "memory": memory, "kind": "fact", "text": text,
                "undoable": true, "undone": undone})
        };
        let told = reply(json!({"days": [
            {"day": "2026-11-15", "sessions": [
                {"session": NEW, "agent": "claude-code", "summary": "the deploy\u{1b} was moved", "lines": [
                    line("learned", OLD, "we deploy on fridays", false),
                    line("corrected", NEW, "we deploy on mondays, and only when the tests are green", true),
                ]},
                {"lines": [line("forgotten", OLD, "the old cluster", false)]},
            ]},
            {"day": "2026-11-14", "sessions": [{"lines": [line("changed", OLD, "ports", false)],
                "rest": [{"operation": OLD, "happened": "changed", "memories": 9950}]}]},
        ], "next": OLD}));
        expect![[r#"
            2026-11-15, Sunday
              session 9R1S3T60 of claude-code: the deploy␛ was moved
                10:02  learned    9R1S3T5V  project  fact  we deploy on fridays
                10:02  corrected  9R1S3T60  project  fact  undone  we deploy on monday…
              outside of a session
                10:02  forgotten  9R1S3T5V  project  fact  the old cluster

            2026-11-14, Saturday
              outside of a session
                10:02  changed    9R1S3T5V  project  fact  ports
                       changed    and 9,950 more with it

            `engram days --before 01JD3V8Q2Y6K4M5N7P9R1S3T5V` goes on
        "#]]
        .assert_eq(&days(&told, &look()));
        let none = reply(json!({"days": []}));
        assert_eq!(days(&none, &look()), "Nothing happened to any memory yet.\n");
    }

    #[test]
    fn projects_are_listed_with_what_is_known_without_opening_them() {
        let found = reply(json!({"projects": [
            {"key": "p_0123456789ab", "name": "shop", "path": "/w/shop", "there": true, "open": true,
             "memories": 1234, "bytes": 1048576},
            {"key": "p_0123456789ac", "name": "old", "path": "/w/old", "there": false, "open": false,
             "bytes": 0},
            {"key": "p_0123456789ad", "name": "blog", "path": "/w/blog", "there": true, "open": false,
             "bytes": 2048}
        ]}));
        expect![[r#"
            PROJECT  KEY             STORE   MEMORIES  ON DISK  FOLDER
            shop     p_0123456789ab  open    1,234     1.0 MiB  /w/shop
            old      p_0123456789ac  gone              0 B      /w/old
            blog     p_0123456789ad  asleep            2.0 KiB  /w/blog
        "#]]
        .assert_eq(&projects(&found, &look()));
        let none = reply(json!({"projects": []}));
        assert_eq!(projects(&none, &look()), "Nobody has worked in a project yet.\n");
    }

    #[test]
    fn stores_are_told_with_how_they_are_held_and_how_they_grew() {
        let told = reply(json!({
            "sessions": 1, "free_bytes": 5368709120_u64,
            "stores": [
                {"scope": "project", "store": "project shop", "memories": 1234, "capacity": 10000,
                 "bytes": 1048576, "sheets": 12, "by_status": {"active": 1200, "archived": 34},
                 "by_kind": {"fact": 1000, "decision": 234},
                 "tiers": [
                    {"tier": "semantic", "memories": 1200, "held": [0, 1, 0, 0, 0, 0, 30, 60, 120, 240]},
                    {"tier": "episodic", "memories": 0, "held": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}
                 ],
                 "growth": [{"day": "2026-11-01", "learned": 1000, "gone": 30},
                            {"day": "2026-11-14", "learned": 234, "gone": 4}],
                 "oldest_at": "2026-11-01T10:00:00Z",
                 "vectors": {"embedder": "e5-small-v2", "made": 3, "total": 1234}},
                {"scope": "user", "store": "user", "memories": 0, "bytes": 2048, "sheets": 0,
                 "by_status": {}, "by_kind": {}, "tiers": [], "growth": []}
            ],
            "backups": [{"file": "/h/backups/a.backup", "bytes": 4096, "made_at": "2026-11-14T10:30:00Z",
                "stores": ["user", "p_0123456789ab"]}]
        }));
        expect![[r#"
            project shop
              memories   1,234, at most 10,000 active
              outline    12 sheets
              on disk    1.0 MiB
              oldest     2026-11-01 10:00 (14 days ago)
              status     1200 active, 34 archived
              kind       1000 fact, 234 decision
              semantic   held [ ▁    ▁▂▄█]  1200 memories
              vectors    3 of 1,234 by e5-small-v2
              growth     1,234 learned, 34 gone, from 2026-11-01 to 2026-11-14

            user
              memories   0
              on disk    2.0 KiB

            1 session is open; 5.0 GiB free on the disk

            BACKUP     SIZE     OF                    FILE
            1 day ago  4.0 KiB  user, p_0123456789ab  /h/backups/a.backup
        "#]]
        .assert_eq(&stores(&told, &look()));
        let bare = reply(json!({"sessions": 0, "stores": [], "backups": []}));
        expect![[r#"
            0 sessions are open
            There is no backup; `engram backup create` makes one.
        "#]]
        .assert_eq(&stores(&bare, &look()));
    }

    #[test]
    fn what_is_there_at_all_can_be_seen_beside_much() {
        assert_eq!(spark(&[0, 1, 500, 1000]), "[ ▁▄█]");
        assert_eq!(spark(&[0, 0]), "[  ]");
    }

    #[test]
    fn every_thing_is_listed_with_what_it_is_bound_to_most() {
        let node = |name: &str, number: usize| {
            json!({"entity": format!("{number:026}"), "scope": "project", "name": name, "kind": "service",
                "memories": 4, "bonds": 2})
        };
        let whole = reply(json!({
            "nodes": [node("api", 1), node("redis\u{1b}", 2), node("disk", 3), node("kafka", 4)],
            "edges": [[0, 1, "uses", 0.5], [0, 2, "depends_on", 0.9], [1, 2, "uses", 0.2], [1, 9, "uses", 0.9]],
            "total": 5312
        }));
        expect![[r#"
            NAME    KIND     SCOPE    MEMORIES  BONDS  BOUND TO
            api     service  project  4         2      depends on disk, uses redis␛
            redis␛  service  project  4         2      api uses it, uses disk
            disk    service  project  4         2      api depends on it, redis␛ uses it
            kafka   service  project  4         2
            the most named 4 of 5,312
        "#]]
        .assert_eq(&graph_whole(&whole, &Look { width: 100, ..look() }));
        let none = reply(json!({"nodes": [], "edges": [], "total": 0}));
        assert_eq!(graph_whole(&none, &look()), "No memory names anything yet.\n");
    }
}
