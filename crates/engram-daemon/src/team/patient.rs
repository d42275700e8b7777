//! The server, asked only as long as nobody wants the house for himself.
//!
//! Following the server holds the gate of the house, and the server may take its
//! time. Only the asking is given up, never a commit that was begun.

use engram_core::decision::Review;
use engram_core::port::Pending;
use engram_core::team::port::{Far, FarError, FarQuestion, Searchable, Unsearched};
use engram_core::team::{Charter, Delivery, FeedLine, Head, Member, Position, Print, Proposal};
use engram_core::{Memory, MemoryId, Relation};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

pub(crate) struct Patient {
    far: Arc<dyn Far>,
    /// How many want the house for themselves.
    waiting: watch::Receiver<usize>,
}

impl Patient {
    pub(crate) fn new(far: Arc<dyn Far>, waiting: watch::Receiver<usize>) -> Self {
        Self { far, waiting }
    }

    fn asked<'a, T: Send + 'a>(
        &'a self,
        asking: Pending<'a, Result<T, FarError>>,
    ) -> Pending<'a, Result<T, FarError>> {
        let mut waiting = self.waiting.clone();
        Box::pin(async move {
            tokio::select! {
                answer = asking => answer,
                _ = waiting.wait_for(|count| *count > 0) => Err(FarError::Unreachable(PUT_OFF.to_owned())),
            }
        })
    }
}

/// Why the server was not waited for.
pub(crate) const PUT_OFF: &str = "put off, because the stores are needed";

impl Far for Patient {
    fn charter(&self) -> Pending<'_, Result<Charter, FarError>> {
        self.asked(self.far.charter())
    }

    fn head(&self) -> Pending<'_, Result<Head, FarError>> {
        self.asked(self.far.head())
    }

    fn feed(&self, after: Position, limit: usize) -> Pending<'_, Result<Vec<FeedLine>, FarError>> {
        self.asked(self.far.feed(after, limit))
    }

    fn load(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Vec<Memory>, FarError>> {
        self.asked(self.far.load(ids))
    }

    fn page(&self, before: Option<MemoryId>, limit: usize) -> Pending<'_, Result<Vec<Memory>, FarError>> {
        self.asked(self.far.page(before, limit))
    }

    fn ties(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<(Vec<Relation>, Vec<Review>), FarError>> {
        self.asked(self.far.ties(ids))
    }

    fn members(&self) -> Pending<'_, Result<Vec<Member>, FarError>> {
        self.asked(self.far.members())
    }

    fn proposals(&self) -> Pending<'_, Result<Vec<Proposal>, FarError>> {
        self.asked(self.far.proposals())
    }

    fn sighted(&self, prints: Vec<Print>) -> Pending<'_, Result<Vec<(Print, usize)>, FarError>> {
        self.asked(self.far.sighted(prints))
    }

    fn deliver(&self, delivery: Delivery) -> Pending<'_, Result<(), FarError>> {
        self.asked(self.far.deliver(delivery))
    }

    fn search(&self, asked: FarQuestion) -> Pending<'_, Result<Vec<MemoryId>, FarError>> {
        self.asked(self.far.search(asked))
    }

    fn unsearched(&self, after: Option<MemoryId>) -> Pending<'_, Result<Unsearched, FarError>> {
        self.asked(self.far.unsearched(after))
    }

    fn keep_searchable(&self, rows: Vec<Searchable>) -> Pending<'_, Result<(), FarError>> {
        self.asked(self.far.keep_searchable(rows))
    }

    fn wait(&self, patience: Duration) -> Pending<'_, Result<(), FarError>> {
        self.asked(self.far.wait(patience))
    }

    fn take_unread(&self) -> Vec<String> {
        self.far.take_unread()
    }
}
