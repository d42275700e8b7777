//! Whoever watches what goes on from a terminal: a connection that tells each
//! event as it comes, and what went on lately. And of whom an event is, which
//! decides who hears of it.

use crate::bus::{Whose, concerns, missed};
use crate::house::{House, OpenStore};
use crate::identity;
use crate::serve::Daemon;
use engram_core::{ProjectKey, SessionId};
use engram_wire::activity::{Activities, Activity};
use engram_wire::{Answer, Context, Fault, frame};
use std::io;
use std::path::{Path, PathBuf};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tokio::sync::broadcast::error::RecvError;

/// So many of the latest events are told at most.
const MOST: usize = 4_096;

/// What somebody may hear of.
struct Ear<'h> {
    house: &'h House,
    /// Where the store of the project is, or will be.
    store: Option<PathBuf>,
    all: bool,
}

impl<'h> Ear<'h> {
    fn of(house: &'h House, context: &Context, all: bool) -> Result<Self, Fault> {
        Ok(Self { house, store: house.place(context)?.map(|place| place.store), all })
    }

    /// A project is known by another key once it has a store, which may come
    /// while somebody listens; what went on before is the same project's.
    fn hears(&self, activity: &Activity) -> bool {
        let by = |key: Option<ProjectKey>| concerns(activity, key.as_ref());
        let store = self.store.as_deref();
        self.all
            || by(store.map(identity::passing_key))
            || by(store.and_then(|store| self.house.known_key(store)))
    }
}

/// What went on lately, the oldest first.
pub(crate) fn lately(
    daemon: &Daemon,
    context: &Context,
    limit: usize,
    all: bool,
) -> Result<Activities, Fault> {
    if !(1..=MOST).contains(&limit) {
        return Err(Fault::usage(format!("limit must be between 1 and {MOST}, not {limit}")));
    }
    let ear = Ear::of(&daemon.house, context, all)?;
    let (kept, latest) = daemon.house.bus.lately();
    let mut heard: Vec<Activity> = kept
        .iter()
        .rev()
        .filter(|activity| ear.hears(activity))
        .take(limit)
        .map(|one| (**one).clone())
        .collect();
    heard.reverse();
    Ok(Activities { activities: heard, latest })
}

/// Tells what goes on until the other side goes away. It holds no gate, and does
/// not keep the daemon awake.
pub(crate) async fn watch(
    daemon: &Daemon,
    mut stream: UnixStream,
    context: &Context,
    after: Option<u64>,
    all: bool,
) -> io::Result<()> {
    let ear = match Ear::of(&daemon.house, context, all) {
        Ok(ear) => ear,
        Err(fault) => return stream.write_all(&frame::encode(&Answer::Fault { fault })?).await,
    };
    let (past, mut coming) = daemon.house.bus.listen(after);
    let agreed = Answer::Done { reply: serde_json::Value::Null };
    stream.write_all(&frame::encode(&agreed)?).await?;
    let (mut reading, mut writing) = stream.split();
    for activity in past.iter().filter(|activity| ear.hears(activity)) {
        writing.write_all(&line(activity)?).await?;
    }
    let mut gone = 0;
    let mut nothing = [0; 64];
    loop {
        tokio::select! {
            heard = coming.recv() => match heard {
                Ok(activity) => {
                    // Numbers have no gaps, so it is known which ones are gone.
                    let number = activity.number;
                    let lost = std::mem::take(&mut gone);
                    if lost > 0 {
                        writing.write_all(&line(&missed(number - lost, number - 1))?).await?;
                    }
                    if ear.hears(&activity) {
                        writing.write_all(&line(&activity)?).await?;
                    }
                }
                Err(RecvError::Lagged(events)) => gone += events,
                Err(RecvError::Closed) => return Ok(()),
            },
            // Nothing more is said on that side; what comes is the end.
            said = reading.read(&mut nothing) => if said? == 0 {
                return Ok(());
            },
        }
    }
}

fn line(activity: &Activity) -> io::Result<Vec<u8>> {
    frame::encode(&Answer::Line { line: serde_json::to_string(activity)? })
}

impl House {
    /// The key of the project whose store lies in this folder, if it has one.
    pub(crate) fn known_key(&self, folder: &Path) -> Option<ProjectKey> {
        let open = self.projects.open().into_iter().find(|(known, _)| known == folder);
        match open {
            Some((_, store)) => store.project.as_ref().map(|seen| seen.key.clone()),
            None => identity::settled_key_at(folder, self.home.person()),
        }
    }

    /// By what the events of this project are known. One without a store has a
    /// name as well: what is said there is nobody else's business.
    fn key_of(&self, folder: &Path) -> ProjectKey {
        self.known_key(folder).unwrap_or_else(|| identity::passing_key(folder))
    }

    /// The project that a request comes from.
    fn key_for(&self, context: &Context) -> Result<Option<ProjectKey>, Fault> {
        Ok(self.place(context)?.map(|place| self.key_of(&place.store)))
    }

    /// Of whom it is what is done in a store.
    pub(crate) fn whose(&self, store: &OpenStore, session: Option<SessionId>) -> Whose {
        let own = || store.database.strip_prefix("s_")?.parse().ok();
        let session = session.or_else(own);
        let of_session = || store.session_of.as_ref().map(|folder| self.key_of(folder));
        Whose {
            scope: Some(store.scope()),
            project: store.project.as_ref().map(|seen| seen.key.clone()).or_else(of_session),
            session,
            agent: session.and_then(|id| self.agent_of(id)),
        }
    }

    /// Of whom it is what a request does.
    pub(crate) fn asker(&self, context: &Context) -> Whose {
        // A folder that is gone is still not the user's.
        let gone = |_| context.folder.as_deref().map(identity::passing_key);
        Whose {
            scope: None,
            project: self.key_for(context).unwrap_or_else(gone),
            session: context.session,
            agent: context.session.and_then(|id| self.agent_of(id)),
        }
    }
}
