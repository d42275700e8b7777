//! The real store keeps the contract, in every scope and on every ground; and
//! the schema refuses what it must.

use engram_core::ask::QueryType;
use engram_core::dream::{Dream, DreamTrigger, Note};
use engram_core::evolve::{EvolutionLogged, Evolving};
use engram_core::learn::{Learned, LearnedKey, Shares, Subject};
use engram_core::plan::{plan_forget, plan_purge};
use engram_core::port::{CommitError, Store as _};
use engram_core::recalled::{RecallLogged, Surface};
use engram_core::reflect::{Insight, InsightType};
use engram_core::team::{Intent, Outgoing};
use engram_core::used::{EvidenceSource, Outcome, Usage};
use engram_core::{
    Actor, Cause, Changes, Kind, MemoryId, RecallId, Relation, RelationKind, Scope, Share, Span, Status,
    Tier, Timestamp, Write,
};
use engram_store::{Location, OpenError, ProjectSeen, SessionStatus, StoreHome, SurrealStore};
use engram_testkit::contract::check_store;
use engram_testkit::make::{Steps, newborn};
use engram_testkit::run;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

const KEY: &str = "p_0123456789ab";

fn at() -> Timestamp {
    Timestamp::from_second(1_800_000_000).unwrap()
}

/// A project's store that is gone with the test.
async fn in_memory() -> SurrealStore {
    let location = Location::Url { url: "mem://".into(), access: None };
    SurrealStore::open_project(&location, &KEY.parse().unwrap(), at()).await.unwrap()
}

#[test]
fn a_project_store_on_disk_keeps_the_contract() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let location = Location::Disk(StoreHome::new(folder.path().join("engram")));
        let store = SurrealStore::open_project(&location, &KEY.parse().unwrap(), at()).await.unwrap();
        check_store(&store, Scope::Project).await;
    });
}

#[test]
fn a_user_store_at_a_url_keeps_the_contract() {
    run(async {
        let location = Location::Url { url: "mem://".into(), access: None };
        let store = SurrealStore::open_user(&location, at()).await.unwrap();
        check_store(&store, Scope::User).await;
    });
}

#[test]
fn a_replica_of_a_team_keeps_the_contract() {
    run(async {
        let name = "platform".parse().unwrap();
        let location = Location::Url { url: "mem://".into(), access: None };
        let store = SurrealStore::open_team(&location, &name, at()).await.unwrap();
        check_store(&store, Scope::Team).await;
    });
}

#[test]
fn a_store_can_be_closed_and_opened_again_at_once_and_nothing_is_lost() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let location = Location::Disk(StoreHome::new(folder.path().join("engram")));
        let mut steps = Steps::default();
        for round in 0..8 {
            let store = SurrealStore::open_user(&location, at()).await.unwrap();
            assert_eq!(store.load_page(None, 100).await.unwrap().len(), round);
            store.commit(steps.remember(&format!("round {round}"), Scope::User), Vec::new()).await.unwrap();
            store.close().await;
        }
    });
}

#[test]
fn a_store_whose_files_are_put_in_order_all_the_time_keeps_the_contract() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let location = Location::Disk(StoreHome::new(folder.path().join("engram")));
        let store = SurrealStore::open_project(&location, &KEY.parse().unwrap(), at()).await.unwrap();
        check_store(&store.with_short_log(1), Scope::Project).await;
    });
}

#[test]
fn a_log_stays_short_under_many_writers_and_nothing_is_lost() {
    const WRITERS: usize = 6;
    const TEXTS: usize = 30;
    const LONG: u64 = 64 << 10;
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let home = StoreHome::new(folder.path().join("engram"));
        let location = Location::Disk(home.clone());
        let store = SurrealStore::open_user(&location, at()).await.unwrap().with_short_log(LONG);
        let store = Arc::new(store);
        let mut steps = Steps::default();
        let mut all: Vec<Changes> =
            (0..WRITERS * TEXTS).map(|text| steps.remember(&format!("text {text}"), Scope::User)).collect();
        let mut writers = Vec::new();
        for _ in 0..WRITERS {
            let (store, mine) = (store.clone(), all.split_off(all.len() - TEXTS));
            writers.push(tokio::spawn(async move {
                for changes in mine {
                    store.commit(changes, Vec::new()).await.unwrap();
                    // Whoever looks meanwhile is answered too.
                    store.load_page(None, 5).await.unwrap();
                }
            }));
        }
        for writer in writers {
            writer.await.unwrap();
        }
        assert_eq!(store.load_page(None, 1_000).await.unwrap().len(), WRITERS * TEXTS);
        // The last ones may have come after it was looked at.
        assert!(bytes_of_log(home.folder()) < 2 * LONG);
        drop(store);
        let store = SurrealStore::open_user(&location, at()).await.unwrap();
        assert_eq!(store.load_page(None, 1_000).await.unwrap().len(), WRITERS * TEXTS);
    });
}

#[test]
fn what_a_session_was_shown_is_found_by_an_index() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let location = Location::Disk(StoreHome::new(folder.path().join("engram")));
        let store = SurrealStore::open_user(&location, at()).await.unwrap();
        let asked = "SELECT * FROM retrieval_log WHERE session = 'a' AND at >= d'2026-01-01T00:00:00Z' \
                     ORDER BY id DESC LIMIT 5 EXPLAIN";
        let plan = store.run_raw(asked).await.unwrap();
        assert!(plan.contains("retrieval_log_session"), "{plan}");
    });
}

/// How long the log of the only database in a folder is.
fn bytes_of_log(folder: &Path) -> u64 {
    let databases = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path().join("wal"));
    let files = databases.filter(|log| log.is_dir()).flat_map(|log| std::fs::read_dir(log).unwrap());
    files.map(|file| file.unwrap().metadata().unwrap().len()).sum()
}

/// Names the folder to whoever is to be killed.
const WRITES_HERE: &str = "ENGRAM_TEST_WRITES_HERE";
/// How many it writes at most.
const MOST_WRITTEN: usize = 400;

/// Writes one text after the other, and says of each that it is kept.
async fn write_until_killed(folder: &Path) {
    let location = Location::Disk(StoreHome::new(folder));
    let store = SurrealStore::open_user(&location, at()).await.unwrap().with_short_log(64 << 10);
    let mut steps = Steps::default();
    let before = store.load_page(None, MOST_WRITTEN).await.unwrap().len();
    for text in 0..MOST_WRITTEN {
        let changes = steps.remember(&format!("text {text}"), Scope::User);
        // What an earlier one wrote has the same names.
        if text >= before {
            store.commit(changes, Vec::new()).await.unwrap();
            println!("{}", text + 1);
        }
    }
}

#[test]
fn a_kill_while_files_are_put_in_order_loses_nothing() {
    if let Some(folder) = std::env::var_os(WRITES_HERE) {
        run(async move { write_until_killed(Path::new(&folder)).await });
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("engram");
    for round in 0..8 {
        let mut writer = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_kill_while_files_are_put_in_order_loses_nothing", "--nocapture"])
            .env(WRITES_HERE, &store)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(writer.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut kept = said.by_ref().filter_map(|line| line.parse::<usize>().ok());
        let mut last = kept.by_ref().take(5 + 3 * round).last().unwrap();
        std::thread::sleep(Duration::from_millis(17 * round as u64));
        writer.kill().unwrap();
        last = kept.last().unwrap_or(last);
        writer.wait().unwrap();
        let store = store.clone();
        run(async move {
            let store = SurrealStore::open_user(&Location::Disk(StoreHome::new(store)), at()).await.unwrap();
            let there = store.load_page(None, MOST_WRITTEN).await.unwrap().len();
            store.close().await;
            assert!((last..=last + 1).contains(&there), "round {round}: {last} were kept, {there} are there");
        });
    }
}

#[test]
fn nothing_is_opened_again_where_somebody_took_the_folder_away() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        let mut steps = Steps::default();
        let store = SurrealStore::open_user(&Location::Disk(StoreHome::new(&old)), at()).await.unwrap();
        let store = store.with_short_log(1);
        std::fs::rename(&old, &new).unwrap();
        store.commit(steps.remember("written all the same", Scope::User), Vec::new()).await.unwrap();
        assert!(!old.exists());
        store.close().await;
        let store = SurrealStore::open_user(&Location::Disk(StoreHome::new(&new)), at()).await.unwrap();
        assert_eq!(store.load_page(None, 10).await.unwrap().len(), 1);
    });
}

#[test]
fn a_dump_makes_the_same_store_again_under_another_name() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let home = StoreHome::new(folder.path().join("engram"));
        let location = Location::Disk(home.clone());
        let mut steps = Steps::default();
        let store = SurrealStore::open_project(&location, &KEY.parse().unwrap(), at()).await.unwrap();
        let birth = steps.remember("kept", Scope::Project);
        let memory = newborn(&birth);
        store.commit(birth, Vec::new()).await.unwrap();
        let forget = plan_forget(std::slice::from_ref(&memory), steps.occasion()).unwrap();
        store.commit(forget, Vec::new()).await.unwrap();
        let before = picture(&store, memory.id).await;
        let dump = folder.path().join("dump.surql");
        store.dump(&dump).await.unwrap();
        store.close().await;

        let other = "p_ba9876543210";
        home.replace(Scope::Project, other, &dump, at()).await.unwrap();
        let store = SurrealStore::open_project(&location, &other.parse().unwrap(), at()).await.unwrap();
        assert_eq!(picture(&store, memory.id).await, before);
        // It is a whole store: it takes new changes and still refuses bad ones.
        store.commit(steps.remember("new", Scope::Project), Vec::new()).await.unwrap();
        let refused = store.commit(steps.remember("not of this scope", Scope::User), Vec::new()).await;
        assert!(matches!(refused, Err(CommitError::Refused(_))), "{refused:?}");
    });
}

/// Everything a store says about one memory.
async fn picture(store: &SurrealStore, id: MemoryId) -> String {
    format!(
        "{:?}\n{:?}\n{:?}",
        store.load(vec![id]).await.unwrap(),
        store.load_history(vec![id]).await.unwrap(),
        store.operations_on(id).await.unwrap()
    )
}

#[test]
fn a_purged_text_is_on_the_disk_no_more_after_a_rewrite() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let home = StoreHome::new(folder.path().join("engram"));
        let location = Location::Disk(home.clone());
        let mut steps = Steps::default();
        let store = SurrealStore::open_user(&location, at()).await.unwrap();
        let birth = steps.remember("xyzzy-the-secret-word", Scope::User);
        store.commit(birth.clone(), Vec::new()).await.unwrap();
        assert!(mentions(home.folder(), b"xyzzy-the-secret-word"));
        store.commit(plan_purge(&[newborn(&birth)], steps.occasion()).unwrap(), Vec::new()).await.unwrap();
        home.ask_for_rewrite().unwrap();
        store.close().await;
        home.rewrite_if_asked(Scope::User, "default", at()).await.unwrap();
        assert!(!mentions(home.folder(), b"xyzzy-the-secret-word"));
        let store = SurrealStore::open_user(&location, at()).await.unwrap();
        assert_eq!(store.load_page(None, 10).await.unwrap().len(), 1);
    });
}

fn mentions(folder: &Path, text: &[u8]) -> bool {
    std::fs::read_dir(folder).unwrap().flatten().any(|entry| match entry.path() {
        path if path.is_dir() => mentions(&path, text),
        path => std::fs::read(path).unwrap().windows(text.len()).any(|window| window == text),
    })
}

#[test]
fn a_store_from_the_future_is_left_alone() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let location = Location::Disk(StoreHome::new(folder.path()));
        let store = SurrealStore::open_user(&location, at()).await.unwrap();
        store.run_raw("CREATE migration:99 CONTENT { number: 99, name: 'later', digest: 'x', applied_at: d'2030-01-01T00:00:00Z' }").await.unwrap();
        store.close().await;
        let refused = SurrealStore::open_user(&location, at()).await.err().unwrap().to_string();
        assert!(refused.contains("newer engram (schema 99; this one knows 15)"), "{refused}");
    });
}

#[test]
fn no_path_writes_a_bad_row_or_skips_the_history() {
    run(async {
        let store = in_memory().await;
        let birth = Steps::default().remember("x", Scope::Project);
        let memory = newborn(&birth);
        store.commit(birth, Vec::new()).await.unwrap();
        for (bad, why) in [
            ("UPDATE memory SET kind = 'opinion'", "an unknown kind"),
            ("UPDATE memory SET importance = 1.5", "out of range"),
            ("UPDATE memory SET scope = 'user'", "another scope"),
            ("UPDATE memory SET content = ''", "no text"),
            ("UPDATE memory SET created_at = d'2000-01-01T00:00:00Z'", "rewriting the past"),
            ("UPDATE memory SET status = 'archived'", "a status without its own time and reason"),
            ("UPDATE memory SET status = 'sleepy', status_at = d'2030-01-01T00:00:00Z'", "an unknown status"),
            ("CREATE memory SET content = 'y'", "half a row"),
            ("UPDATE memory SET valid_until = d'1999-01-01T00:00:00Z'", "ends before it begins"),
        ] {
            assert!(store.run_raw(bad).await.is_err(), "accepted {why}");
        }
        store
            .run_raw("UPDATE memory SET status = 'archived', status_reason = 'by hand', status_at = d'2030-01-01T00:00:00Z'")
            .await
            .unwrap();
        let history = store.load_history(vec![memory.id]).await.unwrap().remove(0).1;
        assert_eq!(history.last().map(|step| step.change.reason.as_str()), Some("by hand"));
    });
}

#[test]
fn the_schema_knows_every_word_of_the_core() {
    run(async {
        let store = in_memory().await;
        let mut steps = Steps::default();
        for kind in Kind::ALL {
            for tier in Tier::ALL {
                let mut birth = steps.remember("x", Scope::Project);
                if let engram_core::Write::Create { memory } = &mut birth.writes[0] {
                    (memory.kind, memory.tier) = (*kind, *tier);
                }
                store.commit(birth, Vec::new()).await.unwrap();
            }
        }
        for status in Status::ALL {
            let mut birth = steps.remember("x", Scope::Project);
            if let engram_core::Write::Create { memory } = &mut birth.writes[0] {
                memory.status = *status;
            }
            store.commit(birth, Vec::new()).await.unwrap();
        }
        for (place, kind) in RelationKind::ALL.iter().enumerate() {
            let ids: Vec<MemoryId> =
                store.load_page(None, 2).await.unwrap().iter().map(|memory| memory.id).collect();
            let mut edge = steps.remember(&format!("edge {place}"), Scope::Project);
            edge.writes =
                vec![engram_core::Write::Relate { relation: Relation::certain(ids[0], *kind, ids[1], at()) }];
            store.commit(edge, Vec::new()).await.unwrap();
        }
        check_words_of_evolution(&store, &mut steps).await;
    });
}

async fn check_words_of_evolution(store: &SurrealStore, steps: &mut Steps) {
    let id = store.load_page(None, 1).await.unwrap()[0].id;
    let recalls = Surface::ALL.iter().map(|via| {
        let text = format!(
            r#"{{"id": "{}", "via": "{via}", "query": "q", "query_type": "general", "intent": "general",
                "strategy": "hybrid", "results_returned": 0, "results_used": 0, "latency_ms": 1.0,
                "scopes": ["user"], "shown": [], "confidence": 0.5, "at": "{}"}}"#,
            RecallId::of(at(), None, via.as_str()),
            at()
        );
        serde_json::from_str::<RecallLogged>(&text).unwrap()
    });
    store.log_recalls(recalls.collect()).await.unwrap();
    assert_eq!(store.latest_recalls(99).await.unwrap().len(), Surface::ALL.len());
    let told = Usage::told(id, Outcome::Success, at());
    let usages = EvidenceSource::ALL.iter().map(|source| Usage { source: *source, ..told.clone() });
    store.record_evidence(usages.collect(), Vec::new()).await.unwrap();
    assert_eq!(store.usage_of(id).await.unwrap().len(), EvidenceSource::ALL.len());

    let mut writes = Vec::new();
    for subject in Subject::ALL {
        for query_type in QueryType::ALL {
            let whole = [("words".to_owned(), Share::clamped(1.0))];
            let learned = Learned {
                key: LearnedKey { subject: *subject, query_type: Some(*query_type), with_model: false },
                shares: Shares::new(whole.into()).unwrap(),
                votes: 0,
                updates: 0,
                still: 0,
                reason: "x".to_owned(),
                updated_at: at(),
            };
            writes.push(Write::Learn { before: None, after: Some(Box::new(learned)) });
        }
    }
    let operation = steps.occasion().operation;
    let mut notes = Vec::new();
    for (number, action) in (0..).zip(Evolving::ALL) {
        let (action, actor, reason) = (*action, Actor::Human, "x".to_owned());
        let (node, made, at) = (id, None, at());
        notes.push(Note::Evolved(EvolutionLogged {
            operation,
            number,
            action,
            node,
            made,
            reason,
            actor,
            at,
        }));
    }
    for insight in InsightType::ALL {
        notes.push(Note::Insight(Insight {
            id: insight.to_string(),
            insight: *insight,
            subject: "x".to_owned(),
            description: "x".to_owned(),
            evidence: Vec::new(),
            action_taken: None,
            proposal: None,
            created_at: at(),
            last_seen_at: at(),
            closed_at: None,
        }));
    }
    for trigger in DreamTrigger::ALL {
        notes.push(Note::Dream(Dream {
            id: steps.occasion().operation,
            trigger: *trigger,
            depth: None,
            at: at(),
            steps: Vec::new(),
            finished_at: None,
        }));
    }
    writes.extend(notes.into_iter().map(|note| Write::Note { note: Box::new(note) }));
    let changes = Changes { cause: Cause::Learn, writes, ..steps.remember("x", Scope::Project) };
    store.commit(changes, Vec::new()).await.unwrap();
    assert_eq!(store.load_learned().await.unwrap().len(), Subject::ALL.len() * QueryType::ALL.len());
    assert_eq!(store.load_insights().await.unwrap().len(), InsightType::ALL.len());
}

#[test]
fn rows_that_are_older_than_their_fields_can_be_read() {
    run(async {
        let store = in_memory().await;
        let memory = "01ARZ3NDEKTSV4RRFFQ69G5FAW";
        let old = format!(
            "CREATE type::record('retrieval_log', rand::ulid(d'2026-02-03T04:05:06Z')) CONTENT {{
                query: 'q', query_type: 'general', intent: 'general', strategy: 'hybrid',
                results_returned: 1, results_used: 0, latency_ms: 1f, scope: ['project'],
                shown: ['{memory}'], confidence: 0.5f, at: d'2026-02-03T04:05:06Z' }};
            CREATE usage_record:['{memory}', d'2026-02-03T04:05:06Z'] CONTENT {{
                memory: '{memory}', outcome: 'success', at: d'2026-02-03T04:05:06Z' }};"
        );
        store.run_raw(&old).await.unwrap();
        let recall = store.latest_recalls(9).await.unwrap().remove(0);
        assert_eq!((recall.via, recall.settled_at), (Surface::Search, None));
        assert_eq!(store.find_recall(recall.id).await.unwrap().as_ref(), Some(&recall));
        let usage = store.usage_of(memory.parse().unwrap()).await.unwrap().remove(0);
        assert_eq!((usage.source, usage.recall), (EvidenceSource::Told, None));
        let later = Usage { source: EvidenceSource::Check, ..usage.clone() };
        store.record_evidence(vec![later.clone()], Vec::new()).await.unwrap();
        assert_eq!(store.usage_of(usage.memory).await.unwrap(), [usage, later]);
        check_old_lines(&store).await;
    });
}

/// Lines of the outbox that are older than their places come first, by their time,
/// and stay so.
async fn check_old_lines(store: &SurrealStore) {
    let mut steps = Steps::default();
    let mut lines = Vec::new();
    for second in [3, 2, 1] {
        let (intent, operation) = (Intent::Sight { prints: Vec::new() }, steps.occasion().operation);
        let queued_at = at() + Span::from_secs(second);
        lines.push(Outgoing { operation, intent, queued_at, tries: 0, problem: None, refused_at: None });
    }
    let queue = async |steps: &mut Steps, line: &Outgoing| {
        let writes = vec![engram_core::Write::Queue { outgoing: Box::new(line.clone()) }];
        let changes = Changes { cause: Cause::Sync, writes, ..steps.remember("x", Scope::Project) };
        store.commit(changes, Vec::new()).await.unwrap();
    };
    for line in &lines {
        queue(&mut steps, line).await;
    }
    for old in &lines[..2] {
        store.run_raw(&format!("UPDATE outbox:{} SET number = NONE", old.operation)).await.unwrap();
    }
    let [new, second, first] = [lines[2].clone(), lines[0].clone(), lines[1].clone()];
    let tried = Outgoing { tries: 1, ..first };
    queue(&mut steps, &tried).await;
    assert_eq!(store.outgoing(9).await.unwrap(), [tried, second, new]);
}

#[test]
fn changes_can_be_followed() {
    run(async {
        let mut steps = Steps::default();
        let url = Location::Url { url: "mem://".into(), access: None };
        let feed = "SHOW CHANGES FOR TABLE memory SINCE 0";
        let user = SurrealStore::open_user(&url, at()).await.unwrap();
        user.commit(steps.remember("followed", Scope::User), Vec::new()).await.unwrap();
        assert!(user.run_raw(feed).await.unwrap().contains("followed"));
        let project = SurrealStore::open_project(&url, &KEY.parse().unwrap(), at()).await.unwrap();
        project.commit(steps.remember("followed", Scope::Project), Vec::new()).await.unwrap();
        assert!(project.run_raw(feed).await.unwrap().contains("followed"));
    });
}

#[test]
fn the_registries_count_what_they_are_told() {
    run(async {
        let url = Location::Url { url: "mem://".into(), access: None };
        let user = SurrealStore::open_user(&url, at()).await.unwrap();
        let seen = ProjectSeen {
            key: KEY.parse().unwrap(),
            path: "/home/someone/shop".into(),
            name: "shop".into(),
            git_remote: Some("ssh://example.org/shop".into()),
        };
        for _ in 0..2 {
            user.register_project(&seen, at()).await.unwrap();
            user.count_session(&seen.key, at()).await.unwrap();
        }
        let projects = user.list_projects().await.unwrap();
        assert_eq!(projects.len(), 1);
        assert_eq!((&projects[0].key, &projects[0].path), (&seen.key, &seen.path));
        let profile = user.run_raw("SELECT total_sessions, total_projects FROM user_profile").await.unwrap();
        assert!(profile.contains("Int(2)") && profile.contains("Int(1)"), "{profile}");
        let profiles = user.list_profiles().await.unwrap();
        let names: Vec<&str> = profiles.iter().map(|profile| profile.name.as_str()).collect();
        assert_eq!(names, ["architecture", "codebase", "debugging", "default", "new_project", "preferences"]);
        assert_eq!(profiles[3].weights, engram_core::rank::ScopeWeights::DEFAULT);

        let project = SurrealStore::open_project(&url, &KEY.parse().unwrap(), at()).await.unwrap();
        project.note_project(&seen).await.unwrap();
        let id = "01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap();
        assert!(project.register_session(id, at()).await.unwrap());
        assert_eq!(project.list_sessions().await.unwrap()[0].status, SessionStatus::Active);
        let summary = Some("asked: where the key is".to_owned());
        project.close_session(id, SessionStatus::Completed, summary.clone(), at()).await.unwrap();
        let entry = &project.list_sessions().await.unwrap()[0];
        assert_eq!((entry.status, entry.ended_at), (SessionStatus::Completed, Some(at())));
        assert_eq!(entry.summary, summary);
        // It goes on, and is counted once.
        assert!(!project.register_session(id, at()).await.unwrap());
        assert_eq!(project.list_sessions().await.unwrap()[0].status, SessionStatus::Active);
    });
}

#[test]
fn a_lost_pointer_costs_nothing() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let home = StoreHome::new(folder.path().join("engram"));
        let location = Location::Disk(home.clone());
        let mut steps = Steps::default();
        let store = SurrealStore::open_user(&location, at()).await.unwrap();
        store.commit(steps.remember("precious", Scope::User), Vec::new()).await.unwrap();
        store.close().await;
        for damage in ["", "db-77", "nonsense"] {
            std::fs::write(home.folder().join("current"), damage).unwrap();
            assert!(home.exists());
            let store = SurrealStore::open_user(&location, at()).await.unwrap();
            assert_eq!(store.load_page(None, 10).await.unwrap().len(), 1, "{damage}");
            store.close().await;
        }
        std::fs::remove_file(home.folder().join("current")).unwrap();
        let store = SurrealStore::open_user(&location, at()).await.unwrap();
        assert_eq!(store.load_page(None, 10).await.unwrap().len(), 1);
    });
}

#[test]
fn a_dump_from_the_future_changes_nothing() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let home = StoreHome::new(folder.path().join("engram"));
        let location = Location::Disk(home.clone());
        let mut steps = Steps::default();
        let store = SurrealStore::open_user(&location, at()).await.unwrap();
        store.commit(steps.remember("precious", Scope::User), Vec::new()).await.unwrap();
        let dump = folder.path().join("dump.surql");
        let later = "CREATE migration:99 CONTENT { number: 99, name: 'later', digest: 'x', \
                     applied_at: d'2030-01-01T00:00:00Z' }";
        store.run_raw(later).await.unwrap();
        store.dump(&dump).await.unwrap();
        store.run_raw("DELETE migration:99").await.unwrap();
        store.close().await;
        let refused = home.replace(Scope::User, "default", &dump, at()).await;
        assert!(matches!(refused, Err(OpenError::FromTheFuture { found: 99, .. })), "{refused:?}");
        let store = SurrealStore::open_user(&location, at()).await.unwrap();
        assert_eq!(store.load_page(None, 10).await.unwrap().len(), 1);
    });
}
