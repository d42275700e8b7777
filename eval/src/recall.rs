//! Retrieval quality on public sets: what share of the right texts is among
//! the first few.
//!
//! The sets are read where they lie and never copied. A question searches the
//! rows of its own scope, and only those that were there when it was asked.
//! What is measured is the index itself, beside a plain BM25 of its own.

use anyhow::{Context as _, Result};
use comfy_table::{Table, presets::ASCII_MARKDOWN};
use engram_core::plan::{Draft, Occasion, plan_remember};
use engram_core::{Actor, IdMint, MemoryId, OperationId, Provenance, Scope, Timestamp, Write};
use engram_index::{Filter, Index, Query};
use flate2::read::GzDecoder;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::Path;

#[derive(Deserialize)]
struct Row {
    id: String,
    scope: String,
    session: Option<String>,
    time: Option<String>,
    speaker: Option<String>,
    title: Option<String>,
    text: String,
    caption: Option<String>,
    order: Option<i64>,
}

#[derive(Deserialize)]
struct Question {
    scope: String,
    text: String,
    #[serde(rename = "type")]
    kind: String,
    gold: Vec<String>,
    gold_level: Option<String>,
    gold_memories: Option<Vec<String>>,
    order: Option<i64>,
}

impl Row {
    /// What is searched: when, who, what.
    fn whole(&self) -> String {
        let mut text = String::new();
        if let Some(time) = &self.time {
            text += &format!("({time}) ");
        }
        if let Some(speaker) = &self.speaker {
            text += &format!("{speaker}: ");
        }
        if let Some(title) = &self.title {
            text += &format!("{title}. ");
        }
        text += &self.text;
        if let Some(caption) = &self.caption {
            text += &format!(" [{caption}]");
        }
        text
    }
}

impl Question {
    /// The rows that answer it; a session is answered by any of its rows.
    fn wanted(&self) -> (&[String], bool) {
        match (&self.gold_memories, self.gold_level.as_deref()) {
            (Some(memories), _) if !memories.is_empty() => (memories, false),
            (_, Some("session")) => (&self.gold, true),
            _ => (&self.gold, false),
        }
    }
}

/// The rows of one scope, searchable both ways.
struct Shelf<'a> {
    rows: Vec<&'a Row>,
    index: Index,
    places: HashMap<MemoryId, usize>,
    plain: Plain,
}

impl<'a> Shelf<'a> {
    fn of(rows: Vec<&'a Row>) -> Result<Self> {
        let mut mint = IdMint::seeded(5);
        let mut index = Index::default();
        let mut places = HashMap::new();
        for (place, row) in rows.iter().enumerate() {
            let at = Timestamp::from_second(row.order.unwrap_or(0).max(0))?;
            let operation = OperationId::from_ulid(mint.mint(at));
            let occasion = Occasion { operation, actor: Actor::Ingest, at, recorded_at: at };
            let draft = Draft::parse(&row.whole(), usize::MAX)?;
            let birth = plan_remember(draft, Scope::Project, Provenance::stated_by(Actor::Ingest), occasion);
            if let Some(Write::Create { memory }) = birth.writes.first() {
                index.put(memory);
                places.insert(memory.id, place);
            }
        }
        let plain = Plain::of(rows.iter().map(|row| row.whole()));
        Ok(Self { rows, index, places, plain })
    }

    fn by_index(&self, question: &Question, limit: usize) -> Vec<usize> {
        let query = Query::parse(&question.text);
        let created_until = question.order.and_then(|order| Timestamp::from_second(order).ok());
        let filter = Filter { created_until, ..Filter::default() };
        let hits = self.index.search(&query, &self.index.statistics(&query), &filter, limit);
        hits.into_iter().filter_map(|hit| self.places.get(&hit.id).copied()).collect()
    }

    fn by_plain(&self, question: &Question, limit: usize) -> Vec<usize> {
        let before = |place: &usize| match (question.order, self.rows[*place].order) {
            (Some(asked), Some(order)) => order < asked,
            _ => true,
        };
        let mut found: Vec<(usize, f64)> = self.plain.scores(&question.text).into_iter().collect();
        found.retain(|(place, _)| before(place));
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
        found.into_iter().take(limit).map(|(place, _)| place).collect()
    }
}

/// The least that a search has to beat: lower case, split at what is not a
/// letter or a digit, BM25.
struct Plain {
    postings: HashMap<String, Vec<(usize, f64)>>,
    lengths: Vec<f64>,
    mean: f64,
}

impl Plain {
    fn of(texts: impl Iterator<Item = String>) -> Self {
        let mut postings: HashMap<String, Vec<(usize, f64)>> = HashMap::new();
        let mut lengths = Vec::new();
        for (place, text) in texts.enumerate() {
            let words = words(&text);
            lengths.push(words.len() as f64);
            let mut counts: BTreeMap<String, f64> = BTreeMap::new();
            words.into_iter().for_each(|word| *counts.entry(word).or_default() += 1.0);
            counts
                .into_iter()
                .for_each(|(word, count)| postings.entry(word).or_default().push((place, count)));
        }
        let mean = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
        Self { postings, lengths, mean }
    }

    fn scores(&self, query: &str) -> HashMap<usize, f64> {
        let mut scores = HashMap::new();
        let all = self.lengths.len() as f64;
        for word in words(query).into_iter().collect::<BTreeSet<_>>() {
            let Some(postings) = self.postings.get(&word) else { continue };
            let found = postings.len() as f64;
            let rarity = (1.0 + (all - found + 0.5) / (found + 0.5)).ln();
            for (place, count) in postings {
                let length = 0.25 + 0.75 * self.lengths[*place] / self.mean;
                *scores.entry(*place).or_default() += rarity * count * 2.2 / (count + 1.2 * length);
            }
        }
        scores
    }
}

fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[derive(Default)]
struct Marks {
    questions: f64,
    at_5: f64,
    at_10: f64,
    ndcg: f64,
    first: f64,
}

impl Marks {
    fn add(&mut self, ranked: &[String], wanted: &BTreeSet<&str>) {
        let share = |depth: usize| {
            let found: BTreeSet<&str> =
                ranked.iter().take(depth).map(String::as_str).filter(|id| wanted.contains(id)).collect();
            found.len() as f64 / wanted.len() as f64
        };
        let gain = |place: usize| 1.0 / (place as f64 + 2.0).log2();
        let ideal: f64 = (0..wanted.len().min(10)).map(gain).sum();
        let hits: Vec<usize> = ranked
            .iter()
            .take(10)
            .enumerate()
            .filter(|(_, id)| wanted.contains(id.as_str()))
            .map(|(p, _)| p)
            .collect();
        self.questions += 1.0;
        self.at_5 += share(5);
        self.at_10 += share(10);
        self.ndcg += hits.iter().map(|place| gain(*place)).sum::<f64>() / ideal;
        self.first += hits.first().map_or(0.0, |place| 1.0 / (*place as f64 + 1.0));
    }

    fn line(&self, set: &str, arm: &str) -> [String; 7] {
        let mean = |sum: f64| format!("{:.3}", sum / self.questions.max(1.0));
        let count = format!("{}", self.questions);
        [set.into(), count, arm.into(), mean(self.at_5), mean(self.at_10), mean(self.ndcg), mean(self.first)]
    }
}

pub(crate) fn run(data: &Path, only: Option<&str>) -> Result<()> {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header([
        "set",
        "questions",
        "arm",
        "R@5",
        "R@10",
        "nDCG@10",
        "MRR@10",
    ]);
    let mut sets: Vec<String> = fs::read_dir(data)
        .with_context(|| format!("reading {}", data.display()))?
        .flatten()
        .filter(|entry| entry.path().join("queries.jsonl").is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| only.is_none_or(|only| name == only))
        .collect();
    sets.sort();
    anyhow::ensure!(!sets.is_empty(), "there is no set in {}", data.display());
    for set in sets {
        let (words, plain) = measure(&data.join(&set)).with_context(|| format!("measuring {set}"))?;
        table.add_row(words.line(&set, "engram's index"));
        table.add_row(plain.line(&set, "plain BM25"));
    }
    println!("{table}");
    Ok(())
}

fn measure(set: &Path) -> Result<(Marks, Marks)> {
    let corpus = BufReader::new(GzDecoder::new(File::open(set.join("corpus.jsonl.gz"))?));
    let rows: Vec<Row> =
        corpus.lines().map(|line| Ok(serde_json::from_str(&line?)?)).collect::<Result<_>>()?;
    let mut by_scope: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    rows.iter().for_each(|row| by_scope.entry(&row.scope).or_default().push(row));
    let shelves: BTreeMap<&str, Shelf<'_>> =
        by_scope.into_iter().map(|(scope, rows)| Ok((scope, Shelf::of(rows)?))).collect::<Result<_>>()?;
    let (mut index, mut plain) = (Marks::default(), Marks::default());
    for line in BufReader::new(File::open(set.join("queries.jsonl"))?).lines() {
        let question: Question = serde_json::from_str(&line?)?;
        let (gold, sessions) = question.wanted();
        // Questions without an answer ask for silence, which is measured
        // elsewhere; LoCoMo's adversarial ones are among them in spirit.
        if gold.is_empty() || question.kind == "adversarial" {
            continue;
        }
        let Some(shelf) = shelves.get(question.scope.as_str()) else { continue };
        let wanted: BTreeSet<&str> = gold.iter().map(String::as_str).collect();
        let named = |places: Vec<usize>| -> Vec<String> {
            let mut names: Vec<String> = Vec::new();
            for place in places {
                let row = shelf.rows[place];
                let name = if sessions { row.session.as_ref().unwrap_or(&row.id) } else { &row.id };
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
            names
        };
        let depth = if sessions { 200 } else { 10 };
        index.add(&named(shelf.by_index(&question, depth)), &wanted);
        plain.add(&named(shelf.by_plain(&question, depth)), &wanted);
    }
    Ok((index, plain))
}
