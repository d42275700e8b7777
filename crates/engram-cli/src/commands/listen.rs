//! Listening to what goes on. A daemon that ends is waited for, and the next one
//! is asked for what came since; none is started for it.

use crate::ask::Client;
use engram_wire::activity::Activities;
use engram_wire::{Answer, Fault, FaultKind, Order, frame};
use serde::Deserialize;
use std::io::BufReader;
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// How long until it is looked again for a daemon.
const NAP: Duration = Duration::from_secs(1);

/// What a listener hears.
pub(crate) enum Heard {
    /// Somebody tells from now on.
    There,
    /// An event, as it came.
    Event(String),
    /// Nobody is there; it is tried again.
    Gone,
    /// The daemon does not tell, and will not.
    Refused(Fault),
}

/// What went on lately. None: nobody is there who would know.
pub(crate) fn lately(client: &Client, limit: usize, all: bool) -> Result<Option<Activities>, Fault> {
    match client.ask_running(Order::Activity { limit, all }) {
        None => Ok(None),
        Some(Err(fault)) if fault.kind == FaultKind::Unreachable => Ok(None),
        Some(answer) => crate::out::understood(answer?).map(Some),
    }
}

/// Tells what comes after the event of this number, for as long as somebody wants
/// to hear it.
pub(crate) fn listen(client: &Client, mut after: u64, all: bool, tell: &mut dyn FnMut(Heard) -> bool) {
    loop {
        let wanted = match client.open_running(Order::Watch { after: Some(after), all }) {
            Some(Ok(stream)) => tell(Heard::There) && hear(stream, &mut after, tell) && tell(Heard::Gone),
            Some(Err(fault)) => {
                tell(Heard::Refused(fault));
                false
            }
            None => tell(Heard::Gone),
        };
        if !wanted {
            return;
        }
        std::thread::sleep(NAP);
    }
}

/// Whether more is wanted when the daemon has hung up.
fn hear(stream: UnixStream, after: &mut u64, tell: &mut dyn FnMut(Heard) -> bool) -> bool {
    #[derive(Deserialize)]
    struct Numbered {
        number: u64,
    }
    let mut stream = BufReader::new(stream);
    while let Ok(answer) = frame::read::<Answer>(&mut stream) {
        let told = match answer {
            Answer::Line { line } => {
                if let Ok(Numbered { number }) = serde_json::from_str(&line) {
                    *after = number.max(*after);
                }
                Heard::Event(line)
            }
            Answer::Fault { fault } => {
                tell(Heard::Refused(fault));
                return false;
            }
            Answer::Progress(_) | Answer::Done { .. } => continue,
        };
        if !tell(told) {
            return false;
        }
    }
    true
}
