//! Installing into agents' files and taking it out again, in homes that have
//! settings of other tools. No daemon is needed.

mod homes;

use homes::{AGENTS, OTHERS};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

struct Ground {
    folder: tempfile::TempDir,
}

/// Paths below the home with what is there: a folder, a link, or a file with its
/// mode and its bytes.
type Tree = BTreeMap<PathBuf, (u32, Option<String>)>;

impl Ground {
    fn bare() -> Self {
        let ground = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(ground.path("home")).unwrap();
        fs::create_dir_all(ground.path("work/.git")).unwrap();
        fs::write(ground.path("work/.git/HEAD"), "ref: refs/heads/main\n").unwrap();
        ground
    }

    fn furnished() -> Self {
        let ground = Self::bare();
        for (index, (name, text)) in OTHERS.iter().enumerate() {
            ground.write(name, text);
            let mode = if index % 2 == 0 { 0o600 } else { 0o644 };
            fs::set_permissions(ground.home(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        ground
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn home(&self, name: &str) -> PathBuf {
        self.path("home").join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let file = self.home(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.home(name)).unwrap()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_engram"))
            .args(arguments)
            .env_clear()
            .env("HOME", self.path("home"))
            .current_dir(self.path("work"))
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.ok(&[&["--json"], arguments].concat())).unwrap()
    }

    /// It is refused with these words, and nothing changes.
    fn refused(&self, arguments: &[&str], words: &str) {
        let before = self.tree();
        let output = self.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{arguments:?}: {output:?}");
        assert!(said.contains(words), "{said}");
        assert_eq!(self.tree(), before);
    }

    fn tree(&self) -> Tree {
        fn walk(folder: &Path, tree: &mut Tree) {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                let (path, meta) = (entry.path(), entry.metadata().unwrap());
                let text = if meta.is_symlink() {
                    Some(format!("-> {}", fs::read_link(&path).unwrap().display()))
                } else if meta.is_file() {
                    Some(fs::read_to_string(&path).unwrap())
                } else {
                    walk(&path, tree);
                    None
                };
                tree.insert(path, (meta.permissions().mode(), text));
            }
        }
        let mut tree = Tree::new();
        walk(self.folder.path(), &mut tree);
        tree
    }
}

/// Without what is engram's own.
fn of_others(tree: &Tree) -> Tree {
    let ours = |path: &Path| path.to_string_lossy().contains("/.claude/engram");
    tree.iter().filter(|(path, _)| !ours(path)).map(|(path, what)| (path.clone(), what.clone())).collect()
}

fn is_kept(before: &str, after: &str) -> bool {
    let mut rest = after.chars();
    before.chars().all(|wanted| rest.any(|there| there == wanted))
}

/// All of one agent's life in a home with settings of other tools.
fn check_agent(agent: &str, files: &[&str]) {
    let ground = Ground::furnished();
    let before = ground.tree();
    ground.ok(&["install", agent, "--print"]);
    assert_eq!(ground.tree(), before, "{agent}: printing writes nothing");

    let told = ground.json(&["install", agent]);
    let after = ground.tree();
    let others = of_others(&after);
    for (path, (mode, text)) in &before {
        let (mode_after, text_after) = &others[path];
        assert_eq!(mode, mode_after, "{}", path.display());
        let mine = files.iter().any(|file| ground.home(file) == *path);
        if !mine {
            assert_eq!(text, text_after, "{}", path.display());
        } else if let (Some(text), Some(text_after)) = (text, text_after) {
            assert!(is_kept(text.trim_end_matches("{}"), text_after), "{agent}: {text_after}");
            assert!(text_after.contains("engram"));
        }
    }
    let told: Vec<&str> =
        told["files"].as_array().unwrap().iter().map(|file| file["file"].as_str().unwrap()).collect();
    let named: Vec<String> = files.iter().map(|file| ground.home(file).display().to_string()).collect();
    assert_eq!(told, named);
    for line in ground.json(&["uninstall", agent, "--dry-run"])["files"].as_array().unwrap() {
        assert!(!line["lines"].as_array().unwrap().is_empty());
    }
    assert_eq!(ground.tree(), after, "{agent}: a dry run changes nothing");

    let again = ground.ok(&["install", agent]);
    assert!(again.contains("nothing to do"), "{again}");
    assert_eq!(ground.tree(), after, "{agent}: the second time changes nothing");

    ground.ok(&["uninstall", agent]);
    assert_eq!(ground.tree(), before, "{agent}: everything is as it was");
}

/// Where there is nothing yet, nothing is left.
fn check_bare(agent: &str, project: bool) {
    let ground = Ground::bare();
    let before = ground.tree();
    let scope: &[&str] = if project { &["--project"] } else { &[] };
    let told = ground.json(&[&["install", agent], scope].concat());
    for file in told["files"].as_array().unwrap() {
        assert_eq!(file["action"], "create");
        let file = Path::new(file["file"].as_str().unwrap());
        let mode = fs::metadata(file).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, if project { 0o644 } else { 0o600 }, "{}", file.display());
        assert_eq!(file.starts_with(ground.path("work")), project);
    }
    let listed = ground.json(&["uninstall", agent, "--dry-run"]);
    let installed = ground.tree();
    let mut done = ground.json(&["uninstall", agent]);
    done["dry_run"] = true.into();
    assert_eq!(done, listed, "{agent}: what was listed is what was done");
    // Everything that is gone was listed.
    let mut names: Vec<&str> = [&listed["engram"]["own"], &listed["engram"]["folders"]]
        .iter()
        .flat_map(|list| list.as_array().unwrap())
        .map(|name| name.as_str().unwrap())
        .collect();
    names.extend(listed["files"].as_array().unwrap().iter().map(|file| file["file"].as_str().unwrap()));
    for path in installed.keys().filter(|path| !before.contains_key(*path)) {
        let path = path.canonicalize().unwrap_or_else(|_| path.clone());
        assert!(names.iter().any(|name| Path::new(name) == path), "{}: {listed:#}", path.display());
    }
    assert_eq!(names.len(), installed.len() - before.len());
    assert_eq!(ground.tree(), before, "{agent}");
}

#[test]
fn every_agent_is_installed_beside_others_and_leaves_them_as_they_were() {
    for (agent, files) in AGENTS {
        check_agent(agent, files);
    }
}

#[test]
fn every_agent_is_installed_where_there_is_nothing_and_leaves_nothing() {
    for (agent, _) in AGENTS {
        check_bare(agent, false);
        check_bare(agent, true);
    }
}

#[test]
fn all_of_them_together_leave_everything_as_it_was() {
    for ground in [Ground::furnished(), Ground::bare()] {
        let before = ground.tree();
        for (agent, _) in AGENTS {
            ground.ok(&["install", agent]);
            ground.ok(&["install", agent, "--project"]);
        }
        let installed = ground.tree();
        let listed = ground.ok(&["uninstall", "--dry-run"]);
        for (_, files) in AGENTS {
            for file in files {
                let name = ground.home(file);
                let exists = ground.tree().contains_key(&name);
                assert!(!exists || listed.contains(&name.display().to_string()), "{listed}");
            }
        }
        assert_eq!(ground.tree(), installed);
        ground.ok(&["uninstall", "codex"]);
        ground.ok(&["uninstall", "cursor", "--project"]);
        assert!(ground.home(".cursor/hooks.json").exists());
        ground.ok(&["uninstall"]);
        assert_eq!(ground.tree(), before);
        assert!(ground.ok(&["uninstall"]).contains("Nothing of engram"));
        assert_eq!(ground.tree(), before);
    }
}

#[test]
fn the_keys_of_what_is_served_are_named_as_long_as_they_stay() {
    let ground = Ground::bare();
    assert!(!ground.ok(&["uninstall"]).contains("web.json"));
    ground.write(".claude/engram/web.json", "{}");
    assert!(ground.ok(&["uninstall"]).contains("web.json stays, too: with the keys in it"));
    let told = ground.json(&["uninstall", "--dry-run"]);
    assert!(told["engram"]["keys"].as_str().is_some_and(|file| file.ends_with("web.json")), "{told}");
}

#[test]
fn what_others_add_later_stays() {
    let ground = Ground::furnished();
    for (agent, _) in AGENTS {
        ground.ok(&["install", agent]);
    }
    // Claude Code writes its whole state anew, with one server more.
    let mut state: Value = serde_json::from_str(&ground.read(".claude.json")).unwrap();
    state["mcpServers"]["later"] = json!({"command": "later"});
    ground.write(".claude.json", &serde_json::to_string(&state).unwrap());
    let hooks = ground.read(".claude/settings.json").replace("\"model\": \"opus\"", "\"model\": \"haiku\"");
    ground.write(".claude/settings.json", &hooks);
    ground.write(".codex/config.toml", &(ground.read(".codex/config.toml") + "\r\n[later]\r\na = 1\r\n"));
    let mcp = ground.read(".gemini/settings.json").replacen(
        "\"mcpServers\": {",
        "\"mcpServers\": {\"later\": {},",
        1,
    );
    ground.write(".gemini/settings.json", &mcp);
    ground.ok(&["uninstall"]);

    let mut expected: Value = serde_json::from_str(OTHERS[0].1).unwrap();
    expected["mcpServers"]["later"] = json!({"command": "later"});
    assert_eq!(serde_json::from_str::<Value>(&ground.read(".claude.json")).unwrap(), expected);
    assert_eq!(ground.read(".claude/settings.json"), OTHERS[1].1.replace("opus", "haiku"));
    assert_eq!(ground.read(".codex/config.toml"), format!("{}\r\n[later]\r\na = 1\r\n", OTHERS[3].1));
    let gemini = ground.read(".gemini/settings.json");
    assert!(gemini.contains("\"later\": {}") && !gemini.contains("engram"), "{gemini}");
    assert!(gemini.contains("\"hooks\": { \"enabled\": true },\r\n}\r\n"), "{gemini}");
    assert_eq!(ground.read(".cursor/hooks.json"), OTHERS[7].1);
}

#[test]
fn a_created_file_that_others_use_stays_without_us() {
    let ground = Ground::bare();
    ground.ok(&["install", "cursor"]);
    let mut mcp: Value = serde_json::from_str(&ground.read(".cursor/mcp.json")).unwrap();
    mcp["mcpServers"]["later"] = json!({"url": "x"});
    ground.write(".cursor/mcp.json", &format!("{mcp:#}\n"));
    // An upgrade of ours does not make it forget who made the file.
    let record = ground.home(".claude/engram/installed.json");
    let text = fs::read_to_string(&record).unwrap();
    fs::write(&record, text.replace("\"mcp\"\n", "\"serve\"\n")).unwrap();
    ground.write(".cursor/mcp.json", &ground.read(".cursor/mcp.json").replace("\"mcp\"", "\"serve\""));
    ground.ok(&["install", "cursor"]);
    assert!(ground.read(".cursor/mcp.json").contains("\"mcp\""));
    ground.ok(&["uninstall", "cursor"]);
    assert_eq!(
        ground.read(".cursor/mcp.json"),
        "{\n  \"mcpServers\": {\n    \"later\": {\n      \"url\": \"x\"\n    }\n  }\n}\n"
    );
    assert!(!ground.home(".cursor/hooks.json").exists());
}

#[test]
fn what_a_person_changed_in_ours_stays_and_is_told() {
    let ground = Ground::bare();
    ground.ok(&["install", "cursor"]);
    ground.ok(&["install", "opencode"]);
    let changed = ground.read(".cursor/mcp.json").replace("\"mcp\"", "\"mcp\", \"--fast\"");
    ground.write(".cursor/mcp.json", &changed);
    let hooks = ground.read(".cursor/hooks.json").replacen("\"timeout\": 5", "\"timeout\": 50", 1);
    ground.write(".cursor/hooks.json", &hooks);
    ground.write(".config/opencode/plugins/engram.ts", "// mine now\n");

    let told = ground.ok(&["install", "cursor"]);
    assert!(told.contains("nothing to do") && told.contains("left: mcpServers.engram"), "{told}");
    assert_eq!(ground.read(".cursor/mcp.json"), changed);
    let told = ground.ok(&["uninstall"]);
    assert!(told.contains("left: mcpServers.engram was changed"), "{told}");
    assert!(told.contains("left: the entry of engram in hooks.sessionStart was changed"), "{told}");
    assert!(told.contains("left: the file was changed"), "{told}");
    assert_eq!(ground.read(".cursor/mcp.json"), changed);
    assert_eq!(ground.read(".config/opencode/plugins/engram.ts"), "// mine now\n");
    let hooks: Value = serde_json::from_str(&ground.read(".cursor/hooks.json")).unwrap();
    assert_eq!(hooks["hooks"].as_object().unwrap().len(), 1, "{hooks}");

    // Once it is as it was written, it is ours again, and goes.
    ground.write(".cursor/mcp.json", &changed.replace(", \"--fast\"", ""));
    ground.ok(&["uninstall"]);
    assert!(!ground.home(".cursor/mcp.json").exists());
    assert!(ground.home(".cursor/hooks.json").exists());
}

#[test]
fn an_older_entry_of_ours_is_replaced() {
    let ground = Ground::furnished();
    let before = ground.tree();
    ground.ok(&["install", "cursor"]);
    let new = ground.tree();
    // As an older engram would have written and recorded it.
    ground.ok(&["uninstall", "cursor"]);
    ground.ok(&["install", "cursor"]);
    let record = ground.home(".claude/engram/installed.json");
    for (file, old, young) in [
        (".cursor/mcp.json", "\"mcp\"", "\"serve\""),
        (".cursor/hooks.json", "\"timeout\":5", "\"timeout\":6"),
    ] {
        let text = ground.read(file);
        assert!(text.contains(old), "{text}");
        ground.write(file, &text.replace(old, young));
    }
    let text = fs::read_to_string(&record).unwrap();
    fs::write(&record, text.replace("\"mcp\"\n", "\"serve\"\n").replace("\"timeout\": 5", "\"timeout\": 6"))
        .unwrap();

    ground.ok(&["install", "cursor"]);
    assert_eq!(of_others(&ground.tree()), of_others(&new));
    ground.ok(&["uninstall", "cursor"]);
    assert_eq!(ground.tree(), before);
}

/// Takes what makes the hooks of today out of a text: a matcher, and the words
/// before the call. So they were written once.
fn as_once(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(call) = text.strip_prefix("command -v engram >/dev/null 2>&1 || exit 0; exec ") {
                *text = call.to_owned();
            }
        }
        Value::Array(list) => list.iter_mut().for_each(as_once),
        Value::Object(object) => {
            object.remove("matcher");
            object.values_mut().for_each(as_once);
        }
        _ => {}
    }
}

fn edit(file: &Path, edit: impl FnOnce(&mut Value)) {
    let mut value: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    edit(&mut value);
    fs::write(file, format!("{value:#}\n")).unwrap();
}

#[test]
fn hooks_that_were_written_without_a_guard_are_still_ours() {
    for (agent, file) in [("claude-code", ".claude/settings.json"), ("codex", ".codex/hooks.json")] {
        let hooks = |ground: &Ground| -> Value { serde_json::from_str(&ground.read(file)).unwrap() };
        let guarded = "command -v engram >/dev/null 2>&1 || exit 0; exec engram hook";
        for recorded in [true, false] {
            let ground = Ground::furnished();
            let before = hooks(&ground);
            ground.ok(&["install", agent]);
            let new = hooks(&ground);
            assert!(ground.read(file).contains(guarded), "{new:#}");
            edit(&ground.home(file), as_once);
            assert!(!ground.read(file).contains(guarded));
            if recorded {
                edit(&ground.home(".claude/engram/installed.json"), as_once);
                // They are replaced, and taken out, as if they were of today.
                ground.ok(&["install", agent]);
                assert_eq!(hooks(&ground), new, "{agent}");
                edit(&ground.home(file), as_once);
                edit(&ground.home(".claude/engram/installed.json"), as_once);
                ground.ok(&["uninstall", agent]);
            } else {
                // Nothing is told twice, and --force takes them out.
                fs::remove_dir_all(ground.home(".claude/engram")).unwrap();
                let old = hooks(&ground);
                ground.ok(&["install", agent]);
                assert_eq!(hooks(&ground), old, "{agent}");
                fs::remove_dir_all(ground.home(".claude/engram")).ok();
                let told = ground.ok(&["uninstall", agent]);
                assert!(told.contains("no record that engram wrote it"), "{told}");
                ground.ok(&["uninstall", agent, "--force"]);
            }
            let left = hooks(&ground);
            assert!(!left.to_string().contains("engram hook"), "{agent}: {left:#}");
            assert_eq!(left["hooks"]["Stop"], before["hooks"]["Stop"]);
        }
    }
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    let ground = Ground::furnished();
    ground.write(".cursor/hooks.json", "{\n  \"version\": 1,\n  \"hooks\": [\n}\n");
    ground.refused(&["install", "cursor"], "hooks.json cannot be read, at line 4, column 1");
    ground.write(".cursor/hooks.json", "{ \"hooks\": [] }");
    ground.refused(&["install", "cursor"], "hooks in ");
    fs::write(ground.home(".cursor/hooks.json"), b"{\"a\": \"\xff\"}").unwrap();
    let output = ground.run(&["install", "cursor"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not UTF-8, from byte 7 on"));
    fs::remove_file(ground.home(".cursor/hooks.json")).unwrap();
    fs::create_dir(ground.home(".cursor/hooks.json")).unwrap();
    ground.refused(&["install", "cursor"], "is not a file");

    ground.write(".codex/config.toml", "a = 1\nb = = 2\n");
    ground.refused(&["install", "codex"], "config.toml cannot be read, at line 2, column 5");
    ground.write(".codex/config.toml", "mcp_servers = { a = { command = \"a\" } }\n");
    ground.refused(&["install", "codex"], "mcp_servers in ");

    let file = ground.home(".gemini/settings.json");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o400)).unwrap();
    ground.refused(&["install", "gemini"], "is read-only");

    symlink("nowhere.json", ground.home("link.json")).unwrap();
    fs::remove_file(ground.home(".codeium/windsurf/hooks.json")).unwrap();
    symlink("nowhere.json", ground.home(".codeium/windsurf/hooks.json")).unwrap();
    ground.refused(&["install", "windsurf"], "is a link that leads nowhere");

    ground.write(".claude/settings.json", "{\"enabledPlugins\": {\"engram@engram\": true}}");
    ground.refused(&["install", "claude-code"], "the plugin engram@engram is enabled");
    let output = ground.run(&["install", "codex", "--plugin"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn an_entry_of_somebody_else_is_replaced_only_if_that_is_wanted() {
    let ground = Ground::furnished();
    let servers = "{\n  \"mcpServers\": {\n    \"engram\": { \"command\" : \"other\" }\n  }\n}\n";
    ground.write(".cursor/mcp.json", servers);
    ground.write(".config/opencode/plugins/engram.ts", "// of somebody else\n");
    ground.write(".codex/config.toml", "[mcp_servers.engram]\ncommand = \"other\" # mine\n");
    let before = ground.tree();
    for agent in ["cursor", "opencode", "codex"] {
        ground.refused(&["install", agent], "engram did not write it");
        ground.ok(&["install", agent, "--force"]);
    }
    assert!(ground.read(".codex/config.toml").contains("command = \"engram\""));
    let installed = ground.tree();
    ground.ok(&["uninstall"]);
    assert_eq!(ground.tree(), before);

    // Theirs comes back, too, where the file was changed since.
    for agent in ["cursor", "opencode", "codex"] {
        ground.ok(&["install", agent, "--force"]);
    }
    assert_eq!(of_others(&ground.tree()), of_others(&installed));
    let text = ground.read(".cursor/mcp.json").replacen("{\n", "{\n  // later\n", 1);
    ground.write(".cursor/mcp.json", &text);
    ground.ok(&["uninstall", "cursor"]);
    assert_eq!(ground.read(".cursor/mcp.json"), servers.replacen("{\n", "{\n  // later\n", 1));
}

#[test]
fn a_link_stays_a_link_and_its_file_is_edited() {
    let ground = Ground::furnished();
    let (file, link) = (ground.home("dotfiles/gemini.json"), ground.home(".gemini/settings.json"));
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::rename(&link, &file).unwrap();
    symlink("../dotfiles/gemini.json", &link).unwrap();
    let before = ground.tree();
    ground.ok(&["install", "gemini"]);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&file).unwrap().contains("engram hook --agent gemini UserPromptSubmit"));
    ground.ok(&["uninstall", "gemini"]);
    assert_eq!(ground.tree(), before);
}

#[test]
fn a_lost_backup_is_done_without() {
    let ground = Ground::furnished();
    let before = ground.tree();
    ground.ok(&["install", "vscode"]);
    fs::remove_dir_all(ground.home(".claude/engram/installed")).unwrap();
    ground.ok(&["uninstall", "vscode"]);
    assert_eq!(ground.tree(), before);
}

#[test]
fn entries_have_the_form_that_each_agent_wants() {
    let ground = Ground::bare();
    for (agent, _) in AGENTS {
        ground.ok(&["install", agent]);
    }
    let read = |name: &str| -> Value { serde_json::from_str(&ground.read(name)).unwrap() };
    assert_eq!(
        read(".claude.json")["mcpServers"]["engram"],
        json!({"type": "stdio", "command": "engram", "args": ["mcp"]})
    );
    assert_eq!(
        read(".claude/settings.json")["hooks"]["PreToolUse"],
        json!([{"matcher": "Bash", "hooks": [{
            "type": "command",
            "command": "command -v engram >/dev/null 2>&1 || exit 0; exec engram hook --agent claude-code PreToolUse",
            "timeout": 3,
        }]}])
    );
    assert!(read(".claude/settings.json")["hooks"]["SessionEnd"][0].get("matcher").is_none());
    assert_eq!(read(".claude/settings.json")["hooks"].as_object().unwrap().len(), 9);
    assert_eq!(
        ground.read(".codex/config.toml"),
        "[mcp_servers.engram]\ncommand = \"engram\"\nargs = [\"mcp\"]\n"
    );
    assert!(read(".codex/hooks.json")["hooks"].get("PostToolUseFailure").is_none());
    assert_eq!(
        read(".gemini/settings.json")["hooks"]["BeforeAgent"][0]["hooks"][0],
        json!({"name": "engram", "type": "command", "command": "engram hook --agent gemini UserPromptSubmit", "timeout": 3000})
    );
    assert_eq!(read(".cursor/hooks.json")["version"], 1);
    assert_eq!(
        read(".cursor/hooks.json")["hooks"]["beforeSubmitPrompt"],
        json!([{"command": "engram hook --agent cursor UserPromptSubmit", "timeout": 3}])
    );
    assert_eq!(read(".config/Code/User/mcp.json")["servers"]["engram"]["type"], "stdio");
    assert_eq!(
        read(".copilot/hooks/engram.json")["hooks"]["agentStop"],
        json!([{"type": "command", "bash": "engram hook --agent vscode Stop", "timeoutSec": 5}])
    );
    assert_eq!(
        read(".config/opencode/opencode.json")["mcp"]["engram"],
        json!({"type": "local", "command": ["engram", "mcp"], "enabled": true})
    );
    assert!(
        ground
            .read(".config/opencode/plugins/engram.ts")
            .starts_with("// Written by `engram install opencode`")
    );
    assert_eq!(
        read(".codeium/windsurf/hooks.json")["hooks"]["post_cascade_response"],
        json!([{"command": "engram hook --agent windsurf Stop", "show_output": false}])
    );
}

#[test]
fn an_agent_in_no_list_is_told_what_to_do() {
    let ground = Ground::bare();
    let before = ground.tree();
    for arguments in [&["install", "generic"][..], &["install", "generic", "--print"]] {
        let told = ground.ok(arguments);
        assert!(told.contains("\"mcpServers\"") && told.contains("AGENTS.md"), "{told}");
    }
    assert!(ground.ok(&["install", "claude-code", "--plugin"]).contains("claude plugin install"));
    assert_eq!(ground.tree(), before);
}

#[test]
fn data_goes_only_if_that_is_said_twice() {
    let ground = Ground::furnished();
    let before = ground.tree();
    ground.ok(&["config", "set", "recall.limit", "5"]);
    let store = ground.path("work/.claude/engram");
    fs::create_dir_all(&store).unwrap();
    fs::write(store.join("identity.json"), "{}").unwrap();
    ground.ok(&["install", "codex"]);

    let told = ground.ok(&["uninstall", "--dry-run"]);
    assert!(told.contains("These stay") && told.contains(&store.display().to_string()), "{told}");
    ground.refused(&["uninstall", "--data"], "this needs a yes");
    let told = ground.json(&["uninstall", "--data", "--dry-run"]);
    assert_eq!(told["engram"]["data"].as_array().unwrap().len(), 2);
    assert_eq!(told["engram"]["data_goes"], true);
    ground.ok(&["uninstall"]);
    assert!(ground.home(".claude/engram/config.toml").exists() && store.exists());

    ground.ok(&["uninstall", "--data", "--yes"]);
    // The folder that had nothing but the store in it went with it.
    assert!(!ground.path("work/.claude").exists());
    assert_eq!(ground.tree(), before);
}

#[test]
fn a_folder_that_is_not_engrams_own_is_not_removed() {
    let ground = Ground::furnished();
    let run = |home: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_engram"));
        command.args(["uninstall", "--data", "--yes"]).env_clear().env("HOME", ground.path("home"));
        command.env("ENGRAM_HOME", ground.path(home)).current_dir(ground.path("work")).output().unwrap()
    };
    for home in ["home", "home/.config", ""] {
        let output = run(home);
        assert_eq!(output.status.code(), Some(4), "{home}: {output:?}");
    }
    assert!(ground.home(".config/opencode").exists());
}

#[test]
fn what_nobody_recorded_is_told_and_removed_only_if_that_is_wanted() {
    let ground = Ground::furnished();
    let before = ground.tree();
    ground.ok(&["install", "vscode"]);
    ground.ok(&["install", "cursor"]);
    fs::remove_dir_all(ground.home(".claude/engram")).unwrap();
    let installed = ground.tree();
    let told = ground.ok(&["uninstall"]);
    assert_eq!(told.matches("no record that engram wrote it").count(), 4, "{told}");
    assert_eq!(ground.tree(), installed);
    ground.ok(&["uninstall", "--force"]);
    let (after, expected) = (ground.tree(), before);
    for (path, what) in &expected {
        let made_anew = path.ends_with(".cursor/hooks.json");
        assert!(made_anew || after[path] == *what, "{}", path.display());
    }
    assert!(!ground.read(".cursor/hooks.json").contains("engram"));
    assert!(!ground.home(".copilot/hooks/engram.json").exists());
}
