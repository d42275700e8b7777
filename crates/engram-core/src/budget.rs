//! What may be taken of the machine, how near that is, and what goes first when
//! it is too much.
//!
//! Owns the behaviours, the pressure on a gauge, the rate at which events come
//! in, and the plan of what is shed. It does not know how anything is measured,
//! nor who closes a store or answers that he is busy.

use crate::words::words;
use crate::{Span, Timestamp};

words! {
    /// What happens above a budget.
    pub enum Behaviour ("behaviour") {
        /// Something is let go of that can be had again.
        Shed = "shed",
        /// It waits in the spool of whoever said it, and comes in later.
        Spool = "spool",
        /// It is not done, and whoever asked is told what to do.
        Refuse = "refuse",
    }
}

/// What is taken, of what may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gauge {
    pub what: String,
    pub used: u64,
    pub limit: u64,
    pub unit: &'static str,
    pub behaviour: Behaviour,
}

/// How near a budget is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pressure {
    Calm,
    /// Four fifths are taken.
    Tight,
    /// What the behaviour says happens now.
    Over,
}

/// How near a budget is. What is spooled or refused is so from the moment when
/// nothing more fits; what is shed, only when there is too much.
pub fn pressure(gauge: &Gauge) -> Pressure {
    let Gauge { used, limit, .. } = *gauge;
    let over = match gauge.behaviour {
        Behaviour::Shed => used > limit,
        Behaviour::Spool | Behaviour::Refuse => used >= limit,
    };
    if over {
        Pressure::Over
    } else if used.saturating_mul(5) >= limit.saturating_mul(4) {
        Pressure::Tight
    } else {
        Pressure::Calm
    }
}

/// Whether it is more than a tenth above: what can be shed was, and it did not
/// help.
pub fn is_far_over(gauge: &Gauge) -> bool {
    gauge.used.saturating_mul(10) > gauge.limit.saturating_mul(11)
}

/// An open store, as the plan sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreUse {
    pub used_at: Timestamp,
    /// Something was heard there that nobody has read yet.
    pub unread: bool,
}

/// What is let go of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shed {
    /// The making of vectors, outlines and dreams wait.
    Background,
    /// The store at this place of the list is closed, and with it what it keeps
    /// at hand; it is opened again when somebody asks.
    Store(usize),
}

/// A store that was not used for so long is closed, when memory is tight and
/// when there is too much of it.
const IDLE_WHEN_TIGHT: Span = Span::from_secs(60);
/// So long a store counts as just used, and is not closed for anything.
const JUST_USED: Span = Span::from_secs(5);

/// What is let go of at `at`. A store is closed that was not used for as long as
/// `idle`, or for less where memory is short, and the longest unused ones above
/// the number that may be open. Who was there a moment ago is about to come back,
/// and opening a store costs more than keeping it; what was heard is read first. So
/// a store that was just used, or has something unread, stays.
pub fn plan_shedding(
    resident: &Gauge,
    open_stores: &Gauge,
    idle: Span,
    stores: &[StoreUse],
    at: Timestamp,
) -> Vec<Shed> {
    let memory = pressure(resident);
    let idle = match memory {
        Pressure::Calm => idle,
        Pressure::Tight => idle.min(IDLE_WHEN_TIGHT),
        Pressure::Over => idle.min(JUST_USED),
    };
    let mut shed = Vec::new();
    if memory == Pressure::Over {
        shed.push(Shed::Background);
    }
    let mut closable: Vec<(Timestamp, usize)> = stores
        .iter()
        .enumerate()
        .filter(|(_, store)| !store.unread)
        .map(|(place, store)| (store.used_at, place))
        .collect();
    closable.sort();
    let surplus = usize::try_from(open_stores.used.saturating_sub(open_stores.limit)).unwrap_or(usize::MAX);
    let goes = |(rank, (used_at, _)): &(usize, (Timestamp, usize))| {
        let idle = if *rank < surplus { idle.min(JUST_USED) } else { idle };
        at.duration_since(*used_at) > idle
    };
    let closed = closable.into_iter().enumerate().filter(goes);
    shed.extend(closed.map(|(_, (_, place))| Shed::Store(place)));
    shed
}

/// One event, in what a bucket loses in a microsecond at one event a minute.
const EVENT: u64 = 60_000_000;

/// Events of the last minute: each one fills it, and time empties it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bucket {
    level: u64,
    at: Timestamp,
}

impl Bucket {
    pub const fn empty(at: Timestamp) -> Self {
        Self { level: 0, at }
    }

    /// So many events still count at `at`.
    pub fn events_at(&self, per_minute: u64, at: Timestamp) -> u64 {
        self.level_at(per_minute, at).div_ceil(EVENT)
    }

    /// Takes these events in, all of them or none. More than ever fit are taken
    /// by an empty bucket; it is full for the longer.
    pub fn take(&mut self, events: u64, per_minute: u64, at: Timestamp) -> bool {
        let level = self.level_at(per_minute, at);
        let after = level.saturating_add(events.saturating_mul(EVENT));
        if level > 0 && after > per_minute.saturating_mul(EVENT) {
            return false;
        }
        *self = Self { level: after, at: at.max(self.at) };
        true
    }

    /// A clock that was set back empties nothing.
    fn level_at(&self, per_minute: u64, at: Timestamp) -> u64 {
        let elapsed = at.duration_since(self.at).as_micros().max(0);
        let gone = u64::try_from(elapsed).unwrap_or(u64::MAX).saturating_mul(per_minute);
        self.level.saturating_sub(gone)
    }
}

/// Whether so many more may wait beside those that do. Whoever brings more than
/// ever may wait is let in where nobody waits.
pub const fn may_queue(waiting: u64, more: u64, most: u64) -> bool {
    waiting == 0 || waiting.saturating_add(more) <= most
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gauge(used: u64, limit: u64, behaviour: Behaviour) -> Gauge {
        Gauge { what: "it".to_owned(), used, limit, unit: "MB", behaviour }
    }

    fn second(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn the_table_of_pressures() {
        use Behaviour::{Refuse, Shed, Spool};
        use Pressure::{Calm, Over, Tight};
        for (used, limit, behaviour, expected) in [
            (0, 100, Shed, Calm),
            (79, 100, Shed, Calm),
            (80, 100, Shed, Tight),
            (100, 100, Shed, Tight),
            (101, 100, Shed, Over),
            (99, 100, Spool, Tight),
            (100, 100, Spool, Over),
            (100, 100, Refuse, Over),
            (0, 0, Refuse, Over),
            (u64::MAX, 100, Shed, Over),
        ] {
            assert_eq!(pressure(&gauge(used, limit, behaviour)), expected, "{used} of {limit}, {behaviour}");
        }
    }

    #[test]
    fn a_tenth_above_is_far() {
        for (used, far) in [(100, false), (110, false), (111, true)] {
            assert_eq!(is_far_over(&gauge(used, 100, Behaviour::Shed)), far, "{used}");
        }
    }

    #[test]
    fn the_table_of_what_is_shed() {
        // Last used three, thirty and three hundred seconds ago, and one longer
        // ago where something is unread.
        let used = |ago: i64| StoreUse { used_at: second(10_000 - ago), unread: false };
        let stores = [used(3), used(300), used(30), StoreUse { unread: true, ..used(4_000) }];
        let (background, store) = (Shed::Background, Shed::Store);
        for (resident, most_open, expected) in [
            (10, 9, vec![]),
            (85, 9, vec![store(1)]),
            (101, 9, vec![background, store(1), store(2)]),
            (10, 3, vec![store(1)]),
            (10, 2, vec![store(1), store(2)]),
            (10, 0, vec![store(1), store(2)]),
            (101, 0, vec![background, store(1), store(2)]),
        ] {
            let resident = gauge(resident, 100, Behaviour::Shed);
            let open = gauge(4, most_open, Behaviour::Shed);
            let planned = plan_shedding(&resident, &open, Span::from_secs(600), &stores, second(10_000));
            assert_eq!(planned, expected, "{} resident, {most_open} may be open", resident.used);
        }
    }

    #[test]
    fn what_may_idle_for_less_is_closed_sooner_and_never_later() {
        let stores = [StoreUse { used_at: second(0), unread: false }];
        let calm = gauge(1, 100, Behaviour::Shed);
        let open = gauge(1, 12, Behaviour::Shed);
        let planned = |idle, at| plan_shedding(&calm, &open, Span::from_secs(idle), &stores, second(at));
        assert_eq!(planned(1, 2), [Shed::Store(0)]);
        assert_eq!(planned(10, 10), []);
        // A clock that was set back closes nothing.
        assert_eq!(planned(1, -50), []);
    }

    #[test]
    fn a_bucket_takes_what_a_minute_allows_and_time_empties_it() {
        let mut bucket = Bucket::empty(second(0));
        for (events, at, taken, count) in [
            (60, 0, true, 60),
            (1, 0, false, 60),
            (1, 1, true, 60),
            (10, 6, false, 55),
            (5, 6, true, 60),
            (60, 66, true, 60),
            // The clock was set back.
            (1, 10, false, 60),
            // More than ever fit, and the debt they leave.
            (90, 200, true, 90),
            (1, 220, false, 70),
            (1, 231, true, 60),
        ] {
            assert_eq!(bucket.take(events, 60, second(at)), taken, "{events} at {at}");
            assert_eq!(bucket.events_at(60, second(at)), count, "after {events} at {at}");
        }
    }

    #[test]
    fn the_table_of_who_may_wait() {
        for (waiting, more, may) in
            [(0, 1, true), (0, 99, true), (4, 1, true), (5, 1, false), (3, 2, true), (3, 3, false)]
        {
            assert_eq!(may_queue(waiting, more, 5), may, "{more} beside {waiting}");
        }
    }
}
