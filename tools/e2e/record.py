"""Records what the real client tells its hooks, for the tests that run without
it: python3 tools/e2e/record.py FILE. Every path of this machine is replaced by
@HOME@ or @PROJECT@, so that the file says nothing about it.

Which events there are and how they look is the client's business.
"""

import json
import re
import shutil
import sys
from pathlib import Path

import fetch
from api import Api, Rule, say, use
from client import PLUGIN, ask
from ground import Ground
from terminal import Terminal

STATED = "Our staging database listens on port 5433, please keep that in mind."
ASKED = "Which port does the staging database use?"


def recording_plugin(ground, file):
    """The plugin with hooks that only write down what they are told."""
    folder = ground.root / "plugin"
    shutil.copytree(PLUGIN, folder)
    (folder / ".mcp.json").unlink()
    hooks = folder / "hooks" / "hooks.json"
    told = json.loads(hooks.read_text())
    for groups in told["hooks"].values():
        for group in groups:
            for hook in group["hooks"]:
                hook["command"] = f"cat >> {file}; echo >> {file}"
    hooks.write_text(json.dumps(told))
    return folder


def script(api):
    api.script(
        Rule("run the tests", [
            use("Bash", command="false", description="fails"),
            use("Bash", command="echo well", description="works"),
            say("It works now."),
        ]),
        Rule("ask another agent", [
            use("Agent", description="look", prompt="Say what you see.", subagent_type="general-purpose"),
            say("It was asked."),
        ]),
        Rule("detailed summary", [say("<analysis>short</analysis><summary>The shop was discussed.</summary>")]),
    )


def main():
    target = Path(sys.argv[1])
    api = Api()
    client = fetch.client(fetch.CLIENT)
    ground = Ground(None, api.url)
    file = ground.root / "told.jsonl"
    try:
        plugin = recording_plugin(ground, file)
        script(api)
        first = ask(client, ground, STATED, plugin=plugin)
        ask(client, ground, "Please run the tests.", plugin=plugin)
        ask(client, ground, "Please ask another agent what it sees.", plugin=plugin)
        ask(client, ground, ASKED, "--resume", first.session, plugin=plugin)
        terminal = Terminal(client, ground, plugin=plugin)
        terminal.ready()
        for line, event in ((ASKED, "Stop"), ("/compact", "SessionStart"), ("/clear", "SessionStart")):
            terminal.type_until(line, event)
        terminal.leave()
        lines = [line for line in file.read_text().splitlines() if line.strip()]
        for path, word in ((ground.project(), "@PROJECT@"), (ground.home, "@HOME@"), (ground.root, "@ROOT@")):
            lines = [line.replace(str(path), word).replace(str(path).replace("/", "-"), word) for line in lines]
        # Where the client keeps what runs in the background.
        lines = [re.sub(r"/tmp/claude-\d+/", "@ROOT@/tasks/", line) for line in lines]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(lines) + "\n")
        events = [json.loads(line)["hook_event_name"] for line in lines]
        print(f"{len(lines)} inputs: {', '.join(sorted(set(events)))}")
    finally:
        ground.close()


if __name__ == "__main__":
    main()
