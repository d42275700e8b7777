//! Routes about the things with a name, and how they are bound.

use super::Route;
use crate::asked::{Comma, Count, Line, Nothing, Query, Said};
use axum::http::Method;
use engram_core::Scope;
use engram_core::graph::BondKind;
use engram_wire::Order;
use engram_wire::life::{Entities, EntityChanged, EntityShown, GraphShown};
use engram_wire::message::GraphWhole as Whole;
use engram_wire::window::GraphWhole;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Called {
    /// Only those that are called so.
    q: Option<Query>,
    #[serde(default)]
    limit: Count<1, 200, 50>,
}

#[derive(Deserialize, JsonSchema)]
struct Around {
    #[serde(default)]
    hops: Count<1, 6, 2>,
    /// Only bonds of these kinds. None named: all.
    #[serde(default)]
    kind: Comma<BondKind>,
}

#[derive(Deserialize, JsonSchema)]
struct All {
    /// Left out: every scope that can be seen.
    scope: Option<Scope>,
    /// Only bonds of these kinds. None named: all.
    #[serde(default)]
    kind: Comma<BondKind>,
    /// So many things, the most named first.
    #[serde(default)]
    limit: Count<1, 5000, 2000>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Merging {
    /// What it really is.
    into: Line,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Naming {
    /// What it is called, too.
    alias: Line,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::look::<Called, Entities>(
            "/entities",
            "entities",
            "The things with a name, the most named first.",
            |Called { q, limit }, _| {
                Ok(Order::EntityList { query: q.map(|Said(query)| query), limit: limit.get() })
            },
        ),
        Route::look::<Nothing, EntityShown>(
            "/entities/{name}",
            "entity",
            "What is known about a thing.",
            |_, asked| Ok(Order::EntityShow { entity: asked.name.clone() }),
        ),
        Route::look::<Around, GraphShown>(
            "/entities/{name}/graph",
            "entityGraph",
            "What a thing is bound to, and what that is bound to.",
            |Around { hops, kind: Comma(kinds) }, asked| {
                Ok(Order::Graph { entity: asked.name.clone(), hops: hops.get(), kinds })
            },
        ),
        Route::look::<All, GraphWhole>(
            "/graph",
            "graph",
            "All things with a name, and how they are bound.",
            |All { scope, kind: Comma(kinds), limit }, _| {
                Ok(Order::GraphWhole(Whole { scope, kinds, limit: limit.get() }))
            },
        ),
        Route::change::<Merging, EntityChanged>(
            Method::POST,
            "/entities/{name}/merge",
            "mergeEntity",
            "One thing is another: what is said of the first is said of the second.",
            |Merging { into: Said(into) }, asked| {
                Ok(Order::EntityMerge { operation: asked.operation, entity: asked.name.clone(), into })
            },
        ),
        Route::change::<Naming, EntityChanged>(
            Method::POST,
            "/entities/{name}/alias",
            "aliasEntity",
            "What else a thing is called.",
            |Naming { alias: Said(alias) }, asked| {
                Ok(Order::EntityAlias { operation: asked.operation, entity: asked.name.clone(), alias })
            },
        ),
    ]
}
