//! The eight tools that every client is offered.
//!
//! Their schemas are sent to the model whether it uses them or not, so they are
//! few and short; a test counts them.

use crate::catalogue::{Effect, Tool};
use crate::schema;
use crate::shown::{ChangeShown, NOTE, StoredShown, cut, gaps, round};
use engram_core::law::utility_now;
use engram_core::present::age;
use engram_core::recalled::Surface;
use engram_core::used::Outcome;
use engram_core::{Kind, OperationId, Scope, Status, Timestamp};
use engram_wire::message::{Narrow, Promote, Recall, Remember};
use engram_wire::reply::{Changed, Found, Inspected, OutcomeRecorded, Promoted, Recalled, Stats};
use engram_wire::{Fault, Order};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

/// So many memories are recalled where nobody says how many, and at most.
const FEW: usize = 5;
const MOST: usize = 20;

fn few() -> usize {
    FEW
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Store {
    /// One self-contained fact in plain words.
    text: String,
    #[serde(default)]
    #[schemars(schema_with = "schema::kind")]
    kind: Option<Kind>,
    #[serde(default)]
    tags: Vec<String>,
    /// Left out: the project, or the user where there is none.
    #[serde(default)]
    #[schemars(schema_with = "schema::scope")]
    scope: Option<Scope>,
    /// Never forget it.
    #[serde(default)]
    pin: bool,
}

impl Tool for Store {
    const NAME: &'static str = "store_memory";
    const TITLE: &'static str = "Store a memory";
    const ABOUT: &'static str = "Keep a fact for later sessions. Use when the user asks to remember, or when \
        something was learned that will matter again: a decision and its reason, a preference, a convention, \
        the cause and cure of an error. One fact per call; no secrets. A fact that is known already is \
        strengthened, not doubled.";
    const EFFECT: Effect = Effect::Adds;
    type Reply = Changed;
    type Shown = StoredShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        let Self { text, kind, tags, scope, pin } = self;
        Ok(Order::Remember(Remember { operation, text, kind, tags, domain: None, scope, pin }))
    }

    fn shown(reply: Changed, now: Timestamp) -> StoredShown {
        StoredShown::of(&reply, now)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recollect {
    /// A question, or words that the memory has.
    query: String,
    #[serde(default)]
    #[schemars(schema_with = "schema::scopes")]
    scopes: Vec<Scope>,
    #[serde(default)]
    #[schemars(schema_with = "schema::kinds")]
    kinds: Vec<Kind>,
    #[serde(default = "few")]
    #[schemars(range(min = 1, max = 20))]
    limit: usize,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct RecallShown {
    note: &'static str,
    hits: Vec<Hit>,
    /// How likely it is that the best hit answers the question.
    confidence: f64,
    /// What this answer lacks.
    gaps: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct Hit {
    id: String,
    text: String,
    kind: &'static str,
    scope: &'static str,
    age: String,
    score: f64,
    confidence: f64,
    /// Only where it is in doubt, or has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
}

impl Hit {
    fn of(found: &Found, now: Timestamp) -> Self {
        let plain = found.status.is_current() && found.status != Status::Challenged;
        Self {
            id: found.memory.id.to_string(),
            text: cut(&found.memory.content),
            kind: found.memory.kind.as_str(),
            scope: found.why.scope.as_str(),
            age: age(found.memory.validity.valid_from, now),
            score: round(found.why.score),
            confidence: round(found.confidence.get()),
            status: (!plain).then(|| found.status.as_str()),
        }
    }
}

impl Tool for Recollect {
    const NAME: &'static str = "recall_memories";
    const TITLE: &'static str = "Recall memories";
    const ABOUT: &'static str = "Search what is remembered. Use when the work needs something from before that \
        is not in view: why a thing is so, how it was done, what the user prefers, what was tried. Returns the \
        best first.";
    const EFFECT: Effect = Effect::Looks;
    type Reply = Recalled;
    type Shown = RecallShown;

    fn order(self, _: OperationId) -> Result<Order, Fault> {
        let narrow = Narrow { scopes: self.scopes, kinds: self.kinds, ..Narrow::default() };
        let limit = Some(self.limit.clamp(1, MOST));
        let via = Some(Surface::Tool);
        Ok(Order::Recall(Recall { query: self.query, narrow, limit, via, ..Recall::default() }))
    }

    fn shown(reply: Recalled, now: Timestamp) -> RecallShown {
        let likely = reply.hits.iter().filter(|found| round(found.confidence.get()) > 0.0);
        RecallShown {
            note: NOTE,
            hits: likely.take(MOST).map(|found| Hit::of(found, now)).collect(),
            confidence: round(reply.confidence.get()),
            gaps: gaps(&reply.gaps),
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Inspect {
    /// Its id, or the end of it.
    memory: String,
}

/// A memory, whole.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Whole {
    note: &'static str,
    id: String,
    text: String,
    kind: &'static str,
    scope: &'static str,
    tier: &'static str,
    status: &'static str,
    status_reason: String,
    tags: Vec<String>,
    age: String,
    last_used: String,
    uses: u32,
    pinned: bool,
    importance: f64,
    confidence: f64,
    utility: f64,
    retention: f64,
    /// Kind of the tie and the memory it goes to, or comes from.
    relations: Vec<Tie>,
}

#[derive(Serialize, JsonSchema)]
struct Tie {
    from: String,
    kind: &'static str,
    to: String,
}

impl Whole {
    pub(crate) fn of(inspected: Inspected, now: Timestamp) -> Self {
        let Inspected { memory, retention, relations, .. } = inspected;
        let utility = round(utility_now(&memory, now).get());
        Self {
            note: NOTE,
            id: memory.id.to_string(),
            kind: memory.kind.as_str(),
            scope: memory.scope.as_str(),
            tier: memory.tier.as_str(),
            status: memory.status.as_str(),
            status_reason: memory.status_change.reason,
            tags: memory.tags.into_iter().collect(),
            age: age(memory.validity.valid_from, now),
            last_used: age(memory.trace.last_used_at, now),
            uses: memory.trace.access_count,
            pinned: memory.pinned,
            importance: round(memory.importance.get()),
            confidence: round(memory.confidence.get()),
            utility,
            retention: round(retention.get()),
            relations: relations
                .iter()
                .map(|tie| Tie {
                    from: tie.from.to_string(),
                    kind: tie.kind.as_str(),
                    to: tie.to.to_string(),
                })
                .collect(),
            text: memory.content,
        }
    }
}

impl Tool for Inspect {
    const NAME: &'static str = "inspect_memory";
    const TITLE: &'static str = "Inspect a memory";
    const ABOUT: &'static str = "One memory whole: its full text, status, use and ties. Use when a recalled text \
        was cut, or to judge how far to trust it.";
    const EFFECT: Effect = Effect::Looks;
    type Reply = Inspected;
    type Shown = Whole;

    fn order(self, _: OperationId) -> Result<Order, Fault> {
        Ok(Order::Inspect { memory: self.memory })
    }

    fn shown(reply: Inspected, now: Timestamp) -> Whole {
        Whole::of(reply, now)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Forget {
    /// Their ids.
    #[schemars(length(min = 1))]
    memories: Vec<String>,
    /// Erase the text for good. Only if the user asks for it.
    #[serde(default)]
    purge: bool,
}

impl Tool for Forget {
    const NAME: &'static str = "forget_memory";
    const TITLE: &'static str = "Forget memories";
    const ABOUT: &'static str = "Forget memories by id. Use when the user asks to forget; for what is merely \
        outdated use update_status. Can be undone, but not with purge.";
    const EFFECT: Effect = Effect::Takes;
    type Reply = Changed;
    type Shown = ChangeShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        if self.memories.is_empty() {
            return Err(Fault::usage("the argument \"memories\" of forget_memory is empty")
                .hint("recall_memories shows the ids"));
        }
        Ok(Order::Forget { operation, memories: self.memories, purge: self.purge })
    }

    fn shown(reply: Changed, now: Timestamp) -> ChangeShown {
        ChangeShown::of(&reply, now)
    }
}

/// What a model may say of a memory. The others follow from what is done with
/// it; to become forgotten takes its text away, and has a tool of its own.
const SAYABLE: [Status; 6] = [
    Status::Active,
    Status::Challenged,
    Status::Superseded,
    Status::Deprecated,
    Status::Invalidated,
    Status::Archived,
];

fn sayable(_: &mut SchemaGenerator) -> Schema {
    schema::words(SAYABLE.map(Status::as_str))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UpdateStatus {
    /// Its id, or the end of it.
    memory: String,
    #[schemars(schema_with = "sayable")]
    status: Status,
    reason: String,
}

impl Tool for UpdateStatus {
    const NAME: &'static str = "update_status";
    const TITLE: &'static str = "Update a memory's status";
    const ABOUT: &'static str = "Say where a memory stands: deprecated if no longer used, invalidated if wrong, \
        superseded if replaced, challenged if in doubt, archived if out of the way, active if it holds again.";
    const EFFECT: Effect = Effect::Takes;
    type Reply = Changed;
    type Shown = ChangeShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        let Self { memory, status, reason } = self;
        if !SAYABLE.contains(&status) {
            let sayable = SAYABLE.map(Status::as_str).join(", ");
            let message =
                format!("the argument \"status\" of update_status cannot be {status}; one of: {sayable}");
            return Err(Fault::usage(message).hint("forget_memory forgets, promote_memories promotes"));
        }
        Ok(Order::Mark { operation, memory, status, reason })
    }

    fn shown(reply: Changed, now: Timestamp) -> ChangeShown {
        ChangeShown::of(&reply, now)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordOutcome {
    /// Its id, or the end of it.
    memory: String,
    #[schemars(schema_with = "schema::outcome")]
    outcome: Outcome,
    /// What it was used for.
    #[serde(default)]
    note: String,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct OutcomeShown {
    operation: String,
    memory: String,
    outcome: &'static str,
    utility_before: f64,
    utility: f64,
    /// What was told before and no longer counts: this takes its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    replaced: Option<&'static str>,
}

impl Tool for RecordOutcome {
    const NAME: &'static str = "record_outcome";
    const TITLE: &'static str = "Record an outcome";
    const ABOUT: &'static str = "Say how acting on a memory went. Use after relying on a recalled memory, so \
        that useful ones come first and wrong ones fade. Of one memory what you say last in a day counts.";
    const EFFECT: Effect = Effect::Adds;
    type Reply = OutcomeRecorded;
    type Shown = OutcomeShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        let Self { memory, outcome, note } = self;
        let note = Some(note).filter(|note| !note.trim().is_empty());
        Ok(Order::RecordOutcome { operation, memory, outcome, note })
    }

    fn shown(reply: OutcomeRecorded, _: Timestamp) -> OutcomeShown {
        OutcomeShown {
            operation: reply.operation.to_string(),
            memory: reply.memory.to_string(),
            outcome: reply.outcome.as_str(),
            utility_before: round(reply.utility_before.get()),
            utility: round(reply.utility.get()),
            replaced: reply.replaced.map(|outcome| outcome.as_str()),
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShowStats {}

#[derive(Serialize, JsonSchema)]
pub(crate) struct StatsShown {
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<String>,
    scopes: Vec<ScopeShown>,
    gaps: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct ScopeShown {
    scope: &'static str,
    memories: usize,
    pinned: usize,
    faded: usize,
    challenged: usize,
    uses: u64,
}

impl Tool for ShowStats {
    const NAME: &'static str = "memory_stats";
    const TITLE: &'static str = "Memory statistics";
    const ABOUT: &'static str =
        "How much is remembered in each scope. Use when asked about the memory itself.";
    const EFFECT: Effect = Effect::Looks;
    type Reply = Stats;
    type Shown = StatsShown;

    fn order(self, _: OperationId) -> Result<Order, Fault> {
        Ok(Order::Stats)
    }

    fn shown(reply: Stats, _: Timestamp) -> StatsShown {
        let scope = |stats: &engram_wire::reply::ScopeStats| ScopeShown {
            scope: stats.scope.as_str(),
            memories: stats.memories,
            pinned: stats.pinned,
            faded: stats.faded,
            challenged: stats.by_status.get(&Status::Challenged).copied().unwrap_or_default(),
            uses: stats.uses,
        };
        StatsShown {
            project: reply.project.map(|project| project.name),
            scopes: reply.scopes.iter().map(scope).collect(),
            gaps: gaps(&reply.gaps),
        }
    }
}

/// Where a memory of a session may go.
fn wider_scope(_: &mut SchemaGenerator) -> Schema {
    schema::words([Scope::Project.as_str(), Scope::User.as_str()])
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PromoteMemories {
    #[schemars(schema_with = "wider_scope")]
    to: Scope,
    /// Their ids. Left out: all of this session that may leave it.
    #[serde(default)]
    memories: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct PromotionsShown {
    operation: String,
    promoted: Vec<PromotionShown>,
    /// Notes of the moment, which stay where they are.
    stayed: usize,
}

#[derive(Serialize, JsonSchema)]
struct PromotionShown {
    memory: String,
    to: &'static str,
    kind: &'static str,
    /// What was known there already and now stands for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    merged_into: Option<String>,
}

impl Tool for PromoteMemories {
    const NAME: &'static str = "promote_memories";
    const TITLE: &'static str = "Promote memories";
    const ABOUT: &'static str = "Carry memories of this session up to the project, or to the user for every \
        project. Use when something of this session should outlive it.";
    const EFFECT: Effect = Effect::Settles;
    type Reply = Promoted;
    type Shown = PromotionsShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        if self.to == Scope::Session {
            return Err(Fault::usage("the argument \"to\" of promote_memories must be project or user"));
        }
        Ok(Order::Promote(Promote { operation, session: None, to: self.to, memories: self.memories }))
    }

    fn shown(reply: Promoted, _: Timestamp) -> PromotionsShown {
        let promoted = reply.promotions.iter().map(|promotion| PromotionShown {
            memory: promotion.memory.to_string(),
            to: promotion.to.as_str(),
            kind: promotion.kind.as_str(),
            merged_into: promotion.merged_into.map(|memory| memory.to_string()),
        });
        PromotionsShown {
            operation: reply.operation.to_string(),
            promoted: promoted.collect(),
            stayed: reply.stayed,
        }
    }
}
