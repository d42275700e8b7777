//! Embedders as a person meets them: a server elsewhere that comes and goes, a
//! model that is not there, weights by request, and what was asked.

mod common;

use common::server::{Reply, Server};
use common::{Ground, recall_order};
use engram_core::Scope;
use engram_wire::message::{Narrow, Recall};
use engram_wire::reply::{Gap, Health, Recalled, Recalls, Reindexed, Stats, Verdict};
use engram_wire::{FaultKind, Order};
use serde_json::{Value, json};
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::net::TcpListener;
use std::thread;
use std::time::Duration;

const DIMENSIONS: usize = 128;
/// Words that mean the same to the server.
const SAME: [(&str, &str); 3] = [("zorbling", "deploy"), ("frumious", "friday"), ("vorpal", "database")];

/// A server that speaks OpenAI's embeddings: a text points where its words do.
fn embeddings() -> Server {
    Server::start(|body| {
        let input = body["input"].as_array().cloned().unwrap_or_default();
        let data: Vec<Value> = (0..)
            .zip(&input)
            .map(|(index, text)| json!({"index": index, "embedding": direction(text.as_str().unwrap_or(""))}))
            .collect();
        Reply::Says(json!({ "data": data }).to_string())
    })
}

/// So many texts it was shown.
fn texts(server: &Server) -> usize {
    server.heard().iter().filter_map(|heard| heard.body["input"].as_array()).map(Vec::len).sum()
}

fn direction(text: &str) -> Vec<f64> {
    let mut vector = vec![0.0; DIMENSIONS];
    for word in text.to_lowercase().split(|mark: char| !mark.is_alphanumeric()) {
        let word = SAME.iter().find(|(strange, _)| *strange == word).map_or(word, |(_, plain)| *plain);
        let mut hasher = DefaultHasher::new();
        word.hash(&mut hasher);
        if word.len() > 3 {
            vector[hasher.finish() as usize % DIMENSIONS] += 1.0;
        }
    }
    // Never nowhere.
    vector[0] += 0.01;
    vector
}

fn endpoint(server: &Server) -> String {
    format!(
        "[embedder]\nname = \"endpoint\"\nurl = \"{}\"\nmodel = \"tiny\"\nkey = \"hush-hush\"\n",
        server.address
    )
}

/// Waits for the daemon's own rounds to make all vectors.
fn wait_until_filled(ground: &Ground, embedder: &str) {
    let place = ground.at(&ground.folder("shop"));
    for _ in 0..400 {
        let stats: Stats = place.ask(Order::Stats);
        let full = stats.scopes.iter().filter_map(|scope| scope.vectors.as_ref()).all(|vectors| {
            assert!(vectors.embedder.contains(embedder), "{vectors:?}");
            vectors.made == vectors.total
        });
        if full {
            return;
        }
        thread::sleep(Duration::from_millis(25));
    }
    panic!("the vectors were not made");
}

#[test]
fn an_endpoint_finds_what_means_the_same_and_is_done_without_when_it_is_gone() {
    let mut server = embeddings();
    let ground = Ground::new();
    ground.configure(&endpoint(&server));
    let place = ground.at(&ground.folder("shop"));
    place.remember("we deploy every friday after lunch", None);
    place.remember("the database password rotates monthly", None);
    place.remember("my sister plays the violin", Some(Scope::User));
    wait_until_filled(&ground, "openai:tiny@127.0.0.1");
    assert_eq!(texts(&server), 3);
    // Words that only the server understands.
    let recalled: Recalled = place.ask(recall_order("zorbling frumious"));
    assert_eq!(recalled.hits[0].memory.content, "we deploy every friday after lunch");
    assert_eq!(recalled.gaps, []);
    assert!(server.heard()[0].head.to_lowercase().contains("authorization: bearer hush-hush"));

    server.end();
    let recalled: Recalled = place.ask(recall_order("which day do we deploy"));
    assert_eq!(recalled.hits[0].memory.content, "we deploy every friday after lunch");
    assert!(
        matches!(&recalled.gaps[..], [Gap::NoModel { problem }] if problem.contains("cannot be reached"))
    );
    // A write does not wait for it either, and the problem is told.
    place.remember("the cat sleeps on the router", None);
    assert_eq!(place.recall("where does the cat sleep")[0], "the cat sleeps on the router");
    let fault = place.fault(Order::Reindex { all_projects: false, again: false });
    assert!(fault.message.contains("cannot be reached"), "{fault:?}");
    let health: Health = place.ask(Order::Status);
    assert!(health.without_model.is_some_and(|problem| problem.contains("cannot be reached")));
    assert!(health.vectors.iter().any(|store| store.vectors.made + 1 == store.vectors.total));
    assert!(!fs::read_to_string(ground.reach.home.log_file()).unwrap().contains("hush-hush"));
}

#[test]
fn a_reindex_goes_on_where_it_was_and_makes_anew_only_on_request() {
    let server = embeddings();
    let ground = Ground::new();
    let (shop, other) = (ground.folder("shop"), ground.folder("other"));
    ground.at(&other).remember("elsewhere it rains", None);
    let place = ground.at(&shop);
    for number in 0..100 {
        place.remember(&format!("fact {number} is about number{number}"), None);
    }
    ground.stop();
    ground.configure(&endpoint(&server));
    let done: Reindexed = place.ask(Order::Reindex { all_projects: false, again: false });
    assert_eq!(
        done.stores.iter().map(|store| store.scope).collect::<Vec<_>>(),
        [Scope::Project, Scope::User]
    );
    assert!(done.stores[0].embedder.starts_with("openai:tiny@127.0.0.1:"), "{done:?}");
    assert_eq!(done.stores[0].total, 100);
    assert_eq!(texts(&server), 100);
    let nothing: Reindexed = place.ask(Order::Reindex { all_projects: false, again: false });
    assert_eq!(nothing.stores[0].made, 0);
    let all: Reindexed = place.ask(Order::Reindex { all_projects: true, again: false });
    assert_eq!((all.stores.len(), all.stores[2].total, texts(&server)), (3, 1, 101));
    let again: Reindexed = place.ask(Order::Reindex { all_projects: false, again: true });
    assert_eq!((again.stores[0].made, texts(&server)), (100, 201));

    // Back to the table: what the endpoint made goes, and nothing is sent.
    ground.stop();
    ground.configure("");
    let table: Reindexed = place.ask(Order::Reindex { all_projects: false, again: false });
    assert_eq!((table.stores[0].made, table.stores[0].total), (0, 100));
    ground.stop();
    ground.configure(&endpoint(&server));
    let anew: Reindexed = place.ask(Order::Reindex { all_projects: false, again: false });
    assert_eq!((anew.stores[0].total, texts(&server)), (100, 301), "the vectors had been let go");
    ground.stop();
    ground.configure("embedder.name = \"none\"");
    assert_eq!(place.fault(Order::Reindex { all_projects: false, again: false }).kind, FaultKind::Refused);
}

#[test]
fn a_model_that_is_not_there_is_said_and_done_without() {
    let ground = Ground::new();
    ground.configure("embedder.name = \"e5-small-v2\"");
    let place = ground.at(&ground.folder("shop"));
    place.remember("the build breaks when the cache is cold", None);
    let recalled: Recalled = place.ask(recall_order("why does compilation fail the first time"));
    assert_eq!(recalled.hits.len(), 1);
    let told = "engram model install e5-small-v2";
    assert!(
        matches!(&recalled.gaps[..], [Gap::NoModel { problem }] if problem.contains(told)),
        "{recalled:?}"
    );
    let health: Health = place.ask(Order::Status);
    assert_eq!(health.embedder, "e5-small-v2");
    assert!(health.without_model.unwrap().contains(told));
    let examined = place.doctor();
    let check = examined.checks.iter().find(|check| check.what == "embedder").unwrap();
    assert!(check.verdict == Verdict::Broken && check.detail.contains(told), "{check:?}");
    ground.stop();
    ground.configure("embedder.name = \"word2vec\"");
    assert!(place.fault(Order::Stats).message.contains("word2vec"));
}

#[test]
fn a_project_can_weigh_signals_and_cannot_choose_where_texts_go() {
    let ground = Ground::new();
    let shop = ground.folder("shop");
    let place = ground.at(&shop);
    place.remember("the build breaks when the cache is cold", None);
    let file = shop.join(".claude/engram/config.toml");
    fs::write(&file, "[weights]\nwords = 0\ntable = 1\n").unwrap();
    let recalled: Recalled = place.ask(recall_order("build cache"));
    let weights: Vec<f64> = recalled.hits[0].why.factors.iter().map(|factor| factor.weight).collect();
    assert_eq!(weights, [1.0], "{:?}", recalled.hits[0].why);
    fs::write(&file, "[embedder]\nurl = \"http://collect.example\"\n").unwrap();
    let fault = place.fault(recall_order("build cache"));
    assert_eq!(fault.kind, FaultKind::Refused);
    assert!(fault.message.contains("config.toml: a project may not set embedder.url"), "{fault:?}");
}

#[test]
fn what_was_asked_is_told_where_it_was_asked() {
    let ground = Ground::new();
    let (shop, bank) = (ground.folder("shop"), ground.folder("bank"));
    let (shop, bank) = (ground.at(&shop), ground.at(&bank));
    let key = shop.remember("the staging key is in vault", None);
    bank.remember("the ledger closes at noon", None);
    shop.recall("where is the staging key");
    shop.recall("who sings at the opera");
    bank.recall("secret merger plans");
    // What was searched does not decide who may see what was asked.
    let narrow = Narrow { scopes: vec![Scope::User], ..Narrow::default() };
    bank.ask::<Recalled>(Order::Recall(Recall { query: "our price".into(), narrow, ..Recall::default() }));
    let log: Recalls = shop.ask(Order::Recalls { limit: 10, before: None });
    let asked: Vec<&str> = log.recalls.iter().map(|line| line.recall.query.as_str()).collect();
    assert_eq!(asked, ["who sings at the opera", "where is the staging key"]);
    assert_eq!((log.recalls[1].scope, &log.recalls[1].recall.shown[..]), (Scope::Project, &[key.id][..]));
    let log: Recalls = bank.ask(Order::Recalls { limit: 10, before: None });
    let asked: Vec<&str> = log.recalls.iter().map(|line| line.recall.query.as_str()).collect();
    assert_eq!(asked, ["our price", "secret merger plans"]);
}

#[test]
fn what_asks_for_nothing_is_told_nothing() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("shop"));
    place.remember("we deploy every friday with make deploy", None);
    place.remember("next we should explain the list of names in more detail", None);
    let told = |query: &str| {
        let order = Recall { query: query.to_owned(), context: Some(400), ..Recall::default() };
        place.ask::<Recalled>(Order::Recall(order)).context.unwrap().told.len()
    };
    assert_eq!(told("when do we deploy"), 1);
    for empty in ["what should we do next", "tell me more about it", "can you do that", "%_*?"] {
        assert_eq!(told(empty), 0, "{empty}");
    }
}

#[test]
fn a_server_that_says_nothing_keeps_nobody_waiting() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    // It ends with the test's process.
    thread::spawn(move || listener.incoming().collect::<Vec<_>>());
    let ground = Ground::new();
    let silent = format!("[embedder]\nname = \"endpoint\"\nurl = \"{address}\"\nmodel = \"tiny\"\n");
    ground.configure(&silent);
    let place = ground.at(&ground.folder("shop"));
    let secret = place.remember("xyzzy is the word", None);
    place.remember("we deploy every friday", None);
    // The daemon waits for the server now, and would for a minute.
    thread::sleep(Duration::from_secs(1));
    let begun = common::now();
    place.forget(&secret, true);
    assert_eq!(place.recall("when do we deploy"), ["we deploy every friday"]);
    assert!(common::now().duration_since(begun).as_secs() < 30);
}
