//! What goes on, told as it happens: server-sent events.
//!
//! Whoever listens too slowly never makes anybody wait. What is gone for him by
//! then he is told as `missed`, and nothing is repeated.

use crate::asked::Asked;
use crate::problem::Problem;
use crate::{Listener, Window};
use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use engram_core::ProjectKey;
use engram_wire::Fault;
use engram_wire::activity::{Activity, What};
use futures_core::Stream;
use schemars::JsonSchema;
use serde::Deserialize;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// So many listen at once: each window that is open has one.
pub(crate) const SEATS: usize = 8;

/// How often a listener hears that somebody is still there, and the daemon that
/// somebody still listens.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// So many events wait for a listener before they wait in the daemon.
const AHEAD: usize = 16;

/// Which number was heard last.
pub(crate) const LAST: &str = "last-event-id";

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Listening {
    /// Of every project.
    #[serde(default)]
    all: bool,
}

/// Tells whoever asks what goes on, until he goes away.
pub(crate) async fn listen(asked: Asked, seats: &Arc<Semaphore>) -> Result<Response, Problem> {
    let Listening { all } = asked.query()?;
    asked.known_project().await?;
    let after = match asked.headers.get(LAST) {
        None => None,
        Some(last) => Some(number(last.to_str().unwrap_or_default())?),
    };
    let seat = seats.clone().try_acquire_owned().map_err(|_| Problem::too_many_listen(SEATS))?;
    asked.desk.looked_at();
    let listener = asked.desk.listen(after);
    let project = asked.common.project;
    let (out, sent) = mpsc::channel(AHEAD);
    let feed = Feed { desk: asked.desk, project, all, last: after, heard: false, out };
    tokio::spawn(feed.tell(listener, seat, HEARTBEAT));
    let kind = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    Ok((kind, Body::from_stream(Sent(sent))).into_response())
}

fn number(text: &str) -> Result<u64, Problem> {
    text.parse().map_err(|_| Fault::usage(format!("\"{text}\" is not the number of an event")).into())
}

/// What is on its way to a listener.
struct Sent(mpsc::Receiver<Bytes>);

impl Stream for Sent {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|bytes| bytes.map(Ok))
    }
}

/// One listener.
struct Feed {
    desk: Arc<dyn Window>,
    project: Option<ProjectKey>,
    all: bool,
    /// What was heard last, here or before.
    last: Option<u64>,
    /// Something was heard here.
    heard: bool,
    out: mpsc::Sender<Bytes>,
}

/// The listener went away.
struct Gone;

impl Feed {
    async fn tell(mut self, listener: Listener, _seat: OwnedSemaphorePermit, every: Duration) {
        // Whoever is cut off comes back after two seconds.
        let begun = self.send("retry: 2000\n\n".to_owned()).await;
        if begun.is_ok() {
            // It ends when the listener goes away; nothing is left to be said then.
            let Gone = self.go_on(listener, every).await;
        }
    }

    async fn go_on(&mut self, mut listener: Listener, every: Duration) -> Gone {
        for activity in &listener.past {
            if self.hear(activity).await.is_err() {
                return Gone;
            }
        }
        let mut beat = tokio::time::interval(every);
        // The first one is at once, when nothing has to be said yet.
        beat.tick().await;
        loop {
            let told = tokio::select! {
                () = self.out.closed() => Err(Gone),
                _ = beat.tick() => {
                    self.desk.looked_at();
                    self.send(": still here\n\n".to_owned()).await
                }
                heard = listener.coming.recv() => match heard {
                    Ok(activity) => self.hear(&activity).await,
                    // What is missing shows in the number of the next one.
                    Err(RecvError::Lagged(_)) => Ok(()),
                    Err(RecvError::Closed) => Err(Gone),
                },
            };
            if told.is_err() {
                return Gone;
            }
        }
    }

    /// Tells of an event, and before it of those that are gone.
    async fn hear(&mut self, activity: &Activity) -> Result<(), Gone> {
        match self.last {
            // What is past and what comes may overlap.
            Some(last) if self.heard && activity.number <= last => return Ok(()),
            Some(last) if last.saturating_add(1) < activity.number && !is_missed(activity) => {
                let (from, to) = (last + 1, activity.number - 1);
                self.send(event(&self.missed(from, to))).await?;
            }
            _ => {}
        }
        (self.last, self.heard) = (Some(activity.number), true);
        if self.all || activity.project.is_none() || activity.project == self.project {
            self.send(event(activity)).await?;
        }
        Ok(())
    }

    fn missed(&self, from: u64, to: u64) -> Activity {
        let at = self.desk.now();
        let what = What::Missed { from, to };
        Activity { number: to, at, scope: None, project: None, session: None, agent: None, what }
    }

    async fn send(&self, text: String) -> Result<(), Gone> {
        self.out.send(text.into()).await.map_err(|_| Gone)
    }
}

const fn is_missed(activity: &Activity) -> bool {
    matches!(activity.what, What::Missed { .. })
}

/// As a browser reads it. JSON has no line ends of its own.
fn event(activity: &Activity) -> String {
    let data = serde_json::to_string(activity).unwrap_or_default();
    format!("event: {}\nid: {}\ndata: {data}\n\n", activity.what.word(), activity.number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Begun, Mode};
    use engram_core::port::Pending;
    use engram_core::{OperationId, Timestamp};
    use engram_wire::Request;
    use engram_wire::desk::{Desk, Heard};
    use serde_json::Value;
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::sync::broadcast;

    /// Counts how often somebody looked; nothing else is asked of it.
    #[derive(Default)]
    struct Looked(AtomicUsize);

    impl Desk for Looked {
        fn obey(&self, _: Request, _: Heard) -> Pending<'_, Result<Value, Fault>> {
            unreachable!()
        }

        fn operation(&self) -> OperationId {
            unreachable!()
        }

        fn now(&self) -> Timestamp {
            unreachable!()
        }
    }

    impl Window for Looked {
        fn folder_of(&self, _: &ProjectKey) -> Pending<'_, Result<Option<PathBuf>, Fault>> {
            unreachable!()
        }

        fn listen(&self, _: Option<u64>) -> Listener {
            unreachable!()
        }

        fn home(&self) -> (PathBuf, Timestamp) {
            unreachable!()
        }

        fn looked_at(&self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }

        fn begin(&self, _: Request) -> Pending<'_, Begun> {
            unreachable!()
        }

        fn redeem(&self, _: &str) -> Option<Mode> {
            unreachable!()
        }

        fn backup_file(&self) -> PathBuf {
            unreachable!()
        }
    }

    #[tokio::test]
    async fn a_quiet_stream_is_heard_to_be_alive_and_ends_with_its_listener() {
        let desk = Arc::new(Looked::default());
        let (out, mut sent) = mpsc::channel(AHEAD);
        let (says, coming) = broadcast::channel(1);
        let seats = Arc::new(Semaphore::new(1));
        let seat = seats.clone().try_acquire_owned().unwrap();
        let feed = Feed { desk: desk.clone(), project: None, all: false, last: None, heard: false, out };
        let listener = Listener { past: Vec::new(), coming };
        let told = tokio::spawn(feed.tell(listener, seat, Duration::from_millis(5)));
        assert_eq!(sent.recv().await.unwrap(), "retry: 2000\n\n");
        for _ in 0..3 {
            assert_eq!(sent.recv().await.unwrap(), ": still here\n\n");
        }
        assert!(desk.0.load(Ordering::SeqCst) >= 3, "each time the daemon hears that somebody looks");
        drop(sent);
        told.await.unwrap();
        assert_eq!((seats.available_permits(), says.receiver_count()), (1, 0), "nothing is left behind");
    }
}
