//! What `doctor` says about agents, from what is in their files. Nobody is there to
//! tell what hooks did.

use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

struct Ground {
    folder: tempfile::TempDir,
}

impl Ground {
    fn new() -> Self {
        let ground = Self { folder: tempfile::tempdir().unwrap() };
        for folder in ["home", "bin", "work/.git"] {
            fs::create_dir_all(ground.path(folder)).unwrap();
        }
        fs::write(ground.path("work/.git/HEAD"), "ref: refs/heads/main\n").unwrap();
        symlink(env!("CARGO_BIN_EXE_engram"), ground.path("bin/engram")).unwrap();
        ground
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn run(&self, words: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_engram"))
            .args(words)
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PATH", self.path("bin"))
            .env("ENGRAM_DAEMON", "/nonexistent/engramd")
            .current_dir(self.path("work"))
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    fn install(&self, words: &[&str]) {
        let output = self.run(&[&["install"], words].concat());
        assert!(output.status.success(), "{output:?}");
    }

    /// What is said about each agent: its name, whether it is sound, and why.
    fn said(&self) -> Vec<(String, bool, String)> {
        let output = self.run(&["--json", "doctor"]);
        assert_eq!(output.status.code(), Some(1), "there is no daemon");
        let examined: Value = serde_json::from_slice(&output.stdout).unwrap();
        let checks = examined["checks"].as_array().unwrap().iter();
        let text = |check: &Value, key: &str| check[key].as_str().unwrap().to_owned();
        checks
            .filter_map(|check| {
                let agent = text(check, "what").strip_prefix("agent ")?.to_owned();
                Some((agent, check["verdict"] == "sound", text(check, "detail")))
            })
            .collect()
    }

    fn says(&self, agent: &str, sound: bool, words: &str) {
        let said = self.said();
        let about = said.iter().find(|(name, ..)| name == agent).unwrap_or_else(|| panic!("{said:?}"));
        assert!(about.1 == sound && about.2.contains(words), "{about:?} does not say {words}");
    }

    fn edit(&self, file: &str, edit: impl FnOnce(&mut Value)) {
        let file = self.path(file);
        let mut value: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        edit(&mut value);
        fs::write(file, value.to_string()).unwrap();
    }
}

#[test]
fn what_was_installed_is_looked_for_in_every_agents_files() {
    let ground = Ground::new();
    assert_eq!(ground.said(), []);
    let agents = ["claude-code", "codex", "gemini", "cursor", "vscode", "opencode", "windsurf"];
    for agent in agents {
        ground.install(&[agent]);
    }
    assert_eq!(ground.said().len(), agents.len());
    for agent in agents {
        ground.says(agent, true, "what was installed is there; whether its hooks come is not known");
    }
    fs::remove_file(ground.path("bin/engram")).unwrap();
    for agent in agents {
        ground.says(agent, false, "not on the PATH");
    }
}

#[test]
fn what_somebody_took_out_or_changed_is_told() {
    let ground = Ground::new();
    ground.install(&["cursor"]);
    ground.install(&["codex", "--project"]);
    ground.edit("home/.cursor/hooks.json", |whole| {
        let own = ground.path("bin/engram").display().to_string();
        whole["hooks"]["stop"][0]["command"] = json!(format!("{own} hook --agent cursor Stop"));
    });
    ground.edit("home/.cursor/mcp.json", |whole| whole["mcpServers"]["engram"]["args"] = json!(["mcp", "x"]));
    ground.says("cursor", true, "2 entries changed by hand");
    ground.edit("home/.cursor/hooks.json", |whole| whole["hooks"]["preCompact"] = json!([]));
    ground.says("cursor", false, "1 of 10 hooks went missing");
    ground.edit("home/.cursor/hooks.json", |whole| {
        whole["hooks"]["stop"][0]["command"] = json!("/none/engram hook --agent cursor Stop");
    });
    ground.says("cursor", false, "/none/engram");
    fs::remove_file(ground.path("home/.cursor/hooks.json")).unwrap();
    ground.says("cursor", false, "its server is there but its hooks are not");
    fs::remove_file(ground.path("home/.cursor/mcp.json")).unwrap();
    ground.says("cursor", false, "`engram install cursor` puts back");

    ground.says("codex", true, "what was installed is there");
    // A person may name the program by its place, with the same care.
    for (place, sound, words) in
        [("bin/engram", true, "one entry changed"), ("no such/engram", false, "no such")]
    {
        let own = ground.path(place).display().to_string();
        let line = format!("[ -x '{own}' ] || exit 0; exec '{own}' hook --agent codex Stop");
        ground.edit("work/.codex/hooks.json", |whole| {
            whole["hooks"]["Stop"][0]["hooks"][0]["command"] = json!(line);
        });
        ground.says("codex", sound, words);
    }
    ground.edit("work/.codex/hooks.json", |whole| whole["hooks"] = json!({}));
    ground.says("codex", false, "`engram install codex --project` puts back");
    fs::write(ground.path("work/.codex/hooks.json"), "{").unwrap();
    ground.says("codex", false, "hooks.json cannot be read");
    fs::remove_dir_all(ground.path("work/.codex")).unwrap();
    ground.says("codex", false, "no longer in");
}

#[test]
fn the_plugin_counts_and_so_does_what_nobody_recorded() {
    let ground = Ground::new();
    fs::create_dir_all(ground.path("home/.claude")).unwrap();
    let settings = ground.path("home/.claude/settings.json");
    fs::write(&settings, json!({"enabledPlugins": {"engram@engram": false}}).to_string()).unwrap();
    assert_eq!(ground.said(), []);
    fs::write(&settings, json!({"enabledPlugins": {"engram@engram": true}}).to_string()).unwrap();
    ground.says("claude-code", true, "the plugin engram@engram is enabled");
    // As somebody would copy it from elsewhere, the server alone.
    let server = json!({"mcpServers": {"engram": {"command": "engram", "args": ["mcp"]}}});
    fs::create_dir_all(ground.path("home/.cursor")).unwrap();
    fs::write(ground.path("home/.cursor/mcp.json"), server.to_string()).unwrap();
    ground.says("cursor", false, "its server is there but its hooks are not");
    ground.install(&["cursor"]);
    ground.says("cursor", true, "what was installed is there");
    // In one file with what was there before.
    let server = json!({"mcpServers": {"engram": {"command": "engram", "args": ["mcp"]}}});
    fs::create_dir_all(ground.path("home/.gemini")).unwrap();
    fs::write(ground.path("home/.gemini/settings.json"), server.to_string()).unwrap();
    ground.install(&["gemini"]);
    ground.says("gemini", true, "what was installed is there");
    fs::write(ground.path("home/.claude/engram/installed.json"), "{").unwrap();
    let output = ground.run(&["doctor"]);
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("installed.json is not understood"),
        "{output:?}"
    );
}
