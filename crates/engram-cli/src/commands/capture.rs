//! The commands about what happens: telling it, asking why, deciding.

use crate::args::Review;
use crate::ask::{Client, Outcome};
use crate::out::{self, Out};
use crate::{around, show};
use engram_core::Scope;
use engram_core::turn::Event;
use engram_guard::guard;
use engram_wire::message::{MemoryName, Observe};
use engram_wire::reply::{Observed, ReviewLine, Reviews, WhyReply};
use engram_wire::{Fault, Order};
use std::io::{self, BufRead as _, IsTerminal as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// So many events travel together,
const BATCH: usize = 200;
/// or so many bytes of them, or what came within this time.
const BATCH_BYTES: usize = 1 << 20;
const GATHERING: Duration = Duration::from_millis(100);

/// What came of many events.
#[derive(Debug, Default, serde::Serialize)]
pub(crate) struct Tally {
    #[serde(flatten)]
    pub(crate) observed: Observed,
    /// Kept in the spool, to be heard when the daemon runs again.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) spooled: usize,
    /// Lines that are no events.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) bad: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Tally {
    pub(crate) fn add(&mut self, more: Observed) {
        self.observed.heard += more.heard;
        self.observed.known += more.known;
        self.observed.dry_run = more.dry_run;
        self.observed.decisions.extend(more.decisions);
        for (rule, count) in more.masked {
            *self.observed.masked.entry(rule).or_default() += count;
        }
    }
}

/// An event as it may leave this process, be it for the daemon or the spool:
/// with its moment, and without anybody's secrets.
pub(crate) fn prepared(event: Event, tally: &mut Tally) -> Event {
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
    let mut number = 0;
    let mut ended = false;
    while !ended {
        let mut events = Vec::new();
        let mut bytes = 0;
        while events.len() < BATCH && bytes < BATCH_BYTES {
            let wait = if events.is_empty() { Duration::MAX } else { GATHERING };
            let line = match lines.recv_timeout(wait) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => {
                    ended = true;
                    break;
                }
            };
            number += 1;
            let line = line
                .map_err(|error| Fault::environment(format!("standard input could not be read: {error}")))?;
            if line.trim_ascii().is_empty() {
                continue;
            }
            match parse(&line) {
                Ok(event) => {
                    bytes += line.len();
                    events.push(prepared(event, &mut tally));
                }
                Err(problem) => {
                    tally.bad += 1;
                    out::warn("observe", &format!("line {number} is no event: {problem}"));
                }
            }
        }
        if !events.is_empty() {
            let order = Observe { events, dry_run, wait: true, import: false, scope };
            send(client, order, &mut tally)?;
        }
    }
    tell(out, &tally)?;
    match tally.bad {
        0 => Ok(()),
        bad => Err(Fault::usage(format!("{bad} of {number} lines are no events; the others were heard"))
            .hint(r#"an event is one JSON object: {"type":"user_message","text":"..."}"#)),
    }
}

fn parse(line: &[u8]) -> Result<Event, String> {
    let text = std::str::from_utf8(line).map_err(|error| error.to_string())?;
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// Lines as they come; whoever reads them need not wait for the next.
fn read_in_background() -> Receiver<io::Result<Vec<u8>>> {
    let (tell, lines) = channel();
    std::thread::spawn(move || {
        for line in io::stdin().lock().split(b'\n') {
            if tell.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// Sends events, or leaves them in the spool.
pub(crate) fn send(client: &Client, order: Observe, tally: &mut Tally) -> Result<(), Fault> {
    let count = order.events.len();
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

pub(crate) fn tell(out: &Out, tally: &Tally) -> Result<(), Fault> {
    out.own(tally, &show::observed(&tally.observed, tally.spooled, &out.look))
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
