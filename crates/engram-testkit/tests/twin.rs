//! The twin keeps the contract of the real store.

#[tokio::test]
async fn the_twin_keeps_the_contract() {
    let store = engram_testkit::FakeStore::default();
    engram_testkit::contract::check_store(&store, engram_core::Scope::Project).await;
}
