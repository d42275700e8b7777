//! `engram`: the command line of the memory.
//!
//! A thin client: it reads what was typed, asks the daemon, prints the answer.
//! It never opens the database.

mod args;
mod around;
mod ask;
mod commands;
mod given;
mod importing;
mod out;
mod show;
mod when;

use clap::Parser as _;
use engram_wire::Fault;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match args::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return not_understood(&error),
    };
    let (command, json) = (cli.command.name(), cli.global.json);
    ExitCode::from(match commands::run(cli) {
        Ok(code) => code,
        Err(fault) => out::fail(&fault, command, json),
    })
}

/// Help and version are answers; the rest is a fault, as JSON if that was
/// asked for.
fn not_understood(error: &clap::Error) -> ExitCode {
    let wants_json = std::env::args_os().take_while(|word| word != "--").any(|word| word == "--json");
    if error.use_stderr() && wants_json {
        let text = error.to_string();
        let message = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
        return ExitCode::from(out::fail(&Fault::usage(message), "", true));
    }
    // What cannot be printed has no reader.
    let _ = error.print();
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}
