//! Which calls check something, how they went, and what takes an edit back.

use crate::credit::{check_of, reverted};
use crate::turn::ToolCall;
use serde_json::{Value, json};

fn call(tool: &str, success: bool, arguments: Value, output: &str) -> ToolCall {
    ToolCall {
        tool_name: tool.to_owned(),
        arguments: arguments.as_object().cloned().unwrap_or_default(),
        result_summary: Some(output.to_owned()).filter(|output| !output.is_empty()),
        success,
        duration_ms: None,
    }
}

fn bash(command: &str, success: bool, output: &str) -> ToolCall {
    call("Bash", success, json!({ "command": command }), output)
}

#[test]
fn tests_and_builds_are_told_by_their_program_and_command() {
    for command in [
        "cargo test",
        "cargo +nightly nextest run",
        "cargo -q build --release",
        "cargo clippy",
        "RUST_LOG=x cargo t",
        "make",
        "make -j4",
        "make -j 4 test",
        "make -C web check",
        "just build",
        "ninja",
        "make test-fast",
        "npm test",
        "npm run test:unit",
        "pnpm run build",
        "yarn lint",
        "bun test",
        "npm --prefix web run lint",
        "pytest -x",
        "python -m pytest",
        "poetry run pytest",
        "uv run mypy .",
        "npx tsc --noEmit",
        "eslint src",
        "ruff check",
        "go vet ./...",
        "go test ./...",
        "./gradlew :app:test",
        "mvn verify",
        "dotnet test",
        "bundle exec rspec",
        "vendor/bin/phpunit",
        "bazel build //x",
        "timeout 60 ctest",
        "tox",
        "time cargo check",
        "cd web && npm test",
        "cargo fmt; cargo test",
        "cd a\nmake test",
        "cargo test 2>&1",
    ] {
        assert_eq!(check_of(&bash(command, true, "")), Some(true), "{command}");
        assert_eq!(check_of(&bash(command, false, "")), Some(false), "{command}");
    }
    for command in [
        "cargo run",
        "cargo fmt",
        "cargo --version",
        "pytest --help",
        "make clean",
        "make install",
        "npm install",
        "npm run dev",
        "go mod tidy",
        "git commit -m 'cargo test'",
        "echo cargo test",
        "grep -r pytest .",
        "ruff format",
        "cat <<EOF\ncargo test\nEOF",
        "gradle tasks",
        "just --list deploy",
        "",
        "cargo",
    ] {
        assert_eq!(check_of(&bash(command, true, "")), None, "{command}");
    }
    assert_eq!(check_of(&call("Edit", true, json!({"file_path": "cargo test"}), "")), None);
}

#[test]
fn behind_a_pipe_only_what_was_printed_tells() {
    for (command, success, output, passed) in [
        (
            "cargo test 2>&1 | tail -5",
            true,
            "test result: FAILED. 3 passed; 1 failed; 0 ignored",
            Some(false),
        ),
        ("cargo test 2>&1 | tail -5", true, "test result: ok. 3 passed; 0 failed; 0 ignored", Some(true)),
        ("cargo build | grep warn", true, "", None),
        ("cargo build | grep warn", false, "", None),
        ("pytest || true", true, "==== 2 failed, 5 passed in 0.2s ====", Some(false)),
        ("pytest; echo done", true, "==== 5 passed in 0.2s ====\ndone", Some(true)),
        ("cargo test && git push", true, "", Some(true)),
        ("cargo test && git push", false, "", None),
        ("cargo test && git push", false, "error: could not compile `x`", Some(false)),
        ("false || cargo test", true, "", None),
        ("npm test | cat", true, "Tests:       1 failed, 3 passed, 4 total", Some(false)),
        ("echo \"a | b\" && cargo test", true, "", Some(true)),
    ] {
        assert_eq!(check_of(&bash(command, success, output)), passed, "{command} {success} {output}");
    }
}

fn edit(file: &str, old: &str, new: &str) -> ToolCall {
    call("Edit", true, json!({"file_path": file, "old_string": old, "new_string": new}), "")
}

#[test]
fn git_takes_edits_back() {
    for (command, taken) in [
        ("git checkout -- src/a.rs", "/p/src/a.rs"),
        ("git checkout HEAD~1 -- src/a.rs", "/p/src/a.rs"),
        ("git checkout src/a.rs", "/p/src/a.rs"),
        ("git -C /p restore src/b.rs", "/p/src/b.rs"),
        ("git restore src/", "/p/src/a.rs /p/src/b.rs"),
        ("git checkout .", "/p/src/a.rs /p/src/b.rs"),
        ("git stash", "/p/src/a.rs /p/src/b.rs"),
        ("git stash push -- src/a.rs", "/p/src/a.rs"),
        ("cd /p && git reset --hard HEAD", "/p/src/a.rs /p/src/b.rs"),
        ("git reset --soft HEAD~1", ""),
        ("git checkout main", ""),
        ("git checkout -b src/a.rs", ""),
        ("git restore --staged src/a.rs", ""),
        ("git stash list", ""),
        ("git checkout -- rs", ""),
        ("echo git reset --hard", ""),
    ] {
        let calls = [edit("/p/src/a.rs", "x", "y"), edit("/p/src/b.rs", "x", "y"), bash(command, true, "")];
        let found = reverted(&calls.iter().collect::<Vec<_>>());
        assert_eq!(found.keys().map(String::as_str).collect::<Vec<_>>().join(" "), taken, "{command}");
        assert!(found.values().all(|by| *by == 2));
        let failed = [calls[0].clone(), calls[1].clone(), bash(command, false, "")];
        assert!(reverted(&failed.iter().collect::<Vec<_>>()).is_empty(), "{command} that failed");
        let early = [calls[2].clone(), calls[0].clone(), calls[1].clone()];
        assert!(reverted(&early.iter().collect::<Vec<_>>()).is_empty(), "{command} before the edit");
    }
}

#[test]
fn the_same_edit_the_other_way_round_takes_it_back() {
    let there = edit("a.rs", "x", "y");
    let back = |calls: &[ToolCall]| reverted(&calls.iter().collect::<Vec<_>>());
    assert_eq!(back(&[there.clone(), edit("a.rs", "y", "x")]), [("a.rs".to_owned(), 1)].into());
    assert_eq!(back(&[there.clone(), edit("b.rs", "y", "x")]), [].into());
    assert_eq!(back(&[there.clone(), edit("a.rs", "y", "z")]), [].into());
    assert_eq!(back(&[there.clone(), there]), [].into());
    let several = json!({"file_path": "a.rs", "edits": [{"old_string": "p", "new_string": "q"}]});
    let calls = [call("MultiEdit", true, several, ""), edit("a.rs", "q", "p")];
    assert_eq!(back(&calls), [("a.rs".to_owned(), 1)].into());
}
