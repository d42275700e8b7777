//! What each command does: it turns what was typed into an order, asks, and
//! has the answer printed. One file for each group of commands.

mod capture;
mod change;
mod config;
mod copies;
mod daemon;
mod doctor;
mod erase;
mod evolve;
mod forget;
mod govern;
mod hook;
mod install;
mod life;
mod listen;
mod mcp;
mod model;
mod read;
mod session;
mod take_in;
mod team;
mod top;
mod transfer;
mod uninstall;
mod watch;
mod window;

use crate::args::{Cli, Command, Global, Hook};
use crate::around::{self, Around};
use crate::ask::Client;
use crate::out::{self, Out};
use clap::CommandFactory as _;
use engram_wire::Fault;

/// Tells an agent what it should know, and nothing of what goes wrong.
pub(crate) fn run_hook(global: Global, hook: Hook) {
    hook::run(global, hook.agent, hook.event);
}

/// Runs one command; the number is the exit code.
pub(crate) fn run(cli: Cli) -> Result<u8, Fault> {
    let Cli { global, command } = cli;
    // These must work where the configuration does not.
    match command {
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "engram", &mut script);
            out::put(&String::from_utf8_lossy(&script))?;
            return Ok(0);
        }
        Command::Config(config) => return config::run(&global, config),
        // Whatever is wrong is not the agent's to hear.
        Command::Hook(hook) => {
            run_hook(global, hook);
            return Ok(0);
        }
        Command::Mcp { profile, http } => return mcp::run(global, profile, http),
        Command::Doctor { repair } => return doctor::run(&global, repair),
        Command::Install(install) => return install::run(&global, &install),
        Command::Uninstall(uninstall) => return uninstall::run(&global, &uninstall),
        Command::Watch(watch) => return watch::run(&global, &watch),
        Command::Top(top) => return top::run(&global, &top),
        _ => {}
    }
    let around = Around::look(&global)?;
    // A daemon can be looked at and ended whatever the configuration says.
    let settings = match command {
        Command::Status | Command::Stop => around.settings_and_problems().0,
        _ => around.settings()?,
    };
    let out = Out::new(global.json, global.color, settings.text("client.color"), around::no_color());
    let client = &mut Client::new(around, settings)?;
    match command {
        Command::Remember(remember) => change::remember(client, &out, remember),
        Command::Correct { memory, text, about_people } => {
            change::correct(client, &out, memory, &text, about_people)
        }
        Command::Edit(edit) => change::edit(client, &out, edit),
        Command::Confirm(one) => change::confirm(client, &out, one.memory),
        Command::Mark { memory, status, reason } => change::mark(client, &out, memory, status, reason),
        Command::Pin(one) => change::pin(client, &out, one.memory, true),
        Command::Unpin(one) => change::pin(client, &out, one.memory, false),
        Command::Unforget(one) => change::unforget(client, &out, one.memory),
        Command::Undo { target, step } => change::undo(client, &out, target, step),
        Command::Forget(forget) => forget::run(client, &out, forget),
        Command::Recall(recall) => read::recall(client, &out, recall),
        Command::List(list) => read::list(client, &out, list),
        Command::Inspect(one) => read::inspect(client, &out, one.memory),
        Command::History(one) => read::history(client, &out, one.memory),
        Command::Operations { limit } => read::operations(client, &out, limit),
        Command::Recalls { limit } => read::recalls(client, &out, limit),
        Command::Export { file, scopes, no_history, to } => {
            transfer::export(client, &out, file, scopes, no_history, to)
        }
        Command::Import(import) => take_in::import(client, &out, import),
        Command::Observe { dry_run, scope } => capture::observe(client, &out, dry_run, scope),
        Command::Why(one) => capture::why(client, &out, one.memory),
        Command::Review(review) => capture::review(client, &out, review),
        Command::Backup(backup) => transfer::backup(client, &out, backup),
        Command::Copies { what } => copies::run(client, &out, what),
        Command::Model(model) => model::run(client, &out, model),
        Command::Reindex { all_projects, again } => model::reindex(client, &out, all_projects, again),
        Command::Session(session) => session::run(client, &out, session),
        Command::Promote(promote) => session::promote(client, &out, promote),
        Command::Demote(demote) => life::demote(client, &out, demote),
        Command::Dream(dream) => life::dream(client, &out, dream),
        Command::Curve { memory, days } => life::curve(client, &out, memory, days),
        Command::Entity(entity) => life::entity(client, &out, entity),
        Command::Graph(graph) => life::graph(client, &out, graph),
        Command::Consolidation(what) => life::consolidation(client, &out, what),
        Command::Compact => life::compact(client, &out),
        Command::Outcome { memory, outcome, note } => change::outcome(client, &out, memory, outcome, note),
        Command::Feedback(feedback) => evolve::feedback(client, &out, feedback),
        Command::Weights(weights) => evolve::weights(client, &out, weights),
        Command::Evolve(evolve) => evolve::run(client, &out, evolve),
        Command::Reflect(reflect) => evolve::reflect(client, &out, reflect),
        Command::Reminders { what } => session::reminders(client, &out, what),
        Command::Stats => daemon::stats(client, &out),
        Command::Days(days) => window::days(client, &out, &days),
        Command::Stores(stores) => window::stores(client, &out, &stores),
        Command::Projects => window::projects(client, &out),
        Command::Ui(ui) => window::ui(client, &out, &ui),
        Command::Audit { what } => return govern::audit(client, &out, what),
        Command::Team(team) => team::run(client, &out, team),
        Command::Erase(what) => return erase::run(client, &out, what),
        Command::Status => daemon::status(client, &out),
        Command::Stop => daemon::stop(client, &out),
        Command::Completions { .. }
        | Command::Config(_)
        | Command::Doctor { .. }
        | Command::Hook(_)
        | Command::Mcp { .. }
        | Command::Install(_)
        | Command::Uninstall(_)
        | Command::Watch(_)
        | Command::Top(_) => unreachable!("they were run above"),
    }?;
    Ok(0)
}
