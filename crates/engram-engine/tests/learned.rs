//! What the use of a store taught is at hand, and an answer carries what it can
//! be ranked again with.

use engram_core::ask::{Intent, QueryType};
use engram_core::learn::{ArmWeights, Learned, LearnedKey, Shares, Subject};
use engram_core::rank::Weights;
use engram_core::recalled::{RecallLogged, RecallSettled, Strategy, Surface};
use engram_core::{Cause, Changes, Confidence, MemoryId, RecallId, Scope, Share, Timestamp, Write};
use engram_engine::{Answer, Ask, Embedders, Shelf, recall};
use engram_maps::MapStore;
use engram_testkit::make::{Steps, newborn};
use jiff::Zoned;
use jiff::tz::TimeZone;
use std::sync::Arc;

async fn open(store: &Arc<MapStore>) -> Arc<Shelf> {
    Arc::new(Shelf::open(store.clone(), Scope::Project, Embedders::default()).await.unwrap())
}

async fn remember(shelf: &Shelf, steps: &mut Steps, text: &str) -> MemoryId {
    let birth = steps.remember(text, Scope::Project);
    let id = newborn(&birth).id;
    shelf.change(&[], |_| Ok(birth)).await.unwrap();
    id
}

fn row(query_type: QueryType, words: f64) -> Learned {
    let shares = [("words", words), ("table", 1.0 - words)];
    Learned {
        key: LearnedKey { subject: Subject::Arms, query_type: Some(query_type), with_model: false },
        shares: Shares::new(shares.map(|(word, share)| (word.to_owned(), Share::clamped(share))).into())
            .unwrap(),
        votes: 9,
        updates: 1,
        still: 0,
        reason: "nine votes".to_owned(),
        updated_at: Timestamp::UNIX_EPOCH,
    }
}

async fn learn(shelf: &Shelf, steps: &mut Steps, before: Option<Learned>, after: Option<Learned>) -> Changes {
    let (before, after) = (before.map(Box::new), after.map(Box::new));
    let changes = Changes {
        cause: Cause::Learn,
        writes: vec![Write::Learn { before, after }],
        ..steps.remember("x", Scope::Project)
    };
    shelf.change(&[], |_| Ok(changes.clone())).await.unwrap();
    changes
}

#[tokio::test]
async fn what_was_learned_is_at_hand_after_a_change_an_undo_and_a_new_start() {
    let (store, mut steps) = (Arc::new(MapStore::default()), Steps::default());
    let shelf = open(&store).await;
    assert_eq!(shelf.learned(), []);
    let (how_to, general) = (row(QueryType::HowTo, 0.6), row(QueryType::General, 0.7));
    learn(&shelf, &mut steps, None, Some(general.clone())).await;
    learn(&shelf, &mut steps, None, Some(how_to.clone())).await;
    let both = [how_to.clone(), general.clone()];
    assert_eq!(shelf.learned(), both);
    let moved = row(QueryType::HowTo, 0.65);
    learn(&shelf, &mut steps, Some(how_to.clone()), Some(moved.clone())).await;
    assert_eq!(shelf.learned(), [moved.clone(), general.clone()]);
    let reset = learn(&shelf, &mut steps, Some(moved.clone()), None).await;
    assert_eq!(shelf.learned(), std::slice::from_ref(&general));
    shelf.undo(reset.operation, steps.occasion()).await.unwrap();
    let after = [moved, general];
    assert_eq!(shelf.learned(), after);
    shelf.rebuild_index().await.unwrap();
    assert_eq!(shelf.learned(), after);
    assert_eq!(open(&store).await.learned(), after);
}

async fn ask(shelf: &Arc<Shelf>, weights: Weights, at: Timestamp) -> Answer {
    let ask = Ask { weights, limit: 3, ..Ask::about("kiwi deploy") };
    recall(std::slice::from_ref(shelf), &ask, &Zoned::new(at, TimeZone::UTC)).await.unwrap()
}

#[tokio::test]
async fn an_answer_carries_the_first_of_its_ranking_with_what_each_arm_said() {
    let (store, mut steps) = (Arc::new(MapStore::default()), Steps::default());
    let shelf = open(&store).await;
    for number in 0..30 {
        remember(&shelf, &mut steps, &format!("the kiwi deploy of service number {number}")).await;
    }
    let answer = ask(&shelf, Weights::default(), steps.occasion().at).await;
    assert_eq!((answer.found.len(), answer.pool.len(), answer.with_model), (3, 12, false));
    let weights = ArmWeights::of(&Weights::default(), false);
    for (found, pooled) in answer.found.iter().zip(&answer.pool) {
        assert_eq!(found.memory.id, pooled.memory);
        assert!((found.why.score - pooled.score(&weights)).abs() < 1e-6, "{found:?} {pooled:?}");
    }
    let many = Ask { limit: 10, ..Ask::about("kiwi deploy") };
    let at = Zoned::new(steps.occasion().at, TimeZone::UTC);
    let answer = recall(std::slice::from_ref(&shelf), &many, &at).await.unwrap();
    assert_eq!((answer.found.len(), answer.pool.len()), (10, 20));
}

fn recalled(number: i64, used: &[MemoryId], at: Timestamp) -> RecallLogged {
    RecallLogged {
        id: RecallId::of(at, None, &number.to_string()),
        via: Surface::Prompt,
        query: number.to_string(),
        query_type: QueryType::General,
        intent: Intent::General,
        strategy: Strategy::Keyword,
        results_returned: used.len() as u32,
        results_used: used.len() as u32,
        user_feedback: None,
        latency_ms: 1.0,
        scopes: vec![Scope::Project],
        with_model: false,
        shown: used.to_vec(),
        pool: Vec::new(),
        used: used.to_vec(),
        settled_at: Some(at),
        confidence: Confidence::clamped(0.5),
        session: None,
        at,
    }
}

#[tokio::test]
async fn what_was_taken_up_three_times_beside_one_of_the_first_rises() {
    let (store, mut steps) = (Arc::new(MapStore::default()), Steps::default());
    let shelf = open(&store).await;
    let first = remember(&shelf, &mut steps, "kiwi deploy").await;
    for number in 0..8 {
        remember(&shelf, &mut steps, &format!("the kiwi deploy of service {number}")).await;
    }
    let partner =
        remember(&shelf, &mut steps, "a kiwi is green inside and was never meant to be round").await;
    let at = steps.occasion().at;
    let weights = Weights { together: 0.9, ..Weights::default() };
    let place = |answer: &Answer| answer.pool.iter().position(|pooled| pooled.memory == partner).unwrap();
    for number in 0..2 {
        shelf.note_recall(recalled(number, &[first, partner], at));
    }
    shelf.flush_notes().await.unwrap();
    let low = place(&ask(&shelf, weights, at).await);
    assert_eq!(low, 9, "twice is not often");
    let third = RecallSettled { recall: RecallId::of(at, None, "third"), used: vec![partner, first], at };
    shelf.settle_recalls(vec![third.clone(), third]).await.unwrap();
    let answer = ask(&shelf, weights, at).await;
    assert!(place(&answer) < low, "{:?}", answer.pool);
    assert_eq!(place(&ask(&shelf, Weights::default(), at).await), low, "only where it counts");
    // Judged again, only one of the two was used the third time.
    let alone = RecallSettled { recall: RecallId::of(at, None, "third"), used: vec![first], at };
    shelf.settle_recalls(vec![alone]).await.unwrap();
    assert_eq!(place(&ask(&shelf, weights, at).await), low);
    shelf.note_recall(recalled(2, &[first, partner], at));
    shelf.flush_notes().await.unwrap();
    let reopened = open(&store).await;
    assert!(place(&ask(&reopened, weights, at).await) < low, "and it is known after a new start");
}
