//! The commands about what happens: telling it, asking why, deciding.

use crate::args::Review;
use crate::ask::{Client, Outcome};
use crate::importing::lines::{Told, event_of_line};
use crate::importing::whole_lines::WholeLines;
use crate::importing::{BadLine, Line};
use crate::out::{self, Out};
use crate::{around, show};
use engram_core::Scope;
use engram_core::turn::Event;
use engram_guard::guard;
use engram_wire::message::{MemoryName, Observe};
use engram_wire::reply::{Observed, ReviewLine, Reviews, WhyReply};
use engram_wire::{Fault, Order};
use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// What came within this time travels together.
const GATHERING: Duration = Duration::from_millis(100);

/// Events that travel together.
#[derive(Default)]
pub(crate) struct Batch {
    events: Vec<Event>,
    bytes: usize,
}

impl Batch {
    const MOST: usize = 200;
    const MOST_BYTES: usize = 1 << 20;

    pub(crate) fn push(&mut self, event: Event) {
        self.bytes += serde_json::to_vec(&event).map_or(0, |written| written.len());
        self.events.push(event);
    }

    pub(crate) fn is_full(&self) -> bool {
        self.events.len() >= Self::MOST || self.bytes >= Self::MOST_BYTES
    }

    pub(crate) fn take(&mut self) -> Vec<Event> {
        std::mem::take(self).events
    }
}

/// What came of many events.
#[derive(Debug, Default, serde::Serialize)]
pub(crate) struct Tally {
    #[serde(flatten)]
    pub(crate) observed: Observed,
    /// Kept in the spool, to be heard as soon as the daemon can.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) spooled: usize,
    /// Lines that could not be read.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) bad: usize,
    /// Events that could.
    #[serde(skip)]
    pub(crate) good: usize,
    /// What was written beside events that they do not have, how often.
    #[serde(skip)]
    unknown: BTreeMap<String, usize>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Tally {
    /// The event of a line as it may be sent; none of a line that is told to be no
    /// event.
    pub(crate) fn read(&mut self, command: &str, line: Result<Line, BadLine>) -> Option<Event> {
        match line.and_then(|line| event_of_line(&line)) {
            Ok(told) => {
                let event = self.note(told);
                Some(prepared(event, self))
            }
            Err(bad) => {
                self.note_bad(command, &bad.to_string());
                None
            }
        }
    }

    /// The event of a line, with a note of what it was written with.
    pub(crate) fn note(&mut self, told: Told) -> Event {
        for key in told.unknown {
            *self.unknown.entry(key).or_default() += 1;
        }
        told.event
    }

    pub(crate) fn note_bad(&mut self, command: &str, problem: &str) {
        self.bad += 1;
        out::warn(command, problem);
    }

    pub(crate) fn add(&mut self, more: Observed) {
        self.observed.heard += more.heard;
        self.observed.known += more.known;
        self.observed.dry_run = more.dry_run;
        self.observed.decisions.extend(more.decisions);
        self.observed.ended.extend(more.ended);
        for (rule, count) in more.masked {
            *self.observed.masked.entry(rule).or_default() += count;
        }
        for (rule, count) in more.personal {
            *self.observed.personal.entry(rule).or_default() += count;
        }
        self.observed.refused += more.refused;
        self.observed.barred += more.barred;
    }
}

/// An event as it may leave this process, be it for the daemon or the spool:
/// with its moment, and without anybody's secrets.
pub(crate) fn prepared(event: Event, tally: &mut Tally) -> Event {
    tally.good += 1;
    let event = Event { time: Some(event.time.unwrap_or_else(around::now)), ..event };
    event.masked(&mut |text, _| {
        let guarded = guard(text);
        for masked in guarded.secrets {
            *tally.observed.masked.entry(masked.rule.to_owned()).or_default() += masked.count;
        }
        guarded.text
    })
}

pub(crate) fn observe(
    client: &mut Client,
    out: &Out,
    dry_run: bool,
    scope: Option<Scope>,
) -> Result<(), Fault> {
    if io::stdin().is_terminal() {
        return Err(Fault::usage("there are no events").hint(
            r#"pipe them in, one a line: echo '{"type":"user_message","text":"..."}' | engram observe"#,
        ));
    }
    let lines = read_in_background();
    let mut tally = Tally::default();
    let mut ended = false;
    while !ended {
        let mut batch = Batch::default();
        while !batch.is_full() {
            let wait = if batch.events.is_empty() { Duration::MAX } else { GATHERING };
            let line = match lines.recv_timeout(wait) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => {
                    ended = true;
                    break;
                }
            };
            let line = line
                .map_err(|error| Fault::environment(format!("standard input could not be read: {error}")))?;
            tally.read("observe", line).into_iter().for_each(|event| batch.push(event));
        }
        if !batch.events.is_empty() {
            let order = Observe { events: batch.take(), dry_run, wait: true, scope, ..Observe::default() };
            send(client, order, &mut tally)?;
        }
    }
    tell(out, "observe", &tally)
}

/// Lines as they come; whoever reads them need not wait for the next.
fn read_in_background() -> Receiver<io::Result<Result<Line, BadLine>>> {
    let (tell, heard) = sync_channel(Batch::MOST);
    std::thread::spawn(move || {
        let mut lines = WholeLines::to_the_end(io::stdin().lock());
        while let Some(line) = lines.next_line().transpose() {
            if tell.send(line).is_err() {
                return;
            }
        }
    });
    heard
}

/// Sends events, or leaves them in the spool.
pub(crate) fn send(client: &Client, order: Observe, tally: &mut Tally) -> Result<(), Fault> {
    let count = order.events.len();
    if count == 0 && order.gone.is_empty() {
        return Ok(());
    }
    if order.dry_run || order.import {
        tally.add(out::understood(client.ask(Order::Observe(order))?)?);
        return Ok(());
    }
    match client.change(Order::Observe(order))? {
        Outcome::Done(reply) => tally.add(out::understood(reply)?),
        Outcome::Spooled { .. } => tally.spooled += count,
    }
    Ok(())
}

/// What came of it. Lines that were no events make it a failure, whatever came
/// of the others.
pub(crate) fn tell(out: &Out, command: &str, tally: &Tally) -> Result<(), Fault> {
    for (key, times) in &tally.unknown {
        let times = show::plural(*times, "time", "times");
        out::warn(command, &format!("`{key}` is nothing that events have, and was left out ({times})"));
    }
    let text = show::observed(&tally.observed, tally.spooled, &out.look);
    match tally.bad {
        0 => out.own(tally, &text),
        bad => {
            let others = if tally.good > 0 { "; the others were taken" } else { "" };
            let lines = show::plural(bad, "line", "lines");
            let fault = Fault::usage(format!("{lines} could not be read{others}")).hint(
                r#"an event is one JSON object: {"type":"user_message","text":"..."}; see `engram help observe`"#,
            );
            out.own_failed(tally, &text, fault)
        }
    }
}

pub(crate) fn why(client: &Client, out: &Out, memory: MemoryName) -> Result<(), Fault> {
    out.reply::<WhyReply>(client.ask(Order::Why { memory })?, show::why)
}

pub(crate) fn review(client: &mut Client, out: &Out, review: Review) -> Result<(), Fault> {
    match review {
        Review::List { all } => out.reply::<Reviews>(client.ask(Order::ReviewList { all })?, show::reviews),
        Review::Show { review } => {
            out.reply::<ReviewLine>(client.ask(Order::ReviewShow { review })?, show::review)
        }
        Review::Decide { review, ruling } => {
            let operation = client.new_operation();
            out.outcome(client.change(Order::ReviewDecide { operation, review, ruling })?)
        }
    }
}
