//! The socket: who may speak, one conversation each, and an end in good order.

use crate::clock::now;
use crate::drain;
use crate::erase;
use crate::house::House;
use crate::instance::Instance;
use crate::mcp;
use crate::orders::{self, Speaker};
use crate::telling::Delivery;
use crate::{trouble, watching, web};
use anyhow::{Context as _, Result};
use engram_core::{Span, Timestamp};
use engram_wire::{
    Answer, Fault, FaultKind, Hello, Order, PROTOCOL, Request, VERSION, Welcome, frame, platform,
};
use serde::Serialize;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{Notify, Semaphore, mpsc, watch};
use tokio::task::{JoinError, JoinSet};

/// How often the daemon looks after its house.
const ROUND: Duration = Duration::from_millis(500);
/// An embedder that failed is not asked again for so long.
const PEACE: Span = Span::from_secs(60);

/// Reading that failed is not tried again for so long.
const READING_PEACE: Duration = Duration::from_secs(10);

/// How long a daemon that was told to end waits for what it is doing.
const LAST_WAIT: Duration = Duration::from_millis(1_200);

/// How long the first clients wait for what was in the spool when we started.
const SPOOL_WAIT: Duration = Duration::from_secs(3);

/// How long a client may be silent: at first, and between two requests.
const HELLO_WAIT: Duration = Duration::from_secs(5);
const SILENCE: Duration = Duration::from_secs(300);

/// More conversations at once than this are refused.
const MOST_CONVERSATIONS: usize = 256;

/// The running daemon.
pub(crate) struct Daemon {
    pub(crate) house: House,
    pub(crate) started_at: Timestamp,
    requests: AtomicU64,
    busy: AtomicUsize,
    last_request_at: AtomicI64,
    ending: Notify,
    /// One round at a time; a slow one is not overtaken.
    looking_after: tokio::sync::Mutex<()>,
    /// One at a time makes the vectors that are missing, and not before then.
    filling: tokio::sync::Mutex<Option<Timestamp>>,
    /// One at a time draws outlines.
    outlining: tokio::sync::Mutex<()>,
    /// One at a time dreams by itself.
    dreaming: tokio::sync::Mutex<()>,
    /// One at a time installs a model.
    pub(crate) installing: tokio::sync::Mutex<()>,
    conversations: Arc<Semaphore>,
    /// What is served over HTTP.
    pub(crate) web: web::Web,
    /// Whether the spool of before our start was gone through.
    caught_up: watch::Sender<bool>,
    /// What the spool waits for, so that it is said once.
    pub(crate) in_the_way: std::sync::Mutex<Option<String>>,
    /// One drain at a time, so that lines are done in order.
    pub(crate) draining: tokio::sync::Mutex<()>,
}

impl Daemon {
    pub(crate) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Whether somebody else asks for something while an order is obeyed.
    pub(crate) fn others_ask(&self) -> bool {
        self.busy.load(Ordering::Relaxed) > 1
    }

    /// When it ends by itself, if nothing is asked until then.
    pub(crate) fn idle_exit_at(&self) -> Timestamp {
        let idle = i64::try_from(self.house.settings.number("daemon.idle_exit_s")).unwrap_or(i64::MAX);
        let last = self.last_request_at.load(Ordering::Relaxed);
        let at = last.saturating_add(idle.saturating_mul(1_000_000));
        Timestamp::from_microsecond(at).unwrap_or(Timestamp::MAX)
    }

    /// What was said before is done before what is said now, unless it is so
    /// much that nobody could wait for it.
    async fn catch_up(&self) {
        let mut caught_up = self.caught_up.subscribe();
        let _ = tokio::time::timeout(SPOOL_WAIT, caught_up.wait_for(|done| *done)).await;
    }

    /// Somebody is there.
    pub(crate) fn touch(&self) {
        self.last_request_at.store(now().as_microsecond(), Ordering::Relaxed);
    }
}

/// `told` says why to end, when somebody outside wants that.
pub(crate) async fn serve(
    instance: Instance,
    house: House,
    mut told: mpsc::Receiver<&'static str>,
) -> Result<()> {
    let Instance { listener, socket } = instance;
    let listener = UnixListener::from_std(listener).context("preparing the socket")?;
    let started_at = now();
    let daemon = Arc::new(Daemon {
        house,
        started_at,
        requests: AtomicU64::new(0),
        busy: AtomicUsize::new(0),
        last_request_at: AtomicI64::new(started_at.as_microsecond()),
        ending: Notify::new(),
        looking_after: tokio::sync::Mutex::default(),
        filling: tokio::sync::Mutex::default(),
        outlining: tokio::sync::Mutex::default(),
        dreaming: tokio::sync::Mutex::default(),
        installing: tokio::sync::Mutex::default(),
        conversations: Arc::new(Semaphore::new(MOST_CONVERSATIONS)),
        web: web::Web::default(),
        caught_up: watch::Sender::new(false),
        in_the_way: std::sync::Mutex::default(),
        draining: tokio::sync::Mutex::default(),
    });
    tracing::info!("engramd {VERSION} serves {}", daemon.house.home.root().display());
    {
        let daemon = daemon.clone();
        tokio::spawn(async move {
            {
                let _busy = Busy::new(&daemon, false);
                erase::go_on(&daemon).await;
            }
            while drain::drain(&daemon).await {}
            daemon.caught_up.send_replace(true);
        });
    }
    {
        let daemon = daemon.clone();
        tokio::spawn(async move { read_on(&daemon).await });
    }
    {
        let daemon = daemon.clone();
        tokio::spawn(async move { settle_on(&daemon).await });
    }
    {
        let daemon = daemon.clone();
        tokio::spawn(async move { web::serve_again(&daemon).await });
    }
    {
        let daemon = daemon.clone();
        tokio::spawn(async move { daemon.house.follow_team().await });
    }
    let mut rounds = tokio::time::interval(ROUND);
    rounds.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let reason = loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => welcome(&daemon, stream),
                Err(error) => {
                    tracing::warn!("a client could not be accepted: {error}");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            },
            _ = rounds.tick() => {
                let idle = now() >= daemon.idle_exit_at() && daemon.busy.load(Ordering::Relaxed) == 0;
                if idle {
                    break "nobody asked for anything";
                }
                let daemon = daemon.clone();
                // Looking after the house must not keep clients waiting.
                tokio::spawn(async move {
                    if let Ok(_turn) = daemon.looking_after.try_lock() {
                        look_after(&daemon).await;
                    }
                    if daemon.house.load.background_waits() {
                        return;
                    }
                    if let Ok(mut not_before) = daemon.filling.try_lock()
                        && not_before.is_none_or(|moment| moment <= now())
                    {
                        let sound = daemon.house.fill_vectors().await;
                        *not_before = (!sound).then(|| now() + PEACE);
                    }
                    if let Ok(_turn) = daemon.outlining.try_lock() {
                        daemon.house.outline_projects().await;
                    }
                    if let Ok(_turn) = daemon.dreaming.try_lock() {
                        daemon.house.dream_on(&|| daemon.busy.load(Ordering::Relaxed) > 0).await;
                    }
                });
            }
            Some(reason) = told.recv() => break reason,
            () = daemon.ending.notified() => break "a client asked it to end",
        }
    };
    // Nobody new is let in; what was begun is finished.
    drop(listener);
    daemon.house.dreaming.end();
    let _ = std::fs::remove_file(socket);
    let mut left = LAST_WAIT;
    while daemon.busy.load(Ordering::Relaxed) > 0 && !left.is_zero() {
        let nap = Duration::from_millis(10).min(left);
        tokio::time::sleep(nap).await;
        left -= nap;
    }
    let _ = tokio::time::timeout(Duration::from_millis(300), daemon.house.flush_notes()).await;
    daemon.house.metering.flush();
    tracing::info!("engramd ends: {reason}");
    Ok(())
}

/// Reads what is heard, as soon as it is heard, for as long as the daemon runs. A
/// store that opens with something unread is found within a round.
async fn read_on(daemon: &Daemon) {
    loop {
        let _ = tokio::time::timeout(ROUND, daemon.house.listening.heard.notified()).await;
        let sound = daemon.house.read_heard().await;
        daemon.house.settling.stirred.notify_one();
        if !sound {
            tokio::time::sleep(READING_PEACE).await;
        }
    }
}

/// Settles what became of sessions, for as long as the daemon runs: those of one
/// project one after the other, and projects beside each other, for most of it is
/// waiting for the disk.
async fn settle_on(daemon: &Arc<Daemon>) {
    loop {
        let _ = tokio::time::timeout(ROUND, daemon.house.settling.stirred.notified()).await;
        let mut projects = JoinSet::new();
        for sessions in daemon.house.to_settle() {
            let daemon = daemon.clone();
            projects.spawn(async move { daemon.house.settle(sessions).await });
        }
        while let Some(settled) = projects.join_next().await {
            if let Err(defect) = settled {
                tracing::error!("settling sessions failed inside: {defect}");
            }
        }
    }
}

async fn look_after(daemon: &Daemon) {
    {
        let _gate = daemon.house.gate.read().await;
        daemon.house.flush_notes().await;
    }
    daemon.house.metering.flush();
    daemon.house.shed(now());
    daemon.house.load.give_back().await;
    drain::drain(daemon).await;
}

fn welcome(daemon: &Arc<Daemon>, stream: UnixStream) {
    // The folder of the socket is private already; this holds even if someone
    // changed that.
    let stranger = !stream.peer_cred().is_ok_and(|peer| peer.uid() == platform::user());
    let permit = daemon.conversations.clone().try_acquire_owned();
    let (false, Ok(permit)) = (stranger, permit) else {
        tracing::warn!("a client was turned away");
        return;
    };
    let daemon = daemon.clone();
    tokio::spawn(async move {
        let _permit = permit;
        if let Err(error) = converse(&daemon, stream).await
            && !matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::TimedOut)
        {
            tracing::info!("a conversation broke off: {error}");
        }
    });
}

async fn converse(daemon: &Arc<Daemon>, mut stream: UnixStream) -> io::Result<()> {
    let hello: Hello = in_time(HELLO_WAIT, read(&mut stream)).await?;
    let ours = Welcome { protocol: PROTOCOL, version: VERSION.to_owned(), process: std::process::id() };
    stream.write_all(&frame::encode(&ours)?).await?;
    if hello.protocol > PROTOCOL {
        // A newer client says one thing that every version understands: stop.
        let request: serde_json::Value = in_time(HELLO_WAIT, read(&mut stream)).await?;
        if request.pointer("/order/order").and_then(|word| word.as_str()) == Some("stop") {
            daemon.ending.notify_one();
        }
        return Ok(());
    }
    loop {
        let body = in_time(SILENCE, read_body(&mut stream)).await?;
        match frame::decode::<Request>(&body) {
            Ok(Request { context, order: Order::Mcp { profile, process } }) => {
                let agreed = Answer::Done { reply: serde_json::Value::Null };
                stream.write_all(&frame::encode(&agreed)?).await?;
                mcp::speak(daemon, stream, context, profile, process).await;
                return Ok(());
            }
            Ok(Request { context, order: Order::McpHttp { profile } }) => {
                let served = web::serve_protocol(daemon, &context, profile).await;
                say_where(&mut stream, served).await?;
            }
            Ok(Request { context, order: Order::Ui { read_only } }) => {
                daemon.touch();
                let served = web::serve_window(daemon, &context, read_only).await;
                say_where(&mut stream, served).await?;
            }
            Ok(Request { context, order: Order::Watch { after, all } }) => {
                return watching::watch(daemon, stream, &context, after, all).await;
            }
            Ok(request) => {
                let stop = matches!(request.order, Order::Stop);
                answer(daemon, request, &mut stream).await?;
                if stop {
                    daemon.ending.notify_one();
                    return Ok(());
                }
            }
            Err(error) => {
                let fault = Fault::usage(format!("the request cannot be understood: {error}"));
                stream.write_all(&frame::encode(&Answer::Fault { fault })?).await?;
            }
        }
    }
}

/// Where something is served from now on.
async fn say_where(stream: &mut UnixStream, served: Result<impl Serialize, Fault>) -> io::Result<()> {
    let reply = served.and_then(orders::value);
    let last = reply.map_or_else(|fault| Answer::Fault { fault }, |reply| Answer::Done { reply });
    stream.write_all(&frame::encode(&last)?).await
}

/// Counts a request while it is being answered. A quiet one does not keep the
/// daemon awake beyond that.
struct Busy {
    daemon: Arc<Daemon>,
    quiet: bool,
}

impl Busy {
    fn new(daemon: &Arc<Daemon>, quiet: bool) -> Self {
        let busy = Self { daemon: daemon.clone(), quiet };
        busy.touch();
        daemon.requests.fetch_add(1, Ordering::Relaxed);
        daemon.busy.fetch_add(1, Ordering::Relaxed);
        busy
    }

    fn touch(&self) {
        if !self.quiet {
            self.daemon.touch();
        }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.daemon.busy.fetch_sub(1, Ordering::Relaxed);
        self.touch();
    }
}

/// Work that was begun, whoever waits for it.
pub(crate) type Work = tokio::task::JoinHandle<Result<serde_json::Value, Fault>>;

/// Begins to obey one request, after what was said before it. What is said
/// meanwhile can be heard until the work is done.
pub(crate) async fn set_to_work(daemon: &Arc<Daemon>, request: Request) -> (mpsc::Receiver<Answer>, Work) {
    let busy = Busy::new(daemon, request.context.quiet);
    if !matches!(request.order, Order::Stop | Order::Status) {
        daemon.catch_up().await;
    }
    let (speaker, spoken) = Speaker::pair();
    let worker = daemon.clone();
    let work = tokio::spawn(async move {
        let _busy = busy;
        orders::obey(&worker, request, &speaker).await
    });
    (spoken, work)
}

/// What came of it. A defect in one request harms no other.
pub(crate) async fn outcome(
    daemon: &Daemon,
    verb: &'static str,
    work: Work,
) -> Result<serde_json::Value, Fault> {
    told(daemon, verb, work.await)
}

fn told(
    daemon: &Daemon,
    verb: &'static str,
    joined: Result<Result<serde_json::Value, Fault>, JoinError>,
) -> Result<serde_json::Value, Fault> {
    let outcome = joined.unwrap_or_else(|defect| {
        let fault = trouble::unfinished(verb, &defect);
        Err(match fault.kind {
            FaultKind::Internal => {
                fault.hint(format!("the log is {}", daemon.house.home.log_file().display()))
            }
            _ => fault,
        })
    });
    if let Err(fault) = &outcome
        && matches!(fault.kind, FaultKind::Internal | FaultKind::Environment)
    {
        tracing::warn!("{verb}: {}", fault.message);
    }
    outcome
}

/// Answers one request.
async fn answer(daemon: &Arc<Daemon>, request: Request, stream: &mut UnixStream) -> io::Result<()> {
    let verb = request.order.verb();
    let delivery = Delivery::of(&request.order);
    let (mut spoken, work) = set_to_work(daemon, request).await;
    let mut heard_all = true;
    while let Some(between) = spoken.recv().await {
        // A client that went away does not stop what was begun for it.
        heard_all = heard_all && stream.write_all(&frame::encode(&between)?).await.is_ok();
    }
    let last = match told(daemon, verb, work.await) {
        Ok(reply) => Answer::Done { reply },
        // The daemon ends, and nothing is wrong: whoever asked turns to the next one.
        Err(fault) if fault.kind == FaultKind::Unreachable => {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        Err(fault) => Answer::Fault { fault },
    };
    let written = stream.write_all(&frame::encode(&last)?).await;
    if let Some(delivery) = delivery {
        daemon.house.delivered(delivery, written.is_ok()).await;
    }
    written
}

async fn read<T: serde::de::DeserializeOwned>(stream: &mut UnixStream) -> io::Result<T> {
    frame::decode(&read_body(stream).await?)
}

async fn read_body(stream: &mut UnixStream) -> io::Result<Vec<u8>> {
    let mut head = [0; 4];
    stream.read_exact(&mut head).await?;
    let length = frame::announced_length(head)?;
    // Room is made for what arrives, not for what is announced.
    let mut body = Vec::new();
    if stream.take(length as u64).read_to_end(&mut body).await? < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(body)
}

async fn in_time<T>(limit: Duration, reading: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    tokio::time::timeout(limit, reading).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}
