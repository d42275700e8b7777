//! A desk of canned answers behind the window, and how it is asked.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request as HttpRequest, StatusCode};
use axum::response::Response;
use engram_core::port::Pending;
use engram_core::{OperationId, ProjectKey, Timestamp, Ulid};
use engram_web::{Begun, Hosts, Keys, Listener, Mode, Window, window};
use engram_wire::activity::Activity;
use engram_wire::desk::{Desk, Heard};
use engram_wire::message::Context;
use engram_wire::{Fault, FaultKind, Order, Request};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::broadcast;
use tower::ServiceExt as _;

/// What the desk names an operation that nobody named.
pub(crate) const MINTED: &str = "00000000000000000000000001";
/// A project that somebody worked in, and where.
pub(crate) const PROJECT: &str = "p_0123456789ab";
pub(crate) const FOLDER: &str = "/home/ayse/code/engram";

pub(crate) struct Canned {
    /// What was ordered, for whom.
    asked: Mutex<Vec<(Context, Value)>>,
    /// Tickets that are still good.
    tickets: Mutex<Vec<(&'static str, Mode)>>,
    pub(crate) past: Mutex<Vec<Arc<Activity>>>,
    pub(crate) coming: broadcast::Sender<Arc<Activity>>,
    pub(crate) looked: AtomicUsize,
}

impl Canned {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            asked: Mutex::default(),
            tickets: Mutex::new(vec![("owners-ticket", Mode::Owner), ("readers-ticket", Mode::Reader)]),
            past: Mutex::default(),
            coming: broadcast::channel(4).0,
            looked: AtomicUsize::new(0),
        })
    }

    /// What was ordered since it was asked last.
    pub(crate) fn orders(&self) -> Vec<(Context, Value)> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }

    pub(crate) fn served(self: &Arc<Self>, read_only: bool) -> Router {
        let keys = Keys { owner: "owners-key".into(), reader: "readers-key".into(), read_only };
        window(self.clone(), keys, Hosts { port: 7654 })
    }

    fn note(&self, request: &Request) {
        let order = serde_json::to_value(&request.order).unwrap();
        self.asked.lock().unwrap().push((request.context.clone(), order));
    }
}

impl Desk for Canned {
    fn obey(&self, request: Request, _: Heard) -> Pending<'_, Result<Value, Fault>> {
        Box::pin(async move {
            self.note(&request);
            match request.order {
                Order::Projects => Ok(json!({ "projects": [], "long": "long ".repeat(1000) })),
                // A memory that is called like a fault answers with it.
                Order::Inspect { memory } => match memory.parse::<FaultKind>() {
                    Ok(kind) => Err(Fault::new(kind, "it went wrong").hint("try again")),
                    Err(_) => Ok(json!({ "inspected": memory })),
                },
                order => Ok(json!({ "obeyed": order.verb() })),
            }
        })
    }

    fn operation(&self) -> OperationId {
        OperationId::from_ulid(Ulid(1))
    }

    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH
    }
}

impl Window for Canned {
    fn folder_of(&self, project: &ProjectKey) -> Pending<'_, Result<Option<PathBuf>, Fault>> {
        let folder = (project.as_str() == PROJECT).then(|| PathBuf::from(FOLDER));
        Box::pin(async { Ok(folder) })
    }

    fn listen(&self, after: Option<u64>) -> Listener {
        let past = self.past.lock().unwrap().clone().into_iter();
        let past = past.filter(|activity| after.is_some_and(|after| activity.number > after));
        Listener { past: past.collect(), coming: self.coming.subscribe() }
    }

    fn home(&self) -> (PathBuf, Timestamp) {
        (PathBuf::from("/home/ayse/.engram"), "2026-02-03T04:05:06Z".parse().unwrap())
    }

    fn looked_at(&self) {
        self.looked.fetch_add(1, Ordering::SeqCst);
    }

    fn begin(&self, request: Request) -> Pending<'_, Begun> {
        Box::pin(async move {
            self.note(&request);
            match request.order {
                Order::Dream(dream) => Begun::Going(dream.operation),
                order => Begun::Done(Ok(json!({ "done": order.verb() }))),
            }
        })
    }

    fn redeem(&self, ticket: &str) -> Option<Mode> {
        let mut tickets = self.tickets.lock().unwrap();
        let place = tickets.iter().position(|(known, _)| *known == ticket)?;
        Some(tickets.remove(place).1)
    }

    fn backup_file(&self) -> PathBuf {
        PathBuf::from("/home/ayse/.engram/backups/now.backup")
    }
}

pub(crate) const HOST: (&str, &str) = ("Host", "127.0.0.1:7654");
pub(crate) const OWNER: (&str, &str) = ("Authorization", "Bearer owners-key");
pub(crate) const READER: (&str, &str) = ("Authorization", "Bearer readers-key");
pub(crate) const JSON: (&str, &str) = ("Content-Type", "application/json");

pub(crate) type Told = (StatusCode, HeaderMap, Value);

/// One request with these headers; what came back.
pub(crate) async fn get(path: &str, headers: &[(&str, &str)]) -> Told {
    get_from(false, path, headers).await
}

pub(crate) async fn get_from(read_only: bool, path: &str, headers: &[(&str, &str)]) -> Told {
    ask(&Canned::new().served(read_only), "GET", path, headers, Body::empty()).await
}

/// One request of the owner to this desk.
pub(crate) async fn owner(desk: &Arc<Canned>, method: &str, path: &str, body: Option<&Value>) -> Told {
    let (body, headers) = match body {
        Some(body) => (Body::from(body.to_string()), &[HOST, OWNER, JSON][..]),
        None => (Body::empty(), &[HOST, OWNER][..]),
    };
    ask(&desk.served(false), method, path, headers, body).await
}

pub(crate) async fn ask(
    served: &Router,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Body,
) -> Told {
    let response = send(served, method, path, headers, body).await;
    let (status, headers) = (response.status(), response.headers().clone());
    // What goes on has no end.
    if headers.get("content-type").is_some_and(|kind| kind == "text/event-stream") {
        return (status, headers, Value::Null);
    }
    let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    (status, headers, serde_json::from_slice(&body).unwrap_or(Value::Null))
}

pub(crate) async fn send(
    served: &Router,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Body,
) -> Response {
    let request = HttpRequest::builder().method(method).uri(path);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    served.clone().oneshot(request.body(body).unwrap()).await.unwrap()
}

/// Everything that is documented: a method, an address, and what is said of it.
pub(crate) async fn documented() -> Vec<(String, String, Value)> {
    let (_, _, document) = get("/api/v1/openapi.json", &[HOST]).await;
    let mut all = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            all.push((method.to_uppercase(), path.clone(), operation.clone()));
        }
    }
    all
}
