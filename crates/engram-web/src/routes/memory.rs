//! Routes about memories: looking for them, at one of them, and changing one.

use super::Route;
use crate::asked::{Asked, Comma, Count, Empty, Line, Moment, Nothing, Query, Said, Tag, Text};
use crate::problem::Problem;
use axum::http::Method;
use engram_core::used::Outcome;
use engram_core::{Kind, Mode, Scope, Status, Tier};
use engram_wire::evolution::UsageHistory;
use engram_wire::life::{CurveOf, TierSet};
use engram_wire::message::{Edit, List, ListCursor, Narrow, Recall, Remember};
use engram_wire::reply::{Changed, HistoryOf, Inspected, Listed, OutcomeRecorded, Recalled, WhyReply};
use engram_wire::{Fault, Order};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Listing {
    #[serde(default)]
    scope: Comma<Scope>,
    #[serde(default)]
    kind: Comma<Kind>,
    #[serde(default)]
    tier: Comma<Tier>,
    /// Left out: those that are in force.
    #[serde(default)]
    status: Comma<Status>,
    /// All of these.
    #[serde(default)]
    tag: Comma<Tag>,
    domain: Option<Line>,
    /// Only those that are pinned.
    #[serde(default)]
    pinned: bool,
    #[serde(default)]
    limit: Count<1, 200, 50>,
    /// The `next` of the part before.
    before: Option<Line>,
}

#[derive(Deserialize, JsonSchema)]
struct Searching {
    /// What is looked for.
    q: Query,
    #[serde(default)]
    scope: Comma<Scope>,
    #[serde(default)]
    kind: Comma<Kind>,
    #[serde(default)]
    tier: Comma<Tier>,
    /// All of these.
    #[serde(default)]
    tag: Comma<Tag>,
    domain: Option<Line>,
    mode: Option<Mode>,
    /// Left out: as many as the setting `recall.limit` says.
    limit: Option<Count<1, 200, 0>>,
    /// What was so at this moment.
    as_of: Option<Moment>,
    /// What was replaced and what has ended, too, in the order of time.
    #[serde(default)]
    timeline: bool,
    /// What is archived, too.
    #[serde(default)]
    archived: bool,
    /// Only what has a word of the query.
    #[serde(default)]
    literal: bool,
    /// How hits are weighed.
    profile: Option<Line>,
}

#[derive(Deserialize, JsonSchema)]
struct Ahead {
    /// So many days ahead. Left out: until it will have faded, and some.
    days: Option<Count<1, 3650, 0>>,
}

#[derive(Deserialize, JsonSchema)]
struct Limited {
    #[serde(default)]
    limit: Count<1, 200, 50>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Remembering {
    text: Text,
    kind: Option<Kind>,
    #[serde(default)]
    tags: Vec<Line>,
    domain: Option<Line>,
    /// Left out: the project when one is named, the user otherwise.
    scope: Option<Scope>,
    /// It does not fade.
    #[serde(default)]
    pin: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Editing {
    kind: Option<Kind>,
    /// All it has from now on.
    tags: Option<Vec<Line>>,
    /// Empty: it has none from now on.
    #[schemars(length(max = 1000))]
    domain: Option<String>,
    /// Empty: it has none from now on.
    #[schemars(length(max = 1000))]
    summary: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Correcting {
    /// What is so instead.
    text: Text,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Pinning {
    pinned: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Marking {
    status: Status,
    /// Kept in its history.
    reason: Line,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Placing {
    tier: Tier,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Telling {
    outcome: Outcome,
    /// What it was used for, in a few words.
    note: Option<Line>,
}

pub(super) fn routes() -> Vec<Route> {
    let mut routes = looking();
    routes.extend(changing());
    routes
}

fn looking() -> Vec<Route> {
    vec![
        Route::look::<Listing, Listed>("/memories", "list", "The memories, the newest first.", list),
        Route::look::<Searching, Recalled>(
            "/recall",
            "recall",
            "What is known about something, with the reasons of every score. Looking here is not use.",
            recall,
        ),
        Route::look::<Nothing, Inspected>("/memories/{id}", "inspect", "One memory.", |_, asked| {
            Ok(Order::Inspect { memory: asked.name.clone() })
        }),
        Route::look::<Nothing, WhyReply>(
            "/memories/{id}/why",
            "why",
            "Where a memory comes from, and what was decided about it.",
            |_, asked| Ok(Order::Why { memory: asked.name.clone() }),
        ),
        Route::look::<Nothing, HistoryOf>(
            "/memories/{id}/history",
            "history",
            "What became of a memory.",
            |_, asked| Ok(Order::History { memory: asked.name.clone() }),
        ),
        Route::look::<Ahead, CurveOf>(
            "/memories/{id}/curve",
            "curve",
            "How a memory fades, since its birth and from now on.",
            |Ahead { days }, asked| {
                Ok(Order::Curve { memory: asked.name.clone(), days: days.map(Count::small) })
            },
        ),
        Route::look::<Limited, UsageHistory>(
            "/memories/{id}/usage",
            "usage",
            "How using a memory went, the latest first.",
            |Limited { limit }, asked| Ok(Order::Usage { memory: asked.name.clone(), limit: limit.get() }),
        ),
    ]
}

fn changing() -> Vec<Route> {
    vec![
        Route::change::<Remembering, Changed>(
            Method::POST,
            "/memories",
            "remember",
            "Keeps something.",
            remember,
        ),
        Route::change::<Editing, Changed>(
            Method::PATCH,
            "/memories/{id}",
            "edit",
            "Sets right what is said about a memory; what it says itself is set right by a correction.",
            edit,
        ),
        Route::change::<Correcting, Changed>(
            Method::POST,
            "/memories/{id}/correction",
            "correct",
            "Another text takes the place of a memory.",
            |Correcting { text: Said(text) }, asked| {
                Ok(Order::Correct { operation: asked.operation, memory: asked.name.clone(), text })
            },
        ),
        Route::change::<Empty, Changed>(
            Method::POST,
            "/memories/{id}/confirmation",
            "confirm",
            "It is so: a memory is confirmed.",
            |_, asked| Ok(Order::Confirm { operation: asked.operation, memory: asked.name.clone() }),
        ),
        Route::change::<Pinning, Changed>(
            Method::PUT,
            "/memories/{id}/pin",
            "pin",
            "A memory does not fade, or fades again.",
            |Pinning { pinned }, asked| {
                Ok(Order::Pin { operation: asked.operation, memory: asked.name.clone(), pinned })
            },
        ),
        Route::change::<Marking, Changed>(
            Method::PUT,
            "/memories/{id}/status",
            "mark",
            "Gives a memory another status.",
            |Marking { status, reason: Said(reason) }, asked| {
                let (operation, memory) = (asked.operation, asked.name.clone());
                Ok(Order::Mark { operation, memory, status, reason })
            },
        ),
        Route::change::<Placing, TierSet>(
            Method::PUT,
            "/memories/{id}/tier",
            "setTier",
            "Puts a memory into another tier.",
            |Placing { tier }, asked| {
                Ok(Order::SetTier { operation: asked.operation, memory: asked.name.clone(), tier })
            },
        ),
        Route::change::<Telling, OutcomeRecorded>(
            Method::POST,
            "/memories/{id}/outcome",
            "recordOutcome",
            "What came of using a memory.",
            |Telling { outcome, note }, asked| {
                let (operation, memory) = (asked.operation, asked.name.clone());
                Ok(Order::RecordOutcome { operation, memory, outcome, note: note.map(|Said(note)| note) })
            },
        ),
        Route::change::<Empty, Changed>(
            Method::POST,
            "/memories/{id}/forgetting",
            "forget",
            "A memory is out of sight until it is recovered.",
            |_, asked| {
                let memories = vec![asked.name.clone()];
                Ok(Order::Forget { operation: asked.operation, memories, purge: false })
            },
        ),
        Route::change::<Empty, Changed>(
            Method::POST,
            "/memories/{id}/recovery",
            "recover",
            "A memory that was forgotten is back.",
            |_, asked| Ok(Order::Unforget { operation: asked.operation, memory: asked.name.clone() }),
        ),
    ]
}

fn list(asked: Listing, _: &Asked) -> Result<Order, Problem> {
    let before = match asked.before {
        None => None,
        Some(Said(before)) => {
            let cursor: ListCursor = before.parse().map_err(usage)?;
            Some(cursor.to_string())
        }
    };
    Ok(Order::List(List {
        narrow: narrow(asked.scope, asked.kind, asked.tier, asked.tag, asked.domain),
        statuses: asked.status.0,
        limit: Some(asked.limit.get()),
        pinned: asked.pinned,
        before,
    }))
}

fn recall(asked: Searching, _: &Asked) -> Result<Order, Problem> {
    Ok(Order::Recall(Recall {
        query: asked.q.0,
        narrow: narrow(asked.scope, asked.kind, asked.tier, asked.tag, asked.domain),
        mode: asked.mode,
        limit: asked.limit.map(Count::get),
        as_of: asked.as_of.map(|Moment(at)| at),
        timeline: asked.timeline,
        archived: asked.archived,
        literal: asked.literal,
        profile: asked.profile.map(|Said(profile)| profile),
        preview: true,
        ..Recall::default()
    }))
}

fn remember(body: Remembering, asked: &Asked) -> Result<Order, Problem> {
    Ok(Order::Remember(Remember {
        operation: asked.operation,
        text: body.text.0,
        kind: body.kind,
        tags: texts(body.tags),
        domain: body.domain.map(|Said(domain)| domain),
        scope: body.scope,
        pin: body.pin,
    }))
}

fn edit(body: Editing, asked: &Asked) -> Result<Order, Problem> {
    Ok(Order::Edit(Edit {
        operation: asked.operation,
        memory: asked.name.clone(),
        kind: body.kind,
        tags: body.tags.map(texts),
        domain: body.domain.map(line_or_empty).transpose()?,
        summary: body.summary.map(line_or_empty).transpose()?,
    }))
}

fn narrow(
    Comma(scopes): Comma<Scope>,
    Comma(kinds): Comma<Kind>,
    Comma(tiers): Comma<Tier>,
    Comma(tags): Comma<Tag>,
    domain: Option<Line>,
) -> Narrow {
    let tags = tags.into_iter().map(|Tag(tag)| tag).collect();
    Narrow { scopes, kinds, tiers, tags, domain: domain.map(|Said(domain)| domain) }
}

fn texts(lines: Vec<Line>) -> Vec<String> {
    lines.into_iter().map(|Said(line)| line).collect()
}

fn line_or_empty(text: String) -> Result<String, Fault> {
    if text.trim().is_empty() {
        return Ok(String::new());
    }
    Line::parse(text).map(|Said(line)| line)
}

fn usage(error: impl std::fmt::Display) -> Problem {
    Fault::usage(error.to_string()).into()
}
