"""What the client's debug log says about hooks: which ran, how long, and what
went wrong. Both clients write it the same way."""

import re
from dataclasses import dataclass

_FINISHED = re.compile(
    r"Hooks: (?P<event>\w+)(?::(?P<about>\S+))? \[(?P<command>.*?)\] \(.*?\) "
    r"finished with status (?P<status>-?\d+) \((?P<ms>\d+)ms\)"
)
# The end of a session is told in another form, and without its time.
_ENDED = re.compile(r"(?P<event>SessionEnd):(?P<about>\S+) \[(?P<command>.*?)\] completed with status (?P<status>-?\d+)")
_WRONG = re.compile(
    r"^.*(?:\[ERROR\].*\bhooks?\b|hook load failed|hook .*(?:timed out|cancelled|failed to start)|non-blocking status).*$",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass
class Ran:
    """One hook that ran to its end."""

    event: str
    about: str
    command: str
    status: int
    ms: int


def _text(path):
    try:
        return path.read_text(errors="replace")
    except FileNotFoundError:
        return ""


def ran(path):
    """Every hook of a log that ended, in order. `ms` is -1 where it is not told."""
    text = _text(path)
    found = []
    for pattern in (_FINISHED, _ENDED):
        for match in pattern.finditer(text):
            parts = match.groupdict()
            hook = Ran(parts["event"], parts["about"] or "", parts["command"], int(parts["status"]), int(parts.get("ms") or -1))
            found.append((match.start(), hook))
    return [hook for _, hook in sorted(found, key=lambda pair: pair[0])]


def count(path, event, about=""):
    """How often an event's hooks ended so far."""
    return sum(1 for hook in ran(path) if hook.event == event and about in ("", hook.about))


def errors(path):
    """Lines that tell of a hook that failed."""
    wrong = [line.strip()[:200] for line in _WRONG.findall(_text(path))]
    return wrong + [f"{hook.event} ended with {hook.status}" for hook in ran(path) if hook.status != 0]
