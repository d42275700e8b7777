//! Routes about looking after the memories.

use super::Route;
use crate::asked::{Count, Nothing};
use axum::http::Method;
use engram_core::Scope;
use engram_core::dream::{Depth, Step};
use engram_wire::Order;
use engram_wire::life::{ConsolidationOffered, DreamReports, Dreamt};
use engram_wire::message::Dream;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Past {
    /// So many of each store.
    #[serde(default)]
    limit: Count<1, 200, 10>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Dreaming {
    /// Only these steps.
    #[serde(default)]
    only: Vec<Step>,
    /// Left out: everything.
    depth: Option<Depth>,
    /// Left out: the project, where one is named, and the user.
    scope: Option<Scope>,
    /// Only tell what would be done; that is waited for.
    #[serde(default)]
    dry_run: bool,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::look::<Past, DreamReports>(
            "/dreams",
            "dreams",
            "What the last dreams did, and what waits to be done.",
            |Past { limit }, _| Ok(Order::DreamReport { limit: limit.get() }),
        ),
        Route::change::<Dreaming, Dreamt>(
            Method::POST,
            "/dreams",
            "dream",
            "Looks after the memories.",
            |Dreaming { only, depth, scope, dry_run }, asked| {
                Ok(Order::Dream(Dream { operation: asked.operation, only, depth, dry_run, scope }))
            },
        )
        .begins(),
        Route::look::<Nothing, ConsolidationOffered>(
            "/consolidation",
            "consolidation",
            "What waits for somebody to sum it up.",
            |_, _| Ok(Order::ConsolidationNext),
        ),
    ]
}
