//! Erasing a person and a project: afterwards no byte of theirs is in any file,
//! and everybody else's is still there.

mod common;

use common::{Ground, Place, holding, now, soon};
use engram_core::audit::Deed;
use engram_core::turn::{Event, EventType};
use engram_core::{Memory, Scope};
use engram_wire::copies::{CopiedStore, Copies, CopyKind, KnownCopy, is_sealed};
use engram_wire::erasure::{Erased, Way};
use engram_wire::governance::AuditShown;
use engram_wire::message::{Erase, Observe, Promote, SealedExport, TeamOrder};
use engram_wire::reply::{Observed, Restored, Verdict};
use engram_wire::team::TeamStatus;
use engram_wire::{FaultKind, Order};
use serde_json::{Value, json};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

const HERS: &str = "age16n0y6yxg5hs2u6wpq3fhc03333ty0yudm0k8pf553vp3varmpdmsgqhftp";
const HER_KEY: &str = "AGE-SECRET-KEY-16SQWCQX7DHDL6RXZGXENEGG3TMGFVTP4X7TKVV6UE39PMP7HN8KSXRKX7V";

/// In everything that Ada says, and in nothing else.
const MARK: &str = "xyzzy";
const LEDGER: &str = "The xyzzy ledger is written in Rust and owned by the harbour team.";
const KEPT: &str = "the staging server listens on port 8080";

fn say(place: &Place<'_>, text: &str, speaker: Option<&str>, scope: Option<Scope>) {
    let speaker = speaker.map(str::to_owned);
    let event = Event { speaker, ..Event::new(EventType::UserMessage, text) };
    let order = Observe { events: vec![event], wait: true, scope, ..Observe::default() };
    let _: Value = place.ask(Order::Observe(order));
}

fn erase(place: &Place<'_>, subject: &str, change: impl FnOnce(&mut Erase)) -> Erased {
    let subject = subject.parse().unwrap();
    let mut order = Erase { subject, mentions: false, dry_run: false, identity: None };
    change(&mut order);
    place.ask(Order::Erase(order))
}

fn everything(ground: &Ground) -> Vec<PathBuf> {
    holding(&ground.root(), MARK)
}

fn append(file: &Path, text: &str) {
    let mut open = OpenOptions::new().append(true).create(true).open(file).unwrap();
    open.write_all(text.as_bytes()).unwrap();
}

fn export_to(ground: &Ground, place: &Place<'_>, file: &Path) {
    export_of(ground, file, &place.export_lines(false), Vec::new());
}

fn export_of(ground: &Ground, file: &Path, lines: &[String], stores: Vec<CopiedStore>) {
    fs::write(file, lines.join("\n") + "\n").unwrap();
    let (file, made_at) = (file.to_owned(), now());
    let copy = KnownCopy { file, kind: CopyKind::Export, made_at, stores, sealed_for: Vec::new() };
    Copies::new(&ground.reach.home).note(copy).unwrap();
}

/// The key of the project in a folder.
fn key_of(folder: &Path) -> String {
    let identity = fs::read_to_string(folder.join(".claude/engram/identity.json")).unwrap();
    serde_json::from_str::<Value>(&identity).unwrap()["key"].as_str().unwrap().to_owned()
}

fn order_to_erase(subject: &str) -> Order {
    let subject = subject.parse().unwrap();
    Order::Erase(Erase { subject, mentions: false, dry_run: false, identity: None })
}

fn back_up(place: &Place<'_>, file: &Path, to: &[&str]) {
    let to = to.iter().map(ToString::to_string).collect();
    let _: Value = place.ask(Order::Backup { file: file.to_owned(), all_projects: true, to });
}

fn in_a_session<'a>(ground: &'a Ground, folder: &Path) -> Place<'a> {
    let mut place = ground.at(folder);
    let session = ground.session();
    place.session = Some(session);
    let _: Value = place.ask(Order::SessionStart { session });
    place
}

/// Ada and others have spoken, in every scope, and left something everywhere.
fn lived_in(ground: &Ground, folder: &Path) -> Memory {
    let home = ground.reach.home.root();
    fs::create_dir_all(home.join("spool")).unwrap();
    let hooks = json!({ "claude": { "start_chars": 1, "prompt_chars": 1, "shown": 1, "used": 0,
        "problem": format!("could not read: {LEDGER}"), "events": {} } });
    fs::write(ground.reach.home.hooks_file(), hooks.to_string()).unwrap();
    let place = ground.at(folder);
    let kept = place.remember(KEPT, None);
    place.remember("tea, not coffee", Some(Scope::User));
    say(&place, LEDGER, Some("Ada"), None);
    say(
        &place,
        "We decided to move the xyzzy queue to Postgres 16 in March.",
        Some("Ada"),
        Some(Scope::User),
    );
    say(&place, "The billing service is written in Go and owned by Bob.", Some("Bob"), None);
    // Her words have a past in the log, and are asked about.
    let found: Vec<String> = place.recall("who owns the xyzzy ledger of the harbour team");
    assert!(found.iter().any(|text| text.contains(MARK)), "{found:?}");
    // A birth that was undone is in the log alone.
    place.remember(LEDGER, Some(Scope::User));
    place.undo();
    let session = in_a_session(ground, folder);
    say(
        &session,
        "The xyzzy cache runs on port 7781 next to the gateway.",
        Some("Ada"),
        Some(Scope::Session),
    );
    append(&ground.reach.home.log_file(), &format!("WARN something with {LEDGER}\nINFO harmless\n"));
    for name in ["engramd.log.old", "ops-log.jsonl", "ops-log-2026-03-01.jsonl"] {
        append(&home.join(name), &format!("{}\n{{\"op\":\"kept\"}}\n", json!({ "input": LEDGER })));
    }
    let waited = json!({ "context": { "actor": "human" }, "order": { "order": "observe", "events": [
        { "type": "user_message", "text": "an xyzzy that waits", "speaker": "ada" }] } });
    let rejected = json!({ "line": waited.to_string(), "fault": { "kind": "usage", "message": "no" } });
    append(&home.join("spool").join("rejected.jsonl"), &format!("{rejected}\n{{\"line\":\"{{}}\"}}\n"));
    fs::write(ground.reach.home.imports_file(), json!({ "files": { LEDGER: { "next": 1 } } }).to_string())
        .unwrap();
    kept
}

#[test]
fn an_erased_person_is_in_no_file() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let kept = lived_in(&ground, &folder);
    let place = ground.at(&folder);
    let shelf = ground.folder("shelf");
    export_to(&ground, &place, &shelf.join("memories.jsonl"));
    back_up(&place, &shelf.join("kept.backup"), &[]);
    let seeded = everything(&ground);
    for name in [
        "hooks.json",
        "imports.json",
        "engramd.log",
        "engramd.log.old",
        "ops-log.jsonl",
        "ops-log-2026-03-01.jsonl",
        "rejected.jsonl",
        "memories.jsonl",
        "kept.backup",
    ] {
        assert!(seeded.iter().any(|file| file.ends_with(name)), "{name} is not seeded: {seeded:?}");
    }
    assert!(seeded.iter().any(|file| file.to_string_lossy().contains("/sessions/")), "{seeded:?}");
    let in_stores = seeded.iter().filter(|file| file.to_string_lossy().contains("/db-")).count();
    assert!(in_stores >= 2, "{seeded:?}");
    let before = place.export();

    let planned = erase(&place, "person:Ada", |order| order.dry_run = true);
    assert!(planned.dry_run && planned.memories >= 3 && planned.turns >= 3, "{planned:?}");
    assert!(planned.places.iter().all(|place| place.before > 0 && place.after.is_none()), "{planned:?}");
    assert_eq!(place.export(), before, "a dry run changes nothing");
    assert!(everything(&ground).len() >= seeded.len());
    assert!(deeds(&place).iter().all(|deed| *deed != Deed::Erase));

    let done = erase(&place, "person:Ada", |_| {});
    assert_eq!(done.left, [], "{done:?}");
    assert!(done.places.iter().all(|place| place.after == Some(0) && place.how != Way::Left), "{done:?}");
    assert!(done.places.len() >= planned.places.len() && done.searched > 10, "{done:?}");
    assert_eq!(everything(&ground), Vec::<PathBuf>::new());
    assert!(!ground.reach.home.erase_file().exists());

    // Everybody else's is still there.
    assert_eq!(place.recall("staging server port")[0], KEPT);
    assert!(place.recall("billing service").iter().any(|text| text.contains("Bob")));
    assert!(place.recall("ledger of the harbour").iter().all(|text| !text.contains(MARK)));
    let logs = fs::read_to_string(ground.reach.home.log_file()).unwrap();
    assert!(logs.contains("INFO harmless"));
    let rejected = fs::read_to_string(ground.reach.home.spool_folder().join("rejected.jsonl")).unwrap();
    assert_eq!(rejected, "{\"line\":\"{}\"}\n");
    let lines = fs::read_to_string(shelf.join("memories.jsonl")).unwrap();
    assert!(lines.contains(&kept.id.to_string()) && lines.contains("tea, not coffee"));
    assert_sound(&place);
    assert!(deeds(&place).contains(&Deed::Erase));

    // The backup is whole, and brings back all but her.
    let file = shelf.join("kept.backup");
    let _: Restored = place.ask(Order::Restore { file, identity: None });
    assert_eq!(place.recall("staging server port")[0], KEPT);
    assert_eq!(everything(&ground), Vec::<PathBuf>::new());

    // What was asked once more finds nothing.
    let again = erase(&place, "person:Ada", |_| {});
    assert!(again.places.is_empty() && again.left.is_empty(), "{again:?}");
}

/// But for the line that was rejected, and stays so.
fn assert_sound(place: &Place<'_>) {
    let mut checks = place.doctor().checks;
    checks.retain(|check| check.verdict != Verdict::Sound && !check.detail.contains("could not be done"));
    assert!(checks.is_empty(), "{checks:?}");
}

fn deeds(place: &Place<'_>) -> Vec<Deed> {
    let shown: AuditShown = place.ask(Order::Audit { limit: 100, about: None });
    shown.lines.iter().map(|line| line.deed).collect()
}

#[test]
fn a_sealed_copy_goes_with_its_key_and_is_left_without() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    place.remember(KEPT, None);
    say(&place, LEDGER, Some("Ada"), None);
    let (backup, lines) = (ground.root().join("sealed.backup"), ground.root().join("lines.age"));
    back_up(&place, &backup, &[HERS]);
    let sealed = Some(SealedExport { file: lines.clone(), to: vec![HERS.to_owned()] });
    let _: Value = place.ask(Order::Export { scopes: Vec::new(), no_history: false, sealed });
    let bytes = fs::read(&backup).unwrap();

    let done = erase(&place, "person:Ada", |_| {});
    let left: Vec<&str> = done.left.iter().map(|left| left.place.as_str()).collect();
    assert_eq!(left, [lines.to_str().unwrap(), backup.to_str().unwrap()], "{done:?}");
    assert!(done.left.iter().all(|left| left.why.contains("no key was named")), "{done:?}");
    assert_eq!(fs::read(&backup).unwrap(), bytes);
    assert_eq!(everything(&ground), Vec::<PathBuf>::new());

    // No store knows her any more; what the copies have is found all the same.
    let identity = ground.root().join("her.key");
    fs::write(&identity, format!("{HER_KEY}\n")).unwrap();
    let done = erase(&place, "person:Ada", |order| order.identity = Some(identity.clone()));
    assert_eq!(done.left, [], "{done:?}");
    let places: Vec<&str> = done.places.iter().map(|place| place.place.as_str()).collect();
    assert_eq!(places, [lines.to_str().unwrap(), backup.to_str().unwrap()], "{done:?}");
    assert!(is_sealed(&backup) && is_sealed(&lines));
    let _: Restored = place.ask(Order::Restore { file: backup, identity: Some(identity) });
    assert_eq!(place.recall("staging server port")[0], KEPT);
    assert_eq!(everything(&ground), Vec::<PathBuf>::new());
}

#[test]
fn with_mentions_what_names_a_person_goes_too() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    place.remember(KEPT, None);
    place.remember("Adam keeps the roadmap in a blue binder", None);
    let named = place.remember("Ada Quillfeather keeps the xyzzy seal in the cellar", None);
    let plain = erase(&place, "person:Ada Quillfeather", |_| {});
    assert_eq!((plain.memories, plain.places.len()), (0, 0), "{plain:?}");
    assert!(place.recall("seal in the cellar").contains(&named.content));
    let done = erase(&place, "person:ada quillfeather", |order| order.mentions = true);
    assert_eq!((done.memories, done.left.len()), (1, 0), "{done:?}");
    assert_eq!(everything(&ground), Vec::<PathBuf>::new());
    assert_eq!(holding(&ground.root(), "Quillfeather"), Vec::<PathBuf>::new());
    assert!(place.recall("roadmap binder").iter().any(|text| text.starts_with("Adam")));
}

#[test]
fn an_erased_project_is_in_no_file_and_the_others_stay() {
    let ground = Ground::new();
    let (folder, other) = (ground.folder("gone"), ground.folder("stays"));
    let (place, elsewhere) = (ground.at(&folder), ground.at(&other));
    elsewhere.remember(KEPT, None);
    elsewhere.remember("tea, not coffee", Some(Scope::User));
    let risen = place.remember("the xyzzy release is cut on the last friday of a month", None);
    place.remember("the xyzzy keys are with the harbour master", None);
    let promote = Promote {
        operation: ground.operation(),
        session: None,
        to: Scope::User,
        memories: vec![risen.id.to_string()],
    };
    let _: Value = place.ask(Order::Promote(promote));
    assert!(elsewhere.recall("release is cut").contains(&risen.content), "it went up");
    let session = in_a_session(&ground, &folder);
    session.remember("the xyzzy build is broken just now", Some(Scope::Session));
    fs::write(folder.join(".claude/engram/config.toml"), "").unwrap();
    let (backup, lines) = (ground.root().join("kept.backup"), ground.root().join("lines.jsonl"));
    back_up(&place, &backup, &[]);
    export_to(&ground, &place, &lines);
    assert!(everything(&ground).len() >= 5);

    let done = erase(&elsewhere, &format!("project:{}", folder.display()), |_| {});
    assert_eq!(done.left, [], "{done:?}");
    assert!(done.memories >= 3, "{done:?}");
    assert_eq!(everything(&ground), Vec::<PathBuf>::new());
    assert!(folder.join(".claude/engram/config.toml").exists(), "what a person wrote stays");
    assert!(!folder.join(".claude/engram/identity.json").exists());
    assert_eq!(elsewhere.recall("staging server port")[0], KEPT);
    assert!(elsewhere.recall("tea coffee").iter().any(|text| text == "tea, not coffee"));
    assert!(place.recall("release harbour master").iter().all(|text| !text.contains(MARK)));
    let projects: Value = elsewhere.ask(Order::Projects);
    assert!(!projects.to_string().contains("/gone\""), "{projects}");
    let _: Restored = elsewhere.ask(Order::Restore { file: backup, identity: None });
    assert_eq!(elsewhere.recall("staging server port")[0], KEPT);
    assert_eq!(everything(&ground), Vec::<PathBuf>::new());

    let fault = elsewhere.fault(order_to_erase("project:/nowhere/at/all"));
    assert_eq!(fault.kind, FaultKind::NotFound);
}

#[test]
fn an_erase_that_was_killed_is_gone_on_with() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    lived_in(&ground, &folder);
    let place = ground.at(&folder);
    back_up(&place, &ground.root().join("kept.backup"), &[]);
    let process = ground.process().unwrap();
    let plan = ground.reach.home.erase_file();
    let kept = std::thread::scope(|scope| {
        scope.spawn(|| {
            let subject = "person:Ada".parse().unwrap();
            let order = Erase { subject, mentions: false, dry_run: false, identity: None };
            let mut request = engram_wire::Request { context: place.context(), order: Order::Erase(order) };
            request.context.quiet = true;
            let _ = ground.reach.ask_running(&request);
        });
        soon("the plan is written", || plan.exists());
        common::kill(process);
        common::wait_for_end(process);
        fs::read_to_string(&plan).expect("it was killed before it was done")
    });
    assert!(!kept.contains(MARK), "{kept}");
    assert_eq!(fs::metadata(&plan).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!everything(&ground).is_empty(), "it was killed before it was done");

    // Whoever asks first starts the daemon and waits for the erase; on a slow machine not to its end.
    let _ = place.try_ask(common::recall_order("staging server port"));
    soon("it is gone on with", || !plan.exists());
    assert_eq!(everything(&ground), Vec::<PathBuf>::new());
    assert_eq!(place.recall("staging server port")[0], KEPT);
    assert!(place.recall("billing service").iter().any(|text| text.contains("Bob")));
    assert_sound(&place);
}

#[test]
fn whoever_is_not_there_is_not_found() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    place.remember(KEPT, None);
    let before = place.export();
    let done = erase(&place, "person:Nobody", |_| {});
    assert!(done.is_nothing() && done.left.is_empty(), "{done:?}");
    assert_eq!(place.export(), before);
}

#[test]
fn what_somebody_else_said_of_the_same_stays_word_for_word() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("plain"));
    let says = |speaker: &str, text: &str| -> Observed {
        // Each in a conversation of their own, so that it counts twice.
        let (session, speaker) = (Some(format!("of {speaker}")), Some(speaker.to_owned()));
        let event = Event { session, speaker, ..Event::new(EventType::UserMessage, text) };
        place.ask(Order::Observe(Observe { events: vec![event], wait: true, ..Observe::default() }))
    };
    let both = "The harbour ledger is written in Rust and owned by the night team.";
    let memory = says("Ada", both).decisions[0].memory.unwrap();
    says("Bob", &format!("{both} Good morning to all of you, and plugh."));
    let why: Value = place.ask(Order::Why { memory: memory.to_string() });
    assert_eq!(why["evidence"].as_array().map(Vec::len), Some(2), "it rests on what both said: {why}");

    let done = erase(&place, "person:Ada", |_| {});
    assert_eq!(done.left, [], "{done:?}");
    let file = ground.root().join("after.backup");
    back_up(&place, &file, &[]);
    let after = fs::read_to_string(file).unwrap();
    assert!(after.contains("and plugh."), "what Bob said is his");
    assert!(!after.contains("'Ada'") && !after.contains("\"Ada\""));
}

#[test]
fn a_store_that_is_away_or_put_aside_is_told() {
    let ground = Ground::new();
    let (folder, other) = (ground.folder("plain"), ground.folder("away"));
    let (place, away) = (ground.at(&folder), ground.at(&other));
    place.remember(KEPT, None);
    say(&away, LEDGER, Some("Ada"), None);
    let aside = folder.join(".claude/engram/damaged-1");
    fs::create_dir_all(&aside).unwrap();
    let moved = ground.root().join("moved");
    fs::rename(&other, &moved).unwrap();
    let done = erase(&place, "person:Ada", |_| {});
    let left: Vec<&str> = done.left.iter().map(|left| left.place.as_str()).collect();
    assert_eq!(left, [aside.display().to_string(), format!("store: {}", other.display())], "{done:?}");
    assert!(!everything(&ground).is_empty());

    fs::rename(&moved, &other).unwrap();
    fs::remove_dir(&aside).unwrap();
    let done = erase(&place, "person:Ada", |_| {});
    assert_eq!(done.left, [], "{done:?}");
    assert_eq!(everything(&ground), Vec::<PathBuf>::new());
}

#[test]
fn only_the_project_that_is_named_is_erased() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let place = ground.at(&folder);
    place.remember("the old shop sold tea", None);
    let old = key_of(&folder);
    let docs = ground.folder("shop/docs");
    let fault = ground.at(&docs).fault(order_to_erase("project:."));
    assert!(fault.message.contains("is a part of the project"), "{fault:?}");
    ground.stop();
    fs::remove_dir_all(&folder).unwrap();
    ground.folder("shop");
    let kept = place.remember("the new shop sells coffee", None);
    assert_ne!(key_of(&folder), old);
    let fault = place.fault(order_to_erase(&format!("project:{old}")));
    assert_eq!(fault.kind, FaultKind::Refused);
    assert!(fault.message.starts_with("another project lies in"), "{fault:?}");
    assert_eq!(place.recall("what does the shop sell")[0], kept.content);
}

#[test]
fn what_a_copy_tells_is_taken_out_of_those_before_it() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = ground.at(&folder);
    place.remember(KEPT, None);
    let event = Event { speaker: Some("Ada".to_owned()), ..Event::new(EventType::UserMessage, LEDGER) };
    let order = Observe { events: vec![event], wait: true, ..Observe::default() };
    let observed: Observed = place.ask(Order::Observe(order));
    let (lines, backup) = (ground.root().join("lines.jsonl"), ground.root().join("kept.backup"));
    // Somebody's words without a name, and somebody else's.
    let line = |text: &str| json!({ "scope": "user", "content": text }).to_string();
    export_of(&ground, &lines, &[line(LEDGER), line(KEPT)], Vec::new());
    back_up(&place, &backup, &[]);
    let memories = observed.decisions.iter().filter_map(|decision| decision.memory);
    let memories = memories.map(|memory| memory.to_string()).collect();
    let _: Value = place.ask(Order::Forget { operation: ground.operation(), memories, purge: true });
    let mut left = everything(&ground);
    left.sort();
    assert_eq!(left, [backup, lines.clone()], "no store tells of her any more");
    // What a backup that was killed in the middle leaves.
    fs::write(ground.root().join(".kept.backup.7.part"), LEDGER).unwrap();

    let done = erase(&place, "person:Ada", |_| {});
    assert_eq!(done.left, [], "{done:?}");
    assert_eq!(everything(&ground), Vec::<PathBuf>::new());
    assert!(fs::read_to_string(&lines).unwrap().contains(KEPT));
}

#[test]
fn an_export_of_an_erased_project_loses_all_that_is_the_project_s() {
    let ground = Ground::new();
    let (folder, other) = (ground.folder("gone"), ground.folder("stays"));
    ground.at(&folder).remember("the harbour master has the keys", None);
    let elsewhere = ground.at(&other);
    elsewhere.remember(KEPT, None);
    let line = |scope: &str, text: &str| json!({ "scope": scope, "content": text }).to_string();
    let stores = vec![CopiedStore { scope: Scope::Project, database: key_of(&folder), path: None }];
    let file = ground.root().join("lines.jsonl");
    export_of(&ground, &file, &[line("project", "an older xyzzy"), line("user", KEPT)], stores);
    let done = erase(&elsewhere, &format!("project:{}", folder.display()), |_| {});
    assert_eq!(done.left, [], "{done:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), line("user", KEPT) + "\n");
}

#[test]
fn what_was_broken_off_is_finished_before_the_next() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("plain"));
    place.remember(KEPT, None);
    say(&place, LEDGER, Some("Ada"), None);
    say(&place, "The billing service is written in Go and owned by the day team.", Some("Bob"), None);
    let plan = ground.reach.home.erase_file();
    let kept = |subject: &str| {
        json!({ "order": { "subject": subject, "mentions": false, "dry_run": false, "identity": null },
            "project": null, "memories": [], "turns": [], "entities": [] })
    };
    fs::write(&plan, kept("person:Ada").to_string()).unwrap();
    let checks = place.doctor().checks;
    assert!(
        checks.iter().any(|check| check.what == "erase" && check.verdict == Verdict::Broken),
        "{checks:?}"
    );
    erase(&place, "person:Bob", |_| {});
    assert!(!plan.exists());
    assert_eq!(everything(&ground), Vec::<PathBuf>::new());
    assert_eq!(holding(&ground.root(), "billing service"), Vec::<PathBuf>::new());

    fs::write(&plan, "{").unwrap();
    let fault = place.fault(order_to_erase("person:Bob"));
    assert!(fault.message.contains("is no plan of an erase"), "{fault:?}");
}

#[test]
fn with_mentions_what_was_asked_about_a_person_goes() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("plain"));
    place.remember(KEPT, None);
    let asked = "where does zoe keep the staging server";
    place.recall(asked);
    ground.stop();
    assert!(!holding(&ground.root(), asked).is_empty());
    erase(&place, "person:Zoe", |order| order.mentions = true);
    assert_eq!(holding(&ground.root(), asked), Vec::<PathBuf>::new());
    assert_eq!(place.recall("staging server port")[0], KEPT);
}

/// A home that belongs to a team whose server is away.
fn join_a_team(ground: &Ground, review: &str) {
    let folder = ground.reach.home.team_folder();
    fs::create_dir_all(&folder).unwrap();
    let at = now().to_string();
    let membership = json!({ "url": "wss://127.0.0.1:9", "namespace": "team", "name": "shop",
        "member": ground.operation(), "handle": "me", "role": "member", "joined_at": at, "key_since": at,
        "charter": { "name": "shop", "review": review, "rulers": "member", "pepper": "p" } });
    fs::write(folder.join("team.json"), membership.to_string()).unwrap();
    fs::write(folder.join("seat.key"), "k\n").unwrap();
}

#[test]
fn what_waits_for_the_team_is_not_said_any_more() {
    for (review, left) in [("author", vec![]), ("maintainer", vec!["proposals of team shop".to_owned()])] {
        let ground = Ground::new();
        join_a_team(&ground, review);
        let place = ground.at(&ground.folder("plain"));
        place.remember(KEPT, None);
        let event = Event { speaker: Some("Ada".to_owned()), ..Event::new(EventType::UserMessage, LEDGER) };
        let order = Observe { events: vec![event], wait: true, ..Observe::default() };
        let observed: Observed = place.ask(Order::Observe(order));
        let memories = vec![observed.decisions[0].memory.unwrap().to_string()];
        let share = TeamOrder::Share { operation: ground.operation(), memories };
        let _: Value = place.ask(Order::Team(Box::new(share)));
        let status = || place.ask::<TeamStatus>(Order::Team(Box::new(TeamOrder::Status)));
        let queued = || status().team.map_or(0, |team| team.queued);
        assert_eq!(queued(), 1);

        let done = erase(&place, "person:Ada", |_| {});
        let told: Vec<String> = done.left.iter().map(|left| left.place.clone()).collect();
        assert_eq!(told, left, "{review}: {done:?}");
        let team = done.places.iter().find(|place| place.place == "team shop").expect("it is told");
        assert!(team.before > 0 && team.after == Some(0), "{review}: {done:?}");
        assert_eq!(queued(), 0, "{review}");
        assert_eq!(everything(&ground), Vec::<PathBuf>::new(), "{review}");
    }
}
