//! Tools of the full profile for a memory's life: the tier it is in, dreams,
//! what the code no longer bears out, and summaries that wait for somebody to
//! write them.

use crate::catalogue::{Effect, Tool};
use crate::schema;
use crate::shown::{Brief, ChangeShown, NOTE, cut};
use engram_core::dream::{Deed, Depth, Step, StepReport};
use engram_core::present::age;
use engram_core::{Memory, OperationId, Status, Tier, Timestamp};
use engram_wire::life::{ConsolidationOffered, Dreamt, Offered, StoreDream, TierSet};
use engram_wire::message::Dream;
use engram_wire::reply::Changed;
use engram_wire::{Fault, Order};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

/// So many deeds of a step are named; the rest is counted.
const FEW: usize = 5;
/// So many memories that drifted are named.
const MOST: usize = 50;

/// No tier lies above these. `episodic` does not belong here: for what is known it
/// would be a step down, and a tool does not see what a memory is before.
const UP: [Tier; 2] = [Tier::Semantic, Tier::Procedural];
const DOWN: [Tier; 2] = [Tier::Episodic, Tier::Working];

fn up(_: &mut SchemaGenerator) -> Schema {
    schema::words(UP.map(Tier::as_str))
}

fn down(_: &mut SchemaGenerator) -> Schema {
    schema::words(DOWN.map(Tier::as_str))
}

/// The order, if the tool goes to this tier.
fn to_tier(
    tool: &str,
    allowed: [Tier; 2],
    operation: OperationId,
    memory: String,
    tier: Tier,
) -> Result<Order, Fault> {
    if !allowed.contains(&tier) {
        let allowed = allowed.map(Tier::as_str).join(", ");
        let message = format!("the argument \"tier\" of {tool} cannot be {tier}; one of: {allowed}");
        return Err(Fault::usage(message)
            .hint("promote moves a memory to a more settled tier, demote to a less settled one"));
    }
    Ok(Order::SetTier { operation, memory, tier })
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct TierShown {
    note: &'static str,
    operation: String,
    before: &'static str,
    tier: &'static str,
    memory: Brief,
}

impl TierShown {
    fn of(reply: &TierSet, now: Timestamp) -> Self {
        Self {
            note: NOTE,
            operation: reply.operation.to_string(),
            before: reply.before.as_str(),
            tier: reply.memory.tier.as_str(),
            memory: Brief::of(&reply.memory, now),
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Promote {
    /// Its id, or the end of it.
    memory: String,
    #[schemars(schema_with = "up")]
    tier: Tier,
}

impl Tool for Promote {
    const NAME: &'static str = "promote";
    const TITLE: &'static str = "Promote a memory to a tier";
    const ABOUT: &'static str = "Put one memory into a more settled tier, where it fades more slowly: semantic if \
        it is so, procedural if it tells how to do something. promote_memories carries to another scope.";
    const EFFECT: Effect = Effect::Settles;
    type Reply = TierSet;
    type Shown = TierShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        to_tier(Self::NAME, UP, operation, self.memory, self.tier)
    }

    fn shown(reply: TierSet, now: Timestamp) -> TierShown {
        TierShown::of(&reply, now)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Demote {
    /// Its id, or the end of it.
    memory: String,
    #[schemars(schema_with = "down")]
    tier: Tier,
}

impl Tool for Demote {
    const NAME: &'static str = "demote";
    const TITLE: &'static str = "Demote a memory to a tier";
    const ABOUT: &'static str = "Put one memory one step down, where it fades faster: from semantic or procedural \
        to episodic, from episodic to working. Not a pinned one.";
    const EFFECT: Effect = Effect::Takes;
    type Reply = TierSet;
    type Shown = TierShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        to_tier(Self::NAME, DOWN, operation, self.memory, self.tier)
    }

    fn shown(reply: TierSet, now: Timestamp) -> TierShown {
        TierShown::of(&reply, now)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Consolidate {
    /// Only these steps.
    #[serde(default)]
    #[schemars(schema_with = "schema::steps")]
    only: Vec<Step>,
    /// Left out: full. Not together with only.
    #[serde(default)]
    #[schemars(schema_with = "schema::depth")]
    depth: Option<Depth>,
    /// Only tell what would be done.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct DreamShown {
    note: &'static str,
    dry_run: bool,
    stores: Vec<StoreShown>,
}

impl DreamShown {
    pub(crate) fn of(reply: Dreamt) -> Self {
        let Dreamt { dry_run, stores } = reply;
        let stores = stores.into_iter().map(|store| StoreShown::of(store, dry_run)).collect();
        Self { note: NOTE, dry_run, stores }
    }
}

#[derive(Serialize, JsonSchema)]
struct StoreShown {
    store: String,
    scope: &'static str,
    /// What `undo` takes back, whole or by step. A dry run leaves nothing to
    /// take back.
    #[serde(skip_serializing_if = "Option::is_none")]
    operation: Option<String>,
    memories: usize,
    /// The steps of which there is something to tell.
    steps: Vec<StepShown>,
    /// The others, which found nothing to do.
    idle: Vec<&'static str>,
}

#[derive(Serialize, JsonSchema)]
struct StepShown {
    step: &'static str,
    looked_at: usize,
    done: usize,
    /// The first of them.
    deeds: Vec<DeedShown>,
    /// For another night.
    left: usize,
    /// Not done, because somebody changed it meanwhile.
    overtaken: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct DeedShown {
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<String>,
    what: String,
    why: String,
}

impl DeedShown {
    fn of(deed: &Deed) -> Self {
        Self {
            memory: deed.memory.map(|memory| memory.to_string()),
            what: deed.what.clone(),
            why: cut(&deed.why),
        }
    }
}

impl StepShown {
    fn of(report: &StepReport) -> Self {
        Self {
            step: report.step.as_str(),
            looked_at: report.looked_at,
            done: report.done,
            deeds: report.deeds.iter().take(FEW).map(DeedShown::of).collect(),
            left: report.left,
            overtaken: report.overtaken.len(),
            skipped: report.skipped.clone(),
        }
    }
}

impl StoreShown {
    fn of(store: StoreDream, dry_run: bool) -> Self {
        let is_idle = |report: &&StepReport| {
            report.done == 0 && report.left == 0 && report.overtaken.is_empty() && report.skipped.is_none()
        };
        let (idle, told): (Vec<&StepReport>, Vec<&StepReport>) = store.dream.steps.iter().partition(is_idle);
        Self {
            scope: store.scope.as_str(),
            operation: (!dry_run).then(|| store.dream.id.to_string()),
            memories: store.memories,
            steps: told.into_iter().map(StepShown::of).collect(),
            idle: idle.into_iter().map(|report| report.step.as_str()).collect(),
            store: store.store,
        }
    }
}

impl Tool for Consolidate {
    const NAME: &'static str = "consolidate";
    const TITLE: &'static str = "Consolidate the memory";
    const ABOUT: &'static str = "Dream: look after the memories of the project and the user now. What faded is put \
        away, what belongs together is summed up, what cannot both be so is queued for review. Can be undone.";
    const EFFECT: Effect = Effect::Takes;
    type Reply = Dreamt;
    type Shown = DreamShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        let Self { only, depth, dry_run } = self;
        let depth = match (only.is_empty(), depth) {
            (true, depth) => Some(depth.unwrap_or(Depth::Full)),
            (false, None) => None,
            (false, Some(_)) => {
                let message = "the arguments \"only\" and \"depth\" of consolidate do not go together";
                return Err(Fault::usage(message).hint("a depth stands for its steps; name one or the other"));
            }
        };
        Ok(Order::Dream(Dream { operation, only, depth, dry_run, scope: None }))
    }

    fn shown(reply: Dreamt, _: Timestamp) -> DreamShown {
        DreamShown::of(reply)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DriftCheck {}

#[derive(Serialize, JsonSchema)]
pub(crate) struct DriftShown {
    note: &'static str,
    /// What would be done about each, and why.
    drifted: Vec<DeedShown>,
    /// Challenged by the code before, and borne out now.
    holds_again: Vec<DeedShown>,
    /// So many claims were held against the code, and so many were not.
    looked_at: usize,
    left: usize,
    /// Why a store was not looked through.
    skipped: Vec<String>,
}

impl Tool for DriftCheck {
    const NAME: &'static str = "drift_check";
    const TITLE: &'static str = "Check memories against the code";
    const ABOUT: &'static str = "Which memories the code no longer bears out, and why: a file, name or command \
        they speak of is gone, a version or port is another. Those challenged already are not named again. \
        Changes nothing.";
    const EFFECT: Effect = Effect::Looks;
    type Reply = Dreamt;
    type Shown = DriftShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        let only = vec![Step::Drift];
        Ok(Order::Dream(Dream { operation, only, depth: None, dry_run: true, scope: None }))
    }

    fn shown(reply: Dreamt, _: Timestamp) -> DriftShown {
        let mut shown = DriftShown {
            note: NOTE,
            drifted: Vec::new(),
            holds_again: Vec::new(),
            looked_at: 0,
            left: 0,
            skipped: Vec::new(),
        };
        for store in &reply.stores {
            for report in store.dream.steps.iter().filter(|report| report.step == Step::Drift) {
                let again = |deed: &&Deed| deed.what == Status::Active.as_str();
                let (again, gone): (Vec<&Deed>, Vec<&Deed>) = report.deeds.iter().partition(again);
                shown.drifted.extend(gone.into_iter().map(DeedShown::of));
                shown.holds_again.extend(again.into_iter().map(DeedShown::of));
                shown.looked_at += report.looked_at;
                shown.left += report.left;
                shown.skipped.extend(report.skipped.as_ref().map(|why| format!("{}: {why}", store.scope)));
            }
        }
        shown.drifted.truncate(MOST);
        shown.holds_again.truncate(MOST);
        shown
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConsolidationNext {}

#[derive(Serialize, JsonSchema)]
pub(crate) struct OfferShown {
    note: &'static str,
    /// With this one.
    waiting: usize,
    /// Left out: nothing waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<NextShown>,
}

#[derive(Serialize, JsonSchema)]
struct NextShown {
    summary: String,
    topic: String,
    scope: &'static str,
    /// What it says so far.
    text: String,
    sources: Vec<SourceShown>,
}

/// Whole, because what is cut off would be missing in the summary. A summary has
/// a dozen sources at most.
#[derive(Serialize, JsonSchema)]
struct SourceShown {
    id: String,
    text: String,
    kind: &'static str,
    age: String,
}

impl SourceShown {
    fn of(memory: Memory, now: Timestamp) -> Self {
        Self {
            id: memory.id.to_string(),
            kind: memory.kind.as_str(),
            age: age(memory.validity.valid_from, now),
            text: memory.content,
        }
    }
}

impl NextShown {
    fn of(offered: Offered, now: Timestamp) -> Self {
        Self {
            summary: offered.summary.to_string(),
            topic: offered.topic,
            scope: offered.scope.as_str(),
            text: offered.text,
            sources: offered.sources.into_iter().map(|memory| SourceShown::of(memory, now)).collect(),
        }
    }
}

impl Tool for ConsolidationNext {
    const NAME: &'static str = "consolidation_next";
    const TITLE: &'static str = "What waits to be summed up";
    const ABOUT: &'static str = "The oldest summary that waits to be written in words, with its sources whole. \
        Answer with consolidation_submit.";
    const EFFECT: Effect = Effect::Looks;
    type Reply = ConsolidationOffered;
    type Shown = OfferShown;

    fn order(self, _: OperationId) -> Result<Order, Fault> {
        Ok(Order::ConsolidationNext)
    }

    fn shown(reply: ConsolidationOffered, now: Timestamp) -> OfferShown {
        let next = reply.next.map(|offered| NextShown::of(offered, now));
        OfferShown { note: NOTE, waiting: reply.waiting, next }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConsolidationSubmit {
    /// The id that consolidation_next gave.
    summary: String,
    /// A few sentences: what the sources say, and nothing else.
    text: String,
}

impl Tool for ConsolidationSubmit {
    const NAME: &'static str = "consolidation_submit";
    const TITLE: &'static str = "Submit a summary";
    const ABOUT: &'static str = "Write the summary that consolidation_next offered. Keep names, numbers and paths \
        of the sources, and their language.";
    const EFFECT: Effect = Effect::Takes;
    type Reply = Changed;
    type Shown = ChangeShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        let Self { summary, text } = self;
        if text.trim().is_empty() {
            return Err(Fault::usage("the argument \"text\" of consolidation_submit is empty")
                .hint("say in a few sentences what the sources say"));
        }
        Ok(Order::ConsolidationSubmit { operation, summary, text })
    }

    fn shown(reply: Changed, now: Timestamp) -> ChangeShown {
        ChangeShown::of(&reply, now)
    }
}
