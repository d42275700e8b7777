//! The agents engram can be installed for, as data: where their files are, in
//! which form they want a server, and which of their events are told.
//!
//! Adding an agent is adding a row here. Nothing here reads or writes a file.

use super::entry::{Content, Entry, EntryKind};
use serde_json::{Map, Value, json};

/// An agent, and what it wants to be told how.
#[derive(Debug)]
pub(crate) struct Agent {
    /// As it is typed, and as hooks say it.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    server: Server,
    hooks: Hooks,
    user: Files,
    project: Files,
    /// A member of the hooks' file that says the same is installed already, as
    /// a plugin.
    pub(crate) plugins: Option<&'static str>,
    /// What a person has to know or to do.
    pub(crate) notes: &'static [&'static str],
}

/// The folder a path begins in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    Person,
    /// Where Claude Code keeps its settings.
    Claude,
    /// Where Claude Code keeps its state.
    ClaudeState,
    Codex,
    Copilot,
    /// Where programs keep their settings.
    Settings,
    /// The user's settings of VS Code.
    Code,
    Project,
}

/// Where a file is: the first of the names that exists, else the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) base: Base,
    pub(crate) names: &'static [&'static str],
}

#[derive(Debug)]
struct Files {
    server: Option<Place>,
    hooks: Option<Place>,
}

/// How a server is entered.
#[derive(Debug)]
struct Server {
    above: &'static str,
    form: ServerForm,
}

#[derive(Debug)]
enum ServerForm {
    /// A command and its arguments.
    Plain,
    /// The same, with its transport.
    Stdio,
    /// The command and its arguments as one list.
    OneList,
    /// A table of TOML.
    Table,
}

/// How hooks are entered, with each event by the agent's name and by its place
/// among ours.
#[derive(Debug)]
struct Hooks {
    form: HookForm,
    events: &'static [(&'static str, usize)],
}

#[derive(Debug)]
enum HookForm {
    /// Claude Code's: groups of commands for some tools, seconds, and silence
    /// where engram is not there.
    Groups,
    /// Gemini's: the same with a name, milliseconds.
    NamedGroups,
    /// Cursor's: a list of commands, and a version beside it.
    Commands,
    /// Windsurf's: a list of commands, no timeouts.
    Silent,
    /// Copilot's: a file of our own.
    OwnFile,
    /// A program of our own.
    Program(&'static str),
}

/// One of our events, as `engram hook` is told it.
struct Ours {
    name: &'static str,
    /// How many seconds it may take.
    seconds: u32,
    /// The tools it is wanted for, where the agent can tell them apart by the
    /// names of Claude Code.
    tools: Option<&'static str>,
}

const fn ours(name: &'static str, seconds: u32, tools: Option<&'static str>) -> Ours {
    Ours { name, seconds, tools }
}

/// From these tools something can be learned.
const TEACHING: Option<&str> = Some("Edit|Write|MultiEdit|NotebookEdit|Bash");

/// Of these it is worth knowing what was opened and loaded, too: signs of what
/// was taken up.
const TELLING: Option<&str> = Some("Edit|Write|MultiEdit|NotebookEdit|Bash|Read|Skill");

/// A test holds these against the plugin's.
const OURS: [Ours; 9] = [
    ours("SessionStart", 5, None),
    ours("UserPromptSubmit", 3, None),
    ours("PreToolUse", 3, Some("Bash")),
    ours("PostToolUse", 3, TELLING),
    ours("PostToolUseFailure", 3, TEACHING),
    ours("PreCompact", 5, None),
    ours("SubagentStop", 5, None),
    ours("Stop", 5, None),
    ours("SessionEnd", 3, None),
];

const fn at(base: Base, names: &'static [&'static str]) -> Option<Place> {
    Some(Place { base, names })
}

/// An event that the agent calls as we do.
const fn same(index: usize) -> (&'static str, usize) {
    (OURS[index].name, index)
}

/// An event that the agent calls otherwise.
const fn called(name: &'static str, index: usize) -> (&'static str, usize) {
    (name, index)
}

pub(crate) const AGENTS: &[Agent] = &[
    Agent {
        name: "claude-code",
        title: "Claude Code",
        server: Server { above: "mcpServers", form: ServerForm::Stdio },
        hooks: Hooks {
            form: HookForm::Groups,
            events: &[same(0), same(1), same(2), same(3), same(4), same(5), same(6), same(7), same(8)],
        },
        user: Files {
            server: at(Base::ClaudeState, &[".claude.json"]),
            hooks: at(Base::Claude, &["settings.json"]),
        },
        project: Files {
            server: at(Base::Project, &[".mcp.json"]),
            hooks: at(Base::Project, &[".claude/settings.json"]),
        },
        plugins: Some("enabledPlugins"),
        notes: &["the plugin does the same and more: `engram install claude-code --plugin` tells how"],
    },
    Agent {
        name: "codex",
        title: "Codex CLI",
        server: Server { above: "mcp_servers", form: ServerForm::Table },
        hooks: Hooks {
            form: HookForm::Groups,
            events: &[same(0), same(1), same(2), same(3), same(5), same(6), same(7), same(8)],
        },
        user: Files { server: at(Base::Codex, &["config.toml"]), hooks: at(Base::Codex, &["hooks.json"]) },
        project: Files {
            server: at(Base::Project, &[".codex/config.toml"]),
            hooks: at(Base::Project, &[".codex/hooks.json"]),
        },
        plugins: None,
        notes: &["Codex runs a hook only after you have trusted it: type /hooks in it"],
    },
    Agent {
        name: "gemini",
        title: "Gemini CLI",
        server: Server { above: "mcpServers", form: ServerForm::Plain },
        hooks: Hooks {
            form: HookForm::NamedGroups,
            events: &[
                same(0),
                called("BeforeAgent", 1),
                called("BeforeTool", 2),
                called("AfterTool", 3),
                called("PreCompress", 5),
                called("AfterAgent", 7),
                same(8),
            ],
        },
        user: Files {
            server: at(Base::Person, &[".gemini/settings.json"]),
            hooks: at(Base::Person, &[".gemini/settings.json"]),
        },
        project: Files {
            server: at(Base::Project, &[".gemini/settings.json"]),
            hooks: at(Base::Project, &[".gemini/settings.json"]),
        },
        plugins: None,
        notes: &[],
    },
    Agent {
        name: "cursor",
        title: "Cursor",
        server: Server { above: "mcpServers", form: ServerForm::Plain },
        hooks: Hooks {
            form: HookForm::Commands,
            events: &[
                called("sessionStart", 0),
                called("beforeSubmitPrompt", 1),
                called("preToolUse", 2),
                called("postToolUse", 3),
                called("postToolUseFailure", 4),
                called("preCompact", 5),
                called("subagentStop", 6),
                // Its stop does not tell what was answered; this does.
                called("afterAgentResponse", 7),
                called("stop", 7),
                called("sessionEnd", 8),
            ],
        },
        user: Files {
            server: at(Base::Person, &[".cursor/mcp.json"]),
            hooks: at(Base::Person, &[".cursor/hooks.json"]),
        },
        project: Files {
            server: at(Base::Project, &[".cursor/mcp.json"]),
            hooks: at(Base::Project, &[".cursor/hooks.json"]),
        },
        plugins: None,
        notes: &[],
    },
    Agent {
        name: "vscode",
        title: "VS Code with Copilot",
        server: Server { above: "servers", form: ServerForm::Stdio },
        hooks: Hooks {
            form: HookForm::OwnFile,
            events: &[
                called("sessionStart", 0),
                called("userPromptSubmitted", 1),
                called("preToolUse", 2),
                called("postToolUse", 3),
                called("postToolUseFailure", 4),
                called("preCompact", 5),
                called("subagentStop", 6),
                called("agentStop", 7),
                called("sessionEnd", 8),
            ],
        },
        user: Files {
            server: at(Base::Code, &["mcp.json"]),
            hooks: at(Base::Copilot, &["hooks/engram.json"]),
        },
        project: Files {
            server: at(Base::Project, &[".vscode/mcp.json"]),
            hooks: at(Base::Project, &[".github/hooks/engram.json"]),
        },
        plugins: None,
        notes: &[],
    },
    Agent {
        name: "opencode",
        title: "OpenCode",
        server: Server { above: "mcp", form: ServerForm::OneList },
        hooks: Hooks { form: HookForm::Program(include_str!("opencode.ts")), events: &[] },
        user: Files {
            server: at(Base::Settings, &["opencode/opencode.jsonc", "opencode/opencode.json"]),
            hooks: at(Base::Settings, &["opencode/plugins/engram.ts"]),
        },
        project: Files {
            server: at(Base::Project, &["opencode.jsonc", "opencode.json"]),
            hooks: at(Base::Project, &[".opencode/plugins/engram.ts"]),
        },
        plugins: None,
        notes: &[],
    },
    Agent {
        name: "windsurf",
        title: "Windsurf",
        server: Server { above: "mcpServers", form: ServerForm::Plain },
        hooks: Hooks {
            form: HookForm::Silent,
            events: &[
                called("pre_user_prompt", 1),
                called("post_run_command", 3),
                called("post_write_code", 3),
                called("post_mcp_tool_use", 3),
                called("post_cascade_response", 7),
            ],
        },
        user: Files {
            server: at(Base::Person, &[".codeium/windsurf/mcp_config.json"]),
            hooks: at(Base::Person, &[".codeium/windsurf/hooks.json"]),
        },
        // It knows servers of the user only.
        project: Files { server: None, hooks: at(Base::Project, &[".windsurf/hooks.json"]) },
        plugins: None,
        notes: &["Windsurf takes no context from a hook: what is remembered is asked for through the server"],
    },
];

/// An agent that is in no row: what to do is only printed.
pub(crate) const GENERIC: &str = "generic";

/// Everything that can be typed for an agent.
pub(crate) fn names() -> Vec<&'static str> {
    AGENTS.iter().map(|agent| agent.name).chain([GENERIC]).collect()
}

pub(crate) fn find(name: &str) -> Option<&'static Agent> {
    AGENTS.iter().find(|agent| agent.name == name)
}

impl Agent {
    /// What has to be where: for the user, or in a project.
    pub(crate) fn wanted(&self, in_project: bool) -> Vec<(Place, Content)> {
        let files = if in_project { &self.project } else { &self.user };
        let mut wanted: Vec<(Place, Content)> = Vec::new();
        let server = files.server.map(|place| (place, self.server_content()));
        let hooks = files.hooks.map(|place| (place, self.hooks_content()));
        for (place, content) in server.into_iter().chain(hooks) {
            match wanted.iter_mut().find(|(there, _)| *there == place) {
                Some((_, there)) => there.entries.extend(content.entries),
                None => wanted.push((place, content)),
            }
        }
        wanted
    }

    /// Where its hooks may be, for the user and in a project.
    pub(crate) fn hook_places(&self) -> impl Iterator<Item = Place> {
        [self.user.hooks, self.project.hooks].into_iter().flatten()
    }

    fn server_content(&self) -> Content {
        let value = match self.server.form {
            ServerForm::Plain | ServerForm::Table => json!({"command": "engram", "args": ["mcp"]}),
            ServerForm::Stdio => json!({"type": "stdio", "command": "engram", "args": ["mcp"]}),
            ServerForm::OneList => json!({"type": "local", "command": ["engram", "mcp"], "enabled": true}),
        };
        let kind = match self.server.form {
            ServerForm::Table => EntryKind::Table,
            _ => EntryKind::Member,
        };
        Content { entries: vec![Entry::new(kind, &[self.server.above, "engram"], value)] }
    }

    /// The hooks as engram wrote them before they were the plugin's own: still
    /// ours, and not wanted any more.
    pub(crate) fn outdated(&self, in_project: bool) -> Option<(Place, Content)> {
        let files = if in_project { &self.project } else { &self.user };
        let place = files.hooks.filter(|_| matches!(self.hooks.form, HookForm::Groups))?;
        let entries = self.entries(
            &|command, ours| json!({"hooks": [{"type": "command", "command": command, "timeout": ours.seconds}]}),
        );
        Some((place, Content { entries }))
    }

    fn command(&self, ours: &Ours) -> String {
        format!("engram hook --agent {} {}", self.name, ours.name)
    }

    /// An entry for each event, of the command that tells it.
    fn entries(&self, form: &dyn Fn(String, &Ours) -> Value) -> Vec<Entry> {
        let entry = |theirs: &str, value| Entry::new(EntryKind::Element, &["hooks", theirs], value);
        let events = self.hooks.events.iter().map(|(theirs, index)| (theirs, &OURS[*index]));
        events.map(|(theirs, ours)| entry(theirs, form(self.command(ours), ours))).collect()
    }

    fn hooks_content(&self) -> Content {
        let entries = match self.hooks.form {
            HookForm::Groups => self.entries(&|command, ours| {
                let command = format!("command -v engram >/dev/null 2>&1 || exit 0; exec {command}");
                let hook = json!({"type": "command", "command": command, "timeout": ours.seconds});
                match ours.tools {
                    Some(tools) => json!({"matcher": tools, "hooks": [hook]}),
                    None => json!({"hooks": [hook]}),
                }
            }),
            HookForm::NamedGroups => self.entries(&|command, ours| {
                let hook = json!({
                    "name": "engram", "type": "command", "command": command, "timeout": ours.seconds * 1_000,
                });
                json!({"hooks": [hook]})
            }),
            HookForm::Commands => {
                let version = Entry::new(EntryKind::Needed, &["version"], json!(1));
                let hooks =
                    self.entries(&|command, ours| json!({"command": command, "timeout": ours.seconds}));
                [vec![version], hooks].concat()
            }
            HookForm::Silent => self.entries(&|command, _| json!({"command": command, "show_output": false})),
            HookForm::OwnFile => {
                let hooks: Map<String, Value> = self
                    .hooks
                    .events
                    .iter()
                    .map(|(theirs, index)| {
                        let ours = &OURS[*index];
                        let hook = json!({"type": "command", "bash": self.command(ours), "timeoutSec": ours.seconds});
                        ((*theirs).to_owned(), json!([hook]))
                    })
                    .collect();
                let whole = format!("{:#}\n", json!({"version": 1, "hooks": hooks}));
                vec![Entry::new(EntryKind::Whole, &[], whole.into())]
            }
            HookForm::Program(text) => vec![Entry::new(EntryKind::Whole, &[], text.into())],
        };
        Content { entries }
    }
}

/// What to tell an agent that is in no row.
pub(crate) fn generic() -> String {
    let server = json!({"mcpServers": {"engram": {"command": "engram", "args": ["mcp"]}}});
    format!(
        "Nothing is written. Add this server to your agent's settings:\n\n{server:#}\n\n\
         And this to AGENTS.md, or wherever your agent reads what it should know:\n\n{AGENTS_MD}"
    )
}

/// For agents that have a server and no hooks.
const AGENTS_MD: &str = "\
## Memory

This project has a lasting memory, the MCP server `engram`. Before you start on a
task, recall what is known about it. When something lasting comes up (a decision,
a preference, how something is run, what went wrong and why), remember it in one
sentence. When something turns out to be different now, correct the memory.
";

/// The plugin of Claude Code: where it comes from, and its name there.
pub(crate) const PLUGIN_COMMANDS: [&str; 2] =
    ["claude plugin marketplace add <engram's folder or repository>", "claude plugin install engram@engram"];

#[cfg(test)]
mod tests {
    use super::*;

    /// The hooks of the plugin: each event with its one group.
    fn plugin() -> Map<String, Value> {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../plugin/hooks/hooks.json");
        let whole: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        whole["hooks"].as_object().unwrap().clone()
    }

    fn installed(agent: &str) -> Map<String, Value> {
        let content = find(agent).unwrap().hooks_content();
        content.entries.into_iter().map(|entry| (entry.at[1].clone(), json!([entry.value]))).collect()
    }

    #[test]
    fn what_is_installed_for_claude_code_is_what_its_plugin_has() {
        let (ours, plugins) = (installed("claude-code"), plugin());
        let names = |hooks: &Map<String, Value>| {
            let mut names: Vec<String> = hooks.keys().cloned().collect();
            names.sort();
            names
        };
        assert_eq!(names(&ours), names(&plugins));
        for (event, group) in &plugins {
            for (what, at) in [
                ("matcher", "/0/matcher"),
                ("command", "/0/hooks/0/command"),
                ("timeout", "/0/hooks/0/timeout"),
            ] {
                assert_eq!(ours[event].pointer(at), group.pointer(at), "{what} of {event}");
            }
            assert_eq!(&ours[event], group, "{event}");
        }
    }

    #[test]
    fn codex_has_the_same_under_its_own_name() {
        let (codex, plugins) = (installed("codex"), plugin());
        assert_eq!(codex.len(), plugins.len() - 1, "it has no event for failures");
        for (event, group) in &codex {
            let plugins = plugins[event].to_string().replace("--agent claude-code", "--agent codex");
            assert_eq!(group.to_string(), plugins, "{event}");
        }
    }
}
