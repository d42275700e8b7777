//! Runs a test on threads like the daemon's.

use std::future::Future;

/// The query engine recurses deeply; the daemon gives its threads the same.
const STACK: usize = 16 << 20;

/// Waits for `work`, on a thread with room for the database.
pub fn run(work: impl Future<Output = ()> + Send + 'static) {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_stack_size(STACK)
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(async { tokio::spawn(work).await.expect("the test went through") });
}
