//! The commands about the whole of it: the window, the days, the stores and the
//! projects.

use crate::args;
use crate::ask::Client;
use crate::out::{self, Out};
use crate::{around, show};
use engram_wire::window::{Days, Projects, Stores, UiServed};
use engram_wire::{Fault, Order};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

pub(crate) fn ui(client: &Client, out: &Out, args: &args::Ui) -> Result<(), Fault> {
    let reply = client.ask(Order::Ui { read_only: args.read_only })?;
    let served: UiServed = out::understood(reply.clone())?;
    let may_open =
        !args.print && !out.json && client.settings.text("window.open") == "on" && out::is_at_terminal();
    let opened = if may_open { open(&served.url) } else { None };
    out.reply::<UiServed>(reply, |served, look| {
        show::ui_served(served, opened.as_deref(), around::is_far(), look)
    })
}

/// Opens an address, and does not wait: a browser may stay open for days. Says
/// which program it was.
fn open(address: &str) -> Option<String> {
    let words = around::browser(address)?;
    let (program, arguments) = words.split_first()?;
    let begun = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // What is typed to end this program is not meant for that one.
        .process_group(0)
        .spawn();
    match begun {
        Ok(_) => Some(program.clone()),
        Err(error) => {
            out::warn("ui", &format!("{program} could not be started: {error}"));
            None
        }
    }
}

pub(crate) fn days(client: &Client, out: &Out, args: &args::Days) -> Result<(), Fault> {
    let reply = client.ask(Order::Days { before: args.before, limit: args.limit })?;
    out.reply::<Days>(reply, show::days)
}

pub(crate) fn stores(client: &Client, out: &Out, args: &args::Stores) -> Result<(), Fault> {
    out.reply::<Stores>(client.ask(Order::Stores { days: args.days })?, show::stores)
}

pub(crate) fn projects(client: &Client, out: &Out) -> Result<(), Fault> {
    out.reply::<Projects>(client.ask(Order::Projects)?, show::projects)
}
