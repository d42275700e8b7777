//! What else one could search with: SQLite's full-text search, tantivy, and a
//! plain scan of vectors.
//!
//! Each gets the same texts, and of a question the same words: those that
//! engram leaves out are left out for them too.

use crate::texts::sentence;
use anyhow::Result;
use simsimd::SpatialSimilarity;
use std::collections::BTreeMap;
use std::path::Path;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{TextAnalyzer, TokenStream as _};
use tantivy::{DocAddress, Index, IndexReader, TantivyDocument, Term};

pub(super) const BEST: usize = 10;
/// Reciprocal rank fusion: how little the first places count.
const FLATNESS: f64 = 60.0;

/// SQLite on disk: FTS5 with porter stems, any of the words, ranked by itself.
pub(super) struct Fts(rusqlite::Connection);

impl Fts {
    pub(super) fn fill(ground: &Path, size: usize) -> Result<Self> {
        let mut lite = rusqlite::Connection::open(ground.join(format!("fts-{size}.db")))?;
        lite.execute("CREATE VIRTUAL TABLE texts USING fts5(content, tokenize = 'porter unicode61')", [])?;
        let filling = lite.transaction()?;
        {
            let mut insert = filling.prepare("INSERT INTO texts(rowid, content) VALUES (?1, ?2)")?;
            for number in 0..size as u64 {
                insert.execute(rusqlite::params![i64::try_from(number)?, sentence(number)])?;
            }
        }
        filling.commit()?;
        lite.execute("INSERT INTO texts(texts) VALUES ('optimize')", [])?;
        Ok(Self(lite))
    }

    /// The numbers of the best, best first.
    pub(super) fn search(&self, words: &[&str]) -> Result<Vec<usize>> {
        let text = "SELECT rowid FROM texts WHERE texts MATCH ?1 ORDER BY rank LIMIT 10";
        let mut search = self.0.prepare_cached(text)?;
        let found = search.query_map([either(words)], |row| row.get::<_, i64>(0))?;
        found.map(|number| Ok(usize::try_from(number?)?)).collect()
    }

    fn text(&self, number: usize) -> Result<String> {
        let mut one = self.0.prepare_cached("SELECT content FROM texts WHERE rowid = ?1")?;
        Ok(one.query_row([i64::try_from(number)?], |row| row.get(0))?)
    }

    /// The words and the vectors, their two lists made one by rank.
    pub(super) fn search_with(&self, scan: &Scan, words: &[&str], direction: &[f32]) -> Result<Vec<String>> {
        let mut scores: BTreeMap<usize, f64> = BTreeMap::new();
        for list in [self.search(words)?, scan.nearest(direction)] {
            for (rank, number) in list.into_iter().enumerate() {
                *scores.entry(number).or_default() += 1.0 / (FLATNESS + rank as f64);
            }
        }
        let mut scores: Vec<(usize, f64)> = scores.into_iter().collect();
        scores.sort_by(|one, other| other.1.total_cmp(&one.1));
        scores.into_iter().take(BEST).map(|(number, _)| self.text(number)).collect()
    }
}

fn either(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    quoted.join(" OR ")
}

/// Every vector, 32 bits a dimension, in one piece of memory.
pub(super) struct Scan {
    width: usize,
    vectors: Vec<f32>,
}

impl Scan {
    pub(super) fn new(width: usize) -> Self {
        Self { width, vectors: Vec::new() }
    }

    pub(super) fn add(&mut self, vector: &[f32]) {
        self.vectors.extend(vector);
    }

    /// The numbers of the nearest, nearest first. The vectors have length one.
    pub(super) fn nearest(&self, direction: &[f32]) -> Vec<usize> {
        let mut best: Vec<(f64, usize)> = Vec::with_capacity(BEST + 1);
        for (number, vector) in self.vectors.chunks_exact(self.width).enumerate() {
            let cosine = f32::dot(direction, vector).unwrap_or(0.0);
            if best.len() < BEST || best.last().is_some_and(|(worst, _)| cosine > *worst) {
                let place = best.partition_point(|(known, _)| *known >= cosine);
                best.insert(place, (cosine, number));
                best.truncate(BEST);
            }
        }
        best.into_iter().map(|(_, number)| number).collect()
    }
}

/// Tantivy in memory: English stems, any of the words, in one segment.
pub(super) struct Tantivy {
    reader: IndexReader,
    words: TextAnalyzer,
    content: Field,
}

impl Tantivy {
    pub(super) fn fill(size: usize) -> Result<Self> {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer("en_stem")
            .set_index_option(IndexRecordOption::WithFreqs);
        let mut schema = Schema::builder();
        let options = TextOptions::default().set_indexing_options(indexing);
        let content = schema.add_text_field("content", options);
        let index = Index::create_in_ram(schema.build());
        let mut writer = index.writer_with_num_threads(1, 500 << 20)?;
        for number in 0..size as u64 {
            let mut document = TantivyDocument::default();
            document.add_text(content, sentence(number));
            writer.add_document(document)?;
        }
        writer.commit()?;
        let segments = index.searchable_segment_ids()?;
        if segments.len() > 1 {
            writer.merge(&segments).wait()?;
        }
        writer.wait_merging_threads()?;
        let words = index.tokenizer_for_field(content)?;
        Ok(Self { reader: index.reader()?, words, content })
    }

    /// The addresses of the best, best first.
    pub(super) fn search(&mut self, words: &[&str]) -> Result<Vec<DocAddress>> {
        let mut terms = Vec::new();
        for word in words {
            let mut stream = self.words.token_stream(word);
            while let Some(token) = stream.next() {
                let term = Term::from_field_text(self.content, &token.text);
                let term = TermQuery::new(term, IndexRecordOption::WithFreqs);
                terms.push((Occur::Should, Box::new(term) as Box<dyn tantivy::query::Query>));
            }
        }
        let searcher = self.reader.searcher();
        let best = TopDocs::with_limit(BEST).order_by_score();
        let found = searcher.search(&BooleanQuery::new(terms), &best)?;
        Ok(found.into_iter().map(|(_, address)| address).collect())
    }
}
