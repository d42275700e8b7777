"""What hooks cost, by the client's own log, beside a hook that does nothing in
the same run; and whether the daemon grows with many prompts."""

import json
import random
import shutil
import statistics
import time
from pathlib import Path

import hooklog
from api import Rule, say, use
from client import PLUGIN, Conversation
from stage import Failed, expect

MEMORIES = 10_000
TURNS = 110
PROMPTS = 1_000
# So many of them say something; and so much the daemon may grow by the others,
# which it holds until their session ends.
SAID, GROWS_MIB = 50, 20
# The same form as the plugin's own hooks, so that only the program differs.
NOTHING = "command -v true >/dev/null 2>&1 || exit 0; exec /bin/true"
MEASURED = ("UserPromptSubmit", "PostToolUse")
# What our hook may take longer than one that does nothing, in milliseconds.
MEDIAN_MORE, LAST_MORE = 10, 40
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

_SERVICES = ["orders", "invoices", "billing", "search", "mail", "stock", "login", "reports", "media", "export"]
_PLACES = ["staging", "production", "testing", "the preview", "the backup site"]
_THINGS = ["the queue", "the cache", "the database", "the worker", "the proxy", "the scheduler", "the index", "the bucket"]
_STATES = ["listens on port {n}", "is limited to {n} megabytes", "is restarted every {n} minutes", "keeps its files for {n} days"]


def filled(ground, how_many=MEMORIES):
    """Puts many memories into the project: one is remembered, and written out
    again and again with other words. How many there are then."""
    folder = ground.project()
    made = ground.engram("remember", "the first of many notes is about the orders service")
    expect(made.returncode == 0, f"remember: {made.stderr.strip()}")
    line = ground.engram("export", "--scope", "project").stdout.strip().splitlines()
    lines = [json.loads(text) for text in line]
    pattern = next((text for text in lines if "content" in text and "id" in text), None)
    expect(pattern is not None, f"export told no memory: {line[:1]}")
    chance = random.Random(7)
    written = []
    for number in range(how_many):
        name = "".join(chance.choice(_ALPHABET) for _ in range(16))
        state = chance.choice(_STATES).format(n=1_000 + number)
        text = f"{chance.choice(_THINGS)} of the {chance.choice(_SERVICES)} service in {chance.choice(_PLACES)} {state}"
        written.append(json.dumps({**pattern, "id": pattern["id"][:10] + name, "content": text}))
    file = ground.root / "notes.jsonl"
    file.write_text("\n".join(written) + "\n")
    done = ground.engram("import", str(file), "--json", folder=folder, seconds=600)
    expect(done.returncode == 0, f"import: {(done.stderr or done.stdout).strip()[-300:]}")
    try:
        return json.loads(done.stdout).get("imported", 0)
    except ValueError:
        return 0


def plugin_beside_nothing(ground):
    """A copy of the plugin in which each measured event also has a hook that
    does nothing."""
    folder = ground.root / "plugin"
    shutil.copytree(PLUGIN, folder)
    file = folder / "hooks" / "hooks.json"
    told = json.loads(file.read_text())
    for event in MEASURED:
        told["hooks"][event][0]["hooks"].append({"type": "command", "command": NOTHING, "timeout": 3})
    file.write_text(json.dumps(told))
    return folder


def _summary(times):
    ordered = sorted(times)
    last = ordered[min(len(ordered) - 1, round(0.99 * (len(ordered) - 1)))]
    return statistics.median(ordered), last


def of_hooks(stage):
    """Median and 99th percentile of our hooks and of one that does nothing, in
    one run over a full store."""
    with stage.ground() as ground:
        kept = filled(ground)
        plugin = plugin_beside_nothing(ground)
        stage.api.script(Rule("What does the", [use("Bash", command="true", description="nothing"), say("Seen.")]))
        talk = Conversation(stage.client, ground, plugin=plugin)
        try:
            for turn in range(TURNS):
                service, thing = _SERVICES[turn % len(_SERVICES)], _THINGS[turn % len(_THINGS)]
                expect(talk.say(f"What does the {service} service use {thing[4:]} number {turn} for?"), f"turn {turn} did not end")
        finally:
            talk.end()
        seen = [f"{kept} memories"]
        for event in MEASURED:
            hooks = [hook for hook in hooklog.ran(talk.log) if hook.event == event]
            ours = [hook.ms for hook in hooks if "engram hook" in hook.command]
            idle = [hook.ms for hook in hooks if hook.command == NOTHING]
            expect(len(ours) >= 100 and len(idle) >= 100, f"{event} was seen {len(ours)} and {len(idle)} times only")
            (middle, last), (idle_middle, idle_last) = _summary(ours), _summary(idle)
            told = f"{event}: {middle:.0f}/{last} ms where nothing takes {idle_middle:.0f}/{idle_last} ms (median/p99)"
            expect(middle <= idle_middle + MEDIAN_MORE and last <= idle_last + LAST_MORE, told)
            seen.append(f"{event} x{len(ours)}: engram {middle:.0f}/{last} ms, nothing {idle_middle:.0f}/{idle_last} ms (median/p99)")
        return "; ".join(seen)


def _resident_kib(number):
    try:
        status = Path(f"/proc/{number}/status").read_text()
    except FileNotFoundError:
        raise Failed("the daemon ended on the way") from None
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")), 0)


def of_many_prompts(stage):
    """A thousand prompts in a row: how long each takes, and what the daemon
    holds at the start and at the end."""
    with stage.ground() as ground:
        folder = str(ground.project())

        def hook(event, **told):
            given = {"session_id": "many-prompts", "cwd": folder, "hook_event_name": event, **told}
            began = time.perf_counter()
            done = ground.engram("hook", "--agent", "claude-code", event, given=json.dumps(given), seconds=30)
            took = (time.perf_counter() - began) * 1_000
            expect(done.returncode == 0 and not done.stderr, f"{event}: {done.returncode} {done.stderr[:200]}")
            return took

        hook("SessionStart", source="startup")
        expect(ground.daemons(), "no daemon runs after the start of a session")
        daemon = ground.daemons()[0]
        times, resident = [], []
        for number in range(PROMPTS):
            service, place = _SERVICES[number % len(_SERVICES)], _PLACES[number % len(_PLACES)]
            # What is said grows the store, and so may the daemon; questions may not.
            says = f"The {service} service in {place} listens on port {2_000 + number}."
            asks = f"Which port does the {service} service in {place} listen on, number {number}?"
            times.append(hook("UserPromptSubmit", prompt=says if number < SAID else asks))
            if number % 10 == 0:
                hook("Stop", last_assistant_message="Understood.")
            if number % 50 == 0 or number == PROMPTS - 1:
                resident.append(_resident_kib(daemon) / 1024)
        expect(ground.daemons() == [daemon], "another daemon took over on the way")
        warnings = ground.daemon_warnings()
        expect(not warnings, f"the daemon complains {len(warnings)} times: {warnings[:1]}")
        early = resident[len(resident) // 10 + 1]
        expect(resident[-1] <= early + GROWS_MIB, f"the daemon grew from {early:.0f} to {resident[-1]:.0f} MiB")
        middle, last = _summary(times)
        return (
            f"{PROMPTS} prompts, {middle:.0f}/{last:.0f} ms (median/p99); the daemon held {resident[0]:.0f} MiB at first, "
            f"{early:.0f} MiB after a tenth, {resident[-1]:.0f} MiB at the end"
        )
