//! A desk that answers from canned replies and notes what it was asked, and a
//! client that speaks raw lines.

#![allow(dead_code, reason = "each of the tests uses a part of it")]

pub(crate) mod calls;
mod evolving;

use engram_core::ask::{Intent, QueryType};
use engram_core::change::{Cause, Write};
use engram_core::dream::{Deed, Depth, Dream, DreamTrigger, Step, StepPlan, StepReport};
use engram_core::evolve::Evolving;
use engram_core::plan::{Draft, Occasion, plan_remember};
use engram_core::port::Pending;
use engram_core::present::{Budget, Tellable, present};
use engram_core::rank::{Evidence, Ranked, ScopeWeights, TextReason};
use engram_core::recalled::{Feedback, RecallLogged, Strategy, Surface};
use engram_core::used::{Promotion, PromotionReason};
use engram_core::{
    Actor, Confidence, IdMint, Memory, MemoryId, OperationId, Provenance, RecallId, Retention, Scope,
    SessionId, Span, Status, StatusStep, Strength, Timestamp, Utility,
};
use engram_mcp::{Context, Desk, Heard, Profile};
use engram_wire::reply::{self, Progress};
use engram_wire::{Fault, Order, Request, life, message};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};

pub(crate) fn now() -> Timestamp {
    Timestamp::from_second(1_800_000_000).unwrap()
}

pub(crate) fn operation() -> OperationId {
    OperationId::from_ulid(IdMint::seeded(7).mint(now()))
}

pub(crate) fn recall_id() -> RecallId {
    RecallId::of(now(), None, "where is the key")
}

/// A memory of three days ago.
pub(crate) fn memory(text: &str) -> Memory {
    let at = now() - Span::from_hours(72);
    let seed = text.bytes().map(u64::from).sum();
    let operation = OperationId::from_ulid(IdMint::seeded(seed).mint(at));
    let occasion = Occasion { operation, actor: Actor::Human, at, recorded_at: at };
    let draft = Draft::parse(text, 10_000).unwrap();
    let provenance = Provenance::stated_by(Actor::Human);
    let changes = plan_remember(draft, Scope::Project, provenance, occasion);
    match changes.writes.into_iter().next() {
        Some(Write::Create { memory }) => *memory,
        other => panic!("{other:?}"),
    }
}

pub(crate) const TEXT: &str = "the staging key is in vault";

/// Answers every order, or refuses every one.
#[derive(Default)]
pub(crate) struct Canned {
    pub(crate) asked: Mutex<Vec<Request>>,
    pub(crate) fault: Option<Fault>,
    pub(crate) progress: Vec<Progress>,
    /// What is remembered; `TEXT` where nothing else is said.
    pub(crate) text: Option<String>,
    /// Everything is summed up already.
    pub(crate) nothing_waits: bool,
}

impl Canned {
    pub(crate) fn memory(&self) -> Memory {
        memory(self.text.as_deref().unwrap_or(TEXT))
    }

    /// The orders so far, as they would be sent.
    pub(crate) fn orders(&self) -> Vec<Value> {
        self.asked
            .lock()
            .unwrap()
            .iter()
            .map(|request| serde_json::to_value(&request.order).unwrap())
            .collect()
    }

    fn reply(&self, order: &Order) -> Value {
        let memory = self.memory();
        let changed = || reply::Changed::of(operation(), vec![memory.clone()], false);
        match order {
            Order::Remember(_)
            | Order::Forget { .. }
            | Order::Mark { .. }
            | Order::Correct { .. }
            | Order::Confirm { .. }
            | Order::Pin { .. }
            | Order::ConsolidationSubmit { .. }
            | Order::ReviewDecide { .. } => json!(changed()),
            Order::Recall(recall) => json!(recalled(&memory, recall.context.is_some())),
            Order::List(_) => json!(reply::Listed { memories: vec![memory], total: 1, next: None }),
            Order::Inspect { .. } => json!(reply::Inspected {
                retention: Retention::clamped(0.912_34),
                strength: Strength::clamped(0.4),
                importance: None,
                importance_terms: Vec::new(),
                storage: None,
                sub_tier: None,
                status_history: Vec::new(),
                relations: Vec::new(),
                memory,
            }),
            Order::RecordOutcome { outcome, .. } => json!(reply::OutcomeRecorded {
                operation: operation(),
                memory: memory.id,
                outcome: *outcome,
                utility_before: Utility::clamped(0.5),
                utility: Utility::clamped(0.577_777),
                replaced: None,
                already: false,
            }),
            Order::Stats => json!(reply::Stats {
                hooks: Default::default(),
                projects: Vec::new(),
                scopes: vec![scope_stats(Scope::Project), scope_stats(Scope::User)],
                project: None,
                gaps: vec![reply::Gap::NoVectors],
            }),
            Order::Promote(promote) => json!(reply::Promoted {
                operation: operation(),
                promotions: vec![promotion(&memory, promote.to)],
                stayed: 2,
            }),
            Order::History { .. } => json!(reply::HistoryOf {
                memory_id: memory.id,
                status_history: vec![StatusStep {
                    from: None,
                    to: Status::Created,
                    change: memory.status_change.clone(),
                }],
                operations_on: Vec::new(),
            }),
            Order::Why { .. } => json!(reply::WhyReply {
                memory,
                evidence: Vec::new(),
                decisions: Vec::new(),
                others: Vec::new(),
                entities: Vec::new(),
                relations: Vec::new(),
                kept_until: None,
            }),
            Order::Undo { target, .. } => json!(reply::Undone {
                operation: operation(),
                undone: target.unwrap_or_else(operation),
                cause: Cause::Remember,
                memories: vec![memory],
                files: Vec::new(),
            }),
            Order::ReviewList { .. } => json!(reply::Reviews { reviews: Vec::new() }),
            Order::SessionList => json!(reply::Sessions { sessions: vec![session_line()] }),
            Order::SessionShow { .. } => json!(reply::SessionShown {
                line: session_line(),
                agent: None,
                memories_here: vec![reply::SessionMemory { memory, score: 0.618_03 }],
                promotions: Vec::new(),
            }),
            Order::Reminders => json!(reply::RemindersListed {
                reminders: vec![reply::ReminderLine {
                    id: memory.id,
                    scope: Scope::User,
                    text: "rotate the keys".into(),
                    when: None,
                    due_at: Some(now() + Span::from_hours(48)),
                    told: false,
                }],
            }),
            Order::Recalls { .. } => {
                let line = reply::RecallLine { scope: Scope::Project, recall: recall_logged(&memory) };
                json!(reply::Recalls { recalls: vec![line], next: None })
            }
            Order::RecordFeedback(order) => json!(evolving::rated(order, &memory)),
            Order::Usage { .. } => json!(evolving::usage(memory)),
            Order::Evolve(order) => {
                let only = if order.only.is_empty() { vec![Step::Forget] } else { order.only.clone() };
                json!(dreamt(order.operation, &only, None, order.dry_run, &memory))
            }
            Order::EvolutionReport { .. } => json!(evolving::report()),
            Order::EvolutionCandidates(order) => json!(evolving::candidates(order, &memory)),
            Order::EvolveDeprecate(one) => {
                json!(evolving::evolved(Evolving::Deprecated, memory.id, &one.reason, None))
            }
            Order::EvolveArchive(one) => {
                json!(evolving::evolved(Evolving::Archived, memory.id, &one.reason, None))
            }
            Order::EvolveRefine(order) => {
                let made = Some(self::memory(&order.text));
                json!(evolving::evolved(Evolving::Refined, memory.id, &order.one.reason, made))
            }
            Order::EvolveMerge(order) => {
                json!(evolving::evolved(Evolving::Merged, memory.id, &order.reason, Some(memory)))
            }
            Order::InduceSkill(order) => {
                json!(evolving::evolved(Evolving::Induced, memory.id, &order.description, Some(memory)))
            }
            Order::Skills { .. } => json!(evolving::skills(&memory)),
            Order::Reflect { .. } => json!(evolving::reflections()),
            Order::SetTier { tier, .. } => json!(life::TierSet {
                operation: operation(),
                before: memory.tier,
                memory: Memory { tier: *tier, ..memory },
            }),
            Order::Dream(message::Dream { operation, only, depth, dry_run, .. }) => {
                json!(dreamt(*operation, only, *depth, *dry_run, &memory))
            }
            Order::ConsolidationNext => json!(life::ConsolidationOffered {
                next: (!self.nothing_waits).then(|| offered(&memory)),
                waiting: if self.nothing_waits { 0 } else { 2 },
            }),
            other => panic!("nobody asks for {}", other.verb()),
        }
    }
}

/// Of each step what there can be to tell: `forget` has done a lot, `drift` found
/// something gone and something back, `compress` was skipped, and all others had
/// nothing to do. The user's store has no working tree.
fn dreamt(
    operation: OperationId,
    only: &[Step],
    depth: Option<Depth>,
    dry_run: bool,
    memory: &Memory,
) -> life::Dreamt {
    let steps: Vec<Step> = match (only, depth) {
        ([], Some(depth)) => depth.steps().collect(),
        (only, _) => only.to_vec(),
    };
    let deed = |what: &str, why: &str| Deed {
        memory: Some(memory.id),
        what: what.into(),
        why: why.into(),
        made: None,
    };
    let report = |step: Step, scope: Scope| {
        let plan = StepPlan::new(step);
        StepReport::of(&match (step, scope) {
            (Step::Forget, Scope::Project) => {
                StepPlan { deeds: vec![deed("archived", "unused for 90 days"); 7], looked_at: 40, ..plan }
            }
            (Step::Drift, Scope::Project) => {
                let gone = deed("challenged", "the code says otherwise: src/old.rs is gone");
                let back = deed("active", "the code bears it out again");
                StepPlan { deeds: vec![gone, back], looked_at: 9, left: 3, ..plan }
            }
            (Step::Drift, _) => StepPlan::skipped(step, "there is no working tree"),
            (Step::Compress, _) => StepPlan::skipped(step, "there are no vectors"),
            _ => plan,
        })
    };
    let store = |scope: Scope| life::StoreDream {
        scope,
        store: scope.as_str().into(),
        dream: Dream {
            id: operation,
            trigger: DreamTrigger::Manual,
            depth,
            at: now(),
            steps: steps.iter().map(|step| report(*step, scope)).collect(),
            finished_at: (!dry_run).then(now),
        },
        memories: 120,
        seconds: 0.4,
        resumed: false,
    };
    life::Dreamt { dry_run, stores: vec![store(Scope::Project), store(Scope::User)] }
}

fn offered(source: &Memory) -> life::Offered {
    life::Offered {
        scope: Scope::Project,
        summary: memory("keys, extracted from 3 memories").id,
        topic: "keys".into(),
        text: "keys, extracted from 3 memories".into(),
        sources: vec![source.clone()],
    }
}

fn recalled(memory: &Memory, told: bool) -> reply::Recalled {
    let confidence = Confidence::clamped(0.876_54);
    let found = reply::Found {
        by_server: false,
        why: Ranked {
            id: memory.id,
            scope: memory.scope,
            score: 0.699_999_9,
            factors: Vec::new(),
            text: TextReason { score: 0.0, terms: Vec::new() },
            scope_weight: 0.35,
            also_in: Vec::new(),
        },
        confidence,
        evidence: Evidence::NOTHING,
        retention: Retention::clamped(1.0),
        supersedes: Vec::new(),
        status: memory.status,
        memory: memory.clone(),
    };
    let tellable = Tellable { memory, scope: memory.scope, confidence, note: None };
    reply::Recalled {
        query: "?".into(),
        hits: vec![found],
        confidence,
        together: Evidence::NOTHING,
        intent: Intent::Factual,
        query_type: QueryType::CodeSearch,
        strategy: Strategy::Keyword,
        trivial: None,
        gaps: vec![reply::Gap::NoVectors],
        searched: Vec::new(),
        profile: "default".into(),
        weights: ScopeWeights::DEFAULT,
        learned: false,
        context: told.then(|| present([tellable], Budget::Tokens(500), now())),
        oldest_at: None,
    }
}

fn recall_logged(memory: &Memory) -> RecallLogged {
    RecallLogged {
        id: recall_id(),
        via: Surface::Tool,
        query: "where is the key".into(),
        query_type: QueryType::RecallFact,
        intent: Intent::Factual,
        strategy: Strategy::Hybrid,
        results_returned: 1,
        results_used: 1,
        user_feedback: Some(Feedback::Helpful),
        latency_ms: 1.5,
        scopes: vec![Scope::Project],
        with_model: false,
        shown: vec![memory.id],
        pool: Vec::new(),
        used: vec![memory.id],
        settled_at: Some(now()),
        confidence: Confidence::clamped(0.876_54),
        session: None,
        at: now() - Span::from_hours(1),
    }
}

fn scope_stats(scope: Scope) -> reply::ScopeStats {
    reply::ScopeStats {
        scope,
        memories: 12,
        sheets: 0,
        by_status: BTreeMap::from([(Status::Active, 11), (Status::Challenged, 1)]),
        by_kind: BTreeMap::new(),
        pinned: 2,
        faded: 3,
        uses: 40,
        bytes_on_disk: 1_000,
        vectors: None,
    }
}

fn promotion(memory: &Memory, to: Scope) -> Promotion {
    Promotion {
        memory: memory.id,
        session: None,
        from: Scope::Session,
        to,
        kind: memory.kind,
        reason: PromotionReason::Explicit,
        score: 0.5,
        merged_into: None,
        at: now(),
    }
}

fn session_line() -> reply::SessionLine {
    reply::SessionLine {
        promoted: 1,
        summary: Some("keys were moved".into()),
        session: SessionId::from_ulid(IdMint::seeded(3).mint(now())),
        status: "open".into(),
        started_at: Some(now() - Span::from_hours(2)),
        ended_at: None,
        memories: 1,
    }
}

impl Desk for Canned {
    fn obey(&self, request: Request, heard: Heard) -> Pending<'_, Result<Value, Fault>> {
        Box::pin(async move {
            let reply = match &self.fault {
                Some(fault) => Err(fault.clone()),
                None => Ok(self.reply(&request.order)),
            };
            self.asked.lock().unwrap().push(request);
            for progress in &self.progress {
                heard(progress.clone());
                tokio::task::yield_now().await;
            }
            reply
        })
    }

    fn operation(&self) -> OperationId {
        operation()
    }

    fn now(&self) -> Timestamp {
        now()
    }
}

pub(crate) fn context() -> Context {
    Context {
        folder: Some("/home/ada/shop".into()),
        session: None,
        actor: Actor::Assistant,
        settings: Vec::new(),
        said_at: None,
        again: false,
        quiet: false,
        agent: None,
    }
}

pub(crate) fn some_id() -> MemoryId {
    memory(TEXT).id
}

/// The revisions of the protocol that are spoken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Revision {
    /// With a greeting.
    Of2025,
    /// Every request stands for itself.
    Of2026,
}

/// What each request of 2026-07-28 carries.
pub(crate) fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// A client over a stream.
pub(crate) struct Client {
    revision: Revision,
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: WriteHalf<DuplexStream>,
    next: u64,
    /// What was told besides the answers.
    pub(crate) notes: Vec<Value>,
}

impl Client {
    /// Not yet greeted.
    pub(crate) fn connect(desk: Arc<Canned>, profile: Profile, revision: Revision) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        tokio::spawn(engram_mcp::serve(theirs, desk, context(), profile));
        let (read, write) = tokio::io::split(ours);
        Self { revision, lines: BufReader::new(read).lines(), write, next: 1, notes: Vec::new() }
    }

    /// Greeted; with the server's first words.
    pub(crate) async fn greet(desk: Arc<Canned>, profile: Profile, revision: Revision) -> (Self, Value) {
        let mut client = Self::connect(desk, profile, revision);
        let welcome = match revision {
            Revision::Of2026 => client.ask("server/discover", json!({})).await["result"].clone(),
            Revision::Of2025 => client.hello().await,
        };
        (client, welcome)
    }

    /// The greeting of 2025-11-25, and what comes back.
    pub(crate) async fn hello(&mut self) -> Value {
        let hello = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        let welcome = self.ask("initialize", hello).await["result"].clone();
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        welcome
    }

    async fn send(&mut self, message: &Value) {
        self.say(&message.to_string()).await;
    }

    /// One line, whatever it is.
    pub(crate) async fn say(&mut self, line: &str) {
        self.write.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    /// The whole answer; what is told before it goes to the notes.
    pub(crate) async fn ask(&mut self, method: &str, mut params: Value) -> Value {
        if self.revision == Revision::Of2026 {
            let mut all = meta();
            if let Some(own) = params["_meta"].as_object() {
                all.as_object_mut().unwrap().extend(own.clone());
            }
            params["_meta"] = all;
        }
        let id = self.next;
        self.next += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
        loop {
            let line = self.lines.next_line().await.unwrap().expect("the server went away");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return message;
            }
            self.notes.push(message);
        }
    }

    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await["result"].clone()
    }
}
