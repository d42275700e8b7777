//! The Model Context Protocol in the house: over the socket, where `engram mcp`
//! passes on what an agent says, and over HTTP for programs of this machine.

use crate::clock::now;
use crate::serve::{Daemon, outcome, set_to_work};
use crate::trouble;
use axum::Router;
use axum::extract::{Path as Segment, Request as HttpRequest, State};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use axum::routing::any;
use engram_core::port::Pending;
use engram_core::{Actor, IdMint, OperationId, Timestamp};
use engram_mcp::{Desk, Heard};
use engram_wire::message::Profile;
use engram_wire::platform::{chance, private_replace};
use engram_wire::reply::McpServed;
use engram_wire::{Answer, Context, Fault, Request};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tokio::net::{TcpListener, UnixStream};
use tower::ServiceExt as _;

/// Carries out what models ask for, as the daemon does for everybody.
struct DaemonDesk {
    daemon: Arc<Daemon>,
    mint: Mutex<IdMint>,
    /// The process of the agent, whose session may be another one by now.
    agent: Option<u32>,
}

impl DaemonDesk {
    fn of(daemon: &Arc<Daemon>, agent: Option<u32>) -> Arc<dyn Desk> {
        Arc::new(Self { daemon: daemon.clone(), mint: Mutex::new(IdMint::seeded(chance())), agent })
    }
}

impl Desk for DaemonDesk {
    fn obey(&self, mut request: Request, heard: Heard) -> Pending<'_, Result<Value, Fault>> {
        Box::pin(async move {
            let now_in = self.agent.and_then(|process| self.daemon.house.session_of_process(process));
            request.context.session = now_in.or(request.context.session);
            let verb = request.order.verb();
            let (mut spoken, work) = set_to_work(&self.daemon, request).await;
            while let Some(between) = spoken.recv().await {
                if let Answer::Progress(progress) = between {
                    heard(progress);
                }
            }
            outcome(&self.daemon, verb, work).await
        })
    }

    fn operation(&self) -> OperationId {
        let mut mint = self.mint.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        OperationId::from_ulid(mint.mint(now()))
    }

    fn now(&self) -> Timestamp {
        now()
    }
}

/// Speaks the protocol on a connection of the socket until the agent goes away.
pub(crate) async fn speak(
    daemon: &Arc<Daemon>,
    stream: UnixStream,
    context: Context,
    profile: Profile,
    agent: Option<u32>,
) {
    let desk = DaemonDesk::of(daemon, agent);
    if let Err(error) = engram_mcp::serve(stream, desk, context, profile).await {
        tracing::info!("a conversation with a model broke off: {error}");
    }
}

/// What is served over HTTP, kept so that an address outlives the daemon.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Kept {
    port: u16,
    token: String,
    /// By the word in the address.
    places: BTreeMap<String, Place>,
}

/// For whom an address speaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Place {
    folder: Option<PathBuf>,
    profile: Profile,
}

#[derive(Default)]
pub(crate) struct Web {
    served: tokio::sync::Mutex<Option<Served>>,
}

#[derive(Clone)]
struct Served {
    port: u16,
    doors: Arc<Mutex<BTreeMap<String, Router>>>,
}

/// Serves the protocol over HTTP on this machine, and says where. Asked again it
/// says the same.
pub(crate) async fn serve(
    daemon: &Arc<Daemon>,
    context: &Context,
    profile: Profile,
) -> Result<McpServed, Fault> {
    let file = daemon.house.home.web_file();
    let mut kept = kept_in(&file).map_err(|error| trouble::io("reading", &file, &error))?;
    if kept.token.is_empty() {
        kept.token = (0..4).map(|_| format!("{:016x}", chance())).collect();
    }
    let place = Place { folder: context.folder.clone(), profile };
    let word = word_of(&place);
    kept.places.insert(word.clone(), place);
    open_doors(daemon, &mut kept).await?;
    let text = serde_json::to_vec(&kept).map_err(|error| Fault::internal(error.to_string()))?;
    private_replace(&file, &text).map_err(|error| trouble::io("writing", &file, &error))?;
    Ok(McpServed { url: format!("http://127.0.0.1:{}/{word}/mcp", kept.port), token: kept.token })
}

/// Serves again what a daemon before this one served.
pub(crate) async fn serve_again(daemon: &Arc<Daemon>) {
    let served = match kept_in(&daemon.house.home.web_file()) {
        Ok(kept) if kept.token.is_empty() => Ok(()),
        Ok(mut kept) => open_doors(daemon, &mut kept).await.map_err(|fault| fault.message),
        Err(error) => Err(error.to_string()),
    };
    if let Err(problem) = served {
        tracing::warn!("nothing is served over HTTP: {problem}");
    }
}

/// What was served; nothing where nobody ever asked for it.
fn kept_in(file: &Path) -> io::Result<Kept> {
    match std::fs::read(file) {
        Ok(text) => Ok(serde_json::from_slice(&text)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Kept::default()),
        Err(error) => Err(error),
    }
}

/// Listens, if nobody does yet, and lets in at every address that is kept.
async fn open_doors(daemon: &Arc<Daemon>, kept: &mut Kept) -> Result<(), Fault> {
    let mut served = daemon.web.served.lock().await;
    let serving = match &*served {
        Some(serving) => serving.clone(),
        None => listen(daemon, kept.port).await?,
    };
    kept.port = serving.port;
    {
        let mut doors = serving.doors.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        for (word, place) in &kept.places {
            if !doors.contains_key(word) {
                let context = Context { folder: place.folder.clone(), ..Context::of(Actor::Assistant) };
                let desk = DaemonDesk::of(daemon, None);
                let door = engram_mcp::http_service(desk, context, place.profile, kept.token.clone());
                doors.insert(word.clone(), door);
            }
        }
    }
    *served = Some(serving);
    Ok(())
}

/// Listens where it listened before, or anywhere if somebody else does so now.
async fn listen(daemon: &Arc<Daemon>, port: u16) -> Result<Served, Fault> {
    let failed = |error: std::io::Error| Fault::environment(format!("nobody can listen: {error}"));
    let listener = match TcpListener::bind(("127.0.0.1", port)).await {
        Ok(listener) => listener,
        Err(_) => TcpListener::bind(("127.0.0.1", 0)).await.map_err(failed)?,
    };
    let port = listener.local_addr().map_err(failed)?.port();
    let doors = Arc::<Mutex<BTreeMap<String, Router>>>::default();
    let router = Router::new().route("/{word}/mcp", any(enter)).with_state(doors.clone());
    tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, router).await {
            tracing::warn!("the web server ended: {error}");
        }
    });
    tracing::info!("engramd of {} serves the protocol on port {port}", daemon.house.home.root().display());
    Ok(Served { port, doors })
}

type Doors = Arc<Mutex<BTreeMap<String, Router>>>;

async fn enter(
    State(doors): State<Doors>,
    Segment(word): Segment<String>,
    mut request: HttpRequest,
) -> Response {
    let door = doors.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get(&word).cloned();
    let Some(door) = door else { return (StatusCode::NOT_FOUND, "nobody is served here\n").into_response() };
    *request.uri_mut() = Uri::from_static("/mcp");
    door.oneshot(request).await.into_response()
}

/// Tells two places apart in an address, and tells nobody where they are.
fn word_of(place: &Place) -> String {
    let name = format!("{:?} {}", place.folder, place.profile);
    Sha256::digest(name).iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}
