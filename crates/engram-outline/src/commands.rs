//! Where a project defines its own commands, and whether a file defines one.
//!
//! Knows the files of the common runners and as much of their grammar as a
//! name needs. It reads texts and no files.

use crate::entry::make_targets;
use engram_core::drift::{CommandClaim, Runner};
use serde_json::Value;
use toml_edit::{DocumentMut, Item};

/// What a file says of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Defined {
    Yes,
    No,
    /// Names are computed there, or come from a file that is not seen.
    Unsure,
}

/// The files in which a runner looks, as patterns of git; each also below
/// other folders.
pub(crate) fn patterns(runner: Runner) -> &'static [&'static str] {
    match runner {
        Runner::Make => &["**/Makefile", "**/makefile", "**/GNUmakefile", "**/*.mk"],
        Runner::Npm | Runner::Pnpm | Runner::Yarn => &["**/package.json"],
        Runner::Cargo => &["**/.cargo/config.toml", "**/.cargo/config"],
        Runner::Just => &["**/justfile", "**/Justfile", "**/.justfile", "**/*.just"],
        Runner::Task => &["**/Taskfile.yml", "**/Taskfile.yaml", "**/taskfile.yml", "**/taskfile.yaml"],
        Runner::Composer => &["**/composer.json"],
    }
}

/// Whether a runner looks into a file of this path.
pub(crate) fn is_read_by(runner: Runner, path: &str) -> bool {
    patterns(runner).iter().any(|pattern| {
        let end = pattern.trim_start_matches("**/");
        match end.strip_prefix('*') {
            Some(end) => path.ends_with(end),
            None => path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/')),
        }
    })
}

/// Whether a file that the runner looks into defines the command.
pub(crate) fn defined_by(command: &CommandClaim, text: &str) -> Defined {
    let name = command.name.as_str();
    match command.runner {
        Runner::Make => make(text, name),
        Runner::Npm | Runner::Pnpm | Runner::Yarn | Runner::Composer => script(text, name),
        Runner::Cargo => alias(text, name),
        Runner::Just => recipe(text, name),
        Runner::Task => task(text, name),
    }
}

fn yes(defined: bool) -> Defined {
    if defined { Defined::Yes } else { Defined::No }
}

/// A rule of that name, or one whose pattern has it. Targets that are computed
/// from variables cannot be told.
fn make(text: &str, name: &str) -> Defined {
    let mut computed = false;
    for target in make_targets(text) {
        let fits = target.split_once('%').is_some_and(|(start, end)| {
            name.len() > start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        });
        if target == name || fits {
            return Defined::Yes;
        }
        computed |= target.contains('$');
    }
    if computed { Defined::Unsure } else { Defined::No }
}

fn script(text: &str, name: &str) -> Defined {
    let Ok(manifest) = serde_json::from_str::<Value>(text) else { return Defined::Unsure };
    yes(manifest.get("scripts").is_some_and(|scripts| scripts.get(name).is_some()))
}

fn alias(text: &str, name: &str) -> Defined {
    let Ok(config) = text.parse::<DocumentMut>() else { return Defined::Unsure };
    let aliases = config.get("alias").and_then(Item::as_table_like);
    yes(aliases.is_some_and(|aliases| aliases.contains_key(name)))
}

/// `name param="x": other`, with an `@` before a quiet one; `alias x := name`.
fn recipe(text: &str, name: &str) -> Defined {
    let mut imports = false;
    for line in text.lines().filter(|line| !line.starts_with([' ', '\t', '#'])) {
        imports |= line.starts_with("import ") || line.starts_with("mod ");
        if let Some(alias) = line.strip_prefix("alias ") {
            if alias.split(":=").next().is_some_and(|alias| alias.trim() == name) {
                return Defined::Yes;
            }
            continue;
        }
        let Some((head, rest)) = line.split_once(':') else { continue };
        let first = head.split_whitespace().next().unwrap_or_default().trim_start_matches('@');
        if first == name && !rest.starts_with('=') {
            return Defined::Yes;
        }
    }
    if imports { Defined::Unsure } else { Defined::No }
}

/// The keys right below `tasks:`. A name with a colon may come from a file
/// that is included.
fn task(text: &str, name: &str) -> Defined {
    let mut inside = false;
    let mut depth = None;
    let mut includes = false;
    for line in text.lines() {
        let bare = line.trim_start();
        if bare.is_empty() || bare.starts_with('#') {
            continue;
        }
        let indent = line.len() - bare.len();
        if indent == 0 {
            inside = bare.starts_with("tasks:");
            includes |= bare.starts_with("includes:");
            continue;
        }
        if !inside || indent != *depth.get_or_insert(indent) {
            continue;
        }
        let key = bare.split(": ").next().unwrap_or(bare).trim_end().trim_end_matches(':');
        if key.trim_matches(['"', '\'']) == name {
            return Defined::Yes;
        }
    }
    if includes && name.contains(':') { Defined::Unsure } else { Defined::No }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_defines_a_command_of_its_runner() {
        use Defined::*;
        use Runner::*;
        let makefile = "X := a:b\n.PHONY: seed\nseed: build\n\tmake other\ndeploy-%:\n\techo\n";
        let justfile = "set shell := ['sh']\n# old:\n@ship to='x': build\n\techo\nalias s := ship\n";
        let taskfile = "version: '3'\ntasks:\n  db:reset:\n    cmds:\n      - a: b\n  build: go build\n";
        let included = "includes:\n  docs: ./docs\ntasks:\n  x: y\n";
        let package = r#"{"scripts": {"build": "x"}, "other": {"lint": "y"}}"#;
        for (runner, text, name, expected) in [
            (Make, makefile, "seed", Yes),
            (Make, makefile, "deploy-prod", Yes),
            (Make, makefile, "other", No),
            (Make, makefile, "X", No),
            (Make, "$(NAMES): x\n", "seed", Unsure),
            (Npm, package, "build", Yes),
            (Pnpm, package, "lint", No),
            (Yarn, "{ broken", "lint", Unsure),
            (Composer, package, "build", Yes),
            (Cargo, "[alias]\nxtask = \"run -p xtask\"\n", "xtask", Yes),
            (Cargo, "[build]\njobs = 1\n", "xtask", No),
            (Just, justfile, "ship", Yes),
            (Just, justfile, "s", Yes),
            (Just, justfile, "set", No),
            (Just, justfile, "old", No),
            (Task, taskfile, "db:reset", Yes),
            (Task, taskfile, "build", Yes),
            (Task, taskfile, "cmds", No),
            (Task, included, "docs:serve", Unsure),
            (Task, included, "serve", No),
        ] {
            let command = CommandClaim { runner, name: name.to_owned() };
            assert_eq!(defined_by(&command, text), expected, "{command} in {text}");
        }
    }

    #[test]
    fn a_runner_looks_into_its_own_files() {
        for (runner, path, expected) in [
            (Runner::Make, "Makefile", true),
            (Runner::Make, "api/Makefile", true),
            (Runner::Make, "build/rules.mk", true),
            (Runner::Make, "docs/MyMakefile", false),
            (Runner::Npm, "web/package.json", true),
            (Runner::Npm, "web/package.json5", false),
            (Runner::Cargo, ".cargo/config.toml", true),
            (Runner::Cargo, "config.toml", false),
        ] {
            assert_eq!(is_read_by(runner, path), expected, "{runner} {path}");
        }
    }
}
