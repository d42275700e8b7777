//! What came of a call: whether a test or a build passed, and which edits were
//! taken back.
//!
//! Only the calls themselves are read: the command line, whether it ended well,
//! and what it printed where that alone can tell.

use crate::observe::command_line;
use crate::turn::ToolCall;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Programs that check something, and with which of their commands they do.
/// None: whenever they run.
#[rustfmt::skip]
const CHECKS: &[(&[&str], Option<&[&str]>)] = &[
    (&["cargo"], Some(&["test", "t", "build", "b", "check", "c", "clippy", "nextest"])),
    (&["go"], Some(&["test", "build", "vet"])),
    (&["mvn", "mvnw", "gradle", "gradlew"], Some(&["test", "build", "check", "verify", "package", "compile"])),
    (&["dotnet", "bazel"], Some(&["test", "build"])),
    (&["npm", "pnpm", "yarn", "bun"], Some(&["test", "t", "build", "lint"])),
    (&["ruff"], Some(&["check"])),
    (&["pytest", "tox", "tsc", "eslint", "mypy", "ctest", "rspec", "phpunit"], None),
];

/// Programs that make targets; without one they build.
const MAKERS: &[&str] = &["make", "gmake", "just", "ninja"];
const TARGETS: &[&str] = &["test", "tests", "check", "build"];

/// What stands before a command and only runs it.
#[rustfmt::skip]
const RUNNERS: &[&[&str]] = &[
    &["time"], &["sudo"], &["env"], &["nice"], &["npx"], &["bunx"], &["exec"], &["poetry", "run"],
    &["uv", "run"], &["bundle", "exec"], &["pnpm", "exec"], &["yarn", "exec"], &["python", "-m"],
    &["python3", "-m"],
];

/// Options that take the word behind them along.
const WITH_VALUE: &[&str] = &["-C", "-f", "-j", "--prefix", "--dir", "--manifest-path", "--filter", "-w"];

/// Who asks for these checks nothing.
const ASKING: &[&str] = &["--version", "-V", "--help", "-h"];

/// Whether a call was a test or a build, and if so whether it passed. None also
/// where that cannot be told: behind a pipe the end of a command is that of its
/// last program, so that only what was printed can tell.
pub fn check_of(call: &ToolCall) -> Option<bool> {
    let parts = parts_of(&command_of(call)?);
    let place = parts.iter().rposition(|part| is_check(&part.words))?;
    let reached = place == 0 || parts[place - 1].then != Then::Otherwise;
    let after = &parts[place..];
    let told_by_end = reached && after[..after.len() - 1].iter().all(|part| part.then == Then::And);
    match call.success {
        true if told_by_end => Some(true),
        false if told_by_end && after.len() == 1 => Some(false),
        _ => verdict(call.result_summary.as_deref().unwrap_or_default()),
    }
}

/// The command line of a call, as it was written; none if the tool runs none.
pub(super) fn command_of(call: &ToolCall) -> Option<String> {
    let command = call.subject().trim();
    let runs = command_line(&call.tool_name, "true").is_some() && !command.is_empty();
    runs.then(|| command.to_owned())
}

/// How the next part of a command line hangs on this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    And,
    Otherwise,
    Pipe,
    /// Whatever became of this one; also behind the last.
    Whatever,
}

/// One command of a command line.
struct Part {
    words: Vec<String>,
    then: Then,
}

/// The commands of a line. What a here-document holds is no command.
fn parts_of(command: &str) -> Vec<Part> {
    let command = command.split("<<").next().unwrap_or_default();
    let mut parts: Vec<Part> = Vec::new();
    let mut written = String::new();
    let mut quote = None;
    let mut marks = command.chars().peekable();
    let mut end = |written: &mut String, then: Then| {
        let words: Vec<String> = written.split_whitespace().map(str::to_owned).collect();
        written.clear();
        match parts.last_mut() {
            _ if !words.is_empty() => parts.push(Part { words, then }),
            // "a &&" and a new line: it still is "and".
            Some(last) if last.then == Then::Whatever => last.then = then,
            _ => {}
        }
    };
    while let Some(mark) = marks.next() {
        let doubled = marks.peek() == Some(&mark);
        match mark {
            _ if quote == Some(mark) => {
                quote = None;
                written.push(mark);
            }
            '\'' | '"' if quote.is_none() => {
                quote = Some(mark);
                written.push(mark);
            }
            _ if quote.is_some() => written.push(mark),
            '\\' if marks.peek() == Some(&'\n') => {
                marks.next();
                written.push(' ');
            }
            // "2>&1" and "&>" lead what is printed elsewhere.
            '&' if written.ends_with('>') || marks.peek() == Some(&'>') => written.push(mark),
            '&' | '|' => {
                if doubled {
                    marks.next();
                }
                end(
                    &mut written,
                    match (mark, doubled) {
                        ('&', true) => Then::And,
                        ('|', true) => Then::Otherwise,
                        ('|', false) => Then::Pipe,
                        _ => Then::Whatever,
                    },
                );
            }
            ';' | '\n' => end(&mut written, Then::Whatever),
            _ => written.push(mark),
        }
    }
    end(&mut written, Then::Whatever);
    parts
}

fn is_check(words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Some((program, rest)) = run(&words) else { return false };
    if rest.iter().any(|word| ASKING.contains(word)) {
        return false;
    }
    let mut named = Vec::new();
    let mut at = 0;
    while let Some(word) = rest.get(at) {
        at += 1 + usize::from(WITH_VALUE.contains(word));
        let option = word.starts_with(['-', '+', '>', '<']) || word.contains(['=', '>']);
        if !option && !word.bytes().all(|byte| byte.is_ascii_digit()) {
            named.push(*word);
        }
    }
    // "npm run test:unit", "make test-fast", "gradle :app:test".
    let means = |word: &str, known: &[&str]| {
        known.contains(&word)
            || word.split([':', '-', '_']).next().is_some_and(|first| known.contains(&first))
            || word.rsplit(':').next().is_some_and(|last| known.contains(&last))
    };
    if MAKERS.contains(&program) {
        return named.is_empty() || named.iter().any(|target| means(target, TARGETS));
    }
    let named = named.strip_prefix(&["run"]).unwrap_or(&named);
    CHECKS.iter().any(|(programs, commands)| {
        programs.contains(&program)
            && commands.is_none_or(|known| named.first().is_some_and(|first| means(first, known)))
    })
}

/// The program that a command runs in the end, without its folder, and what
/// follows it.
fn run<'w>(words: &'w [&'w str]) -> Option<(&'w str, &'w [&'w str])> {
    let mut rest = words;
    loop {
        let (first, after) = rest.split_first()?;
        let first = first.trim_start_matches('(');
        if first.contains('=') && !first.starts_with('-') {
            rest = after;
        } else if first == "timeout" {
            let options = after.iter().take_while(|word| word.starts_with('-')).count();
            rest = after.get(options + 1..)?;
        } else if let Some(runner) = RUNNERS.iter().find(|runner| rest.starts_with(runner)) {
            rest = &rest[runner.len()..];
        } else {
            return Some((first.rsplit('/').next().unwrap_or(first), after));
        }
    }
}

/// What printed words say for themselves, whatever the end of the command.
const FAILED: &[&str] =
    &["test result: FAILED", "could not compile", "BUILD FAIL", "Build FAILED", "npm ERR!", "error TS"];
const PASSED: &[&str] = &["test result: ok", "BUILD SUCCESS", "Build succeeded", "All checks passed!"];

/// What the output of a check says of it. Counts are believed where they stand
/// before their word: "3 passed; 0 failed".
fn verdict(output: &str) -> Option<bool> {
    let words: Vec<&str> = output.split(|mark: char| !mark.is_alphanumeric()).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let counted = |known: &[&str]| {
        words.windows(2).any(|two| {
            known.contains(&two[1].to_lowercase().as_str())
                && two[0].parse::<u32>().is_ok_and(|count| count > 0)
        })
    };
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| output.contains(phrase));
    if says(FAILED) || counted(&["failed", "failing", "failures", "errors"]) {
        return Some(false);
    }
    (says(PASSED) || counted(&["passed", "passing"])).then_some(true)
}

/// One text that took the place of another in a file.
#[derive(PartialEq, Eq)]
pub(super) struct Swap {
    file: String,
    pub(super) old: String,
    pub(super) new: String,
}

/// The files whose edit was taken back, each with the place of the call that did
/// it. The calls are given in their order. An edit is taken back by git, or by
/// the same edit the other way round; what was stashed and came back was not.
pub fn reverted(calls: &[&ToolCall]) -> BTreeMap<String, usize> {
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    let mut stashed: BTreeSet<String> = BTreeSet::new();
    let mut edited: BTreeSet<String> = BTreeSet::new();
    let mut swaps: Vec<Swap> = Vec::new();
    for (place, call) in calls.iter().enumerate().filter(|(_, call)| call.success) {
        if let Some(file) = edited_file(call) {
            for swap in swaps_of(call, file) {
                let back = Swap { old: swap.new.clone(), new: swap.old.clone(), ..swap_in(file) };
                if swap.old != swap.new && swaps.contains(&back) {
                    taken.entry(file.to_owned()).or_insert(place);
                }
                swaps.push(swap);
            }
            edited.insert(file.to_owned());
        }
        for part in command_of(call).iter().flat_map(|command| parts_of(command)) {
            let words: Vec<&str> = part.words.iter().map(String::as_str).collect();
            match git_of(&words) {
                Some(Git::TakesBack { stash, paths }) => {
                    let gone: Vec<&String> = edited.iter().filter(|file| paths.hold(file)).collect();
                    stashed.extend(gone.iter().filter(|_| stash).map(|file| (*file).clone()));
                    for file in gone {
                        taken.entry(file.clone()).or_insert(place);
                    }
                }
                Some(Git::BringsBack) => {
                    taken.retain(|file, _| !stashed.contains(file));
                    stashed.clear();
                }
                None => {}
            }
        }
    }
    taken
}

fn swap_in(file: &str) -> Swap {
    Swap { file: file.to_owned(), old: String::new(), new: String::new() }
}

/// The file that a call changed.
pub(super) fn edited_file(call: &ToolCall) -> Option<&str> {
    let edits = ["edit", "write", "multiedit", "notebookedit", "str_replace", "create"];
    let file = file_of(call)?;
    edits.contains(&call.tool_name.to_lowercase().as_str()).then_some(file)
}

/// The file that a call opened or changed.
pub(super) fn file_of(call: &ToolCall) -> Option<&str> {
    ["file_path", "notebook_path", "path"].iter().find_map(|key| call.arguments.get(*key)?.as_str())
}

pub(super) fn swaps_of(call: &ToolCall, file: &str) -> Vec<Swap> {
    let swap = |from: &dyn Fn(&str) -> Option<String>| {
        Some(Swap { file: file.to_owned(), old: from("old_string")?, new: from("new_string")? })
    };
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let alone = swap(&|key| text(call.arguments.get(key)));
    let several = call.arguments.get("edits").and_then(Value::as_array).into_iter().flatten();
    let several = several.filter_map(|edit| swap(&|key| text(edit.get(key))));
    alone.into_iter().chain(several).collect()
}

/// What git did to the files of a working tree.
enum Git {
    TakesBack { stash: bool, paths: Paths },
    BringsBack,
}

/// Everything, or what is named.
enum Paths {
    All,
    Named(Vec<String>),
}

impl Paths {
    fn of(words: &[&str]) -> Self {
        match words.iter().any(|word| matches!(*word, "." | ":/" | "*")) {
            true => Paths::All,
            false => {
                Paths::Named(words.iter().map(|word| word.trim_matches(['"', '\'']).to_owned()).collect())
            }
        }
    }

    fn hold(&self, file: &str) -> bool {
        match self {
            Paths::All => true,
            Paths::Named(paths) => paths.iter().any(|path| is_within(file, path)),
        }
    }
}

/// Whether a file is the one that is named, or lies in the folder that is.
fn is_within(file: &str, path: &str) -> bool {
    let parts = |path: &str| -> Vec<String> {
        path.split('/').filter(|part| !part.is_empty() && *part != ".").map(str::to_owned).collect()
    };
    let (file, path) = (parts(file), parts(path));
    !path.is_empty() && file.windows(path.len()).any(|some| some == path)
}

fn git_of(words: &[&str]) -> Option<Git> {
    let (program, mut rest) = run(words)?;
    while let Some(option) = rest.first().filter(|word| word.starts_with('-')) {
        rest = rest.get(1 + usize::from(matches!(*option, "-C" | "-c"))..)?;
    }
    let (command, rest) = rest.split_first().filter(|_| program == "git")?;
    let named = |rest: &[&str]| -> Vec<String> {
        let behind = rest.iter().position(|word| *word == "--").map(|at| &rest[at + 1..]);
        let words = behind.unwrap_or(rest).iter().filter(|word| !word.starts_with(['-', '>']));
        // Without the dashes a bare word is the name of a branch.
        let path = |word: &&&str| behind.is_some() || word.contains(['.', '/']);
        words.filter(path).map(|word| (*word).to_owned()).collect()
    };
    let has = |option: &str| rest.contains(&option);
    let back = |stash: bool, names: Vec<String>| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Some(Git::TakesBack { stash, paths: Paths::of(&names) })
    };
    match *command {
        "checkout" if !has("-b") && !has("-B") => back(false, named(rest)),
        "restore" if !has("--staged") && !has("-S") || has("--worktree") || has("-W") => {
            back(false, named(rest))
        }
        "reset" if has("--hard") => Some(Git::TakesBack { stash: false, paths: Paths::All }),
        "stash" => match rest.iter().find(|word| !word.starts_with('-')).copied() {
            Some("pop" | "apply") => Some(Git::BringsBack),
            Some("push") if has("--") => back(true, named(rest)),
            None | Some("push" | "save") => Some(Git::TakesBack { stash: true, paths: Paths::All }),
            Some(_) => None,
        },
        _ => None,
    }
}
