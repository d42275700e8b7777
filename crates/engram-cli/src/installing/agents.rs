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

/// How hooks are entered, with each event by the agent's name and by ours, and
/// how many seconds it may take.
#[derive(Debug)]
struct Hooks {
    form: HookForm,
    events: &'static [(&'static str, &'static str, u32)],
}

#[derive(Debug)]
enum HookForm {
    /// Claude Code's: groups of commands, seconds.
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

const OURS: [(&str, u32); 9] = [
    ("SessionStart", 5),
    ("UserPromptSubmit", 3),
    ("PreToolUse", 3),
    ("PostToolUse", 3),
    ("PostToolUseFailure", 3),
    ("PreCompact", 5),
    ("SubagentStop", 5),
    ("Stop", 5),
    ("SessionEnd", 3),
];

const fn at(base: Base, names: &'static [&'static str]) -> Option<Place> {
    Some(Place { base, names })
}

/// An event that the agent calls as we do.
const fn same(index: usize) -> (&'static str, &'static str, u32) {
    (OURS[index].0, OURS[index].0, OURS[index].1)
}

/// An event that the agent calls otherwise.
const fn called(name: &'static str, index: usize) -> (&'static str, &'static str, u32) {
    (name, OURS[index].0, OURS[index].1)
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

    fn hooks_content(&self) -> Content {
        let command = |ours: &str| format!("engram hook --agent {} {ours}", self.name);
        let entry = |theirs: &str, value| Entry::new(EntryKind::Element, &["hooks", theirs], value);
        let each = |form: &dyn Fn(String, u32) -> Value| -> Vec<Entry> {
            let events = self.hooks.events.iter();
            events.map(|(theirs, ours, seconds)| entry(theirs, form(command(ours), *seconds))).collect()
        };
        let entries = match self.hooks.form {
            HookForm::Groups => each(
                &|command, seconds| json!({"hooks": [{"type": "command", "command": command, "timeout": seconds}]}),
            ),
            HookForm::NamedGroups => each(&|command, seconds| {
                let hook = json!({
                    "name": "engram", "type": "command", "command": command, "timeout": seconds * 1_000,
                });
                json!({"hooks": [hook]})
            }),
            HookForm::Commands => {
                let version = Entry::new(EntryKind::Needed, &["version"], json!(1));
                let hooks = each(&|command, seconds| json!({"command": command, "timeout": seconds}));
                [vec![version], hooks].concat()
            }
            HookForm::Silent => each(&|command, _| json!({"command": command, "show_output": false})),
            HookForm::OwnFile => {
                let hooks: Map<String, Value> = self
                    .hooks
                    .events
                    .iter()
                    .map(|(theirs, ours, seconds)| {
                        let hook = json!({"type": "command", "bash": command(ours), "timeoutSec": seconds});
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
