//! Routes about the window itself, and about engram as a whole.

use super::{Access, Does, Route, gives, takes};
use crate::asked::{Asked, Count, Line, Nothing, Said, told};
use crate::door::Mode;
use crate::openapi;
use crate::problem::Problem;
use crate::stream::Listening;
use axum::http::Method;
use engram_core::port::Pending;
use engram_wire::activity::Activities;
use engram_wire::reply::{BackedUp, Examined, Health, Stats};
use engram_wire::window::{Projects, SettingsListed, Stores, WindowShown};
use engram_wire::{Order, PROTOCOL, VERSION};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Ticket {
    /// What stands in the address that `engram ui` opens.
    ticket: Line,
}

/// The key that a ticket is good for.
#[derive(Serialize, JsonSchema)]
struct Admitted {
    token: String,
    /// It is for looking only.
    read_only: bool,
}

#[derive(Deserialize, JsonSchema)]
struct Lately {
    #[serde(default)]
    limit: Count<1, 200, 50>,
    /// Of every project.
    #[serde(default)]
    all: bool,
}

#[derive(Deserialize, JsonSchema)]
struct Back {
    /// How far back growth is counted.
    #[serde(default)]
    days: Count<1, 366, 90>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MakeBackup {
    /// Every project that is known, and not only the one that is named.
    #[serde(default)]
    all_projects: bool,
}

pub(super) fn routes() -> Vec<Route> {
    let own = |method, path, id, summary, access, reply, does| Route {
        method,
        path,
        id,
        summary,
        tag: "",
        access,
        common: false,
        query: None,
        body: None,
        reply,
        does,
    };
    vec![
        own(
            Method::GET,
            "",
            "window",
            "What this window is, and whether something may be changed through it.",
            Access::Read,
            gives::<WindowShown>,
            Does::Tells(window),
        ),
        own(
            Method::GET,
            "/openapi.json",
            "document",
            "This document.",
            Access::Open,
            any_object,
            Does::Tells(document),
        ),
        Route {
            body: Some(takes::<Ticket>),
            ..own(
                Method::POST,
                "/tickets",
                "admit",
                "The key that a ticket of `engram ui` is good for, once.",
                Access::Open,
                gives::<Admitted>,
                Does::Tells(admit),
            )
        },
        Route::look::<Lately, Activities>(
            "/activity",
            "activity",
            "What went on lately, the oldest first.",
            |Lately { limit, all }, _| Ok(Order::Activity { limit: limit.get(), all }),
        ),
        Route {
            common: true,
            query: Some(takes::<Listening>),
            ..own(
                Method::GET,
                "/activity/stream",
                "listen",
                "What goes on, as it happens. Each `data` is an `Activity`.",
                Access::Read,
                gives::<String>,
                Does::Listens,
            )
        },
        Route::look::<Nothing, Health>("/health", "health", "How the daemon fares.", |_, _| {
            Ok(Order::Status)
        }),
        Route::look::<Nothing, Stats>("/stats", "stats", "How much there is, and how it is used.", |_, _| {
            Ok(Order::Stats)
        }),
        Route::look::<Nothing, Examined>("/checks", "checks", "Whether everything is sound.", |_, _| {
            Ok(Order::Doctor { repair: false })
        }),
        Route::look::<Nothing, Projects>(
            "/projects",
            "projects",
            "The projects that somebody ever worked in.",
            |_, _| Ok(Order::Projects),
        ),
        Route::look::<Back, Stores>(
            "/stores",
            "stores",
            "The stores that can be seen, and how they grew.",
            |Back { days }, _| Ok(Order::Stores { days: days.small() }),
        ),
        Route::look::<Nothing, SettingsListed>(
            "/settings",
            "settings",
            "Every setting in force, and where its value comes from.",
            |_, _| Ok(Order::Settings),
        ),
        Route::change::<MakeBackup, BackedUp>(
            Method::POST,
            "/backups",
            "backUp",
            "Makes a backup among the others.",
            |MakeBackup { all_projects }, asked| {
                Ok(Order::Backup { file: asked.desk.backup_file(), all_projects, to: Vec::new() })
            },
        )
        .begins(),
    ]
}

fn window(asked: Asked) -> Pending<'static, Result<Value, Problem>> {
    Box::pin(async move {
        let (home, started_at) = asked.desk.home();
        told(&WindowShown {
            version: VERSION.to_owned(),
            protocol: PROTOCOL,
            read_only: asked.mode != Some(Mode::Owner),
            home,
            started_at,
        })
    })
}

fn any_object(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object" })
}

fn document(_: Asked) -> Pending<'static, Result<Value, Problem>> {
    Box::pin(async { Ok(openapi::document().clone()) })
}

fn admit(asked: Asked) -> Pending<'static, Result<Value, Problem>> {
    Box::pin(async move {
        let Ticket { ticket: Said(ticket) } = asked.body()?;
        let mode = asked.desk.redeem(&ticket).ok_or_else(Problem::no_ticket)?;
        let read_only = mode == Mode::Reader || asked.keys.read_only;
        let token = if read_only { asked.keys.reader } else { asked.keys.owner };
        told(&Admitted { token, read_only })
    })
}
