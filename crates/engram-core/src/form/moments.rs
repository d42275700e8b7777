//! The moments to come that a text names: tomorrow at nine, in two weeks.
//!
//! The words are read as in any fact (`dates`), by somebody who looks ahead.
//! What is to happen then is not known here.

use super::dates::{Look, Points};
use super::foresee::Tense;
use super::grammar::Clause;
use crate::ask::when::Side;
use crate::ask::when::calendar::{Unit, moved, unit};
use jiff::civil::{DateTime, Time};
use jiff::{Timestamp, ToSpan, Zoned};
use std::ops::Range;

/// A moment that a text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Moment {
    /// The bytes of its words.
    pub(crate) at: Range<usize>,
    /// The day, or the hour if the words say a part of it. None: only a time
    /// of day is said.
    from: Option<DateTime>,
    /// The day is the last one on which something may happen.
    pub(crate) is_deadline: bool,
    clock: Option<Time>,
}

impl Moment {
    /// The two are one: "on Friday" and "at nine".
    pub(crate) fn with(self, other: Moment) -> Moment {
        Moment {
            at: self.at.start.min(other.at.start)..self.at.end.max(other.at.end),
            from: self.from.or(other.from),
            is_deadline: self.is_deadline || other.is_deadline,
            clock: self.clock.or(other.clock),
        }
    }

    /// When it begins, seen from when it was said: never before that. A time of
    /// day without a day is the next one.
    pub(crate) fn begins_at(&self, said_at: &Zoned) -> Option<Timestamp> {
        let day = self.from.map_or(said_at.date(), |from| from.date());
        let local = match (self.clock, self.from) {
            (Some(clock), _) => day.to_datetime(clock),
            (None, from) => from?,
        };
        let is_over = self.from.is_none() && local <= said_at.datetime();
        let local = if is_over { local.checked_add(1.day()).ok()? } else { local };
        let at = said_at.time_zone().to_timestamp(local).ok()?;
        Some(at.max(said_at.timestamp()))
    }
}

/// The moments of a text, in its order. What lies behind is none of them.
pub(crate) fn moments_in(text: &str, said_at: &Zoned) -> Vec<Moment> {
    let clause = Clause::read(text);
    let reader = clause.reader(said_at);
    let look = Look { clause: &clause, reader: &reader, tense: Tense::Future, rule: false };
    let mut found = Vec::new();
    let mut at = 0;
    while at < clause.len() {
        match look.moment(at) {
            Some((moment, end)) => {
                found.push(moment);
                at = end.max(at + 1);
            }
            None => at += 1,
        }
    }
    found
}

impl Look<'_> {
    fn moment(&self, at: usize) -> Option<(Moment, usize)> {
        let dated = self.dated(at).filter(|dated| {
            // What belongs to a thing says nothing of when: "for Monday".
            let things = "for of from since";
            let belongs = self.reader.any(at, things) || self.reader.after_any(at, things);
            dated.points != Points::Back && !belongs
        });
        let Some(dated) = dated else {
            let named = self.reader.any(at, "at saat");
            let (clock, end) = self.clock_at(at, true).filter(|_| named)?;
            let at = self.clause.bytes(at..end);
            return Some((Moment { at, from: None, is_deadline: false, clock: Some(clock) }, end));
        };
        let day_before = |from: DateTime| moved(from.date(), (-1).days()).map(DateTime::from);
        let from = match (dated.stretch, dated.side) {
            (None, _) => self.about(at, dated.end)?,
            (Some(stretch), Some(Side::Before)) => day_before(stretch.from)?,
            (Some(stretch), Some(Side::After)) => stretch.until,
            (Some(stretch), _) => stretch.from,
        };
        let is_deadline = matches!(dated.side, Some(Side::Before | Side::Until));
        let (clock, end) = match self.clock_at(dated.end, true) {
            Some((clock, end)) => (Some(clock), end),
            None => (None, dated.end),
        };
        let moment = Moment { at: self.clause.bytes(at..end), from: Some(from), is_deadline, clock };
        (!self.goes_on(end)).then_some((moment, end))
    }

    /// "In a few days": the middle of what may be meant.
    fn about(&self, at: usize, end: usize) -> Option<DateTime> {
        let amount = (at..end).find_map(|at| self.reader.amount(at).filter(|amount| amount.end < end))?;
        let (of, _) = unit(self.clause.get(amount.end)?)?;
        let count = i64::from(amount.fewest.midpoint(amount.most));
        match of {
            Unit::Minute | Unit::Hour => self.reader.now.datetime().checked_add(of.times(count)).ok(),
            _ => moved(self.reader.today, of.times(count)).map(DateTime::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use jiff::tz::TimeZone;

    /// A Wednesday afternoon.
    fn now() -> Zoned {
        date(2024, 6, 5).at(15, 30, 0, 0).to_zoned(TimeZone::UTC).expect("a time that exists")
    }

    #[test]
    fn what_is_to_come_is_read_with_its_hour() {
        for (text, expected) in [
            ("tomorrow at 9", "2024-06-06 09:00"),
            ("tomorrow at 5", "2024-06-06 17:00"),
            ("tomorrow", "2024-06-06 00:00"),
            ("today", "2024-06-05 15:30"),
            ("on Friday", "2024-06-07 00:00"),
            ("Friday at 15:45", "2024-06-07 15:45"),
            ("at 9am", "2024-06-06 09:00"),
            ("at 5 pm", "2024-06-05 17:00"),
            ("in two weeks", "2024-06-19 00:00"),
            ("in a couple of days", "2024-06-07 00:00"),
            ("in 2 hours", "2024-06-05 17:30"),
            ("in a few minutes", "2024-06-05 15:34"),
            ("on 2026-12-01", "2026-12-01 00:00"),
            ("by Friday", "2024-06-07 00:00"),
            ("before Friday", "2024-06-06 00:00"),
            ("next week", "2024-06-10 00:00"),
            ("the end of the month", "2024-06-30 00:00"),
            ("tonight", "2024-06-05 17:00"),
            ("yarın saat 9'da", "2024-06-06 09:00"),
            ("cuma günü", "2024-06-07 00:00"),
            ("iki hafta sonra", "2024-06-19 00:00"),
            ("haftaya pazartesi", "2024-06-10 00:00"),
            ("1 Aralık'ta", "2024-12-01 00:00"),
        ] {
            let found = moments_in(text, &now());
            let [moment] = &found[..] else { panic!("{text}: {found:?}") };
            let at = moment.begins_at(&now()).unwrap().strftime("%Y-%m-%d %H:%M").to_string();
            assert_eq!((at.as_str(), moment.at.clone()), (expected, 0..text.len()), "{text}");
        }
    }

    #[test]
    fn what_is_past_or_belongs_to_a_thing_is_no_moment_to_come() {
        for text in ["yesterday", "two weeks ago", "slides for Monday", "version 1.2.3", "port 9", "dün"] {
            assert_eq!(moments_in(text, &now()), [], "{text}");
        }
    }
}
