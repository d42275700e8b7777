//! The table of everything that can be asked. The router and the document are
//! both made of it, so that nothing is served that is not documented.

mod evolution;
mod graph;
mod life;
mod look;
mod memory;
mod system;

use crate::answer;
use crate::asked::Asked;
use crate::door::{Door, Mode};
use crate::problem::Problem;
use crate::{Window, stream};
use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, MethodRouter};
use engram_core::port::Pending;
use engram_wire::{Fault, Order};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::future::{Ready, ready};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// What every address of the table begins with.
pub(crate) const BASE: &str = "/api/v1";

/// Who may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Whoever comes from this machine: it tells nothing of anybody's memories.
    Open,
    /// Whoever has a key.
    Read,
    /// Whoever has a key that is not for looking only.
    Write,
}

pub(crate) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// Which order is meant.
type Means = Arc<dyn Fn(&Asked) -> Result<Order, Problem> + Send + Sync>;

/// How a route answers.
#[derive(Clone)]
pub(crate) enum Does {
    /// An order is carried out.
    Obeys(Means),
    /// An order is carried out that may take long.
    Begins(Means),
    /// The window answers by itself.
    Tells(fn(Asked) -> Pending<'static, Result<Value, Problem>>),
    /// Events are told until nobody listens.
    Listens,
}

/// One thing that can be asked.
#[derive(Clone)]
pub(crate) struct Route {
    pub(crate) method: Method,
    /// Without what every address begins with.
    pub(crate) path: &'static str,
    /// Its name in the document.
    pub(crate) id: &'static str,
    pub(crate) summary: &'static str,
    /// What it belongs to, for the document.
    pub(crate) tag: &'static str,
    pub(crate) access: Access,
    /// It takes for whom it is asked: a project, a session.
    pub(crate) common: bool,
    pub(crate) query: Option<SchemaOf>,
    pub(crate) body: Option<SchemaOf>,
    pub(crate) reply: SchemaOf,
    pub(crate) does: Does,
}

impl Route {
    /// Something to look at.
    fn look<Q, R>(
        path: &'static str,
        id: &'static str,
        summary: &'static str,
        order: fn(Q, &Asked) -> Result<Order, Problem>,
    ) -> Self
    where
        Q: DeserializeOwned + JsonSchema + 'static,
        R: JsonSchema,
    {
        Self {
            method: Method::GET,
            path,
            id,
            summary,
            tag: "",
            access: Access::Read,
            common: true,
            query: Some(takes::<Q>),
            body: None,
            reply: gives::<R>,
            does: Does::Obeys(Arc::new(move |asked| order(asked.query()?, asked))),
        }
    }

    /// Something to change.
    fn change<B, R>(
        method: Method,
        path: &'static str,
        id: &'static str,
        summary: &'static str,
        order: fn(B, &Asked) -> Result<Order, Problem>,
    ) -> Self
    where
        B: DeserializeOwned + JsonSchema + 'static,
        R: JsonSchema,
    {
        Self {
            method,
            path,
            id,
            summary,
            tag: "",
            access: Access::Write,
            common: true,
            query: None,
            body: Some(takes::<B>),
            reply: gives::<R>,
            does: Does::Obeys(Arc::new(move |asked| order(asked.body()?, asked))),
        }
    }

    /// The same, where it may take long.
    fn begins(self) -> Self {
        let does = match self.does {
            Does::Obeys(means) => Does::Begins(means),
            other => other,
        };
        Self { does, ..self }
    }
}

/// What a route takes. It stands by itself, since no two routes take the same.
fn takes<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    T::json_schema(generator)
}

/// What a route gives.
fn gives<R: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<R>()
}

/// Everything that can be asked.
pub(crate) fn table() -> Vec<Route> {
    let parts = [
        ("system", system::routes()),
        ("memories", memory::routes()),
        ("log", look::routes()),
        ("life", life::routes()),
        ("graph", graph::routes()),
        ("evolution", evolution::routes()),
    ];
    let tagged = |(tag, routes): (&'static str, Vec<Route>)| {
        routes.into_iter().map(move |route| Route { tag, ..route })
    };
    parts.into_iter().flat_map(tagged).collect()
}

/// What all routes share.
struct Shared {
    desk: Arc<dyn Window>,
    door: Arc<Door>,
    seats: Arc<Semaphore>,
}

pub(crate) fn router(desk: Arc<dyn Window>, door: Arc<Door>) -> Router {
    let shared = Arc::new(Shared { desk, door, seats: Arc::new(Semaphore::new(stream::SEATS)) });
    let mut paths: BTreeMap<&str, Vec<Route>> = BTreeMap::new();
    for route in table() {
        paths.entry(route.path).or_default().push(route);
    }
    paths.into_iter().fold(Router::new(), |router, (path, routes)| {
        let allow = allowed(&routes);
        let methods = routes.into_iter().fold(MethodRouter::new(), |methods, route| {
            // Every method of the table is one that the router knows.
            let Ok(filter) = MethodFilter::try_from(route.method.clone()) else { return methods };
            let (shared, route) = (shared.clone(), Arc::new(route));
            methods.on(filter, move |request: Request| serve(shared.clone(), route.clone(), request))
        });
        router.route(&format!("{BASE}{path}"), methods.fallback(other_method(&allow)))
    })
}

/// The methods of one address. What can be looked at can be asked for its head.
fn allowed(routes: &[Route]) -> String {
    let names = routes.iter().flat_map(|route| {
        let head = (route.method == Method::GET).then_some("HEAD");
        [Some(route.method.as_str()), head].into_iter().flatten()
    });
    names.collect::<Vec<_>>().join(", ")
}

async fn serve(shared: Arc<Shared>, route: Arc<Route>, request: Request) -> Response {
    answer(&shared, &route, request).await.unwrap_or_else(|problem| problem.into_response())
}

async fn answer(shared: &Shared, route: &Route, request: Request) -> Result<Response, Problem> {
    let mode = shared.door.mode_of(request.headers());
    match (route.access, mode) {
        (Access::Read | Access::Write, None) => return Err(Problem::no_key()),
        (Access::Write, Some(Mode::Reader)) => return Err(Problem::read_only()),
        _ => {}
    }
    let asked = Asked::read(shared.desk.clone(), shared.door.keys.clone(), mode, route, request).await?;
    let headers = asked.headers.clone();
    let (status, reply) = match &route.does {
        Does::Obeys(means) => (StatusCode::OK, asked.obey(means(&asked)?).await?),
        Does::Begins(means) => asked.begin(means(&asked)?).await?,
        Does::Tells(tells) => (StatusCode::OK, tells(asked).await?),
        Does::Listens => return stream::listen(asked, &shared.seats).await,
    };
    Ok(answer::json(status, &headers, &reply))
}

/// What an address answers to methods it does not have.
pub(crate) fn other_method(
    allow: &str,
) -> impl Fn() -> Ready<Response> + Clone + Send + Sync + use<> + 'static {
    let (problem, allow) = (Problem::other_method(allow), HeaderValue::from_str(allow).ok());
    move || {
        let mut response = problem.clone().into_response();
        if let Some(allow) = &allow {
            response.headers_mut().insert(header::ALLOW, allow.clone());
        }
        ready(response)
    }
}

pub(crate) async fn unknown() -> Problem {
    Fault::not_found("there is nothing at this address")
        .hint("/api/v1/openapi.json tells what there is")
        .into()
}
