//! The tools there are, and how a call of one becomes an order and its reply an
//! answer.
//!
//! A tool is the type of its arguments. It is pure: it says which order it
//! means and what of the reply is shown.

use crate::server::Server;
use crate::{everyday, evolution, learning, life, lookback, schema, upkeep};
use engram_core::port::Pending;
use engram_core::{OperationId, Timestamp};
use engram_wire::message::Profile;
use engram_wire::{Fault, Order};
use rmcp::RoleServer;
use rmcp::model::{JsonObject, ToolAnnotations};
use rmcp::service::RequestContext;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::str::FromStr;
use std::sync::LazyLock;

/// What a call does to the memories.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Effect {
    /// Nothing.
    Looks,
    /// Something is added; a second call adds again.
    Adds,
    /// A second call with the same arguments changes nothing more.
    Settles,
    /// Something that was so is so no more.
    Takes,
}

/// One thing a model may ask for; the type is that of the arguments.
pub(crate) trait Tool: DeserializeOwned + JsonSchema + Send + 'static {
    const NAME: &'static str;
    const TITLE: &'static str;
    /// What it does, and when to use it.
    const ABOUT: &'static str;
    const EFFECT: Effect;

    type Reply: DeserializeOwned + Send;
    type Shown: Serialize + JsonSchema;

    /// The order it means; an order that changes something is this operation.
    fn order(self, operation: OperationId) -> Result<Order, Fault>;

    /// What of the reply is shown.
    fn shown(reply: Self::Reply, now: Timestamp) -> Self::Shown;
}

type Call =
    for<'a> fn(&'a Server, JsonObject, &'a RequestContext<RoleServer>) -> Pending<'a, Result<Value, Fault>>;

/// A tool as it is listed and called.
pub(crate) struct Entry {
    pub(crate) listed: rmcp::model::Tool,
    pub(crate) call: Call,
    /// It is not among the few of the default profile.
    wider: bool,
}

static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut entries = everyday();
    entries.extend(wider());
    entries
});

fn everyday() -> Vec<Entry> {
    vec![
        entry::<everyday::Store>(),
        entry::<everyday::Recollect>(),
        entry::<everyday::Inspect>(),
        entry::<everyday::Forget>(),
        entry::<everyday::UpdateStatus>(),
        entry::<everyday::RecordOutcome>(),
        entry::<everyday::ShowStats>(),
        entry::<everyday::PromoteMemories>(),
    ]
}

fn wider() -> Vec<Entry> {
    let mut entries = vec![
        entry::<upkeep::ListMemories>(),
        entry::<upkeep::Correct>(),
        entry::<upkeep::Confirm>(),
        entry::<upkeep::Pin>(),
        entry::<lookback::History>(),
        entry::<lookback::Why>(),
        entry::<upkeep::Undo>(),
        entry::<upkeep::ListReviews>(),
        entry::<upkeep::DecideReview>(),
        entry::<lookback::ListSessions>(),
        entry::<lookback::ShowSession>(),
        entry::<lookback::ListReminders>(),
        entry::<lookback::RecentRecalls>(),
        entry::<life::Promote>(),
        entry::<life::Demote>(),
        entry::<life::Consolidate>(),
        entry::<life::DriftCheck>(),
        entry::<life::ConsolidationNext>(),
        entry::<life::ConsolidationSubmit>(),
        entry::<evolution::QueryCandidates>(),
        entry::<evolution::GetUsageHistory>(),
        entry::<evolution::DeprecateNode>(),
        entry::<evolution::RefineNode>(),
        entry::<evolution::MergeNodes>(),
        entry::<evolution::ArchiveNode>(),
        entry::<evolution::InduceASkill>(),
        entry::<learning::SkillSearch>(),
        entry::<learning::EvolutionReport>(),
        entry::<learning::EvolveNow>(),
        entry::<learning::RateRecall>(),
        entry::<learning::ShowReflections>(),
    ];
    entries.iter_mut().for_each(|entry| entry.wider = true);
    entries
}

/// What an agent needs that does nothing but sum up. It reads the texts of
/// memories, so there is nothing here that such a text could talk it into.
const CONSOLIDATOR: [&str; 3] =
    [life::ConsolidationNext::NAME, life::ConsolidationSubmit::NAME, life::Consolidate::NAME];

/// What an agent needs that does nothing but let memories evolve (S1). It reads
/// their texts, too: each of these wants its evidence, whatever a text says, and
/// can be taken back.
const EVOLVER: [&str; 10] = [
    evolution::QueryCandidates::NAME,
    evolution::GetUsageHistory::NAME,
    evolution::DeprecateNode::NAME,
    evolution::RefineNode::NAME,
    evolution::MergeNodes::NAME,
    evolution::ArchiveNode::NAME,
    evolution::InduceASkill::NAME,
    learning::SkillSearch::NAME,
    learning::EvolutionReport::NAME,
    learning::EvolveNow::NAME,
];

/// What a client of this profile is offered.
pub(crate) fn entries(profile: Profile) -> impl Iterator<Item = &'static Entry> {
    ENTRIES.iter().filter(move |entry| match profile {
        Profile::Default => !entry.wider,
        Profile::Full => true,
        Profile::Consolidator => CONSOLIDATOR.contains(&&*entry.listed.name),
        Profile::Evolver => EVOLVER.contains(&&*entry.listed.name),
    })
}

fn entry<T: Tool>() -> Entry {
    let listed = rmcp::model::Tool::new(T::NAME, T::ABOUT, schema::of_input::<T>())
        .with_raw_output_schema(schema::of_output::<T::Shown>())
        .with_title(T::TITLE)
        .with_annotations(annotations(T::EFFECT).open_world(false));
    Entry { listed, call: call::<T>, wider: false }
}

fn annotations(effect: Effect) -> ToolAnnotations {
    let hints = ToolAnnotations::new();
    match effect {
        Effect::Looks => hints.read_only(true).destructive(false).idempotent(true),
        Effect::Adds => hints.read_only(false).destructive(false).idempotent(false),
        Effect::Settles => hints.read_only(false).destructive(false).idempotent(true),
        Effect::Takes => hints.read_only(false).destructive(true).idempotent(true),
    }
}

fn call<'a, T: Tool>(
    server: &'a Server,
    arguments: JsonObject,
    from: &'a RequestContext<RoleServer>,
) -> Pending<'a, Result<Value, Fault>> {
    Box::pin(async move {
        let order = parse::<T>(arguments)?.order(server.desk().operation())?;
        let reply: T::Reply = server.ask(order, from).await?;
        serde_json::to_value(T::shown(reply, server.desk().now()))
            .map_err(|error| Fault::internal(error.to_string()))
    })
}

/// A refusal names the field, so that the model can say it better.
fn parse<T: Tool>(arguments: JsonObject) -> Result<T, Fault> {
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
        let field = error.path().to_string();
        let problem = error.into_inner();
        Fault::usage(match field.as_str() {
            // The problem itself says which field is missing or unknown.
            "." => format!("the arguments of {} do not fit: {problem}", T::NAME),
            field => format!("the argument \"{field}\" of {} does not fit: {problem}", T::NAME),
        })
    })
}

/// An identifier that may be left out; a text of nothing counts as that.
pub(crate) fn id_or_none<T: FromStr>(text: &str) -> Result<Option<T>, Fault>
where
    T::Err: std::fmt::Display,
{
    match text.trim() {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|error: T::Err| Fault::usage(error.to_string())),
    }
}
