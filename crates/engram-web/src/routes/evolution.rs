//! Routes about learning from use: what was learned, what might evolve, and
//! letting it.

use super::Route;
use crate::asked::{Asked, Count, Line, Moment, Query, Said, Text};
use crate::problem::Problem;
use axum::http::Method;
use engram_core::Scope;
use engram_core::evolve::Criteria;
use engram_wire::evolution::{Candidates, EvolutionReports, Evolved, Reflections, SkillsFound, WeightsShown};
use engram_wire::message::{
    EvolutionCandidates, EvolveMerge, EvolveOne, EvolveRefine, InduceSkill, MemoryName,
};
use engram_wire::{Fault, Order};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Learned {
    /// Left out: the project, where one is named, and the user.
    scope: Option<Scope>,
    /// So many of the latest changes.
    #[serde(default)]
    limit: Count<1, 200, 50>,
}

#[derive(Deserialize, JsonSchema)]
struct Ripe {
    /// Left out: whatever there is.
    criteria: Option<Criteria>,
    /// Left out: the project, where one is named, and the user.
    scope: Option<Scope>,
    #[serde(default)]
    limit: Count<1, 200, 50>,
}

#[derive(Deserialize, JsonSchema)]
struct Since {
    /// Left out: since the beginning of the log.
    since: Option<Moment>,
}

#[derive(Deserialize, JsonSchema)]
struct Skilled {
    /// Only those that it asks for.
    q: Option<Query>,
    #[serde(default)]
    limit: Count<1, 200, 50>,
}

#[derive(Deserialize, JsonSchema)]
struct Insightful {
    #[serde(default)]
    limit: Count<1, 200, 50>,
    /// What is no longer so, too.
    #[serde(default)]
    all: bool,
}

/// What is to become of memories.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Act {
    Deprecate,
    Archive,
    Refine,
    Merge,
    Induce,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Acting {
    action: Act,
    /// One of them, save where they are merged or made a skill.
    #[schemars(length(min = 1, max = 50))]
    memories: Vec<Line>,
    /// Kept in their history. A skill has its description for that.
    reason: Option<Line>,
    /// What is said instead. To refine it is needed; otherwise it is put
    /// together from what the memories say.
    text: Option<Text>,
    /// Of a skill.
    name: Option<Line>,
    /// Of a skill: when it is to be used.
    description: Option<Line>,
    /// Why it may be done although a memory is protected.
    justification: Option<Line>,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::look::<Learned, WeightsShown>(
            "/weights",
            "weights",
            "What was learned about searching and keeping, and how it came to be.",
            |Learned { scope, limit }, _| Ok(Order::Weights { scope, history: limit.get() }),
        ),
        Route::look::<Ripe, Candidates>(
            "/evolution/candidates",
            "candidates",
            "What might evolve, the most pressing first.",
            |Ripe { criteria, scope, limit }, _| {
                Ok(Order::EvolutionCandidates(EvolutionCandidates { criteria, limit: limit.get(), scope }))
            },
        ),
        Route::look::<Since, EvolutionReports>(
            "/evolution/report",
            "evolutionReport",
            "What evolved, and when it goes on.",
            |Since { since }, _| Ok(Order::EvolutionReport { since: since.map(|Moment(at)| at) }),
        ),
        Route::look::<Skilled, SkillsFound>("/skills", "skills", "The skills there are.", |asked, _| {
            let Skilled { q, limit } = asked;
            Ok(Order::Skills { query: q.map(|Said(query)| query), limit: limit.get() })
        }),
        Route::look::<Insightful, Reflections>(
            "/insights",
            "insights",
            "What the memory has to tell of itself.",
            |Insightful { limit, all }, _| Ok(Order::Reflect { limit: limit.get(), all }),
        ),
        Route::change::<Acting, Evolved>(
            Method::POST,
            "/evolution/actions",
            "evolve",
            "Lets memories evolve, where there is evidence enough.",
            act,
        ),
    ]
}

fn act(body: Acting, asked: &Asked) -> Result<Order, Problem> {
    let operation = asked.operation;
    let text = body.text.map(|Said(text)| text);
    let reason = |reason: Option<Line>| needed("reason", reason);
    let justification = body.justification.map(|Said(why)| why);
    let memories: Vec<MemoryName> = body.memories.into_iter().map(|Said(memory)| memory).collect();
    Ok(match body.action {
        Act::Deprecate | Act::Archive | Act::Refine => {
            let (memory, reason) = (only(memories)?, reason(body.reason)?);
            let one = EvolveOne { operation, memory, node_type: None, reason, justification };
            match (body.action, text) {
                (Act::Refine, Some(text)) => Order::EvolveRefine(EvolveRefine { one, text }),
                (Act::Refine, None) => return Err(missing("text")),
                (Act::Archive, _) => Order::EvolveArchive(one),
                _ => Order::EvolveDeprecate(one),
            }
        }
        Act::Merge => {
            let reason = reason(body.reason)?;
            Order::EvolveMerge(EvolveMerge {
                operation,
                memories,
                node_type: None,
                text,
                reason,
                justification,
            })
        }
        Act::Induce => {
            let (name, description) = (needed("name", body.name)?, needed("description", body.description)?);
            Order::InduceSkill(InduceSkill { operation, memories, name, description, text, scope: None })
        }
    })
}

fn only(mut memories: Vec<MemoryName>) -> Result<MemoryName, Problem> {
    match memories.pop() {
        Some(memory) if memories.is_empty() => Ok(memory),
        _ => Err(Fault::usage("`memories` has to name one, no more and no less, for this action").into()),
    }
}

fn needed(name: &str, line: Option<Line>) -> Result<String, Problem> {
    line.map(|Said(line)| line).ok_or_else(|| missing(name))
}

fn missing(name: &str) -> Problem {
    Fault::usage(format!("`{name}` is needed for this action")).into()
}
