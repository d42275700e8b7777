//! What a journal tells of a session builds it again, also when words were taken out
//! of the journal since.

use engram_core::port::Store;
use engram_core::{Memory, Scope, Status, Write};
use engram_maps::MapStore;
use engram_testkit::make::Steps;

#[tokio::test]
async fn a_step_whose_reason_was_purged_is_taken_in_again() {
    let mut steps = Steps::default();
    let mut told = steps.remember("the key is in vault", Scope::Session);
    let Some(Write::Create { memory }) = told.writes.first().cloned() else { panic!("{told:?}") };
    // Said and replaced in one moment, for two reasons.
    let mut after: Memory = (*memory).clone();
    after.status = Status::Superseded;
    after.status_change.reason = "the key is in 1password".to_owned();
    after.revision += 1;
    told.writes.push(Write::Replace { before: memory.clone(), after: Box::new(after) });
    told.scrub(&[memory.id], &[]);
    let store = MapStore::of(Scope::Session);
    store.commit(told, Vec::new()).await.unwrap();
    assert_eq!(store.load(vec![memory.id]).await.unwrap()[0].status, Status::Superseded);
}
