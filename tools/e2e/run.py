"""Runs the scenarios with the real client and prints one row for each.

    python3 tools/e2e/run.py --programs <folder of engram and engramd> [--keep] [name ...]

What is fetched is fetched first. Then everything runs in a network of its own
that has nothing but the loopback address, where that can be had.
"""

import argparse
import fcntl
import os
import shutil
import socket
import struct
import subprocess
import sys
import time
import traceback
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import fetch  # noqa: E402
from api import Api  # noqa: E402
from scenarios import cost, evolving, interactive, lifetimes, plugin, protocol, remembering, window  # noqa: E402
from stage import Failed, Stage  # noqa: E402

SCENARIOS = [
    ("two-runs", remembering.two_runs),
    ("without-plugin", remembering.installed),
    ("resume", remembering.resumed),
    ("changed-mind", remembering.changed_mind),
    ("clear", interactive.cleared),
    ("compact", interactive.compacted),
    ("subagent", remembering.with_a_subagent),
    ("client-killed", interactive.killed),
    ("daemon-killed", lifetimes.daemon_killed),
    ("program-missing", lifetimes.program_missing),
    ("old-client", remembering.old_client),
    ("two-sessions-at-once", remembering.two_sessions_at_once),
    ("two-projects", remembering.two_projects),
    ("plugin", plugin.installed),
    ("commands", plugin.commands),
    ("consolidation", plugin.consolidation),
    ("skill", evolving.skill),
    ("hook-cost", cost.of_hooks),
    ("many-prompts", cost.of_many_prompts),
    ("mcp-inspector", protocol.inspector),
    ("mcp-python-client", protocol.python_client),
    ("mcp-fastmcp-client", protocol.fastmcp_client),
    ("mcp-conformance-2025-11-25", protocol.conformance_2025),
    ("mcp-conformance-2026-07-28", protocol.conformance_2026),
    ("window-api", window.api),
    # Looks at what all the others left.
    ("nothing-left", lifetimes.nothing_left),
]

_INSIDE = "ENGRAM_E2E_INSIDE"
_SET_FLAGS = 0x8914  # SIOCSIFFLAGS
_UP_AND_RUNNING = 0x41


def bring_loopback_up():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as talk:
        fcntl.ioctl(talk, _SET_FLAGS, struct.pack("16sh14x", b"lo", _UP_AND_RUNNING))


def go_offline(arguments):
    """Begins again in a network of its own. Does not return where that works."""
    if os.environ.get(_INSIDE):
        if os.environ[_INSIDE] == "alone":
            bring_loopback_up()
        return
    for way in (["unshare", "--net"], ["unshare", "--net", "--map-root-user"]):
        if shutil.which("unshare") and subprocess.run([*way, "true"], capture_output=True).returncode == 0:
            environment = {**os.environ, _INSIDE: "alone"}
            os.execvpe(way[0], [*way, sys.executable, str(HERE / "run.py"), *arguments], environment)
    print("warning: no network of its own can be had here; only the client's settings keep it silent", file=sys.stderr)
    os.environ[_INSIDE] = "beside others"


def run(stage, chosen):
    rows = []
    for name, scenario in chosen:
        began = time.monotonic()
        try:
            passed, seen = True, scenario(stage)
        except Failed as reason:
            passed, seen = False, str(reason)
        except Exception as error:  # A scenario that breaks is a row that failed.
            traceback.print_exc()
            passed, seen = False, f"{type(error).__name__}: {error}"
        rows.append((name, passed, seen, time.monotonic() - began))
        print(row(*rows[-1]), flush=True)
    return rows


def row(name, passed, seen, seconds):
    seen = " ".join(str(seen).split())
    return f"| {name:<26} | {'passed' if passed else 'FAILED'} | {seen[:400]} | {seconds:.1f} |"


def main():
    parser = argparse.ArgumentParser(description="Runs engram with the real Claude Code client.")
    parser.add_argument("--programs", required=True, type=Path, help="the folder of engram and engramd")
    parser.add_argument("names", nargs="*", help="only these scenarios")
    parser.add_argument("--list", action="store_true", help="only list the scenarios")
    parser.add_argument("--keep", action="store_true", help="keep the home of a scenario that fails, with its logs")
    given = parser.parse_args()
    if given.list:
        print("\n".join(name for name, _ in SCENARIOS))
        return 0
    unknown = set(given.names) - {name for name, _ in SCENARIOS}
    if unknown:
        parser.error(f"there is no scenario {', '.join(sorted(unknown))}; --list shows them all")
    programs = given.programs.resolve()
    for program in ("engram", "engramd"):
        if not (programs / program).exists():
            parser.error(f"there is no {program} in {programs}")
    try:
        # Everything is there before the network is gone.
        fetch.everything()
    except fetch.CannotFetch as reason:
        print(f"cannot fetch {reason}", file=sys.stderr)
        return 1
    go_offline(sys.argv[1:])
    api = Api()
    stage = Stage(api, programs, fetch.client(fetch.CLIENT), fetch.client(fetch.OLD_CLIENT), keep=given.keep)
    print("| scenario | | what was seen | seconds |\n|---|---|---|---|", flush=True)
    chosen = [(name, scenario) for name, scenario in SCENARIOS if not given.names or name in given.names]
    rows = run(stage, chosen)
    api.close()
    failed = [name for name, passed, _, _ in rows if not passed]
    print(f"\n{len(rows) - len(failed)} of {len(rows)} passed" + (f"; failed: {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
