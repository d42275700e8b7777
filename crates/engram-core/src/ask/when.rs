//! What a question says about time, in English and Turkish.
//!
//! Owns the reading of dates, of time told from now, of counted sessions and
//! of events that serve as an anchor. It does not know what is stored: it says
//! which time is asked for, the caller finds what lies in it. It would rather
//! miss a time than see one where there is none, for most questions are about
//! code, where "may" is a verb and 1.2.3 a version.

pub(crate) mod calendar;
mod date;
mod event;
pub(crate) mod number;
pub(crate) mod reader;
mod relative;
mod rest;
mod session;
mod span;
#[cfg(test)]
mod tests;
pub(crate) mod token;

use jiff::civil::DateTime;
use jiff::{Timestamp, Zoned};
use reader::Reader;
use span::Bounds;

/// What a question says about time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeAsked {
    /// In the order of the question. What fits any of them fits the question.
    pub mentions: Vec<Mention>,
    /// It asks what was talked about then, not about a thing that happened:
    /// what lies outside the mentions is no answer. Never without a period or
    /// sessions: an event may not be found.
    pub about_talk: bool,
    /// It asks for the newest or the oldest.
    pub order: Option<Order>,
    /// The question without the words that speak of time, for the search by
    /// words; empty if nothing else was asked. The words of an event stay:
    /// they are what the event is found by.
    pub rest: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mention {
    Period(Period),
    Sessions(Sessions),
    /// An event told in words, to be found by the caller, and the side of it.
    Around {
        side: Side,
        event: String,
    },
}

/// Half open and never empty. An end that is not given is the end of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    pub from: Timestamp,
    pub until: Timestamp,
}

/// Sessions by their place in the row of all sessions, both ends included.
/// Neither is 0: 1 is the very first, or the one that ended last. An open end
/// is `u32::MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sessions {
    pub from: SessionsFrom,
    pub first: u32,
    pub last: u32,
}

/// Where the counting of sessions begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionsFrom {
    Start,
    Now,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Before,
    After,
    /// As after, and the anchor itself.
    Since,
    /// As before, and the anchor itself.
    Until,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Newest,
    Oldest,
}

/// Reads a question that is asked at `now`; its time zone is the asker's.
pub fn read(question: &str, now: &Zoned) -> TimeAsked {
    let tokens = token::tokens(question);
    let reader = Reader::new(&tokens, now);
    let mut taken = vec![false; tokens.len()];
    let mut found: Vec<(usize, Mention)> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let mention = match reader.sessions(at) {
            Some((sessions, end)) => Some((Mention::Sessions(sessions), end)),
            None => reader
                .bounds(at, at > 0 && taken[at - 1])
                .and_then(|(bounds, end)| Some((Mention::Period(period(bounds, now)?), end))),
        };
        match mention {
            Some((mention, end)) => {
                taken[at..end].fill(true);
                // The "and" between two mentions is of no further use.
                if at >= 2 && taken[at - 2] && reader.any(at - 1, "and or ve veya") {
                    taken[at - 1] = true;
                }
                found.push((at, mention));
                at = end;
            }
            None => at += 1,
        }
    }
    let timed = taken.clone();
    for at in 0..tokens.len() {
        if let Some((side, words)) = reader.event(at, &timed).filter(|_| !timed[at]) {
            let event = question[tokens[words.start].start..tokens[words.end - 1].end].to_owned();
            taken[at] = true;
            found.push((at, Mention::Around { side, event }));
        }
    }
    found.sort_by_key(|(at, _)| *at);
    let mut mentions: Vec<Mention> = Vec::new();
    for (_, mention) in found {
        if !mentions.contains(&mention) {
            mentions.push(mention);
        }
    }
    meet(&mut mentions);
    let counted = mentions.iter().any(|mention| matches!(mention, Mention::Sessions(_)));
    let about_talk = reader.about_talk(&timed, counted);
    let order = reader.order(&mentions);
    let rest = if mentions.is_empty() {
        question.trim().to_owned()
    } else {
        reader.rest(question, &taken, about_talk)
    };
    TimeAsked { mentions, about_talk, order, rest }
}

/// `None` if it would be empty.
fn period(bounds: Bounds, now: &Zoned) -> Option<Period> {
    let at = |local: DateTime| now.time_zone().to_timestamp(local).ok();
    let from = bounds.from.map_or(Some(Timestamp::MIN), at)?;
    let until = bounds.until.map_or(Some(Timestamp::MAX), at)?;
    (from < until).then_some(Period { from, until })
}

/// "After May 8 and before June 9" is one period, open at neither end.
fn meet(mentions: &mut Vec<Mention>) {
    let periods = |mention: &Mention| match mention {
        Mention::Period(period) => Some(*period),
        Mention::Sessions(_) | Mention::Around { .. } => None,
    };
    let place =
        |open: fn(&Period) -> bool| mentions.iter().position(|m| periods(m).as_ref().is_some_and(open));
    let after = place(|period| period.until == Timestamp::MAX);
    let before = place(|period| period.from == Timestamp::MIN);
    let (Some(after), Some(before)) = (after, before) else { return };
    let (Some(from), Some(until)) = (periods(&mentions[after]), periods(&mentions[before])) else { return };
    if from.from < until.until {
        mentions[after.min(before)] = Mention::Period(Period { from: from.from, until: until.until });
        mentions.remove(after.max(before));
    }
}
