"""Brings the programs of others that the tests run: clients, Node, MCP tools and
what tries the window.

Everything is pinned here, comes through the registries that `npm` and `pip`
are configured with, and lies in the cache of engram. Nothing is fetched twice.
This is the only part that needs a network.
"""

import platform
import subprocess
import sys
from pathlib import Path

CACHE = Path.home() / ".cache" / "engram" / "e2e"

CLIENT = "2.1.325"
OLD_CLIENT = "2.1.197"
NODE = "22.21.1"
INSPECTOR = "2.12.0"
CONFORMANCE = {"2025-11-25": "0.1.16", "2026-07-28": "0.2.0-alpha.12"}
PYTHON_PACKAGES = {"mcp": "2.3.0", "fastmcp": "4.1.2", "schemathesis": "4.32.5"}


class CannotFetch(Exception):
    """A program could not be brought; the message says which and why."""


def _platform():
    system = {"Linux": "linux", "Darwin": "darwin"}.get(platform.system())
    machine = {"x86_64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine())
    if not system or not machine:
        raise CannotFetch(f"there is no client for {platform.system()} on {platform.machine()}")
    return f"{system}-{machine}"


def _run(what, command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotFetch(f"{what}: {error}") from error
    if done.returncode != 0:
        raise CannotFetch(f"{what}: {(done.stderr or done.stdout).strip()[-600:]}")


def _npm(package, version):
    """The folder of an installed package. Scripts of packages are not run."""
    prefix = CACHE / f"{package.replace('/', '+')}@{version}"
    folder = prefix / "node_modules" / package
    if not (prefix / "complete").exists():
        prefix.mkdir(parents=True, exist_ok=True)
        _run(
            f"{package} {version}",
            ["npm", "install", "--prefix", str(prefix), "--no-save", "--no-audit", "--no-fund",
             "--ignore-scripts", f"{package}@{version}"],
        )
        (prefix / "complete").touch()
    return folder


def client(version):
    """The client's program. The package of the platform needs no Node to run."""
    return _npm(f"@anthropic-ai/claude-code-{_platform()}", version) / "claude"


def node():
    """A Node that is new enough for the MCP tools, whatever the machine has."""
    return _npm(f"node-{_platform()}", NODE) / "bin" / "node"


def inspector():
    """The inspector's command line, to be run with Node."""
    return _bin_of(_npm("@modelcontextprotocol/inspector", INSPECTOR), "mcp-inspector")


def conformance(revision):
    """The conformance suite for one revision of the protocol, to be run with Node."""
    return _bin_of(_npm("@modelcontextprotocol/conformance", CONFORMANCE[revision]), "conformance")


def _bin_of(package, name):
    links = package.parents[1] if package.parent.name.startswith("@") else package.parent
    return (links / ".bin" / name).resolve()


def python_with(package):
    """The Python of an environment that has one package and what it needs."""
    version = PYTHON_PACKAGES[package]
    folder = CACHE / f"python-{package}@{version}"
    program = folder / "bin" / "python"
    if not (folder / "complete").exists():
        _run(f"an environment for {package}", [sys.executable, "-m", "venv", str(folder)])
        _run(
            f"{package} {version}",
            [str(program), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{package}=={version}"],
        )
        (folder / "complete").touch()
    return program


def everything():
    """Brings all of it, and says what is where."""
    found = {"client": client(CLIENT), "old client": client(OLD_CLIENT), "node": node(), "inspector": inspector()}
    for revision in CONFORMANCE:
        found[f"conformance {revision}"] = conformance(revision)
    for package in PYTHON_PACKAGES:
        found[f"python with {package}"] = python_with(package)
    return found


if __name__ == "__main__":
    try:
        for name, path in everything().items():
            print(f"{name}: {path}")
    except CannotFetch as reason:
        sys.exit(str(reason))
