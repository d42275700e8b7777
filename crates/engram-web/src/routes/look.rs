//! Routes about what was done: operations, recalls, days, sessions, and what
//! waits for somebody to decide.

use super::Route;
use crate::asked::{Count, Nothing};
use crate::problem::Problem;
use axum::http::Method;
use engram_core::decision::Ruling;
use engram_core::dream::Step;
use engram_core::{OperationId, RecallId};
use engram_wire::reply::{
    Changed, Operations, Recalls, RemindersListed, ReviewLine, Reviews, SessionShown, Sessions, Undone,
};
use engram_wire::window::Days;
use engram_wire::{Fault, Order};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Done {
    #[serde(default)]
    limit: Count<1, 200, 50>,
    /// The `next` of the part before.
    before: Option<OperationId>,
}

#[derive(Deserialize, JsonSchema)]
struct Searched {
    #[serde(default)]
    limit: Count<1, 200, 50>,
    /// The `next` of the part before.
    before: Option<RecallId>,
}

#[derive(Deserialize, JsonSchema)]
struct Waiting {
    /// Those that were decided, too.
    #[serde(default)]
    all: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TakingBack {
    /// What is taken back. Left out: the latest.
    target: Option<OperationId>,
    /// Of a dream: this step alone.
    step: Option<Step>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Deciding {
    ruling: Ruling,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::look::<Done, Operations>(
            "/operations",
            "operations",
            "What was changed, the latest first.",
            |Done { limit, before }, _| Ok(Order::Operations { limit: limit.get(), before }),
        ),
        Route::look::<Searched, Recalls>(
            "/recalls",
            "recalls",
            "What was looked for, the latest first.",
            |Searched { limit, before }, _| Ok(Order::Recalls { limit: limit.get(), before }),
        ),
        Route::change::<TakingBack, Undone>(
            Method::POST,
            "/undo",
            "undo",
            "Takes an operation back.",
            |TakingBack { target, step }, asked| Ok(Order::Undo { operation: asked.operation, target, step }),
        ),
        Route::look::<Done, Days>(
            "/days",
            "days",
            "What was learned, corrected and forgotten, day by day; `limit` counts operations.",
            |Done { limit, before }, _| Ok(Order::Days { before, limit: limit.get() }),
        ),
        Route::look::<Waiting, Reviews>(
            "/reviews",
            "reviews",
            "The pairs that wait for somebody to decide.",
            |Waiting { all }, _| Ok(Order::ReviewList { all }),
        ),
        Route::look::<Nothing, ReviewLine>(
            "/reviews/{id}",
            "review",
            "One pair that waits, or was decided.",
            |_, asked| Ok(Order::ReviewShow { review: asked.name.clone() }),
        ),
        Route::change::<Deciding, Changed>(
            Method::POST,
            "/reviews/{id}/ruling",
            "decide",
            "Decides about a pair.",
            |Deciding { ruling }, asked| {
                let (operation, review) = (asked.operation, asked.name.clone());
                Ok(Order::ReviewDecide { operation, review, ruling })
            },
        ),
        Route::look::<Nothing, Sessions>("/sessions", "sessions", "The sessions that are open.", |_, _| {
            Ok(Order::SessionList)
        }),
        Route::look::<Nothing, SessionShown>(
            "/sessions/{id}",
            "session",
            "What is known of a session.",
            |_, asked| {
                let session = asked.name.parse();
                let session = session.map_err(|error| Problem::from(Fault::usage(format!("{error}"))))?;
                Ok(Order::SessionShow { session: Some(session) })
            },
        ),
        Route::look::<Nothing, RemindersListed>(
            "/reminders",
            "reminders",
            "What somebody wants to be reminded of.",
            |_, _| Ok(Order::Reminders),
        ),
    ]
}
