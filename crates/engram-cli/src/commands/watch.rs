//! `engram watch`: what goes on, on a screen, as lines, or the latest of it.

use super::listen::{self, Heard};
use crate::args::{Global, Group, Watch};
use crate::around::{self, Around};
use crate::ask::Client;
use crate::out::{self, Out};
use crate::screen::{self, Feed, Key, Names, Screen, Wish, group_of, line};
use engram_core::MemoryId;
use engram_wire::activity::{Activities, Activity};
use engram_wire::reply::Inspected;
use engram_wire::window::Projects;
use engram_wire::{Fault, Order};
use serde_json::Value;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

/// So many of the latest events are there when a screen opens.
const BEFORE: usize = 200;

pub(crate) fn run(global: &Global, args: &Watch) -> Result<u8, Fault> {
    let around = Around::look(global)?;
    // What goes on can be looked at whatever the configuration says.
    let settings = around.settings_and_problems().0;
    let out = Out::new(global.json, global.color, settings.text("client.color"), around::no_color());
    let client = Client::new(around, settings)?.for_screen();
    if let Some(limit) = args.last {
        return last(&client, &out, args, limit);
    }
    if !out.json && out::is_at_terminal() && around::can_draw() {
        return on_screen(client, &out, args);
    }
    let after = listen::lately(&client, 1, args.all)?.map_or(0, |lately| lately.latest);
    as_lines(&client, &out, args, after)
}

/// What projects are called.
fn names(client: &Client, all: bool) -> Names {
    let known = || {
        let reply = client.ask_running(Order::Projects)?.ok()?;
        let found = serde_json::from_value::<Projects>(reply).ok()?;
        Some(found.projects.into_iter().map(|project| (project.key, project.name)).collect())
    };
    // Without the others, whatever is of a project is of this one.
    let here = client.around.place.as_ref().map(|place| place.name());
    if all { Names::known(known().unwrap_or_default()) } else { Names::here(here) }
}

/// Whether an event is among what was asked for. What belongs to no group always
/// is.
fn is_wanted(activity: &Activity, only: &[Group]) -> bool {
    only.is_empty() || group_of(&activity.what).is_none_or(|group| only.contains(&group))
}

/// The latest events, once.
fn last(client: &Client, out: &Out, args: &Watch, limit: usize) -> Result<u8, Fault> {
    let Some(mut lately) = listen::lately(client, limit, args.all)? else {
        let nothing = Activities { activities: Vec::new(), latest: 0 };
        out.own(&nothing, "No daemon is running, and nobody else knows what went on.\n")?;
        return Ok(0);
    };
    lately.activities.retain(|activity| is_wanted(activity, &args.only));
    let names = names(client, args.all);
    let mut text: String =
        lately.activities.iter().map(|activity| line(activity, &names, &out.look) + "\n").collect();
    if text.is_empty() {
        text = "Nothing went on lately.\n".to_owned();
    }
    out.own(&lately, &text)?;
    Ok(0)
}

/// A line for each event, until the reader goes away.
fn as_lines(client: &Client, out: &Out, args: &Watch, after: u64) -> Result<u8, Fault> {
    let names = names(client, args.all);
    let mut there = true;
    let mut ended = Ok(());
    listen::listen(client, after, args.all, &mut |heard| {
        ended = match heard {
            Heard::There => {
                there = true;
                Ok(())
            }
            Heard::Event(event) => match serde_json::from_str::<Activity>(&event) {
                Ok(activity) if !is_wanted(&activity, &args.only) => Ok(()),
                Ok(_) if out.json => out::put(&format!("{event}\n")),
                Ok(activity) => out::put(&format!("{}\n", line(&activity, &names, &out.look))),
                // A newer daemon tells what this program has no words for.
                Err(_) if out.json && args.only.is_empty() => out::put(&format!("{event}\n")),
                Err(_) => Ok(()),
            },
            Heard::Gone => {
                if std::mem::replace(&mut there, false) {
                    out::warn("watch", "no daemon is running; waiting for one");
                }
                Ok(())
            }
            Heard::Refused(fault) => Err(fault),
        };
        ended.is_ok()
    });
    ended.map(|()| 0)
}

/// What comes in while the screen is open.
enum Input {
    Key(Key),
    Signal(i32),
    Heard(Heard),
    /// What is known of a memory that somebody wants to see.
    Shown(MemoryId, Result<Value, Fault>),
}

fn on_screen(client: Client, out: &Out, args: &Watch) -> Result<u8, Fault> {
    let client = Arc::new(client);
    let before = listen::lately(&client, BEFORE, args.all)?;
    let mut feed = Feed::new(names(&client, args.all), &args.only, before.is_some());
    let after = before.as_ref().map_or(0, |before| before.latest);
    before.into_iter().flat_map(|before| before.activities).for_each(|activity| feed.hear(activity));

    let (tell, inputs) = channel();
    let mut screen = Screen::open(out.look.color)?;
    screen::keys(telling(&tell, Input::Key));
    screen::signals(telling(&tell, Input::Signal))?;
    let (listener, all, mut heard) = (Arc::clone(&client), args.all, telling(&tell, Input::Heard));
    std::thread::spawn(move || listen::listen(&listener, after, all, &mut heard));
    loop {
        screen.draw(|frame| feed.draw(frame, &out.look))?;
        // This side of the channel is kept, so that somebody can always tell.
        let Ok(input) = inputs.recv() else { return Ok(0) };
        match input {
            Input::Signal(signal) => return Ok(screen::exit_code(signal)),
            Input::Key(key) => match feed.press(key) {
                Wish::None => {}
                Wish::End => return Ok(0),
                Wish::Show(memory) => {
                    let (client, tell) = (Arc::clone(&client), tell.clone());
                    std::thread::spawn(move || show(&client, memory, &tell));
                }
            },
            Input::Heard(Heard::There) => feed.set_there(true),
            Input::Heard(Heard::Gone) => feed.set_there(false),
            Input::Heard(Heard::Refused(fault)) => return Err(fault),
            Input::Heard(Heard::Event(event)) => {
                if let Ok(activity) = serde_json::from_str(&event) {
                    feed.hear(activity);
                }
            }
            Input::Shown(memory, answer) => {
                let known = answer.and_then(out::understood::<Inspected>);
                feed.show(memory, known.as_ref().map_err(|fault| fault.message.as_str()), &out.look);
            }
        }
    }
}

/// Hands something over; false when nobody takes it any more.
pub(super) fn telling<T: Send + 'static, I: Send + 'static>(
    tell: &Sender<I>,
    of: fn(T) -> I,
) -> impl FnMut(T) -> bool + Send + 'static {
    let tell = tell.clone();
    move |told| tell.send(of(told)).is_ok()
}

fn show(client: &Client, memory: MemoryId, tell: &Sender<Input>) {
    let asleep = || Err(Fault::not_found("no daemon is running who would know"));
    let answer = client.ask_running(Order::Inspect { memory: memory.to_string() }).unwrap_or_else(asleep);
    // Nobody takes it any more: the screen was closed.
    let _ = tell.send(Input::Shown(memory, answer));
}
