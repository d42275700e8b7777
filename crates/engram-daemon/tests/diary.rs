//! What is told of the whole: days, pages of the log, projects, stores and
//! settings; and that what is said about a memory can be set right.

mod common;

use common::Ground;
use engram_core::days::Happened;
use engram_core::{Kind, Scope, Status};
use engram_wire::Order;
use engram_wire::message::{Edit, GraphWhole, ImportLine, List};
use engram_wire::reply::{Changed, Health, Listed, Operations};
use engram_wire::window::{self, DayLine, Days, Projects, SettingsListed, Stores};
use serde_json::{Value, json};

fn lines(days: Days) -> Vec<DayLine> {
    days.days.into_iter().flat_map(|day| day.sessions).flat_map(|session| session.lines).collect()
}

#[test]
fn a_day_tells_what_was_learned_corrected_edited_and_forgotten_and_nothing_of_another_project() {
    let ground = Ground::new();
    let (blue, red) = (ground.folder("blue"), ground.folder("red"));
    let (blue, red) = (ground.at(&blue), ground.at(&red));
    red.remember("the red deploy is on mondays", Some(Scope::Project));
    let old = blue.remember("the blue deploy is on fridays", Some(Scope::Project));
    let text = "the blue deploy is on thursdays".to_owned();
    let corrected: Changed =
        blue.ask(Order::Correct { operation: ground.operation(), memory: old.id.to_string(), text });
    let new = corrected.memories.iter().find(|memory| memory.status == Status::Created).unwrap().clone();
    let edit = Edit {
        operation: ground.operation(),
        memory: new.id.to_string(),
        kind: Some(Kind::Decision),
        tags: Some(vec!["release".into()]),
        domain: None,
        summary: Some("thursdays".into()),
    };
    let edited: Changed = blue.ask(Order::Edit(edit.clone()));
    assert_eq!((edited.memories[0].kind, edited.memories[0].headline()), (Kind::Decision, "thursdays"));
    assert!(
        blue.fault(Order::Edit(Edit { operation: ground.operation(), ..edit })).message.contains("already")
    );
    blue.forget(&new, false);
    let told: Vec<(Happened, String)> = lines(blue.ask(Order::Days { before: None, limit: 100 }))
        .into_iter()
        .map(|line| (line.happened, line.text))
        .collect();
    let expected = [
        (Happened::Forgotten, "thursdays"),
        (Happened::Changed, "thursdays"),
        (Happened::Corrected, "thursdays"),
        (Happened::Learned, "the blue deploy is on fridays"),
    ];
    assert_eq!(told, expected.map(|(happened, text)| (happened, text.to_owned())));

    // Page by page it is the same.
    let mut read = Vec::new();
    let mut before = None;
    loop {
        let days: Days = blue.ask(Order::Days { before, limit: 1 });
        before = days.next;
        read.extend(lines(days).into_iter().map(|line| (line.happened, line.text)));
        if before.is_none() {
            break;
        }
    }
    assert_eq!(read, told);
    blue.fault(Order::Days { before: None, limit: 0 });

    // What was undone is told as undone, with its text.
    let lost = blue.remember("a slip of the tongue", Some(Scope::Project));
    blue.undo();
    let slips = lines(blue.ask(Order::Days { before: None, limit: 100 }));
    let of_it: Vec<(Happened, bool, &str)> = slips
        .iter()
        .filter(|line| line.memory == lost.id)
        .map(|line| (line.happened, line.undone, line.text.as_str()))
        .collect();
    let text = "a slip of the tongue";
    assert_eq!(of_it, [(Happened::Forgotten, false, text), (Happened::Learned, true, text)]);
}

#[test]
fn of_an_operation_with_many_memories_some_are_told_and_the_rest_is_counted() {
    let ground = Ground::new();
    let shop = ground.at(&ground.folder("shop"));
    let pattern = shop.remember("rack 0 has 40 units", Some(Scope::Project));
    let like_it = |number: usize| {
        let mut memory = serde_json::to_value(&pattern).unwrap();
        memory["id"] = json!(format!("01K{number:023}"));
        memory["content"] = json!(format!("rack {number} is number {} of its row", number * 7));
        ImportLine { number, text: memory.to_string() }
    };
    let lines = (1..=70).map(like_it).collect();
    shop.ask::<Value>(Order::Import { operation: ground.operation(), scope: None, lines });
    let days: Days = shop.ask(Order::Days { before: None, limit: 100 });
    let sessions: Vec<_> = days.days.iter().flat_map(|day| &day.sessions).collect();
    let rest: Vec<_> = sessions.iter().flat_map(|session| &session.rest).collect();
    let told: usize = sessions.iter().map(|session| session.lines.len()).sum();
    assert_eq!((told, rest.len()), (21, 1), "one was remembered: {days:?}");
    assert_eq!((rest[0].happened, rest[0].memories), (Happened::Learned, 50));
    assert_eq!(rest[0].operation, sessions[0].lines[0].operation);
}

#[test]
fn lists_and_logs_go_on_where_they_ended() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let shop = ground.at(&folder);
    for (place, scope) in [Scope::Project, Scope::User, Scope::Project, Scope::User].iter().enumerate() {
        shop.remember(&format!("port {place} belongs to service {place}"), Some(*scope));
    }
    let list = |limit: usize, before: Option<String>| -> Listed {
        let narrow = Default::default();
        shop.ask(Order::List(List {
            narrow,
            statuses: Vec::new(),
            limit: Some(limit),
            pinned: false,
            before,
        }))
    };
    let whole = list(100, None);
    assert_eq!((whole.memories.len(), whole.next.clone()), (4, None));
    let first = list(3, None);
    let rest = list(3, first.next.clone());
    assert_eq!((first.total, rest.total, rest.next.clone()), (4, 4, None));
    let ids = |listed: &Listed| listed.memories.iter().map(|memory| memory.id).collect::<Vec<_>>();
    assert_eq!([ids(&first), ids(&rest)].concat(), ids(&whole));
    let wrong = json!({"order": "list", "before": "yesterday"});
    let fault = shop.fault(serde_json::from_value(wrong).unwrap());
    assert!(fault.message.contains("is not where a list goes on"), "{}", fault.message);

    let log: Operations = shop.ask(Order::Operations { limit: 3, before: None });
    let older: Operations = shop.ask(Order::Operations { limit: 3, before: log.next });
    assert_eq!((log.operations.len(), older.operations.len(), older.next), (3, 1, None));
    assert!(log.operations.iter().all(|line| line.id > older.operations[0].id));
}

#[test]
fn projects_stores_settings_and_what_may_be_spent_are_told() {
    let ground = Ground::new();
    let folder = ground.folder("shop");
    let shop = ground.at(&folder);
    let kept = shop.remember("we use postgres for the orders service", Some(Scope::Project));
    let gone = shop.remember("the coffee machine is broken", Some(Scope::Project));
    shop.forget(&gone, false);

    let found: Projects = shop.ask(Order::Projects);
    let project = found.projects.iter().find(|project| project.path == folder).unwrap();
    assert_eq!((project.name.as_str(), project.memories), ("shop", Some(2)));
    assert!(project.there && project.open && project.bytes > 0);

    let stores: Stores = shop.ask(Order::Stores { days: 90 });
    let store = stores.stores.iter().find(|store| store.scope == Scope::Project).unwrap();
    assert_eq!((store.memories, store.by_status.get(&Status::Archived)), (2, Some(&1)));
    assert_eq!(store.tiers.iter().map(|tier| tier.memories).sum::<usize>(), 1, "what is in force");
    let grown: (usize, usize) =
        store.growth.iter().fold((0, 0), |sum, day| (sum.0 + day.learned, sum.1 + day.gone));
    assert_eq!((grown, store.oldest_at), ((2, 1), Some(kept.created_at)));
    assert!(shop.fault(Order::Stores { days: 367 }).message.contains("between 1 and 366"));

    let settings: SettingsListed = shop.ask(Order::Settings);
    let limit = settings.settings.iter().find(|line| line.key == "recall.limit").unwrap();
    assert!(limit.value == limit.default && limit.about.contains("How many memories") && !limit.personal);
    assert_eq!(settings.files.len(), 2);

    let whole: window::GraphWhole =
        shop.ask(Order::GraphWhole(GraphWhole { scope: None, kinds: Vec::new(), limit: 100 }));
    assert_eq!(whole.nodes.len(), whole.total);
    assert!(whole.edges.iter().all(|(from, to, ..)| (*from.max(to) as usize) < whole.nodes.len()));

    let health: Health = shop.ask(Order::Status);
    let next = health.next_dream.iter().find(|next| next.store.contains("shop")).unwrap();
    assert_eq!((next.after_sessions, next.due), (Some(1), false));
}
