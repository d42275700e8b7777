//! What is served over HTTP on this machine, all of it on one port: the window,
//! and the Model Context Protocol for programs.
//!
//! Nobody listens before somebody asks for it; from then on every daemon of this
//! home serves the same again. Who is let in is decided by those who are served.

use crate::clock::now;
use crate::mcp::DaemonDesk;
use crate::serve::{Daemon, outcome, set_to_work};
use crate::trouble;
use axum::Router;
use axum::extract::{Path as Segment, Request as HttpRequest, State};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use axum::routing::any;
use engram_core::port::Pending;
use engram_core::{Actor, OperationId, ProjectKey, Span, Timestamp};
use engram_mcp::{Desk, Heard};
use engram_store::StoreHome;
use engram_web::{Begun, Hosts, Keys, Listener, Mode, Window};
use engram_wire::message::{Dream, Evolve, Profile};
use engram_wire::platform::{chance, private_replace};
use engram_wire::reply::McpServed;
use engram_wire::window::{UiServed, WindowHealth};
use engram_wire::{Context, Fault, Order, Request};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::Poll;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower::ServiceExt as _;

/// So many connections at once; more wait until one of them is closed.
const MOST_CONNECTIONS: usize = 64;
/// How long a ticket opens the window, and how many may be open at once.
const TICKET_LIFE: Span = Span::from_mins(5);
const MOST_TICKETS: usize = 8;
/// So long whoever begins something that may take long waits for its end.
const MOMENT: Duration = Duration::from_millis(300);

/// What is served, kept so that an address outlives the daemon.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Kept {
    port: u16,
    /// Of the Model Context Protocol. Empty: nobody asked for it.
    #[serde(default)]
    token: String,
    /// By the word in the address.
    #[serde(default)]
    places: BTreeMap<String, Place>,
    /// None: nobody asked for the window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    window: Option<WindowKeys>,
}

/// For whom an address speaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Place {
    folder: Option<PathBuf>,
    profile: Profile,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct WindowKeys {
    owner: String,
    reader: String,
}

#[derive(Default)]
pub(crate) struct Web {
    /// Held by whoever changes what is served, or what is kept of it.
    served: tokio::sync::Mutex<Option<Served>>,
    tickets: Tickets,
}

#[derive(Clone)]
struct Served {
    port: u16,
    doors: Arc<Doors>,
}

/// Who answers behind the port. More are opened while it is served.
#[derive(Default)]
struct Doors {
    /// By the word in the address.
    places: Mutex<BTreeMap<String, Router>>,
    window: Mutex<Option<Router>>,
}

impl Doors {
    fn places(&self) -> MutexGuard<'_, BTreeMap<String, Router>> {
        self.places.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn window(&self) -> MutexGuard<'_, Option<Router>> {
        self.window.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Serves the protocol over HTTP on this machine, and says where. Asked again it
/// says the same.
pub(crate) async fn serve_protocol(
    daemon: &Arc<Daemon>,
    context: &Context,
    profile: Profile,
) -> Result<McpServed, Fault> {
    let mut served = daemon.web.served.lock().await;
    let file = daemon.house.home.web_file();
    let mut kept = load(&file)?;
    if kept.token.is_empty() {
        kept.token = secret(4);
    }
    let place = Place { folder: context.folder.clone(), profile };
    let word = word_of(&place);
    kept.places.insert(word.clone(), place);
    open_doors(daemon, &mut served, &mut kept, read_only(daemon, context)?).await?;
    save(&file, &kept)?;
    Ok(McpServed { url: format!("http://127.0.0.1:{}/{word}/mcp", kept.port), token: kept.token })
}

/// Serves the window on this machine. The address opens it once: it may be read by
/// others while a browser is started, so it carries a ticket and no key.
pub(crate) async fn serve_window(
    daemon: &Arc<Daemon>,
    context: &Context,
    reader: bool,
) -> Result<UiServed, Fault> {
    let place = daemon.house.place(context)?;
    let read_only = read_only(daemon, context)?;
    let port = {
        let mut served = daemon.web.served.lock().await;
        let file = daemon.house.home.web_file();
        let mut kept = load(&file)?;
        kept.window.get_or_insert_with(|| WindowKeys { owner: secret(4), reader: secret(4) });
        open_doors(daemon, &mut served, &mut kept, read_only).await?;
        save(&file, &kept)?;
        kept.port
    };
    let mode = if reader || read_only { Mode::Reader } else { Mode::Owner };
    let (ticket, expires_at) = daemon.web.tickets.issue(mode, now());
    let known = place.filter(|place| StoreHome::new(&place.store).exists());
    let project = known.and_then(|place| daemon.house.known_key(&place.store));
    let project = project.map(|key| format!("&project={key}")).unwrap_or_default();
    open_ahead(daemon, context);
    Ok(UiServed {
        url: format!("http://127.0.0.1:{port}/#ticket={ticket}{project}"),
        read_only: mode == Mode::Reader,
        expires_at,
    })
}

/// Whoever opens the window soon asks for what is in the stores.
fn open_ahead(daemon: &Arc<Daemon>, context: &Context) {
    let (daemon, context) = (daemon.clone(), context.clone());
    tokio::spawn(async move {
        let _gate = daemon.house.gate.read().await;
        // What does not open is told to whoever asks for it.
        let _ = daemon.house.visible(&context).await;
    });
}

/// Whether nobody may change anything through the window.
fn read_only(daemon: &Daemon, context: &Context) -> Result<bool, Fault> {
    Ok(daemon.house.settings_for(context, None)?.text("window.read_only") == "on")
}

/// Serves again what a daemon before this one served.
pub(crate) async fn serve_again(daemon: &Arc<Daemon>) {
    let mut served = daemon.web.served.lock().await;
    let file = daemon.house.home.web_file();
    let again = async {
        let mut kept = load(&file)?;
        if served.is_some() || kept.places.is_empty() && kept.window.is_none() {
            return Ok(());
        }
        let before = kept.port;
        let read_only = daemon.house.settings.text("window.read_only") == "on";
        open_doors(daemon, &mut served, &mut kept, read_only).await?;
        // Whoever looks for the address finds where it is now.
        if kept.port == before { Ok(()) } else { save(&file, &kept) }
    };
    let again: Result<(), Fault> = again.await;
    if let Err(fault) = again {
        tracing::warn!("nothing is served over HTTP: {}", fault.message);
    }
}

/// Where the window is, and how many listen to what goes on. None: nobody has
/// opened it.
pub(crate) async fn health(daemon: &Daemon) -> Option<WindowHealth> {
    let served = daemon.web.served.lock().await;
    let Served { port, doors } = served.as_ref()?;
    let open = doors.window().is_some();
    open.then(|| WindowHealth {
        url: format!("http://127.0.0.1:{port}/"),
        watchers: daemon.house.bus.listeners(),
    })
}

/// Says what is wrong with what is kept. None: it can be served.
pub(crate) fn problem_in(file: &Path) -> Option<String> {
    load(file).err().map(|fault| fault.message)
}

/// What was served; nothing where nobody ever asked for it.
fn load(file: &Path) -> Result<Kept, Fault> {
    let read = match std::fs::read(file) {
        Ok(text) => serde_json::from_slice(&text).map_err(io::Error::from),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Kept::default()),
        Err(error) => Err(error),
    };
    read.map_err(|error| {
        trouble::io("reading", file, &error)
            .hint("without this file nobody is served; `engram ui` and `engram mcp --http` make a new one")
    })
}

fn save(file: &Path, kept: &Kept) -> Result<(), Fault> {
    let text = serde_json::to_vec(kept).map_err(|error| Fault::internal(error.to_string()))?;
    private_replace(file, &text).map_err(|error| trouble::io("writing", file, &error))
}

/// So many times 64 bits of chance.
fn secret(words: usize) -> String {
    (0..words).map(|_| format!("{:016x}", chance())).collect()
}

/// Listens, if nobody does yet, and lets in at every address that is kept.
async fn open_doors(
    daemon: &Arc<Daemon>,
    served: &mut Option<Served>,
    kept: &mut Kept,
    read_only: bool,
) -> Result<(), Fault> {
    let Served { port, doors } = match served {
        Some(serving) => serving.clone(),
        None => served.insert(listen(daemon, kept.port).await?).clone(),
    };
    kept.port = port;
    {
        let mut places = doors.places();
        for (word, place) in &kept.places {
            if !places.contains_key(word) {
                let context = Context { folder: place.folder.clone(), ..Context::of(Actor::Assistant) };
                let desk = Arc::new(DaemonDesk::new(daemon, None));
                let door = engram_mcp::http_service(desk, context, place.profile, kept.token.clone());
                places.insert(word.clone(), door);
            }
        }
    }
    if let Some(WindowKeys { owner, reader }) = kept.window.clone() {
        let desk = Arc::new(DaemonWindow { desk: DaemonDesk::new(daemon, None) });
        let keys = Keys { owner, reader, read_only };
        // Made anew each time, so that the setting that is in force now counts.
        *doors.window() = Some(engram_web::window(desk, keys, Hosts { port }));
    }
    Ok(())
}

/// Listens where the setting says, else where it listened before, or anywhere if
/// somebody else does so now.
async fn listen(daemon: &Arc<Daemon>, before: u16) -> Result<Served, Fault> {
    let failed = |error: io::Error| Fault::environment(format!("nobody can listen: {error}"));
    let wished = u16::try_from(daemon.house.settings.number("window.port")).unwrap_or(0);
    let listener = match wished {
        0 => match TcpListener::bind(("127.0.0.1", before)).await {
            Ok(listener) => listener,
            Err(_) => TcpListener::bind(("127.0.0.1", 0)).await.map_err(failed)?,
        },
        wished => TcpListener::bind(("127.0.0.1", wished)).await.map_err(|error| {
            Fault::environment(format!("nobody can listen on port {wished}: {error}"))
                .hint("`engram config set window.port 0` lets engram find a port that is free")
        })?,
    };
    let port = listener.local_addr().map_err(failed)?.port();
    let doors = Arc::<Doors>::default();
    let router = Router::new().route("/{word}/mcp", any(enter)).fallback(look_in).with_state(doors.clone());
    let bounded = Bounded { listener, room: Arc::new(Semaphore::new(MOST_CONNECTIONS)) };
    tokio::spawn(async move {
        if let Err(error) = axum::serve(bounded, router).await {
            tracing::warn!("the web server ended: {error}");
        }
    });
    tracing::info!("engramd of {} serves HTTP on port {port}", daemon.house.home.root().display());
    Ok(Served { port, doors })
}

/// A place where the protocol is spoken.
async fn enter(
    State(doors): State<Arc<Doors>>,
    Segment(word): Segment<String>,
    mut request: HttpRequest,
) -> Response {
    let door = doors.places().get(&word).cloned();
    let Some(door) = door else { return nobody() };
    *request.uri_mut() = Uri::from_static("/mcp");
    door.oneshot(request).await.into_response()
}

/// Everything else is the window's.
async fn look_in(State(doors): State<Arc<Doors>>, request: HttpRequest) -> Response {
    let window = doors.window().clone();
    match window {
        Some(window) => window.oneshot(request).await.into_response(),
        None => nobody(),
    }
}

fn nobody() -> Response {
    (StatusCode::NOT_FOUND, "nobody is served here\n").into_response()
}

/// Tells two places apart in an address, and tells nobody where they are.
fn word_of(place: &Place) -> String {
    let name = format!("{:?} {}", place.folder, place.profile);
    Sha256::digest(name).iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// A port that lets in so many at once: whoever of this machine opens one after
/// another must not use up what the daemon may open.
struct Bounded {
    listener: TcpListener,
    room: Arc<Semaphore>,
}

impl axum::serve::Listener for Bounded {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let permit = self.room.clone().acquire_owned().await.ok();
        let (stream, from) = axum::serve::Listener::accept(&mut self.listener).await;
        (Connection { stream, _permit: permit }, from)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection, and the room it takes.
struct Connection {
    stream: TcpStream,
    _permit: Option<OwnedSemaphorePermit>,
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
        room: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, room)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut std::task::Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut std::task::Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// What opens the window once. Only digests are kept.
#[derive(Default)]
struct Tickets(Mutex<Vec<Ticket>>);

struct Ticket {
    digest: [u8; 32],
    mode: Mode,
    expires_at: Timestamp,
}

impl Tickets {
    /// Those that still open something.
    fn open(&self, at: Timestamp) -> MutexGuard<'_, Vec<Ticket>> {
        let mut open = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        open.retain(|ticket| ticket.expires_at > at);
        open
    }

    fn issue(&self, mode: Mode, at: Timestamp) -> (String, Timestamp) {
        let (ticket, expires_at) = (secret(2), at + TICKET_LIFE);
        let mut open = self.open(at);
        if open.len() >= MOST_TICKETS {
            // The oldest comes first.
            open.remove(0);
        }
        open.push(Ticket { digest: Sha256::digest(&ticket).into(), mode, expires_at });
        (ticket, expires_at)
    }

    fn redeem(&self, ticket: &str, at: Timestamp) -> Option<Mode> {
        let digest: [u8; 32] = Sha256::digest(ticket).into();
        let mut open = self.open(at);
        let place = open.iter().position(|known| known.digest == digest)?;
        Some(open.remove(place).mode)
    }
}

/// Behind the window stands the daemon.
struct DaemonWindow {
    desk: DaemonDesk,
}

impl DaemonWindow {
    fn daemon(&self) -> &Arc<Daemon> {
        &self.desk.daemon
    }
}

impl Desk for DaemonWindow {
    fn obey(&self, request: Request, heard: Heard) -> Pending<'_, Result<Value, Fault>> {
        self.desk.obey(request, heard)
    }

    fn operation(&self) -> OperationId {
        self.desk.operation()
    }

    fn now(&self) -> Timestamp {
        self.desk.now()
    }
}

impl Window for DaemonWindow {
    fn folder_of(&self, project: &ProjectKey) -> Pending<'_, Result<Option<PathBuf>, Fault>> {
        let project = project.clone();
        Box::pin(async move {
            let _gate = self.daemon().house.gate.read().await;
            let known = self.daemon().house.known_projects().await?;
            Ok(known.into_iter().find(|entry| entry.key == project).map(|entry| entry.path))
        })
    }

    fn listen(&self, after: Option<u64>) -> Listener {
        let (past, coming) = self.daemon().house.bus.listen(after);
        Listener { past, coming }
    }

    fn home(&self) -> (PathBuf, Timestamp) {
        (self.daemon().house.home.root().to_owned(), self.daemon().started_at)
    }

    fn looked_at(&self) {
        self.daemon().touch();
    }

    fn begin(&self, request: Request) -> Pending<'_, Begun> {
        let name = match &request.order {
            Order::Dream(Dream { operation, .. }) | Order::Evolve(Evolve { operation, .. }) => *operation,
            order => order.operation().unwrap_or_else(|| self.operation()),
        };
        Box::pin(async move {
            let daemon = self.daemon().clone();
            let (verb, context) = (request.order.verb(), request.context.clone());
            let (mut spoken, work) = set_to_work(&daemon, request).await;
            let (going, ended) = tokio::sync::oneshot::channel();
            let begun = tokio::spawn(async move {
                // How far it has come is told as activity.
                while spoken.recv().await.is_some() {}
                let outcome = outcome(&daemon, verb, work).await;
                // Whoever has gone on to other things hears of it as everybody does.
                if let Err(Err(fault)) = going.send(outcome) {
                    daemon.house.bus.fail(daemon.house.asker(&context), verb, &fault.message);
                }
            });
            match tokio::time::timeout(MOMENT, ended).await {
                Ok(Ok(outcome)) => Begun::Done(outcome),
                Ok(Err(_)) => {
                    let defect = begun.await.err().map(|defect| defect.to_string());
                    Begun::Done(Err(Fault::internal(defect.unwrap_or_default())))
                }
                Err(_) => Begun::Going(name),
            }
        })
    }

    fn redeem(&self, ticket: &str) -> Option<Mode> {
        self.daemon().web.tickets.redeem(ticket, now())
    }

    fn backup_file(&self) -> PathBuf {
        let name = format!("engram-{}.backup", now().strftime("%Y%m%d-%H%M%S%.3f"));
        self.daemon().house.home.backups_folder().join(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn a_ticket_opens_the_window_once_and_not_for_long() {
        let tickets = Tickets::default();
        let (owner, expires_at) = tickets.issue(Mode::Owner, at(0));
        let (reader, _) = tickets.issue(Mode::Reader, at(0));
        assert_eq!((owner.len(), expires_at), (32, at(300)));
        assert_ne!(owner, reader);
        assert_eq!(tickets.redeem("", at(1)), None);
        assert_eq!(tickets.redeem(&owner[1..], at(1)), None);
        assert_eq!(tickets.redeem(&reader, at(1)), Some(Mode::Reader));
        assert_eq!(tickets.redeem(&owner, at(299)), Some(Mode::Owner));
        assert_eq!(tickets.redeem(&owner, at(299)), None, "the second time");
        let (late, _) = tickets.issue(Mode::Owner, at(0));
        assert_eq!(tickets.redeem(&late, at(300)), None, "too late");
    }

    #[test]
    fn of_many_tickets_the_oldest_opens_nothing() {
        let tickets = Tickets::default();
        let issued: Vec<String> = (0..10).map(|second| tickets.issue(Mode::Owner, at(second)).0).collect();
        let opens = issued.iter().filter(|ticket| tickets.redeem(ticket, at(11)).is_some()).count();
        assert_eq!(opens, MOST_TICKETS);
        assert_eq!(tickets.redeem(&issued[0], at(11)), None);
    }

    #[test]
    fn what_was_kept_before_there_was_a_window_is_still_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("web.json");
        assert!(load(&file).unwrap().window.is_none(), "no file is fine");
        std::fs::write(&file, r#"{"port": 4711, "token": "hush", "places": {}}"#).unwrap();
        let kept = load(&file).unwrap();
        assert_eq!((kept.port, kept.token.as_str(), kept.window.is_none()), (4711, "hush", true));
        assert_eq!(problem_in(&file), None);
        std::fs::write(&file, "{").unwrap();
        assert!(problem_in(&file).is_some_and(|problem| problem.contains("web.json")));
    }
}
