//! A home as other tools have furnished it: files with comments, tabs, marks,
//! line ends of both kinds, and no last newline.

/// Every agent that has files, and the user's files it has.
pub(crate) const AGENTS: [(&str, &[&str]); 7] = [
    ("claude-code", &[".claude.json", ".claude/settings.json"]),
    ("codex", &[".codex/config.toml", ".codex/hooks.json"]),
    ("gemini", &[".gemini/settings.json"]),
    ("cursor", &[".cursor/mcp.json", ".cursor/hooks.json"]),
    ("vscode", &[".config/Code/User/mcp.json", ".copilot/hooks/engram.json"]),
    ("opencode", &[".config/opencode/opencode.jsonc", ".config/opencode/plugins/engram.ts"]),
    ("windsurf", &[".codeium/windsurf/mcp_config.json", ".codeium/windsurf/hooks.json"]),
];

/// What other tools have written, each in its own manner.
pub(crate) const OTHERS: [(&str, &str); 14] = [
    (
        ".claude.json",
        "{\n  \"numStartups\": 12,\n  \"mcpServers\": {\n    \"docs\": {\n      \"type\": \"stdio\",\n      \"command\": \"docs\",\n      \"args\": []\n    }\n  },\n  \"projects\": {\n    \"/p\": {\n      \"allowedTools\": []\n    }\n  }\n}",
    ),
    (
        ".claude/settings.json",
        "{\n    \"model\": \"opus\",\n    \"hooks\": {\n        \"Stop\": [\n            {\n                \"hooks\": [ { \"type\": \"command\", \"command\": \"notify\" } ]\n            }\n        ]\n    },\n    \"enabledPlugins\": { \"other@market\": true }\n}\n",
    ),
    (".claude/settings.local.json", "{}\n"),
    (
        ".codex/config.toml",
        "# codex\nmodel = \"gpt-6\"   # fast\r\n\r\n[mcp_servers.docs]\r\ncommand = \"docs\"\r\nargs = [ \"a\", \"b\" ]\r\n\r\n[projects.\"/p\"]\r\ntrust_level = \"trusted\"",
    ),
    (
        ".codex/hooks.json",
        "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"bell\"}]}]}}",
    ),
    (
        ".gemini/settings.json",
        "{\r\n\t\"theme\": \"Dracula\",\r\n\t\"mcpServers\": {},\r\n\t\"hooks\": { \"enabled\": true },\r\n}\r\n",
    ),
    (
        ".cursor/mcp.json",
        "\u{feff}{\n  // my servers\n  \"mcpServers\": {\n    \"a\": { \"url\": \"http://a\" }, // one\n    /* \"b\": {} */\n  }\n}\n",
    ),
    (
        ".cursor/hooks.json",
        "{ \"version\": 1, \"hooks\": { \"stop\": [ { \"command\": \"./bell.sh\" } ] } }\n",
    ),
    (
        ".config/Code/User/mcp.json",
        "{\n\t\"inputs\": [],\n\t\"servers\": {\n\t\t\"github\": {\n\t\t\t\"url\": \"https://x\", // remote\n\t\t},\n\t},\n}\n",
    ),
    (".config/Code/User/settings.json", "{ \"editor.fontSize\": 13 }\n"),
    (".copilot/hooks/other.json", "{\"version\":1,\"hooks\":{}}\n"),
    (
        ".config/opencode/opencode.jsonc",
        "{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  // \"mcp\": {},\n  \"plugin\": [\"x\"]\n}\n",
    ),
    (".codeium/windsurf/mcp_config.json", "{}"),
    (
        ".codeium/windsurf/hooks.json",
        "{\n  \"hooks\": {\n    \"pre_user_prompt\": [\n      { \"command\": \"log\", \"show_output\": true }\n    ]\n  }\n}\n",
    ),
];
