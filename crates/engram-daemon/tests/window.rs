//! The window over real HTTP, and what goes on told as it happens: who is let in,
//! what is answered, and that one project hears nothing of another.

mod common;

use common::agent::agent;
use common::http::Looker;
use common::{Ground, Place, soon, wait_for_end};
use engram_core::dream::Step;
use engram_core::{Memory, Scope};
use engram_wire::activity::{Activities, Activity, What};
use engram_wire::message::{Dream, Edit};
use engram_wire::reply::{Changed, Examined, Health, Verdict};
use engram_wire::window::{GraphWhole, SettingsListed, UiServed, WindowShown};
use engram_wire::{Answer, Context, Order, Request, evolution, frame, life, reply, window};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::time::Duration;

fn opened(place: &Place<'_>, read_only: bool) -> UiServed {
    place.ask(Order::Ui { read_only })
}

/// A part of an address of `engram ui`.
fn part(served: &UiServed, name: &str) -> Option<String> {
    let (_, fragment) = served.url.split_once('#').unwrap();
    let parts = fragment.split('&').filter_map(|part| part.split_once('='));
    parts.filter(|(known, _)| *known == name).map(|(_, value)| value.to_owned()).next()
}

fn port(served: &UiServed) -> u16 {
    let rest = served.url.strip_prefix("http://127.0.0.1:").unwrap();
    rest.split('/').next().unwrap().parse().unwrap()
}

/// As the page does it: the ticket is exchanged for a key.
fn looker(place: &Place<'_>, read_only: bool) -> Looker {
    let served = opened(place, read_only);
    let stranger = Looker { port: port(&served), key: None };
    let admitted = stranger.post("/api/v1/tickets", json!({ "ticket": part(&served, "ticket") }));
    Looker { key: Some(admitted["token"].as_str().unwrap().to_owned()), ..stranger }
}

fn key(place: &Place<'_>) -> String {
    part(&opened(place, false), "project").expect("a project with a store")
}

fn activities(place: &Place<'_>, all: bool) -> Activities {
    place.ask(Order::Activity { limit: 1_000, all })
}

fn words(activities: &Activities) -> Vec<&'static str> {
    activities.activities.iter().map(|activity| activity.what.word()).collect()
}

#[test]
fn a_ticket_opens_the_window_once_and_the_keys_are_nobody_elses() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    let bare = opened(&place, false);
    assert_eq!(part(&bare, "project"), None, "there is no store yet, and looking makes none");
    assert!(!place.folder.join(".claude").exists());
    place.remember("we deploy on fridays", None);
    let served = opened(&place, false);
    assert!(!served.read_only && served.expires_at > common::now());
    assert!(part(&served, "project").is_some_and(|key| key.starts_with("p_")));
    let stranger = Looker { port: port(&served), key: None };
    let ticket = json!({ "ticket": part(&served, "ticket") });
    let admitted = stranger.post("/api/v1/tickets", ticket.clone());
    assert_eq!(admitted["read_only"], false);
    assert_eq!(stranger.ask("POST", "/api/v1/tickets", Some(&ticket)).status, 401, "the second time");
    assert_eq!(stranger.ask("GET", "/api/v1", None).status, 401);
    let owner = Looker { key: Some(admitted["token"].as_str().unwrap().to_owned()), ..stranger };
    let shown: WindowShown = serde_json::from_value(owner.get("/api/v1")).unwrap();
    assert_eq!((shown.read_only, &*shown.home), (false, ground.reach.home.root()));
    let file = ground.reach.home.web_file();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let health: Health = place.ask(Order::Status);
    assert_eq!(health.window.unwrap().url, format!("http://127.0.0.1:{}/", owner.port));
}

#[test]
fn a_reader_looks_and_changes_nothing() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    place.remember("we deploy on fridays", None);
    let project = key(&place);
    let reader = looker(&place, true);
    let path = format!("/api/v1/memories?project={project}");
    assert_eq!(reader.get(&path)["total"], 1);
    let told = reader.ask("POST", &path, Some(&json!({ "text": "we deploy on mondays" })));
    assert_eq!((told.status, told.header("content-type")), (403, Some("application/problem+json")));
    assert_eq!(place.recall("deploy"), ["we deploy on fridays"]);
    // Where the setting says so, everybody is a reader from the next opening on.
    ground.configure("[window]\nread_only = \"on\"\n");
    let served = opened(&place, false);
    assert!(served.read_only);
    let text = fs::read_to_string(ground.reach.home.web_file()).unwrap();
    let kept: Value = serde_json::from_str(&text).unwrap();
    let owner = Looker { key: kept["window"]["owner"].as_str().map(str::to_owned), ..reader };
    assert_eq!(owner.ask("POST", &path, Some(&json!({ "text": "no" }))).status, 403);
}

/// What is answered is of this type, and nothing of it is lost.
fn is_of<T: DeserializeOwned + Serialize>(looker: &Looker, path: &str) -> T {
    let told = looker.get(path);
    let read: T = serde_json::from_value(told.clone()).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert_eq!(serde_json::to_value(&read).unwrap(), told, "{path}");
    read
}

#[test]
fn every_answer_is_of_the_type_it_is_documented_as() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    let memory = place.remember("Redis runs on port 6379", None);
    place.remember("Redis is behind HAProxy", None);
    place.remember("I like short functions", Some(Scope::User));
    place.recall("redis port");
    agent(&ground, &place.folder, "one").prompt("Our staging database listens on port 5433.");
    let owner = looker(&place, false);
    let project = format!("project={}", key(&place));
    let path = |path: &str| {
        let joint = if path.contains('?') { '&' } else { '?' };
        format!("/api/v1{path}{joint}{project}")
    };
    let of_memory = |rest: &str| path(&format!("/memories/{}{rest}", memory.id));
    is_of::<Activities>(&owner, &path("/activity?limit=50"));
    is_of::<Health>(&owner, &path("/health"));
    is_of::<reply::Stats>(&owner, &path("/stats"));
    is_of::<Examined>(&owner, &path("/checks"));
    is_of::<window::Projects>(&owner, "/api/v1/projects");
    is_of::<window::Stores>(&owner, &path("/stores?days=30"));
    is_of::<reply::Listed>(&owner, &path("/memories?limit=1"));
    is_of::<reply::Recalled>(&owner, &path("/recall?q=redis"));
    is_of::<reply::Inspected>(&owner, &of_memory(""));
    is_of::<reply::WhyReply>(&owner, &of_memory("/why"));
    is_of::<reply::HistoryOf>(&owner, &of_memory("/history"));
    is_of::<life::CurveOf>(&owner, &of_memory("/curve?days=30"));
    is_of::<evolution::UsageHistory>(&owner, &of_memory("/usage"));
    is_of::<reply::Operations>(&owner, &path("/operations?limit=1"));
    is_of::<reply::Recalls>(&owner, &path("/recalls"));
    is_of::<window::Days>(&owner, &path("/days"));
    is_of::<reply::Reviews>(&owner, &path("/reviews?all=true"));
    let things: life::Entities = is_of(&owner, &path("/entities"));
    assert!(things.entities.iter().any(|line| line.entity.written == "Redis"), "{things:?}");
    is_of::<life::EntityShown>(&owner, &path("/entities/Redis"));
    is_of::<life::GraphShown>(&owner, &path("/entities/Redis/graph"));
    is_of::<GraphWhole>(&owner, &path("/graph"));
    is_of::<life::DreamReports>(&owner, &path("/dreams"));
    is_of::<reply::Sessions>(&owner, &path("/sessions"));
    is_of::<reply::RemindersListed>(&owner, &path("/reminders"));
    is_of::<life::ConsolidationOffered>(&owner, &path("/consolidation"));
    is_of::<evolution::WeightsShown>(&owner, &path("/weights"));
    is_of::<evolution::Candidates>(&owner, &path("/evolution/candidates"));
    is_of::<evolution::EvolutionReports>(&owner, &path("/evolution/report"));
    is_of::<evolution::SkillsFound>(&owner, &path("/skills"));
    is_of::<evolution::Reflections>(&owner, &path("/insights"));
    let settings: SettingsListed = is_of(&owner, &path("/settings"));
    let of_window: Vec<_> = settings.settings.iter().filter(|line| line.key.starts_with("window.")).collect();
    assert!(of_window.len() == 4 && of_window.iter().all(|line| line.personal), "{of_window:?}");
    assert_eq!(owner.ask("GET", "/api/v1/memories?project=p_000000000000", None).status, 404);
}

#[test]
fn a_correction_in_the_window_is_what_is_recalled_and_is_done_once() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    let memory = place.remember("we deploy on fridays", None);
    let owner = looker(&place, false);
    let path = format!("/api/v1/memories/{}/correction?project={}", memory.id, key(&place));
    let body = json!({ "text": "we deploy on mondays", "operation": ground.operation() });
    let changed: Changed = serde_json::from_value(owner.post(&path, body.clone())).unwrap();
    assert!(!changed.already);
    let again: Changed = serde_json::from_value(owner.post(&path, body)).unwrap();
    assert!(again.already, "the same operation is done once");
    assert_eq!(place.recall("deploy"), ["we deploy on mondays"]);
    let told = activities(&place, false);
    let changes = words(&told).into_iter().filter(|word| *word == "changed").count();
    assert_eq!(changes, 2, "remembered and corrected, each told once: {told:?}");
    // Looking there is no use.
    let log = |place: &Place<'_>| place.ask::<Value>(Order::Recalls { limit: 100, before: None });
    let before = log(&place)["recalls"].as_array().unwrap().len();
    owner.get(&format!("/api/v1/recall?q=deploy&project={}", key(&place)));
    assert_eq!(log(&place)["recalls"].as_array().unwrap().len(), before);
}

#[test]
fn an_edit_that_is_sent_again_is_done_once() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    let memory = place.remember("we deploy on fridays", None);
    let order = Order::Edit(Edit {
        operation: ground.operation(),
        memory: memory.id.to_string(),
        kind: None,
        tags: Some(vec!["release".to_owned()]),
        domain: None,
        summary: None,
    });
    let first: Changed = place.ask(order.clone());
    assert_eq!((first.already, first.memories[0].tags.len()), (false, 1));
    let request = Request { context: Context { again: true, ..place.context() }, order };
    let reply = ground.reach.ask(&request, &mut |_| {}).map_err(|_| "no answer").unwrap();
    let second: Changed = serde_json::from_value(reply).unwrap();
    assert!(second.already);
    assert_eq!(second.memories[0].revision, first.memories[0].revision);
}

#[test]
fn what_goes_on_is_heard_as_it_happens() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    place.remember("the staging database listens on port 5432", None);
    let owner = looker(&place, false);
    let mut stream = owner.listen(&format!("/api/v1/activity/stream?project={}", key(&place)));
    agent(&ground, &place.folder, "one").prompt("which port does the staging database use?");
    let began = stream.next("session_began");
    assert_eq!((&began["agent"], &began["scope"]), (&json!("claude-code"), &json!("session")));
    let recalled = stream.next("recalled");
    assert_eq!((&recalled["via"], &recalled["hits"]), (&json!("prompt"), &json!(1)));
    let hooked = stream.next("hooked");
    assert_eq!(hooked["event"], "UserPromptSubmit");
    assert!(hooked["ms"].as_f64().is_some_and(|ms| ms >= 0.0), "{hooked}");
    let told = stream.next("told");
    assert_eq!((&told["via"], told["memories"].as_array().unwrap().len()), (&json!("prompt"), 1));
    assert!(told["chars"].as_u64().unwrap() > 0);
    agent(&ground, &place.folder, "one").prompt("We decided to move the staging database to port 5433.");
    let heard = stream.next("heard");
    assert_eq!((&heard["event"], &heard["turns"]), (&json!("user_message"), &json!(1)));
    let decided = stream.next("decided");
    assert!(decided["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{decided}");
    // Whoever comes later reads of the same.
    let lately = words(&activities(&place, false));
    for word in ["changed", "session_began", "heard", "recalled", "hooked", "told", "decided"] {
        assert!(lately.contains(&word), "{word}: {lately:?}");
    }
    let health: Health = place.ask(Order::Status);
    assert_eq!(health.window.unwrap().watchers, 1);
}

/// Watches over the socket, as `engram watch` does.
struct Watch(UnixStream);

impl Watch {
    fn begin(ground: &Ground, place: &Place<'_>, after: Option<u64>, all: bool) -> Self {
        let request = Request { context: place.context(), order: Order::Watch { after, all } };
        let stream = ground.reach.open(&request).map_err(|_| "no answer").unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        Self(stream)
    }

    fn next(&mut self) -> Activity {
        match frame::read(&mut self.0).unwrap() {
            Answer::Line { line } => serde_json::from_str(&line).unwrap(),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn whoever_watches_goes_on_where_he_was() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    let mut watch = Watch::begin(&ground, &place, None, false);
    place.remember("we deploy on fridays", None);
    let first = watch.next();
    assert_eq!(first.what.word(), "changed");
    place.remember("we test on thursdays", None);
    let second = watch.next();
    let mut later = Watch::begin(&ground, &place, Some(first.number), false);
    assert_eq!(later.next(), second);
    // Another daemon knows nothing of what this one said, and its numbers are
    // greater.
    ground.stop();
    let mut again = Watch::begin(&ground, &place, Some(second.number), false);
    let missed = again.next();
    assert_eq!(missed.what.word(), "missed");
    place.remember("we rest on sundays", None);
    assert!(again.next().number > missed.number && missed.number > second.number);
}

#[test]
fn one_project_hears_nothing_of_another() {
    let ground = Ground::new();
    let (red, blue) = (ground.at(&ground.folder("red")), ground.at(&ground.folder("blue")));
    let of_red = red.remember("red secret: the door code is 1111", None);
    let of_blue = blue.remember("blue secret: the door code is 2222", None);
    // Where there is no store yet, what is said is nobody else's business either.
    let bare = ground.at(&ground.folder("bare"));
    agent(&ground, &bare.folder, "bare").prompt("We decided that the bare secret is 3333.");
    soon("it is read", || words(&activities(&bare, true)).contains(&"decided"));
    red.remember("I like short functions", Some(Scope::User));
    red.recall("red secret");
    let text = |place: &Place<'_>, all| serde_json::to_string(&activities(place, all)).unwrap();
    for (place, own, foreign) in [
        (&red, "red secret", ["blue secret", "bare secret"]),
        (&blue, "blue secret", ["red secret", "bare secret"]),
    ] {
        let told = text(place, false);
        assert!(told.contains(own) && told.contains("short functions"), "{told}");
        assert!(!foreign.iter().any(|foreign| told.contains(foreign)), "{told}");
        assert!(text(place, true).contains("blue secret") && text(place, true).contains("red secret"));
    }
    let mut watch = Watch::begin(&ground, &blue, None, false);
    red.remember("red lamps hang in the cellar", None);
    let mine = blue.remember("our editors are called by birds' names", None);
    let heard = serde_json::to_value(watch.next()).unwrap();
    assert_eq!(heard["memories"], json!([mine.id]), "red's was passed over");
    let owner = looker(&red, false);
    let get = |path: String| owner.get(&path).to_string();
    for (place, own, foreign) in [(&red, &of_red, &of_blue), (&blue, &of_blue, &of_red)] {
        let project = key(place);
        for path in ["memories", "activity", "operations", "days", "stats"] {
            let told = get(format!("/api/v1/{path}?project={project}"));
            assert!(!told.contains(&foreign.content) && !told.contains(&foreign.id.to_string()), "{path}");
        }
        assert!(get(format!("/api/v1/memories?project={project}")).contains(&own.content));
        let path = format!("/api/v1/memories/{}?project={project}", foreign.id);
        assert_eq!(owner.ask("GET", &path, None).status, 404);
    }
    let users = get("/api/v1/activity".to_owned());
    assert!(!users.contains("secret") && users.contains("short functions"), "{users}");
}

#[test]
fn a_purge_leaves_nothing_in_the_feed() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    let memory: Memory = place.remember("the launch code is ZANZIBAR", None);
    let told = |place: &Place<'_>| serde_json::to_string(&activities(place, true)).unwrap();
    assert!(told(&place).contains("ZANZIBAR"));
    place.forget(&memory, true);
    assert!(!told(&place).contains("ZANZIBAR"), "{}", told(&place));
    assert_eq!(words(&activities(&place, false)), ["changed"], "that it was purged is told");
}

#[test]
fn a_dream_is_begun_in_the_window_and_taken_back() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    place.remember("we deploy on fridays", None);
    let born = common::now() - engram_core::Span::from_hours(24 * 400);
    let line = |number: usize| {
        json!({
            "id": format!("01K{number:023}"), "scope": "project", "tier": "episodic", "kind": "plan",
            "status": "created",
            "status_change": {"at": born, "reason": "remembered", "cause": "remember"},
            "content": format!("Move shard {number} of the cluster next week."), "importance": 0.1,
            "confidence": 0.7, "utility": 0.1, "pinned": false, "immutable": false, "access_count": 0,
            "last_used_at": born, "stability": 1.0, "valid_from": born,
            "valid_until": born + engram_core::Span::from_hours(24 * 7), "recorded_at": born,
            "write_source": "observer", "data_source": "user_message", "trust": 1.0, "created_at": born,
            "updated_at": born, "revision": 0,
        })
        .to_string()
    };
    let lines: Vec<String> = (0..20).map(line).collect();
    let (operation, lines) = (ground.operation(), common::numbered(&lines));
    place.ask::<Value>(Order::Import { operation, scope: None, lines });
    let owner = looker(&place, false);
    let project = key(&place);
    let before = place.export_lines(true);
    let path = format!("/api/v1/dreams?project={project}");
    let dry = owner.ask("POST", &path, Some(&json!({ "dry_run": true, "scope": "project" })));
    assert!(dry.status == 200 || dry.status == 202, "{}", dry.body);
    assert_eq!(place.export_lines(true), before, "a dry run changes nothing");
    let operation = ground.operation();
    let body = json!({ "operation": operation, "scope": "project" });
    let begun = owner.ask("POST", &path, Some(&body));
    assert!(begun.status == 200 || begun.status == 202, "{}", begun.body);
    let mut changes = 0;
    soon("the dream ends", || {
        let told = serde_json::to_value(activities(&place, false)).unwrap();
        let events = told["activities"].as_array().unwrap();
        let mine = |word: &str| {
            events.iter().find(|event| event["what"] == word && event["dream"] == json!(operation)).cloned()
        };
        changes = mine("dreamt").map_or(0, |dreamt| dreamt["changes"].as_u64().unwrap());
        assert!(changes == 0 || mine("dreaming").is_some(), "how far it came was told, too");
        changes > 0
    });
    assert_ne!(place.export_lines(true), before);
    owner.post(&format!("/api/v1/undo?project={project}"), json!({ "target": operation }));
    assert_eq!(place.export_lines(true), before);
}

#[test]
fn the_window_is_served_again_where_it_was() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    place.remember("we deploy on fridays", None);
    let owner = looker(&place, false);
    let project = key(&place);
    ground.stop();
    place.recall("deploy");
    let path = format!("/api/v1/memories?project={project}");
    soon("it is served again", || std::net::TcpStream::connect(("127.0.0.1", owner.port)).is_ok());
    soon("and lets in", || owner.ask("GET", &path, None).status == 200);
    let served = opened(&place, false);
    assert_eq!((port(&served), part(&served, "project")), (owner.port, Some(project)));
}

#[test]
fn whoever_watches_does_not_keep_the_daemon_awake() {
    let ground = Ground::new();
    ground.configure("[daemon]\nidle_exit_s = 2\n");
    let place = ground.at(&ground.folder("shop"));
    place.remember("we deploy on fridays", None);
    let owner = looker(&place, false);
    let mut watch = Watch::begin(&ground, &place, None, true);
    let _stream = owner.listen("/api/v1/activity/stream?all=true");
    let process = ground.process().unwrap();
    wait_for_end(process);
    assert!(frame::read::<Answer>(&mut watch.0).is_err(), "the connection ended with it");
}

#[test]
fn keys_that_others_can_read_are_found_and_shut_away() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    let verdict = |repair: bool| {
        let examined: Examined = place.ask(Order::Doctor { repair });
        examined.checks.into_iter().find(|check| check.what == "served over HTTP").map(|check| check.verdict)
    };
    assert_eq!(verdict(false), None, "nobody is served");
    opened(&place, false);
    assert_eq!(verdict(false), Some(Verdict::Sound));
    let file = ground.reach.home.web_file();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(verdict(false), Some(Verdict::Repairable));
    assert_eq!(verdict(true), Some(Verdict::Repaired));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    fs::write(&file, "{").unwrap();
    assert_eq!(verdict(true), Some(Verdict::Broken));
}

#[test]
fn a_dream_of_the_terminal_is_told_in_the_window() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    place.remember("we deploy on fridays", None);
    let operation = ground.operation();
    let dream = |dry_run| {
        Order::Dream(Dream {
            operation,
            only: vec![Step::Fade],
            depth: None,
            dry_run,
            scope: Some(Scope::User),
        })
    };
    let ends = || -> Vec<bool> {
        let told = activities(&place, false);
        assert!(words(&told).contains(&"dreaming"), "{told:?}");
        let ended = told.activities.iter().filter_map(|activity| match activity.what {
            What::Dreamt { dry_run, .. } => Some(dry_run),
            _ => None,
        });
        ended.collect()
    };
    place.ask::<Value>(dream(true));
    assert_eq!(ends(), [true], "whoever only looked is told that it is over, and that it changed nothing");
    place.ask::<Value>(dream(false));
    assert_eq!(ends(), [true, false]);
}
