//! What the daemon takes of the machine: measured, held against the budgets, and
//! answered for.
//!
//! The core decides (`engram_core::budget`); here it is measured and done. It
//! does not know what an order means beyond the number of events it brings.

use crate::clock::now;
use crate::house::{House, OpenStore};
use engram_core::budget::{
    Behaviour, Bucket, Gauge, Pressure, Shed, StoreUse, is_far_over, may_queue, plan_shedding, pressure,
};
use engram_core::{Scope, SessionId, Span, Timestamp};
use engram_wire::{Context, Fault, FaultKind, Order, platform};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// How often it is looked how large a store is on the disk.
const SIZE_FOR: Span = Span::from_secs(5);
/// So many stores beside the user's are opened even where memory is short: a
/// session and its project. Others wait until these were left alone for a while,
/// so whoever waits has his turn.
const ALWAYS_OPEN: usize = 2;

/// How it ends what is told where a store has its size.
const NO_ROOM: &str = ": nothing new is taken";

/// Whether something was refused because a store has its size.
pub(crate) fn is_for_want_of_room(fault: &Fault) -> bool {
    fault.kind == FaultKind::Refused && fault.message.ends_with(NO_ROOM)
}

/// Having grown by so much, the process gives back what of it is free.
const GROWN_MB: u64 = 16;

/// What was measured last.
pub(crate) struct Load {
    resident_mb: AtomicU64,
    /// The least since memory was given back.
    least_mb: AtomicU64,
    /// The making of vectors, outlines and dreams wait.
    background_waits: AtomicBool,
    /// Events of the last minute.
    bucket: Mutex<Bucket>,
    /// Events that were let in and are not heard yet.
    coming: AtomicU64,
    /// How large the stores are, in bytes, and when that was looked up.
    sizes: Mutex<HashMap<PathBuf, (u64, Timestamp)>>,
}

impl Load {
    pub(crate) fn new(at: Timestamp) -> Self {
        Self {
            resident_mb: AtomicU64::new(0),
            least_mb: AtomicU64::new(u64::MAX),
            background_waits: AtomicBool::new(false),
            bucket: Mutex::new(Bucket::empty(at)),
            coming: AtomicU64::new(0),
            sizes: Mutex::default(),
        }
    }

    /// Whether what can be done at any time is put off.
    pub(crate) fn background_waits(&self) -> bool {
        self.background_waits.load(Ordering::Relaxed)
    }

    pub(crate) fn put_background_off(&self, off: bool) {
        if self.background_waits.swap(off, Ordering::Relaxed) != off {
            let memory = self.resident_mb.load(Ordering::Relaxed);
            match off {
                true => tracing::warn!("{memory} MB are over the budget: vectors, outlines and dreams wait"),
                false => tracing::info!("{memory} MB are within the budget again"),
            }
        }
    }

    /// Looks how much memory the process takes. Where the system does not tell,
    /// nothing is over.
    pub(crate) fn measure(&self) {
        let resident = platform::resident_bytes(std::process::id()).unwrap_or(0);
        self.resident_mb.store(resident >> 20, Ordering::Relaxed);
    }

    /// Gives back what is free and still counts as ours, whenever the process has
    /// grown. What it needs now is where it may grow from.
    pub(crate) async fn give_back(&self) {
        let resident = self.resident_mb.load(Ordering::Relaxed);
        let least = self.least_mb.fetch_min(resident, Ordering::Relaxed);
        if resident < least.saturating_add(GROWN_MB) {
            return;
        }
        // A defect there costs nothing but memory.
        let _ = tokio::task::spawn_blocking(platform::give_back_memory).await;
        self.measure();
        self.least_mb.store(self.resident_mb.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    fn bucket(&self) -> MutexGuard<'_, Bucket> {
        self.bucket.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// How large the store in this folder is, in bytes, as it was seen less than
    /// `ago` before.
    fn size_of(&self, folder: &Path, at: Timestamp, ago: Span, look: impl FnOnce() -> u64) -> u64 {
        let sizes = || self.sizes.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let known = sizes().get(folder).copied();
        // A clock that was set back makes nothing young.
        let is_fresh = |seen_at: Timestamp| at >= seen_at && at.duration_since(seen_at) < ago;
        if let Some((bytes, _)) = known.filter(|(_, seen_at)| is_fresh(*seen_at)) {
            return bytes;
        }
        // Nobody waits for a look at another folder.
        let bytes = look();
        sizes().insert(folder.to_owned(), (bytes, at));
        bytes
    }
}

/// Events that were let in; they count as waiting until they are heard.
pub(crate) struct Coming<'l> {
    load: &'l Load,
    events: u64,
}

impl Drop for Coming<'_> {
    fn drop(&mut self) {
        self.load.coming.fetch_sub(self.events, Ordering::Relaxed);
    }
}

impl House {
    fn limit(&self, key: &str) -> u64 {
        self.settings.number(key)
    }

    /// Lets the events of an order in, if there is room for all of them. What is
    /// turned away is not lost: whoever brought it leaves it in the spool.
    pub(crate) fn admit(&self, order: &Order, at: Timestamp) -> Result<Coming<'_>, Fault> {
        let events = order.events() as u64;
        let coming = Coming { load: &self.load, events };
        let before = self.load.coming.fetch_add(events, Ordering::Relaxed);
        if events == 0 {
            return Ok(coming);
        }
        let most = self.limit("budget.queue");
        let waiting = before + self.unread();
        if !may_queue(waiting, events, most) {
            return Err(Fault::busy(format!("{waiting} events wait to be read, of {most} that may"))
                .hint("it is taken in from the spool as soon as there is room")
                .hint("`engram config set budget.queue N` lets more of them wait"));
        }
        let most = self.limit("budget.events_per_minute");
        if !self.load.bucket().take(events, most, at) {
            return Err(Fault::busy(format!("more than {most} events came in the last minute"))
                .hint("it is taken in from the spool as soon as there is room")
                .hint("`engram config set budget.events_per_minute N` allows more"));
        }
        Ok(coming)
    }

    fn unread(&self) -> u64 {
        self.all_open().iter().map(|store| store.shelf.count_unread() as u64).sum()
    }

    /// Whether a further store may be opened for something new. Looking at what
    /// is there, and changing it, opens any store.
    pub(crate) fn room_for_a_store(&self) -> Result<(), Fault> {
        let open = self.projects.open().len() + self.sessions.open().len();
        let memory = self.resident();
        if open < ALWAYS_OPEN || !is_far_over(&memory) {
            return Ok(());
        }
        let Gauge { used, limit, unit, .. } = memory;
        Err(Fault::busy(format!("{used} {unit} of memory are taken, of {limit}: no further store is opened"))
            .hint("it is opened when others were left alone for some seconds")
            .hint("`engram config set budget.resident_mb N` allows more"))
    }

    /// Whether the project that somebody here works in is open, or may be.
    pub(crate) fn room_at(&self, context: &Context) -> Result<(), Fault> {
        match self.place(context) {
            Ok(Some(place)) if !self.projects.has(&place.store) => self.room_for_a_store(),
            _ => Ok(()),
        }
    }

    /// Refuses something new where a store has its size. What is seen to be too
    /// large is looked at once more, for it may have been written anew.
    pub(crate) fn room_in(&self, store: &OpenStore) -> Result<(), Fault> {
        let Some(gauge) = self.size(store, SIZE_FOR) else { return Ok(()) };
        if pressure(&gauge) < Pressure::Over {
            return Ok(());
        }
        let Some(gauge) = self.size(store, Span::ZERO).filter(|now| pressure(now) == Pressure::Over) else {
            return Ok(());
        };
        let Gauge { used, limit, unit, .. } = gauge;
        let message = format!("{} has {used} {unit} on the disk, of {limit}{NO_ROOM}", store.label());
        Err(Fault::refused(message)
            .hint("`engram compact` writes it anew, without what it does not need any more")
            .hint("`engram evolve archive` and `engram forget --purge` let go of memories")
            .hint("`engram config set budget.store_mb N` and `engram stop` allow more"))
    }

    /// How large a store is. None: it is not in a folder of ours.
    fn size(&self, store: &OpenStore, ago: Span) -> Option<Gauge> {
        let home = store.home.as_ref()?;
        let bytes = self.load.size_of(home.folder(), now(), ago, || home.bytes());
        Some(Gauge {
            what: format!("size of {}", store.label()),
            used: bytes >> 20,
            limit: self.limit("budget.store_mb"),
            unit: "MB",
            behaviour: Behaviour::Refuse,
        })
    }

    pub(crate) fn resident(&self) -> Gauge {
        Gauge {
            what: "memory".to_owned(),
            used: self.load.resident_mb.load(Ordering::Relaxed),
            limit: self.limit("budget.resident_mb"),
            unit: "MB",
            behaviour: Behaviour::Shed,
        }
    }

    pub(crate) fn open_stores(&self) -> Gauge {
        Gauge {
            what: "open stores".to_owned(),
            // The team's is followed all the time, and not let go of.
            used: (self.user.open().len() + self.projects.open().len() + self.sessions.open().len()) as u64,
            limit: self.limit("daemon.open_stores"),
            unit: "stores",
            behaviour: Behaviour::Shed,
        }
    }

    /// All that is measured here. Of the stores, those that come near to their
    /// size, or else the largest.
    pub(crate) fn gauges(&self, at: Timestamp) -> Vec<Gauge> {
        self.load.measure();
        let queue = Gauge {
            what: "queue".to_owned(),
            used: self.unread() + self.load.coming.load(Ordering::Relaxed),
            limit: self.limit("budget.queue"),
            unit: "events",
            behaviour: Behaviour::Spool,
        };
        let per_minute = self.limit("budget.events_per_minute");
        let rate = Gauge {
            what: "event rate".to_owned(),
            used: self.load.bucket().events_at(per_minute, at),
            limit: per_minute,
            unit: "events a minute",
            behaviour: Behaviour::Spool,
        };
        // How large the team's is follows from what everybody shares, and from team.local_most.
        let own = self.all_open().into_iter().filter(|store| store.scope() != Scope::Team);
        let mut sizes: Vec<Gauge> = own.filter_map(|store| self.size(&store, SIZE_FOR)).collect();
        sizes.sort_by_key(|gauge| std::cmp::Reverse(gauge.used));
        let near = sizes.iter().filter(|gauge| pressure(gauge) > Pressure::Calm).count();
        sizes.truncate(near.max(1));
        let mut gauges = vec![self.resident(), self.open_stores(), queue, rate];
        gauges.extend(sizes);
        gauges
    }

    /// Lets go of what was not used for a while, of the longest unused stores
    /// above the limit, and of more where memory is short.
    pub(crate) fn shed(&self, at: Timestamp) {
        self.load.measure();
        let idle = i64::try_from(self.settings.number("daemon.store_idle_s")).unwrap_or(i64::MAX);
        let mut open: Vec<(Arc<OpenStore>, Slot)> = Vec::new();
        open.extend(self.user.open().into_iter().map(|(_, store)| (store, Slot::User)));
        open.extend(self.projects.open().into_iter().map(|(key, store)| (store, Slot::Project(key))));
        open.extend(self.sessions.open().into_iter().map(|(id, store)| (store, Slot::Session(id))));
        let uses: Vec<StoreUse> = open
            .iter()
            .map(|(store, _)| StoreUse { used_at: store.used_at(), unread: store.shelf.has_unread() })
            .collect();
        let idle = Span::from_secs(idle);
        let planned = plan_shedding(&self.resident(), &self.open_stores(), idle, &uses, at);
        self.load.put_background_off(planned.contains(&Shed::Background));
        let mut slots: Vec<Option<Slot>> = open.into_iter().map(|(_, slot)| Some(slot)).collect();
        let close: Vec<Slot> = planned
            .into_iter()
            .filter_map(|shed| match shed {
                Shed::Store(place) => slots.get_mut(place)?.take(),
                Shed::Background => None,
            })
            .collect();
        if close.is_empty() {
            return;
        }
        // Whoever wants the house for himself goes first; there is another round soon.
        let Ok(_gate) = self.gate.try_read() else { return };
        for slot in close {
            // Whoever is at work keeps what he works with.
            drop(match slot {
                Slot::User => self.user.take_unused(&()),
                Slot::Project(key) => self.projects.take_unused(&key),
                Slot::Session(id) => self.sessions.take_unused(&id),
            });
        }
    }
}

enum Slot {
    User,
    Project(PathBuf),
    Session(SessionId),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_looked_up_again_when_it_is_old_or_the_clock_was_set_back() {
        let at = |seconds: i64| Timestamp::from_second(1_767_225_600 + seconds).unwrap();
        let load = Load::new(at(0));
        let size = |seconds, bytes| load.size_of(Path::new("/store"), at(seconds), SIZE_FOR, || bytes);
        assert_eq!([size(0, 1), size(4, 2), size(5, 3)], [1, 1, 3]);
        assert_eq!(size(-3_600, 4), 4);
    }

    #[test]
    fn measuring_one_store_makes_nobody_wait_for_another() {
        let at = Timestamp::from_second(1_767_225_600).unwrap();
        let load = Load::new(at);
        let size = |name: &str, look: &dyn Fn() -> u64| load.size_of(Path::new(name), at, SIZE_FOR, look);
        assert_eq!(size("/one", &|| size("/other", &|| 2)), 2);
    }
}
