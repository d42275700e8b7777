//! What the tool calls of a session teach: what mended a command that failed,
//! and which commands belong together.
//!
//! Only what the calls themselves show is read. Why somebody made them is not
//! known here.

use crate::kind::Kind;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// One call of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolEvent {
    /// The agent's name of the tool: `Bash`, `Edit`.
    pub tool: String,
    /// The command line, or the path of the file that the tool was used on.
    pub input: String,
    pub ok: bool,
    pub output: String,
    pub at: Timestamp,
}

/// Something that the calls showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learned {
    pub kind: Kind,
    pub text: String,
    /// The commands it is about, in their order.
    pub commands: Vec<String>,
    /// When the last of them ran.
    pub at: Timestamp,
}

/// A sequence must have come so often to be a procedure.
const REPEATED: usize = 3;
/// More commands in a row than this are no procedure.
const LONGEST: usize = 6;
/// So many changes are named; more say nothing about which of them mended it.
const MOST_CHANGES: usize = 5;
/// So many characters of an error's line are told.
const TELLING: usize = 200;

/// What is learned from the calls, given in the order in which they were made:
/// error fixes first, then procedures.
pub fn outcome_of(history: &[ToolEvent]) -> Vec<Learned> {
    let mut learned = error_fixes(history);
    learned.extend(procedures(history));
    learned
}

/// A command that failed, and later worked after something was changed. A
/// command that works when it is simply run again teaches nothing.
fn error_fixes(history: &[ToolEvent]) -> Vec<Learned> {
    let mut learned = Vec::new();
    for (at, worked) in history.iter().enumerate() {
        let Some(command) = command_of(worked).filter(|_| worked.ok) else { continue };
        let same = |event: &ToolEvent| command_of(event).as_deref() == Some(command.as_str());
        let last_success =
            history[..at].iter().rposition(|event| event.ok && same(event)).map_or(0, |found| found + 1);
        let Some(failed) = history[last_success..at].iter().rposition(|event| !event.ok && same(event))
        else {
            continue;
        };
        let failed = last_success + failed;
        let mut changes: Vec<String> = Vec::new();
        for change in history[failed + 1..at].iter().filter(|event| event.ok).filter_map(change_of) {
            if !changes.contains(&change) {
                changes.push(change);
            }
        }
        if changes.is_empty() || changes.len() > MOST_CHANGES {
            continue;
        }
        let said = telling_line(&history[failed].output).map(|line| format!(": {line}")).unwrap_or_default();
        learned.push(Learned {
            kind: Kind::ErrorFix,
            text: format!("`{command}` failed{said}. It worked after {}.", changes.join(", ")),
            commands: vec![command],
            at: worked.at,
        });
    }
    learned
}

/// Commands that came in the same order again and again. The longest sequences
/// come first, and a part of one that was told is not told again.
fn procedures(history: &[ToolEvent]) -> Vec<Learned> {
    let done: Vec<(String, Timestamp)> = history
        .iter()
        .filter(|event| event.ok)
        .filter_map(|event| {
            command_of(event).filter(|command| !only_looks(command)).map(|command| (command, event.at))
        })
        .collect();
    let commands: Vec<&str> = done.iter().map(|(command, _)| command.as_str()).collect();
    let mut told: Vec<Learned> = Vec::new();
    for length in (2..=LONGEST.min(commands.len())).rev() {
        for from in 0..=commands.len() - length {
            let sequence = &commands[from..from + length];
            let varied = (1..length).all(|at| !sequence[..at].contains(&sequence[at]));
            let known = told.iter().any(|one| {
                let again: Vec<&str> = one.commands.iter().chain(&one.commands).map(String::as_str).collect();
                again.windows(length).any(|part| part == sequence)
            });
            if !varied || known {
                continue;
            }
            let (times, last) = count(&commands, sequence);
            if times >= REPEATED && !goes_on(&commands, sequence) {
                let steps =
                    sequence.iter().map(|command| format!("`{command}`")).collect::<Vec<_>>().join(", then ");
                told.push(Learned {
                    kind: Kind::Procedure,
                    // Without how often: the next time it is still the same text.
                    text: format!("Done again and again in this order: {steps}."),
                    commands: sequence.iter().map(|command| (*command).to_owned()).collect(),
                    at: done[last].1,
                });
            }
        }
    }
    told
}

/// Whether the calls stop in the middle of something longer: so far the same
/// other command always came next.
fn goes_on(commands: &[&str], sequence: &[&str]) -> bool {
    let length = sequence.len();
    if length >= LONGEST || !commands.ends_with(sequence) {
        return false;
    }
    let mut next =
        commands.windows(length + 1).filter(|part| part[..length] == *sequence).map(|part| part[length]);
    let Some(first) = next.next() else { return false };
    !sequence.contains(&first) && next.all(|other| other == first)
}

/// How often the sequence comes, without overlap, and where it last ends.
fn count(commands: &[&str], sequence: &[&str]) -> (usize, usize) {
    let (mut times, mut at, mut last) = (0, 0, 0);
    while at + sequence.len() <= commands.len() {
        if commands[at..at + sequence.len()] == *sequence {
            times += 1;
            at += sequence.len();
            last = at - 1;
        } else {
            at += 1;
        }
    }
    (times, last)
}

fn command_of(event: &ToolEvent) -> Option<String> {
    command_line(&event.tool, &event.input)
}

/// The command line of a call, with single spaces; none if the tool runs none.
pub fn command_line(tool: &str, input: &str) -> Option<String> {
    let runs = matches!(
        tool.to_lowercase().as_str(),
        "bash" | "shell" | "terminal" | "exec" | "run" | "local_shell"
    );
    let command = input.split_whitespace().collect::<Vec<_>>().join(" ");
    (runs && !command.is_empty() && command.len() <= TELLING).then_some(command)
}

/// What a call changed, in words; none if it only looked.
fn change_of(event: &ToolEvent) -> Option<String> {
    match event.tool.to_lowercase().as_str() {
        "edit" | "write" | "multiedit" | "notebookedit" | "apply_patch" | "str_replace" | "create" => {
            Some(format!("a change to {}", event.input.trim()))
        }
        _ => command_of(event).filter(|command| !only_looks(command)).map(|command| format!("`{command}`")),
    }
}

/// Commands that change nothing.
fn only_looks(command: &str) -> bool {
    let mut words = command.split(' ');
    let first = words.next().unwrap_or_default();
    let second = words.next().unwrap_or_default();
    const LOOKING: &[&str] = &[
        "ls", "cat", "cd", "pwd", "grep", "rg", "find", "head", "tail", "less", "wc", "echo", "which",
        "tree", "stat", "file", "du", "df", "ps", "sleep", "date", "env", "history", "sed", "awk", "jq",
        "diff",
    ];
    LOOKING.contains(&first) && !command.contains(" -i") && !command.contains('>')
        || first == "git" && matches!(second, "status" | "log" | "diff" | "show" | "branch" | "blame")
}

/// The line of an output that tells what went wrong: the first that names an
/// error, else the last one.
fn telling_line(output: &str) -> Option<String> {
    let lines = || output.lines().map(str::trim).filter(|line| line.contains(char::is_alphabetic));
    let rank = |line: &str| {
        let lower = line.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        match () {
            () if says(&["error[", "error:", "panicked at", "fatal:", "exception:", "err!"]) => 0,
            () if lower.split([':', ' ']).next().is_some_and(|first| first.ends_with("error")) => 0,
            () if says(&[
                "not found",
                "no such",
                "cannot",
                "denied",
                "refused",
                "undefined",
                "unresolved",
            ]) =>
            {
                1
            }
            () if says(&["error", "failed", "hata"]) => 2,
            () => 3,
        }
    };
    let best = lines()
        .min_by_key(|line| rank(line))
        .filter(|line| rank(line) < 3)
        .or_else(|| lines().next_back())?;
    Some(best.chars().take(TELLING).collect::<String>().trim_end_matches('.').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A history, one call in each line: `tool ok|no input | output`.
    fn history(calls: &str) -> Vec<ToolEvent> {
        let lines = calls.lines().map(str::trim).filter(|line| !line.is_empty());
        lines
            .enumerate()
            .map(|(second, line)| {
                let (call, output) = line.split_once(" | ").unwrap_or((line, ""));
                let mut parts = call.splitn(3, ' ');
                let mut next = || parts.next().unwrap_or_default().to_owned();
                let (tool, ok, input) = (next(), next() == "ok", next());
                let at =
                    Timestamp::from_second(i64::try_from(second).unwrap_or_default()).unwrap_or_default();
                ToolEvent { tool, input, ok, output: output.replace("\\n", "\n"), at }
            })
            .collect()
    }

    #[track_caller]
    fn check(calls: &str, expected: &[&str]) {
        let found: Vec<String> = outcome_of(&history(calls))
            .into_iter()
            .map(|one| format!("{}: {}", one.kind, one.text))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_failing_command_that_later_works_is_an_error_fix() {
        check(
            "Bash no cargo test | running 3 tests\\nerror[E0382]: borrow of moved value: `a`\\n --> src/a.rs:1
             Read ok src/a.rs
             Edit ok src/a.rs
             Bash ok cargo update
             Bash ok cargo test",
            &["error_fix: `cargo test` failed: error[E0382]: borrow of moved value: `a`. \
               It worked after a change to src/a.rs, `cargo update`."],
        );
    }

    #[test]
    fn a_command_that_works_when_run_again_teaches_nothing() {
        check("Bash no cargo test | timeout\nBash ok cargo test", &[]);
        check("Bash no cargo test | timeout\nBash ok ls -la\nBash ok cargo test", &[]);
        check("Bash ok cargo test\nEdit ok a.rs\nBash ok cargo test", &[]);
        check("Bash no cargo test | error: no\nEdit ok a.rs\nBash no cargo test | error: still", &[]);
    }

    #[test]
    fn the_last_failure_before_the_success_counts() {
        check(
            "Bash no make | error: one
             Edit ok a.c
             Bash no make | error: two
             Edit ok b.c
             Bash ok make
             Edit ok c.c
             Bash ok make",
            &["error_fix: `make` failed: error: two. It worked after a change to b.c."],
        );
    }

    #[test]
    fn a_sequence_that_came_three_times_is_a_procedure() {
        let round = "Bash ok make build\nBash ok git status\nBash ok make test\nBash ok make push\n";
        check(
            &round.repeat(3),
            &["procedure: Done again and again in this order: \
               `make build`, then `make test`, then `make push`."],
        );
        check(&format!("{}Bash ok make build\nBash ok make test", round.repeat(2)), &[]);
        check(
            &format!("{}Bash ok make build\nBash ok make test\nBash ok make lint", round.repeat(2)),
            &["procedure: Done again and again in this order: `make build`, then `make test`."],
        );
        check(&round.repeat(2), &[]);
        check(&"Bash ok make test\n".repeat(9), &[]);
    }

    #[test]
    fn the_telling_line_names_the_error() {
        for (output, expected) in [
            ("a\nb\nTypeError: x is undefined\n  at y", Some("TypeError: x is undefined")),
            ("go: warning\nsh: foo: command not found", Some("sh: foo: command not found")),
            ("one\ntwo", Some("two")),
            ("\n--\n", None),
        ] {
            assert_eq!(telling_line(output).as_deref(), expected, "{output}");
        }
    }
}
