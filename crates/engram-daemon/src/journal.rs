//! What lasts of a session.
//!
//! Its store is in maps; what is acknowledged of it lies here. Each line
//! is one `Changes`, synced before anyone hears of it. Bookkeeping of use
//! and of evidence is not journalled: it may be lost, memories may not.

use engram_core::change::PURGED;
use engram_core::decision::{Decision, Review};
use engram_core::dream::{
    Awaiting, ConsolidationLogged, ConsolidationRequest, CrossProjectPattern, Dream, Part,
};
use engram_core::evolve::EvolutionLogged;
use engram_core::graph::Bond;
use engram_core::law::LogsKept;
use engram_core::learn::{Learned, WeightChange};
use engram_core::link::{KnownEntity, Mention};
use engram_core::port::{CommitError, Histories, Pending, ReadError, Store};
use engram_core::recalled::{RecallLogged, RecallSettled};
use engram_core::reflect::{Insight, ReflectionLogged};
use engram_core::turn::Turn;
use engram_core::used::{Promotion, Usage};
use engram_core::{
    Cause, Changes, Memory, MemoryId, Operation, OperationId, RecallId, Relation, SessionId, StoredVector,
    Timestamp, TurnId, Write,
};
use engram_maps::MapStore;
use engram_wire::platform::{private_append, private_create};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The first line of a journal.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) session: SessionId,
    /// Where it was started; decides the project it belongs to.
    pub(crate) folder: Option<PathBuf>,
    pub(crate) started_at: Timestamp,
}

/// Starts a journal.
pub(crate) fn create(file: &Path, header: &Header) -> io::Result<()> {
    write_whole(file, header, &[])
}

/// Whose journal it is, without reading what it holds.
pub(crate) fn read_header(file: &Path) -> io::Result<Header> {
    let mut first = String::new();
    BufReader::new(File::open(file)?).read_line(&mut first)?;
    serde_json::from_str(&first).map_err(broken)
}

fn broken(problem: serde_json::Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

/// What a journal holds. A last line that a crash cut short was never
/// acknowledged and is left out.
pub(crate) fn read(file: &Path) -> io::Result<(Header, Vec<Changes>)> {
    let mut lines = BufReader::new(File::open(file)?).lines();
    let first = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    let header = serde_json::from_str(&first).map_err(broken)?;
    let rest: Vec<String> = lines.collect::<io::Result<_>>()?;
    let mut changes = Vec::with_capacity(rest.len());
    for (place, line) in rest.iter().enumerate() {
        match serde_json::from_str(line) {
            Ok(change) => changes.push(change),
            Err(_) if place + 1 == rest.len() => {
                tracing::warn!("a torn line at the end of {}", file.display())
            }
            Err(problem) => return Err(broken(problem)),
        }
    }
    Ok((header, changes))
}

/// Reads a journal for a store that is being rebuilt. A daemon that was killed
/// in the middle of a purge left the text behind; here it goes.
pub(crate) fn read_scrubbed(file: &Path) -> io::Result<(Header, Vec<Changes>)> {
    let (header, mut changes) = read(file)?;
    let purges = changes.iter().filter(|change| change.cause == Cause::Purge);
    let (purged, evidence) = purges.fold((Vec::new(), Vec::new()), |(mut purged, mut evidence), change| {
        purged.extend(change.writes.iter().filter_map(Write::memory_id));
        evidence.extend(change.purged_evidence());
        (purged, evidence)
    });
    if !purged.is_empty() {
        changes.iter_mut().for_each(|change| change.scrub(&purged, &evidence));
        write_whole(file, &header, &changes)?;
    }
    Ok((header, changes))
}

/// Puts a mark in the place of every text of a journal that says certain words.
/// Nobody may have its store open.
pub(crate) fn reword(file: &Path, says: &dyn Fn(&str) -> bool) -> io::Result<()> {
    let (header, changes) = read(file)?;
    let mut changed = 0;
    let mut reworded = Vec::with_capacity(changes.len());
    for change in &changes {
        let mut value = serde_json::to_value(change)?;
        changed += engram_core::erase::reword(&mut value, says, PURGED);
        reworded.push(serde_json::from_value(value).map_err(broken)?);
    }
    match changed {
        0 => Ok(()),
        _ => write_whole(file, &header, &reworded),
    }
}

fn write_whole(file: &Path, header: &Header, changes: &[Changes]) -> io::Result<()> {
    let draft = file.with_extension("new");
    let mut text = serde_json::to_vec(header)?;
    text.push(b'\n');
    for change in changes {
        serde_json::to_writer(&mut text, change)?;
        text.push(b'\n');
    }
    let mut output = private_create(&draft)?;
    output.write_all(&text)?;
    output.sync_all()?;
    fs::rename(&draft, file)?;
    match file.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

/// A session's store with its journal in front.
pub(crate) struct JournalledStore {
    inner: Arc<MapStore>,
    file: PathBuf,
    journal: Mutex<File>,
}

impl JournalledStore {
    pub(crate) fn new(inner: Arc<MapStore>, file: PathBuf) -> io::Result<Self> {
        // Never made here: a session whose journal is gone has ended.
        let journal = OpenOptions::new().append(true).read(true).open(&file)?;
        // A torn line must not swallow the next one.
        let whole = fs::read(&file)?;
        if whole.last().is_some_and(|last| *last != b'\n') {
            let end = whole.iter().rposition(|byte| *byte == b'\n').map_or(0, |place| place + 1);
            journal.set_len(end as u64)?;
            journal.sync_all()?;
        }
        Ok(Self { inner, file, journal: Mutex::new(journal) })
    }

    fn append(&self, changes: &Changes) -> io::Result<()> {
        let mut line = serde_json::to_vec(changes)?;
        line.push(b'\n');
        let mut journal = self.journal.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let before = journal.metadata()?.len();
        let written = journal.write_all(&line).and_then(|()| journal.sync_all());
        if written.is_err() {
            // Half a line is taken back, or the next one would be lost with it.
            journal.set_len(before)?;
        }
        written
    }

    /// Takes the text of purged memories out of what was journalled before.
    fn scrub_journal(&self, purged: &[MemoryId], evidence: &[TurnId]) -> io::Result<()> {
        let mut journal = self.journal.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let (header, mut lines) = read(&self.file)?;
        lines.iter_mut().for_each(|line| line.scrub(purged, evidence));
        write_whole(&self.file, &header, &lines)?;
        *journal = private_append(&self.file)?;
        Ok(())
    }
}

impl Store for JournalledStore {
    fn commit(&self, changes: Changes, vectors: Vec<StoredVector>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            let unavailable = |error: io::Error| CommitError::Unavailable(error.to_string());
            self.append(&changes).map_err(unavailable)?;
            self.inner.commit(changes.clone(), vectors).await?;
            match changes.cause {
                Cause::Purge => {
                    let purged: Vec<MemoryId> = changes.writes.iter().filter_map(Write::memory_id).collect();
                    self.scrub_journal(&purged, &changes.purged_evidence()).map_err(unavailable)
                }
                _ => Ok(()),
            }
        })
    }

    fn keep_vectors(&self, vectors: Vec<StoredVector>) -> Pending<'_, Result<(), CommitError>> {
        self.inner.keep_vectors(vectors)
    }

    fn scan_vectors<'a>(
        &'a self,
        take: &'a mut (dyn FnMut(StoredVector) + Send),
    ) -> Pending<'a, Result<(), ReadError>> {
        self.inner.scan_vectors(take)
    }

    fn drop_vectors(&self, embedder: String) -> Pending<'_, Result<(), CommitError>> {
        self.inner.drop_vectors(embedder)
    }

    fn log_recalls(&self, recalls: Vec<RecallLogged>) -> Pending<'_, Result<(), CommitError>> {
        self.inner.log_recalls(recalls)
    }

    fn scrub(&self, purged: Vec<MemoryId>, evidence: Vec<TurnId>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            self.inner.scrub(purged.clone(), evidence.clone()).await?;
            let unavailable = |error: io::Error| CommitError::Unavailable(error.to_string());
            self.scrub_journal(&purged, &evidence).map_err(unavailable)
        })
    }

    fn recalls_before(
        &self,
        before: Option<RecallId>,
        limit: usize,
    ) -> Pending<'_, Result<Vec<RecallLogged>, ReadError>> {
        self.inner.recalls_before(before, limit)
    }

    fn find_recall(&self, id: RecallId) -> Pending<'_, Result<Option<RecallLogged>, ReadError>> {
        self.inner.find_recall(id)
    }

    fn recalls_since(
        &self,
        since: Timestamp,
        limit: usize,
    ) -> Pending<'_, Result<Vec<RecallLogged>, ReadError>> {
        self.inner.recalls_since(since, limit)
    }

    fn recalls_in(
        &self,
        session: SessionId,
        since: Timestamp,
        limit: usize,
    ) -> Pending<'_, Result<Vec<RecallLogged>, ReadError>> {
        self.inner.recalls_in(session, since, limit)
    }

    fn settle_recalls(&self, settled: Vec<RecallSettled>) -> Pending<'_, Result<(), CommitError>> {
        self.inner.settle_recalls(settled)
    }

    fn record_evidence(
        &self,
        usages: Vec<Usage>,
        judged: Vec<Memory>,
    ) -> Pending<'_, Result<(), CommitError>> {
        self.inner.record_evidence(usages, judged)
    }

    fn record_use(&self, used: Vec<Memory>) -> Pending<'_, Result<(), CommitError>> {
        self.inner.record_use(used)
    }

    fn load(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Vec<Memory>, ReadError>> {
        self.inner.load(ids)
    }

    fn scan<'a>(&'a self, take: &'a mut (dyn FnMut(Memory) + Send)) -> Pending<'a, Result<(), ReadError>> {
        self.inner.scan(take)
    }

    fn load_page(
        &self,
        after: Option<MemoryId>,
        limit: usize,
    ) -> Pending<'_, Result<Vec<Memory>, ReadError>> {
        self.inner.load_page(after, limit)
    }

    fn load_history(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Histories, ReadError>> {
        self.inner.load_history(ids)
    }

    fn load_relations(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Vec<Relation>, ReadError>> {
        self.inner.load_relations(ids)
    }

    fn load_edges(&self) -> Pending<'_, Result<Vec<Relation>, ReadError>> {
        self.inner.load_edges()
    }

    fn load_turns(&self, ids: Vec<TurnId>) -> Pending<'_, Result<Vec<Turn>, ReadError>> {
        self.inner.load_turns(ids)
    }

    fn worded_turns_before(&self, moment: Timestamp) -> Pending<'_, Result<Vec<TurnId>, ReadError>> {
        self.inner.worded_turns_before(moment)
    }

    fn unread_turns(&self) -> Pending<'_, Result<Vec<Turn>, ReadError>> {
        self.inner.unread_turns()
    }

    fn latest_turns(
        &self,
        session: Option<SessionId>,
        limit: usize,
    ) -> Pending<'_, Result<Vec<Turn>, ReadError>> {
        self.inner.latest_turns(session, limit)
    }

    fn promotions_from(&self, session: SessionId) -> Pending<'_, Result<Vec<Promotion>, ReadError>> {
        self.inner.promotions_from(session)
    }

    fn usage_of(&self, id: MemoryId) -> Pending<'_, Result<Vec<Usage>, ReadError>> {
        self.inner.usage_of(id)
    }

    fn usages_since(&self, since: Timestamp) -> Pending<'_, Result<Vec<Usage>, ReadError>> {
        self.inner.usages_since(since)
    }

    fn load_learned(&self) -> Pending<'_, Result<Vec<Learned>, ReadError>> {
        self.inner.load_learned()
    }

    fn weight_history(&self, limit: usize) -> Pending<'_, Result<Vec<WeightChange>, ReadError>> {
        self.inner.weight_history(limit)
    }

    fn latest_evolved(&self, since: Timestamp) -> Pending<'_, Result<Vec<EvolutionLogged>, ReadError>> {
        self.inner.latest_evolved(since)
    }

    fn evolved_by(&self, operation: OperationId) -> Pending<'_, Result<Vec<EvolutionLogged>, ReadError>> {
        self.inner.evolved_by(operation)
    }

    fn load_insights(&self) -> Pending<'_, Result<Vec<Insight>, ReadError>> {
        self.inner.load_insights()
    }

    fn latest_reflections(&self, limit: usize) -> Pending<'_, Result<Vec<ReflectionLogged>, ReadError>> {
        self.inner.latest_reflections(limit)
    }

    fn decisions_on(&self, id: MemoryId) -> Pending<'_, Result<Vec<Decision>, ReadError>> {
        self.inner.decisions_on(id)
    }

    fn load_reviews(&self) -> Pending<'_, Result<Vec<Review>, ReadError>> {
        self.inner.load_reviews()
    }

    fn load_entities(&self) -> Pending<'_, Result<Vec<KnownEntity>, ReadError>> {
        self.inner.load_entities()
    }

    fn load_mentions(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Vec<Mention>, ReadError>> {
        self.inner.load_mentions(ids)
    }

    fn find_operation(&self, id: OperationId) -> Pending<'_, Result<Option<Operation>, ReadError>> {
        self.inner.find_operation(id)
    }

    fn operations_before(
        &self,
        before: Option<OperationId>,
        causes: Vec<Cause>,
        limit: usize,
    ) -> Pending<'_, Result<Vec<Operation>, ReadError>> {
        self.inner.operations_before(before, causes, limit)
    }

    fn operations_on(&self, id: MemoryId) -> Pending<'_, Result<Vec<Operation>, ReadError>> {
        self.inner.operations_on(id)
    }

    fn all_mentions(&self) -> Pending<'_, Result<Vec<Mention>, ReadError>> {
        self.inner.all_mentions()
    }

    fn load_bonds(&self) -> Pending<'_, Result<Vec<Bond>, ReadError>> {
        self.inner.load_bonds()
    }

    fn keep_plan(&self, dream: Dream, parts: Vec<Part>) -> Pending<'_, Result<(), CommitError>> {
        self.inner.keep_plan(dream, parts)
    }

    fn next_part(&self, dream: OperationId) -> Pending<'_, Result<Option<Part>, ReadError>> {
        self.inner.next_part(dream)
    }

    fn latest_dreams(&self, limit: usize) -> Pending<'_, Result<Vec<Dream>, ReadError>> {
        self.inner.latest_dreams(limit)
    }

    fn parts_done(&self, whole: OperationId) -> Pending<'_, Result<Vec<Operation>, ReadError>> {
        self.inner.parts_done(whole)
    }

    fn awaiting(&self) -> Pending<'_, Result<Vec<Awaiting>, ReadError>> {
        self.inner.awaiting()
    }

    fn latest_consolidations(
        &self,
        limit: usize,
    ) -> Pending<'_, Result<Vec<ConsolidationLogged>, ReadError>> {
        self.inner.latest_consolidations(limit)
    }

    fn load_requests(&self) -> Pending<'_, Result<Vec<ConsolidationRequest>, ReadError>> {
        self.inner.load_requests()
    }

    fn load_patterns(&self) -> Pending<'_, Result<Vec<CrossProjectPattern>, ReadError>> {
        self.inner.load_patterns()
    }

    fn tidy_logs(&self, kept: LogsKept) -> Pending<'_, Result<usize, CommitError>> {
        self.inner.tidy_logs(kept)
    }
}
