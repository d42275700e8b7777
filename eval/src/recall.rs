//! Retrieval quality on public sets, through the real engine.
//!
//! Each row is one memory with its speaker, session and time, each scope one
//! store; recall answers as a client would get it. Where rows have an order,
//! they arrive between the questions. Every arm is measured alone beside the
//! fusion, so that a fusion below its best arm is seen.

use crate::bench::timed_async;
use crate::dreamed::dream;
use crate::marks::{Mark, area, mean, uncertainty};
use crate::sets::{self, Question, Role, Row};
use anyhow::{Context as _, Result};
use comfy_table::{Table, presets::ASCII_MARKDOWN};
use engram_core::ask::intent_of;
use engram_core::dream::Step;
use engram_core::link::{EntityBook, plan_entities};
use engram_core::memory::DataSource;
use engram_core::observe::entities_of;
use engram_core::plan::{Draft, Occasion, plan_remember};
use engram_core::rank::{Evidence, ScopeWeights, Weights};
use engram_core::{
    Actor, Changes, IdMint, Kind, MemoryId, OperationId, ProjectKey, Provenance, Scope, SessionId, Span,
    Timestamp, Write,
};
use engram_engine::{Answer, Ask, Embedders, Shelf, recall};
use engram_store::{Location, SurrealStore};
use jiff::tz::TimeZone;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::iter::Peekable;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use std::vec::IntoIter;

/// So many memories are asked for where whole sessions are the answer: many of
/// them belong to one session.
const FOR_SESSIONS: usize = 100;

/// LoCoMo's questions whose answer is to be withheld: neither finding it nor
/// silence says how good recall is, so they are counted apart.
pub(crate) const ADVERSARIAL: &str = "adversarial";

/// A way of ranking, by name.
#[derive(Clone)]
pub(crate) struct Way {
    pub(crate) name: String,
    pub(crate) weights: Weights,
    /// As many memories are asked for as the intent proposes, not ten.
    pub(crate) limit_by_intent: bool,
}

/// How sure recall was of its answer to one question.
#[derive(Serialize)]
pub(crate) struct Sure {
    pub(crate) question: String,
    pub(crate) answerable: bool,
    pub(crate) confidence: f64,
    pub(crate) together: Evidence,
    /// Of each of the first ten: its evidence, its confidence, whether it is
    /// right.
    pub(crate) first: Vec<(Evidence, f64, bool)>,
}

/// What one way got on one set.
#[derive(Serialize)]
pub(crate) struct Measured {
    pub(crate) set: String,
    pub(crate) way: String,
    pub(crate) questions: usize,
    pub(crate) mean: Mark,
    /// With the questions whose answer is to be withheld, where there are any.
    pub(crate) with_adversarial: Option<(usize, Mark)>,
    /// Half of the 95 % interval of R@10.
    pub(crate) uncertainty: f64,
    pub(crate) by_type: BTreeMap<String, (usize, Mark)>,
    pub(crate) median_ms: f64,
    pub(crate) p95_ms: f64,
    pub(crate) p99_ms: f64,
    /// Of the first way only.
    pub(crate) sure: Vec<Sure>,
}

/// The rows of one scope on a shelf of their own.
pub(crate) struct Filled {
    shelf: Arc<Shelf>,
    mint: IdMint,
    names: HashMap<MemoryId, usize>,
    sessions: HashMap<String, SessionId>,
    /// The things that the rows name, where somebody looks at those.
    book: Option<EntityBook>,
}

impl Filled {
    pub(crate) async fn open(embedders: &Embedders, named: bool) -> Result<Self> {
        let key: ProjectKey = "p_000000000000".parse()?;
        let location = Location::Url { url: "mem://".to_owned(), access: None };
        let store = SurrealStore::open_project(&location, &key, Timestamp::UNIX_EPOCH).await?;
        let shelf = Shelf::open(Arc::new(store), Scope::Project, embedders.clone()).await?;
        Ok(Self {
            shelf: Arc::new(shelf),
            mint: IdMint::seeded(5),
            names: HashMap::new(),
            sessions: HashMap::new(),
            book: named.then(EntityBook::default),
        })
    }

    pub(crate) async fn add(&mut self, rows: &[(usize, Timestamp, &Row)]) -> Result<()> {
        for batch in rows.chunks(200) {
            let mut changes: Option<Changes> = None;
            for (place, at, row) in batch {
                let mut birth = self.birth(*at, row)?;
                self.name(&mut birth, *at);
                for write in &birth.writes {
                    if let Write::Create { memory } = write {
                        self.names.insert(memory.id, *place);
                    }
                }
                match &mut changes {
                    Some(changes) => changes.writes.extend(birth.writes),
                    None => changes = Some(birth),
                }
            }
            if let Some(changes) = changes {
                self.shelf.change(&[], |_| Ok(changes)).await?;
            }
        }
        self.shelf.fill_vectors(|_| {}).await?;
        Ok(())
    }

    /// Ties a row to the things that it names, as capture does.
    fn name(&mut self, birth: &mut Changes, at: Timestamp) {
        let Some(book) = &mut self.book else { return };
        let Some(Write::Create { memory }) = birth.writes.first() else { return };
        let (id, text) = (memory.id, memory.content.clone());
        let plan = plan_entities(book, &entities_of(&text), &[], at);
        birth.writes.extend(plan.mentions_by(id, at).into_iter().map(|mention| Write::Mention { mention }));
        for entity in plan.entities {
            book.put(entity.clone());
            // In a form that the shelf's own book follows.
            birth.writes.push(Write::Entity { before: None, after: Some(Box::new(entity)) });
        }
    }

    fn birth(&mut self, at: Timestamp, row: &Row) -> Result<Changes> {
        let session = row.session.as_ref().map(|name| {
            *self.sessions.entry(name.clone()).or_insert_with(|| SessionId::from_ulid(self.mint.mint(at)))
        });
        let actor = match row.role() {
            Role::User | Role::Person => Actor::Human,
            Role::Assistant => Actor::Assistant,
            Role::Nobody => Actor::Ingest,
        };
        let data_source = match row.role() {
            Role::User => DataSource::UserMessage,
            Role::Assistant => DataSource::AssistantMessage,
            Role::Nobody | Role::Person => DataSource::File,
        };
        let speaker = match row.role() {
            Role::Person => row.speaker.clone(),
            _ => None,
        };
        let provenance =
            Provenance { source_session: session, data_source, speaker, ..Provenance::stated_by(actor) };
        let operation = OperationId::from_ulid(self.mint.mint(at));
        let occasion = Occasion { operation, actor, at, recorded_at: at };
        let mut draft = Draft::parse(&row.content(), usize::MAX)?;
        // What somebody said is something that happened.
        if !matches!(row.role(), Role::Nobody) {
            draft.kind = Kind::Observation;
        }
        Ok(plan_remember(draft, Scope::Project, provenance, occasion))
    }
}

/// The rows of a scope that have not come yet, in their order.
pub(crate) struct Waiting<'s>(Peekable<IntoIter<(usize, Timestamp, &'s Row)>>);

impl<'s> Waiting<'s> {
    pub(crate) fn of(rows: &'s [(Timestamp, Row)]) -> Self {
        let mut waiting: Vec<(usize, Timestamp, &Row)> =
            rows.iter().enumerate().map(|(place, (at, row))| (place, *at, row)).collect();
        waiting.sort_by_key(|(place, _, row)| (row.order, *place));
        Self(waiting.into_iter().peekable())
    }

    /// Those that are there when this is asked.
    pub(crate) fn before(&mut self, question: &Question) -> Vec<(usize, Timestamp, &'s Row)> {
        let comes = |row: &Row| question.order.is_none_or(|asked| row.order.is_none_or(|o| o < asked));
        let mut arrived = Vec::new();
        while let Some(next) = self.0.next_if(|(_, _, row)| comes(row)) {
            arrived.push(next);
        }
        arrived
    }
}

/// Measures these ways on one set.
pub(crate) async fn measure(folder: &Path, embedders: &Embedders, ways: &[Way]) -> Result<Vec<Measured>> {
    let set = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut marks: Vec<BTreeMap<String, Vec<Mark>>> = vec![BTreeMap::new(); ways.len()];
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); ways.len()];
    let mut surenesses = Vec::new();
    let named = ways.iter().any(|way| way.weights.graph != 0.0);
    for (name, mut scope) in sets::read(folder)? {
        scope.questions.sort_by_key(|question| question.order);
        let mut filled = Filled::open(embedders, named).await.with_context(|| format!("scope {name}"))?;
        let mut waiting = Waiting::of(&scope.rows);
        for question in &scope.questions {
            filled.add(&waiting.before(question)).await?;
            let (gold, _) = question.wanted();
            let wanted: BTreeSet<&str> = gold.iter().map(String::as_str).collect();
            for (place, way) in ways.iter().enumerate() {
                let (answer, time) = timed_async(ask(&filled, question, way, &scope.rows)).await;
                let (found, sure) = answer?;
                if place == 0 && question.kind != ADVERSARIAL {
                    surenesses.push(sure);
                }
                // A question without an answer asks for silence.
                if gold.is_empty() {
                    continue;
                }
                times[place].push(time);
                marks[place].entry(question.kind.clone()).or_default().push(Mark::of(&found, &wanted));
            }
        }
    }
    let taken = ways.iter().zip(marks).zip(times);
    let results = taken.map(|((way, marks), times)| {
        measured(&set, &way.name, marks, times, std::mem::take(&mut surenesses))
    });
    Ok(results.collect())
}

fn measured(
    set: &str,
    way: &str,
    marks: BTreeMap<String, Vec<Mark>>,
    mut times: Vec<Duration>,
    sure: Vec<Sure>,
) -> Measured {
    times.sort();
    let at = |share: f64| {
        let place = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
        times.get(place).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    let everything: Vec<Mark> = marks.values().flatten().copied().collect();
    let plain = marks.iter().filter(|(kind, _)| *kind != ADVERSARIAL);
    let all: Vec<Mark> = plain.flat_map(|(_, marks)| marks).copied().collect();
    let depth_10: Vec<f64> = all.iter().map(|mark| mark.at_10).collect();
    Measured {
        set: set.to_owned(),
        way: way.to_owned(),
        questions: all.len(),
        mean: mean(&all),
        with_adversarial: (everything.len() > all.len()).then(|| (everything.len(), mean(&everything))),
        uncertainty: uncertainty(&depth_10),
        by_type: marks.into_iter().map(|(kind, marks)| (kind, (marks.len(), mean(&marks)))).collect(),
        median_ms: at(0.5),
        p95_ms: at(0.95),
        p99_ms: at(0.99),
        sure,
    }
}

/// Asks everything before a dream and after it, which is dreamt a day after the
/// last row. All rows are there from the start, so that nothing but the dream
/// lies between.
pub(crate) async fn measure_dream(
    folder: &Path,
    embedders: &Embedders,
    weights: Weights,
) -> Result<Vec<Measured>> {
    let set = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let names = ["before a dream", "after it"];
    let mut marks: [BTreeMap<String, Vec<Mark>>; 2] = Default::default();
    let mut times: [Vec<Duration>; 2] = Default::default();
    let way = Way { name: String::new(), weights, limit_by_intent: false };
    let mut changed: BTreeMap<Step, usize> = BTreeMap::new();
    for (name, scope) in sets::read(folder)? {
        let mut filled = Filled::open(embedders, true).await.with_context(|| format!("scope {name}"))?;
        let all: Vec<(usize, Timestamp, &Row)> =
            scope.rows.iter().enumerate().map(|(place, (at, row))| (place, *at, row)).collect();
        filled.add(&all).await?;
        for place in 0..names.len() {
            if place == 1 {
                let last = scope.rows.iter().map(|(at, _)| *at).max().unwrap_or_default();
                let at = last + Span::from_hours(24);
                let id = OperationId::from_ulid(filled.mint.mint(at));
                let dreamed = dream(&filled.shelf, id, at, Step::ALL.to_vec(), Vec::new()).await?;
                for report in dreamed.dream.steps {
                    *changed.entry(report.step).or_default() += report.done;
                }
            }
            for question in &scope.questions {
                let (gold, _) = question.wanted();
                if gold.is_empty() {
                    continue;
                }
                let wanted: BTreeSet<&str> = gold.iter().map(String::as_str).collect();
                let (answer, time) = timed_async(ask(&filled, question, &way, &scope.rows)).await;
                times[place].push(time);
                let mark = Mark::of(&answer?.0, &wanted);
                marks[place].entry(question.kind.clone()).or_default().push(mark);
            }
        }
    }
    let told: Vec<String> =
        changed.iter().filter(|(_, done)| **done > 0).map(|(step, done)| format!("{step} {done}")).collect();
    println!("{set}: {}", told.join(", "));
    let taken = names.into_iter().zip(marks).zip(times);
    Ok(taken.map(|((name, marks), times)| measured(&set, name, marks, times, Vec::new())).collect())
}

/// What recall answers to a question, with at most so many memories.
pub(crate) async fn answer_to(
    filled: &Filled,
    question: &Question,
    (limit, weights): (usize, Weights),
    rows: &[(Timestamp, Row)],
) -> Result<Answer> {
    let last = rows.iter().map(|(at, _)| *at).max().unwrap_or_default();
    let now = question.asked_at()?.unwrap_or(last + Span::from_hours(24));
    let scopes = ScopeWeights { session: 1.0, project: 1.0, user: 1.0 };
    let ask = Ask { limit, scopes, weights, ..Ask::about(&question.text) };
    Ok(recall(std::slice::from_ref(&filled.shelf), &ask, &now.to_zoned(TimeZone::UTC)).await?)
}

/// What a memory is called in the set, where it is a row of it: the session
/// where whole sessions are the answer.
pub(crate) fn name_in<'r>(
    filled: &Filled,
    question: &Question,
    memory: MemoryId,
    rows: &'r [(Timestamp, Row)],
) -> Option<&'r String> {
    let (_, sessions) = question.wanted();
    let row = &rows[*filled.names.get(&memory)?].1;
    Some(if sessions { row.session.as_ref().unwrap_or(&row.id) } else { &row.id })
}

/// The names of the rows that recall answers with, best first, each once.
pub(crate) async fn ask(
    filled: &Filled,
    question: &Question,
    way: &Way,
    rows: &[(Timestamp, Row)],
) -> Result<(Vec<String>, Sure)> {
    let (gold, sessions) = question.wanted();
    let limit = match (sessions, way.limit_by_intent) {
        (true, _) => FOR_SESSIONS,
        (false, true) => intent_of(&question.text, false).route().limit,
        (false, false) => 10,
    };
    let answer = answer_to(filled, question, (limit, way.weights), rows).await?;
    let mut sure = Sure {
        question: question.id.clone(),
        answerable: !gold.is_empty(),
        confidence: answer.confidence.get(),
        together: answer.together,
        first: Vec::new(),
    };
    let mut names: Vec<String> = Vec::new();
    for found in answer.found {
        // What a dream made of rows is no row.
        let Some(name) = name_in(filled, question, found.memory.id, rows) else { continue };
        if sure.first.len() < 10 {
            sure.first.push((found.evidence, found.confidence.get(), gold.contains(name)));
        }
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    Ok((names, sure))
}

/// All together, and each arm alone.
pub(crate) fn arms(weights: Weights, with_model: bool) -> Vec<Way> {
    let way = |name: &str, weights| Way { name: name.to_owned(), weights, limit_by_intent: false };
    let mut ways = vec![
        way("fusion", weights),
        way("words", Weights { words: 1.0, words_beside_model: 1.0, ..Weights::NOTHING }),
        way("table", Weights { table: 1.0, table_beside_model: 1.0, ..Weights::NOTHING }),
    ];
    if with_model {
        ways.push(way("model", Weights { model: 1.0, ..Weights::NOTHING }));
    }
    ways
}

/// Each signal that counts left out, and each that does not put in at the
/// weight somebody proposed for it.
pub(crate) fn ablations(weights: Weights, with_model: bool) -> Vec<Way> {
    let mut ways = vec![Way { name: "fusion".to_owned(), weights, limit_by_intent: false }];
    let mut add = |name: String, change: &dyn Fn(&mut Weights)| {
        let mut changed = weights;
        change(&mut changed);
        if changed != weights {
            ways.push(Way { name, weights: changed, limit_by_intent: false });
        }
    };
    let model_only = ["words_beside_model", "table_beside_model", "model"];
    for name in Weights::NAMES {
        let idle = if with_model { ["words", "table"].contains(name) } else { model_only.contains(name) };
        if !idle && *name != "relevance_share" {
            let leave_out = |weights: &mut Weights| {
                if let Some(weight) = weights.named(name) {
                    *weight = 0.0;
                }
            };
            add(format!("without {name}"), &leave_out);
        }
    }
    for (name, value) in PROPOSED {
        let put_in = |weights: &mut Weights| {
            if let Some(weight) = weights.named(name) {
                *weight = *value;
            }
        };
        add(format!("{name} at {value}"), &put_in);
    }
    let alone = |name: &str, weights| Way { name: name.to_owned(), weights, limit_by_intent: false };
    let nothing = Weights::NOTHING;
    ways.push(alone("reciprocal rank fusion alone", Weights { places: 1.0, ..nothing }));
    let rank = Weights { places: 0.5, words: 0.0, table: 0.0, words_beside_model: 0.0, ..weights };
    let rank = Weights { table_beside_model: 0.0, model: 0.0, ..rank };
    ways.push(alone("reciprocal ranks for words and directions", rank));
    let first = Weights { likeness: 0.4, activation: 0.3, importance: 0.15, places: 0.15, ..nothing };
    ways.push(alone("first composite of the third seed", first));
    let second = Weights { likeness: 0.6, utility: 0.2, importance: 0.2, ..nothing };
    ways.push(alone("second composite of the third seed", second));
    ways.push(Way { limit_by_intent: true, ..alone("limits by intent", weights) });
    ways
}

/// What the designs that proposed a signal give it, or another value.
const PROPOSED: &[(&str, f64)] = &[
    ("activation", 0.3),
    ("activation", 0.1),
    ("importance", 0.15),
    ("utility", 0.2),
    ("utility", 0.1),
    ("utility", 0.05),
    ("together", 0.05),
    ("freshness", 0.1),
    ("kind", 0.1),
    ("entity", 0.1),
    ("entity", 0.03),
    ("graph", 0.2),
    ("graph", 0.05),
    ("episode", 0.15),
    ("sub_tier", 0.1),
    ("mood", 0.1),
    ("hot", 0.1),
    ("recency", 0.2),
    ("order", 0.3),
    ("part", 0.4),
    ("expansion", 0.5),
    ("expansion", 0.75),
    ("intent", 1.0),
    ("intent", 0.5),
    ("relevance_share", 0.9),
    ("relevance_share", 0.7),
];

pub(crate) fn print(results: &[Measured], by_type: bool) {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header([
        "set",
        "questions",
        "way",
        "R@5",
        "R@10",
        "R@all",
        "±",
        "nDCG@10",
        "MRR@10",
        "p50 ms",
        "p95 ms",
        "p99 ms",
    ]);
    for result in results {
        let Mark { at_5, at_10, at_all, ndcg, first } = result.mean;
        table.add_row([
            result.set.clone(),
            result.questions.to_string(),
            result.way.clone(),
            format!("{at_5:.3}"),
            format!("{at_10:.3}"),
            format!("{at_all:.3}"),
            format!("{:.3}", result.uncertainty),
            format!("{ndcg:.3}"),
            format!("{first:.3}"),
            format!("{:.2}", result.median_ms),
            format!("{:.2}", result.p95_ms),
            format!("{:.2}", result.p99_ms),
        ]);
        let apart = result.with_adversarial.iter().map(|(count, mark)| (*count, "with adversarial", mark));
        let kinds = result.by_type.iter().filter(|_| by_type);
        for (count, kind, mark) in
            apart.chain(kinds.map(|(kind, (count, mark))| (*count, kind.as_str(), mark)))
        {
            table.add_row([
                String::new(),
                count.to_string(),
                format!("{}: {kind}", result.way),
                format!("{:.3}", mark.at_5),
                format!("{:.3}", mark.at_10),
                format!("{:.3}", mark.at_all),
                String::new(),
                format!("{:.3}", mark.ndcg),
                format!("{:.3}", mark.first),
            ]);
        }
        if by_type && result.by_type.len() > 1 {
            let kinds = result.by_type.len() as f64;
            let macro_ndcg = result.by_type.values().map(|(_, mark)| mark.ndcg).sum::<f64>() / kinds;
            let macro_10 = result.by_type.values().map(|(_, mark)| mark.at_10).sum::<f64>() / kinds;
            table.add_row([
                String::new(),
                String::new(),
                format!("{}: mean over types", result.way),
                String::new(),
                format!("{macro_10:.3}"),
                String::new(),
                String::new(),
                format!("{macro_ndcg:.3}"),
            ]);
        }
    }
    println!("{table}");
}

/// How well the confidence tells questions with an answer from those without.
pub(crate) fn print_silence(results: &[Measured]) {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(["set", "with answer", "without", "area", "95 % interval"]);
    let (mut all_with, mut all_without) = (Vec::new(), Vec::new());
    let of = |result: &Measured, answerable: bool| -> Vec<f64> {
        let asked = result.sure.iter().filter(|sure| sure.answerable == answerable);
        asked.map(|sure| sure.confidence).collect()
    };
    let mut line = |name: &str, with: &[f64], without: &[f64]| {
        let (area, low, high) = area(with, without);
        table.add_row([
            name.to_owned(),
            with.len().to_string(),
            without.len().to_string(),
            format!("{area:.3}"),
            format!("{low:.2} to {high:.2}"),
        ]);
    };
    for result in results {
        let (with, without) = (of(result, true), of(result, false));
        if without.len() > 3 {
            line(&result.set, &with, &without);
            all_with.extend(with);
            all_without.extend(without);
        }
    }
    if !all_without.is_empty() {
        line("together", &all_with, &all_without);
        println!("\n{table}");
    }
}
