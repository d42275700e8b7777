"""What every scenario stands on: the API, the clients, engram's programs, the
grounds that were used, and the words in which a scenario says that it failed."""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

import hooklog
from api import Api
from client import until
from ground import Ground


class Failed(Exception):
    """A scenario saw something else than it should have."""


def expect(condition, seen):
    if not condition:
        raise Failed(seen)


@dataclass
class Stage:
    api: Api
    programs: Path
    client: Path
    old_client: Path
    # What the debug logs of all grounds said that they should not.
    wrong: list = field(default_factory=list)
    # And what the logs of their daemons did.
    warnings: list = field(default_factory=list)
    logs: int = 0
    hooks: int = 0
    left_over: list = field(default_factory=list)
    # Whether the ground of a scenario that fails stays, to be looked at.
    keep: bool = False

    def ground(self, with_engram=True):
        self.api.script()
        return _Borrowed(self, Ground(self.programs if with_engram else None, self.api.url))


class _Borrowed:
    """A ground for one scenario. Where it ends, its logs are read, its daemon
    is ended and it is removed."""

    def __init__(self, stage, ground):
        self._stage, self._ground = stage, ground
        self._mark = stage.api.so_far()

    def __enter__(self):
        return self._ground

    def __exit__(self, kind, *_):
        stage, ground = self._stage, self._ground
        for log in ground.debug_logs:
            stage.logs += 1
            stage.hooks += len(hooklog.ran(log))
            stage.wrong += hooklog.errors(log)
        stage.warnings += ground.daemon_warnings()
        if kind is None:
            # A server that was told to end may need a moment for it.
            until(lambda: not _besides_daemon(ground), 3)
            stage.left_over += _besides_daemon(ground)
        if kind is not None and stage.keep:
            requests = [json.dumps(asked.body) for asked in stage.api.since(self._mark)]
            (ground.root / "requests.jsonl").write_text("\n".join(requests) + "\n")
            print(f"kept: {ground.root}", file=sys.stderr)
            ground.end()
        else:
            ground.close()


def _besides_daemon(ground):
    return [line for _, line in ground.processes() if not line.split(" ")[0].endswith("engramd")]


def told(asked, text):
    """Whether one of some requests holds a text inside a block of memory."""
    return any(text in memory for request in asked for memory in request.memories())


def in_words(asked, text):
    """What to say where a text was not found: how much memory there was."""
    blocks = [memory for request in asked for memory in request.memories()]
    latest = " ".join(blocks[-1].split())[:160] if blocks else "no memory at all"
    return f"{text} is not in the memory of {len(asked)} requests; the latest: {latest}"
