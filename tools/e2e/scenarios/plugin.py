"""The plugin folder as the client's own commands see it."""

import json
import subprocess
from pathlib import Path

from api import Rule, say, use
from client import ask
from stage import expect, in_words, told

TOOLS = "mcp__plugin_engram_engram__"
SUMMING = "mcp__plugin_engram_consolidator__"
ROOT = Path(__file__).resolve().parents[3]
EVENTS = {
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PreCompact",
    "SubagentStop", "Stop", "SessionEnd",
}


def installed(stage):
    """It is valid by the strict rules; it can be installed from this folder,
    listed and removed, and its removal touches no memory."""
    with stage.ground() as ground:
        def plugin(*arguments):
            done = subprocess.run(
                [str(stage.client), "plugin", *arguments],
                cwd=ground.project(), env=ground.environment, capture_output=True, text=True, timeout=120,
            )
            expect(done.returncode == 0, f"plugin {' '.join(arguments[:2])}: {(done.stdout + done.stderr).strip()[-300:]}")
            return done.stdout

        def listed():
            return [entry for entry in json.loads(plugin("list", "--json")) if entry["id"] == "engram@engram"]

        events = set(json.loads((ROOT / "plugin/hooks/hooks.json").read_text())["hooks"])
        # An event that an old client does not know makes it refuse all of them.
        expect(events == EVENTS, f"the hooks are {sorted(events)}")
        for folder in (ROOT / "plugin", ROOT):
            plugin("validate", "--strict", str(folder))
        ground.engram("remember", "the staging database listens on port 5433")
        kept = ground.home / ".claude" / "engram"
        before = kept.exists()
        plugin("marketplace", "add", str(ROOT))
        plugin("install", "engram@engram")
        expect([entry["enabled"] for entry in listed()] == [True], f"listed as {listed()}")
        details = plugin("details", "engram@engram")
        cost = next((line.split()[1] for line in details.splitlines() if "Always-on" in line), "?")
        plugin("uninstall", "engram@engram")
        expect(not listed(), "still listed after it was removed")
        plugin("marketplace", "remove", "engram")
        expect(kept.exists() == before, "removing the plugin removed memories")
        return f"valid, installed, listed, removed; {cost} tokens in every session"


def commands(stage):
    """`/engram:remember` asks the model to store and to promote, and may without
    a question about permission; what was stored is known in the next run."""
    fact = "The staging database listens on port 5433."
    with stage.ground() as ground:
        # A server's tools are only named to the model, which looks them up first.
        stage.api.script(Rule("To be remembered besides:", [
            use("ToolSearch", query=f"select:{TOOLS}store_memory,{TOOLS}promote_memories", max_results=2),
            use(f"{TOOLS}store_memory", text=fact),
            use(f"{TOOLS}promote_memories", to="project", memories=[]),
            say("Stored."),
        ]))
        mark = stage.api.so_far()
        done = ask(stage.client, ground, f"/engram:remember {fact}")
        asked = stage.api.since(mark)
        expect(done.code == 0 and done.said == "Stored.", f"the run ended with {done.code}: {done.said}")
        answers = [block for request in asked for block in results(request)]
        expect(answers, "the model's call of store_memory was not answered")
        wrong = [block for block in answers if block.get("is_error")]
        expect(not wrong, f"a tool was refused: {str(wrong[:1])[:300]}")
        stage.api.script()
        mark = stage.api.so_far()
        ask(stage.client, ground, "Which port does the staging database use?")
        asked = stage.api.since(mark)
        expect(told(asked, "5433"), in_words(asked, "5433"))
        return "/engram:remember stored and promoted without a question, and the next run knows it"


def consolidation(stage):
    """`/engram:memory-consolidate` starts an agent that may use its three tools
    without a question, and has no others even where the session allows them."""
    task = "Consolidate engram's memory and report."
    with stage.ground() as ground:
        stage.api.script(
            Rule(task, [
                use(f"{SUMMING}consolidation_next"),
                use(f"{SUMMING}consolidate"),
                use("Bash", command="touch talked-into-it", description="try"),
                say("Nothing waited."),
            ]),
            Rule("Start the agent", [
                use("Agent", description="consolidate", prompt=task, subagent_type="engram:memory-consolidator"),
                say("It is at work."),
            ]),
        )
        mark = stage.api.so_far()
        done = ask(stage.client, ground, "/engram:memory-consolidate")
        expect(done.code == 0, f"the run ended with {done.code}: {done.said}")
        told_task = [request for request in stage.api.since(mark) if task in request.whole()]
        asked = [request for request in told_task if "Start the agent" not in request.whole()]
        expect(asked, "the agent was not started, or had no tools")
        offered = {tool for tool in asked[-1].tools() if tool != "DeferredToolPlaceholder"}
        wanted = {f"{SUMMING}{tool}" for tool in ("consolidation_next", "consolidation_submit", "consolidate")}
        expect(offered == wanted, f"the agent is offered {sorted(offered)}")
        answers = list(results(asked[-1]))
        refused = [bool(block.get("is_error")) for block in answers]
        expect(refused == [False, False, True], f"refused: {refused}; {str(answers)[:300]}")
        expect(not (ground.project() / "talked-into-it").exists(), "the agent ran a command")
        return "the agent used its tools without a question, and could not run a command"


def results(request):
    """What tools answered, in one request."""
    for message in request.body["messages"]:
        if isinstance(message["content"], list):
            yield from (block for block in message["content"] if block.get("type") == "tool_result")
