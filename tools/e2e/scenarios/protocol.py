"""Clients of the Model Context Protocol that others wrote, and their suite of
conformance, against engram's server."""

import contextlib
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import fetch
from stage import expect

MCP = Path(__file__).resolve().parents[1] / "mcp"
sys.path.append(str(MCP))

from header_proxy import HeaderProxy  # noqa: E402


def _run(ground, command, seconds=180):
    return subprocess.run(
        [str(part) for part in command],
        cwd=ground.project(), env=ground.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds,
    )


@contextlib.contextmanager
def served(ground):
    """`engram mcp --http`: the address and the token that it prints."""
    process = subprocess.Popen(
        ["engram", "mcp", "--http", "--json"],
        cwd=ground.project(), env=ground.environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    try:
        text, until = "", time.monotonic() + 30
        told = None
        while told is None and time.monotonic() < until:
            line = process.stdout.readline()
            if not line:
                break
            text += line
            with contextlib.suppress(ValueError):
                told = json.loads(text)
        expect(told and "url" in told, f"engram mcp --http told no address: {text or process.stderr.read()[:300]}")
        yield told["url"], told.get("token", "")
    finally:
        process.terminate()
        process.wait(10)


def inspector(stage):
    """The inspector lists the tools by its strict rules, stores and recalls,
    over stdio and over http."""
    with stage.ground() as ground:
        inspect = [fetch.node(), fetch.inspector(), "--cli"]
        warnings = set()

        def through(way, *target):
            def method(name, *more):
                done = _run(ground, [*inspect, *target, "--method", name, *more])
                expect(done.returncode == 0, f"{way} {name}: {done.returncode} {(done.stderr or done.stdout).strip()[-300:]}")
                warnings.update(line.strip() for line in done.stderr.splitlines() if "warn" in line.lower())
                return done.stdout

            tools = json.loads(method("tools/list", "--strict")).get("tools", [])
            expect(len(tools) >= 8, f"{way}: only {len(tools)} tools")
            fact = f"the {way} gateway listens on port 5433"
            method("tools/call", "--tool-name", "store_memory", "--tool-arg", f"text={fact}")
            found = method("tools/call", "--tool-name", "recall_memories", "--tool-arg", f"query={way} gateway port")
            expect("5433" in found, f"{way}: recall found {found[:200]}")
            return len(tools)

        over_stdio = through("stdio", "engram", "mcp")
        with served(ground) as (url, token):
            over_http = through("http", url, "--header", f"Authorization: Bearer {token}")
        said = f", {len(warnings)} warnings: {sorted(warnings)[0][:120]}" if warnings else ", no warnings"
        return f"{over_stdio} tools over stdio, {over_http} over http{said}"


def _client(stage, package, program):
    with stage.ground() as ground:
        seen = []
        with served(ground) as (url, token):
            for way, given in (("stdio", ["engram", "mcp"]), ("http", [url, token])):
                done = _run(ground, [fetch.python_with(package), MCP / program, way, *given])
                expect(done.returncode == 0, f"{way}: {_reason(done.stderr)}")
                seen.append(done.stdout.strip())
        return "; ".join(seen)


def _reason(complaint):
    """The line of a traceback that says what was wrong."""
    lines = [line.strip(" |+-") for line in complaint.splitlines()]
    errors = [line for line in lines if re.match(r"\w*(Error|Exception)\b", line)]
    return (errors or [line for line in lines if line] or ["no reason was given"])[-1][:300]


def python_client(stage):
    """Python's own client stores, recalls, inspects and forgets."""
    return _client(stage, "mcp", "with_mcp.py")


def fastmcp_client(stage):
    """FastMCP's client stores, recalls, inspects and forgets."""
    return _client(stage, "fastmcp", "with_fastmcp.py")


def _conformance(stage, revision, *choice):
    baseline = MCP / f"baseline-{revision}.yml"
    with stage.ground() as ground, served(ground) as (url, token):
        unguarded = _run(ground, [sys.executable, "-c", _STATUS_OF, url])
        expect(unguarded.stdout.strip() == "401", f"without its token the server answers {unguarded.stdout.strip()}")
        proxy = HeaderProxy(url, token)
        try:
            command = [fetch.node(), fetch.conformance(revision), "server", "--url", proxy.url, *choice]
            done = _run(ground, [*command, "--expected-failures", baseline], seconds=500)
        finally:
            proxy.close()
        text = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)
        total = re.search(r"Total: (.*)", text)
        expect(total, f"the suite did not end: {_reason(text)}")
        # After the known ones it lists those that pass or fail unexpectedly.
        others = [line.strip() for line in text[total.end():].splitlines() if line.strip() and not line.strip().startswith("~")]
        expect(done.returncode == 0, f"{total.group(1)}; {' '.join(others)}")
        return f"{total.group(1)}; what fails is in {baseline.name}, with its reason"


_STATUS_OF = """
import sys, urllib.error, urllib.request
try:
    print(urllib.request.urlopen(urllib.request.Request(sys.argv[1], data=b"{}")).status)
except urllib.error.HTTPError as error:
    print(error.code)
"""


def conformance_2025(stage):
    """The suite for the revision that most clients speak."""
    return _conformance(stage, "2025-11-25")


def conformance_2026(stage):
    """The suite for the newest revision."""
    return _conformance(stage, "2026-07-28", "--requirements", "2026-07-28")
