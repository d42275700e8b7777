//! Has the server's own indexes search what is not held here, and tells them
//! what to search.
//!
//! The server finds; ranking is done here as always, on what it found and what
//! was here.

use super::{Seat, With};
use crate::embedders::Embedders;
use crate::read::shortened;
use crate::shelf::{ChangeError, Shelf};
use engram_core::port::{EmbedError, Purpose};
use engram_core::team::Fetched;
use engram_core::team::port::{FarError, FarQuestion, Searchable};
use engram_core::{Memory, MemoryId, Share, Status, Timestamp};
use engram_index::Query;
use std::collections::BTreeSet;

/// The server weighs every memory that has one of the words, and takes its time
/// for each: so many it is asked to weigh. Words that are more common say little,
/// and are part of the direction.
const READ_THERE: f64 = 300.0;
/// And for so many words at most.
const MOST_WORDS: usize = 24;

/// What the server found, and of that what is not here.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FoundThere {
    pub ids: BTreeSet<MemoryId>,
    new: Fetched,
}

impl Seat {
    /// Asks the server's indexes. Nothing changes here yet, so whoever has waited
    /// long enough may drop it.
    pub async fn look_there(&self, asked: FarQuestion) -> Result<FoundThere, FarError> {
        let ids: BTreeSet<MemoryId> = self.far.search(asked).await?.into_iter().collect();
        let unknown = {
            let index = self.shelf.index();
            ids.iter().copied().filter(|id| !index.contains(*id)).collect()
        };
        let mut new = self.fetch(unknown).await?;
        new.memories.retain(|memory| memory.status != Status::Forgotten);
        new.asked = new.memories.iter().map(|memory| memory.id).collect();
        Ok(FoundThere { ids, new })
    }

    /// Takes in what was found. Says how many memories are new here.
    pub async fn take_found(&self, found: FoundThere, at: Timestamp) -> Result<usize, ChangeError> {
        if found.new.asked.is_empty() {
            return Ok(0);
        }
        self.take_in(found.new, With { only_new: true, ..With::default() }, at).await
    }
}

/// A question as the server's indexes are asked it, of a team that shares about
/// `shared` memories. How rare a word is there is told by what is here.
pub async fn question_for(
    shelf: &Shelf,
    text: &str,
    shared: u64,
    limit: usize,
) -> Result<FarQuestion, EmbedError> {
    let text = shortened(text);
    let query = Query::parse(&text);
    let words = {
        let statistics = shelf.index().statistics(&query);
        let most = Share::clamped(READ_THERE / shared.max(1) as f64);
        let forms = query.rarest_forms(&statistics, most);
        forms.into_iter().take(MOST_WORDS).collect::<Vec<_>>().join(" ")
    };
    let direction = match shelf.table() {
        Some(table) => table.embed(Purpose::Query, vec![text.to_string()]).await?.pop().unwrap_or_default(),
        None => Vec::new(),
    };
    let points_nowhere = direction.iter().all(|part| *part == 0.0);
    let direction = if points_nowhere { Vec::new() } else { direction };
    Ok(FarQuestion { words, direction, limit })
}

/// What the server's indexes are told of these memories. Those without a text
/// have nothing to be found by.
pub async fn searchable(embedders: &Embedders, memories: &[Memory]) -> Result<Vec<Searchable>, EmbedError> {
    let Some(table) = &embedders.table else { return Ok(Vec::new()) };
    let memories: Vec<&Memory> = memories.iter().filter(|memory| !memory.content.is_empty()).collect();
    let texts = memories.iter().map(|memory| memory.content.clone()).collect();
    let directions = table.embed(Purpose::Document, texts).await?;
    let row = |(memory, mut direction): (&&Memory, Vec<f32>)| {
        // A text of no words points nowhere, and an index wants a direction.
        if direction.iter().all(|part| *part == 0.0) {
            direction.fill(1.0);
        }
        let words = Query::parse(&memory.content).forms().collect::<Vec<_>>().join(" ");
        Searchable { memory: memory.id, words, direction }
    };
    Ok(memories.iter().zip(directions).map(row).collect())
}
