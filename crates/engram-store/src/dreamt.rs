//! What a dream goes by, in rows: its plan, its report, what waits to be summed
//! up, what was made of what, and how things with a name are bound.

use crate::door::Transaction;
use crate::evolved::{EvolvedRow, InsightRow, ReflectionRow};
use crate::heard::{EntityRow, entity_record};
use crate::open::SurrealStore;
use crate::row::{Reader, memory_record, record, record_text, to_datetime};
use engram_core::dream::{
    Awaiting, ConsolidationLogged, ConsolidationRequest, CrossProjectPattern, Dream, Note, Part, StepReport,
};
use engram_core::graph::Bond;
use engram_core::port::{CommitError, ReadError};
use engram_core::{Changes, MemoryId, OperationId, Upkeep, Write};
use surrealdb::types::{Array, Datetime, Object, RecordId, RecordIdKey, SurrealValue, Value};

/// So many parts of a plan are written at once.
const PARTS_AT_ONCE: usize = 20;

#[derive(SurrealValue)]
pub(crate) struct BondRow {
    id: RecordId,
    first: RecordId,
    kind: String,
    second: RecordId,
    weight: f64,
    confidence: f64,
    evidence: Vec<String>,
    valid_from: Datetime,
    invalid_at: Option<Datetime>,
}

impl BondRow {
    fn from_bond(bond: &Bond) -> Self {
        Self {
            id: bond_record(bond),
            first: entity_record(bond.from),
            kind: bond.kind.to_string(),
            second: entity_record(bond.to),
            weight: bond.weight.get(),
            confidence: bond.confidence.get(),
            evidence: bond.evidence.iter().copied().map(String::from).collect(),
            valid_from: to_datetime(bond.valid_from),
            invalid_at: bond.invalid_at.map(to_datetime),
        }
    }

    fn into_bond(self) -> Result<Bond, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(Bond {
            from: reader.key(&self.first)?,
            kind: reader.word(&self.kind)?,
            to: reader.key(&self.second)?,
            weight: reader.number(self.weight)?,
            confidence: reader.number(self.confidence)?,
            evidence: self.evidence.iter().map(|id| reader.word(id)).collect::<Result<_, _>>()?,
            valid_from: reader.moment(self.valid_from)?,
            invalid_at: self.invalid_at.map(|at| reader.moment(at)).transpose()?,
        })
    }
}

#[derive(SurrealValue)]
struct DreamRow {
    id: RecordId,
    trigger: String,
    depth: Option<String>,
    at: Datetime,
    steps: String,
    finished_at: Option<Datetime>,
}

impl DreamRow {
    fn from_dream(dream: &Dream) -> Self {
        Self {
            id: record("dream", dream.id),
            trigger: dream.trigger.to_string(),
            depth: dream.depth.map(|depth| depth.to_string()),
            at: to_datetime(dream.at),
            steps: json(&dream.steps),
            finished_at: dream.finished_at.map(to_datetime),
        }
    }

    fn into_dream(self) -> Result<Dream, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(Dream {
            id: reader.key(&self.id)?,
            trigger: reader.word(&self.trigger)?,
            depth: self.depth.map(|word| reader.word(&word)).transpose()?,
            at: reader.moment(self.at)?,
            steps: serde_json::from_str(&self.steps).map_err(|error| reader.bad(error))?,
            finished_at: self.finished_at.map(|at| reader.moment(at)).transpose()?,
        })
    }
}

#[derive(SurrealValue)]
struct PartRow {
    id: RecordId,
    plan: String,
}

#[derive(SurrealValue)]
struct AwaitingRow {
    id: RecordId,
    memory_ids: Vec<String>,
    topic: String,
    reason: String,
    queued_at: Datetime,
    done_at: Option<Datetime>,
}

impl AwaitingRow {
    fn from_awaiting(awaiting: &Awaiting) -> Self {
        Self {
            id: record("consolidation_queue", awaiting.summary),
            memory_ids: awaiting.sources.iter().copied().map(String::from).collect(),
            topic: awaiting.topic.clone(),
            reason: awaiting.reason.clone(),
            queued_at: to_datetime(awaiting.queued_at),
            done_at: awaiting.done_at.map(to_datetime),
        }
    }

    fn into_awaiting(self) -> Result<Awaiting, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(Awaiting {
            summary: reader.key(&self.id)?,
            sources: self.memory_ids.iter().map(|id| reader.word(id)).collect::<Result<_, _>>()?,
            topic: self.topic,
            reason: self.reason,
            queued_at: reader.moment(self.queued_at)?,
            done_at: self.done_at.map(|at| reader.moment(at)).transpose()?,
        })
    }
}

#[derive(SurrealValue)]
struct LoggedRow {
    id: RecordId,
    operation: String,
    number: i64,
    method: String,
    source_ids: Vec<String>,
    result_ids: Vec<String>,
    consolidated_at: Datetime,
}

impl LoggedRow {
    fn from_logged(logged: &ConsolidationLogged) -> Self {
        let key = vec![Value::String(logged.operation.to_string()), i64::from(logged.number).into_value()];
        let names = |ids: &[MemoryId]| ids.iter().copied().map(String::from).collect();
        Self {
            id: RecordId { table: "consolidation_log".into(), key: RecordIdKey::Array(Array::from(key)) },
            operation: logged.operation.to_string(),
            number: logged.number.into(),
            method: logged.method.to_string(),
            source_ids: names(&logged.sources),
            result_ids: names(&logged.results),
            consolidated_at: to_datetime(logged.at),
        }
    }

    fn into_logged(self) -> Result<ConsolidationLogged, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        let ids = |names: &[String]| names.iter().map(|id| reader.word(id)).collect::<Result<Vec<_>, _>>();
        Ok(ConsolidationLogged {
            operation: reader.word(&self.operation)?,
            number: reader.count(self.number)?,
            method: reader.word(&self.method)?,
            sources: ids(&self.source_ids)?,
            results: ids(&self.result_ids)?,
            at: reader.moment(self.consolidated_at)?,
        })
    }
}

#[derive(SurrealValue)]
struct RequestRow {
    id: RecordId,
    requested_at: Datetime,
    status: String,
    reason: String,
    completed_at: Option<Datetime>,
}

impl RequestRow {
    fn from_request(request: &ConsolidationRequest) -> Self {
        Self {
            id: record("consolidation_request", request.requested_at.as_microsecond()),
            requested_at: to_datetime(request.requested_at),
            status: request.status.to_string(),
            reason: request.reason.clone(),
            completed_at: request.completed_at.map(to_datetime),
        }
    }

    fn into_request(self) -> Result<ConsolidationRequest, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(ConsolidationRequest {
            requested_at: reader.moment(self.requested_at)?,
            status: reader.word(&self.status)?,
            reason: self.reason,
            completed_at: self.completed_at.map(|at| reader.moment(at)).transpose()?,
        })
    }
}

#[derive(SurrealValue)]
struct PatternRow {
    id: RecordId,
    source_projects: Vec<String>,
    observation_count: i64,
    first_observed: Datetime,
    last_observed: Datetime,
}

impl PatternRow {
    fn from_pattern(pattern: &CrossProjectPattern) -> Self {
        Self {
            id: record("cross_project_pattern", pattern.memory),
            source_projects: pattern.projects.iter().cloned().map(String::from).collect(),
            observation_count: pattern.observations.into(),
            first_observed: to_datetime(pattern.first_observed_at),
            last_observed: to_datetime(pattern.last_observed_at),
        }
    }

    fn into_pattern(self) -> Result<CrossProjectPattern, ReadError> {
        let reader = Reader { row: record_text(&self.id) };
        Ok(CrossProjectPattern {
            memory: reader.key(&self.id)?,
            projects: self.source_projects.iter().map(|key| reader.word(key)).collect::<Result<_, _>>()?,
            observations: reader.count(self.observation_count)?,
            first_observed_at: reader.moment(self.first_observed)?,
            last_observed_at: reader.moment(self.last_observed)?,
        })
    }
}

/// Our own nouns always have a JSON form.
fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn bond_record(bond: &Bond) -> RecordId {
    let key = [bond.from.to_string(), bond.kind.to_string(), bond.to.to_string()].map(Value::String);
    RecordId { table: "bond".into(), key: RecordIdKey::Array(Array::from(key.to_vec())) }
}

fn part_record(dream: OperationId, number: u32) -> RecordId {
    let key = vec![Value::String(dream.to_string()), i64::from(number).into_value()];
    RecordId { table: "dream_part".into(), key: RecordIdKey::Array(Array::from(key)) }
}

/// Where a memory stands after upkeep, and the revision it must have before.
fn standing_row(change: &Upkeep) -> Object {
    let after = &change.after;
    let mut row = Object::new();
    row.insert("id", memory_record(change.id));
    row.insert("name", change.id.to_string());
    row.insert("seen", i64::from(change.before.revision));
    row.insert("status", after.status.to_string());
    row.insert("status_at", to_datetime(after.status_change.at));
    row.insert("status_reason", after.status_change.reason.clone());
    row.insert("status_cause", after.status_change.cause.to_string());
    row.insert("tier", after.tier.to_string());
    row.insert("importance", after.importance.get());
    row.insert("confidence", after.confidence.get());
    row.insert("utility", after.utility.get());
    row.insert("pinned", after.pinned);
    row.insert("stability", after.stability.get());
    row.insert("difficulty", after.difficulty.map(|difficulty| difficulty.get()));
    row.insert("fades_at", after.fades_at.map(to_datetime));
    row.insert("revision", i64::from(after.revision));
    row
}

impl Transaction {
    /// Where memories stand, many in one statement.
    pub(crate) fn stand(&mut self, changes: &[&Upkeep], changed: &str) {
        let rows: Vec<Object> = changes.iter().map(|change| standing_row(change)).collect();
        let rows = self.parameter(rows);
        self.say(format!(
            "FOR $kept IN ${rows} {{
                LET $done = UPDATE $kept.id SET status = $kept.status, status_at = $kept.status_at,
                    status_reason = $kept.status_reason, status_cause = $kept.status_cause,
                    tier = $kept.tier, importance = $kept.importance, confidence = $kept.confidence,
                    utility = $kept.utility, pinned = $kept.pinned, stability = $kept.stability,
                    difficulty = $kept.difficulty, fades_at = $kept.fades_at, revision = $kept.revision
                    WHERE revision = $kept.seen RETURN id;
                IF array::len($done) = 0 {{ THROW '{changed}' + $kept.name }};
            }};"
        ));
    }

    /// The things with a name, their bonds, and the rows a dream goes by.
    pub(crate) fn dreamt(&mut self, changes: &Changes) {
        for write in &changes.writes {
            match write {
                Write::Entity { after: Some(after), .. } => {
                    let row = self.parameter(EntityRow::from_entity(after));
                    self.say(format!("UPSERT ${row}.id CONTENT ${row} RETURN NONE;"));
                }
                Write::Entity { before: Some(before), after: None } => {
                    let id = self.parameter(entity_record(before.id));
                    self.say(format!("DELETE ${id} RETURN NONE;"));
                }
                Write::Bond { after: Some(after), .. } => {
                    let row = self.parameter(BondRow::from_bond(after));
                    self.say(format!("UPSERT ${row}.id CONTENT ${row} RETURN NONE;"));
                }
                Write::Bond { before: Some(before), after: None } => {
                    let id = self.parameter(bond_record(before));
                    self.say(format!("DELETE ${id} RETURN NONE;"));
                }
                Write::Note { note } => self.note(note),
                _ => {}
            }
        }
    }

    fn note(&mut self, note: &Note) {
        let row = match note {
            Note::Dream(dream) => self.parameter(DreamRow::from_dream(dream)),
            Note::Awaiting(awaiting) => self.parameter(AwaitingRow::from_awaiting(awaiting)),
            Note::Consolidated(logged) => self.parameter(LoggedRow::from_logged(logged)),
            Note::Request(request) => self.parameter(RequestRow::from_request(request)),
            Note::Pattern(pattern) => self.parameter(PatternRow::from_pattern(pattern)),
            Note::Evolved(logged) => self.parameter(EvolvedRow::from_logged(logged)),
            Note::Insight(insight) => self.parameter(InsightRow::from_insight(insight)),
            Note::Reflected(logged) => self.parameter(ReflectionRow::from_logged(logged)),
            Note::PartDone { dream, number } => {
                let id = self.parameter(part_record(*dream, *number));
                return self.say(format!("DELETE ${id} RETURN NONE;"));
            }
        };
        self.say(format!("UPSERT ${row}.id CONTENT ${row} RETURN NONE;"));
    }

    /// What dreams told of purged memories, and what was planned for them.
    pub(crate) fn scrub_dreams(&mut self, scrubbed: Vec<(OperationId, String)>, purged: &[MemoryId]) {
        for id in purged {
            self.say(format!("DELETE dream_part WHERE string::contains(plan, '{id}') RETURN NONE;"));
        }
        for (dream, steps) in scrubbed {
            let id = self.parameter(record("dream", dream));
            let steps = self.parameter(steps);
            self.say(format!("UPDATE ${id} SET steps = ${steps} RETURN NONE;"));
        }
    }
}

impl SurrealStore {
    pub(crate) async fn bonds(&self) -> Result<Vec<Bond>, ReadError> {
        let rows: Vec<BondRow> = self.read("SELECT * FROM bond", []).await?;
        rows.into_iter().map(BondRow::into_bond).collect()
    }

    /// The parts first, in several steps: without their dream they mean nothing,
    /// and what a plan that was cut short left behind goes before the next.
    pub(crate) async fn keep_plan_of(&self, dream: Dream, parts: Vec<Part>) -> Result<(), CommitError> {
        let mut clearing = Transaction::default();
        clearing.say("DELETE dream_part RETURN NONE;".to_owned());
        self.run(clearing, None).await?;
        for some in parts.chunks(PARTS_AT_ONCE) {
            let mut transaction = Transaction::default();
            let row = |part: &Part| PartRow { id: part_record(dream.id, part.number), plan: json(part) };
            let rows: Vec<PartRow> = some.iter().map(row).collect();
            let rows = transaction.parameter(rows);
            transaction.say(format!("INSERT INTO dream_part ${rows} RETURN NONE;"));
            self.run(transaction, None).await?;
        }
        let mut transaction = Transaction::default();
        transaction.note(&Note::Dream(dream));
        self.run(transaction, None).await
    }

    pub(crate) async fn part_after(&self, dream: OperationId) -> Result<Option<Part>, ReadError> {
        let text = format!("SELECT * FROM dream_part:['{dream}', NONE]..=['{dream}', ..] LIMIT 1");
        let rows: Vec<PartRow> = self.read(&text, []).await?;
        let parsed = rows.into_iter().next().map(|row| {
            let reader = Reader { row: record_text(&row.id) };
            serde_json::from_str(&row.plan).map_err(|error| reader.bad(error))
        });
        parsed.transpose()
    }

    pub(crate) async fn dreams(&self, limit: usize) -> Result<Vec<Dream>, ReadError> {
        let rows: Vec<DreamRow> = self.last_of("dream", limit).await?;
        let mut dreams = rows.into_iter().map(DreamRow::into_dream).collect::<Result<Vec<_>, _>>()?;
        dreams.sort_by_key(|dream| dream.finished_at.is_some());
        Ok(dreams)
    }

    pub(crate) async fn queue(&self) -> Result<Vec<Awaiting>, ReadError> {
        let text = "SELECT * FROM consolidation_queue WHERE done_at IS NONE ORDER BY queued_at, id";
        let rows: Vec<AwaitingRow> = self.read(text, []).await?;
        rows.into_iter().map(AwaitingRow::into_awaiting).collect()
    }

    pub(crate) async fn consolidations(&self, limit: usize) -> Result<Vec<ConsolidationLogged>, ReadError> {
        let rows: Vec<LoggedRow> = self.last_of("consolidation_log", limit).await?;
        rows.into_iter().map(LoggedRow::into_logged).collect()
    }

    pub(crate) async fn requests(&self) -> Result<Vec<ConsolidationRequest>, ReadError> {
        let rows: Vec<RequestRow> =
            self.read("SELECT * FROM consolidation_request ORDER BY requested_at", []).await?;
        rows.into_iter().map(RequestRow::into_request).collect()
    }

    pub(crate) async fn patterns(&self) -> Result<Vec<CrossProjectPattern>, ReadError> {
        let rows: Vec<PatternRow> = self.read("SELECT * FROM cross_project_pattern", []).await?;
        rows.into_iter().map(PatternRow::into_pattern).collect()
    }

    /// The reports of dreams that tell of a purged memory, without that.
    pub(crate) async fn scrubbed_dreams(
        &self,
        purged: &[MemoryId],
    ) -> Result<Vec<(OperationId, String)>, CommitError> {
        let dreams = self.dreams(usize::MAX).await;
        let dreams = dreams.map_err(|error| CommitError::Unavailable(error.to_string()))?;
        let mut scrubbed = Vec::new();
        for dream in dreams {
            let told =
                |step: &StepReport| step.deeds.iter().any(|deed| deed.is_about(|id| purged.contains(&id)));
            if dream.steps.iter().any(told) {
                let mut steps = dream.steps;
                for step in &mut steps {
                    step.deeds.retain(|deed| !deed.is_about(|id| purged.contains(&id)));
                }
                scrubbed.push((dream.id, json(&steps)));
            }
        }
        Ok(scrubbed)
    }
}
