//! The store in maps keeps the contract of the database, in each scope it is used for.

use engram_core::Scope;
use engram_maps::MapStore;
use engram_testkit::contract::check_store;

#[tokio::test]
async fn a_session_keeps_the_contract() {
    check_store(&MapStore::of(Scope::Session), Scope::Session).await;
}

#[tokio::test]
async fn the_twin_of_the_database_keeps_the_contract() {
    check_store(&MapStore::of(Scope::Project), Scope::Project).await;
}
