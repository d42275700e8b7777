//! The real store keeps the contract, in every scope and on every ground; and
//! the schema refuses what it must.

use engram_core::{Scope, Timestamp};
use engram_store::{Location, StoreHome, SurrealStore};
use engram_testkit::contract::check_store;
use std::future::Future;

const KEY: &str = "p_0123456789ab";

fn at() -> Timestamp {
    Timestamp::from_second(1_800_000_000).unwrap()
}

/// The query engine recurses deeply; the daemon gives its threads the same.
fn run(work: impl Future<Output = ()> + Send + 'static) {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_stack_size(16 << 20)
        .enable_all()
        .build()
        .unwrap()
        .block_on(async { tokio::spawn(work).await.unwrap() });
}

#[test]
fn a_session_store_keeps_the_contract() {
    run(async {
        let id = "01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap();
        let store = SurrealStore::open_session(id, at()).await.unwrap();
        check_store(&store, Scope::Session).await;
    });
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
