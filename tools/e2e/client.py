"""The real client, run without a terminal: one prompt, or a conversation of
many prompts in one process. Terminals are not known here."""

import json
import queue
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

PLUGIN = Path(__file__).resolve().parents[2] / "plugin"
TOOLS = "Bash,Read,Write,Edit,Agent,Task"


def arguments(program, plugin, log):
    """What every run of the client has in common."""
    plugin = ["--plugin-dir", str(plugin)] if plugin else []
    return [str(program), *plugin, "--debug-file", str(log), "--allowedTools", TOOLS]


@dataclass
class Answer:
    """What became of one prompt."""

    code: int
    said: str
    complaint: str
    log: Path
    session: str


def ask(program, ground, prompt, *more, folder=None, plugin=PLUGIN, extra=None, seconds=120):
    """One prompt in a process of its own (`-p`)."""
    log = ground.new_debug_log()
    command = arguments(program, plugin, log) + ["--output-format", "json", *more, "-p", prompt]
    done = subprocess.run(
        command,
        cwd=folder or ground.project(),
        env={**ground.environment, **(extra or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
    )
    try:
        told = json.loads(done.stdout)
    except ValueError:
        told = {}
    told = told if isinstance(told, dict) else {}
    said = str(told.get("result", done.stdout))
    return Answer(done.returncode, said, done.stderr.strip(), log, str(told.get("session_id", "")))


class Conversation:
    """Many prompts in one process, one after the other."""

    def __init__(self, program, ground, *more, folder=None, plugin=PLUGIN, extra=None):
        self.log = ground.new_debug_log()
        streams = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
        self.process = subprocess.Popen(
            arguments(program, plugin, self.log) + ["-p", *streams, *more],
            cwd=folder or ground.project(),
            env={**ground.environment, **(extra or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )
        self._results = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            try:
                told = json.loads(line)
            except ValueError:
                continue
            if told.get("type") == "result":
                self._results.put(told)
        self._results.put(None)

    def begin(self, text):
        """Sends a prompt and does not wait."""
        message = {"type": "user", "message": {"role": "user", "content": text}}
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def finish(self, seconds=60):
        """The result of the prompt that was sent; none if there is none in time."""
        try:
            return self._results.get(timeout=seconds)
        except queue.Empty:
            return None

    def say(self, text, seconds=60):
        self.begin(text)
        return self.finish(seconds)

    def end(self, seconds=20):
        """Ends it in good order, and returns its exit code."""
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            return -1

    def kill(self):
        """Without any warning."""
        self.process.kill()
        self.process.wait()


def until(condition, seconds=20.0, every=0.05):
    """Waits for something to become so; whether it did."""
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        if condition():
            return True
        time.sleep(every)
    return bool(condition())
