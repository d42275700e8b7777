//! Recall inside one process, beside its peers: the arms alone and the whole
//! way, each from the question to the ten texts.

use super::filled::{Filled, direction, table};
use super::peers::{BEST, Fts, Scan, Tantivy};
use super::{Sheet, Times, timed, timed_async};
use crate::texts::{question, sentence};
use anyhow::{Context as _, Result, ensure};
use engram_core::port::Embedder as _;
use engram_core::{Codes, MemoryId};
use engram_engine::{Ask, Shelf, recall};
use engram_index::{Filter, Query};
use jiff::Zoned;
use jiff::tz::TimeZone;
use std::path::Path;
use std::sync::Arc;

/// The first questions are asked once before anything is measured.
const WARM_UP: u64 = 20;

/// The slowest peer takes a second for one question where there are a million.
fn questions(size: usize) -> u64 {
    if size > 100_000 { 100 } else { 300 }
}

/// How long each one took for the same questions.
#[derive(Default)]
struct Taken {
    keyword: Times,
    tantivy: Times,
    fts: Times,
    vector: Times,
    scan: Times,
    pipeline: Times,
    fts_and_scan: Times,
}

/// Everything that is asked, filled with the same texts.
struct Field {
    shelves: [Arc<Shelf>; 1],
    tantivy: Tantivy,
    fts: Fts,
    scan: Scan,
    now: Zoned,
    /// How many gave an answer.
    answered: usize,
}

pub(super) async fn measure(filled: &Filled, ground: &Path, sheet: &mut Sheet) -> Result<()> {
    let size = filled.size;
    let mut field = Field::fill(filled, ground, sheet).await?;
    let mut warm_up = Taken::default();
    for number in 0..WARM_UP {
        field.ask(&question(number), &mut warm_up).await?;
    }
    field.answered = 0;
    let mut taken = Taken::default();
    for number in 0..questions(size) {
        field.ask(&question(number), &mut taken).await?;
    }
    // Of the seven asked, some find less than ten for rare words in a small store.
    ensure!(field.answered as u64 > questions(size) * 4, "too few questions were answered to say anything");
    sheet.times(size, "words alone", &taken.keyword);
    sheet.times_beside(size, "- tantivy", &taken.tantivy, &taken.keyword);
    sheet.times_beside(size, "- SQLite FTS5", &taken.fts, &taken.keyword);
    sheet.times(size, "vectors alone, embedding included", &taken.vector);
    sheet.times_beside(size, "- scan of f32 in memory", &taken.scan, &taken.vector);
    sheet.times(size, "the whole of recall", &taken.pipeline);
    sheet.times_beside(size, "- SQLite FTS5 + scan of f32", &taken.fts_and_scan, &taken.pipeline);
    Ok(())
}

impl Field {
    async fn fill(filled: &Filled, ground: &Path, sheet: &mut Sheet) -> Result<Self> {
        let shelf = Arc::new(filled.shelf(sheet).await?);
        let mut scan = Scan::new(table()?.dimensions());
        for number in 0..filled.size as u64 {
            scan.add(&direction(sentence(number)).await?);
        }
        Ok(Self {
            shelves: [shelf],
            tantivy: Tantivy::fill(filled.size)?,
            fts: Fts::fill(ground, filled.size)?,
            scan,
            now: filled.at.to_zoned(TimeZone::UTC),
            answered: 0,
        })
    }

    /// Asks all of them the same, one after the other.
    async fn ask(&mut self, question: &str, taken: &mut Taken) -> Result<()> {
        let parsed = Query::parse(question);
        let words: Vec<&str> = parsed.terms().collect();

        let (found, time) = timed(|| self.by_words(question));
        self.answered += usize::from(found.len() == BEST);
        taken.keyword.add(time);
        let (found, time) = timed(|| self.tantivy.search(&words));
        self.answered += usize::from(found?.len() == BEST);
        taken.tantivy.add(time);
        let (found, time) = timed(|| self.fts.search(&words));
        self.answered += usize::from(found?.len() == BEST);
        taken.fts.add(time);

        let (found, time) = timed_async(self.by_vectors(question)).await;
        self.answered += usize::from(found?.len() == BEST);
        taken.vector.add(time);
        let scanned = async { anyhow::Ok(self.scan.nearest(&direction(question.to_owned()).await?)) };
        let (found, time) = timed_async(scanned).await;
        self.answered += usize::from(found?.len() == BEST);
        taken.scan.add(time);

        let (found, time) = timed_async(self.whole(question)).await;
        self.answered += usize::from(found? == BEST);
        taken.pipeline.add(time);
        let both = async {
            let direction = direction(question.to_owned()).await?;
            self.fts.search_with(&self.scan, &words, &direction)
        };
        let (found, time) = timed_async(both).await;
        self.answered += usize::from(found?.len() == BEST);
        taken.fts_and_scan.add(time);
        Ok(())
    }

    fn by_words(&self, question: &str) -> Vec<MemoryId> {
        let index = self.shelves[0].index();
        let query = Query::parse(question);
        let hits = index.search(&query, &index.statistics(&query), &Filter::default(), BEST);
        hits.iter().map(|hit| hit.id).collect()
    }

    async fn by_vectors(&self, question: &str) -> Result<Vec<MemoryId>> {
        let direction = direction(question.to_owned()).await?;
        let codes = Codes::of(&direction).context("a question without a direction")?;
        let near = self.shelves[0].index().nearest(table()?.id(), &codes, &Filter::default(), BEST)?;
        Ok(near.hits.iter().map(|hit| hit.id).collect())
    }

    async fn whole(&self, question: &str) -> Result<usize> {
        let ask = Ask { limit: BEST, ..Ask::about(question) };
        Ok(recall(&self.shelves, &ask, &self.now).await?.found.len())
    }
}
