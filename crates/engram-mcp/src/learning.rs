//! Tools of the full profile for what use teaches: evolving by itself and its
//! report, skills, what somebody says of an answer, and reflection.

use crate::catalogue::{Effect, Tool};
use crate::life::DreamShown;
use crate::schema;
use crate::shown::{NOTE, cut, round};
use engram_core::evolve::{ActionsTaken, Detail};
use engram_core::present::age;
use engram_core::recalled::Feedback;
use engram_core::reflect::Insight;
use engram_core::{OperationId, Timestamp};
use engram_wire::evolution::{
    EvolutionReports, Rated, Reflections, SkillLine, SkillsFound, StoreEvolution, StoreReflection,
};
use engram_wire::life::Dreamt;
use engram_wire::message::{Evolve, RecordFeedback};
use engram_wire::{Fault, Order};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// So many skills are shown whole.
const FEW: usize = 3;
/// So many lines of a store are listed.
const MOST: usize = 50;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SkillSearch {
    /// Its name, or what it is needed for.
    query: String,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct SkillsShown {
    note: &'static str,
    skills: Vec<SkillShown>,
}

#[derive(Serialize, JsonSchema)]
struct SkillShown {
    name: String,
    description: String,
    /// Left out: it comes with engram.
    #[serde(skip_serializing_if = "Option::is_none")]
    node_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'static str>,
    protected: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    utility: Option<f64>,
    tried: u32,
    failed: u32,
    /// Whole.
    content: String,
}

impl SkillShown {
    fn of(line: SkillLine) -> Self {
        Self {
            name: line.name,
            description: line.description,
            node_id: line.memory.map(|id| id.to_string()),
            scope: line.scope.map(|scope| scope.as_str()),
            protected: line.protected,
            utility: line.utility.map(|utility| round(utility.get())),
            tried: line.tried,
            failed: line.failed,
            content: line.text,
        }
    }
}

impl Tool for SkillSearch {
    const NAME: &'static str = "skill_search";
    const TITLE: &'static str = "Search skills";
    const ABOUT: &'static str = "The skills that fit best, whole, with how they served. skill-editing, skill-creation \
        and learning-from-experience tell how memories evolve.";
    const EFFECT: Effect = Effect::Looks;
    type Reply = SkillsFound;
    type Shown = SkillsShown;

    fn order(self, _: OperationId) -> Result<Order, Fault> {
        Ok(Order::Skills { query: Some(self.query).filter(|query| !query.trim().is_empty()), limit: FEW })
    }

    fn shown(reply: SkillsFound, _: Timestamp) -> SkillsShown {
        SkillsShown { note: NOTE, skills: reply.skills.into_iter().take(FEW).map(SkillShown::of).collect() }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EvolutionReport {}

#[derive(Serialize, JsonSchema)]
pub(crate) struct ReportShown {
    note: &'static str,
    stores: Vec<StoreShown>,
}

/// The seed's report (S1), and which store it is of.
#[derive(Serialize, JsonSchema)]
struct StoreShown {
    store: String,
    scope: &'static str,
    candidates_evaluated: usize,
    actions_taken: ActionsShown,
    details: Vec<DetailShown>,
    summary: String,
    /// Left out: it does not evolve by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct ActionsShown {
    deprecated: usize,
    refined: usize,
    merged: usize,
    archived: usize,
    induced_skills: usize,
}

#[derive(Serialize, JsonSchema)]
struct DetailShown {
    node_id: String,
    action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_id: Option<String>,
    reason: String,
    undone: bool,
}

impl DetailShown {
    fn of(detail: &Detail) -> Self {
        Self {
            node_id: detail.node_id.to_string(),
            action: detail.action.as_str(),
            new_id: detail.new_id.map(|id| id.to_string()),
            reason: cut(&detail.reason),
            undone: detail.undone,
        }
    }
}

impl StoreShown {
    fn of(store: StoreEvolution, now: Timestamp) -> Self {
        let StoreEvolution { scope, store, report, next } = store;
        let ActionsTaken { deprecated, refined, merged, archived, induced_skills } = report.actions_taken;
        Self {
            store,
            scope: scope.as_str(),
            candidates_evaluated: report.candidates_evaluated,
            actions_taken: ActionsShown { deprecated, refined, merged, archived, induced_skills },
            details: report.details.iter().take(MOST).map(DetailShown::of).collect(),
            summary: report.summary,
            next: next.map(|next| next.at.map_or("with the next evidence".to_owned(), |at| age(at, now))),
        }
    }
}

impl Tool for EvolutionReport {
    const NAME: &'static str = "evolution_report";
    const TITLE: &'static str = "What evolved";
    const ABOUT: &'static str = "What evolved so far and why, by action, and when it goes on by itself.";
    const EFFECT: Effect = Effect::Looks;
    type Reply = EvolutionReports;
    type Shown = ReportShown;

    fn order(self, _: OperationId) -> Result<Order, Fault> {
        Ok(Order::EvolutionReport { since: None })
    }

    fn shown(reply: EvolutionReports, now: Timestamp) -> ReportShown {
        let stores = reply.stores.into_iter().map(|store| StoreShown::of(store, now)).collect();
        ReportShown { note: NOTE, stores }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EvolveNow {
    /// Only tell what would be done.
    #[serde(default)]
    dry_run: bool,
}

impl Tool for EvolveNow {
    const NAME: &'static str = "evolve";
    const TITLE: &'static str = "Evolve by the rules";
    const ABOUT: &'static str = "Do now what is done by itself every few hours: learn how to search from what was \
        used, deprecate what keeps failing, merge what says the same, note insights. Can be undone.";
    const EFFECT: Effect = Effect::Takes;
    type Reply = Dreamt;
    type Shown = DreamShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        Ok(Order::Evolve(Evolve { operation, dry_run: self.dry_run, scope: None, only: Vec::new() }))
    }

    fn shown(reply: Dreamt, _: Timestamp) -> DreamShown {
        DreamShown::of(reply)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RateRecall {
    #[schemars(schema_with = "schema::feedback")]
    feedback: Feedback,
    /// The ids of those that are meant. Left out: those that were used.
    #[serde(default)]
    memories: Vec<String>,
    /// Its id, as recent_recalls shows it. Left out: the last one of this session.
    #[serde(default)]
    recall: String,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct RatedShown {
    operation: String,
    recall: String,
    feedback: &'static str,
    /// Empty: nobody knows which of them it was.
    credited: Vec<CreditShown>,
}

#[derive(Serialize, JsonSchema)]
struct CreditShown {
    memory: String,
    outcome: &'static str,
    utility_before: f64,
    utility: f64,
    /// What was said before and no longer counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    replaced: Option<&'static str>,
}

impl Tool for RateRecall {
    const NAME: &'static str = "rate_recall";
    const TITLE: &'static str = "Rate a recall";
    const ABOUT: &'static str = "Say how a whole answer of recall_memories served, so that searching learns from it. \
        Of one memory use record_outcome.";
    const EFFECT: Effect = Effect::Adds;
    type Reply = Rated;
    type Shown = RatedShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        let Self { feedback, memories, recall } = self;
        let recall = Some(recall).filter(|recall| !recall.trim().is_empty());
        Ok(Order::RecordFeedback(RecordFeedback { operation, recall, feedback, memories }))
    }

    fn shown(reply: Rated, _: Timestamp) -> RatedShown {
        let credited = reply.credited.iter().map(|credit| CreditShown {
            memory: credit.memory.to_string(),
            outcome: credit.outcome.as_str(),
            utility_before: round(credit.utility_before.get()),
            utility: round(credit.utility.get()),
            replaced: credit.replaced.map(|outcome| outcome.as_str()),
        });
        RatedShown {
            operation: reply.operation.to_string(),
            recall: reply.recall.to_string(),
            feedback: reply.feedback.as_str(),
            credited: credited.collect(),
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShowReflections {}

#[derive(Serialize, JsonSchema)]
pub(crate) struct ReflectionsShown {
    note: &'static str,
    stores: Vec<ReflectionShown>,
}

#[derive(Serialize, JsonSchema)]
struct ReflectionShown {
    store: String,
    scope: &'static str,
    insights: Vec<InsightShown>,
    /// Left out: it never reflected.
    #[serde(skip_serializing_if = "Option::is_none")]
    reflected: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct InsightShown {
    insight: &'static str,
    description: String,
    evidence: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    action_taken: Option<String>,
    /// A setting that the user could change.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal: Option<String>,
    seen: String,
}

impl InsightShown {
    fn of(insight: Insight, now: Timestamp) -> Self {
        let proposal = insight.proposal.map(|it| format!("{} = {}: {}", it.setting, it.value, it.why));
        Self {
            insight: insight.insight.as_str(),
            description: cut(&insight.description),
            evidence: insight.evidence.len(),
            action_taken: insight.action_taken,
            proposal,
            seen: age(insight.last_seen_at, now),
        }
    }
}

impl ReflectionShown {
    fn of(store: StoreReflection, now: Timestamp) -> Self {
        let StoreReflection { scope, store, insights, reflections } = store;
        Self {
            store,
            scope: scope.as_str(),
            insights: insights.into_iter().take(MOST).map(|insight| InsightShown::of(insight, now)).collect(),
            reflected: reflections.first().map(|line| age(line.at, now)),
        }
    }
}

impl Tool for ShowReflections {
    const NAME: &'static str = "reflect";
    const TITLE: &'static str = "What the memory knows of itself";
    const ABOUT: &'static str = "What is asked and never answered, what was put away too early, what is used together, \
        and settings that might serve better. Propose a setting to the user; change nothing.";
    const EFFECT: Effect = Effect::Looks;
    type Reply = Reflections;
    type Shown = ReflectionsShown;

    fn order(self, _: OperationId) -> Result<Order, Fault> {
        Ok(Order::Reflect { limit: MOST, all: false })
    }

    fn shown(reply: Reflections, now: Timestamp) -> ReflectionsShown {
        let stores = reply.stores.into_iter().map(|store| ReflectionShown::of(store, now)).collect();
        ReflectionsShown { note: NOTE, stores }
    }
}
