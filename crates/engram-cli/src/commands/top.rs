//! `engram top`: how the daemon fares, on a screen that follows, or once.

use super::daemon::asleep;
use super::listen::{self, Heard};
use super::watch::telling;
use crate::args::{Global, Top};
use crate::around::{self, Around};
use crate::ask::Client;
use crate::out::{self, Out};
use crate::screen::{self, Key, Screen, Vitals};
use crate::show::Look;
use engram_core::Timestamp;
use engram_wire::{Fault, FaultKind, Order};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How often it is looked, and how soon again when something goes on.
const EVERY: Duration = Duration::from_secs(2);
const SOON: Duration = Duration::from_millis(300);

/// More events than a minute has to show are not fetched.
const LATELY: usize = 1_000;

pub(crate) fn run(global: &Global, args: &Top) -> Result<u8, Fault> {
    let around = Around::look(global)?;
    // A daemon can be looked at whatever the configuration says.
    let settings = around.settings_and_problems().0;
    let out = Out::new(global.json, global.color, settings.text("client.color"), around::no_color());
    let client = Client::new(around, settings)?.for_screen();
    if args.once || out.json || !out::is_at_terminal() || !around::can_draw() {
        once(&client, &out)?;
        return Ok(0);
    }
    on_screen(client, &out)
}

/// How it fares, and what it holds. None: nobody is there.
fn asked(client: &Client) -> Result<Option<(Value, Value)>, Fault> {
    let ask = |order| match client.ask_running(order) {
        None => Ok(None),
        Some(Err(fault)) if fault.kind == FaultKind::Unreachable => Ok(None),
        Some(answer) => answer.map(Some),
    };
    let health = ask(Order::Status)?;
    let stats = ask(Order::Stats)?;
    Ok(health.zip(stats))
}

/// When something went on lately, and the number of the latest event. It counts
/// what goes on anywhere, and tells of nothing.
fn moments(client: &Client) -> Result<(Vec<Timestamp>, u64), Fault> {
    let lately = listen::lately(client, LATELY, true)?;
    Ok(lately.map_or((Vec::new(), 0), |lately| {
        (lately.activities.iter().map(|activity| activity.at).collect(), lately.latest)
    }))
}

fn once(client: &Client, out: &Out) -> Result<(), Fault> {
    let Some((health, stats)) = asked(client)? else {
        let (value, text) = asleep(client);
        return out.own(&value, &text);
    };
    let value = json!({ "running": true, "health": health, "stats": stats });
    if out.json {
        return out.own(&value, "");
    }
    let mut vitals = Vitals::new(moments(client)?.0);
    vitals.learn(Some((out::understood(health)?, out::understood(stats)?)), String::new());
    out.own(&value, &vitals.text(&out.look))
}

/// What comes in while the screen is open.
enum Input {
    Key(Key),
    Signal(i32),
    Heard(Heard),
    Asked(Result<Option<(Value, Value)>, Fault>),
}

fn on_screen(client: Client, out: &Out) -> Result<u8, Fault> {
    let client = Arc::new(client);
    let (before, after) = moments(&client)?;
    let mut vitals = Vitals::new(before);
    let (tell, inputs) = channel();
    let (nudge, nudged) = channel();
    let mut screen = Screen::open(out.look.color)?;
    screen::keys(telling(&tell, Input::Key));
    screen::signals(telling(&tell, Input::Signal))?;
    let (asking, mut told) = (Arc::clone(&client), telling(&tell, Input::Asked));
    std::thread::spawn(move || while told(asked(&asking)) && rest(&nudged) {});
    let (listener, mut heard) = (Arc::clone(&client), telling(&tell, Input::Heard));
    std::thread::spawn(move || listen::listen(&listener, after, true, &mut heard));
    loop {
        let look = Look { now: around::now(), ..out.look };
        screen.draw(|frame| vitals.draw(frame, &look))?;
        // This side of the channel is kept, so that somebody can always tell.
        let Ok(input) = inputs.recv() else { return Ok(0) };
        match input {
            Input::Signal(signal) => return Ok(screen::exit_code(signal)),
            Input::Key(key) if vitals.press(key) => return Ok(0),
            Input::Key(_) => {}
            Input::Heard(Heard::Refused(fault)) => return Err(fault),
            Input::Heard(heard) => {
                if matches!(heard, Heard::Event(_)) {
                    vitals.happened(around::now());
                }
                // Whoever asks ended with the program.
                let _ = nudge.send(());
            }
            Input::Asked(answer) => {
                let known = match answer? {
                    Some((health, stats)) => Some((out::understood(health)?, out::understood(stats)?)),
                    None => None,
                };
                vitals.learn(known, asleep(&client).1);
            }
        }
    }
}

/// Waits until it is worth asking again; false when nobody wants to know.
fn rest(nudged: &Receiver<()>) -> bool {
    std::thread::sleep(SOON);
    let waited = nudged.recv_timeout(EVERY.saturating_sub(SOON));
    while nudged.try_recv().is_ok() {}
    !matches!(waited, Err(std::sync::mpsc::RecvTimeoutError::Disconnected))
}
