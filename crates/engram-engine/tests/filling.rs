//! From one model to the next while somebody asks all the time.

use engram_core::port::{Embedder, Store as _};
use engram_core::{Changes, MemoryId, Scope, Timestamp};
use engram_engine::{Answer, Ask, ChangeError, Embedders, Filling, Shelf, recall};
use engram_maps::MapStore;
use engram_testkit::FakeEmbedder;
use engram_testkit::make::Steps;
use jiff::tz::TimeZone;
use std::collections::BTreeSet;
use std::sync::Arc;

const MANY: usize = 2_000;

fn embedder(id: &str) -> Arc<FakeEmbedder> {
    Arc::new(FakeEmbedder::new(id, 64, 1))
}

fn with(table: &Arc<FakeEmbedder>, models: &[&Arc<FakeEmbedder>]) -> Embedders {
    let models = models.iter().map(|model| Arc::clone(model) as Arc<dyn Embedder>);
    Embedders { table: Some(Arc::clone(table) as Arc<dyn Embedder>), models: models.collect() }
}

async fn open(store: &Arc<MapStore>, embedders: Embedders) -> Arc<Shelf> {
    Arc::new(Shelf::open(store.clone(), Scope::Project, embedders).await.unwrap())
}

/// A store with so many memories, each of which has a word of its own.
async fn stocked(embedders: Embedders, many: usize) -> (Arc<MapStore>, Arc<Shelf>) {
    let store = Arc::new(MapStore::default());
    let shelf = open(&store, embedders).await;
    let mut steps = Steps::default();
    let mut all: Changes = steps.remember(&text(0), Scope::Project);
    for number in 1..many {
        all.writes.extend(steps.remember(&text(number), Scope::Project).writes);
    }
    shelf.change(&[], |_| Ok(all)).await.unwrap();
    (store, shelf)
}

fn is_complete(filling: &Filling) -> bool {
    filling.done == filling.total
}

fn text(number: usize) -> String {
    format!("note{number} says that service{} runs on port {number}", number % 7)
}

async fn ask(shelf: &Arc<Shelf>, query: &str) -> Answer {
    let ask = Ask { limit: 3, ..Ask::about(query) };
    let at = Timestamp::from_second(1_900_000_000).unwrap().to_zoned(TimeZone::UTC);
    recall(std::slice::from_ref(shelf), &ask, &at).await.unwrap()
}

async fn stored(store: &MapStore) -> BTreeSet<(MemoryId, String)> {
    let mut all = BTreeSet::new();
    store.scan_vectors(&mut |vector| all.extend([(vector.memory, vector.embedder)])).await.unwrap();
    all
}

async fn stored_by(store: &MapStore, embedder: &str) -> usize {
    stored(store).await.iter().filter(|(_, by)| by == embedder).count()
}

#[tokio::test]
async fn the_old_model_serves_until_the_new_one_has_seen_every_text() {
    let (table, old, new) = (embedder("table"), embedder("old"), embedder("new"));
    let (store, shelf) = stocked(with(&table, &[&old]), MANY).await;
    shelf.fill_vectors(|_| {}).await.unwrap();
    assert_eq!(shelf.serving().as_deref(), Some("old"));

    let shelf = open(&store, with(&table, &[&new, &old])).await;
    assert_eq!(shelf.filling(), Some(Filling { embedder: "new".to_owned(), done: 0, total: MANY }));
    let filling = tokio::spawn({
        let shelf = shelf.clone();
        async move {
            while shelf.filling().is_some_and(|filling| filling.done < MANY / 2) {
                shelf.fill_step().await?;
            }
            Ok::<_, ChangeError>(())
        }
    });
    let mut asked = 0;
    while !filling.is_finished() {
        let number = asked * 37 % MANY;
        let answer = ask(&shelf, &text(number)).await;
        assert_eq!(answer.found[0].memory.content, text(number));
        assert!(answer.without_model.is_none());
        assert_eq!(shelf.serving().as_deref(), Some("old"));
        asked += 1;
        tokio::task::yield_now().await;
    }
    filling.await.unwrap().unwrap();
    assert!(asked > 5, "recall was asked {asked} times");

    // Cut short here, and opened again.
    drop(shelf);
    let shelf = open(&store, with(&table, &[&new, &old])).await;
    let begun = new.seen();
    assert_eq!((shelf.filling().unwrap().done, shelf.serving().as_deref()), (begun, Some("old")));
    let mut steps = 0;
    while let Some(filling) = shelf.fill_step().await.unwrap() {
        assert!(!ask(&shelf, "where does note5 run").await.found.is_empty());
        let serving = if is_complete(&filling) { "new" } else { "old" };
        assert_eq!(shelf.serving().as_deref(), Some(serving));
        steps += 1;
    }
    assert_eq!((new.seen(), steps), (MANY, (MANY - begun).div_ceil(64)), "no text was seen twice");
    assert_eq!(stored_by(&store, "old").await, 0);
    assert_eq!((stored_by(&store, "new").await, stored_by(&store, "table").await), (MANY, MANY));
    assert_eq!(shelf.fill_step().await.unwrap(), None);
}

#[tokio::test]
async fn what_nobody_chose_is_let_go_when_all_is_there() {
    let (table, gone, chosen) = (embedder("table"), embedder("gone"), embedder("chosen"));
    let (store, shelf) = stocked(with(&table, &[&gone]), 100).await;
    shelf.fill_vectors(|_| {}).await.unwrap();
    // It is not installed any more, and another one is chosen.
    let shelf = open(&store, with(&table, &[&chosen])).await;
    shelf.fill_step().await.unwrap();
    assert_eq!(stored_by(&store, "gone").await, 100);
    shelf.fill_vectors(|_| {}).await.unwrap();
    assert_eq!((stored_by(&store, "gone").await, stored_by(&store, "chosen").await), (0, 100));
    // The table alone.
    let shelf = open(&store, with(&table, &[])).await;
    shelf.fill_vectors(|_| {}).await.unwrap();
    assert_eq!((stored_by(&store, "chosen").await, stored_by(&store, "table").await), (0, 100));
    assert!(is_complete(&shelf.filling().unwrap()));
}

#[tokio::test]
async fn nothing_is_let_go_and_writes_go_on_while_a_model_is_out_of_order() {
    let (table, old, new) = (embedder("table"), embedder("old"), embedder("new"));
    let (store, shelf) = stocked(with(&table, &[&old]), 100).await;
    shelf.fill_vectors(|_| {}).await.unwrap();
    let shelf = open(&store, with(&table, &[&new, &old])).await;
    new.set_broken(true);
    for _ in 0..3 {
        assert!(matches!(shelf.fill_step().await, Err(ChangeError::Embed(_))));
    }
    let mut steps = Steps::default();
    steps.wait(engram_core::Span::from_hours(24));
    let late = steps.remember("zebras graze at dusk", Scope::Project);
    shelf.change(&[], |_| Ok(late)).await.unwrap();
    assert_eq!(shelf.filling().unwrap(), Filling { embedder: "new".to_owned(), done: 0, total: 101 });
    assert!(ask(&shelf, "zebras").await.found[0].memory.content.starts_with("zebras"));
    assert_eq!(stored_by(&store, "old").await, 100);
    new.set_broken(false);
    shelf.fill_vectors(|_| {}).await.unwrap();
    assert_eq!((stored_by(&store, "old").await, stored_by(&store, "new").await), (0, 101));
}

#[tokio::test]
async fn vectors_that_are_made_again_serve_until_they_are_replaced() {
    let (table, model) = (embedder("table"), embedder("model"));
    let (store, shelf) = stocked(with(&table, &[&model]), 200).await;
    shelf.fill_vectors(|_| {}).await.unwrap();
    let before = stored(&store).await;
    shelf.make_vectors_again().await;
    assert_eq!(shelf.filling().unwrap().done, 0);
    while shelf.fill_step().await.unwrap().is_some() {
        assert_eq!((stored(&store).await, shelf.serving().as_deref()), (before.clone(), Some("model")));
    }
    assert_eq!(model.seen(), 400);
}

#[tokio::test]
async fn a_model_whose_vectors_have_another_length_now_begins_anew() {
    let (table, short) = (embedder("table"), embedder("model"));
    let (store, shelf) = stocked(with(&table, &[&short]), 100).await;
    shelf.fill_vectors(|_| {}).await.unwrap();
    let long = Arc::new(FakeEmbedder::new("model", 96, 0));
    let shelf = open(&store, with(&table, &[&long])).await;
    shelf.make_vectors_again().await;
    shelf.fill_vectors(|_| {}).await.unwrap();
    let mut lengths = BTreeSet::new();
    store
        .scan_vectors(&mut |v| {
            if v.embedder == "model" {
                lengths.insert(v.packed.dimensions());
            }
        })
        .await
        .unwrap();
    assert_eq!((lengths, is_complete(&shelf.filling().unwrap())), (BTreeSet::from([96]), true));
    assert!(!ask(&shelf, "note7").await.found.is_empty());
}

#[tokio::test]
async fn one_text_that_a_model_cannot_bear_keeps_no_other_from_it() {
    let table = embedder("table");
    let model = Arc::new(FakeEmbedder::new("model", 64, 0).refusing("note150 "));
    let (store, shelf) = stocked(with(&table, &[&model]), 300).await;
    let mut failures = 0;
    while shelf.filling().unwrap().done < 299 {
        failures += usize::from(shelf.fill_step().await.is_err());
        assert!(failures < 20);
    }
    assert!(shelf.fill_step().await.is_err());
    assert_eq!(stored_by(&store, "model").await, 299);
}
