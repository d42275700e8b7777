//! One request that was let in, as a route sees it: its query, its path and its
//! body, read before anything is done.

mod shapes;

pub(crate) use shapes::{Comma, Count, Empty, Line, Moment, Nothing, Query, Said, Tag, Text};

use crate::answer::BegunTold;
use crate::door::{Keys, Mode};
use crate::problem::Problem;
use crate::routes::Route;
use crate::{Begun, Window};
use axum::body::{Body, to_bytes};
use axum::extract::{FromRequestParts as _, RawPathParams};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use engram_core::{Actor, OperationId, ProjectKey, SessionId};
use engram_wire::{Context, Fault, Order, Request};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// No body is larger; nobody types so much.
const MOST_BYTES: usize = 256 * 1024;

/// No body takes longer to arrive, on this machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// For whom something is asked; every route about memories takes it.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(crate) struct Common {
    /// The key of a project, as `GET /api/v1/projects` tells it. None: the user alone.
    pub(crate) project: Option<ProjectKey>,
    /// A conversation that is open, whose memories are looked at, too.
    pub(crate) session: Option<SessionId>,
}

pub(crate) struct Asked {
    pub(crate) desk: Arc<dyn Window>,
    pub(crate) keys: Keys,
    /// As whom somebody was let in. None: nobody has to have a key here.
    pub(crate) mode: Option<Mode>,
    pub(crate) headers: HeaderMap,
    pub(crate) common: Common,
    /// What the path names. Empty where it names nothing.
    pub(crate) name: String,
    /// What it is done under.
    pub(crate) operation: OperationId,
    /// It was named by whoever asks, and may have been done before.
    again: bool,
    uri: Uri,
    body: Map<String, Value>,
}

impl Asked {
    /// Reads what every request has; its body only where there has to be one.
    pub(crate) async fn read(
        desk: Arc<dyn Window>,
        keys: Keys,
        mode: Option<Mode>,
        route: &Route,
        request: axum::extract::Request,
    ) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        let mut body = match route.body {
            Some(_) => object(&parts.headers, body).await?,
            None => Map::new(),
        };
        let named = match body.remove("operation") {
            None | Some(Value::Null) => None,
            Some(named) => Some(given("operation", named)?),
        };
        Ok(Self {
            name: name_in(&mut parts).await?,
            operation: named.unwrap_or_else(|| desk.operation()),
            again: named.is_some(),
            desk,
            keys,
            mode,
            common: if route.common { query(&parts.uri)? } else { Common::default() },
            headers: parts.headers,
            uri: parts.uri,
            body,
        })
    }

    /// What stands behind the question mark. Parameters that nobody knows are
    /// left alone.
    pub(crate) fn query<Q: DeserializeOwned>(&self) -> Result<Q, Problem> {
        query(&self.uri)
    }

    /// What was sent, less its operation.
    pub(crate) fn body<B: DeserializeOwned>(&self) -> Result<B, Problem> {
        given("", Value::Object(self.body.clone()))
    }

    /// The order, on behalf of a person who works in the project that was named.
    pub(crate) async fn request(&self, order: Order) -> Result<Request, Problem> {
        self.known_project().await.map(|folder| {
            let context = Context {
                folder,
                session: self.common.session,
                again: self.again,
                ..Context::of(Actor::Human)
            };
            Request { context, order }
        })
    }

    /// Where the project is that was named, if one was.
    pub(crate) async fn known_project(&self) -> Result<Option<PathBuf>, Problem> {
        let Some(key) = &self.common.project else { return Ok(None) };
        let folder = self.desk.folder_of(key).await?;
        let unknown = || {
            Fault::not_found(format!("there is no project {key}"))
                .hint("`engram projects` lists those there are")
        };
        Ok(Some(folder.ok_or_else(unknown)?))
    }

    /// Has an order carried out, and waits for it.
    pub(crate) async fn obey(&self, order: Order) -> Result<Value, Problem> {
        let request = self.request(order).await?;
        Ok(self.desk.obey(request, Box::new(|_| {})).await?)
    }

    /// Has something begun that may take long: it is done, or it goes on.
    pub(crate) async fn begin(&self, order: Order) -> Result<(StatusCode, Value), Problem> {
        // A plan is asked for to be looked at, so it is waited for.
        if matches!(&order, Order::Dream(dream) if dream.dry_run) {
            return Ok((StatusCode::OK, self.obey(order).await?));
        }
        match self.desk.begin(self.request(order).await?).await {
            Begun::Done(reply) => Ok((StatusCode::OK, reply?)),
            Begun::Going(operation) => Ok((StatusCode::ACCEPTED, told(&BegunTold { operation })?)),
        }
    }
}

/// Something of our own as JSON.
pub(crate) fn told<T: Serialize>(value: &T) -> Result<Value, Problem> {
    serde_json::to_value(value).map_err(|error| Fault::internal(error.to_string()).into())
}

fn query<Q: DeserializeOwned>(uri: &Uri) -> Result<Q, Problem> {
    axum::extract::Query::<Q>::try_from_uri(uri).map(|query| query.0).map_err(|error| {
        let text = error.body_text();
        let what = text.rsplit_once("query string: ").map_or(text.as_str(), |(_, what)| what);
        Fault::usage(format!("the query is not understood: {what}")).into()
    })
}

/// What the path names; each has one name at most.
async fn name_in(parts: &mut Parts) -> Result<String, Problem> {
    let broken = |_| Problem::from(Fault::usage("the address is not text"));
    let params = RawPathParams::from_request_parts(parts, &()).await.map_err(broken)?;
    let Some((_, name)) = params.iter().next() else { return Ok(String::new()) };
    let Said(name) = Line::parse(name.to_owned())?;
    Ok(name)
}

/// The object that was sent. That it has to be called JSON keeps forms of other
/// pages out, which a browser sends without asking.
async fn object(headers: &HeaderMap, body: Body) -> Result<Map<String, Value>, Problem> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        return Err(Problem::not_json());
    }
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: usize| length > MOST_BYTES) {
        return Err(Problem::too_large(MOST_BYTES));
    }
    let bytes = match tokio::time::timeout(PATIENCE, to_bytes(body, MOST_BYTES)).await {
        Ok(Ok(bytes)) => bytes,
        // Or the connection broke; then nobody reads the answer.
        Ok(Err(_)) => return Err(Problem::too_large(MOST_BYTES)),
        Err(_) => return Err(Fault::usage("what was sent did not arrive in time").into()),
    };
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Fault::usage("an object of JSON is expected, such as {}").into()),
        Err(error) => Err(Fault::usage(format!("what was sent is not JSON: {error}")).into()),
    }
}

/// Reads what was sent; an error names its place in it.
fn given<T: DeserializeOwned>(place: &str, value: Value) -> Result<T, Problem> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = if place.is_empty() { error.path().to_string() } else { place.to_owned() };
        let what = error.into_inner();
        let what = if path == "." { what.to_string() } else { format!("{path}: {what}") };
        Fault::usage(format!("what was sent is not understood: {what}")).into()
    })
}
