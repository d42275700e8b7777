//! The commands about the daemon itself, and about all memories at once.

use super::read::warn_of_gaps;
use crate::ask::Client;
use crate::out::{self, Out};
use crate::show;
use engram_wire::reply::{Health, Stats, Stopping};
use engram_wire::spool::Spool;
use engram_wire::{Fault, Order, platform};
use serde_json::{Value, json};
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

/// How often, and how long in between, `stop` looks whether the daemon ended:
/// five seconds in all.
const LOOKS: u32 = 500;
const NAP: Duration = Duration::from_millis(10);

pub(crate) fn stats(client: &Client, out: &Out) -> Result<(), Fault> {
    let reply = client.ask(Order::Stats)?;
    warn_of_gaps("stats", &reply);
    out.reply::<Stats>(reply, show::stats)
}

pub(crate) fn status(client: &Client, out: &Out) -> Result<(), Fault> {
    if let Some(answer) = client.ask_running(Order::Status) {
        let mut reply = answer?;
        if let Some(fields) = reply.as_object_mut() {
            fields.insert("running".to_owned(), true.into());
        }
        return out.reply::<Health>(reply, show::health);
    }
    let (value, text) = asleep(client);
    out.own(&value, &text)
}

/// The answer to "how are you" when nobody is there: as JSON, and in words.
pub(super) fn asleep(client: &Client) -> (Value, String) {
    let home = &client.around.home;
    let spool = Spool::new(home.spool_folder());
    let (spooled, rejected) = (spool.waiting(), spool.rejected());
    let value = json!({
        "running": false, "home": home.root(), "socket": home.socket(),
        "spooled": spooled, "rejected": rejected,
    });
    (value, show::asleep(home.root(), spooled, rejected))
}

pub(crate) fn stop(client: &Client, out: &Out) -> Result<(), Fault> {
    match end(client)? {
        Some((reply, process)) => out.own(&reply, &format!("The daemon (process {process}) has ended.\n")),
        None => out.own(&json!({ "stopping": false }), "No daemon is running.\n"),
    }
}

/// Ends the daemon, if one runs: what it said, and which process it was.
pub(crate) fn end(client: &Client) -> Result<Option<(Value, u32)>, Fault> {
    let Some(answer) = client.ask_running(Order::Stop) else { return Ok(None) };
    let reply = answer?;
    let Stopping { process, .. } = out::understood(reply.clone())?;
    let home = &client.around.home;
    let mut fell_silent = false;
    for _ in 0..LOOKS {
        // One who takes nobody in has not fallen silent: he is there.
        let answers = !matches!(
            platform::connect(&home.socket(), NAP).map_err(|error| error.kind()),
            Err(ErrorKind::NotFound | ErrorKind::ConnectionRefused)
        );
        // One that answers again is the next: it could only begin when this one had ended.
        if is_free(&home.lock_file()) || (fell_silent && answers) {
            return Ok(Some((reply, process)));
        }
        fell_silent |= !answers;
        std::thread::sleep(NAP);
    }
    Err(Fault::environment(format!("the daemon (process {process}) was told to end and still runs"))
        .hint(format!("its log is {}", client.around.home.log_file().display())))
}

/// Whether nobody holds this lock: a daemon does until it has written its last.
fn is_free(lock: &Path) -> bool {
    match File::open(lock) {
        Ok(file) => file.try_lock_shared().is_ok(),
        Err(error) => error.kind() == ErrorKind::NotFound,
    }
}
