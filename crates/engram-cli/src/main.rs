//! `engram`: the command line of the memory.
//!
//! A thin client: it reads what was typed, asks the daemon, prints the answer.
//! It never opens the database.

mod args;
mod around;
mod ask;
mod commands;
mod given;
mod hooking;
mod importing;
mod installing;
mod out;
mod screen;
mod show;
mod when;

use clap::Parser as _;
use engram_wire::Fault;
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    // A hook as we write it ourselves is not worth building the whole command
    // line for: somebody waits for it many times a day.
    if let Some(hook) = plain_hook(std::env::args_os().skip(1)) {
        commands::run_hook(args::Global::default(), hook);
        return ExitCode::SUCCESS;
    }
    let cli = match args::Cli::try_parse() {
        Ok(cli) => cli,
        // An agent whose hook fails may stop; and it may be newer than we are.
        Err(error) if error.use_stderr() && is_hook(std::env::args_os().skip(1)) => return ExitCode::SUCCESS,
        Err(error) => return not_understood(&error),
    };
    let (command, json) = (cli.command.name(), cli.global.json);
    ExitCode::from(match commands::run(cli) {
        Ok(code) => code,
        Err(fault) => out::fail(&fault, command, json),
    })
}

/// `hook --agent AGENT EVENT`, and nothing else. Any other way to say it is read
/// like all commands.
fn plain_hook(words: impl Iterator<Item = OsString>) -> Option<args::Hook> {
    let words: Vec<String> = words.take(5).map(OsString::into_string).collect::<Result<_, _>>().ok()?;
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["hook", "--agent", agent, event] => {
            Some(args::Hook { agent: (*agent).to_owned(), event: event.parse().ok()? })
        }
        _ => None,
    }
}

/// Whether the command is `hook`, whatever else is said.
fn is_hook(words: impl Iterator<Item = OsString>) -> bool {
    let mut value_follows = false;
    for word in words {
        if std::mem::take(&mut value_follows) {
            continue;
        }
        match word.to_str() {
            Some("--set" | "--session" | "--folder" | "-C" | "--color") => value_follows = true,
            Some(option) if option.starts_with('-') => {}
            command => return command == Some("hook"),
        }
    }
    false
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_is_known_among_whatever_is_said() {
        let is = |line: &str| is_hook(line.split_whitespace().map(OsString::from));
        for line in
            ["hook", "hook --what", "--json -C /p hook X", "--set=a=b --session hook hook", "-C/p hook"]
        {
            assert!(is(line), "{line}");
        }
        for line in ["", "recall hook", "--session hook", "--session hook recall", "hooks"] {
            assert!(!is(line), "{line}");
        }
    }
}
