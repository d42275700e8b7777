//! What use spreads to, and what an undo without a name takes back.

use engram_core::ask::QueryType;
use engram_core::learn::{Learned, LearnedKey, Shares, Subject};
use engram_core::{
    Actor, Cause, Changes, MemoryId, Relation, RelationKind, Scope, Share, Span, Stability, Timestamp, Write,
};
use engram_engine::{Embedders, Shelf};
use engram_maps::MapStore;
use engram_testkit::make::{Steps, newborn};
use std::sync::Arc;

async fn shelf() -> Shelf {
    Shelf::open(Arc::new(MapStore::default()), Scope::Project, Embedders::default()).await.unwrap()
}

async fn commit(shelf: &Shelf, changes: Changes) {
    shelf.change(&[], |_| Ok(changes)).await.unwrap();
}

#[tokio::test]
async fn use_does_not_spread_to_what_went_into_another_or_into_a_skill() {
    for kind in RelationKind::ALL {
        let (shelf, mut steps) = (shelf().await, Steps::default());
        let births = [(); 2].map(|()| steps.remember("the deploy needs the VPN", Scope::Project));
        let [one, other] = births.each_ref().map(|birth| newborn(birth).id);
        for birth in births {
            commit(&shelf, birth).await;
        }
        let at = steps.occasion().at;
        let tie = Write::Relate { relation: Relation::certain(other, *kind, one, at) };
        commit(&shelf, Changes { writes: vec![tie], ..steps.remember("x", Scope::Project) }).await;
        let stability = async |id: MemoryId| -> Stability { shelf.load(id).await.unwrap().trace.stability };
        let before = stability(other).await;
        shelf.note_use([one], at + Span::from_hours(48));
        shelf.flush_notes().await.unwrap();
        let apart = matches!(kind.as_str(), "contradicts" | "supersedes" | "merged_into" | "instance_of");
        assert_eq!(stability(other).await > before, !apart, "{kind}");
    }
}

#[tokio::test]
async fn a_reset_by_hand_is_taken_back_first_and_what_was_learned_in_the_background_is_not() {
    let (shelf, mut steps) = (shelf().await, Steps::default());
    let birth = steps.remember("the deploy needs the VPN", Scope::Project);
    commit(&shelf, birth.clone()).await;
    let learned = Learned {
        key: LearnedKey { subject: Subject::Arms, query_type: Some(QueryType::HowTo), with_model: false },
        shares: Shares::new([("words".to_owned(), Share::clamped(1.0))].into()).unwrap(),
        votes: 9,
        updates: 1,
        still: 0,
        reason: "nine votes".to_owned(),
        updated_at: Timestamp::UNIX_EPOCH,
    };
    let row = Some(Box::new(learned.clone()));
    let mut learn = |actor, before, after| Changes {
        cause: Cause::Learn,
        actor,
        writes: vec![Write::Learn { before, after }],
        ..steps.remember("x", Scope::Project)
    };
    commit(&shelf, learn(Actor::Engram, None, row.clone())).await;
    assert_eq!(shelf.last_undoable().await.unwrap().map(|last| last.id), Some(birth.operation));
    let reset = learn(Actor::Human, row, None);
    commit(&shelf, reset.clone()).await;
    assert_eq!(shelf.store().load_learned().await.unwrap(), []);
    assert_eq!(shelf.last_undoable().await.unwrap().map(|last| last.id), Some(reset.operation));
    shelf.undo(reset.operation, steps.occasion()).await.unwrap();
    assert_eq!(shelf.store().load_learned().await.unwrap(), [learned]);
}
