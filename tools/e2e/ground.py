"""A place to test in: a home of its own, projects in it, an environment that
lets nothing of the machine's settings in, and the processes that belong to it.

Which client runs there, and what it is asked, is not known here.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

KEY = "sk-ant-scripted"
# The client stays silent towards everything but the API it is given.
_SILENCE = [
    "DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING", "DISABLE_AUTOUPDATER", "DISABLE_UPDATES",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY",
    "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL",
]
_DROPPED = ("CLAUDE", "ANTHROPIC", "ENGRAM", "XDG_", "DISABLE_")


class Ground:
    """A temporary home. `programs` is the folder of engram's programs, or None
    for a machine that has none."""

    def __init__(self, programs, api_url):
        self.root = Path(tempfile.mkdtemp(prefix="engram-e2e-"))
        self.home = self.root / "home"
        self.home.mkdir()
        self.programs = programs
        self.debug_logs = []
        self._projects = {}
        self.environment = self._environment(api_url)
        self.set_up_client()

    def _environment(self, api_url):
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(_DROPPED) and "proxy" not in name.lower()
        }
        kept.update({name: "1" for name in _SILENCE})
        kept.update({
            "HOME": str(self.home),
            "PATH": self._path(kept.get("PATH", "/usr/bin:/bin")),
            "ANTHROPIC_BASE_URL": api_url,
            "ANTHROPIC_API_KEY": KEY,
            "TERM": "xterm-256color",
        })
        return kept

    def _path(self, path):
        """The machine's own path without any engram that may be on it, and with
        the programs under test."""
        others = [folder for folder in path.split(":") if folder and not (Path(folder) / "engram").exists()]
        own = [str(self.programs)] if self.programs else []
        return ":".join(own + others)

    def set_up_client(self):
        """So that a client at a terminal asks none of its first questions."""
        settings = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
            "projects": {
                str(folder): {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
                for folder in self._projects.values()
            },
        }
        (self.home / ".claude.json").write_text(json.dumps(settings))

    def project(self, name="shop"):
        """A git repository in the home; the same one for the same name."""
        if name not in self._projects:
            folder = self.home / name
            subprocess.run(["git", "init", "-q", str(folder)], check=True, env=self.environment)
            (folder / "README.md").write_text(f"# {name}\n")
            self._projects[name] = folder
            self.set_up_client()
        return self._projects[name]

    def new_debug_log(self):
        log = self.root / f"debug-{len(self.debug_logs)}.txt"
        self.debug_logs.append(log)
        return log

    def engram(self, *arguments, folder=None, given=None, seconds=120, extra=None):
        """Runs `engram`, and returns what it did."""
        return subprocess.run(
            ["engram", *arguments],
            cwd=folder or self.project(),
            env={**self.environment, **(extra or {})},
            input=given,
            capture_output=True,
            text=True,
            timeout=seconds,
        )

    def processes(self, name=None):
        """The living processes that were started from this ground, as pairs of
        a number and a command line; `name` is a program's file name."""
        found = []
        # Some clients pass little more of their environment on than the home.
        wanted = f"HOME={self.home}".encode()
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                if wanted not in (entry / "environ").read_bytes().split(b"\0"):
                    continue
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
            except OSError:
                continue
            # A process that has ended and waits to be noticed has no line.
            if line and (name is None or Path(line.split(" ")[0]).name == name):
                found.append((int(entry.name), line))
        return found

    def daemons(self):
        return [number for number, _ in self.processes("engramd")]

    def kill_daemons(self):
        """Without any warning; how many there were."""
        numbers = self.daemons()
        for number in numbers:
            _signal(number, signal.SIGKILL)
        until = time.monotonic() + 5
        while self.daemons() and time.monotonic() < until:
            time.sleep(0.02)
        return len(numbers)

    def daemon_warnings(self):
        """What the daemon's log complains of."""
        log = self.home / ".claude" / "engram" / "engramd.log"
        lines = log.read_text(errors="replace").splitlines() if log.exists() else []
        # The database tells in its own words that it recovers after a kill.
        return [line.strip()[:300] for line in lines if re.search(r" (WARN|ERROR) +engram", line)]

    def end(self):
        """Ends what still runs here."""
        for sign in (signal.SIGTERM, signal.SIGKILL):
            for number, _ in self.processes():
                _signal(number, sign)
            until = time.monotonic() + 5
            while self.processes() and time.monotonic() < until:
                time.sleep(0.05)

    def close(self):
        """Ends what still runs here, and removes everything."""
        self.end()
        shutil.rmtree(self.root, ignore_errors=True)


def _signal(number, sign):
    try:
        os.kill(number, sign)
    except ProcessLookupError:
        pass
